/* bridge/web/replay.h - what a rover was told, written and read again; seek (replay.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_REPLAY_H
#define TYI_WEB_REPLAY_H
#include "live.h"

typedef struct tyi_live_edit {
    ty_time time;
    int32_t rect[4];
} tyi_live_edit;

/* beside a record */
ty_status tyi_live_log_open(ty_live *l, const ty_record_def *def, ty_diag *diag);
void tyi_live_log(ty_live *l, size_t rover, const tyi_live_told *told); /* where it is new */
void tyi_live_log_change(ty_live *l, bool leaves, const char *text);
/* What came and left at the present time; does nothing where this is no replay. */
ty_status tyi_live_replay_changes(ty_live *l, ty_diag *diag);

ty_status tyi_live_replay_start(ty_live *l, const char *folder, ty_diag *diag);
void tyi_live_replay_free(ty_live *l); /* and the log */
/* What a rover was told at the present time; NULL: this is no replay, or its drivers are the scenario's. */
const tyi_live_told *tyi_live_replayed(ty_live *l, size_t rover);
ty_status tyi_live_keep(ty_live *l, ty_diag *diag);           /* the present state, when one is due */
void tyi_live_keep_edit(ty_live *l, const int32_t rect[4]);   /* of the ground */
ty_status tyi_live_seek(ty_live *l, double t, ty_diag *diag); /* [s] restores, then steps until it is there */

#endif
