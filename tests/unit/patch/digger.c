/* tests/unit/patch/digger.c - see digger.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "digger.h"
#include "soil/patch/patch.h"
#include "world/terrain/inner.h"

const ty_soil_tool digger_drum = {
    .kind = TY_TOOL_DRUM, .radius = 0.2, .width = 0.2, .sheet = 0.003, .scoops = 1, .friction = 0.5
};

ty_soil_def digger_soil(void)
{
    ty_soil_def def = ty_soil_def_default();
    def.patch.model = TY_PATCH_CRM;
    def.patch.follow = TY_PATCH_TOOL;
    def.patch.spacing = 0.05;
    def.patch.e = 2e5;
    def.patch.threads = 1;
    return def;
}

/* a wheel in the air far from the drum, which shares the soil but has no particles, and the drum */
ty_status digger_come(digger *g, ty_diag *diag)
{
    const ty_soil_body_def body[2] = {
        { .wheel = { 0.2, 0.1, 0.01, 12 }, .mass = 5.0, .rim_mass = 3.0, .weight = 10.0 },
        { .wheel = { .r = 0.2, .b = 0.2 }, .mass = 8.0, .rim_mass = 3.0, .weight = 12.0, .tool = &digger_drum }
    };
    tyi_soil_world_def wd = { .terrain = g->terrain, .gravity = 1.62, .soil = &g->soil, .soils = 1 };
    int number = 0;
    int32_t i0, j0;
    bool moved;
    ty_status status = tyi_soil_world_create(&wd, &g->world, diag);
    status = status == TY_OK ? tyi_soil_world_join(g->world, body, 2, 2.5, false, 0.1, &number, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    g->rider = g->world->rider[number];
    tyi_soil_ground_around(g->world, &g->rider->ground, 0.0, 0.0, &i0, &j0);
    return tyi_soil_ground_move(g->world, &g->rider->ground, i0, j0, &moved, diag);
}

ty_status digger_begin(digger *g, const ty_soil_def *soil, double slope_deg, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    *g = (digger){ .soil = *soil, .z = 0.21 };
    def.extent = 100.0;
    def.relief.rms_slope_deg = slope_deg;
    def.crater.on = def.rock.on = false;
    cr_assert(ty_terrain_create(&def, &g->terrain, diag) == TY_OK, "%s", diag->text);
    double x = 0.0, y = 0.0, ground = 0.0;
    cr_assert(ty_terrain_sample(g->terrain, 0, 1, &x, &y, &ground, NULL, NULL) == TY_OK);
    g->z += ground;
    return digger_come(g, diag);
}

void digger_stop(digger *g)
{
    tyi_soil_world_destroy(g->world);
    ty_terrain_destroy(g->terrain);
}

/* the drum is led: along x and z at speeds [m/s], turning at `rate` [rad/s] */
void digger_lead(digger *g, double seconds, double along, double up, double rate)
{
    double dt = 2e-3;
    ty_diag diag = { 0 };
    for (int k = 0; k < (int)(seconds / dt + 0.5); k++) {
        ty_soil_body *b = g->rider->body;
        b[0] = (ty_soil_body){ .centre = { 0.0, 1.5, 3.0 }, .axle = { 0, 1, 0 }, .q = ty_quat_identity() };
        b[1] = (ty_soil_body){ .centre = { g->x, 0.0, g->z },
                               .axle = { 0, 1, 0 },
                               .v = { along, 0, up },
                               .w = { 0, rate, 0 },
                               .omega = rate,
                               .q = ty_quat_axis(ty_vec3_make(0, 1, 0), g->turn) };
        cr_assert(tyi_soil_world_step(g->world, dt, &diag) == TY_OK, "%s", diag.text);
        const ty_soil_load *load = &g->rider->load[1];
        g->torque -= load->torque.y * dt;
        g->work -= (load->torque.y * rate + load->force.x * along + load->force.z * up) * dt;
        g->x += dt * along, g->z += dt * up, g->turn += dt * rate;
        b[1].centre = ty_vec3_make(g->x, 0.0, g->z);
        tyi_terrain_patch_sync(g->rider->ground.patch);
        cr_assert(tyi_soil_world_press(g->world, 0, &diag) == TY_OK, "%s", diag.text);
    }
}

void *digger_particles(const digger *g)
{
    return g->world->layer[g->world->layer[0].patch].state;
}
