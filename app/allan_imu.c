/* app/allan_imu.c - an IMU of models/sensors at rest for some hours: its Allan curves against its data sheet.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "allan.h"
#include "tycho/tools/draw.h"
#include "tycho/imu.h"
#include "sensor/inertial/allan.h"

static const char *const axis[6] = { "gyro_x", "gyro_y", "gyro_z", "accel_x", "accel_y", "accel_z" };

/* samples of all axes, one after the other */
static ty_status simulate(const ty_imu_def *def, size_t n, double *out, ty_diag *diag)
{
    ty_imu imu;
    ty_status status = ty_imu_create(def, &imu, diag);
    ty_imu_motion rest = { .pose.q = ty_quat_identity() };
    for (size_t i = 0; status == TY_OK && i < n; i++) {
        ty_imu_sample s;
        ty_imu_step(&imu, &rest, 1.0 / def->rate);
        status = ty_imu_read(&imu, &s, diag);
        const double v[6] = { s.rate_S.x, s.rate_S.y, s.rate_S.z, s.force_S.x, s.force_S.y, s.force_S.z };
        for (size_t k = 0; k < 6; k++) {
            out[k * n + i] = v[k];
        }
    }
    return status;
}

static tyi_inertial_allan_noise sheet(const ty_imu_triad *t)
{
    return (tyi_inertial_allan_noise){ .N = t->noise, .B = t->instability, .K = t->walk, .R = fabs(t->ramp) };
}

/* two panels: curves of three axes, and what the sheet says, in the sheet's units */
static ty_status draw(const char *path, const char *title, const ty_imu_def *def, const allan_curve curve[6],
                      ty_diag *diag)
{
    static const char *const unit[2] = { "deg/h", "\xc2\xb5g" };
    const double factor[2] = { 3600.0 / TY_DEG, 1e6 / 9.80665 };
    static double tau[TYI_INERTIAL_ALLAN_POINTS], dev[6][TYI_INERTIAL_ALLAN_POINTS],
        line[2][4][TYI_INERTIAL_ALLAN_POINTS];
    ty_draw_series series[2][7];
    ty_draw_panel panel[2] = { 0 };
    char label[2][2][80], y_label[2][40];
    size_t n = curve[0].count;
    for (int p = 0; p < 2; p++) {
        const ty_imu_triad *t = p ? &def->accel : &def->gyro;
        tyi_inertial_allan_noise whole = sheet(t), white = { .N = t->noise }, flicker = { .B = t->instability };
        double least = (double)INFINITY, most = 0.0;
        for (size_t i = 0; i < n; i++) {
            tau[i] = curve[0].point[i].tau;
            line[p][0][i] = factor[p] * tyi_inertial_allan_model(&whole, tau[i]);
            line[p][1][i] = factor[p] * tyi_inertial_allan_model(&white, tau[i]);
            line[p][2][i] = factor[p] * tyi_inertial_allan_model(&flicker, tau[i]);
            for (int k = 0; k < 3; k++) {
                dev[3 * p + k][i] = factor[p] * curve[3 * p + k].point[i].dev[TY_ALLAN_OADEV];
                least = fmin(least, dev[3 * p + k][i]);
                most = fmax(most, dev[3 * p + k][i]);
            }
        }
        for (int k = 0; k < 3; k++) {
            series[p][k] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                             .label = axis[3 * p + k],
                                             .n = n,
                                             .x = tau,
                                             .y = dev[3 * p + k],
                                             .symbol = (ty_draw_symbol)(TY_SYMBOL_DISC + k),
                                             .color = ty_draw_palette(k) };
        }
        snprintf(label[p][0], sizeof label[p][0],
                 p ? "white noise %.3g \xc2\xb5g/\xe2\x88\x9aHz" : "white noise %.3g deg/\xe2\x88\x9ah",
                 p ? t->noise * factor[1] : t->noise / TY_DEG * 60.0);
        snprintf(label[p][1], sizeof label[p][1], "lowest point %.3g %s", 0.664 * t->instability * factor[p], unit[p]);
        snprintf(y_label[p], sizeof y_label[p], "Allan deviation [%s]", unit[p]);
        series[p][3] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                         .label = label[p][0],
                                         .n = n,
                                         .x = tau,
                                         .y = line[p][1],
                                         .dash = TY_DASH_DASHED,
                                         .color = ty_draw_palette(6) };
        series[p][4] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                         .label = label[p][1],
                                         .n = n,
                                         .x = tau,
                                         .y = line[p][2],
                                         .dash = TY_DASH_DOTTED,
                                         .color = ty_draw_palette(6) };
        series[p][5] = (ty_draw_series){
            .kind = TY_SERIES_LINE, .label = "both", .n = n, .x = tau, .y = line[p][0], .color = ty_draw_palette(6)
        };
        panel[p] = (ty_draw_panel){ .title = p ? "accelerometers" : "gyroscopes",
                                    .x = { .label = "averaging time [s]", .log = true },
                                    .y = { .label = y_label[p], .log = true, .low = 0.3 * least, .high = 3.0 * most },
                                    .series = series[p],
                                    .count = 6,
                                    .key = TY_KEY_TOP_RIGHT };
    }
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = title;
    figure.panel = panel;
    figure.columns = 2;
    figure.width = 1200;
    figure.height = 560;
    return ty_draw_write_figure(path, &figure, diag);
}

