/* app/allan_file.c - one column of numbers from a text file: plain numbers, or a table with a header.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "allan.h"
#include "io/table.h"

typedef struct table {
    const char *path, *column;
    int line, at, time; /* fields of the data and of the times; -1: none */
    double first, last; /* [s] */
    double *data;
    size_t n, room;
} table;

static bool is_time(const char *name)
{
    return !strcmp(name, "t") || !strcmp(name, "time") || !strcmp(name, "t_s") || !strcmp(name, "time_s");
}

/* a header: finds the columns */
static ty_status read_header(table *t, char *field[], int n, ty_diag *diag)
{
    t->at = -1;
    for (int i = 0; i < n; i++) {
        t->time = is_time(field[i]) ? i : t->time;
        if (t->column ? !strcmp(field[i], t->column) : t->at < 0 && !is_time(field[i])) {
            t->at = i;
        }
    }
    return t->at >= 0 ? TY_OK
                      : ty_fail(diag, TY_ERR_INPUT, "%s:%d: there is no column '%s'", t->path, t->line,
                                t->column ? t->column : "of data");
}

static ty_status read_row(table *t, char *field[], int n, ty_diag *diag)
{
    double value, when;
    if (n <= t->at || !app_number(field[t->at], &value)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: field %d is '%.40s', but takes a finite number", t->path, t->line,
                       t->at + 1, n > t->at ? field[t->at] : "");
    }
    if (t->time >= 0) {
        if (n <= t->time || !app_number(field[t->time], &when) || (t->n && !(when > t->last))) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:%d: field %d is '%.40s', but times are numbers that rise", t->path,
                           t->line, t->time + 1, n > t->time ? field[t->time] : "");
        }
        t->first = t->n ? t->first : when;
        t->last = when;
    }
    if (t->n == t->room) {
        size_t room = t->room ? 2 * t->room : 4096;
        double *more = realloc(t->data, room * sizeof *more);
        if (!more) {
            return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for %zu numbers", t->path, room);
        }
        t->data = more;
        t->room = room;
    }
    t->data[t->n++] = value;
    return TY_OK;
}

static ty_status read_all(table *t, tyi_io_table *rows, ty_diag *diag)
{
    bool begun = false;
    ty_status status = TY_OK;
    while (status == TY_OK && tyi_io_table_next(rows)) {
        double at;
        int n = rows->fields;
        t->line = rows->line;
        bool header = !begun && !app_number(rows->field[0], &at);
        if (!begun && !header && t->column) {
            if (!app_number(t->column, &at) || at < 1.0 || at > TYI_IO_TABLE_FIELDS || at != floor(at)) {
                status = ty_fail(diag, TY_ERR_INPUT, "%s has no header: --column takes a number from 1, not '%s'",
                                 t->path, t->column);
                break;
            }
            t->at = (int)at - 1;
        }
        begun = true;
        n = n < TYI_IO_TABLE_FIELDS ? n : TYI_IO_TABLE_FIELDS;
        status = header ? read_header(t, rows->field, n, diag) : read_row(t, rows->field, n, diag);
    }
    return status;
}

ty_status allan_file(const char *path, const char *column, double **out, size_t *n, double *rate, ty_diag *diag)
{
    *out = NULL;
    tyi_io_table rows;
    table t = { .path = path, .column = column, .time = -1 };
    ty_status status = tyi_io_table_open(&rows, path, (size_t)4 << 30, diag);
    if (status == TY_OK) {
        rows.loose = true;
        status = read_all(&t, &rows, diag);
    }
    tyi_io_table_close(&rows);
    if (status == TY_OK && t.n < 3) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s holds %zu numbers; an Allan deviation needs at least 3", path, t.n);
    }
    if (status != TY_OK) {
        free(t.data);
        return status;
    }
    if (t.time >= 0) {
        *rate = (double)(t.n - 1) / (t.last - t.first);
    }
    *out = t.data;
    *n = t.n;
    return TY_OK;
}
