/* src/sensor/camera/camera_color.c - the Bayer pattern, colours from it, and white balance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera.h"
#include "k_mosaic.h"

#define REACH 2 /* [px] of the weights to each side */

static void mosaic_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < call->in->type.width; x++) {
        int color = ty_k_bayer(x + s->def.shift_x, y + s->def.shift_y);
        *(float *)ty_buffer_at(call->out, x, y, 0) = tyi_camera_f32(call->in, x, y, color);
    }
}

static ty_status link_mosaic(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user;
    (void)in;
    (void)diag;
    need->out.channels = 1;
    return TY_OK;
}

static double interpolate(const ty_camera_sensor *s, const ty_buffer *in, int x, int y, int color)
{
    int kind = ty_k_demosaic_case(x + s->def.shift_x, y + s->def.shift_y, color);
    if (kind == 0) {
        return ty_buffer_get(in, x, y, 0);
    }
    double sum = 0.0;
    for (int dy = -REACH; dy <= REACH; dy++) {
        for (int dx = -REACH; dx <= REACH; dx++) {
            double weight = ty_k_demosaic_weight((int)s->def.demosaic, kind, dx, dy);
            if (weight != 0.0) {
                sum += weight *
                       ty_buffer_get(in, ty_k_mirror(x + dx, in->type.width), ty_k_mirror(y + dy, in->type.height), 0);
            }
        }
    }
    return fmin(fmax(sum, 0.0), s->curve.full);
}

static void demosaic_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    for (int x = 0; x < call->in->type.width; x++) {
        for (int c = 0; c < 3; c++) {
            ty_buffer_set(call->out, x, y, c, interpolate(s, call->in, x, y, c));
        }
    }
}

static ty_status link_demosaic(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user;
    if (in->width <= REACH || in->height <= REACH) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: 'demosaic' takes images of 3 x 3 pixels or more, not %d x %d",
                       in->width, in->height);
    }
    need->out.channels = 3;
    return TY_OK;
}

static void white_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const ty_camera_sensor_def *d = &s->def;
    for (int x = 0; x < call->in->type.width; x++) {
        for (int c = 0; c < 3; c++) {
            double value = d->b + d->white[c] * (ty_buffer_get(call->in, x, y, c) - d->b);
            ty_buffer_set(call->out, x, y, c, fmin(value, s->curve.full));
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
STAGE(mosaic)
STAGE(demosaic)
STAGE(white)

#define NUMBERS \
    .units = TY_BIT(TY_UNIT_DN), .elements = TY_BIT(TY_ELEMENT_U8) | TY_BIT(TY_ELEMENT_U16) | TY_BIT(TY_ELEMENT_F32)

const ty_filter tyi_camera_stage_mosaic = { .units = TY_BIT(TY_UNIT_ELECTRONS),
                                            .elements = TY_BIT(TY_ELEMENT_F32),
                                            .channels = 3,
                                            .link = link_mosaic,
                                            .run = run_mosaic };
const ty_filter tyi_camera_stage_demosaic = { NUMBERS, .channels = 1, .link = link_demosaic, .run = run_demosaic };
const ty_filter tyi_camera_stage_white_balance = { NUMBERS, .channels = 3, .in_place = true, .run = run_white };
