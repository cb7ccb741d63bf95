/* src/dust/cloud.h - dust that flies as a medium for light: a grid of shadow per volume, one for each rover, made anew for each
 * frame of flat arrays. Rays of any number of threads may go through it; filling is one thread's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DUST_CLOUD_H
#define TYI_DUST_CLOUD_H
#include "dust.h"
#include "tycho/ray.h"

typedef struct tyi_dust_cloud tyi_dust_cloud;
struct ty_k_cloud_track;

/* groups: points of different ones may lie far apart */
ty_status tyi_dust_cloud_create(const ty_dust_params *params, int groups, tyi_dust_cloud **out, ty_diag *diag);
void tyi_dust_cloud_destroy(tyi_dust_cloud *cloud); /* NULL is allowed */
/* All of it anew, from points counted from a place in W; sun: unit vector to the lamp that light mostly comes from, NULL: none. Allocates only
 * where it has never been as large. Points stay until the next filling: numbers are made of them when rays first ask. */
ty_status tyi_dust_cloud_fill(tyi_dust_cloud *cloud, ty_vec3 from_W, const tyi_dust_point *point, size_t n,
                              const ty_vec3 *sun, ty_diag *diag);
/* [m] room around points of later fills, for those that fly on; then: how each point flies on from where it was, `ahead` [s] later, on devices. For
 * benchmarks: the host's grids stay as they were filled. */
void tyi_dust_cloud_margin(tyi_dust_cloud *cloud, float margin);
void tyi_dust_cloud_fly(tyi_dust_cloud *cloud, const struct ty_k_cloud_track *track, float ahead, float gravity);
/* For ty_scene_set_medium(); false: there is nothing in it. */
bool tyi_dust_cloud_medium(tyi_dust_cloud *cloud, ty_medium *out);
double tyi_dust_cloud_voxel(const tyi_dust_cloud *cloud); /* [m] largest in use: wide clouds have wider ones */

#endif
