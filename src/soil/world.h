/* src/soil/world.h - the soil world of a run: all soils, all bodies of all rovers, one call per step.
 *
 * A carrier is a rover: a group of bodies with a window of terrain that follows it, so that a step looks up heights without making
 * any. Soils are numbered; 0 lies wherever no region says otherwise. What a body's contact remembers is plain data.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_WORLD_H
#define TYI_SOIL_WORLD_H
#include "tycho/soil.h"
#include "inner.h"

/* Where another soil than the first lies: where a mask says so, else a polygon, or a circle where points is 0. Later ones lie over earlier ones. */
typedef struct tyi_soil_region {
    int soil;
    double x, y, radius; /* [m] circle */
    const double *point; /* [m] x, y of each corner; kept by reference */
    size_t points;
    const uint8_t *mask; /* nx * ny samples from x, y, rows along x; kept by reference. NULL: none */
    int nx, ny;
    double spacing; /* [m] of the mask */
} tyi_soil_region;

typedef struct tyi_soil_world_def {
    ty_terrain *terrain; /* outlives the world */
    double gravity;      /* [m/s^2] */
    const ty_soil_def *soil;
    int soils;
    const tyi_soil_region *region;
    size_t regions;
    struct ty_device *device; /* as in ty_soil_site; outlives the world */
    const ty_alloc *alloc;
} tyi_soil_world_def;

/* What a contact remembers beside what its model does. */
typedef struct tyi_soil_contact_memory {
    ty_vec3 normal; /* of the contact plane in W, and */
    double theta1;  /* [rad] the entry angle, both of late: where the next plane's points are taken */
    double entry;   /* [rad] the entry angle of the last step */
    double fz;      /* [N] of the last step */
    ty_vec3 rut;    /* [m] where the body was when it last pressed a rut */
    int64_t soil;   /* that it stood on */
} tyi_soil_contact_memory;

/* The ground at hand around a carrier. */
typedef struct tyi_soil_ground {
    ty_terrain_patch *patch;
    int32_t i0, j0, side; /* its samples */
    double reach;         /* [m] half the size of a window */
    bool rocks;           /* it knows its rocks, */
    double rock_min;      /* [m] those of this size and more */
} tyi_soil_ground;

typedef struct tyi_soil_rider { /* a carrier, from the inside */
    ty_soil_carrier carrier;
    ty_soil_body_def *def;
    double *radius; /* [m] rolling radius of each body on each soil: soil * count + body */
    ty_soil_body *body;
    ty_soil_plane *plane;
    ty_soil_load *load;
    tyi_soil_contact_memory *contact;
    char *memory; /* of the models, `stride` for each body */
    bool away;    /* it is not there: no soil acts on it */
    tyi_soil_ground ground;
} tyi_soil_rider;

typedef struct tyi_soil_layer { /* one soil */
    ty_soil_def def;
    const ty_soil_model *model;
    void *state;
    int patch; /* number of the layer of its particles; 0: none */
} tyi_soil_layer;

typedef struct tyi_soil_world {
    ty_soil_site site;
    tyi_soil_layer *layer;
    int layers, room;
    bool patches; /* some soil has particles in it */
    tyi_soil_region *region;
    size_t regions;
    tyi_soil_rider **rider;
    int riders, bodies;
    size_t stride;  /* [bytes] of models' memory for each body */
    ty_soil_at *at; /* bodies of a soil in a step: room for all */
    float *change;  /* room for one print, */
    float *pressed;
    uint8_t *trace;
    uint32_t *print; /* TYI_SOIL_RUT_SIDE squared each */
} tyi_soil_world;

ty_status tyi_soil_world_create(const tyi_soil_world_def *def, tyi_soil_world **out, ty_diag *diag);
void tyi_soil_world_destroy(tyi_soil_world *world);             /* NULL is allowed */
const ty_soil_model *tyi_soil_model_of(const ty_soil_def *def); /* the row; NULL: a user's that is missing */
double tyi_soil_rolling_radius(const ty_soil_def *def, const ty_wheel_shape *shape); /* [m] slip refers to it */
double tyi_soil_standing_radius(const ty_soil_def *def,
                                const ty_wheel_shape *shape); /* [m] at which a wheel put down touches */

/* A carrier comes into the world, with `count` bodies; reach [m]: how far one can be from its origin. *out is its number. */
ty_status tyi_soil_world_join(tyi_soil_world *world, const ty_soil_body_def *body, int count, double reach, bool rocks,
                              double rock_min, int *out, ty_diag *diag);
/* Forgets all contacts of a carrier. */
void tyi_soil_world_reset(tyi_soil_world *world, int carrier);

/* One step of all bodies: their states are in rider->body, what the soils do to them comes into rider->load. */
ty_status tyi_soil_world_step(tyi_soil_world *world, double dt, ty_diag *diag);
/* After it, for one carrier: ruts where its bodies stand, if they have moved by a sample since they last pressed any. Body states are
 * those after the step. */
