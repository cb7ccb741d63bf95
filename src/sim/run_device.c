/* src/sim/run_device.c - the device on which a run's frames are made, and one for the particles of its soils.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "run.h"

static ty_device_def choice(const ty_scenario *s)
{
    ty_device_def def = ty_device_def_default();
    def.name = s->device[0] ? s->device : NULL;
    def.memory = (uint64_t)(s->device_memory * 1048576.0);
    return def;
}

ty_status tyi_sim_device_soil(ty_run *run, const ty_soil_def *soil, size_t soils, ty_diag *diag)
{
    bool wanted = false;
    for (size_t i = 0; i < soils; i++) {
        wanted = wanted || soil[i].patch.device;
    }
    if (!wanted || run->no_device[0]) {
        return TY_OK;
    }
    if (!run->device) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "scenario: soil.patch.device takes a run with backend opencl or auto, not cpu");
    }
    ty_device_def def = choice(&run->scenario);
    return ty_device_create(&def, &run->soil_device, diag);
}

ty_status tyi_sim_device_open(ty_run *run, ty_diag *diag)
{
    const ty_scenario *s = &run->scenario;
    if (s->backend == TY_BACKEND_CPU) {
        return s->device_memory > 0.0
                   ? ty_fail(diag, TY_ERR_INPUT,
                             "scenario: device_memory takes effect with backend opencl or auto, not cpu")
               : s->device[0]
                   ? ty_fail(diag, TY_ERR_INPUT,
                             "scenario: device '%s' takes effect with backend opencl or auto, not cpu", s->device)
                   : TY_OK;
    }
    ty_device_def def = choice(s);
    ty_diag why = { 0 };
    ty_status status = ty_device_create(&def, &run->device, &why);
    if (status == TY_OK) {
        return TY_OK;
    }
    run->device = NULL;
    if (s->backend == TY_BACKEND_OPENCL) {
        return ty_fail(diag, status, "scenario: backend opencl: %s", why.text);
    }
    snprintf(run->no_device, sizeof run->no_device, "%s", why.text);
    return TY_OK;
}
