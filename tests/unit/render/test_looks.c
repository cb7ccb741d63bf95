/* tests/unit/render/test_looks.c - textures, normal maps, ground that varies, stars, the Earth's disk, and kinds
 * that a program registers: against analytic radiance, even scenes and published magnitudes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"
#include "tycho/render.h"

static ty_render_def still(int samples)
{
    ty_render_def d = ty_render_def_default();
    d.samples = samples;
    d.jitter = false;
    d.threads = 1;
    return d;
}

/* a square of 2 m on the ground plane, seen from 2 m above; the upper left corner of its texture lies north-west */
static ty_scene *sheet(ty_material m, const float *uv, double sun_elevation)
{
    const float v[12] = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 }, plain[8] = { 0, 1, 1, 1, 1, 0, 0, 0 };
    const uint32_t t[6] = { 0, 1, 2, 0, 2, 3 };
    ty_scene *s = bare_scene();
    ty_texture_def two = { 2, 2, 1, 8, (const uint8_t[]){ 255, 128, 64, 0 }, true, TY_WRAP_CLAMP, TY_WRAP_CLAMP };
    ty_texture_def tilt = { 1, 1, 3, 16, NULL, false, TY_WRAP_REPEAT, TY_WRAP_REPEAT };
    double a = 20.0 * TY_DEG;
    const uint16_t normal[3] = { (uint16_t)lrint(65535.0 * (0.5 + 0.5 * sin(a))), 32768,
                                 (uint16_t)lrint(65535.0 * (0.5 + 0.5 * cos(a))) };
    tilt.data = normal;
    uint32_t id;
    TY_CHECK(ty_scene_add_texture(s, &two, &id, NULL) == TY_OK && id == 1);
    TY_CHECK(ty_scene_add_texture(s, &tilt, &id, NULL) == TY_OK && id == 2);
    ty_object_def def = { .vertex = v,
                          .triangle = t,
                          .vertices = 4,
                          .triangles = 2,
                          .uv = uv ? uv : plain,
                          .material = m,
                          .kind = TY_CLASS_OBJECT,
                          .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    add_sun(s, 90.0, sun_elevation, 0.0, TY_PI);
    return s;
}

/* sRGB's curve at 128 and 64, from the standard's definition: 0.21586, 0.05127 */
TY_TEST(looks, albedo_map)
{
    ty_material m = ty_material_lambert(0.5);
    m.albedo_map = 1;
    ty_scene *s = sheet(m, NULL, 90.0);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 2), 0.0, -90.0, 2.0 * atan(0.5) / TY_DEG, 64, 64);
    ty_render_def d = still(1);
    shot image = shot_make(64, 64, 1);
    shot_take(s, &c, &d, &image);
    /* corners lie in the outer halves of the texels, where clamping leaves them even; radiance = albedo texel E / pi */
    TY_NEAR((double)image.out.radiance[2 * 64 + 2], 0.5, 1e-4);
    TY_NEAR((double)image.out.radiance[2 * 64 + 61], 0.5 * 0.21586, 1e-4);
    TY_NEAR((double)image.out.radiance[61 * 64 + 2], 0.5 * 0.05127, 1e-4);
    TY_NEAR((double)image.out.radiance[61 * 64 + 61], 0.0, 1e-6);
    TY_NEAR((double)image.out.albedo[2 * 64 + 61], 0.5 * 0.21586, 1e-4);        /* the ground truth's */
    TY_FAR((double)image.out.radiance[2 * 64 + 61], 0.5 * 128.0 / 255.0, 1e-2); /* control: not decoded */
    /* halfway between the texels of the upper row: the mean */
    double middle = 0.5 * (double)(image.out.radiance[2 * 64 + 31] + image.out.radiance[2 * 64 + 32]);
    TY_NEAR(middle, 0.25 * (1.0 + 0.21586), 5e-3);
    /* from so far that the whole sheet is less than a pixel: the mean of the texture */
    ty_camera far = camera_at(ty_vec3_make(0, 0, 2000), 0.0, -90.0, 2.0 * atan(0.0005) / TY_DEG, 1, 1);
    shot dot = shot_make(1, 1, 1);
    shot_take(s, &far, &d, &dot);
    TY_NEAR((double)dot.out.radiance[0], 0.5 * (1.0 + 0.21586 + 0.05127) / 4.0, 5e-3);
    shot_free(&image), shot_free(&dot);
    ty_scene_destroy(s);
    TY_ROW("albedo maps within 1e-4", "closed form, sRGB decoded", "worst %.0e",
           tyt_worst("(double)image.out.radiance[2 * 64 + 61]"));
}

