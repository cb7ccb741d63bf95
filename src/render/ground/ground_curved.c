/* src/render/ground/ground_curved.c - tiles of ground where the lattice is bent round the Moon (k_chart.h).
 *
 * Their heights are kept on the lattice as everywhere; the points of their shape, normals and refined hits go
 * through the chart in double, relative to an origin of their own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "k_chart.h"
#include "k_spline.h"
#include "scene/scene.h"
#include "world/terrain/inner.h"

#define T      TYI_RENDER_TILE_CELLS
#define STRIDE TYI_RENDER_TILE_STRIDE

static double radius_of(const tyi_render_ground *g)
{
    return ty_terrain_site(g->terrain)->radius;
}

/* distances of the nearest and the farthest point of tile x, y from the site, on the lattice [m] */
static void reach_of(const tyi_render_ring *r, int32_t x, int32_t y, double *near, double *far)
{
    double side = T * r->d, a[2] = { x * side, y * side }, n[2], f[2];
    for (int k = 0; k < 2; k++) {
        double b = a[k] + side;
        n[k] = a[k] > 0.0 ? a[k] : b < 0.0 ? -b : 0.0;
        f[k] = fmax(fabs(a[k]), fabs(b));
    }
    *near = hypot(n[0], n[1]);
    *far = hypot(f[0], f[1]);
}

static bool is_curved(const tyi_render_ground *g, const tyi_render_ring *r, const tyi_render_plot *t)
{
    double near, far;
    reach_of(r, t->x, t->y, &near, &far);
    return far > TY_K_CHART_FLAT * radius_of(g);
}

bool tyi_render_plot_exists(const tyi_render_ground *g, const tyi_render_ring *r, int32_t x, int32_t y)
{
    double near, far, end = TY_K_CHART_END * radius_of(g);
    /* asked for every tile of every frame: most lie so near that no corner of them can be out there */
    if (1.5 * T * r->d * (fmax(abs(x), abs(y)) + 1.0) < end) {
        return true;
    }
    reach_of(r, x, y, &near, &far);
    return near < end;
}

static ty_vec3 from_k(ty_k_vec3 v)
{
    return ty_vec3_make(v.x, v.y, v.z);
}

/* the chart at cell coordinates u, v of a tile and height h over its z0 */
static ty_k_chart chart(const tyi_render_ground *g, const tyi_render_ring *r, const tyi_render_plot *t, double u,
                        double v, double h)
{
    return ty_k_chart_at(radius_of(g), ((double)t->x * T + u) * r->d, ((double)t->y * T + v) * r->d, t->z0 + h);
}

void tyi_render_plot_seat(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t)
{
    t->curved = is_curved(g, r, t);
    t->origin = t->curved ? from_k(chart(g, r, t, 0.5 * T, 0.5 * T, 0.0).p) : ty_vec3_make(0, 0, 0);
}

void tyi_render_plot_points(const tyi_render_ground *g, const tyi_render_ring *r, const tyi_render_plot *t,
                            float *point)
{
    for (int j = 0; j <= T; j++) {
        for (int i = 0; i <= T; i++) {
            ty_vec3 p = ty_sub(from_k(chart(g, r, t, i, j, (double)t->h[(j + 1) * STRIDE + i + 1]).p), t->origin);
            float *out = point + 3 * (j * (T + 1) + i);
            out[0] = (float)p.x, out[1] = (float)p.y, out[2] = (float)p.z;
        }
    }
    /* on a border to a coarser ring every second point lies on the straight edge of that ring's cell */
    for (int k = 1; k < T; k += 2) {
        for (int side = 0; side < 4; side++) {
            int i = side < 2 ? side * T : k, j = side < 2 ? k : (side - 2) * T;
            int step = 3 * (side < 2 ? T + 1 : 1);
            float *out = point + 3 * (j * (T + 1) + i);
            for (int c = 0; c < 3 && (t->edges >> side & 1); c++) {
                out[c] = 0.5f * (out[c - step] + out[c + step]);
            }
        }
    }
}

void tyi_render_plot_bend(const tyi_render_ground *g, const tyi_render_ring *r, const tyi_render_plot *t)
{
    float point[3 * (T + 1) * (T + 1)];
    tyi_render_plot_points(g, r, t, point);
    tyi_render_shape_set_points(t->shape, point);
}

/* the spline's height and slopes at u, v; outside the tile its border cells go on */
static ty_k_ground spline(const tyi_render_plot *t, double u, double v)
{
    int i = (int)fmin(fmax(floor(u), 0.0), T - 1), j = (int)fmin(fmax(floor(v), 0.0), T - 1);
    return ty_k_cell(t->h + j * STRIDE + i, STRIDE, u - i, v - j);
}

/* the two tangents of the surface by u and v [m per cell], and the point */
static ty_k_chart surface(const tyi_render_ground *g, const tyi_render_ring *r, const tyi_render_plot *t, double u,
                          double v)
{
    ty_k_ground s = spline(t, u, v);
    ty_k_chart k = chart(g, r, t, u, v, s.z);
    k.px = ty_k_add(ty_k_scale(r->d, k.px), ty_k_scale(s.zx, k.pz));
    k.py = ty_k_add(ty_k_scale(r->d, k.py), ty_k_scale(s.zy, k.pz));
    return k;
}

double tyi_render_plot_refine(const tyi_render_ground *g, const tyi_render_ring *r, const tyi_render_plot *t, ty_vec3 o,
                              ty_vec3 d, double at, ty_vec3 *normal)
{
    /* start: where the lattice is below the float hit */
    ty_vec3 p = ty_add(o, ty_scale(at, d));
    double x, y, height;
    tyi_terrain_below(g->terrain, p, &x, &y, &height);
    double u = x / r->d - (double)t->x * T, v = y / r->d - (double)t->y * T;
    for (int step = 0; step < 8; step++) {
        ty_k_chart k = surface(g, r, t, u, v);
        ty_vec3 a = from_k(k.px), b = from_k(k.py), n = ty_cross(a, b),
                gap = ty_sub(ty_add(o, ty_scale(at, d)), from_k(k.p));
        double size = ty_dot(n, n), rate = ty_dot(n, d);
        *normal = ty_scale(1.0 / sqrt(size), n);
        /* along the ray to the tangent plane, and to the cell coordinates of that point; never farther than a cell,
         * as a step near the horizon may leap */
        double most = r->d, change = fabs(rate) > 1e-9 * sqrt(size) ? -ty_dot(n, gap) / rate : 0.0;
        change = fmin(fmax(change, -most), most);
        ty_vec3 to = ty_add(gap, ty_scale(change, d));
        at += change;
        u += ty_dot(ty_cross(to, b), n) / size;
        v += ty_dot(ty_cross(a, to), n) / size;
        if (fabs(change) < 1e-12 * (1.0 + at)) {
            break;
        }
    }
    return at;
}
