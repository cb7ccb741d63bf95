/* Maps and plots: things are where the exposed transforms say, and bad input is a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "draw_support.h"
#include "draw/inner.h"

static const ty_draw_color black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 }, red = { 1, 0, 0, 1 };

static ty_draw_map plain_map(const float *value, int nx, int ny)
{
    ty_draw_map map = ty_draw_map_default();
    map.x0 = 100.0;
    map.x1 = 300.0;
    map.y0 = -50.0;
    map.y1 = 50.0;
    map.layers = 1;
    map.layer[0] = ty_draw_layer_default();
    map.layer[0].nx = nx;
    map.layer[0].ny = ny;
    map.layer[0].value = value;
    map.layer[0].smooth = false;
    map.scale_bar = map.north_arrow = false;
    map.size = 600;
    return map;
}

static ty_image drawn_map(const ty_draw_map *map, ty_draw_frame *frame)
{
    box_dir d = dir_make();
    ty_diag diag = { 0 };
    ty_image image;
    const char *path = dir_path(&d, "a.png");
    cr_assert(ty_draw_write_map(path, map, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_draw_map_frame(map, frame, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_png_read(path, &image, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(dir_count(&d, true) == 1);
    TY_CHECK(image.width == frame->width && image.height == frame->height);
    TY_CHECK(image.width <= map->size && image.height <= map->size);
    TY_CHECK(image.width == map->size || image.height == map->size || image.width == map->size - 1);
    return image;
}

static double off_at(const ty_image *image, const ty_draw_frame *frame, double x, double y, ty_draw_color want)
{
    double px, py;
    tyi_draw_frame_point(frame, x, y, &px, &py);
    return pixel_off(image, px, py, want);
}

/* One white cell in a black grid of 10 x 5, east of the middle and north. */
TY_TEST(draw_map, cells_are_where_they_belong)
{
    float value[50] = { 0 };
    value[4 * 10 + 7] = 1.0f; /* x 240 to 260, y 30 to 50 */
    ty_draw_map map = plain_map(value, 10, 5);
    ty_draw_frame f;
    ty_image image = drawn_map(&map, &f);
    TY_NEAR((f.right - f.left) / (f.bottom - f.top), 2.0, 0.02); /* metres are as long both ways */
    TY_CHECK(off_at(&image, &f, 250.0, 40.0, white) < 1.0);
    TY_CHECK(off_at(&image, &f, 242.0, 32.0, white) < 1.0 && off_at(&image, &f, 258.0, 48.0, white) < 1.0);
    TY_CHECK(off_at(&image, &f, 238.0, 40.0, black) < 1.0 && off_at(&image, &f, 262.0, 40.0, black) < 1.0);
    TY_CHECK(off_at(&image, &f, 250.0, 28.0, black) < 1.0);
    TY_CHECK(off_at(&image, &f, 250.0, -40.0, white) > 200.0); /* control: south up */
    TY_CHECK(off_at(&image, &f, 150.0, 40.0, white) > 200.0);  /* control: west and east exchanged */
    ty_image_free(&image);
}

/* Cells smaller than a pixel are averaged, larger ones interpolated between their centres. */
TY_TEST(draw_map, resampling_keeps_the_mean)
{
    enum { N = 2000 };
    float *value = malloc(N * N * sizeof *value);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            value[j * N + i] = (float)((i + j) % 2);
        }
    }
    ty_draw_map map = plain_map(value, N, N);
    ty_draw_frame f;
    ty_image image = drawn_map(&map, &f);
    for (int k = 0; k < 20; k++) { /* about 4 x 8 cells: half black, to one cell in 32 either way */
        TY_NEAR(off_at(&image, &f, 110.0 + 9.0 * k, 3.0, black), 127.5, 255.0 / 16.0);
    }
    ty_image_free(&image);
    free(value);
    const float two[2] = { 0.0f, 1.0f };
    map = plain_map(two, 2, 1);
    map.layer[0].smooth = true;
    image = drawn_map(&map, &f);
    TY_NEAR(off_at(&image, &f, 200.0, 0.0, black), 127.5, 2.0);
    TY_NEAR(off_at(&image, &f, 175.0, 0.0, black), 63.75, 2.0);
    ty_image_free(&image);
}

