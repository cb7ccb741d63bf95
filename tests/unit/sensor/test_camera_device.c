/* The camera's stages on a device against the host's filters, one by one and together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "rig.h"
#include "sensor/camera/inner.h"
#include "sensor/filter/inner.h"
#include "device/device.h"

enum { W = 96, H = 70 };

static ty_device *open_device(void)
{
    ty_device_def def = ty_device_def_default();
    ty_device *device = NULL;
    ty_diag diag = { 0 };
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        printf("skipped: %s\n", diag.text);
        return NULL;
    }
    return device;
}

/* a slope of light with a bright spot and a dark edge, other in each band, and depths from 0.4 m to the sky */
static void fill(rig *r, const ty_camera_sensor_def *def)
{
    double scale = rig_radiance(def, 9000.0, def->exposure);
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            for (int b = 0; b < def->bands; b++) {
                double value = x < 8 ? 0.0 : 0.02 + 0.5 * x / W + 0.1 * sin(0.3 * x + y + b);
                value = hypot(x - 60.0, y - 30.0) < 4.0 ? 20.0 : value;
                ty_buffer_set(&r->radiance, x, y, b, scale * value / (1.0 + b));
            }
            ty_buffer_set(&r->depth, x, y, 0, y < 20 ? (double)INFINITY : 0.4 + 0.05 * y);
        }
    }
}

typedef struct apart {
    double most, moved; /* [DN] largest difference; [-] share of numbers that differ */
} apart;

/* on: what the device is told of the stages, if not what the pipeline says */
static apart compare(const ty_camera_sensor_def *def, ty_device *device, unsigned leave_out)
{
    rig r = rig_make(def, 1);
    ty_diag diag = { 0 };
    tyi_camera_device *d = NULL;
    ty_device_buffer *light = NULL;
    unsigned on;
    fill(&r, def);
    r.frame = 5;
    const ty_buffer *host = rig_shoot(&r);
    int last = tyi_camera_device_plan(r.sensor, r.pipeline, 0, &on);
    cr_assert(last >= 0);
    size_t n = (size_t)W * H * (size_t)def->bands;
    float *planes = malloc(n * sizeof *planes);
    for (size_t i = 0; i < n; i++) {
        int at = (int)(i % (W * H));
        planes[i] = (float)ty_buffer_get(&r.radiance, at % W, at / W, (int)(i / (W * H)));
    }
    cr_assert(ty_device_buffer_create(device, n * sizeof *planes, planes, &light, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_camera_device_create(r.sensor, device, &d, &diag) == TY_OK, "%s", diag.text);
    ty_buffer own;
    cr_assert(ty_buffer_create(&host->type, NULL, &own, &diag) == TY_OK);
    cr_assert(tyi_camera_device_run(d, on & ~leave_out, 5, light, &r.depth, &own, &diag) == TY_OK, "%s", diag.text);
    apart a = { 0.0, 0.0 };
    for (int i = 0; i < W * H * host->type.channels; i++) {
        int at = i / host->type.channels, c = i % host->type.channels;
        double gap = fabs(ty_buffer_get(host, at % W, at / W, c) - ty_buffer_get(&own, at % W, at / W, c));
        a.most = fmax(a.most, gap);
        a.moved += (gap > 0.0) / (double)(W * H * host->type.channels);
    }
    tyi_camera_device_destroy(d);
    ty_device_buffer_destroy(light);
    ty_buffer_destroy(&own);
    free(planes);
    rig_free(&r);
    return a;
}

static ty_camera_sensor_def plain(void)
{
    ty_camera_sensor_def def = rig_bare(W, H);
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_RESPONSE] = def.on[TY_CAMERA_QUANTISE] = true;
    return def;
}

/* every stage alone, without noise within a number; the control leaves the stage out on the device alone */
TY_TEST(camera_device, each_stage_is_the_hosts)
{
    static const ty_camera_stage quiet[] = { TY_CAMERA_FLARE,      TY_CAMERA_GLARE, TY_CAMERA_DUST, TY_CAMERA_DEFOCUS,
                                             TY_CAMERA_VIGNETTING, TY_CAMERA_PRNU,  TY_CAMERA_DARK, TY_CAMERA_FULL_WELL,
                                             TY_CAMERA_PATTERN,    TY_CAMERA_DEAD };
    ty_device *device = open_device();
    for (size_t i = 0; device && i < sizeof quiet / sizeof *quiet; i++) {
        ty_camera_sensor_def def = plain();
        def.on[quiet[i]] = true;
        def.flare = def.glare = 0.05, def.dead_share = 0.01, def.dark = 1e6, def.hot_share = 0.01, def.g_defocus = 20.0;
        apart a = compare(&def, device, 0), control = compare(&def, device, ~0u);
        printf("%-12s %.0f DN at most, %.2g of the numbers; without it %.0f\n", tyi_camera_stage_name(quiet[i]), a.most,
               a.moved, control.most);
        TY_CHECK(a.most <= 1.0 && a.moved < 1e-3);
        TY_CHECK(control.most > 1.0);
    }
    ty_device_destroy(device);
}

