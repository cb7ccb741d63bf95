/* src/sim/view.c - what cameras and lidars look at: a twin of the ground that follows the world's edits, and the scene
 * on it.
 *
 * The twin is made from the same definition as the world's terrain, so it is the same ground; it is a reader of the ground's journal, which
 * it follows as far as a window saw. So the worker may trace while wheels go on pressing ruts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "run.h"
#include "render/inner.h"
#include "soil/world.h"
#include "run_dust.h"
#include "world/terrain/terrain.h"

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
        TY_ASSERT(!r->stale);
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

ty_status tyi_sim_view_edits(tyi_sim_view *view, uint64_t until, ty_diag *diag)
{
    tyi_terrain_entry entry;
    ty_status status = TY_OK;
    tyi_terrain_reading found = TYI_TERRAIN_ENTRY;
    while (status == TY_OK && (found = tyi_terrain_cursor_read(&view->follow, until, &entry)) == TYI_TERRAIN_ENTRY) {
        status = tyi_terrain_follow(view->twin, &entry, diag);
    }
    return status == TY_OK && found != TYI_TERRAIN_NOTHING
               ? ty_fail(diag, TY_ERR_FILE, "run: edits of the ground are lost on their way to the sensors")
               : status;
}

ty_status tyi_sim_view_restart(tyi_sim_view *view, ty_diag *diag)
{
    tyi_terrain_cursor_skip(&view->follow); /* what was on its way is in the world already */
    return tyi_world_sync(view->run->world, view->twin, diag);
}

/* ---- the scene ---- */

ty_status tyi_sim_view_make(tyi_sim_view *view, ty_diag *diag)
{
    ty_run *run = view->run;
    if (view->scene) {
        return TY_OK;
    }
    ty_status status = tyi_world_twin(run->world, &view->twin, diag);
    ty_scene_def def = ty_scene_def_default();
    def.threads = run->def.threads;
    def.ring_cells = run->def.detail ? run->def.detail : (run->scenario.planet_detail + 128) / 256 * 256;
    def.wait = run->scenario.planet_wait;
    def.kinds = run->def.render_kinds;
    if (status == TY_OK) {
        tyi_terrain_cursor_open(&ty_world_terrain(run->world)->edits.journal, &view->follow);
        tyi_terrain_cursor_skip(&view->follow);
        status = ty_stage_create(&run->scenario, view->twin, &def, &view->stage, diag);
        view->scene = status == TY_OK ? ty_stage_scene(view->stage) : NULL;
    }
    if (status == TY_OK && view->device) {
        tyi_render_scene_tracks(view->scene);
        status = ty_scene_set_device(view->scene, view->device, run->scenario.backend == TY_BACKEND_AUTO, diag);
    }
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_sim_looks_add(&run->rover[i].looks, run->rover[i].vehicle, view->scene, diag);
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        status = tyi_sim_actor_show(&run->actor[i], view->scene, diag);
    }
    return status == TY_OK ? tyi_sim_cast_show(view, diag) : status;
}

void tyi_sim_view_free(tyi_sim_view *view)
{
    ty_stage_destroy(view->stage);
    ty_device_destroy(view->device);
    ty_terrain_destroy(view->twin);
    tyi_terrain_cursor_close(&view->follow);
}

/* where a rover's body or mount is in the frames that are shown */
static bool find_part(void *user, const char *rover, const char *part, bool mount, ty_pose *pose)
{
    const tyi_sim_view *view = user;
    const ty_run *run = view->run;
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
        *pose = mount ? ty_pose_mul(view->shown[r->frame0 + (size_t)mounts[at].body], mounts[at].pose)
                      : view->shown[r->frame0 + (size_t)at];
        return true;
    }
    return false;
}

ty_status tyi_sim_view_sky(tyi_sim_view *view, const ty_sky_view *sky, ty_time at, ty_diag *diag)
{
    ty_stage_now now = {
        .utc = ty_utc_add(ty_world_start(view->run->world), at), .view = sky, .find = find_part, .user = view
    };
    return ty_stage_update(view->stage, &now, diag);
}

ty_status tyi_sim_view_pose(tyi_sim_view *view, const ty_pose *start, const ty_pose *end, const ty_sky_view *sky,
                            ty_time at, ty_diag *diag)
{
    const ty_run *run = view->run;
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        const tyi_sim_rover_run *r = &run->rover[i];
        status = tyi_sim_looks_move(&r->looks, r->vehicle, start + r->frame0, end + r->frame0, view->scene, diag);
    }
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        const tyi_sim_actor *a = &run->actor[i];
        status = a->id ? tyi_sim_looks_place(view->scene, a->id, start[a->frame], end[a->frame], diag) : TY_OK;
    }
    view->shown = start;
    return status == TY_OK ? tyi_sim_view_sky(view, sky, at, diag) : status;
}

/* loose soil as it is now */
static ty_status show_lumps(ty_run *run, ty_diag *diag)
{
    size_t room = tyi_soil_world_loose_most(run->soil);
    tyi_render_lump *lump = tyi_get(NULL, (room + 1) * sizeof *lump);
    ty_status status = lump ? tyi_render_scene_set_lumps(run->view[0].scene, room ? lump : NULL,
                                                         tyi_sim_soil_lumps(run, lump, room), diag)
                            : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for loose soil");
    tyi_put(NULL, lump, lump ? (room + 1) * sizeof *lump : 0);
    return status;
}

ty_status ty_run_render(ty_run *run, const ty_camera *camera, const ty_render_def *def,
                        const ty_render_buffers *buffers, ty_diag *diag)
{
    tyi_sim_view *view = &run->view[0];
    tyi_sim_worker_wait(run, NULL);
    ty_status status = tyi_sim_view_make(view, diag);
    if (status == TY_OK) {
        status = tyi_sim_view_edits(view, ty_terrain_version(ty_world_terrain(run->world)), diag);
    }
    if (status == TY_OK) {
        ty_sky_view sky = ty_run_sky(run);
        tyi_sim_frames_read(run, run->now);
        status = tyi_sim_view_pose(view, run->now, run->now, &sky, run->time, diag);
        if (status == TY_OK && run->dust) {
            status = tyi_sim_dust_show_now(run, camera->pose.p, &sky, diag);
        }
    }
    if (status == TY_OK) {
        status = show_lumps(run, diag);
    }
    if (status == TY_OK) {
        ty_render_def seeded = *def;
        seeded.seed = (uint64_t)run->time;
        status = ty_render(view->scene, camera, &seeded, buffers, diag);
    }
    return status;
}

ty_scene *ty_run_scene(ty_run *run)
{
    return run->view[0].scene;
}
