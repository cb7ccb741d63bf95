/* include/tycho/dust.h - dust that wheels raise: what a scenario says of it. Model, limits, sources: src/dust/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_DUST_H
#define TYCHO_DUST_H
#include "tycho/base.h"
TY_BEGIN_DECLS

/* Defaults are those of docs/reference.md, `dust`. No published law gives the mass rate: sheared, carried and layer are free. */
typedef struct ty_dust_params {
    bool on;
    /* source */
    double threshold; /* [m/s] of a rim: below it nothing is raised */
    double sheared;   /* [-] share that becomes airborne of the dust in the layer that slip shears */
    double carried;   /* [-] the same of the layer that the rim carries round */
    double layer;     /* [m] thickness of these for wheels without lugs; otherwise the lugs' height */
    double fine;      /* [-] share of the soil's mass that is dust */
    double density;   /* [kg/m^3] of the soil */
    double highest;   /* [rad] behind the lowest point of the rim, up to where it throws */
    bool fenders;     /* those of rovers that have some are on */
    int parcels;      /* most in flight at a time; each stands for many grains */
    /* grains: a log-normal law by number, cut on both sides */
    double median, sigma;    /* [m], [-] geometric standard deviation */
    double d_min, d_max;     /* [m] */
    double grain;            /* [kg/m^3] density of a grain */
    double stick;            /* [-] share that stays where it meets sides and undersides of rovers */
    double albedo;           /* [-] of single scattering, without what is diffracted */
    double lobe, lobe_share; /* [-] b and c of two Henyey-Greenstein lobes, as Hapke writes them: c 1 is all back */
    double voxel;            /* [m] of the grid that light goes through */
} ty_dust_params;

TY_END_DECLS
#endif
