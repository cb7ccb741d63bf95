/* src/fleet/sweep.c - who does what next. Runs are handed out in the order of their numbers, in lists that take a fraction of a second; what
 * comes back goes into the table twice a second. A sweep that was killed goes on where its table and its row files end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/core.h"
#include "row.h"

#define LIST    64   /* runs of one hand-out at most */
#define PORTION 0.1  /* [s] of work that a list should hold */
#define PERIOD  0.5  /* [s] between writes to the table */
#define HELD    1000 /* rows that wait for that at most */

typedef struct worker {
    size_t list[LIST];
    size_t count; /* 0: free */
    double began;
    bool late; /* was ended because of the wall limit */
} worker;

typedef struct sweep {
    const tyi_fleet_spec *spec;
    const tyi_fleet_def *def;
    tyi_fleet_stats *stats;
    tyi_fleet_base *base; /* NULL: rows stay files */
    unsigned char *state, *tries;
    bool *busy;    /* is in a worker's hands */
    size_t next;   /* all before it were handed out */
    size_t *again; /* to be tried once more */
    size_t agains;
    size_t held[HELD];
    int held_tries[HELD];
    size_t helds;
    double written, told, start;
    worker *worker;
} sweep;

/* ---- files ---- */

ty_status tyi_fleet_folder(const char *dir, const char *sub, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    snprintf(path, sizeof path, "%.*s%s%s", TY_PATH_MAX - 1, dir, sub[0] ? "/" : "", sub);
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    }
    return mkdir(path, 0777) && errno != EEXIST
               ? ty_fail(diag, TY_ERR_FILE, "%s: this folder cannot be made: %s", path, strerror(errno))
               : TY_OK;
}

/* one sweep at a time in a folder (or one for each part of it) */
static int lock(const tyi_fleet_def *def, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    snprintf(path, sizeof path, "%.*s/.lock-%zu", TY_PATH_MAX - 1, def->dir, def->parts ? def->part + 1 : 0);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB)) {
        ty_fail(diag, TY_ERR_FILE,
                file < 0 ? "%s cannot be written: %s" : "%s: another sweep is at work in this folder (%s)", path,
                strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return -1;
    }
    return file;
}

static bool has_row(const sweep *s, size_t run)
{
    char path[TYI_FLEET_PATH];
    tyi_fleet_row_path(s->def->dir, run, path);
    return access(path, F_OK) == 0;
}

/* ---- the table ---- */

static ty_status write_held(sweep *s, ty_diag *diag)
{
    ty_status status =
        s->base && s->helds ? tyi_fleet_base_take(s->base, s->held, s->held_tries, s->helds, diag) : TY_OK;
    s->helds = 0;
    s->written = tyi_now();
    return status;
}

/* a run has its row file */
static ty_status take(sweep *s, size_t run, bool now, ty_diag *diag)
{
    json_t *row = tyi_fleet_row_read(s->def->dir, run);
    const char *how = row ? json_string_value(json_object_get(row, "status")) : NULL;
    if (!how) {
        json_decref(row);
        return ty_fail(diag, TY_ERR_FILE, "%s/rows: the row of run %zu is damaged; remove it and go on", s->def->dir,
                       run);
    }
    bool fine = !strcmp(how, "done");
    s->state[run] = (unsigned char)(fine                     ? TYI_FLEET_DONE
                                    : !strcmp(how, "killed") ? TYI_FLEET_KILLED
                                                             : TYI_FLEET_FAILED);
    s->stats->done += fine;
    s->stats->failed += !fine;
    s->stats->success += fine && tyi_fleet_row_success(s->spec, json_object_get(row, "summary"));
    s->stats->found += !now;
    s->stats->work += now ? json_number_value(json_object_get(row, "wall_s")) : 0.0;
    json_decref(row);
    s->held[s->helds] = run;
    s->held_tries[s->helds++] = s->tries[run] + 1;
    return s->helds == HELD ? write_held(s, diag) : TY_OK;
}

