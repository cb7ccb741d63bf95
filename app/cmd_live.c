/* app/cmd_live.c - `tycho live`: a run with its doors open (tycho/tools/live.h); options, signals, what it prints.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "signals.h"
#include "tycho/tools/live.h"

typedef struct options {
    ty_live_def live;
    ty_record_def record;
    const char *scenario;
    const char **set;
    char *text; /* of a replay: the scenario's file, and what was set */
} options;

static void tell(ty_live *live, const ty_scenario *scenario)
{
    ty_live_stats s = ty_live_get_stats(live);
    printf("%s: %.4g s simulated in %llu steps; %llu clients, %llu frames of state, %llu tiles, %llu images\n",
           scenario->name, ty_seconds(ty_run_time(ty_live_run(live))), (unsigned long long)s.steps,
           (unsigned long long)s.clients_seen, (unsigned long long)s.frames, (unsigned long long)s.tiles,
           (unsigned long long)s.images);
    if (s.questions) {
        printf("lockstep: %llu questions, %llu answers came late\n", (unsigned long long)s.questions,
               (unsigned long long)s.late_answers);
    }
    if (s.ros_sent + s.ros_dropped + s.ros_received) {
        printf("ROS: %llu messages sent, %llu dropped, %llu received\n", (unsigned long long)s.ros_sent,
               (unsigned long long)s.ros_dropped, (unsigned long long)s.ros_received);
    }
    printf("pace: %llu of %llu steps were late by more than 10 ms, at most by %.3g ms; jitter of the others %.3g ms\n",
           (unsigned long long)s.late, (unsigned long long)s.steps, 1e3 * s.late_worst, 1e3 * s.jitter);
}

/* what FOLDER/live.txt says of a run that was recorded live: its scenario, and what was set before what is set now */
static bool find_replayed(options *o)
{
    char path[TY_PATH_MAX + 16];
    size_t room = (size_t)1 << 20;
    snprintf(path, sizeof path, "%s/live.txt", o->live.replay);
    FILE *file = fopen(path, "r");
    o->text = file ? calloc(1, room) : NULL;
    size_t n = o->text ? fread(o->text, 1, room - 1, file) : 0, lines = 0;
    if (file) {
        fclose(file);
    }
    for (size_t i = 0; i < n; i++) {
        lines += o->text[i] == '\n';
    }
    const char **set = lines ? calloc(lines + o->record.setting_count + 1, sizeof *set) : NULL;
    size_t count = 0;
    for (char *line = set ? strtok(o->text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        if (!o->scenario) {
            o->scenario = line;
        } else if (line != o->text) {
            set[count++] = line;
        }
    }
    for (size_t i = 0; set && i < o->record.setting_count; i++) {
        set[count++] = o->set[i];
    }
    if (set) {
        free(o->set);
        o->set = set, o->record.setting_count = count;
    }
    return o->scenario != NULL;
}

static void note(void *user, const char *sentence)
{
    (void)user;
    fprintf(stderr, "tycho live: %s.\n", sentence);
}

static int go(options *o)
{
    ty_diag diag = { 0 };
    if (o->live.replay && !find_replayed(o)) {
        return app_bad("live", "%s has no live.txt, which `tycho live -o` writes: name the run's scenario as well.",
                       o->live.replay);
    }
    ty_scenario *scenario = NULL;
    ty_live *live = NULL;
    ty_status status = ty_scenario_load(o->scenario, o->set, o->record.setting_count, &scenario, &diag);
    o->live.scenario = scenario, o->live.note = note;
    o->record.scenario = o->scenario, o->record.settings = o->set;
    status = status == TY_OK ? ty_live_create(&o->live, &live, &diag) : status;
    if (status == TY_OK) {
        app_catch_signals();
        if (strcmp(o->live.listen, "127.0.0.1") != 0 && strcmp(o->live.listen, "::1") != 0) {
            fprintf(
                stderr,
                "tycho live: listens at %s: whoever reaches this machine over the network and knows the address below can watch "
                "and drive, and the way there is not encrypted.\n",
                o->live.listen);
        }
        printf("%s\n", ty_live_address(live));
        fflush(stdout);
        while (status == TY_OK && !ty_live_done(live) && !app_stopped_by) {
            status = ty_live_turn(live, &diag);
        }
        ty_record *record = ty_live_record(live);
        if (record) {
            ty_record_finish(record, &diag);
            printf("%s/report.html\n", ty_record_folder(record));
        }
        tell(live, scenario);
    }
    ty_live_destroy(live);
    ty_scenario_destroy(scenario);
    if (diag.status != TY_OK) {
        return app_bad("live", "%s.", diag.text);
    }
    return app_stopped_by ? 128 + app_stopped_by : APP_OK;
}

/* what options say in numbers, each NULL where it was not given */
static int read_numbers(options *o, const char *port, const char *clients, const char *domain, const char *lockstep,
                        const char *speed)
{
    double number = 0.0;
    int code = APP_OK;
    if (port && (!app_number(port, &number) || number < 1 || number > 65535 || number != (int)number)) {
        code = app_bad("live", "--port is '%s', but a whole number from 1 to 65535 is accepted.", port);
    } else if (port) {
        o->live.port = (int)number;
    }
    if (code == APP_OK && clients &&
        (!app_number(clients, &number) || number < 1 || number > 32 || number != (int)number)) {
        code = app_bad("live", "--clients is '%s', but a whole number from 1 to 32 is accepted.", clients);
    } else if (code == APP_OK && clients) {
        o->live.clients = (int)number;
    }
    if (code == APP_OK && o->live.ros && domain && *domain &&
        (!app_number(domain, &number) || number < 0 || number > 232 || number != (int)number)) {
        code = app_bad(
            "live",
            "the ROS domain (--ros-domain, ROS_DOMAIN_ID) is '%s', but a whole number from 0 to 232 is accepted.",
            domain);
    } else if (code == APP_OK && o->live.ros && domain && *domain) {
        o->live.ros_domain = (int)number;
    }
    if (code == APP_OK && lockstep && !app_number(lockstep, &o->live.lockstep)) {
        code = app_bad("live", "--lockstep is '%s', but a number of seconds is accepted.", lockstep);
    }
    if (code == APP_OK && speed && strcmp(speed, "max") != 0 &&
        (!app_number(speed, &number) || number < 0.001 || number > 1000.0)) {
        code = app_bad("live", "--speed is '%s', but 0.001 to 1000 times real time, or max, is accepted.", speed);
    } else if (code == APP_OK && speed) {
        o->live.speed = strcmp(speed, "max") != 0 ? number : 0.0;
    }
    return code;
}

static int run(int argc, char **argv)
{
    options o = { .live = ty_live_def_default(), .record = ty_record_def_default() };
    const char *set, *port = app_option(&argc, argv, "--port"), *speed = app_option(&argc, argv, "--speed"), *listen,
                     *clients;
    int code = APP_OK;
    listen = app_option(&argc, argv, "--listen");
    clients = app_option(&argc, argv, "--clients");
    o.live.listen = listen ? listen : o.live.listen;
    o.live.token = app_option(&argc, argv, "--token");
    o.live.origin = app_option(&argc, argv, "--origin");
    o.live.paused = app_flag(&argc, argv, "--paused");
    o.live.stay = app_flag(&argc, argv, "--stay");
    o.live.ros_network = app_flag(&argc, argv, "--ros-network");
    o.live.ros_namespace = app_option(&argc, argv, "--ros-namespace");
    const char *domain = app_option(&argc, argv, "--ros-domain");
    o.live.ros = app_flag(&argc, argv, "--ros") || o.live.ros_network || o.live.ros_namespace || domain;
    domain = domain ? domain : getenv("ROS_DOMAIN_ID");
    const char *lockstep = app_option(&argc, argv, "--lockstep");
    o.live.replay = app_option(&argc, argv, "--replay");
    o.record.folder = app_option(&argc, argv, "-o");
    o.live.record = app_flag(&argc, argv, "--record") || o.record.folder ? &o.record : NULL;
    o.record.overview = !app_flag(&argc, argv, "--no-overview");
    o.record.mcap = !app_flag(&argc, argv, "--no-mcap");
    o.set = calloc((size_t)argc + 1, sizeof *o.set);
    while (o.set && (set = app_option(&argc, argv, "--set")) != NULL) {
        o.set[o.record.setting_count++] = set;
    }
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown) {
        code = app_bad("live", "does not know %s, or its value is missing.", unknown);
    } else if (argc != 2 && !(argc == 1 && o.live.replay)) {
        code = app_bad("live", "takes one scenario; `tycho live --help` tells more.");
    }
    code = code == APP_OK ? read_numbers(&o, port, clients, domain, lockstep, speed) : code;
    if (code == APP_OK) {
        o.scenario = argc > 1 ? argv[1] : NULL;
        code = go(&o);
    }
    free(o.set), free(o.text);
    return code;
}

