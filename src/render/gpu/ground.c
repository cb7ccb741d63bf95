/* src/render/gpu/ground.c - tiles of ground on a device: heights, brightness, bounds, tiles bent round the Moon.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <math.h>
#include <string.h>

tyi_render_gpu_slot *tyi_render_gpu_slot_of(tyi_render_gpu *g, uint32_t i)
{
    return (tyi_render_gpu_slot *)g->slot.data + i;
}

tyi_render_box tyi_render_gpu_pad(tyi_render_box b)
{
    for (int k = 0; k < 3; k++) {
        float far = fmaxf(fabsf(b.lo[k]), fabsf(b.hi[k])), hair = 1e-6f * far + 1e-6f;
        b.lo[k] -= hair, b.hi[k] += hair;
    }
    return b;
}

static void measure(const float *h, tyi_render_gpu_slot *to)
{
    to->lo = INFINITY, to->hi = -INFINITY;
    for (int j = 0; j <= TY_K_SCENE_CELLS; j++) {
        for (int i = 0; i <= TY_K_SCENE_CELLS; i++) {
            float z = ty_k_tile_vertex(h + TY_K_SCENE_STRIDE + 1, i, j);
            to->lo = fminf(to->lo, z), to->hi = fmaxf(to->hi, z);
        }
    }
}

/* bounds of n slots whose heights are new */
static ty_status bounds(tyi_render_gpu *g, const uint32_t *fresh, size_t n, ty_diag *diag)
{
    if (!g->device) {
        for (size_t i = 0; i < n; i++) {
            const float *h = (const float *)g->array[TYI_GPU_HEIGHT].data + fresh[i] * (size_t)TY_K_SCENE_SAMPLES;
            float *to = (float *)g->array[TYI_GPU_BOUND].data + fresh[i] * (size_t)TY_K_TILE_BOUNDS;
            for (int level = 1; level <= TY_K_TILE_LEVELS; level++) {
                int side = TY_K_SCENE_CELLS >> level;
                for (int k = 0; k < side * side; k++) {
                    ty_k_tile_bound(h + TY_K_SCENE_STRIDE + 1, to, level, k % side, k / side);
                }
            }
        }
        return TY_OK;
    }
    const ty_device_arg args[] = { ty_device_arg_buffer(g->buffer[TYI_GPU_FRESH]),
                                   ty_device_arg_buffer(g->buffer[TYI_GPU_HEIGHT]),
                                   ty_device_arg_buffer(g->buffer[TYI_GPU_BOUND]) };
    ty_device_job job = {
        .kernel = "tile_bounds", .global = { 64 * n }, .local = { 64 }, .args = args, .arg_count = 3
    };
    ty_status status = tyi_render_gpu_store(g, TYI_GPU_FRESH, 0, n * sizeof *fresh, fresh, diag);
    return status == TY_OK ? ty_device_run(g->program, &job, NULL, diag) : status;
}

/* Points of a tile that is bent round the Moon, reaching over its edges as the host's mesh does, and the boxes over them. */
static void bend(const tyi_render_ground *ground, const tyi_render_ring *r, tyi_render_plot *t, float *to,
                 tyi_render_gpu_slot *at)
{
    enum { SIDE = TY_K_SCENE_CELLS + 1, ROW = 3 * SIDE };
    float own[TY_K_CURVE_POINTS], *box = to + TY_K_CURVE_POINTS;
    tyi_render_plot_points(ground, r, t, own);
    for (int j = 0; j < SIDE; j++) {
        int dj = j == 0 ? ROW : j == SIDE - 1 ? -ROW : 0;
        for (int i = 0; i < SIDE; i++) {
            int di = i == 0 ? 3 : i == SIDE - 1 ? -3 : 0;
            const float *p = own + j * ROW + 3 * i;
            for (int c = 0; c < 3; c++) {
                to[j * ROW + 3 * i + c] = p[c] + TY_K_TILE_OVERLAP * ((p[c] - p[c + di]) + (p[c] - p[c + dj]));
            }
        }
    }
    for (int level = 1; level <= TY_K_TILE_LEVELS; level++) {
        int side = TY_K_SCENE_CELLS >> level;
        for (int n = 0; n < side * side; n++) {
            tyi_render_box b = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
            int x = n % side, y = n / side;
            for (int k = 0; k < (level == 1 ? 9 : 4); k++) {
                const float *lo, *hi;
                if (level == 1) {
                    lo = hi = to + (2 * y + k / 3) * ROW + 3 * (2 * x + k % 3);
                } else {
                    lo = box + 6 * (ty_k_tile_level(level - 1) + (2 * y + k / 2) * 2 * side + 2 * x + k % 2),
                    hi = lo + 3;
                }
                for (int c = 0; c < 3; c++) {
                    b.lo[c] = fminf(b.lo[c], lo[c]), b.hi[c] = fmaxf(b.hi[c], hi[c]);
                }
            }
            b = level == 1 ? tyi_render_gpu_pad(b) : b;
            float *out = box + 6 * (ty_k_tile_level(level) + n);
            memcpy(out, b.lo, sizeof b.lo), memcpy(out + 3, b.hi, sizeof b.hi);
            at->box = b;
        }
    }
}

