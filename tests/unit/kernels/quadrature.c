/* Gauss-Legendre nodes by Newton's method on the Legendre polynomials, and the directional albedo with them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "quadrature.h"

gauss gauss_make(void)
{
    gauss g;
    for (int k = 0; k < GAUSS; k++) {
        double x = cos(3.14159265358979323846 * (k + 0.75) / (GAUSS + 0.5)), slope = 1.0;
        for (int n = 0; n < 8; n++) {
            double p0 = 1.0, p1 = x;
            for (int j = 2; j <= GAUSS; j++) {
                double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
                p0 = p1;
                p1 = p2;
            }
            slope = GAUSS * (x * p1 - p0) / (x * x - 1.0);
            x -= p1 / slope;
        }
        g.node[k] = 0.5 * (1.0 - x);
        g.weight[k] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
    return g;
}

#define PANELS 6

/* edges of panels from a to b that shrink to a quarter each towards b */
static void refine(double *edge, double a, double b)
{
    for (int k = 0; k < PANELS; k++) {
        edge[k] = b + (a - b) * pow(0.25, k);
    }
    edge[PANELS] = b;
}

static double panel(ty_k_brdf material, const ty_k_hapke *hapke, double e, const gauss *g, const double *inc,
                    const double *psi)
{
    double sum = 0.0;
    for (int i = 0; i < GAUSS; i++) {
        double angle = gauss_at(g, i, inc[0], inc[1]);
        for (int a = 0; a < GAUSS; a++) {
            ty_k_angles angles = ty_k_angles_from(angle, e, gauss_at(g, a, psi[0], psi[1]));
            double f = hapke ? ty_k_hapke_brdf(*hapke, angles) : ty_k_brdf_eval(material, angles);
            sum += g->weight[i] * g->weight[a] * f * cos(angle) * sin(angle);
        }
    }
    return sum * fabs(inc[1] - inc[0]) * fabs(psi[1] - psi[0]);
}

/* Panels shrink towards incidence e and towards psi = 0 and pi, where lobes are, and meet at psi =
 * pi/2, where Oren-Nayar has its corner. */
double albedo_of(ty_k_brdf material, const ty_k_hapke *hapke, double e)
{
    const double pi = 3.14159265358979323846;
    double inc[2][PANELS + 1], psi[2][PANELS + 1];
    refine(inc[0], 0.0, e);
    refine(inc[1], 0.5 * pi, e);
    refine(psi[0], 0.5 * pi, 0.0);
    refine(psi[1], 0.5 * pi, pi);
    gauss g = gauss_make();
    double sum = 0.0;
    for (int i = 0; i < 2 * PANELS; i++) {
        for (int a = 0; a < 2 * PANELS; a++) {
            sum += panel(material, hapke, e, &g, &inc[i / PANELS][i % PANELS], &psi[a / PANELS][a % PANELS]);
        }
    }
    return 2.0 * sum; /* psi from 0 to pi, both sides alike */
}
