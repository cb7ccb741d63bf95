/* src/fleet/row.c - see row.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "row.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "io/out.h"

void tyi_fleet_row_path(const char *dir, size_t run, char out[TYI_FLEET_PATH])
{
    snprintf(out, TYI_FLEET_PATH, "%.*s/rows/%08zu.json", TY_PATH_MAX - 1, dir, run);
}

const json_t *tyi_fleet_row_find(const json_t *at, const char *key)
{
    char part[TYI_FLEET_KEY];
    while (at && *key) {
        size_t n = strcspn(key, ".");
        snprintf(part, sizeof part, "%.*s", (int)n, key);
        at = json_is_array(at) ? json_array_get(at, strtoul(part, NULL, 10)) : json_object_get(at, part);
        key += n + (key[n] == '.');
    }
    return at;
}

bool tyi_fleet_row_success(const tyi_fleet_spec *spec, const json_t *summary)
{
    bool all = summary != NULL;
    for (size_t i = 0; i < spec->goals && all; i++) {
        const tyi_fleet_goal *g = &spec->goal[i];
        const json_t *v = tyi_fleet_row_find(summary, g->key);
        all = json_is_number(v) ? json_number_value(v) >= g->least && json_number_value(v) <= g->most && !g->is[0]
                                : json_is_string(v) && g->is[0] && !strcmp(json_string_value(v), g->is);
    }
    return all;
}

json_t *tyi_fleet_row_read(const char *dir, size_t run)
{
    char path[TYI_FLEET_PATH];
    tyi_fleet_row_path(dir, run, path);
    return json_load_file(path, 0, NULL);
}

ty_status tyi_fleet_row_write(const char *dir, size_t run, const json_t *row, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    tyi_io_out out;
    tyi_fleet_row_path(dir, run, path);
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    status = json_dumpf(row, out.file, JSON_COMPACT) ? ty_fail(diag, TY_ERR_FILE, "%s cannot be written", path) : TY_OK;
    return tyi_io_out_close(&out, status, diag);
}

ty_status tyi_fleet_row_failed(const char *dir, size_t run, const char *sentence, double wall, ty_diag *diag)
{
    json_t *row = json_pack("{s:s, s:s, s:f, s:f}", "status", "killed", "sentence", sentence, "wall_s", wall, "began",
                            (double)time(NULL));
    ty_status status =
        row ? tyi_fleet_row_write(dir, run, row, diag) : ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    json_decref(row);
    return status;
}
