/* Sunlight over one lunar day on the Malapert massif, a 20 km site on the real 400 m map of the
 * south pole with generated detail: bright ridges and dark floors where the relief says.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_philox.h"
#include "tyt.h"
#include "tycho/scenario.h"
#include "world/inner.h"

typedef struct site {
    ty_world *world;
    ty_terrain *terrain;
    ty_sunlight_def def;
    float *light;
    double *height; /* above the sphere, at the points of the map */
} site;

static site make(const char *base, int n)
{
    site s = { 0 };
    ty_scenario scenario = ty_scenario_default();
    ty_diag diag = { 0 };
    scenario.terrain.lat = -86.0 * TY_DEG;
    scenario.terrain.lon = 2.0 * TY_DEG;
    scenario.terrain.extent = 20000.0;
    snprintf(scenario.start_utc, sizeof scenario.start_utc, "2026-12-01T00:00:00");
    snprintf(scenario.base_path, sizeof scenario.base_path, "%s", base);
    cr_assert(ty_scenario_create_world(&scenario, &s.world, &diag) == TY_OK, "%s", diag.text);
    s.terrain = ty_world_terrain(s.world);
    s.def = ty_sunlight_def_default();
    s.def.start = ty_world_start(s.world);
    s.def.nx = s.def.ny = n;
    s.def.spacing = 20000.0 / n;
    s.def.x0 = s.def.y0 = -10000.0 + 0.5 * s.def.spacing;
    s.light = calloc((size_t)n * (size_t)n, sizeof *s.light);
    s.height = calloc((size_t)n * (size_t)n, sizeof *s.height);
    cr_assert(ty_sunlight_map(s.terrain, &s.def, NULL, s.light, &diag) == TY_OK, "%s", diag.text);
    int level = ty_terrain_level(s.terrain, s.def.spacing);
    for (int k = 0; k < n * n; k++) {
        double x = s.def.x0 + k % n * s.def.spacing, y = s.def.y0 + k / n * s.def.spacing, z, lat, lon;
        ty_terrain_sample(s.terrain, level, 1, &x, &y, &z, NULL, NULL);
        ty_site_geodetic(ty_terrain_site(s.terrain), ty_vec3_make(x, y, z), &lat, &lon, &s.height[k]);
    }
    return s;
}

static void done(site *s)
{
    free(s->light);
    free(s->height);
    ty_world_destroy(s->world);
}

/* Pearson's correlation of light with the height over its surroundings, within `reach` points;
 * shift: light of another place */
static double correlation(const site *s, int reach, int shift)
{
    int n = s->def.nx;
    double sa = 0.0, sb = 0.0, saa = 0.0, sbb = 0.0, sab = 0.0, m = 0.0;
    for (int j = reach; j < n - reach; j++) {
        for (int i = reach; i < n - reach; i++) {
            double mean = 0.0, count = 0.0;
            for (int q = -reach; q <= reach; q++) {
                for (int p = -reach; p <= reach; p++, count++) {
                    mean += s->height[(j + q) * n + i + p];
                }
            }
            double a = s->height[j * n + i] - mean / count, b = (double)s->light[(j + shift) % n * n + (i + shift) % n];
            sa += a, sb += b, saa += a * a, sbb += b * b, sab += a * b, m++;
        }
    }
    return (sab - sa * sb / m) / sqrt((saa - sa * sa / m) * (sbb - sb * sb / m));
}

/* light at a point from its whole skyline, without the map's short cuts; *hidden: the Sun never
 * rises above the skyline */
static double by_skyline(const tyi_world_skyline *skyline, const ty_sky_view *sun, int steps, double x, double y,
                         double lift, bool *hidden)
{
    enum { N = 360 };
    double slope[N], sum = 0.0;
    tyi_world_skyline_at(skyline, x, y, 0.0, N, slope);
    *hidden = true;
    for (int t = 0; t < steps; t++) {
        ty_sky_body b = sun[t].sun;
        b.elevation += lift;
        double at = b.azimuth / (2.0 * TY_PI) * N, u = at - floor(at);
        int k = (int)at % N;
        double low = fmin(slope[k], slope[(k + 1) % N]), sky = atan(slope[k] + (slope[(k + 1) % N] - slope[k]) * u);
        sum += ty_sky_visible(&b, sky) / steps;
        *hidden = *hidden && atan(low) > b.elevation + b.radius;
    }
    return sum;
}

