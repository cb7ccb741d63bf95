/* The smaller instruments against closed forms, and their noise against its law.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "normal.h"
#include "sensor/inertial/instruments.h"
#include "sensor/instrument_file.h"
#include "tyt.h"
#include <unistd.h>

#define MANY 100000
#define MADE(kind, def)                                                                       \
    __extension__({                                                                           \
        tyi_inertial_##kind made;                                                             \
        ty_diag diag = { 0 };                                                                 \
        cr_assert(tyi_inertial_##kind##_create(def, &made, &diag) == TY_OK, "%s", diag.text); \
        made;                                                                                 \
    })

static double data[3][MANY];
static const ty_vec3 zero = { 0.0, 0.0, 0.0 };

/* ---- position fix ---- */

TY_TEST(fix, noise_is_normal_and_the_antenna_is_where_it_is)
{
    tyi_inertial_fix_def def = tyi_inertial_fix_def_default();
    def.drift = 0.0;
    def.bias[2] = 3.0;
    def.mount.p = ty_vec3_make(1.0, 0.0, 2.0);
    tyi_inertial_fix fix = MADE(fix, &def);
    ty_pose pose = { ty_vec3_make(10.0, 20.0, 30.0), ty_quat_axis(ty_vec3_make(0, 0, 1), 90.0 * TY_DEG) };
    static double speed[MANY];
    for (int i = 0; i < MANY; i++) {
        tyi_inertial_fix_sample s;
        tyi_inertial_fix_read(&fix, pose, ty_vec3_make(0.5, 0, 0), ty_vec3_make(0, 0, 0.2), 1.0, &s);
        data[0][i] = s.p_W.x;
        data[1][i] = s.p_W.y;
        data[2][i] = s.p_W.z;
        speed[i] = s.v_W.x;
    }
    TYT_NORMAL(data[0], MANY, 10.0, 0.5); /* forward is north here */
    TYT_NORMAL(data[1], MANY, 21.0, 0.5);
    TYT_NORMAL(data[2], MANY, 35.0, 1.0);
    TYT_NORMAL(speed, MANY, 0.5 - 0.2, 0.02); /* omega x arm points west */
    TY_ROW("position fix: noise is normal (chi-square within 3.5), place of the antenna", "closed form", "worst %.1f",
           tyt_worst("tyt_normal"));
}

/* drift: standard deviation from the first fix on, correlation exp(-dt/T); walk: variance K^2 t */
TY_TEST(fix, drift_and_walk)
{
    tyi_inertial_fix_def def = tyi_inertial_fix_def_default();
    def.noise[0] = def.noise[1] = def.noise[2] = 0.0;
    const double dt = 60.0;
    double now = 0.0, later = 0.0, both = 0.0, walk = 0.0;
    int seeds = 4000, lag = 5;
    for (int seed = 0; seed < seeds; seed++) {
        def.seed = (uint64_t)seed;
        def.walk = 0.0;
        tyi_inertial_fix fix = MADE(fix, &def);
        tyi_inertial_fix_sample first, s;
        tyi_inertial_fix_read(&fix, (ty_pose){ zero, ty_quat_identity() }, zero, zero, dt, &first);
        for (int i = 0; i < lag; i++) {
            tyi_inertial_fix_read(&fix, (ty_pose){ zero, ty_quat_identity() }, zero, zero, dt, &s);
        }
        const double a[3] = { first.p_W.x, first.p_W.y, first.p_W.z }, b[3] = { s.p_W.x, s.p_W.y, s.p_W.z };
        for (int k = 0; k < 3; k++) {
            now += a[k] * a[k];
            later += b[k] * b[k];
            both += a[k] * b[k];
        }
        tyi_inertial_fix_def walking = def;
        walking.drift = 0.0;
        walking.walk = 0.3;
        fix = MADE(fix, &walking);
        for (int i = 0; i <= lag; i++) {
            tyi_inertial_fix_read(&fix, (ty_pose){ zero, ty_quat_identity() }, zero, zero, dt, &s);
        }
        walk += s.p_W.x * s.p_W.x;
    }
    double n = 3.0 * seeds, bound = 4.0 / sqrt(n);
    TY_NEAR(now / n / 4.0, 1.0, sqrt(2.0) * bound);
    TY_NEAR(later / n / 4.0, 1.0, sqrt(2.0) * bound);
    TY_NEAR(both / n / 4.0, exp(-lag * dt / 600.0), 2.0 * bound);
    TY_FAR(both / n / 4.0, exp(-lag * dt / 300.0), 2.0 * bound); /* control: half the time constant */
    TY_NEAR(walk / seeds, 0.09 * lag * dt, 4.0 * sqrt(2.0 / seeds) * 0.09 * lag * dt);
    TY_ROW("position fix: drift forgets as exp(-t/600 s)", "closed form, 4000 seeds", "worst %.3f",
           tyt_worst("both / n / 4.0"));
}

