/* The sky against other people's ephemerides: NASA SVS, JPL Horizons, Meeus. Worst errors are
 * printed. Angles here are in degrees, as in the files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_sky.h"
#include "world/sky/orbit.h"

#define SITE_LAT (-87.2)
#define SITE_LON 62.8

/* one line of a CSV with quotes, cut in place */
static int cut(char *line, char **field, int most)
{
    int n = 0;
    bool quoted = false;
    field[n++] = line;
    for (char *p = line; *p; p++) {
        if (*p == '"') {
            quoted = !quoted;
        } else if (*p == '\n' || *p == '\r') {
            *p = '\0';
        } else if (*p == ',' && !quoted && n < most) {
            *p = '\0';
            field[n++] = p + 1;
        }
    }
    return n;
}

static ty_utc parse(const char *text)
{
    ty_utc utc = { 0 };
    ty_diag diag = { 0 };
    cr_assert(ty_utc_parse(text, &utc, &diag) == TY_OK, "%s", diag.text);
    return utc;
}

/* "2024-Aug-12 00:00", as Horizons writes it */
static ty_utc horizons(const char *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4] = { text[5], text[6], text[7], 0 }, iso[32];
    const char *at = strstr(months, month);
    cr_assert(at != NULL, "no month in '%s'", text);
    snprintf(iso, sizeof iso, "%.4s-%02d-%.2sT%.5s", text, (int)(at - months) / 3 + 1, text + 9, text + 12);
    return parse(iso);
}

static ty_utc from_tdb(double jd) /* TDB for TT: 2 ms, far below what these tests see */
{
    return (ty_utc){ llround((jd - 2451545.0) * 86400e9) - 32184 * TY_SECOND / 1000 };
}

static ty_sky sky_at(ty_utc utc)
{
    ty_sky sky;
    ty_diag diag = { 0 };
    cr_assert(ty_sky_at(utc, &sky, &diag) == TY_OK, "%s", diag.text);
    return sky;
}

static ty_sky_view view_at(ty_utc utc, double lat, double lon)
{
    ty_sky sky = sky_at(utc);
    ty_site site = ty_site_make(lat * TY_DEG, lon * TY_DEG, TY_MOON_RADIUS);
    return ty_sky_view_at(&sky, &site);
}

static double off(double a, double b) /* difference of two angles [deg] */
{
    return remainder(a - b, 360.0);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ephemeris_vectors.csv, row by row */
enum { ID, KIND, TIME, SCALE, JD, QUANTITY, VALUE, UNIT, FRAME, SOURCE, NOTE, FIELDS };
typedef void (*on_row)(char *field[FIELDS], double value, void *user);

static void each_vector(const char *path, const char *kind, on_row call, void *user)
{
    FILE *file = fopen(path, "r");
    char line[2048], *field[FIELDS];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        if (cut(line, field, FIELDS) == FIELDS && starts(field[KIND], kind)) {
            call(field, atof(field[VALUE]), user);
            rows++;
        }
    }
    fclose(file);
    cr_assert(rows > 0, "no rows of kind %s", kind);
}

/* errors of the four sub-point coordinates, with and without each part of the model */
enum { FULL, NO_ABERRATION, LINEAR, UTC_AS_TDB, WAYS };
typedef struct sub_errors {
    double worst[WAYS], sum[WAYS];
    int rows;
    double textbook;
    int textbook_rows;
} sub_errors;

/* a sub-point by hand, with something left out; [deg] */
static double crippled(ty_utc utc, int way, bool sun, bool lat)
{
    tyi_sky_orbits orbits;
    tyi_sky_orbits_at(utc, &orbits);
    if (way == UTC_AS_TDB) {
        tyi_sky_orbits_at((ty_utc){ utc.tai - (37 * TY_SECOND + 32184000000) }, &orbits);
    }
    ty_vec3 r = tyi_sky_orbit_light(&orbits, sun ? &orbits.sun : &orbits.earth);
    r = way == NO_ABERRATION ? r : tyi_sky_orbit_aberrate(&orbits, r);
    ty_quat q = tyi_sky_orbit_q_IM(&orbits);
    if (way == LINEAR) {
        ty_k_pole p = ty_k_moon_pole_mean_deg(orbits.tdb);
        q = ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), (p.ra + 90.0) * TY_DEG),
                        ty_quat_mul(ty_quat_axis(ty_vec3_make(1, 0, 0), (90.0 - p.dec) * TY_DEG),
                                    ty_quat_axis(ty_vec3_make(0, 0, 1), p.w * TY_DEG)));
    }
    ty_vec3 m = ty_rotate(ty_quat_conj(q), r);
    return (lat ? atan2(m.z, hypot(m.x, m.y)) : atan2(m.y, m.x)) / TY_DEG;
}

