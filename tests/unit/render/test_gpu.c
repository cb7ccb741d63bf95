/* tests/unit/render/test_gpu.c - frames on a device, held against the host's: light, labels, depth; what a device cannot
 * draw; the same bits each time. Where there is no OpenCL device the cases say so and skip.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "render_support.h"
#include "device/device.h"
#include "render/gpu/gpu.h"
#include "render/inner.h"
#include "render/scene/scene.h"
#include "tycho/trace.h"
#include "tycho/device.h"

enum { W = 64, H = 48 };

static ty_scene *make_scene(ty_terrain *t)
{
    ty_scene *s = ground_scene(t, 0.02);
    add_wedge(s, above(t, -0.6, 3.0, 0.0), false);
    add_wedge(s, above(t, 0.6, 3.0, 0.0), true);
    add_sphere(s, above(t, 0.0, 2.4, 0.2), 0.25, ty_material_lambert(0.5));
    add_sun(s, 100.0, 20.0, 0.00465, 1361.0);
    ty_light lamp = { .kind = TY_LIGHT_SPOT,
                      .dir_W = { 0, 0.7, -0.7 },
                      .place_W = above(t, 0.0, 0.5, 3.0),
                      .inner = 0.1,
                      .outer = 0.6,
                      .power = { 200.0 } };
    TY_CHECK(ty_scene_add_light(s, &lamp, NULL) == TY_OK);
    return s;
}

typedef struct agreement {
    double mean;   /* [-] of the device's radiance over the host's */
    double near;   /* share of the pixels within 1 %, edges aside */
    double labels; /* share of the pixels with the same label, edges aside */
    double depth;  /* [-] worst relative difference, edges aside */
    int pixels;    /* that count */
} agreement;

/* a pixel whose 3 x 3 neighbours differ in label or sunlit share is an edge */
static bool edge(const shot *s, int i)
{
    int x = i % s->width, y = i / s->width;
    for (int k = 0; k < 9; k++) {
        int u = x + k % 3 - 1, v = y + k / 3 - 1, n = v * s->width + u;
        if (u >= 0 && v >= 0 && u < s->width && v < s->height &&
            (s->out.instance[n] != s->out.instance[i] || fabsf(s->out.sunlit[n] - s->out.sunlit[i]) > 0.0f)) {
            return true;
        }
    }
    return false;
}

static agreement compare(const shot *host, const shot *device)
{
    agreement a = { 0.0, 0.0, 0.0, 0.0, 0 };
    double sum[2] = { 0.0, 0.0 };
    for (int i = 0; i < host->width * host->height; i++) {
        double h = (double)host->out.radiance[i], d = (double)device->out.radiance[i];
        sum[0] += h, sum[1] += d;
        if (edge(host, i)) {
            continue;
        }
        a.pixels++;
        a.near += fabs(d - h) <= 0.01 * fabs(h) + 1e-6;
        a.labels += host->out.instance[i] == device->out.instance[i];
        if (host->out.instance[i] == device->out.instance[i] && isfinite(host->out.depth[i])) {
            a.depth = fmax(a.depth, fabs(device->out.depth[i] / host->out.depth[i] - 1.0));
        }
    }
    a.mean = sum[1] / sum[0];
    a.near /= a.pixels, a.labels /= a.pixels;
    return a;
}

/* the same frame by host and device */
static agreement both(ty_scene *s, ty_device *device, const ty_camera *c, const ty_render_def *d, const char *what)
{
    shot host = shot_make(c->width, c->height, 1), other = shot_make(c->width, c->height, 1);
    TY_CHECK(ty_scene_set_device(s, NULL, false, NULL) == TY_OK);
    shot_take(s, c, d, &host);
    TY_CHECK((device ? ty_scene_set_device(s, device, false, NULL) : tyi_render_use_kernels(s, NULL)) == TY_OK);
    shot_take(s, c, d, &other);
    TY_CHECK(ty_scene_get_stats(s).host == NULL);
    agreement a = compare(&host, &other);
    printf("%s: mean radiance %.6f of the host's, %.2f %% within 1 %%, labels %.2f %%, depth %.2g, of %d pixels\n",
           what, a.mean, 100.0 * a.near, 100.0 * a.labels, a.depth, a.pixels);
    shot_free(&host), shot_free(&other);
    return a;
}

