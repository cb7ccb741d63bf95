/* bench/bench_scale.c - the whole Moon over rasters of three sizes or four: first frame, memory, flying and driving,
 * rebuilding and updating the rings; one core. Rates and updates are of processor time, so that other programs on
 * the machine do not count; first frames also by the clock.
 *
 * Rasters of 1440 x 720 to 23040 x 11520 samples are made here; the largest, of 92160 x 46080, is $TYCHO_GLOBE,
 * where that is set (scripts/make-globe writes it).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app.h"
#include "bench.h"
#include "terrain.h"
#include "tycho/render.h"
#include "tycho/scenario.h"

#define WIDTH  320
#define HEIGHT 240
#define FRAMES 30

typedef struct moon {
    ty_world *world;
    ty_scene *scene;
} moon;

typedef struct flight { /* FRAMES frames: rate by processor time; update of the rings by the clock */
    double frames_s, update_ms, worst_ms;
} flight;

#define SIZES 4
static const int sizes[SIZES] = { 4, 16, 64, 256 }; /* samples to a degree */

/* a raster of the given size, made once and kept beside other temporary files */
static bool raster_of(int per_degree, char *path, size_t size, ty_diag *diag)
{
    const char *folder = getenv("TMPDIR"), *large = getenv("TYCHO_GLOBE");
    struct stat about;
    snprintf(path, size, "%s/tycho-globe-%d.tif", folder ? folder : "/tmp", per_degree);
    if (per_degree == sizes[SIZES - 1]) {
        snprintf(path, size, "%s", large);
    }
    if (stat(path, &about) == 0) {
        return true;
    }
    fprintf(stderr, "making %s\n", path);
    return app_globe_write(per_degree, path, NULL, diag) == TY_OK;
}

/* what the system says of this program */
static double about_self(const char *path, const char *key)
{
    char line[256];
    double value = 0.0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, key, strlen(key))) {
            value = atof(line + strlen(key));
        }
    }
    if (f) {
        fclose(f);
    }
    return value;
}

static double resident_mib(void)
{
    return about_self("/proc/self/status", "VmHWM:") / 1024.0;
}

/* [MiB] that came from the disk, not from memory */
static double disk_mib(void)
{
    return about_self("/proc/self/io", "read_bytes:") / 1048576.0;
}

/* so that the next reader waits for the disk again, as far as the system obeys */
static void forget(const char *path)
{
    int file = open(path, O_RDONLY);
    if (file >= 0) {
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        close(file);
    }
}

static ty_status open_moon(moon *m, const char *raster, int cells, int rings, double finest, ty_diag *diag)
{
    ty_scenario s = ty_scenario_default();
    ty_world_layer_def layer = { .band = 0 };
    snprintf(layer.raster, sizeof layer.raster, "%s", raster);
    s.layer = &layer, s.layers = 1;
    s.planet_memory = (size_t)128 << 20;
    s.terrain.lat = -43.0 * TY_DEG, s.terrain.lon = 11.0 * TY_DEG;
    s.terrain.whole = true;
    s.terrain.rock.on = false;
    s.terrain.cache_bytes = (size_t)32 << 20;
    *m = (moon){ NULL, NULL };
    ty_status status = ty_scenario_create_world(&s, &m->world, diag);
    if (status == TY_OK) {
        ty_scene_def def = ty_scene_def_default();
        def.terrain = ty_world_terrain(m->world);
        def.ring_cells = cells;
        def.rings = rings;
        def.finest = finest;
        def.far = TY_WHOLE_MOON;
        def.threads = 1;
        status = ty_scene_create(&def, &m->scene, diag);
    }
    if (status == TY_OK) {
        ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = { 0.8, 0.0, 0.6 }, .radius = 0.0046, .power = { 1361.0 } };
        status = ty_scene_add_light(m->scene, &sun, diag);
    }
    return status;
}

static void close_moon(moon *m)
{
    ty_scene_destroy(m->scene);
    ty_world_destroy(m->world);
}

/* A frame from x metres east of the site, `above` metres over its ground. *update_s: by the clock; of an image of one
 * pixel the processor time of all of it */
