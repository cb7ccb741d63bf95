/* bridge/web/live.c - see tycho/tools/live.h: a run at a pace, with its doors open.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include "foxglove.h"
#include "replay.h"
#include "services.h"
#include "vehicle/driver.h"

#define COOKIE        0x4c495645u
#define DRIVER_PERIOD (TY_SECOND / 50) /* as a run's own drivers */
#define BEHIND        0.25             /* [s] that are caught up with; more is let go */
#define LATE          0.01             /* [s] */
#define TURN          0.02             /* [s] at most, then the caller has its turn */

ty_live_def ty_live_def_default(void)
{
    return (ty_live_def){ .listen = "127.0.0.1", .clients = 8, .speed = 1.0, .overlap = true, .cookie = COOKIE };
}

/* ---- a turn ---- */

/* waits [s], or until a client calls */
static void rest(ty_live *l, double seconds)
{
    if (seconds < 0.002) { /* too short to be called: the scheduler's own grain */
        struct timespec t = { 0, (long)(1e9 * fmax(seconds, 0.0)) };
        nanosleep(&t, NULL);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(1e9 * fmin(seconds, TURN));
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&l->lock);
    if (!atomic_load(&l->called)) {
        pthread_cond_timedwait(&l->wake, &l->lock, &until);
    }
    pthread_mutex_unlock(&l->lock);
}

/* how long to wait for the next step [s]; counts what comes late */
static double ahead(ty_live *l, double now)
{
    if (l->speed <= 0.0 || l->steps_left > 0) {
        return 0.0;
    }
    if (!l->anchored) {
        tyi_live_anchor(l);
    }
    double early = (ty_seconds(ty_run_time(l->run)) - l->anchor) / l->speed - (now - l->origin);
    if (early < -LATE) {
        l->stats.late++;
        l->stats.late_worst = fmax(l->stats.late_worst, -early);
    }
    if (early < -BEHIND) { /* it cannot keep the pace: what is lost is lost */
        tyi_live_anchor(l);
    }
    if (early <= 0.0 && early > -LATE) {
        l->jitter_sum += early * early;
        l->jitter_count++;
    }
    return early;
}

static ty_status step(ty_live *l, ty_diag *diag)
{
    ty_status status = TY_OK;
    ty_time now = ty_run_time(l->run);
    status = tyi_live_replay_changes(l, diag);
    if (status == TY_OK && now % DRIVER_PERIOD < ty_time_from(l->scenario.step)) {
        status = tyi_live_drive(l, diag);
    }
    status = status == TY_OK ? tyi_live_keep(l, diag) : status;
    tyi_hub_step(l);
    if (status == TY_OK) {
        status = l->record ? ty_record_step(l->record, diag) : ty_run_step(l->run, diag);
    }
    l->stats.steps++;
    l->steps_left -= l->steps_left > 0;
    return status;
}

ty_status ty_live_turn(ty_live *l, ty_diag *diag)
{
    double start = tyi_web_now(), now = start;
    ty_status status = TY_OK;
    do {
        if (atomic_load_explicit(&l->called, memory_order_relaxed)) {
            status = tyi_live_take_commands(l, diag);
        }
        status = status == TY_OK && l->hub->services ? tyi_services_turn(l, diag) : status;
        if (status == TY_OK && !l->done && ty_run_done(l->run)) {
            l->done = true;
            status = l->record ? ty_record_step(l->record, diag) : TY_OK; /* the record's own end */
            tyi_live_event(l, "end", "", "its duration is over");
            l->next_state = 0.0;
        }
        tyi_live_look(l, now);
        if (l->seek >= 0 && (ty_run_time(l->run) >= l->seek || l->done)) {
            l->seek = -1;
            l->anchored = false;
        }
        bool still = l->seek < 0 && (l->done || (l->paused && !l->steps_left));
        double early = status != TY_OK || still ? TURN : l->seek >= 0 ? 0.0 : ahead(l, now);
        early = early <= 0.0 && tyi_live_waits(l) ? TURN : early;
        if (early > 0.0) {
            if (status == TY_OK) {
                rest(l, early);
            }
        } else {
            status = step(l, diag);
        }
        now = tyi_web_now();
    } while (status == TY_OK && now - start < TURN && !(l->done && !l->stay));
    return status;
}

