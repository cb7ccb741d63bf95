/* src/world/terrain/lay.c - see lay.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lay.h"
#include <string.h>
#include "core/core.h"
#include "k_chart.h"

#define HEIGHTS 0.004 /* [rad] by which a place may be off for want of its height */

/* the place on the sphere whose height stands at a point of the lattice, when that height is h */
void tyi_terrain_place_below(const tyi_terrain_generator *g, double x, double y, double h, double *lat, double *lon)
{
    double R = g->def.radius, s2 = x * x + y * y;
    ty_vec3 p = ty_vec3_make(x, y, ty_k_chart_flat_z(R, s2, h));
    if (s2 > TY_K_CHART_FLAT * R * TY_K_CHART_FLAT * R) {
        double s = sqrt(s2), c = ty_k_chart_angle(R, s, h);
        p = ty_vec3_make(R * sin(c) * x / s, R * sin(c) * y / s, R * (cos(c) - 1.0));
    }
    /* as ty_site_geodetic(), without the height: half of a first frame's time went here */
    ty_vec3 m = ty_pose_point(g->site.W_in_M, p);
    *lat = atan2(m.z, sqrt(m.x * m.x + m.y * m.y));
    *lon = atan2(m.y, m.x);
}

/* The place depends on the height there: three rounds settle it to micrometres. From twice the tangent plane on it does
 * not (k_chart.h). */
int tyi_terrain_place_rounds(const tyi_terrain_generator *g, double x0, double x1, double y)
{
    double x = x0 > 0.0 ? x0 : x1 < 0.0 ? x1 : 0.0, far = 2.0 * TY_K_CHART_FLAT * g->def.radius;
    return x * x + y * y > far * far * (1.0 + 1e-9) ? 1 : 3;
}

bool tyi_terrain_laid_near(const tyi_terrain_laid *laid, double lat, double lon, double margin)
{
    ty_vec3 at = { cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat) };
    double reach = laid->reach + margin + HEIGHTS;
    return reach >= TY_PI || ty_dot(at, laid->middle) >= cos(reach);
}

/* whether any of a block can lie in a layer, or within `around` [m] of it */
static bool block_near(const tyi_terrain_generator *g, const tyi_terrain_laid *laid, tyi_terrain_block b, double d,
                       double around)
{
    /* more than half the diagonal, and than the chart stretches */
    double lat, lon, half = around + 0.75 * d * (b.nx > b.ny ? b.nx : b.ny);
    tyi_terrain_place_below(g, (b.i0 + 0.5 * (b.nx - 1)) * d, (b.j0 + 0.5 * (b.ny - 1)) * d, 0.0, &lat, &lon);
    return tyi_terrain_laid_near(laid, lat, lon, half / g->def.radius);
}

/* what the layer lacks, from its coarsest such level down to level l, in out; scratch->b and rows are free for it */
static void add_lacks(const tyi_terrain_laid *laid, int l, tyi_terrain_block b, double *out, double *spare,
                      double *rows)
{
    tyi_terrain_block chain[TYI_TERRAIN_MAX_LEVELS];
    chain[l] = b;
    for (int k = l + 1; k <= laid->top; k++) {
        chain[k] = tyi_terrain_block_parent(chain[k - 1]);
    }
    int from = laid->top > l ? laid->top : l;
    /* the last step must end in out */
    double *now = (from - l) % 2 ? spare : out, *next = (from - l) % 2 ? out : spare;
    memset(now, 0, (size_t)chain[from].nx * (size_t)chain[from].ny * sizeof *now);
    for (int k = from;; k--) {
        tyi_terrain_relief_add(&laid->lacks, k, chain[k].i0, chain[k].j0, chain[k].nx, chain[k].ny, now);
        if (k == l) {
            return;
        }
        tyi_terrain_subdivide(now, chain[k], next, chain[k - 1], rows);
        double *swap = now;
        now = next;
        next = swap;
    }
}

