/* src/vehicle/rut.c - what wheels leave behind in the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "contact.h"

ty_status tyi_ground_ruts(tyi_ground *g, const tyi_wheel_in *in, const tyi_wheel_out *out, ty_diag *diag)
{
    (void)g, (void)in, (void)out, (void)diag;
    return TY_OK;
}
