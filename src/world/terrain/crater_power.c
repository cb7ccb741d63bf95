/* src/world/terrain/crater_power.c - how rough craters alone make the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "crater.h"
#include "k_crater.h"

#define STEPS 32            /* of a profile along its radius; the differences are summed on the same grid */
#define SIDE  (3 * STEPS)   /* steps from the centre to where a crater ends */
#define AGES  10            /* spans of age; short while craters are young, when depth falls fastest */
#define HALF  0.34657359028 /* [-] half an octave, in the logarithm */

/* the height of a profile at the squared distance ss [steps^2], by straight lines between its values */
static double at(const double p[SIDE + 2], double ss)
{
    double s = sqrt(ss);
    int i = (int)s;
    return i >= SIDE ? 0.0 : p[i] + (s - i) * (p[i + 1] - p[i]);
}

/* Integral over the plane of (h(x + lag) - h(x))^2 [m2 steps^2]; lag [steps]. Where the crater and its shifted self do
 * not touch it is twice that of h^2. */
static double difference(const double p[SIDE + 2], double lag)
{
    double sum = 0.0;
    int stride = 4;
    if (lag >= 2.0 * SIDE) {
        for (int i = 0; i < SIDE; i++) {
            double s = i + 0.5, h = 0.5 * (p[i] + p[i + 1]);
            sum += 2.0 * h * h * 2.0 * TY_PI * s;
        }
        return sum;
    }
    int first = -SIDE - (int)ceil(lag);
    for (int j = 0; j < SIDE; j += stride) {
        double y = j + 0.5 * stride;
        for (int i = first; i < SIDE; i += stride) {
            double x = i + 0.5 * stride, d = at(p, (x + lag) * (x + lag) + y * y) - at(p, x * x + y * y);
            sum += d * d;
        }
    }
    return 2.0 * sum * stride * stride;
}

/* the z whose age is u, by halving */
static double deviate(double u)
{
    double low = -6.0, high = 6.0;
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        *(ty_k_crater_age(middle) > u ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

double tyi_terrain_craters_structure(const tyi_terrain_craters *f, double lag)
{
    static const double edge[AGES + 1] = { 0.0, 0.005, 0.015, 0.03, 0.06, 0.11, 0.2, 0.35, 0.55, 0.77, 1.0 };
    double z[AGES];
    for (int a = 0; a < AGES; a++) {
        z[a] = deviate(0.5 * (edge[a] + edge[a + 1]));
    }
    double sum = 0.0, most = tyi_terrain_craters_density(f, 0.0);
    for (double low = f->def.d_min; most > 0.0 && low < f->def.d_max; low *= exp(HALF)) {
        double high = fmin(low * exp(HALF), f->def.d_max), d = sqrt(low * high), per = 0.5 * d / STEPS;
        double number = tyi_terrain_craters_density(f, low) - tyi_terrain_craters_density(f, high);
        for (int a = 0; a < AGES; a++) {
            ty_k_crater_look look = ty_k_crater_look_at(d, z[a], f->def.wear);
            ty_k_crater k = ty_k_crater_make_worn(d, look.ratio, look.old, look.rim);
            double p[SIDE + 2] = { 0 };
            for (int i = 0; i < SIDE; i++) {
                p[i] = ty_k_crater_profile(k, (double)i * i / (STEPS * STEPS));
            }
            sum += number * (edge[a + 1] - edge[a]) * difference(p, lag / per) * per * per;
        }
    }
    return sum;
}
