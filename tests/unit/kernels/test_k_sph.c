/* Soil carried by particles, one formula at a time, against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_sph.h"

static ty_k_sph soil(double dt)
{
    return ty_k_sph_make((ty_k_sph){ .rho = 1700,
                                     .K = ty_k_sph_bulk(1e6, 0.3),
                                     .G = ty_k_sph_shear(1e6, 0.3),
                                     .mu_s = 0.4,
                                     .mu_2 = 0.7,
                                     .i0 = 0.3,
                                     .d = 0.005,
                                     .h = 0.012,
                                     .spacing = 0.01,
                                     .alpha = 0.1,
                                     .xsph = 0.1,
                                     .delta = 0.1,
                                     .dt = dt });
}

TY_TEST(k_sph, kernel_integrates_to_one_and_its_gradient_is_its_slope)
{
    ty_k_sph p = soil(1e-4);
    double sum = 0.0, dr = 2.0 * p.h / 20000;
    for (int i = 0; i < 20000; i++) {
        double r = (i + 0.5) * dr;
        sum += 4.0 * TY_K_PI * r * r * ty_k_sph_w(&p, r / p.h) * dr;
    }
    TY_NEAR(sum, 1.0, 1e-8);
    for (double q = 0.1; q < 2.0; q += 0.1) {
        double step = 1e-6, slope = (ty_k_sph_w(&p, q + step) - ty_k_sph_w(&p, q - step)) / (2.0 * step * p.h);
        double gradient = ty_k_sph_f(&p, q) * q * p.h;
        TY_NEAR_REL(gradient, slope, 1e-6);
    }
    TY_NEAR(ty_k_sph_w(&p, 2.1), 0.0, 0.0);
    TY_NEAR(ty_k_sph_f(&p, 2.1), 0.0, 0.0);
    /* on the lattice the sum is the density, to 2 %; control: half the spacing is eight times as dense */
    double lattice[2] = { 0 };
    for (int k = 0; k < 2; k++) {
        double d = p.spacing / (k + 1);
        for (int n = 0; n < 15 * 15 * 15; n++) {
            double x = d * (n % 15 - 7), y = d * (n / 15 % 15 - 7), z = d * (n / 225 - 7);
            lattice[k] += p.volume * ty_k_sph_w(&p, sqrt(x * x + y * y + z * z) / p.h);
        }
    }
    TY_NEAR(lattice[0], 1.0, 0.02);
    TY_FAR(lattice[1], 1.0, 0.02);
    TY_NEAR(3.0 * ty_k_sph_moment(1.2), 2.956, 1e-3); /* the trace that particles inside a lattice of a bed have */
    TY_NEAR(ty_k_sph_moment(1.2) * p.norm, 1.0, 1e-12);
}

TY_TEST(k_sph, moduli)
{
    double K = ty_k_sph_bulk(1e6, 0.3), G = ty_k_sph_shear(1e6, 0.3);
    TY_NEAR_REL(9.0 * K * G / (3.0 * K + G), 1e6, 1e-14);
    TY_NEAR_REL(ty_k_sph_wave(K, G, 1700.0), sqrt(1.346153846153846e6 / 1700.0), 1e-12); /* E (1-nu)/((1+nu)(1-2nu)) */
    /* K0 starts on or inside yield */
    for (double mu = 0.2; mu < 0.9; mu += 0.1) {
        double k0 = ty_k_sph_k0(0.3, mu), tau = (1.0 - k0) / sqrt(3.0), most = mu * (1.0 + 2.0 * k0) / 3.0;
        TY_CHECK(tau <= most * (1.0 + 1e-12));
    }
    TY_NEAR(ty_k_sph_k0(0.3, 0.3819), 0.541, 1e-3);
    TY_FAR(ty_k_sph_k0(0.3, 0.3819), 0.3 / 0.7, 0.05); /* control: elastic K0 is beyond yield there */
}

