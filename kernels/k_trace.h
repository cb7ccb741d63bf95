/* kernels/k_trace.h - where rays meet a flat scene (k_scene.h): tiles of ground by pyramids of bounds, meshes by trees
 * of boxes, and one tree, or two, over all that stands somewhere.
 *
 * The surface is the one that the host's tracer has: ground is the two triangles of each cell, tiles reach a twentieth of
 * a cell over their edges. On a device all of it is float.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_TRACE_H
#define TY_K_TRACE_H
#include "k_bvh.h"
#include "k_chart.h"
#include "k_clod.h"
#include "k_cloud.h"
#include "k_hapke.h"
#include "k_ray.h"
#include "k_scene.h"

#ifndef TY_K_BENT
#define TY_K_BENT 1 /* 0: no tile is bent round the Moon, and the code for those is left out */
#endif
#ifndef TY_K_DUST
#define TY_K_DUST 1 /* 0: there is no dust between surfaces, and the code for it is left out */
#endif

#ifndef TY_K_LOOSE
#define TY_K_LOOSE 1 /* 0: there is no loose soil, and the code for it is left out */
#endif

/* The arrays of a scene, as code that traces and shades it sees them. */
typedef struct ty_k_view {
    TY_GLOBAL const ty_k_scene_material *material;
    TY_GLOBAL const ty_k_hapke *hapke; /* prepared: bands of each material; those of other laws mean nothing */
    TY_GLOBAL const float *normal, *uv, *texel, *map_texel, *corner;
    TY_GLOBAL const ty_u32 *which;
    TY_GLOBAL const ty_k_scene_texture *texture;
    TY_GLOBAL const ty_k_scene_map *map;
    TY_GLOBAL const ty_k_scene_region *region;
    TY_GLOBAL const ty_k_scene_light *light;
    TY_GLOBAL const float *tone; /* TY_K_SCENE_TONES of each slot */
    ty_i32 bands, maps, regions, lights;
    TY_GLOBAL const ty_k_scene_mesh *mesh;
    TY_GLOBAL const ty_k_scene_instance *instance;
    TY_GLOBAL const ty_k_scene_tile *tile;
    TY_GLOBAL const float *vertex;
    TY_GLOBAL const ty_u32 *index;
    TY_GLOBAL const float *height;       /* TY_K_SCENE_SAMPLES of each slot */
    TY_GLOBAL const float *bound;        /* TY_K_TILE_BOUNDS numbers of each slot */
    TY_GLOBAL const ty_u32 *curve;       /* of each slot: number of its curve, for tiles that are bent round the Moon */
    TY_GLOBAL const float *curved;       /* TY_K_CURVE numbers of each curve */
    TY_GLOBAL const ty_k_bvh_node *node; /* of all trees */
    TY_GLOBAL const ty_u32 *item;        /* of their leaves */
    TY_GLOBAL const ty_u32 *root;        /* node, per mesh */
    TY_GLOBAL const ty_k_bvh_triangle *triangle; /* of meshes, as items of their leaves */
    ty_u32 things, rocks;                  /* nodes: roots over ground and objects, and over rocks; TY_K_NONE: none */
    ty_u32 rock;                           /* instance number of the first rock */
    ty_real radius;                        /* [m] of the Moon's reference sphere */
    ty_k_vec3 shift;                       /* [m] from the traced frame to the one that the rocks' tree was built in */
    ty_k_cloud_view cloud;                 /* dust between surfaces */
    TY_GLOBAL const ty_k_scene_clod *clod; /* loose soil, in the order of the leaves of a tree of its own */
    TY_GLOBAL const ty_k_bvh_node *clod_node;
    ty_u32 clods;           /* 0: there are none */
    ty_real clod_disturbed; /* [-] ty_k_surface */
} ty_k_view;

#define TY_K_MET_CLOD 0x7ffffffeu /* instance of a hit on a clod, whose number is prim */

typedef struct ty_k_met {
    ty_real t;             /* [m] */
    ty_u32 tile, instance; /* TY_K_NONE: not this */
    ty_u32 prim;           /* triangle of a mesh; of a tile: 64 j + i of the cell */
    ty_real u, v;          /* [-] barycentric; of a tile: in the cell, 0 to 1 */
    ty_k_vec3 facet;       /* [-] geometric normal in the instance's frame, any length; the ground's upwards */
} ty_k_met;
TY_KFN int ty_k_met_any(const ty_k_met *m)
{
    return m->tile != TY_K_NONE || m->instance != TY_K_NONE;
}

/* ---- a tile of ground ---- */

/* bounds of the 2 x 2 cells, 4 x 4, up to 64 x 64: lowest and highest of each */
enum { TY_K_TILE_LEVELS = 6, TY_K_TILE_NODES = 1365, TY_K_TILE_BOUNDS = 2 * 1365 };
enum { TY_K_TILE_START = 4 };        /* level at which rays begin */
#define TY_K_TILE_OVERLAP TY_R(0.05) /* [cells] over the edges */

