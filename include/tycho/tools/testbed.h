/* include/tycho/tools/testbed.h - a soil bin: a single wheel at forced slip, a plate, a shear box, what
 * others measured in theirs, and soils fitted to it. `tycho wheel` and `tycho validate` are made of
 * this.
 *
 * Signs as in `tycho eval wheel`: fx is the drawbar pull (forward), fy the side force towards
 * +beta, torque resists the drive.
 * Threads: every function only reads what it is given but for its outputs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TESTBED_H
#define TYCHO_TESTBED_H
#include "tycho/soil.h"
TY_BEGIN_DECLS

/* ---- soil files ---- */

/* Reads a soil file (models/soils): keys of ty_soil_fields(), others keep the default. settings are
 * `count` texts "key=value" that override the file. path NULL: the default soil with the settings.
 * TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_RANGE, TY_ERR_MEMORY, with file:line:column. */
TY_API ty_status ty_soil_params_load(const char *path, const char *const *settings, size_t count, ty_soil_params *out,
                                     ty_diag *diag);

/* ---- rigs ---- */

#define TY_RIG_STATIC \
    (-1) /* Bekker-Wong, the steady solution itself; otherwise a ty_soil_model_kind, stepped until it is steady */
TY_API const char *ty_rig_name(int model);           /* "static", "bekker", ... */
TY_API bool ty_rig_find(const char *name, int *out); /* false: no such name */

/* A wheel that is led at given slip and slip angle and sinks freely under its load, over flat
 * ground. Start from ty_rig_def_default(). */
typedef struct ty_rig_def {
    int model; /* TY_RIG_STATIC */
    ty_soil_params soil;
    ty_wheel_shape wheel;  /* r 0.25, b 0.2, no lugs */
    double load;           /* [N]   180    across the ground */
    double ground;         /* [rad] 0      slope of the ground, rising the way the wheel goes: soil leans. crm, dem */
    double slip;           /* [-]   0      -1 to 1, by the shearing radius */
    double beta;           /* [rad] 0      slip angle */
    double speed;          /* [m/s] 0.1    the larger of rim speed and forward speed */
    double dt;             /* [s]   1e-3   step */
    double watch;          /* [s]   0      over which means are taken; 0: as long as the model needs. scm, crm, dem */
    double cell;           /* [m]   0.01   spacing of scm's grid, of crm's particles, diameter of dem's grains */
    ty_patch_params patch; /* crm, dem, but for its spacing */
    struct ty_device *device;  /* NULL   for patches that ask for one */
    const ty_soil_model *user; /* TY_SOIL_USER: the row */
    uint32_t cookie;
} ty_rig_def;
TY_API ty_rig_def ty_rig_def_default(void);

/* Means over the last part of the way. */
typedef struct ty_rig_result {
    double h;          /* [m] sinkage of the rim */
    double fx, fy, fz; /* [N] */
    double torque;     /* [N m] */
    double slip, beta; /* [-], [rad] as they came out */
    double ripple;     /* [N] standard deviation of fx */
} ty_rig_result;
/* TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_MEMORY, TY_ERR_NUMERIC (no sinkage carries the load). */
TY_API ty_status ty_rig_run(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag);

/* The two halves of a bevameter, with the soil, model and cell of `def`: on the grid of columns for TY_SOIL_SCM, else
 * in closed form. A plate pressed to a depth [m]: mean pressure [Pa]. b is Bekker's width: the radius of a round
 * plate, which the grid takes it for. */
TY_API ty_status ty_plate_pressure(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag);
/* A plate under normal stress [Pa] sheared by j [m]: shear stress [Pa]. On the grid the plate is a
 * square of 0.2 m, sunk to where the stress should be, held there, and the shear is scaled to it. */
TY_API ty_status ty_plate_shear(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag);

TY_END_DECLS
#endif