/* A map that leans all normals 20 deg towards u, which is east, where the Sun stands 50 deg high: cos(20 deg)
 * instead of cos(40 deg). With texture coordinates turned by 90 deg it leans north, across the Sun: cos(20) cos(40).
 * Mirrored: away. */
TY_TEST(looks, normal_map)
{
    const float east[8] = { 0, 1, 1, 1, 1, 0, 0, 0 }, north[8] = { 0, 0, 0, 1, 1, 1, 1, 0 },
                west[8] = { 1, 1, 0, 1, 0, 0, 1, 0 };
    const float *uv[4] = { east, north, west, NULL };
    const double want[3] = { cos(20.0 * TY_DEG), cos(20.0 * TY_DEG) * cos(40.0 * TY_DEG), cos(60.0 * TY_DEG) };
    ty_material m = ty_material_lambert(1.0);
    m.normal_map = 2;
    for (int k = 0; k < 3; k++) {
        ty_scene *s = sheet(m, uv[k], 50.0);
        ty_camera c = camera_at(ty_vec3_make(0, 0, 2), 0.0, -90.0, 10.0, 4, 4);
        ty_render_def d = still(1);
        shot image = shot_make(4, 4, 1);
        shot_take(s, &c, &d, &image);
        TY_NEAR((double)image.out.radiance[5], want[k], 2e-3);
        TY_FAR((double)image.out.radiance[5], cos(40.0 * TY_DEG), 2e-3); /* control: the sheet itself */
        shot_free(&image);
        ty_scene_destroy(s);
    }
    TY_ROW("normal maps within 2e-3", "closed form, three directions of texture", "worst %.1e",
           tyt_worst("(double)image.out.radiance[5]"));
}

/* two triangles of two materials; numbers out of range are refused */
TY_TEST(looks, several_materials)
{
    const float v[12] = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 };
    const uint32_t t[6] = { 0, 1, 2, 0, 2, 3 };
    uint16_t which[2] = { 0, 1 };
    ty_material more = ty_material_lambert(0.1);
    ty_scene *s = bare_scene();
    ty_object_def def = { .vertex = v,
                          .triangle = t,
                          .vertices = 4,
                          .triangles = 2,
                          .material = ty_material_lambert(0.9),
                          .more = &more,
                          .mores = 1,
                          .which = which,
                          .kind = TY_CLASS_OBJECT,
                          .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    uint32_t id;
    ty_diag diag = { 0 };
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    add_sun(s, 90.0, 90.0, 0.0, TY_PI);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 2), 0.0, -90.0, 40.0, 16, 16);
    ty_render_def d = still(1);
    shot image = shot_make(16, 16, 1);
    shot_take(s, &c, &d, &image);
    TY_NEAR((double)image.out.radiance[12 * 16 + 14], 0.9, 1e-5); /* south-east: the first */
    TY_NEAR((double)image.out.radiance[3 * 16 + 1], 0.1, 1e-5);
    which[1] = 2;
    TY_CHECK(ty_scene_add(s, &def, &id, &diag) == TY_ERR_INPUT && strstr(diag.text, "material 2"));
    which[1] = 1, more.albedo_map = 7;
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_ERR_RANGE);
    more = ty_material_lambert(0.1), more.law = (ty_law)99;
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_ERR_RANGE);
    shot_free(&image);
    ty_scene_destroy(s);
}

