/* include/tycho/tools/model.h - what an object looks like, from a file: triangles, normals, texture coordinates,
 * materials, pictures.
 *
 * Wavefront OBJ with its MTL (Kd, map_Kd, Ns, Pr, Pm, norm, map_Bump), glTF 2.0 as .gltf (buffers and pictures in
 * files beside it or as data: URIs) and as .glb; COLLADA (.dae), .stl and .ply through assimp; pictures in PNG or JPEG.
 * A model is one mesh: the nodes of a scene are put in their places. OBJ, COLLADA, STL and PLY are taken as they stand;
 * glTF (y up, z forward) is turned to x forward, y left, z up.
 *
 * Statuses: TY_ERR_FILE, TY_ERR_FORMAT (file, line or field, what is wrong), TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_MODEL_H
#define TYCHO_MODEL_H
#include "tycho/base.h"
#include "tycho/tools/image.h"
TY_BEGIN_DECLS

typedef struct ty_model_texture {
    ty_image image;     /* rows from the top */
    bool srgb;          /* its values follow sRGB's curve */
    int wrap_u, wrap_v; /* 0 repeat, 1 clamp, 2 mirror, as ty_texture_wrap */
} ty_model_texture;

typedef struct ty_model_material {
    char name[64];
    double color[3];                      /* [-] base colour, linear */
    double metallic, roughness;           /* [-] */
    double normal_scale;                  /* [-] */
    int color_map, normal_map, rough_map; /* index of a texture; -1: none */
} ty_model_material;

typedef struct ty_model {
    float *vertex;      /* [m] 3 per vertex: the file's unit times scale */
    float *normal;      /* 3 per vertex; NULL: the file has none */
    float *uv;          /* 2 per vertex, 0 0 the upper left corner of a picture; NULL: none */
    uint32_t *triangle; /* 3 per triangle, counter-clockwise seen from outside */
    uint16_t *which;    /* per triangle: index of its material; NULL: 0 */
    size_t vertices, triangles;
    ty_model_material *material;
    size_t materials; /* 0: the file names none */
    ty_model_texture *texture;
    size_t textures;
    char note[200]; /* what was passed over; "": nothing */
} ty_model;

/* By the name's ending: .obj, .gltf, .glb, .dae, .stl, .ply. scale [m per unit of the file]. On success the caller owns *out. A material
 * library that is not there leaves a note; a picture that is not there is an error. */
TY_API ty_status ty_model_read(const char *path, double scale, ty_model *out, ty_diag *diag);
TY_API void ty_model_free(ty_model *model); /* all zero is allowed */

/* ---- triangle meshes from files.
 *
 * Statuses: TY_ERR_FILE, TY_ERR_FORMAT (file, line, what is wrong), TY_ERR_MEMORY. */

typedef struct ty_mesh {
    float *vertex;      /* 3 per vertex, in the file's unit times scale */
    uint32_t *triangle; /* 3 per triangle */
    size_t vertices, triangles;
} ty_mesh;

TY_END_DECLS
#endif
