/* src/study/dataset_plan.c - from a specification to the list of all terrains, views, lights and exposures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "dataset.h"
#include "io/document.h"
#include "k_philox.h"

double tyi_study_dataset_draw(const ty_dataset_def *def, tyi_study_draw what, size_t of, uint32_t try, int k)
{
    ty_k_u32x4 r =
        ty_k_philox((ty_u32)what, (ty_u32)of, try, (ty_u32)(def->seed >> 32), (ty_u32)def->seed, TY_RNG_DATASET);
    return ty_k_uniform(r.v[k]);
}

static ty_status no_memory(ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for its plan");
}

/* opens a site's scenario: is it right, has it a base raster, what is its text */
static ty_status look_at_site(ty_dataset *d, size_t i, size_t *next, ty_diag *diag)
{
    const ty_dataset_site *site = &d->def->site[i];
    ty_scenario *scenario = NULL;
    tyi_io_bytes text = { 0 };
    ty_status status = ty_scenario_load(site->scenario, NULL, 0, &scenario, diag);
    status = status == TY_OK ? tyi_io_file_read(site->scenario, TYI_IO_DOC_BYTES, NULL, &text, diag) : status;
    size_t group = *next;
    for (size_t k = 0; k < (site->seeds ? site->seeds : 1) && status == TY_OK; k++) {
        bool based = scenario->base_path[0];
        d->terrain[*next] = (tyi_study_terrain_plan){ .site = site,
                                                      .seed = site->seeds ? site->seed[k] : scenario->terrain.seed,
                                                      .file_hash = tyi_hash(text.data, text.size, TYI_HASH_START),
                                                      .test = site->split == TY_SPLIT_TEST,
                                                      .group = based ? group : *next };
        ++*next;
    }
    tyi_put(NULL, text.data, text.capacity);
    ty_scenario_destroy(scenario);
    return status;
}

/* two terrains of one scenario and seed would be one scene twice, perhaps in both parts */
static ty_status check_terrains(const ty_dataset *d, ty_diag *diag)
{
    for (size_t i = 0; i < d->terrains; i++) {
        for (size_t k = 0; k < i; k++) {
            if (d->terrain[i].seed == d->terrain[k].seed && d->terrain[i].file_hash == d->terrain[k].file_hash) {
                return ty_fail(diag, TY_ERR_INPUT,
                               "data set: the scenario %s with seed %llu stands twice among the sites",
                               d->terrain[i].site->scenario, (unsigned long long)d->terrain[i].seed);
            }
        }
    }
    return TY_OK;
}

typedef struct lot {
    double draw;
    size_t group;
} lot;

static int by_draw(const void *a, const void *b)
{
    double x = ((const lot *)a)->draw, y = ((const lot *)b)->draw;
    return (x > y) - (x < y);
}

/* Draws which groups of terrains are for tests: the share asked for of those left open, and at least one of each
 * kind where there are two. */
static ty_status split_terrains(ty_dataset *d, ty_diag *diag)
{
    lot *lots = tyi_arena_get(&d->memory, (d->terrains + 1) * sizeof *lots);
    if (!lots) {
        return no_memory(diag);
    }
    size_t open = 0;
    for (size_t i = 0; i < d->terrains; i++) {
        if (d->terrain[i].site->split == TY_SPLIT_AUTO && d->terrain[i].group == i) {
            lots[open++] = (lot){ tyi_study_dataset_draw(d->def, TYI_STUDY_DRAW_SPLIT, i, 0, 0), i };
        }
    }
    qsort(lots, open, sizeof *lots, by_draw);
    double share = d->def->test_share;
    size_t tests = (size_t)lrint(share * (double)open);
    if (open > 1 && share > 0.0 && share < 1.0) {
        tests = tests < 1 ? 1 : tests > open - 1 ? open - 1 : tests;
    }
    for (size_t i = 0; i < d->terrains; i++) {
        for (size_t k = 0; k < tests && d->terrain[i].site->split == TY_SPLIT_AUTO; k++) {
            d->terrain[i].test = d->terrain[i].test || lots[k].group == d->terrain[i].group;
        }
    }
    return TY_OK;
}

