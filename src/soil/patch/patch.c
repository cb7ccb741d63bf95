/* src/soil/patch/patch.c - columns in and out of a patch, and its soil as the height field sees it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "patch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inner.h"
#include "device/device.h"
#include "k_earth_pressure.h"

#define AIR   1.0  /* [m] over the surface that soil may fly */
#define RISE  1.0  /* [m] that the ground may rise over a window */
#define LEAST 1e-8 /* [m] smaller changes of a sample wait */
#define SURFACE \
    2.5 /* [-] support below which soil is of the uppermost layers: a lattice has 2.06 in its first, 2.9 in its second */
#define SOFT 0.2 /* [s] in which the contact gets stiff where the patch is laid around a wheel */
#define HAT  64  /* samples that a hat reaches, at most */
#define SKIN \
    0.05 /* [-] of lists of neighbours: soil under a wheel moves slowly, and shorter lists save more than they cost */
#define LOOK 8 /* steps between looks whether soil has flown out */

/* ---- life ---- */

static void sizes(tyi_soil_patch *p)
{
    const ty_patch_params *q = &p->def->patch;
    double tips = p->wheel.r + (p->wheel.grousers ? p->wheel.grouser_h : 0.0);
    double side = q->side > 0.0 ? q->side
                  : p->tool     ? fmax(2.0 * tips, p->wheel.b) + 0.3
                                : 2.0 * tips + 1.0 * p->wheel.b;
    double depth = q->depth > 0.0 ? q->depth : p->tool ? 0.15 : fmax(0.15, p->wheel.b);
    p->d = q->spacing;
    p->side = (int)fmax(ceil(side / p->d), 8.0);
    p->layers = (int)fmax(ceil(depth / p->d - 1e-9), 4.0);
    p->jump = q->jump;
    int columns = tyi_soil_patch_columns(p);
    p->room = (size_t)columns * (size_t)columns * (size_t)(p->layers + TYI_SOIL_PATCH_RIM);
    p->room += (size_t)p->side * (size_t)p->side * (size_t)p->layers / 2; /* soil that is pushed together */
    p->room = p->tile ? p->room * 5 / 4 : p->room;                        /* grains are more than columns have layers */
    p->length[0] = p->length[1] = (columns + TYI_SOIL_PATCH_GAP) * p->d;
    p->length[2] = ceil(((p->layers + 2 * TYI_SOIL_PATCH_RIM) * p->d + RISE + AIR) / p->d) * p->d;
    double ds = p->site->spacing > 0.0 ? p->site->spacing : p->d;
    p->wide = p->d * ceil(fmax(2.0 * p->d, ds) / p->d - 1e-9); /* whole spacings: a lattice is flat wherever it lies */
    p->samples = (int)ceil((p->length[0] + 2.0 * TYI_SOIL_PATCH_GAP * p->d + 2.0 * p->wide) / ds) + 4;
    p->ledger = p->site->terrain && p->site->ruts && p->def->ruts;
}

static ty_status check(const tyi_soil_patch *p, const ty_soil_body_def *body, ty_diag *diag)
{
    const ty_patch_params *q = &p->def->patch;
    double h = p->wheel.grousers ? p->wheel.grouser_h : 0.0;
    if (p->tool && p->tool->kind == TY_TOOL_DRUM && q->spacing > 0.25 * p->tool->radius) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "soil: patch.spacing is %g m, but takes at most a quarter of a drum's radius, %g m", q->spacing,
                       0.25 * p->tool->radius);
    }
    if (h > 0.0 && q->spacing > 2.0 * h) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "soil: patch.spacing is %g m, but takes at most twice the height of a wheel's lugs, %g m",
                       q->spacing, 2.0 * h);
    }
    if (q->spacing > 0.4 * p->wheel.b) {
        return ty_fail(diag, TY_ERR_RANGE, "soil: patch.spacing is %g m, but takes at most 0.4 of a %s width, %g m",
                       q->spacing, p->tool ? "tool's" : "wheel's", 0.4 * p->wheel.b);
    }
    double pressure = body->weight / (p->wheel.b * p->wheel.r);
    if (q->e < 50.0 * pressure) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "soil: patch.e is %g Pa, but takes at least 50 times the mean pressure under a %s, %g Pa", q->e,
                       p->tool ? "tool" : "wheel", 50.0 * pressure);
    }
    return TY_OK;
}

