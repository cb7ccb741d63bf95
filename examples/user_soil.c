/* examples/user_soil.c - a soil model of one's own: an elastic bed (a Winkler foundation) with Coulomb friction. A scenario whose `soil` is
 * {model: user, user: winkler} stands on it:   ./user_soil user_soil.yaml
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <tycho/math.h>
#include <tycho/run.h>

#define BED      4e5 /* [N/m^3] pressure per depth */
#define DAMPING  0.7 /* [-] of critical */
#define FRICTION 0.6
#define CREEP    0.02 /* [m/s] below this friction grows with speed */

/* The wheel as a flat of its width, as long as the chord that the bed's surface cuts off its rim: one call per step, all wheels. */
static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    (void)state, (void)def, (void)dt, (void)diag;
    for (int i = 0; i < count; i++) {
        const ty_soil_plane *p = at[i].plane;
        ty_soil_load *load = at[i].load;
        double h = 0.0, r = at[i].def->wheel.r;
        for (int k = 0; k < p->slices; k++) {
            h += p->h[k] / p->slices;
        }
        if (h <= 0.0) {
            continue; /* in the air: the load comes as zero */
        }
        double area = at[i].def->wheel.b * 2.0 * sqrt(fmax(2.0 * r * h - h * h, 0.0)), k = BED * area;
        double slide = p->v_x - p->radius * at[i].state->omega, speed = hypot(slide, p->v_y);
        load->sinkage = h;
        load->fz = fmax(k * h + 2.0 * DAMPING * sqrt(k * at[i].def->weight / TY_GRAVITY_MOON) * p->h_rate, 0.0);
        load->fx = -FRICTION * load->fz * slide / fmax(speed, CREEP);
        load->fy = -FRICTION * load->fz * p->v_y / fmax(speed, CREEP);
        load->resistance = load->fx * p->radius;
        ty_soil_wrench(&at[i], load->fy * r, 0.0, 0.0);
    }
    return TY_OK;
}

int main(int argc, char **argv)
{
    static const ty_soil_model winkler = { .name = "winkler", .step = step };
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    ty_run_def def = ty_run_def_default();
    def.soil_model = &winkler, def.soil_models = 1;
    if (argc != 2 || ty_scenario_load(argv[1], NULL, 0, &scenario, &diag)) {
        fprintf(stderr, "%s\n", argc == 2 ? diag.text : "usage: user_soil SCENARIO");
        return 2;
    }
    def.scenario = scenario;
    ty_status status = ty_run_create(&def, &run, &diag);
    while (status == TY_OK && !ty_run_done(run)) {
        status = ty_run_step(run, &diag);
    }
    if (status != TY_OK) {
        fprintf(stderr, "%s\n", diag.text);
        return 2;
    }
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(run, 0), &s);
    /* at rest the bed's law gives the depth: load = BED b 2 sqrt(2 r h) h */
    double load = s.wheel[0].fz, law = pow(load / (BED * 0.2 * 2.0 * sqrt(2.0 * 0.225)), 2.0 / 3.0);
    printf("%.2f m driven; front left wheel: %.1f N, %.1f mm deep, the bed's law says %.1f mm\n", s.odometer, load,
           1e3 * s.wheel[0].sinkage, 1e3 * law);
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return 0;
}
