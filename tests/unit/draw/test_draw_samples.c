/* Sample figures, to be looked at: TYCHO_FIGURES=DIR build/test_io leaves them in DIR. Their
 * numbers are made up; here they only have to come out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tyt.h"
#include "tycho/tools/draw.h"
#include "draw/inner.h"
#include "k_philox.h"

#define SIDE 320 /* cells */

typedef struct scene {
    float height[SIDE * SIDE], shade[SIDE * SIDE], slope[SIDE * SIDE];
    double crater_x[40], crater_y[40], crater_r[40];
} scene;

static double random01(ty_u32 a, ty_u32 b)
{
    return ty_k_uniform(ty_k_philox(a, b, 0, 0, 5, TY_RNG_TEST).v[0]);
}

static double wave_sum(double x, double y)
{
    double z = 0.0;
    for (ty_u32 k = 0; k < 40; k++) {
        double wavelength = 1000.0 * pow(0.89, k), angle = 6.2832 * random01(k, 1), phase = 6.2832 * random01(k, 2);
        z += 0.009 * pow(wavelength, 0.9) * sin(6.2832 * (x * cos(angle) + y * sin(angle)) / wavelength + phase);
    }
    return z;
}

static double bowl(double d, double r) /* depth and rim of a simple crater of radius r at distance d [m] */
{
    double u = d / r;
    return u < 1.0 ? r * (0.24 * u * u - 0.2) : 0.04 * r * pow(u, -3.0);
}

/* a square of 1000 m, cells of about 3 m, with hillshade and slope */
static scene *make_scene(void)
{
    scene *s = calloc(1, sizeof *s);
    const double cell = 1000.0 / SIDE;
    for (ty_u32 k = 0; k < 40; k++) {
        s->crater_r[k] = 8.0 * pow(random01(k, 3), -0.6);
        s->crater_x[k] = 1000.0 * random01(k, 4) - 500.0;
        s->crater_y[k] = 1000.0 * random01(k, 5) - 500.0;
    }
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            double x = (i + 0.5) * cell - 500.0, y = (j + 0.5) * cell - 500.0, z = wave_sum(x, y);
            for (int k = 0; k < 40; k++) {
                z += bowl(hypot(x - s->crater_x[k], y - s->crater_y[k]), s->crater_r[k]);
            }
            s->height[j * SIDE + i] = (float)z;
        }
    }
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            int i0 = i > 0 ? i - 1 : i, i1 = i < SIDE - 1 ? i + 1 : i, j0 = j > 0 ? j - 1 : j,
                j1 = j < SIDE - 1 ? j + 1 : j;
            double gx = (double)(s->height[j * SIDE + i1] - s->height[j * SIDE + i0]) / ((i1 - i0) * cell);
            double gy = (double)(s->height[j1 * SIDE + i] - s->height[j0 * SIDE + i]) / ((j1 - j0) * cell);
            double n = sqrt(1.0 + gx * gx + gy * gy), cosine = (0.64 * gx - 0.64 * gy + 0.42) / n; /* from north-west */
            s->shade[j * SIDE + i] = (float)fmax(cosine, 0.0);
            s->slope[j * SIDE + i] = (float)(atan(hypot(gx, gy)) * 57.29578);
        }
    }
    return s;
}

/* DIR/name; DIR is TYCHO_FIGURES or a folder in /tmp that is removed by done() */
static char folder[256];

