/* src/world/sunlight.c - how much of the Sun's disk, or another's, a place sees past ground and rocks.
 *
 * The ground is followed along the body's azimuth, from near to far and ever coarser: its steepest slope cuts the
 * disk by a level line. Wherever the way to the disk comes near enough to the ground, rocks of the sizes that count
 * there are looked up, and points spread over the disk say how much of it they hide. One thread, plain arithmetic,
 * no memory but the terrain's tiles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "world/terrain/inner.h"
#include "world/terrain/patch.h"
#include "world.h"
#include "tycho/world.h"

#define FINE   256.0 /* samples at a distance are that over this: 0.22 deg apart, half of the Sun's disk */
#define SMALL  1e-3  /* [rad] rocks that look smaller are left out: of the Sun's disk one hides 1 % */
#define POINTS 64    /* on the disk */
#define BATCH  32    /* samples of the ground in one stretch */
#define ROOM   128   /* rocks of one class of sizes at one stretch */

typedef struct sight {
    ty_terrain *terrain;
    ty_vec3 eye;
    double sx, sy;       /* horizontal unit vector towards the body */
    double low, high;    /* [-] slopes of the disk's lower and upper limb, with a little margin */
    double wide;         /* [-] half width of the disk over distance */
    double slope;        /* [-] steepest under which ground is seen so far */
    ty_vec3 dir[POINTS]; /* unit, towards the points of the disk */
    uint64_t hidden;     /* points behind rocks, one bit each */
} sight;

/* Points that share the disk evenly: each a golden angle on from the one before, at radii that grow as the root of
 * their number. */
static void spread(sight *s, const ty_sky_body *body)
{
    ty_vec3 d = ty_vec3_make(cos(body->elevation) * s->sx, cos(body->elevation) * s->sy, sin(body->elevation));
    ty_vec3 right = ty_vec3_make(s->sy, -s->sx, 0.0), up = ty_cross(right, d);
    for (int i = 0; i < POINTS; i++) {
        double r = tan(body->radius) * sqrt((i + 0.5) / POINTS), a = i * TY_PI * (3.0 - sqrt(5.0));
        s->dir[i] = ty_normalize(ty_add(d, ty_add(ty_scale(r * cos(a), right), ty_scale(r * sin(a), up))));
    }
}

static void hide(sight *s, const tyi_terrain_placed_rock *rock)
{
    for (int i = 0; i < POINTS; i++) {
        ty_terrain_hit hit = { .t = INFINITY };
        ty_ray ray = { s->eye, s->dir[i], 0.0, INFINITY };
        if (!(s->hidden >> i & 1)) {
            tyi_terrain_placed_rock_ray(rock, &ray, &hit);
            s->hidden |= (uint64_t)isfinite(hit.t) << i;
        }
    }
}

static ty_status hide_by(sight *s, const ty_rock *rock, ty_diag *diag)
{
    double x = rock->x - s->eye.x, y = rock->y - s->eye.y, along = x * s->sx + y * s->sy,
           across = fabs(x * s->sy - y * s->sx);
    if (along < -rock->diameter || across > rock->diameter + fmax(along, 0.0) * s->wide) {
        return TY_OK;
    }
    tyi_terrain_placed_rock placed;
    ty_status status = tyi_terrain_place_rock(s->terrain, rock, &placed, diag);
    if (status == TY_OK) {
        hide(s, &placed);
    }
    return status;
}

/* rocks of d to 2 d beside the stretch from a to b [m] of the way; where there are too many, in shorter pieces */
static ty_status look_at_class(sight *s, double d, double a, double b, ty_diag *diag)
{
    ty_rock rock[ROOM];
    double reach = 2.0 * d + b * s->wide; /* none reaches farther to a side than its diameter */
    ty_status status = TY_OK;
    for (double piece = b - a; a < b && status == TY_OK;) {
        double x0 = s->eye.x + a * s->sx, x1 = x0 + piece * s->sx, y0 = s->eye.y + a * s->sy, y1 = y0 + piece * s->sy;
        ty_rect rect = { fmin(x0, x1) - reach, fmin(y0, y1) - reach, fmax(x0, x1) + reach, fmax(y0, y1) + reach };
        size_t n = ty_terrain_rocks(s->terrain, rect, d, 2.0 * d, rock, ROOM);
        if (n > ROOM && piece > d) {
            piece *= 0.5;
            continue;
        }
        for (size_t i = 0; i < n && i < ROOM && status == TY_OK; i++) {
            status = hide_by(s, &rock[i], diag);
        }
        a += piece;
    }
    return status;
}

