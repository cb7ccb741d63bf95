/* src/core/room.h - how much memory there is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CORE_ROOM_H
#define TYI_CORE_ROOM_H

/* [bytes] that this process can still take: what the machine has available and the limits on its address space leave */
double tyi_memory_free(void);

#endif
