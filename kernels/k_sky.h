/* kernels/k_sky.h - the sky over the Moon: how the Moon turns, and what a disk in the sky looks like.
 *
 * Where Sun, Earth and Moon are is the ephemeris library's work (src/world/sky); here is what
 * remains. The orientation needs double precision: a float holds the prime meridian's angle to 0.01
 * deg at best.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SKY_H
#define TY_K_SKY_H
#include "k_base.h"

#define TY_K_AU           TY_R(149597870700.0) /* [m] astronomical unit, exact [iau2012b2] */
#define TY_K_SUN_RADIUS   TY_R(695.7e6)        /* [m] nominal [prsa2016] */
#define TY_K_EARTH_RADIUS TY_R(6371008.4)      /* [m] mean [archinal2011] table 4 */
#define TY_K_SOLAR        TY_R(1361.0)         /* [W/m^2] nominal, at 1 au [prsa2016] */

/* Orientation of a body: the north pole's direction and the prime meridian's angle, in the ICRF. */
typedef struct ty_k_pole {
    ty_real ra, dec; /* [rad] right ascension and declination of the north pole */
    ty_real w;       /* [rad] from the node of the body's equator on the ICRF's, eastward; 0 to 2 pi */
} ty_k_pole;

/* Linear part of the Moon's orientation, in degrees (its only caller adds the series in degrees).
 *
 *     ra = 269.9949 + 0.0031 T,  dec = 66.5392 + 0.0130 T,  w = 38.3213 + 13.17635815 d - 1.4e-12
 * d^2 [archinal2011] table 2, Moon d [day] of TDB since J2000, T = d / 36525 */
TY_KFN ty_k_pole ty_k_moon_pole_mean_deg(ty_real d)
{
    ty_real T = d / TY_R(36525.0);
    ty_k_pole mean;
    mean.ra = TY_R(269.9949) + TY_R(0.0031) * T;
    mean.dec = TY_R(66.5392) + TY_R(0.0130) * T;
    mean.w = TY_R(38.3213) + TY_R(13.17635815) * d - TY_R(1.4e-12) * d * d;
    return mean;
}

/* Orientation of the Moon: mean-Earth/polar-axis frame, IAU 2009 series.
 *
 *     ra = mean + sum a_k sin(E_k),  dec = mean + sum b_k cos(E_k),  w = mean + sum c_k sin(E_k)
 *     E_k = e_k + r_k T                                                [archinal2011] table 2, Moon
 *
 * d [day] of TDB since J2000, |d| < 36525. Follows the numerically integrated orientation to about
 * 150 m on the ground, 0.005 deg [archinal2011]. */
TY_KFN ty_k_pole ty_k_moon_pole(ty_real d)
{
    const ty_real rad = TY_K_PI / TY_R(180.0);
    /* e [deg], r [deg/century], a, b, c [deg] */
    const ty_real term[13][5] = {
        { TY_R(125.045), TY_R(-1935.5364525), TY_R(-3.8787), TY_R(1.5419), TY_R(3.5610) },
        { TY_R(250.089), TY_R(-3871.0729050), TY_R(-0.1204), TY_R(0.0239), TY_R(0.1208) },
        { TY_R(260.008), TY_R(475263.3328725), TY_R(0.0700), TY_R(-0.0278), TY_R(-0.0642) },
        { TY_R(176.625), TY_R(487269.6299850), TY_R(-0.0172), TY_R(0.0068), TY_R(0.0158) },
        { TY_R(357.529), TY_R(35999.0509575), TY_R(0.0), TY_R(0.0), TY_R(0.0252) },
        { TY_R(311.589), TY_R(964468.4993100), TY_R(0.0072), TY_R(-0.0029), TY_R(-0.0066) },
        { TY_R(134.963), TY_R(477198.8693250), TY_R(0.0), TY_R(0.0009), TY_R(-0.0047) },
        { TY_R(276.617), TY_R(12006.3007650), TY_R(0.0), TY_R(0.0), TY_R(-0.0046) },
        { TY_R(34.226), TY_R(63863.5132425), TY_R(0.0), TY_R(0.0), TY_R(0.0028) },
        { TY_R(15.134), TY_R(-5806.6093575), TY_R(-0.0052), TY_R(0.0008), TY_R(0.0052) },
        { TY_R(119.743), TY_R(131.8406400), TY_R(0.0), TY_R(0.0), TY_R(0.0040) },
        { TY_R(239.961), TY_R(6003.1503825), TY_R(0.0), TY_R(0.0), TY_R(0.0019) },
        { TY_R(25.053), TY_R(473327.7964200), TY_R(0.0043), TY_R(-0.0009), TY_R(-0.0044) },
    };
    ty_k_pole p = ty_k_moon_pole_mean_deg(d);
    for (int k = 0; k < 13; k++) {
        ty_real E = rad * fmod(term[k][0] + term[k][1] * (d / TY_R(36525.0)), TY_R(360.0));
        p.ra += term[k][2] * sin(E);
        p.dec += term[k][3] * cos(E);
        p.w += term[k][4] * sin(E);
    }
    p.ra *= rad;
    p.dec *= rad;
    p.w = rad * (p.w - TY_R(360.0) * floor(p.w / TY_R(360.0)));
    return p;
}

