/* An IMU's mechanics: gravity, lever arm, attitude, errors that are fixed, windows, saving.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/imu.h"
#include "tycho/terrain.h"
#include "tycho/vehicle.h"
#include "tyt.h"
#include <malloc.h>

/* under ASan malloc's own book-keeping is not used */
static bool tyt_sanitized(void)
{
#ifdef TYCHO_SANITIZE
    return true;
#else
    return false;
#endif
}

static const ty_vec3 zero = { 0.0, 0.0, 0.0 };

static ty_imu made(const ty_imu_def *def)
{
    ty_imu imu;
    ty_diag diag = { 0 };
    cr_assert(ty_imu_create(def, &imu, &diag) == TY_OK, "%s", diag.text);
    return imu;
}

static ty_imu_sample read_one(ty_imu *imu)
{
    ty_imu_sample s;
    ty_diag diag = { 0 };
    cr_assert(ty_imu_read(imu, &s, &diag) == TY_OK, "%s", diag.text);
    return s;
}

static ty_imu_motion rest(void)
{
    return (ty_imu_motion){ .pose = { zero, ty_quat_identity() } };
}

/* angle [rad] between two attitudes */
static double apart(ty_quat a, ty_quat b)
{
    ty_quat d = ty_quat_mul(ty_quat_conj(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static ty_quat turned(ty_quat q, ty_vec3 by)
{
    double angle = ty_norm(by);
    return angle > 0.0 ? ty_quat_mul(q, ty_quat_axis(ty_scale(1.0 / angle, by), angle)) : q;
}

TY_TEST(imu, at_rest_it_feels_gravity_upwards)
{
    ty_imu_def def = ty_imu_def_ideal();
    ty_imu imu = made(&def);
    ty_imu_motion m = rest();
    ty_imu_step(&imu, &m, 1e-3);
    ty_imu_sample s = read_one(&imu);
    TY_NEAR(s.force_S.z, 1.62, 1e-15);
    TY_NEAR(s.force_S.x, 0.0, 1e-15);
    TY_NEAR(s.rate_S.z, 0.0, 1e-15);
    TY_FAR(s.force_S.z, -1.62, 0.1); /* control: gravity's sign */
    TY_NEAR(s.delta_v.z, 1.62e-3, 1e-15);
    /* pitched by 90 deg, nose up: forward is up */
    m.pose.q = ty_quat_axis(ty_vec3_make(0, 1, 0), -90.0 * TY_DEG);
    imu = made(&def);
    ty_imu_step(&imu, &m, 1e-3);
    s = read_one(&imu);
    TY_NEAR(s.force_S.x, 1.62, 1e-15);
    TY_NEAR(s.force_S.z, 0.0, 1e-15);
    /* in free fall nothing is felt */
    m.a_W = ty_vec3_make(0.0, 0.0, -1.62);
    ty_imu_step(&imu, &m, 1e-3);
    TY_NEAR(ty_norm(read_one(&imu).force_S), 0.0, 1e-15);
    /* a mount that looks backwards and is tilted */
    def.mount.q =
        ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), TY_PI), ty_quat_axis(ty_vec3_make(0, 1, 0), 30.0 * TY_DEG));
    imu = made(&def);
    m = rest();
    ty_imu_step(&imu, &m, 1e-3);
    s = read_one(&imu);
    TY_NEAR(s.force_S.x, -1.62 * sin(30.0 * TY_DEG), 1e-15);
    TY_NEAR(s.force_S.z, 1.62 * cos(30.0 * TY_DEG), 1e-15);
    TY_ROW("a resting IMU reads 1.62 m/s2 upwards", "closed form", "%.0e m/s2", tyt_worst("s.force_S.z"));
}

