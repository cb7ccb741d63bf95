/* src/soil/bed/grains.c - soil as grains in the laboratory: defaults, pouring, and either soil's particles alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"

#define LOOSE   0.64 /* [-] of the volume that more is poured in for than grains ever fill at rest */
#define STILL   1e-4 /* [-] energy of motion over m g d at which they rest */
#define CALM    10.0 /* [1/s] drag on those that have come down */
#define PATIENT 3.0  /* [s] that is waited for that, at most */

ty_bed_def tyi_bed_grains(ty_bed_def d, ty_bed_test test)
{
    d.grains =
        (ty_dem_soil){ .rho = 2600.0, .e = 3e6, .nu = 0.3, .mu = 0.5, .roll = 0.1, .restitution = 0.5, .spread = 0.1 };
    if (test == TY_BED_COLLAPSE) {
        d.height = 0.2;
        d.spacing = 0.005;
        d.seconds = 0.8;
    } else if (test == TY_BED_REPOSE) {
        d.diameter[0] = 0.16;
        d.height = 0.08;
        d.spacing = 0.006;
        d.seconds = 0.8;
        d.grains.mu = 0.6;
        d.grains.roll = 0.2;
    } else if (test == TY_BED_PLATE) {
        d.diameter[0] = 0.08;
        d.height = 0.12;
        d.spacing = 0.008;
        d.seconds = 0.4;
        d.grains.e = 1e7;
    } else if (test == TY_BED_BALL) {
        d.spacing = 0.0035;
        d.grains.e = 2e6;
    } else if (test == TY_BED_BLADE) {
        d.height = 0.1;
        d.spacing = 0.008;
        d.seconds = 0.3;
    } else if (test == TY_BED_WHEEL) {
        d.spacing = 0.02;
        d.grains.e = 5e6;
        d.grains.mu = 0.6;
        d.grains.roll = 0.2;
    } else if (test == TY_BED_DRUM) {
        d.spacing = 0.02;
        d.grains.e = 1e7;
        d.grains.mu = 0.6;
        d.grains.roll = 0.2;
        d.friction = 0.6;
    } else if (test == TY_BED_TUMBLER) {
        d.grains.e = 5e5;
        d.friction = 1.0;
        d.seconds = 2.5;
    } else if (test == TY_BED_JANSSEN) {
        d.diameter[0] = 0.1;
        d.diameters = 1;
        d.height = 0.4;
        d.spacing = 0.008;
        d.friction = 0.3;
        d.seconds = 0.4;
    } else if (test == TY_BED_HOPPER) {
        d.diameter[0] = 0.05;
        d.diameters = 1;
        d.height = 0.1;
        d.spacing = 0.004;
        d.seconds = 0.5;
        d.grains.e = 2e6;
    }
    return d;
}

/* ---- either soil ---- */

tyi_soil_particles tyi_bed_particles(const tyi_bed *bed)
{
    return (tyi_soil_particles){ bed->crm, bed->dem };
}

size_t tyi_bed_count(const tyi_bed *bed)
{
    tyi_soil_particles p = tyi_bed_particles(bed);
    return tyi_soil_particles_count(&p);
}

ty_crm_particle tyi_bed_at(const tyi_bed *bed, size_t i)
{
    tyi_soil_particles p = tyi_bed_particles(bed);
    return tyi_soil_particles_at(&p, i);
}

double tyi_bed_kinetic(const tyi_bed *bed)
{
    tyi_soil_particles p = tyi_bed_particles(bed);
    return tyi_soil_particles_kinetic(&p);
}

double tyi_bed_friction(const tyi_bed *bed)
{
    return bed->dem ? bed->def->grains.mu : bed->def->soil.mu_2;
}

/* ---- pouring ---- */

typedef struct lattice {
    int n[3];
    ty_vec3 low, step; /* [m] */
} lattice;

