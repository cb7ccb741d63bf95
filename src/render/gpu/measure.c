/* src/render/gpu/measure.c - for benchmarks: what a frame on a device costs, beside the bare walk over a height field.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include <math.h>
#include "gpu.h"
#include "k_ray.h"
#include "world/terrain/patch.h"
#include "inner.h"

/* as kernels/render.cl has it */
typedef struct walk_view {
    float eye[3], right[3], down[3], ahead[3], sun[3];
    int32_t width, height;
} walk_view;

/* a direction of W in the field's units */
static void in_cells(ty_vec3 v, double d, float out[3])
{
    out[0] = (float)(v.x / d), out[1] = (float)(v.y / d), out[2] = (float)v.z;
}

static walk_view view_of(const ty_terrain_patch *p, const ty_camera *c, ty_vec3 sun)
{
    walk_view w = { .width = c->width, .height = c->height };
    double f = 0.5 * c->width / tan(0.5 * c->hfov);
    ty_vec3 x = ty_rotate(c->pose.q, ty_vec3_make(1.0 / f, 0, 0)),
            y = ty_rotate(c->pose.q, ty_vec3_make(0, 1.0 / f, 0)),
            z = ty_rotate(c->pose.q, ty_vec3_make(-0.5 * c->width / f, -0.5 * c->height / f, 1.0));
    /* cell (i, j) lies between samples i + 1 and i + 2 */
    w.eye[0] = (float)(c->pose.p.x / p->d - p->i0 - 1), w.eye[1] = (float)(c->pose.p.y / p->d - p->j0 - 1);
    w.eye[2] = (float)(c->pose.p.z - p->z0);
    in_cells(x, p->d, w.right), in_cells(y, p->d, w.down), in_cells(z, p->d, w.ahead), in_cells(sun, p->d, w.sun);
    return w;
}

enum { FIELD, TOP, BOTTOM, OUT, BUFFERS };

static ty_status walk(ty_device *device, ty_device_program *program, const ty_terrain_patch *p, const walk_view *w,
                      int frames, double *seconds, size_t *rays, const ty_alloc *alloc, ty_diag *diag)
{
    size_t pixels = (size_t)w->width * (size_t)w->height;
    const size_t bytes[BUFFERS] = { (size_t)p->nx * (size_t)p->ny * 4, p->nodes * 4, p->nodes * 4, pixels * 4 };
    const void *data[BUFFERS] = { p->h, p->top, p->bottom, NULL };
    ty_device_buffer *b[BUFFERS] = { NULL };
    ty_status status = TY_OK;
    for (int k = 0; k < BUFFERS && status == TY_OK; k++) {
        status = ty_device_buffer_create(device, bytes[k], data[k], &b[k], diag);
    }
    const ty_device_arg args[] = { ty_device_arg_value(&p->field, sizeof p->field),
                                   ty_device_arg_buffer(b[FIELD]),
                                   ty_device_arg_buffer(b[TOP]),
                                   ty_device_arg_buffer(b[BOTTOM]),
                                   ty_device_arg_value(w, sizeof *w),
                                   ty_device_arg_buffer(b[OUT]) };
    ty_device_job job = { .kernel = "walk",
                          .global = { ((size_t)w->width + 15) / 16 * 16, ((size_t)w->height + 7) / 8 * 8 },
                          .local = { 16, 8 },
                          .args = args,
                          .arg_count = 6 };
    for (int batch = 0; batch < 4 && status == TY_OK; batch++) {
        double start = tyi_now();
        for (int i = 0; i < frames && status == TY_OK; i++) {
            status = ty_device_run(program, &job, NULL, diag);
        }
        status = status == TY_OK ? ty_device_finish(device, diag) : status;
        *seconds = batch > 0 ? fmin(*seconds, (tyi_now() - start) / frames) : (double)INFINITY;
    }
    float *out = tyi_get(alloc, pixels * 4);
    if (status == TY_OK && out) {
        status = ty_device_read(b[OUT], 0, pixels * 4, out, diag);
        for (size_t i = 0; i < pixels; i++) {
            *rays += out[i] > 0.0f ? 2 : 1;
        }
    }
    tyi_put(alloc, out, pixels * 4);
    for (int k = 0; k < BUFFERS; k++) {
        ty_device_buffer_destroy(b[k]);
    }
    return status;
}

ty_status tyi_render_measure_walk(ty_terrain *terrain, ty_device *device, const ty_camera *camera, ty_vec3 sun,
                                  int cells, ty_render_bench *out, ty_diag *diag)
{
    ty_terrain_patch *p = NULL;
    ty_device_program *program = NULL;
    *out = (ty_render_bench){ .seconds = (double)INFINITY };
    double d = ty_terrain_spacing(terrain, 0);
    int i0 = (int)floor(camera->pose.p.x / d) - cells / 2, j0 = (int)floor(camera->pose.p.y / d) - cells / 2;
    ty_status status = ty_terrain_patch_create(terrain, 0, i0, j0, cells + 3, cells + 3, 0, &p, diag);
    if (status == TY_OK) {
        status = ty_device_build(device, "#include \"render.cl\"\n", TY_FLOAT, "-DTY_K_BANDS=1", &program, diag);
    }
    if (status == TY_OK) {
        walk_view w = view_of(p, camera, sun);
        status = walk(device, program, p, &w, 20, &out->seconds, &out->rays, NULL, diag);
    }
    ty_device_program_destroy(program);
    ty_terrain_patch_destroy(p);
    return status;
}
