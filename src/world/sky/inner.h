/* src/world/sky/inner.h - the stars, for scenes and the live view.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WORLD_SKY_INNER_H
#define TYI_WORLD_SKY_INNER_H
#include "tycho/sky.h"

/* The built-in table: the 1630 stars to magnitude 5.00 [hoffleit1991]. Writes at most `capacity` of
 * them; returns how many there are. */
size_t tyi_sky_stars_bright(ty_star *out, size_t capacity);

/* One line of a file in the catalogue's own columns (bsc5.dat). false: no star with a place and a magnitude. */
bool tyi_sky_star_parse(const char *line, ty_star *out);

/* Where stars stand over a site: proper motion and aberration applied; the parallax of all is below
 * 1 arcsec and left out. dir_W [-] unit, `count` of them. TY_ERR_RANGE outside 1960 to 2099. */
ty_status tyi_sky_stars_view(ty_utc utc, const ty_site *site, const ty_star *star, size_t count, ty_vec3 *dir_W,
                             ty_diag *diag);

/* [W/m^2] of a star of magnitude v, all of its light counted as if it had the Sun's colour; times
 * the Sun's share of a band it is the star's irradiance in that band. */
double tyi_sky_star_irradiance(double v);

#endif
