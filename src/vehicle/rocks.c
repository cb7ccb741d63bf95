/* src/vehicle/rocks.c - wheels against rocks that stand in the ground.
 *
 * The rim is a bed of springs: each point of it that lies inside a rock is pushed back to the axle
 * by its depth, so that forces grow from nothing as a wheel meets an edge, and pass from point to
 * point without a jump. Friction sticks at the middle of pressure. Rocks do not move; those below
 * `rock_min` are taken as pressed into the soil by the wheel. SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include "contact.h"
#include "k_rigid.h"
#include "patch.h"

#define BOUNCE                                                                                     \
    8.0 /* [s/m] damping of the bed, per depth: an impact at 0.2 m/s loses most of its speed */

/* what the rocks do to one wheel, summed over the points of its rim */
typedef struct push {
    ty_vec3 force, moment; /* [N], [N m] about the wheel's centre */
    ty_vec3 place;         /* [N m] sum of |force| times place, from the centre */
    double size;           /* [N] sum of |force| */
    double depth;          /* [m] deepest point */
} push;

/* depth [m] of a point inside a rock, 0 outside: the least distance to one of its planes */
static double depth_in(const tyi_placed_rock *rock, ty_vec3 p)
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
    const tyi_wheel_in *in;
    ty_vec3 x, z;  /* two axes across the axle, x level where it can be */
    ty_vec3 omega; /* [rad/s] */
    double r, b;   /* [m] radius to the tips of the grousers, width */
    double share;  /* [N/m] of one point of the rim, per metre of depth */
    int slices;
} rim;

static rim rim_of(const tyi_ground *g, int i, const tyi_wheel_in *in)
{
    rim w = { .in = in, .r = g->radius[i], .b = g->shape[i].b, .slices = g->soil.slices };
    ty_vec3 up = fabs(in->axle.z) < 0.9 ? ty_vec3_make(0.0, 0.0, 1.0) : ty_vec3_make(1.0, 0.0, 0.0);
    w.x = ty_normalize(ty_cross(in->axle, up));
    w.z = ty_cross(w.x, in->axle);
    w.omega = ty_scale(in->omega, in->axle);
    double bed = g->soil.rigid.k /
                 (w.b * 0.5 * w.r); /* [N/m^3] as stiff on a flat as the hard ground, about */
    w.share = bed * (w.b / w.slices) * (w.r * 2.0 * TY_PI / TYI_RIM);
    return w;
}

/* whether the wheel may touch what stands within `radius` of the rock's axis, up to its top */
static bool near_rock(const rim *w, const tyi_placed_rock *rock)
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

static void meet(const tyi_ground *g, const rim *w, const tyi_placed_rock *rock, push *sum)
{
    double top = rock->top - w->in->centre.z + 0.5 * w->b * fabs(w->in->axle.z);
    for (int k = 0; k < TYI_RIM; k++) {
        ty_vec3 out = ty_add(ty_scale(g->rim[k][0], w->x), ty_scale(g->rim[k][1], w->z));
        if (w->r * out.z > top) {
            continue;
        }
        for (int s = 0; s < w->slices; s++) {
            double side = w->b * ((s + 0.5) / w->slices - 0.5);
            ty_vec3 at = ty_add(ty_scale(w->r, out), ty_scale(side, w->in->axle));
            double depth = depth_in(rock, ty_add(w->in->centre, at));
            if (depth <= 0.0) {
                continue;
            }
            double closing = ty_dot(ty_add(w->in->v, ty_cross(w->omega, at)), out);
            double f = w->share * depth * fmax(1.0 + BOUNCE * closing, 0.0);
            ty_vec3 force = ty_scale(-f, out);
            sum->force = ty_add(sum->force, force);
            sum->moment = ty_add(sum->moment, ty_cross(at, force));
            sum->place = ty_add(sum->place, ty_scale(f, at));
            sum->size += f;
            sum->depth = fmax(sum->depth, depth);
        }
    }
}

