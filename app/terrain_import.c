/* app/terrain_import.c - `tycho terrain import`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include "terrain.h"
#include "tycho/math.h"
#include "io/rasters.h"

typedef struct choice {
    const char *crop, *window;
} choice;

static ty_status choose_window(tyi_io_raster *raster, choice c, tyi_io_raster_window *out, ty_diag *diag)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double v[4];
    *out = (tyi_io_raster_window){ 0, 0, info->width, info->height };
    if (c.crop && c.window) {
        return ty_fail(diag, TY_ERR_INPUT, "--crop and --window both choose a part; give one of them");
    }
    if (c.crop) {
        if (!app_numbers(c.crop, 4, v) || v[0] >= v[1] || v[0] < -90.0 || v[1] > 90.0 || fabs(v[2]) > 360.0 ||
            fabs(v[3]) > 360.0) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "--crop takes lat0,lat1,lon0,lon1 in degrees with -90 <= lat0 < lat1 <= "
                           "90, not '%s'",
                           c.crop);
        }
        return tyi_io_raster_crop(raster, v[0] * TY_DEG, v[1] * TY_DEG, v[2] * TY_DEG, v[3] * TY_DEG, out, diag);
    }
    if (c.window) {
        bool whole = app_numbers(c.window, 4, v);
        for (int i = 0; i < 4 && whole; i++) {
            whole = v[i] == floor(v[i]) && fabs(v[i]) < 1e9;
        }
        if (!whole) {
            return ty_fail(diag, TY_ERR_INPUT, "--window takes x,y,width,height in whole pixels, not '%s'", c.window);
        }
        *out = (tyi_io_raster_window){ (int)v[0], (int)v[1], (int)v[2], (int)v[3] };
    }
    return TY_OK;
}

static void summary(const char *path, const tyi_io_raster *raster, const ty_raster_stats *stats, tyi_io_raster_window w)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    printf("%s: %d x %d samples, %.6g m apart, heights %.1f to %.1f m above the sphere.\n", path, w.width, w.height,
           info->spacing, stats->min, stats->max);
    if (stats->missing > 0.0) {
        printf("%.0f missing samples (%.3g %%) were filled from around them.\n", stats->missing,
               100.0 * stats->missing / stats->samples);
    } else {
        printf("No sample was missing.\n");
    }
    if (info->note[0]) {
        printf("Note: %s.\n", info->note);
    }
}

static ty_status import(const char *in, const char *path, const tyi_io_raster_def *def, choice c, bool quiet,
                        ty_diag *diag)
{
    tyi_io_raster *raster = NULL;
    tyi_io_raster_window window = { 0 };
    ty_status status = tyi_io_raster_open(in, def, &raster, diag);
    if (status == TY_OK) {
        status = choose_window(raster, c, &window, diag);
    }
    if (status == TY_OK) {
        app_progress progress;
        app_progress_start(&progress, quiet);
        ty_progress hook = app_progress_hook(&progress);
        ty_raster_stats stats;
        status = tyi_io_raster_write(raster, window, path, &hook, &stats, diag);
        app_progress_end(&progress);
        if (status == TY_OK && !quiet) {
            summary(path, raster, &stats, window);
        }
    }
    tyi_io_raster_close(raster);
    return status;
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    tyi_io_raster_def def = tyi_io_raster_def_default();
    choice c = { app_option(&argc, argv, "--crop"), app_option(&argc, argv, "--window") };
    bool quiet = app_flag(&argc, argv, "--quiet");
    if (app_raster_options(&argc, argv, &def, &diag) == TY_OK) {
        const char *unknown = app_unknown_option(argc, argv);
        if (unknown) {
            ty_fail(&diag, TY_ERR_INPUT,
                    "does not know %s, or its value is missing; `tycho terrain import --help` "
                    "lists the options",
                    unknown);
        } else if (argc != 3) {
            ty_fail(&diag, TY_ERR_INPUT, "takes an input and an output file, not %d names", argc - 1);
        } else {
            signal(SIGXFSZ, SIG_IGN); /* a limit on file size is then a full disk: a sentence, not a crash */
            import(argv[1], argv[2], &def, c, quiet, &diag);
        }
    }
    return diag.status == TY_OK ? APP_OK : app_bad("terrain import", "%s.", diag.text);
}

const app_command app_terrain_import = {
    "import",
    "make a terrain raster from any elevation file",
    "usage: tycho terrain import IN OUT.tif [options]\n\n"
    "Reads anything GDAL reads (GeoTIFF, PDS3 and PDS4 labels, ISIS3, PNG, ASCII grids, ...) and "
    "writes a tiled\n"
    "GeoTIFF with overviews: heights in metres above the sphere of 1737400 m, in the projection of "
    "the input,\n"
    "missing samples filled. Nothing is resampled.\n\n"
    "  --crop LAT0,LAT1,LON0,LON1   only this part [deg]; LON1 < LON0 goes across the seam\n"
    "  --window X,Y,W,H     only this part [pixels]\n" APP_RASTER_HELP
    "  --quiet              no progress line, no summary\n\n"
    "example: tycho terrain import LDEM_4.LBL south.tif --crop -90,-60,0,360\n",
    run,
};
