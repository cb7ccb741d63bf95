/* src/sensor/camera/camera_fit.c - photon transfer: levels from frames, a camera from levels.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "camera_fit.h"
#include "least_squares.h"
#include "camera_levels.h"

#define LEAST_SNR 6.0 /* below this the logarithm in a curve bends the noise too much */
#define ROUNDS    3

ty_status tyi_camera_level_measure(const ty_buffer *a, const ty_buffer *b, double full, tyi_camera_level *level,
                                   ty_diag *diag)
{
    const ty_buffer_type *t = &a->type;
    if (b->type.width != t->width || b->type.height != t->height || t->width * t->height < 16) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "two frames of an exposure are %d x %d and %d x %d pixels; they must be alike "
                       "and have 16 pixels or more",
                       t->width, t->height, b->type.width, b->type.height);
    }
    double n = (double)t->width * t->height, sum = 0.0, difference = 0.0, clipped = 0.0;
    for (int y = 0; y < t->height; y++) {
        for (int x = 0; x < t->width; x++) {
            double u = ty_buffer_get(a, x, y, 0), v = ty_buffer_get(b, x, y, 0);
            sum += 0.5 * (u + v);
            difference += u - v;
            clipped += (u >= full) + (v >= full);
        }
    }
    double mean = sum / n, shift = difference / n, temporal = 0.0, spatial = 0.0;
    for (int y = 0; y < t->height; y++) {
        for (int x = 0; x < t->width; x++) {
            double u = ty_buffer_get(a, x, y, 0), v = ty_buffer_get(b, x, y, 0);
            temporal += 0.5 * (u - v - shift) * (u - v - shift);
            spatial += (0.5 * (u + v) - mean) * (0.5 * (u + v) - mean);
        }
    }
    level->mean = mean;
    level->variance = temporal / (n - 1.0);
    level->spread = fmax(spatial / (n - 1.0) - 0.5 * level->variance, 0.0);
    level->clipped = 0.5 * clipped / n;
    level->pixels = n;
    return TY_OK;
}

/* ---- the model ---- */

int tyi_camera_fit_parameters(int curve)
{
    return curve == TY_K_GAMMA ? P_COUNT : P_GAMMA;
}

ty_k_response_curve tyi_camera_fit_curve(const tyi_camera_fit *f, const double *p)
{
    double gamma = f->curve == TY_K_GAMMA ? exp(p[P_GAMMA]) : 1.0;
    return (ty_k_response_curve){ f->curve, f->iso, exp(p[P_A]), p[P_B], gamma, f->full };
}

void tyi_camera_fit_moments(ty_k_response_curve r, double x, double read, double *mean, double *variance)
{
    double spread = ty_k_electron_variance(x, 1.0, read);
    if (r.kind == TY_K_LINEAR) {
        double sigma = r.a * r.iso;
        *mean = ty_k_response(r, x);
        *variance = sigma * sigma * spread + 1.0 / 12.0;
        return;
    }
    /* over the normal law of the electrons, by equal steps: exact enough, and it bends with the curve */
    double w = 0.0, m = 0.0, q = 0.0, at = ty_k_response(r, x);
    for (int k = -20; k <= 20; k++) {
        double z = 0.25 * k, weight = exp(-0.5 * z * z), y = ty_k_response(r, x + z * sqrt(spread)) - at;
        w += weight;
        m += weight * y;
        q += weight * y * y;
    }
    *mean = at + m / w;
    *variance = q / w - m / w * (m / w) + 1.0 / 12.0;
}

static double signal(const tyi_camera_level *l, const double *p)
{
    return (p[P_DARK] + (l->dark ? 0.0 : exp(p[P_FLUX]))) * l->exposure;
}

/* Means are known to their noise and, because lamps and clocks are never perfect, to 2e-4 of
 * themselves; variances to sqrt(2/n). */
static bool residuals(const void *user, const double *p, double *r)
{
    const tyi_camera_fit *f = user;
    ty_k_response_curve curve = tyi_camera_fit_curve(f, p);
    for (int i = 0; i < f->count; i++) {
        const tyi_camera_level *l = &f->level[i];
        double mean, variance;
        tyi_camera_fit_moments(curve, signal(l, p), p[P_READ], &mean, &variance);
        double s = sqrt(l->variance / (2.0 * l->pixels) + 4e-4 + 4e-8 * l->mean * l->mean);
        r[2 * i] = (l->mean - mean) / s;
        r[2 * i + 1] = (l->variance - variance) / (l->variance * sqrt(2.0 / l->pixels) + 4e-3);
    }
    return true;
}

