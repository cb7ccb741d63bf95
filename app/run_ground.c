/* app/run_ground.c - the ground of a run: a picture of the rover on it at the end, and its heights before and after.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "render.h"
#include "run.h"

/* The rover from behind, with its tracks; from the side on which the Sun is more in the back. For the report. */
ty_status run_overview(const run_record *r, ty_run *run, const char *asked, ty_diag *diag)
{
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(run, 0), &s);
    ty_vec3 forward = ty_rotate(s.pose.q, ty_vec3_make(1, 0, 0)), sun = ty_run_sky(run).sun.dir_W;
    double back = atan2(-forward.y, -forward.x), away = 6.5;
    double left = back - 0.65, right = back + 0.65;
    double from = sun.x * cos(left) + sun.y * sin(left) > sun.x * cos(right) + sun.y * sin(right) ? left : right;
    ty_camera camera = ty_camera_default();
    camera.width = 1200, camera.height = 750, camera.hfov = 55.0 * TY_DEG;
    double x = s.pose.p.x + away * cos(from), y = s.pose.p.y + away * sin(from), z;
    ty_status status = ty_terrain_sample(ty_world_terrain(ty_run_world(run)), 2, 1, &x, &y, &z, NULL, diag);
    camera.pose.p = ty_vec3_make(x, y, fmax(z + 1.2, s.pose.p.z + 1.6));
    ty_vec3 to = ty_sub(ty_add(s.pose.p, ty_vec3_make(0, 0, 0.4)), camera.pose.p);
    camera.pose.q = ty_camera_look(atan2(to.x, to.y), atan2(to.z, hypot(to.x, to.y)), 0.0);
    render_job picture = { .white = NAN, .gamma = 2.2, .silent = true, .camera = camera };
    char path[4300];
    snprintf(path, sizeof path, "%s/overview.png", r->folder);
    if (asked) {
        snprintf(path, sizeof path, "%s", asked);
    }
    picture.path = path;
    size_t pixels = (size_t)camera.width * (size_t)camera.height;
    picture.out.radiance = status == TY_OK ? malloc(pixels * sizeof(float)) : NULL;
    if (picture.out.radiance) {
        ty_render_def def = ty_render_def_default();
        def.samples = 18;
        def.depth = 2; /* the light that the ground throws back into shadows */
        def.split = RENDER_SPLIT;
        status = ty_run_render(run, &camera, &def, &picture.out, diag);
        picture.white = run_white(picture.out.radiance, pixels);
        status = status == TY_OK ? render_write(&picture, diag) : status;
    }
    free(picture.out.radiance);
    return status;
}

#define SAMPLES 4000000 /* at most, so that a long way does not fill the disk: 40 x 40 m at 2 cm, then coarser */

ty_status run_ground(run_record *r, ty_run *run, ty_diag *diag)
{
    char before[4300], after[4300];
    snprintf(before, sizeof before, "%s/terrain_before.tif", r->folder);
    snprintf(after, sizeof after, "%s/terrain_after.tif", r->folder);
    return ty_terrain_write_edits(ty_world_terrain(ty_run_world(run)), SAMPLES, before, after, &r->ground, diag);
}