static ty_status frame(moon *m, double x, double above, int width, int height, double *update_s, ty_diag *diag)
{
    static float image[WIDTH * HEIGHT];
    double y = 0.0, z, begin = bench_cpu();
    ty_status status = ty_terrain_sample(ty_world_terrain(m->world), 0, 1, &x, &y, &z, NULL, diag);
    ty_camera c = ty_camera_default();
    c.width = width, c.height = height, c.hfov = 60.0 * TY_DEG * width / WIDTH;
    c.pose = (ty_pose){ { x, y, z + above }, ty_camera_look(90.0 * TY_DEG, -15.0 * TY_DEG, 0.0) };
    ty_render_def def = ty_render_def_default();
    def.samples = 1, def.threads = 1;
    ty_render_buffers out = { .radiance = image };
    if (status == TY_OK) {
        status = ty_render(m->scene, &c, &def, &out, diag);
    }
    *update_s = width > 1 ? ty_scene_get_stats(m->scene).update_s : bench_cpu() - begin;
    return status;
}

/* FRAMES frames a step apart, after one that is not counted */
static ty_status fly(moon *m, double step, double above, flight *out, ty_diag *diag)
{
    double update, start = 0.0;
    ty_status status = TY_OK;
    *out = (flight){ 0.0, 0.0, 0.0 };
    for (int k = 0; k <= FRAMES && status == TY_OK; k++) {
        status = frame(m, k * step, above, WIDTH, HEIGHT, &update, diag);
        start = k == 0 ? bench_cpu() : start;
        out->update_ms += k ? 1e3 * update / FRAMES : 0.0;
        out->worst_ms = k ? fmax(out->worst_ms, 1e3 * update) : 0.0;
    }
    out->frames_s = FRAMES / (bench_cpu() - start);
    return status;
}

#define STEPS   256
#define REPEATS 3

typedef struct motion {
    double anew, mean, worst; /* [ms] all rings anew; a step of one cell in the mean, and the worst one */
} motion;

/* Rings from a spacing: all anew, then one cell of motion at a time. Each step is the best of its repeats, which all do
 * the same work. */
static ty_status steps(const char *raster, int cells, int rings, double finest, motion *out, ty_diag *diag)
{
    double step[STEPS + 1];
    ty_status status = TY_OK;
    for (int repeat = 0; repeat < REPEATS && status == TY_OK; repeat++) {
        moon m;
        status = open_moon(&m, raster, cells, rings, finest, diag);
        for (int k = 0; k <= STEPS && status == TY_OK; k++) {
            double update;
            /* over ground that is coarser than the site */
            status = frame(&m, finest * k, 1.0 + 10.0 * finest, 1, 1, &update, diag);
            step[k] = repeat ? fmin(step[k], 1e3 * update) : 1e3 * update;
        }
        close_moon(&m);
    }
    *out = (motion){ step[0], 0.0, 0.0 };
    for (int k = 1; k <= STEPS && status == TY_OK; k++) {
        out->mean += step[k] / STEPS;
        out->worst = fmax(out->worst, step[k]);
    }
    return status;
}

/* 12 rings from 1 cm */
static ty_status rings(const char *raster, int cells, ty_diag *diag)
{
    motion m;
    ty_status status = steps(raster, cells, 12, 0.01, &m, diag);
    int n = cells - 1;
    printf(
        "\"rebuild_%d_ms\": %.1f, \"update_%d_ms\": %.3f, \"update_%d_worst_ms\": %.2f, \"update_%d_worst_share\": %.4f, ",
        n, m.anew, n, m.mean, n, m.worst, n, m.worst / m.anew);
    if (cells == 512) {
        printf("\"rebuild_ms\": %.1f, \"update_ms\": %.3f, \"update_share\": %.5f, ", m.anew, m.mean, m.mean / m.anew);
    }
    return status;
}

/* each of 12 rings alone, moved by its own cells */
static ty_status each_ring(const char *raster, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int k = 0; k < 12 && status == TY_OK; k++) {
        motion m;
        status = steps(raster, 512, 1, 0.01 * pow(2.0, k), &m, diag);
        printf("\"update_ring_%d_ms\": %.3f, ", k, m.mean);
    }
    return status;
}

