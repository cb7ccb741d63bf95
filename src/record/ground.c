/* src/record/ground.c - the ground of a run: a picture of the rover on it at the end, and its heights before and after.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "record.h"

/* The rover from behind, with its tracks; from the side on which the Sun is more in the back. For the report. */
#define SPLIT 8 /* ty_render_def.split of pictures to look at; cameras of rovers have none */

ty_status tyi_record_overview(const ty_record *r, ty_diag *diag)
{
    ty_run *run = r->run;
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(run, 0), &s);
    ty_vec3 forward = ty_rotate(s.pose.q, ty_vec3_make(1, 0, 0)), sun = ty_run_sky(run).sun.dir_W;
    double back = atan2(-forward.y, -forward.x), away = 6.5;
    double left = back - 0.65, right = back + 0.65;
    double from = sun.x * cos(left) + sun.y * sin(left) > sun.x * cos(right) + sun.y * sin(right) ? left : right;
    ty_camera camera = ty_camera_default();
    camera.width = r->def.overview_width, camera.height = camera.width * 5 / 8, camera.hfov = 55.0 * TY_DEG;
    double x = s.pose.p.x + away * cos(from), y = s.pose.p.y + away * sin(from), z;
    ty_status status = ty_terrain_sample(ty_world_terrain(ty_run_world(run)), 2, 1, &x, &y, &z, NULL, diag);
    camera.pose.p = ty_vec3_make(x, y, fmax(z + 1.2, s.pose.p.z + 1.6));
    ty_vec3 to = ty_sub(ty_add(s.pose.p, ty_vec3_make(0, 0, 0.4)), camera.pose.p);
    camera.pose.q = ty_camera_look(atan2(to.x, to.y), atan2(to.z, hypot(to.x, to.y)), 0.0);
    char path[TYI_RECORD_PATH];
    tyi_record_path(r, "overview.png", path);
    const char *to_file = r->overview[0] ? r->overview : path;
    size_t pixels = (size_t)camera.width * (size_t)camera.height;
    ty_render_buffers out = { .radiance = status == TY_OK ? malloc(pixels * sizeof(float)) : NULL,
                              .kind = status == TY_OK ? malloc(pixels) : NULL };
    if (out.radiance && out.kind) {
        ty_render_def def = ty_render_def_default();
        def.samples = 18;
        def.depth = 2; /* the light that the ground throws back into shadows */
        def.split = SPLIT;
        status = ty_run_render(run, &camera, &def, &out, diag);
        ty_buffer_type type = { camera.width, camera.height, 1, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
        ty_buffer image = ty_buffer_wrap(&type, out.radiance);
        status = status == TY_OK
                     ? tyi_record_write_gray(&image, 0.0,
                                             ty_tone_white(out.radiance, out.kind, pixels, (ty_tone_rule){ 0.96, 1.5 }),
                                             to_file, diag)
                     : status;
    } else if (status == TY_OK) {
        status = ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture of the rover");
    }
    free(out.radiance), free(out.kind);
    return status;
}

#define SAMPLES 4000000 /* at most, so that a long way does not fill the disk: 40 x 40 m at 2 cm, then coarser */

ty_status tyi_record_ground(ty_record *r, ty_diag *diag)
{
    char before[TYI_RECORD_PATH], after[TYI_RECORD_PATH];
    return ty_terrain_write_edits(ty_world_terrain(ty_run_world(r->run)), SAMPLES,
                                  tyi_record_path(r, "terrain_before.tif", before),
                                  tyi_record_path(r, "terrain_after.tif", after), &r->ground, diag);
}
