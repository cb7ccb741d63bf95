/* src/study/eval_sky.c - `tycho eval sky`: Sun and Earth over a place at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eval.h"
#include "k_sky.h"
#include "tycho/sky.h"

enum { UTC, LAT, LON };

static const ty_eval_input inputs[] = {
    { "utc", NULL, true },
    { "lat_deg", NULL, false },
    { "lon_deg", NULL, false },
    { NULL, NULL, false },
};

static const char *const outputs[] = {
    "sun_az_deg",       "sun_el_deg",       "sun_dist_au",  "subsolar_lat_deg", "subsolar_lon_deg",
    "subearth_lat_deg", "subearth_lon_deg", "earth_az_deg", "earth_el_deg",     NULL,
};

static ty_status row(const ty_eval_row *r, ty_diag *diag)
{
    double lat = r->number[LAT], lon = r->number[LON];
    if (!(lat >= -90.0 && lat <= 90.0)) {
        return ty_fail(diag, TY_ERR_INPUT, "lat_deg is %g, but takes -90 to 90", lat);
    }
    if (!(lon >= -360.0 && lon <= 360.0)) {
        return ty_fail(diag, TY_ERR_INPUT, "lon_deg is %g, but takes -360 to 360", lon);
    }
    ty_utc utc;
    ty_sky sky;
    ty_status status = ty_utc_parse(r->text[UTC], &utc, diag);
    if (status == TY_OK) {
        status = ty_sky_at(utc, &sky, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    ty_site site = ty_site_make(lat * TY_DEG, lon * TY_DEG, TY_MOON_RADIUS);
    ty_sky_view view = ty_sky_view_at(&sky, &site);
    const double out[] = {
        view.sun.azimuth / TY_DEG, view.sun.elevation / TY_DEG, view.sun.distance / TY_K_AU,
        sky.subsolar_lat / TY_DEG, sky.subsolar_lon / TY_DEG,   sky.subearth_lat / TY_DEG,
        sky.subearth_lon / TY_DEG, view.earth.azimuth / TY_DEG, view.earth.elevation / TY_DEG,
    };
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) {
        r->out[i] = out[i];
    }
    return TY_OK;
}

const ty_eval_model tyi_study_eval_sky = { "sky", inputs, outputs, row };
