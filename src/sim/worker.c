/* src/sim/worker.c - the thread that makes frames while the dynamics go on, and the work itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "run.h"
#include "render/inner.h"
#include "run_dust.h"

/* ---- one window into one message ---- */

static void copy_out(const ty_buffer *from, ty_buffer *to)
{
    size_t bytes = ty_element_bytes(from->type.element);
    to->type = from->type;
    *to = (ty_buffer){ .type = from->type, .time = to->time, .data = to->data };
    ty_buffer plain = ty_buffer_wrap(&from->type, to->data);
    to->column = plain.column, to->row = plain.row, to->channel = plain.channel;
    for (int y = 0; y < from->type.height; y++) {
        if (from->channel == plain.channel && from->column == plain.column) {
            memcpy(ty_buffer_at(to, 0, y, 0), ty_buffer_at(from, 0, y, 0), (size_t)plain.row);
            continue;
        }
        for (int x = 0; x < from->type.width; x++) {
            for (int c = 0; c < from->type.channels; c++) {
                memcpy(ty_buffer_at(to, x, y, c), ty_buffer_at(from, x, y, c), bytes);
            }
        }
    }
}

/* the scene as the window saw it */
static ty_status look(tyi_sim_slot *slot, ty_sensor_shot *shot)
{
    tyi_sim_sensor *s = slot->sensor;
    ty_run *run = s->run;
    ty_stamps t = slot->message.time;
    shot->sky = tyi_sim_sky_view(run, t.start + (t.end - t.start) / 2);
    ty_status status = tyi_sim_view_edits(run, slot->edits, &slot->diag);
    if (status == TY_OK) {
        status = tyi_sim_view_pose(run, slot->frames, slot->frames + run->frames, &shot->sky,
                                   t.start + (t.end - t.start) / 2, &slot->diag);
    }
    if (status == TY_OK && run->dust) {
        status = tyi_sim_dust_show(run, slot->key[0].pose.p, slot->dust, slot->dusts, &shot->sky, &slot->diag);
    }
    if (status == TY_OK) {
        status = tyi_render_scene_set_lumps(run->scene, slot->lump, slot->lumps, &slot->diag);
    }
    size_t carrier = s->rover == SIZE_MAX ? run->actor[s->actor].frame : run->rover[s->rover].frame0;
    tyi_render_scene_carrier(run->scene, &slot->frames[carrier].p);
    shot->scene = run->scene;
    return status;
}

static ty_status make_message(tyi_sim_slot *slot, const ty_sensor_shot *shot)
{
    tyi_sim_sensor *s = slot->sensor;
    static const uint8_t nothing = 0;
    const ty_buffer_type type = { 1, 1, 1, TY_ELEMENT_U8, TY_UNIT_NONE, 0 };
    ty_buffer in = ty_buffer_wrap(&type, (void *)(uintptr_t)&nothing);
    in.time = slot->message.time;
    const ty_buffer *out, *depth = s->make.depth_part ? &slot->message.part[s->make.depth_part].data : NULL;
    s->at_work = slot;
    s->shot = shot;
    ty_status status = ty_pipeline_run(s->pipeline, &in, depth, shot->frame, &out, &slot->diag);
    if (status == TY_OK) {
        copy_out(out, &slot->message.part[0].data);
    }
    s->at_work = NULL;
    s->shot = NULL;
    return status;
}

void tyi_sim_slot_run(tyi_sim_slot *slot)
{
    tyi_sim_sensor *s = slot->sensor;
    ty_run *run = s->run;
    ty_sensor_shot shot = { .time = slot->message.time,
                            .frame = slot->message.sequence,
                            .keys = slot->keys,
                            .key = slot->key,
                            .threads = run->def.threads };
    shot.period = ty_seconds(s->period);
    memcpy(shot.dust, slot->lies, sizeof shot.dust);
    shot.dust_lens = shot.dust[tyi_sim_dust_side(ty_rotate(s->offset.q, ty_vec3_make(1.0, 0.0, 0.0)))];
    shot.grains = run->dust ? run->dust->grains : (ty_sensor_grains){ 0 };
    if (s->make.reads_sky && !s->kind->scene) {
        shot.sky = tyi_sim_sky_view(run, shot.time.start + (shot.time.end - shot.time.start) / 2);
    }
    if (s->make.reads_vehicle && s->rover != SIZE_MAX && !s->kind->scene) {
        shot.state = &run->rover[s->rover].state;
    }
    if (run->def.slow) {
        run->def.slow(run->def.slow_user, s->index);
    }
    slot->status = tyi_sim_sensor_type(s, &slot->diag);
    if (slot->status == TY_OK) {
        slot->status = tyi_sim_slot_fit(slot, &slot->diag);
    }
    if (slot->status == TY_OK && s->kind->scene) {
        slot->status = look(slot, &shot);
    }
    size_t done = 0;
    for (; done < s->actions && slot->status == TY_OK; done++) {
        slot->status = s->action[done].before(s->action[done].user, shot.scene, &shot, &slot->diag);
    }
    if (slot->status == TY_OK) {
        slot->status = make_message(slot, &shot);
    }
    while (done-- > 0) {
        if (s->action[done].after) {
            s->action[done].after(s->action[done].user, shot.scene);
        }
    }
    if (shot.scene) {
        tyi_render_scene_carrier(shot.scene, NULL);
    }
}

