/* src/study/score_map.c - see score_map.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "score_map.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "io/document.h"
#include "io/out_file.h"
#include "io/table.h"
#include "k_score.h"
#include "tycho/stage.h"
#include "tycho/terrain.h"
#include "tycho/trace.h"

enum { RAYS = 4, BLOCK = 40, MOST = 1000 }; /* rays along a cell's side, cells along a block's, a field's */
#define ABOVE     10.0                      /* [m] rays start so high over a block's middle */
#define FAR       30.0                      /* [m] and end */
#define FILE_MOST ((size_t)64 << 20)
#define POINTS    300.0 /* for each of the two shares [lac-score] */

tyi_study_field tyi_study_field_default(void)
{
    return (tyi_study_field){ .size = 27.0, .cell = 0.15, .limit = 0.05, .rock = 0.05 };
}

void tyi_study_map_free(tyi_study_map *map)
{
    free(map->height);
    free(map->rock);
    *map = (tyi_study_map){ 0 };
}

/* nothing known, no rocks */
static ty_status make(const tyi_study_field *field, tyi_study_map *out, ty_diag *diag)
{
    *out = (tyi_study_map){ 0 };
    double cells = round(field->size / field->cell);
    if (!(cells >= 1.0 && cells <= MOST) || fabs(cells * field->cell - field->size) > 1e-6 * field->size) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "a field of %g m takes 1 to %d whole cells along its side, but they are %g m wide", field->size,
                       MOST, field->cell);
    }
    size_t n = (size_t)(cells * cells);
    *out = (tyi_study_map){ (int)cells, field->cell, malloc(n * sizeof(float)), calloc(n, 1) };
    if (!out->height || !out->rock) {
        tyi_study_map_free(out);
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a map of %zu cells", n);
    }
    for (size_t i = 0; i < n; i++) {
        out->height[i] = NAN;
    }
    return TY_OK;
}

/* ---- truth ---- */

typedef struct looker {
    ty_scene *scene;
    ty_terrain *terrain;
    double rock; /* [m] */
    ty_trace_ray *ray;
    ty_trace_hit *hit;
} looker;

/* x of a ray's column, counted in rays from the field's west edge; y likewise */
static double place(const tyi_study_map *map, int k)
{
    return map->cell * ((k + 0.5) / RAYS - 0.5 * map->cells);
}

/* one cell out of its rays, of which hit[] and ray[] are the first in a block `wide` rays wide */
static ty_status take_cell(const looker *l, size_t first, size_t wide, float *height, uint8_t *rock, ty_diag *diag)
{
    double sum = 0.0;
    for (size_t k = 0; k < RAYS * RAYS; k++) {
        size_t i = first + k / RAYS * wide + k % RAYS;
        const ty_trace_ray *r = &l->ray[i];
        if (!isfinite(l->hit[i].range)) {
            return ty_fail(diag, TY_ERR_INPUT, "there is no ground at %g, %g", r->from.x, r->from.y);
        }
        double z = r->from.z - l->hit[i].range, bare = z;
        sum += z;
        if (l->hit[i].kind == TY_CLASS_ROCK) {
            ty_status status = ty_terrain_sample(l->terrain, 0, 1, &r->from.x, &r->from.y, &bare, NULL, diag);
            if (status != TY_OK) {
                return status;
            }
            *rock |= z - bare >= l->rock;
        }
    }
    *height = (float)(sum / (RAYS * RAYS));
    return TY_OK;
}

