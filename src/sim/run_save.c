/* src/sim/run_save.c - a whole run as bytes, and back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "run.h"
#include "run_dust.h"
#include "run_fmu.h"
#include "share.h"
#include "vehicle/driver.h"
#include "vehicle/vehicle.h"
#include "soil/world.h"
#include "world/terrain/terrain.h"
#include "io/mcap.h"

/* ---- bytes: all that is put starts at a multiple of 8 ---- */

static size_t padding(size_t bytes)
{
    return (8 - bytes % 8) % 8;
}

static void *room(tyi_io_cdr *t, size_t bytes)
{
    return tyi_io_cdr_room(t, bytes + padding(bytes));
}

static void put(tyi_io_cdr *t, const void *data, size_t bytes)
{
    void *to = room(t, bytes);
    if (to && bytes) {
        memcpy(to, data, bytes);
    }
}

/* the next bytes; NULL: there are not as many */
static const void *take(tyi_io_cdr_reader *t, size_t bytes)
{
    const void *at = tyi_io_cdr_reader_take(t, bytes);
    return tyi_io_cdr_reader_take(t, padding(bytes)) ? at : NULL;
}

static void get(tyi_io_cdr_reader *t, void *out, size_t bytes)
{
    const void *from = take(t, bytes);
    if (from && bytes) {
        memcpy(out, from, bytes);
    }
}

#define PUT(t, value) put(t, &(value), sizeof(value))
#define GET(t, value) get(t, &(value), sizeof(value))

/* ---- what kind of run it is ---- */

typedef struct head {
    char magic[16];
    uint64_t sum;   /* of all that follows */
    uint64_t bytes; /* in all */
    uint64_t rovers, actors, sensors, frames, seed;
    ty_time time, step;
    bool begun;
} head;
#define SUMMED offsetof(head, bytes)
static const char magic[16] = "tycho run 4";

static head head_of(const ty_run *run)
{
    head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof h.magic);
    h.rovers = run->rovers, h.actors = run->actors, h.sensors = run->sensors, h.frames = run->frames;
    h.seed = run->scenario.terrain.seed;
    h.time = run->time, h.step = run->step, h.begun = run->begun;
    return h;
}

/* ---- rovers ---- */

/* of an FMU that drives or moves something; NULL: nothing */
static ty_status save_fmu(tyi_io_cdr *t, struct tyi_sim_fmu *fmu, ty_diag *diag)
{
    void *state = NULL;
    size_t bytes = 0;
    ty_status status = fmu ? tyi_sim_fmu_save(fmu, &state, &bytes, diag) : TY_OK;
    if (fmu && status == TY_OK) {
        uint64_t size = bytes;
        PUT(t, size);
        put(t, state, bytes);
    }
    free(state);
    return status;
}

static ty_status load_fmu(tyi_io_cdr_reader *t, struct tyi_sim_fmu *fmu, ty_diag *diag)
{
    uint64_t bytes = 0;
    if (!fmu) {
        return TY_OK;
    }
    GET(t, bytes);
    const void *from = take(t, bytes);
    return from ? tyi_sim_fmu_restore(fmu, from, bytes, diag) : TY_OK;
}

static void save_rover(tyi_io_cdr *t, const tyi_sim_rover_run *r)
{
    uint64_t bytes = ty_vehicle_save_size(r->vehicle),
             progress = r->driver ? tyi_vehicle_driver_progress(r->driver) : 0;
    PUT(t, bytes);
    void *to = room(t, bytes);
    if (to) {
        ty_vehicle_save(r->vehicle, to);
    }
    PUT(t, progress);
    PUT(t, r->driving);
    PUT(t, r->asleep);
    PUT(t, r->still);
    tyi_vehicle_driver_memory memory = r->driver ? r->driver->memory : (tyi_vehicle_driver_memory){ 0 };
    PUT(t, memory);
}

