/* tests/support/plain/plain.c - see criterion/criterion.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "criterion/criterion.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static tyt_plain_case *cases, **last = &cases;
static int failures;

void tyt_plain_add(tyt_plain_case *one)
{
    *last = one;
    last = &one->next;
}

static void say(const char *format, va_list args)
{
    vprintf(format, args);
    putchar('\n');
}

void tyt_plain_failed(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("FAIL ");
    say(format, args);
    va_end(args);
    failures++;
}

void tyt_plain_log(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

_Noreturn void tyt_plain_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("skipped: ");
    say(format, args);
    va_end(args);
    exit(77);
}

int main(void)
{
    int count = 0;
    for (const tyt_plain_case *one = cases; one; one = one->next, count++) {
        printf("%s/%s\n", one->suite, one->name);
        fflush(stdout);
        one->run();
    }
    printf("%d cases, %d checks failed\n", count, failures);
    return failures > 0;
}