/* what is there already, in the table or as a file */
static ty_status find_done(sweep *s, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    tyi_fleet_base *base = s->base;
    snprintf(path, sizeof path, "%.*s/sweep.db", TY_PATH_MAX - 1, s->def->dir);
    ty_status status =
        !base && access(path, F_OK) == 0 ? tyi_fleet_base_open(s->def->dir, s->spec, &base, diag) : TY_OK;
    status = status == TY_OK && base ? tyi_fleet_base_done(base, s->state, s->spec->total, diag) : status;
    if (base != s->base) { /* a part only looks */
        tyi_fleet_base_close(base);
    }
    for (size_t i = 0; i < s->spec->total && status == TY_OK; i++) {
        bool success = s->state[i] & TYI_FLEET_SUCCESS;
        s->state[i] = (unsigned char)(s->state[i] & ~TYI_FLEET_SUCCESS);
        if (s->state[i] == TYI_FLEET_KILLED && s->def->again) {
            s->state[i] = TYI_FLEET_OPEN;
        }
        if (s->state[i] != TYI_FLEET_OPEN) {
            s->stats->found++;
            s->stats->success += success;
            *(s->state[i] == TYI_FLEET_DONE ? &s->stats->done : &s->stats->failed) += 1;
        } else if (has_row(s, i)) {
            status = take(s, i, false, diag);
        } else if (s->def->parts && i % s->def->parts != s->def->part) {
            s->state[i] = TYI_FLEET_DONE; /* somebody else's */
        }
    }
    return status == TY_OK ? write_held(s, diag) : status;
}

/* ---- handing out ---- */

static bool next_run(sweep *s, size_t *run)
{
    if (s->agains) {
        *run = s->again[--s->agains];
        return true;
    }
    while (s->next < s->spec->total && (s->state[s->next] != TYI_FLEET_OPEN || s->busy[s->next])) {
        s->next++;
    }
    *run = s->next;
    return s->next < s->spec->total;
}

static size_t portion(const sweep *s)
{
    size_t made = s->stats->done + s->stats->failed - s->stats->found,
           left = s->spec->total - s->stats->done - s->stats->failed;
    double each = made ? s->stats->work / (double)made : (double)INFINITY;
    double n = fmin(PORTION / each, (double)left / (4.0 * s->def->crew->workers));
    return s->spec->wall_limit > 0.0 || s->agains || !(n > 1.0) ? 1 : n > LIST ? LIST : (size_t)n;
}

static ty_status hand_out(sweep *s, ty_diag *diag)
{
    for (int i = 0; i < s->def->crew->workers; i++) {
        worker *w = &s->worker[i];
        size_t most = portion(s), run;
        while (!w->count || (w->count < most && w->began == 0.0)) {
            if (!next_run(s, &run)) {
                break;
            }
            s->busy[run] = true;
            w->list[w->count++] = run;
            w->began = 0.0;
        }
        if (w->count && w->began == 0.0) {
            w->began = tyi_now();
            w->late = false;
            if (!s->def->crew->start(s->def->crew, i, w->list, w->count)) {
                return ty_fail(diag, TY_ERR_MEMORY, "sweep: a worker cannot be started: %s", strerror(errno));
            }
        }
    }
    return TY_OK;
}

/* ---- what comes back ---- */

static const char *signal_text(int number, char *out, size_t size)
{
    const char *name = sigabbrev_np(number);
    snprintf(out, size, "its process was ended by the signal SIG%s%s", name ? name : "?",
             number == SIGKILL ? " (somebody's kill, or memory that ran out)" : "");
    return out;
}

/* the run that a worker was at when it ended has no row */
static ty_status lost(sweep *s, worker *w, size_t run, int how, ty_diag *diag)
{
    char text[200];
    s->busy[run] = false;
    if (w->late) {
        snprintf(text, sizeof text, "it took longer than wall_limit, %g s", s->spec->wall_limit);
    } else if (WIFSIGNALED(how)) {
        signal_text(WTERMSIG(how), text, sizeof text);
    } else {
        snprintf(text, sizeof text, "its process ended with exit code %d and left no row", WEXITSTATUS(how));
    }
    if (!w->late && s->tries[run] < s->spec->retries) {
        s->tries[run]++;
        s->again[s->agains++] = run;
        return TY_OK;
    }
    ty_status status = tyi_fleet_row_failed(s->def->dir, run, text, tyi_now() - w->began, diag);
    return status == TY_OK ? take(s, run, true, diag) : status;
}

static ty_status back(sweep *s, worker *w, int how, ty_diag *diag)
{
    ty_status status = TY_OK;
    bool first = true;
    for (size_t i = 0; i < w->count && status == TY_OK; i++) {
        size_t run = w->list[i];
        if (has_row(s, run)) {
            s->busy[run] = false;
            status = take(s, run, true, diag);
        } else if (first) {
            first = false;
            status = lost(s, w, run, how, diag);
        } else { /* not its turn yet */
            s->busy[run] = false;
            s->again[s->agains++] = run;
        }
    }
    w->count = 0;
    return status;
}

