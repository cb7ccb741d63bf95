/* examples/hazard_map.h - what a rover remembers of the ground around it, and which way it may go.
 *
 * A grid of cells in the frame in which the rover believes to know its place. Points of each stereo pair mark the cells where something
 * stands up from the ground around it. A way is an arc; it is free as far as the rover's outline, moved along it, covers no marked cell.
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

typedef struct hazard_map {
    double x0, y0; /* [m] corner */
    signed char looks[MAP_CELLS * MAP_CELLS]; /* that saw a hazard there, less those that saw none */
} hazard_map;

void map_start(hazard_map *m, double x, double y);
/* Takes n points [m] of one stereo pair. */
void map_take(hazard_map *m, const ty_vec3 *p, size_t n);
/* The curvature [1/m], left positive, of the arc from x, y, yaw that brings a rover nearest to a place; infinite: it had better turn
 * on the spot. false: no arc is free. */
bool map_choose(const hazard_map *m, double x, double y, double yaw, double to_x, double to_y, double half_length, double half_width,
                double *curvature);

#endif
