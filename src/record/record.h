/* src/record/record.h - a record from the inside: what is kept of a run, and the files made of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RECORD_H
#define TYI_RECORD_H
#include <stdio.h>
#include "core/core.h"
#include "io/out.h"
#include "tycho/record.h"
#include "tycho/trace.h"
#include "io/mcap.h"

#define TYI_RECORD_PATH (TY_PATH_MAX + 300) /* of a file in the folder */
#define TYI_RECORD_FILE 240                 /* of its name below the folder */

/* ---- telemetry ---- */

/* One row of one rover. */
typedef struct tyi_record_row {
    double t;                /* [s] */
    ty_vec3 p;               /* [m] W */
    double roll, pitch, yaw; /* [rad] B in W: about x, y, z */
    double speed, way, turn; /* [m/s], [m], [rad/s] of turning about z, either way */
    double sun, lit;         /* [rad] elevation of the Sun, [-] how much of its disk the rover sees over the ground */
    double power;            /* [W] of all drive motors */
    double back;             /* [W] of those that are turned by the ground: 0 or less, part of power */
    int wheels;
    uint32_t contact, turns; /* bits: the wheel touches ground or rock; it turns, or is moved over the ground */
    /* [-] [m] [N m] [N] */
    float slip[TY_WHEELS_MAX], sinkage[TY_WHEELS_MAX], torque[TY_WHEELS_MAX], load[TY_WHEELS_MAX];
    int tools, spare;
    /* [kg] [N m] [W] [J] of tools */
    float carried[TY_TOOLS_MAX], turn_nm[TY_TOOLS_MAX], given[TY_TOOLS_MAX], work[TY_TOOLS_MAX];
    double dust_airborne, dust_on;                 /* [kg] of the whole run, and on this rover */
    double dust_panel, dust_radiator, dust_warmer; /* tyi_sim_dust_harm */
} tyi_record_row;

/* How far each wheel has come [m]: plain data. */
typedef struct tyi_record_ways {
    double rim[TY_WHEELS_MAX];    /* turned, or told to, forwards less backwards */
    double ground[TY_WHEELS_MAX]; /* over the ground, the way it points */
} tyi_record_ways;

#define TYI_RECORD_TRAIL 61 /* looks, one each second: a minute, chosen */

/* What is remembered of a rover from look to look: plain data, kept in checkpoints as it is. */
typedef struct tyi_record_watch {
    double lit;                /* [-] seen part of the Sun's disk at the last look */
    double rim, ground;        /* [m/s] of its wheels, told or turning, and of the rover under them: running means */
    double off[TY_WHEELS_MAX]; /* [s] since which each wheel touches nothing; negative: it does */
    uint64_t reached;          /* waypoints */
    tyi_record_ways ways, trail[TYI_RECORD_TRAIL]; /* at the last look; a ring, one each second */
    uint64_t trails;                               /* written to it so far */
    double next_trail;                             /* [s] */
} tyi_record_watch;

/* The numbers of a rover's run in short. */
typedef struct tyi_record_digest {
    /* [m] [m/s] [-] [-] [m] [m] [rad] [J] */
    double way, speed_mean, slip_mean, slip_max, sinkage_mean, sinkage_max, tilt_max, energy;
    double slip_moving, back; /* [-] mean slip while the rover moves; [J] given back by the ground */
    double contact;           /* [-] smallest share of time in which a wheel touches something */
} tyi_record_digest;

/* What a rover's rows add up to so far. */
typedef struct tyi_record_sums {
    uint64_t seen, every;          /* rows so far; one in so many is kept for the plots */
    tyi_record_digest total;       /* means are sums here, */
    double count, moving;          /* of so many: wheels' rows, and those in which the rover moved */
    double touched[TY_WHEELS_MAX]; /* rows in which each wheel touched something */
    tyi_record_row last;
} tyi_record_sums;

#define TYI_RECORD_ROWS 8192 /* rows of a rover that are kept at most: when there are as many, every other one goes */

typedef struct tyi_record_rover {
    const char *name;
    FILE *csv;
    tyi_record_row *row; /* some of them, evenly, the first and the newest among them */
    size_t rows, capacity;
    tyi_record_sums sums;
    tyi_record_watch watch;
} tyi_record_rover;

/* ---- sensors ---- */

/* A picture of what a sensor gave, for the report. */
typedef struct tyi_record_frame {
    char file[TYI_RECORD_FILE]; /* below the run's folder */
    uint64_t sensor;
    double t; /* [s] when its window opened */
} tyi_record_frame;

