/* src/render/gpu/ground.c - tiles of ground on a device: heights, brightness, bounds, tiles bent round the Moon.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <math.h>
#include <string.h>

static tyi_render_gpu_slot *at_place(const tyi_render_gpu *g, size_t place)
{
    return (tyi_render_gpu_slot *)g->slot.data + place;
}

/* where slot i of the host's heights is in the store */
static uint32_t place_of(const tyi_render_gpu *g, uint32_t i)
{
    return ((const uint32_t *)g->place.data)[i] - 1;
}

tyi_render_gpu_slot *tyi_render_gpu_slot_of(const tyi_render_gpu *g, uint32_t i)
{
    return at_place(g, place_of(g, i));
}

tyi_render_box tyi_render_gpu_pad(tyi_render_box b)
{
    for (int k = 0; k < 3; k++) {
        float far = fmaxf(fabsf(b.lo[k]), fabsf(b.hi[k])), hair = 1e-6f * far + 1e-6f;
        b.lo[k] -= hair, b.hi[k] += hair;
    }
    return b;
}

/* lowest and highest vertex: those of the edges reach over them, the others are samples */
TYI_PER_ISA static void measure(const float *h, tyi_render_gpu_slot *to)
{
    enum { LAST = TY_K_SCENE_CELLS };
    const float *first = h + TY_K_SCENE_STRIDE + 1;
    float edge[4][LAST], lo[LAST], hi[LAST]; /* of columns, for the processor's wide registers */
    for (int n = 1; n < LAST; n++) {
        edge[0][n] = ty_k_tile_vertex(first, n, 0), edge[1][n] = ty_k_tile_vertex(first, n, LAST);
        edge[2][n] = ty_k_tile_vertex(first, 0, n), edge[3][n] = ty_k_tile_vertex(first, LAST, n);
    }
    for (int k = 0; k < 4; k++) {
        edge[k][0] = ty_k_tile_vertex(first, k & 1 ? LAST : 0, k & 2 ? LAST : 0);
    }
    memcpy(lo, edge[0], sizeof lo), memcpy(hi, edge[0], sizeof hi);
    for (int j = -3; j < LAST; j++) {
        const float *z = j <= 0 ? edge[j + 3] : first + j * TY_K_SCENE_STRIDE;
        for (int k = j > 0; k < LAST; k++) {
            lo[k] = z[k] < lo[k] ? z[k] : lo[k], hi[k] = z[k] > hi[k] ? z[k] : hi[k];
        }
    }
    to->lo = lo[0], to->hi = hi[0];
    for (int k = 1; k < LAST; k++) {
        to->lo = lo[k] < to->lo ? lo[k] : to->lo, to->hi = hi[k] > to->hi ? hi[k] : to->hi;
    }
    to->fresh = true;
}

#define AT_ONCE 256 /* tiles that go to the device together, at most */

/* numbers of a tile on its way */
static size_t load_of(bool toned)
{
    return (size_t)TY_K_SCENE_SAMPLES + (toned ? (size_t)TY_K_SCENE_TONES : 0);
}

static size_t load_bytes(size_t n, bool toned)
{
    return n * (sizeof(uint32_t) + load_of(toned) * sizeof(float));
}

/* as many as take a 64th of its memory */
static size_t at_once(const tyi_render_gpu *g, bool toned)
{
    uint64_t n = g->device ? ty_device_get_info(g->device)->memory / (64 * load_bytes(1, toned)) : AT_ONCE;
    return n < 8 ? 8 : n > AT_ONCE ? AT_ONCE : (size_t)n;
}

