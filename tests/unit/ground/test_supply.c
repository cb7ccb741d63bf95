/* Ground made beside the frames: a slow disk, one that fails, one that is full.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "planet_support.h"
#include "io/rasters.h"

/* Rolling hills whose samples take their time, or fail. */
typedef struct disk {
    volatile int delay_us; /* per call */
    volatile bool broken;
} disk;

static ty_status hills(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                       ty_diag *diag)
{
    (void)spacing;
    const disk *d = user;
    if (d->broken) {
        return ty_fail(diag, TY_ERR_FILE, "moon.tif: the disk is gone");
    }
    if (d->delay_us) {
        nanosleep(&(struct timespec){ 0, d->delay_us * 1000L }, NULL);
    }
    for (size_t k = 0; k < n; k++) {
        height[k] = 800.0 * sin(300.0 * lat[k]) * cos(280.0 * lon[k]);
    }
    return TY_OK;
}

enum { W = 48, H = 36 };

static ty_scene *scene_of(ty_terrain *t, double wait, int rings)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = t;
    def.ring_cells = 256;
    def.finest = 5.0;
    def.rings = rings;
    def.wait = wait;
    def.far = TY_WHOLE_MOON;
    ty_scene *scene = NULL;
    cr_assert(ty_scene_create(&def, &scene, NULL) == TY_OK);
    return scene;
}

static ty_camera eye_at(double x)
{
    ty_camera c = ty_camera_default();
    c.width = W, c.height = H, c.hfov = 60.0 * TY_DEG;
    c.pose = (ty_pose){ { x, 0.0, 4000.0 }, ty_camera_look(90.0 * TY_DEG, -50.0 * TY_DEG, 0.0) };
    return c;
}

typedef struct seen {
    double worst_s;  /* [s] longest update */
    int holes, late; /* pixels of sky below the horizon; rings late, summed */
} seen;

static seen fly(ty_scene *scene, int frames, double step, double *range)
{
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .range = range };
    seen s = { 0.0, 0, 0 };
    for (int k = 0; k < frames; k++) {
        ty_camera c = eye_at(k * step);
        ty_diag diag = { 0 };
        cr_assert(ty_render(scene, &c, &def, &out, &diag) == TY_OK, "%s", diag.text);
        ty_scene_stats stats = ty_scene_get_stats(scene);
        s.worst_s = k ? fmax(s.worst_s, stats.update_s) : s.worst_s;
        s.late += stats.late;
        for (int i = 0; i < W * H; i++) {
            s.holes += isinf(range[i]);
        }
    }
    return s;
}

/* A disk so slow that frames cannot have all their ground: none waits for it, none has a hole; when the eye stands
 * still the picture becomes the one of a scene that waits. Control: that scene, on the same disk. */
TY_TEST(supply, a_slow_disk, .timeout = 120)
{
    disk d = { .delay_us = 0 };
    ty_terrain *t = moon_of(10.0, 20.0, (ty_terrain_base){ .sample = hills, .user = &d, .spacing = 500.0 });
    static double range[W * H], want[W * H];
    ty_scene *scene = scene_of(t, 0.02, 0), *patient = scene_of(t, 0.0, 0);
    fly(scene, 1, 0.0, range);
    fly(patient, 1, 0.0, want);
    d.delay_us = 300;
    seen s = fly(scene, 12, 700.0, range), p = fly(patient, 3, 3000.0, want);
    printf("supply: slow disk: longest update %.0f ms (bound 20 ms), %d holes, %d rings late; with waiting %.0f ms\n",
           1e3 * s.worst_s, s.holes, s.late, 1e3 * p.worst_s);
    TY_CHECK(s.holes == 0 && s.late > 0);
    TY_ROW("a slow disk: no hole, coarser rings instead, and the full picture once it has caught up",
           "reads delayed by 0.3 ms", "%d holes in 12 frames", s.holes);
    TY_CHECK(s.worst_s < 0.02 + 0.25); /* building what did arrive, on a machine that others use too */
    TY_CHECK(p.worst_s > 0.1);
    /* standing still */
    d.delay_us = 0;
    ty_camera c = eye_at(9000.0);
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .range = range }, whole = { .range = want };
    int tries = 0;
    do {
        cr_assert(ty_render(scene, &c, &def, &out, NULL) == TY_OK);
    } while (ty_scene_get_stats(scene).late && ++tries < 500);
    cr_assert(ty_render(patient, &c, &def, &whole, NULL) == TY_OK);
    TY_CHECK(tries < 500 && !memcmp(range, want, sizeof range));
    ty_scene_destroy(scene);
    ty_scene_destroy(patient);
    ty_terrain_destroy(t);
}