/* Numbers of one sensor over the run: times, then each channel. */
typedef struct tyi_record_kept {
    double *value;
    int32_t channels, unused;
    uint64_t count, seen, every;
} tyi_record_kept;

/* ---- events ---- */

typedef enum tyi_record_event_kind {
    TYI_EVENT_SLIP,
    TYI_EVENT_TILT,
    TYI_EVENT_ROCK,
    TYI_EVENT_SHADOW,
    TYI_EVENT_STUCK,
    TYI_EVENT_TIP_OVER,
    TYI_EVENT_WHEEL_OFF,
    TYI_EVENT_MOTOR_LINE,
    TYI_EVENT_WAYPOINT,
    TYI_EVENT_GAVE_UP,
    TYI_EVENT_COLLISION,
    TYI_EVENT_ADDED, /* from here on of things, not of rovers alone */
    TYI_EVENT_REMOVED,
    TYI_EVENTS
} tyi_record_event_kind;

/* Plain data, kept in checkpoints as it is. */
typedef struct tyi_record_event {
    int32_t kind, rover; /* rover -1: of something that is none */
    int32_t wheel;       /* of the worst value; -1: of the whole rover */
    int32_t index;       /* of a waypoint, from 0; else 0 */
    uint64_t rock;       /* id; 0: none */
    double diameter;     /* [m] of the rock */
    double begin, end;   /* [s] first and last look at which it went on */
    double worst; /* slip [-], tilt [rad], force [N], seen part of the Sun's disk [-], time [s], share of a limit [-] */
    double x, y;  /* [m] W, where it began: of the wheel that met a rock, of the rover otherwise */
    char other[64]; /* what it collided with, what came or left; "": nothing */
} tyi_record_event;

typedef struct tyi_record_events {
    tyi_record_event *list;
    size_t count, room;
    size_t told; /* rows of the run's log of what comes and goes */
    ty_time next_look, next_sun;
} tyi_record_events;

/* What a checkpoint took. */
typedef struct tyi_record_save {
    double t, wall;         /* [s] of the run; that it took */
    uint64_t state, ground; /* [bytes] the file `checkpoint`; what this one added to the ground's */
} tyi_record_save;
#define TYI_RECORD_SAVES 288 /* rows of timing.json at most, an even number */

/* Real time: sleeps while the run is ahead of the wall clock, counts steps that end later than slack [s] after their
 * time. */
typedef struct tyi_record_pace {
    bool on, started, behind;
    double slack, origin, worst; /* [s] worst: the latest a step was */
    size_t steps, late, episodes;
} tyi_record_pace;
void tyi_record_pace_step(tyi_record_pace *pace, double simulated);

/* ---- the record ---- */

typedef struct tyi_record_mcap tyi_record_mcap;
typedef struct tyi_record_writers tyi_record_writers;

struct ty_record {
    ty_record_def def; /* its texts are those below */
    ty_run *run;
    const ty_scenario *scenario;
    ty_run *own_run; /* of a resumed record */
    ty_scenario *own_scenario;
    char folder[TY_PATH_MAX];
    int lock;       /* descriptor of the folder, locked; -1: none */
    char *file;     /* the scenario's, as it was given; NULL: it has none */
    char *settings; /* one text after the other */
    size_t setting_bytes, setting_count;
    char absolute[TY_PATH_MAX]; /* the scenario's file from everywhere */
    uint64_t inputs;            /* hash of scenario, settings and the files they name */
    char overview[TY_PATH_MAX];
    tyi_record_rover *rover;
    size_t rovers, sensors;
    tyi_record_frame *frame;
    size_t frames, frame_capacity;
    uint64_t messages, images, clouds;
    ty_tone tone;     /* of all pictures of radiance: found at the start, so that frames can be compared */
    FILE *ground_out; /* checkpoints' edits of the ground; NULL: none yet */
    uint64_t ground_file, ground_valid; /* its number; that of the last checkpoint */
    uint64_t ground_bytes;
    FILE **samples;        /* of each sensor that gives samples: its CSV file; NULL: none yet */
    tyi_record_kept *kept; /* of each sensor */
    tyi_record_events events;
    tyi_record_mcap *mcap;
    tyi_record_writers *writers;
    ty_time next_row, next_save, resumed;
    bool done, stopped, finished;
    size_t ends_with; /* event that ends the run, from 1; 0: none */
    char ended[200];
    ty_diag late; /* of the first message that could not be written */
    /* made at the end */
    ty_world_edits_report ground; /* of terrain_before.tif and terrain_after.tif */
    int videos;                   /* in video/ */
    /* the wall clock */
    tyi_record_pace pace;
    double began;                   /* [s] monotonic, of the first step; 0: not yet */
    int64_t date;                   /* [s] since 1970 */
    double wall, wall_pictures;     /* [s] steps, what is drawn at the end */
    double wall_write, wall_events; /* [s] telemetry and checkpoints; looking for events */
    tyi_io_cdr
        checkpoint; /* bytes of the last one: a block of this size, taken and given back each time, leaves holes in the heap */
    tyi_record_save save[TYI_RECORD_SAVES];
    size_t saves, save_every; /* one row for so many checkpoints: 1, 2, 4, ... */
    size_t save_count;        /* of all of them */
};

