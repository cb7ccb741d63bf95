/* src/soil/crm/window.h - a bed whose particles come and go between steps: what a patch that moves over the ground needs. Along periodic axes
 * places wrap, so a box that is periodic all round is a torus over which a patch moves without a number of its soil changing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_WINDOW_H
#define TYI_CRM_WINDOW_H
#include "tycho/tools/crm.h"
#include "bed.h"

/* As tyi_crm_add(), also after the first step. */
ty_status tyi_crm_insert(tyi_crm *crm, const ty_crm_particle *particle, size_t n, ty_diag *diag);
/* Takes away those for which it says true; the others keep their order. */
typedef bool (*tyi_crm_leaves)(void *user, const ty_crm_particle *particle);
void tyi_crm_remove(tyi_crm *crm, tyi_crm_leaves leaves, void *user);

/* Threads of the steps to come, 0: all processors. The bits are the same for any number. */
void tyi_crm_set_threads(tyi_crm *crm, int threads);

#endif