/* ---- ground ---- */

static shot ground_shot(ty_terrain *terrain, const ty_ground_map *map, size_t maps, const ty_ground_region *region,
                        size_t regions, double w)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = terrain, def.ring_cells = 256, def.far = 300.0, def.rock_angle = 0.0, def.threads = 1;
    def.ground.albedo[0] = w;
    ty_scene *s = NULL;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    TY_CHECK(ty_scene_set_ground(s, map, maps, region, regions, NULL) == TY_OK);
    add_sun(s, 60.0, 30.0, 0.0, 1361.0);
    ty_camera c = camera_at(above(terrain, 0, 0, 30), 0.0, -90.0, 50.0, 32, 32);
    ty_render_def d = still(1);
    shot image = shot_make(32, 32, 1);
    shot_take(s, &c, &d, &image);
    ty_scene_destroy(s);
    return image;
}

TY_TEST(looks, ground_that_varies)
{
    ty_terrain *terrain = small_terrain(false);
    ty_material bright, dark;
    ty_material_preset("moon_visual", &bright);
    dark = bright;
    bright.albedo[0] = 0.6, dark.albedo[0] = 0.15;
    shot base = ground_shot(terrain, NULL, 0, NULL, 0, 0.32), high = ground_shot(terrain, NULL, 0, NULL, 0, 0.6);
    /* 28 m wide picture, 0.874 m a pixel: a circle of 6 m in its middle, and a square in its north-west */
    const double corner[8] = { -13, 5, -5, 5, -5, 13, -13, 13 };
    ty_ground_region two[2] = { { .radius = 6.0, .material = bright },
                                { .point = corner, .points = 4, .material = dark } };
    shot parts = ground_shot(terrain, NULL, 0, two, 2, 0.32), low = ground_shot(terrain, NULL, 0, NULL, 0, 0.15);
    const float *p = parts.out.radiance;
    TY_NEAR_REL((double)p[16 * 32 + 16], (double)high.out.radiance[16 * 32 + 16], 1e-5);
    TY_FAR_REL((double)p[16 * 32 + 16], (double)base.out.radiance[16 * 32 + 16], 0.1);
    TY_NEAR_REL((double)p[5 * 32 + 6], (double)low.out.radiance[5 * 32 + 6], 1e-5);    /* x -8.3, y 9.2 */
    TY_NEAR_REL((double)p[5 * 32 + 26], (double)base.out.radiance[5 * 32 + 26], 1e-5); /* nothing there */
    /* an even map is an even ground; one of a slope runs across it: at x = 8.3 m w is 0.6, at -8.3 m 0.15 */
    float even[4] = { 0.6f, 0.6f, 0.6f, 0.6f }, slope[4] = { 0.15f, 0.6f, 0.15f, 0.6f };
    double x = 0.874 * 9.5;
    ty_ground_map map = {
        .key = TY_GROUND_W, .band = -1, .x0 = -x, .y0 = -x, .spacing = 2.0 * x, .nx = 2, .ny = 2, .value = even
    };
    shot flat = ground_shot(terrain, &map, 1, NULL, 0, 0.32);
    for (int k = 0; k < 1024; k++) {
        TY_NEAR_REL((double)flat.out.radiance[k], (double)high.out.radiance[k], 1e-5);
    }
    map.value = slope;
    shot run = ground_shot(terrain, &map, 1, NULL, 0, 0.32);
    /* where the pixel's ray meets the ground, by its depth: the even ground of that w */
    for (int k = 8; k <= 24; k += 8) {
        double at = (k + 0.5 - 16.0) / (16.0 / tan(25.0 * TY_DEG)) * run.out.depth[16 * 32 + k];
        shot there = ground_shot(terrain, NULL, 0, NULL, 0, 0.15 + 0.45 * (at + x) / (2.0 * x));
        TY_NEAR_REL((double)run.out.radiance[16 * 32 + k], (double)there.out.radiance[16 * 32 + k], 1e-4);
        TY_FAR_REL((double)run.out.radiance[16 * 32 + k], (double)base.out.radiance[16 * 32 + k], 0.05 * (k != 16));
        shot_free(&there);
    }
    /* roughness by a map; missing samples leave the material as it is */
    float rough[1] = { 0.0f }, none[1] = { NAN };
    ty_ground_map theta = { .key = TY_GROUND_THETA, .band = -1, .spacing = 1.0, .nx = 1, .ny = 1, .value = rough };
    shot smooth = ground_shot(terrain, &theta, 1, NULL, 0, 0.32);
    TY_FAR_REL((double)smooth.out.radiance[500], (double)base.out.radiance[500], 0.02);
    theta.value = none;
    shot same = ground_shot(terrain, &theta, 1, NULL, 0, 0.32);
    TY_NEAR_REL((double)same.out.radiance[500], (double)base.out.radiance[500], 1e-5);
    shot all[8] = { base, high, parts, low, flat, run, smooth, same };
    for (int k = 0; k < 8; k++) {
        shot_free(&all[k]);
    }
    ty_terrain_destroy(terrain);
    TY_ROW("Hapke parameters by place (raster, regions) within 1e-4", "even ground of the same values", "worst %.0e",
           tyt_worst_rel("(double)run.out.radiance[16 * 32 + k]"));
}

