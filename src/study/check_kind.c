/* src/study/check_kind.c - what kind of file is it? By its first bytes, its name's ending, its keys or its columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "check.h"
#include "dataset.h"
#include "io/table.h"
#include "vehicle/rover.h"
#include "scenario/scenario.h"
#include "soil/soil_file.h"
#include "tycho/soil.h"

#define START     4096 /* bytes that are looked at */
#define KEYS_MOST 200  /* keys of a file that are looked at */

static const tyi_study_file_kind scenario = { "a scenario", &tyi_scenario_schema, NULL, tyi_study_check_scenario,
                                              false };
static const tyi_study_file_kind rover = { "a rover", &tyi_vehicle_rover_schema, NULL, tyi_study_check_rover, true };
static const tyi_study_file_kind soil = { "a soil", NULL, NULL, tyi_study_check_soil, false };
static const tyi_study_file_kind dataset = { "a data set", &tyi_study_dataset_schema, NULL, tyi_study_check_dataset,
                                             false };

/* columns that no other table has, then those that a broken one of its kind may be told by */
static const char *const drive_words[] = { "v", "omega_deg", "mode", "crab_deg", "t", NULL };
static const char *const trajectory_words[] = { "roll_deg", "pitch_deg", "yaw_deg", "qw", "qx", "qy",
                                                "qz",       "x",         "y",       "z",  "t",  NULL };
static const char *const beam_words[] = { "dx", "dy", "dz", "time", "x", "y", "z", NULL };
static const char *const measured_words[] = { "load",
                                              "slip",
                                              "beta_deg",
                                              "fx",
                                              "fy",
                                              "torque",
                                              "h",
                                              "r",
                                              "b",
                                              "grouser_h",
                                              "grousers",
                                              "Fx_drawbar_N",
                                              "meas_drawbar_pull_n",
                                              "plate_diameter_mm",
                                              NULL };
static const tyi_study_file_kind tables[] = {
    { "a table of commands", NULL, drive_words, tyi_study_check_drive, true },
    { "a trajectory", NULL, trajectory_words, tyi_study_check_trajectory, true },
    { "a table of beams", NULL, beam_words, tyi_study_check_beams, true },
    { "a table of measured wheels", NULL, measured_words, tyi_study_check_measured, true },
};
static const tyi_study_file_kind mjcf = { "a model of a rover", NULL, NULL, tyi_study_check_mjcf, true };
static const tyi_study_file_kind model = { "a model", NULL, NULL, tyi_study_check_model, true };
static const tyi_study_file_kind picture = { "a picture", NULL, NULL, tyi_study_check_picture, true };
static const tyi_study_file_kind labels = { "labels", NULL, NULL, tyi_study_check_labels, true };
static const tyi_study_file_kind raster = { "a raster", NULL, NULL, tyi_study_check_raster, true };

/* ---- by name and first bytes ---- */

static bool ends(const char *path, const char *const *endings)
{
    const char *dot = strrchr(path, '.');
    for (; dot && *endings; endings++) {
        if (!strcasecmp(dot, *endings)) {
            return true;
        }
    }
    return false;
}

static bool begins(const char *start, size_t size, const char *with, size_t bytes)
{
    return size >= bytes && !memcmp(start, with, bytes);
}

/* NULL: YAML or CSV, whose content decides */
static const tyi_study_file_kind *by_start(const char *path, const char *start, size_t size)
{
    static const char *const xml[] = { ".xml", ".urdf", ".xacro", ".mjcf", NULL }, *const models[] = { ".obj", ".gltf",
                                                                                                       ".glb", ".dae",
                                                                                                       ".stl", ".ply",
                                                                                                       NULL },
                             *const json[] = { ".json", NULL }, *const rasters[] = { ".asc",  ".xyz", ".tif",
                                                                                     ".tiff", ".lbl", ".img",
                                                                                     ".cub",  ".vrt", NULL };
    if (ends(path, models)) {
        return &model;
    }
    if (begins(start, size, "\x89PNG", 4) || begins(start, size, "\xff\xd8\xff", 3)) {
        return &picture;
    }
    if (begins(start, size, "II*", 4) || begins(start, size, "MM\0*", 4) || begins(start, size, "PDS_VERSION_ID", 14) ||
        begins(start, size, "<VRTDataset", 11) || ends(path, rasters)) {
        return &raster;
    }
    if (ends(path, xml) || start[strspn(start, " \t\r\n\xef\xbb\xbf")] == '<') {
        return &mjcf;
    }
    return ends(path, json) ? &labels : NULL;
}

/* ---- by keys ---- */

/* 2 for a name that is there, 1 for one that is nearly */
static int match(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(names[i], name)) {
            return 2;
        }
    }
    return tyi_io_nearest(name, names, count) ? 1 : 0;
}

