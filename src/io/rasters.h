/* src/io/rasters.h - elevation rasters of the Moon, of any size and any format that GDAL reads.
 *
 * A raster is a grid of heights [m] above the sphere of radius 1737400 m. Pixel coordinates are
 * continuous: x to the right, y down, pixel (i, j) covers i..i+1, j..j+1 and its height stands at
 * its centre (i + 0.5, j + 0.5). Level 0 is the grid itself; level l has every side halved l times
 * (rounded up) by averaging; the last one has one sample. Levels come from the file's overviews
 * where it has them.
 *
 * What a file says and what it means:
 * - height = stored * scale + offset. An offset near the Moon's radius (1737400 m or 1737.4 km)
 * means that stored values are radii: the sphere is taken off, and for 1737.4 or a unit of km the
 * heights are turned to metres.
 * - Missing: the file's no-data value, what its mask hides, NaN, infinities, and anything beyond
 * 1000 km.
 * - A reference body that is not the Moon (radius off by over 3 %) is taken for a mistake:
 * latitudes, longitudes, and the metres of a projection, are read as they stand, but on the lunar
 * sphere. tyi_io_raster_info.note says so.
 * - A grid without a reference system is latitude and longitude if its numbers can be degrees; else
 * the caller must place the raster, by pixel size and centre or by bounds. What the caller gives wins over the file.
 *
 * Threads: after opening, every function may run on any number of threads at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_RASTERS_H
#define TYI_IO_RASTERS_H
#include "tycho/tools/raster.h"

typedef struct tyi_io_raster tyi_io_raster;

/* whether this build has GDAL; without it nothing is read or written, and says so */
bool tyi_io_raster_able(void);

/* Start from tyi_io_raster_def_default(). NAN stands for "as the file says". */
typedef struct tyi_io_raster_def {
    int band;              /* from 1; 0: the only one, an error where there are several */
    double scale;          /* [m] height of one stored unit */
    double offset;         /* [m] height of a stored 0 */
    double nodata;         /* stored value of missing samples */
    double pixel;          /* [m] side of a pixel; with lat and lon places a raster without georeference */
    double lat, lon;       /* [rad] of the raster's centre: north is up, orthographic */
    double bounds[4];      /* [rad] south, north, west, east edge: places a latitude-longitude grid */
    size_t cache_bytes;    /* bound on cached blocks of 268 kB; each thread may hold 5 more */
    const ty_alloc *alloc; /* NULL: heap */
    uint32_t cookie;
} tyi_io_raster_def;
tyi_io_raster_def tyi_io_raster_def_default(void);

/* On success the caller owns *out. TY_ERR_DEF, TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_MEMORY. */
ty_status tyi_io_raster_open(const char *path, const tyi_io_raster_def *def, tyi_io_raster **out, ty_diag *diag);
void tyi_io_raster_close(tyi_io_raster *raster); /* NULL is allowed */

typedef struct tyi_io_raster_info {
    int width, height;       /* samples */
    int band, bands;         /* the one that is read, and how many there are */
    int levels, overviews;   /* of this object, of the file */
    double spacing;          /* [m] between samples at the centre: the larger of the next two */
    double step_x, step_y;   /* [m] on the ground from pixel to pixel there, to the right and down */
    double lat_min, lat_max; /* [rad] */
    double lon_min, lon_max; /* [rad] lon_min in [-pi, pi), lon_max at most 2 pi more */
    bool wraps;              /* the first column follows the last one: goes round the Moon */
    double scale, offset;    /* [m] that are applied */
    bool has_nodata;
    double nodata;   /* stored value of missing samples, if any */
    char format[48]; /* GDAL's name of the format */
    char crs[96];    /* name of the reference system */
    char type[16];   /* GDAL's name of the stored type */
    char note[256];  /* what had to be assumed; empty: nothing */
} tyi_io_raster_info;
const tyi_io_raster_info *tyi_io_raster_get_info(const tyi_io_raster *raster);

/* Size of a level, and how many level-0 pixels one of its samples is wide and high. false: no such level. */
bool tyi_io_raster_level(const tyi_io_raster *raster, int level, int *width, int *height, double ratio[2]);

/* Pixel coordinates of n places [rad] and back; NaN where the projection does not reach. Longitudes
 * of any turn go in; -pi..pi comes out. x and y may lie outside the raster. */
ty_status tyi_io_raster_pixel(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double *x,
                              double *y, ty_diag *diag);
ty_status tyi_io_raster_place(tyi_io_raster *raster, size_t n, const double *x, const double *y, double *lat,
                              double *lon, ty_diag *diag);

/* A rectangle of samples of a level. It may reach past the edges; columns of a raster that wraps go round. */
typedef struct tyi_io_raster_window {
    int x, y, width, height;
} tyi_io_raster_window;

