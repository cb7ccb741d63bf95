/* src/render/gpu/gpu.c - a scene on a device, kept up to date by versions, and frames of it.
 *
 * Sections of the flat scene are buffers; those whose version is another one are written anew, heights tile by tile.
 * Trees stand in one array: those of meshes, over rocks, over ground and objects, so that what changes often is at the
 * end. The rocks' tree stays where it was built while the traced frame moves on (`shift`). Without a device the same kernels
 * run as C over arrays in memory: where there is no Embree, and to be held against both.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "gpu.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "bvh.h"
#include "k_film.h"

/* the kernels' arrays, in the order of their arguments */
enum {
    MATERIAL,
    HAPKE,
    MESH,
    INSTANCE,
    VERTEX,
    INDEX,
    NORMAL,
    UV,
    WHICH,
    TEXTURE,
    TEXEL,
    MAP,
    MAP_TEXEL,
    REGION,
    CORNER,
    LIGHT,
    TILE,
    HEIGHT,
    TONE,
    BOUND,
    CURVE,
    CURVED,
    NODE,
    ITEM,
    ROOT,
    SCENE_BUFFERS,
    RADIANCE = SCENE_BUFFERS,
    SUNLIT,
    RAYS,
    TRUTH,
    FRESH,
    BUFFERS
};

/* sections that are buffers as they are */
static const struct {
    int buffer, section;
} same[] = { { MATERIAL, TY_K_SCENE_MATERIAL },
             { MESH, TY_K_SCENE_MESH },
             { INSTANCE, TY_K_SCENE_INSTANCE },
             { VERTEX, TY_K_SCENE_VERTEX },
             { INDEX, TY_K_SCENE_INDEX },
             { NORMAL, TY_K_SCENE_NORMAL },
             { UV, TY_K_SCENE_UV },
             { WHICH, TY_K_SCENE_WHICH },
             { TEXTURE, TY_K_SCENE_TEXTURE },
             { TEXEL, TY_K_SCENE_TEXEL },
             { MAP, TY_K_SCENE_MAP },
             { MAP_TEXEL, TY_K_SCENE_MAP_TEXEL },
             { REGION, TY_K_SCENE_REGION },
             { CORNER, TY_K_SCENE_CORNER },
             { LIGHT, TY_K_SCENE_LIGHT },
             { TILE, TY_K_SCENE_TILE } };

typedef struct pool { /* an array on the host that grows */
    void *data;
    size_t bytes;
} pool;

typedef struct tree {
    uint32_t node, nodes, item, items; /* first, and how many */
} tree;

struct tyi_render_gpu {
    const ty_alloc *alloc;
    ty_device *device;
    ty_device_program *program;
    int bands, together;               /* that the program was built for */
    ty_device_buffer *buffer[BUFFERS]; /* with a device; without one arrays in memory */
    pool array[BUFFERS];
    uint64_t version[TY_K_SCENE_SECTIONS]; /* of what is on the device */
    bool known[TY_K_SCENE_SECTIONS];
    /* per slot of heights: what is on the device, and the lowest and highest point of the mesh */
    pool slot;
    uint32_t curves;
    float *bent; /* room for one curve */
    pool node, item, root, box, order, fresh, truth, hapke;
    tree meshes, rocks, things;
    uint64_t mesh_version, rock_changes;
    bool rocks_known;
    ty_vec3 rock_centre; /* [m] W: origin of the frame that the rocks' tree was built in */
};

typedef struct slot {
    uint32_t version;
    bool known;
    float lo, hi;
    uint32_t curve;     /* number of its curve, counted from 1; 0: it never had one */
    tyi_render_box box; /* of a curved tile, relative to its place */
} slot;

#define NODES(g) ((ty_k_bvh_node *)(g)->node.data)
#define ITEMS(g) ((uint32_t *)(g)->item.data)

static bool need(const tyi_render_gpu *g, pool *p, size_t bytes)
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

static void drop(const tyi_render_gpu *g, pool *p)
{
    tyi_put(g->alloc, p->data, p->bytes);
    *p = (pool){ 0 };
}

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
    for (int k = 0; k < BUFFERS; k++) {
        ty_device_buffer_destroy(g->buffer[k]);
        drop(g, &g->array[k]);
    }
    ty_device_program_destroy(g->program);
    tyi_put(g->alloc, g->bent, TY_K_CURVE * sizeof(float));
    pool *all[] = { &g->slot, &g->node, &g->item, &g->root, &g->box, &g->order, &g->fresh, &g->truth, &g->hapke };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        drop(g, all[k]);
    }
    tyi_put(g->alloc, g, sizeof *g);
}

/* ---- buffers ---- */