/* first node of a level, 1 to 6 */
TY_KFN ty_i32 ty_k_tile_level(ty_i32 level)
{
    return (4096 - (1 << (14 - 2 * level))) / 3;
}
/* [cells] where row or column i of the mesh lies */
TY_KFN ty_real ty_k_tile_edge(ty_i32 i)
{
    ty_real out = i == 0 ? -TY_K_TILE_OVERLAP : i == TY_K_SCENE_CELLS ? TY_K_TILE_OVERLAP : TY_R(0.0);
    return (ty_real)i + out;
}
/* [m] height of the mesh at sample i, j; h: sample 0, 0 */
TY_KFN ty_real ty_k_tile_vertex(TY_GLOBAL const float *h, ty_i32 i, ty_i32 j)
{
    TY_GLOBAL const float *at = h + j * TY_K_SCENE_STRIDE + i;
    ty_real z = (ty_real)at[0];
    if (i == 0 || i == TY_K_SCENE_CELLS || j == 0 || j == TY_K_SCENE_CELLS) {
        ty_i32 di = i == 0 ? 1 : i == TY_K_SCENE_CELLS ? -1 : 0;
        ty_i32 dj = j == 0 ? 1 : j == TY_K_SCENE_CELLS ? -1 : 0;
        z = z + TY_K_TILE_OVERLAP * ((z - (ty_real)at[di]) + (z - (ty_real)at[dj * TY_K_SCENE_STRIDE]));
    }
    return z;
}

#define TY_K_SPLINE_NEAR \
    TY_R(0.5) /* [cells] how far along a ray the spline may lie from the triangle that was met; else that holds */

typedef struct ty_k_tile_cell { /* heights of a cell's corners and where it lies */
    ty_real a, b, c, e;         /* [m] at 0 0, 1 0, 0 1, 1 1 */
    ty_real x, y, per_x, per_y; /* [cells] first corner; 1 / width */
} ty_k_tile_cell;

TY_KFN ty_k_tile_cell ty_k_tile_cell_at(TY_GLOBAL const float *h, ty_i32 i, ty_i32 j)
{
    ty_k_tile_cell k;
    if (i > 0 && j > 0 && i < TY_K_SCENE_CELLS - 1 &&
        j < TY_K_SCENE_CELLS - 1) { /* no edge of the tile: the same numbers in less time */
        TY_GLOBAL const float *at = h + j * TY_K_SCENE_STRIDE + i;
        k.a = (ty_real)at[0], k.b = (ty_real)at[1];
        k.c = (ty_real)at[TY_K_SCENE_STRIDE], k.e = (ty_real)at[TY_K_SCENE_STRIDE + 1];
        k.x = (ty_real)i, k.y = (ty_real)j, k.per_x = k.per_y = TY_R(1.0);
        return k;
    }
    k.a = ty_k_tile_vertex(h, i, j), k.b = ty_k_tile_vertex(h, i + 1, j);
    k.c = ty_k_tile_vertex(h, i, j + 1), k.e = ty_k_tile_vertex(h, i + 1, j + 1);
    k.x = ty_k_tile_edge(i), k.y = ty_k_tile_edge(j);
    k.per_x = TY_R(1.0) / (ty_k_tile_edge(i + 1) - k.x), k.per_y = TY_R(1.0) / (ty_k_tile_edge(j + 1) - k.y);
    return k;
}

/* [m] height of the ray over the two triangles, which meet in the diagonal u + v = 1 */
TY_KFN ty_real ty_k_tile_gap(ty_k_tile_cell k, ty_real z, ty_real u, ty_real v)
{
    ty_real low = k.a + u * (k.b - k.a) + v * (k.c - k.a);
    ty_real high = k.e + (TY_R(1.0) - u) * (k.c - k.e) + (TY_R(1.0) - v) * (k.b - k.e);
    return z - (u + v <= TY_R(1.0) ? low : high);
}

typedef struct ty_k_tile_hit {
    ty_real t, u, v;
    ty_i32 i, j, upper; /* cell; its second triangle */
} ty_k_tile_hit;

/* A crossing in one cell between ta and tb, where the gap over a triangle runs straight; *side is the side of the
 * surface that the ray came in on, 0: not known yet. */