static ty_vec3 gravity_of(const tyi_soil_patch *p)
{
    double g = p->site->gravity, slope = p->site->slope;
    return ty_vec3_make(-g * sin(slope), 0.0, -g * cos(slope));
}

static ty_status make_grains(tyi_soil_patch *p, ty_diag *diag)
{
    tyi_dem_def def = p->tile->grains;
    tyi_dem_facts facts;
    def.gravity = gravity_of(p);
    def.high = ty_vec3_make(p->length[0], p->length[1], p->length[2]);
    def.periodic[0] = def.periodic[1] = def.periodic[2] = true;
    def.grains = p->room;
    def.neighbours = 24;
    def.bodies = 1;
    def.threads = p->def->patch.threads;
    def.alloc = p->site->alloc;
    ty_status status = tyi_dem_def_facts(&def, &facts, diag);
    size_t cells = 1;
    for (int k = 0; k < 3 && status == TY_OK; k++) {
        p->cells[k] = (int)floor(p->length[k] / (2.0 * facts.largest));
        cells *= (size_t)p->cells[k];
    }
    p->first = status == TY_OK ? tyi_get(p->site->alloc, cells * sizeof *p->first) : NULL;
    p->after = status == TY_OK ? tyi_get(p->site->alloc, p->room * sizeof *p->after) : NULL;
    if (status == TY_OK && (!p->first || !p->after)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for a patch of %zu grains", p->room);
    }
    return status == TY_OK ? tyi_dem_create(&def, &p->soil.dem, diag) : status;
}

double tyi_soil_patch_mu(const ty_soil_def *def)
{
    const ty_soil_params *s = &def->bekker;
    double mu = tan(tyi_soil_shear_angle(s));
    return s->phi_triaxial ? mu + def->patch.lode * (ty_k_earth_plane_strain(s->phi) - mu) : mu;
}

static tyi_crm_def bed_of(const tyi_soil_patch *p, int threads)
{
    const ty_patch_params *q = &p->def->patch;
    const ty_soil_params *s = &p->def->bekker;
    tyi_crm_def def = tyi_crm_def_default();
    double mu = tyi_soil_patch_mu(p->def);
    def.soil = (ty_crm_soil){ .rho = s->rho,
                              .e = q->e,
                              .nu = q->nu,
                              .mu_s = mu,
                              .mu_2 = fmax(q->mu_2, mu),
                              .i0 = q->i0,
                              .d = q->grain,
                              .c = s->c,
                              .lode = q->lode };
    def.spacing = p->d;
    def.skin = SKIN;
    def.alpha = q->alpha;
    def.gravity = gravity_of(p);
    def.low = ty_vec3_make(0.0, 0.0, 0.0);
    def.high = ty_vec3_make(p->length[0], p->length[1], p->length[2]);
    def.periodic[0] = def.periodic[1] = def.periodic[2] = true;
    def.particles = p->room;
    def.bodies = 1;
    def.threads = threads;
    def.alloc = p->site->alloc;
    return def;
}

static size_t samples_of(const tyi_soil_patch *p)
{
    return (size_t)p->samples * (size_t)p->samples;
}

