/* src/study/check_scenario.c - scenarios and data sets, and the files that they name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "check.h"
#include "sim/run.h"
#include "tycho/run.h"
#include "tycho/tools/dataset.h"
#include "tycho/tools/model.h"
#include "tycho/tools/raster.h"
#include "tycho/tools/testbed.h"
#include "io/inner.h"
#include "io/rasters.h"
#include "scenario/inner.h"
#include "soil/soil_file.h"
#include "vehicle/driver.h"
#include "vehicle/schedule.h"

static ty_status check_sensors(const ty_sensor_def *sensor, size_t count, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = tyi_study_check_sensor(&sensor[i], diag);
    }
    return status;
}

/* the mounts that its sensors name */
static ty_status check_mounts(const tyi_study_check *c, const ty_scenario_rover *r, const ty_vehicle *vehicle,
                              ty_diag *diag)
{
    const ty_vehicle_mount *mount;
    int mounts = ty_vehicle_mounts(vehicle, &mount);
    for (size_t i = 0; i < r->sensors; i++) {
        const char *name = r->sensor[i].mount;
        if (name[0] && ty_vehicle_find_mount(vehicle, name) < 0) {
            char has[300] = "";
            for (int k = 0; k < mounts; k++) {
                tyi_io_say(has, sizeof has, "%s%s", k ? ", " : "", mount[k].name);
            }
            return ty_fail(diag, TY_ERR_INPUT, "%s: rover '%s', sensor '%s': mount is '%s', but %s has %s", c->path,
                           r->name, r->sensor[i].name, name, r->model, has[0] ? has : "none");
        }
    }
    return TY_OK;
}