TY_KFN int ty_k_tile_cross(ty_k_tile_cell k, ty_k_line r, ty_real ta, ty_real tb, ty_real *side, ty_k_tile_hit *hit)
{
    ty_real ua = (r.px + ta * r.dx - k.x) * k.per_x, va = (r.py + ta * r.dy - k.y) * k.per_y;
    ty_real ub = (r.px + tb * r.dx - k.x) * k.per_x, vb = (r.py + tb * r.dy - k.y) * k.per_y;
    ty_real fa = ty_k_tile_gap(k, r.pz + ta * r.dz, ua, va), fb = ty_k_tile_gap(k, r.pz + tb * r.dz, ub, vb);
    ty_real sa = ua + va, sb = ub + vb;
    if (*side == TY_R(0.0)) {
        *side = fa >= TY_R(0.0) ? TY_R(1.0) : TY_R(-1.0);
    }
    ty_real t = ta, s = *side;
    int met = s * fa<TY_R(0.0), upper = sa> TY_R(1.0); /* below at once: it slipped in at the cell's border */
    if (!met && (sa <= TY_R(1.0)) != (sb <= TY_R(1.0))) {
        ty_real part = ty_k_clamp((TY_R(1.0) - sa) / (sb - sa), TY_R(0.0), TY_R(1.0)), tm = ta + part * (tb - ta);
        ty_real w = ty_k_clamp(ua + part * (ub - ua), TY_R(0.0), TY_R(1.0));
        ty_real fm = r.pz + tm * r.dz - (w * k.b + (TY_R(1.0) - w) * k.c);
        if (s * fm < TY_R(0.0)) {
            t = ta + (tm - ta) * (fa / (fa - fm));
            met = 1;
        } else {
            ta = tm, fa = fm, t = tm, upper = !upper;
        }
    }
    if (!met && s * fb < TY_R(0.0)) {
        t = ta + (tb - ta) * (fa / (fa - fb));
        met = 1;
    }
    if (met) {
        hit->t = t;
        hit->u = ty_k_clamp((r.px + t * r.dx - k.x) * k.per_x, TY_R(0.0), TY_R(1.0));
        hit->v = ty_k_clamp((r.py + t * r.dy - k.y) * k.per_y, TY_R(0.0), TY_R(1.0));
        hit->upper = upper;
    }
    return met;
}

/* First crossing with a tile between t0 and t1 [m]. r: cells from its first sample, metres over its height 0; h: sample
 * 0, 0; bound: of its slot. Nodes are left for the next one, or for their parent's next, without a stack (k_ray.h). */
TY_KFN int ty_k_tile_ray(TY_GLOBAL const float *h, TY_GLOBAL const float *bound, ty_k_line r, ty_real t0, ty_real t1,
                         ty_k_tile_hit *hit)
{
    const ty_real far = TY_R(1e30);
    ty_real idx = fabs(r.dx) > TY_R(1e-20) ? TY_R(1.0) / r.dx : r.dx < TY_R(0.0) ? -far : far;
    ty_real idy = fabs(r.dy) > TY_R(1e-20) ? TY_R(1.0) / r.dy : r.dy < TY_R(0.0) ? -far : far;
    const ty_real low = ty_k_tile_edge(0), high = ty_k_tile_edge(TY_K_SCENE_CELLS);
    ty_real xa = (low - r.px) * idx, xb = (high - r.px) * idx, ya = (low - r.py) * idy, yb = (high - r.py) * idy;
    t0 = ty_k_max(t0, ty_k_max(ty_k_min(xa, xb), ty_k_min(ya, yb)));
    t1 = ty_k_min(t1, ty_k_min(ty_k_max(xa, xb), ty_k_max(ya, yb)));
    if (!(t0 <= t1)) {
        return 0;
    }
    const ty_real last = (ty_real)(TY_K_SCENE_CELLS - 1);
    ty_i32 level = TY_K_TILE_START, sx = idx > TY_R(0.0), sy = idy > TY_R(0.0);
    ty_i32 x = (ty_i32)ty_k_clamp(r.px + t0 * r.dx, TY_R(0.0), last) >> level;
    ty_i32 y = (ty_i32)ty_k_clamp(r.py + t0 * r.dy, TY_R(0.0), last) >> level;
    ty_real t = t0, side = TY_R(0.0);
    for (ty_i32 guard = 0; guard < 2048; guard++) {
        ty_real tx = (ty_k_tile_edge((x + sx) << level) - r.px) * idx;
        ty_real ty = (ty_k_tile_edge((y + sy) << level) - r.py) * idy;
        ty_real te = ty_k_max(ty_k_min(ty_k_min(tx, ty), t1), t);
        ty_real za = r.pz + t * r.dz, zb = r.pz + te * r.dz, zl = ty_k_min(za, zb), zh = ty_k_max(za, zb);
        if (level > 0) {
            ty_i32 n = 2 * (ty_k_tile_level(level) + (y << (TY_K_TILE_LEVELS - level)) + x);
            ty_real lo = (ty_real)bound[n], hi = (ty_real)bound[n + 1];
            if (zl <= hi && zh >= lo) { /* into the child where the ray is */
                level--;
                x = 2 * x + (r.px + t * r.dx >= (ty_real)((2 * x + 1) << level));
                y = 2 * y + (r.py + t * r.dy >= (ty_real)((2 * y + 1) << level));
                continue;
            }
            ty_real now = zl > hi ? TY_R(1.0) : TY_R(-1.0);
            if (side * now < TY_R(0.0)) { /* it slipped through at a border */
                hit->i = (ty_i32)ty_k_clamp(r.px + t * r.dx, TY_R(0.0), last);
                hit->j = (ty_i32)ty_k_clamp(r.py + t * r.dy, TY_R(0.0), last);
                side = -now;
                return ty_k_tile_cross(ty_k_tile_cell_at(h, hit->i, hit->j), r, t, te, &side, hit);
            }
            side = now;
        } else {
            ty_k_tile_cell k = ty_k_tile_cell_at(h, x, y);
            if (ty_k_tile_cross(k, r, t, te, &side, hit)) {
                hit->i = x, hit->j = y;
                return 1;
            }
        }
        if (te >= t1) {
            return 0;
        }
        ty_i32 cross_x = tx < ty;
        x += cross_x ? 2 * sx - 1 : 0;
        y += cross_x ? 0 : 2 * sy - 1;
        if (x < 0 || y < 0 || (x << level) >= TY_K_SCENE_CELLS || (y << level) >= TY_K_SCENE_CELLS) {
            return 0;
        }
        ty_i32 up = (cross_x ? (x & 1) == 1 - sx : (y & 1) == 1 - sy) & (level < TY_K_TILE_START);
        x >>= up, y >>= up, level += up;
        t = te;
    }
    return 0;
}

