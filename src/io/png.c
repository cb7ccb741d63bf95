/* src/io/png.c - PNG images as plain arrays of 8 or 16 bits.
 *
 * libpng reports failures by not returning, so each direction has one function with setjmp in it;
 * all that must be freed afterwards lives in a struct of its caller.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "out.h"
#include "tycho/tools/image.h"

#define MAX_SIDE 32768

static const int color_types[5] = { 0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                    PNG_COLOR_TYPE_RGB_ALPHA };

typedef struct job {
    png_structp png;
    png_infop info;
    png_bytep *rows; /* pointers into the image */
    char message[160];
    ty_image image;
} job;

static void on_error(png_structp png, png_const_charp message)
{
    job *j = png_get_error_ptr(png);
    snprintf(j->message, sizeof j->message, "%s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* PNG is big-endian */
static bool must_swap(int bits)
{
    const uint16_t one = 1;
    return bits == 16 && *(const uint8_t *)&one == 1;
}

static bool make_rows(job *j, const void *data)
{
    size_t stride = (size_t)j->image.width * (size_t)j->image.channels * (size_t)(j->image.bits / 8);
    j->rows = malloc((size_t)j->image.height * sizeof *j->rows);
    for (int y = 0; j->rows && y < j->image.height; y++) {
        j->rows[y] = (png_bytep)(uintptr_t)data + (size_t)y * stride; /* libpng does not write to rows it writes out */
    }
    return j->rows != NULL;
}

static bool write_all(job *j, FILE *file)
{
    const ty_image *image = &j->image;
    if (setjmp(png_jmpbuf(j->png))) {
        return false;
    }
    png_init_io(j->png, file);
    png_set_IHDR(j->png, j->info, (png_uint_32)image->width, (png_uint_32)image->height, image->bits,
                 color_types[image->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (image->bits == 16 || image->channels == 1) {
        /* Frames and maps: noise that no longer match is found in. Runs and Huffman codes alone give files of the same size (16 bits: 429
         * against 425 kB, 8 bits: 93 against 103) in a quarter of the time. Drawings, 8 bits of three channels, stay with the default. */
        png_set_compression_strategy(j->png, Z_RLE);
        png_set_filter(j->png, PNG_FILTER_TYPE_BASE, image->bits == 16 ? PNG_FILTER_SUB : PNG_FILTER_NONE);
    }
    png_write_info(j->png, j->info);
    if (must_swap(image->bits)) {
        png_set_swap(j->png);
    }
    png_write_image(j->png, j->rows);
    png_write_end(j->png, j->info);
    return true;
}

ty_status ty_png_write(const char *path, int width, int height, int channels, int bits, const void *data, ty_diag *diag)
{
    if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: an image of %d x %d pixels; 1 to %d are accepted", path, width, height,
                       MAX_SIDE);
    }
    if (channels < 1 || channels > 4 || (bits != 8 && bits != 16)) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: %d channels of %d bits; 1 to 4 channels of 8 or 16 are accepted", path,
                       channels, bits);
    }
    tyi_io_out out;
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    job j = { .image = { width, height, channels, bits, NULL } };
    j.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
    j.info = j.png ? png_create_info_struct(j.png) : NULL;
    if (!j.info || !make_rows(&j, data)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    } else {
        errno = 0;
        if (!write_all(&j, out.file)) {
            status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", path, errno ? strerror(errno) : j.message);
        }
    }
    png_destroy_write_struct(&j.png, &j.info);
    free(j.rows);
    return tyi_io_out_close(&out, status, diag);
}

/* Header and memory; false with a message, or with an empty one when there is no memory. */
static bool read_header(job *j, FILE *file)
{
    if (setjmp(png_jmpbuf(j->png))) {
        return false;
    }
    png_set_user_limits(j->png, MAX_SIDE, MAX_SIDE);
    png_init_io(j->png, file);
    png_read_info(j->png, j->info);
    png_set_expand(j->png); /* palettes and few bits to 8, transparency to alpha */
    if (must_swap(png_get_bit_depth(j->png, j->info))) {
        png_set_swap(j->png);
    }
    png_set_interlace_handling(j->png);
    png_read_update_info(j->png, j->info);
    ty_image *image = &j->image;
    image->width = (int)png_get_image_width(j->png, j->info);
    image->height = (int)png_get_image_height(j->png, j->info);
    image->channels = png_get_channels(j->png, j->info);
    image->bits = png_get_bit_depth(j->png, j->info);
    image->data = malloc(png_get_rowbytes(j->png, j->info) * (size_t)image->height);
    return image->data && make_rows(j, image->data);
}

static bool read_rows(job *j)
{
    if (setjmp(png_jmpbuf(j->png))) {
        return false;
    }
    png_read_image(j->png, j->rows);
    png_read_end(j->png, NULL);
    return true;
}

ty_status ty_png_read(const char *path, ty_image *out, ty_diag *diag)
{
    *out = (ty_image){ 0 };
    FILE *file = fopen(path, "rb");
    if (!file) {
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    job j = { 0 };
    ty_status status = TY_OK;
    j.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
    j.info = j.png ? png_create_info_struct(j.png) : NULL;
    if (!j.info || !read_header(&j, file) || !read_rows(&j)) {
        status = j.message[0] ? ty_fail(diag, TY_ERR_FORMAT, "%s: is not a whole PNG image: %s", path, j.message)
                              : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
    }
    png_destroy_read_struct(&j.png, &j.info, NULL);
    free(j.rows);
    fclose(file);
    if (status != TY_OK) {
        free(j.image.data);
        return status;
    }
    *out = j.image;
    return TY_OK;
}

void ty_image_free(ty_image *image)
{
    if (image) {
        free(image->data);
        *image = (ty_image){ 0 };
    }
}
