/* include/tycho/scenario.h - a scenario file: where, when, on what ground. Keys: docs/reference.md
 *
 * A scenario is a plain struct of definitions. It is read once, checked as a whole, and not changed
 * by what is made from it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SCENARIO_H
#define TYCHO_SCENARIO_H
#include <stdio.h>
#include "tycho/dust.h"
#include "tycho/sensor.h"
#include "tycho/vehicle.h"
TY_BEGIN_DECLS

/* Who drives: nobody, a fixed command, a table over time, waypoints, or the calling program. */
/* where cameras, lidars and other sensors that look at the scene are computed */
typedef enum ty_backend {
    TY_BACKEND_CPU,
    TY_BACKEND_AUTO, /* on a device where there is one and as long as it works */
    TY_BACKEND_OPENCL
} ty_backend;

typedef enum ty_driver_kind {
    TY_DRIVER_STAND,
    TY_DRIVER_CONSTANT,
    TY_DRIVER_TABLE,
    TY_DRIVER_WAYPOINTS,
    TY_DRIVER_EXTERNAL, /* the calling program, by ty_run_command() */
    TY_DRIVER_FMU,      /* a controller as an FMU */
    TY_DRIVER_AVOID,    /* waypoints, around other rovers and actors */
    TY_DRIVER_FOLLOW,   /* behind another rover */
    TY_DRIVER_FORMATION /* at a place beside another rover */
} ty_driver_kind;

typedef struct ty_scenario_point {
    double x, y;   /* [m] W */
    double arrive; /* [s] since the start; 0: no time is set */
} ty_scenario_point;

typedef struct ty_scenario_driver {
    int kind;                 /* ty_driver_kind */
    double v;                 /* [m/s] constant: forward speed */
    double omega;             /* [rad/s] constant: turning rate, left positive */
    char table[TY_PATH_MAX];  /* CSV file, or FMU, relative to the working folder */
    double speed;             /* [m/s] waypoints, avoid; follow, formation: at most */
    double give_up;           /* [s] waypoints, avoid: without coming nearer; 0: never */
    ty_scenario_point *point; /* waypoints, avoid */
    size_t points;
    char leader[64];     /* follow, formation: a rover's name */
    double distance;     /* [m] follow: between both middles */
    double ahead, left;  /* [m] formation: place in the leader's axes */
    double margin;       /* [m] avoid, follow, formation: to others, beside the circles around both */
    ty_settings connect; /* FMU: its inputs and outputs by other names, */
    ty_settings set;     /* and numbers of its parameters and inputs */
} ty_scenario_driver;

/* A command for one motor: by the name that the rover's file gives it, or WHEEL.speed, WHEEL.steer. */
typedef struct ty_scenario_move {
    double t; /* [s] since the start; holds until the next for the same motor */
    char motor[2 * TY_NAME_MAX];
    double value; /* [rad] or [rad/s] */
} ty_scenario_move;

/* What lies under wheels. */
typedef struct ty_scenario_soil {
    int model;              /* ty_soil_model_kind; -1: not said */
    char file[TY_PATH_MAX]; /* parameters; "": those of nominal lunar soil */
    char user[64];          /* name of a model that the calling program brings (ty_run_def) */
    double spacing;         /* [m] of the grid of scm */
    bool lugs;              /* scm: lugs as plates, or a cylinder through their tips */
    ty_patch_params patch;  /* particles under wheels; spacing 0: not said */
} ty_scenario_soil;

/* Where another soil lies. */
typedef struct ty_scenario_soil_region {
    int shape;           /* 0 circle, 1 polygon, 2 raster */
    double x, y, radius; /* [m] circle */
    ty_scenario_point *corner;
    size_t corners;
    char raster[TY_PATH_MAX]; /* of classes, any that GDAL reads; the soil lies where it has this one: */
    int class_number;
    double pixel; /* [m] side of a pixel of a raster without georeference; 0: it has one */
    ty_scenario_soil soil;
} ty_scenario_soil_region;

typedef struct ty_scenario_rover {
    ty_vehicle_def vehicle; /* where it starts, and rocks before its wheels; file, ground and gravity are the run's */
    char name[64];
    char model[TY_PATH_MAX]; /* YAML file of the rover, relative to the working folder */
    ty_scenario_soil soil;   /* older form, where the scenario gives none: all rovers must say the same */
    ty_scenario_driver driver;
    bool waits;                 /* it is not there until ty_run_add() puts it down; carries no sensors */
    char commands[TY_PATH_MAX]; /* CSV file of commands for single motors; "": none */
    ty_scenario_move *move;     /* likewise, times not falling */
    size_t moves;
    ty_sensor_def *sensor;
    size_t sensors;
} ty_scenario_rover;