static const char *figure_path(const char *name)
{
    static char path[512];
    const char *wish = getenv("TYCHO_FIGURES");
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s", wish ? wish : "/tmp/tycho-draw-XXXXXX");
        cr_assert(wish || mkdtemp(folder));
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void done(const char *path)
{
    TY_CHECK(access(path, R_OK) == 0);
    if (!getenv("TYCHO_FIGURES")) {
        unlink(path);
        rmdir(folder);
        folder[0] = '\0';
    }
}

static ty_draw_map base_map(void)
{
    ty_draw_map map = ty_draw_map_default();
    map.x0 = map.y0 = -500.0;
    map.x1 = map.y1 = 500.0;
    map.lat = -89.54 * 0.017453292519943295;
    map.lon = 222.69 * 0.017453292519943295;
    for (int i = 0; i < 2; i++) {
        map.layer[i] = ty_draw_layer_default();
        map.layer[i].nx = map.layer[i].ny = SIDE;
    }
    return map;
}

static void write_map(const char *name, const ty_draw_map *map)
{
    ty_diag diag = { 0 };
    const char *path = figure_path(name);
    cr_expect(ty_draw_write_map(path, map, &diag) == TY_OK, "%s", diag.text);
    done(path);
}

TY_TEST(draw_samples, map_heights_with_contours)
{
    scene *s = make_scene();
    ty_draw_map map = base_map();
    map.title = "Rim site: height and craters";
    map.note = "Sun azimuth 315\u00b0, elevation 25\u00b0";
    map.layers = 2;
    map.layer[0].value = s->height;
    map.layer[0].cmap = TY_CMAP_TERRAIN;
    map.layer[0].legend = "height above the sphere [m]";
    map.layer[1].value = s->shade;
    map.layer[1].low = 0.0;
    map.layer[1].high = 0.75;
    map.layer[1].multiply = true;
    map.layer[1].opacity = 0.75;
    double path_x[60], path_y[60];
    for (int i = 0; i < 60; i++) {
        path_x[i] = -420.0 + 14.0 * i;
        path_y[i] = -350.0 + 9.0 * i + 60.0 * sin(0.12 * i);
    }
    const char *stop_name[] = { "start", "end" };
    const ty_draw_overlay overlay[] = {
        { .kind = TY_OVERLAY_CONTOURS,
          .label = "height, every 2 m",
          .value = s->height,
          .nx = SIDE,
          .ny = SIDE,
          .step = 2.0 },
        { .kind = TY_OVERLAY_CIRCLES,
          .label = "crater rims",
          .n = 40,
          .x = s->crater_x,
          .y = s->crater_y,
          .radius = s->crater_r },
        { .kind = TY_OVERLAY_PATH, .label = "traverse", .n = 60, .x = path_x, .y = path_y },
        { .kind = TY_OVERLAY_POINTS,
          .n = 2,
          .x = (double[]){ path_x[0], path_x[59] },
          .y = (double[]){ path_y[0], path_y[59] },
          .text = stop_name,
          .size = 9.0,
          .color = { 0.8, 0.1, 0.1, 1.0 } },
    };
    map.overlay = overlay;
    map.overlays = 4;
    write_map("map_heights.png", &map);
    free(s);
}

TY_TEST(draw_samples, map_slope_over_hillshade)
{
    scene *s = make_scene();
    ty_draw_map map = base_map();
    map.title = "Slope over hillshade";
    map.layers = 2;
    map.layer[0].value = s->shade;
    map.layer[0].low = 0.0;
    map.layer[0].high = 0.8;
    map.layer[0].legend = "cosine of incidence [-]";
    map.layer[1].value = s->slope;
    map.layer[1].cmap = TY_CMAP_VIRIDIS;
    map.layer[1].high = 20.0;
    map.layer[1].opacity = 0.55;
    map.layer[1].legend = "slope [\u00b0]";
    double x[300], y[300];
    for (ty_u32 i = 0; i < 300; i++) {
        x[i] = 1000.0 * random01(i, 7) - 500.0;
        y[i] = 1000.0 * random01(i, 8) - 500.0;
    }
    const ty_draw_overlay rocks = {
        .kind = TY_OVERLAY_POINTS, .label = "rocks over 1 m", .n = 300, .x = x, .y = y, .size = 3.0
    };
    map.overlay = &rocks;
    map.overlays = 1;
    map.size = 1000;
    write_map("map_slope.png", &map);
    free(s);
}

/* every colour map, wide map in kilometres, a hole in the data */
TY_TEST(draw_samples, map_colors)
{
    scene *s = make_scene();
    for (int i = 80; i < 112; i++) {
        for (int j = 160; j < 208; j++) {
            s->height[j * SIDE + i] = NAN;
        }
    }
    for (int c = 0; c < TY_CMAP_COUNT; c++) {
        char name[64], title[64];
        snprintf(name, sizeof name, "map_%s.png", tyi_draw_cmap_name((ty_draw_cmap)c));
        snprintf(title, sizeof title, "Colours: %s", tyi_draw_cmap_name((ty_draw_cmap)c));
        ty_draw_map map = base_map();
        map.title = title;
        map.x0 = -24000.0;
        map.x1 = 24000.0;
        map.y0 = -12000.0;
        map.y1 = 12000.0;
        map.layers = 1;
        map.layer[0].value = s->height;
        map.layer[0].cmap = (ty_draw_cmap)c;
        map.layer[0].legend = "height [m]";
        map.size = 800;
        write_map(name, &map);
    }
    free(s);
}

static void write_figure(const char *name, const ty_draw_figure *figure)
{
    ty_diag diag = { 0 };
    const char *path = figure_path(name);
    cr_expect(ty_draw_write_figure(path, figure, &diag) == TY_OK, "%s", diag.text);
    done(path);
}

TY_TEST(draw_samples, plot_slip)
{
    enum { N = 60, M = 9 };
    static double slip[N], pull[3][N], low[N], high[N], mx[M], my[M], ml[M], mh[M], xl[M], xh[M];
    for (int i = 0; i < N; i++) {
        slip[i] = -0.2 + 1.1 * i / (N - 1);
        for (int k = 0; k < 3; k++) {
            pull[k][i] = (60.0 - 14.0 * k) * (1.0 - exp(-fmax(slip[i] + 0.02, 0.0) / (0.15 + 0.05 * k))) - 20.0 +
                         25.0 * fmin(slip[i], 0.0);
        }
        low[i] = pull[0][i] - 5.0 - 4.0 * fabs(slip[i]);
        high[i] = pull[0][i] + 5.0 + 4.0 * fabs(slip[i]);
    }
    for (int i = 0; i < M; i++) {
        mx[i] = 0.02 + 0.1 * i;
        my[i] = 58.0 * (1.0 - exp(-mx[i] / 0.16)) - 20.0 + 8.0 * (random01((ty_u32)i, 9) - 0.5);
        ml[i] = my[i] - 4.0;
        mh[i] = my[i] + 4.0;
        xl[i] = mx[i] - 0.015;
        xh[i] = mx[i] + 0.015;
    }
    const ty_draw_series series[] = {
        { .kind = TY_SERIES_BAND, .label = "published spread", .n = N, .x = slip, .y_low = low, .y_high = high },
        { .kind = TY_SERIES_LINE, .label = "bekker", .n = N, .x = slip, .y = pull[0], .color = ty_draw_palette(0) },
        { .kind = TY_SERIES_LINE, .label = "scm, 20 mm", .n = N, .x = slip, .y = pull[1], .dash = TY_DASH_DASHED },
        { .kind = TY_SERIES_LINE, .label = "regression", .n = N, .x = slip, .y = pull[2], .dash = TY_DASH_DOTTED },
        { .kind = TY_SERIES_POINTS,
          .label = "measured",
          .n = M,
          .x = mx,
          .y = my,
          .y_low = ml,
          .y_high = mh,
          .x_low = xl,
          .x_high = xh,
          .color = { 0.1, 0.1, 0.1, 1.0 } },
    };
    const ty_draw_note note = { 0.2, -8.0, "driving" };
    const ty_draw_panel panel = { .x = { .label = "slip [-]" },
                                  .y = { .label = "drawbar pull [N]" },
                                  .series = series,
                                  .count = 5,
                                  .notes = &note,
                                  .note_count = 1 };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "Drawbar pull of a single wheel";
    figure.panel = &panel;
    write_figure("plot_slip.png", &figure);
    write_figure("plot_slip.svg", &figure);
}

TY_TEST(draw_samples, plot_stacked)
{
    enum { N = 2000 };
    static double t[N], v[N], w[N], p[N];
    for (int i = 0; i < N; i++) {
        t[i] = 0.05 * i;
        double noise = ty_k_normal(random01((ty_u32)i, 11), random01((ty_u32)i, 12), 0);
        v[i] = 0.08 * (1.0 - exp(-t[i] / 6.0)) + 0.002 * noise;
        w[i] = 0.02 * sin(0.21 * t[i]) + 0.001 * noise;
        p[i] = 2.5e5 + 4e4 * sin(0.1 * t[i]);
    }
    const ty_draw_series series[] = {
        { .label = "forward", .n = N, .x = t, .y = v, .size = 1.0 },
        { .label = "turn rate", .n = N, .x = t, .y = w, .size = 1.0, .color = ty_draw_palette(1) },
        { .n = N, .x = t, .y = p, .color = ty_draw_palette(2) },
    };
    const ty_draw_panel panel[] = {
        { .y = { .label = "speed [m/s]" }, .series = &series[0], .count = 1, .title = "(a) chassis" },
        { .y = { .label = "rate [rad/s]" }, .series = &series[1], .count = 1 },
        { .x = { .label = "time [s]" }, .y = { .label = "pressure [Pa]" }, .series = &series[2], .count = 1 },
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "A drive of 100 s";
    figure.panel = panel;
    figure.rows = 3;
    figure.share_x = true;
    figure.height = 800;
    write_figure("plot_stacked.png", &figure);
}

TY_TEST(draw_samples, plot_grid)
{
    enum { N = 40, V = 4000, BINS = 30 };
    static double d[N], count[N], cl[N], ch[N], model[N], value[V], edge[2][BINS + 1], bin[2][BINS], qx[80], qy[80];
    for (int i = 0; i < N; i++) {
        d[i] = pow(10.0, -1.0 + 4.0 * i / (N - 1));
        model[i] = 2e4 * pow(d[i], -2.8);
        count[i] = model[i] * exp(0.25 * (random01((ty_u32)i, 21) - 0.5));
        cl[i] = count[i] / 1.3;
        ch[i] = count[i] * 1.3;
    }
    for (int k = 0; k < 2; k++) {
        for (ty_u32 i = 0; i < V; i++) {
            value[i] = 1.4 * k +
                       (1.0 + 0.4 * k) * ty_k_normal(random01(i, (ty_u32)(22 + k)), random01(i, (ty_u32)(24 + k)), 0);
        }
        tyi_draw_histogram(value, V, -4.0, 6.0, BINS, edge[k], bin[k]);
    }
    for (int i = 0; i < 80; i++) {
        qx[i] = 12.0 * cos(0.1 * i) * (1.0 + 0.02 * i);
        qy[i] = 7.0 * sin(0.1 * i) * (1.0 + 0.02 * i);
    }
    const ty_draw_series craters[] = {
        { .kind = TY_SERIES_LINE,
          .label = "production curve",
          .n = N,
          .x = d,
          .y = model,
          .color = { 0.1, 0.1, 0.1, 1 } },
        { .kind = TY_SERIES_POINTS,
          .label = "generated",
          .n = N,
          .x = d,
          .y = count,
          .y_low = cl,
          .y_high = ch,
          .symbol = TY_SYMBOL_SQUARE },
    };
    const ty_draw_series histogram[] = {
        { .kind = TY_SERIES_BARS, .label = "before", .n = BINS, .x = edge[0], .y = bin[0] },
        { .kind = TY_SERIES_BARS, .label = "after", .n = BINS, .x = edge[1], .y = bin[1] },
    };
    const ty_draw_series steps[] = {
        { .kind = TY_SERIES_STEP, .label = "bins", .n = BINS, .x = edge[1], .y = bin[1] }
    };
    const ty_draw_series path[] = {
        { .kind = TY_SERIES_LINE, .label = "rover", .n = 80, .x = qx, .y = qy, .symbol = TY_SYMBOL_RING }
    };
    const ty_draw_panel panel[] = {
        { .title = "(a) craters",
          .x = { .label = "diameter [m]", .log = true },
          .y = { .label = "number above, per km\u00b2", .log = true },
          .series = craters,
          .count = 2 },
        { .title = "(b) histogram",
          .x = { .label = "error [px]" },
          .y = { .label = "count" },
          .series = histogram,
          .count = 2 },
        { .title = "(c) steps, log axis",
          .x = { .label = "error [px]" },
          .y = { .label = "count", .log = true },
          .series = steps,
          .count = 1 },
        { .title = "(d) equal axes",
          .x = { .label = "x [m]" },
          .y = { .label = "y [m]" },
          .series = path,
          .count = 1,
          .equal = true },
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = panel;
    figure.rows = figure.columns = 2;
    figure.width = 1100;
    figure.height = 860;
    write_figure("plot_grid.png", &figure);
}
