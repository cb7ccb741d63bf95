/* src/soil/bed/tool.c - tools in soil: a wall that is pushed into a layer, and a wheel led at forced slip on a patch of particles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"
#include "tycho/tools/testbed.h"
#include "soil/crm/bed.h"

/* ---- blade ---- */

enum { THICK = 6, PIECES = 80 }; /* spacings across, periodic; rows of the series */

typedef struct push {
    tyi_crm_body *wall;
    tyi_crm_load *load;
    double piece, width, sum, weight; /* [s], [m] across, [N s], [s] */
    double from;                      /* [m] of way from which on the force counts */
} push;

static bool row_of_blade(tyi_bed *bed, double t, void *user)
{
    push *p = user;
    double way = p->wall->pose.p.x, force = -p->load[0].impulse.x / p->piece / p->width;
    (void)t;
    if (way > p->from) {
        p->sum += force * p->piece;
        p->weight += p->piece;
    }
    double row[] = { way, force, -p->load[0].impulse.z / p->piece / p->width };
    return tyi_bed_row(bed, row);
}

/* Rankine's passive earth pressure on a smooth wall: K_p rho g H^2 / 2 per metre, K_p = (1 + sin phi)/(1 - sin phi); soil that flows without
 * change of volume in plane strain has sin phi = mu. The wall goes 0.06 H; force is the mean from 0.03 H on, per metre of width. */
ty_status tyi_bed_blade(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    double d = def->spacing, H = fmax(floor(def->height / d + 0.5), 4.0) * d, L = ceil(4.0 * H / d) * d,
           across = THICK * d;
    bed->crm_def.periodic[1] = true;
    tyi_bed_fill fill = { .high = { L, across, H },
                          .box_low = { -3.0 * d, 0.0, 0.0 },
                          .box_high = { L + 3.0 * d, across, H + fmax(H, 6.0 * d) } };
    ty_bed_result *out = bed->out;
    out->columns = 3;
    out->column[0] = "way [m]", out->column[1] = "push [N/m]", out->column[2] = "down [N/m]";
    ty_status status = tyi_bed_lay(bed, &fill);
    /* the wall that pushes, and the one at the far end */
    tyi_crm_body wall[2] = { { .shape = TYI_CRM_PLANE,
                               .pose = { .q = ty_quat_axis(ty_vec3_make(0, 1, 0), 0.5 * TY_PI) },
                               .friction = def->friction },
                             { .shape = TYI_CRM_PLANE,
                               .pose = { { L, 0, 0 }, ty_quat_axis(ty_vec3_make(0, 1, 0), -0.5 * TY_PI) } } };
    tyi_crm_load load[2] = { 0 };
    push p = { .wall = wall, .load = load, .piece = def->seconds / PIECES, .width = across, .from = 0.03 * H };
    wall[0].v.x = 0.06 * H / def->seconds;
    if (status == TY_OK) {
        status = tyi_bed_go(bed, def->seconds, p.piece, wall, 2, load, row_of_blade, &p);
    }
    if (status == TY_OK) {
        status = tyi_bed_keep(bed);
    }
    if (status == TY_OK) {
        double s = fmin(def->soil.mu_s, 0.95), kp = (1.0 + s) / (1.0 - s);
        tyi_bed_field(bed, "force_n", p.sum / p.weight);
        tyi_bed_field(bed, "rankine_n", 0.5 * kp * def->soil.rho * def->gravity * H * H);
    }
    return status;
}

/* ---- wheel ---- */

