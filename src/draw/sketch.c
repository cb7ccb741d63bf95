/* src/draw/sketch.c - a sketch: lines in space, projected through the lens of a frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "overlay.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "inner.h"
#include "render/inner.h"

typedef struct stroke {
    size_t first, n; /* points */
    char text[128];
    ty_draw_color color;
    double width; /* [px] */
    bool hidden;
} stroke;

struct tyi_draw_sketch {
    ty_camera camera;
    const double *range;
    double unit; /* [px] line width */
    double *x, *y;
    size_t points, point_room;
    stroke *stroke;
    size_t strokes, stroke_room;
    bool failed;
    int colors; /* given out */
};

tyi_draw_sketch *tyi_draw_sketch_create(const ty_camera *camera, const double *range)
{
    tyi_draw_sketch *s = calloc(1, sizeof *s);
    if (s) {
        s->camera = *camera;
        s->range = range;
        s->unit = fmax(1.0, camera->width / 600.0);
    }
    return s;
}

void tyi_draw_sketch_destroy(tyi_draw_sketch *s)
{
    if (s) {
        free(s->x), free(s->y), free(s->stroke);
        free(s);
    }
}

static void add_point(tyi_draw_sketch *s, double u, double v)
{
    if (s->points == s->point_room) {
        size_t room = 2 * s->point_room + 1024;
        double *x = realloc(s->x, room * sizeof *x);
        s->x = x ? x : s->x;
        double *y = x ? realloc(s->y, room * sizeof *y) : NULL;
        s->y = y ? y : s->y;
        if (!x || !y) {
            s->failed = true;
            return;
        }
        s->point_room = room;
    }
    s->x[s->points] = u;
    s->y[s->points++] = v;
}

static stroke *add_stroke(tyi_draw_sketch *s, ty_draw_color color, double width, bool hidden)
{
    stroke *list = tyi_list_grown(s->stroke, s->strokes, &s->stroke_room, sizeof *list, 64);
    if (!list) {
        s->failed = true;
        return NULL;
    }
    s->stroke = list;
    stroke *k = &s->stroke[s->strokes++];
    *k = (stroke){ .first = s->points, .color = color, .width = width, .hidden = hidden };
    return k;
}

/* behind what the frame shows there; places outside the picture are not */
static bool is_hidden(const tyi_draw_sketch *s, ty_vec3 p, double u, double v)
{
    int x = (int)floor(u), y = (int)floor(v);
    if (!s->range || x < 0 || y < 0 || x >= s->camera.width || y >= s->camera.height) {
        return false;
    }
    return ty_norm(ty_sub(p, s->camera.pose.p)) >
           1.005 * s->range[(size_t)y * (size_t)s->camera.width + (size_t)x] + 0.005;
}

/* A straight piece of space is a curve in most lenses, and may leave the picture or pass behind the eye: it is drawn in
 * short steps. */
static void segment(tyi_draw_sketch *s, ty_vec3 a, ty_vec3 b, ty_draw_color color, double width)
{
    enum { MOST = 64 };
    double near = fmin(ty_norm(ty_sub(a, s->camera.pose.p)), ty_norm(ty_sub(b, s->camera.pose.p)));
    double wide = ty_norm(ty_sub(b, a)) / fmax(near, 1e-6);
    int steps = (int)fmin(fmax(40.0 * wide, 4.0), MOST);
    stroke *now = NULL;
    for (int k = 0; k <= steps && !s->failed; k++) {
        ty_vec3 p = ty_add(a, ty_scale((double)k / steps, ty_sub(b, a)));
        double u, v;
        if (!ty_camera_project(&s->camera, p, &u, &v) || fabs(u) > 1e5 || fabs(v) > 1e5) {
            now = NULL;
            continue;
        }
        bool hidden = is_hidden(s, p, u, v);
        if (!now || now->hidden != hidden) {
            if (now) { /* the two strokes meet */
                add_point(s, u, v);
                now->n++;
            }
            now = add_stroke(s, color, width, hidden);
            if (!now) {
                return;
            }
        }
        add_point(s, u, v);
        now->n++;
    }
}

static ty_draw_color choose(tyi_draw_sketch *s, ty_draw_color color)
{
    if (color.a > 0.0) {
        return color;
    }
    int i = s->colors++ % 7;
    return ty_draw_palette(i < 6 ? i : 7); /* without black, which shadows hide */
}

