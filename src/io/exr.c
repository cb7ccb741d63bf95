/* src/io/exr.c - OpenEXR through its C core. The only file that sees it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "out.h" /* tyi_io_out: a file that appears whole or not at all */
#include "tycho/tools/exr.h"
#include "inner.h"

#define MAX_SIDE 32768

/* what the library said last, kept by the context's user data */
typedef struct said {
    char text[256];
} said;

static void on_error(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user) {
        snprintf(((said *)user)->text, sizeof((said *)user)->text, "%s", message);
    }
}

static exr_context_initializer_t setup(said *s)
{
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    init.error_handler_fn = on_error;
    init.user_data = s;
    init.max_image_width = init.max_image_height = MAX_SIDE;
    init.max_tile_width = init.max_tile_height = MAX_SIDE;
    return init;
}

static const char *why(const said *s, exr_result_t code)
{
    return s->text[0] ? s->text : exr_get_default_error_message(code);
}

/* ---- writing ---- */

static exr_result_t write_rows(exr_context_t file, const ty_exr *image)
{
    exr_encode_pipeline_t pipe = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t lines = 1;
    size_t plane = (size_t)image->width * (size_t)image->height;
    exr_result_t rc = exr_get_scanlines_per_chunk(file, 0, &lines);
    for (int y = 0; y < image->height && rc == EXR_ERR_SUCCESS; y += lines) {
        exr_chunk_info_t chunk;
        rc = exr_write_scanline_chunk_info(file, 0, y, &chunk);
        if (rc == EXR_ERR_SUCCESS) {
            rc = y ? exr_encoding_update(file, 0, &chunk, &pipe) : exr_encoding_initialize(file, 0, &chunk, &pipe);
        }
        for (int c = 0; c < pipe.channel_count && rc == EXR_ERR_SUCCESS; c++) {
            exr_coding_channel_info_t *channel = &pipe.channels[c];
            int from = 0; /* the library sorted them */
            while (strcmp(image->name[from], channel->channel_name)) {
                from++;
            }
            const float *at = image->data + (size_t)from * plane + (size_t)y * (size_t)image->width;
            channel->encode_from_ptr = (const uint8_t *)at;
            channel->user_pixel_stride = sizeof(float);
            channel->user_line_stride = image->width * (int)sizeof(float);
            channel->user_bytes_per_element = sizeof(float);
            channel->user_data_type = EXR_PIXEL_FLOAT;
        }
        if (rc == EXR_ERR_SUCCESS && !y) {
            rc = exr_encoding_choose_default_routines(file, 0, &pipe);
        }
        rc = rc == EXR_ERR_SUCCESS ? exr_encoding_run(file, 0, &pipe) : rc;
    }
    exr_encoding_destroy(file, &pipe);
    return rc;
}

static exr_result_t write_header(exr_context_t file, const ty_exr *image)
{
    int part = 0;
    exr_result_t rc = exr_add_part(file, "image", EXR_STORAGE_SCANLINE, &part);
    if (rc == EXR_ERR_SUCCESS) {
        rc = exr_initialize_required_attr_simple(file, part, image->width, image->height, EXR_COMPRESSION_ZIP);
    }
    for (int c = 0; c < image->channels && rc == EXR_ERR_SUCCESS; c++) {
        rc = exr_add_channel(file, part, image->name[c], EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    }
    return rc == EXR_ERR_SUCCESS ? exr_write_header(file) : rc;
}

static ty_status check_image(const char *path, const ty_exr *image, ty_diag *diag)
{
    if (image->width < 1 || image->width > MAX_SIDE || image->height < 1 || image->height > MAX_SIDE ||
        image->channels < 1 || image->channels > TY_EXR_CHANNELS) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "%s: an image of %d x %d pixels and %d channels; 1 to %d pixels and 1 to %d "
                       "channels are accepted",
                       path, image->width, image->height, image->channels, MAX_SIDE, TY_EXR_CHANNELS);
    }
    for (int c = 0; c < image->channels; c++) {
        bool twice = false;
        for (int k = 0; k < c; k++) {
            twice = twice || !strcmp(image->name[c], image->name[k]);
        }
        if (!image->name[c][0] || twice || !memchr(image->name[c], 0, sizeof image->name[c])) {
            return ty_fail(diag, TY_ERR_RANGE, "%s: channel %d must have a name of its own of 1 to 31 letters", path,
                           c);
        }
    }
    return TY_OK;
}

