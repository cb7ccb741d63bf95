/* src/fleet/once.c - one run: a scenario into a folder, its summary into a row, and what is to be kept of the folder.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "core/alone.h"
#include "record/page.h"
#include "core/core.h"
#include "row.h"
#include "io/out.h"
#include "tycho/record.h"

/* ---- folders ---- */

static bool kept(const tyi_fleet_spec *spec, const char *name)
{
    bool any = false;
    for (size_t i = 0; spec && i < spec->keeps && !any; i++) {
        any = fnmatch(spec->keep[i].text, name, 0) == 0;
    }
    return any;
}

/* Removes what no pattern keeps (spec NULL: everything); from: where names below the run's folder begin in a path. True: it is gone. */
static bool prune(const tyi_fleet_spec *spec, const char *folder, size_t from, int depth)
{
    DIR *dir = opendir(folder);
    bool empty = true;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char path[TYI_FLEET_PATH + 300];
        struct stat about;
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) {
            continue;
        }
        if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path || lstat(path, &about)) {
            empty = false;
        } else if (S_ISDIR(about.st_mode)) {
            empty = depth < 16 && prune(spec, path, from, depth + 1) && empty;
        } else {
            empty = !kept(spec, path + from) && unlink(path) == 0 && empty;
        }
    }
    if (dir) {
        closedir(dir);
    }
    return empty && rmdir(folder) == 0;
}

void tyi_fleet_remove(const char *folder)
{
    prune(NULL, folder, 0, 0);
}

/* ---- a run ---- */

ty_status tyi_fleet_once(const tyi_fleet_spec *spec, const char *const *settings, size_t count, const char *folder,
                         bool pictures, bool overview, ty_diag *diag)
{
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    ty_record *record = NULL;
    ty_run_def run_def = ty_run_def_default();
    ty_record_def def = ty_record_def_default();
    ty_status status = ty_scenario_load(spec->scenario, settings, count, &scenario, diag);
    run_def.scenario = scenario, run_def.overlap = false, run_def.threads = 1;
    status = status == TY_OK ? ty_run_create(&run_def, &run, diag) : status;
    def.folder = folder, def.scenario = spec->scenario, def.settings = settings, def.setting_count = count;
    def.mcap = kept(spec, "run.mcap"), def.pictures = pictures, def.overview = overview;
    status = status == TY_OK ? ty_record_create(run, &def, &record, diag) : status;
    while (status == TY_OK && !ty_record_done(record)) {
        status = ty_record_step(record, diag);
    }
    if (record) {
        status = ty_record_finish(record, diag);
    }
    ty_record_destroy(record);
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return status;
}

static bool wants_pictures(const tyi_fleet_spec *spec)
{
    return kept(spec, "report.html") || kept(spec, "map.png") || kept(spec, "plots.png");
}

/* the run itself; its summary, NULL where it left none */
static json_t *make(const tyi_fleet_spec *spec, const char *const *settings, size_t count, const char *folder,
                    ty_diag *diag)
{
    char path[TYI_FLEET_PATH + 20], *text = NULL;
    json_t *summary = NULL;
    if (spec->model[0]) {
        tyi_fleet_model_run(spec->model, settings, count, &text, diag);
        summary = text ? json_loads(text, 0, NULL) : NULL;
        free(text);
        return summary;
    }
    tyi_fleet_remove(folder);
    tyi_fleet_once(spec, settings, count, folder, wants_pictures(spec), kept(spec, "overview.png"), diag);
    snprintf(path, sizeof path, "%s/summary.json", folder);
    summary = json_load_file(path, 0, NULL);
    if (!summary && diag->status == TY_OK) {
        ty_fail(diag, TY_ERR_FILE, "the run left no summary.json");
    }
    return summary;
}

static void work_one(const tyi_fleet_spec *spec, const char *dir, size_t run)
{
    char folder[TYI_FLEET_PATH], host[80] = "";
    size_t count = 0;
    ty_diag diag = { 0 };
    double start = tyi_now(), date = (double)time(NULL);
    char **settings = tyi_fleet_settings(spec, run, &count);
    snprintf(folder, sizeof folder, "%.*s/runs/%08zu", TY_PATH_MAX - 1, dir, run);
    gethostname(host, sizeof host - 1);
    json_t *summary = settings ? make(spec, (const char *const *)settings, count, folder, &diag) : NULL;
    free(settings);
    bool fine = diag.status == TY_OK && summary;
    bool keep = spec->keep_of == 0 || !fine || !tyi_fleet_row_success(spec, summary);
    bool gone = spec->model[0] || prune(keep ? spec : NULL, folder, strlen(folder) + 1, 0) || access(folder, F_OK) != 0;
    json_t *row = json_pack("{s:s, s:s, s:s, s:f, s:f, s:s}", "status", fine ? "done" : "failed", "sentence",
                            fine ? "" : diag.text, "folder", gone ? "" : folder + strlen(dir) + 1, "wall_s",
                            tyi_now() - start, "began", date, "host", host);
    if (row && summary) {
        json_object_set(row, "summary", summary);
    }
    if (row) {
        tyi_fleet_row_write(dir, run, row, NULL);
    }
    json_decref(row);
    json_decref(summary);
}

