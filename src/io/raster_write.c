/* src/io/raster_write.c - a window of a raster, or any grid, as a GeoTIFF, and which window a box of coordinates is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "raster.h"
#include "tycho/math.h"
#include "rasters.h"

/* ---- crop ---- */

typedef struct box {
    double x0, y0, x1, y1; /* pixels */
} box;

/* the pixels of an edge of a box of places: corner a to corner b, both lat, lon */
static ty_status add_edge(tyi_io_raster *raster, const double a[2], const double b[2], double middle, box *out,
                          ty_diag *diag)
{
    enum { N = 361 };
    double lat[N], lon[N], x[N], y[N], x_middle, y_middle;
    for (int i = 0; i < N; i++) {
        double u = (double)i / (N - 1);
        lat[i] = a[0] + u * (b[0] - a[0]);
        lon[i] = a[1] + u * (b[1] - a[1]);
    }
    ty_status status = tyi_io_raster_pixel(raster, N, lat, lon, x, y, diag);
    if (status == TY_OK) {
        status = tyi_io_raster_pixel(raster, 1, lat, &middle, &x_middle, &y_middle, diag);
    }
    for (int i = 0; i < N && status == TY_OK; i++) {
        if (raster->geo.cylindrical) { /* counted from the middle of the box, so that no seam lies in it */
            x[i] = x_middle + (lon[i] - middle) * raster->geo.kx;
        }
        if (isfinite(x[i]) && isfinite(y[i])) {
            out->x0 = fmin(out->x0, x[i]);
            out->x1 = fmax(out->x1, x[i]);
            out->y0 = fmin(out->y0, y[i]);
            out->y1 = fmax(out->y1, y[i]);
        }
    }
    return status;
}

ty_status tyi_io_raster_crop(tyi_io_raster *raster, double south, double north, double west, double east,
                             tyi_io_raster_window *window, ty_diag *diag)
{
    const tyi_io_raster_info *info = &raster->info;
    double turned = east < west ? east + 2.0 * TY_PI : east, middle = 0.5 * (west + turned);
    const double corner[5][2] = {
        { south, west }, { south, turned }, { north, turned }, { north, west }, { south, west }
    };
    box b = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < 4; k++) {
        ty_status status = add_edge(raster, corner[k], corner[k + 1], middle, &b, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    b.y0 = fmax(floor(b.y0 + 1e-6), 0.0);
    b.y1 = fmin(ceil(b.y1 - 1e-6), info->height);
    b.x0 = floor(b.x0 + 1e-6);
    b.x1 = fmin(ceil(b.x1 - 1e-6), b.x0 + info->width);
    if (!info->wraps) {
        b.x0 = fmax(b.x0, 0.0);
        b.x1 = fmin(b.x1, info->width);
    }
    if (!(b.x1 > b.x0 && b.y1 > b.y0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "latitude %g to %g, longitude %g to %g deg lies outside %s, which covers "
                       "%.6g to %.6g and %.6g to %.6g deg",
                       south / TY_DEG, north / TY_DEG, west / TY_DEG, east / TY_DEG, raster->path,
                       info->lat_min / TY_DEG, info->lat_max / TY_DEG, info->lon_min / TY_DEG, info->lon_max / TY_DEG);
    }
    *window = (tyi_io_raster_window){ (int)b.x0, (int)b.y0, (int)(b.x1 - b.x0), (int)(b.y1 - b.y0) };
    return TY_OK;
}

/* ---- a window of a raster ---- */

typedef struct part {
    tyi_io_raster *raster;
    tyi_io_raster_window window;
    double filled; /* missing samples so far */
} part;

static ty_status part_rows(void *user, int y, int rows, float *out, ty_diag *diag)
{
    part *p = user;
    tyi_io_raster_window row = { p->window.x, p->window.y + y, p->window.width, rows };
    double missing = 0.0, all = (double)p->window.width * p->window.height;
    ty_status status = tyi_io_raster_fill(p->raster, 0, row, out, &missing, diag);
    p->filled += missing;
    if (status == TY_OK && p->filled >= all) {
        status = ty_fail(diag, TY_ERR_FORMAT,
                         "%s holds no height there: all %.0f samples are missing (stored as "
                         "no-data or not finite, or beyond "
                         "1000 km, as radii are: then give the offset -1737400)",
                         p->raster->path, all);
    }
    return status;
}

static ty_status part_pixel(void *user, size_t n, const double *lat, const double *lon, double *x, double *y,
                            ty_diag *diag)
{
    const part *p = user;
    ty_status status = tyi_io_raster_pixel(p->raster, n, lat, lon, x, y, diag);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        x[i] -= p->window.x;
        y[i] -= p->window.y;
    }
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat in, out;
    return stat(a, &in) == 0 && stat(b, &out) == 0 && S_ISREG(out.st_mode) && in.st_dev == out.st_dev &&
           in.st_ino == out.st_ino;
}

ty_status tyi_io_raster_write(tyi_io_raster *raster, tyi_io_raster_window window, const char *path,
                              const ty_progress *progress, ty_raster_stats *written, ty_diag *diag)
{
    const tyi_io_raster_info *info = &raster->info;
    bool inside = window.y >= 0 && window.height <= info->height - window.y &&
                  (info->wraps || (window.x >= 0 && window.width <= info->width - window.x)) &&
                  window.width <= info->width;
    if (window.width < 2 || window.height < 2 || !inside) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "a window of %d x %d samples at %d,%d does not lie in %s, which has %d x "
                       "%d; at least 2 x 2 "
                       "are needed",
                       window.width, window.height, window.x, window.y, raster->path, info->width, info->height);
    }
    if (same_file(raster->path, path)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s is the input; the output must be another file", path);
    }
    part p = { raster, window, 0.0 };
    tyi_io_tiff grid = { .path = path,
                         .width = window.width,
                         .height = window.height,
                         .srs = raster->geo.srs,
                         .period = info->wraps ? info->width : 0.0,
                         .alloc = raster->alloc,
                         .rows = part_rows,
                         .pixel = part_pixel,
                         .user = &p,
                         .progress = progress };
    memcpy(grid.gt, raster->geo.gt, sizeof grid.gt);
    grid.gt[0] += window.x * grid.gt[1] + window.y * grid.gt[2];
    grid.gt[3] += window.x * grid.gt[4] + window.y * grid.gt[5];
    ty_status status = tyi_io_tiff_write(&grid, written, diag);
    if (written) {
        written->missing = p.filled;
    }
    return status;
}

