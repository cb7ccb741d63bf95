/* The plan of a data set: combinations, draws, the split.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "study/dataset.h"
#include "tyt.h"

static ty_dataset_def *load(const char *settings[], size_t count)
{
    const char *source = getenv("TYCHO_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/datasets/polar_200.yaml", source ? source : ".");
    ty_dataset_def *def = NULL;
    ty_diag diag = { 0 };
    if (ty_dataset_load(path, settings, count, &def, &diag) != TY_OK) {
        cr_log_error("%s", diag.text);
    }
    cr_assert(def != NULL);
    return def;
}

static ty_dataset *plan(const ty_dataset_def *def)
{
    ty_dataset *d = NULL;
    ty_diag diag = { 0 };
    ty_dataset_create(def, &d, &diag);
    cr_assert(d != NULL, "%s", diag.text);
    return d;
}

TY_TEST(dataset, a_grid_has_every_combination_once)
{
    ty_dataset_def *def = load(NULL, 0);
    ty_dataset *d = plan(def);
    ty_dataset_size size = ty_dataset_get_size(d);
    TY_CHECK(size.terrains == 5 && size.train_terrains == 3 && size.views == 20 && size.pairs == 200);
    char(*names)[TYI_STUDY_NAME] = calloc(400, sizeof *names);
    size_t n = 0;
    for (size_t v = 0; v < d->views; v++) {
        TY_CHECK(d->view[v].first_pair == n / 2);
        for (size_t k = 0; k < d->view[v].lights * d->view[v].exposures * 2; k++) {
            tyi_study_image_name(d, &d->view[v], k / 4, k / 2 % 2, (int)(k % 2), names[n++]);
        }
    }
    TY_CHECK(n == 400);
    TY_CHECK(!strcmp(names[0], "T01_C01_R0_A000_E08_L_auto") && !strcmp(names[3], "T01_C01_R0_A000_E08_R_000500us"));
    qsort(names, n, sizeof *names, (int (*)(const void *, const void *))strcmp);
    for (size_t i = 1; i < n; i++) {
        TY_CHECK(strcmp(names[i], names[i - 1]));
    }
    free(names);
    ty_dataset_destroy(d);
    ty_dataset_def_destroy(def);
}

TY_TEST(dataset, random_draws_repeat_and_spread)
{
    const char *settings[] = { "mode=random", "pairs=4000", "sun.azimuths_deg=[0, 360]", "sun.elevations_deg=[2, 20]",
                               "camera.heights=[0.5, 2]" };
    ty_dataset_def *def = load(settings, 5);
    ty_dataset *d = plan(def), *again = plan(def);
    TY_CHECK(!memcmp(d->light, again->light, d->lights * sizeof *d->light));
    double mean[3] = { 0 }, low = 1e9, high = 0;
    for (size_t i = 0; i < d->views; i++) {
        mean[0] += d->light[i].azimuth / TY_DEG / 4000.0, mean[1] += d->light[i].elevation / TY_DEG / 4000.0,
            mean[2] += d->view[i].stand / 4000.0;
        low = fmin(low, d->light[i].elevation / TY_DEG), high = fmax(high, d->light[i].elevation / TY_DEG);
        TY_CHECK(d->view[i].first_pair == i);
    }
    /* means of uniform numbers: 5 sigma of width / sqrt(12 n) */
    TY_NEAR(mean[0], 180.0, 5.0 * 360.0 / sqrt(12.0 * 4000.0));
    TY_NEAR(mean[1], 11.0, 5.0 * 18.0 / sqrt(12.0 * 4000.0));
    TY_NEAR(mean[2], 1.25, 5.0 * 1.5 / sqrt(12.0 * 4000.0));
    TY_CHECK(low >= 2.0 - 1e-9 && high <= 20.0 + 1e-9 && low < 2.1 && high > 19.9);
    ty_dataset_destroy(again);
    def->seed++;
    again = plan(def);
    TY_CHECK(memcmp(d->light, again->light, d->lights * sizeof *d->light)); /* control */
    ty_dataset_destroy(again);
    ty_dataset_destroy(d);
    ty_dataset_def_destroy(def);
}

TY_TEST(dataset, the_split_follows_the_share)
{
    const char *shares[] = { "test_share=0", "test_share=0.01", "test_share=0.4", "test_share=0.99", "test_share=1" };
    const size_t train[] = { 5, 4, 3, 1, 0 }; /* one of each kind where both are asked for */
    for (int k = 0; k < 5; k++) {
        ty_dataset_def *def = load(&shares[k], 1);
        ty_dataset *d = plan(def);
        TY_CHECK(ty_dataset_get_size(d).train_terrains == train[k]);
        ty_dataset_destroy(d);
        ty_dataset_def_destroy(def);
    }
    const char *given[] = { "sites.0.split=test" };
    ty_dataset_def *def = load(given, 1);
    ty_dataset *d = plan(def);
    TY_CHECK(ty_dataset_get_size(d).train_terrains == 0);
    ty_dataset_destroy(d);
    ty_dataset_def_destroy(def);
}

/* terrains over one raster differ only in what is smaller than its cells: they must not be torn apart */
TY_TEST(dataset, terrains_over_a_raster_stay_together)
{
    char path[] = "/tmp/tyt_setXXXXXX", scenario[100];
    FILE *f = fdopen(mkstemp(path), "w");
    fprintf(f, "version: 1\nterrain: {base: %s}\n", path); /* the plan only asks whether there is one */
    fclose(f);
    snprintf(scenario, sizeof scenario, "sites.1.scenario=%s", path);
    const char *settings[] = { "sites.0.seeds=[1]", scenario, "sites.1.seeds=[1, 2, 3, 4]", "test_share=0.5" };
    int first = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        ty_dataset_def *def = load(settings, 4);
        def->seed = seed;
        ty_dataset *d = plan(def);
        first += d->terrain[0].test;
        TY_CHECK(d->terrain[1].test == d->terrain[2].test && d->terrain[2].test == d->terrain[3].test &&
                 d->terrain[3].test == d->terrain[4].test);
        TY_CHECK(d->terrain[0].test != d->terrain[1].test);
        ty_dataset_destroy(d);
        ty_dataset_def_destroy(def);
    }
    TY_CHECK(first > 0 && first < 8); /* control: the draw decides */
    unlink(path);
}
