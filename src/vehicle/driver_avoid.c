/* src/vehicle/driver_avoid.c - waypoints, around other rovers and actors.
 *
 * Velocity obstacles [fiorini1998], by trying: of some directions beside that of the aim, at two speeds, the one is taken that leads there and
 * meets nobody soon, each other going on as it does now. Of two that are as good the right one: two that come head on pass left of each
 * other. Whoever is as near as the margin is not approached further, whatever was chosen: two such drivers do not touch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "driver.h"
#include "k_meet.h"
#include "k_pursuit.h"

/* all chosen */
#define TURN    0.2  /* [rad] from one direction to the next that is tried */
#define TURNS   10   /* to each side */
#define SOON    8.0  /* [s] that are looked ahead at least */
#define SIZES   1.2  /* of the circle that is to be kept free, at the speed, likewise */
#define SLOWER  0.4  /* cost of half the speed */
#define STAYING 0.15 /* cost of a turn away from the heading */
#define HASTE   0.6  /* cost of meeting soon */
#define REACT   0.5  /* [s] until a rover has stopped */
#define ASIDE   0.1  /* sine of the angle at which one passes by */

/* [m] that the middles of both must be apart */
static double apart(const tyi_vehicle_driver_sight *sight, size_t i)
{
    return sight->other[sight->self].radius + sight->other[i].radius + sight->margin;
}

/* what it costs to go on with (vx, vy) [m/s] */
static double haste(const tyi_vehicle_driver_sight *sight, double speed, double vx, double vy)
{
    const tyi_vehicle_other *me = &sight->other[sight->self];
    double worst = 0.0;
    for (size_t i = 0; i < sight->others; i++) {
        const tyi_vehicle_other *o = &sight->other[i];
        if (i == sight->self || !o->there) {
            continue;
        }
        double r = apart(sight, i), soon = fmax(SOON, SIZES * r / speed);
        double t = ty_k_meet(o->x - me->x, o->y - me->y, vx - o->vx, vy - o->vy, r);
        worst = t >= 0.0 && t < soon ? fmax(worst, HASTE * (soon - t) / (t + 0.25)) : worst;
    }
    return worst;
}

/* another aim as far away, where the way to this one would meet somebody */
static void choose(const tyi_vehicle_driver_sight *sight, double heading, tyi_vehicle_driver_aim *aim)
{
    const tyi_vehicle_other *me = &sight->other[sight->self];
    double far = fmax(hypot(aim->x - me->x, aim->y - me->y), 0.3), to = atan2(aim->y - me->y, aim->x - me->x);
    double least = INFINITY, speed = aim->v;
    tyi_vehicle_driver_aim best = *aim;
    for (int i = 0; i <= 2 * TURNS; i++) {
        double turn = (i % 2 ? -TURN : TURN) * ((i + 1) / 2), c = cos(to + turn), s = sin(to + turn);
        for (int slow = 0; slow < 2; slow++) {
            double v = slow ? 0.5 * speed : speed;
            double cost = 1.0 - cos(turn) + (slow ? SLOWER : 0.0) + STAYING * (1.0 - cos(to + turn - heading)) +
                          haste(sight, speed, v * c, v * s);
            if (cost < least) {
                least = cost;
                best = (tyi_vehicle_driver_aim){ me->x + far * c, me->y + far * s, v };
            }
        }
    }
    *aim = best;
}

/* whether going on along the heading comes nearer to one who is too near */
static bool too_near(const tyi_vehicle_driver_sight *sight, double heading, double v)
{
    const tyi_vehicle_other *me = &sight->other[sight->self];
    for (size_t i = 0; i < sight->others; i++) {
        const tyi_vehicle_other *o = &sight->other[i];
        double dx = o->x - me->x, dy = o->y - me->y, d = hypot(dx, dy);
        if (i != sight->self && o->there && d < apart(sight, i) + REACT * v &&
            dx * cos(heading) + dy * sin(heading) > ASIDE * d) {
            return true;
        }
    }
    return false;
}

void tyi_vehicle_driver_around(const tyi_vehicle_driver *d, const ty_vehicle_state *s, tyi_vehicle_driver_aim aim,
                               ty_drive_command *out)
{
    double heading = tyi_vehicle_driver_heading(s), to = atan2(aim.y - s->pose.p.y, aim.x - s->pose.p.x);
    const tyi_vehicle_driver_sight *sight = &d->sight;
    if (sight->other && aim.v > 0.0 &&
        (haste(sight, aim.v, aim.v * cos(heading), aim.v * sin(heading)) > 0.0 ||
         haste(sight, aim.v, aim.v * cos(to), aim.v * sin(to)) > 0.0)) {
        choose(sight, heading, &aim);
    }
    tyi_vehicle_driver_steer(d, s, &aim, out);
    if (sight->other && out->v > 0.0 && too_near(sight, heading, out->v)) {
        double turn = ty_k_wrap(atan2(aim.y - s->pose.p.y, aim.x - s->pose.p.x) - heading), most = d->path.omega_max;
        *out = (ty_drive_command){ .mode = TY_STEER_POINT, .omega = fmin(fmax(4.0 * turn, -most), most) };
    }
}

ty_status tyi_vehicle_driver_avoid(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag)
{
    ty_status status = tyi_vehicle_driver_path(def, out, diag);
    if (status == TY_OK) {
        (*out)->kind = TYI_VEHICLE_DRIVER_AVOID;
    }
    return status;
}

bool tyi_vehicle_driver_avoid_command(tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out)
{
    tyi_vehicle_driver_aim aim;
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    if (!tyi_vehicle_driver_path_aim(d, s, &aim)) {
        return false;
    }
    tyi_vehicle_driver_around(d, s, aim, out);
    return true;
}
