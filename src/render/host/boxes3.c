/* src/render/host/boxes3.c - boxes in space, and how much of each thing is in view.
 *
 * The outline of a thing - the pixels that would show it if it were alone - is traced with its own shape, by the
 * same rays through the pixels' middles as the ground truth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "frame.h"
#include "tycho/trace.h"
#include "inner.h"

#define ROCKS 0x80000000u /* their labels have this bit */

typedef struct thing {
    const tyi_render_shape *shape;
    double scale; /* of the shape */
    ty_pose pose;
    ty_vec3 low, high; /* of the shape, times scale, in its own frame */
} thing;

typedef struct sight { /* rays of all pixels */
    ty_vec3 *o, *d;
    size_t n;
} sight;

static void bounds(const float *vertex, size_t n, double scale, thing *t)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < 3 * n; i++) {
        low[i % 3] = fmin(low[i % 3], scale * (double)vertex[i]);
        high[i % 3] = fmax(high[i % 3], scale * (double)vertex[i]);
    }
    t->low = ty_vec3_make(low[0], low[1], low[2]);
    t->high = ty_vec3_make(high[0], high[1], high[2]);
}

static bool find_rock(const ty_scene *s, uint32_t instance, thing *out)
{
    for (size_t i = 0; i < s->rocks.count; i++) {
        const ty_rock *rock = &s->rocks.rock[i];
        if (tyi_render_truth_rock_label(rock->id) == instance) {
            const ty_rock_shape *shape = ty_terrain_rock_shape(s->def.terrain, rock->shape);
            *out = (thing){ .shape = s->rocks.shape[rock->shape], .scale = rock->scale, .pose = s->rocks.pose[i] };
            bounds(shape->vertex, (size_t)shape->vertices, rock->scale, out);
            return true;
        }
    }
    return false;
}

static bool find_object(const ty_scene *s, uint32_t id, thing *out)
{
    if (id < 1 || id > s->objects) {
        return false;
    }
    const tyi_render_object *o = &s->object[id - 1];
    *out = (thing){ .shape = o->shape, .scale = 1.0, .pose = o->pose };
    if (o->mesh.triangles) {
        bounds(tyi_render_flat_vertex(&s->flat, &o->mesh), o->mesh.vertices, 1.0, out);
    } else {
        out->low = ty_vec3_make(-o->radius, -o->radius, -o->radius);
        out->high = ty_vec3_make(o->radius, o->radius, o->radius);
    }
    return true;
}

/* Ids hold a place in a grid, so that their low bits alone are the same for many rocks: every bit must count. Two
 * rounds of multiply and shift, the constants of MurmurHash3's last step [appleby2011]. */
uint32_t tyi_render_truth_rock_label(uint64_t id)
{
    id = (id ^ (id >> 33)) * 0xff51afd7ed558ccdu;
    id = (id ^ (id >> 33)) * 0xc4ceb9fe1a85ec53u;
    return ROCKS | (uint32_t)(id >> 33);
}

/* how many of the lanes' rays, in the shape's frame, meet it */
static int count_hits(const tyi_render_shape *shape, tyi_render_rays *r, unsigned n)
{
    int hits = 0;
    tyi_render_shape_occlude(shape, r, n);
    for (unsigned k = 0; k < n; k++) {
        hits += r->far[k] < 0.0f;
    }
    return hits;
}

static int outline(const thing *t, const ty_truth_box3 *b, const sight *all, tyi_render_rays *r)
{
    double radius2 = ty_dot(b->half, b->half);
    ty_quat back = ty_quat_conj(t->pose.q);
    unsigned lanes = 0;
    int hits = 0;
    for (size_t i = 0; i < all->n; i++) {
        ty_vec3 to = ty_sub(b->pose_W.p, all->o[i]);
        double along = ty_dot(to, all->d[i]), dist2 = ty_dot(to, to);
        if (dist2 > radius2 && (along < 0.0 || dist2 - along * along > radius2)) {
            continue; /* passes the sphere round the box */
        }
        ty_vec3 o = ty_scale(1.0 / t->scale, ty_rotate(back, ty_sub(all->o[i], t->pose.p))),
                d = ty_rotate(back, all->d[i]);
        r->ox[lanes] = (float)o.x, r->oy[lanes] = (float)o.y, r->oz[lanes] = (float)o.z;
        r->dx[lanes] = (float)d.x, r->dy[lanes] = (float)d.y, r->dz[lanes] = (float)d.z;
        r->near[lanes] = 0.0f, r->far[lanes] = INFINITY;
        if (++lanes == TYI_RENDER_LANES) {
            hits += count_hits(t->shape, r, lanes);
            lanes = 0;
        }
    }
    return hits + (lanes ? count_hits(t->shape, r, lanes) : 0);
}

