/* src/sim/loose.c - loose rocks: bodies that wheels and blades push, tip and roll (`rocks:` with `loose: true`).
 *
 * A loose rock is an actor whose pose is that of a body of the body world: one tree of one body, with mass, centre and inertia of its
 * shape. What it touches beside the ground is that world's matter. On the ground its corners stand: each by a spring and a damper
 * along the ground's normal, and by friction that sticks where it stands (k_rigid.h), so that a rock at rest does not creep. The ground
 * is that of before any edit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "k_rigid.h"
#include "run.h"
#include "world/terrain/inner.h"
#include "world/terrain/patch.h"

#define SINKS  1e-3 /* [m] that a rock on three corners sinks in by its weight: chosen */
#define DAMPED 1.0  /* [-] of critical, about where it rests */
#define HARD \
    10.0 /* [-] at most so many times the spring's force while it closes in: an impact has no jump, and never pulls */
#define RUBS   0.8 /* [-] friction of rock on soil: tan 38.7 deg, soil on itself at some 40 deg; chosen */
#define WINDOW 4.0 /* [m] half the side of the ground at hand */
#define MARGIN 1.5 /* [m] to its edge, beside the rock's size */

struct tyi_sim_loose {
    tyi_body_mbd *mbd;
    const ty_rock_shape *shape;
    double scale, mass, radius; /* [m] [kg] [m] around its centre of mass */
    double k, c, bounce;        /* [N/m], across [N s/m], along the normal [s/m]: of a corner */
    ty_terrain_patch *patch;
    int64_t at[2];    /* [m] its middle, whole metres */
    ty_vec3 *stretch; /* [m] of each corner's friction, W */
};

/* ---- mass, centre and inertia of a body of even density, from tetrahedra on its triangles ---- */

typedef struct heft {
    double volume, centre[3], second[3][3]; /* of unit density; second: integral of x_i x_j */
} heft;

static heft heft_of(const ty_rock_shape *s, double scale)
{
    heft h = { 0 };
    for (int i = 0; i < s->triangles; i++) {
        double p[3][3], sum[3];
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                p[c][k] = scale * (double)s->vertex[3 * s->triangle[3 * i + c] + k];
            }
        }
        double v =
            (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) - p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
             p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
            6.0;
        h.volume += v;
        for (int k = 0; k < 3; k++) {
            sum[k] = p[0][k] + p[1][k] + p[2][k];
            h.centre[k] += 0.25 * v * sum[k];
        }
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                double pairs = p[0][a] * p[0][b] + p[1][a] * p[1][b] + p[2][a] * p[2][b];
                h.second[a][b] += 0.05 * v * (sum[a] * sum[b] + pairs);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        h.centre[k] /= h.volume;
    }
    return h;
}

/* a model of one free body, as MJCF text */
static void describe(const heft *h, double density, char *out, size_t size)
{
    double m = density * h->volume, trace = 0.0, i[3][3];
    for (int a = 0; a < 3; a++) {
        trace += h->second[a][a] - h->volume * h->centre[a] * h->centre[a];
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double about = h->second[a][b] - h->volume * h->centre[a] * h->centre[b];
            i[a][b] = density * ((a == b ? trace : 0.0) - about);
        }
    }
    snprintf(out, size,
             "<mujoco><worldbody><body name=\"rock\"><freejoint/><inertial mass=\"%.17g\" pos=\"%.17g %.17g %.17g\" "
             "fullinertia=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/></body></worldbody></mujoco>",
             m, h->centre[0], h->centre[1], h->centre[2], i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]);
}

/* ---- life ---- */

static ty_status follow(const ty_run *run, tyi_sim_loose *l, const int64_t at[2], ty_diag *diag)
{
    ty_terrain *t = ty_world_terrain(run->world);
    int level = ty_terrain_get_def(t)->edit_level < ty_terrain_levels(t) ? ty_terrain_get_def(t)->edit_level
                                                                         : ty_terrain_levels(t) - 1;
    double d = ty_terrain_spacing(t, level), half = WINDOW + l->radius;
    ty_terrain_patch *made;
    int32_t n = (int32_t)(2.0 * half / d);
    ty_status status = ty_terrain_patch_create(t, level, (int32_t)(((double)at[0] - half) / d),
                                               (int32_t)(((double)at[1] - half) / d), n, n, 1, &made, diag);
    if (status == TY_OK) {
        ty_terrain_patch_destroy(l->patch);
        l->patch = made;
        l->at[0] = at[0], l->at[1] = at[1];
    }
    return status;
}

static ty_terrain_ground ground_at(const tyi_sim_loose *l, double x, double y)
{
    ty_terrain_ground g;
    tyi_terrain_patch_sample_natural(l->patch, 1, &x, &y, &g);
    return g;
}

