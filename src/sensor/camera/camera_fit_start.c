/* src/sensor/camera/camera_fit_start.c - where a fit of a camera starts: closed forms and a coarse search.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera_fit.h"

#define GAMMAS 12
#define SCALES 41
#define STARTS 6

void tyi_camera_fit_line(const double *x, const double *y, const double *weight, int n, double *slope, double *at0)
{
    double w = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < n; i++) {
        double k = weight ? weight[i] : 1.0;
        w += k;
        sx += k * x[i];
        sy += k * y[i];
    }
    for (int i = 0; i < n; i++) { /* about the centre, so that nothing cancels */
        double k = weight ? weight[i] : 1.0, dx = x[i] - sx / w;
        sxx += k * dx * dx;
        sxy += k * dx * (y[i] - sy / w);
    }
    *slope = sxx > 0.0 ? sxy / sxx : 0.0;
    *at0 = (sy - *slope * sx) / w;
}

/* the lights, or the darks: exposure and mean; returns how many */
static int pick(const tyi_camera_fit *f, bool dark, double *t, double *y, double *v)
{
    int n = 0;
    for (int i = 0; i < f->count; i++) {
        if (f->level[i].dark == dark) {
            t[n] = f->level[i].exposure;
            y[n] = f->level[i].mean;
            v[n] = f->level[i].variance;
            n++;
        }
    }
    return n;
}

/* EMVA 1288 by straight lines */
static bool start_linear(const tyi_camera_fit *f, double *p)
{
    double x[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, y[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, w[TYI_CAMERA_FIT_LEVELS] = { 0.0 },
           t[TYI_CAMERA_FIT_LEVELS] = { 0.0 };
    double gain, at0, dark = 0.0, offset, flux, unused;
    for (int i = 0; i < f->count; i++) {
        x[i] = f->level[i].mean;
        y[i] = f->level[i].variance;
        w[i] = 1.0 / (y[i] * y[i] + 1e-6);
    }
    tyi_camera_fit_line(x, y, w, f->count, &gain, &at0);
    int n = pick(f, true, t, x, y);
    if (n) {
        tyi_camera_fit_line(t, x, NULL, n, &dark, &offset);
    }
    int m = pick(f, false, t, x, y);
    for (int i = 0; i < m; i++) {
        w[i] = 1.0 / (x[i] * x[i] + 1e-6);
    }
    tyi_camera_fit_line(t, x, w, m, &flux, &unused);
    offset = n ? offset : unused;
    if (!(gain > 0.0) || !(flux > 0.0)) {
        return false;
    }
    p[P_A] = log(gain / f->iso);
    p[P_B] = offset;
    p[P_READ] = sqrt(fmax(at0 + gain * offset - 1.0 / 12.0, 0.01 * gain * gain)) / gain;
    p[P_DARK] = dark / gain;
    p[P_FLUX] = log(flux / gain);
    return true;
}

static double median(double *v, int n)
{
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
            double swap = v[k];
            v[k] = v[k - 1];
            v[k - 1] = swap;
        }
    }
    return v[n / 2];
}

/* logits are linear in log2 t; the noise says how many electrons there are: var = (dy/dln x)^2/x */
static bool start_sigmoid(const tyi_camera_fit *f, double *p)
{
    double t[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, y[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, v[TYI_CAMERA_FIT_LEVELS] = { 0.0 },
           x[TYI_CAMERA_FIT_LEVELS] = { 0.0 };
    double l[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, slope, at0;
    int n = pick(f, false, t, y, v);
    for (int i = 0; i < n; i++) {
        double share = fmin(fmax(y[i] / f->full, 1e-6), 1.0 - 1e-6);
        x[i] = log2(t[i]);
        l[i] = log(share / (1.0 - share));
    }
    tyi_camera_fit_line(x, l, NULL, n, &slope, &at0);
    if (!(slope > 0.0)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        double share = y[i] / f->full, rise = f->full * slope * share * (1.0 - share) / log(2.0);
        x[i] = rise * rise / fmax(v[i], 1e-3) / t[i];
    }
    double flux = median(x, n);
    p[P_A] = log(slope);
    p[P_B] = at0 - slope * log2(f->iso * flux);
    p[P_READ] = 10.0;
    p[P_DARK] = 0.0;
    p[P_FLUX] = log(flux);
    return flux > 0.0;
}

/* a and b of a gamma curve by a straight line through the means, for gamma and s = ISO flux given;
 * returns what remains */
static double gamma_line(const double *t, const double *y, int n, double gamma, double s, double *a, double *b)
{
    double z[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, sum = 0.0;
    for (int i = 0; i < n; i++) {
        z[i] = pow(fmax(log2(s * t[i]), 0.0), gamma);
    }
    tyi_camera_fit_line(z, y, NULL, n, a, b);
    for (int i = 0; i < n; i++) {
        double d = y[i] - *a * z[i] - *b;
        sum += d * d;
    }
    return *a > 0.0 ? sum : (double)INFINITY;
}

/* the attempt-th best place of a grid over gamma and s */
static bool start_gamma(const tyi_camera_fit *f, int attempt, double *p)
{
    double t[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, y[TYI_CAMERA_FIT_LEVELS] = { 0.0 }, v[TYI_CAMERA_FIT_LEVELS] = { 0.0 };
    double rest[GAMMAS * SCALES], a, b;
    int n = pick(f, false, t, y, v), best = 0;
    for (int k = 0; k < GAMMAS * SCALES; k++) {
        rest[k] = gamma_line(t, y, n, 0.3 * pow(1.25, k % GAMMAS), pow(10.0, 0.25 * (k / GAMMAS)), &a, &b);
    }
    for (int round = 0; round <= attempt; round++) {
        best = 0;
        for (int k = 1; k < GAMMAS * SCALES; k++) {
            best = rest[k] < rest[best] ? k : best;
        }
        if (!isfinite(rest[best])) {
            return false;
        }
        if (round < attempt) {
            rest[best] = (double)INFINITY;
        }
    }
    double gamma = 0.3 * pow(1.25, best % GAMMAS), s = pow(10.0, 0.25 * (best / GAMMAS));
    gamma_line(t, y, n, gamma, s, &a, &b);
    p[P_A] = log(a);
    p[P_B] = b;
    p[P_READ] = 10.0;
    p[P_DARK] = 0.0;
    p[P_FLUX] = log(s / f->iso);
    p[P_GAMMA] = log(gamma);
    return true;
}

bool tyi_camera_fit_start(const tyi_camera_fit *f, int attempt, double *p)
{
    if (f->curve == TY_K_GAMMA) {
        return attempt < STARTS && start_gamma(f, attempt, p);
    }
    return attempt == 0 && (f->curve == TY_K_LINEAR ? start_linear(f, p) : start_sigmoid(f, p));
}
