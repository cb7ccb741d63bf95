/* tests/unit/render/test_medium.c - light through a layer over a floor: what passes and what is scattered, against closed
 * forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "k_medium.h"
#include "render_support.h"
#include "tycho/trace.h"

enum { BANDS = 2 };

/* a layer between two heights, cut into equal parts */
typedef struct layer {
    double low, high;
    float extinction[BANDS], albedo[BANDS], lobe[2], share;
    int parts;
} layer;

static int layer_parts(const ty_trace_ray *r, int bands, int most, ty_medium_part *out, void *user)
{
    const layer *l = user;
    if (fabs(r->dir.z) < 1e-9) {
        return 0;
    }
    double a = (l->low - r->from.z) / r->dir.z, b = (l->high - r->from.z) / r->dir.z;
    double t0 = fmax(fmin(a, b), 0.0), t1 = fmin(fmax(a, b), r->far);
    int n = l->parts < most ? l->parts : most;
    for (int i = 0; i < n && t1 > t0; i++) {
        out[i] = (ty_medium_part){ .t0 = (float)(t0 + (t1 - t0) * i / n),
                                   .t1 = (float)(t0 + (t1 - t0) * (i + 1) / n),
                                   .lobe = { l->lobe[0], l->lobe[1] },
                                   .share = l->share };
        for (int band = 0; band < bands; band++) {
            out[i].extinction[band] = l->extinction[band], out[i].albedo[band] = l->albedo[band];
        }
    }
    return t1 > t0 ? n : 0;
}

static const layer dust = { .low = 0.5,
                            .high = 1.5,
                            .extinction = { 0.3f, 0.6f },
                            .albedo = { 0.9f, 0.5f },
                            .lobe = { 0.6f, -0.2f },
                            .share = 0.7f,
                            .parts = TY_MEDIUM_PARTS };

/* a floor of albedo 0.4 under a small Sun */
static ty_scene *floor_scene(double elevation)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *s = NULL;
    def.bands = BANDS;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    add_rectangle(s, ty_vec3_make(-50, -50, 0), ty_vec3_make(100, 0, 0), ty_vec3_make(0, 100, 0),
                  ty_material_lambert(0.4));
    add_sun(s, 0.0, elevation, 0.0, 1000.0);
    return s;
}

/* floor through the layer, and the layer: plane-parallel single scattering */
static double expected(const layer *l, int band, double mu0, double mu, double cos_turn, bool lit)
{
    double tau = (double)l->extinction[band] * (l->high - l->low), both = tau * (1.0 / mu0 + 1.0 / mu);
    double p = ty_k_medium_phase((double)l->lobe[0], (double)l->lobe[1], (double)l->share, cos_turn);
    double below = 0.4 / TY_PI * 1000.0 * mu0 * exp(-both);
    return (lit ? below : 0.0) + (double)l->albedo[band] * p * 1000.0 * mu0 / (mu0 + mu) * (1.0 - exp(-both));
}

TY_TEST(medium, a_layer_over_a_floor)
{
    double worst = 0.0;
    for (int i = 0; i < 6; i++) {
        double elevation = 20.0 + 30.0 * (i / 2), look = i % 2 ? -90.0 : -50.0;
        ty_scene *s = floor_scene(elevation);
        ty_camera c = camera_at(ty_vec3_make(0, 0, 4), 0.0, look, 0.2, 4, 4);
        ty_render_def d = ty_render_def_default();
        shot clear = shot_make(4, 4, BANDS), image = shot_make(4, 4, BANDS), again = shot_make(4, 4, BANDS);
        d.samples = 64; /* each part is lit at places that are drawn */
        shot_take(s, &c, &d, &clear);
        ty_scene_set_medium(s, &(ty_medium){ layer_parts, (void *)&dust, NULL, NULL });
        shot_take(s, &c, &d, &image);
        double mu0 = sin(elevation * TY_DEG), mu = -sin(look * TY_DEG);
        /* the Sun in the north, the eye looks north: the angle between the two lines of sight */
        double turn = cos((elevation - look) * TY_DEG);
        for (int band = 0; band < BANDS; band++) {
            double want = expected(&dust, band, mu0, mu, turn, true), got = 0.0;
            for (int k = 0; k < 16; k++) {
                got += (double)image.out.radiance[16 * band + k] / 16.0;
            }
            worst = fmax(worst, fabs(got / want - 1.0));
            TY_NEAR_REL(got, want, 0.005);
            TY_FAR_REL((double)clear.out.radiance[16 * band], want, 0.005); /* control: without the layer */
        }
        ty_scene_set_medium(s, NULL);
        shot_take(s, &c, &d, &again);
        TY_CHECK(!memcmp(again.out.radiance, clear.out.radiance, 32 * sizeof(float)));
        shot_free(&clear), shot_free(&image), shot_free(&again);
        ty_scene_destroy(s);
    }
    printf("layer over a floor: radiance within %.2g of plane-parallel single scattering\n", worst);
}

/* A roof between the Sun and the layer: the layer under it goes dark; a roof that is not in the way does nothing. */
TY_TEST(medium, shadows_in_the_layer)
{
    ty_camera c = camera_at(ty_vec3_make(0, 0, 2.5), 0.0, -90.0, 0.2, 2, 2);
    ty_render_def d = ty_render_def_default();
    double light[2];
    for (int i = 0; i < 2; i++) {
        ty_scene *s = floor_scene(45.0);
        /* the Sun is in the north: what lies on its side is shaded, what lies on the other is not */
        add_rectangle(s, ty_vec3_make(-20, i ? -20.0 : 0.5, 3.0), ty_vec3_make(40, 0, 0), ty_vec3_make(0, 15.0, 0),
                      ty_material_lambert(0.0));
        shot image = shot_make(2, 2, BANDS);
        ty_scene_set_medium(s, &(ty_medium){ layer_parts, (void *)&dust, NULL, NULL });
        shot_take(s, &c, &d, &image);
        light[i] = (double)image.out.radiance[0];
        shot_free(&image);
        ty_scene_destroy(s);
    }
    TY_NEAR(light[0], 0.0, 0.0);
    TY_NEAR_REL(light[1], expected(&dust, 0, sin(45.0 * TY_DEG), 1.0, cos(135.0 * TY_DEG), true), 0.005);
}

