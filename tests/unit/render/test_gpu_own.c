/* tests/unit/render/test_gpu_own.c - a law and a lens of a program's own, by the host as C functions and on a device from their texts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "render_support.h"
#include "tycho/device.h"

enum { W = 48, H = 36 };

/* one text for both: Lambert's law with a rim that grows as light and eye go down, and a lobe back to the light */
#define BOTH(name, ...) __VA_ARGS__ static const char name[] = #__VA_ARGS__;
#define ty_real         double
#define TY_R(x)         (x)
typedef struct ty_k_brdf {
    double albedo, k, roughness;
} ty_k_brdf;
typedef struct ty_k_angles {
    double mu0, mu, sin2_g;
} ty_k_angles;

BOTH(
    moss_text, static ty_real brdf(ty_k_brdf m, ty_k_angles a) {
        ty_real rim = TY_R(1.0) - a.mu0 * a.mu;
        ty_real back = exp(-a.sin2_g / m.roughness);
        ty_real sum = TY_R(0.5) + m.k * rim * rim;
        for (int i = 1; i <= 3; i++) {
            sum += back / (ty_real)i;
        }
        return m.albedo * sum / TY_R(3.14159265358979);
    })

static double moss(const ty_material *m, int band, const ty_law_geometry *g, void *user)
{
    (void)user;
    ty_k_brdf here = { m->albedo[band], m->k, m->roughness };
    ty_k_angles a = { g->mu0, g->mu, 0.5 - 0.5 * g->cos_g };
    return brdf(here, a);
}

/* a lens whose radius goes with the sine of the angle off the axis */
static const char sine_text[] =
    "ty_k_ray ray(ty_k_camera m, ty_real u, ty_real v)\n"
    "{\n"
    "    ty_real x = (u - m.mid_u) / m.focal, y = (v - m.mid_v) / m.focal, q = x * x + y * y;\n"
    "    ty_k_ray r;\n"
    "    r.ok = q < TY_R(1.0);\n"
    "    r.o = ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(0.0));\n"
    "    r.d = ty_k_vec(x, y, sqrt(ty_k_max(TY_R(1.0) - q, TY_R(0.0))));\n"
    "    return r;\n"
    "}\n";

static bool sine_ray(const ty_camera *c, double u, double v, ty_vec3 *o, ty_vec3 *d, void *user)
{
    (void)user;
    double focal = 0.5 * c->width / tan(0.5 * c->hfov);
    double x = (u - 0.5 * c->width) / focal, y = (v - 0.5 * c->height) / focal, q = x * x + y * y;
    *o = ty_vec3_make(0, 0, 0);
    *d = ty_vec3_make(x, y, sqrt(fmax(1.0 - q, 0.0)));
    return q < 1.0;
}

static bool sine_project(const ty_camera *c, ty_vec3 p, double *u, double *v, void *user)
{
    (void)user;
    double focal = 0.5 * c->width / tan(0.5 * c->hfov), n = ty_norm(p);
    *u = 0.5 * c->width + focal * p.x / n, *v = 0.5 * c->height + focal * p.y / n;
    return p.z > 0.0;
}

/* a floor of moss on the left, of the second law on the right */
static ty_scene *floor_of(const ty_law_model *law, size_t laws)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *s = NULL;
    def.kinds = (ty_render_kinds){ law, laws, NULL, 0 };
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    for (size_t i = 0; i < laws; i++) {
        ty_material own = ty_material_lambert(0.4);
        own.law = (ty_law)(TY_LAW_COUNT + (int)i), own.k = 0.7, own.roughness = 0.3;
        add_rectangle(s, ty_vec3_make(i ? 0.0 : -3.0, 0.5, -1.0), ty_vec3_make(3, 0, 0), ty_vec3_make(0, 4, 0), own);
    }
    add_sun(s, 150.0, 35.0, 0.0, 1000.0);
    return s;
}

