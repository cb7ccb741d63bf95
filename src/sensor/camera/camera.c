/* src/sensor/camera/camera.c - the camera sensor: its specimen, its table of stages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "camera.h"
#include "k_lens.h"
#include "k_noise.h"
#include "inner.h"

#define SMALL 32768 /* [px] */

static const struct {
    const char *name;
    bool color; /* only for colour detectors */
} stages[TY_CAMERA_STAGES] = {
#define STAGE_ROW(id, name, on, color) [id] = { name, color },
    TY_CAMERA_STAGE_LIST(STAGE_ROW)
};

static const ty_filter *const filters[TY_CAMERA_STAGES] = {
    [TY_CAMERA_FLARE] = &tyi_camera_stage_flare,
    [TY_CAMERA_GLARE] = &tyi_camera_stage_glare,
    [TY_CAMERA_DUST] = &tyi_camera_stage_dust,
    [TY_CAMERA_DEFOCUS] = &tyi_camera_stage_defocus,
    [TY_CAMERA_VIGNETTING] = &tyi_camera_stage_vignetting,
    [TY_CAMERA_AGGREGATOR] = &tyi_camera_stage_aggregator,
    [TY_CAMERA_MOSAIC] = &tyi_camera_stage_mosaic,
    [TY_CAMERA_PRNU] = &tyi_camera_stage_prnu,
    [TY_CAMERA_DARK] = &tyi_camera_stage_dark,
    [TY_CAMERA_SHOT] = &tyi_camera_stage_shot,
    [TY_CAMERA_FULL_WELL] = &tyi_camera_stage_full_well,
    [TY_CAMERA_READ] = &tyi_camera_stage_read,
    [TY_CAMERA_PATTERN] = &tyi_camera_stage_pattern,
    [TY_CAMERA_DEAD] = &tyi_camera_stage_dead,
    [TY_CAMERA_RESPONSE] = &tyi_camera_stage_response,
    [TY_CAMERA_AMPLIFIER] = &tyi_camera_stage_amplifier,
    [TY_CAMERA_QUANTISE] = &tyi_camera_stage_quantise,
    [TY_CAMERA_DEMOSAIC] = &tyi_camera_stage_demosaic,
    [TY_CAMERA_WHITE_BALANCE] = &tyi_camera_stage_white_balance,
    [TY_CAMERA_AUTO_EXPOSURE] = &tyi_camera_stage_auto_exposure,
    [TY_CAMERA_COMPRESS] = &tyi_camera_stage_compress,
};

const char *tyi_camera_stage_name(ty_camera_stage stage)
{
    return (unsigned)stage < TY_CAMERA_STAGES ? stages[stage].name : "unknown stage";
}

bool tyi_camera_stage_find(const char *name, ty_camera_stage *out)
{
    for (int i = 0; i < TY_CAMERA_STAGES; i++) {
        if (!strcmp(name, stages[i].name)) {
            *out = (ty_camera_stage)i;
            return true;
        }
    }
    return false;
}

/* ---- rows on threads ---- */

typedef struct rows {
    const ty_camera_sensor *sensor;
    const ty_filter_call *call;
    tyi_camera_row row;
} rows;

static void do_row(void *user, size_t i, int worker)
{
    (void)worker;
    const rows *r = user;
    r->row(r->sensor, r->call, (int)i);
}

int tyi_camera_threads(const ty_filter_call *call)
{
    return call->out->type.width * call->out->type.height < SMALL ? 1 : call->threads;
}

void tyi_camera_rows(const ty_camera_sensor *sensor, const ty_filter_call *call, tyi_camera_row row)
{
    rows r = { sensor, call, row };
    tyi_tasks_for(tyi_camera_threads(call), (size_t)call->out->type.height, do_row, &r);
}

ty_status tyi_camera_link_size(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)need;
    const ty_camera_sensor_def *def = &((const ty_camera_sensor *)user)->def;
    if (in->width != def->width || in->height != def->height) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: the image is %d x %d pixels, but the detector has %d x %d",
                       in->width, in->height, def->width, def->height);
    }
    return TY_OK;
}