static void print_table(const ty_imu_def *def, const allan_curve curve[6])
{
    printf("axis,N,N_sheet,B,B_sheet,K,K_sheet\n");
    for (int k = 0; k < 6; k++) {
        const ty_imu_triad *t = k < 3 ? &def->gyro : &def->accel;
        const tyi_inertial_allan_noise *z = &curve[k].noise;
        printf("%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", axis[k], z->N, t->noise, z->B, t->instability, z->K, t->walk);
    }
}

static void print_json(const allan_curve curve[6], double hours)
{
    printf("{\"hours\": %g", hours);
    for (int k = 0; k < 6; k++) {
        const tyi_inertial_allan_noise *z = &curve[k].noise;
        printf(", \"%s_N\": %.6g, \"%s_B\": %.6g, \"%s_K\": %.6g", axis[k], z->N, axis[k], z->B, axis[k], z->K);
    }
    printf("}\n");
}

int allan_imu(const char *path, double hours, const char *plot, uint64_t seed, bool json)
{
    ty_diag diag = { 0 };
    ty_imu_def def;
    if (ty_imu_load(path, NULL, 0, &def, &diag) != TY_OK) {
        return app_bad("allan", "%s", diag.text);
    }
    def.seed = seed;
    double samples = hours * 3600.0 * def.rate;
    if (samples > 2e8) {
        return app_bad("allan", "%g hours at %g Hz are %.3g samples; at most 2e8 are kept.", hours, def.rate, samples);
    }
    size_t n = (size_t)samples;
    double *data = malloc(6 * n * sizeof *data);
    if (!data) {
        return app_bad("allan", "no memory for %zu samples of six axes.", n);
    }
    ty_status status = simulate(&def, n, data, &diag);
    allan_curve curve[6];
    /* a walk is only looked for where the sheet has one: a slow flicker is easily taken for it */
    for (size_t k = 0; k < 6 && status == TY_OK; k++) {
        curve[k] = (allan_curve){ .label = axis[k] };
        const ty_imu_triad *t = k < 3 ? &def.gyro : &def.accel;
        status = allan_analyse(data + k * n, n, false, def.rate, t->walk > 0.0 ? "NBK" : "NB", &curve[k], &diag);
    }
    free(data);
    const char *name = strrchr(path, '/');
    char title[300];
    snprintf(title, sizeof title, "%.200s at rest for %g h, simulated, and its data sheet", name ? name + 1 : path,
             hours);
    if (status == TY_OK && plot) {
        status = draw(plot, title, &def, curve, &diag);
    }
    if (status != TY_OK) {
        return app_bad("allan", "%s", diag.text);
    }
    json ? print_json(curve, hours) : print_table(&def, curve);
    return APP_OK;
}