static void sub_point(char *field[FIELDS], double value, void *user)
{
    sub_errors *e = user;
    bool sun = starts(field[QUANTITY], "subsolar"), earth = starts(field[QUANTITY], "subearth");
    if (!sun && !earth) {
        return;
    }
    bool lat = strstr(field[QUANTITY], "lat") != NULL, svs = strstr(field[SOURCE], "NASA SVS") != NULL;
    ty_sky sky = sky_at(svs ? parse(field[TIME]) : from_tdb(atof(field[JD])));
    double got = lat ? (sun ? sky.subsolar_lat : sky.subearth_lat) : (sun ? sky.subsolar_lon : sky.subearth_lon);
    double error = off(got / TY_DEG, value);
    if (!svs) {
        TY_NEAR(error, 0.0, 0.04); /* Meeus' own theory of the libration */
        e->textbook = fmax(e->textbook, fabs(error));
        e->textbook_rows++;
        return;
    }
    TY_NEAR(error, 0.0, 0.01); /* the bound: series 0.005, eraMoon98 0.003, print 0.0005 */
    TY_NEAR(off(crippled(sky.utc, FULL, sun, lat), got / TY_DEG), 0.0, 1e-12);
    for (int way = 0; way < WAYS; way++) {
        double other = way == FULL ? error : off(crippled(sky.utc, way, sun, lat), value);
        e->worst[way] = fmax(e->worst[way], fabs(other));
        e->sum[way] += sun && !lat ? other : 0.0;
    }
    e->rows++;
}

/* Left-out parts of 0.006 to 0.01 deg hide in the scatter of single rows, but not in the mean of 62. */
TY_TEST(ephemeris, sub_points_of_nasa_svs)
{
    TY_NEED_SHARED(path, "vectors/ephemeris_vectors.csv");
    sub_errors e = { 0 };
    each_vector(path, "sub-points", sub_point, &e);
    TY_CHECK(e.rows == 4 * 62 && e.textbook_rows == 4);
    double mean[WAYS];
    for (int way = 0; way < WAYS; way++) {
        mean[way] = e.sum[way] / 62.0;
    }
    printf("SVS, %d values: worst %.4f deg; mean subsolar longitude %.5f (no aberration %.5f, UTC "
           "as TDB %.5f); "
           "linear orientation: worst %.2f; textbook worst %.4f\n",
           e.rows, e.worst[FULL], mean[FULL], mean[NO_ABERRATION], mean[UTC_AS_TDB], e.worst[LINEAR], e.textbook);
    TY_NEAR(mean[FULL], 0.0, 0.001);
    TY_FAR(mean[NO_ABERRATION], 0.0, 0.001); /* controls */
    TY_FAR(mean[UTC_AS_TDB], 0.0, 0.001);
    TY_FAR(e.worst[LINEAR], 0.0, 0.01);
    TY_ROW("sub-solar and sub-Earth points within 0.01 deg", "NASA SVS, 248 values", "worst %.4f deg", e.worst[FULL]);
    TY_ROW("the same, 1992 textbook example within 0.04 deg", "Meeus, 4 values", "worst %.3f deg", e.textbook);
}