/* the first frame after opening, with the file out of memory and then in it: by the clock, by the processor, and read
 * from the disk */
typedef struct opening {
    double clock_s[2], cpu_s[2], disk_mib[2];
} opening;

static ty_status open_twice(const char *path, moon *m, opening *out, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int warm = 0; warm < 2 && status == TY_OK; warm++) {
        if (!warm) {
            forget(path);
        }
        double start = bench_now(), begin = bench_cpu(), read = disk_mib(), update;
        status = open_moon(m, path, 512, 0, 0.01, diag);
        if (status == TY_OK) {
            status = frame(m, 0.0, 1000.0, WIDTH, HEIGHT, &update, diag);
        }
        out->clock_s[warm] = bench_now() - start;
        out->cpu_s[warm] = bench_cpu() - begin;
        out->disk_mib[warm] = disk_mib() - read;
        if (status != TY_OK || !warm) {
            close_moon(m);
        }
    }
    return status;
}

static ty_status one_size(int n, const char *path, flight *air, ty_raster_cache_stats *cache, double *first,
                          ty_diag *diag)
{
    moon m;
    flight ground;
    opening o;
    ty_status status = open_twice(path, &m, &o, diag);
    if (status != TY_OK) {
        return status;
    }
    status = fly(&m, 100.0 / 30.0, 500.0, air, diag);
    if (status == TY_OK) {
        status = fly(&m, 0.2 / 30.0, 1.5, &ground, diag);
    }
    *cache = ty_world_cache(m.world);
    *first = o.clock_s[0];
    close_moon(&m);
    printf(
        "\"first_frame_%d_s\": %.3f, \"first_frame_%d_cpu_s\": %.3f, \"first_frame_%d_disk_mib\": %.1f, \"first_frame_%d_warm_s\": %.3f, "
        "\"first_frame_%d_warm_cpu_s\": %.3f, ",
        n, o.clock_s[0], n, o.cpu_s[0], n, o.disk_mib[0], n, o.clock_s[1], n, o.cpu_s[1]);
    printf(
        "\"flying_%d_frames_s\": %.2f, \"flying_%d_update_ms\": %.2f, \"flying_%d_worst_ms\": %.1f, \"driving_%d_frames_s\": %.2f, "
        "\"driving_%d_update_ms\": %.3f, ",
        n, air->frames_s, n, air->update_ms, n, air->worst_ms, n, ground.frames_s, n, ground.update_ms);
    return status;
}

int bench_scale(void)
{
    ty_diag diag = { 0 };
    flight air, small = { 0 };
    ty_raster_cache_stats cache = { 0 };
    char path[SIZES][512];
    double first = 0.0;
    int count = getenv("TYCHO_GLOBE") ? SIZES : SIZES - 1;
    for (int k = 0; k < count; k++) {
        if (!raster_of(sizes[k], path[k], sizeof path[k], &diag)) {
            return app_bad("bench", "%s.", diag.text);
        }
    }
    printf("{");
    for (int k = 0; k < count && diag.status == TY_OK; k++) {
        one_size(sizes[k], path[k], &air, &cache, &first, &diag);
        small = k == 0 ? air : small;
    }
    printf(
        "\"largest\": %d, \"first_frame_s\": %.3f, \"ratio_in_memory\": %.3f, \"cache_hit_rate\": %.5f, \"cache_loads\": %.0f, \"cache_peak_mib\": %.1f, ",
        sizes[count - 1], first, air.frames_s / small.frames_s,
        (double)cache.hits / fmax((double)(cache.hits + cache.loads), 1.0), (double)cache.loads,
        (double)cache.peak_bytes / 1048576.0);
    printf("\"rss_mib\": %.1f, ", resident_mib());
    for (int cells = 256; cells <= 1024 && diag.status == TY_OK; cells *= 2) {
        rings(path[1], cells, &diag);
    }
    if (diag.status == TY_OK) {
        each_ring(path[1], &diag);
    }
    printf("\"image\": \"%dx%d\"}\n", WIDTH, HEIGHT);
    return diag.status == TY_OK ? APP_OK : app_bad("bench", "%s.", diag.text);
}
