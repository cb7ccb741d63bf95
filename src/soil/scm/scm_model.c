/* src/soil/scm/scm_model.c - wheels on the grid of soil columns, as a model of a run, and the grid's levels into the terrain.
 *
 * Each carrier has a grid of its own around it, whose columns start at the ground's natural height with what was done to it, how far it was
 * pressed and the slots of lugs told apart, and keep what wheels do. It reads the ground's journal: what others change begins anew. The terrain is told every change of level, spread over its own samples by a hat as wide as the
 * coarser of both spacings, so that changes add up to the interpolated level and keep their volume. So rovers share one ground through
 * the journal, and one that is far from all others has the bits it has alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "scm.h"
#include "world.h"
#include "world/terrain/terrain.h"
#include "inner.h"
#include "scm_grid.h"

#define WAY    0.5 /* [m] a rover may drive between two calls of press() */
#define FORGET 1.0 /* [m] of way after which columns that lie as far behind are given up */
#define TILE   32  /* columns along a side of the grid's tiles */

typedef struct grid { /* under one carrier */
    struct columns *all;
    ty_soil_carrier carrier;
    tyi_soil_scm *scm;
    int *shape; /* of each body */
    tyi_soil_scm_body *body;
    tyi_soil_scm_load *load;
    int tiles;                 /* columns' tiles kept ready for the way until the next press() */
    double x, y;               /* [m] where columns were last given up; saved with the run */
    tyi_terrain_cursor cursor; /* what others do to the ground */
} grid;

typedef struct columns {
    const ty_soil_site *site;
    const ty_soil_def *def;
    grid **grid;
    int grids;
    float *change, *pressed; /* TYI_SOIL_RUT_SIDE squared each */
    uint8_t *trace;
} columns;

static void natural_height(void *user, int64_t i0, int64_t j0, int nx, int ny, double *out)
{
    const grid *g = user;
    const ty_soil_site *site = g->all->site;
    double x[TILE], y[TILE], d = g->all->def->grid.spacing;
    ty_terrain_ground at[TILE];
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx;) {
            int n = nx - i < TILE ? nx - i : TILE;
            for (int k = 0; k < n; k++) {
                x[k] = (double)(i0 + i + k) * d;
                y[k] = (double)(j0 + j) * d;
            }
            site->natural(site, g->carrier.number, (size_t)n, x, y, at);
            for (int k = 0; k < n; k++, i++) {
                out[j * nx + i] = at[k].z;
            }
        }
    }
}

/* What earlier passes, this rover's or others', have done to the ground, at the grid's nodes: two rows of the terrain's samples at a time, and
 * between four samples of them. */
typedef struct earlier {
    int32_t a0; /* first sample of a row */
    int wide;   /* samples of a row; 0: too many */
    double cell, d;
} earlier;

static earlier earlier_at(const grid *g, int64_t i0, int nx)
{
    enum { ROOM = TYI_SOIL_RUT_SIDE * TYI_SOIL_RUT_SIDE / 2 };
    earlier e = { .cell = g->all->def->grid.spacing, .d = g->all->site->spacing };
    e.a0 = (int32_t)floor((double)i0 * e.cell / e.d);
    e.wide = (int)((int32_t)floor((double)(i0 + nx - 1) * e.cell / e.d) - e.a0) + 2;
    e.wide = e.wide <= ROOM ? e.wide : 0;
    return e;
}

static float between(const earlier *e, const float *rows, int64_t i, double v)
{
    double u = (double)i * e->cell / e->d;
    int32_t a = (int32_t)floor(u);
    const float *low = rows + (a - e->a0), *high = low + e->wide;
    u -= a;
    return (float)((1.0 - v) * ((1.0 - u) * (double)low[0] + u * (double)low[1]) +
                   v * ((1.0 - u) * (double)high[0] + u * (double)high[1]));
}

static void earlier_change(void *user, int64_t i0, int64_t j0, int nx, int ny, float *out)
{
    const grid *g = user;
    const ty_soil_site *site = g->all->site;
    earlier e = earlier_at(g, i0, nx);
    memset(out, 0, (size_t)nx * (size_t)ny * sizeof *out);
    for (int j = 0; j < ny && e.wide; j++) {
        double v = (double)(j0 + j) * e.cell / e.d;
        int32_t b = (int32_t)floor(v);
        ty_terrain_edits(site->terrain, site->level, e.a0, b, e.wide, 2, g->all->change, NULL);
        for (int i = 0; i < nx; i++) {
            out[j * nx + i] = between(&e, g->all->change, i0 + i, v - b);
        }
    }
}

