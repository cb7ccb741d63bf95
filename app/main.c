/* app/main.c - the program: picks the command, and nothing else.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "app.h"

static const app_command *const commands[] = {
#ifndef TYCHO_MINIMAL
    &app_cmd_camera,
    &app_cmd_check,
    &app_cmd_dataset,
    &app_cmd_eval,
    &app_cmd_render, &app_cmd_run,
    &app_cmd_score,
    &app_cmd_terrain,
    &app_cmd_wheel,
    &app_cmd_validate,
#endif
    &app_cmd_bench,
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void usage(FILE *out)
{
    fprintf(out, "tycho %s - a lunar rover and sensor simulator\n\nusage: tycho COMMAND [options]\n\n",
            ty_version());
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(out, "\n`tycho COMMAND --help` tells more, with an example.\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return APP_BAD;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        usage(stdout);
        return APP_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("tycho %s\n", ty_version());
        return APP_OK;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!strcmp(argv[1], commands[i]->name)) {
            for (int k = 2; k < argc && commands[i]->help; k++) {
                if (!strcmp(argv[k], "--help") || !strcmp(argv[k], "-h")) {
                    fputs(commands[i]->help, stdout);
                    return APP_OK;
                }
            }
            return commands[i]->run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "tycho: there is no command '%s'; `tycho --help` lists them.\n", argv[1]);
    return APP_BAD;
}
