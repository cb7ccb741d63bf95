/* src/vehicle/rocks.c - wheels against rocks, those that stand in the ground and those that are pushed.
 *
 * The rim is a bed of springs: each point of it that lies inside a rock is pushed back to the axle
 * by its depth, so that forces grow from nothing as a wheel meets an edge, and pass from point to
 * point without a jump. Friction sticks at the middle of pressure. Rocks below `rock_push` become
 * loose when a wheel touches them (push.c); those below `rock_min` are taken as pressed into the
 * soil by the wheel.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include "core/core.h"
#include "k_rigid.h"
#include "rocks.h"
#include "world/terrain/patch.h"

#define BOUNCE 8.0 /* [s/m] damping of the bed, per depth: an impact at 0.2 m/s loses most of its speed */
/* [m] depth at which a spring is twice as stiff: few of them meet a small stone, which would go deep into the rim */
#define STIFFEN 1e-3

/* what the rocks do to one wheel, summed over the points of its rim */
typedef struct push {
    ty_vec3 force, moment; /* [N], [N m] about the wheel's centre */
    ty_vec3 place;         /* [N m] sum of |force| times place, from the centre */
    double size;           /* [N] sum of |force| */
    double depth;          /* [m] deepest point */
    ty_vec3 moving;        /* [N m/s] sum of |force| times the rock's velocity */
    tyi_vehicle_act act;   /* on the rock; of a single one */
} push;

/* depth [m] of a point inside a rock, 0 outside: the least distance to one of its planes */
static double depth_in(const tyi_terrain_placed_rock *rock, ty_vec3 p)
{
    ty_vec3 q = ty_scale(1.0 / rock->scale, ty_sub(p, rock->base));
    double x = rock->c * q.x + rock->s * q.y, y = rock->c * q.y - rock->s * q.x, out = -1e9;
    for (int k = 0; k < rock->shape->planes; k++) {
        const float *n = rock->shape->plane[k];
        double d = (double)n[0] * x + (double)n[1] * y + (double)n[2] * q.z - (double)n[3];
        out = d > out ? d : out;
        if (out >= 0.0) {
            return 0.0;
        }
    }
    return -out * rock->scale;
}

/* A wheel and its axes, worked out once for all rocks near it. */
typedef struct rim {
    const ty_soil_body *in;
    ty_vec3 x, z;  /* two axes across the axle, x level where it can be */
    ty_vec3 omega; /* [rad/s] */
    double r, b;   /* [m] radius to the tips of the grousers, width */
    double share;  /* [N/m] of one point of the rim, per metre of depth */
    int slices;
} rim;

static rim rim_of(const tyi_vehicle_rocks *g, int i, const ty_soil_body *in)
{
    rim w = { .in = in, .r = g->rider->radius[i], .b = g->rider->def[i].wheel.b, .slices = g->soil->slices };
    ty_vec3 up = fabs(in->axle.z) < 0.9 ? ty_vec3_make(0.0, 0.0, 1.0) : ty_vec3_make(1.0, 0.0, 0.0);
    w.x = ty_normalize(ty_cross(in->axle, up));
    w.z = ty_cross(w.x, in->axle);
    w.omega = ty_scale(in->omega, in->axle);
    double bed = g->soil->rigid.k / (w.b * 0.5 * w.r); /* [N/m^3] as stiff on a flat as the hard ground, about */
    w.share = bed * (w.b / w.slices) * (w.r * 2.0 * TY_PI / TYI_VEHICLE_RIM);
    return w;
}

