/* src/record/draw_tools.c - plots of a rover's tools: what they held, their torque, and what it cost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record.h"
#include "tycho/tools/draw.h"

#define PANELS 4
#define LEAST  0.01 /* [kg] held, below which joules for each kilogram say nothing */

bool tyi_record_tool_worked(const ty_tool_view *tool)
{
    return tool->work != 0.0 || tool->most > 0.0;
}

/* columns of a tool, one after the other: held, torque, power, joules so far for each kilogram held at most so far */
static void fill(const tyi_record_rover *r, int tool, double *value)
{
    double most = 0.0;
    for (size_t i = 0; i < r->rows; i++) {
        const tyi_record_row *row = &r->row[i];
        most = fmax(most, (double)row->carried[tool]);
        value[i] = (double)row->carried[tool];
        value[r->rows + i] = (double)row->turn_nm[tool];
        value[2 * r->rows + i] = (double)row->given[tool];
        value[3 * r->rows + i] = most > LEAST ? (double)row->work[tool] / most : (double)NAN;
    }
}

static ty_status draw(const tyi_record_rover *r, const ty_tool_view *tool, int tools, const char *title,
                      const char *path, ty_diag *diag)
{
    static const char *const label[PANELS] = { "soil held [kg]", "torque [N m]", "power given to soil [W]",
                                               "work / most held [J/kg]" };
    double *t = malloc(r->rows * sizeof *t), *value = malloc((size_t)TY_TOOLS_MAX * PANELS * r->rows * sizeof *value);
    if (!t || !value) {
        free(t), free(value);
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plots of tools");
    }
    ty_draw_series series[PANELS][TY_TOOLS_MAX];
    ty_draw_panel panel[PANELS];
    memset(series, 0, sizeof series), memset(panel, 0, sizeof panel);
    for (size_t i = 0; i < r->rows; i++) {
        t[i] = r->row[i].t;
    }
    for (int k = 0; k < tools; k++) {
        double *own = value + (size_t)k * PANELS * r->rows;
        if (!tyi_record_tool_worked(&tool[k])) {
            continue;
        }
        fill(r, k, own);
        for (int p = 0; p < PANELS; p++) {
            series[p][panel[p].count++] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                                            .n = r->rows,
                                                            .x = t,
                                                            .y = own + (size_t)p * r->rows,
                                                            .size = 1.2,
                                                            .label = tool[k].name };
        }
    }
    for (int p = 0; p < PANELS; p++) {
        panel[p].series = series[p], panel[p].y.label = label[p], panel[p].x.label = "time [s]";
    }
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = title, figure.panel = panel, figure.rows = PANELS / 2, figure.columns = 2, figure.share_x = true;
    figure.width = 1400, figure.height = 760;
    ty_status status = ty_draw_write_figure(path, &figure, diag);
    free(t), free(value);
    return status;
}

ty_status tyi_record_draw_tools(const ty_record *r, size_t rover, const char *path, ty_diag *diag)
{
    ty_tool_view tool[TY_TOOLS_MAX];
    bool any = false;
    int tools = ty_vehicle_tools(ty_run_rover(r->run, rover), tool);
    for (int k = 0; k < tools; k++) {
        any = any || tyi_record_tool_worked(&tool[k]);
    }
    return any ? draw(&r->rover[rover], tool, tools, r->rovers > 1 ? r->rover[rover].name : NULL, path, diag) : TY_OK;
}
