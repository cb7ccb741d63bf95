/* app/cmd_camera.c - `tycho camera`: the physical camera on files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "camera.h"

int camera_no_more(int argc, char **argv, int files)
{
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown) {
        return app_bad("camera", "does not know %s here; `tycho camera --help` lists the options.", unknown);
    }
    if (argc - 1 != files) {
        return app_bad("camera", "takes %d file%s here, not %d.", files, files == 1 ? "" : "s", argc - 1);
    }
    return APP_OK;
}

ty_status camera_settings(int *argc, char **argv, ty_camera_sensor_def *def, ty_diag *diag)
{
    const char *text;
    while ((text = app_option(argc, argv, "--set")) != NULL) {
        const char *equals = strchr(text, '=');
        char key[64];
        if (!equals || equals == text || (size_t)(equals - text) >= sizeof key) {
            return ty_fail(diag, TY_ERR_INPUT, "--set takes KEY=VALUE, not '%s'", text);
        }
        memcpy(key, text, (size_t)(equals - text));
        key[equals - text] = 0;
        ty_status status = ty_camera_sensor_def_set(def, key, equals + 1, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    return TY_OK;
}

ty_status camera_number(int *argc, char **argv, const char *name, double low, double high, double *value, ty_diag *diag)
{
    const char *text = app_option(argc, argv, name);
    double v = 0.0;
    if (text && (!app_number(text, &v) || v < low || v > high)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s takes a number from %g to %g, not '%s'", name, low, high, text);
    }
    *value = text ? v : *value;
    return TY_OK;
}

static int run(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv, const char *what);
    } doing[] = { { "--fit", camera_fit },
                  { "--series", camera_series },
                  { "--scene", camera_scene },
                  { "--expose", camera_expose },
                  { "--sheet", camera_sheet } };
    for (size_t i = 0; i < sizeof doing / sizeof doing[0]; i++) {
        const char *what = app_option(&argc, argv, doing[i].name);
        if (what) {
            return doing[i].run(argc, argv, what);
        }
    }
    return app_bad("camera", "takes one of --fit, --series, --expose, --sheet and --scene, each with "
                             "a value.");
}

const app_command app_cmd_camera = {
    "camera",
    "expose radiance images, and fit a camera to its own frames",
    "usage: tycho camera --fit FOLDER|LIST.csv [--bits N] [--curve NAME] [--iso X] [--window X] "
    "[-o PLOT]\n"
    "       tycho camera --series FOLDER [--size N] [--set KEY=VALUE]...\n"
    "       tycho camera --expose RADIANCE.exr -o OUT.png [--frame N] [--set KEY=VALUE]...\n"
    "       tycho camera --sheet exposure|noise|lens RADIANCE.exr -o OUT.png [--set KEY=VALUE]...\n"
    "       tycho camera --scene OUT.exr [--size N] [--seed N] [--sun DEG] [--bands 1|3]\n\n"
    "--fit reads a list with the columns file,t_s,light (1 or 0; FOLDER/series.csv for a folder): "
    "two\n"
    "frames of an even light at each of 4 exposures or more, and two dark ones at each of 2 or "
    "more, as\n"
    "8- or 16-bit PNG. It prints gain, read noise, dark current and response curve with their "
    "standard\n"
    "errors, and draws the photon-transfer curve. --curve linear, gamma or sigmoid: fit that one; "
    "--iso:\n"
    "the setting of the camera; --window: share of the frame's sides to use, from its centre.\n"
    "--series makes such a list from a synthetic camera. --expose sends an image of radiance (and "
    "depth,\n"
    "channel Z) through the camera and writes its numbers as a 16-bit PNG. --sheet shows what "
    "exposure,\n"
    "noise and lens do. --scene makes a piece of lunar ground to try them on.\n"
    "KEY is a field of ty_camera_sensor_def (exposure, iso, read, bits, ...) or a stage with on or "
    "off.\n\n"
    "example: tycho camera --series /tmp/series --set read=8 && tycho camera --fit /tmp/series -o "
    "ptc.png\n",
    run,
};
