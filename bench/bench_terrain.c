/* bench/bench_terrain.c - heights, rays, tile generation and edits on one core.
 * The scene is fixed: the definition below and a fixed pattern of points and rays; its hash is printed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "k_philox.h"
#include "tycho/terrain.h"
#include "world/terrain/inner.h"

#define SIDE    2048
#define POINTS  (1 << 20)
#define WIDTH   1024
#define HEIGHT  768
#define REPEATS 5

typedef struct scene {
    ty_terrain *terrain;
    ty_terrain_patch *patch;
    int level;
    double *x, *y;
    ty_terrain_ground *ground;
    ty_ray *rays;
    ty_terrain_hit *hits;
} scene;

static uint64_t hash(const void *data, size_t bytes, uint64_t h) /* FNV-1a */
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) {
        h = (h ^ p[i]) * 0x100000001b3ull;
    }
    return h;
}

static double uniform(uint32_t i, uint32_t what)
{
    return ty_k_uniform(ty_k_philox(i, what, 0, 0, 1, TY_RNG_TEST).v[0]);
}

/* a camera 2 m above the middle of the patch, looking north and 20 deg down, 70 deg wide */
static void aim(scene *s)
{
    ty_rect r = ty_terrain_patch_rect(s->patch);
    double x = 0.5 * (r.x0 + r.x1), y = 0.5 * (r.y0 + r.y1);
    ty_terrain_ground g;
    ty_terrain_patch_sample(s->patch, 1, &x, &y, &g);
    double focal = 0.5 * WIDTH / tan(35.0 * TY_DEG), c = cos(20.0 * TY_DEG), n = sin(20.0 * TY_DEG);
    for (int v = 0; v < HEIGHT; v++) {
        for (int u = 0; u < WIDTH; u++) {
            double right = (u + 0.5 - 0.5 * WIDTH) / focal, down = (v + 0.5 - 0.5 * HEIGHT) / focal;
            ty_vec3 d = ty_normalize(ty_vec3_make(right, c - down * n, -n - down * c));
            s->rays[v * WIDTH + u] = (ty_ray){ ty_vec3_make(x, y, g.z + 2.0), d, 0.0, 1e9 };
        }
    }
}

static bool make(scene *s, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.seed = 20260101;
    def.edit_level = 2;
    s->level = def.edit_level; /* 4 cm: an 82 m patch */
    if (ty_terrain_create(&def, &s->terrain, diag) != TY_OK ||
        ty_terrain_patch_create(s->terrain, s->level, -SIDE / 2, -SIDE / 2, SIDE, SIDE, 0, &s->patch, diag) != TY_OK) {
        return false;
    }
    s->x = malloc(POINTS * sizeof *s->x);
    s->y = malloc(POINTS * sizeof *s->y);
    s->ground = malloc(POINTS * sizeof *s->ground);
    s->rays = malloc(WIDTH * HEIGHT * sizeof *s->rays);
    s->hits = malloc(WIDTH * HEIGHT * sizeof *s->hits);
    ty_rect r = ty_terrain_patch_rect(s->patch);
    for (uint32_t i = 0; i < POINTS; i++) {
        s->x[i] = r.x0 + (r.x1 - r.x0) * uniform(i, 1);
        s->y[i] = r.y0 + (r.y1 - r.y0) * uniform(i, 2);
    }
    aim(s);
    return true;
}

static double time_edit(scene *s)
{
    enum { N = 200 };
    static float change[N * N];
    double best = 1e9;
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < N * N; i++) {
            change[i] = -1e-4f * (float)(1 + i % 7);
        }
        ty_edit edit = { .i0 = -N / 2 + k, .j0 = -N / 2, .nx = N, .ny = N, .change = change };
        double x = 0.0, y = 0.0, start = bench_now();
        ty_terrain_ground g;
        ty_terrain_edit(s->terrain, &edit, NULL);
        tyi_terrain_patch_sync(s->patch);
        ty_terrain_patch_sample(s->patch, 1, &x, &y, &g);
        best = fmin(best, bench_now() - start);
    }
    return best;
}

/* tiles nobody has asked for before: detail level 0, all layers */
static double time_tiles(scene *s, int round)
{
    static float h[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    double z0, start = bench_now();
    for (int k = 0; k < 32; k++) {
        ty_terrain_tile(s->terrain, 0, 100 + k, 50 + round, h, &z0, NULL);
    }
    return (bench_now() - start) / (32.0 * TY_TERRAIN_TILE * TY_TERRAIN_TILE);
}

int bench_terrain(void)
{
    scene s = { 0 };
    ty_diag diag = { 0 };
    if (!make(&s, &diag)) {
        return app_bad("bench", "%s", diag.text);
    }
    double query = 1e9, ray = 1e9, tile = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        double a = bench_now();
        ty_terrain_patch_sample(s.patch, POINTS, s.x, s.y, s.ground);
        double b = bench_now();
        ty_terrain_patch_rays(s.patch, WIDTH * HEIGHT, s.rays, s.hits);
        double c = bench_now();
        query = fmin(query, (b - a) / POINTS);
        ray = fmin(ray, (c - b) / (WIDTH * HEIGHT));
        tile = fmin(tile, time_tiles(&s, k));
    }
    long hit = 0;
    uint64_t h = 0xcbf29ce484222325ull;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        hit += isfinite(s.hits[i].t);
        float t = (float)s.hits[i].t;
        h = hash(&t, sizeof t, h);
    }
    double edit = time_edit(&s);
    printf("{\"queries_per_s\": %.4g, \"rays_per_s\": %.4g, \"generate_samples_per_s\": %.4g, \"edit_ms\": %.4g, "
           "\"rays\": %d, \"hits\": %ld, \"scene_hash\": \"%016llx\"}\n",
           1.0 / query, 1.0 / ray, 1.0 / tile, 1e3 * edit, WIDTH * HEIGHT, hit, (unsigned long long)h);
    free(s.x), free(s.y), free(s.ground), free(s.rays), free(s.hits);
    ty_terrain_patch_destroy(s.patch);
    ty_terrain_destroy(s.terrain);
    return APP_OK;
}
