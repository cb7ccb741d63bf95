/* src/sim/run_rover.c - a scenario's rover put on the ground, with its driver.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

static ty_status make_driver(const ty_scenario_driver *def, ty_driver **out, ty_diag *diag)
{
    ty_drive_command command = { .v = def->v, .omega = def->omega };
    ty_driver_path_def path = ty_driver_path_def_default();
    switch ((ty_driver_kind)def->kind) {
    case TY_DRIVER_STAND:
    case TY_DRIVER_EXTERNAL:
        return TY_OK;
    case TY_DRIVER_CONSTANT:
        return ty_driver_constant(&command, NULL, out, diag);
    case TY_DRIVER_TABLE:
        return ty_driver_table(def->table, NULL, out, diag);
    case TY_DRIVER_WAYPOINTS:
        break;
    }
    size_t bytes = def->points * sizeof(ty_waypoint);
    ty_waypoint *points = tyi_get(NULL, bytes);
    if (!points) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu waypoints", def->points);
    }
    for (size_t i = 0; i < def->points; i++) {
        points[i] = (ty_waypoint){ def->point[i].x, def->point[i].y, def->point[i].arrive };
    }
    path.points = points;
    path.count = def->points;
    path.speed = def->speed;
    ty_status status = ty_driver_path(&path, out, diag);
    tyi_put(NULL, points, bytes);
    return status;
}

ty_status tyi_sim_rover_make(ty_run *run, tyi_sim_rover_run *r, const ty_scenario_rover *def, ty_diag *diag)
{
    r->def = def;
    r->driving = def->driver.kind != TY_DRIVER_STAND;
    ty_vehicle_def vehicle = def->vehicle;
    vehicle.rover = def->model;
    vehicle.terrain = ty_world_terrain(run->world);
    vehicle.world = run->soil;
    vehicle.gravity = run->scenario.gravity;
    ty_status status = ty_vehicle_create(&vehicle, &r->vehicle, diag);
    if (status == TY_OK) {
        status = make_driver(&def->driver, &r->driver, diag);
        r->frame0 = run->frames;
        run->frames += (size_t)ty_vehicle_bodies(r->vehicle) + 1;
    }
    return status;
}

void tyi_sim_rover_free(tyi_sim_rover_run *r)
{
    tyi_sim_looks_free(&r->looks);
    ty_driver_destroy(r->driver);
    ty_vehicle_destroy(r->vehicle);
}

ty_status tyi_sim_rover_drive(tyi_sim_rover_run *r, ty_diag *diag)
{
    ty_vehicle_state state;
    ty_drive_command command = { 0 };
    ty_vehicle_get(r->vehicle, &state);
    if (r->driver) {
        r->driving = ty_driver_command(r->driver, &state, &command);
    }
    return ty_vehicle_command(r->vehicle, &command, diag);
}
