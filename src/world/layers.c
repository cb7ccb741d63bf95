/* src/world/layers.c - see layers.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "layers.h"
#include <math.h>
#include <stdio.h>
#include "core/core.h"
#include "k_relief.h"
#include "inner.h"
#include "io/rasters.h"

#define CHUNK 256

ty_relief_def tyi_world_relief_of(const ty_raster_spectrum *s)
{
    if (!(s->amplitude > 0.0) || !isfinite(s->hurst)) { /* a level raster: nothing to continue */
        return (ty_relief_def){ .hurst = 0.9, .baseline = 4.0 * s->spacing, .outer = 8.0 * s->spacing };
    }
    /* An exponent of 1 or more has no finite slope; rasters of smooth ground come close. */
    double hurst = fmin(fmax(s->hurst, 0.1), 0.98), lag = 4.0 * s->spacing;
    /* the fitted law, and the one with the limited exponent, agree at the middle of the fitted wavelengths */
    double amplitude = s->amplitude * pow(11.0 * s->spacing, 2.0 * (s->hurst - hurst));
    return (ty_relief_def){ .hurst = hurst,
                            .baseline = lag,
                            .outer = 2.0 * lag,
                            .rms_slope_deg = atan(sqrt(ty_k_relief_structure(amplitude, hurst, lag)) / lag) / TY_DEG };
}

ty_relief_def tyi_world_relief_over(const ty_relief_def *own, const ty_raster_spectrum *spectrum)
{
    ty_relief_def r = tyi_world_relief_of(spectrum);
    r.inner = own->inner;
    r.micro_deg = own->micro_deg;
    r.patchy = own->patchy;
    r.crumbs = own->crumbs;
    r.hollows_deg = own->hollows_deg;
    return r;
}

static double smooth(double u)
{
    u = fmin(fmax(u, 0.0), 1.0); /* a NaN, where the projection does not reach, becomes 0 */
    return u * u * (3.0 - 2.0 * u);
}

/* [-] 0 at the rim of the cover, 1 from the border's width on inside */
static double weight_at(const tyi_world_layer *l, double x, double y)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    double in = fmin(y, info->height - y) * info->step_y;
    in = info->wraps ? in : fmin(in, fmin(x, info->width - x) * info->step_x);
    return l->feather > 0.0 ? smooth(in / l->border) : 1.0;
}

/* The differences at the rim, averaged with weights that fall with the fourth power of the distance to it, fading
 * outside. A coarse raster is wrong by this much over some of its samples, not just where a finer one ends. */
static double shift_at(const tyi_world_layer *l, double x, double y)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    if (l->feather <= 0.0 || isnan(x) || isnan(y)) {
        return 0.0;
    }
    double w = info->width * info->step_x, h = info->height * info->step_y, px = x * info->step_x,
           py = y * info->step_y;
    double out = hypot(px - fmin(fmax(px, 0.0), w), py - fmin(fmax(py, 0.0), h));
    if (out >= l->feather) {
        return 0.0;
    }
    double sum = 0.0, all = 0.0, near = fmax(w, h) / TYI_WORLD_RIM;
    for (int k = 0; k < 4 * TYI_WORLD_RIM; k++) {
        int side = k / TYI_WORLD_RIM;
        double u = (k % TYI_WORLD_RIM + 0.5) / TYI_WORLD_RIM, end = side & 1;
        double dx = px - (side < 2 ? u : end) * w, dy = py - (side < 2 ? end : u) * h,
               r2 = dx * dx + dy * dy + near * near;
        sum += l->rim[side][k % TYI_WORLD_RIM] / (r2 * r2);
        all += 1.0 / (r2 * r2);
    }
    return sum / all * (1.0 - smooth(out / l->feather));
}

