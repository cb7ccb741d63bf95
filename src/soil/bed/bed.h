/* src/soil/bed/bed.h - what the experiments share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BED_H
#define TYI_BED_H
#include "core/core.h"
#include "tycho/tools/bed.h"
#include "soil/crm/bed.h"
#include "soil/dem/grains.h"
#include "soil/particles/particles.h"

/* One experiment under way. */
typedef struct tyi_bed {
    const ty_bed_def *def;
    ty_bed_result *out;
    tyi_crm_def crm_def; /* of dem: what it shares, the box and its periodic axes */
    tyi_crm *crm;
    tyi_dem_def dem_def;
    tyi_dem *dem;
    double fraction; /* [-] of grains in the volume that they were poured into */
    ty_diag *diag;
    size_t room;        /* rows of the series */
    bool moved;         /* to the device, */
    bool apart;         /* and its particles are not looked at between pieces */
    double volume;      /* [m^3] that was laid */
    uint32_t ids;       /* given so far */
    double from, share; /* progress: where this part of the work starts, how much of it it is */
} tyi_bed;

/* Says whether soil is at x; NULL: everywhere. */
typedef bool (*tyi_bed_inside)(const tyi_bed *bed, ty_vec3 x);

/* Soil on a lattice over [low, high] on a floor of walls below z = 0 that covers the box, with the stress of its weight at
 * rest: the surface at `top`, K0 across (hydro: isotropic), the slope's shear along x. Sets the box of crm_def by low and
 * high (with `air` above) where not periodic. */
typedef struct tyi_bed_fill {
    ty_vec3 low, high;         /* [m] of the soil; low.z = 0 */
    ty_vec3 box_low, box_high; /* [m] x and y of the floor; z of box_high: the top of the box */
    tyi_bed_inside inside;
    double slope; /* [rad] */
    double lack;  /* [-] share of the weight that the stress lacks at the start */
    /* of dem: grains are poured in, settle and are struck off at high.z */
    double tube;        /* [m] radius of the tube about z that they are poured into; 0: smooth planes at low and high */
    bool bare;          /* no floor (also of crm) */
    tyi_crm_body *body; /* what they settle among, instead of tube, planes */
    int bodies;
    double volume; /* [m^3] that grains lie in when struck off; 0: of low to high, or of the tube */
    double box;    /* [m] of crm: so much of the box is laid at first, from its low end along x; 0: all of it */
} tyi_bed_fill;
ty_status tyi_bed_lay(tyi_bed *bed, const tyi_bed_fill *fill);
/* Of crm: columns from first to before last, counted from the box's low end along x, also between steps; adds to *soil how many particles. */
ty_status tyi_bed_lay_columns(tyi_bed *bed, const tyi_bed_fill *fill, int first, int last, size_t *soil);

ty_status tyi_bed_pour(tyi_bed *bed, const tyi_bed_fill *fill); /* the same with grains */

/* particles of either soil (soil/particles/particles.h): how many, one of them, energy of their motion [J], friction within the soil [-] */
tyi_soil_particles tyi_bed_particles(const tyi_bed *bed);
size_t tyi_bed_count(const tyi_bed *bed);
ty_crm_particle tyi_bed_at(const tyi_bed *bed, size_t i);
double tyi_bed_kinetic(const tyi_bed *bed);
double tyi_bed_friction(const tyi_bed *bed);
ty_bed_def tyi_bed_grains(ty_bed_def def, ty_bed_test test); /* defaults of dem */

/* Steps in pieces of `piece` [s], calling each after every one; each may be NULL, and may end it by returning false. */
typedef bool (*tyi_bed_each)(tyi_bed *bed, double t, void *user);
ty_status tyi_bed_go(tyi_bed *bed, double seconds, double piece, tyi_crm_body *body, int bodies, tyi_crm_load *load,
                     tyi_bed_each each, void *user);
ty_status tyi_bed_settle(tyi_bed *bed, double seconds, tyi_crm_body *body, int bodies); /* under drag, then stopped */

bool tyi_bed_row(tyi_bed *bed, const double *value); /* appends to the series; false: no memory */
void tyi_bed_field(tyi_bed *bed, const char *name, double value);
ty_status tyi_bed_list(tyi_bed *bed, const char *name, const double *value, int count);
ty_status tyi_bed_keep(tyi_bed *bed); /* the particles, into the result; replaces those kept before */

/* Means of what comes in passages of `period` [s], from `from` [s] on: over whole passages, and their standard error by how passages differ. Starts as
 * { .from, .period }. */
enum { TYI_BED_MEANS = 3 };
typedef struct tyi_bed_passages {
    double from, period;
    int count;
    double part[TYI_BED_MEANS];                       /* integral over the passage under way */
    double mean[TYI_BED_MEANS], apart[TYI_BED_MEANS]; /* over passages, sum of squares about the mean */
} tyi_bed_passages;
void tyi_bed_passages_add(tyi_bed_passages *p, double t, double dt,
                          const double *value);                  /* as it was from t - dt to t */
double tyi_bed_passages_error(const tyi_bed_passages *p, int k); /* NaN of fewer than two */

/* Height of the soil by place: bins of one spacing along x (radial: by distance from the z axis), from the mass in each. */
typedef struct tyi_bed_profile {
    double *height; /* [m] */
    int bins;
    double width; /* [m] of a bin */
} tyi_bed_profile;
ty_status tyi_bed_profile_make(const tyi_bed *bed, bool radial, double across, tyi_bed_profile *out);
void tyi_bed_profile_free(tyi_bed_profile *profile);

/* Pressures of all plates, TYI_BED_PLATE_ROWS of each. */
enum { TYI_BED_PLATE_ROWS = 100 };
typedef struct tyi_bed_plates {
    double *pressure, *sinkage; /* [Pa], [m] */
    int count;
} tyi_bed_plates;
ty_status tyi_bed_plate_columns(tyi_bed *bed, tyi_bed_plates *plates); /* scm and bekker (columns.c) */
static inline bool tyi_bed_of_columns(const ty_bed_def *def)
{
    return def->model == TY_BED_SCM || def->model == TY_BED_BEKKER;
}
struct ty_rig_def tyi_bed_rig(const ty_bed_def *def); /* the rig of `tycho wheel` with this soil */

ty_status tyi_bed_rest(tyi_bed *bed);
ty_status tyi_bed_incline(tyi_bed *bed);
ty_status tyi_bed_column(tyi_bed *bed);
ty_status tyi_bed_collapse(tyi_bed *bed);
ty_status tyi_bed_repose(tyi_bed *bed);
ty_status tyi_bed_plate(tyi_bed *bed);
ty_status tyi_bed_ball(tyi_bed *bed);
ty_status tyi_bed_blade(tyi_bed *bed);
ty_status tyi_bed_wheel(tyi_bed *bed);
ty_status tyi_bed_drum(tyi_bed *bed);
ty_status tyi_bed_tumbler(tyi_bed *bed);
ty_status tyi_bed_janssen(tyi_bed *bed);
ty_status tyi_bed_hopper(tyi_bed *bed);

#endif
