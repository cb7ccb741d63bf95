/* src/sensor/filter/cloud.c - filters of point clouds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "tycho/filter.h"

#define TAKES .units = TY_BIT(TY_UNIT_POINT), .elements = TY_BIT(TY_ELEMENT_F64), .channels = TY_CLOUD_POINT_CHANNELS

static const ty_cloud_point *point_in(const ty_filter_call *call, int x, int y)
{
    return ty_buffer_at(call->in, x, y, 0);
}
static ty_cloud_point *point_out(const ty_filter_call *call, int x, int y)
{
    return ty_buffer_at(call->out, x, y, 0);
}

/* ---- frame ---- */

typedef struct frame_job {
    const ty_cloud_frame_def *def;
    const ty_filter_call *call;
} frame_job;

static void frame_row(void *user, size_t y, int worker)
{
    (void)worker;
    const frame_job *j = user;
    const ty_track *track = &j->def->track;
    for (int x = 0; x < j->call->in->type.width; x++) {
        ty_cloud_point p = *point_in(j->call, x, (int)y);
        ty_vec3 at = ty_vec3_make(p.x, p.y, p.z);
        if (track->count && !isnan(p.x)) {
            at = ty_pose_point(ty_track_at(track, j->call->in->time.start, p.time), at);
        }
        at = ty_pose_point(j->def->pose, at);
        p.x = at.x, p.y = at.y, p.z = at.z;
        *point_out(j->call, x, (int)y) = p;
    }
}

static ty_status link_frame(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)in, (void)diag;
    need->out.frame = ((const ty_cloud_frame_def *)user)->to;
    return TY_OK;
}

static ty_status run_frame(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    frame_job job = { user, call };
    tyi_tasks_for(call->threads, (size_t)call->in->type.height, frame_row, &job);
    return TY_OK;
}

ty_filter ty_cloud_frame(ty_cloud_frame_def *def)
{
    return (ty_filter){ .name = "frame", TAKES, .in_place = true, .link = link_frame, .run = run_frame, .user = def };
}

/* ---- crop ---- */

static ty_status run_crop(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const ty_cloud_crop_def *def = user;
    for (int y = 0; y < call->in->type.height; y++) {
        for (int x = 0; x < call->in->type.width; x++) {
            ty_cloud_point p = *point_in(call, x, y);
            if (!(p.range >= def->near && p.range <= def->far)) {
                p.x = p.y = p.z = p.range = (double)NAN;
            }
            *point_out(call, x, y) = p;
        }
    }
    return TY_OK;
}

ty_filter ty_cloud_crop(ty_cloud_crop_def *def)
{
    return (ty_filter){ .name = "crop", TAKES, .in_place = true, .run = run_crop, .user = def };
}

/* ---- decimate ---- */

static ty_status link_decimate(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    const ty_cloud_decimate_def *def = user;
    if (def->column < 1 || def->row < 1) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "pipeline: 'decimate' keeps every %d-th column and %d-th row, but takes 1 "
                       "and more",
                       def->column, def->row);
    }
    need->out.width = (in->width + def->column - 1) / def->column;
    need->out.height = (in->height + def->row - 1) / def->row;
    return TY_OK;
}

static ty_status run_decimate(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const ty_cloud_decimate_def *def = user;
    for (int y = 0; y < call->out->type.height; y++) {
        for (int x = 0; x < call->out->type.width; x++) {
            *point_out(call, x, y) = *point_in(call, x * def->column, y * def->row);
        }
    }
    return TY_OK;
}

ty_filter ty_cloud_decimate(ty_cloud_decimate_def *def)
{
    return (ty_filter){ .name = "decimate", TAKES, .link = link_decimate, .run = run_decimate, .user = def };
}

/* ---- depth images ---- */

static ty_status link_depth(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    double hfov = ((const ty_cloud_depth_def *)user)->hfov;
    (void)in;
    if (!(hfov > 0.0 && hfov < TY_PI)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "pipeline: 'depth points' has a field of view of %g rad, but takes above 0 to below pi", hfov);
    }
    need->out.unit = TY_UNIT_POINT;
    need->out.element = TY_ELEMENT_F64;
    need->out.channels = TY_CLOUD_POINT_CHANNELS;
    return TY_OK;
}

static ty_status run_depth(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    int w = call->in->type.width, h = call->in->type.height;
    double per = 2.0 * tan(0.5 * ((const ty_cloud_depth_def *)user)->hfov) / w; /* [-] slope per pixel */
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            double z = ty_buffer_get(call->in, x, y, 0), a = per * (x + 0.5 - 0.5 * w), b = per * (y + 0.5 - 0.5 * h);
            z = isfinite(z) ? z : (double)NAN;
            *point_out(call, x, y) = (ty_cloud_point){
                .x = a * z, .y = b * z, .z = z, .range = z * sqrt(1.0 + a * a + b * b), .ring = h - 1 - y
            };
        }
    }
    return TY_OK;
}

ty_filter ty_cloud_from_depth(ty_cloud_depth_def *def)
{
    return (ty_filter){ .name = "depth points",
                        .units = TY_BIT(TY_UNIT_METRE),
                        .elements = TY_BIT(TY_ELEMENT_F32) | TY_BIT(TY_ELEMENT_F64),
                        .channels = 1,
                        .link = link_depth,
                        .run = run_depth,
                        .user = def };
}
