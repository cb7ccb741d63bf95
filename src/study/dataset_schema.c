/* src/study/dataset_schema.c - the keys of a data set's specification, and loading it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "dataset.h"
#include "io/document.h"

#define IN(field)   offsetof(ty_dataset_def, field)
#define SITE(field) offsetof(ty_dataset_site, field)

/* ---- lists of numbers ---- */

#define NUMBERS(name, unit_in, low, high, unit_out, factor, counter, least_count)                     \
    static const tyi_limit name##_limits[] = { { #name, unit_in, 0, TYI_DOUBLE, low, high }, { 0 } }; \
    static const tyi_rules name##_rules = { #name, name##_limits, NULL };                             \
    static const tyi_io_key name##_element = {                                                        \
        #name, TYI_IO_NUMBER, 0, .text = #name, .unit = unit_out, .scale = factor                     \
    };                                                                                                \
    static const tyi_io_list name = { .element = &name##_element,                                     \
                                      .rules = &name##_rules,                                         \
                                      .size = sizeof(double),                                         \
                                      .count = IN(counter),                                           \
                                      .least = least_count,                                           \
                                      .most = 1000 };

NUMBERS(heights, "m", 0.05, 1000.0, "m", 1.0, stands, 1)
NUMBERS(azimuths, "rad", -2.0 * TY_PI, 2.0 * TY_PI, "deg", TY_DEG, azimuths, 1)
NUMBERS(elevations, "rad", -0.5 * TY_PI, 0.5 * TY_PI, "deg", TY_DEG, elevations, 1)
NUMBERS(exposures, "s", 0.0, 1000.0, "ms", 1e-3, exposures, 1)
NUMBERS(bands, "nm", 100.0, 20000.0, "nm", 1.0, band_ends, 0)
NUMBERS(lamps, "W/sr", 0.0, 1e6, "W/sr", 1.0, lamps, 1)

static const tyi_limit seed_limits[] = { { "seed", "", 0, TYI_UINT64, 0.0, 0x1p64 }, { 0 } };
static const tyi_rules seed_rules = { "seed", seed_limits, NULL };
static const tyi_io_key seed_element = { "seed", TYI_IO_INTEGER, 0, .text = "a seed" };
static const tyi_io_list seeds = { .element = &seed_element,
                                   .rules = &seed_rules,
                                   .size = sizeof(uint64_t),
                                   .count = SITE(seeds),
                                   .least = 1,
                                   .most = 10000 };

/* ---- sites ---- */

static const char *const splits[] = { "auto", "train", "test", NULL };
static const tyi_limit site_limits[] = { { 0 } };
static const tyi_rules site_rules = { "site", site_limits, NULL };
static const tyi_io_key site_keys[] = {
    { "scenario", TYI_IO_TEXT, SITE(scenario), .text = "the scenario whose ground it is, relative to this file",
      .required = true, .size = TY_PATH_MAX },
    { "seeds", TYI_IO_LIST, SITE(seed), .text = "one terrain for each; without it one, with the scenario's own seed",
      .list = &seeds },
    { "split", TYI_IO_CHOICE, SITE(split), .text = "where its terrains belong", .choices = splits },
    { 0 },
};
static const tyi_io_schema site_schema = { site_keys, &site_rules, .whole = true };
static const tyi_io_key site_element = { "site", TYI_IO_MAPPING, 0, .text = "a site", .schema = &site_schema };
static const tyi_io_list sites = {
    .element = &site_element, .size = sizeof(ty_dataset_site), .count = IN(sites), .least = 1, .most = 10000
};

/* ---- the whole ---- */

