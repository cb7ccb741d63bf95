/* src/io/raster_read.c - heights out of the file: windows of any level, holes filled, what there is in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "raster.h"
#include "rasters.h"

#define ROOM       (1 << 19)           /* stored values that are held at once: 4 MiB */
#define HEIGHT_MAX 1e6                 /* [m] beyond this a value is not a height on the Moon */
#define SCAN_MAX   (256.0 * 1048576.0) /* samples that a scan looks at before it turns to a coarser level */

static int min_int(int a, int b)
{
    return a < b ? a : b;
}
static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* ---- stored values to heights ---- */

static void convert(const tyi_io_raster *raster, size_t n, const double *stored, const uint8_t *mask, float *height)
{
    const tyi_io_raster_info *info = &raster->info;
    double none = raster->single ? (double)(float)info->nodata : info->nodata;
    for (size_t i = 0; i < n; i++) {
        double v = stored[i], h = v * info->scale + info->offset;
        bool missing = (info->has_nodata && v == none) || !(fabs(h) <= HEIGHT_MAX) || (mask && !mask[i]);
        height[i] = missing ? NAN : (float)h;
    }
}

/* the band that a level is read from, and room for what is read of it at once */
typedef struct source {
    tyi_io_raster *raster;
    const tyi_io_level *level;
    int room; /* samples */
    double *stored;
    uint8_t *mask;
    float *height;
} source;

static ty_status source_open(source *s, tyi_io_raster *raster, int level, int room, ty_diag *diag)
{
    *s = (source){ .raster = raster, .level = &raster->level[level], .room = room };
    s->stored = tyi_get(raster->alloc, (size_t)room * sizeof *s->stored);
    s->mask = tyi_get(raster->alloc, (size_t)room);
    s->height = tyi_get(raster->alloc, (size_t)room * sizeof *s->height);
    return s->stored && s->mask && s->height ? TY_OK
                                             : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read with", raster->path);
}

static void source_close(source *s)
{
    tyi_put(s->raster->alloc, s->stored, (size_t)s->room * sizeof *s->stored);
    tyi_put(s->raster->alloc, s->mask, (size_t)s->room);
    tyi_put(s->raster->alloc, s->height, (size_t)s->room * sizeof *s->height);
}

/* at most s->room samples, into s->height */
static ty_status source_read(source *s, int x, int y, int w, int h, ty_diag *diag)
{
    tyi_io_gdal gdal;
    tyi_io_gdal_begin(&gdal);
    CPLErr error = GDALRasterIO(s->level->band, GF_Read, x, y, w, h, s->stored, w, h, GDT_Float64, 0, 0);
    if (error < CE_Failure && s->level->mask) {
        error = GDALRasterIO(s->level->mask, GF_Read, x, y, w, h, s->mask, w, h, GDT_Byte, 0, 0);
    }
    tyi_io_gdal_end(&gdal);
    if (error >= CE_Failure || gdal.failed) {
        return ty_fail(diag, TY_ERR_FILE, "%s: samples %d..%d of rows %d..%d cannot be read: %s", s->raster->path, x,
                       x + w - 1, y, y + h - 1, tyi_io_gdal_text(&gdal));
    }
    convert(s->raster, (size_t)w * (size_t)h, s->stored, s->level->mask ? s->mask : NULL, s->height);
    return TY_OK;
}

/* ---- a rectangle inside a level ---- */

/* In parts that follow the blocks of the file, so that each is read once, whatever the width of the raster. */
static ty_status read_stored(source *s, tyi_io_raster_window r, float *out, size_t stride, ty_diag *diag)
{
    ty_status status = TY_OK;
    int bw, bh;
    GDALGetBlockSize(s->level->band, &bw, &bh);
    bool strips = bw >= s->level->band_width;
    int rows = strips ? max_int(1, min_int(r.height, s->room / r.width)) : min_int(r.height, min_int(1024, s->room));
    int columns = min_int(r.width, s->room / rows);
    for (int y = 0; y < r.height && status == TY_OK; y += rows) {
        int h = min_int(rows, r.height - y);
        for (int x = 0; x < r.width && status == TY_OK; x += columns) {
            int w = min_int(columns, r.width - x);
            status = source_read(s, r.x + x, r.y + y, w, h, diag);
            for (int j = 0; j < h && status == TY_OK; j++) {
                memcpy(out + (size_t)(y + j) * stride + x, s->height + (size_t)j * (size_t)w, (size_t)w * sizeof *out);
            }
        }
    }
    return status;
}

