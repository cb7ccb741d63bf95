/* src/soil/soil_file.h - a soil file with word of where each value came from.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_FILE_H
#define TYI_SOIL_FILE_H
#include "io/document.h"
#include "tycho/tools/testbed.h"

typedef enum tyi_soil_source { TYI_SOIL_FROM_DEFAULT, TYI_SOIL_FROM_FILE, TYI_SOIL_FROM_SETTING } tyi_soil_source;
#define TYI_SOIL_FIELDS 64 /* more than ty_soil_fields() has */

/* As ty_soil_params_load(); from[i], for field i of ty_soil_fields(), says who gave it; NULL: nobody asks. */
ty_status tyi_soil_params_load(const char *path, const char *const *settings, size_t count, ty_soil_params *out,
                               tyi_soil_source from[TYI_SOIL_FIELDS], ty_diag *diag);
/* A soil file into the parameters of the model that `def` names, over what `def` holds. A key that the model does not use is refused. The
 * same statuses. */
ty_status tyi_soil_def_load(const char *path, ty_soil_def *def, ty_diag *diag);
/* Keys that only some models take; returns how many of them `names` has now. */
size_t tyi_soil_model_keys(const char **names, size_t most);

#endif
