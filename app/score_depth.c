/* app/score_depth.c - `tycho score depth`: one map, or every map of a data set.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "score.h"
#include "terrain_site.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/score.h"
#include "io/out_file.h"

#define PATH 4096

/* what is summed over one predictor's images */
typedef struct total {
    size_t images, rocks, blank, found; /* blank: rocks of which no pixel is predicted */
    double pixels, scored;
    double image_sum, rock_sum; /* of DERs, over images and over rocks that have one */
    size_t image_count;
} total;

typedef struct job {
    ty_score_limit limit;
    bool by_box;
    const char *instances; /* single maps */
    FILE *json;
    size_t written; /* images in the list of the JSON */
    total sum;
} job;

static ty_status read_mask(const char *path, const ty_score_depth_map *like, ty_image *mask, ty_diag *diag)
{
    ty_status status = ty_png_read(path, mask, diag);
    if (status == TY_OK &&
        (mask->bits != 16 || mask->channels != 1 || mask->width != like->width || mask->height != like->height)) {
        status = ty_fail(diag, TY_ERR_FORMAT,
                         "%s: an instance mask takes 1 channel of 16 bits, of %d x %d pixels as the depth map", path,
                         like->width, like->height);
        ty_image_free(mask);
    }
    return status;
}

static void put_score(FILE *f, const ty_score_depth_result *s)
{
    score_number(f, "\"DER\": ", s->der);
    score_number(f, ", \"depth_m\": ", s->depth);
    fprintf(f, ", \"pixels\": %zu, \"predicted\": %zu", s->pixels, s->scored);
}

static void add_rocks(job *j, const ty_score_depth_result *rock, size_t n)
{
    fputs(", \"rocks\": [", j->json);
    for (size_t i = 0; i < n; i++) {
        j->sum.rocks++;
        j->sum.found += rock[i].success;
        j->sum.blank += !rock[i].scored;
        j->sum.rock_sum += rock[i].scored ? rock[i].der : 0.0;
        fprintf(j->json, "%s\n    {\"instance\": %u, ", i ? "," : "", rock[i].instance);
        put_score(j->json, &rock[i]);
        fprintf(j->json, ", \"success\": %s}", rock[i].success ? "true" : "false");
    }
    fputs("]", j->json);
}

static ty_status score_rocks(job *j, const ty_score_depth_map *truth, const ty_score_depth_map *guess,
                             const char *mask_path, ty_diag *diag)
{
    ty_image mask = { 0 };
    ty_status status = read_mask(mask_path, truth, &mask, diag);
    if (status != TY_OK) {
        return status;
    }
    size_t n = ty_score_depth_rocks(truth->width, truth->height, truth->depth, guess->depth, mask.data, j->by_box,
                                    &j->limit, NULL, 0);
    ty_score_depth_result *rock = calloc(n + 1, sizeof *rock);
    if (rock) {
        ty_score_depth_rocks(truth->width, truth->height, truth->depth, guess->depth, mask.data, j->by_box, &j->limit,
                             rock, n);
        add_rocks(j, rock, n);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu rocks", n);
    }
    free(rock);
    ty_image_free(&mask);
    return status;
}

/* one map against another; mask NULL: no rocks */
static ty_status score_one_map(job *j, const char *name, const char *truth_path, const char *guess_path,
                               const char *mask, ty_diag *diag)
{
    ty_score_depth_map truth = { 0 }, guess = { 0 };
    ty_status status = ty_score_depth_read(truth_path, &truth, diag);
    status = status == TY_OK ? ty_score_depth_read(guess_path, &guess, diag) : status;
    if (status == TY_OK && (truth.width != guess.width || truth.height != guess.height)) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: has %d x %d pixels, but %s has %d x %d", guess_path, guess.width,
                         guess.height, truth_path, truth.width, truth.height);
    }
    if (status == TY_OK) {
        ty_score_depth_result s =
            ty_score_depth((size_t)truth.width * (size_t)truth.height, truth.depth, guess.depth, &j->limit);
        j->sum.images++;
        j->sum.pixels += (double)s.pixels;
        j->sum.scored += (double)s.scored;
        j->sum.image_count += s.scored > 0;
        j->sum.image_sum += s.scored ? s.der : 0.0;
        fprintf(j->json, "%s\n  {\"name\": \"%s\", ", j->written++ ? "," : "", name);
        put_score(j->json, &s);
        status = mask ? score_rocks(j, &truth, &guess, mask, diag) : status;
        fputs("}", j->json);
    }
    ty_score_depth_free(&truth);
    ty_score_depth_free(&guess);
    return status;
}

/* ---- data sets ---- */

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* PREDICTED/NAME or PREDICTED/depth/NAME, as .png or .exr, NAME without its ending */
static bool find_guess(const char *folder, const char *name, char out[PATH])
{
    struct stat about;
    for (int k = 0; k < 4; k++) {
        int n = snprintf(out, PATH, "%s/%s%s%s", folder, k < 2 ? "" : "depth/", name, k % 2 ? ".exr" : ".png");
        if (n > 0 && n < PATH && stat(out, &about) == 0) {
            return true;
        }
    }
    return false;
}