/* up to BLOCK x BLOCK cells from i0, j0: the ground is finest around the middle of each block */
static ty_status take_block(const looker *l, int i0, int j0, tyi_study_map *map, ty_diag *diag)
{
    int ni = map->cells - i0 < BLOCK ? map->cells - i0 : BLOCK, nj = map->cells - j0 < BLOCK ? map->cells - j0 : BLOCK;
    ty_vec3 eye = { map->cell * (i0 + 0.5 * (ni - map->cells)), map->cell * (j0 + 0.5 * (nj - map->cells)), 0.0 };
    ty_status status = ty_terrain_sample(l->terrain, 0, 1, &eye.x, &eye.y, &eye.z, NULL, diag);
    size_t n = 0, wide = (size_t)ni * RAYS;
    for (int j = 0; j < nj * RAYS; j++) {
        for (int i = 0; i < ni * RAYS; i++) {
            l->ray[n++] = (ty_trace_ray){
                .from = { place(map, i0 * RAYS + i), place(map, j0 * RAYS + j), eye.z + ABOVE },
                .dir = { 0.0, 0.0, -1.0 },
                .far = FAR,
            };
        }
    }
    status = status == TY_OK ? ty_scene_trace(l->scene, eye, l->ray, n, 0, 0, l->hit, diag) : status;
    for (int j = 0; j < nj && status == TY_OK; j++) {
        for (int i = 0; i < ni && status == TY_OK; i++) {
            size_t at = (size_t)(j0 + j) * (size_t)map->cells + (size_t)(i0 + i);
            status =
                take_cell(l, (size_t)j * RAYS * wide + (size_t)i * RAYS, wide, &map->height[at], &map->rock[at], diag);
        }
    }
    return status;
}

ty_status tyi_study_map_truth(const ty_scenario *scenario, ty_terrain *terrain, const tyi_study_field *field,
                              tyi_study_map *out, ty_diag *diag)
{
    size_t n = (size_t)BLOCK * BLOCK * RAYS * RAYS;
    ty_stage *stage = NULL;
    ty_scene_def def = ty_scene_def_default();
    def.far = FAR;
    def.rings = 2; /* what lies beyond a block is not looked at */
    def.ring_cells = 512;
    looker l = { .terrain = terrain, .rock = field->rock };
    ty_status status = make(field, out, diag);
    if (status != TY_OK) {
        return status;
    }
    l.ray = malloc(n * sizeof *l.ray);
    l.hit = malloc(n * sizeof *l.hit);
    status = l.ray && l.hit ? ty_stage_create(scenario, terrain, &def, &stage, diag)
                            : ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu rays", n);
    l.scene = stage ? ty_stage_scene(stage) : NULL;
    for (int j = 0; j < out->cells && status == TY_OK; j += BLOCK) {
        for (int i = 0; i < out->cells && status == TY_OK; i += BLOCK) {
            status = take_block(&l, i, j, out, diag);
        }
    }
    ty_stage_destroy(stage);
    free(l.ray);
    free(l.hit);
    if (status != TY_OK) {
        tyi_study_map_free(out);
    }
    return status;
}

/* ---- files ---- */

static const char *const column[] = { "x", "y", "height", "rock" };
enum { X, Y, HEIGHT, ROCK, COLUMNS };

/* which field of a row each column is */
static ty_status read_header(tyi_io_table *t, int at[COLUMNS], ty_diag *diag)
{
    if (!tyi_io_table_next(t)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: is empty; a map begins with the line x,y,height,rock", t->path);
    }
    for (int c = 0; c < COLUMNS; c++) {
        at[c] = -1;
        for (int f = 0; f < t->fields && f < TYI_IO_TABLE_FIELDS; f++) {
            at[c] = strcmp(t->field[f], column[c]) ? at[c] : f;
        }
        if (at[c] < 0) {
            return ty_fail(diag, TY_ERR_INPUT, "%s:%d: has no column '%s'; a map has x, y, height, rock", t->path,
                           t->line, column[c]);
        }
    }
    return TY_OK;
}

/* one number of a row; an empty field leaves *value alone where it may be empty */
static ty_status take_number(const tyi_io_table *t, const int at[COLUMNS], int c, bool empty, double *value,
                             ty_diag *diag)
{
    char shown[60];
    const char *text = at[c] < t->fields ? t->field[at[c]] : "";
    if ((!*text && empty) || tyi_io_table_number(text, value)) {
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_INPUT, "%s:%d: %s is '%s', but takes a number%s", t->path, t->line, column[c],
                   tyi_io_doc_show(text, shown, sizeof shown), empty ? ", or nothing where it is not known" : "");
}

