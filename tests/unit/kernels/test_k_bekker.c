/* The wheel in soil, kernel by kernel: closed forms, the printed integrals on a dense grid, units.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_bekker.h"

/* A wheel like that of [ishigami2007]; whole, so that each case changes only what it is about. */
static ty_k_bekker wheel(void)
{
    const double phi = 37.2 * TY_K_PI / 180.0, weight = 1600.0 * 9.81;
    return (ty_k_bekker){ .r = 0.09,
                          .b = 0.11,
                          .rs = 0.09,
                          .k = 1370.0 / 0.11 + 8.14e5,
                          .n0 = 1.0,
                          .n1 = 0.2,
                          .n1_skid = 0.3,
                          .a1 = 0.4,
                          .a2 = 0.15,
                          .c = 800.0,
                          .tan_phi = tan(phi),
                          .kx = 0.036,
                          .ky = 0.013,
                          .lambda = 0.9,
                          .bull_c = ty_k_earth_bull_c(800.0, phi),
                          .bull_w = ty_k_earth_bull_w(weight, phi),
                          .g = 9.81,
                          .panels = 1 };
}

static ty_k_bekker_load steady(ty_k_bekker p, double h, double s, double beta, ty_k_bekker_patch *at)
{
    return ty_k_bekker_contact(p, h, 0.0, 0.0, 0.0, 0.0, ty_k_bekker_steady(p, h, s, beta), at);
}

/* (2.3) to (2.14) and (3.4) to (3.7) as they are printed, with the corrections that the design
 * lists: midpoint rule in theta, n points, no symmetry used, its own code. out: fx, fy (towards
 * +beta), fz, torque. */
static void printed(const ty_k_bekker *p, double h, double s, double beta, int n, double out[4])
{
    double v_r = s >= 0.0 ? 1.0 - s : 1.0 / (1.0 + s), nn = p->n0 + (s >= 0.0 ? p->n1 : p->n1_skid) * fabs(s);
    double t1 = acos(1.0 - h / p->r), t2 = -acos(1.0 - p->lambda * h / p->r), tm = (p->a1 + p->a2 * s) * t1;
    out[0] = out[1] = out[2] = out[3] = 0.0;
    for (int i = 0; i < n; i++) {
        double t = t2 + (t1 - t2) * (i + 0.5) / n, dt = (t1 - t2) / n;
        double te = t >= tm ? t : t1 - (t - t2) / (tm - t2) * (t1 - tm);
        double sigma = p->k * pow(p->r, nn) * pow(cos(te) - cos(t1), nn), tau = p->c + sigma * p->tan_phi;
        double jx = p->r * (t1 - t - v_r * (sin(t1) - sin(t))), jy = p->r * v_r * (t1 - t) * tan(beta);
        double tx = copysign(tau * (1.0 - exp(-fabs(jx) / p->kx)), jx), ty = tau * (1.0 - exp(-jy / p->ky));
        double z = p->r * (cos(t) - cos(t1)), rb = p->bull_c * z + p->bull_w * z * z;
        out[0] += p->b * p->r * dt * (tx * cos(t) - sigma * sin(t));
        out[1] += dt * (p->b * p->r * ty + (beta > 0.0 ? rb * (p->r - z * cos(t)) : 0.0));
        out[2] += p->b * p->r * dt * (sigma * cos(t) + tx * sin(t));
        out[3] += p->b * p->r * p->r * dt * tx;
    }
}

/* The whole integral against the printed one. The bound of one panel is what a run is promised;
 * with 16 panels only the midpoint rule is left, (contact / n)^2 / 24 of a curvature of a few
 * hundred: 1e-7. */
