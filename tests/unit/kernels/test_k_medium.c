/* Light through a thin medium against integrals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_medium.h"
#include "tycho/math.h"

TY_TEST(k_medium, phase_is_normed)
{
    for (int i = 0; i < 5; i++) {
        double g = -0.8 + 0.4 * i, sum = 0.0, mean = 0.0;
        const int n = 20000;
        for (int k = 0; k < n; k++) {
            double c = 2.0 * (k + 0.5) / n - 1.0, p = ty_k_medium_hg(g, c) * 2.0 * TY_PI * 2.0 / n;
            sum += p, mean += p * c;
        }
        TY_NEAR(sum, 1.0, 1e-5);
        TY_NEAR(mean, g, 1e-5); /* the mean cosine is the asymmetry */
        TY_FAR(mean, -g + 0.1, 1e-3);
    }
    TY_NEAR(ty_k_medium_phase(0.6, -0.3, 0.25, 0.2), 0.25 * ty_k_medium_hg(0.6, 0.2) + 0.75 * ty_k_medium_hg(-0.3, 0.2),
            1e-15);
}

TY_TEST(k_medium, a_part_is_its_integral)
{
    for (double tau = 1e-4; tau < 30.0; tau *= 3.0) {
        double sum = 0.0, at = 0.0;
        const int n = 100000;
        for (int k = 0; k < n; k++) {
            double x = tau * (k + 0.5) / n, e = exp(-x) * tau / n;
            sum += e, at += e * x;
        }
        TY_NEAR_REL(ty_k_medium_scatter(2.0, 0.5, 0.25, tau), 0.25 * sum, 1e-7);
        TY_NEAR(ty_k_medium_middle(tau), at / sum / tau, 1e-6);
    }
    TY_FAR(ty_k_medium_middle(5.0), 0.5, 0.1); /* control: thick parts are lit at their near end */
    TY_NEAR(ty_k_medium_pass(0.7) * ty_k_medium_pass(0.4), ty_k_medium_pass(1.1), 1e-15);
    TY_NEAR(ty_k_medium_pass(1e9), 0.0, 0.0);
}
