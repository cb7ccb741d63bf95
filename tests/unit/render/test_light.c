/* tests/unit/render/test_light.c - shadows, penumbra, opposition, disk-integrated brightness,
 * interreflection: against geometry, kernels in double, and published integrals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_hapke.h"
#include "k_light.h"
#include "render_support.h"
#include "tyt_csv.h"

static ty_render_def still(int samples)
{
    ty_render_def d = ty_render_def_default();
    d.samples = samples;
    d.jitter = false;
    d.threads = 1;
    return d;
}

/* Where along the ground the visible share of the Sun crosses `level`, linear between pixels; shade on the left. */
static double crossing(const shot *s, double x0, double dx, double level)
{
    for (int i = 1; i < s->width; i++) {
        double a = 0.0, b = 0.0;
        for (int j = 0; j < s->height; j++) {
            a += (double)s->out.sunlit[j * s->width + i - 1] / s->height;
            b += (double)s->out.sunlit[j * s->width + i] / s->height;
        }
        if (a < level && b >= level) {
            return x0 + dx * (i - 0.5 + (level - a) / (b - a));
        }
    }
    return NAN;
}

/* A wall of 1 m, far wider than its shadow is long; the Sun 3 deg up. Half the disk is hidden where
 * the ray from its centre grazes the edge, at 1/tan 3 deg; an edge hides the disk's upper or lower
 * segment, so that a share s is seen where the edge stands at the chord that leaves s. The 10 and
 * 90 % points are at -+ 0.6870 radii. */
TY_TEST(render_light, wall_shadow_and_penumbra)
{
    const double radius = 0.2666 * TY_DEG, e = 3.0 * TY_DEG;
    double chord = 0.0, low = 0.0, high = 1.0;
    for (int k = 0; k < 60; k++) { /* the chord that leaves 10 %: (acos x - x sqrt(1 - x^2)) / pi */
        chord = 0.5 * (low + high);
        *((acos(chord) - chord * sqrt(1.0 - chord * chord)) / TY_PI > 0.1 ? &low : &high) = chord;
    }
    double half = 1.0 / tan(e), wide = 1.0 / tan(e - chord * radius) - 1.0 / tan(e + chord * radius);
    ty_scene *s = bare_scene();
    add_rectangle(s, ty_vec3_make(-100, -400, 0), ty_vec3_make(300, 0, 0), ty_vec3_make(0, 800, 0),
                  ty_material_lambert(0.2));
    add_rectangle(s, ty_vec3_make(0, -400, -1), ty_vec3_make(0, 800, 0), ty_vec3_make(0, 0, 2),
                  ty_material_lambert(0.2));
    add_sun(s, 270.0, 3.0, radius, 1361.0);
    const int w = 128, h = 8;
    const double up = 100.0, field = 8.0;
    ty_camera c = camera_at(ty_vec3_make(half, 0, up), 0.0, -90.0, 2.0 * atan(0.5 * field / up) / TY_DEG, w, h);
    shot image = shot_make(w, h, 1);
    ty_render_def d = still(1024);
    shot_take(s, &c, &d, &image);
    double dx = field / w, x0 = half - 0.5 * field;
    double middle = crossing(&image, x0, dx, 0.5), ninety = crossing(&image, x0, dx, 0.9),
           ten = crossing(&image, x0, dx, 0.1);
    TY_NEAR_REL(middle, half, 1e-3);
    TY_FAR_REL(middle, 1.0 / tan(e + 0.1 * radius), 1e-3); /* control: a tenth of the disk's radius */
    TY_NEAR_REL(ninety - ten, wide, 0.05);
    TY_FAR_REL(ninety - ten, 2.0 * wide, 0.05);
    printf("shadow %.4f m of %.4f, penumbra %.4f m of %.4f\n", middle, half, ninety - ten, wide);
    shot_free(&image);
    ty_scene_destroy(s);
    TY_ROW("shadow of a wall, Sun 3 deg high: length within 0.1 %, penumbra within 5 %", "closed form",
           "%.3f %%, %.2f %%", 100.0 * fabs(middle / half - 1.0), 100.0 * fabs((ninety - ten) / wide - 1.0));
}

