/* src/sim/schedule.c - the schedule of sensors: keyframes, windows that close, messages that are due.
 *
 * All times are whole nanoseconds. Where a keyframe falls between two steps, poses are interpolated between them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "run.h"
#include "run_dust.h"

static ty_time window_start(const tyi_sim_sensor *s)
{
    return s->first + (ty_time)s->count * s->period;
}

static int keys_of(const tyi_sim_sensor *s)
{
    return s->window > 0 ? s->kind->keys : 1;
}

/* when the present window wants its next keyframe */
static ty_time next_key(const tyi_sim_sensor *s)
{
    int keys = keys_of(s);
    ty_time into = keys > 1 ? s->window * s->keyed / (keys - 1) : 0;
    return window_start(s) + into;
}

bool tyi_sim_sensor_keyed(const tyi_sim_sensor *s, ty_time after, ty_time until)
{
    ty_time c = after - s->first - s->window;
    int keys = keys_of(s);
    for (c = c > 0 ? c / s->period : 0; s->first + c * s->period <= until; c++) {
        for (int k = 0; k < keys; k++) {
            ty_time key = s->first + c * s->period + (keys > 1 ? s->window * k / (keys - 1) : 0);
            if (key > after && key <= until) {
                return true;
            }
        }
    }
    return false;
}

ty_time tyi_sim_sensor_lag(const tyi_sim_sensor *s)
{
    return s->lag + ty_pipeline_lag(s->pipeline);
}

static ty_pose between(ty_pose a, ty_pose b, double u)
{
    if (u >= 1.0) {
        return b;
    }
    ty_pose p = { ty_add(a.p, ty_scale(u, ty_sub(b.p, a.p))), ty_quat_slerp(a.q, b.q, u) };
    return p;
}

/* ---- before a step ---- */

/* the motion of a mount now */
static ty_sensor_key motion(const tyi_sim_sensor *s)
{
    const ty_run *run = s->run;
    ty_sensor_key key = { .time = run->time };
    ty_pose frame;
    if (s->rover == SIZE_MAX) { /* as the trajectory goes around this moment */
        const ty_time h = run->step / 2;
        ty_pose a = tyi_sim_actor_pose(run, &run->actor[s->actor], run->time - h),
                b = tyi_sim_actor_pose(run, &run->actor[s->actor], run->time + h);
        ty_quat turn = ty_quat_mul(b.q, ty_quat_conj(a.q));
        double per = 1.0 / ty_seconds(2 * h), sign = turn.w < 0.0 ? -2.0 : 2.0;
        key.pose = tyi_sim_actor_pose(run, &run->actor[s->actor], run->time);
        key.v_W = ty_scale(per, ty_sub(b.p, a.p));
        key.omega_W = ty_scale(sign * per, ty_vec3_make(turn.x, turn.y, turn.z)); /* a small turn */
        return key;
    }
    const ty_vehicle *v = run->rover[s->rover].vehicle;
    TY_ASSERT(!run->rover[s->rover].stale || s->elsewhere);
    if (s->body >= 0) {
        frame = ty_vehicle_body_pose(v, s->body, &key.v_W, &key.omega_W);
    } else {
        ty_vehicle_state state;
        ty_vehicle_get(v, &state);
        frame = state.pose;
        key.v_W = state.v_W;
        key.omega_W = ty_rotate(frame.q, state.omega_B);
    }
    key.pose = ty_pose_mul(frame, s->offset);
    key.v_W = ty_add(key.v_W, ty_cross(key.omega_W, ty_sub(key.pose.p, frame.p)));
    return key;
}

void tyi_sim_sense_before(ty_run *run)
{
    ty_time end = run->time + run->step;
    bool scene = false;
    for (size_t i = 0; i < run->sensors; i++) {
        tyi_sim_sensor *s = &run->sensor[i];
        if (s->ignored) {
            continue;
        }
        bool keyed = next_key(s) <= end;
        bool stepped = s->kind->step && window_start(s) < end;
        scene = scene || (s->kind->scene && keyed);
        if (!s->kind->scene && (keyed || stepped)) {
            s->before = motion(s);
            if (s->rover != SIZE_MAX && s->make.reads_vehicle) {
                run->rover[s->rover].read = true;
            }
        }
    }
    run->keyed = scene;
    if (scene) {
        tyi_sim_frames_read(run, run->before);
    }
    run->step_start = run->time;
}

