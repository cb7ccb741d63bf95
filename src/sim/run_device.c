/* src/sim/run_device.c - the devices on which a run's frames are made, each with a view of its own, and one for the particles of its soils.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "run.h"

/* the name that stands at k in a list of names, between commas; false: there is none so far behind */
static bool name_at(const char *list, int k, char *out, size_t size)
{
    for (; k > 0 && list; k--) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    if (list) {
        list += strspn(list, " ");
        int n = (int)strcspn(list, ",");
        while (n > 0 && list[n - 1] == ' ') {
            n--;
        }
        snprintf(out, size, "%.*s", n, list);
    }
    return list != NULL;
}

/* one of the devices that the scenario asks for, by its place in the list; name "": any */
static ty_status open_one(const ty_scenario *s, const char *name, ty_device **out, ty_diag *diag)
{
    ty_device_def def = ty_device_def_default();
    def.name = name[0] ? name : NULL;
    def.memory = (uint64_t)(s->device_memory * 1048576.0);
    return ty_device_create(&def, out, diag);
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
    if (!run->view[0].device) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "scenario: soil.patch.device takes a run with backend opencl or auto, not cpu");
    }
    char name[sizeof run->scenario.device];
    name_at(run->scenario.device, 0, name, sizeof name);
    return open_one(&run->scenario, name, &run->soil_device, diag);
}

/* a view for each device of the list, in its order; the same one may stand there twice */
static ty_status open_all(ty_run *run, ty_diag *diag)
{
    const ty_scenario *s = &run->scenario;
    char name[sizeof s->device], more[2];
    size_t said = 0;
    int many = name_at(s->device, 1, more, sizeof more);
    for (int k = 0; name_at(s->device, k, name, sizeof name); k++) {
        if (k == TYI_SIM_VIEWS) {
            return ty_fail(diag, TY_ERR_INPUT, "device '%s' names more than %d devices", s->device, TYI_SIM_VIEWS);
        }
        if (many && !name[0]) {
            return ty_fail(diag, TY_ERR_INPUT, "device '%s' has no name between two commas", s->device);
        }
        ty_status status = open_one(s, name, &run->view[k].device, diag);
        if (status != TY_OK) {
            return status;
        }
        run->views = k + 1;
        int n = snprintf(run->devices + said, sizeof run->devices - said, "%s%s", k ? ", " : "",
                         ty_device_get_info(run->view[k].device)->name);
        said += n > 0 && (size_t)n < sizeof run->devices - said ? (size_t)n : 0;
    }
    return TY_OK;
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
    ty_diag why = { 0 };
    ty_status status = open_all(run, &why);
    if (status == TY_OK) {
        return TY_OK;
    }
    /* with `auto`: all that are named, or none */
    for (int k = 0; k < run->views; k++) {
        ty_device_destroy(run->view[k].device);
        run->view[k].device = NULL;
    }
    run->views = 1, run->devices[0] = '\0';
    if (s->backend == TY_BACKEND_OPENCL || status == TY_ERR_INPUT) {
        return ty_fail(diag, status, "scenario: backend %s: %s", s->backend == TY_BACKEND_OPENCL ? "opencl" : "auto",
                       why.text);
    }
    snprintf(run->no_device, sizeof run->no_device, "%s", why.text);
    return TY_OK;
}