/* all rocks near a wheel, each once: in the first bin that both touch */
static push meet_all(const tyi_ground *g, int i, const tyi_wheel_in *in)
{
    push sum = { .size = 0.0 };
    const tyi_rock_bins *b = &g->patch->bins;
    if (!b->rocks) {
        return sum;
    }
    ty_rect rect = ty_patch_rect(g->patch);
    double reach = g->radius[i] + g->shape[i].b, inv = 1.0 / b->size;
    int x0 = (int)floor((in->centre.x - reach - rect.x0) * inv),
        x1 = (int)floor((in->centre.x + reach - rect.x0) * inv);
    int y0 = (int)floor((in->centre.y - reach - rect.y0) * inv),
        y1 = (int)floor((in->centre.y + reach - rect.y0) * inv);
    x0 = x0 < 0 ? 0 : x0, y0 = y0 < 0 ? 0 : y0;
    x1 = x1 >= b->nx ? b->nx - 1 : x1, y1 = y1 >= b->ny ? b->ny - 1 : y1;
    double low = in->centre.z - reach - g->patch->z0;
    rim w = rim_of(g, i, in);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            size_t cell = (size_t)y * (size_t)b->nx + (size_t)x;
            if (low > (double)b->top[cell]) {
                continue;
            }
            for (uint32_t k = b->first[cell]; k < b->first[cell + 1]; k++) {
                const tyi_placed_rock *rock = &b->rock[b->list[k]];
                int rx = (int)floor((rock->base.x - rock->radius - rect.x0) * inv);
                int ry = (int)floor((rock->base.y - rock->radius - rect.y0) * inv);
                if ((rx > x0 ? rx : x0) == x && (ry > y0 ? ry : y0) == y && near_rock(&w, rock)) {
                    meet(g, &w, rock, &sum);
                }
            }
        }
    }
    return sum;
}

double tyi_ground_rock_depth(const tyi_ground *g, int i, const tyi_wheel_in *in)
{
    return meet_all(g, i, in).depth;
}

/* Sticks at the middle of pressure, across the resultant. */
static void friction(const tyi_ground *g, tyi_contact *c, const tyi_wheel_in *in, double dt,
                     push *sum)
{
    const ty_rigid_params *p = &g->soil.rigid;
    double normal = ty_norm(sum->force);
    if (!(normal > 0.0)) {
        return;
    }
    ty_vec3 n = ty_scale(1.0 / normal, sum->force), at = ty_scale(1.0 / sum->size, sum->place);
    ty_vec3 v = ty_add(in->v, ty_cross(ty_scale(in->omega, in->axle), at));
    v = ty_sub(v, ty_scale(ty_dot(v, n), n));
    /* an axis along the wheel's way and one across it */
    ty_vec3 a = ty_cross(in->axle, n);
    double size = ty_norm(a);
    a = size > 1e-6 ? ty_scale(1.0 / size, a)
                    : ty_normalize(ty_cross(n, ty_vec3_make(n.y, n.z, n.x)));
    ty_vec3 b = ty_cross(n, a);
    double ux = ty_dot(c->rock, a), uy = ty_dot(c->rock, b), fx, fy;
    ty_k_stick(p->k_tangent, p->c_tangent, p->mu * normal, ty_dot(v, a), ty_dot(v, b),
               fabs(in->omega), dt, &ux, &uy, &fx, &fy);
    c->rock = ty_add(ty_scale(ux, a), ty_scale(uy, b));
    ty_vec3 force = ty_add(ty_scale(fx, a), ty_scale(fy, b));
    sum->force = ty_add(sum->force, force);
    sum->moment = ty_add(sum->moment, ty_cross(at, force));
}

void tyi_ground_rocks(tyi_ground *g, const tyi_wheel_in *in, double dt, tyi_wheel_out *out)
{
    if (!g->patch->bins.rocks || g->soil.model == TY_SOIL_NONE) {
        return;
    }
    for (int i = 0; i < g->wheels; i++) {
        push sum = meet_all(g, i, &in[i]);
        if (sum.size <= 0.0) {
            g->contact[i].rock = ty_vec3_make(0.0, 0.0, 0.0);
            continue;
        }
        friction(g, &g->contact[i], &in[i], dt, &sum);
        out[i].force = ty_add(out[i].force, sum.force);
        out[i].torque = ty_add(out[i].torque, sum.moment);
        out[i].rock = ty_norm(sum.force);
    }
}
