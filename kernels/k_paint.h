/* kernels/k_paint.h - materials that differ from place to place: textures and maps with levels of half the size each,
 * texture coordinates of meshes and spheres, normal maps, regions of the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_PAINT_H
#define TY_K_PAINT_H
#include "k_vec.h"

/* ---- grids of values, read as wide as a pixel sees ---- */

enum ty_k_wrap { TY_K_WRAP_REPEAT = 0, TY_K_WRAP_CLAMP = 1, TY_K_WRAP_MIRROR = 2 };
enum { TY_K_TEXTURE_LEVELS = 16 }; /* at most */

/* A grid and its coarser levels, (w + 1) / 2 by (h + 1) / 2 and so on, in one array of floats: channels side by side,
 * rows and levels one after the other. A flat record of 32-bit numbers: the same on host and device. */
typedef struct ty_k_texture {
    ty_i32 channels, levels;
    ty_i32 wrap[2]; /* enum ty_k_wrap along u and v */
    ty_i32 w, h;    /* [texels] of the finest level */
} ty_k_texture;

typedef struct ty_k_texture_level {
    ty_i32 w, h;
    ty_u32 at; /* where it starts [floats] */
} ty_k_texture_level;

TY_KFN ty_k_texture_level ty_k_texture_find(ty_k_texture m, int level)
{
    ty_k_texture_level at = { m.w, m.h, 0 };
    for (int k = 0; k < level; k++) {
        at.at += (ty_u32)at.w * (ty_u32)at.h * (ty_u32)m.channels;
        at.w = (at.w + 1) / 2, at.h = (at.h + 1) / 2;
    }
    return at;
}

