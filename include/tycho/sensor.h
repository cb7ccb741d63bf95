/* include/tycho/sensor.h - kinds of sensors: those of Tycho and a user's own are the same struct of functions.
 *
 * A sensor collects over windows: window k opens at start + k * period, closes `window` later, and its message is
 * delivered `lag` after that. Over the window the run keeps keyframes: where the sensor and all that moves was. Then
 * `collect` fills the first buffer of the sensor's pipeline, filters follow, and what comes out is the message's
 * first part.
 *
 * Threads: create, step, save, restore and destroy are called on the thread that steps the run. collect of a kind
 * that looks at the scene runs on a worker thread beside the dynamics: it must use nothing but its state and what
 * the shot brings. Such a kind has no step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SENSOR_H
#define TYCHO_SENSOR_H
#include "tycho/camera.h"
#include "tycho/filter.h"
#include "tycho/render.h"
#include "tycho/stream.h"
#include "tycho/tone.h"
#include "tycho/vehicle.h"
#include "tycho/world.h"
TY_BEGIN_DECLS

/* ---- definitions, as a scenario gives them ---- */

/* Ground truth that comes with a camera's frames, as files and as messages. */
typedef enum ty_sensor_map {
    TY_MAP_DEPTH,
    TY_MAP_RANGE,
    TY_MAP_NORMALS,
    TY_MAP_SUNLIT,
    TY_MAP_LABELS,
    TY_MAP_INSTANCES,
    TY_MAP_FLOW,
    TY_MAP_BOXES,
    TY_MAPS
} ty_sensor_map;

/* A camera of a run: lens and size, how it is traced, and what is made of the light. */
/* What is drawn over a copy of each picture of a run. */
typedef enum ty_sensor_overlay {
    TY_OVER_BOXES,     /* around things in the image; need the map of boxes, as the next two */
    TY_OVER_BOXES3,    /* around things in space */
    TY_OVER_LABELS,    /* class, distance and visible share of things */
    TY_OVER_FRAMES,    /* axes of rovers, and of the site some metres ahead */
    TY_OVER_TRAIL,     /* the ways that rovers have come */
    TY_OVER_WAYPOINTS, /* where their drivers want to go */
    TY_OVER_LIDAR,     /* points of the newest scans of its carrier's lidars, coloured by range */
    TY_OVER_TEXT,      /* time, speed and slip */
    TY_OVERS
} ty_sensor_overlay;

typedef struct ty_sensor_camera {
    ty_camera camera; /* lens, size and rolling shutter; its pose is the mount's */
    int samples;      /* rays per pixel */
    int depth;        /* surfaces a path of light may visit */
    bool truth;       /* also depth, normals and labels */
    bool boxes;       /* with truth: also boxes in the image and in space, part "boxes" */
    bool flow;        /* with truth: also how far what a pixel shows has moved since the frame before, part "flow" */
    int *map;         /* ty_sensor_map: just these, without `truth`, `boxes` and `flow` */
    size_t maps;      /* 0: as those three say */
    bool physical;    /* through the camera chain of tycho/camera.h */
    ty_settings settings; /* of that chain */
    double *band_nm;      /* [nm] low and high of each band of light; NULL: one with all of the Sun's light */
    size_t band_ends;     /* two for each band */
    bool color;           /* red, green and blue; the chain's detector has a Bayer pattern */
    double white;         /* [W/m^2/sr] white of its 8-bit pictures; 0: the run's tone curve */
    int *overlay;         /* ty_sensor_overlay: what is drawn over copies of its pictures */
    size_t overlays;      /* 0: no copies */
    char caption[120];    /* a text in their corner */
} ty_sensor_camera;

static inline bool ty_sensor_has_overlay(const ty_sensor_camera *camera, ty_sensor_overlay what)
{
    for (size_t i = 0; i < camera->overlays; i++) {
        if (camera->overlay[i] == (int)what) {
            return true;
        }
    }
    return false;
}

