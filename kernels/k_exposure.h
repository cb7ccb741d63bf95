/* kernels/k_exposure.h - from radiance to digital numbers.
 *
 * The physical camera of [lunar] (2) to (8) with the radiometry of DESIGN 5a. Signals are electrons
 * throughout: the paper's joules become counts, because a Poisson law needs counts. The paper's
 * gains multiply as printed; 1 is none.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_EXPOSURE_H
#define TY_K_EXPOSURE_H
#include "k_base.h"

/* [J m] h c, the exact SI values of 2019 rounded to 9 digits */
#define TY_K_PLANCK_LIGHT TY_R(1.98644586e-25)

enum ty_k_response { TY_K_GAMMA = 0, TY_K_SIGMOID = 1, TY_K_LINEAR = 2 };

/* [lunar] (3a): diameter of the blur [px] of a point at distance d, thin lens focused at U.
 *     D = gain f^2 |d - U| / (N C d (U - f)); the blur is a Gaussian of standard deviation D/6
 * f, d, U [m] with U > f; N [-]; C [m] pixel size */
TY_KFN ty_real ty_k_defocus_diameter(ty_real gain, ty_real f, ty_real d, ty_real focus, ty_real f_number, ty_real pixel)
{
    return gain * f * f * fabs(d - focus) / (f_number * pixel * d * (focus - f));
}
#define TY_K_DEFOCUS_FAR TY_R(1e9) /* [m] stands for the sky */
/* [m] the distance that blurs, from a depth that may be none */
TY_KFN ty_real ty_k_defocus_distance(ty_real depth)
{
    return depth > TY_R(0.0) && depth < TY_K_DEFOCUS_FAR ? depth : TY_K_DEFOCUS_FAR;
}
/* [lunar] (3b): its weight at (x, y) [px], before normalisation over the pixels it covers. */
TY_KFN ty_real ty_k_defocus_weight(ty_real sigma, ty_real x, ty_real y)
{
    return exp(TY_R(-0.5) * (x * x + y * y) / (sigma * sigma)) / (TY_R(2.0) * TY_K_PI * sigma * sigma);
}

/* [lunar] (4a): fraction of light left at an angle off the axis with cosine c, 1 - gain (1 - c^4). */
TY_KFN ty_real ty_k_vignetting(ty_real gain, ty_real c)
{
    return TY_R(1.0) - gain * (TY_R(1.0) - c * c * c * c);
}

/* Irradiance of the image plane [W/m^2] under radiance L [W/m^2/sr]: pi L/(4 N^2) times what lens
 * and vignetting pass. DESIGN 5a */
TY_KFN ty_real ty_k_image_irradiance(ty_real radiance, ty_real f_number, ty_real passed)
{
    return TY_K_PI * radiance * passed / (TY_R(4.0) * f_number * f_number);
}

/* [lunar] (5) in electrons, DESIGN 5a: gain E C^2 t QE lambda/(h c); the paper's 1/N^2 is in E.
 * irradiance E [W/m^2], pixel C [m], t [s], qe [-], lambda [m] */
TY_KFN ty_real ty_k_aggregate(ty_real gain, ty_real irradiance, ty_real pixel, ty_real t, ty_real qe, ty_real lambda)
{
    return gain * irradiance * (pixel * pixel) * t * qe * (lambda / TY_K_PLANCK_LIGHT);
}

/* Mean electrons with dark current and hot pixels, rate [1/s]: mu = y + D t   [lunar] (6) */
TY_KFN ty_real ty_k_mean_electrons(ty_real electrons, ty_real dark_rate, ty_real t)
{
    return electrons + dark_rate * t;
}
/* Variance of the electrons read: gain^2 mu + read^2; gain 1 is Poisson's law.   [lunar] (7) */
TY_KFN ty_real ty_k_electron_variance(ty_real mean, ty_real gain, ty_real read)
{
    return gain * gain * mean + read * read;
}
/* One reading: n0, n1 standard normal numbers for the shot and for the read noise.   [lunar] (7) */
TY_KFN ty_real ty_k_noisy_electrons(ty_real mean, ty_real gain, ty_real read, ty_real n0, ty_real n1)
{
    return mean + gain * sqrt(ty_k_max(mean, TY_R(0.0))) * n0 + read * n1;
}

/* Variance of a pixel of intensity I after an amplifier: (flux t + read^2)/g^2 + adc^2, and its
 * short form s1^2 I + s2^2.   [csens] (3), (4) */