/* A body that turns about its z, at a rate w + c t: at r it feels -w^2 r outwards and c r sideways. */
TY_TEST(imu, lever_arm_of_a_turning_body)
{
    const double r = 0.7, w = 0.8, c = 0.3, dt = 1e-3;
    ty_imu_def def = ty_imu_def_ideal();
    def.mount.p = ty_vec3_make(r, 0.0, 0.2);
    ty_imu imu = made(&def);
    for (int i = 0; i <= 2000; i++) {
        double t = i * dt, rate = w + c * t, angle = w * t + 0.5 * c * t * t;
        ty_imu_motion m = rest();
        m.pose.q = ty_quat_axis(ty_vec3_make(0, 0, 1), angle);
        m.omega_B = ty_vec3_make(0, 0, rate);
        m.alpha_B = ty_vec3_make(0, 0, c);
        ty_imu_step(&imu, &m, dt);
        ty_imu_sample s = read_one(&imu);
        if (i) { /* the first step has no attitude before it */
            double mid = w + c * (t - 0.5 * dt);
            TY_NEAR(s.force_S.x, -mid * mid * r, 1e-11); /* differences of attitudes, 1e-16/dt */
            TY_NEAR(s.force_S.y, c * r, 1e-12);
            TY_NEAR(s.force_S.z, 1.62, 1e-12);
            TY_NEAR(s.rate_S.z, mid, 1e-11);
        }
        if (i == 2000) {
            TY_FAR(s.force_S.x, 0.0, 0.1); /* control: no lever arm */
        }
    }
}

/* Classical coning: the axis of a tilt of angle a goes round at w. In closed form q = (cos a/2, sin
 * a/2 cos wt, sin a/2 sin wt, 0). What the gyroscopes add up at 1 kHz is the attitude; the same
 * summed in windows of 0.1 s is not: the coning error of a slow reading is known, -2 sin^2(a/2) (w
 * - sin(w T)/T) per second about z [savage1998]. */
TY_TEST(imu, coning)
{
    const double a = 5.0 * TY_DEG, w = 2.0 * TY_PI * 2.0, dt = 1e-3, T = 0.1;
    ty_imu_def def = ty_imu_def_ideal();
    ty_imu fast = made(&def), slow = made(&def);
    ty_quat q_fast = { 0 }, q_slow = { 0 }, truth = { 0 }, start = { 0 };
    int n = 10000;
    for (int i = 0; i <= n; i++) {
        double t = i * dt;
        truth = (ty_quat){ cos(0.5 * a), sin(0.5 * a) * cos(w * t), sin(0.5 * a) * sin(w * t), 0.0 };
        ty_imu_motion m = rest();
        m.pose.q = truth;
        ty_imu_step(&fast, &m, dt);
        ty_imu_step(&slow, &m, dt);
        if (!i) {
            q_fast = q_slow = start = truth;
            ty_imu_begin(&fast);
            ty_imu_begin(&slow);
            continue;
        }
        q_fast = turned(q_fast, read_one(&fast).delta_theta);
        if (i % 100 == 0) {
            q_slow = turned(q_slow, read_one(&slow).delta_theta);
        }
    }
    TY_NEAR(apart(q_fast, truth), 0.0, 1e-11);
    double seconds = n * dt;
    double want = 2.0 * pow(sin(0.5 * a), 2.0) * (w - sin(w * T) / T) * seconds; /* [rad] about z */
    TY_NEAR_REL(apart(q_slow, truth), want, 0.02);                               /* first order in a^2: 2 % at 5 deg */
    TY_FAR(apart(q_slow, truth), 0.0, 0.1 * want); /* control: a slow reading does lose the attitude */
    (void)start;
}

typedef struct ride {
    ty_terrain *terrain;
    ty_vehicle *rover;
} ride;

static ride rover_on_hills(void)
{
    ride r;
    ty_diag diag = { 0 };
    ty_terrain_def ground = ty_terrain_def_default();
    ground.rock.on = false;
    ground.seed = 5;
    cr_assert(ty_terrain_create(&ground, &r.terrain, &diag) == TY_OK, "%s", diag.text);
    char path[4096];
    const char *source = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/models/rovers/viper.yaml", source ? source : ".");
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = path;
    def.terrain = r.terrain;
    cr_assert(ty_vehicle_create(&def, &r.rover, &diag) == TY_OK, "%s", diag.text);
    return r;
}

static ty_imu_motion motion_of(const ty_vehicle_state *s)
{
    return (ty_imu_motion){ s->pose, s->v_W, s->omega_B, s->a_W, s->alpha_B };
}

/* A real drive over hills with a turn: gyroscopes at 100 Hz give the attitude, and with the
 * accelerometers 1 m away the way, by strapdown integration at 1 kHz. */