/* A body on a given trajectory: it is seen and may carry sensors, but nothing pushes it. */
typedef struct ty_scenario_actor {
    char name[64];
    int shape;                    /* ty_body_shape_kind */
    double size[3];               /* [m] as of ty_body_shape */
    char mesh[TY_PATH_MAX];       /* OBJ file of a mesh */
    double scale;                 /* [m] per unit of that file */
    double albedo;                /* [-] */
    bool hidden;                  /* not seen: it only carries sensors */
    bool on_ground;               /* z counts from the ground below, as it was before any rut */
    double x, y, z;               /* [m] W, where there is no trajectory */
    double roll, pitch, yaw;      /* [rad] turned about fixed x, then y, then z */
    char trajectory[TY_PATH_MAX]; /* CSV; "": it stands, or the calling program moves it (ty_run_def) */
    char fmu[TY_PATH_MAX];        /* an FMU moves it; "": none */
    ty_settings connect, set;     /* its variables by other names; numbers of its parameters and inputs */
    size_t rock;                  /* it is this loose rock of the scenario, from 1; 0: none. Set where a file is read */
    ty_sensor_def *sensor;
    size_t sensors;
} ty_scenario_actor;

TY_API ty_scenario_actor ty_scenario_actor_default(void); /* a box of 1 m; name it */

/* What something is made of. NAN: as the preset has it. */
typedef struct ty_scenario_material {
    char preset[32]; /* a Hapke preset; "": a grey Lambert surface, or what a model's file says */
    char law[32];    /* name of a reflectance law, also a registered one; "": the preset's */
    double albedo;   /* [-] w of Hapke and Lommel-Seeliger */
    double k, sigma, exponent, specular, roughness, metallic; /* [-], sigma [rad] */
    double b, c, bs0, hs, bc0, hc, theta, phi;                /* [-], theta [rad] */
} ty_scenario_material;

typedef struct ty_scenario_region {
    int shape;                 /* 0 circle, 1 polygon */
    double x, y, radius, edge; /* [m] */
    ty_scenario_point *corner;
    size_t corners;
    ty_scenario_material material;
} ty_scenario_region;

typedef struct ty_scenario_map {
    int key;                /* ty_ground_key */
    char file[TY_PATH_MAX]; /* any raster */
    int raster_band;        /* of the file, from 1; 0: the only one */
    double scale, offset;   /* parameter = scale stored + offset; NAN: as the file says */
    double pixel;           /* [m] side of a pixel of a raster without georeference; 0: it has one */
} ty_scenario_map;

typedef struct ty_scenario_ground {
    ty_scenario_material material, rock;
    ty_scenario_region *region;
    size_t regions;
    ty_scenario_map *map;
    size_t maps;
} ty_scenario_ground;

typedef struct ty_scenario_object {
    int shape; /* 0 mesh, 1 sphere */
    char name[64];
    char file[TY_PATH_MAX];                          /* mesh: OBJ or glTF */
    double scale;                                    /* [m] per unit of the file */
    double radius;                                   /* [m] sphere */
    char texture[TY_PATH_MAX], normals[TY_PATH_MAX]; /* pictures; "": the file's own, or none */
    double position[3], rpy_deg[3];                  /* [m], [deg] in W, or in the body it follows */
    bool on_ground;                                  /* position z counts from the ground */
    int label;                                       /* 0 object, 1 rover, 2 rock */
    char rover[64], body[64];                        /* what it follows; "": stands */
    bool painted;                                    /* material was given: it replaces the file's */
    ty_scenario_material material;
} ty_scenario_object;

/* A rock at a given place, beside those that are generated. */
typedef struct ty_scenario_rock {
    char name[64];  /* "": none */
    double at[2];   /* [m] W, centre of its outline */
    double size;    /* [m] diameter of the circle with the area that is seen from above */
    double yaw;     /* [rad] */
    double burial;  /* [-] share of its height below ground */
    int shape;      /* of the library of rock shapes */
    bool loose;     /* a body that wheels and blades push; false: it stands fast */
    double density; /* [kg/m^3] of a loose one */
} ty_scenario_rock;

/* A crater at a given place, beside those that are generated. */
typedef struct ty_scenario_crater {
    double at[2];     /* [m] W */
    double diameter;  /* [m] rim to rim */
    double depth;     /* [m] rim to floor; NAN: by its freshness */
    double freshness; /* [-] 1 new .. 0 nearly gone */
} ty_scenario_crater;

typedef struct ty_scenario_light {
    int shape;                 /* 0 point, 1 spot, 2 directional, 3 one that the program registered */
    char kind[32];             /* of the last */
    double position[3];        /* [m] W, or in the mount */
    double azimuth, elevation; /* [rad] where a spot points, where directional light comes from */
    double power;              /* [W/sr]; directional [W/m^2] */
    double inner, outer;       /* [rad] spot */
    bool on_ground;
    char rover[64], mount[64]; /* what it is fixed to: then a spot points along the mount's x */
} ty_scenario_light;

