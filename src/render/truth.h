/* src/render/truth.h - what ground truth of several frames needs to know of a scene; for src/sensor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_TRUTH_H
#define TYI_RENDER_TRUTH_H
#include "tycho/trace.h"

#define TYI_RENDER_POSES 1024 /* objects of a scene at most */

/* Where each object of a scene stands when the window opens, as its instance numbers them from 1; returns how many. */
size_t tyi_render_poses(const ty_scene *scene, ty_pose pose[TYI_RENDER_POSES]);

#endif