TY_TEST(imu, a_drive_is_integrated_back)
{
    ride r = rover_on_hills();
    ty_diag diag = { 0 };
    const double dt = 1e-3;
    ty_imu_def def = ty_imu_def_ideal();
    def.mount.p = ty_vec3_make(0.6, -0.3, 0.7);
    ty_imu fine = made(&def);
    def.rate = 100.0;
    ty_imu hundred = made(&def);
    ty_vehicle_state s;
    ty_quat q = { 0 }, q100 = { 0 };
    ty_vec3 v = zero, p = zero, begin = zero;
    ty_quat first = { 0 };
    for (int i = 0; i <= 12000; i++) {
        if (i == 1000) {
            ty_vehicle_command(r.rover, &(ty_drive_command){ .v = 0.3, .omega = 0.06 }, &diag);
        }
        cr_assert(ty_vehicle_step(r.rover, dt, &diag) == TY_OK && ty_vehicle_press_ruts(r.rover, &diag) == TY_OK, "%s",
                  diag.text);
        ty_vehicle_get(r.rover, &s);
        ty_imu_motion m = motion_of(&s);
        ty_imu_step(&fine, &m, dt);
        ty_imu_step(&hundred, &m, dt);
        ty_vec3 at = ty_pose_point(s.pose, def.mount.p);
        if (!i) {
            q = q100 = first = s.pose.q;
            v = ty_add(s.v_W, ty_rotate(q, ty_cross(s.omega_B, def.mount.p)));
            p = begin = at;
            ty_imu_begin(&fine);
            ty_imu_begin(&hundred);
            continue;
        }
        ty_imu_sample f = read_one(&fine);
        ty_quat next = turned(q, f.delta_theta);
        ty_quat mid = turned(q, ty_scale(0.5, f.delta_theta));
        ty_vec3 dv = ty_add(ty_rotate(mid, f.delta_v), ty_vec3_make(0, 0, -1.62 * dt));
        p = ty_add(p, ty_add(ty_scale(dt, v), ty_scale(0.5 * dt, dv)));
        v = ty_add(v, dv);
        q = next;
        if (i % 10 == 0) {
            q100 = turned(q100, read_one(&hundred).delta_theta);
        }
    }
    ty_vec3 at = ty_pose_point(s.pose, def.mount.p);
    printf("drive: turned %.2f deg, went %.2f m; gyro at 1 kHz off by %.2e rad, at 100 Hz by %.2e "
           "rad, way off by %.2e m\n",
           apart(first, s.pose.q) / TY_DEG, ty_norm(ty_sub(at, begin)), apart(q, s.pose.q), apart(q100, s.pose.q),
           ty_norm(ty_sub(p, at)));
    TY_NEAR(apart(q, s.pose.q), 0.0, 1e-9);
    TY_NEAR(apart(q100, s.pose.q), 0.0, 1e-4); /* coning between the readings */
    TY_FAR(apart(first, s.pose.q), 0.0, 0.1);  /* control: it did turn */
    TY_NEAR(ty_norm(ty_sub(p, at)), 0.0, 0.02);
    TY_FAR(ty_norm(ty_sub(begin, at)), 0.0, 1.0); /* control: it did move */
    ty_vehicle_destroy(r.rover);
    ty_terrain_destroy(r.terrain);
    TY_ROW("gyroscope without noise integrated over a drive within 1e-9 rad; way within 0.02 m",
           "the rover's own attitude and place", "%.0e rad, %.0e m", tyt_worst("apart(q, s.pose.q)"),
           tyt_worst("ty_norm(ty_sub(p, at))"));
}

/* A rover that has come to rest (its suspension rocks for some ten seconds) reads +1.62 along the site's up. */
TY_TEST(imu, a_rover_at_rest)
{
    ride r = rover_on_hills();
    ty_diag diag = { 0 };
    ty_imu_def def = ty_imu_def_ideal();
    ty_imu imu = made(&def);
    ty_vehicle_state s;
    for (int i = 0; i < 16000; i++) {
        cr_assert(ty_vehicle_step(r.rover, 1e-3, &diag) == TY_OK, "%s", diag.text);
        ty_vehicle_get(r.rover, &s);
        ty_imu_motion m = motion_of(&s);
        if (i == 15000) {
            ty_imu_begin(&imu);
        }
        ty_imu_step(&imu, &m, 1e-3);
    }
    ty_imu_sample got = read_one(&imu);
    TY_NEAR(got.window, 1.0, 1e-9);
    ty_vec3 up = ty_rotate(s.pose.q, got.force_S);
    TY_NEAR(up.z, 1.62, 1e-4);
    TY_NEAR(hypot(up.x, up.y), 0.0, 1e-3); /* it still rocks by 1e-4 rad */
    TY_FAR(got.force_S.z, 0.0, 1.5);       /* control: acceleration without gravity */
    ty_vehicle_destroy(r.rover);
    ty_terrain_destroy(r.terrain);
}

