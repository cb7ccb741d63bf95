/* tests/unit/inertial/normal.h - do numbers follow a normal law?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_NORMAL_H
#define TYT_NORMAL_H
#include <stddef.h>

/* chi-square of n numbers against a normal law in 40 bins of equal chance, as standard deviations
 * off its mean (Wilson and Hilferty) */
double tyt_chi_square(const double *x, size_t n, double mean, double sigma);
/* it does, and would not with 3 % more spread or a mean 5 % of sigma off: n about 1e5 */
#define TYT_NORMAL(x, n, mean, sigma)                                                                 \
    do {                                                                                              \
        double tyt_normal = tyt_chi_square(x, n, mean, sigma); /* of rows: tyt_worst("tyt_normal") */ \
        TY_NEAR(tyt_normal, 0.0, 3.5);                                                                \
        TY_CHECK(tyt_chi_square(x, n, mean, 1.03 * (sigma)) > 3.5);                                   \
        TY_CHECK(tyt_chi_square(x, n, (mean) + 0.05 * (sigma), sigma) > 3.5);                         \
    } while (0)

#endif
