/* src/render/ground/ground_ahead.h - tiles of ground made before the rings need them, a few in each frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_GROUND_AHEAD_H
#define TYI_GROUND_AHEAD_H
#include "scene/scene.h"

/* A tile that no ring shows yet, or shows no more. */
typedef struct tyi_spare {
    tyi_plot plot;
    const tyi_ring *ring; /* NULL: free */
    uint64_t asked;       /* the last frame in which it was expected to be needed */
} tyi_spare;

ty_status tyi_ahead_init(tyi_ground *g, ty_diag *diag);
void tyi_ahead_free(tyi_ground *g);
/* Whether tile x, y with these edges was made ahead: then it has changed places with `tile`. */
bool tyi_ahead_take(tyi_ground *g, const tyi_ring *ring, tyi_plot *tile, int32_t x, int32_t y, uint8_t edges);
/* Adds to the frame's work what this frame should make of the ground that a steady motion of the eye to x, y of the lattice will need;
 * where memory is short, nothing. */
void tyi_ahead_plan(tyi_ground *g, tyi_accel *accel, const double at[2]);

#endif
