/* Every kind of sensor in a run, against the state of the vehicle, the terrain and the sky; and all of them through a
 * checkpoint.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

static ty_sensor_def *add(small *s, ty_sensor_type type, const char *name, const char *mount, double period)
{
    ty_sensor_def *d = &s->sensor[s->rover.sensors++];
    *d = ty_sensor_def_default(type);
    snprintf(d->name, sizeof d->name, "%s", name);
    snprintf(d->mount, sizeof d->mount, "%s", mount);
    d->window = d->window > 0.0 ? period : 0.0;
    d->period = period;
    return d;
}

static void model(ty_sensor_def *d, const char *file)
{
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(d->as.instrument.model, sizeof d->as.instrument.model, "%s/models/sensors/%s", root ? root : ".", file);
}

static ty_vec3 vec(const ty_buffer *row, int at)
{
    return ty_vec3_make(ty_buffer_get(row, 0, 0, at), ty_buffer_get(row, 0, 0, at + 1),
                        ty_buffer_get(row, 0, 0, at + 2));
}

/* ---- lidar ---- */

/* every point of a cloud in W lies on the terrain, whose heights come from another piece of code than the rays */
static double worst_height(small *s, const ty_buffer *points, size_t *count)
{
    double worst = 0.0;
    *count = 0;
    for (int j = 0; j < points->type.height; j++) {
        for (int i = 0; i < points->type.width; i++) {
            double x = ty_buffer_get(points, i, j, 0), y = ty_buffer_get(points, i, j, 1), z,
                   range = ty_buffer_get(points, i, j, 4);
            /* the ground near by, not the rover */
            if (!isfinite(x) || !(range > 3.0 && range < 12.0) || ty_buffer_get(points, i, j, 8) != 1073741824.0) {
                continue;
            }
            ty_terrain_sample(ty_world_terrain(ty_run_world(s->run)), 0, 1, &x, &y, &z, NULL, NULL);
            worst = fmax(worst, fabs(z - ty_buffer_get(points, i, j, 2)));
            ++*count;
        }
    }
    return worst;
}

TY_TEST(kinds, lidar_points_lie_on_the_ground)
{
    static ty_setting quiet[2] = { { "noise", "false" }, { "range_step", "0" } };
    small *s = small_make();
    for (int i = 0; i < 2; i++) {
        ty_sensor_def *l = add(s, TY_SENSOR_LIDAR, i ? "site" : "sensor", "lidar", 0.2);
        model(l, "lidar_vlp_16.yaml");
        l->as.instrument.settings = (ty_settings){ quiet, 2 };
        l->as.instrument.frame = i ? TY_LIDAR_SITE : TY_LIDAR_SENSOR;
    }
    s->def.detail = 0; /* the finest ground reaches 5 m around, the next 10 m */
    small_create(s);
    small_steps(s, 0.35);
    const ty_message *raw = ty_run_newest(s->run, 0), *site = ty_run_newest(s->run, 1);
    cr_assert(raw && site);
    TY_CHECK(site->time.end - site->time.start == ty_run_sensor(s->run, 1).window &&
             ty_run_sensor(s->run, 1).window == 100000000);
    TY_CHECK(site->part[0].data.type.unit == TY_UNIT_POINT && site->part[0].data.type.frame == 'W' &&
             raw->part[0].data.type.frame == 'S');
    size_t n, m;
    double worst = worst_height(s, &site->part[0].data, &n);
    cr_expect(n > 1000, "%zu points of the ground", n);
    TY_NEAR(worst, 0.0, 0.01);                                 /* rings beyond 5 m are coarser by some millimetres */
    TY_FAR(worst_height(s, &raw->part[0].data, &m), 0.0, 0.5); /* control: S is 2 m above the ground */
    small_free(s);
    TY_ROW("lidar points of a run lie on the ground within 10 mm", "the ground's own heights", "worst %.1f mm",
           1e3 * worst);
}

/* ---- IMU ---- */

typedef struct turned {
    ty_quat q;
    ty_vec3 speed; /* integral of the true force */
    ty_time end;
    double gap; /* [s] windows that do not join */
} turned;

