/* Lockstep and replay: the bits of a run do not depend on when its controller answers, and a recorded run that was driven by hand goes its
 * way again, also after seeking back. The client is a plain socket, written from RFC 6455.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "client.h"
#include "sim/cast.h"
#include "tycho/tools/live.h"
#include "tyt.h"

typedef struct rig {
    ty_scenario *scenario;
    ty_live_def def;
    ty_live *live;
    int port;
    double v; /* [m/s] that the controller asks for, more with time */
    bool sleeps;
    atomic_int answers;
} rig;

static void make(rig *r)
{
    const char *root = getenv("TYCHO_SOURCE"),
               *set[] = { "rovers.0.driver={type: external}", "rovers.0.sensors=[]", "duration=100" };
    char path[1000];
    ty_diag diag = { 0 };
    snprintf(path, sizeof path, "%s/scenarios/ex1_startstop.yaml", root ? root : ".");
    cr_assert_eq(ty_scenario_load(path, set, 3, &r->scenario, &diag), TY_OK, "%s", diag.text);
    r->def = ty_live_def_default();
    r->def.scenario = r->scenario, r->def.token = TOKEN, r->def.speed = 0.0;
}

static void start(rig *r)
{
    ty_diag diag = { 0 };
    cr_assert_eq(ty_live_create(&r->def, &r->live, &diag), TY_OK, "%s", diag.text);
    cr_assert_eq(sscanf(ty_live_address(r->live), "http://127.0.0.1:%d/", &r->port), 1);
}

/* answers each question by its time alone; sleeps at random where it is told to */
static void *control(void *user)
{
    rig *r = user;
    int fd = dial(r->port, "");
    static uint8_t body[CLIENT_ROOM];
    uint64_t chance = 1;
    size_t n;
    char go[60];
    snprintf(go, sizeof go, "{\"op\":\"step\",\"n\":%.0f}", 1.0 / r->scenario->step);
    say(fd, go);
    for (int kind; (kind = hear(fd, body, &n)) >= 0;) {
        double t;
        const char *at = strstr((char *)body, "\"t\":");
        if (kind == 1 && strstr((char *)body, "\"op\":\"ask\"") && at && sscanf(at, "\"t\":%lf", &t) == 1) {
            char text[120];
            chance = chance * 6364136223846793005u + 1442695040888963407u;
            struct timespec pause = { 0, (long)(chance >> 40) % 30000000 };
            if (r->sleeps) {
                nanosleep(&pause, NULL);
            }
            snprintf(text, sizeof text, "{\"op\":\"drive\",\"rover\":0,\"v\":%.6f,\"omega\":%.6f}", r->v * (1.0 + t),
                     0.05 * t);
            say(fd, text);
            atomic_fetch_add(&r->answers, 1);
        }
    }
    close(fd);
    return NULL;
}

static ty_vehicle_state state_at(rig *r, double seconds)
{
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    time_t late = time(NULL) + 60;
    while (ty_seconds(ty_run_time(ty_live_run(r->live))) < seconds - 1e-9 && time(NULL) < late) {
        cr_assert_eq(ty_live_turn(r->live, &diag), TY_OK, "%s", diag.text);
    }
    memset(&s, 0, sizeof s);
    ty_vehicle_get(ty_run_rover(ty_live_run(r->live), 0), &s);
    return s;
}

static bool same(const ty_vehicle_state *a, const ty_vehicle_state *b)
{
    return !memcmp(&a->pose, &b->pose, sizeof a->pose) && !memcmp(&a->v_W, &b->v_W, sizeof a->v_W) &&
           a->odometer == b->odometer && a->work_motor == b->work_motor;
}

static ty_vehicle_state stepped(double v, bool sleeps, ty_live_stats *stats)
{
    rig r = { .v = v, .sleeps = sleeps };
    pthread_t thread;
    make(&r);
    r.def.lockstep = 0.1, r.def.paused = true;
    start(&r);
    pthread_create(&thread, NULL, control, &r);
    ty_vehicle_state s = state_at(&r, 1.0);
    *stats = ty_live_get_stats(r.live);
    ty_live_destroy(r.live);
    pthread_join(thread, NULL);
    ty_scenario_destroy(r.scenario);
    return s;
}

TY_TEST(lockstep, a_controller_that_sleeps)
{
    ty_live_stats stats;
    ty_vehicle_state a = stepped(0.05, false, &stats);
    cr_assert(stats.questions >= 10 && stats.questions <= 11, "%llu", (unsigned long long)stats.questions);
    cr_assert(a.odometer > 0.02, "it went %g m", a.odometer);
    ty_vehicle_state b = stepped(0.05, true, &stats), c = stepped(0.051, false, &stats);
    cr_assert(same(&a, &b), "with a controller that sleeps: other bits");
    cr_assert_not(same(&a, &c), "control: other commands");
}

