/* src/render/ground/ground_ahead.h - tiles of ground made before the rings need them, a few in each frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_GROUND_AHEAD_H
#define TYI_RENDER_GROUND_AHEAD_H
#include "scene/scene.h"

/* A tile that no ring shows yet, or shows no more. */
typedef struct tyi_render_spare {
    tyi_render_plot plot;
    const tyi_render_ring *ring; /* NULL: free */
    uint64_t asked;              /* the last frame in which it was expected to be needed */
} tyi_render_spare;

ty_status tyi_render_ahead_init(tyi_render_ground *g, ty_diag *diag);
void tyi_render_ahead_free(tyi_render_ground *g);
/* Whether tile x, y with these edges was made ahead: then it has changed places with `tile`. */
bool tyi_render_ahead_take(tyi_render_ground *g, const tyi_render_ring *ring, tyi_render_plot *tile, int32_t x,
                           int32_t y, uint8_t edges);
/* A new frame, with the eye at x, y of the lattice: whether it goes on as it did. */
bool tyi_render_ahead_steady(tyi_render_ground *g, const double at[2]);
/* Adds to the frame's work what this frame should make of the ground that a steady motion of the eye will need; where memory is short, nothing. */
void tyi_render_ahead_plan(tyi_render_ground *g, tyi_render_accel *accel, const double at[2], bool steady);

#endif
