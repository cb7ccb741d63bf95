/* src/render/gpu/cloud.c - dust between surfaces on a device: made there of its points (kernels/cloud.cl); where kernels run as C, the host's grids.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"

/* as kernels/cloud.cl has it */
typedef struct cloud_job {
    ty_k_cloud_grid grid;
    int32_t group, points, flies;
    float ahead, gravity, scale;
} cloud_job;

#define FULL 3.5e9f /* of 32 bits: what all of a grid's points add up to */

enum { GROUP = 64 };

static ty_status run(tyi_render_gpu *g, const char *kernel, size_t x, size_t y, const ty_device_arg *args, int n,
                     ty_diag *diag)
{
    ty_device_job job = { .kernel = kernel,
                          .global = { (x + GROUP - 1) / GROUP * GROUP, y },
                          .local = { GROUP, y ? 1 : 0 },
                          .args = args,
                          .arg_count = n };
    return ty_device_run(g->cloud_program, &job, NULL, diag);
}

static ty_status clear(tyi_render_gpu *g, const ty_k_cloud_flat *flat, ty_diag *diag)
{
    const int32_t count = (int32_t)flat->values;
    const ty_device_arg args[] = { ty_device_arg_buffer(g->buffer[TYI_GPU_SUM]),
                                   ty_device_arg_buffer(g->buffer[TYI_GPU_HAZE]),
                                   ty_device_arg_value(&count, sizeof count) };
    return run(g, "cloud_clear", flat->values, 0, args, 3, diag);
}

/* one grid: its points, what they add up to, its shade */
static ty_status make_grid(tyi_render_gpu *g, const ty_k_cloud_flat *flat, int i, ty_diag *diag)
{
    ty_k_cloud_grid k = flat->view->grid[i];
    int32_t count = k.n[0] * k.n[1] * k.n[2];
    cloud_job job = { k,
                      flat->group[i],
                      (int32_t)flat->points,
                      flat->track != NULL,
                      flat->ahead,
                      flat->gravity,
                      FULL * k.h * k.h * k.h / flat->total[i] };
    const float each = 1.0f / job.scale;
    ty_device_buffer *sum = g->buffer[TYI_GPU_SUM], *value = g->buffer[TYI_GPU_HAZE];
    const ty_device_arg add[] = { ty_device_arg_value(&job, sizeof job), ty_device_arg_buffer(g->buffer[TYI_GPU_POINT]),
                                  ty_device_arg_buffer(g->buffer[TYI_GPU_TRACK]), ty_device_arg_buffer(sum),
                                  ty_device_arg_buffer(value) };
    const ty_device_arg density[] = { ty_device_arg_buffer(sum), ty_device_arg_buffer(value),
                                      ty_device_arg_value(&k.node, sizeof k.node),
                                      ty_device_arg_value(&count, sizeof count),
                                      ty_device_arg_value(&each, sizeof each) };
    ty_status status = run(g, "cloud_add", flat->points, 0, add, 5, diag);
    status = status == TY_OK ? run(g, "cloud_density", (size_t)count, 0, density, 5, diag) : status;
    const float *sun = flat->view->k.sun;
    bool shaded = sun[0] != 0.0f || sun[1] != 0.0f || sun[2] != 0.0f;
    ty_k_cloud_cast cast = shaded ? ty_k_cloud_cast_make(&k, sun) : (ty_k_cloud_cast){ 0 };
    for (int32_t slab = 0; slab < cast.slabs && status == TY_OK; slab++) {
        const ty_device_arg shade[] = { ty_device_arg_value(&cast, sizeof cast),
                                        ty_device_arg_value(&k.node, sizeof k.node),
                                        ty_device_arg_value(&k.shade, sizeof k.shade),
                                        ty_device_arg_value(&slab, sizeof slab), ty_device_arg_buffer(value) };
        status = run(g, "cloud_shade", (size_t)cast.across, (size_t)cast.down, shade, 5, diag);
    }
    return status;
}

/* values made on the device; points go there once */
static ty_status make_there(tyi_render_gpu *g, const ty_k_cloud_flat *flat, bool points, ty_diag *diag)
{
    bool lost = false;
    ty_status status = TY_OK;
    if (!g->cloud_program) {
        status = ty_device_build(g->device, "#include \"cloud.cl\"\n", TY_FLOAT, "", &g->cloud_program, diag);
    }
    status = status == TY_OK ? tyi_render_gpu_room(g, TYI_GPU_SUM, flat->values * 4, &lost, diag) : status;
    status = status == TY_OK ? tyi_render_gpu_room(g, TYI_GPU_TRACK, 0, &lost, diag) : status;
    if (status == TY_OK && points) {
        status = tyi_render_gpu_put(g, TYI_GPU_POINT, flat->point, flat->points * sizeof *flat->point, diag);
    }
    if (status == TY_OK && points && flat->track) {
        status = tyi_render_gpu_put(g, TYI_GPU_TRACK, flat->track, flat->points * sizeof *flat->track, diag);
    }
    status = status == TY_OK ? clear(g, flat, diag) : status;
    for (int i = 0; i < flat->view->k.grids && status == TY_OK; i++) {
        status = make_grid(g, flat, i, diag);
    }
    return status;
}

/* grids in the traced frame */
static ty_status put_grids(tyi_render_gpu *g, const ty_scene *s, const ty_k_cloud_flat *flat, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < flat->view->k.grids && status == TY_OK; i++) {
        ty_k_cloud_grid k = flat->view->grid[i];
        k.low[0] = (float)((double)k.low[0] + flat->from[0] - s->centre.x);
        k.low[1] = (float)((double)k.low[1] + flat->from[1] - s->centre.y);
        k.low[2] = (float)((double)k.low[2] + flat->from[2] - s->centre.z);
        status = tyi_render_gpu_store(g, TYI_GPU_CLOUD, (size_t)i * sizeof k, sizeof k, &k, diag);
    }
    return status;
}

ty_status tyi_render_gpu_put_cloud(tyi_render_gpu *g, const ty_scene *s, ty_diag *diag)
{
    const ty_k_cloud_flat *flat = s->medium.parts ? s->medium.flat : NULL;
    bool lost = false;
    int grids = flat ? flat->view->k.grids : 0;
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_CLOUD, (size_t)grids * sizeof(ty_k_cloud_grid), &lost, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_HAZE, grids ? flat->values * sizeof(float) : 0, &lost, diag);
    }
    g->cloud = grids ? flat->view->k : (ty_k_cloud){ 0 };
    if (status != TY_OK || !grids) {
        return status;
    }
    bool there = g->cloud_of == flat && g->cloud_version == flat->version && !lost,
         same = ty_norm(ty_sub(g->cloud_centre, s->centre)) == 0.0 && there;
    if (!same) {
        status = put_grids(g, s, flat, diag);
    }
    if (status == TY_OK && g->device && (!there || g->cloud_ahead != flat->ahead)) {
        status = make_there(g, flat, !there, diag);
    } else if (status == TY_OK && !there) {
        flat->make(flat->user);
        status = tyi_render_gpu_store(g, TYI_GPU_HAZE, 0, flat->values * sizeof(float), flat->view->value, diag);
    }
    g->cloud_of = flat, g->cloud_centre = s->centre, g->cloud_ahead = flat->ahead;
    g->cloud_version = status == TY_OK ? flat->version : 0;
    return status;
}