static void moon_seen_from_earth(char *field[FIELDS], double value, void *user)
{
    double *worst = user;
    if (!strstr(field[SOURCE], "NASA SVS")) {
        return;
    }
    ty_sky sky = sky_at(parse(field[TIME]));
    if (!strcmp(field[QUANTITY], "geocentric_distance")) {
        /* the way of the light from the Moon to the Earth, which both move 38 km meanwhile; ours is the way back */
        tyi_sky_orbits o;
        tyi_sky_orbits_at(sky.utc, &o);
        ty_vec3 then = ty_sub(o.moon.p_I, ty_scale(value * 1e3 / 299792458.0, o.moon.v_I));
        double error = ty_norm(ty_sub(then, o.earth.p_I)) * 1e-3 - value;
        TY_NEAR(error, 0.0, 25.0);
        worst[0] = fmax(worst[0], fabs(error));
        worst[2] = fmax(worst[2], fabs(ty_norm(sky.earth_M) * 1e-3 - value));
    } else if (!strcmp(field[QUANTITY], "illuminated_fraction")) {
        /* the Moon's own phase has its angle at the Moon */
        double phase = acos(ty_dot(ty_normalize(sky.sun_M), ty_normalize(sky.earth_M)));
        double lit = 100.0 * ty_k_lit_fraction(phase);
        worst[1] = fmax(worst[1], fabs(lit - value));
        TY_NEAR(lit, value, 0.02); /* two decimals, and 0.01 deg of phase is 0.009 % */
    }
}

TY_TEST(ephemeris, distance_and_phase_of_nasa_svs)
{
    TY_NEED_SHARED(path, "vectors/ephemeris_vectors.csv");
    double worst[3] = { 0.0, 0.0, 0.0 };
    each_vector(path, "sub-points", moon_seen_from_earth, worst);
    printf("SVS: Earth-Moon distance worst %.1f km (the way back %.1f), illuminated fraction worst "
           "%.3f %%\n",
           worst[0], worst[2], worst[1]);
    TY_NEAR(worst[2], 2.0 * 38.0, 10.0);
    TY_FAR(worst[2], 0.0, 25.0); /* control: the other way */
    TY_ROW("Earth's and Moon's phase: lit share within 0.02 %", "NASA SVS", "worst %.3f %%", worst[1]);
}

static void pole(char *field[FIELDS], double value, void *user)
{
    double *worst = user;
    tyi_sky_orbits orbits;
    tyi_sky_orbits_at(horizons(field[TIME]), &orbits);
    ty_k_pole p = ty_k_moon_pole(orbits.tdb), mean = ty_k_moon_pole_mean_deg(orbits.tdb);
    bool ra = strstr(field[QUANTITY], "RA") != NULL;
    double error = ra ? off(p.ra / TY_DEG, value) * cos(p.dec) : off(p.dec / TY_DEG, value);
    double linear = ra ? off(mean.ra, value) * cos(p.dec) : off(mean.dec, value);
    TY_NEAR(error, 0.0, 0.008);
    worst[0] = fmax(worst[0], fabs(error));
    worst[1] = fmax(worst[1], fabs(linear));
}

/* Horizons integrates the Moon's orientation; the series follows it to about 150 m, 0.005 deg, in each axis. */
TY_TEST(ephemeris, pole_of_horizons)
{
    TY_NEED_SHARED(path, "vectors/ephemeris_vectors.csv");
    double worst[2] = { 0.0, 0.0 };
    each_vector(path, "pole", pole, worst);
    printf("Horizons pole 1970-2048: worst %.4f deg (linear terms only: %.2f)\n", worst[0], worst[1]);
    TY_FAR(worst[1], 0.0, 0.008); /* control */
}

/* collects the three coordinates of a state, then compares */
typedef struct state_errors {
    double xyz[3], worst;
} state_errors;

static void state(char *field[FIELDS], double value, void *user)
{
    state_errors *s = user;
    if (field[QUANTITY][0] < 'X' || field[QUANTITY][0] > 'Z') {
        return;
    }
    s->xyz[field[QUANTITY][0] - 'X'] = value * TY_K_AU;
    if (field[QUANTITY][0] != 'Z') {
        return;
    }
    tyi_sky_orbits o;
    tyi_sky_orbits_at(from_tdb(atof(field[JD])), &o);
    ty_vec3 got = strstr(field[KIND], "Moon") ? o.moon.p_I : o.earth.p_I;
    got = ty_sub(got, strstr(field[KIND], "geocentric") ? o.earth.p_I : o.sun.p_I);
    double error = ty_norm(ty_sub(got, ty_vec3_make(s->xyz[0], s->xyz[1], s->xyz[2])));
    s->worst = fmax(s->worst, error * 1e-3);
}