void tyi_draw_sketch_line(tyi_draw_sketch *s, const ty_vec3 *p, size_t n, ty_draw_color color)
{
    if (!s) {
        return;
    }
    color = choose(s, color);
    for (size_t i = 1; i < n; i++) {
        segment(s, p[i - 1], p[i], color, 1.6 * s->unit);
    }
}

#define TEXT 9.0 /* [px] of text, times unit */

/* A label beside (x, y): inside the picture if the place is, and below earlier labels that it would cover. */
static void add_label(tyi_draw_sketch *s, double x, double y, const char *text, ty_draw_color color, bool hidden)
{
    double high = 1.25 * TEXT * s->unit, wide = 0.66 * TEXT * s->unit; /* [px] of a line; of a letter, about */
    double length = wide * (double)strlen(text);
    x = x < s->camera.width ? fmax(fmin(x, s->camera.width - length), 0.0) : x;
    for (size_t i = 0; i < s->strokes; i++) {
        const stroke *k = &s->stroke[i];
        double dx = k->text[0] ? x - s->x[k->first] : (double)INFINITY;
        if (dx < wide * (double)strlen(k->text) && dx > -length && fabs(y - s->y[k->first]) < 0.99 * high) {
            y = s->y[k->first] + high;
            i = (size_t)-1; /* all of them again: y only grows */
        }
    }
    stroke *k = add_stroke(s, color, 0.0, hidden);
    if (k) {
        snprintf(k->text, sizeof k->text, "%s", text);
        k->n = 1;
        add_point(s, x, y);
    }
}

void tyi_draw_sketch_text(tyi_draw_sketch *s, ty_vec3 p, const char *text, ty_draw_color color)
{
    double u, v;
    if (!s || !text || !ty_camera_project(&s->camera, p, &u, &v) || fabs(u) > 1e5 || fabs(v) > 1e5) {
        return;
    }
    add_label(s, u + 4.0 * s->unit, v, text, choose(s, color), is_hidden(s, p, u, v));
}

void tyi_draw_sketch_point(tyi_draw_sketch *s, ty_vec3 p, ty_draw_color color)
{
    double u, v;
    if (!s || !ty_camera_project(&s->camera, p, &u, &v) || u < 0.0 || v < 0.0 || u > s->camera.width ||
        v > s->camera.height || is_hidden(s, p, u, v)) {
        return;
    }
    double half = 0.8 * s->unit;
    stroke *k = add_stroke(s, color, 2.0 * half, false);
    if (k) {
        add_point(s, u - half, v);
        add_point(s, u + half, v);
        k->n = 2;
    }
}

void tyi_draw_sketch_note(tyi_draw_sketch *s, const char *text)
{
    if (s && text && text[0]) {
        add_label(s, 4.0 * s->unit, TEXT * s->unit, text, (ty_draw_color){ 1.0, 1.0, 1.0, 1.0 }, false);
    }
}

void tyi_draw_sketch_frame(tyi_draw_sketch *s, ty_pose pose, double length, const char *name)
{
    static const ty_draw_color axis[3] = { { 0.95, 0.25, 0.2, 1.0 }, { 0.25, 0.8, 0.3, 1.0 }, { 0.3, 0.55, 1.0, 1.0 } };
    static const char *const letter[3] = { "x", "y", "z" };
    if (!s) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        ty_vec3 end =
            ty_pose_point(pose, ty_vec3_make(k == 0 ? length : 0.0, k == 1 ? length : 0.0, k == 2 ? length : 0.0));
        segment(s, pose.p, end, axis[k], 2.0 * s->unit);
        tyi_draw_sketch_text(s, end, letter[k], axis[k]);
    }
    tyi_draw_sketch_text(s, pose.p, name, (ty_draw_color){ 1.0, 1.0, 1.0, 1.0 });
}

