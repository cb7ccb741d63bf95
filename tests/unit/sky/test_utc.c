/* Reading, writing and counting UTC.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tycho/sky.h"

static ty_utc utc(const char *text)
{
    ty_utc out = { 0 };
    ty_diag diag = { 0 };
    ty_status status = ty_utc_parse(text, &out, &diag);
    cr_expect(status == TY_OK, "%s: %s", text, diag.text);
    return out;
}

static const char *refused(const char *text)
{
    static ty_diag diag;
    diag = (ty_diag){ 0 };
    ty_utc out = { 42 };
    cr_expect(ty_utc_parse(text, &out, &diag) == TY_ERR_INPUT, "'%s' was taken", text);
    cr_expect(out.tai == 42, "'%s' left something", text);
    cr_expect(strncmp(diag.text, "utc is '", 8) == 0, "'%s': %s", text, diag.text);
    return diag.text;
}

TY_TEST(utc, every_form_of_one_instant)
{
    int64_t t = utc("2024-08-12T00:00:00").tai;
    TY_CHECK(utc("2024-08-12").tai == t);
    TY_CHECK(utc("2024-08-12T00:00").tai == t);
    TY_CHECK(utc("2024-08-12T00:00Z").tai == t);
    TY_CHECK(utc("2024-08-12T00:00:00Z").tai == t);
    TY_CHECK(utc("2024-08-12T00:00:00.000Z").tai == t);
    TY_CHECK(utc("2024-08-12T00:00:00.25").tai == t + TY_SECOND / 4);
    TY_CHECK(utc("2024-08-12T00:00:00.123456789").tai == t + 123456789);
    TY_CHECK(utc("2024-08-12T13:14:15").tai == t + (13 * 3600 + 14 * 60 + 15) * TY_SECOND);
}

TY_TEST(utc, anything_else_gets_a_sentence)
{
    const char *form[] = { "",
                           " ",
                           "now",
                           "2024",
                           "2024-08",
                           "2024-8-12",
                           "24-08-12",
                           "2024/08/12",
                           "2024-08-12 00:00",
                           "2024-08-12T",
                           "2024-08-12T00",
                           "2024-08-12T0:00",
                           "2024-08-12T00:00:",
                           "2024-08-12T00:00:0",
                           "2024-08-12T00:00:00.",
                           "2024-08-12T00:00:00.Z",
                           "2024-08-12T00:00:00.1234567890",
                           "2024-08-12T00:00:00z",
                           "2024-08-12T00:00:00ZZ",
                           "2024-08-12T00:00:00+01:00",
                           "2024-08-12Z",
                           " 2024-08-12",
                           "2024-08-12 ",
                           "+2024-08-12",
                           "-2024-08-12",
                           "2024-08-12T00:00.5",
                           "2024-08-12T-1:00",
                           "2024-Aug-12",
                           "2024-08-12T00:00:00\n" };
    for (size_t i = 0; i < sizeof form / sizeof form[0]; i++) {
        TY_CHECK(strstr(refused(form[i]), "takes a time such as") != NULL);
    }
    const char *date[] = { "2024-00-12", "2024-13-12", "2024-08-00", "2024-08-32", "2023-02-29", "2024-02-30" };
    for (size_t i = 0; i < sizeof date / sizeof date[0]; i++) {
        TY_CHECK(strstr(refused(date[i]), "no such date") != NULL);
    }
    TY_CHECK(strstr(refused("2024-08-12T24:00"), "00:00:00 to 23:59:59") != NULL);
    TY_CHECK(strstr(refused("2024-08-12T12:60"), "00:00:00 to 23:59:59") != NULL);
    TY_CHECK(strstr(refused("2024-08-12T12:59:60"), "00:00:00 to 23:59:59") != NULL);
    TY_CHECK(strstr(refused("2024-08-12T23:59:60"), "no leap second") != NULL);
    TY_CHECK(strstr(refused("1959-12-31"), "1960 to 2099") != NULL);
    TY_CHECK(strstr(refused("2100-01-01"), "1960 to 2099") != NULL);
    utc("2024-02-29"); /* control: these exist */
    utc("1960-01-01");
    utc("2099-12-31T23:59:59.999999999");
    utc("2016-12-31T23:59:60.5");
}