/* ---- stars ---- */

/* [sr] of a pixel of a pinhole camera at u, v [px]: f / (f^2 + r^2)^1.5 */
static double pinhole_angle(const ty_camera *c, double u, double v)
{
    double f = 0.5 * c->width / tan(0.5 * c->hfov), x = u - 0.5 * c->width, y = v - 0.5 * c->height;
    return f / pow(f * f + x * x + y * y, 1.5);
}

TY_TEST(looks, a_star_is_one_pixel_of_its_flux)
{
    static const int sides[3] = { 32, 101, 640 };
    for (int k = 0; k < 3; k++) {
        ty_scene *s = bare_scene();
        ty_star_seen star = { .dir_W = ty_normalize(ty_vec3_make(0.21, 1.0, 0.13)), .power = { 2.5e-8 } };
        TY_CHECK(ty_scene_set_stars(s, &star, 1, NULL) == TY_OK);
        ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 60.0, sides[k], sides[k]);
        ty_render_def d = still(4);
        shot image = shot_make(sides[k], sides[k], 1);
        shot_take(s, &c, &d, &image);
        double flux = 0.0, u, v;
        int lit = 0;
        TY_CHECK(ty_camera_project(&c, star.dir_W, &u, &v));
        for (int i = 0; i < sides[k] * sides[k]; i++) {
            lit += image.out.radiance[i] > 0.0f;
            flux += (double)image.out.radiance[i] * pinhole_angle(&c, i % sides[k] + 0.5, i / sides[k] + 0.5);
        }
        TY_CHECK(lit == 1 && image.out.radiance[(int)v * sides[k] + (int)u] > 0.0f);
        TY_NEAR_REL(flux, 2.5e-8, 2e-3); /* the pixel as two flat triangles */
        TY_FAR_REL(flux, 2.5e-8 * 1.05, 2e-3);
        /* hidden by a ball in front */
        add_sphere(s, ty_vec3_make(2.1, 10.0, 1.3), 1.0, ty_material_lambert(0.5));
        shot_take(s, &c, &d, &image);
        TY_CHECK(image.out.radiance[(int)v * sides[k] + (int)u] == 0.0f);
        shot_free(&image);
        ty_scene_destroy(s);
    }
    TY_ROW("a star as drawn: one pixel, flux within 0.2 %", "what was put in, images of 32 to 640 pixels", "%.2f %%",
           100.0 * tyt_worst_rel("flux"));
}

/* A camera that turns by 2 deg draws the star as a streak of the same flux; fisheye pixels have their own solid angle.
 * */
