/* src/render/host/boxes.c - boxes around what an image shows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "tycho/render.h"
#include "inner.h"

static bool is_thing(uint8_t kind)
{
    return kind != TY_CLASS_SKY && kind != TY_CLASS_GROUND && kind != TY_CLASS_RUT && kind != TY_CLASS_GRAIN;
}

static void widen(ty_truth_box2 *b, int x, int y)
{
    b->x0 = x < b->x0 ? x : b->x0;
    b->x1 = x + 1 > b->x1 ? x + 1 : b->x1;
    b->y1 = y + 1;
    b->pixels++;
}

size_t ty_truth_boxes_2d(int width, int height, const uint32_t *instance, const uint8_t *kind, ty_truth_box2 *out,
                         size_t capacity)
{
    size_t found = 0, at = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            size_t i = (size_t)y * (size_t)width + (size_t)x;
            if (!is_thing(kind[i])) {
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
            widen(&out[at], x, y);
        }
    }
    return found;
}

/* where an instance is in the table, or where it would be; 0 there: nobody is, else its number in the list and 1 */
static size_t place_of(const tyi_render_things *t, uint32_t instance)
{
    size_t at = tyi_hash(&instance, sizeof instance, TYI_HASH_START) % TYI_RENDER_THING_PLACES;
    while (t->place[at] && t->box[t->place[at] - 1].instance != instance) {
        at = (at + 1) % TYI_RENDER_THING_PLACES;
    }
    return at;
}

/* fewest pixels of a thing so that at most so many have as many */
static int fewest(const tyi_render_things *t, size_t found, size_t most)
{
    int low = 0, high = 1 << 30; /* so many have more than high, too many have more than low */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        size_t more = 0;
        for (size_t i = 0; i < found; i++) {
            more += t->box[i].pixels >= middle;
        }
        low = more > most ? middle : low, high = more > most ? high : middle;
    }
    return high;
}

size_t tyi_render_truth_largest(tyi_render_things *t, int width, int height, const uint32_t *instance,
                                const uint8_t *kind, ty_truth_box2 *out, size_t most)
{
    size_t found = 0, kept = 0, last = 0;
    memset(t->place, 0, sizeof t->place);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            size_t i = (size_t)y * (size_t)width + (size_t)x;
            if (!is_thing(kind[i])) {
                continue;
            }
            if (!found || t->box[last].instance != instance[i]) { /* neighbours are mostly of one thing */
                size_t at = place_of(t, instance[i]);
                if (!t->place[at] && found == TYI_RENDER_THINGS) {
                    continue;
                }
                if (!t->place[at]) {
                    t->box[found++] = (ty_truth_box2){ instance[i], (ty_render_class)kind[i], x, y, x, y, 0 };
                    t->place[at] = (uint16_t)found;
                }
                last = t->place[at] - 1u;
            }
            widen(&t->box[last], x, y);
        }
    }
    int least = found > most ? fewest(t, found, most) : 0;
    size_t larger = 0;
    for (size_t i = 0; i < found; i++) {
        larger += t->box[i].pixels >= least;
    }
    for (size_t i = 0; i < found; i++) { /* and of those that are next the first */
        bool next = t->box[i].pixels == least - 1 && larger < most;
        if (t->box[i].pixels >= least || next) {
            larger += next;
            out[kept++] = t->box[i];
        }
    }
    return kept;
}
