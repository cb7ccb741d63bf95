/* src/render/scene/rocks.c - the rocks that are large enough to see from where the eye is.
 *
 * By classes of size: rocks of d to 2 d within d / rock_angle of the eye. The square of a class
 * moves in steps of an eighth of its reach, so that most frames change nothing. Eyes of one carrier have one square.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scene.h"
#include "world/terrain/inner.h"

static ty_status no_memory(ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the rocks");
}

static bool make_shape(tyi_render_rocks_seen *r, tyi_render_flat *flat, tyi_render_accel *accel, const ty_alloc *alloc,
                       int k, const ty_rock_shape *shape)
{
    size_t n = (size_t)shape->triangles;
    uint32_t *index = tyi_get(alloc, 3 * n * sizeof *index);
    for (size_t i = 0; index && i < 3 * n; i++) {
        index[i] = shape->triangle[i];
    }
    if (!index || !tyi_render_flat_mesh(flat, shape->vertex, (size_t)shape->vertices, index, n, n, &r->mesh[k])) {
        tyi_put(alloc, index, 3 * n * sizeof *index);
        return false;
    }
    float *to = tyi_render_flat_normal(flat, &r->mesh[k]);
    for (size_t i = 0; i < n; i++) {
        ty_vec3 p[3];
        for (int c = 0; c < 3; c++) {
            const float *v = shape->vertex + 3 * index[3 * i + (size_t)c];
            p[c] = ty_vec3_make((double)v[0], (double)v[1], (double)v[2]);
        }
        ty_vec3 normal = ty_cross(ty_sub(p[1], p[0]), ty_sub(p[2], p[0]));
        double size = ty_norm(normal);
        normal = ty_scale(size > 0.0 ? 1.0 / size : 0.0, normal);
        to[3 * i] = (float)normal.x;
        to[3 * i + 1] = (float)normal.y;
        to[3 * i + 2] = (float)normal.z;
    }
    r->shape[k] = tyi_render_shape_mesh(accel, shape->vertex, (size_t)shape->vertices, index, n);
    tyi_put(alloc, index, 3 * n * sizeof *index);
    return r->shape[k] != NULL;
}

ty_status tyi_render_rocks_seen_init(tyi_render_rocks_seen *r, tyi_render_flat *flat, tyi_render_accel *accel,
                                     const ty_scene_def *def, ty_diag *diag)
{
    if (!def->terrain || !(tyi_terrain_rock_most(def->terrain) > 0.0) || !(def->rock_angle > 0.0)) {
        return TY_OK;
    }
    for (int k = 0; k < TY_ROCK_SHAPES && !r->shape[k]; k++) {
        if (!make_shape(r, flat, accel, def->alloc, k, ty_terrain_rock_shape(def->terrain, (uint32_t)k))) {
            return no_memory(diag);
        }
    }
    return TY_OK;
}

static void free_lists(tyi_render_rocks_seen *r, const ty_alloc *alloc)
{
    tyi_put(alloc, r->rock, r->room * sizeof *r->rock);
    tyi_put(alloc, r->pose, r->room * sizeof *r->pose);
    tyi_put(alloc, r->rock_before, r->room * sizeof *r->rock_before);
    tyi_put(alloc, r->pose_before, r->room * sizeof *r->pose_before);
    tyi_put(alloc, r->find, 2 * r->room * sizeof *r->find);
}

void tyi_render_rocks_seen_free(tyi_render_rocks_seen *r, const ty_alloc *alloc)
{
    for (int k = 0; k < TY_ROCK_SHAPES; k++) {
        tyi_render_shape_destroy(r->shape[k]);
    }
    free_lists(r, alloc);
}

/* more room, as a power of two; both lists keep what they hold */
static bool make_room(tyi_render_rocks_seen *r, size_t need, size_t before, const ty_alloc *alloc)
{
    if (need <= r->room) {
        return true;
    }
    tyi_render_rocks_seen to = { .room = 256 };
    while (to.room < need) {
        to.room *= 2;
    }
    to.rock = tyi_get(alloc, to.room * sizeof *to.rock);
    to.pose = tyi_get(alloc, to.room * sizeof *to.pose);
    to.rock_before = tyi_get(alloc, to.room * sizeof *to.rock_before);
    to.pose_before = tyi_get(alloc, to.room * sizeof *to.pose_before);
    to.find = tyi_get(alloc, 2 * to.room * sizeof *to.find);
    if (!to.rock || !to.pose || !to.rock_before || !to.pose_before || !to.find) {
        free_lists(&to, alloc);
        return false;
    }
    if (r->room) {
        memcpy(to.rock, r->rock, r->count * sizeof *to.rock);
        memcpy(to.rock_before, r->rock_before, before * sizeof *to.rock_before);
        memcpy(to.pose_before, r->pose_before, before * sizeof *to.pose_before);
    }
    free_lists(r, alloc);
    r->rock = to.rock, r->pose = to.pose, r->rock_before = to.rock_before, r->pose_before = to.pose_before;
    r->find = to.find, r->room = to.room;
    return true;
}

