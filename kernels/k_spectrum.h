/* kernels/k_spectrum.h - Host only: light by wavelength: the Sun, the Moon's colour, and means over bands.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SPECTRUM_H
#define TY_K_SPECTRUM_H
#include "k_planck.h"

/* [W/m^2/nm] the Sun at 1 AU, means over 10 nm from 300 to 1100 nm: column "extraterrestrial" of ASTM G173-03, whose whole
 * spectrum has 1366.1 W/m^2 [astmg173]. From the standard's rows of 1 nm between 400 and 700 nm and every 2 nm elsewhere. */
#define TY_K_SUN_FIRST TY_R(300e-9)
#define TY_K_SUN_STEP  TY_R(10e-9)
#define TY_K_SUN_BINS  80
#define TY_K_SUN_WHOLE TY_R(1366.1)
__attribute__((unused)) static const ty_real ty_k_sun_table[TY_K_SUN_BINS] = {
    TY_R(0.5551), TY_R(0.6776), TY_R(0.8746), TY_R(0.9691), TY_R(0.9501), TY_R(0.9966), TY_R(1.1328), TY_R(1.1680),
    TY_R(0.9950), TY_R(1.1881), TY_R(1.7201), TY_R(1.7336), TY_R(1.6693), TY_R(1.6434), TY_R(1.9239), TY_R(2.0312),
    TY_R(2.0175), TY_R(2.0286), TY_R(1.9320), TY_R(1.9523), TY_R(1.9166), TY_R(1.8273), TY_R(1.8701), TY_R(1.8885),
    TY_R(1.8546), TY_R(1.8465), TY_R(1.8362), TY_R(1.8348), TY_R(1.8091), TY_R(1.7840), TY_R(1.7510), TY_R(1.6959),
    TY_R(1.6796), TY_R(1.6439), TY_R(1.6005), TY_R(1.5230), TY_R(1.5550), TY_R(1.5093), TY_R(1.4732), TY_R(1.4454),
    TY_R(1.4086), TY_R(1.3733), TY_R(1.3486), TY_R(1.3183), TY_R(1.2818), TY_R(1.2697), TY_R(1.2341), TY_R(1.2073),
    TY_R(1.1853), TY_R(1.1433), TY_R(1.1282), TY_R(1.1033), TY_R(1.0687), TY_R(1.0537), TY_R(1.0141), TY_R(0.9622),
    TY_R(0.9623), TY_R(0.9624), TY_R(0.9399), TY_R(0.9285), TY_R(0.9024), TY_R(0.8923), TY_R(0.8652), TY_R(0.8596),
    TY_R(0.8244), TY_R(0.8134), TY_R(0.7920), TY_R(0.7797), TY_R(0.7687), TY_R(0.7524), TY_R(0.7331), TY_R(0.7187),
    TY_R(0.6974), TY_R(0.6826), TY_R(0.6668), TY_R(0.6547), TY_R(0.6390), TY_R(0.6268), TY_R(0.6106), TY_R(0.5866)
};

/* Share of the Sun's irradiance per wavelength [1/m] at lambda [m]: the table, and outside it a black body of 5772 K
 * [prsa2016], 15/pi^4 x^4/(e^x - 1)/lambda. Times 1361 W/m^2 (IAU 2015 B3) it is the spectrum used here. */
TY_KFN ty_real ty_k_sun_density(ty_real lambda)
{
    ty_real at = (lambda - TY_K_SUN_FIRST) / TY_K_SUN_STEP;
    if (at >= TY_R(0.0) && at < (ty_real)TY_K_SUN_BINS) {
        return ty_k_sun_table[(int)at] * TY_R(1e9) / TY_K_SUN_WHOLE;
    }
    ty_real x = TY_R(0.01438776877) / (lambda * TY_R(5772.0));
    return TY_R(0.153989733820265) * x * x * x * x / (exp(x) - TY_R(1.0)) / lambda;
}

/* The Moon's reflectance relative to that at 549.1 nm: disk-equivalent albedo of ROLO at 45 deg of phase, waxing (1059.5 nm:
 * waning) [kieffer2005]; linear between its bands, constant outside. */
