/* src/vehicle/driver.c - who drives: one command, a table over time, or waypoints.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"
#include "tycho/vehicle.h"

typedef enum driver_kind { CONSTANT, TABLE, PATH } driver_kind;

typedef struct table_row {
    double t; /* [s] */
    ty_drive_command command;
} table_row;

struct ty_driver {
    driver_kind kind;
    const ty_alloc *alloc;
    ty_drive_command command; /* constant */
    table_row *row;
    size_t rows, capacity;
    ty_path_def path;     /* points: copied, in point */
    ty_waypoint *point;   /* 1 .. count; 0 is where the rover was first asked */
    bool started;
    size_t next;          /* waypoint that is driven to; count + 1: at the end */
};

static ty_status make(driver_kind kind, const ty_alloc *alloc, ty_driver **out, ty_diag *diag)
{
    *out = tyi_get(alloc, sizeof **out);
    if (!*out) {
        return ty_fail(diag, TY_ERR_MEMORY, "driver: no memory");
    }
    (*out)->kind = kind;
    (*out)->alloc = alloc;
    return TY_OK;
}

void ty_driver_destroy(ty_driver *driver)
{
    if (driver) {
        tyi_put(driver->alloc, driver->row, driver->capacity * sizeof *driver->row);
        tyi_put(driver->alloc, driver->point, (driver->path.count + 1) * sizeof *driver->point);
        tyi_put(driver->alloc, driver, sizeof *driver);
    }
}

ty_status ty_driver_constant(const ty_drive_command *command, const ty_alloc *alloc, ty_driver **out, ty_diag *diag)
{
    *out = NULL;
    if (!isfinite(command->v) || !isfinite(command->omega) || !isfinite(command->crab)) {
        return ty_fail(diag, TY_ERR_INPUT, "driver: the command holds a value that is not finite");
    }
    ty_status status = make(CONSTANT, alloc, out, diag);
    if (status == TY_OK) {
        (*out)->command = *command;
    }
    return status;
}

/* ---- table ---- */

enum { COL_T, COL_V, COL_OMEGA, COL_MODE, COL_CRAB, COLUMNS };
static const char *const column_name[COLUMNS] = { "t", "v", "omega_deg", "mode", "crab_deg" };
static const char *const mode_name[] = { "ackermann", "crab", "point", "skid" };

static ty_status read_columns(const char *path, char *line, int column[16], int *columns, ty_diag *diag)
{
    bool have[COLUMNS] = { false };
    *columns = 0;
    for (char *save, *name = strtok_r(line, ",\r\n", &save); name; name = strtok_r(NULL, ",\r\n", &save)) {
        int c = 0;
        while (c < COLUMNS && strcmp(name, column_name[c])) {
            c++;
        }
        if (c == COLUMNS || have[c] || *columns == 16) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:1: column '%.40s'; each of t, v, omega_deg, mode and crab_deg may stand once", path, name);
        }
        have[c] = true;
        column[(*columns)++] = c;
    }
    if (!have[COL_T] || !have[COL_V]) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:1: the columns t and v are needed", path);
    }
    return TY_OK;
}

static ty_status read_row(const char *path, long number, char *line, const int column[16], int columns, table_row *row, ty_diag *diag)
{
    *row = (table_row){ 0 };
    char *save, *text = strtok_r(line, ",\r\n", &save);
    for (int i = 0; i < columns; i++, text = strtok_r(NULL, ",\r\n", &save)) {
        if (!text) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:%ld: %d fields, but the header has %d", path, number, i, columns);
        }
        if (column[i] == COL_MODE) {
            int m = 0;
            while (m < 4 && strcmp(text, mode_name[m])) {
                m++;
            }
            if (m == 4) {
                return ty_fail(diag, TY_ERR_INPUT, "%s:%ld: mode is '%.40s', but takes ackermann, crab, point or skid", path, number, text);
            }
            row->command.mode = (ty_steering)m;
            continue;
        }
        char *end;
        double v = strtod(text, &end);
        if (end == text || *end || !isfinite(v)) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:%ld: %s is '%.40s', but takes a number", path, number, column_name[column[i]], text);
        }
        double *to[COLUMNS] = { &row->t, &row->command.v, &row->command.omega, NULL, &row->command.crab };
        *to[column[i]] = column[i] == COL_OMEGA || column[i] == COL_CRAB ? v * TY_DEG : v;
    }
    return TY_OK;
}