TY_TEST(bekker, integral_equals_the_printed_one)
{
    ty_k_bekker fine = wheel();
    fine.panels = 16;
    for (double s = -0.9; s < 1.0; s += 0.3) {
        for (double beta = 0.0; beta < 0.9; beta += 0.4) {
            for (double h = 0.002; h < 0.05; h *= 2.5) {
                ty_k_bekker_patch at;
                double want[4], load;
                printed(&fine, h, s, beta, 20000, want);
                load = fabs(want[2]) + fabs(want[0]);
                ty_k_bekker_load one = steady(wheel(), h, s, beta, &at), many = steady(fine, h, s, beta, &at);
                TY_NEAR(one.fx, want[0], 3e-5 * load);
                TY_NEAR(-one.fy, want[1], 3e-5 * (load + want[1]));
                TY_NEAR(one.fz, want[2], 3e-5 * load);
                TY_NEAR(one.torque, want[3], 3e-5 * load * fine.r);
                TY_NEAR(many.fx, want[0], 3e-7 * load);
                TY_NEAR(-many.fy, want[1], 3e-7 * (load + want[1]));
                TY_NEAR(many.fz, want[2], 3e-7 * load);
                TY_NEAR(many.torque, want[3], 3e-7 * load * fine.r);
            }
        }
    }
    /* control: another slip is seen */
    ty_k_bekker_patch at;
    double want[4];
    printed(&fine, 0.01, -0.6, 0.0, 20000, want);
    TY_FAR(steady(fine, 0.01, -0.3, 0.0, &at).fx, want[0], 1.0);
    TY_ROW("stresses over the rim within 3e-5 of the load", "the printed integrals, 20 000 strips",
           "worst %.0e N of some 100", tyt_worst("one.fz"));
}

/* More panels converge (not in every step: what is left is where the shear changes sign in skid,
 * and that may fall well or badly). Printed, because the choice of one panel of 8 points rests on
 * it. */
TY_TEST(bekker, more_panels_converge)
{
    ty_k_bekker p = wheel(), dense = wheel();
    p.n0 = dense.n0 = 1.1;
    p.kx = dense.kx = 0.01;
    dense.panels = 64;
    double first = 0.0, last = 1.0;
    for (p.panels = 1; p.panels <= 16; p.panels *= 2) {
        double worst = 0.0;
        for (double s = -0.9; s < 1.0; s += 0.1) {
            ty_k_bekker_patch at;
            ty_k_bekker_load a = steady(p, 0.015, s, 0.3, &at), b = steady(dense, 0.015, s, 0.3, &at);
            double e = fmax(fmax(fabs(a.fx - b.fx), fabs(a.fy - b.fy)),
                            fmax(fabs(a.fz - b.fz), fabs(a.torque - b.torque) / p.r));
            worst = fmax(worst, e / b.fz);
        }
        printf("bekker: %d panels of 8 points on each side: worst error %.1e of the load\n", p.panels, worst);
        first = p.panels == 1 ? worst : first;
        last = worst;
    }
    TY_NEAR(first, 0.0, 3e-5);
    TY_NEAR(last, 0.0, 1e-8);
    TY_FAR(first, 0.0, 1e-8); /* control: the measure sees an error of one panel */
}

TY_TEST(bekker, plate_pressure)
{
    double k = ty_k_bekker_modulus(1400.0, 8.2e5, 0.2);
    TY_NEAR_REL(ty_k_bekker_pressure(k, 0.02, 1.0), (7000.0 + 8.2e5) * 0.02, 1e-15);
    TY_NEAR_REL(ty_k_bekker_pressure(8e6, 0.01, 1.5), 8000.0, 1e-14);                  /* 8e6 * 0.01^1.5 */
    TY_FAR_REL(ty_k_bekker_pressure(8.2e5, 0.02, 1.0), (7000.0 + 8.2e5) * 0.02, 1e-3); /* control */
    TY_ROW("plate sinkage (bevameter) within 1e-14", "(k_c / b + k_phi) z^n", "%.0e",
           tyt_worst_rel("ty_k_bekker_pressure(8e6, 0.01, 1.5)"));
}

TY_TEST(bekker, angles_keep_their_digits)
{
    TY_NEAR_REL(ty_k_bekker_angle(0.03, 0.1), acos(0.7), 1e-15);
    TY_NEAR(ty_k_bekker_angle(0.1, 0.1), 0.5 * TY_K_PI, 1e-15);
    /* arccos(1 - x) = sqrt(2 x) (1 + x / 12 + ...) */
    TY_NEAR_REL(ty_k_bekker_angle(1e-13, 0.1), sqrt(2e-12), 1e-12);
    TY_FAR_REL(acos(1.0 - 1e-13 / 0.1), sqrt(2e-12), 1e-12); /* control: written naively */
}