TY_TEST(looks, a_star_in_motion_and_in_a_fisheye)
{
    ty_scene *s = bare_scene();
    ty_star_seen star = { .dir_W = ty_normalize(ty_vec3_make(0.1, 1.0, 0.05)), .power = { 1.0 } };
    TY_CHECK(ty_scene_set_stars(s, &star, 1, NULL) == TY_OK);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 40.0, 200, 200);
    c.moving = true;
    c.pose_end = (ty_pose){ { 0, 0, 0 }, ty_camera_look(2.0 * TY_DEG, 0.0, 0.0) };
    ty_render_def d = still(64);
    shot image = shot_make(200, 200, 1);
    shot_take(s, &c, &d, &image);
    double flux = 0.0;
    int lit = 0;
    for (int i = 0; i < 40000; i++) {
        lit += image.out.radiance[i] > 0.0f;
        flux += (double)image.out.radiance[i] * pinhole_angle(&c, i % 200 + 0.5, i / 200 + 0.5);
    }
    TY_NEAR(lit, 2.0 * 200.0 / 41.7, 2.5); /* 2 deg of 200 px over 2 tan 20 deg */
    TY_NEAR_REL(flux, 1.0, 2e-3);
    c.moving = false, c.lens = TY_LENS_FISHEYE, c.hfov = TY_PI;
    shot_take(s, &c, &d, &image);
    double most = 0.0;
    for (int i = 0; i < 40000; i++) {
        most = fmax(most, (double)image.out.radiance[i]);
    }
    double t = acos(1.0 / ty_norm(ty_vec3_make(0.1, 1.0, 0.05))), per = TY_PI / 200.0;
    TY_NEAR_REL(most, 1.0 / (per * per * sin(t) / t), 5e-3);
    shot_free(&image);
    ty_scene_destroy(s);
}

/* ---- the Earth ---- */

static ty_sky_view sky_with_phase(double phase)
{
    ty_sky_view v = { .irradiance = 1361.0, .earth_phase = phase };
    v.earth = (ty_sky_body){ .dir_W = { 0, 1, 0 }, .distance = 384.4e6, .radius = asin(6371.0e3 / 384.4e6) };
    /* the Sun far away, at the phase angle from the direction Earth to eye, which is -y; to the east */
    ty_vec3 from_earth = ty_vec3_make(sin(phase), -cos(phase), 0.0),
            p = ty_add(ty_scale(1.496e11, from_earth), ty_vec3_make(0, 384.4e6, 0));
    v.sun = (ty_sky_body){ .dir_W = ty_normalize(p), .distance = ty_norm(p), .radius = 0.00465 };
    return v;
}

/* The drawn disk gives the light of the lamp; the full Earth has V(1, 0) = -3.99 [mallama2018], -16.9 from the Moon;
 * and the lit part is as large and on the side that it must be. */
