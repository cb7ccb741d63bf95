/* src/soil/rig.h - what the rigs of the soil models share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_RIG_H
#define TYI_SOIL_RIG_H
#include "tycho/tools/testbed.h"

/* How the rig leads the wheel, contact frame. */
typedef struct tyi_soil_rig_motion {
    double v_x, v_y, omega; /* [m/s], [m/s], [rad/s] */
} tyi_soil_rig_motion;
tyi_soil_rig_motion tyi_soil_rig_lead(const ty_rig_def *def);

typedef struct tyi_soil_rig_sum {
    double h, fx, fy, fz, torque, square;
    long n;
} tyi_soil_rig_sum;
void tyi_soil_rig_add(tyi_soil_rig_sum *sum, double h, const ty_wheel_load *at);
void tyi_soil_rig_mean(const tyi_soil_rig_sum *sum, const ty_rig_def *def, ty_rig_result *out);

/* rig_scm.c */
ty_status tyi_soil_plate_scm(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag);
ty_status tyi_soil_shear_scm(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag);

#endif