static ty_k_hapke visual(void)
{
    ty_k_hapke_params p = { 0.32357, 0.23955, 0.30452, 1.80238, 0.07145, 0.0, 1.0, 0.408407044967, 0.0, 0 };
    return ty_k_hapke_make(p);
}

/* mean reflected radiance of level ground seen along d under a disk Sun of unit irradiance, by rings in double */
static double disk_radiance(ty_k_hapke h, ty_k_vec3 sun, double radius, ty_k_vec3 d)
{
    ty_k_vec3 e0, e1, n = { 0, 0, 1 }, v = ty_k_scale(-1.0, d);
    ty_k_across(sun, &e0, &e1);
    double sum = 0.0;
    const int rings = 24, steps = 48;
    for (int i = 0; i < rings; i++) {
        for (int j = 0; j < steps; j++) {
            double r = tan(radius) * sqrt((i + 0.5) / rings), a = 2.0 * TY_PI * (j + 0.5) / steps;
            ty_k_vec3 l = ty_k_unit(ty_k_add(sun, ty_k_add(ty_k_scale(r * cos(a), e0), ty_k_scale(r * sin(a), e1))));
            ty_k_angles g = ty_k_angles_about(n, l, v);
            sum += ty_k_hapke_brdf(h, g) * g.mu0 / (rings * steps);
        }
    }
    return sum;
}

/* Level Hapke ground, Sun 40 deg up in the south; the camera looks north and down, at its own
 * shadow. The brightest place along the middle column and the radiance there, against the law
 * integrated over the disk in double. */
TY_TEST(render_light, opposition_peak)
{
    const double radius = 0.2666 * TY_DEG, e = 40.0 * TY_DEG;
    const int w = 15, h = 201;
    const double fov = 0.75; /* 0.05 deg a pixel */
    ty_scene *s = bare_scene();
    ty_material m;
    TY_CHECK(ty_material_preset("moon_visual", &m));
    add_rectangle(s, ty_vec3_make(-100, -100, 0), ty_vec3_make(200, 0, 0), ty_vec3_make(0, 200, 0), m);
    add_sun(s, 180.0, 40.0, radius, 1000.0);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 2), 0.0, -40.0, fov, w, h);
    shot image = shot_make(w, h, 1);
    ty_render_def d = still(256);
    shot_take(s, &c, &d, &image);
    ty_k_vec3 sun = ty_k_vec(0, -cos(e), sin(e));
    double f = 0.5 * w / tan(0.5 * fov * TY_DEG), worst = 0.0, got = 0.0, want = 0.0;
    int at = 0, model = 0;
    for (int j = 0; j < h; j++) {
        ty_vec3 ray = ty_normalize(ty_rotate(c.pose.q, ty_vec3_make(0, (j + 0.5 - 0.5 * h) / f, 1)));
        double L = 1000.0 * disk_radiance(visual(), sun, radius, ty_k_vec(ray.x, ray.y, ray.z));
        double mean = (double)image.out.radiance[j * w + w / 2];
        worst = fmax(worst, fabs(mean / L - 1.0));
        at = mean > got ? j : at, got = fmax(got, mean);
        model = L > want ? j : model, want = fmax(want, L);
    }
    TY_NEAR(at * 0.05, model * 0.05, 0.1);
    TY_NEAR(worst, 0.0, 3e-3);   /* float shading and 256 points of the disk */
    TY_FAR(at * 0.05, 0.0, 0.1); /* control: not at the edge of the image */
    printf("opposition: peak at pixel %d, model %d; radiance to %.1e\n", at, model, worst);
    shot_free(&image);
    ty_scene_destroy(s);
    TY_ROW("opposition peak within 0.1 deg, radiance around it within 0.3 %", "Hapke's law over the Sun's disk",
           "%.2f deg, %.0e", 0.05 * abs(at - model), worst);
}

