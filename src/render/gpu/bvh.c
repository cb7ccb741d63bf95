/* src/render/gpu/bvh.c - see bvh.h
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "bvh.h"
#include <assert.h>
#include <math.h>
#include "k_bvh.h"

enum { BINS = 16, DEEP = TY_K_BVH_STACK - 24 }; /* below DEEP halves of equal number, so that no stack is too short */

static tyi_render_box none(void)
{
    return (tyi_render_box){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

/* by comparisons: fminf() and fmaxf(), which mind NaN, are calls, and were half of the time */
static void join(tyi_render_box *a, const tyi_render_box *b)
{
    for (int k = 0; k < 3; k++) {
        a->lo[k] = b->lo[k] < a->lo[k] ? b->lo[k] : a->lo[k];
        a->hi[k] = b->hi[k] > a->hi[k] ? b->hi[k] : a->hi[k];
    }
}

static float area(const tyi_render_box *b)
{
    float x = b->hi[0] - b->lo[0], y = b->hi[1] - b->lo[1], z = b->hi[2] - b->lo[2];
    return x >= 0.0f ? x * y + y * z + z * x : 0.0f;
}

static float middle(const tyi_render_box *b, int axis)
{
    return 0.5f * (b->lo[axis] + b->hi[axis]);
}

typedef struct split {
    int axis;
    float at, cost; /* middles below `at` go left */
} split;

/* The cheapest of the planes between bins along one axis. Few boxes have few bins: half of all nodes stand above two boxes, and 16 bins for each of them were
 * a seventh of the time. */
static void try_axis(const tyi_render_box *box, uint32_t n, float lo, float hi, int axis, split *best)
{
    tyi_render_box bin[BINS], right[BINS];
    uint32_t count[BINS] = { 0 }, after = 0;
    const int bins = 2 * n < BINS ? 2 * (int)n : BINS;
    float per = (float)bins / (hi - lo);
    if (!(hi > lo) || !isfinite(per)) {
        return;
    }
    for (int k = 0; k < bins; k++) {
        bin[k] = none();
    }
    for (uint32_t i = 0; i < n; i++) {
        int k = (int)((middle(&box[i], axis) - lo) * per);
        k = k < 0 ? 0 : k >= bins ? bins - 1 : k;
        count[k]++;
        join(&bin[k], &box[i]);
    }
    tyi_render_box sum = none();
    for (int k = bins - 1; k > 0; k--) {
        join(&sum, &bin[k]);
        right[k] = sum;
    }
    sum = none();
    uint32_t before = 0;
    for (int k = 1; k < bins; k++) {
        join(&sum, &bin[k - 1]);
        before += count[k - 1];
        after = n - before;
        float cost = area(&sum) * (float)before + area(&right[k]) * (float)after;
        if (before && after && cost < best->cost) {
            *best = (split){ axis, lo + (float)k / per, cost };
        }
    }
}

static void swap(tyi_render_box *box, uint32_t *item, uint32_t a, uint32_t b)
{
    tyi_render_box t = box[a];
    uint32_t i = item[a];
    box[a] = box[b], item[a] = item[b];
    box[b] = t, item[b] = i;
}

/* puts what goes left in front; returns how many */
static uint32_t divide(tyi_render_box *box, uint32_t *item, uint32_t n, split s)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (middle(&box[i], s.axis) < s.at) {
            swap(box, item, i, left++);
        }
    }
    return left;
}

typedef struct job {
    uint32_t node, first, count, depth;
} job;

uint32_t tyi_render_bvh_build(tyi_render_box *box, uint32_t *item, uint32_t n, uint32_t leaf, uint32_t node_base,
                              uint32_t item_base, ty_k_bvh_node *node)
{
    assert(n >= 1 && leaf >= 1);
    job todo[2 * TY_K_BVH_STACK];
    uint32_t nodes = 1, top = 0;
    todo[top++] = (job){ 0, 0, n, 0 };
    while (top > 0) {
        job j = todo[--top];
        tyi_render_box *b = box + j.first, all = none(), middles = none();
        for (uint32_t i = 0; i < j.count; i++) {
            tyi_render_box m;
            for (int k = 0; k < 3; k++) {
                m.lo[k] = m.hi[k] = middle(&b[i], k);
            }
            join(&all, &b[i]);
            join(&middles, &m);
        }
        ty_k_bvh_node *to = &node[j.node];
        for (int k = 0; k < 3; k++) {
            to->lo[k] = all.lo[k], to->hi[k] = all.hi[k];
        }
        if (j.count <= leaf) {
            to->first = item_base + j.first, to->count = j.count;
            continue;
        }
        split best = { -1, 0.0f, INFINITY };
        for (int axis = 0; axis < 3 && j.depth < DEEP; axis++) {
            try_axis(b, j.count, middles.lo[axis], middles.hi[axis], axis, &best);
        }
        uint32_t left = best.axis >= 0 ? divide(b, item + j.first, j.count, best) : 0;
        left = left > 0 && left < j.count ? left : j.count / 2;
        to->first = node_base + nodes, to->count = 0;
        assert(top + 2 <= 2 * TY_K_BVH_STACK);
        todo[top++] = (job){ nodes, j.first, left, j.depth + 1 };
        todo[top++] = (job){ nodes + 1, j.first + left, j.count - left, j.depth + 1 };
        nodes += 2;
    }
    return nodes;
}
