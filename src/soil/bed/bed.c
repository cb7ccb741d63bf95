/* src/soil/bed/bed.c - the table of experiments, and what they share: soil on a lattice, steps, series, profiles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "soil/crm/bed.h"
#include "soil/crm/window.h"

enum { FLOOR = 3 }; /* layers of walls: as far as the support reaches */

static const struct {
    const char *name, *what;
    ty_status (*run)(tyi_bed *bed);
} tests[TY_BED_COUNT] = {
#define ROW(id, name, what) [id] = { name, what, NULL },
    TY_BED_LIST(ROW)
#undef ROW
};

static ty_status run_test(ty_bed_test test, tyi_bed *bed)
{
    switch (test) {
    case TY_BED_REST:
        return tyi_bed_rest(bed);
    case TY_BED_INCLINE:
        return tyi_bed_incline(bed);
    case TY_BED_COLUMN:
        return tyi_bed_column(bed);
    case TY_BED_COLLAPSE:
        return tyi_bed_collapse(bed);
    case TY_BED_REPOSE:
        return tyi_bed_repose(bed);
    case TY_BED_PLATE:
        return tyi_bed_plate(bed);
    case TY_BED_BALL:
        return tyi_bed_ball(bed);
    case TY_BED_BLADE:
        return tyi_bed_blade(bed);
    case TY_BED_WHEEL:
        return tyi_bed_wheel(bed);
    case TY_BED_DRUM:
        return tyi_bed_drum(bed);
    case TY_BED_TUMBLER:
        return tyi_bed_tumbler(bed);
    case TY_BED_JANSSEN:
        return tyi_bed_janssen(bed);
    case TY_BED_HOPPER:
        return tyi_bed_hopper(bed);
    case TY_BED_COUNT:
        break;
    }
    return TY_ERR_RANGE;
}

const char *ty_bed_name(ty_bed_test test)
{
    return tests[test].name;
}

const char *ty_bed_what(ty_bed_test test)
{
    return tests[test].what;
}

bool ty_bed_find(const char *name, ty_bed_test *out)
{
    for (int k = 0; k < TY_BED_COUNT; k++) {
        if (!strcmp(name, tests[k].name)) {
            *out = (ty_bed_test)k;
            return true;
        }
    }
    return false;
}