/* device NULL: the kernels as C */
static void frames(ty_device *device)
{
    ty_terrain *t = small_terrain(true);
    ty_scene *s = make_scene(t);
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.5), 0.0, -22.0, 60.0, W, H);
    ty_render_def d = ty_render_def_default();
    d.samples = 4;
    agreement a = both(s, device, &c, &d, "direct light");
    TY_NEAR(a.mean, 1.0, 1e-3);
    TY_CHECK(a.near >= 0.995 && a.labels >= 0.999 && a.depth < 1e-5 && a.pixels > W * H / 4);
    TY_ROW(
        "a frame by the device's kernels: mean radiance within 0.1 %, 99.5 % of the pixels within 1 %, depth within 1e-5",
        "Embree's frame", "%.4f %%, %.1f %%, %.1e", 100.0 * fabs(a.mean - 1.0), 100.0 * a.near, a.depth);
    /* the same bits each time; control: a second Sun of a fiftieth is seen */
    shot one = shot_make(W, H, 1), two = shot_make(W, H, 1);
    shot_take(s, &c, &d, &one);
    shot_take(s, &c, &d, &two);
    TY_CHECK(memcmp(one.out.radiance, two.out.radiance, sizeof(float) * W * H) == 0);
    TY_CHECK(memcmp(one.out.depth, two.out.depth, sizeof(double) * W * H) == 0);
    add_sun(s, 100.0, 20.0, 0.00465, 27.0);
    shot_take(s, &c, &d, &two);
    TY_FAR(compare(&one, &two).mean, 1.0, 1e-3);
    shot_free(&one), shot_free(&two);
    d.depth = 3;
    a = both(s, device, &c, &d, "paths");
    TY_NEAR(a.mean, 1.0, 1e-3);
    TY_CHECK(a.near >= 0.98 && a.labels >= 0.999);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

static double own_law(const ty_material *m, int band, const ty_law_geometry *g, void *user)
{
    (void)m, (void)band, (void)g, (void)user;
    return 0.1;
}

/* a law in C is the host's, and the scene says so */
TY_TEST(gpu, what_a_device_cannot_draw)
{
    const ty_law_model law = { .name = "gpu_own", .brdf = own_law };
    ty_scene_def def = ty_scene_def_default();
    ty_scene *s;
    def.kinds = (ty_render_kinds){ &law, 1, NULL, 0 };
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    TY_CHECK(tyi_render_use_kernels(s, NULL) == TY_OK);
    ty_material own = ty_material_lambert(0.5);
    own.law = TY_LAW_COUNT;
    add_sphere(s, ty_vec3_make(0, 3, 0), 0.5, own);
    add_sun(s, 180.0, 20.0, 0.0, 1000.0);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 30.0, 8, 8);
    ty_render_def d = ty_render_def_default();
    shot image = shot_make(8, 8, 1);
    shot_take(s, &c, &d, &image);
    TY_CHECK(ty_scene_get_stats(s).host != NULL && image.out.radiance[4 * 8 + 4] > 10.0f);
    shot_free(&image);
    ty_scene_destroy(s);
}

/* heights of a whole Moon [m]: waves of 60 km */
static ty_status waves(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                       ty_diag *diag)
{
    (void)user, (void)spacing, (void)diag;
    for (size_t i = 0; i < n; i++) {
        height[i] = 800.0 * sin(180.0 * lat[i]) * cos(150.0 * lon[i] * cos(lat[i]));
    }
    return TY_OK;
}

