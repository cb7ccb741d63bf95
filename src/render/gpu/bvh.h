/* src/render/gpu/bvh.h - trees of boxes for k_bvh.h, built on the host.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_BVH_H
#define TYI_RENDER_BVH_H
#include "tycho/base.h"

struct ty_k_bvh_node;

typedef struct tyi_render_box {
    float lo[3], hi[3];
} tyi_render_box;

/* A tree over n >= 1 boxes with at most `leaf` of them in a leaf, by the surface area heuristic in 16 bins
 * [wald2007]. node: room for 2 n - 1; item: room for n. The root is node[0]; numbers of nodes and items in it
 * count from node_base and item_base. item[k] comes in as whatever the tree is to name, box[k] is its box; both are
 * put in the leaves' order. Returns how many nodes there are. */
uint32_t tyi_render_bvh_build(tyi_render_box *box, uint32_t *item, uint32_t n, uint32_t leaf, uint32_t node_base,
                              uint32_t item_base, struct ty_k_bvh_node *node);

#endif
