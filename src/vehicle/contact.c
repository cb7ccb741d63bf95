/* src/vehicle/contact.c - contact planes, and the soil's answer to all wheels of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "contact.h"
#include <string.h>
#include "core/core.h"
#include "k_ddt.h"
#include "k_rigid.h"
#include "world/terrain/patch.h"

/* ---- the window of ground ---- */

#define RUT_SAMPLES ((size_t)TYI_VEHICLE_RUT_SIDE * TYI_VEHICLE_RUT_SIDE)
#define MARGIN \
    1.0 /* [m] kept between the rover and the window's edge, so that a step never looks beyond it  \
         */

ty_status tyi_vehicle_ground_init(tyi_vehicle_ground *g, const ty_vehicle_def *def, int wheels,
                                  const ty_wheel_shape *shape, double reach, ty_diag *diag)
{
    *g = (tyi_vehicle_ground){ .terrain = def->terrain,
                               .soil = def->soil,
                               .gravity = def->gravity,
                               .wheels = wheels,
                               .rocks = def->rocks,
                               .rock_min = def->rock_min,
                               .rock_push = def->rock_push,
                               .rock_mu = def->rock_mu,
                               .rock_density = def->rock_density,
                               .alloc = def->alloc };
    g->soil.bekker.g = def->gravity;
    g->level = ty_terrain_get_def(def->terrain)->edit_level;
    g->level = g->level < ty_terrain_levels(def->terrain) ? g->level : ty_terrain_levels(def->terrain) - 1;
    g->spacing = ty_terrain_spacing(def->terrain, g->level);
    g->reach = reach + MARGIN;
    double side = 2.0 * (2.0 * g->reach) / g->spacing; /* as far again as the rover needs, on every side */
    g->side = (int32_t)fmin(fmax(side, 64.0), 4096.0);
    for (int k = 0; k < TYI_VEHICLE_RIM; k++) {
        g->rim[k][0] = cos(2.0 * TY_PI * k / TYI_VEHICLE_RIM), g->rim[k][1] = sin(2.0 * TY_PI * k / TYI_VEHICLE_RIM);
    }
    g->rut_change = tyi_get(def->alloc, RUT_SAMPLES * sizeof *g->rut_change);
    g->rut_trace = tyi_get(def->alloc, RUT_SAMPLES * sizeof *g->rut_trace);
    g->placed = tyi_get(def->alloc, TYI_VEHICLE_LOOSE * sizeof *g->placed);
    if (!g->rut_change || !g->rut_trace || !g->placed) {
        return ty_fail(diag, TY_ERR_MEMORY, "vehicle: no memory for ruts and rocks");
    }
    for (int i = 0; i < wheels; i++) {
        g->shape[i] = shape[i];
        g->radius[i] = shape[i].r + (shape[i].grousers ? shape[i].grouser_h : 0.0);
        if (def->soil.model == TY_SOIL_BEKKER || (def->soil.model == TY_SOIL_SCM && def->soil.grid.lugs)) {
            g->radius[i] = ty_wheel_shear_radius(&g->soil.bekker, &shape[i]);
        }
        if (def->soil.model == TY_SOIL_BEKKER) {
            ty_status status = ty_wheel_soil_create(&g->soil.bekker, &shape[i], def->alloc, &g->wheel[i], diag);
            if (status != TY_OK) {
                return status;
            }
        }
    }
    tyi_vehicle_ground_reset(g);
    return def->soil.model == TY_SOIL_SCM ? tyi_vehicle_grid_init(g, diag) : TY_OK;
}

void tyi_vehicle_ground_free(tyi_vehicle_ground *g)
{
    for (int i = 0; i < g->wheels; i++) {
        ty_wheel_soil_destroy(g->wheel[i]);
    }
    ty_scm_destroy(g->scm);
    ty_terrain_patch_destroy(g->patch);
    tyi_put(g->alloc, g->placed, TYI_VEHICLE_LOOSE * sizeof *g->placed);
    tyi_put(g->alloc, g->rut_change, RUT_SAMPLES * sizeof *g->rut_change);
    tyi_put(g->alloc, g->rut_trace, RUT_SAMPLES * sizeof *g->rut_trace);
}

