/* src/soil/scm_grid.h - the grid of soil columns by itself (src/soil/scm): what the model scm stands on, for bench and tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_SCM_GRID_H
#define TYI_SOIL_SCM_GRID_H
#include "tycho/soil.h"

typedef struct tyi_soil_scm tyi_soil_scm;

/* Soil of one kind of place. k_c, k_phi, n0, n1 and n1_skid (slip sinkage), c, phi, kx (in every direction), g, damping,
 * unload and shear_time of `soil` count; bulldozing and lugs come from the shape and the grid, not from parameters. */
typedef struct tyi_soil_scm_soil {
    ty_soil_params soil;
    double elastic; /* [Pa/m]  2e8     stiffness of unloading and reloading */
    double repose;  /* [rad]   0.6109  angle at which loose soil flows (35 deg) */
    double berm;    /* [-]     1       share of the displaced volume that goes to berms, 0 to 1 */
} tyi_soil_scm_soil;
tyi_soil_scm_soil tyi_soil_scm_soil_default(void);

/* Start from tyi_soil_scm_def_default(). The grid has nodes at (i cell, j cell) of W, without end; tiles of
 * 32 x 32 nodes come into being where bodies go. */
typedef struct tyi_soil_scm_def {
    double cell;                   /* [m]  0.02   spacing of the nodes, 1e-3 to 1 */
    const tyi_soil_scm_soil *soil; /* kinds of soil; copied */
    int soils;                     /* 1 to 255 */
    /* Natural height [m] of nx * ny nodes from (i0, j0), rows along x; NULL: 0 everywhere. Called
     * once per tile, in the step that reaches it. */
    void (*height)(void *user, int64_t i0, int64_t j0, int nx, int ny, double *out);
    /* Change of level [m] that the ground has had already (by earlier passes, see tyi_soil_scm_forget(), or by others);
     * NULL: none. What lies lower is soil pressed to that depth, what lies higher is loose. */
    void (*change)(void *user, int64_t i0, int64_t j0, int nx, int ny, float *out);
    /* How far [m] it has been pressed together, and how much of the change is slots of lugs, which carry nothing [m, >= 0]; NULL: what lies
     * lower is soil pressed to that depth. */
    void (*pressed)(void *user, int64_t i0, int64_t j0, int nx, int ny, float *pressed, float *print);
    /* Which soil (index into `soil`) lies there; NULL: the first everywhere. */
    void (*kind)(void *user, int64_t i0, int64_t j0, int nx, int ny, uint8_t *out);
    void *user;
    int bodies;            /* 16     most bodies in a step, 1 to 1024 */
    int reserve;           /* 256    tiles made beforehand (50 kB each); beyond them steps allocate */
    int threads;           /* 1      0: all processors; results do not depend on it */
    bool berms;            /* true   displaced soil is heaped up and flows */
    const ty_alloc *alloc; /* NULL: heap; outlives the object */
    uint32_t cookie;
} tyi_soil_scm_def;
tyi_soil_scm_def tyi_soil_scm_def_default(void);

/* TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_MEMORY; on failure *out is NULL. */
ty_status tyi_soil_scm_create(const tyi_soil_scm_def *def, tyi_soil_scm **out, ty_diag *diag);
void tyi_soil_scm_destroy(tyi_soil_scm *scm); /* NULL is allowed */

/* Shapes, before the first step. A wheel turns about its y axis. Its underside is exact for a
 * cylinder; lugs and meshes are turned once into a table over spin angle and place, good to 0.1
 * mm. Lugs of `shape` are plates of thickness grouser_t [m] and full width. *out is the number of the
 * shape. TY_ERR_RANGE, TY_ERR_INPUT, TY_ERR_MEMORY. */
ty_status tyi_soil_scm_add_wheel(tyi_soil_scm *scm, const ty_wheel_shape *shape, double grouser_t, int *out,
                                 ty_diag *diag);

