/* include/tycho/tools/live.h - a run with its doors open: a page in the browser that shows and drives it, at the pace of the
 * wall clock, faster, or step by step. Protocol: docs/live.md
 *
 *     ty_live_def def = ty_live_def_default();
 *     def.scenario = scenario;
 *     ty_live_create(&def, &live, &diag);
 *     puts(ty_live_address(live));
 *     while (!ty_live_done(live) && ty_live_turn(live, &diag) == TY_OK) {
 *     }
 *     ty_live_destroy(live);
 *
 * The drivers of the scenario's rovers go on until somebody takes over; a run that nobody touches has the bits of one
 * without doors. Threads: one live run, one thread at a time; sockets, tiles of ground and pictures have threads of their
 * own, and no client can hold up the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_LIVE_H
#define TYCHO_LIVE_H
#include "tycho/record.h"
TY_BEGIN_DECLS

typedef struct ty_live ty_live;

/* Start from ty_live_def_default(). Texts are copied. */
typedef struct ty_live_def {
    const ty_scenario *scenario; /* outlives the live run, which works on a copy whose rovers are driven from outside */
    const ty_record_def *record; /* also into a folder; NULL: no. A run that is recorded cannot be reset */
    const char *listen;          /* 127.0.0.1   numeric address; others than loopback let the network in */
    int port;                    /* 0           the first free one from 8765 on */
    const char *token;           /* NULL: at random; 8 to 64 letters and digits, part of the address */
    const char *origin;          /* NULL        of another page that may connect: "https://app.foxglove.dev" */
    int clients;                 /* 8           most at a time, 1 to 32 */
    double speed;                /* 1           times real time; 0: as fast as it can */
    bool paused;                 /* false       waits for the first "run" or "step" */
    bool stay;                   /* false       goes on serving after its duration */
    bool overlap;                /* true        as ty_run_def */
    double lockstep; /* 0           [s] after which it waits for a command of each rover without a driver; 0: never */
    const char *replay; /* NULL        folder of a finished run of this scenario, which is shown again, with seek */
    bool ros;           /* false       also ROS 2 topics, by DDS: docs/live.md. TY_ERR_INPUT where it is not built in */
    int ros_domain;     /* 0           0 to 232 */
    bool ros_network;   /* false       not only this machine: whoever reaches it can watch and drive */
    const char *ros_namespace; /* NULL        before all topics but /clock, /tf, /tf_static and /diagnostics */
    void (*note)(void *user, const char *sentence); /* what the user should know; NULL: nobody */
    void *note_user;
    uint32_t cookie;
} ty_live_def;
TY_API ty_live_def ty_live_def_default(void);

/* Makes run, record and server. On success the caller owns *out. TY_ERR_FILE: the port is taken; and what run and record
 * return. */
TY_API ty_status ty_live_create(const ty_live_def *def, ty_live **out, ty_diag *diag);
TY_API void ty_live_destroy(ty_live *live); /* NULL is allowed */

TY_API const char *ty_live_address(const ty_live *live); /* "http://127.0.0.1:8765/TOKEN/" */
TY_API ty_run *ty_live_run(ty_live *live);
TY_API ty_record *ty_live_record(ty_live *live); /* to be finished by the caller, at the end; NULL: there is none */
/* Takes the clients' commands, then makes the steps that are due, of at most some 20 ms; waits where none is. */
TY_API ty_status ty_live_turn(ty_live *live, ty_diag *diag);
TY_API bool ty_live_done(const ty_live *live); /* the duration is over */

typedef struct ty_live_stats {
    uint64_t steps, late; /* late: by more than 10 ms of the wall clock, at a speed that was asked for */
    double late_worst;    /* [s] */
    double jitter;        /* [s] root mean square of how late steps began that were waited for */
    double rate;          /* [-] simulated / wall over the last second */
    int clients;
    uint64_t clients_seen, refused, sent, dropped; /* requests, messages */
    uint64_t frames, tiles, images;                /* of state, of ground, of cameras that were sent */
    uint64_t resets;
    uint64_t ros_sent, ros_dropped, ros_received; /* messages by DDS; dropped: the readers could not keep up */
    double page_fps;                              /* [1/s] frames that a page drew in its last second, as it says */
    uint64_t page_told;                           /* how often one said it */
    uint64_t questions, late_answers; /* lockstep: late: after more than the period at the speed that is asked for */
} ty_live_stats;
TY_API ty_live_stats ty_live_get_stats(ty_live *live);

TY_END_DECLS
#endif
