/* src/sensor/lidar_scan.c - a lidar's rays through a scene.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/tools/lidar_scan.h"

ty_status ty_lidar_scan(ty_lidar *lidar, ty_scene *scene, const ty_track *track, ty_time start, uint64_t frame,
                        const ty_buffer **points, ty_diag *diag)
{
    *points = NULL;
    const ty_lidar_def *def = ty_lidar_get_def(lidar);
    const ty_buffer *returns;
    ty_lidar_rays rays;
    ty_status status = ty_lidar_aim(lidar, track, start, &rays, diag);
    if (status == TY_OK) {
        status = ty_scene_trace(scene, rays.centre, rays.ray, rays.count, def->band, def->threads, rays.hit, diag);
    }
    if (status == TY_OK) {
        status = ty_lidar_echo(lidar, frame, &returns, diag);
    }
    return status == TY_OK ? ty_lidar_points(lidar, frame, points, diag) : status;
}
