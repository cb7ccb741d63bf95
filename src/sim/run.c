/* src/sim/run.c - see tycho/run.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core.h"
#include "looks.h"
#include "tycho/run.h"
#include "tycho/testbed.h"

typedef struct rover {
    const ty_scenario_rover *def;
    ty_vehicle *vehicle;
    ty_driver *driver; /* NULL: stands */
    bool driving;
    tyi_looks looks;   /* its shapes in the scene */
    ty_time *next;     /* of each camera: when its next frame is due */
} rover;

struct ty_run {
    ty_scenario scenario;
    ty_world *world;
    ty_scene *scene; /* made when the first frame is asked for */
    rover *rover;
    size_t rovers;
    ty_time time, step;
};

static ty_status make_driver(const ty_scenario_driver *def, ty_driver **out, ty_diag *diag)
{
    ty_drive_command command = { .v = def->v, .omega = def->omega };
    ty_path_def path = ty_path_def_default();
    switch ((ty_driver_kind)def->kind) {
    case TY_DRIVER_STAND:
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

static ty_status make_rover(ty_run *run, rover *r, const ty_scenario_rover *def, ty_diag *diag)
{
    r->def = def;
    r->driving = def->driver.kind != TY_DRIVER_STAND;
    ty_vehicle_def vehicle = ty_vehicle_def_default();
    vehicle.rover = def->model;
    vehicle.terrain = ty_world_terrain(run->world);
    vehicle.x = def->x, vehicle.y = def->y, vehicle.yaw = def->yaw;
    vehicle.soil.model = (ty_soil_model_kind)def->soil_model;
    vehicle.soil.grid.spacing = def->soil_spacing, vehicle.soil.grid.lugs = def->soil_lugs;
    ty_status status = TY_OK;
    if (def->soil_file[0]) {
        status = ty_soil_load(def->soil_file, NULL, 0, &vehicle.soil.bekker, diag);
    }
    if (status == TY_OK) {
        status = ty_vehicle_create(&vehicle, &r->vehicle, diag);
    }
    if (status == TY_OK) {
        status = make_driver(&def->driver, &r->driver, diag);
    }
    r->next = tyi_get(NULL, (def->cameras + 1) * sizeof *r->next);
    if (status == TY_OK && !r->next) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu cameras", def->cameras);
    }
    for (size_t c = 0; c < def->cameras && status == TY_OK; c++) {
        r->next[c] = ty_time_from(def->camera[c].start);
        if (def->camera[c].mount[0] && ty_vehicle_find_mount(r->vehicle, def->camera[c].mount) < 0) {
            status = ty_fail(diag, TY_ERR_INPUT, "rover '%s', camera '%s': there is no mount '%s' in %s", def->name,
                             def->camera[c].name, def->camera[c].mount, def->model);
        }
    }
    return status;
}

ty_status ty_run_create(const ty_scenario *scenario, ty_run **out, ty_diag *diag)
{
    *out = NULL;
    ty_run *run = tyi_get(NULL, sizeof *run);
    if (!run) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
    }
    run->scenario = *scenario;
    run->step = ty_time_from(scenario->step);
    run->rovers = scenario->rovers;
    run->rover = tyi_get(NULL, (run->rovers + 1) * sizeof *run->rover);
    ty_status status = run->rover ? ty_world_create(scenario, &run->world, diag)
                                  : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu rovers", run->rovers);
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = make_rover(run, &run->rover[i], &scenario->rover[i], diag);
    }
    if (status != TY_OK) {
        ty_run_destroy(run);
        return status;
    }
    *out = run;
    return TY_OK;
}

void ty_run_destroy(ty_run *run)
{
    if (!run) {
        return;
    }
    for (size_t i = 0; run->rover && i < run->rovers; i++) {
        rover *r = &run->rover[i];
        tyi_looks_free(&r->looks);
        ty_driver_destroy(r->driver);
        ty_vehicle_destroy(r->vehicle);
        tyi_put(NULL, r->next, r->def ? (r->def->cameras + 1) * sizeof *r->next : 0);
    }
    ty_scene_destroy(run->scene);
    ty_world_destroy(run->world);
    tyi_put(NULL, run->rover, (run->rovers + 1) * sizeof *run->rover);
    tyi_put(NULL, run, sizeof *run);
}

ty_time ty_run_time(const ty_run *run)
{
    return run->time;
}

bool ty_run_done(const ty_run *run)
{
    return run->time >= ty_time_from(run->scenario.duration);
}

