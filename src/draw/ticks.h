/* src/draw/ticks.h - where the ticks of an axis go and what is written on them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_TICKS_H
#define TYI_DRAW_TICKS_H
#include <stdbool.h>
#include <stddef.h>

#define TYI_DRAW_TICKS 64
typedef struct tyi_draw_ticks {
    int count; /* labelled ones */
    double at[TYI_DRAW_TICKS];
    char label[TYI_DRAW_TICKS][24];
    int minor_count;
    double minor[4 * TYI_DRAW_TICKS];
    int exponent; /* labels are data / 10^exponent; 0: as they are */
} tyi_draw_ticks;
/* Ticks of [low, high], about `target` of them. low < high; log: low > 0. */
void tyi_draw_ticks_make(double low, double high, bool log, int target, tyi_draw_ticks *out);
void tyi_draw_number(double value, int decimals, char *text, size_t size); /* with a true minus sign */
/* Label with the exponent of its ticks: "load [N] (×10³)". */
void tyi_draw_axis_label(const char *label, const tyi_draw_ticks *ticks, char *text, size_t size);

#endif
