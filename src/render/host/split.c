/* src/render/host/split.c - light between surfaces for pictures: more paths where nothing else lights a place, fewer
 * where lamps do.
 *
 * A sample in shadow is all second-hand light, and one path for each sample leaves grain there; in the Sun that
 * light is a few hundredths, and half of the paths are enough. How many paths go on from a sample, each with its
 * share of the weight, depends only on what was found before them, so the mean stays what it is: splitting and
 * Russian roulette [arvo1990].
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include <string.h>

/* a sample is dark with less light straight from lamps than so many times the mean of what paths bring to its tile */
#define DARK         4.0f
#define BRIGHT_SHARE 2    /* in one of so many samples a path goes on from a place that is not dark */
#define EVEN         0.08 /* paths from a dark sample for each unit of their relative variance */

static void keep(tyi_render_block *b)
{
    tyi_render_kept *p = &b->kept;
    memcpy(p->dx, b->ray.dx, sizeof p->dx);
    memcpy(p->dy, b->ray.dy, sizeof p->dy);
    memcpy(p->dz, b->ray.dz, sizeof p->dz);
    p->point = b->point, p->normal = b->normal;
    memcpy(p->material, b->material, sizeof p->material);
    memcpy(p->vary, b->vary, sizeof p->vary);
    memcpy(p->through, b->through, sizeof p->through);
    memcpy(p->tone, b->tone, sizeof p->tone);
    memcpy(p->disturbed, b->disturbed, sizeof p->disturbed);
    memcpy(p->cover, b->cover, sizeof p->cover);
}

/* the first surfaces again, with what each path of this round weighs; lanes without one are idle */
static void take_up(tyi_render_block *b, const float *weight, int bands)
{
    const tyi_render_kept *p = &b->kept;
    memcpy(b->ray.dx, p->dx, sizeof p->dx);
    memcpy(b->ray.dy, p->dy, sizeof p->dy);
    memcpy(b->ray.dz, p->dz, sizeof p->dz);
    b->point = p->point, b->normal = p->normal;
    memcpy(b->vary, p->vary, sizeof p->vary);
    memcpy(b->tone, p->tone, sizeof p->tone);
    memcpy(b->disturbed, p->disturbed, sizeof p->disturbed);
    memcpy(b->cover, p->cover, sizeof p->cover);
    for (int k = 0; k < N; k++) {
        b->material[k] = weight[k] > 0.0f ? p->material[k] : -1;
    }
    for (int band = 0; band < bands; band++) {
        for (int k = 0; k < N; k++) {
            b->through[band][k] = weight[k] * p->through[band][k];
        }
    }
}

/* Paths from a dark place, by how much single ones differ in this tile so far: the error of their mean becomes much
 * the same share of it everywhere. */
static int rounds(const tyi_render_block *b, int most)
{
    double spread = b->second > 0.0 ? b->square * b->seconds / (b->second * b->second) - 1.0 : 0.0;
    return spread * EVEN < 1.0 ? 1 : spread * EVEN > most ? most : (int)(spread * EVEN);
}

/* one more path from every lane with a weight; what each brings is taken down */
static void go_on(tyi_render_block *b, const tyi_render_frame *f, uint32_t number, const float *weight)
{
    float before[N];
    memcpy(before, b->film[0], sizeof before);
    take_up(b, weight, f->scene->def.bands);
    tyi_render_block_follow(b, f, number);
    for (int k = 0; k < N; k++) {
        double one = weight[k] > 0.0f ? (double)((b->film[0][k] - before[k]) / weight[k]) : 0.0;
        b->second += one, b->square += one * one;
        b->seconds += weight[k] > 0.0f ? 1.0 : 0.0;
    }
}

/* which samples are dark, and what a path from each weighs when n go on from a dark one; returns how many are dark */
static int weigh(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, int n, float *weight)
{
    uint32_t samples = (uint32_t)f->def.samples, few = (samples + BRIGHT_SHARE - 1) / BRIGHT_SHARE;
    float mean = b->seconds > 0.0 ? (float)(b->second / b->seconds) : 0.0f;
    int darks = 0;
    for (int k = 0; k < N; k++) {
        bool on = b->material[k] >= 0;
        b->low[k] = on && b->film[0][k] - b->straight[k] <= DARK * mean;
        darks += b->low[k];
        if (on && !b->low[k] && !f->shading->brdf[b->material[k]].law->lobed) {
            weight[k] = i < few ? (float)samples / (float)few : 0.0f; /* the first ones: they are evenly spread too */
        } else {
            /* what mirrors is as bright as what it mirrors */
            weight[k] = !on ? 0.0f : b->low[k] ? 1.0f / (float)n : 1.0f;
        }
    }
    return darks;
}

void tyi_render_block_split(tyi_render_block *b, const tyi_render_frame *f, uint32_t i)
{
    float weight[N];
    int n = rounds(b, f->def.split), darks = weigh(b, f, i, n, weight);
    keep(b);
    for (int round = 0; round < n && (round == 0 || darks > 0); round++) {
        go_on(b, f, i + (uint32_t)(round * f->def.samples), weight);
        for (int k = 0; k < N; k++) {
            weight[k] = b->low[k] ? weight[k] : 0.0f;
        }
    }
}