static ty_status plan_terrains(ty_dataset *d, ty_diag *diag)
{
    for (size_t i = 0; i < d->def->sites; i++) {
        d->terrains += d->def->site[i].seeds ? d->def->site[i].seeds : 1;
    }
    d->terrain = tyi_arena_get(&d->memory, d->terrains * sizeof *d->terrain);
    if (!d->terrain) {
        return no_memory(diag);
    }
    ty_status status = TY_OK;
    for (size_t i = 0, next = 0; i < d->def->sites && status == TY_OK; i++) {
        status = look_at_site(d, i, &next, diag);
    }
    status = status == TY_OK ? check_terrains(d, diag) : status;
    return status == TY_OK ? split_terrains(d, diag) : status;
}

static ty_status get_lists(ty_dataset *d, size_t views, size_t lights, size_t exposures, ty_diag *diag)
{
    d->views = views, d->lights = lights, d->exposures = exposures;
    d->view = tyi_arena_get(&d->memory, views * sizeof *d->view);
    d->light = tyi_arena_get(&d->memory, lights * sizeof *d->light);
    d->exposure = tyi_arena_get(&d->memory, exposures * sizeof *d->exposure);
    return d->view && d->light && d->exposure ? TY_OK : no_memory(diag);
}

static size_t chains_of(const ty_dataset_def *def)
{
    return def->chain == TY_CHAIN_BOTH ? 2 : 1;
}

/* exposure number i of a list that has each time once for each chain */
static bool is_ideal(const ty_dataset_def *def, size_t i)
{
    return def->chain == TY_CHAIN_IDEAL || (def->chain == TY_CHAIN_BOTH && i % 2);
}

static ty_status plan_grid(ty_dataset *d, ty_diag *diag)
{
    const ty_dataset_def *def = d->def;
    size_t places = (size_t)def->positions, lights = def->azimuths * def->elevations * def->lamps,
           chains = chains_of(def);
    double all = (double)(d->terrains * places * def->stands) * (double)(lights * def->exposures * chains);
    if (all > 1e7) {
        return ty_fail(diag, TY_ERR_RANGE, "data set: the grid has %.3g stereo pairs, but takes up to 1e7", all);
    }
    ty_status status = get_lists(d, d->terrains * places * def->stands, lights, def->exposures * chains, diag);
    for (size_t i = 0; i < lights && status == TY_OK; i++) {
        size_t l = i % def->lamps, e = i / def->lamps % def->elevations, a = i / def->lamps / def->elevations;
        d->light[i] = (tyi_study_light_plan){ def->azimuth[a], def->elevation[e], def->lamp[l] };
    }
    for (size_t i = 0; i < d->views && status == TY_OK; i++) {
        size_t on = i % (places * def->stands), s = on % def->stands;
        d->view[i] = (tyi_study_view_plan){ .terrain = i / (places * def->stands),
                                            .number = (int)on + 1,
                                            .place = (int)(on / def->stands),
                                            .stand = def->stand[s],
                                            .lights = lights,
                                            .exposures = d->exposures,
                                            .first_pair = d->pairs };
        d->pairs += lights * d->exposures;
    }
    for (size_t i = 0; i < d->exposures && status == TY_OK; i++) {
        d->exposure[i] = (tyi_study_exposure_plan){ def->exposure[i / chains], is_ideal(def, i) };
    }
    return status;
}

/* between the least and the largest of a list */
static double between(const double *value, size_t n, double u)
{
    double low = value[0], high = value[0];
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    return low + u * (high - low);
}

static size_t pick(size_t n, double u)
{
    return (size_t)(u * (double)n);
}

/* angles in tenths of a degree, as names show them */
static double tenth(double angle)
{
    return round(angle / (0.1 * TY_DEG)) * (0.1 * TY_DEG);
}

