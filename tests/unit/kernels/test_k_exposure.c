/* The physical camera, stage by stage and as a chain: closed forms, slopes by differences, noise by drawing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_exposure.h"
#include "k_philox.h"
#include "tycho/math.h"

/* A Lambert target of albedo 0.12 under 1361 W/m2 seen at f/4 by 5 um pixels for 1 ms at 550 nm,
 * quantum efficiency 0.5: L = 0.12 1361/pi; E = pi L/(4 16) = 2.551875 W/m2; joules E C^2 t =
 * 6.3796875e-14, photons of 3.6117e-19 J. */
TY_TEST(exposure, electrons)
{
    double h = 6.62607015e-34, c = 299792458.0, lambda = 550e-9;
    double irradiance = ty_k_image_irradiance(0.12 * 1361.0 / TY_PI, 4.0, 1.0);
    TY_NEAR_REL(irradiance, 2.551875, 1e-12);
    double got = ty_k_aggregate(1.0, irradiance, 5e-6, 1e-3, 0.5, lambda);
    TY_NEAR_REL(got, 6.3796875e-14 * 0.5 / (h * c / lambda), 1e-8); /* hc is kept to 9 digits */
    TY_FAR_REL(got, 6.3796875e-14 * 0.5 / (h * c / 650e-9), 1e-2);  /* control: red light */
    TY_NEAR_REL(ty_k_aggregate(3.0, irradiance, 5e-6, 1e-3, 0.5, lambda), 3.0 * got, 1e-15);
    TY_NEAR(ty_k_mean_electrons(got, 20.0, 0.5) - got, 10.0, 1e-9);
}

TY_TEST(exposure, vignetting_is_cos4)
{
    TY_NEAR(ty_k_vignetting(1.0, cos(30.0 * TY_DEG)), 9.0 / 16.0, 1e-15);
    TY_NEAR(ty_k_vignetting(0.5, cos(60.0 * TY_DEG)), 1.0 - 0.5 * 15.0 / 16.0, 1e-15);
    TY_NEAR(ty_k_vignetting(1.0, 1.0), 1.0, 0.0);
    TY_FAR(ty_k_vignetting(1.0, cos(30.0 * TY_DEG)), 0.75, 1e-2); /* control: cos^2 */
}

/* 50 mm at f/2 focused at 2 m, 5 um pixels: a point at 4 m blurs over f^2 |d - U|/(N C d (U - f)) =
 * 64.10 px. */
TY_TEST(exposure, defocus)
{
    double d = ty_k_defocus_diameter(1.0, 0.05, 4.0, 2.0, 2.0, 5e-6);
    TY_NEAR(d, 0.0025 * 2.0 / (2.0 * 5e-6 * 4.0 * 1.95), 1e-9);
    TY_NEAR(d, 64.102564, 1e-6);
    TY_NEAR(ty_k_defocus_diameter(1.0, 0.05, 2.0, 2.0, 2.0, 5e-6), 0.0, 0.0); /* in focus */
    TY_FAR(ty_k_defocus_diameter(1.0, 0.05, 1.5, 2.0, 2.0, 5e-6), d, 1.0);
    /* the weights of a kernel of sigma = D/6 cut at D/2 hold all but 2 (1 - Phi(3)) of the light, in each axis */
    double sum = 0.0, spread = 0.0, sigma = d / 6.0;
    for (int y = -32; y <= 32; y++) {
        for (int x = -32; x <= 32; x++) {
            double weight = ty_k_defocus_weight(sigma, x, y);
            sum += weight;
            spread += weight * x * x;
        }
    }
    TY_NEAR(sum, 0.9973 * 0.9973, 1e-3);
    TY_NEAR(sqrt(spread / sum) / sigma, 1.0, 0.03); /* the 3 % for D >= 8 px */
}

/* Each curve exactly, at signals where its logarithm is whole; slopes by central differences. */
TY_TEST(exposure, response_curves)
{
    double full = 65535.0;
    ty_k_response_curve gamma = { TY_K_GAMMA, 4.0, 3.0, 7.0, 2.5, full };
    ty_k_response_curve sigmoid = { TY_K_SIGMOID, 2.0, 0.7, -3.0, 1.0, full };
    ty_k_response_curve linear = { TY_K_LINEAR, 100.0, 0.02, 64.0, 1.0, full };
    TY_NEAR(ty_k_response(gamma, 256.0), 3.0 * pow(10.0, 2.5) + 7.0, 1e-10);
    TY_NEAR(ty_k_response(gamma, 0.2), 7.0, 0.0); /* below one amplified electron: dark */
    TY_NEAR(ty_k_response(gamma, 0.25), 7.0, 0.0);
    TY_NEAR(ty_k_response(gamma, 0.0), 7.0, 0.0);
    TY_NEAR(ty_k_response(sigmoid, 512.0), full / (1.0 + exp(-7.0 + 3.0)), 1e-9);
    TY_NEAR(ty_k_response(sigmoid, 0.0), 0.0, 1e-5);
    TY_NEAR(ty_k_response(linear, 5000.0), 10064.0, 1e-9);
    TY_FAR(ty_k_response(gamma, 256.0), 3.0 * pow(log(1024.0), 2.5) + 7.0, 1.0); /* control: natural logarithm */
    const ty_k_response_curve curves[3] = { gamma, sigmoid, linear };
    for (int k = 0; k < 3; k++) {
        for (double x = 2.0; x < 3e4; x *= 3.0) {
            double h = 1e-4 * x,
                   slope = (ty_k_response(curves[k], x + h) - ty_k_response(curves[k], x - h)) / (2.0 * h);
            TY_NEAR_REL(ty_k_response_slope(curves[k], x), slope, 1e-6);
            TY_FAR_REL(ty_k_response_slope(curves[k], x), 1.01 * slope, 1e-6);
        }
    }
    TY_NEAR(ty_k_response_slope(gamma, 0.1), 0.0, 0.0);
}

