/* src/sensor/kind_imu.c - inertial measurement units of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "k_imu.h"
#include "kind_instrument.h"
#include "tycho/imu.h"

TYI_SENSOR_INSTRUMENT(imu, TY_SENSOR_IMU, 0.01, 0.01)

typedef struct imu {
    ty_imu imu;
    ty_time end; /* [ns] of what was collected last */
} imu;

static const ty_message_column columns[] = { { "wx", "rad/s", TY_QUANTITY_TURN, NULL },
                                             { "wy", "rad/s", TY_QUANTITY_TURN, NULL },
                                             { "wz", "rad/s", TY_QUANTITY_TURN, NULL },
                                             { "fx", "m/s2", TY_QUANTITY_FORCE, NULL },
                                             { "fy", "m/s2", TY_QUANTITY_FORCE, NULL },
                                             { "fz", "m/s2", TY_QUANTITY_FORCE, NULL },
                                             { 0 } };
static const ty_message_schema schema = { "imu", columns };

static ty_status create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    ty_imu_def def = ty_imu_def_default();
    ty_status status = tyi_sensor_instrument_state(sizeof(imu), state, diag);
    if (status == TY_OK && !(make->def->window > 0.0)) {
        status = ty_fail(diag, TY_ERR_RANGE, "its window is 0 s, but it averages over one");
    }
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, ty_imu_load, &def, diag);
    def.rate = 1.0 / make->def->period;
    def.mount = (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } }; /* its motion is that of the mount itself */
    def.seed = make->seed, def.sensor = make->number;
    for (int k = 0; k < 6; k++) {
        make->sigma[k] = ty_k_white_sigma(k < 3 ? def.gyro.noise : def.accel.noise, make->def->window);
    }
    tyi_sensor_instrument_parts(make, &schema, 6, 12, 'S'); /* truth: rates and forces, then biases */
    return status == TY_OK ? ty_imu_create(&def, &((imu *)*state)->imu, diag) : status;
}

static void step(void *state, const ty_sensor_step *s)
{
    imu *i = state;
    double dt = ty_seconds(s->to - s->from), per = 1.0 / s->dt;
    i->imu.def.gravity = s->gravity;
    ty_quat q = s->after.pose.q, back = ty_quat_conj(q);
    double open = ty_seconds(s->from - s->before.time) / s->dt, close = ty_seconds(s->to - s->before.time) / s->dt;
    if (i->end != s->from || !i->imu.state.started) { /* a window opens: the attitude there */
        i->imu.state.q_WB = open > 0.0 ? ty_quat_slerp(s->before.pose.q, q, open) : s->before.pose.q;
        i->imu.state.started = true;
        ty_imu_begin(&i->imu);
    }
    i->end = s->to;
    ty_imu_motion m = { .pose = { s->after.pose.p, close < 1.0 ? ty_quat_slerp(s->before.pose.q, q, close) : q },
                        .v_W = s->after.v_W };
    m.omega_B = ty_rotate(back, s->after.omega_W);
    m.a_W = ty_scale(per, ty_sub(s->after.v_W, s->before.v_W));
    m.alpha_B = ty_rotate(back, ty_scale(per, ty_sub(s->after.omega_W, s->before.omega_W)));
    ty_imu_step(&i->imu, &m, dt);
}

static ty_status collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)shot;
    imu *i = state;
    ty_imu_sample s;
    ty_status status = ty_imu_read(&i->imu, &s, diag);
    if (status == TY_OK) {
        tyi_sensor_put_vec(&part[0].data, 0, s.rate_S);
        tyi_sensor_put_vec(&part[0].data, 3, s.force_S);
        tyi_sensor_put_vec(&part[1].data, 0, s.true_rate_S);
        tyi_sensor_put_vec(&part[1].data, 3, s.true_force_S);
        tyi_sensor_put_vec(&part[1].data, 6, s.gyro_bias);
        tyi_sensor_put_vec(&part[1].data, 9, s.accel_bias);
    }
    return status;
}

typedef struct saved {
    ty_imu_state state;
    ty_time end;
} saved;

static size_t save(const void *state, void *out)
{
    const imu *i = state;
    if (out) {
        saved s = { i->imu.state, i->end };
        memcpy(out, &s, sizeof s);
    }
    return sizeof(saved);
}

static ty_status restore(void *state, const void *from, size_t bytes, ty_diag *diag)
{
    imu *i = state;
    saved s;
    if (bytes != sizeof s) {
        return ty_fail(diag, TY_ERR_FORMAT, "imu: %zu bytes saved, but it needs %zu", bytes, sizeof s);
    }
    memcpy(&s, from, sizeof s);
    i->imu.state = s.state;
    i->end = s.end;
    return TY_OK;
}

static void destroy(void *state)
{
    tyi_put(NULL, state, sizeof(imu));
}

const ty_sensor_kind tyi_sensor_imu = { .name = "imu",
                                        .keys = 2,
                                        .create = create,
                                        .step = step,
                                        .collect = collect,
                                        .save = save,
                                        .restore = restore,
                                        .destroy = destroy };