/* whether the wheel may touch what stands within `radius` of the rock's axis, up to its top */
static bool near_rock(const rim *w, const tyi_terrain_placed_rock *rock)
{
    ty_vec3 c = w->in->centre, a = w->in->axle;
    double dx = rock->base.x - c.x, dy = rock->base.y - c.y, lean = fabs(a.z) * 0.5 * w->b;
    double ahead = fabs(dx * w->x.x + dy * w->x.y) - rock->radius - 0.5 * w->b * hypot(w->x.z, a.z);
    double beside = fabs(dx * a.x + dy * a.y) - rock->radius;
    if (ahead > w->r || beside > 0.5 * w->b + w->r * fabs(a.z)) {
        return false;
    }
    double low = sqrt(fmax(w->r * w->r - fmax(ahead, 0.0) * fmax(ahead, 0.0), 0.0));
    return c.z - low - lean < rock->top;
}

static void add_square(double m[6], double f, ty_vec3 n)
{
    m[0] += f * n.x * n.x, m[1] += f * n.x * n.y, m[2] += f * n.y * n.y;
    m[3] += f * n.x * n.z, m[4] += f * n.y * n.z, m[5] += f * n.z * n.z;
}

/* one point of the rim, `at` from the centre and `depth` in a rock that moves with v */
static void press(const rim *w, ty_vec3 out, ty_vec3 at, double depth, ty_vec3 v, push *sum)
{
    ty_vec3 v_rim = ty_add(w->in->v, ty_cross(w->omega, at));
    double damp = 1.0 + BOUNCE * ty_dot(ty_sub(v_rim, v), out), still = w->share * depth * (1.0 + depth / STIFFEN),
           slope = w->share * (1.0 + 2.0 * depth / STIFFEN), f = still * fmax(damp, 0.0);
    ty_vec3 force = ty_scale(-f, out);
    sum->force = ty_add(sum->force, force);
    sum->moment = ty_add(sum->moment, ty_cross(at, force));
    sum->place = ty_add(sum->place, ty_scale(f, at));
    sum->moving = ty_add(sum->moving, ty_scale(f, v));
    sum->size += f;
    sum->depth = fmax(sum->depth, depth);
    if (damp > 0.0) {
        add_square(sum->act.k, slope * damp, out);
        add_square(sum->act.c, still * BOUNCE, out);
        sum->act.kv = ty_add(sum->act.kv, ty_scale(slope * damp * ty_dot(v_rim, out), out));
    }
}

/* what a rock that moves with v does to the wheel */
static push meet(const tyi_vehicle_rocks *g, const rim *w, const tyi_terrain_placed_rock *rock, ty_vec3 v)
{
    push sum = { .size = 0.0 };
    double top = rock->top - w->in->centre.z + 0.5 * w->b * fabs(w->in->axle.z);
    for (int k = 0; k < TYI_VEHICLE_RIM; k++) {
        ty_vec3 out = ty_add(ty_scale(g->rim[k][0], w->x), ty_scale(g->rim[k][1], w->z));
        if (w->r * out.z > top) {
            continue;
        }
        for (int s = 0; s < w->slices; s++) {
            double side = w->b * ((s + 0.5) / w->slices - 0.5);
            ty_vec3 at = ty_add(ty_scale(w->r, out), ty_scale(side, w->in->axle));
            double depth = depth_in(rock, ty_add(w->in->centre, at));
            if (depth > 0.0) {
                press(w, out, at, depth, v, &sum);
            }
        }
    }
    return sum;
}

static void add(push *sum, const push *one)
{
    sum->force = ty_add(sum->force, one->force);
    sum->moment = ty_add(sum->moment, one->moment);
    sum->place = ty_add(sum->place, one->place);
    sum->moving = ty_add(sum->moving, one->moving);
    sum->size += one->size;
    sum->depth = fmax(sum->depth, one->depth);
}

/* A wheel among the rocks: what they do to it, and the loose ones each by itself. */
typedef struct meeting {
    tyi_vehicle_rocks *g; /* NULL: no rock becomes loose */
    const tyi_vehicle_rocks *of;
    rim w;
    push sum;
    double most;   /* [N] of the rock that pushes most */
    uint64_t rock; /* which that is; 0: none */
    tyi_vehicle_act act[TYI_VEHICLE_LOOSE];
    double size[TYI_VEHICLE_LOOSE]; /* [N] */
} meeting;