/* Whether a map comes with each frame. */
static inline bool ty_sensor_has_map(const ty_sensor_camera *camera, ty_sensor_map map)
{
    for (size_t i = 0; i < camera->maps; i++) {
        if (camera->map[i] == (int)map) {
            return true;
        }
    }
    bool asked = map == TY_MAP_FLOW ? camera->flow : map == TY_MAP_BOXES ? camera->boxes : true;
    return !camera->maps && camera->truth && asked;
}

/* Whatever is given by a model file of models/sensors and settings over it. */
typedef enum ty_sensor_lidar_frame { TY_LIDAR_SENSOR, TY_LIDAR_SITE } ty_sensor_lidar_frame;
typedef struct ty_sensor_instrument {
    char model[TY_PATH_MAX]; /* YAML file, relative to the working folder; "": the kind's defaults */
    ty_settings settings;    /* keys of the file to be changed */
    int frame;               /* ty_sensor_lidar_frame: of a lidar's points */
} ty_sensor_instrument;

/* A kind of a user's own (tycho/sensor.h), by name. */
typedef struct ty_sensor_user {
    char kind[64];
    ty_settings settings;
} ty_sensor_user;

/* Kinds of sensors; their keys: docs/reference.md, rovers.i.sensors.i */
typedef enum ty_sensor_type {
    TY_SENSOR_CAMERA,
    TY_SENSOR_LIDAR,
    TY_SENSOR_IMU,
    TY_SENSOR_POSITION,
    TY_SENSOR_ENCODERS,
    TY_SENSOR_MOTORS,
    TY_SENSOR_STEERING,
    TY_SENSOR_CONTACTS,
    TY_SENSOR_SUN,
    TY_SENSOR_STARS,
    TY_SENSOR_ALTIMETER,
    TY_SENSOR_POWER,
    TY_SENSOR_SPAD,
    TY_SENSOR_USER,
    TY_SENSOR_TYPES
} ty_sensor_type;

typedef struct ty_sensor_def {
    int kind; /* ty_sensor_type */
    char name[64];
    char mount[64];       /* of the rover's file; "": the body's origin */
    double period, start; /* [s] between windows; of the first one's beginning */
    double window;        /* [s] exposure, scan or averaging time, at most a period; 0: an instant */
    double lag;           /* [s] from the end of a window to its delivery */
    bool files;           /* `tycho run` writes its data */
    ty_settings *action;  /* what changes in the scene before */
    size_t actions;
    ty_settings *filter; /* what changes in the data after */
    size_t filters;
    union {
        ty_sensor_camera camera;
        ty_sensor_instrument instrument; /* all kinds but camera and user */
        ty_sensor_user user;
    } as;
} ty_sensor_def;

/* A sensor with the defaults of its kind, to be named and changed. */
TY_API ty_sensor_def ty_sensor_def_default(ty_sensor_type type);

/* ---- kinds ---- */

/* Where the sensor's mount was (frame of the mount: x forward, y left, z up), and its motion. */
typedef struct ty_sensor_key {
    ty_time time;    /* [ns] */
    ty_pose pose;    /* in W */
    ty_vec3 v_W;     /* [m/s] of the mount's origin; 0 for scene kinds */
    ty_vec3 omega_W; /* [rad/s] */
} ty_sensor_key;

/* What create is given, and what it answers. */
typedef struct ty_sensor_make {
    const ty_sensor_def *def; /* outlives the sensor */
    const char *rover;
    ty_world *world;
    ty_vehicle *vehicle;   /* that carries it; NULL: an actor does */
    int mount;             /* of the vehicle; -1: its origin */
    uint32_t number;       /* of the sensor in its run; keys its noise */
    uint64_t seed;         /* of the run */
    int threads;           /* that collect may use */
    ty_pipeline *pipeline; /* empty; a kind may put filters of its own into it */
    /* answers */
    const ty_message_schema *schema;
    int parts;
    /* name and type of each; the first is what collect fills, before any filter */
    ty_message_part part[TY_MESSAGE_PARTS];
    int depth_part;     /* the part that filters which need depths read; 0: none */
    bool reads_sky;     /* collect gets Sun and Earth; scene kinds always do */
    bool reads_vehicle; /* step and collect get the vehicle's state */
    double window;      /* [s] starts as the definition's; may be set where that is 0 */
    double room;        /* [bytes] that it took for itself, where that is much */
    double sigma[6];    /* standard deviation of the first columns, in their units; 0: not known */
} ty_sensor_make;