TY_TEST(exposure, quantise)
{
    TY_NEAR(ty_k_digitise(41.49, 4095.0), 41.0, 0.0);
    TY_NEAR(ty_k_digitise(41.5, 4095.0), 42.0, 0.0);
    TY_NEAR(ty_k_digitise(-3.0, 4095.0), 0.0, 0.0);
    TY_NEAR(ty_k_digitise(1e9, 4095.0), 4095.0, 0.0);
    TY_FAR(ty_k_digitise(41.6, 4095.0), 41.0, 0.5); /* control: no truncation */
}

/* 200 000 readings of a pixel: mean and variance as the formulas say. Bounds are 5 standard errors:
 * s/sqrt(N) and s^2 sqrt(2/N). Controls: Poisson's variance without the read noise, or without the
 * converter's 1/12. */
static void check_readings(ty_k_response_curve curve, double mean, double gain, double read, ty_u32 stream)
{
    enum { N = 200000 };
    double sum = 0.0, square = 0.0, expected = ty_k_response(curve, mean);
    for (ty_u32 n = 0; n < N; n++) {
        ty_k_u32x4 r = ty_k_philox(n, stream, 0, 0, 31, TY_RNG_TEST);
        double u0 = ty_k_uniform(r.v[0]), u1 = ty_k_uniform(r.v[1]);
        double x = ty_k_noisy_electrons(mean, gain, read, ty_k_normal(u0, u1, 0), ty_k_normal(u0, u1, 1));
        double y = ty_k_digitise(ty_k_response(curve, x), curve.full) - expected;
        sum += y;
        square += y * y;
    }
    double variance = square / N - sum / N * sum / N;
    double sigma = ty_k_response_sigma(curve, mean, ty_k_electron_variance(mean, gain, read));
    TY_NEAR(sum / N, 0.0, 5.0 * sigma / sqrt(N));
    TY_NEAR(variance, sigma * sigma, 5.0 * sigma * sigma * sqrt(2.0 / N));
    double slope = ty_k_response_slope(curve, mean);
    TY_FAR(variance, slope * slope * gain * gain * mean + 1.0 / 12.0, 5.0 * sigma * sigma * sqrt(2.0 / N));
}

TY_TEST(exposure, noise)
{
    ty_k_response_curve linear = { TY_K_LINEAR, 1.0, 0.4, 200.0, 1.0, 65535.0 };
    check_readings(linear, 40.0, 1.0, 3.0, 1); /* sigma 2.8 DN: the converter counts */
    check_readings(linear, 5000.0, 1.0, 12.0, 2);
    check_readings(linear, 20000.0, 2.0, 60.0, 3);
}

/* The photon-transfer line: variance against mean over an exposure series has slope a ISO [DN/e-]
 * and meets the dark variance at zero signal (EMVA 1288). Exact in the formulas; the rounding's
 * 1/12 is constant. */
TY_TEST(exposure, photon_transfer)
{
    ty_k_response_curve linear = { TY_K_LINEAR, 8.0, 0.05, 100.0, 1.0, 4095.0 };
    double gain = 0.4, read = 6.0, dark = 30.0;
    double y0 = ty_k_response(linear, dark),
           s0 = ty_k_response_sigma(linear, dark, ty_k_electron_variance(dark, 1.0, read));
    for (double signal = 100.0; signal < 8000.0; signal *= 2.0) {
        double mean = ty_k_mean_electrons(signal, dark, 1.0);
        double y = ty_k_response(linear, mean);
        double s = ty_k_response_sigma(linear, mean, ty_k_electron_variance(mean, 1.0, read));
        TY_NEAR_REL((s * s - s0 * s0) / (y - y0), gain, 1e-12);
        TY_FAR_REL((s * s - s0 * s0) / (y - y0), 2.0 * gain, 0.02);
    }
    TY_NEAR(sqrt(s0 * s0 - 1.0 / 12.0) / gain, sqrt(read * read + dark), 1e-12); /* EMVA's sigma_d */
    TY_NEAR(ty_k_response_sigma(linear, 1e6, 1e6), 0.0, 0.0);                    /* full: all readings alike */
}

/* [csens] (3) with flux t = I g and (4) are one line: s1^2 = 1/g, s2^2 = read^2/g^2 + adc^2. */
TY_TEST(exposure, amplifier)
{
    double g = 2.5, read = 4.0, adc = 0.29;
    for (double intensity = 1.0; intensity < 1e4; intensity *= 10.0) {
        double three = ty_k_amplifier_variance(intensity * g, read, g, adc);
        TY_NEAR_REL(ty_k_intensity_variance(sqrt(1.0 / g), sqrt(read * read / (g * g) + adc * adc), intensity), three,
                    1e-14);
        TY_FAR_REL(ty_k_intensity_variance(sqrt(1.0 / g), 0.0, intensity), three, 1e-5);
    }
}
