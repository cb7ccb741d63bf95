/* src/record/record.c - see tycho/record.h: a record's life, and its steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "sim/run.h"
#include "vehicle/driver.h"
#include "vehicle/vehicle.h"
#include "io/mcap.h"

ty_record_def ty_record_def_default(void)
{
    return (ty_record_def){
        .mcap = true, .pictures = true, .overview = true, .overview_width = 1200, .overlap = true, .cookie = TYI_COOKIE
    };
}

/* ---- making it ---- */

static ty_status no_memory(ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_MEMORY, "record: no memory");
}

/* the texts of a definition, kept */
static ty_status keep_texts(ty_record *r, const ty_record_def *def, ty_diag *diag)
{
    for (size_t i = 0; i < def->setting_count; i++) {
        r->setting_bytes += strlen(def->settings[i]) + 1;
    }
    r->file = def->scenario ? strdup(def->scenario) : NULL;
    r->settings = calloc(1, r->setting_bytes + 1);
    r->setting_count = def->setting_count;
    if (!r->settings || (def->scenario && !r->file)) {
        return no_memory(diag);
    }
    char *to = r->settings;
    for (size_t i = 0; i < def->setting_count; i++) {
        to = stpcpy(to, def->settings[i]) + 1;
    }
    if (def->scenario && !realpath(def->scenario, r->absolute)) {
        return ty_fail(diag, TY_ERR_FILE, "record: %s, the scenario's file, cannot be found", def->scenario);
    }
    return TY_OK;
}

static ty_status begin(const ty_record_def *def, ty_record **out, ty_diag *diag)
{
    *out = NULL;
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "record: the definition did not start from ty_record_def_default()");
    }
    if (def->overview_width < 64 || def->overview_width > 4096) {
        return ty_fail(diag, TY_ERR_RANGE, "record: overview_width is %d, but takes 64 to 4096 pixels",
                       def->overview_width);
    }
    ty_record *r = calloc(1, sizeof *r);
    if (!r) {
        return no_memory(diag);
    }
    r->def = *def;
    r->def.folder = r->def.scenario = NULL;
    r->def.settings = NULL;
    r->lock = -1;
    r->pace = (tyi_record_pace){ .on = def->realtime, .slack = 0.01 };
    snprintf(r->overview, sizeof r->overview, "%s", def->overview_path ? def->overview_path : "");
    *out = r;
    return TY_OK;
}

/* what depends on the run: a place for each rover and sensor */
static ty_status attach(ty_record *r, ty_run *run, ty_diag *diag)
{
    r->run = run;
    r->scenario = ty_run_scenario(run);
    r->rovers = ty_run_rovers(run);
    r->sensors = ty_run_sensors(run);
    r->rover = calloc(r->rovers + 1, sizeof *r->rover);
    r->samples = calloc(r->sensors + 1, sizeof *r->samples);
    r->kept = calloc(r->sensors + 1, sizeof *r->kept);
    if (!r->rover || !r->samples || !r->kept) {
        return no_memory(diag);
    }
    for (size_t i = 0; i < r->rovers; i++) {
        r->rover[i].name = r->scenario->rover[i].name;
        r->rover[i].watch.lit = 1.0;
    }
    return tyi_record_names_check(r, diag);
}

static ty_status subscribe(ty_record *r, ty_diag *diag)
{
    r->writers = tyi_record_writers_create(r->run->def.threads);
    tyi_sim_run_folder(r->run, r->folder);
    return ty_run_subscribe(r->run, NULL, NULL, tyi_record_receive, r, diag);
}

/* what the readers of the rovers' files passed over */
static void tell_rovers(const ty_record *r)
{
    for (size_t i = 0; r->def.note && i < ty_run_rovers(r->run); i++) {
        for (const char *at = tyi_vehicle_notes(ty_run_rover(r->run, i)); *at;) {
            char line[500];
            int n = (int)strcspn(at, "\n");
            snprintf(line, sizeof line, "%.*s", n, at);
            r->def.note(r->def.note_user, line);
            at += n + (at[n] == '\n');
        }
    }
}

