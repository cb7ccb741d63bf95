/* src/dust/cloud.c - see cloud.h.
 *
 * Nodes of a grid hold shadow per volume [1/m], read by trilinear interpolation. Bricks of 8 x 8 x 8 cells say where there
 * is any, so that rays pass over what is empty. A ray is sampled once a voxel; the samples are gathered into as many parts of even
 * optical depth as its thickness is worth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cloud.h"
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "k_dust.h"

#define BRICK   3 /* log2 of its side in cells */
#define MOST    ((size_t)1 << 22)
#define PIECES  8
#define SAMPLES 512    /* of a ray */
#define SEEN    1.0f   /* voxels from sample to sample of a ray that is looked along */
#define LIT     1.5f   /* likewise of a ray to a lamp that is not the Sun */
#define SUNNY   0.9998 /* cosine of how far from the middle of the Sun light counts as its */
#define NOTHING 1e-6f  /* [-] optical depth that is not worth a part */
#define LIGHT   0.6e-6 /* [m] wavelength that the lobe of diffraction is of */

typedef struct grid {
    ty_vec3 low;  /* [m] W, of node 0 */
    float h;      /* [m] */
    int n[3];     /* nodes */
    int b[3];     /* bricks */
    int m[3];     /* every other node */
    float *node;  /* [1/m] */
    float *shade; /* [-] optical depth towards the Sun */
    uint8_t *brick;
    size_t room, brick_room;
    bool used;
} grid;

struct tyi_dust_cloud {
    ty_dust_params params;
    float spread;
    ty_vec3 sun; /* unit, W; 0, 0, 0: not known */
    int grids;
    grid *grid;
};

ty_status tyi_dust_cloud_create(const ty_dust_params *params, int groups, tyi_dust_cloud **out, ty_diag *diag)
{
    tyi_dust_cloud *c = *out = tyi_get(NULL, sizeof *c);
    if (c) {
        c->params = *params;
        c->spread = (float)ty_k_dust_spread(LIGHT, tyi_dust_sauter(params));
        c->grids = groups;
        c->grid = tyi_get(NULL, (size_t)(groups + 1) * sizeof *c->grid);
    }
    if (!c || !c->grid) {
        tyi_dust_cloud_destroy(c);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for a cloud");
    }
    return TY_OK;
}

void tyi_dust_cloud_destroy(tyi_dust_cloud *c)
{
    if (!c) {
        return;
    }
    for (int i = 0; c->grid && i < c->grids; i++) {
        tyi_put(NULL, c->grid[i].node, 2 * c->grid[i].room * sizeof(float));
        tyi_put(NULL, c->grid[i].brick, c->grid[i].brick_room);
    }
    tyi_put(NULL, c->grid, c->grid ? (size_t)(c->grids + 1) * sizeof *c->grid : 0);
    tyi_put(NULL, c, sizeof *c);
}

double tyi_dust_cloud_voxel(const tyi_dust_cloud *c)
{
    double most = 0.0;
    for (int i = 0; i < c->grids; i++) {
        most = c->grid[i].used ? fmax(most, (double)c->grid[i].h) : most;
    }
    return most;
}

/* ---- from points ---- */

/* the box of a group's points and a margin of a cell; voxels as wide as the grid's room asks for */
static bool measure(grid *g, double h, ty_vec3 from_W, int group, const tyi_dust_point *p, size_t n)
{
    float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < n; i++) {
        const float x[3] = { p[i].x, p[i].y, p[i].z };
        for (int k = 0; k < 3 && p[i].group == group; k++) {
            low[k] = fminf(low[k], x[k] - p[i].spread), high[k] = fmaxf(high[k], x[k] + p[i].spread);
        }
    }
    g->used = low[0] <= high[0];
    for (size_t size = SIZE_MAX; g->used && size > MOST; h *= 1.25) {
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
    double m = 1.5 * (double)g->h;
    g->low = ty_add(from_W, ty_vec3_make((double)low[0] - m, (double)low[1] - m, (double)low[2] - m));
    return g->used;
}

