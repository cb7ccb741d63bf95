/* bridge/web/live.h - the inside of a live run: who drives, what clients asked for, the pace.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_LIVE_H
#define TYI_WEB_LIVE_H
#include <jansson.h>
#include <stdio.h>
#include "tycho/tools/live.h"
#include "vehicle/driver.h"
#include "web.h"

#define COMMANDS 256 /* of clients, on their way to the run */
#define POINTS   64  /* of a path */

#define TYI_LIVE_JOINTS (2 * TY_WHEELS_MAX + TY_MOTORS_MAX) /* rates of wheels, angles of theirs, motors */

typedef enum verb { DRIVE, MOVE, PATH, AUTO, STOP, ADD, REMOVE, PAUSE, GO, STEP, RESET, SPEED, SUN, SEEK } verb;

typedef struct command {
    verb verb;
    uint32_t client;
    size_t rover;
    ty_drive_command drive;
    double value; /* speed, shift of the Sun, speed along a path */
    int count;    /* steps, points */
    union {
        float point[POINTS][2];
        float joint[TYI_LIVE_JOINTS]; /* NaN: as it was */
        char text[1024];              /* what is added, as a line of a scenario; a name */
    };
} command;

typedef enum mode { STANDS, SCENARIO, BY_HAND, PATHS, JOINTS } mode;
typedef struct tyi_live_hub tyi_live_hub;
typedef struct tyi_live_replay tyi_live_replay;

/* what a rover's vehicle is told */
typedef struct tyi_live_told {
    bool joints;
    ty_drive_command drive;
    double joint[TYI_LIVE_JOINTS];
} tyi_live_told;

typedef struct pilot {
    mode mode, first;
    tyi_vehicle_driver *own, *path; /* the scenario's; the one clients made */
    ty_drive_command hand;
    double joint[TYI_LIVE_JOINTS]; /* what each was told last; motors: NaN before that */
    tyi_live_told told;            /* what was written last */
    bool logged;
    bool answered;   /* in lockstep */
    uint32_t client; /* who drives by hand */
    double heard;    /* [s] wall */
    /* what goes on, so that it is told once */
    bool tilted, slips;
    uint64_t rock;
} pilot;

struct ty_live {
    ty_scenario scenario; /* a copy, driven from outside */
    ty_scenario_rover *rover;
    ty_run *run;
    ty_record *record;
    void *start; /* the run as it was */
    size_t start_bytes;
    ty_utc start_utc;
    pilot *pilot;
    size_t rovers;
    tyi_web_file *file;
    tyi_web_server *server;
    tyi_web_ground *ground;
    tyi_web_pictures *pictures;
    tyi_live_hub *hub;
    tyi_live_replay *replay;
    FILE *log;               /* of commands, beside a record */
    ty_time seek;            /* [ns] towards which it goes without a pace; -1: none */
    ty_time lockstep, asked; /* [ns] between questions, 0: none; time of the last, -1: none yet */
    double asked_wall;       /* [s] */
    char address[256], token[80];
    void (*note)(void *user, const char *sentence); /* as ty_live_def */
    void *note_user;
    bool stay, done, ended_told;
    /* clients' commands */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    command command[COMMANDS];
    int commands;
    atomic_bool called;
    uint32_t left[COMMANDS]; /* clients that are gone */
    int lefts;
    /* pace */
    bool paused;
    double speed; /* 0: as fast as it can */
    int64_t steps_left;
    double origin, anchor; /* wall and simulated [s] from which the pace counts */
    bool anchored;
    double next_state, rate_wall, rate_sim;
    uint32_t sequence, epoch;
    uint64_t edits, rocks; /* versions that the ground's thread was told of */
    double next_cast;      /* [s] wall, when clients are told who is there */
    double sun_shift, next_look, next_edit;
    double jitter_sum;
    uint64_t jitter_count;
    ty_live_stats stats;
    atomic_int drawn;         /* [1/1000 s] frames that a page drew in its last second, as it says */
    atomic_ullong drawn_told; /* how often one said it */
};

/* ---- tell.c: what clients are told; client 0 is all of them ---- */

void tyi_live_tell(ty_live *l, uint32_t client, json_t *what); /* takes what over */
void tyi_live_event(ty_live *l, const char *kind, const char *rover, const char *text);
void tyi_live_note(ty_live *l, uint32_t client, const char *text);
void tyi_live_cast(ty_live *l);                             /* who has come and left, soon */
void tyi_live_send_rect(ty_live *l, const int32_t rect[4]); /* of the ground, to the thread that makes tiles */
void tyi_live_look(ty_live *l, double now);                 /* state, edits, what is worth a look, when they are due */
void tyi_live_receive(void *user, const ty_message *m);     /* a sensor's message */

/* ---- commands.c: on the server's thread ---- */

double tyi_live_within(double v, double low, double high);
const char *tyi_live_give(ty_live *l, const command *c); /* to the run; NULL: fine */
const char *tyi_live_received(void *user, uint32_t client, bool text, const uint8_t *data, size_t bytes);
/* an object with a key op; NULL: fine, or why it is none */
const char *tyi_live_command(ty_live *l, uint32_t client, const json_t *j);
void tyi_live_opened(void *user, uint32_t client, int protocol);
void tyi_live_closed(void *user, uint32_t client);

/* ---- obey.c: on the run's thread ---- */

void tyi_live_anchor(ty_live *l); /* the pace counts from now */
ty_status tyi_live_make_pilots(ty_live *l, const ty_scenario *from, ty_diag *diag);
ty_status tyi_live_obey(ty_live *l, const command *c, ty_diag *diag);
ty_status tyi_live_take_commands(ty_live *l, ty_diag *diag);
void tyi_live_tell_path(ty_live *l, size_t rover, const command *c); /* NULL: it has none any more */
bool tyi_live_waits(ty_live *l); /* in lockstep, for an answer; asks where it is time to */
ty_status tyi_live_drive(ty_live *l, ty_diag *diag);
/* something is put into the run or taken away, and it is written where the run is recorded. A failure is told in diag alone. */
ty_status tyi_live_change(ty_live *l, bool leaves, const char *text, ty_diag *diag);

/* ---- hub.c: ROS messages; on the run's thread ---- */

ty_status tyi_hub_start(ty_live *l, const ty_live_def *def, ty_diag *diag);
void tyi_hub_stop(ty_live *l); /* hears nothing any more; before the run ends */
void tyi_hub_free(ty_live *l);
void tyi_hub_step(ty_live *l); /* between steps */
void tyi_hub_event(ty_live *l, const char *kind, const char *rover, const char *text);
void tyi_hub_reset(ty_live *l);
void tyi_hub_ask(ty_live *l); /* lockstep: an answer is waited for */

#endif