ty_status ty_record_create(ty_run *run, const ty_record_def *def, ty_record **out, ty_diag *diag)
{
    ty_record *r = NULL;
    ty_status status = begin(def, &r, diag);
    if (status == TY_OK) {
        status = keep_texts(r, def, diag);
    }
    if (status == TY_OK && def->checkpoint && !def->scenario) {
        status = ty_fail(diag, TY_ERR_INPUT, "record: checkpoints need the scenario's file, to go on from them");
    }
    if (status == TY_OK) {
        status = attach(r, run, diag);
    }
    if (status == TY_OK && r->file) {
        status = tyi_record_inputs(r, &r->inputs, diag);
    }
    if (status == TY_OK) {
        snprintf(r->folder, sizeof r->folder, "%s", def->folder ? def->folder : "");
        status = tyi_record_folder_make(r, diag);
    }
    if (status == TY_OK && def->mcap) {
        status = tyi_record_mcap_open(r, NULL, 0, diag);
    }
    if (status == TY_OK) {
        status = tyi_record_calibration(r, diag);
    }
    if (status == TY_OK) {
        status = tyi_record_tone(r, diag);
    }
    if (status == TY_OK) {
        status = subscribe(r, diag);
    }
    if (status == TY_OK) {
        tell_rovers(r);
    }
    if (status != TY_OK) {
        ty_record_destroy(r);
        r = NULL;
    }
    *out = r;
    return status;
}

/* the run that a checkpoint is of */
static ty_status make_run(ty_record *r, ty_diag *diag)
{
    const char **list = calloc(r->setting_count + 1, sizeof *list), *at = r->settings;
    if (!list) {
        return no_memory(diag);
    }
    for (size_t i = 0; i < r->setting_count; i++, at += strlen(at) + 1) {
        list[i] = at;
    }
    ty_status status = ty_scenario_load(r->absolute, list, r->setting_count, &r->own_scenario, diag);
    free(list);
    if (status == TY_OK) {
        ty_run_def def = ty_run_def_default();
        def.scenario = r->own_scenario;
        def.overlap = r->def.overlap;
        status = ty_run_create(&def, &r->own_run, diag);
    }
    return status == TY_OK ? attach(r, r->own_run, diag) : status;
}

ty_status ty_record_resume(const char *folder, const ty_record_def *def, ty_record **out, ty_diag *diag)
{
    ty_record *r = NULL;
    tyi_io_cdr checkpoint = { 0 };
    ty_status status = begin(def, &r, diag);
    if (status == TY_OK) {
        snprintf(r->folder, sizeof r->folder, "%s", folder);
        status = tyi_record_folder_lock(r, diag);
    }
    if (status == TY_OK) {
        status = tyi_record_checkpoint_read(r, &checkpoint, diag);
    }
    if (status == TY_OK) {
        status = make_run(r, diag);
    }
    uint64_t inputs = 0;
    if (status == TY_OK) {
        status = tyi_record_inputs(r, &inputs, diag);
    }
    if (status == TY_OK && inputs != r->inputs) {
        status =
            ty_fail(diag, TY_ERR_FORMAT,
                    "%s/checkpoint: the scenario %s or a file that it names has changed since; the run cannot go on "
                    "from it",
                    folder, r->absolute);
    }
    if (status == TY_OK) {
        status = tyi_record_checkpoint_resume(&checkpoint, r, diag);
    }
    if (status == TY_OK) {
        r->resumed = ty_run_time(r->run);
        status = subscribe(r, diag);
    }
    tyi_io_cdr_free(&checkpoint);
    if (status != TY_OK) {
        ty_record_destroy(r);
        r = NULL;
    }
    *out = r;
    return status;
}

void ty_record_destroy(ty_record *r)
{
    if (!r) {
        return;
    }
    for (size_t i = 0; r->rover && i < r->rovers; i++) {
        tyi_record_close(&r->rover[i].csv, NULL, TY_OK, NULL);
        free(r->rover[i].row);
    }
    for (size_t i = 0; i < r->sensors; i++) {
        tyi_record_close(r->samples ? &r->samples[i] : NULL, NULL, TY_OK, NULL);
        free(r->kept ? r->kept[i].value : NULL);
    }
    tyi_record_writers_destroy(r->writers); /* before the run, whose names it reads */
    tyi_io_cdr_free(&r->checkpoint);
    if (r->ground_out) {
        fclose(r->ground_out);
    }
    tyi_record_mcap_close(r->mcap, NULL);
    if (r->run && !r->own_run) {
        tyi_sim_unsubscribe(r->run, r);
    }
    ty_run_destroy(r->own_run);
    ty_scenario_destroy(r->own_scenario);
    if (r->lock >= 0) {
        close(r->lock);
    }
    free(r->rover), free(r->samples), free(r->kept), free(r->frame), free(r->events.list);
    free(r->file), free(r->settings), free(r);
}