ty_bed_def ty_bed_def_default(ty_bed_test test, ty_bed_soil model)
{
    ty_bed_def d = { .soil = ty_crm_soil_default(),
                     .spacing = 0.01,
                     .gravity = 9.81,
                     .aspect = 2.0,
                     .height = 0.2,
                     .ball_rho = 700.0,
                     .jump = 2.0,
                     .scoops = 2.0,
                     .alpha = 0.1,
                     .xsph = 0.1,
                     .skin = 0.1,
                     .cfl = 0.3,
                     .cookie = TYI_COOKIE };
    if (test == TY_BED_REST) {
        d.angle = 5.0 * TY_DEG;
        d.seconds = 5.0;
        d.spacing = 0.005;
    } else if (test == TY_BED_INCLINE) { /* Jop's glass beads, I by bulk density */
        d.soil.mu_s = 0.3819;
        d.soil.mu_2 = 0.643;
        d.soil.i0 = 0.279;
        d.soil.d = 0.01;
        d.soil.e = 2e5; /* soft, so that the artificial viscosity, alpha h c, is small against the flow's own */
        d.alpha = 0.02;
        d.angle = 25.0 * TY_DEG;
        d.seconds = 12.0;
    } else if (test == TY_BED_COLUMN) {
        d.soil.rho = 1700.0;
        d.soil.mu_s = d.soil.mu_2 = 0.7;
        d.height = 0.5;
        d.seconds = 0.16;
    } else if (test == TY_BED_COLLAPSE) {
        d.height = 0.4;
        d.seconds = 1.2;
        d.spacing = 0.006;
    } else if (test == TY_BED_REPOSE) {
        d.soil =
            (ty_crm_soil){ .rho = 1500.0, .e = 2e6, .nu = 0.3, .mu_s = 0.3819, .mu_2 = 0.3819, .i0 = 0.03, .d = 0.002 };
        d.height = 1.0;
        d.diameter[0] = 1.0;
        d.diameters = 1;
        d.spacing = 0.04;
        d.seconds = 3.0;
    } else if (test == TY_BED_PLATE) {
        d.soil.mu_s = d.soil.mu_2 = 0.5;
        d.diameter[0] = 0.15;
        d.diameters = 1;
        d.height = 0.0; /* depth: twice the largest plate */
        d.spacing = 0.0125;
        d.seconds = 1.0;
    } else if (test == TY_BED_BALL) {
        d.soil.rho = 1510.0;
        d.soil.mu_s = d.soil.mu_2 = 0.3;
        d.soil.e =
            2e5; /* soft, and little artificial viscosity: alpha h c stopped the ball at three quarters of its depth */
        d.alpha = 0.02;
        d.diameter[0] = 0.025;
        d.diameters = 1;
        d.height = 0.1;
        d.spacing = 0.0035;
        d.seconds = 0.15;
    } else if (test == TY_BED_BLADE) {
        d.soil.mu_s = d.soil.mu_2 = 0.5736; /* sin 35 deg */
        d.height = 0.2;
        d.seconds = 0.4;
    } else if (test == TY_BED_WHEEL) { /* MGRU3's wheel in the loosest GRC-1, whose 33.4 deg are of triaxial tests */
        d.soil.rho = 1660.0;
        d.soil.mu_s = d.soil.mu_2 = sin(33.4 * TY_DEG);
        d.load = 22.0 * 9.81;
        d.height = 0.0;
        d.spacing = 0.04;
        d.slips = 4;
        d.slip[0] = 0.05, d.slip[1] = 0.1, d.slip[2] = 0.3, d.slip[3] = 0.6;
    } else if (test ==
               TY_BED_DRUM) { /* the peer's choices: mu as given; no slip, which the soil's own strength bounds */
        d.soil = (ty_crm_soil){ .rho = 1700.0, .e = 1e6, .nu = 0.3, .mu_s = 0.7, .mu_2 = 0.7, .i0 = 0.03, .d = 0.0025 };
        d.alpha = 0.05;
        d.xsph = 0.5;
        d.delta =
            0.1; /* without, errors of the density stiffen soil that flows round lips: push falls by 19 % from 10 to 5 mm */
        d.height = 0.1;
        d.width = 0.3;
        d.diameter[0] = 0.43;
        d.diameters = 1;
        d.load = 7.5 * 9.81;
        d.speed = 0.15;
        d.rate = 2.09;
        d.seconds = 3.6; /* a passage of a scoop from 2 s on */
    }
    if (test == TY_BED_TUMBLER) {
        d.soil.e =
            3e5; /* soft, and little artificial viscosity, which holds the flowing layer: +4 deg at alpha 0.1, mu 0.35 */
        d.alpha = 0.02;
        d.diameter[0] = 0.3;
        d.diameters = 1;
        d.rate = 0.57; /* Fr = w^2 R / g = 0.005 */
        d.seconds = 4.0;
        d.friction = 4.0;
    }
    d.bekker = ty_soil_params_default();
    d.model = model;
    return model == TY_BED_DEM ? tyi_bed_grains(d, test) : d;
}

/* ---- soil on a lattice ---- */

static void stress_at_rest(const tyi_bed *bed, const tyi_bed_fill *fill, double k0, ty_crm_particle *p)
{
    double weight = (1.0 - fill->lack) * bed->def->soil.rho * bed->def->gravity * (fill->high.z - p->x.z),
           c = cos(fill->slope), s = sin(fill->slope);
    p->stress[2] = -weight * c;
    p->stress[0] = p->stress[1] = -k0 * weight * c;
    p->stress[4] = weight * s; /* sigma_xz holds what lies above: d sigma_xz/dz = -rho g sin */
}