void tyi_fleet_work(const tyi_fleet_spec *spec, const char *dir, const size_t *list, size_t count)
{
    tyi_tasks_alone(); /* the sweep has a process for each core */
    for (size_t i = 0; i < count; i++) {
        work_one(spec, dir, list[i]);
    }
}

/* ---- before the first ---- */

static ty_status missing(const json_t *summary, const char *key, const char *what, ty_diag *diag)
{
    const json_t *v = tyi_fleet_row_find(summary, key);
    return !key[0] || json_is_number(v) || json_is_string(v)
               ? TY_OK
               : ty_fail(diag, TY_ERR_INPUT, "%s is '%s', but a run's summary.json has no such number or text", what,
                         key);
}

/* in the process of the probe: the sentence, or nothing */
static ty_status probe(const tyi_fleet_spec *spec, const char *folder, ty_diag *diag)
{
    size_t n = 0;
    char **own = tyi_fleet_settings(spec, spec->total / 2, &n);
    const char **list = own ? calloc(n + 1, sizeof *list) : NULL;
    for (size_t i = 0; list && i < n; i++) {
        list[i] = own[i];
    }
    if (!list) {
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    }
    if (!spec->model[0]) {
        list[n++] = "duration=0.01";
    }
    json_t *summary = make(spec, list, n, folder, diag);
    ty_status status = diag->status;
    for (size_t i = 0; i < spec->outputs && status == TY_OK; i++) {
        status = missing(summary, spec->output[i].text, "outputs", diag);
    }
    for (size_t i = 0; i < spec->goals && status == TY_OK; i++) {
        status = missing(summary, spec->goal[i].key, "success.key", diag);
    }
    status = status == TY_OK ? missing(summary, spec->worst_key, "worst.key", diag) : status;
    json_decref(summary);
    free(list);
    free(own);
    return status;
}

ty_status tyi_fleet_probe(const tyi_fleet_spec *spec, ty_diag *diag)
{
    char folder[4000], inside[sizeof folder + 8];
    int ends[2], how = 0;
    if (!strcmp(spec->model, "trouble")) {
        return TY_OK;
    }
    if (!tyi_io_out_folder("tycho-sweep", folder, sizeof folder) || pipe(ends)) {
        return TY_OK; /* then the runs themselves will tell */
    }
    snprintf(inside, sizeof inside, "%s/run", folder);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        ty_diag own = { 0 };
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
            _exit(1);
        }
        tyi_tasks_alone();
        probe(spec, inside, &own);
        _exit(write(ends[1], own.text, strlen(own.text)) < 0);
    }
    close(ends[1]);
    char text[1024];
    size_t got = 0;
    for (ssize_t n; child > 0 && (n = read(ends[0], text + got, sizeof text - 1 - got)) > 0;) {
        got += (size_t)n;
    }
    text[got] = '\0';
    close(ends[0]);
    if (child > 0) {
        waitpid(child, &how, 0);
    }
    tyi_fleet_remove(folder);
    return got ? ty_fail(diag, TY_ERR_INPUT, "%s", text) : TY_OK;
}

/* ---- to repeat one ---- */

char *tyi_fleet_command(const tyi_fleet_spec *spec, size_t run)
{
    size_t count = 0, bytes = 1;
    char **settings = tyi_fleet_settings(spec, run, &count), *text = NULL, *all;
    for (size_t i = 0; settings && i < count; i++) {
        bytes += strlen(settings[i]) + 1;
    }
    all = malloc(bytes);
    if (settings && all) {
        char *at = all;
        for (size_t i = 0; i < count; i++) {
            at = stpcpy(at, settings[i]) + 1;
        }
        text = tyi_record_page_command(spec->model[0] ? spec->model : spec->scenario, all, count);
    }
    free(all);
    free(settings);
    return text;
}