/* index of a texel i outside 0 .. n - 1 */
TY_KFN ty_i32 ty_k_wrapped(ty_i32 i, ty_i32 n, ty_i32 how)
{
    if (how == TY_K_WRAP_REPEAT) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    if (how == TY_K_WRAP_MIRROR) {
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        return i < n ? i : 2 * n - 1 - i;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

typedef struct ty_k_texel_sum {
    ty_real v[4];
    ty_real total; /* [-] weight of what is there */
} ty_k_texel_sum;

/* adds weight times the value between the texels of level k; a texel that is not a number is missing */
TY_KFN void ty_k_texture_add(ty_k_texture m, TY_GLOBAL const float *texel, int k, ty_real x, ty_real y, ty_real weight,
                             ty_k_texel_sum *sum)
{
    ty_k_texture_level l = ty_k_texture_find(m, k);
    ty_real px = x * ((ty_real)l.w / (ty_real)m.w) - TY_R(0.5), py = y * ((ty_real)l.h / (ty_real)m.h) - TY_R(0.5);
    ty_real fx = floor(px), fy = floor(py);
    for (int q = 0; q < 4; q++) {
        ty_i32 i = ty_k_wrapped((ty_i32)fx + (q & 1), l.w, m.wrap[0]);
        ty_i32 j = ty_k_wrapped((ty_i32)fy + (q >> 1), l.h, m.wrap[1]);
        ty_real part = weight * (q & 1 ? px - fx : TY_R(1.0) - (px - fx)) * (q >> 1 ? py - fy : TY_R(1.0) - (py - fy));
        TY_GLOBAL const float *t = texel + l.at + ((ty_u32)j * (ty_u32)l.w + (ty_u32)i) * (ty_u32)m.channels;
        if (!isnan(t[0])) {
            sum->total += part;
            for (int c = 0; c < m.channels; c++) {
                sum->v[c] += part * (ty_real)t[c];
            }
        }
    }
}

/* Values at x, y [texels of level 0, 0.5 is the middle of the first] as seen by a footprint of so many texels: linear
 * between texels and between levels. total at 1e-6 and below: all around is missing and the values mean nothing. */
TY_KFN ty_k_texel_sum ty_k_texture_read(ty_k_texture m, TY_GLOBAL const float *texel, ty_real x, ty_real y,
                                        ty_real footprint)
{
    ty_k_texel_sum sum = { { TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0) }, TY_R(0.0) };
    /* coordinates so far out that floor() says nothing are the caller's mistake or a broken file's: stay in range */
    x = ty_k_clamp(x, TY_R(-1e6), TY_R(1e6)), y = ty_k_clamp(y, TY_R(-1e6), TY_R(1e6));
    ty_real level = ty_k_clamp(log2(ty_k_max(footprint, TY_R(1e-6))), TY_R(0.0), (ty_real)(m.levels - 1));
    int k = (int)level;
    ty_real rest = level - (ty_real)k;
    ty_k_texture_add(m, texel, k, x, y, TY_R(1.0) - rest, &sum);
    if (rest > TY_R(0.0)) {
        ty_k_texture_add(m, texel, k + 1 < m.levels ? k + 1 : k, x, y, rest, &sum);
    }
    for (int c = 0; c < m.channels && sum.total > TY_R(1e-6); c++) {
        sum.v[c] = sum.v[c] / sum.total;
    }
    return sum;
}

/* [-] luminance of linear sRGB   [iec61966] */
TY_KFN ty_real ty_k_luminance(ty_real r, ty_real g, ty_real b)
{
    return TY_R(0.2126) * r + TY_R(0.7152) * g + TY_R(0.0722) * b;
}

/* ---- texture coordinates ---- */

/* of a sphere at unit n: u = 0.5 + longitude / 360 deg, v = 0 at the +z pole */
TY_KFN void ty_k_sphere_uv(ty_k_vec3 n, ty_real *u, ty_real *v)
{
    *u = TY_R(0.5) + atan2(n.y, n.x) / (TY_R(2.0) * TY_K_PI);
    *v = acos(ty_k_clamp(n.z, TY_R(-1.0), TY_R(1.0))) / TY_K_PI;
}
/* [1/m] how much they change per metre on a sphere of this radius [m]: the whole texture on a square as large as the
 * map's, sqrt(1 / (2 pi^2)) */
TY_KFN ty_real ty_k_sphere_density(ty_real radius)
{
    return TY_R(1.0) / (TY_R(4.44) * radius);
}

typedef struct ty_k_uv_edges { /* from the first corner of a triangle to the others */
    ty_k_vec3 e1, e2;          /* [m] */
    ty_real u1, v1, u2, v2;    /* [-] */
} ty_k_uv_edges;

/* u1 v2 - u2 v1: twice the triangle's area in the texture, with its sense */
TY_KFN ty_real ty_k_uv_det(ty_k_uv_edges d)
{
    return d.u1 * d.v2 - d.u2 * d.v1;
}

/* [1/m] how much texture coordinates change per metre on a triangle; 0: it has no area */
TY_KFN ty_real ty_k_uv_density(ty_k_uv_edges d)
{
    ty_real area = ty_k_norm(ty_k_cross(d.e1, d.e2));
    return area > TY_R(0.0) ? sqrt(fabs(ty_k_uv_det(d)) / area) : TY_R(0.0);
}

typedef struct ty_k_uv_axes {
    ty_k_vec3 along, up; /* [-] unit, across the normal: along u, and against v */
    int ok;
} ty_k_uv_axes;

/* Axes across unit n from the directions in which u and v grow, mirrored textures included. */
TY_KFN ty_k_uv_axes ty_k_uv_axes_about(ty_k_vec3 n, ty_k_vec3 along, ty_k_vec3 down)
{
    ty_k_uv_axes a;
    a.up = n, a.along = n, a.ok = 0;
    along = ty_k_sub(along, ty_k_scale(ty_k_dot(along, n), n));
    ty_real size = ty_k_norm(along);
    if (!(size > TY_R(0.0))) {
        return a;
    }
    a.along = ty_k_vec(along.x / size, along.y / size, along.z / size);
    a.up = ty_k_cross(n, a.along);
    a.up = ty_k_scale(ty_k_dot(a.up, down) > TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0), a.up);
    a.ok = 1;
    return a;
}
TY_KFN ty_k_uv_axes ty_k_triangle_axes(ty_k_vec3 n, ty_k_uv_edges d)
{
    ty_real det = ty_k_uv_det(d);
    ty_k_uv_axes none;
    none.along = n, none.up = n, none.ok = 0;
    if (!(fabs(det) > TY_R(0.0))) {
        return none;
    }
    ty_k_vec3 along = ty_k_sub(ty_k_scale(d.v2, d.e1), ty_k_scale(d.v1, d.e2));
    ty_k_vec3 down = ty_k_sub(ty_k_scale(d.u1, d.e2), ty_k_scale(d.u2, d.e1));
    return ty_k_uv_axes_about(n, ty_k_vec(along.x / det, along.y / det, along.z / det),
                              ty_k_vec(down.x / det, down.y / det, down.z / det));
}
TY_KFN ty_k_uv_axes ty_k_sphere_axes(ty_k_vec3 n)
{
    return ty_k_uv_axes_about(n, ty_k_vec(-n.y, n.x, TY_R(0.0)), ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(-1.0)));
}

