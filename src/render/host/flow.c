/* src/render/host/flow.c - where what a pixel shows will be in another image.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "tycho/trace.h"

static const ty_truth_moved *find(const ty_truth_moved *moved, size_t moves, uint32_t instance)
{
    for (size_t i = 0; i < moves; i++) {
        if (moved[i].instance == instance) {
            return &moved[i];
        }
    }
    return NULL;
}

/* A direction has no place: its image is that of a point so far that no baseline matters (a light-year), seen from the
 * next eye */
#define FAR_AWAY 1e16

void ty_truth_flow(const ty_camera *camera, const ty_camera *next, const ty_truth_moved *moved, size_t moves,
                   const double *range, const uint32_t *instance, float *flow)
{
    size_t w = (size_t)camera->width, n = w * (size_t)camera->height;
    for (size_t i = 0; i < n; i++) {
        double u0 = (double)(i % w) + 0.5, v0 = (double)(i / w) + 0.5, u, v;
        ty_vec3 o, d, p;
        bool ok = ty_camera_ray(camera, u0, v0, &o, &d);
        if (isfinite(range[i])) {
            p = ty_add(o, ty_scale(range[i], d));
            const ty_truth_moved *m = instance[i] ? find(moved, moves, instance[i]) : NULL;
            if (m) {
                p = ty_pose_point(m->to, ty_pose_point(ty_pose_inverse(m->from), p));
            }
        } else {
            p = ty_add(next->pose.p, ty_scale(FAR_AWAY, d));
        }
        ok = ok && ty_camera_project(next, p, &u, &v);
        flow[2 * i] = ok ? (float)(u - u0) : NAN;
        flow[2 * i + 1] = ok ? (float)(v - v0) : NAN;
    }
}

ty_camera ty_truth_stereo_right(const ty_camera *left, double baseline)
{
    ty_camera right = *left;
    right.pose.p = ty_pose_point(left->pose, ty_vec3_make(baseline, 0, 0));
    if (left->moving) {
        right.pose_end.p = ty_pose_point(left->pose_end, ty_vec3_make(baseline, 0, 0));
    }
    return right;
}
