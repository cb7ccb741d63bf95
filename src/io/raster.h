/* src/io/raster.h - inside of a raster.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_RASTER_H
#define TYI_IO_RASTER_H
#include <gdal.h>
#include <ogr_srs_api.h>
#include <pthread.h>
#include "core/index.h"
#include "gdal_guard.h"
#include "tycho/tools/raster.h"
#include "rasters.h"

#define TYI_IO_LEVELS     32
#define TYI_IO_CORE       256               /* cells of a cached block along a side */
#define TYI_IO_BLOCK      (TYI_IO_CORE + 3) /* samples: every 4 x 4 stencil of its cells lies inside */
#define TYI_IO_SIDE_MAX   10000000          /* samples of a side */
#define TYI_IO_FREE_PAIRS 16                /* idle transformations that are kept */

/* between places and map coordinates, one thread at a time; in degrees */
typedef struct tyi_io_pair {
    OGRCoordinateTransformationH to_map, to_place;
} tyi_io_pair;

typedef struct tyi_io_georef {
    double gt[6], inverse[6]; /* pixel to map coordinates and back, as GDAL has them */
    OGRSpatialReferenceH srs; /* of the map, on the lunar sphere */
    /* a cylindrical map without turn: x = width / 2 + kx (lon - lon_c), and where linear the same in y and latitude */
    bool cylindrical, linear;
    double lon_c, kx; /* [rad], [1/rad] */
    double lat_c, ky; /* [rad], [1/rad] latitude at y = height / 2 */
    double half_width, half_height;
    pthread_mutex_t mutex; /* of what follows */
    tyi_io_pair first, idle[TYI_IO_FREE_PAIRS];
    int idles;
} tyi_io_georef;

typedef struct tyi_io_level {
    int width, height;
    double ratio[2];      /* level-0 pixels per sample */
    GDALRasterBandH band; /* where it is read from: its own overview, or a finer one that is averaged */
    GDALRasterBandH mask; /* NULL: none beyond the no-data value */
    int band_width, band_height;
} tyi_io_level;

typedef struct tyi_io_slot {
    uint64_t key;
    float *samples;   /* TYI_IO_BLOCK x TYI_IO_BLOCK */
    int pins;         /* readers that hold it; such a block stays */
    int newer, older; /* by last use, -1: none */
} tyi_io_slot;

typedef struct tyi_io_cache {
    pthread_mutex_t mutex;
    tyi_io_slot *slot;
    tyi_index index; /* of the slots that are in use */
    int slots, used, newest, oldest;
    ty_raster_cache_stats stats;
} tyi_io_cache;

struct tyi_io_raster {
    const ty_alloc *alloc;
    char *path;
    tyi_io_raster_info info;
    GDALDatasetH dataset;
    pthread_mutex_t io; /* a dataset serves one thread at a time */
    bool single;        /* stored as float: the no-data value is compared as one */
    tyi_io_georef geo;
    tyi_io_level level[TYI_IO_LEVELS];
    int levels;
    tyi_io_cache cache;
};

/* raster_georef.c */
ty_status tyi_io_georef_init(tyi_io_raster *raster, const tyi_io_raster_def *def, ty_diag *diag);
void tyi_io_georef_free(tyi_io_georef *geo);
/* orthographic about a place [rad]; the caller destroys it */
OGRSpatialReferenceH tyi_io_georef_plane(double lat, double lon);
OGRSpatialReferenceH tyi_io_georef_globe(void); /* latitude and longitude; the caller destroys it */

/* raster_cache.c: a pinned block, and how it is given back. slot < 0: a block of its own beside a full cache. */
typedef struct tyi_io_pin {
    const float *samples;
    int slot;
} tyi_io_pin;
ty_status tyi_io_cache_init(tyi_io_raster *raster, size_t bytes, ty_diag *diag);
void tyi_io_cache_free(tyi_io_raster *raster);
ty_status tyi_io_cache_pin(tyi_io_raster *raster, int level, int bx, int by, tyi_io_pin *out, ty_diag *diag);
void tyi_io_cache_unpin(tyi_io_raster *raster, tyi_io_pin *pin); /* a zeroed pin is allowed */

/* raster_read.c: a block with its surroundings, edges continued (the caller holds raster->io); a
 * window whose missing samples, counted in *missing, are filled from coarser levels */
ty_status tyi_io_raster_load(tyi_io_raster *raster, int level, int bx, int by, float *out, ty_diag *diag);
ty_status tyi_io_raster_fill(tyi_io_raster *raster, int level, tyi_io_raster_window window, float *out, double *missing,
                             ty_diag *diag);

/* raster_tiff.c: a grid of heights as a GeoTIFF */
typedef struct tyi_io_tiff {
    const char *path; /* of the output */
    int width, height;
    double gt[6];             /* pixel to map coordinates, as GDAL has them */
    OGRSpatialReferenceH srs; /* of the map, on the lunar sphere */
    double period;            /* [pixels] columns after which the grid repeats; 0: never */
    const ty_alloc *alloc;
    /* heights [m] of some rows, from the top; called in order, from one thread */
    ty_status (*rows)(void *user, int y, int rows, float *out, ty_diag *diag);
    /* where places [rad] lie in the grid [pixels]: the finished file must agree */
    ty_status (*pixel)(void *user, size_t n, const double *lat, const double *lon, double *x, double *y, ty_diag *diag);
    void *user;
    const ty_progress *progress;
} tyi_io_tiff;
ty_status tyi_io_tiff_write(const tyi_io_tiff *grid, ty_raster_stats *written, ty_diag *diag);

/* sums over heights; end turns them to what they are called */
void tyi_io_stats_start(ty_raster_stats *stats);
void tyi_io_stats_add(ty_raster_stats *stats, size_t n, const float *height);
void tyi_io_stats_end(ty_raster_stats *stats);

#endif
