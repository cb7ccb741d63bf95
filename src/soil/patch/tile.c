/* src/soil/patch/tile.c - a packing of grains that repeats: they grow in a box without walls until they press on each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tile.h"
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "inner.h"
#include "k_dem.h"

#define LOOSE    0.62 /* [-] of the volume that grains of the size asked for would fill */
#define SMALL    0.80 /* [-] of that size at which they start on a lattice */
#define CONTACTS 5.0  /* of a grain, for cohesion */
#define MOST     1.06 /* [-] of that size at which growing is given up */
enum { CALM = 60, SIDE = TYI_SOIL_TILE };

void tyi_soil_tile_free(tyi_soil_tile *t)
{
    tyi_put(t->alloc, t->x, t->x ? t->count * sizeof *t->x : 0);
    tyi_put(t->alloc, t->r, t->r ? t->count * sizeof *t->r : 0);
    *t = (tyi_soil_tile){ 0 };
}

static tyi_dem_def grains_of(const ty_soil_def *def)
{
    const ty_patch_params *q = &def->patch;
    tyi_dem_def g = tyi_dem_def_default();
    g.soil = (ty_dem_soil){ .rho = def->bekker.rho / LOOSE,
                            .e = q->e,
                            .nu = q->nu,
                            .mu = q->mu,
                            .roll = q->roll,
                            .restitution = q->restitution,
                            .spread = q->spread };
    g.diameter = q->spacing;
    return g;
}

/* One size of grains for some steps under drag, in place; the mean pressure [Pa] that they bear at the end. */
static ty_status grow(const tyi_soil_tile *t, double scale, double *pressure, ty_diag *diag)
{
    tyi_dem_def def = t->grains;
    tyi_dem *dem = NULL;
    tyi_dem_facts facts = { 0 };
    def.diameter *= scale;
    def.gravity = ty_vec3_make(0.0, 0.0, 0.0);
    def.low = ty_vec3_make(0.0, 0.0, 0.0);
    def.high = ty_vec3_make(t->length, t->length, t->length);
    def.periodic[0] = def.periodic[1] = def.periodic[2] = true;
    def.grains = t->count;
    def.neighbours = 32;
    def.soil.mu = fmin(def.soil.mu, 0.1);
    def.soil.gamma = 0.0;
    def.bodies = 0;
    def.alloc = t->alloc;
    ty_status status = tyi_dem_def_facts(&def, &facts, diag);
    status = status == TY_OK ? tyi_dem_create(&def, &dem, diag) : status;
    for (size_t i = 0; i < t->count && status == TY_OK; i++) {
        tyi_dem_grain g = { .x = t->x[i], .r = scale * t->r[i], .id = (uint32_t)i };
        status = tyi_dem_add(dem, &g, 1, diag);
    }
    if (status == TY_OK) {
        tyi_dem_set_drag(dem, 0.1 / facts.step);
        status = tyi_dem_step(dem, CALM * facts.step, NULL, 0, NULL, diag);
    }
    double sum = 0.0;
    for (size_t i = 0; i < t->count && status == TY_OK; i++) {
        tyi_dem_grain g = tyi_dem_get(dem, i);
        double s[6];
        tyi_dem_stress(dem, i, s);
        sum -= (s[0] + s[1] + s[2]) / 3.0 * 4.0 / 3.0 * TY_PI * g.r * g.r * g.r;
        const double L = t->length;
        t->x[g.id] =
            ty_vec3_make(g.x.x - L * floor(g.x.x / L), g.x.y - L * floor(g.x.y / L), g.x.z - L * floor(g.x.z / L));
    }
    *pressure = sum / (t->length * t->length * t->length);
    tyi_dem_destroy(dem);
    return status;
}

static size_t column_of(const tyi_soil_tile *t, ty_vec3 x)
{
    int i = (int)(x.x / t->d), j = (int)(x.y / t->d);
    return (size_t)((j < SIDE ? j : SIDE - 1) * SIDE + (i < SIDE ? i : SIDE - 1));
}

/* by columns; grains of one keep their order */
static void sort_columns(tyi_soil_tile *t)
{
    for (size_t i = 1; i < t->count; i++) { /* some thousand, once */
        ty_vec3 x = t->x[i];
        double r = t->r[i];
        size_t to = i, own = column_of(t, x);
        for (; to > 0 && column_of(t, t->x[to - 1]) > own; to--) {
            t->x[to] = t->x[to - 1];
            t->r[to] = t->r[to - 1];
        }
        t->x[to] = x, t->r[to] = r;
    }
    size_t k = 0;
    for (size_t c = 0; c <= SIDE * SIDE; c++) {
        while (k < t->count && column_of(t, t->x[k]) < c) {
            k++;
        }
        t->start[c] = k;
    }
}

/* on a lattice with room for all, each off its middle as its number says */
static void scatter(tyi_soil_tile *t)
{
    int n = (int)ceil(cbrt((double)t->count));
    size_t sites = (size_t)n * (size_t)n * (size_t)n;
    double step = t->length / n;
    for (size_t i = 0; i < t->count; i++) {
        size_t s = i * sites / t->count;
        double a = 2.4 * (double)i, free = 0.05 * step;
        t->x[i] = ty_vec3_make(((double)(s % (size_t)n) + 0.5) * step + free * cos(a),
                               ((double)(s / (size_t)n % (size_t)n) + 0.5) * step + free * sin(a),
                               ((double)(s / (size_t)n / (size_t)n) + 0.5) * step + free * cos(1.7 * a));
        t->r[i] = tyi_dem_radius(&t->grains, (uint32_t)i);
    }
}

ty_status tyi_soil_tile_make(const ty_soil_def *def, double pressure, const ty_alloc *alloc, tyi_soil_tile *t,
                             ty_diag *diag)
{
    double d = def->patch.spacing, volume = 0.0, scale = SMALL, bears = 0.0;
    *t = (tyi_soil_tile){ .grains = grains_of(def), .d = d, .length = SIDE * d, .alloc = alloc };
    double all = t->length * t->length * t->length;
    tyi_dem_facts facts;
    ty_status status = tyi_dem_def_facts(&t->grains, &facts, diag);
    while (status == TY_OK && volume < LOOSE * all) {
        double r = tyi_dem_radius(&t->grains, (uint32_t)t->count++);
        volume += 4.0 / 3.0 * TY_PI * r * r * r;
    }
    t->x = tyi_get(alloc, t->count * sizeof *t->x);
    t->r = tyi_get(alloc, t->count * sizeof *t->r);
    if (status == TY_OK && (!t->x || !t->r)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for grains");
    }
    if (status != TY_OK) {
        return status;
    }
    scatter(t);
    for (double by = 0.02; status == TY_OK && bears < 0.5 * pressure && scale < MOST;) {
        status = grow(t, scale, &bears, diag);
        by = scale < 0.94 ? 0.02 : scale < 0.98 ? 0.005 : 0.001;
        scale += bears < 0.5 * pressure ? by : 0.0;
    }
    for (size_t i = 0; i < t->count; i++) {
        t->r[i] *= scale;
    }
    t->grains.diameter *= scale;
    t->fraction = volume * scale * scale * scale / all;
    t->grains.soil.rho = def->bekker.rho / t->fraction;
    t->grains.soil.gamma = (double)ty_k_dem_adhesion(def->bekker.c, tan(tyi_soil_shear_angle(&def->bekker)),
                                                     t->fraction, CONTACTS, t->grains.diameter);
    sort_columns(t);
    return status;
}
