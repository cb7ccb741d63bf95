/* src/sim/run_dust_source.c - what raises dust in a run: wheels, drums and blades, particles of soil, plumes of actors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "run.h"
#include "run_dust.h"
#include "soil/world.h"
#include "vehicle/inner.h"

#define FENDER_GAP  0.05            /* [m] between rim and fender: chosen */
#define FENDER_SIDE 0.04            /* [m] of a fender beyond each side of its wheel: chosen */
#define SLOWEST     0.3             /* [-] of a blade's speed, and of a plume's fastest grains: chosen */
#define BLADE_LOW   (15.0 * TY_DEG) /* what a blade throws rises so steeply at least, */
#define BLADE_HIGH  (60.0 * TY_DEG) /* and at most: chosen */
#define BLADE_ASIDE (30.0 * TY_DEG) /* to either side: chosen */

/* ---- room ---- */

static ty_status find_actor(const ty_run *run, const ty_dust_plume *p, size_t number, int *out, ty_diag *diag)
{
    for (size_t i = 0; i < run->scenario.actors; i++) {
        if (!strcmp(run->scenario.actor[i].name, p->actor)) {
            *out = (int)i;
            return TY_OK;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT, "dust.plumes.%zu.actor: there is no actor '%s' in this scenario", number,
                   p->actor);
}

static ty_status check_rovers(const ty_run *run, ty_diag *diag)
{
    const ty_dust_params *p = &run->scenario.dust;
    for (size_t k = 0; k < p->actions; k++) {
        bool found = !p->action[k].rover[0];
        for (size_t i = 0; i < run->rovers && !found; i++) {
            found = !strcmp(run->scenario.rover[i].name, p->action[k].rover);
        }
        if (!found) {
            return ty_fail(diag, TY_ERR_INPUT, "dust.clean.%zu.rover: there is no rover '%s' in this scenario", k,
                           p->action[k].rover);
        }
    }
    return TY_OK;
}

ty_status tyi_sim_dust_sources(const ty_run *run, tyi_sim_dust *d, ty_diag *diag)
{
    const ty_dust_params *p = &run->scenario.dust;
    ty_status status = check_rovers(run, diag);
    for (size_t i = 0; i < run->rovers; i++) {
        ty_soil_body body[TY_TOOLS_MAX];
        const ty_soil_tool *shape[TY_TOOLS_MAX];
        d->wheels += ty_vehicle_wheels(run->rover[i].vehicle, NULL);
        for (int k = 0, n = tyi_vehicle_tool_motions(run->rover[i].vehicle, body, shape); k < n; k++) {
            *(shape[k]->kind == TY_TOOL_DRUM ? &d->wheels : &d->jets) += 1;
        }
    }
    for (size_t k = 0; k < p->plumes && status == TY_OK; k++) {
        status = find_actor(run, &p->plume[k], k, &d->plume_actor[k], diag);
    }
    d->jets += (int)p->plumes;
    d->seed_room = tyi_soil_world_loose_most(run->soil);
    d->wheel = tyi_get(NULL, (size_t)(d->wheels + 1) * sizeof *d->wheel);
    d->jet = tyi_get(NULL, (size_t)(d->jets + 1) * sizeof *d->jet);
    d->seed = d->seed_room ? tyi_get(NULL, d->seed_room * sizeof *d->seed) : NULL;
    bool got = d->wheel && d->jet && (d->seed || !d->seed_room);
    return status != TY_OK || got ? status : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for what raises dust");
}

void tyi_sim_dust_sources_free(tyi_sim_dust *d)
{
    tyi_put(NULL, d->wheel, d->wheel ? (size_t)(d->wheels + 1) * sizeof *d->wheel : 0);
    tyi_put(NULL, d->jet, d->jet ? (size_t)(d->jets + 1) * sizeof *d->jet : 0);
    tyi_put(NULL, d->seed, d->seed ? d->seed_room * sizeof *d->seed : 0);
}

/* ---- wheels ---- */

static int read_wheels(const ty_run *run, tyi_sim_dust *d)
{
    int n = 0;
    for (size_t i = 0; i < run->rovers; i++) {
        ty_vehicle_state s;
        ty_wheel_info info[TY_WHEELS_MAX];
        ty_vehicle_get(run->rover[i].vehicle, &s);
        ty_vehicle_wheels(run->rover[i].vehicle, info);
        int carrier = tyi_vehicle_carrier(run->rover[i].vehicle);
        ty_vec3 turn = ty_rotate(s.pose.q, s.omega_B);
        for (int w = 0; w < s.wheels; w++, n++) {
            const ty_wheel_view *from = &s.wheel[w];
            tyi_dust_fender fender = { info[w].fender, FENDER_GAP, FENDER_SIDE };
            d->wheel[n] = (tyi_dust_wheel){ .group = (int)i,
                                            .contact = from->contact && !tyi_soil_world_stirs(run->soil, carrier, w),
                                            .p_W = from->p_W,
                                            .v_W = ty_add(s.v_W, ty_cross(turn, ty_sub(from->p_W, s.pose.p))),
                                            .forward = from->forward_W,
                                            .normal = from->normal_W,
                                            .omega = from->omega,
                                            .r = info[w].shape.r,
                                            .b = info[w].shape.b,
                                            .lug = info[w].shape.grouser_h,
                                            .sinkage = from->sinkage,
                                            .fender = run->scenario.dust.fenders ? fender : (tyi_dust_fender){ 0 } };
        }
    }
    return n;
}

/* ---- tools ---- */

static ty_status ground_below(const ty_run *run, ty_vec3 at, double *z, ty_diag *diag)
{
    ty_terrain *t = ty_world_terrain(run->world);
    double half = 0.5 * ty_terrain_get_def(t)->extent, x = fmin(fmax(at.x, -half), half),
           y = fmin(fmax(at.y, -half), half);
    return ty_terrain_sample(t, 0, 1, &x, &y, z, NULL, diag);
}

/* a drum is a wheel without lugs that stands as deep in the soil as it is */
static tyi_dust_wheel drum_of(const ty_soil_body *b, const ty_soil_tool *shape, double ground, bool stirs, int group)
{
    ty_vec3 up = { 0, 0, 1 };
    double depth = ground - (b->centre.z - shape->radius);
    return (tyi_dust_wheel){ .group = group,
                             .contact = depth > 0.0 && depth < 2.0 * shape->radius && !stirs,
                             .p_W = b->centre,
                             .v_W = b->v,
                             .forward = ty_normalize(ty_cross(b->axle, up)),
                             .normal = up,
                             .omega = b->omega,
                             .r = shape->radius,
                             .b = shape->width,
                             .sinkage = fmin(fmax(depth, 0.0), shape->radius) };
}

/* the lower edge of a blade, the lip of a bucket, on its way forward */
static tyi_dust_jet blade_of(const ty_run *run, const ty_soil_body *b, const ty_soil_tool *shape, double ground,
                             bool stirs, int group)
{
    ty_vec3 up = { 0, 0, 1 }, x = ty_rotate(b->q, ty_vec3_make(1, 0, 0));
    double below = shape->kind == TY_TOOL_BLADE ? 0.5 * shape->height : 0.0;
    ty_vec3 edge = ty_add(b->centre, ty_rotate(b->q, ty_vec3_make(0, 0, -below)));
    double speed = ty_dot(b->v, x), depth = ground - edge.z;
    edge.z = fmax(edge.z, ground);
    return (tyi_dust_jet){ .group = group,
                           .rate = stirs ? 0.0 : tyi_dust_cut(&run->scenario.dust, shape->width, depth, speed),
                           .p_W = edge,
                           .v_W = b->v,
                           .forward = ty_normalize(ty_vec3_make(x.x, x.y, 0.0)),
                           .normal = up,
                           .width = shape->width,
                           .aside = BLADE_ASIDE,
                           .low = BLADE_LOW,
                           .high = BLADE_HIGH,
                           .slow = SLOWEST * speed,
                           .fast = speed,
                           .life = 0.3 };
}

static ty_status read_tools(const ty_run *run, tyi_sim_dust *d, int wheels, int *jets, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers; i++) {
        const ty_vehicle *v = run->rover[i].vehicle;
        ty_soil_body body[TY_TOOLS_MAX];
        const ty_soil_tool *shape[TY_TOOLS_MAX];
        int carrier = tyi_vehicle_carrier(v), own = ty_vehicle_wheels(v, NULL);
        for (int k = 0, n = tyi_vehicle_tool_motions(v, body, shape); k < n && status == TY_OK; k++) {
            double ground = 0.0;
            bool stirs = run->rover[i].away || tyi_soil_world_stirs(run->soil, carrier, own + k);
            status = ground_below(run, body[k].centre, &ground, diag);
            if (shape[k]->kind == TY_TOOL_DRUM) {
                d->wheel[wheels++] = drum_of(&body[k], shape[k], ground, stirs, (int)i);
            } else {
                d->jet[(*jets)++] = blade_of(run, &body[k], shape[k], ground, stirs, (int)i);
            }
        }
    }
    return status;
}

