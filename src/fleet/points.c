/* src/fleet/points.c - what run number i is: a function of the specification and of i alone, so that runs can be made in any order, anywhere,
 * and again.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fleet.h"
#include "k_chance.h"
#include "k_philox.h"

static double even(uint32_t bits)
{
    return ty_k_uniform(bits);
}

/* numbers for `what` of a run: 0 its value, 1 a shift of the whole design */
static uint32_t draw(const tyi_fleet_spec *spec, size_t run, size_t factor, uint32_t what)
{
    return ty_k_philox((uint32_t)run, (uint32_t)(spec->seed >> 32), (uint32_t)factor, what, (uint32_t)spec->seed,
                       TY_RNG_SWEEP)
        .v[0];
}

double tyi_fleet_unit(const tyi_fleet_spec *spec, size_t run, size_t factor)
{
    size_t k = spec->varies;
    switch ((tyi_fleet_design)spec->design) {
    case TYI_FLEET_LATIN: {
        /* one value in each of n equal slices of every factor [mckay1979] */
        size_t n = spec->total, slice = tyi_fleet_shuffle(run, n, (uint32_t)spec->seed, (uint32_t)factor);
        return ((double)slice + even(draw(spec, run, factor, 0))) / (double)n;
    }
    case TYI_FLEET_SOBOL: /* shifted by the seed, digit by digit, which keeps it as even */
        return even(tyi_fleet_sobol((uint32_t)run, (int)factor) ^ draw(spec, 0, factor, 1));
    case TYI_FLEET_SALTELLI: {
        /* rows of A, B, and A with one column of B [saltelli2010] */
        size_t row = run / (k + 2), which = run % (k + 2);
        size_t column = which == 1 || which == 2 + factor ? factor + k : factor;
        return even(tyi_fleet_sobol((uint32_t)row, (int)column) ^ draw(spec, 0, column, 1));
    }
    case TYI_FLEET_GRID:
    case TYI_FLEET_RANDOM:
        break;
    }
    return even(draw(spec, run, factor, 0));
}

size_t tyi_fleet_levels(const tyi_fleet_vary *v)
{
    switch ((tyi_fleet_as)v->as) {
    case TYI_FLEET_LIST:
    case TYI_FLEET_FILES:
        return v->values;
    case TYI_FLEET_RANGE:
    case TYI_FLEET_SEEDS:
        return (size_t)v->count;
    case TYI_FLEET_UNIFORM:
    case TYI_FLEET_NORMAL:
    case TYI_FLEET_LOGNORMAL:
    case TYI_FLEET_TRIANGULAR:
        break;
    }
    return 0;
}

static double between(const tyi_fleet_vary *v, double u)
{
    return v->log ? v->from * pow(v->to / v->from, u) : v->from + (v->to - v->from) * u;
}

/* of the part of the normal law between low and high, both in standard deviations */
static double cut_normal(double u, double low, double high)
{
    double below = 0.5 * erfc(-low * M_SQRT1_2), above = 0.5 * erfc(-high * M_SQRT1_2);
    double p = fmin(fmax(below + (above - below) * u, 1e-300), 1.0 - 1e-16);
    return fmin(fmax(ty_k_normal_quantile(p), low), high);
}

static void put_number(const tyi_fleet_vary *v, double x, char out[TYI_FLEET_TEXT])
{
    snprintf(out, TYI_FLEET_TEXT, v->integer ? "%.0f" : "%.12g", v->integer ? nearbyint(x) : x);
}

static void put_level(const tyi_fleet_vary *v, size_t level, char out[TYI_FLEET_TEXT])
{
    if (v->as == TYI_FLEET_LIST || v->as == TYI_FLEET_FILES) {
        snprintf(out, TYI_FLEET_TEXT, "%s", v->value[level].text);
    } else if (v->as == TYI_FLEET_SEEDS) {
        snprintf(out, TYI_FLEET_TEXT, "%llu", (unsigned long long)(v->first + level));
    } else {
        put_number(v, between(v, v->count > 1 ? (double)level / (double)(v->count - 1) : 0.0), out);
    }
}

void tyi_fleet_quantile(const tyi_fleet_vary *v, double u, char out[TYI_FLEET_TEXT])
{
    switch ((tyi_fleet_as)v->as) {
    case TYI_FLEET_RANGE:
    case TYI_FLEET_UNIFORM:
        put_number(v, between(v, u), out);
        return;
    case TYI_FLEET_NORMAL:
        put_number(v,
                   v->middle +
                       v->spread * cut_normal(u, (v->low - v->middle) / v->spread, (v->high - v->middle) / v->spread),
                   out);
        return;
    case TYI_FLEET_LOGNORMAL: {
        double width = log(v->spread), low = v->low > 0.0 ? log(v->low / v->middle) / width : -(double)INFINITY;
        put_number(v, v->middle * exp(width * cut_normal(u, low, log(v->high / v->middle) / width)), out);
        return;
    }
    case TYI_FLEET_TRIANGULAR:
        put_number(v, ty_k_triangle_quantile(u, v->from, v->middle, v->to), out);
        return;
    case TYI_FLEET_LIST:
    case TYI_FLEET_FILES:
    case TYI_FLEET_SEEDS:
        break;
    }
    size_t n = tyi_fleet_levels(v), level = (size_t)(u * (double)n);
    put_level(v, level < n ? level : n - 1, out);
}

void tyi_fleet_value(const tyi_fleet_spec *spec, size_t run, size_t factor, char out[TYI_FLEET_TEXT])
{
    const tyi_fleet_vary *v = &spec->vary[factor];
    size_t levels = tyi_fleet_levels(v), at = run / (size_t)spec->repeats;
    if (spec->design != TYI_FLEET_GRID || !levels) {
        tyi_fleet_quantile(v, tyi_fleet_unit(spec, run, factor), out);
        return;
    }
    /* a number with one digit for each factor, the last the fastest */
    for (size_t f = spec->varies; --f > factor;) {
        size_t n = tyi_fleet_levels(&spec->vary[f]);
        at /= n ? n : 1;
    }
    put_level(v, at % levels, out);
}

char **tyi_fleet_settings(const tyi_fleet_spec *spec, size_t run, size_t *count)
{
    size_t n = spec->sets + spec->varies, room = TYI_FLEET_TEXT + TYI_FLEET_KEY + 2;
    char **list = calloc(1, (n + 1) * sizeof *list + n * room), value[TYI_FLEET_TEXT];
    if (!list) {
        return NULL;
    }
    char *at = (char *)(list + n + 1);
    for (size_t i = 0; i < n; i++, at += room) {
        list[i] = at;
        if (i < spec->sets) {
            snprintf(at, room, "%s", spec->set[i].text);
        } else {
            tyi_fleet_value(spec, run, i - spec->sets, value);
            snprintf(at, room, "%s=%s", spec->vary[i - spec->sets].key, value);
        }
    }
    *count = n;
    return list;
}
