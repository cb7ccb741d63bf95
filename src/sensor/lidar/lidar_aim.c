/* src/sensor/lidar/lidar_aim.c - the rays of a scan.
 *
 * A column's lasers fire within microseconds: the pose is interpolated exactly where it starts and
 * where its last laser fires, and in a straight line between, which errs by the third power of the
 * turn in that time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "lidar.h"

/* straight from a to b, made a unit again; both nearly the same attitude */
static ty_quat between(ty_quat a, ty_quat b, double u)
{
    double w = 1.0 - u;
    return ty_quat_normalize((ty_quat){ w * a.w + u * b.w, w * a.x + u * b.x, w * a.y + u * b.y, w * a.z + u * b.z });
}

typedef struct column {
    double time, last; /* [s] its start, and its last beam's time after that */
    double c, s;       /* of the head's angle */
    ty_pose from, to;  /* W, at the start and at the last beam */
    bool still;        /* they are the same */
} column;

static column column_at(const ty_lidar *l, int i)
{
    const tyi_lidar_beam *b = l->beam;
    column c = { .time = i * l->column_time };
    if (l->def.pattern == TY_LIDAR_TABLE) {
        c.time = b[i].time;
    }
    for (int k = 0; k < l->lasers && l->def.pattern == TY_LIDAR_SPIN; k++) {
        c.last = fmax(c.last, b[k].time);
    }
    double angle = tyi_lidar_angle(l, i);
    c.c = cos(angle), c.s = sin(angle);
    c.from = ty_track_at(&l->track, l->start, c.time);
    c.still = c.last == 0.0 || l->track.count == 1;
    c.to = c.still ? c.from : ty_track_at(&l->track, l->start, c.time + c.last);
    ty_quat p = c.from.q, q = c.to.q;
    if (p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0.0) {
        c.to.q = (ty_quat){ -q.w, -q.x, -q.y, -q.z };
    }
    return c;
}

static ty_pose pose_at(const column *c, double after)
{
    if (c->still) {
        return c->from;
    }
    double u = after / c->last;
    return (ty_pose){ ty_add(c->from.p, ty_scale(u, ty_sub(c->to.p, c->from.p))), between(c->from.q, c->to.q, u) };
}

/* rays of one beam, spread over its cross section */
static void spread(const ty_lidar *l, ty_pose pose, ty_vec3 from, ty_vec3 dir, ty_trace_ray *ray)
{
    ty_vec3 u = ty_vec3_make(-dir.y, dir.x, 0.0); /* level, to the left */
    double size = ty_norm(u);
    u = size > 1e-9 ? ty_scale(1.0 / size, u) : ty_vec3_make(0, 1, 0);
    ty_vec3 v = ty_cross(dir, u);
    double th = tan(l->def.divergence_h), tv = tan(l->def.divergence_v);
    for (int k = 0; k < l->def.samples; k++) {
        double a = l->off_u[k], b = l->off_v[k];
        ty_vec3 d = ty_add(dir, ty_add(ty_scale(th * a, u), ty_scale(tv * b, v)));
        ty_vec3 o = ty_add(from, ty_scale(l->def.aperture, ty_add(ty_scale(a, u), ty_scale(b, v))));
        ray[k].from = ty_pose_point(pose, o);
        ray[k].dir = ty_rotate(pose.q, ty_normalize(d));
    }
}

static void aim_column(const ty_lidar *l, int i)
{
    column c = column_at(l, i);
    int n = l->def.samples;
    double per_window = l->window > 0.0 ? 1.0 / l->window : 0.0;
    ty_trace_ray *ray = l->ray + (size_t)i * (size_t)l->lasers * (size_t)n;
    for (int row = 0; row < l->lasers; row++, ray += n) {
        const tyi_lidar_beam *b = tyi_lidar_beam_of(l, i, l->at_row[row]);
        double after = l->def.pattern == TY_LIDAR_SPIN ? b->time : 0.0;
        ty_pose pose = pose_at(&c, after);
        ty_vec3 from = tyi_lidar_turn_z(b->from, c.c, c.s), dir = tyi_lidar_turn_z(b->dir, c.c, c.s);
        if (n == 1) {
            ray->from = ty_pose_point(pose, from);
            ray->dir = ty_rotate(pose.q, dir);
        } else {
            spread(l, pose, from, dir, ray);
        }
        for (int s = 0; s < n; s++) {
            ray[s].far = l->def.far;
            ray[s].time = fmin((c.time + after) * per_window, 1.0);
        }
    }
}

static void job(void *user, size_t i, int worker)
{
    (void)worker;
    const ty_lidar *l = user;
    int end = (int)fmin((double)(i + 1) * TYI_LIDAR_CHUNK, l->columns);
    for (int c = (int)i * TYI_LIDAR_CHUNK; c < end; c++) {
        aim_column(l, c);
    }
}

ty_status ty_lidar_aim(ty_lidar *l, const ty_track *track, ty_time start, ty_lidar_rays *out, ty_diag *diag)
{
    *out = (ty_lidar_rays){ 0 };
    if (track->count < 1) {
        return ty_fail(diag, TY_ERR_INPUT, "lidar: a scan needs at least one keyframe of its pose");
    }
    l->track = *track;
    l->start = start;
    l->echo.time = (ty_stamps){ start, start + ty_time_from(l->window), start + ty_time_from(l->window) };
    size_t chunks = ((size_t)l->columns + TYI_LIDAR_CHUNK - 1) / TYI_LIDAR_CHUNK;
    tyi_tasks_for(l->def.threads, chunks, job, l);
    l->track = (ty_track){ 0 };
    for (size_t i = 0; l->ghost && i < l->rays; i++) {
        l->ghost[i] = (ty_trace_hit){ .range = (double)INFINITY };
    }
    *out = (ty_lidar_rays){ l->ray, l->hit, l->rays, ty_track_at(track, start, 0.5 * l->window).p };
    return TY_OK;
}
