/* src/sensor/camera/camera_lens.c - defocus, vignetting and dust: stages on radiance, pixel by pixel.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera.h"
#include "k_lens.h"

#define HALF_MOST 512 /* of the widest blur that a definition may allow, [px] */

/* Weights along one axis for pixels from `low` to `high` around 0; returns their sum. The weights
 * of a Gaussian in two dimensions are products of these. */
static double axis_weights(double sigma, int low, int high, double *weight)
{
    double sum = 0.0, middle = ty_k_defocus_weight(sigma, 0.0, 0.0);
    for (int k = low; k <= high; k++) {
        weight[k - low] = ty_k_defocus_weight(sigma, k, 0.0) / middle;
        sum += weight[k - low];
    }
    return sum;
}

static double blur_diameter(const ty_camera_sensor_def *d, const ty_buffer *depth, int x, int y)
{
    double z = ty_k_defocus_distance(ty_buffer_get(depth, x, y, 0));
    double diameter = ty_k_defocus_diameter(d->g_defocus, d->focal, z, d->focus, d->f_number, d->pixel);
    return fmin(diameter, d->defocus_most);
}

/* [lunar] (3b): a Gaussian of sigma = D/6 cut at D/2 (the next whole pixel), over the pixels of the
 * image, adding up to 1 */
static void defocus_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const ty_buffer *in = call->in;
    int width = in->type.width, height = in->type.height;
    double wx[2 * HALF_MOST + 1], wy[2 * HALF_MOST + 1];
    for (int x = 0; x < width; x++) {
        double diameter = blur_diameter(&s->def, call->depth, x, y);
        int half = diameter < 1.0 ? 0 : (int)ceil(0.5 * diameter);
        int x0 = x - half < 0 ? -x : -half, x1 = x + half >= width ? width - 1 - x : half;
        int y0 = y - half < 0 ? -y : -half, y1 = y + half >= height ? height - 1 - y : half;
        double norm = half ? axis_weights(diameter / 6.0, x0, x1, wx) * axis_weights(diameter / 6.0, y0, y1, wy) : 1.0;
        for (int c = 0; c < in->type.channels; c++) {
            double sum = half ? 0.0 : (double)tyi_camera_f32(in, x, y, c);
            for (int l = y0; half && l <= y1; l++) {
                double line = 0.0;
                for (int k = x0; k <= x1; k++) {
                    line += wx[k - x0] * (double)tyi_camera_f32(in, x + k, y + l, c);
                }
                sum += wy[l - y0] * line;
            }
            tyi_camera_f32_set(call->out, x, y, c, sum / norm);
        }
    }
}

static ty_status run_defocus(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_camera_rows(user, call, defocus_row);
    return TY_OK;
}

static void vignetting_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const ty_camera_sensor_def *d = &s->def;
    double f = d->focal / d->pixel; /* [px] */
    for (int x = 0; x < d->width; x++) {
        double c4 = ty_k_vignetting(d->g_vignet, ty_k_axis_cos(x + 0.5 - 0.5 * d->width, y + 0.5 - 0.5 * d->height, f));
        for (int c = 0; c < call->in->type.channels; c++) {
            tyi_camera_f32_set(call->out, x, y, c, c4 * (double)tyi_camera_f32(call->in, x, y, c));
        }
    }
}

static ty_status run_vignetting(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_camera_rows(user, call, vignetting_row);
    return TY_OK;
}

static void dust_row(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const float *passed = s->passed + (size_t)y * (size_t)s->def.width;
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            *(float *)ty_buffer_at(call->out, x, y, c) = passed[x] * tyi_camera_f32(call->in, x, y, c);
        }
    }
}

static ty_status run_dust(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    tyi_camera_rows(user, call, dust_row);
    return TY_OK;
}

#define RADIANCE .units = TY_BIT(TY_UNIT_RADIANCE), .elements = TY_BIT(TY_ELEMENT_F32)

const ty_filter tyi_camera_stage_defocus = { RADIANCE, .depth = true, .link = tyi_camera_link_size,
                                             .run = run_defocus };
const ty_filter tyi_camera_stage_vignetting = { RADIANCE, .in_place = true, .link = tyi_camera_link_size,
                                                .run = run_vignetting };
const ty_filter tyi_camera_stage_dust = { RADIANCE, .in_place = true, .link = tyi_camera_link_size, .run = run_dust };