/* ---- drives ---- */

TY_TEST(encoder, counts)
{
    tyi_inertial_encoder_def def = tyi_inertial_encoder_def_default();
    def.ticks = 100.0;
    tyi_inertial_encoder e = MADE(encoder, &def);
    tyi_inertial_encoder_sample s;
    int64_t sum = 0;
    double tick = 2.0 * TY_PI / 100.0, angle = 0.0;
    for (int i = 0; i < 1000; i++, angle += 0.0137) {
        tyi_inertial_encoder_read(&e, angle, 0.01, &s);
        sum += s.delta;
        TY_CHECK(s.angle <= angle && angle - s.angle < tick * (1.0 + 1e-12));
        TY_CHECK(s.ticks == (int64_t)floor(angle / tick));
    }
    TY_CHECK(sum == s.ticks);                        /* no count is lost */
    tyi_inertial_encoder_read(&e, -0.001, 0.01, &s); /* just below zero, going back */
    TY_CHECK(s.ticks == -1);
    TY_NEAR(s.rate, (double)s.delta * tick / 0.01, 1e-9);
    tyi_inertial_encoder saved = e;
    tyi_inertial_encoder_read(&e, 1.0, 0.01, &s);
    tyi_inertial_encoder_sample again;
    tyi_inertial_encoder_read(&saved, 1.0, 0.01, &again);
    TY_CHECK(again.delta == s.delta && s.delta == 16);
    TY_ROW("encoders lose no count", "angles over 1000 readings", "0 lost");
}

TY_TEST(motor, current_and_power)
{
    tyi_inertial_motor_def def = tyi_inertial_motor_def_default();
    def.noise = def.quantum = 0.0;
    def.regenerate = 0.5;
    tyi_inertial_motor m = MADE(motor, &def);
    tyi_inertial_motor_sample s;
    tyi_inertial_motor_read(&m, 28.0, 0.8, &s); /* driving: 28/(20 0.7) + 0.1 A */
    TY_NEAR(s.current, 2.1, 1e-12);
    TY_NEAR(s.copper, 2.1 * 2.1, 1e-12);
    TY_NEAR(s.power, 2.1 * 2.1 + 20.0 * 0.8 * 2.1, 1e-12);
    /* energy: what comes in is shaft power, gear loss, idling and copper */
    TY_NEAR(s.power, 28.0 * 0.8 / 0.7 + 20.0 * 0.8 * 0.1 + s.copper, 1e-12);
    tyi_inertial_motor_read(&m, 28.0, 0.0, &s); /* holding: copper alone */
    TY_NEAR(s.power, 4.0, 1e-12);
    tyi_inertial_motor_read(&m, -40.0, 3.0, &s); /* braking: -40 0.7/20 + 0.1 */
    TY_NEAR(s.current, -1.3, 1e-12);
    TY_NEAR(s.power, 0.5 * (1.3 * 1.3 - 20.0 * 3.0 * 1.3), 1e-12);
    TY_FAR(s.power, -40.0 * 3.0, 10.0); /* control: mechanical power */
    def = tyi_inertial_motor_def_default();
    def.quantum = 0.0;
    def.noise = 0.05;
    m = MADE(motor, &def);
    for (int i = 0; i < MANY; i++) {
        tyi_inertial_motor_read(&m, 14.0, 1.0, &s);
        data[0][i] = s.current;
    }
    TYT_NORMAL(data[0], MANY, 1.1, 0.05);
    tyi_inertial_motor_read(&m, 1e6, 1.0, &s);
    TY_NEAR(s.current, 50.0, 0.0);
    TY_ROW("motor current and power within 1e-12", "I R^2, gear, idling by hand", "worst %.0e W", tyt_worst("s.power"));
}