static ty_status append(ty_driver *d, const char *path, long number, table_row row, ty_diag *diag)
{
    if (d->rows && row.t <= d->row[d->rows - 1].t) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%ld: t is %g s, but must rise from row to row", path, number, row.t);
    }
    if (d->rows == d->capacity) {
        size_t more = d->capacity ? 2 * d->capacity : 64;
        table_row *larger = tyi_get(d->alloc, more * sizeof *larger);
        if (!larger) {
            return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for %zu rows", path, more);
        }
        if (d->rows) {
            memcpy(larger, d->row, d->rows * sizeof *larger);
        }
        tyi_put(d->alloc, d->row, d->capacity * sizeof *d->row);
        d->row = larger;
        d->capacity = more;
    }
    d->row[d->rows++] = row;
    return TY_OK;
}

ty_status ty_driver_table(const char *path, const ty_alloc *alloc, ty_driver **out, ty_diag *diag)
{
    ty_status status = make(TABLE, alloc, out, diag);
    FILE *file = status == TY_OK ? fopen(path, "r") : NULL;
    if (status == TY_OK && !file) {
        status = ty_fail(diag, TY_ERR_FILE, "%s cannot be opened: %s", path, strerror(errno));
    }
    char line[1024];
    int column[16], columns = 0;
    for (long number = 1; status == TY_OK && fgets(line, sizeof line, file); number++) {
        table_row row;
        if (number == 1) {
            status = read_columns(path, line, column, &columns, diag);
        } else if (line[strspn(line, " \r\n")]) {
            status = read_row(path, number, line, column, columns, &row, diag);
            status = status == TY_OK ? append(*out, path, number, row, diag) : status;
        }
    }
    if (status == TY_OK && (*out)->rows == 0) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: holds no row", path);
    }
    if (file) {
        fclose(file);
    }
    if (status != TY_OK) {
        ty_driver_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* ---- waypoints ---- */

ty_path_def ty_path_def_default(void)
{
    return (ty_path_def){ .speed = 0.2, .law = TY_PATH_PURSUIT, .ahead = 1.5, .gain = 0.5, .omega_max = 0.3, .reach = 0.25, .cookie = TYI_COOKIE };
}

ty_status ty_driver_path(const ty_path_def *def, ty_driver **out, ty_diag *diag)
{
    *out = NULL;
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "driver: the definition does not come from ty_path_def_default()");
    }
    bool finite = true;
    for (size_t i = 0; i < def->count; i++) {
        finite = finite && isfinite(def->points[i].x) && isfinite(def->points[i].y) && isfinite(def->points[i].arrive);
    }
    if (def->count < 1 || !finite || !(def->speed > 0.0) || !(def->ahead > 0.0) || !(def->reach > 0.0) || !(def->omega_max > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "driver: %zu waypoints at %g m/s; at least one finite point, and speed, look-ahead, reach and "
                       "turning rate above 0 are accepted", def->count, def->speed);
    }
    ty_status status = make(PATH, def->alloc, out, diag);
    if (status != TY_OK) {
        return status;
    }
    (*out)->path = *def;
    (*out)->next = 1;
    (*out)->point = tyi_get(def->alloc, (def->count + 1) * sizeof *(*out)->point);
    if (!(*out)->point) {
        ty_driver_destroy(*out);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "driver: no memory for %zu waypoints", def->count);
    }
    memcpy((*out)->point + 1, def->points, def->count * sizeof *def->points);
    return TY_OK;
}

