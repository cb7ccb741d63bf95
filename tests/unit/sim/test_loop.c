/* The loop: commands from outside, checkpoints in the middle of everything, several runs at once, actors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "support.h"
#include "tycho/trace.h"
#include "render/inner.h"

/* windows open, messages waiting, noise, automatic exposure, ruts */
static small *busy(bool waypoints)
{
    static ty_setting noise[2] = { { "type", "noise" }, { "sigma", "0.5" } };
    static ty_settings filter = { noise, 2 };
    static ty_setting chain[2] = { { "auto_exposure", "on" }, { "defocus", "on" } };
    static ty_scenario_point point[2] = { { 0.05, 0.02, 0.0 }, { 3.0, 1.0, 0.0 } };
    small *s = small_make();
    small_camera(s, "eye", 0.1, 0.03, 0.25)->filter = &filter;
    s->sensor[0].filters = 1;
    ty_sensor_def *c = small_camera(s, "raw", 0.05, 0.001, 0.12);
    c->as.camera.physical = true;
    c->as.camera.settings = (ty_settings){ chain, 2 };
    c->as.camera.truth = true;
    c->as.camera.camera.hfov = 140.0 * TY_DEG; /* the ruts of both sides are in it */
    snprintf(c->mount, sizeof c->mount, "hazcam_rear");
    if (waypoints) {
        s->rover.driver =
            (ty_scenario_driver){ .kind = TY_DRIVER_WAYPOINTS, .speed = 0.2, .point = point, .points = 2 };
    }
    small_create(s);
    return s;
}

static bool tail_same(const small *a, size_t from_a, const small *b, size_t from_b)
{
    bool equal = a->count - from_a == b->count - from_b;
    for (size_t i = 0; equal && from_a + i < a->count; i++) {
        equal = a->heard[from_a + i].hash == b->heard[from_b + i].hash &&
                a->heard[from_a + i].at == b->heard[from_b + i].at;
    }
    return equal;
}

static bool same_state(small *a, small *b)
{
    ty_vehicle_state p, q;
    ty_vehicle_get(ty_run_rover(a->run, 0), &p);
    ty_vehicle_get(ty_run_rover(b->run, 0), &q);
    return !memcmp(&p.pose, &q.pose, sizeof p.pose) && !memcmp(&p.v_W, &q.v_W, sizeof p.v_W) &&
           p.odometer == q.odometer;
}

