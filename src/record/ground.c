/* src/record/ground.c - the ground of a run: a picture of the rover on it at the end, and its heights before and after.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "record.h"

/* ---- the picture of the rover: light straight from the Sun at full size; the little that the ground throws back into shadows,
 * which is dear, grainy and smooth, from a picture of a quarter of the size without its outliers ---- */

#define DIRECT 4 /* samples of a pixel */
#define COARSE 4 /* times smaller */
#define SPREAD 6 /* samples of a pixel there */
#define SPLIT  4 /* ty_render_def.split of it; cameras of rovers have none */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* the median of a pixel and its neighbours */
static float median_at(const float *in, int w, int h, int x, int y)
{
    float near[9];
    size_t n = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h) {
                near[n++] = in[(size_t)(y + dy) * (size_t)w + (size_t)(x + dx)];
            }
        }
    }
    qsort(near, n, sizeof near[0], by_value);
    return near[n / 2];
}

/* adds the light of a coarse picture, its outliers taken out, between its pixels */
static void add_coarse(float *out, int w, int h, const float *coarse, float *calm, int cw, int ch)
{
    for (int i = 0; i < cw * ch; i++) {
        calm[i] = median_at(coarse, cw, ch, i % cw, i / cw);
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            double u = fmin(fmax((x + 0.5) / COARSE - 0.5, 0.0), cw - 1.0),
                   v = fmin(fmax((y + 0.5) / COARSE - 0.5, 0.0), ch - 1.0);
            int i = (int)fmin(u, cw - 2.0), k = (int)fmin(v, ch - 2.0);
            double s = u - i, t = v - k;
            const float *c = calm + (size_t)k * (size_t)cw + (size_t)i;
            double low = (1.0 - s) * (double)c[0] + s * (double)c[1],
                   high = (1.0 - s) * (double)c[cw] + s * (double)c[cw + 1];
            out[(size_t)y * (size_t)w + (size_t)x] += (float)((1.0 - t) * low + t * high);
        }
    }
}

static ty_status light_from_ground(ty_run *run, const ty_camera *camera, float *radiance, ty_diag *diag)
{
    ty_camera small = *camera;
    small.width = camera->width / COARSE, small.height = camera->height / COARSE;
    size_t pixels = (size_t)small.width * (size_t)small.height;
    float *both = malloc(3 * pixels * sizeof *both), *straight = both ? both + pixels : NULL;
    ty_render_def def = ty_render_def_default();
    def.samples = SPREAD, def.depth = 2, def.split = SPLIT;
    ty_status status = both ? ty_run_render(run, &small, &def, &(ty_render_buffers){ .radiance = both }, diag)
                            : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture of the rover");
    def.depth = 1, def.split = 0;
    if (status == TY_OK) {
        status = ty_run_render(run, &small, &def, &(ty_render_buffers){ .radiance = straight }, diag);
    }
    if (status == TY_OK) {
        for (size_t i = 0; i < pixels; i++) {
            both[i] = fmaxf(both[i] - straight[i], 0.0f);
        }
        add_coarse(radiance, camera->width, camera->height, both, straight, small.width, small.height);
    }
    free(both);
    return status;
}

/* The rover from behind, with its tracks; from the side on which the Sun is more in the back. For the report. */
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
        def.samples = DIRECT;
        status = ty_run_render(run, &camera, &def, &out, diag);
        status = status == TY_OK ? light_from_ground(run, &camera, out.radiance, diag) : status;
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
