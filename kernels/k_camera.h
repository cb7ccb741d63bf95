/* kernels/k_camera.h - where a point appears in an image, and which ray a pixel sees.
 *
 * Two families, one struct:
 *   hfov family  pinhole, fisheye, spherical, fov, brown: camera axes x right, y down, z forward,
 *                centre of projection at the origin. u runs from 0 at the left edge to width at the
 *                right one, v from 0 at the top to height at the bottom; the axis meets the middle.
 *   CAHV family  cahv, cahvor, cahvore: in the frame of the model's own vectors; calibrations put
 *                the centre of pixel 0 at 0, not at 0.5 (ty_k_camera_first).
 * ok = 0: the model has no answer there (behind the lens, outside its range, no convergence).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_CAMERA_H
#define TY_K_CAMERA_H
#include "k_math.h"
#include "k_vec.h"

enum ty_k_camera_kind {
    TY_K_PINHOLE = 0,
    TY_K_FISHEYE = 1,   /* equidistant: radius proportional to the angle off the axis */
    TY_K_SPHERICAL = 2, /* equirectangular: u and v proportional to longitude and latitude */
    TY_K_FOV = 3,
    TY_K_BROWN = 4,
    TY_K_CAHV = 5,
    TY_K_CAHVOR = 6,
    TY_K_CAHVORE = 7,
    TY_K_OWN_LENS = 8 /* and up: of a program's own */
};

typedef struct ty_k_camera {
    int kind;                   /* enum ty_k_camera_kind */
    ty_real mid_u, mid_v;       /* [px] where the axis meets the image */
    ty_real focal;              /* [px], fisheye and spherical [px/rad] */
    ty_real squeeze;            /* [-] fov: tan w / tan(tan w), w half the horizontal field of view */
    ty_real k1, k2, k3, p1, p2; /* [-] brown */
    ty_k_vec3 c;                /* [m] CAHV family */
    ty_k_vec3 a, h, v, o;       /* [-] a and o about unit, used as given; h and v [px] */
    ty_k_vec3 r, e;             /* [-] radial terms; [m] entrance-pupil terms */
    ty_real linearity;          /* [-] cahvore: 1 perspective (type 1), 0 fisheye (type 2), mparm (type 3) */
} ty_k_camera;

typedef struct ty_k_pixel {
    ty_real u, v; /* [px] */
    int ok;
} ty_k_pixel;

typedef struct ty_k_ray {
    ty_k_vec3 o, d; /* [m] origin; [-] direction, unit (cahvore: as far as its O is) */
    int ok;
} ty_k_ray;

#ifdef TY_KERNEL_FLOAT
#define TY_K_CAMERA_EPS TY_R(1e-6)
#else
#define TY_K_CAMERA_EPS TY_R(1e-13)
#endif

/* An hfov-family camera without distortion; brown's coefficients are set afterwards. width, height
 * [px], hfov [rad] across the width. Perspective: f = w / (2 tan(hfov/2))   [lunar] (2) */