TY_TEST(looks, the_earth_in_its_phase)
{
    const double phases[4] = { 0.0, 60.0, 100.0, 150.0 };
    double full = 0.0;
    for (int k = 0; k < 4; k++) {
        double phase = phases[k] * TY_DEG;
        ty_scene *s = bare_scene();
        ty_sky_view v = sky_with_phase(phase);
        TY_CHECK(ty_scene_set_sky(s, &v, NULL, NULL) == TY_OK);
        const int n = 300;
        ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 2.2, n, n);
        ty_render_def d = ty_render_def_default();
        d.threads = 1;
        shot image = shot_make(n, n, 1);
        shot_take(s, &c, &d, &image);
        double flux = 0.0, east = 0.0, lit = 0.0;
        for (int i = 0; i < n * n; i++) {
            double part = (double)image.out.radiance[i] * pinhole_angle(&c, i % n + 0.5, i / n + 0.5);
            flux += part;
            east += part * (i % n + 0.5 - 0.5 * n);
        }
        d.jitter = false, d.samples = 1;
        shot_take(s, &c, &d, &image);
        for (int i = 0; i < n * n; i++) {
            lit += image.out.radiance[i] > 0.0f;
        }
        double law = (sin(phase) + (TY_PI - phase) * cos(phase)) / TY_PI; /* Lambert's */
        full = k == 0 ? flux : full;
        TY_NEAR_REL(flux, full * law, 0.01);
        double whole = TY_PI * pow(v.earth.radius / (2.2 * TY_DEG) * n, 2.0);
        TY_NEAR_REL(lit, whole * 0.5 * (1.0 + cos(phase)), 0.02);
        TY_CHECK(k == 0 || east > 0.0);                /* the Sun is in the east */
        TY_NEAR(k == 0 ? east / flux : 0.0, 0.0, 0.1); /* [px] a full disk stands where the Earth does */
        shot_free(&image);
        ty_scene_destroy(s);
    }
    double magnitude = -26.76 - 2.5 * log10(full / 1361.0), published = -3.99 + 5.0 * log10(384.4e6 / 1.495978707e11);
    printf("full Earth: %.4f W/m2, magnitude %.3f (published %.3f)\n", full, magnitude, published);
    TY_NEAR(magnitude, published, 0.03);
    TY_FAR(magnitude + 0.1, published, 0.03);
    TY_ROW("Earth's disk as drawn: flux by phase within 1 %, full Earth within 0.03 mag",
           "Lambert's law; published magnitude -3.99", "%.2f %%, %.3f mag", 100.0 * tyt_worst_rel("flux"),
           fabs(magnitude - published));
}

/* ---- registering ---- */

static double own_lambert(const ty_material *m, int band, const ty_law_geometry *g, void *user)
{
    TY_CHECK(g->mu0 > 0.0 && g->mu > 0.0);
    return *(double *)user * m->albedo[band] / TY_PI;
}

static double own_point(const ty_light *l, ty_vec3 p, double u, double v, ty_vec3 *dir, double *far, void *user)
{
    (void)u, (void)v, (void)user;
    ty_vec3 d = ty_sub(l->place_W, p);
    *far = ty_norm(d);
    *dir = ty_scale(1.0 / *far, d);
    return 1.0 / (*far * *far);
}

static bool own_ray(const ty_camera *c, double u, double v, ty_vec3 *o, ty_vec3 *d, void *user)
{
    (void)user;
    double f = 0.5 * c->width / tan(0.5 * c->hfov);
    *o = ty_vec3_make(0, 0, 0);
    *d = ty_normalize(ty_vec3_make((u - 0.5 * c->width) / f, (v - 0.5 * c->height) / f, 1.0));
    return true;
}

static bool own_project(const ty_camera *c, ty_vec3 p, double *u, double *v, void *user)
{
    (void)user;
    double f = 0.5 * c->width / tan(0.5 * c->hfov);
    *u = 0.5 * c->width + f * p.x / p.z, *v = 0.5 * c->height + f * p.y / p.z;
    return p.z > 0.0;
}

static void own_scene(const ty_render_kinds *kinds, const ty_lens_model *lens, shot *image)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *s;
    def.kinds = kinds ? *kinds : def.kinds;
    def.threads = 1;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    ty_material m = ty_material_lambert(0.4);
    m.law = kinds ? TY_LAW_COUNT : TY_LAW_LAMBERT;
    add_rectangle(s, ty_vec3_make(-5, -5, 0), ty_vec3_make(10, 0, 0), ty_vec3_make(0, 10, 0), m);
    add_sphere(s, ty_vec3_make(0, 0, 1), 0.7, m);
    ty_light lamp = { .kind = kinds ? TY_LIGHT_COUNT : TY_LIGHT_POINT,
                      .place_W = ty_vec3_make(1.0, -2.0, 3.0),
                      .power = { 20.0 } };
    TY_CHECK(ty_scene_add_light(s, &lamp, NULL) == TY_OK);
    ty_camera c = camera_at(ty_vec3_make(0, -4, 2), 0.0, -20.0, 60.0, 48, 32);
    c.lens = lens ? TY_LENS_OWN : TY_LENS_PINHOLE, c.model = lens;
    ty_render_def d = still(4);
    d.jitter = true, d.depth = 3;
    shot_take(s, &c, &d, image);
    ty_scene_destroy(s);
}