TY_TEST(light, ridges_are_bright_and_floors_are_dark, .timeout = 600)
{
    TY_NEED_SHARED(path, "data/gld100/south_pole_80S_400m.tif");
    int n = tyt_long() ? 400 : 40;
    site s = make(path, n);
    double mean = 0.0, dark = 0.0, bright = 0.0;
    for (int k = 0; k < n * n; k++) {
        mean += (double)s.light[k] / (n * n);
        dark += s.light[k] < 0.05f;
        bright += s.light[k] > 0.8f;
    }
    int reach = n * 3 / 40; /* 1.5 km */
    double r = correlation(&s, reach, 0), control = correlation(&s, reach, n / 3);
    printf("light: %d x %d points, mean %.3f, %.2f %% below 0.05, %.2f %% above 0.8; correlation "
           "with height over the surroundings %.2f "
           "(elsewhere: %.2f)\n",
           n, n, mean, 100.0 * dark / (n * n), 100.0 * bright / (n * n), r, control);
    TY_CHECK(r > 0.5);
    TY_CHECK(control < 0.3); /* control: the light of another place */
    TY_CHECK(dark > 0.0 && bright > 0.0);
    done(&s);
}

/* The map looks at the skyline only where the Sun's disk passes; looking at all of it gives the same. */
TY_TEST(light, short_cuts_change_nothing, .timeout = 300)
{
    TY_NEED_SHARED(path, "data/gld100/south_pole_80S_400m.tif");
    enum { N = 40 };
    site s = make(path, N);
    ty_sky_view *sun = calloc((size_t)s.def.steps, sizeof *sun);
    ty_sky_series(ty_terrain_site(s.terrain), s.def.start, s.def.step, (size_t)s.def.steps, sun, NULL);
    double last = s.def.x0 + (N - 1) * s.def.spacing;
    ty_rect rect = { s.def.x0, s.def.y0, last, last };
    tyi_world_skyline *skyline = NULL;
    cr_assert(tyi_world_skyline_create(s.terrain, rect, s.def.spacing, s.def.far, 0, &skyline, NULL) == TY_OK);
    double worst = 0.0, differ = 0.0, higher = 0.0;
    int hiddens = 0, points = 0;
    for (int k = 0; k < N * N; k++) {
        bool hidden, unused;
        if (k % 29 != 0 && s.light[k] > 0.03f) { /* some points, and all dark ones */
            continue;
        }
        points++;
        double x = s.def.x0 + k % N * s.def.spacing, y = s.def.y0 + k / N * s.def.spacing;
        double want = by_skyline(skyline, sun, s.def.steps, x, y, 0.0, &hidden), got = (double)s.light[k];
        higher += by_skyline(skyline, sun, s.def.steps, x, y, 0.5 * TY_DEG, &unused) - got;
        worst = fmax(worst, fabs(got - want));
        differ += got - want;
        hiddens += hidden;
        TY_CHECK(!hidden || got == 0.0); /* the skyline is above the Sun's highest point at every azimuth it has */
    }
    printf("light: %d points from their whole skyline: worst difference %.4f, mean %+.5f; %d never "
           "lit; a Sun 0.5 deg higher: %+.3f\n",
           points, worst, differ / points, hiddens, higher / points);
    /* between two azimuths a skyline that leaves the disk is cut off at its edge: a step of 2 h now and then */
    TY_CHECK(hiddens > 0);
    TY_NEAR(worst, 0.0, 0.01);
    TY_NEAR(differ / points, 0.0, 0.002);
    TY_FAR(higher / points, 0.0, 0.01); /* control */
    tyi_world_skyline_destroy(skyline);
    free(sun);
    done(&s);
}
