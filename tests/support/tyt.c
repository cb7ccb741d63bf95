/* tests/support/tyt.c - leak check, comparisons, shared data.
 * SPDX-License-Identifier: BSD-3-Clause */
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

void tyt_near(const char *file, int line, const char *what, double got, double want, double bound, bool near)
{
    double error = fabs(got - want);
    bool ok = near ? error <= bound : error > bound; /* NaN fails both */
    if (!ok) {
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
    cr_expect(false, "%s:%d: not true: %s", file, line, what);
}
