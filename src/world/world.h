/* src/world/world.h - what of the world other modules use beside tycho/world.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WORLD_H
#define TYI_WORLD_H
#include "tycho/world.h"

/* what a rover's panels see of the Sun [-], where its body or mount is */
ty_status tyi_world_sunlight(ty_terrain *terrain, ty_pose at, const ty_sky_body *sun, double *lit, ty_diag *diag);

void tyi_world_set_start(ty_world *world, ty_utc start); /* nobody reads it at the same time */

/* a second terrain of the same ground, edits so far included */
ty_status tyi_world_sync(ty_world *world, ty_terrain *twin, ty_diag *diag); /* brings it up to date */
ty_status tyi_world_twin(ty_world *world, ty_terrain **out, ty_diag *diag);

#endif