/* disk-integrated brightness of a sphere: sum of radiance over its projected area / (irradiance R^2) */
static double sphere_brightness(ty_material m, double phase)
{
    const int n = 96;
    const double far = 2000.0;
    ty_scene *s = bare_scene();
    add_sphere(s, ty_vec3_make(0, far, 0), 1.0, m);
    add_sun(s, 180.0 - phase, 0.0, 0.0, 1.0);
    double fov = 2.0 * atan(1.05 / far) / TY_DEG;
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, fov, n, n);
    shot image = shot_make(n, n, 1);
    ty_render_def d = still(8);
    d.jitter = true;
    shot_take(s, &c, &d, &image);
    double sum = 0.0, pixel = 2.1 / n;
    for (int i = 0; i < n * n; i++) {
        sum += (double)image.out.radiance[i] * pixel * pixel;
    }
    shot_free(&image);
    ty_scene_destroy(s);
    return sum;
}

TY_TEST(render_light, hapke_sphere_against_published_integrals)
{
    TY_NEED_SHARED(path, "vectors/hapke_disk_vectors.csv");
    tyt_csv csv;
    TY_CHECK(tyt_csv_open(&csv, path));
    double worst = 0.0, five = NAN, ninety = NAN;
    int rows = 0;
    while (tyt_csv_next(&csv)) {
        ty_material m = ty_material_lambert(tyt_csv_number(&csv, "w", 0));
        m.law = TY_LAW_HAPKE;
        m.b = tyt_csv_number(&csv, "b", 0), m.c = tyt_csv_number(&csv, "c", 0);
        m.bs0 = tyt_csv_number(&csv, "Bs0", 0), m.hs = tyt_csv_number(&csv, "hs", 1);
        m.bc0 = tyt_csv_number(&csv, "Bc0", 0), m.hc = tyt_csv_number(&csv, "hc", 1);
        m.theta = tyt_csv_number(&csv, "theta_bar_deg", 0) * TY_DEG, m.phi = tyt_csv_number(&csv, "phi_fill", 0);
        double phase = tyt_csv_number(&csv, "phase_deg", 0), want = tyt_csv_number(&csv, "disk_reflectance_pPhi", 0);
        double got = sphere_brightness(m, phase);
        worst = fmax(worst, fabs(got / want - 1.0));
        TY_NEAR_REL(got, want, 0.01);
        if (!strcmp(tyt_csv_text(&csv, "param_set"), "chrono_demo_K1")) {
            five = phase == 5.0 ? got : five;
            ninety = phase == 90.0 ? got : ninety;
        }
        rows++;
    }
    TY_CHECK(rows > 20);
    TY_NEAR(five / ninety, 9.5, 0.5);
    TY_FAR_REL(sphere_brightness(ty_material_lambert(0.3), 90.0) / sphere_brightness(ty_material_lambert(0.3), 5.0),
               ninety / five, 0.01);
    printf("%d rows of Hapke spheres, worst %.2e; 5 to 90 deg %.3f\n", rows, worst, five / ninety);
    TY_ROW("the same as rendered within 1 %, phase 0 to 150 deg; 5/90 deg ratio 9 to 10", "ISIS disk integrals",
           "worst %.2f %%; ratio %.2f", 100.0 * worst, five / ninety);
}

/* A point light in the middle of a white-ish hollow sphere: every place gets I/R^2 from the light
 * and, after each bounce, albedo times what came before. */
