/* src/render/gpu/gpu.c - a scene on a device, kept up to date by versions: sections of the flat scene whose version is another one
 * are written anew, heights tile by tile. Without a device the same kernels run as C over arrays in memory: where there is no
 * Embree, and to be held against both.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <stdio.h>
#include <string.h>

ty_status tyi_render_gpu_create(ty_device *device, const ty_alloc *alloc, tyi_render_gpu **out, ty_diag *diag)
{
    tyi_render_gpu *g = tyi_get(alloc, sizeof *g);
    if (!g) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a device");
    }
    memset(g, 0, sizeof *g);
    g->alloc = alloc, g->device = device;
    *out = g;
    return TY_OK;
}

void tyi_render_gpu_destroy(tyi_render_gpu *g)
{
    if (!g) {
        return;
    }
    for (int k = 0; k < TYI_GPU_BUFFERS; k++) {
        ty_device_buffer_destroy(g->buffer[k]);
        tyi_render_gpu_drop(g, &g->array[k]);
    }
    for (int k = 0; k < TYI_GPU_PROGRAMS; k++) {
        ty_device_program_destroy(g->film[k]);
    }
    ty_device_program_destroy(g->program);
    tyi_device_unpin(&g->stage);
    tyi_put(g->alloc, g->bent, TY_K_CURVE * sizeof(float));
    tyi_render_gpu_pool *all[] = { &g->slot,  &g->node,  &g->item,  &g->root,   &g->box,
                                   &g->fresh, &g->truth, &g->hapke, &g->counts, &g->spark };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        tyi_render_gpu_drop(g, all[k]);
    }
    tyi_put(g->alloc, g, sizeof *g);
}

/* samples of a pixel that stand side by side in a group; a power of two up to 16 */
static int together(const ty_device *device, int samples)
{
    int n = 1;
    while (ty_device_get_info(device)->gpu && n < 16 && 2 * n <= samples) {
        n *= 2;
    }
    return n;
}

/* the programs for so many bands and samples: films by how many samples stand together, and all the other kernels */
static ty_status build(tyi_render_gpu *g, int bands, int samples, ty_diag *diag)
{
    if (!g->device) {
        return TY_OK;
    }
    if (g->bands != bands) {
        for (int i = 0; i < TYI_GPU_PROGRAMS; i++) {
            ty_device_program_destroy(g->film[i]);
            g->film[i] = NULL;
        }
        ty_device_program_destroy(g->program);
        g->program = NULL;
        g->bands = bands;
    }
    char options[64];
    ty_status status = TY_OK;
    if (!g->program) {
        snprintf(options, sizeof options, "-DTY_K_BANDS=%d", bands);
        status = ty_device_build(g->device, "#include \"render.cl\"\n", TY_FLOAT, options, &g->program, diag);
    }
    if (samples == 0 || status != TY_OK) {
        return status;
    }
    g->together = together(g->device, samples);
    g->which = 0;
    for (int n = g->together; n > 1; n /= 2) {
        g->which++;
    }
    if (!g->film[g->which]) {
        snprintf(options, sizeof options, "-DTY_K_BANDS=%d -DTY_K_TOGETHER=%d", bands, g->together);
        status = ty_device_build(g->device, "#include \"render.cl\"\n", TY_FLOAT, options, &g->film[g->which], diag);
    }
    return status;
}

const char *tyi_render_gpu_cannot(ty_scene *s, const ty_camera *camera)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    if (!f) {
        return "there is no memory for the flat scene";
    }
    if (f->host_only) {
        return f->host_only & TY_K_SCENE_HAS_CLODS ? "there is loose soil in the scene"
                                                   : "a law or light of the scene is a C function";
    }
    if (camera && camera->lens == TY_LENS_OWN) {
        return "the camera's lens is a C function";
    }
    if (s->medium.parts) {
        return "there is a medium between the surfaces";
    }
    return NULL;
}

ty_status tyi_render_gpu_update(tyi_render_gpu *g, ty_scene *s, int samples, ty_diag *diag)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    if (!f) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for the flat scene");
    }
    bool known = g->known[TY_K_SCENE_MESH],
         laws = !g->known[TY_K_SCENE_MATERIAL] ||
                g->version[TY_K_SCENE_MATERIAL] != f->section[TY_K_SCENE_MATERIAL].version;
    bool meshes = !known || g->version[TY_K_SCENE_INDEX] != f->section[TY_K_SCENE_INDEX].version ||
                  g->version[TY_K_SCENE_MESH] != f->section[TY_K_SCENE_MESH].version;
    bool tiles = !known || g->version[TY_K_SCENE_TILE] != f->section[TY_K_SCENE_TILE].version;
    bool things = g->version[TY_K_SCENE_INSTANCE] != f->section[TY_K_SCENE_INSTANCE].version;
    ty_status status = build(g, s->def.bands, samples, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_put_sections(g, f, diag);
    }
    if (status == TY_OK && laws) {
        status = tyi_render_gpu_put_laws(g, s, f, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_put_ground(g, s, diag);
    }
    return status == TY_OK ? tyi_render_gpu_update_trees(g, s, f, meshes, tiles, things, diag) : status;
}

ty_device *tyi_render_gpu_device(const tyi_render_gpu *g)
{
    return g->device;
}
