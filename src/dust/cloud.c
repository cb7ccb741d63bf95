/* src/dust/cloud.c - see cloud.h. How rays go through it: k_cloud.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "cloud.h"
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "k_cloud.h"
#include "k_dust.h"

#define BRICK  TY_K_CLOUD_BRICK
#define MOST   ((size_t)1 << 22) /* nodes of a grid */
#define PIECES 8
#define LIGHT  0.6e-6f /* [m] wavelength that the lobe of diffraction is of */

/* a grid that is being made */
typedef struct grid {
    ty_k_cloud_grid *k;
    int n[3], b[3];
    float *node, *brick, *shade;
} grid;

struct tyi_dust_cloud {
    ty_dust_params params;
    int groups;
    ty_vec3 from;         /* [m] W: what grids and rays are counted from */
    ty_k_cloud_view view; /* its grid and value are these: */
    ty_k_cloud_grid *grid;
    int *group; /* of each grid */
    float *value;
    size_t room;
    ty_k_cloud_flat flat;
};

ty_status tyi_dust_cloud_create(const ty_dust_params *params, int groups, tyi_dust_cloud **out, ty_diag *diag)
{
    tyi_dust_cloud *c = *out = tyi_get(NULL, sizeof *c);
    if (c) {
        c->params = *params;
        c->groups = groups;
        c->grid = tyi_get(NULL, (size_t)(groups + 1) * sizeof *c->grid);
        c->group = tyi_get(NULL, (size_t)(groups + 1) * sizeof *c->group);
        c->view.k = (ty_k_cloud){ .albedo = (float)params->albedo,
                                  .lobe = (float)params->lobe,
                                  .share = 0.5f * (1.0f - (float)params->lobe_share),
                                  .spread = ty_k_dust_spread(LIGHT, (float)tyi_dust_sauter(params)) };
    }
    if (!c || !c->grid || !c->group) {
        tyi_dust_cloud_destroy(c);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for a cloud");
    }
    return TY_OK;
}

void tyi_dust_cloud_destroy(tyi_dust_cloud *c)
{
    if (c) {
        tyi_put(NULL, c->grid, c->grid ? (size_t)(c->groups + 1) * sizeof *c->grid : 0);
        tyi_put(NULL, c->group, c->group ? (size_t)(c->groups + 1) * sizeof *c->group : 0);
        tyi_put(NULL, c->value, c->room * sizeof *c->value);
        tyi_put(NULL, c, sizeof *c);
    }
}

double tyi_dust_cloud_voxel(const tyi_dust_cloud *c)
{
    double most = 0.0;
    for (int i = 0; i < c->view.k.grids; i++) {
        most = fmax(most, (double)c->grid[i].h);
    }
    return most;
}

/* ---- from points ---- */

/* the box of a group's points and a margin of a cell; voxels as wide as the grid's room asks for; false: it has none */
static bool measure(ty_k_cloud_grid *g, double h, int group, const tyi_dust_point *p, size_t n)
{
    float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < n; i++) {
        const float x[3] = { p[i].x, p[i].y, p[i].z };
        for (int k = 0; k < 3 && p[i].group == group; k++) {
            float a = x[k] - p[i].spread, b = x[k] + p[i].spread;
            low[k] = a < low[k] ? a : low[k], high[k] = b > high[k] ? b : high[k];
        }
    }
    bool used = low[0] <= high[0];
    for (size_t size = SIZE_MAX; used && size > MOST; h *= 1.25) {
        size = 1;
        for (int k = 0; k < 3; k++) {
            g->n[k] = (int)ceil((double)(high[k] - low[k]) / h) + 4;
            g->n[k] |= 1; /* the last is one of every other */
            g->b[k] = (g->n[k] >> BRICK) + 1;
            g->m[k] = g->n[k] / 2 + 1;
            size *= (size_t)g->n[k];
        }
        g->h = (float)h;
    }
    for (int k = 0; k < 3; k++) {
        g->low[k] = low[k] - 1.5f * g->h;
    }
    return used;
}

