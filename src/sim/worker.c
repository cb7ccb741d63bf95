/* src/sim/worker.c - the threads that make frames while the dynamics go on, one for each view, and the work itself.
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
    tyi_sim_view *view = s->view;
    ty_stamps t = slot->message.time;
    shot->sky = tyi_sim_sky_view(run, t.start + (t.end - t.start) / 2);
    ty_status status = tyi_sim_view_edits(view, slot->edits, &slot->diag);
    if (status == TY_OK) {
        status = tyi_sim_view_pose(view, slot->frames, slot->frames + run->frames, &shot->sky,
                                   t.start + (t.end - t.start) / 2, &slot->diag);
    }
    if (status == TY_OK && run->dust) {
        tyi_render_scene_set_dust(view->scene, slot->coat, TYI_RENDER_COATS);
        status = tyi_sim_dust_show(view, slot->key[0].pose.p, slot->dust, slot->dusts, &shot->sky, &slot->diag);
    }
    if (status == TY_OK) {
        status = tyi_render_scene_set_lumps(view->scene, slot->lump, slot->lumps, &slot->diag);
    }
    size_t carrier = s->rover == SIZE_MAX ? run->actor[s->actor].frame : run->rover[s->rover].frame0;
    tyi_render_scene_carrier(view->scene, &slot->frames[carrier].p);
    shot->scene = view->scene;
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
    const tyi_sim_view *view = slot->sensor->view;
    double start = tyi_now();
    tyi_sim_slot_run(slot);
    double end = tyi_now();
    pthread_mutex_lock(&run->worker.lock);
    run->worker.stats.frames++;
    run->worker.stats.work_s += end - start;
    if (view->device && !run->worker.stats.host) {
        run->worker.stats.host = ty_scene_get_stats(view->scene).host;
    }
    if (view->device && !run->worker.stats.coarser) {
        run->worker.stats.coarser = ty_scene_get_stats(view->scene).coarser;
    }
    slot->state = TYI_SIM_SLOT_READY;
}

ty_run_stats ty_run_get_stats(ty_run *run)
{
    pthread_mutex_lock(&run->worker.lock);
    ty_run_stats stats = run->worker.stats;
    pthread_mutex_unlock(&run->worker.lock);
    const ty_run_stats *own = &run->cost;
    stats.device = run->devices[0] ? run->devices : NULL;
    stats.host = run->no_device[0] ? run->no_device : stats.host;
    stats.motion_s = own->motion_s, stats.soil_s = own->soil_s, stats.deliver_s = own->deliver_s;
    /* without a worker, frames are made where windows close: they are not what sensing costs */
    stats.sensor_s = own->sensor_s - (run->worker.started ? 0.0 : stats.work_s);
    tyi_sim_estimate(run, stats.need, sizeof stats.need);
    return stats;
}

static void *work(void *user)
{
    tyi_sim_view *view = user;
    tyi_sim_worker *w = &view->run->worker;
    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        if (view->head == view->tail) {
            pthread_cond_wait(&w->wake, &w->lock);
            continue;
        }
        tyi_sim_slot *slot = view->queue[view->tail % w->room];
        pthread_mutex_unlock(&w->lock);
        run_timed(view->run, slot);
        view->tail++;
        pthread_cond_broadcast(&w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* each sensor of the scene gets its view: neighbours in the list stay together, so that rovers do too */
static size_t share_out(ty_run *run)
{
    size_t all = 0, k = 0;
    for (size_t i = 0; i < run->sensors; i++) {
        all += run->sensor[i].kind->scene;
    }
    for (size_t i = 0; i < run->sensors; i++) {
        run->sensor[i].view = run->sensor[i].kind->scene ? &run->view[k++ * (size_t)run->views / all] : NULL;
    }
    return all < (size_t)run->views ? all : (size_t)run->views;
}

static ty_status view_start(tyi_sim_view *view, ty_diag *diag)
{
    tyi_sim_worker *w = &view->run->worker;
    view->queue = tyi_get(NULL, w->room * sizeof *view->queue);
    if (!view->queue) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for the queue of frames");
    }
    ty_status status = tyi_sim_view_make(view, diag);
    if (status == TY_OK && view->run->def.overlap) {
        view->started = pthread_create(&view->thread, NULL, work, view) == 0;
        status = view->started ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: the thread of the sensors did not start");
    }
    return status;
}

ty_status tyi_sim_worker_init(ty_run *run, ty_diag *diag)
{
    tyi_sim_worker *w = &run->worker;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    pthread_cond_init(&w->done, NULL);
    w->made = true;
    w->room = run->pending_room + 1;
    ty_status status = TY_OK;
    size_t asked = share_out(run);
    for (size_t i = 0; i < run->sensors && asked && status == TY_OK; i++) {
        tyi_sim_view *view = run->sensor[i].view;
        status = view && !view->queue ? view_start(view, diag) : TY_OK;
    }
    w->started = asked && run->def.overlap;
    return status;
}

void tyi_sim_worker_free(ty_run *run)
{
    tyi_sim_worker *w = &run->worker;
    if (!w->made) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < run->views; i++) {
        if (run->view[i].started) {
            pthread_join(run->view[i].thread, NULL);
        }
        tyi_put(NULL, run->view[i].queue, run->view[i].queue ? w->room * sizeof *run->view[i].queue : 0);
    }
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->done);
    pthread_mutex_destroy(&w->lock);
}

ty_status tyi_sim_worker_fit(ty_run *run, size_t slots, ty_diag *diag)
{
    tyi_sim_worker *w = &run->worker;
    tyi_sim_slot **queue[TYI_SIM_VIEWS] = { 0 };
    bool all = true;
    for (int i = 0; i < run->views; i++) {
        queue[i] = run->view[i].queue ? tyi_get(NULL, (slots + 1) * sizeof **queue) : NULL;
        all = all && (queue[i] || !run->view[i].queue);
    }
    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < run->views && all; i++) {
        tyi_sim_view *view = &run->view[i];
        tyi_put(NULL, view->queue, view->queue ? w->room * sizeof **queue : 0);
        view->queue = queue[i], queue[i] = NULL;
        view->head = view->tail = 0;
    }
    w->room = all ? slots + 1 : w->room;
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < run->views; i++) {
        tyi_put(NULL, queue[i], queue[i] ? (slots + 1) * sizeof **queue : 0);
    }
    return all ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for %zu messages", slots);
}

void tyi_sim_worker_push(ty_run *run, tyi_sim_slot *slot)
{
    tyi_sim_worker *w = &run->worker;
    tyi_sim_view *view = slot->sensor->view;
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
    TY_ASSERT(view->head - view->tail < w->room); /* there is a place for every slot */
    slot->state = TYI_SIM_SLOT_QUEUED;
    view->queue[view->head++ % w->room] = slot;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

/* under the lock */
static bool busy(const ty_run *run)
{
    bool any = false;
    for (int i = 0; i < run->views; i++) {
        any = any || run->view[i].head != run->view[i].tail;
    }
    return any;
}

void tyi_sim_worker_wait(ty_run *run, tyi_sim_slot *slot)
{
    tyi_sim_worker *w = &run->worker;
    if (!w->started) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    double start = slot && slot->state != TYI_SIM_SLOT_QUEUED ? 0.0 : tyi_now();
    while (slot ? slot->state == TYI_SIM_SLOT_QUEUED : busy(run)) {
        pthread_cond_wait(&w->done, &w->lock);
    }
    w->stats.wait_s += start > 0.0 ? tyi_now() - start : 0.0;
    pthread_mutex_unlock(&w->lock);
}
