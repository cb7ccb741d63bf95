/* tests/unit/patch/digger.h - a drum that is led through a patch of particles in a small terrain.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIGGER_H
#define DIGGER_H
#include "soil/world.h"
#include "tycho/terrain.h"
#include "tyt.h"

typedef struct digger {
    ty_terrain *terrain;
    tyi_soil_world *world;
    tyi_soil_rider *rider;
    ty_soil_def soil;
    double x, z, turn;   /* [m] [rad] */
    double torque, work; /* [N m s], [J] */
} digger;

extern const ty_soil_tool digger_drum;
ty_soil_def digger_soil(void); /* coarse and soft */
/* a terrain of rms slopes, its soil, and a drum over it at 0, 0 */
ty_status digger_begin(digger *g, const ty_soil_def *soil, double slope_deg, ty_diag *diag);
/* the soil anew, on the terrain as it is */
ty_status digger_come(digger *g, ty_diag *diag);
void digger_stop(digger *g);
/* the drum is led: along x and z at speeds [m/s], turning at `rate` [rad/s] */
void digger_lead(digger *g, double seconds, double along, double up, double rate);
void *digger_particles(const digger *g); /* state of the patches, for ledger.h */

#endif
