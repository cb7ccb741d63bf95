/* src/io/image.c - pictures in PNG and JPEG from memory. libpng and libjpeg report failures by not returning, so
 * each has one function with setjmp in it; all that must be freed afterwards lives in a struct of its caller.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>
#include "core/core.h"
#include "document.h"
#include "tycho/tools/model.h"
#include "inner.h"

#define MOST_BYTES  ((size_t)1 << 29)
#define MOST_SIDE   16384
#define MOST_PIXELS ((size_t)1 << 27)

static bool too_large(size_t w, size_t h)
{
    return w < 1 || h < 1 || w > MOST_SIDE || h > MOST_SIDE || w * h > MOST_PIXELS;
}

typedef struct source {
    const uint8_t *data;
    size_t size, at;
} source;

/* ---- PNG ---- */

typedef struct png_job {
    png_structp png;
    png_infop info;
    png_bytep *rows;
    source from;
    ty_image image;
    char message[160];
} png_job;

static void png_failed(png_structp png, png_const_charp message)
{
    png_job *j = png_get_error_ptr(png);
    snprintf(j->message, sizeof j->message, "%s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void png_warned(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void png_more(png_structp png, png_bytep out, size_t n)
{
    source *s = png_get_io_ptr(png);
    if (n > s->size - s->at) {
        png_error(png, "ends too early");
    }
    memcpy(out, s->data + s->at, n);
    s->at += n;
}

static void png_all(png_job *j)
{
    if (setjmp(png_jmpbuf(j->png))) {
        return;
    }
    png_set_user_limits(j->png, MOST_SIDE, MOST_SIDE);
    png_set_read_fn(j->png, &j->from, png_more);
    png_read_info(j->png, j->info);
    png_set_expand(j->png);
    if (png_get_bit_depth(j->png, j->info) == 16) {
        png_set_swap(j->png); /* PNG is big-endian; all machines this runs on are not */
    }
    png_set_interlace_handling(j->png);
    png_read_update_info(j->png, j->info);
    ty_image *i = &j->image;
    size_t w = png_get_image_width(j->png, j->info), h = png_get_image_height(j->png, j->info);
    if (too_large(w, h)) {
        png_error(j->png, "more than 2^27 pixels");
    }
    i->width = (int)w, i->height = (int)h;
    i->channels = png_get_channels(j->png, j->info);
    i->bits = png_get_bit_depth(j->png, j->info);
    size_t stride = png_get_rowbytes(j->png, j->info);
    i->data = calloc(h, stride);
    j->rows = malloc(h * sizeof *j->rows);
    if (!i->data || !j->rows) {
        png_error(j->png, "no memory");
    }
    for (size_t y = 0; y < h; y++) {
        j->rows[y] = (png_bytep)i->data + y * stride;
    }
    png_read_image(j->png, j->rows);
    png_read_end(j->png, NULL);
}

static ty_status parse_png(const char *name, source from, ty_image *out, ty_diag *diag)
{
    png_job j = { .from = from };
    j.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &j, png_failed, png_warned);
    j.info = j.png ? png_create_info_struct(j.png) : NULL;
    if (j.info) {
        png_all(&j);
    } else {
        snprintf(j.message, sizeof j.message, "no memory");
    }
    png_destroy_read_struct(&j.png, &j.info, NULL);
    free(j.rows);
    if (j.message[0]) {
        free(j.image.data);
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is not a whole PNG picture: %s", name, j.message);
    }
    *out = j.image;
    return TY_OK;
}

/* ---- JPEG ---- */

typedef struct jpeg_job {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf back;
    ty_image image;
    char message[JMSG_LENGTH_MAX];
} jpeg_job;

static void jpeg_failed(j_common_ptr common)
{
    jpeg_job *j = common->client_data;
    common->err->format_message(common, j->message);
    longjmp(j->back, 1);
}

static void jpeg_silent(j_common_ptr common)
{
    (void)common;
}

static void jpeg_all(jpeg_job *j, const source *from)
{
    if (setjmp(j->back)) {
        return;
    }
    jpeg_create_decompress(&j->jpeg);
    j->jpeg.client_data = j;
    jpeg_mem_src(&j->jpeg, from->data, (unsigned long)from->size);
    jpeg_read_header(&j->jpeg, TRUE);
    if (too_large(j->jpeg.image_width, j->jpeg.image_height)) {
        snprintf(j->message, sizeof j->message, "%u x %u pixels, but 16384 along a side and 2^27 in all are the most",
                 j->jpeg.image_width, j->jpeg.image_height);
        return;
    }
    j->jpeg.out_color_space = j->jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&j->jpeg);
    ty_image *i = &j->image;
    i->width = (int)j->jpeg.output_width, i->height = (int)j->jpeg.output_height;
    i->channels = j->jpeg.output_components, i->bits = 8;
    size_t stride = (size_t)i->width * (size_t)i->channels;
    i->data = calloc((size_t)i->height, stride);
    if (!i->data) {
        snprintf(j->message, sizeof j->message, "no memory");
        return;
    }
    while (j->jpeg.output_scanline < j->jpeg.output_height) {
        JSAMPROW row = (JSAMPROW)i->data + (size_t)j->jpeg.output_scanline * stride;
        jpeg_read_scanlines(&j->jpeg, &row, 1);
    }
    if (j->jpeg.err->num_warnings) { /* cut or damaged: libjpeg fills in what is missing */
        snprintf(j->message, sizeof j->message, "its data are damaged or end too early");
        return;
    }
    jpeg_finish_decompress(&j->jpeg);
}

static ty_status parse_jpeg(const char *name, source from, ty_image *out, ty_diag *diag)
{
    jpeg_job *j = calloc(1, sizeof *j);
    if (!j) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", name);
    }
    j->jpeg.err = jpeg_std_error(&j->errors);
    j->jpeg.client_data = j;
    j->errors.error_exit = jpeg_failed;
    j->errors.output_message = jpeg_silent;
    jpeg_all(j, &from);
    jpeg_destroy_decompress(&j->jpeg);
    ty_status status = TY_OK;
    if (j->message[0]) {
        free(j->image.data);
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: is not a whole JPEG picture: %s", name, j->message);
    } else {
        *out = j->image;
    }
    free(j);
    return status;
}

ty_status tyi_io_image_parse(const char *name, const void *data, size_t size, ty_image *out, ty_diag *diag)
{
    source from = { data, size, 0 };
    *out = (ty_image){ 0 };
    if (size >= 8 && !png_sig_cmp(from.data, 0, 8)) {
        return parse_png(name, from, out, diag);
    }
    if (size >= 3 && from.data[0] == 0xff && from.data[1] == 0xd8 && from.data[2] == 0xff) {
        return parse_jpeg(name, from, out, diag);
    }
    return ty_fail(diag, TY_ERR_FORMAT, "%s: is not a picture in PNG or JPEG", name);
}

ty_status tyi_io_image_read(const char *path, ty_image *out, ty_diag *diag)
{
    tyi_io_bytes bytes;
    *out = (ty_image){ 0 };
    ty_status status = tyi_io_file_read(path, MOST_BYTES, NULL, &bytes, diag);
    if (status == TY_OK) {
        status = tyi_io_image_parse(path, bytes.data, bytes.size, out, diag);
        tyi_put(NULL, bytes.data, bytes.capacity);
    }
    return status;
}
