/* src/sensor/camera/camera_device.c - the camera's stages on a device, where the light is (kernels/camera.cl). In double precision where the
 * device has it: then the numbers are the host's but for the last digits of exp and log.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <string.h>
#include "camera.h"
#include "inner.h"
#include "k_detector.h"
#include "tycho/device.h"

_Static_assert(TY_K_DETECTOR_BANDS == TY_BANDS, "bands of kernels and of light");
_Static_assert(sizeof(ty_k_detector) % 8 == 0, "no gap at the end");

enum { GAIN, OFFSET, RATE, PASSED, DEAD, WEIGHT, OWN, LIGHT, OTHER, DEPTH, MEAN, STRAY, NUMBERS, COLORS, BUFFERS };

struct tyi_camera_device {
    const ty_camera_sensor *sensor;
    ty_device *device;
    ty_device_program *program;
    ty_device_buffer *buffer[BUFFERS];
    float *room; /* depth, as floats */
};

/* stages by name of k_detector.h; -1: it must be on, or it is not here */
static const int bits[TY_CAMERA_STAGES] = {
    [TY_CAMERA_FLARE] = TY_K_DETECTOR_FLARE,
    [TY_CAMERA_GLARE] = TY_K_DETECTOR_GLARE,
    [TY_CAMERA_DUST] = TY_K_DETECTOR_DUST,
    [TY_CAMERA_DEFOCUS] = TY_K_DETECTOR_DEFOCUS,
    [TY_CAMERA_VIGNETTING] = TY_K_DETECTOR_VIGNETTING,
    [TY_CAMERA_AGGREGATOR] = -1,
    [TY_CAMERA_MOSAIC] = TY_K_DETECTOR_MOSAIC,
    [TY_CAMERA_PRNU] = TY_K_DETECTOR_PRNU,
    [TY_CAMERA_DARK] = TY_K_DETECTOR_DARK,
    [TY_CAMERA_SHOT] = TY_K_DETECTOR_SHOT,
    [TY_CAMERA_FULL_WELL] = TY_K_DETECTOR_FULL_WELL,
    [TY_CAMERA_READ] = TY_K_DETECTOR_READ,
    [TY_CAMERA_PATTERN] = TY_K_DETECTOR_PATTERN,
    [TY_CAMERA_DEAD] = TY_K_DETECTOR_DEAD,
    [TY_CAMERA_RESPONSE] = -1,
    [TY_CAMERA_AMPLIFIER] = TY_K_DETECTOR_AMPLIFIER,
    [TY_CAMERA_QUANTISE] = -1,
    [TY_CAMERA_DEMOSAIC] = TY_K_DETECTOR_DEMOSAIC,
    [TY_CAMERA_WHITE_BALANCE] = TY_K_DETECTOR_WHITE,
};

int tyi_camera_device_plan(const ty_camera_sensor *s, const ty_pipeline *p, int first, unsigned *on)
{
    int last = -1, stage = 0, must = 0;
    *on = 0;
    for (int i = first; stage <= TY_CAMERA_WHITE_BALANCE; i++) {
        const ty_filter *f = ty_pipeline_get(p, i);
        for (; stage <= TY_CAMERA_WHITE_BALANCE; stage++) { /* in their usual order; some may be taken out */
            ty_filter own = ty_camera_sensor_filter((ty_camera_sensor *)(uintptr_t)s, (ty_camera_stage)stage);
            if (f && f->user == s && f->run == own.run) {
                break;
            }
        }
        if (!f || stage > TY_CAMERA_WHITE_BALANCE) {
            break;
        }
        if (!f->off) {
            must += bits[stage] < 0;
            *on |= bits[stage] > 0 ? (unsigned)bits[stage] : 0u;
            last = i;
        }
        stage++;
    }
    return must == 3 ? last : -1; /* aggregator, response, quantise; what does not fit together is not linked */
}

static ty_status make(tyi_camera_device *d, int which, size_t bytes, const void *data, ty_diag *diag)
{
    return d->buffer[which] ? TY_OK : ty_device_buffer_create(d->device, bytes, data, &d->buffer[which], diag);
}