/* Every byte string must be answered, not trip: texts one change away from good ones. */
TY_TEST(utc, no_text_trips_the_reader)
{
    const char good[] = "2024-08-12T06:30:15.25Z";
    for (size_t at = 0; at < sizeof good; at++) {
        for (int c = 0; c < 256; c++) {
            char text[sizeof good];
            memcpy(text, good, sizeof good);
            text[at] = (char)c;
            text[sizeof good - 1] = '\0';
            ty_utc out;
            ty_diag diag = { 0 };
            ty_status status = ty_utc_parse(text, &out, &diag);
            TY_CHECK((status == TY_OK) == (diag.text[0] == '\0'));
        }
    }
}

/* IERS Bulletin C: 27 leap seconds from 1972 to 2017, the last one at the end of 2016; none since. */
TY_TEST(utc, leap_seconds_are_counted)
{
    TY_CHECK(ty_utc_since(utc("2017-01-01"), utc("2016-12-31T23:59:59")) == 2 * TY_SECOND);
    TY_CHECK(ty_utc_since(utc("2017-01-01"), utc("2016-12-31T23:59:60")) == TY_SECOND);
    TY_CHECK(ty_utc_since(utc("2018-01-01"), utc("2017-12-31T23:59:59")) == TY_SECOND); /* control */
    int64_t days = 45 * 365 + 12;                                                       /* 1972 to 2017 */
    TY_CHECK(ty_utc_since(utc("2017-01-01"), utc("1972-01-01")) == (days * 86400 + 27) * TY_SECOND);
    /* 32 s on 2000-01-01, so that TAI's noon is 11:59:28 UTC */
    TY_CHECK(utc("2000-01-01T11:59:28").tai == 0);
    char text[TY_UTC_TEXT];
    ty_utc step = ty_utc_add(utc("2016-12-31T23:59:59"), TY_SECOND);
    TY_CHECK(!strcmp(ty_utc_format(step, 0, text), "2016-12-31T23:59:60"));
    step = ty_utc_add(step, TY_SECOND + TY_SECOND / 2);
    TY_CHECK(!strcmp(ty_utc_format(step, 2, text), "2017-01-01T00:00:00.50"));
}

/* Before 1972: TAI - UTC = 4.2131700 s + (MJD - 39126) 0.002592 s from 1968-02-01 (USNO tai-utc.dat). */
TY_TEST(utc, the_drifting_seconds_of_the_sixties)
{
    double mjd = 40423.0 + (3 * 3600 + 15 * 60) / 86400.0; /* 1969-07-21T03:15 */
    double tai_utc = 4.2131700 + (mjd - 39126.0) * 0.002592;
    double tai = (mjd - 51544.5) * 86400.0 + tai_utc;
    TY_NEAR(1e-9 * (double)utc("1969-07-21T03:15:00").tai, tai, 1e-6);                /* a double of 1e9 s holds 1e-7 */
    TY_FAR(1e-9 * (double)utc("1969-07-21T03:15:00").tai, tai - tai_utc + 10.0, 1.0); /* control: the 10 s of 1972 */
    char text[TY_UTC_TEXT];
    TY_CHECK(!strcmp(ty_utc_format(utc("1969-07-21T03:15:00"), 6, text), "1969-07-21T03:15:00.000000"));
}

TY_TEST(utc, text_rounds_and_comes_back)
{
    char text[TY_UTC_TEXT];
    TY_CHECK(!strcmp(ty_utc_format(utc("2024-12-31T23:59:59.96"), 1, text), "2025-01-01T00:00:00.0"));
    TY_CHECK(!strcmp(ty_utc_format(utc("2024-12-31T23:59:59.94"), 1, text), "2024-12-31T23:59:59.9"));
    TY_CHECK(!strcmp(ty_utc_format(utc("2024-02-28T23:59:59.999"), 0, text), "2024-02-29T00:00:00"));
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        ty_utc a = { utc("1960-01-01").tai + (int64_t)(state % 4417977600000000000u) }; /* 140 years */
        ty_utc b = utc(ty_utc_format(a, 9, text));
        int64_t off = llabs(a.tai - b.tai);
        TY_CHECK(off <= (a.tai < utc("1972-01-01").tai ? 1 : 0)); /* drifting seconds round once each way */
    }
}