void tyi_vehicle_ground_reset(tyi_vehicle_ground *g)
{
    for (int i = 0; i < TY_WHEELS_MAX; i++) {
        g->contact[i] = (tyi_vehicle_contact){ .normal = { 0.0, 0.0, 1.0 }, .rut = { INFINITY, INFINITY, INFINITY } };
    }
    for (int k = 0; k < (int)g->push.count; k++) {
        g->push.rock[k].v = g->push.rock[k].force = (ty_vec3){ 0.0, 0.0, 0.0 };
    }
    g->push.in = g->push.lost = 0.0;
}

ty_status tyi_vehicle_ground_window(tyi_vehicle_ground *g, int32_t i0, int32_t j0, ty_diag *diag)
{
    if (g->patch && g->i0 == i0 && g->j0 == j0) {
        return TY_OK;
    }
    ty_terrain_patch *made;
    ty_status status = ty_terrain_patch_create(g->terrain, g->level, i0, j0, g->side, g->side, 1, &made, diag);
    if (status == TY_OK && g->rocks) {
        status = ty_terrain_patch_add_rocks(made, g->rock_min, diag);
        if (status != TY_OK) {
            ty_terrain_patch_destroy(made);
        }
    }
    if (status == TY_OK) {
        ty_terrain_patch_destroy(g->patch);
        g->patch = made, g->i0 = i0, g->j0 = j0;
        tyi_vehicle_push_mark(g);
    }
    return status;
}

ty_status tyi_vehicle_ground_follow(tyi_vehicle_ground *g, double x, double y, ty_diag *diag)
{
    if (!(fabs(x) < 1e7 && fabs(y) < 1e7)) {
        return ty_fail(diag, TY_ERR_RANGE, "vehicle: stands at (%g, %g) m, beyond any terrain", x, y);
    }
    if (g->patch) {
        ty_rect r = ty_terrain_patch_rect(g->patch);
        if (x - g->reach > r.x0 && x + g->reach < r.x1 && y - g->reach > r.y0 && y + g->reach < r.y1) {
            return TY_OK;
        }
    }
    ty_status status = tyi_vehicle_push_tell(g, 0.0, diag); /* so that the new window has them where they lie */
    if (status != TY_OK) {
        return status;
    }
    tyi_vehicle_push_drop(g, x, y, g->reach);
    /* the middle is a whole metre, so that the window does not depend on the last bits of the way */
    double half = 0.5 * g->side;
    return tyi_vehicle_ground_window(g, (int32_t)(round(x) / g->spacing - half),
                                     (int32_t)(round(y) / g->spacing - half), diag);
}

void tyi_vehicle_ground_heights(const tyi_vehicle_ground *g, size_t n, const double *x, const double *y,
                                ty_terrain_ground *out)
{
    if (g->soil.model == TY_SOIL_RIGID) {
        ty_terrain_patch_sample(g->patch, n, x, y, out);
    } else {
        /* Sinkage is counted from the ground as it was before any wheel: a rut is soil that has
         * been pressed to its depth, and carries a wheel at that depth as it did the first time. */
        tyi_terrain_patch_sample_natural(g->patch, n, x, y, out);
    }
}

/* ---- contact planes [uly] 3.2.1 ---- */

#define SLICES_MAX 9
#define POINTS     (3 + SLICES_MAX)

typedef struct frame {
    ty_vec3 x, n, up;        /* forward, normal; up in the wheel's own plane */
    double h[SLICES_MAX];    /* [m] sinkage of each slice */
    double y[SLICES_MAX];    /* [m] where it lies along the axle */
    double v_x, v_y, h_rate; /* [m/s] */
} frame;

static void set_axes(frame *f, ty_vec3 axle, ty_vec3 normal)
{
    f->n = normal;
    ty_vec3 x = ty_cross(axle, normal);
    double size = ty_norm(x);
    f->x = size > 1e-6 ? ty_scale(1.0 / size, x) : ty_vec3_make(1.0, 0.0, 0.0); /* a wheel that lies flat: any way */
    f->up = ty_cross(f->x, axle);
}

