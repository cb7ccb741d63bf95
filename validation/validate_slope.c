/* validation/validate_slope.c - rovers that climb: MGRU3, VIPER's mobility unit on Earth, against the two campaigns
 * that were measured with it, with the Bekker-Wong model and with soil columns; VIPER on the Moon beside it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "tycho/vehicle.h"
#include "soil/inner.h"
#include "validate.h"

enum { SLOPES = 6, FITTED = 3, JUDGED = 4, CAMPAIGNS = 2 };
static const double slopes[SLOPES] = { 0.0, 5.0, 10.0, 15.0, 20.0, 25.0 }; /* [deg] */
static const double allowed = 0.10;                                        /* [-] beside the band */
static const double tips = 0.25;                                           /* [m] radius of the lugs' tips */

/* ---- ground */

static ty_status plane_height(void *user, size_t n, const double *lat, const double *lon, double spacing,
                              double *height, ty_diag *diag)
{
    const double *rise = user;
    (void)spacing, (void)diag;
    for (size_t i = 0; i < n; i++) { /* at latitude and longitude 0; the sphere falls away from the plane */
        double x = TY_MOON_RADIUS * lon[i], y = TY_MOON_RADIUS * lat[i];
        height[i] = *rise * x + (x * x + y * y) / (2.0 * TY_MOON_RADIUS);
    }
    return TY_OK;
}

ty_status validate_plane(const double *rise, ty_terrain **out, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    def.extent = 400.0;
    def.base = (ty_terrain_base){ .sample = plane_height, .user = (void *)(uintptr_t)rise, .spacing = 0.02 };
    return ty_terrain_create(&def, out, diag);
}

/* ---- measured */

ty_status validate_slip_data(const char *path, validate_slip *c, int count, ty_diag *diag)
{
    FILE *in = fopen(path, "r");
    char line[256], name[64];
    double slip, slope;
    if (!in) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be read", path);
    }
    while (fgets(line, sizeof line, in)) {
        for (int k = 0; k < count; k++) {
            if (sscanf(line, "%63[^,],%lf,%lf", name, &slip, &slope) == 3 && !strcmp(name, c[k].name) &&
                c[k].n < VALIDATE_SLIPS) {
                c[k].slip[c[k].n] = slip, c[k].slope[c[k].n++] = slope;
            }
        }
    }
    fclose(in);
    for (int k = 0; k < count; k++) {
        if (c[k].n < 2) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s has no points of %s", path, c[k].name);
        }
    }
    return TY_OK;
}

/* slip that a campaign had at a slope [deg], on the line between its points */
static double measured(const validate_slip *c, double slope)
{
    int i = 1;
    while (i + 1 < c->n && c->slope[i] < slope) {
        i++;
    }
    double u = (slope - c->slope[i - 1]) / (c->slope[i] - c->slope[i - 1]);
    return c->slip[i - 1] + u * (c->slip[i] - c->slip[i - 1]);
}

/* ---- computed */

typedef struct climb {
    const char *label, *rover, *ground; /* ground: of models/soils */
    ty_soil_model_kind soil;
    double gravity, K; /* [m/s^2], [m] */
    double counted;    /* [m] radius that slip is counted by; 0: the one at which lugs shear the soil */
    double slip[SLOPES];
} climb;

/* Slip on a slope: the way of the wheels' rims against the way of the rover, over the last four of eight seconds.
 * Above 1 it slides down. */
static ty_status climb_slope(const climb *c, double K, double deg, double *slip, ty_diag *diag)
{
    double rise = tan(deg * TY_DEG), omega[TY_WHEELS_MAX];
    char path[4096], ground[256];
    const char *root = getenv("TYCHO_SOURCE");
    ty_terrain *terrain = NULL;
    ty_vehicle *v = NULL;
    ty_vehicle_def def = ty_vehicle_def_default();
    ty_status status = validate_plane(&rise, &terrain, diag);
    snprintf(ground, sizeof ground, "models/soils/%s.yaml", c->ground);
    status = status == TY_OK ? ty_soil_params_load(ground, NULL, 0, &def.soil.bekker, diag) : status;
    snprintf(path, sizeof path, "%s/models/rovers/%s.yaml", root ? root : ".", c->rover);
    def.rover = path;
    def.terrain = terrain;
    def.gravity = c->gravity;
    def.soil.model = c->soil;
    def.soil.bekker.kx = def.soil.bekker.ky = K;
    status = status == TY_OK ? ty_vehicle_create(&def, &v, diag) : status;
    for (int i = 0; i < TY_WHEELS_MAX; i++) {
        omega[i] = 0.8;
    }
    double turned = 0.0, from = 0.0, to = 0.0, radius = c->counted;
    for (int i = 0; i < 9000 && status == TY_OK; i++) { /* a second to settle, eight to drive */
        ty_vehicle_state s;
        status = i == 1000 ? ty_vehicle_command_wheels(v, omega, NULL, diag) : status;
        status = status == TY_OK ? ty_vehicle_step(v, 1e-3, diag) : status;
        status = status == TY_OK ? ty_vehicle_press_ruts(v, diag) : status;
        if (status == TY_OK && i >= 4999) {
            ty_vehicle_get(v, &s);
            to = s.pose.p.x / cos(deg * TY_DEG);
            from = i == 4999 ? to : from;
            for (int k = 0; k < s.wheels && i > 4999; k++) {
                turned += s.wheel[k].omega * 1e-3 / s.wheels;
            }
        }
    }
    if (status == TY_OK) {
        ty_wheel_info wheel[TY_WHEELS_MAX];
        ty_vehicle_wheels(v, wheel);
        radius = radius > 0.0 ? radius : tyi_soil_wheel_shear_radius(&def.soil.bekker, &wheel[0].shape);
        *slip = turned > 0.0 ? 1.0 - (to - from) / (radius * turned) : 0.0;
    }
    ty_vehicle_destroy(v);
    ty_terrain_destroy(terrain);
    return status;
}

