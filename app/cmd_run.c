/* app/cmd_run.c - `tycho run`: a scenario into a folder (tycho/record.h); options, progress, signals, exit codes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fleet/fleet.h"
#include "run.h"
#include "signals.h"

/* ---- the run ---- */

void run_note(void *user, const char *sentence)
{
    (void)user;
    fprintf(stderr, "tycho run: %s\n", sentence);
}

void run_tell(ty_record *record, const char *name, bool realtime)
{
    ty_record_stats s = ty_record_get_stats(record);
    ty_run_stats r = ty_run_get_stats(ty_record_run(record));
    printf("%s: %.4g s simulated in %.3g s (%.3g s of frames beside it, waited %.3g s; %zu messages), %s\n", name,
           s.simulated, s.wall, r.work_s, r.wait_s, s.messages, s.ended);
    if (r.device && !r.host) {
        printf("frames by %s\n", r.device);
    } else if (r.host) {
        fprintf(stderr, "tycho run: the host made frames that a device was asked for: %s.\n", r.host);
    }
    if (r.coarser) {
        fprintf(stderr, "tycho run: %s.\n", r.coarser);
    }
    if (realtime) {
        printf("real time: %zu of %zu steps were late by more than %g ms, in %zu stretches, at most by %.3g ms\n",
               s.late, s.steps, 1e3 * s.slack, s.late_stretches, 1e3 * s.late_worst);
    }
    printf("%s/report.html\n", ty_record_folder(record));
    if (app_stopped_by && s.resumable) {
        printf("to go on: tycho run --resume '%s'\n", ty_record_folder(record));
    }
}

static ty_status simulate(ty_record *record, run_progress *progress, ty_diag *diag)
{
    const ty_scenario *scenario = ty_run_scenario(ty_record_run(record));
    ty_status status = TY_OK;
    while (status == TY_OK && !ty_record_done(record) && !app_stopped_by) {
        status = ty_record_step(record, diag);
        run_progress_step(progress, record, scenario->duration);
    }
    if (status == TY_OK && app_stopped_by && !ty_record_done(record)) {
        char why[60];
        snprintf(why, sizeof why, "%s stopped it", app_signal_name(app_stopped_by));
        status = ty_record_stop(record, why, diag);
    }
    run_progress_end(progress);
    return status;
}

void run_begin(run_progress *progress, ty_record *record, bool quiet)
{
    const ty_scenario *s = ty_run_scenario(ty_record_run(record));
    run_progress_start(progress, quiet, ty_seconds(ty_run_time(ty_record_run(record))));
    if (!quiet) {
        printf("%s: %s for %g s\n", s->name, ty_run_get_stats(ty_record_run(record)).need, s->duration);
        fflush(stdout);
    }
}

static int go(run_options *o)
{
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    ty_record *record = NULL;
    run_progress progress;
    run_progress_start(&progress, o->quiet, 0.0);
    o->record.progress = (ty_progress){ run_progress_draw, &progress };
    o->record.note = run_note;
    o->record.scenario = o->scenario, o->record.settings = o->set;
    ty_status status;
    if (o->resume) {
        app_catch_signals();
        status = ty_record_resume(o->resume, &o->record, &record, &diag);
    } else {
        status = ty_scenario_load(o->scenario, o->set, o->record.setting_count, &scenario, &diag);
        o->run.scenario = scenario;
        status = status == TY_OK ? ty_run_create(&o->run, &run, &diag) : status;
        app_catch_signals(); /* from here on there is a folder, which is to be whole */
        status = status == TY_OK ? ty_record_create(run, &o->record, &record, &diag) : status;
    }
    if (status == TY_OK) {
        run_begin(&progress, record, o->quiet);
        simulate(record, &progress, &diag);
        ty_record_finish(record, &diag);
        run_progress_end(&progress);
        run_tell(record, ty_run_scenario(ty_record_run(record))->name, o->record.realtime);
    }
    ty_record_destroy(record);
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    if (diag.status != TY_OK) {
        return app_bad("run", "%s.", diag.text);
    }
    return app_stopped_by ? 128 + app_stopped_by : APP_OK;
}

/* "30s", "500ms", "2min" or plain seconds; 0: not one of these */
static ty_time span(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    double unit = !*end || !strcmp(end, "s") ? 1.0 : !strcmp(end, "ms") ? 1e-3 : !strcmp(end, "min") ? 60.0 : 0.0;
    return end != text && value * unit >= 1e-3 && value * unit <= 1e7 ? ty_time_from(value * unit) : 0;
}