/* Work of shearing from 0 to J: tau_max (J - K (1 - exp(-J / K))). */
TY_TEST(bekker, shear_work)
{
    const double K = 0.018, J = 0.05;
    double work = 0.0;
    for (int i = 0; i < 512; i++) {
        work += ty_k_bekker_mobilised((i + 0.5) * J / 512, K) * J / 512;
    }
    TY_NEAR(work, J + K * expm1(-J / K), 1e-7); /* midpoint: J (J / (512 K))^2 / 24 ~ 6e-8 */
    TY_FAR(work, J, 0.01);                      /* control: K forgotten */
    TY_NEAR(ty_k_bekker_mobilised(-0.01, K), -ty_k_bekker_mobilised(0.01, K), 0.0);
}

/* A towed wheel in soil without shear strength, theta_m = theta_2 = 0: the resistance is the work
 * of pressing a rut of depth h, b k h^(n+1) / (n+1), and for n = 1 the load is b k r^2 (theta_1 -
 * sin theta_1 cos theta_1) / 2. */
TY_TEST(bekker, towed_wheel)
{
    ty_k_bekker p = wheel();
    ty_k_bekker_patch at;
    p.c = p.tan_phi = p.a1 = p.a2 = p.lambda = p.n1 = p.n1_skid = 0.0;
    p.panels = 16;
    for (double n = 0.7; n < 1.6; n += 0.15) {
        p.n0 = n;
        ty_k_bekker_load a = steady(p, 0.02, -0.1, 0.0, &at);
        TY_NEAR_REL(-a.fx, p.b * p.k * pow(0.02, n + 1.0) / (n + 1.0), 1e-8);
        TY_NEAR(a.torque, 0.0, 0.0);
    }
    p.n0 = 1.0;
    ty_k_bekker_load a = steady(p, 0.02, 0.0, 0.0, &at);
    double t1 = acos(1.0 - 0.02 / p.r);
    TY_NEAR_REL(a.fz, p.b * p.k * p.r * p.r * 0.5 * (t1 - sin(t1) * cos(t1)), 1e-9);
    p.lambda = 0.9;
    TY_FAR_REL(-steady(p, 0.02, 0.0, 0.0, &at).fx, p.b * p.k * 2e-4,
               0.05); /* control: soil behind the wheel pushes back */
    TY_ROW("towed wheel: compaction resistance within 1e-8", "b k z^(n+1) / (n+1)", "worst %.0e",
           tyt_worst_rel("-a.fx"));
}

/* Pure shear, phi = 0: a spinning wheel has j = r (theta_1 - theta), a rolling one dragged aside
 * j_y = r tan(beta) (theta_1 - theta); both integrate to D - (1 - exp(-a D)) / a, a = r / K or r
 * tan(beta) / K, D the contact angle. */
TY_TEST(bekker, pure_shear)
{
    ty_k_bekker p = wheel();
    ty_k_bekker_patch at;
    p.tan_phi = p.bull_c = p.bull_w = 0.0;
    ty_k_bekker_load spin = steady(p, 0.02, 1.0, 0.0, &at);
    double D = at.theta1 - at.theta2, a = p.r / p.kx;
    TY_NEAR_REL(spin.torque, p.b * p.r * p.r * p.c * (D + expm1(-a * D) / a), 1e-9);
    ty_k_bekker_load drag = steady(p, 0.02, 0.0, 0.5, &at);
    a = p.r * tan(0.5) / p.ky;
    TY_NEAR_REL(-drag.fy, p.b * p.r * p.c * (D + expm1(-a * D) / a), 1e-6);
    TY_FAR_REL(-drag.fy, p.b * p.r * p.c * D, 0.1); /* control: full strength at once */
    TY_ROW("pure shear of a wheel within 1e-9", "closed form", "%.0e", tyt_worst_rel("spin.torque"));
}

