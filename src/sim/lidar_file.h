/* src/sim/lidar_file.h - keys of a lidar's model file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_LIDAR_FILE_H
#define TYI_LIDAR_FILE_H
#include <stdio.h>
#include "document.h"

extern const tyi_schema tyi_lidar_schema;
ty_status tyi_lidar_reference(FILE *out, ty_diag *diag); /* the keys as a page */

#endif
