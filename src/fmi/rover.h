/* src/fmi/rover.h - what a rover tells of itself as variables of FMI: the names are the same whether it is an FMU or a controller that
 * is one reads them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FMI_ROVER_H
#define TYI_FMI_ROVER_H
#include "tycho/vehicle.h"

typedef struct tyi_fmi_rover {
    ty_vehicle_state s;
    ty_motor_view motor[TY_MOTORS_MAX];
    double speed;            /* [m/s] forward */
    double roll, pitch, yaw; /* [rad] */
    double power;            /* [W] of all drive motors */
} tyi_fmi_rover;
void tyi_fmi_rover_read(const ty_vehicle *vehicle, tyi_fmi_rover *out);

typedef struct tyi_fmi_field {
    const char *name, *unit; /* a name of NULL ends a table */
    size_t offset;           /* of a double in: tyi_fmi_rover, ty_wheel_view, ty_motor_view */
    const char *text;
} tyi_fmi_field;
#define TYI_FMI_ROVER_FIELDS 20
#define TYI_FMI_WHEEL_FIELDS 8
#define TYI_FMI_MOTOR_FIELDS 3
extern const tyi_fmi_field tyi_fmi_rover_fields[TYI_FMI_ROVER_FIELDS + 1],
    tyi_fmi_wheel_fields[TYI_FMI_WHEEL_FIELDS + 1], tyi_fmi_motor_fields[TYI_FMI_MOTOR_FIELDS + 1];

/* The offset in a tyi_fmi_rover of what a name means for a rover: "x", "front_left.rate", "arm.angle". false: nothing. */
bool tyi_fmi_rover_find(const ty_vehicle *vehicle, const char *name, size_t *offset);

#endif
