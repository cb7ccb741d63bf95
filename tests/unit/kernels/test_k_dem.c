/* Contact of two grains against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_dem.h"

static ty_k_dem_pair grains(double restitution, double mu)
{
    return ty_k_dem_make(0.004, 0.006, 1e-3, 3e-3, 1e7, 2e7, 0.3, 0.2, restitution, mu);
}

TY_TEST(k_dem, hertz_against_the_closed_form)
{
    ty_k_dem_pair p = grains(1.0, 0.5);
    TY_NEAR_REL(p.r, 0.0024, 1e-14);
    TY_NEAR_REL(p.m, 7.5e-4, 1e-14);
    TY_NEAR_REL(1.0 / p.e, 0.91 / 1e7 + 0.96 / 2e7, 1e-14);
    TY_NEAR_REL(1.0 / p.g, 2.0 * 1.7 * 1.3 / 1e7 + 2.0 * 1.8 * 1.2 / 2e7, 1e-14);
    for (double dn = 1e-7; dn < 1e-3; dn *= 3.0) {
        TY_NEAR_REL(ty_k_dem_normal(p, dn, -0.3), 4.0 / 3.0 * p.e * sqrt(p.r) * pow(dn, 1.5),
                    1e-12);                                                                       /* no damping at 1 */
        TY_FAR_REL(ty_k_dem_normal(p, dn, 0.0), 2.0 / 3.0 * p.e * sqrt(p.r) * pow(dn, 1.5), 0.1); /* control: half */
    }
    TY_NEAR(ty_k_dem_normal(p, -1e-6, -1.0), 0.0, 0.0);
}

/* A head-on collision lasts as long as Hertz says and comes back with the speed that the damping leaves. As grains do not pull,
 * they part before the overlap is gone, with zeta = -beta at [schwager2008]
 *     exp(-zeta / sqrt(1 - zeta^2) (pi - atan2(2 zeta sqrt(1 - zeta^2), 1 - 2 zeta^2))),
 * a little more than the restitution that was asked for (0.55 for 0.5). */
TY_TEST(k_dem, collision_keeps_the_restitution)
{
    for (double e = 0.3; e <= 1.0; e += 0.1) {
        ty_k_dem_pair p = grains(e, 0.5);
        double x = 0.0, v = -0.2, dt = 2e-8, t = 0.0; /* gap, its rate */
        do {
            v += dt * ty_k_dem_normal(p, -x, v) / p.m;
            x += dt * v;
            t += dt;
        } while (x < 0.0 && t < 1.0);
        double back = v / 0.2;
        double zeta = -ty_k_dem_beta(e), root = sqrt(1.0 - zeta * zeta);
        double want = exp(-zeta / root * (TY_K_PI - atan2(2.0 * zeta * root, 1.0 - 2.0 * zeta * zeta)));
        TY_NEAR(back, want, 1e-3);
        if (e < 0.6) {
            TY_FAR(back, e, 0.03); /* control: as if they pulled until the overlap is gone */
        }
        if (e > 0.99) {
            TY_NEAR(back, 1.0, 1e-4);
            TY_NEAR_REL(t, 2.87 * pow(p.m * p.m / (p.r * p.e * p.e * 0.2), 0.2), 0.01);
        }
    }
    TY_ROW("speed after a damped Hertz contact without pull within 1e-3", "closed form, [schwager2008]", "%.1e",
           tyt_worst("back"));
}

TY_TEST(k_dem, friction_is_capped_and_the_spring_set_back)
{
    ty_k_dem_pair p = grains(0.5, 0.4);
    double dn = 1e-5, fn = ty_k_dem_normal(p, dn, 0.0), k = ty_k_dem_stiffness(p, dn);
    TY_NEAR_REL(k, 8.0 * p.g * sqrt(p.r * dn), 1e-14);
    ty_k_dem_slide s = ty_k_dem_tangent(p, dn, fn, ty_k_vec(1e-9, 0, 0), ty_k_vec(0, 0, 0), 1e-6);
    TY_NEAR_REL(s.f.x, -k * 1e-9, 1e-12); /* below the cap: the spring alone */
    s = ty_k_dem_tangent(p, dn, fn, ty_k_vec(1.0, 0, 0), ty_k_vec(0.0, 3.0, 0), 1e-6);
    TY_NEAR_REL(ty_k_norm(s.f), 0.4 * fn, 1e-12);
    TY_NEAR_REL(ty_k_norm(s.xi), 0.4 * fn / k, 1e-12);
    TY_FAR_REL(ty_k_norm(s.xi), 1.0, 0.5); /* control: not set back */
    ty_k_vec3 turned = ty_k_dem_carry(ty_k_vec(1e-6, 0, 1e-6), ty_k_vec(0, 0, 1));
    TY_NEAR_REL(turned.x, sqrt(2.0) * 1e-6, 1e-12);
    TY_NEAR(turned.z, 0.0, 1e-20);
}

