/* src/sensor/inertial/allan.h - how a signal's mean wanders: Allan deviation and its relatives, and what
 * noise they tell of. Definitions: NIST SP 1065 [riley2008], noise terms: IEEE Std 952 [ieee952].
 *
 * Threads: functions of their arguments only.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_INERTIAL_ALLAN_H
#define TYI_SENSOR_INERTIAL_ALLAN_H
#include "tycho/base.h"

/* Every statistic, its name in files, and what it is, once. */
#define TYI_INERTIAL_ALLAN_LIST(X)                                              \
    X(TY_ALLAN_OADEV, "oadev", "overlapping Allan deviation: the one to read")  \
    X(TY_ALLAN_ADEV, "adev", "Allan deviation, intervals side by side")         \
    X(TY_ALLAN_MDEV, "mdev", "modified Allan deviation")                        \
    X(TY_ALLAN_TDEV, "tdev", "time deviation [unit times s], tau mdev/sqrt(3)") \
    X(TY_ALLAN_HDEV, "hdev", "Hadamard deviation, intervals side by side")      \
    X(TY_ALLAN_OHDEV, "ohdev", "overlapping Hadamard deviation")                \
    X(TY_ALLAN_TOTDEV, "totdev", "total deviation: data mirrored at both ends")

typedef enum tyi_inertial_allan_kind {
#define TYI_INERTIAL_ALLAN_ENUM(id, name, what) id,
    TYI_INERTIAL_ALLAN_LIST(TYI_INERTIAL_ALLAN_ENUM)
#undef TYI_INERTIAL_ALLAN_ENUM
        TYI_INERTIAL_ALLAN_COUNT
} tyi_inertial_allan_kind;

typedef struct tyi_inertial_allan_point {
    size_t m;                             /* samples averaged */
    double tau;                           /* [s] */
    double dev[TYI_INERTIAL_ALLAN_COUNT]; /* NaN where there are too few data */
} tyi_inertial_allan_point;

#define TYI_INERTIAL_ALLAN_POINTS 96

/* Averaging times for n samples: 1, 2, 4, 8 ... and 1, 10, 100 ... in rising order, up to half of
 * the data. Returns how many. */
size_t tyi_inertial_allan_times(size_t n, size_t m[TYI_INERTIAL_ALLAN_POINTS]);

/* Of n samples taken every 1/rate [s]: of the signal itself (a rate: rad/s), or, where `integral`,
 * of its integral (an angle, a clock's phase). Fills points[k] for m[k], k < count. `scratch` is
 * n + 1 numbers of the caller's. TY_ERR_RANGE: n < 3, a rate not positive. TY_ERR_NUMERIC: data are
 * not finite. */
ty_status tyi_inertial_allan(const double *data, size_t n, bool integral, double rate, const size_t *m, size_t count,
                             tyi_inertial_allan_point *points, double *scratch, ty_diag *diag);

/* What noise makes such a curve. u is the signal's unit. */
typedef struct tyi_inertial_allan_noise {
    double Q; /* [u s]         quantisation of the integral, slope -1 */
    double N; /* [u/sqrt(Hz)]  white noise, slope -1/2 */
    double B; /* [u]           bias instability (flicker), level 0.664 B */
    double K; /* [u/sqrt(s)]   random walk of the bias, slope +1/2 */
    double R; /* [u/s]         ramp, slope +1 */
} tyi_inertial_allan_noise;

/* Least squares of oadev^2 over the sum of the terms named in `terms` (letters of QNBKR; NULL:
 * NBK), none of them below zero; each point counts by how well `samples` data determine it.
 * TY_ERR_INPUT: a letter that is no term, fewer points than terms. */
ty_status tyi_inertial_allan_read(const tyi_inertial_allan_point *points, size_t count, double samples,
                                  const char *terms, tyi_inertial_allan_noise *out, ty_diag *diag);
/* The Allan deviation [u] that the noise makes at tau [s]. */
double tyi_inertial_allan_model(const tyi_inertial_allan_noise *noise, double tau);

#endif