static void integrate(void *user, const ty_message *m)
{
    turned *t = user;
    const ty_buffer *truth = ty_message_find(m, "truth");
    double dt = ty_seconds(m->time.end - m->time.start);
    ty_vec3 w = vec(truth, 0);
    double angle = ty_norm(w) * dt;
    t->gap += t->end ? fabs(ty_seconds(m->time.start - t->end)) : 0.0;
    t->end = m->time.end;
    t->q = angle > 0.0 ? ty_quat_mul(t->q, ty_quat_axis(ty_normalize(w), angle)) : t->q;
}

/* Windows of 12.3 ms beside steps of 1 ms: what the gyroscopes turned in all of them is what the mount turned. */
TY_TEST(kinds, imu_turns_as_the_rover_does)
{
    small *s = small_make();
    ty_sensor_def *d = add(s, TY_SENSOR_IMU, "imu", "imu", 0.0123);
    model(d, "stim300.yaml");
    s->rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2, .omega = 0.15 };
    small_create(s);
    int mount = ty_vehicle_find_mount(ty_run_rover(s->run, 0), "imu");
    ty_pose start = ty_vehicle_mount_pose(ty_run_rover(s->run, 0), mount);
    turned t = { .q = start.q };
    ty_run_subscribe(s->run, NULL, NULL, integrate, &t, NULL);
    small_steps(s, 6.15); /* 500 windows */
    ty_pose end = ty_vehicle_mount_pose(ty_run_rover(s->run, 0), mount);
    ty_quat miss = ty_quat_mul(ty_quat_conj(t.q), end.q), whole = ty_quat_mul(ty_quat_conj(start.q), end.q);
    TY_CHECK(s->count == 500);
    TY_NEAR(t.gap, 0.0, 0.0);
    /* means of windows do not commute exactly */
    TY_NEAR(2.0 * ty_norm(ty_vec3_make(miss.x, miss.y, miss.z)), 0.0, 2e-5);
    TY_FAR(2.0 * ty_norm(ty_vec3_make(whole.x, whole.y, whole.z)), 0.0, 0.3); /* control: it did turn */
    small_free(s);
}

TY_TEST(kinds, imu_at_rest_feels_the_moon)
{
    small *s = small_make();
    model(add(s, TY_SENSOR_IMU, "imu", "imu", 0.01), "stim300.yaml");
    model(add(s, TY_SENSOR_IMU, "short", "imu", 0.01), "stim300.yaml");
    s->sensor[1].window = 0.0013; /* only part of the time, and not of whole steps */
    s->rover.driver.kind = TY_DRIVER_STAND;
    small_create(s);
    small_steps(s, 8.0);
    for (size_t i = 0; i < 2; i++) {
        const ty_message *m = ty_run_newest(s->run, i);
        TY_NEAR(ty_norm(vec(ty_message_find(m, "truth"), 3)), 1.62, 2e-3);
        TY_NEAR(ty_norm(vec(&m->part[0].data, 3)), 1.62, 0.05); /* noise, bias and scale of the unit */
        TY_FAR(ty_norm(vec(&m->part[0].data, 3)), 0.0, 0.05);   /* control: free fall */
        TY_NEAR(ty_norm(vec(ty_message_find(m, "truth"), 0)), 0.0, 1e-3);
    }
    small_free(s);
}

/* ---- the others, against the truth of the moment ---- */

