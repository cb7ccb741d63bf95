/* src/soil/rut.c - what wheels leave behind in the ground, [ddt] III.E.
 *
 * Two layers in one height: the depth to which the soil was pressed, which only grows, and the
 * pattern of the grousers, which each pass renews. The terrain keeps their sum (change) and the
 * pattern (trace), so the depth is their difference; and how far the soil was pressed together (pressed), which the next wheel meets.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "world.h"
#include "world/terrain/patch.h"
#include "inner.h"

#define TRACE_MOST 0.02 /* [m] highest pattern that a trace can hold, in steps of 0.16 mm */

float tyi_soil_rut_height(uint8_t trace)
{
    return trace ? (float)(((int)trace - 128) * (TRACE_MOST / 127.0)) : 0.0f;
}

uint8_t tyi_soil_trace_of(double height)
{
    return (uint8_t)(128 + lround(fmin(fmax(height / TRACE_MOST, -1.0), 1.0) * 127.0));
}

/* The wheel over the ground, seen from above. */
typedef struct print {
    double cx, cy; /* [m] lowest point of the rim, its height at z */
    double z;
    double ux, uy, us;     /* forward, horizontal unit, and rise per metre along it */
    double wx, wy, ws;     /* along the axle likewise */
    double r, half, ahead; /* [m] radius, half the width, how far the rim is in the ground before
                              the lowest point */
    double wave, phase;    /* [rad/m], [rad] of the grousers' pattern */
    double height;         /* [m] of the pattern */
} print;

static print print_of(const tyi_soil_rider *r, int i, double radius)
{
    const ty_soil_body *in = &r->body[i];
    const ty_soil_load *out = &r->load[i];
    const ty_wheel_shape *s = &r->def[i].wheel;
    ty_vec3 up = ty_cross(out->x, in->axle), low = ty_sub(in->centre, ty_scale(s->r, up));
    double ux = hypot(out->x.x, out->x.y), wx = hypot(in->axle.x, in->axle.y);
    print p = { .cx = low.x, .cy = low.y, .z = low.z, .r = s->r, .half = 0.5 * s->b };
    p.ux = out->x.x / ux, p.uy = out->x.y / ux, p.us = out->x.z / ux;
    p.wx = in->axle.x / wx, p.wy = in->axle.y / wx, p.ws = in->axle.z / wx;
    p.ahead = s->r * sin(fmin(out->theta1, 1.2));
    if (s->grousers > 0) {
        /* a lug comes down at every 2 pi / n of the wheel, which moves on by 1 - s of what its rim
         * does; what a slipping wheel prints it wipes away again. The height of what stays, half a
         * grouser at most, is chosen. */
        double s_fwd = fmin(fmax(out->slip, -0.9), 0.9);
        p.wave = s->grousers / (radius * (1.0 - s_fwd));
        p.phase = s->grousers * in->angle;
        p.height = fmin(0.25 * s->grouser_h * (1.0 - fabs(s_fwd)), 0.5 * TRACE_MOST);
    }
    return p;
}

/* How deep [m] the rim is below height `ground` at (u, w) from the lowest point; <= 0: not at all.
 * Behind the lowest point the soil stays as it was pressed; near the edges the share of a sample
 * that the rim covers counts. */
static double pressed(const print *p, double u, double w, double ground, double spacing)
{
    double cover = fmin(fmax((p->half - fabs(w)) / spacing + 0.5, 0.0), 1.0);
    if (cover <= 0.0 || u < -1.5 * spacing || u > p->ahead) {
        return 0.0;
    }
    double rim = u > 0.0 ? p->r - sqrt(p->r * p->r - u * u) : 0.0;
    return cover * (ground - (p->z + u * p->us + w * p->ws + rim));
}

static void press_sample(const print *p, double u, double w, double ground, double spacing, float *change, float *most,
                         uint8_t *trace)
{
    double depth = pressed(p, u, w, ground, spacing);
    float was = *change, pattern = tyi_soil_rut_height(*trace), pit = was - pattern;
    if (depth <= 0.0) {
        *change = 0.0f;
        return;
    }
    pit = fminf(pit, (float)-depth);
    *most = fmaxf(*most, (float)depth);
    if (p->height > 0.0 && fabs(u) <= 1.5 * spacing && fabs(w) <= p->half) {
        *trace = tyi_soil_trace_of(-p->height * (1.0 + cos(p->wave * u + p->phase)));
    } else if (!*trace) {
        *trace = 128; /* touched, no pattern */
    }
    *change = pit + tyi_soil_rut_height(*trace) - was;
}

static ty_status press(const tyi_soil_world *world, const ty_terrain_patch *patch, const print *p, ty_diag *diag)
{
    /* the samples around the print */
    double d = world->site.spacing, long_side = fmax(p->ahead, 2.0 * d) + d, wide = p->half + d;
    double sx = fabs(p->ux) * long_side + fabs(p->wx) * wide, sy = fabs(p->uy) * long_side + fabs(p->wy) * wide;
    int32_t i0 = (int32_t)floor((p->cx - sx) / d), j0 = (int32_t)floor((p->cy - sy) / d);
    int32_t nx = (int32_t)ceil((p->cx + sx) / d) - i0 + 1, ny = (int32_t)ceil((p->cy + sy) / d) - j0 + 1;
    if (nx > TYI_SOIL_RUT_SIDE || ny > TYI_SOIL_RUT_SIDE || i0 < patch->i0 || j0 < patch->j0 ||
        i0 + nx > patch->i0 + patch->nx || j0 + ny > patch->j0 + patch->ny) {
        return TY_OK; /* a wheel of several metres, or one thrown out of the window: no rut */
    }
    float *change = world->change, *most = world->pressed;
    uint8_t *trace = world->trace;
    ty_terrain_edits(world->site.terrain, world->site.level, i0, j0, nx, ny, change, trace);
    tyi_terrain_edits_view(&world->site.terrain->edits, i0, j0, nx, ny, (tyi_terrain_edit_view){ .pressed = most });
    for (int32_t j = 0; j < ny; j++) {
        for (int32_t i = 0; i < nx; i++) {
            double x = (i0 + i) * d - p->cx, y = (j0 + j) * d - p->cy;
            size_t at = (size_t)(j * nx + i);
            double ground =
                patch->z0 +
                (double)patch->natural[(size_t)(j0 + j - patch->j0) * (size_t)patch->nx + (size_t)(i0 + i - patch->i0)];
            press_sample(p, x * p->ux + y * p->uy, x * p->wx + y * p->wy, ground, d, &change[at], &most[at],
                         &trace[at]);
        }
    }
    ty_edit edit = { .i0 = i0, .j0 = j0, .nx = nx, .ny = ny, .change = change, .trace = trace, .pressed = most };
    return ty_terrain_edit(world->site.terrain, &edit, diag);
}

ty_status tyi_soil_print(const tyi_soil_world *world, const tyi_soil_rider *r, int i, ty_diag *diag)
{
    const print under = print_of(r, i, r->radius[r->contact[i].soil * r->carrier.count + i]);
    return press(world, r->ground.patch, &under, diag);
}
