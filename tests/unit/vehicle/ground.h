/* tests/unit/vehicle/ground.h - grounds of a known shape, and rovers on them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_GROUND_H
#define TYT_GROUND_H
#include "tycho/terrain.h"
#include "tycho/vehicle.h"

/* A ground z = height(user, x, y) [m], exact at the samples. */
typedef struct tyt_ground {
    double (*height)(const struct tyt_ground *g, double x, double y);
    double slope, from; /* [-] rise per metre along x, [m] where it begins */
    ty_terrain *terrain;
} tyt_ground;

void tyt_ground_flat(tyt_ground *g);
void tyt_ground_shape(tyt_ground *g, double (*height)(const tyt_ground *g, double x, double y));
void tyt_ground_slope(tyt_ground *g, double angle);             /* rises along x by angle [rad] */
void tyt_ground_ramp(tyt_ground *g, double from, double angle); /* flat up to x = from, then rises */
void tyt_ground_made(tyt_ground *g, uint64_t seed);             /* generated, without rocks */
void tyt_ground_stony(tyt_ground *g);                           /* flat, with no rocks but those that are laid there */
ty_rock tyt_rock(tyt_ground *g, uint64_t id, double x, double y, double diameter); /* lays one */
void tyt_ground_free(tyt_ground *g);

const char *tyt_rover(const char *name); /* path of models/rovers/NAME.yaml; valid until the next call */
/* A definition for a preset on this ground. */
ty_vehicle_def tyt_vehicle_def(const tyt_ground *g, const char *rover, ty_soil_model_kind soil);
/* Made, or the test fails. */
ty_vehicle *tyt_vehicle(const ty_vehicle_def *def);
/* Steps for a time [s] at 1 kHz; false (and the test fails) where a step does. */
bool tyt_run(ty_vehicle *v, double seconds);
/* How far [m] it goes in `seconds` after 3 s to settle. */
double tyt_creep(ty_vehicle *v, double seconds);
/* One number (FNV-1a) of all that a save of the rover holds. */
uint64_t tyt_vehicle_digest(const ty_vehicle *v);

#endif
