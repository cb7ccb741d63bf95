/* src/record/mcap.c - the recording of a run, run.mcap: what bridge/ros makes of its messages, into a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include "record.h"
#include "sim/run.h"
#include "tycho/tools/ros.h"

struct tyi_record_mcap {
    ty_mcap *file;
    ty_run *run;
    ty_ros_map *map;
    ty_diag diag; /* of the first message that could not be written */
};

static void take(void *user, const char *topic, ty_ros_type type, int64_t log, const ty_cdr *message)
{
    tyi_record_mcap *m = user;
    uint16_t channel;
    if (m->diag.status == TY_OK && ty_mcap_channel(m->file, topic, type, &channel, &m->diag) == TY_OK) {
        ty_mcap_write(m->file, channel, log, message, &m->diag);
    }
}

ty_status tyi_record_mcap_open(ty_record *r, const void *state, size_t bytes, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_record_path(r, "run.mcap", path);
    tyi_record_mcap *m = calloc(1, sizeof *m);
    if (!m) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    m->run = r->run;
    ty_status status = ty_ros_map_create(r->run, take, m, &m->map, diag);
    if (status == TY_OK) {
        status = state ? ty_mcap_resume(path, state, bytes, NULL, &m->file, diag)
                       : ty_mcap_create(path, NULL, &m->file, diag);
    }
    if (status == TY_OK) {
        status = ty_run_subscribe(r->run, NULL, NULL, ty_ros_map_receive, m->map, diag);
    }
    if (status == TY_OK) {
        status = ty_run_subscribe_state(r->run, ty_ros_map_receive, m->map, diag);
    }
    if (status != TY_OK) {
        tyi_record_mcap_close(m, NULL);
        return status;
    }
    if (!state) {
        ty_ros_map_fixed(m->map);
    }
    r->mcap = m;
    return TY_OK;
}

ty_status tyi_record_mcap_save(tyi_record_mcap *m, ty_cdr *out, ty_diag *diag)
{
    return m->diag.status == TY_OK ? ty_mcap_save(m->file, out, diag)
                                   : ty_fail(diag, m->diag.status, "%s", m->diag.text);
}

const ty_diag *tyi_record_mcap_diag(const tyi_record_mcap *m)
{
    return &m->diag;
}

ty_status tyi_record_mcap_close(tyi_record_mcap *m, ty_diag *diag)
{
    if (!m) {
        return TY_OK;
    }
    ty_status status = ty_mcap_close(m->file, diag);
    if (m->diag.status != TY_OK) {
        status = ty_fail(diag, m->diag.status, "%s", m->diag.text);
    }
    tyi_sim_unsubscribe(m->run, m->map);
    ty_ros_map_destroy(m->map);
    free(m);
    return status;
}
