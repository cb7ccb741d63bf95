/* tests/unit/sensor/test_lidar.c - a lidar fed with hits made up for it: noise by chi-square, dropouts,
 * intensity, filters and what they refuse, memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_lidar.h"
#include "tycho/lidar.h"
#include "sensor/lidar/inner.h"
#include "tyt.h"

static const ty_keyframe standing = { 0, { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
static const ty_track here = { &standing, 1 };

static ty_lidar *lidar_of(const ty_lidar_def *def)
{
    ty_lidar *l = NULL;
    ty_diag diag = { 0 };
    if (ty_lidar_create(def, &l, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a lidar was refused");
    }
    return l;
}

static ty_lidar_def grid(int columns, int rows)
{
    ty_lidar_def def = ty_lidar_def_default();
    def.columns = columns, def.rows = rows, def.hfov = 90.0 * TY_DEG, def.vfov = 60.0 * TY_DEG;
    def.threads = 1;
    return def;
}

/* everything in every direction at one range, albedo and cosine of incidence */
static const ty_buffer *scan(ty_lidar *l, double range, double albedo, double cosine, uint64_t frame)
{
    ty_lidar_rays rays;
    const ty_buffer *returns = NULL, *points = NULL;
    TY_CHECK(ty_lidar_aim(l, &here, 5, &rays, NULL) == TY_OK);
    for (size_t i = 0; i < rays.count; i++) {
        rays.hit[i] = (ty_trace_hit){ .range = range, .reflectance = (float)(albedo * cosine / TY_PI), .instance = 77 };
    }
    TY_CHECK(ty_lidar_echo(l, frame, &returns, NULL) == TY_OK);
    TY_CHECK(ty_lidar_points(l, frame, &points, NULL) == TY_OK);
    return points;
}

/* chi-square of n standard normal numbers over 40 bins of equal chance, 39 degrees of freedom */
static double chi_square(const double *z, size_t n)
{
    double count[40] = { 0 }, chi = 0.0;
    for (size_t i = 0; i < n; i++) {
        int k = (int)(40.0 * 0.5 * erfc(-z[i] / sqrt(2.0)));
        count[k < 39 ? k : 39] += 1.0;
    }
    for (int k = 0; k < 40; k++) {
        double want = (double)n / 40.0;
        chi += (count[k] - want) * (count[k] - want) / want;
    }
    return chi;
}

#define CHI_MOST (39.0 + 4.0 * 8.83) /* four standard deviations above the mean of 39 degrees of freedom */

TY_TEST(lidar_model, noise_by_chi_square)
{
    ty_lidar_def def = grid(200, 150);
    enum { N = 200 * 150 };
    def.range_sigma = 0.03, def.azimuth_sigma = 2e-3, def.elevation_sigma = 1e-3, def.intensity_sigma = 0.08;
    def.reach = 1e4;
    ty_lidar *l = lidar_of(&def);
    static double z[4][N];
    const ty_buffer *p = scan(l, 20.0, 0.4, 1.0, 3);
    size_t n = 0;
    for (int y = 0; y < 150; y++) {
        for (int x = 0; x < 200; x++, n++) {
            const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
            /* the point's own place against the beam's */
            double r = sqrt(q->x * q->x + q->y * q->y + q->z * q->z);
            double az = def.hfov * (0.5 - (x + 0.5) / 200.0), el = def.vfov * (0.5 - (y + 0.5) / 150.0);
            z[0][n] = (r - 20.0) / def.range_sigma;
            z[1][n] = (atan2(q->y, q->x) - az) / def.azimuth_sigma;
            z[2][n] = (asin(q->z / r) - el) / def.elevation_sigma;
            z[3][n] = (q->intensity / 0.4 - 1.0) / def.intensity_sigma;
        }
    }
    const char *name[4] = { "range", "azimuth", "elevation", "intensity" };
    double most = 0.0;
    for (int k = 0; k < 4; k++) {
        double chi = chi_square(z[k], N), worst = 0.0;
        for (int i = 0; i < k; i++) { /* independent of each other */
            double sum = 0.0;
            for (size_t j = 0; j < N; j++) {
                sum += z[k][j] * z[i][j];
            }
            worst = fmax(worst, fabs(sum) / sqrt(N));
        }
        double next = 0.0; /* and of the neighbour's */
        for (size_t j = 1; j < N; j++) {
            next += z[k][j] * z[k][j - 1];
        }
        printf("%s: chi-square %.1f of 39 +- 8.8; correlations %.2f, %.2f sigma\n", name[k], chi, worst,
               next / sqrt(N));
        most = fmax(most, chi);
        TY_CHECK(chi < CHI_MOST);
        TY_CHECK(worst < 4.0 && fabs(next) / sqrt(N) < 4.0);
        for (size_t j = 0; j < N; j++) {
            z[k][j] *= 1.06; /* control: 6 % more noise is seen */
        }
        TY_CHECK(chi_square(z[k], N) > CHI_MOST);
    }
    ty_lidar_destroy(l);
    TY_ROW("noise on range, azimuth, elevation, intensity is normal and independent",
           "chi-square of 40 bins, 30 000 beams", "worst %.1f of 39 +- 8.8", most);
}

