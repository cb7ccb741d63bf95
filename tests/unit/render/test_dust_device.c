/* tests/unit/render/test_dust_device.c - a cloud of dust on a device: frames and single rays held against the host's.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include "dust/cloud.h"
#include "render/gpu/gpu.h"
#include "render_support.h"
#include "tycho/device.h"
#include "tycho/trace.h"

enum { W = 64, H = 48, RAYS = 2048, PARCELS = 6000 };

/* two rovers' dust: arches over the middle of the picture, one behind the other */
static size_t arches(ty_vec3 at, tyi_dust_point *p)
{
    for (int i = 0; i < PARCELS; i++) {
        double u = (i * 0.6180339887) - floor(i * 0.6180339887), a = u * TY_PI, r = 0.7 + 0.15 * sin(1.7 * i);
        int group = i % 2;
        p[i] = (tyi_dust_point){ (float)(at.x + r * cos(a)),
                                 (float)(at.y + 2.2 + 1.1 * group + 0.25 * cos(2.3 * i)),
                                 (float)(at.z + r * sin(a)),
                                 1.5e-4f,
                                 { 0.01f, 0.02f + 0.06f * (float)u, 0.03f * (float)u },
                                 group };
    }
    return PARCELS;
}

typedef struct both {
    ty_terrain *terrain;
    ty_scene *scene;
    tyi_dust_cloud *cloud;
    ty_medium medium;
} both;

static both make(void)
{
    static tyi_dust_point point[PARCELS];
    both b = { .terrain = small_terrain(true) };
    ty_dust_params p = tyi_dust_params_default();
    ty_vec3 eye = above(b.terrain, 0.0, 0.0, 0.0), sun;
    b.scene = ground_scene(b.terrain, 0.02);
    add_sphere(b.scene, above(b.terrain, 0.3, 2.6, 0.2), 0.25, ty_material_lambert(0.5));
    add_sun(b.scene, 100.0, 20.0, 0.00465, 1361.0);
    ty_light lamp = { .kind = TY_LIGHT_SPOT,
                      .dir_W = { 0, 0.7, -0.7 },
                      .place_W = above(b.terrain, 0.0, 0.5, 3.0),
                      .inner = 0.1,
                      .outer = 0.6,
                      .power = { 2000.0 } };
    cr_assert(ty_scene_add_light(b.scene, &lamp, NULL) == TY_OK);
    sun = ty_vec3_make(sin(100.0 * TY_DEG) * cos(20.0 * TY_DEG), cos(100.0 * TY_DEG) * cos(20.0 * TY_DEG),
                       sin(20.0 * TY_DEG));
    size_t n = arches(ty_vec3_make(0, 0, 0), point);
    cr_assert(tyi_dust_cloud_create(&p, 2, &b.cloud, NULL) == TY_OK);
    cr_assert(tyi_dust_cloud_fill(b.cloud, eye, point, n, &sun, NULL) == TY_OK);
    cr_assert(tyi_dust_cloud_medium(b.cloud, &b.medium));
    ty_scene_set_medium(b.scene, &b.medium);
    return b;
}

static void end(both *b)
{
    ty_scene_destroy(b->scene);
    tyi_dust_cloud_destroy(b->cloud);
    ty_terrain_destroy(b->terrain);
}

/* mean radiance over the host's, and the share of pixels within 1 %; pixels at the edges of shadows may differ */
static double agree(const shot *host, const shot *other, double *near)
{
    double sum[2] = { 0.0, 0.0 };
    *near = 0.0;
    for (int i = 0; i < W * H; i++) {
        double h = (double)host->out.radiance[i], d = (double)other->out.radiance[i];
        sum[0] += h, sum[1] += d;
        *near += fabs(d - h) <= 0.01 * fabs(h) + 1e-6;
    }
    *near /= W * H;
    return sum[1] / sum[0];
}

