/* examples/hazard_map.h - what a rover remembers of the ground around it, and the way it takes.
 *
 * A grid of cells, fixed to the site. Each stereo pair counts, for every cell it shows, a look, and a hit where
 * something stands up from the ground around it, hides the ground behind it, or is dark; hits against looks make a
 * hazard. A cell costs more to cross the nearer it is to a hazard, far more where the rover would not fit. The
 * cheapest way from everywhere to one place solves |grad T| = cost (the eikonal equation), by the fast sweeping of
 * Zhao 2005. A way once taken is kept until another is clearly cheaper.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAZARD_MAP_H
#define HAZARD_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <tycho/math.h>

#define MAP_CELLS 200
#define MAP_CELL  0.2 /* [m] */
#define MAP_WAY   512 /* points of a way, half a cell apart */

typedef struct hazard_map {
    double x0, y0; /* [m] corner */
    /* that saw the cell; that saw a hazard there, 1 to 3 each */
    unsigned char looks[MAP_CELLS * MAP_CELLS], hits[MAP_CELLS * MAP_CELLS];
    /* [m] to the nearest hazard, up to a few metres */
    float room[MAP_CELLS * MAP_CELLS];
    /* of a metre there; from there to the place aimed at */
    float weight[MAP_CELLS * MAP_CELLS], cost[MAP_CELLS * MAP_CELLS];
    double way[MAP_WAY][2]; /* [m] from the rover to that place */
    int ways;               /* points of it; 0: none yet */
} hazard_map;

/* Around x, y; within `room` [m] of it the ground is known to be free. */
void map_start(hazard_map *m, double x, double y, double room);
/* Whether a cell is one. */
bool map_hazard(const hazard_map *m, int cell);
/* The plane z = plane[0] + plane[1] x + plane[2] y that most of n points lie near; first: a guess of it. */
void map_plane(const ty_vec3 *p, size_t n, double plane[3]);
/* Takes n points [m] of one stereo pair, seen from eye, and `darks` places on the ground that are too dark to be
 * matched: shadows, and what stands in one. Nobody drives blind into these. */
void map_take(hazard_map *m, ty_vec3 eye, const double plane[3], const ty_vec3 *p, size_t n, const ty_vec3 *dark,
              size_t darks);
/* The way to a place, for a rover that stands at x, y: the one it has, or a new one. It needs `least` [m] around its
 * middle to pass, and `radius` to turn. */
void map_plan(hazard_map *m, double x, double y, double yaw, double to_x, double to_y, double least, double radius);
/* The point of the way that lies `far` metres beyond the one nearest to x, y (or its end). */
void map_ahead(const hazard_map *m, double x, double y, double far, double *ahead_x, double *ahead_y);
/* A rectangle moves along an arc of this curvature [1/m], left positive, and length [m]: whether it meets a hazard,
 * and what share of the cells that it covers has been seen. */
bool map_blocked(const hazard_map *m, double x, double y, double yaw, double curvature, double length,
                 double half_length, double half_width, double *seen);

#endif
