/* Formulas as a table for programs: each has names, defaults that it takes, and results; see also tests/cli/eval_*.sh.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tyt.h"
#include "tycho/tools/eval.h"

TY_TEST(eval, a_lambert_surface_in_closed_form)
{
    size_t count;
    const ty_eval_model *const *model = ty_eval_models(&count);
    const ty_eval_model *brdf = NULL;
    for (size_t i = 0; i < count; i++) {
        int inputs = 0, outputs = 0;
        for (; model[i]->inputs[inputs].name; inputs++) {
        }
        for (; model[i]->outputs[outputs]; outputs++) {
        }
        TY_CHECK(inputs > 0 && inputs <= TY_EVAL_COLUMNS && outputs > 0 && outputs <= TY_EVAL_COLUMNS && model[i]->row);
        brdf = strcmp(model[i]->name, "brdf") ? brdf : model[i];
    }
    cr_assert(brdf);
    double number[TY_EVAL_COLUMNS] = { 0 }, out[TY_EVAL_COLUMNS] = { 0 };
    const char *text[TY_EVAL_COLUMNS] = { NULL };
    for (int i = 0; brdf->inputs[i].name; i++) {
        bool name = !strcmp(brdf->inputs[i].name, "name");
        text[i] = name ? "lambert" : "";
        number[i] = !strcmp(brdf->inputs[i].name, "albedo")  ? 0.25
                    : !strcmp(brdf->inputs[i].name, "i_deg") ? 30.0
                    : brdf->inputs[i].text                   ? strtod(brdf->inputs[i].text, NULL)
                                                             : 0.0;
    }
    ty_eval_row row = { number, text, out };
    ty_diag diag = { 0 };
    cr_assert(brdf->row(&row, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(fabs(out[0] - 0.25 / 3.14159265358979323846) < 1e-15);
    for (int i = 0; brdf->inputs[i].name; i++) {
        text[i] = strcmp(brdf->inputs[i].name, "name") ? "" : "absent";
    }
    TY_CHECK(brdf->row(&row, &diag) == TY_ERR_INPUT && strstr(diag.text, "absent")); /* control */
}