static void count(meeting *m, const push *one, uint64_t id)
{
    add(&m->sum, one);
    if (one->size > m->most) {
        m->most = one->size;
        m->rock = id;
    }
}

static void meet_fast(meeting *m, tyi_terrain_placed_rock *rock)
{
    push one = meet(m->of, &m->w, rock, ty_vec3_make(0.0, 0.0, 0.0));
    if (one.size > 0.0 && m->g && rock->diameter < m->g->push_below && tyi_vehicle_push_loosen(m->g, rock)) {
        return; /* it is met as one of the loose */
    }
    count(m, &one, rock->id);
}

/* the rocks of the window that stand near a wheel, each once: in the first bin that both touch */
static void meet_window(meeting *m, int i)
{
    const tyi_vehicle_rocks *g = m->of;
    const ty_soil_body *in = m->w.in;
    const tyi_terrain_rock_bins *b = &g->rider->ground.patch->bins;
    ty_rect rect = ty_terrain_patch_rect(g->rider->ground.patch);
    double reach = g->rider->radius[i] + g->rider->def[i].wheel.b, inv = 1.0 / b->size;
    int x0 = (int)floor((in->centre.x - reach - rect.x0) * inv),
        x1 = (int)floor((in->centre.x + reach - rect.x0) * inv);
    int y0 = (int)floor((in->centre.y - reach - rect.y0) * inv),
        y1 = (int)floor((in->centre.y + reach - rect.y0) * inv);
    x0 = x0 < 0 ? 0 : x0, y0 = y0 < 0 ? 0 : y0;
    x1 = x1 >= b->nx ? b->nx - 1 : x1, y1 = y1 >= b->ny ? b->ny - 1 : y1;
    double low = in->centre.z - reach - g->rider->ground.patch->z0;
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            size_t cell = (size_t)y * (size_t)b->nx + (size_t)x;
            if (low > (double)b->top[cell]) {
                continue;
            }
            for (uint32_t k = b->first[cell]; k < b->first[cell + 1]; k++) {
                tyi_terrain_placed_rock *rock = &b->rock[b->list[k]];
                int rx = (int)floor((rock->base.x - rock->radius - rect.x0) * inv);
                int ry = (int)floor((rock->base.y - rock->radius - rect.y0) * inv);
                if (!rock->loose && (rx > x0 ? rx : x0) == x && (ry > y0 ? ry : y0) == y && near_rock(&m->w, rock)) {
                    meet_fast(m, rock);
                }
            }
        }
    }
}

/* all rocks near wheel i; g NULL: only looks */
static void meet_all(meeting *m, tyi_vehicle_rocks *g, const tyi_vehicle_rocks *of, int i, const ty_soil_body *in)
{
    m->g = g, m->of = of, m->sum = (push){ .size = 0.0 }, m->most = 0.0, m->rock = 0;
    if (!of->rider->ground.patch->bins.rocks && !of->push.count) {
        return;
    }
    m->w = rim_of(of, i, in);
    if (of->rider->ground.patch->bins.rocks) {
        meet_window(m, i);
    }
    for (int k = 0; k < (int)of->push.count; k++) {
        m->size[k] = 0.0;
        if (near_rock(&m->w, &of->placed[k])) {
            push one = meet(of, &m->w, &of->placed[k], of->push.rock[k].v);
            m->act[k] = one.act;
            m->act[k].force = ty_scale(-1.0, one.force);
            m->size[k] = one.size;
            count(m, &one, of->push.rock[k].id);
        }
    }
}

double tyi_vehicle_rocks_depth(const tyi_vehicle_rocks *g, int i, const ty_soil_body *in)
{
    meeting m;
    meet_all(&m, NULL, g, i, in);
    return m.sum.depth;
}

