/* src/soil/rigid.c - hard ground: spring, damper and sticking friction under each wheel [uly] (2.1), (2.2), (1.26).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_rigid.h"
#include "world.h"

typedef struct kept {
    double ux, uy; /* [m] stretch of the sticking contact */
} kept;

static void step_wheel(const ty_soil_def *def, const ty_soil_at *at, double dt)
{
    const ty_rigid_params *p = &def->rigid;
    const ty_soil_plane *f = at->plane;
    ty_soil_load *out = at->load;
    kept *c = at->memory;
    double r = f->radius, lift = r - at->def->wheel.r, share = 1.0 / f->slices, tilt = 0.0, rim = r * at->state->omega;
    /* forces are those at the start of the step: a damper that takes more than a light wheel's momentum in one step would make it
     * chatter */
    double most = 0.5 * at->def->mass / dt, gamma = p->hunt_crossley ? p->gamma : fmin(p->gamma, most);
    for (int k = 0; k < f->slices; k++) {
        double h = f->h[k] + lift; /* hard ground carries the grousers' tips */
        double fz = share * (p->hunt_crossley ? ty_k_hunt_crossley(p->k, p->n, gamma, h, f->h_rate)
                                              : ty_k_kelvin_voigt(p->k, p->n, gamma, h, f->h_rate));
        out->fz += fz;
        tilt += fz * f->y[k];
        out->sinkage = fmax(out->sinkage, h);
    }
    if (out->fz > 0.0) {
        ty_k_stick(p->k_tangent, p->c_tangent, p->mu * out->fz, f->v_x - rim, f->v_y, fabs(rim) / r, dt, &c->ux, &c->uy,
                   &out->fx, &out->fy);
    } else {
        c->ux = c->uy = 0.0;
    }
    out->resistance = out->fx * r;
    ty_soil_wrench(at, out->fy * r, 0.0, tilt); /* the side force acts at the lowest point */
    *at->theta1 = 0.0;
}

static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    (void)state, (void)diag;
    for (int i = 0; i < count; i++) {
        step_wheel(def, &at[i], dt);
    }
    return TY_OK;
}

static double tips(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    (void)def;
    return shape->r + (shape->grousers ? shape->grouser_h : 0.0);
}

const ty_soil_model tyi_soil_model_rigid = {
    .name = "rigid", .memory = sizeof(kept), .surface = true, .stand = tips, .step = step
};
