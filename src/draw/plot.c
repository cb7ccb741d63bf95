/* src/draw/plot.c - figures of one or more panels: checks, limits, layout.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "draw.h"
#include "inner.h"

#define MOST 12 /* rows, columns */

ty_draw_figure ty_draw_figure_default(void)
{
    return (ty_draw_figure){ .rows = 1, .columns = 1, .width = 900, .height = 600, .font = 13.0, .cookie = TYI_COOKIE };
}

size_t tyi_draw_histogram(const double *value, size_t n, double low, double high, int bins, double *edge, double *count)
{
    size_t inside = 0;
    for (int k = 0; k <= bins; k++) {
        edge[k] = low + (high - low) * k / bins;
    }
    for (int k = 0; k < bins; k++) {
        count[k] = 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        if (value[i] >= low && value[i] <= high) { /* NaN is not */
            int k = (int)((value[i] - low) / (high - low) * bins);
            count[k < bins ? k : bins - 1] += 1.0;
            inside++;
        }
    }
    return inside;
}

static ty_status check_series(const ty_draw_series *s, int panel, int number, ty_diag *diag)
{
    bool band = s->kind == TY_SERIES_BAND;
    if (s->n > 0 && (!s->x || (!band && !s->y) || (band && (!s->y_low || !s->y_high)))) {
        return ty_fail(diag, TY_ERR_INPUT, "plot: panel %d, series %d needs x and y, a band x, y_low and y_high", panel,
                       number);
    }
    return TY_OK;
}

static ty_status check_axis(const ty_draw_axis *axis, int panel, char name, ty_diag *diag)
{
    bool given = axis->low < axis->high;
    if (isnan(axis->low) || isnan(axis->high) || (given && (isinf(axis->low) || isinf(axis->high))) ||
        (given && axis->log && axis->low <= 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "plot: panel %d, %c axis from %g to %g: limits must be finite, and above 0 on a "
                       "logarithmic axis",
                       panel, name, axis->low, axis->high);
    }
    return TY_OK;
}

static ty_status check_figure(const ty_draw_figure *figure, ty_diag *diag)
{
    if (figure->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "plot: the definition must start from ty_draw_figure_default()");
    }
    if (figure->rows < 1 || figure->rows > MOST || figure->columns < 1 || figure->columns > MOST || !figure->panel) {
        return ty_fail(diag, TY_ERR_RANGE, "plot: %d rows and %d columns of panels; 1 to %d are accepted", figure->rows,
                       figure->columns, MOST);
    }
    if (figure->width < 200 || figure->width > 4096 || figure->height < 200 || figure->height > 4096 ||
        !(figure->font >= 4.0 && figure->font <= 200.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "plot: %d x %d pixels with a font of %g; 200 to 4096 and 4 to 200 are accepted", figure->width,
                       figure->height, figure->font);
    }
    ty_status status = TY_OK;
    for (int p = 0; p < figure->rows * figure->columns && status == TY_OK; p++) {
        const ty_draw_panel *panel = &figure->panel[p];
        status = check_axis(&panel->x, p + 1, 'x', diag);
        if (status == TY_OK) {
            status = check_axis(&panel->y, p + 1, 'y', diag);
        }
        for (int i = 0; i < panel->count && status == TY_OK; i++) {
            status = check_series(&panel->series[i], p + 1, i + 1, diag);
        }
    }
    return status;
}

typedef struct limits {
    double low, high;
} limits;

static void widen(limits *l, const double *value, size_t n, bool log)
{
    for (size_t i = 0; value && i < n; i++) {
        if (fabs(value[i]) < 1e300 && (!log || value[i] > 0.0)) { /* no NaN, and differences stay finite */
            l->low = fmin(l->low, value[i]);
            l->high = fmax(l->high, value[i]);
        }
    }
}