/* Lengths times L, forces times F: forces come back times F, the torque times F L, angles unchanged. */
TY_TEST(bekker, units)
{
    const double L = 3.7, F = 0.21;
    ty_k_bekker p = wheel(), q = p;
    p.n0 = q.n0 = 1.2;
    p.n1 = p.n1_skid = q.n1 = q.n1_skid = 0.0; /* the unit of k depends on n */
    p.lug_h = 0.01;
    p.lug_c = 300.0;
    p.lug_w = 4e4;
    p.circle = q.circle = 1;
    q.r = p.r * L;
    q.b = p.b * L;
    q.rs = p.rs * L;
    q.k = p.k * F / pow(L, 3.2);
    q.c = p.c * F / (L * L);
    q.kx = p.kx * L;
    q.ky = p.ky * L;
    q.bull_c = p.bull_c * F / (L * L);
    q.bull_w = p.bull_w * F / (L * L * L);
    q.lug_h = p.lug_h * L;
    q.lug_c = p.lug_c * F / (L * L);
    q.lug_w = p.lug_w * F / (L * L * L);
    for (double s = -0.6; s < 0.9; s += 0.3) {
        ty_k_bekker_patch at, to;
        ty_k_bekker_load a = steady(p, 0.02, s, 0.3, &at), b = steady(q, 0.02 * L, s, 0.3, &to);
        TY_NEAR_REL(b.fx, F * a.fx, 1e-12);
        TY_NEAR_REL(b.fy, F * a.fy, 1e-12);
        TY_NEAR_REL(b.fz, F * a.fz, 1e-12);
        TY_NEAR_REL(b.torque, F * L * a.torque, 1e-12);
        TY_NEAR_REL(b.mx, F * L * a.mx, 1e-12);
        TY_NEAR_REL(to.thetam, at.thetam, 1e-13);
        q.k *= 1.01;
        TY_FAR_REL(steady(q, 0.02 * L, s, 0.3, &to).fz, F * a.fz, 1e-3); /* control: k off by 1 % */
        q.k /= 1.01;
    }
    TY_ROW("any unit of length and force gives the same within 1e-12", "rescaled soil and wheel", "worst %.0e",
           tyt_worst_rel("b.fz"));
}

/* Hegedus for phi = 37.2 deg: X_c = 26.4 deg, cot X_c = 2.01449, D1 = 4.02898, D2 = 2.01449 + 4.05817 * 0.75904. */
TY_TEST(bekker, bulldozing)
{
    const double phi = 37.2 * TY_K_PI / 180.0;
    TY_NEAR_REL(ty_k_earth_bull_c(800.0, phi), 4.02898 * 800.0, 1e-5);
    TY_NEAR_REL(ty_k_earth_bull_w(1600.0 * 9.81, phi), 0.5 * 4.02898 * 5.09481 * 1600.0 * 9.81, 1e-5);
    TY_FAR_REL(ty_k_earth_bull_w(1600.0, phi), 0.5 * 4.02898 * 5.09481 * 1600.0 * 9.81,
               0.5); /* control: density, not weight */
    TY_ROW("bulldozing on the side wall within 1e-5", "Hegedus by hand", "%.0e",
           tyt_worst_rel("ty_k_earth_bull_w(1600.0 * 9.81, phi)"));
}

/* A lug face from depth z1 to z2 under Rankine's passive pressure 2 c sqrt(N) + rho g N z, summed
 * in slices; N lugs on the whole turn. And the shearing radius: none without lugs, r + h_g when
 * their wedges meet. */
TY_TEST(bekker, lugs)
{
    const double phi = 0.6, c = 250.0, weight = 1605.0 * 9.81, z1 = 0.004, z2 = 0.013;
    double sum = 0.0, N = pow(tan(0.25 * TY_K_PI + 0.3), 2.0);
    for (int i = 0; i < 1000; i++) {
        double z = z1 + (z2 - z1) * (i + 0.5) / 1000.0;
        sum += (2.0 * c * sqrt(N) + weight * N * z) * (z2 - z1) / 1000.0;
    }
    double got = (z2 - z1) * (ty_k_earth_lug_c(c, phi, 30.0) + ty_k_earth_lug_w(weight, phi, 30.0) * (z2 + z1));
    TY_NEAR_REL(got * 2.0 * TY_K_PI / 30.0, sum, 1e-12);
    TY_NEAR(ty_k_bekker_shear_radius(0.15, 0.01, 0.0, phi), 0.15, 0.0);
    TY_NEAR(ty_k_bekker_shear_radius(0.15, 0.01, 200.0, phi), 0.16, 1e-15);
    double some = ty_k_bekker_shear_radius(0.15, 0.01, 20.0, phi);
    TY_CHECK(some > 0.151 && some < 0.159);
    ty_k_bekker p = wheel(), q = wheel();
    ty_k_bekker_patch at;
    q.lug_h = 0.01;
    q.lug_c = ty_k_earth_lug_c(c, phi, 20.0);
    q.lug_w = ty_k_earth_lug_w(weight, phi, 20.0);
    TY_CHECK(steady(q, 0.01, 0.4, 0.0, &at).fx > steady(p, 0.01, 0.4, 0.0, &at).fx + 0.5);
    /* nothing but cohesion on the faces of a spinning wheel, fully mobilised: each is deep by
     * h_g cos(theta), and acts at its middle */
    q.tan_phi = q.c = q.lug_w = 0.0;
    q.kx = 1e-6;
    q.panels = 16;
    double torque = steady(q, 0.01, 1.0, 0.0, &at).torque;
    double faces = q.b * q.lug_c * 0.01 * (sin(at.theta1) - sin(at.theta2));
    TY_NEAR_REL(torque, faces * (q.r + 0.005), 1e-4); /* K / r of the arc is not yet mobilised */
    TY_FAR_REL(torque, faces * q.r, 1e-2);            /* control: at the rim */
}