/* ---- the thread ---- */

/* a frame, with its time taken; returns holding the lock */
static void run_timed(ty_run *run, tyi_sim_slot *slot)
{
    double start = tyi_now();
    tyi_sim_slot_run(slot);
    double end = tyi_now();
    pthread_mutex_lock(&run->worker.lock);
    run->worker.stats.frames++;
    run->worker.stats.work_s += end - start;
    if (run->device && run->scene && !run->worker.stats.host) {
        run->worker.stats.host = ty_scene_get_stats(run->scene).host;
    }
    if (run->device && run->scene && !run->worker.stats.coarser) {
        run->worker.stats.coarser = ty_scene_get_stats(run->scene).coarser;
    }
    slot->state = TYI_SIM_SLOT_READY;
}

ty_run_stats ty_run_get_stats(ty_run *run)
{
    pthread_mutex_lock(&run->worker.lock);
    ty_run_stats stats = run->worker.stats;
    pthread_mutex_unlock(&run->worker.lock);
    const ty_run_stats *own = &run->cost;
    stats.device = run->device ? ty_device_get_info(run->device)->name : NULL;
    stats.host = run->no_device[0] ? run->no_device : stats.host;
    stats.motion_s = own->motion_s, stats.soil_s = own->soil_s, stats.deliver_s = own->deliver_s;
    /* without a worker, frames are made where windows close: they are not what sensing costs */
    stats.sensor_s = own->sensor_s - (run->worker.started ? 0.0 : stats.work_s);
    tyi_sim_estimate(run, stats.need, sizeof stats.need);
    return stats;
}

static void *work(void *user)
{
    ty_run *run = user;
    tyi_sim_worker *w = &run->worker;
    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        if (w->head == w->tail) {
            pthread_cond_wait(&w->wake, &w->lock);
            continue;
        }
        tyi_sim_slot *slot = w->queue[w->tail % w->room];
        pthread_mutex_unlock(&w->lock);
        run_timed(run, slot);
        w->tail++;
        pthread_cond_broadcast(&w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

ty_status tyi_sim_worker_init(ty_run *run, ty_diag *diag)
{
    tyi_sim_worker *w = &run->worker;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    pthread_cond_init(&w->done, NULL);
    w->made = true;
    w->room = run->pending_room + 1;
    w->queue = tyi_get(NULL, w->room * sizeof *w->queue);
    bool scene = false;
    for (size_t i = 0; i < run->sensors; i++) {
        scene = scene || run->sensor[i].kind->scene;
    }
    if (!w->queue) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for the queue of frames");
    }
    ty_status status = scene ? tyi_sim_view_make(run, diag) : TY_OK;
    if (status == TY_OK && scene && run->def.overlap) {
        w->started = pthread_create(&w->thread, NULL, work, run) == 0;
        status = w->started ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: the thread of the sensors did not start");
    }
    return status;
}

void tyi_sim_worker_free(ty_run *run)
{
    tyi_sim_worker *w = &run->worker;
    if (!w->made) {
        return;
    }
    if (w->started) {
        pthread_mutex_lock(&w->lock);
        w->quit = true;
        pthread_cond_signal(&w->wake);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->done);
    pthread_mutex_destroy(&w->lock);
    tyi_put(NULL, w->queue, w->room * sizeof *w->queue);
}

void tyi_sim_worker_push(ty_run *run, tyi_sim_slot *slot)
{
    tyi_sim_worker *w = &run->worker;
    if (slot->sensor->elsewhere) { /* it comes when it is due */
        slot->state = TYI_SIM_SLOT_READY;
        slot->status = TY_OK;
        return;
    }
    if (!slot->sensor->kind->scene) {
        tyi_sim_slot_run(slot);
        slot->state = TYI_SIM_SLOT_READY;
        return;
    }
    if (!w->started) {
        run_timed(run, slot);
        w->stats.wait_s = w->stats.work_s;
        pthread_mutex_unlock(&w->lock);
        return;
    }
    pthread_mutex_lock(&w->lock);
    TY_ASSERT(w->head - w->tail < w->room); /* there is a place for every slot */
    slot->state = TYI_SIM_SLOT_QUEUED;
    w->queue[w->head++ % w->room] = slot;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

void tyi_sim_worker_wait(ty_run *run, tyi_sim_slot *slot)
{
    tyi_sim_worker *w = &run->worker;
    if (!w->started) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    double start = slot && slot->state != TYI_SIM_SLOT_QUEUED ? 0.0 : tyi_now();
    while (slot ? slot->state == TYI_SIM_SLOT_QUEUED : w->head != w->tail) {
        pthread_cond_wait(&w->done, &w->lock);
    }
    w->stats.wait_s += start > 0.0 ? tyi_now() - start : 0.0;
    pthread_mutex_unlock(&w->lock);
}
