/* app/signals.h - a command that a signal ends at its next step, with everything written.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_SIGNALS_H
#define TYCHO_APP_SIGNALS_H
#include <signal.h>

extern volatile sig_atomic_t app_stopped_by; /* 0: none came */

/* From now on the first of SIGINT, SIGTERM and SIGHUP (unless nohup has it) is noted, a second one ends the program at once;
 * a file that may not grow is an error of its writer. */
void app_catch_signals(void);
const char *app_signal_name(int number);

#endif