/* noise on range and angles moves points along and across the beam by its own measure, never evenly in x, y, z */
TY_TEST(lidar_model, noise_is_not_on_coordinates)
{
    ty_lidar_def def = grid(100, 100);
    def.range_sigma = 0.05, def.reach = 1e4;
    ty_lidar *l = lidar_of(&def);
    const ty_buffer *p = scan(l, 30.0, 0.4, 1.0, 0);
    double across = 0.0, along = 0.0;
    for (int y = 0; y < 100; y++) {
        for (int x = 0; x < 100; x++) {
            const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
            double az = def.hfov * (0.5 - (x + 0.5) / 100.0), el = def.vfov * (0.5 - (y + 0.5) / 100.0);
            ty_vec3 d = ty_vec3_make(cos(el) * cos(az), cos(el) * sin(az), sin(el)),
                    at = ty_vec3_make(q->x, q->y, q->z);
            across = fmax(across, ty_norm(ty_cross(d, at)));
            along = fmax(along, fabs(ty_dot(d, at) - 30.0));
        }
    }
    TY_NEAR(across, 0.0, 1e-9);
    TY_FAR(along, 0.0, 0.1); /* control */
    /* steps of 4 mm, with or without noise */
    ty_lidar_destroy(l);
    def.range_step = 0.004, def.noise = false;
    l = lidar_of(&def);
    p = scan(l, 30.0013, 0.4, 1.0, 0);
    TY_NEAR(((const ty_cloud_point *)ty_buffer_at(p, 5, 5, 0))->range, 30.0, 1e-9);
    ty_lidar_destroy(l);
}

/* The share of beams that return follows Phi((s - 1)/sigma) over range, slope and darkness. */
TY_TEST(lidar_model, dropouts_on_dark_and_grazing_ground)
{
    ty_lidar_def def = grid(200, 100);
    def.reach = 50.0, def.reach_albedo = 0.1, def.threshold_sigma = 0.3, def.far = 1000.0;
    ty_lidar *l = lidar_of(&def);
    static const struct {
        double range, albedo, cosine;
    } at[] = {
        { 20, 0.1, 1.0 },  { 50, 0.1, 1.0 }, { 60, 0.1, 1.0 },  { 40, 0.1, 0.5 },
        { 40, 0.05, 1.0 }, { 30, 0.1, 0.3 }, { 55, 0.12, 1.0 }, { 200, 0.9, 1.0 },
    };
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        const ty_buffer *p = scan(l, at[k].range, at[k].albedo, at[k].cosine, k);
        double s = at[k].albedo * at[k].cosine / 0.1 * pow(50.0 / at[k].range, 2.0);
        double want = 0.5 * erfc((1.0 - s) / (0.3 * sqrt(2.0))), got = (double)ty_cloud_count(p) / 20000.0;
        printf("range %3g m, albedo %.2f, cos %.1f: s = %.2f, %.4f return, by the law %.4f\n", at[k].range,
               at[k].albedo, at[k].cosine, s, got, want);
        TY_NEAR(got, want, 5.0 * sqrt(want * (1.0 - want) / 20000.0) + 1e-8);
        TY_NEAR(ty_k_lidar_chance(s, 0.3), want, 1e-12);
    }
    TY_FAR((double)ty_cloud_count(scan(l, 50.0, 0.1, 1.0, 0)) / 20000.0, 1.0, 0.4); /* control: no threshold */
    TY_CHECK(ty_cloud_count(scan(l, 0.05, 0.9, 1.0, 0)) == 0);                      /* nearer than near */
    TY_CHECK(ty_cloud_count(scan(l, 1001.0, 1e6, 1.0, 0)) == 0);                    /* farther than far */
    ty_lidar_destroy(l);
    TY_ROW("dropouts on dark, far and grazing ground within 5 counting errors", "normal law of the threshold",
           "worst %.4f of all beams", tyt_worst("got"));
}

