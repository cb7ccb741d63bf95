/* tests/unit/kernels/test_k_planck.c - the black body's fractions against a published table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_spectrum.h"
#include "tyt.h"

/* Blackbody functions F(0 to lambda T) of textbooks on radiation, lambda T in um K. */
TY_TEST(k_planck, fractions_of_the_tables)
{
    static const double table[][2] = { { 1000, 0.000321 }, { 2000, 0.066728 },  { 3000, 0.273232 },
                                       { 4000, 0.480877 }, { 5000, 0.633747 },  { 6000, 0.737818 },
                                       { 8000, 0.856288 }, { 10000, 0.914199 }, { 20000, 0.985602 } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        TY_NEAR(ty_k_planck_below(table[i][0] * 1e-6 / 5772.0, 5772.0), table[i][1], 5e-5);
        TY_FAR(ty_k_planck_below(1.02 * table[i][0] * 1e-6 / 5772.0, 5772.0), table[i][1], 5e-6);
    }
    /* the Sun's measured spectrum [ASTM E490] has 13.5 % of its power from 500 to 600 nm, 11.5 from 600 to 700 */
    TY_NEAR(ty_k_sun_share(500e-9, 600e-9), 0.135, 0.002);
    TY_NEAR(ty_k_sun_share(600e-9, 700e-9), 0.115, 0.002);
    /* outside the table it goes on as a black body, without a step that matters; all of it is 1 */
    TY_NEAR_REL(ty_k_sun_density(1101e-9), ty_k_sun_density(1095e-9), 0.05);
    TY_NEAR(ty_k_sun_share(100e-9, 20000e-9), 1.0, 0.01);
    /* [sato2014]'s single-scattering albedo over that at 566 nm, against the Moon's colour by another instrument */
    TY_NEAR_REL(ty_k_moon_color(415e-9) / ty_k_moon_color(566e-9), 0.2332064 / 0.3369888, 0.10);
    TY_NEAR_REL(ty_k_moon_color(643e-9) / ty_k_moon_color(566e-9), 0.3951683 / 0.3369888, 0.05);
    TY_NEAR_REL(ty_k_moon_color(689e-9) / ty_k_moon_color(566e-9), 0.4244911 / 0.3369888, 0.06);
    TY_FAR_REL(1.0, 0.4244911 / 0.3369888, 0.06); /* control: a grey Moon */
    TY_ROW("black body in bands within 5e-5; the Sun's shares within 1 %", "published tables; ASTM E490",
           "%.0e; %.1f %%", tyt_worst("ty_k_planck_below(table[i][0] * 1e-6 / 5772.0, 5772.0)"),
           100.0 * fmax(tyt_worst("ty_k_sun_share(500e-9, 600e-9)"), tyt_worst("ty_k_sun_share(600e-9, 700e-9)")));
}