/* one light and one exposure for each view; terrains take turns, and each one's views stand together */
static ty_status plan_random(ty_dataset *d, ty_diag *diag)
{
    const ty_dataset_def *def = d->def;
    size_t n = (size_t)def->pairs, at = 0, chains = chains_of(def);
    ty_status status = get_lists(d, n, n, n * chains, diag);
    for (size_t t = 0; t < d->terrains && status == TY_OK; t++) {
        for (size_t k = t, on = 0; k < n; k += d->terrains, on++, at++) {
            double u[6];
            for (int i = 0; i < 6; i++) {
                u[i] = tyi_study_dataset_draw(def, i < 3 ? TYI_STUDY_DRAW_SUN : TYI_STUDY_DRAW_CAMERA, k, 0, i % 3);
            }
            d->light[at] = (tyi_study_light_plan){ tenth(between(def->azimuth, def->azimuths, u[0])),
                                                   tenth(between(def->elevation, def->elevations, u[1])),
                                                   def->lamp[pick(def->lamps, u[2])] };
            for (size_t i = 0; i < chains; i++) {
                d->exposure[at * chains + i] =
                    (tyi_study_exposure_plan){ def->exposure[pick(def->exposures, u[3])], is_ideal(def, i) };
            }
            d->view[at] = (tyi_study_view_plan){ .terrain = t,
                                                 .number = (int)on + 1,
                                                 .place = (int)on,
                                                 .stand = between(def->stand, def->stands, u[4]),
                                                 .light = at,
                                                 .lights = 1,
                                                 .exposure = at * chains,
                                                 .exposures = chains,
                                                 .first_pair = at * chains };
        }
    }
    d->pairs = n * chains;
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* in a grid, names must tell all lights and exposures apart */
static ty_status check_names(const ty_dataset *d, ty_diag *diag)
{
    size_t most = d->lights > d->exposures ? d->lights : d->exposures;
    char(*names)[TYI_STUDY_NAME] = tyi_get(NULL, most * sizeof *names);
    if (!names) {
        return no_memory(diag);
    }
    ty_status status = TY_OK;
    for (int kind = 0; kind < 2 && d->def->mode == TY_DATASET_GRID; kind++) {
        size_t n = kind ? d->exposures : d->lights;
        for (size_t i = 0; i < n; i++) {
            kind ? tyi_study_exposure_name(d, &d->exposure[i], names[i]) : tyi_study_light_name(&d->light[i], names[i]);
        }
        qsort(names, n, sizeof *names, by_text);
        for (size_t i = 1; i < n && status == TY_OK; i++) {
            if (!strcmp(names[i], names[i - 1])) {
                status = ty_fail(diag, TY_ERR_INPUT, "data set: two %s are the same or nearly: both are named %s (%s)",
                                 kind ? "exposures" : "directions of light", names[i],
                                 kind ? "whole us" : "tenths of a degree, whole W/sr");
            }
        }
    }
    tyi_put(NULL, names, most * sizeof *names);
    return status;
}

ty_status ty_dataset_create(const ty_dataset_def *def, ty_dataset **out, ty_diag *diag)
{
    *out = NULL;
    ty_dataset *d = tyi_get(NULL, sizeof *d);
    if (!d) {
        return no_memory(diag);
    }
    d->def = def;
    tyi_arena_init(&d->memory, NULL, 1 << 16);
    ty_status status = plan_terrains(d, diag);
    if (status == TY_OK) {
        status = def->mode == TY_DATASET_GRID ? plan_grid(d, diag) : plan_random(d, diag);
    }
    status = status == TY_OK ? check_names(d, diag) : status;
    if (status == TY_OK) {
        *out = d;
    } else {
        ty_dataset_destroy(d);
    }
    return status;
}

void ty_dataset_destroy(ty_dataset *dataset)
{
    if (dataset) {
        tyi_arena_free(&dataset->memory);
        tyi_put(NULL, dataset, sizeof *dataset);
    }
}

ty_dataset_size ty_dataset_get_size(const ty_dataset *d)
{
    const ty_dataset_def *def = d->def;
    ty_dataset_size size = { .terrains = d->terrains, .views = d->views, .pairs = d->pairs };
    for (size_t i = 0; i < d->terrains; i++) {
        size.train_terrains += !d->terrain[i].test;
    }
    /* bytes per pixel as PNG and EXR compress them, measured on the example; records by the image */
    double pixels = (double)def->width * def->height;
    double picture = pixels * (def->bits == 8 ? 0.7 : 1.5) + 12e3;
    double truth = pixels * ((def->depth == TY_DEPTH_PNG ? 1.0 : 2.6) + 0.04) + 2e3;
    size.bytes = 2.0 * ((double)d->pairs * picture + (double)d->views * truth) + 4e6;
    return size;
}
