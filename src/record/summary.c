/* src/record/summary.c - a run in short: summary.json; and what the wall clock said of it: timing.json.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "record.h"
#include "sim/run_dust.h"

/* a number to so many decimals; what is no number is null */
static void put(json_t *to, const char *key, double value, int decimals)
{
    double scale = pow(10.0, decimals), v = isfinite(value) ? round(value * scale) / scale : 0.0;
    json_object_set_new(to, key, isfinite(value) ? json_real(v == 0.0 ? 0.0 : v) : json_null());
}

static void put_count(json_t *to, const char *key, uint64_t value)
{
    json_object_set_new(to, key, json_integer((json_int_t)value));
}

/* names are checked as scenarios are read, but those of other files are not: what is no UTF-8 goes as "?" */
static void put_text(json_t *to, const char *key, const char *value)
{
    json_t *text = json_string(value);
    json_object_set_new(to, key, text ? text : json_string("?"));
}

static ty_status write_json(const ty_record *r, const char *file, json_t *root, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_io_out out;
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) : NULL;
    ty_status status = TY_OK;
    if (!text) {
        status = ty_fail(diag, TY_ERR_MEMORY, "no memory for %s", file);
    } else if ((status = tyi_io_out_open(&out, tyi_record_path(r, file, path), diag)) == TY_OK) {
        fprintf(out.file, "%s\n", text);
        status = tyi_io_out_close(&out, TY_OK, diag);
    }
    free(text);
    json_decref(root);
    return status;
}

/* ---- summary.json ---- */

static void put_event_counts(const ty_record *r, json_t *to, size_t rover)
{
    for (int k = 0; k < TYI_EVENT_ADDED; k++) {
        char key[80];
        double seconds;
        const char *name = tyi_record_event_name((tyi_record_event_kind)k);
        snprintf(key, sizeof key, "events_%s", name);
        put_count(to, key, tyi_record_events_count(r, (tyi_record_event_kind)k, rover, &seconds));
        snprintf(key, sizeof key, "events_%s_s", name);
        put(to, key, seconds, 3);
    }
}

/* waypoints: how many of them, the last that had a time, and what is left to the end */
static void put_arrival(const ty_record *r, json_t *to, size_t i)
{
    const ty_scenario_driver *d = &r->scenario->rover[i].driver;
    const tyi_record_rover *rover = &r->rover[i];
    if (!d->points || !rover->rows) {
        return;
    }
    ty_vec3 p = rover->row[rover->rows - 1].p;
    double late = (double)NAN, at = (double)NAN, planned = (double)NAN;
    for (size_t k = 0; k < r->events.count; k++) {
        const tyi_record_event *v = &r->events.list[k];
        if (v->kind == TYI_EVENT_WAYPOINT && v->rover == (int32_t)i) {
            double plan = d->point[v->index].arrive;
            late = plan > 0.0 ? v->begin - plan : late;
            at = v->index + 1 == (int32_t)d->points ? v->begin : at;
        }
    }
    planned = d->point[d->points - 1].arrive > 0.0 ? d->point[d->points - 1].arrive : planned;
    put_count(to, "waypoints", d->points);
    put_count(to, "waypoints_reached", rover->watch.reached);
    put(to, "arrival_s", at, 3);
    put(to, "arrival_planned_s", planned, 3);
    put(to, "last_waypoint_late_s", late, 3);
    put(to, "goal_distance_m", hypot(d->point[d->points - 1].x - p.x, d->point[d->points - 1].y - p.y), 4);
}