ty_status ty_exr_write(const char *path, const ty_exr *image, ty_diag *diag)
{
    tyi_io_out out;
    ty_status status = check_image(path, image, diag);
    status = status == TY_OK ? tyi_io_out_open(&out, path, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    said s = { "" };
    exr_context_initializer_t init = setup(&s);
    exr_context_t file = NULL;
    errno = 0;
    exr_result_t rc = exr_start_write(&file, out.temporary, EXR_WRITE_FILE_DIRECTLY, &init);
    rc = rc == EXR_ERR_SUCCESS ? write_header(file, image) : rc;
    rc = rc == EXR_ERR_SUCCESS ? write_rows(file, image) : rc;
    exr_result_t end = file ? exr_finish(&file) : EXR_ERR_SUCCESS;
    rc = rc == EXR_ERR_SUCCESS ? end : rc;
    if (rc != EXR_ERR_SUCCESS) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", path, why(&s, rc));
    }
    return tyi_io_out_close(&out, status, diag);
}

/* ---- reading ---- */

static exr_result_t read_rows(exr_context_t file, ty_exr *image, exr_attr_box2i_t window)
{
    exr_decode_pipeline_t pipe = EXR_DECODE_PIPELINE_INITIALIZER;
    int32_t lines = 1;
    size_t plane = (size_t)image->width * (size_t)image->height;
    exr_result_t rc = exr_get_scanlines_per_chunk(file, 0, &lines);
    bool first = true;
    for (int y = 0; y < image->height && rc == EXR_ERR_SUCCESS; y += lines, first = false) {
        exr_chunk_info_t chunk;
        rc = exr_read_scanline_chunk_info(file, 0, window.min.y + y, &chunk);
        if (rc == EXR_ERR_SUCCESS) {
            rc = first ? exr_decoding_initialize(file, 0, &chunk, &pipe) : exr_decoding_update(file, 0, &chunk, &pipe);
        }
        if (rc == EXR_ERR_SUCCESS && (pipe.channel_count != image->channels || chunk.height > image->height - y)) {
            rc = EXR_ERR_BAD_CHUNK_LEADER;
        }
        for (int c = 0; c < image->channels && rc == EXR_ERR_SUCCESS; c++) {
            exr_coding_channel_info_t *channel = &pipe.channels[c];
            float *at = image->data + (size_t)c * plane + (size_t)y * (size_t)image->width;
            channel->decode_to_ptr = (uint8_t *)at;
            channel->user_pixel_stride = sizeof(float);
            channel->user_line_stride = image->width * (int)sizeof(float);
            channel->user_bytes_per_element = sizeof(float);
            channel->user_data_type = EXR_PIXEL_FLOAT;
        }
        if (rc == EXR_ERR_SUCCESS && first) {
            rc = exr_decoding_choose_default_routines(file, 0, &pipe);
        }
        rc = rc == EXR_ERR_SUCCESS ? exr_decoding_run(file, 0, &pipe) : rc;
    }
    exr_decoding_destroy(file, &pipe);
    return rc;
}