TY_TEST(imu, scale_misalignment_and_bias)
{
    ty_imu_def def = ty_imu_def_ideal();
    const double scale[3] = { 0.01, -0.02, 0.03 }, cross[6] = { 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3 };
    memcpy(def.accel.scale, scale, sizeof scale);
    memcpy(def.accel.cross, cross, sizeof cross);
    def.accel.bias[1] = 0.5;
    def.gyro.g_bias[2] = 0.01;
    ty_imu imu = made(&def);
    ty_imu_motion m = rest();
    m.a_W = ty_vec3_make(1.0, 2.0, 3.0 - 1.62);
    ty_imu_step(&imu, &m, 0.01);
    ty_imu_sample s = read_one(&imu);
    TY_NEAR(s.force_S.x, 1.01 + 2.0 * 1e-3 + 3.0 * 2e-3, 1e-14);
    TY_NEAR(s.force_S.y, 1.0 * 3e-3 + 2.0 * 0.98 + 3.0 * 4e-3 + 0.5, 1e-14);
    TY_NEAR(s.force_S.z, 1.0 * 5e-3 + 2.0 * 6e-3 + 3.0 * 1.03, 1e-14);
    TY_NEAR(s.rate_S.z, 0.03, 1e-14);
    TY_NEAR(s.true_force_S.y, 2.0, 1e-15);
    TY_FAR(s.force_S.y, 2.0, 0.1); /* control */
    TY_ROW("scale, misalignment, bias within 1e-14", "closed form", "worst %.0e m/s2", tyt_worst("s.force_S.y"));
}

TY_TEST(imu, steps_and_limits)
{
    ty_imu_def def = ty_imu_def_ideal();
    def.accel.quantum = 0.1;
    def.accel.range = 2.0;
    ty_imu imu = made(&def);
    for (double a = -3.0; a <= 3.0; a += 0.037) {
        ty_imu_motion m = rest();
        m.a_W = ty_vec3_make(a, 0.0, -1.62);
        ty_imu_step(&imu, &m, 0.01);
        ty_imu_sample s = read_one(&imu);
        double x = s.force_S.x;
        if (fabs(a) < 1.95) {
            TY_NEAR(x, a, 0.05 + 1e-12);
            TY_NEAR(x / 0.1, round(x / 0.1), 1e-9);
            TY_CHECK(s.clipped == 0);
        } else if (fabs(a) > 2.05) {
            TY_NEAR(x, copysign(2.0, a), 0.0);
            TY_CHECK(s.clipped == 1u << 3);
        }
    }
    TY_ROW("quantisation within half a step, saturation exact", "closed form", "worst %.3f of steps of 0.1 m/s2",
           tyt_worst("x"));
}

/* the window is a mean over its steps, whatever their lengths */
TY_TEST(imu, a_window_is_a_mean)
{
    ty_imu_def def = ty_imu_def_ideal();
    ty_imu imu = made(&def);
    ty_imu_sample s;
    ty_diag diag = { 0 };
    TY_CHECK(ty_imu_read(&imu, &s, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "no step") != NULL);
    ty_imu_motion m = rest();
    m.a_W.x = 100.0; /* before the window */
    ty_imu_step(&imu, &m, 0.01);
    ty_imu_begin(&imu);
    m.a_W.x = 1.0;
    ty_imu_step(&imu, &m, 0.003);
    m.a_W.x = 4.0;
    ty_imu_step(&imu, &m, 0.006);
    s = read_one(&imu);
    TY_NEAR(s.force_S.x, 3.0, 1e-12);
    TY_NEAR(s.delta_v.x, 0.027, 1e-14);
    TY_NEAR(s.window, 0.009, 1e-15);
    TY_FAR(s.force_S.x, 2.5, 0.1); /* control: mean over steps, not over time */
}