/* the Sun's disk and a star are dimmed by what lies before them */
TY_TEST(medium, sun_and_stars_through_it)
{
    float seen[2][2];
    for (int i = 0; i < 2; i++) {
        ty_scene *s = bare_scene();
        ty_light sun = {
            .kind = TY_LIGHT_DISK, .dir_W = { 0, 0, 1 }, .radius = 0.1, .power = { 100.0 }, .visible = true
        };
        ty_star_seen star = { ty_normalize(ty_vec3_make(1.0, 0.0, 1.0)), { 1e-3 } };
        layer far = dust;
        far.albedo[0] = 0.0f; /* it takes light and gives none */
        TY_CHECK(ty_scene_add_light(s, &sun, NULL) == TY_OK && ty_scene_set_stars(s, &star, 1, NULL) == TY_OK);
        ty_scene_set_medium(s, i ? &(ty_medium){ layer_parts, &far, NULL, NULL } : NULL);
        shot image = shot_make(1, 1, 1);
        ty_render_def d = ty_render_def_default();
        ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 90.0, 1.0, 1, 1);
        shot_take(s, &c, &d, &image);
        seen[0][i] = image.out.radiance[0];
        c = camera_at(ty_vec3_make(0, 0, 0), 90.0, 45.0, 1.0, 1, 1);
        shot_take(s, &c, &d, &image);
        seen[1][i] = image.out.radiance[0];
        shot_free(&image);
        ty_scene_destroy(s);
    }
    TY_NEAR_REL((double)(seen[0][1] / seen[0][0]), exp(-0.3), 1e-4);
    TY_NEAR_REL((double)(seen[1][1] / seen[1][0]), exp(-0.3 * sqrt(2.0)), 1e-3);
    TY_FAR_REL((double)(seen[1][1] / seen[1][0]), exp(-0.3), 1e-3);
}

/* rays of a sensor: one clear stretch without a medium; with one, stretches without gaps whose product is exp(-tau) */
TY_TEST(medium, segments_of_rays)
{
    enum { N = 500 };
    static ty_trace_ray ray[N];
    static ty_trace_hit plain[N], hit[N], two[N];
    static ty_ray_segments way[N], other[N];
    ty_scene *s = floor_scene(30.0);
    for (int i = 0; i < N; i++) {
        double a = 0.1 * i, e = -0.2 - 0.0025 * i;
        ray[i] = (ty_trace_ray){ { 0, 0, 1.0 + 0.01 * i }, { cos(e) * cos(a), cos(e) * sin(a), sin(e) }, 30.0, 0.0 };
    }
    ray[3].far = -1.0;
    TY_CHECK(ty_scene_trace_segments(s, ty_vec3_make(0, 0, 1), ray, N, 1, 1, plain, way, NULL) == TY_OK);
    for (int i = 0; i < N; i++) {
        TY_CHECK(way[i].count == (i != 3) && plain[i].tau == 0.0f);
        if (i != 3) {
            TY_NEAR((double)way[i].segment[0].t1, fmin(plain[i].range, 30.0), 1e-4);
            TY_CHECK(way[i].segment[0].transmittance[1] == 1.0f && way[i].segment[0].radiance[1] == 0.0f);
        }
    }
    ty_scene_set_medium(s, &(ty_medium){ layer_parts, (void *)&dust, NULL, NULL });
    TY_CHECK(ty_scene_trace(s, ty_vec3_make(0, 0, 1), ray, N, 1, 1, hit, NULL) == TY_OK);
    TY_CHECK(ty_scene_trace_segments(s, ty_vec3_make(0, 0, 1), ray, N, 1, 2, two, way, NULL) == TY_OK);
    TY_CHECK(ty_scene_trace_segments(s, ty_vec3_make(0, 0, 1), ray, N, 1, 1, two, other, NULL) == TY_OK);
    TY_CHECK(!memcmp(way, other, sizeof way)); /* the same bits for any threads */
    double worst = 0.0, most = 0.0;
    for (int i = 0; i < N; i++) {
        double from = ray[i].from.z, end = fmin(plain[i].range, 30.0), to = from + end * ray[i].dir.z;
        double in = fmax(fmin(from, 1.5) - fmax(to, 0.5), 0.0) / -ray[i].dir.z, product = 1.0, light = 0.0;
        TY_CHECK(hit[i].range == plain[i].range && hit[i].tau == two[i].tau);
        if (i == 3) {
            continue;
        }
        TY_NEAR((double)hit[i].tau, 0.6 * in, 1e-4);
        for (int k = 0; k < way[i].count; k++) {
            const ty_ray_segment *g = &way[i].segment[k];
            TY_CHECK(g->t1 > g->t0 && g->t0 == (k ? way[i].segment[k - 1].t1 : 0.0f));
            product *= (double)g->transmittance[1];
            light += (double)g->radiance[1];
        }
        TY_NEAR((double)way[i].segment[way[i].count - 1].t1, end, 1e-4);
        worst = fmax(worst, fabs(product - exp(-(double)hit[i].tau)));
        most = fmax(most, light);
    }
    TY_NEAR(worst, 0.0, 1e-5);
    TY_CHECK(most > 1.0); /* the Sun lights it */
    ty_scene_destroy(s);
}