/* ---- the specimen ---- */

static void make_pixels(ty_camera_sensor *s)
{
    const ty_camera_sensor_def *d = &s->def;
    double dark = ty_k_dark_rate(d->dark, d->temperature, d->dark_at, d->doubling);
    double hot = ty_k_dark_rate(d->hot, d->temperature, d->dark_at, d->doubling);
    for (int y = 0; y < d->height; y++) {
        double row = d->dsnu_row * tyi_camera_normal(s, (uint32_t)y, 0, TY_RNG_CAMERA_ROW);
        for (int x = 0; x < d->width; x++) {
            uint32_t i = (uint32_t)y * (uint32_t)d->width + (uint32_t)x;
            double n = tyi_camera_normal(s, i, 0, TY_RNG_CAMERA_PRNU);
            s->gain[i] = (float)fmax(1.0 + d->prnu * n, 0.0);
            double column = d->dsnu_column * tyi_camera_normal(s, (uint32_t)x, 0, TY_RNG_CAMERA_COLUMN);
            s->offset[i] = (float)(row + column + d->dsnu * tyi_camera_normal(s, i, 0, TY_RNG_CAMERA_DSNU));
            ty_k_u32x4 r = tyi_camera_random(s, i, 0, TY_RNG_CAMERA_HOT);
            bool is_hot = ty_k_uniform(r.v[0]) < d->hot_share;
            s->rate[i] = (float)(dark + (is_hot ? ty_k_hot_rate(hot, ty_k_uniform(r.v[1])) : 0.0));
            r = tyi_camera_random(s, i, 0, TY_RNG_CAMERA_DEAD);
            s->dead[i] = ty_k_uniform(r.v[0]) < d->dead_share;
            s->passed[i] = 1.0f;
        }
    }
}

static void make_dust(ty_camera_sensor *s)
{
    const ty_camera_sensor_def *d = &s->def;
    for (uint32_t k = 0; k < (uint32_t)d->dust_spots; k++) {
        ty_k_u32x4 r = tyi_camera_random(s, k, 0, TY_RNG_CAMERA_DUST);
        double u = ty_k_uniform(r.v[2]);
        double cx = ty_k_uniform(r.v[0]) * d->width, cy = ty_k_uniform(r.v[1]) * d->height;
        double radius = d->dust_radius * (0.2 + 0.8 * u * u); /* small specks are many */
        double opacity = d->dust_opacity * ty_k_uniform(r.v[3]);
        int x0 = (int)fmax(cx - radius, 0.0), x1 = (int)fmin(cx + radius, d->width - 1);
        int y0 = (int)fmax(cy - radius, 0.0), y1 = (int)fmin(cy + radius, d->height - 1);
        for (int y = y0; y <= y1; y++) {
            for (int x = x0; x <= x1; x++) {
                double dx = x + 0.5 - cx, dy = y + 0.5 - cy;
                float *t = &s->passed[(size_t)y * (size_t)d->width + (size_t)x];
                *t = (float)((double)*t * ty_k_dust(opacity, radius, dx * dx + dy * dy));
            }
        }
    }
}

/* share of a coarse cell's stray light in the cell at (i, j) from it: the mean over 8 x 8 places */
static double veil_weight(const ty_camera_sensor *s, int i, int j)
{
    double sum = 0.0, cell = s->cell;
    for (int v = 0; v < 8; v++) {
        for (int u = 0; u < 8; u++) {
            double x = (i + (u - 3.5) / 8.0) * cell, y = (j + (v - 3.5) / 8.0) * cell;
            sum += ty_k_glare(s->def.glare_core, x * x + y * y);
        }
    }
    return sum / 64.0 * cell * cell;
}

static void make_veil(ty_camera_sensor *s)
{
    int w = 2 * s->coarse_w - 1, h = 2 * s->coarse_h - 1;
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            s->veil[j * w + i] = (float)veil_weight(s, i - s->coarse_w + 1, j - s->coarse_h + 1);
        }
    }
}