TY_TEST(loop, saved_in_the_middle_goes_on_with_the_same_bits)
{
    ty_diag diag = { 0 };
    void *saved = NULL;
    size_t bytes = 0;
    small *whole = busy(true);
    small_steps(whole, 4.113); /* far enough to see its own ruts behind it */
    cr_assert(ty_run_save(whole->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    size_t then = whole->count;
    small_steps(whole, 0.8);
    /* into a fresh run ... */
    small *fresh = busy(true);
    cr_assert(ty_run_restore(fresh->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(ty_run_time(fresh->run) == ty_time_from(4.113));
    TY_CHECK(ty_run_newest(fresh->run, 0) && ty_run_newest(fresh->run, 0)->sequence == 38);
    small_steps(fresh, 0.8);
    TY_CHECK(whole->count - then > 15);
    TY_CHECK(tail_same(whole, then, fresh, 0) && same_state(whole, fresh));
    /* ... and back in the same one, whose ruts are further by now */
    size_t before = whole->count;
    cr_assert(ty_run_restore(whole->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    small_steps(whole, 0.8);
    TY_CHECK(tail_same(whole, before, fresh, 0) && same_state(whole, fresh));
    /* control: a run that was not restored */
    small *other = busy(true);
    small_steps(other, 0.7);
    size_t mark = other->count;
    small_steps(other, 0.8);
    TY_CHECK(!tail_same(other, mark, fresh, 0));
    small_free(other), small_free(fresh), small_free(whole), free(saved);
    TY_ROW("a saved run goes on with the same bits", "the unbroken run", "equal");
}

TY_TEST(loop, what_is_not_a_checkpoint_is_refused)
{
    ty_diag diag = { 0 };
    char *saved = NULL;
    size_t bytes = 0;
    small *s = busy(false), *other = small_make();
    small_create(other);
    small_steps(s, 0.2);
    cr_assert(ty_run_save(s->run, (void **)&saved, &bytes, &diag) == TY_OK);
    TY_CHECK(ty_run_restore(other->run, saved, bytes, &diag) == TY_ERR_INPUT &&
             !strcmp(diag.text, "run: the saved state is of another scenario"));
    for (size_t at = 0; at < bytes; at += 1 + bytes / 40) {
        saved[at] ^= 4;
        TY_CHECK(ty_run_restore(s->run, saved, bytes, NULL) == TY_ERR_INPUT);
        saved[at] ^= 4;
    }
    for (size_t cut = 0; cut < bytes; cut += 1 + bytes / 10) {
        TY_CHECK(ty_run_restore(s->run, saved, cut, NULL) == TY_ERR_INPUT);
    }
    small_free(other), small_free(s), free(saved);
}

TY_TEST(loop, commands_from_outside)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    s->rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_EXTERNAL };
    small_create(s);
    ty_vehicle_state start, state;
    small_steps(s, 1.0);
    ty_vehicle_get(ty_run_rover(s->run, 0), &start);
    small_steps(s, 1.0);
    ty_vehicle_get(ty_run_rover(s->run, 0), &state);
    TY_NEAR(ty_norm(ty_sub(state.pose.p, start.pose.p)), 0.0, 0.01); /* nobody drives */
    TY_CHECK(ty_run_command(s->run, 0, &(ty_drive_command){ .v = 0.2 }, &diag) == TY_OK);
    small_steps(s, 3.0);
    ty_vehicle_get(ty_run_rover(s->run, 0), &state);
    TY_NEAR(state.pose.p.x - start.pose.p.x, 0.5, 0.12); /* 0.2 m/s, less the start and the slip */
    TY_CHECK(ty_run_command(s->run, 0, &(ty_drive_command){ .v = NAN }, &diag) == TY_ERR_INPUT);
    TY_CHECK(ty_run_command(s->run, 1, &(ty_drive_command){ .v = 0.1 }, NULL) == TY_ERR_INPUT);
    small_free(s);
    s = small_make(); /* driven by its scenario */
    small_create(s);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_command(s->run, 0, &(ty_drive_command){ .v = 0.1 }, &diag) == TY_ERR_INPUT);
    TY_CHECK(!strcmp(diag.text, "run: rover 0 takes no commands; its driver must be external"));
    small_free(s);
}

/* step by step in turn, each as if it were alone */
TY_TEST(loop, several_runs_in_one_process)
{
    small *alone = busy(false), *a = busy(false), *b = busy(true);
    small_steps(alone, 0.5);
    for (int i = 0; i < 500; i++) {
        small_steps(a, 0.001);
        small_steps(b, 0.001);
    }
    TY_CHECK(alone->count > 8 && tail_same(alone, 0, a, 0) && same_state(alone, a));
    TY_CHECK(!same_state(alone, b)); /* control: it steers */
    small_free(alone), small_free(a), small_free(b);
}

/* ---- actors ---- */

static void orbit(void *user, const char *actor, ty_time at, ty_pose *pose)
{
    (void)actor;
    *(int *)user += 1;
    pose->p = ty_vec3_make(6.0 + ty_seconds(at), 0.0, 1.5);
    pose->q = ty_quat_identity();
}

static void write_track(char *path, size_t size, const char *text)
{
    snprintf(path, size, "track_%d.csv", (int)getpid());
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fputs(text, f);
    fclose(f);
}

/* A ball crosses the view: the share of the frame that it covers is that of its place at the window's start, and a
 * long exposure shows it as a streak. */
TY_TEST(actors, seen_where_they_are)
{
    small *s = small_make();
    char path[64];
    ty_scenario_actor actor[2] = { ty_scenario_actor_default(), ty_scenario_actor_default() };
    write_track(path, sizeof path, "t,x,y,z,yaw_deg\n0,8,-2,2,0\n1,8,2,2,90\n");
    snprintf(actor[0].name, sizeof actor[0].name, "ball");
    actor[0].shape = TY_SHAPE_SPHERE, actor[0].size[0] = 0.4, actor[0].albedo = 1.0;
    actor[0].on_ground = true;
    snprintf(actor[0].trajectory, sizeof actor[0].trajectory, "%s", path);
    snprintf(actor[1].name, sizeof actor[1].name, "boom"); /* a camera carried past, told by the program */
    actor[1].hidden = true;
    int calls = 0;
    s->def.actor_pose = orbit, s->def.actor_user = &calls;
    ty_sensor_def boom = *small_camera(s, "boom", 0.25, 0.0, 0.0), *c[2];
    s->rover.sensors = 0;
    boom.mount[0] = '\0';
    boom.as.camera.truth = true;
    actor[1].sensor = &boom, actor[1].sensors = 1;
    for (int i = 0; i < 2; i++) {
        c[i] = small_camera(s, i ? "long" : "short", 0.5, i ? 0.2 : 0.0, 0.0);
        c[i]->as.camera.camera.width = 96, c[i]->as.camera.camera.height = 64;
        c[i]->as.camera.samples = 64;
        c[i]->as.camera.truth = true;
    }
    s->scenario.actor = actor, s->scenario.actors = 2;
    s->rover.driver.v = 0.0;
    small_create(s);
    small_steps(s, 0.75); /* windows at 0.5: the ball is in the middle, y = 0 */
    const ty_message *m = ty_run_newest(s->run, 0), *blur = ty_run_newest(s->run, 1);
    double u = 0.0, n = 0.0, wide[2] = { 0 };
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 96; x++) {
            bool ball = ty_buffer_get(ty_message_find(m, "kind"), x, y, 0) == TY_CLASS_OBJECT;
            u += ball ? x + 0.5 : 0.0;
            n += ball;
        }
    }
    TY_CHECK(n > 12.0);
    /* the mast's camera stands 0.2 m left of the middle line at x = 0.36 + start: the ball is to the right of the
     * image's middle */
    double f = 48.0 / tan(35.0 * TY_DEG);
    TY_NEAR(u / n, 48.0 + f * 0.2 / 7.64, 1.5);
    /* columns in which the row through the ball is brighter than the ground is anywhere */
    for (int k = 0; k < 2; k++) {
        const ty_buffer *image = &(k ? blur : m)->part[0].data;
        for (int x = 0; x < 96; x++) {
            double most = 0.0;
            for (int y = 0; y < 32; y++) {
                most = fmax(most, ty_buffer_get(image, x, y, 0));
            }
            wide[k] += most > 15.0;
        }
    }
    /* 0.8 m at 7.6 m: 7 px */
    cr_expect(wide[1] > wide[0] + 4.0, "the streak is %g columns wide, the ball %g", wide[1], wide[0]);
    size_t at;
    TY_CHECK(ty_run_find_sensor(s->run, "boom", "boom", &at) && at == 2 && calls > 10);
    TY_CHECK(ty_run_newest(s->run, at)->sequence == 3);
    remove(path);
    small_free(s);
    TY_ROW("bodies on given trajectories are seen where they are within 1.5 px", "projection", "%.2f px",
           tyt_worst("u / n"));
}

TY_TEST(actors, sentences)
{
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        { "t,x,y\n0,1,2\n",
          ":1: a trajectory takes the columns t, x, y, z and roll_deg, pitch_deg, yaw_deg or qw, qx, qy, qz" },
        { "t,x,y,z\n0,1,2,3\n0,1,2,3\n", ":3: t does not rise" },
        { "t,x,y,z\n0,1,2\n", ":2: field 4 is not a number, or the row does not have 4 of them" },
        { "t,x,y,z,qw,qx,qy,qz\n0,1,2,3,2,0,0,0\n", ":2: the quaternion has length 2, but takes 1" },
        { "t,x,y,z\n", ": has no rows" },
        { "t,x,y,z,w\n",
          ":1: column 'w' is unknown; a trajectory takes t, x, y, z and roll_deg, pitch_deg, yaw_deg or qw, qx, qy, qz" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        small *s = small_make();
        char path[64], want[300];
        ty_scenario_actor actor = ty_scenario_actor_default();
        write_track(path, sizeof path, cases[i].text);
        snprintf(actor.trajectory, sizeof actor.trajectory, "%s", path);
        snprintf(want, sizeof want, "%s%s", path, cases[i].sentence);
        s->scenario.actor = &actor, s->scenario.actors = 1;
        ty_diag diag = { 0 };
        TY_CHECK(ty_run_create(&s->def, &s->run, &diag) != TY_OK);
        cr_expect(!strcmp(diag.text, want), "got \"%s\", want \"%s\"", diag.text, want);
        remove(path);
        small_free(s);
    }
}

/* a picture by any camera, when nothing was asked to look before: the ruts made so far are in it */
TY_TEST(loop, any_camera_sees_what_there_is)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    small_create(s);
    TY_CHECK(ty_run_rovers(s->run) == 1 && ty_run_driving(s->run) && !ty_run_done(s->run));
    small_steps(s, 2.0);
    ty_vehicle_state state;
    ty_vehicle_get(ty_run_rover(s->run, 0), &state);
    ty_camera camera = ty_camera_default();
    camera.width = 160, camera.height = 120;
    camera.pose.p = ty_add(state.pose.p, ty_vec3_make(0.0, 3.0, 2.0));
    camera.pose.q = ty_camera_look(TY_PI, -25.0 * TY_DEG, 0.0); /* to the south, down on the wheels */
    ty_render_def def = ty_render_def_default();
    static double first[160 * 120], second[160 * 120];
    static uint8_t kind[160 * 120];
    ty_render_buffers out = { .depth = first, .kind = kind };
    cr_assert(ty_run_render(s->run, &camera, &def, &out, &diag) == TY_OK, "%s", diag.text);
    size_t rover = 0, changed = 0;
    for (int i = 0; i < 160 * 120; i++) {
        rover += kind[i] == TY_CLASS_ROVER;
    }
    small_steps(s, 1.0); /* 0.2 m on: new ruts */
    out.depth = second;
    cr_assert(ty_run_render(s->run, &camera, &def, &out, &diag) == TY_OK, "%s", diag.text);
    for (int i = 0; i < 160 * 120; i++) {
        changed += kind[i] == TY_CLASS_GROUND && isfinite(second[i]) && fabs(first[i] - second[i]) > 0.003 &&
                   fabs(first[i] - second[i]) < 0.1;
    }
    cr_expect(rover > 500 && changed > 20, "%zu pixels of the rover, %zu of ground that was pressed", rover, changed);
    small_free(s);
}

