/* A particle that touches a body, on host and device; the lattice: tests/unit/crm/test_crm_device.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_touch.h"

PARITY_TO(
    touch, (-0.6, 0.6, -0.6, 0.6, -0.6, 0.6), (1e-11, 1e-3, 1), ty_k_solid b; b.kind = TY_K_SDF_SPHERE;
    b.lugs = b.off = 0; b.a = TY_R(0.5); b.b = b.c = TY_R(0.5); b.friction = TY_R(0.4);
    for (int k = 0; k < 9; k++) { b.r[k] = k % 4 == 0 ? TY_R(1.0) : TY_R(0.0); } b.round = TY_R(0.6);
    b.stiff = TY_R(1.0); b.plate = TY_R(0.0); b.v = ty_k_vec(TY_R(0.1), TY_R(0.2), TY_R(-0.3));
    b.w = ty_k_vec(TY_R(1.0), TY_R(-2.0), TY_R(0.5)); ty_k_touch_law law; law.reach = TY_R(0.01);
    law.stiffness = TY_R(100.0); law.mass = TY_R(0.02); law.damping = TY_R(0.3); law.dt = TY_R(1e-3);
    ty_k_sph_touch was; was.fx = was.fy = was.fz = 0; was.x = TY_R(1e-3); was.y = was.z = TY_R(-2e-3);
    ty_k_touch t = ty_k_solid_touch(&b, (TY_GLOBAL const float *)0, ty_k_vec(a[0], a[1], a[2]),
                                    ty_k_vec(a[1], a[2], a[0]), was, &law);
    return t.t.fx + 2 * t.t.fy + 3 * t.t.fz + t.turn.x + 2 * t.turn.y + 3 * t.turn.z + t.t.x + (ty_real)t.touches;)
PARITY_FILE(k_touch)
