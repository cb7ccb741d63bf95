/* Controls that must fail under the sanitizers: they prove that a leak, and undefined behaviour, fail a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include "tyt.h"

TY_TEST(control, leak)
{
    char *volatile lost = malloc(100);
    lost[0] = 1;
    lost = NULL;
}

TY_TEST(control, undefined)
{
    volatile int big = INT_MAX;
    big = big + 1;
    cr_expect(big < 0);
}