/* room for so many bytes; what was there is lost when it grows, and *lost says so */
static ty_status room(tyi_render_gpu *g, int which, size_t bytes, bool *lost, ty_diag *diag)
{
    size_t have = g->buffer[which] ? ty_device_buffer_bytes(g->buffer[which]) : g->array[which].bytes;
    bytes = bytes < 256 ? 256 : bytes;
    if (have >= bytes) {
        return TY_OK;
    }
    *lost = true;
    if (!g->device) {
        return need(g, &g->array[which], bytes)
                   ? TY_OK
                   : ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu bytes", bytes);
    }
    ty_device_buffer_destroy(g->buffer[which]);
    g->buffer[which] = NULL;
    return ty_device_buffer_create(g->device, have ? bytes + bytes / 2 : bytes, NULL, &g->buffer[which], diag);
}

static ty_status store(tyi_render_gpu *g, int which, size_t at, size_t bytes, const void *data, ty_diag *diag)
{
    if (g->device) {
        return ty_device_write(g->buffer[which], at, bytes, data, diag);
    }
    memcpy((char *)g->array[which].data + at, data, bytes);
    return TY_OK;
}

static ty_status fetch(tyi_render_gpu *g, int which, size_t bytes, void *data, ty_diag *diag)
{
    if (g->device) {
        return ty_device_read(g->buffer[which], 0, bytes, data, diag);
    }
    memcpy(data, g->array[which].data, bytes);
    return TY_OK;
}

static ty_status put(tyi_render_gpu *g, int which, const void *data, size_t bytes, ty_diag *diag)
{
    bool lost = false;
    ty_status status = room(g, which, bytes, &lost, diag);
    return status == TY_OK && bytes ? store(g, which, 0, bytes, data, diag) : status;
}

static ty_status put_sections(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < sizeof same / sizeof *same && status == TY_OK; i++) {
        const tyi_render_array *a = &f->section[same[i].section];
        if (!g->known[same[i].section] || g->version[same[i].section] != a->version) {
            status = put(g, same[i].buffer, a->data, a->count * a->stride, diag);
            g->known[same[i].section] = status == TY_OK;
            g->version[same[i].section] = a->version;
        }
    }
    return status;
}

static ty_status put_laws(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f, ty_diag *diag)
{
    size_t n = f->section[TY_K_SCENE_MATERIAL].count, bands = (size_t)s->def.bands;
    const ty_k_scene_material *m = f->section[TY_K_SCENE_MATERIAL].data;
    if (!need(g, &g->hapke, n * bands * sizeof(ty_k_hapke))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu materials", n);
    }
    ty_k_hapke *to = g->hapke.data;
    for (size_t i = 0; i < n * bands; i++) {
        if (m[i / bands].law == TY_K_LAW_HAPKE) {
            to[i] = ty_k_hapke_make(ty_k_law_of(&m[i / bands], (int)(i % bands)).hapke);
        }
    }
    return put(g, HAPKE, to, n * bands * sizeof *to, diag);
}

/* ---- ground ---- */

static slot *slot_of(tyi_render_gpu *g, uint32_t i)
{
    return (slot *)g->slot.data + i;
}

static void measure(const float *h, slot *to)
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
            const float *h = (const float *)g->array[HEIGHT].data + fresh[i] * (size_t)TY_K_SCENE_SAMPLES;
            float *to = (float *)g->array[BOUND].data + fresh[i] * (size_t)TY_K_TILE_BOUNDS;
            for (int level = 1; level <= TY_K_TILE_LEVELS; level++) {
                int side = TY_K_SCENE_CELLS >> level;
                for (int k = 0; k < side * side; k++) {
                    ty_k_tile_bound(h + TY_K_SCENE_STRIDE + 1, to, level, k % side, k / side);
                }
            }
        }
        return TY_OK;
    }
    const ty_device_arg args[] = { ty_device_arg_buffer(g->buffer[FRESH]), ty_device_arg_buffer(g->buffer[HEIGHT]),
                                   ty_device_arg_buffer(g->buffer[BOUND]) };
    ty_device_job job = {
        .kernel = "tile_bounds", .global = { 64 * n }, .local = { 64 }, .args = args, .arg_count = 3
    };
    ty_status status = store(g, FRESH, 0, n * sizeof *fresh, fresh, diag);
    return status == TY_OK ? ty_device_run(g->program, &job, NULL, diag) : status;
}

/* a box that no rounding of a ray's arithmetic leaves */
static tyi_render_box pad(tyi_render_box b)
{
    for (int k = 0; k < 3; k++) {
        float far = fmaxf(fabsf(b.lo[k]), fabsf(b.hi[k])), hair = 1e-6f * far + 1e-6f;
        b.lo[k] -= hair, b.hi[k] += hair;
    }
    return b;
}

