/* src/render/gpu/trees.c - trees over meshes, rocks, ground and objects, one behind the other, so that what changes often is at the
 * end. The rocks' tree stays where it was built while the traced frame moves on (`shift`).
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <math.h>
#include <string.h>

/* room for one more tree over n boxes behind `after`, boxes and names to be filled in by the caller */
static bool tree_room(tyi_render_gpu *g, const tyi_render_gpu_tree *after, uint32_t n, tyi_render_gpu_tree *out)
{
    *out =
        (tyi_render_gpu_tree){ after ? after->node + after->nodes : 0, 0, after ? after->item + after->items : 0, n };
    size_t last = out->node + 2 * (size_t)n + 2;
    return tyi_render_gpu_need(g, &g->node, last * sizeof(ty_k_bvh_node)) &&
           tyi_render_gpu_need(g, &g->item, (out->item + (size_t)n + 1) * 4) &&
           tyi_render_gpu_need(g, &g->box, ((size_t)n + 1) * sizeof(tyi_render_box));
}

/* triangles as the leaves of a mesh's tree have them */
static void lay_triangles(const uint32_t *item, uint32_t n, const float *v, const uint32_t *t, ty_k_bvh_triangle *to)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t *corner = t + 3 * item[k];
        to[k] = (ty_k_bvh_triangle){ .prim = item[k] };
        memcpy(to[k].a, v + 3 * corner[0], sizeof to->a);
        memcpy(to[k].b, v + 3 * corner[1], sizeof to->b);
        memcpy(to[k].c, v + 3 * corner[2], sizeof to->c);
    }
}

/* all meshes' trees, one after the other, as if they were one */
static bool mesh_trees(tyi_render_gpu *g, const tyi_render_flat *f)
{
    size_t meshes = f->section[TY_K_SCENE_MESH].count, triangles = f->section[TY_K_SCENE_INDEX].count;
    const ty_k_scene_mesh *mesh = f->section[TY_K_SCENE_MESH].data;
    tyi_render_gpu_tree all;
    if (!tree_room(g, NULL, (uint32_t)(triangles + meshes), &all) ||
        !tyi_render_gpu_need(g, &g->root, (meshes + 1) * 4) ||
        !tyi_render_gpu_need(g, &g->triangle, (triangles + 1) * sizeof(ty_k_bvh_triangle))) {
        return false;
    }
    all.items = 0;
    for (size_t i = 0; i < meshes; i++) {
        const ty_k_scene_mesh *m = &mesh[i];
        tyi_render_box *box = g->box.data;
        uint32_t *item = TYI_GPU_ITEMS(g) + all.items;
        const float *v = tyi_render_flat_vertex(f, m);
        const uint32_t *t = tyi_render_flat_index(f, m);
        ((uint32_t *)g->root.data)[i] = all.nodes;
        for (uint32_t k = 0; k < m->triangles; k++) {
            box[k] = (tyi_render_box){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
            for (int c = 0; c < 9; c++) {
                float x = v[3 * t[3 * k + (uint32_t)c / 3] + (uint32_t)c % 3];
                box[k].lo[c % 3] = fminf(box[k].lo[c % 3], x), box[k].hi[c % 3] = fmaxf(box[k].hi[c % 3], x);
            }
            box[k] = tyi_render_gpu_pad(box[k]);
            item[k] = k;
        }
        if (m->triangles) {
            all.nodes +=
                tyi_render_bvh_build(box, item, m->triangles, 4, all.nodes, all.items, TYI_GPU_NODES(g) + all.nodes);
            lay_triangles(item, m->triangles, v, t, (ty_k_bvh_triangle *)g->triangle.data + all.items);
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
        const ty_k_bvh_node *n = TYI_GPU_NODES(g) + ((const uint32_t *)g->root.data)[k->mesh];
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
                float low = ball > 0.0f ? k->p[e][a] - ball : x, high = ball > 0.0f ? k->p[e][a] + ball : x;
                out.lo[a] = low < out.lo[a] ? low : out.lo[a];
                out.hi[a] = high > out.hi[a] ? high : out.hi[a];
            }
        }
    }
    return tyi_render_gpu_pad(out);
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
    uint32_t *item = TYI_GPU_ITEMS(g) + g->rocks.item;
    for (uint32_t i = 0; i < n; i++) {
        box[i] = instance_box(g, &mesh[k[i].mesh], &k[i]);
        item[i] = TY_K_ITEM_INSTANCE | i;
    }
    if (n) {
        g->rocks.nodes =
            tyi_render_bvh_build(box, item, n, 1, g->rocks.node, g->rocks.item, TYI_GPU_NODES(g) + g->rocks.node);
    }
    g->rock_centre = s->centre;
    return true;
}

