/* A run starts with its rovers at rest on the ground, sunk in by their weight; an IMU feels it from its first sample.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "tycho/math.h"

typedef struct start {
    ty_vec3 off;     /* [m/s^2] mean of the first ten samples, less bias and gravity */
    double worst;    /* [m/s^2] of the true specific force from gravity */
    double fall;     /* [m] in the first half second */
    double speed;    /* [m/s] largest */
    double load_off; /* [-] of the wheels' loads at time 0 from the weight */
} start;

static ty_vec3 vec(const ty_buffer *row, int at)
{
    return ty_vec3_make(ty_buffer_get(row, 0, 0, at), ty_buffer_get(row, 0, 0, at + 1),
                        ty_buffer_get(row, 0, 0, at + 2));
}

static start begin(bool settle, uint64_t seed, ty_soil_model_kind soil)
{
    small *s = small_make();
    start out = { 0 };
    s->scenario.terrain = ty_terrain_def_kind(TY_GROUND_MARE);
    s->scenario.terrain.extent = 200.0, s->scenario.terrain.seed = seed;
    s->scenario.settle = settle;
    s->scenario.soil.model = (int)soil;
    s->rover.driver.kind = TY_DRIVER_STAND;
    ty_sensor_def *imu = &s->sensor[s->rover.sensors++];
    *imu = ty_sensor_def_default(TY_SENSOR_IMU);
    snprintf(imu->name, sizeof imu->name, "imu");
    snprintf(imu->mount, sizeof imu->mount, "imu");
    small_create(s);
    ty_vehicle *v = ty_run_rover(s->run, 0);
    ty_vehicle_state at;
    ty_vehicle_get(v, &at);
    TY_CHECK(at.time == 0 && at.step == 0 && at.odometer == 0.0 && ty_run_time(s->run) == 0);
    double z = at.pose.p.z, load = 0.0;
    bool rock = false;
    for (int i = 0; i < at.wheels; i++) {
        const ty_wheel_view *w = &at.wheel[i];
        ty_vec3 left = ty_cross(w->normal_W, w->forward_W);
        load += w->fz * w->normal_W.z + w->fx * w->forward_W.z + w->fy * left.z, rock = rock || w->rock;
    }
    out.load_off = rock ? 0.0 : load / (TY_GRAVITY_MOON * ty_vehicle_mass(v)) - 1.0; /* rocks carry the rest */
    for (int k = 0; k < 50; k++) {
        small_steps(s, 0.01);
        const ty_message *m = ty_run_newest(s->run, 0);
        ty_vehicle_get(v, &at);
        ty_vec3 up = ty_rotate(ty_quat_conj(at.pose.q), ty_vec3_make(0.0, 0.0, TY_GRAVITY_MOON));
        const ty_buffer *truth = ty_message_find(m, "truth");
        if (k < 10) {
            out.off = ty_add(out.off, ty_scale(0.1, ty_sub(ty_sub(vec(&m->part[0].data, 3), vec(truth, 9)), up)));
        }
        out.worst = fmax(out.worst, ty_norm(ty_sub(vec(truth, 3), up)));
        out.speed = fmax(out.speed, ty_norm(at.v_W));
        out.fall = fmax(out.fall, z - at.pose.p.z);
    }
    small_free(s);
    return out;
}

/* Noise of the default unit [stim300]: 0.06 m/s/sqrt(h), in samples of 10 ms 10 mm/s^2. Five sigma of the mean of ten, and 1 mrad of
 * axes and 300 ppm of scale. */
TY_TEST(settle, an_imu_reads_gravity_from_its_first_sample)
{
    double sigma = 0.06 / 60.0 / sqrt(0.01) / sqrt(10.0), bound = 5.0 * sigma;
    static const struct {
        uint64_t seed;
        ty_soil_model_kind soil;
        double load; /* [-] bound of what the wheels say that they carry over the weight */
    } cases[] = { { 1, TY_SOIL_BEKKER, 1e-3 }, { 2, TY_SOIL_BEKKER, 1e-3 },
                  { 7, TY_SOIL_BEKKER, 1e-3 }, /* its planes changed with every step: 10 % too much */
                  { 10, TY_SOIL_SCM, 0.02 },   { 1, TY_SOIL_RIGID, 1e-3 },
                  { 1, TY_SOIL_SCM, 1e-3 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        start s = begin(true, cases[k].seed, cases[k].soil);
        TY_NEAR(s.off.x, 0.0, bound);
        TY_NEAR(s.off.y, 0.0, bound);
        TY_NEAR(s.off.z, 0.0, bound);
        TY_NEAR(s.worst, 0.0, 0.02);
        TY_NEAR(s.fall, 0.0, 1e-4);
        TY_NEAR(s.speed, 0.0, 1e-3);
        TY_NEAR(s.load_off, 0.0, cases[k].load);
    }
    /* with three wheels on rocks it slips on for a second, but does not drop */
    TY_NEAR(begin(true, 3, TY_SOIL_SCM).fall, 0.0, 1e-4);
    start dropped = begin(false, 1, TY_SOIL_BEKKER); /* control */
    TY_FAR(dropped.off.z, 0.0, 10.0 * bound);
    TY_FAR(dropped.fall, 0.0, 5e-3);
    TY_ROW("an IMU at rest from its first sample", "mean of 10 within 5 sigma of gravity, bias known",
           "worst axis within %.1f mm/s2 of a bound of %.1f", 1e3 * fmax(tyt_worst("s.off.z"), tyt_worst("s.off.x")),
           1e3 * bound);
}
