/* src/sensor/camera_noise.c - what the chip adds: fixed pattern, dark current, shot and read noise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core.h"
#include "k_exposure.h"
#include "k_philox.h"
#include "tycho/imager.h"

/* two standard normal numbers of one key */
static void normals(const ty_imager_def *def, uint32_t a, uint32_t b, uint32_t c, uint32_t purpose,
                    double n[2])
{
    ty_k_u32x4 r = ty_k_philox(a, b, c, (uint32_t)(def->seed >> 32), (uint32_t)def->seed, purpose);
    n[0] = ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
    n[1] = ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 1);
}

/* What a pixel is by manufacture: its gain, dark current and whether it lives. Kinds of key: 0
 * pixel, 1 row, 2 column. */
typedef struct pixel {
    double gain; /* [-] */
    double dark; /* [1/s] */
} pixel;

static pixel fixed_pattern(const ty_imager_def *def, uint32_t i)
{
    double n[2];
    normals(def, i, 0, 0, TY_RNG_IMAGER_FIXED, n);
    ty_k_u32x4 luck =
        ty_k_philox(i, 1, 0, (uint32_t)(def->seed >> 32), (uint32_t)def->seed, TY_RNG_IMAGER_FIXED);
    pixel p = { 1.0 + def->prnu * n[0], fmax(def->dark + def->dark_spread * n[1], 0.0) };
    p.gain = ty_k_uniform(luck.v[0]) < def->dead_share ? 0.0 : fmax(p.gain, 0.0);
    p.dark = ty_k_uniform(luck.v[1]) < def->hot_share ? def->hot_dark : p.dark;
    return p;
}

void ty_imager_noise(const ty_imager_def *def, int width, int height, uint32_t frame,
                     float *electrons)
{
    for (int y = 0; y < height; y++) {
        double row[2], column[2], n[2];
        normals(def, (uint32_t)y, 0, 1, TY_RNG_IMAGER_FIXED, row);
        for (int x = 0; x < width; x++) {
            uint32_t i = (uint32_t)y * (uint32_t)width + (uint32_t)x;
            pixel p = fixed_pattern(def, i);
            normals(def, (uint32_t)x, 0, 2, TY_RNG_IMAGER_FIXED, column);
            normals(def, i, frame, 0, TY_RNG_IMAGER_NOISE, n);
            double mean = ty_k_mean_electrons(p.gain * (double)electrons[i], p.dark, def->exposure);
            mean = fmin(mean, def->full_well);
            double read = ty_k_noisy_electrons(mean, def->noise_gain, def->read, n[0], n[1]);
            electrons[i] = (float)(read + def->row_noise * row[0] + def->column_noise * column[0]);
        }
    }
}
