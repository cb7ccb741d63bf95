/* src/sensor/camera/least_squares.c - Levenberg and Marquardt's method with derivatives by differences.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "least_squares.h"

#define P      TYI_CAMERA_LS_PARAMETERS
#define ROUNDS 200

typedef struct normal {
    double a[P][P], g[P]; /* J^T J and J^T r */
} normal;

static double squares(const double *r, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += r[i] * r[i];
    }
    return isfinite(sum) ? sum : (double)INFINITY;
}

/* Gauss with pivoting: a x = b; false when a is singular */
static bool solve(const normal *e, int n, const double *b, double *x)
{
    double w[P][P + 1];
    for (int i = 0; i < n; i++) {
        memcpy(w[i], e->a[i], (size_t)n * sizeof(double));
        w[i][n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(w[i][k]) > fabs(w[best][k]) ? i : best;
        }
        if (!(fabs(w[best][k]) > 1e-300)) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            double swap = w[k][j];
            w[k][j] = w[best][j];
            w[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : w[i][k] / w[k][k];
            for (int j = k; j <= n && f != 0.0; j++) {
                w[i][j] -= f * w[k][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        x[i] = w[i][n] / w[i][i];
    }
    return true;
}

static void derive(tyi_camera_ls_model model, const void *user, int n, int m, const double *p, normal *out)
{
    double j[P][TYI_CAMERA_LS_RESIDUALS], up[TYI_CAMERA_LS_RESIDUALS], r[TYI_CAMERA_LS_RESIDUALS], q[P];
    *out = (normal){ 0 };
    model(user, p, r);
    for (int k = 0; k < n; k++) {
        memcpy(q, p, (size_t)n * sizeof *q);
        double h = 1e-6 * (fabs(p[k]) + 1e-2);
        q[k] = p[k] + h;
        bool good = model(user, q, up);
        if (!good) { /* at an edge: look the other way */
            h = -h;
            q[k] = p[k] + h;
            good = model(user, q, up);
        }
        for (int i = 0; i < m; i++) {
            j[k][i] = good ? (up[i] - r[i]) / h : 0.0;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < m; i++) {
            out->g[k] += j[k][i] * r[i];
        }
        for (int l = 0; l < n; l++) {
            for (int i = 0; i < m; i++) {
                out->a[k][l] += j[k][i] * j[l][i];
            }
        }
    }
}

static void errors(const normal *e, int n, double *sigma)
{
    for (int k = 0; k < n; k++) {
        double unit[P] = { 0.0 }, x[P];
        unit[k] = 1.0;
        sigma[k] = solve(e, n, unit, x) && x[k] > 0.0 ? sqrt(x[k]) : (double)NAN;
    }
}

double tyi_camera_least_squares(tyi_camera_ls_model model, const void *user, int n, int m, double *p, double *sigma)
{
    TY_ASSERT(n <= P && m <= TYI_CAMERA_LS_RESIDUALS);
    double r[TYI_CAMERA_LS_RESIDUALS], damping = 1e-3;
    double sum = model(user, p, r) ? squares(r, m) : (double)INFINITY;
    normal e = { 0 };
    for (int round = 0; round < ROUNDS && isfinite(sum); round++) {
        derive(model, user, n, m, p, &e);
        double before = sum;
        while (damping < 1e12) {
            normal d = e;
            double step[P], q[P];
            for (int k = 0; k < n; k++) {
                d.a[k][k] *= 1.0 + damping;
            }
            bool good = solve(&d, n, e.g, step);
            for (int k = 0; k < n; k++) {
                q[k] = p[k] - (good ? step[k] : 0.0);
            }
            double next = good && model(user, q, r) ? squares(r, m) : (double)INFINITY;
            if (next < sum) {
                memcpy(p, q, (size_t)n * sizeof *p);
                sum = next;
                damping = fmax(damping * 0.2, 1e-12);
                break;
            }
            damping *= 4.0;
        }
        if (!(before - sum > 1e-10 * before)) {
            break;
        }
    }
    if (sigma && isfinite(sum)) {
        derive(model, user, n, m, p, &e);
        errors(&e, n, sigma);
    }
    return sum;
}
