/* src/soil/crm/solids.h - the bodies of a sub-step, as particles meet them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_SOLIDS_H
#define TYI_CRM_SOLIDS_H
#include "k_touch.h"

enum { TYI_CRM_SOLIDS = 64 };
typedef struct tyi_crm_solids {
    ty_k_solid solid[TYI_CRM_SOLIDS];
    const float *lattice[TYI_CRM_SOLIDS]; /* distances of those that have any */
    int count;
} tyi_crm_solids;

#endif