/* places a largest grain apart within the fill; one row more than fits is spread over a periodic axis */
static lattice places(const tyi_bed *bed, const tyi_bed_fill *fill, double largest, double tall)
{
    double cell = 2.002 * largest, low[2] = { fill->low.x, fill->low.y }, high[2] = { fill->high.x, fill->high.y },
           first[2], step[2];
    lattice l = { .n = { 0 } };
    for (int k = 0; k < 2; k++) {
        double length = high[k] - low[k];
        l.n[k] = (int)floor(length / cell);
        step[k] = bed->crm_def.periodic[k] && l.n[k] ? length / l.n[k] : cell;
        first[k] = low[k] + 0.5 * (length - (l.n[k] - 1) * step[k]);
    }
    l.n[2] = (int)ceil(tall / cell);
    l.low = ty_vec3_make(first[0], first[1], 0.5 * cell);
    l.step = ty_vec3_make(step[0], step[1], cell);
    return l;
}

static ty_status add_floor(tyi_bed *bed, const tyi_bed_fill *fill, uint32_t *id)
{
    double d = bed->def->spacing;
    ty_status status = TY_OK;
    int nx = (int)floor((fill->box_high.x - fill->box_low.x) / d + 1e-9),
        ny = (int)floor((fill->box_high.y - fill->box_low.y) / d + 1e-9);
    for (int k = 0; k < nx * ny && status == TY_OK; k++) {
        tyi_dem_grain g = { .x = { fill->box_low.x + (k % nx + 0.5) * d, fill->box_low.y + (k / nx + 0.5) * d,
                                   -0.5 * d },
                            .r = 0.5 * d,
                            .fixed = true,
                            .id = (*id)++ };
        status = tyi_dem_add(bed->dem, &g, 1, bed->diag);
    }
    return status;
}

static ty_status add_grains(tyi_bed *bed, const tyi_bed_fill *fill, const lattice *l, double largest, uint32_t *id)
{
    ty_status status = TY_OK;
    for (int k = 0; k < l->n[0] * l->n[1] * l->n[2] && status == TY_OK; k++) {
        int i = k % l->n[0], j = k / l->n[0] % l->n[1], h = k / (l->n[0] * l->n[1]);
        double r = tyi_dem_radius(&bed->dem_def, *id), free = largest - r, turn = 2.4 * (double)*id;
        tyi_dem_grain g = { .x = { l->low.x + i * l->step.x + 0.9 * free * cos(turn),
                                   l->low.y + j * l->step.y + 0.9 * free * sin(turn), l->low.z + h * l->step.z },
                            .v = { 0.02 * cos(3.0 * turn), 0.02 * sin(5.0 * turn), 0.0 },
                            .r = r,
                            .id = *id };
        if ((fill->tube > 0.0 && hypot(g.x.x, g.x.y) > fill->tube - r) ||
            (fill->volume > 0.0 && !fill->inside(bed, g.x))) {
            continue;
        }
        ++*id;
        status = tyi_dem_add(bed->dem, &g, 1, bed->diag);
    }
    return status;
}

static bool over(void *user, const tyi_dem_grain *g)
{
    return !g->fixed && g->x.z > *(const double *)user;
}

/* until nothing moves, in the container that the fill says */
static ty_status rest(tyi_bed *bed, const tyi_bed_fill *fill, double longest)
{
    enum { MOST = 5 };
    tyi_crm_body own[MOST];
    int count = 0;
    const bool *periodic = bed->crm_def.periodic;
    if (fill->tube > 0.0) {
        own[count++] = (tyi_crm_body){ .shape = TYI_CRM_TUBE, .a = fill->tube, .pose = { .q = ty_quat_identity() } };
    }
    for (int k = 0; k < 4 && !(fill->tube > 0.0); k++) {
        ty_quat tilt = ty_quat_axis(ty_vec3_make(0, 1, 0), -0.5 * TY_PI),
                turn = ty_quat_axis(ty_vec3_make(0, 0, 1), 0.5 * TY_PI * k);
        ty_vec3 at = { k == 2 ? fill->low.x : fill->high.x, k == 3 ? fill->low.y : fill->high.y, 0.0 };
        if (!periodic[k % 2]) {
            own[count++] = (tyi_crm_body){ .shape = TYI_CRM_PLANE, .pose = { at, ty_quat_mul(turn, tilt) } };
        }
    }
    tyi_crm_body *body = fill->body ? fill->body : own;
    count = fill->body ? fill->bodies : count;
    double share = bed->share, g = bed->def->gravity;
    ty_status status = TY_OK;
    bed->share = 0.0;
    for (double t = 0.0; t < longest + PATIENT && status == TY_OK; t += 0.01) {
        tyi_dem_sums s = tyi_dem_add_up(bed->dem);
        if (t > longest && s.kinetic < STILL * s.mass * g * bed->def->spacing) {
            break;
        }
        tyi_dem_set_drag(bed->dem, t > longest ? CALM : 0.0);
        status = tyi_bed_go(bed, 0.01, 0.01, body, count, NULL, NULL, NULL);
    }
    tyi_dem_set_drag(bed->dem, 0.0);
    bed->share = share;
    return status;
}

