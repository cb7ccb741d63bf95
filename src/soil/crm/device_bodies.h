/* src/soil/crm/device_bodies.h - rigid bodies among particles that are on a device: where they are, and what they feel (kernels/bodies.cl).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_DEVICE_BODIES_H
#define TYI_CRM_DEVICE_BODIES_H
#include "crm.h"
#include "solids.h"

enum { TYI_BODIES_SOLID, TYI_BODIES_LATTICE, TYI_BODIES_FEEL, TYI_BODIES_HIT, TYI_BODIES_LOAD, TYI_BODIES_BUFFERS };

typedef struct tyi_crm_device_bodies {
    const char *who; /* starts sentences */
    ty_device *device;
    ty_device_program *program;
    const ty_alloc *alloc;
    ty_device_buffer *buffer[TYI_BODIES_BUFFERS];
    size_t particles, parts; /* room for; blocks that they are added up by, */
    int32_t wide;            /* of so many each */
    int32_t room, bodies;    /* how many there is room for, those of this step */
    bool fresh;              /* nothing of them is there yet */
    int32_t begun;           /* sums are from zero in the next sub-step */
    bool feel;               /* room for what each particle gives them, which another kernel adds up */
    ty_k_solid sent[TYI_CRM_SOLIDS];
    const float *lattice[TYI_CRM_SOLIDS];
    int32_t first[TYI_CRM_SOLIDS];
    double *load; /* what comes back: six sums and how many touch, of each block and body */
    uint64_t bytes;
} tyi_crm_device_bodies;

/* One kernel over so many items, in groups of `local`, rounded up, of each of so many beds. */
ty_status tyi_crm_device_run(ty_device_program *program, const char *kernel, size_t items, size_t local, size_t beds,
                             const ty_device_arg *args, int count, ty_diag *diag);

/* ---- particles sorted by cells (kernels/sort.cl) ---- */

/* Beds that are sorted together: where they are, and how many particles each has. */
typedef struct tyi_crm_device_beds {
    struct {
        int32_t slot[TYI_CRM_BEDS], n[TYI_CRM_BEDS];
    } of;
    int count;
} tyi_crm_device_beds;
typedef struct tyi_crm_device_sort {
    ty_device_program *program;
    ty_device_buffer *places, *scratch, *count, *chunk, *start;
    tyi_crm_device_box box;
    int32_t cells, room, wide; /* cells and particles of a bed; numbers of scratch for one */
} tyi_crm_device_sort;
void tyi_crm_device_name(tyi_crm_device_beds *beds, int slot, size_t n); /* one more */
int32_t tyi_crm_device_longest(const tyi_crm_device_beds *beds);
size_t tyi_crm_device_chunks(int32_t cells); /* that the cells of a bed are scanned in */
/* Keys and the first particle of each cell; then the order. */
ty_status tyi_crm_device_cells(const tyi_crm_device_sort *sort, const tyi_crm_device_beds *beds, ty_diag *diag);
ty_status tyi_crm_device_order(const tyi_crm_device_sort *sort, const tyi_crm_device_beds *beds, ty_diag *diag);

/* ---- bodies ---- */
/* Small buffers, so that kernels without bodies have some; device, program, alloc, who, particles, parts, wide are set. */
ty_status tyi_crm_device_bodies_open(tyi_crm_device_bodies *b, ty_diag *diag);
void tyi_crm_device_bodies_close(tyi_crm_device_bodies *b);
/* Before the sub-steps: room for these bodies, their shapes, sums from zero. */
ty_status tyi_crm_device_bodies_begin(tyi_crm_device_bodies *b, const tyi_crm_body *body, int bodies, ty_diag *diag);
/* In each: those that have moved. And, after the push, what n particles gave them over dt [s]. */
ty_status tyi_crm_device_bodies_send(tyi_crm_device_bodies *b, const tyi_crm_solids *solids, ty_diag *diag);
ty_status tyi_crm_device_bodies_feel(tyi_crm_device_bodies *b, int32_t n, float dt, ty_diag *diag);
/* After them: what they felt is read; the sums of each block, of the bodies of the bed in a slot. */
ty_status tyi_crm_device_bodies_read(tyi_crm_device_bodies *b, ty_diag *diag);
void tyi_crm_device_bodies_loads(const tyi_crm_device_bodies *b, int slot, int bodies, tyi_crm_part *part);

#endif