/* upward normal of the triangle that was met, any length; d [m] spacing */
TY_KFN ty_k_vec3 ty_k_tile_facet(TY_GLOBAL const float *h, ty_k_tile_hit m, ty_real d)
{
    ty_k_tile_cell k = ty_k_tile_cell_at(h, m.i, m.j);
    ty_real zx = m.upper ? k.e - k.c : k.b - k.a, zy = m.upper ? k.e - k.b : k.c - k.a;
    return ty_k_vec(-zx * k.per_x, -zy * k.per_y, d);
}

/* A hit once more, from the ray and the triangle alone: tracers round on their way to it, each in its own manner, and where light goes next turns by much more than that. So host
 * and device go on from the same place, to the last bit. What is not nearly the same place stays as it was. */
TY_KFN void ty_k_tile_settle(TY_GLOBAL const float *h, ty_k_line r, ty_k_tile_hit *m)
{
    ty_k_tile_cell k = ty_k_tile_cell_at(h, m->i, m->j);
    ty_real one = m->upper ? TY_R(1.0) : TY_R(0.0), corner = m->upper ? k.e : k.a;
    ty_real zu = m->upper ? k.e - k.c : k.b - k.a, zv = m->upper ? k.e - k.b : k.c - k.a;
    ty_real per = TY_R(-1.0) / (r.dz - (zu * (r.dx * k.per_x) + zv * (r.dy * k.per_y)));
    ty_real t = TY_R(0.0), u = TY_R(0.0), v = TY_R(0.0);
    for (int step = 0; step < 3; step++) { /* there, then by what rounding left; the last one for u and v */
        u = (r.px + t * r.dx - k.x) * k.per_x, v = (r.py + t * r.dy - k.y) * k.per_y;
        ty_real gap = r.pz + t * r.dz - (corner + (u - one) * zu + (v - one) * zv);
        t += step < 2 ? gap * per : TY_R(0.0);
    }
    if (t >= TY_R(0.0) && fabs(t - m->t) <= TY_R(1e-3) * (TY_R(1.0) + m->t)) {
        m->t = t;
        m->u = ty_k_clamp(u, TY_R(0.0), TY_R(1.0)), m->v = ty_k_clamp(v, TY_R(0.0), TY_R(1.0));
    }
}

/* bounds of node x, y of a level: of level 1 from the heights, above it from the level below */
TY_KFN void ty_k_tile_bound(TY_GLOBAL const float *h, TY_GLOBAL float *bound, ty_i32 level, ty_i32 x, ty_i32 y)
{
    float lo = 3e38f, hi = -3e38f;
    if (level == 1) {
        for (ty_i32 k = 0; k < 9; k++) {
            float z = (float)ty_k_tile_vertex(h, 2 * x + k % 3, 2 * y + k / 3);
            lo = z < lo ? z : lo, hi = z > hi ? z : hi;
        }
    } else {
        TY_GLOBAL const float *below = bound + 2 * ty_k_tile_level(level - 1);
        for (ty_i32 k = 0; k < 4; k++) {
            ty_i32 n = 2 * (((2 * y + (k >> 1)) << (TY_K_TILE_LEVELS - level + 1)) + 2 * x + (k & 1));
            lo = below[n] < lo ? below[n] : lo, hi = below[n + 1] > hi ? below[n + 1] : hi;
        }
    }
    ty_i32 n = 2 * (ty_k_tile_level(level) + (y << (TY_K_TILE_LEVELS - level)) + x);
    bound[n] = lo, bound[n + 1] = hi;
}

/* ---- a tile that is bent round the Moon ---- */

/* 65 x 65 points relative to the tile's place, as the mesh has them, then boxes of the levels' nodes */
enum { TY_K_CURVE_POINTS = 3 * 65 * 65, TY_K_CURVE = 3 * 65 * 65 + 6 * 1365 };

TY_KFN ty_k_vec3 ty_k_load3(TY_GLOBAL const float *v)
{
    return ty_k_vec((ty_real)v[0], (ty_real)v[1], (ty_real)v[2]);
}

