/* src/record/stuck.c - whether a rover gets on: what its wheels turn, or are told to, against the ground they pass.
 *
 * Two measures, the worse counts. By speed: running means of rims and of the ground under the wheels tell within
 * seconds of a rover that stands. By way: how far the wheels got in the last minute, the way they point, against how far they turned on;
 * it tells of a rover that climbs and slides back, that slides down while its wheels turn upwards, or that trembles on the spot. A
 * rover that turns on the spot moves by both; one that is driven to and fro is judged by speed alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "record.h"
#include "vehicle/vehicle.h"

#define MEMORY 5.0  /* [s] of the running means: chosen */
#define STUCK  0.01 /* [m/s] that wheels must be told or turn at: chosen */

/* speed of a wheel's rim, as it is told or turns, whichever is more [m/s] */
static double rim_of(const ty_vehicle *v, const ty_vehicle_state *s, int wheel)
{
    double told = v->wheel[wheel].driven ? v->run.control.want_omega[wheel] : 0.0, is = s->wheel[wheel].omega;
    return (fabs(told) > fabs(is) ? told : is) * v->wheel[wheel].info.shape.r;
}

/* by speed, and goes on with the ways; *rim: mean speed of the rims now [m/s] */
static double by_speed(tyi_record_watch *w, const ty_vehicle *v, const ty_vehicle_state *s, double period, double *rim)
{
    double ground = 0.0, share = fmin(period / MEMORY, 1.0);
    ty_vec3 omega_W = ty_rotate(s->pose.q, s->omega_B);
    *rim = 0.0;
    for (int i = 0; i < s->wheels; i++) {
        ty_vec3 at = ty_add(s->v_W, ty_cross(omega_W, ty_sub(s->wheel[i].p_W, s->pose.p)));
        ty_vec3 ahead = ty_rotate(s->pose.q, ty_vec3_make(cos(s->wheel[i].steer), sin(s->wheel[i].steer), 0.0));
        double turns = rim_of(v, s, i);
        *rim += fabs(turns) / s->wheels;
        ground += ty_norm(at) / s->wheels;
        w->ways.rim[i] += period * turns;
        w->ways.ground[i] += period * ty_dot(at, ahead);
    }
    w->rim += share * (*rim - w->rim);
    w->ground += share * (ground - w->ground);
    return w->rim > STUCK ? 1.0 - w->ground / w->rim : 0.0;
}

/* over the last minute */
static double by_way(const tyi_record_watch *w, int wheels)
{
    const tyi_record_ways *from = &w->trail[w->trails % TYI_RECORD_TRAIL]; /* the oldest */
    double turned = 0.0, passed = 0.0;
    for (int i = 0; i < wheels; i++) {
        double rim = w->ways.rim[i] - from->rim[i], ground = w->ways.ground[i] - from->ground[i];
        turned += fabs(rim);
        passed += rim > 0.0 ? ground : -ground;
    }
    return turned > wheels * STUCK * (TYI_RECORD_TRAIL - 1) ? fmin(1.0 - passed / turned, 1.0) : 0.0;
}

double tyi_record_stuck(tyi_record_watch *w, const ty_vehicle *v, const ty_vehicle_state *s, double t, double period)
{
    double rim, speed = by_speed(w, v, s, period, &rim), way = 0.0;
    if (t >= w->next_trail) {
        w->trail[w->trails++ % TYI_RECORD_TRAIL] = w->ways;
        w->next_trail = t + 1.0;
    }
    if (w->trails >= TYI_RECORD_TRAIL) {
        way = by_way(w, s->wheels);
    }
    return rim > STUCK ? fmax(t > 2.0 * MEMORY ? speed : 0.0, way) : 0.0;
}