static tyi_render_box tile_box(const tyi_render_gpu *g, const ty_k_scene_tile *t)
{
    const tyi_render_gpu_slot *at = tyi_render_gpu_slot_of(g, t->slot);
    float out = TY_K_TILE_OVERLAP * t->d, side = TY_K_SCENE_CELLS * t->d + out;
    tyi_render_box b = { { t->p[0] - out, t->p[1] - out, t->p[2] + at->lo },
                         { t->p[0] + side, t->p[1] + side, t->p[2] + at->hi } };
    for (int c = 0; c < 3 && t->flags & TY_K_SCENE_CURVED; c++) {
        b.lo[c] = at->box.lo[c] + t->p[c], b.hi[c] = at->box.hi[c] + t->p[c];
    }
    return tyi_render_gpu_pad(b);
}

static void join_children(ty_k_bvh_node *n, const ty_k_bvh_node *all)
{
    const ty_k_bvh_node *x = &all[n->first], *y = x + 1;
    for (int c = 0; c < 3; c++) {
        n->lo[c] = x->lo[c] < y->lo[c] ? x->lo[c] : y->lo[c];
        n->hi[c] = x->hi[c] > y->hi[c] ? x->hi[c] : y->hi[c];
    }
}

/* the same tree over the same tiles, which moved or whose heights changed (those that are fresh alone): from its leaves up, as nodes stand before those
 * below them */
static void tile_tree_refit(tyi_render_gpu *g, const tyi_render_flat *f, bool fresh_alone)
{
    const ty_k_scene_tile *tile = f->section[TY_K_SCENE_TILE].data;
    ty_k_bvh_node *all = TYI_GPU_NODES(g);
    for (uint32_t i = g->tiles.nodes; i-- > 0;) {
        ty_k_bvh_node *n = &all[g->tiles.node + i];
        if (!n->count) {
            join_children(n, all);
            continue;
        }
        const ty_k_scene_tile *t = &tile[TYI_GPU_ITEMS(g)[n->first]]; /* one tile */
        tyi_render_gpu_slot *at = tyi_render_gpu_slot_of(g, t->slot);
        if (at->fresh || !fresh_alone) {
            tyi_render_box b = tile_box(g, t);
            memcpy(n->lo, b.lo, sizeof b.lo), memcpy(n->hi, b.hi, sizeof b.hi);
            at->fresh = false;
        }
    }
}

/* Sensors of a rover that take turns have a set of tiles each, the same again and again; which one it is, by a hash of the tiles in their order. Two sets
 * with one name would have a tree that is right, but not the best one. */
static uint64_t name_of(const ty_k_scene_tile *tile, uint32_t n)
{
    uint64_t name = TYI_HASH_START;
    for (uint32_t i = 0; i < n; i++) {
        const int32_t place[3] = { tile[i].level, tile[i].x, tile[i].y };
        name = tyi_hash(place, sizeof place, name);
    }
    return name;
}

