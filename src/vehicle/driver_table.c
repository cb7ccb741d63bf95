/* src/vehicle/driver_table.c - a driver's time table from a CSV file, and tables of single motors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "io/table.h"
#include "core/core.h"
#include "driver.h"
#include "schedule.h"

enum { COL_T, COL_V, COL_OMEGA, COL_MODE, COL_CRAB, COLUMNS, FIELDS = COLUMNS + TYI_VEHICLE_TARGETS };
static const char *const columns[COLUMNS] = { "t", "v", "omega_deg", "mode", "crab_deg" };
static const char *const modes[] = { "ackermann", "crab", "point", "skid" };

typedef struct table {
    tyi_io_table text;
    int column[FIELDS]; /* which column each field of a line is; from COLUMNS on: a motor's */
    int fields;
    const ty_vehicle *vehicle;                   /* whose motors there may be columns for; NULL: none */
    bool drives;                                 /* it has columns for the whole rover */
    bool alone;                                  /* no rover is at hand: other columns are taken for motors' */
    tyi_vehicle_target target[FIELDS - COLUMNS]; /* of motors' columns */
    char name[FIELDS - COLUMNS][2 * TY_NAME_MAX];
    int targets;
    tyi_vehicle_driver *driver;
    tyi_vehicle_schedule *schedule;
    size_t rows;
    double before; /* [s] time of the last row */
} table;

/* a column for a motor; its number from COLUMNS on goes to *k */
static ty_status motor_column(table *t, const char *field, int *k, ty_diag *diag)
{
    tyi_vehicle_target target;
    char where[300], shown[60];
    snprintf(where, sizeof where, "%s:%d: column", t->text.path, t->text.line);
    ty_status status = tyi_vehicle_target_find(t->vehicle, field, where, &target, diag);
    for (int i = 0; i < t->targets && status == TY_OK; i++) {
        if (t->target[i].kind == target.kind && t->target[i].index == target.index) {
            status = ty_fail(diag, TY_ERR_INPUT, "%s '%s' is there twice", where,
                             tyi_io_doc_show(field, shown, sizeof shown));
        }
    }
    if (status == TY_OK) { /* all are different, so there is room */
        snprintf(t->name[t->targets], sizeof t->name[0], "%s", field);
        t->target[t->targets] = target;
        *k = COLUMNS + t->targets++;
    }
    return status;
}

/* as motor_column() where no rover is at hand; what is wrong with it, or NULL */
static const char *any_column(table *t, const char *field, int *k)
{
    for (int i = 0; i < t->targets; i++) {
        if (!strcmp(field, t->name[i])) {
            return "there twice";
        }
    }
    if (!tyi_name_ok(field) || t->targets == FIELDS - COLUMNS || strlen(field) >= sizeof t->name[0]) {
        return "unknown";
    }
    snprintf(t->name[t->targets], sizeof t->name[0], "%s", field);
    *k = COLUMNS + t->targets++;
    return NULL;
}

static ty_status unknown_column(const table *t, const char *field, const char *is, ty_diag *diag)
{
    char shown[60];
    return ty_fail(diag, TY_ERR_INPUT,
                   "%s:%d: column '%s' is %s; a time table takes t, v, omega_deg, mode, crab_deg, and motors where "
                   "a scenario says whose",
                   t->text.path, t->text.line, tyi_io_doc_show(field, shown, sizeof shown), is);
}

static ty_status read_header(table *t, ty_diag *diag)
{
    bool have[COLUMNS] = { false };
    if (!tyi_io_table_next(&t->text)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is empty, but takes a header with %s", t->text.path,
                       t->drives ? "t, v and omega_deg" : "t and motors");
    }
    for (t->fields = 0; t->fields < t->text.fields && t->fields < FIELDS; t->fields++) {
        const char *field = t->text.field[t->fields];
        int k = 0, known = t->drives ? COLUMNS : COL_T + 1;
        while (k < known && strcmp(field, columns[k])) {
            k++;
        }
        if (k == known && t->vehicle) {
            ty_status status = motor_column(t, field, &k, diag);
            if (status != TY_OK) {
                return status;
            }
        } else {
            const char *wrong = k < known  ? have[k] ? "there twice" : NULL
                                : t->alone ? any_column(t, field, &k)
                                           : "unknown";
            if (wrong) {
                return unknown_column(t, field, wrong, diag);
            }
            have[k < COLUMNS ? k : COL_T] |= k < COLUMNS;
        }
        t->column[t->fields] = k;
    }
    for (int k = 0; k <= (t->drives ? COL_OMEGA : COL_T); k++) {
        if (!have[k] && t->alone && t->targets) { /* a motor's name, or a misspelt one */
            return unknown_column(t, t->name[0], "unknown", diag);
        }
        if (!have[k]) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:%d: column '%s' is needed", t->text.path, t->text.line, columns[k]);
        }
    }
    return TY_OK;
}