/* folder.c: names and files */
ty_status tyi_record_folder_make(ty_record *r, ty_diag *diag);
ty_status tyi_record_folder_lock(ty_record *r, ty_diag *diag);
void tyi_record_folder_sweep(const char *folder); /* takes away what a killed run was writing */
ty_status tyi_record_names_check(const ty_record *r, ty_diag *diag);
/* FOLDER/file */
const char *tyi_record_path(const ty_record *r, const char *file, char out[TYI_RECORD_PATH]);
/* "" for the only rover of a run, else "NAME/" */
void tyi_record_prefix_rover(const ty_record *r, size_t rover, char out[80]);
void tyi_record_prefix_sensor(const ty_record *r, size_t sensor, char out[80]);
void tyi_record_make_way(const ty_record *r, const char *file); /* makes the folders on the way to a file */
/* "PREFIX/frames/NAV_0000300_raw.png": time in milliseconds, and what is beyond them for periods below one; the folder is
 * made if need be. */
void tyi_record_file(const ty_record *r, const char *folder, size_t sensor, ty_time at, const char *ending,
                     char out[TYI_RECORD_FILE]);
void tyi_record_samples_file(const ty_record *r, size_t sensor, const char *ending, char out[TYI_RECORD_FILE]);
/* Closes a stream, NULL is allowed, and says whether all of it reached the disk. */
ty_status tyi_record_close(FILE **f, const char *path, ty_status status, ty_diag *diag);

/* telemetry.c */
const char *tyi_record_soil(const ty_record *r); /* name of the model of the soil that lies everywhere but in regions */
void tyi_record_telemetry_file(const ty_record *r, size_t rover, char out[TYI_RECORD_FILE]);
ty_status tyi_record_telemetry_row(ty_record *r, size_t rover, ty_diag *diag); /* keeps and writes one row */
ty_status tyi_record_telemetry_close(ty_record *r, ty_diag *diag);
tyi_record_digest tyi_record_digest_of(const ty_record *r, size_t rover);

/* A message and where it goes: all that is needed to write it by a thread of its own. */
typedef struct tyi_record_writing {
    ty_message message;
    const ty_sensor_def *def; /* of its sensor */
    ty_tone tone;
    char path[TYI_RECORD_PATH]; /* of its files, without what each ends in */
} tyi_record_writing;
ty_status tyi_record_write(const tyi_record_writing *what, ty_diag *diag); /* files.c */

/* writers.c: they may be NULL (one processor): who gives then writes. `first` is the first failure of all messages. */
tyi_record_writers *tyi_record_writers_create(int threads);               /* of the run; 0: all processors */
void tyi_record_writers_destroy(tyi_record_writers *w);                   /* once all is written */
ty_status tyi_record_writers_wait(tyi_record_writers *w, ty_diag *first); /* until all is written */
ty_status tyi_record_writers_give(tyi_record_writers *w, const tyi_record_writing *what, ty_diag *first);

/* files.c, samples.c */
void tyi_record_receive(void *user, const ty_message *message); /* a ty_message_receive, user is the record */
ty_status tyi_record_add_frame(ty_record *r, const char *file, size_t sensor, double t, ty_diag *diag);
/* an 8-bit picture for the eye, gamma 2.2 */
ty_status tyi_record_write_gray(const ty_buffer *image, const ty_tone *tone, const char *path, ty_diag *diag);
/* The run's tone curve, where a camera writes pictures of radiance. */
ty_status tyi_record_tone(ty_record *r, ty_diag *diag);
/* rows of the part `boxes` as boxes; *flat and *solid from malloc */
size_t tyi_record_boxes(const ty_message *m, ty_truth_box2 **flat, ty_truth_box3 **solid);
bool tyi_record_overlaid(const ty_sensor_def *sensor); /* its pictures have copies that are drawn over */
/* overlay.c: the copy with lines of a picture that was just written; while its message is delivered */
ty_status tyi_record_overlay(const ty_record *r, const ty_message *m, const char *picture, ty_diag *diag);
void tyi_record_samples_add(ty_record *r, const ty_message *message);
size_t tyi_record_kept_bytes(const tyi_record_kept *kept); /* of its values */
ty_status tyi_record_samples_close(ty_record *r, ty_diag *diag);
ty_status tyi_record_samples_draw(ty_record *r, ty_diag *diag); /* samples/NAME.png */