static double run(const tyi_camera_fit *f, double *p, double *sigma)
{
    double best = (double)INFINITY, q[P_COUNT] = { 0.0 }, s[P_COUNT];
    for (int attempt = 0; tyi_camera_fit_start(f, attempt, q); attempt++) {
        double sum = tyi_camera_least_squares(residuals, f, tyi_camera_fit_parameters(f->curve), 2 * f->count, q, s);
        if (sum < best) {
            best = sum;
            memcpy(p, q, sizeof q);
            memcpy(sigma, s, sizeof s);
        }
    }
    return best;
}

/* ---- which levels ---- */

/* lights by rising exposure; insertion, the lists are short */
static int sort_lights(const tyi_camera_level *levels, int count, int *order)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (!levels[i].dark) {
            int k = n++;
            for (; k > 0 && levels[order[k - 1]].exposure > levels[i].exposure; k--) {
                order[k] = order[k - 1];
            }
            order[k] = i;
        }
    }
    return n;
}

/* The mean [DN] at which the pixels are full: where doubling the exposure suddenly adds less than a
 * third of what it did before; full scale if nowhere. */
static double plateau(const tyi_camera_level *levels, int count, double full)
{
    int order[TYI_CAMERA_FIT_LEVELS];
    int n = sort_lights(levels, count, order);
    double before = 0.0;
    for (int i = 1; i < n; i++) {
        const tyi_camera_level *a = &levels[order[i - 1]], *b = &levels[order[i]];
        double stops = log2(b->exposure / a->exposure);
        double rise = stops > 0.01 ? (b->mean - a->mean) / stops : before;
        if (i > 1 && rise < 0.3 * before && b->mean > 0.1 * full) {
            return b->mean;
        }
        before = rise;
    }
    return full;
}

static int choose_levels(const tyi_camera_level *levels, int count, double top, tyi_camera_fit *f)
{
    int saturated = 0;
    for (int i = 0; i < count; i++) {
        bool bad = levels[i].clipped > 1e-3 || (top < f->full && levels[i].mean > 0.93 * top);
        saturated += bad;
        if (!bad) {
            f->level[f->count++] = levels[i];
        }
    }
    return saturated;
}

/* for curves with a logarithm: keeps the levels with a good signal by the parameters p */
static void drop_dark(tyi_camera_fit *f, const double *p, bool lights_only, double least)
{
    int n = 0;
    for (int i = 0; i < f->count; i++) {
        double x = p ? signal(&f->level[i], p) : 0.0;
        bool keep = p ? x > LEAST_SNR * sqrt(x + p[P_READ] * p[P_READ])
                      : !(lights_only && f->level[i].dark) && f->level[i].exposure >= least;
        if (keep) {
            f->level[n++] = f->level[i];
        }
    }
    f->count = n;
}

/* ---- one curve ---- */

static double fit_curve(const tyi_camera_fit *all, int curve, tyi_camera_fit *f, double *p, double *sigma)
{
    *f = *all;
    f->curve = curve;
    if (curve != TY_K_LINEAR) {
        int order[TYI_CAMERA_FIT_LEVELS], n = sort_lights(f->level, f->count, order);
        drop_dark(f, NULL, true, n ? f->level[order[n / 2]].exposure : 0.0);
        if (f->count < 4 || !isfinite(run(f, p, sigma))) {
            return (double)INFINITY;
        }
        for (int round = 0; round < ROUNDS; round++) { /* each fit knows better which levels are good */
            *f = *all;
            f->curve = curve;
            drop_dark(f, p, false, 0.0);
            if (round + 1 < ROUNDS && (f->count < 4 || !isfinite(run(f, p, sigma)))) {
                return (double)INFINITY;
            }
        }
    }
    int freedom = 2 * f->count - tyi_camera_fit_parameters(curve);
    return freedom > 0 ? run(f, p, sigma) / freedom : (double)INFINITY;
}

static tyi_camera_estimate plain(double value, double sigma)
{
    return (tyi_camera_estimate){ value, sigma };
}
static tyi_camera_estimate logarithmic(double p, double sigma)
{
    return (tyi_camera_estimate){ exp(p), exp(p) * sigma };
}

