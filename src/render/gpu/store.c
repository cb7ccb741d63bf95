/* src/render/gpu/store.c - buffers of a device, or arrays in memory, that grow; sections of the flat scene in them.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <string.h>

/* sections that are buffers as they are */
static const struct {
    int buffer, section;
} same[] = { { TYI_GPU_MATERIAL, TY_K_SCENE_MATERIAL },
             { TYI_GPU_MESH, TY_K_SCENE_MESH },
             { TYI_GPU_INSTANCE, TY_K_SCENE_INSTANCE },
             { TYI_GPU_VERTEX, TY_K_SCENE_VERTEX },
             { TYI_GPU_INDEX, TY_K_SCENE_INDEX },
             { TYI_GPU_NORMAL, TY_K_SCENE_NORMAL },
             { TYI_GPU_UV, TY_K_SCENE_UV },
             { TYI_GPU_WHICH, TY_K_SCENE_WHICH },
             { TYI_GPU_TEXTURE, TY_K_SCENE_TEXTURE },
             { TYI_GPU_TEXEL, TY_K_SCENE_TEXEL },
             { TYI_GPU_MAP, TY_K_SCENE_MAP },
             { TYI_GPU_MAP_TEXEL, TY_K_SCENE_MAP_TEXEL },
             { TYI_GPU_REGION, TY_K_SCENE_REGION },
             { TYI_GPU_CORNER, TY_K_SCENE_CORNER },
             { TYI_GPU_LIGHT, TY_K_SCENE_LIGHT } };

bool tyi_render_gpu_need(const tyi_render_gpu *g, tyi_render_gpu_pool *p, size_t bytes)
{
    if (p->bytes >= bytes) {
        return true;
    }
    size_t room = bytes + bytes / 2;
    void *more = tyi_get(g->alloc, room);
    if (!more) {
        return false;
    }
    if (p->bytes) {
        memcpy(more, p->data, p->bytes);
        tyi_put(g->alloc, p->data, p->bytes);
    }
    memset((char *)more + p->bytes, 0, room - p->bytes);
    p->data = more, p->bytes = room;
    return true;
}

void tyi_render_gpu_drop(const tyi_render_gpu *g, tyi_render_gpu_pool *p)
{
    tyi_put(g->alloc, p->data, p->bytes);
    *p = (tyi_render_gpu_pool){ 0 };
}

ty_status tyi_render_gpu_room(tyi_render_gpu *g, int which, size_t bytes, bool *lost, ty_diag *diag)
{
    size_t have = g->buffer[which] ? ty_device_buffer_bytes(g->buffer[which]) : g->array[which].bytes;
    bytes = bytes < 256 ? 256 : bytes;
    if (have >= bytes) {
        return TY_OK;
    }
    *lost = true;
    if (!g->device) {
        return tyi_render_gpu_need(g, &g->array[which], bytes)
                   ? TY_OK
                   : ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu bytes", bytes);
    }
    ty_device_buffer_destroy(g->buffer[which]);
    g->buffer[which] = NULL;
    ty_status status = TY_ERR_MEMORY;
    if (have) { /* some to spare, where there is */
        status = ty_device_buffer_create(g->device, bytes + bytes / 2, NULL, &g->buffer[which], NULL);
    }
    if (status != TY_OK) {
        status = ty_device_buffer_create(g->device, bytes, NULL, &g->buffer[which], diag);
    }
    if (status == TY_ERR_RANGE) { /* more than one buffer can hold */
        status = TY_ERR_MEMORY;
        if (diag) {
            diag->status = status;
        }
    }
    return status;
}

ty_status tyi_render_gpu_stage(tyi_render_gpu *g, size_t bytes, bool fill, void **out, ty_diag *diag)
{
    ty_status status = TY_OK;
    uint32_t one;
    if (g->sending && fill) { /* a queue works in order: what comes back comes after what was sent */
        status = tyi_render_gpu_fetch(g, TYI_GPU_FRESH, sizeof one, &one, diag);
    }
    if (g->device && status == TY_OK) {
        status = tyi_device_pin(g->device, bytes, &g->stage, diag);
    } else if (!g->device && !tyi_render_gpu_need(g, &g->truth, bytes)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu bytes", bytes);
    }
    *out = g->device ? g->stage.data : g->truth.data;
    return status;
}

ty_status tyi_render_gpu_send(tyi_render_gpu *g, int which, size_t bytes, ty_diag *diag)
{
    if (!g->device) {
        return tyi_render_gpu_store(g, which, 0, bytes, g->truth.data, diag);
    }
    g->sending = true;
    return tyi_device_send(g->buffer[which], 0, bytes, g->stage.data, diag);
}

ty_status tyi_render_gpu_store(tyi_render_gpu *g, int which, size_t at, size_t bytes, const void *data, ty_diag *diag)
{
    if (g->device) {
        return ty_device_write(g->buffer[which], at, bytes, data, diag);
    }
    memcpy((char *)g->array[which].data + at, data, bytes);
    return TY_OK;
}

ty_status tyi_render_gpu_fetch(tyi_render_gpu *g, int which, size_t bytes, void *data, ty_diag *diag)
{
    if (g->device) {
        g->sending = g->sending && bytes == 0;
        return ty_device_read(g->buffer[which], 0, bytes, data, diag);
    }
    memcpy(data, g->array[which].data, bytes);
    return TY_OK;
}

ty_status tyi_render_gpu_put(tyi_render_gpu *g, int which, const void *data, size_t bytes, ty_diag *diag)
{
    bool lost = false;
    ty_status status = tyi_render_gpu_room(g, which, bytes, &lost, diag);
    return status == TY_OK && bytes ? tyi_render_gpu_store(g, which, 0, bytes, data, diag) : status;
}

ty_status tyi_render_gpu_put_sections(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < sizeof same / sizeof *same && status == TY_OK; i++) {
        const tyi_render_array *a = &f->section[same[i].section];
        if (!g->known[same[i].section] || g->version[same[i].section] != a->version) {
            /* where nothing but objects has moved, rocks are there */
            bool moved = same[i].section == TY_K_SCENE_INSTANCE && g->known[TY_K_SCENE_INSTANCE] &&
                         g->version[TY_K_SCENE_INSTANCE] >= f->rocks_version;
            size_t n = moved ? f->objects : a->count;
            status = tyi_render_gpu_put(g, same[i].buffer, a->data, n * a->stride, diag);
            g->known[same[i].section] = status == TY_OK;
            g->version[same[i].section] = a->version;
        }
    }
    return status;
}

ty_status tyi_render_gpu_put_laws(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f, ty_diag *diag)
{
    size_t n = f->section[TY_K_SCENE_MATERIAL].count, bands = (size_t)s->def.bands;
    const ty_k_scene_material *m = f->section[TY_K_SCENE_MATERIAL].data;
    if (!tyi_render_gpu_need(g, &g->hapke, n * bands * sizeof(ty_k_hapke))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu materials", n);
    }
    ty_k_hapke *to = g->hapke.data;
    for (size_t i = 0; i < n * bands; i++) {
        if (m[i / bands].law == TY_K_LAW_HAPKE) {
            to[i] = ty_k_hapke_make(ty_k_law_of(&m[i / bands], (int)(i % bands)).hapke);
        }
    }
    return tyi_render_gpu_put(g, TYI_GPU_HAPKE, to, n * bands * sizeof *to, diag);
}