/* how far it was pressed, and the lugs' slots, which are the trace's pattern */
static void earlier_pressed(void *user, int64_t i0, int64_t j0, int nx, int ny, float *pressed, float *print)
{
    const grid *g = user;
    const columns *c = g->all;
    earlier e = earlier_at(g, i0, nx);
    memset(pressed, 0, (size_t)nx * (size_t)ny * sizeof *pressed);
    memset(print, 0, (size_t)nx * (size_t)ny * sizeof *print);
    for (int j = 0; j < ny && e.wide; j++) {
        double v = (double)(j0 + j) * e.cell / e.d;
        int32_t b = (int32_t)floor(v);
        tyi_terrain_edit_view view = { .pressed = c->pressed, .trace = c->trace };
        tyi_terrain_edits_view(&c->site->terrain->edits, e.a0, b, e.wide, 2, view);
        for (int k = 0; k < 2 * e.wide; k++) {
            c->change[k] = -tyi_soil_rut_height(c->trace[k]);
        }
        for (int i = 0; i < nx; i++) {
            pressed[j * nx + i] = between(&e, c->pressed, i0 + i, v - b);
            print[j * nx + i] = fmaxf(between(&e, c->change, i0 + i, v - b), 0.0f);
        }
    }
}

static bool same_shape(const ty_wheel_shape *a, const ty_wheel_shape *b)
{
    return a->r == b->r && a->b == b->b && a->grouser_h == b->grouser_h && a->grousers == b->grousers;
}

/* to the tips of the lugs, or where they shear the soil */
static double radius_of(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    return def->grid.lugs ? tyi_soil_wheel_shear_radius(&def->bekker, shape)
                          : shape->r + (shape->grousers ? shape->grouser_h : 0.0);
}

/* columns under cylinders carry the tips of the lugs, otherwise the rim */
static double stand_of(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    return def->grid.lugs ? shape->r : radius_of(def, shape);
}

/* wheels of the same shape share its table */
static ty_status add_shapes(grid *g, ty_diag *diag)
{
    const ty_soil_body_def *body = g->carrier.body;
    for (int i = 0; i < g->carrier.count; i++) {
        ty_wheel_shape shape = body[i].wheel;
        if (!g->all->def->grid.lugs) {
            shape = (ty_wheel_shape){ radius_of(g->all->def, &shape), shape.b, 0.0, 0 };
        }
        int same = 0;
        while (same < i && !same_shape(&body[same].wheel, &body[i].wheel)) {
            same++;
        }
        if (same < i) {
            g->shape[i] = g->shape[same];
            continue;
        }
        ty_status status =
            tyi_soil_scm_add_wheel(g->scm, &shape, g->all->def->grid.plate * shape.grouser_h, &g->shape[i], diag);
        if (status != TY_OK) {
            return status;
        }
    }
    return TY_OK;
}

static ty_status make_grid(grid *g, ty_diag *diag)
{
    const ty_soil_def *own = g->all->def;
    const ty_soil_site *site = g->all->site;
    const ty_scm_params *p = &own->grid;
    for (int i = 0; i < g->carrier.count; i++) {
        double r = g->carrier.body[i].wheel.r;
        if (!(p->spacing <= 0.5 * r)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "soil: grid.spacing is %g m, but takes at most half the radius of a wheel, %g m", p->spacing,
                           0.5 * r);
        }
    }
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def def = tyi_soil_scm_def_default();
    soil.soil = own->bekker;
    soil.soil.g = fmax(site->gravity, 1e-3);
    soil.elastic = p->elastic;
    soil.berm = p->berm;
    soil.repose = fmin(fmax(own->bekker.phi, 0.02), 1.5);
    def.cell = p->spacing;
    def.soil = &soil;
    def.soils = 1;
    def.height = site->terrain ? natural_height : NULL;
    def.change = site->ruts && own->ruts ? earlier_change : NULL;
    def.pressed = site->ruts && own->ruts ? earlier_pressed : NULL;
    def.user = g;
    def.bodies = g->carrier.count;
    def.reserve = 0;
    def.threads = p->threads;
    def.berms = p->berms;
    def.alloc = site->alloc;
    ty_status status = tyi_soil_scm_create(&def, &g->scm, diag);
    if (status == TY_OK) {
        status = add_shapes(g, diag);
    }
    /* what every wheel can newly reach on its way, with a rim for soil that flows */
    for (int i = 0; i < g->carrier.count; i++) {
        double radius = radius_of(own, &g->carrier.body[i].wheel);
        double side = 2.0 * hypot(radius, 0.5 * g->carrier.body[i].wheel.b) + radius;
        int across = (int)ceil(side / (TILE * p->spacing)) + 2, along = (int)ceil(WAY / (TILE * p->spacing)) + across;
        g->tiles += across * along;
    }
    return status == TY_OK ? tyi_soil_scm_reserve(g->scm, g->tiles, diag) : status;
}

