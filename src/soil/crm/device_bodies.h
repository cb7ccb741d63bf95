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

/* One kernel over so many items, in groups of `local`, rounded up. */
ty_status tyi_crm_device_run(ty_device_program *program, const char *kernel, size_t items, size_t local,
                             const ty_device_arg *args, int count, ty_diag *diag);
/* Small buffers, so that kernels without bodies have some; device, program, alloc, who, particles, parts, wide are set. */
ty_status tyi_crm_device_bodies_open(tyi_crm_device_bodies *b, ty_diag *diag);
void tyi_crm_device_bodies_close(tyi_crm_device_bodies *b);
/* Before the sub-steps: room for these bodies, their shapes, sums from zero. */
ty_status tyi_crm_device_bodies_begin(tyi_crm_device_bodies *b, const tyi_crm_body *body, int bodies, ty_diag *diag);
/* In each: those that have moved, but one (-1: none), which the caller hands to its kernel; mover NULL: all. And, after the push, what n particles
 * gave them over dt [s]. */
ty_status tyi_crm_device_bodies_send(tyi_crm_device_bodies *b, const tyi_crm_solids *solids, ty_k_solid *mover,
                                     int32_t *moved, ty_diag *diag);
ty_status tyi_crm_device_bodies_feel(tyi_crm_device_bodies *b, int32_t n, float dt, ty_diag *diag);
/* After them: the sums of each block. */
ty_status tyi_crm_device_bodies_loads(tyi_crm_device_bodies *b, tyi_crm_part *part, ty_diag *diag);

#endif
