/* src/soil/rut.c - what wheels leave behind in the ground, [ddt] III.E.
 *
 * Two layers in one height: the depth to which the soil was pressed, which only grows, and the
 * pattern of the grousers, which each pass renews. The terrain keeps their sum (change) and the
 * pattern (trace), so the depth is their difference; and how far the soil was pressed together (pressed), which the next wheel meets.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "k_print.h"
#include "world.h"
#include "world/terrain/patch.h"
#include "inner.h"

#define TRACE_MOST TY_K_PRINT_TRACE

float tyi_soil_rut_height(uint8_t trace)
{
    return (float)ty_k_print_trace(trace);
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
    double groove;         /* [m] depth of the lugs' grooves */
    double berm, beside;   /* [m] height of the soil heaped up beside the rim, and how wide */
} print;

/* Soil pushed aside: highest at the rim's edge, BERM of the rut's depth, falling over BERM_WIDE of the wheel's width: a fifth of the rut's
 * volume. Chosen: tracks show low shoulders, and scm's columns heap up more where they flow. */
#define BERM      0.3
#define BERM_WIDE 0.7

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
        p.groove = fmin(2.0 * p.height, fmax(out->sinkage, 0.0));
    }
    p.berm = BERM * fmax(out->sinkage, 0.0);
    p.beside = BERM_WIDE * s->b;
    return p;
}

/* the grooves around a sample that is u before the lowest point */
static uint32_t print_word(const print *p, double u)
{
    return ty_k_print_pack(atan2(p->uy, p->ux), p->wave * u + p->phase, 2.0 * TY_PI / p->wave, p->groove);
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

/* what a sample has: change so far, to become what is added to it; pressed; trace; print */
typedef struct sample {
    float *change, *most;
    uint8_t *trace;
    uint32_t *print;
} sample;

/* beside the rim: soil is heaped up, but not in ruts, and not twice */
static void heap_sample(const print *p, double u, double w, double spacing, const sample *s)
{
    double far = fabs(w) - p->half, high = p->berm * (1.0 - far / p->beside);
    float was = *s->change;
    bool here = fabs(u) <= 1.5 * spacing && far > 0.0 && far < p->beside && !*s->print && !(*s->most > 0.0f);
    *s->change = here ? fmaxf((float)high - was, 0.0f) : 0.0f;
}

static void press_sample(const print *p, double u, double w, double ground, double spacing, const sample *s)
{
    double depth = pressed(p, u, w, ground, spacing);
    float was = *s->change, pattern = tyi_soil_rut_height(*s->trace), pit = was - pattern;
    if (depth <= 0.0) {
        heap_sample(p, u, w, spacing, s);
        return;
    }
    pit = fminf(pit, (float)-depth);
    *s->most = fmaxf(*s->most, (float)depth);
    if (p->height > 0.0 && fabs(u) <= 1.5 * spacing && fabs(w) <= p->half) {
        *s->trace = tyi_soil_trace_of(-p->height * (1.0 + cos(p->wave * u + p->phase)));
        *s->print = print_word(p, u);
    } else if (!*s->trace) {
        *s->trace = 128; /* touched, no pattern */
    }
    *s->change = pit + tyi_soil_rut_height(*s->trace) - was;
}

/* The samples around a print; false: a wheel of several metres, or one thrown out of the window: no rut */
static bool around(const print *p, double d, double long_side, double wide, const ty_terrain_patch *patch, ty_edit *out)
{
    double sx = fabs(p->ux) * long_side + fabs(p->wx) * wide, sy = fabs(p->uy) * long_side + fabs(p->wy) * wide;
    out->i0 = (int32_t)floor((p->cx - sx) / d), out->j0 = (int32_t)floor((p->cy - sy) / d);
    out->nx = (int32_t)ceil((p->cx + sx) / d) - out->i0 + 1, out->ny = (int32_t)ceil((p->cy + sy) / d) - out->j0 + 1;
    return out->nx <= TYI_SOIL_RUT_SIDE && out->ny <= TYI_SOIL_RUT_SIDE && out->i0 >= patch->i0 &&
           out->j0 >= patch->j0 && out->i0 + out->nx <= patch->i0 + patch->nx &&
           out->j0 + out->ny <= patch->j0 + patch->ny;
}

static ty_status press(const tyi_soil_world *world, const ty_terrain_patch *patch, const print *p, ty_diag *diag)
{
    double d = world->site.spacing, long_side = fmax(p->ahead, 2.0 * d) + d;
    ty_edit edit = { .change = world->change, .trace = world->trace, .pressed = world->pressed, .print = world->print };
    if (!around(p, d, long_side, p->half + p->beside + d, patch, &edit) &&
        !around(p, d, long_side, p->half + d, patch, &edit)) {
        return TY_OK;
    }
    tyi_terrain_edit_view view = { .pressed = world->pressed, .trace = world->trace, .print = world->print };
    ty_terrain_edits(world->site.terrain, world->site.level, edit.i0, edit.j0, edit.nx, edit.ny, world->change, NULL);
    tyi_terrain_edits_view(&world->site.terrain->edits, edit.i0, edit.j0, edit.nx, edit.ny, view);
    for (int32_t j = 0; j < edit.ny; j++) {
        for (int32_t i = 0; i < edit.nx; i++) {
            double x = (edit.i0 + i) * d - p->cx, y = (edit.j0 + j) * d - p->cy;
            size_t at = (size_t)(j * edit.nx + i), row = (size_t)(edit.j0 + j - patch->j0) * (size_t)patch->nx;
            double ground = patch->z0 + (double)patch->natural[row + (size_t)(edit.i0 + i - patch->i0)];
            const sample s = { &world->change[at], &world->pressed[at], &world->trace[at], &world->print[at] };
            press_sample(p, x * p->ux + y * p->uy, x * p->wx + y * p->wy, ground, d, &s);
        }
    }
    return ty_terrain_edit(world->site.terrain, &edit, diag);
}

ty_status tyi_soil_print_lugs(const tyi_soil_world *world, const tyi_soil_rider *r, int i, ty_diag *diag)
{
    const print p = print_of(r, i, r->radius[r->contact[i].soil * r->carrier.count + i]);
    double d = world->site.spacing;
    ty_edit edit = { .print = world->print };
    if (!(p.groove > 0.0) || !around(&p, d, 2.5 * d, p.half + d, r->ground.patch, &edit)) {
        return TY_OK;
    }
    tyi_terrain_edits_view(&world->site.terrain->edits, edit.i0, edit.j0, edit.nx, edit.ny,
                           (tyi_terrain_edit_view){ .print = world->print });
    for (int32_t j = 0; j < edit.ny; j++) {
        for (int32_t k = 0; k < edit.nx; k++) {
            double x = (edit.i0 + k) * d - p.cx, y = (edit.j0 + j) * d - p.cy, u = x * p.ux + y * p.uy;
            bool under = fabs(u) <= 1.5 * d && fabs(x * p.wx + y * p.wy) <= p.half;
            uint32_t *word = &world->print[j * edit.nx + k];
            *word = under ? print_word(&p, u) : *word;
        }
    }
    return ty_terrain_edit(world->site.terrain, &edit, diag);
}

ty_status tyi_soil_print(const tyi_soil_world *world, const tyi_soil_rider *r, int i, ty_diag *diag)
{
    const print under = print_of(r, i, r->radius[r->contact[i].soil * r->carrier.count + i]);
    return press(world, r->ground.patch, &under, diag);
}