/* from 400 km up, out to where the ground bends round the Moon */
TY_TEST(gpu, ground_round_the_moon)
{
    ty_terrain_def of = ty_terrain_def_default();
    ty_scene_def def = ty_scene_def_default();
    ty_terrain *t = NULL;
    ty_scene *s = NULL;
    of.whole = true, of.rock.on = of.crater.on = false, of.relief.rms_slope_deg = 0.0;
    of.base = (ty_terrain_base){ .sample = waves, .spacing = 2000.0 };
    TY_CHECK(ty_terrain_create(&of, &t, NULL) == TY_OK);
    def.terrain = t, def.ring_cells = 256, def.detail_px = 0.5, def.threads = 1;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    add_sun(s, 90.0, 30.0, 0.00465, 1361.0);
    ty_camera c = camera_at(ty_vec3_make(0.0, 0.0, 4e5), 0.0, -35.0, 60.0, W, H);
    ty_render_def d = ty_render_def_default();
    d.samples = 2;
    agreement a = both(s, NULL, &c, &d, "round the Moon");
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    size_t bent = 0;
    for (size_t i = 0; i < f->section[TY_K_SCENE_TILE].count; i++) {
        bent += ((const ty_k_scene_tile *)f->section[TY_K_SCENE_TILE].data)[i].flags & TY_K_SCENE_CURVED ? 1u : 0u;
    }
    printf("%zu of %zu tiles are bent\n", bent, f->section[TY_K_SCENE_TILE].count);
    TY_NEAR(a.mean, 1.0, 1e-3);
    TY_CHECK(bent > 10 && a.near >= 0.995 && a.labels >= 0.999 && a.depth < 1e-5 && a.pixels > W * H / 4);
    ty_scene_destroy(s);
    /* a scene whose first frame the kernels make: nothing of it hangs on what the host's tracer was told before */
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    add_sun(s, 90.0, 30.0, 0.00465, 1361.0);
    TY_CHECK(tyi_render_use_kernels(s, NULL) == TY_OK);
    shot first = shot_make(W, H, 1), host = shot_make(W, H, 1);
    shot_take(s, &c, &d, &first);
    TY_CHECK(ty_scene_set_device(s, NULL, false, NULL) == TY_OK);
    shot_take(s, &c, &d, &host);
    a = compare(&host, &first);
    TY_CHECK(a.near >= 0.995 && a.labels >= 0.999 && a.depth < 1e-5 && a.pixels > W * H / 4);
    shot_free(&first), shot_free(&host);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

typedef struct ray_agreement {
    double range;       /* [m] worst difference at incidence below 80 deg */
    double reflectance; /* share of them within 1 % */
    double same;        /* share of all rays that meet the same thing, or nothing */
    int met;
} ray_agreement;

static ray_agreement compare_rays(const ty_trace_ray *ray, const ty_trace_hit *a, const ty_trace_hit *b, int n)
{
    ray_agreement g = { 0.0, 0.0, 0.0, 0 };
    for (int i = 0; i < n; i++) {
        g.same += a[i].instance == b[i].instance && a[i].kind == b[i].kind;
        if (a[i].instance == b[i].instance && isfinite(a[i].range) &&
            fabs(ty_dot(a[i].normal, ray[i].dir)) > cos(80.0 * TY_DEG)) {
            g.met++;
            g.range = fmax(g.range, fabs(a[i].range - b[i].range));
            g.reflectance += fabsf(a[i].reflectance - b[i].reflectance) <= 0.01f * a[i].reflectance;
        }
    }
    g.reflectance /= g.met, g.same /= n;
    return g;
}

/* a scan all round, one ray in eight with a bound, by host and device */
static void rays(ty_device *device)
{
    enum { TURNS = 180, LINES = 16, RAYS = TURNS * LINES };
    static ty_trace_ray ray[RAYS];
    static ty_trace_hit host[RAYS], other[RAYS];
    ty_terrain *t = small_terrain(true);
    ty_scene *s = make_scene(t);
    ty_vec3 eye = above(t, 0.0, 0.0, 1.3);
    for (int i = 0; i < RAYS; i++) {
        double az = i % TURNS * 2.0 * TY_DEG, el = (5.0 - i / TURNS * 2.5) * TY_DEG;
        ray[i] = (ty_trace_ray){ .from = eye,
                                 .dir = { cos(el) * sin(az), cos(el) * cos(az), sin(el) },
                                 .far = i % 8 ? 100.0 : 3.0,
                                 .time = 0.25 };
    }
    ray[7].dir.x = (double)NAN, ray[9].far = -1.0, ray[11].time = 2.0;
    TY_CHECK(ty_scene_set_device(s, NULL, false, NULL) == TY_OK);
    TY_CHECK(ty_scene_trace(s, eye, ray, RAYS, 0, 1, host, NULL) == TY_OK);
    TY_CHECK((device ? ty_scene_set_device(s, device, false, NULL) : tyi_render_use_kernels(s, NULL)) == TY_OK);
    TY_CHECK(ty_scene_trace(s, eye, ray, RAYS, 0, 1, other, NULL) == TY_OK);
    TY_CHECK(ty_scene_get_stats(s).host == NULL);
    ray_agreement g = compare_rays(ray, host, other, RAYS);
    printf("rays: range %.2g m, reflectance %.2f %% within 1 %%, the same thing %.2f %%, of %d\n", g.range,
           100.0 * g.reflectance, 100.0 * g.same, g.met);
    TY_CHECK(g.range < 1e-4 && g.reflectance >= 0.995 && g.same >= 0.999 && g.met > RAYS / 4);
    TY_CHECK(isinf(other[7].range) && isinf(other[9].range) && isinf(other[11].range));
    for (int i = 0; i < RAYS; i++) {
        TY_CHECK(!(other[i].range > ray[i].far) || isinf(other[i].range));
    }
    /* control: an eye 1 mm higher */
    for (int i = 0; i < RAYS; i++) {
        ray[i].from.z += 1e-3;
    }
    TY_CHECK(ty_scene_trace(s, eye, ray, RAYS, 0, 1, other, NULL) == TY_OK);
    TY_CHECK(compare_rays(ray, host, other, RAYS).range > 1e-3);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* depth of many views at once: each as if it were alone; control: another lens */
static void views(ty_device *device)
{
    enum { VIEWS = 5, SIDE = 24 };
    ty_terrain *t = small_terrain(true);
    ty_scene *s = make_scene(t);
    ty_camera c[VIEWS];
    static float host[VIEWS * SIDE * SIDE], other[VIEWS * SIDE * SIDE];
    double worst = 0.0;
    int met = 0;
    for (int i = 0; i < VIEWS; i++) {
        c[i] = camera_at(above(t, 0.1 * i, -0.1 * i, 1.5), 20.0 * i, -22.0, 60.0, SIDE, SIDE);
    }
    TY_CHECK(ty_scene_set_device(s, NULL, false, NULL) == TY_OK);
    TY_CHECK(ty_render_depths(s, c, VIEWS, 1, host, NULL) == TY_OK);
    TY_CHECK((device ? ty_scene_set_device(s, device, false, NULL) : tyi_render_use_kernels(s, NULL)) == TY_OK);
    TY_CHECK(ty_render_depths(s, c, VIEWS, 1, other, NULL) == TY_OK);
    int labels = 0;
    for (int i = 0; i < VIEWS * SIDE * SIDE; i++) {
        labels += isfinite(host[i]) != isfinite(other[i]);
        if (isfinite(host[i]) && isfinite(other[i])) {
            double off = fabs((double)(other[i] / host[i]) - 1.0);
            labels += off > 1e-2; /* an edge, seen from its other side */
            worst = off > 1e-2 ? worst : fmax(worst, off);
            met++;
        }
    }
    printf("views: depth %.2g, %d edges of %d\n", worst, labels, met);
    TY_CHECK(worst < 2e-5 && labels < met / 200 && met > VIEWS * SIDE * SIDE / 3);
    c[0].hfov *= 1.05;
    TY_CHECK(ty_render_depths(s, c, 1, 1, other, NULL) == TY_OK);
    TY_CHECK(fabsf(other[SIDE * SIDE - 1] / host[SIDE * SIDE - 1] - 1.0f) > 1e-3f);
    ty_diag diag = { 0 };
    c[1].width++;
    TY_CHECK(ty_render_depths(s, c, 2, 1, other, &diag) == TY_ERR_INPUT && strstr(diag.text, "view 1"));
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* lumps of soil in the air and on the ground, all of it in view; up [m]: how far they are lifted */
static void throw_soil(ty_scene *s, ty_terrain *t, double up)
{
    tyi_render_lump lump[90];
    for (uint32_t i = 0; i < 90; i++) {
        double x = -1.0 + 0.22 * (i % 10), y = 1.6 + 0.25 * (i / 10 % 3), z = i < 30 ? 0.0 : i < 60 ? 0.5 : 0.9;
        lump[i] = (tyi_render_lump){ above(t, x, y, z + up), 0.2f, 7u + i, i < 30 };
    }
    TY_CHECK(tyi_render_scene_set_lumps(s, lump, 90, NULL) == TY_OK);
}

/* share of the pixels of grains, edges and all, whose depth is within 1e-5 and light within 1 % */
static double grains_agree(const shot *host, const shot *other, int *grains)
{
    int same = 0;
    *grains = 0;
    for (int i = 0; i < host->width * host->height; i++) {
        if (host->out.kind[i] == TY_CLASS_GRAIN) {
            double h = (double)host->out.radiance[i], o = (double)other->out.radiance[i];
            *grains += 1;
            same += fabs(other->out.depth[i] / host->out.depth[i] - 1.0) < 1e-5 && fabs(o - h) <= 0.01 * h + 1e-6 &&
                    other->out.kind[i] == TY_CLASS_GRAIN && other->out.instance[i] == host->out.instance[i];
        }
    }
    return (double)same / *grains;
}

static void use(ty_scene *s, ty_device *device)
{
    TY_CHECK((device ? ty_scene_set_device(s, device, false, NULL) : tyi_render_use_kernels(s, NULL)) == TY_OK);
}

/* Loose soil: the same clods by host and device, in pictures, truth and rays; gone when they are. Control: half a millimetre higher is told. */
static void soil(ty_device *device)
{
    enum { RAYS = 40 * 30 };
    static ty_trace_ray ray[RAYS];
    static ty_trace_hit host_hit[RAYS], other_hit[RAYS];
    ty_terrain *t = small_terrain(true);
    ty_scene *s = make_scene(t);
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.5), 0.0, -22.0, 60.0, W, H);
    ty_render_def d = ty_render_def_default();
    shot host = shot_make(W, H, 1), other = shot_make(W, H, 1);
    int grains;
    throw_soil(s, t, 0.0);
    for (int i = 0; i < RAYS; i++) {
        ray[i] = (ty_trace_ray){ .far = 50.0 };
        TY_CHECK(ty_camera_ray(&c, 12.0 + i % 40, 8.0 + i / 40, &ray[i].from, &ray[i].dir));
    }
    d.samples = 4;
    shot_take(s, &c, &d, &host);
    TY_CHECK(ty_scene_trace(s, c.pose.p, ray, RAYS, 0, 1, host_hit, NULL) == TY_OK);
    use(s, device);
    shot_take(s, &c, &d, &other);
    TY_CHECK(ty_scene_get_stats(s).host == NULL);
    double same = grains_agree(&host, &other, &grains), mean = compare(&host, &other).mean;
    TY_CHECK(ty_scene_trace(s, c.pose.p, ray, RAYS, 0, 1, other_hit, NULL) == TY_OK);
    ray_agreement g = compare_rays(ray, host_hit, other_hit, RAYS);
    printf(
        "loose soil: %.2f %% of %d pixels of grains agree, mean %.6f; of rays %.2f %% meet the same, within %.2g m\n",
        100.0 * same, grains, mean, 100.0 * g.same, g.range);
    TY_NEAR(mean, 1.0, 1e-3);
    TY_CHECK(grains > W * H / 10 && same >= 0.995);
    TY_CHECK(g.range < 1e-4 && g.reflectance >= 0.995 && g.same >= 0.998 && g.met > RAYS / 2);
    TY_ROW(
        "loose soil by the device's kernels: share of its pixels with light within 1 % and depth within 1e-5, edges and all (99.5 %)",
        "Embree's frame", "%.1f %%", 100.0 * same);
    uint64_t version = s->flat.section[TY_K_SCENE_CLOD].version; /* the same ones are not placed again */
    throw_soil(s, t, 0.0);
    shot_take(s, &c, &d, &other);
    TY_CHECK(s->flat.section[TY_K_SCENE_CLOD].version == version);
    throw_soil(s, t, 5e-4);
    shot_take(s, &c, &d, &other);
    TY_CHECK(s->flat.section[TY_K_SCENE_CLOD].version != version);
    TY_CHECK(grains_agree(&host, &other, &grains) < 0.2);
    TY_CHECK(tyi_render_scene_set_lumps(s, NULL, 0, NULL) == TY_OK);
    shot_take(s, &c, &d, &other);
    TY_CHECK(grains_agree(&other, &other, &grains) != 1.0 && grains == 0);
    throw_soil(s, t, 0.0);
    d.depth = 2;
    agreement a = both(s, device, &c, &d, "loose soil, paths");
    TY_NEAR(a.mean, 1.0, 1e-3);
    shot_free(&host), shot_free(&other);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* a device that is lost in the middle: the host goes on where that was allowed, and says why */
TY_TEST(gpu, a_device_that_is_lost)
{
    ty_device *device = device_or_skip();
    ty_terrain *t = small_terrain(false);
    ty_scene *s = make_scene(t);
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.5), 0.0, -22.0, 60.0, 16, 12);
    ty_render_def d = ty_render_def_default();
    shot host = shot_make(16, 12, 1), image = shot_make(16, 12, 1);
    ty_diag diag = { 0 };
    shot_take(s, &c, &d, &host);
    TY_CHECK(ty_scene_set_device(s, device, true, NULL) == TY_OK);
    shot_take(s, &c, &d, &image);
    TY_CHECK(ty_scene_get_stats(s).host == NULL);
    tyi_device_fail_after(device, 1); /* the film is made, its truth is not */
    shot_take(s, &c, &d, &image);
    const char *why = ty_scene_get_stats(s).host;
    TY_CHECK(why && strstr(why, "lost"));
    TY_CHECK(memcmp(host.out.radiance, image.out.radiance, sizeof(float) * 16 * 12) == 0);
    TY_CHECK(memcmp(host.out.depth, image.out.depth, sizeof(double) * 16 * 12) == 0);
    shot_take(s, &c, &d, &image); /* and so from now on */
    TY_CHECK(ty_scene_get_stats(s).host != NULL);
    /* where it was not allowed the frame fails */
    TY_CHECK(ty_scene_set_device(s, device, false, NULL) == TY_OK);
    TY_CHECK(ty_render(s, &c, &d, &image.out, &diag) == TY_ERR_DEVICE && strstr(diag.text, "lost"));
    shot_free(&host), shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
    ty_device_destroy(device);
}

