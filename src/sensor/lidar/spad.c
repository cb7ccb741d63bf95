/* src/sensor/lidar/spad.c - photon histograms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "k_lidar.h"
#include "k_spad.h"
#include "lidar.h"
#include "core/rules.h"
#include "tycho/math.h"
#include "tycho/lidar.h"
#include "inner.h"

struct ty_spad {
    ty_spad_def def;
    int dead;        /* bins of dead time */
    double *scratch; /* 2 * bins per worker */
    int workers;
    ty_buffer counts;
    const ty_trace_hit *hit; /* of the frame being made */
    uint64_t frame;
};

ty_spad_def ty_spad_def_default(void)
{
    return (ty_spad_def){ .pixels = 1,
                          .samples = 1,
                          .bins = 1024,
                          .bin = 1e-10,
                          .pulse = 1e-10,
                          .jitter = 1e-10,
                          .white = 10.0,
                          .background = 1e5,
                          .dead_time = 5e-8,
                          .pulses = 10000,
                          .noise = true,
                          .seed = 1,
                          .cookie = TYI_COOKIE };
}

#define AT(field) offsetof(ty_spad_def, field)
static const tyi_limit limits[] = {
    { "pixels", "", AT(pixels), TYI_INT, 1.0, 32768.0 },
    { "samples", "", AT(samples), TYI_INT, 1.0, 256.0 },
    { "bins", "", AT(bins), TYI_INT, 1.0, 32768.0 },
    { "bin", "s", AT(bin), TYI_DOUBLE, 1e-13, 1e-3 },
    { "pulse", "s", AT(pulse), TYI_DOUBLE, 0.0, 1e-3 },
    { "jitter", "s", AT(jitter), TYI_DOUBLE, 1e-13, 1e-3 },
    { "white", "", AT(white), TYI_DOUBLE, 0.0, 1e12 },
    { "background", "1/s", AT(background), TYI_DOUBLE, 0.0, 1e12 },
    { "dead_time", "s", AT(dead_time), TYI_DOUBLE, 0.0, 1.0 },
    { "pulses", "", AT(pulses), TYI_INT, 1.0, 1e9 },
    { "threads", "", AT(threads), TYI_INT, 0.0, 1024.0 },
    { 0 },
};
const tyi_rules tyi_lidar_spad_rules = { "spad", limits, NULL };

ty_status ty_spad_create(const ty_spad_def *def, ty_spad **out, ty_diag *diag)
{
    *out = NULL;
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "spad: the definition did not start from ty_spad_def_default()");
    }
    ty_status status = tyi_rules_check(&tyi_lidar_spad_rules, def, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_spad *s = tyi_get(def->alloc, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "spad: no memory");
    }
    s->def = *def;
    s->dead = (int)fmin(rint(def->dead_time / def->bin), def->bins);
    s->workers = tyi_tasks_threads(def->threads);
    size_t bytes = (size_t)s->workers * 2 * (size_t)def->bins * sizeof *s->scratch;
    s->scratch = tyi_get(def->alloc, bytes);
    ty_buffer_type type = { def->bins, def->pixels, 1, TY_ELEMENT_U32, TY_UNIT_PHOTONS, 'S' };
    status = s->scratch ? ty_buffer_create(&type, def->alloc, &s->counts, diag)
                        : ty_fail(diag, TY_ERR_MEMORY, "spad: no memory for %d bins", def->bins);
    if (status != TY_OK) {
        ty_spad_destroy(s);
        return status;
    }
    *out = s;
    return TY_OK;
}

void ty_spad_destroy(ty_spad *s)
{
    if (s) {
        tyi_put(s->def.alloc, s->scratch, (size_t)s->workers * 2 * (size_t)s->def.bins * sizeof *s->scratch);
        ty_buffer_destroy(&s->counts);
        tyi_put(s->def.alloc, s, sizeof *s);
    }
}

/* an echo's photons, spread over the bins within 8 sigma of it */
static void add_echo(const ty_spad_def *d, double range, double reflectance, double pass, double *mean)
{
    if (!isfinite(range) || !(range > 0.0)) {
        return;
    }
    double photons = ty_k_spad_photons(d->white, reflectance, range) / d->samples;
    photons *= pass;
    double at = 2.0 * range / TY_K_LIGHT, wide = 0.5 * d->pulse + 8.0 * d->jitter;
    double first = fmax(floor((at - wide) / d->bin), 0.0), last = fmin(ceil((at + wide) / d->bin), d->bins - 1);
    double before = ty_k_spad_before(first * d->bin - at, d->pulse, d->jitter);
    for (double i = first; i <= last; i += 1.0) {
        double after = ty_k_spad_before((i + 1.0) * d->bin - at, d->pulse, d->jitter);
        mean[(int)i] += photons * (after - before);
        before = after;
    }
}

