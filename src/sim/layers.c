/* src/sim/layers.c - see layers.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "layers.h"
#include <math.h>
#include "core.h"
#include "k_relief.h"

#define CHUNK 256

ty_relief_def tyi_relief_of(const ty_spectrum *s)
{
    /* An exponent of 1 or more has no finite slope; rasters of smooth ground come close. */
    double hurst = fmin(fmax(s->hurst, 0.1), 0.98), lag = 4.0 * s->spacing;
    /* the fitted law, and the one with the limited exponent, agree at the middle of the fitted wavelengths */
    double amplitude = s->amplitude * pow(11.0 * s->spacing, 2.0 * (s->hurst - hurst));
    return (ty_relief_def){ .hurst = hurst, .baseline = lag, .outer = 2.0 * lag,
                            .rms_slope_deg = atan(sqrt(ty_k_relief_structure(amplitude, hurst, lag)) / lag) / TY_DEG };
}

/* [-] 0 at the rim of the cover, 1 from a feather's width on inside */
static double weight_at(const tyi_layer *l, double x, double y)
{
    const ty_raster_info *info = ty_raster_get_info(l->raster);
    if (l->feather <= 0.0) {
        return 1.0;
    }
    double in = fmin(y, info->height - y) * info->step_y;
    in = info->wraps ? in : fmin(in, fmin(x, info->width - x) * info->step_x);
    double u = fmin(fmax(in / l->feather, 0.0), 1.0); /* a NaN, where the projection does not reach, becomes 0 */
    return u * u * (3.0 - 2.0 * u);
}

ty_status tyi_layer_sample(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                           double *weight, ty_diag *diag)
{
    const tyi_layer *l = user;
    double x[CHUNK], y[CHUNK];
    ty_status status = ty_raster_sample(l->raster, n, lat, lon, spacing, height, diag);
    for (size_t at = 0; at < n && status == TY_OK; at += CHUNK) {
        size_t m = n - at < CHUNK ? n - at : CHUNK;
        status = ty_raster_pixel(l->raster, m, lat + at, lon + at, x, y, diag);
        for (size_t i = 0; i < m && status == TY_OK; i++) {
            weight[at + i] = isnan(height[at + i]) ? 0.0 : weight_at(l, x[i], y[i]);
        }
    }
    return status;
}

/* the circle around the cover: its middle, and the farthest point of its rim */
static ty_status find_reach(tyi_layer *l, ty_diag *diag)
{
    enum { EDGE = 64 };
    const ty_raster_info *info = ty_raster_get_info(l->raster);
    double x[4 * EDGE + 1], y[4 * EDGE + 1], lat[4 * EDGE + 1], lon[4 * EDGE + 1];
    for (int i = 0; i < EDGE; i++) {
        double u = (double)i / EDGE, w = info->width, h = info->height;
        const double at[4][2] = { { u * w, 0.0 }, { w, u * h }, { w - u * w, h }, { 0.0, h - u * h } };
        for (int k = 0; k < 4; k++) {
            x[k * EDGE + i] = at[k][0], y[k * EDGE + i] = at[k][1];
        }
    }
    x[4 * EDGE] = 0.5 * info->width, y[4 * EDGE] = 0.5 * info->height;
    ty_status status = ty_raster_place(l->raster, 4 * EDGE + 1, x, y, lat, lon, diag);
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
static bool read_square(tyi_layer *l, double lat0, double lon0, int n, float *out)
{
    double d = ty_raster_get_info(l->raster)->spacing, lat[512], lon[512], height[512], unused;
    ty_site site = ty_site_make(lat0, lon0, TY_MOON_RADIUS);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double x = (i - 0.5 * (n - 1)) * d, y = (j - 0.5 * (n - 1)) * d;
            ty_site_geodetic(&site, ty_vec3_make(x, y, -0.5 * (x * x + y * y) / site.radius), &lat[i], &lon[i], &unused);
        }
        if (ty_raster_sample(l->raster, (size_t)n, lat, lon, 0.0, height, NULL) != TY_OK) {
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

/* The spectrum over the largest square that fits, at the site or else in the middle of the raster. It is taken in the tangent
 * plane, where a cylindrical map is as good near a pole as anywhere. */
static ty_status find_spectrum(tyi_layer *l, double lat, double lon, ty_diag *diag)
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
            status = ty_spectrum_of(square, n, ty_raster_get_info(l->raster)->spacing, &l->spectrum, diag);
        }
    }
    tyi_put(NULL, square, 256 * 256 * sizeof *square);
    return status == TY_OK ? status : ty_fail(diag, TY_ERR_RANGE, "%s: a layer needs at least 64 x 64 samples without holes, at the site or in its middle", l->path);
}

