/* src/soil/rig.c - the single-wheel rig: a wheel led at given slip and slip angle that sinks freely
 * under its load; and the plate and shear tests in closed form.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "rig.h"
#include "soil.h"
#include "world.h"
#include "inner.h"

const char *ty_rig_name(int model)
{
    return model == TY_RIG_STATIC ? "static" : ty_soil_model_name((ty_soil_model_kind)model);
}

bool ty_rig_find(const char *name, int *out)
{
    ty_soil_model_kind kind = TY_SOIL_BEKKER;
    bool known = ty_soil_model_find(name, &kind), steady = !strcmp(name, "static");
    *out = steady ? TY_RIG_STATIC : (int)kind;
    return known || steady;
}

ty_rig_def ty_rig_def_default(void)
{
    return (ty_rig_def){ .model = TY_RIG_STATIC,
                         .soil = ty_soil_params_default(),
                         .wheel = { 0.25, 0.2, 0.0, 0 },
                         .load = 180.0,
                         .speed = 0.1,
                         .dt = 1e-3,
                         .cell = 0.01,
                         .patch = ty_soil_def_default().patch,
                         .cookie = TYI_COOKIE };
}

static ty_status check(const ty_rig_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF,
                       "rig: the definition was not started from "
                       "ty_rig_def_default()");
    }
    if (def->model < TY_RIG_STATIC || def->model >= TY_SOIL_MODEL_COUNT || def->model == TY_SOIL_NONE) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: there is no model number %d to stand on", def->model);
    }
    if (!(def->load > 0.0 && def->load <= 1e9)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: load is %g, but must be above 0 (at most 1e9) N", def->load);
    }
    if (!(def->slip >= -1.0 && def->slip <= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: slip is %g, but takes -1 to 1", def->slip);
    }
    if (!(fabs(def->beta) <= 1.4)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: beta is %g rad, but takes -1.4 to 1.4", def->beta);
    }
    bool leans = def->model == TY_SOIL_CRM || def->model == TY_SOIL_DEM;
    if (!(fabs(def->ground) <= (leans ? 0.7 : 0.0))) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: ground is %g rad, but takes %s", def->ground,
                       leans ? "-0.7 to 0.7" : "0: only soils of particles lean");
    }
    if (!(def->speed >= 1e-4 && def->speed <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: speed is %g, but takes 0.0001 to 10 m/s", def->speed);
    }
    if (!(def->watch >= 0.0 && def->watch <= 1e4)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: watch is %g, but takes 0 to 10000 s", def->watch);
    }
    if (!(def->dt >= 1e-6 && def->dt <= 0.01)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: dt is %g, but takes 1e-6 to 0.01 s", def->dt);
    }
    return TY_OK;
}

tyi_soil_rig_motion tyi_soil_rig_lead(const ty_rig_def *def)
{
    double rs = tyi_soil_wheel_shear_radius(&def->soil, &def->wheel), s = def->slip;
    double rim = s < 0.0 ? def->speed * (1.0 + s) : def->speed;
    double v_x = s > 0.0 ? def->speed * (1.0 - s) : def->speed;
    return (tyi_soil_rig_motion){ v_x, v_x * tan(def->beta), rim / rs };
}

void tyi_soil_rig_add(tyi_soil_rig_sum *sum, double h, const ty_wheel_load *at)
{
    sum->h += h;
    sum->fx += at->fx;
    sum->fy -= at->fy; /* towards +beta */
    sum->fz += at->fz;
    sum->torque += at->torque;
    sum->square += at->fx * at->fx;
    sum->n++;
}

void tyi_soil_rig_mean(const tyi_soil_rig_sum *sum, const ty_rig_def *def, ty_rig_result *out)
{
    double n = (double)sum->n, fx = sum->fx / n;
    *out = (ty_rig_result){ .h = sum->h / n,
                            .fx = fx,
                            .fy = sum->fy / n,
                            .fz = sum->fz / n,
                            .torque = sum->torque / n,
                            .slip = def->slip,
                            .beta = def->beta,
                            .ripple = sqrt(fmax(sum->square / n - fx * fx, 0.0)) };
}