static double slice_y(const tyi_vehicle_ground *g, int wheel, int k)
{
    return g->shape[wheel].b * ((k + 0.5) / g->soil.slices - 0.5);
}

/* where the ground is asked for under a wheel: two points in front, one behind (3.1 to 3.3), and
 * under each slice. The points of (3.1) lie at the entry angle; a wheel that hardly sinks needs a
 * base as well, hence at least a quarter radius. */
static void place_points(const tyi_vehicle_ground *g, int i, const tyi_vehicle_wheel_in *in, double *x, double *y)
{
    frame f;
    const tyi_vehicle_contact *c = &g->contact[i];
    double r = g->shape[i].r, b = g->shape[i].b, ahead = r * fmin(fmax(sin(c->theta1), 0.25), 0.9);
    double down = sqrt(r * r - ahead * ahead);
    set_axes(&f, in->axle, c->normal);
    for (int k = 0; k < 3; k++) {
        double way = k < 2 ? ahead : -ahead, side = k == 0 ? 0.5 * b : k == 1 ? -0.5 * b : 0.0;
        x[k] = in->centre.x + way * f.x.x + side * in->axle.x - down * f.up.x;
        y[k] = in->centre.y + way * f.x.y + side * in->axle.y - down * f.up.y;
    }
    for (int k = 0; k < g->soil.slices; k++) {
        double side = slice_y(g, i, k);
        x[3 + k] = in->centre.x + side * in->axle.x - r * f.up.x;
        y[3 + k] = in->centre.y + side * in->axle.y - r * f.up.y;
    }
}

static frame find_plane(const tyi_vehicle_ground *g, int i, const tyi_vehicle_wheel_in *in, const double *x,
                        const double *y, const ty_terrain_ground *ground)
{
    frame f;
    ty_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = ty_vec3_make(x[k], y[k], ground[k].z);
    }
    ty_vec3 n = ty_cross(ty_sub(p[1], p[2]), ty_sub(p[0], p[2]));
    set_axes(&f, in->axle, n.z > 0.0 ? ty_normalize(n) : g->contact[i].normal);
    for (int k = 0; k < g->soil.slices; k++) {
        f.y[k] = slice_y(g, i, k);
        ty_vec3 bottom = ty_add(in->centre, ty_sub(ty_scale(f.y[k], in->axle), ty_scale(g->shape[i].r, f.up)));
        double plane = p[2].z - ((x[3 + k] - p[2].x) * f.n.x + (y[3 + k] - p[2].y) * f.n.y) / f.n.z;
        /* between its ends a slice lies on what is under it: half of the ground's departure from the plane */
        f.h[k] = ty_dot(ty_sub(p[2], bottom), f.n) + 0.5 * (ground[3 + k].z - plane) * f.n.z;
    }
    f.v_x = ty_dot(in->v, f.x);
    f.v_y = ty_dot(in->v, ty_cross(f.n, f.x));
    f.h_rate = -ty_dot(in->v, f.n);
    return f;
}

/* ---- soil models ---- */

/* turns forces in the contact frame into a wrench about the wheel's centre */
static void to_world(const frame *f, const tyi_vehicle_wheel_in *in, double mx, double mz, double tilt,
                     tyi_vehicle_wheel_out *out)
{
    ty_vec3 y = ty_cross(f->n, f->x);
    out->force = ty_add(ty_add(ty_scale(out->fx, f->x), ty_scale(out->fy, y)), ty_scale(out->fz, f->n));
    out->torque = ty_add(ty_add(ty_scale(mx + tilt, f->x), ty_scale(mz, f->n)), ty_scale(-out->resistance, in->axle));
}

double tyi_vehicle_ground_calm(const tyi_vehicle_ground *g, int i, double stiff, double dt)
{
    const ty_soil_params *p = &g->soil.bekker;
    double most = 1.5 * g->share, area = g->shape[i].b * g->shape[i].r; /* a wheel that bears more than its part */
    double strength = most * tan(ty_soil_shear_angle(p)) + p->c * area;
    return strength > 0.0 ? g->rim_mass[i] * p->kx / (stiff * strength * dt) : 0.0;
}

