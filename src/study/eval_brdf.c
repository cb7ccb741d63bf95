/* src/study/eval_brdf.c - `tycho eval brdf`: the other reflectance laws, kernels/k_brdf.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "eval.h"
#include "k_brdf.h"
#include "tycho/math.h"

enum { NAME, ALBEDO, K, SIGMA, EXPONENT, SPECULAR, ROUGHNESS, METALLIC, INC, EMI, AZ };

static const ty_eval_input inputs[] = {
    { "name", NULL, true },        { "albedo", "1", false },   { "k", "1", false },
    { "sigma_deg", "0", false },   { "exponent", "1", false }, { "specular", "0.5", false },
    { "roughness", "0.5", false }, { "metallic", "0", false }, { "i_deg", NULL, false },
    { "e_deg", NULL, false },      { "az_deg", "0", false },   { NULL, NULL, false },
};
static const char *const outputs[] = { "brdf", NULL };

static const char *const laws[] = {
    /* in the order of enum ty_k_brdf_law */
    "lambert", "lommel_seeliger", "minnaert", "oren_nayar", "phong", "principled",
};
#define LAWS ((int)(sizeof laws / sizeof laws[0]))

static const struct {
    int column;
    double low, high;
    const char *accepted;
} ranges[] = {
    { ALBEDO, 0.0, 1.0, "0 to 1" },     { K, 0.5, 10.0, "0.5 to 10" },    { SIGMA, 0.0, 90.0, "0 to 90" },
    { EXPONENT, 0.0, 1e6, "0 to 1e6" }, { SPECULAR, 0.0, 1.0, "0 to 1" }, { ROUGHNESS, 0.0, 1.0, "0 to 1" },
    { METALLIC, 0.0, 1.0, "0 to 1" },   { INC, 0.0, 90.0, "0 to 90" },    { EMI, 0.0, 90.0, "0 to 90" },
};

static ty_status row(const ty_eval_row *r, ty_diag *diag)
{
    const double *x = r->number;
    int law = 0;
    while (law < LAWS && strcmp(laws[law], r->text[NAME])) {
        law++;
    }
    if (law == LAWS) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "name is '%s', but takes lambert, lommel_seeliger, minnaert, oren_nayar, "
                       "phong or principled",
                       r->text[NAME]);
    }
    for (size_t n = 0; n < sizeof ranges / sizeof ranges[0]; n++) {
        int column = ranges[n].column;
        if (!(x[column] >= ranges[n].low && x[column] <= ranges[n].high)) {
            return ty_fail(diag, TY_ERR_RANGE, "%s is %g, but takes %s", inputs[column].name, x[column],
                           ranges[n].accepted);
        }
    }
    ty_k_brdf m = { .law = law,
                    .albedo = x[ALBEDO],
                    .k = x[K],
                    .sigma = x[SIGMA] * TY_DEG,
                    .exponent = x[EXPONENT],
                    .specular = x[SPECULAR],
                    .roughness = x[ROUGHNESS],
                    .metallic = x[METALLIC] };
    r->out[0] = ty_k_brdf_eval(m, ty_k_angles_from(x[INC] * TY_DEG, x[EMI] * TY_DEG, x[AZ] * TY_DEG));
    return TY_OK;
}

const ty_eval_model tyi_study_eval_brdf = { "brdf", inputs, outputs, row };
