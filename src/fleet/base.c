/* src/fleet/base.c - the table of a sweep: DIR/sweep.db, and its tables as CSV. The one file that sees SQLite.
 *
 * A row enters with all that belongs to it in one transaction, and its file is removed only afterwards: whoever is killed when, a run is
 * either in the table, or a file, or not yet made. Wall times have a table of their own; all other tables depend on nothing but the
 * specification.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/out.h"
#include "core/core.h"
#include "row.h"

#define SQL 16384 /* bytes of a statement with all columns */

struct tyi_fleet_base {
    sqlite3 *db;
    const tyi_fleet_spec *spec;
    char dir[TY_PATH_MAX];
    sqlite3_stmt *run, *event, *summary, *timing; /* insert */
};

static ty_status fail(const tyi_fleet_base *b, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_FILE, "%s/sweep.db: %s", b->dir, b->db ? sqlite3_errmsg(b->db) : "out of memory");
}

static ty_status does(tyi_fleet_base *b, const char *sql, ty_diag *diag)
{
    return sqlite3_exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK ? TY_OK : fail(b, diag);
}

static sqlite3_stmt *prepare(tyi_fleet_base *b, const char *sql)
{
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(b->db, sql, -1, &s, NULL);
    return s;
}

static void add(char *out, const char *format, ...) TY_PRINTF(2, 3);
static void add(char *out, const char *format, ...)
{
    size_t n = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + n, SQL - n, format, args);
    va_end(args);
}

/* ---- opening ---- */

/* all names of columns that come from the specification were checked for quotes there */
static ty_status make_tables(tyi_fleet_base *b, ty_diag *diag)
{
    char sql[SQL] = "CREATE TABLE IF NOT EXISTS runs(run INTEGER PRIMARY KEY";
    for (size_t i = 0; i < b->spec->varies; i++) {
        add(sql, ", \"%s\"", b->spec->vary[i].key);
    }
    add(sql, ", status, success, sentence, folder");
    for (size_t i = 0; i < b->spec->outputs; i++) {
        add(sql, ", \"%s\"", b->spec->output[i].text);
    }
    add(sql, ");");
    ty_status status = does(b, sql, diag);
    return status == TY_OK
               ? does(
                     b,
                     "CREATE TABLE IF NOT EXISTS events(run INTEGER, n INTEGER, event, rover, begin_s, end_s, worst, unit, wheel, other, text, "
                     "PRIMARY KEY(run, n)) WITHOUT ROWID;"
                     "CREATE TABLE IF NOT EXISTS summaries(run INTEGER PRIMARY KEY, json);"
                     "CREATE TABLE IF NOT EXISTS timing(run INTEGER PRIMARY KEY, tries, wall_s, began, host);",
                     diag)
               : status;
}

static ty_status prepare_all(tyi_fleet_base *b, ty_diag *diag)
{
    char sql[SQL] = "INSERT OR REPLACE INTO runs VALUES(?";
    for (size_t i = 0; i < b->spec->varies + b->spec->outputs + 4; i++) {
        add(sql, ",?");
    }
    add(sql, ");");
    b->run = prepare(b, sql);
    b->event = prepare(b, "INSERT OR REPLACE INTO events VALUES(?,?,?,?,?,?,?,?,?,?,?);");
    b->summary = prepare(b, "INSERT OR REPLACE INTO summaries VALUES(?,?);");
    b->timing = prepare(b, "INSERT OR REPLACE INTO timing VALUES(?,?,?,?,?);");
    return b->run && b->event && b->summary && b->timing ? TY_OK : fail(b, diag);
}