static bool any_busy(const sweep *s)
{
    bool any = false;
    for (int i = 0; i < s->def->crew->workers; i++) {
        any = any || s->worker[i].count;
    }
    return any;
}

static void end_late(sweep *s)
{
    for (int i = 0; i < s->def->crew->workers && s->spec->wall_limit > 0.0; i++) {
        worker *w = &s->worker[i];
        if (w->count && !w->late && tyi_now() - w->began > s->spec->wall_limit) {
            w->late = true;
            s->def->crew->kill(s->def->crew, i);
        }
    }
}

static void tell(sweep *s)
{
    double now = tyi_now();
    s->stats->seconds = now - s->start;
    if (s->def->progress && now - s->told > 0.2) {
        s->told = now;
        s->def->progress(s->def->user, s->stats);
    }
}

static ty_status loop(sweep *s, ty_diag *diag)
{
    ty_status status = hand_out(s, diag);
    while (status == TY_OK && any_busy(s) && !(s->def->stop && *s->def->stop)) {
        int how = 0, i = s->def->crew->wait(s->def->crew, 0.2, &how);
        if (i >= 0) {
            status = back(s, &s->worker[i], how, diag);
        }
        status = status == TY_OK ? hand_out(s, diag) : status;
        end_late(s);
        if (status == TY_OK && s->helds && tyi_now() - s->written > PERIOD) {
            status = write_held(s, diag);
        }
        tell(s);
    }
    return status;
}

/* those that were under way leave half a folder */
static void clear(const sweep *s)
{
    char path[TYI_FLEET_PATH];
    for (size_t i = 0; i < s->spec->total; i++) {
        if (s->busy[i] && !has_row(s, i)) {
            snprintf(path, sizeof path, "%.*s/runs/%08zu", TY_PATH_MAX - 1, s->def->dir, i);
            tyi_fleet_remove(path);
        }
    }
    for (int k = 0; k < 2 && !s->def->parts; k++) { /* those that hold nothing */
        snprintf(path, sizeof path, "%.*s/%s", TY_PATH_MAX - 1, s->def->dir, k ? "rows" : "runs");
        rmdir(path);
    }
}

static ty_status run(sweep *s, ty_diag *diag)
{
    size_t n = s->spec->total;
    ty_status status = s->def->parts ? TY_OK : tyi_fleet_base_open(s->def->dir, s->spec, &s->base, diag);
    s->state = calloc(n, 1), s->tries = calloc(n, 1), s->busy = calloc(n, sizeof *s->busy),
    s->again = calloc(n, sizeof *s->again);
    s->worker = calloc((size_t)s->def->crew->workers, sizeof *s->worker);
    if (status == TY_OK && !(s->state && s->tries && s->busy && s->again && s->worker)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory for %zu runs", n);
    }
    status = status == TY_OK ? find_done(s, diag) : status;
    s->start = tyi_now();
    status = status == TY_OK ? loop(s, diag) : status;
    s->def->crew->end(s->def->crew);
    ty_status last = write_held(s, diag);
    status = status == TY_OK ? last : status;
    if (s->busy) {
        clear(s);
    }
    if (s->base) {
        last = tyi_fleet_base_export(s->base, diag);
        status = status == TY_OK ? last : status;
    }
    s->stats->seconds = tyi_now() - s->start;
    tyi_fleet_base_close(s->base);
    free(s->state), free(s->tries), free(s->busy), free(s->again), free(s->worker);
    return status;
}

ty_status tyi_fleet_sweep(const tyi_fleet_spec *spec, const tyi_fleet_def *def, tyi_fleet_stats *stats, ty_diag *diag)
{
    *stats = (tyi_fleet_stats){ .total = spec->total, .workers = def->crew->workers };
    ty_status status = tyi_fleet_folder(def->dir, "", diag);
    status = status == TY_OK ? tyi_fleet_folder(def->dir, "rows", diag) : status;
    status = status == TY_OK ? tyi_fleet_folder(def->dir, "runs", diag) : status;
    int locked = status == TY_OK ? lock(def, diag) : -1;
    if (locked < 0) {
        def->crew->end(def->crew);
        return diag ? diag->status : TY_ERR_FILE;
    }
    sweep s = { .spec = spec, .def = def, .stats = stats };
    status = run(&s, diag);
    close(locked);
    return status;
}