TY_KFN ty_k_camera ty_k_camera_make(int kind, ty_real width, ty_real height, ty_real hfov)
{
    ty_k_vec3 none = { TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    ty_k_camera m;
    m.kind = kind;
    m.mid_u = TY_R(0.5) * width;
    m.mid_v = TY_R(0.5) * height;
    ty_real tan_w = tan(TY_R(0.5) * hfov);
    m.focal = kind == TY_K_FISHEYE || kind == TY_K_SPHERICAL ? width / hfov : TY_R(0.5) * width / tan_w;
    m.squeeze = tan_w / tan(tan_w);
    m.k1 = m.k2 = m.k3 = m.p1 = m.p2 = m.linearity = TY_R(0.0);
    m.c = m.a = m.h = m.v = m.o = m.r = m.e = none;
    return m;
}

/* [px] u and v of the centre of pixel 0 */
TY_KFN ty_real ty_k_camera_first(int kind)
{
    return kind < TY_K_CAHV || kind >= TY_K_OWN_LENS ? TY_R(0.5) : TY_R(0.0);
}

/* ---- field-of-view lens ---- */

/* [csens] (1), (2): a pixel at radius r1 (1 at the edge of the width) sees what a pinhole of the
 * same hfov shows at r2/s, r2 = tan(r1 tan w)/tan w, s = tan(tan w)/tan w, w half the field of
 * view. With r = r1 tan w, the pixel's own pinhole tangent, the tangent off the axis is
 *     tan(r) tan w / tan(tan w) = tan(r) squeeze
 * Needs tan w < pi/2, hfov below 115 deg, and r < pi/2. */
TY_KFN ty_real ty_k_fov_tangent(ty_real r, ty_real squeeze)
{
    ty_real s, c;
    ty_k_sincos(r, &s, &c);
    return s / c * squeeze;
}
TY_KFN ty_real ty_k_fov_radius(ty_real tangent, ty_real squeeze)
{
    return atan(tangent / squeeze);
}

/* ---- radial-tangential lens ---- */

typedef struct ty_k_brown_step {
    ty_real x, y;       /* [-] distorted tangents */
    ty_real xx, xy, yy; /* [-] Jacobian, symmetric */
} ty_k_brown_step;

/* [brown1966] in the customary form; tangents x, y off the axis, q = x^2 + y^2:
 *     R = 1 + k1 q + k2 q^2 + k3 q^3
 *     x' = x R + 2 p1 x y + p2 (q + 2 x^2),   y' = y R + p1 (q + 2 y^2) + 2 p2 x y */
TY_KFN ty_k_brown_step ty_k_brown(ty_k_camera m, ty_real x, ty_real y)
{
    ty_k_brown_step b;
    ty_real q = x * x + y * y;
    ty_real radial = TY_R(1.0) + q * (m.k1 + q * (m.k2 + q * m.k3));
    ty_real slope = TY_R(2.0) * (m.k1 + q * (TY_R(2.0) * m.k2 + q * TY_R(3.0) * m.k3)); /* dR/dq times 2 */
    b.x = x * radial + TY_R(2.0) * m.p1 * x * y + m.p2 * (q + TY_R(2.0) * x * x);
    b.y = y * radial + m.p1 * (q + TY_R(2.0) * y * y) + TY_R(2.0) * m.p2 * x * y;
    b.xx = radial + x * x * slope + TY_R(2.0) * m.p1 * y + TY_R(6.0) * m.p2 * x;
    b.yy = radial + y * y * slope + TY_R(6.0) * m.p1 * y + TY_R(2.0) * m.p2 * x;
    b.xy = x * y * slope + TY_R(2.0) * m.p1 * x + TY_R(2.0) * m.p2 * y;
    return b;
}

/* Inverse by Newton's method from the distorted point. ok = 0 where it does not settle or the lens folds over. */
TY_KFN ty_k_pixel ty_k_brown_inverse(ty_k_camera m, ty_real x1, ty_real y1)
{
    ty_k_pixel p = { x1, y1, 0 };
    for (int n = 0; n < 30 && !p.ok; n++) {
        ty_k_brown_step b = ty_k_brown(m, p.u, p.v);
        ty_real det = b.xx * b.yy - b.xy * b.xy;
        if (!(det > TY_R(0.0))) {
            return p;
        }
        ty_real dx = (b.yy * (x1 - b.x) - b.xy * (y1 - b.y)) / det;
        ty_real dy = (b.xx * (y1 - b.y) - b.xy * (x1 - b.x)) / det;
        p.u += dx;
        p.v += dy;
        p.ok = fabs(dx) + fabs(dy) <= TY_K_CAMERA_EPS * (TY_R(1.0) + fabs(p.u) + fabs(p.v));
    }
    return p;
}

/* ---- CAHV, CAHVOR, CAHVORE ---- */

/* u = p.H / p.A, v = p.V / p.A for p relative to C.   [yakimovsky1978] */
TY_KFN ty_k_pixel ty_k_cahv_pixel(ty_k_camera m, ty_k_vec3 p)
{
    ty_real range = ty_k_dot(p, m.a);
    ty_k_pixel out = { ty_k_dot(p, m.h) / range, ty_k_dot(p, m.v) / range, range > TY_R(0.0) };
    return out;
}
/* The direction for which both hold is normal to H - u A and to V - v A; (V x H).A is the component
 * along A of their cross product, so dividing by it gives the vector with unit component along A,
 * pointing forward. */
TY_KFN ty_k_vec3 ty_k_cahv_direction(ty_k_camera m, ty_real u, ty_real v)
{
    ty_k_vec3 n = ty_k_cross(ty_k_sub(m.v, ty_k_scale(v, m.a)), ty_k_sub(m.h, ty_k_scale(u, m.a)));
    return ty_k_scale(TY_R(1.0) / ty_k_dot(m.a, ty_k_cross(m.v, m.h)), n);
}

/* Radial terms of CAHVOR(E): the factor by which the part across O grows, 1 + R0 + R1 q + R2 q^2. [gennery2006] */
TY_KFN ty_real ty_k_cahvor_growth(ty_k_camera m, ty_real q)
{
    return TY_R(1.0) + m.r.x + q * (m.r.y + q * m.r.z);
}
/* x with x growth(x^2) = y, y >= 0, by Newton's method; -1 where there is none near y. */
TY_KFN ty_real ty_k_cahvor_shrink(ty_k_camera m, ty_real y)
{
    ty_real x = y;
    for (int n = 0; n < 50; n++) {
        ty_real q = x * x;
        ty_real slope = TY_R(1.0) + m.r.x + q * (TY_R(3.0) * m.r.y + q * TY_R(5.0) * m.r.z);
        if (!(slope > TY_R(0.0))) {
            return TY_R(-1.0);
        }
        ty_real step = (x * ty_k_cahvor_growth(m, q) - y) / slope;
        x -= step;
        if (fabs(step) <= TY_K_CAMERA_EPS * (TY_R(1.0) + fabs(x))) {
            return x;
        }
    }
    return TY_R(-1.0);
}

/* Movement of the entrance pupil along O for a ray at angle t off it, times sin t:
 *     (t - sin t)(E0 + E1 t^2 + E2 t^4)   [gennery2006] */
TY_KFN ty_real ty_k_cahvore_pupil(ty_k_camera m, ty_real t)
{
    return (t - ty_k_sin(t)) * (m.e.x + t * t * (m.e.y + t * t * m.e.z));
}
/* Angle off O at which the point (across, along) enters the moving pupil: across cos t = (along -
 * s(t)) sin t, by Newton's method. -1 where it does not settle. */
TY_KFN ty_real ty_k_cahvore_angle(ty_k_camera m, ty_real across, ty_real along)
{
    ty_real t = atan2(across, along), size = across + fabs(along);
    for (int n = 0; n < 50; n++) {
        ty_real s = sin(t), c = cos(t), t2 = t * t;
        ty_real poly = m.e.x + t2 * (m.e.y + t2 * m.e.z);
        ty_real rise = t * (TY_R(2.0) * m.e.y + TY_R(4.0) * m.e.z * t2);
        ty_real f = across * c - along * s + ty_k_cahvore_pupil(m, t);
        ty_real slope = -across * s - along * c + (TY_R(1.0) - c) * poly + (t - s) * rise;
        if (!(fabs(slope) > TY_R(0.0))) {
            return TY_R(-1.0);
        }
        t -= f / slope;
        if (fabs(f) <= TY_K_CAMERA_EPS * size) {
            return t;
        }
    }
    return TY_R(-1.0);
}

/* The lens's law: radius x at angle t, tan(L t)/L, t, sin(L t)/L for linearity L > 0, = 0, < 0; and
 * back. [gennery2006] Negative where there is none. */
TY_KFN ty_real ty_k_cahvore_radius(ty_real linearity, ty_real t)
{
    ty_real x = linearity * t;
    if (fabs(x) > TY_R(0.5) * TY_K_PI) {
        return TY_R(-1.0);
    }
    return fabs(linearity) < TY_R(1e-8) ? t : (linearity < TY_R(0.0) ? sin(x) : tan(x)) / linearity;
}
TY_KFN ty_real ty_k_cahvore_unradius(ty_real linearity, ty_real radius)
{
    ty_real x = linearity * radius;
    if (x < TY_R(-1.0)) {
        return TY_R(-1.0);
    }
    /* asin x = atan(x / sqrt(1 - x^2)); by sign, as ty_k_atan() takes what is not below 0 */
    ty_real size = fabs(x), cosine = sqrt(ty_k_max((TY_R(1.0) - size) * (TY_R(1.0) + size), TY_R(0.0)));
    ty_real angle = ty_k_atan(linearity < TY_R(0.0) ? size / cosine : size);
    return fabs(linearity) < TY_R(1e-8) ? radius : (x < TY_R(0.0) ? -angle : angle) / linearity;
}

/* p relative to C, bent by the lens to where a CAHV camera would see it. O is used as given, never rescaled. */
TY_KFN ty_k_pixel ty_k_cahvor_project(ty_k_camera m, ty_k_vec3 p)
{
    ty_k_pixel bad = { TY_R(0.0), TY_R(0.0), 0 };
    ty_real along = ty_k_dot(p, m.o);
    ty_k_vec3 part = ty_k_sub(p, ty_k_scale(along, m.o));
    ty_real across = ty_k_norm(part);
    if (m.kind == TY_K_CAHVOR) {
        ty_real q = across / along;
        ty_k_pixel out =
            ty_k_cahv_pixel(m, ty_k_add(ty_k_scale(along, m.o), ty_k_scale(ty_k_cahvor_growth(m, q * q), part)));
        out.ok = out.ok && along > TY_R(0.0);
        return out;
    }
    ty_real t = ty_k_cahvore_angle(m, across, along);
    if (!(t > TY_R(1e-8))) {
        return t < TY_R(0.0) ? bad : ty_k_cahv_pixel(m, p);
    }
    ty_real x = ty_k_cahvore_radius(m.linearity, t);
    if (!(x > TY_R(0.0))) {
        return bad;
    }
    return ty_k_cahv_pixel(m, ty_k_add(ty_k_scale(across / x, m.o), ty_k_scale(ty_k_cahvor_growth(m, x * x), part)));
}

TY_KFN ty_k_ray ty_k_cahvor_ray(ty_k_camera m, ty_real u, ty_real v)
{
    ty_k_vec3 d = ty_k_cahv_direction(m, u, v);
    ty_real along = ty_k_dot(d, m.o);
    ty_k_vec3 part = ty_k_sub(d, ty_k_scale(along, m.o));
    ty_real across = ty_k_norm(part);
    ty_k_ray ray = { m.c, m.kind == TY_K_CAHVOR ? ty_k_unit(m.o) : m.o, across < TY_R(1e-9) * along };
    if (ray.ok || !(along > TY_R(0.0))) {
        return ray;
    }
    ty_real x = ty_k_cahvor_shrink(m, across / along);
    ray.ok = x > TY_R(0.0);
    if (m.kind == TY_K_CAHVOR) {
        ray.d = ty_k_unit(ty_k_add(ty_k_scale(along, m.o), ty_k_scale(x * along / across, part)));
        return ray;
    }
    ty_real t = ty_k_cahvore_unradius(m.linearity, x), sine, cosine;
    ty_k_sincos(t, &sine, &cosine);
    ray.ok = ray.ok && t > TY_R(0.0);
    ray.o = ty_k_add(m.c, ty_k_scale(ty_k_cahvore_pupil(m, t) / sine, m.o));
    /* unit as far as O is: the model's own program does not rescale it, and calibrations rely on that */
    ray.d = ty_k_add(ty_k_scale(cosine, m.o), ty_k_scale(sine / across, part));
    return ray;
}

/* ---- all of them ---- */

/* hfov family: point in camera axes to pixel */
TY_KFN ty_k_pixel ty_k_hfov_project(ty_k_camera m, ty_k_vec3 p)
{
    ty_real across = sqrt(p.x * p.x + p.y * p.y), x = p.x / p.z, y = p.y / p.z;
    int ok = p.z > TY_R(0.0);
    if (m.kind == TY_K_FISHEYE) {
        ty_real t = across > TY_R(0.0) ? atan2(across, p.z) / across : TY_R(0.0);
        x = t * p.x;
        y = t * p.y;
        ok = across > TY_R(0.0) || p.z > TY_R(0.0);
    } else if (m.kind == TY_K_SPHERICAL) {
        x = atan2(p.x, p.z);
        y = atan2(p.y, sqrt(p.x * p.x + p.z * p.z));
        ok = across > TY_R(0.0) || p.z != TY_R(0.0);
    } else if (m.kind == TY_K_FOV) {
        ty_real tangent = sqrt(x * x + y * y);
        ty_real grow = tangent > TY_R(0.0) ? ty_k_fov_radius(tangent, m.squeeze) / tangent : TY_R(1.0);
        x *= grow;
        y *= grow;
    } else if (m.kind == TY_K_BROWN) {
        ty_k_brown_step b = ty_k_brown(m, x, y);
        x = b.x;
        y = b.y;
        ok = ok && b.xx * b.yy - b.xy * b.xy > TY_R(0.0);
    }
    ty_k_pixel out = { m.mid_u + m.focal * x, m.mid_v + m.focal * y, ok };
    return out;
}

/* hfov family: pixel to unit direction in camera axes */
TY_KFN ty_k_ray ty_k_hfov_ray(ty_k_camera m, ty_real u, ty_real v)
{
    ty_real x = (u - m.mid_u) / m.focal, y = (v - m.mid_v) / m.focal;
    ty_real r = sqrt(x * x + y * y);
    ty_k_ray ray = { { TY_R(0.0), TY_R(0.0), TY_R(0.0) }, { x, y, TY_R(1.0) }, 1 };
    if (m.kind == TY_K_FISHEYE) {
        ty_real sine, cosine;
        ty_k_sincos(r, &sine, &cosine);
        ty_real s = r > TY_R(0.0) ? sine / r : TY_R(1.0);
        ray.d = ty_k_vec(s * x, s * y, cosine);
        ray.ok = r <= TY_K_PI;
    } else if (m.kind == TY_K_SPHERICAL) {
        ty_real sx, cx, sy, cy;
        ty_k_sincos(x, &sx, &cx);
        ty_k_sincos(y, &sy, &cy);
        ray.d = ty_k_vec(cy * sx, sy, cy * cx);
        ray.ok = fabs(x) <= TY_K_PI * TY_R(1.000001) && fabs(y) <= TY_R(0.5) * TY_K_PI * TY_R(1.000001);
    } else if (m.kind == TY_K_FOV) {
        ty_real s = r > TY_R(0.0) ? ty_k_fov_tangent(r, m.squeeze) / r : TY_R(1.0);
        ray.d = ty_k_vec(s * x, s * y, TY_R(1.0));
        ray.ok = r < TY_R(0.5) * TY_K_PI;
    } else if (m.kind == TY_K_BROWN) {
        ty_k_pixel p = ty_k_brown_inverse(m, x, y);
        ray.d = ty_k_vec(p.u, p.v, TY_R(1.0));
        ray.ok = p.ok;
    }
    ray.d = ty_k_unit(ray.d);
    return ray;
}

TY_KFN ty_k_pixel ty_k_camera_project(ty_k_camera m, ty_k_vec3 p)
{
    if (m.kind < TY_K_CAHV) {
        return ty_k_hfov_project(m, p);
    }
    ty_k_vec3 q = ty_k_sub(p, m.c);
    return m.kind == TY_K_CAHV ? ty_k_cahv_pixel(m, q) : ty_k_cahvor_project(m, q);
}

#ifdef TY_K_OWN_LENSES
/* lenses of a program's own, whose texts stand behind the kernels (src/render/gpu/own.c) */
static ty_k_ray ty_k_own_lenses(int lens, ty_k_camera m, ty_real u, ty_real v);
#endif

TY_KFN ty_k_ray ty_k_camera_ray(ty_k_camera m, ty_real u, ty_real v)
{
#ifdef TY_K_OWN_LENSES
    if (m.kind >= TY_K_OWN_LENS) {
        return ty_k_own_lenses(m.kind - TY_K_OWN_LENS, m, u, v);
    }
#endif
    if (m.kind < TY_K_CAHV) {
        return ty_k_hfov_ray(m, u, v);
    }
    if (m.kind == TY_K_CAHV) {
        ty_k_ray ray = { m.c, ty_k_unit(ty_k_cahv_direction(m, u, v)), 1 };
        return ray;
    }
    return ty_k_cahvor_ray(m, u, v);
}

#endif
