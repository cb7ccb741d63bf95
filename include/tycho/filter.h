/* include/tycho/filter.h - chains of functions that turn one buffer into the next.
 *
 * A filter is a struct of functions with its parameters behind `user`; those of Tycho and a user's
 * own are the same. It says what it takes; the pipeline checks all of them against each other when
 * it is linked, and refuses a misfit with a sentence that names both. Filters may be added,
 * removed, moved and switched off between frames; the next run links again. Once linked for a size,
 * running, relinking and reordering allocate nothing unless a larger buffer is needed.
 *
 * Threads: one thread at a time may use a pipeline; filters split their rows over `threads` of
 * them. Same input, filters and frame number: same bits, for any number of threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_FILTER_H
#define TYCHO_FILTER_H
#include "tycho/buffer.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

/* One call of a filter. */
typedef struct ty_filter_call {
    const ty_buffer *in;    /* what the filter before gave, or the pipeline's input */
    ty_buffer *out;         /* to be filled; may be the memory of in where the filter allows it */
    const ty_buffer *depth; /* [m] of the same size as the input, along the optical axis, INFINITY
                               for the sky; NULL when the frame brings none */
    uint64_t frame;         /* number of the frame; keys the noise */
    void *scratch;          /* as many bytes as link asked for, 64-byte aligned; undefined content */
    int threads;            /* to use, 0: all processors */
} ty_filter_call;

/* What link answers. */
typedef struct ty_filter_need {
    ty_buffer_type out; /* starts as the type of the input */
    size_t scratch;     /* [bytes] */
} ty_filter_need;

#define TY_BIT(value) (1u << (value)) /* of a ty_unit or a ty_element, for the masks below */

typedef struct ty_filter {
    const char *name; /* in messages; kept by reference */
    /* what it takes: 0 stands for any */
    uint32_t units, elements; /* TY_BIT() of each unit and element type accepted */
    int channels;
    bool depth;    /* it needs call.depth */
    bool in_place; /* out may be the memory of in */
    bool off;      /* passed over */
    int64_t lag;   /* [ns] by which it delays the delivery of a sensor's message */
    /* What it makes of an input that fits the above; may refuse it for reasons of its own. NULL:
     * the same type, no scratch. */
    ty_status (*link)(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag);
    ty_status (*run)(void *user, const ty_filter_call *call, ty_diag *diag);
    void (*destroy)(void *user); /* when the filter leaves the pipeline; NULL: nothing to do */
    void *user;
} ty_filter;

/* Looks at what passes; any number of them, at any place. See ty_filter_access(). */
typedef void (*ty_filter_look)(void *user, const ty_buffer *data, uint64_t frame);
typedef struct ty_filter_access_def {
    ty_filter_look look;
    void *user;
} ty_filter_access_def;
/* def is kept by reference */
TY_API ty_filter ty_filter_access(const char *name, ty_filter_access_def *def);

/* A built-in filter by its settings, the value of `type` being one of ty_filter_names(); all numbers, units as in
 * docs/filters.md. number: of the sensor, keys its noise. On success the filter owns its memory through `destroy`.
 * TY_ERR_INPUT, TY_ERR_RANGE with a sentence, TY_ERR_MEMORY. */
TY_API ty_status ty_filter_make(const ty_settings *settings, uint32_t number, ty_filter *out, ty_diag *diag);
TY_API const char *ty_filter_names(void); /* "gray, blur, ..." */
/* The value of a setting; NULL: it is not there. */
TY_API const char *ty_settings_get(const ty_settings *settings, const char *key);

#define TY_PIPELINE_FILTERS 64
typedef struct ty_pipeline ty_pipeline;

/* alloc NULL: heap; threads 0: all processors. TY_ERR_MEMORY. */
TY_API ty_status ty_pipeline_create(const ty_alloc *alloc, int threads, ty_pipeline **out, ty_diag *diag);
TY_API void ty_pipeline_destroy(ty_pipeline *pipeline); /* NULL is allowed */

/* Changes, between frames. Places count from 0; a negative place counts from the end: -1 is after
 * the last (insert), or the last (remove, move, get). TY_ERR_RANGE: there is no such place, or no
 * room (TY_PIPELINE_FILTERS). The struct is copied. */
TY_API ty_status ty_pipeline_insert(ty_pipeline *pipeline, int at, const ty_filter *filter, ty_diag *diag);
TY_API ty_status ty_pipeline_remove(ty_pipeline *pipeline, int at, ty_diag *diag);
TY_API ty_status ty_pipeline_move(ty_pipeline *pipeline, int from, int to, ty_diag *diag);
TY_API ty_status ty_pipeline_switch(ty_pipeline *pipeline, int at, bool on, ty_diag *diag);
TY_API int ty_pipeline_count(const ty_pipeline *pipeline);
TY_API int ty_pipeline_find(const ty_pipeline *pipeline, const char *name);   /* first place; -1: none */
TY_API int64_t ty_pipeline_lag(const ty_pipeline *pipeline);                  /* [ns] of all filters that are on */
TY_API const ty_filter *ty_pipeline_get(const ty_pipeline *pipeline, int at); /* NULL: no such place */

/* Checks every filter against the one before it and gets the memory. TY_ERR_INPUT with a sentence
 * for a misfit; nothing has changed then but that the pipeline is not linked. *out, if given, is
 * the type that will come out. */
TY_API ty_status ty_pipeline_link(ty_pipeline *pipeline, const ty_buffer_type *in, ty_buffer_type *out, ty_diag *diag);
/* Sends one frame through. Links by itself where filters or the input's type changed. *out stays
 * valid until the next run or change; it is the input itself where no filter is on. */
TY_API ty_status ty_pipeline_run(ty_pipeline *pipeline, const ty_buffer *in, const ty_buffer *depth, uint64_t frame,
                                 const ty_buffer **out, ty_diag *diag);

/* ---- clouds of points: what their buffers hold, and filters for them.
 *
 * A cloud is a buffer of TY_UNIT_POINT, an image of points as the sensor's beams lie; a beam
 * without a return has NaN coordinates. Elements are f64, so that a cloud may lie far from a
 * frame's origin. */

/* Into another frame. With a track (child: the cloud's frame) every point goes by the pose at its
 * own time, which takes the motion during the scan out; without one (count 0) all go by `pose`.
 * With both, pose comes after the track. Kept by reference. */
typedef struct ty_cloud_frame_def {
    ty_track track;
    ty_pose pose;
    char to; /* letter of the new frame */
} ty_cloud_frame_def;
TY_API ty_filter ty_cloud_frame(ty_cloud_frame_def *def);

/* Points of other ranges become NaN. Kept by reference. */
typedef struct ty_cloud_crop_def {
    double near, far; /* [m] */
} ty_cloud_crop_def;
TY_API ty_filter ty_cloud_crop(ty_cloud_crop_def *def);

/* Every column-th column and row-th row stays, beginning with the first. Kept by reference. */
typedef struct ty_cloud_decimate_def {
    int column, row; /* 1 and more */
} ty_cloud_decimate_def;
TY_API ty_filter ty_cloud_decimate(ty_cloud_decimate_def *def);

/* A pinhole camera's depth image [m along its axis] into points of its frame S (x right, y down, z
 * forward); what is not finite becomes NaN, rings are rows from the bottom. Kept by reference. */
typedef struct ty_cloud_depth_def {
    double hfov; /* [rad] across the image's width, above 0, below pi */
} ty_cloud_depth_def;
TY_API ty_filter ty_cloud_from_depth(ty_cloud_depth_def *def);

TY_END_DECLS
#endif
