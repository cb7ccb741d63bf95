/* src/world/sky/orbit.h - where Sun, Earth and Moon are among the stars: the seam to the ephemeris
 * library. I is the ICRF, its origin at the solar system's barycentre.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SKY_ORBIT_H
#define TYI_SKY_ORBIT_H
#include "tycho/sky.h"

typedef struct tyi_sky_state {
    ty_vec3 p_I; /* [m] */
    ty_vec3 v_I; /* [m/s] */
} tyi_sky_state;

typedef struct tyi_sky_orbits {
    double tdb;                     /* [day] since J2000 */
    tyi_sky_state sun, earth, moon; /* geometric, at this instant */
} tyi_sky_orbits;

/* the accepted range of instants: TY_OK, or TY_ERR_RANGE with a sentence */
ty_status tyi_sky_utc_check(ty_utc utc, ty_diag *diag);

void tyi_sky_orbits_at(ty_utc utc, tyi_sky_orbits *out);

/* From the Moon's centre to where the body was when the light that arrives now left it [m]. */
ty_vec3 tyi_sky_orbit_light(const tyi_sky_orbits *orbits, const tyi_sky_state *body);

/* The same vector turned to where the moving Moon sees it: aberration. */
ty_vec3 tyi_sky_orbit_aberrate(const tyi_sky_orbits *orbits, ty_vec3 r_I);

/* takes Moon-fixed (mean-Earth/polar-axis) vectors to I */
ty_quat tyi_sky_orbit_q_IM(const tyi_sky_orbits *orbits);

#endif