bool ty_live_done(const ty_live *l)
{
    return l->done && !l->stay;
}

/* ---- making it ---- */

static ty_status no_memory(ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_MEMORY, "live: no memory");
}

static ty_status check(const ty_live_def *def, ty_diag *diag)
{
    if (def->cookie != COOKIE || !def->scenario) {
        return ty_fail(diag, TY_ERR_DEF,
                       "live: the definition did not start from ty_live_def_default(), or has no scenario");
    }
    if (def->port < 0 || def->port > 65535) {
        return ty_fail(diag, TY_ERR_RANGE, "live: the port is %d, but 1 to 65535 is accepted, or 0 for any", def->port);
    }
    if (def->clients < 1 || def->clients > TYI_WEB_CLIENTS) {
        return ty_fail(diag, TY_ERR_RANGE, "live: clients is %d, but 1 to %d is accepted", def->clients,
                       TYI_WEB_CLIENTS);
    }
    if (!(def->speed >= 0.0 && def->speed <= 1000.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "live: the speed is %g, but 0.001 to 1000 times real time is accepted, or 0 for all that goes",
                       def->speed);
    }
    if (def->replay && (def->record || def->lockstep > 0.0)) {
        return ty_fail(diag, TY_ERR_INPUT, "live: a replay is neither recorded nor driven in lockstep");
    }
    ty_time lockstep = def->lockstep >= 0.0 && def->lockstep <= 10.0 ? ty_time_from(def->lockstep) : -1;
    if (lockstep < 0 || lockstep % DRIVER_PERIOD) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "live: the period of lockstep is %g s, but multiples of 0.02 s up to 10 s are accepted, or 0 for none",
            def->lockstep);
    }
    size_t n = def->token ? strlen(def->token) : 16;
    if (n < 8 || n > 64 ||
        (def->token && strspn(def->token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != n)) {
        return ty_fail(diag, TY_ERR_INPUT, "live: a token is 8 to 64 letters and digits");
    }
    return TY_OK;
}

static ty_status make_token(ty_live *l, const char *given, ty_diag *diag)
{
    uint8_t chance[16];
    if (given) {
        snprintf(l->token, sizeof l->token, "%s", given);
        return TY_OK;
    }
    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance) {
        return ty_fail(diag, TY_ERR_FILE, "live: the system has no random numbers for a token");
    }
    for (size_t i = 0; i < sizeof chance; i++) {
        snprintf(l->token + 2 * i, 3, "%02x", chance[i]);
    }
    return TY_OK;
}

static ty_status make_run(ty_live *l, const ty_live_def *def, ty_diag *diag)
{
    l->scenario = *def->scenario;
    l->rovers = l->scenario.rovers;
    l->rover = calloc(l->rovers + 1, sizeof *l->rover);
    l->pilot = calloc(l->rovers + 1, sizeof *l->pilot);
    if (!l->rover || !l->pilot) {
        return no_memory(diag);
    }
    for (size_t i = 0; i < l->rovers; i++) {
        l->rover[i] = def->scenario->rover[i];
        l->rover[i].driver.kind = TY_DRIVER_EXTERNAL;
    }
    l->scenario.rover = l->rover;
    ty_run_def run = ty_run_def_default();
    run.scenario = &l->scenario;
    run.overlap = def->overlap;
    ty_status status = ty_run_create(&run, &l->run, diag);
    status = status == TY_OK ? tyi_live_make_pilots(l, def->scenario, diag) : status;
    if (status == TY_OK) {
        l->start_utc = ty_world_start(ty_run_world(l->run));
        status = ty_run_save(l->run, &l->start, &l->start_bytes, diag);
    }
    if (status == TY_OK && def->record) {
        status = ty_record_create(l->run, def->record, &l->record, diag);
        status = status == TY_OK ? tyi_live_log_open(l, def->record, diag) : status;
    }
    return status == TY_OK ? ty_run_subscribe(l->run, NULL, NULL, tyi_live_receive, l, diag) : status;
}

