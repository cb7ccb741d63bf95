/* src/sensor/filter/named_shape.c - filters that move light between pixels: blur, resize, crop.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "named.h"

/* ---- blur: a Gaussian, rows then columns; at the edge over the pixels there are ---- */

static int reach(const tyi_filter_named *n)
{
    return (int)ceil(3.0 * n->p[0]);
}

ty_status tyi_filter_link_blur(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user, (void)diag;
    need->scratch = (size_t)in->width * (size_t)in->height * (size_t)in->channels * sizeof(double);
    return TY_OK;
}

static double *middle(const ty_filter_call *call, int x, int y, int c)
{
    const ty_buffer_type *t = &call->in->type;
    return (double *)call->scratch + ((size_t)y * (size_t)t->width + (size_t)x) * (size_t)t->channels + (size_t)c;
}

static void blur_across(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    const ty_buffer_type *t = &call->in->type;
    int r = reach(n);
    for (int x = 0; x < t->width; x++) {
        for (int c = 0; c < t->channels; c++) {
            double sum = 0.0, weights = 0.0;
            for (int k = x - r < 0 ? -x : -r; k <= r && x + k < t->width; k++) {
                double w = exp(-0.5 * k * k / (n->p[0] * n->p[0]));
                sum += w * ty_buffer_get(call->in, x + k, y, c);
                weights += w;
            }
            *middle(call, x, y, c) = sum / weights;
        }
    }
}

static void blur_down(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    const ty_buffer_type *t = &call->in->type;
    int r = reach(n);
    for (int x = 0; x < t->width; x++) {
        for (int c = 0; c < t->channels; c++) {
            double sum = 0.0, weights = 0.0;
            for (int k = y - r < 0 ? -y : -r; k <= r && y + k < t->height; k++) {
                double w = exp(-0.5 * k * k / (n->p[0] * n->p[0]));
                sum += w * *middle(call, x, y + k, c);
                weights += w;
            }
            ty_buffer_set(call->out, x, y, c, sum / weights);
        }
    }
}

ty_status tyi_filter_run_blur(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_filter_named_run(user, call, blur_across);
    tyi_filter_named_run(user, call, blur_down);
    return TY_OK;
}

/* ---- resize: each new pixel is the mean over the area that it covers, so that light is kept ---- */

ty_status tyi_filter_link_resize(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)in, (void)diag;
    const tyi_filter_named *n = user;
    need->out.width = (int)n->p[0];
    need->out.height = (int)n->p[1];
    return TY_OK;
}

static void resize_row(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    (void)n;
    const ty_buffer_type *from = &call->in->type, *to = &call->out->type;
    double sx = (double)from->width / to->width, sy = (double)from->height / to->height;
    for (int x = 0; x < to->width; x++) {
        double x0 = x * sx, x1 = x0 + sx, y0 = y * sy, y1 = y0 + sy;
        for (int c = 0; c < to->channels; c++) {
            double sum = 0.0, area = 0.0;
            for (int j = (int)y0; j < y1 && j < from->height; j++) {
                double high = fmin(y1, j + 1.0) - fmax(y0, j);
                for (int i = (int)x0; i < x1 && i < from->width; i++) {
                    double part = high * (fmin(x1, i + 1.0) - fmax(x0, i));
                    sum += part * ty_buffer_get(call->in, i, j, c);
                    area += part;
                }
            }
            ty_buffer_set(call->out, x, y, c, sum / area);
        }
    }
}

ty_status tyi_filter_run_resize(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_filter_named_run(user, call, resize_row);
    return TY_OK;
}

/* ---- crop ---- */

ty_status tyi_filter_link_crop(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    const tyi_filter_named *n = user;
    int x = (int)n->p[0], y = (int)n->p[1], w = (int)n->p[2], h = (int)n->p[3];
    if (x + w > in->width || y + h > in->height) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "filter crop: columns %d to %d and rows %d to %d, but the image has %d x %d pixels", x,
                       x + w - 1, y, y + h - 1, in->width, in->height);
    }
    need->out.width = w;
    need->out.height = h;
    return TY_OK;
}

static void crop_row(const tyi_filter_named *n, const ty_filter_call *call, int y)
{
    const ty_buffer_type *t = &call->out->type;
    for (int x = 0; x < t->width; x++) {
        for (int c = 0; c < t->channels; c++) {
            ty_buffer_set(call->out, x, y, c, ty_buffer_get(call->in, x + (int)n->p[0], y + (int)n->p[1], c));
        }
    }
}

ty_status tyi_filter_run_crop(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_filter_named_run(user, call, crop_row);
    return TY_OK;
}
