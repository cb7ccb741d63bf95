/* src/dust/cloud.c - see cloud.h. How rays go through it: k_cloud.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "cloud.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include "core/core.h"
#include "k_cloud.h"
#include "k_dust.h"

#define BRICK TY_K_CLOUD_BRICK
#define MOST  ((size_t)1 << 22) /* nodes of a grid */
#define LIGHT 0.6e-6f           /* [m] wavelength that the lobe of diffraction is of */

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
    int *group;   /* of each grid */
    float *total; /* [m^2] likewise */
    float margin; /* [m] around points */
    const tyi_dust_point *point;
    size_t points;
    atomic_bool made;
    pthread_mutex_t lock;
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
        c->total = tyi_get(NULL, (size_t)(groups + 1) * sizeof *c->total);
        pthread_mutex_init(&c->lock, NULL);
        c->view.k = (ty_k_cloud){ .albedo = (float)params->albedo,
                                  .lobe = (float)params->lobe,
                                  .share = 0.5f * (1.0f - (float)params->lobe_share),
                                  .spread = ty_k_dust_spread(LIGHT, (float)tyi_dust_sauter(params)) };
    }
    if (!c || !c->grid || !c->group || !c->total) {
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
        tyi_put(NULL, c->total, c->total ? (size_t)(c->groups + 1) * sizeof *c->total : 0);
        tyi_put(NULL, c->value, c->room * sizeof *c->value);
        pthread_mutex_destroy(&c->lock);
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
static bool measure(ty_k_cloud_grid *g, double h, float margin, int group, const tyi_dust_point *p, size_t n,
                    float *total)
{
    double sum = 0.0;
    float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < n; i++) {
        const float x[3] = { p[i].x, p[i].y, p[i].z }, *apart = p[i].apart;
        float across =
            margin + (float)TY_K_CLOUD_ACROSS * sqrtf(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
        sum += p[i].group == group ? (double)p[i].area : 0.0;
        for (int k = 0; k < 3 && p[i].group == group; k++) {
            float wide = across + fabsf(apart[k]), a = x[k] - wide, b = x[k] + wide;
            low[k] = a < low[k] ? a : low[k], high[k] = b > high[k] ? b : high[k];
        }
    }
    bool used = low[0] <= high[0];
    *total = (float)fmax(sum, 1e-30);
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

/* room for all grids, one after the other */
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

/* the bricks of cells around a node: one after it, so many before it */
static void mark(grid *g, const int i[3], int before)
{
    int low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = i[k] < before ? 0 : (i[k] - before) >> BRICK, high[k] = (i[k] + 1) >> BRICK;
    }
    if (low[0] == high[0] && low[1] == high[1] && low[2] == high[2]) { /* nearly always */
        g->brick[((size_t)low[2] * (size_t)g->b[1] + (size_t)low[1]) * (size_t)g->b[0] + (size_t)low[0]] = 1.0f;
        return;
    }
    for (int z = low[2]; z <= high[2]; z++) {
        for (int y = low[1]; y <= high[1]; y++) {
            for (int x = low[0]; x <= high[0]; x++) {
                g->brick[((size_t)z * (size_t)g->b[1] + (size_t)y) * (size_t)g->b[0] + (size_t)x] = 1.0f;
            }
        }
    }
}

/* a point's shadow, shared among the 27 nodes around it: smooth over a width of three cells */
static void splat(grid *g, ty_k_vec3 x, float density)
{
    const int i[3] = { (int)(x.x + 0.5f), (int)(x.y + 0.5f), (int)(x.z + 0.5f) };
    ty_k_vec3 a = ty_k_cloud_spline(x.x - (float)i[0]), wy = ty_k_cloud_spline(x.y - (float)i[1]),
              wz = ty_k_cloud_spline(x.z - (float)i[2]);
    const float y[3] = { wy.x, wy.y, wy.z }, z[3] = { wz.x, wz.y, wz.z };
    for (int c = -1; c <= 1; c++) {
        for (int b = -1; b <= 1; b++) {
            float *to =
                g->node + ((size_t)(i[2] + c) * (size_t)g->n[1] + (size_t)(i[1] + b)) * (size_t)g->n[0] + (size_t)i[0];
            float yz = density * z[c + 1] * y[b + 1];
            to[-1] += yz * a.x, to[0] += yz * a.y, to[1] += yz * a.z;
        }
    }
    mark(g, i, 2);
}

/* the same among the 8 nodes around it, for what is spread already */
static void splat_small(grid *g, ty_k_vec3 x, float density)
{
    int i = (int)x.x, j = (int)x.y, k = (int)x.z;
    float u = x.x - (float)i, v = x.y - (float)j, w = x.z - (float)k;
    size_t row = (size_t)g->n[0], slab = row * (size_t)g->n[1];
    float *p = g->node + (size_t)k * slab + (size_t)j * row + (size_t)i, a = density * (1.0f - w), b = density * w;
    p[0] += a * (1.0f - v) * (1.0f - u), p[1] += a * (1.0f - v) * u;
    p[row] += a * v * (1.0f - u), p[row + 1] += a * v * u;
    p += slab;
    p[0] += b * (1.0f - v) * (1.0f - u), p[1] += b * (1.0f - v) * u;
    p[row] += b * v * (1.0f - u), p[row + 1] += b * v * u;
    mark(g, (const int[3]){ i, j, k }, 1);
}

static void scatter(grid *g, ty_k_vec3 x, ty_k_vec3 apart, uint32_t number, float density)
{
    float wide = sqrtf(ty_k_dot(apart, apart));
    if (wide < 0.5f) {
        splat(g, x, density);
        return;
    }
    for (uint32_t k = 0; k < TY_K_CLOUD_PIECES; k++) {
        splat_small(g, ty_k_cloud_piece(g->n, x, apart, wide, TY_K_CLOUD_PIECES * number + k),
                    density / (float)TY_K_CLOUD_PIECES);
    }
}

static void cast(grid *g, const float sun[3])
{
    ty_k_cloud_cast k = ty_k_cloud_cast_make(g->k, sun);
    for (int slab = 0; slab < k.slabs; slab++) {
        for (int l = 0; l < k.down; l++) {
            for (int j = 0; j < k.across; j++) {
                ty_k_cloud_cast_at(&k, g->node, g->shade, slab, j, l);
            }
        }
    }
}

static void fill_grid(tyi_dust_cloud *c, int number)
{
    grid g = grid_of(c, number);
    const float *low = g.k->low, *sun = c->view.k.sun;
    float per = 1.0f / g.k->h, volume = per * per * per;
    for (size_t i = 0; i < c->points; i++) {
        const tyi_dust_point *p = &c->point[i];
        if (p->group == c->group[number]) {
            ty_k_vec3 x = ty_k_vec((p->x - low[0]) * per, (p->y - low[1]) * per, (p->z - low[2]) * per);
            ty_k_vec3 apart = ty_k_vec(p->apart[0] * per, p->apart[1] * per, p->apart[2] * per);
            scatter(&g, x, apart, (uint32_t)i, p->area * volume);
        }
    }
    if (sun[0] != 0.0f || sun[1] != 0.0f || sun[2] != 0.0f) {
        cast(&g, sun);
    }
}

/* the grids' numbers, when they are first asked for: a device makes its own */
static void make(void *user)
{
    tyi_dust_cloud *c = user;
    pthread_mutex_lock(&c->lock);
    if (!atomic_load_explicit(&c->made, memory_order_relaxed)) {
        memset(c->value, 0, c->flat.values * sizeof *c->value);
        for (int i = 0; i < c->view.k.grids; i++) {
            fill_grid(c, i);
        }
        atomic_store_explicit(&c->made, true, memory_order_release);
    }
    pthread_mutex_unlock(&c->lock);
}

static const ty_k_cloud_view *made(tyi_dust_cloud *c)
{
    if (!atomic_load_explicit(&c->made, memory_order_acquire)) {
        make(c);
    }
    return &c->view;
}

ty_status tyi_dust_cloud_fill(tyi_dust_cloud *c, ty_vec3 from_W, const tyi_dust_point *p, size_t n, const ty_vec3 *sun,
                              ty_diag *diag)
{
    _Static_assert(sizeof *p == sizeof(ty_k_cloud_point), "devices take points as they are");
    ty_vec3 to = sun ? *sun : ty_vec3_make(0.0, 0.0, 0.0);
    c->from = from_W;
    c->point = p, c->points = n;
    c->flat = (ty_k_cloud_flat){ .view = &c->view,
                                 .make = make,
                                 .user = c,
                                 .version = c->flat.version + 1,
                                 .from = { from_W.x, from_W.y, from_W.z },
                                 .group = c->group,
                                 .total = c->total,
                                 .point = (const ty_k_cloud_point *)(const void *)p,
                                 .points = n };
    c->view.k.grids = 0;
    c->view.k.sun[0] = (float)to.x, c->view.k.sun[1] = (float)to.y, c->view.k.sun[2] = (float)to.z;
    for (int group = 0; group < c->groups; group++) {
        int i = c->view.k.grids;
        c->group[i] = group;
        c->view.k.grids += measure(&c->grid[i], c->params.voxel, c->margin, group, p, n, &c->total[i]);
    }
    atomic_store(&c->made, false);
    if (!lay_out(c)) {
        c->view.k.grids = 0;
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for a cloud of %zu numbers", (size_t)c->flat.values);
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
    tyi_dust_cloud *c = user;
    ty_k_cloud_part part[TY_K_CLOUD_PARTS];
    int n = ty_k_cloud_parts(made(c), start_of(c, ray), way_of(ray), (float)fmin(ray->far, 1e9), part);
    for (int i = 0; i < n && i < most; i++) {
        out[i] = (ty_medium_part){ .t0 = part[i].t0,
                                   .t1 = part[i].t1,
                                   .lobe = { c->view.k.lobe, -c->view.k.lobe },
                                   .share = c->view.k.share,
                                   .ahead = 1.0f,
                                   .spread = c->view.k.spread };
        memcpy(out[i].quarter, part[i].quarter, sizeof out[i].quarter);
        for (int b = 0; b < bands; b++) {
            out[i].extinction[b] = part[i].tau / (part[i].t1 - part[i].t0);
            out[i].albedo[b] = c->view.k.albedo;
        }
    }
    return n < most ? n : most;
}

static void depth(const ty_trace_ray *ray, int bands, float *tau, void *user)
{
    tyi_dust_cloud *c = user;
    float total = ty_k_cloud_depth(made(c), start_of(c, ray), way_of(ray), (float)fmin(ray->far, 1e9));
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

void tyi_dust_cloud_fly(tyi_dust_cloud *c, const struct ty_k_cloud_track *track, float ahead, float gravity)
{
    c->flat.track = track, c->flat.ahead = ahead, c->flat.gravity = gravity;
}

void tyi_dust_cloud_margin(tyi_dust_cloud *c, float margin)
{
    c->margin = margin;
}
