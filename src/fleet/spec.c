/* src/fleet/spec.c - a sweep's specification: read, checked, and tried on its scenario before anything starts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "spec.h"
#include "tycho/scenario.h"

/* "way" of a file beside another: names in a scenario are meant from its folder */
static bool beside(const char *of, const char *name, char *out, size_t size)
{
    const char *slash = strrchr(of, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - of) + 1 : 0;
    return snprintf(out, size, "%.*s%s", folder, of, name) < (int)size;
}

/* "sweeps/../scenarios/a.yaml" as "scenarios/a.yaml", where that is the same file */
static void shorten(char *path)
{
    char text[TY_PATH_MAX];
    struct stat before, after;
    char *up = strstr(strcpy(text, path), "/../"), *from = up;
    while (from && from > text && from[-1] != '/') {
        from--;
    }
    if (!up || from == up || !strncmp(from, "..", 2)) {
        return;
    }
    memmove(from, up + 4, strlen(up + 4) + 1);
    if (!stat(path, &before) && !stat(text, &after) && before.st_ino == after.st_ino && before.st_dev == after.st_dev) {
        strcpy(path, text);
    }
}

/* ---- what varies ---- */

static ty_status check_numbers(const tyi_io_doc *doc, const tyi_fleet_vary *v, ty_diag *diag)
{
    bool ends = v->as == TYI_FLEET_RANGE || v->as == TYI_FLEET_UNIFORM || v->as == TYI_FLEET_TRIANGULAR;
    bool one = v->as == TYI_FLEET_RANGE && v->count == 1;
    if (ends && (one ? v->to != v->from : !(v->to > v->from))) {
        return one ? tyi_io_doc_fail_field(doc, &v->count, diag, TY_ERR_RANGE,
                                           "is 1, but from %g to %g needs 2 values at least", v->from, v->to)
                   : tyi_io_doc_fail_field(doc, &v->to, diag, TY_ERR_RANGE,
                                           "is %g, but must be above `from`, which is %g: the range is empty", v->to,
                                           v->from);
    }
    if (ends && v->log && !(v->from > 0.0)) {
        return tyi_io_doc_fail_field(doc, &v->from, diag, TY_ERR_RANGE, "is %g, but `log` takes numbers above 0",
                                     v->from);
    }
    if (v->as == TYI_FLEET_TRIANGULAR && !(v->middle >= v->from && v->middle <= v->to)) {
        return tyi_io_doc_fail_field(doc, &v->middle, diag, TY_ERR_RANGE, "is %g, but lies within %g to %g", v->middle,
                                     v->from, v->to);
    }
    if (v->as == TYI_FLEET_NORMAL || v->as == TYI_FLEET_LOGNORMAL) {
        bool log = v->as == TYI_FLEET_LOGNORMAL;
        if (log && !(v->middle > 0.0)) {
            return tyi_io_doc_fail_field(doc, &v->middle, diag, TY_ERR_RANGE, "is %g, but takes a number above 0",
                                         v->middle);
        }
        if (!(v->spread > (log ? 1.0 : 0.0))) {
            return tyi_io_doc_fail_field(doc, &v->spread, diag, TY_ERR_RANGE, "is %g, but takes a number above %d",
                                         v->spread, log);
        }
        if (!(v->low < v->high) || (log && !(v->high > 0.0))) {
            return tyi_io_doc_fail_field(doc, &v->high, diag, TY_ERR_RANGE,
                                         "is %g, but must be above `low`%s: the range is empty", v->high,
                                         log ? " and above 0" : "");
        }
    }
    return TY_OK;
}

