/* src/draw/cloud.c - a picture of a cloud: from above, and from behind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "tycho/buffer.h"
#include "tycho/math.h"
#include "tycho/tools/cloud_file.h"
#include "tycho/tools/draw.h"
#include "sheet.h"

#define SIDE 900 /* [px] of a view */

typedef struct view {
    uint8_t *rgb; /* SIDE * SIDE * 3 */
    float *depth; /* of what is drawn; nearer covers farther */
} view;

typedef struct spots { /* the points that are there */
    double (*at)[3];   /* [m] x right, y away from the eye, z up */
    double *value;     /* what gives the colour */
    size_t n;
    double low, high; /* of the colours */
    double middle[3]; /* [m] of both views */
    double reach;     /* [m] from there to the edge */
    double back;      /* [m] from the eye behind to the middle */
    double size;      /* [px] radius of a point: a cloud around the origin is dense near it, one seen
                         from afar is even */
} spots;

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* share 0 to 1 of n numbers lies below the result; the array is sorted */
static double quantile(double *v, size_t n, double share)
{
    TY_ASSERT(share >= 0.0 && share <= 1.0);
    qsort(v, n, sizeof *v, rising);
    return n ? v[(size_t)(share * (double)(n - 1))] : 0.0;
}

static void gather(const ty_buffer *b, ty_cloud_color color, spots *s)
{
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            const ty_cloud_point *p = ty_buffer_at(b, x, y, 0);
            if (isnan(p->x)) {
                continue;
            }
            bool map = b->type.frame == 'W'; /* east right, north up; else left is left, x up */
            s->at[s->n][0] = map ? p->x : -p->y;
            s->at[s->n][1] = map ? p->y : p->x;
            s->at[s->n][2] = p->z;
            s->value[s->n++] = color == TY_CLOUD_HEIGHT ? p->z : p->intensity;
        }
    }
}

/* Limits of colours and of the views: a few stray points do not count. The middle is the frame's
 * origin where the cloud lies around it, else the cloud's own. */
static void limits(spots *s, double *scratch)
{
    double low[3], high[3];
    memcpy(scratch, s->value, s->n * sizeof *scratch);
    s->low = quantile(scratch, s->n, 0.02);
    s->high = quantile(scratch, s->n, 0.98);
    s->high = fmax(s->high, s->low + 1e-9);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++) {
            scratch[i] = s->at[i][k];
        }
        low[k] = quantile(scratch, s->n, 0.02);
        high[k] = quantile(scratch, s->n, 0.98);
        s->middle[k] = 0.5 * (low[k] + high[k]);
    }
    bool around = low[0] < 0.0 && high[0] > 0.0 && low[1] < 0.0 && high[1] > 0.0;
    if (around) {
        s->middle[0] = s->middle[1] = 0.0;
    }
    s->size = around ? 1.1 : fmin(fmax(0.42 * SIDE / sqrt((double)s->n + 1.0), 1.1), 6.0);
    for (size_t i = 0; i < s->n; i++) {
        double x = s->at[i][0] - s->middle[0], y = s->at[i][1] - s->middle[1];
        scratch[i] = fmax(fabs(x), fabs(y));
    }
    s->reach = fmax(1.08 * quantile(scratch, s->n, 0.97), 0.1);
    s->back = (around ? 0.75 : 1.8) * s->reach;
}

/* a disc of radius r [px]; near covers far */
static void splat(view *v, double x, double y, double r, float depth, ty_draw_color c)
{
    const uint8_t rgb[3] = { (uint8_t)(255.0 * c.r + 0.5), (uint8_t)(255.0 * c.g + 0.5), (uint8_t)(255.0 * c.b + 0.5) };
    if (!(fabs(x) < 1e5 && fabs(y) < 1e5)) {
        return;
    }
    for (int j = (int)floor(y - r); j <= (int)ceil(y + r); j++) {
        for (int i = (int)floor(x - r); i <= (int)ceil(x + r); i++) {
            double dx = i + 0.5 - x, dy = j + 0.5 - y;
            if (i < 0 || j < 0 || i >= SIDE || j >= SIDE || dx * dx + dy * dy > r * r) {
                continue;
            }
            size_t at = (size_t)j * SIDE + (size_t)i;
            if (depth < v->depth[at]) {
                v->depth[at] = depth;
                memcpy(v->rgb + 3 * at, rgb, 3);
            }
        }
    }
}

static void clear(view *v)
{
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        v->rgb[3 * i] = 14, v->rgb[3 * i + 1] = 16, v->rgb[3 * i + 2] = 22;
        v->depth[i] = INFINITY;
    }
}

static ty_draw_color color_of(const spots *s, size_t i)
{
    return ty_draw_cmap_color(TY_CMAP_VIRIDIS, 0.08 + 0.92 * (s->value[i] - s->low) / (s->high - s->low));
}

