/* app/cmd_sweep.c - `tycho sweep`: many runs into one table, and its page.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app.h"
#include "fleet/fleet.h"
#include "signals.h"

typedef struct options {
    const char *spec, *folder, *part;
    const char **set;
    size_t sets;
    double workers;
    bool quiet, dry, again, no_report, no_pictures, mpi, slurm, wait;
} options;

/* ---- what would run ---- */

static void say_plan(const tyi_fleet_spec *s, const char *dir, int workers, const char *kind)
{
    static const char *const design[] = { "grid", "random", "latin", "sobol", "saltelli" };
    printf("%s: %zu runs of %s (%s) on %d %s, into %s\n", s->name, s->total, s->model[0] ? s->model : s->scenario,
           design[s->design], workers, kind, dir);
}

static void say_runs(const tyi_fleet_spec *s)
{
    size_t shown = s->total < 20 ? s->total : 20;
    for (size_t i = 0; i < shown; i++) {
        char *command = tyi_fleet_command(s, i);
        printf("%8zu  %s\n", i, command ? command : "?");
        free(command);
    }
    if (shown < s->total) {
        printf("     ...  and %zu more\n", s->total - shown);
    }
}

/* ---- progress ---- */

typedef struct line {
    bool quiet, terminal, shown;
    double last;
} line;

static const char *span(double s, char *out, size_t size)
{
    s < 100.0    ? snprintf(out, size, "%.0f s", s)
    : s < 6000.0 ? snprintf(out, size, "%.0f min", s / 60.0)
                 : snprintf(out, size, "%.1f h", s / 3600.0);
    return out;
}

static void progress(void *user, const tyi_fleet_stats *s)
{
    line *l = user;
    size_t now = s->done + s->failed, made = now - s->found;
    double rate = s->seconds > 0.0 ? (double)made / s->seconds : 0.0;
    char left[40] = "?";
    if (l->quiet || (!l->terminal && s->seconds - l->last < 10.0)) {
        return;
    }
    l->last = s->seconds;
    l->shown = true;
    if (rate > 0.0) {
        span((double)(s->total - now) / rate, left, sizeof left);
    }
    fprintf(stderr, "%s%3.0f %%  %zu of %zu done, %zu failed, %.3g runs/s, %s left%s", l->terminal ? "\r" : "",
            100.0 * (double)now / (double)s->total, s->done, s->total, s->failed, rate, left,
            l->terminal ? "    " : "\n");
    fflush(stderr);
}

static void say_end(const tyi_fleet_spec *spec, const tyi_fleet_stats *s, const char *dir)
{
    size_t made = s->done + s->failed - s->found;
    tyi_fleet_interval rate = tyi_fleet_rate(s->success, s->done + s->failed);
    if (s->found) {
        printf("%zu runs were there already\n", s->found);
    }
    printf("%s: %zu of %zu runs done, %zu failed; %zu made in %.3g s (%.3g runs/s, %.0f %% of %d workers busy)\n",
           spec->name, s->done, s->total, s->failed, made, s->seconds,
           s->seconds > 0.0 ? (double)made / s->seconds : 0.0,
           s->seconds > 0.0 ? 100.0 * s->work / s->seconds / s->workers : 0.0, s->workers);
    printf("success in %zu of %zu: %.1f %%, between %.1f and %.1f %% with 95 %% confidence\n", s->success,
           s->done + s->failed, 100.0 * rate.value, 100.0 * rate.low, 100.0 * rate.high);
    printf("%s/sweep.db, runs.csv, events.csv\n", dir);
}

/* ---- the commands ---- */

/* what one call has at hand */
typedef struct job {
    tyi_fleet_spec spec;
    tyi_fleet_def def;
    tyi_fleet_stats stats;
    tyi_fleet_crew crew;
    tyi_fleet_ranks *ranks;
    line line;
    char dir[TY_PATH_MAX];
    int workers, rank;
} job;

static ty_status load(options *o, job *j, ty_diag *diag)
{
    ty_status status = tyi_fleet_spec_load(&j->spec, o->spec, o->set, o->sets, diag);
    o->folder ? snprintf(j->dir, sizeof j->dir, "%s", o->folder)
              : snprintf(j->dir, sizeof j->dir, "out/%s-sweep", j->spec.name);
    j->def = (tyi_fleet_def){ .dir = j->dir,
                              .crew = &j->crew,
                              .again = o->again,
                              .progress = progress,
                              .user = &j->line,
                              .stop = (const volatile int *)&app_stopped_by };
    if (status == TY_OK && o->part &&
        (sscanf(o->part, "%zu/%zu", &j->def.part, &j->def.parts) != 2 || j->def.part >= j->def.parts)) {
        status = ty_fail(diag, TY_ERR_INPUT, "--part is '%s', but K/N with K from 0 to N - 1 is accepted", o->part);
    }
    return status;
}

