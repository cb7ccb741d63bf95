/* src/sim/run.h - a run from the inside: rovers, the frames that move, sensors with their slots, the worker.
 *
 * Who touches what: the stepping thread owns vehicles, the world's terrain and the schedule. The worker owns the
 * view (a twin of the terrain, the scene in it) and the sensors' pipelines. A slot carries one window from the one
 * to the other: keyframes in, a message out. Edits of the ground reach the twin through the ground's journal, in the same order.
 * A run on several devices has a view and a worker for each, and every sensor belongs to one of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_SENSING_H
#define TYI_SIM_SENSING_H
#include <pthread.h>
#include "core/core.h"
#include "world/terrain/terrain.h"
#include "world/world.h"
#include "cast.h"
#include "rover_looks.h"
#include "tycho/run.h"
#include "tycho/stage.h"
#include "vehicle/driver.h"

#define TYI_SIM_DRIVER_PERIOD 0.02 /* [s] drivers think at 50 Hz */

typedef struct tyi_sim_rover_run {
    const ty_scenario_rover *def;
    ty_vehicle *vehicle;
    tyi_vehicle_driver *driver;                 /* NULL: stands */
    struct tyi_sim_fmu *fmu;                    /* that is its driver; NULL: none */
    struct tyi_vehicle_schedule *table, *moves; /* commands for single motors; NULL: none */
    bool driving;
    bool away;           /* it is not there: it waits to be put down, or was taken away */
    bool asleep;         /* it is left out of the steps (rest.c) */
    bool elsewhere;      /* another process moves it (share.h) */
    bool stale;          /* of a run that is shown: its vehicle is not as it is at this time, which nobody looks at */
    ty_time still;       /* [ns] it has stood */
    double kinetic;      /* [J] at the last step of settling */
    ty_vec3 down;        /* [m] then: where it came down; z is of no use */
    bool falls;          /* on from where it was turned aside */
    tyi_sim_looks looks; /* its shapes in the scene */
    size_t frame0;       /* its first frame: one for each body, then B */
    bool read;           /* some sensor wants its state in this step */
    ty_vehicle_state state; /* after the last step in which `read` was set */
} tyi_sim_rover_run;

typedef struct tyi_sim_actor_key {
    ty_time time;
    ty_pose pose;
} tyi_sim_actor_key;

typedef struct tyi_sim_actor {
    const ty_scenario_actor *def;
    size_t frame;
    tyi_sim_actor_key *key; /* of its trajectory; none: it stands, or the program moves it */
    size_t keys, room;
    double radius;               /* [m] of the circle around what others touch of it; 0: nothing */
    uint32_t id;                 /* of its object in the scene; 0: it is not seen */
    struct tyi_sim_fmu *fmu;     /* that moves it; NULL: none */
    struct tyi_sim_loose *loose; /* its body, where it is a loose rock; NULL: none */
} tyi_sim_actor;
typedef struct tyi_sim_loose tyi_sim_loose;

typedef enum tyi_sim_slot_state {
    TYI_SIM_SLOT_FREE,
    TYI_SIM_SLOT_OPEN,
    TYI_SIM_SLOT_QUEUED,
    TYI_SIM_SLOT_READY,
    TYI_SIM_SLOT_NEWEST
} tyi_sim_slot_state;

/* One window of one sensor, from its first keyframe to the next message's delivery. */
typedef struct tyi_sim_slot {
    struct tyi_sim_sensor *sensor;
    tyi_sim_slot_state state; /* QUEUED and READY change under the worker's lock */
    ty_message message;
    char *memory; /* of all parts */
    size_t bytes;
    ty_pose *frames; /* scene kinds: all frames at the window's start, then at its end */
    ty_sensor_key key[TY_SENSOR_KEYFRAMES];
    int keys;
    uint64_t linked;              /* link of the sensor that its parts fit */
    uint64_t edits;               /* version that the ground of this window has */
    struct tyi_render_lump *lump; /* scene kinds: loose soil at its end, */
    size_t lumps, lump_room;      /* so many of as many as there can be */
    struct tyi_dust_point *dust;  /* what flew in the middle of the window, from the sensor's place; NULL: no room */
    size_t dusts;
    double lies[6];               /* [-] dust on its rover, as ty_sensor_shot.dust */
    struct tyi_render_coat *coat; /* on all that is seen, with room as tyi_sim_dust_looks() wants it; NULL: as dust */
    ty_status status;
    ty_diag diag;
} tyi_sim_slot;

