/* include/tycho/tools/raster.h - elevation rasters of the Moon, of any size and any format that GDAL reads.
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
 * sphere. ty_raster_info.note says so.
 * - A grid without a reference system is latitude and longitude if its numbers can be degrees; else
 * the caller must place the raster, by pixel size and centre or by bounds. What the caller gives wins over the file.
 *
 * Threads: after opening, every function may run on any number of threads at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RASTER_H
#define TYCHO_RASTER_H
#include "tycho/base.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

typedef struct ty_raster ty_raster;

/* Start from ty_raster_def_default(). NAN stands for "as the file says". */
typedef struct ty_raster_def {
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
} ty_raster_def;

TY_API ty_raster_def ty_raster_def_default(void);
/* On success the caller owns *out. TY_ERR_DEF, TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_MEMORY. */
TY_API ty_status ty_raster_open(const char *path, const ty_raster_def *def, ty_raster **out, ty_diag *diag);
TY_API void ty_raster_close(ty_raster *raster); /* NULL is allowed */

typedef struct ty_raster_info {
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
} ty_raster_info;
TY_API const ty_raster_info *ty_raster_get_info(const ty_raster *raster);

/* Size of a level, and how many level-0 pixels one of its samples is wide and high. false: no such level. */
TY_API bool ty_raster_level(const ty_raster *raster, int level, int *width, int *height, double ratio[2]);

/* Pixel coordinates of n places [rad] and back; NaN where the projection does not reach. Longitudes
 * of any turn go in; -pi..pi comes out. x and y may lie outside the raster. */
TY_API ty_status ty_raster_pixel(ty_raster *raster, size_t n, const double *lat, const double *lon, double *x,
                                 double *y, ty_diag *diag);
TY_API ty_status ty_raster_place(ty_raster *raster, size_t n, const double *x, const double *y, double *lat,
                                 double *lon, ty_diag *diag);

/* A rectangle of samples of a level. It may reach past the edges; columns of a raster that wraps go round. */
typedef struct ty_raster_window {
    int x, y, width, height;
} ty_raster_window;
/* Heights [m], out[row * width + column]; NaN where missing or outside. */
TY_API ty_status ty_raster_read(ty_raster *raster, int level, ty_raster_window window, float *out, ty_diag *diag);
/* The smallest window that holds a box of latitudes and longitudes [rad], cut to the raster
 * (columns of a raster that wraps are not cut). east < west goes across the seam. TY_ERR_RANGE
 * where they do not meet. */
TY_API ty_status ty_raster_crop(ty_raster *raster, double south, double north, double west, double east,
                                ty_raster_window *window, ty_diag *diag);

typedef struct ty_raster_stats {
    double min, max, mean; /* [m] NaN where every sample is missing */
    double samples;        /* that were looked at */
    double missing;        /* of these */
    int level;             /* 0: every sample; above: too many, so averages of this level were looked at */
} ty_raster_stats;
TY_API ty_status ty_raster_scan(ty_raster *raster, const ty_progress *progress, ty_raster_stats *out, ty_diag *diag);

/* Heights [m] at n places [rad]: bicubic Catmull-Rom through the samples of the coarsest level that
 * is not coarser than spacing [m]; edges are continued by their last sample; NaN outside the cover
 * and in holes. */
TY_API ty_status ty_raster_sample(ty_raster *raster, size_t n, const double *lat, const double *lon, double spacing,
                                  double *height, ty_diag *diag);
/* The raster as the base of a terrain; it must outlive the terrain. Outside the cover the heights of its edge go on
 * (the nearest pixel's), so that a site that reaches past it ends in no cliff. */
TY_API ty_terrain_base ty_raster_base(ty_raster *raster);
/* The same, but outside the cover the raster goes on as mirrors at its edges show it: hills and craters of its own kind
 * up to the horizon, without a step. It is no measurement of what is there. */
TY_API ty_terrain_base ty_raster_base_mirrored(ty_raster *raster);

typedef struct ty_raster_cache_stats {
    size_t bytes, peak_bytes; /* held now, and at most so far */
    uint64_t hits, loads;     /* blocks found, and read from the file */
} ty_raster_cache_stats;
TY_API ty_raster_cache_stats ty_raster_cache(const ty_raster *raster);