/* the place of a tree of this name, or the one that was asked for longest ago */
static tyi_render_gpu_topology *kept_tree(tyi_render_gpu *g, uint64_t name, uint32_t tiles)
{
    tyi_render_gpu_topology *oldest = g->kept;
    for (int i = 0; i < TYI_GPU_KEPT; i++) {
        tyi_render_gpu_topology *k = &g->kept[i];
        if (k->there && k->name == name && k->tree.items == tiles && k->tree.node == g->tiles.node &&
            k->tree.item == g->tiles.item) {
            k->asked = g->updates;
            return k;
        }
        oldest = k->asked < oldest->asked ? k : oldest;
    }
    oldest->there = false;
    return oldest;
}

/* keeps the tree as it is, where there is memory for it */
static void keep_tree(tyi_render_gpu *g, tyi_render_gpu_topology *k, uint64_t name)
{
    size_t nodes = g->tiles.nodes * sizeof(ty_k_bvh_node), items = g->tiles.items * sizeof(uint32_t);
    if (tyi_render_gpu_need(g, &k->node, nodes) && tyi_render_gpu_need(g, &k->item, items)) {
        memcpy(k->node.data, TYI_GPU_NODES(g) + g->tiles.node, nodes);
        memcpy(k->item.data, TYI_GPU_ITEMS(g) + g->tiles.item, items);
        k->name = name, k->tree = g->tiles, k->there = true, k->asked = g->updates;
    }
}

/* over the ground alone: it stays while nothing but objects moves */
static bool tile_tree(tyi_render_gpu *g, const tyi_render_flat *f)
{
    uint32_t tiles = (uint32_t)f->section[TY_K_SCENE_TILE].count;
    const ty_k_scene_tile *tile = f->section[TY_K_SCENE_TILE].data;
    if (!tree_room(g, &g->rocks, tiles, &g->tiles)) {
        return false;
    }
    if (!tiles) {
        return true;
    }
    uint64_t name = name_of(tile, tiles);
    tyi_render_gpu_topology *k = kept_tree(g, name, tiles);
    if (k->there) {
        g->tiles = k->tree;
        memcpy(TYI_GPU_NODES(g) + g->tiles.node, k->node.data, g->tiles.nodes * sizeof(ty_k_bvh_node));
        memcpy(TYI_GPU_ITEMS(g) + g->tiles.item, k->item.data, g->tiles.items * sizeof(uint32_t));
        tile_tree_refit(g, f, false);
        return true;
    }
    tyi_render_box *box = g->box.data;
    uint32_t *item = TYI_GPU_ITEMS(g) + g->tiles.item;
    for (uint32_t i = 0; i < tiles; i++) {
        item[i] = i;
        box[i] = tile_box(g, &tile[i]);
    }
    g->tiles.nodes =
        tyi_render_bvh_build(box, item, tiles, 1, g->tiles.node, g->tiles.item, TYI_GPU_NODES(g) + g->tiles.node);
    keep_tree(g, k, name);
    return true;
}

/* over the objects, and over both: three nodes in front, the root and copies of the two it joins, side by side */
static bool thing_tree(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f)
{
    enum { JOINT = 3 };
    uint32_t objects = (uint32_t)(f->section[TY_K_SCENE_INSTANCE].count - s->rocks.count);
    const ty_k_scene_instance *k = f->section[TY_K_SCENE_INSTANCE].data;
    const ty_k_scene_mesh *mesh = f->section[TY_K_SCENE_MESH].data;
    if (!tree_room(g, &g->tiles, objects + JOINT, &g->things)) {
        return false;
    }
    g->things.items = objects;
    tyi_render_box *box = g->box.data;
    uint32_t *item = TYI_GPU_ITEMS(g) + g->things.item;
    for (uint32_t i = 0; i < objects; i++) {
        box[i] = instance_box(g, &mesh[k[i].mesh], &k[i]);
        item[i] = TY_K_ITEM_INSTANCE | i;
    }
    ty_k_bvh_node *node = TYI_GPU_NODES(g) + g->things.node;
    if (objects) {
        g->things.nodes =
            JOINT + tyi_render_bvh_build(box, item, objects, 1, g->things.node + JOINT, g->things.item, node + JOINT);
    }
    g->top = objects ? g->things.node + (g->tiles.nodes ? 0 : JOINT) : g->tiles.nodes ? g->tiles.node : TY_K_NONE;
    if (objects && g->tiles.nodes) {
        node[1] = TYI_GPU_NODES(g)[g->tiles.node], node[2] = node[JOINT];
        node[0] = (ty_k_bvh_node){ .first = g->things.node + 1 };
        for (int c = 0; c < 3; c++) {
            node[0].lo[c] = fminf(node[1].lo[c], node[2].lo[c]), node[0].hi[c] = fmaxf(node[1].hi[c], node[2].hi[c]);
        }
    }
    return true;
}

