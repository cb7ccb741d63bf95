/* src/world/sky/orbit.c - states of Sun, Earth and Moon from ERFA, light time, aberration,
 * orientation. ERFA is seen by this file and utc.c only.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <erfa.h>
#include <erfam.h>
#include "k_sky.h"
#include "orbit.h"

#define DAY    86400.0     /* [s] */
#define LIGHT  299792458.0 /* [m/s] */
#define DAY_NS ((int64_t)86400 * TY_SECOND)
#define TT_TAI (32.184 / DAY) /* [day] TT - TAI, by definition */

/* ERFA's position and velocity [au, au/day] to SI, plus a state that it is relative to */
static tyi_sky_state state(double pv[2][3], const tyi_sky_state *origin)
{
    const double speed = TY_K_AU / DAY;
    tyi_sky_state s = { ty_scale(TY_K_AU, ty_vec3_make(pv[0][0], pv[0][1], pv[0][2])),
                        ty_scale(speed, ty_vec3_make(pv[1][0], pv[1][1], pv[1][2])) };
    if (origin) {
        s.p_I = ty_add(s.p_I, origin->p_I);
        s.v_I = ty_add(s.v_I, origin->v_I);
    }
    return s;
}

void tyi_sky_orbits_at(ty_utc utc, tyi_sky_orbits *out)
{
    /* whole days apart from the rest, so that a date keeps its nanoseconds */
    int64_t days = utc.tai / DAY_NS;
    double part = (double)(utc.tai - days * DAY_NS) / (double)DAY_NS + TT_TAI;
    double date = ERFA_DJ00 + (double)days;

    /* TDB differs from TT by at most 2 ms. The site's part of it (microseconds) is left out; so is
     * that of UT1, whose only use in the series is that part. */
    double tdb_part = part + eraDtdb(date, part, 0.0, 0.0, 0.0, 0.0) / DAY;
    out->tdb = (double)days + tdb_part;

    /* outside 1900 to 2100 eraEpv00 warns; tyi_sky_utc_check() has refused that before */
    double heliocentric[2][3], barycentric[2][3], moon[2][3];
    eraEpv00(date, tdb_part, heliocentric, barycentric);
    eraMoon98(date, part, moon);
    out->earth = state(barycentric, NULL);
    out->moon = state(moon, &out->earth);
    tyi_sky_state earth_from_sun = state(heliocentric, NULL);
    out->sun.p_I = ty_sub(out->earth.p_I, earth_from_sun.p_I);
    out->sun.v_I = ty_sub(out->earth.v_I, earth_from_sun.v_I);
}

ty_vec3 tyi_sky_orbit_light(const tyi_sky_orbits *orbits, const tyi_sky_state *body)
{
    /* over the light's way a straight line is enough: the Earth bends off by 5 mm, the Sun by less than 1 m */
    ty_vec3 r = ty_sub(body->p_I, orbits->moon.p_I);
    for (int i = 0; i < 3; i++) {
        ty_vec3 then = ty_sub(body->p_I, ty_scale(ty_norm(r) / LIGHT, body->v_I));
        r = ty_sub(then, orbits->moon.p_I);
    }
    return r;
}

ty_vec3 tyi_sky_orbit_aberrate(const tyi_sky_orbits *orbits, ty_vec3 r_I)
{
    double distance = ty_norm(r_I);
    ty_vec3 u = ty_scale(1.0 / distance, r_I), v = ty_scale(1.0 / LIGHT, orbits->moon.v_I);
    double sun = ty_norm(ty_sub(orbits->sun.p_I, orbits->moon.p_I)) / TY_K_AU;
    double natural[3] = { u.x, u.y, u.z }, velocity[3] = { v.x, v.y, v.z }, proper[3];
    eraAb(natural, velocity, sun, sqrt(1.0 - ty_dot(v, v)), proper);
    return ty_scale(distance, ty_vec3_make(proper[0], proper[1], proper[2]));
}

ty_quat tyi_sky_orbit_q_IM(const tyi_sky_orbits *orbits)
{
    const ty_vec3 x = { 1, 0, 0 }, z = { 0, 0, 1 };
    ty_k_pole pole = ty_k_moon_pole(orbits->tdb);
    /* to the node, tilt of the equator, prime meridian [archinal2011] figure 1 */
    return ty_quat_mul(ty_quat_axis(z, pole.ra + 0.5 * TY_PI),
                       ty_quat_mul(ty_quat_axis(x, 0.5 * TY_PI - pole.dec), ty_quat_axis(z, pole.w)));
}
