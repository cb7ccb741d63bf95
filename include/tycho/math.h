/* include/tycho/math.h - vectors, quaternions, rotations, poses. All double, all by value.
 * Frames: v_W is expressed in W; q_WB takes B vectors to W, scalar first (docs/frames.md).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_MATH_H
#define TYCHO_MATH_H
#include <math.h>
#include "tycho/base.h"
TY_BEGIN_DECLS

#define TY_PI          3.14159265358979323846
#define TY_DEG         (TY_PI / 180.0) /* radians per degree */
#define TY_MOON_RADIUS 1737400.0       /* [m] reference sphere of every lunar raster, DESIGN 3 */

/* [m/s^2] gravity at the surface, [nssdc]: what `body` of a scenario stands for, and TY_GRAVITY_MOON every default */
#define TY_GRAVITY_MOON  1.62
#define TY_GRAVITY_EARTH 9.81
#define TY_GRAVITY_MARS  3.71

typedef struct ty_vec3 {
    double x, y, z;
} ty_vec3;

typedef struct ty_quat {
    double w, x, y, z; /* unit quaternion, scalar first [-] */
} ty_quat;

typedef struct ty_pose {
    ty_vec3 p; /* [m] origin of the child frame in the parent */
    ty_quat q; /* takes child vectors to the parent */
} ty_pose;

static inline ty_vec3 ty_vec3_make(double x, double y, double z)
{
    ty_vec3 v = { x, y, z };
    return v;
}
static inline ty_vec3 ty_add(ty_vec3 a, ty_vec3 b)
{
    return ty_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline ty_vec3 ty_sub(ty_vec3 a, ty_vec3 b)
{
    return ty_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline ty_vec3 ty_scale(double s, ty_vec3 a)
{
    return ty_vec3_make(s * a.x, s * a.y, s * a.z);
}
static inline double ty_dot(ty_vec3 a, ty_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline ty_vec3 ty_cross(ty_vec3 a, ty_vec3 b)
{
    return ty_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double ty_norm(ty_vec3 a)
{
    return sqrt(ty_dot(a, a));
}
static inline ty_vec3 ty_normalize(ty_vec3 a) /* a must not be zero */
{
    return ty_scale(1.0 / ty_norm(a), a);
}

static inline ty_quat ty_quat_identity(void)
{
    ty_quat q = { 1.0, 0.0, 0.0, 0.0 };
    return q;
}
/* rotation by angle [rad] about a unit axis, right-handed */
static inline ty_quat ty_quat_axis(ty_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    ty_quat q = { cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z };
    return q;
}
static inline ty_quat ty_quat_mul(ty_quat a, ty_quat b) /* first b, then a */
{
    ty_quat q = { a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
    return q;
}
static inline ty_quat ty_quat_conj(ty_quat q)
{
    ty_quat c = { q.w, -q.x, -q.y, -q.z };
    return c;
}
static inline ty_quat ty_quat_normalize(ty_quat q)
{
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    ty_quat n = { s * q.w, s * q.x, s * q.y, s * q.z };
    return n;
}
static inline ty_vec3 ty_rotate(ty_quat q, ty_vec3 v)
{
    ty_vec3 u = ty_vec3_make(q.x, q.y, q.z);
    ty_vec3 t = ty_scale(2.0, ty_cross(u, v));
    return ty_add(v, ty_add(ty_scale(q.w, t), ty_cross(u, t)));
}
static inline ty_vec3 ty_pose_point(ty_pose pose, ty_vec3 p) /* child point to parent */
{
    return ty_add(pose.p, ty_rotate(pose.q, p));
}
static inline ty_pose ty_pose_mul(ty_pose a, ty_pose b) /* a: B in A, b: C in B; gives C in A */
{
    ty_pose c = { ty_pose_point(a, b.p), ty_quat_mul(a.q, b.q) };
    return c;
}
/* The frame of a camera (x right, y down, z forward) in that of its mount (x forward, y left, z up). */
static inline ty_pose ty_pose_optical(void)
{
    ty_pose pose = { { 0.0, 0.0, 0.0 }, { 0.5, -0.5, 0.5, -0.5 } };
    return pose;
}
static inline ty_pose ty_pose_inverse(ty_pose a)
{
    ty_quat q = ty_quat_conj(a.q);
    ty_pose c = { ty_scale(-1.0, ty_rotate(q, a.p)), q };
    return c;
}

/* Shortest-way interpolation between two attitudes, u in [0, 1]. */
TY_API ty_quat ty_quat_slerp(ty_quat a, ty_quat b, double u);

/* The simulation clock: integer nanoseconds since the start of the run. */
typedef int64_t ty_time;
#define TY_SECOND ((ty_time)1000000000)
static inline double ty_seconds(ty_time t)
{
    return (double)t * 1e-9;
}
static inline ty_time ty_time_from(double seconds) /* nearest nanosecond */
{
    return (ty_time)llround(seconds * 1e9);
}

/* A site: east-north-up frame W, tangent to the reference sphere at a latitude and longitude; its origin
 * lies on the sphere. M is Moon-fixed, mean-Earth/polar-axis. */
typedef struct ty_site {
    double lat, lon; /* [rad] */
    double radius;   /* [m] of the reference sphere */
    ty_pose W_in_M;  /* takes W points to M */
} ty_site;

TY_API ty_site ty_site_make(double lat, double lon, double radius);
/* W point of the place at lat, lon [rad], height [m] above the sphere. */
TY_API ty_vec3 ty_site_point(const ty_site *site, double lat, double lon, double height);
/* Latitude, longitude [rad] (-pi..pi) and height [m] above the sphere of a W point. */
TY_API void ty_site_geodetic(const ty_site *site, ty_vec3 p_W, double *lat, double *lon, double *height);

/* ---- where a frame was over a stretch of time: poses at some moments, and in
 * between. */

typedef struct ty_keyframe {
    ty_time t; /* [ns] of the simulation clock */
    ty_pose pose;
} ty_keyframe;

typedef struct ty_track {
    const ty_keyframe *key; /* times rising */
    size_t count;           /* at least 1 */
} ty_track;

/* The pose `after` [s] the moment t: straight and turning evenly between keyframes, standing before
 * the first and after the last. */
TY_API ty_pose ty_track_at(const ty_track *track, ty_time t, double after);

TY_END_DECLS
#endif