TY_TEST(lockstep, what_is_refused)
{
    rig r = { 0 };
    ty_diag diag = { 0 };
    make(&r);
    r.def.lockstep = 0.03;
    cr_assert_eq(ty_live_create(&r.def, &r.live, &diag), TY_ERR_RANGE);
    r.def.lockstep = 0.1, r.def.replay = ".";
    cr_assert_eq(ty_live_create(&r.def, &r.live, &diag), TY_ERR_INPUT);
    ty_scenario_destroy(r.scenario);
}

/* turns until it is there: a seek goes without a pace */
static ty_vehicle_state sought(rig *r, int fd, double t)
{
    char text[80];
    ty_diag diag = { 0 };
    snprintf(text, sizeof text, "{\"op\":\"seek\",\"t\":%.3f}", t);
    say(fd, text);
    time_t late = time(NULL) + 60;
    while (ty_seconds(ty_run_time(ty_live_run(r->live))) < t - 1e-9 ||
           ty_seconds(ty_run_time(ty_live_run(r->live))) > t + 1e-9) {
        cr_assert(time(NULL) < late, "it did not get to %g s", t);
        cr_assert_eq(ty_live_turn(r->live, &diag), TY_OK, "%s", diag.text);
    }
    ty_vehicle_state s;
    memset(&s, 0, sizeof s);
    ty_vehicle_get(ty_run_rover(ty_live_run(r->live), 0), &s);
    return s;
}

/* so many steps that it is there */
static ty_vehicle_state go_on(rig *r, int fd, double t)
{
    char text[60];
    double left = t - ty_seconds(ty_run_time(ty_live_run(r->live)));
    snprintf(text, sizeof text, "{\"op\":\"step\",\"n\":%.0f}", left / r->scenario->step);
    say(fd, text);
    return state_at(r, t);
}

TY_TEST(lockstep, a_replay_of_what_was_driven_by_hand)
{
    char folder[400], path[600], line[2000];
    snprintf(folder, sizeof folder, "%s/run", tyt_folder());
    rig r = { 0 };
    make(&r);
    ty_record_def record = ty_record_def_default();
    record.scenario = NULL, record.folder = folder, record.overview = record.mcap = false;
    r.def.record = &record, r.def.paused = true;
    start(&r);
    int fd = dial(r.port, "");
    go_on(&r, fd, 0.2);
    say(fd, "{\"op\":\"drive\",\"rover\":0,\"v\":0.06,\"omega\":0.02}");
    say(fd, "{\"op\":\"add\",\"lines\":\"rocks: [{name: s, at: [0.5, 0.15], size: 0.1}]\"}");
    say(fd, "{\"op\":\"add\",\"lines\":\"rocks: [{name: no, at: [0, 0], size: 0.9}]\"}"); /* inside: refused */
    say(fd, "{\"op\":\"remove\",\"name\":\"nobody\"}");
    ty_vehicle_state half = go_on(&r, fd, 1.5);
    say(fd, "{\"op\":\"remove\",\"name\":\"s\"}");
    say(fd, "{\"op\":\"path\",\"rover\":0,\"points\":[[1,1]],\"speed\":0.05}");
    ty_vehicle_state end = go_on(&r, fd, 3.0);
    cr_assert(end.odometer > 0.05, "it went %g m", end.odometer);
    cr_assert_eq(tyi_sim_cast_count(ty_live_run(r.live)), 2);
    ty_live_destroy(r.live);
    close(fd);
    r.def.record = NULL, r.def.replay = folder, r.def.paused = true;
    start(&r);
    fd = dial(r.port, "");
    ty_vehicle_state a = sought(&r, fd, 3.0), b = sought(&r, fd, 1.5), c = sought(&r, fd, 2.3), d = sought(&r, fd, 3.0);
    cr_assert(same(&a, &end), "the end is another: %.17g %.17g m", a.odometer, end.odometer);
    cr_assert(same(&b, &half) && same(&d, &end), "after seeking back it is another");
    cr_assert_not(same(&c, &half), "control: another time");
    cr_assert_eq(tyi_sim_cast_count(ty_live_run(r.live)), 2);
    sought(&r, fd, 1.0);
    cr_assert_eq(tyi_sim_cast_count(ty_live_run(r.live)), 1);
    ty_live_destroy(r.live);
    close(fd);
    /* control: one line less */
    snprintf(path, sizeof path, "%s/commands.csv", folder);
    FILE *file = fopen(path, "r+");
    cr_assert(fgets(line, sizeof line, file) && fgets(line, sizeof line, file) && fgets(line, sizeof line, file));
    cr_assert_eq(ftruncate(fileno(file), ftell(file)), 0);
    fclose(file);
    start(&r);
    fd = dial(r.port, "");
    a = sought(&r, fd, 3.0);
    cr_assert_not(same(&a, &end), "control: without its commands it went the same way");
    ty_live_destroy(r.live);
    close(fd);
    ty_scenario_destroy(r.scenario);
}
