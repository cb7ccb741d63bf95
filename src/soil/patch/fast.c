/* src/soil/patch/fast.c - soil of particles that moves fast at the surface: what dust comes from.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "../world.h"
#include "ledger.h"
#include "patch.h"

#define TOP 2.5 /* [-] support below which soil is of the uppermost layer, as for what is seen one by one */

static bool at_surface(const tyi_soil_patch *p, const ty_crm_particle *q, ty_vec3 x)
{
    double i = x.x / p->d - (double)p->s.i0, j = x.y / p->d - (double)p->s.j0;
    bool inside = i >= 0.0 && j >= 0.0 && i < p->side && j < p->side;
    ty_vec3 own = ty_rotate(ty_quat_conj(p->body.pose.q), ty_sub(x, p->body.pose.p));
    return inside && q->support < TOP && !(p->tool && tyi_soil_tool_holds(p->tool, own));
}

static void visit_patch(const tyi_soil_patch *p, double least, tyi_soil_fast visit, void *user)
{
    tyi_soil_particles_fetch(&p->soil, NULL);
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil); i++) {
        ty_crm_particle q = tyi_soil_particles_at(&p->soil, i);
        if (q.wall || !(ty_dot(q.v, q.v) > least * least)) {
            continue;
        }
        ty_vec3 x = tyi_soil_patch_place(p, q.x);
        if (at_surface(p, &q, x)) {
            visit(user, p->carrier, x, q.v, p->tile ? cbrt(tyi_soil_patch_volume(p, &q)) : p->d);
        }
    }
}

void tyi_soil_world_fast(const tyi_soil_world *w, double least, tyi_soil_fast visit, void *user)
{
    for (int k = 0; k < w->layers; k++) {
        for (int body = 0; body < w->bodies && tyi_soil_is_patches(w->layer[k].model); body++) {
            const tyi_soil_patch *p = tyi_soil_patch_at(w->layer[k].state, body);
            if (p && p->s.placed) {
                visit_patch(p, least, visit, user);
            }
        }
    }
}

bool tyi_soil_world_stirs(const tyi_soil_world *w, int carrier, int body)
{
    bool any = false;
    for (int k = 0; k < w->layers && !any; k++) {
        const tyi_soil_patch *p = tyi_soil_is_patches(w->layer[k].model)
                                      ? tyi_soil_patch_at(w->layer[k].state, w->rider[carrier]->carrier.first + body)
                                      : NULL;
        any = p && p->s.placed;
    }
    return any;
}