void ty_spad_expect(const ty_spad *s, const ty_trace_hit *hit, double *mean, double *fire)
{
    const ty_spad_def *d = &s->def;
    for (int i = 0; mean && i < d->bins; i++) {
        mean[i] = d->background * d->bin;
    }
    for (int k = 0; mean && k < d->samples; k++) {
        add_echo(d, hit[k].range, (double)hit[k].reflectance, ty_k_lidar_pass((double)hit[k].tau), mean);
        for (int q = 0; q < TY_MEDIUM_PARTS && hit[k].haze[q].reflectance > 0.0f; q++) {
            add_echo(d, (double)hit[k].haze[q].range, (double)hit[k].haze[q].reflectance, 1.0, mean);
        }
    }
    double busy = 0.0;
    for (int i = 0; mean && fire && i < d->bins; i++) {
        fire[i] = ty_k_spad_fire(fmin(busy, 1.0), mean[i]);
        busy += s->dead > 0 ? fire[i] : 0.0;
        busy -= s->dead > 0 && i >= s->dead - 1 && s->dead < d->bins ? fire[i - s->dead + 1] : 0.0;
    }
}

/* Counts of one pixel. Where the diode fires at most once a cycle, counts are drawn one bin after
 * the other from the cycles that are left, which is exact; else each bin by itself. */
static void expose_pixel(void *user, size_t pixel, int worker)
{
    const ty_spad *s = user;
    const ty_spad_def *d = &s->def;
    double *mean = s->scratch + (size_t)worker * 2 * (size_t)d->bins, *fire = mean + d->bins;
    ty_spad_expect(s, s->hit + pixel * (size_t)d->samples, mean, fire);
    bool once = s->dead >= d->bins;
    double left = d->pulses, chance = 1.0; /* cycles, and probability, without a firing so far */
    for (int i = 0; i < d->bins; i++) {
        double n = rint(d->pulses * fire[i]);
        if (d->noise) {
            ty_k_u32x4 r = ty_k_philox((uint32_t)pixel << 15 | (uint32_t)i, (uint32_t)s->frame,
                                       (uint32_t)(s->frame >> 32), d->id, (uint32_t)d->seed, TY_RNG_SPAD);
            double p = once ? (chance > 0.0 ? fmin(fire[i] / chance, 1.0) : 0.0) : fire[i];
            n = ty_k_binomial(once ? left : d->pulses, p, r);
        }
        left -= n;
        chance -= fire[i];
        *(uint32_t *)ty_buffer_at(&s->counts, i, (int)pixel, 0) = (uint32_t)n;
    }
}

ty_status ty_spad_expose(ty_spad *s, const ty_trace_hit *hit, ty_stamps time, uint64_t frame, const ty_buffer **out,
                         ty_diag *diag)
{
    (void)diag;
    s->hit = hit;
    s->frame = frame;
    s->counts.time = time;
    tyi_tasks_for(s->workers, (size_t)s->def.pixels, expose_pixel, s);
    *out = &s->counts;
    return TY_OK;
}

/* ---- ranges ---- */

static ty_status link_range(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    const ty_spad *s = user;
    if (in->width != s->def.bins) {
        return ty_fail(diag, TY_ERR_INPUT, "spad: 'range' takes histograms of %d bins, not of %d", s->def.bins,
                       in->width);
    }
    need->out = (ty_buffer_type){ 1, in->height, 2, TY_ELEMENT_F64, TY_UNIT_METRE, in->frame };
    need->scratch = (size_t)in->width * sizeof(double);
    return TY_OK;
}

/* mean photons per bin and cycle: by Coates where the diode fires once at most, else the counts */
static double photons(const ty_spad *s, const ty_buffer *in, int y, double *mean)
{
    double live = s->def.pulses, sum = 0.0;
    for (int i = 0; i < s->def.bins; i++) {
        double n = *(const uint32_t *)ty_buffer_at(in, i, y, 0);
        mean[i] = s->dead >= s->def.bins ? ty_k_spad_coates(n, live) : n / s->def.pulses;
        live -= n;
        sum += mean[i];
    }
    return sum;
}

static ty_status run_range(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const ty_spad *s = user;
    const ty_spad_def *d = &s->def;
    double *mean = call->scratch;
    int reach = (int)ceil((0.5 * d->pulse + 2.0 * d->jitter) / d->bin);
    for (int y = 0; y < call->in->type.height; y++) {
        double floor_level = photons(s, call->in, y, mean) / d->bins;
        int best = 0;
        for (int i = 1; i < d->bins; i++) {
            best = mean[i] > mean[best] ? i : best;
        }
        double sum = 0.0, moment = 0.0;
        for (int i = best - reach; i <= best + reach; i++) {
            if (i >= 0 && i < d->bins && mean[i] > floor_level) {
                sum += mean[i] - floor_level;
                moment += (mean[i] - floor_level) * (i + 0.5);
            }
        }
        double counts = sum * d->pulses, spread = sqrt(fmax(floor_level * (2 * reach + 1) * d->pulses, 1.0));
        bool seen = sum > 0.0 && counts > 5.0 * spread;
        ty_buffer_set(call->out, 0, y, 0, seen ? 0.5 * TY_K_LIGHT * d->bin * moment / sum : (double)NAN);
        ty_buffer_set(call->out, 0, y, 1, counts);
    }
    return TY_OK;
}

ty_filter tyi_lidar_spad_range(ty_spad *spad)
{
    return (ty_filter){ .name = "range",
                        .units = TY_BIT(TY_UNIT_PHOTONS),
                        .elements = TY_BIT(TY_ELEMENT_U32),
                        .channels = 1,
                        .link = link_range,
                        .run = run_range,
                        .user = spad };
}
