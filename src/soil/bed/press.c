/* src/soil/bed/press.c - bodies pressed or dropped into a bed in a bin: plates, a ball. The bin has a rough floor and smooth
 * sides.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "bed.h"
#include "soil/crm/bed.h"

enum { SIDES = 4, SAMPLES = TYI_BED_PLATE_ROWS };

/* a bin `width` wide and `depth` deep, its sides as the first four bodies */
static ty_status lay_bin(tyi_bed *bed, double width, double depth, double air, tyi_crm_body *body)
{
    double d = bed->def->spacing, half = 0.5 * ceil(width / d) * d, rim = half + 3.0 * d;
    tyi_bed_fill fill = { .low = { -half, -half, 0.0 },
                          .high = { half, half, ceil(depth / d) * d },
                          .box_low = { -rim, -rim, 0.0 },
                          .box_high = { rim, rim, ceil(depth / d) * d + air },
                          .body = body,
                          .bodies = SIDES };
    for (int k = 0; k < SIDES; k++) {
        double angle = 0.5 * TY_PI * k; /* the plane's normal, its z, turned to -x, -y, x, y */
        ty_quat tilt = ty_quat_axis(ty_vec3_make(0, 1, 0), -0.5 * TY_PI);
        body[k] = (tyi_crm_body){ .shape = TYI_CRM_PLANE,
                                  .pose = { { half * cos(angle), half * sin(angle), 0.0 },
                                            ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), angle), tilt) } };
    }
    return tyi_bed_lay(bed, &fill);
}

typedef struct press {
    tyi_crm_body *body;
    tyi_crm_load *load;
    double surface, area, diameter, piece; /* [m] [m^2] [m] [s] */
    double mass, gravity;                  /* ball */
    tyi_bed_plates plates;
    int room;
} press;

/* pressure over a piece of the way, and the sinkage in its middle */
static bool row_of_plate(tyi_bed *bed, double t, void *user)
{
    press *p = user;
    (void)t;
    const tyi_crm_body *plate = &p->body[SIDES];
    double z = p->surface - (plate->pose.p.z - plate->c) + 0.5 * plate->v.z * p->piece;
    double pressure = p->load[SIDES].impulse.z / p->piece / p->area;
    if (p->plates.count < p->room) {
        p->plates.sinkage[p->plates.count] = z;
        p->plates.pressure[p->plates.count++] = pressure;
    }
    double row[] = { p->diameter, z, pressure };
    return tyi_bed_row(bed, row);
}

/* log p = log k(D) + n log z over all plates, with one n and k of each; then k = k_c / b + k_phi with b the radius [m] */
static void fit(tyi_bed *bed, const tyi_bed_plates *p, int samples)
{
    const ty_bed_def *def = bed->def;
    double sxx = 0, sxy = 0, mx[TY_BED_DIAMETERS] = { 0 }, my[TY_BED_DIAMETERS] = { 0 }, k[TY_BED_DIAMETERS] = { 0 };
    int used[TY_BED_DIAMETERS] = { 0 };
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->count; i++) {
            int which = i / samples;
            if (p->sinkage[i] < 0.2 * p->sinkage[(which + 1) * samples - 1] || p->pressure[i] <= 0.0) {
                continue; /* the beginning hangs on how the first layer lies */
            }
            double x = log(p->sinkage[i]), y = log(p->pressure[i]);
            if (pass == 0) {
                mx[which] += x;
                my[which] += y;
                used[which]++;
            } else {
                sxx += (x - mx[which]) * (x - mx[which]);
                sxy += (x - mx[which]) * (y - my[which]);
            }
        }
        for (int w = 0; pass == 0 && w < def->diameters; w++) {
            mx[w] /= used[w] ? used[w] : 1;
            my[w] /= used[w] ? used[w] : 1;
        }
    }
    double n = sxx > 0.0 ? sxy / sxx : 0.0, s1 = 0, sb = 0, sk = 0, sbb = 0, sbk = 0;
    for (int w = 0; w < def->diameters; w++) {
        double b = 2.0 / def->diameter[w]; /* 1 / radius */
        k[w] = exp(my[w] - n * mx[w]);
        s1 += 1.0;
        sb += b;
        sk += k[w];
        sbb += b * b;
        sbk += b * k[w];
    }
    double det = s1 * sbb - sb * sb, kc = def->diameters > 1 ? (s1 * sbk - sb * sk) / det : 0.0;
    tyi_bed_field(bed, "k_c", kc);
    tyi_bed_field(bed, "k_phi", (sk - kc * sb) / s1);
    tyi_bed_field(bed, "n", n);
}