/* The returned stress fulfils tau = mu(I) p + c with the rate that the step left to plastic flow. */
TY_TEST(k_sph, return_is_on_mu_of_i)
{
    const double G = ty_k_sph_shear(1e6, 0.3), dt = 1e-4, d = 0.005, i0 = 0.3, rho = 1700.0, c = 30.0, mu_s = 0.4,
                 mu_2 = 0.7;
    for (double p = 1.0; p < 1e5; p *= 3.0) {
        for (double over = 1.01; over < 50.0; over *= 1.7) {
            double trial = over * (mu_s * p + c);
            double tau = ty_k_sph_return(p, trial, sqrt(p / rho), i0 * G * dt / d, mu_s, mu_2, c);
            double number = (trial - tau) / (G * dt) * d * sqrt(rho / p),
                   mu = mu_s + (mu_2 - mu_s) * number / (i0 + number);
            TY_NEAR_REL(tau, mu * p + c, 1e-12);
            TY_CHECK(tau <= trial && tau >= mu_s * p + c);
            if (over > 2.0) {
                TY_FAR_REL(tau, mu_s * p + c, 1e-6); /* control: without the rate */
            }
        }
    }
    TY_NEAR(ty_k_sph_return(100.0, 69.0, sqrt(100.0 / rho), 1.0, 0.4, 0.7, 30.0), 69.0, 0.0); /* below yield */
    TY_NEAR(ty_k_sph_return(0.0, 50.0, 0.0, 1.0, 0.4, 0.7, 30.0), 30.0, 1e-14); /* no pressure: cohesion */
    TY_NEAR(ty_k_sph_return(0.0, 20.0, 0.0, 1.0, 0.4, 0.7, 30.0), 20.0, 0.0);
}

static double shear_stress(const ty_k_sph_state *s)
{
    double p = -(s->xx + s->yy + s->zz) / 3.0, x = s->xx + p, y = s->yy + p, z = s->zz + p;
    return sqrt(0.5 * (x * x + y * y + z * z) + s->xy * s->xy + s->xz * s->xz + s->yz * s->yz);
}

/* One element at constant volume in simple shear: elastic until it yields, then tau = mu(I) p. */
TY_TEST(k_sph, simple_shear_of_one_element)
{
    ty_k_sph p = soil(1e-5);
    const double rate = 20.0, pressure = 2000.0, e = pressure / p.K;
    ty_k_sph_state s = { .xx = -pressure, .yy = -pressure, .zz = -pressure, .e = e, .V = p.volume / (1.0 + e) };
    ty_k_sph_rate r = { .xx = 1, .yy = 1, .zz = 1, .w = 0.75 };
    r.l[2] = rate; /* dvx/dz */
    s = ty_k_sph_advance(&p, s, &r);
    TY_NEAR_REL(s.xz, p.G * rate * p.dt, 1e-6); /* first step: elastic, but for the turn, of second order */
    for (int i = 0; i < 20000; i++) {
        s = ty_k_sph_advance(&p, s, &r);
    }
    double number = rate * p.d * sqrt(p.rho / pressure), mu = p.mu_s + (p.mu_2 - p.mu_s) * number / (p.i0 + number);
    double tau = shear_stress(&s);
    TY_NEAR_REL(tau, mu * pressure,
                1e-6 + 2e-4); /* 2e-4: the turn of the stress against the flow, rate / G, is part of D */
    TY_NEAR_REL(-(s.xx + s.yy + s.zz) / 3.0, pressure, 1e-9);
    TY_FAR_REL(tau, p.mu_s * pressure, 0.05); /* control: no effect of the rate */
    TY_ROW("simple shear of one element: tau = mu(I) p within 2e-4", "closed form, [jop2006]", "%.1e",
           tyt_worst_rel("tau"));
}

/* I1 I2 / I3 of a state without shear on its axes but xz */
static double matsuoka_nakai(const ty_k_sph_state *s)
{
    double a = -s->xx, b = -s->yy, c = -s->zz, t = s->xz;
    return (a + b + c) * (a * b + b * c + a * c - t * t) / (b * (a * c - t * t));
}

/* One element at constant volume, pressed along one axis, drawn along it, and in simple shear: with lode 1 all three yield at the same I1 I2 / I3, shear at
 * mu p as before, the others at one angle of friction. Control: one mu for all states. */
