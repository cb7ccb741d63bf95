/* src/vehicle/contact_scm.c - wheels on the grid of soil columns (src/soil), and the grid's levels into the terrain.
 *
 * The grid has its own spacing. Its columns start at the ground's natural height and keep what wheels
 * did to them; the terrain is told every change of level, spread over its own samples by a hat as wide as
 * the coarser of both spacings, so that changes add up to the interpolated level and keep their volume.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "contact.h"
#include "core/core.h"
#include "world/terrain/patch.h"

#define LUG_SHARE 0.2 /* thickness of a lug over its height: viper's plates of 5 mm by 25 mm */
#define WAY       0.5 /* [m] a rover may drive between two calls of ty_vehicle_press_ruts() */
#define FORGET    1.0 /* [m] of way after which columns that lie as far behind are given up */
#define TILE      32  /* columns along a side of the grid's tiles */

static void natural_height(void *user, int64_t i0, int64_t j0, int nx, int ny, double *out)
{
    const tyi_vehicle_ground *g = user;
    double x[TILE], y[TILE], d = g->soil.grid.spacing;
    ty_terrain_ground at[TILE];
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx;) {
            int n = nx - i < TILE ? nx - i : TILE;
            for (int k = 0; k < n; k++) {
                x[k] = (double)(i0 + i + k) * d;
                y[k] = (double)(j0 + j) * d;
            }
            tyi_terrain_patch_sample_natural(g->patch, (size_t)n, x, y, at);
            for (int k = 0; k < n; k++, i++) {
                out[j * nx + i] = at[k].z;
            }
        }
    }
}

/* What earlier passes, this rover's or others', have done to the ground: the terrain's edits at the grid's nodes. */
static void earlier_change(void *user, int64_t i0, int64_t j0, int nx, int ny, float *out)
{
    const tyi_vehicle_ground *g = user;
    double cell = g->soil.grid.spacing, d = g->spacing;
    enum { ROOM = TYI_VEHICLE_RUT_SIDE * TYI_VEHICLE_RUT_SIDE / 2 };
    int32_t a0 = (int32_t)floor((double)i0 * cell / d);
    int wide = (int)((int32_t)floor((double)(i0 + nx - 1) * cell / d) - a0) + 2;
    memset(out, 0, (size_t)nx * (size_t)ny * sizeof *out);
    for (int j = 0; j < ny && wide <= ROOM; j++) {
        double v = (double)(j0 + j) * cell / d;
        int32_t b = (int32_t)floor(v);
        v -= b;
        ty_terrain_edits(g->terrain, g->level, a0, b, wide, 2, g->rut_change, NULL);
        for (int i = 0; i < nx; i++) {
            double u = (double)(i0 + i) * cell / d;
            int32_t a = (int32_t)floor(u);
            const float *low = g->rut_change + (a - a0), *high = low + wide;
            u -= a;
            out[j * nx + i] = (float)((1.0 - v) * ((1.0 - u) * (double)low[0] + u * (double)low[1]) +
                                      v * ((1.0 - u) * (double)high[0] + u * (double)high[1]));
        }
    }
}

/* wheels of the same shape share its table */
static ty_status add_shapes(tyi_vehicle_ground *g, ty_diag *diag)
{
    for (int i = 0; i < g->wheels; i++) {
        ty_wheel_shape shape = g->shape[i];
        if (!g->soil.grid.lugs) {
            shape = (ty_wheel_shape){ g->radius[i], shape.b, 0.0, 0 };
        }
        int same = 0;
        while (same < i &&
               (g->shape[same].r != g->shape[i].r || g->shape[same].b != g->shape[i].b ||
                g->shape[same].grouser_h != g->shape[i].grouser_h || g->shape[same].grousers != g->shape[i].grousers)) {
            same++;
        }
        if (same < i) {
            g->scm_shape[i] = g->scm_shape[same];
            continue;
        }
        ty_status status = ty_scm_add_wheel(g->scm, &shape, LUG_SHARE * shape.grouser_h, &g->scm_shape[i], diag);
        if (status != TY_OK) {
            return status;
        }
    }
    return TY_OK;
}

