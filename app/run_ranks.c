/* app/run_ranks.c - `mpirun -n R tycho run`: one world over ranks. Rank 0 keeps the record and speaks; the others move rovers and make their sensors' messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fleet/fleet.h"
#include "run.h"
#include "signals.h"

/* what one rank has at hand */
typedef struct job {
    tyi_fleet_world *world;
    int rank, ranks;
    ty_scenario *scenario;
    ty_run *run; /* that is shown; NULL: it shows nothing */
    ty_record *record;
    run_progress progress;
    ty_diag diag;
} job;

static bool senses(const ty_scenario *s)
{
    size_t sensors = 0;
    for (size_t i = 0; i < s->rovers; i++) {
        sensors += s->rover[i].sensors;
    }
    for (size_t i = 0; i < s->actors; i++) {
        sensors += s->actor[i].sensors;
    }
    return sensors > 0;
}

/* what this rank does by itself, up to the point from which all have to go on together */
static ty_status prepare(run_options *o, job *j)
{
    ty_status status = ty_scenario_load(o->scenario, o->set, o->record.setting_count, &j->scenario, &j->diag);
    if (status == TY_OK && o->record.checkpoint) {
        status = ty_fail(&j->diag, TY_ERR_INPUT, "--checkpoint is for one process, and there are %d ranks", j->ranks);
    }
    if (status == TY_OK && o->record.realtime) {
        status = ty_fail(&j->diag, TY_ERR_INPUT, "--realtime is for one process, and there are %d ranks", j->ranks);
    }
    status = status == TY_OK ? tyi_fleet_world_check(j->scenario, j->ranks, &j->diag) : status;
    o->run.scenario = j->scenario;
    if (status == TY_OK && (j->rank == 0 || senses(j->scenario))) {
        status = ty_run_create(&o->run, &j->run, &j->diag);
    }
    return status == TY_OK ? tyi_fleet_world_lead(j->world, &o->run, j->run, &j->diag) : status;
}

static ty_status record(run_options *o, job *j)
{
    o->record.progress = (ty_progress){ run_progress_draw, &j->progress };
    o->record.note = run_note;
    o->record.scenario = o->scenario, o->record.settings = o->set;
    return ty_record_create(j->run, &o->record, &j->record, &j->diag);
}

/* rank 0: up to the end of the record */
static void lead(run_options *o, job *j)
{
    ty_status status = TY_OK;
    run_begin(&j->progress, j->record, o->quiet);
    while (status == TY_OK && !ty_record_done(j->record) && !(app_stopped_by && tyi_fleet_world_whole(j->world))) {
        status = tyi_fleet_world_step(j->world, j->record, &j->diag);
        run_progress_step(&j->progress, j->record, j->scenario->duration);
    }
    if (app_stopped_by && !ty_record_done(j->record)) {
        char why[120];
        fprintf(
            stderr,
            "tycho run: %s at %g s: one of its %d ranks died, or mpirun was told to end; what there is is written to %s.\n",
            app_signal_name(app_stopped_by), ty_seconds(ty_run_time(j->run)), j->ranks, ty_record_folder(j->record));
        snprintf(why, sizeof why, "%s stopped it: one of its %d ranks died, or mpirun was told to end",
                 app_signal_name(app_stopped_by), j->ranks);
        j->diag = tyi_fleet_world_stopped(j->world) ? (ty_diag){ 0 } : j->diag;
        ty_record_stop(j->record, why, &j->diag);
    }
    run_progress_end(&j->progress);
    ty_record_finish(j->record, &j->diag);
    run_progress_end(&j->progress);
    run_tell(j->record, j->scenario->name, false);
    if (!o->quiet) {
        printf("%d ranks; rovers changed theirs %zu times\n", j->ranks, tyi_fleet_world_moved(j->world));
    }
}

/* mpirun has a second to live: from now on MPI is not to notice. That the parent is gone, too, is no second signal. */
static void leave(int number)
{
    if (app_stopped_by && number != SIGUSR1) {
        signal(number, SIG_DFL);
        raise(number);
    }
    app_stopped_by = app_stopped_by ? app_stopped_by : number == SIGUSR1 ? SIGTERM : number;
    tyi_fleet_world_leave();
}