static ty_status load_rover(tyi_io_cdr_reader *t, tyi_sim_rover_run *r, ty_diag *diag)
{
    uint64_t bytes = 0, progress = 0;
    GET(t, bytes);
    const void *from = take(t, bytes);
    ty_status status = from ? ty_vehicle_restore(r->vehicle, from, bytes, diag) : TY_OK;
    GET(t, progress);
    GET(t, r->driving);
    GET(t, r->asleep);
    GET(t, r->still);
    tyi_vehicle_driver_memory memory = { 0 };
    GET(t, memory);
    if (r->driver) {
        r->driver->memory = memory;
        tyi_vehicle_driver_set_progress(r->driver, progress);
    }
    return status;
}

/* ---- a rover for other processes ---- */

typedef struct motion {
    ty_time still;
    uint64_t progress;
    tyi_vehicle_driver_memory memory;
    bool driving, asleep;
} motion;

size_t tyi_sim_rover_pack(const tyi_sim_rover_run *r, void *out)
{
    if (out) {
        motion *a = out;
        *a = (motion){ .still = r->still,
                       .progress = r->driver ? tyi_vehicle_driver_progress(r->driver) : 0,
                       .driving = r->driving,
                       .asleep = r->asleep };
        if (r->driver) {
            a->memory = r->driver->memory;
        }
    }
    return sizeof(motion) + tyi_vehicle_pack(r->vehicle, out ? (char *)out + sizeof(motion) : NULL);
}

ty_status tyi_sim_rover_unpack(ty_run *run, size_t rover, const void *data, size_t bytes, ty_diag *diag)
{
    tyi_sim_rover_run *r = &run->rover[rover];
    const motion *a = data;
    if (bytes < sizeof *a) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the state that was sent is not one of rover '%s'", r->def->name);
    }
    ty_status status = tyi_vehicle_unpack(r->vehicle, (const char *)data + sizeof *a, bytes - sizeof *a, diag);
    r->still = a->still;
    r->driving = a->driving;
    if (r->driver) {
        r->driver->memory = a->memory;
        tyi_vehicle_driver_set_progress(r->driver, a->progress);
    }
    tyi_sim_rest_set(run, rover, a->asleep);
    return status;
}

/* ---- sensors: state, then the slots that are in use ---- */

void tyi_sim_message_pack(const ty_message *m, tyi_io_cdr *t)
{
    for (int i = 0; i < m->parts; i++) {
        PUT(t, m->part[i].data.type);
        put(t, m->part[i].data.data, ty_buffer_type_bytes(&m->part[i].data.type));
    }
}

static void save_slot(tyi_io_cdr *t, const tyi_sim_sensor *s, const tyi_sim_slot *slot)
{
    const ty_message *m = &slot->message;
    int32_t about[2] = { (int32_t)slot->state, slot->keys };
    PUT(t, about);
    PUT(t, m->time);
    PUT(t, m->sequence);
    put(t, slot->key, sizeof slot->key);
    put(t, slot->frames, slot->frames ? 2 * s->run->frames * sizeof(ty_pose) : 0);
    if (slot->state != TYI_SIM_SLOT_OPEN) {
        tyi_sim_message_pack(m, t);
    }
}

static void save_sensor(tyi_io_cdr *t, const tyi_sim_sensor *s)
{
    uint64_t bytes = s->kind->save ? s->kind->save(s->state, NULL) : 0, used = 0;
    PUT(t, s->count);
    PUT(t, s->delivered);
    PUT(t, s->keyed);
    PUT(t, bytes);
    void *to = room(t, bytes);
    if (to && bytes) {
        s->kind->save(s->state, to);
    }
    for (size_t i = 0; i < s->slots; i++) {
        used += s->slot[i].state != TYI_SIM_SLOT_FREE;
    }
    PUT(t, used);
    for (size_t i = 0; i < s->slots; i++) {
        if (s->slot[i].state != TYI_SIM_SLOT_FREE) {
            save_slot(t, s, &s->slot[i]);
        }
    }
}