/* Bounds from ERFA's notes: eraEpv00 13.4 km at worst in 1900 to 2100; eraMoon98 about 10 arcsec,
 * 20 km, in longitude and 4 arcsec in latitude. 20 km at the Moon turn the Earth by 0.003 deg. */
TY_TEST(ephemeris, states_of_horizons)
{
    TY_NEED_SHARED(path, "vectors/ephemeris_vectors.csv");
    state_errors moon = { { 0 }, 0 }, earth = { { 0 }, 0 }, both = { { 0 }, 0 };
    each_vector(path, "state_geocentric_Moon", state, &moon);
    each_vector(path, "state_heliocentric_Earth", state, &earth);
    each_vector(path, "state_heliocentric_Moon", state, &both);
    printf("Horizons states 1970-2035: Moon worst %.1f km, Earth worst %.1f km, both %.1f km\n", moon.worst,
           earth.worst, both.worst);
    TY_NEAR(moon.worst, 0.0, 25.0);
    TY_NEAR(earth.worst, 0.0, 13.4);
    TY_NEAR(both.worst, 0.0, 38.4);
    TY_CHECK(moon.worst > 0.0 && earth.worst > 0.0); /* control: something was compared */
    TY_ROW("Moon from Earth within 25 km, Earth from Sun within 13.4 km", "JPL Horizons, 1970 to 2035",
           "%.1f km, %.1f km", moon.worst, earth.worst);
}

static void apollo(char *field[FIELDS], double value, void *user)
{
    ty_sky_view v = view_at(parse(field[TIME]), 0.67408, 23.47297);
    bool first = starts(field[TIME], "1969-07-21T03:15");
    (*(int *)user)++;
    if (!strcmp(field[QUANTITY], "sun_elevation")) {
        TY_NEAR(v.sun.elevation / TY_DEG, value, first ? 0.01 : 0.05); /* the second is printed with one decimal */
        TY_FAR(v.sun.elevation / TY_DEG - 0.5, value, 0.05);           /* control: an hour away */
    } else if (!strcmp(field[QUANTITY], "sun_azimuth_E_of_N")) {
        TY_NEAR(v.sun.azimuth / TY_DEG, value, 0.01);
    } else {
        TY_NEAR(v.sun.distance / TY_K_AU, value, 6e-6);
    }
}

TY_TEST(ephemeris, apollo_11)
{
    TY_NEED_SHARED(path, "vectors/ephemeris_vectors.csv");
    int rows = 0;
    each_vector(path, "surface_sun", apollo, &rows);
    TY_CHECK(rows == 5);
    ty_sky_view v = view_at(parse("1969-07-21T03:15:00"), 0.67408, 23.47297);
    printf("Apollo 11: elevation %.4f (14.246), azimuth %.4f (88.84), distance %.6f (1.01532)\n",
           v.sun.elevation / TY_DEG, v.sun.azimuth / TY_DEG, v.sun.distance / TY_K_AU);
    TY_ROW("Sun over Apollo 11 within 0.01 deg", "published azimuth, elevation, distance",
           "azimuth %.4f deg, distance %.1e au", tyt_worst("v.sun.azimuth / TY_DEG"),
           tyt_worst("v.sun.distance / TY_K_AU"));
}

/* The Sun from 62.8 E, 87.2 S, hour by hour. The last row of the file is cut off in its elevation. */
TY_TEST(ephemeris, hourly_sun_of_horizons)
{
    TY_NEED_SHARED(path, "data/ephemeris/horizons_az_el.csv");
    FILE *file = fopen(path, "r");
    char line[256], *field[3];
    double az = 0.0, el = 0.0, untopo = 0.0;
    int rows = 0, elevations = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '2' || cut(line, field, 3) != 3) {
            continue;
        }
        ty_utc utc = horizons(field[0]);
        ty_sky_view v = view_at(utc, SITE_LAT, SITE_LON);
        double da = off(v.sun.azimuth / TY_DEG, atof(field[1])), de = v.sun.elevation / TY_DEG - atof(field[2]);
        rows++;
        TY_NEAR(da, 0.0, 0.02);
        TY_FAR(off(view_at(utc, SITE_LAT, SITE_LON + 0.05).sun.azimuth / TY_DEG, atof(field[1])), 0.0, 0.02);
        az = fmax(az, fabs(da));
        if (strchr(field[2], '.')) {
            elevations++;
            TY_NEAR(de, 0.0, 0.02);
            el = fmax(el, fabs(de));
            untopo += de / 96.0;
        }
    }
    fclose(file);
    printf("Horizons hourly: %d azimuths worst %.5f deg, %d elevations worst %.5f deg, mean %.5f\n", rows, az,
           elevations, el, untopo);
    TY_CHECK(rows == 97 && elevations == 96);
    TY_ROW("Sun's azimuth and elevation near the pole within 0.02 deg", "JPL Horizons, 97 hours from 62.8 E 87.2 S",
           "azimuth %.4f deg, elevation %.4f deg", az, el);
}