static ty_status find_files(tyi_fleet_spec *s, const tyi_io_doc *doc, tyi_fleet_vary *v, ty_diag *diag)
{
    char path[TY_PATH_MAX];
    glob_t found = { 0 };
    size_t folder = 0;
    if (!beside(s->scenario, v->pattern, path, sizeof path) || glob(path, GLOB_MARK, NULL, &found) || !found.gl_pathc) {
        globfree(&found);
        return tyi_io_doc_fail_field(doc, v->pattern, diag, TY_ERR_FILE, "is '%s', but there is no such file beside %s",
                                     v->pattern, s->scenario);
    }
    const char *slash = strrchr(s->scenario, '/');
    if (slash && v->pattern[0] != '/') {
        folder = (size_t)(slash - s->scenario) + 1;
    }
    ty_status status = TY_OK;
    v->value = tyi_arena_get(s->memory, found.gl_pathc * sizeof *v->value);
    v->values = v->value ? found.gl_pathc : 0;
    status = v->value ? TY_OK : tyi_io_doc_memory(diag, doc);
    for (size_t i = 0; i < v->values && status == TY_OK; i++) {
        const char *name = found.gl_pathv[i] + folder;
        if (strlen(name) >= TYI_FLEET_TEXT) {
            status = tyi_io_doc_fail_field(doc, v->pattern, diag, TY_ERR_INPUT,
                                           "finds a path that is longer than %d bytes", TYI_FLEET_TEXT - 1);
        } else {
            strcpy(v->value[i].text, name);
        }
    }
    globfree(&found);
    return status;
}

static ty_status check_vary(tyi_fleet_spec *s, const tyi_io_doc *doc, size_t i, ty_diag *diag)
{
    static const char *const reserved[] = { "run", "status", "success", "sentence", "folder" };
    tyi_fleet_vary *v = &s->vary[i];
    bool twice = false;
    for (size_t k = 0; k < i; k++) {
        twice = twice || !strcmp(s->vary[k].key, v->key);
    }
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++) {
        twice = twice || !strcmp(reserved[k], v->key);
    }
    if (twice || strchr(v->key, '=') || strchr(v->key, '"')) {
        return tyi_io_doc_fail_field(doc, v->key, diag, TY_ERR_INPUT,
                                     "is '%s', but takes a key of the scenario that varies nowhere else", v->key);
    }
    ty_status status = check_numbers(doc, v, diag);
    if (status == TY_OK && v->as == TYI_FLEET_FILES) {
        status = s->scenario[0] ? find_files(s, doc, v, diag)
                                : tyi_io_doc_fail_field(doc, v->pattern, diag, TY_ERR_INPUT, "needs a scenario");
    }
    return status;
}

/* ---- how many ---- */

static ty_status count_runs(tyi_fleet_spec *s, const tyi_io_doc *doc, ty_diag *diag)
{
    double total = s->design == TYI_FLEET_GRID ? s->repeats : s->runs;
    bool drawn = false, grid = s->design == TYI_FLEET_GRID;
    for (size_t i = 0; i < s->varies; i++) {
        size_t levels = tyi_fleet_levels(&s->vary[i]);
        drawn = drawn || !levels;
        total *= grid && levels ? (double)levels : 1.0;
    }
    if (s->design == TYI_FLEET_SALTELLI) {
        if (2 * s->varies > TYI_FLEET_DIMENSIONS) {
            return tyi_io_doc_fail_field(doc, &s->design, diag, TY_ERR_RANGE,
                                         "is saltelli, which takes %d keys that vary, not %zu",
                                         TYI_FLEET_DIMENSIONS / 2, s->varies);
        }
        total *= (double)s->varies + 2.0;
    }
    if (!grid && s->runs < 1) {
        return tyi_io_doc_fail_field(doc, &s->runs, diag, TY_ERR_RANGE,
                                     "is %d, but takes the number of points of this design", s->runs);
    }
    if (grid && s->repeats > 1 && !drawn) {
        return tyi_io_doc_fail_field(doc, &s->repeats, diag, TY_ERR_INPUT,
                                     "is %d, but nothing is drawn, so that all repeats would be the same run",
                                     s->repeats);
    }
    if (total > TYI_FLEET_MOST) {
        return tyi_io_doc_fail_field(doc, &s->vary, diag, TY_ERR_RANGE,
                                     "asks for %.4g runs, but a sweep has %d at most", total, TYI_FLEET_MOST);
    }
    s->total = (size_t)total;
    return TY_OK;
}

/* ---- the scenario ---- */

ty_status tyi_fleet_spec_try(const tyi_fleet_spec *s, const char *const *settings, size_t count, ty_diag *diag)
{
    if (s->model[0]) {
        return tyi_fleet_model_check(s->model, settings, count, diag);
    }
    ty_scenario *scenario = NULL;
    ty_status status = ty_scenario_load(s->scenario, settings, count, &scenario, diag);
    ty_scenario_destroy(scenario);
    return status;
}

