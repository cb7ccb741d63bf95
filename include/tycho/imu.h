/* include/tycho/imu.h - an inertial measurement unit: three gyroscopes and three accelerometers.
 * Model, limits, sources: docs/sensors.md
 *
 *     ty_imu_def def = ty_imu_def_default();
 *     ty_imu imu;
 *     ty_imu_create(&def, &imu, &diag);
 *     for (each step) {
 *         ty_imu_step(&imu, &motion, dt);            // every step of the dynamics
 *         if (the window ends here) {
 *             ty_imu_read(&imu, &sample, &diag);     // mean over what was collected, with its
 * errors
 *         }
 *     }
 *
 * A window starts where the last one was read. One that is shorter than the time between samples is
 * started by ty_imu_begin(). The accelerometer feels specific force, a - g: at rest on level ground
 * it reads +1.62 m/s^2 upwards.
 *
 * A ty_imu owns no memory: a copy of its `state` is all there is to save, and putting it back into
 * an IMU of the same definition restores it. No function allocates. Random numbers are keyed by
 * (seed, sensor, sample): the same bits on any threads. Threads: one IMU, one thread at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_IMU_H
#define TYCHO_IMU_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

/* How a body moves, at the end of a step. ty_vehicle_state has the same fields. */
typedef struct ty_imu_motion {
    ty_pose pose;    /* of B in W */
    ty_vec3 v_W;     /* [m/s] of B's origin */
    ty_vec3 omega_B; /* [rad/s] */
    ty_vec3 a_W;     /* [m/s^2] of B's origin, mean over the step */
    ty_vec3 alpha_B; /* [rad/s^2] mean over the step */
} ty_imu_motion;

/* Errors of three like sensors, unit u: rad/s (gyroscopes) or m/s^2 (accelerometers). The sigmas
 * are of what differs from one device and one switching on to the next: drawn once, by seed and
 * sensor, and added to the given values. */
typedef struct ty_imu_triad {
    double noise;       /* [u/sqrt(Hz)]  white noise N: angle or velocity random walk */
    double instability; /* [u]           bias instability B: flicker; Allan floor 0.664 B */
    double walk;        /* [u/sqrt(s)]   bias random walk K */
    double ramp;        /* [u/s]         steady drift of the bias R */
    double bias[3];     /* [u]           constant */
    double scale[3];    /* [-]           scale factor errors: reads (1 + scale) times the truth */
    double cross[6];    /* [rad]         what axis i reads of axis j: xy, xz, yx, yz, zx, zy */
    double g_bias[3];   /* [u/(m/s^2)]   bias by specific force along the axis (gyroscopes) */
    double bias_sigma, scale_sigma, cross_sigma, g_sigma; /* as bias, scale, cross, g_bias */
    double quantum;                                       /* [u]           step of the output; 0: none */
    double range;                                         /* [u]           reads from -range to range */
} ty_imu_triad;

/* Start from ty_imu_def_default(): the errors of a tactical-grade unit
 * (models/sensors/stim300.yaml). */
typedef struct ty_imu_def {
    ty_imu_triad gyro, accel;
    double rate;     /* [Hz]    100    samples per second, 0.01 to 1e5 */
    double longest;  /* [s]     1e5    slowest part of the flicker */
    double gravity;  /* [m/s^2] TY_GRAVITY_MOON   along -z of W */
    ty_pose mount;   /* of the sensor's frame S in B */
    uint64_t seed;   /* 1 */
    uint32_t sensor; /* 0       tells several IMUs of a run apart */
    uint32_t cookie;
} ty_imu_def;

TY_API ty_imu_def ty_imu_def_default(void);
/* All errors off, no limits: what a perfect unit would read. */
TY_API ty_imu_def ty_imu_def_ideal(void);

#define TY_IMU_ROWS 40 /* most processes that make the flicker */

/* Plain: copy to save. Index 0 to 2 gyroscopes, 3 to 5 accelerometers. */
typedef struct ty_imu_state {
    uint64_t sample; /* samples read so far */
    bool started;    /* there is an attitude before */
    ty_quat q_WB;    /* at the end of the last step */
    ty_vec3 angle_B; /* [rad] turned in the window */
    ty_vec3 speed_B; /* [m/s] integral of specific force over the window */
    double time;     /* [s] collected in the window */
    double walk[6];  /* bias walk and ramp [u] */
    double flicker[6];
    double row[TY_IMU_ROWS][6]; /* what flicker is the sum of */
} ty_imu_state;

typedef struct ty_imu {
    ty_imu_def def;
    double matrix[2][3][3]; /* scale and cross, made at creation */
    double bias[6], g_bias[6];
    double flicker_sigma[6], walk_sigma[6];
    int rows;
    ty_imu_state state;
} ty_imu;

typedef struct ty_imu_sample {
    uint64_t index;                    /* of the sample, from 0 */
    double window;                     /* [s] that was averaged over */
    ty_vec3 rate_S, force_S;           /* [rad/s], [m/s^2] measured, mean over the window */
    ty_vec3 delta_theta, delta_v;      /* [rad], [m/s] the same times the window */
    ty_vec3 true_rate_S, true_force_S; /* without errors */
    ty_vec3 gyro_bias, accel_bias;     /* constant, walk and flicker that are in it */
    unsigned clipped;                  /* bit i: sensor i is at the end of its range (0 to 2 gyro, 3 to 5 accel) */
} ty_imu_sample;

/* TY_ERR_DEF, TY_ERR_RANGE. */
TY_API ty_status ty_imu_create(const ty_imu_def *def, ty_imu *out, ty_diag *diag);
/* Collects a step of dt [s] > 0 that ended in this motion. */
TY_API void ty_imu_step(ty_imu *imu, const ty_imu_motion *motion, double dt);
/* Forgets what was collected: the window starts here. */
TY_API void ty_imu_begin(ty_imu *imu);
/* Ends the window and starts the next. TY_ERR_INPUT: nothing was collected; *out is then unchanged. */
TY_API ty_status ty_imu_read(ty_imu *imu, ty_imu_sample *out, ty_diag *diag);

/* Reads a file of models/sensors, then `count` settings "gyro.range_deg_s=100". Keys that are not
 * there leave a perfect unit (ty_imu_def_ideal). TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT,
 * TY_ERR_RANGE. */
TY_API ty_status ty_imu_load(const char *path, const char *const *settings, size_t count, ty_imu_def *out,
                             ty_diag *diag);

TY_END_DECLS
#endif
