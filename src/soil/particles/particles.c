/* src/soil/particles/particles.c - either soil's particles alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "particles.h"
#include <math.h>

#define LOOSE 1.2  /* [-] support below which soil that bears nothing flies */
#define QUICK 0.05 /* [m/s] speed from which a grain that touches nothing does: some lie in gaps of others */
#define CROWD 4    /* grains near one that flows with them: between two blows it touches none, but does not fly */

size_t tyi_soil_particles_count(const tyi_soil_particles *p)
{
    return p->dem ? tyi_dem_count(p->dem) : tyi_crm_count(p->crm);
}

ty_crm_particle tyi_soil_particles_at(const tyi_soil_particles *p, size_t i)
{
    if (p->crm) {
        return tyi_crm_get(p->crm, i);
    }
    tyi_dem_grain g = tyi_dem_get(p->dem, i);
    return (ty_crm_particle){ .x = g.x,
                              .v = g.v,
                              .e = g.contacts || g.near >= CROWD ? 1.0 : 0.0,
                              .support = fmin(0.5 * g.contacts, 3.0), /* six contacts hold a grain, two let it fall */
                              .id = g.id,
                              .wall = g.fixed,
                              .r = g.r };
}

double tyi_soil_particles_kinetic(const tyi_soil_particles *p)
{
    return p->dem ? tyi_dem_add_up(p->dem).kinetic : tyi_crm_add_up(p->crm).kinetic;
}

bool tyi_soil_particles_flies(const tyi_soil_particles *p, const ty_crm_particle *q)
{
    return q->e <= 0.0 && q->support < LOOSE && (p->dem ? ty_norm(q->v) > QUICK : q->support > 0.0);
}

ty_status tyi_soil_particles_insert(tyi_soil_particles *p, const ty_crm_particle *particle, size_t n, ty_diag *diag)
{
    if (p->crm) {
        return tyi_crm_insert(p->crm, particle, n, diag);
    }
    ty_status status = TY_OK;
    for (size_t k = 0; k < n && status == TY_OK; k++) {
        const ty_crm_particle *q = &particle[k];
        tyi_dem_grain g = { .x = q->x, .v = q->v, .r = q->r, .id = q->id, .fixed = q->wall };
        g.contacts = (int)(2.0 * q->support);
        status = tyi_dem_add(p->dem, &g, 1, diag);
    }
    return status;
}

typedef struct leaving {
    tyi_crm_leaves leaves;
    void *user;
} leaving;

static bool grain_leaves(void *user, const tyi_dem_grain *g)
{
    const leaving *l = user;
    const ty_crm_particle q = { .x = g->x, .v = g->v, .id = g->id, .wall = g->fixed, .r = g->r };
    return l->leaves(l->user, &q);
}

void tyi_soil_particles_remove(tyi_soil_particles *p, tyi_crm_leaves leaves, void *user)
{
    leaving l = { leaves, user };
    if (p->crm) {
        tyi_crm_remove(p->crm, leaves, user);
    } else {
        tyi_dem_remove(p->dem, grain_leaves, &l);
    }
}

ty_status tyi_soil_particles_step(tyi_soil_particles *p, double duration, tyi_crm_body *body, int bodies,
                                  tyi_crm_load *load, ty_diag *diag)
{
    return p->dem ? tyi_dem_step(p->dem, duration, body, bodies, load, diag)
                  : tyi_crm_step(p->crm, duration, body, bodies, load, diag);
}

void tyi_soil_particles_threads(tyi_soil_particles *p, int threads)
{
    if (p->dem) {
        tyi_dem_set_threads(p->dem, threads);
    } else {
        tyi_crm_set_threads(p->crm, threads);
    }
}

ty_status tyi_soil_particles_to_device(tyi_soil_particles *p, ty_device *device, ty_diag *diag)
{
    return p->dem ? tyi_dem_to_device(p->dem, device, diag) : tyi_crm_to_device(p->crm, device, diag);
}

ty_status tyi_soil_particles_fetch(const tyi_soil_particles *p, ty_diag *diag)
{
    return p->dem ? tyi_dem_fetch(p->dem, diag) : tyi_crm_fetch(p->crm, diag);
}

ty_status tyi_soil_particles_fetch_seen(const tyi_soil_particles *p, ty_diag *diag)
{
    return p->dem ? tyi_dem_fetch(p->dem, diag) : tyi_crm_fetch_seen(p->crm, diag);
}

size_t tyi_soil_particles_bytes(const tyi_soil_particles *p)
{
    return p->dem ? tyi_dem_state_bytes(p->dem) : tyi_crm_state_bytes(p->crm);
}

void tyi_soil_particles_save(const tyi_soil_particles *p, void *out)
{
    if (p->dem) {
        tyi_dem_save(p->dem, out);
    } else {
        tyi_crm_save(p->crm, out);
    }
}

ty_status tyi_soil_particles_restore(tyi_soil_particles *p, const void *saved, size_t bytes, ty_diag *diag)
{
    return p->dem ? tyi_dem_restore(p->dem, saved, bytes, diag) : tyi_crm_restore(p->crm, saved, bytes, diag);
}

void tyi_soil_particles_destroy(tyi_soil_particles *p)
{
    tyi_dem_destroy(p->dem);
    tyi_crm_destroy(p->crm);
    *p = (tyi_soil_particles){ 0 };
}
