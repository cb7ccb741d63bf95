/* src/sim/run_dust_looks.c - dust that lies on faces, as pictures show it: the share of each side of an object of the scene that it covers.
 *
 * What dust meets as one box has that box's sides; what it meets as several, their means. What is drawn but never met (models of files, what rides
 * on a rover) is as dusty as those sides of its rover that look the same way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "body/world.h"
#include "k_dust.h"
#include "render/inner.h"
#include "run.h"
#include "run_dust.h"
#include "stage.h"

/* the scene's number of what a box is of; 0: it is not seen */
static uint32_t number_of(const ty_run *run, const tyi_sim_dust_part *p)
{
    const tyi_body_thing *t;
    switch (p->of) {
    case TYI_SIM_DUST_ROVER:
        return run->rover[p->index].looks.id[p->shape];
    case TYI_SIM_DUST_LOOSE:
        return run->actor[p->index].id;
    case TYI_SIM_DUST_THING:
        break;
    }
    tyi_body_world_things(tyi_sim_bodies_world(run), &t);
    t += p->index;
    return t->kind == TYI_SIM_ACTOR        ? run->actor[t->id].id
           : t->id < run->scenario.objects ? tyi_sim_stage_object(run->view[0].stage, t->id)
                                           : tyi_sim_cast_scene(run, t->id);
}

/* boxes first to end are of one thing; in its own frame they stand as `part` says */
static tyi_render_coat mean(const tyi_sim_dust *d, int first, int end)
{
    double lies[6] = { 0 }, area[6] = { 0 };
    tyi_render_coat coat;
    for (int i = first; i < end; i++) {
        const tyi_dust_deposit *at = tyi_dust_deposits(d->dust, i);
        for (int face = 0; face < 6; face++) {
            int side =
                end == first + 1 ? face : tyi_sim_dust_side(ty_rotate(d->part[i].pose.q, tyi_sim_dust_normal(face)));
            lies[side] += at[face].area;
            area[side] += tyi_sim_dust_area(&d->box[i], face);
        }
    }
    for (int k = 0; k < 6; k++) {
        coat.cover[k] = area[k] > 0.0 ? (float)ty_k_dust_cover(lies[k] / area[k]) : 0.0f;
    }
    return coat;
}

/* as the sides of a rover (tyi_sim_dust_faces()) that look the same way, for something turned by q in B */
static tyi_render_coat as_rover(const double lies[6], ty_quat q)
{
    tyi_render_coat coat;
    for (int face = 0; face < 6; face++) {
        coat.cover[face] = (float)ty_k_dust_cover(lies[tyi_sim_dust_side(ty_rotate(q, tyi_sim_dust_normal(face)))]);
    }
    return coat;
}

/* all of a rover that is drawn, and what rides on it; what dust meets of it is written later */
static void rover_looks(const ty_run *run, size_t rover, tyi_render_coat *coat)
{
    const ty_vehicle *v = run->rover[rover].vehicle;
    const tyi_sim_looks *looks = &run->rover[rover].looks;
    const ty_body_shape *shape;
    ty_vehicle_state state;
    double lies[6];
    tyi_sim_dust_faces(run, rover, lies);
    ty_vehicle_get(v, &state);
    ty_quat back = ty_quat_conj(state.pose.q);
    ty_vehicle_shapes(v, &shape);
    for (int i = 0; i < looks->shapes; i++) {
        if (looks->id[i] != TYI_SIM_NO_LOOK) {
            ty_quat body = ty_vehicle_body_pose(v, shape[i].body, NULL, NULL).q;
            coat[looks->id[i] - 1] = as_rover(lies, ty_quat_mul(back, ty_quat_mul(body, shape[i].pose.q)));
        }
    }
    for (size_t i = 0; i < run->scenario.objects; i++) {
        const ty_scenario_object *o = &run->scenario.object[i];
        if (o->rover[0] && !strcmp(o->rover, run->rover[rover].def->name)) {
            int body = o->body[0] ? ty_vehicle_find_body(v, o->body) : -1;
            ty_quat on = body < 0 ? state.pose.q : ty_vehicle_body_pose(v, body, NULL, NULL).q;
            ty_quat own = tyi_sim_turned(o->rpy_deg[0] * TY_DEG, o->rpy_deg[1] * TY_DEG, o->rpy_deg[2] * TY_DEG);
            coat[tyi_sim_stage_object(run->view[0].stage, i) - 1] =
                as_rover(lies, ty_quat_mul(back, ty_quat_mul(on, own)));
        }
    }
}

void tyi_sim_dust_looks(const ty_run *run, tyi_render_coat *coat)
{
    const tyi_sim_dust *d = run->dust;
    memset(coat, 0, TYI_RENDER_COATS * sizeof *coat);
    for (size_t i = 0; i < run->rovers && run->view[0].scene; i++) {
        rover_looks(run, i, coat);
    }
    for (int i = 0, end = 0; i < d->boxes && run->view[0].scene; i = end) {
        const tyi_sim_dust_part *p = &d->part[i];
        for (end = i + 1; p->of == TYI_SIM_DUST_THING && end < d->boxes && d->part[end].index == p->index; end++) {
        }
        uint32_t id = d->box[i].away ? 0 : number_of(run, p);
        if (id) {
            coat[id - 1] = mean(d, i, end);
        }
    }
}