TY_TEST(draw_map, colors_layers_and_holes)
{
    const float value[4] = { 0.0f, 5.0f, 10.0f, NAN };
    const uint8_t rgb[12] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30 };
    ty_draw_map map = plain_map(value, 4, 1);
    ty_draw_frame f;
    map.layer[0].cmap = TY_CMAP_VIRIDIS;
    ty_image image = drawn_map(&map, &f);
    TY_CHECK(off_at(&image, &f, 125.0, 0.0, ty_draw_cmap_color(TY_CMAP_VIRIDIS, 0.0)) < 1.5);
    TY_CHECK(off_at(&image, &f, 175.0, 0.0, ty_draw_cmap_color(TY_CMAP_VIRIDIS, 0.5)) < 1.5);
    TY_CHECK(off_at(&image, &f, 225.0, 0.0, ty_draw_cmap_color(TY_CMAP_VIRIDIS, 1.0)) < 1.5);
    TY_CHECK(off_at(&image, &f, 275.0, 0.0, ty_draw_cmap_color(TY_CMAP_VIRIDIS, 0.0)) > 60.0);
    ty_image_free(&image);
    map.layer[0].value = NULL;
    map.layer[0].rgb = rgb;
    map.layers = 2;
    map.layer[1] = plain_map(value, 4, 1).layer[0]; /* gray 0, 1/2, 1 and nothing, half seen */
    map.layer[1].opacity = 0.5;
    image = drawn_map(&map, &f);
    TY_CHECK(off_at(&image, &f, 125.0, 0.0, (ty_draw_color){ 0.5, 0.0, 0.0, 1 }) < 2.0);
    TY_CHECK(off_at(&image, &f, 175.0, 0.0, (ty_draw_color){ 0.25, 0.75, 0.25, 1 }) < 2.0);
    TY_CHECK(off_at(&image, &f, 275.0, 0.0, (ty_draw_color){ 10 / 255.0, 20 / 255.0, 30 / 255.0, 1 }) < 1.0);
    ty_image_free(&image);
    map.layer[1].multiply = true;
    map.layer[1].opacity = 1.0;
    image = drawn_map(&map, &f);
    TY_CHECK(off_at(&image, &f, 175.0, 0.0, (ty_draw_color){ 0.0, 0.5, 0.0, 1 }) < 2.0);
    TY_CHECK(off_at(&image, &f, 225.0, 0.0, (ty_draw_color){ 0.0, 0.0, 1.0, 1 }) < 2.0);
    ty_image_free(&image);
}

