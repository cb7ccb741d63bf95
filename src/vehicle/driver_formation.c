/* src/vehicle/driver_formation.c - at a place in another rover's axes: it aims along the leader's way beside that place, as fast as the place
 * moves, faster or slower by how far it is from it; where the leader stands, at the place itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "driver.h"

#define GAIN   0.3   /* [1/s] of speed by distance: chosen */
#define AHEAD  0.5   /* of the way that a path looks ahead: chosen */
#define STANDS 0.005 /* [m/s] below which the leader stands: chosen */
#define THERE  0.10  /* [m] that it need not come nearer to its place: chosen */

ty_status tyi_vehicle_driver_formation(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag)
{
    return tyi_vehicle_driver_led(def, TYI_VEHICLE_DRIVER_FORMATION, out, diag);
}

bool tyi_vehicle_driver_formation_command(const tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out)
{
    const tyi_vehicle_driver_sight *sight = &d->sight;
    const tyi_vehicle_other *o = sight->other ? &sight->other[sight->leader] : NULL;
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    if (!o || !o->there) {
        return o && o->drives;
    }
    double c = cos(o->heading), n = sin(o->heading);
    double dx = o->x + sight->ahead * c - sight->left * n - s->pose.p.x,
           dy = o->y + sight->ahead * n + sight->left * c - s->pose.p.y, far = hypot(dx, dy);
    double speed = o->vx * c + o->vy * n - o->turn * sight->left; /* of the place, along the leader's heading */
    tyi_vehicle_driver_aim aim = { s->pose.p.x + dx, s->pose.p.y + dy, fmin(GAIN * far, d->path.speed) };
    if (fabs(speed) > STANDS) {
        aim.x += AHEAD * d->path.ahead * c, aim.y += AHEAD * d->path.ahead * n;
        aim.v = fmin(fmax(speed + GAIN * (dx * c + dy * n), 0.0), d->path.speed);
    } else if (far < THERE) {
        return o->drives;
    }
    if (aim.v > 0.0) {
        tyi_vehicle_driver_around(d, s, aim, out);
    }
    return o->drives || far > THERE;
}