ty_status tyi_vehicle_grid_init(tyi_vehicle_ground *g, ty_diag *diag)
{
    const ty_scm_params *p = &g->soil.grid;
    for (int i = 0; i < g->wheels; i++) {
        if (!(p->spacing <= 0.5 * g->shape[i].r)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "vehicle: soil.grid.spacing is %g m, but takes at most half the radius of a wheel, %g m",
                           p->spacing, 0.5 * g->shape[i].r);
        }
    }
    ty_scm_soil soil = ty_scm_soil_default();
    ty_scm_def def = ty_scm_def_default();
    soil.soil = g->soil.bekker;
    soil.soil.g = fmax(g->gravity, 1e-3);
    soil.elastic = p->elastic;
    soil.berm = p->berm;
    soil.repose = fmin(fmax(g->soil.bekker.phi, 0.02), 1.5);
    def.cell = p->spacing;
    def.soil = &soil;
    def.soils = 1;
    def.height = natural_height;
    def.change = g->soil.ruts && g->level == ty_terrain_get_def(g->terrain)->edit_level ? earlier_change : NULL;
    def.user = g;
    def.bodies = g->wheels;
    def.reserve = 0;
    def.threads = p->threads;
    def.berms = p->berms;
    def.alloc = g->alloc;
    ty_status status = ty_scm_create(&def, &g->scm, diag);
    if (status == TY_OK) {
        status = add_shapes(g, diag);
    }
    /* what every wheel can newly reach on its way, with a rim for soil that flows */
    for (int i = 0; i < g->wheels; i++) {
        double side = 2.0 * hypot(g->radius[i], 0.5 * g->shape[i].b) + g->radius[i];
        int across = (int)ceil(side / (TILE * p->spacing)) + 2, along = (int)ceil(WAY / (TILE * p->spacing)) + across;
        g->scm_tiles += across * along;
    }
    return status == TY_OK ? tyi_vehicle_grid_room(g, diag) : status;
}

ty_status tyi_vehicle_grid_room(tyi_vehicle_ground *g, ty_diag *diag)
{
    return ty_scm_reserve(g->scm, g->scm_tiles, diag);
}

ty_status tyi_vehicle_grid_step(tyi_vehicle_ground *g, const tyi_vehicle_wheel_in *in, double dt,
                                tyi_vehicle_wheel_out *out, ty_diag *diag)
{
    ty_scm_body body[TY_WHEELS_MAX];
    ty_scm_load load[TY_WHEELS_MAX];
    for (int i = 0; i < g->wheels; i++) {
        body[i] = (ty_scm_body){ g->scm_shape[i],
                                 { in[i].centre, in[i].q },
                                 in[i].v,
                                 in[i].w,
                                 tyi_vehicle_ground_calm(g, i, fmax(g->soil.bekker.unload, 1.0), dt) };
    }
    ty_status status = ty_scm_step(g->scm, dt, body, g->wheels, load, diag);
    if (status != TY_OK) {
        return status;
    }
    for (int i = 0; i < g->wheels; i++) {
        tyi_vehicle_wheel_out *o = &out[i];
        double r = g->radius[i];
        o->force = load[i].force;
        o->torque = load[i].torque;
        o->fx = ty_dot(o->force, o->x);
        o->fy = ty_dot(o->force, ty_cross(o->n, o->x));
        o->fz = ty_dot(o->force, o->n);
        o->resistance = -ty_dot(o->torque, in[i].axle);
        o->sinkage = load[i].sinkage;
        o->theta1 = acos(fmax(1.0 - fmax(o->sinkage, 0.0) / r, -1.0));
        g->contact[i].theta1 = o->theta1;
    }
    return TY_OK;
}

