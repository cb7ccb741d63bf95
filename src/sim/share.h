/* src/sim/share.h - one world that several processes move: each its own rovers, an interval ahead.
 *
 * Each process ("rank") holds the whole scenario twice. The run that moves has all rovers, but steps only those that it owns, one interval (the
 * scenario's `exchange`) at a time, on its ground with its own ruts. Then all tell each other what they did: states of rovers at the steps at
 * which anybody looks, edits of the ground as the journal has them, touches. The run that is shown moves nothing: it takes all of that step by
 * step in the order of one process (step, then rover), so that sensors and records see what they see there, to the bit. Who owns whom follows from
 * where all rovers are, ten times a second: rovers that could touch, or stand on each other's ground before the next look, are of one rank.
 * docs/scale.md says why this gives the same bits, and where it does not.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_SHARE_H
#define TYI_SIM_SHARE_H
#include "tycho/run.h"

typedef struct tyi_sim_share tyi_sim_share;

typedef struct tyi_sim_share_def {
    const ty_run_def *run; /* as the shown one was made */
    int rank, ranks;
    /* All ranks at once: what this one says; *all: what all say, in their order, each after its size in 8 bytes. It stays until the next call. */
    ty_status (*exchange)(void *user, const void *own, size_t bytes, const uint8_t **all, size_t *total, ty_diag *diag);
    /* A message of a sensor that another rank makes, as tyi_sim_message_pack() has it; waits for it. It stays until the next call. */
    ty_status (*fetch)(void *user, size_t sensor, uint64_t sequence, const uint8_t **data, size_t *bytes,
                       ty_diag *diag);
    void *user;
} tyi_sim_share_def;

/* TY_ERR_INPUT, with a sentence: this scenario is not for so many ranks. */
ty_status tyi_sim_share_check(const ty_scenario *scenario, int ranks, ty_diag *diag);
/* The run that moves; `shown`, just made, is led by it from now on. NULL: this rank shows nothing, which is for scenarios without sensors. */
ty_status tyi_sim_share_create(const tyi_sim_share_def *def, ty_run *shown, tyi_sim_share **out, ty_diag *diag);
void tyi_sim_share_destroy(tyi_sim_share *share); /* before the shown run; NULL is allowed */
/* One interval, for a rank that shows nothing. */
ty_status tyi_sim_share_next(tyi_sim_share *share, ty_diag *diag);
/* All rovers of the shown run are as they are at its time: between these times only what is looked at is brought there. */
bool tyi_sim_share_whole(const tyi_sim_share *share);
void tyi_sim_share_folder(tyi_sim_share *share, const char *folder); /* where filters of the shown run write */
/* a message as bytes, appended, for the rank that fetches it */
struct tyi_io_cdr;
void tyi_sim_message_pack(const ty_message *message, struct tyi_io_cdr *out);
ty_run *tyi_sim_share_moves(const tyi_sim_share *share); /* the run that moves */
size_t tyi_sim_share_moved(const tyi_sim_share *share);  /* times that a rover changed its owner */

#endif
