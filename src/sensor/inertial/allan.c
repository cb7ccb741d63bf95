/* src/sensor/inertial/allan.c - deviations of [riley2008] (NIST SP 1065) chapter 5, from phase x (the
 * signal's integral): every one is a mean of squared differences of x that are m samples apart.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "allan.h"
#include <math.h>

static int rising(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

size_t tyi_inertial_allan_times(size_t n, size_t m[TYI_INERTIAL_ALLAN_POINTS])
{
    size_t count = 0, two = 1, ten = 1;
    while (two <= n / 2 || ten <= n / 2) {
        int which = rising(two, ten);
        size_t next = which <= 0 ? two : ten;
        if (next > n / 2 || count == TYI_INERTIAL_ALLAN_POINTS) {
            break;
        }
        m[count++] = next;
        two *= which <= 0 ? 2 : 1;
        ten *= which >= 0 ? 10 : 1;
    }
    return count;
}

static double second(const double *x, size_t i, size_t m)
{
    return x[i + 2 * m] - 2.0 * x[i + m] + x[i];
}

static double third(const double *x, size_t i, size_t m)
{
    return x[i + 3 * m] - 3.0 * x[i + 2 * m] + 3.0 * x[i + m] - x[i];
}

/* mean square of the second or third differences, every `stride` samples; NaN: none */
static double spread(const double *x, size_t n, size_t m, size_t stride, int order)
{
    double sum = 0.0, terms = 0.0;
    for (size_t i = 0; i + (size_t)order * m < n; i += stride) {
        double d = order == 2 ? second(x, i, m) : third(x, i, m);
        sum += d * d;
        terms += 1.0;
    }
    return terms > 0.0 ? sum / terms : (double)NAN;
}

/* mean square of second differences that are averaged over m neighbours */
static double spread_modified(const double *x, size_t n, size_t m)
{
    if (n < 3 * m) {
        return (double)NAN;
    }
    double run = 0.0, sum = 0.0;
    for (size_t i = 0; i < m; i++) {
        run += second(x, i, m);
    }
    sum = run * run;
    for (size_t j = 0; j + 3 * m < n; j++) {
        run += second(x, j + m, m) - second(x, j, m);
        sum += run * run;
    }
    return sum / (double)(n - 3 * m + 1) / ((double)m * (double)m);
}

/* x continued beyond its ends by reflection through the end points */
static double mirrored(const double *x, ptrdiff_t n, ptrdiff_t i)
{
    if (i < 0) {
        return 2.0 * x[0] - x[-i];
    }
    return i < n ? x[i] : 2.0 * x[n - 1] - x[2 * (n - 1) - i];
}

static double spread_total(const double *x, size_t n, size_t m)
{
    if (n < 3 || m >= n) {
        return (double)NAN;
    }
    double sum = 0.0;
    ptrdiff_t N = (ptrdiff_t)n, M = (ptrdiff_t)m;
    for (ptrdiff_t i = 1; i < N - 1; i++) {
        double d = mirrored(x, N, i - M) - 2.0 * x[i] + mirrored(x, N, i + M);
        sum += d * d;
    }
    return sum / (double)(n - 2);
}

static void fill(const double *x, size_t n, double tau0, size_t m, tyi_inertial_allan_point *p)
{
    double tau = (double)m * tau0, half = 1.0 / (2.0 * tau * tau), sixth = 1.0 / (6.0 * tau * tau);
    p->m = m;
    p->tau = tau;
    p->dev[TY_ALLAN_OADEV] = sqrt(half * spread(x, n, m, 1, 2));
    p->dev[TY_ALLAN_ADEV] = sqrt(half * spread(x, n, m, m, 2));
    p->dev[TY_ALLAN_MDEV] = sqrt(half * spread_modified(x, n, m));
    p->dev[TY_ALLAN_TDEV] = tau / sqrt(3.0) * p->dev[TY_ALLAN_MDEV];
    p->dev[TY_ALLAN_HDEV] = sqrt(sixth * spread(x, n, m, m, 3));
    p->dev[TY_ALLAN_OHDEV] = sqrt(sixth * spread(x, n, m, 1, 3));
    p->dev[TY_ALLAN_TOTDEV] = sqrt(half * spread_total(x, n, m));
}

ty_status tyi_inertial_allan(const double *data, size_t n, bool integral, double rate, const size_t *m, size_t count,
                             tyi_inertial_allan_point *points, double *scratch, ty_diag *diag)
{
    if (n < 3 || !(rate > 0.0) || !isfinite(rate)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "Allan deviation: %zu samples at %g Hz; it takes at least 3 at a positive rate", n, rate);
    }
    double mean = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean += data[i];
    }
    if (!isfinite(mean)) {
        return ty_fail(diag, TY_ERR_NUMERIC, "Allan deviation: the data are not all finite numbers");
    }
    /* no statistic feels a constant rate; without it the sums keep their digits */
    mean = integral ? (data[n - 1] - data[0]) / (double)(n - 1) : mean / (double)n;
    size_t phases = integral ? n : n + 1;
    for (size_t i = 0; i < n; i++) {
        if (integral) {
            scratch[i] = data[i] - data[0] - mean * (double)i;
        } else {
            scratch[i + 1] = (i ? scratch[i] : (scratch[0] = 0.0)) + (data[i] - mean) / rate;
        }
    }
    for (size_t k = 0; k < count; k++) {
        fill(scratch, phases, 1.0 / rate, m[k], &points[k]);
    }
    return TY_OK;
}