typedef struct ty_scenario_sky {
    bool stars;
    char star_file[TY_PATH_MAX]; /* in the columns of the Bright Star Catalogue; "": the built-in table */
    double faintest;             /* [mag] fainter stars are left out */
} ty_scenario_sky;

/* Where a scenario takes place, as far as weight goes. */
typedef enum ty_planet { TY_PLANET_MOON, TY_PLANET_EARTH, TY_PLANET_MARS, TY_PLANETS } ty_planet;

typedef struct ty_scenario {
    int version;                 /* of the file's format */
    char name[64];               /* letters, digits, '_', '-' and '.'; names the output folder */
    int body;                    /* ty_planet that gravity came from */
    double gravity;              /* [m/s^2] along -z of W, of rovers, soils and sensors alike */
    char start_utc[40];          /* YYYY-MM-DDThh:mm:ss[.fraction] */
    ty_terrain_def terrain;      /* lat and lon are the site's; base is left empty, see base_path */
    char base_path[TY_PATH_MAX]; /* raster that the terrain stands on, relative to the working folder; "":
                             none */
    ty_world_layer_def *layer;   /* from the coarsest to the finest; base_path comes last */
    size_t layers;
    size_t planet_memory; /* [bytes] bound on cached blocks of all rasters */
    double planet_wait;   /* [s] of a run's frames, as ty_scene_def.wait; 0: until all ground is made */
    int planet_detail;    /* of a run's frames, as ty_scene_def.ring_cells, rounded to a multiple of 256 */
    double duration;      /* [s] of simulated time */
    double step;          /* [s] of the dynamics */
    double telemetry;     /* [s] between rows of telemetry */
    double exchange;      /* [s] after which processes of one world tell each other what they did */
    int backend;          /* ty_backend: where frames are made */
    char device[256];     /* part of the name of the device, or of several, between commas; "": any */
    double device_memory; /* [MiB] that it may use; 0: what it has */
    bool sleep; /* rovers that nobody drives and that stand still are left out of the steps until something comes near */
    bool settle; /* rovers stand at rest on their ground when the clock starts; false: they are dropped there */
    int *end_on; /* events that end a run, as indices of their names in docs/run.md */
    size_t end_ons;
    ty_scenario_rover *rover;
    size_t rovers;
    ty_scenario_actor *actor;
    size_t actors;

    ty_scenario_soil soil;                /* model -1: as the rovers say */
    ty_scenario_soil_region *soil_region; /* later ones lie over earlier ones */
    size_t soil_regions;
    ty_dust_params dust;
    ty_scenario_ground ground;
    ty_scenario_object *object;
    size_t objects;
    ty_scenario_rock *rock; /* those that stand fast are also in terrain.rock.placed */
    size_t rocks;
    ty_scenario_crater *crater; /* also in terrain.crater.placed */
    size_t craters;
    ty_scenario_light *light;
    size_t lights;
    ty_scenario_sky sky;
    size_t keys; /* how many keys the file and the settings gave */
} ty_scenario;

TY_API ty_scenario ty_scenario_default(void);

/* The place of a scenario: its terrain, rasters and start. */
TY_API ty_status ty_scenario_create_world(const ty_scenario *scenario, ty_world **out, ty_diag *diag);

/* Reads and checks a file. settings are `count` texts "a.b=c" that override its keys (elements of
 * lists by index: a.0.b=c) and meet the same checks. On success the caller owns *out; on failure
 * *out is NULL and diag holds one sentence: file:line:column (or the setting), key, value, what is
 * accepted. TY_ERR_FILE, TY_ERR_FORMAT (not YAML), TY_ERR_INPUT (key or kind of value),
 * TY_ERR_RANGE, TY_ERR_MEMORY. */
TY_API ty_status ty_scenario_load(const char *path, const char *const *settings, size_t count, ty_scenario **out,
                                  ty_diag *diag);
/* The same of `bytes` of text that some program made. path is where a file with it would lie: paths in it are meant from that
 * folder, sentences name it. */
TY_API ty_status ty_scenario_parse(const char *path, const char *text, size_t bytes, const char *const *settings,
                                   size_t count, ty_scenario **out, ty_diag *diag);
TY_API void ty_scenario_destroy(ty_scenario *scenario); /* NULL is allowed */

/* Writes the reference page of all keys as Markdown (docs/reference.md), then `# Rover files` and theirs (docs/rover.md).
 * TY_ERR_FILE, TY_ERR_MEMORY. */
TY_API ty_status ty_scenario_reference(FILE *out, ty_diag *diag);

TY_END_DECLS
#endif
