/* app/render.h - `tycho render`: the job, and the pictures that are made of its buffers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_RENDER_H
#define TYCHO_APP_RENDER_H
#include "terrain_site.h"
#include "tycho/camera_sensor.h"
#include "tycho/render.h"

typedef struct render_job {
    app_site site;
    ty_scene *scene;
    ty_camera camera;
    ty_render_def def;
    ty_buffers out;
    double eye[3];    /* [m] x, y, height above the ground */
    double sun[2];    /* [rad] azimuth, elevation; NaN: as the time has it */
    double white;     /* [W/m^2/sr] radiance that becomes white; NaN: by the picture */
    double lamp;      /* [W/sr] of a spot light beside the camera; 0: none */
    double gamma;     /* [-] of the 8-bit picture */
    bool linear, truth, quiet;
    bool silent;      /* the names of the pictures are not printed */
    int detail;       /* cells along a ring of ground */
    bool physical;    /* through the physical camera */
    ty_camera_sensor_def sensor;
    bool auto_exposure;
    bool placed;      /* --eye was given */
    double from[3];   /* [rad] [rad] [m] camera by latitude, longitude and height above the sphere; NaN: by eye */
    double look[2];   /* [rad] azimuth, elevation */
    double scale;     /* [m] per unit of a mesh file */
    const char *material; /* preset of a mesh */
    const char *path;
} render_job;

/* A mesh alone in space: loads it, lights it, and stands the camera so that it fills the view, unless --eye said where. */
ty_status render_mesh_scene(render_job *job, const char *mesh, ty_diag *diag);

/* Writes the picture and, where asked for, the pictures of the ground truth; prints their names. */
ty_status render_write(const render_job *job, ty_diag *diag);

/* Radiance for white: factor times what the given share of the lit pixels does not exceed; 1 where nothing is lit. */
double render_white(const float *radiance, size_t n, double share, double factor);

#endif