typedef struct tyi_sim_sensor {
    ty_run *run;
    const ty_sensor_def *def;
    const ty_sensor_kind *kind;
    struct tyi_sim_view *view;          /* that it looks at */
    const char *carrier;                /* name of the rover or actor */
    size_t index, rover, actor;         /* rover SIZE_MAX: the actor carries it */
    size_t frame;                       /* that it rides on */
    bool elsewhere;                     /* another process makes its messages (share.h), */
    bool ignored;                       /* and this one does without them */
    int body;                           /* of the vehicle; -1: B */
    ty_pose offset;                     /* of the mount in that frame */
    ty_time period, window, lag, first; /* [ns] lag: without that of filters */
    uint64_t count;                     /* windows closed */
    uint64_t delivered;
    int keyed;          /* keyframes taken of the present window */
    tyi_sim_slot *open; /* of the present window */
    tyi_sim_slot *slot, *newest;
    size_t slots;
    void *state;
    ty_sensor_make make;
    ty_pipeline *pipeline;
    ty_action *action;
    size_t actions, action_room;
    uint64_t linked;            /* how often its pipeline's result changed */
    ty_buffer_type first_type;  /* that its pipeline gives */
    tyi_sim_slot *at_work;      /* that collect fills, ... */
    const ty_sensor_shot *shot; /* ... from this */
    ty_sensor_key before;       /* point kinds: at the start of the step */
} tyi_sim_sensor;

/* What some of the sensors look at, and the thread that makes their frames: one for the host, or one for each device. */
enum { TYI_SIM_VIEWS = 8 };
typedef struct tyi_sim_view {
    ty_run *run;
    tyi_terrain_cursor follow; /* the twin's, in the journal of the world's ground */
    ty_terrain *twin;          /* NULL: no sensor has looked at the scene yet */
    ty_stage *stage;
    ty_device *device;    /* NULL: the host makes frames */
    ty_scene *scene;      /* the stage's */
    const ty_pose *shown; /* frames as the scene has them */
    pthread_t thread;
    bool started;
    tyi_sim_slot **queue; /* ring of the worker's `room` */
    size_t head, tail;
} tyi_sim_view;

typedef struct tyi_sim_worker { /* what the threads of all views share */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    bool made, started, quit;
    size_t room;        /* of each queue */
    ty_run_stats stats; /* under the lock */
} tyi_sim_worker;

typedef struct tyi_sim_subscriber {
    char carrier[64], name[64]; /* "": all */
    ty_message_receive receive;
    void *user;
} tyi_sim_subscriber;

typedef struct tyi_sim_state tyi_sim_state;
typedef struct tyi_sim_bodies tyi_sim_bodies;

/* What another process does of a run (share.c). All NULL: nothing. */
typedef struct tyi_sim_feed {
    ty_status (*move)(void *user, ty_diag *diag);                      /* in place of a step's motion */
    ty_status (*pressed)(void *user, size_t rover, ty_diag *diag);     /* after a rover pressed its ruts */
    ty_status (*fetch)(void *user, tyi_sim_slot *slot, ty_diag *diag); /* the message of a sensor that is elsewhere */
    void *user;
} tyi_sim_feed;

struct ty_run {
    ty_run_def def;
    bool bare; /* it has neither sensors nor a device */
    tyi_sim_feed feed;
    ty_scenario scenario;
    char folder[TY_PATH_MAX]; /* where filters write */
    ty_world *world;
    tyi_sim_rover_run *rover;
    size_t rovers;
    struct tyi_soil_world *soil; /* of all rovers */
    double *soil_points;         /* corners of its regions */
    size_t soil_point_bytes;
    uint8_t **soil_mask;       /* of its regions by raster, one for each region */
    struct tyi_sim_dust *dust; /* NULL: there is none */
    tyi_sim_actor *actor;
    size_t actors;
    tyi_sim_bodies *bodies;    /* rovers and what they may touch */
    tyi_vehicle_other *other;  /* rovers, then actors, as drivers see them; NULL: none looks */
    struct tyi_sim_cast *cast; /* what has come and gone since the start */
    double room, room_free;    /* [bytes] that its sensors were found to need; that they may have, 0: not asked yet */
    ty_time time, step;
    bool settling;      /* before time 0: nobody drives */
    bool begun, keyed;  /* keyed: a scene sensor takes a keyframe in this step */
    ty_time step_start; /* of the present step */
    /* all that moves: poses in W before and after the last step in which a scene sensor keyed */
    size_t frames;
    ty_pose *before, *now;
    /* sensors */
    tyi_sim_sensor *sensor;
    size_t sensors;
    tyi_sim_slot **pending; /* by due, sensor, sequence */
    size_t pendings, pending_room;
    tyi_sim_subscriber subscriber[TY_RUN_SUBSCRIBERS];
    int subscribers;
    tyi_sim_state *state; /* messages of others than sensors; NULL: nobody reads them */
    ty_run_stats cost;    /* of the stepping thread */
    /* the worker's side */
    tyi_sim_worker worker;
    tyi_sim_view view[TYI_SIM_VIEWS];
    int views;
    ty_device *soil_device; /* for patches that ask for one: a queue of its own, as frames are made meanwhile */
    char devices[1024];     /* their names; "": there is none */
    char no_device[1024];   /* with `auto`: why there is none */
};