static int cells(double length, double spacing)
{
    return (int)(length / spacing + 0.5);
}

ty_status tyi_bed_lay_columns(tyi_bed *bed, const tyi_bed_fill *fill, int first, int last, size_t *soil)
{
    double d = bed->def->spacing;
    int ny = cells(fill->box_high.y - fill->box_low.y, d), nz = cells(fill->high.z, d);
    ty_status status = TY_OK;
    for (int k = fill->bare ? 0 : -FLOOR; k < nz && status == TY_OK; k++) {
        for (int j = 0; j < ny && status == TY_OK; j++) {
            for (int i = first; i < last && status == TY_OK; i++) {
                ty_crm_particle p = { .x = { fill->box_low.x + (i + 0.5) * d, fill->box_low.y + (j + 0.5) * d,
                                             (k + 0.5) * d },
                                      .wall = k < 0 };
                bool in = p.wall || (p.x.x > fill->low.x && p.x.x < fill->high.x && p.x.y > fill->low.y &&
                                     p.x.y < fill->high.y && (!fill->inside || fill->inside(bed, p.x)));
                if (!in) {
                    continue;
                }
                p.id = bed->ids++;
                if (!p.wall) {
                    stress_at_rest(bed, fill, bed->out->facts.k0, &p);
                    bed->volume += d * d * d;
                    ++*soil;
                }
                status = tyi_crm_insert(bed->crm, &p, 1, bed->diag);
            }
        }
    }
    return status;
}

ty_status tyi_bed_lay(tyi_bed *bed, const tyi_bed_fill *fill)
{
    const ty_bed_def *def = bed->def;
    tyi_crm_def *c = &bed->crm_def;
    double d = def->spacing, g = def->gravity;
    if (def->model == TY_BED_DEM) {
        return tyi_bed_pour(bed, fill);
    }
    c->gravity = ty_vec3_make(g * sin(fill->slope), 0.0, -g * cos(fill->slope));
    c->low = ty_vec3_make(fill->box_low.x, fill->box_low.y, -FLOOR * d);
    c->high = fill->box_high;
    int nx = cells(fill->box_high.x - fill->box_low.x, d), ny = cells(fill->box_high.y - fill->box_low.y, d),
        nz = cells(fill->high.z, d);
    double count = (double)nx * ny * (nz + FLOOR);
    if (!(nx > 0 && ny > 0 && nz > 0 && count <= 2e7)) {
        return ty_fail(bed->diag, TY_ERR_RANGE,
                       "bed: a spacing of %g m makes %.3g particles; from 1 to 2e7 can be laid", d, count);
    }
    const int last = fill->box > 0.0 ? cells(fill->box, d) : nx;
    c->particles = (size_t)(last < nx ? fmin(1.25 * count * last / nx, count) : count);
    ty_status status = tyi_crm_def_facts(c, &bed->out->facts, bed->diag);
    double deepest = def->soil.rho * g * fill->high.z;
    if (status == TY_OK && def->soil.e < 50.0 * deepest) {
        return ty_fail(bed->diag, TY_ERR_RANGE,
                       "bed: e is %g Pa, but takes at least 50 times the pressure under the soil, %g Pa", def->soil.e,
                       50.0 * deepest);
    }
    if (status == TY_OK) {
        tyi_crm_destroy(bed->crm);
        bed->crm = NULL;
        bed->moved = false;
        status = tyi_crm_create(c, &bed->crm, bed->diag);
    }
    bed->volume = 0.0;
    bed->ids = 0;
    size_t soil = 0;
    status = status == TY_OK ? tyi_bed_lay_columns(bed, fill, 0, last, &soil) : status;
    bed->out->particles = soil > bed->out->particles ? soil : bed->out->particles;
    if (status == TY_OK && soil == 0) {
        status = ty_fail(bed->diag, TY_ERR_RANGE, "bed: a spacing of %g m leaves no soil in the experiment", d);
    }
    return status;
}

