/* src/world/terrain/inner.h - what other modules, bench and tests ask of the ground beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WORLD_TERRAIN_INNER_H
#define TYI_WORLD_TERRAIN_INNER_H
#include "tycho/terrain.h"

/* Fraction of the ground [-] that rocks of at least d [m] shall cover, away from craters. */
double tyi_terrain_def_rock_cover(const ty_rock_def *rock, double d);
const char *tyi_terrain_kind_name(ty_ground_kind kind); /* "" for TY_GROUND_ANY */

/* The W point at lattice coordinates x, y, z [m] (within a quarter of the Moon's radius of the site: the same
 * numbers), and the x, y of the lattice below a W point, with its height above the reference sphere [m]. */
ty_vec3 tyi_terrain_point(const ty_terrain *terrain, double x, double y, double z);
void tyi_terrain_below(const ty_terrain *terrain, ty_vec3 p_W, double *x, double *y, double *height);

/* Where n rocks stand: the pose of each one's shape (multiply the shape by rock.scale first) on the ground as it was
 * before any edit, seen at a level that fits the rock. */
ty_status tyi_terrain_rock_poses(ty_terrain *terrain, size_t n, const ty_rock *rocks, ty_pose *poses, int threads,
                                 ty_diag *diag);
uint64_t tyi_terrain_rock_version(const ty_terrain *terrain); /* changes whenever rocks were moved */
double tyi_terrain_rock_most(const ty_terrain *terrain);      /* [m] all are smaller; 0: there are none at all */
size_t tyi_terrain_rocks_moved(const ty_terrain *terrain, const ty_rock **out);   /* all that came, moved or left */
bool tyi_terrain_rock_find(const ty_terrain *terrain, uint64_t id, ty_rock *out); /* that was put somewhere, or moved */
/* one that is put at a place: its scale by diameter and burial */
ty_rock tyi_terrain_rock_finished(const ty_terrain *terrain, ty_rock rock);

/* The rectangle i0, j0, nx, ny of edit number version (1 ..), or all that was ever edited where the journal no longer
 * holds that version; false past the newest. */
bool tyi_terrain_edit_rect(const ty_terrain *terrain, uint64_t version, int32_t rect[4]);
void tyi_terrain_patch_sync(ty_terrain_patch *patch); /* takes over the edits made since; allocates nothing */

/* Raises slope[k] [-] (rise over horizontal distance) to the steepest under which the patch is seen from p along
 * azimuth k * 2 pi / n, clockwise from north (y), between the distances near and far [m]. Distances and slopes are
 * in W: the Moon's curvature is in the heights. Start with -INFINITY, or with what a finer patch gave. enough[k]:
 * from this slope on it looks no further along azimuth k; NULL: always to the end. */

#endif
