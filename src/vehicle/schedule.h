/* src/vehicle/schedule.h - commands over time for single motors: arms, drums, masts, and each wheel's drive and steering.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_SCHEDULE_H
#define TYI_VEHICLE_SCHEDULE_H
#include "tycho/vehicle.h"
#include "driver.h"

#define TYI_VEHICLE_TARGETS (TY_MOTORS_MAX + 2 * TY_WHEELS_MAX)

/* What a name of a table means for a rover: a motor by its name, `WHEEL.speed` or `WHEEL.steer`; with `_deg` behind it
 * degrees instead of radians. */
typedef struct tyi_vehicle_target {
    enum { TYI_VEHICLE_MOTOR, TYI_VEHICLE_WHEEL_SPEED, TYI_VEHICLE_WHEEL_STEER } kind;
    int index;
    double scale; /* [rad] of what is written */
} tyi_vehicle_target;

typedef struct tyi_vehicle_move {
    double t; /* [s] */
    double value;
    int target; /* of the schedule's */
} tyi_vehicle_move;

typedef struct tyi_vehicle_schedule {
    const ty_alloc *alloc;
    size_t bytes; /* of all of it: moves follow */
    tyi_vehicle_target target[TYI_VEHICLE_TARGETS];
    bool told[TYI_VEHICLE_TARGETS];
    double value[TYI_VEHICLE_TARGETS]; /* that holds now */
    int targets;
    size_t moves, room, next;
    tyi_vehicle_move *move;
} tyi_vehicle_schedule;

/* TY_ERR_INPUT with what there is; `where` starts the sentence. */
ty_status tyi_vehicle_target_find(const ty_vehicle *v, const char *name, const char *where, tyi_vehicle_target *out,
                                  ty_diag *diag);
ty_status tyi_vehicle_schedule_make(size_t room, const ty_alloc *alloc, tyi_vehicle_schedule **out, ty_diag *diag);
void tyi_vehicle_schedule_free(tyi_vehicle_schedule *s); /* NULL is allowed */
/* A command at a time, not before that of the last one; there must be room. */
void tyi_vehicle_schedule_add(tyi_vehicle_schedule *s, tyi_vehicle_target target, double t, double value);
/* A CSV file with t and a column for each motor; an empty field leaves the motor as it is. */
ty_status tyi_vehicle_schedule_table(const char *path, const ty_vehicle *v, const ty_alloc *alloc,
                                     tyi_vehicle_schedule **out, ty_diag *diag);
/* Hands over what holds at time t; s NULL: nothing. Returns whether there is more to come. */
bool tyi_vehicle_schedule_step(tyi_vehicle_schedule *s, ty_vehicle *v, double t);

/* tyi_vehicle_driver_read_table() with columns for motors of a rover (NULL: none). */
ty_status tyi_vehicle_driver_table(const char *path, const ty_vehicle *v, const ty_alloc *alloc,
                                   tyi_vehicle_driver **out, ty_diag *diag);
tyi_vehicle_schedule *tyi_vehicle_driver_schedule(tyi_vehicle_driver *driver); /* of its table; NULL: it has none */

#endif