/* heights and weights of one row of a block */
static ty_status row_of(const tyi_terrain_generator *g, const ty_terrain_layer *layer, double x0, double y, double d,
                        int n, double *height, double *weight, double *shift, ty_diag *diag)
{
    double lat[TYI_TERRAIN_BLOCK], lon[TYI_TERRAIN_BLOCK];
    int rounds = tyi_terrain_place_rounds(g, x0, x0 + (n - 1) * d, y);
    memset(height, 0, (size_t)n * sizeof *height);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++) {
            tyi_terrain_place_below(g, x0 + i * d, y, height[i], &lat[i], &lon[i]);
        }
        ty_status status = layer->sample(layer->user, (size_t)n, lat, lon, d, height, weight, shift, diag);
        if (status != TY_OK) {
            return status;
        }
        bool any = false;
        for (int i = 0; i < n; i++) {
            any = any || weight[i] > 0.0;
            height[i] = weight[i] > 0.0 ? height[i] : 0.0;
        }
        if (!any) {
            break;
        }
    }
    return TY_OK;
}

#define CALM 7.0 /* [samples] noise is whole from here on */

ty_status tyi_terrain_calm(const tyi_terrain_generator *g, int from, int l, tyi_terrain_block b, double step,
                           double *noise, ty_diag *diag)
{
    double d = ldexp(g->def.resolution, l);
    for (int k = from; k < g->layers; k++) {
        const ty_terrain_layer *layer = &g->def.layer[k];
        if (g->laid[k].level >= l || !block_near(g, &g->laid[k], b, d, CALM * step)) {
            continue;
        }
        for (int j = 0; j < b.ny; j++) {
            double lat[TYI_TERRAIN_BLOCK], lon[TYI_TERRAIN_BLOCK], away[TYI_TERRAIN_BLOCK];
            for (int i = 0; i < b.nx; i++) {
                tyi_terrain_place_below(g, (b.i0 + i) * d, (b.j0 + j) * d, 0.0, &lat[i], &lon[i]);
            }
            ty_status status = layer->away(layer->user, (size_t)b.nx, lat, lon, away, diag);
            if (status != TY_OK) {
                return status;
            }
            for (int i = 0; i < b.nx; i++) {
                double u = fmin(fmax((away[i] / step - 1.0) / (CALM - 1.0), 0.0), 1.0);
                noise[(size_t)j * (size_t)b.nx + (size_t)i] *= u * u * (3.0 - 2.0 * u);
            }
        }
    }
    return TY_OK;
}

ty_status tyi_terrain_lay(const tyi_terrain_generator *g, int k, int l, tyi_terrain_block b, double *h,
                          tyi_terrain_scratch *scratch, ty_diag *diag)
{
    const ty_terrain_layer *layer = &g->def.layer[k];
    double d = ldexp(g->def.resolution, l), R = g->def.radius;
    if (d > layer->reach * R || !block_near(g, &g->laid[k], b, d, 0.0)) {
        return TY_OK;
    }
    double *lacks = scratch->c, *spare = h == scratch->a ? scratch->b : scratch->a;
    add_lacks(&g->laid[k], l, b, lacks, spare, scratch->rows);
    ty_status calm = tyi_terrain_calm(g, k + 1, l, b, fmax(d, 2.0 * layer->spacing), lacks, diag);
    if (calm != TY_OK) {
        return calm;
    }
    for (int j = 0; j < b.ny; j++) {
        double height[TYI_TERRAIN_BLOCK], weight[TYI_TERRAIN_BLOCK], shift[TYI_TERRAIN_BLOCK], y = (b.j0 + j) * d;
        ty_status status = row_of(g, layer, b.i0 * d, y, d, b.nx, height, weight, shift, diag);
        if (status != TY_OK) {
            return status;
        }
        for (int i = 0; i < b.nx; i++) {
            double x = (b.i0 + i) * d;
            size_t at = (size_t)j * (size_t)b.nx + (size_t)i;
            h[at] += shift[i];
            if (weight[i] > 0.0) {
                h[at] += weight[i] * (ty_k_chart_z(R, x * x + y * y, height[i]) + lacks[at] - h[at]);
            }
        }
    }
    return TY_OK;
}