static bool grow(grid *g)
{
    size_t n = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2],
           b = (size_t)g->b[0] * (size_t)g->b[1] * (size_t)g->b[2];
    if (n > g->room) {
        tyi_put(NULL, g->node, 2 * g->room * sizeof *g->node);
        g->room = n + n / 2;
        g->node = tyi_get(NULL, 2 * g->room * sizeof *g->node);
        g->room = g->node ? g->room : 0;
    }
    if (b > g->brick_room) {
        tyi_put(NULL, g->brick, g->brick_room);
        g->brick_room = b + b / 2;
        g->brick = tyi_get(NULL, g->brick_room);
        g->brick_room = g->brick ? g->brick_room : 0;
    }
    if (!g->node || !g->brick) {
        return false;
    }
    g->shade = g->node + n;
    memset(g->node, 0, n * sizeof *g->node);
    memset(g->brick, 0, b);
    return true;
}

/* the bricks of cells around a node: two to each side */
static void mark(grid *g, const int i[3])
{
    for (int k = 0; k < 8; k++) {
        int bx = (i[0] + (k & 1 ? 1 : -2)) >> BRICK, by = (i[1] + (k & 2 ? 1 : -2)) >> BRICK,
            bz = (i[2] + (k & 4 ? 1 : -2)) >> BRICK;
        bx = bx < 0 ? 0 : bx, by = by < 0 ? 0 : by, bz = bz < 0 ? 0 : bz;
        g->brick[((size_t)bz * (size_t)g->b[1] + (size_t)by) * (size_t)g->b[0] + (size_t)bx] = 1;
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
        m[q] = g->m[q];
    }
    const size_t step[3] = { 1, (size_t)m[0], (size_t)m[0] * (size_t)m[1] },
                 fine[3] = { 2, 2 * (size_t)g->n[0], 2 * (size_t)g->n[0] * (size_t)g->n[1] };
    float du = (float)(s[b] / fabs(s[a])), dv = (float)(s[c] / fabs(s[a])), half = g->h / (float)fabs(s[a]);
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

ty_status tyi_dust_cloud_fill(tyi_dust_cloud *c, ty_vec3 from_W, const tyi_dust_point *p, size_t n, const ty_vec3 *sun,
                              ty_diag *diag)
{
    c->sun = sun ? *sun : ty_vec3_make(0.0, 0.0, 0.0);
    for (int group = 0; group < c->grids; group++) {
        grid *g = &c->grid[group];
        if (!measure(g, c->params.voxel, from_W, group, p, n)) {
            continue;
        }
        if (!grow(g)) {
            g->used = false;
            return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for a cloud of %d x %d x %d voxels", g->n[0], g->n[1],
                           g->n[2]);
        }
        ty_vec3 low = ty_sub(g->low, from_W);
        float per = 1.0f / g->h, volume = per * per * per, lx = (float)low.x, ly = (float)low.y, lz = (float)low.z;
        for (size_t i = 0; i < n; i++) {
            if (p[i].group == group) {
                const float x[3] = { (p[i].x - lx) * per, (p[i].y - ly) * per, (p[i].z - lz) * per };
                scatter(g, x, p[i].spread * per, (uint32_t)i, p[i].area * volume);
            }
        }
        if (sun) {
            cast(g, *sun);
        }
    }
    return TY_OK;
}

/* ---- through it ---- */

typedef struct sample {
    float t, tau; /* [m] along the ray, [-] over a voxel */
    float wide;   /* [m] of that */
} sample;

/* [m] where a ray enters and leaves a grid, in cells: o + t d; false: never */
static bool clip(const grid *g, const float o[3], const float d[3], float *t0, float *t1)
{
    for (int k = 0; k < 3; k++) {
        float top = (float)(g->n[k] - 1);
        if (fabsf(d[k]) < 1e-9f) {
            if (o[k] < 0.0f || o[k] > top) {
                return false;
            }
            continue;
        }
        float per = 1.0f / d[k], a = -o[k] * per, b = (top - o[k]) * per;
        *t0 = fmaxf(*t0, fminf(a, b));
        *t1 = fminf(*t1, fmaxf(a, b));
    }
    return *t0 < *t1;
}

