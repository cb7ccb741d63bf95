/* src/sensor/camera/camera.h - what the files of the physical camera share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CAMERA_H
#define TYI_CAMERA_H
#include "core/core.h"
#include "k_exposure.h"
#include "k_philox.h"
#include "tycho/camera.h"

#define COARSE 64 /* the veil is made on a grid of at most so many cells along a side */

struct ty_camera_sensor {
    ty_camera_sensor_def def;
    ty_k_response_curve curve; /* of def */
    /* the specimen, one number per pixel */
    float *gain;                  /* [-] 1 + PRNU */
    float *offset;                /* [e-] DSNU, rows and columns included */
    float *rate;                  /* [1/s] dark current, hot pixels included */
    float *passed;                /* [-] what dust lets through */
    uint8_t *dead;                /* [-] 1: dead */
    float *veil;                  /* weights of the veil, (2 coarse_w - 1) x (2 coarse_h - 1) */
    int cell, coarse_w, coarse_h; /* [px] side of a coarse cell; size of the coarse grid */
    size_t bytes;                 /* of all of it, at memory */
    void *memory;
};

/* Random words of this camera: counter (index, frame, camera), key (seed, purpose). */
static inline ty_k_u32x4 tyi_camera_random(const ty_camera_sensor *s, uint32_t index, uint64_t frame, uint32_t purpose)
{
    return ty_k_philox(index, (uint32_t)frame, (uint32_t)(frame >> 32), s->def.camera, (uint32_t)s->def.seed, purpose);
}
static inline double tyi_camera_normal(const ty_camera_sensor *s, uint32_t index, uint64_t frame, uint32_t purpose)
{
    ty_k_u32x4 r = tyi_camera_random(s, index, frame, purpose);
    return ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
}

/* Threads for a call: one for small images, whose rows are not worth waking others for. */
int tyi_camera_threads(const ty_filter_call *call);
/* Runs row(sensor, call, y) for every row of the output. */
typedef void (*tyi_camera_row)(const ty_camera_sensor *sensor, const ty_filter_call *call, int y);
void tyi_camera_rows(const ty_camera_sensor *sensor, const ty_filter_call *call, tyi_camera_row row);

static inline float tyi_camera_f32(const ty_buffer *b, int x, int y, int c)
{
    return *(const float *)ty_buffer_at(b, x, y, c);
}
static inline void tyi_camera_f32_set(const ty_buffer *b, int x, int y, int c, double value)
{
    *(float *)ty_buffer_at(b, x, y, c) = (float)value;
}

/* link of a stage that works on images of the camera's size and changes nothing about them */
ty_status tyi_camera_link_size(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag);

/* the stages, without user and name; by file */
extern const ty_filter tyi_camera_stage_flare, tyi_camera_stage_glare, tyi_camera_stage_dust, tyi_camera_stage_defocus,
    tyi_camera_stage_vignetting; /* camera_lens.c, camera_veil.c */
extern const ty_filter tyi_camera_stage_aggregator, tyi_camera_stage_prnu, tyi_camera_stage_dark, tyi_camera_stage_shot,
    /* camera_electrons.c */
    tyi_camera_stage_full_well, tyi_camera_stage_read, tyi_camera_stage_pattern, tyi_camera_stage_dead;
extern const ty_filter tyi_camera_stage_response, tyi_camera_stage_amplifier, tyi_camera_stage_quantise,
    tyi_camera_stage_auto_exposure; /* camera_digital.c */
extern const ty_filter tyi_camera_stage_mosaic, tyi_camera_stage_demosaic,
    tyi_camera_stage_white_balance;               /* camera_color.c */
extern const ty_filter tyi_camera_stage_compress; /* camera_compress.c */

/* [e-/(W/m^2/sr)] of light by colour and band */
void tyi_camera_per_radiance(const ty_camera_sensor_def *def, double out[3][TY_BANDS]);

extern const struct tyi_rules tyi_camera_rules; /* camera_def.c */
ty_status tyi_camera_check(const ty_camera_sensor_def *def, ty_diag *diag);

#endif