/* Lugs push against the soil below the rim, and behind it below the rut, not below the ground that the wheel has cut
 * through: weight alone on the faces of a spinning wheel, summed in slices. */
TY_TEST(bekker, lugs_reach_from_the_rut)
{
    const double h = 0.03, h_g = 0.01;
    ty_k_bekker q = wheel();
    ty_k_bekker_patch at;
    q.lug_h = h_g;
    q.lambda = 0.1;
    q.lug_w = 4e4;
    q.tan_phi = q.c = 0.0;
    q.kx = 1e-6;
    q.panels = 16;
    double torque = steady(q, h, 1.0, 0.0, &at).torque, rut = 0.0, ground = 0.0;
    for (int i = 0; i < 20000; i++) {
        double d = (at.theta1 - at.theta2) / 20000.0, t = at.theta2 + d * (i + 0.5), face = h_g * cos(t);
        rut += d * face * (2.0 * fmax(q.r * (cos(t) - cos(at.theta2)), 0.0) + face);
        ground += d * face * (2.0 * q.r * (cos(t) - cos(at.theta1)) + face);
    }
    TY_NEAR_REL(torque, q.b * q.lug_w * rut * (q.r + 0.5 * h_g), 1e-3);
    TY_FAR_REL(torque, q.b * q.lug_w * ground * (q.r + 0.5 * h_g), 0.5); /* control: from the undisturbed ground */
}

/* On a slope soil is pushed downhill more easily than uphill; level ground is as before to the last bit, the change
 * begins smoothly, and backing up a slope is driving up it. */
TY_TEST(bekker, lugs_on_a_slope)
{
    ty_k_bekker p = wheel();
    ty_k_bekker_patch at;
    p.lug_h = 0.01;
    p.lug_c = 300.0;
    p.lug_w = 4e4;
    double level = steady(p, 0.02, 0.4, 0.0, &at).fx;
    double was = level;
    for (int i = 1; i <= 30; i++) {
        p.rise = sin(i * TY_K_PI / 180.0);
        double up = steady(p, 0.02, 0.4, 0.0, &at).fx;
        TY_CHECK(up < was);
        was = up;
        ty_k_bekker_history back = ty_k_bekker_steady(p, 0.02, 0.4, 0.0);
        back.ux = -back.ux, back.slip = -back.slip, back.roll = -back.roll;
        p.rise = -p.rise;
        TY_NEAR(ty_k_bekker_contact(p, 0.02, 0.0, 0.0, 0.0, 0.0, back, &at).fx, -up, 0.0);
        TY_CHECK(steady(p, 0.02, 0.4, 0.0, &at).fx > up);
    }
    p.rise = 0.0;
    TY_NEAR(steady(p, 0.02, 0.4, 0.0, &at).fx, level, 0.0);
    p.rise = 1e-9;
    TY_NEAR_REL(steady(p, 0.02, 0.4, 0.0, &at).fx, level, 1e-8);
    p.lug_h = 0.0;
    double smooth = steady(p, 0.02, 0.4, 0.0, &at).fx;
    p.rise = 0.3;
    TY_NEAR(steady(p, 0.02, 0.4, 0.0, &at).fx, smooth, 0.0); /* no lugs: the slope is the caller's */
}

/* On the friction circle the resultant never exceeds the strength, each alone may; without side
 * slip both are the same. */
