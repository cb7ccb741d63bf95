/* tests/support/tyt.c - leak check, comparisons, shared data.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tyt.h"

#ifdef TYCHO_SANITIZE
#include <sanitizer/lsan_interface.h>
#endif

void tyt_leak_check(void)
{
#ifdef TYCHO_SANITIZE
    /* Criterion ends its workers without LeakSanitizer's exit check, so it is made here */
    cr_assert(__lsan_do_recoverable_leak_check() == 0, "memory was leaked");
#endif
}

/* every case runs in a process of its own, so these are the case's */
static int failures;
enum { SITES = 64 };
static struct {
    const char *what;
    double worst, worst_rel;
} seen[SITES];          /* errors of TY_NEAR by the text of what was checked */
static char rows[8192]; /* verdict, claim, data, error: parts of a line, with tabs between them */

void tyt_row(bool bound, const char *claim, const char *data, const char *format, ...)
{
    size_t used = strlen(rows);
    snprintf(rows + used, sizeof rows - used, "%d\t%s\t%s\t", bound, claim, data);
    used = strlen(rows);
    va_list args;
    va_start(args, format);
    vsnprintf(rows + used, sizeof rows - used - 1, format, args);
    va_end(args);
    used = strlen(rows);
    snprintf(rows + used, sizeof rows - used, "\n");
}

static char folder[300];

const char *tyt_folder(void)
{
    if (!*folder) {
        const char *where = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/tycho-test-XXXXXX", where && *where ? where : "/tmp");
        cr_assert(mkdtemp(folder), "no folder can be made beside %s", folder);
    }
    return folder;
}

static int sweep(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

void tyt_rows_end(const char *file, const char *name)
{
    if (*folder) {
        cr_expect(nftw(folder, sweep, 16, FTW_DEPTH | FTW_PHYS) == 0, "%s could not be removed", folder);
        *folder = '\0';
    }
    const char *path = getenv("TYCHO_ROWS"), *here = strstr(file, "tests/");
    FILE *out = path && *rows ? fopen(path, "a") : NULL;
    for (char *line = rows, *end; out && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        fprintf(out, "%s\t%s\t%s\t%.*s\n", name, here ? here : file,
                failures       ? "failed"
                : *line == '1' ? "met"
                               : "reported",
                (int)(end - line - 2), line + 2);
    }
    if (out) {
        fclose(out);
    }
}

static void note(const char *what, double error, double want)
{
    for (int i = 0; i < SITES; i++) {
        if (!seen[i].what || !strcmp(seen[i].what, what)) {
            seen[i].what = what;
            seen[i].worst = fmax(seen[i].worst, error);
            seen[i].worst_rel = fmax(seen[i].worst_rel, error / fmax(fabs(want), 1e-300));
            return;
        }
    }
}

static int site(const char *what)
{
    for (int i = 0; i < SITES && seen[i].what; i++) {
        if (!strcmp(seen[i].what, what)) {
            return i;
        }
    }
    tyt_failed(__FILE__, __LINE__, what);
    return 0;
}

double tyt_worst(const char *what)
{
    return seen[site(what)].worst;
}

double tyt_worst_rel(const char *what)
{
    return seen[site(what)].worst_rel;
}

void tyt_near(const char *file, int line, const char *what, double got, double want, double bound, bool near)
{
    double error = fabs(got - want);
    if (near) {
        note(what, error, want);
    }
    bool ok = near ? error <= bound : error > bound; /* NaN fails both */
    if (!ok) {
        failures++;
        cr_expect(false, "%s:%d: %s: got %.17g, want %s%.17g, error %.3g, bound %.3g", file, line, what, got,
                  near ? "" : "far from ", want, error, bound);
    }
}

const char *tyt_shared(const char *name)
{
    static char path[4096];
    const char *root = getenv("TYCHO_SHARED");
    snprintf(path, sizeof path, "%s/%s", root ? root : "../shared", name);
    return access(path, R_OK) == 0 ? path : NULL;
}

bool tyt_long(void)
{
    return getenv("TYCHO_LONG") != NULL;
}

void tyt_failed(const char *file, int line, const char *what)
{
    failures++;
    cr_expect(false, "%s:%d: not true: %s", file, line, what);
}