ty_status tyi_camera_device_create(const ty_camera_sensor *s, ty_device *device, tyi_camera_device **out, ty_diag *diag)
{
    size_t n = (size_t)s->def.width * (size_t)s->def.height, bands = (size_t)s->def.bands;
    size_t cells = (size_t)s->coarse_w * (size_t)s->coarse_h;
    size_t weights = (size_t)(2 * s->coarse_w - 1) * (size_t)(2 * s->coarse_h - 1);
    tyi_camera_device *d = tyi_get(s->def.alloc, sizeof *d);
    *out = d;
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "camera: no memory for its stages on a device");
    }
    d->sensor = s, d->device = device;
    const struct {
        int which;
        size_t bytes;
        const void *data;
    } all[] = { { GAIN, n * 4, s->gain },
                { OFFSET, n * 4, s->offset },
                { RATE, n * 4, s->rate },
                { PASSED, n * 4, s->passed },
                { DEAD, n, s->dead },
                { WEIGHT, weights * 4, s->veil },
                { OTHER, n * bands * 4, NULL },
                { MEAN, cells * bands * 4, NULL },
                { STRAY, cells * bands * 4, NULL },
                { NUMBERS, n * 2 * (size_t)s->def.colors, NULL },
                { COLORS, s->def.colors == 3 ? n * 6 : 4, NULL } };
    ty_status status =
        ty_device_build(device, "#include \"camera.cl\"\n", ty_device_get_info(device)->fp64 ? TY_DOUBLE : TY_FLOAT,
                        NULL, &d->program, diag);
    for (size_t i = 0; i < sizeof all / sizeof *all && status == TY_OK; i++) {
        status = make(d, all[i].which, all[i].bytes, all[i].data, diag);
    }
    if (status != TY_OK) {
        tyi_camera_device_destroy(d);
        *out = NULL;
    }
    return status;
}

void tyi_camera_device_destroy(tyi_camera_device *d)
{
    if (!d) {
        return;
    }
    for (int i = 0; i < BUFFERS; i++) {
        ty_device_buffer_destroy(d->buffer[i]);
    }
    ty_device_program_destroy(d->program);
    tyi_put(d->sensor->def.alloc, d->room,
            d->room ? (size_t)d->sensor->def.width * (size_t)d->sensor->def.height * sizeof *d->room : 0);
    tyi_put(d->sensor->def.alloc, d, sizeof *d);
}

ty_device *tyi_camera_device_of(const tyi_camera_device *d)
{
    return d->device;
}

static ty_k_detector tell(const ty_camera_sensor *s, uint64_t frame, unsigned on)
{
    const ty_camera_sensor_def *d = &s->def;
    ty_k_detector k = { .flare = d->flare,
                        .glare = d->glare,
                        .focal = d->focal,
                        .focus = d->focus,
                        .f_number = d->f_number,
                        .pixel = d->pixel,
                        .g_defocus = d->g_defocus,
                        .defocus_most = d->defocus_most,
                        .g_vignet = d->g_vignet,
                        .exposure = d->exposure,
                        .g_noise = d->g_noise,
                        .full_well = d->full_well,
                        .read = d->read,
                        .s1 = d->amplifier_s1,
                        .s2 = d->amplifier_s2,
                        .iso = s->curve.iso,
                        .a = s->curve.a,
                        .b = s->curve.b,
                        .gamma = s->curve.gamma,
                        .full = s->curve.full,
                        .width = d->width,
                        .height = d->height,
                        .bands = d->bands,
                        .colors = d->colors,
                        .on = (int32_t)on,
                        .curve = s->curve.kind,
                        .cell = s->cell,
                        .coarse_w = s->coarse_w,
                        .coarse_h = s->coarse_h,
                        .shift_x = d->shift_x,
                        .shift_y = d->shift_y,
                        .demosaic = (int32_t)d->demosaic,
                        .wide = d->bits > 8,
                        .seed = (uint32_t)d->seed,
                        .camera = d->camera,
                        .frame_low = (uint32_t)frame,
                        .frame_high = (uint32_t)(frame >> 32) };
    memcpy(k.white, d->white, sizeof k.white);
    tyi_camera_per_radiance(d, k.per_radiance);
    return k;
}

/* The same numbers for a device without double precision. */
static size_t in_float(const ty_k_detector *k, char *out)
{
    enum { REALS = offsetof(ty_k_detector, width) / sizeof(double) };
    const double *from = &k->flare;
    for (size_t i = 0; i < REALS; i++) {
        float value = (float)from[i];
        memcpy(out + i * sizeof value, &value, sizeof value);
    }
    size_t whole = sizeof *k - offsetof(ty_k_detector, width);
    memcpy(out + REALS * sizeof(float), &k->width, whole);
    return REALS * sizeof(float) + whole;
}

typedef struct call {
    tyi_camera_device *d;
    ty_device_arg about; /* ty_k_detector */
    ty_diag *diag;
} call;

