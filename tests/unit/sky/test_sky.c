/* Properties that any right sky has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_sky.h"
#include "tycho/sky.h"

static ty_sky sky_at(const char *text)
{
    ty_utc utc;
    ty_sky sky;
    ty_diag diag = { 0 };
    cr_assert(ty_utc_parse(text, &utc, &diag) == TY_OK && ty_sky_at(utc, &sky, &diag) == TY_OK, "%s", diag.text);
    return sky;
}

static ty_sky_view view(const ty_sky *sky, double lat, double lon)
{
    ty_site site = ty_site_make(lat, lon, TY_MOON_RADIUS);
    return ty_sky_view_at(sky, &site);
}

static const char *const times[] = { "1960-01-01", "1969-07-21T03:15", "1999-12-31T12:00", "2024-08-12",
                                     "2099-12-31T23:59" };
#define TIMES (sizeof times / sizeof times[0])

TY_TEST(sky, sub_points_see_their_body_in_the_zenith)
{
    for (size_t i = 0; i < TIMES; i++) {
        ty_sky sky = sky_at(times[i]);
        ty_sky_view sun = view(&sky, sky.subsolar_lat, sky.subsolar_lon);
        ty_sky_view earth = view(&sky, sky.subearth_lat, sky.subearth_lon);
        TY_NEAR(sun.sun.elevation, 0.5 * TY_PI, 1e-12);
        TY_NEAR(earth.earth.elevation, 0.5 * TY_PI, 1e-12);
        TY_NEAR(sun.sun.distance, ty_norm(sky.sun_M) - TY_MOON_RADIUS, 1e-3);
        TY_FAR(earth.sun.elevation, 0.5 * TY_PI, 1e-3); /* control: the other point */
        /* the antipode has it in the nadir */
        TY_NEAR(view(&sky, -sky.subsolar_lat, sky.subsolar_lon + TY_PI).sun.elevation, -0.5 * TY_PI, 1e-12);
    }
}

/* At a pole, north is the site's own meridian (south pole) or the opposite one, and east follows longitude. */
TY_TEST(sky, azimuth_at_the_poles)
{
    for (size_t i = 0; i < TIMES; i++) {
        ty_sky sky = sky_at(times[i]);
        for (double lon = -3.0; lon < 3.1; lon += 1.5) {
            ty_sky_view south = view(&sky, -0.5 * TY_PI, lon), north = view(&sky, 0.5 * TY_PI, lon);
            TY_NEAR(remainder(south.sun.azimuth - (sky.subsolar_lon - lon), 2.0 * TY_PI), 0.0, 1e-12);
            TY_NEAR(remainder(north.sun.azimuth - (TY_PI - sky.subsolar_lon + lon), 2.0 * TY_PI), 0.0, 1e-12);
            /* the Sun stands as high as its declination, but for the 2.4 arcsec of parallax */
            TY_NEAR(south.sun.elevation, -sky.subsolar_lat, 1.3e-5);
            TY_NEAR(north.sun.elevation, sky.subsolar_lat, 1.3e-5);
        }
        ty_sky_view east = view(&sky, 0.0, sky.subsolar_lon - 0.5); /* the Sun is further east */
        TY_NEAR(east.sun.azimuth, 0.5 * TY_PI, 0.06);
        TY_NEAR(east.sun.elevation, 0.5 * TY_PI - 0.5, 0.01);
    }
}

/* The law of sines gives the parallax of the Earth: sin p = (R / d) sin(zenith distance from the centre). */
TY_TEST(sky, parallax_follows_the_law_of_sines)
{
    ty_sky sky = sky_at("2024-08-12");
    double lat = sky.subearth_lat, lon = sky.subearth_lon + 1.2, d = ty_norm(sky.earth_M);
    double z = acos(sin(lat) * sin(lat) + cos(lat) * cos(lat) * cos(1.2)); /* seen from the centre */
    ty_sky_view v = view(&sky, lat, lon);
    double p = 0.5 * TY_PI - v.earth.elevation - z;
    TY_NEAR(sin(p), TY_MOON_RADIUS / v.earth.distance * sin(z), 1e-12);
    TY_NEAR(p / TY_DEG, 0.26 * sin(z), 0.02);
    TY_FAR(v.earth.elevation, 0.5 * TY_PI - z, 1e-3); /* control: no parallax */
    TY_NEAR(v.earth.distance, sqrt(d * d + TY_MOON_RADIUS * TY_MOON_RADIUS - 2 * d * TY_MOON_RADIUS * cos(z)), 1.0);
}

/* The angles of the triangle Sun, Earth, place add up; the Earth is full when the Moon is new. */
TY_TEST(sky, phase_of_the_earth)
{
    ty_sky sky = sky_at("2024-08-12");
    ty_sky_view v = view(&sky, -1.5, 1.1);
    double sep = acos(ty_dot(v.sun.dir_W, v.earth.dir_W));
    double a = v.sun.distance, b = v.earth.distance, c = sqrt(a * a + b * b - 2.0 * a * b * cos(sep));
    TY_NEAR(v.earth_phase, acos((b * b + c * c - a * a) / (2.0 * b * c)), 1e-9);
    TY_NEAR(v.earth_lit, 0.5 * (1.0 + cos(v.earth_phase)), 1e-15);
    TY_FAR(v.earth_phase, sep, 1e-2); /* control: the angle at the Moon instead */
    /* total eclipses: of the Sun 2017-08-21 18:26 (new Moon), of the Moon 2018-07-27 20:22 (full Moon), NASA */
    ty_sky new_moon = sky_at("2017-08-21T18:26"), full_moon = sky_at("2018-07-27T20:22");
    TY_NEAR(view(&new_moon, 0.0, 0.0).earth_lit, 1.0, 1e-4);
    TY_NEAR(view(&full_moon, 0.0, 0.0).earth_lit, 0.0, 1e-4);
    /* in the eclipse the Sun's disk stands behind the Earth's, as seen from the near side's middle */
    ty_sky_view e = view(&full_moon, 0.0, 0.0);
    TY_CHECK(acos(ty_dot(e.sun.dir_W, e.earth.dir_W)) + e.sun.radius < e.earth.radius);
}