static void catch_all(bool first)
{
    static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
    struct sigaction on = { .sa_handler = leave };
    app_catch_signals();
    for (size_t i = 0; i < sizeof all / sizeof *all && first; i++) {
        sigaction(all[i], &on, NULL);
    }
}

static int share_world(run_options *o)
{
    job j = { 0 };
    char folder[TY_PATH_MAX] = "";
    run_progress_start(&j.progress, o->quiet, 0.0);
    ty_status status =
        tyi_fleet_world_open((const volatile int *)&app_stopped_by, &j.world, &j.rank, &j.ranks, &j.diag);
    if (status == TY_OK) {
        catch_all(j.rank == 0);
        prepare(o, &j);
        status = tyi_fleet_world_agree(j.world, folder, sizeof folder, &j.diag);
    }
    if (status == TY_OK && j.rank == 0) {
        record(o, &j);
        snprintf(folder, sizeof folder, "%s", j.record ? ty_record_folder(j.record) : "");
    }
    status = status == TY_OK ? tyi_fleet_world_agree(j.world, folder, sizeof folder, &j.diag) : status;
    if (status == TY_OK && j.rank == 0) {
        lead(o, &j);
    } else if (status == TY_OK) {
        tyi_fleet_world_serve(j.world, folder, &j.diag);
    }
    fflush(stdout);
    int code = j.diag.status != TY_OK ? APP_BAD : app_stopped_by ? 128 + app_stopped_by : APP_OK;
    if (j.diag.status != TY_OK && j.rank == 0 && !tyi_fleet_ranks_other()) {
        app_bad("run", "%s.", j.diag.text);
    }
    tyi_fleet_world_close(j.world);
    ty_record_destroy(j.record);
    ty_run_destroy(j.run);
    ty_scenario_destroy(j.scenario);
    return code;
}

/* ---- rank 0 outlives its job ---- */

static volatile pid_t keeper;

static void pass_on(int number)
{
    if (keeper > 0) {
        kill(keeper, number);
    }
}

/* mpirun kills what it started a second after it asked it to end, which is not enough to write out a record: so the process that it started waits, and a
 * child of it, out of reach, does the work and ends by itself. True: this is the child; else *code is what became of it. */
static bool step_aside(int *code)
{
    static const int passed[] = { SIGINT, SIGTERM, SIGHUP };
    pid_t parent = getpid();
    struct sigaction on = { .sa_handler = pass_on };
    keeper = fork();
    if (keeper == 0) {
        setsid();
        catch_all(true);
        prctl(PR_SET_PDEATHSIG, SIGUSR1);
        signal(SIGPIPE, SIG_IGN); /* nobody may be left to read what it says */
        if (getppid() != parent) {
            leave(SIGUSR1);
        }
        return true;
    }
    for (size_t i = 0; i < sizeof passed / sizeof *passed && keeper > 0; i++) {
        sigaction(passed[i], &on, NULL);
    }
    int how = 0;
    while (keeper > 0 && waitpid(keeper, &how, 0) < 0 && errno == EINTR) {
    }
    *code = keeper < 0       ? app_bad("run", "rank 0 cannot start a process: %s.", strerror(errno))
            : WIFEXITED(how) ? WEXITSTATUS(how)
                             : 128 + WTERMSIG(how);
    return false;
}

int run_hush(void)
{
    int loud = tyi_fleet_ranks_other() ? dup(STDERR_FILENO) : -1,
        nothing = loud >= 0 ? open("/dev/null", O_WRONLY) : -1;
    if (nothing >= 0) {
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        close(nothing);
    }
    return loud;
}

int run_over_ranks(run_options *o, int loud)
{
    int code;
    if (loud >= 0) {
        dup2(loud, STDERR_FILENO);
        close(loud);
    }
    return tyi_fleet_ranks_other() || step_aside(&code) ? share_world(o) : code;
}
