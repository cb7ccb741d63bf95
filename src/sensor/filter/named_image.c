/* src/sensor/filter/named_image.c - filters that change numbers: gray, brightness, contrast, negative, vignette, noise, lag.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_lens.h"
#include "k_philox.h"
#include "named.h"

/* ---- gray: the light of all channels as one; red, green and blue by the weights of ITU-R BT.601 [bt601] ---- */

ty_status tyi_filter_link_gray(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user, (void)in, (void)diag;
    need->out.channels = 1;
    return TY_OK;
}

static void gray_row(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    (void)n;
    static const double rgb[3] = { 0.299, 0.587, 0.114 };
    int channels = call->in->type.channels;
    for (int x = 0; x < call->out->type.width; x++) {
        double sum = 0.0;
        for (int c = 0; c < channels; c++) {
            sum += (channels == 3 ? rgb[c] : 1.0 / channels) * ty_buffer_get(call->in, x, y, c);
        }
        ty_buffer_set(call->out, x, y, 0, sum);
    }
}

ty_status tyi_filter_run_gray(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_filter_named_run(user, call, gray_row);
    return TY_OK;
}

/* ---- one number at a time: out = scale * in + shift ---- */

typedef struct line {
    double scale, shift;
} line;

static void line_row(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    const ty_buffer_type *t = &call->out->type;
    for (int x = 0; x < t->width; x++) {
        for (int c = 0; c < t->channels; c++) {
            ty_buffer_set(call->out, x, y, c, n->p[0] * ty_buffer_get(call->in, x, y, c) + n->p[1]);
        }
    }
}

static ty_status run_line(const ty_filter_call *call, line l)
{
    const tyi_filter_named n = { .p = { l.scale, l.shift } };
    tyi_filter_named_run(&n, call, line_row);
    return TY_OK;
}

ty_status tyi_filter_run_brightness(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const tyi_filter_named *n = user;
    return run_line(call, (line){ n->p[0], n->p[1] });
}

/* away from, or towards, a middle grey, given as a share of full scale */
ty_status tyi_filter_run_contrast(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const tyi_filter_named *n = user;
    double middle = n->p[1] * tyi_filter_full_scale(&call->in->type);
    return run_line(call, (line){ n->p[0], middle - n->p[0] * middle });
}

ty_status tyi_filter_run_negative(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const tyi_filter_named *n = user;
    return run_line(call, (line){ -1.0, n->p[0] * tyi_filter_full_scale(&call->in->type) });
}

/* ---- vignette: darker towards the corners; the physical camera's lens has its own by cos^4 ---- */

static void vignette_row(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    const ty_buffer_type *t = &call->out->type;
    double w = 0.5 * t->width, h = 0.5 * t->height, v = y + 0.5 - h;
    for (int x = 0; x < t->width; x++) {
        double u = x + 0.5 - w, left = ty_k_vignette(n->p[0], (u * u + v * v) / (w * w + h * h));
        for (int c = 0; c < t->channels; c++) {
            ty_buffer_set(call->out, x, y, c, left * ty_buffer_get(call->in, x, y, c));
        }
    }
}

ty_status tyi_filter_run_vignette(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_filter_named_run(user, call, vignette_row);
    return TY_OK;
}

/* ---- noise: normal, by (seed, purpose) and (element, frame, sensor) ---- */

static void noise_row(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    const ty_buffer_type *t = &call->out->type;
    for (int x = 0; x < t->width; x++) {
        for (int c = 0; c < t->channels; c++) {
            uint32_t i = ((uint32_t)y * (uint32_t)t->width + (uint32_t)x) * (uint32_t)t->channels + (uint32_t)c;
            ty_k_u32x4 r = ty_k_philox(i, (uint32_t)call->frame, (uint32_t)(call->frame >> 32), n->number,
                                       (uint32_t)n->p[1], TY_RNG_FILTER);
            double z = ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
            ty_buffer_set(call->out, x, y, c, ty_buffer_get(call->in, x, y, c) + n->p[0] * z);
        }
    }
}

ty_status tyi_filter_run_noise(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_filter_named_run(user, call, noise_row);
    return TY_OK;
}

/* ---- lag: the data stay as they are; the schedule reads ty_filter.lag ---- */

ty_status tyi_filter_run_lag(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)user, (void)diag;
    ty_buffer_copy(call->out, call->in);
    return TY_OK;
}
