/* src/io/raster_open.c - opening a raster: band, scale, no-data, levels.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cpl_vsi.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "raster.h"
#include "tycho/math.h"
#include "rasters.h"

#define MOON_NEAR   50e3                /* [m] an offset this near to the Moon's radius is the radius */
#define BLOCK_BYTES (256.0 * 1048576.0) /* largest block of the file; GDAL reads whole blocks */

bool tyi_io_raster_able(void)
{
    return true;
}

tyi_io_raster_def tyi_io_raster_def_default(void)
{
    return (tyi_io_raster_def){ .scale = NAN,
                                .offset = NAN,
                                .nodata = NAN,
                                .pixel = NAN,
                                .lat = NAN,
                                .lon = NAN,
                                .bounds = { NAN, NAN, NAN, NAN },
                                .cache_bytes = (size_t)64 << 20,
                                .cookie = TYI_COOKIE };
}

/* what GDAL would answer with a riddle: no such file, a folder, an empty file */
static ty_status check_path(const char *path, ty_diag *diag)
{
    VSIStatBufL status;
    errno = 0;
    if (VSIStatExL(path, &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG) != 0) {
        if (strchr(path, ':')) {
            return TY_OK; /* a part of a file, as in NETCDF:"file":part */
        }
        return ty_fail(diag, TY_ERR_FILE, "%s: %s", path, errno ? strerror(errno) : "there is no such file");
    }
    if (VSI_ISDIR(status.st_mode)) {
        return ty_fail(diag, TY_ERR_FILE, "%s is a folder, not a raster file", path);
    }
    if (VSI_ISREG(status.st_mode) && status.st_size == 0) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s is empty (0 bytes), not a raster", path);
    }
    if (strncmp(path, "/vsi", 4) != 0 && access(path, R_OK) != 0) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be read: %s", path, strerror(errno));
    }
    return TY_OK;
}

static bool is_alpha(GDALDatasetH dataset, int band)
{
    return GDALGetRasterColorInterpretation(GDALGetRasterBand(dataset, band)) == GCI_AlphaBand;
}

static ty_status choose_band(tyi_io_raster *raster, int asked, ty_diag *diag)
{
    int bands = GDALGetRasterCount(raster->dataset), colours = 0;
    raster->info.bands = bands;
    raster->info.band = asked;
    if (asked < 0 || asked > bands) {
        return ty_fail(diag, TY_ERR_INPUT, "%s has no band %d; it has %d", raster->path, asked, bands);
    }
    if (asked > 0) {
        return TY_OK;
    }
    char names[300] = "";
    for (int i = 1; i <= bands && !is_alpha(raster->dataset, i); i++) {
        const char *name = GDALGetDescription(GDALGetRasterBand(raster->dataset, i));
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%d%s%s", i > 1 ? ", " : "", i, name && *name ? " " : "",
                 name ? name : "");
        colours++;
    }
    raster->info.band = 1;
    return colours == 1 ? TY_OK
                        : ty_fail(diag, TY_ERR_INPUT, "%s has %d bands (%s); give the band that holds the heights",
                                  raster->path, colours, names);
}

static ty_status check_size(const tyi_io_raster *raster, GDALRasterBandH band, ty_diag *diag)
{
    int bw = 0, bh = 0;
    GDALGetBlockSize(band, &bw, &bh);
    GDALDataType type = GDALGetRasterDataType(band);
    double bytes = (double)bw * (double)bh * GDALGetDataTypeSizeBytes(type);
    int w = raster->info.width, h = raster->info.height;
    if (w < 2 || h < 2 || w > TYI_IO_SIDE_MAX || h > TYI_IO_SIDE_MAX) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s is %d x %d samples; a surface needs 2 to %d of them each way",
                       raster->path, w, h, TYI_IO_SIDE_MAX);
    }
    if (bytes > BLOCK_BYTES) {
        return ty_fail(diag, TY_ERR_FORMAT,
                       "%s is stored in blocks of %d x %d samples, %.0f MiB each; at most %.0f MiB "
                       "can be read at once",
                       raster->path, bw, bh, bytes / 1048576.0, BLOCK_BYTES / 1048576.0);
    }
    if (GDALDataTypeIsComplex(type)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s holds complex numbers (%s), not heights", raster->path,
                       GDALGetDataTypeName(type));
    }
    return TY_OK;
}

