/* src/soil/bed/tumbler.c - a drum half full of soil that turns slowly about its axis: how steep the surface stands on which soil flows down.
 * Plane strain: periodic along the axis.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"

enum {
    THICK = 6,
    PIECES = 90,
    BINS = 12
};                 /* spacings along the axis; rows of the series; columns across the middle of the drum */
#define MIDDLE 0.6 /* [-] of the radius on each side: near the wall the surface bends */
#define SETTLE 0.1 /* [s] */

typedef struct tumble {
    tyi_crm_body drum;
    tyi_crm_load load;
    double R, across, piece, from; /* [m], [m], [s], [s] */
    double angle, torque, moment;  /* sums over rows: [rad], [N m], [N m] of the weight about the axis */
    int rows;
} tumble;

static bool within(const tyi_bed *bed, ty_vec3 x)
{
    double R = 0.5 * bed->def->diameter[0], gap = (bed->def->model == TY_BED_DEM ? 1.0 : 0.5) * bed->def->spacing;
    return hypot(x.x, x.z - R) < R - gap;
}

/* [rad] of the line through the heights of soil over the drum's wall, column by column; and the moment of the weight about the axis [N m] */
static double slope(const tyi_bed *bed, const tumble *t, double *moment)
{
    double width = 2.0 * MIDDLE * t->R / BINS, volume[BINS] = { 0 }, d = bed->def->spacing;
    double g = bed->def->gravity, sx = 0.0, sz = 0.0, sxx = 0.0, sxz = 0.0;
    *moment = 0.0;
    for (size_t i = 0; i < tyi_bed_count(bed); i++) {
        ty_crm_particle p = tyi_bed_at(bed, i);
        double solid = 4.0 / 3.0 * TY_PI * p.r * p.r * p.r;
        int bin = (int)floor((p.x.x + MIDDLE * t->R) / width);
        *moment -= (bed->dem ? solid * bed->def->grains.rho : bed->out->facts.mass) * g * p.x.x;
        if (bin >= 0 && bin < BINS) {
            volume[bin] += bed->dem ? solid / bed->fraction : d * d * d;
        }
    }
    for (int k = 0; k < BINS; k++) {
        double x = (k + 0.5) * width - MIDDLE * t->R,
               z = t->R - sqrt(t->R * t->R - x * x) + volume[k] / (width * t->across);
        sx += x, sz += z, sxx += x * x, sxz += x * z;
    }
    return -atan((BINS * sxz - sx * sz) / (BINS * sxx - sx * sx));
}

static bool row_of_tumbler(tyi_bed *bed, double time, void *user)
{
    tumble *t = user;
    double moment, angle = slope(bed, t, &moment), torque = -t->load.twist.y / t->piece;
    if (time > t->from) {
        t->angle += angle, t->torque += torque, t->moment += moment;
        t->rows++;
    }
    double row[] = { time, angle / TY_DEG, torque, moment };
    return tyi_bed_row(bed, row);
}

/* Soil is carried up on one side and slides down on a flat surface; in steady turning the drum's torque is the moment of the soil's weight. */
ty_status tyi_bed_tumbler(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    if (!(def->diameters && def->rate > 0.0)) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: a tumbler takes a diameter, and a rate above 0");
    }
    double d = def->spacing, R = 0.5 * def->diameter[0], across = THICK * d, rim = R + 3.0 * d;
    tumble t = { .R = R, .across = across, .piece = def->seconds / PIECES, .from = 0.5 * def->seconds };
    t.drum = (tyi_crm_body){ .shape = TYI_CRM_TUBE,
                             .a = R,
                             .friction = def->friction > 0.0 ? def->friction : tyi_bed_friction(bed),
                             .pose = { { 0.0, 0.0, R }, ty_quat_axis(ty_vec3_make(1, 0, 0), -0.5 * TY_PI) } };
    bed->crm_def.periodic[1] = true;
    tyi_bed_fill fill = { .low = { -R, 0.0, 0.0 },
                          .high = { R, across, R },
                          .box_low = { -rim, 0.0, 0.0 },
                          .box_high = { rim, across, R + rim },
                          .inside = within,
                          .bare = true,
                          .volume = 0.5 * TY_PI * R * R * across,
                          .body = &t.drum,
                          .bodies = 1 };
    out->columns = 4;
    out->column[0] = "t [s]", out->column[1] = "slope [deg]", out->column[2] = "torque [N m]",
    out->column[3] = "moment of the weight [N m]";
    ty_status status = tyi_bed_lay(bed, &fill);
    if (status == TY_OK && bed->crm) {
        status = tyi_bed_settle(bed, SETTLE, &t.drum, 1);
    }
    t.drum.w.y = def->rate;
    status = status == TY_OK ? tyi_bed_go(bed, def->seconds, t.piece, &t.drum, 1, &t.load, row_of_tumbler, &t) : status;
    status = status == TY_OK ? tyi_bed_keep(bed) : status;
    if (status == TY_OK) {
        tyi_bed_field(bed, "angle_deg", t.angle / t.rows / TY_DEG);
        tyi_bed_field(bed, "torque_nm", t.torque / t.rows);
        tyi_bed_field(bed, "moment_nm", t.moment / t.rows);
        tyi_bed_field(bed, "froude", def->rate * def->rate * R / def->gravity);
    }
    return status;
}
