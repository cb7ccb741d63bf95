/* src/sim/stage.c - see tycho/stage.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "stage.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "io/document.h"
#include "tycho/render.h"
#include "world/sky/inner.h"

struct ty_stage {
    const ty_scenario *scenario;
    ty_terrain *terrain;
    ty_scene *scene;
    ty_render_kinds kinds; /* a program's own */
    uint32_t *object;      /* ids of the scenario's objects */
    ty_star *star;
    ty_vec3 *dir;
    ty_star_seen *seen;
    size_t stars;
};

static double or_else(double said, double other)
{
    return isnan(said) ? other : said;
}

ty_status tyi_sim_stage_material(const ty_render_kinds *kinds, const ty_scenario_material *m, const ty_material *base,
                                 const char *what, ty_material *out, ty_diag *diag)
{
    *out = *base;
    if (m->preset[0] && !ty_material_preset(m->preset, out)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "%s: there is no preset '%s'; moon_visual, moon_321 to moon_689, chrono and itokawa are known",
                       what, m->preset);
    }
    if (m->law[0] && !ty_law_find(kinds, m->law, &out->law)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: there is no reflectance law '%s'", what, m->law);
    }
    for (int b = 0; b < TY_BANDS; b++) {
        out->albedo[b] = or_else(m->albedo, out->albedo[b]);
    }
    out->k = or_else(m->k, out->k), out->sigma = or_else(m->sigma, out->sigma),
    out->exponent = or_else(m->exponent, out->exponent);
    out->specular = or_else(m->specular, out->specular), out->roughness = or_else(m->roughness, out->roughness);
    out->metallic = or_else(m->metallic, out->metallic);
    out->b = or_else(m->b, out->b), out->c = or_else(m->c, out->c);
    out->bs0 = or_else(m->bs0, out->bs0), out->hs = or_else(m->hs, out->hs);
    out->bc0 = or_else(m->bc0, out->bc0), out->hc = or_else(m->hc, out->hc);
    out->theta = or_else(m->theta, out->theta), out->phi = or_else(m->phi, out->phi);
    return TY_OK;
}

/* the soil, and rocks a quarter brighter unless they are told */
static ty_status ground_materials(const ty_scenario_ground *g, ty_scene_def *def, ty_diag *diag)
{
    ty_status status =
        tyi_sim_stage_material(&def->kinds, &g->material, &def->ground, "ground.material", &def->ground, diag);
    ty_material rock = def->ground;
    for (int b = 0; b < TY_BANDS; b++) {
        rock.albedo[b] = fmin(1.25 * rock.albedo[b], 0.999);
    }
    return status == TY_OK ? tyi_sim_stage_material(&def->kinds, &g->rock, &rock, "ground.rocks", &def->rock, diag)
                           : status;
}

/* ---- objects ---- */

static ty_quat turned(const double rpy_deg[3])
{
    ty_quat r = ty_quat_axis(ty_vec3_make(1, 0, 0), rpy_deg[0] * TY_DEG),
            p = ty_quat_axis(ty_vec3_make(0, 1, 0), rpy_deg[1] * TY_DEG),
            y = ty_quat_axis(ty_vec3_make(0, 0, 1), rpy_deg[2] * TY_DEG);
    return ty_quat_mul(y, ty_quat_mul(p, r));
}

/* a place whose height may count from the ground */
static ty_status stand(ty_stage *s, const double place[3], bool on_ground, ty_vec3 *out, ty_diag *diag)
{
    double z = 0.0;
    ty_status status =
        on_ground && s->terrain ? ty_terrain_sample(s->terrain, 0, 1, &place[0], &place[1], &z, NULL, diag) : TY_OK;
    *out = ty_vec3_make(place[0], place[1], place[2] + z);
    return status;
}

static ty_status object_maps(ty_stage *s, const ty_scenario_object *o, ty_material *m, ty_diag *diag)
{
    ty_status status = o->texture[0] ? ty_scene_read_texture(s->scene, o->texture, true, &m->albedo_map, diag) : TY_OK;
    if (status == TY_OK && o->normals[0]) {
        status = ty_scene_read_texture(s->scene, o->normals, false, &m->normal_map, diag);
    }
    return status;
}

ty_status tyi_sim_stage_put(ty_stage *s, const ty_scenario_object *o, const char *what, uint32_t *id, ty_diag *diag)
{
    static const ty_render_class kinds[] = { TY_CLASS_OBJECT, TY_CLASS_ROVER, TY_CLASS_ROCK };
    ty_material base = ty_material_lambert(0.5);
    ty_object_def def = { .radius = o->radius, .kind = kinds[o->label], .smooth = false };
    ty_status status = tyi_sim_stage_material(&s->kinds, &o->material, &base, what, &def.material, diag);
    if (status == TY_OK) {
        status = object_maps(s, o, &def.material, diag);
    }
    def.pose.q = turned(o->rpy_deg);
    if (status == TY_OK) {
        status = stand(s, o->position, o->on_ground && !o->rover[0], &def.pose.p, diag);
    }
    if (status != TY_OK || o->shape == 1) {
        return status == TY_OK ? ty_scene_add(s->scene, &def, id, diag) : status;
    }
    ty_model model;
    status = ty_model_read(o->file, o->scale, &model, diag);
    if (status == TY_OK) {
        status = ty_scene_add_model(s->scene, &model, &def, o->painted || o->texture[0], id, diag);
        ty_model_free(&model);
    }
    return status;
}