static const tyi_limit limits[] = {
    { "version", "", IN(version), TYI_INT, 1.0, 1.0 },
    { "seed", "", IN(seed), TYI_UINT64, 0.0, 0x1p64 },
    { "test_share", "", IN(test_share), TYI_DOUBLE, 0.0, 1.0 },
    { "pairs", "", IN(pairs), TYI_INT, 1.0, 1e7 },
    { "positions", "", IN(positions), TYI_INT, 1.0, 9999.0 },
    { "area", "m", IN(area), TYI_DOUBLE, 0.0, 1e5 },
    { "width", "px", IN(width), TYI_INT, 16.0, 8192.0 },
    { "height", "px", IN(height), TYI_INT, 16.0, 8192.0 },
    { "hfov", "rad", IN(hfov), TYI_DOUBLE, 1.0 * TY_DEG, 150.0 * TY_DEG },
    { "baseline", "m", IN(baseline), TYI_DOUBLE, 1e-3, 100.0 },
    { "look", "rad", IN(look), TYI_DOUBLE, -0.5 * TY_PI, 0.5 * TY_PI },
    { "bits", "", IN(bits), TYI_INT, 8.0, 16.0 },
    { "gamma", "", IN(gamma), TYI_DOUBLE, 0.1, 10.0 },
    { "f_number", "", IN(f_number), TYI_DOUBLE, 0.5, 100.0 },
    { "focus", "m", IN(focus), TYI_DOUBLE, 0.1, 1e9 },
    { "samples", "", IN(samples), TYI_INT, 1.0, 4096.0 },
    { "bounces", "", IN(bounces), TYI_INT, 1.0, 64.0 },
    { "least_pixels", "px", IN(least_pixels), TYI_INT, 1.0, 1e6 },
    { 0 },
};
static const tyi_rules rules = { "data set", limits, NULL };

static const char *const chains[] = { "ideal", "physical", "both", NULL };
static const tyi_io_key camera_keys[] = {
    { "width", TYI_IO_INTEGER, IN(width), .text = "pixels in a row" },
    { "height", TYI_IO_INTEGER, IN(height), .text = "rows" },
    { "hfov_deg", TYI_IO_NUMBER, IN(hfov), .text = "horizontal field of view", .unit = "deg", .scale = TY_DEG },
    { "baseline", TYI_IO_NUMBER, IN(baseline), .text = "from the left camera to the right one" },
    { "look_deg", TYI_IO_NUMBER, IN(look), .text = "elevation of the optical axis; below 0 is down", .unit = "deg",
      .scale = TY_DEG },
    { "heights", TYI_IO_LIST, IN(stand),
      .text = "of the cameras above the ground (1.5); random: between the least and the largest", .list = &heights },
    { "chain", TYI_IO_CHOICE, IN(chain),
      .text =
          "`physical`: blur, vignetting and noise of a real camera; `ideal`: the same gain without them; `both`: every exposure twice",
      .choices = chains },
    { "bits", TYI_IO_INTEGER, IN(bits),
      .text = "of the pictures: 8, brightened by `gamma`, or 16, proportional to light" },
    { "gamma", TYI_IO_NUMBER, IN(gamma), .text = "of 8-bit pictures" },
    { "f_number", TYI_IO_NUMBER, IN(f_number), .text = "of the lens" },
    { "focus", TYI_IO_NUMBER, IN(focus), .text = "distance that is sharp" },
    { "exposures_ms", TYI_IO_LIST, IN(exposure), .text = "exposure times; 0 is automatic (0); random: one of them",
      .list = &exposures },
    { "samples", TYI_IO_INTEGER, IN(samples), .text = "rays per pixel" },
    { "bands_nm", TYI_IO_LIST, IN(band_nm),
      .text =
          "bands of light, low and high of each, 8 bands at most; the detector sees them all; none: one band with all of the "
          "Sun's light",
      .list = &bands },
    { "color", TYI_IO_BOOLEAN, IN(color),
      .text =
          "pictures in red, green and blue, by a Bayer pattern and the detector's three curves, white balance for sunlight; "
          "without `bands_nm` in 600 to 700, 500 to 600 and 400 to 500 nm" },
    { "bounces", TYI_IO_INTEGER, IN(bounces),
      .text = "1: light straight from Sun and lamp; more: also light between surfaces" },
    { 0 },
};
static const tyi_io_schema camera = { camera_keys, &rules, .whole = false };

