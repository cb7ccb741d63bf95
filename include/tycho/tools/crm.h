/* include/tycho/tools/crm.h - soil that flows, as experiments know it (tycho/tools/bed.h): its parameters, what follows from them, its particles.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_CRM_H
#define TYCHO_CRM_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

/* Start from ty_crm_soil_default(). */
typedef struct ty_crm_soil {
    double rho; /* [kg/m^3]  1600   500 to 5000    density at which it bears */
    double e;   /* [Pa]      1e6    1e3 to 1e10    Young's modulus */
    double nu;  /* [-]       0.3    0 to 0.49      Poisson's ratio */
    double
        mu_s; /* [-]       0.6    0.01 to 2      friction at rest: tau <= mu p + c; sin of a triaxial angle, tan of one by direct shear */
    double mu_2; /* [-]       0.6    mu_s to 4      friction of fast flow */
    double
        i0; /* [-]       0.04   1e-4 to 10     inertial number in between, with rho as it is here (not of the grains) */
    double d; /* [m]       0.005  1e-6 to 0.1    grain */
    double c; /* [Pa]      0      0 to 1e5       cohesion */
    double
        lode; /* [-]     0      0 to 1         1: mu is that of plane strain, other states of stress as [matsuoka1974] has them; 0: one mu for all */
} ty_crm_soil;
TY_API ty_crm_soil ty_crm_soil_default(void);

/* What follows from a definition. */
typedef struct ty_crm_facts {
    double bulk, shear; /* [Pa] K, G */
    double wave;        /* [m/s] c_p */
    double k0;          /* [-] stress at rest, horizontal / vertical */
    double step;        /* [s] the longest at rest */
    double mass;        /* [kg] of a particle */
} ty_crm_facts;

typedef struct ty_crm_particle {
    ty_vec3 x, v;     /* [m], [m/s] */
    double stress[6]; /* [Pa] xx, yy, zz, xy, xz, yz, tension positive; of soil: its pressure sets its density */
    double e;         /* [-] density / rho - 1; set by the stress where it is added, and read back */
    double support;   /* [-] read only: 3 inside, about 2 in a flat surface, below 1.2 loose */
    uint32_t id;      /* as given */
    bool wall;
    double r; /* [m] radius of a grain (dem); 0: none */
} ty_crm_particle;

TY_END_DECLS
#endif
