/* src/fleet/report.h - what the page of a sweep is made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FLEET_REPORT_H
#define TYI_FLEET_REPORT_H
#include "fleet.h"

#define TYI_FLEET_GROUPS 24 /* more values of a key than this are put together */

/* runs that share a value of a key, or values near each other */
typedef struct tyi_fleet_group {
    double x;         /* mean value; of texts: its place in their order */
    const char *text; /* the value itself, where all share one */
    size_t first, count;
    size_t success;
} tyi_fleet_group;

/* The rows by the value of a factor: order[] is to have room for all rows; group g holds order[first] to order[first + count - 1].
 * Returns how many groups there are. texts: some value is no number. */
size_t tyi_fleet_groups(const tyi_fleet_table *t, size_t varies, size_t factor, size_t *order,
                        tyi_fleet_group group[TYI_FLEET_GROUPS], bool *texts);

/* response_success.png and response_N.png of each output in DIR; which of them there are. NULL memory: TY_ERR_MEMORY. */
ty_status tyi_fleet_plot_success(const tyi_fleet_spec *spec, const tyi_fleet_table *t, const char *dir, ty_diag *diag);
ty_status tyi_fleet_plot_output(const tyi_fleet_spec *spec, const tyi_fleet_table *t, size_t output, const char *dir,
                                ty_diag *diag);

#endif