/* Points of a tile that is bent round the Moon, reaching over its edges as the host's mesh does, and the boxes over them. */
static void bend(const tyi_render_ground *ground, const tyi_render_ring *r, tyi_render_plot *t, float *to, slot *at)
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
            b = level == 1 ? pad(b) : b;
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
        if (t->wanted && t->filled && t->curved && !slot_of(g, t->slot)->curve) {
            slot_of(g, t->slot)->curve = ++g->curves;
        }
    }
    ty_status status = room(g, CURVED, (size_t)g->curves * TY_K_CURVE * sizeof(float), lost, diag);
    if (status == TY_OK) {
        status = room(g, CURVE, slots * sizeof(uint32_t), lost, diag);
    }
    if (status == TY_OK && !g->bent) {
        g->bent = tyi_get(g->alloc, TY_K_CURVE * sizeof(float));
        status = g->bent ? status : ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a tile");
    }
    if (status == TY_OK && (g->curves != before || *lost)) {
        uint32_t *number = g->fresh.data;
        for (size_t i = 0; i < slots; i++) {
            uint32_t curve = slot_of(g, (uint32_t)i)->curve;
            number[i] = curve ? curve - 1 : 0;
        }
        status = slots ? store(g, CURVE, 0, slots * sizeof(uint32_t), number, diag) : status;
    }
    return status;
}