/* how much of [k, k + 1) lies in [a, b) */
static double overlap(int k, double a, double b)
{
    return fmax(0.0, fmin(k + 1.0, b) - fmax(k, a));
}

/* adds source samples at .. at + w - 1 of a row, weighted, to the means of row r; ratio: source samples per sample */
static void add_row(const float *row, int at, int w, double weight, double ratio, tyi_io_raster_window r, double *sum,
                    double *share)
{
    int first = max_int((int)(at / ratio) - 1, r.x), last = min_int((int)((at + w) / ratio) + 1, r.x + r.width - 1);
    for (int d = first; d <= last; d++) {
        double a = d * ratio, b = (d + 1) * ratio;
        int k0 = max_int((int)a, at), k1 = min_int((int)ceil(b), at + w);
        for (int k = k0; k < k1; k++) {
            if (!isnan(row[k - at])) {
                double part = weight * overlap(k, a, b);
                sum[d - r.x] += part * (double)row[k - at];
                share[d - r.x] += part;
            }
        }
    }
}

/* one row of a level that the file does not hold: means over the area of each sample, holes left out */
static ty_status average_row(source *s, tyi_io_raster_window r, int row, double *sum, double *share, float *out,
                             ty_diag *diag)
{
    const tyi_io_level *level = s->level;
    double rx = (double)level->band_width / level->width, ry = (double)level->band_height / level->height;
    double a = row * ry, b = (row + 1) * ry;
    int y0 = (int)a, y1 = min_int((int)ceil(b), level->band_height);
    int x0 = (int)(r.x * rx), x1 = min_int((int)ceil((r.x + r.width) * rx), level->band_width);
    memset(sum, 0, (size_t)r.width * sizeof *sum);
    memset(share, 0, (size_t)r.width * sizeof *share);
    int columns = min_int(x1 - x0, s->room), rows = max_int(1, s->room / columns);
    ty_status status = TY_OK;
    for (int y = y0; y < y1 && status == TY_OK; y += rows) {
        int h = min_int(rows, y1 - y);
        for (int x = x0; x < x1 && status == TY_OK; x += columns) {
            int w = min_int(columns, x1 - x);
            status = source_read(s, x, y, w, h, diag);
            for (int j = 0; j < h && status == TY_OK; j++) {
                add_row(s->height + (size_t)j * (size_t)w, x, w, overlap(y + j, a, b), rx, r, sum, share);
            }
        }
    }
    for (int i = 0; i < r.width; i++) {
        out[i] = share[i] > 0.0 ? (float)(sum[i] / share[i]) : NAN;
    }
    return status;
}

static ty_status read_averaged(source *s, tyi_io_raster_window r, float *out, size_t stride, ty_diag *diag)
{
    const ty_alloc *alloc = s->raster->alloc;
    size_t bytes = 2 * (size_t)r.width * sizeof(double);
    double *sum = tyi_get(alloc, bytes);
    if (!sum) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to average with", s->raster->path);
    }
    ty_status status = TY_OK;
    for (int j = 0; j < r.height && status == TY_OK; j++) {
        status = average_row(s, r, r.y + j, sum, sum + r.width, out + (size_t)j * stride, diag);
    }
    tyi_put(alloc, sum, bytes);
    return status;
}

/* ---- any window: NaN outside, columns go round. The caller holds raster->io. ---- */