/* without a device: a tile's numbers to its place, and bounds of them */
static void put_here(tyi_render_gpu *g, const tyi_render_plot *t, uint32_t place, bool toned)
{
    measure(t->h, at_place(g, place));
    float *h = (float *)g->array[TYI_GPU_HEIGHT].data + place * (size_t)TY_K_SCENE_SAMPLES;
    float *to = (float *)g->array[TYI_GPU_BOUND].data + place * (size_t)TY_K_TILE_BOUNDS;
    memcpy(h, t->h, TY_K_SCENE_SAMPLES * sizeof *h);
    if (toned && t->tone) {
        memcpy((float *)g->array[TYI_GPU_TONE].data + place * (size_t)TY_K_SCENE_TONES, t->tone,
               TY_K_SCENE_TONES * sizeof(float));
    }
    for (int level = 1; level <= TY_K_TILE_LEVELS; level++) {
        int side = TY_K_SCENE_CELLS >> level;
        for (int k = 0; k < side * side; k++) {
            ty_k_tile_bound(h + TY_K_SCENE_STRIDE + 1, to, level, k % side, k / side);
        }
    }
}

typedef struct load { /* tiles on their way */
    const tyi_render_gpu *g;
    tyi_render_plot *const *tile;
    uint32_t *place;
    float *to;
    bool toned;
} load;

static void load_tile(void *user, size_t i, int worker)
{
    const load *l = user;
    const tyi_render_plot *t = l->tile[i];
    float *to = l->to + i * load_of(l->toned);
    (void)worker;
    l->place[i] = place_of(l->g, t->slot);
    measure(t->h, at_place(l->g, l->place[i]));
    memcpy(to, t->h, TY_K_SCENE_SAMPLES * sizeof *to);
    if (l->toned && t->tone) { /* those without one do not ask for it */
        memcpy(to + TY_K_SCENE_SAMPLES, t->tone, TY_K_SCENE_TONES * sizeof *to);
    } else if (l->toned) {
        memset(to + TY_K_SCENE_SAMPLES, 0, TY_K_SCENE_TONES * sizeof *to);
    }
}

/* the same on a device, for n tiles in one piece: its start is cheap for many, dear for one */
static ty_status put_there(tyi_render_gpu *g, tyi_render_plot *const *tile, size_t n, bool toned, int threads,
                           ty_diag *diag)
{
    size_t bytes = load_bytes(n, toned);
    bool lost = false;
    void *stage = NULL;
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_FRESH, load_bytes(at_once(g, toned), toned), &lost, diag);
    status =
        status == TY_OK ? tyi_render_gpu_stage(g, load_bytes(at_once(g, toned), toned), true, &stage, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    load l = { g, tile, stage, (float *)(void *)((uint32_t *)stage + n), toned };
    tyi_tasks_for(n < TYI_RENDER_FEW ? 1 : tyi_tasks_threads(threads), n, load_tile, &l);
    const int32_t tones = toned ? TY_K_SCENE_TONES : 0;
    const ty_device_arg args[] = { ty_device_arg_buffer(g->buffer[TYI_GPU_FRESH]),
                                   ty_device_arg_value(&tones, sizeof tones),
                                   ty_device_arg_buffer(g->buffer[TYI_GPU_HEIGHT]),
                                   ty_device_arg_buffer(g->buffer[TYI_GPU_TONE]),
                                   ty_device_arg_buffer(g->buffer[TYI_GPU_BOUND]) };
    ty_device_job job = { .kernel = "tile_put", .global = { 64 * n }, .local = { 64 }, .args = args, .arg_count = 5 };
    status = tyi_render_gpu_send(g, TYI_GPU_FRESH, bytes, diag);
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
static ty_status curve_room(tyi_render_gpu *g, const tyi_render_ground *ground, bool *lost, ty_diag *diag)
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
        status = tyi_render_gpu_room(g, TYI_GPU_CURVE, g->slots * sizeof(uint32_t), lost, diag);
    }
    if (status == TY_OK && !g->bent) {
        g->bent = tyi_get(g->alloc, TY_K_CURVE * sizeof(float));
        status = g->bent ? status : ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a tile");
    }
    if (status == TY_OK && (g->curves != before || *lost)) {
        uint32_t *number = g->fresh.data;
        for (size_t i = 0; i < g->slots; i++) {
            number[i] = at_place(g, i)->curve ? at_place(g, i)->curve - 1 : 0;
        }
        status =
            g->slots ? tyi_render_gpu_store(g, TYI_GPU_CURVE, 0, g->slots * sizeof(uint32_t), number, diag) : status;
    }
    return status;
}