/* Rocks beside a stretch over which the way to the disk's lower limb clears the ground by `clear` [m] at least. */
static ty_status look_at_rocks(sight *s, double a, double b, double clear, ty_diag *diag)
{
    const ty_rock_def *def = &ty_terrain_get_def(s->terrain)->rock;
    double most = tyi_terrain_rock_most(s->terrain);
    /* none stands higher than 1.5 diameters; beside the way the ground may be higher, by half of the distance say */
    double least = fmax(fmax(def->d_min, SMALL * a), 0.5 * (clear - 0.5 * b * s->wide));
    ty_status status = TY_OK;
    for (double d = exp2(floor(log2(least))); d < most && ~s->hidden && status == TY_OK; d *= 2.0) {
        status = look_at_class(s, d, a, b, diag);
    }
    return status;
}

/* along the ground, until that hides all */
static ty_status follow(sight *s, double far, ty_diag *diag)
{
    double x[BATCH], y[BATCH], z[BATCH], t[BATCH], at = fmax(0.5, 2.0 * ty_terrain_spacing(s->terrain, 0)), from = 0.0;
    ty_status status = TY_OK;
    while (at < far && s->slope < s->high && ~s->hidden && status == TY_OK) {
        int level = ty_terrain_level(s->terrain, at / FINE);
        double step = fmax(ty_terrain_spacing(s->terrain, level), at / FINE), clear = INFINITY;
        size_t n = 0;
        for (; n < BATCH && at < far; n++, at += step) {
            x[n] = s->eye.x + s->sx * at, y[n] = s->eye.y + s->sy * at, t[n] = at;
        }
        status = ty_terrain_sample(s->terrain, level, n, x, y, z, NULL, diag);
        for (size_t k = 0; k < n && status == TY_OK; k++) {
            s->slope = fmax(s->slope, (z[k] - s->eye.z) / t[k]);
            clear = fmin(clear, s->eye.z + t[k] * s->low - z[k]);
        }
        if (status == TY_OK) {
            status = look_at_rocks(s, from, at, clear, diag);
        }
        from = at;
    }
    return status;
}

/* what rocks leave of the part above the ground [-] */
static double past_rocks(const sight *s)
{
    int above = 0, free = 0;
    for (int i = 0; i < POINTS; i++) {
        bool over = s->dir[i].z > s->slope * hypot(s->dir[i].x, s->dir[i].y);
        above += over;
        free += over && !(s->hidden >> i & 1);
    }
    return above ? (double)free / above : 1.0; /* nothing but a sliver is left of it */
}

ty_status ty_terrain_sees(ty_terrain *terrain, ty_vec3 p_W, const ty_sky_body *body, double far, double *fraction,
                          ty_diag *diag)
{
    double top = body->elevation + 1.01 * body->radius, bottom = body->elevation - 1.01 * body->radius;
    *fraction = 0.0;
    if (top <= -80.0 * TY_DEG) { /* all that is left is the ground at the eye's feet */
        return TY_OK;
    }
    sight s = { .terrain = terrain,
                .eye = p_W,
                .sx = sin(body->azimuth),
                .sy = cos(body->azimuth),
                .slope = -1e9,
                .low = tan(fmax(bottom, -89.0 * TY_DEG)),
                .high = tan(fmin(top, 89.0 * TY_DEG)) };
    s.wide = tan(1.01 * body->radius) / cos(fmin(fabs(body->elevation), 89.0 * TY_DEG));
    spread(&s, body);
    ty_status status = follow(&s, far, diag);
    if (status == TY_OK) {
        *fraction = ty_sky_visible(body, atan(s.slope)) * past_rocks(&s);
    }
    return status;
}

#define PANELS 0.5   /* [m] above a rover's origin, about where its panels are */
#define FAR    300e3 /* [m] ground that may stand before the Sun: as far as cameras see it */

ty_status tyi_world_sunlight(ty_terrain *terrain, ty_pose at, const ty_sky_body *sun, double *lit, ty_diag *diag)
{
    return ty_terrain_sees(terrain, ty_pose_point(at, ty_vec3_make(0.0, 0.0, PANELS)), sun, FAR, lit, diag);
}
