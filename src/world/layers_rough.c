/* src/world/layers_rough.c - how rough the Moon is where: smooth maria, rugged highlands.
 *
 * The measure is the root mean square of second differences of height along meridians, some kilometres apart, over
 * squares of five degrees; it is kept relative to the site.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "layers.h"
#include "io/rasters.h"

#define HALF  2 /* [deg] a square reaches this far from its middle */
#define LEAST 0.15
#define MOST  2.0

/* between the middles of the squares */
void tyi_world_rough_at(void *user, size_t n, const double *lat, const double *lon, double *out)
{
    const tyi_world_rough *r = user;
    for (size_t k = 0; k < n; k++) {
        double x = lon[k] / TY_DEG + 180.0 - 0.5,
               y = fmin(fmax(lat[k] / TY_DEG + 90.0 - 0.5, 0.0), TYI_WORLD_ROUGH_Y - 1.001);
        x -= TYI_WORLD_ROUGH_X * floor(x / TYI_WORLD_ROUGH_X);
        int i = (int)x % TYI_WORLD_ROUGH_X, j = (int)y, m = (i + 1) % TYI_WORLD_ROUGH_X;
        double u = x - floor(x), v = y - j;
        out[k] = (1.0 - v) * ((1.0 - u) * (double)r->at[j][i] + u * (double)r->at[j][m]) +
                 v * ((1.0 - u) * (double)r->at[j + 1][i] + u * (double)r->at[j + 1][m]);
    }
}

/* squares of second differences, summed by degree; one level of the raster, rows from the north, first column at `west`
 * degrees */
static void sum_squares(const float *h, int width, int height, double west, tyi_world_rough *sum)
{
    for (int j = 1; j + 1 < height; j++) {
        int row = TYI_WORLD_ROUGH_Y - 1 - (int)((double)j * TYI_WORLD_ROUGH_Y / height);
        for (int i = 0; i < width; i++) {
            const float *p = h + (size_t)j * (size_t)width + i;
            double d = (double)p[-width] - 2.0 * (double)p[0] + (double)p[width];
            double x = west + 180.0 + (double)i * TYI_WORLD_ROUGH_X / width;
            int column = (int)(x - TYI_WORLD_ROUGH_X * floor(x / TYI_WORLD_ROUGH_X)) % TYI_WORLD_ROUGH_X;
            sum->at[row][column] += isnan(d) ? 0.0f : (float)(d * d);
        }
    }
}

/* means over squares, then their roots relative to the site's */
static void finish(const tyi_world_rough *sum, tyi_world_rough *out, double lat, double lon)
{
    for (int j = 0; j < TYI_WORLD_ROUGH_Y; j++) {
        for (int i = 0; i < TYI_WORLD_ROUGH_X; i++) {
            double s = 0.0;
            for (int k = 0; k < (2 * HALF + 1) * (2 * HALF + 1); k++) {
                int y = j + k / (2 * HALF + 1) - HALF,
                    x = (i + k % (2 * HALF + 1) - HALF + TYI_WORLD_ROUGH_X) % TYI_WORLD_ROUGH_X;
                y = y < 0 ? 0 : y >= TYI_WORLD_ROUGH_Y ? TYI_WORLD_ROUGH_Y - 1 : y;
                s += (double)sum->at[y][x];
            }
            out->at[j][i] = (float)sqrt(s + 1e-9);
        }
    }
    double site = 1.0;
    tyi_world_rough_at(out, 1, &lat, &lon, &site);
    for (int k = 0; k < TYI_WORLD_ROUGH_X * TYI_WORLD_ROUGH_Y; k++) {
        float *r = &out->at[k / TYI_WORLD_ROUGH_X][k % TYI_WORLD_ROUGH_X];
        *r = (float)fmin(fmax((double)*r / site, LEAST), MOST);
    }
}

ty_status tyi_world_layers_roughness(tyi_world_layers *all, double lat, double lon, ty_diag *diag)
{
    tyi_io_raster *raster = all->layer[0].raster;
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    if (!info->wraps || info->lat_max - info->lat_min < 0.99 * TY_PI) {
        return TY_OK;
    }
    int level = 0, width = info->width, height = info->height;
    double ratio[2];
    while (width > 4 * TYI_WORLD_ROUGH_X && tyi_io_raster_level(raster, level + 1, &width, &height, ratio)) {
        level++;
    }
    size_t bytes = (size_t)width * (size_t)height * sizeof(float);
    float *h = tyi_get(NULL, bytes);
    tyi_world_rough *sum = tyi_get(NULL, sizeof *sum);
    all->rough = tyi_get(NULL, sizeof *all->rough);
    ty_status status = h && sum && all->rough ? TY_OK
                                              : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to measure how rough it is",
                                                        all->layer[0].path);
    if (status == TY_OK) {
        status = tyi_io_raster_read(raster, level, (tyi_io_raster_window){ 0, 0, width, height }, h, diag);
    }
    if (status == TY_OK) {
        sum_squares(h, width, height, info->lon_min / TY_DEG, sum);
        finish(sum, all->rough, lat, lon);
    }
    tyi_put(NULL, h, bytes);
    tyi_put(NULL, sum, sizeof *sum);
    return status;
}
