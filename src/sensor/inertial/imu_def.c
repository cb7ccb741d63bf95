/* src/sensor/inertial/imu_def.c - an IMU's parameters: defaults, ranges, and the drawing of a device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "imu.h"
#include "k_imu.h"
#include "k_philox.h"
#include "inner.h"

#define G0 9.80665 /* [m/s^2] what data sheets call g */

ty_imu_def ty_imu_def_ideal(void)
{
    return (ty_imu_def){
        .gyro.range = 1e6,
        .accel.range = 1e6,
        .rate = 100.0,
        .longest = 1e5,
        .gravity = TY_GRAVITY_MOON,
        .mount.q = ty_quat_identity(),
        .seed = 1,
        .cookie = TYI_COOKIE,
    };
}

ty_imu_def ty_imu_def_default(void)
{
    ty_imu_def def = ty_imu_def_ideal();
    /* [stim300], 10 g accelerometers; the sheet's instability is the lowest point of the Allan
     * curve, which a flicker of B makes 0.664 B. Repeatability of the gyroscopes' bias and steps of
     * the output are not in the source: chosen. */
    def.gyro = (ty_imu_triad){
        .noise = 0.15 * TY_DEG / 60.0,
        .instability = 0.5 * TY_DEG / 3600.0 / 0.664,
        .bias_sigma = 5.0 * TY_DEG / 3600.0,
        .scale_sigma = 500e-6,
        .cross_sigma = 1e-3,
        .g_sigma = 1.0 * TY_DEG / 3600.0 / G0,
        .quantum = 0.22 * TY_DEG / 3600.0,
        .range = 400.0 * TY_DEG,
    };
    def.accel = (ty_imu_triad){
        .noise = 0.06 / 60.0,
        .instability = 0.05e-3 * G0 / 0.664,
        .bias_sigma = 0.75e-3 * G0,
        .scale_sigma = 300e-6,
        .cross_sigma = 1e-3,
        .quantum = 1.9e-6 * G0,
        .range = 10.0 * G0,
    };
    return def;
}

void tyi_inertial_imu_triad_csens(ty_imu_triad *t, double dt, double sigma_a, double mu_a, double b0, double tb,
                                  double mu_b)
{
    t->noise = sigma_a * sqrt(dt);
    t->walk = b0 / sqrt(tb);
    t->ramp = mu_b / dt;
    for (int i = 0; i < 3; i++) {
        t->bias[i] = mu_a;
    }
}

#define NUMBER(field, unit, low, high)                                   \
    {                                                                    \
#field, unit, offsetof(ty_imu_def, field), TYI_DOUBLE, low, high \
    }
#define THREE(field, unit, most) \
    NUMBER(field[0], unit, -(most), most), NUMBER(field[1], unit, -(most), most), NUMBER(field[2], unit, -(most), most)
#define TRIAD(t, u)                                                                                                 \
    NUMBER(t.noise, u "/sqrt(Hz)", 0.0, 1e3), NUMBER(t.instability, u, 0.0, 1e3),                                   \
        NUMBER(t.walk, u "/sqrt(s)", 0.0, 1e3), NUMBER(t.ramp, u "/s", -1e3, 1e3), THREE(t.bias, u, 1e3),           \
        THREE(t.scale, "", 0.5), NUMBER(t.cross[0], "rad", -0.5, 0.5), NUMBER(t.cross[1], "rad", -0.5, 0.5),        \
        NUMBER(t.cross[2], "rad", -0.5, 0.5), NUMBER(t.cross[3], "rad", -0.5, 0.5),                                 \
        NUMBER(t.cross[4], "rad", -0.5, 0.5), NUMBER(t.cross[5], "rad", -0.5, 0.5),                                 \
        THREE(t.g_bias, u "/(m/s^2)", 1e3), NUMBER(t.bias_sigma, u, 0.0, 1e3), NUMBER(t.scale_sigma, "", 0.0, 0.1), \
        NUMBER(t.cross_sigma, "rad", 0.0, 0.1), NUMBER(t.g_sigma, u "/(m/s^2)", 0.0, 1e3),                          \
        NUMBER(t.quantum, u, 0.0, 1e3), NUMBER(t.range, u, 1e-6, 1e9)

