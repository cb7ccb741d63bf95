/* src/sim/run.c - see tycho/run.h: a run's life, its step, its subscribers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "body/world.h"
#include "run.h"
#include "run_dust.h"
#include "run_fmu.h"
#include "vehicle/vehicle.h"
#include "vehicle/inner.h"

ty_run_def ty_run_def_default(void)
{
    return (ty_run_def){ .overlap = true, .cookie = TYI_COOKIE };
}

static ty_status make_all(ty_run *run, ty_diag *diag)
{
    run->rover = tyi_get(NULL, (run->rovers + 1) * sizeof *run->rover);
    ty_status status = run->rover ? ty_scenario_create_world(&run->scenario, &run->world, diag)
                                  : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu rovers", run->rovers);
    if (status == TY_OK && !run->bare) {
        status = tyi_sim_device_open(run, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_soil_make(run, diag);
    }
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_sim_rover_make(run, &run->rover[i], &run->scenario.rover[i], diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_actors_make(run, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_bodies_make(run, diag);
    }
    status = status == TY_OK ? tyi_sim_others_make(run, diag) : status;
    if (status == TY_OK) {
        status = tyi_sim_dust_make(run, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_cast_make(run, diag);
    }
    if (status == TY_OK) {
        run->before = tyi_get(NULL, (run->frames + 1) * sizeof *run->before);
        run->now = tyi_get(NULL, (run->frames + 1) * sizeof *run->now);
        status = !run->before || !run->now ? ty_fail(diag, TY_ERR_MEMORY, "run: no memory for frames")
                 : run->bare               ? TY_OK
                                           : tyi_sim_sensors_make(run, diag);
    }
    status = status == TY_OK ? tyi_sim_fmus_make(run, diag) : status;
    return status == TY_OK ? tyi_sim_worker_init(run, diag) : status;
}

ty_status ty_run_create(const ty_run_def *def, ty_run **out, ty_diag *diag)
{
    return tyi_sim_create(def, false, out, diag);
}

ty_status tyi_sim_create(const ty_run_def *def, bool bare, ty_run **out, ty_diag *diag)
{
    *out = NULL;
    if (def->cookie != TYI_COOKIE || !def->scenario) {
        return ty_fail(diag, TY_ERR_DEF,
                       "run: the definition did not start from ty_run_def_default(), or has no scenario");
    }
    ty_run *run = tyi_get(NULL, sizeof *run);
    if (!run) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
    }
    run->def = *def;
    run->bare = bare;
    run->views = 1;
    for (int i = 0; i < TYI_SIM_VIEWS; i++) {
        run->view[i].run = run;
    }
    run->scenario = *def->scenario;
    run->step = ty_time_from(def->scenario->step);
    run->rovers = def->scenario->rovers;
    tyi_sim_run_folder(run, def->folder ? def->folder : ".");
    ty_status status = make_all(run, diag);
    status = status == TY_OK ? tyi_sim_settle(run, tyi_sim_move, diag) : status;
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
    tyi_sim_worker_free(run);
    tyi_sim_state_free(run);
    tyi_sim_sensors_free(run);
    for (int i = 0; i < run->views; i++) {
        tyi_sim_view_free(&run->view[i]);
    }
    tyi_sim_dust_free(run);
    tyi_sim_others_free(run);
    tyi_sim_bodies_free(run);
    tyi_sim_cast_free(run);
    for (size_t i = 0; run->rover && i < run->rovers; i++) {
        tyi_sim_rover_free(&run->rover[i]);
    }
    tyi_sim_soil_free(run);
    tyi_sim_actors_free(run);
    ty_world_destroy(run->world);
    tyi_put(NULL, run->before, (run->frames + 1) * sizeof *run->before);
    tyi_put(NULL, run->now, (run->frames + 1) * sizeof *run->now);
    tyi_put(NULL, run->rover, (run->rovers + 1) * sizeof *run->rover);
    tyi_put(NULL, run, sizeof *run);
}

void tyi_sim_run_folder(ty_run *run, const char *folder)
{
    snprintf(run->folder, sizeof run->folder, "%s", folder);
}

/* ---- a step ---- */

/* it is not moved in this step, or not here */
static bool rests(const tyi_sim_rover_run *r)
{
    return r->away || r->asleep || r->elsewhere;
}

/* Drivers and motors of all rovers, the soil once for all their wheels, then all bodies; ruts after all have moved, in their order,
 * so that none sees another's of the same step. */