/* whether a ray meets a box of six numbers within far */
TY_KFN int ty_k_curve_enters(TY_GLOBAL const float *b, ty_k_bvh_ray r, ty_real far)
{
    ty_real ax = ((ty_real)b[0] - r.o.x) * r.inv.x, bx = ((ty_real)b[3] - r.o.x) * r.inv.x;
    ty_real ay = ((ty_real)b[1] - r.o.y) * r.inv.y, by = ((ty_real)b[4] - r.o.y) * r.inv.y;
    ty_real az = ((ty_real)b[2] - r.o.z) * r.inv.z, bz = ((ty_real)b[5] - r.o.z) * r.inv.z;
    ty_real in = ty_k_max(ty_k_max(ty_k_min(ax, bx), ty_k_min(ay, by)), ty_k_max(ty_k_min(az, bz), TY_R(0.0)));
    ty_real out = ty_k_min(ty_k_min(ty_k_max(ax, bx), ty_k_max(ay, by)), ty_k_min(ty_k_max(az, bz), far));
    return in <= out * TY_K_BVH_SLACK;
}

/* the two triangles of a cell; a nearer hit goes into m */
TY_KFN int ty_k_curve_cell(TY_GLOBAL const float *point, ty_i32 i, ty_i32 j, ty_k_vec3 o, ty_k_vec3 d, ty_k_met *m)
{
    TY_GLOBAL const float *at = point + 3 * (65 * j + i);
    ty_k_vec3 a = ty_k_load3(at), b = ty_k_load3(at + 3), c = ty_k_load3(at + 3 * 65), e = ty_k_load3(at + 3 * 66);
    ty_real u, v;
    int met = 0;
    if (ty_k_meet_triangle(o, d, a, b, c, &m->t, &u, &v)) {
        m->u = u, m->v = v, met = 1;
        m->facet = ty_k_cross(ty_k_sub(b, a), ty_k_sub(c, a));
    }
    if (ty_k_meet_triangle(o, d, b, e, c, &m->t, &u, &v)) {
        m->u = TY_R(1.0) - v, m->v = u + v, met = 1;
        m->facet = ty_k_cross(ty_k_sub(e, b), ty_k_sub(c, b));
    }
    m->prim = met ? (ty_u32)(TY_K_SCENE_CELLS * j + i) : m->prim;
    return met;
}

/* First hit with such a tile nearer than m->t; curve: its numbers; o: relative to its place. Nodes of the four-fold tree in the order in which
 * the ray comes to them, without a stack: x, y count from the side that the ray comes from, and the last of four goes back to the node above. */
TY_KFN int ty_k_curve_ray(TY_GLOBAL const float *curve, ty_k_vec3 o, ty_k_vec3 d, int any, ty_k_met *m)
{
    TY_GLOBAL const float *box = curve + TY_K_CURVE_POINTS;
    ty_k_bvh_ray r = ty_k_bvh_ray_make(o, d);
    ty_i32 from_x = d.x > TY_R(0.0) ? 0 : TY_K_SCENE_CELLS - 1, from_y = d.y > TY_R(0.0) ? 0 : TY_K_SCENE_CELLS - 1;
    ty_i32 level = TY_K_TILE_LEVELS, x = 0, y = 0;
    int met = 0;
    for (;;) {
        ty_i32 i = x ^ from_x >> level, j = y ^ from_y >> level;
        if (level == 0) {
            met |= ty_k_curve_cell(curve, i, j, o, d, m);
            if (met && any) {
                return 1;
            }
        } else if (ty_k_curve_enters(box + 6 * (ty_k_tile_level(level) + (j << (TY_K_TILE_LEVELS - level)) + i), r,
                                     m->t)) {
            level--, x *= 2, y *= 2;
            continue;
        }
        while (x & y & 1) {
            x >>= 1, y >>= 1, level++;
        }
        if (level == TY_K_TILE_LEVELS) {
            return met;
        }
        y ^= x & 1, x ^= 1; /* 0 0, 1 0, 0 1, 1 1 */
    }
}

/* unit normal of its surface at x, y [cells], height z [m] and slopes [m per cell] of its heights */
TY_KFN ty_k_vec3 ty_k_curve_normal(ty_real radius, TY_GLOBAL const ty_k_scene_tile *k, ty_real x, ty_real y,
                                   ty_k_ground g)
{
    ty_real d = (ty_real)k->d;
    ty_k_chart c = ty_k_chart_at(radius, ((ty_real)k->x * (ty_real)TY_K_SCENE_CELLS + x) * d,
                                 ((ty_real)k->y * (ty_real)TY_K_SCENE_CELLS + y) * d, (ty_real)k->z0 + g.z);
    ty_k_vec3 px = ty_k_add(ty_k_scale(d, c.px), ty_k_scale(g.zx, c.pz));
    ty_k_vec3 py = ty_k_add(ty_k_scale(d, c.py), ty_k_scale(g.zy, c.pz));
    return ty_k_unit(ty_k_cross(px, py));
}