/* numbers for tiles that are bent for the first time, and room for all of them; what was there may be lost */
static ty_status curve_room(tyi_render_gpu *g, const tyi_render_ground *ground, size_t slots, bool *lost, ty_diag *diag)
{
    uint32_t before = g->curves;
    for (uint32_t i = 0; i < tyi_render_ground_slots(ground); i++) {
        tyi_render_plot *t;
        tyi_render_slot_tile(ground, TYI_RENDER_SLOT_GROUND + i, &t);
        if (t->wanted && t->filled && t->curved && !tyi_render_gpu_slot_of(g, t->slot)->curve) {
            tyi_render_gpu_slot_of(g, t->slot)->curve = ++g->curves;
        }
    }
    ty_status status =
        tyi_render_gpu_room(g, TYI_GPU_CURVED, (size_t)g->curves * TY_K_CURVE * sizeof(float), lost, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_CURVE, slots * sizeof(uint32_t), lost, diag);
    }
    if (status == TY_OK && !g->bent) {
        g->bent = tyi_get(g->alloc, TY_K_CURVE * sizeof(float));
        status = g->bent ? status : ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a tile");
    }
    if (status == TY_OK && (g->curves != before || *lost)) {
        uint32_t *number = g->fresh.data;
        for (size_t i = 0; i < slots; i++) {
            uint32_t curve = tyi_render_gpu_slot_of(g, (uint32_t)i)->curve;
            number[i] = curve ? curve - 1 : 0;
        }
        status = slots ? tyi_render_gpu_store(g, TYI_GPU_CURVE, 0, slots * sizeof(uint32_t), number, diag) : status;
    }
    return status;
}

/* heights and brightness of tiles that changed, and their bounds */
ty_status tyi_render_gpu_put_ground(tyi_render_gpu *g, const ty_scene *s, ty_diag *diag)
{
    const tyi_render_ground *ground = &s->ground;
    size_t slots = ground->heights ? ground->heights->blocks * TYI_RENDER_SLOTS : 0, n = 0;
    bool lost = false;
    bool toned = ground->terrain && tyi_render_ground_slots(ground) &&
                 (ground->ring[0].tile[0].tone || ty_terrain_version(ground->terrain)); /* tracks have a brightness */
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_HEIGHT, slots * TY_K_SCENE_SAMPLES * sizeof(float), &lost, diag);
    if (status == TY_OK) {
        status =
            tyi_render_gpu_room(g, TYI_GPU_TONE, toned ? slots * TY_K_SCENE_TONES * sizeof(float) : 0, &lost, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_BOUND, slots * TY_K_TILE_BOUNDS * sizeof(float), &lost, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_FRESH, slots * sizeof(uint32_t), &lost, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    if (!tyi_render_gpu_need(g, &g->slot, slots * sizeof(tyi_render_gpu_slot)) ||
        !tyi_render_gpu_need(g, &g->fresh, slots * sizeof(uint32_t))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu tiles", slots);
    }
    status = curve_room(g, ground, slots, &lost, diag);
    for (size_t i = 0; i < slots && lost; i++) {
        tyi_render_gpu_slot_of(g, (uint32_t)i)->known = false;
    }
    uint32_t *fresh = g->fresh.data;
    for (uint32_t i = 0; i < tyi_render_ground_slots(ground) && status == TY_OK; i++) {
        tyi_render_plot *t;
        const tyi_render_ring *ring = tyi_render_slot_tile(ground, TYI_RENDER_SLOT_GROUND + i, &t);
        if (!t->wanted || !t->filled) {
            continue;
        }
        tyi_render_gpu_slot *at = tyi_render_gpu_slot_of(g, t->slot);
        if (at->known && at->version == t->version) {
            continue;
        }
        size_t bytes = TY_K_SCENE_SAMPLES * sizeof(float), tones = TY_K_SCENE_TONES * sizeof(float);
        status = tyi_render_gpu_store(g, TYI_GPU_HEIGHT, t->slot * bytes, bytes, t->h, diag);
        if (status == TY_OK && t->tone) {
            status = tyi_render_gpu_store(g, TYI_GPU_TONE, t->slot * tones, tones, t->tone, diag);
        }
        if (status == TY_OK && t->curved) {
            bend(ground, ring, t, g->bent, at);
            size_t curve = TY_K_CURVE * sizeof(float);
            status = tyi_render_gpu_store(g, TYI_GPU_CURVED, (at->curve - 1) * curve, curve, g->bent, diag);
        }
        measure(t->h, at);
        at->known = status == TY_OK, at->version = t->version;
        fresh[n++] = t->slot;
    }
    return status == TY_OK && n > 0 ? bounds(g, fresh, n, diag) : status;
}