/* ---- levels into the terrain */

typedef struct telling {
    tyi_vehicle_ground *g;
    ty_status status;
    ty_diag *diag;
} telling;

/* share of a change at the grid's node `x` that a sample at `at` takes, both [m], along one axis */
static double hat(double at, double x, double cell, double wide)
{
    return fmax(1.0 - fabs(at - x) / wide, 0.0) * cell / wide;
}

/* The samples that the nodes i0 .. i0 + n - 1 reach. */
static void reach(int64_t i0, int n, double cell, double spacing, double wide, int32_t *first, int *count)
{
    double low = ((double)i0 * cell - wide) / spacing, high = ((double)(i0 + n - 1) * cell + wide) / spacing;
    *first = (int32_t)floor(low) + 1;
    *count = (int)((int32_t)ceil(high) - *first);
}

static void spread(const telling *t, int64_t i0, int64_t j0, int nx, int ny, const float *change, const ty_edit *to,
                   float *out)
{
    double cell = t->g->soil.grid.spacing, d = t->g->spacing, wide = fmax(cell, d);
    memset(out, 0, (size_t)to->nx * (size_t)to->ny * sizeof *out);
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            double x = (double)(i0 + i) * cell, y = (double)(j0 + j) * cell, dz = (double)change[j * nx + i];
            int32_t a, b;
            int na, nb;
            if (dz == 0.0) {
                continue;
            }
            reach(i0 + i, 1, cell, d, wide, &a, &na);
            reach(j0 + j, 1, cell, d, wide, &b, &nb);
            for (int n = 0; n < nb; n++) {
                double row = dz * hat((double)(b + n) * d, y, cell, wide);
                for (int m = 0; m < na; m++) {
                    out[(size_t)(b + n - to->j0) * (size_t)to->nx + (size_t)(a + m - to->i0)] +=
                        (float)(row * hat((double)(a + m) * d, x, cell, wide));
                }
            }
        }
    }
}

static void tell(void *user, int64_t i0, int64_t j0, int nx, int ny, const float *change)
{
    telling *t = user;
    tyi_vehicle_ground *g = t->g;
    double cell = g->soil.grid.spacing, wide = fmax(cell, g->spacing);
    ty_edit edit = { .change = g->rut_change, .trace = g->rut_trace };
    int mx, my;
    reach(i0, nx, cell, g->spacing, wide, &edit.i0, &mx);
    reach(j0, ny, cell, g->spacing, wide, &edit.j0, &my);
    edit.nx = mx, edit.ny = my;
    if (t->status != TY_OK || mx < 1 || my < 1 || mx > TYI_VEHICLE_RUT_SIDE || my > TYI_VEHICLE_RUT_SIDE) {
        return; /* the grid is coarser than any terrain's samples allow for */
    }
    /* what was pressed down is marked */
    ty_terrain_edits(g->terrain, g->level, edit.i0, edit.j0, mx, my, g->rut_change, g->rut_trace);
    for (int k = 0; k < mx * my; k++) {
        g->rut_trace[k] = !g->rut_trace[k] && g->rut_change[k] < -1e-3f ? 128 : g->rut_trace[k];
    }
    spread(t, i0, j0, nx, ny, change, &edit, g->rut_change);
    t->status = ty_terrain_edit(g->terrain, &edit, t->diag);
}

ty_status tyi_vehicle_grid_ruts(tyi_vehicle_ground *g, double x, double y, ty_diag *diag)
{
    telling t = { g, TY_OK, diag };
    ty_scm_edits(g->scm, tell, &t);
    /* columns left behind live on in the terrain alone: memory does not grow with the way but for the terrain's edits
     * */
    double way = hypot(x - g->scm_x, y - g->scm_y);
    if (!(way < FORGET)) {
        ty_scm_forget(g->scm, x, y, g->reach + FORGET);
        g->scm_x = x, g->scm_y = y;
    }
    return t.status;
}