TY_TEST(kinds, wheels_place_and_sky)
{
    small *s = small_make();
    add(s, TY_SENSOR_ENCODERS, "enc", "", 0.1);
    add(s, TY_SENSOR_POSITION, "fix", "imu", 0.5);
    model(add(s, TY_SENSOR_SUN, "sun", "navcam_left", 0.5), "nanossoc_d60.yaml");
    add(s, TY_SENSOR_ALTIMETER, "alt", "hazcam_front", 0.5);
    add(s, TY_SENSOR_CONTACTS, "feet", "", 0.1);
    model(add(s, TY_SENSOR_POWER, "power", "", 0.5), "viper_power.yaml");
    add(s, TY_SENSOR_MOTORS, "mot", "", 0.1);
    add(s, TY_SENSOR_STEERING, "steer", "", 0.1);
    small_create(s);
    small_steps(s, 3.0);
    ty_vehicle *v = ty_run_rover(s->run, 0);
    ty_vehicle_state state;
    ty_vehicle_get(v, &state);
    /* encoders: up to one tick of 4096 below the joint's angle; odometry knows nothing of slip, so it is ahead */
    const ty_message *m = ty_run_newest(s->run, 0);
    TY_CHECK(!strcmp(m->schema->column[1].name, "front_left_angle") && m->time.end == ty_time_from(3.0));
    for (int i = 0; i < 4; i++) {
        double below = state.wheel[i].angle - ty_buffer_get(&m->part[0].data, 0, 0, 3 * i + 1);
        cr_expect(below > -1e-9 && below < 2.0 * TY_PI / 4096.0 + 1e-9, "wheel %d: %g rad below", i, below);
    }
    TY_NEAR(ty_buffer_get(&m->part[0].data, 0, 0, 12 + 4), state.odometer, 0.1);
    /* the fix: truth is the mount, the reading within 5 sigma of noise and drift */
    ty_pose imu = ty_vehicle_mount_pose(v, ty_vehicle_find_mount(v, "imu"));
    m = ty_run_newest(s->run, 1);
    TY_NEAR(ty_norm(ty_sub(vec(ty_message_find(m, "truth"), 0), imu.p)), 0.0, 1e-12);
    TY_NEAR(ty_norm(ty_sub(vec(&m->part[0].data, 0), imu.p)), 0.0, 5.0 * 2.4 * 1.8);
    /* the Sun: direction of the sensor turned back to W is the sky's */
    ty_pose cam = ty_vehicle_mount_pose(v, ty_vehicle_find_mount(v, "navcam_left"));
    const ty_quat optical = { 0.5, -0.5, 0.5, -0.5 };
    m = ty_run_newest(s->run, 2);
    TY_NEAR(ty_buffer_get(ty_message_find(m, "truth"), 0, 0, 3), 1.0, 1e-12); /* nothing in the way */
    if (ty_buffer_get(&m->part[0].data, 0, 0, 0) == 0.0) {
        ty_vec3 d = ty_rotate(ty_quat_mul(cam.q, optical), vec(&m->part[0].data, 3)),
                sun = ty_run_sky(s->run).sun.dir_W;
        TY_NEAR(ty_norm(ty_sub(d, sun)), 0.0, 0.05);
        TY_FAR(ty_norm(ty_sub(d, ty_scale(-1.0, sun))), 0.0, 0.05);
    } else { /* the other side of the sky: then it must be outside its field of 60 deg */
        TY_CHECK(ty_dot(ty_rotate(cam.q, ty_vec3_make(1, 0, 0)), ty_run_sky(s->run).sun.dir_W) < 0.55);
    }
    /* altimeter: where its beam ends there is ground */
    ty_pose haz = ty_vehicle_mount_pose(v, ty_vehicle_find_mount(v, "hazcam_front"));
    m = ty_run_newest(s->run, 3);
    ty_vec3 at = ty_pose_point(haz, ty_vec3_make(ty_buffer_get(ty_message_find(m, "truth"), 0, 0, 0), 0, 0));
    double z;
    ty_terrain_sample(ty_world_terrain(ty_run_world(s->run)), 0, 1, &at.x, &at.y, &z, NULL, NULL);
    TY_NEAR(at.z, z, 2e-3);
    /* contacts: it stands on all four; power: 900 W and more fall on panels that face a free Sun only in part */
    m = ty_run_newest(s->run, 4);
    for (int i = 0; i < 4; i++) {
        TY_CHECK(ty_buffer_get(&m->part[0].data, 0, 0, 2 * i) == 1.0);
    }
    m = ty_run_newest(s->run, 5);
    double solar = ty_buffer_get(&m->part[0].data, 0, 0, 1), load = ty_buffer_get(&m->part[0].data, 0, 0, 2);
    TY_CHECK(m->sequence == 5 && solar > 50.0 && solar < 1500.0 && load > 60.0 && load < 500.0);
    /* motors and steering follow the state of the moment */
    m = ty_run_newest(s->run, 6);
    TY_CHECK(ty_buffer_get(&m->part[0].data, 0, 0, 1) > 0.0);
    TY_NEAR(ty_buffer_get(&ty_run_newest(s->run, 7)->part[0].data, 0, 0, 0), state.wheel[0].steer, 0.01);
    small_free(s);
}