static ty_status load_parts(tyi_io_cdr_reader *t, tyi_sim_slot *slot, ty_diag *diag)
{
    ty_message *m = &slot->message;
    for (int i = 0; i < m->parts; i++) {
        ty_buffer_type type = { 0 };
        GET(t, type);
        size_t bytes = t->failed ? 0 : ty_buffer_type_bytes(&type);
        size_t most = (size_t)(slot->memory + slot->bytes - m->part[i].data.data);
        const void *data = take(t, bytes);
        if (!data || bytes > most) {
            return ty_fail(diag, TY_ERR_FORMAT,
                           "run: a saved message does not fit its sensor, or is damaged; were filters changed?");
        }
        ty_stamps time = m->time;
        m->part[i].data = ty_buffer_wrap(&type, m->part[i].data.data);
        m->part[i].data.time = time;
        memcpy(m->part[i].data.data, data, bytes);
    }
    return TY_OK;
}

ty_status tyi_sim_message_unpack(tyi_sim_slot *slot, const void *data, size_t bytes, ty_diag *diag)
{
    tyi_io_cdr_reader t = { .at = data, .end = (const uint8_t *)data + bytes };
    ty_status status = tyi_sim_slot_fit(slot, diag);
    return status == TY_OK ? load_parts(&t, slot, diag) : status;
}

static ty_status load_slot(tyi_io_cdr_reader *t, tyi_sim_sensor *s, tyi_sim_slot *slot, ty_diag *diag)
{
    int32_t about[2] = { 0 };
    GET(t, about);
    GET(t, slot->message.time);
    GET(t, slot->message.sequence);
    get(t, slot->key, sizeof slot->key);
    get(t, slot->frames, slot->frames ? 2 * s->run->frames * sizeof(ty_pose) : 0);
    slot->state = (tyi_sim_slot_state)about[0];
    slot->keys = about[1];
    slot->status = TY_OK;
    if (t->failed || about[0] < TYI_SIM_SLOT_OPEN || about[0] > TYI_SIM_SLOT_NEWEST ||
        about[0] == TYI_SIM_SLOT_QUEUED) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is damaged");
    }
    if (slot->state == TYI_SIM_SLOT_OPEN) {
        s->open = slot;
        return TY_OK;
    }
    if (slot->state == TYI_SIM_SLOT_NEWEST) {
        s->newest = slot;
    } else {
        tyi_sim_pending_add(s->run, slot);
    }
    return load_parts(t, slot, diag);
}

static ty_status load_sensor(tyi_io_cdr_reader *t, tyi_sim_sensor *s, ty_diag *diag)
{
    uint64_t bytes = 0, used = 0;
    GET(t, s->count);
    GET(t, s->delivered);
    GET(t, s->keyed);
    GET(t, bytes);
    const void *from = take(t, bytes);
    GET(t, used);
    s->open = s->newest = NULL;
    for (size_t i = 0; i < s->slots; i++) {
        s->slot[i].state = TYI_SIM_SLOT_FREE;
        s->slot[i].linked = 0; /* so that tyi_sim_sensor_link() fits all of them anew */
    }
    ty_status status = bytes && from && s->kind->restore ? s->kind->restore(s->state, from, bytes, diag) : TY_OK;
    if (status == TY_OK) {
        status = tyi_sim_sensor_link(s, diag);
    }
    if (status == TY_OK && used > s->slots) {
        status = ty_fail(diag, TY_ERR_FORMAT, "run: %llu messages of sensor %s are saved, but it has room for %zu",
                         (unsigned long long)used, s->def->name, s->slots);
    }
    for (size_t i = 0; i < used && status == TY_OK; i++) {
        status = load_slot(t, s, &s->slot[i], diag);
    }
    return status;
}

/* ---- the whole ---- */

static bool sink(void *user, const void *data, size_t bytes)
{
    tyi_io_cdr *t = user;
    tyi_io_cdr_add(t, data, bytes);
    return !t->failed;
}