static ty_status make(options *o, job *j, ty_diag *diag)
{
    app_catch_signals();
    ty_status status = TY_OK;
    if (j->ranks) {
        tyi_fleet_ranks_crew(j->ranks, &j->crew, &j->spec, j->dir);
    } else {
        status = tyi_fleet_crew_local(&j->crew, &j->spec, j->dir, j->workers, diag);
    }
    status = status == TY_OK ? tyi_fleet_sweep(&j->spec, &j->def, &j->stats, diag) : status;
    if (j->line.shown && j->line.terminal) {
        fprintf(stderr, "\r%78s\r", "");
    }
    if (status == TY_OK && !o->quiet && !j->def.parts) {
        say_end(&j->spec, &j->stats, j->dir);
    }
    bool whole = j->stats.done + j->stats.failed == j->stats.total;
    if (status == TY_OK && whole && !j->def.parts && !o->no_report && !app_stopped_by) {
        status = tyi_fleet_report(&j->spec, j->dir, !o->no_pictures, diag);
        if (status == TY_OK && !o->quiet) {
            printf("%s/report.html\n", j->dir);
        }
    } else if (status == TY_OK && app_stopped_by) {
        printf("stopped; the same command goes on\n");
    }
    return status;
}

static ty_status submit(const options *o, job *j, ty_diag *diag)
{
    char jobs[100];
    int tasks = (size_t)j->workers < j->spec.total ? j->workers : (int)j->spec.total;
    ty_status status = tyi_fleet_slurm(&j->spec, j->dir, o->set, o->sets, tasks, o->wait, jobs, diag);
    if (status == TY_OK && !o->quiet) {
        printf("%s: %zu runs as %d tasks; Slurm's jobs %s; the table will be in %s\n", j->spec.name, j->spec.total,
               tasks, jobs, j->dir);
    }
    return status;
}

/* a rank that works: what it is to do comes from rank 0, which has checked everything */
static int serve(options *o, job *j)
{
    ty_diag diag = { 0 };
    app_catch_signals();
    if (load(o, j, &diag) != TY_OK) {
        j->spec.total = 0; /* rank 0 says why */
    }
    while (tyi_fleet_ranks_work(j->ranks, &j->spec, j->dir)) {
    }
    tyi_fleet_ranks_close(j->ranks);
    tyi_fleet_spec_free(&j->spec);
    return APP_OK;
}

static int sweep(options *o)
{
    job j = { .line = { .quiet = o->quiet, .terminal = isatty(STDERR_FILENO) } };
    ty_diag diag = { 0 };
    int size = 0;
    ty_status status =
        o->mpi || tyi_fleet_ranks_wanted() ? tyi_fleet_ranks_open(&j.ranks, &j.rank, &size, &diag) : TY_OK;
    if (status == TY_OK && j.rank > 0) {
        return serve(o, &j);
    }
    j.workers = j.ranks ? size - 1 : o->workers > 0.0 ? (int)o->workers : o->slurm ? 16 : tyi_fleet_cores();
    status = status == TY_OK ? load(o, &j, &diag) : status;
    status = status == TY_OK && !j.def.parts ? tyi_fleet_probe(&j.spec, &diag) : status;
    if (status == TY_OK && (!o->quiet || o->dry)) {
        say_plan(&j.spec, j.dir, j.workers, o->slurm ? "tasks of Slurm" : j.ranks ? "ranks" : "processes");
        o->dry ? say_runs(&j.spec) : (void)fflush(stdout);
    }
    if (status == TY_OK && !o->dry) {
        status = o->slurm ? submit(o, &j, &diag) : make(o, &j, &diag);
    }
    tyi_fleet_ranks_close(j.ranks);
    tyi_fleet_spec_free(&j.spec);
    return status != TY_OK ? app_bad("sweep", "%s.", diag.text) : app_stopped_by ? 128 + app_stopped_by : APP_OK;
}

