/* app/cmd_run.c - `tycho run`: a scenario into a folder of frames, telemetry and a report.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "bench.h"
#include "run.h"

#define MAX_SETTINGS 64

typedef struct run_job {
    run_record record;
    run_start start;
    run_mcap *mcap;
    ty_time next_row;
    ty_scenario *scenario;
    ty_run *run;
    char folder[4096], command[1024];
    bool quiet, overview;
    const char *picture; /* where the overview goes; NULL: overview.png in the folder */
    run_progress progress;
} run_job;

/* out/NAME-1, -2, ...: the first that is not there yet */
static ty_status make_folder(run_job *job, const char *asked, ty_diag *diag)
{
    if (asked) {
        snprintf(job->folder, sizeof job->folder, "%s", asked);
        if (mkdir(job->folder, 0777)) {
            return ty_fail(diag, TY_ERR_FILE, "%s cannot be made: %s; a run starts in a new folder", asked,
                           strerror(errno));
        }
    } else {
        int n = 0;
        mkdir("out", 0777);
        do {
            snprintf(job->folder, sizeof job->folder, "out/%s-%d", job->scenario->name, ++n);
        } while (mkdir(job->folder, 0777) && errno == EEXIST && n < 100000);
    }
    char frames[4200];
    snprintf(frames, sizeof frames, "%s/frames", job->folder);
    if (mkdir(frames, 0777)) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be made: %s", frames, strerror(errno));
    }
    job->record.folder = job->folder;
    return TY_OK;
}

/* rows and checkpoints that are due */
static ty_status keep(run_job *job, ty_time now, ty_time *next_save, ty_time resumed, ty_diag *diag)
{
    ty_status status = TY_OK;
    double start = bench_now();
    if (job->start.every && now >= *next_save) {
        *next_save = (now / job->start.every + 1) * job->start.every;
        if (now == 0 || now > resumed) { /* not again what the run has just been resumed from */
            status = run_checkpoint_write(&job->start, &job->record, job->run, job->mcap, job->next_row, diag);
        }
    }
    double saved = bench_now();
    if (status == TY_OK && ty_run_rovers(job->run)) {
        status = run_events_step(&job->record.events, job->run, diag);
    }
    double looked = bench_now();
    if (status == TY_OK && now >= job->next_row && ty_run_rovers(job->run)) {
        status = run_record_row(&job->record, job->run, diag);
        if (job->mcap) {
            run_mcap_row(job->mcap);
        }
        job->next_row += ty_time_from(job->scenario->telemetry);
    }
    job->record.wall_events += looked - saved;
    job->record.wall_write += saved - start + bench_now() - looked;
    return status;
}

static ty_status simulate(run_job *job, ty_diag *diag)
{
    ty_time next_save = 0, resumed = ty_run_time(job->run);
    ty_status status = TY_OK;
    while (status == TY_OK) {
        ty_time now = ty_run_time(job->run);
        status = keep(job, now, &next_save, resumed, diag);
        if (status != TY_OK || ty_run_done(job->run)) {
            job->record.ended = "its duration was over";
            break;
        }
        if (ty_run_rovers(job->run) && !ty_run_driving(job->run) &&
            job->scenario->rover[0].driver.kind == TY_DRIVER_WAYPOINTS) {
            job->record.ended = "the last waypoint was reached";
            break;
        }
        status = ty_run_step(job->run, diag);
        const ty_diag *late =
            job->mcap && job->record.diag.status == TY_OK ? run_mcap_diag(job->mcap) : &job->record.diag;
        if (status == TY_OK && late->status != TY_OK) {
            status = ty_fail(diag, late->status, "%s", late->text);
        }
        run_pace_step(&job->record.pace, ty_seconds(ty_run_time(job->run)));
        run_progress_step(&job->progress, job->run, &job->record, ty_seconds(now), job->scenario->duration);
    }
    job->record.simulated = ty_seconds(ty_run_time(job->run));
    return status;
}

