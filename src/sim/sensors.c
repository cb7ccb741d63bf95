/* src/sim/sensors.c - sensors of a run: made from their definitions, linked, given room for their messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/message.h"
#include "core/room.h"
#include "run.h"
#include "render/inner.h"
#include "soil/world.h"
#include "run_dust.h"
#include "shape.h"
#include "sensor/filters.h"
#include "sensor/kinds.h"

/* ---- the first filter of every pipeline: it collects ---- */

static ty_status link_collect(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)in, (void)diag;
    const tyi_sim_sensor *s = user;
    need->out = s->make.part[0].data.type;
    return TY_OK;
}

static ty_status run_collect(void *user, const ty_filter_call *call, ty_diag *diag)
{
    tyi_sim_sensor *s = user;
    ty_message_part part[TY_MESSAGE_PARTS];
    ty_message *m = &s->at_work->message;
    for (int i = 0; i < m->parts; i++) {
        part[i] = (ty_message_part){ m->part[i].name, i ? m->part[i].data : *call->out };
        part[i].data.type.width = s->make.part[i].data.type.width;
    }
    ty_status status = s->kind->collect(s->state, s->shot, part, diag);
    call->out->type.width = part[0].data.type.width;
    for (int i = 1; i < m->parts; i++) {
        m->part[i].data.type.width = part[i].data.type.width;
    }
    return status;
}

/* ---- room ---- */

#define MOST_LUMPS  ((size_t)1 << 18)                            /* of loose soil in one frame */
#define COATS       (TYI_RENDER_COATS * sizeof(tyi_render_coat)) /* [bytes] */
#define PIXEL_BYTES 24.0 /* of each pixel for a camera itself: rays, radiance, the stages of a detector */

static void free_slots(tyi_sim_sensor *s)
{
    for (size_t i = 0; s->slot && i < s->slots; i++) {
        tyi_message_memory_put(s->slot[i].memory);
        tyi_put(NULL, s->slot[i].frames, s->slot[i].frames ? 2 * s->run->frames * sizeof(ty_pose) : 0);
        tyi_put(NULL, s->slot[i].dust, s->slot[i].dust ? tyi_sim_dust_room(s->run) : 0);
        tyi_put(NULL, s->slot[i].coat, s->slot[i].coat ? COATS : 0);
        tyi_put(NULL, s->slot[i].lump, s->slot[i].lump_room * sizeof *s->slot[i].lump);
    }
    tyi_put(NULL, s->slot, s->slots * sizeof *s->slot);
    s->slot = NULL;
    s->slots = 0;
}

/* Parts of a slot that is not in use, for a first part of a type. */
static ty_status fit_slot(tyi_sim_sensor *s, tyi_sim_slot *slot, const ty_buffer_type *first, ty_diag *diag)
{
    size_t bytes = 0, at = 0;
    for (int i = 0; i < s->make.parts; i++) {
        bytes += (ty_buffer_type_bytes(i ? &s->make.part[i].data.type : first) + 63) / 64 * 64;
    }
    if (bytes > slot->bytes || tyi_message_memory_shared(slot->memory)) { /* somebody kept the message that was there */
        tyi_message_memory_put(slot->memory);
        slot->memory = tyi_message_memory_get(bytes);
        slot->bytes = slot->memory ? bytes : 0;
    }
    if (!slot->memory) {
        return ty_fail(diag, TY_ERR_MEMORY, "sensor %s: no memory for messages of %zu bytes", s->def->name, bytes);
    }
    slot->linked = s->linked;
    ty_message *m = &slot->message, old = *m;
    *m = (ty_message){ .time = old.time,
                       .sequence = old.sequence,
                       .run = s->run->scenario.name,
                       .rover = s->carrier,
                       .sensor = s->def->name,
                       .index = s->index,
                       .schema = s->make.schema,
                       .parts = s->make.parts,
                       .shared = true };
    for (int i = 0; i < m->parts; i++) {
        const ty_buffer_type *type = i ? &s->make.part[i].data.type : first;
        m->part[i] = (ty_message_part){ s->make.part[i].name, ty_buffer_wrap(type, slot->memory + at) };
        m->part[i].data.time = m->time;
        at += (ty_buffer_type_bytes(type) + 63) / 64 * 64;
    }
    return TY_OK;
}

/* What does not fit into memory is refused before anything is taken: a machine that swaps, or an allocation that a library
 * cannot refuse, would end otherwise. def.memory: bytes that the run may take, 0: what was free at first. */
