/* src/io/mcap.h - what a recording holds beside its messages; for src/record.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_MCAP_H
#define TYI_IO_MCAP_H
#include <stdio.h>
#include "mcap.h"

/* A file inside the file, with its media type ("application/yaml"); its time is that of the first message. */
ty_status tyi_io_mcap_attach(tyi_io_mcap *mcap, const char *name, const char *media, const void *data, size_t size,
                             ty_diag *diag);
/* A record of keys and values. */
ty_status tyi_io_mcap_note(tyi_io_mcap *mcap, const char *name, const char *const (*pair)[2], size_t pairs,
                           ty_diag *diag);
/* What rosbag2 wants to know beside the file (metadata.yaml); `file` is its name there. */
void tyi_io_mcap_describe(const tyi_io_mcap *mcap, const char *file, FILE *out);

#endif