/* run.c */
ty_status tyi_sim_create(const ty_run_def *def, bool bare, ty_run **out, ty_diag *diag); /* ty_run_create() */
ty_status tyi_sim_move(ty_run *run, ty_diag *diag);       /* a step's motion; the time stays */
void tyi_sim_run_folder(ty_run *run, const char *folder); /* where filters write from now on */
void tyi_sim_unsubscribe(ty_run *run, const void *user);  /* all subscriptions of this user */

/* run_device.c: the devices that the scenario asks for, and a view for each, or one for the host. TY_ERR_DEVICE: there is none, and `auto` was not
 * said. */
ty_status tyi_sim_device_open(ty_run *run, ty_diag *diag);
/* The same for the particles of those of the soils that ask for it. */
ty_status tyi_sim_device_soil(ty_run *run, const ty_soil_def *soil, size_t soils, ty_diag *diag);

/* state.c */
void tyi_sim_state_free(ty_run *run);
void tyi_sim_state_unsubscribe(ty_run *run, const void *user);
/* one message of rows of numbers to those that read them */
void tyi_sim_state_send(ty_run *run, ty_message_kind kind, const char *carrier, const char *name, size_t index,
                        const ty_message_schema *schema, double *value, int columns, int rows);

/* run_save.c: ty_run_save() and ty_run_restore(), where the ground's edits stand in a file of their own: what is new since the last save goes
 * to `sink`; `source` gives all saves so far, `bytes` of them. NULL: they are in the state like the rest. */
typedef struct tyi_sim_ground_file {
    tyi_terrain_sink sink;
    tyi_terrain_source source;
    void *user;
    uint64_t bytes;
} tyi_sim_ground_file;
/* a rover: its vehicle and its driver, as bytes for other processes of this run; out NULL: how many */
size_t tyi_sim_rover_pack(const tyi_sim_rover_run *rover, void *out);
ty_status tyi_sim_rover_unpack(ty_run *run, size_t rover, const void *data, size_t bytes, ty_diag *diag);
/* a message as tyi_sim_message_pack() has it (share.h), into the slot that waits for it */
ty_status tyi_sim_message_unpack(tyi_sim_slot *slot, const void *data, size_t bytes, ty_diag *diag);
ty_status tyi_sim_save(ty_run *run, const tyi_sim_ground_file *ground, void **out, size_t *bytes, ty_diag *diag);
ty_status tyi_sim_restore(ty_run *run, const tyi_sim_ground_file *ground, const void *saved, size_t bytes,
                          ty_diag *diag);

/* run_soil.c */
ty_status tyi_sim_soil_make(ty_run *run, ty_diag *diag);
void tyi_sim_soil_free(ty_run *run);
/* loose soil as it is now; room for as much as there can be. Returns how many lumps */
size_t tyi_sim_soil_lumps(const ty_run *run, struct tyi_render_lump *lump, size_t room);

/* run_bodies.c */
struct tyi_body_world;
/* rovers, actors and objects put into one world; refuses a rover that starts inside something */
ty_status tyi_sim_bodies_make(ty_run *run, ty_diag *diag);
void tyi_sim_bodies_free(ty_run *run);
ty_status tyi_sim_bodies_arrange(ty_run *run, ty_diag *diag); /* before a step: groups, now and then */
ty_status tyi_sim_bodies_step(ty_run *run, ty_diag *diag);
struct tyi_body_world *tyi_sim_bodies_world(const ty_run *run);
/* kinds of things in it, pieces of one, and how deep [m] a rover may be in something when it comes: shapes are a little larger than
 * what they stand for */