static ty_status add_object(ty_stage *s, size_t i, ty_diag *diag)
{
    char what[100];
    snprintf(what, sizeof what, "objects.%zu", i);
    return tyi_sim_stage_put(s, &s->scenario->object[i], what, &s->object[i], diag);
}

static ty_status ride(ty_stage *s, const ty_stage_now *now, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < s->scenario->objects && status == TY_OK; i++) {
        const ty_scenario_object *o = &s->scenario->object[i];
        ty_pose body, own = { ty_vec3_make(o->position[0], o->position[1], o->position[2]), turned(o->rpy_deg) };
        if (!o->rover[0] || !now->find) {
            continue;
        }
        if (!now->find(now->user, o->rover, o->body, false, &body)) {
            return ty_fail(diag, TY_ERR_INPUT, "objects.%zu: there is no body '%s' of a rover '%s'", i, o->body,
                           o->rover);
        }
        status = ty_scene_move(s->scene, s->object[i], ty_pose_mul(body, own), diag);
    }
    return status;
}

/* ---- lights ---- */

static ty_vec3 toward(double azimuth, double elevation)
{
    return ty_vec3_make(cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation));
}

static ty_status add_light(ty_stage *s, size_t i, const ty_stage_now *now, ty_diag *diag)
{
    static const ty_light_kind kinds[] = { TY_LIGHT_POINT, TY_LIGHT_SPOT, TY_LIGHT_DISK, TY_LIGHT_DISK };
    const ty_scenario_light *l = &s->scenario->light[i];
    if (l->rover[0] && !now->find) {
        return TY_OK;
    }
    ty_light light = {
        .kind = kinds[l->shape], .inner = l->inner, .outer = l->outer, .dir_W = toward(l->azimuth, l->elevation)
    };
    for (int b = 0; b < TY_BANDS; b++) {
        light.power[b] = l->power * (now->band_share && b < ty_scene_bands(s->scene) ? now->band_share[b] : 1.0);
    }
    ty_status status = stand(s, l->position, l->on_ground && !l->rover[0], &light.place_W, diag);
    ty_pose mount;
    if (l->rover[0]) {
        if (!now->find(now->user, l->rover, l->mount, true, &mount)) {
            return ty_fail(diag, TY_ERR_INPUT, "lights.%zu: there is no mount '%s' of a rover '%s'", i, l->mount,
                           l->rover);
        }
        /* on a mount azimuth 0 is its x */
        ty_vec3 d = toward(l->azimuth, l->elevation);
        light.dir_W = ty_rotate(mount.q, ty_vec3_make(d.y, -d.x, d.z));
        light.place_W = ty_pose_point(mount, ty_vec3_make(l->position[0], l->position[1], l->position[2]));
    }
    if (status == TY_OK && l->shape == 3 && !ty_light_find(&s->kinds, l->kind, &light.kind)) {
        return ty_fail(diag, TY_ERR_INPUT, "lights.%zu: no light '%s' was registered", i, l->kind);
    }
    return status == TY_OK ? ty_scene_add_light(s->scene, &light, diag) : status;
}

/* ---- stars ---- */

static ty_status make_room(ty_stage *s, size_t room, ty_diag *diag)
{
    s->star = calloc(room + 1, sizeof *s->star);
    s->dir = calloc(room + 1, sizeof *s->dir);
    s->seen = calloc(room + 1, sizeof *s->seen);
    return s->star && s->dir && s->seen ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu stars", room);
}

static ty_status read_stars(ty_stage *s, const char *path, ty_diag *diag)
{
    tyi_io_bytes bytes;
    ty_status status = tyi_io_file_read(path, (size_t)64 << 20, NULL, &bytes, diag);
    if (status != TY_OK) {
        return status;
    }
    size_t lines = 1;
    for (size_t i = 0; i < bytes.size; i++) {
        lines += bytes.data[i] == '\n';
    }
    status = make_room(s, lines, diag);
    for (size_t at = 0; at < bytes.size && status == TY_OK;) {
        const char *end = memchr(bytes.data + at, '\n', bytes.size - at);
        size_t n = end ? (size_t)(end - (bytes.data + at)) : bytes.size - at;
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)(n < 255 ? n : 255), bytes.data + at);
        s->stars += tyi_sky_star_parse(line, &s->star[s->stars]);
        at += n + 1;
    }
    tyi_put(NULL, bytes.data, bytes.capacity);
    if (status == TY_OK && !s->stars) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: holds no star in the columns of the Bright Star Catalogue", path);
    }
    return status;
}

