/* src/fmi/import.h - other people's FMUs, stepped by us: co-simulation by FMI 2.0 or 3.0, real variables by name.
 *
 * An FMU is native code that runs in this process. It is unpacked into a folder of its own, so that every instance has its own library.
 * Threads: one instance, one thread at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FMI_IMPORT_H
#define TYI_FMI_IMPORT_H
#include "types.h"
#include "core/core.h"

typedef struct tyi_fmi_unit tyi_fmi_unit;

typedef enum tyi_fmi_causality { TYI_FMI_IN, TYI_FMI_OUT, TYI_FMI_SET, TYI_FMI_ELSE } tyi_fmi_causality;

typedef struct tyi_fmi_variable {
    char name[128];
    tyi_fmi_ref ref;
    tyi_fmi_causality causality; /* input, output, parameter */
} tyi_fmi_variable;

/* Unpacks, loads and instantiates; to be initialised. TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_MEMORY. */
ty_status tyi_fmi_unit_open(const char *path, tyi_fmi_unit **out, ty_diag *diag);
void tyi_fmi_unit_close(tyi_fmi_unit *u); /* NULL is allowed */

/* Its real scalars: inputs, outputs and parameters. */
const tyi_fmi_variable *tyi_fmi_unit_variables(const tyi_fmi_unit *u, size_t *count);
ty_status tyi_fmi_unit_set(tyi_fmi_unit *u, tyi_fmi_ref ref, double value, ty_diag *diag);
ty_status tyi_fmi_unit_get(tyi_fmi_unit *u, tyi_fmi_ref ref, double *value, ty_diag *diag);
ty_status tyi_fmi_unit_start(tyi_fmi_unit *u, ty_diag *diag); /* after parameters were set */
ty_status tyi_fmi_unit_step(tyi_fmi_unit *u, double time, double step, ty_diag *diag);

/* Its state as bytes, from malloc. TY_ERR_INPUT: it cannot. */
ty_status tyi_fmi_unit_save(tyi_fmi_unit *u, void **out, size_t *bytes, ty_diag *diag);
ty_status tyi_fmi_unit_restore(tyi_fmi_unit *u, const void *saved, size_t bytes, ty_diag *diag);

#endif