TY_TEST(joint, angle)
{
    tyi_inertial_joint_def def = tyi_inertial_joint_def_default();
    def.quantum = 0.0;
    def.noise = 2e-3;
    def.bias = 0.01;
    def.scale = 0.1;
    tyi_inertial_joint j = MADE(joint, &def);
    for (int i = 0; i < MANY; i++) {
        data[0][i] = tyi_inertial_joint_read(&j, 0.5);
    }
    TYT_NORMAL(data[0], MANY, 0.56, 2e-3);
    def.noise = 0.0;
    def.quantum = 0.1;
    def.high = 0.55;
    j = MADE(joint, &def);
    TY_NEAR(tyi_inertial_joint_read(&j, 0.42), 0.5, 1e-12);
    TY_NEAR(tyi_inertial_joint_read(&j, 2.0), 0.55, 1e-12);
    TY_ROW("joint angles: noise is normal (chi-square within 3.5)", "closed form", "%.1f", tyt_worst("tyt_normal"));
}

TY_TEST(contact, hysteresis_and_debounce)
{
    tyi_inertial_switch_def def = tyi_inertial_switch_def_default();
    tyi_inertial_switch s = MADE(switch, &def);
    const double dt = 1e-3;
    for (int i = 0; i < 9; i++) {
        TY_CHECK(!tyi_inertial_switch_step(&s, 12.0, dt)); /* not yet 10 ms */
    }
    TY_CHECK(!tyi_inertial_switch_step(&s, 3.0, dt)); /* bounced: starts again */
    int steps = 0;
    while (!tyi_inertial_switch_step(&s, 12.0, dt) && steps < 100) {
        steps++;
    }
    TY_CHECK(steps == 9 || steps == 10);
    for (int i = 0; i < 100; i++) {
        TY_CHECK(tyi_inertial_switch_step(&s, 7.0, dt)); /* between the two forces it stays closed */
    }
    for (int i = 0; i < 20; i++) {
        tyi_inertial_switch_step(&s, 4.0, dt);
    }
    TY_CHECK(!s.state.closed && s.state.count == 1);
    for (int i = 0; i < 100; i++) {
        TY_CHECK(!tyi_inertial_switch_step(&s, 7.0, dt)); /* and open, coming from below */
    }
    TY_ROW("contact switches: hysteresis and 10 ms of debounce", "by hand", "as given");
}

/* ---- definitions and files ---- */

TY_TEST(instruments, wrong_definitions)
{
    ty_diag diag = { 0 };
    tyi_inertial_joint_def joint = tyi_inertial_joint_def_default();
    tyi_inertial_joint j;
    joint.low = 2.0;
    joint.high = 1.0;
    TY_CHECK(tyi_inertial_joint_create(&joint, &j, &diag) == TY_ERR_RANGE && strstr(diag.text, "joint"));
    tyi_inertial_fix_def fix = { 0 };
    tyi_inertial_fix f;
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_inertial_fix_create(&fix, &f, &diag) == TY_ERR_DEF);
    tyi_inertial_sun_sensor_def sun = tyi_inertial_sun_sensor_def_default();
    tyi_inertial_sun_sensor s;
    sun.field = 2.0;
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_inertial_sun_sensor_create(&sun, &s, &diag) == TY_ERR_RANGE && strstr(diag.text, "field"));
    tyi_inertial_star_tracker_def star = tyi_inertial_star_tracker_def_default();
    tyi_inertial_star_tracker t;
    star.slew = (double)NAN;
    TY_CHECK(tyi_inertial_star_tracker_create(&star, &t, NULL) == TY_ERR_RANGE);
    tyi_inertial_encoder_def enc = tyi_inertial_encoder_def_default();
    tyi_inertial_encoder e;
    enc.ticks = 0.0;
    TY_CHECK(tyi_inertial_encoder_create(&enc, &e, NULL) == TY_ERR_RANGE);
    tyi_inertial_motor_def motor = tyi_inertial_motor_def_default();
    tyi_inertial_motor m;
    motor.efficiency = 0.0;
    TY_CHECK(tyi_inertial_motor_create(&motor, &m, NULL) == TY_ERR_RANGE);
    tyi_inertial_altimeter_def alt = tyi_inertial_altimeter_def_default();
    tyi_inertial_altimeter a;
    alt.least = 1e4;
    TY_CHECK(tyi_inertial_altimeter_create(&alt, &a, NULL) == TY_ERR_RANGE);
    tyi_inertial_switch_def sw = tyi_inertial_switch_def_default();
    tyi_inertial_switch w;
    sw.open = 20.0;
    TY_CHECK(tyi_inertial_switch_create(&sw, &w, NULL) == TY_ERR_RANGE);
}