static ty_status press_one(tyi_bed *bed, press *p, double diameter, double largest)
{
    const ty_bed_def *def = bed->def;
    double d = def->spacing, depth = def->height > 0.0 ? def->height : 2.0 * largest, sink = 0.12 * diameter,
           wide = def->model == TY_BED_DEM ? 3.0 : 4.0;
    tyi_crm_body body[SIDES + 1] = { 0 };
    tyi_crm_load load[SIDES + 1] = { 0 };
    ty_status status = lay_bin(bed, wide * largest, depth, 0.5 * diameter + 6.0 * d, body);
    p->surface = ceil(depth / d) * d;
    p->area = 0.25 * TY_PI * diameter * diameter;
    p->diameter = diameter;
    p->piece = def->seconds / SAMPLES;
    p->body = body;
    p->load = load;
    double half = fmax(1.5 * d, 0.1 * diameter);
    body[SIDES] =
        (tyi_crm_body){ .shape = TYI_CRM_CYLINDER, .a = 0.5 * diameter, .c = half, .friction = tyi_bed_friction(bed) };
    body[SIDES].pose = (ty_pose){ { 0.0, 0.0, p->surface + half }, ty_quat_identity() };
    body[SIDES].v.z = -sink / def->seconds;
    return status == TY_OK ? tyi_bed_go(bed, def->seconds, p->piece, body, SIDES + 1, load, row_of_plate, p) : status;
}

ty_status tyi_bed_plate(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    double largest = 0.0;
    for (int k = 0; k < def->diameters; k++) {
        largest = fmax(largest, def->diameter[k]);
    }
    if (def->diameters < 1) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: there is no diameter");
    }
    int room = SAMPLES * def->diameters;
    bool columns = tyi_bed_of_columns(def);
    press p = { .plates = { .pressure = malloc((size_t)room * sizeof(double)),
                            .sinkage = malloc((size_t)room * sizeof(double)) },
                .room = room };
    out->columns = 3;
    out->column[0] = "diameter [m]", out->column[1] = "sinkage [m]", out->column[2] = "pressure [Pa]";
    ty_status status = p.plates.pressure && p.plates.sinkage
                           ? TY_OK
                           : ty_fail(bed->diag, TY_ERR_MEMORY, "bed: no memory for the plates");
    if (status == TY_OK && columns) {
        status = tyi_bed_plate_columns(bed, &p.plates);
    }
    for (int k = 0; k < def->diameters && !columns && status == TY_OK; k++) {
        bed->share = 1.0 / def->diameters;
        bed->from = k * bed->share;
        status = press_one(bed, &p, def->diameter[k], largest);
    }
    if (status == TY_OK && !columns) {
        status = tyi_bed_keep(bed);
    }
    if (status == TY_OK) {
        status = tyi_bed_list(bed, "diameter_m", def->diameter, def->diameters);
    }
    if (status == TY_OK) {
        out->field[out->fields - 1].list = def->diameters > 1;
        status = tyi_bed_list(bed, "pressure_pa", p.plates.pressure, p.plates.count);
    }
    if (status == TY_OK) {
        status = tyi_bed_list(bed, "sinkage_m", p.plates.sinkage, p.plates.count);
    }
    if (status == TY_OK) {
        fit(bed, &p.plates, SAMPLES);
    }
    free(p.plates.pressure);
    free(p.plates.sinkage);
    return status;
}

/* the ball falls freely under its weight and what the soil did in the last piece */
static bool row_of_ball(tyi_bed *bed, double t, void *user)
{
    press *p = user;
    tyi_crm_body *ball = &p->body[SIDES];
    ball->v = ty_add(ball->v, ty_scale(1.0 / p->mass, p->load[SIDES].impulse));
    ball->v.z -= p->gravity * p->piece;
    double deep = p->surface - (ball->pose.p.z - ball->a),
           row[] = { t, deep, ball->v.z, p->load[SIDES].impulse.z / p->piece };
    return tyi_bed_row(bed, row);
}

ty_status tyi_bed_ball(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    bool grains = def->model == TY_BED_DEM; /* a smaller bin */
    double d = def->spacing, r = 0.5 * def->diameter[0], depth = ceil((grains ? 4.0 : 6.0) * r / d) * d;
    out->columns = 4;
    out->column[0] = "t [s]", out->column[1] = "depth [m]", out->column[2] = "speed [m/s]",
    out->column[3] = "force [N]";
    tyi_crm_body body[SIDES + 1] = { 0 };
    tyi_crm_load load[SIDES + 1] = { 0 };
    ty_status status = lay_bin(bed, (grains ? 8.0 : 12.0) * r, depth, 4.0 * r, body);
    press p = { .body = body, .load = load, .surface = depth, .gravity = def->gravity, .piece = def->seconds / 1500.0 };
    p.mass = 4.0 / 3.0 * TY_PI * r * r * r * def->ball_rho;
    body[SIDES] = (tyi_crm_body){ .shape = TYI_CRM_SPHERE,
                                  .a = r,
                                  .friction = tyi_bed_friction(bed),
                                  .pose = { { 0.0, 0.0, depth + r }, ty_quat_identity() } };
    body[SIDES].v.z = -sqrt(2.0 * def->gravity * def->height);
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, p.piece, body, SIDES + 1, load, row_of_ball, &p);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    if (status != TY_OK) {
        return status;
    }
    double deep = 0.0;
    for (size_t k = 0; k < out->rows; k++) {
        deep = fmax(deep, out->series[4 * k + 1]);
    }
    tyi_bed_field(bed, "depth_m", deep);
    return TY_OK;
}
