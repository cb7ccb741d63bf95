/* src/core/number.c - numbers as files write them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include "core.h"

double tyi_number(const char *text, char **end)
{
    assert(text);
    /* the C library keeps this one: nothing is allocated */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = plain ? strtod_l(text, end, plain) : strtod(text, end);
    if (plain) {
        freelocale(plain);
    }
    return value;
}
