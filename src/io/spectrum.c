/* src/io/spectrum.c - see spectrum.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "spectrum.h"

/* a line of n heights [m] without its mean and slope (least squares) */
static void detrend(double *h, int n)
{
    double mean = 0.0, moment = 0.0, spread = 0.0, centre = 0.5 * (n - 1);
    for (int i = 0; i < n; i++) {
        mean += h[i] / n;
    }
    for (int i = 0; i < n; i++) {
        moment += (i - centre) * (h[i] - mean);
        spread += (i - centre) * (i - centre);
    }
    for (int i = 0; i < n; i++) {
        h[i] -= mean + moment / spread * (i - centre);
    }
}

/* Adds the periodogram of a line of n samples, d [m] apart, at k cycles per line, k = 1 .. n/2 - 1:
 *
 *     S(k / (n d)) = 2 d / (n U) |sum_i w_i h_i exp(-2 pi j k i / n)|^2,  w_i = (1 - cos(2 pi i /
 * n)) / 2,  U = mean w^2 = 3/8
 *
 * one-sided [m^3]; the sum of S over its frequencies times their step 1/(n d) is the variance [welch1967]. */
void tyi_io_spectrum_line(double *h, int n, double d, const double *cosine, double *psd)
{
    detrend(h, n);
    for (int i = 0; i < n; i++) {
        h[i] *= 0.5 * (1.0 - cosine[i]);
    }
    for (int k = 1; k < n / 2; k++) {
        double re = 0.0, im = 0.0;
        for (int i = 0, at = 0, quarter = (n - n / 4) % n; i < n; i++) {
            re += h[i] * cosine[at];
            im += h[i] * cosine[quarter]; /* sin(a) = cos(a - 90 deg) */
            at = at + k < n ? at + k : at + k - n;
            quarter = quarter + k < n ? quarter + k : quarter + k - n;
        }
        psd[k] += 2.0 * d / (n * 0.375) * (re * re + im * im);
    }
}
