/* src/dust/meet.c - what parcels meet in a step: parts of rovers, the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "parcels.h"

#define CHUNK 1024

/* Where the way from a to b enters a box of half sides around 0: 0 to 1 along it, and the face, 2 axis + side; 2: it does not. What starts inside never
 * enters. */
static double enter(ty_vec3 a, ty_vec3 b, ty_vec3 half, int *face)
{
    const double p[3] = { a.x, a.y, a.z }, q[3] = { b.x, b.y, b.z }, h[3] = { half.x, half.y, half.z };
    double in = 0.0, out = 1.0;
    *face = -1;
    for (int k = 0; k < 3; k++) {
        double d = q[k] - p[k];
        if (d == 0.0) {
            if (fabs(p[k]) > h[k]) {
                return 2.0;
            }
            continue;
        }
        double s = d > 0.0 ? -h[k] : h[k], t0 = (s - p[k]) / d, t1 = (-s - p[k]) / d;
        if (t0 > in) {
            in = t0;
            *face = 2 * k + (d < 0.0);
        }
        out = t1 < out ? t1 : out;
        if (in > out) {
            return 2.0;
        }
    }
    return *face < 0 ? 2.0 : in;
}

static int32_t met(const tyi_dust *dust, const tyi_dust_parcel *p)
{
    double from = fmax(p->born, dust->from), to = fmin(p->lands, dust->to), first = 2.0;
    int32_t fate = p->lands <= dust->to ? -1 : 0;
    if (!(to > from)) {
        return fate;
    }
    ty_vec3 a = tyi_dust_place(dust, p, from), b = tyi_dust_place(dust, p, to);
    double way = ty_norm(ty_sub(b, a));
    if (ty_norm(ty_sub(a, dust->middle)) > dust->reach + way) {
        return fate;
    }
    for (int k = 0; k < dust->def.boxes; k++) {
        ty_vec3 off = ty_sub(a, dust->box[k].now.p);
        double near = dust->near[k] + way;
        if (ty_dot(off, off) > near * near) {
            continue;
        }
        /* seen from the box, as far as it moves evenly over the step */
        int face;
        double t = enter(ty_pose_point(dust->back[2 * k], a), ty_pose_point(dust->back[2 * k + 1], b),
                         dust->box[k].half, &face);
        if (t < first) {
            first = t;
            fate = 1 + 6 * k + face;
        }
    }
    return fate;
}

static void job(void *user, size_t i, int worker)
{
    (void)worker;
    tyi_dust *dust = user;
    size_t end = (i + 1) * CHUNK < dust->count ? (i + 1) * CHUNK : dust->count;
    for (size_t k = i * CHUNK; k < end; k++) {
        dust->fate[k] = dust->parcel[k].state == TYI_DUST_FLIES ? met(dust, &dust->parcel[k]) : 0;
    }
}

void tyi_dust_meet(tyi_dust *dust)
{
    ty_vec3 sum = { 0, 0, 0 };
    for (int k = 0; k < dust->def.boxes; k++) {
        dust->back[2 * k] = ty_pose_inverse(dust->box[k].before);
        dust->back[2 * k + 1] = ty_pose_inverse(dust->box[k].now);
        sum = ty_add(sum, ty_scale(1.0 / dust->def.boxes, dust->box[k].now.p));
    }
    dust->middle = sum;
    dust->reach = dust->def.boxes ? 0.0 : -(double)INFINITY;
    for (int k = 0; k < dust->def.boxes; k++) {
        double away = ty_norm(ty_sub(dust->box[k].now.p, sum)),
               moved = ty_norm(ty_sub(dust->box[k].now.p, dust->box[k].before.p));
        dust->near[k] = moved + ty_norm(dust->box[k].half);
        dust->reach = fmax(dust->reach, away + dust->near[k]);
    }
    tyi_tasks_for(dust->count > 4 * CHUNK ? tyi_tasks_threads(dust->def.threads) : 1, (dust->count + CHUNK - 1) / CHUNK,
                  job, dust);
}
