/* src/soil/bekker.c - the stresses of Bekker and Wong under each wheel, as a model of a run. The contact itself is in wheel.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "soil.h"
#include "world.h"
#include "world/terrain/terrain.h"
#include "inner.h"

typedef struct wheels { /* of one carrier */
    tyi_soil_wheel **wheel;
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
            tyi_soil_wheel_destroy(b->carrier[c].wheel[i]);
        }
        tyi_put(alloc, b->carrier[c].wheel, (size_t)b->carrier[c].count * sizeof(tyi_soil_wheel *));
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
        status = tyi_soil_wheel_create(&b->def->bekker, &carrier->body[i].wheel, alloc, &w->wheel[i], diag);
    }
    return status;
}

/* ---- earlier passes: what the ground ahead remembers of them, carried under the wheel by its way ---- */

typedef struct memory {
    tyi_soil_wheel_history history;
    double rut[TY_SOIL_SLICES]; /* [m] how far the ground under each slice had been pressed down when the wheel came */
    double ahead[TY_SOIL_SLICES];      /* [m] the same where it will be next, at a sample, */
    int32_t sample[TY_SOIL_SLICES][2]; /* this one */
    double reach;                      /* [m] of its own print before the axle, which is no earlier pass */
    bool met;                          /* it stands on ground that it knows */
} memory;

/* [m] of one sample; what slips do to the exponent is left out: the rut has forgotten them */
static double pressed_at(const bekker *b, const tyi_soil_wheel *wheel, const int32_t at[2])
{
    float pressed = 0.0f;
    tyi_terrain_edit_view view = { .pressed = &pressed };
    tyi_terrain_edits_view(&b->site->terrain->edits, at[0], at[1], 1, 1, view);
    return pressed > 0.0f ? tyi_soil_wheel_risen(wheel, b->def->grid.elastic, (double)pressed) : 0.0;
}

/* The samples that the wheel comes to are those before its print; as it rolls on, they come under it over the length between. */
static void meet(const bekker *b, const tyi_soil_wheel *wheel, const ty_soil_at *at, double dt, memory *m)
{
    const ty_soil_plane *f = at->plane;
    double d = b->site->spacing, far = m->reach + 1.5 * d;
    double way = (m->history.roll < 0.0 ? -far : far), pass = 1.0 - exp(-fabs(f->v_x) * dt / far);
    ty_vec3 axle = at->state->axle,
            low = ty_sub(at->state->centre, ty_scale(at->def->wheel.r, ty_cross(f->x, axle))); /* as rut.c has it */
    for (int k = 0; k < f->slices; k++) {
        double x = low.x + way * f->x.x + f->y[k] * axle.x, y = low.y + way * f->x.y + f->y[k] * axle.y;
        int32_t now[2] = { (int32_t)lround(x / d), (int32_t)lround(y / d) };
        if (!m->met || now[0] != m->sample[k][0] || now[1] != m->sample[k][1]) {
            m->sample[k][0] = now[0], m->sample[k][1] = now[1];
            m->ahead[k] = pressed_at(b, wheel, now);
        }
        m->rut[k] = m->met ? m->rut[k] + pass * (m->ahead[k] - m->rut[k]) : m->ahead[k];
    }
    m->met = true;
}

static void step_wheel(const bekker *b, const tyi_soil_wheel *wheel, const ty_soil_at *at, double dt)
{
    const ty_soil_def *def = b->def;
    const ty_soil_plane *f = at->plane;
    ty_soil_load *out = at->load;
    memory *m = at->memory;
    tyi_soil_wheel_history *history = &m->history;
    int n = f->slices;
    double mean = 0.0, below = 0.0, share = 1.0 / n, mx = 0.0, mz = 0.0, tilt = 0.0;
    if (b->site->ruts && def->ruts && def->multipass) {
        meet(b, wheel, at, dt, m);
    }
    for (int k = 0; k < n; k++) {
        mean += share * fmax(f->h[k] - m->rut[k], 0.0);
        below = fmax(below, f->h[k] - m->rut[k]);
        out->sinkage = fmax(out->sinkage, f->h[k]);
    }
    out->rut = out->sinkage - below;
    m->met = below > 0.0;
    tyi_soil_wheel_state s = { .h = mean,
                               .h_rate = f->h_rate,
                               .v_x = f->v_x,
                               .v_y = f->v_y,
                               .omega = at->state->omega,
                               .rise = f->x.z,
                               /* (1 + unload u / K) exp(-u / K) is at most this */
                               .calm = tyi_soil_calm(&def->bekker, at->def, 0.39 * fmax(def->bekker.unload, 2.6), dt),
                               .elastic = def->grid.elastic,
                               .history = *history };
    tyi_soil_wheel_advance(wheel, &s, dt);
    *history = s.history;
    *at->theta1 = 0.0;
    for (int k = 0; k < n; k++) {
        ty_wheel_load load;
        if (f->h[k] <= m->rut[k]) {
            continue;
        }
        s.h = f->h[k] - m->rut[k];
        s.rut = m->rut[k];
        tyi_soil_wheel_force(wheel, &s, &load);
        out->fx += share * load.fx, out->fy += share * load.fy, out->fz += share * load.fz;
        out->resistance += share * load.torque;
        mx += share * load.mx, mz += share * load.mz;
        tilt += share * load.fz * f->y[k];
        mz -= share * load.fx * f->y[k];
        *at->theta1 += share * load.theta1;
        out->theta1 = fmax(out->theta1, load.theta1);
        out->theta2 = fmin(out->theta2, load.theta2);
    }
    m->reach = at->def->wheel.r * sin(fmin(out->theta1, 1.2));
    ty_soil_wrench(at, mx, mz, tilt);
}

static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    bekker *b = state;
    (void)diag, (void)def;
    for (int i = 0; i < count; i++) {
        const wheels *w = &b->carrier[at[i].carrier];
        step_wheel(b, w->wheel[at[i].body - w->first], &at[i], dt);
    }
    return TY_OK;
}

static double shear_radius(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    return tyi_soil_wheel_shear_radius(&def->bekker, shape);
}

const ty_soil_model tyi_soil_model_bekker = { .name = "bekker",
                                              .memory = sizeof(memory),
                                              .prints = true,
                                              .radius = shear_radius,
                                              .create = create,
                                              .join = join,
                                              .step = step,
                                              .destroy = destroy };
