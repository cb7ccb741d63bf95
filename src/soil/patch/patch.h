/* src/soil/patch/patch.h - a patch of particles that follows a wheel or a tool over the height field.
 *
 * Columns stand on a lattice that is fixed to the ground, `d` apart. Inside the window they are soil that moves; a rim three columns wide and
 * three layers below are walls, as is the height field where nothing moves. The bed is a torus in all three axes: a patch that goes on changes
 * none of its particles; columns enter in front from the height field at their stress at rest, soil that is left behind goes back to it.
 *
 * The height field is told what the particles are: each stands for d^3 of soil, spread by a hat over the samples around it. The sum over the hats is
 * linear, so what was taken and what was given back balance to rounding, soil that nothing moved leaves no trace, and cameras see the patch as it is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_PATCH_H
#define TYI_SOIL_PATCH_H
#include "core/core.h"
#include "soil/crm/lattice.h"
#include "soil/particles/particles.h"
#include "tile.h"
#include "../world.h"

enum {
    TYI_SOIL_PATCH_RIM = 3,
    TYI_SOIL_PATCH_GAP = 4
}; /* columns of walls around the window; empty ones between its ends */

/* Patches of a continuum that step together on a device, as all of one size do (soil/crm/bed.h). */
typedef struct tyi_soil_patch_group {
    struct tyi_soil_patch_group *next;
    tyi_crm_pool *pool; /* NULL: none of them is there yet */
    int members, lane;  /* lane: of the device */
} tyi_soil_patch_group;

typedef struct tyi_soil_patch {
    const ty_soil_site *site;
    const ty_soil_def *def;
    int carrier;
    ty_wheel_shape wheel;
    const ty_soil_tool *tool; /* NULL: a wheel */
    tyi_crm_lattice shape;    /* of the tool */
    tyi_soil_particles soil;
    ty_crm_facts facts;          /* of crm */
    const tyi_soil_tile *tile;   /* of dem: what columns are taken from; NULL: crm */
    int32_t *first, *after;      /* of dem: grains of a cell, as lists */
    int cells[3];                /* of the torus, for that */
    bool on_device, met;         /* there; and has met its body there, so that a step makes no buffers */
    int lane;                    /* of the device; dem */
    tyi_soil_patch_group *group; /* crm on a device */
    double d, length[3];         /* [m] spacing, around the torus */
    int side, layers, jump;      /* columns of the window along x and y; of soil in depth; that it moves at a time */
    size_t room;                 /* particles */
    ty_crm_particle *fresh;      /* room for what enters at a time */
    size_t fresh_count;
    double *height; /* [m] of columns, window and rim */
    double *now;    /* [m] samples of the height field around the window: particles there now, */
    float *edit;    /* changes, */
    uint8_t *trace;
    int samples; /* along a side */
    double wide; /* [m] half width of a particle's hat */
    bool ledger; /* the height field is told */
    /* saved */
    struct tyi_soil_patch_state {
        int64_t i0, j0;       /* first column of the window */
        int64_t a0, b0;       /* first sample */
        double z;             /* [m] middle of the torus */
        double age;           /* [s] since it was laid */
        double entered, left; /* [m^3] of soil so far */
        uint32_t next, steps; /* id; steps so far */
        double held;          /* [kg] in the tool, at the last look */
        ty_vec3 told;         /* [m] where the wheel was when the height field was told */
        uint8_t placed, idle;
    } s;
    double *told;  /* [m] of the soil in it now, as the height field has it */
    double *floor; /* [m] under each column of the window */
    /* of a step */
    tyi_crm_body body;
    tyi_crm_load load;
    double dt;
    ty_status status;
    ty_diag diag;
} tyi_soil_patch;

/* tile: of grains; NULL: crm. Outlives the patch. */
ty_status tyi_soil_patch_create(const ty_soil_site *site, const ty_soil_def *def, int carrier,
                                const ty_soil_body_def *body, const tyi_soil_tile *tile, tyi_soil_patch **out,
                                ty_diag *diag);
void tyi_soil_patch_destroy(tyi_soil_patch *patch); /* NULL is allowed */
/* Friction within the soil, tau / p [-]: that of plane strain at constant volume (lode, phi_triaxial: kernels/k_earth_pressure.h). */
double tyi_soil_patch_mu(const ty_soil_def *def);
/* Lays the patch around a place, or moves it there; what leaves is told to the height field. */
ty_status tyi_soil_patch_follow(tyi_soil_patch *patch, double x, double y, ty_diag *diag);
/* Whether the place is too far from the window's middle, or soil has flown out. */
bool tyi_soil_patch_due(const tyi_soil_patch *patch, double x, double y);
/* Tells the height field what the particles are now; not those that fly, nor those in the tool, unless `all` are meant. */
ty_status tyi_soil_patch_tell(tyi_soil_patch *patch, bool all, ty_diag *diag);
/* All of it goes back to the height field. */
ty_status tyi_soil_patch_leave(tyi_soil_patch *patch, ty_diag *diag);
/* One step of `dt` [s] with the body as it is in patch->body; patch->load, patch->status, patch->diag. */
void tyi_soil_patch_step(tyi_soil_patch *patch);
/* The same of several of one group, at most TYI_CRM_BEDS: one that fails has its status, the others are not to be used then. */
void tyi_soil_patch_step_many(tyi_soil_patch *const *patch, int count);
size_t tyi_soil_patch_save(const tyi_soil_patch *patch, void *out); /* out NULL: only how many bytes */
ty_status tyi_soil_patch_restore(tyi_soil_patch *patch, const void *saved, size_t bytes, ty_diag *diag);

/* Mass [kg] of the soil in it, and of what of that flies, or is in the tool, and is not in the height field. */
double tyi_soil_patch_mass(const tyi_soil_patch *patch, double *airborne, double *carried);
/* Those that are seen one by one; number: of the patch, so that ids of two differ. */
void tyi_soil_patch_loose(const tyi_soil_patch *patch, uint32_t number, tyi_soil_loose visit, void *user);
/* Counts the particles in the tool. */
void tyi_soil_patch_count(tyi_soil_patch *patch);

/* What patch.c shares with columns.c: the image of a place of the torus nearest to the window's middle; soil [m^3] that a particle stands for; samples
 * that are told of some [m^3] at x, y; the columns along a side, rim included. */
ty_vec3 tyi_soil_patch_place(const tyi_soil_patch *patch, ty_vec3 x);
double tyi_soil_patch_volume(const tyi_soil_patch *patch, const ty_crm_particle *particle);
void tyi_soil_patch_spread(const tyi_soil_patch *patch, double *samples, double x, double y, double volume);
static inline int tyi_soil_patch_columns(const tyi_soil_patch *patch)
{
    return patch->side + 2 * TYI_SOIL_PATCH_RIM;
}
/* columns.c: the columns of the new window that were not in the old one at old_i, old_j, and all walls */
ty_status tyi_soil_patch_enter(tyi_soil_patch *patch, int64_t old_i, int64_t old_j, bool fresh, ty_diag *diag);
/* off the place at which it entered: something has moved it */
bool tyi_soil_patch_stirred(const tyi_soil_patch *patch, const ty_crm_particle *particle, ty_vec3 x);

/* A tool as distances on a lattice for particles `spacing` [m] apart; whether it holds what is at x [m] in its own axes. */
ty_status tyi_soil_tool_shape(const ty_soil_tool *tool, double spacing, const ty_alloc *alloc, tyi_crm_lattice *out,
                              ty_diag *diag);
bool tyi_soil_tool_holds(const ty_soil_tool *tool, ty_vec3 x);

#endif