#define HIGH 200.0 /* [m] an eye from which it pays to leave out what is not in the picture */

/* What the camera sees of the ground, with a margin for relief and for shadows that fall into the picture; in steps, so
 * that it seldom changes. Everything where an edge of the picture looks at the sky, or nearly. */
static ty_rect view(const tyi_render_rocks_seen *r, ty_vec3 eye)
{
    ty_rect v = { -INFINITY, -INFINITY, INFINITY, INFINITY };
    if (r->edges == 0 || r->above < HIGH) {
        return v;
    }
    ty_rect seen = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < r->edges; k++) {
        if (r->edge[k].z > -0.2) {
            return v;
        }
        double t = -r->above / r->edge[k].z, x = eye.x + t * r->edge[k].x, y = eye.y + t * r->edge[k].y;
        seen = (ty_rect){ fmin(seen.x0, x), fmin(seen.y0, y), fmax(seen.x1, x), fmax(seen.y1, y) };
    }
    double step = 0.03 * r->above + 100.0;
    return (ty_rect){ step * floor(seen.x0 / step - 1.0), step * floor(seen.y0 / step - 1.0),
                      step * ceil(seen.x1 / step + 1.0), step * ceil(seen.y1 / step + 1.0) };
}

/* the square of a class: where it stands, for an eye, as far as it can be seen */
static ty_rect square(const ty_scene_def *def, double d, ty_vec3 eye, double above, double more, ty_rect v)
{
    if (above > d / def->rock_angle) { /* too high up to see any */
        return (ty_rect){ 0.0, 0.0, -1.0, -1.0 };
    }
    double reach = fmin(d / def->rock_angle, def->far) + more, step = reach / 8.0;
    double x = step * floor(eye.x / step + 0.5), y = step * floor(eye.y / step + 0.5);
    return (ty_rect){ fmax(x - reach, v.x0), fmax(y - reach, v.y0), fmin(x + reach, v.x1), fmin(y + reach, v.y1) };
}

/* ---- where they stand ---- */

static bool same(const ty_rock *a, const ty_rock *b)
{
    return a->id == b->id && a->x == b->x && a->y == b->y && a->diameter == b->diameter && a->yaw == b->yaw &&
           a->scale == b->scale && a->burial == b->burial && a->shape == b->shape;
}

static size_t slot_of(const tyi_render_rocks_seen *r, uint64_t id)
{
    return (size_t)((id * 0x9e3779b97f4a7c15u) >> 32) & (2 * r->room - 1);
}

/* A rock that was seen before, as it is now, stands where it stood: on the ground as it was made, which no edit changes. The others
 * are placed; they wait in the list of before, which is not needed any more. */
