/* src/soil/crm/bed.h - soil that flows: an elasto-plastic continuum carried by particles (SPH), with rigid bodies in it.
 *
 * A bed of particles lives in a box of its own axes (z up), up to some metres wide, each axis closed or periodic. Soil particles
 * move; wall particles stand still and take their stress and the mirrored velocity from the soil next to them (no slip). Bodies
 * are solids by signed distance, moved by the caller, with a friction of their own; what they feel comes back as impulses.
 *
 * Lifetime: create, add particles and bodies, step; particles cannot be added after the first step. A step allocates
 * nothing. Threads: one call at a time for a bed; beds are independent. The same bits for any number of threads.
 *
 * Statuses: TY_ERR_DEF, TY_ERR_RANGE (a value that is wrong), TY_ERR_MEMORY, TY_ERR_NUMERIC (a state that is not finite, with step,
 * particle and field; a particle that left the box; soil pressed to more than the neighbours that fit), TY_ERR_FORMAT (restore).
 *
 * Model, limits, cost: src/soil/crm/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_CRM_BED_H
#define TYI_SOIL_CRM_BED_H
#include "tycho/device.h"
#include "tycho/tools/crm.h"

typedef struct tyi_crm tyi_crm;

/* Start from tyi_crm_def_default(). */
typedef struct tyi_crm_def {
    ty_crm_soil soil;
    double spacing;   /* [m]  0.01     1e-4 to 1    between particles */
    double smoothing; /* [-]  1.2      1 to 1.5     smoothing length / spacing */
    double alpha;     /* [-]  0.1      0 to 1       artificial viscosity */
    double xsph;      /* [-]  0.1      0 to 0.5     share of the neighbours' velocity in the motion */
    double
        delta; /* [-]  0        0 to 0.5     diffusion of density: smooths pressure in flow, but stirs soil at rest near walls */
    double
        forget; /* [-]  0        0 to 1       of how loose soil is; 1: it bears as soon as it closes, as in codes without a memory of volume */
    double
        skin; /* [-]  0.1      0 to 0.5     of the support, that lists look farther; 0: they are made in every sub-step */
    double cfl;        /* [-]  0.3      0.01 to 0.6  step * (c_p + v) / h */
    ty_vec3 gravity;   /* [m/s^2] 0, 0, -TY_GRAVITY_MOON */
    ty_vec3 low, high; /* [m]  the box; a periodic axis is as long as this */
    bool periodic[3];
    size_t particles; /* most of them */
    int neighbours;   /* 128  most of one particle, 64 to 512 */
    int near; /* 2    cells on each side that neighbours are in, 1 or 2: with 2 those of a row of cells follow each other */
    int bodies;            /* 8    most of them, 0 to 64 */
    int threads;           /* 1    0: all processors */
    const ty_alloc *alloc; /* NULL: heap. Kept by reference. */
    uint32_t cookie;
} tyi_crm_def;
tyi_crm_def tyi_crm_def_default(void);
ty_status tyi_crm_def_facts(const tyi_crm_def *def, ty_crm_facts *out, ty_diag *diag);
ty_status tyi_crm_create(const tyi_crm_def *def, tyi_crm **out, ty_diag *diag);
void tyi_crm_destroy(tyi_crm *crm); /* NULL is allowed */
ty_status tyi_crm_add(tyi_crm *crm, const ty_crm_particle *particle, size_t n, ty_diag *diag);
size_t tyi_crm_count(const tyi_crm *crm);

/* In an order that changes from time to time; the id stays. i < tyi_crm_count(). */
ty_crm_particle tyi_crm_get(const tyi_crm *crm, size_t i);

/* Sets every velocity to zero: the end of settling. */
void tyi_crm_stop(tyi_crm *crm);
void tyi_crm_set_gravity(tyi_crm *crm, ty_vec3 gravity); /* [m/s^2] */

/* A drag on every particle, to bring soil to rest that only sways: dv/dt = -rate v. rate [1/s] >= 0, at first 0. */
void tyi_crm_set_drag(tyi_crm *crm, double rate);

typedef enum tyi_crm_shape {
    TYI_CRM_PLANE,    /* all below its z = 0 */
    TYI_CRM_SPHERE,   /* radius a */
    TYI_CRM_CYLINDER, /* about its z: radius a, half height c */
    TYI_CRM_BOX,      /* half sizes a, b, c */
    TYI_CRM_WHEEL,    /* about its y: radius a of the rim, lugs of height b, half width c */
    TYI_CRM_LATTICE,  /* any shape, by its distances on a lattice */
    TYI_CRM_TUBE,     /* about its z: all that is farther from it than a */
    TYI_CRM_HOLE      /* a plate across its z, of half thickness c, with a round hole of radius a */
} tyi_crm_shape;

typedef struct tyi_crm_body {
    tyi_crm_shape shape;
    double a, b, c;  /* [m] */
    double friction; /* [-] with soil; 0: smooth */
    ty_pose pose;    /* of the body in the box */
    ty_vec3 v, w;    /* [m/s], [rad/s] of its origin, in the box's axes: how it moves during the step */
    bool off;        /* not there */
    int lugs;        /* of a wheel: plates of its full width, evenly around; the first along its z */
    double plate;    /* [m] their thickness */
    double soft;     /* [-] share of the contact's stiffness that it lacks, 0 to 0.99 */
    const struct tyi_crm_lattice *lattice; /* of TYI_CRM_LATTICE (lattice.h); outlives the steps */
} tyi_crm_body;