/* ---- instances ---- */

typedef struct ty_k_seat { /* where an instance stands */
    ty_real w;
    ty_k_vec3 q, p; /* attitude: scalar w, vector q; place */
} ty_k_seat;

TY_KFN ty_k_vec3 ty_k_seat_turn(ty_k_seat s, ty_real sign, ty_k_vec3 v)
{
    ty_k_vec3 a = ty_k_scale(sign, s.q), t = ty_k_scale(TY_R(2.0), ty_k_cross(a, v));
    return ty_k_add(ty_k_add(v, ty_k_scale(s.w, t)), ty_k_cross(a, t));
}

/* Weights of two attitudes on the sphere between them, the shorter way, at u in [0, 1]; c: their product as vectors. The
 * sum is not of unit length where they are close. */
TY_KFN void ty_k_slerp_weights(ty_real c, ty_real u, ty_real *wa, ty_real *wb)
{
    ty_real sign = c < TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0);
    c = ty_k_min(c * sign, TY_R(1.0));
    *wa = TY_R(1.0) - u, *wb = u;
    if (c < TY_R(1.0) - TY_R(1e-5)) {
        ty_real angle = acos(c), per = TY_R(1.0) / sin(angle);
        *wa = per * sin((TY_R(1.0) - u) * angle), *wb = per * sin(u * angle);
    }
    *wb *= sign;
}

/* at a time of the window, 0 to 1: straight, and on the sphere the shorter way */
TY_KFN ty_k_seat ty_k_seat_at(TY_GLOBAL const ty_k_scene_instance *k, ty_real time)
{
    ty_k_seat s;
    ty_real wa = TY_R(1.0), wb = TY_R(0.0);
    if (k->flags & TY_K_SCENE_MOVING) {
        ty_real c = (ty_real)(k->q[0][0] * k->q[1][0] + k->q[0][1] * k->q[1][1] + k->q[0][2] * k->q[1][2] +
                              k->q[0][3] * k->q[1][3]);
        ty_k_slerp_weights(c, time, &wa, &wb);
    }
    s.w = wa * (ty_real)k->q[0][0] + wb * (ty_real)k->q[1][0];
    s.q = ty_k_vec(wa * (ty_real)k->q[0][1] + wb * (ty_real)k->q[1][1],
                   wa * (ty_real)k->q[0][2] + wb * (ty_real)k->q[1][2],
                   wa * (ty_real)k->q[0][3] + wb * (ty_real)k->q[1][3]);
    ty_real size = TY_R(1.0) / sqrt(s.w * s.w + ty_k_dot(s.q, s.q));
    s.w *= size, s.q = ty_k_scale(size, s.q);
    ty_k_vec3 a = ty_k_vec((ty_real)k->p[0][0], (ty_real)k->p[0][1], (ty_real)k->p[0][2]);
    ty_k_vec3 b = ty_k_vec((ty_real)k->p[1][0], (ty_real)k->p[1][1], (ty_real)k->p[1][2]);
    s.p = k->flags & TY_K_SCENE_MOVING ? ty_k_add(a, ty_k_scale(time, ty_k_sub(b, a))) : a;
    return s;
}

/* The nearest triangle of a mesh nearer than m->t; any: whichever comes first. */
TY_KFN int ty_k_mesh_ray(const ty_k_view *s, ty_u32 number, ty_k_vec3 o, ty_k_vec3 d, int any, ty_k_met *m)
{
    ty_k_bvh_ray r = ty_k_bvh_ray_make(o, d);
    ty_u32 stack[TY_K_BVH_STACK];
    int top = 0, met = 0;
    ty_k_bvh_node root = s->node[s->root[number]];
    ty_u32 at = ty_k_bvh_rest(root);
    if (!(ty_k_bvh_enter(root, r, m->t) <= m->t)) {
        return 0;
    }
    for (;;) {
        while ((at & TY_K_BVH_COUNT) == 0) { /* down to a leaf, as ty_k_scene_ray() does */
            ty_u32 child = at >> TY_K_BVH_COUNT_BITS;
            ty_k_bvh_node left = s->node[child], right = s->node[child + 1];
            ty_real a = ty_k_bvh_enter(left, r, m->t), b = ty_k_bvh_enter(right, r, m->t);
            ty_u32 below = ty_k_bvh_rest(left), beside = ty_k_bvh_rest(right);
            if (ty_k_max(a, b) <= m->t && top < TY_K_BVH_STACK) {
                stack[top++] = b < a ? below : beside;
            }
            if (ty_k_min(a, b) <= m->t) {
                at = b < a ? beside : below;
            } else if (top > 0) {
                at = stack[--top];
            } else {
                return met;
            }
        }
        ty_u32 first = at >> TY_K_BVH_COUNT_BITS, count = at & TY_K_BVH_COUNT;
        for (ty_u32 k = 0; k < count; k++) {
            ty_k_bvh_triangle t = s->triangle[first + k];
            ty_k_vec3 a = ty_k_vec((ty_real)t.a[0], (ty_real)t.a[1], (ty_real)t.a[2]);
            ty_k_vec3 b = ty_k_vec((ty_real)t.b[0], (ty_real)t.b[1], (ty_real)t.b[2]);
            ty_k_vec3 c = ty_k_vec((ty_real)t.c[0], (ty_real)t.c[1], (ty_real)t.c[2]);
            if (ty_k_meet_triangle(o, d, a, b, c, &m->t, &m->u, &m->v)) {
                m->prim = t.prim;
                m->facet = ty_k_cross(ty_k_sub(b, a), ty_k_sub(c, a));
                met = 1;
                if (any) {
                    return 1;
                }
            }
        }
        if (top == 0) {
            return met;
        }
        at = stack[--top];
    }
}

