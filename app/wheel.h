/* app/wheel.h - what the parts of `tycho wheel` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_WHEEL_H
#define TYCHO_APP_WHEEL_H
#include <stdio.h>
#include "app.h"
#include "io/out_file.h"
#include "study/wheel_fit.h"

#define WHEEL_STEPS 200 /* of one sweep */

/* values of a swept quantity */
typedef struct wheel_sweep {
    double value[WHEEL_STEPS];
    int count;
} wheel_sweep;

typedef struct wheel_job {
    ty_rig_def rig;
    wheel_sweep load, slip, beta_deg, speed;
    tyi_study_wheel_set data;
    const char *csv, *plot; /* files; NULL: standard output, no plot */
    bool quiet;
} wheel_job;

/* Each returns an exit code. */
int wheel_run_sweep(const wheel_job *job);
int wheel_run_plate(const wheel_job *job, const wheel_sweep *width, double depth);
int wheel_run_shear(const wheel_job *job, const wheel_sweep *normal, double way);
int wheel_run_fit(const wheel_job *job, const char *free_list);

#endif
