/* include/tycho/run.h - a scenario in motion: world, rovers, drivers, sensors, one clock.
 *
 *     ty_run_def def = ty_run_def_default();
 *     def.scenario = scenario;
 *     ty_run_create(&def, &run, &diag);
 *     ty_run_subscribe(run, NULL, NULL, receive, user, &diag);
 *     while (!ty_run_done(run)) {
 *         ty_run_step(run, &diag);
 *     }
 *
 * Order of a step: drivers, drive commands, wheel states, soil, multibody step, ruts, windows of sensors that close,
 * messages that are due. Frames are traced on a worker thread beside the dynamics, in a copy of the scene that the
 * stepping thread never touches; a message reaches its readers at the first step at or after its due time, whatever
 * the wall clock did, with the same bits as if it had been made in line. Threads: one run, one thread at a time;
 * several runs in one process are independent.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RUN_H
#define TYCHO_RUN_H
#include "tycho/render.h"
#include "tycho/scenario.h"
#include "tycho/tone.h"
#include "tycho/stream.h"
#include "tycho/vehicle.h"
#include "tycho/world.h"
TY_BEGIN_DECLS

typedef struct ty_run ty_run;

/* Start from ty_run_def_default(). */
typedef struct ty_run_def {
    const ty_scenario *scenario;       /* from a file, or filled in C from ty_scenario_default(); outlives the run */
    bool overlap;                      /* true   sensors that look at the scene work on a thread of their own */
    int threads;                       /* 0      of a frame: all processors */
    const ty_sensor_kind *sensor_kind; /* a user's own: kinds of sensors, filters, actions; kept by reference */
    size_t sensor_kinds;
    const ty_filter_kind *filter_kind;
    size_t filter_kinds;
    const ty_action_kind *action_kind;
    size_t action_kinds;
    ty_render_kinds render_kinds;    /* a user's own laws and lights (tycho/render.h); kept by reference */
    const ty_soil_model *soil_model; /* and soil models, by the name that `soil.user` gives */
    size_t soil_models;
    /* Where an actor without a trajectory is at a time: writes its pose in W. Called on the stepping thread. NULL: it
     * stands. */
    void (*actor_pose)(void *user, const char *actor, ty_time at, ty_pose *pose);
    void *actor_user;
    const char *folder; /* NULL: the working folder; where filters `save` write, unless a record is made of the run */
    double memory; /* 0      [bytes] that its sensors may take; 0: what is free. More is refused before it starts */
    int detail;    /* 0      cells along a ring of ground, as ty_scene_def.ring_cells; 0: the scenario's */
    void (*slow)(void *user, size_t sensor); /* for tests: called on the worker before each frame; NULL: nothing */
    void *slow_user;
    uint32_t cookie;
} ty_run_def;
TY_API ty_run_def ty_run_def_default(void);

/* On success the caller owns *out. Returns what world, vehicles, scene and sensors return. */
TY_API ty_status ty_run_create(const ty_run_def *def, ty_run **out, ty_diag *diag);
TY_API void ty_run_destroy(ty_run *run); /* NULL is allowed; waits for the worker */

TY_API ty_time ty_run_time(const ty_run *run); /* [ns] since the start */
TY_API bool ty_run_done(const ty_run *run);    /* the scenario's duration is over */
TY_API bool ty_run_driving(const ty_run *run); /* some driver has more to do */
/* One step of the dynamics. TY_ERR_NUMERIC names rover, step, body and field; all outputs so far stay valid. The
 * first call also delivers what is due at time 0. */
TY_API ty_status ty_run_step(ty_run *run, ty_diag *diag);

