/* src/draw/map.c - maps: checks, layout, and the order in which things are drawn.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "map.h"
#include "inner.h"

#define DEG (180.0 / 3.14159265358979323846)

ty_draw_layer ty_draw_layer_default(void)
{
    return (ty_draw_layer){ .cmap = TY_CMAP_GRAY, .smooth = true, .opacity = 1.0 };
}

ty_draw_map ty_draw_map_default(void)
{
    return (ty_draw_map){
        .lat = NAN, .lon = NAN, .size = 1200, .axes = true, .scale_bar = true, .north_arrow = true, .cookie = TYI_COOKIE
    };
}

static ty_status check_layer(const ty_draw_layer *layer, int number, ty_diag *diag)
{
    if (layer->nx < 1 || layer->ny < 1 || layer->nx > 32768 || layer->ny > 32768) {
        return ty_fail(diag, TY_ERR_RANGE, "map: layer %d has %d x %d cells; 1 to 32768 are accepted", number,
                       layer->nx, layer->ny);
    }
    if (!layer->value == !layer->rgb) {
        return ty_fail(diag, TY_ERR_INPUT, "map: layer %d needs either values or colours", number);
    }
    if (!(layer->opacity >= 0.0 && layer->opacity <= 1.0) || (unsigned)layer->cmap >= TY_CMAP_COUNT) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "map: layer %d has opacity %g and colour map %d; 0 to 1 and 0 to %d are accepted", number,
                       layer->opacity, (int)layer->cmap, TY_CMAP_COUNT - 1);
    }
    if (isnan(layer->low) || isnan(layer->high) || (layer->log && layer->low < layer->high && layer->low <= 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "map: layer %d has colours from %g to %g; a logarithmic range starts above 0", number,
                       layer->low, layer->high);
    }
    return TY_OK;
}

static ty_status check_overlay(const ty_draw_overlay *o, int number, ty_diag *diag)
{
    bool contours = o->kind == TY_OVERLAY_CONTOURS;
    if (contours && (!o->value || o->nx < 2 || o->ny < 2 || !(o->step > 0.0) || !isfinite(o->step))) {
        return ty_fail(diag, TY_ERR_INPUT, "map: overlay %d: contours need a grid of at least 2 x 2 and a step above 0",
                       number);
    }
    bool missing = o->n > 0 && (!o->x || !o->y || (o->kind == TY_OVERLAY_CIRCLES && !o->radius) ||
                                (o->kind == TY_OVERLAY_TEXT && !o->text));
    if (!contours && missing) {
        return ty_fail(diag, TY_ERR_INPUT, "map: overlay %d needs x and y, circles also a radius, text also a text",
                       number);
    }
    return TY_OK;
}

static ty_status check_map(const ty_draw_map *map, ty_diag *diag)
{
    if (map->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "map: the definition must start from ty_draw_map_default()");
    }
    if (!(map->x0 < map->x1) || !(map->y0 < map->y1) || !isfinite(map->x1 - map->x0) || !isfinite(map->y1 - map->y0)) {
        return ty_fail(diag, TY_ERR_RANGE, "map: from (%g, %g) to (%g, %g) m is no rectangle", map->x0, map->y0,
                       map->x1, map->y1);
    }
    if (map->size < 256 || map->size > 4096) {
        return ty_fail(diag, TY_ERR_RANGE, "map: a picture of %d pixels; 256 to 4096 are accepted", map->size);
    }
    if (map->layers < 1 || map->layers > 2) {
        return ty_fail(diag, TY_ERR_RANGE, "map: %d layers; 1 or 2 are accepted", map->layers);
    }
    ty_status status = TY_OK;
    for (int i = 0; i < map->layers && status == TY_OK; i++) {
        status = check_layer(&map->layer[i], i + 1, diag);
    }
    for (int i = 0; i < map->overlays && status == TY_OK; i++) {
        status = check_overlay(&map->overlay[i], i + 1, diag);
    }
    return status;
}

static void under_title(const ty_draw_map *map, char *text, size_t size)
{
    int used = 0;
    text[0] = '\0';
    if (isfinite(map->lat) && isfinite(map->lon)) {
        double lon = remainder(map->lon * DEG, 360.0);
        used = snprintf(text, size, "centre %.4f\u00b0 %c, %.4f\u00b0 %c", fabs(map->lat) * DEG,
                        map->lat < 0.0 ? 'S' : 'N', fabs(lon), lon < 0.0 ? 'W' : 'E');
    }
    if (map->note && used >= 0 && (size_t)used < size) {
        snprintf(text + used, size - (size_t)used, "%s%s", used ? "   \u00b7   " : "", map->note);
    }
}

/* margins around the map [px]; the ticks must be known, and depend on the map's size only in their number */
static void margins(tyi_draw_map *m, cairo_t *cr)
{
    const ty_draw_map *map = m->map;
    const double font = m->font;
    m->margin_left = m->margin_right = m->margin_top = m->margin_bottom = 0.9 * font;
    if (map->axes) {
        m->margin_left = 3.1 * font + m->box.y_width;
        m->margin_bottom = 4.4 * font;
        m->margin_right = 0.6 * font + 0.5 * tyi_draw_ticks_width(cr, font, &m->box.x);
    }
    if (map->title) {
        m->margin_top += 1.9 * font;
    }
    under_title(map, m->subtitle, sizeof m->subtitle);
    if (m->subtitle[0]) {
        m->margin_top += 1.6 * font;
    }
    double column = tyi_draw_map_column(m, cr);
    if (column > 0.0) {
        m->margin_right = fmax(m->margin_right, column + 2.2 * font);
    }
}