static ty_status place(tyi_render_rocks_seen *r, const ty_scene_def *def, size_t before, ty_diag *diag)
{
    size_t mask = 2 * r->room - 1, fresh = 0, at;
    memset(r->find, 0xff, 2 * r->room * sizeof *r->find);
    for (size_t i = 0; i < before; i++) {
        for (at = slot_of(r, r->rock_before[i].id); r->find[at] != UINT32_MAX; at = (at + 1) & mask) {
        }
        r->find[at] = (uint32_t)i;
    }
    for (size_t i = 0; i < r->count; i++) {
        at = slot_of(r, r->rock[i].id);
        while (r->find[at] != UINT32_MAX && !same(&r->rock_before[r->find[at]], &r->rock[i])) {
            at = (at + 1) & mask;
        }
        r->pose[i].p.x = (double)NAN; /* to be placed */
        if (r->find[at] != UINT32_MAX) {
            r->pose[i] = r->pose_before[r->find[at]];
        }
    }
    for (size_t i = 0; i < r->count; i++) {
        if (isnan(r->pose[i].p.x)) {
            r->rock_before[fresh++] = r->rock[i];
        }
    }
    ty_status status = tyi_terrain_rock_poses(def->terrain, fresh, r->rock_before, r->pose_before, def->threads, diag);
    for (size_t i = 0, next = 0; i < r->count && status == TY_OK; i++) {
        if (isnan(r->pose[i].p.x)) {
            r->pose[i] = r->pose_before[next++];
        }
    }
    return status;
}

/* the largest first, until there is no more room */
static ty_status collect(tyi_render_rocks_seen *r, const ty_scene_def *def, ty_vec3 eye, double d_top, ty_diag *diag)
{
    double d_min = ty_terrain_get_def(def->terrain)->rock.d_min;
    ty_rect seen = view(r, eye);
    size_t before = r->known ? r->count : 0;
    ty_rock *rock = r->rock;
    ty_pose *pose = r->pose;
    r->rock = r->rock_before, r->pose = r->pose_before, r->rock_before = rock, r->pose_before = pose;
    r->count = 0;
    r->known = false;
    for (double d = 0.5 * d_top; 2.0 * d > d_min && r->count < def->rock_limit; d *= 0.5) {
        ty_rect rect = square(def, d, eye, r->above, r->more, seen);
        double low = d > d_min ? d : 0.0; /* the last class also has those at given places that are smaller */
        size_t left = def->rock_limit - r->count, room = r->room - r->count < left ? r->room - r->count : left;
        size_t n = ty_terrain_rocks(def->terrain, rect, low, 2.0 * d, r->rock + r->count, room);
        n = n < left ? n : left;
        if (n > room) { /* once more, with room for them */
            if (!make_room(r, r->count + n, before, def->alloc)) {
                return no_memory(diag);
            }
            ty_terrain_rocks(def->terrain, rect, low, 2.0 * d, r->rock + r->count, n);
        }
        r->count += n;
    }
    return r->count ? place(r, def, before, diag) : TY_OK;
}

ty_status tyi_render_rocks_seen_update(tyi_render_rocks_seen *r, const ty_scene_def *def, ty_vec3 eye, bool *changed,
                                       ty_diag *diag)
{
    if (!r->shape[0]) {
        return TY_OK;
    }
    const ty_rock_def *rock = &ty_terrain_get_def(def->terrain)->rock;
    double d_top = rock->d_min, key[128] = { 0 };
    while (d_top < fmax(rock->d_max, tyi_terrain_rock_most(def->terrain))) {
        d_top *= 2.0;
    }
    int n = 0;
    ty_rect seen = view(r, eye);
    for (double d = 0.5 * d_top; 2.0 * d > rock->d_min && n < 128; d *= 0.5, n += 4) {
        ty_rect rect = square(def, d, eye, r->above, r->more, seen);
        key[n] = rect.x0;
        key[n + 1] = rect.y0;
        key[n + 2] = rect.x1;
        key[n + 3] = rect.y1;
    }
    uint64_t version = tyi_terrain_rock_version(def->terrain);
    if (r->known && r->version == version && !memcmp(key, r->key, sizeof key)) {
        return TY_OK;
    }
    ty_status status = collect(r, def, eye, d_top, diag);
    memcpy(r->key, key, sizeof key);
    r->version = version;
    r->known = status == TY_OK;
    *changed = true;
    return status;
}
