/* src/core/status.c - status names, diagnostics, version.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include "core.h"

static const struct {
    const char *name, *text;
} table[TY_STATUS_COUNT] = {
#define TY_STATUS_ROW(name, text) { #name, text },
    TY_STATUS_LIST(TY_STATUS_ROW)
#undef TY_STATUS_ROW
};

const char *ty_status_name(ty_status status)
{
    return (unsigned)status < TY_STATUS_COUNT ? table[status].name : "unknown status";
}

const char *ty_status_text(ty_status status)
{
    return (unsigned)status < TY_STATUS_COUNT ? table[status].text : "unknown status";
}

/* Names and cells of files stand in messages, and messages on terminals: nothing there may move the cursor or worse. C0 and
 * DEL, and C1 as UTF-8 writes it. */
char *tyi_text_plain(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if ((*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f) {
            *c = '?';
        } else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) {
            c[0] = c[1] = '?';
        }
    }
    return text;
}

ty_status ty_fail(ty_diag *diag, ty_status status, const char *format, ...)
{
    if (diag && diag->status == TY_OK) {
        diag->status = status;
        va_list args;
        va_start(args, format);
        vsnprintf(diag->text, sizeof diag->text, format, args);
        va_end(args);
        tyi_text_plain(diag->text);
    }
    return status;
}

const char *ty_version(void)
{
    return TYCHO_VERSION;
}

const char *ty_built_with(void)
{
    return TYCHO_BUILT_WITH;
}