/* What a body feels over a step. */
typedef struct tyi_crm_load {
    ty_vec3 impulse; /* [N s] */
    ty_vec3 twist;   /* [N m s] about its origin, which moves with it */
    int touching;    /* particles in contact at the end */
} tyi_crm_load;

/* Advances by `duration` [s] in sub-steps of equal length, no longer than cfl allows. Bodies move by their velocities, and their
 * poses are those at the end when it returns; load (may be NULL) has one entry for each. `bodies` at most as defined; contact
 * memory belongs to the place in the list. */
ty_status tyi_crm_step(tyi_crm *crm, double duration, tyi_crm_body *body, int bodies, tyi_crm_load *load,
                       ty_diag *diag);

/* Moves the state to a device; steps run there from now on, with the host's bits where the device rounds as IEEE 754 says
 * (lugs of wheels aside: their sines are the device's). Bodies need a device with double precision. The device outlives the bed. What tyi_crm_get(), tyi_crm_add_up() and
 * tyi_crm_save() read is what tyi_crm_fetch() brought back last. */
ty_status tyi_crm_to_device(tyi_crm *crm, ty_device *device, ty_diag *diag);
ty_status tyi_crm_fetch(tyi_crm *crm, ty_diag *diag); /* nothing to do without a device */
/* Places, stresses, density, support and what is a wall alone; all of tyi_crm_get() is there again after tyi_crm_fetch(). */
ty_status tyi_crm_fetch_seen(tyi_crm *crm, ty_diag *diag);

/* Beds of one shape that step together on a device, one kernel for all of them: the particles of each are in a slot. Those of several slots have walls and
 * bodies. A bed leaves its pool when it is destroyed; what made the pool leaves it with tyi_crm_pool_leave(), and the last one frees it. */
enum { TYI_CRM_BEDS = 8 };
typedef struct tyi_crm_pool tyi_crm_pool;
ty_status tyi_crm_pool_create(const tyi_crm *like, int slots, ty_device *device, tyi_crm_pool **out, ty_diag *diag);
ty_status tyi_crm_to_pool(tyi_crm *crm, tyi_crm_pool *pool, ty_diag *diag);
void tyi_crm_pool_leave(tyi_crm_pool *pool);             /* NULL is allowed */
const tyi_crm_pool *tyi_crm_pool_of(const tyi_crm *crm); /* NULL: it is on the host */
/* tyi_crm_step() of beds of one pool, at most TYI_CRM_BEDS; bits are those of each alone. Where it fails, the bed that did. */
ty_status tyi_crm_step_many(tyi_crm *const *crm, int count, double duration, tyi_crm_body *const *body, int bodies,
                            tyi_crm_load *const *load, int *who, ty_diag *diag);

/* A fence around some of the box, in units of places: whether any soil was outside it at the end of the last step. */
typedef struct tyi_crm_fence {
    bool on;
    int32_t low[3];
    uint32_t span[3];
} tyi_crm_fence;
void tyi_crm_set_fence(tyi_crm *crm, ty_vec3 low, ty_vec3 high); /* [m] */
bool tyi_crm_outside(const tyi_crm *crm);

/* For `tycho bench`: times of kernels while it is set, which then wait for each other; and options of the compiler there. */
enum { TYI_CRM_PROFILE = 32 };
typedef struct tyi_crm_profile {
    int count;
    struct {
        const char *kernel;
        double seconds;
        int runs;
    } row[TYI_CRM_PROFILE];
} tyi_crm_profile;
extern tyi_crm_profile *tyi_crm_device_profile;
extern const char *tyi_crm_device_options;

/* Sums over all soil particles. */
typedef struct tyi_crm_sums {
    ty_vec3 momentum;   /* [kg m/s] */
    ty_vec3 angular;    /* [kg m^2/s] about the box's origin */
    double kinetic;     /* [J] */
    double elastic;     /* [J] of pressure and shear */
    double potential;   /* [J] in the present gravity */
    double fastest;     /* [m/s] */
    double volume;      /* [m^3] m / rho, of all that bears */
    size_t soil, loose; /* particles; those that bear nothing */
} tyi_crm_sums;
tyi_crm_sums tyi_crm_add_up(const tyi_crm *crm);

typedef struct tyi_crm_counts {
    uint64_t steps, searches; /* so far */
    double time;              /* [s] */
    double step;              /* [s] the last */
    uint64_t device_bytes;    /* that it takes on a device */
} tyi_crm_counts;
tyi_crm_counts tyi_crm_get_counts(const tyi_crm *crm);

/* The state as bytes: a bed of the same definition that is restored from it goes on with the same bits. */
size_t tyi_crm_state_bytes(const tyi_crm *crm);
void tyi_crm_save(const tyi_crm *crm, void *bytes);
ty_status tyi_crm_restore(tyi_crm *crm, const void *bytes, size_t size, ty_diag *diag);

#endif
