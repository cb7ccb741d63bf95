/* Formulas of dust against closed forms and integrals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_dust.h"
#include "k_medium.h"
#include "tycho/math.h"

TY_TEST(k_dust, shadow_cover_panel)
{
    /* PARTICLES of any kind: 3 / (2 rho D) */
    TY_NEAR_REL(ty_k_dust_area(3100.0, 10e-6), 48.387, 1e-4);
    /* 29 um alone, 5.5 g/m^2: a cell loses 8.8 %, between the 4 and 10 % that Hollick and O'Brien found at that mass */
    double lost = ty_k_dust_cover(5.5e-3 * ty_k_dust_area(3100.0, 29e-6));
    TY_NEAR(lost, 0.088, 0.0005);
    TY_FAR(ty_k_dust_cover(5.5e-3 * ty_k_dust_area(3100.0, 12.8e-6)), 0.07, 0.03); /* control: a mean by number */
    TY_ROW("Dust of 29 um on a panel, 5.5 g/m^2: its loss, 8.8 % +- 0.05",
           "closed form; 4 to 10 % measured [hollick2013]", "%.2f %%", 100.0 * lost);
    /* a radiator, alpha 0.2 and eps 0.9 bare, 0.75 and 0.9 of dust: three to four times alpha / eps, [gaier2009] */
    double full = ty_k_dust_mix(0.2, 0.75, 1.0) / ty_k_dust_mix(0.9, 0.9, 1.0) / (0.2 / 0.9);
    TY_NEAR(full, 3.5, 0.5);
    TY_NEAR(ty_k_dust_mix(0.2, 0.75, 0.5), 0.5 * (0.2 + 0.75), 1e-12); /* linear in cover */
    TY_ROW("A radiator under dust, alpha / eps over that of a bare one, 3 to 4 at full cover", "[gaier2009]", "%.2f",
           full);
}

TY_TEST(k_dust, lobe_of_diffraction)
{
    for (double d = 5e-6; d < 200e-6; d *= 2.0) {
        double lambda = 0.6e-6, x = TY_PI * d / lambda, spread = ty_k_dust_spread(lambda, d), sum = 0.0;
        TY_NEAR_REL(ty_k_medium_ahead(spread, 0.0), x * x / (4.0 * TY_PI), 0.05); /* Airy's forward peak */
        const int n = 200000;
        for (int k = 0; k < n; k++) { /* chord^2 = 2 (1 - cos), even in log */
            double low = log(1e-9), high = log(4.0), c = exp(low + (high - low) * (k + 0.5) / n);
            sum += ty_k_medium_ahead(spread, c) * TY_PI * c * (high - low) / n; /* dOmega = pi d(chord^2) */
        }
        TY_NEAR(sum, 1.0, 2e-3);
    }
    TY_NEAR_REL(ty_k_medium_ahead(0.01, 2.0 * (1.0 - cos(0.02))), ty_k_medium_hg(0.99, cos(0.02)), 1e-6);
    TY_FAR_REL(ty_k_medium_ahead(0.02, 0.0), ty_k_medium_ahead(0.01, 0.0), 0.5);
}

/* what leaves a rim and a fender round it, against the geometry done with coordinates */
TY_TEST(k_dust, fender)
{
    for (int i = 0; i < 100; i++) {
        double r = 0.41, R = 0.46, phi = 0.02 * i, out = 0.0026 * i;
        ty_k_vec3 d = ty_k_dust_leave(phi, out);
        double way = ty_k_dust_gap(r, R, out), x = -r * sin(phi) + way * d.x, z = -r * cos(phi) + way * d.z;
        TY_NEAR(sqrt(x * x + z * z), R, 1e-12);
        TY_NEAR(ty_k_dust_meets(r, way, phi, out), atan2(-x, -z) < 0.0 ? atan2(-x, -z) + 2.0 * TY_PI : atan2(-x, -z),
                1e-12);
    }
    TY_NEAR(ty_k_dust_fall(2.0, 0.0, 1.62), 2.0 * 2.0 / 1.62, 1e-12);
    TY_NEAR(ty_k_dust_at(1.0, 2.0, -1.62, ty_k_dust_fall(2.0, 0.7, 1.62)), 0.3, 1e-12);
    TY_NEAR(ty_k_medium_back(0.5, 0.2, 1e-3), 0.5 * 0.2 * 1e-3, 2e-7);
}

/* when a parabola enters a half-space, against steps of time; what never does, does not */
TY_TEST(k_dust, enters_a_plane)
{
    for (int i = 0; i < 200; i++) {
        double a = 0.02 * (i % 21 - 10), b = 0.3 * (i % 13 - 6), c = 0.2 + 0.1 * (i % 7), t = 0.0, dt = 1e-3;
        while (t < 100.0 && c + t * (b + a * t) > 0.0) {
            t += dt;
        }
        double got = ty_k_dust_enters(a, b, c);
        if (t < 100.0) {
            TY_NEAR(got, t, 1.01 * dt);
        } else {
            TY_CHECK(got < 0.0 || got > 99.0);
        }
    }
    TY_CHECK(ty_k_dust_enters(1.0, 3.0, -1.0) < 0.0); /* control: it comes out, and never goes in */
    TY_NEAR(ty_k_dust_speed(1.0, 0.3, 4.0), 0.3, 1e-12);
    TY_NEAR(ty_k_dust_speed(0.5, 0.3, 1.0), 0.65, 1e-12); /* peak 1: even */
    TY_NEAR(ty_k_dust_drift(2e-3, 500.0), 1.0, 1e-12);
}
