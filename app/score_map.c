/* app/score_map.c - `tycho score map`: maps of a field against the ground of its scenario.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "score.h"
#include "terrain_site.h"
#include "tycho/tools/image.h"
#include "study/score_map.h"

typedef struct job {
    app_site site;
    tyi_study_field field;
    const char *json, *picture, *truth;
    bool quiet;
} job;

static void put_json(FILE *f, const char *name, const tyi_study_map_score *s)
{
    fprintf(f, "{\"map\": \"%s\", \"cells\": %zu, \"known\": %zu, \"right\": %zu", name, s->cells, s->known, s->right);
    fprintf(f, ",\n  \"rock_cells\": %zu, \"found\": %zu, \"false_alarms\": %zu, \"missed\": %zu", s->hits + s->missed,
            s->hits, s->false_alarms, s->missed);
    score_number(f, ",\n  \"mean_error_m\": ", s->mean_error);
    score_number(f, ", \"rms_error_m\": ", s->rms_error);
    score_number(f, ", \"heights\": ", s->heights);
    score_number(f, ", \"rocks_f1\": ", s->rocks);
    score_number(f, ", \"points\": ", s->points);
    fputs("}", f);
}

static void put_row(const char *name, const tyi_study_map_score *s)
{
    double said = (double)(s->hits + s->false_alarms), is = (double)(s->hits + s->missed);
    printf("| %s | %.1f | %.1f | %.1f | %.3f | %.3f | %.3f | %.1f |\n", name,
           100.0 * (double)s->known / (double)s->cells, 100.0 * s->heights, 1e3 * s->rms_error, (double)s->hits / said,
           (double)s->hits / is, s->rocks, s->points);
}

/* ---- picture: truth beside the map, lit from the west; rocks found, said in vain, missed ---- */

enum { ZOOM = 3, GAP = 8 };

/* height where it is known, as bright as a slope towards the west is; NaN: not known */
static double shade(const tyi_study_map *m, int i, int j)
{
    int west = i > 0 ? i - 1 : i, east = i + 1 < m->cells ? i + 1 : i;
    const float *row = m->height + (size_t)j * (size_t)m->cells;
    double rise = (double)(row[east] - row[west]) / (m->cell * (east - west));
    return isnan(row[i]) ? (double)NAN : 0.5 + (isnan(rise) ? 0.0 : fmax(-0.4, fmin(0.4, rise)));
}

static void color(const tyi_study_map *shown, const tyi_study_map *truth, int i, int j, uint8_t out[3])
{
    static const uint8_t found[3] = { 90, 200, 90 }, vain[3] = { 230, 80, 60 }, missed[3] = { 250, 210, 60 };
    double gray = shade(shown, i, j);
    size_t cell = (size_t)j * (size_t)shown->cells + (size_t)i;
    bool is = truth->rock[cell], said = shown->rock[cell];
    const uint8_t *c = is && said ? found : said ? vain : is ? missed : NULL;
    for (int k = 0; k < 3; k++) {
        uint8_t plain = isnan(gray) ? (uint8_t)(k == 2 ? 70 : 25) : (uint8_t)(255.0 * gray);
        out[k] = c ? (uint8_t)(0.35 * plain + 0.65 * c[k]) : plain;
    }
}

static ty_status draw(const char *path, const tyi_study_map *truth, const tyi_study_map *found, ty_diag *diag)
{
    int side = truth->cells * ZOOM, wide = 2 * side + GAP;
    uint8_t *px = calloc((size_t)wide * (size_t)side, 3);
    if (!px) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a picture of %d x %d pixels", wide, side);
    }
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < wide; x++) {
            int i = (x < side ? x : x - side - GAP) / ZOOM, j = truth->cells - 1 - y / ZOOM;
            if (x < side || x >= side + GAP) {
                color(x < side ? truth : found, truth, i, j, px + 3 * ((size_t)y * (size_t)wide + (size_t)x));
            }
        }
    }
    ty_status status = ty_png_write(path, wide, side, 3, 8, px, diag);
    free(px);
    return status;
}

/* ---- all of it ---- */

static ty_status judge(const job *j, const tyi_study_map *truth, const char *path, bool first, FILE *json,
                       ty_diag *diag)
{
    tyi_study_map found;
    ty_status status = tyi_study_map_read(path, &j->field, &found, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_study_map_score s = tyi_study_map_judge(truth, &found, j->field.limit);
    fputs(first ? "\n " : ",\n ", json);
    put_json(json, path, &s);
    if (!j->quiet && first) {
        printf("| map | known [%%] | right [%%] | RMS error [mm] | rocks: precision | recall | F1 | points of 600 |\n"
               "|---|---|---|---|---|---|---|---|\n");
    }
    if (!j->quiet) {
        put_row(path, &s);
    }
    status = j->picture ? draw(j->picture, truth, &found, diag) : TY_OK;
    tyi_study_map_free(&found);
    return status;
}

static ty_status judge_all(const job *j, int maps, char **path, ty_diag *diag)
{
    tyi_study_map truth;
    tyi_io_sink *sink = NULL;
    ty_status status = tyi_study_map_truth(app_site_scenario(&j->site), j->site.terrain, &j->field, &truth, diag);
    if (status != TY_OK) {
        return status;
    }
    status = j->truth ? tyi_study_map_write(j->truth, &truth, diag) : TY_OK;
    status = status == TY_OK ? score_open(j->json, &sink, diag) : status;
    if (status == TY_OK) {
        FILE *json = tyi_io_sink_file(sink);
        fprintf(
            json,
            "{\"scenario\": \"%s\", \"size_m\": %g, \"cell_m\": %g, \"limit_m\": %g, \"least_rock_m\": %g, \"maps\": [",
            j->site.name, j->field.size, j->field.cell, j->field.limit, j->field.rock);
        for (int i = 0; i < maps && status == TY_OK; i++) {
            status = judge(j, &truth, path[i], i == 0, json, diag);
        }
        fputs("]}\n", json);
        status = tyi_io_sink_close(sink, status, diag);
    }
    tyi_study_map_free(&truth);
    return status;
}

ty_status score_map(int argc, char **argv, ty_diag *diag)
{
    job j = { .field = tyi_study_field_default() };
    j.json = app_option(&argc, argv, "-o");
    j.picture = app_option(&argc, argv, "--picture");
    j.truth = app_option(&argc, argv, "--truth");
    j.quiet = app_flag(&argc, argv, "--quiet");
    ty_status status = app_take_number(&argc, argv, "--size", 0.1, 1000.0, &j.field.size, diag);
    status = status == TY_OK ? app_take_number(&argc, argv, "--cell", 0.01, 100.0, &j.field.cell, diag) : status;
    status = status == TY_OK ? app_take_number(&argc, argv, "--limit", 1e-6, 100.0, &j.field.limit, diag) : status;
    status = status == TY_OK ? app_take_number(&argc, argv, "--rock", 0.0, 100.0, &j.field.rock, diag) : status;
    status = status == TY_OK ? app_site_open(&j.site, &argc, argv, diag) : status;
    status = status == TY_OK ? app_rest(argc, argv, argc > 2 ? argc - 1 : j.truth ? 0 : 1, diag) : status;
    status = status == TY_OK ? judge_all(&j, argc - 1, argv + 1, diag) : status;
    app_site_close(&j.site);
    return status;
}