static void set_curve(ty_camera_sensor *s)
{
    const ty_camera_sensor_def *d = &s->def;
    s->curve = (ty_k_response_curve){ (int)d->curve, d->iso, d->a, d->b, d->gamma, exp2(d->bits) - 1.0 };
}

ty_status ty_camera_sensor_create(const ty_camera_sensor_def *def, ty_camera_sensor **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = tyi_camera_check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    int side = def->width > def->height ? def->width : def->height;
    int cell = (side + COARSE - 1) / COARSE;
    int cw = (def->width + cell - 1) / cell, ch = (def->height + cell - 1) / cell;
    size_t n = (size_t)def->width * (size_t)def->height;
    size_t veil = (size_t)(2 * cw - 1) * (size_t)(2 * ch - 1);
    size_t bytes = n * (4 * sizeof(float) + 1) + veil * sizeof(float);
    ty_camera_sensor *s = tyi_get(def->alloc, sizeof *s);
    char *memory = s ? tyi_get(def->alloc, bytes) : NULL;
    if (!memory) {
        tyi_put(def->alloc, s, sizeof *s);
        return ty_fail(diag, TY_ERR_MEMORY, "camera: there is no memory for %zu bytes", bytes);
    }
    float *f = (float *)(void *)memory;
    *s = (ty_camera_sensor){ .def = *def,
                             .gain = f,
                             .offset = f + n,
                             .rate = f + 2 * n,
                             .passed = f + 3 * n,
                             .veil = f + 4 * n,
                             .dead = (uint8_t *)(f + 4 * n + veil),
                             .cell = cell,
                             .coarse_w = cw,
                             .coarse_h = ch,
                             .bytes = bytes,
                             .memory = memory };
    set_curve(s);
    make_pixels(s);
    make_dust(s);
    make_veil(s);
    *out = s;
    return TY_OK;
}

void ty_camera_sensor_destroy(ty_camera_sensor *sensor)
{
    if (sensor) {
        const ty_alloc *alloc = sensor->def.alloc;
        tyi_put(alloc, sensor->memory, sensor->bytes);
        tyi_put(alloc, sensor, sizeof *sensor);
    }
}

const ty_camera_sensor_def *ty_camera_sensor_get_def(const ty_camera_sensor *sensor)
{
    return &sensor->def;
}

/* ---- stages ---- */

ty_filter ty_camera_sensor_filter(ty_camera_sensor *sensor, ty_camera_stage stage)
{
    TY_ASSERT((unsigned)stage < TY_CAMERA_STAGES);
    ty_filter f = *filters[stage];
    f.name = stages[stage].name;
    f.user = sensor;
    f.off = !sensor->def.on[stage];
    return f;
}

ty_status ty_camera_sensor_build(ty_camera_sensor *sensor, ty_pipeline *pipeline, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < TY_CAMERA_STAGES && status == TY_OK; i++) {
        if (!stages[i].color || sensor->def.colors == 3) {
            ty_filter f = ty_camera_sensor_filter(sensor, (ty_camera_stage)i);
            status = ty_pipeline_insert(pipeline, -1, &f, diag);
        }
    }
    return status;
}

/* takes over a changed definition if it is a good one */
static ty_status change(ty_camera_sensor *sensor, const ty_camera_sensor_def *def, ty_diag *diag)
{
    ty_status status = tyi_camera_check(def, diag);
    if (status == TY_OK) {
        sensor->def = *def;
        set_curve(sensor);
    }
    return status;
}

ty_status ty_camera_sensor_set_exposure(ty_camera_sensor *sensor, double exposure, ty_diag *diag)
{
    ty_camera_sensor_def def = sensor->def;
    def.exposure = exposure;
    return change(sensor, &def, diag);
}

ty_status ty_camera_sensor_set_iso(ty_camera_sensor *sensor, double iso, ty_diag *diag)
{
    ty_camera_sensor_def def = sensor->def;
    def.iso = iso;
    return change(sensor, &def, diag);
}

ty_status ty_camera_sensor_set_focus(ty_camera_sensor *sensor, double focus, ty_diag *diag)
{
    ty_camera_sensor_def def = sensor->def;
    def.focus = focus;
    return change(sensor, &def, diag);
}
