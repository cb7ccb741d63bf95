/* src/core/inner.h - what modules and the program share beyond the public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CORE_INNER_H
#define TYI_CORE_INNER_H
#include "tycho/buffer.h"
#include "tycho/math.h"

/* [rad] turns about fixed x, then y, then z that give an attitude */
void tyi_quat_rpy(ty_quat q, double rpy[3]);

const char *tyi_element_name(ty_element element); /* "u16" */

/* "radiance [W/m2/sr] as f32, 640 x 480 x 3"; returns text */
char *tyi_buffer_type_text(const ty_buffer_type *type, char *text, size_t size);

#endif
