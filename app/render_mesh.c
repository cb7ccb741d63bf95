/* app/render_mesh.c - a model alone in space.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include "render.h"

/* middle and radius of the box around a model */
static double bounds(const ty_model *m, ty_vec3 *middle)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = (double)m->vertex[k];
        for (size_t i = 0; i < m->vertices; i++) {
            low[k] = fmin(low[k], (double)m->vertex[3 * i + (size_t)k]);
            high[k] = fmax(high[k], (double)m->vertex[3 * i + (size_t)k]);
        }
    }
    ty_vec3 a = ty_vec3_make(low[0], low[1], low[2]), b = ty_vec3_make(high[0], high[1], high[2]);
    *middle = ty_scale(0.5, ty_add(a, b));
    return 0.5 * ty_norm(ty_sub(b, a));
}

/* A Hapke preset where one is named, or where the file has no materials that were found. */
static ty_status add_model(render_job *job, const ty_model *model, ty_diag *diag)
{
    ty_object_def like = { .smooth = true, .kind = TY_CLASS_OBJECT, .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    bool painted = job->material || job->texture || model->note[0];
    uint32_t id;
    if (!ty_material_preset(job->material ? job->material : "itokawa", &like.material)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "--material takes moon_visual, chrono, itokawa or moon_321 to moon_689, not '%s'",
                       job->material);
    }
    ty_status status =
        job->texture ? ty_scene_read_texture(job->scene, job->texture, true, &like.material.albedo_map, diag) : TY_OK;
    return status == TY_OK ? ty_scene_add_model(job->scene, model, &like, painted, &id, diag) : status;
}

static ty_status build(render_job *job, const ty_model *model, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    double a = isnan(job->sun[0]) ? 0.75 * TY_PI : job->sun[0], e = isnan(job->sun[0]) ? 0.3 : job->sun[1];
    ty_light sun = { .kind = TY_LIGHT_DISK,
                     .dir_W = ty_vec3_make(cos(e) * sin(a), cos(e) * cos(a), sin(e)),
                     .radius = 0.00465,
                     .visible = true };
    for (int b = 0; b < job->bands; b++) {
        sun.power[b] = 1361.0 * job->share[b];
    }
    def.bands = job->bands;
    ty_status status = ty_scene_create(&def, &job->scene, diag);
    if (status == TY_OK) {
        status = ty_scene_add_light(job->scene, &sun, diag);
    }
    return status == TY_OK ? add_model(job, model, diag) : status;
}

ty_status render_mesh_scene(render_job *job, const char *path, ty_diag *diag)
{
    ty_model model;
    ty_status status = ty_model_read(path, job->scale, &model, diag);
    if (status != TY_OK) {
        return status;
    }
    if (model.note[0] && !job->quiet) {
        printf("%s: %s\n", path, model.note);
    }
    status = build(job, &model, diag);
    ty_vec3 middle, z = ty_rotate(job->camera.pose.q, ty_vec3_make(0, 0, 1));
    double radius = bounds(&model, &middle);
    double narrow = job->camera.hfov * fmin(1.0, (double)job->camera.height / job->camera.width);
    job->camera.pose.p = job->placed ? ty_vec3_make(job->eye[0], job->eye[1], job->eye[2])
                                     : ty_sub(middle, ty_scale(radius / sin(0.5 * fmin(narrow, 3.0)), z));
    ty_model_free(&model);
    return status;
}
