/* src/world/terrain/tone.h - how bright the soil is from place to place.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_TONE_H
#define TYI_TERRAIN_TONE_H
#include "tycho/terrain.h"

/* How strong the grains of the soil are [-], relative to the mean, at every eighth sample from i0, j0 on, which are whole
 * multiples of 8: out[j * n + i]. */
void tyi_terrain_tone_grain(const ty_terrain *terrain, int level, int32_t i0, int32_t j0, int n, float *out);

/* whether there is anything to ask for: otherwise the factor is 1 everywhere */
bool tyi_terrain_tone_varies(const ty_terrain *terrain);

/* Brightness [-] of the soil relative to the ground's material at samples i0 .. i0+nx-1, j0 .. j0+ny-1 of a level:
 * out[j * nx + i], as far as the level can show it. The same for everybody, in any order; edits do not change it. */
void tyi_terrain_tone(const ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny, float *out);

/* Whether anything has driven over, or dug, any of these samples, as far as the level shows it. */
bool tyi_terrain_tone_touched(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny);
/* Turns the sign of the samples that something has driven over or dug; whether there is any. */
bool tyi_terrain_tone_tracks(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny, float *out);

#endif