/* scale and offset to metres above the sphere; see the header for what is read into them */
static void set_scale(tyi_io_raster *raster, GDALRasterBandH band, const tyi_io_raster_def *def)
{
    int given = 0;
    double scale = GDALGetRasterScale(band, &given);
    scale = given && isfinite(scale) && scale != 0.0 ? scale : 1.0;
    double offset = GDALGetRasterOffset(band, &given);
    offset = given && isfinite(offset) ? offset : 0.0;
    const char *unit = GDALGetRasterUnitType(band);
    bool km = unit && (!strcasecmp(unit, "km") || !strncasecmp(unit, "kilomet", 7));
    if (km || fabs(offset * 1e3 - TY_MOON_RADIUS) < MOON_NEAR) {
        scale *= 1e3;
        offset *= 1e3;
        snprintf(raster->info.note, sizeof raster->info.note, "the stored values are kilometres");
    }
    if (fabs(offset - TY_MOON_RADIUS) < MOON_NEAR) {
        offset -= TY_MOON_RADIUS;
    }
    raster->info.scale = isnan(def->scale) ? scale : def->scale;
    raster->info.offset = isnan(def->offset) ? offset : def->offset;
}

static void set_nodata(tyi_io_raster *raster, GDALRasterBandH band, const tyi_io_raster_def *def)
{
    int given = 0;
    double value = GDALGetRasterNoDataValue(band, &given);
    raster->info.has_nodata = given || !isnan(def->nodata);
    raster->info.nodata = isnan(def->nodata) ? value : def->nodata;
    raster->single = GDALGetRasterDataType(band) == GDT_Float32;
}

/* the finest stored overview that is not smaller than the level, or the level itself */
static GDALRasterBandH source_of(GDALRasterBandH full, int width, int height)
{
    GDALRasterBandH best = full;
    for (int i = 0; i < GDALGetOverviewCount(full); i++) {
        GDALRasterBandH o = GDALGetOverview(full, i);
        if (o && GDALGetRasterBandXSize(o) >= width && GDALGetRasterBandYSize(o) >= height &&
            GDALGetRasterBandXSize(o) < GDALGetRasterBandXSize(best)) {
            best = o;
        }
    }
    return best;
}

static void set_levels(tyi_io_raster *raster, GDALRasterBandH full)
{
    int w = raster->info.width, h = raster->info.height;
    for (int l = 0; l < TYI_IO_LEVELS; l++) {
        tyi_io_level *level = &raster->level[l];
        level->width = w;
        level->height = h;
        level->ratio[0] = (double)raster->info.width / w;
        level->ratio[1] = (double)raster->info.height / h;
        level->band = l ? source_of(full, w, h) : full;
        level->band_width = GDALGetRasterBandXSize(level->band);
        level->band_height = GDALGetRasterBandYSize(level->band);
        int flags = GDALGetMaskFlags(level->band);
        level->mask = flags & (GMF_ALL_VALID | GMF_NODATA) ? NULL : GDALGetMaskBand(level->band);
        raster->levels = l + 1;
        if (w == 1 && h == 1) {
            break;
        }
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    raster->info.levels = raster->levels;
    raster->info.overviews = GDALGetOverviewCount(full);
}

static ty_status open_inside(tyi_io_raster *raster, const tyi_io_raster_def *def, const tyi_io_gdal *gdal,
                             ty_diag *diag)
{
    raster->dataset = GDALOpenEx(raster->path, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (!raster->dataset) {
        const char *dot = strrchr(raster->path, '.');
        bool table = dot && (!strcasecmp(dot, ".csv") || !strcasecmp(dot, ".txt") || !strcasecmp(dot, ".xyz"));
        return ty_fail(
            diag, TY_ERR_FORMAT, "%s cannot be read as a raster: %s%s", raster->path, tyi_io_gdal_text(gdal),
            table ? "; of tables GDAL takes lines x,y,z of a regular grid, row by row, and ESRI's ASCII grids; "
                    "scattered points: gdal_grid -zfield z points.vrt site.tif"
                  : "");
    }
    if (GDALGetRasterCount(raster->dataset) < 1) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s holds no raster band of its own", raster->path);
    }
    tyi_io_raster_info *info = &raster->info;
    info->width = GDALGetRasterXSize(raster->dataset);
    info->height = GDALGetRasterYSize(raster->dataset);
    ty_status status = choose_band(raster, def->band, diag);
    if (status != TY_OK) {
        return status;
    }
    GDALRasterBandH band = GDALGetRasterBand(raster->dataset, info->band);
    if ((status = check_size(raster, band, diag)) != TY_OK) {
        return status;
    }
    snprintf(info->format, sizeof info->format, "%s", GDALGetDriverLongName(GDALGetDatasetDriver(raster->dataset)));
    snprintf(info->type, sizeof info->type, "%s", GDALGetDataTypeName(GDALGetRasterDataType(band)));
    set_scale(raster, band, def);
    set_nodata(raster, band, def);
    set_levels(raster, band);
    if ((status = tyi_io_georef_init(raster, def, diag)) != TY_OK) {
        return status;
    }
    return tyi_io_cache_init(raster, def->cache_bytes, diag);
}

static ty_status check_def(const tyi_io_raster_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "tyi_io_raster_def does not come from tyi_io_raster_def_default()");
    }
    if (isinf(def->scale) || def->scale == 0.0 || isinf(def->offset)) {
        return ty_fail(diag, TY_ERR_RANGE, "scale %g and offset %g must be finite, and the scale not 0", def->scale,
                       def->offset);
    }
    return TY_OK;
}

