/* app/cmd_check.c - `tycho check FILE...`: is a file what Tycho takes, and what is in it?
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "tycho/tools/check.h"
#include "tycho/scenario.h"

typedef struct settings {
    const char **text;
    size_t count;
} settings;

static int check_file(const char *path, const settings *set)
{
    ty_diag diag = { 0 };
    ty_status status = ty_check_file(path, set->text, set->count, stdout, &diag);
    return status == TY_OK ? APP_OK : app_bad("check", "%s.", diag.text);
}

/* the page of scenarios, or that of rover files, which follows it */
static int print_reference(bool rover)
{
    ty_diag diag = { 0 };
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    ty_status status = page ? ty_scenario_reference(page, &diag) : TY_ERR_MEMORY;
    if (!page || fclose(page) || status != TY_OK) {
        free(text);
        return app_bad("check", "%s.", diag.text[0] ? diag.text : "no memory for the page");
    }
    char *at = strstr(text, "\n# Rover files\n");
    fwrite(rover ? at + 1 : text, 1, rover ? size - (size_t)(at + 1 - text) : (size_t)(at - text), stdout);
    free(text);
    return fflush(stdout) ? app_bad("check", "standard output cannot be written.") : APP_OK;
}

static int check_all(int argc, char **argv, settings *set)
{
    const char *text;
    while ((text = app_option(&argc, argv, "--set")) != NULL) {
        set->text[set->count++] = text;
    }
    bool reference = app_flag(&argc, argv, "--reference");
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown) {
        return app_bad("check",
                       "there is no option '%s', or its value is missing; it takes --set KEY=VALUE and --reference.",
                       unknown);
    }
    bool rover = reference && argc == 2 && !strcmp(argv[1], "rover");
    if (reference && (argc == 1 || rover)) {
        return print_reference(rover);
    }
    if (reference || argc == 1) {
        return app_bad("check", "takes files, or --reference alone, or --reference rover.");
    }
    int code = APP_OK;
    for (int i = 1; i < argc; i++) {
        int one = check_file(argv[i], set);
        code = one == APP_OK ? code : one;
    }
    return fflush(stdout) ? app_bad("check", "standard output cannot be written.") : code;
}

static int run(int argc, char **argv)
{
    settings set = { .text = calloc((size_t)argc + 1, sizeof *set.text) };
    int code = set.text ? check_all(argc, argv, &set) : app_bad("check", "no memory for %d settings.", argc);
    free(set.text);
    return code;
}

const app_command app_cmd_check = {
    "check",
    "say what a file is and sum it up, or what is wrong with it",
    "usage: tycho check [--set KEY=VALUE]... FILE...\n"
    "       tycho check --reference [rover]\n\n"
    "Tells by the content what each file is, loads it as a run would and prints `FILE: ok (what it is)` with a summary;\n"
    "or one sentence with the place, the key, the value and what is accepted. Exit code 2 when any file is wrong.\n\n"
    "  scenario     with the rovers, soils, tables and sensors that it names\n"
    "  rover        is put on level lunar soil and driven: masses, wheels with their loads, steering, drives, the\n"
    "               longest step, mounts, collision shapes; an MJCF, URDF or xacro file alone: its hinges\n"
    "  soil         every value with unit and whether file or default gave it; a wheel's sinkage, pressure and pull\n"
    "  data set, sensor (models/sensors), table (CSV: commands, trajectory, beams, measured wheels), model (OBJ,\n"
    "  glTF, COLLADA, STL), picture (PNG, JPEG), labels (COCO), elevation raster\n\n"
    "--set overrides a key of a YAML file, as it would in a run; a rover takes none. Standard input (/dev/stdin) is read\n"
    "as a scenario. --reference prints all keys of a scenario, or of a rover file, with their defaults and ranges, in\n"
    "Markdown.\n\n"
    "example: tycho check models/rovers/viper.yaml models/soils/lunar.yaml\n"
    "         tycho check --set terrain.relief.hurst=0.8 scenarios/south_pole.yaml\n",
    run,
};
