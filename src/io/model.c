/* src/io/model.c - see tycho/tools/model.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "inner.h"

bool tyi_io_beside(const char *base, const char *file, char *out, size_t size)
{
    const char *slash = strrchr(base, '/');
    int folder = slash && file[0] != '/' ? (int)(slash - base) + 1 : 0;
    return (size_t)snprintf(out, size, "%.*s%s", folder, base, file) < size;
}

ty_model_material tyi_io_model_material(const char *name)
{
    ty_model_material m = { .color = { 0.5, 0.5, 0.5 },
                            .roughness = 0.7,
                            .normal_scale = 1.0,
                            .color_map = -1,
                            .normal_map = -1,
                            .rough_map = -1 };
    snprintf(m.name, sizeof m.name, "%s", name);
    return m;
}

ty_status tyi_io_model_texture(ty_model *m, const char *path, const ty_image *image, bool srgb, int *index,
                               ty_diag *diag)
{
    if (m->textures == TYI_IO_MODEL_TEXTURES) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: more than %d pictures in one model", path, TYI_IO_MODEL_TEXTURES);
    }
    ty_model_texture *larger = realloc(m->texture, (m->textures + 1) * sizeof *larger);
    if (!larger) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a picture", path);
    }
    m->texture = larger;
    ty_model_texture *t = &larger[m->textures];
    *t = (ty_model_texture){ .srgb = srgb };
    ty_status status = TY_OK;
    if (image) {
        t->image = *image;
    } else {
        status = tyi_io_image_read(path, &t->image, diag);
    }
    if (status == TY_OK) {
        *index = (int)m->textures++;
    }
    return status;
}

void ty_model_free(ty_model *m)
{
    free(m->vertex), free(m->normal), free(m->uv), free(m->triangle), free(m->which), free(m->material);
    for (size_t i = 0; i < m->textures; i++) {
        ty_image_free(&m->texture[i].image);
    }
    free(m->texture);
    *m = (ty_model){ 0 };
}

ty_status tyi_io_model_parse(const char *name, const char *kind, const void *data, size_t size, double scale,
                             ty_model *out, ty_diag *diag)
{
    *out = (ty_model){ 0 };
    ty_status status;
    if (!strcasecmp(kind, "obj")) {
        status = tyi_io_model_obj(name, data, size, scale, out, diag);
    } else if (!strcasecmp(kind, "gltf") || !strcasecmp(kind, "glb")) {
        status = tyi_io_model_gltf(name, !strcasecmp(kind, "glb"), data, size, scale, out, diag);
    } else if (!strcasecmp(kind, "dae") || !strcasecmp(kind, "stl") || !strcasecmp(kind, "ply")) {
        status = tyi_io_model_assimp(name, kind, data, size, scale, out, diag);
    } else {
        status = ty_fail(diag, TY_ERR_FORMAT,
                         "%s: is not a model; its name must end in .obj, .gltf, .glb, .dae, .stl or .ply", name);
    }
    if (status != TY_OK) {
        ty_model_free(out);
    }
    return status;
}

ty_status ty_model_read(const char *path, double scale, ty_model *out, ty_diag *diag)
{
    *out = (ty_model){ 0 };
    const char *dot = strrchr(path, '.');
    tyi_io_bytes bytes;
    ty_status status = tyi_io_file_read(path, TYI_IO_MODEL_BYTES, NULL, &bytes, diag);
    if (status == TY_OK) {
        status = tyi_io_model_parse(path, dot ? dot + 1 : "", bytes.data, bytes.size, scale, out, diag);
        tyi_put(NULL, bytes.data, bytes.capacity);
    }
    return status;
}