/* the sweep that it is of: found, or written down */
static ty_status same_sweep(tyi_fleet_base *b, ty_diag *diag)
{
    char hash[20], path[TY_PATH_MAX] = "";
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)b->spec->hash);
    ty_status status =
        does(b, "CREATE TABLE IF NOT EXISTS sweep(name, runs INTEGER, hash, tycho, built_with, spec, settings);", diag);
    sqlite3_stmt *s = status == TY_OK ? prepare(b, "SELECT hash FROM sweep;") : NULL;
    bool there = s && sqlite3_step(s) == SQLITE_ROW,
         same = there && !strcmp((const char *)sqlite3_column_text(s, 0), hash);
    sqlite3_finalize(s);
    if (status == TY_OK && there && !same) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "%s holds another sweep: its specification, its settings or its scenario were not the same; give another folder with -o",
            b->dir);
    }
    if (status == TY_OK && !there) {
        s = prepare(b, "INSERT INTO sweep VALUES(?,?,?,?,?,?,?);");
        if (!realpath(b->spec->path, path)) {
            path[0] = '\0';
        }
        json_t *list = json_array();
        for (size_t i = 0; i < b->spec->setting_count; i++) {
            json_array_append_new(list, json_string(b->spec->settings[i]));
        }
        char *settings = json_dumps(list, JSON_COMPACT);
        const char *const text[] = { b->spec->name, NULL, hash, ty_version(), ty_built_with(), path, settings };
        for (int i = 0; s && i < 7; i++) {
            text[i] ? sqlite3_bind_text(s, i + 1, text[i], -1, SQLITE_TRANSIENT)
                    : sqlite3_bind_int64(s, i + 1, (sqlite3_int64)b->spec->total);
        }
        free(settings);
        json_decref(list);
        status = s && sqlite3_step(s) == SQLITE_DONE ? TY_OK : fail(b, diag);
        sqlite3_finalize(s);
    }
    return status;
}

ty_status tyi_fleet_base_open(const char *dir, const tyi_fleet_spec *spec, tyi_fleet_base **out, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    tyi_fleet_base *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b) {
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    }
    b->spec = spec;
    snprintf(b->dir, sizeof b->dir, "%s", dir);
    snprintf(path, sizeof path, "%.*s/sweep.db", TY_PATH_MAX - 1, dir);
    ty_status status = sqlite3_open(path, &b->db) == SQLITE_OK ? TY_OK : fail(b, diag);
    if (status == TY_OK) {
        sqlite3_busy_timeout(b->db, 20000);
        status = does(b, "PRAGMA synchronous=NORMAL;", diag);
    }
    status = status == TY_OK ? same_sweep(b, diag) : status;
    status = status == TY_OK ? make_tables(b, diag) : status;
    status = status == TY_OK ? prepare_all(b, diag) : status;
    if (status == TY_OK) {
        *out = b;
    } else {
        tyi_fleet_base_close(b);
    }
    return status;
}

void tyi_fleet_base_close(tyi_fleet_base *b)
{
    if (b) {
        sqlite3_finalize(b->run), sqlite3_finalize(b->event), sqlite3_finalize(b->summary), sqlite3_finalize(b->timing);
        sqlite3_close(b->db);
        free(b);
    }
}

/* ["a=b", ...] as one piece of memory */
static char **listed(const char *text, size_t *count)
{
    json_t *all = text ? json_loads(text, 0, NULL) : NULL;
    size_t n = json_array_size(all), bytes = (n + 1) * sizeof(char *);
    for (size_t i = 0; i < n; i++) {
        bytes += json_string_length(json_array_get(all, i)) + 1;
    }
    char **list = calloc(1, bytes), *at = list ? (char *)(list + n + 1) : NULL;
    for (size_t i = 0; list && i < n; i++) {
        list[i] = at;
        at = stpcpy(at, json_string_value(json_array_get(all, i))) + 1;
    }
    json_decref(all);
    *count = list ? n : 0;
    return list;
}

