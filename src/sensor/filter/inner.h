/* src/sensor/filter/inner.h - what sensors ask of a pipeline beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_FILTER_INNER_H
#define TYI_SENSOR_FILTER_INNER_H
#include "tycho/filter.h"

/* Called by a filter while it runs: the filters behind it, up to the one at place `last`, are done as well. Returned is where the result of that one
 * goes; it must be filled before the filter returns. */
ty_buffer *tyi_pipeline_done(ty_pipeline *pipeline, int last);

#endif
