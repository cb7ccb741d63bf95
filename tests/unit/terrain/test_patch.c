/* Patches: points, rays and edits against slower ways of finding the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_philox.h"
#include "tycho/terrain.h"
#include "world/terrain/inner.h"

static ty_terrain *make(void)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 12.0; /* rough, so that rays graze and miss */
    def.edit_level = 3;
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    ty_terrain_create(&def, &t, &diag);
    cr_assert(t, "%s", diag.text);
    return t;
}

static ty_terrain_patch *patch_at(ty_terrain *t, int level, int i0, int j0, int nx, int ny)
{
    ty_terrain_patch *p = NULL;
    ty_diag diag = { 0 };
    ty_terrain_patch_create(t, level, i0, j0, nx, ny, 1, &p, &diag);
    cr_assert(p, "%s", diag.text);
    return p;
}

static double uniform(uint32_t i, uint32_t what)
{
    return ty_k_uniform(ty_k_philox(i, what, 0, 0, 5, TY_RNG_TEST).v[0]);
}

TY_TEST(patch, points_agree_with_tiles)
{
    ty_terrain *t = make();
    ty_terrain_patch *p = patch_at(t, 3, -100, 40, 301, 77);
    ty_rect r = ty_terrain_patch_rect(p);
    for (uint32_t k = 0; k < 1000; k++) {
        double x = r.x0 + (r.x1 - r.x0) * uniform(k, 1), y = r.y0 + (r.y1 - r.y0) * uniform(k, 2), z;
        ty_vec3 n;
        ty_terrain_ground g;
        ty_terrain_patch_sample(p, 1, &x, &y, &g);
        ty_terrain_sample(t, 3, 1, &x, &y, &z, &n, NULL);
        TY_NEAR(g.z, z, 1e-6); /* both are floats around their own zero */
        TY_NEAR(ty_norm(ty_sub(ty_terrain_ground_normal(g), n)), 0.0, 1e-4);
    }
    ty_terrain_patch_destroy(p);
    ty_terrain_destroy(t);
}

/* small steps along the ray until it is on the other side, then bisection */
static double march(const ty_terrain_patch *p, ty_ray ray, double step)
{
    ty_rect r = ty_terrain_patch_rect(p);
    double before = NAN, t0 = ray.t_min;
    for (double t = ray.t_min; t < ray.t_max; t += step) {
        double x = ray.origin.x + t * ray.direction.x, y = ray.origin.y + t * ray.direction.y;
        if (x < r.x0 || x > r.x1 || y < r.y0 || y > r.y1) {
            before = NAN;
            continue;
        }
        ty_terrain_ground g;
        ty_terrain_patch_sample(p, 1, &x, &y, &g);
        double gap = ray.origin.z + t * ray.direction.z - g.z;
        if (before * gap < 0.0) {
            double a = t0, b = t;
            for (int k = 0; k < 60; k++) {
                double m = 0.5 * (a + b), mx = ray.origin.x + m * ray.direction.x,
                       my = ray.origin.y + m * ray.direction.y;
                ty_terrain_patch_sample(p, 1, &mx, &my, &g);
                double fm = ray.origin.z + m * ray.direction.z - g.z;
                if (fm * before > 0.0) {
                    a = m;
                } else {
                    b = m;
                }
            }
            return 0.5 * (a + b);
        }
        before = gap;
        t0 = t;
    }
    return INFINITY;
}

/* Random rays from above, from the side and from below against marching in steps of 1/40 of a cell. A march can step
 * over a grazing crossing that the walk finds, never the other way round. */
TY_TEST(patch, rays_agree_with_marching, .timeout = 120)
{
    ty_terrain *t = make();
    ty_terrain_patch *p = patch_at(t, 3, -70, -60, 141, 131);
    ty_rect r = ty_terrain_patch_rect(p);
    int hits = 0, below = 0, graze = 0;
    for (uint32_t k = 0; k < 3000; k++) {
        double x = r.x0 - 2.0 + (r.x1 - r.x0 + 4.0) * uniform(k, 1),
               y = r.y0 - 2.0 + (r.y1 - r.y0 + 4.0) * uniform(k, 2);
        ty_terrain_ground g;
        ty_terrain_patch_sample(p, 1, &x, &y, &g);
        double up = k % 4 ? 2.0 * uniform(k, 3) : -1.0 * uniform(k, 3), az = 2.0 * TY_PI * uniform(k, 4);
        double tilt = k % 3 == 0 ? 0.1 * (uniform(k, 5) - 0.5) : 2.0 * uniform(k, 5) - 1.0;
        ty_vec3 d = ty_normalize(ty_vec3_make(cos(az), sin(az), tilt));
        if (k % 50 == 0) {
            d = ty_vec3_make(0, 0, up > 0 ? -1 : 1); /* straight down or up */
        } else if (k % 50 == 1) {
            d = ty_vec3_make(1, 0, 0);
        }
        ty_ray ray = { ty_vec3_make(x, y, g.z + up), d, 0.0, 100.0 };
        ty_terrain_hit hit;
        ty_terrain_patch_rays(p, 1, &ray, &hit);
        double want = march(p, ray, 0.002);
        hits += isfinite(hit.t);
        below += isfinite(hit.t) && up < 0.0;
        if (isfinite(hit.t)) { /* it lies on the surface */
            double hx = ray.origin.x + hit.t * d.x, hy = ray.origin.y + hit.t * d.y;
            ty_terrain_patch_sample(p, 1, &hx, &hy, &g);
            TY_NEAR(ray.origin.z + hit.t * d.z, g.z, 1e-7);
        }
        if (fabs(hit.t - want) > 1e-6 || isfinite(hit.t) != isfinite(want)) {
            graze++;
            cr_expect(hit.t < want, "ray %u: walk %g, march %g", k, hit.t, want);
        }
    }
    printf("patch rays: %d of 3000 hit, %d from below, %d found by the walk alone\n", hits, below, graze);
    TY_CHECK(hits > 500 && below > 100 && graze < 30);
    ty_terrain_patch_destroy(p);
    ty_terrain_destroy(t);
    TY_ROW("rays end on the surface within 1e-7 m", "steps of 2 mm along 3000 rays",
           "worst %.1e m; %d grazing ones that steps miss", tyt_worst("ray.origin.z + hit.t * d.z"), graze);
}