TY_TEST(imu, saved_and_restored)
{
    ty_imu_def def = ty_imu_def_default();
    ty_imu a = made(&def), b = made(&def);
    ty_imu_motion m = rest();
    for (int i = 0; i < 100; i++) {
        ty_imu_step(&a, &m, 0.01);
        read_one(&a);
    }
    ty_imu_step(&a, &m, 0.004); /* in the middle of a window */
    b.state = a.state;
    int same = 0;
    for (int i = 0; i < 100; i++) {
        ty_imu_step(&a, &m, 0.006);
        ty_imu_step(&b, &m, 0.006);
        ty_imu_sample x = read_one(&a), y = read_one(&b);
        same += !memcmp(&x.rate_S, &y.rate_S, sizeof x.rate_S) && !memcmp(&x.force_S, &y.force_S, sizeof x.force_S);
    }
    TY_CHECK(same == 100);
    def.sensor = 1; /* control: another device has other noise and other biases */
    ty_imu c = made(&def);
    TY_CHECK(c.bias[0] != a.bias[0] && c.state.row[0][0] != made(&(ty_imu_def){ .cookie = def.cookie,
                                                                                .gyro = def.gyro,
                                                                                .accel = def.accel,
                                                                                .rate = def.rate,
                                                                                .longest = def.longest,
                                                                                .mount = def.mount,
                                                                                .seed = def.seed })
                                                                .state.row[0][0]);
}

/* a step and a reading take no memory */
TY_TEST(imu, allocates_nothing)
{
    ty_imu_def def = ty_imu_def_default();
    ty_imu imu = made(&def);
    ty_imu_motion m = rest();
    ty_imu_step(&imu, &m, 0.01);
    read_one(&imu);
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 1000; i++) {
        ty_imu_step(&imu, &m, 0.01);
        read_one(&imu);
    }
    TY_CHECK(mallinfo2().uordblks == before);
    char *volatile control = malloc(100000);
    TY_CHECK(mallinfo2().uordblks != before || tyt_sanitized());
    free(control);
}

TY_TEST(imu, wrong_definitions)
{
    ty_diag diag = { 0 };
    ty_imu imu;
    ty_imu_def def = { 0 };
    TY_CHECK(ty_imu_create(&def, &imu, &diag) == TY_ERR_DEF);
    def = ty_imu_def_default();
    def.gyro.noise = -1.0;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_imu_create(&def, &imu, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "gyro.noise") != NULL);
    def = ty_imu_def_default();
    def.accel.cross[4] = (double)NAN;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_imu_create(&def, &imu, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "accel.cross[4]") != NULL);
}

/* every preset loads, and holds what its sheet says */
TY_TEST(imu, presets)
{
    static const char *const names[] = { "stim300", "ln200s", "mti1" };
    for (int i = 0; i < 3; i++) {
        char path[4096];
        const char *source = getenv("TYCHO_SOURCE");
        snprintf(path, sizeof path, "%s/models/sensors/%s.yaml", source ? source : ".", names[i]);
        ty_imu_def def;
        ty_diag diag = { 0 };
        TY_CHECK(ty_imu_load(path, NULL, 0, &def, &diag) == TY_OK);
        if (diag.text[0]) {
            printf("%s\n", diag.text);
        }
        ty_imu imu = made(&def);
        TY_CHECK(imu.bias[0] != 0.0);
        const char *set[] = { "gyro.range_deg_s=-1" };
        TY_CHECK(ty_imu_load(path, set, 1, &def, &diag) == TY_ERR_RANGE || diag.status != TY_OK);
        TY_CHECK(strstr(diag.text, "range_deg_s") != NULL);
        if (i == 0) { /* the default definition is this preset */
            ty_imu_def again = ty_imu_def_default();
            ty_imu_load(path, NULL, 0, &def, NULL);
            TY_NEAR_REL(def.gyro.noise, again.gyro.noise, 1e-12);
            TY_NEAR_REL(def.gyro.instability, again.gyro.instability, 1e-3);
            TY_NEAR_REL(def.accel.noise, again.accel.noise, 1e-3);
            TY_NEAR_REL(def.accel.instability, again.accel.instability, 1e-3);
            TY_NEAR_REL(def.gyro.noise, 4.3633e-5, 1e-4); /* rad/sqrt(s), as NavToolkit's page converts it */
        }
    }
}