TY_API const ty_scenario *ty_run_scenario(const ty_run *run);
TY_API ty_world *ty_run_world(ty_run *run);
TY_API size_t ty_run_rovers(const ty_run *run);
TY_API ty_vehicle *ty_run_rover(ty_run *run, size_t rover);
TY_API ty_pose ty_run_actor_pose(const ty_run *run, size_t actor); /* in W, now */
TY_API ty_sky_view ty_run_sky(const ty_run *run);                  /* Sun and Earth now, from the site's origin */
/* Moves Sun, Earth and stars: from now on the clock's zero is this instant. For people who look at a run: neither a record
 * nor a checkpoint knows of it. Waits for the worker. TY_ERR_RANGE outside 1960 to 2099. */
TY_API ty_status ty_run_set_start(ty_run *run, ty_utc start, ty_diag *diag);
/* How much [-] of the Sun's disk a rover's panels see now, half a metre above its origin: past the ground out to 300
 * km and its rocks (ty_terrain_sees()). What a power sensor without a mount is given when its window ends. */
TY_API ty_status ty_run_sunlight(ty_run *run, size_t rover, double *lit, ty_diag *diag);

/* Commands a rover whose driver is external, from the next step on until the next command. TY_ERR_INPUT: it has
 * another driver, or a value is not finite. */
TY_API ty_status ty_run_command(ty_run *run, size_t rover, const ty_drive_command *command, ty_diag *diag);

/* ---- what comes and goes ---- */

/* Puts things into the world between steps, by lines as a scenario has them:
 *     "rocks: [{name: stone, at: [3, 0], size: 0.4}]"
 *     "objects: [{type: sphere, name: ball, radius: 0.3, position: [4, 1, 0.3], on_ground: true}]"
 *     "rovers: [{name: b, x: 5, y: 0, yaw_deg: 90}]"      one that the scenario lets wait (`waits: true`)
 * All of them or, on failure, none; files are relative to the working folder. What does not come near them moves on with the bits it
 * would have had. Waits for the worker; frames see them from the next window on. Checkpoints know of it. TY_ERR_INPUT: a name is taken,
 * or a rover would be inside something, with both names; what a scenario's file would be refused for. */
TY_API ty_status ty_run_add(ty_run *run, const char *lines, ty_diag *diag);
/* Takes an object, a rock or a rover without sensors (which then waits) away, by its name; a rock without one as "rock ID", a
 * generated one where some rover is within 100 m. TY_ERR_INPUT: there is none. */
TY_API ty_status ty_run_remove(ty_run *run, const char *name, ty_diag *diag);

/* ---- sensors ---- */

typedef struct ty_sensor_info {
    const char *rover, *name; /* rover is the actor's name where one carries it */
    const ty_sensor_def *def;
    const ty_message_schema *schema;
    ty_time period, window, lag; /* [ns] lag with that of lag filters */
    uint64_t sequence;           /* messages delivered so far */
    const double *sigma;         /* standard deviations of the first six columns, in their units; 0: not known */
} ty_sensor_info;

TY_API size_t ty_run_sensors(const ty_run *run); /* in the order of rovers, then of their sensors, then actors */
TY_API ty_sensor_info ty_run_sensor(const ty_run *run, size_t sensor);
/* rover NULL: any. false: there is none. */
TY_API bool ty_run_find_sensor(const ty_run *run, const char *rover, const char *name, size_t *sensor);
/* The newest message that was delivered, valid until the next step; NULL: none yet. */
TY_API const ty_message *ty_run_newest(const ty_run *run, size_t sensor);
/* Calls receive for every message of a rover's sensor from now on; NULL stands for all rovers, all sensors.
 * TY_ERR_INPUT: there is no such sensor, TY_ERR_RANGE: too many subscribers. */
#define TY_RUN_SUBSCRIBERS 64
TY_API ty_status ty_run_subscribe(ty_run *run, const char *rover, const char *name, ty_message_receive receive,
                                  void *user, ty_diag *diag);
/* Calls receive for what is no sensor's: clock, poses, wheels and edits of the ground whenever ty_run_publish() is called,
 * events as a record finds them. TY_ERR_RANGE, TY_ERR_MEMORY. */
