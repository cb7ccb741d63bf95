/* src/world/sky/stars.h - the table of bright stars.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SKY_STARS_H
#define TYI_SKY_STARS_H
#include "tycho/sky.h"

typedef struct tyi_sky_star_row {
    int16_t hr;
    int32_t ra, dec;       /* [0.1 s], [arcsec] */
    int16_t v, bv;         /* [0.01 mag] */
    int16_t pm_ra, pm_dec; /* [0.001 arcsec/year] */
} tyi_sky_star_row;

extern const tyi_sky_star_row tyi_sky_star_table[];
extern const size_t tyi_sky_star_rows;

#endif
