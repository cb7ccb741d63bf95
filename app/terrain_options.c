/* app/terrain_options.c - options that say how a raster is to be read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "terrain.h"
#include "tycho/math.h"
#include "io/rasters.h"

bool app_numbers(const char *text, int count, double *values)
{
    for (int i = 0; i < count; i++) {
        char *end;
        values[i] = strtod(text, &end);
        if (end == text || !isfinite(values[i]) || *end != (i + 1 < count ? ',' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

/* an option that is one number in a range, times a unit; left alone when it is not there */
static void take_number(int *argc, char **argv, const char *name, double low, double high, double unit, double *value,
                        ty_diag *diag)
{
    const char *text = app_option(argc, argv, name);
    double v = 0.0;
    if (!text) {
        return;
    }
    if (!app_number(text, &v) || v < low || v > high) {
        ty_fail(diag, TY_ERR_INPUT, "%s takes a number from %g to %g, not '%s'", name, low, high, text);
    }
    *value = v * unit;
}

static void take_bounds(int *argc, char **argv, tyi_io_raster_def *def, ty_diag *diag)
{
    const char *text = app_option(argc, argv, "--bounds");
    double b[4];
    if (!text) {
        return;
    }
    if (!app_numbers(text, 4, b) || b[0] >= b[1] || b[0] < -90.0 || b[1] > 90.0 || fabs(b[2]) > 360.0 ||
        fabs(b[3]) > 360.0 || b[2] == b[3]) {
        ty_fail(diag, TY_ERR_INPUT,
                "--bounds takes the south, north, west and east edge in degrees, as "
                "-90,90,-180,180, not '%s'",
                text);
    }
    for (int i = 0; i < 4; i++) {
        def->bounds[i] = b[i] * TY_DEG;
    }
}

ty_status app_raster_options(int *argc, char **argv, tyi_io_raster_def *def, ty_diag *diag)
{
    double band = def->band;
    take_number(argc, argv, "--band", 1.0, 10000.0, 1.0, &band, diag);
    if (band != floor(band)) {
        ty_fail(diag, TY_ERR_INPUT, "--band takes a whole number, not %g", band);
    }
    def->band = (int)band;
    take_number(argc, argv, "--scale", -1e9, 1e9, 1.0, &def->scale, diag);
    if (def->scale == 0.0) {
        ty_fail(diag, TY_ERR_INPUT, "--scale 0 would make every height the same; give the metres of one stored unit");
    }
    take_number(argc, argv, "--offset", -1e9, 1e9, 1.0, &def->offset, diag);
    take_number(argc, argv, "--nodata", -INFINITY, INFINITY, 1.0, &def->nodata, diag);
    take_number(argc, argv, "--pixel", 1e-6, 1e6, 1.0, &def->pixel, diag);
    take_number(argc, argv, "--lat", -90.0, 90.0, TY_DEG, &def->lat, diag);
    take_number(argc, argv, "--lon", -360.0, 360.0, TY_DEG, &def->lon, diag);
    take_bounds(argc, argv, def, diag);
    bool pixel = !isnan(def->pixel), lat = !isnan(def->lat), lon = !isnan(def->lon);
    if (pixel != lat || lat != lon) {
        ty_fail(diag, TY_ERR_INPUT, "--pixel, --lat and --lon place a raster together; give all three or none");
    }
    if (pixel && !isnan(def->bounds[0])) {
        ty_fail(diag, TY_ERR_INPUT, "--pixel and --bounds both place the raster; give one of them");
    }
    return diag->status;
}
