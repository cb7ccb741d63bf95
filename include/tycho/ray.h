/* include/tycho/ray.h - rays that sensors send out and what they meet: plain data between a
 * sensor's model and whatever traces.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RAY_H
#define TYCHO_RAY_H
#include "tycho/buffer.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

typedef struct ty_trace_ray {
    ty_vec3 from; /* [m] W */
    ty_vec3 dir;  /* [-] W, unit */
    double far;   /* [m] what lies beyond is not met; below 0: the ray is idle */
    double time;  /* [-] 0 to 1 over the window in which things move */
} ty_trace_ray;

#define TY_MEDIUM_PARTS 7 /* of a ray's way that lie in something thin, as dust */
/* Light that such a part sends straight back. */
typedef struct ty_trace_haze {
    float range;       /* [m] where it comes from, on the mean */
    float reflectance; /* [1/sr] as of a hit, with what is lost on the way there and back; 0: there are no more parts */
} ty_trace_haze;

typedef struct ty_trace_hit {
    double range;      /* [m] along the ray; INFINITY: nothing */
    ty_vec3 normal;    /* [-] unit, W, on the ray's side */
    float reflectance; /* [1/sr] of light that goes back where it came from: radiance over the
                          irradiance of a surface facing the ray, BRDF times cos(incidence) */
    float tau;         /* [-] optical depth of what lies before it, or up to `far` where nothing is met, in the same
                          band: exp(-tau) of the light passes; 0: clear */
    float albedo;      /* [-] of the material, first band */
    uint32_t instance; /* labels as in ty_render_buffers: 0 sky, objects' ids, 2^30 ground, 2^31 rocks */
    uint8_t kind;      /* ty_render_class */
    ty_trace_haze haze[TY_MEDIUM_PARTS]; /* nearest first */
} ty_trace_hit;

/* ---- what lies on a ray's way ---- */

/* A stretch of a ray. */
typedef struct ty_ray_segment {
    float t0, t1;                  /* [m] along the ray */
    float transmittance[TY_BANDS]; /* [-] share of the light from beyond it that passes */
    float radiance[TY_BANDS];      /* [W/m^2/sr] that leaves it at t0, back along the ray: what lamps make it scatter */
    float back[TY_BANDS];          /* [1/sr] of light sent along the ray that it scatters straight back, at t0: as
                                      ty_trace_hit.reflectance */
} ty_ray_segment;

/* All of a ray's way, from its start to what it meets, or to `far`: in order, without gaps. Without a medium that is
 * one stretch that lets all light through. */
#define TY_RAY_SEGMENTS 15
typedef struct ty_ray_segments {
    int count; /* 0: the ray was idle */
    ty_ray_segment segment[TY_RAY_SEGMENTS];
} ty_ray_segments;

/* A part of a ray's way inside a medium that is even over it. */
typedef struct ty_medium_part {
    float t0, t1;               /* [m] along the ray, finite, t0 < t1 */
    float extinction[TY_BANDS]; /* [1/m] */
    float albedo[TY_BANDS];     /* [-] of single scattering */
    float lobe[2], share;       /* [-] phase function: asymmetries of two Henyey-Greenstein lobes (1: straight on), and
                                   the share of the first */
    float ahead;  /* [-] light that is diffracted straight on, over what extinction says: 1 for large grains, as
                                   much again; 0: none. It is lost to points of light and to lidars, not to what is
                                   broad: surfaces, the Sun's light on them */
    float spread; /* [-] 1 - g of the narrow Henyey-Greenstein lobe that it makes round the Sun */
    float quarter
        [3]; /* [-] where in it, 0 to 1, a quarter, half and three quarters of its optical depth lie behind: lamps light it there;
                                   all 0: it is even */
} ty_medium_part;

/* Something thin between surfaces, as dust. Rays of cameras, of light and of lidars all go through it. */
typedef struct ty_medium {
    /* The parts of the ray's way between 0 and ray->far (INFINITY: the sky) that lie in the medium: in order, not over
     * each other. Returns how many, at most `most`. Called by all threads that trace, at the same time; the same ray
     * has the same parts. */
    int (*parts)(const ty_trace_ray *ray, int bands, int most, ty_medium_part *out, void *user);
    void *user;
    /* The optical depth of all of that, per band, as light to surfaces and parts needs it: may be coarser. NULL: that of the parts. */
    void (*depth)(const ty_trace_ray *ray, int bands, float *tau, void *user);
    const struct ty_k_cloud_flat *flat; /* the same for devices (kernels/k_cloud.h); NULL: rays in it are the host's */
} ty_medium;

TY_END_DECLS
#endif
