/* src/sensor/inertial/odometry.c - dead reckoning from wheel turns and steering angles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "instrument.h"

tyi_inertial_odometry_def tyi_inertial_odometry_def_default(void)
{
    return (tyi_inertial_odometry_def){ .across = 1.0, .start.q = ty_quat_identity(), .cookie = TYI_COOKIE };
}

static const tyi_limit limits[] = {
    { "wheels", "", offsetof(tyi_inertial_odometry_def, wheels), TYI_INT, 1.0, TY_ODOMETRY_WHEELS },
    { "across", "", offsetof(tyi_inertial_odometry_def, across), TYI_DOUBLE, 0.0, 1000.0 },
    { 0 },
};
const tyi_rules tyi_inertial_odometry_rules = { "odometry", limits, NULL };

ty_status tyi_inertial_odometry_create(const tyi_inertial_odometry_def *def, tyi_inertial_odometry *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    out->state.pose = def->start;
    ty_status status = tyi_inertial_instrument_check(&tyi_inertial_odometry_rules, def, def->cookie, diag);
    for (int i = 0; status == TY_OK && i < def->wheels; i++) {
        if (!(def->wheel[i].radius > 0.0) || !isfinite(def->wheel[i].x) || !isfinite(def->wheel[i].y)) {
            status = ty_fail(diag, TY_ERR_RANGE,
                             "odometry: wheel[%d] at (%g, %g) has a radius of %g m; it takes a "
                             "finite place and a positive radius",
                             i, def->wheel[i].x, def->wheel[i].y, def->wheel[i].radius);
        }
    }
    return status;
}

/* one row c . (dx, dy, dyaw) = b into the normal equations */
static void add_row(double a[3][4], double weight, double cx, double cy, double cw, double b)
{
    const double c[4] = { cx, cy, cw, b };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            a[i][j] += weight * c[i] * c[j];
        }
    }
}

/* Symmetric 3 x 3 by elimination; what the wheels do not determine (a single wheel's turn) stays zero. */
static void solve(double a[3][4], double x[3])
{
    double scale = a[0][0] + a[1][1] + a[2][2];
    bool free[3] = { false, false, false };
    for (int k = 0; k < 3; k++) {
        free[k] = !(a[k][k] > 1e-12 * scale);
        for (int i = 0; i < 3 && !free[k]; i++) {
            double f = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; j < 4; j++) {
                a[i][j] -= f * a[k][j];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        x[k] = free[k] ? 0.0 : a[k][3] / a[k][k];
    }
}

static double misfit(const tyi_inertial_odometry_def *def, const double *turn, const double *steer, const double x[3])
{
    double sum = 0.0;
    for (int i = 0; i < def->wheels; i++) {
        double c = cos(steer ? steer[i] : 0.0), s = sin(steer ? steer[i] : 0.0);
        double vx = x[0] - x[2] * def->wheel[i].y, vy = x[1] + x[2] * def->wheel[i].x;
        double along = c * vx + s * vy - def->wheel[i].radius * turn[i], across = c * vy - s * vx;
        sum += along * along + across * across;
    }
    return sqrt(sum / (2.0 * def->wheels));
}

/* the way of a body that moves by (dx, dy) and turns by `turn` at constant rates: a piece of a circle */
static ty_vec3 arc(double dx, double dy, double turn)
{
    double half = 0.5 * turn;
    double s = fabs(turn) > 1e-6 ? sin(turn) / turn : 1.0 - turn * turn / 6.0;
    double c = fabs(turn) > 1e-6 ? (1.0 - cos(turn)) / turn : half;
    return ty_vec3_make(s * dx - c * dy, c * dx + s * dy, 0.0);
}

void tyi_inertial_odometry_step(tyi_inertial_odometry *o, const double *turn, const double *steer,
                                const ty_quat *attitude)
{
    const tyi_inertial_odometry_def *def = &o->def;
    double a[3][4] = { { 0.0 } }, x[3];
    for (int i = 0; i < def->wheels; i++) {
        double c = cos(steer ? steer[i] : 0.0), s = sin(steer ? steer[i] : 0.0);
        double px = def->wheel[i].x, py = def->wheel[i].y;
        add_row(a, 1.0, c, s, s * px - c * py, def->wheel[i].radius * turn[i]);
        add_row(a, def->across, -s, c, c * px + s * py, 0.0);
    }
    solve(a, x);
    o->state.residual = misfit(def, turn, steer, x);
    o->state.step[0] = x[0], o->state.step[1] = x[1], o->state.step[2] = x[2];
    ty_pose *pose = &o->state.pose;
    if (attitude) {
        /* halfway between the two attitudes */
        ty_quat mid = ty_quat_slerp(pose->q, *attitude, 0.5);
        pose->p = ty_add(pose->p, ty_rotate(mid, ty_vec3_make(x[0], x[1], 0.0)));
        pose->q = *attitude;
    } else {
        pose->p = ty_add(pose->p, ty_rotate(pose->q, arc(x[0], x[1], x[2])));
        pose->q = ty_quat_normalize(ty_quat_mul(pose->q, ty_quat_axis(ty_vec3_make(0.0, 0.0, 1.0), x[2])));
    }
    o->state.distance += hypot(x[0], x[1]);
}
