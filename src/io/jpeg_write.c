/* src/io/jpeg_write.c - see tycho/tools/image.h: a picture as JPEG, in memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include "tycho/tools/image.h"
#include "inner.h"

typedef struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf back;
} failure;

static void fail(j_common_ptr info)
{
    failure *f = (failure *)info->err;
    longjmp(f->back, 1);
}

static void say_nothing(j_common_ptr info)
{
    (void)info;
}

ty_status tyi_io_jpeg_pack(const ty_image *image, int quality, void **out, size_t *bytes, ty_diag *diag)
{
    *out = NULL, *bytes = 0;
    if (image->width < 1 || image->width > 16384 || image->height < 1 || image->height > 16384 || image->bits != 8 ||
        (image->channels != 1 && image->channels != 3) || quality < 1 || quality > 100) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "JPEG: %d x %d, %d channels of %d bits at quality %d, but 1 to 16384 pixels a side, 1 or 3 channels "
            "of 8 bits and 1 to 100 are accepted",
            image->width, image->height, image->channels, image->bits, quality);
    }
    struct jpeg_compress_struct c;
    failure f;
    unsigned char *volatile data = NULL;
    unsigned char *made = NULL;
    unsigned long size = 0;
    c.err = jpeg_std_error(&f.manager);
    f.manager.error_exit = fail;
    f.manager.output_message = say_nothing;
    if (setjmp(f.back)) {
        jpeg_destroy_compress(&c);
        free(data);
        return ty_fail(diag, TY_ERR_MEMORY, "JPEG: a picture of %d x %d cannot be packed", image->width, image->height);
    }
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &made, &size);
    data = made;
    c.image_width = (JDIMENSION)image->width, c.image_height = (JDIMENSION)image->height;
    c.input_components = image->channels;
    c.in_color_space = image->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&c);
    jpeg_set_quality(&c, quality, TRUE);
    jpeg_start_compress(&c, TRUE);
    while (c.next_scanline < c.image_height) {
        JSAMPROW row = (JSAMPROW)image->data + (size_t)c.next_scanline * (size_t)(image->width * image->channels);
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    *out = made;
    *bytes = size;
    return TY_OK;
}