/* DSNU of the shortest dark, PRNU of the light nearest to half of full scale */
static void uneven(const tyi_camera_fit *f, tyi_camera_level_fit *out)
{
    const tyi_camera_level *dark = NULL, *half = NULL;
    for (int i = 0; i < f->count; i++) {
        const tyi_camera_level *l = &f->level[i];
        if (l->dark) {
            dark = !dark || l->exposure < dark->exposure ? l : dark;
        } else {
            half = !half || fabs(l->mean - 0.5 * f->full) < fabs(half->mean - 0.5 * f->full) ? l : half;
        }
    }
    out->dsnu = dark ? sqrt(dark->spread) / out->gain.value : (double)NAN;
    out->prnu = dark && half ? sqrt(fmax(half->spread - dark->spread, 0.0)) / (half->mean - dark->mean) : (double)NAN;
}

static void report(const tyi_camera_fit *f, const double *p, const double *s, double misfit, double top,
                   tyi_camera_level_fit *out)
{
    double k = sqrt(fmax(misfit, 1.0)); /* a poor model knows its numbers less well */
    bool gamma = f->curve == TY_K_GAMMA, linear = f->curve == TY_K_LINEAR;
    *out = (tyi_camera_level_fit){ .curve = (ty_camera_curve)f->curve, .misfit = misfit, .used = f->count };
    out->a = logarithmic(p[P_A], k * s[P_A]);
    out->b = plain(p[P_B], k * s[P_B]);
    out->gamma = gamma ? logarithmic(p[P_GAMMA], k * s[P_GAMMA]) : plain(1.0, 0.0);
    out->iso = f->iso;
    out->gain = linear ? plain(f->iso * out->a.value, f->iso * out->a.sigma) : plain((double)NAN, (double)NAN);
    out->read = plain(fabs(p[P_READ]), k * s[P_READ]);
    out->dark = plain(p[P_DARK], k * s[P_DARK]);
    out->flux = logarithmic(p[P_FLUX], k * s[P_FLUX]);
    out->dsnu = out->prnu = out->saturation = (double)NAN;
    if (linear) {
        uneven(f, out);
        out->saturation = top < f->full ? (top - p[P_B]) / out->gain.value : (double)NAN;
    }
    for (int i = 0; i < f->count; i++) {
        double mean, variance;
        tyi_camera_fit_moments(tyi_camera_fit_curve(f, p), signal(&f->level[i], p), p[P_READ], &mean, &variance);
        out->linearity = fmax(out->linearity, fabs(mean - f->level[i].mean) / f->full);
    }
}

ty_status tyi_camera_level_fit_levels(const tyi_camera_level *levels, int count, int curve, double full, double iso,
                                      tyi_camera_level_fit *out, ty_diag *diag)
{
    int dark = 0;
    for (int i = 0; i < count; i++) {
        dark += levels[i].dark;
        if (!(levels[i].exposure > 0.0) || !(levels[i].pixels >= 16.0)) {
            return ty_fail(diag, TY_ERR_RANGE, "exposure number %d is %g s, but takes more than 0", i,
                           levels[i].exposure);
        }
    }
    if (count > TYI_CAMERA_FIT_LEVELS || dark < 2 || count - dark < 4) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "%d dark and %d light exposures; a fit takes 2 dark and 4 light ones or more, "
                       "%d at most",
                       dark, count - dark, TYI_CAMERA_FIT_LEVELS);
    }
    double top = plateau(levels, count, full), best = (double)INFINITY;
    tyi_camera_fit all = { .full = full, .iso = iso }, f;
    if (!(full >= 1.0) || !(iso > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "full scale is %g and ISO %g, but they take 1 or more, and more than 0",
                       full, iso);
    }
    int saturated = choose_levels(levels, count, top, &all);
    static const int tries[] = { TY_K_LINEAR, TY_K_GAMMA, TY_K_SIGMOID }; /* the simplest first */
    for (int i = 0; i < 3; i++) {
        double p[P_COUNT] = { 0.0 }, sigma[P_COUNT] = { 0.0 };
        double misfit = curve < 0 || curve == tries[i] ? fit_curve(&all, tries[i], &f, p, sigma) : (double)INFINITY;
        if (misfit < 0.5 * best) { /* a line that fits as well is preferred */
            best = misfit;
            report(&f, p, sigma, misfit, top, out);
        }
    }
    out->saturated = saturated;
    return isfinite(best) ? TY_OK
                          : ty_fail(diag, TY_ERR_INPUT,
                                    "no response curve fits: %d of %d exposures are saturated, or the "
                                    "numbers do not rise with the exposure",
                                    saturated, count);
}

void tyi_camera_level_fit_predict(const tyi_camera_level_fit *fit, double full, double x, double *mean,
                                  double *variance)
{
    ty_k_response_curve r = { (int)fit->curve, fit->iso, fit->a.value, fit->b.value, fit->gamma.value, full };
    tyi_camera_fit_moments(r, x, fit->read.value, mean, variance);
}
