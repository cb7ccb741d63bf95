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
