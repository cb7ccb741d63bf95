/* src/study/eval_exposure.c - `tycho eval exposure`: one pixel through the physical camera, kernels/k_exposure.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "eval.h"
#include "k_exposure.h"
#include "tycho/math.h"

enum {
    RADIANCE,
    LAMBDA,
    QE,
    F_NUMBER,
    PIXEL,
    T,
    THETA,
    G_VIGNET,
    G_AGGREGATOR,
    DARK,
    G_NOISE,
    READ,
    ISO,
    CRF,
    A,
    B,
    GAMMA,
    BITS
};

static const ty_eval_input inputs[] = {
    { "radiance", NULL, false }, { "lambda_nm", "550", false }, { "qe", "1", false },
    { "f_number", "4", false },  { "pixel_um", "5", false },    { "t_s", "0.01", false },
    { "theta_deg", "0", false }, { "g_vignet", "1", false },    { "g_aggregator", "1", false },
    { "dark_e_s", "0", false },  { "g_noise", "1", false },     { "read_e", "0", false },
    { "iso", "1", false },       { "crf", "linear", true },     { "a", "1", false },
    { "b", "0", false },         { "gamma", "1", false },       { "bits", "16", false },
    { NULL, NULL, false },
};
static const char *const outputs[] = { "electrons", "dn", "dn_sigma", NULL };

static const char *const curves[] = { "gamma", "sigmoid", "linear" }; /* in the order of enum ty_k_response */

static const struct {
    int column;
    double low, high;
    const char *accepted;
} ranges[] = {
    { RADIANCE, 0.0, 1e12, "0 or more" },
    { LAMBDA, 1.0, 1e6, "1 to 1e6" },
    { QE, 0.0, 1.0, "0 to 1" },
    { F_NUMBER, 0.1, 1000.0, "0.1 to 1000" },
    { PIXEL, 0.01, 1e4, "0.01 to 1e4" },
    { T, 0.0, 1e6, "0 to 1e6" },
    { THETA, 0.0, 90.0, "0 to 90" },
    { G_VIGNET, 0.0, 1.0, "0 to 1" },
    { G_AGGREGATOR, 0.0, 1e30, "0 or more" },
    { DARK, 0.0, 1e12, "0 or more" },
    { G_NOISE, 0.0, 1e6, "0 or more" },
    { READ, 0.0, 1e9, "0 or more" },
    { ISO, 1e-6, 1e9, "more than 0" },
    { GAMMA, 0.01, 100.0, "0.01 to 100" },
    { BITS, 1.0, 32.0, "1 to 32" },
};

static ty_status row(const ty_eval_row *r, ty_diag *diag)
{
    const double *x = r->number;
    int kind = 0;
    while (kind < 3 && strcmp(curves[kind], r->text[CRF])) {
        kind++;
    }
    if (kind == 3) {
        return ty_fail(diag, TY_ERR_INPUT, "crf is '%s', but takes gamma, sigmoid or linear", r->text[CRF]);
    }
    for (size_t n = 0; n < sizeof ranges / sizeof ranges[0]; n++) {
        int column = ranges[n].column;
        if (!(x[column] >= ranges[n].low && x[column] <= ranges[n].high)) {
            return ty_fail(diag, TY_ERR_RANGE, "%s is %g, but takes %s", inputs[column].name, x[column],
                           ranges[n].accepted);
        }
    }
    double passed = ty_k_vignetting(x[G_VIGNET], cos(x[THETA] * TY_DEG));
    double irradiance = ty_k_image_irradiance(x[RADIANCE], x[F_NUMBER], passed);
    double electrons = ty_k_aggregate(x[G_AGGREGATOR], irradiance, x[PIXEL] * 1e-6, x[T], x[QE], x[LAMBDA] * 1e-9);
    double mean = ty_k_mean_electrons(electrons, x[DARK], x[T]);
    ty_k_response_curve curve = { kind, x[ISO], x[A], x[B], x[GAMMA], exp2(floor(x[BITS])) - 1.0 };
    r->out[0] = electrons;
    r->out[1] = ty_k_digitise(ty_k_response(curve, mean), curve.full);
    r->out[2] = ty_k_response_sigma(curve, mean, ty_k_electron_variance(mean, x[G_NOISE], x[READ]));
    return TY_OK;
}

const ty_eval_model tyi_study_eval_exposure = { "exposure", inputs, outputs, row };
