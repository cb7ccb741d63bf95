/* src/vehicle/inner.h - what other modules and tests ask of a vehicle beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_INNER_H
#define TYI_VEHICLE_INNER_H
#include "tycho/vehicle.h"

int tyi_vehicle_collisions(const ty_vehicle *vehicle, const ty_collision_shape **out);

/* [s] of wall time that wheels against soil and rocks took since creation, in steps. */
double tyi_vehicle_soil_time(const ty_vehicle *vehicle);

/* How many there are around the rover; fills at most capacity. */
int tyi_vehicle_pushed(const ty_vehicle *vehicle, ty_pushed_rock *out, int capacity);
ty_vec3 tyi_vehicle_centre(const ty_vehicle *vehicle); /* [m] W: centre of mass of the whole rover */

/* Largest gap [m, rad] of the closed loops (suspension, differential). */
double tyi_vehicle_loop_error(const ty_vehicle *vehicle);

/* Puts the rover somewhere else, joints at zero and at rest, as at creation. */
ty_status tyi_vehicle_place(ty_vehicle *vehicle, double x, double y, double yaw, double drop, ty_diag *diag);

/* Motion and shape of its tools; returns how many. And its number in the world of soils. */
int tyi_vehicle_tool_motions(const ty_vehicle *vehicle, ty_soil_body body[TY_TOOLS_MAX],
                             const ty_soil_tool *shape[TY_TOOLS_MAX]);
int tyi_vehicle_carrier(const ty_vehicle *vehicle);

#endif
