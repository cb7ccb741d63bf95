/* src/soil/crm/crm.h - the state of a bed of particles and what its files do with it.
 *
 * State is in single precision, sorted by cell at every search: rows of four numbers, so that one load fetches what goes
 * together on the host and on a device. Positions are integers: along a periodic axis 2^32 units are the length of the box, so
 * that the difference of two of them wraps to the nearest image by itself; along others the box is a quarter of that.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_H
#define TYI_CRM_H
#ifdef TY_K_BASE_H
#error "crm.h comes before any kernel"
#endif
#define TY_KERNEL_FLOAT
#include "core/core.h"
#include "tycho/tools/crm.h"
#include "bed.h"
#include "box.h"

#define TYI_CRM_LANES 16  /* particles that one row of a neighbour list serves */
#define TYI_CRM_BLOCK 512 /* particles that one task works on */

typedef float tyi_crm_f4 __attribute__((vector_size(16), may_alias));

/* Everything that a step carries on is here; a table in crm.c names it for allocation, sorting and saving. */
typedef struct tyi_crm_arrays {
    tyi_crm_i4 *x;       /* position in units; last: 1.0f for soil, 0 for a wall, as bits */
    tyi_crm_f4 *v;       /* [m/s] velocity, [m^3] volume */
    tyi_crm_f4 *t0, *t1; /* [Pa] sigma xx yy zz, e [-]; xy xz yz, support [-] */
    tyi_crm_f4 *g;       /* [1/m] gradient of e; e [-] */
    tyi_crm_f4 *touch;   /* [m] memory of the contact with a body; which body (index + 1) */
    uint32_t *id;
} tyi_crm_arrays;

typedef struct tyi_crm_part { /* sums of one task */
    double load[64][6];       /* [N s], [N m s] */
    int touching[64];
    float moved, fastest; /* [m] farthest since the last search, [m/s] */
    int64_t bad;          /* index of the first particle whose state is wrong; -1: none */
    bool outside;         /* some are outside the fence */
} tyi_crm_part;

struct tyi_crm {
    tyi_crm_def def;
    ty_crm_facts facts;
    size_t n, room; /* particles; arrays are as long as room, a multiple of the lanes */
    size_t walls;
    double h, reach, skin; /* [m] smoothing length, support 2 h, how much farther lists look */
    tyi_crm_box box;
    tyi_crm_arrays a, spare; /* spare: sorted into; and v, g of the next step */
    tyi_crm_i4 *x0;          /* where the particles were at the last search */
    tyi_crm_f4 *acc, *shift; /* [m/s^2], [m/s] */
    uint32_t *start;         /* first particle of each cell, one more than cells */
    uint32_t *key;           /* cell of each particle */
    int32_t *list;           /* neighbours, rows of TYI_CRM_LANES */
    int32_t *length;         /* rows of each group */
    uint8_t *kinds;          /* of each group: 1 soil in it, 2 walls in it */
    tyi_crm_part *part;
    size_t parts;
    struct tyi_crm_device *device; /* NULL: on the host */
    bool started, searched, due;   /* due: lists are to be made anew before the next sub-step */
    bool changed, ahead;           /* since then: the host's particles; those of the device */
    tyi_crm_fence fence;
    bool outside;                  /* soil was outside it at the end of the last step */
    struct tyi_crm_solids *solids; /* bodies of the sub-step */
    tyi_crm_counts counts;
    double fastest, drag; /* [m/s], [1/s] */
};

/* threads that are worth waking: one for every 8192 particles */
int tyi_crm_threads(const tyi_crm *crm);
/* sorts by cell, and lists neighbours (search.c); false: one has more than fit, its index in *who */
void tyi_crm_sort(tyi_crm *crm);
bool tyi_crm_search(tyi_crm *crm, size_t *who);

/* sums over neighbours (pass.c): forces; rates, density and stress; what walls take over from soil */
struct ty_k_sph;
void tyi_crm_pass_force(tyi_crm *crm, const struct ty_k_sph *p);
void tyi_crm_pass_rate(tyi_crm *crm, const struct ty_k_sph *p);
void tyi_crm_pass_wall(tyi_crm *crm, const struct ty_k_sph *p, bool velocity);

/* the same on a device (device.c): sub-steps of beds of one pool, with `bodies` bodies each; what these felt is in crm->part then. Where it fails, the
 * bed that did. destroy takes one without a device */
struct ty_k_touch_law;
typedef struct tyi_crm_device_step {
    tyi_crm *const *crm;
    int count, steps, bodies;
    tyi_crm_body *const *body;
    const struct ty_k_sph *p;
    const struct ty_k_touch_law *law;
} tyi_crm_device_step;
ty_status tyi_crm_device_steps(const tyi_crm_device_step *step, int *who, ty_diag *diag);
ty_status tyi_crm_device_send(tyi_crm *crm, ty_diag *diag); /* what changed on the host */
void tyi_crm_device_destroy(tyi_crm *crm);
ty_status tyi_crm_say_bad(const tyi_crm *crm, size_t i,
                          ty_diag *diag); /* the sentence about a particle whose state is wrong */
ty_status tyi_crm_say_full(const tyi_crm *crm, size_t i, ty_diag *diag);

#endif
