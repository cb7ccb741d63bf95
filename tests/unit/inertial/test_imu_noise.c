/* An IMU's noise against what was put in: distribution by chi-square, and Allan readings over a hundred hours.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sensor/inertial/allan.h"
#include "tycho/imu.h"
#include "sensor/inertial/inner.h"
#include "normal.h"
#include "tyt.h"

static const ty_vec3 zero = { 0.0, 0.0, 0.0 };

/* samples of all six sensors at rest, one column each; false: failed */
static bool record(const ty_imu_def *def, size_t n, double *out[6])
{
    ty_imu imu;
    ty_diag diag = { 0 };
    if (ty_imu_create(def, &imu, &diag) != TY_OK) {
        return false;
    }
    ty_imu_motion rest = { .pose = { zero, ty_quat_identity() } };
    for (size_t i = 0; i < n; i++) {
        ty_imu_sample s;
        ty_imu_step(&imu, &rest, 1.0 / def->rate);
        if (ty_imu_read(&imu, &s, &diag) != TY_OK) {
            return false;
        }
        const double v[6] = { s.rate_S.x, s.rate_S.y, s.rate_S.z, s.force_S.x, s.force_S.y, s.force_S.z };
        for (int k = 0; k < 6; k++) {
            out[k][i] = v[k];
        }
    }
    return true;
}

TY_TEST(imu_noise, white_noise_is_normal)
{
    enum { N = 200000 };
    static double data[6][N];
    double *columns[6] = { data[0], data[1], data[2], data[3], data[4], data[5] };
    ty_imu_def def = ty_imu_def_ideal();
    def.gyro.noise = 2e-4;
    def.accel.noise = 3e-3;
    def.rate = 50.0;
    cr_assert(record(&def, N, columns));
    for (int k = 0; k < 6; k++) {
        double sigma = (k < 3 ? 2e-4 : 3e-3) * sqrt(50.0), mean = k == 5 ? 1.62 : 0.0;
        TYT_NORMAL(data[k], N, mean, sigma);
        /* no two sensors, and no two neighbours in time, know of each other */
        double next = 0.0, other = 0.0;
        for (size_t i = 0; i + 1 < N; i++) {
            next += (data[k][i] - mean) * (data[k][i + 1] - mean) / (sigma * sigma);
            double s2 = ((k + 1) % 6 < 3 ? 2e-4 : 3e-3) * sqrt(50.0), m2 = (k + 1) % 6 == 5 ? 1.62 : 0.0;
            other += (data[k][i] - mean) * (data[(k + 1) % 6][i] - m2) / (sigma * s2);
        }
        TY_NEAR(next / sqrt(N), 0.0, 4.0);
        TY_NEAR(other / sqrt(N), 0.0, 4.0);
    }
}

/* [csens] (5): after n steps the bias has a variance of n b0^2 dt/tb and a mean of n mu_b */
TY_TEST(imu_noise, walk_of_the_paper)
{
    enum { SEEDS = 3000, STEPS = 64 };
    const double dt = 0.01, b0 = 0.02, tb = 300.0, mu_b = 1e-6;
    double sum = 0.0, squares = 0.0;
    for (int seed = 0; seed < SEEDS; seed++) {
        static double data[6][STEPS];
        double *columns[6] = { data[0], data[1], data[2], data[3], data[4], data[5] };
        ty_imu_def def = ty_imu_def_ideal();
        tyi_inertial_imu_triad_csens(&def.gyro, dt, 0.0, 0.5, b0, tb, mu_b);
        def.rate = 1.0 / dt;
        def.seed = (uint64_t)seed;
        cr_assert(record(&def, STEPS, columns));
        for (int k = 0; k < 3; k++) {
            double b = data[k][STEPS - 1] - 0.5;
            sum += b;
            squares += b * b;
        }
    }
    double n = 3.0 * SEEDS, mean = sum / n, sigma = sqrt(squares / n - mean * mean);
    double want = b0 * sqrt(dt / tb) * sqrt(STEPS);
    TY_NEAR_REL(sigma, want, 4.0 / sqrt(2.0 * n));
    TY_NEAR(mean, STEPS * mu_b, 4.0 * want / sqrt(n));
    TY_FAR_REL(sigma, STEPS * sqrt(b0 * sqrt(dt / tb)), 0.5); /* control: the printed argument taken as a variance */
}

/* mean Allan variance over seeds and axes, then the reading: of gyroscopes, of accelerometers */
static void read_back(const ty_imu_def *base, int seeds, size_t n, tyi_inertial_allan_noise out[2])
{
    double *memory = malloc(7 * (n + 1) * sizeof(double)), *columns[6];
    for (int k = 0; k < 6; k++) {
        columns[k] = memory + (size_t)k * (n + 1);
    }
    size_t m[TYI_INERTIAL_ALLAN_POINTS], count = tyi_inertial_allan_times(n, m);
    tyi_inertial_allan_point mean[2][TYI_INERTIAL_ALLAN_POINTS] = { 0 };
    for (int seed = 0; seed < seeds; seed++) {
        ty_imu_def def = *base;
        def.seed = (uint64_t)seed;
        cr_assert(record(&def, n, columns));
        for (int k = 0; k < 6; k++) {
            tyi_inertial_allan_point p[TYI_INERTIAL_ALLAN_POINTS];
            tyi_inertial_allan(columns[k], n, false, def.rate, m, count, p, memory + 6 * (n + 1), NULL);
            for (size_t i = 0; i < count; i++) {
                tyi_inertial_allan_point *a = &mean[k / 3][i];
                a->m = p[i].m;
                a->tau = p[i].tau;
                a->dev[0] += p[i].dev[0] * p[i].dev[0] / (3.0 * seeds);
            }
        }
    }
    ty_diag diag = { 0 };
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; i < count; i++) {
            mean[which][i].dev[0] = sqrt(mean[which][i].dev[0]);
        }
        cr_assert(tyi_inertial_allan_read(mean[which], count, (double)n, NULL, &out[which], &diag) == TY_OK, "%s",
                  diag.text);
    }
    free(memory);
}