ty_status tyi_soil_world_press(tyi_soil_world *world, int carrier, ty_diag *diag);
/* Particles of patches that are seen one by one: those that fly or are in a tool, and those that lie rough on the surface of soil that was moved. size [m]: width
 * of the cube of soil that each stands for; id: its own as long as it is in its patch. And how many there can be. */
typedef void (*tyi_soil_loose)(void *user, ty_vec3 at, double size, uint32_t id, bool lies);
void tyi_soil_world_loose(const tyi_soil_world *world, tyi_soil_loose visit, void *user);
size_t tyi_soil_world_loose_most(const tyi_soil_world *world);
/* For dust (patch/fast.c): those that fly or lie in the uppermost layer, not in a tool, and move faster than `least` [m/s], in the order of the
 * particles, which saved states keep. carrier: whose patch; size as above. And whether a body (wheel or tool, counted as its carrier does) stands in
 * such soil now. */
typedef void (*tyi_soil_fast)(void *user, int carrier, ty_vec3 at, ty_vec3 v, double size);
void tyi_soil_world_fast(const tyi_soil_world *world, double least, tyi_soil_fast visit, void *user);
bool tyi_soil_world_stirs(const tyi_soil_world *world, int carrier, int body);
/* The soil at a place, without its patches. */
int tyi_soil_at_place(const tyi_soil_world *world, double x, double y);

/* Contacts of a carrier as bytes; models' own states as bytes. out NULL: only how many. */
size_t tyi_soil_rider_save(const tyi_soil_world *world, int carrier, void *out);
void tyi_soil_rider_restore(tyi_soil_world *world, int carrier, const void *saved);
size_t tyi_soil_world_save(const tyi_soil_world *world, void *out);
ty_status tyi_soil_world_restore(tyi_soil_world *world, const void *saved, size_t bytes, ty_diag *diag);

/* window.c: the ground around a carrier. */
void tyi_soil_ground_init(tyi_soil_world *world, tyi_soil_ground *ground, double reach);
bool tyi_soil_ground_holds(const tyi_soil_ground *ground, double x, double y); /* with room to spare */
/* The first sample of the window around a place: its middle is a whole metre, so that it does not depend on the last bits of the way. */
void tyi_soil_ground_around(const tyi_soil_world *world, const tyi_soil_ground *ground, double x, double y, int32_t *i0,
                            int32_t *j0);
/* The window that starts at a sample; *made: it is a new one. */
ty_status tyi_soil_ground_move(const tyi_soil_world *world, tyi_soil_ground *ground, int32_t i0, int32_t j0, bool *made,
                               ty_diag *diag);
/* Heights of the ground that carries bodies, at n points near a carrier. */
void tyi_soil_ground_heights(const tyi_soil_world *world, int carrier, size_t n, const double *x, const double *y,
                             ty_terrain_ground *out);

/* patch/tool.c: the sheets a tool is made of, in its axes: boxes of half sides, or discs about z (half x: radius). Returns how many. */
enum { TYI_SOIL_TOOL_PARTS = 66 };
typedef struct tyi_soil_tool_part {
    ty_pose pose;
    ty_vec3 half; /* [m] */
    bool disc;
} tyi_soil_tool_part;
size_t tyi_soil_tool_parts(const ty_soil_tool *tool, tyi_soil_tool_part part[TYI_SOIL_TOOL_PARTS]);

/* plane.c: the contact planes of a carrier's bodies */
void tyi_soil_planes(const tyi_soil_world *world, tyi_soil_rider *rider);
/* Slip ratio (2.13) of [uly] in the direction of rolling, and slip angle. */
void tyi_soil_motion_facts(const ty_soil_plane *plane, double rim, ty_soil_load *load);

/* rut.c */
#define TYI_SOIL_RUT_SIDE 160 /* samples: a larger print is not pressed */
ty_status tyi_soil_print(const tyi_soil_world *world, const tyi_soil_rider *rider, int i, ty_diag *diag);
/* The lugs' grooves alone, for models that make the rest of a rut themselves. */
ty_status tyi_soil_print_lugs(const tyi_soil_world *world, const tyi_soil_rider *rider, int i, ty_diag *diag);
/* The trace that stands for a height [m] of the lugs' pattern: the inverse of tyi_soil_rut_height(). */
uint8_t tyi_soil_trace_of(double height);

/* The longest shear_time [s] of soft soil that a step of dt bears. Forces are those at the start of a step: damping that takes more
 * than a rim's momentum in one makes it chatter, and a wheel that chatters slips. stiff: unloading over first loading [-]. */
double tyi_soil_calm(const ty_soil_params *soil, const ty_soil_body_def *body, double stiff, double dt);

#define TYI_SOIL_MODEL_DECLARE(id, name, what) extern const ty_soil_model tyi_soil_model_##name;
TY_SOIL_MODEL_LIST(TYI_SOIL_MODEL_DECLARE)
#undef TYI_SOIL_MODEL_DECLARE

#endif