/* Heights [m], out[row * width + column]; NaN where missing or outside. */
ty_status tyi_io_raster_read(tyi_io_raster *raster, int level, tyi_io_raster_window window, float *out, ty_diag *diag);

/* The smallest window that holds a box of latitudes and longitudes [rad], cut to the raster
 * (columns of a raster that wraps are not cut). east < west goes across the seam. TY_ERR_RANGE
 * where they do not meet. */
ty_status tyi_io_raster_crop(tyi_io_raster *raster, double south, double north, double west, double east,
                             tyi_io_raster_window *window, ty_diag *diag);
ty_status tyi_io_raster_scan(tyi_io_raster *raster, const ty_progress *progress, ty_raster_stats *out, ty_diag *diag);

/* Heights [m] at n places [rad]: bicubic Catmull-Rom through the samples of the coarsest level that
 * is not coarser than spacing [m]; edges are continued by their last sample; NaN outside the cover
 * and in holes. */
ty_status tyi_io_raster_sample(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double spacing,
                               double *height, ty_diag *diag);

/* The raster as the base of a terrain; it must outlive the terrain. Outside the cover the heights of its edge go on
 * (the nearest pixel's), so that a site that reaches past it ends in no cliff. */
ty_terrain_base tyi_io_raster_base(tyi_io_raster *raster);

/* The same, but outside the cover the raster goes on as mirrors at its edges show it: hills and craters of its own kind
 * up to the horizon, without a step. It is no measurement of what is there. */
ty_terrain_base tyi_io_raster_base_mirrored(tyi_io_raster *raster);
ty_raster_cache_stats tyi_io_raster_cache(const tyi_io_raster *raster);

/* Writes the window as a tiled, compressed GeoTIFF of heights [m] with overviews, in the raster's
 * own grid (nothing is resampled) on the lunar sphere. Missing samples are filled from around them,
 * holes of any size; *written, if given, tells what the file holds, and as missing how many samples
 * were filled. Written under a temporary name beside path and renamed at the end; no trace is left
 * on failure. */
ty_status tyi_io_raster_write(tyi_io_raster *raster, tyi_io_raster_window window, const char *path,
                              const ty_progress *progress, ty_raster_stats *written, ty_diag *diag);

/* A grid of heights in the tangent plane of a site: orthographic, north up. x and y are those of the place on the
 * sphere; a point of W at the height h above it has them times (R + h) / R. */
typedef struct tyi_io_raster_grid {
    double lat, lon;    /* [rad] of the site */
    double west, north; /* [m] outer edges: x of the left one, y of the upper one */
    double spacing;     /* [m] */
    int width, height;
    /* Heights [m] above the sphere at the centres of rows y .. y + rows - 1, from the north, out[row * width + column];
     * all finite. Called in order from one thread, a few hundred rows at a time. */
    ty_status (*rows)(void *user, int y, int rows, float *out, ty_diag *diag);
    void *user;
} tyi_io_raster_grid;

/* Writes it as tyi_io_raster_write() does. TY_ERR_RANGE for fewer than 2 x 2 samples, or a grid that leaves the Moon;
 * TY_ERR_NUMERIC for heights that are not finite; TY_ERR_FILE, or what rows() returns. */
ty_status tyi_io_raster_write_grid(const tyi_io_raster_grid *grid, const char *path, const ty_progress *progress,
                                   ty_raster_stats *written, ty_diag *diag);

/* Writes a map of the whole Moon in latitude and longitude, per_degree samples to a degree, from the north pole down
 * and from 180 deg west, as tyi_io_raster_write() does. rows() as in tyi_io_raster_grid, width 360 per_degree. TY_ERR_RANGE,
 * TY_ERR_FILE, or what rows() returns. */
typedef struct tyi_io_raster_globe {
    int per_degree; /* 1 to 1024 */
    ty_status (*rows)(void *user, int y, int rows, float *out, ty_diag *diag);
    void *user;
} tyi_io_raster_globe;
ty_status tyi_io_raster_write_globe(const tyi_io_raster_globe *globe, const char *path, const ty_progress *progress,
                                    ty_raster_stats *written, ty_diag *diag);

/* Over a square of about `size` [m] around a place [rad], cut to the raster and to the middle 512 x
 * 512 samples. TY_ERR_RANGE where fewer than 64 x 64 samples are there, or more than a quarter of
 * them are missing. */
ty_status tyi_io_raster_fit_spectrum(tyi_io_raster *raster, double lat, double lon, double size,
                                     ty_raster_spectrum *out, ty_diag *diag);

/* The same of n x n finite heights, spacing [m] apart: n from 64 to 512, a multiple of 4. */
ty_status tyi_io_raster_spectrum_of(const float *height, int n, double spacing, ty_raster_spectrum *out, ty_diag *diag);

#endif