ty_status tyi_bed_pour(tyi_bed *bed, const tyi_bed_fill *fill)
{
    const ty_bed_def *def = bed->def;
    tyi_dem_def *c = &bed->dem_def;
    double d = def->spacing, g = def->gravity, H = fill->high.z;
    *c = tyi_dem_def_default();
    c->soil = def->grains;
    c->diameter = d;
    c->gravity = ty_vec3_make(g * sin(fill->slope), 0.0, -g * cos(fill->slope));
    c->threads = def->threads;
    tyi_dem_facts facts;
    ty_status status = tyi_dem_def_facts(c, &facts, bed->diag);
    if (status != TY_OK) {
        return status;
    }
    if (def->grains.e < 50.0 * 0.6 * def->grains.rho * g * H) {
        return ty_fail(bed->diag, TY_ERR_RANGE,
                       "bed: e is %g Pa, but takes at least 50 times the pressure under the soil, %g Pa", def->grains.e,
                       30.0 * def->grains.rho * g * H);
    }
    double cell = 2.002 * facts.largest, tall = H * LOOSE * cell * cell * cell / (TY_PI / 6.0 * d * d * d) + 2.0 * cell;
    lattice l = places(bed, fill, facts.largest, tall);
    double count =
        (double)l.n[0] * l.n[1] * l.n[2] +
        (fill->bare ? 0.0 : (fill->box_high.x - fill->box_low.x) * (fill->box_high.y - fill->box_low.y) / (d * d));
    if (!(l.n[0] > 0 && l.n[1] > 0 && count <= 2e7)) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: grains of %g m make %.3g of them; from 1 to 2e7 can be poured", d,
                       count);
    }
    c->grains = (size_t)count + 1;
    c->low = ty_vec3_make(fill->box_low.x, fill->box_low.y, fill->bare ? -24.0 * d : -1.5 * d);
    c->high = ty_vec3_make(fill->box_high.x, fill->box_high.y, fmax(fill->box_high.z, tall + 2.0 * cell));
    for (int k = 0; k < 3; k++) {
        c->periodic[k] = bed->crm_def.periodic[k];
    }
    tyi_dem_destroy(bed->dem);
    bed->dem = NULL;
    status = tyi_dem_create(c, &bed->dem, bed->diag);
    uint32_t id = 0;
    if (status == TY_OK && !fill->bare) {
        status = add_floor(bed, fill, &id);
    }
    status = status == TY_OK ? add_grains(bed, fill, &l, facts.largest, &id) : status;
    status = status == TY_OK ? rest(bed, fill, sqrt(2.0 * tall / g)) : status;
    if (status != TY_OK) {
        return status;
    }
    double top = H - 0.5 * d, volume = fill->volume > 0.0 ? fill->volume
                                       : fill->tube > 0.0
                                           ? H * TY_PI * fill->tube * fill->tube
                                           : H * (fill->high.x - fill->low.x) * (fill->high.y - fill->low.y);
    tyi_dem_remove(bed->dem, over, &top);
    tyi_dem_stop(bed->dem);
    tyi_dem_sums s = tyi_dem_add_up(bed->dem);
    bed->fraction = s.mass / def->grains.rho / volume;
    bed->out->particles = s.moving > bed->out->particles ? s.moving : bed->out->particles;
    bed->out->facts = (ty_crm_facts){ .mass = facts.mass, .step = facts.step };
    tyi_bed_field(bed, "rho_bulk", bed->fraction * def->grains.rho);
    return s.moving ? TY_OK
                    : ty_fail(bed->diag, TY_ERR_RANGE, "bed: grains of %g m leave no soil in the experiment", d);
}
