/* src/sensor/camera/camera_electrons.c - light to electrons, and what the detector adds to them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera.h"
#include "k_noise.h"

static uint32_t pixel(const ty_camera_sensor *s, int x, int y)
{
    return (uint32_t)y * (uint32_t)s->def.width + (uint32_t)x;
}

/* counter of a pixel's channel: noise of colours is independent where there is no mosaic */
static uint32_t cell(const ty_camera_sensor *s, const ty_filter_call *call, int x, int y, int c)
{
    return pixel(s, x, y) * (uint32_t)call->in->type.channels + (uint32_t)c;
}

void tyi_camera_per_radiance(const ty_camera_sensor_def *d, double out[3][TY_BANDS])
{
    for (int c = 0; c < d->colors; c++) {
        for (int b = 0; b < d->bands; b++) {
            double irradiance = ty_k_image_irradiance(1.0, d->f_number, d->transmission);
            out[c][b] = ty_k_aggregate(d->g_aggregator, irradiance, d->pixel, d->exposure, d->qe[c][b], d->lambda[b]);
        }
    }
}

/* [lunar] (5) over all bands: one channel of electrons per colour of the detector */
static void aggregator_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const ty_camera_sensor_def *d = &s->def;
    double per_radiance[3][TY_BANDS];
    tyi_camera_per_radiance(d, per_radiance);
    for (int x = 0; x < d->width; x++) {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int b = 0; b < d->bands; b++) {
            double radiance = (double)tyi_camera_f32(call->in, x, y, b);
            for (int c = 0; c < d->colors; c++) {
                sum[c] += per_radiance[c][b] * radiance;
            }
        }
        for (int c = 0; c < d->colors; c++) {
            tyi_camera_f32_set(call->out, x, y, c, sum[c]);
        }
    }
}

static ty_status link_aggregator(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    const ty_camera_sensor_def *d = &((const ty_camera_sensor *)user)->def;
    if (in->channels != d->bands) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: 'aggregator' takes radiance in %d band%s, but the image has %d",
                       d->bands, d->bands > 1 ? "s" : "", in->channels);
    }
    need->out.unit = TY_UNIT_ELECTRONS;
    need->out.channels = d->colors;
    return tyi_camera_link_size(user, in, need, diag);
}

static void prnu_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            *(float *)ty_buffer_at(call->out, x, y, c) = s->gain[pixel(s, x, y)] * tyi_camera_f32(call->in, x, y, c);
        }
    }
}

/* [lunar] (6) */
static void dark_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        double rate = (double)s->rate[pixel(s, x, y)];
        for (int c = 0; c < call->in->type.channels; c++) {
            tyi_camera_f32_set(call->out, x, y, c,
                               ty_k_mean_electrons((double)tyi_camera_f32(call->in, x, y, c), rate, s->def.exposure));
        }
    }
}

/* [lunar] (7): counts, spread by the gain about their mean */
static void shot_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            double mean = (double)tyi_camera_f32(call->in, x, y, c);
            double count =
                ty_k_poisson(mean, tyi_camera_random(s, cell(s, call, x, y, c), call->frame, TY_RNG_CAMERA_SHOT));
            tyi_camera_f32_set(call->out, x, y, c, mean + s->def.g_noise * (count - mean));
        }
    }
}

static void full_well_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            tyi_camera_f32_set(call->out, x, y, c, fmin((double)tyi_camera_f32(call->in, x, y, c), s->def.full_well));
        }
    }
}

static void read_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            double n = tyi_camera_normal(s, cell(s, call, x, y, c), call->frame, TY_RNG_CAMERA_READ);
            tyi_camera_f32_set(call->out, x, y, c, (double)tyi_camera_f32(call->in, x, y, c) + s->def.read * n);
        }
    }
}

static void pattern_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            *(float *)ty_buffer_at(call->out, x, y, c) = s->offset[pixel(s, x, y)] + tyi_camera_f32(call->in, x, y, c);
        }
    }
}

static void dead_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            *(float *)ty_buffer_at(call->out, x, y, c) =
                s->dead[pixel(s, x, y)] ? 0.0f : tyi_camera_f32(call->in, x, y, c);
        }
    }
}

#define STAGE(name)                                                                    \
    static ty_status run_##name(void *user, const ty_filter_call *call, ty_diag *diag) \
    {                                                                                  \
        (void)diag;                                                                    \
        tyi_camera_rows(user, call, name##_row);                                       \
        return TY_OK;                                                                  \
    }
#define ELECTRON_STAGE(name)                                                        \
    STAGE(name)                                                                     \
    const ty_filter tyi_camera_stage_##name = { .units = TY_BIT(TY_UNIT_ELECTRONS), \
                                                .elements = TY_BIT(TY_ELEMENT_F32), \
                                                .in_place = true,                   \
                                                .link = tyi_camera_link_size,       \
                                                .run = run_##name };
STAGE(aggregator)
const ty_filter tyi_camera_stage_aggregator = { .units = TY_BIT(TY_UNIT_RADIANCE),
                                                .elements = TY_BIT(TY_ELEMENT_F32),
                                                .link = link_aggregator,
                                                .run = run_aggregator };
ELECTRON_STAGE(prnu)
ELECTRON_STAGE(dark)
ELECTRON_STAGE(shot)
ELECTRON_STAGE(full_well)
ELECTRON_STAGE(read)
ELECTRON_STAGE(pattern)
ELECTRON_STAGE(dead)
