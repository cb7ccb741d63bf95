/* app/cmd_terrain.c - `tycho terrain`: picks the subcommand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "terrain.h"

static const app_command *const subcommands[] = {
    &app_terrain_generate, &app_terrain_globe, &app_terrain_import,  &app_terrain_info,
    &app_terrain_layers,   &app_terrain_map,   &app_terrain_measure, &app_terrain_picture,
};
#define SUBCOMMANDS (sizeof subcommands / sizeof subcommands[0])

static bool asks_help(const char *text)
{
    return !strcmp(text, "--help") || !strcmp(text, "-h");
}

static void usage(FILE *out)
{
    fprintf(out, "usage: tycho terrain SUBCOMMAND [options]\n\n");
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        fprintf(out, "  %-10s %s\n", subcommands[i]->name, subcommands[i]->summary);
    }
    fprintf(out, "\n`tycho terrain SUBCOMMAND --help` tells more, with an example.\n");
}

static int run(int argc, char **argv)
{
    if (argc > 1 && asks_help(argv[1])) {
        usage(stdout);
        return APP_OK;
    }
    for (size_t i = 0; argc > 1 && i < SUBCOMMANDS; i++) {
        if (!strcmp(argv[1], subcommands[i]->name)) {
            for (int k = 2; k < argc; k++) {
                if (asks_help(argv[k])) {
                    fputs(subcommands[i]->help, stdout);
                    return APP_OK;
                }
            }
            return subcommands[i]->run(argc - 1, argv + 1);
        }
    }
    char names[128] = "";
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        strcat(strcat(names, i ? ", " : ""), subcommands[i]->name);
    }
    return argc > 1 ? app_bad("terrain", "there is no subcommand '%s'; there are %s.", argv[1], names)
                    : app_bad("terrain", "takes a subcommand: %s.", names);
}

const app_command app_cmd_terrain = { "terrain", "import elevation rasters, and look at them", NULL, run };
