/* src/io/gltf.h - a glTF file while it is read. jansson is seen by src/io/gltf_*.c alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_GLTF_H
#define TYI_IO_GLTF_H
#include <jansson.h>
#include "model.h"

typedef struct tyi_io_gltf_buffer {
    const uint8_t *data;
    size_t size;
    void *owned;       /* to be freed; NULL: part of the file */
    tyi_io_bytes file; /* read from a file beside it */
} tyi_io_gltf_buffer;

typedef struct tyi_io_gltf {
    const char *name;
    json_t *root;
    tyi_io_gltf_buffer *buffer;
    size_t buffers;
    const uint8_t *chunk; /* of a .glb */
    size_t chunk_size;
    double scale;
    ty_model *out;
    size_t vertex_room, normal_room, uv_room, triangle_room, which_room;
    bool any_uv;
    int *texture_of; /* texture of the model for texture i as colour (2 i) and as data (2 i + 1); -1: not read yet */
    size_t texture_slots;
    ty_diag *diag;
} tyi_io_gltf;

/* Every function below leaves its sentence in diag. what: the place, as "accessors[3]". */
ty_status tyi_io_gltf_wrong(const tyi_io_gltf *g, const char *format, ...) TY_PRINTF(2, 3);
/* Element i of a list at the root; NULL (with a sentence): there is none, or it is not an object. */
json_t *tyi_io_gltf_item(const tyi_io_gltf *g, const char *list, size_t i);
size_t tyi_io_gltf_count(const tyi_io_gltf *g, const char *list); /* 0: no such list */
/* A whole number from 0 to most. Missing: *out stays and true; need: missing is wrong. */
bool tyi_io_gltf_size(const tyi_io_gltf *g, const json_t *object, const char *what, const char *key, size_t most,
                      bool need, size_t *out);
bool tyi_io_gltf_number(const tyi_io_gltf *g, const json_t *object, const char *what, const char *key, double low,
                        double high, double *out);
/* exactly n finite numbers */
bool tyi_io_gltf_numbers(const tyi_io_gltf *g, const json_t *object, const char *what, const char *key, int n,
                         double *out);

/* gltf_buffer.c */
ty_status tyi_io_gltf_load_buffers(tyi_io_gltf *g);
void tyi_io_gltf_free_buffers(tyi_io_gltf *g);
/* bytes of a buffer view */
ty_status tyi_io_gltf_view(const tyi_io_gltf *g, size_t view, const uint8_t **data, size_t *size, size_t *stride);
/* A URI: data of a "data:" one in *owned, or the path of a file beside the glTF. */
ty_status tyi_io_gltf_uri(const tyi_io_gltf *g, const char *what, const char *uri, uint8_t **owned, size_t *size,
                          char *path, size_t path_size);

/* gltf_accessor.c: all elements as `parts` floats each, or as indices. The caller frees *out. */
ty_status tyi_io_gltf_floats(const tyi_io_gltf *g, size_t accessor, int parts, float **out, size_t *count);
ty_status tyi_io_gltf_indices(const tyi_io_gltf *g, size_t accessor, uint32_t **out, size_t *count);

/* gltf_mesh.c, gltf_material.c */
ty_status tyi_io_gltf_nodes(tyi_io_gltf *g);
ty_status tyi_io_gltf_materials(tyi_io_gltf *g);

#endif