static ty_status run_static(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    ty_wheel_steady motion = { .load = def->load, .slip = def->slip, .beta = def->beta };
    ty_wheel_load at;
    double h;
    ty_status status = ty_wheel_static(&def->soil, &def->wheel, &motion, &h, &at, diag);
    if (status == TY_OK) {
        *out = (ty_rig_result){ h, at.fx, -at.fy, at.fz, at.torque, def->slip, def->beta, 0.0 };
    }
    return status;
}

/* ---- any model of the table, one wheel over a plane ---- */

typedef struct bench {
    ty_soil_def def;
    ty_soil_site site;
    const ty_soil_model *model;
    void *state, *memory;
    ty_soil_body_def body;
    tyi_soil_rig_motion lead;
    double x, y, h, h_rate, spin, theta1; /* [m], [m/s], [rad] */
} bench;

static ty_status open_bench(const ty_rig_def *def, bench *b, ty_diag *diag)
{
    *b = (bench){ .def = ty_soil_def_default(),
                  .site = { .gravity = def->soil.g, .slope = def->ground, .device = def->device },
                  .lead = tyi_soil_rig_lead(def) };
    b->def.model = (ty_soil_model_kind)def->model;
    b->def.user = def->user;
    b->def.bekker = def->soil;
    b->def.grid.spacing = def->cell;
    b->def.patch = def->patch;
    b->def.patch.spacing = def->cell;
    b->def.grid.plate = 0.3,
    b->def.grid.berm = 1.0; /* a rig's lugs are thicker plates, and its bin does not compact: chosen */
    ty_status status = tyi_soil_def_check(&b->def, diag);
    if (status != TY_OK) {
        return status;
    }
    b->model = tyi_soil_model_of(&b->def);
    b->body = (ty_soil_body_def){
        .wheel = def->wheel, .mass = def->load / def->soil.g, .rim_mass = INFINITY, .weight = def->load
    };
    b->h = def->model == TY_SOIL_BEKKER ? 1e-4 : -(def->wheel.grousers ? def->wheel.grouser_h : 0.0);
    b->memory = tyi_get(NULL, b->model->memory + 1);
    const ty_soil_carrier carrier = { .count = 1, .body = &b->body, .reach = 1.0 };
    status = b->memory ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "rig: no memory");
    if (status == TY_OK && b->model->create) {
        status = b->model->create(&b->site, &b->def, &b->state, diag);
    }
    return status == TY_OK && b->model->join ? b->model->join(b->state, &carrier, diag) : status;
}

static void close_bench(bench *b)
{
    if (b->model && b->model->destroy && b->state) {
        b->model->destroy(b->state);
    }
    tyi_put(NULL, b->memory, b->memory ? b->model->memory + 1 : 0);
}

/* Leads the wheel by one step and lets it sink. */
static ty_status step_bench(const ty_rig_def *def, bench *b, ty_wheel_load *at, ty_diag *diag)
{
    double dt = def->dt;
    ty_soil_body state = { .centre = { b->x, b->y, def->wheel.r - b->h },
                           .axle = { 0.0, 1.0, 0.0 },
                           .v = { b->lead.v_x, b->lead.v_y, -b->h_rate },
                           .w = { 0.0, b->lead.omega, 0.0 },
                           .q = ty_quat_axis(ty_vec3_make(0.0, 1.0, 0.0), b->spin),
                           .omega = b->lead.omega,
                           .angle = b->spin };
    ty_soil_plane plane = { .x = { 1.0, 0.0, 0.0 },
                            .n = { 0.0, 0.0, 1.0 },
                            .up = { 0.0, 0.0, 1.0 },
                            .slices = 1,
                            .h = { b->h },
                            .v_x = b->lead.v_x,
                            .v_y = b->lead.v_y,
                            .h_rate = b->h_rate,
                            .radius = tyi_soil_rolling_radius(&b->def, &def->wheel) };
    ty_soil_load load = { .x = plane.x, .n = plane.n };
    ty_soil_at one = {
        .def = &b->body, .state = &state, .plane = &plane, .memory = b->memory, .theta1 = &b->theta1, .load = &load
    };
    ty_status status = b->model->step(b->state, &b->def, &one, 1, dt, diag);
    *at = (ty_wheel_load){ .fx = load.fx, .fy = load.fy, .fz = load.fz, .torque = load.resistance };
    b->h_rate += dt * (def->load - load.fz) / (def->load / def->soil.g);
    b->h += dt * b->h_rate;
    b->x += dt * b->lead.v_x, b->y += dt * b->lead.v_y;
    b->spin = fmod(b->spin + dt * b->lead.omega, 2.0 * TY_PI);
    return status;
}

