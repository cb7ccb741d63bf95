/* app/validate_slope.c - rovers that climb: MGRU3, VIPER's mobility unit on Earth, against the two campaigns that were
 * measured with it, with the Bekker-Wong model and with soil columns; VIPER on the Moon beside it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/draw.h"
#include "tycho/math.h"
#include "tycho/testbed.h"
#include "tycho/vehicle.h"
#include "validate.h"

enum { SLOPES = 6, FITTED = 3, JUDGED = 4, CAMPAIGNS = 2, POINTS = 16 };
static const double slopes[SLOPES] = { 0.0, 5.0, 10.0, 15.0, 20.0, 25.0 }; /* [deg] */
static const double allowed = 0.10;                                        /* [-] beside the band */
static const char data[] = "data/wheel/mgru3_trec_slope_vs_slip.csv";

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
    def.base = (ty_base){ .sample = plane_height, .user = (void *)(uintptr_t)rise, .spacing = 0.02 };
    return ty_terrain_create(&def, out, diag);
}

/* ---- measured */

typedef struct campaign {
    const char *name, *label;
    int n;
    double slope[POINTS], slip[POINTS]; /* [deg], [-] */
} campaign;

static ty_status read_campaigns(const char *path, campaign *c, ty_diag *diag)
{
    FILE *in = fopen(path, "r");
    char line[256], name[64];
    double slip, slope;
    if (!in) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be read", path);
    }
    while (fgets(line, sizeof line, in)) {
        for (int k = 0; k < CAMPAIGNS; k++) {
            if (sscanf(line, "%63[^,],%lf,%lf", name, &slip, &slope) == 3 && !strcmp(name, c[k].name) &&
                c[k].n < POINTS) {
                c[k].slip[c[k].n] = slip, c[k].slope[c[k].n++] = slope;
            }
        }
    }
    fclose(in);
    for (int k = 0; k < CAMPAIGNS; k++) {
        if (c[k].n < 2) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s has no points of %s", path, c[k].name);
        }
    }
    return TY_OK;
}

/* slip that a campaign had at a slope [deg], on the line between its points */
static double measured(const campaign *c, double slope)
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
    double gravity, K;   /* [m/s^2], [m] */
    double slip[SLOPES]; /* mean over the wheels and the second half of the drive */
} climb;

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
    status = status == TY_OK ? ty_soil_load(ground, NULL, 0, &def.soil.bekker, diag) : status;
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
    int count = 0;
    *slip = 0.0;
    for (int i = 0; i < 9000 && status == TY_OK; i++) { /* a second to settle, eight to drive */
        status = i == 1000 ? ty_vehicle_command_wheels(v, omega, NULL, diag) : status;
        status = status == TY_OK ? ty_vehicle_step(v, 1e-3, diag) : status;
        status = status == TY_OK ? ty_vehicle_ground(v, diag) : status;
        if (status == TY_OK && i >= 5000 && i % 20 == 0) {
            ty_vehicle_state s;
            ty_vehicle_get(v, &s);
            for (int k = 0; k < s.wheels; k++, count++) {
                *slip += s.wheel[k].slip;
            }
        }
    }
    *slip /= count ? count : 1;
    ty_vehicle_destroy(v);
    ty_terrain_destroy(terrain);
    return status;
}

/* The K whose slips on slopes up to 10 deg are nearest to all points there, by least squares: slip is nearly linear in
 * K, so that two K tell it. */
static ty_status fit(climb *c, const campaign *m, ty_diag *diag)
{
    const double low = 0.012, high = 0.028; /* [m] */
    double over = 0.0, under = 0.0;
    ty_status status = TY_OK;
    for (int i = 0; i < FITTED && status == TY_OK; i++) {
        double a, b;
        status = climb_slope(c, low, slopes[i], &a, diag);
        status = status == TY_OK ? climb_slope(c, high, slopes[i], &b, diag) : status;
        for (int k = 0; k < CAMPAIGNS && status == TY_OK; k++) {
            over += (b - a) * (measured(&m[k], slopes[i]) - a);
            under += (b - a) * (b - a);
        }
    }
    c->K = status == TY_OK ? fmin(fmax(low + (high - low) * over / under, 0.004), 0.06) : 0.0;
    return status;
}

static ty_status run_all(climb *c, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < SLOPES && status == TY_OK; i++) {
        status = climb_slope(c, c->K, slopes[i], &c->slip[i], diag);
    }
    return status;
}

/* ---- rows and picture */

/* The loose bed is no claim: the state of the campaigns' beds is not known. */
static void judge(validate_book *book, const climb *c, const campaign *m, bool loose)
{
    double out = 0.0, at = 0.0;
    char claim[200], missed[64] = "inside everywhere";
    for (int i = 0; i < JUDGED; i++) {
        double a = measured(&m[0], slopes[i]), b = measured(&m[1], slopes[i]);
        double beyond = fmax(fmin(a, b) - allowed - c->slip[i], c->slip[i] - fmax(a, b) - allowed);
        if (beyond > out) {
            out = beyond, at = slopes[i];
        }
    }
    if (out > 0.0) {
        snprintf(missed, sizeof missed, "outside by %.3f at %g deg", out, at);
    }
    snprintf(claim, sizeof claim, "MGRU3, %s%s, K %.1f mm fitted on 0 to 10 deg (aim: inside both campaigns +- 0.10 up to 15 deg)",
             ty_soil_model_name(c->soil), loose ? ", loose GRC-1 (33.4 deg, no cohesion)" : "", 1e3 * c->K);
    validate_add(book, loose ? VALIDATE_REPORTED : out > 0.0 ? VALIDATE_MISSED : VALIDATE_MET, claim, "MGRU3 in GRC-1, 2021 and 2022",
                 "slip at 0 to 25 deg: %.3f %.3f %.3f %.3f %.3f %.3f; %s", c->slip[0], c->slip[1], c->slip[2], c->slip[3],
                 c->slip[4], c->slip[5], missed);
}

