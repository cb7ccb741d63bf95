/* src/core/track.c - poses between keyframes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "tycho/math.h"

/* [s] from a keyframe to the moment; whole nanoseconds first, so that a late clock costs no digits */
static double since(const ty_keyframe *key, ty_time t, double after)
{
    return ty_seconds(t - key->t) + after;
}

ty_pose ty_track_at(const ty_track *track, ty_time t, double after)
{
    TY_ASSERT(track->count > 0);
    const ty_keyframe *key = track->key;
    size_t low = 0, high = track->count - 1;
    if (high == 0 || since(&key[0], t, after) <= 0.0) {
        return key[0].pose;
    }
    if (since(&key[high], t, after) >= 0.0) {
        return key[high].pose;
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (since(&key[middle], t, after) < 0.0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    const ty_pose *a = &key[low].pose, *b = &key[high].pose;
    double u = since(&key[low], t, after) / ty_seconds(key[high].t - key[low].t);
    return (ty_pose){ ty_add(a->p, ty_scale(u, ty_sub(b->p, a->p))), ty_quat_slerp(a->q, b->q, u) };
}
