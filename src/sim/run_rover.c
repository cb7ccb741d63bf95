/* src/sim/run_rover.c - a scenario's rover put on the ground, with its driver.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "run.h"
#include "run_fmu.h"
#include "vehicle/schedule.h"
#include "vehicle/vehicle.h"
#include "vehicle/driver.h"

static ty_status make_driver(const ty_scenario_driver *def, const ty_vehicle *vehicle, tyi_vehicle_driver **out,
                             ty_diag *diag)
{
    ty_drive_command command = { .v = def->v, .omega = def->omega };
    tyi_vehicle_driver_path_def path = tyi_vehicle_driver_path_def_default();
    switch ((ty_driver_kind)def->kind) {
    case TY_DRIVER_STAND:
    case TY_DRIVER_EXTERNAL:
    case TY_DRIVER_FMU: /* when sensors are made, tyi_sim_fmus_make() */
        return TY_OK;
    case TY_DRIVER_CONSTANT:
        return tyi_vehicle_driver_constant(&command, NULL, out, diag);
    case TY_DRIVER_TABLE:
        return tyi_vehicle_driver_table(def->table, vehicle, NULL, out, diag);
    case TY_DRIVER_FOLLOW:
    case TY_DRIVER_FORMATION:
        path.speed = def->speed;
        return (def->kind == TY_DRIVER_FOLLOW ? tyi_vehicle_driver_follow : tyi_vehicle_driver_formation)(&path, out,
                                                                                                          diag);
    case TY_DRIVER_WAYPOINTS:
    case TY_DRIVER_AVOID:
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
    path.give_up = def->give_up;
    ty_status status =
        (def->kind == TY_DRIVER_AVOID ? tyi_vehicle_driver_avoid : tyi_vehicle_driver_path)(&path, out, diag);
    tyi_put(NULL, points, bytes);
    return status;
}

ty_status tyi_sim_rover_speed(const ty_scenario_rover *def, const ty_vehicle *vehicle, ty_diag *diag)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(vehicle, wheel);
    double most = 0.0, told = def->driver.kind == TY_DRIVER_CONSTANT ? fabs(def->driver.v) : 0.0;
    for (int i = 0; i < wheels; i++) {
        most = fmax(most, wheel[i].stall_torque > 0.0
                              ? wheel[i].no_load_speed * (wheel[i].shape.r + wheel[i].shape.grouser_h)
                              : 0.0);
    }
    return told <= most || told == 0.0
               ? TY_OK
               : ty_fail(diag, TY_ERR_RANGE,
                         "rover '%s': its driver's v is %g m/s, but %s does %.3g m/s at most, its wheels without load",
                         def->name, def->driver.v, def->model, most);
}

ty_status tyi_sim_rover_moves(const ty_scenario_rover *def, const ty_vehicle *vehicle, tyi_vehicle_schedule **out,
                              ty_diag *diag)
{
    *out = NULL;
    if (!def->moves) {
        return TY_OK;
    }
    ty_status status = tyi_vehicle_schedule_make(def->moves, NULL, out, diag);
    for (size_t i = 0; i < def->moves && status == TY_OK; i++) {
        char where[160];
        tyi_vehicle_target target;
        snprintf(where, sizeof where, "rover '%s', commands.at.%zu", def->name, i);
        status = tyi_vehicle_target_find(vehicle, def->move[i].motor, where, &target, diag);
        if (status == TY_OK) {
            tyi_vehicle_schedule_add(*out, target, def->move[i].t, def->move[i].value);
        }
    }
    if (status != TY_OK) {
        tyi_vehicle_schedule_free(*out);
        *out = NULL;
    }
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
        r->away = r->vehicle->rider->away = def->waits;
    }
    status = status == TY_OK ? tyi_sim_rover_speed(def, r->vehicle, diag) : status;
    if (status == TY_OK) {
        status = make_driver(&def->driver, r->vehicle, &r->driver, diag);
        r->frame0 = run->frames;
        run->frames += (size_t)ty_vehicle_bodies(r->vehicle) + 1;
    }
    if (status == TY_OK && def->commands[0]) {
        status = tyi_vehicle_schedule_table(def->commands, r->vehicle, NULL, &r->table, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_rover_moves(def, r->vehicle, &r->moves, diag);
    }
    return status;
}

void tyi_sim_rover_free(tyi_sim_rover_run *r)
{
    tyi_sim_looks_free(&r->looks);
    tyi_vehicle_driver_destroy(r->driver);
    tyi_sim_fmu_free(r->fmu);
    tyi_vehicle_schedule_free(r->table);
    tyi_vehicle_schedule_free(r->moves);
    ty_vehicle_destroy(r->vehicle);
}

ty_status tyi_sim_rover_drive(tyi_sim_rover_run *r, ty_diag *diag)
{
    ty_vehicle_state state;
    ty_drive_command command = { 0 };
    ty_status status = TY_OK;
    ty_vehicle_get(r->vehicle, &state);
    double t = ty_seconds(state.time);
    if (r->fmu) {
        status = tyi_sim_fmu_drive(r->fmu, t, TYI_SIM_DRIVER_PERIOD, &command, diag);
        status = status == TY_OK ? ty_vehicle_command(r->vehicle, &command, diag) : status;
        tyi_sim_fmu_motors(r->fmu, t);
    } else if (r->def->driver.kind != TY_DRIVER_EXTERNAL) {
        bool more = r->driver && tyi_vehicle_driver_command(r->driver, &state, &command);
        r->driving = r->driver ? more : r->driving;
        status = ty_vehicle_command(r->vehicle, &command, diag);
    }
    tyi_vehicle_schedule_step(tyi_vehicle_driver_schedule(r->driver), r->vehicle, t);
    tyi_vehicle_schedule_step(r->table, r->vehicle, t);
    tyi_vehicle_schedule_step(r->moves, r->vehicle, t);
    return status;
}
