/* src/render/gpu/clods.c - loose soil on a device: clods in the order of Morton's curve, and a tree over them that follows it.
 *
 * They are other ones in each frame, so that their tree is made in one go: four neighbours on the curve are a leaf, a node ends where the
 * highest bit in which its keys differ does [lauterbach2009].
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <math.h>
#include <string.h>

enum {
    LEAF = 4,   /* clods */
    BITS = 16,  /* of a key along each axis */
    DIGIT = 12, /* bits that are sorted at a time */
    BY_KEYS =
        16 /* levels of nodes that are cut by keys; those below are halved, so that no tree is deeper than TY_K_BVH_STACK */
};

typedef struct keyed {
    uint64_t key;
    uint32_t clod;
} keyed;

/* bits of a number, two places apart */
static uint64_t spread(uint32_t x)
{
    uint64_t v = x;
    v = (v | v << 16) & 0x0000ff0000ffull;
    v = (v | v << 8) & 0x00f00f00f00full;
    v = (v | v << 4) & 0x0c30c30c30c3ull;
    return (v | v << 2) & 0x249249249249ull;
}

static void make_keys(const ty_k_scene_clod *clod, size_t n, keyed *to)
{
    float lo[3] = { INFINITY, INFINITY, INFINITY }, wide = 0.0f;
    for (int c = 0; c < 3; c++) {
        float hi = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            lo[c] = fminf(lo[c], clod[i].p[c]), hi = fmaxf(hi, clod[i].p[c]);
        }
        wide = fmaxf(wide, hi - lo[c]);
    }
    float per = wide > 0.0f ? (float)((1 << BITS) - 1) / wide : 0.0f;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = 0;
        for (int c = 0; c < 3; c++) {
            key |= spread((uint32_t)(per * (clod[i].p[c] - lo[c]))) << c;
        }
        to[i] = (keyed){ key, (uint32_t)i };
    }
}

/* by their keys, equal ones in their order; `other`: room for as many. Returned is where they are. */
static keyed *sort(keyed *from, keyed *other, size_t n)
{
    for (int shift = 0; shift < 3 * BITS; shift += DIGIT) {
        static const uint64_t mask = (1u << DIGIT) - 1;
        size_t first[1u << DIGIT] = { 0 }, at = 0;
        for (size_t i = 0; i < n; i++) {
            first[from[i].key >> shift & mask]++;
        }
        for (size_t k = 0; k <= mask; k++) {
            size_t count = first[k];
            first[k] = at, at += count;
        }
        for (size_t i = 0; i < n; i++) {
            other[first[from[i].key >> shift & mask]++] = from[i];
        }
        keyed *swap = from;
        from = other, other = swap;
    }
    return from;
}

typedef struct builder {
    const keyed *key;
    const ty_k_scene_clod *clod; /* in their order */
    uint32_t clods, next;        /* next node */
    ty_k_bvh_node *node;
} builder;

/* the first leaf of [a, b) that is on the far side of the highest bit in which their keys differ */
static uint32_t cut(const builder *w, uint32_t a, uint32_t b, int level)
{
    uint64_t first = w->key[LEAF * (size_t)a].key, differ = first ^ w->key[LEAF * (size_t)(b - 1)].key;
    uint32_t low = a + 1, high = b - 1;
    if (differ == 0 || level >= BY_KEYS) {
        return a + (b - a) / 2;
    }
    int bit = 63 - __builtin_clzll(differ);
    while (low < high) {
        uint32_t half = low + (high - low) / 2;
        if (w->key[LEAF * (size_t)half].key >> bit != first >> bit) {
            high = half;
        } else {
            low = half + 1;
        }
    }
    return low;
}

static tyi_render_box leaf_box(const builder *w, uint32_t first, uint32_t count)
{
    tyi_render_box b = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (uint32_t k = first; k < first + count; k++) {
        const ty_k_scene_clod *c = &w->clod[k];
        for (int i = 0; i < 3; i++) {
            b.lo[i] = fminf(b.lo[i], c->p[i] - c->r), b.hi[i] = fmaxf(b.hi[i], c->p[i] + c->r);
        }
    }
    return tyi_render_gpu_pad(b);
}

/* node number `at` over leaves [a, b) */
static void grow(builder *w, uint32_t at, uint32_t a, uint32_t b, int level)
{
    ty_k_bvh_node *n = &w->node[at];
    if (b - a == 1) {
        uint32_t first = LEAF * a, count = w->clods - first < LEAF ? w->clods - first : LEAF;
        tyi_render_box box = leaf_box(w, first, count);
        memcpy(n->lo, box.lo, sizeof n->lo), memcpy(n->hi, box.hi, sizeof n->hi);
        n->first = first, n->count = count;
        return;
    }
    uint32_t half = cut(w, a, b, level), child = w->next;
    w->next += 2;
    grow(w, child, a, half, level + 1);
    grow(w, child + 1, half, b, level + 1);
    const ty_k_bvh_node *x = &w->node[child], *y = x + 1;
    for (int c = 0; c < 3; c++) {
        n->lo[c] = fminf(x->lo[c], y->lo[c]), n->hi[c] = fmaxf(x->hi[c], y->hi[c]);
    }
    n->first = child, n->count = 0;
}

ty_status tyi_render_gpu_put_clods(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag)
{
    const tyi_render_array *a = &f->section[TY_K_SCENE_CLOD];
    size_t n = a->count, leaves = (n + LEAF - 1) / LEAF, nodes = n ? 2 * leaves - 1 : 0;
    if (g->known[TY_K_SCENE_CLOD] && g->version[TY_K_SCENE_CLOD] == a->version) {
        return TY_OK;
    }
    if (!tyi_render_gpu_need(g, &g->clod, (n + 1) * sizeof(ty_k_scene_clod)) ||
        !tyi_render_gpu_need(g, &g->clod_node, (nodes + 1) * sizeof(ty_k_bvh_node)) ||
        !tyi_render_gpu_need(g, &g->clod_key, (2 * n + 1) * sizeof(keyed))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a tree over %zu clods", n);
    }
    ty_k_scene_clod *to = g->clod.data;
    keyed *key = g->clod_key.data;
    make_keys(a->data, n, key);
    key = sort(key, key + n, n);
    for (size_t i = 0; i < n; i++) {
        to[i] = ((const ty_k_scene_clod *)a->data)[key[i].clod];
    }
    if (n) {
        builder w = { key, to, (uint32_t)n, 1, g->clod_node.data };
        grow(&w, 0, 0, (uint32_t)leaves, 0);
    }
    ty_status status = tyi_render_gpu_put(g, TYI_GPU_CLOD, to, n * sizeof *to, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_put(g, TYI_GPU_CLOD_NODE, g->clod_node.data, nodes * sizeof(ty_k_bvh_node), diag);
    }
    g->known[TY_K_SCENE_CLOD] = status == TY_OK;
    g->version[TY_K_SCENE_CLOD] = a->version;
    return status;
}
