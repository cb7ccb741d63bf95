/* include/tycho/tools/bed.h - the soil laboratory: experiments on a bed of soil that flows, as a continuum (crm) or as grains (dem), each with what there is to
 * compare it with in closed form or in the literature; plates and a wheel also on soil columns (scm) and by Bekker's formulas.
 *
 * Lifetime: ty_bed_run() fills a result that the caller frees with ty_bed_result_free(), also after a failure.
 * Threads: a run uses as many as the definition says; runs are independent.
 * Statuses: those of tycho/tools/crm.h, TY_ERR_RANGE for the laboratory's own numbers, TY_ERR_CANCELLED.
 * The experiments, their bounds and sources: src/soil/bed/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_BED_H
#define TYCHO_BED_H
#include "tycho/base.h"
#include "tycho/device.h"
#include "tycho/soil.h"
#include "tycho/tools/crm.h"
#include "tycho/tools/dem.h"
TY_BEGIN_DECLS

/* every experiment, its name and what it shows, once */
#define TY_BED_LIST(X)                                                                                   \
    X(TY_BED_REST, "rest", "a layer at rest on a slope: stress by depth, creep")                         \
    X(TY_BED_INCLINE, "incline", "a layer that flows down a slope, or does not")                         \
    X(TY_BED_COLUMN, "column", "a confined column swings under its weight: period, settlement")          \
    X(TY_BED_COLLAPSE, "collapse", "a wall is taken away: how far a column runs out, how high it stays") \
    X(TY_BED_REPOSE, "repose", "a cylinder of soil slumps to a heap: angle of its flank")                \
    X(TY_BED_PLATE, "plate", "plates pressed in: pressure by sinkage, Bekker numbers")                   \
    X(TY_BED_BALL, "ball", "a ball dropped into the bed: how deep")                                      \
    X(TY_BED_BLADE, "blade", "a wall pushed into a layer: passive pressure")                             \
    X(TY_BED_WHEEL, "wheel", "a wheel led at forced slip: pull, torque, sinkage")                        \
    X(TY_BED_DRUM, "drum", "a drum with scoops that turns and is led: torque, push, sinkage, fill")      \
    X(TY_BED_TUMBLER, "tumbler", "a half-full drum turns: slope of the surface, torque")                 \
    X(TY_BED_JANSSEN, "janssen", "grains in a silo: pressure on its floor")                              \
    X(TY_BED_HOPPER, "hopper", "grains run out of a hole in a floor: kilograms a second")

typedef enum ty_bed_test {
#define TY_BED_ENUM(id, name, what) id,
    TY_BED_LIST(TY_BED_ENUM)
#undef TY_BED_ENUM
        TY_BED_COUNT
} ty_bed_test;

/* every soil and its name, once */
#define TY_BED_SOIL_LIST(X) X(TY_BED_CRM, "crm") X(TY_BED_DEM, "dem") X(TY_BED_SCM, "scm") X(TY_BED_BEKKER, "bekker")
typedef enum ty_bed_soil {
#define TY_BED_SOIL_ENUM(id, name) id,
    TY_BED_SOIL_LIST(TY_BED_SOIL_ENUM)
#undef TY_BED_SOIL_ENUM
} ty_bed_soil;

TY_API const char *ty_bed_name(ty_bed_test test);
TY_API const char *ty_bed_what(ty_bed_test test);
TY_API bool ty_bed_find(const char *name, ty_bed_test *out);

enum { TY_BED_DIAMETERS = 4, TY_BED_SLIPS = 16, TY_BED_FIELDS = 16, TY_BED_COLUMNS = 6 };

