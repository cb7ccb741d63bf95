/* src/io/no_rasters.c - rasters in a build without GDAL (-DTYCHO_GDAL=OFF, as `make bundle` makes it): none is read or written, and
 * the caller gets a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rasters.h"
#include "core/core.h"

static ty_status none(const char *path, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_FILE, "%s: this build reads and writes no rasters, as it was made without GDAL", path);
}

bool tyi_io_raster_able(void)
{
    return false;
}

tyi_io_raster_def tyi_io_raster_def_default(void)
{
    return (tyi_io_raster_def){ 0 };
}

ty_status tyi_io_raster_open(const char *path, const tyi_io_raster_def *def, tyi_io_raster **out, ty_diag *diag)
{
    (void)def;
    *out = NULL;
    return none(path, diag);
}

ty_status tyi_io_raster_write_grid(const tyi_io_raster_grid *grid, const char *path, const ty_progress *progress,
                                   ty_raster_stats *written, ty_diag *diag)
{
    (void)grid, (void)progress, (void)written;
    return none(path, diag);
}

ty_status tyi_io_raster_write_globe(const tyi_io_raster_globe *globe, const char *path, const ty_progress *progress,
                                    ty_raster_stats *written, ty_diag *diag)
{
    (void)globe, (void)progress, (void)written;
    return none(path, diag);
}

/* ---- of a raster, which there is none of ---- */

void tyi_io_raster_close(tyi_io_raster *raster)
{
    (void)raster;
}

const tyi_io_raster_info *tyi_io_raster_get_info(const tyi_io_raster *raster)
{
    static const tyi_io_raster_info info;
    (void)raster;
    return &info;
}

bool tyi_io_raster_level(const tyi_io_raster *raster, int level, int *width, int *height, double ratio[2])
{
    (void)raster, (void)level, (void)width, (void)height, (void)ratio;
    return false;
}

ty_status tyi_io_raster_pixel(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double *x,
                              double *y, ty_diag *diag)
{
    (void)raster, (void)n, (void)lat, (void)lon, (void)x, (void)y;
    return none("raster", diag);
}

ty_status tyi_io_raster_place(tyi_io_raster *raster, size_t n, const double *x, const double *y, double *lat,
                              double *lon, ty_diag *diag)
{
    return tyi_io_raster_pixel(raster, n, x, y, lat, lon, diag);
}

ty_status tyi_io_raster_read(tyi_io_raster *raster, int level, tyi_io_raster_window window, float *out, ty_diag *diag)
{
    (void)raster, (void)level, (void)window, (void)out;
    return none("raster", diag);
}

ty_status tyi_io_raster_crop(tyi_io_raster *raster, double south, double north, double west, double east,
                             tyi_io_raster_window *window, ty_diag *diag)
{
    (void)raster, (void)south, (void)north, (void)west, (void)east, (void)window;
    return none("raster", diag);
}

ty_status tyi_io_raster_scan(tyi_io_raster *raster, const ty_progress *progress, ty_raster_stats *out, ty_diag *diag)
{
    (void)raster, (void)progress, (void)out;
    return none("raster", diag);
}

ty_status tyi_io_raster_sample(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double spacing,
                               double *height, ty_diag *diag)
{
    (void)raster, (void)n, (void)lat, (void)lon, (void)spacing, (void)height;
    return none("raster", diag);
}

ty_terrain_base tyi_io_raster_base(tyi_io_raster *raster)
{
    (void)raster;
    return (ty_terrain_base){ 0 };
}

ty_terrain_base tyi_io_raster_base_mirrored(tyi_io_raster *raster)
{
    return tyi_io_raster_base(raster);
}

ty_raster_cache_stats tyi_io_raster_cache(const tyi_io_raster *raster)
{
    (void)raster;
    return (ty_raster_cache_stats){ 0 };
}

ty_status tyi_io_raster_write(tyi_io_raster *raster, tyi_io_raster_window window, const char *path,
                              const ty_progress *progress, ty_raster_stats *written, ty_diag *diag)
{
    (void)raster, (void)window, (void)progress, (void)written;
    return none(path, diag);
}

ty_status tyi_io_raster_fit_spectrum(tyi_io_raster *raster, double lat, double lon, double size,
                                     ty_raster_spectrum *out, ty_diag *diag)
{
    (void)raster, (void)lat, (void)lon, (void)size, (void)out;
    return none("raster", diag);
}

ty_status tyi_io_raster_spectrum_of(const float *height, int n, double spacing, ty_raster_spectrum *out, ty_diag *diag)
{
    (void)height, (void)n, (void)spacing, (void)out;
    return none("raster", diag);
}