static ty_status slips(const climb *c, double K, int count, double *slip, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < count && status == TY_OK; i++) {
        status = climb_slope(c, K, slopes[i], &slip[i], diag);
    }
    return status;
}

/* The K whose slips on slopes up to 10 deg are nearest to all points there, by least squares: Gauss-Newton, its
 * slope by the K before. Slip is nearly linear in K, so that a few steps do. */
static ty_status fit(climb *c, const validate_slip *m, ty_diag *diag)
{
    enum { STEPS = 6 };
    double was = 0.010, K = 0.014; /* [m] */
    double a[FITTED], b[FITTED];
    ty_status status = slips(c, was, FITTED, a, diag);
    for (int step = 0; step < STEPS && status == TY_OK && fabs(K / was - 1.0) > 0.005; step++) {
        double over = 0.0, under = 0.0;
        status = slips(c, K, FITTED, b, diag);
        for (int i = 0; i < FITTED * CAMPAIGNS && status == TY_OK; i++) {
            int k = i % FITTED;
            over += (b[k] - a[k]) * (measured(&m[i / FITTED], slopes[k]) - b[k]);
            under += (b[k] - a[k]) * (b[k] - a[k]);
        }
        double next = K + (K - was) * over / under;
        was = K, K = fmin(fmax(next, 0.6 * K), 1.6 * K);
        memcpy(a, b, sizeof a);
    }
    c->K = K;
    return status;
}

/* ---- rows and picture */

static const char *slip_text(const climb *c, char *out, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < SLOPES; i++) {
        int n = c->slip[i] > 1.05 ? snprintf(out + at, size - at, " slides")
                                  : snprintf(out + at, size - at, " %.3f", c->slip[i]);
        at += (size_t)n < size - at ? (size_t)n : 0;
    }
    return out;
}

/* how far a slip up to 15 deg lies outside the band, and where; 0: inside everywhere */
static double beyond(const climb *c, const validate_slip *m, double *at)
{
    double out = 0.0;
    for (int i = 0; i < JUDGED; i++) {
        double a = measured(&m[0], slopes[i]), b = measured(&m[1], slopes[i]);
        double by = fmax(fmin(a, b) - allowed - c->slip[i], c->slip[i] - fmax(a, b) - allowed);
        *at = by > out ? slopes[i] : *at;
        out = fmax(out, by);
    }
    return out;
}

/* Judged is the bed as it lay, with slip by the radius at which the lugs shear it; the rest shows what hangs on that.
 * */
static void add_row(validate_book *book, const climb *c, const validate_slip *m, bool judged)
{
    double at = 0.0, out = beyond(c, m, &at);
    char claim[200], text[80], where[64] = "inside everywhere";
    if (out > 0.0) {
        snprintf(where, sizeof where, "outside by %.3f at %g deg", out, at);
    }
    if (judged) {
        snprintf(claim, sizeof claim,
                 "%s, K %.1f mm fitted on 0 to 10 deg (aim: inside both campaigns +- 0.10 up to 15 deg)", c->label,
                 1e3 * c->K);
    } else {
        snprintf(claim, sizeof claim, "%s, K %.1f mm", c->label, 1e3 * c->K);
    }
    bool earth = c->gravity > 5.0;
    validate_add(book,
                 !judged     ? VALIDATE_REPORTED
                 : out > 0.0 ? VALIDATE_MISSED
                             : VALIDATE_MET,
                 claim, earth ? "MGRU3 in GRC-1, 2021 and 2022" : "the same soil and K, 1.62 m/s2",
                 "slip at 0 to 25 deg:%s%s%s", slip_text(c, text, sizeof text), earth ? "; " : "", earth ? where : "");
}

