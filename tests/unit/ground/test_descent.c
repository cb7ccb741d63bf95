/* Descents from 100 km to the ground, against rays that are followed step by step over the finest ground that a pixel
 * can tell.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "planet_support.h"

enum { WIDE = 128, HIGH = 96, SAMPLES = 24 };
#define FOV   60.0
#define CELLS 512

typedef struct tally {
    /* pixels compared; farther off than half a footprint; of these explained by half a pixel; sky */
    int seen, off, edge, sky;
    double worst, square; /* [footprints] of those not on an edge */
    int points, pops;
    double worst_pop;
} tally;

/* [m] along the ray, of a pixel at a distance, on ground that lies as the sphere does */
static double footprint(ty_vec3 o, ty_vec3 d, double range, double pixel, double R)
{
    ty_vec3 p = ty_add(o, ty_scale(range, d)), up = ty_normalize(ty_vec3_make(p.x, p.y, p.z + R));
    return range * pixel / fmax(fabs(ty_dot(up, d)), 0.05);
}

/* whether the rendered distance lies between those of rays half a pixel around: a silhouette within half a pixel */
static bool at_edge(ty_terrain *t, const ty_camera *c, double u, double v, double spacing, double range, double slack)
{
    double low = INFINITY, high = 0.0;
    for (int k = 0; k < 9; k++) {
        ty_vec3 o, d;
        ty_camera_ray(c, u + 0.5 * (k % 3 - 1), v + 0.5 * (k / 3 - 1), &o, &d);
        double r = follow_ray(t, spacing, o, d);
        low = fmin(low, r), high = fmax(high, r);
    }
    return range >= low - slack && range <= high + slack;
}

static void compare_pixel(ty_terrain *t, const ty_camera *c, int x, int y, double range, double pixel, tally *all)
{
    double R = ty_terrain_site(t)->radius;
    ty_vec3 o, d;
    ty_camera_ray(c, x + 0.5, y + 0.5, &o, &d);
    double near = isfinite(range) ? range : 1e5, spacing = fmax(near * pixel / 32.0, 0.01);
    double want = follow_ray(t, spacing, o, d);
    all->seen++;
    if (isinf(want) && isinf(range)) {
        all->sky++;
        return;
    }
    double size = footprint(o, d, isfinite(want) ? want : range, pixel, R), error = fabs(range - want) / size;
    if (error <= 0.5) {
        all->worst = fmax(all->worst, error);
        all->square += error * error;
    } else if (at_edge(t, c, x + 0.5, y + 0.5, spacing, range, 0.5 * size)) {
        all->edge++;
    } else {
        all->off++;
        printf("  pixel %d %d: %.6g m, by steps %.6g m: %.2f footprints\n", x, y, range, want, error);
    }
}

/* points that the frame before saw, looked at from here: one pixel towards each of them */
static void look_again(ty_scene *scene, ty_terrain *t, const ty_camera *now, const ty_vec3 *point, int points,
                       double pixel, tally *all)
{
    ty_render_def def = ty_render_def_default();
    for (int k = 0; k < points; k++) {
        ty_vec3 to = ty_sub(point[k], now->pose.p), d = ty_normalize(to);
        double range = 0.0, far = ty_norm(to), size = footprint(now->pose.p, d, far, pixel, ty_terrain_site(t)->radius);
        ty_camera one = *now;
        one.width = one.height = 1, one.hfov = 2.0 * atan(0.5 * pixel);
        one.pose.q = ty_camera_look(atan2(d.x, d.y), asin(d.z), 0.0);
        ty_render_buffers out = { .range = &range };
        cr_assert(ty_render(scene, &one, &def, &out, NULL) == TY_OK);
        double jump = fabs(range - far) / size;
        all->points++;
        if (jump <= 1.0) {
            all->worst_pop = fmax(all->worst_pop, jump);
        } else if (!at_edge(t, &one, 0.5, 0.5, fmax(far * pixel / 32.0, 0.01), range, size)) {
            all->pops++;
            printf("  a point %.6g m away is now at %.6g m: %.2f footprints\n", far, range, jump);
        }
    }
}

