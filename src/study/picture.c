/* src/study/picture.c - shading and brightness of a picture of ground, by size, and how its values are spread.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"
#include <math.h>
#include <stdlib.h>
#include "core/core.h"
#include "tycho/math.h"

/* ---- a discrete Fourier transform of 2^k values in place, by halves [cooley1965] ---- */

typedef struct complex_value {
    double re, im;
} complex_value;

static void transform(complex_value *v, int n, int stride)
{
    for (int i = 1, j = 0; i < n; i++) { /* the order of reversed bits */
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            complex_value t = v[i * stride];
            v[i * stride] = v[j * stride];
            v[j * stride] = t;
        }
    }
    for (int len = 2; len <= n; len *= 2) {
        for (int k = 0; k < len / 2; k++) {
            double c = cos(2.0 * TY_PI * k / len), s = -sin(2.0 * TY_PI * k / len);
            for (int i = k; i < n; i += len) {
                complex_value *a = &v[i * stride], *b = &v[(i + len / 2) * stride];
                double re = c * b->re - s * b->im, im = c * b->im + s * b->re;
                b->re = a->re - re, b->im = a->im - im;
                a->re += re, a->im += im;
            }
        }
    }
}

/* Fills the window from the picture, less its mean and over it, under a raised cosine both ways; false: it has holes. */
static bool load(const tyi_study_picture *p, int x0, int y0, int n, complex_value *v)
{
    double mean = 0.0, weight = 0.0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            float f = p->value[(size_t)(y0 + j) * (size_t)p->width + (size_t)(x0 + i)];
            if (!(f >= 0.0f)) {
                return false;
            }
            double w = (1.0 - cos(2.0 * TY_PI * (i + 0.5) / n)) * (1.0 - cos(2.0 * TY_PI * (j + 0.5) / n));
            mean += w * (double)f;
            weight += w;
        }
    }
    mean /= weight;
    for (int k = 0; k < n * n && mean > 0.0; k++) {
        int i = k % n, j = k / n;
        double f = (double)p->value[(size_t)(y0 + j) * (size_t)p->width + (size_t)(x0 + i)];
        /* the mean square of (1 - cos) along each axis is 3/2: power stays */
        double w = (1.0 - cos(2.0 * TY_PI * (i + 0.5) / n)) * (1.0 - cos(2.0 * TY_PI * (j + 0.5) / n)) / 1.5;
        v[k] = (complex_value){ w * (f / mean - 1.0), 0.0 };
    }
    return mean > 0.0;
}

#define FIRST 2.8284271247461903 /* [px] shortest wavelength: shorter ones are not there in every direction */

/* sums of one window and octave for the fit of power = A + B c, c = cos^2 */
typedef struct sums {
    double n, c, cc, p, pc;
} sums;

static void add_window(complex_value *v, int n, double sun, sums *octave, int octaves)
{
    for (int j = 0; j < n; j++) {
        transform(v + (size_t)j * (size_t)n, n, 1);
    }
    for (int i = 0; i < n; i++) {
        transform(v + i, n, n);
    }
    double scale = 1.0 / ((double)n * n) / ((double)n * n);
    for (int k = 1; k < n * n; k++) {
        int i = k % n, j = k / n;
        double fx = i <= n / 2 ? i : i - n, fy = -(j <= n / 2 ? j : j - n); /* rows run south */
        double f = hypot(fx, fy), waves = n / f;
        int o = (int)floor(log2(waves / FIRST));
        if (o < 0 || o >= octaves) {
            continue;
        }
        double along = (fx * sin(sun) + fy * cos(sun)) / f, c = along * along;
        double power = (v[k].re * v[k].re + v[k].im * v[k].im) * scale;
        sums *s = &octave[o];
        s->n += 1.0, s->c += c, s->cc += c * c, s->p += power, s->pc += power * c;
    }
}

/* share of the power that goes with c: sum of B c over sum of power, by least squares */
static double share_of(const sums *s)
{
    double det = s->n * s->cc - s->c * s->c;
    double b = det > 0.0 ? (s->n * s->pc - s->c * s->p) / det : 0.0;
    return s->p > 0.0 ? b * s->c / s->p : 0.0;
}

static void finish(const sums *octave, int windows, int octaves, double pixel, tyi_study_picture_octave *out)
{
    for (int o = 0; o < octaves; o++) {
        sums all = { 0 };
        double mean = 0.0, squares = 0.0;
        for (int w = 0; w < windows; w++) {
            const sums *s = &octave[(size_t)w * TYI_STUDY_PICTURE_OCTAVES + (size_t)o];
            double one = share_of(s);
            all.n += s->n, all.c += s->c, all.cc += s->cc, all.p += s->p, all.pc += s->pc;
            mean += one / windows;
            squares += one * one / windows;
        }
        tyi_study_picture_octave *r = &out[o];
        r->low = ldexp(FIRST * pixel, o);
        r->high = 2.0 * r->low;
        r->total = sqrt(all.p / windows);
        r->share = share_of(&all);
        r->share_error = windows > 1 ? sqrt(fmax(squares - mean * mean, 0.0) / (windows - 1)) : 1.0;
        r->shading = r->total * sqrt(fmax(r->share, 0.0));
    }
}