ty_status tyi_world_layer_sample(void *user, size_t n, const double *lat, const double *lon, double spacing,
                                 double *height, double *weight, double *shift, ty_diag *diag)
{
    const tyi_world_layer *l = user;
    double x[CHUNK], y[CHUNK];
    ty_status status = TY_OK;
    for (size_t at = 0; at < n && status == TY_OK; at += CHUNK) {
        size_t m = n - at < CHUNK ? n - at : CHUNK;
        bool any = false;
        status = tyi_io_raster_pixel(l->raster, m, lat + at, lon + at, x, y, diag);
        for (size_t i = 0; i < m && status == TY_OK; i++) {
            weight[at + i] = weight_at(l, x[i], y[i]);
            any = any || weight[at + i] > 0.0;
            if (shift) {
                shift[at + i] = shift_at(l, x[i], y[i]);
            }
        }
        if (status == TY_OK && any) {
            status = tyi_io_raster_sample(l->raster, m, lat + at, lon + at, spacing, height + at, diag);
        }
        for (size_t i = 0; i < m && status == TY_OK; i++) {
            weight[at + i] = any && !isnan(height[at + i]) ? weight[at + i] : 0.0;
        }
    }
    return status;
}

ty_status tyi_world_layer_away(void *user, size_t n, const double *lat, const double *lon, double *away, ty_diag *diag)
{
    const tyi_world_layer *l = user;
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    double x[CHUNK], y[CHUNK];
    ty_status status = TY_OK;
    for (size_t at = 0; at < n && status == TY_OK; at += CHUNK) {
        size_t m = n - at < CHUNK ? n - at : CHUNK;
        status = tyi_io_raster_pixel(l->raster, m, lat + at, lon + at, x, y, diag);
        for (size_t i = 0; i < m && status == TY_OK; i++) {
            double dx = info->wraps ? 0.0 : fmax(fmax(-x[i], x[i] - info->width), 0.0) * info->step_x;
            double out = hypot(dx, fmax(fmax(-y[i], y[i] - info->height), 0.0) * info->step_y);
            away[at + i] = isnan(x[i] + y[i]) ? (double)INFINITY : out;
        }
    }
    return status;
}

ty_status tyi_world_layers_heights(const tyi_world_layers *all, int count, size_t n, const double *lat,
                                   const double *lon, double spacing, double *height, ty_diag *diag)
{
    ty_status status =
        count > 0 ? tyi_io_raster_sample(all->layer[0].raster, n, lat, lon, spacing, height, diag) : TY_OK;
    for (int k = 1; k < count && status == TY_OK; k++) {
        for (size_t at = 0; at < n && status == TY_OK; at += CHUNK) {
            size_t m = n - at < CHUNK ? n - at : CHUNK;
            double own[CHUNK], weight[CHUNK];
            status = tyi_world_layer_sample((void *)(uintptr_t)&all->layer[k], m, lat + at, lon + at, spacing, own,
                                            weight, NULL, diag);
            for (size_t i = 0; i < m && status == TY_OK; i++) {
                double *h = &height[at + i];
                *h = weight[i] > 0.0 ? (isnan(*h) ? own[i] : *h + weight[i] * (own[i] - *h)) : *h;
            }
        }
    }
    return status;
}

/* the differences along the rim, both smoothed to the spacing of what lies below */
static ty_status find_rim(const tyi_world_layers *all, int k, ty_diag *diag)
{
    tyi_world_layer *l = (tyi_world_layer *)(uintptr_t)&all->layer[k];
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    double spacing = tyi_io_raster_get_info(all->layer[k - 1].raster)->spacing;
    for (int side = 0; side < 4; side++) {
        double x[TYI_WORLD_RIM], y[TYI_WORLD_RIM], lat[TYI_WORLD_RIM], lon[TYI_WORLD_RIM], own[TYI_WORLD_RIM],
            below[TYI_WORLD_RIM];
        for (int i = 0; i < TYI_WORLD_RIM; i++) {
            double u = (i + 0.5) / TYI_WORLD_RIM, end = side & 1;
            x[i] = (side < 2 ? u : end) * info->width, y[i] = (side < 2 ? end : u) * info->height;
        }
        ty_status status = tyi_io_raster_place(l->raster, TYI_WORLD_RIM, x, y, lat, lon, diag);
        if (status == TY_OK) {
            status = tyi_io_raster_sample(l->raster, TYI_WORLD_RIM, lat, lon, 0.25 * spacing, own, diag);
        }
        if (status == TY_OK) {
            status = tyi_world_layers_heights(all, k, TYI_WORLD_RIM, lat, lon, spacing, below, diag);
        }
        if (status != TY_OK) {
            return status;
        }
        for (int i = 0; i < TYI_WORLD_RIM; i++) {
            l->rim[side][i] = isnan(own[i] - below[i]) ? 0.0 : own[i] - below[i];
        }
    }
    return TY_OK;
}

