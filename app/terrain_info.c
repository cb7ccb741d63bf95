/* app/terrain_info.c - `tycho terrain info`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include "terrain.h"
#include "tycho/math.h"
#include "io/rasters.h"

static void print_distance(double metres)
{
    printf(metres < 1e4 ? "%.5g m" : "%.5g km", metres < 1e4 ? metres : 1e-3 * metres);
}

static void print_grid(const tyi_io_raster_info *info)
{
    printf("format     %s, band %d of %d, %s\n", info->format, info->band, info->bands, info->type);
    printf("size       %d x %d samples, ", info->width, info->height);
    print_distance(info->step_x);
    if (fabs(info->step_x / info->step_y - 1.0) > 0.005) {
        printf(" by ");
        print_distance(info->step_y);
    }
    printf(" apart at the centre (");
    print_distance(info->width * info->step_x);
    printf(" by ");
    print_distance(info->height * info->step_y);
    printf(")\n");
    printf("place      latitude %.6g to %.6g, longitude %.6g to %.6g deg%s\n", info->lat_min / TY_DEG,
           info->lat_max / TY_DEG, info->lon_min / TY_DEG, info->lon_max / TY_DEG, info->wraps ? ", all round" : "");
    printf("map        %s\n", info->crs);
}

static void print_heights(const tyi_io_raster_info *info, const ty_raster_stats *stats)
{
    const char *about = stats->level ? "about " : "";
    if (stats->missing < stats->samples) {
        printf("heights    %s%.2f to %.2f m above the sphere, mean %.2f m\n", about, stats->min, stats->max,
               stats->mean);
    } else {
        printf("heights    none\n");
    }
    if (stats->missing > 0.0) {
        printf("missing    %s%.0f samples, %.3g %%\n", about, stats->missing, 100.0 * stats->missing / stats->samples);
    } else {
        printf("missing    none\n");
    }
    if (info->scale != 1.0 || info->offset != 0.0) {
        printf("stored     height = stored * %.9g + %.9g m\n", info->scale, info->offset);
    }
    printf("overviews  %d%s\n", info->overviews, info->overviews ? "" : "; `tycho terrain import` makes them");
    if (info->note[0]) {
        printf("note       %s\n", info->note);
    }
}

static ty_status print_spectrum(tyi_io_raster *raster, ty_diag *diag)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double x = 0.5 * info->width, y = 0.5 * info->height, lat = 0.0, lon = 0.0;
    ty_status status = tyi_io_raster_place(raster, 1, &x, &y, &lat, &lon, diag);
    ty_raster_spectrum s;
    if (status == TY_OK) {
        status = tyi_io_raster_fit_spectrum(raster, lat, lon, INFINITY, &s, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    printf("spectrum   middle %d x %d samples: S(f) = %.4g f^-%.3f m^3 (Hurst exponent %.3f), "
           "fitted at 6 to 20 pixels\n",
           s.samples, s.samples, s.amplitude, 2.0 * s.hurst + 1.0, s.hurst);
    printf("           wavelength [m]  pixels   S [m^3]      over the fit [dB]\n");
    for (int i = 0; i < s.bands; i++) {
        printf("           %-14.5g  %-7.4g  %-11.4g  %+.1f\n", s.wavelength[i], s.wavelength[i] / s.spacing, s.psd[i],
               10.0 * log10(s.psd[i] / s.fit[i]));
    }
    return TY_OK;
}

static ty_status describe(const char *path, const tyi_io_raster_def *def, bool spectrum, bool quiet, ty_diag *diag)
{
    tyi_io_raster *raster = NULL;
    ty_raster_stats stats;
    ty_status status = tyi_io_raster_open(path, def, &raster, diag);
    if (status == TY_OK) {
        app_progress progress;
        app_progress_start(&progress, quiet);
        ty_progress hook = app_progress_hook(&progress);
        status = tyi_io_raster_scan(raster, &hook, &stats, diag);
        app_progress_end(&progress);
    }
    if (status == TY_OK) {
        print_grid(tyi_io_raster_get_info(raster));
        print_heights(tyi_io_raster_get_info(raster), &stats);
        status = spectrum ? print_spectrum(raster, diag) : TY_OK;
    }
    tyi_io_raster_close(raster);
    return status;
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    tyi_io_raster_def def = tyi_io_raster_def_default();
    bool quiet = app_flag(&argc, argv, "--quiet"), spectrum = app_flag(&argc, argv, "--spectrum");
    if (app_raster_options(&argc, argv, &def, &diag) == TY_OK) {
        const char *unknown = app_unknown_option(argc, argv);
        if (unknown) {
            ty_fail(&diag, TY_ERR_INPUT,
                    "does not know %s, or its value is missing; `tycho terrain info --help` lists "
                    "the options",
                    unknown);
        } else if (argc != 2) {
            ty_fail(&diag, TY_ERR_INPUT, "takes one raster file, not %d", argc - 1);
        } else {
            describe(argv[1], &def, spectrum, quiet, &diag);
        }
    }
    return diag.status == TY_OK ? APP_OK : app_bad("terrain info", "%s.", diag.text);
}

const app_command app_terrain_info = {
    "info",
    "what an elevation raster holds and where it lies",
    "usage: tycho terrain info FILE [options]\n\n"
    "Size, spacing, place, heights, missing samples and overviews of anything GDAL reads.\n\n"
    "  --spectrum           also the power spectral density of the middle, and its power "
    "law\n" APP_RASTER_HELP "  --quiet              no progress line\n\n"
    "example: tycho terrain info LDEM_4.LBL\n",
    run,
};
