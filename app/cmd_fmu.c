/* app/cmd_fmu.c - `tycho fmu`: a scenario as a functional mock-up unit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app.h"
#include "bridge/fmi/export.h"

/* the FMU's library: beside the program (a build), or in the lib folder of an installation, a bundle or the Python package */
static bool find_library(char out[PATH_MAX])
{
    static const char *const places[] = { "libtycho_fmu.so", "../lib/libtycho_fmu.so",
                                          "../lib/x86_64-linux-gnu/libtycho_fmu.so", "../lib64/libtycho_fmu.so" };
    char self[PATH_MAX], path[2 * PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/%s", self, places[i]);
        if (realpath(path, out)) {
            return true;
        }
    }
    return false;
}

static int make(const tyb_fmi_export *def, const char *path)
{
    ty_diag diag = { 0 };
    tyb_fmi_made made;
    struct stat about;
    if (tyb_fmi_export_write(def, path, &made, &diag) != TY_OK) {
        return app_bad("fmu", "%s.", diag.text);
    }
    double size = stat(path, &about) ? 0.0 : (double)about.st_size / 1e6;
    printf("%s: FMI %d.0 co-simulation, %zu inputs, %zu outputs, %zu parameters; %zu files, %zu libraries, %.1f MB\n",
           path, def->version, made.inputs, made.outputs, made.parameters, made.files, made.libraries, size);
    if (made.deaf) {
        printf("%zu of its rovers take no commands, as they have a driver of their own; "
               "--set 'rovers.0.driver={type: external}' makes inputs instead\n",
               made.deaf);
    }
    return APP_OK;
}

static int run(int argc, char **argv)
{
    enum { MOST = 64 };
    const char *out = app_option(&argc, argv, "-o"), *version = app_option(&argc, argv, "--fmi"), *text;
    const char *arrays[MOST + 1] = { 0 };
    const char **set = calloc((size_t)argc + 1, sizeof *set);
    tyb_fmi_export def = { .settings = set, .arrays = arrays, .version = 3 };
    def.libraries = !app_flag(&argc, argv, "--no-libraries");
    for (int n = 0; n < MOST && (text = app_option(&argc, argv, "--array")) != NULL; n++) {
        arrays[n] = text;
    }
    while (set && (text = app_option(&argc, argv, "--set")) != NULL) {
        set[def.setting_count++] = text;
    }
    const char *unknown = app_unknown_option(argc, argv);
    char library[PATH_MAX];
    int code;
    if (unknown) {
        code = app_bad("fmu", "does not know %s, or its value is missing.", unknown);
    } else if (argc != 2 || !out || !set) {
        code = app_bad("fmu", "takes one scenario and -o FILE.fmu; `tycho fmu --help` tells more.");
    } else if (version && strcmp(version, "2") && strcmp(version, "3")) {
        code = app_bad("fmu", "--fmi is '%s', but 2 or 3 is accepted.", version);
    } else if (version && version[0] == '2' && arrays[0]) {
        code = app_bad("fmu", "--array is '%s', but FMI 2 has no arrays; --fmi 3 has them.", arrays[0]);
    } else if (!find_library(library)) {
        code =
            app_bad("fmu", "libtycho_fmu.so is neither beside the program nor in ../lib; build it or install Tycho.");
    } else {
        def.scenario = argv[1], def.library = library;
        def.version = version && version[0] == '2' ? 2 : 3;
        code = make(&def, out);
    }
    free(set);
    return code;
}

const app_command app_cmd_fmu = {
    "fmu",
    "make a functional mock-up unit (FMI) of a scenario, for other simulation tools",
    "usage: tycho fmu SCENARIO -o FILE.fmu [options]\n\n"
    "  --fmi 2|3       version of the standard; default 3\n"
    "  --set a.b=c     change a key of the scenario\n"
    "  --array SENSOR  images or clouds of this sensor as array outputs (FMI 3); any number of times\n"
    "  --no-libraries  leave out the shared libraries that it needs: smaller, for machines that have them\n\n"
    "Co-simulation for x86-64 Linux. Inputs: what each rover with `driver: {type: external}` is told (v, omega, crab, mode, single\n"
    "wheels and motors). Outputs: pose, velocities, wheels, motors, power, and every sensor that gives numbers. Parameters: the\n"
    "scenario's own keys (terrain.seed, soil.model, rovers.0.x ...), set before it is initialised. States can be saved, restored\n"
    "and serialised; any number of instances. The FMU holds the scenario with all its files, so that it runs where Tycho is not\n"
    "installed; rasters cannot go along. See docs/fmi.md.\n\n"
    "example: tycho fmu scenarios/live_drive.yaml -o viper.fmu\n",
    run,
};