/* ---- a grid in the tangent plane of a site ---- */

typedef struct plane {
    const tyi_io_raster_grid *grid;
    ty_site site;
    const char *path;
} plane;

static ty_status plane_rows(void *user, int y, int rows, float *out, ty_diag *diag)
{
    const plane *p = user;
    const tyi_io_raster_grid *g = p->grid;
    ty_status status = g->rows(g->user, y, rows, out, diag);
    for (size_t i = 0; i < (size_t)rows * (size_t)g->width && status == TY_OK; i++) {
        if (!isfinite(out[i])) {
            status = ty_fail(diag, TY_ERR_NUMERIC, "%s: there is no finite height in row %d, column %d", p->path,
                             y + (int)(i / (size_t)g->width), (int)(i % (size_t)g->width));
        }
    }
    return status;
}

/* orthographic: the x and y of the place on the sphere */
static ty_status plane_pixel(void *user, size_t n, const double *lat, const double *lon, double *x, double *y,
                             ty_diag *diag)
{
    (void)diag;
    const plane *p = user;
    for (size_t i = 0; i < n; i++) {
        ty_vec3 q = ty_site_point(&p->site, lat[i], lon[i], 0.0);
        x[i] = (q.x - p->grid->west) / p->grid->spacing;
        y[i] = (p->grid->north - q.y) / p->grid->spacing;
    }
    return TY_OK;
}

ty_status tyi_io_raster_write_grid(const tyi_io_raster_grid *grid, const char *path, const ty_progress *progress,
                                   ty_raster_stats *written, ty_diag *diag)
{
    double w = grid->width * grid->spacing, h = grid->height * grid->spacing;
    double far_x = fmax(fabs(grid->west), fabs(grid->west + w));
    double far_y = fmax(fabs(grid->north), fabs(grid->north - h));
    if (grid->width < 2 || grid->height < 2 || grid->width > TYI_IO_SIDE_MAX || grid->height > TYI_IO_SIDE_MAX ||
        !(hypot(far_x, far_y) < 0.9 * TY_MOON_RADIUS)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "a grid of %d x %d samples %g m apart cannot be written: 2 to %d a side are "
                       "accepted, up to %.0f km from the site",
                       grid->width, grid->height, grid->spacing, TYI_IO_SIDE_MAX, 0.9e-3 * TY_MOON_RADIUS);
    }
    plane p = { grid, ty_site_make(grid->lat, grid->lon, TY_MOON_RADIUS), path };
    tyi_io_tiff tiff = { .path = path,
                         .width = grid->width,
                         .height = grid->height,
                         .gt = { grid->west, grid->spacing, 0.0, grid->north, 0.0, -grid->spacing },
                         .srs = tyi_io_georef_plane(grid->lat, grid->lon),
                         .rows = plane_rows,
                         .pixel = plane_pixel,
                         .user = &p,
                         .progress = progress };
    ty_status status = tyi_io_tiff_write(&tiff, written, diag);
    OSRDestroySpatialReference(tiff.srs);
    return status;
}

/* ---- the whole Moon ---- */

typedef struct whole {
    const tyi_io_raster_globe *globe;
} whole;

static ty_status whole_pixel(void *user, size_t n, const double *lat, const double *lon, double *x, double *y,
                             ty_diag *diag)
{
    (void)diag;
    const tyi_io_raster_globe *g = ((const whole *)user)->globe;
    for (size_t i = 0; i < n; i++) {
        x[i] = (lon[i] / TY_DEG + 180.0) * g->per_degree;
        y[i] = (90.0 - lat[i] / TY_DEG) * g->per_degree;
    }
    return TY_OK;
}

static ty_status whole_rows(void *user, int y, int rows, float *out, ty_diag *diag)
{
    const tyi_io_raster_globe *g = ((const whole *)user)->globe;
    return g->rows(g->user, y, rows, out, diag);
}

ty_status tyi_io_raster_write_globe(const tyi_io_raster_globe *globe, const char *path, const ty_progress *progress,
                                    ty_raster_stats *written, ty_diag *diag)
{
    if (globe->per_degree < 1 || globe->per_degree > 1024) {
        return ty_fail(diag, TY_ERR_RANGE, "a globe of %d samples to a degree, but 1 to 1024 are accepted",
                       globe->per_degree);
    }
    double step = 1.0 / globe->per_degree;
    whole w = { globe };
    tyi_io_tiff tiff = { .path = path,
                         .width = 360 * globe->per_degree,
                         .height = 180 * globe->per_degree,
                         .gt = { -180.0, step, 0.0, 90.0, 0.0, -step },
                         .srs = tyi_io_georef_globe(),
                         .period = 360.0 * globe->per_degree,
                         .rows = whole_rows,
                         .pixel = whole_pixel,
                         .user = &w,
                         .progress = progress };
    ty_status status = tyi_io_tiff_write(&tiff, written, diag);
    OSRDestroySpatialReference(tiff.srs);
    return status;
}