static ty_status take_room(ty_run *run, const char *who, double bytes, const char *what, ty_diag *diag)
{
    if (run->room_free == 0.0) {
        run->room_free = run->def.memory > 0.0 ? run->def.memory : fmax(tyi_memory_free(), 1.0);
    }
    run->room += bytes;
    if (run->room <= run->room_free) {
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_MEMORY,
                   "%s: %s need %.3g GiB, and %.3g GiB are free; lower size, rate or lag, or allow it: --memory GIB",
                   who, what, bytes / 1073741824.0, fmax(run->room_free - run->room + bytes, 0.0) / 1073741824.0);
}

/* [bytes] that a camera takes for itself and for its frames under way, before it is made */
static double camera_room(const ty_sensor_def *d)
{
    double pixels = (double)d->as.camera.camera.width * (double)d->as.camera.camera.height;
    double frames = (d->lag + d->window) / d->period + 4.0, each = d->as.camera.truth ? 40.0 : 4.0;
    return d->kind == TY_SENSOR_CAMERA ? pixels * (PIXEL_BYTES + frames * each) : 0.0;
}

static ty_status room_for_cameras(ty_run *run, ty_diag *diag)
{
    double bytes = 0.0;
    size_t cameras = 0;
    char what[100];
    for (size_t r = 0; r < run->rovers + run->scenario.actors; r++) {
        bool rover = r < run->rovers;
        const ty_sensor_def *list = rover ? run->scenario.rover[r].sensor : run->scenario.actor[r - run->rovers].sensor;
        size_t count = rover ? run->scenario.rover[r].sensors : run->scenario.actor[r - run->rovers].sensors;
        for (size_t i = 0; i < count; i++) {
            bytes += camera_room(&list[i]), cameras += list[i].kind == TY_SENSOR_CAMERA;
        }
    }
    snprintf(what, sizeof what, "%zu camera%s with %s frames under way", cameras, cameras == 1 ? "" : "s",
             cameras == 1 ? "its" : "their");
    return take_room(run, "the run", bytes, what, diag);
}

static ty_status room_for_slots(tyi_sim_sensor *s, size_t want, ty_diag *diag)
{
    size_t bytes = 0;
    char what[100];
    for (int i = 0; i < s->make.parts; i++) {
        bytes += (ty_buffer_type_bytes(i ? &s->make.part[i].data.type : &s->first_type) + 63) / 64 * 64;
    }
    bytes +=
        sizeof(tyi_sim_slot) + (s->kind->scene ? 2 * s->run->frames * sizeof(ty_pose) + tyi_sim_dust_room(s->run) : 0);
    bytes += s->kind->scene && s->run->dust ? COATS : 0;
    snprintf(what, sizeof what, "%zu messages under way, %.4g MB each,", want, 1e-6 * (double)bytes);
    return s->def->kind == TY_SENSOR_CAMERA /* those are counted */
               ? TY_OK
               : take_room(s->run, s->def->name, (double)(want - s->slots) * (double)bytes, what, diag);
}

/* Slots for all windows that may be under way: waiting for their time, being read, open. */
static size_t slots_needed(const tyi_sim_sensor *s)
{
    return (size_t)((tyi_sim_sensor_lag(s) + s->window + s->run->step) / s->period) + 4;
}

/* more slots; those there are stay where they are only as long as nobody points at them: so this copies into new ones
 * */
static ty_status more_slots(tyi_sim_sensor *s, size_t want, ty_diag *diag)
{
    tyi_sim_slot *slot = tyi_get(NULL, want * sizeof *slot);
    if (!slot) {
        return ty_fail(diag, TY_ERR_MEMORY, "sensor %s: no memory for %zu messages", s->def->name, want);
    }
    ty_run *run = s->run;
    for (size_t i = 0; i < s->slots; i++) {
        slot[i] = s->slot[i];
        s->open = s->open == &s->slot[i] ? &slot[i] : s->open;
        s->newest = s->newest == &s->slot[i] ? &slot[i] : s->newest;
        for (size_t k = 0; k < run->pendings; k++) {
            run->pending[k] = run->pending[k] == &s->slot[i] ? &slot[i] : run->pending[k];
        }
    }
    size_t had = s->slots;
    tyi_put(NULL, s->slot, had * sizeof *slot);
    s->slot = slot;
    s->slots = want;
    for (size_t i = had; i < want; i++) {
        slot[i].sensor = s;
        if (s->kind->scene) {
            slot[i].frames = tyi_get(NULL, 2 * run->frames * sizeof(ty_pose));
            slot[i].lump_room = tyi_soil_world_loose_most(run->soil);
            slot[i].lump_room = slot[i].lump_room < MOST_LUMPS ? slot[i].lump_room : MOST_LUMPS;
            slot[i].lump = slot[i].lump_room ? tyi_get(NULL, slot[i].lump_room * sizeof *slot[i].lump) : NULL;
            slot[i].dust = run->dust ? tyi_get(NULL, tyi_sim_dust_room(run)) : NULL;
            slot[i].coat = run->dust ? tyi_get(NULL, COATS) : NULL;
            if (!slot[i].frames || (slot[i].lump_room && !slot[i].lump) ||
                (run->dust && !(slot[i].dust && slot[i].coat))) {
                slot[i].lump_room = slot[i].lump ? slot[i].lump_room : 0;
                return ty_fail(diag, TY_ERR_MEMORY, "sensor %s: no memory for keyframes", s->def->name);
            }
        }
    }
    return TY_OK;
}

