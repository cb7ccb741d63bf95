/* The helpers of k_base.h, that sums of products are not contracted on either side, and the controls of the
 * harness itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"

PARITY_TO(clamp, (-2, 2, -1, 0, 0.5, 1), (0, 0, 0), return ty_k_clamp(a[0], a[1], a[2]);)
PARITY_TO(no_fma, (-1, 1, -1, 1, -1, 1), (0, 0, 0), return a[0] * a[1] + a[2];)
PARITY_TO(divide, (-1, 1, 0.1, 1), (0, 0, 0), return a[0] / a[1];)
PARITY_TO(square_root, (0, 100), (0, 0, 0), return sqrt(a[0]);)
PARITY_FILE(k_base)

/* Control: another formula on the device, wrong by 1e-3, must be seen; and so must a NaN. */
TYT_TEST(TYT_PARITY_SUITE, control_another_formula)
{
    tyt_parity_worst worst;
    ty_diag diag = { 0 };
    tyt_parity wrong = square_root_case;
    wrong.body = "return sqrt(a[0]) * (ty_real)1.001;";
    cr_assert(tyt_parity_compare("k_base.h", TYT_PARITY_SINGLE, &wrong, &worst, &diag), "%s", diag.text);
    TY_NEAR(worst.error, 1e-3, 1e-6);
    wrong.body = "return sqrt(-a[0]);";
    cr_assert(tyt_parity_compare("k_base.h", TYT_PARITY_SINGLE, &wrong, &worst, &diag), "%s", diag.text);
    TY_CHECK(isinf(worst.error));
}

/* Control: a contracted multiply-add differs in the last place. */
TYT_TEST(TYT_PARITY_SUITE, control_contraction)
{
    tyt_parity_worst worst;
    ty_diag diag = { 0 };
    tyt_parity contracted = no_fma_case;
    contracted.body = "return fma(a[0], a[1], a[2]);";
    cr_assert(tyt_parity_compare("k_base.h", TYT_PARITY_SINGLE, &contracted, &worst, &diag), "%s", diag.text);
    TY_CHECK(worst.error > 0.0 && worst.error < 1.0);
}

/* Control: what does not compile is a sentence with the compiler's words, not a pass. */
TYT_TEST(TYT_PARITY_SUITE, control_broken_body)
{
    tyt_parity_worst worst;
    ty_diag diag = { 0 };
    tyt_parity wrong = square_root_case;
    wrong.body = "return no_such_function(a[0]);";
    TY_CHECK(!tyt_parity_compare("k_base.h", TYT_PARITY_SINGLE, &wrong, &worst, &diag));
    TY_CHECK(diag.status == TY_ERR_DEVICE && strstr(diag.text, "no_such_function"));
}
