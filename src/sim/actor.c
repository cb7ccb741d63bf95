/* src/sim/actor.c - bodies on given trajectories: where they are, what they look like.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "io/table.h"
#include "core/core.h"
#include "run.h"
#include "run_fmu.h"
#include "tycho/tools/model.h"
#include "io/inner.h"

#define FILE_BYTES ((size_t)64 << 20)

ty_quat tyi_sim_turned(double roll, double pitch, double yaw)
{
    ty_quat x = ty_quat_axis(ty_vec3_make(1, 0, 0), roll), y = ty_quat_axis(ty_vec3_make(0, 1, 0), pitch);
    return ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), yaw), ty_quat_mul(y, x));
}

/* ---- the table ---- */

enum { T, X, Y, Z, ROLL, PITCH, YAW, QW, QX, QY, QZ, COLUMNS };
static const char *const names[COLUMNS] = { "t",       "x",  "y",  "z",  "roll_deg", "pitch_deg",
                                            "yaw_deg", "qw", "qx", "qy", "qz" };

typedef struct table {
    tyi_io_table rows;
    int fields, column[COLUMNS];
    bool have[COLUMNS];
} table;

static ty_status read_header(table *t, ty_diag *diag)
{
    char shown[60];
    const tyi_io_table *rows = &t->rows;
    tyi_io_table_next(&t->rows);
    for (int i = 0; i < rows->fields && i < TYI_IO_TABLE_FIELDS; i++) {
        const char *field = rows->field[i];
        int k = 0;
        while (k < COLUMNS && strcmp(field, names[k]) != 0) {
            k++;
        }
        if (k == COLUMNS || t->have[k]) {
            return ty_fail(
                diag, TY_ERR_INPUT,
                "%s:%d: column '%s' is %s; a trajectory takes t, x, y, z and roll_deg, pitch_deg, yaw_deg or qw, qx, qy, qz",
                rows->path, rows->line, tyi_io_doc_show(field, shown, sizeof shown),
                k == COLUMNS ? "unknown" : "there twice");
        }
        t->have[k] = true;
        t->column[t->fields++] = k;
    }
    bool turns = t->have[ROLL] || t->have[PITCH] || t->have[YAW],
         quats = t->have[QW] && t->have[QX] && t->have[QY] && t->have[QZ];
    bool some = t->have[QW] || t->have[QX] || t->have[QY] || t->have[QZ];
    if (!t->have[T] || !t->have[X] || !t->have[Y] || !t->have[Z] || (turns && some) || (some && !quats)) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "%s:%d: a trajectory takes the columns t, x, y, z and roll_deg, pitch_deg, yaw_deg or qw, qx, qy, qz",
            rows->path, rows->line);
    }
    return TY_OK;
}

static ty_status read_row(const table *t, tyi_sim_actor_key *out, ty_diag *diag)
{
    const tyi_io_table *rows = &t->rows;
    double v[COLUMNS] = { [QW] = 1.0 };
    for (int i = 0; i < t->fields; i++) {
        bool there = i < rows->fields && (i < t->fields - 1 || rows->fields == t->fields);
        if (!there || !tyi_io_table_number(rows->field[i], &v[t->column[i]])) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: field %d is not a number, or the row does not have %d of them",
                           rows->path, rows->line, i + 1, t->fields);
        }
    }
    out->time = ty_time_from(v[T]);
    out->pose.p = ty_vec3_make(v[X], v[Y], v[Z]);
    ty_quat q = { v[QW], v[QX], v[QY], v[QZ] };
    double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(fabs(size - 1.0) < 1e-3)) {
        return ty_fail(diag, TY_ERR_RANGE, "%s:%d: the quaternion has length %g, but takes 1", rows->path, rows->line,
                       size);
    }
    out->pose.q =
        t->have[QW] ? ty_quat_normalize(q) : tyi_sim_turned(v[ROLL] * TY_DEG, v[PITCH] * TY_DEG, v[YAW] * TY_DEG);
    return TY_OK;
}

ty_status tyi_sim_actor_read(tyi_sim_actor *a, ty_diag *diag)
{
    table t = { .fields = 0 };
    ty_status status = tyi_io_table_open(&t.rows, a->def->trajectory, FILE_BYTES, diag);
    if (status == TY_OK) {
        a->room = tyi_io_table_lines(&t.rows);
        a->key = tyi_get(NULL, a->room * sizeof *a->key);
        status = a->key ? read_header(&t, diag)
                        : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", a->def->trajectory);
    }
    for (; status == TY_OK && tyi_io_table_next(&t.rows); a->keys++) {
        status = read_row(&t, &a->key[a->keys], diag);
        if (status == TY_OK && a->keys && a->key[a->keys].time <= a->key[a->keys - 1].time) {
            status = ty_fail(diag, TY_ERR_RANGE, "%s:%d: t does not rise", t.rows.path, t.rows.line);
        }
    }
    if (status == TY_OK && !a->keys) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: has no rows", t.rows.path);
    }
    tyi_io_table_close(&t.rows);
    return status;
}

/* ---- where it is ---- */