static size_t all_of(const int n[3])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

/* room for all grids, one after the other; nothing is in them */
static bool lay_out(tyi_dust_cloud *c)
{
    size_t at = 0;
    for (int i = 0; i < c->view.k.grids; i++) {
        ty_k_cloud_grid *g = &c->grid[i];
        g->node = (ty_u32)at, at += all_of(g->n);
        g->brick = (ty_u32)at, at += all_of(g->b);
        g->shade = (ty_u32)at, at += all_of(g->m);
    }
    if (at > c->room) {
        tyi_put(NULL, c->value, c->room * sizeof *c->value);
        c->room = at + at / 2;
        c->value = tyi_get(NULL, c->room * sizeof *c->value);
        c->room = c->value ? c->room : 0;
    }
    if (c->value) {
        memset(c->value, 0, at * sizeof *c->value);
    }
    c->flat.values = at;
    c->view.grid = c->grid, c->view.value = c->value;
    return c->value || !at;
}

static grid grid_of(tyi_dust_cloud *c, int i)
{
    ty_k_cloud_grid *k = &c->grid[i];
    grid g = { .k = k, .node = c->value + k->node, .brick = c->value + k->brick, .shade = c->value + k->shade };
    memcpy(g.n, k->n, sizeof g.n), memcpy(g.b, k->b, sizeof g.b);
    return g;
}

/* the bricks of cells around a node: two to each side */
static void mark(grid *g, const int i[3])
{
    for (int k = 0; k < 8; k++) {
        int bx = (i[0] + (k & 1 ? 1 : -2)) >> BRICK, by = (i[1] + (k & 2 ? 1 : -2)) >> BRICK,
            bz = (i[2] + (k & 4 ? 1 : -2)) >> BRICK;
        bx = bx < 0 ? 0 : bx, by = by < 0 ? 0 : by, bz = bz < 0 ? 0 : bz;
        g->brick[((size_t)bz * (size_t)g->b[1] + (size_t)by) * (size_t)g->b[0] + (size_t)bx] = 1.0f;
    }
}

/* a point's shadow, shared among the 27 nodes around it by a quadratic spline: smooth over a width of three cells */
static void splat(grid *g, const float x[3], float density)
{
    int i[3];
    float w[3][3];
    for (int k = 0; k < 3; k++) {
        i[k] = (int)(x[k] + 0.5f);
        float d = x[k] - (float)i[k];
        w[k][0] = 0.5f * (0.5f - d) * (0.5f - d);
        w[k][1] = 0.75f - d * d;
        w[k][2] = 0.5f * (0.5f + d) * (0.5f + d);
    }
    for (int c = -1; c <= 1; c++) {
        for (int b = -1; b <= 1; b++) {
            float *to =
                g->node + ((size_t)(i[2] + c) * (size_t)g->n[1] + (size_t)(i[1] + b)) * (size_t)g->n[0] + (size_t)i[0];
            float yz = density * w[2][c + 1] * w[1][b + 1];
            to[-1] += yz * w[0][0], to[0] += yz * w[0][1], to[1] += yz * w[0][2];
        }
    }
    mark(g, i);
}

/* the same among the 8 nodes around it, for what is spread already */
static void splat_small(grid *g, const float x[3], float density)
{
    int i = (int)x[0], j = (int)x[1], k = (int)x[2];
    float u = x[0] - (float)i, v = x[1] - (float)j, w = x[2] - (float)k;
    size_t row = (size_t)g->n[0], slab = row * (size_t)g->n[1];
    float *p = g->node + (size_t)k * slab + (size_t)j * row + (size_t)i, a = density * (1.0f - w), b = density * w;
    p[0] += a * (1.0f - v) * (1.0f - u), p[1] += a * (1.0f - v) * u;
    p[row] += a * v * (1.0f - u), p[row + 1] += a * v * u;
    p += slab;
    p[0] += b * (1.0f - v) * (1.0f - u), p[1] += b * (1.0f - v) * u;
    p[row] += b * v * (1.0f - u), p[row + 1] += b * v * u;
    mark(g, (const int[3]){ i, j, k });
}