static ty_status read_window(tyi_io_raster *raster, int level, tyi_io_raster_window want, float *out, ty_diag *diag)
{
    const tyi_io_level *l = &raster->level[level];
    for (size_t i = 0; i < (size_t)want.width * (size_t)want.height; i++) {
        out[i] = NAN;
    }
    int y0 = max_int(want.y, 0), y1 = min_int(want.y + want.height, l->height);
    bool stored = l->band_width == l->width && l->band_height == l->height;
    double samples = (double)want.width * want.height;
    source s;
    ty_status status = source_open(&s, raster, level, stored && samples < ROOM ? (int)samples : ROOM, diag);
    int end = want.x + want.width, x = want.x;
    while (x < end && y1 > y0 && status == TY_OK) {
        int column = raster->info.wraps ? (x % l->width + l->width) % l->width : x;
        int run = column < 0 ? min_int(-column, end - x) : min_int(end - x, l->width - column);
        if (run <= 0) {
            break; /* past the right edge */
        }
        if (column >= 0) {
            tyi_io_raster_window r = { column, y0, run, y1 - y0 };
            float *to = out + (size_t)(y0 - want.y) * (size_t)want.width + (x - want.x);
            status = (stored ? read_stored : read_averaged)(&s, r, to, (size_t)want.width, diag);
        }
        x += run;
    }
    source_close(&s);
    return status;
}

ty_status tyi_io_raster_read(tyi_io_raster *raster, int level, tyi_io_raster_window window, float *out, ty_diag *diag)
{
    if (level < 0 || level >= raster->levels || window.width < 1 || window.height < 1) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: there is no window of %d x %d samples of level %d; levels are 0 to %d",
                       raster->path, window.width, window.height, level, raster->levels - 1);
    }
    pthread_mutex_lock(&raster->io);
    ty_status status = read_window(raster, level, window, out, diag);
    pthread_mutex_unlock(&raster->io);
    return status;
}

ty_status tyi_io_raster_load(tyi_io_raster *raster, int level, int bx, int by, float *out, ty_diag *diag)
{
    TYI_LOCKED(&raster->io);
    const tyi_io_level *l = &raster->level[level];
    int x = bx * TYI_IO_CORE - 2, y = by * TYI_IO_CORE - 2;
    tyi_io_raster_window window = { x, y, TYI_IO_BLOCK, TYI_IO_BLOCK };
    ty_status status = read_window(raster, level, window, out, diag);
    if (status != TY_OK) {
        return status;
    }
    /* edges are continued by their last sample */
    for (int j = 0; j < TYI_IO_BLOCK && !raster->info.wraps; j++) {
        float *row = out + j * TYI_IO_BLOCK;
        for (int i = 0; i < -x; i++) {
            row[i] = row[-x];
        }
        for (int i = l->width - x; i > 0 && i < TYI_IO_BLOCK; i++) {
            row[i] = row[l->width - x - 1];
        }
    }
    for (int j = 0; j < TYI_IO_BLOCK; j++) {
        int from = y + j < 0 ? -y : y + j >= l->height ? l->height - 1 - y : j;
        if (from != j && from >= 0) {
            memcpy(out + j * TYI_IO_BLOCK, out + from * TYI_IO_BLOCK, TYI_IO_BLOCK * sizeof *out);
        }
    }
    return TY_OK;
}

/* ---- filling holes ---- */

static float *cached_row(tyi_io_pin pin, int row)
{
    return (float *)(uintptr_t)pin.samples + row * TYI_IO_BLOCK;
}