ty_status tyi_soil_patch_create(const ty_soil_site *site, const ty_soil_def *def, int carrier,
                                const ty_soil_body_def *body, const tyi_soil_tile *tile, tyi_soil_patch **out,
                                ty_diag *diag)
{
    tyi_soil_patch *p = tyi_get(site->alloc, sizeof *p);
    *out = p;
    if (!p) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for a patch");
    }
    *p = (tyi_soil_patch){
        .site = site, .def = def, .carrier = carrier, .wheel = body->wheel, .tool = body->tool, .tile = tile
    };
    sizes(p);
    ty_status status = check(p, body, diag);
    if (status == TY_OK && p->tool) {
        status = tyi_soil_tool_shape(p->tool, p->d, site->alloc, &p->shape, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    size_t columns = (size_t)tyi_soil_patch_columns(p) * (size_t)tyi_soil_patch_columns(p), samples = samples_of(p);
    p->fresh = tyi_get(site->alloc, p->room * sizeof *p->fresh);
    p->height = tyi_get(site->alloc, columns * sizeof *p->height);
    p->floor = tyi_get(site->alloc, columns * sizeof *p->floor);
    p->now = tyi_get(site->alloc, samples * sizeof *p->now);
    p->told = tyi_get(site->alloc, samples * sizeof *p->told);
    p->edit = tyi_get(site->alloc, samples * sizeof *p->edit);
    p->trace = tyi_get(site->alloc, samples * sizeof *p->trace);
    if (!p->fresh || !p->height || !p->floor || !p->now || !p->told || !p->edit || !p->trace) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for a patch of %zu particles", p->room);
    }
    if (tile) {
        return make_grains(p, diag);
    }
    tyi_crm_def bed = bed_of(p, def->patch.threads);
    status = tyi_crm_def_facts(&bed, &p->facts, diag);
    return status == TY_OK ? tyi_crm_create(&bed, &p->soil.crm, diag) : status;
}

void tyi_soil_patch_destroy(tyi_soil_patch *p)
{
    if (!p) {
        return;
    }
    const ty_alloc *alloc = p->site->alloc;
    size_t columns = (size_t)tyi_soil_patch_columns(p) * (size_t)tyi_soil_patch_columns(p), samples = samples_of(p);
    tyi_soil_particles_destroy(&p->soil);
    tyi_crm_lattice_free(&p->shape);
    tyi_put(alloc, p->first,
            p->first ? (size_t)p->cells[0] * (size_t)p->cells[1] * (size_t)p->cells[2] * sizeof *p->first : 0);
    tyi_put(alloc, p->after, p->after ? p->room * sizeof *p->after : 0);
    tyi_put(alloc, p->fresh, p->room * sizeof *p->fresh);
    tyi_put(alloc, p->height, columns * sizeof *p->height);
    tyi_put(alloc, p->floor, columns * sizeof *p->floor);
    tyi_put(alloc, p->now, samples * sizeof *p->now);
    tyi_put(alloc, p->told, samples * sizeof *p->told);
    tyi_put(alloc, p->edit, samples * sizeof *p->edit);
    tyi_put(alloc, p->trace, samples * sizeof *p->trace);
    tyi_put(alloc, p, sizeof *p);
}

/* ---- places ---- */

/* A particle of the torus where it is in W: the image nearest to the window's middle. */
ty_vec3 tyi_soil_patch_place(const tyi_soil_patch *p, ty_vec3 x)
{
    double cx = ((double)p->s.i0 + 0.5 * p->side) * p->d, cy = ((double)p->s.j0 + 0.5 * p->side) * p->d;
    x.x += p->length[0] * rint((cx - x.x) / p->length[0]);
    x.y += p->length[1] * rint((cy - x.y) / p->length[1]);
    x.z += p->length[2] * rint((p->s.z - x.z) / p->length[2]);
    return x;
}

static bool in_window(const tyi_soil_patch *p, ty_vec3 x, int rim)
{
    double i = x.x / p->d - (double)p->s.i0, j = x.y / p->d - (double)p->s.j0;
    return i >= -rim && j >= -rim && i < p->side + rim && j < p->side + rim;
}

double tyi_soil_patch_volume(const tyi_soil_patch *p, const ty_crm_particle *q)
{
    return p->tile ? 4.0 / 3.0 * TY_PI * q->r * q->r * q->r / p->tile->fraction : p->d * p->d * p->d;
}

/* in the tool, and not of the ground */
static bool held(const tyi_soil_patch *p, ty_vec3 x)
{
    return p->tool && tyi_soil_tool_holds(p->tool, ty_rotate(ty_quat_conj(p->body.pose.q), ty_sub(x, p->body.pose.p)));
}

