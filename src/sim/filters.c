/* src/sim/filters.c - filters and actions by their settings, as a scenario gives them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "sensing.h"

static const char *value_of(const ty_settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->count; i++) {
        if (!strcmp(settings->item[i].key, key)) {
            return settings->item[i].value;
        }
    }
    return NULL;
}

ty_status tyi_filter_make(const ty_run *run, const ty_settings *settings, ty_filter *out, ty_diag *diag)
{
    const char *type = value_of(settings, "type"), *name = value_of(settings, "name");
    if (!type || strcmp(type, "user") != 0) {
        return ty_fail(diag, TY_ERR_INPUT, "filter: not yet");
    }
    for (size_t i = 0; name && i < run->def.filter_kinds; i++) {
        const ty_filter_kind *kind = &run->def.filter_kind[i];
        if (!strcmp(kind->name, name)) {
            return kind->make(settings, kind->user, out, diag);
        }
    }
    return ty_fail(diag, TY_ERR_INPUT, "filter: there is no user's filter '%s'; the program that runs the scenario must bring it (ty_run_def)",
                   name ? name : "");
}