/* One step of the dynamics that lies, all or in part, in the window. */
typedef struct ty_sensor_step {
    ty_time from, to; /* [ns] the part in the window */
    double dt;        /* [s] of the whole step */
    ty_sensor_key before, after;
    const ty_vehicle_state *state; /* at the end; NULL where the kind did not ask for it */
    double gravity;                /* [m/s^2] along -z of W */
} ty_sensor_step;

/* What grains on lenses are like; all zero where a run has no dust. */
typedef struct ty_sensor_grains {
    double size;             /* [m] Sauter mean */
    double albedo;           /* [-] of single scattering */
    double lobe, lobe_share; /* [-] as ty_dust_params */
    double aperture, window; /* [m] likewise */
} ty_sensor_grains;

/* One window, closed. */
typedef struct ty_sensor_shot {
    ty_stamps time;
    uint64_t frame; /* sequence number; with the sensor's number it keys noise */
    int keys;       /* 1 for a window of no length, otherwise as the kind asked */
    const ty_sensor_key *key;
    const ty_vehicle_state *state; /* at the end of the step in which the window closed; as above; scene kinds: NULL */
    double period;                 /* [s] between windows */
    ty_sky_view sky;               /* in the middle of the window; scene kinds, and those that asked for it */
    /* scene kinds: everything stands where it was; objects move from first to last key */
    ty_scene *scene;
    int threads;
    /* [-] dust on the faces of its rover that look along -x, +x, -y, +y, -z, +z of B: shadow of the grains over the area of these faces */
    double dust[6];
    double dust_lens; /* [-] the same of those that look where the sensor does */
    ty_sensor_grains grains;
} ty_sensor_shot;

typedef struct ty_sensor_kind {
    const char *name;
    bool scene; /* looks at the scene: collect runs on the worker */
    int keys;   /* keyframes over a window that has a length, 2 to TY_SENSOR_KEYFRAMES */
    ty_status (*create)(ty_sensor_make *make, void *user, void **state, ty_diag *diag);
    void (*step)(void *state, const ty_sensor_step *step); /* NULL: not needed; NULL for scene kinds */
    /* Fills part[0] and the others; a part whose data is NULL is not wanted. It may lower part[].data.type.width (fewer
     * points). */
    ty_status (*collect)(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag);
    /* Everything that is not in the definition and changes from window to window. out NULL: how many bytes. NULL:
     * nothing. */
    size_t (*save)(const void *state, void *out);
    ty_status (*restore)(void *state, const void *saved, size_t bytes, ty_diag *diag);
    void (*destroy)(void *state);
    void *user; /* given to create */
} ty_sensor_kind;

#define TY_SENSOR_KEYFRAMES 64

/* Something that changes the scene before a sensor looks at it, and puts it back after. */
typedef struct ty_action {
    const char *name;
    ty_status (*before)(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag);
    void (*after)(void *user, ty_scene *scene); /* NULL: nothing to put back */
    void (*destroy)(void *user);                /* NULL: nothing to free */
    void *user;
} ty_action;

/* A user's own filters and actions, by the name that a scenario gives: {type: user, name: edge, ...}. */
typedef struct ty_filter_kind {
    const char *name;
    /* settings: all but type and name. What it refuses gets a sentence. */
    ty_status (*make)(const ty_settings *settings, void *user, ty_filter *out, ty_diag *diag);
    void *user;
} ty_filter_kind;
typedef struct ty_action_kind {
    const char *name;
    ty_status (*make)(const ty_settings *settings, void *user, ty_action *out, ty_diag *diag);
    void *user;
} ty_action_kind;

TY_END_DECLS
#endif