ty_status tyi_sim_move(ty_run *run, ty_diag *diag)
{
    double start = tyi_now(), soil = 0.0, step = run->scenario.step;
    bool asks = run->time % ty_time_from(TYI_SIM_DRIVER_PERIOD) < run->step && !run->settling;
    ty_status status = asks ? tyi_sim_fmu_actors(run, diag) : TY_OK;
    status = status == TY_OK ? tyi_sim_bodies_arrange(run, diag) : status;
    if (status == TY_OK && run->time % TYI_BODY_ASK < run->step) {
        tyi_sim_rest_look(run);
    }
    if (asks) {
        tyi_sim_others_look(run);
    }
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        tyi_sim_rover_run *r = &run->rover[i];
        if (rests(r)) {
            continue;
        }
        if (asks) {
            status = tyi_sim_rover_drive(r, diag);
        }
        if (status == TY_OK) {
            status = tyi_vehicle_begin(r->vehicle, step, diag);
        }
    }
    double begun = tyi_now();
    if (status == TY_OK) {
        status = tyi_soil_world_step(run->soil, step, diag);
    }
    soil += tyi_now() - begun;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        if (rests(&run->rover[i])) {
            continue;
        }
        double before = tyi_vehicle_soil_time(run->rover[i].vehicle);
        status = tyi_vehicle_forces(run->rover[i].vehicle, step, diag);
        soil += tyi_vehicle_soil_time(run->rover[i].vehicle) - before;
    }
    if (status == TY_OK) {
        tyi_sim_loose_forces(run, step);
        status = tyi_sim_bodies_step(run, diag);
    }
    status = status == TY_OK ? tyi_sim_loose_follow(run, diag) : status;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        if (run->rover[i].asleep && !run->rover[i].elsewhere) {
            tyi_sim_rest_step(&run->rover[i], run->step);
        } else if (!rests(&run->rover[i])) {
            tyi_vehicle_end(run->rover[i].vehicle, step);
        }
    }
    double moved = tyi_now();
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = rests(&run->rover[i]) ? TY_OK : ty_vehicle_press_ruts(run->rover[i].vehicle, diag);
        if (status == TY_OK && run->feed.pressed) {
            status = run->feed.pressed(run->feed.user, i, diag);
        }
    }
    run->cost.motion_s += moved - start - soil;
    run->cost.soil_s += tyi_now() - moved + soil;
    return status;
}

ty_status ty_run_step(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    if (!run->begun) { /* windows that open, and close, at time 0 */
        run->begun = true;
        tyi_sim_sense_before(run);
        status = tyi_sim_sense_after(run, diag);
    }
    if (status == TY_OK) {
        tyi_sim_sense_before(run);
        status = run->feed.move ? run->feed.move(run->feed.user, diag) : tyi_sim_move(run, diag);
        run->time += run->step;
    }
    if (status == TY_OK) {
        status = tyi_sim_dust_step(run, diag);
    }
    return status == TY_OK ? tyi_sim_sense_after(run, diag) : status;
}

/* ---- what there is ---- */

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
        if (run->rover[i].driving && !run->rover[i].away) {
            return true;
        }
    }
    return false;
}

const ty_scenario *ty_run_scenario(const ty_run *run)
{
    return &run->scenario;
}

