/* src/soil/crm/pass.c - the sums over neighbours of all particles (groups.h), eight at a time where a register does not hold sixteen.
 * SPDX-License-Identifier: BSD-3-Clause */
#define WIDE_LANES 8
#include "groups.h"

static void block(void *user, size_t number, int worker)
{
    (void)worker;
    if (!tyi_crm_pass_sixteen(user, number)) {
        sum_block(user, number);
    }
}

void tyi_crm_pass_force(tyi_crm *crm, const struct ty_k_sph *p)
{
    tyi_crm_pass s = { crm, p, TYI_CRM_FORCE };
    tyi_tasks_for(tyi_crm_threads(crm), crm->parts, block, &s);
}

void tyi_crm_pass_rate(tyi_crm *crm, const struct ty_k_sph *p)
{
    tyi_crm_pass s = { crm, p, TYI_CRM_RATE };
    tyi_tasks_for(tyi_crm_threads(crm), crm->parts, block, &s);
    tyi_crm_f4 *v = crm->a.v, *g = crm->a.g;
    crm->a.v = crm->spare.v;
    crm->a.g = crm->spare.g;
    crm->spare.v = v;
    crm->spare.g = g;
}

void tyi_crm_pass_wall(tyi_crm *crm, const struct ty_k_sph *p, bool velocity)
{
    if (crm->walls) {
        tyi_crm_pass s = { crm, p, velocity ? TYI_CRM_WALL_SPEED : TYI_CRM_WALL_STRESS };
        tyi_tasks_for(tyi_crm_threads(crm), crm->parts, block, &s);
    }
}
