/* tests/unit/core/test_track.c - poses between keyframes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/math.h"
#include "tyt.h"

TY_TEST(track, between_keyframes)
{
    ty_vec3 axis = ty_vec3_make(0, 0, 1);
    ty_keyframe key[3] = { { 10 * TY_SECOND, { { 0, 0, 0 }, ty_quat_axis(axis, 0.0) } },
                           { 11 * TY_SECOND, { { 2, 0, 0 }, ty_quat_axis(axis, 1.0) } },
                           { 13 * TY_SECOND, { { 2, 4, 0 }, ty_quat_axis(axis, -1.0) } } };
    ty_track t = { key, 3 };
    static const double want[][4] = { { -1.0, 0, 0, 0 },  { 0.25, 0.5, 0, 0.25 },  { 1.0, 2, 0, 1.0 },
                                      { 1.5, 2, 1, 0.5 }, { 2.75, 2, 3.5, -0.75 }, { 9.0, 2, 4, -1.0 } };
    for (size_t k = 0; k < 6; k++) {
        ty_pose p = ty_track_at(&t, 10 * TY_SECOND, want[k][0]);
        ty_vec3 x = ty_rotate(p.q, ty_vec3_make(1, 0, 0));
        TY_NEAR(p.p.x, want[k][1], 1e-12);
        TY_NEAR(p.p.y, want[k][2], 1e-12);
        TY_NEAR(atan2(x.y, x.x), want[k][3], 1e-12);
    }
    TY_FAR(ty_track_at(&t, 10 * TY_SECOND, 0.3).p.x, 0.5, 1e-3); /* control */
    TY_ROW("poses between keyframes within 1e-12", "closed form", "worst %.0e", tyt_worst("p.p.x"));
}