/* places in the lists of waiting messages and of frames to be made, one for each slot */
static ty_status fit_lists(ty_run *run, ty_diag *diag)
{
    size_t all = 0;
    for (size_t i = 0; i < run->sensors; i++) {
        all += run->sensor[i].slots;
    }
    if (all <= run->pending_room) {
        return TY_OK;
    }
    tyi_sim_slot **pending = tyi_get(NULL, all * sizeof *pending);
    ty_status status = pending ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu messages", all);
    if (status == TY_OK && run->worker.made) {
        status = tyi_sim_worker_fit(run, all, diag);
    }
    if (status != TY_OK) {
        tyi_put(NULL, pending, pending ? all * sizeof *pending : 0);
        return status;
    }
    for (size_t i = 0; i < run->pendings; i++) {
        pending[i] = run->pending[i];
    }
    tyi_put(NULL, run->pending, run->pending_room * sizeof *pending);
    run->pending = pending;
    run->pending_room = all;
    return TY_OK;
}

ty_status tyi_sim_sensor_type(tyi_sim_sensor *s, ty_diag *diag)
{
    const ty_buffer_type nothing = { 1, 1, 1, TY_ELEMENT_U8, TY_UNIT_NONE, 0 };
    ty_buffer_type out = { 0 };
    const ty_filter *first = ty_pipeline_get(s->pipeline, 0);
    if (!first || first->run != run_collect || first->off) {
        return ty_fail(diag, TY_ERR_INPUT, "sensor %s: its first filter must be '%s', which collects the data",
                       s->def->name, s->kind->name);
    }
    ty_status status = ty_pipeline_link(s->pipeline, &nothing, &out, diag);
    if (status == TY_OK && memcmp(&out, &s->first_type, sizeof out) != 0) {
        s->first_type = out;
        s->linked++;
    }
    return status;
}

ty_status tyi_sim_slot_fit(tyi_sim_slot *slot, ty_diag *diag)
{
    tyi_sim_sensor *s = slot->sensor;
    bool fits = slot->linked == s->linked && !tyi_message_memory_shared(slot->memory);
    return fits ? TY_OK : fit_slot(s, slot, &s->first_type, diag);
}

ty_status tyi_sim_sensor_link(tyi_sim_sensor *s, ty_diag *diag)
{
    ty_status status = tyi_sim_sensor_type(s, diag);
    size_t want = slots_needed(s);
    if (status == TY_OK && want > s->slots) {
        status = room_for_slots(s, want, diag);
        status = status == TY_OK ? more_slots(s, want, diag) : status;
    }
    for (size_t i = 0; i < s->slots && status == TY_OK; i++) {
        if (s->slot[i].state == TYI_SIM_SLOT_FREE) {
            status = tyi_sim_slot_fit(&s->slot[i], diag);
        }
    }
    return status == TY_OK ? fit_lists(s->run, diag) : status;
}

const ty_message *tyi_sim_sensor_shape(const ty_run *run, size_t sensor)
{
    return &run->sensor[sensor].slot[0].message;
}

/* ---- kinds and filters, a user's own included ---- */

static const ty_sensor_kind *kind_of(const ty_run *run, const ty_sensor_def *def, ty_diag *diag)
{
    const ty_sensor_kind *kind = tyi_sensor_kind(def->kind);
    if (!kind) {
        ty_fail(diag, TY_ERR_INPUT, "there is no kind of sensor number %d", def->kind);
        return NULL;
    }
    if (def->kind != TY_SENSOR_USER) {
        return kind;
    }
    for (size_t i = 0; i < run->def.sensor_kinds; i++) {
        if (!strcmp(run->def.sensor_kind[i].name, def->as.user.kind)) {
            return &run->def.sensor_kind[i];
        }
    }
    ty_fail(diag, TY_ERR_INPUT,
            "there is no kind of sensor '%s'; the program that runs the scenario must bring it (ty_run_def)",
            def->as.user.kind);
    return NULL;
}

