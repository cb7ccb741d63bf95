/* src/world/sky/utc.c - UTC text to an instant and back; leap seconds from ERFA's table.
 *
 * A day of UTC starts at a known atomic time; within it a second of UTC lasts `rate` atomic
 * seconds, which is 1 since 1972 and differed by up to 3e-8 before. A leap second makes the day
 * longer, not its seconds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <erfa.h>
#include <stdio.h>
#include "orbit.h"

#define FIRST_YEAR 1960 /* UTC's first */
#define LAST_YEAR  2099 /* eraEpv00 holds to 2100 */
#define DAY_S      ((int64_t)86400)
#define DAY_0      2451544.5 /* Julian date of 2000-01-01T00:00, where days are counted from */

/* TAI - UTC [s] on a day, at a fraction of it */
static double tai_utc(int64_t day, double fraction)
{
    int year, month, date;
    double rest, delta = 0.0;
    eraJd2cal(DAY_0, (double)day, &year, &month, &date, &rest);
    eraDat(year, month, date, fraction, &delta); /* warns of years past its table, and holds the last value */
    return delta;
}

/* atomic time [ns] at which a day of UTC starts */
static int64_t day_start(int64_t day)
{
    return (day * DAY_S - DAY_S / 2) * TY_SECOND + llround(tai_utc(day, 0.0) * 1e9);
}

/* atomic seconds per second of UTC on a day */
static double day_rate(int64_t day)
{
    return 1.0 + (tai_utc(day, 0.5) - tai_utc(day, 0.0)) / (0.5 * (double)DAY_S);
}

ty_status tyi_sky_utc_check(ty_utc utc, ty_diag *diag)
{
    double zero, first, after;
    eraCal2jd(FIRST_YEAR, 1, 1, &zero, &first);
    eraCal2jd(LAST_YEAR + 1, 1, 1, &zero, &after);
    if (utc.tai < day_start((int64_t)(zero - DAY_0 + first)) || utc.tai >= day_start((int64_t)(zero - DAY_0 + after))) {
        char text[TY_UTC_TEXT];
        return ty_fail(diag, TY_ERR_RANGE, "the time %s is outside the years %d to %d that the sky is known for",
                       ty_utc_format(utc, 0, text), FIRST_YEAR, LAST_YEAR);
    }
    return TY_OK;
}

typedef struct fields {
    int year, month, day, hour, minute, second;
    int64_t ns;
} fields;

/* n digits at *text, and the character that must stand before them (0: none) */
static bool digits(const char **text, char before, int n, int *value)
{
    const char *p = *text;
    if (before && *p++ != before) {
        return false;
    }
    *value = 0;
    for (int i = 0; i < n; i++, p++) {
        if (*p < '0' || *p > '9') {
            return false;
        }
        *value = *value * 10 + (*p - '0');
    }
    *text = p;
    return true;
}

/* the form only, not whether such a date exists */
static bool read_form(const char *p, fields *f)
{
    *f = (fields){ 0 };
    if (!digits(&p, 0, 4, &f->year) || !digits(&p, '-', 2, &f->month) || !digits(&p, '-', 2, &f->day)) {
        return false;
    }
    if (!*p) {
        return true;
    }
    if (!digits(&p, 'T', 2, &f->hour) || !digits(&p, ':', 2, &f->minute)) {
        return false;
    }
    if (digits(&p, ':', 2, &f->second) && *p == '.') {
        int64_t unit = TY_SECOND / 10;
        for (p++; *p >= '0' && *p <= '9'; p++, unit /= 10) {
            if (unit == 0) {
                return false; /* more than nanoseconds */
            }
            f->ns += unit * (*p - '0');
        }
        if (unit == TY_SECOND / 10) {
            return false; /* a point and nothing after it */
        }
    }
    p += *p == 'Z';
    return !*p;
}

ty_status ty_utc_parse(const char *text, ty_utc *out, ty_diag *diag)
{
    fields f;
    if (!read_form(text, &f)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "utc is '%.60s', but takes a time such as 2024-08-12T06:30:15, also with up to 9 "
                       "decimals, with Z, without seconds, or a date alone",
                       text);
    }
    if (f.year < FIRST_YEAR || f.year > LAST_YEAR) {
        return ty_fail(diag, TY_ERR_INPUT, "utc is '%s', but the sky is known for the years %d to %d only", text,
                       FIRST_YEAR, LAST_YEAR);
    }
    double zero, mjd;
    if (eraCal2jd(f.year, f.month, f.day, &zero, &mjd) != 0) {
        return ty_fail(diag, TY_ERR_INPUT, "utc is '%s', but there is no such date", text);
    }
    int64_t day = (int64_t)(zero - DAY_0 + mjd);
    bool leap = f.hour == 23 && f.minute == 59 && f.second == 60;
    if (f.hour > 23 || f.minute > 59 || (f.second > 59 && !leap)) {
        return ty_fail(diag, TY_ERR_INPUT, "utc is '%s', but a day goes from 00:00:00 to 23:59:59", text);
    }
    int64_t ns = (((int64_t)f.hour * 60 + f.minute) * 60 + f.second) * TY_SECOND + f.ns;
    ty_utc utc = { day_start(day) + llround((double)ns * day_rate(day)) };
    if (leap && utc.tai >= day_start(day + 1)) {
        return ty_fail(diag, TY_ERR_INPUT, "utc is '%s', but that day has no leap second", text);
    }
    *out = utc;
    return TY_OK;
}

const char *ty_utc_format(ty_utc utc, int decimals, char out[TY_UTC_TEXT])
{
    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    int64_t unit = 1; /* [ns] of the last decimal */
    for (int i = decimals; i < 9; i++) {
        unit *= 10;
    }
    int64_t tai = utc.tai + unit / 2;

    /* the day whose start is the last one not after tai; the guess is off by one at most */
    int64_t day = (int64_t)floor(((double)tai * 1e-9 + 0.5 * (double)DAY_S) / (double)DAY_S);
    day -= tai < day_start(day);
    int64_t ns = llround((double)(tai - day_start(day)) / day_rate(day));
    ns -= ns % unit;

    /* in a leap second the count goes on past the last minute's 60th second */
    int64_t second = ns / TY_SECOND, minute = second / 60 < 1439 ? second / 60 : 1439;
    int year, month, date;
    double rest;
    eraJd2cal(DAY_0, (double)day, &year, &month, &date, &rest);
    int used = snprintf(out, TY_UTC_TEXT, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, date, (int)(minute / 60),
                        (int)(minute % 60), (int)(second - minute * 60));
    if (decimals > 0) {
        snprintf(out + used, TY_UTC_TEXT - (size_t)used, ".%0*d", decimals, (int)(ns % TY_SECOND / unit));
    }
    return out;
}
