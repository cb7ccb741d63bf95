/* src/render/scene/scene.c - the scene's life, its objects and lights, and bringing it up to date.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/gpu.h"
#include "scene.h"
#include "world/terrain/tone.h"
#include <math.h>
#include <string.h>
#include "k_hapke_presets.h"
#include "k_light.h"
#include "k_sky.h"
#include "core/rules.h"
#include "inner.h"

ty_material ty_material_lambert(double albedo)
{
    ty_material m = { .law = TY_LAW_LAMBERT, .k = 1.0, .hs = 1.0, .hc = 1.0, .roughness = 0.5, .normal_scale = 1.0 };
    for (int b = 0; b < TY_BANDS; b++) {
        m.albedo[b] = albedo;
    }
    return m;
}

bool ty_material_preset(const char *name, ty_material *out)
{
    for (int i = 0; i < TY_K_HAPKE_PRESETS; i++) {
        if (!strcmp(name, ty_k_hapke_presets[i].name)) {
            const ty_k_hapke_params *p = &ty_k_hapke_presets[i].params;
            *out = ty_material_lambert(p->w);
            out->law = TY_LAW_HAPKE;
            out->b = p->b, out->c = p->c;
            out->bs0 = p->bs0, out->hs = p->hs, out->bc0 = p->bc0, out->hc = p->hc;
            out->theta = p->theta, out->phi = p->phi;
            return true;
        }
    }
    return false;
}

ty_scene_def ty_scene_def_default(void)
{
    ty_scene_def def = {
        .bands = 1,
        .ring_cells = 1024,
        .finest = 0.01,
        .far = 3e5,
        .detail_px = 0.5,
        .spare_tiles = 2048,
        .rock_angle = 0.002,
        .rock_limit = 200000,
        .cookie = TYI_COOKIE,
    };
    ty_material_preset("moon_visual", &def.ground);
    def.rock = def.ground;
    for (int b = 0; b < TY_BANDS; b++) {
        def.rock.albedo[b] *= 1.25;
    }
    return def;
}

#define AT(field) offsetof(ty_scene_def, field)
static const tyi_limit limits[] = {
    { "bands", "", AT(bands), TYI_INT, 1.0, TY_BANDS },
    { "ring_cells", "", AT(ring_cells), TYI_INT, 256.0, 8192.0 },
    { "finest", "m", AT(finest), TYI_DOUBLE, 1e-3, 1e5 },
    { "far", "m", AT(far), TYI_DOUBLE, 1.0, 1e9 },
    { "wait", "s", AT(wait), TYI_DOUBLE, 0.0, 1e3 },
    { "detail_px", "px", AT(detail_px), TYI_DOUBLE, 0.0, 100.0 },
    { "spare_tiles", "", AT(spare_tiles), TYI_SIZE, 0.0, 1e6 },
    { "rings", "", AT(rings), TYI_INT, 0.0, TYI_RENDER_MOST_RINGS },
    { "rock_angle", "rad", AT(rock_angle), TYI_DOUBLE, 0.0, 10.0 },
    { "rock_limit", "", AT(rock_limit), TYI_SIZE, 0.0, 1e7 },
    { "threads", "", AT(threads), TYI_INT, 0.0, 1024.0 },
    { 0 },
};
static const tyi_rules rules = { "scene", limits, NULL };

ty_status ty_scene_create(const ty_scene_def *def, ty_scene **out, ty_diag *diag)
{
    *out = NULL;
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "scene: the definition did not start from ty_scene_def_default()");
    }
    ty_status status = tyi_rules_check(&rules, def, diag);
    if (status == TY_OK) {
        status = tyi_render_kinds_check(&def->kinds, diag);
    }
    if (status == TY_OK &&
        (!tyi_render_law_known(&def->kinds, def->ground.law) || !tyi_render_law_known(&def->kinds, def->rock.law))) {
        status = ty_fail(diag, TY_ERR_RANGE, "scene: the ground's or the rocks' reflectance law is not known");
    }
    if (status == TY_OK && def->ring_cells % (4 * TYI_RENDER_TILE_CELLS)) {
        status = ty_fail(diag, TY_ERR_RANGE, "scene: ring_cells is %d, but takes multiples of %d", def->ring_cells,
                         4 * TYI_RENDER_TILE_CELLS);
    }
    if (status != TY_OK) {
        return status;
    }
    ty_scene *s = tyi_get(def->alloc, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory");
    }
    s->def = *def;
    tyi_render_flat_init(&s->flat, def->bands, def->alloc);
    s->changed = ~0u;
    s->material[0] = def->ground;
    s->material[1] = def->rock;
    s->plain_bands = def->bands;
    tyi_render_bands_plain(s);
    s->accel = tyi_render_accel_create();
    status =
        s->accel
            ? TY_OK
            : ty_fail(
                  diag, TY_ERR_MEMORY,
                  "scene: Embree did not start; it needs some 400 MiB that are free and within the limits (ulimit -v)");
    if (status == TY_OK) {
        status = tyi_render_rings_init(&s->ground, &s->def, diag);
    }
    if (status == TY_OK) {
        tyi_render_accel_split(s->accel, tyi_render_slot_rocks(s));
        status = tyi_render_rocks_seen_init(&s->rocks, &s->flat, s->accel, &s->def, diag);
    }
    if (status != TY_OK) {
        ty_scene_destroy(s);
        return status;
    }
    *out = s;
    return TY_OK;
}

void ty_scene_destroy(ty_scene *s)
{
    if (!s) {
        return;
    }
    tyi_render_gpu_destroy(s->gpu);
    tyi_render_rings_free(&s->ground);
    tyi_render_rocks_seen_free(&s->rocks, s->def.alloc);
    for (size_t i = 0; i < s->objects; i++) {
        tyi_render_object_free(&s->object[i]);
    }
    tyi_render_clods_free(s);
    tyi_render_accel_destroy(s->accel);
    tyi_render_paint_free(s);
    tyi_render_flat_free(&s->flat);
    tyi_put(s->def.alloc, s->star, s->stars * sizeof *s->star);
    tyi_put(s->def.alloc, s->scratch, s->scratch_bytes);
    tyi_put(s->def.alloc, s, sizeof *s);
}

/* ---- lights ---- */