TY_TEST(lidar_model, intensity_is_reflectivity)
{
    ty_lidar_def def = grid(10, 10);
    def.noise = false, def.reach = 1e3;
    ty_lidar *l = lidar_of(&def);
    for (double range = 1.0; range < 100.0; range *= 3.0) {
        const ty_cloud_point *q = ty_buffer_at(scan(l, range, 0.3, 0.7, 0), 4, 4, 0);
        TY_NEAR(q->intensity, 0.21, 1e-7); /* whatever the range; reflectance is single precision */
        TY_CHECK(q->label == 77.0 && q->number == 0.0 && q->ring == 5.0 && q->range == range);
    }
    TY_FAR(((const ty_cloud_point *)ty_buffer_at(scan(l, 2.0, 0.3, 0.6, 0), 4, 4, 0))->intensity, 0.21, 0.01);
    ty_lidar_destroy(l);
    TY_ROW("intensity within 1e-7, whatever the range", "albedo times cosine", "worst %.0e", tyt_worst("q->intensity"));
}

/* Echoes: rays of one beam at different ranges. */
TY_TEST(lidar_model, echoes_that_are_near_are_one)
{
    ty_lidar_beam beam = { { 0, 0, 0 }, { 1, 0, 0 }, 0.0 };
    ty_lidar_def def = ty_lidar_def_default();
    def.pattern = TY_LIDAR_TABLE, def.beam = &beam, def.beams = 1, def.samples = 6, def.mode = TY_LIDAR_DUAL;
    def.noise = false, def.reach = 1e3, def.separation = 0.5, def.divergence_h = 1e-3, def.threads = 1;
    ty_lidar *l = lidar_of(&def);
    ty_lidar_rays rays;
    TY_CHECK(ty_lidar_aim(l, &here, 0, &rays, NULL) == TY_OK && rays.count == 6);
    const double range[6] = { 20.0, 10.0, 10.4, 20.2, 10.8, 40.0 };
    for (int k = 0; k < 6; k++) {
        rays.hit[k] = (ty_trace_hit){ .range = range[k], .reflectance = 0.1f, .instance = (uint32_t)k };
    }
    const ty_buffer *r = NULL;
    TY_CHECK(ty_lidar_echo(l, 0, &r, NULL) == TY_OK && r->type.height == 2);
    const ty_cloud_return *a = ty_buffer_at(r, 0, 0, 0), *b = ty_buffer_at(r, 0, 1, 0);
    /* 10.0, 10.4, 10.8 hang together; the mean by strength, 1/R^2 */
    double w[3] = { 1.0 / 100.0, 1.0 / 108.16, 1.0 / 116.64 };
    TY_NEAR(a->range, (10.0 * w[0] + 10.4 * w[1] + 10.8 * w[2]) / (w[0] + w[1] + w[2]), 1e-9);
    TY_CHECK(a->label == 1.0 && a->number == 0.0); /* the nearest of them is the strongest */
    TY_NEAR(b->range, 40.0, 1e-12);                /* the last */
    TY_CHECK(b->number == 1.0);
    rays.hit[5].range = (double)INFINITY; /* the strongest is not the last: still the two */
    TY_CHECK(ty_lidar_echo(l, 0, &r, NULL) == TY_OK);
    TY_NEAR(b->range, 20.1, 0.01);
    for (int k = 0; k < 6; k++) {
        rays.hit[k].range = k < 3 ? 5.0 : 2.0; /* the near echo is the strongest, and the last is the second */
    }
    TY_CHECK(ty_lidar_echo(l, 0, &r, NULL) == TY_OK);
    TY_CHECK(a->range == 2.0 && b->range == 5.0);
    rays.hit[0].reflectance = rays.hit[1].reflectance = rays.hit[2].reflectance = 10.0f; /* the last is the strongest */
    TY_CHECK(ty_lidar_echo(l, 0, &r, NULL) == TY_OK);
    TY_CHECK(a->range == 5.0 && b->range == 2.0);
    for (int k = 0; k < 6; k++) {
        rays.hit[k].range = 3.0;
    }
    TY_CHECK(ty_lidar_echo(l, 0, &r, NULL) == TY_OK);
    TY_CHECK(a->range == 3.0 && isnan(b->range)); /* one echo: no second return */
    ty_lidar_destroy(l);
}

