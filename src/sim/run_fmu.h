/* src/sim/run_fmu.h - FMUs that a run steps: one that drives a rover, of which it reads what the rover and its sensors tell, and one that
 * moves an actor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_RUN_FMU_H
#define TYI_SIM_RUN_FMU_H
#include "run.h"

/* Opens the FMUs of all drivers and joins their variables, when sensors are made. */
ty_status tyi_sim_fmus_make(ty_run *run, ty_diag *diag);
void tyi_sim_fmu_free(struct tyi_sim_fmu *fmu); /* NULL is allowed */
/* Its step over `period` [s] from now; *out: what it says. Motors are told by tyi_sim_fmu_motors(), after the drive. */
ty_status tyi_sim_fmu_drive(struct tyi_sim_fmu *fmu, double t, double period, ty_drive_command *out, ty_diag *diag);
void tyi_sim_fmu_motors(struct tyi_sim_fmu *fmu, double t);
/* Opens the FMU of an actor, when rovers are made; it stands where the FMU says from then on. */
ty_status tyi_sim_fmu_actor(ty_run *run, tyi_sim_actor *actor, ty_diag *diag);
/* Steps those of all actors over a driver's period from now. */
ty_status tyi_sim_fmu_actors(ty_run *run, ty_diag *diag);
/* Where its actor is: straight and turning evenly over a period, and on beyond it. */
ty_pose tyi_sim_fmu_pose(const struct tyi_sim_fmu *fmu, ty_time at);
ty_status tyi_sim_fmu_save(struct tyi_sim_fmu *fmu, void **out, size_t *bytes, ty_diag *diag); /* from malloc */
ty_status tyi_sim_fmu_restore(struct tyi_sim_fmu *fmu, const void *saved, size_t bytes, ty_diag *diag);

#endif