/* a window of a level through the cache, so that the many windows of a fill do not read the file again and again */
static ty_status read_cached(tyi_io_raster *raster, int level, tyi_io_raster_window w, float *out, ty_diag *diag)
{
    const tyi_io_level *l = &raster->level[level];
    ty_status status = TY_OK;
    for (int j = 0; j < w.height && status == TY_OK;) {
        int y = w.y + j, by = y / TYI_IO_CORE, rows = min_int(w.height - j, (by + 1) * TYI_IO_CORE - y);
        for (int i = 0; i < w.width && status == TY_OK;) {
            int x = raster->info.wraps ? ((w.x + i) % l->width + l->width) % l->width : w.x + i;
            int bx = x / TYI_IO_CORE;
            int columns = min_int(min_int(w.width - i, (bx + 1) * TYI_IO_CORE - x), l->width - x);
            tyi_io_pin pin;
            status = tyi_io_cache_pin(raster, level, bx, by, &pin, diag);
            for (int k = 0; k < rows && status == TY_OK; k++) {
                memcpy(out + (size_t)(j + k) * (size_t)w.width + i,
                       cached_row(pin, y - by * TYI_IO_CORE + 2 + k) + (x - bx * TYI_IO_CORE + 2),
                       (size_t)columns * sizeof *out);
            }
            tyi_io_cache_unpin(raster, &pin);
            i += columns;
        }
        j += rows;
    }
    return status;
}

/* place of sample i of a level among those of the next coarser one */
static double coarse_of(int i, double ratio, double coarse_ratio)
{
    return (i + 0.5) * ratio / coarse_ratio - 0.5;
}

/* the window of the next level that holds what bilinear interpolation over w needs */
static tyi_io_raster_window coarse_window(const tyi_io_raster *raster, int level, tyi_io_raster_window w)
{
    const tyi_io_level *fine = &raster->level[level], *coarse = &raster->level[level + 1];
    int x0 = (int)floor(coarse_of(w.x, fine->ratio[0], coarse->ratio[0]));
    int x1 = (int)floor(coarse_of(w.x + w.width - 1, fine->ratio[0], coarse->ratio[0])) + 1;
    int y0 = (int)floor(coarse_of(w.y, fine->ratio[1], coarse->ratio[1]));
    int y1 = (int)floor(coarse_of(w.y + w.height - 1, fine->ratio[1], coarse->ratio[1])) + 1;
    if (!raster->info.wraps) {
        x0 = max_int(x0, 0);
        x1 = min_int(x1, coarse->width - 1);
    }
    y0 = max_int(y0, 0);
    y1 = min_int(y1, coarse->height - 1);
    return (tyi_io_raster_window){ x0, y0, x1 - x0 + 1, y1 - y0 + 1 };
}

static void interpolate_missing(const tyi_io_raster *raster, int level, tyi_io_raster_window w, float *out,
                                tyi_io_raster_window c, const float *coarse)
{
    const double *fr = raster->level[level].ratio, *cr = raster->level[level + 1].ratio;
    for (int j = 0; j < w.height; j++) {
        double v = coarse_of(w.y + j, fr[1], cr[1]) - c.y;
        int j0 = max_int(min_int((int)floor(v), c.height - 1), 0), j1 = min_int((int)floor(v) + 1, c.height - 1);
        double tv = v - floor(v);
        for (int i = 0; i < w.width; i++) {
            float *h = &out[(size_t)j * (size_t)w.width + (size_t)i];
            if (!isnan(*h)) {
                continue;
            }
            double u = coarse_of(w.x + i, fr[0], cr[0]) - c.x;
            int i0 = max_int(min_int((int)floor(u), c.width - 1), 0), i1 = min_int((int)floor(u) + 1, c.width - 1);
            double tu = u - floor(u);
            const float *r0 = coarse + (size_t)j0 * (size_t)c.width,
                        *r1 = coarse + (size_t)max_int(j1, 0) * (size_t)c.width;
            double top = (1.0 - tu) * (double)r0[i0] + tu * (double)r0[i1];
            double low = (1.0 - tu) * (double)r1[i0] + tu * (double)r1[i1];
            *h = (float)((1.0 - tv) * top + tv * low);
        }
    }
}

static double count_missing(const float *height, tyi_io_raster_window w)
{
    double n = 0.0;
    for (size_t i = 0; i < (size_t)w.width * (size_t)w.height; i++) {
        n += isnan(height[i]);
    }
    return n;
}

