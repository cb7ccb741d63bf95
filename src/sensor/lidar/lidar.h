/* src/sensor/lidar/lidar.h - a lidar, as its files see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_LIDAR_H
#define TYI_LIDAR_H
#include "core/core.h"
#include "core/rules.h"
#include "tycho/lidar.h"

/* A beam in the head's frame when its column starts: the head's turn until it fires is in it. */
typedef struct tyi_lidar_beam {
    ty_vec3 from, dir;               /* [m], unit */
    double azimuth, elevation, time; /* [rad], [rad], [s] after the column's start */
} tyi_lidar_beam;

struct ty_lidar {
    ty_lidar_def def;
    int columns, lasers;        /* beams are columns * lasers; a table has one laser and a beam a column */
    int returns;                /* per beam, 1 or 2 */
    double window;              /* [s] */
    double column_time;         /* [s] from column to column */
    double angle, column_angle; /* [rad] head's azimuth at column 0, and its change per column */
    tyi_lidar_beam *beam;       /* one per laser, or per column of a table */
    size_t beams;
    int ring[32768];               /* of each laser; 0 is the lowest */
    int at_row[32768];             /* laser of each row; row 0 is the highest */
    double off_u[256], off_v[256]; /* [-] sub-rays in the beam's cross section */
    ty_trace_ray *ray;             /* column by column, in each from the highest laser down: neighbours together */
    ty_trace_hit *hit;
    size_t rays;
    /* with two bounces: what each ray meets in a mirror, as far as the whole way; none: INFINITY. And room for finding it */
    ty_trace_hit *ghost, *met;
    ty_trace_ray *way;
    uint32_t *of;
    double room;    /* [bytes] that all of it takes */
    ty_track track; /* of the scan that is being aimed */
    ty_time start;
    uint64_t frame;
    ty_buffer echo; /* returns */
    ty_pipeline *pipeline;
};

extern const tyi_rules tyi_lidar_rules, tyi_lidar_spad_rules;

static inline const tyi_lidar_beam *tyi_lidar_beam_of(const ty_lidar *l, int column, int laser)
{
    return &l->beam[l->def.pattern == TY_LIDAR_TABLE ? column : laser];
}
static inline double tyi_lidar_angle(const ty_lidar *l, int column)
{
    return l->angle + column * l->column_angle;
}
/* row of a beam's first return: the highest laser on top */
static inline int tyi_lidar_row(const ty_lidar *l, int laser)
{
    return l->lasers - 1 - l->ring[laser];
}
static inline ty_vec3 tyi_lidar_turn_z(ty_vec3 v, double c, double s)
{
    return ty_vec3_make(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
}

/* Work on columns in threads: job(user, column from, column to). */
#define TYI_LIDAR_CHUNK 64

#endif