/* ---- the verbs ---- */

static ty_status create(const ty_soil_site *site, const ty_soil_def *def, void **state, ty_diag *diag)
{
    columns *c = tyi_get(site->alloc, sizeof *c);
    if (!c) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory");
    }
    size_t samples = (size_t)TYI_SOIL_RUT_SIDE * TYI_SOIL_RUT_SIDE;
    *c = (columns){ .site = site, .def = def };
    *state = c;
    c->change = tyi_get(site->alloc, samples * sizeof *c->change);
    c->pressed = tyi_get(site->alloc, samples * sizeof *c->pressed);
    c->trace = tyi_get(site->alloc, samples * sizeof *c->trace);
    return c->change && c->pressed && c->trace ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for ruts");
}

static void free_grid(const ty_alloc *alloc, grid *g)
{
    size_t n = (size_t)g->carrier.count;
    tyi_terrain_cursor_close(&g->cursor);
    tyi_soil_scm_destroy(g->scm);
    tyi_put(alloc, g->shape, n * sizeof *g->shape);
    tyi_put(alloc, g->body, n * sizeof *g->body);
    tyi_put(alloc, g->load, n * sizeof *g->load);
    tyi_put(alloc, g, sizeof *g);
}

static void destroy(void *state)
{
    columns *c = state;
    const ty_alloc *alloc = c->site->alloc;
    size_t samples = (size_t)TYI_SOIL_RUT_SIDE * TYI_SOIL_RUT_SIDE;
    for (int k = 0; k < c->grids; k++) {
        free_grid(alloc, c->grid[k]);
    }
    tyi_put(alloc, c->grid, (size_t)c->grids * sizeof *c->grid);
    tyi_put(alloc, c->change, samples * sizeof *c->change);
    tyi_put(alloc, c->pressed, samples * sizeof *c->pressed);
    tyi_put(alloc, c->trace, samples * sizeof *c->trace);
    tyi_put(alloc, c, sizeof *c);
}

static ty_status join(void *state, const ty_soil_carrier *carrier, ty_diag *diag)
{
    columns *c = state;
    const ty_alloc *alloc = c->site->alloc;
    size_t n = (size_t)carrier->count;
    grid **more = tyi_get(alloc, (size_t)(c->grids + 1) * sizeof *more), *g = more ? tyi_get(alloc, sizeof *g) : NULL;
    if (!g) {
        tyi_put(alloc, more, more ? (size_t)(c->grids + 1) * sizeof *more : 0);
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for a grid");
    }
    for (int k = 0; k < c->grids; k++) {
        more[k] = c->grid[k];
    }
    tyi_put(alloc, c->grid, (size_t)c->grids * sizeof *c->grid);
    c->grid = more;
    more[c->grids++] = g;
    *g = (grid){ .all = c, .carrier = *carrier };
    g->shape = tyi_get(alloc, n * sizeof *g->shape);
    g->body = tyi_get(alloc, n * sizeof *g->body);
    g->load = tyi_get(alloc, n * sizeof *g->load);
    if (!g->shape || !g->body || !g->load) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for %d wheels on columns", carrier->count);
    }
    if (c->site->terrain && c->site->ruts) {
        tyi_terrain_cursor_open(&c->site->terrain->edits.journal, &g->cursor);
    }
    return make_grid(g, diag);
}

static void take_load(const ty_soil_at *at, const tyi_soil_scm_load *load)
{
    ty_soil_load *o = at->load;
    o->force = load->force;
    o->torque = load->torque;
    o->fx = ty_dot(o->force, o->x);
    o->fy = ty_dot(o->force, ty_cross(o->n, o->x));
    o->fz = ty_dot(o->force, o->n);
    o->resistance = -ty_dot(o->torque, at->state->axle);
    o->sinkage = load->sinkage;
    o->rut = fmax(load->sinkage - load->below, 0.0);
    o->theta1 = acos(fmax(1.0 - fmax(o->sinkage, 0.0) / at->plane->radius, -1.0));
    *at->theta1 = o->theta1;
}

#define ABOVE 1e3 /* [m] over the ground: where a body does not meet it */

