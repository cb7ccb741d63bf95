/* src/sensor/inertial/fix.c - a position fix with a drifting error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "imu.h"
#include "instrument.h"
#include "k_imu.h"
#include "k_instrument.h"
#include "k_philox.h"

ty_status tyi_inertial_instrument_check(const tyi_rules *rules, const void *def, uint32_t cookie, ty_diag *diag)
{
    if (cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "%s: the definition was not started by its default function", rules->name);
    }
    return tyi_rules_check(rules, def, diag);
}

tyi_inertial_fix_def tyi_inertial_fix_def_default(void)
{
    return (tyi_inertial_fix_def){ .noise = { 0.5, 0.5, 1.0 },
                                   .drift = 2.0,
                                   .drift_time = 600.0,
                                   .noise_speed = 0.02,
                                   .mount.q = ty_quat_identity(),
                                   .seed = 1,
                                   .cookie = TYI_COOKIE };
}

#define NUMBER(field, unit, low, high)                                             \
    {                                                                              \
#field, unit, offsetof(tyi_inertial_fix_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit limits[] = {
    NUMBER(noise[0], "m", 0.0, 1e6),
    NUMBER(noise[1], "m", 0.0, 1e6),
    NUMBER(noise[2], "m", 0.0, 1e6),
    NUMBER(bias[0], "m", -1e6, 1e6),
    NUMBER(bias[1], "m", -1e6, 1e6),
    NUMBER(bias[2], "m", -1e6, 1e6),
    NUMBER(drift, "m", 0.0, 1e6),
    NUMBER(drift_time, "s", 1e-3, 1e9),
    NUMBER(walk, "m/sqrt(s)", 0.0, 1e6),
    NUMBER(noise_speed, "m/s", 0.0, 1e3),
    { 0 },
};
const tyi_rules tyi_inertial_fix_rules = { "fix", limits, NULL };

ty_status tyi_inertial_fix_create(const tyi_inertial_fix_def *def, tyi_inertial_fix *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    ty_status status = tyi_inertial_instrument_check(&tyi_inertial_fix_rules, def, def->cookie, diag);
    out->def = *def;
    return status;
}

void tyi_inertial_fix_read(tyi_inertial_fix *fix, ty_pose B_in_W, ty_vec3 v_W, ty_vec3 omega_B, double dt,
                           tyi_inertial_fix_sample *out)
{
    const tyi_inertial_fix_def *def = &fix->def;
    double white[6], slow[6];
    tyi_inertial_normal6(def->seed, TY_RNG_FIX, def->sensor, fix->state.sample, white);
    tyi_inertial_normal6(def->seed, TY_RNG_FIX_DRIFT, def->sensor, fix->state.sample, slow);
    bool first = !fix->state.sample++;
    double keep = first ? 0.0 : ty_k_markov_keep(dt, def->drift_time);
    double kick = first ? def->drift : ty_k_markov_sigma(def->drift, dt, def->drift_time);
    double step = first ? 0.0 : ty_k_walk_sigma(def->walk, dt), error[3];
    for (int i = 0; i < 3; i++) {
        fix->state.drift[i] = keep * fix->state.drift[i] + kick * slow[i];
        fix->state.walk[i] += step * slow[3 + i];
        error[i] = def->bias[i] + fix->state.drift[i] + fix->state.walk[i];
    }
    ty_vec3 noise = ty_vec3_make(def->noise[0] * white[0], def->noise[1] * white[1], def->noise[2] * white[2]);
    ty_vec3 speed = ty_scale(def->noise_speed, ty_vec3_make(white[3], white[4], white[5]));
    ty_vec3 arm = ty_rotate(B_in_W.q, ty_cross(omega_B, def->mount.p));
    out->error = ty_vec3_make(error[0], error[1], error[2]);
    out->p_W = ty_add(ty_pose_point(B_in_W, def->mount.p), ty_add(out->error, noise));
    out->v_W = ty_add(ty_add(v_W, arm), speed);
}
