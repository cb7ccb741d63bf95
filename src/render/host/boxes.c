/* src/render/host/boxes.c - boxes around what an image shows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "tycho/render.h"

size_t ty_truth_boxes_2d(int width, int height, const uint32_t *instance, const uint8_t *kind, ty_truth_box2 *out,
                         size_t capacity)
{
    size_t found = 0, at = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            size_t i = (size_t)y * (size_t)width + (size_t)x;
            if (kind[i] == TY_CLASS_SKY || kind[i] == TY_CLASS_GROUND || kind[i] == TY_CLASS_RUT ||
                kind[i] == TY_CLASS_GRAIN) {
                continue;
            }
            if (at >= found || out[at].instance != instance[i]) { /* neighbours are mostly of one thing */
                for (at = 0; at < found && out[at].instance != instance[i]; at++) {
                }
            }
            if (at == found) {
                if (found == capacity) {
                    continue;
                }
                out[found++] = (ty_truth_box2){ instance[i], (ty_render_class)kind[i], x, y, x, y, 0 };
            }
            ty_truth_box2 *b = &out[at];
            b->x0 = x < b->x0 ? x : b->x0;
            b->x1 = x + 1 > b->x1 ? x + 1 : b->x1;
            b->y1 = y + 1;
            b->pixels++;
        }
    }
    return found;
}