const app_command app_cmd_live = {
    "live",
    "a run to watch and drive in the browser",
    "usage: tycho live SCENARIO [options]\n"
    "       tycho live --replay DIR [SCENARIO] [options]\n\n"
    "Prints one address to open. The page there shows the run in 3-D and drives it: keys, stick, gamepad, waypoints; time, Sun,\n"
    "cameras, plots. It ends with the scenario's duration or Ctrl-C.\n\n"
    "  --set a.b=c     change a key of the scenario\n"
    "  --speed X       X times real time (1), or max: as fast as it can\n"
    "  --paused        wait for the first Run or Step\n"
    "  --stay          go on serving when the duration is over\n"
    "  --port N        this port; default the first free one from 8765 on\n"
    "  --listen ADDR   default 127.0.0.1, this machine alone. Another lets in whoever reaches it and knows the token, without\n"
    "                  encryption: only in a network you trust\n"
    "  --token TEXT    8 to 64 letters and digits instead of random ones\n"
    "  --origin URL    a page from elsewhere that may connect\n"
    "  --clients N     at a time, 1 to 32; default 8\n"
    "  --ros           also ROS 2 topics (docs/live.md), by DDS on this machine alone; --ros-domain N: default ROS_DOMAIN_ID, or 0;\n"
    "                  --ros-namespace NAME; --ros-network: for whoever is in the network, who can then watch and drive\n"
    "  --lockstep S    every S seconds of the run wait for a command of each rover that the scenario gives no driver\n"
    "  --replay DIR    a finished run again, with seek: one that `tycho live -o DIR` wrote, or that of `tycho run` with its SCENARIO\n"
    "  -o DIR          also write all that `tycho run` writes, into DIR; --record: into out/NAME-N. Such a run cannot be reset\n"
    "  --no-overview, --no-mcap  as of `tycho run`\n\n"
    "What clients say and are told: docs/live.md\n\n"
    "example: tycho live scenarios/live_drive.yaml\n",
    run,
};