enum { TYI_SIM_ROCK, TYI_SIM_OBJECT, TYI_SIM_ACTOR, TYI_SIM_TRIAL, TYI_SIM_PIECES = 64 };
#define TYI_SIM_INSIDE 0.02
struct tyi_body_hull;
struct tyi_body_thing;
/* shape and place of an object on ground at z [m]; hull: room for TYI_SIM_PIECES; *vertex: what they point to, from malloc */
ty_status tyi_sim_bodies_object(const ty_scenario_object *object, double z, struct tyi_body_hull *hull, float **vertex,
                                struct tyi_body_thing *out, ty_diag *diag);

ty_status tyi_sim_bodies_again(ty_run *run, size_t object,
                               ty_diag *diag); /* one of the scenario's that was taken away */

/* loose.c: rocks that are pushed; actors of a body of their own */
ty_status tyi_sim_loose_make(ty_run *run, ty_diag *diag); /* after actors */
void tyi_sim_loose_free(tyi_sim_actor *actor);
ty_status tyi_sim_loose_join(ty_run *run, ty_diag *diag); /* the body world, after rovers */
ty_pose tyi_sim_loose_pose(const tyi_sim_actor *actor);
double tyi_sim_loose_mass(const tyi_sim_actor *actor); /* [kg] */
const ty_rock_shape *tyi_sim_loose_shape(const tyi_sim_actor *actor, double *scale);
void tyi_sim_loose_forces(ty_run *run, double dt);          /* of the ground, in a step */
ty_status tyi_sim_loose_follow(ty_run *run, ty_diag *diag); /* after it: the ground at hand */
void tyi_sim_loose_rest(ty_run *run);                       /* all without speed */
size_t tyi_sim_loose_save(const ty_run *run, void *out);    /* out NULL: how many bytes */
ty_status tyi_sim_loose_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag);

/* cast.c: what comes and goes (cast.h) */
ty_status tyi_sim_cast_make(ty_run *run, ty_diag *diag);
void tyi_sim_cast_free(ty_run *run);
ty_status tyi_sim_cast_show(tyi_sim_view *view, ty_diag *diag); /* in a scene that was made */
uint32_t tyi_sim_cast_scene(const ty_run *run,
                            uint64_t object); /* the scene's number of one that came, by its id in the body world */
/* the log as bytes, out NULL: how many; who is there as it says, before the rest of a state is restored */
size_t tyi_sim_cast_save(const ty_run *run, void *out);
ty_status tyi_sim_cast_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag);
static inline uint64_t tyi_sim_steps(const ty_run *run) /* that were made */
{
    return (uint64_t)(run->time / run->step);
}

/* run_rover.c */
ty_status tyi_sim_rover_make(ty_run *run, tyi_sim_rover_run *rover, const ty_scenario_rover *def, ty_diag *diag);
void tyi_sim_rover_free(tyi_sim_rover_run *rover);
ty_status tyi_sim_rover_drive(tyi_sim_rover_run *rover, ty_diag *diag);
/* TY_ERR_RANGE: its driver asks for more than its wheels can turn */
ty_status tyi_sim_rover_speed(const ty_scenario_rover *def, const ty_vehicle *vehicle, ty_diag *diag);
/* the commands of a rover's `commands.at`; *out NULL: there are none */
ty_status tyi_sim_rover_moves(const ty_scenario_rover *def, const ty_vehicle *vehicle,
                              struct tyi_vehicle_schedule **out, ty_diag *diag);

/* others.c: what drivers see of each other */
ty_status tyi_sim_others_make(ty_run *run, ty_diag *diag); /* after bodies */
void tyi_sim_others_free(ty_run *run);
void tyi_sim_others_look(ty_run *run); /* before drivers are asked */

/* settle.c: rovers at rest on their ground, by steps of the run */
ty_status tyi_sim_settle(ty_run *run, ty_status (*move)(ty_run *run, ty_diag *diag), ty_diag *diag);

/* actor.c */
/* the table that def->trajectory names; to be freed, also on failure */
ty_status tyi_sim_actor_read(tyi_sim_actor *actor, ty_diag *diag);
void tyi_sim_actor_free(tyi_sim_actor *actor);
ty_status tyi_sim_actors_make(ty_run *run, ty_diag *diag);
void tyi_sim_actors_free(ty_run *run);
ty_quat tyi_sim_turned(double roll, double pitch, double yaw); /* [rad] about fixed x, then y, then z */
ty_pose tyi_sim_actor_pose(const ty_run *run, const tyi_sim_actor *actor, ty_time at);
ty_status tyi_sim_actor_show(tyi_sim_actor *actor, ty_scene *scene, ty_diag *diag);