#define TY_K_MOON_POINTS 17
__attribute__((unused)) static const ty_real ty_k_moon_table[TY_K_MOON_POINTS][2] = {
    { TY_R(350.0e-9), TY_R(0.5406) },  { TY_R(405.0e-9), TY_R(0.7443) },  { TY_R(441.6e-9), TY_R(0.7654) },
    { TY_R(475.0e-9), TY_R(0.8393) },  { TY_R(486.9e-9), TY_R(0.8590) },  { TY_R(549.1e-9), TY_R(1.0000) },
    { TY_R(665.1e-9), TY_R(1.2704) },  { TY_R(693.1e-9), TY_R(1.2478) },  { TY_R(745.3e-9), TY_R(1.3162) },
    { TY_R(865.3e-9), TY_R(1.4905) },  { TY_R(882.0e-9), TY_R(1.4957) },  { TY_R(942.1e-9), TY_R(1.4508) },
    { TY_R(1059.5e-9), TY_R(1.6385) }, { TY_R(1243.2e-9), TY_R(1.8568) }, { TY_R(1538.7e-9), TY_R(2.2588) },
    { TY_R(1633.6e-9), TY_R(2.3169) }, { TY_R(1981.5e-9), TY_R(2.5918) }
};

/* y at x of n points (x, y) with rising x; linear between them, outside them y of the end, or 0 when `ends` is 0 */
TY_KFN ty_real ty_k_table_at(const ty_real (*point)[2], int n, int ends, ty_real x)
{
    if (x <= point[0][0]) {
        return ends || x == point[0][0] ? point[0][1] : TY_R(0.0);
    }
    for (int i = 1; i < n; i++) {
        if (x <= point[i][0]) {
            ty_real t = (x - point[i - 1][0]) / (point[i][0] - point[i - 1][0]);
            return point[i - 1][1] + t * (point[i][1] - point[i - 1][1]);
        }
    }
    return ends ? point[n - 1][1] : TY_R(0.0);
}

TY_KFN ty_real ty_k_moon_color(ty_real lambda)
{
    return ty_k_table_at(ty_k_moon_table, TY_K_MOON_POINTS, 1, lambda);
}

/* Integral over a band, low to high [m], of the Sun's share times y(lambda) (n points; 0: 1) times lambda^power times the
 * Moon's colour (color 1) or not (0): [m^power]. By rectangles of at most 1 nm, which the table's bins end on. */
TY_KFN ty_real ty_k_sun_integral(ty_real low, ty_real high, const ty_real (*point)[2], int n, int power, int color)
{
    int steps = (int)ceil((high - low) * TY_R(1e9));
    ty_real h = (high - low) / (ty_real)(steps > 1 ? steps : 1), sum = TY_R(0.0);
    for (int i = 0; i < (steps > 1 ? steps : 1); i++) {
        ty_real l = low + ((ty_real)i + TY_R(0.5)) * h;
        sum += ty_k_sun_density(l) * (n ? ty_k_table_at(point, n, 0, l) : TY_R(1.0)) * (power ? l : TY_R(1.0)) *
               (color ? ty_k_moon_color(l) : TY_R(1.0));
    }
    return sum * h;
}

/* Share [-] of the Sun's irradiance between two wavelengths [m]. */
TY_KFN ty_real ty_k_sun_share(ty_real low, ty_real high)
{
    return ty_k_sun_integral(low, high, ty_k_moon_table, 0, 0, 0);
}

/* Reflectance [-] of lunar ground in a band relative to that at 549.1 nm, weighted by the Sun. */
TY_KFN ty_real ty_k_moon_band(ty_real low, ty_real high)
{
    return ty_k_sun_integral(low, high, ty_k_moon_table, 0, 0, 1) /
           ty_k_sun_integral(low, high, ty_k_moon_table, 0, 0, 0);
}

/* Electrons per joule of sunlight in a band, times h c [m]: integral of Sun, quantum efficiency (n points over wavelength)
 * and lambda, over that of the Sun. A photon of lambda has h c/lambda joules. */
TY_KFN ty_real ty_k_band_response(ty_real low, ty_real high, const ty_real (*qe)[2], int n)
{
    return ty_k_sun_integral(low, high, qe, n, 1, 0) / ty_k_sun_integral(low, high, qe, 0, 0, 0);
}

#endif
