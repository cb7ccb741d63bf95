/* The chart of the whole Moon, and what it makes of a bare sphere.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_chart.h"
#include "planet_support.h"

#define R TY_MOON_RADIUS

static double gap(ty_k_vec3 a, ty_k_vec3 b)
{
    return ty_k_norm(ty_k_sub(a, b));
}

/* Derivatives against differences of the map itself, everywhere; they do not jump where the tangent plane ends. */
TY_TEST(chart, derivatives)
{
    double worst = 0.0;
    for (int k = 0; k < 400; k++) {
        double s = R * (0.012 + 3.0 * k / 400.0), a = 2.39996 * k, x = s * cos(a), y = s * sin(a), e = 10.0;
        double z = ty_k_chart_z(R, s * s, 9000.0 * sin(5.0 * k));
        ty_k_chart c = ty_k_chart_at(R, x, y, z);
        ty_k_vec3 by[3] = { c.px, c.py, c.pz };
        for (int i = 0; i < 3; i++) {
            ty_k_vec3 p = ty_k_chart_at(R, x + e * (i == 0), y + e * (i == 1), z + e * (i == 2)).p;
            ty_k_vec3 m = ty_k_chart_at(R, x - e * (i == 0), y - e * (i == 1), z - e * (i == 2)).p;
            worst = fmax(worst, gap(ty_k_scale(0.5 / e, ty_k_sub(p, m)), by[i]));
        }
    }
    printf("chart: derivatives off by %.1e at most\n", worst);
    TY_NEAR(worst, 0.0, 1e-9); /* rounding: 1e-16 R / 20 m, and the third derivative */
    double edge = TY_K_CHART_FLAT * R, z = ty_k_chart_z(R, edge * edge, 2000.0);
    ty_k_chart in = ty_k_chart_at(R, edge * (1.0 - 1e-9), 0.0, z), out = ty_k_chart_at(R, edge * (1.0 + 1e-9), 0.0, z);
    TY_NEAR(gap(in.p, out.p), 0.0, 0.01);
    /* outwards a step is 3 % of a step times the tilt's change longer at most; never a step in place */
    TY_NEAR(gap(in.px, out.px), 0.0, 0.01);
    /* control: farther out the plane has turned */
    TY_FAR(gap(in.px, ty_k_chart_at(R, 1.2 * edge, 0.0, z).px), 0.0, 0.01);
}

/* Heights above the sphere come back as distances from the Moon's centre; the antipode is one point; angles invert. */
TY_TEST(chart, heights_and_angles)
{
    for (int k = 1; k < 200; k++) {
        double s = TY_K_CHART_END * R * k / 200.0, h = 8000.0 * sin(3.0 * k);
        ty_k_vec3 p = ty_k_chart_at(R, s, 0.0, ty_k_chart_z(R, s * s, h)).p;
        TY_NEAR(sqrt(p.x * p.x + (p.z + R) * (p.z + R)), R + h, 1e-8 * R);
        TY_NEAR(atan2(p.x, p.z + R), ty_k_chart_angle(R, s, h), 1e-9);
        TY_NEAR(ty_k_chart_s(R, ty_k_chart_angle(R, s, 0.0)), s, 1e-8 * R);
    }
    double far = 1.1 * TY_K_CHART_END * R;
    ty_k_vec3 a = ty_k_chart_at(R, far, 0.0, ty_k_chart_z(R, far * far, 700.0)).p;
    ty_k_vec3 b = ty_k_chart_at(R, 0.0, -far, ty_k_chart_z(R, far * far, 700.0)).p;
    TY_NEAR(gap(a, b), 0.0, 1e-6);
    TY_NEAR(a.z, -2.0 * R - 700.0, 1e-6);
    TY_FAR(a.z, -2.0 * R, 1.0);
}

static ty_status no_heights(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                            ty_diag *diag)
{
    (void)user, (void)lat, (void)lon, (void)spacing, (void)diag;
    memset(height, 0, n * sizeof *height);
    return TY_OK;
}

/* A bare sphere from near and far, over the site, beside it, over a quarter of the Moon and over the antipode: every
 * pixel whose ray meets the sphere shows it at the right distance, no other does. */
TY_TEST(chart, a_sphere_without_holes, .timeout = 120)
{
    ty_terrain_base base = { .sample = no_heights, .spacing = 2000.0 };
    ty_terrain *t = moon_of(-30.0, 40.0, base);
    ty_scene *scene = moon_scene(t, 256, 0.5);
    const ty_site *site = ty_terrain_site(t);
    static const double over[][4] = { /* [deg] [deg] [m] [deg] elevation of the view */
                                      { -30.0, 40.0, 8e6, -90.0 },  { -30.0, 40.0, 1e5, -30.0 },
                                      { -20.0, 50.0, 1e4, -8.0 },   { 60.0, 40.0, 5e5, -50.0 },
                                      { 30.0, -140.0, 4e6, -90.0 }, { 30.0, -139.0, 2e5, -40.0 }
    };
    enum { W = 96, H = 72 };
    static double range[W * H];
    ty_render_buffers out = { .range = range };
    ty_render_def def = ty_render_def_default();
    int wrong = 0, hits = 0, lines = 0;
    double worst = 0.0;
    for (int k = 0; k < 6; k++) {
        ty_camera c = camera_over(site, over[k][0], over[k][1], over[k][2], 45.0, over[k][3],
                                  k == 0 || k == 4 ? 40.0 : 60.0, W, H);
        cr_assert(ty_render(scene, &c, &def, &out, NULL) == TY_OK);
        for (int i = 0; i < W * H; i++) {
            ty_vec3 o, d;
            ty_camera_ray(&c, i % W + 0.5, i / W + 0.5, &o, &d);
            ty_vec3 m = ty_vec3_make(o.x, o.y, o.z + R);
            double b = ty_dot(m, d), q = b * b - ty_dot(m, m) + R * R, pixel = 2.0 * tan(0.5 * c.hfov) / W;
            /* within half a pixel of the silhouette either answer will do */
            double off = fabs(asin(fmin(R / ty_norm(m), 1.0)) - acos(fmin(fmax(-b / ty_norm(m), -1.0), 1.0)));
            if (b < 0.0 && off < 0.5 * pixel) {
                lines++;
                continue;
            }
            bool meets = b < 0.0 && q > 0.0;
            wrong += meets != (bool)isfinite(range[i]);
            if (meets && isfinite(range[i])) {
                double want = -b - sqrt(q), size = want * pixel / fmax(sqrt(q) / R, 0.05);
                worst = fmax(worst, fabs(range[i] - want) / size);
                hits++;
            }
        }
    }
    printf("chart: a sphere from 6 places: %d pixels, %d wrong, worst distance %.2e footprints, %d on the limb\n", hits,
           wrong, worst, lines);
    TY_CHECK(wrong == 0 && hits > 20000);
    TY_NEAR(worst, 0.0, 0.05);
    ty_scene_destroy(scene);
    ty_terrain_destroy(t);
    TY_ROW("the bare globe from 8000 km to 10 km: no hole, distance within 0.05 pixel footprints",
           "closed form, 6 views", "worst %.1e footprints, 0 holes in %d pixels", worst, hits);
}
