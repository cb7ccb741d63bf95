/* tests/support/tyt.h - what the tests share. Include it instead of Criterion's headers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_H
#define TYT_H
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/base.h"

/* A case: like Criterion's Test, and a leak fails it (neither a
 * worker's exit code nor a failure in a fini function would). */
void tyt_leak_check(void);
#define TY_TEST(suite, name, ...)                 \
    static void suite##_##name##_body(void);      \
    Test(suite, name, ##__VA_ARGS__)              \
    {                                             \
        suite##_##name##_body();                  \
        tyt_rows_end(__FILE__, #suite "/" #name); \
        tyt_leak_check();                         \
    }                                             \
    static void suite##_##name##_body(void)

/* a folder for files of the case, made when first asked for in TMPDIR or /tmp; gone when the case ends */
const char *tyt_folder(void);

/* got is within bound of want, absolute; the control: got is farther than bound. Prints all four. */
#define TY_NEAR(got, want, bound) tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound), true)
#define TY_FAR(got, want, bound)  tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound), false)
/* the same with a bound relative to |want| */
#define TY_NEAR_REL(got, want, bound) tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound)*fabs(want), true)
#define TY_FAR_REL(got, want, bound)  tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound)*fabs(want), false)
void tyt_near(const char *file, int line, const char *what, double got, double want, double bound, bool near);
/* any condition; the case goes on */
#define TY_CHECK(condition) ((condition) ? (void)0 : tyt_failed(__FILE__, __LINE__, #condition))
void tyt_failed(const char *file, int line, const char *what);

/* A row of docs/validation.md: what is claimed with its bound, the data it is held against, the error as text.
 * `tycho validate` runs the case with TYCHO_ROWS set to a file and collects it; without that nothing is written. The
 * verdict is that of the whole case, its controls included; TY_ROW_REPORTED is a number without a bound. */
#define TY_ROW(claim, data, ...)          tyt_row(true, claim, data, __VA_ARGS__)
#define TY_ROW_REPORTED(claim, data, ...) tyt_row(false, claim, data, __VA_ARGS__)
void tyt_row(bool bound, const char *claim, const char *data, const char *format, ...) TY_PRINTF(4, 5);
void tyt_rows_end(const char *file, const char *name);
/* For a row: the largest error that TY_NEAR (TY_NEAR_REL: relative to |want|) saw so far of what is written as
 * `what`, the text of `got`. A text that no check has fails the case. */
double tyt_worst(const char *what);
double tyt_worst_rel(const char *what);

/* The path of a file below shared/, or NULL (after saying that the case is skipped) where it is absent.
 * The result stays valid until the next call. */
const char *tyt_shared(const char *name);
#define TY_NEED_SHARED(path, name)            \
    const char *path = tyt_shared(name);      \
    if (!path) {                              \
        cr_skip("shared/%s is absent", name); \
    }
bool tyt_long(void); /* the long form of the tests was asked for (make test-long) */

#endif
