/* src/study/check.c - a file into "ok" and a summary, or one sentence; see tycho/tools/check.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/tools/check.h"
#include <stdlib.h>
#include "check.h"

/* lines of the summary come to *text, which the caller frees */
static ty_status check_as(const tyi_study_file_kind *kind, tyi_study_check *c, char **text, ty_diag *diag)
{
    size_t size;
    if (kind->fixed && c->count) {
        return ty_fail(diag, TY_ERR_INPUT, "--set %s: %s is %s, which takes no settings: change the file itself",
                       c->settings[0], c->path, kind->name);
    }
    *text = NULL;
    c->lines = open_memstream(text, &size);
    if (!c->lines) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its summary", c->path);
    }
    ty_status status = kind->check(c, diag);
    if (fclose(c->lines) && status == TY_OK) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its summary", c->path);
    }
    return status;
}

/* names come from the file: without what a terminal could take as a command */
static char *plain(char *text)
{
    for (char *c = text; *c; c++) {
        *c = ((unsigned char)*c < ' ' && *c != '\n') || *c == 127 ? '?' : *c;
    }
    return text;
}

ty_status ty_check_file(const char *path, const char *const *settings, size_t count, FILE *out, ty_diag *diag)
{
    const tyi_study_file_kind *kinds[TYI_STUDY_KINDS_MOST];
    size_t found = 0;
    ty_status status = tyi_study_check_kinds(path, kinds, &found, diag), first = status;
    ty_diag why = { 0 };
    for (size_t i = 0; i < found; i++) {
        tyi_study_check check = { .path = path, .settings = settings, .count = count };
        char *text = NULL;
        ty_diag one = { 0 };
        status = check_as(kinds[i], &check, &text, &one);
        if (status == TY_OK) {
            fprintf(out, "%s: ok (%s)\n%s", path, plain(check.about), plain(text));
        }
        free(text);
        if (status == TY_OK) {
            return TY_OK;
        }
        if (i == 0) {
            first = status, why = one; /* of the likeliest kind */
        }
    }
    return found ? ty_fail(diag, first, "%s", why.text) : first;
}
