/* src/sensor/inertial/drive_sensors.c - what a rover knows of its drives: encoders, currents, joint angles,
 * switches.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "imu.h"
#include "instrument.h"
#include "k_imu.h"
#include "k_instrument.h"
#include "k_philox.h"

/* ---- encoder ---- */

tyi_inertial_encoder_def tyi_inertial_encoder_def_default(void)
{
    return (tyi_inertial_encoder_def){ .ticks = 4096.0, .cookie = TYI_COOKIE };
}

static const tyi_limit encoder_limits[] = {
    { "ticks", "1/turn", offsetof(tyi_inertial_encoder_def, ticks), TYI_DOUBLE, 1.0, 1e9 },
    { "offset", "turn", offsetof(tyi_inertial_encoder_def, offset), TYI_DOUBLE, -1.0, 1.0 },
    { 0 },
};
const tyi_rules tyi_inertial_encoder_rules = { "encoder", encoder_limits, NULL };

ty_status tyi_inertial_encoder_create(const tyi_inertial_encoder_def *def, tyi_inertial_encoder *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_encoder_rules, def, def->cookie, diag);
}

void tyi_inertial_encoder_read(tyi_inertial_encoder *e, double angle, double dt, tyi_inertial_encoder_sample *out)
{
    TY_ASSERT(dt > 0.0);
    double tick = 2.0 * TY_PI / e->def.ticks;
    int64_t now = (int64_t)floor(angle / tick + e->def.offset * e->def.ticks);
    out->delta = e->state.started ? now - e->state.ticks : 0;
    out->ticks = e->state.ticks = now;
    e->state.started = true;
    out->angle = (double)now * tick;
    out->rate = (double)out->delta * tick / dt;
}

/* ---- motor ---- */

tyi_inertial_motor_def tyi_inertial_motor_def_default(void)
{
    return (tyi_inertial_motor_def){ .kt = 20.0,
                                     .resistance = 1.0,
                                     .efficiency = 0.7,
                                     .idle = 0.1,
                                     .noise = 0.02,
                                     .quantum = 0.01,
                                     .range = 50.0,
                                     .seed = 1,
                                     .cookie = TYI_COOKIE };
}

#define NUMBER(field, unit, low, high)                                               \
    {                                                                                \
#field, unit, offsetof(tyi_inertial_motor_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit motor_limits[] = {
    NUMBER(kt, "N m/A", 1e-6, 1e6), NUMBER(resistance, "ohm", 0.0, 1e6), NUMBER(efficiency, "", 0.01, 1.0),
    NUMBER(idle, "A", 0.0, 1e3),    NUMBER(regenerate, "", 0.0, 1.0),    NUMBER(noise, "A", 0.0, 1e3),
    NUMBER(quantum, "A", 0.0, 1e3), NUMBER(range, "A", 1e-6, 1e6),       { 0 },
};
#undef NUMBER
const tyi_rules tyi_inertial_motor_rules = { "motor", motor_limits, NULL };

ty_status tyi_inertial_motor_create(const tyi_inertial_motor_def *def, tyi_inertial_motor *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_motor_rules, def, def->cookie, diag);
}

void tyi_inertial_motor_read(tyi_inertial_motor *m, double torque, double omega, tyi_inertial_motor_sample *out)
{
    const tyi_inertial_motor_def *def = &m->def;
    double n[6];
    tyi_inertial_normal6(def->seed, TY_RNG_CURRENT, def->sensor, m->state.sample++, n);
    out->truth = ty_k_motor_current(torque, omega, def->kt, def->efficiency, def->idle);
    out->copper = out->truth * out->truth * def->resistance;
    out->power = ty_k_motor_power(out->truth, omega, def->kt, def->resistance);
    out->power *= out->power < 0.0 ? def->regenerate : 1.0;
    double current = ty_k_quantise(out->truth + def->noise * n[0], def->quantum);
    out->current = ty_k_clamp(current, -def->range, def->range);
}

/* ---- joint ---- */

tyi_inertial_joint_def tyi_inertial_joint_def_default(void)
{
    return (tyi_inertial_joint_def){
        .noise = 1e-3, .quantum = 2.0 * TY_PI / 4096.0, .low = -TY_PI, .high = TY_PI, .seed = 1, .cookie = TYI_COOKIE
    };
}

#define NUMBER(field, unit, low, high)                                               \
    {                                                                                \
#field, unit, offsetof(tyi_inertial_joint_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit joint_limits[] = {
    NUMBER(noise, "rad", 0.0, 10.0),
    NUMBER(bias, "rad", -10.0, 10.0),
    NUMBER(scale, "", -0.5, 0.5),
    NUMBER(quantum, "rad", 0.0, 10.0),
    NUMBER(low, "rad", -1e4, 1e4),
    NUMBER(high, "rad", -1e4, 1e4),
    { 0 },
};
#undef NUMBER
static const tyi_order joint_orders[] = {
    { offsetof(tyi_inertial_joint_def, low), offsetof(tyi_inertial_joint_def, high) }, { 0, 0 }
};
const tyi_rules tyi_inertial_joint_rules = { "joint", joint_limits, joint_orders };

ty_status tyi_inertial_joint_create(const tyi_inertial_joint_def *def, tyi_inertial_joint *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_joint_rules, def, def->cookie, diag);
}

double tyi_inertial_joint_read(tyi_inertial_joint *j, double angle)
{
    const tyi_inertial_joint_def *def = &j->def;
    double n[6];
    tyi_inertial_normal6(def->seed, TY_RNG_JOINT, def->sensor, j->state.sample++, n);
    double read = (1.0 + def->scale) * angle + def->bias + def->noise * n[0];
    return ty_k_clamp(ty_k_quantise(read, def->quantum), def->low, def->high);
}

/* ---- switch ---- */

tyi_inertial_switch_def tyi_inertial_switch_def_default(void)
{
    return (tyi_inertial_switch_def){ .close = 10.0, .open = 5.0, .debounce = 0.01, .cookie = TYI_COOKIE };
}

static const tyi_limit switch_limits[] = {
    { "close", "N", offsetof(tyi_inertial_switch_def, close), TYI_DOUBLE, 0.0, 1e6 },
    { "open", "N", offsetof(tyi_inertial_switch_def, open), TYI_DOUBLE, 0.0, 1e6 },
    { "debounce", "s", offsetof(tyi_inertial_switch_def, debounce), TYI_DOUBLE, 0.0, 100.0 },
    { 0 },
};
static const tyi_order switch_orders[] = {
    { offsetof(tyi_inertial_switch_def, open), offsetof(tyi_inertial_switch_def, close) }, { 0, 0 }
};
const tyi_rules tyi_inertial_switch_rules = { "switch", switch_limits, switch_orders };

ty_status tyi_inertial_switch_create(const tyi_inertial_switch_def *def, tyi_inertial_switch *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_switch_rules, def, def->cookie, diag);
}

bool tyi_inertial_switch_step(tyi_inertial_switch *s, double force, double dt)
{
    s->state.raw = force >= (s->state.raw ? s->def.open : s->def.close);
    if (s->state.raw == s->state.closed) {
        s->state.since = 0.0;
        return s->state.closed;
    }
    s->state.since += dt;
    if (s->state.since >= s->def.debounce) {
        s->state.closed = s->state.raw;
        s->state.since = 0.0;
        s->state.count += s->state.closed;
    }
    return s->state.closed;
}
