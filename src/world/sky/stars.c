/* src/world/sky/stars.c - the bright stars over a site.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "stars.h"
#include "core/core.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "k_sky.h"
#include "orbit.h"
#include "inner.h"

#define ARCSEC (TY_DEG / 3600.0)
#define YEAR   365.25 /* [day] */

size_t tyi_sky_stars_bright(ty_star *out, size_t capacity)
{
    for (size_t i = 0; i < tyi_sky_star_rows && i < capacity; i++) {
        const tyi_sky_star_row *r = &tyi_sky_star_table[i];
        out[i] = (ty_star){ .hr = r->hr,
                            .ra = r->ra * 1.5 * ARCSEC, /* 0.1 s of time is 1.5 arcsec */
                            .dec = r->dec * ARCSEC,
                            .v = 0.01 * r->v,
                            .bv = 0.01 * r->bv,
                            .pm_ra = 1e-3 * r->pm_ra * ARCSEC,
                            .pm_dec = 1e-3 * r->pm_dec * ARCSEC };
    }
    return tyi_sky_star_rows;
}

/* the number in columns from..to of a line (from 1), or what is given where they are blank */
static double columns(const char *line, int from, int to, double blank)
{
    char text[16] = "", *end;
    memcpy(text, line + from - 1, (size_t)(to - from + 1));
    double v = tyi_number(text, &end);
    return end == text ? blank : v;
}

bool tyi_sky_star_parse(const char *line, ty_star *out)
{
    /* columns as the catalogue's own description has them: 1-4 number, 76-83 and 84-90 place J2000, 103-107 V,
     * 110-114 B-V, 149-154 and 155-160 proper motion */
    char wide[161];
    size_t n = strcspn(line, "\r\n");
    memset(wide, ' ', sizeof wide - 1);
    wide[160] = '\0';
    memcpy(wide, line, n < 160 ? n : 160);
    double h = columns(wide, 76, 77, NAN), m = columns(wide, 78, 79, NAN), s = columns(wide, 80, 83, NAN);
    double d = columns(wide, 85, 86, NAN), am = columns(wide, 87, 88, NAN), as = columns(wide, 89, 90, NAN);
    *out = (ty_star){ .hr = (int)columns(wide, 1, 4, 0.0),
                      .ra = (h * 3600.0 + m * 60.0 + s) * 15.0 * ARCSEC,
                      .dec = (wide[83] == '-' ? -1.0 : 1.0) * (d * 3600.0 + am * 60.0 + as) * ARCSEC,
                      .v = columns(wide, 103, 107, NAN),
                      .bv = columns(wide, 110, 114, 0.65),
                      .pm_ra = columns(wide, 149, 154, 0.0) * ARCSEC,
                      .pm_dec = columns(wide, 155, 160, 0.0) * ARCSEC };
    return isfinite(out->ra + out->dec + out->v);
}

ty_status tyi_sky_stars_view(ty_utc utc, const ty_site *site, const ty_star *star, size_t count, ty_vec3 *dir_W,
                             ty_diag *diag)
{
    ty_status status = tyi_sky_utc_check(utc, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_sky_orbits orbits;
    tyi_sky_orbits_at(utc, &orbits);
    ty_quat q_WI = ty_quat_mul(ty_quat_conj(site->W_in_M.q), ty_quat_conj(tyi_sky_orbit_q_IM(&orbits)));
    double years = orbits.tdb / YEAR;
    for (size_t i = 0; i < count; i++) {
        double ca = cos(star[i].ra), sa = sin(star[i].ra), cd = cos(star[i].dec), sd = sin(star[i].dec);
        /* along right ascension and declination by the proper motion */
        ty_vec3 p = ty_vec3_make(cd * ca, cd * sa, sd), east = ty_vec3_make(-sa, ca, 0.0),
                north = ty_vec3_make(-sd * ca, -sd * sa, cd);
        p = ty_add(p, ty_add(ty_scale(years * star[i].pm_ra, east), ty_scale(years * star[i].pm_dec, north)));
        dir_W[i] = ty_normalize(ty_rotate(q_WI, tyi_sky_orbit_aberrate(&orbits, ty_normalize(p))));
    }
    return TY_OK;
}

double tyi_sky_star_irradiance(double v)
{
    return ty_k_star_irradiance(v);
}
