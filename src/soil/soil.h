/* src/soil/soil.h - what the files of this module share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_H
#define TYI_SOIL_H
#include "tycho/soil.h"
#include "inner.h"
#include "k_bekker.h"

/* Checks soil and wheel and works out what stays the same. Returns TY_OK, TY_ERR_DEF or TY_ERR_RANGE. */
ty_status tyi_soil_wheel_prepare(const ty_soil_params *params, const ty_wheel_shape *shape, ty_k_bekker *out,
                                 ty_diag *diag);

/* tyi_soil_wheel_force() on a prepared wheel. */
void tyi_soil_wheel_contact(const ty_k_bekker *wheel, const tyi_soil_wheel_state *state, ty_wheel_load *out);

/* Where soil that a wheel of this kind has pressed down to z_u [m] stands without load, ty_k_bekker_risen(). */
double tyi_soil_wheel_risen(const tyi_soil_wheel *wheel, double elastic, double z_u);

#endif
