/* The helpers of k_base.h, that sums of products are not contracted on either side, and the
 * controls of the harness itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"

PARITY_TO(clamp, (-2, 2, -1, 0, 0.5, 1), (0, 0, 0), return ty_k_clamp(a[0], a[1], a[2]);)
PARITY_TO(no_fma, (-1, 1, -1, 1, -1, 1), (0, 0, 0), return a[0] * a[1] + a[2];)
PARITY_TO(divide, (-1, 1, 0.1, 1), (0, 0, 0), return a[0] / a[1];)
PARITY_TO(square_root, (0, 100), (0, 0, 0), return sqrt(a[0]);)
PARITY_FILE(k_base)

#ifndef TY_KERNEL_FLOAT /* the harness is the same in both precisions */
/* Controls: a formula wrong by 1e-3, a NaN on one side, and a contracted multiply-add, wrong in the last place. */
TY_TEST(parity_control, another_formula_is_seen)
{
    tyt_parity wrong[3] = { square_root_case, square_root_case, no_fma_case };
    tyt_parity_worst worst[3];
    ty_diag diag = { 0 };
    wrong[0].name = "scaled";
    wrong[0].body = "return sqrt(a[0]) * 1.001;";
    wrong[0].next = &wrong[1];
    wrong[1].name = "not_a_number";
    wrong[1].body = "return sqrt(-a[0]);";
    wrong[1].next = &wrong[2];
    wrong[2].body = "return fma(a[0], a[1], a[2]);";
    wrong[2].next = NULL;
    cr_assert(tyt_parity_compare("k_base.h", false, wrong, worst, &diag), "%s", diag.text);
    TY_NEAR(worst[0].error, 1e-3, 1e-6);
    TY_CHECK(isinf(worst[1].error));
    TY_CHECK(worst[2].error > 0.0 && worst[2].error < 1.0);
}

/* Control: what does not compile is a sentence with the compiler's words, not a pass. */
TY_TEST(parity_control, broken_body_is_seen)
{
    tyt_parity_worst worst;
    ty_diag diag = { 0 };
    tyt_parity wrong = square_root_case;
    wrong.body = "return no_such_function(a[0]);";
    wrong.next = NULL;
    TY_CHECK(!tyt_parity_compare("k_base.h", false, &wrong, &worst, &diag));
    TY_CHECK(diag.status == TY_ERR_DEVICE && strstr(diag.text, "no_such_function"));
}
#endif
