/* src/sensor/lidar_beams.c - a table of beams from a CSV file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "core/core.h"
#include "tycho/tools/lidar_scan.h"
#include "inner.h"

#define COLUMNS 7
#define MOST    32768 /* beams */
static const char *const names[COLUMNS] = { "x", "y", "z", "dx", "dy", "dz", "time" };

/* cuts the next cell of a line off, without the blanks around it; NULL: no more */
static char *next_cell(char **line)
{
    char *cell = *line, *end;
    if (!cell) {
        return NULL;
    }
    end = strchr(cell, ',');
    *line = end ? end + 1 : NULL;
    end = end ? end : cell + strlen(cell);
    *end = 0;
    cell += strspn(cell, " \t\r");
    for (char *tail = cell + strlen(cell); tail > cell && strchr(" \t\r", tail[-1]); tail--) {
        tail[-1] = 0;
    }
    return cell;
}

static char *next_line(char **text)
{
    char *line = *text;
    if (!line || !*line) {
        return NULL;
    }
    char *end = strchr(line, '\n');
    *text = end ? end + 1 : NULL;
    if (end) {
        *end = 0;
    }
    return line;
}

/* which column of the file is which: of[i] is the place in `names`, -1: not used */
static ty_status read_header(const char *path, char *line, int of[64], int *columns, ty_diag *diag)
{
    unsigned found = 0;
    char *cell;
    for (*columns = 0; (cell = next_cell(&line)) && *columns < 64; (*columns)++) {
        of[*columns] = -1;
        for (int k = 0; k < COLUMNS; k++) {
            if (!strcmp(cell, names[k])) {
                of[*columns] = k;
                found |= 1u << k;
            }
        }
    }
    for (int k = 0; k < COLUMNS - 1; k++) {
        if (!(found & 1u << k)) {
            return ty_fail(diag, TY_ERR_FORMAT,
                           "%s:1: there is no column '%s'; a table of beams has x, y, z, dx, dy, dz and may have time",
                           path, names[k]);
        }
    }
    return TY_OK;
}

static ty_status read_row(const char *path, size_t number, char *line, const int *of, int columns, ty_lidar_beam *beam,
                          ty_diag *diag)
{
    double value[COLUMNS] = { 0 };
    for (int i = 0; i < columns; i++) {
        char *cell = next_cell(&line), *end = cell;
        if (of[i] < 0) {
            continue;
        }
        double v = cell && *cell ? tyi_number(cell, &end) : (double)NAN;
        if (!cell || end == cell || *end || !isfinite(v)) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s:%zu: %s is '%.40s', but takes a number", path, number, names[of[i]],
                           cell ? cell : "");
        }
        value[of[i]] = v;
    }
    *beam = (ty_lidar_beam){ { value[0], value[1], value[2] }, { value[3], value[4], value[5] }, value[6] };
    if (!(ty_norm(beam->dir) > 1e-9) || beam->time < 0.0) {
        return ty_fail(diag, TY_ERR_FORMAT,
                       "%s:%zu: a beam needs a direction other than 0, 0, 0 and a time of 0 or more", path, number);
    }
    return TY_OK;
}

static ty_status read_rows(const char *path, char *text, ty_lidar_beam *beam, size_t *count, ty_diag *diag)
{
    int of[64], columns = 0;
    char *line = next_line(&text);
    ty_status status = line ? read_header(path, line, of, &columns, diag)
                            : ty_fail(diag, TY_ERR_FORMAT, "%s: the file is empty", path);
    for (size_t number = 2; status == TY_OK && (line = next_line(&text)); number++) {
        if (!line[strspn(line, " \t\r")]) {
            continue;
        }
        if (*count == MOST) {
            return ty_fail(diag, TY_ERR_RANGE, "%s:%zu: more than %d beams", path, number, MOST);
        }
        status = read_row(path, number, line, of, columns, &beam[*count], diag);
        *count += status == TY_OK;
    }
    if (status == TY_OK && !*count) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: there are no beams in it", path);
    }
    return status;
}

ty_status tyi_sensor_lidar_beams_load(const char *path, ty_lidar_beam **beam, size_t *count, ty_diag *diag)
{
    *beam = NULL, *count = 0;
    tyi_io_bytes file;
    ty_status status = tyi_io_file_read(path, (size_t)16 << 20, NULL, &file, diag);
    if (status != TY_OK) {
        return status;
    }
    char *text = malloc(file.size + 1);
    *beam = malloc(MOST * sizeof **beam);
    if (text && *beam) {
        memcpy(text, file.data, file.size);
        text[file.size] = 0;
        status = read_rows(path, text, *beam, count, diag);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its beams", path);
    }
    free(text);
    tyi_put(NULL, file.data, file.capacity);
    if (status != TY_OK) {
        free(*beam);
        *beam = NULL, *count = 0;
    }
    return status;
}
