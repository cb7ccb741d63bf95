/* Scenario files: what they fill, what they refuse and where, memory that runs out, and damaged bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tyt.h"
#include "world/terrain/def.h"
#include "k_philox.h"
#include "scenario/scenario.h"
#include "tycho/math.h"

static const char *source(const char *name)
{
    static char path[4096];
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    return path;
}

/* loads text as if it were the file s.yaml */
static ty_status load(const char *text, const char *setting, ty_scenario **out, ty_diag *diag)
{
    *diag = (ty_diag){ 0 };
    return tyi_scenario_load("s.yaml", text, strlen(text), &setting, setting != NULL, NULL, out, diag);
}

static void says(const char *text, const char *setting, ty_status want, const char *sentence)
{
    ty_scenario *s;
    ty_diag diag;
    ty_status status = load(text, setting, &s, &diag);
    cr_expect(status == want && !s && !strcmp(diag.text, sentence), "got %s \"%s\", want %s \"%s\"",
              ty_status_name(status), diag.text, ty_status_name(want), sentence);
    ty_scenario_destroy(s);
}

TY_TEST(scenario, south_pole_file)
{
    static const char *const settings[] = { "terrain.rocks.enabled=false", "terrain.cache_mib=64", "site.lat_deg=-90" };
    ty_scenario *s = NULL;
    ty_diag diag = { 0 };
    cr_assert(ty_scenario_load(source("scenarios/south_pole.yaml"), NULL, 0, &s, &diag) == TY_OK, "%s", diag.text);
    const ty_terrain_def *t = &s->terrain, standard = ty_terrain_def_default();
    TY_CHECK(s->version == 1 && !strcmp(s->name, "south_pole") && !strcmp(s->start_utc, "2026-12-01T12:00:00"));
    TY_NEAR(t->lat / TY_DEG, -89.45, 1e-13);
    TY_NEAR(t->lon / TY_DEG, 222.7, 1e-12);
    TY_CHECK(t->seed == 20261201 && t->extent == 10000.0 && t->resolution == 0.01);
    const ty_terrain_def ridge = ty_terrain_def_kind(TY_GROUND_POLAR_RIDGE);
    TY_CHECK(t->kind == TY_GROUND_POLAR_RIDGE && t->relief.rms_slope_deg == ridge.relief.rms_slope_deg);
    TY_CHECK(t->crater.on && t->crater.age == 3.9 && t->crater.wear == ridge.crater.wear);
    TY_CHECK(t->rock.on && t->rock.cover == ridge.rock.cover && t->cache_bytes == standard.cache_bytes);
    TY_CHECK(s->keys == 8 && !s->base_path[0] && t->base.spacing <= 0.0);
    ty_scenario_destroy(s);
    cr_assert(ty_scenario_load(source("scenarios/south_pole.yaml"), settings, 3, &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(!s->terrain.rock.on && s->terrain.cache_bytes == (size_t)64 << 20 && s->keys == 10);
    TY_NEAR(s->terrain.lat, -0.5 * TY_PI, 1e-15); /* the end of the range is accepted */
    ty_scenario_destroy(s);
}

TY_TEST(scenario, defaults_are_those_of_the_definition)
{
    ty_scenario *s, standard = ty_scenario_default();
    ty_diag diag;
    TY_CHECK(load("version: 1\nterrain:\nsite:\n", NULL, &s, &diag) == TY_OK);
    standard.keys = 1;
    TY_CHECK(memcmp(&s->terrain, &standard.terrain, sizeof standard.terrain) == 0);
    TY_CHECK(!strcmp(s->name, standard.name) && s->keys == 1);
    ty_scenario_destroy(s);
    TY_CHECK(load("version: 1\nterrain: {seed: 2}\n", NULL, &s, &diag) == TY_OK);
    TY_CHECK(memcmp(&s->terrain, &standard.terrain, sizeof standard.terrain) != 0); /* control */
    ty_scenario_destroy(s);
}

TY_TEST(scenario, sentences)
{
    says("name: a\n", NULL, TY_ERR_INPUT, "s.yaml:1:1: the key version is needed; it takes the number 1");
    says("version: 2\n", NULL, TY_ERR_RANGE, "s.yaml:1:10: version is 2, but takes the number 1");
    says("version: 1\nname: a/b\n", NULL, TY_ERR_INPUT,
         "s.yaml:2:7: name is 'a/b', but takes letters, digits, '_', '-' and '.', and does not "
         "start with '.'");
    says("version: 1\nsite: {lat_deg: -90.0001}\n", NULL, TY_ERR_RANGE,
         "s.yaml:2:17: site.lat_deg is -90.0001, but takes a number from -90 to 90 deg");
    says("version: 1\nterrain:\n  craters:\n    d_max: 0.2\n", NULL, TY_ERR_RANGE,
         "s.yaml:4:12: terrain.craters.d_max is 0.2 m, but must be above terrain.craters.d_min, "
         "which is 0.5 m by default");
    says("version: 1\nterrain:\n  rocks: {d_max: 0.2, d_min: 0.3}\n", NULL, TY_ERR_RANGE,
         "s.yaml:3:30: terrain.rocks.d_min is 0.3 m, but must be below terrain.rocks.d_max, which "
         "is 0.2 m");
    says("version: 1\nterrain: {extent: 50}\n", "terrain.resolution=100", TY_ERR_RANGE,
         "--set terrain.resolution=100: terrain.resolution is 100 m, but must be below "
         "terrain.extent, which is 50 m");
    says("version: 1\nterrain: {base: none.tif}\n", NULL, TY_ERR_FILE,
         "s.yaml:2:17: terrain.base is 'none.tif', which cannot be opened (No such file or "
         "directory); "
         "it takes the path of an elevation raster");
    says("version: 1\n", "terrain.base=/", TY_ERR_FILE,
         "--set terrain.base=/: terrain.base is '/', which is a folder; it takes the path of an "
         "elevation raster");
    says("version: 1\nterrain: {radius: 5}\n", NULL, TY_ERR_INPUT,
         "s.yaml:2:11: there is no key terrain.radius; terrain takes resolution, extent, seed, "
         "base, kind, slope_deg, slope_azimuth_deg, detail, relief, craters, tone, "
         "rocks, edit_level, cache_mib");
}

/* A kind sets defaults, wherever it stands in the file or comes from --set; keys of the user's own win over it. */
TY_TEST(scenario, a_kind_of_ground_sets_defaults)
{
    static const char text[] = "version: 1\nterrain:\n  relief: {hurst: 0.6}\n  kind: mare\n";
    const ty_terrain_def mare = ty_terrain_def_kind(TY_GROUND_MARE), high = ty_terrain_def_kind(TY_GROUND_HIGHLAND);
    ty_scenario *s = NULL;
    ty_diag diag = { 0 };
    cr_assert(load(text, NULL, &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(s->terrain.kind == TY_GROUND_MARE && s->terrain.relief.hurst == 0.6);
    TY_CHECK(s->terrain.relief.inner == mare.relief.inner && s->terrain.crater.wear == mare.crater.wear);
    ty_scenario_destroy(s);
    cr_assert(load(text, "terrain.kind=highland", &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(s->terrain.kind == TY_GROUND_HIGHLAND && s->terrain.relief.hurst == 0.6);
    TY_CHECK(s->terrain.relief.rms_slope_deg == high.relief.rms_slope_deg);
    ty_scenario_destroy(s);
    says(
        "version: 1\nterrain: {kind: swamp}\n", NULL, TY_ERR_INPUT,
        "s.yaml:2:17: terrain.kind is 'swamp', but takes one of none, mare, highland, polar_ridge, polar_floor, pyroclastic");
}

TY_TEST(scenario, a_body_sets_gravity)
{
    static const struct {
        const char *text;
        int body;
        double gravity;
    } row[] = { { "version: 1\n", TY_PLANET_MOON, TY_GRAVITY_MOON },
                { "version: 1\nbody: moon\n", TY_PLANET_MOON, 1.62 },
                { "version: 1\nbody: earth\n", TY_PLANET_EARTH, 9.81 },
                { "version: 1\nbody: mars\n", TY_PLANET_MARS, 3.71 },
                { "gravity: 0\nversion: 1\nbody: mars\n", TY_PLANET_MARS, 0.0 },
                { "version: 1\ngravity: 0.28\n", TY_PLANET_MOON, 0.28 } };
    ty_scenario *s;
    ty_diag diag;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        cr_assert(load(row[i].text, NULL, &s, &diag) == TY_OK, "%s", diag.text);
        TY_CHECK(s->body == row[i].body && s->gravity == row[i].gravity);
        ty_scenario_destroy(s);
    }
    cr_assert(load("version: 1\nbody: earth\n", "body=mars", &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(s->gravity == 3.71);
    ty_scenario_destroy(s);
    says("version: 1\nbody: venus\n", NULL, TY_ERR_INPUT,
         "s.yaml:2:7: body is 'venus', but takes one of moon, earth, mars");
    says("version: 1\ngravity: -1\n", NULL, TY_ERR_RANGE,
         "s.yaml:2:10: gravity is -1, but takes a number from 0 to 100 m/s^2");
    /* outside the site */
    says("version: 1\nterrain: {extent: 100}\nrovers: [{name: a, model: /dev/null, x: 51}]\n", NULL, TY_ERR_RANGE,
         "s.yaml:3:41: rovers.0.x is 51, but a rover of a site whose extent is 100 m lies within -50 to 50");
    /* a rover's keys have the vehicle's defaults and ranges */
    const ty_vehicle_def v = ty_vehicle_def_default();
    cr_assert(load("version: 1\nrovers: [{name: a, model: /dev/null}]\n", NULL, &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(s->rover[0].vehicle.rock_push == v.rock_push && s->rover[0].vehicle.rock_mu == v.rock_mu);
    ty_scenario_destroy(s);
}

TY_TEST(scenario, base_is_relative_to_the_file)
{
    char folder[] = "/tmp/tycho-base-XXXXXX", path[64], raster[64];
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    snprintf(raster, sizeof raster, "%s/dem.tif", folder);
    FILE *file = fopen(path, "w");
    fputs("version: 1\nterrain:\n  base: dem.tif\n", file);
    fclose(file);
    ty_scenario *s;
    ty_diag diag = { 0 };
    TY_CHECK(ty_scenario_load(path, NULL, 0, &s, &diag) == TY_ERR_FILE && !s); /* control: not there yet */
    fclose(fopen(raster, "w"));
    diag = (ty_diag){ 0 };
    cr_assert(ty_scenario_load(path, NULL, 0, &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(!strcmp(s->base_path, raster));
    ty_scenario_destroy(s);
    unlink(raster);
    unlink(path);
    rmdir(folder);
}

/* A host program may have set a locale with decimal commas. */
TY_TEST(scenario, decimal_points_in_any_locale)
{
    ty_scenario *s;
    ty_diag diag;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        cr_skip("this system has no German locale");
    }
    TY_CHECK(strtod("0.5", NULL) == 0.0); /* control: the locale is in force */
    TY_CHECK(load("version: 1\nterrain: {resolution: 0.5}\n", NULL, &s, &diag) == TY_OK &&
             s->terrain.resolution == 0.5);
    ty_scenario_destroy(s);
    TY_CHECK(strtod("0.5", NULL) == 0.0); /* and is left as it was */
}

/* ---- memory that runs out ---- */

typedef struct meter {
    long calls, fail_at; /* the call that gets nothing; 0: none */
    long long live;      /* [bytes] */
} meter;

static void *meter_get(size_t bytes, void *user)
{
    meter *m = user;
    if (++m->calls == m->fail_at) {
        return NULL;
    }
    m->live += (long long)bytes;
    return malloc(bytes);
}

static void meter_put(void *memory, size_t bytes, void *user)
{
    ((meter *)user)->live -= (long long)bytes;
    free(memory);
}

/* The name shifts what falls into which block of the arenas, so that other allocations meet the failure. */
static int failures_with_name(const char *name_setting)
{
    const char *const settings[] = { name_setting, "terrain.relief.hurst=0.8", "terrain.rocks={enabled: false}" };
    meter m = { 0 };
    const ty_alloc alloc = { meter_get, meter_put, &m };
    ty_status status = TY_ERR_MEMORY;
    int failures = 0;
    for (long n = 1; status != TY_OK && n < 1000; n++) {
        ty_scenario *s;
        ty_diag diag = { 0 };
        m = (meter){ .fail_at = n };
        status = tyi_scenario_load(source("scenarios/south_pole.yaml"), NULL, 0, settings, 3, &alloc, &s, &diag);
        if (status != TY_OK) {
            failures++;
            cr_expect(status == TY_ERR_MEMORY && !s && strstr(diag.text, "memory"), "%ld: %s", n, diag.text);
        } else {
            TY_CHECK(m.live > 0); /* control: the meter counts */
            ty_scenario_destroy(s);
        }
        TY_CHECK(m.live == 0);
    }
    TY_CHECK(status == TY_OK);
    return failures;
}

TY_TEST(scenario, memory_that_runs_out_leaks_nothing)
{
    int failures = failures_with_name("name=x") + failures_with_name("name=xxxxxxxxxxxxxxxxxxxx") +
                   failures_with_name("name=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") +
                   failures_with_name("name=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    cr_expect(failures > 100, "%d failures", failures);
}

/* ---- damaged bytes ---- */

typedef struct dice {
    ty_u32 run, draw;
} dice;

static ty_u32 roll(dice *d, ty_u32 sides)
{
    return ty_k_philox(d->run, d->draw++, 0, 0, 20261201u, TY_RNG_TEST).v[0] % sides;
}

static const char *const tokens[] = {
    ": ",  "- ",   "\n",       "\t",           "{",     "}",        "[",    "]",
    "&a ", "*a",   "!!str ",   "\"",           "'",     "#",        "| ",   "> ",
    "? ",  "--- ", "...\n",    "%TAG ",        "1e999", "-1",       ".nan", "null",
    "\r",  "\xff", "\xc3\xa9", "\xef\xbb\xbf", "seed",  "terrain:", "0",    "99999999999999999999"
};

/* one change at a random place; text has room for it */
static size_t damage(dice *d, char *text, size_t n)
{
    size_t at = n ? roll(d, (ty_u32)n) : 0, left = n - at;
    size_t span = left ? 1 + roll(d, (ty_u32)(left < 40 ? left : 40)) : 0;
    const char *token = tokens[roll(d, sizeof tokens / sizeof tokens[0])];
    size_t length = strlen(token);
    switch (roll(d, 6)) {
    case 0: /* flip a bit */
        text[at] = (char)(text[at] ^ (1 << roll(d, 8)));
        return n;
    case 1: /* any byte instead of one */
        text[at] = (char)roll(d, 256);
        return n;
    case 2: /* one byte more */
        memmove(text + at + 1, text + at, left);
        text[at] = (char)roll(d, 256);
        return n + 1;
    case 3: /* some bytes less */
        memmove(text + at, text + at + span, left - span);
        return n - span;
    case 4: /* some bytes twice */
        memmove(text + at + span, text + at, left);
        return n + span;
    default: /* something that means something in YAML */
        memmove(text + at + length, text + at, left);
        memcpy(text + at, token, length);
        return n + length;
    }
}

TY_TEST(scenario, damaged_bytes_load_or_get_a_sentence)
{
    static char original[8192], text[16384];
    FILE *file = fopen(source("scenarios/south_pole.yaml"), "rb");
    cr_assert(file != NULL);
    size_t size = fread(original, 1, sizeof original, file);
    fclose(file);
    ty_u32 runs = tyt_long() ? 200000 : 5000, loaded = 0;
    for (ty_u32 run = 0; run < runs; run++) {
        dice d = { run, 0 };
        memcpy(text, original, size);
        size_t n = size;
        for (ty_u32 changes = 1 + roll(&d, 4); changes > 0; changes--) {
            n = damage(&d, text, n);
        }
        char setting[64] = "terrain.rocks.cover=0.01";
        setting[damage(&d, setting, strlen(setting)) % 63] = '\0';
        const char *settings[] = { setting };
        ty_scenario *s;
        ty_diag diag = { 0 };
        ty_status status = tyi_scenario_load("s.yaml", text, n, settings, roll(&d, 2), NULL, &s, &diag);
        loaded += status == TY_OK;
        bool clear = (!strncmp(diag.text, "s.yaml:", 7) || !strncmp(diag.text, "--set ", 6)) &&
                     strlen(diag.text) > 20 && !strchr(diag.text, '\n');
        cr_expect(status == TY_OK ? s && !diag.text[0] && ty_terrain_def_check(&s->terrain, NULL) == TY_OK
                                  : !s && clear && diag.status == status,
                  "run %u: %s \"%s\"", run, ty_status_name(status), diag.text);
        ty_scenario_destroy(s);
    }
    /* some changes hit comments and digits and do no harm, others do: neither kind may be rare */
    cr_expect(loaded > runs / 20 && loaded < runs / 2, "%u of %u loaded", loaded, runs);
}

/* ---- the reference page ---- */

TY_TEST(scenario, reference_gives_the_structs_defaults)
{
    char *text = NULL, want[200];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    TY_CHECK(ty_scenario_reference(out, NULL) == TY_OK);
    fclose(out);
    snprintf(want, sizeof want, "| `d_max` | a number from 0.1 to 100000 m, above `d_min` | %g |",
             ty_terrain_def_default().crater.d_max);
    TY_CHECK(strstr(text, want) != NULL);
    snprintf(want, sizeof want, "| `cache_mib` | an integer from 1 to 1048576 MiB | %zu |",
             ty_terrain_def_default().cache_bytes >> 20);
    TY_CHECK(strstr(text, want) != NULL);
    free(text);
}