/* The same month with the Sun's distance, its astrometric place, and marks for Sun and Earth being up. */
TY_TEST(ephemeris, places_and_marks_of_horizons)
{
    TY_NEED_SHARED(path, "data/ephemeris/horizons_results.txt");
    FILE *file = fopen(path, "r");
    char line[512];
    double distance = 0.0, place = 0.0, centre = 0.0;
    int rows = 0, marks = 0;
    bool table = false;
    ty_site site = ty_site_make(SITE_LAT * TY_DEG, SITE_LON * TY_DEG, TY_MOON_RADIUS);
    while (fgets(line, sizeof line, file) && !starts(line, "$$EOE")) {
        int h, m, deg, min;
        double s, sec, delta;
        char sign;
        if (starts(line, "$$SOE")) {
            table = true;
        }
        if (!table || line[1] != '2' ||
            sscanf(line + 22, "%d %d %lf %c%d %d %lf %*f %*f %lf", &h, &m, &s, &sign, &deg, &min, &sec, &delta) != 8) {
            continue;
        }
        rows++;
        ty_utc utc = horizons(line + 1);
        ty_sky sky = sky_at(utc);
        ty_sky_view v = ty_sky_view_at(&sky, &site);
        distance = fmax(distance, fabs(v.sun.distance / TY_K_AU - delta));
        TY_NEAR(v.sun.distance / TY_K_AU, delta, 2.6e-7); /* 38 km: the two theories' worst */
        centre = fmax(centre, fabs(ty_norm(sky.sun_M) / TY_K_AU - delta));

        /* light time but no aberration, from the site */
        tyi_sky_orbits orbits;
        tyi_sky_orbits_at(utc, &orbits);
        ty_vec3 r =
            ty_sub(tyi_sky_orbit_light(&orbits, &orbits.sun), ty_rotate(tyi_sky_orbit_q_IM(&orbits), site.W_in_M.p));
        double dec = (sign == '-' ? -1 : 1) * (deg + min / 60.0 + sec / 3600.0) * TY_DEG;
        double ra = (h + m / 60.0 + s / 3600.0) * 15.0 * TY_DEG;
        ty_vec3 u = ty_vec3_make(cos(dec) * cos(ra), cos(dec) * sin(ra), sin(dec));
        double arcsec = ty_norm(ty_cross(ty_normalize(r), u)) / TY_DEG * 3600.0;
        place = fmax(place, arcsec);
        TY_NEAR(arcsec, 0.0, 0.2); /* print 0.09, theories 0.06 */
        TY_FAR(ty_norm(ty_cross(ty_normalize(tyi_sky_orbit_aberrate(&orbits, r)), u)) / TY_DEG * 3600.0, 0.0, 5.0);

        /* the upper limb above the horizon: '*' the Sun's, 'i' the Earth's (with its equatorial radius) */
        double sun = (v.sun.elevation + v.sun.radius) / TY_DEG;
        double earth = (v.earth.elevation + asin(6378137.0 / v.earth.distance)) / TY_DEG;
        if (fabs(sun) > 0.01 && fabs(earth) > 0.01) {
            marks++;
            TY_CHECK((line[19] == '*') == (sun > 0.0) && (line[20] == 'i') == (earth > 0.0));
        }
    }
    fclose(file);
    printf("Horizons table: %d rows, distance worst %.2g au (from the Moon's centre %.2g), place "
           "worst %.3f arcsec, "
           "%d marks agree\n",
           rows, distance, centre, place, marks);
    TY_CHECK(rows == 721 && marks > 700);
    TY_FAR(centre, 0.0, 2.6e-7); /* control: not from the site */
}