/* planet.wait: a frame that may wait long has all its ground, bit by bit as one that waits for ever; the first frame
 * of one that may not wait shows coarser ground, and no hole. */
TY_TEST(loop, frames_that_may_not_wait)
{
    static double depth[3][96 * 64];
    static const double wait[3] = { 0.0, 1000.0, 1e-6 };
    for (int k = 0; k < 3; k++) {
        small *s = small_make();
        s->scenario.planet_wait = wait[k];
        small_create(s);
        ty_camera camera = ty_camera_default();
        camera.width = 96, camera.height = 64;
        camera.pose = (ty_pose){ { 0.0, 0.0, 5.0 }, ty_camera_look(0.5, -40.0 * TY_DEG, 0.0) };
        ty_render_def def = ty_render_def_default();
        ty_render_buffers out = { .depth = depth[k] };
        ty_diag diag = { 0 };
        cr_assert(ty_run_render(s->run, &camera, &def, &out, &diag) == TY_OK, "%s", diag.text);
        small_free(s);
    }
    int holes = 0;
    for (int i = 0; i < 96 * 64; i++) {
        holes += isinf(depth[2][i]);
    }
    TY_CHECK(!memcmp(depth[0], depth[1], sizeof depth[0]));
    TY_CHECK(memcmp(depth[0], depth[2], sizeof depth[0]) != 0 && holes == 0);
}

