/* Light over far relief: sunrise behind a range, a crater's shadow; and precision near the site.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "planet_support.h"

#define R TY_MOON_RADIUS

/* A range all round the site, and a crater beside it: heights in closed form. */
typedef struct relief {
    ty_site site;
    double away, high, half;         /* [m] of the range */
    double crater_x, crater_r, deep; /* [m] */
} relief;

static double range_height(const relief *r, double s)
{
    double u = fabs(s - r->away) / r->half;
    return u < 1.0 ? 0.5 * r->high * (1.0 + cos(TY_PI * u)) : 0.0;
}

static ty_status heights(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                         ty_diag *diag)
{
    (void)spacing, (void)diag;
    const relief *r = user;
    for (size_t k = 0; k < n; k++) {
        ty_vec3 p = ty_site_point(&r->site, lat[k], lon[k], 0.0);
        double s = R * atan2(hypot(p.x, p.y), p.z + R), c = hypot(p.x - r->crater_x, p.y) / fmax(r->crater_r, 1.0);
        height[k] = range_height(r, s) - (c < 1.0 ? 0.5 * r->deep * (1.0 + cos(TY_PI * c)) : 0.0);
    }
    return TY_OK;
}

/* the skyline of the range: the steepest elevation over its profile */
static double skyline(const relief *r, double eye)
{
    double most = -1.0;
    for (double s = 20e3; s < r->away + r->half; s += 1.0) {
        double c = s / R, up = R + range_height(r, s);
        most = fmax(most, atan2(up * cos(c) - R - eye, up * sin(c)));
    }
    return most;
}

/* visible fraction of the Sun at a point of the ground, from a camera so high above it that grains of soil, which
 * have slopes of their own, are not seen */
static double sunlit(ty_scene *scene, ty_vec3 p, int samples)
{
    float share[64 * 64];
    double sum = 0.0;
    ty_camera c = ty_camera_default();
    c.width = c.height = 8, c.hfov = 0.5 * TY_DEG;
    c.pose = (ty_pose){ ty_vec3_make(p.x, p.y, p.z + 300.0), ty_camera_look(0.0, -89.9 * TY_DEG, 0.0) };
    ty_render_def def = ty_render_def_default();
    def.samples = samples;
    float radiance[64 * 64];
    ty_render_buffers out = { .radiance = radiance, .sunlit = share };
    cr_assert(ty_render(scene, &c, &def, &out, NULL) == TY_OK);
    for (int i = 0; i < 64; i++) {
        sum += (double)share[i] / 64.0;
    }
    return sum;
}

/* The middle of the Sun passes the crest of a range 60 km away when its elevation is that of the skyline: by ephemeris,
 * to the minute. */
TY_TEST(shadow, sunrise_behind_a_range, .timeout = 120)
{
    relief r = { .away = 60e3, .high = 3000.0, .half = 9000.0, .crater_r = 0.0, .deep = 0.0 };
    double lat = -20.0, lon = 100.0;
    r.site = ty_site_make(lat * TY_DEG, lon * TY_DEG, R);
    ty_terrain_base base = { .sample = heights, .user = &r, .spacing = 60.0 };
    ty_terrain *t = moon_of(lat, lon, base);
    ty_scene *scene = moon_scene(t, 1024, 0.5);
    double crest = skyline(&r, 0.0);
    ty_utc start;
    cr_assert(ty_utc_parse("2027-01-01T00:00:00", &start, NULL) == TY_OK);
    /* first hour in which the Sun is up over the skyline, then the minute by bisection, once by angle, once by light */
    enum { HOURS = 720 };
    static ty_sky_view view[HOURS];
    cr_assert(ty_sky_series(&r.site, start, 3600 * TY_SECOND, HOURS, view, NULL) == TY_OK);
    int hour = 1;
    while (hour < HOURS - 1 && !(view[hour - 1].sun.elevation < crest && view[hour].sun.elevation >= crest)) {
        hour++;
    }
    double when[2];
    for (int by = 0; by < 2; by++) {
        double low = (hour - 2) * 3600.0, high = (hour + 1) * 3600.0;
        for (int k = 0; k < 12; k++) {
            double m = 0.5 * (low + high);
            ty_sky_view now[2];
            cr_assert(ty_sky_series(&r.site, start, ty_time_from(m), 2, now, NULL) == TY_OK);
            bool up = now[1].sun.elevation >= crest;
            if (by) {
                cr_assert(ty_scene_set_sky(scene, &now[1], NULL, NULL) == TY_OK);
                up = sunlit(scene, ty_vec3_make(0, 0, 0), 64) >= 0.5;
            }
            *(up ? &high : &low) = m;
        }
        when[by] = 0.5 * (low + high);
    }
    printf("shadow: skyline of the range at %.4f deg; sunrise %.0f s later than by the ephemeris\n", crest / TY_DEG,
           when[1] - when[0]);
    TY_NEAR(when[1], when[0], 60.0);
    /* control: without the Moon's curve the range would stand higher by half its distance over R: 1 deg, two hours */
    TY_FAR(atan2(3000.0, 60e3) / TY_DEG * 3600.0 / 0.508, crest / TY_DEG * 3600.0 / 0.508, 60.0);
    ty_scene_destroy(scene);
    ty_terrain_destroy(t);
    TY_ROW("sunrise behind a range 60 km away within 60 s", "ephemeris and closed form", "%.0f s",
           fabs(when[1] - when[0]));
}