/* events.c */
const char *tyi_record_event_name(tyi_record_event_kind kind); /* "high_slip", in files */
const char *tyi_record_event_what(tyi_record_event_kind kind); /* "high slip" */
/* its extreme value and the unit of that, as files and people get it */
double tyi_record_event_worst(const tyi_record_event *v);
const char *tyi_record_event_unit(const tyi_record_event *v);
/* wheel, rock and worst value, in words */
const char *tyi_record_event_rover(const ty_record *record, const tyi_record_event *event); /* its name; "": none */
void tyi_record_event_text(const tyi_record_event *event, ty_run *run, char *out, size_t size);
ty_status tyi_record_events_step(ty_record *r, ty_diag *diag); /* after each step */
void tyi_record_events_end(ty_record *r);                      /* when a run ends */
/* how many, how long in all; rover SIZE_MAX: of all */
size_t tyi_record_events_count(const ty_record *r, tyi_record_event_kind kind, size_t rover, double *seconds);
ty_status tyi_record_events_write(const ty_record *r, ty_diag *diag); /* events.csv */

/* stuck.c: share of the wheels' way [-] that is lost; 0 where they do not turn. At each look, period [s] after the last */
double tyi_record_stuck(tyi_record_watch *w, const ty_vehicle *v, const ty_vehicle_state *s, double t, double period);

/* mcap.c: run.mcap. Failures of single messages are kept and reported by close. */
ty_status tyi_record_mcap_open(ty_record *r, const void *state, size_t bytes,
                               ty_diag *diag); /* state NULL: a new one */
ty_status tyi_record_mcap_save(tyi_record_mcap *m, tyi_io_cdr *out, ty_diag *diag);
const ty_diag *tyi_record_mcap_diag(const tyi_record_mcap *m);      /* what went wrong so far */
ty_status tyi_record_mcap_close(tyi_record_mcap *m, ty_diag *diag); /* NULL is allowed */

/* calibration.c: calibration/CAMERA.yaml and camchain.yaml at the start, trajectory_tum.txt of each rover at the end */
ty_status tyi_record_calibration(const ty_record *r, ty_diag *diag);
ty_status tyi_record_trajectory(const ty_record *r, ty_diag *diag);

/* checkpoint.c */
/* Writes FOLDER/checkpoint as a whole or not at all: the run, the record, how far each file has come, and the
 * recording. */
ty_status tyi_record_checkpoint_write(ty_record *r, ty_diag *diag);
/* The bytes of a folder's checkpoint, whole and of this build; what its run was started with goes into r. */
ty_status tyi_record_checkpoint_read(ty_record *r, tyi_io_cdr *out, ty_diag *diag);
/* Puts run and record where they were, and cuts files back. */
ty_status tyi_record_checkpoint_resume(const tyi_io_cdr *checkpoint, ty_record *r, ty_diag *diag);
void tyi_record_checkpoint_remove(const ty_record *r);
/* inputs.c: hash of a scenario's file, of settings, and of every file that they name */
ty_status tyi_record_inputs(ty_record *r, uint64_t *out, ty_diag *diag);

/* what is made at the end */
ty_status tyi_record_overview(const ty_record *r, ty_diag *diag);
ty_status tyi_record_ground(ty_record *r, ty_diag *diag);
void tyi_record_video(ty_record *r);
ty_status tyi_record_draw(const ty_record *r, ty_diag *diag); /* plots.png, map.png of each rover, and */
ty_status tyi_record_draw_tools(const ty_record *r, size_t rover, const char *path,
                                ty_diag *diag);        /* tools.png where tools met soil */
bool tyi_record_tool_worked(const ty_tool_view *tool); /* it met soil */
ty_status tyi_record_summary(const ty_record *r, ty_diag *diag);
ty_status tyi_record_dust(const ty_record *r, ty_diag *diag); /* dust.c: dust.csv, in runs with dust */
ty_status tyi_record_timing(ty_record *r, ty_diag *diag);
ty_status tyi_record_report(ty_record *r, ty_diag *diag);
/* the command that repeats the run, quoted for a shell; to be freed; NULL: there is none, or no memory */
char *tyi_record_command(const ty_record *r);
#define TYI_RECORD_COSTS 6
void tyi_record_costs(ty_record *r, double out[TYI_RECORD_COSTS]);

#endif