/* What was driven over is a class of its own in a camera's truth, and gets no box; the tone curve of a run is one that
 * shows the ground, whichever way its cameras look. */
TY_TEST(loop, ruts_and_tone)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    small_create(s);
    ty_tone tone;
    cr_assert(ty_run_tone(s->run, &tone, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(tone.white > 1.0 && tone.white < 1000.0 && tone.knee > 0.0 && tone.knee < tone.white);
    small_steps(s, 2.0);
    ty_vehicle_state state;
    ty_vehicle_get(ty_run_rover(s->run, 0), &state);
    ty_camera camera = ty_camera_default();
    camera.width = 160, camera.height = 120;
    camera.pose.p = ty_add(state.pose.p, ty_vec3_make(0.0, 3.0, 2.0));
    camera.pose.q = ty_camera_look(TY_PI, -25.0 * TY_DEG, 0.0);
    ty_render_def def = ty_render_def_default();
    static double range[160 * 120];
    static uint8_t kind[160 * 120];
    static uint32_t instance[160 * 120];
    ty_render_buffers out = { .range = range, .kind = kind, .instance = instance };
    cr_assert(ty_run_render(s->run, &camera, &def, &out, &diag) == TY_OK, "%s", diag.text);
    ty_truth_box2 box[64];
    size_t before = ty_truth_boxes_2d(160, 120, instance, kind, box, 64), ruts = 0, ground = 0;
    tyi_render_truth_ruts(ty_run_scene(s->run), &camera, range, kind);
    for (int i = 0; i < 160 * 120; i++) {
        ruts += kind[i] == TY_CLASS_RUT, ground += kind[i] == TY_CLASS_GROUND;
    }
    cr_expect(ruts > 30 && ruts < ground, "%zu pixels of ruts, %zu of ground", ruts, ground);
    TY_CHECK(ty_truth_boxes_2d(160, 120, instance, kind, box, 64) == before);
    small_free(s);
}
