/* src/sim/trial.h - would something be inside something: tried out, and all put back as it was, as from a checkpoint.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_TRIAL_H
#define TYI_SIM_TRIAL_H
#include "tycho/run.h"

/* rovers, loose rocks and their groups as they are */
typedef struct tyi_sim_trial {
    void *groups, *loose, **rover;
    size_t bytes, loose_bytes;
} tyi_sim_trial;

struct tyi_body_thing;
ty_status tyi_sim_trial_keep(const ty_run *run, tyi_sim_trial *k, ty_diag *diag);
ty_status tyi_sim_trial_back(ty_run *run, const tyi_sim_trial *k, ty_diag *diag);
void tyi_sim_trial_forget(const ty_run *run, tyi_sim_trial *k);
/* TY_ERR_INPUT with both names where what has just come is inside something */
ty_status tyi_sim_trial_inside(const ty_run *run, const char *name, ty_diag *diag);
/* A thing that stands, tried out: all is as before afterwards. */
ty_status tyi_sim_trial_thing(ty_run *run, const struct tyi_body_thing *thing, ty_diag *diag);

#endif