/* A normal map's colour (0 to 1 for -1 to 1; scale [-] of x and y) in these axes about unit n: unit. */
TY_KFN ty_k_vec3 ty_k_normal_map(ty_k_vec3 n, ty_k_uv_axes a, ty_real r, ty_real g, ty_real b, ty_real scale)
{
    ty_real x = (TY_R(2.0) * r - TY_R(1.0)) * scale, y = (TY_R(2.0) * g - TY_R(1.0)) * scale;
    ty_real z = ty_k_max(TY_R(2.0) * b - TY_R(1.0), TY_R(0.05));
    ty_k_vec3 o = ty_k_add(ty_k_add(ty_k_scale(x, a.along), ty_k_scale(y, a.up)), ty_k_scale(z, n));
    ty_real size = ty_k_norm(o);
    return ty_k_vec(o.x / size, o.y / size, o.z / size);
}

/* ---- dust on objects ---- */

/* [-] share that dust covers where a surface looks along unit n, given that of the six sides -x, +x, -y, +y, -z, +z, all in
 * the object's frame: the side's own where n is its normal, between by the squares of n, whose sum is 1. */
TY_KFN ty_real ty_k_paint_coat(TY_GLOBAL const float *cover, ty_k_vec3 n)
{
    return n.x * n.x * (ty_real)cover[n.x > TY_R(0.0) ? 1 : 0] + n.y * n.y * (ty_real)cover[n.y > TY_R(0.0) ? 3 : 2] +
           n.z * n.z * (ty_real)cover[n.z > TY_R(0.0) ? 5 : 4];
}
/* Of an albedo or a BRDF under that share of dust: grains lie beside each other, so light adds by area. */
TY_KFN ty_real ty_k_paint_dusted(ty_real bare, ty_real dust, ty_real cover)
{
    return bare + cover * (dust - bare);
}

/* ---- parameters of the ground ---- */

enum { TY_K_PAINT_KEYS = 9 }; /* w (or an albedo), b, c, bs0, hs, bc0, hc, theta, phi */

/* A parameter after something with this value lies over it with a share [-]; limited to what the laws take. */
TY_KFN ty_real ty_k_paint(int key, ty_real now, ty_real value, ty_real share)
{
    const ty_real low[TY_K_PAINT_KEYS] = { TY_R(0.0), TY_R(0.0),  TY_R(-1.0), TY_R(0.0), TY_R(1e-4),
                                           TY_R(0.0), TY_R(1e-4), TY_R(0.0),  TY_R(0.0) };
    const ty_real high[TY_K_PAINT_KEYS] = { TY_R(0.9999), TY_R(0.99),  TY_R(1.0),  TY_R(100.0), TY_R(100.0),
                                            TY_R(100.0),  TY_R(100.0), TY_R(1.05), TY_R(0.74) };
    return now + share * (ty_k_clamp(value, low[key], high[key]) - now);
}

/* [m] from a place to the border of a polygon, positive inside: crossings of a ray, and the nearest edge. point: x, y
 * of each corner, as numbers of the working precision, or as floats of a flat scene. */
#define TY_K_POLYGON(name, type)                                                                    \
    TY_KFN ty_real name(TY_GLOBAL const type *point, ty_i32 points, ty_real x, ty_real y)           \
    {                                                                                               \
        int in = 0;                                                                                 \
        ty_real near = TY_R(3e38);                                                                  \
        for (ty_i32 i = 0, j = points - 1; i < points; j = i++) {                                   \
            ty_real ax = (ty_real)point[2 * j], ay = (ty_real)point[2 * j + 1];                     \
            ty_real bx = (ty_real)point[2 * i], by = (ty_real)point[2 * i + 1];                     \
            int across = (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax;         \
            in = in != across;                                                                      \
            ty_real dx = bx - ax, dy = by - ay;                                                     \
            ty_real t = ((x - ax) * dx + (y - ay) * dy) / ty_k_max(dx * dx + dy * dy, TY_R(1e-30)); \
            t = ty_k_clamp(t, TY_R(0.0), TY_R(1.0));                                                \
            near = ty_k_min(near, hypot(x - ax - t * dx, y - ay - t * dy));                         \
        }                                                                                           \
        return in ? near : -near;                                                                   \
    }
TY_K_POLYGON(ty_k_polygon_inside, ty_real)
TY_K_POLYGON(ty_k_corners_inside, float)
TY_KFN ty_real ty_k_circle_inside(ty_real cx, ty_real cy, ty_real radius, ty_real x, ty_real y)
{
    return radius - hypot(x - cx, y - cy);
}

/* [-] share of a region at `inside` [m] from its border: it fades over `edge` [m], half of it inside */
TY_KFN ty_real ty_k_region_share(ty_real inside, ty_real edge)
{
    ty_real half_edge = TY_R(0.5) * edge;
    if (half_edge > TY_R(0.0)) {
        return ty_k_clamp(TY_R(0.5) + TY_R(0.5) * inside / half_edge, TY_R(0.0), TY_R(1.0));
    }
    return inside > TY_R(0.0) ? TY_R(1.0) : TY_R(0.0);
}

#endif