/* on the ground by its lowest corner, upright */
static ty_pose lie(const tyi_sim_loose *l, const ty_scenario_rock *r)
{
    ty_pose pose = { ty_vec3_make(r->at[0], r->at[1], -INFINITY), ty_quat_axis(ty_vec3_make(0, 0, 1), r->yaw) };
    for (int i = 0; i < l->shape->vertices; i++) {
        const float *v = l->shape->vertex + 3 * (ptrdiff_t)i;
        ty_vec3 p =
            ty_rotate(pose.q, ty_vec3_make(l->scale * (double)v[0], l->scale * (double)v[1], l->scale * (double)v[2]));
        pose.p.z = fmax(pose.p.z, ground_at(l, r->at[0] + p.x, r->at[1] + p.y).z - p.z);
    }
    return pose;
}

static ty_status make(ty_run *run, tyi_sim_actor *a, ty_diag *diag)
{
    const ty_scenario_rock *r = &run->scenario.rock[a->def->rock - 1];
    const ty_terrain *t = ty_world_terrain(run->world);
    tyi_sim_loose *l = a->loose = calloc(1, sizeof *l);
    char text[1200];
    if (!l) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for rock '%s'", r->name);
    }
    l->shape = ty_terrain_rock_shape(t, (uint32_t)r->shape);
    l->scale = r->size;
    l->stretch = calloc((size_t)l->shape->vertices, sizeof *l->stretch);
    heft h = heft_of(l->shape, l->scale);
    l->mass = r->density * h.volume;
    for (int i = 0; i < l->shape->vertices; i++) {
        const float *v = l->shape->vertex + 3 * (ptrdiff_t)i;
        l->radius = fmax(l->radius, l->scale * sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
    }
    double g = fmax(run->scenario.gravity, 0.1);
    l->k = l->mass * g / (3.0 * SINKS);
    l->c = DAMPED * 2.0 * sqrt(l->k * l->mass / 3.0);
    l->bounce = DAMPED * 2.0 / sqrt(g * SINKS); /* with SINKS of depth that is critical, too */
    describe(&h, r->density, text, sizeof text);
    ty_status status = l->stretch ? tyi_body_mbd_create_text(r->name, text, run->scenario.gravity, &l->mbd, diag)
                                  : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for rock '%s'", r->name);
    if (status == TY_OK) {
        tyi_body_hull hull = { .kind = TY_SHAPE_MESH,
                               .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } },
                               .vertex = l->shape->vertex,
                               .vertices = l->shape->vertices,
                               .scale = l->scale };
        tyi_body_hull_bound(&hull);
        status = tyi_body_mbd_set_hulls(l->mbd, &hull, 1, diag);
    }
    const int64_t at[2] = { (int64_t)round(r->at[0]), (int64_t)round(r->at[1]) };
    status = status == TY_OK ? follow(run, l, at, diag) : status;
    if (status == TY_OK) {
        tyi_body_mbd_reset(l->mbd, 0, lie(l, r));
        status = tyi_body_mbd_begin(l->mbd, 0, diag);
    }
    return status;
}

ty_status tyi_sim_loose_make(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        status = run->actor[i].def->rock ? make(run, &run->actor[i], diag) : TY_OK;
    }
    return status;
}

void tyi_sim_loose_free(tyi_sim_actor *a)
{
    if (a->loose) {
        tyi_body_mbd_destroy(a->loose->mbd);
        ty_terrain_patch_destroy(a->loose->patch);
        free(a->loose->stretch), free(a->loose);
    }
}

ty_status tyi_sim_loose_join(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        if (run->actor[i].loose) {
            status =
                tyi_body_world_join(tyi_sim_bodies_world(run), run->actor[i].loose->mbd, run->actor[i].def->name, diag);
        }
    }
    return status;
}

ty_pose tyi_sim_loose_pose(const tyi_sim_actor *a)
{
    return tyi_body_mbd_pose(a->loose->mbd, 0);
}

double tyi_sim_loose_mass(const tyi_sim_actor *a)
{
    return a->loose->mass;
}

const ty_rock_shape *tyi_sim_loose_shape(const tyi_sim_actor *a, double *scale)
{
    *scale = a->loose->scale;
    return a->loose->shape;
}

/* ---- a step ---- */