TY_TEST(draw_map, overlays_are_where_they_belong)
{
    enum { N = 100 };
    static float value[N * N], slope[N * N];
    for (int i = 0; i < N * N; i++) {
        value[i] = 1.0f;
        slope[i] = 100.0f + 2.0f * (i % N + 0.5f); /* is x */
    }
    ty_draw_map map = plain_map(value, N, N);
    map.layer[0].low = 0.0;
    map.layer[0].high = 1.0; /* all white */
    const double x = 130.0, y = 20.0, r = 15.0;
    const ty_draw_overlay overlay[] = {
        { .kind = TY_OVERLAY_CIRCLES, .n = 1, .x = &x, .y = &y, .radius = &r, .color = red, .size = 3.0 },
        { .kind = TY_OVERLAY_CONTOURS, .value = slope, .nx = N, .ny = N, .step = 80.0, .color = black, .size = 3.0 },
        { .kind = TY_OVERLAY_PATH,
          .n = 2,
          .x = (double[]){ 260.0, 290.0 },
          .y = (double[]){ -40.0, -10.0 },
          .color = red,
          .size = 4.0 },
        { .kind = TY_OVERLAY_POINTS,
          .n = 1,
          .x = (double[]){ 200.0 },
          .y = (double[]){ -30.0 },
          .color = red,
          .size = 10.0,
          .symbol = TY_SYMBOL_SQUARE },
    };
    map.overlay = overlay;
    map.overlays = 4;
    ty_draw_frame f;
    ty_image image = drawn_map(&map, &f);
    for (int k = 0; k < 12; k++) { /* the whole rim is red, its inside is not */
        double c = cos(0.5236 * k), s = sin(0.5236 * k);
        TY_CHECK(off_at(&image, &f, x + r * c, y + r * s, red) < 100.0);
        TY_CHECK(off_at(&image, &f, x + 0.7 * r * c, y + 0.7 * r * s, white) < 2.0);
    }
    TY_CHECK(off_at(&image, &f, 240.0, 5.0, white) > 100.0); /* contours of 240 and 160 */
    TY_CHECK(off_at(&image, &f, 160.0, -20.0, white) > 100.0);
    TY_CHECK(off_at(&image, &f, 230.0, 5.0, white) < 2.0); /* control */
    TY_CHECK(off_at(&image, &f, 275.0, -25.0, red) < 100.0 && off_at(&image, &f, 275.0, -10.0, white) < 2.0);
    TY_CHECK(off_at(&image, &f, 200.0, -30.0, red) < 2.0);
    ty_image_free(&image);
}

/* Axes in metres or kilometres; legends and keys take room beside the map, not of it. */
TY_TEST(draw_map, everything_at_once_has_its_place)
{
    static float value[64 * 64];
    for (int i = 0; i < 64 * 64; i++) {
        value[i] = (float)i;
    }
    const double x = 0.0;
    const ty_draw_overlay rock = {
        .kind = TY_OVERLAY_POINTS, .label = "a rather long label", .n = 1, .x = &x, .y = &x
    };
    for (int size = 256; size <= 1024; size *= 2) {
        ty_draw_map map = plain_map(value, 64, 64);
        map.x0 = map.y0 = -20000.0;
        map.x1 = map.y1 = 20000.0;
        map.size = size;
        map.title = "Title";
        map.note = "note";
        map.lat = -1.5;
        map.lon = 3.0;
        map.scale_bar = map.north_arrow = true;
        map.layers = 2;
        map.layer[1] = map.layer[0];
        map.layer[0].legend = map.layer[1].legend = "height [m]";
        map.layer[1].log = true;
        map.layer[1].low = 1.0;
        map.layer[1].high = 1000.0;
        map.overlay = &rock;
        map.overlays = 1;
        ty_draw_frame f;
        ty_image image = drawn_map(&map, &f);
        TY_CHECK(f.left > 0.0 && f.top > 0.0 && f.right < f.width && f.bottom < f.height && f.x1 == 20000.0);
        ty_image_free(&image);
    }
}