/* a file of each kind: its keys arrive in SI, a wrong one is named with its line */
#define FILE_TEST(load, kind, yaml, field, want)                                            \
    do {                                                                                    \
        FILE *f = fopen(path, "w");                                                         \
        fputs(yaml "\n", f);                                                                \
        fclose(f);                                                                          \
        tyi_inertial_##kind##_def def;                                                      \
        ty_diag diag = { 0 };                                                               \
        cr_expect(load(path, NULL, 0, &def, &diag) == TY_OK, "%s", diag.text);              \
        TY_NEAR_REL(def.field, want, 1e-12);                                                \
        f = fopen(path, "w");                                                               \
        fputs(yaml "\nnosuch: 1\n", f);                                                     \
        fclose(f);                                                                          \
        TY_CHECK(load(path, NULL, 0, &def, &diag) != TY_OK && strstr(diag.text, "nosuch")); \
    } while (0)

TY_TEST(instruments, files)
{
    char path[] = "/tmp/tyt_instrument_XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    FILE_TEST(tyi_sensor_fix_load, fix, "noise: [1, 2, 3]\ndrift_time: 50", noise[2], 3.0);
    FILE_TEST(tyi_sensor_encoder_load, encoder, "ticks: 512", ticks, 512.0);
    FILE_TEST(tyi_sensor_motor_load, motor, "kt: 12.5", kt, 12.5);
    FILE_TEST(tyi_sensor_joint_load, joint, "noise_deg: 0.5", noise, 0.5 * TY_DEG);
    FILE_TEST(tyi_sensor_sun_sensor_load, sun_sensor, "field_deg: 45\nbias_deg: [1, 2]", bias[1], 2.0 * TY_DEG);
    FILE_TEST(tyi_sensor_star_tracker_load, star_tracker, "noise_roll_arcsec: 36", noise_roll, 0.01 * TY_DEG);
    FILE_TEST(tyi_sensor_altimeter_load, altimeter, "most: 100", most, 100.0);
    FILE_TEST(tyi_sensor_switch_load, switch, "close: 30", close, 30.0);
    remove(path);
    close(fd);
    static const char *const stars[] = { "st200", "sagitta" };
    for (int i = 0; i < 2; i++) {
        char name[4096];
        const char *source = getenv("TYCHO_SOURCE");
        ty_diag diag = { 0 };
        tyi_inertial_star_tracker_def def;
        snprintf(name, sizeof name, "%s/models/sensors/%s.yaml", source ? source : ".", stars[i]);
        cr_expect(tyi_sensor_star_tracker_load(name, NULL, 0, &def, &diag) == TY_OK, "%s", diag.text);
        snprintf(name, sizeof name, "%s/models/sensors/nanossoc_d60.yaml", source ? source : ".");
        tyi_inertial_sun_sensor_def sun;
        cr_expect(tyi_sensor_sun_sensor_load(name, NULL, 0, &sun, &diag) == TY_OK, "%s", diag.text);
    }
}
