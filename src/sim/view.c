/* src/sim/view.c - what cameras and lidars look at: a twin of the ground that follows the world's edits, and the scene
 * on it.
 *
 * The twin is made from the same definition as the world's terrain, so it is the same ground; edits reach it through
 * a ring of bytes, in their order, each as far as a window saw them. So the worker may trace while wheels go on
 * pressing ruts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "run.h"
#include "world/terrain/terrain.h"

#define RING ((uint64_t)4 << 20) /* [bytes] of edits on their way; a rut's edit is some kilobytes */

typedef struct ring_edit {
    uint32_t bytes; /* of the whole record, a multiple of 8; the top bit: nothing but the rest of the ring */
    uint32_t parts; /* 1 change, 2 trace, 4 a moved rock */
    int32_t i0, j0, nx, ny;
} ring_edit;
#define SKIPPED 0x80000000u

ty_sky_view tyi_sim_sky_view(const ty_run *run, ty_time at)
{
    ty_sky sky;
    ty_utc now = ty_utc_add(ty_world_start(run->world), at);
    if (ty_sky_at(now, &sky, NULL) != TY_OK) { /* past 2099: no light */
        return (ty_sky_view){ 0 };
    }
    return ty_sky_view_at(&sky, ty_terrain_site(ty_world_terrain(run->world)));
}

void tyi_sim_frames_read(const ty_run *run, ty_pose *out)
{
    for (size_t i = 0; i < run->rovers; i++) {
        const tyi_sim_rover_run *r = &run->rover[i];
        int bodies = ty_vehicle_bodies(r->vehicle);
        for (int b = 0; b < bodies; b++) {
            out[r->frame0 + (size_t)b] = ty_vehicle_body_pose(r->vehicle, b, NULL, NULL);
        }
        ty_vehicle_state state;
        ty_vehicle_get(r->vehicle, &state);
        out[r->frame0 + (size_t)bodies] = state.pose;
    }
    for (size_t i = 0; i < run->actors; i++) {
        out[run->actor[i].frame] = tyi_sim_actor_pose(run, &run->actor[i], run->time);
    }
}

/* ---- edits ---- */

static size_t record_bytes(const ty_edit *e)
{
    size_t n = (size_t)e->nx * (size_t)e->ny;
    return (sizeof(ring_edit) + (e->rock ? sizeof *e->rock : 0) + (e->change ? n * sizeof(float) : 0) +
            (e->trace ? n : 0) + 7) /
           8 * 8;
}

/* room for `bytes` in one piece; waits for the worker where the ring is full */
static char *ring_room(ty_run *run, size_t bytes)
{
    tyi_sim_edit_ring *ring = &run->ring;
    uint64_t at = ring->head % RING, rest = RING - at, need = bytes + (rest < bytes ? rest : 0);
    pthread_mutex_lock(&run->worker.lock);
    uint64_t tail = ring->tail;
    pthread_mutex_unlock(&run->worker.lock);
    if (ring->head + need - tail > RING) { /* rare: a long way without a frame */
        tyi_sim_worker_wait(run, NULL);
        tyi_sim_view_edits(run, ring->head, NULL);
    }
    if (rest < bytes) {
        *(ring_edit *)(void *)(ring->bytes + at) = (ring_edit){ .bytes = (uint32_t)rest | SKIPPED };
        ring->head += rest;
    }
    return ring->bytes + ring->head % RING;
}

void tyi_sim_view_watch(void *user, const ty_edit *edit)
{
    ty_run *run = user;
    size_t bytes = record_bytes(edit), n = (size_t)edit->nx * (size_t)edit->ny;
    if (bytes > RING / 4) { /* too large for the ring: straight to the twin */
        tyi_sim_worker_wait(run, NULL);
        tyi_sim_view_edits(run, run->ring.head, NULL);
        ty_terrain_edit(run->twin, edit, NULL);
        return;
    }
    char *to = ring_room(run, bytes);
    *(ring_edit *)(void *)to =
        (ring_edit){ (uint32_t)bytes, (edit->change ? 1u : 0u) | (edit->trace ? 2u : 0u) | (edit->rock ? 4u : 0u),
                     edit->i0,        edit->j0,
                     edit->nx,        edit->ny };
    to += sizeof(ring_edit);
    if (edit->rock) {
        memcpy(to, edit->rock, sizeof *edit->rock);
        to += sizeof *edit->rock;
    }
    if (edit->change) {
        memcpy(to, edit->change, n * sizeof(float));
        to += n * sizeof(float);
    }
    if (edit->trace) {
        memcpy(to, edit->trace, n);
    }
    run->ring.head += bytes;
}

