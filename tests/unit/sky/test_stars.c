/* tests/unit/sky/test_stars.c - the bright stars: the table against the catalogue, directions against Horizons,
 * brightness against published zero points.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/sky.h"
#include "tycho/terrain.h"
#include "world/sky/inner.h"
#include "tyt.h"

#define ARCSEC (TY_DEG / 3600.0)

/* Every line of the catalogue: the table has the stars to 5.00 and no others, at their places. */
TY_TEST(stars, table_of_the_catalogue)
{
    TY_NEED_SHARED(path, "data/stars/bsc5.dat");
    size_t n = tyi_sky_stars_bright(NULL, 0), at = 0, lines = 0;
    ty_star *own = malloc(n * sizeof *own), line;
    TY_CHECK(tyi_sky_stars_bright(own, n) == n);
    FILE *f = fopen(path, "r");
    char text[400];
    double worst = 0.0;
    while (fgets(text, sizeof text, f)) {
        if (!tyi_sky_star_parse(text, &line)) {
            continue;
        }
        lines++;
        if (line.v <= 5.0) {
            TY_CHECK(at < n && own[at].hr == line.hr);
            worst = fmax(worst, fabs(own[at].ra - line.ra) + fabs(own[at].dec - line.dec) + fabs(own[at].v - line.v) +
                                    fabs(own[at].pm_ra - line.pm_ra));
            at++;
        }
    }
    fclose(f);
    TY_CHECK(at == n && lines == 9096); /* 9110 entries, 14 of them novae and clusters without a place */
    TY_NEAR(worst, 0.0, 1e-9);
    free(own);
}

static ty_vec3 toward(double az_deg, double el_deg)
{
    double a = az_deg * TY_DEG, e = el_deg * TY_DEG;
    return ty_vec3_make(cos(e) * sin(a), cos(e) * cos(a), sin(e));
}

/* Horizons gives the Sun's place among the stars, and its azimuth and elevation from a place near the pole. A star
 * at that place must be seen there: all of the way from right ascension to W, aberration included, by numbers of
 * others. */
TY_TEST(stars, directions_of_horizons)
{
    static char at[800][20];
    static double ra[800], dec[800];
    int rows = 0, met = 0;
    char line[512];
    TY_NEED_SHARED(places, "data/ephemeris/horizons_results.txt");
    FILE *f = fopen(places, "r");
    while (fgets(line, sizeof line, f) && rows < 800) {
        int h, m, deg, min;
        double s, sec;
        char sign;
        if (line[1] == '2' && sscanf(line + 22, "%d %d %lf %c%d %d %lf", &h, &m, &s, &sign, &deg, &min, &sec) == 7) {
            snprintf(at[rows], sizeof at[0], "%.17s", line + 1);
            ra[rows] = (h + m / 60.0 + s / 3600.0) * 15.0 * TY_DEG;
            dec[rows++] = (sign == '-' ? -1 : 1) * (deg + min / 60.0 + sec / 3600.0) * TY_DEG;
        }
    }
    fclose(f);
    TY_NEED_SHARED(angles, "data/ephemeris/horizons_az_el.csv");
    ty_site site = ty_site_make(-87.2 * TY_DEG, 62.8 * TY_DEG, TY_MOON_RADIUS);
    f = fopen(angles, "r");
    double worst = 0.0, least = 1e9;
    while (fgets(line, sizeof line, f)) {
        char *comma = strchr(line, ',');
        double az, el;
        if (line[0] != '2' || !comma || sscanf(comma, ",%lf,%lf", &az, &el) != 2 || fabs(el) < 1e-9) {
            continue;
        }
        for (int i = 0; i < rows; i++) {
            if (strncmp(at[i], line, 17) || !strchr(strrchr(line, ','), '.')) {
                continue;
            }
            static const char *const month[] = { "Aug", "Sep" };
            char utc[40], name[4];
            int y, d, hh, mm;
            TY_CHECK(sscanf(line, "%d-%3s-%d %d:%d", &y, name, &d, &hh, &mm) == 5);
            snprintf(utc, sizeof utc, "%04d-%02d-%02dT%02d:%02d", y, strcmp(name, month[0]) ? 9 : 8, d, hh, mm);
            ty_utc when;
            TY_CHECK(ty_utc_parse(utc, &when, NULL) == TY_OK);
            ty_star star = { .ra = ra[i], .dec = dec[i] }, off = { .ra = ra[i] + 0.02 * TY_DEG, .dec = dec[i] };
            ty_vec3 dir, wrong;
            TY_CHECK(tyi_sky_stars_view(when, &site, &star, 1, &dir, NULL) == TY_OK);
            TY_CHECK(tyi_sky_stars_view(when, &site, &off, 1, &wrong, NULL) == TY_OK);
            worst = fmax(worst, ty_norm(ty_sub(dir, toward(az, el))) / TY_DEG);
            least = fmin(least, ty_norm(ty_sub(wrong, toward(az, el))) / TY_DEG);
            met++;
        }
    }
    fclose(f);
    printf("%d directions, worst %.5f deg (the Moon's orientation series: 0.005)\n", met, worst);
    TY_CHECK(met > 20);
    TY_NEAR(worst, 0.0, 0.01);
    TY_FAR(least, 0.0, 0.01); /* control: 0.02 deg away */
    TY_ROW("place of a star in the site's frame within 0.01 deg", "JPL Horizons, the Sun's place among the stars",
           "worst %.5f deg", worst);
}