static void report(const char *what, const ty_imu_triad *in, tyi_inertial_allan_noise out)
{
    printf("%s: N %.4g of %.4g (%+.1f %%), B %.4g of %.4g (%+.1f %%), K %.4g of %.4g (%+.1f %%)\n", what, out.N,
           in->noise, 100.0 * (out.N / in->noise - 1.0), out.B, in->instability,
           100.0 * (out.B / in->instability - 1.0), out.K, in->walk,
           in->walk > 0.0 ? 100.0 * (out.K / in->walk - 1.0) : 0.0);
}

/* White noise, instability and walk together, strong enough that each has its part of the curve.
 * 100 hours in all: 25 units for 4 hours at 10 Hz, or, in the long form, 100 units for an hour at
 * 100 Hz and the same again. */
TY_TEST(imu_noise, what_was_put_in_comes_back_after_100_hours)
{
    ty_imu_def def = ty_imu_def_ideal();
    def.gyro.noise = 1e-4;
    def.gyro.instability = 6e-5;
    def.gyro.walk = 2.5e-6;
    def.accel.noise = 2e-3;
    def.accel.instability = 1.2e-3;
    def.accel.walk = 5e-5;
    def.rate = tyt_long() ? 100.0 : 10.0;
    int seeds = tyt_long() ? 50 : 25;
    size_t n = tyt_long() ? 720000 : 144000;
    tyi_inertial_allan_noise out[2];
    read_back(&def, seeds, n, out);
    printf("%.0f hours:\n", seeds * (double)n / def.rate / 3600.0);
    report("gyro", &def.gyro, out[0]);
    report("accel", &def.accel, out[1]);
    for (int k = 0; k < 2; k++) {
        const ty_imu_triad *in = k ? &def.accel : &def.gyro;
        TY_NEAR_REL(out[k].N, in->noise, 0.1);
        TY_NEAR_REL(out[k].B, in->instability, 0.1);
        TY_NEAR_REL(out[k].K, in->walk, 0.1);
    }
    /* controls: more of each is seen, one at a time, with fewer units */
    def.gyro.noise *= 1.25;
    def.accel.instability *= 1.25;
    read_back(&def, seeds / 3, n, out);
    TY_FAR_REL(out[0].N, def.gyro.noise / 1.25, 0.1);
    TY_FAR_REL(out[1].B, def.accel.instability / 1.25, 0.1);
    def.accel.walk *= 1.4;
    read_back(&def, seeds / 3, n, out);
    TY_FAR_REL(out[1].K, def.accel.walk / 1.4, 0.1);
    TY_ROW("IMU noise, instability, walk within 10 % over 100 h", "what was put in", "%.1f %%, %.1f %%, %.1f %%",
           100.0 * tyt_worst_rel("out[k].N"), 100.0 * tyt_worst_rel("out[k].B"), 100.0 * tyt_worst_rel("out[k].K"));
}

/* flicker alone: the curve is level at 0.664 B from thirty samples to a tenth of its longest time */
TY_TEST(imu_noise, flicker_is_level)
{
    enum { N = 1 << 16, SEEDS = 20 };
    double *memory = malloc(7 * (N + 1) * sizeof(double)), *columns[6], sum[18] = { 0.0 };
    for (int k = 0; k < 6; k++) {
        columns[k] = memory + (size_t)k * (N + 1);
    }
    for (int seed = 0; seed < SEEDS; seed++) {
        ty_imu_def def = ty_imu_def_ideal();
        def.gyro.instability = def.accel.instability = 1.0;
        def.rate = 1.0;
        def.longest = 1e6;
        def.seed = (uint64_t)seed;
        cr_assert(record(&def, N, columns));
        for (int k = 0; k < 6; k++) {
            for (size_t j = 0; j < 13; j++) {
                size_t m = (size_t)1 << j;
                tyi_inertial_allan_point p;
                tyi_inertial_allan(columns[k], N, false, 1.0, &m, 1, &p, memory + 6 * (N + 1), NULL);
                sum[j] += p.dev[0] * p.dev[0] / (6.0 * SEEDS);
            }
        }
    }
    for (int j = 0; j < 13; j++) {
        printf("flicker: tau %6d, Allan deviation %.4f B\n", 1 << j, sqrt(sum[j]));
        if (j >= 5) {
            TY_NEAR_REL(sqrt(sum[j]), 0.6643, 0.05);
        }
    }
    TY_FAR_REL(sqrt(sum[12]), 0.6643 * sqrt(2.0), 0.05); /* control */
    free(memory);
}