/* heights [m] of the ground, edits included, at the columns of the window and its rim */
static void find_heights(const tyi_soil_patch *p)
{
    const ty_soil_site *site = p->site;
    int n = tyi_soil_patch_columns(p);
    double ds = site->spacing;
    enum { RUN = 64 };
    double x[RUN], y[RUN];
    ty_terrain_ground at[RUN];
    memset(p->height, 0, (size_t)n * (size_t)n * sizeof *p->height);
    for (int j = 0; j < n && site->terrain; j++) {
        double py = ((double)(p->s.j0 + j - TYI_SOIL_PATCH_RIM) + 0.5) * p->d;
        for (int i = 0; i < n;) {
            int count = n - i < RUN ? n - i : RUN;
            for (int k = 0; k < count; k++) {
                x[k] = ((double)(p->s.i0 + i + k - TYI_SOIL_PATCH_RIM) + 0.5) * p->d, y[k] = py;
            }
            site->natural(site, p->carrier, (size_t)count, x, y, at);
            for (int k = 0; k < count; k++, i++) {
                p->height[j * n + i] = at[k].z;
            }
        }
        double v = py / ds, row = floor(v);
        int32_t a0 = (int32_t)floor(((double)(p->s.i0 - TYI_SOIL_PATCH_RIM) + 0.5) * p->d / ds);
        int wide = (int)ceil(n * p->d / ds) + 2;
        if (!p->ledger || 2 * wide > (int)samples_of(p)) {
            continue;
        }
        ty_terrain_edits(site->terrain, site->level, a0, (int32_t)row, wide, 2, p->edit, NULL);
        v -= row;
        for (int i = 0; i < n; i++) {
            double u = ((double)(p->s.i0 + i - TYI_SOIL_PATCH_RIM) + 0.5) * p->d / ds;
            int32_t a = (int32_t)floor(u);
            const float *low = p->edit + (a - a0), *high = low + wide;
            u -= a;
            p->height[j * n + i] += (1.0 - v) * ((1.0 - u) * (double)low[0] + u * (double)low[1]) +
                                    v * ((1.0 - u) * (double)high[0] + u * (double)high[1]);
        }
    }
}

/* ---- the height field ---- */

/* Shares of a hat around x [m] at the n samples from the first that it reaches; they add up to 1. */
static int hat(double x, double wide, double ds, int64_t *first, double *share)
{
    double sum = 0.0, by = 1.0 / wide;
    *first = (int64_t)ceil((x - wide) / ds);
    int n = (int)((int64_t)floor((x + wide) / ds) - *first) + 1;
    n = n < HAT ? n : HAT;
    for (int i = 0; i < n; i++) {
        share[i] = fmax(1.0 - fabs((double)(*first + i) * ds - x) * by, 0.0);
        sum += share[i];
    }
    by = 1.0 / sum;
    for (int i = 0; i < n; i++) {
        share[i] *= by;
    }
    return n;
}

void tyi_soil_patch_spread(const tyi_soil_patch *p, double *samples, double x, double y, double volume)
{
    double ds = p->site->spacing, full = volume / (ds * ds), sx[HAT], sy[HAT];
    int64_t a, b;
    int nx = hat(x, p->wide, ds, &a, sx), ny = hat(y, p->wide, ds, &b, sy);
    for (int j = 0; j < ny; j++) {
        int64_t row = b + j - p->s.b0;
        for (int i = 0; i < nx && row >= 0 && row < p->samples; i++) {
            int64_t column = a + i - p->s.a0;
            if (column >= 0 && column < p->samples) {
                samples[row * p->samples + column] += full * sy[j] * sx[i];
            }
        }
    }
}