ty_status ty_scene_add_light(ty_scene *s, const ty_light *light, ty_diag *diag)
{
    if (s->lights == TYI_RENDER_MOST_LIGHTS) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there are %d lights already, which is the most",
                       TYI_RENDER_MOST_LIGHTS);
    }
    if (!tyi_render_light_known(&s->def.kinds, light->kind)) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there is no kind of light %d", (int)light->kind);
    }
    double size = ty_norm(light->dir_W);
    bool aimed = light->kind == TY_LIGHT_DISK || light->kind == TY_LIGHT_SPOT;
    if (aimed && !(size > 0.5 && size < 2.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: a light's direction has length %g, but takes a unit vector", size);
    }
    if (!(light->radius >= 0.0 && light->radius < 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: a light's radius is %g rad, but takes 0 to 1", light->radius);
    }
    if (light->kind == TY_LIGHT_SPOT && !(light->inner >= 0.0 && light->inner < light->outer && light->outer < TY_PI)) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: a spot fades from %g to %g rad, but takes 0 <= inner < outer < pi",
                       light->inner, light->outer);
    }
    s->light[s->lights] = *light;
    s->light[s->lights].dir_W = aimed ? ty_normalize(light->dir_W) : size > 0.0 ? light->dir_W : ty_vec3_make(0, 0, 1);
    s->lights++;
    s->changed |= TYI_RENDER_LIGHT_CHANGED;
    return TY_OK;
}

void ty_scene_clear_lights(ty_scene *s)
{
    s->changed |= TYI_RENDER_LIGHT_CHANGED;
    s->lights = 0;
}

static ty_vec3 earth_lit(const ty_sky_view *view)
{
    ty_vec3 e = view->earth.dir_W, s = view->sun.dir_W;
    ty_k_vec3 lit = ty_k_globe_lit(ty_k_vec(e.x, e.y, e.z), ty_k_vec(s.x, s.y, s.z), view->earth_phase);
    return ty_vec3_make(lit.x, lit.y, lit.z);
}

double tyi_render_light_mean(const ty_light *l)
{
    double a = l->globe ? acos(fmin(fmax(-ty_dot(l->lit_W, l->dir_W), -1.0), 1.0)) : 0.0;
    return l->globe ? ty_k_globe_mean(a) : 1.0;
}

bool tyi_render_light_below(const ty_scene *s, const ty_light *l)
{
    return s->ground.terrain && !s->ground.closed && l->kind == TY_LIGHT_DISK &&
           ty_k_disk_below(l->dir_W.z, l->radius, s->def.far / ty_terrain_site(s->ground.terrain)->radius);
}

ty_status ty_scene_set_sky(ty_scene *s, const ty_sky_view *view, const double *band_share, ty_diag *diag)
{
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = view->sun.dir_W, .radius = view->sun.radius, .visible = true };
    ty_light earth = { .kind = TY_LIGHT_DISK,
                       .dir_W = view->earth.dir_W,
                       .radius = view->earth.radius,
                       .visible = true,
                       .globe = true,
                       .lit_W = earth_lit(view) };
    for (int b = 0; b < TY_BANDS; b++) {
        sun.power[b] = view->irradiance * (band_share ? band_share[b < s->def.bands ? b : 0] : 1.0);
        earth.power[b] = ty_k_globe_irradiance(sun.power[b], TY_K_EARTH_ALBEDO, view->earth_phase, view->earth.radius);
    }
    s->lights = 0;
    ty_status status = ty_scene_add_light(s, &sun, diag);
    return status == TY_OK ? ty_scene_add_light(s, &earth, diag) : status;
}

