/* src/sensor/camera/camera_veil.c - glare and flare: stray light from the whole image, on a coarse grid (k_lens.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera.h"
#include "k_lens.h"

typedef struct veil {
    const ty_camera_sensor *sensor;
    const ty_filter_call *call;
    float *mean, *stray; /* coarse grids, channel after channel */
} veil;

static size_t cells(const ty_camera_sensor *s)
{
    return (size_t)s->coarse_w * (size_t)s->coarse_h;
}

static ty_k_veil grid_of(const ty_camera_sensor *s)
{
    return (ty_k_veil){ s->cell, s->coarse_w, s->coarse_h, s->def.width, s->def.height };
}

/* row j of the coarse means */
static void mean_row(void *user, size_t j, int worker)
{
    (void)worker;
    const veil *v = user;
    const ty_buffer *in = v->call->in;
    int step = (int)(in->column / (ptrdiff_t)sizeof(float)), row = (int)(in->row / (ptrdiff_t)sizeof(float));
    for (int c = 0; c < in->type.channels; c++) {
        for (int i = 0; i < v->sensor->coarse_w; i++) {
            v->mean[(size_t)c * cells(v->sensor) + j * (size_t)v->sensor->coarse_w + (size_t)i] =
                ty_k_veil_mean(grid_of(v->sensor), ty_buffer_at(in, 0, 0, c), step, row, i, (int)j);
        }
    }
}

static void glare_row(void *user, size_t j, int worker)
{
    (void)worker;
    const veil *v = user;
    const ty_camera_sensor *s = v->sensor;
    for (int c = 0; c < v->call->in->type.channels; c++) {
        for (int i = 0; i < s->coarse_w; i++) {
            v->stray[(size_t)c * cells(s) + j * (size_t)s->coarse_w + (size_t)i] =
                ty_k_veil_stray(grid_of(s), s->veil, v->mean + (size_t)c * cells(s), i, (int)j);
        }
    }
}

static void add_glare(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const float *stray = (const float *)call->scratch + (size_t)call->in->type.channels * cells(s);
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            tyi_camera_f32_set(call->out, x, y, c,
                               ty_k_veil_glared(grid_of(s), stray + (size_t)c * cells(s), x + 0.5, y + 0.5,
                                                s->def.glare, (double)tyi_camera_f32(call->in, x, y, c)));
        }
    }
}

static void add_flare(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const float *mean = call->scratch;
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            tyi_camera_f32_set(call->out, x, y, c,
                               ty_k_veil_flared(grid_of(s), mean + (size_t)c * cells(s), x + 0.5, y + 0.5, s->def.flare,
                                                (double)tyi_camera_f32(call->in, x, y, c)));
        }
    }
}

static veil start(void *user, const ty_filter_call *call)
{
    const ty_camera_sensor *s = user;
    veil v = { .sensor = s, .call = call, .mean = call->scratch };
    v.stray = v.mean + (size_t)call->in->type.channels * cells(s);
    tyi_tasks_for(tyi_camera_threads(call), (size_t)s->coarse_h, mean_row, &v);
    return v;
}

static ty_status run_glare(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    veil v = start(user, call);
    tyi_tasks_for(tyi_camera_threads(call), (size_t)v.sensor->coarse_h, glare_row, &v);
    tyi_camera_rows(user, call, add_glare);
    return TY_OK;
}

static ty_status run_flare(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    start(user, call);
    tyi_camera_rows(user, call, add_flare);
    return TY_OK;
}

static ty_status link_veil(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    need->scratch = 2 * (size_t)in->channels * cells(user) * sizeof(float);
    return tyi_camera_link_size(user, in, need, diag);
}

const ty_filter tyi_camera_stage_glare = { .units = TY_BIT(TY_UNIT_RADIANCE),
                                           .elements = TY_BIT(TY_ELEMENT_F32),
                                           .in_place = true,
                                           .link = link_veil,
                                           .run = run_glare };
const ty_filter tyi_camera_stage_flare = { .units = TY_BIT(TY_UNIT_RADIANCE),
                                           .elements = TY_BIT(TY_ELEMENT_F32),
                                           .in_place = true,
                                           .link = link_veil,
                                           .run = run_flare };