TY_KFN ty_real ty_k_amplifier_variance(ty_real flux_t, ty_real read, ty_real g, ty_real adc)
{
    return (flux_t + read * read) / (g * g) + adc * adc;
}
TY_KFN ty_real ty_k_intensity_variance(ty_real s1, ty_real s2, ty_real intensity)
{
    return s1 * s1 * intensity + s2 * s2;
}

/* Response curve and its slope.   [lunar] (8)
 *     gamma    a max(0, log2(ISO x))^gamma + b   the base clamped at 0: dark below one electron
 *     sigmoid  1/(1 + exp(-a log2(ISO x) - b))   lies in (0, 1): a fraction of full scale
 *     linear   a ISO x + b
 * x [e-]; gamma and linear give digital numbers, a linear camera's gain being a ISO [DN/e-]. */
typedef struct ty_k_response_curve {
    int kind;                       /* enum ty_k_response */
    ty_real iso, a, b, gamma, full; /* [-]; full [DN] is 2^bits - 1 */
} ty_k_response_curve;

TY_KFN ty_real ty_k_response(ty_k_response_curve r, ty_real x)
{
    ty_real amplified = r.iso * x;
    if (r.kind == TY_K_LINEAR) {
        return r.a * amplified + r.b;
    }
    if (r.kind == TY_K_GAMMA) {
        return r.a * (amplified > TY_R(1.0) ? pow(log2(amplified), r.gamma) : TY_R(0.0)) + r.b;
    }
    ty_real stops = log2(ty_k_max(amplified, TY_R(1e-30)));
    return r.full / (TY_R(1.0) + exp(-r.a * stops - r.b));
}
/* [DN/e-] at x; 0 where the curve is clamped */
TY_KFN ty_real ty_k_response_slope(ty_k_response_curve r, ty_real x)
{
    const ty_real inv_ln2 = TY_R(1.44269504088896340736);
    ty_real amplified = r.iso * x;
    if (r.kind == TY_K_LINEAR) {
        return r.a * r.iso;
    }
    if (r.kind == TY_K_GAMMA) {
        return amplified > TY_R(1.0) ? r.a * r.gamma * pow(log2(amplified), r.gamma - TY_R(1.0)) * inv_ln2 / x
                                     : TY_R(0.0);
    }
    if (!(amplified > TY_R(1e-30))) {
        return TY_R(0.0);
    }
    /* y (1 - y) of the sigmoid by its smaller tail: 1 - y itself would lose the digits near full scale */
    ty_real tail = exp(-fabs(r.a * log2(amplified) + r.b)), whole = TY_R(1.0) + tail;
    return r.full * r.a * (tail / (whole * whole)) * inv_ln2 / x;
}

/* Signal [e-] that gives y; the smallest one where several do, 0 below the curve's foot. */
TY_KFN ty_real ty_k_response_inverse(ty_k_response_curve r, ty_real y)
{
    if (r.kind == TY_K_LINEAR) {
        return (y - r.b) / (r.a * r.iso);
    }
    if (r.kind == TY_K_GAMMA) {
        ty_real rise = (y - r.b) / r.a;
        return rise > TY_R(0.0) ? exp2(pow(rise, TY_R(1.0) / r.gamma)) / r.iso : TY_R(0.0);
    }
    ty_real share = y / r.full;
    return share > TY_R(0.0) && share < TY_R(1.0) ? exp2((log(share / (TY_R(1.0) - share)) - r.b) / r.a) / r.iso
                                                  : TY_R(0.0);
}

/* The nearest digital number the converter can give. */
TY_KFN ty_real ty_k_digitise(ty_real y, ty_real full)
{
    return floor(ty_k_clamp(y, TY_R(0.0), full) + TY_R(0.5));
}
/* Standard deviation [DN] of a pixel: the electrons' through the curve, to first order, and the
 * converter's rounding of 1/12 DN^2 ([csens] (3), EMVA 1288); 0 where the mean lies outside the
 * converter's range, all readings being equal. */
TY_KFN ty_real ty_k_response_sigma(ty_k_response_curve r, ty_real mean, ty_real variance)
{
    ty_real y = ty_k_response(r, mean), slope = ty_k_response_slope(r, mean);
    if (!(y >= TY_R(0.0) && y <= r.full)) {
        return TY_R(0.0);
    }
    return sqrt(slope * slope * variance + TY_R(1.0 / 12.0));
}

#endif
