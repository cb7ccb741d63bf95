/* src/study/eval.c - see tycho/tools/eval.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eval.h"

const ty_eval_model *const *ty_eval_models(size_t *count)
{
    /* one line for each model */
    static const ty_eval_model *const models[] = {
        &tyi_study_eval_hapke,
        &tyi_study_eval_brdf,
        &tyi_study_eval_camera_project,
        &tyi_study_eval_camera_ray,
        &tyi_study_eval_exposure,
        &tyi_study_eval_sky,
        &tyi_study_eval_wheel,
        &tyi_study_eval_slip_regression,
        &tyi_study_eval_sinkage_regression,
        &tyi_study_eval_mu_i,
        &tyi_study_eval_hertz,
        &tyi_study_eval_dust_optics,
    };
    *count = sizeof models / sizeof *models;
    return models;
}