/* Proper motion: Arcturus moves 2.28 arcsec/year, so that it has gone 0.76 arcmin in 20 years. */
TY_TEST(stars, proper_motion)
{
    ty_star s = { .ra = 213.915 * TY_DEG, .dec = 19.182 * TY_DEG, .pm_ra = -1.093 * ARCSEC, .pm_dec = -1.998 * ARCSEC },
            still = s;
    still.pm_ra = still.pm_dec = 0.0;
    ty_site site = ty_site_make(0.0, 0.0, TY_MOON_RADIUS);
    ty_utc when;
    ty_vec3 a, b;
    TY_CHECK(ty_utc_parse("2020-01-01T12:00:00", &when, NULL) == TY_OK);
    tyi_sky_stars_view(when, &site, &s, 1, &a, NULL);
    tyi_sky_stars_view(when, &site, &still, 1, &b, NULL);
    TY_NEAR(ty_norm(ty_sub(a, b)) / ARCSEC, 20.0 * hypot(1.093, 1.998), 0.02);
    TY_FAR(ty_norm(ty_sub(a, b)) / ARCSEC, 0.0, 0.02);
    ty_utc late = { 6300000000000000000 }; /* the year 2199 */
    TY_CHECK(tyi_sky_stars_view(late, &site, &s, 1, &a, NULL) == TY_ERR_RANGE);
}

/* Johnson V: a star of magnitude 0 gives 3.631e-11 W/m2/nm at 545 nm [bessell1998]. The Sun gives 1.86 W/m2/nm there
 * [willmer2018, through its own magnitude; ASTM E490 has 1.88 at 545 nm]: the same share of ours must be the star's. */
TY_TEST(stars, brightness_of_magnitude_zero)
{
    double share = tyi_sky_star_irradiance(0.0) / 1361.0;
    TY_NEAR_REL(share * 1.86, 3.631e-11, 0.03);
    TY_FAR_REL(share * 1.86 * 1.1, 3.631e-11, 0.03);
    TY_NEAR_REL(tyi_sky_star_irradiance(1.0) / tyi_sky_star_irradiance(6.0), 100.0, 1e-12); /* five magnitudes */
    TY_ROW("star of magnitude 0 within 3 %", "Johnson V, Bessell 1998", "%.1f %%",
           100.0 * tyt_worst_rel("share * 1.86"));
}

TY_TEST(stars, lines_of_a_file)
{
    ty_star s;
    TY_CHECK(!tyi_sky_star_parse("", &s) && !tyi_sky_star_parse("not a catalogue at all", &s));
    char noise[300];
    for (int k = 0; k < 2000; k++) {
        for (int i = 0; i < 299; i++) {
            noise[i] = (char)(32 + (k * 7919 + i * 104729) % 95);
        }
        noise[k % 299] = '\0';
        tyi_sky_star_parse(noise, &s);
    }
}
