/* include/tycho/track.h - where a frame was over a stretch of time: poses at some moments, and in
 * between.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TRACK_H
#define TYCHO_TRACK_H
#include "tycho/math.h"
TY_BEGIN_DECLS

typedef struct ty_keyframe {
    ty_time t; /* [ns] of the simulation clock */
    ty_pose pose;
} ty_keyframe;

typedef struct ty_track {
    const ty_keyframe *key; /* times rising */
    size_t count;           /* at least 1 */
} ty_track;

/* The pose `after` [s] the moment t: straight and turning evenly between keyframes, standing before
 * the first and after the last. */
TY_API ty_pose ty_track_at(const ty_track *track, ty_time t, double after);

TY_END_DECLS
#endif