/* the y axis gets the steps of the x axis, if that gives it a fair number of them */
static void same_steps(const ty_draw_frame *f, tyi_draw_box *box)
{
    if (box->x.count >= 2) {
        double steps = ceil((f->y1 - f->y0) / (box->x.at[1] - box->x.at[0]) * (1.0 - 1e-9));
        if (steps >= 3.0 && steps <= 12.0) {
            tyi_draw_ticks_make(f->y0, f->y1, false, (int)steps, &box->y);
        }
    }
}

static ty_status place(tyi_draw_map *m, cairo_t *cr, ty_diag *diag)
{
    const ty_draw_map *map = m->map;
    ty_draw_frame *f = &m->box.frame;
    double wide = map->x1 - map->x0, tall = map->y1 - map->y0;
    m->km = fmax(wide, tall) > 8000.0;
    double scale = m->km ? 1e-3 : 1.0; /* axis numbers per metre */
    *f = (ty_draw_frame){ .x0 = map->x0 * scale, .x1 = map->x1 * scale, .y0 = map->y0 * scale, .y1 = map->y1 * scale };
    m->box.labels_x = true;
    m->box.label_x = m->km ? "East [km]" : "East [m]";
    m->box.label_y = m->km ? "North [km]" : "North [m]";
    /* twice, because the width of the numbers takes room from the map that decides how many there are */
    double w = 0.7 * map->size * fmin(1.0, wide / tall), h = 0.7 * map->size * fmin(1.0, tall / wide);
    for (int pass = 0; pass < 2; pass++) {
        tyi_draw_ticks_fit(cr, m->font, f->x0, f->x1, false, w, true, &m->box.x);
        tyi_draw_ticks_fit(cr, m->font, f->y0, f->y1, false, h, false, &m->box.y);
        same_steps(f, &m->box);
        m->box.y_width = tyi_draw_ticks_width(cr, m->font, &m->box.y);
        margins(m, cr);
        double px = fmin((map->size - m->margin_left - m->margin_right) / wide,
                         (map->size - m->margin_top - m->margin_bottom) / tall); /* [px/m] */
        w = floor(px * wide + 0.5);
        h = floor(px * tall + 0.5);
    }
    if (!(w >= 16.0) || !(h >= 16.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "map: %g x %g m leave less than 16 pixels of a picture of %d; make it larger, "
                       "or the map less narrow",
                       wide, tall, map->size);
    }
    f->left = floor(m->margin_left);
    f->top = floor(m->margin_top);
    f->right = f->left + w;
    f->bottom = f->top + h;
    f->width = (int)ceil(f->right + m->margin_right);
    f->height = (int)ceil(f->bottom + m->margin_bottom);
    return TY_OK;
}

static ty_status lay_out(tyi_draw_map *m, const ty_draw_map *map, ty_diag *diag)
{
    *m = (tyi_draw_map){ .map = map };
    ty_status status = check_map(map, diag);
    if (status != TY_OK) {
        return status;
    }
    m->font = map->font > 0.0 ? map->font : fmax(map->size / 68.0, 8.0);
    for (int i = 0; i < map->layers && status == TY_OK; i++) {
        if (map->layer[i].value) {
            status = tyi_draw_layer_span(&map->layer[i], i + 1, &m->span[i], diag);
        }
    }
    tyi_draw_canvas ruler;
    if (status == TY_OK) {
        status = tyi_draw_canvas_measure(&ruler, m->font, diag);
    }
    if (status == TY_OK) {
        status = place(m, ruler.cr, diag);
        status = tyi_draw_canvas_close(&ruler, status, diag);
    }
    return status;
}