ty_run *ty_record_run(ty_record *r)
{
    return r->run;
}

const char *ty_record_folder(const ty_record *r)
{
    return r->folder;
}

/* ---- a step ---- */

/* rows and checkpoints that are due */
static ty_status keep(ty_record *r, ty_time now, ty_diag *diag)
{
    ty_status status = TY_OK;
    double start = tyi_now();
    if (r->def.checkpoint && now >= r->next_save) {
        r->next_save = (now / r->def.checkpoint + 1) * r->def.checkpoint;
        if (now == 0 || now > r->resumed) { /* not again what the run has just been resumed from */
            status = tyi_record_checkpoint_write(r, diag);
        }
    }
    double saved = tyi_now();
    if (status == TY_OK && r->rovers) {
        status = tyi_record_events_step(r, diag);
    }
    double looked = tyi_now();
    if (status == TY_OK && now >= r->next_row && r->rovers) {
        for (size_t i = 0; i < r->rovers && status == TY_OK; i++) {
            status = r->run->rover[i].away ? TY_OK : tyi_record_telemetry_row(r, i, diag);
        }
        ty_run_publish(r->run);
        r->next_row += ty_time_from(r->scenario->telemetry);
    }
    r->wall_events += looked - saved;
    r->wall_write += saved - start + tyi_now() - looked;
    return status;
}

/* some rover follows waypoints, and nobody has more to do or may be told to */
static bool arrived(const ty_record *r)
{
    bool follows = false, told = false;
    for (size_t i = 0; i < r->rovers; i++) {
        follows = follows || r->scenario->rover[i].driver.points;
        told = told || r->scenario->rover[i].driver.kind == TY_DRIVER_EXTERNAL;
    }
    return follows && !told && !ty_run_driving(r->run);
}

static ty_status end(ty_record *r, const char *why)
{
    tyi_record_events_end(r);
    r->done = true;
    snprintf(r->ended, sizeof r->ended, "%s", why);
    return TY_OK;
}

/* an event of the scenario's `end_on` has begun */
static ty_status end_on(ty_record *r)
{
    const tyi_record_event *v = &r->events.list[r->ends_with - 1];
    char text[120], why[200];
    tyi_record_event_text(v, r->run, text, sizeof text);
    snprintf(why, sizeof why, "%s%s%.60s%s, %s", tyi_record_event_name((tyi_record_event_kind)v->kind),
             v->rover >= 0 ? " of rover '" : "", tyi_record_event_rover(r, v), v->rover >= 0 ? "'" : "", text);
    return end(r, why);
}

static bool gave_up(const ty_record *r)
{
    bool any = false;
    for (size_t i = 0; i < r->run->rovers; i++) {
        any = any || (r->run->rover[i].driver && r->run->rover[i].driver->memory.gave_up);
    }
    return any;
}

ty_status ty_record_step(ty_record *r, ty_diag *diag)
{
    double start = tyi_now();
    if (r->began == 0.0) {
        r->began = start;
        r->date = (int64_t)time(NULL);
    }
    ty_status status = r->done ? TY_OK : keep(r, ty_run_time(r->run), diag);
    if (status == TY_OK && !r->done && r->ends_with) {
        status = end_on(r);
    } else if (status == TY_OK && !r->done && ty_run_done(r->run)) {
        status = end(r, "its duration was over");
    } else if (status == TY_OK && !r->done && arrived(r)) {
        status = end(r, gave_up(r) ? "a driver gave up" : "the last waypoint was reached");
    } else if (status == TY_OK && !r->done) {
        status = ty_run_step(r->run, diag);
        const ty_diag *late = r->mcap && r->late.status == TY_OK ? tyi_record_mcap_diag(r->mcap) : &r->late;
        if (status == TY_OK && late->status != TY_OK) {
            status = ty_fail(diag, late->status, "%s", late->text);
        }
        tyi_record_pace_step(&r->pace, ty_seconds(ty_run_time(r->run)));
    }
    r->wall += tyi_now() - start;
    return status;
}

bool ty_record_done(const ty_record *r)
{
    return r->done;
}

ty_status ty_record_stop(ty_record *r, const char *why, ty_diag *diag)
{
    r->stopped = true;
    end(r, why);
    return r->file && !r->run->feed.move ? tyi_record_checkpoint_write(r, diag) : TY_OK;
}

/* ---- the end ---- */