static ty_status read_field(const table *t, int column, const char *field, double value[FIELDS], ty_diag *diag)
{
    char shown[60];
    tyi_io_doc_show(field, shown, sizeof shown);
    if (column >= COLUMNS && !*field) { /* the motor stays as it is */
        value[column] = (double)NAN;
        return TY_OK;
    }
    if (column == COL_MODE) {
        for (int k = 0; k < 4; k++) {
            if (!strcmp(field, modes[k])) {
                value[COL_MODE] = k;
                return TY_OK;
            }
        }
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: mode is '%s', but takes ackermann, crab, point or skid",
                       t->text.path, t->text.line, shown);
    }
    if (!tyi_io_table_number(field, &value[column])) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: %s is '%s', but takes a finite number", t->text.path, t->text.line,
                       column < COLUMNS ? columns[column] : t->name[column - COLUMNS], shown);
    }
    return TY_OK;
}

static ty_status read_row(table *t, ty_diag *diag)
{
    double value[FIELDS] = { 0.0 };
    if (t->text.fields > t->fields) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: has more fields than the header's %d", t->text.path, t->text.line,
                       t->fields);
    }
    for (int n = 0; n < t->text.fields; n++) {
        ty_status status = read_field(t, t->column[n], t->text.field[n], value, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    if (t->text.fields < t->fields) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: has %d fields, but the header has %d", t->text.path, t->text.line,
                       t->text.fields, t->fields);
    }
    if (t->rows && !(value[COL_T] > t->before)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: t is %g, but must be above %g of the row before", t->text.path,
                       t->text.line, value[COL_T], t->before);
    }
    t->before = value[COL_T];
    if (t->driver) {
        t->driver->row[t->rows] = (tyi_vehicle_drive_row){ value[COL_T],
                                                           { (ty_steering)(int)value[COL_MODE], value[COL_V],
                                                             value[COL_OMEGA] * TY_DEG, value[COL_CRAB] * TY_DEG } };
    }
    for (int k = 0; k < t->targets; k++) {
        if (!t->alone && !isnan(value[COLUMNS + k])) {
            tyi_vehicle_schedule_add(t->schedule, t->target[k], value[COL_T], value[COLUMNS + k]);
        }
    }
    t->rows++;
    return TY_OK;
}

static ty_status read_table(table *t, const ty_alloc *alloc, ty_diag *diag)
{
    size_t most = tyi_io_table_lines(&t->text);
    ty_status status = read_header(t, diag);
    if (status == TY_OK && t->drives) {
        status = tyi_vehicle_driver_make(TYI_VEHICLE_DRIVER_TABLE, most, 0, alloc, &t->driver, diag);
    }
    if (status == TY_OK && !t->alone && (t->targets || !t->drives)) {
        status = tyi_vehicle_schedule_make(most * (size_t)t->targets, alloc, &t->schedule, diag);
    }
    while (status == TY_OK && tyi_io_table_next(&t->text)) {
        status = read_row(t, diag);
    }
    if (status == TY_OK && !t->rows) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: has no row below its header", t->text.path);
    }
    if (status == TY_OK && t->driver) {
        t->driver->rows = t->rows;
    }
    return status;
}

static ty_status read_file(table *t, const char *path, const ty_alloc *alloc, ty_diag *diag)
{
    ty_status status = tyi_io_table_open(&t->text, path, TYI_IO_DOC_BYTES, diag);
    if (status == TY_OK) {
        status = read_table(t, alloc, diag);
    }
    tyi_io_table_close(&t->text);
    if (status != TY_OK) {
        tyi_vehicle_driver_destroy(t->driver);
        tyi_vehicle_schedule_free(t->schedule);
        t->driver = NULL, t->schedule = NULL;
    }
    return status;
}

ty_status tyi_vehicle_driver_table(const char *path, const ty_vehicle *v, const ty_alloc *alloc,
                                   tyi_vehicle_driver **out, ty_diag *diag)
{
    table t = { .vehicle = v, .drives = true };
    ty_status status = read_file(&t, path, alloc, diag);
    *out = t.driver;
    if (status == TY_OK) {
        t.driver->schedule = t.schedule;
    }
    return status;
}

ty_status tyi_vehicle_driver_table_alone(const char *path, tyi_vehicle_driver **out, char *motors, size_t size,
                                         ty_diag *diag)
{
    table t = { .drives = true, .alone = true };
    ty_status status = read_file(&t, path, NULL, diag);
    *out = t.driver;
    motors[0] = '\0';
    for (int i = 0; i < t.targets && status == TY_OK; i++) {
        size_t n = strlen(motors);
        snprintf(motors + n, size - n, "%s%s", i ? ", " : "", t.name[i]);
    }
    return status;
}

ty_status tyi_vehicle_schedule_table(const char *path, const ty_vehicle *v, const ty_alloc *alloc,
                                     tyi_vehicle_schedule **out, ty_diag *diag)
{
    table t = { .vehicle = v };
    ty_status status = read_file(&t, path, alloc, diag);
    *out = t.schedule;
    return status;
}

ty_status tyi_vehicle_driver_read_table(const char *path, const ty_alloc *alloc, tyi_vehicle_driver **out,
                                        ty_diag *diag)
{
    return tyi_vehicle_driver_table(path, NULL, alloc, out, diag);
}
