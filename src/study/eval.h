/* src/study/eval.h - the formulas of tycho/tools/eval.h, each family in its own eval_NAME.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_EVAL_H
#define TYI_STUDY_EVAL_H
#include "tycho/tools/eval.h"

extern const ty_eval_model tyi_study_eval_hapke;
extern const ty_eval_model tyi_study_eval_brdf;
extern const ty_eval_model tyi_study_eval_camera_project;
extern const ty_eval_model tyi_study_eval_camera_ray;
extern const ty_eval_model tyi_study_eval_exposure;
extern const ty_eval_model tyi_study_eval_sky;
extern const ty_eval_model tyi_study_eval_mu_i, tyi_study_eval_hertz, tyi_study_eval_dust_optics;
extern const ty_eval_model tyi_study_eval_wheel, tyi_study_eval_slip_regression, tyi_study_eval_sinkage_regression;

#endif
