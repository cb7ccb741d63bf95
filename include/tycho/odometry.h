/* include/tycho/odometry.h - where a rover believes it is, from its wheels: dead reckoning.
 * Model, limits: docs/sensors.md
 *
 * In each step every wheel says two things about the body's motion in its own plane: along the
 * wheel it went r times the turn of its joint, across the wheel it did not move. The motion that
 * fits all of them best, in the sense of least squares, is added to the pose. It knows nothing of
 * slip or sinkage: that is the point.
 *
 * A plain struct; a copy of `state` is all there is to save. Nothing allocates.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_ODOMETRY_H
#define TYCHO_ODOMETRY_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

#define TY_ODOMETRY_WHEELS 16

typedef struct ty_odometry_def {
    int wheels; /* 0   1 to 16 */
    struct {
        double x, y;   /* [m] centre in B */
        double radius; /* [m] that it rolls on */
    } wheel[TY_ODOMETRY_WHEELS];
    double across; /* [-] 1   weight of "does not move across" against "rolls along", 0 to 1000 */
    ty_pose start; /* of B in W, as it was told */
    uint32_t cookie;
} ty_odometry_def;

typedef struct ty_odometry {
    ty_odometry_def def;
    struct {
        ty_pose pose;    /* believed, of B in W */
        double distance; /* [m] */
        double
            residual; /* [m] root mean square misfit of the last step: wheels that disagree slip */
    } state;
} ty_odometry;

TY_API ty_odometry_def ty_odometry_def_default(void);
/* TY_ERR_DEF, TY_ERR_RANGE. */
TY_API ty_status ty_odometry_create(const ty_odometry_def *def, ty_odometry *out, ty_diag *diag);
/* turn[i] [rad]: of each wheel's joint since the last step (from encoders), positive forward;
 * steer[i] [rad], left positive (NULL: straight). attitude (NULL: none): B in W as the IMU or a
 * star tracker gives it; it then replaces the heading that the wheels would give, and tilts the
 * way. */
TY_API void ty_odometry_step(ty_odometry *odometry, const double *turn, const double *steer,
                             const ty_quat *attitude);

TY_END_DECLS
#endif
