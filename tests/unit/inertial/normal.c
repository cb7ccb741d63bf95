/* tests/unit/inertial/normal.c - do numbers follow a normal law?
 * SPDX-License-Identifier: BSD-3-Clause */
#include "normal.h"
#include <math.h>

#define BINS 40

double tyt_chi_square(const double *x, size_t n, double mean, double sigma)
{
    double count[BINS] = { 0.0 }, chi = 0.0, e = (double)n / BINS, f = BINS - 1;
    for (size_t i = 0; i < n; i++) {
        double u = 0.5 * erfc(-(x[i] - mean) / sigma / sqrt(2.0));
        int k = (int)(u * BINS);
        count[k < 0 ? 0 : k >= BINS ? BINS - 1 : k]++;
    }
    for (int k = 0; k < BINS; k++) {
        chi += (count[k] - e) * (count[k] - e) / e;
    }
    return (cbrt(chi / f) - (1.0 - 2.0 / (9.0 * f))) / sqrt(2.0 / (9.0 * f));
}
