/* src/vehicle/driver.h - who says where a rover goes: constant commands, a table over time, a path.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_DRIVER_H
#define TYI_VEHICLE_DRIVER_H
#include "tycho/vehicle.h"

typedef struct tyi_vehicle_driver tyi_vehicle_driver;

typedef enum tyi_vehicle_driver_path_law {
    TY_PATH_PURSUIT,     /* pure pursuit [coulter1992]: the arc through a point `ahead` on the path */
    TY_PATH_PROPORTIONAL /* turning rate proportional to the error of heading, as in [uly] A */
} tyi_vehicle_driver_path_law;

/* Start from tyi_vehicle_driver_path_def_default(). */
typedef struct tyi_vehicle_driver_path_def {
    const ty_waypoint *points;       /* copied */
    size_t count;                    /* 1 or more; the path starts where the rover is when it is first asked */
    double speed;                    /* [m/s] 0.2; up to twice this to arrive in time */
    tyi_vehicle_driver_path_law law; /* TY_PATH_PURSUIT */
    double ahead;                    /* [m] 1.5   pursuit */
    double gain;                     /* [1/s] 0.5   proportional: rad/s per rad */
    double omega_max;                /* [rad/s] 0.3 */
    double reach;                    /* [m] 0.25  a point this near is reached */
    double give_up;                  /* [s] 120   without coming 5 cm nearer to a point it stops for good; 0: never */
    const ty_alloc *alloc;
    uint32_t cookie;
} tyi_vehicle_driver_path_def;
tyi_vehicle_driver_path_def tyi_vehicle_driver_path_def_default(void);
ty_status tyi_vehicle_driver_constant(const ty_drive_command *command, const ty_alloc *alloc, tyi_vehicle_driver **out,
                                      ty_diag *diag);

/* CSV with a header and the columns t [s] (rising), v [m/s], omega_deg [deg/s] and, if there, mode
 * (ackermann, crab, point, skid) and crab_deg; each row holds until the next, the first also before
 * its time. */
ty_status tyi_vehicle_driver_read_table(const char *path, const ty_alloc *alloc, tyi_vehicle_driver **out,
                                        ty_diag *diag);
/* The same where no rover is at hand: other columns are taken for motors', whose numbers are looked at and whose names go to motors. */
ty_status tyi_vehicle_driver_table_alone(const char *path, tyi_vehicle_driver **out, char *motors, size_t size,
                                         ty_diag *diag);
ty_status tyi_vehicle_driver_path(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag);
void tyi_vehicle_driver_destroy(tyi_vehicle_driver *driver); /* NULL is allowed */

/* ---- drivers that see others ---- */

/* Another that a driver sees: a rover or an actor. */
typedef struct tyi_vehicle_other {
    bool there, drives;
    double x, y;    /* [m] W, its middle */
    double heading; /* [rad] */
    double vx, vy;  /* [m/s] W */
    double turn;    /* [rad/s] left */
    double radius;  /* [m] of the circle around it */
} tyi_vehicle_other;

/* What they see is set before each command, by whoever calls: the same for all, with their own place in it. */
typedef struct tyi_vehicle_driver_sight {
    const tyi_vehicle_other *other; /* NULL: nothing is seen */
    size_t others, self, leader;
    double margin;      /* [m] */
    double distance;    /* [m] follow */
    double ahead, left; /* [m] formation */
} tyi_vehicle_driver_sight;

/* Waypoints, around others (driver_avoid.c); behind a leader (driver_follow.c), at a place beside it (driver_formation.c), with the
 * speed and turning rate of a path's definition. */
ty_status tyi_vehicle_driver_avoid(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag);
ty_status tyi_vehicle_driver_follow(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag);
ty_status tyi_vehicle_driver_formation(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag);
tyi_vehicle_driver_sight *tyi_vehicle_driver_sees(tyi_vehicle_driver *driver); /* NULL: it looks at nobody */

/* What to do now. true: there is more to do; false: the path or the table is at its end, and *out stops the rover. */
bool tyi_vehicle_driver_command(tyi_vehicle_driver *driver, const ty_vehicle_state *state, ty_drive_command *out);

/* Its progress along the path, for checkpoints: a table or constant has none. */
size_t tyi_vehicle_driver_progress(const tyi_vehicle_driver *driver);
void tyi_vehicle_driver_set_progress(tyi_vehicle_driver *driver, size_t progress);

/* ---- as its own files see it ---- */

typedef enum tyi_vehicle_driver_kind {
    TYI_VEHICLE_DRIVER_CONSTANT,
    TYI_VEHICLE_DRIVER_TABLE,
    TYI_VEHICLE_DRIVER_PATH,
    TYI_VEHICLE_DRIVER_AVOID,
    TYI_VEHICLE_DRIVER_FOLLOW,
    TYI_VEHICLE_DRIVER_FORMATION
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
    tyi_vehicle_driver_sight sight;
    struct tyi_vehicle_schedule *schedule; /* of single motors, in the same table; NULL: none */
};

ty_status tyi_vehicle_driver_make(tyi_vehicle_driver_kind kind, size_t rows, size_t points, const ty_alloc *alloc,
                                  tyi_vehicle_driver **out, ty_diag *diag);

/* where to, and how fast */
typedef struct tyi_vehicle_driver_aim {
    double x, y, v; /* [m] W, [m/s] */
} tyi_vehicle_driver_aim;
/* The point `ahead` on the path; false: it is at its end. */
bool tyi_vehicle_driver_path_aim(tyi_vehicle_driver *d, const ty_vehicle_state *s, tyi_vehicle_driver_aim *out);
/* Pure pursuit of an aim. */
void tyi_vehicle_driver_steer(const tyi_vehicle_driver *d, const ty_vehicle_state *s, const tyi_vehicle_driver_aim *aim,
                              ty_drive_command *out);
double tyi_vehicle_driver_heading(const ty_vehicle_state *s); /* [rad] */
/* The same, around others: another aim where the way there would meet one, and no way ahead that comes too near. */
void tyi_vehicle_driver_around(const tyi_vehicle_driver *d, const ty_vehicle_state *s, tyi_vehicle_driver_aim aim,
                               ty_drive_command *out);
bool tyi_vehicle_driver_avoid_command(tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out);
bool tyi_vehicle_driver_follow_command(const tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out);
bool tyi_vehicle_driver_formation_command(const tyi_vehicle_driver *d, const ty_vehicle_state *s,
                                          ty_drive_command *out);
/* A driver without points that goes by a leader. */
ty_status tyi_vehicle_driver_led(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver_kind kind,
                                 tyi_vehicle_driver **out, ty_diag *diag);

#endif
