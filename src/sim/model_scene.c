/* src/sim/model_scene.c - models and pictures of files into a scene.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "tycho/stage.h"
#include "io/inner.h"

static ty_status add_texture(ty_scene *scene, const ty_model_texture *t, uint32_t *id, ty_diag *diag)
{
    ty_texture_def def = { .width = t->image.width,
                           .height = t->image.height,
                           .channels = t->image.channels,
                           .bits = t->image.bits,
                           .data = t->image.data,
                           .srgb = t->srgb,
                           .wrap_u = (ty_texture_wrap)t->wrap_u,
                           .wrap_v = (ty_texture_wrap)t->wrap_v };
    return ty_scene_add_texture(scene, &def, id, diag);
}

ty_status ty_scene_read_texture(ty_scene *scene, const char *path, bool srgb, uint32_t *id, ty_diag *diag)
{
    ty_model_texture t = { .srgb = srgb };
    ty_status status = tyi_io_image_read(path, &t.image, diag);
    if (status == TY_OK) {
        status = add_texture(scene, &t, id, diag);
        ty_image_free(&t.image);
    }
    return status;
}

/* base colour, metal and roughness as glTF means them; ids: textures of the scene */
static ty_material principled(const ty_model_material *m, const uint32_t *id, int bands)
{
    ty_material out = ty_material_lambert(0.2126 * m->color[0] + 0.7152 * m->color[1] + 0.0722 * m->color[2]);
    out.law = TY_LAW_PRINCIPLED;
    for (int b = 0; b < 3 && bands == 3; b++) {
        out.albedo[b] = m->color[b];
    }
    out.specular = 0.5; /* reflects 0.04 at right angles, as glTF's dielectrics do */
    out.roughness = m->roughness;
    out.metallic = m->metallic;
    out.normal_scale = m->normal_scale;
    out.albedo_map = m->color_map >= 0 ? id[m->color_map] : 0;
    out.normal_map = m->normal_map >= 0 ? id[m->normal_map] : 0;
    out.rough_map = m->rough_map >= 0 ? id[m->rough_map] : 0;
    return out;
}

ty_status ty_scene_add_model(ty_scene *scene, const ty_model *model, const ty_object_def *like, bool painted,
                             uint32_t *id, ty_diag *diag)
{
    ty_object_def def = *like;
    def.vertex = model->vertex, def.triangle = model->triangle, def.normal = model->normal, def.uv = model->uv;
    def.vertices = model->vertices, def.triangles = model->triangles;
    def.more = NULL, def.mores = 0, def.which = NULL;
    if (painted || !model->materials) {
        return ty_scene_add(scene, &def, id, diag);
    }
    size_t bytes = model->materials * sizeof(ty_material), id_bytes = (model->textures + 1) * sizeof(uint32_t);
    ty_material *material = tyi_get(NULL, bytes);
    uint32_t *texture = tyi_get(NULL, id_bytes);
    ty_status status =
        material && texture ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the materials of a model");
    for (size_t i = 0; i < model->textures && status == TY_OK; i++) {
        status = add_texture(scene, &model->texture[i], &texture[i], diag);
    }
    if (status == TY_OK) {
        for (size_t i = 0; i < model->materials; i++) {
            material[i] = principled(&model->material[i], texture, ty_scene_bands(scene));
        }
        def.material = material[0];
        def.more = material + 1, def.mores = model->materials - 1, def.which = model->which;
        status = ty_scene_add(scene, &def, id, diag);
    }
    tyi_put(NULL, material, bytes);
    tyi_put(NULL, texture, id_bytes);
    return status;
}
