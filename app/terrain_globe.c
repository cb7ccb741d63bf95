/* app/terrain_globe.c - `tycho terrain globe`: a made-up Moon of any size, to try large rasters with.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "k_philox.h"
#include "terrain.h"
#include "terrain_site.h"
#include "io/rasters.h"

#define OCTAVES 16

/* Value noise: random heights on lattices of 3, 6, 12 ... samples, smoothly joined; each lattice goes round the Moon.
 * */
typedef struct globe {
    int width, octaves;
    int cells[OCTAVES];     /* of a lattice around the Moon */
    double height[OCTAVES]; /* [m] */
    float *row[OCTAVES];    /* a lattice row joined with the next one, cells + 1 values */
} globe;

static double value(const globe *g, int o, int i, int j)
{
    ty_k_u32x4 r = ty_k_philox((uint32_t)(i % g->cells[o]), (uint32_t)j, (uint32_t)o, 0, 7, TY_RNG_TEST);
    return g->height[o] * (2.0 * ty_k_uniform(r.v[0]) - 1.0);
}

static double ease(double u)
{
    return u * u * (3.0 - 2.0 * u);
}

static ty_status rows(void *user, int y, int count, float *out, ty_diag *diag)
{
    (void)diag;
    globe *g = user;
    for (int k = 0; k < count; k++) {
        float *h = out + (size_t)k * (size_t)g->width;
        for (int i = 0; i < g->width; i++) {
            h[i] = -1500.0f;
        }
        for (int o = 0; o < g->octaves; o++) {
            double per = (double)g->width / g->cells[o], at = (y + k + 0.5) / per;
            int j = (int)at;
            double v = ease(at - j);
            for (int i = 0; i <= g->cells[o]; i++) {
                g->row[o][i] = (float)((1.0 - v) * value(g, o, i, j) + v * value(g, o, i, j + 1));
            }
            float step = (float)(1.0 / per);
            for (int i = 0; i < g->width; i++) {
                float x = ((float)i + 0.5f) * step;
                int c = (int)x;
                c = c < g->cells[o] ? c : g->cells[o] - 1;
                float u = x - (float)c;
                u = u * u * (3.0f - 2.0f * u);
                h[i] += g->row[o][c] + u * (g->row[o][c + 1] - g->row[o][c]);
            }
        }
        for (int i = 0; i < g->width; i++) {
            h[i] = rintf(2.0f * h[i]) * 0.5f; /* half metres, as measured globes are stored */
        }
    }
    return TY_OK;
}

ty_status app_globe_write(int per_degree, const char *path, const ty_progress *progress, ty_diag *diag)
{
    globe g = { .width = 360 * per_degree };
    ty_status status = TY_OK;
    for (int cells = 6; cells < g.width / 2 && g.octaves < OCTAVES; cells *= 2) {
        int o = g.octaves++;
        g.cells[o] = cells;
        g.height[o] = 3500.0 * pow(0.55, o);
        g.row[o] = malloc((size_t)(cells + 1) * sizeof(float));
        status = g.row[o] ? status : ty_fail(diag, TY_ERR_MEMORY, "no memory for a globe");
    }
    if (status == TY_OK) {
        tyi_io_raster_globe out = { per_degree, rows, &g };
        status = tyi_io_raster_write_globe(&out, path, progress, NULL, diag);
    }
    for (int o = 0; o < g.octaves; o++) {
        free(g.row[o]);
    }
    return status;
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    double per_degree = 16.0;
    const char *path = app_option(&argc, argv, "-o");
    app_progress progress;
    app_progress_start(&progress, app_flag(&argc, argv, "--quiet"));
    app_take_number(&argc, argv, "--per-degree", 1.0, 1024.0, &per_degree, &diag);
    if (diag.status == TY_OK && !path) {
        ty_fail(&diag, TY_ERR_INPUT, "misses -o FILE.tif");
    }
    if (diag.status == TY_OK && app_rest(argc, argv, 0, &diag) == TY_OK) {
        ty_progress hook = app_progress_hook(&progress);
        app_globe_write((int)per_degree, path, &hook, &diag);
        app_progress_end(&progress);
    }
    return diag.status == TY_OK ? APP_OK : app_bad("terrain globe", "%s.", diag.text);
}

const app_command app_terrain_globe = {
    "globe",
    "a made-up Moon of any size, to try large rasters with",
    "usage: tycho terrain globe [--per-degree N] -o OUT.tif\n\n"
    "Hills of every size down to 3 samples, as a compressed GeoTIFF with overviews. 64 samples to a degree are 23040 x 11520\n"
    "(about 0.35 GB), 256 are 92160 x 46080 (about 4 GB).\n\n"
    "  --per-degree N    samples to a degree, 1 to 1024; 16\n"
    "  --quiet\n\n"
    "example: tycho terrain globe --per-degree 64 -o globe.tif\n",
    run,
};