/* heights and brightness of tiles that changed, and their bounds */
static ty_status put_ground(tyi_render_gpu *g, const ty_scene *s, ty_diag *diag)
{
    const tyi_render_ground *ground = &s->ground;
    size_t slots = ground->heights ? ground->heights->blocks * TYI_RENDER_SLOTS : 0, n = 0;
    bool lost = false;
    bool toned = ground->terrain && tyi_render_ground_slots(ground) && ground->ring[0].tile[0].tone;
    ty_status status = room(g, HEIGHT, slots * TY_K_SCENE_SAMPLES * sizeof(float), &lost, diag);
    if (status == TY_OK) {
        status = room(g, TONE, toned ? slots * TY_K_SCENE_TONES * sizeof(float) : 0, &lost, diag);
    }
    if (status == TY_OK) {
        status = room(g, BOUND, slots * TY_K_TILE_BOUNDS * sizeof(float), &lost, diag);
    }
    if (status == TY_OK) {
        status = room(g, FRESH, slots * sizeof(uint32_t), &lost, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    if (!need(g, &g->slot, slots * sizeof(slot)) || !need(g, &g->fresh, slots * sizeof(uint32_t))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu tiles", slots);
    }
    status = curve_room(g, ground, slots, &lost, diag);
    for (size_t i = 0; i < slots && lost; i++) {
        slot_of(g, (uint32_t)i)->known = false;
    }
    uint32_t *fresh = g->fresh.data;
    for (uint32_t i = 0; i < tyi_render_ground_slots(ground) && status == TY_OK; i++) {
        tyi_render_plot *t;
        const tyi_render_ring *ring = tyi_render_slot_tile(ground, TYI_RENDER_SLOT_GROUND + i, &t);
        if (!t->wanted || !t->filled) {
            continue;
        }
        slot *at = slot_of(g, t->slot);
        if (at->known && at->version == t->version) {
            continue;
        }
        size_t bytes = TY_K_SCENE_SAMPLES * sizeof(float), tones = TY_K_SCENE_TONES * sizeof(float);
        status = store(g, HEIGHT, t->slot * bytes, bytes, t->h, diag);
        if (status == TY_OK && t->tone) {
            status = store(g, TONE, t->slot * tones, tones, t->tone, diag);
        }
        if (status == TY_OK && t->curved) {
            bend(ground, ring, t, g->bent, at);
            size_t curve = TY_K_CURVE * sizeof(float);
            status = store(g, CURVED, (at->curve - 1) * curve, curve, g->bent, diag);
        }
        measure(t->h, at);
        at->known = status == TY_OK, at->version = t->version;
        fresh[n++] = t->slot;
    }
    return status == TY_OK && n > 0 ? bounds(g, fresh, n, diag) : status;
}

/* ---- trees ---- */

/* room for one more tree over n boxes behind `after`, boxes and names to be filled in by the caller */
static bool tree_room(tyi_render_gpu *g, const tree *after, uint32_t n, tree *out)
{
    *out = (tree){ after ? after->node + after->nodes : 0, 0, after ? after->item + after->items : 0, n };
    size_t last = out->node + 2 * (size_t)n + 2;
    return need(g, &g->node, last * sizeof(ty_k_bvh_node)) && need(g, &g->item, (out->item + (size_t)n + 1) * 4) &&
           need(g, &g->box, ((size_t)n + 1) * sizeof(tyi_render_box));
}

/* all meshes' trees, one after the other, as if they were one */
static bool mesh_trees(tyi_render_gpu *g, const tyi_render_flat *f)
{
    size_t meshes = f->section[TY_K_SCENE_MESH].count, triangles = f->section[TY_K_SCENE_INDEX].count;
    const ty_k_scene_mesh *mesh = f->section[TY_K_SCENE_MESH].data;
    tree all;
    if (!tree_room(g, NULL, (uint32_t)(triangles + meshes), &all) || !need(g, &g->root, (meshes + 1) * 4)) {
        return false;
    }
    all.items = 0;
    for (size_t i = 0; i < meshes; i++) {
        const ty_k_scene_mesh *m = &mesh[i];
        tyi_render_box *box = g->box.data;
        uint32_t *item = ITEMS(g) + all.items;
        const float *v = tyi_render_flat_vertex(f, m);
        const uint32_t *t = tyi_render_flat_index(f, m);
        ((uint32_t *)g->root.data)[i] = all.nodes;
        for (uint32_t k = 0; k < m->triangles; k++) {
            box[k] = (tyi_render_box){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
            for (int c = 0; c < 9; c++) {
                float x = v[3 * t[3 * k + (uint32_t)c / 3] + (uint32_t)c % 3];
                box[k].lo[c % 3] = fminf(box[k].lo[c % 3], x), box[k].hi[c % 3] = fmaxf(box[k].hi[c % 3], x);
            }
            box[k] = pad(box[k]);
            item[k] = k;
        }
        if (m->triangles) {
            all.nodes += tyi_render_bvh_build(box, item, m->triangles, 4, all.nodes, all.items, NODES(g) + all.nodes);
            all.items += m->triangles;
        }
    }
    g->meshes = all;
    return true;
}

static void turn(const float q[4], const float v[3], float out[3])
{
    float a[3] = { 2.0f * (q[2] * v[2] - q[3] * v[1]), 2.0f * (q[3] * v[0] - q[1] * v[2]),
                   2.0f * (q[1] * v[1] - q[2] * v[0]) };
    out[0] = v[0] + q[0] * a[0] + q[2] * a[2] - q[3] * a[1];
    out[1] = v[1] + q[0] * a[1] + q[3] * a[0] - q[1] * a[2];
    out[2] = v[2] + q[0] * a[2] + q[1] * a[1] - q[2] * a[0];
}

static tyi_render_box instance_box(const tyi_render_gpu *g, const ty_k_scene_mesh *m, const ty_k_scene_instance *k)
{
    tyi_render_box own = { { -m->radius, -m->radius, -m->radius }, { m->radius, m->radius, m->radius } }, out;
    if (m->triangles) {
        const ty_k_bvh_node *n = NODES(g) + ((const uint32_t *)g->root.data)[k->mesh];
        memcpy(own.lo, n->lo, sizeof own.lo), memcpy(own.hi, n->hi, sizeof own.hi);
    }
    float far = 0.0f;
    for (int c = 0; c < 3; c++) {
        far += fmaxf(own.lo[c] * own.lo[c], own.hi[c] * own.hi[c]);
        out.lo[c] = INFINITY, out.hi[c] = -INFINITY;
    }
    far = sqrtf(far) * k->scale;
    for (int e = 0; e < 2; e++) { /* both ends of its way; while it turns it stays within a ball */
        for (int c = 0; c < 8; c++) {
            float v[3] = { (c & 1 ? own.hi : own.lo)[0], (c & 2 ? own.hi : own.lo)[1], (c & 4 ? own.hi : own.lo)[2] };
            float at[3];
            turn(k->q[e], v, at);
            for (int a = 0; a < 3; a++) {
                float x = k->p[e][a] + k->scale * at[a], ball = k->flags & TY_K_SCENE_MOVING ? far : 0.0f;
                out.lo[a] = fminf(out.lo[a], ball > 0.0f ? k->p[e][a] - ball : x);
                out.hi[a] = fmaxf(out.hi[a], ball > 0.0f ? k->p[e][a] + ball : x);
            }
        }
    }
    return pad(out);
}

/* over the rocks, in the traced frame as it stands */
static bool rock_tree(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f)
{
    size_t first = f->section[TY_K_SCENE_INSTANCE].count - s->rocks.count;
    const ty_k_scene_instance *k = (const ty_k_scene_instance *)f->section[TY_K_SCENE_INSTANCE].data + first;
    const ty_k_scene_mesh *mesh = f->section[TY_K_SCENE_MESH].data;
    uint32_t n = (uint32_t)s->rocks.count;
    if (!tree_room(g, &g->meshes, n, &g->rocks)) {
        return false;
    }
    tyi_render_box *box = g->box.data;
    uint32_t *item = ITEMS(g) + g->rocks.item;
    for (uint32_t i = 0; i < n; i++) {
        box[i] = instance_box(g, &mesh[k[i].mesh], &k[i]);
        item[i] = TY_K_ITEM_INSTANCE | i;
    }
    if (n) {
        g->rocks.nodes = tyi_render_bvh_build(box, item, n, 2, g->rocks.node, g->rocks.item, NODES(g) + g->rocks.node);
    }
    g->rock_centre = s->centre;
    return true;
}

static bool thing_tree(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f)
{
    uint32_t tiles = (uint32_t)f->section[TY_K_SCENE_TILE].count;
    uint32_t objects = (uint32_t)(f->section[TY_K_SCENE_INSTANCE].count - s->rocks.count);
    const ty_k_scene_tile *tile = f->section[TY_K_SCENE_TILE].data;
    const ty_k_scene_instance *k = f->section[TY_K_SCENE_INSTANCE].data;
    const ty_k_scene_mesh *mesh = f->section[TY_K_SCENE_MESH].data;
    if (!tree_room(g, &g->rocks, tiles + objects, &g->things)) {
        return false;
    }
    tyi_render_box *box = g->box.data;
    uint32_t *item = ITEMS(g) + g->things.item;
    for (uint32_t i = 0; i < tiles; i++) {
        const ty_k_scene_tile *t = &tile[i];
        const slot *at = slot_of(g, t->slot);
        if (t->flags & TY_K_SCENE_CURVED) {
            box[i] = at->box;
            for (int c = 0; c < 3; c++) {
                box[i].lo[c] += t->p[c], box[i].hi[c] += t->p[c];
            }
            box[i] = pad(box[i]);
            item[i] = i;
            continue;
        }
        float out = TY_K_TILE_OVERLAP * t->d, side = TY_K_SCENE_CELLS * t->d + out;
        box[i] = pad((tyi_render_box){ { t->p[0] - out, t->p[1] - out, t->p[2] + at->lo },
                                       { t->p[0] + side, t->p[1] + side, t->p[2] + at->hi } });
        item[i] = i;
    }
    for (uint32_t i = 0; i < objects; i++) {
        box[tiles + i] = instance_box(g, &mesh[k[i].mesh], &k[i]);
        item[tiles + i] = TY_K_ITEM_INSTANCE | i;
    }
    if (tiles + objects) {
        g->things.nodes = tyi_render_bvh_build(box, item, tiles + objects, 1, g->things.node, g->things.item,
                                               NODES(g) + g->things.node);
    }
    return true;
}

/* nodes and items from a tree on; all of them where a buffer had to grow */
static ty_status put_trees(tyi_render_gpu *g, const tree *from, ty_diag *diag)
{
    size_t nodes = g->things.node + g->things.nodes, items = g->things.item + g->things.items;
    bool lost = false;
    ty_status status = room(g, NODE, nodes * sizeof(ty_k_bvh_node), &lost, diag);
    if (status == TY_OK) {
        status = room(g, ITEM, items * sizeof(uint32_t), &lost, diag);
    }
    size_t n0 = lost ? 0 : from->node, i0 = lost ? 0 : from->item;
    if (status == TY_OK && nodes > n0) {
        status = store(g, NODE, n0 * sizeof(ty_k_bvh_node), (nodes - n0) * sizeof(ty_k_bvh_node), NODES(g) + n0, diag);
    }
    if (status == TY_OK && items > i0) {
        status = store(g, ITEM, i0 * 4, (items - i0) * 4, ITEMS(g) + i0, diag);
    }
    return status;
}

static ty_status update_trees(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f, bool meshes, bool things,
                              ty_diag *diag)
{
    bool rocks = meshes || !g->rocks_known || g->rock_changes != s->rock_changes, ok = true;
    ty_status status = TY_OK;
    if (meshes) {
        ok = mesh_trees(g, f);
        status = ok ? put(g, ROOT, g->root.data, f->section[TY_K_SCENE_MESH].count * 4, diag) : TY_OK;
    }
    if (ok && rocks) {
        ok = rock_tree(g, s, f);
    }
    if (ok && (rocks || things)) {
        ok = thing_tree(g, s, f);
    }
    g->rocks_known = ok, g->rock_changes = s->rock_changes;
    if (!ok) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for trees over %zu instances",
                       f->section[TY_K_SCENE_INSTANCE].count);
    }
    const tree start = { 0, 0, 0, 0 };
    if (status == TY_OK && (rocks || things)) {
        status = put_trees(g, meshes ? &start : rocks ? &g->rocks : &g->things, diag);
    }
    return status;
}

/* ---- frames ---- */

/* samples of a pixel that stand side by side in a group; a power of two up to 16 */
static int together(const ty_device *device, int samples)
{
    int n = 1;
    while (ty_device_get_info(device)->gpu && n < 16 && 2 * n <= samples) {
        n *= 2;
    }
    return n;
}
static ty_status build(tyi_render_gpu *g, int bands, int samples, ty_diag *diag)
{
    int n = g->device ? together(g->device, samples) : 1;
    if (!g->device || (g->program && g->bands == bands && g->together == n)) {
        return TY_OK;
    }
    char options[64];
    snprintf(options, sizeof options, "-DTY_K_BANDS=%d -DTY_K_TOGETHER=%d", bands, n);
    ty_device_program_destroy(g->program);
    g->program = NULL;
    g->bands = bands, g->together = n;
    return ty_device_build(g->device, "#include \"render.cl\"\n", TY_FLOAT, options, &g->program, diag);
}

const char *tyi_render_gpu_cannot(ty_scene *s, const ty_camera *camera)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    if (!f) {
        return "there is no memory for the flat scene";
    }
    if (f->host_only) {
        return "a law or light of the scene is a C function";
    }
    if (camera && camera->lens == TY_LENS_OWN) {
        return "the camera's lens is a C function";
    }
    if (s->medium.parts) {
        return "there is a medium between the surfaces";
    }
    return NULL;
}