static ty_image drawn_figure(const ty_draw_figure *figure, ty_draw_frame *frame, int panel)
{
    box_dir d = dir_make();
    ty_diag diag = { 0 };
    ty_image image;
    const char *path = dir_path(&d, "a.png");
    cr_assert(ty_draw_write_figure(path, figure, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_draw_figure_frame(figure, panel, frame, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_png_read(path, &image, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(dir_count(&d, true) == 1);
    TY_CHECK(image.width == figure->width && image.height == figure->height);
    return image;
}

TY_TEST(draw_plot, points_lines_and_bands_are_where_they_belong)
{
    const double x[3] = { 1.0, 10.0, 100.0 }, y[3] = { 5.0, -5.0, 2.0 }, low[3] = { -9, -9, -9 },
                 high[3] = { -7, -7, -7 };
    const ty_draw_series series[] = {
        { .kind = TY_SERIES_LINE, .n = 3, .x = x, .y = y, .color = red, .size = 4.0 },
        { .kind = TY_SERIES_POINTS, .n = 3, .x = x, .y = high, .color = black, .size = 9.0 },
        { .kind = TY_SERIES_BAND, .n = 3, .x = x, .y_low = low, .y_high = high, .color = red },
    };
    const ty_draw_panel panel = {
        .x = { .label = "x", .log = true }, .y = { .label = "y" }, .series = series, .count = 3
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = &panel;
    ty_draw_frame f;
    ty_image image = drawn_figure(&figure, &f, 0);
    for (int i = 0; i < 3; i++) {
        TY_CHECK(off_at(&image, &f, x[i], y[i], red) < 60.0);
        TY_CHECK(off_at(&image, &f, x[i], high[i], black) < 2.0);
    }
    TY_CHECK(off_at(&image, &f, sqrt(10.0), 0.0, red) < 60.0); /* half way in the logarithm */
    TY_CHECK(off_at(&image, &f, 5.5, 0.0, red) > 100.0);       /* control: half way without it */
    TY_CHECK(off_at(&image, &f, 30.0, -8.0, (ty_draw_color){ 1.0, 0.78, 0.78, 1 }) < 20.0);
    TY_CHECK(off_at(&image, &f, 30.0, -6.5, white) < 30.0);
    ty_image_free(&image);
}

TY_TEST(draw_plot, bars_stand_on_zero)
{
    const double edge[4] = { 0.0, 1.0, 2.0, 3.0 }, count[3] = { 4.0, 0.0, 8.0 };
    const ty_draw_series series = { .kind = TY_SERIES_BARS, .n = 3, .x = edge, .y = count, .color = black };
    const ty_draw_panel panel = { .series = &series, .count = 1 };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = &panel;
    ty_draw_frame f;
    ty_image image = drawn_figure(&figure, &f, 0);
    TY_CHECK(f.y0 == 0.0);
    TY_CHECK(off_at(&image, &f, 0.6, 3.5, white) > 60.0 && off_at(&image, &f, 0.6, 4.5, white) < 30.0);
    TY_CHECK(off_at(&image, &f, 2.6, 7.5, white) > 60.0);
    TY_CHECK(off_at(&image, &f, 1.6, 0.5, white) < 30.0); /* control: the empty bin */
    ty_image_free(&image);
}

/* Panels line up and do not overlap; a shared x axis is one axis. */
TY_TEST(draw_plot, panels_line_up)
{
    const double a[2] = { 0.0, 1.0 }, b[2] = { -3.0, 123456.0 };
    const ty_draw_series series[2] = { { .n = 2, .x = a, .y = a }, { .n = 2, .x = b, .y = b } };
    const ty_draw_panel panel[4] = {
        { .series = &series[0], .count = 1, .title = "a" },
        { .series = &series[1], .count = 1, .equal = true },
        { .series = &series[1], .count = 1 },
        { .series = &series[0], .count = 1, .x = { .label = "x" }, .key = TY_KEY_OUTSIDE }
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = panel;
    figure.rows = figure.columns = 2;
    figure.share_x = true;
    ty_draw_frame f[4];
    for (int p = 0; p < 4; p++) {
        cr_assert(tyi_draw_figure_frame(&figure, p, &f[p], NULL) == TY_OK);
    }
    TY_CHECK(f[0].left == f[2].left && f[0].right == f[2].right && f[0].top == f[1].top && f[2].bottom == f[3].bottom);
    TY_CHECK(f[0].right < f[1].left && f[0].bottom < f[2].top);
    TY_CHECK(f[0].x0 == f[2].x0 && f[0].x1 == f[2].x1 && f[0].x1 > 1e5);
    double per_x = (f[1].x1 - f[1].x0) / (f[1].right - f[1].left),
           per_y = (f[1].y1 - f[1].y0) / (f[1].bottom - f[1].top);
    TY_NEAR_REL(per_x, per_y, 0.01);
    ty_diag diag = { 0 };
    TY_CHECK(tyi_draw_figure_frame(&figure, 4, &f[0], &diag) == TY_ERR_RANGE && strstr(diag.text, "no panel 4"));
}

/* No data, one point, equal values, NaN and values a logarithm cannot show: a picture, not a crash. */
TY_TEST(draw_plot, odd_data_still_make_a_picture)
{
    const double odd[6] = { NAN, 1.0, 1.0, INFINITY, -1.0, 0.0 }, tiny[6] = { 1e-300, 1e300, 1, 2, 3, 4 };
    const ty_draw_series series[] = {
        { .n = 6, .x = odd, .y = odd, .y_low = odd, .y_high = tiny, .label = "a" },
        { .n = 1, .x = tiny, .y = tiny, .kind = TY_SERIES_POINTS, .label = "b" },
        { .n = 5, .x = tiny, .y = odd, .kind = TY_SERIES_BARS, .label = "c" },
        { .n = 6, .x = odd, .y_low = odd, .y_high = tiny, .kind = TY_SERIES_BAND, .label = "d" },
        { .n = 0, .label = "nothing" }
    };
    for (int k = 0; k < 4 * 7; k++) {
        ty_draw_panel panel = { .series = k % 7 < 5 ? &series[k % 7] : series,
                                .count = k % 7 < 5    ? 1
                                         : k % 7 == 5 ? 5
                                                      : 0 };
        panel.x.log = k / 7 & 1;
        panel.y.log = k / 7 & 2;
        ty_draw_figure figure = ty_draw_figure_default();
        figure.width = 300;
        figure.height = 250;
        figure.panel = &panel;
        ty_draw_frame f;
        ty_image image = drawn_figure(&figure, &f, 0);
        TY_CHECK(f.x0 < f.x1 && f.y0 < f.y1 && isfinite(f.x1 - f.x0));
        ty_image_free(&image);
    }
}

static void expect_map(const ty_draw_map *map, const char *path, ty_status status, const char *part, int line)
{
    ty_diag diag = { 0 };
    ty_status got = ty_draw_write_map(path, map, &diag);
    cr_expect(got == status && strstr(diag.text, part), "line %d: %s: %s", line, ty_status_name(got), diag.text);
}

TY_TEST(draw_map, bad_maps_get_a_sentence)
{
    box_dir d = dir_make();
    const float value[4] = { 1, 2, 3, 4 }, none[4] = { NAN, NAN, NAN, NAN };
    const char *path = dir_path(&d, "a.png");
    const ty_draw_map good = plain_map(value, 2, 2);
#define BAD(status, part, ...)                          \
    do {                                                \
        ty_draw_map map = good;                         \
        __VA_ARGS__;                                    \
        expect_map(&map, path, status, part, __LINE__); \
    } while (0)
    BAD(TY_ERR_DEF, "ty_draw_map_default", map.cookie = 0);
    BAD(TY_ERR_RANGE, "no rectangle", map.x1 = map.x0);
    BAD(TY_ERR_RANGE, "no rectangle", map.y0 = (double)NAN);
    BAD(TY_ERR_RANGE, "256 to 4096", map.size = 5000);
    BAD(TY_ERR_RANGE, "1 or 2", map.layers = 3);
    BAD(TY_ERR_RANGE, "0 x 2 cells", map.layer[0].nx = 0);
    BAD(TY_ERR_INPUT, "either values or colours", map.layer[0].value = NULL);
    BAD(TY_ERR_INPUT, "no finite", map.layer[0].value = none);
    BAD(TY_ERR_RANGE, "above 0", (map.layer[0].log = true, map.layer[0].low = -1.0, map.layer[0].high = 1.0));
    BAD(TY_ERR_RANGE, "opacity", map.layer[0].opacity = 2.0);
    BAD(TY_ERR_RANGE, "16 pixels", map.y1 = map.y0 + 0.1);
    BAD(TY_ERR_INPUT, "UTF-8", map.title = "\xff\xfe");
    const ty_draw_overlay missing = { .kind = TY_OVERLAY_CIRCLES, .n = 3 };
    BAD(TY_ERR_INPUT, "overlay 1", (map.overlay = &missing, map.overlays = 1));
    const ty_draw_overlay dense = { .kind = TY_OVERLAY_CONTOURS, .value = value, .nx = 2, .ny = 2, .step = 1e-6 };
    BAD(TY_ERR_RANGE, "at most 400", (map.overlay = &dense, map.overlays = 1));
    path = dir_path(&d, "a.jpg");
    BAD(TY_ERR_INPUT, ".png or .svg", (void)map);
    path = dir_path(&d, "none/a.png");
    BAD(TY_ERR_FILE, "No such file", (void)map);
    path = dir_path(&d, "none/a.svg");
    BAD(TY_ERR_FILE, "No such file", (void)map);
    TY_CHECK(dir_count(&d, false) == 0);
    path = dir_path(&d, "a.svg");
    BAD(TY_ERR_INPUT, "UTF-8", map.title = "\xff\xfe");
    TY_CHECK(dir_count(&d, false) == 0);                                                 /* nothing half written */
    TY_CHECK(ty_draw_write_map(path, &good, NULL) == TY_OK && dir_count(&d, true) == 1); /* control */
}

TY_TEST(draw_plot, bad_figures_get_a_sentence)
{
    box_dir d = dir_make();
    const char *path = dir_path(&d, "a.png");
    ty_draw_panel panel = { 0 };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = &panel;
    ty_diag diag = { 0 };
    figure.cookie = 0;
    TY_CHECK(ty_draw_write_figure(path, &figure, &diag) == TY_ERR_DEF);
    figure = ty_draw_figure_default();
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_draw_write_figure(path, &figure, &diag) == TY_ERR_RANGE); /* no panels */
    figure.panel = &panel;
    figure.width = 100;
    TY_CHECK(ty_draw_write_figure(path, &figure, &diag) == TY_ERR_RANGE);
    figure.width = 300;
    panel.x = (ty_draw_axis){ .low = -1.0, .high = 1.0, .log = true };
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_draw_write_figure(path, &figure, &diag) == TY_ERR_RANGE && strstr(diag.text, "x axis from -1 to 1"));
    panel.x = (ty_draw_axis){ 0 };
    ty_draw_series series = { .n = 3 };
    panel.series = &series;
    panel.count = 1;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_draw_write_figure(path, &figure, &diag) == TY_ERR_INPUT && strstr(diag.text, "series 1"));
    panel.count = 0;
    figure.font = 60.0;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_draw_write_figure(path, &figure, &diag) == TY_ERR_RANGE && strstr(diag.text, "too few"));
    TY_CHECK(dir_count(&d, true) == 0);
}

/* The same figure gives the same bytes; SVG is text from its first line to its last. */
TY_TEST(draw_plot, repeatable_and_svg)
{
    box_dir d = dir_make();
    const double x[3] = { 0, 1, 2 };
    const ty_draw_series series = { .n = 3, .x = x, .y = x, .label = "a < b & c" };
    const ty_draw_panel panel = { .series = &series, .count = 1, .x = { .label = "x" } };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = &panel;
    static char bytes[2][400000];
    size_t n[2];
    for (int k = 0; k < 2; k++) {
        cr_assert(ty_draw_write_figure(dir_path(&d, k ? "b.png" : "a.png"), &figure, NULL) == TY_OK);
        FILE *in = fopen(d.path, "rb");
        n[k] = fread(bytes[k], 1, sizeof bytes[k], in);
        fclose(in);
    }
    TY_CHECK(n[0] > 1000 && n[0] == n[1] && !memcmp(bytes[0], bytes[1], n[0]));
    cr_assert(ty_draw_write_figure(dir_path(&d, "a.svg"), &figure, NULL) == TY_OK);
    FILE *in = fopen(d.path, "rb");
    n[0] = fread(bytes[0], 1, sizeof bytes[0] - 1, in);
    fclose(in);
    bytes[0][n[0]] = '\0';
    TY_CHECK(!strncmp(bytes[0], "<?xml", 5) && strstr(bytes[0], "</svg>"));
    TY_CHECK(strstr(bytes[0], "width=\"900") && strstr(bytes[0], "height=\"600"));
    dir_count(&d, true);
}