static limits data_limits(const ty_draw_panel *panel, bool along_x)
{
    const ty_draw_axis *axis = along_x ? &panel->x : &panel->y;
    limits l = { INFINITY, -INFINITY };
    for (int i = 0; i < panel->count; i++) {
        const ty_draw_series *s = &panel->series[i];
        bool steps = s->kind == TY_SERIES_STEP || s->kind == TY_SERIES_BARS;
        if (along_x) {
            widen(&l, s->x, s->n + (steps && s->n > 0), axis->log);
            widen(&l, s->x_low, s->n, axis->log);
            widen(&l, s->x_high, s->n, axis->log);
        } else {
            const double zero = 0.0;
            widen(&l, s->y, s->n, axis->log);
            widen(&l, s->y_low, s->n, axis->log);
            widen(&l, s->y_high, s->n, axis->log);
            widen(&l, steps ? &zero : NULL, 1, axis->log);
        }
    }
    return l;
}

/* some room around the data, none where bars stand on zero */
static limits with_room(limits l, bool log, bool on_zero)
{
    if (l.low > l.high) {
        return log ? (limits){ 1.0, 10.0 } : (limits){ 0.0, 1.0 };
    }
    if (log) {
        double room = l.low < l.high ? pow(10.0, 0.04 * (log10(l.high) - log10(l.low))) : 2.0;
        return (limits){ l.low / room, l.high * room };
    }
    double span = l.high - l.low;
    if (span <= 1e-12 * fmax(fabs(l.low), fabs(l.high))) {
        span = l.high != 0.0 ? fabs(l.high) : 1.0;
    }
    double room = 0.04 * span;
    if (l.low == l.high) {
        room = 0.5 * span;
    }
    return (limits){ on_zero && l.low == 0.0 ? 0.0 : l.low - room,
                     /* bars of no height at all: up to half */
                     on_zero && l.high == 0.0 && l.low < 0.0 ? 0.0 : l.high + room };
}

static bool has_bars(const ty_draw_panel *panel)
{
    for (int i = 0; i < panel->count; i++) {
        if (panel->series[i].kind == TY_SERIES_BARS || panel->series[i].kind == TY_SERIES_STEP) {
            return true;
        }
    }
    return false;
}

static limits axis_limits(const ty_draw_figure *figure, int p, bool along_x)
{
    const ty_draw_panel *panel = &figure->panel[p];
    const ty_draw_axis *axis = along_x ? &panel->x : &panel->y;
    if (axis->low < axis->high) {
        return (limits){ axis->low, axis->high };
    }
    limits l = data_limits(panel, along_x);
    for (int row = 0; along_x && figure->share_x && row < figure->rows; row++) {
        limits other = data_limits(&figure->panel[row * figure->columns + p % figure->columns], true);
        l = (limits){ fmin(l.low, other.low), fmax(l.high, other.high) };
    }
    return with_room(l, axis->log, !along_x && has_bars(panel));
}

/* layout: every column has one left margin, every row one bottom margin, so that boxes line up */

typedef struct layout {
    const ty_draw_figure *figure;
    tyi_draw_box *box;                                       /* rows * columns */
    double left[MOST], right[MOST], top[MOST], bottom[MOST]; /* [px] margins of columns and rows */
} layout;

static bool shows_x(const ty_draw_figure *figure, int p)
{
    return !figure->share_x || p / figure->columns == figure->rows - 1;
}

static void set_limits(layout *l, int p)
{
    ty_draw_frame *f = &l->box[p].frame;
    const ty_draw_panel *panel = &l->figure->panel[p];
    limits x = axis_limits(l->figure, p, true), y = axis_limits(l->figure, p, false);
    *f = (ty_draw_frame){ .width = l->figure->width,
                          .height = l->figure->height,
                          .x0 = x.low,
                          .x1 = x.high,
                          .y0 = y.low,
                          .y1 = y.high,
                          .log_x = panel->x.log,
                          .log_y = panel->y.log };
    l->box[p].label_x = panel->x.label;
    l->box[p].label_y = panel->y.label;
    l->box[p].labels_x = shows_x(l->figure, p);
    l->box[p].grid = true;
}