TY_API ty_status ty_run_subscribe_state(ty_run *run, ty_message_receive receive, void *user, ty_diag *diag);
/* Sends, between steps, as everything is now: the clock, pose and wheels of each rover, poses of actors, and what of the
 * ground has changed since the last time. A record does it at the pace of its telemetry. Allocates nothing. */
TY_API void ty_run_publish(ty_run *run);

/* A sensor's filters, to be changed between steps; its first filter collects the data (ray tracing is a filter) and
 * must stay. Waits until the worker is idle. After changes ty_run_link() checks them and makes room; the next frame
 * does so too, but then a misfit stops the run. */
TY_API ty_pipeline *ty_run_pipeline(ty_run *run, size_t sensor);
TY_API ty_status ty_run_link(ty_run *run, size_t sensor, ty_diag *diag);
/* Appends a built-in or user's filter by its settings, {type: blur, sigma: 2}, then links. On failure it is taken out
 * again. */
TY_API ty_status ty_run_add_filter(ty_run *run, size_t sensor, const ty_settings *settings, ty_diag *diag);
/* The actions of a sensor that looks at the scene from its next frame on, in this order, instead of those it has: added, taken away
 * or put in another order. On failure those it has stay. Waits until the worker is idle. Checkpoints do not keep it. */
TY_API ty_status ty_run_set_actions(ty_run *run, size_t sensor, const ty_settings *actions, size_t count,
                                    ty_diag *diag);

typedef struct ty_run_stats {
    uint64_t frames; /* windows of sensors that look at the scene, made so far */
    double work_s;   /* [s] of wall time that they took, on the worker or in line */
    double wait_s;   /* [s] for which the stepping thread waited for them */
    /* [s] of wall time of the stepping thread beside that: */
    double motion_s;    /* drivers and multibody steps */
    double soil_s;      /* wheels against soil and rocks, ruts */
    double sensor_s;    /* sensors that do not look at the scene, and what the others keep of a step */
    double deliver_s;   /* readers of messages: a recorder, files */
    const char *device; /* name of the device that makes frames, of several between commas; NULL: the host does */
    const char *host;   /* with `backend` opencl or auto: why the host made a frame, the first time; NULL: it did not */
    const char *coarser; /* as ty_scene_stats.coarser, the first time; NULL: all ground is as asked for */
    /* what the whole run will need, to a factor of two: "some 0.4 GiB of memory, roughly 3 minutes on 2 cores" */
    char need[120];
} ty_run_stats;
TY_API ty_run_stats ty_run_get_stats(ty_run *run);

/* Renders with any camera, as everything stands now: waits for the worker. The seed of def is not used: it is the time.
 * */
TY_API ty_status ty_run_render(ty_run *run, const ty_camera *camera, const ty_render_def *def,
                               const ty_render_buffers *buffers, ty_diag *diag);

/* The scene as the last ty_run_render() left it, for ground truth of that frame; until the next step. NULL: none yet. */
TY_API ty_scene *ty_run_scene(ty_run *run);
/* The tone curve of all 8-bit pictures of a run (tycho/tone.h), by the lit ground all around its first camera as everything
 * stands now, of all the Sun's light: a band takes its share of white and knee. Recorders ask once, at the start, and
 * keep it. */
TY_API ty_status ty_run_tone(ty_run *run, ty_tone *tone, ty_diag *diag);

/* ---- checkpoints ---- */

/* Everything that a run needs to go on with the same bits: vehicles, drivers, the ground's edits, sensors in the
 * middle of their windows, messages that wait. Not in it: subscribers, and filters changed since creation. On
 * success the caller owns *out, from malloc. Same machine and build. TY_ERR_MEMORY. */
TY_API ty_status ty_run_save(ty_run *run, void **out, size_t *bytes, ty_diag *diag);
/* Into a run of the same scenario, at any time of its own. TY_ERR_INPUT: this is no saved state, it is damaged or of another
 * scenario, and the run is as it was. After any other failure it is good for nothing but ty_run_destroy(). */
TY_API ty_status ty_run_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag);

TY_END_DECLS
#endif
