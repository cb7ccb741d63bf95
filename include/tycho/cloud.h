/* include/tycho/cloud.h - clouds of points: what their buffers hold, and filters for them.
 *
 * A cloud is a buffer of TY_UNIT_POINT, an image of points as the sensor's beams lie; a beam
 * without a return has NaN coordinates. Elements are f64, so that a cloud may lie far from a
 * frame's origin. SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_CLOUD_H
#define TYCHO_CLOUD_H
#include "tycho/filter.h"
#include "tycho/track.h"
TY_BEGIN_DECLS

/* The channels of a buffer of lidar returns, in order. */
typedef struct ty_return {
    double range;              /* [m]; NaN: none */
    double azimuth, elevation; /* [rad] S, as measured */
    double intensity;          /* [-] apparent reflectivity: 1 is white, facing the beam */
    double time;               /* [s] after the buffer's time.start */
    double ring;               /* 0 is the lowest laser */
    double number;             /* 0 the first of the beam's returns, 1 the second */
    double label;              /* instance, as in ty_buffers */
} ty_return;
#define TY_RETURN_CHANNELS 8

/* The channels of a buffer of points, in order. */
typedef struct ty_point {
    double x, y, z;   /* [m] in the buffer's frame; NaN: none */
    double intensity; /* as in ty_return */
    double range;     /* [m] */
    double time;      /* [s] */
    double ring, number, label;
} ty_point;
#define TY_POINT_CHANNELS 9

/* Into another frame. With a track (child: the cloud's frame) every point goes by the pose at its
 * own time, which takes the motion during the scan out; without one (count 0) all go by `pose`.
 * With both, pose comes after the track. Kept by reference. */
typedef struct ty_cloud_frame_def {
    ty_track track;
    ty_pose pose;
    char to; /* letter of the new frame */
} ty_cloud_frame_def;
TY_API ty_filter ty_cloud_frame(ty_cloud_frame_def *def);

/* Points of other ranges become NaN. Kept by reference. */
typedef struct ty_cloud_crop_def {
    double near, far; /* [m] */
} ty_cloud_crop_def;
TY_API ty_filter ty_cloud_crop(ty_cloud_crop_def *def);

/* Every column-th column and row-th row stays, beginning with the first. Kept by reference. */
typedef struct ty_cloud_decimate_def {
    int column, row; /* 1 and more */
} ty_cloud_decimate_def;
TY_API ty_filter ty_cloud_decimate(ty_cloud_decimate_def *def);

/* A pinhole camera's depth image [m along its axis] into points of its frame S (x right, y down, z
 * forward); what is not finite becomes NaN, rings are rows from the bottom. Kept by reference. */
typedef struct ty_cloud_depth_def {
    double hfov; /* [rad] across the image's width, above 0, below pi */
} ty_cloud_depth_def;
TY_API ty_filter ty_cloud_from_depth(ty_cloud_depth_def *def);

TY_API size_t ty_cloud_count(const ty_buffer *points); /* points that are there */

TY_END_DECLS
#endif
