/* src/sim/run_bodies.c - the body world of a run: its rovers, objects, actors, and the rocks around them.
 *
 * Objects and actors touch as convex parts: a model's file falls into the pieces that hang together, each of them the hull of its
 * points. What follows a rover, and an actor that is not seen, touches nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "run.h"
#include "tycho/tools/model.h"
#include "io/inner.h"
#include "vehicle/vehicle.h"

#define THIN  2e-3 /* [m] what is thinner becomes a box */
#define PLATE 5e-3 /* [m] least half thickness of that */

struct tyi_sim_bodies {
    tyi_body_world *world;
    tyi_body_hull **hull; /* of objects and actors, TYI_SIM_PIECES each where there are any */
    float **vertex;
    size_t things;
    tyi_body_thing *object; /* of each of the scenario's, without parts where it is none */
    size_t *mover;          /* actor of each moved thing */
};

/* ---- pieces of a model ---- */

typedef struct corner {
    float p[3];
    uint32_t index;
} corner;

static int by_place(const void *a, const void *b)
{
    return memcmp(((const corner *)a)->p, ((const corner *)b)->p, sizeof((const corner *)a)->p);
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a), b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* which vertices hang together, by triangles and by place: parent[] */
static bool find_pieces(const ty_mesh *m, uint32_t *parent)
{
    corner *c = malloc((m->vertices + 1) * sizeof *c);
    for (uint32_t i = 0; c && i < m->vertices; i++) {
        memcpy(c[i].p, m->vertex + 3 * (size_t)i, sizeof c[i].p);
        c[i].index = parent[i] = i;
    }
    if (c) {
        qsort(c, m->vertices, sizeof *c, by_place);
    }
    for (size_t i = 1; c && i < m->vertices; i++) {
        if (!by_place(&c[i - 1], &c[i])) {
            join(parent, c[i - 1].index, c[i].index);
        }
    }
    for (size_t i = 0; c && i < m->triangles; i++) {
        join(parent, m->triangle[3 * i], m->triangle[3 * i + 1]);
        join(parent, m->triangle[3 * i], m->triangle[3 * i + 2]);
    }
    free(c);
    return c != NULL;
}

/* a piece is a hull, or a box where it is as thin as a plate */
static tyi_body_hull piece(const float *vertex, size_t count)
{
    tyi_body_hull h = { .kind = TY_SHAPE_MESH,
                        .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } },
                        .vertex = vertex,
                        .vertices = (int)count,
                        .scale = 1.0 };
    tyi_body_hull_bound(&h);
    double thin = fmin(h.half.x, fmin(h.half.y, h.half.z));
    if (thin < THIN || count < 4) {
        h.kind = TY_SHAPE_BOX;
        h.pose.p = h.mid;
        h.size = ty_vec3_make(fmax(h.half.x, PLATE), fmax(h.half.y, PLATE), fmax(h.half.z, PLATE));
        tyi_body_hull_bound(&h);
    }
    return h;
}

/* sorts a mesh's vertices by piece into *vertex; the pieces' number, 0: no memory */
static int cut(const ty_mesh *m, tyi_body_hull *hull, float **vertex)
{
    uint32_t *parent = malloc((m->vertices + 1) * sizeof *parent);
    float *to = malloc((3 * m->vertices + 3) * sizeof *to);
    int pieces = 0;
    size_t n = 0;
    bool found = parent && to && find_pieces(m, parent);
    for (uint32_t i = 0; found && i < m->vertices; i++) {
        pieces += root_of(parent, i) == i;
    }
    bool whole = pieces > TYI_SIM_PIECES;
    pieces = 0;
    for (uint32_t i = 0; found && i < m->vertices; i++) {
        size_t first = n;
        for (uint32_t k = i; k < m->vertices && (whole ? i == 0 : root_of(parent, i) == i); k++) {
            if (whole || root_of(parent, k) == i) {
                memcpy(to + 3 * n++, m->vertex + 3 * (size_t)k, 3 * sizeof *to);
            }
        }
        if (n - first >= 3) {
            hull[pieces++] = piece(to + 3 * first, n - first);
        }
    }
    free(parent);
    *vertex = to;
    return pieces;
}

/* ---- objects and actors ---- */

static ty_quat turned(const double rpy_deg[3])
{
    ty_quat r = ty_quat_axis(ty_vec3_make(1, 0, 0), rpy_deg[0] * TY_DEG),
            p = ty_quat_axis(ty_vec3_make(0, 1, 0), rpy_deg[1] * TY_DEG),
            y = ty_quat_axis(ty_vec3_make(0, 0, 1), rpy_deg[2] * TY_DEG);
    return ty_quat_mul(y, ty_quat_mul(p, r));
}

