/* The formulas of the sky against numbers of other programs, analytic values and numerical integration.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_sky.h"
#include "tycho/math.h"

/* CSPICE, sxform('IAU_MOON', 'J2000', 14610 days) with pck00011.tpc (quoted from a public test of
 * another program): Moon-fixed to ICRF. A rounding of the meridian's 1.9e5 degrees is 5e-13 rad. */
TY_TEST(k_sky, orientation_equals_cspice)
{
    const double want[3][3] = {
        { 5.720547105837333e-1, 8.198082524397307e-1, -2.5842548842481546e-2 },
        { -7.61073769862349e-1, 5.187960000245592e-1, -3.8938082539594815e-1 },
        { -3.0581060303147345e-1, 2.424152214491336e-1, 9.207142528946177e-1 },
    };
    ty_k_pole p = ty_k_moon_pole(14610.0);
    /* the pole is the third column; the prime meridian's w is its angle from the node, in the equator */
    TY_NEAR(cos(p.dec) * cos(p.ra), want[0][2], 2e-12);
    TY_NEAR(cos(p.dec) * sin(p.ra), want[1][2], 2e-12);
    TY_NEAR(sin(p.dec), want[2][2], 2e-12);
    TY_NEAR(-sin(p.ra) * cos(p.w) - cos(p.ra) * sin(p.dec) * sin(p.w), want[0][0], 2e-12);
    TY_NEAR(cos(p.ra) * cos(p.w) - sin(p.ra) * sin(p.dec) * sin(p.w), want[1][0], 2e-12);
    TY_NEAR(cos(p.dec) * sin(p.w), want[2][0], 2e-12);

    ty_k_pole mean = ty_k_moon_pole_mean_deg(14610.0); /* control: linear terms only */
    TY_FAR(sin(mean.dec * TY_DEG), want[2][2], 1e-3);
    TY_ROW("orientation of the Moon (IAU 2009 series) within 2e-12", "CSPICE, rotation matrix at one instant",
           "worst %.1e", fmax(tyt_worst("sin(p.dec)"), tyt_worst("cos(p.dec) * sin(p.w)")));
}

/* the table in the kernel is the table in the file */
TY_TEST(k_sky, orientation_series_is_the_published_one)
{
    TY_NEED_SHARED(path, "vectors/iau_moon_constants.csv");
    FILE *file = fopen(path, "r");
    char line[1024];
    int rows = 0;
    const double d = 9131.25, T = d / 36525.0; /* a quarter of a century: all terms at full size */
    double ra = 269.9949 + 0.0031 * T, dec = 66.5392 + 0.0130 * T, w = 38.3213 + 13.17635815 * d - 1.4e-12 * d * d;
    while (fgets(line, sizeof line, file)) {
        double e, r, a, b, c;
        int k;
        if (sscanf(line, "%d,%lf,%lf,%lf,%lf,%lf", &k, &e, &r, &a, &b, &c) == 6 && k > 0) {
            double E = (e + r * T) * TY_DEG;
            ra += a * sin(E);
            dec += b * cos(E);
            w += c * sin(E);
            rows++;
        }
    }
    fclose(file);
    ty_k_pole p = ty_k_moon_pole(d);
    TY_CHECK(rows == 13);
    TY_NEAR(p.ra / TY_DEG, ra, 1e-10);
    TY_NEAR(p.dec / TY_DEG, dec, 1e-10);
    TY_NEAR(remainder(p.w / TY_DEG - w, 360.0), 0.0, 1e-9);
    TY_CHECK(p.w >= 0.0 && p.w < 2.0 * TY_PI);
}

TY_TEST(k_sky, azimuth_goes_from_north_over_east)
{
    TY_NEAR(ty_k_azimuth(0.0, 1.0), 0.0, 0.0);
    TY_NEAR(ty_k_azimuth(1.0, 0.0), 0.5 * TY_PI, 1e-15);
    TY_NEAR(ty_k_azimuth(0.0, -1.0), TY_PI, 1e-15);
    TY_NEAR(ty_k_azimuth(-1.0, 0.0), 1.5 * TY_PI, 1e-15);
    TY_FAR(ty_k_azimuth(1.0, 0.0), atan2(0.0, 1.0), 1.0); /* control: the mathematician's angle */
    TY_NEAR(ty_k_elevation(3.0, 4.0, 5.0), 0.25 * TY_PI, 1e-15);
    /* 1e-9 rad off the zenith, where asin(z) would say 90 deg */
    TY_NEAR(0.5 * TY_PI - ty_k_elevation(1e-9, 0.0, 1.0), 1e-9, 1e-15);
    TY_FAR(0.5 * TY_PI - asin(1.0 / sqrt(1.0 + 1e-18)), 1e-9, 1e-10);
}