TY_TEST(kinds, sentences)
{
    static ty_setting wrong[1] = { { "gyro.rage", "1" } };
    ty_diag diag = { 0 };
    small *s = small_make();
    ty_sensor_def *d = add(s, TY_SENSOR_IMU, "imu", "imu", 0.01);
    d->as.instrument.settings = (ty_settings){ wrong, 1 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT);
    TY_CHECK(!strcmp(diag.text, "rover 'viper', sensor 'imu': settings change a model file, but model names none"));
    model(d, "stim300.yaml");
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT && strstr(diag.text, "gyro.rage") != NULL);
    small_free(s);
    s = small_make();
    model(add(s, TY_SENSOR_LIDAR, "lidar", "lidar", 0.05), "lidar_vlp_16.yaml");
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_RANGE);
    TY_CHECK(!strcmp(diag.text, "rover 'viper', sensor 'lidar': its scan takes 0.1 s, but its period is 0.05 s"));
    small_free(s);
    s = small_make(); /* what only a rover has */
    ty_scenario_actor actor = ty_scenario_actor_default();
    snprintf(actor.name, sizeof actor.name, "boom");
    ty_sensor_def enc = *add(s, TY_SENSOR_ENCODERS, "enc", "", 0.1);
    s->rover.sensors = 0;
    actor.sensor = &enc, actor.sensors = 1;
    s->scenario.actor = &actor, s->scenario.actors = 1;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT);
    TY_CHECK(!strcmp(diag.text, "actor 'boom', sensor 'enc': an actor has no wheels, so no encoders"));
    small_free(s);
}

/* ---- all through a checkpoint ---- */

static small *everything(void)
{
    small *s = small_make();
    model(add(s, TY_SENSOR_IMU, "imu", "imu", 0.0123), "stim300.yaml");
    add(s, TY_SENSOR_ENCODERS, "enc", "", 0.05);
    add(s, TY_SENSOR_POSITION, "fix", "imu", 0.2)->lag = 0.1;
    ty_sensor_def *l = add(s, TY_SENSOR_LIDAR, "lidar", "lidar", 0.3);
    model(l, "lidar_vlp_16.yaml");
    l->lag = 0.25;
    model(add(s, TY_SENSOR_SUN, "sun", "navcam_left", 0.1), "nanossoc_d60.yaml");
    add(s, TY_SENSOR_MOTORS, "mot", "", 0.1);
    model(add(s, TY_SENSOR_POWER, "power", "", 0.1), "viper_power.yaml");
    add(s, TY_SENSOR_STARS, "stars", "lidar", 0.1);
    small_create(s);
    return s;
}

TY_TEST(kinds, saved_with_their_noise_and_open_windows)
{
    ty_diag diag = { 0 };
    void *saved = NULL;
    size_t bytes = 0;
    small *whole = everything(), *fresh = everything();
    small_steps(whole, 0.3555); /* in the middle of a scan, of an average, with a scan waiting */
    cr_assert(ty_run_save(whole->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(fresh->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    size_t then = whole->count;
    small_steps(whole, 0.6);
    small_steps(fresh, 0.6);
    bool equal = whole->count - then == fresh->count && fresh->count > 60;
    for (size_t i = 0; equal && i < fresh->count; i++) {
        equal = fresh->heard[i].hash == whole->heard[then + i].hash;
    }
    TY_CHECK(equal);
    free(saved);
    small_free(whole), small_free(fresh);
}
