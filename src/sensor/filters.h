/* src/sensor/filters.h - filters and actions by their settings.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_FILTERS_H
#define TYI_SENSOR_FILTERS_H
#include "tycho/sensor.h"

/* The filter `save`: what passes, as pictures below a folder (NULL: the working folder; kept by reference). */
ty_status tyi_sensor_filter_save(const ty_settings *settings, const char *folder, ty_filter *out, ty_diag *diag);

/* What can be said of settings without a run; a user's own must have a name. */
ty_status tyi_sensor_filter_check(const ty_settings *settings, ty_diag *diag);
ty_status tyi_sensor_action_check(const ty_settings *settings, ty_diag *diag);

#endif