/* an array of nodes, n[0] x n[1] in a slab, between them */
static float read(const float *node, const int n[3], const float x[3], const int i[3])
{
    size_t row = (size_t)n[0], slab = row * (size_t)n[1];
    const float *p = node + (size_t)i[2] * slab + (size_t)i[1] * row + (size_t)i[0];
    float u = x[0] - (float)i[0], v = x[1] - (float)i[1], w = x[2] - (float)i[2];
    float a = p[0] + u * (p[1] - p[0]), b = p[row] + u * (p[row + 1] - p[row]);
    float c = p[slab] + u * (p[slab + 1] - p[slab]), e = p[slab + row] + u * (p[slab + row + 1] - p[slab + row]);
    a += v * (b - a), c += v * (e - c);
    return a + w * (c - a);
}

/* a place along a ray in cells, within an array of n nodes, and its cell */
static void place(const float o[3], const float d[3], float t, const int n[3], float x[3], int i[3])
{
    for (int q = 0; q < 3; q++) {
        float top = (float)(n[q] - 1), at = o[q] + t * d[q];
        x[q] = at < 0.0f ? 0.0f : at > top ? top : at;
        i[q] = (int)x[q] < n[q] - 2 ? (int)x[q] : n[q] - 2;
    }
}

/* [m] along the ray where it leaves the brick around cell i */
static float leave(const float o[3], const float d[3], const int i[3])
{
    float t = INFINITY;
    for (int k = 0; k < 3; k++) {
        int base = i[k] >> BRICK << BRICK;
        if (fabsf(d[k]) >= 1e-9f) {
            float out = ((float)(d[k] > 0.0f ? base + (1 << BRICK) : base) - o[k]) / d[k];
            t = out < t ? out : t;
        }
    }
    return t;
}

/* samples of a ray in one grid, `wide` voxels apart, behind those that there are; returns how many there are then */
static int march(const grid *g, const ty_trace_ray *ray, float wide, sample *s, int n)
{
    ty_vec3 from = ty_scale(1.0 / (double)g->h, ty_sub(ray->from, g->low)),
            dir = ty_scale(1.0 / (double)g->h, ray->dir);
    const float o[3] = { (float)from.x, (float)from.y, (float)from.z },
                d[3] = { (float)dir.x, (float)dir.y, (float)dir.z };
    float t0 = 0.0f, t1 = (float)fmin(ray->far, 1e9);
    if (!clip(g, o, d, &t0, &t1)) {
        return n;
    }
    int steps = (int)ceilf((t1 - t0) / (wide * g->h));
    float step = (t1 - t0) / (float)steps;
    for (int k = 0; k < steps && n < SAMPLES; k++) {
        float t = t0 + ((float)k + 0.5f) * step, x[3];
        int i[3];
        place(o, d, t, g->n, x, i);
        if (!g->brick[((size_t)(i[2] >> BRICK) * (size_t)g->b[1] + (size_t)(i[1] >> BRICK)) * (size_t)g->b[0] +
                      (size_t)(i[0] >> BRICK)]) {
            int next = (int)((leave(o, d, i) - t0) / step - 0.5f);
            k = next > k ? next : k;
            continue;
        }
        float density = read(g->node, g->n, x, i);
        if (density > 0.0f) {
            s[n++] = (sample){ t, density * step, step };
        }
    }
    return n;
}

/* clouds of several rovers may lie in one another: in order along the ray */
static void sort(sample *s, int n)
{
    for (int i = 1; i < n; i++) {
        sample x = s[i];
        int at = i;
        for (; at > 0 && s[at - 1].t > x.t; at--) {
            s[at] = s[at - 1];
        }
        s[at] = x;
    }
}

