/* src/core/core.h - internal helpers that every module may use.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CORE_H
#define TYI_CORE_H
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include "tycho/base.h"

/* what a function takes for granted; on in every build but those with NDEBUG. Input of users gets a sentence instead. */
#define TY_ASSERT(x) assert(x)
/* a mutex that the caller holds */
#define TYI_LOCKED(mutex) TY_ASSERT(pthread_mutex_trylock(mutex) == EBUSY)
#define TYI_COOKIE        0x5459434fu /* "TYCO": a definition that came from its default function */

/* The same loops for each instruction set, chosen when the program starts; without contraction every one gives the same
 * bits. Sanitizers cannot run in the function that picks a clone, before they are set up. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TYCHO_SANITIZE)
#define TYI_PER_ISA __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TYI_PER_ISA
#endif

/* memory through an allocator (NULL: heap); get zeroes */
void *tyi_get(const ty_alloc *alloc, size_t bytes);
void tyi_put(const ty_alloc *alloc, void *memory, size_t bytes);

/* A growing list of elements of `size` bytes, `used` of them in use, with room for `need`: where it is full it moves to twice the room, `first`
 * at its start; what is new is zero. Returns where it is now; NULL: no memory, and it is as it was. */
void *tyi_list_room(const ty_alloc *alloc, void *list, size_t used, size_t need, size_t *room, size_t size,
                    size_t first);
/* the same for one more, with memory that free() gives back */
static inline void *tyi_list_grown(void *list, size_t count, size_t *room, size_t size, size_t first)
{
    return tyi_list_room(NULL, list, count, count + 1, room, size, first);
}

/* Arena: grows by blocks, freed at once. For things that live as long as their owner. */
typedef struct tyi_arena {
    const ty_alloc *alloc;
    struct tyi_block *head;
    size_t block_bytes;
} tyi_arena;
void tyi_arena_init(tyi_arena *arena, const ty_alloc *alloc, size_t block_bytes);
void *tyi_arena_get(tyi_arena *arena, size_t bytes); /* zeroed, 16-byte aligned; NULL when out of memory */
void tyi_arena_free(tyi_arena *arena);

/* Runs job(user, i, worker) for every i in [0, n) on up to `threads` threads (0: all processors).
 * Any order: a job writes only what belongs to i, and sums are made afterwards in index order, so that
 * results do not depend on the number of threads. worker is in [0, threads). */
typedef void (*tyi_job)(void *user, size_t i, int worker);
void tyi_tasks_for(int threads, size_t n, tyi_job job, void *user);
int tyi_tasks_threads(int asked); /* the number of workers that tyi_tasks_for would use */

/* sum in index order with compensation; for reductions over job results */
double tyi_sum(const double *values, size_t n);

double tyi_now(void); /* [s] monotonic wall clock */

/* Control characters of a text that will stand on a terminal become '?'; line ends and tabs stay. Returns text. */
char *tyi_text_plain(char *text);

/* Names of scenarios, rovers, actors, sensors, wheels, motors, mounts, objects: they become files, topics and columns. */
#define TYI_NAME_RULE "takes letters, digits, '_', '-' and '.', and does not start with '.'"
bool tyi_name_ok(const char *name);
/* Two names that would share a file or a topic: where they differ, it is in '_', '-' and '.' only. */
bool tyi_name_same(const char *a, const char *b);

/* 64-bit FNV-1a, for tile hashes and cache keys */
uint64_t tyi_hash(const void *data, size_t bytes, uint64_t start); /* start: TYI_HASH_START or a previous hash */
#define TYI_HASH_START 0xcbf29ce484222325ull

/* As strtod(), with a decimal point whatever the locale of the program is. */
double tyi_number(const char *text, char **end);

#endif