/* the point on the present leg that lies `ahead` of the foot of the rover's perpendicular, at most the leg's end */
static ty_waypoint aim(const ty_driver *d, double x, double y)
{
    ty_waypoint a = d->point[d->next - 1], b = d->point[d->next];
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (length < 1e-9) {
        return b;
    }
    double along = ((x - a.x) * dx + (y - a.y) * dy) / length + d->path.ahead;
    along = fmin(fmax(along, 0.0), length);
    return (ty_waypoint){ a.x + dx * along / length, a.y + dy * along / length, 0.0 };
}

/* as fast as the next wanted arrival needs, at most twice the driver's speed */
static double speed_for(const ty_driver *d, const ty_vehicle_state *s)
{
    double way = hypot(d->point[d->next].x - s->pose.p.x, d->point[d->next].y - s->pose.p.y);
    for (size_t i = d->next; i <= d->path.count; i++) {
        way += i > d->next ? hypot(d->point[i].x - d->point[i - 1].x, d->point[i].y - d->point[i - 1].y) : 0.0;
        if (d->point[i].arrive > 0.0) {
            double left = d->point[i].arrive - ty_seconds(s->time);
            return left > 0.0 ? fmin(way / left, 2.0 * d->path.speed) : 2.0 * d->path.speed;
        }
    }
    return d->path.speed;
}

static bool follow(ty_driver *d, const ty_vehicle_state *s, ty_drive_command *out)
{
    double x = s->pose.p.x, y = s->pose.p.y;
    if (!d->started) {
        d->point[0] = (ty_waypoint){ x, y, 0.0 };
        d->started = true;
    }
    while (d->next <= d->path.count) { /* reached, or its end of the leg passed */
        ty_waypoint a = d->point[d->next - 1], b = d->point[d->next];
        double beyond = (x - b.x) * (b.x - a.x) + (y - b.y) * (b.y - a.y);
        if (hypot(b.x - x, b.y - y) > d->path.reach && !(beyond > 0.0 && hypot(b.x - x, b.y - y) < 4.0 * d->path.reach)) {
            break;
        }
        d->next++;
    }
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    if (d->next > d->path.count) {
        return false;
    }
    ty_vec3 forward = ty_rotate(s->pose.q, ty_vec3_make(1, 0, 0));
    ty_waypoint to = d->path.law == TY_PATH_PURSUIT ? aim(d, x, y) : d->point[d->next];
    double heading = atan2(forward.y, forward.x), error = remainder(atan2(to.y - y, to.x - x) - heading, 2.0 * TY_PI);
    double distance = fmax(hypot(to.x - x, to.y - y), 0.5 * d->path.ahead);
    out->v = speed_for(d, s);
    if (fabs(error) > 75.0 * TY_DEG) { /* the point lies beside or behind: turn on the spot first */
        out->mode = TY_STEER_POINT;
        out->v = 0.0;
        out->omega = copysign(fmin(d->path.omega_max, 0.15), error);
        return true;
    }
    /* pursuit: the arc through the point has the curvature 2 sin(error) / distance */
    double omega = d->path.law == TY_PATH_PURSUIT ? out->v * 2.0 * sin(error) / distance : d->path.gain * error;
    out->omega = fmin(fmax(omega, -d->path.omega_max), d->path.omega_max);
    return true;
}

/* ---- all ---- */

bool ty_driver_command(ty_driver *driver, const ty_vehicle_state *state, ty_drive_command *out)
{
    *out = (ty_drive_command){ 0 };
    switch (driver->kind) {
    case CONSTANT:
        *out = driver->command;
        return true;
    case TABLE: {
        double t = ty_seconds(state->time);
        size_t i = 0;
        while (i + 1 < driver->rows && driver->row[i + 1].t <= t) {
            i++;
        }
        *out = driver->row[i].command;
        return t < driver->row[driver->rows - 1].t;
    }
    case PATH:
        break;
    }
    return follow(driver, state, out);
}

size_t ty_driver_progress(const ty_driver *driver)
{
    return driver->kind == PATH ? driver->next : 0;
}

void ty_driver_set_progress(ty_driver *driver, size_t progress)
{
    if (driver->kind == PATH && progress >= 1 && progress <= driver->path.count + 1) {
        driver->next = progress;
    }
}