/* one value of one key, with the middle of all others; draws that are out of range by chance are met later, as rows */
static ty_status try_value(const tyi_fleet_spec *s, size_t factor, double u, size_t level, bool by_level, ty_diag *diag)
{
    size_t n = s->sets + s->varies;
    char value[TYI_FLEET_TEXT];
    char(*text)[TYI_FLEET_TEXT + TYI_FLEET_KEY + 2] = malloc(n * sizeof *text);
    const char **list = malloc(n * sizeof *list);
    ty_status status = text && list ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        list[i] = text[i];
        if (i < s->sets) {
            snprintf(text[i], sizeof text[i], "%s", s->set[i].text);
            continue;
        }
        const tyi_fleet_vary *v = &s->vary[i - s->sets];
        bool here = i - s->sets == factor;
        tyi_fleet_quantile(v, here ? u : 0.5, value);
        snprintf(text[i], sizeof text[i], "%s=%s", v->key, here && by_level ? v->value[level].text : value);
    }
    status = status == TY_OK ? tyi_fleet_spec_try(s, list, n, diag) : status;
    free(text);
    free(list);
    return status;
}

static ty_status try_all(const tyi_fleet_spec *s, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < s->varies && status == TY_OK; i++) {
        const tyi_fleet_vary *v = &s->vary[i];
        bool list = v->as == TYI_FLEET_LIST || v->as == TYI_FLEET_FILES;
        bool ends = v->as == TYI_FLEET_RANGE || v->as == TYI_FLEET_UNIFORM || v->as == TYI_FLEET_SEEDS;
        for (size_t k = 0; list && k < v->values && k < 200 && status == TY_OK; k++) {
            status = try_value(s, i, 0.5, k, true, diag);
        }
        for (int k = 0; !list && k < 3 && status == TY_OK; k++) {
            if (k == 1 || ends) {
                status = try_value(s, i, k == 0 ? 0.0 : k == 1 ? 0.5 : 1.0, 0, false, diag);
            }
        }
    }
    return status;
}

/* ---- loading ---- */

static ty_status check_source(tyi_fleet_spec *s, const tyi_io_doc *doc, ty_diag *diag)
{
    char names[200], found[TY_PATH_MAX];
    if (!tyi_name_ok(s->name)) {
        return tyi_io_doc_fail_field(doc, s->name, diag, TY_ERR_INPUT, "cannot name a folder: it " TYI_NAME_RULE);
    }
    if (!s->scenario[0] == !s->model[0]) {
        tyi_fleet_model_names(names, sizeof names);
        return tyi_io_doc_fail(doc, NULL, diag, TY_ERR_INPUT, "either `scenario` or `model` (%s) is needed", names);
    }
    if (!s->scenario[0]) {
        return TY_OK;
    }
    if (!beside(s->path, s->scenario, found, sizeof found) || access(found, R_OK)) {
        char reason[100];
        return tyi_io_doc_fail_field(doc, s->scenario, diag, TY_ERR_FILE,
                                     "is '%s', but there is no scenario to read (%s)", s->scenario,
                                     strerror_r(errno, reason, sizeof reason));
    }
    shorten(found);
    strcpy(s->scenario, found);
    return TY_OK;
}

/* keys of the summary that the table is made of */
static ty_status default_outputs(tyi_fleet_spec *s, ty_diag *diag)
{
    static const char *const drive[] = { "rovers.0.way_m",        "rovers.0.slip_mean",      "rovers.0.sinkage_max_m",
                                         "rovers.0.tilt_max_deg", "rovers.0.drive_energy_j", "simulated_s" };
    static const char *const plain[] = { "y" }, *const still[] = { "simulated_s" };
    if (s->outputs) {
        return TY_OK;
    }
    ty_scenario *scenario = NULL;
    bool rover = s->scenario[0] && ty_scenario_load(s->scenario, NULL, 0, &scenario, NULL) == TY_OK && scenario->rovers;
    ty_scenario_destroy(scenario);
    const char *const *from = s->model[0] ? plain : rover ? drive : still;
    size_t n = rover ? sizeof drive / sizeof *drive : 1;
    s->output = tyi_arena_get(s->memory, n * sizeof *s->output);
    if (!s->output) {
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    }
    for (s->outputs = 0; s->outputs < n; s->outputs++) {
        snprintf(s->output[s->outputs].text, TYI_FLEET_TEXT, "%s", from[s->outputs]);
    }
    return TY_OK;
}