TY_TEST(render_light, integrating_sphere)
{
    const double albedo = 0.6, radius = 2.0, intensity = 5.0;
    ty_scene *s = bare_scene();
    add_sphere(s, ty_vec3_make(0, 0, 0), radius, ty_material_lambert(albedo));
    ty_light lamp = { .kind = TY_LIGHT_POINT, .power = { intensity } };
    TY_CHECK(ty_scene_add_light(s, &lamp, NULL) == TY_OK);
    ty_camera c = camera_at(ty_vec3_make(0.1, 0.2, 0.3), 30.0, 10.0, 60.0, 32, 32);
    shot image = shot_make(32, 32, 1);
    double series = 0.0, term = albedo / TY_PI * intensity / (radius * radius);
    for (int depth = 1; depth <= 6; depth++) {
        series += term;
        term *= albedo;
        ty_render_def d = still(4);
        d.depth = depth;
        shot_take(s, &c, &d, &image);
        double mean = 0.0;
        for (int i = 0; i < 32 * 32; i++) {
            mean += (double)image.out.radiance[i] / (32 * 32);
        }
        TY_NEAR_REL(mean, series, 2e-3); /* a sphere from which rays start a hair inside */
        TY_FAR_REL(mean, series + term, 2e-3);
    }
    shot_free(&image);
    ty_scene_destroy(s);
    TY_ROW("light between surfaces, inside a sphere, 1 to 6 bounces: within 0.2 %", "closed form, a series of albedos",
           "worst %.0e", tyt_worst_rel("mean"));
}

static ty_scene *corner(void) /* floor and wall that light each other */
{
    ty_scene *s = bare_scene();
    add_rectangle(s, ty_vec3_make(-5, -5, 0), ty_vec3_make(10, 0, 0), ty_vec3_make(0, 10, 0), ty_material_lambert(0.7));
    add_rectangle(s, ty_vec3_make(-5, 5, 0), ty_vec3_make(10, 0, 0), ty_vec3_make(0, 0, 4), ty_material_lambert(0.7));
    add_sun(s, 180.0, 20.0, 0.05, 1000.0);
    return s;
}

TY_TEST(render_light, path_of_depth_1_is_direct)
{
    ty_scene *s = bare_scene();
    add_sphere(s, ty_vec3_make(0, 4, 0), 1.0, ty_material_lambert(0.5)); /* convex: light cannot come back to it */
    add_sun(s, 200.0, 30.0, 0.005, 1000.0);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 40.0, 48, 32);
    shot one = shot_make(48, 32, 1), many = shot_make(48, 32, 1);
    ty_render_def d = still(8);
    shot_take(s, &c, &d, &one);
    d.depth = 5;
    shot_take(s, &c, &d, &many);
    TY_CHECK(!memcmp(one.out.radiance, many.out.radiance, 48 * 32 * sizeof(float)));
    ty_scene_destroy(s);
    s = corner(); /* control: where light does come back it is seen */
    c = camera_at(ty_vec3_make(0, -4, 3), 0.0, -20.0, 40.0, 48, 32);
    shot_take(s, &c, &d, &many);
    d.depth = 1;
    shot_take(s, &c, &d, &one);
    TY_CHECK(memcmp(one.out.radiance, many.out.radiance, 48 * 32 * sizeof(float)));
    shot_free(&one), shot_free(&many);
    ty_scene_destroy(s);
}

/* The error of a path-traced image falls at least as the square root of the number of samples. */
TY_TEST(render_light, path_converges)
{
    ty_scene *s = corner();
    ty_camera c = camera_at(ty_vec3_make(0, -4, 3), 0.0, -20.0, 60.0, 32, 16);
    shot truth = shot_make(32, 16, 1), image = shot_make(32, 16, 1);
    ty_render_def d = still(4096);
    d.depth = 3;
    shot_take(s, &c, &d, &truth);
    double error[3];
    for (int k = 0; k < 3; k++) {
        d.samples = 16 << (2 * k);
        d.seed = 100u + (unsigned)k; /* other points than the reference's */
        shot_take(s, &c, &d, &image);
        double sum = 0.0, mean = 0.0;
        for (int i = 0; i < 32 * 16; i++) {
            double e = (double)image.out.radiance[i] - (double)truth.out.radiance[i];
            sum += e * e, mean += (double)truth.out.radiance[i];
        }
        error[k] = sqrt(sum / (32 * 16)) / (mean / (32 * 16));
    }
    printf("path error at 16, 64, 256 samples: %.2e %.2e %.2e\n", error[0], error[1], error[2]);
    TY_CHECK(error[0] / error[1] > 1.8 && error[1] / error[2] > 1.8);
    TY_CHECK(error[2] < 0.05 && error[0] > 1e-5);
    shot_free(&truth), shot_free(&image);
    ty_scene_destroy(s);
    TY_ROW("error of paths halves with four times the samples (ratio over 1.8)", "a picture of many samples",
           "%.1e, %.1e, %.1e at 16, 64, 256", error[0], error[1], error[2]);
}