ty_pose ty_run_actor_pose(const ty_run *run, size_t actor)
{
    return tyi_sim_actor_pose(run, &run->actor[actor], run->time);
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

ty_status ty_run_command(ty_run *run, size_t rover, const ty_drive_command *command, ty_diag *diag)
{
    if (rover >= run->rovers || run->rover[rover].def->driver.kind != TY_DRIVER_EXTERNAL) {
        return ty_fail(diag, TY_ERR_INPUT, "run: rover %zu takes no commands; its driver must be external", rover);
    }
    return ty_vehicle_command(run->rover[rover].vehicle, command, diag);
}

ty_sky_view ty_run_sky(const ty_run *run)
{
    return tyi_sim_sky_view(run, run->time);
}

ty_status ty_run_set_start(ty_run *run, ty_utc start, ty_diag *diag)
{
    ty_sky sky;
    ty_status status = ty_sky_at(ty_utc_add(start, run->time), &sky, diag);
    if (status == TY_OK) {
        tyi_sim_worker_wait(run, NULL);
        tyi_world_set_start(run->world, start);
    }
    return status;
}

/* ---- sensors, as a reader sees them ---- */

size_t ty_run_sensors(const ty_run *run)
{
    return run->sensors;
}

ty_sensor_info ty_run_sensor(const ty_run *run, size_t sensor)
{
    const tyi_sim_sensor *s = &run->sensor[sensor];
    return (ty_sensor_info){ .rover = s->carrier,
                             .name = s->def->name,
                             .def = s->def,
                             .schema = s->make.schema,
                             .period = s->period,
                             .window = s->window,
                             .lag = tyi_sim_sensor_lag(s),
                             .sequence = s->delivered,
                             .sigma = s->make.sigma };
}

bool ty_run_find_sensor(const ty_run *run, const char *rover, const char *name, size_t *sensor)
{
    for (size_t i = 0; i < run->sensors; i++) {
        if (!strcmp(run->sensor[i].def->name, name) && (!rover || !strcmp(run->sensor[i].carrier, rover))) {
            *sensor = i;
            return true;
        }
    }
    return false;
}

const ty_message *ty_run_newest(const ty_run *run, size_t sensor)
{
    const tyi_sim_slot *slot = run->sensor[sensor].newest;
    return slot ? &slot->message : NULL;
}

ty_status ty_run_subscribe(ty_run *run, const char *rover, const char *name, ty_message_receive receive, void *user,
                           ty_diag *diag)
{
    bool found = !rover && !name;
    for (size_t i = 0; i < run->sensors; i++) {
        found = found || ((!rover || !strcmp(run->sensor[i].carrier, rover)) &&
                          (!name || !strcmp(run->sensor[i].def->name, name)));
    }
    if (!found) {
        return ty_fail(diag, TY_ERR_INPUT, "run: there is no sensor '%s' of '%s'", name ? name : "(any)",
                       rover ? rover : "(any)");
    }
    if (run->subscribers == TY_RUN_SUBSCRIBERS) {
        return ty_fail(diag, TY_ERR_RANGE, "run: there are %d subscribers already, which is the most",
                       TY_RUN_SUBSCRIBERS);
    }
    tyi_sim_subscriber *s = &run->subscriber[run->subscribers++];
    *s = (tyi_sim_subscriber){ .receive = receive, .user = user };
    snprintf(s->carrier, sizeof s->carrier, "%s", rover ? rover : "");
    snprintf(s->name, sizeof s->name, "%s", name ? name : "");
    return TY_OK;
}

void tyi_sim_unsubscribe(ty_run *run, const void *user)
{
    int kept = 0;
    for (int i = 0; i < run->subscribers; i++) {
        if (run->subscriber[i].user != user) {
            run->subscriber[kept++] = run->subscriber[i];
        }
    }
    run->subscribers = kept;
    tyi_sim_state_unsubscribe(run, user);
}

ty_pipeline *ty_run_pipeline(ty_run *run, size_t sensor)
{
    tyi_sim_worker_wait(run, NULL);
    return run->sensor[sensor].pipeline;
}

ty_status ty_run_link(ty_run *run, size_t sensor, ty_diag *diag)
{
    tyi_sim_worker_wait(run, NULL);
    return tyi_sim_sensor_link(&run->sensor[sensor], diag);
}

ty_status ty_run_set_actions(ty_run *run, size_t sensor, const ty_settings *actions, size_t count, ty_diag *diag)
{
    tyi_sim_worker_wait(run, NULL);
    return tyi_sim_sensor_actions(&run->sensor[sensor], actions, count, diag);
}

ty_status ty_run_add_filter(ty_run *run, size_t sensor, const ty_settings *settings, ty_diag *diag)
{
    tyi_sim_sensor *s = &run->sensor[sensor];
    ty_filter filter;
    tyi_sim_worker_wait(run, NULL);
    ty_status status = tyi_sim_filter_make(s, settings, &filter, diag);
    if (status == TY_OK) {
        status = ty_pipeline_insert(s->pipeline, -1, &filter, diag);
        if (status != TY_OK && filter.destroy) {
            filter.destroy(filter.user);
        }
    }
    if (status == TY_OK) {
        status = tyi_sim_sensor_link(s, diag);
        if (status != TY_OK) {
            ty_pipeline_remove(s->pipeline, -1, NULL);
            tyi_sim_sensor_link(s, NULL);
        }
    }
    return status;
}

ty_status ty_run_sunlight(ty_run *run, size_t rover, double *lit, ty_diag *diag)
{
    ty_vehicle_state state;
    ty_sky_view sky = ty_run_sky(run);
    ty_vehicle_get(run->rover[rover].vehicle, &state);
    return tyi_world_sunlight(ty_world_terrain(run->world), state.pose, &sky.sun, lit, diag);
}