/* ---- steps ---- */

ty_status tyi_bed_go(tyi_bed *bed, double seconds, double piece, tyi_crm_body *body, int bodies, tyi_crm_load *load,
                     tyi_bed_each each, void *user)
{
    const ty_progress *progress = &bed->def->progress;
    int pieces = (int)ceil(seconds / piece - 1e-9);
    ty_status status = TY_OK;
    tyi_soil_particles soil = tyi_bed_particles(bed);
    if (bed->def->device && !bed->moved) {
        status = tyi_soil_particles_to_device(&soil, bed->def->device, bed->diag);
        bed->moved = true;
    }
    for (int k = 0; k < pieces && status == TY_OK; k++) {
        status = tyi_soil_particles_step(&soil, seconds / pieces, body, bodies, load, bed->diag);
        status = status == TY_OK && !bed->apart ? tyi_soil_particles_fetch(&soil, bed->diag) : status;
        if (status == TY_OK && each && !each(bed, (k + 1) * seconds / pieces, user)) {
            break;
        }
        double done = bed->from + bed->share * (k + 1) / pieces;
        if (progress->report && !progress->report(progress->user, "of the experiment", done, 1.0)) {
            status = ty_fail(bed->diag, TY_ERR_CANCELLED, "bed: stopped on request");
        }
    }
    return status;
}

ty_status tyi_bed_settle(tyi_bed *bed, double seconds, tyi_crm_body *body, int bodies)
{
    double height = bed->crm_def.high.z, share = bed->share;
    bed->share = 0.0;
    tyi_crm_set_drag(bed->crm, bed->out->facts.wave / height);
    ty_status status = tyi_bed_go(bed, seconds, seconds / 20.0, body, bodies, NULL, NULL, NULL);
    tyi_crm_set_drag(bed->crm, 0.0);
    tyi_crm_stop(bed->crm);
    bed->share = share;
    return status;
}

/* ---- results ---- */

bool tyi_bed_row(tyi_bed *bed, const double *value)
{
    ty_bed_result *out = bed->out;
    size_t columns = (size_t)out->columns;
    double *series = tyi_list_grown(out->series, out->rows, &bed->room, columns * sizeof *series, 256);
    if (!series) {
        return false;
    }
    out->series = series;
    memcpy(out->series + out->rows++ * columns, value, columns * sizeof *value);
    return true;
}

ty_status tyi_bed_list(tyi_bed *bed, const char *name, const double *value, int count)
{
    ty_bed_result *out = bed->out;
    double *copy = malloc((size_t)(count > 0 ? count : 1) * sizeof *copy);
    if (!copy || out->fields == TY_BED_FIELDS) {
        free(copy);
        return ty_fail(bed->diag, TY_ERR_MEMORY, "bed: no memory for the result");
    }
    memcpy(copy, value, (size_t)count * sizeof *copy);
    out->field[out->fields++] = (ty_bed_field){ name, copy, count, true };
    return TY_OK;
}

void tyi_bed_field(tyi_bed *bed, const char *name, double value)
{
    if (tyi_bed_list(bed, name, &value, 1) == TY_OK) {
        bed->out->field[bed->out->fields - 1].list = false;
    }
}