static ty_status load_stars(ty_stage *s, ty_diag *diag)
{
    const ty_scenario_sky *sky = &s->scenario->sky;
    if (!sky->stars) {
        return TY_OK;
    }
    ty_status status;
    if (sky->star_file[0]) {
        status = read_stars(s, sky->star_file, diag);
    } else {
        size_t n = tyi_sky_stars_bright(NULL, 0);
        status = make_room(s, n, diag);
        s->stars = status == TY_OK ? tyi_sky_stars_bright(s->star, n) : 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->stars && status == TY_OK; i++) {
        if (s->star[i].v <= sky->faintest) {
            s->star[kept++] = s->star[i];
        }
    }
    s->stars = kept;
    return status;
}

static ty_status set_stars(ty_stage *s, const ty_stage_now *now, ty_diag *diag)
{
    if (!s->stars || !s->terrain) {
        return TY_OK;
    }
    ty_status status = tyi_sky_stars_view(now->utc, ty_terrain_site(s->terrain), s->star, s->stars, s->dir, diag);
    for (size_t i = 0; i < s->stars && status == TY_OK; i++) {
        s->seen[i].dir_W = s->dir[i];
        for (int b = 0; b < ty_scene_bands(s->scene); b++) {
            s->seen[i].power[b] = tyi_sky_star_irradiance(s->star[i].v) * (now->band_share ? now->band_share[b] : 1.0);
        }
    }
    return status == TY_OK ? ty_scene_set_stars(s->scene, s->seen, s->stars, diag) : status;
}

/* ---- the stage ---- */

ty_status ty_stage_update(ty_stage *s, const ty_stage_now *now, ty_diag *diag)
{
    ty_sky_view view;
    ty_status status = ride(s, now, diag);
    if (status == TY_OK && now->view) {
        view = *now->view;
    } else if (status == TY_OK) {
        ty_sky sky;
        ty_site moon = ty_site_make(0.0, 0.0, TY_MOON_RADIUS);
        status = ty_sky_at(now->utc, &sky, diag);
        if (status == TY_OK) {
            view = ty_sky_view_at(&sky, s->terrain ? ty_terrain_site(s->terrain) : &moon);
        }
    }
    if (status == TY_OK) {
        status = ty_scene_set_sky(s->scene, &view, now->band_share, diag);
    }
    for (size_t i = 0; i < s->scenario->lights && status == TY_OK; i++) {
        status = add_light(s, i, now, diag);
    }
    return status == TY_OK ? set_stars(s, now, diag) : status;
}

ty_status ty_stage_create(const ty_scenario *scenario, ty_terrain *terrain, const ty_scene_def *def, ty_stage **out,
                          ty_diag *diag)
{
    *out = NULL;
    ty_stage *s = tyi_get(NULL, sizeof *s);
    ty_scene_def scene = def ? *def : ty_scene_def_default(), plain = ty_scene_def_default();
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "stage: no memory");
    }
    s->scenario = scenario;
    s->terrain = terrain;
    s->kinds = scene.kinds;
    scene.terrain = terrain;
    scene.ground = plain.ground;
    ty_status status = ground_materials(&scenario->ground, &scene, diag);
    if (status == TY_OK) {
        status = ty_scene_create(&scene, &s->scene, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_stage_ground(&s->kinds, &scenario->ground, &scene.ground, terrain, s->scene, diag);
    }
    s->object = tyi_get(NULL, (scenario->objects + 1) * sizeof *s->object);
    if (status == TY_OK && !s->object) {
        status = ty_fail(diag, TY_ERR_MEMORY, "stage: no memory for %zu objects", scenario->objects);
    }
    for (size_t i = 0; i < scenario->objects && status == TY_OK; i++) {
        status = add_object(s, i, diag);
    }
    if (status == TY_OK) {
        status = load_stars(s, diag);
    }
    if (status != TY_OK) {
        ty_stage_destroy(s);
        return status;
    }
    *out = s;
    return TY_OK;
}

void ty_stage_destroy(ty_stage *s)
{
    if (s) {
        ty_scene_destroy(s->scene);
        tyi_put(NULL, s->object, (s->scenario->objects + 1) * sizeof *s->object);
        free(s->star), free(s->dir), free(s->seen);
        tyi_put(NULL, s, sizeof *s);
    }
}

ty_scene *ty_stage_scene(ty_stage *stage)
{
    return stage->scene;
}

uint32_t tyi_sim_stage_object(const ty_stage *stage, size_t i)
{
    return stage->object[i];
}