ty_status tyi_fleet_base_origin(const char *dir, char path[TY_PATH_MAX], char ***settings, size_t *count, ty_diag *diag)
{
    char file[TYI_FLEET_PATH];
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    path[0] = '\0';
    *settings = NULL;
    snprintf(file, sizeof file, "%.*s/sweep.db", TY_PATH_MAX - 1, dir);
    bool open = access(file, R_OK) == 0 && sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
    if (open && sqlite3_prepare_v2(db, "SELECT spec, settings FROM sweep;", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s, 0);
        snprintf(path, TY_PATH_MAX, "%s", text ? text : "");
        *settings = listed((const char *)sqlite3_column_text(s, 1), count);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return path[0] && *settings
               ? TY_OK
               : ty_fail(diag, TY_ERR_FILE, "%s is no folder of a sweep: there is no sweep.db that says which", dir);
}

/* ---- taking rows ---- */

static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
    char *end;
    double number = text ? tyi_number(text, &end) : 0.0;
    if (!text) {
        sqlite3_bind_null(s, at);
    } else if (!*text || *end || !isfinite(number) || text[strspn(text, "0123456789+-.eE")]) {
        sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT);
    } else if (!text[strspn(text, "-0123456789")] && fabs(number) < 9e18) {
        sqlite3_bind_int64(s, at, strtoll(text, NULL, 10));
    } else {
        sqlite3_bind_double(s, at, number);
    }
}

static void bind_json(sqlite3_stmt *s, int at, const json_t *v)
{
    if (json_is_integer(v)) {
        sqlite3_bind_int64(s, at, json_integer_value(v));
    } else if (json_is_real(v)) {
        sqlite3_bind_double(s, at, json_real_value(v));
    } else if (json_is_string(v)) {
        sqlite3_bind_text(s, at, json_string_value(v), -1, SQLITE_TRANSIENT);
    } else {
        sqlite3_bind_null(s, at);
    }
}

static bool put(sqlite3_stmt *s)
{
    bool ok = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return ok;
}

static bool put_events(tyi_fleet_base *b, size_t run, const json_t *events)
{
    static const char *const key[] = {
        "event", "rover", "begin_s", "end_s", "worst", "unit", "wheel", "other", "text"
    };
    bool ok = true;
    for (size_t n = 0; n < json_array_size(events) && ok; n++) {
        sqlite3_bind_int64(b->event, 1, (sqlite3_int64)run);
        sqlite3_bind_int64(b->event, 2, (sqlite3_int64)n);
        for (int k = 0; k < 9; k++) {
            bind_json(b->event, 3 + k, json_object_get(json_array_get(events, n), key[k]));
        }
        ok = put(b->event);
    }
    return ok;
}

static bool put_row(tyi_fleet_base *b, size_t run, int tries, const json_t *row)
{
    const tyi_fleet_spec *spec = b->spec;
    const json_t *summary = json_object_get(row, "summary");
    const char *status = json_string_value(json_object_get(row, "status"));
    bool fine = status && !strcmp(status, "done");
    int at = 1;
    char value[TYI_FLEET_TEXT];
    sqlite3_bind_int64(b->run, at++, (sqlite3_int64)run);
    for (size_t i = 0; i < spec->varies; i++) {
        tyi_fleet_value(spec, run, i, value);
        bind_text(b->run, at++, value);
    }
    sqlite3_bind_text(b->run, at++, status ? status : "failed", -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(b->run, at++, fine && tyi_fleet_row_success(spec, summary));
    bind_json(b->run, at++, json_object_get(row, "sentence"));
    bind_json(b->run, at++, json_object_get(row, "folder"));
    for (size_t i = 0; i < spec->outputs; i++) {
        bind_json(b->run, at++, tyi_fleet_row_find(summary, spec->output[i].text));
    }
    bool ok = put(b->run) && put_events(b, run, json_object_get(summary, "events"));
    char *text = summary ? json_dumps(summary, JSON_COMPACT) : NULL;
    if (text) {
        sqlite3_bind_int64(b->summary, 1, (sqlite3_int64)run);
        sqlite3_bind_text(b->summary, 2, text, -1, SQLITE_TRANSIENT);
        ok = ok && put(b->summary);
        free(text);
    }
    sqlite3_bind_int64(b->timing, 1, (sqlite3_int64)run);
    sqlite3_bind_int(b->timing, 2, tries);
    bind_json(b->timing, 3, json_object_get(row, "wall_s"));
    bind_json(b->timing, 4, json_object_get(row, "began"));
    bind_json(b->timing, 5, json_object_get(row, "host"));
    return put(b->timing) && ok;
}

ty_status tyi_fleet_base_take(tyi_fleet_base *b, const size_t *list, const int *tries, size_t count, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    ty_status status = does(b, "BEGIN IMMEDIATE;", diag);
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        json_t *row = tyi_fleet_row_read(b->dir, list[i]);
        status = row && put_row(b, list[i], tries[i], row) ? TY_OK
                 : row                                     ? fail(b, diag)
                       : ty_fail(diag, TY_ERR_FILE, "%s/rows: the row of run %zu cannot be read", b->dir, list[i]);
        json_decref(row);
    }
    if (status != TY_OK) {
        sqlite3_exec(b->db, "ROLLBACK;", NULL, NULL, NULL);
        return status;
    }
    status = does(b, "COMMIT;", diag);
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        tyi_fleet_row_path(b->dir, list[i], path);
        unlink(path);
    }
    return status;
}

