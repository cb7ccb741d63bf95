/* tests/unit/study/test_measure_light.c - two statistics of rendered ground: the share in shadow by the Sun's
 * elevation against Smith's law for Gaussian ground, and radiance against the law of reflectance over Gaussian
 * slopes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_smith.h"
#include "study/measure.h"
#include "tycho/math.h"
#include "tyt.h"

/* Limits of the law, and one value integrated by hand: mu = w gives q = 1/sqrt(2), erfc(q) = 0.317311, Lambda =
 * (0.7978846 exp(-1/2) - 0.317311) / 2 = 0.083315, S = 0.841345 / 1.083315. */
TY_TEST(measure_light, smiths_law)
{
    TY_NEAR(ty_k_smith_lit(10.0, 0.1), 1.0, 1e-12);
    TY_NEAR(ty_k_smith_lit(0.1, 0.1), 0.841345 / 1.083315, 1e-5);
    TY_NEAR(ty_k_smith_lit(1e-4, 0.1) / 1e-4, sqrt(0.5 * TY_PI) / 0.1, 0.02 / 0.1); /* mu -> 0: S = sqrt(pi/2) mu / w */
    TY_FAR(ty_k_smith_lit(0.1, 0.2), 0.841345 / 1.083315, 0.1);
}

static ty_terrain *plain(double slope_deg)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.resolution = 0.04;
    def.edit_level = 0;
    def.extent = 1000.0;
    def.seed = 11;
    def.relief = (ty_relief_def){ .rms_slope_deg = slope_deg, .baseline = 0.5, .hurst = 0.85, .outer = 4.0 };
    def.crater.on = false;
    def.rock.on = false;
    def.cache_bytes = 64u << 20;
    ty_terrain *t = NULL;
    TY_CHECK(ty_terrain_create(&def, &t, NULL) == TY_OK);
    return t;
}

/* the same share by the terrain's own rays, in double, towards the middle of the Sun */
static double lit_by_rays(const ty_terrain_patch *patch, double azimuth, double elevation)
{
    enum { SIDE = 60 };
    ty_vec3 sun = { cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation) };
    int lit = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        /* the 150 cells that are seen */
        double x = (i % SIDE + 0.5) / SIDE * 6.0 - 3.0, y = (i / SIDE + 0.5) / SIDE * 6.0 - 3.0;
        ty_terrain_ground g;
        ty_terrain_patch_sample(patch, 1, &x, &y, &g);
        ty_ray ray = { { x, y, g.z + 1e-6 }, sun, 0.0, 100.0 };
        ty_terrain_hit hit;
        ty_terrain_patch_rays(patch, 1, &ray, &hit);
        lit += ty_dot(ty_terrain_ground_normal(g), sun) > 0.0 && !isfinite(hit.t);
    }
    return (double)lit / (SIDE * SIDE);
}

TY_TEST(measure_light, shadows_and_radiance)
{
    enum { MOST = 5 };
    static const double deg[MOST] = { 2.0, 4.0, 8.0, 20.0, 40.0 };
    ty_terrain *t = plain(5.0);
    tyi_study_measure_lit lit[MOST];
    double slope = 0.0;
    for (int k = 0; k < MOST; k++) {
        lit[k].elevation = deg[k] * TY_DEG;
    }
    ty_terrain_patch *patch = NULL;
    TY_CHECK(ty_terrain_patch_create(t, 0, -512, -512, 1024, 1024, 0, &patch, NULL) == TY_OK);
    TY_CHECK(tyi_study_measure_light(t, 1.0, MOST, lit, &slope, NULL, NULL) == TY_OK);
    for (int k = 0; k < MOST; k++) {
        const tyi_study_measure_lit *at = &lit[k];
        double rays = lit_by_rays(patch, 1.0, at->elevation);
        TY_NEAR(at->lit, rays, 0.02); /* 3600 points: 0.008 one sigma, if they were independent */
        printf(
            "light: Sun at %4.1f deg, slope %.3f: lit %.3f (rays %.3f, law %.3f); radiance %.2f +- %.2f (law %.2f +- %.2f, level %.2f)\n",
            deg[k], slope, at->lit, rays, at->lit_law, at->median, at->spread, at->median_law, at->spread_law,
            at->level);
        printf(
            "       over the slopes of lit pixels %.2f; these lean %.4f towards the Sun, Gaussian ones that face it %.4f\n",
            at->median_own, at->lean, at->lean_law);
        TY_NEAR_REL(at->median, at->median_own, 0.03);
        /* on fractal ground heights and slopes are not independent, as the law has them */
        TY_NEAR(at->lit, at->lit_law, 0.1);
        if (deg[k] >= 20.0) { /* lower, light picks out crests, which the law of slopes does not know */
            TY_NEAR_REL(at->median, at->median_law, 0.05);
            TY_NEAR_REL(at->spread, at->spread_law, 0.15);
        }
    }
    TY_FAR(ty_k_smith_lit(tan(lit[1].elevation), 0.5 * slope), lit[1].lit, 0.1); /* control: half the slope */
    TY_FAR(lit[3].median / lit[4].median_law, 1.0, 0.05);                        /* control: another Sun */
    TY_FAR(lit[1].median / lit[1].median_law, 1.0, 0.1); /* control: not the lit pixels' slopes */
    TY_CHECK(lit[1].lean > lit[1].lean_law);
    ty_terrain_patch_destroy(patch);
    ty_terrain_destroy(t);
}
