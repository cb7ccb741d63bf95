/* src/soil/bed/silo.c - grains in a round silo: pressure on its floor, and how fast they run out of a hole in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"

enum { WALL, FLOOR, PLUG, BODIES };
#define LIFT 0.02 /* [m/s] at which the wall is pulled up, so that its friction carries what it can */

typedef struct silo {
    tyi_crm_body body[BODIES];
    tyi_crm_load load[BODIES];
    double piece, from;         /* [s] */
    double force, lasts;        /* [N s], [s] */
    double gone, low;           /* [kg] through the hole so far; [m] height below which grains are taken away */
    double rho;                 /* [kg/m^3] of a grain */
    double st, sm, stt, stm, n; /* sums of t, m, t^2, t m from `from` on, and how many */
} silo;

static ty_status fill_silo(tyi_bed *bed, silo *s, double radius, int bodies)
{
    double d = bed->def->spacing, rim = radius + 2.0 * d;
    tyi_bed_fill fill = { .low = { -radius, -radius, 0.0 },
                          .high = { radius, radius, bed->def->height },
                          .box_low = { -rim, -rim, 0.0 },
                          .box_high = { rim, rim, bed->def->height + 6.0 * d },
                          .tube = radius,
                          .bare = true,
                          .body = s->body,
                          .bodies = bodies };
    s->body[WALL] = (tyi_crm_body){
        .shape = TYI_CRM_TUBE, .a = radius, .friction = bed->def->friction, .pose = { .q = ty_quat_identity() }
    };
    return tyi_bed_pour(bed, &fill);
}

static bool row_of_janssen(tyi_bed *bed, double t, void *user)
{
    silo *s = user;
    double r = s->body[WALL].a, floor = -s->load[FLOOR].impulse.z, wall = -s->load[WALL].impulse.z;
    if (t > s->from) {
        s->force += floor;
        s->lasts += s->piece;
    }
    double row[] = { t, floor / s->piece / (TY_PI * r * r), wall / s->piece };
    return tyi_bed_row(bed, row);
}

/* mean stress across over mean stress down, of all grains but those at the wall */
static double ratio(const tyi_bed *bed, double radius)
{
    double across = 0.0, down = 0.0;
    for (size_t i = 0; i < bed->out->particle_count; i++) {
        const ty_crm_particle *p = &bed->out->particle[i];
        double volume = p->r * p->r * p->r;
        if (hypot(p->x.x, p->x.y) < radius - 1.5 * bed->def->spacing) {
            across += volume * 0.5 * (p->stress[0] + p->stress[1]);
            down += volume * p->stress[2];
        }
    }
    return across / down;
}

/* [janssen1895]: P = rho g l (1 - exp(-H / l)), l = R / (2 K mu_w), with K as the run has it. */
ty_status tyi_bed_janssen(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    double R = 0.5 * def->diameter[0], g = def->gravity;
    silo s = { .piece = def->seconds / 80.0, .from = 0.8 * def->seconds };
    if (!(def->diameters && def->friction > 0.0 && def->height > 0.0)) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: a silo takes a diameter, a height and a friction above 0");
    }
    s.body[FLOOR] =
        (tyi_crm_body){ .shape = TYI_CRM_PLANE, .friction = def->grains.mu, .pose = { .q = ty_quat_identity() } };
    ty_status status = fill_silo(bed, &s, R, PLUG);
    out->columns = 3;
    out->column[0] = "t [s]", out->column[1] = "pressure on the floor [Pa]", out->column[2] = "carried by the wall [N]";
    s.body[WALL].v.z = LIFT;
    status =
        status == TY_OK ? tyi_bed_go(bed, def->seconds, s.piece, s.body, PLUG, s.load, row_of_janssen, &s) : status;
    status = status == TY_OK ? tyi_bed_keep(bed) : status;
    if (status == TY_OK) {
        double k = ratio(bed, R), rho = bed->fraction * def->grains.rho, l = R / (2.0 * k * def->friction);
        tyi_bed_field(bed, "pressure_pa", s.force / s.lasts / (TY_PI * R * R));
        tyi_bed_field(bed, "k", k);
        tyi_bed_field(bed, "janssen_pa", rho * g * l * (1.0 - exp(-def->height / l)));
        tyi_bed_field(bed, "weight_pa", rho * g * def->height);
    }
    return status;
}

static bool fallen(void *user, const tyi_dem_grain *g)
{
    silo *s = user;
    bool out = g->x.z < s->low;
    s->gone += out ? 4.0 / 3.0 * TY_PI * g->r * g->r * g->r * s->rho : 0.0;
    return out;
}

static bool row_of_hopper(tyi_bed *bed, double t, void *user)
{
    silo *s = user;
    s->rho = bed->def->grains.rho;
    tyi_dem_remove(bed->dem, fallen, s);
    if (t > s->from) {
        s->st += t, s->sm += s->gone, s->stt += t * t, s->stm += t * s->gone, s->n += 1.0;
    }
    double row[] = { t, s->gone, tyi_bed_kinetic(bed) };
    return tyi_bed_row(bed, row);
}

/* [beverloo1961]: W = 0.58 rho_b sqrt(g) (D - 1.4 d)^2.5; the silo is two and a half times as wide as the hole. */
ty_status tyi_bed_hopper(tyi_bed *bed)
{
    const ty_bed_def *def = bed->def;
    ty_bed_result *out = bed->out;
    double D = def->diameter[0], d = def->spacing;
    silo s = { .piece = def->seconds / 100.0, .from = 0.4 * def->seconds, .low = -6.0 * d };
    if (!(def->diameters && def->height > D)) {
        return ty_fail(bed->diag, TY_ERR_RANGE, "bed: a hopper takes a hole, and soil deeper than that is wide");
    }
    s.body[FLOOR] = (tyi_crm_body){ .shape = TYI_CRM_HOLE,
                                    .a = 0.5 * D,
                                    .c = 0.25 * d,
                                    .friction = def->grains.mu,
                                    .pose = { { 0.0, 0.0, -0.25 * d }, ty_quat_identity() } };
    s.body[PLUG] =
        (tyi_crm_body){ .shape = TYI_CRM_PLANE, .friction = def->grains.mu, .pose = { .q = ty_quat_identity() } };
    ty_status status = fill_silo(bed, &s, 1.25 * D, BODIES);
    out->columns = 3;
    out->column[0] = "t [s]", out->column[1] = "run out [kg]", out->column[2] = "kinetic energy [J]";
    s.body[PLUG].off = true;
    status = status == TY_OK ? tyi_bed_go(bed, def->seconds, s.piece, s.body, BODIES, NULL, row_of_hopper, &s) : status;
    status = status == TY_OK ? tyi_bed_keep(bed) : status;
    if (status == TY_OK) {
        double rate = (s.n * s.stm - s.st * s.sm) / (s.n * s.stt - s.st * s.st);
        tyi_bed_field(bed, "kg_per_s", rate);
        tyi_bed_field(bed, "beverloo",
                      0.58 * bed->fraction * def->grains.rho * sqrt(def->gravity) * pow(D - 1.4 * d, 2.5));
    }
    return status;
}
