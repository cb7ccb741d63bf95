/* src/vehicle/driver_table.c - a driver's time table from a CSV file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "driver.h"

enum { COL_T, COL_V, COL_OMEGA, COL_MODE, COL_CRAB, COLUMNS };
static const char *const columns[COLUMNS] = { "t", "v", "omega_deg", "mode", "crab_deg" };
static const char *const modes[] = { "ackermann", "crab", "point", "skid" };

typedef struct table {
    const char *path;
    char *at;       /* next line */
    int line;       /* number of the line last taken */
    int column[16]; /* which column each field of a line is */
    int fields;
    ty_driver *driver; /* NULL while rows are counted */
    size_t rows;
    double before; /* [s] time of the last row */
} table;

/* the next line that is not empty, without its end; NULL: there is none */
static char *next_line(table *t)
{
    while (*t->at) {
        char *line = t->at, *end = strchr(line, '\n');
        t->at = end ? end + 1 : line + strlen(line);
        if (end) {
            *end = '\0';
        }
        t->line++;
        size_t n = strlen(line);
        if (n && line[n - 1] == '\r') {
            line[n - 1] = '\0';
        }
        if (line[strspn(line, " \t")]) {
            return line;
        }
    }
    return NULL;
}

/* cuts a field off at the comma, and its spaces; NULL: the line is at its end */
static char *next_field(char **line)
{
    if (!*line) {
        return NULL;
    }
    char *field = *line + strspn(*line, " \t"), *comma = strchr(field, ',');
    *line = comma ? comma + 1 : NULL;
    if (comma) {
        *comma = '\0';
    }
    size_t n = strlen(field);
    while (n && (field[n - 1] == ' ' || field[n - 1] == '\t')) {
        field[--n] = '\0';
    }
    return field;
}

static ty_status read_header(table *t, ty_diag *diag)
{
    char *line = next_line(t), *field, shown[60];
    bool have[COLUMNS] = { false };
    if (!line) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is empty, but takes a header with t, v and omega_deg", t->path);
    }
    for (t->fields = 0; (field = next_field(&line)); t->fields++) {
        int k = 0;
        while (k < COLUMNS && strcmp(field, columns[k])) {
            k++;
        }
        if (k == COLUMNS || have[k] || t->fields == 16) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "%s:%d: column '%s' is %s; a time table takes t, v, omega_deg, mode, crab_deg", t->path,
                           t->line, tyi_io_doc_show(field, shown, sizeof shown),
                           k == COLUMNS ? "unknown" : "there twice");
        }
        have[k] = true;
        t->column[t->fields] = k;
    }
    for (int k = 0; k <= COL_OMEGA; k++) {
        if (!have[k]) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:%d: column '%s' is needed", t->path, t->line, columns[k]);
        }
    }
    return TY_OK;
}

static ty_status read_field(const table *t, int column, const char *field, double value[COLUMNS], ty_diag *diag)
{
    char shown[60], *end;
    tyi_io_doc_show(field, shown, sizeof shown);
    if (column == COL_MODE) {
        for (int k = 0; k < 4; k++) {
            if (!strcmp(field, modes[k])) {
                value[COL_MODE] = k;
                return TY_OK;
            }
        }
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: mode is '%s', but takes ackermann, crab, point or skid", t->path,
                       t->line, shown);
    }
    value[column] = strtod(field, &end);
    if (end == field || *end || !isfinite(value[column])) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: %s is '%s', but takes a finite number", t->path, t->line,
                       columns[column], shown);
    }
    return TY_OK;
}

static ty_status read_row(table *t, char *line, ty_diag *diag)
{
    double value[COLUMNS] = { 0.0 };
    char *field;
    int n = 0;
    while ((field = next_field(&line))) {
        if (n == t->fields) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: has more fields than the header's %d", t->path, t->line,
                           t->fields);
        }
        ty_status status = read_field(t, t->column[n++], field, value, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    if (n < t->fields) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: has %d fields, but the header has %d", t->path, t->line, n,
                       t->fields);
    }
    if (t->rows && !(value[COL_T] > t->before)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: t is %g, but must be above %g of the row before", t->path, t->line,
                       value[COL_T], t->before);
    }
    t->before = value[COL_T];
    t->driver->row[t->rows++] = (tyi_vehicle_drive_row){ value[COL_T],
                                                         { (ty_steering)(int)value[COL_MODE], value[COL_V],
                                                           value[COL_OMEGA] * TY_DEG, value[COL_CRAB] * TY_DEG } };
    return TY_OK;
}

static ty_status read_table(const char *path, char *text, const ty_alloc *alloc, ty_driver **out, ty_diag *diag)
{
    table t = { .path = path, .at = text };
    size_t most = 1;
    for (const char *c = text; *c; c++) {
        most += *c == '\n';
    }
    ty_status status = read_header(&t, diag);
    if (status == TY_OK) {
        status = tyi_vehicle_driver_make(TYI_VEHICLE_DRIVER_TABLE, most, 0, alloc, out, diag);
    }
    t.driver = *out;
    for (char *line; status == TY_OK && (line = next_line(&t));) {
        status = read_row(&t, line, diag);
    }
    if (status == TY_OK && !t.rows) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: has no row below its header", path);
    }
    if (status == TY_OK) {
        (*out)->rows = t.rows;
    }
    return status;
}

ty_status ty_driver_table(const char *path, const ty_alloc *alloc, ty_driver **out, ty_diag *diag)
{
    tyi_io_bytes bytes = { 0 };
    *out = NULL;
    ty_status status = tyi_io_file_read(path, TYI_IO_DOC_BYTES, alloc, &bytes, diag);
    if (status != TY_OK) {
        return status;
    }
    char *text = tyi_get(alloc, bytes.size + 1); /* with an end, to be cut up */
    if (text) {
        memcpy(text, bytes.data, bytes.size);
        /* decimal points, not the decimal commas of a host program's locale */
        locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
        status = read_table(path, text, alloc, out, diag);
        if (plain) {
            uselocale(before);
            freelocale(plain);
        }
        tyi_put(alloc, text, bytes.size + 1);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory", path);
    }
    tyi_put(alloc, bytes.data, bytes.capacity);
    if (status != TY_OK) {
        ty_driver_destroy(*out);
        *out = NULL;
    }
    return status;
}