/* Grains of a parcel that have flown apart: PIECES points, evenly in a cube of half side `wide`. The fractions of multiples of these
 * three numbers fill a cube evenly; each parcel goes on where the last one ended. */
static void scatter(grid *g, const float x[3], float wide, uint32_t number, float density)
{
    static const uint32_t step[3] = { 3518319155u, 2882110345u, 2360945575u }; /* 2^32 / p, p^2, p^3 with p^4 = p + 1 */
    if (wide < 0.5f) {
        splat(g, x, density);
        return;
    }
    for (uint32_t k = 0; k < PIECES; k++) {
        float at[3];
        for (int q = 0; q < 3; q++) {
            float top = (float)(g->n[q] - 3), u = (float)(step[q] * (PIECES * number + k)) * 0x1p-31f - 1.0f;
            at[q] = fminf(fmaxf(x[q] + wide * u, 1.0f), top);
        }
        splat_small(g, at, density / (float)PIECES);
    }
}

/* the slab before, nearer to the Sun, read where its light comes through: optical depth from there on, and density; 0 outside */
static float before(const float *from, int nb, int nc, size_t sb, size_t sc, float y, float z)
{
    int j = (int)floorf(y), k = (int)floorf(z);
    if (j < 0 || k < 0 || j >= nb - 1 || k >= nc - 1) {
        return 0.0f;
    }
    const float *p = from + (size_t)j * sb + (size_t)k * sc;
    float v = y - (float)j, w = z - (float)k, a = p[0] + v * (p[sb] - p[0]), b = p[sc] + v * (p[sc + sb] - p[sc]);
    return a + w * (b - a);
}

/* Optical depth towards the Sun at every other node, slab by slab along the axis that its light mostly goes along. */
static void cast(grid *g, ty_vec3 sun)
{
    const double s[3] = { sun.x, sun.y, sun.z };
    int a = fabs(s[0]) >= fabs(s[1]) && fabs(s[0]) >= fabs(s[2]) ? 0 : fabs(s[1]) >= fabs(s[2]) ? 1 : 2;
    int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2, m[3];
    for (int q = 0; q < 3; q++) {
        m[q] = g->k->m[q];
    }
    const size_t step[3] = { 1, (size_t)m[0], (size_t)m[0] * (size_t)m[1] },
                 fine[3] = { 2, 2 * (size_t)g->n[0], 2 * (size_t)g->n[0] * (size_t)g->n[1] };
    float du = (float)(s[b] / fabs(s[a])), dv = (float)(s[c] / fabs(s[a])), half = g->k->h / (float)fabs(s[a]);
    for (int i = 0; i < m[a]; i++) {
        int at = s[a] > 0.0 ? m[a] - 1 - i : i, last = s[a] > 0.0 ? at + 1 : at - 1;
        for (int k = 0; k < m[c]; k++) {
            for (int j = 0; j < m[b]; j++) {
                size_t here = (size_t)at * step[a] + (size_t)j * step[b] + (size_t)k * step[c],
                       node = (size_t)at * fine[a] + (size_t)j * fine[b] + (size_t)k * fine[c];
                float y = (float)j + du, z = (float)k + dv, tau = 0.0f;
                if (i) {
                    tau = before(g->shade + (size_t)last * step[a], m[b], m[c], step[b], step[c], y, z) +
                          half * before(g->node + (size_t)last * fine[a], m[b], m[c], fine[b], fine[c], y, z);
                }
                g->shade[here] = tau + half * g->node[node];
            }
        }
    }
}

