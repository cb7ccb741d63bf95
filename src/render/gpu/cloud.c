/* src/render/gpu/cloud.c - dust between surfaces on a device: its grids as they were filled, moved to the traced frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"

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
    bool there = g->cloud_of == flat && g->cloud_version == (grids ? flat->version : 0) && !lost,
         same = ty_norm(ty_sub(g->cloud_centre, s->centre)) == 0.0;
    if (status != TY_OK || !grids || (there && same)) {
        return status;
    }
    for (int i = 0; i < grids && status == TY_OK; i++) {
        ty_k_cloud_grid k = flat->view->grid[i];
        k.low[0] = (float)((double)k.low[0] + flat->from[0] - s->centre.x);
        k.low[1] = (float)((double)k.low[1] + flat->from[1] - s->centre.y);
        k.low[2] = (float)((double)k.low[2] + flat->from[2] - s->centre.z);
        status = tyi_render_gpu_store(g, TYI_GPU_CLOUD, (size_t)i * sizeof k, sizeof k, &k, diag);
    }
    if (status == TY_OK && !there) {
        status = tyi_render_gpu_store(g, TYI_GPU_HAZE, 0, flat->values * sizeof(float), flat->view->value, diag);
    }
    g->cloud_version = status == TY_OK ? flat->version : 0;
    g->cloud_of = flat, g->cloud_centre = s->centre;
    return status;
}