/* ticks for a box of this size, and what room they and the labels take */
static void take_margins(layout *l, int p, cairo_t *cr, double width, double height)
{
    const ty_draw_figure *figure = l->figure;
    const ty_draw_panel *panel = &figure->panel[p];
    tyi_draw_box *box = &l->box[p];
    const double font = figure->font;
    const ty_draw_frame *f = &box->frame;
    tyi_draw_ticks_fit(cr, font, f->x0, f->x1, f->log_x, width, true, &box->x);
    tyi_draw_ticks_fit(cr, font, f->y0, f->y1, f->log_y, height, false, &box->y);
    box->y_width = tyi_draw_ticks_width(cr, font, &box->y);
    bool titled_y = panel->y.label || box->y.exponent, titled_x = panel->x.label || box->x.exponent;
    double left = 0.9 * font + box->y_width + (titled_y ? 2.0 * font : 0.6 * font);
    double bottom = !shows_x(figure, p) ? 0.6 * font : titled_x ? 4.2 * font : 2.4 * font;
    double right = 0.7 * font + 0.5 * tyi_draw_ticks_width(cr, font, &box->x);
    if (panel->key == TY_KEY_OUTSIDE) {
        right = fmax(right, tyi_draw_key_measure(cr, font, panel).width + 1.2 * font);
    }
    int column = p % figure->columns, row = p / figure->columns;
    l->left[column] = fmax(l->left[column], left);
    l->right[column] = fmax(l->right[column], right);
    l->bottom[row] = fmax(l->bottom[row], bottom);
    l->top[row] = fmax(l->top[row], (panel->title ? 2.3 : 0.7) * font);
}

/* one unit as long on x as on y: the limits that have too much room get more */
static void make_equal(ty_draw_frame *f)
{
    double per_x = (f->x1 - f->x0) / (f->right - f->left), per_y = (f->y1 - f->y0) / (f->bottom - f->top);
    double per = fmax(per_x, per_y);
    double half_x = 0.5 * per * (f->right - f->left), half_y = 0.5 * per * (f->bottom - f->top);
    double x = 0.5 * (f->x0 + f->x1), y = 0.5 * (f->y0 + f->y1);
    f->x0 = x - half_x;
    f->x1 = x + half_x;
    f->y0 = y - half_y;
    f->y1 = y + half_y;
}

static void place(layout *l, double *width, double *height)
{
    const ty_draw_figure *figure = l->figure;
    const double font = figure->font;
    double head = (figure->title ? 2.6 : 0.3) * font, across = figure->width - 0.3 * font, down = figure->height - head;
    for (int c = 0; c < figure->columns; c++) {
        across -= l->left[c] + l->right[c];
    }
    for (int r = 0; r < figure->rows; r++) {
        down -= l->top[r] + l->bottom[r];
    }
    *width = across / figure->columns;
    *height = down / figure->rows;
    double y = head;
    for (int r = 0; r < figure->rows; r++) {
        double x = 0.0;
        y += l->top[r];
        for (int c = 0; c < figure->columns; c++) {
            ty_draw_frame *f = &l->box[r * figure->columns + c].frame;
            x += l->left[c];
            f->left = floor(x);
            f->right = floor(x + *width);
            f->top = floor(y);
            f->bottom = floor(y + *height);
            x += *width + l->right[c];
        }
        y += *height + l->bottom[r];
    }
}

static ty_status lay_out(layout *l, const ty_draw_figure *figure, ty_diag *diag)
{
    *l = (layout){ .figure = figure };
    ty_status status = check_figure(figure, diag);
    if (status != TY_OK) {
        return status;
    }
    int count = figure->rows * figure->columns;
    tyi_draw_canvas ruler;
    l->box = calloc((size_t)count, sizeof *l->box);
    if (!l->box) {
        return ty_fail(diag, TY_ERR_MEMORY, "plot: no memory for %d panels", count);
    }
    status = tyi_draw_canvas_measure(&ruler, figure->font, diag);
    if (status != TY_OK) {
        return status;
    }
    double width = (double)figure->width / figure->columns, height = (double)figure->height / figure->rows;
    for (int p = 0; p < count; p++) {
        set_limits(l, p);
    }
    /* twice: the room that numbers take decides how many of them there are */
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < MOST; k++) {
            l->left[k] = l->right[k] = l->top[k] = l->bottom[k] = 0.0;
        }
        for (int p = 0; p < count; p++) {
            take_margins(l, p, ruler.cr, width, height);
        }
        place(l, &width, &height);
        for (int p = 0; pass == 0 && width > 0.0 && height > 0.0 && p < count; p++) {
            if (figure->panel[p].equal) {
                make_equal(&l->box[p].frame);
            }
        }
    }
    /* labels of the y axes of a column stand in one line */
    for (int p = 0; p < count; p++) {
        l->box[p].y_width = l->left[p % figure->columns] - 2.9 * figure->font;
    }
    if (width < 40.0 || height < 30.0) {
        status = ty_fail(diag, TY_ERR_RANGE, "plot: %d x %d pixels are too few for %d rows and %d columns of panels",
                         figure->width, figure->height, figure->rows, figure->columns);
    }
    return tyi_draw_canvas_close(&ruler, status, diag);
}