/* 0.5329062 deg across at 1 au (radiometry_facts.csv, from the nominal radius and the au) */
TY_TEST(k_sky, sun_at_one_au)
{
    TY_NEAR(2.0 * ty_k_angular_radius(TY_K_SUN_RADIUS, TY_K_AU) / TY_DEG, 0.5329062, 5e-8);
    TY_NEAR(2.0 * ty_k_angular_radius(TY_K_SUN_RADIUS, 0.98074 * TY_K_AU) / TY_DEG, 0.54337, 5e-6);
    TY_NEAR(ty_k_sun_irradiance(TY_K_AU), 1361.0, 1e-12);
    /* 3.828e26 W over the sphere, the nominal luminosity, at another distance; 1361 is rounded from
     * 1361.17 */
    const double r = 1.3 * TY_K_AU;
    TY_NEAR_REL(ty_k_sun_irradiance(r), 3.828e26 / (4.0 * TY_PI * r * r), 2e-4);
    TY_FAR_REL(ty_k_sun_irradiance(r), 3.828e26 / (4.0 * TY_PI * r * TY_K_AU), 2e-4); /* control: 1/r */
}

/* The terminator is half an ellipse with the semi-axis cos(phase): the lit area by counting along it. */
TY_TEST(k_sky, lit_fraction_is_the_area_between_limb_and_terminator)
{
    for (int i = 0; i <= 18; i++) {
        double phase = i * TY_PI / 18.0, area = 0.0;
        const int n = 4000;
        for (int k = 0; k < n; k++) {
            double y = -1.0 + 2.0 * (k + 0.5) / n;
            area += (1.0 + cos(phase)) * sqrt(1.0 - y * y) * 2.0 / n; /* limb minus terminator at height y */
        }
        TY_NEAR(ty_k_lit_fraction(phase), area / TY_PI, 1e-5); /* midpoint rule at the ends: n^-1.5 */
    }
    TY_FAR(ty_k_lit_fraction(0.25 * TY_PI), 0.75, 0.05); /* control: linear in the angle */
}

/* Visible part of the disk by midpoint integration of its chords above the horizon. */
TY_TEST(k_sky, visible_disk_equals_integration)
{
    const double r = 0.00465, horizon = 0.031;
    for (int i = -22; i <= 22; i++) {
        double elevation = horizon + r * i / 20.0, sum = 0.0;
        const int n = 20000;
        for (int k = 0; k < n; k++) {
            double y = r * (-1.0 + 2.0 * (k + 0.5) / n);
            sum += elevation + y > horizon ? 2.0 * sqrt(r * r - y * y) * 2.0 * r / n : 0.0;
        }
        double got = ty_k_disk_visible(elevation, horizon, r);
        TY_NEAR(got, sum / (TY_PI * r * r), 1e-4); /* a chord of 1/20000 is counted or not: 6e-5 */
        if (i == 10) {
            TY_FAR(got, 0.75, 0.02); /* control: linear in elevation */
        }
    }
    TY_NEAR(ty_k_disk_visible(horizon, horizon, r), 0.5, 1e-15);
    TY_NEAR(ty_k_disk_visible(horizon - r, horizon, r), 0.0, 1e-15);
    TY_NEAR(ty_k_disk_visible(horizon + r, horizon, r), 1.0, 1e-15);
    TY_NEAR(ty_k_disk_visible(-1.0, horizon, r), 0.0, 1e-15);
    TY_NEAR(ty_k_disk_visible(1.0, horizon, r), 1.0, 1e-15);
    TY_ROW("share of the Sun's disk over a horizon within 1e-4", "numerical integration", "worst %.1e",
           tyt_worst("got"));
}

/* The claim in the header: on the round sky, the part of a Sun-sized cap above a line of equal elevation. */
TY_TEST(k_sky, flat_sky_is_enough_for_the_sun)
{
    const double r = 0.00465;
    for (int e = 0; e <= 45; e += 15) {
        for (int i = -9; i <= 9; i += 3) {
            double horizon = e * TY_DEG, centre = horizon + r * i / 10.0, above = 0.0, all = 0.0;
            for (int ring = 0; ring < 400; ring++) {
                double q = r * (ring + 0.5) / 400.0, weight = sin(q);
                for (int k = 0; k < 400; k++) {
                    double turn = 2.0 * TY_PI * (k + 0.5) / 400.0;
                    /* elevation of the point q away from the centre, in the direction `turn` from up */
                    double z = sin(centre) * cos(q) + cos(centre) * sin(q) * cos(turn);
                    all += weight;
                    above += asin(z) > horizon ? weight : 0.0;
                }
            }
            TY_NEAR(ty_k_disk_visible(centre, horizon, r), above / all, 2e-3); /* 1e-3, and 400 x 400 points */
        }
    }
}
