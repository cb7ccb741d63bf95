/* app/cmd_dataset.c - `tycho dataset`: labelled stereo images by a specification.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include "app.h"
#include "terrain_site.h"
#include "tycho/tools/dataset.h"

#define MAX_SETTINGS 64

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* the folder, made with those above it; what the disk has left [bytes]; whether a data set was begun there */
static ty_status make_folder(const char *path, double *left, bool *begun, ty_diag *diag)
{
    char part[TY_PATH_MAX];
    struct statvfs disk;
    struct stat about;
    if (strlen(path) >= sizeof part || !path[0]) {
        return ty_fail(diag, TY_ERR_INPUT, "-o takes the path of a folder");
    }
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] == '/' || !path[i]) {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            if (mkdir(part, 0777) && errno != EEXIST) {
                return ty_fail(diag, TY_ERR_FILE, "%s: this folder cannot be made: %s", part, strerror(errno));
            }
        }
    }
    if (stat(path, &about) || !S_ISDIR(about.st_mode)) {
        return ty_fail(diag, TY_ERR_FILE, "%s is not a folder", path);
    }
    *left = statvfs(path, &disk) ? 1e18 : (double)disk.f_bavail * (double)disk.f_frsize;
    snprintf(part, sizeof part, "%.*s/dataset.json", TY_PATH_MAX - 20, path);
    *begun = stat(part, &about) == 0;
    return TY_OK;
}

static void say_bytes(double bytes, char *out, size_t size)
{
    snprintf(out, size, bytes < 1e9 ? "%.0f MB" : "%.1f GB", bytes < 1e9 ? bytes / 1e6 : bytes / 1e9);
}

static ty_status say_plan(const ty_dataset_def *def, const ty_dataset_size *s, const char *folder, double left,
                          bool begun, bool quiet, ty_diag *diag)
{
    char need[32], has[32];
    say_bytes(s->bytes, need, sizeof need);
    say_bytes(left, has, sizeof has);
    if (s->bytes > left && !begun) { /* of one that was begun, part of it is there already */
        return ty_fail(diag, TY_ERR_FILE, "the data set takes about %s, but the disk of %s has %s left", need, folder,
                       has);
    }
    if (!quiet) {
        printf("%s: %zu stereo pairs of %d x %d pixels, %zu views on %zu terrains (%zu for training, %zu for tests)\n",
               def->name, s->pairs, def->width, def->height, s->views, s->terrains, s->train_terrains,
               s->terrains - s->train_terrains);
        printf("about %s in %s%s%s%s\n", need, folder, left < 1e18 ? "; the disk has " : "", left < 1e18 ? has : "",
               left < 1e18 ? " left" : "");
        fflush(stdout);
    }
    return TY_OK;
}

static void say_end(const ty_dataset_stats *s, const char *folder, double seconds)
{
    double rest = seconds - s->scene_s - s->truth_s - s->light_s - s->chain_s - s->write_s;
    if (s->found) {
        printf("%zu stereo pairs were there already\n", s->found);
    }
    if (s->pairs) {
        printf("%zu stereo pairs in %.1f s: %.3g images per second; %.3g rays\n", s->pairs, seconds,
               2.0 * (double)s->pairs / seconds, (double)s->rays);
        printf(
            "ground and rocks %.0f %%, depth and labels %.0f %%, light %.0f %%, camera %.0f %%, files %.0f %%, the rest %.0f %%\n",
            100.0 * s->scene_s / seconds, 100.0 * s->truth_s / seconds, 100.0 * s->light_s / seconds,
            100.0 * s->chain_s / seconds, 100.0 * s->write_s / seconds, 100.0 * rest / seconds);
    }
    printf("%zu labels; %s/annotations/train.json and test.json, contact_sheet.png, statistics.png\n", s->labels,
           folder);
}

static ty_status make(const ty_dataset_def *def, const char *folder, int threads, bool quiet, bool plan_only,
                      ty_diag *diag)
{
    ty_dataset *set = NULL;
    ty_dataset_stats stats = { 0 };
    double left = 1e18, start = now();
    bool begun = false;
    ty_status status = ty_dataset_create(def, &set, diag);
    if (status == TY_OK && !plan_only) {
        status = make_folder(folder, &left, &begun, diag);
    }
    if (status == TY_OK) {
        ty_dataset_size size = ty_dataset_get_size(set);
        status = say_plan(def, &size, folder, left, begun, quiet && !plan_only, diag);
    }
    if (status == TY_OK && !plan_only) {
        app_progress line;
        app_progress_start(&line, quiet);
        ty_progress hook = app_progress_hook(&line);
        status = ty_dataset_run(set, folder, threads, &hook, &stats, diag);
        app_progress_end(&line);
        if (status == TY_OK && !quiet) {
            say_end(&stats, folder, now() - start);
        }
    }
    ty_dataset_destroy(set);
    return status;
}

static int run(int argc, char **argv)
{
    const char *settings[MAX_SETTINGS], *set;
    size_t count = 0;
    ty_diag diag = { 0 };
    ty_dataset_def *def = NULL;
    double threads = 0.0;
    if (app_flag(&argc, argv, "--reference")) {
        return ty_dataset_reference(stdout, &diag) == TY_OK ? APP_OK : app_bad("dataset", "%s.", diag.text);
    }
    while ((set = app_option(&argc, argv, "--set")) != NULL) {
        if (count == MAX_SETTINGS) {
            return app_bad("dataset", "more than %d --set.", MAX_SETTINGS);
        }
        settings[count++] = set;
    }
    const char *out = app_option(&argc, argv, "-o");
    bool quiet = app_flag(&argc, argv, "--quiet"), plan_only = app_flag(&argc, argv, "--plan");
    app_take_number(&argc, argv, "--threads", 0.0, 1024.0, &threads, &diag);
    if (diag.status == TY_OK && app_rest(argc, argv, 1, &diag) == TY_OK &&
        ty_dataset_load(argv[1], settings, count, &def, &diag) == TY_OK) {
        char folder[128];
        snprintf(folder, sizeof folder, "out/%s", def->name);
        make(def, out ? out : folder, (int)threads, quiet, plan_only, &diag);
    }
    ty_dataset_def_destroy(def);
    return diag.status == TY_OK ? APP_OK : app_bad("dataset", "%s.", diag.text);
}

const app_command app_cmd_dataset = {
    "dataset",
    "labelled stereo images over terrains, Sun angles and exposures",
    "usage: tycho dataset SPEC.yaml [options] [-o FOLDER]\n\n"
    "Makes stereo pairs with depth, instance and class masks, camera models, and labels of the rocks as COCO and YOLO have\n"
    "them, split into training and test terrains, with statistics and a contact sheet. A run that was stopped goes on with\n"
    "the same command and ends with the same bytes.\n\n"
    "  -o FOLDER       where to; out/NAME\n"
    "  --set KEY=VALUE overrides any key of the specification: --set camera.chain=ideal\n"
    "  --plan          only says what would be made, and how much disk it takes\n"
    "  --threads N     all processors\n"
    "  --quiet         no progress line, no closing notes\n"
    "  --reference     prints the keys of a specification\n\n"
    "example: tycho dataset datasets/polar_small.yaml -o out/polar_small\n",
    run,
};