/* the circle around the cover: its middle, and the farthest point of its rim */
static ty_status find_reach(tyi_world_layer *l, ty_diag *diag)
{
    enum { EDGE = 64 };
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    double x[4 * EDGE + 1], y[4 * EDGE + 1], lat[4 * EDGE + 1], lon[4 * EDGE + 1];
    for (int i = 0; i < EDGE; i++) {
        double u = (double)i / EDGE, w = info->width, h = info->height;
        const double at[4][2] = { { u * w, 0.0 }, { w, u * h }, { w - u * w, h }, { 0.0, h - u * h } };
        for (int k = 0; k < 4; k++) {
            x[k * EDGE + i] = at[k][0], y[k * EDGE + i] = at[k][1];
        }
    }
    x[4 * EDGE] = 0.5 * info->width, y[4 * EDGE] = 0.5 * info->height;
    ty_status status = tyi_io_raster_place(l->raster, 4 * EDGE + 1, x, y, lat, lon, diag);
    l->lat = lat[4 * EDGE], l->lon = lon[4 * EDGE];
    ty_site middle = ty_site_make(l->lat, l->lon, 1.0);
    l->reach = info->wraps ? TY_PI : 0.0;
    for (int i = 0; i < 4 * EDGE && status == TY_OK; i++) {
        ty_vec3 p = ty_site_point(&middle, lat[i], lon[i], 0.0);
        double angle = acos(fmin(fmax(1.0 + p.z, -1.0), 1.0));
        l->reach = isnan(angle) ? TY_PI : fmax(l->reach, 1.02 * angle);
    }
    return status;
}

/* a square of the tangent plane at a place, with the layer's own spacing; false: some of it is missing */
static bool read_square(tyi_world_layer *l, double lat0, double lon0, int n, float *out)
{
    double d = tyi_io_raster_get_info(l->raster)->spacing, lat[512], lon[512], height[512], unused;
    ty_site site = ty_site_make(lat0, lon0, TY_MOON_RADIUS);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double x = (i - 0.5 * (n - 1)) * d, y = (j - 0.5 * (n - 1)) * d;
            ty_site_geodetic(&site, ty_vec3_make(x, y, -0.5 * (x * x + y * y) / site.radius), &lat[i], &lon[i],
                             &unused);
        }
        if (tyi_io_raster_sample(l->raster, (size_t)n, lat, lon, 0.0, height, NULL) != TY_OK) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (isnan(height[i])) {
                return false;
            }
            out[j * n + i] = (float)height[i];
        }
    }
    return true;
}

/* The spectrum over the largest square that fits, at the site or else in the middle of the raster. It is taken in
 * the tangent plane, where a cylindrical map is as good near a pole as anywhere. */
static ty_status find_spectrum(tyi_world_layer *l, double lat, double lon, ty_diag *diag)
{
    static const int sides[] = { 256, 192, 128, 96, 64 };
    float *square = tyi_get(NULL, 256 * 256 * sizeof *square);
    if (!square) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a spectrum", l->path);
    }
    ty_status status = TY_ERR_RANGE;
    for (int k = 0; k < 10 && status != TY_OK; k++) {
        int n = sides[k % 5];
        if (read_square(l, k < 5 ? lat : l->lat, k < 5 ? lon : l->lon, n, square)) {
            status =
                tyi_io_raster_spectrum_of(square, n, tyi_io_raster_get_info(l->raster)->spacing, &l->spectrum, diag);
        }
    }
    tyi_put(NULL, square, 256 * 256 * sizeof *square);
    return status == TY_OK
               ? status
               : ty_fail(diag, TY_ERR_RANGE,
                         "%s: a layer needs at least 64 x 64 samples without holes, at the site or in its middle",
                         l->path);
}