/* the first failure is the one that is told */
static void first(ty_diag *kept, ty_diag *now)
{
    if (kept->status == TY_OK) {
        *kept = *now;
    }
    *now = (ty_diag){ 0 };
}

static void tell(const ty_record *r, const char *what, double done)
{
    if (r->def.progress.report) {
        r->def.progress.report(r->def.progress.user, what, done, 1.0);
    }
}

/* all that holds numbers */
static void write_data(ty_record *r, ty_diag *late)
{
    ty_diag now = { 0 };
    tyi_record_writers_wait(r->writers, &now), first(late, &now);
    tyi_record_telemetry_close(r, &now), first(late, &now);
    tyi_record_samples_close(r, &now), first(late, &now);
    tyi_record_mcap_close(r->mcap, &now), first(late, &now);
    r->mcap = NULL;
    if (r->rovers) {
        tyi_record_events_write(r, &now), first(late, &now);
        tyi_record_trajectory(r, &now), first(late, &now);
        tyi_record_ground(r, &now), first(late, &now);
    }
    tyi_record_summary(r, &now), first(late, &now);
    tyi_record_dust(r, &now), first(late, &now);
    tyi_record_timing(r, &now), first(late, &now);
}

/* pictures, from the cheap to the dear; the report before those that take long, and once more with them */
static void write_pictures(ty_record *r, ty_diag *late)
{
    ty_diag now = { 0 };
    double start = tyi_now();
    tyi_record_draw(r, &now), first(late, &now);
    tyi_record_samples_draw(r, &now), first(late, &now);
    bool video = r->def.video, overview = r->def.overview && r->rovers && !r->stopped;
    r->wall_pictures = tyi_now() - start;
    tyi_record_report(r, &now), first(late, &now);
    if (video) {
        tell(r, "video", 0.0);
        tyi_record_video(r);
    }
    if (overview) {
        tell(r, "overview.png", 0.0);
        tyi_record_overview(r, &now), first(late, &now);
        tell(r, "overview.png", 1.0);
    }
    if (video || overview) {
        r->wall_pictures = tyi_now() - start;
        tyi_record_report(r, &now), first(late, &now);
        tyi_record_timing(r, &now), first(late, &now);
    }
}

ty_status ty_record_finish(ty_record *r, ty_diag *diag)
{
    ty_diag own = { 0 }, late = { 0 };
    diag = diag ? diag : &own;
    if (r->finished) {
        return diag->status;
    }
    r->finished = true;
    if (diag->status != TY_OK) {
        snprintf(r->ended, sizeof r->ended, "it could not go on");
    } else if (!r->done) {
        snprintf(r->ended, sizeof r->ended, "its program ended it");
    }
    r->done = true;
    write_data(r, &late);
    if (r->def.pictures) {
        write_pictures(r, &late);
    }
    if (diag->status == TY_OK && late.status != TY_OK) {
        *diag = late;
    }
    if (diag->status == TY_OK && !r->stopped) {
        tyi_record_checkpoint_remove(r); /* there is nothing to go on with */
    }
    return diag->status;
}

/* ---- numbers of it ---- */

const char *ty_record_cost_name(int cost)
{
    static const char *const name[TYI_RECORD_COSTS] = { "dynamics", "soil", "frames", "sensors", "writing", "events" };
    return cost >= 0 && cost < TYI_RECORD_COSTS ? name[cost] : "?";
}

/* what the run's own thread spends its time with */
void tyi_record_costs(ty_record *r, double out[TYI_RECORD_COSTS])
{
    ty_run_stats s = ty_run_get_stats(r->run);
    const double cost[TYI_RECORD_COSTS] = { s.motion_s,    s.soil_s, s.wait_s, s.sensor_s, s.deliver_s + r->wall_write,
                                            r->wall_events };
    memcpy(out, cost, sizeof cost);
}

ty_record_stats ty_record_get_stats(ty_record *r)
{
    char path[TYI_RECORD_PATH];
    ty_record_stats s = { .simulated = ty_seconds(ty_run_time(r->run)),
                          .wall = r->wall,
                          .messages = r->messages,
                          .images = r->images,
                          .clouds = r->clouds,
                          .ended = r->ended,
                          .resumable = !access(tyi_record_path(r, "checkpoint", path), F_OK),
                          .steps = r->pace.steps,
                          .late = r->pace.late,
                          .late_stretches = r->pace.episodes,
                          .slack = r->pace.slack,
                          .late_worst = r->pace.worst };
    tyi_record_costs(r, s.cost);
    return s;
}