/* of a patch of particles that moves with the wheel (soil/patch) */
static ty_rig_def rig_of_particles(const ty_bed_def *def)
{
    bool grains = def->model == TY_BED_DEM;
    ty_rig_def rig = ty_rig_def_default();
    rig.model = grains ? TY_SOIL_DEM : TY_SOIL_CRM;
    rig.soil.phi = atan(def->soil.mu_s);
    rig.soil.phi_triaxial = false;
    rig.soil.c = def->soil.c;
    rig.soil.rho = def->soil.rho;
    rig.soil.g = def->gravity;
    rig.cell = def->spacing;
    rig.patch.e = def->soil.e;
    rig.patch.nu = def->soil.nu;
    rig.patch.mu_2 = def->soil.mu_2;
    rig.patch.i0 = def->soil.i0;
    rig.patch.grain = def->soil.d;
    rig.patch.friction = def->friction;
    rig.patch.alpha = def->alpha;
    rig.patch.lode = def->soil.lode;
    rig.ground = def->angle;
    rig.patch.side = def->side;
    rig.patch.depth = def->height;
    rig.patch.jump = (int)def->jump;
    rig.patch.threads = def->threads;
    rig.device = def->device;
    rig.patch.device = def->device != NULL;
    if (grains) { /* a packing fills 0.6 of its volume */
        const ty_dem_soil *g = &def->grains;
        rig.soil.rho = 0.6 * g->rho;
        rig.soil.phi = atan(g->mu);
        rig.soil.c = 0.0;
        rig.patch.e = g->e, rig.patch.nu = g->nu, rig.patch.mu = g->mu, rig.patch.roll = g->roll;
        rig.patch.restitution = g->restitution, rig.patch.spread = g->spread;
    }
    return rig;
}

/* A wheel as MGRU3's in the soil given, by the rig of `tycho wheel`. */
ty_status tyi_bed_wheel(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    double pull[TY_BED_SLIPS], torque[TY_BED_SLIPS], sinkage[TY_BED_SLIPS], weight = def->load * def->gravity / 9.81,
                                                                            load = weight * cos(def->angle);
    ty_rig_def rig = tyi_bed_of_columns(def) ? tyi_bed_rig(def) : rig_of_particles(def);
    rig.wheel = (ty_wheel_shape){ .r = 0.225, .b = 0.2, .grouser_h = 0.025, .grousers = 24 };
    rig.load = load;
    rig.speed = 0.2 * sqrt(def->gravity / 9.81);
    rig.watch = def->seconds;
    out->columns = 5;
    out->column[0] = "slip [-]", out->column[1] = "drawbar pull [N]", out->column[2] = "torque [N m]",
    out->column[3] = "sinkage [m]", out->column[4] = "pull / load [-]";
    ty_status status = TY_OK;
    const ty_progress *progress = &def->progress;
    for (int k = 0; k < def->slips && status == TY_OK; k++) {
        ty_rig_result r;
        rig.slip = def->slip[k];
        status = ty_rig_run(&rig, &r, bed->diag);
        if (status != TY_OK) {
            break;
        }
        pull[k] = r.fx, torque[k] = r.torque, sinkage[k] = r.h;
        double row[] = { rig.slip, r.fx, r.torque, r.h, r.fx / r.fz };
        if (!tyi_bed_row(bed, row)) {
            status = ty_fail(bed->diag, TY_ERR_MEMORY, "bed: no memory for the wheel");
        } else if (progress->report && !progress->report(progress->user, "slips", k + 1.0, def->slips)) {
            status = ty_fail(bed->diag, TY_ERR_CANCELLED, "bed: stopped on request");
        }
    }
    if (status != TY_OK) {
        return status;
    }
    tyi_bed_field(bed, "load_n", load);
    tyi_bed_field(bed, "needed_n", weight * sin(def->angle)); /* to climb */
    status = tyi_bed_list(bed, "slip", def->slip, def->slips);
    status = status == TY_OK ? tyi_bed_list(bed, "drawbar_n", pull, def->slips) : status;
    status = status == TY_OK ? tyi_bed_list(bed, "torque_nm", torque, def->slips) : status;
    return status == TY_OK ? tyi_bed_list(bed, "sinkage_m", sinkage, def->slips) : status;
}
