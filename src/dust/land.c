/* src/dust/land.c - when a parcel meets the ground: the first crossing of its parabola with the height field.
 *
 * The way is looked at in even steps, at least one for each quarter of a metre, until one ends below the ground; then the
 * crossing is halved and interpolated in turn. What starts below the ground, in a rut, must come up first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_dust.h"
#include "parcels.h"

#define STEP   0.25 /* [m] of way */
#define MOST   400  /* steps */
#define ROUNDS 12

static double height_above(const tyi_dust *dust, const tyi_dust_parcel *p, double t, double ground)
{
    return ty_k_dust_at(p->x.z, p->v.z, -dust->def.gravity, t) - ground;
}

static ty_status ground_at(tyi_dust *dust, const tyi_dust_parcel *p, size_t n, const double *t, ty_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        dust->gx[i] = fmin(fmax(p[i].x.x + t[i] * p[i].v.x, -dust->half), dust->half);
        dust->gy[i] = fmin(fmax(p[i].x.y + t[i] * p[i].v.y, -dust->half), dust->half);
    }
    return ty_terrain_sample(dust->def.terrain, dust->level, n, dust->gx, dust->gy, dust->gz, NULL, diag);
}

/* [t0, t1] around the first crossing of one parcel, with the heights above ground there; false: it does not come up */
static ty_status bracket(tyi_dust *dust, const tyi_dust_parcel *p, size_t i, ty_diag *diag)
{
    double g = dust->def.gravity, v = fmax(ty_norm(p->v), 0.1), below = dust->f0[i], before = below, x, y, z;
    double step = fmin(STEP / v, 0.25 * v / g), up = fmax(2.0 * p->v.z / g, 0.0);
    bool came_up = below > 0.0;
    ty_status status = TY_OK;
    dust->t0[i] = 0.0, dust->t1[i] = up, dust->f1[i] = 0.0;
    for (int k = 1; k <= MOST && status == TY_OK; k++) {
        double t = k * step, above;
        x = fmin(fmax(p->x.x + t * p->v.x, -dust->half), dust->half);
        y = fmin(fmax(p->x.y + t * p->v.y, -dust->half), dust->half);
        status = ty_terrain_sample(dust->def.terrain, dust->level, 1, &x, &y, &z, NULL, diag);
        above = height_above(dust, p, t, z);
        if (came_up && above <= 0.0) {
            dust->t0[i] = t - step, dust->f0[i] = before;
            dust->t1[i] = t, dust->f1[i] = above;
            return status;
        }
        came_up = came_up || above > 0.0;
        before = above;
        if (!came_up && t > up) { /* it stays where it was */
            dust->t0[i] = dust->t1[i] = up, dust->f0[i] = dust->f1[i] = 0.0;
            return status;
        }
    }
    dust->t0[i] = dust->t1[i] = MOST * step; /* over a cliff: it is let go there */
    return status;
}

ty_status tyi_dust_land(tyi_dust *dust, tyi_dust_parcel *p, size_t n, ty_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        dust->t0[i] = 0.0;
    }
    ty_status status = ground_at(dust, p, n, dust->t0, diag);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        dust->f0[i] = p[i].x.z - dust->gz[i];
        status = bracket(dust, &p[i], i, diag);
    }
    for (int round = 0; round < ROUNDS && status == TY_OK; round++) {
        double *mid = dust->gz + TYI_DUST_BATCH; /* the second half of gz */
        for (size_t i = 0; i < n; i++) {
            double a = dust->t0[i], b = dust->t1[i], q = dust->f0[i] - dust->f1[i];
            mid[i] = round % 2 || !(q > 0.0) ? 0.5 * (a + b) : a + (b - a) * dust->f0[i] / q;
        }
        status = ground_at(dust, p, n, mid, diag);
        for (size_t i = 0; i < n && status == TY_OK; i++) {
            double above = height_above(dust, &p[i], mid[i], dust->gz[i]);
            if (!(dust->t1[i] > dust->t0[i])) {
                continue;
            }
            *(above > 0.0 ? &dust->t0[i] : &dust->t1[i]) = mid[i];
            *(above > 0.0 ? &dust->f0[i] : &dust->f1[i]) = above;
        }
    }
    for (size_t i = 0; i < n; i++) {
        p[i].lands = p[i].born + dust->t1[i];
    }
    return status;
}
