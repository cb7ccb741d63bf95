/* src/io/model.h - what the readers of models share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_MODEL_H
#define TYI_IO_MODEL_H
#include "core/core.h"
#include "document.h"
#include "tycho/tools/model.h"

#define TYI_IO_MODEL_BYTES     ((size_t)1 << 30) /* a larger file is refused */
#define TYI_IO_MODEL_TRIANGLES ((size_t)1 << 24) /* more are refused */
#define TYI_IO_MODEL_MATERIALS 1024
#define TYI_IO_MODEL_TEXTURES  512

/* An OBJ text as it stands. Corners are numbers from 0; those of texture and normal from 1, 0: none. */
typedef struct tyi_io_obj {
    float *position, *uv, *normal; /* 3, 2, 3 each */
    size_t positions, uvs, normals;
    uint32_t *corner; /* 3 per triangle: position */
    uint32_t *extra;  /* 6 per triangle: texture, normal of each corner */
    uint16_t *which;  /* per triangle: material, 0: none yet, else index + 1 */
    size_t triangles;
    char (*material)[64]; /* names */
    size_t materials;
    char library[512]; /* the last mtllib; "": none */
} tyi_io_obj;
ty_status tyi_io_obj_parse(const char *name, const char *text, size_t size, double scale, tyi_io_obj *out,
                           ty_diag *diag);
void tyi_io_obj_free(tyi_io_obj *obj);

ty_status tyi_io_model_obj(const char *name, const char *text, size_t size, double scale, ty_model *out, ty_diag *diag);
ty_status tyi_io_model_gltf(const char *name, bool binary, const void *data, size_t size, double scale, ty_model *out,
                            ty_diag *diag);
/* kind: dae, stl or ply */
ty_status tyi_io_model_assimp(const char *name, const char *kind, const void *data, size_t size, double scale,
                              ty_model *out, ty_diag *diag);

/* Materials of the names in obj from its library; missing ones are grey. */
ty_status tyi_io_mtl_read(const char *name, const tyi_io_obj *obj, ty_model *out, ty_diag *diag);

/* The path of a file named in another one. false: it is too long. */
bool tyi_io_beside(const char *base, const char *file, char *out, size_t size);
/* Appends a texture and reads it from a file, or takes over the image. *index: its number. */
ty_status tyi_io_model_texture(ty_model *m, const char *path, const ty_image *image, bool srgb, int *index,
                               ty_diag *diag);
ty_model_material tyi_io_model_material(const char *name); /* grey, rough, no textures */

#endif