static const tyi_io_key sun_keys[] = {
    { "azimuths_deg", TYI_IO_LIST, IN(azimuth),
      .text =
          "clockwise from north, or from where the camera looks (0, 90, 180, 270); random: between the least and the largest",
      .list = &azimuths },
    { "elevations_deg", TYI_IO_LIST, IN(elevation),
      .text = "above the horizontal (10); random: between the least and the largest", .list = &elevations },
    { "relative", TYI_IO_BOOLEAN, IN(relative),
      .text = "azimuths count from where the camera looks: 0 is ahead, 180 behind it" },
    { 0 },
};
static const tyi_io_schema sun = { sun_keys, &rules, .whole = false };

static const char *const depths[] = { "png", "exr", NULL };
static const tyi_io_key label_keys[] = {
    { "least_pixels", TYI_IO_INTEGER, IN(least_pixels), .text = "what shows fewer pixels gets no label" },
    { "depth", TYI_IO_CHOICE, IN(depth), .text = "`png`: 16 bits, millimetres, 0 beyond 65.535 m; `exr`: float, metres",
      .choices = depths },
    { 0 },
};
static const tyi_io_schema labels = { label_keys, &rules, .whole = false };

static const char *const modes[] = { "grid", "random", NULL };
static const tyi_io_key keys[] = {
    { "version", TYI_IO_INTEGER, IN(version), .text = "version of the file format", .required = true },
    { "name", TYI_IO_TEXT, IN(name), .text = "name of the data set", .size = sizeof(((ty_dataset_def *)0)->name) },
    { "seed", TYI_IO_INTEGER, IN(seed), .text = "of everything that is drawn: places, noise, the split" },
    { "sites", TYI_IO_LIST, IN(site), .text = "The grounds, one mapping each", .list = &sites, .required = true },
    { "test_share", TYI_IO_NUMBER, IN(test_share),
      .text = "share of the terrains for tests, where no `split` decides" },
    { "mode", TYI_IO_CHOICE, IN(mode), .text = "`grid`: every combination; `random`: `pairs` of them, drawn",
      .choices = modes },
    { "pairs", TYI_IO_INTEGER, IN(pairs), .text = "random: stereo pairs in all" },
    { "positions", TYI_IO_INTEGER, IN(positions), .text = "grid: places of the camera on each terrain" },
    { "area", TYI_IO_NUMBER, IN(area), .text = "side of the square around the site's origin in which they are drawn" },
    { "camera", TYI_IO_MAPPING, 0, .text = "The stereo camera", .schema = &camera },
    { "sun", TYI_IO_MAPPING, 0, .text = "Where the Sun stands", .schema = &sun },
    { "lamps", TYI_IO_LIST, IN(lamp),
      .text = "intensities of a rover's lamp beside the camera; 0 is off (0); random: one of them", .list = &lamps },
    { "labels", TYI_IO_MAPPING, 0, .text = "The labels", .schema = &labels },
    { 0 },
};
const tyi_io_schema tyi_study_dataset_schema = { keys, &rules, .whole = false };

/* ---- defaults, loading ---- */

/* what ty_dataset_load() hands out */
typedef struct owner {
    ty_dataset_def def; /* first, so that its address is the owner's */
    tyi_arena memory;
} owner;

ty_dataset_def ty_dataset_def_default(void)
{
    static double stand[] = { 1.5 }, exposure[] = { 0.0 },
                  azimuth[] = { 0.0, 90.0 * TY_DEG, 180.0 * TY_DEG, 270.0 * TY_DEG }, elevation[] = { 10.0 * TY_DEG },
                  lamp[] = { 0.0 };
    return (ty_dataset_def){
        .version = 1,
        .name = "dataset",
        .seed = 1,
        .test_share = 1.0 / 3.0,
        .pairs = 100,
        .positions = 3,
        .area = 100.0,
        .width = 640,
        .height = 480,
        .hfov = 60.0 * TY_DEG,
        .baseline = 0.3,
        .look = -15.0 * TY_DEG,
        .stand = stand,
        .stands = 1,
        .chain = TY_CHAIN_PHYSICAL,
        .bits = 8,
        .gamma = 2.2,
        .f_number = 12.0,
        .focus = 5.0,
        .exposure = exposure,
        .exposures = 1,
        .samples = 16,
        .bounces = 1,
        .azimuth = azimuth,
        .azimuths = 4,
        .elevation = elevation,
        .elevations = 1,
        .lamp = lamp,
        .lamps = 1,
        .least_pixels = 20,
        .depth = TY_DEPTH_PNG,
    };
}