/* tiles that the frame wants; those that have a place keep it */
static size_t mark_wanted(tyi_render_gpu *g, const tyi_render_ground *ground)
{
    size_t n = 0;
    g->updates++;
    for (uint32_t i = 0; i < tyi_render_ground_slots(ground); i++) {
        tyi_render_plot *t;
        tyi_render_slot_tile(ground, TYI_RENDER_SLOT_GROUND + i, &t);
        if (t->wanted && t->filled) {
            n++;
            if (((const uint32_t *)g->place.data)[t->slot]) {
                tyi_render_gpu_slot_of(g, t->slot)->wanted = g->updates;
            }
        }
    }
    return n;
}

/* a place for a tile that has none: the next one that this frame does not want */
static void find_place(tyi_render_gpu *g, uint32_t slot)
{
    uint32_t *place = g->place.data;
    while (at_place(g, g->hand % g->slots)->wanted == g->updates) {
        g->hand++;
    }
    tyi_render_gpu_slot *at = at_place(g, g->hand % g->slots);
    if (at->host) {
        place[at->host - 1] = 0;
    }
    at->host = slot + 1, at->known = false, at->wanted = g->updates;
    place[slot] = (uint32_t)(g->hand++ % g->slots) + 1;
}

/* Places for all tiles of the frame. There are as many as the host has slots, so that what it keeps for later stays on the device,
 * too, as far as memory goes. */
static ty_status store_room(tyi_render_gpu *g, const tyi_render_ground *ground, bool toned, bool *lost, ty_diag *diag)
{
    static const int buffers[] = { TYI_GPU_HEIGHT, TYI_GPU_TONE, TYI_GPU_BOUND };
    const size_t bytes[] = { TY_K_SCENE_SAMPLES * sizeof(float), toned ? TY_K_SCENE_TONES * sizeof(float) : 0,
                             TY_K_TILE_BOUNDS * sizeof(float) };
    size_t slots = ground->heights ? ground->heights->blocks * TYI_RENDER_SLOTS : 0, before = g->slots;
    if (!tyi_render_gpu_need(g, &g->place, (slots + 1) * sizeof(uint32_t))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu tiles", slots);
    }
    size_t wanted = mark_wanted(g, ground), most = g->device && g->most ? g->most : SIZE_MAX;
    if (slots > g->slots) {
        /* half as many again, from the start: a store that grows loses what is in it, and the host keeps more tiles as an eye moves on */
        g->slots = slots + slots / 2;
    }
    g->slots = g->slots > most ? most : g->slots;
    if (wanted > g->slots) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: the device's memory holds %zu tiles of ground, the frame has %zu",
                       g->slots, wanted);
    }
    if (!tyi_render_gpu_need(g, &g->slot, (g->slots + 1) * sizeof(tyi_render_gpu_slot)) ||
        !tyi_render_gpu_need(g, &g->fresh, (g->slots + 1) * sizeof(uint32_t))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu tiles", g->slots);
    }
    ty_status status = TY_OK;
    for (int i = 0; i < 3 && status == TY_OK; i++) {
        if (g->slots > before) { /* as large as it shall be, and no larger */
            ty_device_buffer_destroy(g->buffer[buffers[i]]);
            g->buffer[buffers[i]] = NULL;
        }
        status = tyi_render_gpu_room(g, buffers[i], g->slots * bytes[i], lost, diag);
    }
    for (uint32_t i = 0; i < tyi_render_ground_slots(ground) && status == TY_OK; i++) {
        tyi_render_plot *t;
        tyi_render_slot_tile(ground, TYI_RENDER_SLOT_GROUND + i, &t);
        if (t->wanted && t->filled && !((const uint32_t *)g->place.data)[t->slot]) {
            find_place(g, t->slot);
        }
    }
    return status;
}

