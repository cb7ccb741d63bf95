/* kernels/k_detector.h - the stages of a camera's chain in one go, from the radiance of a pixel to its digital number, for where a whole frame lies on a
 * device. The formulas are k_lens.h's, k_exposure.h's and k_noise.h's; src/sensor/camera applies the same ones stage by stage. Between stages
 * numbers are rounded to float, as the images between filters are.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_DETECTOR_H
#define TY_K_DETECTOR_H
#include "k_exposure.h"
#include "k_lens.h"
#include "k_mosaic.h"
#include "k_noise.h"

enum { TY_K_DETECTOR_BANDS = 8 };
/* stages that are on, as bits; the others of the chain must be */
enum {
    TY_K_DETECTOR_FLARE = 1,
    TY_K_DETECTOR_GLARE = 2,
    TY_K_DETECTOR_DUST = 4,
    TY_K_DETECTOR_DEFOCUS = 8,
    TY_K_DETECTOR_VIGNETTING = 16,
    TY_K_DETECTOR_MOSAIC = 32,
    TY_K_DETECTOR_PRNU = 64,
    TY_K_DETECTOR_DARK = 128,
    TY_K_DETECTOR_SHOT = 256,
    TY_K_DETECTOR_FULL_WELL = 512,
    TY_K_DETECTOR_READ = 1024,
    TY_K_DETECTOR_PATTERN = 2048,
    TY_K_DETECTOR_DEAD = 4096,
    TY_K_DETECTOR_AMPLIFIER = 8192,
    TY_K_DETECTOR_DEMOSAIC = 16384,
    TY_K_DETECTOR_WHITE = 32768
};

/* Real numbers first, then an even number of 32-bit ones: the same layout in float and in double, without gaps. Fields as
 * ty_camera_sensor_def has them. */
typedef struct ty_k_detector {
    ty_real flare, glare, focal, focus, f_number, pixel, g_defocus, defocus_most, g_vignet;
    ty_real exposure, g_noise, full_well, read, s1, s2;
    ty_real iso, a, b, gamma, full; /* of the response */
    ty_real white[3];
    ty_real per_radiance[3][TY_K_DETECTOR_BANDS]; /* [e-/(W/m^2/sr)] by colour and band */
    ty_i32 width, height, bands, colors, on, curve;
    ty_i32 cell, coarse_w, coarse_h;         /* ty_k_veil */
    ty_i32 shift_x, shift_y, demosaic, wide; /* wide: numbers of 16 bits */
    ty_u32 seed, camera, frame_low, frame_high, spare;
} ty_k_detector;

TY_KFN ty_k_veil ty_k_detector_veil(const ty_k_detector *d)
{
    ty_k_veil v;
    v.cell = d->cell, v.w = d->coarse_w, v.h = d->coarse_h;
    v.width = d->width, v.height = d->height;
    return v;
}
TY_KFN ty_k_u32x4 ty_k_detector_random(const ty_k_detector *d, ty_u32 index, ty_u32 purpose)
{
    return ty_k_philox(index, d->frame_low, d->frame_high, d->camera, d->seed, purpose);
}
TY_KFN ty_real ty_k_detector_normal(const ty_k_detector *d, ty_u32 index, ty_u32 purpose)
{
    ty_k_u32x4 r = ty_k_detector_random(d, index, purpose);
    return ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
}

/* [lunar] (3b) of one band: a Gaussian of sigma = D/6 cut at D/2 (the next whole pixel), over the pixels of the image, adding
 * up to 1 */
TY_KFN ty_real ty_k_defocused(TY_GLOBAL const float *image, int width, int height, int x, int y, ty_real diameter)
{
    int half_px = diameter < TY_R(1.0) ? 0 : (int)ceil(TY_R(0.5) * diameter);
    if (half_px == 0) {
        return (ty_real)image[y * width + x];
    }
    int x0 = x - half_px < 0 ? -x : -half_px, x1 = x + half_px >= width ? width - 1 - x : half_px;
    int y0 = y - half_px < 0 ? -y : -half_px, y1 = y + half_px >= height ? height - 1 - y : half_px;
    ty_real sigma = diameter / TY_R(6.0), middle = ty_k_defocus_weight(sigma, TY_R(0.0), TY_R(0.0));
    ty_real sum = TY_R(0.0), across = TY_R(0.0), down = TY_R(0.0);
    for (int k = x0; k <= x1; k++) {
        across += ty_k_defocus_weight(sigma, (ty_real)k, TY_R(0.0)) / middle;
    }
    for (int l = y0; l <= y1; l++) {
        ty_real line = TY_R(0.0), weight = ty_k_defocus_weight(sigma, (ty_real)l, TY_R(0.0)) / middle;
        for (int k = x0; k <= x1; k++) {
            line +=
                ty_k_defocus_weight(sigma, (ty_real)k, TY_R(0.0)) / middle * (ty_real)image[(y + l) * width + x + k];
        }
        down += weight;
        sum += weight * line;
    }
    return sum / (across * down);
}

/* as a buffer of whole numbers keeps it */
TY_KFN ty_real ty_k_stored(ty_real value, ty_real full)
{
    return ty_k_clamp(floor(value + TY_R(0.5)), TY_R(0.0), full);
}

typedef struct ty_k_detector_pixel { /* the specimen's: 1 + PRNU; [e-] offset; [1/s] dark current; 1: dead */
    float gain, offset, rate;
    ty_i32 dead;
} ty_k_detector_pixel;

/* The number of one channel, from its electrons; i counts pixels, cell pixels and channels. */
TY_KFN ty_real ty_k_detector_read(const ty_k_detector *d, ty_k_detector_pixel p, ty_u32 cell, float electrons)
{
    float e = electrons;
    if (d->on & TY_K_DETECTOR_PRNU) {
        e = p.gain * e;
    }
    if (d->on & TY_K_DETECTOR_DARK) {
        e = (float)ty_k_mean_electrons((ty_real)e, (ty_real)p.rate, d->exposure);
    }
    if (d->on & TY_K_DETECTOR_SHOT) {
        ty_real mean = (ty_real)e, count = ty_k_poisson(mean, ty_k_detector_random(d, cell, TY_RNG_CAMERA_SHOT));
        e = (float)(mean + d->g_noise * (count - mean));
    }
    if (d->on & TY_K_DETECTOR_FULL_WELL) {
        e = (float)ty_k_min((ty_real)e, d->full_well);
    }
    if (d->on & TY_K_DETECTOR_READ) {
        e = (float)((ty_real)e + d->read * ty_k_detector_normal(d, cell, TY_RNG_CAMERA_READ));
    }
    if (d->on & TY_K_DETECTOR_PATTERN) {
        e = p.offset + e;
    }
    if ((d->on & TY_K_DETECTOR_DEAD) && p.dead) {
        e = 0.0f;
    }
    ty_k_response_curve curve;
    curve.kind = d->curve, curve.iso = d->iso, curve.a = d->a, curve.b = d->b, curve.gamma = d->gamma;
    curve.full = d->full;
    e = (float)ty_k_response(curve, (ty_real)e);
    if (d->on & TY_K_DETECTOR_AMPLIFIER) {
        ty_real variance = ty_k_intensity_variance(d->s1, d->s2, ty_k_max((ty_real)e, TY_R(0.0)));
        e = (float)((ty_real)e + sqrt(variance) * ty_k_detector_normal(d, cell, TY_RNG_CAMERA_AMPLIFIER));
    }
    return ty_k_digitise((ty_real)e, d->full);
}

#endif
