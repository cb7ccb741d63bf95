/* src/vehicle/look.c - see look.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "look.h"
#include <math.h>

#define STARTS 2.0  /* [s] */
#define STANDS 0.02 /* [m/s] */

tyi_vehicle_look tyi_vehicle_look_at(const ty_vehicle_state *s)
{
    double up = ty_rotate(s->pose.q, ty_vec3_make(0.0, 0.0, 1.0)).z;
    tyi_vehicle_look look = { .tilt = acos(fmin(fmax(up, -1.0), 1.0)) };
    bool moves = ty_seconds(s->time) > STARTS && ty_norm(s->v_W) > STANDS;
    for (int w = 0; w < s->wheels && moves; w++) {
        const ty_wheel_view *v = &s->wheel[w];
        if (v->contact && fabs(v->slip) > look.slip) {
            look.slip = fabs(v->slip);
            look.wheel = w;
        }
    }
    return look;
}

bool tyi_vehicle_worth(tyi_vehicle_limit limit, double value, bool on)
{
    return value > (on ? limit.keeps : limit.begins);
}
