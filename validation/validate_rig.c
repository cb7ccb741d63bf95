/* validation/validate_rig.c - the wheel of a run, stepped until it is steady, against the static solution
 * (issue: soil, must show 2).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "validate.h"

enum { SLIPS = 15, ANGLES = 4 };

typedef struct sweep {
    double slip[SLIPS], still[ANGLES][3][SLIPS], moving[ANGLES][3][SLIPS];
    double force, sinkage; /* worst errors, of the load and relative */
} sweep;

static ty_status run(ty_rig_def def, sweep *out, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int a = 0; a < ANGLES; a++) {
        for (int i = 0; i < SLIPS && status == TY_OK; i++) {
            ty_rig_result s, m;
            def.slip = out->slip[i] = -0.5 + 0.1 * i;
            def.beta = 15.0 * a * TY_DEG;
            def.model = TY_RIG_STATIC;
            status = ty_rig_run(&def, &s, diag);
            def.model = TY_SOIL_BEKKER;
            status = status == TY_OK ? ty_rig_run(&def, &m, diag) : status;
            if (status != TY_OK) {
                break;
            }
            double worst = fmax(fmax(fabs(s.fx - m.fx), fabs(s.fy - m.fy)),
                                fmax(fabs(m.fz - def.load), fabs(s.torque - m.torque) / def.wheel.r));
            out->force = fmax(out->force, worst / def.load);
            out->sinkage = fmax(out->sinkage, fabs(m.h / s.h - 1.0));
            const double *from[2] = { (double[]){ s.fx, s.fy, 1e3 * s.h }, (double[]){ m.fx, m.fy, 1e3 * m.h } };
            for (int q = 0; q < 3; q++) {
                out->still[a][q][i] = from[0][q];
                out->moving[a][q][i] = from[1][q];
            }
        }
    }
    return status;
}

static ty_status draw(validate_book *book, const sweep *s, ty_diag *diag)
{
    static const char *const label[3] = { "drawbar pull [N]", "side force [N]", "sinkage [mm]" };
    static const char *const title[2] = { "Ishigami soil and wheel, 64.7 N",
                                          "Ding soil (K_y 10 mm), lugged wheel, 80 N" };
    static const char *const name[ANGLES] = { "0 deg", "15 deg", "30 deg", "45 deg" };
    ty_draw_series series[6][2 * ANGLES];
    ty_draw_panel panel[6];
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int p = 0; p < 6; p++) {
        for (int a = 0; a < ANGLES; a++) {
            series[p][a] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                             .label = name[a],
                                             .n = SLIPS,
                                             .x = s[p / 3].slip,
                                             .y = s[p / 3].still[a][p % 3],
                                             .color = ty_draw_palette(a + 1) };
            series[p][ANGLES + a] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                                      .label = a ? NULL : "stepped",
                                                      .n = SLIPS,
                                                      .x = s[p / 3].slip,
                                                      .y = s[p / 3].moving[a][p % 3],
                                                      .symbol = TY_SYMBOL_RING,
                                                      .color = ty_draw_palette(a + 1) };
        }
        panel[p] = (ty_draw_panel){ .title = p % 3 ? NULL : title[p / 3],
                                    .x = { .label = "slip [-]" },
                                    .y = { .label = label[p % 3] },
                                    .series = series[p],
                                    .count = 2 * ANGLES,
                                    .key = p ? TY_KEY_NONE : TY_KEY_AUTO };
    }
    char path[4096];
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "The wheel of a run, steady (rings), and the static solution (lines)";
    figure.panel = panel;
    figure.rows = 2;
    figure.columns = 3;
    figure.share_x = true;
    figure.width = 1200;
    figure.height = 680;
    return ty_draw_write_figure(validate_picture(book, "validation_rig.png", path, sizeof path), &figure, diag);
}

ty_status validate_rig(validate_book *book, ty_diag *diag)
{
    static const char *const ky[] = { "ky=0.010", "n0=1.0", "n1=0.5", "n1_skid=0.5" };
    static const char *const soil[3] = { "models/soils/ishigami.yaml", "models/soils/ding.yaml",
                                         "models/soils/ding.yaml" };
    static const char *const claim[3] = { "Ishigami wheel: forces within 1 % of the load, sinkage 1 %",
                                          "Ding smooth wheel (n0 1.0, n1 0.5, K_y 10 mm): the same",
                                          "Ding lugged wheel: the same" };
    static const ty_wheel_shape wheel[3] = { { 0.09, 0.11, 0.0, 0 },
                                             { 0.15735, 0.165, 0.0, 0 },
                                             { 0.15735, 0.165, 0.010, 30 } };
    sweep drawn[2];
    memset(drawn, 0, sizeof drawn);
    for (int i = 0; i < 3; i++) {
        ty_rig_def def = ty_rig_def_default();
        ty_status status = ty_soil_params_load(soil[i], ky, i ? 4 : 0, &def.soil, diag);
        def.soil.g = 9.81;
        def.wheel = wheel[i];
        def.load = i ? 80.0 : 64.7;
        def.speed = 0.3;
        sweep *s = &drawn[i ? 1 : 0];
        memset(s, 0, sizeof *s);
        status = status == TY_OK ? run(def, s, diag) : status;
        if (status != TY_OK) {
            return status;
        }
        validate_add(book, s->force < 0.01 && s->sinkage < 0.01 ? VALIDATE_MET : VALIDATE_MISSED, claim[i],
                     "slip -0.5 to 0.9, slip angle 0 to 45 deg, 60 points", "forces %.1e of the load, sinkage %.1e",
                     s->force, s->sinkage);
    }
    return draw(book, drawn, diag);
}
