/* src/sensor/lidar_scan.c - a lidar's rays through a scene.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/tools/lidar_scan.h"
#include <math.h>
#include "inner.h"
#include "lidar/lidar.h"
#include "render/inner.h"

#define FAINT 1e-3 /* [-] share of the light that is worth following */
#define OFF   1e-4 /* [m] from the mirror, so that it is not met again */

/* What the beams meet in mirrors. The light goes there and comes back the same way, twice over the mirror: the echo lies in the
 * beam's direction, as far away as the whole way, as the mirror's image of the thing does. */
static ty_status follow(ty_lidar *l, ty_scene *scene, const ty_lidar_rays *rays, int band, int threads, ty_diag *diag)
{
    size_t n = 0;
    for (size_t i = 0; i < rays->count; i++) {
        const ty_trace_ray *r = &rays->ray[i];
        const ty_trace_hit *h = &rays->hit[i];
        double left = r->far - h->range;
        if (!(left > 0.0) || tyi_render_mirror(scene, h, r->dir) < FAINT) {
            continue;
        }
        ty_vec3 at = ty_add(r->from, ty_add(ty_scale(h->range, r->dir), ty_scale(OFF, h->normal)));
        ty_vec3 on = ty_sub(r->dir, ty_scale(2.0 * ty_dot(r->dir, h->normal), h->normal));
        l->way[n] = (ty_trace_ray){ at, ty_normalize(on), left, r->time };
        l->of[n++] = (uint32_t)i;
    }
    ty_status status = n ? ty_scene_trace(scene, rays->centre, l->way, n, band, threads, l->met, diag) : TY_OK;
    for (size_t k = 0; k < n && status == TY_OK; k++) {
        const ty_trace_hit *first = &rays->hit[l->of[k]];
        double share = tyi_render_mirror(scene, first, rays->ray[l->of[k]].dir);
        ty_trace_hit *ghost = &l->ghost[l->of[k]];
        *ghost = l->met[k];
        ghost->range += first->range;
        ghost->reflectance *= (float)(share * share);
        ghost->tau += first->tau;
    }
    return status;
}

ty_status tyi_sensor_lidar_trace(ty_lidar *l, ty_scene *scene, const ty_lidar_rays *rays, int band, int threads,
                                 ty_diag *diag)
{
    ty_status status = ty_scene_trace(scene, rays->centre, rays->ray, rays->count, band, threads, rays->hit, diag);
    return status == TY_OK && l->ghost ? follow(l, scene, rays, band, threads, diag) : status;
}

ty_status ty_lidar_scan(ty_lidar *lidar, ty_scene *scene, const ty_track *track, ty_time start, uint64_t frame,
                        const ty_buffer **points, ty_diag *diag)
{
    *points = NULL;
    const ty_lidar_def *def = ty_lidar_get_def(lidar);
    const ty_buffer *returns;
    ty_lidar_rays rays;
    ty_status status = ty_lidar_aim(lidar, track, start, &rays, diag);
    if (status == TY_OK) {
        status = tyi_sensor_lidar_trace(lidar, scene, &rays, def->band, def->threads, diag);
    }
    if (status == TY_OK) {
        status = ty_lidar_echo(lidar, frame, &returns, diag);
    }
    return status == TY_OK ? ty_lidar_points(lidar, frame, points, diag) : status;
}