ty_status tyi_bed_keep(tyi_bed *bed)
{
    ty_bed_result *out = bed->out;
    tyi_soil_particles soil = tyi_bed_particles(bed);
    ty_status status = tyi_soil_particles_fetch(&soil, bed->diag);
    status = status == TY_OK && bed->dem ? tyi_dem_look(bed->dem, bed->diag) : status;
    if (status != TY_OK) {
        return status;
    }
    size_t n = tyi_bed_count(bed);
    ty_crm_particle *keep = realloc(out->particle, (n + 1) * sizeof *keep);
    if (!keep) {
        return ty_fail(bed->diag, TY_ERR_MEMORY, "bed: no memory for %zu particles", n);
    }
    out->particle = keep;
    out->particle_count = 0;
    double volume = 0.0;
    for (size_t i = 0; i < n; i++) {
        ty_crm_particle p = tyi_bed_at(bed, i);
        if (!p.wall) {
            if (bed->dem) {
                tyi_dem_stress(bed->dem, i, p.stress);
                for (int k = 0; k < 6; k++) {
                    p.stress[k] *= bed->fraction;
                }
            }
            keep[out->particle_count++] = p;
            volume += out->facts.mass / (bed->def->soil.rho * (1.0 + p.e));
        }
    }
    out->volume_drift = bed->crm ? volume / bed->volume - 1.0 : 0.0;
    return TY_OK;
}

void tyi_bed_passages_add(tyi_bed_passages *p, double t, double dt, const double *value)
{
    double begin = fmax(t - dt, p->from);
    while (begin < t) {
        double edge = p->from + (p->count + 1) * p->period, end = fmin(t, edge);
        bool whole = t > edge - 1e-9 * p->period;
        p->count += whole;
        for (int k = 0; k < TYI_BED_MEANS; k++) {
            p->part[k] += value[k] * (end - begin);
            if (whole) {
                double was = p->mean[k], one = p->part[k] / p->period;
                p->mean[k] += (one - was) / p->count;
                p->apart[k] += (one - was) * (one - p->mean[k]);
                p->part[k] = 0.0;
            }
        }
        begin = end;
    }
}

double tyi_bed_passages_error(const tyi_bed_passages *p, int k)
{
    return p->count > 1 ? sqrt(p->apart[k] / ((double)p->count * (p->count - 1))) : (double)NAN;
}

ty_status tyi_bed_profile_make(const tyi_bed *bed, bool radial, double across, tyi_bed_profile *out)
{
    const ty_bed_result *r = bed->out;
    double d = bed->def->spacing, far = 0.0;
    for (size_t i = 0; i < r->particle_count; i++) {
        ty_vec3 x = r->particle[i].x;
        far = fmax(far, radial ? hypot(x.x, x.y) : x.x);
    }
    out->width = radial ? 1.5 * d : d;
    out->bins = (int)(far / out->width) + 1;
    out->height = calloc((size_t)out->bins, sizeof *out->height);
    if (!out->height) {
        return ty_fail(bed->diag, TY_ERR_MEMORY, "bed: no memory for a profile");
    }
    for (size_t i = 0; i < r->particle_count; i++) {
        ty_vec3 x = r->particle[i].x;
        int b = (int)fmax((radial ? hypot(x.x, x.y) : x.x) / out->width, 0.0);
        double area = radial ? TY_PI * out->width * out->width * (2 * b + 1) : out->width * across;
        double radius = bed->out->particle[i].r;
        out->height[b] +=
            (radius > 0.0 ? 4.0 / 3.0 * TY_PI * radius * radius * radius / bed->fraction : d * d * d) / area;
    }
    return TY_OK;
}

void tyi_bed_profile_free(tyi_bed_profile *profile)
{
    free(profile->height);
    profile->height = NULL;
}