/* every depth map of the data set below depth/`under`, in the order of their names */
static ty_status score_folder(job *j, const char *set, const char *under, const char *guesses, size_t *missing,
                              ty_diag *diag)
{
    char path[PATH];
    struct dirent **entry = NULL;
    snprintf(path, sizeof path, "%.1800s/depth/%.1800s", set, under);
    int n = scandir(path, &entry, NULL, alphasort);
    ty_status status = n < 0 ? ty_fail(diag, TY_ERR_FILE, "%s: cannot be read as a folder", path) : TY_OK;
    for (int i = 0; i < n; i++) {
        char name[PATH], guess[PATH], mask[PATH], truth[PATH], *dot;
        snprintf(name, sizeof name, "%.1800s%s%s", under, *under ? "/" : "", entry[i]->d_name);
        snprintf(truth, sizeof truth, "%.1800s/depth/%.2000s", set, name);
        if (status != TY_OK || entry[i]->d_name[0] == '.') {
            free(entry[i]);
            continue;
        }
        if (is_folder(truth)) {
            status = score_folder(j, set, name, guesses, missing, diag);
        } else if ((dot = strrchr(name, '.')) && (!strcmp(dot, ".png") || !strcmp(dot, ".exr"))) {
            *dot = 0;
            snprintf(mask, sizeof mask, "%.1800s/instances/%.2000s.png", set, name);
            bool there = find_guess(guesses, name, guess);
            *missing += !there;
            status = there ? score_one_map(j, name, truth, guess, mask, diag) : status;
        }
        free(entry[i]);
    }
    free(entry);
    return status;
}

/* ---- one predictor ---- */

static void put_total(const job *j, const char *name, size_t missing, bool rocks)
{
    const total *t = &j->sum;
    score_number(j->json, "],\n \"DER_images\": ", t->image_sum / (double)t->image_count);
    score_number(j->json, ", \"coverage\": ", t->scored / t->pixels);
    fprintf(j->json, ", \"maps\": %zu, \"missing\": %zu", t->images, missing);
    if (rocks) {
        score_number(j->json, ",\n \"DER_rocks\": ", t->rock_sum / (double)(t->rocks - t->blank));
        score_number(j->json, ", \"success_rate\": ", (double)t->found / (double)t->rocks);
        fprintf(j->json, ", \"rocks_scored\": %zu, \"rocks_without_prediction\": %zu", t->rocks, t->blank);
    }
    fprintf(j->json, ", \"predictor\": \"%s\"}", name);
}

static void put_row(const job *j, const char *name, size_t missing, bool rocks)
{
    const total *t = &j->sum;
    printf("| %s | %zu | %zu | %.3f | %.1f |", name, t->images, missing, 100.0 * t->image_sum / (double)t->image_count,
           100.0 * t->scored / t->pixels);
    if (rocks) {
        printf(" %zu | %.3f | %.1f |", t->rocks, 100.0 * t->rock_sum / (double)(t->rocks - t->blank),
               100.0 * (double)t->found / (double)t->rocks);
    }
    printf("\n");
}

static ty_status score_one(job *j, const char *truth, const char *guess, bool quiet, ty_diag *diag)
{
    size_t missing = 0;
    bool set = is_folder(truth), rocks = set || j->instances;
    ty_status status = set ? score_folder(j, truth, "", guess, &missing, diag)
                           : score_one_map(j, guess, truth, guess, j->instances, diag);
    if (status == TY_OK && !j->sum.images) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: has no depth map of a name that %s/depth has", guess, truth);
    }
    if (status == TY_OK) {
        put_total(j, guess, missing, rocks);
        if (!quiet) {
            put_row(j, guess, missing, rocks);
        }
    }
    return status;
}

static ty_status take_options(job *j, int *argc, char **argv, ty_diag *diag)
{
    const char *by = app_option(argc, argv, "--by");
    j->instances = app_option(argc, argv, "--instances");
    if (by && strcmp(by, "mask") && strcmp(by, "box")) {
        return ty_fail(diag, TY_ERR_INPUT, "--by takes mask or box, not '%s'", by);
    }
    j->by_box = by && !strcmp(by, "box");
    ty_status status = app_take_number(argc, argv, "--limit", 0.0, 1e9, &j->limit.der, diag);
    return status == TY_OK ? app_take_number(argc, argv, "--coverage", 0.0, 1.0, &j->limit.coverage, diag) : status;
}

ty_status score_depth(int argc, char **argv, ty_diag *diag)
{
    job plain = { .limit = ty_score_limit_default() };
    const char *out = app_option(&argc, argv, "-o");
    bool quiet = app_flag(&argc, argv, "--quiet");
    ty_status status = take_options(&plain, &argc, argv, diag);
    status = status == TY_OK ? app_rest(argc, argv, argc > 3 ? argc - 1 : 2, diag) : status;
    tyi_io_sink *json = NULL;
    status = status == TY_OK ? score_open(out, &json, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    FILE *file = tyi_io_sink_file(json);
    fprintf(file, "{\"limit\": %.9g, \"least_coverage\": %.9g, \"rocks_by\": \"%s\", \"predictors\": [",
            plain.limit.der, plain.limit.coverage, plain.by_box ? "box" : "mask");
    if (!quiet) {
        bool rocks = plain.instances || is_folder(argv[1]);
        printf(
            "| predicted | maps | missing | DER of images [%%] | predicted pixels [%%] |%s\n|---|---|---|---|---|%s\n",
            rocks ? " rocks | DER of rocks [%] | rocks found [%] |" : "", rocks ? "---|---|---|" : "");
    }
    for (int i = 2; i < argc && status == TY_OK; i++) {
        job j = plain;
        j.json = file;
        fprintf(file, "%s\n{\"images\": [", i > 2 ? "," : "");
        status = score_one(&j, argv[1], argv[i], quiet, diag);
    }
    fputs("]}\n", file);
    return tyi_io_sink_close(json, status, diag);
}