/* sensor_make.c */
ty_status tyi_sim_sensors_make(ty_run *run, ty_diag *diag);
void tyi_sim_sensors_free(ty_run *run);
/* links the pipeline; notes what it will give */
ty_status tyi_sim_sensor_type(tyi_sim_sensor *sensor, ty_diag *diag);
ty_status tyi_sim_slot_fit(tyi_sim_slot *slot, ty_diag *diag); /* room in a slot for that */
/* both, and room for all messages under way; the worker is idle */
ty_status tyi_sim_sensor_link(tyi_sim_sensor *sensor, ty_diag *diag);
ty_status tyi_sim_filter_make(const tyi_sim_sensor *sensor, const ty_settings *settings, ty_filter *out, ty_diag *diag);

/* replaces all of them, or leaves them as they are */
ty_status tyi_sim_sensor_actions(tyi_sim_sensor *sensor, const ty_settings *list, size_t count, ty_diag *diag);
ty_status tyi_sim_action_make(const tyi_sim_sensor *sensor, const ty_settings *settings, ty_action *out, ty_diag *diag);

/* sense.c: the schedule */
void tyi_sim_estimate(const ty_run *run, char *out, size_t size); /* "some 0.4 GiB of memory, ..." */
void tyi_sim_sense_before(ty_run *run); /* before a step: what keyframes inside it will need */
/* after it: keyframes, windows that close, messages that are due */
ty_status tyi_sim_sense_after(ty_run *run, ty_diag *diag);
bool tyi_sim_sensor_keyed(const tyi_sim_sensor *sensor, ty_time after, ty_time until); /* takes a keyframe then */
void tyi_sim_pending_add(ty_run *run, tyi_sim_slot *slot); /* into its place among the messages that wait */
ty_time tyi_sim_sensor_lag(const tyi_sim_sensor *sensor);  /* [ns] with that of its filters */

/* worker.c */
ty_status tyi_sim_worker_init(ty_run *run, ty_diag *diag);
void tyi_sim_worker_free(ty_run *run);
ty_status tyi_sim_worker_fit(ty_run *run, size_t slots, ty_diag *diag); /* room for so many; the workers are idle */
void tyi_sim_worker_push(ty_run *run, tyi_sim_slot *slot);              /* runs it in line where there is no overlap */
void tyi_sim_worker_wait(ty_run *run, tyi_sim_slot *slot); /* until this one is ready; NULL: until all are */
void tyi_sim_slot_run(tyi_sim_slot *slot);                 /* the work itself */

/* view.c: the twin of the ground and the scene, the worker's. All views are made before the first step, or one when it is first asked for: things have the
 * same numbers in the scenes of all. */
ty_status tyi_sim_view_make(tyi_sim_view *view, ty_diag *diag);
void tyi_sim_view_free(tyi_sim_view *view);
ty_status tyi_sim_view_restart(tyi_sim_view *view,
                               ty_diag *diag); /* the twin as the world is now; the worker is idle */
/* everything where it was: frames at the start and at the end of a window, the sky in its middle; the twin as this version has it */
ty_status tyi_sim_view_edits(tyi_sim_view *view, uint64_t until, ty_diag *diag);
ty_status tyi_sim_view_pose(tyi_sim_view *view, const ty_pose *start, const ty_pose *end, const ty_sky_view *sky,
                            ty_time at, ty_diag *diag);
ty_status tyi_sim_view_sky(tyi_sim_view *view, const ty_sky_view *sky, ty_time at,
                           ty_diag *diag); /* lights and stars alone */
ty_sky_view tyi_sim_sky_view(const ty_run *run, ty_time at);
void tyi_sim_frames_read(const ty_run *run, ty_pose *out);

/* rest.c: who sleeps; looked at before a step in which groups are arranged */
void tyi_sim_rest_look(ty_run *run);
void tyi_sim_rest_step(tyi_sim_rover_run *r, ty_time step); /* time goes on for one that sleeps */
void tyi_sim_rest_restored(ty_run *run);
void tyi_sim_rest_set(ty_run *run, size_t rover, bool asleep); /* as another process found it */

#endif
