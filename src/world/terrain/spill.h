/* src/world/terrain/spill.h - a temporary file without a name, for what of the ground nobody is near.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_SPILL_H
#define TYI_TERRAIN_SPILL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Made at the first write, in $TMPDIR or /tmp. All zero: none yet. */
typedef struct tyi_terrain_spill {
    int fd1; /* 1 + its descriptor */
    bool failed;
    uint64_t end;
} tyi_terrain_spill;

/* At a place of its own behind all others, *at. False: it cannot be written, and what was to go there has to stay in memory. */
bool tyi_terrain_spill_add(tyi_terrain_spill *s, const void *data, size_t bytes, uint64_t *at);
bool tyi_terrain_spill_write(tyi_terrain_spill *s, const void *data, size_t bytes, uint64_t at);
bool tyi_terrain_spill_read(const tyi_terrain_spill *s, void *data, size_t bytes, uint64_t at);
void tyi_terrain_spill_clear(tyi_terrain_spill *s); /* empty again */
void tyi_terrain_spill_free(tyi_terrain_spill *s);

#endif