/* a kernel over across x down items: what it is told, then arguments */
static ty_status launch(const call *c, const char *kernel, int across, int down, int args, const ty_device_arg *arg)
{
    enum { X = 16, Y = 8 };
    ty_device_arg all[8];
    all[0] = c->about;
    memcpy(all + 1, arg, (size_t)args * sizeof *arg);
    ty_device_job job = { .kernel = kernel,
                          .global = { (size_t)(across + X - 1) / X * X, (size_t)(down + Y - 1) / Y * Y },
                          .local = { X, Y },
                          .args = all,
                          .arg_count = args + 1 };
    return ty_device_run(c->d->program, &job, NULL, c->diag);
}

#define BUFFER(k) ty_device_arg_buffer(d->buffer[k])

/* flare, then glare and dust, in place */
static ty_status stray(const call *c, unsigned on, ty_device_buffer *light)
{
    tyi_camera_device *d = c->d;
    const ty_camera_sensor *s = d->sensor;
    int rows = s->coarse_h * s->def.bands;
    ty_status status = TY_OK;
    for (int32_t ghosts = 1; ghosts >= 0 && status == TY_OK; ghosts--) {
        bool veil = on & (ghosts ? TY_K_DETECTOR_FLARE : TY_K_DETECTOR_GLARE);
        if (!veil && (ghosts || !(on & TY_K_DETECTOR_DUST))) {
            continue;
        }
        ty_device_arg mean[] = { ty_device_arg_buffer(light), BUFFER(MEAN) };
        ty_device_arg spread[] = { BUFFER(WEIGHT), BUFFER(MEAN), BUFFER(STRAY) };
        ty_device_arg add[] = { ty_device_arg_value(&ghosts, sizeof ghosts), BUFFER(ghosts ? MEAN : STRAY),
                                BUFFER(PASSED), ty_device_arg_buffer(light) };
        status = veil ? launch(c, "camera_mean", s->coarse_w, rows, 2, mean) : TY_OK;
        if (status == TY_OK && veil && !ghosts) {
            status = launch(c, "camera_stray", s->coarse_w, rows, 3, spread);
        }
        if (status == TY_OK) {
            status = launch(c, "camera_veil", s->def.width, s->def.height * s->def.bands, 4, add);
        }
    }
    return status;
}

static ty_status put_depth(tyi_camera_device *d, const ty_buffer *depth, ty_diag *diag)
{
    int w = d->sensor->def.width, h = d->sensor->def.height;
    size_t bytes = (size_t)w * (size_t)h * sizeof(float);
    ty_status status = make(d, DEPTH, bytes, NULL, diag);
    d->room = d->room ? d->room : tyi_get(d->sensor->def.alloc, bytes);
    if (!d->room) {
        return ty_fail(diag, TY_ERR_MEMORY, "camera: no memory for depths");
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            d->room[y * w + x] = (float)ty_buffer_get(depth, x, y, 0);
        }
    }
    return status == TY_OK ? ty_device_write(d->buffer[DEPTH], 0, bytes, d->room, diag) : status;
}

ty_status tyi_camera_device_run(tyi_camera_device *d, unsigned on, uint64_t frame, ty_device_buffer *light,
                                const ty_buffer *depth, const ty_buffer *out, ty_diag *diag)
{
    const ty_camera_sensor *s = d->sensor;
    ty_k_detector k = tell(s, frame, on);
    char small[sizeof k];
    bool fp64 = ty_device_get_info(d->device)->fp64;
    size_t bytes = fp64 ? sizeof k : in_float(&k, small);
    call c = { d, ty_device_arg_value(fp64 ? (void *)&k : small, bytes), diag };
    ty_status status = stray(&c, on, light);
    if (status == TY_OK && (on & TY_K_DETECTOR_DEFOCUS)) {
        status = put_depth(d, depth, diag);
        ty_device_arg arg[] = { ty_device_arg_buffer(light), BUFFER(DEPTH), BUFFER(OTHER) };
        status = status == TY_OK ? launch(&c, "camera_defocus", s->def.width, s->def.height, 3, arg) : status;
        light = d->buffer[OTHER];
    }
    ty_device_arg detect[] = {
        ty_device_arg_buffer(light), BUFFER(GAIN), BUFFER(OFFSET), BUFFER(RATE), BUFFER(DEAD), BUFFER(NUMBERS)
    };
    status = status == TY_OK ? launch(&c, "camera_detect", s->def.width, s->def.height, 6, detect) : status;
    int from = NUMBERS;
    if (status == TY_OK && (on & (TY_K_DETECTOR_DEMOSAIC | TY_K_DETECTOR_WHITE))) {
        ty_device_arg arg[] = { BUFFER(NUMBERS), BUFFER(COLORS) };
        status = launch(&c, "camera_colors", s->def.width, s->def.height, 2, arg);
        from = COLORS;
    }
    return status == TY_OK ? ty_device_read(d->buffer[from], 0, ty_buffer_type_bytes(&out->type), out->data, diag)
                           : status;
}