static ty_status open_layer(tyi_layers *all, const char *path, int band, double feather, const ty_scenario *scenario, ty_diag *diag)
{
    tyi_layer *l = &all->layer[all->layers];
    ty_raster_def def = ty_raster_def_default();
    size_t count = scenario->layers + (scenario->base_path[0] != 0);
    def.band = band;
    def.cache_bytes = scenario->planet_memory / count;
    ty_status status = ty_raster_open(path, &def, &l->raster, diag);
    if (status != TY_OK) {
        return status;
    }
    all->layers++;
    l->path = path;
    const ty_raster_info *info = ty_raster_get_info(l->raster);
    if (all->layers > 1) {
        const ty_raster_info *below = ty_raster_get_info(l[-1].raster);
        double side = fmin(info->width * info->step_x, info->height * info->step_y);
        l->feather = fmin(feather > 0.0 ? feather : 16.0 * below->spacing, 0.25 * side);
        if (!(info->spacing < below->spacing)) {
            return ty_fail(diag, TY_ERR_INPUT, "%s: its samples are %g m apart and those of %s, below it, %g m; layers go from the coarsest to the finest",
                           path, info->spacing, l[-1].path, below->spacing);
        }
    }
    status = find_reach(l, diag);
    return status == TY_OK ? find_spectrum(l, scenario->terrain.lat, scenario->terrain.lon, diag) : status;
}

static void enter(tyi_layer *l, ty_base_layer *out)
{
    *out = (ty_base_layer){ .sample = tyi_layer_sample, .user = l, .spacing = ty_raster_get_info(l->raster)->spacing,
                            .lat = l->lat, .lon = l->lon, .reach = l->reach, .relief = tyi_relief_of(&l->spectrum) };
    for (int o = 0; o < TY_BASE_OCTAVES; o++) {
        out->missing[o] = l->spectrum.missing[o];
    }
}

ty_status tyi_layers_open(tyi_layers *all, const ty_scenario *scenario, ty_terrain_def *def, ty_diag *diag)
{
    *all = (tyi_layers){ .layers = 0 };
    ty_status status = TY_OK;
    for (size_t k = 0; k < scenario->layers && status == TY_OK; k++) {
        status = open_layer(all, scenario->layer[k].raster, scenario->layer[k].band, scenario->layer[k].feather, scenario, diag);
    }
    if (status == TY_OK && scenario->base_path[0]) {
        status = all->layers <= TY_LAYERS ? open_layer(all, scenario->base_path, 0, 0.0, scenario, diag)
                                          : ty_fail(diag, TY_ERR_INPUT, "terrain.base comes on top of %d layers, but %d rasters are the most", all->layers, TY_LAYERS + 1);
    }
    if (status != TY_OK) {
        return status;
    }
    tyi_layer *first = &all->layer[0];
    def->base = ty_raster_base(first->raster);
    def->base.outside = 0.0;
    for (int o = 0; o < TY_BASE_OCTAVES; o++) {
        def->base.missing[o] = first->spectrum.missing[o];
    }
    double outer = def->relief.outer;
    def->ground = def->relief;
    def->relief = tyi_relief_of(&first->spectrum);
    def->relief.outer = fmax(outer, def->relief.outer); /* the base holds what is longer; only to be a right definition */
    for (int k = 1; k < all->layers; k++) {
        enter(&all->layer[k], &def->layer[def->layers++]);
    }
    return TY_OK;
}

void tyi_layers_close(tyi_layers *all)
{
    for (int k = 0; k < all->layers; k++) {
        ty_raster_close(all->layer[k].raster);
    }
    all->layers = 0;
}