static ty_status make_server(ty_live *l, const ty_live_def *def, ty_diag *diag)
{
    tyi_web_server_def server = { .listen = def->listen,
                                  .port = def->port,
                                  .token = l->token,
                                  .origin = def->origin,
                                  .clients = def->clients,
                                  .file = l->file,
                                  .protocol = tyi_fox_protocols,
                                  .opened = tyi_live_opened,
                                  .received = tyi_live_received,
                                  .closed = tyi_live_closed,
                                  .user = l };
    ty_status status = tyi_web_server_start(&server, &l->server, diag);
    if (status == TY_OK) {
        bool v6 = strchr(def->listen, ':') != NULL;
        snprintf(l->address, sizeof l->address, "http://%s%s%s:%d/%s/", v6 ? "[" : "", def->listen, v6 ? "]" : "",
                 tyi_web_server_port(l->server), l->token);
        tyi_web_ground_serve(l->ground, l->server);
        tyi_web_pictures_serve(l->pictures, l->server);
    }
    return status;
}

ty_status ty_live_create(const ty_live_def *def, ty_live **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_live *l = calloc(1, sizeof *l);
    if (!l) {
        return no_memory(diag);
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    l->note = def->note, l->note_user = def->note_user;
    l->speed = def->speed, l->paused = def->paused, l->stay = def->stay || def->replay;
    l->lockstep = ty_time_from(def->lockstep), l->asked = l->seek = -1;
    status = make_token(l, def->token, diag);
    status = status == TY_OK ? make_run(l, def, diag) : status;
    status = status == TY_OK ? tyi_web_ground_start(&l->scenario, &l->ground, diag) : status;
    status = status == TY_OK ? tyi_web_pictures_start(l->run, &l->pictures, diag) : status;
    status = status == TY_OK ? tyi_web_scene_make(l->run, &l->file, diag) : status;
    status = status == TY_OK && def->replay ? tyi_live_replay_start(l, def->replay, diag) : status;
    status = status == TY_OK ? tyi_hub_start(l, def, diag) : status;
    status = status == TY_OK ? make_server(l, def, diag) : status;
    if (status != TY_OK) {
        ty_live_destroy(l);
        return status;
    }
    *out = l;
    return TY_OK;
}

void ty_live_destroy(ty_live *l)
{
    if (!l) {
        return;
    }
    tyi_hub_stop(l);
    tyi_web_ground_stop(l->ground);
    tyi_web_pictures_stop(l->pictures);
    tyi_web_server_stop(l->server, "the run has ended");
    tyi_web_ground_free(l->ground);
    tyi_web_pictures_free(l->pictures);
    ty_record_destroy(l->record);
    for (size_t i = 0; l->pilot && i < l->rovers; i++) {
        tyi_vehicle_driver_destroy(l->pilot[i].own), tyi_vehicle_driver_destroy(l->pilot[i].path);
    }
    tyi_hub_free(l);
    tyi_live_replay_free(l);
    ty_run_destroy(l->run);
    tyi_web_scene_free(l->file);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
    free(l->rover), free(l->pilot), free(l->start), free(l);
}

const char *ty_live_address(const ty_live *l)
{
    return l->address;
}

ty_run *ty_live_run(ty_live *l)
{
    return l->run;
}

ty_record *ty_live_record(ty_live *l)
{
    return l->record;
}

ty_live_stats ty_live_get_stats(ty_live *l)
{
    ty_live_stats s = l->stats;
    tyi_web_stats w = tyi_web_get_stats(l->server);
    s.jitter = l->jitter_count ? sqrt(l->jitter_sum / (double)l->jitter_count) : 0.0;
    s.clients = w.clients, s.clients_seen = w.opened, s.refused = w.refused, s.sent = w.sent, s.dropped = w.dropped;
    if (l->hub->dds) {
        tyb_dds_stats dds = tyb_dds_get_stats(l->hub->dds);
        s.ros_sent = dds.sent, s.ros_dropped = dds.dropped, s.ros_received = dds.received;
    }
    s.page_fps = 1e-3 * atomic_load(&l->drawn), s.page_told = atomic_load(&l->drawn_told);
    s.tiles = tyi_web_ground_tiles(l->ground);
    s.images = tyi_web_pictures_sent(l->pictures);
    return s;
}