/* bodies of one carrier; those of it that stand on another soil are held over the grid, so that all keep their numbers */
static ty_status step_grid(grid *g, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    int n = g->carrier.count;
    for (int i = 0; i < n && count < n; i++) {
        g->body[i].shape = g->shape[i];
        g->body[i].pose = (ty_pose){ at[0].state->centre, at[0].state->q };
        g->body[i].pose.p.z += ABOVE;
        g->body[i].v = g->body[i].w = ty_vec3_make(0.0, 0.0, 0.0);
    }
    for (int k = 0; k < count; k++) {
        const ty_soil_body *in = at[k].state;
        int i = at[k].body - g->carrier.first;
        g->body[i] = (tyi_soil_scm_body){ g->shape[i],
                                          { in->centre, in->q },
                                          in->v,
                                          in->w,
                                          tyi_soil_calm(&def->bekker, at[k].def, fmax(def->bekker.unload, 1.0), dt) };
    }
    ty_status status = tyi_soil_scm_step(g->scm, dt, g->body, n, g->load, diag);
    for (int k = 0; k < count && status == TY_OK; k++) {
        take_load(&at[k], &g->load[at[k].body - g->carrier.first]);
    }
    return status;
}

static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    columns *c = state;
    ty_status status = TY_OK;
    for (int i = 0, n; i < count && status == TY_OK; i += n) {
        for (n = 1; i + n < count && at[i + n].carrier == at[i].carrier; n++) {
        }
        status = step_grid(c->grid[at[i].carrier], def, at + i, n, dt, diag);
    }
    return status;
}

/* ---- levels into the terrain ---- */