/* ---- plumes ---- */

static ty_status plume_of(const ty_run *run, const ty_dust_plume *p, int actor, int group, tyi_dust_jet *out,
                          ty_diag *diag)
{
    ty_pose at = tyi_sim_actor_pose(run, &run->actor[actor], run->time);
    ty_vec3 down = ty_rotate(at.q, ty_vec3_make(0, 0, -1)), foot = at.p;
    double ground = 0.0, t = ty_seconds(run->time);
    ty_status status = TY_OK;
    for (int k = 0; k < 4 && status == TY_OK; k++) { /* where it looks at: the ground is nearly level there */
        status = ground_below(run, foot, &ground, diag);
        foot = ty_add(at.p, ty_scale((at.p.z - ground) / fmax(-down.z, 0.1), down));
    }
    double above = at.p.z - ground, half = 0.5 * ty_terrain_get_def(ty_world_terrain(run->world))->extent;
    bool on = t >= p->start && t <= p->end && down.z < -0.1 && above <= p->height && above >= 0.0;
    double life = fmin(2.0 * p->speed * sin(p->high) / run->scenario.gravity, half / p->speed);
    foot.z = ground + 0.01;
    *out = (tyi_dust_jet){ .group = group,
                           .rate = on ? p->rate : 0.0,
                           .p_W = foot,
                           .forward = { 1, 0, 0 },
                           .normal = { 0, 0, 1 },
                           .radius = p->radius,
                           .aside = TY_PI,
                           .low = p->low,
                           .high = p->high,
                           .slow = SLOWEST * p->speed,
                           .fast = p->speed,
                           .life = fmax(life, 0.2) };
    return status;
}

