/* kernels/k_touch.h - a particle of soil and a rigid body that moves: where the body's surface is, the force between them, and the
 * memory of the contact. The force law: ty_k_sph_contact(); surfaces: k_sdf.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_TOUCH_H
#define TY_K_TOUCH_H
#include "k_sdf.h"
#include "k_sph.h"

/* a body as particles meet it in a sub-step; the same bytes on host and device */
typedef struct ty_k_solid {
    ty_i32 kind, lugs, off;
    ty_real a, b, c, friction; /* [m] sizes by kind; [-] */
    ty_k_vec3 centre;          /* [m] from the box's low corner, so that single precision suffices */
    ty_real r[9];              /* takes the body's axes to the box's */
    ty_k_vec3 v, w;            /* [m/s], [rad/s] */
    ty_real round, stiff;      /* [m] of a ball that holds it, 0: none does; [-] of the stiffness */
    ty_real plate;             /* [m] half the thickness of lugs */
    ty_i32 at[3];              /* [unit] its place along periodic axes */
    ty_i32 nodes[3];           /* of its lattice of distances, */
    ty_i32 first;              /* whose values start here, */
    ty_k_vec3 low;             /* [m] its low corner, */
    ty_real inv;               /* [1/m] nodes a metre */
} ty_k_solid;

/* all of one contact */
typedef struct ty_k_touch {
    ty_k_sph_touch t; /* force on the particle [N], memory [m] */
    ty_k_vec3 turn;   /* [N m] of that force about the body's origin */
    ty_i32 touches;
} ty_k_touch;

typedef struct ty_k_touch_law { /* what all contacts of a sub-step share */
    ty_real reach, stiffness;   /* [m] half a spacing, [N/m] */
    ty_real mass, damping, dt;  /* [kg], [-] of the critical one, [s] */
} ty_k_touch_law;

/* Distance [m] from the body's surface and its gradient, in the box's axes; far where the body's ball is. arm [m]: from the body's origin. */
TY_KFN ty_k_sdf ty_k_solid_sdf(const ty_k_solid *b, TY_GLOBAL const float *lattice, ty_k_vec3 arm)
{
    ty_k_sdf s = { TY_R(1e9), { 0, 0, 0 } };
    if (b->round > TY_R(0.0) && ty_k_dot(arm, arm) > b->round * b->round) {
        return s;
    }
    ty_k_vec3 own = { b->r[0] * arm.x + b->r[3] * arm.y + b->r[6] * arm.z,
                      b->r[1] * arm.x + b->r[4] * arm.y + b->r[7] * arm.z,
                      b->r[2] * arm.x + b->r[5] * arm.y + b->r[8] * arm.z };
    s = b->kind == TY_K_SDF_GRID
            ? ty_k_sdf_grid(own, lattice + b->first, b->nodes[0], b->nodes[1], b->nodes[2], b->low, b->inv)
            : ty_k_sdf_of(b->kind, b->a, b->b, b->c, b->lugs, b->plate, own);
    s.n = ty_k_vec(b->r[0] * s.n.x + b->r[1] * s.n.y + b->r[2] * s.n.z,
                   b->r[3] * s.n.x + b->r[4] * s.n.y + b->r[5] * s.n.z,
                   b->r[6] * s.n.x + b->r[7] * s.n.y + b->r[8] * s.n.z);
    return s;
}

/* arm [m]: from the body's origin to the particle; v [m/s] of the particle; was: its memory of this body. */
TY_KFN ty_k_touch ty_k_solid_touch(const ty_k_solid *b, TY_GLOBAL const float *lattice, ty_k_vec3 arm, ty_k_vec3 v,
                                   ty_k_sph_touch was, const ty_k_touch_law *law)
{
    ty_k_touch none = { { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0 }, 0 };
    ty_k_sdf s = ty_k_solid_sdf(b, lattice, arm);
    if (s.d >= law->reach) {
        return none;
    }
    ty_k_vec3 slip = ty_k_sub(v, ty_k_add(b->v, ty_k_cross(b->w, arm)));
    ty_k_touch now;
    now.t = ty_k_sph_contact(s.d, s.n.x, s.n.y, s.n.z, slip.x, slip.y, slip.z, was, law->reach,
                             b->stiff * law->stiffness, law->mass, law->damping, b->friction, law->dt);
    now.turn = ty_k_cross(arm, ty_k_vec(now.t.fx, now.t.fy, now.t.fz));
    now.touches = 1;
    return now;
}

#endif
