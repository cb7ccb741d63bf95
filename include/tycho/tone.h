/* include/tycho/tone.h - which radiance is white in a picture that is looked at.
 *
 * Pictures of 8 bits cannot hold the Sun (2e7 W/m^2/sr) and the ground beside it (10 to 200): what is white is chosen by
 * the lit ground alone, and once for all pictures that are to be compared. Formula: kernels/k_tone.h
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TONE_H
#define TYCHO_TONE_H
#include "tycho/base.h"
TY_BEGIN_DECLS

/* A tone curve from black to white: straight, or with a knee above which it flattens; then to the power 1/gamma. */
typedef struct ty_tone {
    double black, white; /* [W/m^2/sr], or a detector's numbers */
    double gamma;        /* [-] 2.2 for pictures, 1 for 16-bit data */
    double knee;         /* as black and white; 0: straight */
} ty_tone;

TY_API uint8_t ty_tone_byte(const ty_tone *tone, double value);
TY_API uint16_t ty_tone_word(const ty_tone *tone, double value);

/* How white is chosen: `factor` times the radiance that `share` of the lit pixels do not exceed. */
typedef struct ty_tone_rule {
    double share, factor; /* [-] */
} ty_tone_rule;
TY_API ty_tone_rule ty_tone_single(void); /* one picture: 0.995, 1.1: sunlit dust fills most of the range */

/* Radiance [W/m^2/sr] for white, from n pixels of one band. kind (ty_render_class, NULL: not known): only ground and
 * rocks count, so that neither Sun nor Earth nor a glint of the rover decides. Without it what is brighter than any
 * diffuse surface in sunlight does not count (the Sun's disk). Pixels below 5 % of the mean are shadow. Where nothing
 * of this is left, all pixels count; 1 where nothing shines at all. Not finite ones never count. */
TY_API double ty_tone_white(const float *radiance, const uint8_t *kind, size_t n, ty_tone_rule rule);
/* One curve for many pictures: white as for a single one, the knee at the middle of what is lit, gamma 2.2. */
TY_API ty_tone ty_tone_series(const float *radiance, const uint8_t *kind, size_t n);

TY_END_DECLS
#endif
