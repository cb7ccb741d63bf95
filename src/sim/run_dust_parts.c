/* src/sim/run_dust_parts.c - what dust meets in a run: parts of rovers, of objects and actors, and rocks that are pushed.
 *
 * All are boxes around their shapes, but balls and ellipsoids. Objects come and go: those that come are put behind the others, those that have gone
 * keep their place.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "body/world.h"
#include "run.h"
#include "run_dust.h"

#define THINGS 1000000 /* owner of the first thing: after all rovers and actors */

/* the box around a shape, in the shape's frame; false: it is not known, or of a wheel */
static bool box_of(const ty_body_shape *s, ty_vec3 *half, ty_vec3 *middle)
{
    *middle = ty_vec3_make(0, 0, 0);
    switch (s->kind) {
    case TY_SHAPE_SPHERE:
        *half = ty_vec3_make(s->size.x, s->size.x, s->size.x);
        return true;
    case TY_SHAPE_CAPSULE:
        *half = ty_vec3_make(s->size.x, s->size.x, s->size.y + s->size.x);
        return true;
    case TY_SHAPE_CYLINDER:
        *half = ty_vec3_make(s->size.x, s->size.x, s->size.y);
        return true;
    case TY_SHAPE_ELLIPSOID:
    case TY_SHAPE_BOX:
        *half = s->size;
        return true;
    case TY_SHAPE_MESH:
    case TY_SHAPE_FILE:
        break;
    }
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; s->kind == TY_SHAPE_MESH && i < 3 * s->vertices; i++) {
        low[i % 3] = fmin(low[i % 3], (double)s->vertex[i]), high[i % 3] = fmax(high[i % 3], (double)s->vertex[i]);
    }
    *half = ty_scale(0.5, ty_vec3_make(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
    *middle = ty_scale(0.5, ty_vec3_make(high[0] + low[0], high[1] + low[1], high[2] + low[2]));
    return low[0] <= high[0];
}

static bool of_wheel(const ty_vehicle *v, const ty_vehicle_state *state, int body)
{
    ty_vec3 p = ty_vehicle_body_pose(v, body, NULL, NULL).p;
    for (int w = 0; w < state->wheels; w++) {
        if (ty_norm(ty_sub(p, state->wheel[w].p_W)) < 1e-3) {
            return true;
        }
    }
    return false;
}

/* ---- the list ---- */

static ty_status add(tyi_sim_dust *d, tyi_sim_dust_part part, tyi_dust_box box, ty_diag *diag)
{
    size_t boxes = (size_t)d->boxes, parts = boxes, box_room = d->room, part_room = d->room;
    tyi_dust_box *more = tyi_list_grown(d->box, boxes, &box_room, sizeof *more, 64);
    d->box = more ? more : d->box;
    tyi_sim_dust_part *many = more ? tyi_list_grown(d->part, parts, &part_room, sizeof *many, 64) : NULL;
    d->part = many ? many : d->part;
    if (!many) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for what dust meets");
    }
    d->room = part_room;
    d->box[d->boxes] = box, d->part[d->boxes++] = part;
    return TY_OK;
}

static ty_status add_rover(const ty_run *run, size_t rover, tyi_sim_dust *d, ty_diag *diag)
{
    const ty_vehicle *v = run->rover[rover].vehicle;
    const ty_body_shape *shape;
    ty_vehicle_state state;
    ty_status status = TY_OK;
    ty_vehicle_get(v, &state);
    for (int i = 0, shapes = ty_vehicle_shapes(v, &shape); i < shapes && status == TY_OK; i++) {
        ty_vec3 half, middle;
        if (!of_wheel(v, &state, shape[i].body) && box_of(&shape[i], &half, &middle)) {
            ty_pose at = { middle, ty_quat_identity() };
            bool round = shape[i].kind == TY_SHAPE_SPHERE || shape[i].kind == TY_SHAPE_ELLIPSOID;
            tyi_sim_dust_part part = { TYI_SIM_DUST_ROVER, rover, shape[i].body, i, ty_pose_mul(shape[i].pose, at) };
            status = add(d, part, (tyi_dust_box){ .half = half, .owner = (int32_t)rover, .round = round }, diag);
        }
    }
    return status;
}

