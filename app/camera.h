/* app/camera.h - what the subcommands of `tycho camera` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APP_CAMERA_H
#define APP_CAMERA_H
#include "app.h"
#include "tycho/camera.h"
#include "tycho/tools/exr.h"

/* each takes its options out of argv and reports a failure itself */
int camera_fit(int argc, char **argv, const char *path);
int camera_series(int argc, char **argv, const char *path);
int camera_scene(int argc, char **argv, const char *path);
int camera_expose(int argc, char **argv, const char *path);
int camera_sheet(int argc, char **argv, const char *kind);

/* leftovers: an unknown option, or too many files; APP_OK when there are none */
int camera_no_more(int argc, char **argv, int files);
/* takes every --set KEY=VALUE */
ty_status camera_settings(int *argc, char **argv, ty_camera_sensor_def *def, ty_diag *diag);
/* takes "NAME NUMBER" in a range; leaves value alone when it is not there */
ty_status camera_number(int *argc, char **argv, const char *name, double low, double high, double *value,
                        ty_diag *diag);

/* an EXR as a camera sees it: radiance and, where the file has Z, depth; views of exr->data */
typedef struct camera_input {
    ty_exr exr;
    ty_buffer radiance, depth;
    bool has_depth;
    float *bands; /* owned: the bands in their order */
} camera_input;
ty_status camera_input_read(const char *path, camera_input *in, ty_diag *diag);
/* gives a sensor the size and the bands of the picture */
void camera_input_fit(const camera_input *in, ty_camera_sensor_def *def);
void camera_input_free(camera_input *in);
/* one frame, after `settle` frames for the automatic exposure; the caller frees *pixels, u16 */
typedef struct camera_frame {
    int width, height, channels;
    double full, offset, exposure;
    uint16_t *pixels;
} camera_frame;
ty_status camera_shoot(const camera_input *in, const ty_camera_sensor_def *def, int settle, camera_frame *out,
                       ty_diag *diag);

#endif
