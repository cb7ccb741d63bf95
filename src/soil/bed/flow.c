/* src/soil/bed/flow.c - layers and columns that are even along two axes: rest, incline, column. Both are periodic, eight
 * spacings long.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"
#include "soil/crm/bed.h"

enum { WIDE = 8 };
#define HALF \
    0.5 /* of its weight a column lacks at the start: it swings by half its settlement and is never without stress */

static ty_status lay_layer(tyi_bed *bed, double slope, double lack)
{
    double d = bed->def->spacing, w = WIDE * d;
    bed->crm_def.periodic[0] = bed->crm_def.periodic[1] = true;
    tyi_bed_fill fill = { .high = { w, w, bed->def->height },
                          .box_high = { w, w, bed->def->height + 6.0 * d },
                          .slope = slope,
                          .lack = lack };
    if (bed->def->height < 4.0 * d) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: height is %g m, but takes at least four spacings, %g m",
                       bed->def->height, 4.0 * d);
    }
    return tyi_bed_lay(bed, &fill);
}

/* mean over all soil of the velocity along x, and of the fastest tenth by height */
static double speed_at_top(const tyi_bed *bed)
{
    double sum = 0.0, d = bed->def->spacing, top = 0.0;
    int count = 0;
    size_t n = tyi_crm_count(bed->crm);
    for (size_t i = 0; i < n; i++) {
        ty_crm_particle p = tyi_crm_get(bed->crm, i);
        top = p.wall ? top : fmax(top, p.x.z);
    }
    for (size_t i = 0; i < n; i++) {
        ty_crm_particle p = tyi_crm_get(bed->crm, i);
        if (!p.wall && p.x.z > top - d) {
            sum += p.v.x;
            count++;
        }
    }
    return sum / count;
}

static bool row_of_flow(tyi_bed *bed, double t, void *user)
{
    (void)user;
    tyi_crm_sums s = tyi_crm_add_up(bed->crm);
    double row[] = { t, speed_at_top(bed), s.fastest, s.kinetic };
    return tyi_bed_row(bed, row);
}

ty_status tyi_bed_rest(tyi_bed *bed)
{
    ty_bed_result *out = bed->out;
    const ty_bed_def *def = bed->def;
    ty_status status = lay_layer(bed, def->angle, 0.0);
    out->columns = 4;
    out->column[0] = "t [s]", out->column[1] = "speed of the surface [m/s]", out->column[2] = "fastest [m/s]",
    out->column[3] = "kinetic energy [J]";
    if (status == TY_OK) {
        status = tyi_bed_settle(bed, fmin(0.2 * def->seconds, 0.5), NULL, 0);
    }
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, def->seconds / 100.0, NULL, 0, NULL, row_of_flow, NULL);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    if (status != TY_OK) {
        return status;
    }
    /* stress normal to the plane against rho g cos (depth), relative to its value at the bottom; creep: mean speed of the surface */
    double weight = def->soil.rho * def->gravity * cos(def->angle), worst = 0.0, creep = 0.0;
    for (size_t i = 0; i < out->particle_count; i++) {
        const ty_crm_particle *p = &out->particle[i];
        double want = -weight * (def->height - p->x.z);
        worst = fmax(worst, fabs(p->stress[2] - want) / (weight * def->height));
    }
    size_t half = out->rows / 2;
    for (size_t k = half; k < out->rows; k++) {
        creep += out->series[4 * k + 1] / (double)(out->rows - half);
    }
    tyi_bed_field(bed, "stress_error", worst);
    tyi_bed_field(bed, "creep_m_s", fabs(creep));
    return TY_OK;
}

ty_status tyi_bed_incline(tyi_bed *bed)
{
    ty_bed_result *out = bed->out;
    const ty_bed_def *def = bed->def;
    ty_status status = lay_layer(bed, def->angle, 0.0);
    out->columns = 4;
    out->column[0] = "t [s]", out->column[1] = "speed of the surface [m/s]", out->column[2] = "fastest [m/s]",
    out->column[3] = "kinetic energy [J]";
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, def->seconds / 200.0, NULL, 0, NULL, row_of_flow, NULL);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    if (status != TY_OK) {
        return status;
    }
    /* speed at the surface, by the last tenth of the time; flowing: faster than the layer would have crept 1 spacing in a second */
    double speed = 0.0, first = 0.0;
    size_t tenth = out->rows / 10;
    for (size_t k = 0; k < tenth; k++) {
        speed += out->series[4 * (out->rows - 1 - k) + 1] / (double)tenth;
        first += out->series[4 * (out->rows / 2 + k) + 1] / (double)tenth;
    }
    tyi_bed_field(bed, "angle_deg", def->angle / TY_DEG);
    tyi_bed_field(bed, "surface_m_s", speed);
    tyi_bed_field(bed, "flows", speed > def->spacing && speed > 0.5 * first ? 1.0 : 0.0);
    return TY_OK;
}

typedef struct swing {
    double last, time, crossed[64];
    int crossings;
} swing;

/* z of the uppermost layer; its turning points are where its speed changes sign */
static bool row_of_column(tyi_bed *bed, double t, void *user)
{
    swing *s = user;
    double z = 0.0, v = 0.0, d = bed->def->spacing;
    uint32_t layer = WIDE * WIDE, count = 0, all = (uint32_t)tyi_crm_count(bed->crm);
    for (size_t i = 0; i < all; i++) {
        ty_crm_particle p = tyi_crm_get(bed->crm, i);
        if (p.id >= all - layer) {
            z += p.x.z;
            v += p.v.z;
            count++;
        }
    }
    z /= count;
    v /= count;
    if (s && s->last * v < 0.0 && s->crossings < 64) {
        s->crossed[s->crossings++] = s->time + (t - s->time) * s->last / (s->last - v);
    }
    if (s) {
        s->last = v;
        s->time = t;
    }
    double row[] = { t, bed->def->height - 0.5 * d - z, v };
    return !s || tyi_bed_row(bed, row);
}

ty_status tyi_bed_column(tyi_bed *bed)
{
    ty_bed_result *out = bed->out;
    const ty_bed_def *def = bed->def;
    out->columns = 3;
    out->column[0] = "t [s]", out->column[1] = "settlement [m]", out->column[2] = "speed [m/s]";
    ty_status status = lay_layer(bed, 0.0, HALF);
    swing s = { 0 };
    double period = status == TY_OK ? 4.0 * def->height / out->facts.wave : 1.0;
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, period / 200.0, NULL, 0, NULL, row_of_column, &s);
    }
    if (status == TY_OK && s.crossings < 3) {
        status = ty_fail(bed->diag, TY_ERR_RANGE, "bed: seconds is %g, but the column needs two swings, %g s",
                         def->seconds, 2.0 * period);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    if (status != TY_OK) {
        return status;
    }
    /* Let go at rest it swings about where it will come to rest, in odd modes alone: their mean over a whole period is that place.
     * Lower turning points, a period apart, tell the period. */
    int swings = (s.crossings - 1) / 2;
    double measured = (s.crossed[2 * swings] - s.crossed[0]) / swings, sum = 0.0;
    size_t count = 0;
    while (count < out->rows && out->series[3 * count] < measured) {
        sum += out->series[3 * count++ + 1];
    }
    tyi_bed_field(bed, "period_s", measured);
    tyi_bed_field(bed, "settlement_m", sum / (double)count / HALF);
    return TY_OK;
}