static ty_status update(tyi_render_gpu *g, ty_scene *s, int samples, ty_diag *diag)
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
    bool things = !known || g->version[TY_K_SCENE_TILE] != f->section[TY_K_SCENE_TILE].version ||
                  g->version[TY_K_SCENE_INSTANCE] != f->section[TY_K_SCENE_INSTANCE].version;
    ty_status status = build(g, s->def.bands, samples, diag);
    if (status == TY_OK) {
        status = put_sections(g, f, diag);
    }
    if (status == TY_OK && laws) {
        status = put_laws(g, s, f, diag);
    }
    if (status == TY_OK) {
        status = put_ground(g, s, diag);
    }
    return status == TY_OK ? update_trees(g, s, f, meshes, things, diag) : status;
}

static void seat(const ty_scene *s, ty_pose pose, float q[4], float p[3])
{
    ty_vec3 at = ty_sub(pose.p, s->centre);
    q[0] = (float)pose.q.w, q[1] = (float)pose.q.x, q[2] = (float)pose.q.y, q[3] = (float)pose.q.z;
    p[0] = (float)at.x, p[1] = (float)at.y, p[2] = (float)at.z;
}

static ty_k_vec3 vec(ty_vec3 v)
{
    return ty_k_vec((float)v.x, (float)v.y, (float)v.z);
}

