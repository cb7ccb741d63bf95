/* include/tycho/mesh.h - triangle meshes from files.
 *
 * Statuses: TY_ERR_FILE, TY_ERR_FORMAT (file, line, what is wrong), TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_MESH_H
#define TYCHO_MESH_H
#include "tycho/base.h"
TY_BEGIN_DECLS

typedef struct ty_mesh {
    float *vertex;      /* 3 per vertex, in the file's unit times scale */
    uint32_t *triangle; /* 3 per triangle */
    size_t vertices, triangles;
} ty_mesh;

/* Reads the vertices and faces of a Wavefront OBJ file; faces with more than three corners become
 * fans, everything else (normals, textures, groups, lines, curves) is passed over. Lengths are
 * multiplied by scale [m per unit of the file]. On success the caller owns *out. */
TY_API ty_status ty_mesh_read(const char *path, double scale, ty_mesh *out, ty_diag *diag);
/* The same from memory; name stands in messages. */
TY_API ty_status ty_mesh_parse(const char *name, const char *text, size_t size, double scale,
                               ty_mesh *out, ty_diag *diag);
TY_API void ty_mesh_free(ty_mesh *mesh); /* what is NULL stays so */

TY_END_DECLS
#endif
