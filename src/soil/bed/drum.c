/* src/soil/bed/drum.c - a drum with scoops, led over a bed at a given speed while it turns, free to sink under its weight.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"
#include "soil/crm/lattice.h"
#include "soil/crm/bed.h"

#define PIECE 5e-4   /* [s] between exchanges of motion and force */
#define STAND 0.1    /* [s] before it is led on */
enum { EVERY = 30 }; /* pieces to a row of the series */

typedef struct dig {
    tyi_crm_body *drum;
    tyi_crm_load *load;
    double start;                              /* [m] height at which it touches the surface */
    double push, torque, down, filled, energy; /* [N s], [N m s], [N s] over a row; [kg]; [J] */
    double mean[3], weight;                    /* sums over the second half: push, torque, sinkage */
    double from;
    int pieces;
    bool failed;
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
    size_t parts = tyi_crm_drum(0.5 * d, 0.23 * d, 0.002, 2, 1.0, part);
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

static bool row_of_drum(tyi_bed *bed, double t, void *user)
{
    dig *g = user;
    const ty_bed_def *def = bed->def;
    double mass = def->load / 9.81, sunk = g->start - g->drum->pose.p.z;
    g->push -= g->load->impulse.x;
    g->torque -= g->load->twist.y;
    g->energy -= g->load->twist.y * def->rate + g->load->impulse.x * g->drum->v.x;
    g->drum->v.z += g->load->impulse.z / mass - def->gravity * PIECE;
    g->drum->v.x = t >= STAND ? def->speed : 0.0;
    if (t > g->from) {
        g->mean[0] -= g->load->impulse.x;
        g->mean[1] -= g->load->twist.y;
        g->mean[2] += sunk * PIECE;
        g->weight += PIECE;
    }
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
    ty_status status = shape_of(bed, &shape);
    double margin = shape.cell * 1.5 + 0.75 * d, half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = 0.5 * (shape.nodes[k] - 1) * shape.cell - margin;
    }
    double radius = fmax(half[0], half[2]), before = radius + 0.1,
           L = ceil((2.0 * before + def->speed * fmax(def->seconds - STAND, 0.0)) / d) * d,
           wide = floor(def->width / d + 0.5) * d, side = 0.5 * wide;
    if (status == TY_OK && wide < 2.0 * half[1] + 6.0 * d) {
        status = ty_fail(bed->diag, TY_ERR_RANGE, "bed: width is %g m, but takes six spacings more than the drum, %g m",
                         def->width, 2.0 * half[1] + 6.0 * d);
    }
    bed->crm_def.periodic[1] = true;
    bed->crm_def.neighbours = 160;
    tyi_bed_fill fill = { .low = { 0.0, -side, 0.0 },
                          .high = { L, side, depth },
                          .box_low = { -3.0 * d, -side, 0.0 },
                          .box_high = { L + 3.0 * d, side, depth + 2.5 * radius } };
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
        { .shape = TYI_CRM_PLANE, .pose = { { L, 0, 0 }, ty_quat_axis(ty_vec3_make(0, 1, 0), -0.5 * TY_PI) } }
    };
    tyi_crm_load load[3] = { 0 };
    dig g = { .drum = body, .load = load, .start = body[0].pose.p.z, .from = fmin(2.0, 0.5 * def->seconds) };
    bed->apart = true;
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, PIECE, body, 3, load, row_of_drum, &g);
    }
    status = status == TY_OK ? tyi_bed_keep(bed) : status;
    if (status == TY_OK) {
        tyi_bed_field(bed, "torque_nm", g.mean[1] / g.weight);
        tyi_bed_field(bed, "push_n", g.mean[0] / g.weight);
        tyi_bed_field(bed, "sunk_m", g.mean[2] / g.weight);
        tyi_bed_field(bed, "from_s", g.from);
        tyi_bed_field(bed, "collected_kg", carried(bed, body, radius, half[1]));
        tyi_bed_field(bed, "energy_j", g.energy);
    }
    tyi_crm_lattice_free(&shape);
    return status;
}
