/* app/cmd_check.c - `tycho check FILE...`: is a file what Tycho takes? One line per file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <sys/stat.h>
#include "app.h"
#include "tycho/scenario.h"

#define MOST_SETTINGS 256

typedef struct settings {
    const char *text[MOST_SETTINGS];
    size_t count;
} settings;

/* A kind of file: is_it looks at the first bytes, check writes what the file is after "ok". */
typedef struct file_kind {
    bool (*is_it)(const unsigned char *start, size_t bytes);
    ty_status (*check)(const char *path, const settings *set, char *about, size_t size,
                       ty_diag *diag);
} file_kind;

static bool any_file(const unsigned char *start, size_t bytes)
{
    (void)start;
    (void)bytes;
    return true;
}

static ty_status check_scenario(const char *path, const settings *set, char *about, size_t size,
                                ty_diag *diag)
{
    ty_scenario *scenario;
    ty_status status = ty_scenario_load(path, set->text, set->count, &scenario, diag);
    if (status == TY_OK) {
        snprintf(about, size, "scenario, %zu key%s", scenario->keys,
                 scenario->keys == 1 ? "" : "s");
        ty_scenario_destroy(scenario);
    }
    return status;
}

/* the first that says yes; a scenario is what is left, its loader says why a file is not one */
static const file_kind kinds[] = {
    { any_file, check_scenario },
};

/* the first bytes of a regular file; a pipe is left alone, because what is read from it is gone */
static size_t peek(const char *path, unsigned char *start, size_t size)
{
    struct stat about;
    FILE *file = !stat(path, &about) && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    size_t bytes = file ? fread(start, 1, size, file) : 0;
    if (file) {
        fclose(file);
    }
    return bytes;
}

static int check_file(const char *path, const settings *set)
{
    unsigned char start[512];
    size_t bytes = peek(path, start, sizeof start);
    const file_kind *kind = kinds;
    while (!kind->is_it(start, bytes)) {
        kind++;
    }
    char about[100];
    ty_diag diag = { 0 };
    if (kind->check(path, set, about, sizeof about, &diag) != TY_OK) {
        return app_bad("check", "%s.", diag.text);
    }
    printf("%s: ok (%s)\n", path, about);
    return APP_OK;
}

static int print_reference(void)
{
    ty_diag diag = { 0 };
    return ty_scenario_reference(stdout, &diag) == TY_OK ? APP_OK
                                                         : app_bad("check", "%s.", diag.text);
}

static int run(int argc, char **argv)
{
    settings set = { .count = 0 };
    const char *text;
    while ((text = app_option(&argc, argv, "--set")) != NULL) {
        if (set.count == MOST_SETTINGS) {
            return app_bad("check", "takes at most %d --set options.", MOST_SETTINGS);
        }
        set.text[set.count++] = text;
    }
    bool reference = app_flag(&argc, argv, "--reference");
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown) {
        return app_bad(
            "check", "there is no option '%s', or its value is missing; it takes --set KEY=VALUE and --reference.", unknown);
    }
    if (reference && argc == 1) {
        return print_reference();
    }
    if (reference || argc == 1) {
        return app_bad("check", "takes files, or --reference alone.");
    }
    int code = APP_OK;
    for (int i = 1; i < argc; i++) {
        int one = check_file(argv[i], &set);
        code = one == APP_OK ? code : one;
    }
    return fflush(stdout) ? app_bad("check", "standard output cannot be written.") : code;
}

const app_command app_cmd_check = {
    "check",
    "say whether a file is what Tycho takes, or what is wrong with it",
    "usage: tycho check [--set KEY=VALUE]... FILE...\n"
    "       tycho check --reference\n\n"
    "Reads each file and prints `FILE: ok (what it is)`, or one sentence with the place, the key, "
    "the value and\n"
    "what is accepted; exit code 2 when any file is wrong. --set overrides a key, as it would in a "
    "run.\n"
    "--reference prints all keys of a scenario with their defaults and ranges, in Markdown.\n\n"
    "example: tycho check --set terrain.relief.hurst=0.8 scenarios/south_pole.yaml\n",
    run,
};
