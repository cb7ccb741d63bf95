/* tests/unit/ground/planet_support.h - worlds of the whole Moon, and rays followed step by step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLANET_SUPPORT_H
#define PLANET_SUPPORT_H
#include "tyt.h"
#include "tycho/render.h"
#include "tycho/scenario.h"

/* The Moon around a site [deg] over up to 4 rasters (NULL: no more), without rocks. */
ty_world *moon_over(double lat_deg, double lon_deg, const char *const *raster);
/* A bare sphere with given heights; relief, craters and rocks off. spacing [m] of the base. */
ty_terrain *moon_of(double lat_deg, double lon_deg, ty_terrain_base base);
ty_scene *moon_scene(ty_terrain *terrain, int ring_cells, double detail_px);
/* A camera over a place: [deg], [m] above the sphere, azimuth and elevation there [deg]. */
ty_camera camera_over(const ty_site *site, double lat_deg, double lon_deg, double height, double azimuth_deg,
                      double elevation_deg, double fov_deg, int width, int rows);
/* Height [m] over the sphere of the ground at a level, below a point of W. */
double ground_height(ty_terrain *terrain, int level, ty_vec3 p_W);
/* Distance [m] along a ray to the ground of the level whose spacing is at most `spacing` [m], followed in steps that
 * cannot pass it; INFINITY: sky. */
double follow_ray(ty_terrain *terrain, double spacing, ty_vec3 o, ty_vec3 d);

#endif