/* the ground: its size and all its edits, or those of its journal's file, where nothing but its length is noted */
static ty_status save_ground(tyi_io_cdr *t, ty_run *run, const tyi_sim_ground_file *file, ty_diag *diag)
{
    tyi_terrain_edits *edits = &ty_world_terrain(run->world)->edits;
    uint64_t about[2] = { 0, file ? 1 : 0 };
    if (file) {
        PUT(t, about);
        return tyi_terrain_edits_save(edits, false, file->sink, file->user, diag);
    }
    size_t at = t->size;
    PUT(t, about);
    size_t first = t->size;
    ty_status status = tyi_terrain_edits_save(edits, true, sink, t, diag);
    about[0] = t->size - first;
    (void)tyi_io_cdr_room(t, padding(about[0]));
    if (status == TY_OK && !t->failed) {
        memcpy(t->data + at, about, sizeof about);
    }
    return status;
}

ty_status ty_run_save(ty_run *run, void **out, size_t *bytes, ty_diag *diag)
{
    return tyi_sim_save(run, NULL, out, bytes, diag);
}

ty_status tyi_sim_save(ty_run *run, const tyi_sim_ground_file *ground, void **out, size_t *bytes, ty_diag *diag)
{
    tyi_io_cdr t = { 0 };
    tyi_sim_worker_wait(run, NULL);
    head h = head_of(run);
    PUT(&t, h);
    uint64_t size = tyi_sim_cast_save(run, NULL);
    PUT(&t, size);
    void *to = room(&t, size);
    if (to) {
        tyi_sim_cast_save(run, to);
    }
    ty_status status = save_ground(&t, run, ground, diag);
    for (size_t i = 0; i < run->rovers; i++) {
        save_rover(&t, &run->rover[i]);
        status = status == TY_OK ? save_fmu(&t, run->rover[i].fmu, diag) : status;
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        status = save_fmu(&t, run->actor[i].fmu, diag);
    }
    size = tyi_sim_loose_save(run, NULL);
    PUT(&t, size);
    to = room(&t, size);
    if (to) {
        tyi_sim_loose_save(run, to);
    }
    size = tyi_soil_world_save(run->soil, NULL);
    PUT(&t, size);
    to = room(&t, size);
    if (to) {
        tyi_soil_world_save(run->soil, to);
    }
    size = tyi_body_world_save(tyi_sim_bodies_world(run), NULL);
    PUT(&t, size);
    to = room(&t, size);
    if (to) {
        tyi_body_world_save(tyi_sim_bodies_world(run), to);
    }
    size = tyi_sim_dust_save(run, NULL);
    PUT(&t, size);
    to = room(&t, size);
    if (to && size) {
        tyi_sim_dust_save(run, to);
    }
    for (size_t i = 0; i < run->sensors; i++) {
        save_sensor(&t, &run->sensor[i]);
    }
    *out = NULL;
    if (status == TY_OK && t.failed) {
        status = ty_fail(diag, TY_ERR_MEMORY, "run: no memory to save it");
    }
    if (status != TY_OK) {
        tyi_io_cdr_free(&t);
        return status;
    }
    head *first = (head *)(void *)t.data;
    first->bytes = t.size;
    first->sum = tyi_hash(t.data + SUMMED, t.size - SUMMED, TYI_HASH_START);
    *out = t.data;
    *bytes = t.size;
    return TY_OK;
}

static ty_status check_head(const ty_run *run, const void *saved, size_t bytes, head *h, ty_diag *diag)
{
    head own = head_of(run);
    if (bytes >= sizeof *h) {
        memcpy(h, saved, sizeof *h);
    }
    if (bytes < sizeof *h || memcmp(h->magic, own.magic, sizeof own.magic) != 0 || h->bytes != bytes ||
        h->sum != tyi_hash((const char *)saved + SUMMED, bytes - SUMMED, TYI_HASH_START)) {
        return ty_fail(diag, TY_ERR_INPUT, "run: the saved state is damaged, or not one");
    }
    if (h->rovers != own.rovers || h->actors != own.actors || h->sensors != own.sensors || h->frames != own.frames ||
        h->seed != own.seed || h->step != own.step) {
        return ty_fail(diag, TY_ERR_INPUT, "run: the saved state is of another scenario");
    }
    return TY_OK;
}

