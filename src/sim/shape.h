/* src/sim/shape.h - what a sensor's messages will be, before there is one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_SHAPE_H
#define TYI_SIM_SHAPE_H
#include "tycho/run.h"

/* Names and types of its parts; of clouds the most points that there can be. Its data mean nothing. */
const ty_message *tyi_sim_sensor_shape(const ty_run *run, size_t sensor);

#endif