static void fill_grid(tyi_dust_cloud *c, int number, const tyi_dust_point *p, size_t n, const ty_vec3 *sun)
{
    grid g = grid_of(c, number);
    const float *low = g.k->low;
    float per = 1.0f / g.k->h, volume = per * per * per;
    for (size_t i = 0; i < n; i++) {
        if (p[i].group == c->group[number]) {
            const float x[3] = { (p[i].x - low[0]) * per, (p[i].y - low[1]) * per, (p[i].z - low[2]) * per };
            scatter(&g, x, p[i].spread * per, (uint32_t)i, p[i].area * volume);
        }
    }
    if (sun) {
        cast(&g, *sun);
    }
}

ty_status tyi_dust_cloud_fill(tyi_dust_cloud *c, ty_vec3 from_W, const tyi_dust_point *p, size_t n, const ty_vec3 *sun,
                              ty_diag *diag)
{
    ty_vec3 to = sun ? *sun : ty_vec3_make(0.0, 0.0, 0.0);
    c->from = from_W;
    c->flat = (ty_k_cloud_flat){ &c->view, 0, c->flat.version + 1, { from_W.x, from_W.y, from_W.z } };
    c->view.k.grids = 0;
    c->view.k.sun[0] = (float)to.x, c->view.k.sun[1] = (float)to.y, c->view.k.sun[2] = (float)to.z;
    for (int group = 0; group < c->groups; group++) {
        int i = c->view.k.grids;
        c->group[i] = group;
        c->view.k.grids += measure(&c->grid[i], c->params.voxel, group, p, n);
    }
    if (!lay_out(c)) {
        c->view.k.grids = 0;
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for a cloud of %zu numbers", (size_t)c->flat.values);
    }
    for (int i = 0; i < c->view.k.grids; i++) {
        fill_grid(c, i, p, n, sun);
    }
    return TY_OK;
}

/* ---- through it ---- */

static ty_k_vec3 start_of(const tyi_dust_cloud *c, const ty_trace_ray *ray)
{
    return ty_k_vec((float)(ray->from.x - c->from.x), (float)(ray->from.y - c->from.y),
                    (float)(ray->from.z - c->from.z));
}

static ty_k_vec3 way_of(const ty_trace_ray *ray)
{
    return ty_k_vec((float)ray->dir.x, (float)ray->dir.y, (float)ray->dir.z);
}

static int parts(const ty_trace_ray *ray, int bands, int most, ty_medium_part *out, void *user)
{
    _Static_assert(TY_K_CLOUD_PARTS <= TY_MEDIUM_PARTS, "all parts of a ray have room");
    const tyi_dust_cloud *c = user;
    ty_k_cloud_part part[TY_K_CLOUD_PARTS];
    int n = ty_k_cloud_parts(&c->view, start_of(c, ray), way_of(ray), (float)fmin(ray->far, 1e9), part);
    for (int i = 0; i < n && i < most; i++) {
        out[i] = (ty_medium_part){ .t0 = part[i].t0,
                                   .t1 = part[i].t1,
                                   .lobe = { c->view.k.lobe, -c->view.k.lobe },
                                   .share = c->view.k.share,
                                   .ahead = 1.0f,
                                   .spread = c->view.k.spread };
        for (int b = 0; b < bands; b++) {
            out[i].extinction[b] = part[i].tau / (part[i].t1 - part[i].t0);
            out[i].albedo[b] = c->view.k.albedo;
        }
    }
    return n < most ? n : most;
}

static void depth(const ty_trace_ray *ray, int bands, float *tau, void *user)
{
    const tyi_dust_cloud *c = user;
    float total = ty_k_cloud_depth(&c->view, start_of(c, ray), way_of(ray), (float)fmin(ray->far, 1e9));
    for (int b = 0; b < bands; b++) {
        tau[b] = total;
    }
}

bool tyi_dust_cloud_medium(tyi_dust_cloud *c, ty_medium *out)
{
    bool any = c->view.k.grids > 0;
    *out = any ? (ty_medium){ parts, c, depth, &c->flat } : (ty_medium){ NULL, NULL, NULL, NULL };
    return any;
}