/* The half-width points of a row of the image, linear between pixels: a disk that is smeared
 * farther than its own width is half as bright as in the middle where its centre starts and ends. */
static double streak(const shot *s, int row, double *middle)
{
    const float *L = s->out.radiance + row * s->width;
    double most = 0.0, first = NAN, last = NAN;
    for (int i = 0; i < s->width; i++) {
        most = fmax(most, (double)L[i]);
    }
    for (int i = 1; i < s->width; i++) {
        double a = (double)L[i - 1] / most - 0.47, b = (double)L[i] / most - 0.47;
        first = isnan(first) && a < 0.0 && b >= 0.0 ? i - 0.5 + a / (a - b) : first;
        last = a >= 0.0 && b < 0.0 ? i - 0.5 + a / (a - b) : last;
    }
    *middle = 0.5 * (first + last);
    return last - first;
}

TY_TEST(render_light, motion_blur)
{
    const int w = 160, h = 48;
    const double far = 50.0, way = 4.0, f = 0.5 * w / tan(10.0 * TY_DEG);
    ty_scene *s = bare_scene();
    /* a bright square, 0.8 m wide, facing the camera: its edges are straight across the motion */
    add_rectangle(s, ty_vec3_make(-0.4, far, -4.0), ty_vec3_make(0.8, 0, 0), ty_vec3_make(0, 0, 8.0),
                  ty_material_lambert(0.5));
    add_sun(s, 180.0, 0.0, 0.0, 1000.0);
    ty_camera c = camera_at(ty_vec3_make(-0.5 * way, 0, 0), 0.0, 0.0, 20.0, w, h);
    c.moving = true;
    c.pose_end = c.pose;
    c.pose_end.p.x += way;
    ty_render_def d = still(512);
    d.jitter = true;
    shot image = shot_make(w, h, 1);
    shot_take(s, &c, &d, &image);
    double middle, upper, lower, length = streak(&image, h / 2, &middle);
    /* a box of 0.8 m moved by 4 m: a trapezoid, at 0.47 of its height wider than the way by 0.06 boxes */
    TY_NEAR_REL(length, f * (way + 0.06 * 0.8) / far, 0.01);
    TY_FAR_REL(length, f * (way + 0.8) / far, 0.01);
    c.rolling = 0.5; /* each row open for half the time, the last half the time after the first */
    shot_take(s, &c, &d, &image);
    TY_NEAR_REL(streak(&image, 4, &upper), f * (0.5 * way + 0.06 * 0.8) / far, 0.02);
    streak(&image, h - 5, &lower);
    TY_NEAR_REL(upper - lower, 0.5 * way * f / far * (h - 9.0) / h, 0.02);
    c.moving = false;
    shot_take(s, &c, &d, &image); /* control: without motion it is as wide as it is */
    TY_NEAR(streak(&image, h / 2, &middle), f * 0.8 / far, 1.0);
    printf("streak %.3f px of %.3f\n", length, f * (way + 0.06 * 0.8) / far);
    shot_free(&image);
    ty_scene_destroy(s);
    TY_ROW("length of a streak within 1 %, rolling shutter within 2 %", "closed form", "%.2f %%, %.2f %%",
           100.0 * tyt_worst_rel("length"), 100.0 * tyt_worst_rel("upper - lower"));
}