static size_t names_of(const tyi_study_file_kind *kind, const char *names[64])
{
    size_t n = 0, fields;
    if (kind == &soil) {
        const ty_soil_field *field = ty_soil_fields(&fields);
        for (; n < fields && n < 64; n++) {
            names[n] = field[n].key;
        }
        n += tyi_soil_model_keys(names + n, 64 - n);
    }
    for (const tyi_io_key *key = kind->schema ? kind->schema->keys : NULL; key && key->name && n < 64; key++) {
        names[n++] = key->name;
    }
    return n;
}

static int score_keys(const tyi_study_file_kind *kind, const tyi_io_doc *doc)
{
    const char *names[64];
    size_t count = names_of(kind, names), seen = 0;
    int score = 0;
    for (const tyi_io_item *item = doc->root->items; item && seen < KEYS_MOST; item = item->next, seen++) {
        score += match(item->key->text, names, count);
    }
    return score;
}

/* keeps the kinds of the best score, in order */
typedef struct contest {
    const tyi_study_file_kind **out;
    size_t count;
    int best;
} contest;

static void enter(contest *c, const tyi_study_file_kind *kind, int score)
{
    if (score > c->best) {
        c->best = score, c->count = 0;
    }
    if (score && score == c->best && c->count < TYI_STUDY_KINDS_MOST) {
        c->out[c->count++] = kind;
    }
}

static ty_status by_keys(const char *path, contest *c, ty_diag *diag)
{
    static const tyi_study_file_kind *const first[] = { &scenario, &rover, &soil, &dataset };
    tyi_io_doc doc;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    for (size_t i = 0; i < sizeof first / sizeof first[0] && status == TY_OK; i++) {
        enter(c, first[i], score_keys(first[i], &doc));
    }
    for (const tyi_study_file_kind *kind = tyi_study_sensor_files; kind->name && status == TY_OK; kind++) {
        enter(c, kind, score_keys(kind, &doc));
    }
    if (status == TY_OK && !c->count) {
        const tyi_io_item *item = doc.root->items;
        char shown[70];
        status = tyi_io_doc_fail(
            &doc, item ? item->key : doc.root, diag, TY_ERR_INPUT, "%s%s; Tycho reads %s",
            item ? tyi_io_doc_show(item->key->text, shown, sizeof shown) : "there are no keys",
            item ? " is a key of no file that Tycho knows" : " here",
            "scenarios (version, site, terrain, rovers), rovers (version, model, wheels), soils (k_c, k_phi, n0), data sets "
            "(version, sites, camera) and sensors");
    }
    tyi_io_doc_free(&doc);
    return status;
}

/* ---- by columns ---- */

static ty_status by_columns(const char *path, char *start, contest *c, ty_diag *diag)
{
    char *line = start, *field[TYI_IO_TABLE_FIELDS], shown[70];
    while (*line == '#' || *line == '\n' || *line == '\r') { /* comments and empty lines before the header */
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    line[strcspn(line, "\r\n")] = '\0';
    int scores[sizeof tables / sizeof tables[0]] = { 0 };
    tyi_io_doc_show(line, shown, sizeof shown);
    int fields = tyi_io_table_split(line, true, field, TYI_IO_TABLE_FIELDS);
    for (int k = 0; k < fields && k < TYI_IO_TABLE_FIELDS; k++) {
        for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
            size_t n = 0;
            while (tables[i].words[n]) {
                n++;
            }
            scores[i] += match(field[k], tables[i].words, n) == 2;
        }
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        enter(c, &tables[i], scores[i]);
    }
    return c->count
               ? TY_OK
               : ty_fail(
                     diag, TY_ERR_INPUT,
                     "%s: its header '%s' is that of no table that Tycho reads: commands (t, v, omega_deg), a trajectory (t, x, y, z), "
                     "beams (x, y, z, dx, dy, dz) or measured wheels (load, slip, fx)",
                     path, shown);
}

/* The start of a regular file, ended by a zero. false: it is none, or cannot be opened; a pipe is left alone,
 * because what is read from it is gone. */
static bool peek(const char *path, char start[START + 1], size_t *bytes)
{
    struct stat about;
    FILE *file = !stat(path, &about) && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    *bytes = file ? fread(start, 1, START, file) : 0;
    start[*bytes] = '\0';
    if (file) {
        fclose(file);
    }
    return file != NULL;
}

ty_status tyi_study_check_kinds(const char *path, const tyi_study_file_kind *out[TYI_STUDY_KINDS_MOST], size_t *count,
                                ty_diag *diag)
{
    static const char *const csv[] = { ".csv", NULL };
    char start[START + 1];
    size_t bytes;
    bool regular = peek(path, start, &bytes);
    contest c = { .out = out };
    ty_status status = TY_OK;
    /* a pipe; or a folder, or nothing: its loader says so */
    out[0] = regular ? by_start(path, start, bytes) : &scenario;
    if (out[0]) {
        c.count = 1;
    } else if (ends(path, csv)) {
        status = by_columns(path, start, &c, diag);
    } else {
        status = by_keys(path, &c, diag);
    }
    *count = status == TY_OK ? c.count : 0;
    return status;
}