bool ty_run_driving(const ty_run *run)
{
    for (size_t i = 0; i < run->rovers; i++) {
        if (run->rover[i].driving) {
            return true;
        }
    }
    return false;
}

#define DRIVER_PERIOD (TY_SECOND / 50) /* drivers think at 50 Hz */

static ty_status drive(rover *r, ty_diag *diag)
{
    ty_vehicle_state state;
    ty_drive_command command = { 0 };
    ty_vehicle_get(r->vehicle, &state);
    if (r->driver) {
        r->driving = ty_driver_command(r->driver, &state, &command);
    }
    return ty_vehicle_command(r->vehicle, &command, diag);
}

ty_status ty_run_step(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        rover *r = &run->rover[i];
        if (run->time % DRIVER_PERIOD < run->step) {
            status = drive(r, diag);
        }
        if (status == TY_OK) {
            status = ty_vehicle_step(r->vehicle, run->scenario.step, diag);
        }
    }
    /* ruts after all rovers have moved, in their order, so that none sees another's of the same step */
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = ty_vehicle_ground(run->rover[i].vehicle, diag);
    }
    run->time += run->step;
    return status;
}

ty_world *ty_run_world(ty_run *run)
{
    return run->world;
}

size_t ty_run_rovers(const ty_run *run)
{
    return run->rovers;
}

ty_vehicle *ty_run_rover(ty_run *run, size_t index)
{
    return run->rover[index].vehicle;
}

ty_sky_view ty_run_sky(const ty_run *run)
{
    ty_sky sky;
    ty_utc now = ty_utc_add(ty_world_start(run->world), run->time);
    if (ty_sky_at(now, &sky, NULL) != TY_OK) { /* past 2099: the last sky there is */
        return (ty_sky_view){ 0 };
    }
    return ty_sky_view_at(&sky, ty_terrain_site(ty_world_terrain(run->world)));
}

bool ty_run_due(ty_run *run, size_t *at, size_t *camera, ty_time *when)
{
    bool found = false;
    for (size_t i = 0; i < run->rovers; i++) {
        const rover *r = &run->rover[i];
        for (size_t c = 0; c < r->def->cameras; c++) {
            if (r->next[c] <= run->time && (!found || r->next[c] < *when)) {
                found = true;
                *at = i, *camera = c, *when = r->next[c];
            }
        }
    }
    if (found) {
        run->rover[*at].next[*camera] += ty_time_from(run->rover[*at].def->camera[*camera].period);
    }
    return found;
}

static ty_status make_scene(ty_run *run, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = ty_world_terrain(run->world);
    ty_status status = ty_scene_create(&def, &run->scene, diag);
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_looks_add(&run->rover[i].looks, run->rover[i].vehicle, run->scene, diag);
    }
    return status;
}

ty_status ty_run_render(ty_run *run, const ty_camera *camera, const ty_render_def *def, const ty_buffers *buffers, ty_diag *diag)
{
    ty_status status = run->scene ? TY_OK : make_scene(run, diag);
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_looks_move(&run->rover[i].looks, run->rover[i].vehicle, run->scene, diag);
    }
    ty_sky_view sky = ty_run_sky(run);
    if (status == TY_OK) {
        status = ty_scene_set_sky(run->scene, &sky, NULL, diag);
    }
    if (status == TY_OK) {
        ty_render_def seeded = *def;
        seeded.seed = (uint64_t)run->time;
        status = ty_render(run->scene, camera, &seeded, buffers, diag);
    }
    return status;
}

ty_status ty_run_frame(ty_run *run, size_t at, size_t index, const ty_buffers *buffers, ty_camera *out_camera, ty_diag *diag)
{
    const rover *r = &run->rover[at];
    const ty_scenario_camera *def = &r->def->camera[index];
    ty_vehicle_state state;
    ty_vehicle_get(r->vehicle, &state);
    int mount = def->mount[0] ? ty_vehicle_find_mount(r->vehicle, def->mount) : -1;
    ty_pose pose = mount >= 0 ? ty_vehicle_mount_pose(r->vehicle, mount) : state.pose;
    /* a mount looks along its x with z up; a camera along its z with y down */
    const ty_pose optical = { { 0, 0, 0 }, { 0.5, -0.5, 0.5, -0.5 } };
    ty_camera camera = ty_camera_default();
    camera.width = def->width;
    camera.height = def->height;
    camera.hfov = def->hfov;
    camera.pose = ty_pose_mul(pose, optical);
    if (out_camera) {
        *out_camera = camera;
    }
    ty_render_def render = ty_render_def_default();
    render.samples = def->samples;
    return ty_run_render(run, &camera, &render, buffers, diag);
}