/* a beam's rays: as much light within any radius as its profile has */
TY_TEST(lidar_model, beam_profile)
{
    enum { N = 4096 };
    double worst[2] = { 0, 0 };
    for (int gauss = 0; gauss < 2; gauss++) {
        for (int k = 0; k < N; k++) {
            double q = ty_k_beam_radius(k, N, gauss), share = (k + 0.5) / N;
            double want = gauss ? (1.0 - exp(-2.0 * q * q)) / (1.0 - exp(-2.0)) : q * q;
            worst[gauss] = fmax(worst[gauss], fabs(want - share));
            TY_CHECK(q >= 0.0 && q <= 1.0);
        }
        TY_NEAR(worst[gauss], 0.0, 1e-12);
    }
    TY_FAR(ty_k_beam_radius(N / 2, N, 1), ty_k_beam_radius(N / 2, N, 0), 0.1); /* control */
    TY_CHECK(ty_k_beam_radius(0, 1, 1) == 0.0);
    double x = 0.0, y = 0.0; /* and evenly around */
    for (int k = 0; k < 64; k++) {
        x += cos(ty_k_beam_angle(k)), y += sin(ty_k_beam_angle(k));
    }
    TY_NEAR(hypot(x, y) / 64.0, 0.0, 0.03);
}

/* ---- filters ---- */