static bool source(void *user, void *data, size_t bytes)
{
    const void *from = tyi_io_cdr_reader_take(user, bytes);
    if (from) {
        memcpy(data, from, bytes);
    }
    return from;
}

static ty_status load_ground(tyi_io_cdr_reader *t, ty_run *run, const tyi_sim_ground_file *file, ty_diag *diag)
{
    ty_terrain *terrain = ty_world_terrain(run->world);
    uint64_t about[2] = { 0 };
    GET(t, about);
    if (t->failed || (about[1] != 0) != (file != NULL)) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is damaged, or not one");
    }
    ty_status status = TY_OK;
    if (file) {
        status = tyi_terrain_load(terrain, file->bytes, file->source, file->user, true, diag);
    } else {
        tyi_io_cdr_reader edits = { .at = take(t, about[0]) };
        edits.end = edits.at ? edits.at + about[0] : NULL;
        status = edits.at ? tyi_terrain_load(terrain, about[0], source, &edits, false, diag) : TY_OK;
    }
    for (int i = 0; i < run->views && status == TY_OK; i++) {
        status = run->view[i].twin ? tyi_sim_view_restart(&run->view[i], diag) : TY_OK;
    }
    return status;
}

ty_status ty_run_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag)
{
    return tyi_sim_restore(run, NULL, saved, bytes, diag);
}

ty_status tyi_sim_restore(ty_run *run, const tyi_sim_ground_file *ground, const void *saved, size_t bytes,
                          ty_diag *diag)
{
    tyi_io_cdr_reader t = { .at = saved, .end = (const uint8_t *)saved + bytes };
    head h;
    tyi_sim_worker_wait(run, NULL);
    ty_status status = check_head(run, saved, bytes, &h, diag);
    if (status != TY_OK) {
        return status;
    }
    GET(&t, h);
    run->time = h.time;
    run->begun = h.begun;
    run->pendings = 0;
    uint64_t size = 0;
    status = tyi_body_world_scatter(tyi_sim_bodies_world(run), diag);
    GET(&t, size);
    const void *cast = take(&t, size);
    if (status == TY_OK) {
        status = cast ? tyi_sim_cast_restore(run, cast, size, diag)
                      : ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is damaged");
    }
    status = status == TY_OK ? load_ground(&t, run, ground, diag) : status;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = load_rover(&t, &run->rover[i], diag);
        status = status == TY_OK ? load_fmu(&t, run->rover[i].fmu, diag) : status;
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        status = load_fmu(&t, run->actor[i].fmu, diag);
    }
    if (status == TY_OK) {
        tyi_sim_rest_restored(run);
    }
    if (status == TY_OK) {
        GET(&t, size);
        const void *rocks = take(&t, size);
        status = rocks ? tyi_sim_loose_restore(run, rocks, size, diag) : TY_OK;
    }
    if (status == TY_OK) {
        GET(&t, size);
        const void *soil = take(&t, size);
        status = soil ? tyi_soil_world_restore(run->soil, soil, size, diag) : TY_OK;
    }
    if (status == TY_OK) {
        GET(&t, size);
        const void *groups = take(&t, size);
        status =
            groups ? tyi_body_world_restore(tyi_sim_bodies_world(run), tyi_sim_steps(run), groups, size, diag) : TY_OK;
    }
    if (status == TY_OK) {
        GET(&t, size);
        const void *dust = take(&t, size);
        status = dust && !t.failed ? tyi_sim_dust_restore(run, dust, size, diag) : TY_OK;
    }
    for (size_t i = 0; i < run->sensors && status == TY_OK; i++) {
        status = load_sensor(&t, &run->sensor[i], diag);
    }
    return status == TY_OK && t.failed ? ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is damaged") : status;
}