/* the share of the loose rocks in friction `force` on a wheel whose rim moves with v; n: NULL where it slips */
static void share_friction(meeting *m, const ty_rigid_params *p, ty_vec3 force, ty_vec3 v, const ty_vec3 *n)
{
    for (int k = 0; k < (int)m->of->push.count; k++) {
        double share = m->size[k] / m->sum.size;
        tyi_vehicle_act *a = &m->act[k];
        if (!(share > 0.0)) {
            continue;
        }
        a->force = ty_sub(a->force, ty_scale(share, force));
        if (n) { /* what sticks follows the rim: k (1 - n n) */
            double kt = share * p->k_tangent, ct = share * p->c_tangent;
            add_square(a->k, -kt, *n), add_square(a->c, -ct, *n);
            a->k[0] += kt, a->k[2] += kt, a->k[5] += kt, a->c[0] += ct, a->c[2] += ct, a->c[5] += ct;
            a->kv = ty_add(a->kv, ty_scale(kt, v));
        }
    }
}

/* Sticks at the middle of pressure, across the resultant. */
static void friction(meeting *m, ty_vec3 *stretch, double dt)
{
    const ty_rigid_params *p = &m->of->soil->rigid;
    const ty_soil_body *in = m->w.in;
    push *sum = &m->sum;
    double normal = ty_norm(sum->force);
    if (!(normal > 0.0)) {
        return;
    }
    ty_vec3 n = ty_scale(1.0 / normal, sum->force), at = ty_scale(1.0 / sum->size, sum->place);
    ty_vec3 v_rim = ty_add(in->v, ty_cross(ty_scale(in->omega, in->axle), at));
    ty_vec3 v = ty_sub(v_rim, ty_scale(1.0 / sum->size, sum->moving));
    v_rim = ty_sub(v_rim, ty_scale(ty_dot(v_rim, n), n));
    v = ty_sub(v, ty_scale(ty_dot(v, n), n));
    /* an axis along the wheel's way and one across it */
    ty_vec3 a = ty_cross(in->axle, n);
    double size = ty_norm(a);
    a = size > 1e-6 ? ty_scale(1.0 / size, a) : ty_normalize(ty_cross(n, ty_vec3_make(n.y, n.z, n.x)));
    ty_vec3 b = ty_cross(n, a);
    double ux = ty_dot(*stretch, a), uy = ty_dot(*stretch, b), fx, fy;
    ty_k_stick(p->k_tangent, p->c_tangent, p->mu * normal, ty_dot(v, a), ty_dot(v, b), fabs(in->omega), dt, &ux, &uy,
               &fx, &fy);
    *stretch = ty_add(ty_scale(ux, a), ty_scale(uy, b));
    ty_vec3 force = ty_add(ty_scale(fx, a), ty_scale(fy, b));
    share_friction(m, p, force, v_rim, ty_norm(force) < 0.999 * p->mu * normal ? &n : NULL);
    sum->force = ty_add(sum->force, force);
    sum->moment = ty_add(sum->moment, ty_cross(at, force));
}

static void add_act(tyi_vehicle_act *sum, const tyi_vehicle_act *one)
{
    sum->force = ty_add(sum->force, one->force);
    sum->kv = ty_add(sum->kv, one->kv);
    for (int k = 0; k < 6; k++) {
        sum->k[k] += one->k[k], sum->c[k] += one->c[k];
    }
}

