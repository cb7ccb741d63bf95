/* src/core/alone.h - a process that keeps to one thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CORE_ALONE_H
#define TYI_CORE_ALONE_H

void tyi_tasks_alone(void); /* from now on in this process: one thread, whatever is asked for */

#endif