void tyi_render_truth_box3_corners(const ty_truth_box3 *b, ty_vec3 corner[8])
{
    for (int k = 0; k < 8; k++) {
        corner[k] =
            ty_pose_point(b->pose_W, ty_vec3_make(k & 1 ? b->half.x : -b->half.x, k & 2 ? b->half.y : -b->half.y,
                                                  k & 4 ? b->half.z : -b->half.z));
    }
}

static bool is_cut(const ty_truth_box3 *b, const ty_camera *c)
{
    ty_vec3 corner[8];
    tyi_render_truth_box3_corners(b, corner);
    bool inside = true;
    for (int k = 0; k < 8; k++) {
        double u = -1.0, v = -1.0;
        inside = inside && ty_camera_project(c, corner[k], &u, &v) && u >= 0.0 && v >= 0.0 && u <= c->width &&
                 v <= c->height;
    }
    return !inside;
}

static ty_truth_box3 box_of(const thing *t, const ty_camera *c, const ty_truth_box2 *flat)
{
    ty_truth_box3 b = { .instance = flat->instance, .kind = flat->kind, .pixels = flat->pixels };
    ty_pose to_S = ty_pose_inverse(c->pose);
    b.half = ty_scale(0.5, ty_sub(t->high, t->low));
    b.pose_W = (ty_pose){ ty_pose_point(t->pose, ty_scale(0.5, ty_add(t->low, t->high))), t->pose.q };
    b.pose_S = (ty_pose){ ty_pose_point(to_S, b.pose_W.p), ty_quat_mul(to_S.q, b.pose_W.q) };
    b.cut = is_cut(&b, c);
    return b;
}

static ty_status make_sight(sight *all, const ty_camera *c, const ty_alloc *alloc, ty_diag *diag)
{
    size_t w = (size_t)c->width, pixels = w * (size_t)c->height;
    all->n = 0;
    all->o = tyi_get(alloc, 2 * pixels * sizeof *all->o);
    if (!all->o) {
        return ty_fail(diag, TY_ERR_MEMORY, "boxes: no memory for the rays of %d x %d pixels", c->width, c->height);
    }
    all->d = all->o + pixels;
    for (size_t i = 0; i < pixels; i++) {
        all->n += ty_camera_ray(c, (double)(i % w) + 0.5, (double)(i / w) + 0.5, &all->o[all->n], &all->d[all->n]);
    }
    return TY_OK;
}

ty_status ty_truth_boxes_3d(const ty_scene *s, const ty_camera *c, const ty_truth_box2 *box, size_t n,
                            ty_truth_box3 *out, ty_diag *diag)
{
    const ty_alloc *alloc = s->def.alloc;
    size_t bytes = 2 * (size_t)c->width * (size_t)c->height * sizeof(ty_vec3);
    sight all = { 0 };
    ty_status status = make_sight(&all, c, alloc, diag);
    tyi_render_rays r;
    tyi_render_rays_init(&r);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        thing t;
        if (!(box[i].instance & ROCKS ? find_rock(s, box[i].instance, &t) : find_object(s, box[i].instance, &t))) {
            status =
                ty_fail(diag, TY_ERR_INPUT, "boxes: the scene does not hold the thing with label %u", box[i].instance);
            break;
        }
        out[i] = box_of(&t, c, &box[i]);
        out[i].outline = outline(&t, &out[i], &all, &r);
        out[i].visible = out[i].outline > 0 ? fmin((double)out[i].pixels / out[i].outline, 1.0) : 1.0;
    }
    tyi_put(alloc, all.o, bytes);
    return status;
}
