/* src/render/host/film.h - a frame and its scene as the kernels have them (k_film.h): the host traces rays by Embree, and makes rays of the lens and surfaces by the very functions that a
 * device does. Only files that work in float include this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_FILM_H
#define TYI_RENDER_FILM_H
#ifndef TY_KERNEL_FLOAT
#error "kernels in single precision here"
#endif
#include "frame.h"
#include "k_film.h"

/* What kernels are told of a frame: all but where a device's trees and dust are. */
ty_k_frame tyi_render_film_of(const ty_scene *scene, const ty_camera *camera, const ty_render_def *def, float cone);
/* the ray of a lens of the program's own, a C function */
ty_k_ray tyi_render_film_own(const ty_camera *camera, float u, float v);
/* The flat scene, which is up to date, for code that shades; it has no tile yet, and no trees. */
ty_k_view tyi_render_film_view(const ty_scene *scene);

#endif
