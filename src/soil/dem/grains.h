/* src/soil/dem/grains.h - soil as grains: balls that press, slide and roll on each other with a memory of each contact, and rigid bodies among them.
 *
 * Grains live in a box of its own axes (z up), each axis closed or periodic. Fixed ones stand still: rough floors, rims. Bodies are those of
 * soil/crm (signed distances, moved by the caller); what they feel comes back as impulses.
 *
 * Lifetime: create, add grains, step; grains may come and go between steps. A step allocates nothing. Threads: one call at a time for
 * a bed; beds are independent. The same bits for any number of threads, and after a restore.
 *
 * Statuses: TY_ERR_DEF, TY_ERR_RANGE (a value that is wrong), TY_ERR_MEMORY, TY_ERR_NUMERIC (a state that is not finite, with step, grain and
 * field; a grain that left the box; more neighbours than fit), TY_ERR_FORMAT (restore).
 *
 * Model, limits, cost: src/soil/dem/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_DEM_GRAINS_H
#define TYI_SOIL_DEM_GRAINS_H
#include "tycho/device.h"
#include "tycho/math.h"
#include "tycho/tools/dem.h"
#include "soil/crm/bed.h"

typedef struct tyi_dem tyi_dem;

/* Start from tyi_dem_def_default(). */
typedef struct tyi_dem_def {
    ty_dem_soil soil;
    double diameter;   /* [m]  0.01     1e-5 to 1     mean, by number */
    double share;      /* [-]  0.2      0.01 to 0.4   step / Rayleigh's time of the smallest grain */
    ty_vec3 gravity;   /* [m/s^2] 0, 0, -TY_GRAVITY_MOON */
    ty_vec3 low, high; /* [m]  the box; a periodic axis is as long as this */
    bool periodic[3];
    size_t grains;         /* most of them */
    int neighbours;        /* 20   most of one grain, 8 to 64 */
    int bodies;            /* 8    most of them, 0 to 64 */
    int threads;           /* 1    0: all processors */
    const ty_alloc *alloc; /* NULL: heap. Kept by reference. */
    uint32_t cookie;
} tyi_dem_def;
tyi_dem_def tyi_dem_def_default(void);

/* What follows from a definition. */
typedef struct tyi_dem_facts {
    double smallest, largest; /* [m] radii */
    double step;              /* [s] the longest at rest */
    double mass;              /* [kg] of a mean grain */
} tyi_dem_facts;
ty_status tyi_dem_def_facts(const tyi_dem_def *def, tyi_dem_facts *out, ty_diag *diag);
ty_status tyi_dem_create(const tyi_dem_def *def, tyi_dem **out, ty_diag *diag);
void tyi_dem_destroy(tyi_dem *dem); /* NULL is allowed */

typedef struct tyi_dem_grain {
    ty_vec3 x, v, w; /* [m], [m/s], [rad/s] */
    double r;        /* [m]; within the facts' bounds */
    uint32_t id;     /* as given */
    bool fixed;
    int contacts; /* in the last step; as given until the first */
    int near;     /* grains within a third of a radius of its surface at the last search; 0 where there was none */
} tyi_dem_grain;

/* Radius [m] of grain `id` of a soil, from its distribution. */
double tyi_dem_radius(const tyi_dem_def *def, uint32_t id);
ty_status tyi_dem_add(tyi_dem *dem, const tyi_dem_grain *grain, size_t n, ty_diag *diag);
/* Takes away those for which it says true; the others keep their order and what their contacts remember. */
typedef bool (*tyi_dem_leaves)(void *user, const tyi_dem_grain *grain);
void tyi_dem_remove(tyi_dem *dem, tyi_dem_leaves leaves, void *user);
size_t tyi_dem_count(const tyi_dem *dem);
/* In an order that changes from time to time; the id stays. i < tyi_dem_count(). */
tyi_dem_grain tyi_dem_get(const tyi_dem *dem, size_t i);
/* Makes lists of neighbours where there are none, as after grains came or went: before stresses are asked for. */
ty_status tyi_dem_look(tyi_dem *dem, ty_diag *diag);
/* [Pa] xx, yy, zz, xy, xz, yz, tension positive: what its contacts with grains add up to over its own volume. */
void tyi_dem_stress(const tyi_dem *dem, size_t i, double *stress);

/* Sets every velocity and spin to zero, and forgets contacts with bodies: the end of settling. */
void tyi_dem_stop(tyi_dem *dem);
void tyi_dem_set_gravity(tyi_dem *dem, ty_vec3 gravity); /* [m/s^2] */
void tyi_dem_set_drag(tyi_dem *dem, double rate);        /* dv/dt = -rate v; [1/s] >= 0, at first 0 */
void tyi_dem_set_threads(tyi_dem *dem, int threads);

/* Advances by `duration` [s] in sub-steps of equal length. Bodies and loads as in tyi_crm_step(). */
ty_status tyi_dem_step(tyi_dem *dem, double duration, tyi_crm_body *body, int bodies, tyi_crm_load *load,
                       ty_diag *diag);

/* Moves the state to a device; steps run there from now on, with the host's bits where the device rounds as IEEE 754 says. Bodies need a device with double
 * precision. The device outlives the bed. What is read, saved, added to or taken away from is what tyi_dem_fetch() brought back last. */
ty_status tyi_dem_to_device(tyi_dem *dem, ty_device *device, ty_diag *diag);
ty_status tyi_dem_fetch(tyi_dem *dem, ty_diag *diag); /* nothing to do without a device */

/* Sums over all grains that move. */
typedef struct tyi_dem_sums {
    ty_vec3 momentum;          /* [kg m/s] */
    ty_vec3 angular;           /* [kg m^2/s] about the box's origin, spins included */
    double kinetic, potential; /* [J] spins included; in the present gravity */
    double elastic;            /* [J] of contacts between grains */
    double fastest, mass;      /* [m/s], [kg] */
    double overlap;            /* [-] the deepest over the smaller radius */
    size_t moving, touching;   /* grains; contacts */
} tyi_dem_sums;
tyi_dem_sums tyi_dem_add_up(const tyi_dem *dem);
tyi_crm_counts tyi_dem_get_counts(const tyi_dem *dem);

/* The state as bytes: a bed of the same definition that is restored from it goes on with the same bits. */
size_t tyi_dem_state_bytes(const tyi_dem *dem);
void tyi_dem_save(const tyi_dem *dem, void *bytes);
ty_status tyi_dem_restore(tyi_dem *dem, const void *bytes, size_t size, ty_diag *diag);

#endif
