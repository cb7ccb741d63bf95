/* Skylines and sunlight against relief whose horizon has a closed form, on a curved Moon.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tycho/world.h"
#include "world/inner.h"

typedef struct relief {
    double cone_x, cone_y, cone_height, cone_radius; /* [m] W */
    double ridge_x, ridge_height, ridge_width;       /* [m] a wall along x = ridge_x */
    double spacing;                                  /* [m] of the base; 0: 50 */
    ty_site site;
} relief;

static ty_status heights(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                         ty_diag *diag)
{
    (void)spacing, (void)diag;
    const relief *r = user;
    for (size_t k = 0; k < n; k++) {
        ty_vec3 p = ty_site_point(&r->site, lat[k], lon[k], 0.0);
        double cone = r->cone_height * (1.0 - hypot(p.x - r->cone_x, p.y - r->cone_y) / r->cone_radius);
        double ridge = r->ridge_height * (1.0 - fabs(p.x - r->ridge_x) / r->ridge_width);
        height[k] = fmax(0.0, fmax(cone, ridge));
    }
    return TY_OK;
}

static ty_terrain *make(relief *r)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.crater.on = def.rock.on = false;
    def.relief.rms_slope_deg = 0.0;
    def.lat = -1.3;
    def.lon = 0.7;
    def.extent = 20000.0;
    r->site = ty_site_make(def.lat, def.lon, def.radius);
    def.base = (ty_terrain_base){ .sample = heights, .user = r, .spacing = r->spacing > 0.0 ? r->spacing : 50.0 };
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    ty_terrain_create(&def, &t, &diag);
    cr_assert(t, "%s", diag.text);
    return t;
}

/* z in W of a point at height h over the sphere, on the vertical above (x, y); heights are along the radius, so the
 * point itself lies farther out by the factor (R + h) / R */
static ty_vec3 over_sphere(double x, double y, double h)
{
    double R = TY_MOON_RADIUS, z = sqrt(R * R - x * x - y * y);
    return ty_vec3_make(x * (R + h) / R, y * (R + h) / R, z * (R + h) / R - R);
}

static double slope_to(double x, double y, double h) /* from the origin */
{
    ty_vec3 p = over_sphere(x, y, h);
    return p.z / hypot(p.x, p.y);
}

/* A cone 9 km to the north-east and 60 km away: the skyline towards its tip is the direction of the tip. */
TY_TEST(skyline, tip_of_a_cone_near_and_far, .timeout = 120)
{
    static const double where[2][2] = { { 6400.0, 6400.0 }, { 36000.0, 48000.0 } };
    for (int k = 0; k < 2; k++) {
        relief r = { .cone_x = where[k][0],
                     .cone_y = where[k][1],
                     .cone_height = 3000.0,
                     .cone_radius = 5000.0,
                     .ridge_width = 1.0 };
        ty_terrain *t = make(&r);
        tyi_world_skyline *s = NULL;
        ty_rect rect = { -100.0, -100.0, 100.0, 100.0 };
        cr_assert(tyi_world_skyline_create(t, rect, 50.0, 250e3, 0, &s, NULL) == TY_OK);
        enum { N = 3600 };
        static double slope[N];
        tyi_world_skyline_at(s, 0.0, 0.0, 0.0, N, slope);
        double azimuth = atan2(where[k][0], where[k][1]);
        double got = atan(slope[(int)lround(azimuth / (2.0 * TY_PI) * N)]) / TY_DEG;
        double want = atan(slope_to(where[k][0], where[k][1], 3000.0)) / TY_DEG;
        printf("skyline: cone at %.0f km, got %.4f deg, want %.4f deg\n", hypot(where[k][0], where[k][1]) / 1e3, got,
               want);
        TY_NEAR(got, want, 0.05);
        double flat = atan(3000.0 / hypot(where[k][0], where[k][1])) / TY_DEG;
        TY_FAR(got, flat, 0.05); /* control: a flat Moon */
        /* away from the cone the horizon of a bare sphere, seen from its surface, is the horizontal */
        TY_NEAR(atan(slope[N / 2 + (int)(azimuth / (2.0 * TY_PI) * N)]) / TY_DEG, 0.0, 0.05);
        tyi_world_skyline_destroy(s);
        ty_terrain_destroy(t);
    }
    TY_ROW("skyline of a cone 9 and 60 km away on the curved Moon within 0.05 deg", "closed form", "worst %.3f deg",
           tyt_worst("got"));
}

/* A wall along x = 12 km: towards azimuth a its crest is at distance 12 km / sin a, lower by the curvature there. */
TY_TEST(skyline, crest_of_a_ridge, .timeout = 120)
{
    relief r = { .cone_radius = 1.0, .ridge_x = 12000.0, .ridge_height = 1500.0, .ridge_width = 3000.0 };
    ty_terrain *t = make(&r);
    tyi_world_skyline *s = NULL;
    ty_rect rect = { -100.0, -100.0, 100.0, 100.0 };
    cr_assert(tyi_world_skyline_create(t, rect, 50.0, 250e3, 0, &s, NULL) == TY_OK);
    static double slope[720];
    tyi_world_skyline_at(s, 0.0, 0.0, 0.0, 720, slope);
    double worst = 0.0;
    for (int k = 30; k <= 330; k += 5) { /* 15 to 165 deg */
        double a = 2.0 * TY_PI * k / 720;
        double want = atan(slope_to(12000.0, 12000.0 / tan(a), 1500.0)) / TY_DEG;
        double got = atan(slope[k]) / TY_DEG;
        worst = fmax(worst, fabs(got - want));
        TY_NEAR(got, want, 0.05);
    }
    printf("skyline: ridge, worst error %.4f deg\n", worst);
    tyi_world_skyline_destroy(s);
    ty_terrain_destroy(t);
    TY_ROW("skyline of a ridge 12 to 46 km away within 0.05 deg", "closed form", "worst %.3f deg", worst);
}

