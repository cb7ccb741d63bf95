/* src/draw/ticks.c - where the ticks of an axis go and what is written on them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/core.h"
#include "ticks.h"

void tyi_draw_number(double value, int decimals, char *text, size_t size)
{
    char plain[64];
    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    bool zero = strspn(plain, "0.") == strlen(plain); /* no sign on what rounds to nought */
    snprintf(text, size, "%s%.20s", value < 0.0 && !zero ? "\u2212" : "", plain);
}

/* 10 to the power of e as text, with small raised digits */
static void power_text(int e, const char *before, char *text, size_t size)
{
    static const char *const raised[10] = { "\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                            "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    char digits[16];
    snprintf(digits, sizeof digits, "%d", e < 0 ? -e : e);
    int used = snprintf(text, size, "%s10%s", before, e < 0 ? "\u207b" : "");
    for (const char *d = digits; *d && used >= 0 && (size_t)used < size; d++) {
        used += snprintf(text + used, size - (size_t)used, "%s", raised[*d - '0']);
    }
}

static void add_minor(tyi_draw_ticks *t, double at, double low, double high)
{
    if (at >= low && at <= high && t->minor_count < 4 * TYI_DRAW_TICKS) {
        t->minor[t->minor_count++] = at;
    }
}

/* the smallest of 1, 2, 5 times a power of ten that makes at most `target` steps; *parts: minor steps in one */
static double nice_step(double span, int target, int *parts)
{
    TY_ASSERT(span > 0.0 && target > 0);
    double raw = span / target;
    double power = pow(10.0, floor(log10(raw)));
    static const double step[4] = { 1.0, 2.0, 5.0, 10.0 };
    static const int minor[4] = { 5, 4, 5, 5 };
    for (int k = 0; k < 4; k++) {
        if (step[k] * power >= raw * (1.0 - 1e-9)) {
            *parts = minor[k];
            return step[k] * power;
        }
    }
    *parts = 5;
    return 10.0 * power;
}

static void linear_ticks(double low, double high, int target, tyi_draw_ticks *t)
{
    int parts;
    double step = nice_step(high - low, target, &parts);
    double slack = 1e-6 * step; /* a limit that should lie on a tick */
    double most = fmax(fabs(low), fabs(high));
    /* large and small numbers lose a power of 1000, unless what is left would be long all the same */
    if ((most >= 1e5 || most < 1e-3) && most / step < 1e4) {
        t->exponent = 3 * (int)floor(log10(most) / 3.0);
    }
    double factor = pow(10.0, -t->exponent);
    int decimals = (int)fmax(0.0, -floor(log10(step * factor) + 1e-9));
    double first = ceil((low - slack) / step);
    for (int k = -1; t->count < TYI_DRAW_TICKS; k++) {
        double at = (first + k) * step;
        for (int m = 1; m < parts; m++) {
            add_minor(t, at + m * step / parts, low - slack, high + slack);
        }
        if (at > high + slack) {
            break;
        }
        if (k >= 0) {
            t->at[t->count] = at;
            tyi_draw_number(at * factor, decimals, t->label[t->count], sizeof t->label[0]);
            t->count++;
        }
    }
}

static void log_label(double mantissa, int e, bool plain, char *text, size_t size)
{
    char before[16] = "";
    if (plain) {
        tyi_draw_number(mantissa * pow(10.0, e), e < 0 ? -e : 0, text, size);
        return;
    }
    if (mantissa > 1.0) {
        snprintf(before, sizeof before, "%.0f\u00d7", mantissa);
    }
    power_text(e, before, text, size);
}

static void log_ticks(double low, double high, int target, tyi_draw_ticks *t)
{
    int e0 = (int)floor(log10(low) + 1e-9), e1 = (int)ceil(log10(high) - 1e-9);
    double decades = log10(high) - log10(low);
    int stride = (int)fmax(1.0, ceil(decades / target));
    bool dense = decades < 1.7; /* then 2 and 5 have labels as well */
    bool plain = e0 >= -3 && e1 <= 4;
    double slack = 1e-9;
    for (int e = e0; e <= e1; e++) {
        for (int m = 1; m < 10; m++) {
            double at = m * pow(10.0, e);
            bool inside = at >= low * (1.0 - slack) && at <= high * (1.0 + slack);
            bool labelled = m == 1 ? (e - e0) % stride == 0 : dense && (m == 2 || m == 5);
            if (inside && labelled && t->count < TYI_DRAW_TICKS) {
                t->at[t->count] = at;
                log_label(m, e, plain, t->label[t->count], sizeof t->label[0]);
                t->count++;
            } else if (inside && (m == 1 || stride == 1)) {
                add_minor(t, at, low, high);
            }
        }
    }
}

void tyi_draw_ticks_make(double low, double high, bool log, int target, tyi_draw_ticks *out)
{
    TY_ASSERT(low < high && (!log || low > 0.0));
    *out = (tyi_draw_ticks){ 0 };
    if (log && log10(high) - log10(low) >= 0.7) {
        log_ticks(low, high, target, out);
    } else {
        linear_ticks(low, high, target, out); /* less than a decade: plain steps read better */
    }
}

void tyi_draw_axis_label(const char *label, const tyi_draw_ticks *ticks, char *text, size_t size)
{
    char power[64];
    power_text(ticks->exponent, "\u00d7", power, sizeof power);
    if (ticks->exponent && label) {
        snprintf(text, size, "%s (%s)", label, power);
    } else {
        snprintf(text, size, "%s", ticks->exponent ? power : label ? label : "");
    }
}