/* The file with a row for each minute has lost its elevations to the columns of marks, and its site
 * is not 62.8 E 87.2 S: seen from there every azimuth of the month is off by 0.035 deg, while the
 * hourly rows of the week before agree to 0.0005. The offset is that of a place at 62.835 E, 87.182
 * S (fitted to 7 rows of the public original, which still has elevations). Checked here: the
 * offset's constancy, which no error of ours in time or orientation could produce; every azimuth
 * and elevation from the fitted place; and, from there, the rises and sets of Sun and Earth that
 * the marks show and the fit did not use. */
TY_TEST(ephemeris, minutes_of_horizons)
{
    const double lat = -87.182, lon = 62.835;
    TY_NEED_SHARED(path, "data/ephemeris/horizons_az_el_mins.csv");
    FILE *file = fopen(path, "r");
    char line[256], *field[3], before[8] = "";
    double low = INFINITY, high = -INFINITY, az = 0.0, el = 0.0, limb = 0.0;
    int row = 0, used = 0, elevations = 0, events = 0, stride = tyt_long() ? 1 : 60;
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '2' || cut(line, field, 3) != 3) {
            continue;
        }
        bool plain = strchr(field[1], '.') != NULL; /* time, azimuth, elevation; otherwise time, marks, azimuth */
        const char *marks = plain ? "" : field[1];
        bool sun_event = row && (strchr(before, '*') != NULL) != (strchr(marks, '*') != NULL);
        /* a letter for rise, transit or highest place hides the Earth's for a minute */
        bool other = strpbrk(marks, "rte") || strpbrk(before, "rte");
        bool earth_event = row && !other && (strchr(before, 'i') != NULL) != (strchr(marks, 'i') != NULL);
        snprintf(before, sizeof before, "%s", marks);
        if (row++ % stride && !sun_event && !earth_event) {
            continue;
        }
        used++;
        ty_utc utc = horizons(field[0]);
        ty_sky_view there = view_at(utc, lat, lon), here = view_at(utc, SITE_LAT, SITE_LON);
        double azimuth = atof(plain ? field[1] : field[2]);
        double shift = off(here.sun.azimuth / TY_DEG, azimuth), da = off(there.sun.azimuth / TY_DEG, azimuth);
        low = fmin(low, shift);
        high = fmax(high, shift);
        az = fmax(az, fabs(da));
        TY_NEAR(da, 0.0, 0.02);
        if (plain) {
            elevations++;
            el = fmax(el, fabs(there.sun.elevation / TY_DEG - atof(field[2])));
            TY_NEAR(there.sun.elevation / TY_DEG, atof(field[2]), 0.02);
        }
        if (sun_event || earth_event) {
            events++;
            double top = sun_event ? there.sun.elevation + there.sun.radius
                                   : there.earth.elevation + asin(6378137.0 / there.earth.distance);
            limb = fmax(limb, fabs(top / TY_DEG));
            TY_NEAR(top / TY_DEG, 0.0, 0.01); /* a minute is 0.001 deg */
            ty_sky sky = sky_at(utc);         /* control: the Earth seen from the Moon's centre, 0.26 deg higher */
            ty_site site = ty_site_make(lat * TY_DEG, lon * TY_DEG, TY_MOON_RADIUS);
            ty_vec3 up = ty_rotate(site.W_in_M.q, ty_vec3_make(0, 0, 1));
            if (earth_event) {
                TY_FAR(asin(ty_dot(ty_normalize(sky.earth_M), up)) / TY_DEG + there.earth.radius / TY_DEG, 0.0, 0.1);
            }
        }
    }
    fclose(file);
    printf("Horizons minutes: %d of %d rows; from 62.8E 87.2S azimuth off by %.4f to %.4f deg; "
           "from 62.835E 87.182S worst "
           "%.4f, %d elevations worst %.4f, %d rises and sets worst %.4f deg\n",
           used, row, low, high, az, elevations, el, events, limb);
    TY_CHECK(row == 43201 && events == 4);
    TY_NEAR(high - low, 0.0, 0.005); /* the wobble of our orientation, twice 0.0018 */
    TY_FAR(low, 0.0, 0.02);          /* control: another site is seen to be another site */
}
