/* app/run.h - `tycho run`: what is kept of a run, and the files made of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_RUN_H
#define TYCHO_APP_RUN_H
#include <stdio.h>
#include "app.h"
#include "tycho/tools/mcap.h"
#include "tycho/run.h"

/* One row of telemetry of one rover. */
typedef struct run_row {
    double t;                /* [s] */
    ty_vec3 p;               /* [m] W */
    double roll, pitch, yaw; /* [rad] B in W: about x, y, z */
    double speed, way;       /* [m/s], [m] */
    double sun, lit;         /* [rad] elevation of the Sun, [-] how much of its disk the rover sees over the ground */
    double power;            /* [W] of all drive motors */
    int wheels;
    /* [-] [m] [N m] [N] */
    float slip[TY_WHEELS_MAX], sinkage[TY_WHEELS_MAX], torque[TY_WHEELS_MAX], load[TY_WHEELS_MAX];
} run_row;

/* A picture of what a sensor gave, for the report. */
typedef struct run_frame {
    char file[200]; /* below the run's folder */
    size_t sensor;
    double t; /* [s] when its window opened */
} run_frame;

/* Real time: sleeps while the run is ahead of the wall clock, counts steps that end later than slack [s] after their
 * time. */
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

/* ---- events ---- */

typedef enum run_event_kind {
    RUN_EVENT_SLIP,
    RUN_EVENT_TILT,
    RUN_EVENT_ROCK,
    RUN_EVENT_SHADOW,
    RUN_EVENTS
} run_event_kind;

/* Plain data, kept in checkpoints as it is. */
typedef struct run_event {
    int32_t kind, rover;
    int32_t wheel;     /* of the worst value; -1: of the whole rover */
    int32_t unused;    /* 0 */
    uint64_t rock;     /* id; 0: none */
    double diameter;   /* [m] of the rock */
    double begin, end; /* [s] first and last look at which it went on */
    double worst;      /* slip [-], tilt [rad], force [N], seen part of the Sun's disk [-] */
    double x, y;       /* [m] W, where it began: of the wheel that met a rock, of the rover otherwise */
} run_event;

typedef struct run_events {
    run_event *list;
    size_t count, room;
    ty_time next_look, next_sun;
    double lit; /* [-] seen part of the Sun's disk at the first rover, at the last look */
} run_events;

typedef struct run_record {
    const ty_scenario *scenario;
    const char *folder, *command;
    FILE *csv; /* of the first rover's telemetry and the others', one file each */
    run_row *row;
    size_t rows, capacity;
    run_frame *frame;
    size_t frames, frame_capacity;
    run_events events;
    ty_world_edits_report ground;        /* of terrain_before.tif and terrain_after.tif */
    int videos;                          /* in video/ */
    double wall, wall_render, wall_wait; /* [s] all, frames on the worker, waiting for them */
    double wall_write, wall_events;      /* [s] telemetry, checkpoints; looking for events */
    FILE **samples;                      /* of each sensor that gives samples: its CSV file; NULL: none yet */
    size_t messages, sensors;
    run_kept *kept; /* of each sensor */
    run_pace pace;
    ty_diag diag;      /* of the first message that could not be written */
    double simulated;  /* [s] */
    const char *ended; /* "duration", "path", or a sentence */
} run_record;

ty_status run_record_row(run_record *r, ty_run *run, ty_diag *diag); /* keeps and writes one row of the first rover */
ty_status run_record_frame(run_record *r, const char *file, size_t sensor, double t, ty_diag *diag);
void run_record_free(run_record *r);
/* A file of the folder under a temporary name, NULL with the sentence; closing gives it its own. */
FILE *run_open_new(const run_record *r, const char *name, char *path, size_t size, ty_diag *diag);
ty_status run_close_new(FILE *f, char *path, ty_diag *diag);

const char *run_event_name(run_event_kind kind); /* "high_slip", in files */
const char *run_event_what(run_event_kind kind); /* "high slip" */
/* its extreme value and the unit of that, as files and people get it */
double run_event_worst(const run_event *v);
const char *run_event_unit(const run_event *v);
/* wheel, rock and worst value, in words */
void run_event_text(const run_event *event, ty_run *run, char *out, size_t size);
ty_status run_events_step(run_events *events, ty_run *run, ty_diag *diag);               /* after each step */
size_t run_events_count(const run_events *events, run_event_kind kind, double *seconds); /* how many, how long in all */
ty_status run_events_write(const run_record *r, ty_run *run, ty_diag *diag);             /* events.csv */