/* the next thing's room for parts */
static tyi_body_hull *parts(tyi_sim_bodies *b)
{
    return b->hull[b->things] = calloc(TYI_SIM_PIECES, sizeof(tyi_body_hull));
}

static ty_status add(tyi_sim_bodies *b, tyi_body_thing *t, ty_diag *diag)
{
    t->part = b->hull[b->things++];
    return t->parts ? tyi_body_world_add(b->world, t, diag) : TY_OK;
}

ty_status tyi_sim_bodies_object(const ty_scenario_object *o, double z, tyi_body_hull *hull, float **vertex,
                                tyi_body_thing *t, ty_diag *diag)
{
    ty_status status = TY_OK;
    t->parts = 1;
    t->part = hull;
    t->pose = (ty_pose){ ty_vec3_make(o->position[0], o->position[1], o->position[2] + z), turned(o->rpy_deg) };
    if (o->shape == 1) {
        hull[0] = (tyi_body_hull){ .kind = TY_SHAPE_SPHERE,
                                   .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } },
                                   .size = { o->radius, 0.0, 0.0 } };
        tyi_body_hull_bound(&hull[0]);
    } else {
        ty_model model;
        status = ty_model_read(o->file, o->scale, &model, diag);
        if (status == TY_OK) {
            ty_mesh mesh = { model.vertex, model.triangle, model.vertices, model.triangles };
            t->parts = cut(&mesh, hull, vertex);
            ty_model_free(&model);
        }
    }
    return status;
}

static ty_status add_object(ty_run *run, size_t i, ty_diag *diag)
{
    const ty_scenario_object *o = &run->scenario.object[i];
    tyi_sim_bodies *b = run->bodies;
    tyi_body_thing t = { .kind = TYI_SIM_OBJECT, .id = i };
    double z = 0.0;
    if (o->rover[0]) {
        return TY_OK;
    }
    tyi_body_hull *hull = parts(b);
    ty_status status = hull ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for objects.%zu", i);
    if (status == TY_OK && o->on_ground) {
        status =
            ty_terrain_sample(ty_world_terrain(run->world), 0, 1, &o->position[0], &o->position[1], &z, NULL, diag);
    }
    if (o->name[0]) {
        snprintf(t.name, sizeof t.name, "%s", o->name);
    } else {
        snprintf(t.name, sizeof t.name, "objects.%zu", i);
    }
    status = status == TY_OK ? tyi_sim_bodies_object(o, z, hull, &b->vertex[b->things], &t, diag) : status;
    b->object[i] = t;
    return status == TY_OK ? add(b, &t, diag) : status;
}

ty_status tyi_sim_bodies_again(ty_run *run, size_t object, ty_diag *diag)
{
    const tyi_body_thing *t = &run->bodies->object[object];
    return t->parts ? tyi_body_world_add(run->bodies->world, t, diag) : TY_OK;
}

static ty_status add_actor(ty_run *run, size_t i, ty_diag *diag)
{
    const ty_scenario_actor *d = run->actor[i].def;
    tyi_sim_bodies *b = run->bodies;
    tyi_body_thing t = { .kind = TYI_SIM_ACTOR, .id = i, .parts = 1, .moves = true };
    if (d->hidden || run->actor[i].loose) {
        return TY_OK;
    }
    tyi_body_hull *hull = parts(b);
    if (!hull) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for actor '%s'", d->name);
    }
    ty_status status = TY_OK;
    snprintf(t.name, sizeof t.name, "%s", d->name);
    t.pose = tyi_sim_actor_pose(run, &run->actor[i], run->time);
    if (d->shape == TY_SHAPE_MESH) {
        ty_mesh mesh = { 0 };
        status = tyi_io_mesh_read(d->mesh, d->scale, &mesh, diag);
        t.parts = status == TY_OK ? cut(&mesh, hull, &b->vertex[b->things]) : 0;
        tyi_io_mesh_free(&mesh);
    } else {
        hull[0] = (tyi_body_hull){ .kind = (ty_body_shape_kind)d->shape,
                                   .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } },
                                   .size = { d->size[0], d->size[1], d->size[2] } };
        tyi_body_hull_bound(&hull[0]);
    }
    if (status == TY_OK) {
        size_t movers = 0;
        while (b->mover[movers] != SIZE_MAX) {
            movers++;
        }
        b->mover[movers] = t.parts ? i : SIZE_MAX;
        for (int k = 0; k < t.parts; k++) {
            ty_vec3 mid = ty_pose_point(hull[k].pose, hull[k].mid);
            run->actor[i].radius =
                fmax(run->actor[i].radius, hypot(mid.x, mid.y) + hypot(hull[k].half.x, hull[k].half.y));
        }
        status = add(b, &t, diag);
    }
    return status;
}

