/* src/sim/run_dust.h - dust of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_DUST_H
#define TYI_SIM_DUST_H
#include "dust/cloud.h"
#include "run.h"
#include "tycho/run.h"
#include "tycho/sensor.h"
#include "tycho/vehicle.h"

#define TYI_SIM_DUST_PERIOD (TY_SECOND / 50) /* how often dust is raised and moved */
#define TYI_SIM_DUST_LAYS   TY_SECOND        /* how often what fell is written into the ground */

typedef enum tyi_sim_dust_of { TYI_SIM_DUST_ROVER, TYI_SIM_DUST_LOOSE, TYI_SIM_DUST_THING } tyi_sim_dust_of;
/* a part of a rover or an object that dust may settle on */
typedef struct tyi_sim_dust_part {
    tyi_sim_dust_of of;
    size_t index; /* of the rover; of a loose rock's actor; among the things of the body world */
    int body;     /* of a rover; part of a thing */
    int shape;    /* of a rover's */
    ty_pose pose; /* of its middle in the body */
} tyi_sim_dust_part;

typedef struct tyi_sim_dust {
    tyi_dust *dust;
    tyi_dust_cloud *cloud[TYI_SIM_VIEWS]; /* of each view */
    tyi_dust_wheel *wheel;                /* of all rovers, one after the other */
    tyi_dust_box *box;                    /* of rovers, loose rocks, things; */
    tyi_sim_dust_part *part;              /* what they are of */
    size_t room;                          /* of these two lists */
    int things;                           /* of the body world that are among them */
    tyi_dust_point *spare;                /* room for all points, of pictures that nobody's sensor takes */
    tyi_dust_jet *jet;                    /* blades, then plumes */
    tyi_dust_seed *seed;                  /* particles of soil in the present step */
    size_t seeds, seed_room;
    int plume_actor[TY_DUST_PLUMES];
    int wheels, jets, boxes; /* wheels: drums among them, after those of all rovers */
    ty_sensor_grains grains; /* for lenses */
    ty_time at;              /* the last step's end */
} tyi_sim_dust;

/* run_dust_source.c: room for what raises dust; what it does now */
ty_status tyi_sim_dust_sources(const ty_run *run, tyi_sim_dust *dust, ty_diag *diag);
void tyi_sim_dust_sources_free(tyi_sim_dust *dust);
ty_status tyi_sim_dust_read(const ty_run *run, tyi_sim_dust *dust, ty_diag *diag);

/* run_dust_parts.c: boxes of all that dust may meet, also of what has come since the last time; where they are now */
ty_status tyi_sim_dust_fit(const ty_run *run, tyi_sim_dust *dust, ty_diag *diag);
void tyi_sim_dust_place(const ty_run *run, tyi_sim_dust *dust);
const char *tyi_sim_dust_name(const ty_run *run, int box); /* whose it is */
static inline bool tyi_sim_dust_of_rover(const tyi_sim_dust *dust, int box, size_t rover)
{
    return dust->part[box].of == TYI_SIM_DUST_ROVER && dust->part[box].index == rover;
}

/* NULL run->dust: there is none */
ty_status tyi_sim_dust_make(ty_run *run, ty_diag *diag);
void tyi_sim_dust_free(ty_run *run);
ty_status tyi_sim_dust_step(ty_run *run, ty_diag *diag); /* after a step of the dynamics */
size_t tyi_sim_dust_room(const ty_run *run);             /* [bytes] of all points that there may be */
/* what flies at a time, for a frame that is made later; returns how many points */
size_t tyi_sim_dust_points(const ty_run *run, ty_time at, ty_vec3 from_W, tyi_dust_point *out);
/* these points before the lights of a view's scene; the worker's */
ty_status tyi_sim_dust_show(tyi_sim_view *view, ty_vec3 from_W, const tyi_dust_point *point, size_t n,
                            const ty_sky_view *sky, ty_diag *diag);

ty_status tyi_sim_dust_show_now(ty_run *run, ty_vec3 from_W, const ty_sky_view *sky, ty_diag *diag);

/* saved states: bytes of all of it */
size_t tyi_sim_dust_save(const ty_run *run, void *out);
ty_status tyi_sim_dust_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag);

/* run_dust_looks.c: what covers the objects of the scene now, by their numbers from 1 on; room for TYI_RENDER_COATS */
void tyi_sim_dust_looks(const ty_run *run, struct tyi_render_coat *coat);

/* run_dust_lies.c */
void tyi_sim_dust_clean(const ty_run *run, tyi_sim_dust *dust);
/* what it does to faces of a rover that look upwards, as shares or multiples of when they were clean */
typedef struct tyi_sim_dust_harm {
    double panel;    /* [-] of a panel's power that is left */
    double radiator; /* [-] absorptivity over emissivity of a radiator, times that of a clean one */
    double warmer;   /* [-] its temperature in sunlight, times that of a clean one */
} tyi_sim_dust_harm;
tyi_sim_dust_harm tyi_sim_dust_does(const ty_run *run, size_t rover);
double tyi_sim_dust_on_rover(const ty_run *run, size_t rover); /* [kg] that lies on it */
/* [-] shadow of what lies on its faces, over their area, by where they look: -x, +x, -y, +y, -z, +z of B */
void tyi_sim_dust_faces(const ty_run *run, size_t rover, double out[6]);
int tyi_sim_dust_side(ty_vec3 n); /* which of these six a direction in B is nearest to */
/* of a face of a box, in its own frame; and how large it is [m^2]: of an ellipsoid a sixth, as far as it is a ball */
ty_vec3 tyi_sim_dust_normal(int face);
double tyi_sim_dust_area(const tyi_dust_box *box, int face);
/* false: there is no dust in this run */
bool tyi_sim_dust_ledger(const ty_run *run, tyi_dust_ledger *out);

#endif
