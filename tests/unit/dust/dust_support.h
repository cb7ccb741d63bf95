/* tests/unit/dust/dust_support.h - a plane with what raises dust on it and stands in its way.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DUST_SUPPORT_H
#define DUST_SUPPORT_H
#include "tyt.h"
#include "dust/parcels.h"

#define G 1.62 /* [m/s^2] */
enum { OBJECTS = 40 };

typedef struct world {
    ty_terrain *terrain;
    tyi_dust *dust;
    tyi_dust_wheel wheel[2];
    tyi_dust_box box[OBJECTS];
    tyi_dust_jet jet;
    tyi_dust_seed seed;
    double t;
} world;

/* a square of even ground, without craters and rocks [m] */
ty_terrain_def plane_def(double extent);
/* dust on it; of `what` what raises and stops it, and threads; nothing of the world's own is set */
world world_make(const ty_terrain_def *ground, ty_dust_params params, tyi_dust_def what);
void world_end(world *w);
/* 20 ms, with the wheels and boxes that it has */
void world_step(world *w, const tyi_dust_jet *jet, const tyi_dust_seed *seed, size_t seeds);
double world_whole(const world *w); /* [-] what became of it over what was raised */

#endif
