/* src/soil/crm/solids.h - the bodies of a sub-step, as particles meet them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_SOLIDS_H
#define TYI_CRM_SOLIDS_H
#include "crm.h"
#include "k_touch.h"

enum { TYI_CRM_SOLIDS = 64 };
typedef struct tyi_crm_solids {
    ty_k_solid solid[TYI_CRM_SOLIDS];
    const float *lattice[TYI_CRM_SOLIDS]; /* distances of those that have any */
    int count;
} tyi_crm_solids;

/* TY_ERR_RANGE: more than `most`, or one without sizes; who starts the sentence. speed [m/s]: raised to that of the fastest. */
ty_status tyi_crm_bodies_check(const char *who, int most, const tyi_crm_body *body, int bodies, double *speed,
                               ty_diag *diag);
/* Moves them by their twist over dt [s]; out: as particles that reach `margin` [m] from their centre meet them. */
void tyi_crm_bodies_move(const tyi_crm_box *box, double margin, double dt, tyi_crm_body *body, int bodies,
                         tyi_crm_solids *out);
/* The sums of tasks, in their order. */
void tyi_crm_bodies_loads(const tyi_crm_part *part, size_t parts, int bodies, tyi_crm_load *load);

#endif
