/* src/core/name.c - the one rule for names that become files, topics and columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core.h"

bool tyi_name_ok(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return name[0] && name[0] != '.' && !name[strspn(name, allowed)];
}

static char fold(char c)
{
    return c == '-' || c == '.' ? '_' : c;
}

bool tyi_name_same(const char *a, const char *b)
{
    while (*a && fold(*a) == fold(*b)) {
        a++, b++;
    }
    return fold(*a) == fold(*b);
}
