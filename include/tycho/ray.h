/* include/tycho/ray.h - rays that sensors send out and what they meet: plain data between a
 * sensor's model and whatever traces.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RAY_H
#define TYCHO_RAY_H
#include "tycho/math.h"
TY_BEGIN_DECLS

typedef struct ty_trace_ray {
    ty_vec3 from; /* [m] W */
    ty_vec3 dir;  /* [-] W, unit */
    double far;   /* [m] what lies beyond is not met; below 0: the ray is idle */
    double time;  /* [-] 0 to 1 over the window in which things move */
} ty_trace_ray;

typedef struct ty_trace_hit {
    double range;      /* [m] along the ray; INFINITY: nothing */
    ty_vec3 normal;    /* [-] unit, W, on the ray's side */
    float reflectance; /* [1/sr] of light that goes back where it came from: radiance over the
                          irradiance of a surface facing the ray, BRDF times cos(incidence) */
    uint32_t instance; /* labels as in ty_render_buffers: 0 sky, objects' ids, 2^30 ground, 2^31 rocks */
    uint8_t kind;      /* ty_render_class */
} ty_trace_hit;

TY_END_DECLS
#endif
