/* tests/unit/kernels/test_k_planck.c - the black body's fractions against a published table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_planck.h"
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
    TY_NEAR(ty_k_sun_share(500e-9, 600e-9), 0.135, 0.01);
    TY_NEAR(ty_k_sun_share(600e-9, 700e-9), 0.115, 0.01);
    TY_ROW("black body in bands within 5e-5; the Sun's shares within 1 %", "published tables; ASTM E490",
           "%.0e; %.1f %%", tyt_worst("ty_k_planck_below(table[i][0] * 1e-6 / 5772.0, 5772.0)"),
           100.0 * fmax(tyt_worst("ty_k_sun_share(500e-9, 600e-9)"), tyt_worst("ty_k_sun_share(600e-9, 700e-9)")));
}
