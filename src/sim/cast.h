/* src/sim/cast.h - what has come into a run and left it (cast.c), for those who tell of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_CAST_H
#define TYI_SIM_CAST_H
#include "tycho/run.h"

/* Rows of the log; saved states have all of it. */
typedef struct tyi_sim_coming {
    ty_time time;
    bool leaves;
    char name[112]; /* "stone and 2 more" */
    double x, y;    /* [m] W */
} tyi_sim_coming;
size_t tyi_sim_cast_count(const ty_run *run);
tyi_sim_coming tyi_sim_cast_row(const ty_run *run, size_t row);

/* Something that came and is there, or one of the scenario's that has left. */
typedef struct tyi_sim_thing {
    const char *name;
    const ty_scenario_object *object; /* of these one */
    const ty_scenario_rock *rock;
    double z;  /* [m] of the ground under an object when it came */
    bool here; /* it came; false: it was there at the start, and has left */
} tyi_sim_thing;
size_t tyi_sim_cast_things(const ty_run *run, tyi_sim_thing *out, size_t room); /* how many there are */
bool tyi_sim_cast_away(const ty_run *run, size_t rover);                        /* it waits, or was taken away */
/* the shape of an actor that is a loose rock; NULL: it is none */
const ty_rock_shape *tyi_sim_cast_rock(const ty_run *run, size_t actor, double *scale);

#endif
