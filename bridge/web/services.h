/* bridge/web/services.h - services of simulation_interfaces (services.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_SERVICES_H
#define TYI_WEB_SERVICES_H
#include "live.h"

ty_status tyi_services_start(ty_live *l, ty_diag *diag); /* where there is DDS */
void tyi_services_free(ty_live *l);
/* a request, on a thread of DDS's; reader as the services gave it */
void tyi_services_received(ty_live *l, int reader, const uint8_t *sender, const uint8_t *data, size_t bytes);
ty_status tyi_services_turn(ty_live *l, ty_diag *diag); /* on the run's thread, between steps */

#endif