/* ---- after a step ---- */

/* [-] where in the last step a time lies */
static double share(const ty_run *run, ty_time at)
{
    ty_time length = run->time - run->step_start;
    return at >= run->time || length == 0 ? 1.0 : (double)(at - run->step_start) / (double)length;
}

static ty_sensor_key key_between(const ty_sensor_key *a, const ty_sensor_key *b, ty_time at, double u)
{
    return (ty_sensor_key){ .time = at,
                            .pose = between(a->pose, b->pose, u),
                            .v_W = ty_add(a->v_W, ty_scale(u, ty_sub(b->v_W, a->v_W))),
                            .omega_W = ty_add(a->omega_W, ty_scale(u, ty_sub(b->omega_W, a->omega_W))) };
}

static tyi_sim_slot *free_slot(tyi_sim_sensor *s)
{
    for (size_t i = 0; i < s->slots; i++) {
        if (s->slot[i].state == TYI_SIM_SLOT_FREE) {
            return &s->slot[i];
        }
    }
    return NULL;
}

static bool earlier(const tyi_sim_slot *a, const tyi_sim_slot *b)
{
    const ty_message *m = &a->message, *n = &b->message;
    if (m->time.due != n->time.due) {
        return m->time.due < n->time.due;
    }
    return m->index != n->index ? m->index < n->index : m->sequence < n->sequence;
}

void tyi_sim_pending_add(ty_run *run, tyi_sim_slot *slot)
{
    size_t at = run->pendings++;
    TY_ASSERT(run->pendings <= run->pending_room);
    for (; at > 0 && earlier(slot, run->pending[at - 1]); at--) {
        run->pending[at] = run->pending[at - 1];
    }
    run->pending[at] = slot;
}

static void close_window(tyi_sim_sensor *s)
{
    ty_run *run = s->run;
    tyi_sim_slot *slot = s->open;
    ty_message *m = &slot->message;
    m->time.start = window_start(s);
    m->time.end = m->time.start + s->window;
    m->time.due = m->time.end + tyi_sim_sensor_lag(s);
    m->sequence = s->count++;
    for (int i = 0; i < m->parts; i++) {
        m->part[i].data.time = m->time;
    }
    s->open = NULL;
    s->keyed = 0;
    slot->edits = ty_terrain_version(ty_world_terrain(run->world));
    if (run->dust) {
        tyi_sim_dust_faces(run, s->rover, slot->lies);
    }
    if (slot->dust) {
        ty_time middle = m->time.start + (m->time.end - m->time.start) / 2;
        slot->dusts = tyi_sim_dust_points(run, middle, slot->key[0].pose.p, slot->dust);
        tyi_sim_dust_looks(run, slot->coat);
    }
    slot->lumps = tyi_sim_soil_lumps(run, slot->lump, slot->lump_room);
    tyi_sim_pending_add(run, slot);
    tyi_sim_worker_push(run, slot);
}

/* takes the keyframe that is due at a time inside the last step */
static void take_key(tyi_sim_sensor *s, ty_time at, const ty_sensor_key *after)
{
    ty_run *run = s->run;
    double u = share(run, at);
    if (!s->open) {
        s->open = free_slot(s);
        if (!s->open) { /* a lag filter came without ty_run_link() */
            tyi_sim_worker_wait(run, NULL);
            tyi_sim_sensor_link(s, NULL);
            s->open = free_slot(s);
        }
        TY_ASSERT(s->open);
        s->open->state = TYI_SIM_SLOT_OPEN;
        s->open->keys = keys_of(s);
    }
    ty_sensor_key *key = &s->open->key[s->keyed];
    if (!s->kind->scene) {
        *key = key_between(&s->before, after, at, u);
    } else {
        *key = (ty_sensor_key){ .time = at,
                                .pose = ty_pose_mul(between(run->before[s->frame], run->now[s->frame], u), s->offset) };
        bool first = s->keyed == 0, last = s->keyed == s->open->keys - 1;
        for (size_t i = 0; (first || last) && i < run->frames; i++) {
            ty_pose pose = between(run->before[i], run->now[i], u);
            if (first) {
                s->open->frames[i] = pose;
            }
            if (last) {
                s->open->frames[run->frames + i] = pose;
            }
        }
    }
    s->keyed++;
}