static ty_k_camera lens(const ty_camera *c)
{
    ty_k_camera m = ty_k_camera_make((int)c->lens, (float)c->width, (float)c->height, (float)c->hfov);
    m.k1 = (float)c->k1, m.k2 = (float)c->k2, m.k3 = (float)c->k3, m.p1 = (float)c->p1, m.p2 = (float)c->p2;
    m.c = vec(c->c), m.a = vec(c->a), m.h = vec(c->h), m.v = vec(c->v), m.o = vec(c->o), m.r = vec(c->r),
    m.e = vec(c->e);
    m.linearity = (float)c->linearity;
    return m;
}

static ty_k_frame frame_of(const tyi_render_gpu *g, const tyi_render_frame *f)
{
    const ty_scene *s = f->scene;
    const ty_camera *c = f->camera;
    ty_vec3 shift = ty_sub(s->centre, g->rock_centre);
    ty_k_frame k = { .camera = lens(c),
                     .width = c->width,
                     .height = c->height,
                     .samples = f->def.samples,
                     .depth = f->def.depth,
                     .jitter = f->def.jitter,
                     .camera_moves = c->moving,
                     .scene_moves = s->moving > 0,
                     .seed_low = (uint32_t)f->def.seed,
                     .seed_high = (uint32_t)(f->def.seed >> 32),
                     .rolling = (float)c->rolling,
                     .cone = f->cone,
                     .things = g->things.nodes ? g->things.node : TY_K_NONE,
                     .rocks = g->rocks.nodes ? g->rocks.node : TY_K_NONE,
                     .rock = (uint32_t)(s->flat.section[TY_K_SCENE_INSTANCE].count - s->rocks.count),
                     .shift = { (float)shift.x, (float)shift.y, (float)shift.z },
                     .radius = s->ground.terrain ? (float)ty_terrain_site(s->ground.terrain)->radius : 1.0f,
                     .centre = { (float)s->centre.x, (float)s->centre.y, (float)s->centre.z },
                     .bands = s->def.bands,
                     .maps = (int)s->maps,
                     .regions = (int)s->regions,
                     .lights = s->lights };
    seat(s, c->pose, k.q[0], k.p[0]);
    seat(s, c->moving ? c->pose_end : c->pose, k.q[1], k.p[1]);
    for (int b = 0; b < TY_BANDS; b++) {
        k.plain[b] = (float)s->material[0].albedo[b], k.tint[b] = (float)s->tint[b];
    }
    return k;
}