TY_TEST(k_sph, strength_by_direction)
{
    ty_k_sph p = soil(1e-4);
    const double mu = 0.55, pressure = 2000.0, e = pressure / p.K;
    double want = (9.0 - 3.0 * mu * mu) / (1.0 - mu * mu), s2 = 3.0 * mu * mu / (4.0 - mu * mu), sine = sqrt(s2);
    double tau[2][3];
    p.mu_s = p.mu_2 = mu;
    for (int lode = 0; lode < 2; lode++) {
        for (int k = 0; k < 3; k++) {
            ty_k_sph_state s = { .xx = -pressure, .yy = -pressure, .zz = -pressure, .e = e, .V = p.volume / (1.0 + e) };
            ty_k_sph_rate r = { .xx = 1, .yy = 1, .zz = 1, .w = 0.75 };
            double rate = k == 0 ? -1.0 : 1.0;
            p.lode = lode;
            if (k < 2) {
                r.l[8] = rate, r.l[0] = r.l[4] = -0.5 * rate;
            } else {
                r.l[2] = r.l[6] = rate; /* pure shear: axes do not turn */
            }
            for (int i = 0; i < 1000; i++) {
                s = ty_k_sph_advance(&p, s, &r);
            }
            tau[lode][k] = shear_stress(&s) / pressure;
            double is = matsuoka_nakai(&s);
            if (lode) {
                TY_NEAR_REL(is, want, 1e-9);
            }
        }
    }
    TY_NEAR_REL(tau[1][0], 2.0 * sqrt(3.0) * sine / (3.0 - sine), 1e-9);
    TY_NEAR_REL(tau[1][1], 2.0 * sqrt(3.0) * sine / (3.0 + sine), 1e-9);
    TY_NEAR_REL(tau[1][2], mu, 1e-9);
    for (int k = 0; k < 3; k++) {
        TY_NEAR_REL(tau[0][k], mu, 1e-9);
    }
    TY_FAR_REL(tau[0][0], tau[1][0], 0.1);
    TY_ROW("strength by direction (lode 1): I1 I2 / I3 alike pressed, drawn and sheared to 1e-9",
           "closed form, [matsuoka1974]", "%.1e", tyt_worst_rel("is"));
}

/* Turned by 90 degrees in 100 steps: invariants kept, axes exchanged. */
TY_TEST(k_sph, turned_by_a_right_angle)
{
    ty_k_sph p = soil(1e-4);
    const int steps = 100;
    double w = TY_K_PI / 2.0 / (steps * p.dt), e = 1000.0 / p.K;
    ty_k_sph_state s = { .xx = -800, .yy = -1000, .zz = -1200, .e = e, .V = p.volume / (1.0 + e) };
    ty_k_sph_rate r = { .xx = 1, .yy = 1, .zz = 1, .w = 0.75 };
    double before = shear_stress(&s);
    r.l[2] = w; /* about y: dvx/dz = w, dvz/dx = -w */
    r.l[6] = -w;
    for (int i = 0; i < steps; i++) {
        s = ty_k_sph_advance(&p, s, &r);
    }
    TY_NEAR_REL(shear_stress(&s), before, 1e-9);
    TY_NEAR(s.xx, -1200.0, 0.1); /* the angle of a step is that of its tangent: (w dt)^2 / 12 = 2e-5 */
    TY_NEAR(s.zz, -800.0, 0.1);
    TY_NEAR(s.yy, -1000.0, 1e-6);
    TY_FAR(s.xx, -800.0, 100.0); /* control: not turned */
    TY_ROW("stress turned by 90 deg: invariant kept to 1e-9, components to 0.1 of 400 Pa", "closed form", "%.1e",
           tyt_worst_rel("shear_stress(&s)"));
}

/* Soil that was pulled apart bears nothing until it has closed again, and then starts from zero. */
TY_TEST(k_sph, loose_soil_bears_nothing)
{
    ty_k_sph p = soil(1e-4);
    ty_k_sph_state s = { .e = 0.0, .V = p.volume };
    ty_k_sph_rate r = { .xx = 1, .yy = 1, .zz = 1 };
    r.l[0] = 1.0;
    for (int i = 0; i < 100; i++) {
        s = ty_k_sph_advance(&p, s, &r);
    }
    TY_NEAR(s.e, -0.00995, 1e-4); /* 1 % longer */
    TY_NEAR(s.xx, 0.0, 0.0);
    r.l[0] = -1.0;
    for (int i = 0; i < 99; i++) {
        s = ty_k_sph_advance(&p, s, &r);
        TY_CHECK(s.xx == 0.0 && s.zz == 0.0);
    }
    for (int i = 0; i < 10; i++) { /* closed: it bears again */
        s = ty_k_sph_advance(&p, s, &r);
    }
    TY_CHECK(s.xx < -100.0);
    TY_NEAR_REL(s.V, p.volume / (1.0 + s.e), 1e-14);
}