ty_status tyi_sim_view_edits(ty_run *run, uint64_t until, ty_diag *diag)
{
    ty_status status = TY_OK;
    uint64_t tail = run->ring.tail; /* only this side moves it */
    while (tail < until && status == TY_OK) {
        const char *at = run->ring.bytes + tail % RING;
        const ring_edit *r = (const ring_edit *)(const void *)at;
        if (!(r->bytes & SKIPPED)) {
            size_t n = (size_t)r->nx * (size_t)r->ny;
            const char *data = at + sizeof *r;
            ty_edit edit = { .i0 = r->i0, .j0 = r->j0, .nx = r->nx, .ny = r->ny };
            edit.rock = r->parts & 4 ? (const ty_rock *)(const void *)data : NULL;
            data += r->parts & 4 ? sizeof(ty_rock) : 0;
            edit.change = r->parts & 1 ? (const float *)(const void *)data : NULL;
            edit.trace = r->parts & 2 ? (const uint8_t *)data + (r->parts & 1 ? n * sizeof(float) : 0) : NULL;
            status = ty_terrain_edit(run->twin, &edit, diag);
        }
        tail += r->bytes & ~SKIPPED;
    }
    pthread_mutex_lock(&run->worker.lock);
    run->ring.tail = tail;
    pthread_mutex_unlock(&run->worker.lock);
    return status;
}

ty_status tyi_sim_view_restart(ty_run *run, ty_diag *diag)
{
    run->ring.tail = run->ring.head; /* what was on its way is in the world already */
    return tyi_world_sync(run->world, run->twin, diag);
}

/* ---- the scene ---- */

ty_status tyi_sim_view_make(ty_run *run, ty_diag *diag)
{
    if (run->scene) {
        return TY_OK;
    }
    run->ring.bytes = tyi_get(NULL, RING);
    ty_status status = run->ring.bytes ? tyi_world_twin(run->world, &run->twin, diag)
                                       : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for edits of the ground");
    ty_scene_def def = ty_scene_def_default();
    def.threads = run->def.threads;
    def.ring_cells = run->def.detail ? run->def.detail : def.ring_cells;
    def.wait = run->scenario.planet_wait;
    if (status == TY_OK) {
        tyi_terrain_watch(ty_world_terrain(run->world), tyi_sim_view_watch, run);
        status = ty_stage_create(&run->scenario, run->twin, &def, &run->stage, diag);
        run->scene = status == TY_OK ? ty_stage_scene(run->stage) : NULL;
    }
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_sim_looks_add(&run->rover[i].looks, run->rover[i].vehicle, run->scene, diag);
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        status = tyi_sim_actor_show(&run->actor[i], run->scene, diag);
    }
    return status;
}

void tyi_sim_view_free(ty_run *run)
{
    ty_stage_destroy(run->stage);
    ty_terrain_destroy(run->twin);
    tyi_put(NULL, run->ring.bytes, run->ring.bytes ? RING : 0);
}

/* where a rover's body or mount is in the frames that are shown */
static bool find_part(void *user, const char *rover, const char *part, bool mount, ty_pose *pose)
{
    const ty_run *run = user;
    for (size_t i = 0; i < run->rovers; i++) {
        const tyi_sim_rover_run *r = &run->rover[i];
        if (strcmp(r->def->name, rover) != 0) {
            continue;
        }
        const ty_vehicle_mount *mounts;
        int bodies = ty_vehicle_bodies(r->vehicle),
            at = mount ? ty_vehicle_find_mount(r->vehicle, part) : ty_vehicle_find_body(r->vehicle, part);
        if (!part[0] && !mount) {
            at = bodies; /* B */
        }
        if (at < 0) {
            return false;
        }
        ty_vehicle_mounts(r->vehicle, &mounts);
        *pose = mount ? ty_pose_mul(run->shown[r->frame0 + (size_t)mounts[at].body], mounts[at].pose)
                      : run->shown[r->frame0 + (size_t)at];
        return true;
    }
    return false;
}

ty_status tyi_sim_view_sky(ty_run *run, const ty_sky_view *sky, ty_time at, ty_diag *diag)
{
    ty_stage_now now = {
        .utc = ty_utc_add(ty_world_start(run->world), at), .view = sky, .find = find_part, .user = run
    };
    return ty_stage_update(run->stage, &now, diag);
}

ty_status tyi_sim_view_pose(ty_run *run, const ty_pose *start, const ty_pose *end, const ty_sky_view *sky, ty_time at,
                            ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        const tyi_sim_rover_run *r = &run->rover[i];
        status = tyi_sim_looks_move(&r->looks, r->vehicle, start + r->frame0, end + r->frame0, run->scene, diag);
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        const tyi_sim_actor *a = &run->actor[i];
        status = a->id ? tyi_sim_looks_place(run->scene, a->id, start[a->frame], end[a->frame], diag) : TY_OK;
    }
    run->shown = start;
    return status == TY_OK ? tyi_sim_view_sky(run, sky, at, diag) : status;
}

ty_status ty_run_render(ty_run *run, const ty_camera *camera, const ty_render_def *def,
                        const ty_render_buffers *buffers, ty_diag *diag)
{
    tyi_sim_worker_wait(run, NULL);
    ty_status status = tyi_sim_view_make(run, diag);
    if (status == TY_OK) {
        status = tyi_sim_view_edits(run, run->ring.head, diag);
    }
    if (status == TY_OK) {
        ty_sky_view sky = ty_run_sky(run);
        tyi_sim_frames_read(run, run->now);
        status = tyi_sim_view_pose(run, run->now, run->now, &sky, run->time, diag);
    }
    if (status == TY_OK) {
        ty_render_def seeded = *def;
        seeded.seed = (uint64_t)run->time;
        status = ty_render(run->scene, camera, &seeded, buffers, diag);
    }
    return status;
}