/* Resistance to rolling: a spring of 2.25 k_n (mu_r R*)^2 up to mu_r R* F_n, where its memory is set back; pull-off as JKR has it. */
TY_TEST(k_dem, rolling_and_pull)
{
    double s = 900.0, r = 0.0024, roll = 0.2, fn = 0.1, k = 2.25 * (2.0 / 3.0 * s) * roll * r * roll * r;
    ty_k_dem_slide a = ty_k_dem_roll(s, r, roll, 0.3, 1e-8, fn, ty_k_vec(0, 1e-3, 0), ty_k_vec(0, 0, 0), 1e-5);
    TY_NEAR_REL(a.f.y, -k * 1e-3, 1e-12);
    a = ty_k_dem_roll(s, r, roll, 0.3, 1e-8, fn, ty_k_vec(0, 1e-3, 0), ty_k_vec(0, 2.0, 0), 1e-5);
    TY_NEAR_REL(a.f.y, -k * 1.02e-3 - 2.0 * 0.3 * sqrt(1e-8 * k) * 2.0, 1e-12);
    a = ty_k_dem_roll(s, r, roll, 0.3, 1e-8, fn, ty_k_vec(1.0, 0, 0), ty_k_vec(0, 50.0, 0), 1e-5);
    TY_NEAR_REL(ty_k_norm(a.f), roll * r * fn, 1e-12);
    TY_NEAR_REL(ty_k_norm(a.xi), roll * r * fn / k, 1e-12);
    TY_FAR_REL(ty_k_norm(a.xi), 1.0, 0.5); /* control: not set back */
    TY_NEAR_REL(ty_k_dem_pull(0.05, r), 1.5 * TY_K_PI * 0.05 * r, 1e-14);
    TY_NEAR_REL(ty_k_dem_rayleigh(0.002, 2600.0, 1e7, 0.3), 3.5e-5 / 0.2, 0.01); /* 20 % are 3.5e-5 s */
}

/* A contact that is pressed harder keeps its tangential force, so that no energy is made; both bodies find the opposite, bit by bit. */
TY_TEST(k_dem, two_sides_of_a_contact)
{
    ty_k_dem_law law = {
        .e = 5e6, .g = 1e6, .damping = -0.4, .mu = 0.5, .roll = 0.2, .eta = 0.3, .gamma = 0.01, .dt = 1e-5
    };
    ty_k_dem_grain a = { { 0.1, 0.2, -0.3 }, { 5, -3, 2 }, 0.004, 7e-4 },
                   b = { { -0.1, 0.05, 0.2 }, { 1, 2, -4 }, 0.006, 2e-3 };
    ty_k_dem_touch was = { .xi = { 1e-7, -2e-7, 0 }, .theta = { 0, 1e-4, 1e-4 }, .k = 500.0 },
                   back = { .xi = { -1e-7, 2e-7, 0 }, .theta = { 0, -1e-4, -1e-4 }, .k = 500.0 };
    ty_k_vec3 x = { 0.006, 0.001, 0.0079 };
    double apart = ty_k_norm(x);
    ty_k_dem_sum one = { { 0, 0, 0 }, { 0, 0, 0 } }, two = one;
    ty_k_dem_touch t = ty_k_dem_grains(&law, &a, &b, x, apart, was, &one);
    ty_k_dem_touch u = ty_k_dem_grains(&law, &b, &a, ty_k_scale(-1.0, x), apart, back, &two);
    TY_CHECK(one.f.x == -two.f.x && one.f.y == -two.f.y && one.f.z == -two.f.z && t.xi.x == -u.xi.x &&
             t.theta.y == -u.theta.y);
    TY_CHECK(t.push > 0.0 && one.f.x != 0.0);
    ty_k_vec3 turned = ty_k_add(ty_k_add(one.turn, two.turn), ty_k_cross(x, one.f)); /* angular momentum is kept */
    TY_NEAR(ty_k_norm(turned), 0.0, 1e-15 + 1e-12 * ty_k_norm(one.turn));
    ty_k_dem_pair p = grains(1.0, 10.0);
    ty_k_dem_law still = { .e = p.e, .g = p.g, .mu = 10.0 };
    was = (ty_k_dem_touch){ .xi = { 1e-7, 0, 0 }, .k = ty_k_dem_stiffness(p, 1e-5) };
    ty_k_dem_touch pressed =
        ty_k_dem_contact(&still, p, 1e-8, 4e-5, ty_k_vec(0, 0, 1), ty_k_vec(0, 0, 0), ty_k_vec(0, 0, 0), was);
    TY_NEAR_REL(pressed.f.x, -was.k * 1e-7, 1e-12);
    TY_FAR_REL(pressed.f.x, -ty_k_dem_stiffness(p, 4e-5) * 1e-7, 0.2); /* control: the spring's way kept instead */
}