TY_TEST(looks, kinds_of_a_program)
{
    static double factor = 1.0;
    ty_diag diag = { 0 };
    const ty_law_model own_law[2] = { { "my_lambert", own_lambert, &factor, NULL },
                                      { "my_lambert", own_lambert, &factor, NULL } };
    const ty_light_model own_light = { "my_point", own_point, NULL };
    const ty_lens_model own_lens = { own_ray, own_project, NULL, NULL };
    ty_render_kinds kinds = { own_law, 1, &own_light, 1 };
    shot a = shot_make(48, 32, 1), b = shot_make(48, 32, 1);
    own_scene(NULL, NULL, &a);
    own_scene(&kinds, &own_lens, &b);
    double worst = 0.0, most = 0.0;
    for (int i = 0; i < 48 * 32; i++) {
        worst = fmax(worst, fabs((double)(a.out.radiance[i] - b.out.radiance[i])));
        most = fmax(most, (double)a.out.radiance[i]);
        TY_CHECK(a.out.instance[i] == b.out.instance[i]);
    }
    printf("own kinds against built-in ones: %.2g of %.3g\n", worst, most);
    TY_NEAR(worst / most, 0.0, 1e-4);
    factor = 0.5; /* the functions are really called */
    own_scene(&kinds, &own_lens, &b);
    TY_FAR((double)b.out.radiance[31 * 48 + 24] / (double)a.out.radiance[31 * 48 + 24], 1.0, 0.4);
    /* names: taken, unknown, without a function; numbers that nobody has */
    ty_law found;
    ty_scene *none;
    ty_scene_def def = ty_scene_def_default();
    TY_CHECK(!ty_law_find(&kinds, "my_other", &found) && !strcmp(ty_lens_name(TY_LENS_CAHVORE), "cahvore") &&
             !ty_lens_name(TY_LENS_OWN)[0]);
    def.kinds = kinds, def.kinds.laws = 2;
    TY_CHECK(ty_scene_create(&def, &none, &diag) == TY_ERR_INPUT &&
             strstr(diag.text, "there is a reflectance law 'my_lambert' already"));
    const ty_law_model taken = { "hapke", own_lambert, &factor, NULL }, empty = { "nothing", NULL, NULL, NULL };
    def.kinds = (ty_render_kinds){ &taken, 1, NULL, 0 }, diag = (ty_diag){ 0 };
    TY_CHECK(ty_scene_create(&def, &none, &diag) == TY_ERR_INPUT && strstr(diag.text, "'hapke' already"));
    def.kinds.law = &empty, diag = (ty_diag){ 0 };
    TY_CHECK(ty_scene_create(&def, &none, &diag) == TY_ERR_INPUT && strstr(diag.text, "'nothing' does not have both"));
    def.kinds.laws = 65;
    TY_CHECK(ty_scene_create(&def, &none, &diag) == TY_ERR_RANGE);
    ty_scene *s = bare_scene();
    ty_light stranger = { .kind = (ty_light_kind)77, .dir_W = { 0, 0, 1 } };
    TY_CHECK(ty_scene_add_light(s, &stranger, NULL) == TY_ERR_RANGE);
    ty_camera c = ty_camera_default();
    c.lens = (ty_lens)77;
    ty_render_def d = still(1);
    TY_CHECK(ty_render(s, &c, &d, &a.out, NULL) == TY_ERR_RANGE);
    ty_scene_destroy(s);
    shot_free(&a), shot_free(&b);
    TY_ROW("material, light and lens of one's own program equal the built-in ones within 1e-4",
           "built-in Lambert, point, pinhole", "worst %.0e", worst / most);
}