/* tools that met soil: what they hold, at most and at the end, and what it cost */
static void put_tools(const ty_record *r, json_t *to, size_t i)
{
    ty_tool_view tool[TY_TOOLS_MAX];
    json_t *list = json_array();
    for (int k = 0, tools = ty_vehicle_tools(ty_run_rover(r->run, i), tool); k < tools; k++) {
        if (!tyi_record_tool_worked(&tool[k])) {
            continue;
        }
        json_t *one = json_object();
        put_text(one, "tool", tool[k].name);
        put(one, "carried_max_kg", tool[k].most, 4);
        put(one, "carried_end_kg", tool[k].carried, 4);
        put(one, "torque_mean_nm", tool[k].torque_mean, 4);
        put(one, "torque_max_nm", tool[k].torque_max, 4);
        put(one, "work_j", tool[k].work, 3);
        put(one, "energy_per_kg_j", tool[k].most > 0.0 ? tool[k].most_work / tool[k].most : (double)NAN, 3);
        json_array_append_new(list, one);
    }
    if (json_array_size(list)) {
        json_object_set_new(to, "tools", list);
    } else {
        json_decref(list);
    }
}

static json_t *rover_of(const ty_record *r, size_t i)
{
    json_t *to = json_object();
    const tyi_record_rover *rover = &r->rover[i];
    const tyi_record_row *last = rover->rows ? &rover->row[rover->rows - 1] : NULL;
    const ty_vehicle *v = ty_run_rover(r->run, i);
    tyi_record_digest d = tyi_record_digest_of(r, i);
    put_text(to, "rover", rover->name);
    put_text(to, "model", ty_vehicle_name(v));
    put(to, "mass_kg", ty_vehicle_mass(v), 3);
    put_text(to, "soil", tyi_record_soil(r));
    put(to, "way_m", d.way, 4);
    put(to, "end_x_m", last ? last->p.x : 0.0, 4);
    put(to, "end_y_m", last ? last->p.y : 0.0, 4);
    put(to, "speed_mean_m_s", d.speed_mean, 5);
    put(to, "slip_mean", d.slip_mean, 5);
    put(to, "slip_mean_moving", d.slip_moving, 5);
    put(to, "slip_max", d.slip_max, 5);
    put(to, "sinkage_mean_m", d.sinkage_mean, 6);
    put(to, "sinkage_max_m", d.sinkage_max, 6);
    put(to, "tilt_max_deg", d.tilt_max / TY_DEG, 4);
    put(to, "drive_energy_j", d.energy, 3);
    put(to, "regenerated_j", d.back, 3);
    put(to, "wheel_contact_min", d.contact, 5);
    put_arrival(r, to, i);
    put_tools(r, to, i);
    put_event_counts(r, to, i);
    return to;
}

static json_t *event_of(const ty_record *r, const tyi_record_event *v)
{
    json_t *to = json_object();
    char text[300], rock[32];
    ty_wheel_info wheel[TY_WHEELS_MAX];
    if (v->wheel >= 0) {
        ty_vehicle_wheels(ty_run_rover(r->run, (size_t)v->rover), wheel);
    }
    tyi_record_event_text(v, r->run, text, sizeof text);
    put_text(to, "event", tyi_record_event_name((tyi_record_event_kind)v->kind));
    put_text(to, "rover", tyi_record_event_rover(r, v));
    put(to, "begin_s", v->begin, 3);
    put(to, "end_s", v->end, 3);
    put(to, "worst", tyi_record_event_worst(v), 4);
    put_text(to, "unit", tyi_record_event_unit(v));
    if (v->wheel >= 0) {
        put_text(to, "wheel", wheel[v->wheel].name);
    }
    if (v->other[0]) {
        put_text(to, "other", v->other);
    }
    if (v->rock && v->kind == TYI_EVENT_ROCK) {
        snprintf(rock, sizeof rock, "%llu", (unsigned long long)v->rock); /* JSON's readers keep 53 bits of a number */
        put_text(to, "rock", rock);
    }
    put_text(to, "text", text);
    return to;
}

static void put_ground(const ty_record *r, json_t *to)
{
    const ty_world_edits_report *g = &r->ground;
    if (g->width) {
        put_text(to, "terrain_before", "terrain_before.tif");
        put_text(to, "terrain_after", "terrain_after.tif");
        put_count(to, "terrain_width", (uint64_t)g->width);
        put_count(to, "terrain_height", (uint64_t)g->height);
        put(to, "terrain_spacing_m", g->spacing, 6);
        put(to, "rut_lowest_m", g->lowest, 6);
        put(to, "rut_highest_m", g->highest, 6);
    }
}

