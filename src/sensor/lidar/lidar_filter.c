/* src/sensor/lidar/lidar_filter.c - noise on returns, and returns into points.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_lidar.h"
#include "k_philox.h"
#include "lidar.h"
#include "inner.h"

typedef struct rows {
    const ty_lidar *lidar;
    const ty_filter_call *call;
} rows;

/* Channels side by side, as all buffers of returns and points that Tycho makes. */
static ty_status check_layout(const ty_filter_call *call, ty_diag *diag)
{
    return call->in->channel == sizeof(double)
               ? TY_OK
               : ty_fail(diag, TY_ERR_INPUT, "lidar: returns and points must have their channels side by side");
}

static ty_status each_row(ty_lidar *lidar, const ty_filter_call *call, tyi_job job, ty_diag *diag)
{
    rows r = { lidar, call };
    ty_status status = check_layout(call, diag);
    if (status == TY_OK) {
        tyi_tasks_for(call->threads, (size_t)call->in->type.height, job, &r);
    }
    return status;
}

/* ---- noise ---- */

static void noise_row(void *user, size_t y, int worker)
{
    (void)worker;
    const rows *r = user;
    const ty_lidar_def *d = &r->lidar->def;
    const ty_buffer *in = r->call->in, *out = r->call->out;
    uint64_t frame = r->call->frame;
    int width = in->type.width;
    for (int x = 0; x < width; x++) {
        ty_cloud_return p = *(const ty_cloud_return *)ty_buffer_at(in, x, (int)y, 0);
        if (d->noise && !isnan(p.range)) {
            ty_k_u32x4 w = ty_k_philox((uint32_t)(y * (size_t)width + (size_t)x), (uint32_t)frame,
                                       (uint32_t)(frame >> 32), d->id, (uint32_t)d->seed, TY_RNG_LIDAR_NOISE);
            double u0 = ty_k_uniform(w.v[0]), u1 = ty_k_uniform(w.v[1]), u2 = ty_k_uniform(w.v[2]),
                   u3 = ty_k_uniform(w.v[3]);
            p.range += d->range_sigma * ty_k_normal(u0, u1, 0);
            p.intensity *= fmax(1.0 + d->intensity_sigma * ty_k_normal(u0, u1, 1), 0.0);
            if (d->azimuth_sigma > 0.0 || d->elevation_sigma > 0.0) {
                p.azimuth += d->azimuth_sigma * ty_k_normal(u2, u3, 0);
                p.elevation += d->elevation_sigma * ty_k_normal(u2, u3, 1);
            }
        }
        p.range = ty_k_quantise(p.range, d->range_step);
        p.intensity *= d->intensity_white;
        if (d->intensity_most > 0.0) {
            p.intensity = fmin(ty_k_quantise(p.intensity, 1.0), d->intensity_most);
        }
        *(ty_cloud_return *)ty_buffer_at(out, x, (int)y, 0) = p;
    }
}

static ty_status run_noise(void *user, const ty_filter_call *call, ty_diag *diag)
{
    return each_row(user, call, noise_row, diag);
}

ty_filter tyi_lidar_noise(ty_lidar *lidar)
{
    return (ty_filter){ .name = "noise",
                        .units = TY_BIT(TY_UNIT_RETURN),
                        .elements = TY_BIT(TY_ELEMENT_F64),
                        .channels = TY_CLOUD_RETURN_CHANNELS,
                        .in_place = true,
                        .run = run_noise,
                        .user = lidar };
}

/* ---- points ---- */

static ty_status link_points(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    const ty_lidar *l = user;
    if (in->width != l->columns || in->height != l->lasers * l->returns) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "lidar: 'points' takes returns as the lidar makes them, %d x %d, but gets "
                       "%d x %d: their origins are told by their place",
                       l->columns, l->lasers * l->returns, in->width, in->height);
    }
    need->out.unit = TY_UNIT_POINT;
    need->out.channels = TY_CLOUD_POINT_CHANNELS;
    return TY_OK;
}

static void point_row(void *user, size_t y, int worker)
{
    (void)worker;
    const rows *r = user;
    const ty_lidar *l = r->lidar;
    int row = (int)y % l->lasers;
    for (int x = 0; x < r->call->in->type.width; x++) {
        const ty_cloud_return *p = ty_buffer_at(r->call->in, x, (int)y, 0);
        ty_cloud_point *q = ty_buffer_at(r->call->out, x, (int)y, 0);
        *q = (ty_cloud_point){ NAN, NAN, NAN, p->intensity, p->range, p->time, p->ring, p->number, p->label };
        if (isnan(p->range)) {
            continue;
        }
        const tyi_lidar_beam *b = tyi_lidar_beam_of(l, x, l->at_row[row]);
        ty_vec3 from = b->from;
        if (from.x != 0.0 || from.y != 0.0) {
            double angle = tyi_lidar_angle(l, x);
            from = tyi_lidar_turn_z(from, cos(angle), sin(angle));
        }
        ty_k_vec3 d = ty_k_lidar_direction(p->azimuth, p->elevation);
        q->x = from.x + p->range * d.x;
        q->y = from.y + p->range * d.y;
        q->z = from.z + p->range * d.z;
    }
}

static ty_status run_points(void *user, const ty_filter_call *call, ty_diag *diag)
{
    return each_row(user, call, point_row, diag);
}

ty_filter tyi_lidar_to_points(ty_lidar *lidar)
{
    return (ty_filter){ .name = "points",
                        .units = TY_BIT(TY_UNIT_RETURN),
                        .elements = TY_BIT(TY_ELEMENT_F64),
                        .channels = TY_CLOUD_RETURN_CHANNELS,
                        .link = link_points,
                        .run = run_points,
                        .user = lidar };
}
