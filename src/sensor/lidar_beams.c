/* src/sensor/lidar_beams.c - a table of beams from a CSV file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "io/table.h"
#include "core/core.h"
#include "tycho/tools/lidar_scan.h"
#include "inner.h"

#define COLUMNS 7
#define MOST    32768 /* beams */
static const char *const names[COLUMNS] = { "x", "y", "z", "dx", "dy", "dz", "time" };

/* which column of the file is which: of[i] is the place in `names`, -1: not used */
static ty_status read_header(const tyi_io_table *t, int of[TYI_IO_TABLE_FIELDS], ty_diag *diag)
{
    unsigned found = 0;
    for (int i = 0; i < t->fields && i < TYI_IO_TABLE_FIELDS; i++) {
        of[i] = -1;
        for (int k = 0; k < COLUMNS; k++) {
            if (!strcmp(t->field[i], names[k])) {
                of[i] = k;
                found |= 1u << k;
            }
        }
    }
    for (int k = 0; k < COLUMNS - 1; k++) {
        if (!(found & 1u << k)) {
            return ty_fail(diag, TY_ERR_FORMAT,
                           "%s:%d: there is no column '%s'; a table of beams has x, y, z, dx, dy, dz and may have time",
                           t->path, t->line, names[k]);
        }
    }
    return TY_OK;
}

static ty_status read_row(const tyi_io_table *t, const int *of, int columns, ty_lidar_beam *beam, ty_diag *diag)
{
    double value[COLUMNS] = { 0 };
    for (int i = 0; i < columns; i++) {
        const char *cell = i < t->fields ? t->field[i] : "";
        if (of[i] >= 0 && !tyi_io_table_number(cell, &value[of[i]])) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: %s is '%.40s', but takes a number", t->path, t->line,
                           names[of[i]], cell);
        }
    }
    *beam = (ty_lidar_beam){ { value[0], value[1], value[2] }, { value[3], value[4], value[5] }, value[6] };
    if (!(ty_norm(beam->dir) > 1e-9) || beam->time < 0.0) {
        return ty_fail(diag, TY_ERR_FORMAT,
                       "%s:%d: a beam needs a direction other than 0, 0, 0 and a time of 0 or more", t->path, t->line);
    }
    return TY_OK;
}

static ty_status read_rows(tyi_io_table *t, ty_lidar_beam *beam, size_t *count, ty_diag *diag)
{
    int of[TYI_IO_TABLE_FIELDS];
    ty_status status = tyi_io_table_next(t) ? read_header(t, of, diag)
                                            : ty_fail(diag, TY_ERR_FORMAT, "%s: the file is empty", t->path);
    int columns = t->fields < TYI_IO_TABLE_FIELDS ? t->fields : TYI_IO_TABLE_FIELDS;
    while (status == TY_OK && tyi_io_table_next(t)) {
        if (*count == MOST) {
            return ty_fail(diag, TY_ERR_RANGE, "%s:%d: more than %d beams", t->path, t->line, MOST);
        }
        status = read_row(t, of, columns, &beam[*count], diag);
        *count += status == TY_OK;
    }
    if (status == TY_OK && !*count) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: there are no beams in it", t->path);
    }
    return status;
}

ty_status tyi_sensor_lidar_beams_load(const char *path, ty_lidar_beam **beam, size_t *count, ty_diag *diag)
{
    tyi_io_table t;
    *beam = NULL, *count = 0;
    ty_status status = tyi_io_table_open(&t, path, (size_t)16 << 20, diag);
    if (status == TY_OK) {
        *beam = malloc(MOST * sizeof **beam);
        status = *beam ? read_rows(&t, *beam, count, diag)
                       : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its beams", path);
    }
    tyi_io_table_close(&t);
    if (status != TY_OK) {
        free(*beam);
        *beam = NULL, *count = 0;
    }
    return status;
}
