/* src/soil/patch/ledger.h - where the soil of patches is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_LEDGER_H
#define TYI_SOIL_LEDGER_H
#include "tycho/base.h"
#include "../world.h"

typedef struct tyi_soil_patch_ledger {
    double entered, left; /* [kg] from and to the height field so far */
    double inside;        /* [kg] in patches now, */
    double airborne;      /* [kg] of which this much flies and is not in the height field, */
    double carried;       /* [kg] nor this much, in tools */
} tyi_soil_patch_ledger;
/* Whether a model is one of patches of particles: crm, dem. */
bool tyi_soil_is_patches(const ty_soil_model *model);
/* state: of a layer whose model is */
tyi_soil_patch_ledger tyi_soil_patch_sum(const void *state);
/* the patch of a body of the world; NULL: it has none */
const struct tyi_soil_patch *tyi_soil_patch_at(const void *state, int body);
/* tyi_soil_world_loose() of one layer */
void tyi_soil_patch_loose_all(const void *state, tyi_soil_loose visit, void *user);
size_t tyi_soil_patch_loose_most(const void *state);
/* Tells the height field what the particles of all patches are now. */
ty_status tyi_soil_patch_tell_all(void *state, ty_diag *diag);

#endif
