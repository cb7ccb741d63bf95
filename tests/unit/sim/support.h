/* tests/unit/sim/support.h - small runs made from definitions, and what they said.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RUN_SUPPORT_H
#define RUN_SUPPORT_H
#include "tyt.h"
#include "tycho/run.h"

#define MOST_SENSORS 8
#define MOST_HEARD   4000

typedef struct heard {
    size_t sensor;
    uint64_t sequence, hash;
    ty_stamps time;
    ty_time at; /* the run's clock when it came */
} heard;

/* A scenario of one rover on plain ground with its memory; sensors are to be filled in. */
typedef struct small {
    ty_scenario scenario;
    ty_scenario_rover rover;
    ty_sensor_def sensor[MOST_SENSORS];
    ty_run_def def;
    ty_run *run;
    heard heard[MOST_HEARD];
    size_t count;
} small;

small *small_make(void); /* one rover that drives at 0.2 m/s, no sensors */
/* 24 x 16 px, one more */
ty_sensor_def *small_camera(small *s, const char *name, double period, double window, double lag);
void small_create(small *s); /* the run, with a subscriber that notes everything */
void small_steps(small *s, double seconds);
void small_free(small *s);
/* settings from texts "type", "blur", "sigma", "2", NULL; good until the next call */
const ty_settings *settings_of(const char *key, ...);

#endif
