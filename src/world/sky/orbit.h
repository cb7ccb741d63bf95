/* src/world/sky/orbit.h - where Sun, Earth and Moon are among the stars: the seam to the ephemeris
 * library. I is the ICRF, its origin at the solar system's barycentre. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef TYI_ORBIT_H
#define TYI_ORBIT_H
#include "tycho/sky.h"

typedef struct tyi_state {
    ty_vec3 p_I; /* [m] */
    ty_vec3 v_I; /* [m/s] */
} tyi_state;

typedef struct tyi_orbits {
    double tdb;                 /* [day] since J2000 */
    tyi_state sun, earth, moon; /* geometric, at this instant */
} tyi_orbits;

/* the accepted range of instants: TY_OK, or TY_ERR_RANGE with a sentence */
ty_status tyi_utc_check(ty_utc utc, ty_diag *diag);

void tyi_orbits_at(ty_utc utc, tyi_orbits *out);

/* From the Moon's centre to where the body was when the light that arrives now left it [m]. */
ty_vec3 tyi_orbit_light(const tyi_orbits *orbits, const tyi_state *body);

/* The same vector turned to where the moving Moon sees it: aberration. */
ty_vec3 tyi_orbit_aberrate(const tyi_orbits *orbits, ty_vec3 r_I);

/* takes Moon-fixed (mean-Earth/polar-axis) vectors to I */
ty_quat tyi_orbit_q_IM(const tyi_orbits *orbits);

#endif