static const tyi_limit limits[] = {
    TRIAD(gyro, "rad/s"),
    TRIAD(accel, "m/s^2"),
    NUMBER(rate, "Hz", 0.01, 1e5),
    NUMBER(longest, "s", 1e-3, 1e9),
    NUMBER(gravity, "m/s^2", 0.0, 100.0),
    { 0 },
};
const tyi_rules tyi_inertial_imu_rules = { "imu", limits, NULL };

void tyi_inertial_normal6(uint64_t seed, uint32_t purpose, uint32_t sensor, uint64_t counter, double out[6])
{
    uint32_t low = (uint32_t)counter, high = (uint32_t)(counter >> 32);
    /* the halves differ in the counter's top bit, which no run reaches */
    ty_k_u32x4 a = ty_k_philox(low, high, sensor, (uint32_t)(seed >> 32), (uint32_t)seed, purpose);
    ty_k_u32x4 b = ty_k_philox(low, high | 0x80000000u, sensor, (uint32_t)(seed >> 32), (uint32_t)seed, purpose);
    const uint32_t word[6] = { a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1] };
    for (int i = 0; i < 6; i += 2) {
        double u0 = ty_k_uniform(word[i]), u1 = ty_k_uniform(word[i + 1]);
        out[i] = ty_k_normal(u0, u1, 0);
        out[i + 1] = ty_k_normal(u0, u1, 1);
    }
}

/* this device, this time: what its sigmas draw on top of what is given */
static void draw(ty_imu *imu, int which, const ty_imu_triad *t)
{
    const ty_imu_def *def = &imu->def;
    double n[3][6];
    for (uint64_t k = 0; k < 3; k++) {
        tyi_inertial_normal6(def->seed, TY_RNG_IMU_DEVICE, def->sensor, 3 * (uint64_t)which + k, n[k]);
    }
    for (int i = 0, c = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            imu->matrix[which][i][j] =
                i == j ? 1.0 + t->scale[i] + t->scale_sigma * n[0][i] : t->cross[c] + t->cross_sigma * n[1][c];
            c += i != j;
        }
        imu->bias[3 * which + i] = t->bias[i] + t->bias_sigma * n[0][3 + i];
        imu->g_bias[3 * which + i] = t->g_bias[i] + t->g_sigma * n[2][i];
        imu->flicker_sigma[3 * which + i] = ty_k_flicker_sigma(t->instability);
        imu->walk_sigma[3 * which + i] = ty_k_walk_sigma(t->walk, 1.0 / def->rate);
    }
}

ty_status ty_imu_create(const ty_imu_def *def, ty_imu *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "imu: the definition was not started by ty_imu_def_default()");
    }
    ty_status status = tyi_rules_check(&tyi_inertial_imu_rules, def, diag);
    if (status != TY_OK) {
        return status;
    }
    out->def = *def;
    draw(out, 0, &def->gyro);
    draw(out, 1, &def->accel);
    /* time constants 2, 4, 8 ... samples, until the longest is reached */
    double ratio = def->longest * def->rate / 2.0;
    out->rows = ratio <= 1.0 ? 1 : 1 + (int)ceil(log2(ratio));
    if (out->rows > TY_IMU_ROWS) {
        out->rows = TY_IMU_ROWS;
    }
    /* the processes are in their steady state from the start */
    for (int r = 0; r < out->rows; r++) {
        double n[6];
        tyi_inertial_normal6(def->seed, TY_RNG_IMU_START, def->sensor, (uint64_t)r, n);
        for (int i = 0; i < 6; i++) {
            out->state.row[r][i] = out->flicker_sigma[i] * n[i];
            out->state.flicker[i] += out->state.row[r][i];
        }
    }
    return TY_OK;
}
