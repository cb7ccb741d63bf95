/* include/tycho/trace.h - rays of any sensor through a scene.
 *
 * Hits are found by the ray tracer in single precision relative to a centre, and refined in double:
 * onto the ground's spline, the plane of a facet, a sphere. Same scene and rays: same bits, for any
 * number of threads. Nothing is allocated once the scene has served as many threads before.
 *
 * Threads: one thread at a time may use a scene.
 * Statuses: TY_ERR_RANGE (band), TY_ERR_MEMORY, and the terrain's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TRACE_H
#define TYCHO_TRACE_H
#include "tycho/ray.h"
#include "tycho/render.h"
TY_BEGIN_DECLS

/* Brings the scene up to date for a sensor at `centre` [m, W] (ground is finest there, and rays
 * should start within some metres of it) and traces n rays. band: of the materials, for
 * reflectance. threads 0: all processors. */
TY_API ty_status ty_scene_trace(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n,
                                int band, int threads, ty_trace_hit *hit, ty_diag *diag);

/* For benchmarks: traces the same rays `repeats` times by nothing but the ray tracer, on one
 * thread; its seconds are processor time. */
TY_API ty_status ty_trace_baseline(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray,
                                   size_t n, int repeats, ty_baseline *out, ty_diag *diag);

TY_END_DECLS
#endif
