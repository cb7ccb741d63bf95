/* tests/unit/render/test_gpu_memory.c - devices with little memory: far ground is coarser, and says so; near ground is what it was; a
 * store that is full gives places away; what refuses a buffer is a reason to go on with less.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "render_support.h"
#include "device/device.h"

enum { W = 48, H = 40, MIB = 1 << 20 };

/* a device of which so many bytes may be used */
static ty_device *device_of(uint64_t memory)
{
    ty_device_def def = ty_device_def_default();
    ty_device *device = NULL;
    ty_diag diag = { 0 };
    def.name = getenv("TYCHO_DEVICE"), def.memory = memory;
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        cr_skip("%s", diag.text);
    }
    return device;
}

/* out to 80 m, as wide rings as a scene has by default: 832 tiles */
static ty_scene *wide_scene(ty_terrain *t)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *s = NULL;
    def.terrain = t, def.far = 80.0, def.finest = 0.02, def.threads = 1, def.spare_tiles = 64;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    add_sun(s, 100.0, 20.0, 0.00465, 1361.0);
    return s;
}

static ty_camera eye_at(ty_terrain *t, double x)
{
    return camera_at(above(t, x, 0.0, 1.5), 0.0, -8.0, 60.0, W, H);
}

typedef struct split_depth {
    double near, far; /* [-] worst relative difference of depth up to the distance, mean beyond it */
    int holes;        /* pixels that show ground on one side only, but for the skyline */
    int nears, fars;
} split_depth;

static split_depth differ(const shot *a, const shot *b, double distance)
{
    split_depth d = { 0.0, 0.0, 0, 0, 0 };
    for (int i = 0; i < W * H; i++) {
        bool there = isfinite(a->out.range[i]);
        d.holes += there != isfinite(b->out.range[i]) && i >= W && isfinite(a->out.range[i - W]);
        if (!there || !isfinite(b->out.range[i])) {
            continue;
        }
        double off = fabs(b->out.depth[i] / a->out.depth[i] - 1.0);
        if (a->out.range[i] < 0.9 * distance) {
            d.near = fmax(d.near, off), d.nears++;
        } else if (a->out.range[i] > 1.5 * distance) {
            d.far += off, d.fars++;
        }
    }
    d.far /= d.fars ? d.fars : 1;
    return d;
}

/* what a frame on the device is beside the host's, which has all the ground */
static void coarser_than_host(ty_device *device, const char *what, int drive)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = wide_scene(t), *all = wide_scene(t), *again = wide_scene(t);
    ty_render_def d = ty_render_def_default();
    shot host = shot_make(W, H, 1), image = shot_make(W, H, 1), fresh = shot_make(W, H, 1);
    ty_camera c = eye_at(t, 0.0);
    d.samples = 1;
    shot_take(all, &c, &d, &host);
    TY_CHECK(ty_scene_set_device(s, device, false, NULL) == TY_OK);
    shot_take(s, &c, &d, &image);
    ty_scene_stats stats = ty_scene_get_stats(s);
    TY_CHECK(!stats.host && stats.coarser && strstr(stats.coarser, "coarser"));
    TY_CHECK(stats.tiles < ty_scene_get_stats(all).tiles);
    double distance = stats.coarser ? strtod(strstr(stats.coarser, "than ") + 5, NULL) : 0.0;
    split_depth off = differ(&host, &image, distance);
    printf("%s: %s; %zu tiles instead of %zu; depth %.2g nearer (%d), %.2g beyond (%d), %d holes; %llu bytes in use\n",
           what, stats.coarser, stats.tiles, ty_scene_get_stats(all).tiles, off.near, off.nears, off.far, off.fars,
           off.holes, (unsigned long long)device->used);
    TY_CHECK(off.nears > 100 && off.near < 1e-5 && off.holes <= 2);
    TY_CHECK(off.fars > 10 && off.far < 0.05 && off.far > 1e-6); /* control: it is another surface there */
    /* on the way places are given to other tiles: each frame is that of an eye which was never elsewhere */
    for (int k = 1; k <= drive; k++) {
        c = eye_at(t, 9.0 * k);
        shot_take(s, &c, &d, &image);
    }
    TY_CHECK(ty_scene_set_device(s, NULL, false, NULL) == TY_OK);
    TY_CHECK(ty_scene_set_device(again, device, false, NULL) == TY_OK);
    if (drive) {
        shot_take(again, &c, &d, &fresh);
        TY_CHECK(memcmp(image.out.depth, fresh.out.depth, sizeof(double) * W * H) == 0);
        TY_CHECK(memcmp(image.out.radiance, fresh.out.radiance, sizeof(float) * W * H) == 0);
    }
    shot_free(&host), shot_free(&image), shot_free(&fresh);
    ty_scene_destroy(s), ty_scene_destroy(all), ty_scene_destroy(again);
    ty_terrain_destroy(t);
    ty_device_destroy(device);
}

TY_TEST(gpu_memory, far_ground_is_coarser)
{
    ty_device *device = device_of(22 * MIB);
    TY_CHECK(ty_device_get_info(device)->memory == 22 * MIB);
    coarser_than_host(device, "22 MiB", 3);
}

TY_TEST(gpu_memory, a_buffer_that_is_refused)
{
    ty_device *device = device_of(0);
    device->info.max_buffer = 21 * MIB / 2;
    coarser_than_host(device, "buffers of 10.5 MiB", 0);
    device = device_of(0);
    device->limit = 18 * MIB; /* it promises more than it has */
    coarser_than_host(device, "refusals from 18 MiB on", 0);
}

/* less than the coarsest ground needs */
TY_TEST(gpu_memory, far_too_little)
{
    ty_device *device = device_of(2 * MIB);
    ty_terrain *t = small_terrain(false);
    ty_scene *s = wide_scene(t), *all = wide_scene(t);
    ty_camera c = eye_at(t, 0.0);
    ty_render_def d = ty_render_def_default();
    ty_diag diag = { 0 };
    shot host = shot_make(W, H, 1), image = shot_make(W, H, 1);
    d.samples = 1;
    shot_take(all, &c, &d, &host);
    TY_CHECK(ty_scene_set_device(s, device, true, NULL) == TY_OK);
    shot_take(s, &c, &d, &image);
    TY_CHECK(ty_scene_get_stats(s).host && !ty_scene_get_stats(s).coarser);
    TY_CHECK(memcmp(host.out.radiance, image.out.radiance, sizeof(float) * W * H) == 0);
    TY_CHECK(ty_scene_set_device(s, device, false, NULL) == TY_OK);
    TY_CHECK(ty_render(s, &c, &d, &image.out, &diag) == TY_ERR_MEMORY && strstr(diag.text, "memory"));
    printf("2 MiB: %s\n", diag.text);
    shot_free(&host), shot_free(&image);
    ty_scene_destroy(s), ty_scene_destroy(all);
    ty_terrain_destroy(t);
    ty_device_destroy(device);
}