/* Sunlight over a year: the Earth's orbit with its eccentricity of 0.0167, and the Moon at most
 * 0.0027 au from it. */
TY_TEST(sky, irradiance_over_a_year)
{
    ty_utc start;
    static ty_sky_view views[366];
    ty_site site = ty_site_make(0.3, 0.4, TY_MOON_RADIUS);
    ty_diag diag = { 0 };
    cr_assert(ty_utc_parse("2024-01-01", &start, &diag) == TY_OK);
    cr_assert(ty_sky_series(&site, start, 86400 * TY_SECOND, 366, views, &diag) == TY_OK);
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < 366; i++) {
        low = fmin(low, views[i].irradiance);
        high = fmax(high, views[i].irradiance);
        double au = views[i].sun.distance / TY_K_AU;
        TY_NEAR(views[i].irradiance, 1361.0 / (au * au), 1e-9);
        TY_NEAR(views[i].sun.radius, 0.00465047 / au, 2e-8);
        TY_CHECK(views[i].earth.radius > 0.85 * TY_DEG && views[i].earth.radius < 1.05 * TY_DEG);
    }
    TY_CHECK(high > 1361.0 / pow(0.9833, 2.0) && high < 1361.0 / pow(0.9833 - 0.0027, 2.0));
    TY_CHECK(low < 1361.0 / pow(1.0167, 2.0) && low > 1361.0 / pow(1.0167 + 0.0027, 2.0));
    TY_FAR(low, 1361.0, 40.0); /* control: distance forgotten */
    TY_ROW("irradiance 1361 W/m2 at 1 AU, by the square of the distance within 1e-9 W/m2",
           "perihelion 0.9833, aphelion 1.0167 AU", "%.0e W/m2; %.0f to %.0f W/m2 in 2024",
           tyt_worst("views[i].irradiance"), low, high);
}

/* A series is the same as single calls, and its Sun moves evenly: one turn in a mean synodic month. */
TY_TEST(sky, series_equals_single_calls)
{
    enum { N = 60 };
    static ty_sky_view views[N];
    ty_sky first = sky_at("2024-08-12T06:00");
    ty_site site = ty_site_make(-87.2 * TY_DEG, 62.8 * TY_DEG, TY_MOON_RADIUS);
    ty_diag diag = { 0 };
    cr_assert(ty_sky_series(&site, first.utc, 12 * 3600 * TY_SECOND, N, views, &diag) == TY_OK);
    ty_sky_view one = ty_sky_view_at(&first, &site);
    TY_CHECK(memcmp(&one, &views[0], sizeof one) == 0);
    ty_sky last = sky_at("2024-09-10T18:00");
    one = ty_sky_view_at(&last, &site);
    TY_CHECK(memcmp(&one, &views[N - 1], sizeof one) == 0);
    double turn = 0.0;
    for (int i = 1; i < N; i++) {
        turn += remainder(views[i].sun.azimuth - views[i - 1].sun.azimuth, 2.0 * TY_PI);
    }
    TY_NEAR(turn, -2.0 * TY_PI * 29.5 / 29.530589, 0.05);
    /* a summer's Sun over that ridge: 1.6 deg at most, the disk cut by the plane at the day's ends */
    TY_NEAR(ty_sky_visible(&views[0].sun, views[0].sun.elevation), 0.5, 1e-15);
    TY_NEAR(ty_sky_visible(&views[0].sun, 0.0), 1.0, 0.0);
}

TY_TEST(sky, times_outside_the_theories_are_refused)
{
    ty_sky sky;
    ty_diag diag = { 0 };
    ty_utc first, last;
    cr_assert(ty_utc_parse("1960-01-01", &first, NULL) == TY_OK);
    cr_assert(ty_utc_parse("2099-12-31T23:59:59.999999999", &last, NULL) == TY_OK);
    TY_CHECK(ty_sky_at(first, &sky, &diag) == TY_OK && ty_sky_at(last, &sky, &diag) == TY_OK);
    TY_CHECK(ty_sky_at(ty_utc_add(first, -1), &sky, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "1960 to 2099") != NULL);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_sky_at(ty_utc_add(last, 1), &sky, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "2100-01-01T00:00:00") != NULL);
    ty_site site = ty_site_make(0.0, 0.0, TY_MOON_RADIUS);
    ty_sky_view views[3];
    TY_CHECK(ty_sky_series(&site, last, TY_SECOND, 1, views, NULL) == TY_OK);
    TY_CHECK(ty_sky_series(&site, last, TY_SECOND, 2, views, NULL) == TY_ERR_RANGE);
}
