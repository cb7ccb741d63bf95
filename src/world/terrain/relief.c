/* src/world/terrain/relief.c - see relief.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "relief.h"
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "k_relief.h"
#include "k_spline.h"
#include "sizes.h"

/* The 4-point scheme turns a unit sample into a smooth hat of support -3..3; its values on a grid of 1/STEPS. */
#define DEPTH 5
#define STEPS (1 << DEPTH)
#define REACH (3 * STEPS)

static void basis(double hat[2 * REACH + 1])
{
    double coarse[2 * REACH + 1] = { 0 };
    int reach = 3; /* in samples of the present grid */
    coarse[reach] = 1.0;
    for (int d = 0; d < DEPTH; d++) {
        double fine[2 * REACH + 1] = { 0 };
        for (int k = -2 * reach; k <= 2 * reach; k++) {
            double v[4];
            for (int m = 0; m < 4; m++) {
                int i = (k >= 0 ? k / 2 : (k - 1) / 2) - 1 + m;
                v[m] = i < -reach || i > reach ? 0.0 : coarse[reach + i];
            }
            fine[2 * reach + k] = k % 2 ? ty_k_subdivide(v[0], v[1], v[2], v[3]) : v[1];
        }
        reach *= 2;
        memcpy(coarse, fine, sizeof coarse);
    }
    memcpy(hat, coarse, sizeof coarse);
}

/* Autocovariance along one axis, at a lag of whole steps, of unit noise interpolated along that axis, averaged
 * over the place in the cell. */
static double covariance_step(const double hat[2 * REACH + 1], int lag)
{
    double sum = 0.0;
    for (int k = -REACH; k + abs(lag) <= REACH; k++) {
        sum += hat[REACH + k] * hat[REACH + k + abs(lag)];
    }
    return sum / STEPS;
}

/* the same at any lag in samples */
static double covariance(const double hat[2 * REACH + 1], double lag)
{
    if (lag * STEPS >= 2.0 * REACH) {
        return 0.0;
    }
    int whole = (int)(lag * STEPS);
    double sum = 0.0;
    ty_real4 w = ty_k_spline_weights(lag * STEPS - whole);
    for (int m = 0; m < 4; m++) {
        sum += w[m] * covariance_step(hat, whole - 1 + m);
    }
    return sum;
}

double tyi_terrain_relief_structure(double hurst, double finest, double lag)
{
    double hat[2 * REACH + 1];
    basis(hat);
    double across = covariance(hat, 0.0); /* the other axis has lag 0 */
    double sum = 0.0;
    for (int l = 0;; l++) {
        double d = ldexp(finest, l), u = lag / d;
        /* at the finest level the samples themselves are compared: they are not interpolated */
        double part = l == 0 ? 1.0 : across * (across - covariance(hat, u));
        if (l > 0 && u < 1.0 / STEPS) { /* from here on the difference is slope times lag: a geometric series */
            return sum + 2.0 * pow(d, 2.0 * hurst) * part / (1.0 - exp2(2.0 * hurst - 2.0));
        }
        sum += 2.0 * pow(d, 2.0 * hurst) * part;
    }
}

void tyi_terrain_relief_init(tyi_terrain_relief *relief, const ty_relief_def *def, uint64_t seed, double spacing0,
                             int levels)
{
    TY_ASSERT(levels <= TYI_TERRAIN_MAX_LEVELS);
    *relief = (tyi_terrain_relief){ .key = tyi_terrain_seed_key(seed) };
    double want = tan(def->rms_slope_deg * TY_DEG) * def->baseline; /* [m] standard deviation of the difference */
    if (want <= 0.0) {
        return;
    }
    double unit = sqrt(tyi_terrain_relief_structure(def->hurst, spacing0, def->baseline));
    for (int l = 0; l < levels && 2.0 * ldexp(spacing0, l) <= def->outer; l++) {
        relief->sigma[l] = want / unit * pow(ldexp(spacing0, l), def->hurst);
        if (4.0 * ldexp(spacing0, l) > def->outer) {
            /* the longest waves stand in for all that are longer: within the site those are slopes */
            relief->sigma[l] /= sqrt(1.0 - exp2(2.0 * def->hurst - 2.0));
        }
    }
}

void tyi_terrain_relief_add(const tyi_terrain_relief *relief, int level, int32_t i0, int32_t j0, int nx, int ny,
                            double *h)
{
    float sigma = (float)relief->sigma[level];
    if (sigma <= 0.0f) {
        return;
    }
    for (int j = 0; j < ny; j++) {
        double *row = h + (size_t)j * (size_t)nx;
        for (int32_t block = i0 >> 2; block <= (i0 + nx - 1) >> 2; block++) {
            ty_k_u32x4 bits = ty_k_relief_bits(block, j0 + j, level, relief->key);
            for (int k = 0; k < 4; k++) {
                int i = block * 4 + k - i0;
                if (i >= 0 && i < nx) {
                    row[i] += (double)(sigma * ty_k_relief_unit(bits.v[k]));
                }
            }
        }
    }
}
