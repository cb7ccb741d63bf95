/* src/sensor/camera/camera_veil.c - glare and flare: stray light from the whole image, on a coarse grid.
 *
 * Both are wide and smooth, so they are made from the means over cells of the image and brought
 * back by interpolation between the cells' centres.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera.h"
#include "k_lens.h"

/* Sizes of the ghosts against the image, upside down where negative: reflections between lens
 * faces. Plausible, of no certain lens. */
static const double ghosts[] = { -0.45, -0.8, 0.3 };
#define GHOSTS (sizeof ghosts / sizeof ghosts[0])

typedef struct veil {
    const ty_camera_sensor *sensor;
    const ty_filter_call *call;
    float *mean, *stray; /* coarse grids, channel after channel */
} veil;

static size_t cells(const ty_camera_sensor *s)
{
    return (size_t)s->coarse_w * (size_t)s->coarse_h;
}

/* row j of the coarse means; cells at the edge count only the pixels they have, but divide by a
 * whole cell: what is outside the image gives no light */
static void mean_row(void *user, size_t j, int worker)
{
    (void)worker;
    const veil *v = user;
    const ty_camera_sensor *s = v->sensor;
    const ty_buffer *in = v->call->in;
    for (int c = 0; c < in->type.channels; c++) {
        for (int i = 0; i < s->coarse_w; i++) {
            double sum = 0.0;
            for (int y = (int)j * s->cell; y < ((int)j + 1) * s->cell && y < in->type.height; y++) {
                for (int x = i * s->cell; x < (i + 1) * s->cell && x < in->type.width; x++) {
                    sum += (double)tyi_camera_f32(in, x, y, c);
                }
            }
            v->mean[(size_t)c * cells(s) + j * (size_t)s->coarse_w + (size_t)i] =
                (float)(sum / ((double)s->cell * s->cell));
        }
    }
}

static void glare_row(void *user, size_t j, int worker)
{
    (void)worker;
    const veil *v = user;
    const ty_camera_sensor *s = v->sensor;
    int w = s->coarse_w, h = s->coarse_h, stride = 2 * w - 1;
    for (int c = 0; c < v->call->in->type.channels; c++) {
        const float *mean = v->mean + (size_t)c * cells(s);
        for (int i = 0; i < w; i++) {
            float sum = 0.0f;
            for (int l = 0; l < h; l++) {
                const float *weight = s->veil + ((int)j - l + h - 1) * stride + i + w - 1;
                const float *row = mean + l * w;
                for (int k = 0; k < w; k++) {
                    sum += weight[-k] * row[k];
                }
            }
            v->stray[(size_t)c * cells(s) + j * (size_t)w + (size_t)i] = sum;
        }
    }
}

/* value of a coarse grid at a place of the image [px]; beyond the outer centres it stays as there */
static double between(const ty_camera_sensor *s, const float *grid, double x, double y)
{
    double u = fmin(fmax(x / s->cell - 0.5, 0.0), s->coarse_w - 1);
    double t = fmin(fmax(y / s->cell - 0.5, 0.0), s->coarse_h - 1);
    int i = (int)u, j = (int)t;
    int i1 = i + 1 < s->coarse_w ? i + 1 : i, j1 = j + 1 < s->coarse_h ? j + 1 : j;
    const float *a = grid + j * s->coarse_w, *b = grid + j1 * s->coarse_w;
    u -= i;
    t -= j;
    return (1.0 - t) * ((1.0 - u) * (double)a[i] + u * (double)a[i1]) +
           t * ((1.0 - u) * (double)b[i] + u * (double)b[i1]);
}

static double ghost_light(const ty_camera_sensor *s, const float *mean, double x, double y)
{
    double sum = 0.0, cx = 0.5 * s->def.width, cy = 0.5 * s->def.height;
    for (size_t g = 0; g < GHOSTS; g++) {
        double dx = (x - cx) / ghosts[g], dy = (y - cy) / ghosts[g], half = fmin(cx, cy);
        double strength = ty_k_ghost((dx * dx + dy * dy) / (half * half));
        if (strength > 0.0) { /* the same light, on less area */
            sum += strength * between(s, mean, cx + dx, cy + dy) / (ghosts[g] * ghosts[g]);
        }
    }
    return sum;
}

static void add_glare(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const float *stray = (const float *)call->scratch + (size_t)call->in->type.channels * cells(s);
    double share = s->def.glare;
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            double veil_here = between(s, stray + (size_t)c * cells(s), x + 0.5, y + 0.5);
            tyi_camera_f32_set(call->out, x, y, c,
                               (1.0 - share) * (double)tyi_camera_f32(call->in, x, y, c) + share * veil_here);
        }
    }
}

static void add_flare(const ty_camera_sensor *s, const ty_filter_call *call, int y)
{
    const float *mean = call->scratch;
    double share = s->def.flare;
    for (int x = 0; x < s->def.width; x++) {
        for (int c = 0; c < call->in->type.channels; c++) {
            double light = ghost_light(s, mean + (size_t)c * cells(s), x + 0.5, y + 0.5);
            tyi_camera_f32_set(call->out, x, y, c,
                               (1.0 - (double)GHOSTS * share) * (double)tyi_camera_f32(call->in, x, y, c) +
                                   share * light);
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