/* of the pixels that show an object */
static double worst(const shot *a, const shot *b, uint32_t id, int *lit)
{
    double off = 0.0;
    *lit = 0;
    for (int i = 0; i < W * H; i++) {
        if (a->out.instance[i] == id && b->out.instance[i] == id && a->out.radiance[i] > 1.0f) {
            off = fmax(off, fabs((double)b->out.radiance[i] / (double)a->out.radiance[i] - 1.0));
            (*lit)++;
        }
    }
    return off;
}

TY_TEST(gpu_own, a_law_and_a_lens_from_their_texts)
{
    ty_device *device = device_or_skip();
    ty_diag diag = { 0 };
    const ty_law_model law[2] = {
        { "moss", moss, NULL, moss_text },
        { "other", moss, NULL, "ty_real brdf(ty_k_brdf m, ty_k_angles a) { return TY_R(0.31) * m.albedo; }" },
    };
    const ty_law_model silent = { "moss", moss, NULL, NULL },
                       wrong = { "moss", moss, NULL, "ty_real brdf(ty_k_brdf m, ty_k_angles a) { return moss; }" };
    const ty_lens_model sine = { sine_ray, sine_project, NULL, sine_text },
                        sine_c = { sine_ray, sine_project, NULL, NULL };
    ty_scene *s = floor_of(law, 2);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, -30.0, 40.0, W, H), lens = c;
    lens.lens = TY_LENS_OWN, lens.model = &sine;
    ty_render_def d = ty_render_def_default();
    d.samples = 1, d.jitter = false;
    shot wide = shot_make(W, H, 1), host = shot_make(W, H, 1), image = shot_make(W, H, 1);
    int lit;
    shot_take(s, &lens, &d, &wide), shot_take(s, &c, &d, &host);
    TY_CHECK(ty_scene_set_device(s, device, false, NULL) == TY_OK);
    for (int k = 0; k < 2; k++) { /* the lens, then a pinhole */
        shot_take(s, k ? &c : &lens, &d, &image);
        TY_CHECK(!ty_scene_get_stats(s).host);
        double off = worst(k ? &host : &wide, &image, 1, &lit);
        printf("%s: radiance within %.2g in %d pixels\n", k ? "own law" : "own law and lens", off, lit);
        TY_CHECK(off < 1e-6 && lit > W * H / 5);
        /* control: a text that says something else than the function is seen */
        TY_CHECK(worst(k ? &host : &wide, &image, 2, &lit) > 1e-2 && lit > W * H / 5);
    }
    TY_ROW("a law of a program's own on the host and on a device: radiance within 1e-6", "each other", "%.1e",
           worst(&host, &image, 1, &lit));
    shot_take(s, &lens, &d, &image); /* control: the lens again is another picture */
    TY_CHECK(worst(&host, &image, 1, &lit) > 1e-3);
    /* without a text that sensor is the host's; the other one is not */
    lens.model = &sine_c;
    shot_take(s, &lens, &d, &image);
    TY_CHECK(ty_scene_get_stats(s).host && strstr(ty_scene_get_stats(s).host, "lens"));
    shot_take(s, &c, &d, &image);
    TY_CHECK(!ty_scene_get_stats(s).host);
    ty_scene_destroy(s);
    /* a text that is no C gets a sentence; none: the host */
    s = floor_of(&wrong, 1);
    TY_CHECK(ty_scene_set_device(s, device, false, NULL) == TY_OK);
    TY_CHECK(ty_render(s, &c, &d, &image.out, &diag) == TY_ERR_DEVICE && strstr(diag.text, "cannot build"));
    printf("%s\n", diag.text);
    ty_scene_destroy(s);
    s = floor_of(&silent, 1);
    TY_CHECK(ty_scene_set_device(s, device, false, NULL) == TY_OK);
    shot_take(s, &c, &d, &image);
    TY_CHECK(ty_scene_get_stats(s).host && strstr(ty_scene_get_stats(s).host, "law"));
    ty_scene_destroy(s);
    shot_free(&host), shot_free(&wide), shot_free(&image);
    ty_device_destroy(device);
}