ty_status tyi_soil_patch_tell(tyi_soil_patch *p, bool all, ty_diag *diag)
{
    if (!p->ledger || !p->s.placed) {
        return TY_OK;
    }
    size_t n = samples_of(p);
    p->s.told = p->body.pose.p;
    ty_status status = tyi_soil_particles_fetch_seen(&p->soil, diag);
    if (status != TY_OK) {
        return status;
    }
    memset(p->now, 0, n * sizeof *p->now);
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil); i++) {
        ty_crm_particle q = tyi_soil_particles_at(&p->soil, i);
        ty_vec3 x = tyi_soil_patch_place(p, q.x);
        if (!q.wall && (all || !((tyi_soil_particles_flies(&p->soil, &q) || held(p, x)) && in_window(p, x, 0)))) {
            tyi_soil_patch_spread(p, p->now, x.x, x.y, tyi_soil_patch_volume(p, &q));
        }
    }
    /* the smallest rectangle that holds every change */
    int low[2] = { p->samples, p->samples }, high[2] = { -1, -1 };
    for (int j = 0; j < p->samples; j++) {
        for (int i = 0; i < p->samples; i++) {
            size_t k = (size_t)j * (size_t)p->samples + (size_t)i;
            double change = p->now[k] - p->told[k];
            if (fabs(change) > LEAST) {
                low[0] = i < low[0] ? i : low[0], high[0] = i > high[0] ? i : high[0];
                low[1] = j < low[1] ? j : low[1], high[1] = j > high[1] ? j : high[1];
            }
        }
    }
    if (high[0] < 0) {
        return TY_OK;
    }
    ty_edit edit = { .i0 = (int32_t)(p->s.a0 + low[0]),
                     .j0 = (int32_t)(p->s.b0 + low[1]),
                     .nx = high[0] - low[0] + 1,
                     .ny = high[1] - low[1] + 1,
                     .change = p->edit,
                     .trace = p->trace };
    /* what was pressed down or heaped up is marked */
    ty_terrain_edits(p->site->terrain, p->site->level, edit.i0, edit.j0, edit.nx, edit.ny, p->edit, p->trace);
    for (int j = 0; j < edit.ny; j++) {
        for (int i = 0; i < edit.nx; i++) {
            size_t k = (size_t)(j + low[1]) * (size_t)p->samples + (size_t)(i + low[0]), to = (size_t)(j * edit.nx + i);
            double change = p->now[k] - p->told[k];
            float given = fabs(change) > LEAST ? (float)change : 0.0f;
            p->trace[to] = !p->trace[to] && fabs((double)p->edit[to] + change) > 1e-3 ? 128 : p->trace[to];
            p->edit[to] = given;
            p->told[k] += (double)given;
        }
    }
    return ty_terrain_edit(p->site->terrain, &edit, diag);
}

/* the window of samples goes with the window of columns; what lies outside holds nothing any more */
static void move_samples(tyi_soil_patch *p)
{
    if (!p->ledger) {
        return;
    }
    double ds = p->site->spacing, margin = 0.5 * (p->samples * ds - p->side * p->d);
    int64_t a0 = (int64_t)floor(((double)p->s.i0 * p->d - margin) / ds),
            b0 = (int64_t)floor(((double)p->s.j0 * p->d - margin) / ds), da = a0 - p->s.a0, db = b0 - p->s.b0;
    memcpy(p->now, p->told, samples_of(p) * sizeof *p->now);
    memset(p->told, 0, samples_of(p) * sizeof *p->told);
    for (int64_t j = 0; j < p->samples; j++) {
        for (int64_t i = 0; i < p->samples; i++) {
            int64_t from_i = i + da, from_j = j + db;
            if (p->s.placed && from_i >= 0 && from_i < p->samples && from_j >= 0 && from_j < p->samples) {
                p->told[j * p->samples + i] = p->now[from_j * p->samples + from_i];
            }
        }
    }
    p->s.a0 = a0, p->s.b0 = b0;
}

/* ---- columns ---- */

typedef struct leaving {
    tyi_soil_patch *p;
    int64_t i0, j0; /* the next window */
    bool all;
} leaving;

/* walls, which are made anew, and soil outside this window or the next, which stays with the height field */
static bool leaves(void *user, const ty_crm_particle *q)
{
    const leaving *l = user;
    tyi_soil_patch *p = l->p;
    if (q->wall) {
        return true;
    }
    ty_vec3 x = tyi_soil_patch_place(p, q->x);
    double i = x.x / p->d - (double)l->i0, j = x.y / p->d - (double)l->j0;
    bool next = i >= 0.0 && j >= 0.0 && i < p->side && j < p->side;
    if (!l->all && next && in_window(p, x, 0)) {
        return false;
    }
    double volume = tyi_soil_patch_volume(p, q);
    if (p->ledger) {
        tyi_soil_patch_spread(p, p->told, x.x, x.y, -volume);
    }
    p->s.left += volume;
    return true;
}

