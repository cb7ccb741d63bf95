/* src/study/eval_hapke.c - `tycho eval hapke`: reflectance of regolith, kernels/k_hapke.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eval.h"
#include "k_hapke.h"
#include "tycho/math.h"

enum { W, B, C, BS0, HS, BC0, HC, THETA, PHI, INC, EMI, AZ, H };

static const ty_eval_input inputs[] = {
    { "w", NULL, false },  { "b", NULL, false },     { "c", NULL, false },     { "bs0", "0", false },
    { "hs", "1", false },  { "bc0", "0", false },    { "hc", "1", false },     { "theta_deg", "0", false },
    { "phi", "0", false }, { "i_deg", NULL, false }, { "e_deg", NULL, false }, { "az_deg", "0", false },
    { "h", "02", false },  { NULL, NULL, false },
};
static const char *const outputs[] = { "r", "brdf", "radf", "g_deg", NULL };

/* what each number may be; az_deg may be anything */
static const struct {
    int column;
    double low, high;
    const char *accepted;
} ranges[] = {
    { W, 0.0, 1.0, "0 to 1" },        { B, 0.0, 0.999, "0 to 0.999" },  { C, -1.0, 1.0, "-1 to 1" },
    { BS0, 0.0, 100.0, "0 to 100" },  { HS, 1e-6, 1e6, "1e-6 to 1e6" }, { BC0, 0.0, 100.0, "0 to 100" },
    { HC, 1e-6, 1e6, "1e-6 to 1e6" }, { THETA, 0.0, 85.0, "0 to 85" },  { PHI, 0.0, 0.75, "0 to 0.75" },
    { INC, 0.0, 90.0, "0 to 90" },    { EMI, 0.0, 90.0, "0 to 90" },
};

static ty_status row(const ty_eval_row *r, ty_diag *diag)
{
    const double *x = r->number;
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        int column = ranges[k].column;
        if (!(x[column] >= ranges[k].low && x[column] <= ranges[k].high)) {
            return ty_fail(diag, TY_ERR_RANGE, "%s is %g, but takes %s", inputs[column].name, x[column],
                           ranges[k].accepted);
        }
    }
    if (x[H] != 81.0 && x[H] != 2.0) {
        return ty_fail(diag, TY_ERR_INPUT, "h is '%s', but takes 81 or 02", r->text[H]);
    }
    ty_k_hapke_params params = { .w = x[W],
                                 .b = x[B],
                                 .c = x[C],
                                 .bs0 = x[BS0],
                                 .hs = x[HS],
                                 .bc0 = x[BC0],
                                 .hc = x[HC],
                                 .theta = x[THETA] * TY_DEG,
                                 .phi = x[PHI],
                                 .h81 = x[H] > 80.0 };
    ty_k_angles angles = ty_k_angles_from(x[INC] * TY_DEG, x[EMI] * TY_DEG, x[AZ] * TY_DEG);
    double brdf = ty_k_hapke_brdf(ty_k_hapke_make(params), angles);
    r->out[0] = brdf * angles.mu0;
    r->out[1] = brdf;
    r->out[2] = TY_PI * brdf * angles.mu0;
    r->out[3] = 2.0 * atan(ty_k_angles_tan_g(angles)) / TY_DEG;
    return TY_OK;
}

const ty_eval_model tyi_study_eval_hapke = { "hapke", inputs, outputs, row };
