/* src/vehicle/driver.h - a driver, as its own files see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_DRIVER_H
#define TYI_VEHICLE_DRIVER_H
#include "tycho/vehicle.h"

typedef enum tyi_vehicle_driver_kind {
    TYI_VEHICLE_DRIVER_CONSTANT,
    TYI_VEHICLE_DRIVER_TABLE,
    TYI_VEHICLE_DRIVER_PATH
} tyi_vehicle_driver_kind;

typedef struct tyi_vehicle_drive_row {
    double t; /* [s] */
    ty_drive_command command;
} tyi_vehicle_drive_row;

/* What a path's driver remembers: plain data, saved with the run. */
typedef struct tyi_vehicle_driver_memory {
    uint64_t at;  /* waypoint on the way to, from 1; 0: not begun */
    double best;  /* [m] nearest that it came to it, ... */
    double since; /* [s] ... and when */
    int64_t gave_up;
} tyi_vehicle_driver_memory;

struct tyi_vehicle_driver {
    tyi_vehicle_driver_kind kind;
    const ty_alloc *alloc;
    size_t bytes; /* of all of it: rows and points follow */
    tyi_vehicle_drive_row *row;
    size_t rows;
    ty_waypoint *point;
    size_t points, next;
    tyi_vehicle_driver_path_def path;
    tyi_vehicle_driver_memory memory;
    struct tyi_vehicle_schedule *schedule; /* of single motors, in the same table; NULL: none */
};

ty_status tyi_vehicle_driver_make(tyi_vehicle_driver_kind kind, size_t rows, size_t points, const ty_alloc *alloc,
                                  tyi_vehicle_driver **out, ty_diag *diag);

#endif