ty_status tyi_draw_figure_frame(const ty_draw_figure *figure, int panel, ty_draw_frame *out, ty_diag *diag)
{
    layout l;
    *out = (ty_draw_frame){ 0 };
    ty_status status = lay_out(&l, figure, diag);
    if (status == TY_OK && (panel < 0 || panel >= figure->rows * figure->columns)) {
        status = ty_fail(diag, TY_ERR_RANGE, "plot: there is no panel %d; 0 to %d are there", panel,
                         figure->rows * figure->columns - 1);
    }
    if (status == TY_OK) {
        *out = l.box[panel].frame;
    }
    free(l.box);
    return status;
}

static void draw_panel(const layout *l, int p, const tyi_draw_canvas *canvas)
{
    const ty_draw_panel *panel = &l->figure->panel[p];
    const ty_draw_frame *f = &l->box[p].frame;
    cairo_t *cr = canvas->cr;
    tyi_draw_box_back(canvas, &l->box[p]);
    cairo_save(cr);
    cairo_rectangle(cr, f->left, f->top, f->right - f->left, f->bottom - f->top);
    cairo_clip(cr);
    for (int pass = 0; pass < 2; pass++) { /* bands lie under everything else */
        for (int i = 0; i < panel->count; i++) {
            if ((panel->series[i].kind == TY_SERIES_BAND) == (pass == 0)) {
                tyi_draw_series_draw(canvas, f, &panel->series[i], i);
            }
        }
    }
    for (int i = 0; i < panel->note_count; i++) {
        double px, py;
        tyi_draw_frame_point(f, panel->notes[i].x, panel->notes[i].y, &px, &py);
        tyi_draw_text style = { .size = 0.92 * canvas->font, .ay = 0.5, .halo = true, .color = tyi_draw_ink };
        if (isfinite(px) && isfinite(py)) {
            tyi_draw_text_draw(cr, &style, px + 0.5 * canvas->font, py, panel->notes[i].text);
        }
    }
    cairo_restore(cr);
    tyi_draw_box_front(canvas, &l->box[p]);
    tyi_draw_key_draw(canvas, f, panel);
    if (panel->title) {
        tyi_draw_text style = { .size = 1.05 * canvas->font, .ay = 1.0, .bold = true, .color = tyi_draw_ink };
        tyi_draw_text_draw(cr, &style, f->left, f->top - 0.65 * canvas->font, panel->title);
    }
}

ty_status ty_draw_write_figure(const char *path, const ty_draw_figure *figure, ty_diag *diag)
{
    layout l = { 0 };
    tyi_draw_canvas canvas;
    ty_status status = tyi_draw_check_path(path, diag);
    if (status == TY_OK) {
        status = lay_out(&l, figure, diag);
    }
    if (status == TY_OK) {
        status = tyi_draw_canvas_open(&canvas, path, figure->width, figure->height, figure->font, diag);
    }
    if (status == TY_OK) {
        for (int p = 0; p < figure->rows * figure->columns; p++) {
            draw_panel(&l, p, &canvas);
        }
        if (figure->title) {
            tyi_draw_text style = { .size = 1.35 * figure->font, .bold = true, .color = tyi_draw_ink };
            tyi_draw_text_draw(canvas.cr, &style, floor(l.box[0].frame.left), 0.9 * figure->font, figure->title);
        }
        status = tyi_draw_canvas_close(&canvas, status, diag);
    }
    free(l.box);
    return status;
}
