/* src/render/host/tone.c - see tycho/tone.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/tone.h"
#include <math.h>
#include <stdlib.h>
#include "k_tone.h"
#include "tycho/render.h"

/* [W/m^2/sr] no diffuse surface in sunlight is as bright: 3 times a white one that faces the Sun, (1361/pi). A pixel
 * that shows a 4096th of the Sun's disk is brighter. */
#define SURFACE 1361.0
#define SHADOW  0.05 /* [-] of the mean: light reaches shadows too, from the ground */

uint8_t ty_tone_byte(const ty_tone *t, double value)
{
    return (uint8_t)lrint(255.0 * ty_k_tone(value, t->black, t->white, t->knee, t->gamma));
}

uint16_t ty_tone_word(const ty_tone *t, double value)
{
    return (uint16_t)lrint(65535.0 * ty_k_tone(value, t->black, t->white, t->knee, t->gamma));
}

ty_tone_rule ty_tone_single(void)
{
    return (ty_tone_rule){ 0.995, 1.1 };
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

typedef enum counting { SURFACES, NOT_THE_SUN, ALL } counting;

static bool counts(const float *radiance, const uint8_t *kind, size_t i, counting what)
{
    double v = (double)radiance[i];
    if (!isfinite(v)) {
        return false;
    }
    return what == ALL || (what == NOT_THE_SUN && v < SURFACE) ||
           (what == SURFACES &&
            (kind ? kind[i] == TY_CLASS_GROUND || kind[i] == TY_CLASS_ROCK || kind[i] == TY_CLASS_RUT : v < SURFACE));
}

/* 0: nothing of the kind shines */
static double white_of(const float *radiance, const uint8_t *kind, size_t n, ty_tone_rule rule, counting what,
                       float *lit)
{
    size_t count = 0, counted = 0;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (counts(radiance, kind, i, what)) {
            sum += (double)radiance[i];
            counted++;
        }
    }
    double least = counted ? SHADOW * sum / (double)counted : 0.0;
    for (size_t i = 0; i < n; i++) {
        if (counts(radiance, kind, i, what) && (double)radiance[i] > least) {
            lit[count++] = radiance[i];
        }
    }
    if (!count) {
        return 0.0;
    }
    qsort(lit, count, sizeof *lit, by_size);
    return rule.factor * (double)lit[(size_t)(rule.share * (double)(count - 1))];
}

double ty_tone_white(const float *radiance, const uint8_t *kind, size_t n, ty_tone_rule rule)
{
    float *lit = malloc((n ? n : 1) * sizeof *lit);
    double white = 0.0;
    for (int what = SURFACES; lit && what <= ALL && !(white > 0.0); what++) {
        white = white_of(radiance, kind, n, rule, (counting)what, lit);
    }
    free(lit);
    return white > 0.0 ? white : 1.0;
}

ty_tone ty_tone_series(const float *radiance, const uint8_t *kind, size_t n)
{
    double white = ty_tone_white(radiance, kind, n, ty_tone_single());
    return (ty_tone){ 0.0, white, 2.2, ty_tone_white(radiance, kind, n, (ty_tone_rule){ 0.5, 1.0 }) };
}