static ty_status draw(validate_book *book, const climb *c, int count, const campaign *m, ty_diag *diag)
{
    ty_series series[12];
    double low[SLOPES], high[SLOPES];
    memset(series, 0, sizeof series);
    for (int i = 0; i < SLOPES; i++) {
        double a = measured(&m[0], slopes[i]), b = measured(&m[1], slopes[i]);
        low[i] = fmin(a, b) - allowed, high[i] = fmax(a, b) + allowed;
    }
    series[0] = (ty_series){ .kind = TY_SERIES_BAND, .label = "both campaigns \u00b1 0.10", .n = JUDGED, .x = slopes,
                             .y_low = low, .y_high = high, .color = { 0.60, 0.60, 0.60, 1.0 } };
    int n = 1;
    for (int k = 0; k < CAMPAIGNS; k++, n++) {
        series[n] = (ty_series){ .kind = TY_SERIES_POINTS, .label = m[k].label, .n = (size_t)m[k].n, .x = m[k].slope,
                                 .y = m[k].slip, .symbol = k ? TY_SYMBOL_SQUARE : TY_SYMBOL_DISC,
                                 .color = { 0.0, 0.0, 0.0, 1.0 } };
    }
    for (int k = 0; k < count; k++, n++) {
        series[n] = (ty_series){ .label = c[k].label, .n = SLOPES, .x = slopes, .y = c[k].slip,
                                 .color = ty_palette(c[k].soil == TY_SOIL_SCM ? 1 : 0),
                                 .dash = c[k].gravity < 5.0 ? TY_DASH_DASHED : k < 2 ? TY_DASH_SOLID : TY_DASH_DOTTED,
                                 .symbol = TY_SYMBOL_DISC };
    }
    ty_panel panel = { .x = { .label = "slope [deg]" }, .y = { .label = "slip [-]" }, .series = series, .count = n,
                       .key = TY_KEY_TOP_LEFT };
    char path[4096];
    ty_figure figure = ty_figure_default();
    figure.title = "Climbing GRC-1: MGRU3 on Earth, VIPER on the Moon";
    figure.panel = &panel;
    figure.width = 1000;
    figure.height = 620;
    return ty_draw_figure(validate_picture(book, "validation_slope.png", path, sizeof path), &figure, diag);
}

ty_status validate_slope(validate_book *book, ty_diag *diag)
{
    static campaign m[CAMPAIGNS];
    m[0] = (campaign){ .name = "MGRU3_2021_SLOPElab_GRC1", .label = "measured 2021" };
    m[1] = (campaign){ .name = "MGRU3_2022_SLOPElab_GRC1", .label = "measured 2022" };
    enum { JUDGED_SOIL = 2, FIT = 4, ALL = 6 };
    climb c[ALL] = {
        { .label = "MGRU3, bekker", .rover = "mgru3", .ground = "grc1", .soil = TY_SOIL_BEKKER, .gravity = 9.81 },
        { .label = "MGRU3, scm on 20 mm", .rover = "mgru3", .ground = "grc1", .soil = TY_SOIL_SCM, .gravity = 9.81 },
        { .label = "MGRU3, bekker, loose", .rover = "mgru3", .ground = "grc1_loose", .soil = TY_SOIL_BEKKER, .gravity = 9.81 },
        { .label = "MGRU3, scm, loose", .rover = "mgru3", .ground = "grc1_loose", .soil = TY_SOIL_SCM, .gravity = 9.81 },
        { .label = "VIPER on the Moon, bekker", .rover = "viper", .ground = "grc1", .soil = TY_SOIL_BEKKER, .gravity = 1.62 },
        { .label = "VIPER on the Moon, scm", .rover = "viper", .ground = "grc1", .soil = TY_SOIL_SCM, .gravity = 1.62 }
    };
    char path[4096];
    if (!validate_shared(book, data, "MGRU3 climbs 0 to 25 deg", path, sizeof path)) {
        return TY_OK;
    }
    ty_status status = read_campaigns(path, m, diag);
    for (int k = 0; k < ALL && status == TY_OK; k++) {
        status = k < FIT ? fit(&c[k], m, diag) : status;
        c[k].K = k < FIT ? c[k].K : c[k - FIT].K;
        status = status == TY_OK ? run_all(&c[k], diag) : status;
        if (status == TY_OK && k < FIT) {
            judge(book, &c[k], m, k >= JUDGED_SOIL);
        } else if (status == TY_OK) {
            validate_add(book, VALIDATE_REPORTED, c[k].label, "the same soil and K, 1.62 m/s2",
                         "slip at 0 to 25 deg: %.3f %.3f %.3f %.3f %.3f %.3f", c[k].slip[0], c[k].slip[1], c[k].slip[2],
                         c[k].slip[3], c[k].slip[4], c[k].slip[5]);
        }
    }
    return status == TY_OK ? draw(book, c, ALL, m, diag) : status;
}