ty_status tyi_sim_filter_make(const tyi_sim_sensor *sensor, const ty_settings *settings, ty_filter *out, ty_diag *diag)
{
    const ty_run *run = sensor->run;
    const char *type = ty_settings_get(settings, "type"), *name = ty_settings_get(settings, "name");
    if (type && !strcmp(type, "save")) {
        return tyi_sensor_filter_save(settings, run->folder, out, diag);
    }
    if (!type || strcmp(type, "user") != 0) {
        return ty_filter_make(settings, (uint32_t)sensor->index, out, diag);
    }
    for (size_t i = 0; name && i < run->def.filter_kinds; i++) {
        const ty_filter_kind *kind = &run->def.filter_kind[i];
        if (!strcmp(kind->name, name)) {
            *out = (ty_filter){ 0 };
            return kind->make(settings, kind->user, out, diag);
        }
    }
    return ty_fail(
        diag, TY_ERR_INPUT,
        "filter: there is no user's filter '%s'; the program that runs the scenario must bring it (ty_run_def)",
        name ? name : "");
}

/* ---- making one ---- */

static ty_status check_times(const ty_sensor_def *d, const char *carrier, ty_diag *diag)
{
    if (d->window > d->period) {
        return ty_fail(diag, TY_ERR_RANGE, "%s, sensor '%s': its window is %g s, but takes at most its period, %g s",
                       carrier, d->name, d->window, d->period);
    }
    return TY_OK;
}

static ty_status add_filters(tyi_sim_sensor *s, ty_diag *diag)
{
    ty_filter collect = { .name = s->kind->name, .link = link_collect, .run = run_collect, .user = s };
    ty_status status = ty_pipeline_insert(s->pipeline, 0, &collect, diag);
    for (size_t i = 0; i < s->def->filters && status == TY_OK; i++) {
        ty_filter filter;
        status = tyi_sim_filter_make(s, &s->def->filter[i], &filter, diag);
        if (status == TY_OK) {
            status = ty_pipeline_insert(s->pipeline, -1, &filter, diag);
            if (status != TY_OK && filter.destroy) {
                filter.destroy(filter.user);
            }
        }
    }
    return status;
}

static void free_actions(ty_action *action, size_t actions, size_t room)
{
    for (size_t k = 0; k < actions; k++) {
        if (action[k].destroy) {
            action[k].destroy(action[k].user);
        }
    }
    tyi_put(NULL, action, room * sizeof *action);
}

ty_status tyi_sim_sensor_actions(tyi_sim_sensor *s, const ty_settings *list, size_t count, ty_diag *diag)
{
    ty_action *action = count ? tyi_get(NULL, count * sizeof *action) : NULL;
    ty_status status = action || !count ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for actions");
    size_t made = 0;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = tyi_sim_action_make(s, &list[i], &action[i], diag);
        made += status == TY_OK;
    }
    if (status != TY_OK) {
        free_actions(action, made, count);
        return status;
    }
    free_actions(s->action, s->actions, s->action_room);
    s->action = action;
    s->actions = s->action_room = count;
    return TY_OK;
}

