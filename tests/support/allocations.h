/* tests/support/allocations.h - counts what a test program allocates. For one file of a program: it replaces malloc
 * there.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_ALLOCATIONS_H
#define TYT_ALLOCATIONS_H
#include <stddef.h>

/* every malloc of the process, its libraries' too; the sanitizers bring their own, and then it stays 0 */
static _Atomic long allocations;
#ifndef TYCHO_SANITIZE
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes)
{
    allocations++;
    return __libc_realloc(memory, bytes);
}
#endif

#endif
