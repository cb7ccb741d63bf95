/* src/vehicle/rocks.h - rocks before a rover's wheels: those that stand in the ground and those that are pushed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_ROCKS_H
#define TYI_VEHICLE_ROCKS_H
#include "body/group.h"
#include "soil/world.h"
#include "tycho/vehicle.h"

#define TYI_VEHICLE_LOOSE 128 /* rocks on the move; past these, rocks stand fast until some are left behind */

/* A rock that a wheel has touched and may push. Plain data without padding, saved with the run. */
typedef struct tyi_vehicle_loose {
    uint64_t id, shape;
    double x, y, yaw, diameter, scale, burial; /* as in ty_rock; burial as it was at first */
    double foot;                               /* [m] shape's origin over the ground of the window, at sunk = 0 */
    double mass, area;                         /* [kg], [m^2] of its outline */
    ty_vec3 v;                                 /* [m/s] */
    double sunk;                               /* [m] pressed into the soil */
    ty_vec3 force;                             /* [N] of the wheels, last step */
    ty_vec3 told;                              /* [m] x, y, sunk as the terrain knows them */
} tyi_vehicle_loose;

typedef struct tyi_vehicle_push {
    int64_t count;
    double in, lost; /* [J] done by wheels on rocks; lost to friction and soil */
    tyi_vehicle_loose rock[TYI_VEHICLE_LOOSE];
} tyi_vehicle_push;

/* What wheels do to a loose rock in one step: force on it, its change with displacement and speed
 * (xx xy yy xz yz zz), and the displacement part times the wheel's velocity. */
typedef struct tyi_vehicle_act {
    ty_vec3 force;     /* [N] */
    double k[6], c[6]; /* [N/m], [N s/m] */
    ty_vec3 kv;        /* [N/s] */
} tyi_vehicle_act;

/* What rocks do to a wheel. */
typedef struct tyi_vehicle_rock_load {
    double force, up; /* [N] size, and what lifts it */
    uint64_t id;      /* of the one that pushes most; 0: none */
} tyi_vehicle_rock_load;

#define TYI_VEHICLE_RIM 90 /* points around a rim that meet rocks: 17 mm apart on a wheel of 0.25 m */

typedef struct tyi_vehicle_rocks {
    const tyi_soil_world *world;
    const tyi_soil_rider *rider; /* its window holds the rocks */
    const ty_soil_def *soil;     /* that lies where no region says otherwise */
    bool on;
    double push_below;  /* [m] smaller ones are loose */
    double mu, density; /* [-], [kg/m^3] */
    tyi_vehicle_push push;
    struct tyi_terrain_placed_rock *placed; /* the loose ones as shapes: TYI_VEHICLE_LOOSE */
    double rim[TYI_VEHICLE_RIM][2];         /* cosine and sine of the points around a rim */
    ty_vec3 stretch[TY_WHEELS_MAX];         /* [m] of the contact that sticks to rocks, W */
    const ty_alloc *alloc;
} tyi_vehicle_rocks;

/* What the fields above leave open. */
ty_status tyi_vehicle_rocks_init(tyi_vehicle_rocks *g, ty_diag *diag);
void tyi_vehicle_rocks_free(tyi_vehicle_rocks *g);
/* What rocks add to the loads of a step. */
void tyi_vehicle_rocks_step(tyi_vehicle_rocks *g, const ty_soil_body *in, double dt, ty_soil_load *load,
                            tyi_vehicle_rock_load *rock);
/* push.c: a rock of the window becomes loose (false: no room); the step of all loose ones under what wheels did to
 * them; their places into the terrain where they moved by more than `least` [m]; the window has new rocks: which are
 * loose; those farther than `reach` from (x, y) are left where they are. */
bool tyi_vehicle_push_loosen(tyi_vehicle_rocks *g, struct tyi_terrain_placed_rock *rock);
void tyi_vehicle_push_step(tyi_vehicle_rocks *g, const tyi_vehicle_act *act, double dt);
ty_status tyi_vehicle_push_tell(tyi_vehicle_rocks *g, double least, ty_diag *diag);
void tyi_vehicle_push_mark(tyi_vehicle_rocks *g);
ty_status tyi_vehicle_push_restore(tyi_vehicle_rocks *g, ty_diag *diag); /* after the loose ones were restored */
void tyi_vehicle_push_drop(tyi_vehicle_rocks *g, double x, double y, double reach);
void tyi_vehicle_push_reset(tyi_vehicle_rocks *g); /* all at rest */
/* Standing rocks of the window that reach above a height [m] within `reach` of a place, as things to touch; one by its id. */
int tyi_vehicle_rocks_near(const tyi_vehicle_rocks *g, ty_vec3 centre, double reach, double above, tyi_body_thing *out,
                           int room);
bool tyi_vehicle_rocks_find(const tyi_vehicle_rocks *g, uint64_t id, tyi_body_thing *out);
void tyi_vehicle_rock_thing(const struct tyi_terrain_placed_rock *rock, tyi_body_thing *out);
/* The rocks of the ground have changed: the window has them as they are; one (0: none) that is gone is forgotten. */
ty_status tyi_vehicle_rocks_again(tyi_vehicle_rocks *g, uint64_t gone, ty_diag *diag);
/* How deep [m] a wheel is in a rock. */
double tyi_vehicle_rocks_depth(const tyi_vehicle_rocks *g, int i, const ty_soil_body *in);

#endif