ty_status tyi_fleet_base_done(tyi_fleet_base *b, unsigned char *done, size_t total, ty_diag *diag)
{
    sqlite3_stmt *s = prepare(b, "SELECT run, status, success FROM runs;");
    int step = SQLITE_ERROR;
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        sqlite3_int64 run = sqlite3_column_int64(s, 0);
        const char *status = (const char *)sqlite3_column_text(s, 1);
        if (run >= 0 && (size_t)run < total) {
            done[run] = (unsigned char)(!strcmp(status, "killed") ? TYI_FLEET_KILLED
                                        : !strcmp(status, "done") ? TYI_FLEET_DONE
                                                                  : TYI_FLEET_FAILED);
            done[run] |= sqlite3_column_int(s, 2) ? TYI_FLEET_SUCCESS : 0;
        }
    }
    sqlite3_finalize(s);
    return step == SQLITE_DONE ? TY_OK : fail(b, diag);
}

/* ---- CSV ---- */

static void print_number(FILE *f, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) { /* as few as bring it back */
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (tyi_number(text, NULL) == x) {
            break;
        }
    }
    fputs(text, f);
}

static void print_text(FILE *f, const char *text)
{
    bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (quoted) {
        fputc('"', f);
    }
    for (; *text; text++) {
        if (*text == '"') {
            fputc('"', f);
        }
        fputc(*text, f);
    }
    if (quoted) {
        fputc('"', f);
    }
}

static void print_row(FILE *f, sqlite3_stmt *s)
{
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        if (i) {
            fputc(',', f);
        }
        if (sqlite3_column_type(s, i) == SQLITE_FLOAT) {
            print_number(f, sqlite3_column_double(s, i));
        } else if (sqlite3_column_type(s, i) != SQLITE_NULL) {
            print_text(f, (const char *)sqlite3_column_text(s, i));
        }
    }
    fputc('\n', f);
}

static ty_status export_one(tyi_fleet_base *b, const char *table, const char *order, ty_diag *diag)
{
    char path[TYI_FLEET_PATH], sql[200];
    tyi_io_out out;
    snprintf(path, sizeof path, "%.*s/%s.csv", TY_PATH_MAX - 1, b->dir, table);
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY %s;", table, order);
    sqlite3_stmt *s = prepare(b, sql);
    if (!s) {
        return fail(b, diag);
    }
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status == TY_OK) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            fputs(i ? "," : "", out.file);
            print_text(out.file, sqlite3_column_name(s, i));
        }
        fputc('\n', out.file);
        int step;
        while ((step = sqlite3_step(s)) == SQLITE_ROW) {
            print_row(out.file, s);
        }
        status = tyi_io_out_close(&out, step == SQLITE_DONE ? TY_OK : fail(b, diag), diag);
    }
    sqlite3_finalize(s);
    return status;
}

