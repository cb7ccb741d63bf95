/* include/tycho/tools/dem.h - soil as grains, as experiments know it (tycho/tools/bed.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_DEM_H
#define TYCHO_DEM_H
#include "tycho/base.h"
TY_BEGIN_DECLS

/* Balls that roll with a resistance stand for grains that are none: mu 0.5 and roll 0.1 pile up at about 26 deg. */
typedef struct ty_dem_soil {
    double rho;         /* [kg/m^3]  2600   500 to 20000   of a grain, without the space between */
    double e;           /* [Pa]      1e7    1e4 to 1e12    Young's modulus of grains */
    double nu;          /* [-]       0.3    0 to 0.49 */
    double mu;          /* [-]       0.5    0.01 to 2      friction between grains */
    double roll;        /* [-]       0.1    0 to 2         rolling friction, over R* */
    double restitution; /* [-]       0.5    0.01 to 1      of a collision */
    double
        gamma; /* [J/m^2]   0      0 to 100       work of adhesion: they pull each other by 3/2 pi gamma R* while they touch */
    double spread; /* [-]       0.1    0 to 0.4       of the logarithm of sizes, cut at 1.5 times that */
} ty_dem_soil;

TY_END_DECLS
#endif