static void stand(tyi_sim_loose *l, int i, ty_vec3 p, ty_terrain_ground g, double dt)
{
    ty_vec3 n = ty_terrain_ground_normal(g), v, omega;
    double depth = (g.z - p.z) * n.z;
    if (!(depth > 0.0)) {
        l->stretch[i] = ty_vec3_make(0.0, 0.0, 0.0);
        return;
    }
    tyi_body_mbd_twist(l->mbd, 0, p, &v, &omega);
    double press = l->k * depth * fmin(fmax(1.0 - l->bounce * ty_dot(v, n), 0.0), HARD);
    ty_vec3 a = ty_normalize(ty_cross(ty_vec3_make(0, 1, 0), n)), b = ty_cross(n, a);
    double ux = ty_dot(l->stretch[i], a), uy = ty_dot(l->stretch[i], b), fx, fy;
    ty_k_stick(l->k, l->c, RUBS * press, ty_dot(v, a), ty_dot(v, b), 0.0, dt, &ux, &uy, &fx, &fy);
    l->stretch[i] = ty_add(ty_scale(ux, a), ty_scale(uy, b));
    ty_vec3 force = ty_add(ty_scale(press, n), ty_add(ty_scale(fx, a), ty_scale(fy, b)));
    tyi_body_mbd_force(l->mbd, 0, p, force, (ty_vec3){ 0.0, 0.0, 0.0 });
}

void tyi_sim_loose_forces(ty_run *run, double dt)
{
    for (size_t k = 0; k < run->actors; k++) {
        tyi_sim_loose *l = run->actor[k].loose;
        if (!l) {
            continue;
        }
        ty_pose pose = tyi_body_mbd_pose(l->mbd, 0);
        for (int i = 0; i < l->shape->vertices; i++) {
            const float *v = l->shape->vertex + 3 * (ptrdiff_t)i;
            ty_vec3 p = ty_pose_point(
                pose, ty_vec3_make(l->scale * (double)v[0], l->scale * (double)v[1], l->scale * (double)v[2]));
            stand(l, i, p, ground_at(l, p.x, p.y), dt);
        }
    }
}

ty_status tyi_sim_loose_follow(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t k = 0; k < run->actors && status == TY_OK; k++) {
        tyi_sim_loose *l = run->actor[k].loose;
        if (l) {
            ty_vec3 p = tyi_body_mbd_pose(l->mbd, 0).p;
            const int64_t at[2] = { (int64_t)round(p.x), (int64_t)round(p.y) };
            bool near =
                fabs(p.x - (double)l->at[0]) < WINDOW - MARGIN && fabs(p.y - (double)l->at[1]) < WINDOW - MARGIN;
            status = near ? TY_OK : follow(run, l, at, diag);
        }
    }
    return status;
}

void tyi_sim_loose_rest(ty_run *run)
{
    for (size_t k = 0; k < run->actors; k++) {
        if (run->actor[k].loose) {
            tyi_body_mbd_set_twist(run->actor[k].loose->mbd, 0, (ty_vec3){ 0 }, (ty_vec3){ 0 });
            tyi_body_mbd_begin(run->actor[k].loose->mbd, 0, NULL);
        }
    }
}

/* ---- saving ---- */

size_t tyi_sim_loose_save(const ty_run *run, void *out)
{
    size_t bytes = 0;
    for (size_t k = 0; k < run->actors; k++) {
        const tyi_sim_loose *l = run->actor[k].loose;
        if (l) {
            size_t state = tyi_body_mbd_state_count(l->mbd) * sizeof(double),
                   stretch = (size_t)l->shape->vertices * sizeof *l->stretch;
            if (out) {
                char *to = (char *)out + bytes;
                memcpy(to, l->at, sizeof l->at);
                tyi_body_mbd_save(l->mbd, (double *)(void *)(to + sizeof l->at));
                memcpy(to + sizeof l->at + state, l->stretch, stretch);
            }
            bytes += sizeof l->at + state + stretch;
        }
    }
    return bytes;
}

ty_status tyi_sim_loose_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag)
{
    const char *from = saved;
    ty_status status = bytes == tyi_sim_loose_save(run, NULL)
                           ? TY_OK
                           : ty_fail(diag, TY_ERR_FORMAT, "run: the saved rocks are not those of this scenario");
    for (size_t k = 0; k < run->actors && status == TY_OK; k++) {
        tyi_sim_loose *l = run->actor[k].loose;
        if (l) {
            int64_t at[2];
            size_t state = tyi_body_mbd_state_count(l->mbd) * sizeof(double),
                   stretch = (size_t)l->shape->vertices * sizeof *l->stretch;
            memcpy(at, from, sizeof at);
            status = follow(run, l, at, diag);
            tyi_body_mbd_restore(l->mbd, (const double *)(const void *)(from + sizeof at));
            memcpy(l->stretch, from + sizeof at + state, stretch);
            status = status == TY_OK ? tyi_body_mbd_begin(l->mbd, tyi_sim_steps(run), diag) : status;
            from += sizeof at + state + stretch;
        }
    }
    return status;
}
