/* src/soil/bed/drum.c - a drum with scoops, led over a bed at a given speed while it turns, free to sink under its weight.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"
#include "soil/crm/lattice.h"
#include "soil/crm/bed.h"
#include "soil/crm/window.h"

#define PIECE 1e-3   /* [s] between exchanges of motion and force */
#define START 2.0    /* [s] from which on means are taken: it has sunk by then */
enum { EVERY = 15 }; /* pieces to a row of the series */
enum { EDGE = 3 };   /* columns of floor beyond the soil's ends */

/* the soil that is there: from low to high along x, between smooth planes, of `length` that could be */
typedef struct stretch {
    tyi_bed_fill fill;
    double low, high, length, d, gone; /* [m]; particles that it left behind */
} stretch;

typedef struct dig {
    tyi_crm_body *drum;
    tyi_crm_load *load;
    double start;                              /* [m] height at which it touches the surface */
    double push, torque, down, filled, energy; /* [N s], [N m s], [N s] over a row; [kg]; [J] */
    tyi_bed_passages mean;                     /* push, torque, sinkage */
    int pieces;
    stretch soil;
    ty_status status;
} dig;

static ty_status shape_of(const tyi_bed *bed, tyi_crm_lattice *out)
{
    const ty_bed_def *def = bed->def;
    double cell = fmax(0.25 * def->spacing, 0.001), reach = 0.75 * def->spacing;
    if (def->vertex && def->markers > 0.0) {
        return tyi_crm_lattice_markers(def->vertex, def->vertices, def->triangle, def->triangles,
                                       def->markers * def->spacing, cell, reach, NULL, out, bed->diag);
    }
    if (def->vertex) {
        return tyi_crm_lattice_mesh(def->vertex, def->vertices, def->triangle, def->triangles, cell, reach, NULL, out,
                                    bed->diag);
    }
    tyi_crm_part_shape part[TYI_CRM_DRUM_PARTS];
    double d = def->diameter[0];
    size_t parts = tyi_crm_drum(0.5 * d, 0.23 * d, 0.002, (int)def->scoops, 1.0, part);
    return tyi_crm_lattice_parts(part, parts, cell, reach, NULL, out, bed->diag);
}

/* soil that the drum carries: within its bounds and above the surface, or with its axle's speed below */
static double carried(const tyi_bed *bed, const tyi_crm_body *drum, double radius, double half)
{
    double sum = 0.0;
    for (size_t i = 0; i < tyi_bed_count(bed); i++) {
        ty_crm_particle p = tyi_bed_at(bed, i);
        ty_vec3 x = ty_sub(p.x, drum->pose.p);
        sum += !p.wall && hypot(x.x, x.z) < radius && fabs(x.y) < half && p.x.z > bed->def->height;
    }
    return sum * bed->out->facts.mass;
}

/* floor goes EDGE columns behind the soil; soil that the plane there would press on goes with what it left */
static bool left_behind(void *user, const ty_crm_particle *p)
{
    stretch *s = user;
    bool goes = p->x.x < s->low + (p->wall ? -EDGE : 0.45) * s->d;
    s->gone += goes && !p->wall;
    return goes;
}

/* A bed longer than `side` has soil only about the drum, which keeps to its middle: columns before it are laid as at the start, those behind are
 * given up, the planes at both ends go along. */
static ty_status move_on(tyi_bed *bed, dig *g)
{
    stretch *s = &g->soil;
    double d = bed->def->spacing, by = floor(bed->def->jump + 0.5) * d, middle = 0.5 * (s->low + s->high);
    if (g->drum->pose.p.x < middle + by || s->high + by > s->length + 0.5 * d) {
        return TY_OK;
    }
    int first = (int)floor((s->high - s->fill.box_low.x) / d + 0.5), more = (int)floor(by / d + 0.5);
    tyi_bed_fill soil = s->fill, floor_alone = s->fill;
    size_t laid = 0;
    soil.bare = true;
    soil.low.x = s->high;
    soil.high.x = s->high + by;
    floor_alone.high.x = floor_alone.low.x;
    s->low += by;
    s->high += by;
    s->gone = 0.0;
    ty_status status = tyi_crm_fetch(bed->crm, bed->diag);
    if (status == TY_OK) {
        tyi_crm_remove(bed->crm, left_behind, s);
        bed->volume -= s->gone * d * d * d;
        status = tyi_bed_lay_columns(bed, &soil, first, first + more, &laid);
    }
    g->drum[1].pose.p.x = s->low;
    g->drum[2].pose.p.x = s->high;
    return status == TY_OK ? tyi_bed_lay_columns(bed, &floor_alone, first + EDGE, first + EDGE + more, &laid) : status;
}

static bool row_of_drum(tyi_bed *bed, double t, void *user)
{
    dig *g = user;
    const ty_bed_def *def = bed->def;
    g->status = def->side > 0.0 ? move_on(bed, g) : TY_OK;
    if (g->status != TY_OK) {
        return false;
    }
    double mass = def->load / 9.81, sunk = g->start - g->drum->pose.p.z;
    g->push -= g->load->impulse.x;
    g->torque -= g->load->twist.y;
    g->energy -= g->load->twist.y * def->rate + g->load->impulse.x * g->drum->v.x;
    g->drum->v.z += g->load->impulse.z / mass - def->gravity * PIECE;
    g->drum->v.x = def->speed;
    const double felt[] = { -g->load->impulse.x / PIECE, -g->load->twist.y / PIECE, sunk };
    tyi_bed_passages_add(&g->mean, t, PIECE, felt);
    if (++g->pieces % EVERY) {
        return true;
    }
    double by = 1.0 / (EVERY * PIECE), row[] = { t, g->drum->pose.p.x, -sunk, g->push * by, g->torque * by, g->energy };
    g->push = g->torque = 0.0;
    return tyi_bed_row(bed, row);
}