TY_TEST(bekker, friction_circle)
{
    double most = 0.0, alone = 0.0;
    for (double jx = -0.2; jx < 0.2; jx += 0.013) {
        for (double jy = 0.0; jy < 0.2; jy += 0.017) {
            double mx, my, nx, ny;
            ty_k_bekker_shares(1, jx, jy, 0.02, 0.01, &mx, &my);
            ty_k_bekker_shares(0, jx, jy, 0.02, 0.01, &nx, &ny);
            most = fmax(most, hypot(mx, my));
            alone = fmax(alone, hypot(nx, ny));
            if (jy == 0.0) {
                TY_NEAR(mx, nx, 0.0);
            }
        }
    }
    TY_CHECK(most <= 1.0 && most > 0.999);
    TY_CHECK(alone > 1.4); /* control */
}

/* v / (r omega) gives the slip ratio (2.13) back, driving and in skid; it is large when locked. */
TY_TEST(bekker, ratio_of_speeds)
{
    for (double s = -0.95; s < 1.0; s += 0.1) {
        double v = ty_k_bekker_ratio(s);
        TY_NEAR(v < 1.0 ? 1.0 - v : 1.0 / v - 1.0, s, 1e-15);
    }
    TY_NEAR(ty_k_bekker_ratio(-0.6), 2.5, 1e-15);
    TY_FAR(ty_k_bekker_ratio(-0.6), 1.6, 0.5); /* control: 1 - s in skid, as (2.10) is printed */
    TY_CHECK(ty_k_bekker_ratio(-1.0) > 1e8);
}

/* The history of a wheel at constant speed comes to the steady one, whatever the step; then the force is the same. */
TY_TEST(bekker, history_becomes_steady)
{
    ty_k_bekker p = wheel();
    p.kx_beta = 0.043;
    p.ky_beta = 0.020;
    for (double s = -0.6; s < 0.95; s += 0.3) {
        for (double dt = 1e-3; dt < 0.2; dt *= 100.0) {
            const double omega = 0.5, beta = 0.4, h = 0.012;
            double v_x = p.rs * omega * ty_k_bekker_ratio(s), v_y = v_x * tan(beta);
            ty_k_bekker_history was = { 0 }, want = ty_k_bekker_steady(p, h, s, beta);
            for (double t = 0.0; t < 80.0; t += dt) {
                was = ty_k_bekker_advance(p, h, v_x, v_y, omega, dt, was);
            }
            TY_NEAR(was.ux, want.ux, 1e-12);
            TY_NEAR(was.uy, want.uy, 1e-12);
            TY_NEAR(was.slip, s, 1e-12);
            TY_NEAR(was.side, want.side, 1e-12);
            TY_NEAR(was.roll, 1.0, 1e-12);
            ty_k_bekker_patch at;
            p.shear_time = 0.05; /* no part of steady motion */
            ty_k_bekker_load a = ty_k_bekker_contact(p, h, 0.0, v_x, v_y, omega, was, &at),
                             b = steady(p, h, s, beta, &at);
            TY_NEAR_REL(a.fx, b.fx, 1e-9);
            TY_NEAR_REL(a.fy, b.fy, 1e-9);
            TY_NEAR(at.beta, beta, 1e-12);
            p.shear_time = 0.0;
        }
    }
}

/* Unloading and reloading follow one path: a small cycle on top of a held displacement returns to
 * where it was. Without the peak it would ratchet (the control): every cycle would lose `unload`
 * times its size. */
TY_TEST(bekker, shear_does_not_ratchet)
{
    ty_k_bekker p = wheel();
    p.unload = 20.0;
    double u = 0.0, peak = 0.0, v = 0.0, none = 0.0;
    ty_k_bekker_load_step(p, &u, &peak, 1.0, 0.0, 0.03, 0.02);
    TY_NEAR(u, 0.02, 1e-15);
    v = u;
    for (int i = 0; i < 1000; i++) {
        double way = i % 2 ? 1e-6 : -1e-6;
        ty_k_bekker_load_step(p, &u, &peak, way, 0.0, 0.03, 1.0);
        none = 0.0;
        ty_k_bekker_load_step(p, &v, &none, way, 0.0, 0.03, 1.0);
    }
    TY_NEAR(u, 0.02, 1e-13); /* 1000 roundings of an exponential */
    TY_FAR(v, 0.02, 5e-3);
    /* unloading through zero leaves no peak behind */
    ty_k_bekker_load_step(p, &u, &peak, -1.0, 0.0, 0.03, 0.02);
    TY_CHECK(u < 0.0 && peak == -u);
}
