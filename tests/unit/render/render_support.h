/* tests/unit/render/render_support.h - small scenes and images.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RENDER_SUPPORT_H
#define RENDER_SUPPORT_H
#include "tycho/device.h"
#include "tycho/render.h"
#include "tyt.h"

typedef struct shot { /* an image with all its buffers */
    int width, height, bands;
    ty_render_buffers out;
} shot;

shot shot_make(int width, int height, int bands);
void shot_free(shot *s);
/* renders, and fails the case when that fails */
void shot_take(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, shot *s);

ty_scene *bare_scene(void); /* nothing in it */
ty_camera camera_at(ty_vec3 p, double azimuth_deg, double elevation_deg, double fov_deg, int width, int height);
/* a rectangle from corner p along a and b, seen from the side of a x b */
uint32_t add_rectangle(ty_scene *scene, ty_vec3 p, ty_vec3 a, ty_vec3 b, ty_material m);
uint32_t add_sphere(ty_scene *scene, ty_vec3 p, double radius, ty_material m);
void add_sun(ty_scene *scene, double azimuth_deg, double elevation_deg, double radius, double irradiance);
ty_terrain *small_terrain(bool rocks);
/* a scene over a terrain, with few and small rings */
ty_scene *ground_scene(ty_terrain *terrain, double rock_angle);
ty_vec3 above(ty_terrain *terrain, double x, double y, double height);

/* the device that TYCHO_DEVICE names, or any; NULL, and why is printed: there is none */
ty_device *device_or_null(void);
ty_device *device_or_skip(void); /* the case is skipped where there is none */

/* a wedge of two materials, smooth or with facets */
uint32_t add_wedge(ty_scene *s, ty_vec3 at, bool smooth);

#endif
