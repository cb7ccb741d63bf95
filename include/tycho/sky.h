/* include/tycho/sky.h - Sun and Earth over a place on the Moon at a time. Model, limits: src/world/sky/README.md
 *
 * ty_sky_at() does the costly part, once for an instant; ty_sky_view_at() then answers for any
 * number of places. Everything is a plain value: no state, no allocation, any thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SKY_H
#define TYCHO_SKY_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

/* An instant, read and written as UTC. Kept as atomic time, so that adding seconds is right across
 * leap seconds and exact to the nanosecond. From 1960 (UTC begins) to the end of 2099 (the
 * ephemeris ends); after the newest known leap second their number stays as it is. */
typedef struct ty_utc {
    int64_t tai; /* [ns] since 2000-01-01T12:00:00 TAI */
} ty_utc;

/* Takes 2024-08-12, 2024-08-12T06:30, 2024-08-12T06:30:15 and 2024-08-12T06:30:15.25 (up to 9
 * decimals); a time may end in Z. Anything else, dates that do not exist, and years before 1960 or
 * after 2099 are TY_ERR_INPUT. The second 60 is taken where there was a leap second. */
TY_API ty_status ty_utc_parse(const char *text, ty_utc *out, ty_diag *diag);

#define TY_UTC_TEXT 40 /* bytes that hold any text of ty_utc_format() */
/* Writes 2024-08-12T06:30:15 with 0 to 9 decimals, rounded, no Z; returns out. */
TY_API const char *ty_utc_format(ty_utc utc, int decimals, char out[TY_UTC_TEXT]);

static inline ty_utc ty_utc_add(ty_utc utc, ty_time elapsed)
{
    ty_utc later = { utc.tai + elapsed };
    return later;
}
static inline ty_time ty_utc_since(ty_utc utc, ty_utc start) /* elapsed time, leap seconds counted */
{
    return utc.tai - start.tai;
}

/* The sky as the Moon's centre sees it. Places are apparent: where the light seems to come from,
 * with light time and the aberration by the Moon's motion applied; distances are the way the light
 * has gone. */
typedef struct ty_sky {
    ty_utc utc;
    ty_vec3 sun_M, earth_M;            /* [m] from the Moon's centre, Moon-fixed */
    double subsolar_lat, subsolar_lon; /* [rad] where the Sun stands in the zenith; lon -pi to pi, east positive */
    double subearth_lat, subearth_lon; /* [rad] the same for the Earth's centre */
} ty_sky;

/* TY_ERR_RANGE outside 1960 to 2099. */
TY_API ty_status ty_sky_at(ty_utc utc, ty_sky *out, ty_diag *diag);

/* One body seen from a place. */
typedef struct ty_sky_body {
    ty_vec3 dir_W;    /* [-] unit, towards its centre; W is the site's east-north-up */
    double azimuth;   /* [rad] from north, clockwise (over east), 0 to 2 pi */
    double elevation; /* [rad] of the centre above the site's horizontal plane */
    double distance;  /* [m] */
    double radius;    /* [rad] from the centre of the disk to its limb */
} ty_sky_body;

typedef struct ty_sky_view {
    ty_sky_body sun, earth;
    double irradiance;  /* [W/m^2] total sunlight on a surface facing the unhidden Sun */
    double earth_phase; /* [rad] Sun-Earth-place: 0 full Earth, pi new Earth */
    double earth_lit;   /* [-] fraction of the Earth's disk that the Sun lights */
} ty_sky_view;

/* The sky from the origin of a site; the place's parallax is applied (Earth 0.26 deg, Sun 2.4 arcsec). */
TY_API ty_sky_view ty_sky_view_at(const ty_sky *sky, const ty_site *site);

/* The views from a site at start, start + step, ...: n of them. TY_ERR_RANGE when one is outside 1960 to 2099. */
TY_API ty_status ty_sky_series(const ty_site *site, ty_utc start, ty_time step, size_t n, ty_sky_view *out,
                               ty_diag *diag);

/* ---- stars ---- */

typedef struct ty_star {
    int hr;               /* number in the Bright Star Catalogue; 0: none */
    double ra, dec;       /* [rad] equinox and epoch J2000 */
    double v, bv;         /* [mag] */
    double pm_ra, pm_dec; /* [rad/year] along right ascension (times cos dec) and declination */
} ty_star;

/* Fraction [-] of a body's disk above a skyline whose elevation [rad] below the body is given. */
TY_API double ty_sky_visible(const ty_sky_body *body, double horizon);

TY_END_DECLS
#endif
