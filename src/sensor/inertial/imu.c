/* src/sensor/inertial/imu.c - an IMU's step and sample.
 *
 * The flicker of the biases is a sum of Gauss-Markov processes, process i with a time constant of
 * 2^(i+1) samples (k_imu.h). Each is renewed once per time constant and held in between (the sum's
 * mean spectrum depends on the variances alone, not on the shape of one process's spectrum): with
 * every sample at most one of them, process i in sample n when 2^i is the highest power of two that
 * divides n, as in the Voss-McCartney generator. So the cost of a sample does not grow with the
 * number of decades.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "imu.h"
#include "k_imu.h"
#include "k_philox.h"

/* rotation vector [rad] of a unit quaternion, the shorter way */
static ty_vec3 rotation(ty_quat q)
{
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double w = q.w < 0.0 ? -q.w : q.w;
    /* below 1e-8 the ratio angle/s is 2 to rounding */
    double ratio = s > 1e-8 ? 2.0 * atan2(s, w) / s : 2.0;
    return ty_scale(q.w < 0.0 ? -ratio : ratio, ty_vec3_make(q.x, q.y, q.z));
}

static ty_quat halfway(ty_quat a, ty_quat b)
{
    double side = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0 ? -1.0 : 1.0;
    ty_quat sum = { a.w + side * b.w, a.x + side * b.x, a.y + side * b.y, a.z + side * b.z };
    return ty_quat_normalize(sum);
}

static ty_vec3 lever(ty_vec3 alpha, ty_vec3 omega, ty_vec3 r)
{
    ty_k_vec3 a =
        ty_k_lever(ty_k_vec(alpha.x, alpha.y, alpha.z), ty_k_vec(omega.x, omega.y, omega.z), ty_k_vec(r.x, r.y, r.z));
    return ty_vec3_make(a.x, a.y, a.z);
}

void ty_imu_begin(ty_imu *imu)
{
    imu->state.angle_B = imu->state.speed_B = ty_vec3_make(0.0, 0.0, 0.0);
    imu->state.time = 0.0;
}

void ty_imu_step(ty_imu *imu, const ty_imu_motion *m, double dt)
{
    ty_imu_state *s = &imu->state;
    TY_ASSERT(dt > 0.0);
    /* the turn between the two attitudes, so that what is summed up is what the body turned */
    ty_vec3 turn = ty_scale(dt, m->omega_B);
    ty_quat middle = m->pose.q;
    if (s->started) {
        turn = rotation(ty_quat_mul(ty_quat_conj(s->q_WB), m->pose.q));
        middle = halfway(s->q_WB, m->pose.q);
    }
    s->q_WB = m->pose.q;
    s->started = true;
    /* [csens] (5): a - g, at the sensor's place, everything as of the middle of the step */
    ty_vec3 a = ty_add(m->a_W, ty_vec3_make(0.0, 0.0, imu->def.gravity));
    ty_vec3 force =
        ty_add(ty_rotate(ty_quat_conj(middle), a), lever(m->alpha_B, ty_scale(1.0 / dt, turn), imu->def.mount.p));
    s->angle_B = ty_add(s->angle_B, turn);
    s->speed_B = ty_add(s->speed_B, ty_scale(dt, force));
    s->time += dt;
}

/* biases move on by one sample */
static void drift(ty_imu *imu)
{
    ty_imu_state *s = &imu->state;
    const ty_imu_def *def = &imu->def;
    const ty_imu_triad *triad[2] = { &def->gyro, &def->accel };
    double n[6];
    int row = s->sample ? __builtin_ctzll(s->sample) : imu->rows;
    if (row < imu->rows && (def->gyro.instability > 0.0 || def->accel.instability > 0.0)) {
        const double keep = 0.36787944117144233, kick = 0.9298734950321937; /* exp(-1), sqrt(1 - exp(-2)) */
        tyi_inertial_normal6(def->seed, TY_RNG_IMU_FLICKER, def->sensor, s->sample, n);
        for (int i = 0; i < 6; i++) {
            double value = keep * s->row[row][i] + kick * imu->flicker_sigma[i] * n[i];
            s->flicker[i] += value - s->row[row][i];
            s->row[row][i] = value;
        }
    }
    if (def->gyro.walk > 0.0 || def->accel.walk > 0.0) {
        tyi_inertial_normal6(def->seed, TY_RNG_IMU_WALK, def->sensor, s->sample, n);
        for (int i = 0; i < 6; i++) {
            s->walk[i] += imu->walk_sigma[i] * n[i];
        }
    }
    for (int i = 0; i < 6; i++) {
        s->walk[i] += triad[i / 3]->ramp / def->rate;
    }
}

static double limited(double x, const ty_imu_triad *t, unsigned bit, unsigned *clipped)
{
    x = ty_k_quantise(x, t->quantum);
    if (fabs(x) >= t->range) {
        *clipped |= 1u << bit;
        return copysign(t->range, x);
    }
    return x;
}

/* what three sensors make of the truth x, under specific force f */
static ty_vec3 measure(const ty_imu *imu, int which, ty_vec3 x, ty_vec3 f, const double white[6], ty_vec3 *bias,
                       unsigned *clipped)
{
    const ty_imu_triad *t = which ? &imu->def.accel : &imu->def.gyro;
    const double in[3] = { x.x, x.y, x.z }, force[3] = { f.x, f.y, f.z };
    double out[3], b[3];
    for (int i = 0; i < 3; i++) {
        int k = 3 * which + i;
        const double *m = imu->matrix[which][i];
        b[i] = imu->bias[k] + imu->state.walk[k] + imu->state.flicker[k] + imu->g_bias[k] * force[i];
        double y = m[0] * in[0] + m[1] * in[1] + m[2] * in[2] + b[i];
        y += ty_k_white_sigma(t->noise, imu->state.time) * white[k];
        out[i] = limited(y, t, (unsigned)k, clipped);
    }
    *bias = ty_vec3_make(b[0], b[1], b[2]);
    return ty_vec3_make(out[0], out[1], out[2]);
}

ty_status ty_imu_read(ty_imu *imu, ty_imu_sample *out, ty_diag *diag)
{
    ty_imu_state *s = &imu->state;
    const ty_imu_def *def = &imu->def;
    if (!(s->time > 0.0)) {
        return ty_fail(diag, TY_ERR_INPUT, "imu: a sample was asked for, but no step was collected");
    }
    drift(imu);
    double white[6] = { 0.0 };
    if (def->gyro.noise > 0.0 || def->accel.noise > 0.0) {
        tyi_inertial_normal6(def->seed, TY_RNG_IMU_WHITE, def->sensor, s->sample, white);
    }
    ty_quat to_S = ty_quat_conj(def->mount.q);
    ty_imu_sample r = { .index = s->sample, .window = s->time };
    r.true_rate_S = ty_rotate(to_S, ty_scale(1.0 / s->time, s->angle_B));
    r.true_force_S = ty_rotate(to_S, ty_scale(1.0 / s->time, s->speed_B));
    r.rate_S = measure(imu, 0, r.true_rate_S, r.true_force_S, white, &r.gyro_bias, &r.clipped);
    r.force_S = measure(imu, 1, r.true_force_S, r.true_force_S, white, &r.accel_bias, &r.clipped);
    r.delta_theta = ty_scale(s->time, r.rate_S);
    r.delta_v = ty_scale(s->time, r.force_S);
    s->sample++;
    ty_imu_begin(imu);
    *out = r;
    return TY_OK;
}