/* distance between rings: 1, 2 or 5 times a power of ten, about four rings */
static double ring_step(double reach)
{
    double raw = reach / 4.0, ten = pow(10.0, floor(log10(raw))), m = raw / ten;
    return ten * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static void from_above(view *v, const spots *s)
{
    double scale = 0.5 * SIDE / s->reach, step = ring_step(s->reach);
    double x0 = 0.5 * SIDE - scale * s->middle[0], y0 = 0.5 * SIDE + scale * s->middle[1]; /* origin */
    double far = hypot(s->middle[0], s->middle[1]) + 1.5 * s->reach;
    const ty_draw_color faint = { 0.30, 0.32, 0.38, 1.0 }, white = { 1.0, 1.0, 1.0, 1.0 };
    clear(v);
    for (double r = step; r < far && far < 1e3 * step; r += step) {
        int dots = (int)(2.0 * TY_PI * r * scale);
        for (int i = 0; i < dots; i++) {
            double a = 2.0 * TY_PI * i / dots;
            splat(v, x0 + r * scale * cos(a), y0 + r * scale * sin(a), 0.8, 1e30f, faint);
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        splat(v, x0 + scale * s->at[i][0], y0 - scale * s->at[i][1], s->size, (float)-s->at[i][2], color_of(s, i));
    }
    splat(v, x0, y0, 4.0, -1e30f, white);
}

/* Eye behind and above the middle, looking down 30 deg. */
static void from_behind(view *v, const spots *s)
{
    double c = cos(30.0 * TY_DEG), d = sin(30.0 * TY_DEG), f = 0.9 * SIDE, back = s->back;
    clear(v);
    for (size_t i = 0; i < s->n; i++) {
        double x = s->at[i][0] - s->middle[0], y = s->at[i][1] - s->middle[1] + back * c,
               z = s->at[i][2] - s->middle[2] - back * d;
        double away = y * c - z * d, up = y * d + z * c;
        if (away > 0.02 * s->reach) {
            double r = fmin(fmax(1.1 * s->size * s->reach / away, 0.9), 3.0);
            splat(v, 0.5 * SIDE + f * x / away, 0.5 * SIDE - f * up / away, r, (float)away, color_of(s, i));
        }
    }
}

static ty_status draw(const char *path, const spots *s, ty_cloud_color color, char frame, const char *title, view v[2],
                      ty_diag *diag)
{
    char above[160], behind[160], head[256];
    from_above(&v[0], s);
    from_behind(&v[1], s);
    snprintf(above, sizeof above, "from above, %s; rings %g m apart", frame == 'W' ? "north up" : "forward up",
             ring_step(s->reach));
    snprintf(behind, sizeof behind, "%s; colour: %s from %.3g%s (violet) to %.3g%s (yellow)",
             frame == 'W' ? "from the south" : "from behind", color == TY_CLOUD_HEIGHT ? "height" : "intensity", s->low,
             color == TY_CLOUD_HEIGHT ? " m" : "", s->high, color == TY_CLOUD_HEIGHT ? " m" : "");
    snprintf(head, sizeof head, "%s%s%zu points, frame %c", title ? title : "", title ? ": " : "", s->n,
             frame ? frame : '?');
    tyi_draw_tile tile[2] = { { v[0].rgb, above }, { v[1].rgb, behind } };
    return tyi_draw_write_sheet(path, head, tile, 2, 2, SIDE, SIDE, diag);
}

ty_status ty_cloud_draw(const char *path, const ty_buffer *points, ty_cloud_color color, const char *title,
                        ty_diag *diag)
{
    const ty_buffer_type *t = &points->type;
    if (t->unit != TY_UNIT_POINT || t->element != TY_ELEMENT_F64 || t->channels != TY_CLOUD_POINT_CHANNELS ||
        points->channel != sizeof(double)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: only a cloud of points can be drawn", path);
    }
    size_t n = ty_cloud_count(points), pixels = (size_t)SIDE * SIDE;
    spots s = { 0 };
    view v[2] = { 0 };
    double *scratch = malloc((n + 1) * sizeof *scratch);
    s.at = malloc((n + 1) * sizeof *s.at);
    s.value = malloc((n + 1) * sizeof *s.value);
    bool ok = scratch && s.at && s.value;
    for (int k = 0; k < 2; k++) {
        v[k].rgb = malloc(3 * pixels);
        v[k].depth = malloc(pixels * sizeof *v[k].depth);
        ok = ok && v[k].rgb && v[k].depth;
    }
    ty_status status = ok ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to draw %zu points", path, n);
    if (ok) {
        gather(points, color, &s);
        limits(&s, scratch);
        status = draw(path, &s, color, t->frame, title, v, diag);
    }
    for (int k = 0; k < 2; k++) {
        free(v[k].rgb), free(v[k].depth);
    }
    free(scratch), free(s.at), free(s.value);
    return status;
}
