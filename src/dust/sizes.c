/* src/dust/sizes.c - what dust is made of: parameters, and the law of sizes by mass.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "core/rules.h"
#include "parcels.h"

#define AT(field) offsetof(ty_dust_params, field)
static const tyi_limit limits[] = {
    { "threshold", "m/s", AT(threshold), TYI_DOUBLE, 0.0, 10.0 },
    { "sheared", "", AT(sheared), TYI_DOUBLE, 0.0, 0.1 },
    { "carried", "", AT(carried), TYI_DOUBLE, 0.0, 0.1 },
    { "layer", "m", AT(layer), TYI_DOUBLE, 0.0, 0.1 },
    { "fine", "", AT(fine), TYI_DOUBLE, 0.0, 1.0 },
    { "density", "kg/m^3", AT(density), TYI_DOUBLE, 100.0, 4000.0 },
    { "highest", "rad", AT(highest), TYI_DOUBLE, 0.0, TY_PI },
    { "peak", "", AT(peak), TYI_DOUBLE, 1.0, 20.0 },
    { "parcels", "", AT(parcels), TYI_INT, 100.0, 4e6 },
    { "median", "m", AT(median), TYI_DOUBLE, 1e-7, 1e-3 },
    { "sigma", "", AT(sigma), TYI_DOUBLE, 1.0, 10.0 },
    { "d_min", "m", AT(d_min), TYI_DOUBLE, 1e-7, 1e-3 },
    { "d_max", "m", AT(d_max), TYI_DOUBLE, 1e-7, 1e-2 },
    { "grain", "kg/m^3", AT(grain), TYI_DOUBLE, 500.0, 8000.0 },
    { "charge", "C/kg", AT(charge), TYI_DOUBLE, -1.0, 1.0 },
    { "field[0]", "V/m", AT(field[0]), TYI_DOUBLE, -1e5, 1e5 },
    { "field[1]", "V/m", AT(field[1]), TYI_DOUBLE, -1e5, 1e5 },
    { "field[2]", "V/m", AT(field[2]), TYI_DOUBLE, -1e5, 1e5 },
    { "stick", "", AT(stick), TYI_DOUBLE, 0.0, 1.0 },
    { "albedo", "", AT(albedo), TYI_DOUBLE, 0.0, 1.0 },
    { "lobe", "", AT(lobe), TYI_DOUBLE, 0.0, 0.95 },
    { "lobe_share", "", AT(lobe_share), TYI_DOUBLE, -1.0, 1.0 },
    { "voxel", "m", AT(voxel), TYI_DOUBLE, 0.01, 1.0 },
    { "bare_absorbs", "", AT(bare_absorbs), TYI_DOUBLE, 0.01, 1.0 },
    { "bare_emits", "", AT(bare_emits), TYI_DOUBLE, 0.01, 1.0 },
    { "dust_absorbs", "", AT(dust_absorbs), TYI_DOUBLE, 0.01, 1.0 },
    { "dust_emits", "", AT(dust_emits), TYI_DOUBLE, 0.01, 1.0 },
    { "aperture", "m", AT(aperture), TYI_DOUBLE, 1e-5, 1.0 },
    { "window", "m", AT(window), TYI_DOUBLE, 1e-4, 1.0 },
    { "clean", "", AT(clean), TYI_DOUBLE, 0.0, 1.0 },
    { 0 },
};
static const tyi_order orders[] = { { AT(d_min), AT(d_max) }, { 0, 0 } };
#undef AT
const tyi_rules tyi_dust_rules = { "dust", limits, orders };

ty_dust_params tyi_dust_params_default(void)
{
    return (ty_dust_params){ .on = false,
                             .threshold = 0.15,
                             .sheared = 5e-3,
                             .carried = 5e-3,
                             .layer = 0.005,
                             .fine = 0.35,
                             .density = 1500.0,
                             .highest = 150.0 * TY_DEG,
                             .peak = 4.0,
                             .fenders = true,
                             .parcels = 100000,
                             .median = 20e-6,
                             .sigma = 2.5,
                             .d_min = 1e-6,
                             .d_max = 100e-6,
                             .grain = 3100.0,
                             .stick = 0.3,
                             .albedo = 0.4,
                             .lobe = 0.27,
                             .lobe_share = 0.3,
                             .voxel = 0.05,
                             .bare_absorbs = 0.2,
                             .bare_emits = 0.9,
                             .dust_absorbs = 0.75,
                             .dust_emits = 0.9,
                             .aperture = 3e-3,
                             .window = 0.02,
                             .clean = 0.1 };
}

/* The law by number is log-normal; by mass it counts D^3 times as much. Middle points of even steps of ln D. */
#define STEPS 20000
static double weight(const ty_dust_params *p, int k, double power, double *d)
{
    double low = log(p->d_min), x = low + (log(p->d_max) - low) * (k + 0.5) / STEPS, s = log(p->sigma);
    double q = s > 1e-6 ? (x - log(p->median)) / s : 0.0;
    *d = exp(x);
    return exp(-0.5 * q * q + power * (x - low));
}

double tyi_dust_sauter(const ty_dust_params *p)
{
    double m3 = 0.0, m2 = 0.0, d;
    if (log(p->sigma) <= 1e-6) { /* one size */
        return fmin(fmax(p->median, p->d_min), p->d_max);
    }
    for (int k = 0; k < STEPS; k++) {
        m3 += weight(p, k, 3.0, &d);
        m2 += weight(p, k, 2.0, &d);
    }
    return m3 / m2 * p->d_min;
}

void tyi_dust_sizes(const ty_dust_params *p, double out[TYI_DUST_SIZES + 1])
{
    double sum = 0.0, d = p->d_min, so_far = 0.0, one = tyi_dust_sauter(p);
    int at = 0;
    bool single = log(p->sigma) <= 1e-6;
    for (int k = 0; k < STEPS; k++) {
        sum += weight(p, k, 3.0, &d);
    }
    for (int k = 0; k < STEPS; k++) {
        so_far += weight(p, k, 3.0, &d) / sum;
        while (at < TYI_DUST_SIZES && so_far >= (double)at / TYI_DUST_SIZES) {
            out[at++] = single ? one : d;
        }
    }
    while (at <= TYI_DUST_SIZES) {
        out[at++] = single ? one : p->d_max;
    }
}