static ty_pose from_table(const tyi_sim_actor *a, ty_time at)
{
    size_t low = 0, high = a->keys - 1;
    if (at <= a->key[0].time) {
        return a->key[0].pose;
    }
    if (at >= a->key[high].time) {
        return a->key[high].pose;
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (a->key[middle].time <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const tyi_sim_actor_key *k = &a->key[low];
    double u = (double)(at - k[0].time) / (double)(k[1].time - k[0].time);
    return (ty_pose){ ty_add(k[0].pose.p, ty_scale(u, ty_sub(k[1].pose.p, k[0].pose.p))),
                      ty_quat_slerp(k[0].pose.q, k[1].pose.q, u) };
}

ty_pose tyi_sim_actor_pose(const ty_run *run, const tyi_sim_actor *a, ty_time at)
{
    const ty_scenario_actor *d = a->def;
    ty_pose pose = { { d->x, d->y, d->z }, tyi_sim_turned(d->roll, d->pitch, d->yaw) };
    if (a->loose) {
        return tyi_sim_loose_pose(a);
    }
    if (a->fmu) {
        pose = tyi_sim_fmu_pose(a->fmu, at);
    } else if (a->keys) {
        pose = from_table(a, at);
    } else if (run->def.actor_pose) {
        run->def.actor_pose(run->def.actor_user, d->name, at, &pose);
    }
    if (d->on_ground) {
        double z = 0.0;
        ty_terrain_sample(ty_world_terrain(run->world), 0, 1, &pose.p.x, &pose.p.y, &z, NULL, NULL);
        pose.p.z += z;
    }
    return pose;
}

/* ---- its life ---- */

ty_status tyi_sim_actors_make(ty_run *run, ty_diag *diag)
{
    run->actors = run->scenario.actors;
    run->actor = tyi_get(NULL, (run->actors + 1) * sizeof *run->actor);
    ty_status status = run->actor ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu actors", run->actors);
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        tyi_sim_actor *a = &run->actor[i];
        a->def = &run->scenario.actor[i];
        a->frame = run->frames++;
        status = a->def->trajectory[0] ? tyi_sim_actor_read(a, diag) : TY_OK;
        status = status == TY_OK && a->def->fmu[0] ? tyi_sim_fmu_actor(run, a, diag) : status;
    }
    return status == TY_OK ? tyi_sim_loose_make(run, diag) : status;
}

void tyi_sim_actor_free(tyi_sim_actor *a)
{
    tyi_put(NULL, a->key, a->room * sizeof *a->key);
}

void tyi_sim_actors_free(ty_run *run)
{
    for (size_t i = 0; run->actor && i < run->actors; i++) {
        tyi_sim_loose_free(&run->actor[i]);
        tyi_sim_fmu_free(run->actor[i].fmu);
        tyi_sim_actor_free(&run->actor[i]);
    }
    tyi_put(NULL, run->actor, (run->actors + 1) * sizeof *run->actor);
}

/* its triangles, as large as it is */
static ty_status show_rock(tyi_sim_actor *a, ty_body_shape *shape, ty_scene *scene, ty_diag *diag)
{
    double scale;
    const ty_rock_shape *rock = tyi_sim_loose_shape(a, &scale);
    float *vertex = malloc(3 * (size_t)rock->vertices * sizeof *vertex);
    int *face = malloc(3 * (size_t)rock->triangles * sizeof *face);
    for (int i = 0; vertex && i < 3 * rock->vertices; i++) {
        vertex[i] = (float)scale * rock->vertex[i];
    }
    for (int i = 0; face && i < 3 * rock->triangles; i++) {
        face[i] = rock->triangle[i];
    }
    shape->kind = TY_SHAPE_MESH;
    shape->vertex = vertex, shape->vertices = rock->vertices;
    shape->face = face, shape->faces = rock->triangles;
    ty_status status = vertex && face ? tyi_sim_looks_shape(shape, TY_CLASS_ROCK, scene, &a->id, diag)
                                      : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for rock '%s'", a->def->name);
    free(vertex), free(face);
    return status;
}

ty_status tyi_sim_actor_show(tyi_sim_actor *a, ty_scene *scene, ty_diag *diag)
{
    const ty_scenario_actor *d = a->def;
    ty_body_shape shape = { .kind = (ty_body_shape_kind)d->shape, .size = { d->size[0], d->size[1], d->size[2] } };
    for (int c = 0; c < 4; c++) {
        shape.rgba[c] = (float)d->albedo;
    }
    ty_mesh mesh = { 0 };
    if (d->hidden) {
        return TY_OK;
    }
    if (a->loose) {
        return show_rock(a, &shape, scene, diag);
    }
    if (shape.kind == TY_SHAPE_MESH) {
        ty_status status = tyi_io_mesh_read(d->mesh, d->scale, &mesh, diag);
        if (status != TY_OK) {
            return status;
        }
        shape.vertex = mesh.vertex, shape.face = (const int *)mesh.triangle;
        shape.vertices = (int)mesh.vertices, shape.faces = (int)mesh.triangles;
    }
    ty_status status = tyi_sim_looks_shape(&shape, TY_CLASS_OBJECT, scene, &a->id, diag);
    tyi_io_mesh_free(&mesh);
    return status;
}
