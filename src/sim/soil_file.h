/* src/sim/soil_file.h - soil parameters from models/soils/NAME.yaml.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_FILE_H
#define TYI_SOIL_FILE_H
#include "tycho/soil.h"

/* Keys as in ty_soil_fields(); what is left out keeps its default. TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_RANGE. */
ty_status tyi_soil_read(const char *path, ty_soil_params *out, ty_diag *diag);

#endif