static ty_status take_row(const tyi_io_table *t, const int at[COLUMNS], tyi_study_map *map, uint8_t *seen,
                          ty_diag *diag)
{
    double v[COLUMNS] = { [HEIGHT] = (double)NAN };
    ty_status status = TY_OK;
    for (int c = 0; c < COLUMNS && status == TY_OK; c++) {
        status = take_number(t, at, c, c >= HEIGHT, &v[c], diag);
    }
    if (status != TY_OK) {
        return status;
    }
    double half = 0.5 * map->cells * map->cell, i = floor((v[X] + half) / map->cell),
           j = floor((v[Y] + half) / map->cell);
    if (!(i >= 0.0 && j >= 0.0 && i < map->cells && j < map->cells)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: %g, %g lies outside the field, which reaches from %g to %g m",
                       t->path, t->line, v[X], v[Y], -half, half);
    }
    if (v[ROCK] != 0.0 && v[ROCK] != 1.0) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: rock is %g, but takes 0 or 1", t->path, t->line, v[ROCK]);
    }
    size_t cell = (size_t)j * (size_t)map->cells + (size_t)i;
    if (seen[cell]) {
        return ty_fail(diag, TY_ERR_INPUT, "%s:%d: %g, %g is a second row for one cell of %g m", t->path, t->line, v[X],
                       v[Y], map->cell);
    }
    seen[cell] = 1;
    map->height[cell] = (float)v[HEIGHT];
    map->rock[cell] = v[ROCK] != 0.0;
    return TY_OK;
}

ty_status tyi_study_map_read(const char *path, const tyi_study_field *field, tyi_study_map *out, ty_diag *diag)
{
    tyi_io_table t = { 0 };
    int at[COLUMNS];
    ty_status status = make(field, out, diag);
    if (status != TY_OK) {
        return status;
    }
    uint8_t *seen = calloc((size_t)out->cells * (size_t)out->cells, 1);
    status = seen ? tyi_io_table_open(&t, path, FILE_MOST, diag)
                  : ty_fail(diag, TY_ERR_MEMORY, "no memory for a map of %d cells a side", out->cells);
    if (status == TY_OK) {
        status = read_header(&t, at, diag);
        while (status == TY_OK && tyi_io_table_next(&t)) {
            status = take_row(&t, at, out, seen, diag);
        }
        tyi_io_table_close(&t);
    }
    free(seen);
    if (status != TY_OK) {
        tyi_study_map_free(out);
    }
    return status;
}

ty_status tyi_study_map_write(const char *path, const tyi_study_map *map, ty_diag *diag)
{
    tyi_io_sink *sink = NULL;
    ty_status status = tyi_io_sink_open(path, &sink, diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = tyi_io_sink_file(sink);
    fputs("x,y,height,rock\n", f);
    for (int j = 0; j < map->cells; j++) {
        for (int i = 0; i < map->cells; i++) {
            size_t cell = (size_t)j * (size_t)map->cells + (size_t)i;
            double half = 0.5 * (map->cells - 1);
            fprintf(f, "%.3f,%.3f,%.4f,%d\n", map->cell * (i - half), map->cell * (j - half), (double)map->height[cell],
                    map->rock[cell]);
        }
    }
    return tyi_io_sink_close(sink, TY_OK, diag);
}

/* ---- judgement ---- */

tyi_study_map_score tyi_study_map_judge(const tyi_study_map *truth, const tyi_study_map *found, double limit)
{
    tyi_study_map_score s = { .cells = (size_t)truth->cells * (size_t)truth->cells };
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < s.cells; i++) {
        bool is = truth->rock[i], said = found->rock[i];
        s.hits += is && said;
        s.false_alarms += said && !is;
        s.missed += is && !said;
        if (isfinite(found->height[i])) {
            double error = (double)found->height[i] - (double)truth->height[i];
            s.known++;
            s.right += fabs(error) < limit;
            sum += error;
            squares += error * error;
        }
    }
    s.mean_error = sum / (double)s.known;
    s.rms_error = sqrt(squares / (double)s.known);
    s.heights = (double)s.right / (double)s.cells;
    s.rocks = ty_k_f1((double)s.hits, (double)s.false_alarms, (double)s.missed);
    s.points = POINTS * (s.heights + s.rocks);
    return s;
}