/* Holes take their heights from the next coarser level, whose own holes are filled in the same way:
 * the windows halve, so the whole costs little more than one level, and a sample's value does not
 * depend on the window. */
ty_status tyi_io_raster_fill(tyi_io_raster *raster, int level, tyi_io_raster_window window, float *out, double *missing,
                             ty_diag *diag)
{
    struct {
        tyi_io_raster_window window;
        float *height;
        size_t bytes;
    } step[TYI_IO_LEVELS] = { { window, out, 0 } };
    int top = level;
    ty_status status = tyi_io_raster_read(raster, level, window, out, diag);
    *missing = status == TY_OK ? count_missing(out, window) : 0.0;
    bool holes = *missing > 0.0;
    while (status == TY_OK && holes && top + 1 < raster->levels) {
        tyi_io_raster_window w = coarse_window(raster, top, step[top - level].window);
        top++;
        size_t bytes = (size_t)w.width * (size_t)w.height * sizeof(float);
        step[top - level].window = w;
        step[top - level].bytes = bytes;
        step[top - level].height = tyi_get(raster->alloc, bytes);
        if (!step[top - level].height) {
            status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to fill holes with", raster->path);
            break;
        }
        status = read_cached(raster, top, w, step[top - level].height, diag);
        holes = status == TY_OK && count_missing(step[top - level].height, w) > 0.0;
    }
    for (; top > level; top--) {
        if (status == TY_OK) {
            interpolate_missing(raster, top - 1, step[top - 1 - level].window, step[top - 1 - level].height,
                                step[top - level].window, step[top - level].height);
        }
        tyi_put(raster->alloc, step[top - level].height, step[top - level].bytes);
    }
    return status;
}

/* ---- what is in it ---- */

void tyi_io_stats_start(ty_raster_stats *stats)
{
    *stats = (ty_raster_stats){ .min = INFINITY, .max = -INFINITY };
}

void tyi_io_stats_add(ty_raster_stats *stats, size_t n, const float *height)
{
    for (size_t i = 0; i < n; i++) {
        double h = (double)height[i];
        if (isnan(h)) {
            stats->missing += 1.0;
        } else {
            stats->min = h < stats->min ? h : stats->min;
            stats->max = h > stats->max ? h : stats->max;
            stats->mean += h; /* a sum until the end */
        }
    }
    stats->samples += (double)n;
}

void tyi_io_stats_end(ty_raster_stats *stats)
{
    double there = stats->samples - stats->missing;
    stats->mean /= there;
    if (!(there > 0.0)) {
        stats->min = stats->max = stats->mean = NAN;
    }
}

ty_status tyi_io_raster_scan(tyi_io_raster *raster, const ty_progress *progress, ty_raster_stats *out, ty_diag *diag)
{
    int l = 0;
    while (l + 1 < raster->levels && (double)raster->level[l].width * raster->level[l].height > SCAN_MAX) {
        l++;
    }
    int w = raster->level[l].width, h = raster->level[l].height, rows = min_int(h, 256);
    tyi_io_stats_start(out);
    out->level = l;
    size_t bytes = (size_t)w * (size_t)rows * sizeof(float);
    float *height = tyi_get(raster->alloc, bytes);
    ty_status status = height ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to look at it", raster->path);
    for (int y = 0; y < h && status == TY_OK; y += rows) {
        tyi_io_raster_window window = { 0, y, w, min_int(rows, h - y) };
        status = tyi_io_raster_read(raster, l, window, height, diag);
        if (status == TY_OK) {
            tyi_io_stats_add(out, (size_t)w * (size_t)window.height, height);
        }
        if (status == TY_OK && progress && !progress->report(progress->user, "rows", y + window.height, h)) {
            status = ty_fail(diag, TY_ERR_CANCELLED, "%s: looking at it was stopped", raster->path);
        }
    }
    tyi_put(raster->alloc, height, bytes);
    tyi_io_stats_end(out);
    return status;
}