/* heights and brightness of tiles that changed, and their bounds */
ty_status tyi_render_gpu_put_ground(tyi_render_gpu *g, const ty_scene *s, ty_diag *diag)
{
    const tyi_render_ground *ground = &s->ground;
    size_t n = 0;
    bool lost = false;
    bool toned = tyi_render_ground_toned(s);
    ty_status status = store_room(g, ground, toned, &lost, diag);
    if (status == TY_OK) {
        status = curve_room(g, ground, &lost, diag);
    }
    for (size_t i = 0; i < g->slots && lost; i++) {
        at_place(g, i)->known = false;
    }
    tyi_render_plot *fresh[AT_ONCE];
    bool tones = false; /* of some of them are new */
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
        if (t->curved) {
            bend(ground, ring, t, g->bent, at);
            size_t curve = TY_K_CURVE * sizeof(float);
            status = tyi_render_gpu_store(g, TYI_GPU_CURVED, (at->curve - 1) * curve, curve, g->bent, diag);
        }
        tones = tones || (toned && !(at->known && at->tone == t->tone_version));
        if (g->device) {
            fresh[n++] = t;
        } else {
            put_here(g, t, place_of(g, t->slot), toned);
        }
        at->known = status == TY_OK, at->version = t->version, at->tone = t->tone_version;
        if (n == at_once(g, toned) && status == TY_OK) {
            status = put_there(g, fresh, n, tones, s->def.threads, diag);
            n = status == TY_OK ? 0 : n, tones = status != TY_OK;
        }
    }
    status = status == TY_OK && n > 0 ? put_there(g, fresh, n, tones, s->def.threads, diag) : status;
    for (size_t i = 0; i < n && status != TY_OK; i++) { /* they may not have come there */
        tyi_render_gpu_slot_of(g, fresh[i]->slot)->known = false;
    }
    return status;
}

/* whether records of the ground's tiles are those that the device has, but for how often each was filled */
static bool same_places(const tyi_render_gpu *g, const ty_k_scene_tile *tile, size_t n)
{
    const ty_k_scene_tile *have = g->tile.data;
    bool same = g->known[TY_K_SCENE_TILE] && n == g->tiles_there;
    for (size_t i = 0; i < n && same; i++) {
        ty_k_scene_tile t = tile[i];
        t.slot = place_of(g, t.slot), t.version = have[i].version;
        same = !memcmp(&t, &have[i], sizeof t);
    }
    return same;
}

ty_status tyi_render_gpu_put_tiles(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag)
{
    const tyi_render_array *a = &f->section[TY_K_SCENE_TILE];
    if (g->known[TY_K_SCENE_TILE] && g->version[TY_K_SCENE_TILE] == a->version) {
        return TY_OK; /* g->stay is of no interest then */
    }
    size_t bytes = a->count * sizeof(ty_k_scene_tile);
    g->stay = same_places(g, a->data, a->count);
    if (g->stay) {
        g->version[TY_K_SCENE_TILE] = a->version;
        return TY_OK;
    }
    g->tiles_there = a->count;
    if (!tyi_render_gpu_need(g, &g->tile, bytes)) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu tiles", a->count);
    }
    ty_k_scene_tile *to = g->tile.data;
    for (size_t i = 0; i < a->count; i++) {
        to[i] = ((const ty_k_scene_tile *)a->data)[i];
        to[i].slot = place_of(g, to[i].slot);
    }
    ty_status status = tyi_render_gpu_put(g, TYI_GPU_TILE, to, bytes, diag);
    g->known[TY_K_SCENE_TILE] = status == TY_OK;
    g->version[TY_K_SCENE_TILE] = a->version;
    return status;
}
