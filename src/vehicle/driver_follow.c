/* src/vehicle/driver_follow.c - behind another rover: it aims at the leader, as fast as that, faster the farther it is behind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "driver.h"

#define GAIN  0.3  /* [1/s] of speed by distance: chosen */
#define THERE 0.05 /* [m] that it need not come nearer: chosen */

ty_status tyi_vehicle_driver_follow(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag)
{
    return tyi_vehicle_driver_led(def, TYI_VEHICLE_DRIVER_FOLLOW, out, diag);
}

bool tyi_vehicle_driver_follow_command(const tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out)
{
    const tyi_vehicle_driver_sight *sight = &d->sight;
    const tyi_vehicle_other *leader = sight->other ? &sight->other[sight->leader] : NULL;
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    if (!leader || !leader->there) {
        return leader && leader->drives;
    }
    double dx = leader->x - s->pose.p.x, dy = leader->y - s->pose.p.y, far = hypot(dx, dy);
    double behind = far - sight->distance, away = (leader->vx * dx + leader->vy * dy) / fmax(far, 1e-6);
    tyi_vehicle_driver_aim aim = { leader->x, leader->y, fmin(fmax(away + GAIN * behind, 0.0), d->path.speed) };
    if (aim.v <= 0.0 || (behind < THERE && fabs(away) < 1e-3)) {
        return leader->drives;
    }
    tyi_vehicle_driver_around(d, s, aim, out);
    return leader->drives || behind > THERE;
}
