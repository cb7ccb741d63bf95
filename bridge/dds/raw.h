/* bridge/dds/raw.h - a type of CycloneDDS whose samples are the bytes of a message.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_DDS_RAW_H
#define TYB_DDS_RAW_H
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <stddef.h>
#include <stdint.h>

/* A new one of a name as DDS has it; the caller holds it until it is given to a topic. most: [bytes] of a message that is taken.
 * NULL: no memory. */
struct ddsi_sertype *tyb_raw_type(const char *name, size_t most);
/* A message; data begins with the four bytes of its encoding. NULL: no memory. */
struct ddsi_serdata *tyb_raw_data(const struct ddsi_sertype *type, const void *data, size_t bytes);
const uint8_t *tyb_raw_bytes(const struct ddsi_serdata *data, size_t *bytes);

#endif