ty_status tyi_draw_map_frame(const ty_draw_map *map, ty_draw_frame *out, ty_diag *diag)
{
    tyi_draw_map m;
    ty_status status = lay_out(&m, map, diag);
    *out = m.box.frame;
    if (status == TY_OK) { /* metres, whatever the axes say */
        out->x0 = map->x0;
        out->x1 = map->x1;
        out->y0 = map->y0;
        out->y1 = map->y1;
    }
    return status;
}

static void titles(const tyi_draw_map *m, const tyi_draw_canvas *canvas)
{
    const double font = m->font, left = m->box.frame.left;
    double y = 0.9 * font;
    if (m->map->title) {
        tyi_draw_text style = { .size = 1.35 * font, .bold = true, .color = tyi_draw_ink };
        tyi_draw_text_draw(canvas->cr, &style, left, y, m->map->title);
        y += 1.9 * font;
    }
    tyi_draw_text style = { .size = font, .color = tyi_draw_soft };
    tyi_draw_text_draw(canvas->cr, &style, left, y, m->subtitle);
}

/* what is seen where there is no data: no colour map has stripes */
static void hatch(const tyi_draw_canvas *canvas, const ty_draw_frame *f)
{
    const double step = 0.6 * canvas->font, tall = f->bottom - f->top;
    for (double x = f->left - tall; x < f->right; x += step) {
        cairo_move_to(canvas->cr, x, f->bottom);
        cairo_line_to(canvas->cr, x + tall, f->top);
    }
    cairo_set_line_width(canvas->cr, 0.8 * canvas->unit);
    cairo_set_source_rgb(canvas->cr, 0.72, 0.72, 0.74);
    cairo_stroke(canvas->cr);
}

static ty_status draw_content(const tyi_draw_map *m, const tyi_draw_canvas *canvas, ty_diag *diag)
{
    const ty_draw_map *map = m->map;
    cairo_t *cr = canvas->cr;
    ty_draw_frame metres = m->box.frame;
    metres.x0 = map->x0;
    metres.x1 = map->x1;
    metres.y0 = map->y0;
    metres.y1 = map->y1;
    cairo_save(cr);
    cairo_rectangle(cr, metres.left, metres.top, metres.right - metres.left, metres.bottom - metres.top);
    cairo_clip_preserve(cr);
    cairo_set_source_rgb(cr, 0.92, 0.92, 0.93);
    cairo_fill(cr);
    if (map->layer[0].opacity == 1.0) {
        hatch(canvas, &metres);
    }
    ty_status status = TY_OK;
    for (int i = 0; i < map->layers && status == TY_OK; i++) {
        status = tyi_draw_layer_draw(canvas, &metres, &map->layer[i], &m->span[i], diag);
    }
    for (int i = 0; i < map->overlays && status == TY_OK; i++) {
        status = tyi_draw_overlay_draw(canvas, &metres, &map->overlay[i], tyi_draw_overlay_number(map, i), diag);
    }
    cairo_restore(cr);
    return status;
}

ty_status ty_draw_write_map(const char *path, const ty_draw_map *map, ty_diag *diag)
{
    tyi_draw_map m;
    tyi_draw_canvas canvas;
    ty_status status = tyi_draw_check_path(path, diag);
    if (status == TY_OK) {
        status = lay_out(&m, map, diag);
    }
    if (status == TY_OK) {
        status = tyi_draw_canvas_open(&canvas, path, m.box.frame.width, m.box.frame.height, m.font, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    status = draw_content(&m, &canvas, diag);
    if (map->scale_bar) {
        tyi_draw_map_scale_bar(&m, &canvas);
    }
    if (map->north_arrow) {
        tyi_draw_map_north_arrow(&m, &canvas);
    }
    if (!map->axes) {
        m.box.labels_x = false;
        m.box.label_y = NULL;
        m.box.x.count = m.box.y.count = m.box.x.minor_count = m.box.y.minor_count = 0;
        m.box.x.exponent = m.box.y.exponent = 0;
    }
    tyi_draw_box_front(&canvas, &m.box);
    titles(&m, &canvas);
    tyi_draw_map_column_draw(&m, &canvas);
    return tyi_draw_canvas_close(&canvas, status, diag);
}
