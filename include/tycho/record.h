/* include/tycho/record.h - a run into a folder: frames, telemetry, events, a recording, plots, a report. What the files
 * hold: docs/run.md
 *
 *     ty_record_def def = ty_record_def_default();
 *     def.folder = "out/mine";
 *     ty_record_create(run, &def, &record, &diag);
 *     while (!ty_record_done(record) && ty_record_step(record, &diag) == TY_OK) {
 *     }
 *     ty_record_finish(record, &diag);
 *     ty_record_destroy(record);
 *
 * The same run gives the same bytes in every file but timing.json (and the part of report.html that is made of it):
 * numbers and dates of the wall clock stand there alone. Nothing is printed.
 * Threads: one record, one thread at a time. Two records cannot share a folder, in one process or in several.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RECORD_H
#define TYCHO_RECORD_H
#include "tycho/run.h"
TY_BEGIN_DECLS

typedef struct ty_record ty_record;

/* Start from ty_record_def_default(). Texts are copied. */
typedef struct ty_record_def {
    const char *folder;   /* a new one, which is made; NULL: out/NAME-N, N the first that is free */
    const char *scenario; /* the file of the run's scenario, for the report and for going on; NULL: it has none */
    const char *const *settings; /* that were given over it, "a.b=c" */
    size_t setting_count;
    bool mcap;                 /* true   run.mcap */
    bool video;                /* false  an MP4 file of each camera, by the ffmpeg program */
    bool pictures;             /* true   plots, maps, report.html; false: data alone, no video and no overview */
    bool overview;             /* true   a picture of the first rover at the end */
    const char *overview_path; /* NULL: overview.png in the folder */
    int overview_width;        /* [px]   1200   64 to 4096; the height is 5/8 of it */
    ty_time checkpoint;        /* [ns] 0  of simulated time between checkpoints; 0: none on the way */
    bool realtime;             /* false  not faster than the wall clock */
    bool overlap;              /* true   of ty_run_def, for ty_record_resume() */
    ty_progress progress;      /* told of what is drawn at the end, which may take long */
    void (*note)(void *user, const char *sentence); /* what the user should know, though nothing failed; NULL: nobody */
    void *note_user;
    uint32_t cookie;
} ty_record_def;
TY_API ty_record_def ty_record_def_default(void);

/* Makes the folder and subscribes to the run, which must be at its start and outlive the record. TY_ERR_INPUT: a name of
 * a rover, actor, sensor or wheel cannot name a file, or two would share one; TY_ERR_FILE: the folder is there already,
 * or cannot be made. On success the caller owns *out. */
TY_API ty_status ty_record_create(ty_run *run, const ty_record_def *def, ty_record **out, ty_diag *diag);
/* Goes on with the run of a folder from its last checkpoint, to the same bytes as if it had never stopped. The record
 * makes the run and owns it. Of def only video, overview, realtime, overlap, progress and note are used. TY_ERR_FORMAT:
 * the checkpoint is damaged, of another build, or the scenario or a file that it names has changed. */
TY_API ty_status ty_record_resume(const char *folder, const ty_record_def *def, ty_record **out, ty_diag *diag);
TY_API void ty_record_destroy(ty_record *record); /* NULL is allowed; what is not finished stays as it is */

TY_API ty_run *ty_record_run(ty_record *record);
TY_API const char *ty_record_folder(const ty_record *record);

/* Writes what is due now, then steps the run; at its end it only writes, and the record is done. */
TY_API ty_status ty_record_step(ty_record *record, ty_diag *diag);
TY_API bool ty_record_done(const ty_record *record);
/* Ends the run where it is: keeps a checkpoint, if it has a scenario's file, so that ty_record_resume() can go on. `why`
 * completes "it ended because". ty_record_finish() follows. */
TY_API ty_status ty_record_stop(ty_record *record, const char *why, ty_diag *diag);
/* Closes the streams, writes what is made at the end: data first, pictures after. Call it also when a step failed, with
 * its diag: then what there is is written, and the failure stays. */
TY_API ty_status ty_record_finish(ty_record *record, ty_diag *diag);

typedef struct ty_record_stats {
    double simulated; /* [s] */
    double wall;      /* [s] of all steps so far */
    size_t messages;  /* of sensors */
    size_t images, clouds;
    const char *ended; /* completes "it ended because"; "" while it goes on */
    bool resumable;    /* a checkpoint is there */
    /* [s] of the stepping thread: dynamics, soil, waiting for frames, sensors, writing, events */
    double cost[6];
    /* with realtime: steps later than slack [s], in how many stretches, at most by [s] */
    size_t steps, late, late_stretches;
    double slack, late_worst;
} ty_record_stats;
TY_API ty_record_stats ty_record_get_stats(ty_record *record);
TY_API const char *ty_record_cost_name(int cost); /* "dynamics" */

TY_END_DECLS
#endif
