/* src/sensor/inertial/allan_read.c - which noise makes an Allan curve: least squares that stay above zero.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "k_imu.h"
#include "allan.h"

#define TERMS 5
static const char letters[TERMS + 1] = "QNBKR";

static double term(int which, double tau)
{
    switch (which) {
    case 0:
        return ty_k_allan_quantisation(tau);
    case 1:
        return ty_k_allan_white(tau);
    case 2:
        return ty_k_allan_flicker();
    case 3:
        return ty_k_allan_walk(tau);
    default:
        return ty_k_allan_ramp(tau);
    }
}

double tyi_inertial_allan_model(const tyi_inertial_allan_noise *noise, double tau)
{
    const double c[TERMS] = { noise->Q, noise->N, noise->B, noise->K, noise->R };
    double sum = 0.0;
    for (int i = 0; i < TERMS; i++) {
        sum += c[i] * c[i] * term(i, tau);
    }
    return sqrt(sum);
}

/* Gauss with pivots; false: singular */
static bool solve(double a[TERMS][TERMS + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        for (int j = k; j <= n; j++) {
            double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        if (!(fabs(a[k][k]) > 0.0)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; j <= n; j++) {
                a[i][j] -= f * a[k][j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        a[k][n] /= a[k][k];
    }
    return true;
}

/* Fits the terms of a mask with given weights; squares c2[] and the residual. False: no such fit. */
static bool fit(const tyi_inertial_allan_point *p, size_t n, const double *weight, unsigned mask, double c2[TERMS],
                double *residual)
{
    int at[TERMS], k = 0;
    for (int i = 0; i < TERMS; i++) {
        c2[i] = 0.0;
        if (mask >> i & 1u) {
            at[k++] = i;
        }
    }
    double a[TERMS][TERMS + 1] = { { 0.0 } };
    for (size_t s = 0; s < n; s++) {
        double v = p[s].dev[TY_ALLAN_OADEV] * p[s].dev[TY_ALLAN_OADEV];
        for (int i = 0; i < k; i++) {
            double f = weight[s] * term(at[i], p[s].tau);
            for (int j = 0; j < k; j++) {
                a[i][j] += f * term(at[j], p[s].tau);
            }
            a[i][k] += f * v;
        }
    }
    if (!solve(a, k)) {
        return false;
    }
    for (int i = 0; i < k; i++) {
        c2[at[i]] = a[i][k];
        if (!(a[i][k] >= 0.0)) {
            return false;
        }
    }
    *residual = 0.0;
    for (size_t s = 0; s < n; s++) {
        double e = p[s].dev[TY_ALLAN_OADEV] * p[s].dev[TY_ALLAN_OADEV];
        for (int i = 0; i < TERMS; i++) {
            e -= c2[i] * term(i, p[s].tau);
        }
        *residual += weight[s] * e * e;
    }
    return true;
}

/* the best of all subsets of the asked terms that keep every square above zero: at most 31 fits */
static void best_fit(const tyi_inertial_allan_point *p, size_t n, const double *weight, unsigned asked,
                     double c2[TERMS])
{
    double least = (double)INFINITY;
    for (unsigned mask = 1; mask < 1u << TERMS; mask++) {
        double c[TERMS], residual;
        if (!(mask & ~asked) && fit(p, n, weight, mask, c, &residual) && residual < least) {
            least = residual;
            memcpy(c2, c, sizeof c);
        }
    }
}

ty_status tyi_inertial_allan_read(const tyi_inertial_allan_point *points, size_t count, double samples,
                                  const char *terms, tyi_inertial_allan_noise *out, ty_diag *diag)
{
    unsigned asked = 0, number = 0;
    for (const char *t = terms ? terms : "NBK"; *t; t++) {
        const char *at = strchr(letters, *t);
        if (!at) {
            return ty_fail(diag, TY_ERR_INPUT, "Allan deviation: there is no term '%c'; terms are letters of %s", *t,
                           letters);
        }
        number += !(asked >> (at - letters) & 1u);
        asked |= 1u << (at - letters);
    }
    tyi_inertial_allan_point use[TYI_INERTIAL_ALLAN_POINTS];
    double weight[TYI_INERTIAL_ALLAN_POINTS], c2[TERMS] = { 0.0 };
    size_t n = 0;
    for (size_t i = 0; i < count && n < TYI_INERTIAL_ALLAN_POINTS; i++) {
        if (points[i].dev[TY_ALLAN_OADEV] > 0.0 && samples / (double)points[i].m > 1.0) {
            use[n++] = points[i];
        }
    }
    if (n < number || !number) {
        return ty_fail(diag, TY_ERR_INPUT, "Allan deviation: %zu points cannot tell %u terms apart", n, number);
    }
    /* relative error of the variance sqrt(2/(n/m - 1)) [ieee952] C.8; of the measured value first,
     * which favours points that came out low, then of the fitted one */
    for (int round = 0; round < 8; round++) {
        for (size_t s = 0; s < n; s++) {
            double v = use[s].dev[TY_ALLAN_OADEV] * use[s].dev[TY_ALLAN_OADEV], model = 0.0;
            for (int i = 0; i < TERMS; i++) {
                model += c2[i] * term(i, use[s].tau);
            }
            v = round && model > 0.0 ? model : v;
            weight[s] = (samples / (double)use[s].m - 1.0) / (2.0 * v * v);
        }
        best_fit(use, n, weight, asked, c2);
    }
    *out = (tyi_inertial_allan_noise){ sqrt(c2[0]), sqrt(c2[1]), sqrt(c2[2]), sqrt(c2[3]), sqrt(c2[4]) };
    return TY_OK;
}