/* The nearest clod nearer than m->t; any: whichever comes first. (The walk is ty_k_mesh_ray()'s, written out: a function for both changes the code of scenes without clods, 16018 instead of
 * 16003 lines of PTX by clang 14, whose speed on a GPU was measured as it is.) */
TY_KFN int ty_k_clods_ray(const ty_k_view *s, ty_k_vec3 o, ty_k_vec3 d, int any, ty_k_met *m)
{
    ty_k_bvh_ray r = ty_k_bvh_ray_make(o, d);
    ty_u32 stack[TY_K_BVH_STACK];
    int top = 0, met = 0;
    ty_u32 at = ty_k_bvh_rest(s->clod_node[0]);
    for (;;) {
        while ((at & TY_K_BVH_COUNT) == 0) { /* down to a leaf, as ty_k_scene_ray() does */
            ty_u32 child = at >> TY_K_BVH_COUNT_BITS;
            ty_k_bvh_node left = s->clod_node[child], right = s->clod_node[child + 1];
            ty_real a = ty_k_bvh_enter(left, r, m->t), b = ty_k_bvh_enter(right, r, m->t);
            ty_u32 below = ty_k_bvh_rest(left), beside = ty_k_bvh_rest(right);
            if (ty_k_max(a, b) <= m->t && top < TY_K_BVH_STACK) {
                stack[top++] = b < a ? below : beside;
            }
            if (ty_k_min(a, b) <= m->t) {
                at = b < a ? beside : below;
            } else if (top > 0) {
                at = stack[--top];
            } else {
                return met;
            }
        }
        ty_u32 first = at >> TY_K_BVH_COUNT_BITS, count = at & TY_K_BVH_COUNT;
        for (ty_u32 k = 0; k < count; k++) {
            TY_GLOBAL const ty_k_scene_clod *c = &s->clod[first + k];
            ty_k_clod clod;
            clod.p = ty_k_load3(c->p), clod.r = (ty_real)c->r, clod.seed = c->seed;
            ty_k_clod_hit hit = ty_k_clod_ray(clod, o, d);
            if (hit.t > TY_R(0.0) && hit.t < m->t) {
                m->t = hit.t, m->facet = hit.n, m->prim = first + k;
                m->tile = TY_K_NONE, m->instance = TY_K_MET_CLOD;
                met = 1;
                if (any) {
                    return 1;
                }
            }
        }
        if (top == 0) {
            return met;
        }
        at = stack[--top];
    }
}

/* a ray as a tile has it: cells from its first sample, metres over its height 0 */
TY_KFN ty_k_line ty_k_tile_line(TY_GLOBAL const ty_k_scene_tile *k, ty_k_vec3 o, ty_k_vec3 d)
{
    ty_real per = TY_R(1.0) / (ty_real)k->d;
    ty_k_vec3 from = ty_k_sub(o, ty_k_load3(k->p));
    ty_k_line r = { from.x * per, from.y * per, from.z, d.x * per, d.y * per, d.z };
    return r;
}

#define TY_K_ITEM_INSTANCE \
    0x80000000u /* items of a tree over the scene: an instance, counted from `first`; else a tile */

/* a ray in the frame of an instance's mesh, along which distances are the same */
TY_KFN void ty_k_seat_ray(TY_GLOBAL const ty_k_scene_instance *k, ty_real time, ty_k_vec3 *o, ty_k_vec3 *d)
{
    ty_k_seat seat = ty_k_seat_at(k, time);
    ty_real per = TY_R(1.0) / (ty_real)k->scale;
    *o = ty_k_scale(per, ty_k_seat_turn(seat, TY_R(-1.0), ty_k_sub(*o, seat.p)));
    *d = ty_k_scale(per, ty_k_seat_turn(seat, TY_R(-1.0), *d));
}