/* nodes and items from a tree on; all of them where a buffer had to grow. refit: items are those that are there */
static ty_status put_trees(tyi_render_gpu *g, const tyi_render_gpu_tree *from, bool refit, ty_diag *diag)
{
    size_t nodes = g->things.node + g->things.nodes, items = g->things.item + g->things.items;
    TY_ASSERT(nodes < 1u << (32 - TY_K_BVH_COUNT_BITS) && items < 1u << (32 - TY_K_BVH_COUNT_BITS));
    bool lost = false;
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_NODE, nodes * sizeof(ty_k_bvh_node), &lost, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_ITEM, items * sizeof(uint32_t), &lost, diag);
    }
    size_t n0 = lost ? 0 : from->node, i0 = lost ? 0 : refit ? items : from->item;
    if (status == TY_OK && nodes > n0) {
        status = tyi_render_gpu_store(g, TYI_GPU_NODE, n0 * sizeof(ty_k_bvh_node), (nodes - n0) * sizeof(ty_k_bvh_node),
                                      TYI_GPU_NODES(g) + n0, diag);
    }
    if (status == TY_OK && items > i0) {
        status = tyi_render_gpu_store(g, TYI_GPU_ITEM, i0 * 4, (items - i0) * 4, TYI_GPU_ITEMS(g) + i0, diag);
    }
    return status;
}

ty_status tyi_render_gpu_update_trees(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f, bool meshes,
                                      bool tiles, bool things, ty_diag *diag)
{
    bool rocks = meshes || !g->rocks_known || g->rock_changes != s->rock_changes, ok = true;
    tiles = tiles || rocks;
    bool refit = tiles && g->stay && !rocks && g->tiles.nodes, moved = things;
    things = things || tiles;
    ty_status status = TY_OK;
    if (meshes) {
        ok = mesh_trees(g, f);
        status =
            ok ? tyi_render_gpu_put(g, TYI_GPU_ROOT, g->root.data, f->section[TY_K_SCENE_MESH].count * 4, diag) : TY_OK;
        if (ok && status == TY_OK) {
            status = tyi_render_gpu_put(g, TYI_GPU_TRIANGLE, g->triangle.data,
                                        g->meshes.items * sizeof(ty_k_bvh_triangle), diag);
        }
    }
    if (ok && rocks) {
        ok = rock_tree(g, s, f);
    }
    if (ok && refit) {
        tile_tree_refit(g, f, true);
    } else if (ok && tiles) {
        ok = tile_tree(g, f);
    }
    if (ok && things) {
        ok = thing_tree(g, s, f);
    }
    g->rocks_known = ok, g->rock_changes = s->rock_changes;
    if (!ok) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for trees over %zu instances",
                       f->section[TY_K_SCENE_INSTANCE].count);
    }
    const tyi_render_gpu_tree start = { 0, 0, 0, 0 };
    if (status == TY_OK && things) {
        status = put_trees(g,
                           meshes  ? &start
                           : rocks ? &g->rocks
                           : tiles ? &g->tiles
                                   : &g->things,
                           refit && !moved, diag);
    }
    return status;
}
