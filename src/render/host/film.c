/* src/render/host/film.c - see film.h
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "film.h"

static ty_k_vec3 vec(ty_vec3 v)
{
    return ty_k_vec((float)v.x, (float)v.y, (float)v.z);
}

static ty_k_camera lens(const ty_camera *c)
{
    ty_k_camera m = ty_k_camera_make((int)c->lens, (float)c->width, (float)c->height, (float)c->hfov);
    m.k1 = (float)c->k1, m.k2 = (float)c->k2, m.k3 = (float)c->k3, m.p1 = (float)c->p1, m.p2 = (float)c->p2;
    m.c = vec(c->c), m.a = vec(c->a), m.h = vec(c->h), m.v = vec(c->v), m.o = vec(c->o), m.r = vec(c->r),
    m.e = vec(c->e);
    m.linearity = (float)c->linearity;
    return m;
}

static void seat(const ty_scene *s, ty_pose pose, float q[4], float p[3])
{
    ty_vec3 at = ty_sub(pose.p, s->centre);
    q[0] = (float)pose.q.w, q[1] = (float)pose.q.x, q[2] = (float)pose.q.y, q[3] = (float)pose.q.z;
    p[0] = (float)at.x, p[1] = (float)at.y, p[2] = (float)at.z;
}

ty_k_frame tyi_render_film_of(const ty_scene *s, const ty_camera *c, const ty_render_def *def, float cone)
{
    ty_k_frame k = { .camera = lens(c),
                     .width = c->width,
                     .height = c->height,
                     .samples = def->samples,
                     .depth = def->depth,
                     .jitter = def->jitter,
                     .camera_moves = c->moving,
                     .scene_moves = s->moving > 0,
                     .seed_low = (uint32_t)def->seed,
                     .seed_high = (uint32_t)(def->seed >> 32),
                     .rolling = (float)c->rolling,
                     .cone = cone,
                     .things = TY_K_NONE,
                     .rocks = TY_K_NONE,
                     .rock = (uint32_t)s->flat.objects,
                     .radius = s->ground.terrain ? (float)ty_terrain_site(s->ground.terrain)->radius : 1.0f,
                     .centre = { (float)s->centre.x, (float)s->centre.y, (float)s->centre.z },
                     .bands = s->def.bands,
                     .maps = (int)s->maps,
                     .regions = (int)s->regions,
                     .lights = s->lights,
                     .clods = (uint32_t)s->flat.section[TY_K_SCENE_CLOD].count,
                     .clod_disturbed = s->clods.disturbed };
    seat(s, c->pose, k.q[0], k.p[0]);
    seat(s, c->moving ? c->pose_end : c->pose, k.q[1], k.p[1]);
    for (int b = 0; b < TY_BANDS; b++) {
        k.plain[b] = (float)s->material[0].albedo[b], k.tint[b] = (float)s->tint[b];
    }
    return k;
}

ty_k_ray tyi_render_film_own(const ty_camera *camera, float u, float v)
{
    ty_vec3 o = { 0, 0, 0 }, d = { 0, 0, 1 };
    ty_k_ray r = { .ok = camera->model->ray(camera, (double)u, (double)v, &o, &d, camera->model->user) };
    r.o = vec(o), r.d = vec(d);
    return r;
}

ty_k_view tyi_render_film_view(const ty_scene *s)
{
    const tyi_render_array *a = s->flat.section;
    return (ty_k_view){ .material = a[TY_K_SCENE_MATERIAL].data,
                        .normal = a[TY_K_SCENE_NORMAL].data,
                        .uv = a[TY_K_SCENE_UV].data,
                        .texel = a[TY_K_SCENE_TEXEL].data,
                        .map_texel = a[TY_K_SCENE_MAP_TEXEL].data,
                        .corner = a[TY_K_SCENE_CORNER].data,
                        .which = a[TY_K_SCENE_WHICH].data,
                        .texture = a[TY_K_SCENE_TEXTURE].data,
                        .map = a[TY_K_SCENE_MAP].data,
                        .region = a[TY_K_SCENE_REGION].data,
                        .light = a[TY_K_SCENE_LIGHT].data,
                        .bands = s->def.bands,
                        .maps = (int)s->maps,
                        .regions = (int)s->regions,
                        .lights = s->lights,
                        .mesh = a[TY_K_SCENE_MESH].data,
                        .instance = a[TY_K_SCENE_INSTANCE].data,
                        .vertex = a[TY_K_SCENE_VERTEX].data,
                        .index = a[TY_K_SCENE_INDEX].data,
                        .things = TY_K_NONE,
                        .rocks = TY_K_NONE,
                        .radius = s->ground.terrain ? (float)ty_terrain_site(s->ground.terrain)->radius : 1.0f,
                        .clod = a[TY_K_SCENE_CLOD].data,
                        .clods = (uint32_t)a[TY_K_SCENE_CLOD].count,
                        .clod_disturbed = s->clods.disturbed };
}