static ty_status draw(validate_book *book, const climb *c, int count, const validate_slip *m, ty_diag *diag)
{
    ty_draw_series series[12];
    double low[SLOPES], high[SLOPES];
    memset(series, 0, sizeof series);
    for (int i = 0; i < SLOPES; i++) {
        double a = measured(&m[0], slopes[i]), b = measured(&m[1], slopes[i]);
        low[i] = fmin(a, b) - allowed, high[i] = fmax(a, b) + allowed;
    }
    series[0] = (ty_draw_series){ .kind = TY_SERIES_BAND,
                                  .label = "both campaigns \u00b1 0.10",
                                  .n = JUDGED,
                                  .x = slopes,
                                  .y_low = low,
                                  .y_high = high,
                                  .color = { 0.60, 0.60, 0.60, 1.0 } };
    int n = 1;
    for (int k = 0; k < CAMPAIGNS; k++, n++) {
        series[n] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                      .label = m[k].label,
                                      .n = (size_t)m[k].n,
                                      .x = m[k].slope,
                                      .y = m[k].slip,
                                      .symbol = k ? TY_SYMBOL_SQUARE : TY_SYMBOL_DISC,
                                      .color = { 0.0, 0.0, 0.0, 1.0 } };
    }
    for (int k = 0; k < count; k++) {
        size_t up = 0; /* a rover that slides down has no slip to show */
        while (up < SLOPES && c[k].slip[up] <= 1.05) {
            up++;
        }
        if (c[k].counted > 0.0) {
            continue;
        }
        series[n++] = (ty_draw_series){ .label = c[k].label,
                                        .n = up,
                                        .x = slopes,
                                        .y = c[k].slip,
                                        .color = ty_draw_palette(c[k].soil == TY_SOIL_SCM ? 1 : 0),
                                        .dash = c[k].gravity < 5.0            ? TY_DASH_DASHED
                                                : strcmp(c[k].ground, "grc1") ? TY_DASH_SOLID
                                                                              : TY_DASH_DOTTED,
                                        .symbol = TY_SYMBOL_DISC };
    }
    ty_draw_panel panel = { .x = { .label = "slope [deg]" },
                            .y = { .label = "slip [-]" },
                            .series = series,
                            .count = n,
                            .key = TY_KEY_TOP_LEFT };
    char path[4096];
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "Climbing GRC-1: MGRU3 on Earth, VIPER on the Moon";
    figure.panel = &panel;
    figure.width = 1000;
    figure.height = 620;
    return ty_draw_write_figure(validate_picture(book, "validation_slope.png", path, sizeof path), &figure, diag);
}

ty_status validate_slope(validate_book *book, ty_diag *diag)
{
    static validate_slip m[CAMPAIGNS];
    m[0] = (validate_slip){ .name = "MGRU3_2021_SLOPElab_GRC1", .label = "measured 2021" };
    m[1] = (validate_slip){ .name = "MGRU3_2022_SLOPElab_GRC1", .label = "measured 2022" };
    enum { JUDGED_ROWS = 2, FIT = 4, TABLED = 6, ALL = 8 };
    climb c[ALL] = {
        { .label = "MGRU3, bekker", .rover = "mgru3", .ground = "grc1_loose", .soil = TY_SOIL_BEKKER, .gravity = 9.81 },
        { .label = "MGRU3, scm on 20 mm",
          .rover = "mgru3",
          .ground = "grc1_loose",
          .soil = TY_SOIL_SCM,
          .gravity = 9.81 },
        { .label = "MGRU3, bekker, slip counted by the tips of the lugs",
          .rover = "mgru3",
          .ground = "grc1_loose",
          .soil = TY_SOIL_BEKKER,
          .gravity = 9.81,
          .counted = tips },
        { .label = "MGRU3, scm, slip counted by the tips of the lugs",
          .rover = "mgru3",
          .ground = "grc1_loose",
          .soil = TY_SOIL_SCM,
          .gravity = 9.81,
          .counted = tips },
        { .label = "MGRU3, bekker, dense bed of 38 deg",
          .rover = "mgru3",
          .ground = "grc1",
          .soil = TY_SOIL_BEKKER,
          .gravity = 9.81,
          .K = 0.016 },
        { .label = "MGRU3, scm, dense bed of 38 deg",
          .rover = "mgru3",
          .ground = "grc1",
          .soil = TY_SOIL_SCM,
          .gravity = 9.81,
          .K = 0.016 },
        { .label = "VIPER on the Moon, bekker",
          .rover = "viper",
          .ground = "grc1_loose",
          .soil = TY_SOIL_BEKKER,
          .gravity = 1.62 },
        { .label = "VIPER on the Moon, scm",
          .rover = "viper",
          .ground = "grc1_loose",
          .soil = TY_SOIL_SCM,
          .gravity = 1.62 }
    };
    char path[4096];
    if (!validate_shared(book, VALIDATE_SLIP_FILE, "MGRU3 climbs 0 to 25 deg", path, sizeof path)) {
        return TY_OK;
    }
    ty_status status = validate_slip_data(path, m, CAMPAIGNS, diag);
    for (int k = 0; k < ALL && status == TY_OK; k++) {
        status = k < FIT ? fit(&c[k], m, diag) : status;
        c[k].K = k < TABLED ? c[k].K : c[k - TABLED].K;
        status = status == TY_OK ? slips(&c[k], c[k].K, SLOPES, c[k].slip, diag) : status;
        if (status == TY_OK) {
            add_row(book, &c[k], m, k < JUDGED_ROWS);
        }
    }
    status = status == TY_OK ? draw(book, c, ALL, m, diag) : status;
    return status == TY_OK ? validate_trec(book, path, diag) : status;
}