static void window_at(const tyi_soil_patch *p, double x, double y, int64_t *i0, int64_t *j0)
{
    *i0 = (int64_t)floor(x / p->d - 0.5 * p->side + 0.5);
    *j0 = (int64_t)floor(y / p->d - 0.5 * p->side + 0.5);
}

/* soil near the end of the torus, which is not to meet the other end: the window and its rim but for a column, and two spacings of air */
static void set_fence(tyi_soil_patch *p)
{
    double rim = TYI_SOIL_PATCH_RIM - 1.0, up = 0.5 * p->length[2] - 2.0 * p->d;
    if (p->soil.crm) {
        tyi_crm_set_fence(p->soil.crm,
                          ty_vec3_make(((double)p->s.i0 - rim) * p->d, ((double)p->s.j0 - rim) * p->d, p->s.z - up),
                          ty_vec3_make(((double)p->s.i0 + p->side + rim) * p->d,
                                       ((double)p->s.j0 + p->side + rim) * p->d, p->s.z + up));
    }
}

static bool flown_out(const tyi_soil_patch *p)
{
    if (p->soil.crm) {
        return tyi_crm_outside(p->soil.crm);
    }
    bool out = false, known = tyi_soil_particles_fetch(&p->soil, NULL) == TY_OK;
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil) && known && !out; i++) {
        ty_crm_particle q = tyi_soil_particles_at(&p->soil, i);
        ty_vec3 at = tyi_soil_patch_place(p, q.x);
        out = !q.wall &&
              (!in_window(p, at, TYI_SOIL_PATCH_RIM - 1) || fabs(at.z - p->s.z) > 0.5 * p->length[2] - 2.0 * p->d);
    }
    return out;
}

bool tyi_soil_patch_due(const tyi_soil_patch *p, double x, double y)
{
    int64_t i0, j0;
    window_at(p, x, y, &i0, &j0);
    if (!p->s.placed || llabs(i0 - p->s.i0) >= p->jump || llabs(j0 - p->s.j0) >= p->jump) {
        return true;
    }
    return p->s.steps % LOOK == 0 && flown_out(p);
}

/* once there is soil in it, where that is asked for */
static ty_status to_device(tyi_soil_patch *p, ty_diag *diag)
{
    ty_device *device = p->site->device;
    tyi_soil_patch_group *g = p->group;
    if (!p->def->patch.device || !device || p->on_device || !tyi_soil_particles_count(&p->soil)) {
        return TY_OK;
    }
    ty_status status = tyi_device_lane(device, g ? g->lane : p->lane, diag);
    if (!g) {
        status = status == TY_OK ? tyi_soil_particles_to_device(&p->soil, device, diag) : status;
    } else {
        status =
            status == TY_OK && !g->pool ? tyi_crm_pool_create(p->soil.crm, g->members, device, &g->pool, diag) : status;
        status = status == TY_OK ? tyi_crm_to_pool(p->soil.crm, g->pool, diag) : status;
    }
    p->on_device = status == TY_OK;
    tyi_device_lane(device, 0, NULL);
    return status;
}

