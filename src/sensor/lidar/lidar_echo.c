/* src/sensor/lidar/lidar_echo.c - hits of a beam's rays into echoes, echoes into returns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_lidar.h"
#include "k_philox.h"
#include "lidar.h"

typedef struct echo {
    double range;  /* [m] mean by strength */
    double signal; /* in units of the weakest one noticed */
    double most;   /* of its strongest ray, which gives the label */
    uint32_t label;
} echo;

#define HAZE 0 /* label of what has none: no thing was met */

/* one more echo, in its place by range, as far as that is in reach; returns how many there are then */
static int add(const ty_lidar *l, echo *e, int n, const echo *one, double reflectance, double pass)
{
    double r = one->range, share = 1.0 / l->def.samples;
    if (!(r >= l->def.near && r <= l->def.far)) {
        return n;
    }
    double s = share * ty_k_lidar_signal(reflectance, r, l->def.reach, l->def.reach_albedo);
    s *= pass;
    int at = n;
    for (; at > 0 && e[at - 1].range > r; at--) {
        e[at] = e[at - 1];
    }
    e[at] = (echo){ r, s, s, one->label };
    return n + 1;
}

/* Rays that met something in range, nearest first, one echo each, and what a medium before it sends back. */
static int gather(const ty_lidar *l, const ty_trace_hit *hit, echo *e)
{
    int n = 0;
    for (int k = 0; k < l->def.samples; k++) {
        double pass = ty_k_lidar_pass((double)hit[k].tau);
        n = add(l, e, n, &(echo){ .range = hit[k].range, .label = hit[k].instance }, (double)hit[k].reflectance, pass);
        const ty_trace_hit *g = l->ghost ? &l->ghost[hit + k - l->hit] : NULL;
        if (g) {
            pass = ty_k_lidar_pass((double)g->tau);
            n = add(l, e, n, &(echo){ .range = g->range, .label = g->instance }, (double)g->reflectance, pass);
        }
        for (int q = 0; q < TY_MEDIUM_PARTS && hit[k].haze[q].reflectance > 0.0f; q++) {
            const ty_trace_haze *h = &hit[k].haze[q];
            n = add(l, e, n, &(echo){ .range = (double)h->range, .label = HAZE }, (double)h->reflectance, 1.0);
        }
    }
    return n;
}

/* Rays nearer to the one before than the receiver tells apart become one echo. */
static int merge(const ty_lidar *l, echo *e, int n)
{
    int last = -1;
    double before = -INFINITY; /* [m] range of the last ray */
    for (int k = 0; k < n; k++) {
        if (last < 0 || e[k].range - before > l->def.separation) {
            before = e[k].range;
            e[++last] = e[k];
            continue;
        }
        before = e[k].range;
        echo *to = &e[last];
        double sum = to->signal + e[k].signal;
        if (sum > 0.0) {
            to->range += (e[k].range - to->range) * e[k].signal / sum;
        }
        to->signal = sum;
        if (e[k].most > to->most) {
            to->most = e[k].most;
            to->label = e[k].label;
        }
    }
    return last + 1;
}

/* Keeps the echoes that are noticed. Far from the threshold chance does not matter, and no number is drawn. */
static int notice(const ty_lidar *l, uint32_t beam, echo *e, int n)
{
    double sigma = l->def.noise ? l->def.threshold_sigma : 0.0;
    int kept = 0;
    for (int k = 0; k < n; k++) {
        double s = e[k].signal;
        if (sigma > 0.0 && fabs(s - 1.0) < 6.0 * sigma) {
            ty_k_u32x4 r = ty_k_philox(beam << 8 | (uint32_t)k, (uint32_t)l->frame, (uint32_t)(l->frame >> 32),
                                       l->def.id, (uint32_t)l->def.seed, TY_RNG_LIDAR_ECHO);
            s += sigma * ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
        }
        if (s > 1.0) {
            e[kept++] = e[k];
        }
    }
    return kept;
}

/* the strongest, leaving out number `not` */
static int strongest(const echo *e, int n, int not )
{
    int best = -1;
    for (int k = 0; k < n; k++) {
        if (k != not &&(best < 0 || e[k].signal > e[best].signal)) {
            best = k;
        }
    }
    return best;
}

/* Numbers of the echoes to return, -1: none. */
static void choose(ty_lidar_mode mode, const echo *e, int n, int pick[2])
{
    pick[0] = n > 0 ? 0 : -1;
    pick[1] = -1;
    if (mode == TY_LIDAR_LAST) {
        pick[0] = n - 1;
    } else if (mode != TY_LIDAR_FIRST) {
        pick[0] = strongest(e, n, -1);
    }
    if (mode == TY_LIDAR_DUAL && n > 1) {
        pick[1] = pick[0] != n - 1 ? n - 1 : strongest(e, n, pick[0]);
    }
}

/* angle: the head's at this column, -pi to pi */
static void beam_returns(const ty_lidar *l, int column, int row, double angle)
{
    int laser = l->at_row[row];
    size_t at = (size_t)column * (size_t)l->lasers + (size_t)row;
    const tyi_lidar_beam *b = tyi_lidar_beam_of(l, column, laser);
    const ty_trace_hit *hit = l->hit + at * (size_t)l->def.samples;
    echo e[256 * (2 + TY_MEDIUM_PARTS)];
    int pick[2], n = merge(l, e, gather(l, hit, e));
    n = notice(l, (uint32_t)at, e, n);
    choose(l->def.mode, e, n, pick);
    bool table = l->def.pattern == TY_LIDAR_TABLE;
    double azimuth = angle + b->azimuth;
    azimuth -= azimuth > TY_PI ? 2.0 * TY_PI : azimuth < -TY_PI ? -2.0 * TY_PI : 0.0;
    ty_cloud_return out = { .azimuth = azimuth,
                            .elevation = b->elevation,
                            .time = b->time + (table ? 0.0 : column * l->column_time),
                            .ring = l->ring[laser] };
    for (int k = 0; k < l->returns; k++) {
        ty_cloud_return *to = ty_buffer_at(&l->echo, column, row + k * l->lasers, 0);
        const echo *from = pick[k] >= 0 ? &e[pick[k]] : NULL;
        *to = out;
        to->number = k;
        to->range = from ? from->range : (double)NAN;
        to->intensity = from ? ty_k_lidar_intensity(from->signal, from->range, l->def.reach, l->def.reach_albedo) : 0.0;
        to->label = from ? from->label : 0.0;
    }
}

static void job(void *user, size_t i, int worker)
{
    (void)worker;
    const ty_lidar *l = user;
    int end = (int)fmin((double)(i + 1) * TYI_LIDAR_CHUNK, l->columns);
    for (int c = (int)i * TYI_LIDAR_CHUNK; c < end; c++) {
        double angle = remainder(tyi_lidar_angle(l, c), 2.0 * TY_PI);
        for (int k = 0; k < l->lasers; k++) {
            beam_returns(l, c, k, angle);
        }
    }
}

ty_status ty_lidar_echo(ty_lidar *l, uint64_t frame, const ty_buffer **returns, ty_diag *diag)
{
    (void)diag;
    l->frame = frame;
    tyi_tasks_for(l->def.threads, ((size_t)l->columns + TYI_LIDAR_CHUNK - 1) / TYI_LIDAR_CHUNK, job, l);
    *returns = &l->echo;
    return TY_OK;
}

ty_status ty_lidar_points(ty_lidar *l, uint64_t frame, const ty_buffer **points, ty_diag *diag)
{
    return ty_pipeline_run(l->pipeline, &l->echo, NULL, frame, points, diag);
}