/* A rover on the floor of a crater stays dark while the rim beside it is lit. */
TY_TEST(shadow, a_crater_floor_stays_dark)
{
    relief r = { .away = 60e3, .high = 0.0, .half = 1.0, .crater_x = 0.0, .crater_r = 1500.0, .deep = 600.0 };
    r.site = ty_site_make(-85.0 * TY_DEG, 0.0, R);
    ty_terrain_base base = { .sample = heights, .user = &r, .spacing = 20.0 };
    ty_terrain *t = moon_of(-85.0, 0.0, base);
    ty_scene *scene = moon_scene(t, 512, 0.5);
    for (int k = 0; k < 6; k++) { /* Sun all round, 3 deg high: the wall stands 20 deg high from the floor */
        double a = k * 60.0 * TY_DEG, e = 3.0 * TY_DEG, x = 1600.0, y = 0.0, z;
        ty_light sun = { .kind = TY_LIGHT_DISK,
                         .dir_W = { cos(e) * sin(a), cos(e) * cos(a), sin(e) },
                         .radius = 0.265 * TY_DEG,
                         .power = { 1361.0 } };
        ty_scene_clear_lights(scene);
        cr_assert(ty_scene_add_light(scene, &sun, NULL) == TY_OK);
        cr_assert(ty_terrain_sample(t, 0, 1, &x, &y, &z, NULL, NULL) == TY_OK);
        TY_NEAR(sunlit(scene, ty_vec3_make(0, 0, -600.0), 4), 0.0, 0.0);
        TY_NEAR(sunlit(scene, ty_vec3_make(x, y, z), 4), 1.0, 0.0);
    }
    ty_scene_destroy(scene);
    ty_terrain_destroy(t);
    TY_ROW("a crater's floor stays dark while its rim is lit", "Sun all round, 3 deg high", "6 of 6 directions");
}

/* A ball 5 m from the origin of sites all round the Moon, under a Sun at its true distance: distances to it and to
 * the ground around it have no noise, and a standing camera gives the same bits again. */
TY_TEST(shadow, precision_near_the_site)
{
    relief r = { .away = 60e3, .high = 0.0, .half = 1.0 };
    enum { W = 64, H = 48 };
    static double range[2][W * H];
    static float radiance[2][W * H];
    ty_render_def def = ty_render_def_default();
    def.samples = 2;
    double worst = 0.0;
    for (int k = 0; k < 4; k++) {
        double lat = -80.0 + 55.0 * k, lon = -179.9 + 119.0 * k;
        r.site = ty_site_make(lat * TY_DEG, lon * TY_DEG, R);
        ty_terrain *t = moon_of(lat, lon, (ty_terrain_base){ .sample = heights, .user = &r, .spacing = 1000.0 });
        ty_scene *scene = moon_scene(t, 256, 0.5);
        ty_vec3 to_sun = ty_normalize(ty_vec3_make(0.6, 0.5, 0.4)), ball = { 5.0, 0.0, 0.6 };
        ty_object_def sun = { .radius = 6.957e8,
                              .material = ty_material_lambert(0.0),
                              .kind = TY_CLASS_OBJECT,
                              .pose = { ty_scale(1.496e11, to_sun), ty_quat_identity() } };
        ty_object_def rover = { .radius = 0.5,
                                .material = ty_material_lambert(0.3),
                                .kind = TY_CLASS_ROVER,
                                .pose = { ball, ty_quat_identity() } };
        uint32_t id;
        cr_assert(ty_scene_add(scene, &sun, &id, NULL) == TY_OK && ty_scene_add(scene, &rover, &id, NULL) == TY_OK);
        ty_light lamp = { .kind = TY_LIGHT_DISK, .dir_W = to_sun, .radius = 0.265 * TY_DEG, .power = { 1361.0 } };
        cr_assert(ty_scene_add_light(scene, &lamp, NULL) == TY_OK);
        ty_camera c = ty_camera_default();
        c.width = W, c.height = H, c.hfov = 60.0 * TY_DEG;
        c.pose = (ty_pose){ { 1.0, 0.3, 1.4 }, ty_camera_look(90.0 * TY_DEG, -15.0 * TY_DEG, 0.0) };
        for (int again = 0; again < 2; again++) {
            ty_render_buffers out = { .range = range[again], .radiance = radiance[again] };
            cr_assert(ty_render(scene, &c, &def, &out, NULL) == TY_OK);
        }
        TY_CHECK(!memcmp(range[0], range[1], sizeof range[0]) && !memcmp(radiance[0], radiance[1], sizeof radiance[0]));
        for (int i = 0; i < W * H; i++) {
            ty_vec3 o, d;
            ty_camera_ray(&c, i % W + 0.5, i / W + 0.5, &o, &d);
            ty_vec3 m = ty_vec3_make(o.x, o.y, o.z + R), b = ty_sub(o, ball);
            double on = ty_dot(b, d), q = on * on - ty_dot(b, b) + 0.25, down = ty_dot(m, d),
                   s = down * down - ty_dot(m, m) + R * R;
            double want = q > 1e-3                             ? -on - sqrt(q)
                          : q < -1e-3 && s > 0.0 && down < 0.0 ? -down - sqrt(s)
                                                               : (double)INFINITY;
            worst = want < 30.0 ? fmax(worst, fabs(range[0][i] - want)) : worst;
        }
        ty_scene_destroy(scene);
        ty_terrain_destroy(t);
    }
    printf("shadow: distances within 30 m of the camera off by %.1e m at most\n", worst);
    TY_NEAR(worst, 0.0, 1e-4);
    TY_ROW("distances within 30 m of the camera to 1e-4 m at any longitude, Sun at its true distance", "closed form",
           "worst %.1e m", worst);
}