typedef struct telling {
    const grid *g;
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
    double cell = t->g->all->def->grid.spacing, d = t->g->all->site->spacing, wide = fmax(cell, d);
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

/* Columns' pressed depth and slots [m] at a place, weighted by hats; false: there are none. */
static bool node_mean(const grid *g, double x, double y, double wide, double *pressed, double *print)
{
    double cell = g->all->def->grid.spacing, sum = 0.0;
    *pressed = *print = 0.0;
    for (int64_t j = (int64_t)ceil((y - wide) / cell); (double)j * cell <= y + wide; j++) {
        for (int64_t i = (int64_t)ceil((x - wide) / cell); (double)i * cell <= x + wide; i++) {
            const tyi_soil_column *node = tyi_soil_scm_column(g->scm, i, j);
            double w = hat(x, (double)i * cell, cell, wide) * hat(y, (double)j * cell, cell, wide);
            if (node && w > 0.0) {
                sum += w;
                *pressed += w * (double)node->cover * node->plastic;
                *print += w * (double)node->print;
            }
        }
    }
    *pressed = sum > 0.0 ? *pressed / sum : 0.0;
    *print = sum > 0.0 ? *print / sum : 0.0;
    return sum > 0.0;
}

static void tell(void *user, int64_t i0, int64_t j0, int nx, int ny, const float *change)
{
    telling *t = user;
    const columns *c = t->g->all;
    const ty_soil_site *site = c->site;
    double cell = c->def->grid.spacing, wide = fmax(cell, site->spacing);
    ty_edit edit = { .change = c->change, .trace = c->trace, .pressed = c->pressed };
    int mx, my;
    reach(i0, nx, cell, site->spacing, wide, &edit.i0, &mx);
    reach(j0, ny, cell, site->spacing, wide, &edit.j0, &my);
    edit.nx = mx, edit.ny = my;
    if (t->status != TY_OK || mx < 1 || my < 1 || mx > TYI_SOIL_RUT_SIDE || my > TYI_SOIL_RUT_SIDE) {
        return; /* the grid is coarser than any terrain's samples allow for */
    }
    /* what was pressed down is marked, with the slots of lugs as its pattern */
    tyi_terrain_edit_view view = { .pressed = c->pressed, .trace = c->trace };
    ty_terrain_edits(site->terrain, site->level, edit.i0, edit.j0, mx, my, c->change, NULL);
    tyi_terrain_edits_view(&site->terrain->edits, edit.i0, edit.j0, mx, my, view);
    for (int k = 0; k < mx * my; k++) {
        double pressed, print;
        bool known = node_mean(t->g, (double)(edit.i0 + k % mx) * site->spacing,
                               (double)(edit.j0 + k / mx) * site->spacing, wide, &pressed, &print);
        bool touched = known ? pressed > 1e-3 || print > 0.0 : c->change[k] < -1e-3f;
        c->pressed[k] = known ? (float)pressed : c->pressed[k];
        c->trace[k] = touched && known ? tyi_soil_trace_of(-print) : touched && !c->trace[k] ? 128 : c->trace[k];
    }
    spread(t, i0, j0, nx, ny, change, &edit, c->change);
    t->status = ty_terrain_edit(site->terrain, &edit, t->diag);
}

/* what others did since the last time: columns that they changed begin anew */
static void hear(grid *g)
{
    tyi_terrain_entry entry;
    double cell = g->all->def->grid.spacing, d = g->all->site->spacing;
    tyi_terrain_reading found;
    while (g->cursor.journal &&
           (found = tyi_terrain_cursor_read(&g->cursor, UINT64_MAX, &entry)) != TYI_TERRAIN_NOTHING) {
        const ty_edit *e = &entry.edit;
        if (found == TYI_TERRAIN_ENTRY && (e->change || e->pressed)) {
            tyi_soil_scm_renew(g->scm, (int64_t)floor((e->i0 - 1) * d / cell), (int64_t)floor((e->j0 - 1) * d / cell),
                               (int64_t)ceil((e->i0 + e->nx) * d / cell), (int64_t)ceil((e->j0 + e->ny) * d / cell));
        }
    }
}

static ty_status press(void *state, const ty_soil_carrier *carrier, bool wanted, double x, double y, ty_diag *diag)
{
    columns *c = state;
    grid *g = c->grid[carrier->number];
    ty_status status = tyi_soil_scm_reserve(g->scm, g->tiles, diag);
    hear(g);
    if (status != TY_OK || !wanted) {
        return status;
    }
    telling t = { g, TY_OK, diag };
    tyi_soil_scm_edits(g->scm, tell, &t);
    if (g->cursor.journal) {
        tyi_terrain_cursor_skip(&g->cursor); /* its own words */
    }
    /* columns left behind live on in the terrain alone: memory does not grow with the way but for the terrain's edits */
    double way = hypot(x - g->x, y - g->y);
    if (!(way < FORGET)) {
        tyi_soil_scm_forget(g->scm, x, y, carrier->reach + FORGET);
        g->x = x, g->y = y;
    }
    return t.status;
}

/* ---- saving: for each grid where columns were last given up, its size, and itself ---- */

static size_t save(const void *state, void *out)
{
    const columns *c = state;
    char *to = out;
    size_t bytes = 0;
    for (int k = 0; k < c->grids; k++) {
        const grid *g = c->grid[k];
        uint64_t size = tyi_soil_scm_save_size(g->scm);
        if (to) {
            double at[2] = { g->x, g->y };
            memcpy(to + bytes, at, sizeof at);
            memcpy(to + bytes + sizeof at, &size, sizeof size);
            tyi_soil_scm_save(g->scm, to + bytes + sizeof at + sizeof size);
        }
        bytes += 2 * sizeof(double) + sizeof size + (size_t)size;
    }
    return bytes;
}

static ty_status restore(void *state, const void *saved, size_t bytes, ty_diag *diag)
{
    columns *c = state;
    const char *from = saved;
    ty_status status = TY_OK;
    for (int k = 0; k < c->grids && status == TY_OK; k++) {
        double at[2];
        uint64_t size = 0;
        if (bytes < sizeof at + sizeof size) {
            return ty_fail(diag, TY_ERR_FORMAT, "soil: the saved columns end too early");
        }
        memcpy(at, from, sizeof at);
        memcpy(&size, from + sizeof at, sizeof size);
        from += sizeof at + sizeof size, bytes -= sizeof at + sizeof size;
        if (size > bytes) {
            return ty_fail(diag, TY_ERR_FORMAT, "soil: the saved columns end too early");
        }
        status = tyi_soil_scm_restore(c->grid[k]->scm, from, (size_t)size, diag);
        c->grid[k]->x = at[0], c->grid[k]->y = at[1];
        if (c->grid[k]->cursor.journal) {
            tyi_terrain_cursor_skip(&c->grid[k]->cursor); /* the columns know */
        }
        from += size, bytes -= (size_t)size;
    }
    return status == TY_OK && bytes ? ty_fail(diag, TY_ERR_FORMAT, "soil: more columns were saved than there are")
                                    : status;
}

const ty_soil_model tyi_soil_model_scm = { .name = "scm",
                                           .radius = radius_of,
                                           .stand = stand_of,
                                           .create = create,
                                           .join = join,
                                           .step = step,
                                           .press = press,
                                           .save = save,
                                           .restore = restore,
                                           .destroy = destroy };