TY_TEST(gpu, kernels_as_c_make_the_same_frame)
{
    frames(NULL);
    rays(NULL);
    views(NULL);
    soil(NULL);
}

TY_TEST(gpu, device_makes_the_same_frame)
{
    ty_device *device = device_or_skip();
    frames(device);
    rays(device);
    views(device);
    soil(device);
    ty_device_destroy(device);
}

/* Light drawn surface by surface for all samples at once is that of one sample after the other, as the kernels do it as C: in a picture that is no multiple of a group, and with more samples
 * than a pixel has at once. Controls: another seed is seen, and samples that are left out. */
TY_TEST(gpu, paths_by_surface)
{
    enum { X = 37, Y = 29, MANY = 4096 + 8 };
    ty_device *device = device_or_skip();
    ty_terrain *t = small_terrain(true);
    ty_scene *s = make_scene(t);
    ty_render_def d = ty_render_def_default();
    for (int k = 0; k < 4; k++) {
        int x = k < 3 ? X : 5, y = k < 3 ? Y : 3, n = x * y;
        ty_camera c = camera_at(above(t, 0.0, 0.0, 1.5), 0.0, -22.0, 60.0, x, y);
        shot one = shot_make(x, y, 1), two = shot_make(x, y, 1);
        size_t rays[4];
        double apart[4] = { 0.0 }, lit = 0.0;
        d.depth = k < 3 ? 1 + k : 2;
        for (int with = 0; with < 4; with++) { /* as C, on the device, another seed there, fewer samples */
            d.samples = k < 3 ? 1 : with < 3 ? MANY : MANY - 8;
            d.seed += with == 2;
            TY_CHECK((with ? ty_scene_set_device(s, device, false, NULL) : tyi_render_use_kernels(s, NULL)) == TY_OK);
            shot_take(s, &c, &d, with ? &two : &one);
            rays[with] = ty_scene_get_stats(s).rays;
            for (int i = 0; i < n && with; i++) {
                double a = (double)one.out.radiance[i], b = (double)two.out.radiance[i];
                apart[with] += fabs(b - a) > 2e-5 * a + 1e-6 ? 1.0 / n : 0.0;
                lit = with == 1 ? fmax(lit, fabs((double)(one.out.sunlit[i] - two.out.sunlit[i]))) : lit;
            }
            d.seed -= with == 2;
        }
        printf("depth %d, %d samples: %.2f %% of the pixels differ, sunlit by up to %.2g, %zu and %zu rays\n", d.depth,
               k < 3 ? 1 : MANY, 100.0 * apart[1], lit, rays[0], rays[1]);
        TY_CHECK(apart[1] < 0.01);
        TY_CHECK(k < 3 || lit < 0.01);
        TY_CHECK(fabs((double)rays[1] - (double)rays[0]) < 1e-3 * (double)rays[0]);
        TY_CHECK(apart[2] > 0.5 && (k < 3 || apart[3] > 0.5)); /* controls */
        shot_free(&one), shot_free(&two);
    }
    ty_scene_destroy(s), ty_terrain_destroy(t), ty_device_destroy(device);
}
