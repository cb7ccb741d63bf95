/* src/dust/land.c - when a parcel meets the ground: the first crossing of its parabola with the height field.
 *
 * A secant search from where it would fall on level ground, for all new parcels of a wheel at once, and a look at heights along the way. Where
 * that finds ground in the way, or does not converge, the way is walked in steps of a quarter of a metre until one ends below
 * the ground, and the crossing is halved and interpolated in turn. What starts below the ground, in a rut, must come up first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_dust.h"
#include "parcels.h"

#define STEP   0.25 /* [m] of way */
#define MOST   400  /* steps */
#define ROUNDS 40
#define CLOSE  1e-6 /* [m] to the ground */
#define LOOKS  5    /* along the way */

static double height_above(const tyi_dust *dust, const tyi_dust_parcel *p, double t, double ground)
{
    return ty_k_dust_at(p->x.z, p->v.z, dust->fall.z, t) - ground;
}

/* heights above ground of n parcels after times t, into above */
static ty_status look(tyi_dust *dust, const tyi_dust_parcel *p, size_t n, const double *t, double *above, ty_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        dust->gx[i] = fmin(fmax(ty_k_dust_at(p[i].x.x, p[i].v.x, dust->fall.x, t[i]), -dust->half), dust->half);
        dust->gy[i] = fmin(fmax(ty_k_dust_at(p[i].x.y, p[i].v.y, dust->fall.y, t[i]), -dust->half), dust->half);
    }
    ty_status status = ty_terrain_sample(dust->def.terrain, dust->level, n, dust->gx, dust->gy, dust->gz, NULL, diag);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        above[i] = height_above(dust, &p[i], t[i], dust->gz[i]);
    }
    return status;
}

/* the slow way, for one parcel */
static ty_status walk(tyi_dust *dust, const tyi_dust_parcel *p, double *lands, ty_diag *diag)
{
    double g = -dust->fall.z, v = fmax(ty_norm(p->v), 0.1), step = fmin(STEP / v, 0.25 * v / g), t = 0.0;
    double up = fmax(2.0 * p->v.z / g, 0.0), t0 = 0.0, t1 = up, f0, f1;
    ty_status status = look(dust, p, 1, &t, &f0, diag);
    bool came_up = f0 > 0.0, found = false;
    *lands = up; /* what does not come up stays where it was */
    for (int k = 1; k <= MOST && status == TY_OK && !found; k++) {
        t = k * step;
        status = look(dust, p, 1, &t, &f1, diag);
        found = came_up && f1 <= 0.0;
        if (found) {
            t1 = t;
        } else if (!came_up && f1 <= 0.0 && t > up) {
            return status;
        } else {
            came_up = came_up || f1 > 0.0;
            t0 = t, f0 = f1;
        }
    }
    *lands = found ? t1 : MOST * step; /* over a cliff: it is let go there */
    double above = 1.0;
    for (int round = 0; round < ROUNDS && found && status == TY_OK && fabs(above) > 0.1 * CLOSE; round++) {
        double at = round % 2 ? 0.5 * (t0 + t1) : t0 + (t1 - t0) * f0 / (f0 - f1);
        status = look(dust, p, 1, &at, &above, diag);
        *(above > 0.0 ? &t0 : &t1) = at;
        *(above > 0.0 ? &f0 : &f1) = above;
        *lands = at;
    }
    return status;
}

/* where they fall if the ground goes on as it is, by secants; the last heights above ground stay in f1 */
static ty_status guess(tyi_dust *dust, const tyi_dust_parcel *p, size_t n, ty_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        dust->t0[i] = 0.0;
    }
    ty_status status = look(dust, p, n, dust->t0, dust->f0, diag);
    for (size_t i = 0; i < n; i++) {
        double t = ty_k_dust_fall(p[i].v.z, dust->f0[i], -dust->fall.z);
        dust->t0[i] = 0.98 * t, dust->t1[i] = t;
    }
    status = status == TY_OK ? look(dust, p, n, dust->t0, dust->f0, diag) : status;
    status = status == TY_OK ? look(dust, p, n, dust->t1, dust->f1, diag) : status;
    for (int round = 0; round < 6 && status == TY_OK; round++) {
        for (size_t i = 0; i < n; i++) {
            double slope = (dust->f1[i] - dust->f0[i]) / (dust->t1[i] - dust->t0[i]);
            bool good = fabs(dust->f1[i]) > 0.1 * CLOSE && slope < -1e-3;
            double next = good ? dust->t1[i] - dust->f1[i] / slope : dust->t1[i];
            dust->t0[i] = good ? dust->t1[i] : dust->t0[i];
            dust->f0[i] = good ? dust->f1[i] : dust->f0[i];
            dust->t1[i] = fmax(next, 0.0);
        }
        status = look(dust, p, n, dust->t1, dust->f1, diag);
    }
    return status;
}

ty_status tyi_dust_land(tyi_dust *dust, tyi_dust_parcel *p, size_t n, ty_diag *diag)
{
    ty_status status = guess(dust, p, n, diag);
    double *at = dust->gz + TYI_DUST_BATCH, *above = dust->gy + TYI_DUST_BATCH; /* second halves of their room */
    for (size_t i = 0; i < n; i++) {
        p[i].lands = p[i].born + dust->t1[i];
        p[i].state =
            isfinite(dust->t1[i]) && fabs(dust->f1[i]) < CLOSE ? TYI_DUST_FLIES : TYI_DUST_DONE; /* found, or not */
    }
    for (int k = 0; k < LOOKS && status == TY_OK; k++) {
        for (size_t i = 0; i < n; i++) {
            at[i] = p[i].state == TYI_DUST_FLIES ? dust->t1[i] * k / LOOKS : 0.0;
        }
        status = look(dust, p, n, at, above, diag);
        for (size_t i = 0; i < n; i++) {
            p[i].state = above[i] > 0.0 ? p[i].state : TYI_DUST_DONE;
        }
    }
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        if (p[i].state != TYI_DUST_FLIES) {
            double lands = 0.0;
            status = walk(dust, &p[i], &lands, diag);
            p[i].lands = p[i].born + lands;
            p[i].state = TYI_DUST_FLIES;
        }
    }
    return status;
}