TY_TEST(lidar_model, filters_and_misfits)
{
    ty_lidar_def def = grid(40, 30);
    def.noise = false, def.reach = 1e3;
    ty_lidar *l = lidar_of(&def);
    ty_pipeline *p = ty_lidar_pipeline(l);
    TY_CHECK(ty_pipeline_count(p) == 2 && ty_pipeline_find(p, "noise") == 0 && ty_pipeline_find(p, "points") == 1);
    ty_pose mount = { { 0.5, 0.0, 1.2 }, ty_quat_axis(ty_vec3_make(0, 0, 1), 0.5 * TY_PI) };
    ty_keyframe key[2] = { { 0, { { 100, 0, 0 }, { 1, 0, 0, 0 } } }, { TY_SECOND, { { 110, 0, 0 }, { 1, 0, 0, 0 } } } };
    ty_cloud_frame_def body = { .pose = mount, .to = 'B' };
    ty_cloud_frame_def world = { .track = { key, 2 }, .pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } }, .to = 'W' };
    ty_cloud_crop_def crop = { 0.0, 25.0 };
    ty_cloud_decimate_def thin = { 4, 3 };
    ty_filter f[4] = { ty_cloud_frame(&body), ty_cloud_frame(&world), ty_cloud_crop(&crop), ty_cloud_decimate(&thin) };
    for (int k = 0; k < 4; k++) {
        TY_CHECK(ty_pipeline_insert(p, -1, &f[k], NULL) == TY_OK);
    }
    const ty_buffer *c = scan(l, 20.0, 0.5, 1.0, 0);
    TY_CHECK(c->type.frame == 'W' && c->type.width == 10 && c->type.height == 10 && c->type.unit == TY_UNIT_POINT);
    TY_CHECK(c->time.start == 5 && ty_cloud_count(c) == 100);
    const ty_cloud_point *q = ty_buffer_at(c, 3, 4, 0);
    double az = def.hfov * (0.5 - 12.5 / 40.0), el = def.vfov * (0.5 - 12.5 / 30.0);
    ty_vec3 s = ty_vec3_make(20.0 * cos(el) * cos(az), 20.0 * cos(el) * sin(az), 20.0 * sin(el)),
            w = ty_pose_point(mount, s);
    double when = 5e-9; /* the scan starts at 5 ns */
    TY_NEAR(q->x, w.x + 100.0 + 10.0 * when, 1e-9);
    TY_NEAR(q->y, w.y, 1e-9);
    TY_NEAR(q->z, w.z, 1e-9);
    TY_FAR(q->x, s.x, 1.0); /* control */
    crop.far = 19.0;
    TY_CHECK(ty_cloud_count(scan(l, 20.0, 0.5, 1.0, 0)) == 0);
    /* noise cannot be put on points */
    ty_filter noise = tyi_lidar_noise(l);
    ty_diag diag = { 0 };
    const ty_buffer *out;
    TY_CHECK(ty_pipeline_insert(p, -1, &noise, NULL) == TY_OK);
    TY_CHECK(ty_lidar_points(l, 0, &out, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "'noise' takes lidar returns") && strstr(diag.text, "gives points"));
    TY_CHECK(ty_pipeline_remove(p, -1, NULL) == TY_OK);
    TY_CHECK(ty_lidar_points(l, 0, &out, NULL) == TY_OK);
    /* and the order matters: crop before points does not fit */
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_pipeline_move(p, 4, 1, NULL) == TY_OK);
    TY_CHECK(ty_lidar_points(l, 0, &out, &diag) == TY_ERR_INPUT && strstr(diag.text, "'crop'"));
    TY_CHECK(ty_pipeline_move(p, 1, 4, NULL) == TY_OK);
    thin.column = 0;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_pipeline_switch(p, 5, false, NULL) == TY_OK && ty_pipeline_switch(p, 5, true, NULL) == TY_OK);
    TY_CHECK(ty_lidar_points(l, 0, &out, &diag) == TY_ERR_RANGE && strstr(diag.text, "decimate"));
    ty_lidar_destroy(l);
}

/* a depth image of a tilted plane, as points on that plane */
TY_TEST(lidar_model, depth_images_become_points)
{
    ty_buffer_type type = { 40, 30, 1, TY_ELEMENT_F32, TY_UNIT_METRE, 'S' };
    ty_buffer depth;
    TY_CHECK(ty_buffer_create(&type, NULL, &depth, NULL) == TY_OK);
    double f = 20.0 / tan(0.5); /* [px] of 1 rad across */
    for (int y = 0; y < 30; y++) {
        for (int x = 0; x < 40; x++) { /* the plane z = 10 + 0.3 x - 0.2 y */
            double a = (x + 0.5 - 20.0) / f, b = (y + 0.5 - 15.0) / f;
            ty_buffer_set(&depth, x, y, 0, x == 3 ? (double)INFINITY : 10.0 / (1.0 - 0.3 * a + 0.2 * b));
        }
    }
    ty_cloud_depth_def def = { 1.0 };
    ty_filter points = ty_cloud_from_depth(&def);
    ty_pipeline *p = NULL;
    const ty_buffer *out = NULL;
    TY_CHECK(ty_pipeline_create(NULL, 1, &p, NULL) == TY_OK && ty_pipeline_insert(p, -1, &points, NULL) == TY_OK);
    TY_CHECK(ty_pipeline_run(p, &depth, NULL, 0, &out, NULL) == TY_OK);
    double worst = 0.0;
    for (int y = 0; y < 30; y++) {
        for (int x = 0; x < 40; x++) {
            const ty_cloud_point *q = ty_buffer_at(out, x, y, 0);
            if (x != 3) {
                worst = fmax(worst, fabs(q->z - 10.0 - 0.3 * q->x + 0.2 * q->y));
                worst = fmax(worst, fabs(q->range - sqrt(q->x * q->x + q->y * q->y + q->z * q->z)));
            }
        }
    }
    TY_NEAR(worst, 0.0, 1e-5); /* depths are single precision */
    TY_CHECK(ty_cloud_count(out) == 39 * 30 && out->type.unit == TY_UNIT_POINT);
    TY_FAR(((const ty_cloud_point *)ty_buffer_at(out, 39, 0, 0))->x, 0.0, 1.0); /* control: to the right */
    def.hfov = 4.0;
    ty_diag diag = { 0 };
    TY_CHECK(ty_pipeline_link(p, &type, NULL, &diag) == TY_ERR_RANGE && strstr(diag.text, "field of view"));
    ty_pipeline_destroy(p);
    ty_buffer_destroy(&depth);
}