/* What there is is written also when the run could not go on: its outputs stay readable. */
static void finish(run_job *job, ty_diag *diag)
{
    if (diag->status != TY_OK) {
        job->record.ended = "it could not go on";
    }
    ty_diag late = { 0 };
    ty_run_stats stats = ty_run_get_stats(job->run);
    job->record.wall_render = stats.work_s;
    job->record.wall_wait = stats.wait_s;
    if (ty_run_rovers(job->run)) {
        if (job->overview) {
            run_overview(&job->record, job->run, job->picture, &late);
        }
        run_ground(&job->record, job->run, &late);
        run_events_write(&job->record, job->run, &late);
    }
    if (job->start.video) {
        run_video(&job->record, job->run);
    }
    run_draw(&job->record, job->run, &late);
    run_samples_draw(&job->record, job->run, &late);
    run_mcap_close(job->mcap, &late);
    run_summary(&job->record, job->run, &late);
    run_report(&job->record, job->run, &late);
    if (diag->status == TY_OK && late.status != TY_OK) {
        *diag = late;
    }
    if (diag->status == TY_OK) {
        run_checkpoint_remove(job->folder); /* there is nothing to go on with */
    }
    printf("%s: %.4g s simulated in %.3g s (%.3g s of frames beside it, waited %.3g s; %zu messages), %s\n",
           job->scenario->name, job->record.simulated, job->record.wall, job->record.wall_render, job->record.wall_wait,
           job->record.messages, job->record.ended);
    const run_pace *p = &job->record.pace;
    if (p->on) {
        printf("real time: %zu of %zu steps were late by more than %g ms, in %zu stretches, at most by %.3g ms\n",
               p->late, p->steps, 1e3 * p->slack, p->episodes, 1e3 * p->worst);
    }
    printf("%s/report.html\n", job->folder);
}

/* the settings of a run, one per line in job->start, as a list */
static size_t list_settings(run_job *job, char *room, const char *list[MAX_SETTINGS])
{
    size_t count = 0;
    snprintf(room, sizeof job->start.settings, "%s", job->start.settings);
    for (char *at = room, *end; *at && count < MAX_SETTINGS; at = end) {
        end = at + strcspn(at, "\n");
        end += *end ? (*end = '\0', 1) : 0;
        list[count++] = at;
    }
    return count;
}

static ty_status make_run(run_job *job, bool serial, ty_diag *diag)
{
    const char *list[MAX_SETTINGS];
    char room[sizeof job->start.settings];
    size_t count = list_settings(job, room, list),
           n = (size_t)snprintf(job->command, sizeof job->command, "tycho run %.500s", job->start.scenario);
    for (size_t i = 0; i < count && n < sizeof job->command; i++) {
        n += (size_t)snprintf(job->command + n, sizeof job->command - n, " --set %s", list[i]);
    }
    job->record.command = job->command;
    ty_status status = ty_scenario_load(job->start.scenario, list, count, &job->scenario, diag);
    if (status == TY_OK) {
        job->record.scenario = job->scenario;
        ty_run_def def = ty_run_def_default();
        def.scenario = job->scenario;
        def.overlap = !serial;
        def.folder = job->folder; /* made, and named, once the run is known to be good */
        status = ty_run_create(&def, &job->run, diag);
        job->record.sensors = status == TY_OK ? ty_run_sensors(job->run) : 0;
    }
    return status;
}

static ty_status make_outputs(run_job *job, const char *asked, ty_diag *diag)
{
    char path[4200];
    ty_status status = make_folder(job, asked, diag);
    snprintf(path, sizeof path, "%s/run.mcap", job->folder);
    return status == TY_OK && job->start.mcap ? run_mcap_create(path, job->run, job->scenario, &job->mcap, diag)
                                              : status;
}

static void go(run_job *job, ty_diag *diag)
{
    double start = bench_now();
    run_files files = { &job->record, job->run };
    ty_run_subscribe(job->run, NULL, NULL, run_files_receive, &files, diag);
    if (job->mcap) {
        ty_run_subscribe(job->run, NULL, NULL, run_mcap_receive, job->mcap, diag);
    }
    run_progress_start(&job->progress, job->quiet, ty_seconds(ty_run_time(job->run)));
    simulate(job, diag);
    run_progress_end(&job->progress);
    job->record.wall = bench_now() - start;
    finish(job, diag);
}

/* "30s", "500ms", "2min" or plain seconds; 0: not one of these */
static int64_t span(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    double unit = !*end || !strcmp(end, "s") ? 1.0 : !strcmp(end, "ms") ? 1e-3 : !strcmp(end, "min") ? 60.0 : 0.0;
    return end != text && value * unit >= 1e-3 && value * unit <= 1e7 ? ty_time_from(value * unit) : 0;
}

