/* src/io/inner.h - pictures, models and masks, for other modules, the program and tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_INNER_H
#define TYI_IO_INNER_H
#include "tycho/tools/exr.h"
#include "tycho/tools/image.h"
#include "tycho/tools/coco.h"
#include "tycho/tools/model.h"

/* as core has it, for the program */
char *tyi_text_plain(char *text);

/* A picture in PNG or JPEG, by its content. On success the caller owns *out. At most 16384 pixels along a side and 2^27
 * in all. */
ty_status tyi_io_image_read(const char *path, ty_image *out, ty_diag *diag);

/* A picture of 8 bits, 1 or 3 channels, as JPEG; quality 1 to 100. On success the caller owns *out, from malloc. */
ty_status tyi_io_jpeg_pack(const ty_image *image, int quality, void **out, size_t *bytes, ty_diag *diag);
ty_status tyi_io_image_parse(const char *name, const void *data, size_t size, ty_image *out, ty_diag *diag);

/* The same from memory: kind is "obj", "gltf", "glb", "dae", "stl" or "ply"; name stands in messages, and files are found beside it. */
ty_status tyi_io_model_parse(const char *name, const char *kind, const void *data, size_t size, double scale,
                             ty_model *out, ty_diag *diag);

/* Reads the vertices and faces of a Wavefront OBJ file; faces with more than three corners become
 * fans, everything else (normals, textures, groups, lines, curves) is passed over. Lengths are
 * multiplied by scale [m per unit of the file]. On success the caller owns *out. */
ty_status tyi_io_mesh_read(const char *path, double scale, ty_mesh *out, ty_diag *diag);

/* The same from memory; name stands in messages. */
ty_status tyi_io_mesh_parse(const char *name, const char *text, size_t size, double scale, ty_mesh *out, ty_diag *diag);
void tyi_io_mesh_free(ty_mesh *mesh); /* what is NULL stays so */

/* The channels that hold radiance, in the order of the bands: indices in band[8]. Returns how many. */
int tyi_io_exr_bands(const ty_exr *image, int *band);

/* The name of band number `band` of `bands`; returns name. */
char *tyi_io_exr_band_name(int bands, int band, char name[32]);

/* The pixels of an image (rows from the top) that hold `value`, as COCO's text; the caller frees it. NULL: no
 * memory. box: x0, y0, x1, y1 with x0 <= x < x1, outside of which there are none; NULL: anywhere. */
char *tyi_io_coco_rle_encode(int width, int height, const uint16_t *image, uint16_t value, const int *box);

/* The other way, into 0 and 1; false where the text is not of a mask of that size. */
bool tyi_io_coco_rle_decode(const char *text, int width, int height, uint8_t *mask);

#endif
