/* src/soil/crm/pass_sixteen.c - the sums over neighbours where a register holds sixteen numbers: half as many instructions as with eight, so that more pairs are
 * under way at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "pass.h"
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TYCHO_SANITIZE)
#pragma GCC target("arch=x86-64-v4")
#define WIDE_LANES 16
#define PER_ISA
#include "groups.h"

bool tyi_crm_pass_sixteen(const tyi_crm_pass *pass, size_t number)
{
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512cd"))) {
        return false;
    }
    sum_block(pass, number);
    return true;
}
#else
bool tyi_crm_pass_sixteen(const tyi_crm_pass *pass, size_t number)
{
    (void)pass, (void)number;
    return false;
}
#endif