ty_status tyi_soil_patch_follow(tyi_soil_patch *p, double x, double y, ty_diag *diag)
{
    int64_t old_i = p->s.i0, old_j = p->s.j0;
    leaving l = { .p = p };
    window_at(p, x, y, &l.i0, &l.j0);
    bool fresh = !p->s.placed || llabs(l.i0 - old_i) >= p->side || llabs(l.j0 - old_j) >= p->side;
    l.all = fresh;
    ty_status status = tyi_soil_particles_fetch(&p->soil, diag);
    status = status == TY_OK ? tyi_soil_patch_tell(p, fresh, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    tyi_soil_particles_remove(&p->soil, leaves, &l);
    p->s.i0 = l.i0, p->s.j0 = l.j0;
    move_samples(p);
    find_heights(p);
    int n = tyi_soil_patch_columns(p);
    double low = p->height[0], high = low;
    for (int k = 0; k < n * n; k++) {
        low = fmin(low, p->height[k]), high = fmax(high, p->height[k]);
    }
    if (high - low > RISE) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "soil: a patch at x %.2f, y %.2f m lies over ground that rises by %.2f m, but takes at most %g m", x, y,
            high - low, RISE);
    }
    if (fresh) {
        p->s.age = 0.0;
    }
    p->s.z = 0.5 * (low - (p->layers + TYI_SOIL_PATCH_RIM) * p->d + high + AIR);
    p->s.placed = 1;
    set_fence(p);
    status = tyi_soil_patch_enter(p, old_i, old_j, fresh, diag);
    return status == TY_OK ? to_device(p, diag) : status;
}

ty_status tyi_soil_patch_leave(tyi_soil_patch *p, ty_diag *diag)
{
    leaving l = { .p = p, .all = true };
    ty_status status = tyi_soil_particles_fetch(&p->soil, diag);
    status = status == TY_OK ? tyi_soil_patch_tell(p, true, diag) : status;
    if (status == TY_OK && p->s.placed) {
        tyi_soil_particles_remove(&p->soil, leaves, &l);
        p->s.placed = 0;
        p->s.held = 0.0;
    }
    return status;
}

static void begin_step(tyi_soil_patch *p)
{
    p->body.soft = p->s.age < SOFT ? 0.98 * (1.0 - p->s.age / SOFT) : 0.0;
    p->diag = (ty_diag){ 0 };
    p->status = TY_OK;
    p->met = p->on_device;
    p->s.age += p->dt;
    p->s.steps++;
}

void tyi_soil_patch_step(tyi_soil_patch *p)
{
    begin_step(p);
    p->status = tyi_soil_particles_step(&p->soil, p->dt, &p->body, 1, &p->load, &p->diag);
}

void tyi_soil_patch_step_many(tyi_soil_patch *const *p, int count)
{
    tyi_crm *crm[TYI_CRM_BEDS];
    tyi_crm_body *body[TYI_CRM_BEDS];
    tyi_crm_load *load[TYI_CRM_BEDS];
    ty_diag diag = { 0 };
    int who = 0;
    for (int k = 0; k < count; k++) {
        begin_step(p[k]);
        crm[k] = p[k]->soil.crm, body[k] = &p[k]->body, load[k] = &p[k]->load;
    }
    ty_status status = tyi_crm_step_many(crm, count, p[0]->dt, body, 1, load, &who, &diag);
    if (status != TY_OK) {
        p[who]->status = status;
        p[who]->diag = diag;
    }
}

double tyi_soil_patch_mass(const tyi_soil_patch *p, double *flying, double *carried)
{
    double rho = p->def->bekker.rho, soil = 0.0, air = 0.0, in = 0.0;
    tyi_soil_particles_fetch(&p->soil, NULL);
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil); i++) {
        ty_crm_particle q = tyi_soil_particles_at(&p->soil, i);
        ty_vec3 x = tyi_soil_patch_place(p, q.x);
        bool inside = !q.wall && in_window(p, x, 0), caught = inside && held(p, x);
        double m = q.wall ? 0.0 : rho * tyi_soil_patch_volume(p, &q);
        soil += m;
        in += caught ? m : 0.0;
        air += inside && !caught && tyi_soil_particles_flies(&p->soil, &q) ? m : 0.0;
    }
    *flying = air;
    *carried = in;
    return soil;
}

void tyi_soil_patch_loose(const tyi_soil_patch *p, uint32_t number, tyi_soil_loose visit, void *user)
{
    tyi_soil_particles_fetch(&p->soil, NULL);
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil); i++) {
        ty_crm_particle q = tyi_soil_particles_at(&p->soil, i);
        ty_vec3 x = tyi_soil_patch_place(p, q.x);
        if (q.wall || !in_window(p, x, 0)) {
            continue;
        }
        bool apart = tyi_soil_particles_flies(&p->soil, &q) || held(p, x), top = q.support > 0.0 && q.support < SURFACE;
        if (apart || (top && tyi_soil_patch_stirred(p, &q, x))) {
            visit(user, x, p->tile ? cbrt(tyi_soil_patch_volume(p, &q)) : p->d, q.id ^ number * 0x9e3779b9u, !apart);
        }
    }
}

