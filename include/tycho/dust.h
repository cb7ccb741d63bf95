/* include/tycho/dust.h - dust that wheels, tools, loose soil and plumes raise: what a scenario says of it. Model, limits, sources: src/dust/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_DUST_H
#define TYCHO_DUST_H
#include "tycho/base.h"
TY_BEGIN_DECLS

/* Defaults are those of docs/reference.md, `dust`. No published law gives the mass rate: sheared, carried and layer are free. */
#define TY_DUST_PLUMES 4

/* What a lander's engine blows away: a sheet all round the point that its actor's -z looks at. */
typedef struct ty_dust_plume {
    char actor[64];
    double rate;       /* [kg/s] */
    double speed;      /* [m/s] of the fastest grains; the slowest have 0.3 of it */
    double low, high;  /* [rad] over the ground */
    double radius;     /* [m] from that point, where grains leave */
    double height;     /* [m] of the actor over the ground, from which on it blows */
    double start, end; /* [s] in which the engine is on */
} ty_dust_plume;

/* A rover is cleaned at a time. */
typedef struct ty_dust_clean {
    double time;    /* [s] */
    char rover[64]; /* "": all */
    double brush;   /* [-] share of all that lies on its faces, lenses among them, that a brush takes off */
    double tilt; /* [rad] from level, to which faces are turned: what is too heavy to stick there slides off. 0: not */
} ty_dust_clean;

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
    double peak;      /* [-] 1: shares of the rim's speed are as likely; above: the full one is likelier, k_dust.h */
    bool fenders;     /* those of rovers that have some are on */
    int parcels;      /* most in flight at a time; each stands for many grains */
    /* grains: a log-normal law by number, cut on both sides */
    double median, sigma;    /* [m], [-] geometric standard deviation */
    double d_min, d_max;     /* [m] */
    double grain;            /* [kg/m^3] density of a grain */
    double charge, field[3]; /* [C/kg] of all grains, [V/m] W, everywhere; 0: none */
    double stick;            /* [-] share that stays where it meets sides and undersides */
    double albedo;           /* [-] of single scattering, without what is diffracted */
    double lobe, lobe_share; /* [-] b and c of two Henyey-Greenstein lobes, as Hapke writes them: c 1 is all back */
    double voxel;            /* [m] of the grid that light goes through */
    /* what it does where it lies */
    double bare_absorbs, bare_emits; /* [-] of a clean radiator, */
    double dust_absorbs, dust_emits; /* [-] and of one under a full layer */
    double aperture, window;         /* [m] of lenses: pupil, and how far before it grains lie */
    double clean;                    /* [-] S of adhesion: how bare the surfaces of grains and parts are, 0 to 1 */
    ty_dust_plume *plume;
    size_t plumes;         /* at most TY_DUST_PLUMES */
    ty_dust_clean *action; /* brushing, tilting */
    size_t actions;
} ty_dust_params;

TY_END_DECLS
#endif