static void rays_agree(both *b, ty_device *device)
{
    static ty_trace_ray ray[RAYS];
    static ty_trace_hit hit[2][RAYS];
    ty_vec3 eye = above(b->terrain, 0.0, 0.0, 1.0);
    for (int i = 0; i < RAYS; i++) {
        double a = 60.0 * TY_DEG + 60.0 * TY_DEG * (i % 64) / 64.0, e = -0.4 + 0.6 * (i / 64) / 32.0;
        ray[i] = (ty_trace_ray){ eye, { cos(e) * cos(a), cos(e) * sin(a), sin(e) }, 30.0, 0.0 };
    }
    for (int k = 0; k < 2; k++) {
        cr_assert(ty_scene_set_device(b->scene, k ? device : NULL, false, NULL) == TY_OK);
        cr_assert(!k || device || tyi_render_use_kernels(b->scene, NULL) == TY_OK);
        cr_assert(ty_scene_trace(b->scene, eye, ray, RAYS, 0, 1, hit[k], NULL) == TY_OK);
    }
    double worst = 0.0, back = 0.0, most = 0.0, off = 0.0;
    for (int i = 0; i < RAYS; i++) {
        if (fabs(hit[0][i].range - hit[1][i].range) > 1e-3 * hit[0][i].range) {
            continue; /* at an edge */
        }
        double sum[2] = { 0.0, 0.0 };
        most = fmax(most, (double)hit[0][i].tau);
        worst = fmax(worst, fabs((double)(hit[1][i].tau - hit[0][i].tau)));
        off = fmax(off, fabs((double)hit[1][i].tau - 0.5 * (double)hit[0][i].tau));
        for (int k = 0; k < TY_MEDIUM_PARTS; k++) {
            sum[0] += (double)hit[0][i].haze[k].reflectance, sum[1] += (double)hit[1][i].haze[k].reflectance;
        }
        back = fmax(back, sum[0] > 1e-5 ? fabs(sum[1] / sum[0] - 1.0) : 0.0);
    }
    printf("rays through dust: optical depth to %.2f, differs by %.1e, what comes back by %.1e\n", most, worst, back);
    TY_CHECK(most > 0.3);
    TY_NEAR(worst, 0.0, 1e-3);
    TY_NEAR(back, 0.0, 0.01);
    TY_FAR(off, 0.0, 1e-3); /* control */
}

static void frames_agree(ty_device *device)
{
    both b = make();
    ty_camera c = camera_at(above(b.terrain, 0.0, 0.0, 1.0), 0.0, -10.0, 60.0, W, H);
    ty_render_def d = ty_render_def_default();
    double near;
    d.samples = 4;
    for (int depth = 1; depth <= 2; depth++) {
        shot host = shot_make(W, H, 1), other = shot_make(W, H, 1), clear = shot_make(W, H, 1);
        d.depth = depth;
        cr_assert(ty_scene_set_device(b.scene, NULL, false, NULL) == TY_OK);
        shot_take(b.scene, &c, &d, &host);
        cr_assert((device ? ty_scene_set_device(b.scene, device, false, NULL)
                          : tyi_render_use_kernels(b.scene, NULL)) == TY_OK);
        shot_take(b.scene, &c, &d, &other);
        TY_CHECK(ty_scene_get_stats(b.scene).host == NULL);
        double mean = agree(&host, &other, &near);
        printf("dust, %d surfaces: mean radiance %.6f of the host's, %.2f %% within 1 %%\n", depth, mean, 100.0 * near);
        TY_NEAR(mean, 1.0, 1e-3);
        TY_CHECK(near >= (depth > 1 ? 0.98 : 0.995));
        if (depth == 1) {
            TY_ROW("a frame with two clouds of dust by the device's kernels: mean radiance within 0.1 %",
                   "Embree's frame", "%.4f %%; %.1f %% of the pixels within 1 %%", 100.0 * fabs(mean - 1.0),
                   100.0 * near);
        }
        /* control, and a device that forgets: without the cloud it is another picture */
        ty_scene_set_medium(b.scene, NULL);
        shot_take(b.scene, &c, &d, &clear);
        TY_FAR(agree(&host, &clear, &near), 1.0, 5e-3);
        ty_scene_set_medium(b.scene, &b.medium);
        shot_take(b.scene, &c, &d, &clear);
        TY_CHECK(agree(&other, &clear, &near) == 1.0 && near == 1.0);
        shot_free(&host), shot_free(&other), shot_free(&clear);
    }
    rays_agree(&b, device);
    end(&b);
}

TY_TEST(dust_device, kernels_as_c)
{
    frames_agree(NULL);
}

TY_TEST(dust_device, on_a_device)
{
    ty_device *device = device_or_skip();
    frames_agree(device);
    ty_device_destroy(device);
}
