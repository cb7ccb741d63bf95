/* examples/hazard_map.h - what a rover remembers of the ground around it, and which way it may go.
 *
 * A grid of cells in the frame in which the rover believes to know its place. Points of each stereo pair mark the cells where something
 * stands up from the ground around it, and the ground hidden behind; what enough looks have marked stays marked. Each cell then costs more
 * to cross the nearer it is to a mark, and far more where the circle around the rover would touch it. The cheapest way from
 * everywhere to one place solves |grad T| = cost (the eikonal equation), by the fast sweeping of Zhao 2005.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAZARD_MAP_H
#define HAZARD_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <tycho/math.h>

#define MAP_CELLS 256
#define MAP_CELL  0.2  /* [m] */
#define MAP_TALL  0.14 /* [m] what stands higher above the ground beside it is a hazard */
#define MAP_SURE  2    /* looks that make a hazard: one alone may be a bad match */
#define MAP_KEEP  4    /* looks after which it stays one for ever */
#define MAP_ROOM  0.3  /* [m] the least to be kept between the circle around the rover and a mark */
#define MAP_EASE  1.0  /* [m] more than that is better, up to here */

typedef struct hazard_map {
    double x0, y0;                            /* [m] corner */
    unsigned char looks[MAP_CELLS * MAP_CELLS]; /* that saw a hazard there */
    float cost[MAP_CELLS * MAP_CELLS];          /* [m] from there to the place of the last map_plan, weighed */
} hazard_map;

void map_start(hazard_map *m, double x, double y);
/* Takes n points [m] of one stereo pair, seen from eye. */
void map_take(hazard_map *m, ty_vec3 eye, const ty_vec3 *p, size_t n);
/* Finds the ways to a place for a rover inside a circle of this radius [m]. */
void map_plan(hazard_map *m, double to_x, double to_y, double radius);
/* The point of the cheapest way that lies `far` metres along it from x, y (or its end, if that is nearer). */
void map_ahead(const hazard_map *m, double x, double y, double far, double *ahead_x, double *ahead_y);
/* Whether a rectangle covers a mark somewhere on an arc of this curvature [1/m], left positive, and length [m]. */
bool map_blocked(const hazard_map *m, double x, double y, double yaw, double curvature, double length, double half_length, double half_width);

#endif
