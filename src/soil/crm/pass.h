/* src/soil/crm/pass.h - one sum over neighbours of all particles.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_PASS_H
#define TYI_CRM_PASS_H
#include "crm.h"

struct ty_k_sph;
typedef struct tyi_crm_pass {
    tyi_crm *crm;
    const struct ty_k_sph *p;
    enum { TYI_CRM_FORCE, TYI_CRM_RATE, TYI_CRM_WALL_SPEED, TYI_CRM_WALL_STRESS } what;
} tyi_crm_pass;

/* One task of it, sixteen particles at a time; false: this processor has no registers for that. */
bool tyi_crm_pass_sixteen(const tyi_crm_pass *pass, size_t number);

#endif
