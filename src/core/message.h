/* src/core/message.h - memory of messages, which a run and those who keep its messages (ty_message_keep()) hold together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_MESSAGE_H
#define TYI_MESSAGE_H
#include "tycho/stream.h"

char *tyi_message_memory_get(size_t bytes); /* zeroed, held once; NULL: no memory */
void tyi_message_memory_put(char *data);    /* one holder less, the last one frees; any thread; NULL is allowed */
bool tyi_message_memory_shared(char *data); /* by another holder: it must not be written to */

#endif