/* the kernels' view of arrays in memory */
static ty_k_view view_of(const tyi_render_gpu *g, const ty_k_frame *k)
{
    const pool *a = g->array;
    return (ty_k_view){ .material = a[MATERIAL].data,
                        .hapke = a[HAPKE].data,
                        .normal = a[NORMAL].data,
                        .uv = a[UV].data,
                        .texel = a[TEXEL].data,
                        .map_texel = a[MAP_TEXEL].data,
                        .corner = a[CORNER].data,
                        .which = a[WHICH].data,
                        .texture = a[TEXTURE].data,
                        .map = a[MAP].data,
                        .region = a[REGION].data,
                        .light = a[LIGHT].data,
                        .tone = a[TONE].data,
                        .bands = k->bands,
                        .maps = k->maps,
                        .regions = k->regions,
                        .lights = k->lights,
                        .mesh = a[MESH].data,
                        .instance = a[INSTANCE].data,
                        .tile = a[TILE].data,
                        .vertex = a[VERTEX].data,
                        .index = a[INDEX].data,
                        .height = a[HEIGHT].data,
                        .bound = a[BOUND].data,
                        .curve = a[CURVE].data,
                        .curved = a[CURVED].data,
                        .node = a[NODE].data,
                        .item = a[ITEM].data,
                        .root = a[ROOT].data,
                        .things = k->things,
                        .rocks = k->rocks,
                        .rock = k->rock,
                        .radius = k->radius,
                        .shift = ty_k_vec(k->shift[0], k->shift[1], k->shift[2]) };
}

typedef struct rows {
    ty_k_view view;
    const ty_k_frame *frame;
    float *radiance, *sunlit;
    uint32_t *rays;
    ty_k_truth *truth; /* NULL: the film is made */
} rows;

/* one row of pixels, as kernels/render.cl makes each pixel */
static void row_job(void *user, size_t y, int worker)
{
    const rows *r = user;
    const ty_k_frame *f = r->frame;
    size_t plane = (size_t)f->width * (size_t)f->height;
    (void)worker;
    for (size_t x = 0; x < (size_t)f->width; x++) {
        size_t at = y * (size_t)f->width + x;
        if (r->truth) {
            r->truth[at] = ty_k_truth_of(&r->view, f, (float)x + 0.5f, (float)y + 0.5f);
            continue;
        }
        float sum[TY_K_BANDS] = { 0.0f };
        int seen = 0, lit = 0;
        r->rays[at] = 0;
        for (int i = 0; i < f->samples; i++) {
            int a, l;
            ty_k_film_sample(&r->view, f, (uint32_t)x, (uint32_t)y, (uint32_t)i, sum, &a, &l, &r->rays[at]);
            seen += a, lit += l;
        }
        for (size_t b = 0; b < (size_t)f->bands; b++) {
            r->radiance[b * plane + at] = sum[b] * (1.0f / (float)f->samples);
        }
        r->sunlit[at] = seen > 0 ? (float)lit / (float)seen : 0.0f;
    }
}

enum { GROUP_X = 16, GROUP_Y = 8, FILM_GROUP = 128 };

/* work items of the film: groups of FILM_GROUP, as kernels/render.cl divides the picture */
static size_t film_items(const ty_k_frame *k, int n)
{
    int across = n > 4 ? 4 : n > 1 ? 8 : 16, down = FILM_GROUP / n / across;
    return FILM_GROUP * (size_t)((k->width + across - 1) / across) * (size_t)((k->height + down - 1) / down);
}

static ty_status run(tyi_render_gpu *g, const char *kernel, const ty_k_frame *k, int out, int outs, int threads,
                     ty_diag *diag)
{
    if (!g->device) {
        rows r = { .view = view_of(g, k), .frame = k };
        r.radiance = out == RADIANCE ? g->array[RADIANCE].data : NULL;
        r.sunlit = out == RADIANCE ? g->array[SUNLIT].data : NULL;
        r.rays = out == RADIANCE ? g->array[RAYS].data : NULL;
        r.truth = out == TRUTH ? g->array[TRUTH].data : NULL;
        tyi_tasks_for(tyi_tasks_threads(threads), (size_t)k->height, row_job, &r);
        return TY_OK;
    }
    ty_device_arg args[SCENE_BUFFERS + 4];
    int n = 0;
    for (; n < SCENE_BUFFERS; n++) {
        args[n] = ty_device_arg_buffer(g->buffer[n]);
    }
    args[n++] = ty_device_arg_value(k, sizeof *k);
    for (int i = 0; i < outs; i++) {
        args[n++] = ty_device_arg_buffer(g->buffer[out + i]);
    }
    ty_device_job job = { .kernel = kernel,
                          .global = { ((size_t)k->width + GROUP_X - 1) / GROUP_X * GROUP_X,
                                      ((size_t)k->height + GROUP_Y - 1) / GROUP_Y * GROUP_Y },
                          .local = { GROUP_X, GROUP_Y },
                          .args = args,
                          .arg_count = n };
    if (out == RADIANCE) {
        job.global[0] = film_items(k, g->together), job.global[1] = 0;
        job.local[0] = FILM_GROUP, job.local[1] = 0;
    }
    return ty_device_run(g->program, &job, NULL, diag);
}

