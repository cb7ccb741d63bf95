/* src/vehicle/look.h - what of a rover's state is worth a look, and from when on: limits of records and of live runs alike (docs/run.md).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_LOOK_H
#define TYI_VEHICLE_LOOK_H
#include "tycho/vehicle.h"

/* what begins an event, and what keeps it going, so that a value on the edge does not make many; all chosen */
typedef struct tyi_vehicle_limit {
    double begins, keeps;
} tyi_vehicle_limit;

#define TYI_VEHICLE_HIGH_SLIP \
    {                         \
        0.40, 0.30            \
    } /* [-] */
#define TYI_VEHICLE_TILT             \
    {                                \
        15.0 * TY_DEG, 13.0 * TY_DEG \
    } /* [rad] */
#define TYI_VEHICLE_TIPPED           \
    {                                \
        60.0 * TY_DEG, 50.0 * TY_DEG \
    } /* [rad] */
#define TYI_VEHICLE_ROCK \
    {                    \
        1.0, 0.5         \
    } /* [N] */

typedef struct tyi_vehicle_look {
    double tilt; /* [rad] from the vertical */
    double
        slip; /* [-] largest of all wheels in the soil, either way; 0 at the start, when wheels take up their speed, and of a rover
                    that stands: its wheels slip by any measure */
    int wheel; /* that slips so */
} tyi_vehicle_look;

tyi_vehicle_look tyi_vehicle_look_at(const ty_vehicle_state *s);
/* whether a value is an event; on: it was one at the last look */
bool tyi_vehicle_worth(tyi_vehicle_limit limit, double value, bool on);

#endif
