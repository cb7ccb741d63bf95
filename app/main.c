/* app/main.c - the program: picks the command, and nothing else.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app.h"

static const app_command *const commands[] = {
#ifndef TYCHO_MINIMAL
    &app_cmd_allan, &app_cmd_camera, &app_cmd_check,   &app_cmd_dataset, &app_cmd_eval,
    &app_cmd_fmu,   &app_cmd_lidar,  &app_cmd_live,    &app_cmd_render,  &app_cmd_run,
    &app_cmd_score, &app_cmd_sweep,  &app_cmd_terrain, &app_cmd_wheel,   &app_cmd_validate,
#endif
    &app_cmd_bed,   &app_cmd_bench,
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void usage(FILE *out)
{
    fprintf(out, "tycho %s - a lunar rover and sensor simulator\n\nusage: tycho COMMAND [options]\n\n", ty_version());
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(out, "\n`tycho COMMAND --help` tells more, with an example.\n");
}

/* text as roff takes it */
static void roff(const char *text)
{
    for (bool start = true; *text; start = *text++ == '\n') {
        if (start && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
    }
}

/* the manual page: what --help says, command by command */
static void manual(void)
{
    printf(".TH TYCHO 1 \"\" \"tycho %s\" \"User commands\"\n.SH NAME\ntycho \\- a lunar rover and sensor simulator\n"
           ".SH SYNOPSIS\n.B tycho\nCOMMAND [options]\n.br\n.B tycho\nCOMMAND \\-\\-help\n.SH DESCRIPTION\n",
           ty_version());
    roff(
        "Tycho puts a rover on the Moon, drives it over ground that gives way under its wheels, and returns what its sensors would have "
        "measured, with ground truth beside it. Each command is described below; wrong input of any kind ends with one sentence on standard "
        "error and exit status 2.\n");
    printf(".SH COMMANDS\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        printf(".SS tycho %s\n", commands[i]->name);
        roff(commands[i]->summary);
        if (commands[i]->help) {
            printf("\n.P\n.nf\n");
            roff(commands[i]->help);
            printf(".fi\n");
        } else {
            printf(".\n.P\n");
            roff("`tycho ");
            roff(commands[i]->name);
            roff(" --help` tells more.\n");
        }
    }
    printf(
        ".SH EXIT STATUS\n0 on success, 2 for wrong input or output that cannot be written, 128 + N where signal N stopped a run.\n.SH FILES\n");
    roff("Models of rovers, soils and sensors, and scenarios: share/tycho/ of the installation.\n");
}

static int command(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return APP_BAD;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        usage(stdout);
        return APP_OK;
    }
    if (!strcmp(argv[1], "--man")) {
        manual();
        return APP_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("tycho %s\nbuilt with %s\n", ty_version(), ty_built_with());
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

/* A bundle has fonts of its own, so that plots look the same where the machine has none. */
static void find_fonts(void)
{
    char path[4096 + 40];
    ssize_t n = readlink("/proc/self/exe", path, 4096);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) {
        snprintf(slash, sizeof path - (size_t)(slash - path), "/../share/tycho/fonts/fonts.conf");
        if (access(path, R_OK) == 0) {
            setenv("FONTCONFIG_FILE", path, 0); /* not where the user says another one */
        }
    }
}

/* What a command printed has reached its reader, or the exit code says so. */
int main(int argc, char **argv)
{
    find_fonts();
    int code = command(argc, argv);
    errno = 0;
    bool lost = ferror(stdout) != 0;
    lost = fclose(stdout) != 0 || lost;
    if (lost && code == APP_OK) {
        fprintf(stderr, "tycho: standard output cannot be written: %s.\n", strerror(errno ? errno : EIO));
        code = APP_BAD;
    }
    return code;
}