/* ---- up to date ---- */

/* columns of the matrix that takes a shape's points, scaled, to the traced frame */
static void matrix(ty_pose pose, double scale, ty_vec3 centre, float m[12])
{
    ty_vec3 axis[4] = { ty_rotate(pose.q, ty_vec3_make(scale, 0, 0)), ty_rotate(pose.q, ty_vec3_make(0, scale, 0)),
                        ty_rotate(pose.q, ty_vec3_make(0, 0, scale)), ty_sub(pose.p, centre) };
    for (int c = 0; c < 4; c++) {
        m[3 * c] = (float)axis[c].x;
        m[3 * c + 1] = (float)axis[c].y;
        m[3 * c + 2] = (float)axis[c].z;
    }
}

/* all: the centre moved */
static bool place_ground(ty_scene *s, bool all)
{
    tyi_render_ground *g = &s->ground;
    bool ok = true;
    for (uint32_t i = 0; i < tyi_render_ground_slots(g) && ok; i++) {
        tyi_render_plot *t;
        const tyi_render_ring *r = tyi_render_slot_tile(g, TYI_RENDER_SLOT_GROUND + i, &t);
        if (!t->wanted) {
            t->fresh = true; /* stands wrong when it is wanted again */
            tyi_render_accel_hide(s->accel, TYI_RENDER_SLOT_GROUND + i);
            continue;
        }
        if (!all && !t->fresh) {
            continue;
        }
        t->fresh = false;
        float m[12];
        matrix((ty_pose){ tyi_render_plot_origin(r, t), ty_quat_identity() }, 1.0, s->centre, m);
        ok = tyi_render_accel_place(s->accel, TYI_RENDER_SLOT_GROUND + i, t->shape, m);
    }
    return ok;
}

static bool place_rocks(ty_scene *s)
{
    uint32_t first = tyi_render_slot_rocks(s);
    bool ok = true;
    for (size_t i = 0; i < s->rocks.count && ok; i++) {
        float m[12];
        matrix(s->rocks.pose[i], s->rocks.rock[i].scale, s->centre, m);
        ok = tyi_render_accel_place(s->accel, first + (uint32_t)i, s->rocks.shape[s->rocks.rock[i].shape], m);
    }
    for (size_t i = s->rocks.count; i < s->rocks_placed; i++) {
        tyi_render_accel_hide(s->accel, first + (uint32_t)i);
    }
    s->rocks_placed = s->rocks.count;
    return ok;
}

static bool place_moving(ty_scene *s, uint32_t i)
{
    const tyi_render_object *o = &s->object[i];
    float q[2][4], p[2][3];
    for (int k = 0; k < 2; k++) {
        ty_pose pose = tyi_render_object_pose(o, k);
        ty_vec3 at = ty_sub(pose.p, s->centre);
        q[k][0] = (float)pose.q.w, q[k][1] = (float)pose.q.x;
        q[k][2] = (float)pose.q.y, q[k][3] = (float)pose.q.z;
        p[k][0] = (float)at.x, p[k][1] = (float)at.y, p[k][2] = (float)at.z;
    }
    return tyi_render_accel_place_moving(s->accel, i, o->shape, (const float(*)[4])q, (const float(*)[3])p);
}

static bool place_objects(ty_scene *s)
{
    bool ok = true;
    for (size_t i = 0; i < s->objects && ok; i++) {
        float m[12];
        if (s->object[i].hidden) {
            tyi_render_accel_hide(s->accel, (uint32_t)i);
            continue;
        }
        if (s->object[i].moving) {
            ok = place_moving(s, (uint32_t)i);
            continue;
        }
        matrix(s->object[i].pose, 1.0, s->centre, m);
        ok = tyi_render_accel_place(s->accel, (uint32_t)i, s->object[i].shape, m);
    }
    return ok;
}

/* The traced frame's origin: near the eye, and a function of its place alone, so that an image does
 * not depend on the ones before it. Float rounding 4 m from it is 2e-7 m. */
static ty_vec3 centre_for(ty_vec3 eye)
{
    const double step = 4.0;
    return ty_vec3_make(step * rint(eye.x / step), step * rint(eye.y / step), step * rint(eye.z / step));
}

void tyi_render_scene_tracks(ty_scene *s)
{
    s->tracks = true;
}

bool tyi_render_ground_toned(const ty_scene *s)
{
    const ty_terrain *t = s->ground.terrain;
    return t && (s->tracks || tyi_terrain_tone_varies(t) || ty_terrain_version(t));
}