static void step_bekker(tyi_vehicle_ground *g, int i, const tyi_vehicle_wheel_in *in, const frame *f, double dt,
                        tyi_vehicle_wheel_out *out)
{
    tyi_vehicle_contact *c = &g->contact[i];
    int n = g->soil.slices;
    double mean = 0.0, share = 1.0 / n, mx = 0.0, mz = 0.0, tilt = 0.0;
    for (int k = 0; k < n; k++) {
        mean += share * fmax(f->h[k], 0.0);
        out->sinkage = fmax(out->sinkage, f->h[k]);
    }
    ty_wheel_state s = { .h = mean,
                         .h_rate = f->h_rate,
                         .v_x = f->v_x,
                         .v_y = f->v_y,
                         .omega = in->omega,
                         .rise = f->x.z,
                         /* (1 + unload u / K) exp(-u / K) is at most this */
                         .calm = tyi_vehicle_ground_calm(g, i, 0.39 * fmax(g->soil.bekker.unload, 2.6), dt),
                         .history = c->history };
    ty_wheel_advance(g->wheel[i], &s, dt);
    c->history = s.history;
    c->theta1 = 0.0;
    for (int k = 0; k < n; k++) {
        ty_wheel_load load;
        if (f->h[k] <= 0.0) {
            continue;
        }
        s.h = f->h[k];
        ty_wheel_contact(g->wheel[i], &s, &load);
        out->fx += share * load.fx, out->fy += share * load.fy, out->fz += share * load.fz;
        out->resistance += share * load.torque;
        mx += share * load.mx, mz += share * load.mz;
        tilt += share * load.fz * f->y[k];
        mz -= share * load.fx * f->y[k];
        c->theta1 += share * load.theta1;
        out->theta1 = fmax(out->theta1, load.theta1);
        out->theta2 = fmin(out->theta2, load.theta2);
    }
    to_world(f, in, mx, mz, tilt, out);
}

