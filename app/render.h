/* app/render.h - `tycho render`: the job, and the pictures that are made of its buffers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_RENDER_H
#define TYCHO_APP_RENDER_H
#include "terrain_site.h"
#include "tycho/camera.h"
#include "tycho/render.h"
#include "tycho/stage.h"
#include "tycho/trace.h"

#define RENDER_SPLIT 8 /* ty_render_def.split of pictures to look at; cameras of rovers have none */

typedef struct render_job {
    app_site site;
    ty_stage *stage; /* of a scenario; NULL: a model alone */
    ty_scene *scene;
    ty_device *device; /* that makes the frames; NULL: the host */
    bool or_host;      /* where the device fails, the host renders */
    bool compare;      /* by host and device, instead of a picture */
    ty_camera camera;
    ty_render_def def;
    ty_render_buffers out;
    double eye[3]; /* [m] x, y, height above the ground */
    double sun[2]; /* [rad] azimuth, elevation; NaN: as the time has it */
    double white;  /* [W/m^2/sr] radiance that becomes white; NaN: by the picture */
    double lamp;   /* [W/sr] of a spot light beside the camera; 0: none */
    double gamma;  /* [-] of the 8-bit picture */
    bool linear, truth, quiet;
    bool silent;   /* the names of the pictures are not printed */
    int detail;    /* cells along a ring of ground */
    bool physical; /* through the physical camera */
    ty_camera_sensor_def sensor;
    bool auto_exposure;
    bool placed;          /* --eye was given */
    double from[3];       /* [rad] [rad] [m] camera by latitude, longitude and height above the sphere; NaN: by eye */
    double look[2];       /* [rad] azimuth, elevation */
    double scale;         /* [m] per unit of a mesh file */
    const char *material; /* preset of a model; NULL: its own materials, or itokawa */
    const char *texture;  /* picture that a model's albedo is multiplied by; NULL: none */
    int bands;
    double share[TY_BANDS]; /* [-] of the Sun's light in each */
    bool banded;            /* bands were given */
    ty_band band[TY_BANDS];
    const char *path;
    double stereo; /* [m] baseline of a second camera to the right; 0: none */
    bool right;    /* this is that camera */
    bool has_next; /* flow to the camera `next` is wanted */
    ty_camera next;
    double next_eye[3]; /* [m] as eye */
    unsigned overlay;   /* what is drawn over a copy of the picture; 0: nothing */
    const char *trail;  /* telemetry of a run, for the overlay */
} render_job;

/* The frame by host and device, and whether they agree. */
ty_status render_compare(render_job *job, bool *agrees, ty_diag *diag);

/* The command with --camera NAME: a camera of the scenario's rovers. */
int render_camera(int argc, char **argv, const char *name);

/* A mesh alone in space: loads it, lights it, and stands the camera so that it fills the view, unless --eye said where.
 * */
ty_status render_mesh_scene(render_job *job, const char *mesh, ty_diag *diag);

/* --lens and what belongs to it; --bands. After --size and --fov. */
ty_status render_take_lens(render_job *job, int *argc, char **argv, ty_diag *diag);
ty_status render_take_bands(render_job *job, int *argc, char **argv, ty_diag *diag);

/* Writes the picture and, where asked for, the pictures of the ground truth; prints their names. */
ty_status render_write(const render_job *job, ty_diag *diag);

/* Radiance for white by the picture's first band, as tycho/tone.h has it. */
double render_job_white(const render_job *job);

/* OUT.png becomes OUT_what; what has its own ending */
void render_beside(const char *path, const char *what, char *out, size_t size);

/* Ground truth as data: OUT_truth.exr and OUT_boxes.csv, and what tycho/tools/truth_file.h names. */
ty_status render_truth_data(const render_job *job, ty_diag *diag);

typedef struct render_box_list {
    ty_truth_box2 *flat;
    ty_truth_box3 *solid;
    size_t n;
} render_box_list;
/* The caller frees the list, also after a failure. */
ty_status render_boxes(const render_job *job, render_box_list *out, ty_diag *diag);
void render_boxes_free(render_box_list *list);

/* The list of --overlay as bits. */
ty_status render_overlay_check(const char *text, unsigned *out, ty_diag *diag);
/* Draws over a copy of the picture that render_write() wrote: OUT_overlay.png. */
ty_status render_overlay(const render_job *job, ty_diag *diag);

#endif