static ty_status check_outputs(const tyi_fleet_spec *s, const tyi_io_doc *doc, ty_diag *diag)
{
    bool worst = false;
    for (size_t i = 0; i < s->outputs; i++) {
        bool taken = strchr(s->output[i].text, '"') || strlen(s->output[i].text) >= TYI_FLEET_KEY;
        for (size_t k = 0; k < s->varies; k++) {
            taken = taken || !strcmp(s->vary[k].key, s->output[i].text);
        }
        for (size_t k = 0; k < i; k++) {
            taken = taken || !strcmp(s->output[k].text, s->output[i].text);
        }
        if (taken) {
            return tyi_io_doc_fail_field(doc, s->output[i].text, diag, TY_ERR_INPUT,
                                         "is '%s', which is a column already or no key", s->output[i].text);
        }
        worst = worst || !strcmp(s->output[i].text, s->worst_key);
    }
    if (s->worst_key[0] && !worst) {
        return tyi_io_doc_fail_field(doc, s->worst_key, diag, TY_ERR_INPUT, "is '%s', but takes one of the `outputs`",
                                     s->worst_key);
    }
    return TY_OK;
}

/* everything that decides the table */
static ty_status hash_of(tyi_fleet_spec *s, const char *const *settings, size_t count, ty_diag *diag)
{
    const char *const file[2] = { s->path, s->scenario };
    s->hash = TYI_HASH_START;
    for (int i = 0; i < (s->scenario[0] ? 2 : 1); i++) {
        tyi_io_bytes bytes;
        ty_status status = tyi_io_file_read(file[i], TYI_IO_DOC_BYTES, NULL, &bytes, diag);
        if (status != TY_OK) {
            return status;
        }
        s->hash = tyi_hash(bytes.data, bytes.size, s->hash);
        tyi_put(NULL, bytes.data, bytes.capacity);
    }
    for (size_t i = 0; i < count; i++) {
        s->hash = tyi_hash(settings[i], strlen(settings[i]) + 1, s->hash);
    }
    for (size_t i = 0; i < s->varies; i++) {
        for (size_t k = 0; s->vary[i].as == TYI_FLEET_FILES && k < s->vary[i].values; k++) {
            s->hash = tyi_hash(s->vary[i].value[k].text, strlen(s->vary[i].value[k].text) + 1, s->hash);
        }
    }
    return TY_OK;
}

ty_status tyi_fleet_spec_load(tyi_fleet_spec *s, const char *path, const char *const *settings, size_t count,
                              ty_diag *diag)
{
    tyi_io_doc doc;
    *s = tyi_fleet_spec_default();
    s->memory = tyi_get(NULL, sizeof *s->memory);
    if (!s->memory) {
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    }
    tyi_arena_init(s->memory, NULL, 4096);
    snprintf(s->path, sizeof s->path, "%s", path);
    s->settings = settings, s->setting_count = count;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    status = status == TY_OK ? tyi_io_doc_set(&doc, settings, count, diag) : status;
    status = status == TY_OK ? tyi_io_doc_fill(&doc, &tyi_fleet_spec_schema, s, s->memory, diag) : status;
    status = status == TY_OK ? check_source(s, &doc, diag) : status;
    for (size_t i = 0; i < s->varies && status == TY_OK; i++) {
        status = check_vary(s, &doc, i, diag);
    }
    status = status == TY_OK ? count_runs(s, &doc, diag) : status;
    status = status == TY_OK ? default_outputs(s, diag) : status;
    status = status == TY_OK ? check_outputs(s, &doc, diag) : status;
    tyi_io_doc_free(&doc);
    status = status == TY_OK ? try_all(s, diag) : status;
    return status == TY_OK ? hash_of(s, settings, count, diag) : status;
}

void tyi_fleet_spec_free(tyi_fleet_spec *spec)
{
    if (spec->memory) {
        tyi_arena_free(spec->memory);
        tyi_put(NULL, spec->memory, sizeof *spec->memory);
    }
}

ty_status tyi_fleet_spec_reference(FILE *out, ty_diag *diag)
{
    const tyi_fleet_spec defaults = tyi_fleet_spec_default();
    return tyi_io_doc_print(out, &tyi_fleet_spec_schema, &defaults, diag);
}