/* Start from ty_bed_def_default(). */
typedef struct ty_bed_def {
    ty_bed_soil model;     /* as in ty_bed_def_default() */
    ty_crm_soil soil;      /* of crm */
    ty_dem_soil grains;    /* of dem */
    ty_soil_params bekker; /* of scm and bekker, but for g, which is `gravity` */
    double spacing;        /* [m] of particles; of dem: mean diameter of grains; of scm: between columns */
    double gravity;        /* [m/s^2] 9.81 */
    double aspect;         /* [-] collapse: height / width */
    double diameter
        [TY_BED_DIAMETERS]; /* [m] of plates (several), of the ball, of the cylinder of repose, of the silo, of the hole */
    int diameters;
    double
        height; /* [m] of the soil; wheel: of its patch, 0: as it chooses; ball: of the drop, from rest to the surface */
    double angle;    /* [rad] of the slope */
    double seconds;  /* [s] of the experiment */
    double ball_rho; /* [kg/m^3] 700 */
    double friction; /* [-] of the blade, 0; of the wheel and drum, 0: as within the soil; of the silo, 0.3 */
    double load;     /* [N] on the wheel or drum under 9.81 m/s^2; it goes with gravity */
    /* [m] of the wheel's patch, 0: as it chooses; of the soil along the drum's way that is there at a time, 0: all of it; columns that either moves at a time, 2 */
    double side, jump;
    double slip[TY_BED_SLIPS]; /* [-] of the wheel */
    int slips;
    double speed, rate; /* [m/s], [rad/s] at which the drum is led and turns; it digs with a positive rate */
    double width;       /* [m] of the drum's bed, periodic across */
    double scoops; /* [-] of the drum, all alike, 1 to 4: means are over whole passages of one, 2 pi / (scoops rate) */
    /* the drum's mesh [m], about y (ty_mesh_read()); NULL: a drum of diameter[0] and 0.23 of that wide, with scoops that wind inwards */
    const float *vertex;
    const uint32_t *triangle;
    size_t vertices, triangles;
    double alpha, xsph, delta; /* [-] as in src/soil/crm/bed.h */
    double cfl;                /* [-] 0.3: step * (c_p + v) / h */
    double skin;    /* [-] 0.1: lists of neighbours look so much of the support farther; 0: made in every sub-step */
    double markers; /* [-] 0: a drum's mesh is met by its faces; else by markers inside it, this many spacings apart */
    double forget;  /* [-] 0: soil that came apart bears when it has closed again; 1: as soon as it closes */
    int threads;    /* 0: all processors */
    ty_device *device; /* NULL: the host. Not for the wheel */
    ty_progress progress;
    uint32_t cookie;
} ty_bed_def;
/* The row's own soil and sizes, and the finest spacing that ends within some 5 minutes on 2 cores. janssen and hopper are of dem alone; rest, incline and column of crm; scm and bekker have plate and wheel. */
TY_API ty_bed_def ty_bed_def_default(ty_bed_test test, ty_bed_soil model);

/* A named number, or a list of them. */
typedef struct ty_bed_field {
    const char *name;
    double *value;
    int count;
    bool list;
} ty_bed_field;

typedef struct ty_bed_result {
    ty_bed_test test;
    size_t particles; /* soil, without walls */
    double wall_s;    /* [s] */
    uint64_t steps;
    ty_bed_field field[TY_BED_FIELDS];
    int fields;
    const char *column[TY_BED_COLUMNS]; /* names with units of the series */
    int columns;
    double *series; /* rows of `columns` numbers */
    size_t rows;
    ty_crm_particle *particle; /* at the end, soil alone */
    size_t particle_count;
    ty_crm_facts facts;
    double volume_drift; /* [-] change of the volume that the soil takes, by its density */
} ty_bed_result;

TY_API ty_status ty_bed_run(ty_bed_test test, const ty_bed_def *def, ty_bed_result *out, ty_diag *diag);
TY_API void ty_bed_result_free(ty_bed_result *result);
TY_API double ty_bed_get(const ty_bed_result *result,
                         const char *name); /* first value of a field; NaN: no such field */

TY_END_DECLS
#endif