/* ---- definitions and memory ---- */

TY_TEST(lidar_model, refusals)
{
    ty_lidar *l;
    ty_diag diag = { 0 };
    ty_lidar_def def = { 0 };
    TY_CHECK(ty_lidar_create(&def, &l, NULL) == TY_ERR_DEF && !l);
    def = grid(10, 10);
    def.samples = 1000;
    TY_CHECK(ty_lidar_create(&def, &l, &diag) == TY_ERR_RANGE && strstr(diag.text, "samples"));
    def = grid(10, 10), def.pattern = TY_LIDAR_SPIN, def.spin = 0.0, diag = (ty_diag){ 0 };
    TY_CHECK(ty_lidar_create(&def, &l, &diag) == TY_ERR_RANGE && strstr(diag.text, "spin"));
    def.spin = 10.0, def.fire[3] = 1.0, diag = (ty_diag){ 0 };
    TY_CHECK(ty_lidar_create(&def, &l, &diag) == TY_ERR_RANGE && strstr(diag.text, "laser 3"));
    def = grid(10, 10), def.pattern = TY_LIDAR_TABLE, diag = (ty_diag){ 0 };
    TY_CHECK(ty_lidar_create(&def, &l, &diag) == TY_ERR_RANGE && strstr(diag.text, "table of 0"));
    ty_lidar_beam beam = { { 0, 0, 0 }, { 0, 0, 0 }, 0 };
    def.beam = &beam, def.beams = 1, diag = (ty_diag){ 0 };
    TY_CHECK(ty_lidar_create(&def, &l, &diag) == TY_ERR_RANGE && strstr(diag.text, "beam 0"));
    def = grid(10, 10), def.near = 5.0, def.far = 4.0, diag = (ty_diag){ 0 };
    TY_CHECK(ty_lidar_create(&def, &l, &diag) == TY_ERR_RANGE && strstr(diag.text, "near"));
    def = grid(10, 10);
    l = lidar_of(&def);
    ty_lidar_rays rays;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_lidar_aim(l, &(ty_track){ NULL, 0 }, 0, &rays, &diag) == TY_ERR_INPUT && strstr(diag.text, "keyframe"));
    TY_CHECK(!strcmp(tyi_lidar_mode_name(TY_LIDAR_DUAL), "dual") && ty_lidar_window(l) == 0.0);
    TY_CHECK(tyi_lidar_type(l).width == 10 && tyi_lidar_type(l).unit == TY_UNIT_RETURN &&
             ty_lidar_get_def(l)->rows == 10);
    ty_lidar_destroy(l);
    ty_lidar_destroy(NULL);
}

typedef struct counter {
    long gets, fail_at;
} counter;
static void *get(size_t bytes, void *user)
{
    counter *c = user;
    return ++c->gets == c->fail_at ? NULL : malloc(bytes);
}
static void put(void *memory, size_t bytes, void *user)
{
    (void)bytes, (void)user;
    free(memory);
}

TY_TEST(lidar_model, memory)
{
    counter c = { 0, 0 };
    ty_alloc alloc = { get, put, &c };
    ty_lidar_def def = grid(30, 20);
    def.alloc = &alloc;
    ty_lidar *l = lidar_of(&def);
    long made = c.gets;
    scan(l, 10.0, 0.5, 1.0, 0);
    scan(l, 12.0, 0.5, 1.0, 1);
    TY_CHECK(c.gets == made); /* scans allocate nothing */
    ty_lidar_destroy(l);
    for (long k = 1; k <= made; k++) {
        c = (counter){ 0, k };
        TY_CHECK(ty_lidar_create(&def, &l, NULL) == TY_ERR_MEMORY && !l);
    }
}