/* sizes and names; a sentence about what is not read */
static ty_status read_header(const char *path, exr_context_t file, ty_exr *image, exr_attr_box2i_t *window,
                             ty_diag *diag)
{
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    const exr_attr_chlist_t *list = NULL;
    if (exr_get_storage(file, 0, &storage) != EXR_ERR_SUCCESS || storage != EXR_STORAGE_SCANLINE) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: holds tiles or deep data; scan lines are accepted", path);
    }
    if (exr_get_data_window(file, 0, window) != EXR_ERR_SUCCESS ||
        exr_get_channels(file, 0, &list) != EXR_ERR_SUCCESS) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: has no size or no channels", path);
    }
    int64_t width = (int64_t)window->max.x - window->min.x + 1, height = (int64_t)window->max.y - window->min.y + 1;
    if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE || list->num_channels < 1 ||
        list->num_channels > TY_EXR_CHANNELS) {
        return ty_fail(diag, TY_ERR_FORMAT,
                       "%s: holds %lld x %lld pixels and %d channels; 1 to %d pixels and 1 to %d "
                       "channels are accepted",
                       path, (long long)width, (long long)height, list->num_channels, MAX_SIDE, TY_EXR_CHANNELS);
    }
    image->width = (int)width;
    image->height = (int)height;
    image->channels = list->num_channels;
    for (int c = 0; c < image->channels; c++) {
        const exr_attr_chlist_entry_t *e = &list->entries[c];
        if (e->x_sampling != 1 || e->y_sampling != 1 || e->name.length < 1 || e->name.length > 31) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s: channel %d is subsampled or has a name of more than 31 letters",
                           path, c);
        }
        snprintf(image->name[c], sizeof image->name[c], "%s", e->name.str);
    }
    return TY_OK;
}

/* A header may promise far more than the file holds; ZIP shrinks 1000 times at the very most. */
static ty_status get_memory(const char *path, ty_exr *image, ty_diag *diag)
{
    struct stat about;
    size_t bytes = (size_t)image->width * (size_t)image->height * (size_t)image->channels * sizeof(float);
    if (stat(path, &about) || bytes / 2048 > (size_t)about.st_size) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is too short for the %d x %d pixels it promises", path, image->width,
                       image->height);
    }
    image->data = malloc(bytes);
    return image->data ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
}

ty_status ty_exr_read(const char *path, ty_exr *out, ty_diag *diag)
{
    *out = (ty_exr){ 0 };
    said s = { "" };
    exr_context_initializer_t init = setup(&s);
    exr_context_t file = NULL;
    struct stat about;
    if (stat(path, &about)) {
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    exr_result_t rc = exr_start_read(&file, path, &init);
    if (rc != EXR_ERR_SUCCESS) {
        return ty_fail(diag, rc == EXR_ERR_FILE_ACCESS ? TY_ERR_FILE : TY_ERR_FORMAT, "%s: is not an OpenEXR image: %s",
                       path, why(&s, rc));
    }
    exr_attr_box2i_t window;
    ty_status status = read_header(path, file, out, &window, diag);
    status = status == TY_OK ? get_memory(path, out, diag) : status;
    if (status == TY_OK) {
        rc = read_rows(file, out, window);
        if (rc != EXR_ERR_SUCCESS) {
            status = ty_fail(diag, TY_ERR_FORMAT, "%s: is a broken OpenEXR image: %s", path, why(&s, rc));
        }
    }
    exr_finish(&file);
    if (status != TY_OK) {
        ty_exr_free(out);
    }
    return status;
}

void ty_exr_free(ty_exr *image)
{
    if (image) {
        free(image->data);
        *image = (ty_exr){ 0 };
    }
}

float *ty_exr_find(const ty_exr *image, const char *name)
{
    for (int c = 0; c < image->channels; c++) {
        if (!strcmp(image->name[c], name)) {
            return image->data + (size_t)c * (size_t)image->width * (size_t)image->height;
        }
    }
    return NULL;
}

char *tyi_io_exr_band_name(int bands, int band, char name[32])
{
    static const char *const rgb[3] = { "R", "G", "B" };
    if (bands == 1) {
        snprintf(name, 32, "Y");
    } else if (bands == 3 && band >= 0 && band < 3) {
        snprintf(name, 32, "%s", rgb[band]);
    } else {
        snprintf(name, 32, "radiance.%d", band);
    }
    return name;
}

int tyi_io_exr_bands(const ty_exr *image, int *band)
{
    for (int bands = 8; bands >= 1; bands--) {
        int found = 0;
        for (int b = 0; b < bands; b++) {
            char name[32];
            tyi_io_exr_band_name(bands, b, name);
            for (int c = 0; c < image->channels; c++) {
                if (!strcmp(image->name[c], name)) {
                    band[found++] = c;
                }
            }
        }
        if (found == bands) {
            return bands;
        }
    }
    return 0;
}