void tyi_soil_patch_count(tyi_soil_patch *p)
{
    double volume = 0.0;
    tyi_soil_particles_fetch_seen(&p->soil, NULL);
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil) && p->tool && p->s.placed; i++) {
        ty_crm_particle q = tyi_soil_particles_at(&p->soil, i);
        volume += !q.wall && held(p, tyi_soil_patch_place(p, q.x)) ? tyi_soil_patch_volume(p, &q) : 0.0;
    }
    p->s.held = p->def->bekker.rho * volume;
}

/* ---- saving ---- */

size_t tyi_soil_patch_save(const tyi_soil_patch *p, void *out)
{
    size_t told = samples_of(p) * sizeof *p->told, floors = (size_t)p->side * (size_t)p->side * sizeof *p->floor,
           soil = tyi_soil_particles_bytes(&p->soil);
    if (out) {
        char *to = out;
        tyi_soil_particles_fetch(&p->soil, NULL);
        memset(to, 0, sizeof p->s); /* no padding with chance in it */
        struct tyi_soil_patch_state s = p->s;
        memcpy(to + offsetof(struct tyi_soil_patch_state, i0), &s.i0, sizeof s.i0);
        memcpy(to + offsetof(struct tyi_soil_patch_state, j0), &s.j0, sizeof s.j0);
        memcpy(to + offsetof(struct tyi_soil_patch_state, a0), &s.a0, sizeof s.a0);
        memcpy(to + offsetof(struct tyi_soil_patch_state, b0), &s.b0, sizeof s.b0);
        memcpy(to + offsetof(struct tyi_soil_patch_state, z), &s.z, sizeof s.z);
        memcpy(to + offsetof(struct tyi_soil_patch_state, age), &s.age, sizeof s.age);
        memcpy(to + offsetof(struct tyi_soil_patch_state, entered), &s.entered, sizeof s.entered);
        memcpy(to + offsetof(struct tyi_soil_patch_state, left), &s.left, sizeof s.left);
        memcpy(to + offsetof(struct tyi_soil_patch_state, next), &s.next, sizeof s.next);
        memcpy(to + offsetof(struct tyi_soil_patch_state, steps), &s.steps, sizeof s.steps);
        memcpy(to + offsetof(struct tyi_soil_patch_state, held), &s.held, sizeof s.held);
        memcpy(to + offsetof(struct tyi_soil_patch_state, told), &s.told, sizeof s.told);
        to[offsetof(struct tyi_soil_patch_state, placed)] = (char)s.placed;
        to[offsetof(struct tyi_soil_patch_state, idle)] = (char)s.idle;
        memcpy(to + sizeof s, p->told, told);
        memcpy(to + sizeof s + told, p->floor, floors);
        tyi_soil_particles_save(&p->soil, to + sizeof s + told + floors);
    }
    return sizeof p->s + told + floors + soil;
}

ty_status tyi_soil_patch_restore(tyi_soil_patch *p, const void *saved, size_t bytes, ty_diag *diag)
{
    const char *from = saved;
    size_t told = samples_of(p) * sizeof *p->told, floors = (size_t)p->side * (size_t)p->side * sizeof *p->floor,
           head = sizeof p->s + told + floors;
    if (bytes < head) {
        return ty_fail(diag, TY_ERR_FORMAT, "soil: the saved patch ends too early");
    }
    ty_status status = tyi_soil_particles_restore(&p->soil, from + head, bytes - head, diag);
    if (status == TY_OK) {
        memcpy(&p->s, from, sizeof p->s);
        memcpy(p->told, from + sizeof p->s, told);
        memcpy(p->floor, from + sizeof p->s + told, floors);
        set_fence(p);
        status = to_device(p, diag);
    }
    return status;
}
