/* src/record/ground.c - the ground of a run: a picture of the rover on it at the end, and its heights before and after.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "record.h"
#include "io/rasters.h"

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

/* the median of a pixel and its neighbours of the same class */
static float median_at(const float *in, const uint8_t *kind, int w, int h, int x, int y)
{
    float near[9];
    size_t n = 0, at = (size_t)y * (size_t)w + (size_t)x;
    for (int k = 0; k < 9; k++) {
        int i = x + k % 3 - 1, j = y + k / 3 - 1;
        size_t to = (size_t)j * (size_t)w + (size_t)i;
        if (i >= 0 && i < w && j >= 0 && j < h && kind[to] == kind[at]) {
            near[n++] = in[to];
        }
    }
    qsort(near, n, sizeof near[0], by_value);
    return near[n / 2];
}

/* a coarse picture with its classes, and room for what is left of it without outliers */
typedef struct coarse {
    float *light, *calm;
    const uint8_t *kind;
    int w, h;
} coarse;

/* Its light at a place, `from` one of its two arrays, from pixels of one class alone, so that none of the ground's falls on the sky behind a mast;
 * reach [px], narrow [1/px^2]: of the bell that weighs them */
static double light_at(const coarse *c, const float *from, double u, double v, uint8_t kind, int reach, double narrow)
{
    double sum = 0.0, weight = 0.0;
    int x = (int)lround(u), y = (int)lround(v);
    for (int j = y - reach; j <= y + reach; j++) {
        for (int i = x - reach; i <= x + reach; i++) {
            size_t at = (size_t)j * (size_t)c->w + (size_t)i;
            if (i >= 0 && i < c->w && j >= 0 && j < c->h && c->kind[at] == kind) {
                double near = exp(-narrow * ((i - u) * (i - u) + (j - v) * (j - v)));
                sum += near * (double)from[at], weight += near;
            }
        }
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

static void add_coarse(float *out, const uint8_t *kind, int w, int h, const coarse *c)
{
    for (int i = 0; i < c->w * c->h; i++) {
        c->calm[i] = median_at(c->light, c->kind, c->w, c->h, i % c->w, i / c->w);
    }
    /* what is thrown back varies slowly: what is left of the grain would be blotches of some pixels */
    for (int i = 0; i < c->w * c->h; i++) {
        c->light[i] = (float)light_at(c, c->calm, i % c->w, i / c->w, c->kind[i], 5, 0.1);
    }
    for (int i = 0; i < w * h; i++) {
        if (kind[i] != TY_CLASS_SKY) {
            double u = (i % w + 0.5) / COARSE - 0.5, v = (i / w + 0.5) / COARSE - 0.5;
            out[i] += (float)light_at(c, c->light, u, v, kind[i], 2, 0.7);
        }
    }
}

static ty_status light_from_ground(ty_run *run, const ty_camera *camera, const ty_render_buffers *out, ty_diag *diag)
{
    ty_camera small = *camera;
    small.width = camera->width / COARSE, small.height = camera->height / COARSE;
    size_t pixels = (size_t)small.width * (size_t)small.height;
    float *both = malloc(2 * pixels * sizeof *both), *straight = both ? both + pixels : NULL;
    uint8_t *kind = malloc(pixels);
    ty_render_def def = ty_render_def_default();
    def.samples = SPREAD, def.depth = 2, def.split = SPLIT;
    ty_status status =
        both && kind ? ty_run_render(run, &small, &def, &(ty_render_buffers){ .radiance = both, .kind = kind }, diag)
                     : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture of the rover");
    def.depth = 1, def.split = 0;
    if (status == TY_OK) {
        status = ty_run_render(run, &small, &def, &(ty_render_buffers){ .radiance = straight }, diag);
    }
    if (status == TY_OK) {
        for (size_t i = 0; i < pixels; i++) {
            both[i] = fmaxf(both[i] - straight[i], 0.0f);
        }
        const coarse c = { both, straight, kind, small.width, small.height };
        add_coarse(out->radiance, out->kind, camera->width, camera->height, &c);
    }
    free(both), free(kind);
    return status;
}

/* A rover's sunlit side is tens of times as bright as ground under a low Sun: the knee is at bright ground, white at the
 * brightest of everything, so that dark cells and bright blankets are told apart. */
static ty_tone overview_tone(const ty_render_buffers *b, size_t pixels)
{
    double ground = ty_tone_white(b->radiance, b->kind, pixels, (ty_tone_rule){ 0.96, 1.0 });
    double all = ty_tone_white(b->radiance, NULL, pixels, ty_tone_single());
    return (ty_tone){ .white = fmax(all, 1.5 * ground), .gamma = 2.2, .knee = ground };
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
        status = status == TY_OK ? light_from_ground(run, &camera, &out, diag) : status;
        ty_buffer_type type = { camera.width, camera.height, 1, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
        ty_buffer image = ty_buffer_wrap(&type, out.radiance);
        const ty_tone tone = overview_tone(&out, pixels);
        status = status == TY_OK ? tyi_record_write_gray(&image, &tone, to_file, diag) : status;
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
    if (!tyi_io_raster_able()) { /* `tycho --version` says that this build has no GDAL */
        return TY_OK;
    }
    return ty_terrain_write_edits(ty_world_terrain(ty_run_world(r->run)), SAMPLES,
                                  tyi_record_path(r, "terrain_before.tif", before),
                                  tyi_record_path(r, "terrain_after.tif", after), &r->ground, diag);
}
