/* src/sensor/kind_lidar.c - lidars of a run: beams over a scan along the sensor's track.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "kind_instrument.h"
#include "lidar/lidar.h"
#include "tycho/tools/lidar_scan.h"
#include "sensor/lidar/inner.h"
#include "inner.h"

#define KEYS 11 /* over a scan: 10 ms apart at 10 scans per second */

TYI_SENSOR_INSTRUMENT(lidar, TY_SENSOR_LIDAR, 0.1, 0.0)

typedef struct lidar {
    ty_lidar *lidar;
    ty_lidar_file file;
    ty_keyframe key[TY_SENSOR_KEYFRAMES];
    ty_cloud_frame_def frame;
} lidar;

static const ty_message_schema schema = { "lidar", NULL };

/* what its returns look like: those of a scan that meets nothing */
static ty_status returns_type(ty_lidar *l, ty_buffer_type *out, ty_diag *diag)
{
    const ty_keyframe still = { 0, { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
    const ty_track track = { &still, 1 };
    ty_lidar_rays rays;
    const ty_buffer *returns;
    ty_status status = ty_lidar_aim(l, &track, 0, &rays, diag);
    for (size_t i = 0; i < rays.count && status == TY_OK; i++) {
        rays.hit[i] = (ty_trace_hit){ .range = (double)INFINITY };
    }
    if (status == TY_OK) {
        status = ty_lidar_echo(l, 0, &returns, diag);
    }
    if (status == TY_OK) {
        *out = returns->type;
    }
    return status;
}

static ty_status add_filters(lidar *l, ty_sensor_make *make, ty_diag *diag)
{
    ty_filter noise = tyi_lidar_noise(l->lidar), points = tyi_lidar_to_points(l->lidar),
              frame = ty_cloud_frame(&l->frame);
    ty_status status = ty_pipeline_insert(make->pipeline, -1, &noise, diag);
    if (status == TY_OK) {
        status = ty_pipeline_insert(make->pipeline, -1, &points, diag);
    }
    l->frame = (ty_cloud_frame_def){ .track = { l->key, 1 }, .pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } }, .to = 'W' };
    if (status == TY_OK && make->def->as.instrument.frame == TY_LIDAR_SITE) {
        status = ty_pipeline_insert(make->pipeline, -1, &frame, diag);
    }
    return status;
}

static ty_status create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    ty_status status = tyi_sensor_instrument_state(sizeof(lidar), state, diag);
    lidar *l = *state;
    if (status == TY_OK) {
        l->file.def = ty_lidar_def_default();
        TYI_SENSOR_INSTRUMENT_LOAD(status, make, ty_lidar_load, &l->file, diag);
    }
    if (status == TY_OK) {
        l->file.def.seed = make->seed, l->file.def.id = make->number, l->file.def.threads = make->threads;
        status = ty_lidar_create(&l->file.def, &l->lidar, diag);
    }
    if (status == TY_OK) {
        make->room = l->lidar->room;
        make->window = ty_lidar_window(l->lidar);
        status = make->window <= make->def->period * (1.0 + 1e-9)
                     ? returns_type(l->lidar, &make->part[0].data.type, diag)
                     : ty_fail(diag, TY_ERR_RANGE, "its scan takes %.6g s, but its period is %.6g s", make->window,
                               make->def->period);
        make->window = fmin(make->window, make->def->period);
    }
    make->schema = &schema;
    make->parts = 1;
    make->part[0].name = "points";
    return status == TY_OK ? add_filters(l, make, diag) : status;
}

#define HALF_WIDTH 1e-9 /* [m] of the band around a laser's wavelength */

static ty_status collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    lidar *l = state;
    for (int i = 0; i < shot->keys; i++) {
        l->key[i] = (ty_keyframe){ shot->key[i].time, shot->key[i].pose };
    }
    l->frame.track.count = (size_t)shot->keys;
    ty_lidar_rays rays;
    const ty_buffer *returns = NULL;
    ty_status status = ty_lidar_aim(l->lidar, &l->frame.track, shot->time.start, &rays, diag);
    if (status == TY_OK) {
        /* ground as bright as it is at the laser's wavelength */
        ty_band laser = { l->file.def.wavelength - HALF_WIDTH, l->file.def.wavelength + HALF_WIDTH };
        status = ty_scene_set_bands(shot->scene, &laser, 1, diag);
    }
    if (status == TY_OK) {
        status = tyi_sensor_lidar_trace(l->lidar, shot->scene, &rays, 0, shot->threads, diag);
        ty_scene_set_bands(shot->scene, NULL, 0, NULL);
    }
    if (status == TY_OK) {
        status = ty_lidar_echo(l->lidar, shot->frame, &returns, diag);
    }
    if (status == TY_OK) {
        memcpy(part[0].data.data, returns->data, ty_buffer_type_bytes(&returns->type));
    }
    return status;
}

static void destroy(void *state)
{
    lidar *l = state;
    ty_lidar_destroy(l->lidar);
    ty_lidar_file_free(&l->file);
    tyi_put(NULL, l, sizeof *l);
}

const ty_sensor_kind tyi_sensor_lidar = {
    .name = "lidar", .scene = true, .keys = KEYS, .create = create, .collect = collect, .destroy = destroy
};