static tyi_io_raster *make(const char *path, const ty_alloc *alloc, ty_diag *diag)
{
    tyi_io_raster *raster = tyi_get(alloc, sizeof *raster);
    char *name = raster ? tyi_get(alloc, strlen(path) + 1) : NULL;
    if (!name) {
        tyi_put(alloc, raster, sizeof *raster);
        ty_fail(diag, TY_ERR_MEMORY, "%s: out of memory", path);
        return NULL;
    }
    raster->alloc = alloc;
    raster->path = strcpy(name, path);
    pthread_mutex_init(&raster->io, NULL);
    pthread_mutex_init(&raster->geo.mutex, NULL);
    pthread_mutex_init(&raster->cache.mutex, NULL);
    return raster;
}

ty_status tyi_io_raster_open(const char *path, const tyi_io_raster_def *def, tyi_io_raster **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check_def(def, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_io_gdal gdal;
    tyi_io_gdal_begin(&gdal);
    status = check_path(path, diag);
    if (status == TY_OK) {
        tyi_io_raster *raster = make(path, def->alloc, diag);
        status = raster ? open_inside(raster, def, &gdal, diag) : TY_ERR_MEMORY;
        if (status == TY_OK) {
            *out = raster;
        } else {
            tyi_io_raster_close(raster);
        }
    }
    tyi_io_gdal_end(&gdal);
    return status;
}

void tyi_io_raster_close(tyi_io_raster *raster)
{
    if (!raster) {
        return;
    }
    tyi_io_gdal gdal;
    tyi_io_gdal_begin(&gdal);
    tyi_io_cache_free(raster);
    tyi_io_georef_free(&raster->geo);
    if (raster->dataset) {
        GDALClose(raster->dataset);
    }
    tyi_io_gdal_end(&gdal);
    pthread_mutex_destroy(&raster->io);
    pthread_mutex_destroy(&raster->geo.mutex);
    pthread_mutex_destroy(&raster->cache.mutex);
    tyi_put(raster->alloc, raster->path, strlen(raster->path) + 1);
    tyi_put(raster->alloc, raster, sizeof *raster);
}

const tyi_io_raster_info *tyi_io_raster_get_info(const tyi_io_raster *raster)
{
    return &raster->info;
}

bool tyi_io_raster_level(const tyi_io_raster *raster, int level, int *width, int *height, double ratio[2])
{
    if (level < 0 || level >= raster->levels) {
        return false;
    }
    *width = raster->level[level].width;
    *height = raster->level[level].height;
    if (ratio) {
        ratio[0] = raster->level[level].ratio[0];
        ratio[1] = raster->level[level].ratio[1];
    }
    return true;
}