ty_status tyi_study_picture_octaves(const tyi_study_picture *p, double pixel, double sun, int window,
                                    tyi_study_picture_octave out[TYI_STUDY_PICTURE_OCTAVES], int *count, int *windows,
                                    ty_diag *diag)
{
    *count = *windows = 0;
    if (window < 16 || window > 1024 || (window & (window - 1)) || !(pixel > 0.0) || !isfinite(sun)) {
        return ty_fail(diag, TY_ERR_RANGE, "picture: a window of %d pixels of %g m", window, pixel);
    }
    int nx = p->width / window, ny = p->height / window;
    int octaves =
        ilogb((double)window) - 3; /* the longest has three to six waves across the window: enough directions */
    octaves = octaves < TYI_STUDY_PICTURE_OCTAVES ? octaves : TYI_STUDY_PICTURE_OCTAVES;
    size_t most = (size_t)nx * (size_t)ny, cells = (size_t)window * (size_t)window;
    if (most == 0) {
        return ty_fail(diag, TY_ERR_RANGE, "picture: %d x %d pixels hold no window of %d", p->width, p->height, window);
    }
    complex_value *v = tyi_get(NULL, cells * sizeof *v);
    sums *octave = tyi_get(NULL, most * TYI_STUDY_PICTURE_OCTAVES * sizeof *octave);
    ty_status status = v && octave ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "picture: no memory for %zu windows", most);
    for (size_t w = 0; w < most && status == TY_OK; w++) {
        int x = (int)(w % (size_t)nx) * window, y = (int)(w / (size_t)nx) * window;
        if (load(p, x, y, window, v)) {
            add_window(v, window, sun, &octave[(size_t)*windows * TYI_STUDY_PICTURE_OCTAVES], octaves);
            ++*windows;
        }
    }
    if (status == TY_OK && *windows == 0) {
        status = ty_fail(diag, TY_ERR_RANGE, "picture: every window of %d pixels has a hole", window);
    }
    if (status == TY_OK) {
        *count = octaves;
        finish(octave, *windows, octaves, pixel, out);
    }
    tyi_put(NULL, v, cells * sizeof *v);
    tyi_put(NULL, octave, most * TYI_STUDY_PICTURE_OCTAVES * sizeof *octave);
    return status;
}

/* ---- how values are spread ---- */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

ty_status tyi_study_picture_spread_of(const tyi_study_picture *p, tyi_study_picture_spread *out, ty_diag *diag)
{
    size_t all = (size_t)p->width * (size_t)p->height, n = 0;
    *out = (tyi_study_picture_spread){ 0 };
    float *v = tyi_get(NULL, all * sizeof *v);
    if (!v) {
        return ty_fail(diag, TY_ERR_MEMORY, "picture: no memory for %zu pixels", all);
    }
    double m1 = 0.0, m2 = 0.0, m3 = 0.0;
    for (size_t k = 0; k < all; k++) {
        if (p->value[k] >= 0.0f) {
            v[n++] = p->value[k];
            m1 += (double)p->value[k];
        }
    }
    m1 /= n ? (double)n : 1.0;
    ty_status status = n >= 16 && m1 > 0.0 ? TY_OK : ty_fail(diag, TY_ERR_RANGE, "picture: %zu pixels have a value", n);
    if (status == TY_OK) {
        for (size_t k = 0; k < n; k++) {
            double d = (double)v[k] - m1;
            m2 += d * d / (double)n;
            m3 += d * d * d / (double)n;
        }
        qsort(v, n, sizeof *v, by_value);
        size_t below = 0;
        double median = (double)v[n / 2], per = median > 0.0 ? 1.0 / median : 0.0;
        while (below < n && (double)v[below] < 0.15 * median) {
            below++;
        }
        *out = (tyi_study_picture_spread){ .pixels = n,
                                           .mean = m1,
                                           .median = median,
                                           .sd = sqrt(m2) / m1,
                                           .skew = m2 > 0.0 ? m3 / (m2 * sqrt(m2)) : 0.0,
                                           .dark = (double)below / (double)n,
                                           .p01 = per * (double)v[n / 100],
                                           .p10 = per * (double)v[n / 10],
                                           .p90 = per * (double)v[n - 1 - n / 10],
                                           .p99 = per * (double)v[n - 1 - n / 100],
                                           .p999 = per * (double)v[n - 1 - n / 1000] };
    }
    tyi_put(NULL, v, all * sizeof *v);
    return status;
}