static ty_status mount_it(tyi_sim_sensor *s, ty_diag *diag)
{
    s->body = -1;
    s->make.mount = -1;
    s->offset = (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
    if (s->rover == SIZE_MAX) {
        s->frame = s->run->actor[s->actor].frame;
        return s->def->mount[0]
                   ? ty_fail(diag, TY_ERR_INPUT,
                             "actor '%s', sensor '%s': an actor has no mount '%s'; its sensors sit at its origin",
                             s->carrier, s->def->name, s->def->mount)
                   : TY_OK;
    }
    const tyi_sim_rover_run *r = &s->run->rover[s->rover];
    s->frame = r->frame0 + (size_t)ty_vehicle_bodies(r->vehicle);
    if (s->def->mount[0]) {
        const ty_vehicle_mount *mount;
        int at = ty_vehicle_find_mount(r->vehicle, s->def->mount);
        if (at < 0) {
            return ty_fail(diag, TY_ERR_INPUT, "rover '%s', sensor '%s': there is no mount '%s' in %s", r->def->name,
                           s->def->name, s->def->mount, r->def->model);
        }
        ty_vehicle_mounts(r->vehicle, &mount);
        s->make.mount = at;
        s->body = mount[at].body;
        s->offset = mount[at].pose;
        s->frame = r->frame0 + (size_t)s->body;
    }
    return TY_OK;
}

static ty_status make_sensor(tyi_sim_sensor *s, ty_diag *diag)
{
    ty_run *run = s->run;
    const ty_sensor_def *d = s->def;
    s->kind = kind_of(run, d, diag);
    if (!s->kind) {
        return TY_ERR_INPUT;
    }
    if (s->kind->scene && s->kind->step) {
        return ty_fail(diag, TY_ERR_DEF,
                       "a kind that looks at the scene works beside the steps, so it has no function for each of them");
    }
    ty_status status = check_times(d, s->carrier, diag);
    if (status == TY_OK) {
        status = mount_it(s, diag);
    }
    if (status == TY_OK) {
        status = ty_pipeline_create(NULL, run->def.threads, &s->pipeline, diag);
    }
    s->period = ty_time_from(d->period), s->first = ty_time_from(d->start);
    s->lag = ty_time_from(d->lag);
    ty_sensor_make *m = &s->make;
    m->def = d, m->rover = s->carrier, m->world = run->world,
    m->vehicle = s->rover == SIZE_MAX ? NULL : run->rover[s->rover].vehicle;
    m->number = (uint32_t)s->index, m->seed = run->scenario.terrain.seed, m->threads = run->def.threads,
    m->pipeline = s->pipeline;
    m->window = d->window;
    if (status == TY_OK) {
        status = s->kind->create(m, s->kind->user, &s->state, diag);
    }
    if (status == TY_OK && m->room > 0.0) {
        status = take_room(run, d->name, m->room, "its rays and returns", diag);
    }
    s->window = ty_time_from(m->window);
    if (status == TY_OK) {
        TY_ASSERT(m->parts >= 1 && m->parts <= TY_MESSAGE_PARTS && m->schema);
        status = add_filters(s, diag);
    }
    if (status == TY_OK) {
        status = tyi_sim_sensor_actions(s, d->action, d->actions, diag);
    }
    return status == TY_OK ? tyi_sim_sensor_link(s, diag) : status;
}

static size_t count_sensors(const ty_run *run)
{
    size_t n = 0;
    for (size_t r = 0; r < run->rovers; r++) {
        n += run->scenario.rover[r].sensors;
    }
    for (size_t a = 0; a < run->scenario.actors; a++) {
        n += run->scenario.actor[a].sensors;
    }
    return n;
}

/* all sensors of one carrier; rover SIZE_MAX: an actor */
static ty_status make_list(ty_run *run, const ty_sensor_def *list, size_t count, tyi_sim_sensor about, ty_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        tyi_sim_sensor *s = &run->sensor[run->sensors];
        *s = about;
        s->run = run;
        s->def = &list[i];
        s->index = run->sensors++;
        ty_diag own = { 0 };
        ty_status status = make_sensor(s, &own);
        if (status != TY_OK) {
            bool named = strstr(own.text, "sensor '") != NULL;
            return named ? ty_fail(diag, status, "%s", own.text)
                         : ty_fail(diag, status, "%s '%s', sensor '%s': %s", s->rover == SIZE_MAX ? "actor" : "rover",
                                   s->carrier, s->def->name, own.text);
        }
    }
    return TY_OK;
}

ty_status tyi_sim_sensors_make(ty_run *run, ty_diag *diag)
{
    size_t n = count_sensors(run);
    run->sensor = tyi_get(NULL, (n + 1) * sizeof *run->sensor);
    ty_status status =
        run->sensor ? room_for_cameras(run, diag) : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu sensors", n);
    for (size_t r = 0; r < run->rovers && status == TY_OK; r++) {
        const ty_scenario_rover *d = &run->scenario.rover[r];
        status = make_list(run, d->sensor, d->sensors, (tyi_sim_sensor){ .carrier = d->name, .rover = r }, diag);
    }
    for (size_t a = 0; a < run->actors && status == TY_OK; a++) {
        const ty_scenario_actor *d = &run->scenario.actor[a];
        status = make_list(run, d->sensor, d->sensors,
                           (tyi_sim_sensor){ .carrier = d->name, .rover = SIZE_MAX, .actor = a }, diag);
    }
    return status;
}

void tyi_sim_sensors_free(ty_run *run)
{
    for (size_t i = 0; i < run->sensors; i++) {
        tyi_sim_sensor *s = &run->sensor[i];
        ty_pipeline_destroy(s->pipeline);
        if (s->kind && s->kind->destroy && s->state) {
            s->kind->destroy(s->state);
        }
        free_actions(s->action, s->actions, s->action_room);
        free_slots(s);
    }
    tyi_put(NULL, run->sensor, run->sensor ? (count_sensors(run) + 1) * sizeof *run->sensor : 0);
    tyi_put(NULL, run->pending, run->pending_room * sizeof *run->pending);
}
