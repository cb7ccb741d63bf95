/* What comes and goes in a run: ty_run_add(), ty_run_remove().
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "body/world.h"
#include "sim/run.h"
#include "support.h"
#include "tycho/record.h"
#include "tycho/render.h"
#include "vehicle/vehicle.h"
#include "vehicle/inner.h"

/* alpha on level ground; bravo, which waits */
typedef struct stage {
    ty_scenario scenario;
    ty_scenario_rover rover[2];
    ty_run *run;
} stage;

static stage *stage_make(int rovers)
{
    stage *p = calloc(1, sizeof *p);
    const char *root = getenv("TYCHO_SOURCE");
    p->scenario = ty_scenario_default();
    snprintf(p->scenario.name, sizeof p->scenario.name, "cast");
    snprintf(p->scenario.start_utc, sizeof p->scenario.start_utc, "2026-12-01T12:00:00");
    p->scenario.terrain.extent = 400.0;
    p->scenario.terrain.relief.rms_slope_deg = 0.0;
    p->scenario.terrain.crater.on = p->scenario.terrain.rock.on = false;
    p->scenario.duration = 1000.0;
    for (int i = 0; i < 2; i++) {
        p->rover[i] = (ty_scenario_rover){
            .vehicle = ty_vehicle_def_default(), .soil.model = TY_SOIL_BEKKER, .soil.spacing = 0.02, .waits = i == 1
        };
        snprintf(p->rover[i].name, sizeof p->rover[i].name, "%s", i ? "bravo" : "alpha");
        snprintf(p->rover[i].model, sizeof p->rover[i].model, "%s/models/rovers/viper.yaml", root ? root : ".");
        p->rover[i].driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
    }
    p->scenario.rover = p->rover;
    p->scenario.rovers = (size_t)rovers;
    ty_diag diag = { 0 };
    ty_run_def def = ty_run_def_default();
    def.scenario = &p->scenario;
    def.threads = 1, def.detail = 256;
    cr_assert(ty_run_create(&def, &p->run, &diag) == TY_OK, "%s", diag.text);
    return p;
}

static void stage_free(stage *p)
{
    ty_run_destroy(p->run);
    free(p);
}

static void steps(stage *p, double until)
{
    ty_diag diag = { 0 };
    while (ty_run_time(p->run) < ty_time_from(until)) {
        cr_assert(ty_run_step(p->run, &diag) == TY_OK, "%s", diag.text);
    }
}

static void add(stage *p, const char *lines)
{
    ty_diag diag = { 0 };
    cr_assert(ty_run_add(p->run, lines, &diag) == TY_OK, "%s: %s", lines, diag.text);
}

/* refused, with all of these words */
static void refuse(stage *p, const char *lines, const char *a, const char *b)
{
    ty_diag diag = { 0 };
    ty_status status = ty_run_add(p->run, lines, &diag);
    cr_expect(status != TY_OK && strstr(diag.text, a) && strstr(diag.text, b), "%s: %d %s", lines, (int)status,
              diag.text);
}

static ty_vehicle_state state_of(stage *p, size_t rover)
{
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(p->run, rover), &s);
    return s;
}

static bool same(stage *a, stage *b, size_t rover)
{
    ty_vehicle_state s = state_of(a, rover), t = state_of(b, rover);
    return !memcmp(&s.pose, &t.pose, sizeof s.pose) && !memcmp(&s.v_W, &t.v_W, sizeof s.v_W) &&
           !memcmp(&s.omega_B, &t.omega_B, sizeof s.omega_B) && s.wheel[0].torque == t.wheel[0].torque;
}