/* Azimuth [rad] of a direction with the given east and north parts: from north, clockwise (over
 * east), 0 to 2 pi. Straight up or down it is 0. */
TY_KFN ty_real ty_k_azimuth(ty_real east, ty_real north)
{
    ty_real a = atan2(east, north);
    return a < TY_R(0.0) ? a + TY_R(2.0) * TY_K_PI : a;
}

/* Angle [rad] of a direction above the plane of its first two parts: elevation from east, north,
 * up; latitude from Moon-fixed x, y, z. atan2 keeps it sharp at the zenith, where asin is not. */
TY_KFN ty_real ty_k_elevation(ty_real x, ty_real y, ty_real z)
{
    return atan2(z, sqrt(x * x + y * y));
}

/* Angle [rad] from the centre to the limb of a sphere: asin(radius / distance), same unit, distance > radius. */
TY_KFN ty_real ty_k_angular_radius(ty_real radius, ty_real distance)
{
    return asin(radius / distance);
}

/* Sunlight [W/m^2] on a surface that faces the Sun at a distance [m]: 1361 (1 au / distance)^2 [prsa2016]. */
TY_KFN ty_real ty_k_sun_irradiance(ty_real distance)
{
    ty_real au = distance / TY_K_AU;
    return TY_K_SOLAR / (au * au);
}

/* Irradiance [W/m^2] of a star of visual magnitude v, as a fraction of the Sun's at 1 au: in every band the Sun's own
 * times
 *     10^(-0.4 (v + 26.76)), -26.76 being the Sun's   [willmer2018]
 * exact in the visual for any colour, elsewhere for stars of the Sun's colour. */
TY_KFN ty_real ty_k_star_irradiance(ty_real v)
{
    return TY_K_SOLAR * exp(TY_R(-0.921034037197618) * (v + TY_R(26.76))); /* 0.4 ln 10 */
}

/* Fraction [-] of a sphere's disk that is lit, seen at a phase angle [rad] (Sun-body-eye):
 * k = (1 + cos phase) / 2   [meeus1998] (48.1), written cos^2(phase / 2), which does not cancel
 * near new. */
TY_KFN ty_real ty_k_lit_fraction(ty_real phase)
{
    ty_real c = cos(TY_R(0.5) * phase);
    return c * c;
}

/* Fraction [-] of a disk above a straight horizon: the circular segment.
 *
 *     x = (elevation - horizon) / radius, clamped to -1 .. 1
 *     f = 1/2 + (asin(x) + x sqrt(1 - x^2)) / pi
 *
 * elevation [rad] of the disk's centre, horizon [rad] elevation of the skyline below it, radius
 * [rad] > 0. Even brightness (no limb darkening) and a flat sky: for the Sun, 0.27 deg, the curve
 * of a line of equal elevation changes f by less than 0.001 below 45 deg. */
TY_KFN ty_real ty_k_disk_visible(ty_real elevation, ty_real horizon, ty_real radius)
{
    ty_real x = ty_k_clamp((elevation - horizon) / radius, TY_R(-1.0), TY_R(1.0));
    return TY_R(0.5) + (asin(x) + x * sqrt(TY_R(1.0) - x * x)) / TY_K_PI;
}

#endif