/* How many steps, and how many of them before it is watched: until everything has been renewed many times. A contact that is integrated
 * is renewed by the rim's way over its length, and the sinkage settles within a second or so; columns need a second to settle and the way
 * of two radii, then means over whole cells and, with lugs, over whole pitches. */
static long steps_of(const ty_rig_def *def, const bench *b, long *before)
{
    double rim = fabs(b->lead.omega) * def->wheel.r;
    if (def->model != TY_SOIL_SCM && def->model != TY_SOIL_CRM && def->model != TY_SOIL_DEM) {
        long steps = (long)fmin((4.0 + 12.0 * def->wheel.r / fmax(rim, 0.02 * def->speed)) / def->dt, 4e5);
        *before = steps - steps / 20;
        return steps;
    }
    double fast = fmax(hypot(b->lead.v_x, b->lead.v_y), 1e-9);
    double pitch = def->wheel.grousers ? 2.0 * TY_PI * def->wheel.r / def->wheel.grousers : 0.0;
    double settle = 1.0 + fmin(1.5 * def->wheel.r / fmax(fast, 0.2 * rim), 60.0);
    double watch = fmin(fmax(8.0 * def->cell / fast, 4.0 * pitch / fmax(rim, 1e-9)), 60.0);
    watch = def->watch > 0.0 ? def->watch : watch;
    *before = (long)(settle / def->dt);
    return *before + (long)fmax(watch / def->dt, 100.0);
}

static ty_status run_stepped(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    bench b;
    ty_status status = open_bench(def, &b, diag);
    tyi_soil_rig_sum sum = { 0 };
    long before, steps = steps_of(def, &b, &before);
    for (long i = 0; i < steps && status == TY_OK; i++) {
        ty_wheel_load at;
        status = step_bench(def, &b, &at, diag);
        if (status == TY_OK && b.h > 2.0 * def->wheel.r) {
            status = ty_fail(diag, TY_ERR_NUMERIC,
                             "rig: the wheel sank below the ground: no sinkage carries %g N at slip %g", def->load,
                             def->slip);
        }
        if (status == TY_OK && i >= before) {
            tyi_soil_rig_add(&sum, b.h, &at);
        }
    }
    close_bench(&b);
    if (status == TY_OK) {
        tyi_soil_rig_mean(&sum, def, out);
    }
    return status;
}

ty_status ty_rig_run(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    ty_status status = check(def, diag);
    return status != TY_OK               ? status
           : def->model == TY_RIG_STATIC ? run_static(def, out, diag)
                                         : run_stepped(def, out, diag);
}

ty_status ty_plate_pressure(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag)
{
    if (!(b > 0.0 && b < 5.0 && depth >= 0.0 && depth <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "plate: width is %g m and depth %g m, but takes 0 to 5 and 0 to 10 m", b,
                       depth);
    }
    if (def->model == TY_SOIL_SCM) {
        return tyi_soil_plate_scm(def, b, depth, pressure, diag);
    }
    double k = ty_k_bekker_modulus(def->soil.k_c, def->soil.k_phi, b);
    *pressure = ty_k_bekker_pressure(k, depth, def->soil.n0);
    return TY_OK;
}

ty_status ty_plate_shear(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag)
{
    if (!(normal >= 0.0 && normal <= 1e8 && fabs(j) <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "plate: normal stress is %g Pa and the way %g m, but takes 0 to 1e8 and up to "
                       "10 m",
                       normal, j);
    }
    if (def->model == TY_SOIL_SCM) {
        return tyi_soil_shear_scm(def, normal, j, shear, diag);
    }
    *shear = (def->soil.c + normal * tan(tyi_soil_shear_angle(&def->soil))) * ty_k_bekker_mobilised(j, def->soil.kx);
    return TY_OK;
}
