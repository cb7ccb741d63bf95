/* src/soil/bekker.c - the stresses of Bekker and Wong under each wheel, as a model of a run. The contact itself is in wheel.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "world.h"

typedef struct wheels { /* of one carrier */
    ty_wheel_soil **wheel;
    int first, count;
} wheels;

typedef struct bekker {
    const ty_soil_site *site;
    const ty_soil_def *def;
    wheels *carrier;
    int carriers;
} bekker;

static ty_status create(const ty_soil_site *site, const ty_soil_def *def, void **state, ty_diag *diag)
{
    bekker *b = tyi_get(site->alloc, sizeof *b);
    if (!b) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory");
    }
    *b = (bekker){ .site = site, .def = def };
    *state = b;
    return TY_OK;
}

static void destroy(void *state)
{
    bekker *b = state;
    const ty_alloc *alloc = b->site->alloc;
    for (int c = 0; c < b->carriers; c++) {
        for (int i = 0; i < b->carrier[c].count && b->carrier[c].wheel; i++) {
            ty_wheel_soil_destroy(b->carrier[c].wheel[i]);
        }
        tyi_put(alloc, b->carrier[c].wheel, (size_t)b->carrier[c].count * sizeof(ty_wheel_soil *));
    }
    tyi_put(alloc, b->carrier, (size_t)b->carriers * sizeof *b->carrier);
    tyi_put(alloc, b, sizeof *b);
}

static ty_status join(void *state, const ty_soil_carrier *carrier, ty_diag *diag)
{
    bekker *b = state;
    const ty_alloc *alloc = b->site->alloc;
    wheels *more = tyi_get(alloc, (size_t)(b->carriers + 1) * sizeof *more);
    if (!more) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for %d wheels", carrier->count);
    }
    for (int c = 0; c < b->carriers; c++) {
        more[c] = b->carrier[c];
    }
    tyi_put(alloc, b->carrier, (size_t)b->carriers * sizeof *b->carrier);
    b->carrier = more;
    wheels *w = &more[b->carriers++];
    *w = (wheels){ tyi_get(alloc, (size_t)carrier->count * sizeof *w->wheel), carrier->first, carrier->count };
    ty_status status = w->wheel ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for %d wheels", carrier->count);
    for (int i = 0; i < carrier->count && status == TY_OK; i++) {
        status = ty_wheel_soil_create(&b->def->bekker, &carrier->body[i].wheel, alloc, &w->wheel[i], diag);
    }
    return status;
}

static void step_wheel(const ty_soil_def *def, const ty_wheel_soil *wheel, const ty_soil_at *at, double dt)
{
    const ty_soil_plane *f = at->plane;
    ty_soil_load *out = at->load;
    ty_wheel_history *history = at->memory;
    int n = f->slices;
    double mean = 0.0, share = 1.0 / n, mx = 0.0, mz = 0.0, tilt = 0.0;
    for (int k = 0; k < n; k++) {
        mean += share * fmax(f->h[k], 0.0);
        out->sinkage = fmax(out->sinkage, f->h[k]);
    }
    ty_wheel_state s = { .h = mean,
                         .h_rate = f->h_rate,
                         .v_x = f->v_x,
                         .v_y = f->v_y,
                         .omega = at->state->omega,
                         .rise = f->x.z,
                         /* (1 + unload u / K) exp(-u / K) is at most this */
                         .calm = tyi_soil_calm(&def->bekker, at->def, 0.39 * fmax(def->bekker.unload, 2.6), dt),
                         .history = *history };
    ty_wheel_advance(wheel, &s, dt);
    *history = s.history;
    *at->theta1 = 0.0;
    for (int k = 0; k < n; k++) {
        ty_wheel_load load;
        if (f->h[k] <= 0.0) {
            continue;
        }
        s.h = f->h[k];
        ty_wheel_contact(wheel, &s, &load);
        out->fx += share * load.fx, out->fy += share * load.fy, out->fz += share * load.fz;
        out->resistance += share * load.torque;
        mx += share * load.mx, mz += share * load.mz;
        tilt += share * load.fz * f->y[k];
        mz -= share * load.fx * f->y[k];
        *at->theta1 += share * load.theta1;
        out->theta1 = fmax(out->theta1, load.theta1);
        out->theta2 = fmin(out->theta2, load.theta2);
    }
    ty_soil_wrench(at, mx, mz, tilt);
}

static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    bekker *b = state;
    (void)diag;
    for (int i = 0; i < count; i++) {
        const wheels *w = &b->carrier[at[i].carrier];
        step_wheel(def, w->wheel[at[i].body - w->first], &at[i], dt);
    }
    return TY_OK;
}

static double shear_radius(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    return ty_wheel_shear_radius(&def->bekker, shape);
}

const ty_soil_model tyi_soil_model_bekker = { .name = "bekker",
                                              .memory = sizeof(ty_wheel_history),
                                              .prints = true,
                                              .radius = shear_radius,
                                              .create = create,
                                              .join = join,
                                              .step = step,
                                              .destroy = destroy };