static int run(int argc, char **argv)
{
    run_job job = { .record.ended = "it did not start" };
    ty_diag diag = { 0 };
    const char *set, *asked = app_option(&argc, argv, "-o"), *every = app_option(&argc, argv, "--checkpoint"),
                     *resume = app_option(&argc, argv, "--resume");
    job.picture = app_option(&argc, argv, "--overview");
    job.quiet = app_flag(&argc, argv, "--quiet");
    job.record.pace = (run_pace){ .on = app_flag(&argc, argv, "--realtime"), .slack = 0.01 };
    bool serial = app_flag(&argc, argv, "--serial");
    job.overview = !app_flag(&argc, argv, "--no-overview");
    job.start.mcap = !app_flag(&argc, argv, "--no-mcap");
    job.start.video = app_flag(&argc, argv, "--video");
    size_t used = 0;
    while ((set = app_option(&argc, argv, "--set")) != NULL && used < sizeof job.start.settings) {
        used += (size_t)snprintf(job.start.settings + used, sizeof job.start.settings - used, "%s\n", set);
    }
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown || argc != (resume ? 1 : 2) || (resume && (asked || every || used)) ||
        used >= sizeof job.start.settings) {
        return app_bad("run",
                       unknown  ? "does not know %s, or its value is missing."
                       : resume ? "--resume takes the folder of a run, and nothing else but how to show it."
                       : used >= sizeof job.start.settings ? "takes fewer settings."
                                                           : "takes one scenario; `tycho run --help` tells more.",
                       unknown);
    }
    if (every && !(job.start.every = span(every))) {
        return app_bad("run", "--checkpoint is '%s', but a time of 1 ms or more is accepted: 30s, 500ms, 2min.", every);
    }
    ty_cdr checkpoint = { 0 };
    ty_status status = TY_OK;
    if (resume) {
        snprintf(job.folder, sizeof job.folder, "%s", resume);
        job.record.folder = job.folder;
        bool video = job.start.video;
        status = run_checkpoint_read(resume, &job.start, &checkpoint, &diag);
        job.start.video = job.start.video || video;
    } else {
        snprintf(job.start.scenario, sizeof job.start.scenario, "%s", argv[1]);
    }
    if (status == TY_OK) {
        status = make_run(&job, serial, &diag);
    }
    if (status == TY_OK) {
        status = resume ? run_checkpoint_resume(&checkpoint, &job.record, job.run, &job.mcap, &job.next_row, &diag)
                        : make_outputs(&job, asked, &diag);
    }
    ty_cdr_free(&checkpoint);
    if (status == TY_OK) {
        go(&job, &diag);
    }
    run_record_free(&job.record);
    ty_run_destroy(job.run);
    ty_scenario_destroy(job.scenario);
    return diag.status == TY_OK ? APP_OK : app_bad("run", "%s.", diag.text);
}

const app_command app_cmd_run = {
    "run",
    "simulate a scenario into a folder with frames, telemetry and a report",
    "usage: tycho run SCENARIO [options]\n"
    "       tycho run --resume DIR\n\n"
    "  -o DIR          the folder to make; default out/NAME-N, N the first that is free\n"
    "  --set a.b=c     change a key of the scenario\n"
    "  --realtime      not faster than the wall clock; says how often it came late\n"
    "  --serial        make frames between steps instead of beside them; the result is the same\n"
    "  --checkpoint T  keep the whole state every T of simulated time (30s, 2min); after a crash --resume goes on from it,\n"
    "                  to the same bytes as a run that was not interrupted\n"
    "  --resume DIR    go on with the run in DIR\n"
    "  --no-mcap       no run.mcap, the recording as ROS 2 messages that Foxglove and PlotJuggler open\n"
    "  --video         an MP4 file of each camera in video/, by the ffmpeg program\n"
    "  --no-overview   no picture of the rover at the end\n"
    "  --overview FILE where that picture goes, instead of overview.png in the folder\n"
    "  --quiet         no progress line\n\n"
    "Writes frames/, clouds/, samples/, telemetry.csv, events.csv, run.mcap, the ground that ruts changed before and after it\n"
    "(terrain_before.tif, terrain_after.tif), plots.png, map.png, overview.png, summary.json and report.html, a page that\n"
    "holds all pictures and the command to repeat the run.\n\n"
    "example: tycho run scenarios/viper_traverse.yaml --set rovers.0.driver.speed=0.1\n",
    run,
};
