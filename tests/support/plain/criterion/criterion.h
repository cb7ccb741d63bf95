/* tests/support/plain/criterion/criterion.h - the few words of Criterion that the parity tests use, for machines
 * that have a compiler and a GPU but no Criterion (TYCHO_MINIMAL). One process, cases in the order they are linked;
 * the exit code is 1 where a check failed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_PLAIN_CRITERION_H
#define TYT_PLAIN_CRITERION_H
#include <stdbool.h>

typedef struct tyt_plain_case {
    const char *suite, *name;
    void (*run)(void);
    struct tyt_plain_case *next;
} tyt_plain_case;

void tyt_plain_add(tyt_plain_case *one);
void tyt_plain_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tyt_plain_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* ends the program: what cannot run here cannot run for any case */
_Noreturn void tyt_plain_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define Test(suite_, name_, ...)                                                                    \
    static void suite_##_##name_##_run(void);                                                       \
    static tyt_plain_case suite_##_##name_##_case = { #suite_, #name_, suite_##_##name_##_run, 0 }; \
    __attribute__((constructor)) static void suite_##_##name_##_add(void)                           \
    {                                                                                               \
        tyt_plain_add(&suite_##_##name_##_case);                                                    \
    }                                                                                               \
    static void suite_##_##name_##_run(void)
#define cr_expect(condition, ...) ((condition) ? (void)0 : tyt_plain_failed(__VA_ARGS__))
#define cr_assert                 cr_expect
#define cr_skip                   tyt_plain_skip
#define cr_log_info               tyt_plain_log

#endif