/* radiance, sunlit share and numbers of rays, where they are made */
static ty_status expose(tyi_render_gpu *g, const ty_k_frame *k, int threads, ty_diag *diag)
{
    size_t plane = (size_t)k->width * (size_t)k->height * sizeof(float);
    bool lost = false;
    ty_status status = room(g, RADIANCE, plane * (size_t)k->bands, &lost, diag);
    if (status == TY_OK) {
        status = room(g, SUNLIT, plane, &lost, diag);
    }
    if (status == TY_OK) {
        status = room(g, RAYS, plane, &lost, diag);
    }
    return status == TY_OK ? run(g, "film", k, RADIANCE, 3, threads, diag) : status;
}

static ty_status film(tyi_render_gpu *g, const tyi_render_frame *f, const ty_k_frame *k, ty_diag *diag)
{
    size_t plane = (size_t)k->width * (size_t)k->height * sizeof(float), all = plane * (size_t)k->bands;
    ty_status status = expose(g, k, f->def.threads, diag);
    if (status == TY_OK && f->out->radiance) {
        status = fetch(g, RADIANCE, all, f->out->radiance, diag);
    }
    if (status == TY_OK && f->out->sunlit) {
        status = fetch(g, SUNLIT, plane, f->out->sunlit, diag);
    }
    return status;
}

static void hand_out(const ty_render_buffers *o, const ty_k_truth *t, size_t i)
{
    if (o->depth) {
        o->depth[i] = (double)t->along;
    }
    if (o->range) {
        o->range[i] = (double)t->range;
    }
    if (o->normal) {
        memcpy(o->normal + 3 * i, t->normal, sizeof t->normal);
    }
    if (o->albedo) {
        o->albedo[i] = t->albedo;
    }
    if (o->instance) {
        o->instance[i] = t->instance;
    }
    if (o->kind) {
        o->kind[i] = (uint8_t)t->kind;
    }
}

static ty_status truth(tyi_render_gpu *g, const tyi_render_frame *f, const ty_k_frame *k, ty_diag *diag)
{
    size_t pixels = (size_t)k->width * (size_t)k->height, bytes = pixels * sizeof(ty_k_truth);
    bool lost = false;
    ty_status status = room(g, TRUTH, bytes, &lost, diag);
    if (status == TY_OK && !need(g, &g->truth, bytes)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "render: no memory for the truth of %zu pixels", pixels);
    }
    if (status == TY_OK) {
        status = run(g, "truth", k, TRUTH, 1, f->def.threads, diag);
    }
    if (status == TY_OK) {
        status = fetch(g, TRUTH, bytes, g->truth.data, diag);
    }
    for (size_t i = 0; i < pixels && status == TY_OK; i++) {
        hand_out(f->out, (const ty_k_truth *)g->truth.data + i, i);
    }
    return status;
}

ty_status tyi_render_gpu_frame(tyi_render_gpu *g, const tyi_render_frame *f, ty_diag *diag)
{
    const ty_render_buffers *o = f->out;
    ty_status status = update(g, f->scene, f->def.samples, diag);
    ty_k_frame k = frame_of(g, f);
    if (status == TY_OK && (o->radiance || o->sunlit)) {
        status = film(g, f, &k, diag);
    }
    if (status == TY_OK && (o->depth || o->range || o->normal || o->albedo || o->instance || o->kind)) {
        status = truth(g, f, &k, diag);
    }
    return status;
}

ty_status tyi_render_gpu_measure(tyi_render_gpu *g, const tyi_render_frame *f, int frames, bool depth, double *seconds,
                                 size_t *rays, ty_diag *diag)
{
    ty_status status = update(g, f->scene, f->def.samples, diag);
    ty_k_frame k = frame_of(g, f);
    size_t pixels = (size_t)k.width * (size_t)k.height;
    bool lost = false;
    *seconds = INFINITY;
    *rays = 0;
    if (status == TY_OK) {
        status = room(g, TRUTH, pixels * sizeof(ty_k_truth), &lost, diag);
    }
    for (int batch = 0; batch < 4 && status == TY_OK; batch++) {
        double start = tyi_now();
        for (int i = 0; i < frames && status == TY_OK; i++) {
            k.seed_low++;
            status = depth ? run(g, "truth", &k, TRUTH, 1, 0, diag) : expose(g, &k, 0, diag);
        }
        status = status == TY_OK && g->device ? ty_device_finish(g->device, diag) : status;
        if (batch > 0) { /* the first builds the kernel */
            *seconds = fmin(*seconds, (tyi_now() - start) / frames);
        }
    }
    uint32_t *count = tyi_get(g->alloc, pixels * sizeof *count);
    if (status == TY_OK && count && !depth) {
        status = fetch(g, RAYS, pixels * sizeof *count, count, diag);
        for (size_t i = 0; i < pixels; i++) {
            *rays += count[i];
        }
    }
    tyi_put(g->alloc, count, pixels * sizeof *count);
    return status;
}

ty_device *tyi_render_gpu_device(const tyi_render_gpu *g)
{
    return g->device;
}