/* a scenario's path is meant from the specification's folder */
static ty_status resolve(const tyi_io_doc *doc, const char *path, char *scenario, ty_diag *diag)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && scenario[0] != '/' ? (size_t)(slash - path) + 1 : 0, length = strlen(scenario);
    char shown[100], reason[100];
    tyi_io_doc_show(scenario, shown, sizeof shown);
    if (folder + length >= TY_PATH_MAX) {
        return tyi_io_doc_fail_field(doc, scenario, diag, TY_ERR_INPUT,
                                     "is '%s', whose whole path is longer than %d bytes", shown, TY_PATH_MAX - 1);
    }
    memmove(scenario + folder, scenario, length + 1);
    memcpy(scenario, path, folder);
    if (access(scenario, R_OK)) {
        return tyi_io_doc_fail_field(doc, scenario, diag, TY_ERR_FILE,
                                     "is '%s', which cannot be opened (%s); it takes the path of a scenario", shown,
                                     strerror_r(errno, reason, sizeof reason));
    }
    return TY_OK;
}

static ty_status check(const tyi_io_doc *doc, const char *path, ty_dataset_def *d, ty_diag *diag)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    char shown[70];
    if (d->bits != 8 && d->bits != 16) {
        return tyi_io_doc_fail_field(doc, &d->bits, diag, TY_ERR_RANGE, "is %d, but takes 8 or 16", d->bits);
    }
    for (size_t i = 0; i < d->band_ends; i++) {
        if (d->band_ends % 2 || d->band_ends > 2 * TY_BANDS || (i % 2 && d->band_nm[i] <= d->band_nm[i - 1])) {
            return tyi_io_doc_fail_field(doc, &d->band_nm, diag, TY_ERR_RANGE,
                                         "has %zu numbers, but takes low and high of up to %d bands, each rising",
                                         d->band_ends, TY_BANDS);
        }
    }
    if (!d->name[0] || d->name[0] == '.' || d->name[strspn(d->name, allowed)]) {
        return tyi_io_doc_fail_field(
            doc, d->name, diag, TY_ERR_INPUT,
            "is '%s', but takes letters, digits, '_', '-' and '.', and does not start with '.'",
            tyi_io_doc_show(d->name, shown, sizeof shown));
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < d->sites && status == TY_OK; i++) {
        status = resolve(doc, path, d->site[i].scenario, diag);
    }
    return status;
}

ty_status ty_dataset_load(const char *path, const char *const *settings, size_t count, ty_dataset_def **out,
                          ty_diag *diag)
{
    tyi_io_doc doc;
    *out = NULL;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    status = status == TY_OK ? tyi_io_doc_set(&doc, settings, count, diag) : status;
    owner *o = tyi_get(NULL, sizeof *o);
    status = status == TY_OK && !o ? tyi_io_doc_memory(diag, &doc) : status;
    if (o) {
        o->def = ty_dataset_def_default();
        tyi_arena_init(&o->memory, NULL, 4096);
    }
    status = status == TY_OK ? tyi_io_doc_fill(&doc, &tyi_study_dataset_schema, &o->def, &o->memory, diag) : status;
    status = status == TY_OK ? check(&doc, path, &o->def, diag) : status;
    tyi_io_doc_free(&doc);
    if (status == TY_OK) {
        *out = &o->def;
    } else if (o) {
        ty_dataset_def_destroy(&o->def);
    }
    return status;
}

void ty_dataset_def_destroy(ty_dataset_def *def)
{
    if (def) {
        owner *o = (owner *)(void *)def;
        tyi_arena_free(&o->memory);
        tyi_put(NULL, o, sizeof *o);
    }
}

ty_status ty_dataset_reference(FILE *out, ty_diag *diag)
{
    const ty_dataset_def defaults = ty_dataset_def_default();
    return tyi_io_doc_print(out, &tyi_study_dataset_schema, &defaults, diag);
}