ty_status tyi_bed_drum(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    double d = def->spacing, depth = floor(def->height / d + 0.5) * d;
    tyi_crm_lattice shape;
    if (!(def->load > 0.0 && def->width > 0.0 && def->diameters)) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: a drum takes a load, a width and a diameter above 0");
    }
    if (def->scoops != floor(def->scoops)) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: scoops is %g, but takes a whole number from 1 to 4", def->scoops);
    }
    ty_status status = shape_of(bed, &shape);
    double margin = shape.cell * 1.5 + 0.75 * d, half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = 0.5 * (shape.nodes[k] - 1) * shape.cell - margin;
    }
    double radius = fmax(half[0], half[2]), before = radius + 0.1,
           L = ceil((2.0 * before + def->speed * def->seconds) / d) * d, wide = floor(def->width / d + 0.5) * d,
           side = 0.5 * wide;
    if (status == TY_OK && wide < 2.0 * half[1] + 6.0 * d) {
        status = ty_fail(bed->diag, TY_ERR_RANGE, "bed: width is %g m, but takes six spacings more than the drum, %g m",
                         def->width, 2.0 * half[1] + 6.0 * d);
    }
    double part = def->side > 0.0 ? ceil(def->side / d - 1e-9) * d : 0.0;
    if (status == TY_OK && part > 0.0 && (bed->def->model == TY_BED_DEM || part < 2.0 * before)) {
        status = bed->def->model == TY_BED_DEM
                     ? ty_fail(bed->diag, TY_ERR_RANGE, "bed: side is of crm; grains fill the whole bed of a drum")
                     : ty_fail(bed->diag, TY_ERR_RANGE,
                               "bed: side is %g m, but takes 0.2 m more than the drum's diameter, %g m", def->side,
                               2.0 * before);
    }
    part = part < L ? part : 0.0;
    bed->crm_def.periodic[1] = true;
    bed->crm_def.neighbours = 160;
    tyi_bed_fill fill = { .low = { 0.0, -side, 0.0 },
                          .high = { part > 0.0 ? part : L, side, depth },
                          .box_low = { -EDGE * d, -side, 0.0 },
                          .box_high = { L + EDGE * d, side, depth + 2.5 * radius },
                          .box = part > 0.0 ? part + 2.0 * EDGE * d : 0.0 };
    out->columns = 6;
    out->column[0] = "t [s]", out->column[1] = "x [m]", out->column[2] = "z [m]", out->column[3] = "push [N]",
    out->column[4] = "torque [N m]", out->column[5] = "energy [J]";
    status = status == TY_OK ? tyi_bed_lay(bed, &fill) : status;
    tyi_crm_body body[3] = {
        { .shape = TYI_CRM_LATTICE,
          .lattice = &shape,
          .friction = def->friction > 0.0 ? def->friction : tyi_bed_friction(bed),
          .pose = { { before, 0.0, depth + 0.5 * (shape.nodes[2] - 1) * shape.cell - margin }, ty_quat_identity() },
          .w = { 0.0, def->rate, 0.0 } },
        { .shape = TYI_CRM_PLANE, .pose = { .q = ty_quat_axis(ty_vec3_make(0, 1, 0), 0.5 * TY_PI) } },
        { .shape = TYI_CRM_PLANE, .pose = { { fill.high.x, 0, 0 }, ty_quat_axis(ty_vec3_make(0, 1, 0), -0.5 * TY_PI) } }
    };
    tyi_crm_load load[3] = { 0 };
    /* a run without a whole passage: over what there is of it */
    double passage = 2.0 * TY_PI / (def->scoops * fmax(fabs(def->rate), 1e-9)), from = fmin(START, 0.5 * def->seconds);
    bool short_run = def->seconds < START + (1.0 - 1e-9) * passage;
    dig g = { .drum = body,
              .load = load,
              .start = body[0].pose.p.z,
              .mean = short_run ? (tyi_bed_passages){ .from = from, .period = def->seconds - from }
                                : (tyi_bed_passages){ .from = START, .period = passage },
              .soil = { .fill = fill, .high = fill.high.x, .length = L, .d = d } };
    bed->apart = true;
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, PIECE, body, 3, load, row_of_drum, &g);
    }
    status = status == TY_OK ? g.status : status;
    status = status == TY_OK ? tyi_bed_keep(bed) : status;
    if (status == TY_OK) {
        tyi_bed_field(bed, "torque_nm", g.mean.mean[1]);
        tyi_bed_field(bed, "torque_se_nm", tyi_bed_passages_error(&g.mean, 1));
        tyi_bed_field(bed, "push_n", g.mean.mean[0]);
        tyi_bed_field(bed, "push_se_n", tyi_bed_passages_error(&g.mean, 0));
        tyi_bed_field(bed, "sunk_m", g.mean.mean[2]);
        tyi_bed_field(bed, "from_s", g.mean.from);
        tyi_bed_field(bed, "passages", short_run ? 0.0 : g.mean.count);
        tyi_bed_field(bed, "collected_kg", carried(bed, body, radius, half[1]));
        tyi_bed_field(bed, "energy_j", g.energy);
    }
    tyi_crm_lattice_free(&shape);
    return status;
}