/* ---- progress, and where the time goes ---- */

#define RUN_COSTS 6
typedef struct run_costs {
    double s[RUN_COSTS]; /* [s] of the run's own thread, each under run_cost_name[] */
} run_costs;
extern const char *const run_cost_name[RUN_COSTS];
run_costs run_costs_of(ty_run *run, const run_record *r);

typedef struct run_progress {
    bool quiet, terminal, shown;
    int skipped, width;
    double start, last, from; /* [s] wall, wall, simulated at the start */
} run_progress;
void run_progress_start(run_progress *p, bool quiet, double simulated);
void run_progress_step(run_progress *p, ty_run *run, const run_record *r, double done, double total);
void run_progress_end(run_progress *p);

/* Writes what a sensor gave: a ty_message_receive, user is a run_files. */
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
size_t run_kept_bytes(const run_kept *kept);                                                    /* of its values */
void run_samples_path(const run_record *r, ty_run *run, size_t sensor, char *out, size_t size); /* of its CSV file */
/* Radiance that becomes white, for the ground: 96 % of what is lit stays clearly below white. */
double run_white(const float *radiance, size_t n);

/* The recording of a run, run.mcap. Failures of single messages are kept and reported by close. */
typedef struct run_mcap run_mcap;
ty_status run_mcap_create(const char *path, ty_run *run, const ty_scenario *scenario, run_mcap **out, ty_diag *diag);
ty_status run_mcap_resume(const char *path, ty_run *run, const ty_scenario *scenario, const void *state, size_t bytes,
                          run_mcap **out, ty_diag *diag);
void run_mcap_row(run_mcap *m);                               /* rovers as they are now */
void run_mcap_receive(void *user, const ty_message *message); /* a ty_message_receive, user is a run_mcap */
ty_status run_mcap_save(run_mcap *m, ty_cdr *out, ty_diag *diag);
const ty_diag *run_mcap_diag(const run_mcap *m);      /* what went wrong so far */
ty_status run_mcap_close(run_mcap *m, ty_diag *diag); /* NULL is allowed */

/* ---- checkpoints ---- */

/* What a run was started with. */
typedef struct run_start {
    char scenario[4096];
    char settings[4096]; /* one per line */
    bool mcap, video;
    int64_t every; /* [ns] between checkpoints */
} run_start;

/* Writes FOLDER/checkpoint as a whole or not at all: the run, the record, how far each file has come, and the
 * recording. */
ty_status run_checkpoint_write(const run_start *start, run_record *r, ty_run *run, run_mcap *mcap, int64_t next_row,
                               ty_diag *diag);
/* The bytes of a folder's checkpoint, from malloc, and what its run was started with. */
ty_status run_checkpoint_read(const char *folder, run_start *start, ty_cdr *out, ty_diag *diag);
/* Puts run and record where they were, and cuts files back. */
ty_status run_checkpoint_resume(const ty_cdr *checkpoint, run_record *r, ty_run *run, run_mcap **mcap,
                                int64_t *next_row, ty_diag *diag);
void run_checkpoint_remove(const char *folder);

/* The numbers of a run in short. */
typedef struct run_digest {
    /* [m] [m/s] [-] [-] [m] [m] [rad] [J] */
    double way, speed_mean, slip_mean, slip_max, sinkage_mean, sinkage_max, tilt_max, energy;
} run_digest;
run_digest run_digest_of(const run_record *r);

/* overview.png (or another path), terrain_before.tif and terrain_after.tif, video/, plots.png, map.png, summary.json
 * and report.html */
ty_status run_overview(const run_record *r, ty_run *run, const char *path, ty_diag *diag);
ty_status run_ground(run_record *r, ty_run *run, ty_diag *diag);
void run_video(run_record *r, ty_run *run);
ty_status run_draw(run_record *r, ty_run *run, ty_diag *diag);
ty_status run_summary(const run_record *r, ty_run *run, ty_diag *diag);
ty_status run_report(const run_record *r, ty_run *run, ty_diag *diag);

#endif