/* A wheel given as triangles about its y axis [m], seen from outside: what lies behind an outer
 * surface does not count. sectors: it repeats itself so often around (1: not at all); slices: how
 * many profiles are taken across the width (1: the same everywhere). */
ty_status tyi_soil_scm_add_mesh(tyi_soil_scm *scm, const float *vertex, int vertices, const int *triangle,
                                int triangles, int sectors, int slices, int *out, ty_diag *diag);

/* A flat plate facing down: x by y [m], or a disc of diameter x where y is 0. */
ty_status tyi_soil_scm_add_plate(tyi_soil_scm *scm, double x, double y, int *out, ty_diag *diag);

typedef struct tyi_soil_scm_body {
    int shape;
    ty_pose pose; /* of the shape's frame in W */
    ty_vec3 v, w; /* [m/s], [rad/s] of its origin, in W */
    double calm;  /* [s] most that the soil's shear_time may be in this step; 0: any */
} tyi_soil_scm_body;

/* What the soil does to a body, and what it found. */
typedef struct tyi_soil_scm_load {
    ty_vec3 force, torque; /* [N], [N m] about the body's origin, in W */
    double sinkage;        /* [m] deepest point of the body below the natural ground */
    double below;          /* [m] the same below the level that it met */
    double area;           /* [m^2] of contact, seen from above */
    double width;          /* [m] Bekker's width of the largest patch */
    double slip;           /* [-] (r omega - v_x) / the larger of both; 0 for a plate */
    int nodes;             /* in contact */
} tyi_soil_scm_load;

/* One step for all bodies: forces from where they are, and the soil as it is after dt [s] of their
 * motion. Body number k should stay number k from step to step. Allocates nothing but tiles beyond the
 * reserve. TY_ERR_INPUT (a body that is not finite, or of no shape), TY_ERR_MEMORY. */
ty_status tyi_soil_scm_step(tyi_soil_scm *scm, double dt, const tyi_soil_scm_body *body, int bodies,
                            tyi_soil_scm_load *load, ty_diag *diag);

/* Makes room for `tiles` more tiles and for the work on every body, so that the steps until that many
 * new tiles are reached allocate nothing. After the last shape is added. TY_ERR_MEMORY. */
ty_status tyi_soil_scm_reserve(tyi_soil_scm *scm, int tiles, ty_diag *diag);

/* Height [m] in W of a body's underside over the point x, y [m]; false: the body is not over it. */
bool tyi_soil_scm_underside(const tyi_soil_scm *scm, const tyi_soil_scm_body *body, double x, double y, double *z);

/* Level [m] of the soil at a node, without load; natural height where nothing was. */
double tyi_soil_scm_level(tyi_soil_scm *scm, int64_t i, int64_t j);

/* Hands out what has changed since the last call, as rectangles of change [m] (row by row), for
 * ty_terrain_edit(). Returns how many; edit may be NULL to forget the changes. */
typedef void (*tyi_soil_scm_edit)(void *user, int64_t i0, int64_t j0, int nx, int ny, const float *change);
int tyi_soil_scm_edits(tyi_soil_scm *scm, tyi_soil_scm_edit edit, void *user);

/* Gives up the tiles all of whose columns are farther than `distance` [m] from x, y [m], where no soil flows any
 * more and whose changes have been handed out: change() must give them back when a body returns. Returns how many. */
int tyi_soil_scm_forget(tyi_soil_scm *scm, double x, double y, double distance);

/* All that a run remembers, as bytes for the same definition and shapes on the same machine. */
size_t tyi_soil_scm_save_size(const tyi_soil_scm *scm);
void tyi_soil_scm_save(const tyi_soil_scm *scm, void *out);

/* TY_ERR_FORMAT: not from such a grid; the grid is as before. TY_ERR_MEMORY. */
ty_status tyi_soil_scm_restore(tyi_soil_scm *scm, const void *bytes, size_t size, ty_diag *diag);

#endif