void tyi_vehicle_rocks_step(tyi_vehicle_rocks *g, const ty_soil_body *in, double dt, ty_soil_load *load,
                            tyi_vehicle_rock_load *rock)
{
    int wheels = g->rider->carrier.wheels;
    for (int i = 0; i < wheels; i++) {
        rock[i] = (tyi_vehicle_rock_load){ 0.0, 0.0, 0 };
    }
    if ((!g->rider->ground.patch->bins.rocks && !g->push.count) || g->soil->model == TY_SOIL_NONE) {
        return;
    }
    tyi_vehicle_act act[TYI_VEHICLE_LOOSE] = { 0 };
    meeting m;
    for (int i = 0; i < wheels; i++) {
        meet_all(&m, g, g, i, &in[i]);
        if (m.sum.size <= 0.0) {
            g->stretch[i] = ty_vec3_make(0.0, 0.0, 0.0);
            continue;
        }
        friction(&m, &g->stretch[i], dt);
        load[i].force = ty_add(load[i].force, m.sum.force);
        load[i].torque = ty_add(load[i].torque, m.sum.moment);
        rock[i] = (tyi_vehicle_rock_load){ ty_norm(m.sum.force), m.sum.force.z, m.rock };
        for (int k = 0; k < (int)g->push.count; k++) {
            if (m.size[k] > 0.0) {
                add_act(&act[k], &m.act[k]);
            }
        }
    }
    tyi_vehicle_push_step(g, act, dt);
}

/* ---- rocks as things that the rest of a rover touches ---- */

void tyi_vehicle_rock_thing(const tyi_terrain_placed_rock *r, tyi_body_thing *out)
{
    ty_quat turn = ty_quat_axis(ty_vec3_make(0.0, 0.0, 1.0), r->yaw);
    *out = (tyi_body_thing){ .id = r->id, .parts = 1, .pose = { r->base, turn }, .below = true };
    snprintf(out->name, sizeof out->name, "rock %llu of %.2f m", (unsigned long long)r->id, r->diameter);
    out->single = (tyi_body_hull){ .kind = TY_SHAPE_MESH,
                                   .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } },
                                   .vertex = r->shape->vertex,
                                   .vertices = r->shape->vertices,
                                   .scale = r->scale };
    tyi_body_hull_bound(&out->single);
}

int tyi_vehicle_rocks_near(const tyi_vehicle_rocks *g, ty_vec3 centre, double reach, double above, tyi_body_thing *out,
                           int room)
{
    const tyi_terrain_rock_bins *b = &g->rider->ground.patch->bins;
    int n = 0;
    for (size_t i = 0; g->on && g->soil->model != TY_SOIL_NONE && i < b->rocks && n < room; i++) {
        const tyi_terrain_placed_rock *r = &b->rock[i];
        if (!r->loose && r->diameter >= g->push_below && r->top > above &&
            hypot(r->base.x - centre.x, r->base.y - centre.y) < reach + r->radius) {
            tyi_vehicle_rock_thing(r, &out[n++]);
        }
    }
    return n;
}

bool tyi_vehicle_rocks_find(const tyi_vehicle_rocks *g, uint64_t id, tyi_body_thing *out)
{
    const tyi_terrain_rock_bins *b = &g->rider->ground.patch->bins;
    for (size_t i = 0; i < b->rocks; i++) {
        if (b->rock[i].id == id && !b->rock[i].loose) {
            tyi_vehicle_rock_thing(&b->rock[i], out);
            return true;
        }
    }
    return false;
}

ty_status tyi_vehicle_rocks_init(tyi_vehicle_rocks *g, ty_diag *diag)
{
    for (int k = 0; k < TYI_VEHICLE_RIM; k++) {
        g->rim[k][0] = cos(2.0 * TY_PI * k / TYI_VEHICLE_RIM), g->rim[k][1] = sin(2.0 * TY_PI * k / TYI_VEHICLE_RIM);
    }
    g->placed = tyi_get(g->alloc, TYI_VEHICLE_LOOSE * sizeof *g->placed);
    return g->placed ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "vehicle: no memory for rocks");
}

void tyi_vehicle_rocks_free(tyi_vehicle_rocks *g)
{
    tyi_put(g->alloc, g->placed, g->placed ? TYI_VEHICLE_LOOSE * sizeof *g->placed : 0);
}