static void fill_part(const tyi_dust_cloud *c, const sample *s, int n, float tau, int bands, ty_medium_part *out)
{
    *out = (ty_medium_part){ .t0 = fmaxf(s[0].t - 0.5f * s[0].wide, 0.0f),
                             .t1 = s[n - 1].t + 0.5f * s[n - 1].wide,
                             .lobe = { (float)c->params.lobe, -(float)c->params.lobe },
                             .share = 0.5f * (1.0f - (float)c->params.lobe_share),
                             .ahead = 1.0f,
                             .spread = c->spread };
    for (int b = 0; b < bands; b++) {
        out->extinction[b] = tau / (out->t1 - out->t0);
        out->albedo[b] = (float)c->params.albedo;
    }
}

static int parts(const ty_trace_ray *ray, int bands, int most, ty_medium_part *out, void *user)
{
    const tyi_dust_cloud *c = user;
    sample s[SAMPLES];
    int n = 0, used = 0, made = 0, first = 0;
    float total = 0.0f, sum = 0.0f;
    for (int i = 0; i < c->grids; i++) {
        int before = n;
        n = c->grid[i].used ? march(&c->grid[i], ray, SEEN, s, n) : n;
        used += n > before;
    }
    if (used > 1) {
        sort(s, n);
    }
    for (int i = 0; i < n; i++) {
        total += s[i].tau;
    }
    if (!(total > NOTHING)) {
        return 0;
    }
    int want = total < 0.003f ? 1 : total < 0.03f ? 2 : total < 0.2f ? 3 : total < 0.6f ? 5 : 7;
    want = want < most ? want : most;
    for (int i = 0; i < n; i++) {
        sum += s[i].tau;
        if (sum >= total / (float)want || i == n - 1) {
            fill_part(c, s + first, i + 1 - first, sum, bands, &out[made++]);
            first = i + 1;
            sum = 0.0f;
        }
        if (made == most) {
            break;
        }
    }
    return made;
}

/* [-] towards the Sun from where the ray meets the grid, which it leaves on the other side; below 0: it ends before that */
static float sunward(const grid *g, const ty_trace_ray *ray)
{
    ty_vec3 from = ty_scale(1.0 / (double)g->h, ty_sub(ray->from, g->low)),
            dir = ty_scale(1.0 / (double)g->h, ray->dir);
    const float o[3] = { (float)from.x, (float)from.y, (float)from.z },
                d[3] = { (float)dir.x, (float)dir.y, (float)dir.z };
    float t0 = 0.0f, t1 = 1e9f, x[3];
    int i[3];
    if (!clip(g, o, d, &t0, &t1)) {
        return 0.0f;
    }
    if ((double)t1 > ray->far) {
        return -1.0f;
    }
    const float o2[3] = { 0.5f * o[0], 0.5f * o[1], 0.5f * o[2] }, d2[3] = { 0.5f * d[0], 0.5f * d[1], 0.5f * d[2] };
    place(o2, d2, t0, g->m, x, i);
    return read(g->shade, g->m, x, i);
}

static void depth(const ty_trace_ray *ray, int bands, float *tau, void *user)
{
    const tyi_dust_cloud *c = user;
    sample s[SAMPLES];
    int n = 0;
    float total = 0.0f;
    bool sunny = ty_dot(ray->dir, c->sun) > SUNNY;
    for (int i = 0; i < c->grids; i++) {
        float known = sunny && c->grid[i].used ? sunward(&c->grid[i], ray) : -1.0f;
        total += known > 0.0f ? known : 0.0f;
        n = c->grid[i].used && known < 0.0f ? march(&c->grid[i], ray, LIT, s, n) : n;
    }
    for (int i = 0; i < n; i++) {
        total += s[i].tau;
    }
    for (int b = 0; b < bands; b++) {
        tau[b] = total;
    }
}

bool tyi_dust_cloud_medium(tyi_dust_cloud *c, ty_medium *out)
{
    bool any = false;
    for (int i = 0; i < c->grids; i++) {
        any = any || c->grid[i].used;
    }
    *out = any ? (ty_medium){ parts, c, depth } : (ty_medium){ NULL, NULL, NULL };
    return any;
}