/* lat, lon: where it ends; the track comes from `off_deg` west of there */
static tally descend(ty_terrain *t, ty_scene *scene, double lat, double lon, double off_deg, int frames)
{
    ty_render_def def = ty_render_def_default();
    static double range[WIDE * HIGH];
    ty_render_buffers out = { .range = range };
    ty_vec3 point[SAMPLES];
    int points = 0;
    tally all = { 0 };
    for (int f = 0; f < frames; f++) {
        double u = (double)f / (frames - 1), above = 1e5 * pow(1.5 / 1e5, u), away = off_deg * above / 1e5;
        ty_camera c =
            camera_over(ty_terrain_site(t), lat, lon - away, 0.0, 90.0, -28.0 - 20.0 * sin(7.0 * u), FOV, WIDE, HIGH);
        double height = ground_height(t, ty_terrain_level(t, 1e-3 * above), c.pose.p) + above;
        c = camera_over(ty_terrain_site(t), lat, lon - away, height, 90.0, -28.0 - 20.0 * sin(7.0 * u), FOV, WIDE,
                        HIGH);
        double pixel = 2.0 * tan(0.5 * FOV * TY_DEG) / WIDE;
        look_again(scene, t, &c, point, points, pixel, &all);
        ty_diag diag = { 0 };
        cr_assert(ty_render(scene, &c, &def, &out, &diag) == TY_OK, "%s", diag.text);
        points = 0;
        for (int k = 0; k < SAMPLES; k++) { /* a lattice of rank 1 over the image */
            int x = (k * 55 + f * 13) % WIDE, y = (int)((k + 0.5) * HIGH / SAMPLES);
            compare_pixel(t, &c, x, y, range[y * WIDE + x], pixel, &all);
            ty_vec3 o, d;
            ty_camera_ray(&c, x + 0.5, y + 0.5, &o, &d);
            if (isfinite(range[y * WIDE + x]) && k % 3 == 0) {
                point[points++] = ty_add(o, ty_scale(range[y * WIDE + x], d));
            }
        }
    }
    int exact = all.seen - all.sky - all.off - all.edge;
    printf(
        "descent to %g, %g deg, %d frames: %d pixels, %d sky, %d off by over half a footprint, %d on a silhouette within half a pixel; "
        "the others rms %.3f, worst %.3f footprints; %d points seen twice: %d pops, worst jump %.3f footprints\n",
        lat, lon, frames, all.seen, all.sky, all.off, all.edge, sqrt(all.square / fmax(exact, 1)), all.worst,
        all.points, all.pops, all.worst_pop);
    return all;
}

static void check(double lat, double lon, double off_deg, bool control)
{
    const char *path = tyt_shared("data/gld100/gld100_global_16ppd.tif");
    if (!path) {
        cr_skip("shared/data/gld100 is absent");
    }
    ty_world *world = moon_over(lat, lon, (const char *const[]){ path, NULL });
    ty_terrain *t = ty_world_terrain(world);
    ty_scene *scene = moon_scene(t, CELLS, 0.5), *coarse = moon_scene(t, 256, 100.0);
    tally all = descend(t, scene, lat, lon, off_deg, tyt_long() ? 300 : 7);
    TY_ROW(lat < -80.0 ? "the same, to the pole"
           : lon > 0.0 ? "descent from 100 km to 45 S: 99.9 % of the pixels within half a footprint of depth, no pops"
                       : "the same, across the longitude seam",
           "brute-force rays on the finest ground", "%d frames: %d of %d off, worst %.2f footprints, %d pops",
           tyt_long() ? 300 : 7, all.off, all.seen, all.worst, all.pops);
    TY_CHECK(all.off <= 0.001 * all.seen);
    TY_CHECK(all.pops == 0);
    TY_CHECK(all.seen - all.sky > all.seen / 2 && all.points > all.seen / 8);
    if (control) { /* control: cells of many pixels are seen as such */
        tally bad = descend(t, coarse, lat, lon, off_deg, 3);
        TY_CHECK(bad.off > 0.01 * bad.seen);
    }
    ty_scene_destroy(coarse);
    ty_scene_destroy(scene);
    ty_world_destroy(world);
}

TY_TEST(descent, at_45_south, .timeout = 3600)
{
    check(-45.0, 170.0, 1.0, true);
}

TY_TEST(descent, across_the_longitude_seam, .timeout = 3600)
{
    check(-20.0, 0.0, 2.0, false); /* the raster's first column is at 0 deg */
}

TY_TEST(descent, at_the_pole, .timeout = 3600)
{
    check(-90.0, 0.0, 0.0, false);
}