static void step_hook(tyi_sim_sensor *s, ty_time from, ty_time to, const ty_sensor_key *after)
{
    const ty_run *run = s->run;
    ty_sensor_step step = { .from = from,
                            .to = to,
                            .dt = run->scenario.step,
                            .before = s->before,
                            .after = *after,
                            .gravity = run->scenario.gravity };
    step.state = s->make.reads_vehicle && s->rover != SIZE_MAX ? &run->rover[s->rover].state : NULL;
    s->kind->step(s->state, &step);
}

static void sense(tyi_sim_sensor *s)
{
    const ty_run *run = s->run;
    bool scene = s->kind->scene;
    ty_sensor_key after = { 0 };
    if (!scene && (next_key(s) <= run->time || (s->kind->step && window_start(s) < run->time))) {
        after = motion(s);
    }
    for (;;) {
        ty_time start = window_start(s), end = start + s->window, key = next_key(s);
        if (key <= run->time && s->keyed == 0) { /* opens */
            take_key(s, key, &after);
        }
        ty_time from = start > run->step_start ? start : run->step_start, to = end < run->time ? end : run->time;
        if (s->kind->step && s->open && to > from && !s->elsewhere) {
            step_hook(s, from, to, &after);
        }
        while (s->open && s->keyed < s->open->keys && next_key(s) <= run->time) {
            take_key(s, next_key(s), &after);
        }
        if (!s->open || s->keyed < s->open->keys) {
            return;
        }
        close_window(s);
    }
}

static ty_status deliver(ty_run *run, ty_diag *diag)
{
    while (run->pendings && run->pending[0]->message.time.due <= run->time) {
        tyi_sim_slot *slot = run->pending[0];
        tyi_sim_sensor *s = slot->sensor;
        ty_status status = s->elsewhere ? run->feed.fetch(run->feed.user, slot, diag) : TY_OK;
        if (status != TY_OK) {
            return status;
        }
        tyi_sim_worker_wait(run, slot);
        memmove(run->pending, run->pending + 1, --run->pendings * sizeof *run->pending);
        if (slot->status != TY_OK) {
            slot->state = TYI_SIM_SLOT_FREE;
            return ty_fail(diag, slot->status, "%s, sensor %s: %s", s->carrier, s->def->name, slot->diag.text);
        }
        if (s->newest) {
            s->newest->state = TYI_SIM_SLOT_FREE;
        }
        s->newest = slot;
        slot->state = TYI_SIM_SLOT_NEWEST;
        s->delivered++;
        double start = tyi_now();
        for (int i = 0; i < run->subscribers; i++) {
            const tyi_sim_subscriber *to = &run->subscriber[i];
            if ((!to->carrier[0] || !strcmp(to->carrier, s->carrier)) &&
                (!to->name[0] || !strcmp(to->name, s->def->name))) {
                to->receive(to->user, &slot->message);
            }
        }
        run->cost.deliver_s += tyi_now() - start;
    }
    return TY_OK;
}

ty_status tyi_sim_sense_after(ty_run *run, ty_diag *diag)
{
    double start = tyi_now();
    for (size_t i = 0; i < run->rovers; i++) {
        if (run->rover[i].read) {
            ty_vehicle_get(run->rover[i].vehicle, &run->rover[i].state);
            run->rover[i].read = false;
        }
    }
    if (run->keyed) {
        tyi_sim_frames_read(run, run->now);
    }
    for (size_t i = 0; i < run->sensors; i++) {
        if (!run->sensor[i].ignored) {
            sense(&run->sensor[i]);
        }
    }
    run->cost.sensor_s += tyi_now() - start;
    return deliver(run, diag);
}
