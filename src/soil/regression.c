/* src/soil/regression.c - slip and sinkage by regression: the paper's numbers around the formulas of k_ddt.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "tycho/soil.h"
#include "k_ddt.h"

ty_regression_params ty_regression_params_default(void)
{
    return (ty_regression_params){ .slip_v = 0.0265,
                                   .slip_0 = 0.0256,
                                   .slope_v = 0.00522,
                                   .slope_0 = 0.00105,
                                   .sink_s = 33.56,
                                   .sink_f = 0.9291,
                                   .sink_0 = 3.11,
                                   .fref = 8.72,
                                   .cookie = TYI_COOKIE };
}

static ty_k_ddt fit_of(const ty_regression_params *p)
{
    TY_ASSERT(p->cookie == TYI_COOKIE);
    return (ty_k_ddt){ p->slip_v, p->slip_0, p->slope_v, p->slope_0, p->sink_s, p->sink_f, p->sink_0 };
}

double ty_regression_slip(const ty_regression_params *params, double vw, double slope)
{
    return ty_k_ddt_slip(fit_of(params), vw, slope);
}

double ty_regression_speed(double s, double vw)
{
    return ty_k_ddt_speed(s, vw);
}

double ty_regression_sinkage(const ty_regression_params *params, double s, double fz)
{
    return ty_k_ddt_sinkage(fit_of(params), s, fz, params->fref);
}

double ty_regression_stiffness(double fz, double z, double grouser_h, int contacts)
{
    return ty_k_ddt_stiffness(fz, z, grouser_h, (double)contacts, 0.0, 0.0);
}