static void motion(void *user, int thing, double dt, tyi_body_motion *out)
{
    const ty_run *run = user;
    const tyi_sim_actor *a = &run->actor[run->bodies->mover[thing]];
    double over = dt > 0.0 ? dt : 0.01;
    ty_pose now = tyi_sim_actor_pose(run, a, run->time),
            then = tyi_sim_actor_pose(run, a, run->time + ty_time_from(over));
    ty_quat turn = ty_quat_mul(then.q, ty_quat_conj(now.q));
    double side = turn.w < 0.0 ? -2.0 : 2.0;
    out->pose = dt > 0.0 ? then : now;
    out->v = ty_scale(1.0 / over, ty_sub(then.p, now.p));
    out->omega = ty_scale(side / over, ty_vec3_make(turn.x, turn.y, turn.z)); /* of a small turn */
}

static int rocks(void *user, int rover, ty_vec3 centre, double reach, double above, tyi_body_thing *out, int room)
{
    const ty_run *run = user;
    return (size_t)rover < run->rovers
               ? tyi_vehicle_rocks_near(&run->rover[rover].vehicle->rocks, centre, reach, above, out, room)
               : 0; /* a loose rock */
}

static bool rock(void *user, int rover, uint64_t id, tyi_body_thing *out)
{
    const ty_run *run = user;
    return (size_t)rover < run->rovers && tyi_vehicle_rocks_find(&run->rover[rover].vehicle->rocks, id, out);
}

/* ---- its life ---- */

static ty_status fill(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_body_world_join(run->bodies->world, run->rover[i].vehicle->mbd, run->scenario.rover[i].name, diag);
    }
    status = status == TY_OK ? tyi_sim_loose_join(run, diag) : status;
    for (size_t i = 0; i < run->scenario.objects && status == TY_OK; i++) {
        status = add_object(run, i, diag);
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        status = add_actor(run, i, diag);
    }
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_body_world_set_away(run->bodies->world, (int)i, run->rover[i].away, 0, diag);
    }
    if (status == TY_OK) {
        status = tyi_body_world_arrange(run->bodies->world, 0, diag);
    }
    return status == TY_OK ? tyi_body_world_check_free(run->bodies->world, TYI_SIM_INSIDE, diag) : status;
}

ty_status tyi_sim_bodies_make(ty_run *run, ty_diag *diag)
{
    size_t most = run->scenario.objects + run->actors + 1;
    tyi_sim_bodies *b = run->bodies = calloc(1, sizeof *b);
    tyi_body_world_def def = { .user = run, .rocks = rocks, .rock = rock, .motion = motion };
    if (b) {
        b->hull = calloc(most, sizeof *b->hull);
        b->vertex = calloc(most, sizeof *b->vertex);
        b->mover = malloc(most * sizeof *b->mover);
        b->object = calloc(most, sizeof *b->object);
    }
    if (!b || !b->hull || !b->vertex || !b->mover || !b->object) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for bodies");
    }
    memset(b->mover, 0xff, most * sizeof *b->mover); /* SIZE_MAX: none */
    ty_status status = tyi_body_world_create(&def, &b->world, diag);
    return status == TY_OK ? fill(run, diag) : status;
}

void tyi_sim_bodies_free(ty_run *run)
{
    tyi_sim_bodies *b = run->bodies;
    if (b) {
        tyi_body_world_destroy(b->world);
        for (size_t i = 0; b->hull && b->vertex && i < run->scenario.objects + run->actors; i++) {
            free(b->hull[i]), free(b->vertex[i]);
        }
        free((void *)b->hull), free((void *)b->vertex), free(b->mover), free(b->object);
        free(b);
        run->bodies = NULL;
    }
}

ty_status tyi_sim_bodies_arrange(ty_run *run, ty_diag *diag)
{
    return run->time % TYI_BODY_ASK < run->step ? tyi_body_world_arrange(run->bodies->world, tyi_sim_steps(run), diag)
                                                : TY_OK;
}

ty_status tyi_sim_bodies_step(ty_run *run, ty_diag *diag)
{
    return tyi_body_world_step(run->bodies->world, tyi_sim_steps(run), ty_seconds(run->time + run->step),
                               run->scenario.step, diag);
}

tyi_body_world *tyi_sim_bodies_world(const ty_run *run)
{
    return run->bodies->world;
}