/* noise is drawn from the same words: the same numbers but where a rounding tips */
TY_TEST(camera_device, noise_is_the_hosts)
{
    static const ty_camera_stage noisy[] = { TY_CAMERA_SHOT, TY_CAMERA_READ, TY_CAMERA_AMPLIFIER };
    ty_device *device = open_device();
    for (size_t i = 0; device && i < sizeof noisy / sizeof *noisy; i++) {
        ty_camera_sensor_def def = plain();
        def.on[noisy[i]] = true;
        apart a = compare(&def, device, 0), control = compare(&def, device, ~0u);
        printf("%-12s %.0f DN at most, %.2g of the numbers; without it %.0f\n", tyi_camera_stage_name(noisy[i]), a.most,
               a.moved, control.most);
        TY_CHECK(a.most <= 1.0 && a.moved < 1e-3);
        TY_CHECK(control.moved > 0.3);
    }
    ty_device_destroy(device);
}

TY_TEST(camera_device, whole_chains)
{
    ty_device *device = open_device();
    for (int k = 0; device && k < 4; k++) {
        ty_camera_sensor_def def = ty_camera_sensor_def_default();
        def.width = W, def.height = H;
        if (k == 1 || k == 2) { /* colour by a Bayer pattern; by three layers */
            def.bands = 3;
            ty_camera_sensor_def_color(&def);
            def.shift_x = 1;
            def.on[TY_CAMERA_MOSAIC] = def.on[TY_CAMERA_DEMOSAIC] = k == 1;
        }
        if (k == 3) {
            def.bits = 8, def.curve = TY_CAMERA_GAMMA, def.a = 14.0, def.b = 0.0, def.gamma = 1.1;
            def.on[TY_CAMERA_DEFOCUS] = def.on[TY_CAMERA_FLARE] = def.on[TY_CAMERA_DUST] = true;
        }
        apart a = compare(&def, device, 0);
        printf("chain %d: %.0f DN at most, %.2g of the numbers\n", k, a.most, a.moved);
        TY_CHECK(a.most <= (k == 1 || k == 2 ? 3.0 : 1.0) && a.moved < 2e-3);
    }
    ty_device_destroy(device);
}

/* a device without double precision: no noise, within a number */
TY_TEST(camera_device, single_precision)
{
    ty_device *device = open_device();
    if (device) {
        device->info.fp64 = false;
        ty_camera_sensor_def def = ty_camera_sensor_def_default();
        def.width = W, def.height = H;
        def.on[TY_CAMERA_SHOT] = def.on[TY_CAMERA_READ] = false;
        apart a = compare(&def, device, 0);
        printf("in float: %.0f DN at most, %.2g of the numbers\n", a.most, a.moved);
        TY_CHECK(a.most <= 1.0);
    }
    ty_device_destroy(device);
}

/* stages that were moved or taken out of their order stay with the host */
TY_TEST(camera_device, unusual_pipelines_are_left_alone)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.width = W, def.height = H;
    rig r = rig_make(&def, 1);
    unsigned on;
    int last = tyi_camera_device_plan(r.sensor, r.pipeline, 0, &on);
    TY_CHECK(last == ty_pipeline_find(r.pipeline, "quantise"));
    TY_CHECK(ty_pipeline_move(r.pipeline, ty_pipeline_find(r.pipeline, "read"), ty_pipeline_find(r.pipeline, "dark"),
                              NULL) == TY_OK);
    TY_CHECK(tyi_camera_device_plan(r.sensor, r.pipeline, 0, &on) == -1);
    rig_free(&r);
    def.on[TY_CAMERA_QUANTISE] = false;
    r = rig_make(&def, 1);
    TY_CHECK(tyi_camera_device_plan(r.sensor, r.pipeline, 0, &on) == -1);
    rig_free(&r);
}