/* A linear velocity field comes out exactly, also in half a neighbourhood. */
TY_TEST(k_sph, corrected_gradient_is_exact_for_linear_fields)
{
    ty_k_sph p = soil(1e-6);
    const double a[9] = { 1, 2, 3, -4, 5, -6, 7, 8, -9 };
    for (int half = 0; half < 2; half++) {
        ty_k_sph_rate r = { .w = 0 };
        ty_k_sph_near i = { .e = 1e-3, .V = p.volume };
        for (int n = 0; n < 343; n++) {
            double x = p.spacing * (n % 7 - 3), y = p.spacing * (n / 7 % 7 - 3), z = p.spacing * (n / 49 - 3);
            if (half && z < 0.0) {
                continue;
            }
            ty_k_sph_near j = { .x = x, .y = y, .z = z, .V = p.volume, .e = 1e-3 - 0.01 * z, .soil = 1 };
            j.vx = -(a[0] * x + a[1] * y + a[2] * z);
            j.vy = -(a[3] * x + a[4] * y + a[5] * z);
            j.vz = -(a[6] * x + a[7] * y + a[8] * z);
            ty_k_sph_rate_add(&r, &p, &i, &j);
            ty_k_sph_spread_add(&r, &p, &i, &j);
        }
        ty_k_sph_state s = { .xx = -1e6, .yy = -1e6, .zz = -1e6, .e = 1.0, .V = p.volume };
        s = ty_k_sph_advance(&p, s, &r);
        TY_NEAR_REL(s.xy, p.G * p.dt * (a[1] + a[3]), 1e-4);
        TY_NEAR_REL(s.yz, p.G * p.dt * (a[5] + a[7]), 1e-4);
        TY_NEAR(s.gz, 0.01, 1e-12);
        if (half) { /* control: without the correction */
            TY_FAR_REL(r.l[4], a[4], 0.1);
        }
    }
}

/* Forces of a pair are equal and opposite, and the self entry adds nothing. */
TY_TEST(k_sph, pairs_are_equal_and_opposite)
{
    ty_k_sph p = soil(1e-4);
    ty_k_sph_near a = {
        .vx = 0.3, .vy = -0.1, .V = 0.9e-6, .xx = -500, .zz = -900, .xz = 120, .yz = 40, .e = 1e-3, .soil = 1
    };
    ty_k_sph_near b = { .vz = 0.2, .V = 1.1e-6, .xx = -300, .yy = -100, .xy = -60, .e = 2e-3, .soil = 1 };
    ty_k_sph_force fa = { 0 }, fb = { 0 }, self = { 0 };
    ty_k_sph_near j = b;
    j.x = 0.007, j.y = -0.004, j.z = 0.009;
    ty_k_sph_force_add(&fa, &p, &a, &j);
    j = a;
    j.x = -0.007, j.y = 0.004, j.z = -0.009;
    ty_k_sph_force_add(&fb, &p, &b, &j);
    TY_NEAR(a.V * fa.ax + b.V * fb.ax, 0.0, 1e-12 * fabs(a.V * fa.ax));
    TY_NEAR(a.V * fa.az + b.V * fb.az, 0.0, 1e-12 * fabs(a.V * fa.az));
    TY_CHECK(fabs(fa.ax) > 1.0);
    ty_k_sph_force_add(&self, &p, &a, &a);
    TY_CHECK(self.ax == 0.0 && self.ay == 0.0 && self.az == 0.0 && self.sx == 0.0);
}

/* Contact: pushes out, never pulls, friction at most mu F_n. */
TY_TEST(k_sph, contact_with_a_body)
{
    const double k = 1e4, m = 1.7e-3, d = 0.005, dt = 1e-4;
    ty_k_sph_touch none = { 0 }, t = ty_k_sph_contact(0.006, 0, 0, 1, 0, 0, -1, none, d, k, m, 0.2, 0.5, dt);
    TY_CHECK(t.fz == 0.0);
    t = ty_k_sph_contact(0.004, 0, 0, 1, 0, 0, 0, none, d, k, m, 0.2, 0.5, dt);
    TY_NEAR(t.fz, 10.0, 1e-12);
    t = ty_k_sph_contact(0.004, 0, 0, 1, 0, 0, 100.0, none, d, k, m, 0.2, 0.5, dt);
    TY_CHECK(t.fz == 0.0);
    t = ty_k_sph_contact(0.004, 0, 0, 1, 1.0, 0, 0, (ty_k_sph_touch){ .x = 0.01 }, d, k, m, 0.2, 0.5, dt);
    TY_NEAR(t.fx, -5.0, 1e-12);
    TY_NEAR(t.x, 5.0 / k, 1e-12);
    TY_FAR(t.fx, -5.0 - 2.0, 1.0); /* control: damping beyond the cone */
}