static ty_status check(const ty_bed_def *d, ty_diag *diag)
{
    const struct {
        const char *name;
        double value, low, high;
    } limits[] = {
        { "spacing", d->spacing, 1e-4, 1.0 },
        { "gravity", d->gravity, 0.01, 100.0 },
        { "aspect", d->aspect, 0.05, 50.0 },
        { "height", d->height, 0.0, 10.0 },
        { "angle", d->angle, 0.0, 60.0 * TY_DEG },
        { "seconds", d->seconds, d->slips ? 0.0 : 1e-3, 1e3 },
        { "ball_rho", d->ball_rho, 100.0, 2e4 },
        { "friction", d->friction, 0.0, 4.0 },
        { "load", d->load, 0.0, 1e6 },
        { "side", d->side, 0.0, 10.0 },
        { "jump", d->jump, 1.0, 16.0 },
        { "speed", d->speed, 0.0, 2.0 },
        { "rate", d->rate, -20.0, 20.0 },
        { "width", d->width, 0.0, 10.0 },
        { "markers", d->markers, 0.0, 4.0 },
        { "scoops", d->scoops, 1.0, 4.0 },
    };
    if (d->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "bed: the definition must start from ty_bed_def_default()");
    }
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        if (!(limits[k].value >= limits[k].low && limits[k].value <= limits[k].high)) {
            return ty_fail(diag, TY_ERR_RANGE, "bed: %s is %g, but takes %g to %g", limits[k].name, limits[k].value,
                           limits[k].low, limits[k].high);
        }
    }
    for (int k = 0; k < d->diameters; k++) {
        if (!(d->diameter[k] >= 4.0 * d->spacing && d->diameter[k] <= 10.0)) {
            return ty_fail(diag, TY_ERR_RANGE, "bed: diameter is %g m, but takes four spacings (%g m) to 10 m",
                           d->diameter[k], 4.0 * d->spacing);
        }
    }
    return TY_OK;
}

ty_status ty_bed_run(ty_bed_test test, const ty_bed_def *def, ty_bed_result *out, ty_diag *diag)
{
    *out = (ty_bed_result){ .test = test };
    bool grains = test == TY_BED_JANSSEN || test == TY_BED_HOPPER,
         other = test == TY_BED_REST || test == TY_BED_INCLINE || test == TY_BED_COLUMN;
    if (tyi_bed_of_columns(def) && (test != TY_BED_PLATE && test != TY_BED_WHEEL)) {
        return ty_fail(diag, TY_ERR_RANGE, "bed: %s takes soil of particles; scm and bekker have plate and wheel",
                       tests[test].name);
    }
    if (def->model == TY_BED_DEM ? other : grains) {
        return ty_fail(diag, TY_ERR_RANGE, "bed: %s is an experiment of %s alone", tests[test].name,
                       grains ? "dem" : "crm");
    }
    ty_status status = check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_bed bed = { .def = def, .out = out, .crm_def = tyi_crm_def_default(), .diag = diag, .share = 1.0 };
    bed.crm_def.soil = def->soil;
    bed.crm_def.spacing = def->spacing;
    bed.crm_def.alpha = def->alpha;
    bed.crm_def.xsph = def->xsph;
    bed.crm_def.delta = def->delta;
    bed.crm_def.forget = def->forget;
    bed.crm_def.skin = def->skin;
    bed.crm_def.cfl = def->cfl;
    bed.crm_def.threads = def->threads;
    double start = tyi_now();
    status = run_test(test, &bed);
    if (bed.crm) {
        out->steps = tyi_crm_get_counts(bed.crm).steps;
    }
    if (bed.dem) {
        out->steps = tyi_dem_get_counts(bed.dem).steps;
    }
    tyi_dem_destroy(bed.dem);
    tyi_crm_destroy(bed.crm);
    out->wall_s = tyi_now() - start;
    return status;
}

void ty_bed_result_free(ty_bed_result *result)
{
    for (int k = 0; k < result->fields; k++) {
        free(result->field[k].value);
    }
    free(result->series);
    free(result->particle);
    *result = (ty_bed_result){ 0 };
}

double ty_bed_get(const ty_bed_result *result, const char *name)
{
    for (int k = 0; k < result->fields; k++) {
        if (!strcmp(result->field[k].name, name) && result->field[k].count) {
            return result->field[k].value[0];
        }
    }
    return NAN;
}