static ty_status check_rover(tyi_study_check *c, const ty_scenario_rover *r, const ty_scenario_soil *soil,
                             ty_diag *diag)
{
    ty_terrain *terrain = NULL;
    ty_vehicle *vehicle = NULL;
    tyi_vehicle_driver *driver = NULL;
    tyi_vehicle_schedule *table = NULL, *moves = NULL;
    ty_status status = tyi_study_check_vehicle(r->model, &terrain, &vehicle, diag);
    if (status == TY_OK) {
        fprintf(c->lines, "  rover %s: %s, %.4g kg, %d wheels, %zu sensor%s, soil %s%s%s\n", r->name, r->model,
                ty_vehicle_mass(vehicle), ty_vehicle_wheels(vehicle, NULL), r->sensors, r->sensors == 1 ? "" : "s",
                ty_soil_model_name((ty_soil_model_kind)soil->model), soil->file[0] ? " of " : "", soil->file);
        status = check_mounts(c, r, vehicle, diag);
        status = status == TY_OK ? tyi_sim_rover_speed(r, vehicle, diag) : status;
    }
    if (status == TY_OK && r->driver.kind == TY_DRIVER_TABLE) {
        status = tyi_vehicle_driver_table(r->driver.table, vehicle, NULL, &driver, diag);
    }
    if (status == TY_OK && r->commands[0]) {
        status = tyi_vehicle_schedule_table(r->commands, vehicle, NULL, &table, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_rover_moves(r, vehicle, &moves, diag);
    }
    tyi_vehicle_schedule_free(table);
    tyi_vehicle_schedule_free(moves);
    if (status == TY_OK) {
        status = check_sensors(r->sensor, r->sensors, diag);
    }
    tyi_vehicle_driver_destroy(driver);
    ty_vehicle_destroy(vehicle);
    ty_terrain_destroy(terrain);
    return status;
}

/* every soil's file, for its model */
static ty_status check_soils(const ty_scenario *s, ty_scenario_soil *base, ty_diag *diag)
{
    ty_status status = tyi_scenario_soil_of(s, base, diag);
    for (size_t i = 0; i <= s->soil_regions && status == TY_OK; i++) {
        const ty_scenario_soil *soil = i ? &s->soil_region[i - 1].soil : base;
        ty_soil_def def = ty_soil_def_default();
        def.model = (ty_soil_model_kind)soil->model;
        status = soil->file[0] ? tyi_soil_def_load(soil->file, &def, diag) : TY_OK;
    }
    return status;
}

static ty_status check_actor(tyi_study_check *c, const ty_scenario_actor *a, ty_diag *diag)
{
    tyi_sim_actor actor = { .def = a };
    ty_status status = a->trajectory[0] ? tyi_sim_actor_read(&actor, diag) : TY_OK;
    if (status == TY_OK && a->mesh[0]) {
        ty_mesh mesh = { 0 };
        status = tyi_io_mesh_read(a->mesh, a->scale, &mesh, diag);
        tyi_io_mesh_free(&mesh);
    }
    if (status == TY_OK) {
        fprintf(c->lines, "  actor %s: %zu sensor%s%s%s\n", a->name, a->sensors, a->sensors == 1 ? "" : "s",
                a->trajectory[0] || a->fmu[0] ? ", moves by " : "", a->fmu[0] ? a->fmu : a->trajectory);
        status = check_sensors(a->sensor, a->sensors, diag);
    }
    tyi_sim_actor_free(&actor);
    return status;
}

/* the raster under the site: how steep it is there */
static ty_status check_raster(tyi_study_check *c, const char *path, int band, const ty_scenario *s, ty_diag *diag)
{
    tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *raster = NULL;
    def.band = band;
    ty_status status = path[0] ? tyi_io_raster_open(path, &def, &raster, diag) : TY_OK;
    if (raster) {
        const tyi_io_raster_info *i = tyi_io_raster_get_info(raster);
        fprintf(c->lines, "  raster %s: %d x %d samples, %.4g m apart%s%s\n", path, i->width, i->height, i->spacing,
                i->note[0] ? "; " : "", i->note);
        tyi_study_check_slopes(c, raster, s->terrain.lat, s->terrain.lon);
    }
    tyi_io_raster_close(raster);
    return status;
}

/* the ground as a run makes it: what it refuses is refused here */
static ty_status check_ground(tyi_study_check *c, const ty_scenario *s, ty_diag *diag)
{
    ty_world *world = NULL;
    ty_status status = ty_scenario_create_world(s, &world, diag);
    const ty_raster_spectrum *spectrum = status == TY_OK ? ty_world_spectrum(world) : NULL;
    if (spectrum && spectrum->filled) {
        fprintf(c->lines, "  note: %d of %d heights around the site are missing and were taken from their neighbours\n",
                spectrum->filled, spectrum->samples * spectrum->samples);
    }
    ty_world_destroy(world);
    return status;
}

static ty_status check_object(const ty_scenario_object *o, ty_diag *diag)
{
    ty_model model = { 0 };
    ty_status status = o->file[0] ? ty_model_read(o->file, o->scale, &model, diag) : TY_OK;
    ty_model_free(&model);
    const char *const pictures[] = { o->texture, o->normals };
    for (int i = 0; i < 2 && status == TY_OK; i++) {
        ty_image image = { 0 };
        status = pictures[i][0] ? tyi_io_image_read(pictures[i], &image, diag) : TY_OK;
        ty_image_free(&image);
    }
    return status;
}

static ty_status check_place(tyi_study_check *c, const ty_scenario *s, ty_diag *diag)
{
    ty_status status = check_raster(c, s->base_path, 0, s, diag);
    for (size_t i = 0; i < s->layers && status == TY_OK; i++) {
        status = check_raster(c, s->layer[i].raster, s->layer[i].band, s, diag);
    }
    status = status == TY_OK ? check_ground(c, s, diag) : status;
    for (size_t i = 0; i < s->objects && status == TY_OK; i++) {
        status = check_object(&s->object[i], diag);
    }
    return status;
}

/* ---- what a run will need ---- */

/* sensors and soils that only a program of the user's own brings */
static size_t user_kinds(const ty_scenario *s)
{
    size_t n = s->soil.model == TY_SOIL_USER;
    for (size_t i = 0; i < s->soil_regions; i++) {
        n += s->soil_region[i].soil.model == TY_SOIL_USER;
    }
    for (size_t i = 0; i < s->rovers; i++) {
        n += s->rover[i].soil.model == TY_SOIL_USER;
        for (size_t k = 0; k < s->rover[i].sensors; k++) {
            n += s->rover[i].sensor[k].kind == TY_SENSOR_USER;
        }
    }
    return n;
}

/* A run is made as `tycho run` makes it, and what it will take is summed up. */
static ty_status check_run(tyi_study_check *c, const ty_scenario *s, ty_diag *diag)
{
    ty_run_def def = ty_run_def_default();
    ty_run *run = NULL;
    def.scenario = s;
    ty_status status = ty_run_create(&def, &run, diag);
    if (status == TY_OK) {
        fprintf(c->lines, "  a run: %s for %g s\n", ty_run_get_stats(run).need, s->duration);
    }
    ty_run_destroy(run);
    return status;
}

ty_status tyi_study_check_scenario(tyi_study_check *c, ty_diag *diag)
{
    ty_scenario *s;
    ty_status status = ty_scenario_load(c->path, c->settings, c->count, &s, diag);
    if (status != TY_OK) {
        return status;
    }
    snprintf(c->about, sizeof c->about, "scenario, %zu key%s", s->keys, s->keys == 1 ? "" : "s");
    status = check_place(c, s, diag);
    ty_scenario_soil soil;
    status = status == TY_OK ? check_soils(s, &soil, diag) : status;
    for (size_t i = 0; i < s->rovers && status == TY_OK; i++) {
        status = check_rover(c, &s->rover[i], &soil, diag);
    }
    for (size_t i = 0; i < s->actors && status == TY_OK; i++) {
        status = check_actor(c, &s->actor[i], diag);
    }
    s->settle = false; /* it takes seconds, and refuses nothing */
    status = status == TY_OK && s->rovers + s->actors > 0 && user_kinds(s) == 0 ? check_run(c, s, diag) : status;
    ty_scenario_destroy(s);
    return status;
}

ty_status tyi_study_check_dataset(tyi_study_check *c, ty_diag *diag)
{
    ty_dataset_def *def;
    ty_status status = ty_dataset_load(c->path, c->settings, c->count, &def, diag);
    if (status != TY_OK) {
        return status;
    }
    snprintf(c->about, sizeof c->about, "data set %s, %zu site%s, pictures of %d x %d", def->name, def->sites,
             def->sites == 1 ? "" : "s", def->width, def->height);
    for (size_t i = 0; i < def->sites && status == TY_OK; i++) {
        ty_scenario *s = NULL;
        status = ty_scenario_load(def->site[i].scenario, NULL, 0, &s, diag);
        ty_scenario_destroy(s);
    }
    ty_dataset_def_destroy(def);
    return status;
}