static int report(const char *dir, const options *o)
{
    tyi_fleet_spec spec = { 0 };
    ty_diag diag = { 0 };
    char path[TY_PATH_MAX], **settings = NULL;
    size_t count = 0;
    ty_status status = tyi_fleet_base_origin(dir, path, &settings, &count, &diag);
    if (status == TY_OK) {
        status = tyi_fleet_spec_load(&spec, path, (const char *const *)settings, count, &diag);
        status = status == TY_OK ? tyi_fleet_report(&spec, dir, !o->no_pictures, &diag) : status;
        tyi_fleet_spec_free(&spec);
    }
    free(settings);
    if (status != TY_OK) {
        return app_bad("sweep report", "%s.", diag.text);
    }
    printf("%s/report.html\n", dir);
    return APP_OK;
}

static int run(int argc, char **argv)
{
    options o = { 0 };
    const char *set, *workers = app_option(&argc, argv, "-j");
    ty_diag diag = { 0 };
    if (app_flag(&argc, argv, "--reference")) {
        return tyi_fleet_spec_reference(stdout, &diag) == TY_OK ? APP_OK : app_bad("sweep", "%s.", diag.text);
    }
    o.folder = app_option(&argc, argv, "-o");
    o.part = app_option(&argc, argv, "--part");
    o.quiet = app_flag(&argc, argv, "--quiet");
    o.dry = app_flag(&argc, argv, "--dry-run");
    o.mpi = app_flag(&argc, argv, "--mpi");
    o.slurm = app_flag(&argc, argv, "--slurm");
    o.wait = app_flag(&argc, argv, "--wait");
    o.again = app_flag(&argc, argv, "--retry");
    o.no_report = app_flag(&argc, argv, "--no-report");
    o.no_pictures = app_flag(&argc, argv, "--no-pictures");
    o.set = calloc((size_t)argc + 1, sizeof *o.set);
    while (o.set && (set = app_option(&argc, argv, "--set")) != NULL) {
        o.set[o.sets++] = set;
    }
    const char *unknown = app_unknown_option(argc, argv);
    bool page = argc >= 2 && !strcmp(argv[1], "report");
    int code;
    if (unknown) {
        code = app_bad("sweep", "does not know %s, or its value is missing.", unknown);
    } else if (workers && !(app_number(workers, &o.workers) && o.workers >= 1.0 && o.workers <= 1024.0)) {
        code = app_bad("sweep", "-j is '%s', but a number of processes from 1 to 1024 is accepted.", workers);
    } else if (page ? argc != 3 : argc != 2) {
        code =
            app_bad("sweep",
                    "takes one specification, or `report` and the folder of a sweep; `tycho sweep --help` tells more.");
    } else if (page) {
        code = report(argv[2], &o);
    } else {
        o.spec = argv[1];
        code = sweep(&o);
    }
    free(o.set);
    return code;
}

const app_command app_cmd_sweep = {
    "sweep",
    "many runs of a scenario, with what varies, into one table and a page",
    "usage: tycho sweep SPEC [options]\n"
    "       tycho sweep report DIR\n\n"
    "  -o DIR         the folder; default out/NAME-sweep. A sweep that was stopped or killed there goes on with the same command\n"
    "  -j N           processes that work at a time, one run and one thread each; default: the number of processors\n"
    "  --set a.b=c    change a key of the specification: --set runs=1000, --set vary.0.count=3\n"
    "  --dry-run      check everything, print what would run, and start nothing\n"
    "  --retry        runs whose process crashed or was killed, or that took too long, are made once more\n"
    "  --part K/N     only every Nth run from the Kth on, and only their rows: a later call without it makes the table\n"
    "  --mpi          on the ranks of mpirun (which it sees by itself where OpenMPI's starts it): rank 0 hands out, the others work\n"
    "  --slurm        as a job array of -j tasks (16) and a job that makes the table; writes their scripts and submits them. --wait: until the end\n"
    "  --no-report    no report.html; --no-pictures: one without pictures of the worst cases\n"
    "  --reference    print all keys of a specification\n"
    "  --quiet        no progress, nothing on standard output\n\n"
    "Writes sweep.db (SQLite: runs, events, summaries, timing), the same as runs.csv, events.csv and timing.csv, report.html, and of each run's\n"
    "folder what the key `keep` names. The same specification gives the same tables, but for timing, on any number of processes.\n\n"
    "example: tycho sweep scenarios/slope_sweep.yaml -j 2\n",
    run,
};