void tyi_draw_sketch_frustum(tyi_draw_sketch *s, const ty_camera *other, double depth, const char *name)
{
    enum { SIDE = 12 }; /* steps along each side of the border */
    if (!s) {
        return;
    }
    ty_draw_color color = choose(s, (ty_draw_color){ 0 });
    ty_vec3 last = { 0, 0, 0 }, z = ty_rotate(other->pose.q, ty_vec3_make(0, 0, 1));
    bool known = false;
    for (int k = 0; k <= 4 * SIDE; k++) {
        static const double corner[5][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
        double t = (double)(k % SIDE) / SIDE;
        const double *a = corner[k / SIDE % 4], *b = corner[k / SIDE % 4 + 1];
        ty_vec3 o, d;
        double u = other->width * (a[0] + t * (b[0] - a[0])), v = other->height * (a[1] + t * (b[1] - a[1]));
        bool ok = ty_camera_ray(other, u, v, &o, &d);
        ty_vec3 p = ty_add(o, ty_scale(depth / fmax(ty_dot(d, z), 0.2), d));
        if (ok && known) {
            segment(s, last, p, color, 1.3 * s->unit);
        }
        if (ok && k % SIDE == 0 && k < 4 * SIDE) {
            segment(s, o, p, color, 1.3 * s->unit);
        }
        last = p;
        known = ok;
    }
    tyi_draw_sketch_text(s, other->pose.p, name, color);
}

void tyi_draw_sketch_box2(tyi_draw_sketch *s, const ty_truth_box2 *b, const char *name)
{
    if (!s) {
        return;
    }
    ty_draw_color color = choose(s, (ty_draw_color){ 0 });
    stroke *k = add_stroke(s, color, 1.2 * s->unit, false);
    if (!k) {
        return;
    }
    const double x[5] = { b->x0, b->x1, b->x1, b->x0, b->x0 }, y[5] = { b->y0, b->y0, b->y1, b->y1, b->y0 };
    for (int i = 0; i < 5; i++) {
        add_point(s, x[i], y[i]);
        k->n++;
    }
    if (name) {
        add_label(s, b->x0, b->y0 - 7.0 * s->unit, name, color, false);
    }
}

void tyi_draw_sketch_box3(tyi_draw_sketch *s, const ty_truth_box3 *b, const char *name)
{
    if (!s) {
        return;
    }
    ty_vec3 corner[8];
    ty_draw_color color = choose(s, (ty_draw_color){ 0 });
    tyi_render_truth_box3_corners(b, corner);
    for (int k = 0; k < 8; k++) {
        for (int bit = 1; bit < 8; bit <<= 1) {
            if (!(k & bit)) {
                segment(s, corner[k], corner[k | bit], color, 1.2 * s->unit);
            }
        }
    }
    tyi_draw_sketch_text(s, corner[7], name, color);
}

/* things that fill too few pixels would only litter the picture */
#define FEW          60
#define FEW_FOR_TEXT 250

void tyi_draw_sketch_things(tyi_draw_sketch *s, const ty_truth_box2 *flat, const ty_truth_box3 *solid, size_t n,
                            bool boxes, bool solids, bool labels)
{
    static const char *const class_name[TY_CLASS_COUNT] = {
        "sky", "ground", "rock", "rover", "object", "rut", "grain"
    };
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %.1f m %.0f%%", class_name[flat[i].kind], solid[i].pose_S.p.z,
                 100.0 * solid[i].visible);
        const char *label = labels && flat[i].pixels >= FEW_FOR_TEXT ? name : NULL;
        if (flat[i].pixels < FEW) {
            continue;
        }
        if (boxes) {
            tyi_draw_sketch_box2(s, &flat[i], label);
        }
        if (solids) {
            tyi_draw_sketch_box3(s, &solid[i], boxes ? NULL : label);
        }
        if (label && !boxes && !solids) {
            tyi_draw_sketch_text(s, solid[i].pose_W.p, label, (ty_draw_color){ 0 });
        }
    }
}

ty_status tyi_draw_sketch_write(const tyi_draw_sketch *s, const char *path, const ty_image *image, ty_diag *diag)
{
    ty_draw_mark *mark = s && !s->failed ? malloc((s->strokes + 1) * sizeof *mark) : NULL;
    if (!mark) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the lines over the picture", path);
    }
    if (image->width != s->camera.width || image->height != s->camera.height) {
        free(mark);
        return ty_fail(diag, TY_ERR_RANGE, "%s: the picture has %d x %d pixels, but the sketch's camera %d x %d", path,
                       image->width, image->height, s->camera.width, s->camera.height);
    }
    for (size_t i = 0; i < s->strokes; i++) {
        const stroke *k = &s->stroke[i];
        mark[i] = (ty_draw_mark){ .n = k->n,
                                  .x = s->x + k->first,
                                  .y = s->y + k->first,
                                  .text = k->text[0] ? k->text : NULL,
                                  .color = k->color,
                                  .width = k->width,
                                  .dashed = k->hidden };
        mark[i].color.a *= k->hidden ? 0.45 : 1.0;
    }
    ty_status status = tyi_draw_write_marks(path, image, mark, s->strokes, TEXT * s->unit, diag);
    free(mark);
    return status;
}