/* An edit reaches tiles, points, patches of finer and coarser levels; a synced patch equals a fresh one. */
TY_TEST(patch, edits_reach_every_level)
{
    enum { N = 60 };
    ty_terrain *t = make();
    ty_terrain_patch *same = patch_at(t, 3, -80, -80, 200, 200), *fine = patch_at(t, 2, -160, -160, 300, 300),
                     *coarse = patch_at(t, 5, -20, -20, 50, 50);
    static float change[N * N];
    for (int k = 0; k < N * N; k++) {
        change[k] = -0.05f;
    }
    ty_edit edit = { .i0 = -10, .j0 = -10, .nx = N, .ny = N, .change = change };
    double d = ty_terrain_spacing(t, 3), x = 20 * d, y = 20 * d, z[2];
    ty_terrain_sample(t, 3, 1, &x, &y, &z[0], NULL, NULL);
    for (int k = 0; k < 3; k++) {
        edit.i0 += k;
        cr_assert(ty_terrain_edit(t, &edit, NULL) == TY_OK);
    }
    TY_CHECK(ty_terrain_version(t) == 3);
    ty_terrain_sample(t, 3, 1, &x, &y, &z[1], NULL, NULL);
    TY_NEAR(z[1] - z[0], -0.15, 1e-6);
    ty_terrain_patch *old[3] = { same, fine, coarse };
    ty_terrain_patch *fresh[3] = { patch_at(t, 3, -80, -80, 200, 200), patch_at(t, 2, -160, -160, 300, 300),
                                   patch_at(t, 5, -20, -20, 50, 50) };
    for (int l = 0; l < 3; l++) {
        ty_terrain_ground before, a, b;
        ty_terrain_patch_sample(old[l], 1, &x, &y, &before);
        tyi_terrain_patch_sync(old[l]);
        ty_ray ray = { ty_vec3_make(x, y, 100.0 + z[0]), { 0.0, 0.0, -1.0 }, 0.0, 1e3 };
        ty_terrain_hit hit;
        ty_terrain_patch_rays(old[l], 1, &ray, &hit);
        ty_terrain_patch_sample(old[l], 1, &x, &y, &a);
        TY_NEAR(before.z - a.z, 0.15, 1e-5);
        TY_NEAR(z[0] + 100.0 - hit.t, a.z, 1e-6);
        ty_rect r = ty_terrain_patch_rect(old[l]);
        for (uint32_t k = 0; k < 500; k++) {
            double px = r.x0 + (r.x1 - r.x0) * uniform(k, 1), py = r.y0 + (r.y1 - r.y0) * uniform(k, 2);
            ty_terrain_patch_sample(old[l], 1, &px, &py, &a);
            ty_terrain_patch_sample(fresh[l], 1, &px, &py, &b);
            TY_CHECK(a.z == b.z);
            ray = (ty_ray){ ty_vec3_make(px, py, a.z + 1.0), ty_normalize(ty_vec3_make(uniform(k, 3) - 0.5, 1.0, -0.3)),
                            0.0, 1e3 };
            ty_terrain_hit ha, hb;
            ty_terrain_patch_rays(old[l], 1, &ray, &ha);
            ty_terrain_patch_rays(fresh[l], 1, &ray, &hb);
            TY_CHECK(ha.t == hb.t);
        }
        ty_terrain_patch_destroy(old[l]);
        ty_terrain_patch_destroy(fresh[l]);
    }
    ty_terrain_destroy(t);
}

/* What was dug out is the same volume on every coarser level. */
TY_TEST(patch, coarser_levels_keep_the_volume)
{
    enum { N = 37, W = 200 };
    ty_terrain *t = make();
    static float change[N * N], read[W * W];
    double volume = 0.0;
    for (int k = 0; k < N * N; k++) {
        change[k] = -0.02f * (float)uniform((uint32_t)k, 9);
        volume += (double)change[k] * 0.08 * 0.08;
    }
    ty_edit edit = { .i0 = -9, .j0 = 13, .nx = N, .ny = N, .change = change };
    ty_terrain_edit(t, &edit, NULL);
    for (int level = 3; level < 7; level++) {
        ty_terrain_edits(t, level, -W / 2, -W / 2, W, W, read, NULL);
        double d = ty_terrain_spacing(t, level), sum = 0.0;
        for (int k = 0; k < W * W; k++) {
            sum += (double)read[k] * d * d;
        }
        TY_NEAR_REL(sum, volume, 1e-5);
    }
    int32_t rect[4];
    TY_CHECK(tyi_terrain_edit_rect(t, 1, rect) && rect[0] == -9 && rect[3] == N);
    TY_CHECK(!tyi_terrain_edit_rect(t, 2, rect));
    ty_diag diag = { 0 };
    edit.nx = 0;
    TY_CHECK(ty_terrain_edit(t, &edit, &diag) == TY_ERR_RANGE && diag.text[0]);
    ty_terrain_destroy(t);
    TY_ROW("ruts keep their volume on coarser levels within 1e-5", "sum over the cells", "worst %.1e",
           tyt_worst_rel("sum"));
}