ty_status tyi_fleet_base_export(tyi_fleet_base *b, ty_diag *diag)
{
    ty_status status = export_one(b, "runs", "run", diag);
    status = status == TY_OK ? export_one(b, "events", "run, n", diag) : status;
    return status == TY_OK ? export_one(b, "timing", "run", diag) : status;
}

/* ---- for the report ---- */

static char *copy_text(sqlite3_stmt *s, int at)
{
    const char *text = (const char *)sqlite3_column_text(s, at);
    return strdup(text ? text : "");
}

static bool room(tyi_fleet_table *t, size_t rows, size_t varies, size_t outputs)
{
    t->run = calloc(rows + 1, sizeof *t->run);
    t->done = calloc(rows + 1, 1);
    t->success = calloc(rows + 1, 1);
    t->sentence = calloc(rows + 1, sizeof *t->sentence);
    t->folder = calloc(rows + 1, sizeof *t->folder);
    t->value = calloc(rows * varies + 1, sizeof *t->value);
    t->number = calloc(rows * varies + 1, sizeof *t->number);
    t->output = calloc(rows * outputs + 1, sizeof *t->output);
    return t->run && t->done && t->success && t->sentence && t->folder && t->value && t->number && t->output;
}

static void table_row(tyi_fleet_table *t, sqlite3_stmt *s, size_t varies, size_t outputs)
{
    size_t r = t->rows++;
    int at = 1;
    t->run[r] = (size_t)sqlite3_column_int64(s, 0);
    for (size_t i = 0; i < varies; i++, at++) {
        bool number = sqlite3_column_type(s, at) != SQLITE_TEXT;
        t->value[r * varies + i] = copy_text(s, at);
        t->number[r * varies + i] = number ? sqlite3_column_double(s, at) : (double)NAN;
    }
    const char *status = (const char *)sqlite3_column_text(s, at++);
    t->done[r] = status && !strcmp(status, "done");
    t->success[r] = sqlite3_column_int(s, at++) != 0;
    t->sentence[r] = copy_text(s, at++);
    t->folder[r] = copy_text(s, at++);
    for (size_t i = 0; i < outputs; i++, at++) {
        int type = sqlite3_column_type(s, at);
        t->output[r * outputs + i] =
            type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(s, at) : (double)NAN;
    }
}

ty_status tyi_fleet_base_table(tyi_fleet_base *b, tyi_fleet_table *t, ty_diag *diag)
{
    size_t rows = 0;
    *t = (tyi_fleet_table){ .outputs = b->spec->outputs };
    sqlite3_stmt *s = prepare(b, "SELECT (SELECT count(*) FROM runs), (SELECT total(wall_s) FROM timing);");
    if (s && sqlite3_step(s) == SQLITE_ROW) {
        rows = (size_t)sqlite3_column_int64(s, 0);
        t->wall = sqlite3_column_double(s, 1);
    }
    sqlite3_finalize(s);
    if (!room(t, rows, b->spec->varies, t->outputs)) {
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory for %zu rows", rows);
    }
    s = prepare(b, "SELECT * FROM runs ORDER BY run;");
    int step = SQLITE_ERROR;
    while (s && t->rows < rows && (step = sqlite3_step(s)) == SQLITE_ROW) {
        table_row(t, s, b->spec->varies, t->outputs);
    }
    sqlite3_finalize(s);
    return t->rows == rows ? TY_OK : fail(b, diag);
}

void tyi_fleet_table_free(tyi_fleet_table *t, size_t varies)
{
    for (size_t i = 0; i < t->rows; i++) {
        free(t->sentence[i]), free(t->folder[i]);
    }
    for (size_t i = 0; i < t->rows * varies; i++) {
        free(t->value[i]);
    }
    free(t->run), free(t->done), free(t->success), free(t->sentence), free(t->folder), free(t->value), free(t->number),
        free(t->output);
}