/* On a bare sphere each point is lit while the Sun's disk is above its horizontal: the fraction of a day follows
 * from the Sun's elevation alone. Behind a wall to the east the morning is missing. */
TY_TEST(skyline, light_of_a_bare_sphere_and_behind_a_wall, .timeout = 120)
{
    relief bare = { .cone_radius = 1.0, .ridge_width = 1.0 };
    relief wall = { .cone_radius = 1.0, .ridge_x = 3000.0, .ridge_height = 2500.0, .ridge_width = 2000.0 };
    ty_sunlight_def def = ty_sunlight_def_default();
    ty_utc_parse("2026-01-01T00:00:00", &def.start, NULL);
    def.nx = def.ny = 1;
    def.azimuths = 720;
    float lit[2];
    double want = 0.0;
    for (int k = 0; k < 2; k++) {
        ty_terrain *t = make(k ? &wall : &bare);
        cr_assert(ty_sunlight_map(t, &def, NULL, &lit[k], NULL) == TY_OK);
        static ty_sky_view view[354];
        ty_sky_series(ty_terrain_site(t), def.start, def.step, 354, view, NULL);
        for (int i = 0; i < 354 && k == 0; i++) {
            want += ty_sky_visible(&view[i].sun, 0.0) / 354;
        }
        ty_terrain_destroy(t);
    }
    printf("light: bare sphere %.4f, want %.4f, behind a wall %.4f\n", (double)lit[0], want, (double)lit[1]);
    TY_NEAR((double)lit[0], want, 2e-3); /* half a step of 2 h in 354 */
    TY_CHECK(lit[1] < lit[0] - 0.1f && lit[1] > 0.0f);
    ty_sunlight_def zero = { 0 };
    ty_diag diag = { 0 };
    TY_CHECK(ty_sunlight_map(NULL, &zero, NULL, lit, &diag) == TY_ERR_DEF && diag.text[0]);
    TY_ROW("lit share of a lunar day on a bare sphere within 0.002", "the Sun's elevation alone", "%.4f",
           tyt_worst("(double)lit[0]"));
}

/* Towards a crest whose elevation is known, bodies in front of it: hidden below, whole above, and between as much as
 * ty_sky_visible() says. Over a bare sphere the horizon is the horizontal. */
TY_TEST(skyline, disk_of_a_body_behind_a_ridge, .timeout = 60)
{
    relief wall = {
        .cone_radius = 1.0, .ridge_x = 4000.0, .ridge_height = 800.0, .ridge_width = 1500.0, .spacing = 5.0
    };
    relief bare = { .cone_radius = 1.0, .ridge_width = 1.0 };
    ty_terrain *t = make(&wall), *flat = make(&bare);
    double crest = atan(slope_to(4000.0, 0.0, 800.0)), worst = 0.0, least = 1.0, most = 0.0, got = NAN;
    ty_vec3 eye = { 0.0, 0.0, 0.0 };
    for (int k = -20; k <= 20; k++) {
        ty_sky_body sun = { .azimuth = 0.5 * TY_PI, .elevation = crest + 0.03 * k * TY_DEG, .radius = 0.2665 * TY_DEG };
        cr_assert(ty_terrain_sees(t, eye, &sun, 250e3, &got, NULL) == TY_OK);
        worst = fmax(worst, fabs(got - ty_sky_visible(&sun, crest)));
        least = fmin(least, got), most = fmax(most, got);
    }
    printf("skyline: visible part of a disk behind a crest at %.3f deg differs by %.3f at most\n", crest / TY_DEG,
           worst);
    TY_CHECK(least == 0.0 && most == 1.0);
    TY_NEAR(worst, 0.0, 0.12); /* 0.05 deg of a disk of 0.53 deg: samples of 10 m cut the crest */
    ty_sky_body west = { .azimuth = 1.5 * TY_PI, .elevation = 0.5 * TY_DEG, .radius = 0.2665 * TY_DEG }, deep = west;
    /* control: away from the wall */
    TY_CHECK(ty_terrain_sees(t, eye, &west, 250e3, &got, NULL) == TY_OK && got == 1.0);
    deep.elevation = -85.0 * TY_DEG;
    TY_CHECK(ty_terrain_sees(t, eye, &deep, 250e3, &got, NULL) == TY_OK && got == 0.0);
    ty_sky_body low = { .azimuth = 0.5 * TY_PI, .elevation = 0.0, .radius = 0.2665 * TY_DEG };
    TY_CHECK(ty_terrain_sees(flat, eye, &low, 250e3, &got, NULL) == TY_OK);
    TY_NEAR(got, 0.5, 0.02);
    ty_terrain_destroy(t);
    ty_terrain_destroy(flat);
}
