/* src/draw/key.c - the key of a plot: what each series is, where it hides least.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "draw.h"
#include "inner.h"

#define SAMPLE 2.0 /* [em] length of the sample line */
#define LINE   1.5 /* [em] from line to line */
#define PAD    0.6 /* [em] */

tyi_draw_key_size tyi_draw_key_measure(cairo_t *cr, double font, const ty_draw_panel *panel)
{
    double widest = 0.0;
    int lines = 0;
    for (int i = 0; i < panel->count; i++) {
        if (panel->series[i].label) {
            widest = fmax(widest, tyi_draw_text_width(cr, font, false, panel->series[i].label));
            lines++;
        }
    }
    if (lines == 0 || panel->key == TY_KEY_NONE) {
        return (tyi_draw_key_size){ 0 };
    }
    return (tyi_draw_key_size){ widest + (SAMPLE + 0.6 + 2.0 * PAD) * font, (LINE * lines + 2.0 * PAD - 0.5) * font };
}

typedef struct rectangle {
    double x, y, width, height;
} rectangle;

static rectangle at_place(const tyi_draw_canvas *canvas, const ty_draw_frame *f, tyi_draw_key_size size,
                          ty_draw_key key)
{
    const double gap = 0.7 * canvas->font;
    bool right = key == TY_KEY_TOP_RIGHT || key == TY_KEY_BOTTOM_RIGHT;
    bool bottom = key == TY_KEY_BOTTOM_LEFT || key == TY_KEY_BOTTOM_RIGHT;
    rectangle r = { right ? f->right - gap - size.width : f->left + gap,
                    bottom ? f->bottom - gap - size.height : f->top + gap, size.width, size.height };
    if (key == TY_KEY_OUTSIDE) {
        r.x = f->right + gap;
        r.y = f->top;
    }
    return r;
}

/* how much of a stretch of line, in steps of a few pixels, lies inside */
static double length_inside(rectangle r, double x0, double y0, double x1, double y1)
{
    int steps = (int)fmin(fmax(hypot(x1 - x0, y1 - y0) / 4.0, 1.0), 500.0), inside = 0;
    for (int k = 0; k < steps; k++) {
        double t = (k + 0.5) / steps, x = x0 + t * (x1 - x0), y = y0 + t * (y1 - y0);
        inside += x > r.x && x < r.x + r.width && y > r.y && y < r.y + r.height;
    }
    return inside;
}

static double covered(const ty_draw_frame *f, const ty_draw_panel *panel, rectangle r)
{
    double sum = 0.0;
    for (int i = 0; i < panel->count; i++) {
        const ty_draw_series *s = &panel->series[i];
        bool band = s->kind == TY_SERIES_BAND;
        size_t stride = s->n / 2000 + 1; /* a sample is enough to choose a corner */
        double px = NAN, py = NAN;
        for (size_t k = 0; k < s->n; k += stride) {
            double x, y, weight = band ? 0.3 : 1.0;
            tyi_draw_frame_point(f, s->x[k], band ? s->y_low[k] : s->y[k], &x, &y);
            if (band || s->kind == TY_SERIES_BARS) { /* the whole height counts */
                double top, bottom;
                tyi_draw_frame_point(f, s->x[k], band ? s->y_high[k] : f->y0, &px, &top);
                bottom = y;
                sum += isfinite(top) && isfinite(bottom) ? weight * length_inside(r, x, bottom, x, top) : 0.0;
                continue;
            }
            bool joined = s->kind != TY_SERIES_POINTS && isfinite(px) && isfinite(py);
            if (isfinite(x) && isfinite(y)) {
                sum += joined ? length_inside(r, px, py, x, y) : 3.0 * length_inside(r, x, y, x, y);
            }
            px = x;
            py = y;
        }
    }
    return sum;
}

static ty_draw_key choose(const tyi_draw_canvas *canvas, const ty_draw_frame *f, const ty_draw_panel *panel,
                          tyi_draw_key_size size)
{
    static const ty_draw_key places[4] = { TY_KEY_TOP_RIGHT, TY_KEY_TOP_LEFT, TY_KEY_BOTTOM_RIGHT, TY_KEY_BOTTOM_LEFT };
    ty_draw_key best = places[0];
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double sum = covered(f, panel, at_place(canvas, f, size, places[k]));
        if (sum < least) {
            least = sum;
            best = places[k];
        }
    }
    return best;
}

void tyi_draw_key_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_panel *panel)
{
    cairo_t *cr = canvas->cr;
    const double font = canvas->font;
    tyi_draw_key_size size = tyi_draw_key_measure(cr, font, panel);
    if (size.width <= 0.0) {
        return;
    }
    ty_draw_key key = panel->key == TY_KEY_AUTO ? choose(canvas, frame, panel, size) : panel->key;
    rectangle r = at_place(canvas, frame, size, key);
    tyi_draw_plate_draw(cr, r.x, r.y, r.width, r.height, 0.3 * font);
    double x = r.x + PAD * font, y = r.y + (PAD + 0.5) * font;
    for (int i = 0; i < panel->count; i++) {
        const ty_draw_series *s = &panel->series[i];
        if (s->label) {
            tyi_draw_series_sample(canvas, s, i, x, y, SAMPLE * font);
            tyi_draw_text style = { .size = font, .ay = 0.5, .color = tyi_draw_ink };
            tyi_draw_text_draw(cr, &style, x + (SAMPLE + 0.6) * font, y, s->label);
            y += LINE * font;
        }
    }
}
