/* src/soil/bed/heap.c - soil let go: a column between walls (2-D) and a cylinder (3-D).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"
#include "soil/crm/bed.h"

enum { THICK = 6 }; /* spacings across the 2-D column, periodic */

static bool row_of_heap(tyi_bed *bed, double t, void *user)
{
    bool radial = *(const bool *)user;
    double far = 0.0, high = 0.0;
    size_t n = tyi_bed_count(bed);
    for (size_t i = 0; i < n; i++) {
        ty_crm_particle p = tyi_bed_at(bed, i);
        if (!p.wall && p.support > 1.2) { /* not what flies alone */
            far = fmax(far, radial ? hypot(p.x.x, p.x.y) : p.x.x);
            high = fmax(high, p.x.z);
        }
    }
    double d = bed->def->spacing, row[] = { t, far + 0.5 * d, high + 0.5 * d, tyi_bed_kinetic(bed) };
    return tyi_bed_row(bed, row);
}

static void name_columns(ty_bed_result *out)
{
    out->columns = 4;
    out->column[0] = "t [s]", out->column[1] = "front [m]", out->column[2] = "top [m]",
    out->column[3] = "kinetic energy [J]";
}

/* the last bin, from the inner end, that holds at least one layer; of grains, half of one */
static double front_of(const tyi_bed *bed, const tyi_bed_profile *p)
{
    double least = (bed->dem ? 0.45 : 0.9) * bed->def->spacing;
    int b = 0;
    while (b < p->bins && p->height[b] >= least) {
        b++;
    }
    return b * p->width;
}

ty_status tyi_bed_collapse(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    double d = def->spacing, width = fmax(floor(def->height / def->aspect / d + 0.5), 1.0) * d, across = THICK * d;
    double a = floor(def->height / d + 0.5) * d / width,
           reach = width * (1.0 + (a < 3.0 ? 2.2 * a : 2.8 * pow(a, 2.0 / 3.0)) + 1.0);
    if (width < 4.0 * d) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: the column is %g m wide, but takes at least four spacings, %g m",
                       width, 4.0 * d);
    }
    bed->crm_def.periodic[1] = true;
    /* a floor that begins three layers behind the smooth wall at x = 0 */
    tyi_bed_fill fill = { .high = { width, across, def->height },
                          .box_low = { -3.0 * d, 0.0, 0.0 },
                          .box_high = { ceil(reach / d) * d, across, def->height + 6.0 * d } };
    ty_status status = tyi_bed_lay(bed, &fill);
    name_columns(bed->out);
    tyi_crm_body wall = { .shape = TYI_CRM_PLANE, .pose = { .q = ty_quat_axis(ty_vec3_make(0, 1, 0), 0.5 * TY_PI) } };
    bool radial = false;
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, def->seconds / 200.0, &wall, 1, NULL, row_of_heap, &radial);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    tyi_bed_profile p = { 0 };
    if (status == TY_OK) {
        status = tyi_bed_profile_make(bed, false, across, &p);
    }
    if (status == TY_OK) {
        double high = 0.0;
        for (int b = 0; b < 3 && b < p.bins; b++) { /* at the wall; a bin alone depends on where the lattice broke */
            high += p.height[b] / 3.0;
        }
        tyi_bed_field(bed, "aspect", a);
        /* grains that rolled on alone are no front */
        double front = bed->dem ? front_of(bed, &p) : bed->out->series[4 * (bed->out->rows - 1) + 1];
        tyi_bed_field(bed, "runout", (front - width) / width);
        tyi_bed_field(bed, "height", high / width);
    }
    tyi_bed_profile_free(&p);
    return status;
}

static bool in_cylinder(const tyi_bed *bed, ty_vec3 x)
{
    return hypot(x.x, x.y) < 0.5 * bed->def->diameter[0];
}

/* Angle of the flank: the line through the profile from 0.3 to 0.7 of the heap's radius. */
static double flank(const tyi_bed_profile *p, double radius)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int b = 0; b < p->bins; b++) {
        double r = (b + 0.5) * p->width;
        if (r > 0.3 * radius && r < 0.7 * radius) {
            n += 1.0;
            x += r;
            y += p->height[b];
            xx += r * r;
            xy += r * p->height[b];
        }
    }
    return -atan((n * xy - x * y) / (n * xx - x * x));
}

ty_status tyi_bed_repose(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    double r = 0.5 * def->diameter[0], d = def->spacing, a = def->height / r;
    double reach = ceil(r * (1.0 + fmax(1.6 * sqrt(a), 1.3 * a) + 0.8) / d) * d;
    tyi_bed_fill fill = { .low = { -r, -r, 0.0 },
                          .high = { r, r, def->height },
                          .box_low = { -reach, -reach, 0.0 },
                          .box_high = { reach, reach, def->height + 6.0 * d },
                          .inside = in_cylinder,
                          .tube = r };
    ty_status status = tyi_bed_lay(bed, &fill);
    name_columns(bed->out);
    bool radial = true;
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, def->seconds / 100.0, NULL, 0, NULL, row_of_heap, &radial);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    tyi_bed_profile p = { 0 };
    if (status == TY_OK) {
        status = tyi_bed_profile_make(bed, true, 0.0, &p);
    }
    if (status == TY_OK) {
        double radius = front_of(bed, &p);
        tyi_bed_field(bed, "angle_deg", flank(&p, radius) / TY_DEG);
        tyi_bed_field(bed, "radius_m", radius);
        tyi_bed_field(bed, "runout", (radius - r) / r);
        tyi_bed_field(bed, "top_m", p.height[0]);
    }
    tyi_bed_profile_free(&p);
    return status;
}
