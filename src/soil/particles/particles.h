/* src/soil/particles/particles.h - the particles of a bed of either soil alike: a continuum (soil/crm) or grains (soil/dem).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_PARTICLES_H
#define TYI_SOIL_PARTICLES_H
#include "tycho/tools/crm.h"
#include "soil/crm/bed.h"
#include "soil/crm/window.h"
#include "soil/dem/grains.h"

/* One of the two; the other is NULL. */
typedef struct tyi_soil_particles {
    tyi_crm *crm;
    tyi_dem *dem;
} tyi_soil_particles;

size_t tyi_soil_particles_count(const tyi_soil_particles *p);
/* Of a grain: no stress; e 1 where it touches others or is among them, else 0; support half of its contacts, at most 3. */
ty_crm_particle tyi_soil_particles_at(const tyi_soil_particles *p, size_t i);
double tyi_soil_particles_kinetic(const tyi_soil_particles *p); /* [J] */
/* It bears nothing, and little is around it. */
bool tyi_soil_particles_flies(const tyi_soil_particles *p, const ty_crm_particle *particle);
/* In and out between steps; of grains x, r, id, wall and support count. */
ty_status tyi_soil_particles_insert(tyi_soil_particles *p, const ty_crm_particle *particle, size_t n, ty_diag *diag);
void tyi_soil_particles_remove(tyi_soil_particles *p, tyi_crm_leaves leaves, void *user);
ty_status tyi_soil_particles_step(tyi_soil_particles *p, double duration, tyi_crm_body *body, int bodies,
                                  tyi_crm_load *load, ty_diag *diag);
void tyi_soil_particles_threads(tyi_soil_particles *p, int threads);
/* Steps run on the device from now on; what is there comes back before it is read. */
ty_status tyi_soil_particles_to_device(tyi_soil_particles *p, ty_device *device, ty_diag *diag);
ty_status tyi_soil_particles_fetch(const tyi_soil_particles *p, ty_diag *diag);
/* x, wall, e, support and r alone; velocities and ids may be of an earlier time */
ty_status tyi_soil_particles_fetch_seen(const tyi_soil_particles *p, ty_diag *diag);
size_t tyi_soil_particles_bytes(const tyi_soil_particles *p);
void tyi_soil_particles_save(const tyi_soil_particles *p, void *out);
ty_status tyi_soil_particles_restore(tyi_soil_particles *p, const void *saved, size_t bytes, ty_diag *diag);
void tyi_soil_particles_destroy(tyi_soil_particles *p);

#endif
