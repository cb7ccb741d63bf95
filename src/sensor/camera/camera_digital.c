/* src/sensor/camera/camera_digital.c - electrons to numbers: response curve, converter, automatic exposure.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "camera.h"

#define LEVELS 65536

/* [lunar] (8) */
static void response_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < call->in->type.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            tyi_camera_f32_set(call->out, x, y, c, ty_k_response(s->curve, (double)tyi_camera_f32(call->in, x, y, c)));
        }
    }
}

static ty_status run_response(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_camera_rows(user, call, response_row);
    return TY_OK;
}

static ty_status link_response(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user;
    (void)in;
    (void)diag;
    need->out.unit = TY_UNIT_DN;
    return TY_OK;
}

/* [csens] (4) on finished numbers; (3) is the same law with other parameters */
static void amplifier_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    int width = call->in->type.width, channels = call->in->type.channels;
    for (int x = 0; x < width; x++) {
        for (int c = 0; c < channels; c++) {
            double value = (double)tyi_camera_f32(call->in, x, y, c);
            double variance = ty_k_intensity_variance(s->def.amplifier_s1, s->def.amplifier_s2, fmax(value, 0.0));
            uint32_t i = ((uint32_t)y * (uint32_t)width + (uint32_t)x) * (uint32_t)channels + (uint32_t)c;
            double n = tyi_camera_normal(s, i, call->frame, TY_RNG_CAMERA_AMPLIFIER);
            tyi_camera_f32_set(call->out, x, y, c, value + sqrt(variance) * n);
        }
    }
}

static ty_status run_amplifier(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_camera_rows(user, call, amplifier_row);
    return TY_OK;
}

static void quantise_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < call->in->type.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            ty_buffer_set(call->out, x, y, c, ty_k_digitise((double)tyi_camera_f32(call->in, x, y, c), s->curve.full));
        }
    }
}

static ty_status run_quantise(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_camera_rows(user, call, quantise_row);
    return TY_OK;
}

static ty_status link_quantise(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)in;
    (void)diag;
    need->out.element = ((const ty_camera_sensor *)user)->def.bits > 8 ? TY_ELEMENT_U16 : TY_ELEMENT_U8;
    return TY_OK;
}

/* ---- automatic exposure ---- */

/* the number that `share` of all values do not exceed; copies the image on its way */
static int percentile(const ty_filter_call *call, double share)
{
    uint32_t *count = call->scratch;
    memset(count, 0, LEVELS * sizeof *count);
    const ty_buffer_type *t = &call->in->type;
    for (int y = 0; y < t->height; y++) {
        for (int x = 0; x < t->width; x++) {
            for (int c = 0; c < t->channels; c++) {
                double value = ty_buffer_get(call->in, x, y, c);
                ty_buffer_set(call->out, x, y, c, value);
                count[(int)fmin(fmax(value, 0.0), LEVELS - 1)]++;
            }
        }
    }
    double wanted = share * (double)t->width * t->height * t->channels, seen = 0.0;
    int level = 0;
    while (level < LEVELS - 1 && seen + count[level] < wanted) {
        seen += count[level++];
    }
    return level;
}

static ty_status run_auto_exposure(void *user, const ty_filter_call *call, ty_diag *diag)
{
    ty_camera_sensor *s = user;
    const ty_camera_sensor_def *d = &s->def;
    double level = percentile(call, d->auto_share);
    double has = ty_k_response_inverse(s->curve, level);
    double wants = ty_k_response_inverse(s->curve, d->auto_target * s->curve.full);
    /* how bright a full pixel is nobody knows */
    double brightest = fmin(s->curve.full, ty_k_response(s->curve, d->full_well));
    double factor = level >= 0.97 * brightest ? 0.0 : has > 0.0 ? wants / has : d->auto_step;
    factor = fmin(fmax(factor, 1.0 / d->auto_step), d->auto_step);
    double exposure = fmin(fmax(d->exposure * factor, d->exposure_min), d->exposure_max);
    return ty_camera_sensor_set_exposure(s, exposure, diag);
}

static ty_status link_auto_exposure(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user;
    (void)in;
    (void)diag;
    need->scratch = LEVELS * sizeof(uint32_t);
    return TY_OK;
}

const ty_filter tyi_camera_stage_response = { .units = TY_BIT(TY_UNIT_ELECTRONS),
                                              .elements = TY_BIT(TY_ELEMENT_F32),
                                              .in_place = true,
                                              .link = link_response,
                                              .run = run_response };
const ty_filter tyi_camera_stage_amplifier = {
    .units = TY_BIT(TY_UNIT_DN), .elements = TY_BIT(TY_ELEMENT_F32), .in_place = true, .run = run_amplifier
};
const ty_filter tyi_camera_stage_quantise = {
    .units = TY_BIT(TY_UNIT_DN), .elements = TY_BIT(TY_ELEMENT_F32), .link = link_quantise, .run = run_quantise
};
const ty_filter tyi_camera_stage_auto_exposure = { .units = TY_BIT(TY_UNIT_DN),
                                                   .elements = TY_BIT(TY_ELEMENT_U8) | TY_BIT(TY_ELEMENT_U16),
                                                   .in_place = true,
                                                   .link = link_auto_exposure,
                                                   .run = run_auto_exposure };
