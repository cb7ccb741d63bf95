/* bridge/dds/none.c - in place of the others where CycloneDDS is not installed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dds.h"

ty_status tyb_dds_start(const tyb_dds_def *def, tyb_dds **out, ty_diag *diag)
{
    (void)def;
    *out = NULL;
    return ty_fail(
        diag, TY_ERR_INPUT,
        "live: this program was built without CycloneDDS (Debian: cyclonedds-dev, which scripts/setup installs), "
        "and has no ROS topics");
}

void tyb_dds_stop(tyb_dds *dds)
{
    (void)dds;
}

ty_status tyb_dds_writer(tyb_dds *dds, const char *topic, const char *type, tyb_dds_kind kind, ty_diag *diag)
{
    (void)dds, (void)topic, (void)type, (void)kind, (void)diag;
    return TY_OK;
}

bool tyb_dds_send(tyb_dds *dds, const char *topic, const void *data, size_t bytes)
{
    (void)dds, (void)topic, (void)data, (void)bytes;
    return false;
}

ty_status tyb_dds_reader(tyb_dds *dds, const char *topic, const char *type, bool reliable, int reader, ty_diag *diag)
{
    (void)dds, (void)topic, (void)type, (void)reliable, (void)reader, (void)diag;
    return TY_OK;
}

bool tyb_dds_reaches(tyb_dds *dds, const char *topic, const uint8_t sender[16])
{
    (void)dds, (void)topic, (void)sender;
    return false;
}

tyb_dds_stats tyb_dds_get_stats(tyb_dds *dds)
{
    (void)dds;
    return (tyb_dds_stats){ 0 };
}
