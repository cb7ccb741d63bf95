/* src/soil/dem/dem.h - the state of a bed of grains and what its files do with it.
 *
 * Rows of four numbers in single precision, sorted by cell at every search; positions are integers (soil/crm/box.h). A grain lists every other one
 * near it; lists of 32 grains lie side by side. What contacts remember lies in slots at the grain's home, which it keeps as long as it is there, so
 * that sorting moves none of it; fewer touch than are near, so slots are fewer than entries.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DEM_H
#define TYI_DEM_H
#include "soil/crm/crm.h"
#include "soil/crm/solids.h"
#include "grains.h"
#include "k_dem.h"

enum {
    TYI_DEM_GROUP = 32, /* grains whose lists lie side by side */
    TYI_DEM_BLOCK = 256 /* grains that one task works on */
};

typedef struct tyi_dem_arrays {
    tyi_crm_i4 *x; /* position in units; last: radius [m], as bits */
    tyi_crm_f4 *v; /* [m/s] velocity, [kg] mass */
    tyi_crm_f4 *w; /* [rad/s] spin; contacts in the last step, -1: fixed */
    uint32_t *id;
    int32_t *home;
} tyi_dem_arrays;

/* What a contact remembers; with: the other's home, or TY_K_DEM_BODY and its number, as bits. */
typedef struct tyi_dem_slot {
    tyi_crm_f4 slide; /* xi [m], k_t [N/m] */
    tyi_crm_f4 roll;  /* theta [rad], with */
} tyi_dem_slot;

typedef struct tyi_dem_lists {
    uint32_t *entry; /* 32 times the neighbour's place at the search, and its slot + 1 */
    int32_t *length;
} tyi_dem_lists;

struct tyi_dem {
    tyi_dem_def def;
    tyi_dem_facts facts;
    double skin;    /* [m] how much farther lists look */
    size_t n, room; /* grains; arrays' length */
    int slots;      /* of a grain */
    tyi_crm_box box;
    tyi_dem_arrays a, spare;
    tyi_dem_lists list;
    uint32_t *used;     /* by home: which slots are; TY_K_DEM_MEETS */
    tyi_dem_slot *slot; /* by home, `slots` each */
    int32_t *place;     /* by home: where the grain is since the last search; -1: there is none */
    size_t vacant;      /* a home from which on one is looked for */
    tyi_crm_i4 *x0;     /* where the grains were at the last search */
    uint32_t *start;    /* first grain of each cell, one more than cells */
    uint32_t *key;
    tyi_crm_part *part;
    size_t parts;
    tyi_crm_solids *solids;
    struct tyi_dem_device *device; /* NULL: on the host */
    bool searched, due;
    bool changed, ahead; /* since then: the host's grains; those of the device */
    tyi_crm_counts counts;
    double fastest, drag; /* [m/s], [1/s] */
};

/* where entry k of grain i lies in the lists of a bed with `most` neighbours */
static inline size_t tyi_dem_at(size_t i, size_t k, size_t most)
{
    return i / TYI_DEM_GROUP * TYI_DEM_GROUP * most + k * TYI_DEM_GROUP + i % TYI_DEM_GROUP;
}
static inline float tyi_dem_float(int32_t bits)
{
    union {
        int32_t i;
        float f;
    } u = { .i = bits };
    return u.f;
}
/* with what a slot's contact is */
static inline int32_t tyi_dem_with(const tyi_dem_slot *slot)
{
    union {
        float f;
        int32_t i;
    } u = { .f = slot->roll[3] };
    return u.i;
}
static inline ty_k_dem_grain tyi_dem_grain_at(const tyi_dem_arrays *a, size_t i)
{
    tyi_crm_f4 v = a->v[i], w = a->w[i];
    return (ty_k_dem_grain){ { v[0], v[1], v[2] }, { w[0], w[1], w[2] }, tyi_dem_float(a->x[i][3]), v[3] };
}
/* from the second to the first: the difference of integers is exact and wraps around periodic axes */
static inline ty_k_vec3 tyi_dem_apart(const ty_k_dem_law *law, tyi_crm_i4 a, tyi_crm_i4 b)
{
    return ty_k_vec((float)(int32_t)((uint32_t)a[0] - (uint32_t)b[0]) * law->ux,
                    (float)(int32_t)((uint32_t)a[1] - (uint32_t)b[1]) * law->uy,
                    (float)(int32_t)((uint32_t)a[2] - (uint32_t)b[2]) * law->uz);
}
ty_k_dem_law tyi_dem_law(const tyi_dem *dem, double dt);
int tyi_dem_threads(const tyi_dem *dem);
/* sorts by cell and lists neighbours; memories go with their contacts. false: one has more than fit, its index in *who */
bool tyi_dem_search(tyi_dem *dem, size_t *who);
/* a sub-step on a device, with a search if it is due; destroy takes a bed without one (device.c) */
ty_status tyi_dem_device_step(tyi_dem *dem, const ty_k_dem_law *law, bool last, ty_diag *diag);
/* before the sub-steps: what changed on the host, and room for these bodies; after them: what they felt, into dem->part */
ty_status tyi_dem_device_send(tyi_dem *dem, ty_diag *diag);
ty_status tyi_dem_device_begin(tyi_dem *dem, const tyi_crm_body *body, int bodies, ty_diag *diag);
ty_status tyi_dem_device_loads(tyi_dem *dem, ty_diag *diag);
void tyi_dem_device_destroy(tyi_dem *dem);
/* the slot of what is remembered of a grain's home or a body; -1: nothing is */
int tyi_dem_slot_of(const tyi_dem *dem, size_t home, int32_t with);
/* sentences about a grain whose state is wrong, or that has too many neighbours or contacts */
ty_status tyi_dem_say_bad(const tyi_dem *dem, size_t i, ty_diag *diag);
ty_status tyi_dem_say_full(const tyi_dem *dem, size_t i, ty_diag *diag);

#endif