static bool touches(const stage *p, int rover, const char *name)
{
    const tyi_body_touch *t;
    int n = tyi_body_world_touches(tyi_sim_bodies_world(p->run), &t);
    for (int i = 0; i < n; i++) {
        if (t[i].rover == rover && strstr(t[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* one added in the middle of a run leaves the others' bits; control: one that is put in the way does not, once they touch */
TY_TEST(cast, others_keep_their_bits)
{
    stage *alone = stage_make(1), *far = stage_make(2), *near = stage_make(2);
    double apart = 0.0;
    steps(alone, 0.537), steps(far, 0.537), steps(near, 0.537);
    TY_CHECK(same(alone, far, 0));
    add(far, "rovers: [{name: bravo, x: 50, y: 3, yaw_deg: 30}]");
    add(near, "rovers: [{name: bravo, x: 2.5, y: 0, yaw_deg: 180}]");
    add(far, "objects: [{type: sphere, name: ball, radius: 0.5, position: [-20, 0, 0.5]}]");
    add(far, "rocks: [{name: stone, at: [-20, 5], size: 0.8}]");
    for (double t = 1.0; t < 8.0; t += 1.0) {
        steps(alone, t), steps(far, t), steps(near, t);
        TY_CHECK(same(alone, far, 0));
        apart = fmax(apart, fabs(state_of(alone, 0).pose.p.x - state_of(near, 0).pose.p.x));
    }
    TY_CHECK(touches(near, 0, "bravo") && !touches(far, 0, "bravo"));
    TY_CHECK(!same(alone, near, 0));
    TY_CHECK(apart > 0.05);
    TY_CHECK(ty_norm(state_of(far, 1).v_W) > 0.1); /* it drives, as its driver says */
    stage_free(alone), stage_free(far), stage_free(near);
}

/* what is refused names both, and leaves all as it was */
TY_TEST(cast, refusals)
{
    stage *p = stage_make(2), *plain = stage_make(2);
    ty_diag diag = { 0 };
    add(p, "objects: [{type: sphere, name: wall, radius: 1, position: [2.2, 0, 1]}]"); /* near: a group of its own */
    add(plain, "objects: [{type: sphere, name: wall, radius: 1, position: [2.2, 0, 1]}]");
    steps(p, 0.35), steps(plain, 0.35);
    refuse(p, "rovers: [{name: bravo, x: -0.8, y: 0.2}]", "bravo", "alpha");
    refuse(p, "rovers: [{name: bravo, x: 2.2, y: 0.0}]", "bravo", "wall");
    refuse(p, "objects: [{type: sphere, name: ball, radius: 0.4, position: [0, 0, 0.9]}]", "ball", "alpha");
    refuse(p, "rocks: [{name: stone, at: [0, 0], size: 1.5}]", "stone", "alpha");
    refuse(p, "rocks: [{name: good, at: [0, 9], size: 0.5}, {name: bad, at: [0, 0], size: 1.5}]", "bad", "alpha");
    refuse(p, "rovers: [{name: charlie, x: 9}]", "charlie", "waits");
    refuse(p, "rovers: [{name: alpha, x: 9}]", "alpha", "waits");
    refuse(p, "rocks: [{name: wall, at: [9, 9], size: 0.5}]", "wall", "of that name");
    refuse(p, "rocks: [{name: alpha, at: [9, 9], size: 0.5}]", "alpha", "of that name");
    refuse(p, "rocks: [{name: a, at: [9, 9], size: 0.5}, {name: a, at: [5, 9], size: 0.5}]", "rocks.1.name", "rocks.0");
    refuse(p, "rocks: [{at: [9, 9], size: 0}]", "size", "0.02");
    refuse(p, "rocks: [{at: [9, 900], size: 1}]", "900", "extent");
    refuse(p, "lights: []", "lights", "objects");
    refuse(p, "{}", "0 objects", "accepted");
    refuse(p, "rocks: [", "what is added", ":");
    refuse(p, "objects: [{type: mesh, name: m, file: /nowhere.obj}]", "/nowhere.obj", "file");
    TY_CHECK(ty_run_remove(p->run, "nobody", &diag) != TY_OK && strstr(diag.text, "nobody"));
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_remove(p->run, "rock 77", &diag) != TY_OK && strstr(diag.text, "77"));
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_remove(p->run, "bravo", &diag) != TY_OK && strstr(diag.text, "bravo"));
    for (double t = 1.0; t < 6.0; t += 1.0) {
        steps(p, t), steps(plain, t);
        TY_CHECK(same(p, plain, 0));
    }
    TY_CHECK(touches(p, 0, "wall"));
    TY_CHECK(tyi_sim_cast_count(p->run) == 1);
    stage_free(p), stage_free(plain);
}

/* a rock put down before a wheel is met; taken away, it is not; control: it is there again where it was not taken away */
TY_TEST(cast, rock_put_down_and_hit)
{
    stage *p = stage_make(1), *taken = stage_make(1);
    ty_diag diag = { 0 };
    uint64_t met = 0, met_taken = 0;
    add(p, "rocks: [{name: stone, at: [1.6, 0.75], size: 0.3}]");
    add(taken, "rocks: [{name: stone, at: [1.6, 0.75], size: 0.3}]");
    steps(p, 1.0), steps(taken, 1.0);
    cr_assert(ty_run_remove(taken->run, "stone", &diag) == TY_OK, "%s", diag.text);
    for (double t = 1.0; t < 8.0; t += 0.1) {
        steps(p, t), steps(taken, t);
        ty_vehicle_state s = state_of(p, 0), u = state_of(taken, 0);
        for (int w = 0; w < s.wheels; w++) {
            met = s.wheel[w].rock ? s.wheel[w].rock : met;
            met_taken = u.wheel[w].rock ? u.wheel[w].rock : met_taken;
        }
    }
    TY_CHECK(met & TY_ROCK_PLACED);
    TY_CHECK(met_taken == 0);
    char name[40];
    snprintf(name, sizeof name, "rock %llu", (unsigned long long)met);
    cr_expect(ty_run_remove(p->run, name, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(ty_run_remove(p->run, name, &diag) != TY_OK);
    stage_free(p), stage_free(taken);
}

/* instance numbers seen from above */
static void look(stage *p, uint32_t *instance, uint8_t *kind, int n)
{
    ty_diag diag = { 0 };
    ty_camera camera = ty_camera_default();
    camera.width = camera.height = n;
    camera.pose = (ty_pose){ { 4.0, 0.0, 12.0 }, ty_camera_look(0.0, -0.5 * TY_PI, 0.0) };
    ty_render_def def = ty_render_def_default();
    def.samples = 1;
    ty_render_buffers out = { .instance = instance, .kind = kind };
    cr_assert(ty_run_render(p->run, &camera, &def, &out, &diag) == TY_OK, "%s", diag.text);
}

static int count_kind(const uint8_t *kind, int n, int which)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += kind[i] == which;
    }
    return sum;
}

/* all that is added is seen, and no more when it is taken away; a run that is resumed goes on with the same bits, frames included */
TY_TEST(cast, seen_and_resumed)
{
    enum { SIDE = 64, N = SIDE * SIDE };
    static uint32_t a[N], b[N];
    static uint8_t kind[N], other[N];
    stage *p = stage_make(2), *again = stage_make(2), *before = stage_make(2);
    ty_diag diag = { 0 };
    void *saved = NULL, *early = NULL;
    size_t bytes = 0, early_bytes = 0;
    look(p, a, kind, SIDE);
    TY_CHECK(count_kind(kind, N, TY_CLASS_ROCK) == 0 && count_kind(kind, N, TY_CLASS_OBJECT) == 0);
    int rover = count_kind(kind, N, TY_CLASS_ROVER);
    steps(p, 0.3);
    cr_assert(ty_run_save(p->run, &early, &early_bytes, &diag) == TY_OK, "%s", diag.text);
    add(p, "objects: [{type: sphere, name: gone, radius: 0.5, position: [8, 2, 0.5]}]");
    add(p, "rocks: [{name: stone, at: [2.6, 0], size: 1.0}, {at: [6, -3], size: 0.3}]\n"
           "objects: [{type: sphere, name: ball, radius: 0.4, position: [5, 3, 0.4], on_ground: true}]");
    steps(p, 0.6);
    add(p, "rovers: [{name: bravo, x: 7, y: 0.5, yaw_deg: 180}]");
    cr_assert(ty_run_remove(p->run, "gone", &diag) == TY_OK, "%s", diag.text);
    steps(p, 2.013);
    look(p, a, kind, SIDE);
    TY_CHECK(count_kind(kind, N, TY_CLASS_ROCK) > 5 && count_kind(kind, N, TY_CLASS_OBJECT) > 5);
    TY_CHECK(count_kind(kind, N, TY_CLASS_ROVER) > 3 * rover / 2);
    cr_assert(ty_run_save(p->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(again->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(before->run, early, early_bytes, &diag) == TY_OK, "%s", diag.text);
    for (double t = 3.0; t < 12.0; t += 1.0) {
        steps(p, t), steps(again, t), steps(before, t);
        TY_CHECK(same(p, again, 0) && same(p, again, 1));
    }
    TY_CHECK(touches(p, 0, "rock") || touches(p, 0, "bravo"));
    TY_CHECK(!same(p, before, 0)); /* the control: nothing was added there */
    look(p, a, kind, SIDE), look(again, b, other, SIDE);
    TY_CHECK(!memcmp(a, b, sizeof a) && !memcmp(kind, other, sizeof kind));
    /* back to before anything came, in the same run, and once more to after it */
    cr_assert(ty_run_restore(p->run, early, early_bytes, &diag) == TY_OK, "%s", diag.text);
    look(p, b, other, SIDE);
    TY_CHECK(count_kind(other, N, TY_CLASS_ROCK) == 0 && count_kind(other, N, TY_CLASS_OBJECT) == 0);
    steps(p, 11.0);
    TY_CHECK(same(p, before, 0));
    cr_assert(ty_run_restore(p->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    steps(p, 11.0);
    TY_CHECK(same(p, again, 0) && same(p, again, 1));
    free(saved), free(early);
    stage_free(p), stage_free(again), stage_free(before);
}

/* a rover that waits is none, one that is taken away leaves the way free */
TY_TEST(cast, rover_taken_away)
{
    stage *p = stage_make(2), *alone = stage_make(1);
    ty_diag diag = { 0 };
    add(p, "rovers: [{name: bravo, x: 30, y: 0, yaw_deg: 180}]");
    steps(p, 1.0), steps(alone, 1.0);
    TY_CHECK(same(p, alone, 0));
    cr_assert(ty_run_remove(p->run, "bravo", &diag) == TY_OK, "%s", diag.text);
    ty_pose where = state_of(p, 1).pose;
    steps(p, 3.0), steps(alone, 3.0);
    ty_pose then = state_of(p, 1).pose;
    TY_CHECK(same(p, alone, 0) && !memcmp(&where, &then, sizeof where));
    add(p, "rovers: [{name: bravo, x: 3.2, y: 0, yaw_deg: 180}]");
    steps(p, 7.0);
    TY_CHECK(touches(p, 0, "bravo"));
    stage_free(p), stage_free(alone);
}

/* events that a message told of */
static void hear(void *user, const ty_message *m)
{
    char *words = user;
    if (m->kind == TY_MESSAGE_EVENT && (!strcmp(m->sensor, "added") || !strcmp(m->sensor, "removed"))) {
        size_t n = strlen(words);
        snprintf(words + n, 200 - n, "%s %s;", m->sensor, m->rover);
    }
}

static bool has_line(const char *path, const char *begins)
{
    FILE *f = fopen(path, "r");
    char line[1000];
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        found = !strncmp(line, begins, strlen(begins));
    }
    if (f) {
        fclose(f);
    }
    return found;
}

/* a record tells of it: events with their names and places, messages, rows of the rover from when it came */
TY_TEST(cast, recorded)
{
    stage *p = stage_make(2);
    char folder[] = "/tmp/tycho_cast_XXXXXX", out[64], path[100], words[200] = "";
    ty_diag diag = { 0 };
    ty_record *record = NULL;
    cr_assert(mkdtemp(folder));
    snprintf(out, sizeof out, "%s/run", folder);
    ty_record_def def = ty_record_def_default();
    def.folder = out;
    def.overview = false;
    cr_assert(ty_record_create(p->run, &def, &record, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_subscribe_state(p->run, hear, words, &diag) == TY_OK);
    while (ty_run_time(p->run) < ty_time_from(1.0)) {
        cr_assert(ty_record_step(record, &diag) == TY_OK, "%s", diag.text);
        if (ty_run_time(p->run) == ty_time_from(0.5)) {
            add(p, "rocks: [{name: stone, at: [9, 8], size: 0.5}, {at: [9, 5], size: 0.5}]");
            add(p, "rovers: [{name: bravo, x: 30}]");
        } else if (ty_run_time(p->run) == ty_time_from(0.7)) {
            cr_assert(ty_run_remove(p->run, "stone", &diag) == TY_OK, "%s", diag.text);
        }
    }
    cr_assert(ty_record_finish(record, &diag) == TY_OK, "%s", diag.text);
    ty_record_destroy(record);
    snprintf(path, sizeof path, "%s/events.csv", out);
    TY_CHECK(has_line(path, "added,,0.500,0.500,"));
    TY_CHECK(has_line(path, "added,bravo,0.500,"));
    TY_CHECK(has_line(path, "removed,,0.700,"));
    snprintf(path, sizeof path, "%s/bravo/telemetry.csv", out);
    TY_CHECK(has_line(path, "0.5000,") && !has_line(path, "0.4000,"));
    cr_expect(!strcmp(words, "added stone and 1 more;added bravo;removed stone;"), "%s", words);
    stage_free(p);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect(system(command) == 0);
}