/* one item of a tree over the scene; a nearer hit goes into m */
TY_KFN int ty_k_item_ray(const ty_k_view *s, ty_u32 item, ty_u32 first, ty_k_vec3 o, ty_k_vec3 d, ty_real time, int any,
                         ty_k_met *m)
{
    if (item < TY_K_ITEM_INSTANCE) {
        TY_GLOBAL const ty_k_scene_tile *k = &s->tile[item];
        TY_GLOBAL const float *h = s->height + k->slot * (ty_u32)TY_K_SCENE_SAMPLES + TY_K_SCENE_STRIDE + 1;
        if (TY_K_BENT && k->flags & TY_K_SCENE_CURVED) {
            ty_k_vec3 from = ty_k_sub(o, ty_k_load3(k->p));
            if (!ty_k_curve_ray(s->curved + s->curve[k->slot] * (ty_u32)TY_K_CURVE, from, d, any, m)) {
                return 0;
            }
            m->tile = item, m->instance = TY_K_NONE;
            return 1;
        }
        ty_k_line r = ty_k_tile_line(k, o, d);
        ty_k_tile_hit hit;
        if (!ty_k_tile_ray(h, s->bound + k->slot * (ty_u32)TY_K_TILE_BOUNDS, r, TY_R(0.0), m->t, &hit)) {
            return 0;
        }
        m->t = hit.t, m->u = hit.u, m->v = hit.v;
        m->tile = item, m->instance = TY_K_NONE;
        m->prim = (ty_u32)(TY_K_SCENE_CELLS * hit.j + hit.i);
        m->facet = ty_k_tile_facet(h, hit, (ty_real)k->d);
        return 1;
    }
    item = item - TY_K_ITEM_INSTANCE + first;
    TY_GLOBAL const ty_k_scene_instance *k = &s->instance[item];
    TY_GLOBAL const ty_k_scene_mesh *mesh = &s->mesh[k->mesh];
    ty_k_seat_ray(k, time, &o, &d);
    if (mesh->triangles == 0) { /* its scale is 1 */
        if (!ty_k_meet_sphere(o, d, (ty_real)mesh->radius, &m->t)) {
            return 0;
        }
        m->facet = ty_k_add(o, ty_k_scale(m->t, d));
        m->u = m->v = TY_R(0.0), m->prim = 0;
    } else if (!ty_k_mesh_ray(s, k->mesh, o, d, any, m)) {
        return 0;
    }
    m->tile = TY_K_NONE, m->instance = item;
    return 1;
}

/* What a ray from o along unit d meets first within far [m]; tile and instance TY_K_NONE: nothing. any: whatever is met
 * first of all, for rays that only ask whether something is in the way. */
TY_KFN ty_k_met ty_k_scene_ray(const ty_k_view *s, ty_k_vec3 o, ty_k_vec3 d, ty_real time, ty_real far, int any)
{
    ty_k_met m;
    m.t = far, m.tile = m.instance = TY_K_NONE, m.prim = 0, m.u = m.v = TY_R(0.0);
    m.facet = ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(1.0));
    ty_u32 stack[TY_K_BVH_STACK];
    ty_k_bvh_ray r = ty_k_bvh_ray_make(o, d);
    int top = 0, trees = 2; /* that are left */
    ty_u32 at = TY_K_NONE, first = 0u;
    for (;;) {
        while (at == TY_K_NONE) { /* the next node that waits, or the next tree */
            if (top > 0) {
                at = stack[--top];
            } else if (trees == 2) {
                trees = 1, at = s->things != TY_K_NONE ? ty_k_bvh_rest(s->node[s->things]) : TY_K_NONE;
            } else if (trees == 1) {
                trees = 0, at = s->rocks != TY_K_NONE ? ty_k_bvh_rest(s->node[s->rocks]) : TY_K_NONE;
                first = s->rock;
                r.o = ty_k_add(o, s->shift);
            } else {
                if (TY_K_LOOSE && s->clods > 0u) {
                    ty_k_clods_ray(s, o, d, any, &m);
                }
                return m;
            }
        }
        while ((at & TY_K_BVH_COUNT) ==
               0) { /* down to a leaf: lanes that go together find theirs before any of them looks into one */
            ty_u32 child = at >> TY_K_BVH_COUNT_BITS;
            ty_k_bvh_node left = s->node[child], right = s->node[child + 1];
            ty_real a = ty_k_bvh_enter(left, r, m.t), b = ty_k_bvh_enter(right, r, m.t);
            ty_u32 below = ty_k_bvh_rest(left), beside = ty_k_bvh_rest(right);
            if (ty_k_max(a, b) <= m.t && top < TY_K_BVH_STACK) {
                stack[top++] = b < a ? below : beside;
            }
            if (ty_k_min(a, b) <= m.t) {
                at = b < a ? beside : below;
            } else if (top > 0) {
                at = stack[--top];
            } else {
                at = TY_K_NONE;
                break;
            }
        }
        if (at == TY_K_NONE) {
            continue;
        }
        ty_u32 item = at >> TY_K_BVH_COUNT_BITS, items = at & TY_K_BVH_COUNT;
        at = TY_K_NONE;
        for (ty_u32 k = 0; k < items; k++) {
            if (ty_k_item_ray(s, s->item[item + k], first, o, d, time, any, &m) && any) {
                return m;
            }
        }
    }
}

#endif
