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
#define TY_TEST(suite, name, ...)                                                                  \
    static void suite##_##name##_body(void);                                                       \
    Test(suite, name, ##__VA_ARGS__)                                                               \
    {                                                                                              \
        suite##_##name##_body();                                                                   \
        tyt_leak_check();                                                                          \
    }                                                                                              \
    static void suite##_##name##_body(void)

/* got is within bound of want, absolute; the control: got is farther than bound. Prints all four. */
#define TY_NEAR(got, want, bound) tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound), true)
#define TY_FAR(got, want, bound)  tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound), false)
/* the same with a bound relative to |want| */
#define TY_NEAR_REL(got, want, bound)                                                              \
    tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound)*fabs(want), true)
#define TY_FAR_REL(got, want, bound)                                                               \
    tyt_near(__FILE__, __LINE__, #got, (got), (want), (bound)*fabs(want), false)
void tyt_near(const char *file, int line, const char *what, double got, double want, double bound, bool near);
/* any condition; the case goes on */
#define TY_CHECK(condition) ((condition) ? (void)0 : tyt_failed(__FILE__, __LINE__, #condition))
void tyt_failed(const char *file, int line, const char *what);

/* The path of a file below shared/, or NULL (after saying that the case is skipped) where it is absent.
 * The result stays valid until the next call. */
const char *tyt_shared(const char *name);
#define TY_NEED_SHARED(path, name)                                                                 \
    const char *path = tyt_shared(name);                                                           \
    if (!path) {                                                                                   \
        cr_skip("shared/%s is absent", name);                                                      \
    }
bool tyt_long(void); /* the long form of the tests was asked for (make nightly) */

#endif