/* spring, damper and sticking friction of a wheel whose rim moves at `rim` [m/s] over ground */
static void step_hard(tyi_vehicle_ground *g, int i, const tyi_vehicle_wheel_in *in, const frame *f, double rim,
                      double dt, tyi_vehicle_wheel_out *out)
{
    const ty_rigid_params *p = &g->soil.rigid;
    tyi_vehicle_contact *c = &g->contact[i];
    double r = g->radius[i], lift = r - g->shape[i].r, share = 1.0 / g->soil.slices, tilt = 0.0;
    /* forces are those at the start of the step: a damper that takes more than a light wheel's momentum in one step
     * would make it chatter */
    double most = 0.5 * g->mass[i] / dt, gamma = p->hunt_crossley ? p->gamma : fmin(p->gamma, most);
    for (int k = 0; k < g->soil.slices; k++) {
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
    /* the side force acts at the lowest point */
    to_world(f, in, out->fy * r, 0.0, tilt, out);
    c->theta1 = 0.0;
}

/* ---- regression [ddt] ----
 * The wheel that is seen turns at omega; the one that touches the ground has a rim that moves at
 * the speed (5) which the slip regression leaves of it, and sticks to the ground. What the paper
 * leaves open is settled here: only the climb along the wheel's way counts as slope (downhill and
 * across: as on level ground), reverse is forward mirrored, a wheel at rest does not slip, and a
 * skidding wheel sinks as a slipping one does. */

#define LOAD_TIME \
    0.2                  /* [s] over which the load that sets the stiffness (9) is averaged: a stiffness that       \
         * followed the force at once would feed back on it */
#define SLIP_TIME   0.2  /* [s] over which the slip (3) is averaged */
#define LATCH_SPEED 0.1  /* [m/s] v_min of (10) */
#define CRAWL       0.05 /* [m/s] */
#define UNLOAD \
    20.0 /* [-] how much stiffer the ground unloads: (8) alone would be elastic and lift a wheel   \
            that is relieved */
#define DEPTH_LEAST \
    1e-3 /* [m] and a twentieth of the reference load: thresholds of (9), whose values the paper   \
            does not give */

static double regression_rim(const tyi_vehicle_ground *g, tyi_vehicle_contact *c, const frame *f, double rim, double dt)
{
    double climb = asin(ty_k_clamp(rim < 0.0 ? -f->x.z : f->x.z, -1.0, 1.0));
    double s = ty_regression_slip(&g->soil.regression, rim, fmax(climb, 0.0));
    /* on steep slopes a faster wheel is slower over ground by (3): followed at once, that would
     * drive a motor into oscillation */
    c->slip += (s - c->slip) * (c->speed != 0.0 ? 1.0 - exp(-dt / SLIP_TIME) : 1.0);
    double goal = ty_regression_speed(c->slip, rim);
    /* (6) bounds how fast a wheel gains speed; losing it is up to friction */
    double most = ty_k_ddt_acceleration(c->speed) * dt, from = goal * c->speed < 0.0 ? 0.0 : c->speed;
    if (fabs(goal) > fabs(from) + most) {
        goal = from + (goal < 0.0 ? -most : most);
    }
    c->speed = goal;
    return goal;
}

/* (4) with (10), then (9) and (11) */
static void regression_spring(const tyi_vehicle_ground *g, int i, tyi_vehicle_contact *c, const frame *f, double rim,
                              double dt, double *k, double *damping)
{
    const ty_regression_params *p = &g->soil.regression;
    double way = rim < 0.0 ? -1.0 : 1.0, least = 0.05 * p->fref;
    /* at a crawl the slip ratio of a wheel that settles means nothing: it is faded in */
    double s =
        fabs(ty_k_slip_ratio(way * rim, fmax(way * f->v_x, 0.0))) * fmin(fmax(fabs(rim), fabs(f->v_x)) / CRAWL, 1.0);
    c->load = c->load > 0.0 ? c->load + (c->fz - c->load) * (1.0 - exp(-dt / LOAD_TIME)) : p->fref; /* touches down */
    double z = fmax(ty_regression_sinkage(p, fmin(s, 1.0), c->load), -0.8 * g->shape[i].r);
    c->depth = ty_k_ddt_latch(z, c->depth, f->v_x, LATCH_SPEED);
    *k = ty_k_ddt_stiffness(c->load, c->depth, g->shape[i].grouser_h, 1.0, least, DEPTH_LEAST);
    *damping = ty_k_ddt_damping(*k, fmax(c->load, least) / fmax(g->gravity, 1e-3));
}

static void step_regression(tyi_vehicle_ground *g, int i, const tyi_vehicle_wheel_in *in, const frame *f, double rim,
                            double dt, tyi_vehicle_wheel_out *out)
{
    const ty_rigid_params *p = &g->soil.rigid;
    tyi_vehicle_contact *c = &g->contact[i];
    double r = g->radius[i], lift = r - g->shape[i].r, share = 1.0 / g->soil.slices, tilt = 0.0, k, damping, mean = 0.0;
    double slow = regression_rim(g, c, f, rim, dt);
    regression_spring(g, i, c, f, rim, dt, &k, &damping);
    for (int n = 0; n < g->soil.slices; n++) {
        mean += share * f->h[n];
    }
    /* fresh ground under a wheel that rolls has not been pressed yet */
    c->peak = fmax(c->peak - (c->peak - (mean + lift)) * (1.0 - exp(-UNLOAD * fabs(f->v_x) * dt / r)), mean + lift);
    double relieved = (UNLOAD - 1.0) * (c->peak - (mean + lift));
    for (int n = 0; n < g->soil.slices; n++) {
        double fz = share * ty_k_kelvin_voigt(k, 1.0, damping, f->h[n] + lift - relieved, f->h_rate);
        out->fz += fz;
        tilt += fz * f->y[n];
    }
    if (out->fz > 0.0) {
        ty_k_stick(p->k_tangent, p->c_tangent, p->mu * out->fz, f->v_x - slow, f->v_y, fabs(slow) / r, dt, &c->ux,
                   &c->uy, &out->fx, &out->fy);
    } else {
        c->ux = c->uy = c->load = c->depth = 0.0;
        c->peak = fmin(c->peak, fmax(mean + lift, 0.0)); /* left the ground: nothing under it is pressed */
    }
    out->sinkage = mean;
    out->resistance = out->fx * r;
    out->theta1 = acos(ty_k_clamp(1.0 - mean / g->shape[i].r, -1.0, 1.0));
    c->theta1 = out->theta1;
    to_world(f, in, out->fy * r, 0.0, tilt, out);
}

/* slip ratio (2.13) in the direction of rolling, and slip angle; both 0 at rest, where they have no
 * meaning. A wheel that slides back while it drives on has slipped altogether, however fast it slides. */
static void motion_facts(const frame *f, double rim, tyi_vehicle_wheel_out *out)
{
    double most = fmax(fabs(rim), fabs(f->v_x));
    if (most > 1e-4) {
        bool against = most > 0.01 && rim * f->v_x < 0.0; /* slower it is the jitter of a wheel at rest */
        double way = (against || fabs(rim) > fabs(f->v_x) ? rim : f->v_x) < 0.0 ? -1.0 : 1.0;
        out->slip = ty_k_clamp(ty_k_slip_ratio(way * rim, way * f->v_x), -1.0, 1.0);
        out->slip_angle = atan2(f->v_y, fabs(f->v_x));
    }
}

ty_status tyi_vehicle_ground_step(tyi_vehicle_ground *g, const tyi_vehicle_wheel_in *in, double dt,
                                  tyi_vehicle_wheel_out *out, ty_diag *diag)
{
    double x[TY_WHEELS_MAX * POINTS], y[TY_WHEELS_MAX * POINTS];
    ty_terrain_ground ground[TY_WHEELS_MAX * POINTS];
    int each = 3 + g->soil.slices;
    if (g->soil.model == TY_SOIL_NONE) {
        memset(out, 0, (size_t)g->wheels * sizeof *out);
        return TY_OK;
    }
    frame frames[TY_WHEELS_MAX];
    ty_status status = TY_OK;
    for (int i = 0; i < g->wheels; i++) {
        place_points(g, i, &in[i], x + i * each, y + i * each);
    }
    tyi_vehicle_ground_heights(g, (size_t)(g->wheels * each), x, y, ground);
    for (int i = 0; i < g->wheels; i++) {
        frames[i] = find_plane(g, i, &in[i], x + i * each, y + i * each, ground + i * each);
        out[i] = (tyi_vehicle_wheel_out){ .x = frames[i].x, .n = frames[i].n };
    }
    if (g->soil.model == TY_SOIL_SCM) {
        status = tyi_vehicle_grid_step(g, in, dt, out, diag);
    }
    for (int i = 0; i < g->wheels; i++) {
        frame f = frames[i];
        double rim = g->radius[i] * in[i].omega;
        switch (g->soil.model) {
        case TY_SOIL_BEKKER:
            step_bekker(g, i, &in[i], &f, dt, &out[i]);
            break;
        case TY_SOIL_REGRESSION:
            step_regression(g, i, &in[i], &f, rim, dt, &out[i]);
            break;
        case TY_SOIL_RIGID:
            step_hard(g, i, &in[i], &f, rim, dt, &out[i]);
            break;
        case TY_SOIL_SCM: /* all wheels together, above */
        case TY_SOIL_NONE:
        case TY_SOIL_MODEL_COUNT:
            break;
        }
        g->contact[i].normal = f.n;
        g->contact[i].fz = out[i].fz;
        out[i].contact = out[i].fz > 0.0;
        out[i].sinkage = fmax(out[i].sinkage, 0.0);
        if (out[i].contact) {
            motion_facts(&f, rim, &out[i]);
        }
    }
    tyi_vehicle_ground_rocks(g, in, dt, out);
    return status;
}