/* Writes the window as a tiled, compressed GeoTIFF of heights [m] with overviews, in the raster's
 * own grid (nothing is resampled) on the lunar sphere. Missing samples are filled from around them,
 * holes of any size; *written, if given, tells what the file holds, and as missing how many samples
 * were filled. Written under a temporary name beside path and renamed at the end; no trace is left
 * on failure. */
TY_API ty_status ty_raster_write(ty_raster *raster, ty_raster_window window, const char *path,
                                 const ty_progress *progress, ty_raster_stats *written, ty_diag *diag);

/* A grid of heights in the tangent plane of a site: orthographic, north up. x and y are those of the place on the
 * sphere; a point of W at the height h above it has them times (R + h) / R. */
typedef struct ty_raster_grid {
    double lat, lon;    /* [rad] of the site */
    double west, north; /* [m] outer edges: x of the left one, y of the upper one */
    double spacing;     /* [m] */
    int width, height;
    /* Heights [m] above the sphere at the centres of rows y .. y + rows - 1, from the north, out[row * width + column];
     * all finite. Called in order from one thread, a few hundred rows at a time. */
    ty_status (*rows)(void *user, int y, int rows, float *out, ty_diag *diag);
    void *user;
} ty_raster_grid;
/* Writes it as ty_raster_write() does. TY_ERR_RANGE for fewer than 2 x 2 samples, or a grid that leaves the Moon;
 * TY_ERR_NUMERIC for heights that are not finite; TY_ERR_FILE, or what rows() returns. */
TY_API ty_status ty_raster_write_grid(const ty_raster_grid *grid, const char *path, const ty_progress *progress,
                                      ty_raster_stats *written, ty_diag *diag);

/* Writes a map of the whole Moon in latitude and longitude, per_degree samples to a degree, from the north pole down
 * and from 180 deg west, as ty_raster_write() does. rows() as in ty_raster_grid, width 360 per_degree. TY_ERR_RANGE,
 * TY_ERR_FILE, or what rows() returns. */
typedef struct ty_raster_globe {
    int per_degree; /* 1 to 1024 */
    ty_status (*rows)(void *user, int y, int rows, float *out, ty_diag *diag);
    void *user;
} ty_raster_globe;
TY_API ty_status ty_raster_write_globe(const ty_raster_globe *globe, const char *path, const ty_progress *progress,
                                       ty_raster_stats *written, ty_diag *diag);

/* Power spectral density of height along rows and columns, in bands of wavelength, and its power
 * law S(f) = amplitude f^-(2 hurst + 1),   f in cycles per metre, S one-sided in m^3 (m^2 per
 * cycle/m), fitted where rasters are neither smoothed nor short of samples: wavelengths of 6 to 20 pixels. */
#define TY_SPECTRUM_BANDS   24
#define TY_SPECTRUM_OCTAVES 4
typedef struct ty_raster_spectrum {
    int bands;                            /* used of the arrays below */
    double wavelength[TY_SPECTRUM_BANDS]; /* [m] centre of the band, ascending */
    double psd[TY_SPECTRUM_BANDS];        /* [m^3] mean in the band */
    double fit[TY_SPECTRUM_BANDS];        /* [m^3] mean of the power law over the same frequencies */
    double hurst;                         /* [-] */
    double amplitude;                     /* [m^(2 - 2 hurst)] S at one cycle per metre */
    double missing[TY_SPECTRUM_OCTAVES];  /* [-] 1 - power / power of the law, 0 to 1, at wavelengths
                                          * of 2 to 4, 4 to 8, 8 to 16, 16 to 32 pixels: what
                                          * smoothing took */
    int samples;                          /* side of the window that was used */
    double spacing;                       /* [m] of the raster */
    int filled;                           /* samples of the window that were missing and taken from their neighbours */
} ty_raster_spectrum;
/* Over a square of about `size` [m] around a place [rad], cut to the raster and to the middle 512 x
 * 512 samples. TY_ERR_RANGE where fewer than 64 x 64 samples are there, or more than a quarter of
 * them are missing. */
TY_API ty_status ty_raster_fit_spectrum(ty_raster *raster, double lat, double lon, double size, ty_raster_spectrum *out,
                                        ty_diag *diag);

/* The same of n x n finite heights, spacing [m] apart: n from 64 to 512, a multiple of 4. */
TY_API ty_status ty_raster_spectrum_of(const float *height, int n, double spacing, ty_raster_spectrum *out,
                                       ty_diag *diag);

TY_END_DECLS
#endif
