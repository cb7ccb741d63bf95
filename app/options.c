/* app/options.c - taking options out of argv, and the sentence for wrong input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "io/inner.h"

int app_bad(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[8192];
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "tycho %s: %s\n", command, tyi_text_plain(text));
    va_end(args);
    return APP_BAD;
}

static void take(int *argc, char **argv, int at, int count)
{
    for (int i = at; i + count <= *argc; i++) {
        argv[i] = argv[i + count]; /* argv[argc] is NULL and moves along */
    }
    *argc -= count;
}

const char *app_option(int *argc, char **argv, const char *name)
{
    size_t n = strlen(name);
    for (int i = 1; i < *argc; i++) {
        if (!strncmp(argv[i], name, n) && argv[i][n] == '=') {
            const char *value = argv[i] + n + 1;
            take(argc, argv, i, 1);
            return value;
        }
        if (!strcmp(argv[i], name) && i + 1 < *argc) {
            const char *value = argv[i + 1];
            take(argc, argv, i, 2);
            return value;
        }
    }
    return NULL;
}

bool app_flag(int *argc, char **argv, const char *name)
{
    for (int i = 1; i < *argc; i++) {
        if (!strcmp(argv[i], name)) {
            take(argc, argv, i, 1);
            return true;
        }
    }
    return false;
}

const char *app_unknown_option(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == '-') {
            return argv[i];
        }
    }
    return NULL;
}

bool app_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}