void tyi_render_scene_carrier(ty_scene *s, const ty_vec3 *place)
{
    s->carried = place != NULL;
    s->carrier = place ? *place : s->carrier;
}

static size_t count_tiles(const tyi_render_ground *g)
{
    size_t n = 0;
    for (uint32_t i = 0; i < tyi_render_ground_slots(g); i++) {
        tyi_render_plot *t;
        tyi_render_slot_tile(g, TYI_RENDER_SLOT_GROUND + i, &t);
        n += t->wanted;
    }
    return n;
}

enum { STALE_CENTRE = 1, STALE_GROUND = 2, STALE_ROCKS = 4, STALE_OBJECTS = 8, STALE_CLODS = 16 };

ty_status tyi_render_scene_ready(ty_scene *s, int threads, ty_diag *diag)
{
    if (!s->stale) {
        return TY_OK;
    }
    bool centre = s->stale & STALE_CENTRE;
    tyi_render_ground_shapes(&s->ground, threads ? threads : s->def.threads);
    bool ok = (!(s->stale & (STALE_CENTRE | STALE_GROUND)) || place_ground(s, centre)) &&
              (!(s->stale & (STALE_CENTRE | STALE_ROCKS)) || place_rocks(s)) &&
              (!(s->stale & (STALE_CENTRE | STALE_OBJECTS)) || place_objects(s)) &&
              (!(s->stale & (STALE_CENTRE | STALE_CLODS)) || tyi_render_clods_place(s));
    tyi_render_accel_commit(s->accel);
    s->stale = ok ? 0 : s->stale | STALE_CENTRE;
    return ok ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for instances");
}

ty_status tyi_render_scene_update(ty_scene *s, ty_vec3 eye, int threads, ty_diag *diag)
{
    bool carried = s->carried && ty_norm(ty_sub(eye, s->carrier)) <= TYI_RENDER_CARRIER;
    ty_vec3 stand = carried ? s->carrier : eye, middle = centre_for(stand);
    bool ground = false, rocks = false, centre = !s->placed || ty_norm(ty_sub(middle, s->centre)) > 0.0;
    s->ground.later = s->gpu != NULL;
    ty_status status =
        tyi_render_ground_update(&s->ground, s->accel, s->refined ? s->fine : eye, threads, &ground, diag);
    s->stats.made = s->ground.works;
    s->rocks.above = s->ground.above;
    if (status == TY_OK) {
        s->rocks.more = carried ? TYI_RENDER_CARRIER : 0.0;
        status = tyi_render_rocks_seen_init(&s->rocks, &s->flat, s->accel, &s->def, diag); /* the first may be new */
        status = status == TY_OK ? tyi_render_rocks_seen_update(&s->rocks, &s->def, stand, &rocks, diag) : status;
    }
    if (status != TY_OK) {
        return status;
    }
    s->centre = middle;
    s->rock_changes += rocks;
    s->changed |= centre ? TYI_RENDER_PLACES_CHANGED | TYI_RENDER_PAINT_CHANGED | TYI_RENDER_LIGHT_CHANGED |
                               TYI_RENDER_GROUND_CHANGED
                         : 0;
    s->changed |= (ground ? TYI_RENDER_GROUND_CHANGED : 0u) | (rocks ? TYI_RENDER_PLACES_CHANGED : 0u) |
                  (s->moved ? TYI_RENDER_MOVED : 0u);
    s->stats.tiles = centre || ground ? count_tiles(&s->ground) : s->stats.tiles;
    s->stats.rocks = s->rocks.count;
    s->stale |= (centre ? STALE_CENTRE : 0u) | (ground ? STALE_GROUND : 0u) | (rocks ? STALE_ROCKS : 0u) |
                (s->moved ? STALE_OBJECTS : 0u) | (s->clods.changed ? STALE_CLODS : 0u);
    s->placed = !(centre || s->clods.changed) || tyi_render_clods_write(s);
    s->moved = s->clods.changed = false;
    if (!s->placed) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for clods");
    }
    return s->gpu ? TY_OK : tyi_render_scene_ready(s, threads, diag);
}

ty_status ty_scene_hide(ty_scene *s, uint32_t id, bool hidden, ty_diag *diag)
{
    if (id < 1 || id > s->objects) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there is no object %u", id);
    }
    s->moved = s->moved || s->object[id - 1].hidden != hidden;
    s->object[id - 1].hidden = hidden;
    return TY_OK;
}

void ty_scene_refine(ty_scene *s, const ty_vec3 *place_W)
{
    s->refined = place_W != NULL;
    s->fine = place_W ? *place_W : ty_vec3_make(0, 0, 0);
}

int ty_scene_bands(const ty_scene *scene)
{
    return scene->def.bands;
}

ty_scene_stats ty_scene_get_stats(const ty_scene *scene)
{
    return scene->stats;
}
