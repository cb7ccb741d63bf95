/* app/signals.c - see signals.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "signals.h"
#include <stddef.h>

volatile sig_atomic_t app_stopped_by;

static void on_signal(int number)
{
    if (app_stopped_by) {
        signal(number, SIG_DFL);
        raise(number);
    }
    app_stopped_by = number;
}

static const struct {
    int number;
    const char *name;
} signals[] = { { SIGINT, "SIGINT" }, { SIGTERM, "SIGTERM" }, { SIGHUP, "SIGHUP" } };
#define SIGNALS (sizeof signals / sizeof signals[0])

void app_catch_signals(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction before, on = { .sa_handler = on_signal };
        sigaction(signals[i].number, NULL, &before);
        if (signals[i].number != SIGHUP || before.sa_handler != SIG_IGN) { /* ignored: as nohup has it */
            sigaction(signals[i].number, &on, NULL);
        }
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its writer, with a sentence */
}

const char *app_signal_name(int number)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i].number == number) {
            return signals[i].name;
        }
    }
    return "a signal";
}
