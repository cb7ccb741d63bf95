/* src/sim/run_fmu.h - a rover whose driver is an FMU: what it reads of the rover and its sensors, and what it commands.
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
ty_status tyi_sim_fmu_save(struct tyi_sim_fmu *fmu, void **out, size_t *bytes, ty_diag *diag); /* from malloc */
ty_status tyi_sim_fmu_restore(struct tyi_sim_fmu *fmu, const void *saved, size_t bytes, ty_diag *diag);

#endif