static ty_status add_loose(const ty_run *run, size_t actor, tyi_sim_dust *d, ty_diag *diag)
{
    double scale;
    const ty_rock_shape *s = tyi_sim_loose_shape(&run->actor[actor], &scale);
    tyi_body_hull h = { .kind = TY_SHAPE_MESH,
                        .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } },
                        .vertex = s->vertex,
                        .vertices = s->vertices,
                        .scale = scale };
    tyi_body_hull_bound(&h);
    tyi_dust_box box = { .half = h.half, .owner = (int32_t)(run->rovers + actor), .object = true, .round = true };
    return add(d, (tyi_sim_dust_part){ TYI_SIM_DUST_LOOSE, actor, 0, 0, { h.mid, ty_quat_identity() } }, box, diag);
}

static ty_status add_thing(const tyi_body_thing *t, int number, tyi_sim_dust *d, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int k = 0; k < t->parts && status == TY_OK; k++) {
        const tyi_body_hull *h = t->part ? &t->part[k] : &t->single;
        tyi_dust_box box = { .half = h->half,
                             .owner = THINGS + number,
                             .object = true,
                             .round = h->kind == TY_SHAPE_SPHERE || h->kind == TY_SHAPE_ELLIPSOID };
        ty_pose at = { h->mid, ty_quat_identity() };
        status = add(d, (tyi_sim_dust_part){ TYI_SIM_DUST_THING, (size_t)number, k, 0, ty_pose_mul(h->pose, at) }, box,
                     diag);
    }
    return status;
}

/* ---- where they are ---- */

static ty_pose body_of(const ty_run *run, const tyi_sim_dust_part *p, bool *away)
{
    if (p->of == TYI_SIM_DUST_ROVER) {
        *away = run->rover[p->index].away;
        return ty_vehicle_body_pose(run->rover[p->index].vehicle, p->body, NULL, NULL);
    }
    *away = false;
    if (p->of == TYI_SIM_DUST_LOOSE) {
        return tyi_sim_loose_pose(&run->actor[p->index]);
    }
    const tyi_body_thing *t;
    tyi_body_world_things(tyi_sim_bodies_world(run), &t);
    t += p->index;
    *away = t->gone;
    return t->moves ? tyi_sim_actor_pose(run, &run->actor[t->id], run->time) : t->pose;
}

const char *tyi_sim_dust_name(const ty_run *run, int box)
{
    const tyi_sim_dust_part *p = &run->dust->part[box];
    const tyi_body_thing *t;
    tyi_body_world_things(tyi_sim_bodies_world(run), &t);
    return p->of == TYI_SIM_DUST_ROVER   ? run->scenario.rover[p->index].name
           : p->of == TYI_SIM_DUST_LOOSE ? run->actor[p->index].def->name
                                         : t[p->index].name;
}

static void place(const ty_run *run, tyi_sim_dust *d, int first)
{
    for (int i = first; i < d->boxes; i++) {
        d->box[i].before = d->box[i].now;
        d->box[i].now = ty_pose_mul(body_of(run, &d->part[i], &d->box[i].away), d->part[i].pose);
    }
}

void tyi_sim_dust_place(const ty_run *run, tyi_sim_dust *d)
{
    place(run, d, 0);
}

ty_status tyi_sim_dust_fit(const ty_run *run, tyi_sim_dust *d, ty_diag *diag)
{
    const tyi_body_thing *thing;
    int things = tyi_body_world_things(tyi_sim_bodies_world(run), &thing), before = d->boxes;
    ty_status status = TY_OK;
    for (size_t i = 0; !before && i < run->rovers && status == TY_OK; i++) {
        status = add_rover(run, i, d, diag);
    }
    for (size_t i = 0; !before && i < run->actors && status == TY_OK; i++) {
        status = run->actor[i].loose ? add_loose(run, i, d, diag) : TY_OK;
    }
    for (; d->things < things && status == TY_OK; d->things++) {
        status = add_thing(&thing[d->things], d->things, d, diag);
    }
    if (status == TY_OK && d->boxes > before) {
        place(run, d, before), place(run, d, before); /* they stand */
        status = d->dust ? tyi_dust_boxes(d->dust, d->boxes, diag) : TY_OK;
    }
    return status;
}