static int run(int argc, char **argv)
{
    run_options o = { .record = ty_record_def_default(), .run = ty_run_def_default() };
    const char *set, *every = app_option(&argc, argv, "--checkpoint");
    o.record.folder = app_option(&argc, argv, "-o");
    o.resume = app_option(&argc, argv, "--resume");
    o.record.overview_path = app_option(&argc, argv, "--overview");
    const char *width = app_option(&argc, argv, "--overview-width");
    double pixels = o.record.overview_width;
    o.quiet = app_flag(&argc, argv, "--quiet");
    o.record.realtime = app_flag(&argc, argv, "--realtime");
    o.record.overlap = o.run.overlap = !app_flag(&argc, argv, "--serial");
    o.record.overview = !app_flag(&argc, argv, "--no-overview");
    o.record.mcap = !app_flag(&argc, argv, "--no-mcap");
    o.record.video = app_flag(&argc, argv, "--video");
    const char *memory = app_option(&argc, argv, "--memory");
    double gib = 0.0;
    o.set = calloc((size_t)argc + 1, sizeof *o.set);
    while (o.set && (set = app_option(&argc, argv, "--set")) != NULL) {
        o.set[o.record.setting_count++] = set;
    }
    char place[3][300];
    static const char *const places[] = { "backend", "device", "device-memory" }, *const keys[] = { "backend", "device",
                                                                                                    "device_memory" };
    for (int i = 0; o.set && i < 3; i++) { /* as keys of the scenario, which they are */
        char name[24];
        snprintf(name, sizeof name, "--%s", places[i]);
        if ((set = app_option(&argc, argv, name)) != NULL) {
            snprintf(place[i], sizeof place[i], "%s=%s", keys[i], set);
            o.set[o.record.setting_count++] = place[i];
        }
    }
    const char *unknown = app_unknown_option(argc, argv);
    int code;
    int loud = run_hush();
    if (unknown) {
        code = app_bad("run", "does not know %s, or its value is missing.", unknown);
    } else if (o.resume && tyi_fleet_ranks_wanted()) {
        code = app_bad("run", "--resume is for one process: leave mpirun away.");
    } else if (o.resume && (argc != 1 || o.record.folder || every || o.record.setting_count)) {
        code = app_bad("run", "--resume takes the folder of a run, and nothing else but how to show it.");
    } else if (!o.resume && argc != 2) {
        code = app_bad("run", "takes one scenario; `tycho run --help` tells more.");
    } else if (width && !(app_number(width, &pixels) && pixels >= 64.0 && pixels <= 4096.0)) {
        code = app_bad("run", "--overview-width is '%s', but a number of pixels from 64 to 4096 is accepted.", width);
    } else if (memory && (!app_number(memory, &gib) || !(gib > 0.0 && gib <= 1e6))) {
        code = app_bad("run", "--memory is '%s', but a number of GiB from 0 to 1e6 is accepted.", memory);
    } else if (every && !(o.record.checkpoint = span(every))) {
        code = app_bad("run", "--checkpoint is '%s', but a time of 1 ms or more is accepted: 30s, 500ms, 2min.", every);
    } else {
        o.scenario = argv[1];
        o.record.overview_width = (int)pixels;
        o.run.memory = gib * 1073741824.0;
        code = tyi_fleet_ranks_wanted() ? run_over_ranks(&o, loud) : go(&o);
    }
    free(o.set);
    return code;
}

const app_command app_cmd_run = {
    "run",
    "simulate a scenario into a folder with frames, telemetry and a report",
    "usage: tycho run SCENARIO [options]\n"
    "       tycho run --resume DIR\n"
    "       mpirun -n R tycho run SCENARIO [options]\n\n"
    "  -o DIR          the folder to make; default out/NAME-N, N the first that is free\n"
    "  --set a.b=c     change a key of the scenario\n"
    "  --backend B     where cameras and lidars are computed: cpu (default), opencl: on a device, auto: on one where there is one and\n"
    "                  as long as it works; --device NAME: which, by part of its name; --device A,B: several, which\n"
    "                  share the sensors; --device-memory MIB: how much of its memory buffers of each may use\n"
    "  --realtime      not faster than the wall clock; says how often it came late\n"
    "  --serial        make frames between steps instead of beside them; the result is the same\n"
    "  --checkpoint T  keep the whole state every T of simulated time (30s, 2min); after a crash --resume goes on from it,\n"
    "                  to the same bytes as a run that was not interrupted\n"
    "  --resume DIR    go on with the run in DIR: one that Ctrl-C or SIGTERM stopped, or one with --checkpoint\n"
    "  --no-mcap       no run.mcap, the recording as ROS 2 messages that Foxglove and PlotJuggler open\n"
    "  --video         an MP4 file of each camera in video/, by the ffmpeg program\n"
    "  --memory GIB    what its sensors may take; default: what is free now. More is refused before the run starts\n"
    "  --no-overview   no picture of the rover at the end\n"
    "  --overview FILE where that picture goes, instead of overview.png in the folder\n"
    "  --overview-width N  its width in pixels instead of 1200\n"
    "  --quiet         no progress line\n\n"
    "Writes frames/, clouds/, samples/, telemetry.csv, events.csv, run.mcap, the ground that ruts changed before and after it\n"
    "(terrain_before.tif, terrain_after.tif), plots.png, map.png, overview.png, summary.json, timing.json and report.html, a\n"
    "page that holds all pictures and the command to repeat the run. With several rovers what is of one stands in a folder\n"
    "of its name. Ranks of mpirun share the rovers of one world: the same files, for rovers that do not touch to the bit, see\n"
    "docs/scale.md. A run that is stopped writes all of it, too, and a second Ctrl-C ends it at once.\n\n"
    "example: tycho run scenarios/viper_traverse.yaml --set rovers.0.driver.speed=0.1\n",
    run,
};