static ty_status open_layer(tyi_world_layers *all, const char *path, int band, double feather,
                            const tyi_world_def *world, ty_diag *diag)
{
    tyi_world_layer *l = &all->layer[all->layers];
    tyi_io_raster_def def = tyi_io_raster_def_default();
    size_t count = world->layers + (world->base_path[0] != 0);
    def.band = band;
    def.cache_bytes = world->memory / count;
    ty_status status = tyi_io_raster_open(path, &def, &l->raster, diag);
    if (status != TY_OK) {
        return status;
    }
    all->layers++;
    snprintf(l->path, sizeof l->path, "%s", path);
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    if (all->layers > 1) {
        const tyi_io_raster_info *below = tyi_io_raster_get_info(l[-1].raster);
        double side = fmin(info->width * info->step_x, info->height * info->step_y);
        bool global = info->wraps && info->lat_max - info->lat_min > 0.99 * TY_PI;
        l->feather = global ? 0.0 : feather > 0.0 ? feather : 16.0 * below->spacing;
        l->border = fmin(0.125 * side, 64.0 * info->spacing);
        if (!(info->spacing < below->spacing)) {
            return ty_fail(
                diag, TY_ERR_INPUT,
                "%s: its samples are %g m apart and those of %s, below it, %g m; layers go from the coarsest to the finest",
                path, info->spacing, l[-1].path, below->spacing);
        }
    }
    status = find_reach(l, diag);
    if (status == TY_OK && l->feather > 0.0) {
        l->reach += l->feather / TY_MOON_RADIUS;
        status = find_rim(all, all->layers - 1, diag);
    }
    return status == TY_OK ? find_spectrum(l, world->terrain->lat, world->terrain->lon, diag) : status;
}

static void enter(tyi_world_layer *l, ty_terrain_layer *out)
{
    *out = (ty_terrain_layer){ .sample = tyi_world_layer_sample,
                               .away = tyi_world_layer_away,
                               .user = l,
                               .spacing = tyi_io_raster_get_info(l->raster)->spacing,
                               .lat = l->lat,
                               .lon = l->lon,
                               .reach = l->reach,
                               .relief = tyi_world_relief_of(&l->spectrum) };
    for (int o = 0; o < TY_BASE_OCTAVES; o++) {
        out->missing[o] = l->spectrum.missing[o];
    }
}

ty_status tyi_world_layers_open(tyi_world_layers *all, const tyi_world_def *world, ty_terrain_def *def, ty_diag *diag)
{
    *all = (tyi_world_layers){ .layers = 0 };
    ty_status status = TY_OK;
    for (size_t k = 0; k < world->layers && status == TY_OK; k++) {
        status = open_layer(all, world->layer[k].raster, world->layer[k].band, world->layer[k].feather, world, diag);
    }
    if (status == TY_OK && world->base_path[0]) {
        status =
            all->layers <= TY_TERRAIN_LAYERS
                ? open_layer(all, world->base_path, 0, 0.0, world, diag)
                : ty_fail(diag, TY_ERR_INPUT, "terrain.base comes on top of %d layers, but %d rasters are the most",
                          all->layers, TY_TERRAIN_LAYERS + 1);
    }
    if (status != TY_OK) {
        return status;
    }
    tyi_world_layer *first = &all->layer[0];
    def->base = tyi_io_raster_base(first->raster);
    def->base.outside = 0.0;
    for (int o = 0; o < TY_BASE_OCTAVES; o++) {
        def->base.missing[o] = first->spectrum.missing[o];
    }
    double outer = def->relief.outer;
    def->ground = def->relief;
    def->relief = tyi_world_relief_over(&def->relief, &first->spectrum);
    /* the base holds what is longer; only to be a right definition */
    def->relief.outer = fmax(outer, def->relief.outer);
    status = tyi_world_layers_roughness(all, def->lat, def->lon, diag);
    if (status == TY_OK && all->rough) {
        def->base.rough = tyi_world_rough_at;
        def->base.rough_user = all->rough;
    }
    for (int k = 1; k < all->layers; k++) {
        enter(&all->layer[k], &def->layer[def->layers++]);
    }
    return status;
}

void tyi_world_layers_close(tyi_world_layers *all)
{
    for (int k = 0; k < all->layers; k++) {
        tyi_io_raster_close(all->layer[k].raster);
    }
    tyi_put(NULL, all->rough, sizeof *all->rough);
    all->rough = NULL;
    all->layers = 0;
}