static void put_dust(const ty_record *r, json_t *to)
{
    tyi_dust_ledger l;
    if (tyi_sim_dust_ledger(r->run, &l)) {
        put(to, "dust_raised_kg", l.emitted, 9);
        put(to, "dust_airborne_kg", l.airborne, 9);
        put(to, "dust_on_ground_kg", l.ground, 9);
        put(to, "dust_on_rovers_kg", l.rovers, 9);
        put(to, "dust_on_objects_kg", l.objects, 9);
        put(to, "dust_out_kg", l.out, 9);
    }
}

ty_status tyi_record_summary(const ty_record *r, ty_diag *diag)
{
    json_t *root = json_object(), *rovers = json_array(), *events = json_array();
    put_text(root, "tycho", ty_version());
    put_text(root, "built_with", ty_built_with());
    ty_run_stats stats = ty_run_get_stats(r->run);
    if (stats.device) {
        put_text(root, "device", stats.device);
    }
    if (stats.coarser) {
        put_text(root, "coarser_ground", stats.coarser);
    }
    put_text(root, "scenario", r->scenario->name);
    put_count(root, "seed", r->scenario->terrain.seed);
    put_text(root, "start_utc", r->scenario->start_utc);
    put(root, "simulated_s", ty_seconds(ty_run_time(r->run)), 4);
    put_text(root, "ended", r->ended);
    put_count(root, "images", r->images);
    put_count(root, "clouds", r->clouds);
    put_count(root, "messages", r->messages);
    put_event_counts(r, root, SIZE_MAX);
    put_ground(r, root);
    put_dust(r, root);
    for (size_t i = 0; i < r->rovers; i++) {
        json_array_append_new(rovers, rover_of(r, i));
    }
    json_object_set_new(root, "rovers", rovers);
    for (size_t i = 0; i < r->events.count; i++) {
        json_array_append_new(events, event_of(r, &r->events.list[i]));
    }
    json_object_set_new(root, "events", events);
    return write_json(r, "summary.json", root, diag);
}

/* ---- timing.json ---- */

static void put_date(json_t *to, const char *key, int64_t date)
{
    char text[40];
    time_t t = (time_t)date;
    struct tm tm;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
    put_text(to, key, text);
}

ty_status tyi_record_timing(ty_record *r, ty_diag *diag)
{
    json_t *root = json_object();
    double cost[TYI_RECORD_COSTS], simulated = ty_seconds(ty_run_time(r->run) - r->resumed);
    ty_run_stats stats = ty_run_get_stats(r->run);
    tyi_record_costs(r, cost);
    put_date(root, "began", r->date);
    put_date(root, "ended", (int64_t)time(NULL));
    put(root, "simulated_s", simulated, 4);
    put(root, "wall_s", r->wall, 3);
    put(root, "real_time_factor", r->wall > 0.0 ? simulated / r->wall : 0.0, 4);
    put(root, "wall_render_s", stats.work_s, 3);
    put(root, "wall_wait_s", stats.wait_s, 3);
    for (int i = 0; i < TYI_RECORD_COSTS; i++) {
        char key[60];
        snprintf(key, sizeof key, "wall_of_%s_s", ty_record_cost_name(i));
        put(root, key, cost[i], 3);
    }
    put(root, "wall_pictures_s", r->wall_pictures, 3);
    if (stats.host) {
        put_text(root, "host_takes_over", stats.host); /* when is a matter of wall time */
    }
    if (r->pace.on) {
        put_count(root, "late_steps", r->pace.late);
        put(root, "late_worst_s", r->pace.worst, 6);
    }
    json_t *saves = json_array();
    for (size_t i = 0; i < r->saves; i++) {
        json_t *row = json_object();
        put(row, "t_s", r->save[i].t, 3);
        put(row, "wall_s", r->save[i].wall, 4);
        put_count(row, "state_bytes", r->save[i].state);
        put_count(row, "ground_bytes", r->save[i].ground);
        json_array_append_new(saves, row);
    }
    json_object_set_new(root, "checkpoints", saves);
    return write_json(r, "timing.json", root, diag);
}