/* ---- particles of soil ---- */

static void take_seed(void *user, int carrier, ty_vec3 at, ty_vec3 v, double size)
{
    tyi_sim_dust *d = user;
    if (d->seeds < d->seed_room) {
        d->seed[d->seeds++] = (tyi_dust_seed){ carrier, at, v, size };
    }
}

/* carriers of the soil are rovers, in their order or not */
static void name_groups(const ty_run *run, tyi_sim_dust *d)
{
    for (size_t k = 0; k < d->seeds; k++) {
        int rover = 0;
        for (size_t i = 0; i < run->rovers; i++) {
            rover = tyi_vehicle_carrier(run->rover[i].vehicle) == d->seed[k].group ? (int)i : rover;
        }
        d->seed[k].group = rover;
    }
}

ty_status tyi_sim_dust_read(const ty_run *run, tyi_sim_dust *d, ty_diag *diag)
{
    const ty_dust_params *p = &run->scenario.dust;
    int jets = 0;
    ty_status status = read_tools(run, d, read_wheels(run, d), &jets, diag);
    for (size_t k = 0; k < p->plumes && status == TY_OK; k++) {
        status = plume_of(run, &p->plume[k], d->plume_actor[k], (int)(run->rovers + k), &d->jet[jets++], diag);
    }
    d->seeds = 0;
    if (status == TY_OK && d->seed_room) {
        tyi_soil_world_fast(run->soil, p->threshold, take_seed, d);
        name_groups(run, d);
    }
    tyi_dust_also(d->dust, d->jet, d->seed, d->seeds);
    return status;
}
