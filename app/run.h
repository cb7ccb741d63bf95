/* app/run.h - `tycho run`: what is kept of a run, and the files made of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_RUN_H
#define TYCHO_APP_RUN_H
#include <stdio.h>
#include "app.h"
#include "tycho/mcap.h"
#include "tycho/run.h"

/* One row of telemetry of one rover. */
typedef struct run_row {
    double t;                  /* [s] */
    ty_vec3 p;                 /* [m] W */
    double roll, pitch, yaw;   /* [rad] B in W: about x, y, z */
    double speed, way;         /* [m/s], [m] */
    double sun;                /* [rad] elevation of the Sun */
    double power;              /* [W] of all drive motors */
    int wheels;
    float slip[TY_WHEELS_MAX], sinkage[TY_WHEELS_MAX], torque[TY_WHEELS_MAX], load[TY_WHEELS_MAX]; /* [-] [m] [N m] [N] */
} run_row;

/* A picture of what a sensor gave, for the report. */
typedef struct run_frame {
    char file[200]; /* below the run's folder */
    size_t sensor;
    double t; /* [s] when its window opened */
} run_frame;

/* Real time: sleeps while the run is ahead of the wall clock, counts steps that end later than slack [s] after their time. */
typedef struct run_pace {
    bool on, started, behind;
    double slack, origin, worst; /* [s] worst: the latest a step was */
    size_t steps, late, episodes;
} run_pace;
void run_pace_step(run_pace *pace, double simulated);

/* Numbers of one sensor over the run: times, then each channel. */
typedef struct run_kept {
    double *value;
    int channels;
    size_t count, seen, every;
} run_kept;

typedef struct run_record {
    const ty_scenario *scenario;
    const char *folder, *command;
    FILE *csv; /* of the first rover's telemetry and the others', one file each */
    run_row *row;
    size_t rows, capacity;
    run_frame *frame;
    size_t frames, frame_capacity;
    double wall, wall_render, wall_wait; /* [s] all, frames on the worker, waiting for them */
    FILE **samples;                      /* of each sensor that gives samples: its CSV file; NULL: none yet */
    size_t messages, sensors;
    run_kept *kept;                      /* of each sensor */
    run_pace pace;
    ty_diag diag;                        /* of the first message that could not be written */
    double simulated;         /* [s] */
    const char *ended;        /* "duration", "path", or a sentence */
} run_record;

ty_status run_record_row(run_record *r, ty_run *run, ty_diag *diag); /* keeps and writes one row of the first rover */
ty_status run_record_frame(run_record *r, const char *file, size_t sensor, double t, ty_diag *diag);
void run_record_free(run_record *r);

/* Writes what a sensor gave: a ty_receive, user is a run_files. */
typedef struct run_files {
    run_record *record;
    ty_run *run;
} run_files;
void run_files_receive(void *user, const ty_message *message);
void run_samples_add(run_record *r, const ty_message *message);
ty_status run_samples_draw(run_record *r, ty_run *run, ty_diag *diag); /* samples/NAME.png */
void run_samples_free(run_record *r);
/* How a sensor's files begin: "NAME", or "ROVER_NAME" where there are several rovers; returns out. */
const char *run_stem(const run_record *r, ty_run *run, size_t sensor, char *out, size_t size);
size_t run_kept_bytes(const run_kept *kept); /* of its values */
void run_samples_path(const run_record *r, ty_run *run, size_t sensor, char *out, size_t size); /* of its CSV file */
/* Radiance that becomes white, for the ground: 96 % of what is lit stays clearly below white. */
double run_white(const float *radiance, size_t n);

/* The recording of a run, run.mcap. Failures of single messages are kept and reported by close. */
typedef struct run_mcap run_mcap;
ty_status run_mcap_create(const char *path, ty_run *run, const ty_scenario *scenario, run_mcap **out, ty_diag *diag);
ty_status run_mcap_resume(const char *path, ty_run *run, const ty_scenario *scenario, const void *state, size_t bytes, run_mcap **out,
                          ty_diag *diag);
void run_mcap_row(run_mcap *m); /* rovers as they are now */
void run_mcap_receive(void *user, const ty_message *message); /* a ty_receive, user is a run_mcap */
ty_status run_mcap_save(run_mcap *m, ty_bytes *out, ty_diag *diag);
const ty_diag *run_mcap_diag(const run_mcap *m); /* what went wrong so far */
ty_status run_mcap_close(run_mcap *m, ty_diag *diag); /* NULL is allowed */

/* ---- checkpoints ---- */

/* What a run was started with. */
typedef struct run_start {
    char scenario[4096];
    char settings[4096]; /* one per line */
    bool mcap;
    int64_t every; /* [ns] between checkpoints */
} run_start;

/* Writes FOLDER/checkpoint as a whole or not at all: the run, the record, how far each file has come, and the recording. */
ty_status run_checkpoint_write(const run_start *start, run_record *r, ty_run *run, run_mcap *mcap, int64_t next_row, ty_diag *diag);
/* The bytes of a folder's checkpoint, from malloc, and what its run was started with. */
ty_status run_checkpoint_read(const char *folder, run_start *start, ty_bytes *out, ty_diag *diag);
/* Puts run and record where they were, and cuts files back. */
ty_status run_checkpoint_resume(const ty_bytes *checkpoint, run_record *r, ty_run *run, run_mcap **mcap, int64_t *next_row, ty_diag *diag);
void run_checkpoint_remove(const char *folder);

/* plots.png, map.png, summary.json and report.html in the run's folder */
ty_status run_draw(run_record *r, ty_run *run, ty_diag *diag);
ty_status run_summary(const run_record *r, ty_run *run, ty_diag *diag);
ty_status run_report(const run_record *r, ty_run *run, ty_diag *diag);

#endif
