/* src/fleet/row.h - what a run leaves behind for the table: DIR/rows/NUMBER.json with status, sentence, wall time and the run's summary.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FLEET_ROW_H
#define TYI_FLEET_ROW_H
#include <jansson.h>
#include "fleet.h"

/* the value of "rovers.0.way_m"; NULL: there is none */
const json_t *tyi_fleet_row_find(const json_t *summary, const char *key);
bool tyi_fleet_row_success(const tyi_fleet_spec *spec, const json_t *summary);
json_t *tyi_fleet_row_read(const char *dir, size_t run); /* NULL: there is none, or none that is whole */
ty_status tyi_fleet_row_write(const char *dir, size_t run, const json_t *row, ty_diag *diag);

#endif
