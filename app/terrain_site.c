/* app/terrain_site.c - see terrain_site.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app.h"
#include "terrain_site.h"
#include "io/rasters.h"

#define MAX_SETTINGS 64

static bool is_yaml(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

/* whether a square of the tangent plane, `side` [m] around the site, lies in the cover */
static bool covers(tyi_io_raster *raster, const ty_site *site, double side)
{
    enum { EDGE = 32 };
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double lat[4 * EDGE], lon[4 * EDGE], x[4 * EDGE], y[4 * EDGE], unused;
    for (int i = 0; i < EDGE; i++) {
        double a = side * ((double)i / EDGE - 0.5), b = 0.5 * side;
        const double px[4] = { a, b, -a, -b }, py[4] = { b, -a, -b, a };
        for (int k = 0; k < 4; k++) {
            double r2 = px[k] * px[k] + py[k] * py[k],
                   z = sqrt(fmax(site->radius * site->radius - r2, 0.0)) - site->radius;
            ty_site_geodetic(site, ty_vec3_make(px[k], py[k], z), &lat[k * EDGE + i], &lon[k * EDGE + i], &unused);
        }
    }
    bool inside = tyi_io_raster_pixel(raster, 4 * EDGE, lat, lon, x, y, NULL) == TY_OK;
    for (int i = 0; i < 4 * EDGE && inside; i++) {
        inside = y[i] >= 0.0 && y[i] <= info->height && (info->wraps || (x[i] >= 0.0 && x[i] <= info->width));
    }
    return inside;
}

/* a scenario that stands on the middle of the raster and is the largest square in it; the raster may be turned against
 * north */
static ty_status around_raster(const char *path, ty_scenario *scenario, ty_diag *diag)
{
    tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *raster = NULL;
    ty_status status = tyi_io_raster_open(path, &def, &raster, diag);
    if (status != TY_OK) {
        return status;
    }
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double x = 0.5 * info->width, y = 0.5 * info->height;
    status = tyi_io_raster_place(raster, 1, &x, &y, &scenario->terrain.lat, &scenario->terrain.lon, diag);
    ty_site site = ty_site_make(scenario->terrain.lat, scenario->terrain.lon, TY_MOON_RADIUS);
    double low = 2.0 * info->spacing,
           high = fmin(1e6, 1.5 * fmax(info->width * info->step_x, info->height * info->step_y));
    for (int round = 0; round < 40; round++) {
        double middle = 0.5 * (low + high);
        *(covers(raster, &site, middle) ? &low : &high) = middle;
    }
    scenario->terrain.extent = fmin(low, 1e6);
    snprintf(scenario->base_path, sizeof scenario->base_path, "%s", path);
    const char *slash = strrchr(path, '/');
    snprintf(scenario->name, sizeof scenario->name, "%.60s", slash ? slash + 1 : path);
    tyi_io_raster_close(raster);
    return status;
}

const ty_scenario *app_site_scenario(const app_site *site)
{
    return site->loaded ? site->loaded : &site->plain;
}

ty_status app_site_open(app_site *site, int *argc, char **argv, ty_diag *diag)
{
    const char *settings[MAX_SETTINGS], *set;
    size_t count = 0;
    while ((set = app_option(argc, argv, "--set")) != NULL) {
        if (count == MAX_SETTINGS) {
            return ty_fail(diag, TY_ERR_INPUT, "more than %d --set", MAX_SETTINGS);
        }
        settings[count++] = set;
    }
    if (*argc < 2 || argv[1][0] == '-') {
        return ty_fail(diag, TY_ERR_INPUT, "takes a scenario (.yaml) or a raster%s%s", *argc < 2 ? "" : ", not ",
                       *argc < 2 ? "" : argv[1]);
    }
    const char *path = argv[1];
    site->loaded = NULL;
    site->plain = ty_scenario_default();
    ty_status status;
    if (is_yaml(path)) {
        status = ty_scenario_load(path, settings, count, &site->loaded, diag);
    } else if (count) {
        status = ty_fail(diag, TY_ERR_INPUT, "--set changes keys of a scenario, but %s is not one (.yaml)", path);
    } else {
        status = around_raster(path, &site->plain, diag);
    }
    if (status == TY_OK) {
        const ty_scenario *scenario = app_site_scenario(site);
        snprintf(site->name, sizeof site->name, "%s", scenario->name);
        snprintf(site->path, sizeof site->path, "%s", path);
        snprintf(site->base, sizeof site->base, "%s", scenario->base_path);
        status = ty_scenario_create_world(scenario, &site->world, diag);
    }
    if (status == TY_OK) {
        site->terrain = ty_world_terrain(site->world);
        site->start = ty_world_start(site->world);
        for (int i = 1; i < *argc; i++) {
            argv[i] = argv[i + 1];
        }
        --*argc;
    }
    return status;
}

void app_site_close(app_site *site)
{
    ty_world_destroy(site->world);
    ty_scenario_destroy(site->loaded);
}

ty_status app_site_output(const app_site *site, const char *path, ty_diag *diag)
{
    struct stat out, own;
    char folder[4096] = ".";
    if (strlen(path) >= sizeof folder) {
        return ty_fail(diag, TY_ERR_INPUT, "the name of an output is longer than %zu characters", sizeof folder - 1);
    }
    if (stat(path, &out) == 0) {
        if (!S_ISREG(out.st_mode)) {
            return ty_fail(diag, TY_ERR_FILE, "%s is %s; the output must be a plain file", path,
                           S_ISDIR(out.st_mode) ? "a folder" : "a device");
        }
        const char *files[2] = { site->path, site->base };
        for (int i = 0; i < 2; i++) {
            if (files[i][0] && stat(files[i], &own) == 0 && own.st_dev == out.st_dev && own.st_ino == out.st_ino) {
                return ty_fail(diag, TY_ERR_INPUT, "%s is an input; the output must be another file", path);
            }
        }
    }
    const char *slash = strrchr(path, '/');
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    return TY_OK;
}

ty_status app_take_number(int *argc, char **argv, const char *name, double low, double high, double *value,
                          ty_diag *diag)
{
    const char *text = app_option(argc, argv, name);
    double v;
    if (!text) {
        return TY_OK;
    }
    if (!app_number(text, &v) || v < low || v > high) {
        return ty_fail(diag, TY_ERR_INPUT, "%s takes a number from %g to %g, not '%s'", name, low, high, text);
    }
    *value = v;
    return TY_OK;
}

ty_status app_rest(int argc, char **argv, int files, ty_diag *diag)
{
    const char *unknown = app_unknown_option(argc, argv);
    for (int i = 1; i < argc && !unknown; i++) { /* -o without its value */
        unknown = argv[i][0] == '-' && argv[i][1] ? argv[i] : NULL;
    }
    if (unknown) {
        return ty_fail(diag, TY_ERR_INPUT, "does not know %s, or its value is missing; --help lists the options",
                       unknown);
    }
    if (argc - 1 != files) {
        return argc - 1 > files ? ty_fail(diag, TY_ERR_INPUT, "has no use for '%s'", argv[files + 1])
                                : ty_fail(diag, TY_ERR_INPUT, "misses a file name");
    }
    return TY_OK;
}