/* A disk that fails: before the first frame it is told in a sentence; later the run goes on with the ground that it
 * has. */
TY_TEST(supply, a_disk_that_fails, .timeout = 120)
{
    disk d = { .delay_us = 0 };
    ty_terrain *t = moon_of(10.0, 20.0, (ty_terrain_base){ .sample = hills, .user = &d, .spacing = 500.0 });
    static double range[W * H];
    ty_scene *scene = scene_of(t, 0.02, 0);
    seen s = fly(scene, 20, 0.0, range);
    d.broken = true;
    s = fly(scene, 10, 2500.0, range);
    printf("supply: failing disk: %d holes, %d rings late, longest update %.0f ms\n", s.holes, s.late, 1e3 * s.worst_s);
    TY_CHECK(s.holes == 0 && s.late > 0);
    ty_scene_destroy(scene);
    for (int k = 0; k < 2; k++) { /* from the start, with and without waiting */
        scene = scene_of(t, k ? 0.02 : 0.0, 0);
        ty_camera c = eye_at(5e4);
        ty_render_def def = ty_render_def_default();
        ty_render_buffers out = { .range = range };
        ty_diag diag = { 0 };
        TY_CHECK(ty_render(scene, &c, &def, &out, &diag) == TY_ERR_FILE);
        TY_CHECK(strstr(diag.text, "the disk is gone") != NULL);
        ty_scene_destroy(scene);
    }
    ty_terrain_destroy(t);
}

static ty_status slope(void *user, int y, int rows, float *out, ty_diag *diag)
{
    (void)diag;
    int width = *(const int *)user;
    for (int i = 0; i < width * rows; i++) {
        out[i] = (float)(((unsigned)(y * width + i) * 2654435761u) >> 22);
    }
    return TY_OK;
}

/* A real raster that is cut off while it is in use, and one that does not fit on the disk. */
TY_TEST(supply, a_file_that_is_cut_off_and_a_full_disk, .timeout = 120)
{
    char path[] = "/tmp/tycho-globe-XXXXXX.tif";
    int file = mkstemps(path, 4), width = 360 * 8;
    cr_assert(file >= 0);
    close(file);
    tyi_io_raster_globe globe = { 8, slope, &width };
    ty_diag diag = { 0 };
    cr_assert(tyi_io_raster_write_globe(&globe, path, NULL, NULL, &diag) == TY_OK, "%s", diag.text);
    ty_world *world = moon_over(0.0, 0.0, (const char *const[]){ path, NULL });
    static double range[W * H];
    ty_scene *late = scene_of(ty_world_terrain(world), 0.05, 0), *patient = scene_of(ty_world_terrain(world), 0.0, 0);
    fly(late, 30, 0.0, range);
    fly(patient, 1, 0.0, range);
    cr_assert(truncate(path, 4096) == 0);
    seen s = fly(late, 8, 40e3, range);
    printf("supply: raster cut off: %d holes, %d rings late\n", s.holes, s.late);
    TY_CHECK(s.holes == 0);
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .range = range };
    ty_camera c = eye_at(2e6);
    c.pose.p = ty_site_point(ty_terrain_site(ty_world_terrain(world)), 0.0, 2.0, 4000.0);
    ty_status status = ty_render(patient, &c, &def, &out, &diag);
    printf("supply: one that waits says: %s\n", diag.text);
    TY_CHECK(status == TY_ERR_FILE || status == TY_ERR_FORMAT);
    TY_CHECK(strstr(diag.text, path) != NULL);
    ty_scene_destroy(late);
    ty_scene_destroy(patient);
    ty_world_destroy(world);
    unlink(path);
    /* no room: a file of at most 64 kB */
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 65536;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    diag = (ty_diag){ 0 };
    status = tyi_io_raster_write_globe(&globe, path, NULL, NULL, &diag);
    setrlimit(RLIMIT_FSIZE, &before);
    printf("supply: full disk: %s\n", diag.text);
    TY_CHECK(status == TY_ERR_FILE && access(path, F_OK) != 0);
}
