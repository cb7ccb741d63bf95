/* src/core/memory.c - the heap behind the allocator interface, and the arena.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "core.h"

struct tyi_block {
    struct tyi_block *next;
    size_t bytes, used; /* bytes: of the whole block, header included */
};

#define BIG ((size_t)4 << 20)

static void *heap_get(size_t bytes, void *user)
{
    (void)user;
    return malloc(bytes);
}

static void heap_put(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

static const ty_alloc heap = { heap_get, heap_put, NULL };

const ty_alloc *ty_alloc_heap(void)
{
    return &heap;
}

void *tyi_get(const ty_alloc *alloc, size_t bytes)
{
    alloc = alloc ? alloc : &heap;
    void *memory = alloc->get(bytes ? bytes : 1, alloc->user);
    if (memory) {
#ifdef MADV_HUGEPAGE
        /* random access to big arrays is bound by the page tables; a hint, its failure is harmless */
        if (bytes >= BIG) {
            uintptr_t start = ((uintptr_t)memory + 4095u) & ~(uintptr_t)4095u;
            madvise((void *)start, ((uintptr_t)memory + bytes - start) & ~(uintptr_t)4095u, MADV_HUGEPAGE);
        }
#endif
        memset(memory, 0, bytes);
    }
    return memory;
}

void tyi_put(const ty_alloc *alloc, void *memory, size_t bytes)
{
    alloc = alloc ? alloc : &heap;
    if (memory) {
        alloc->put(memory, bytes ? bytes : 1, alloc->user);
    }
}

void *tyi_list_room(const ty_alloc *alloc, void *list, size_t used, size_t need, size_t *room, size_t size,
                    size_t first)
{
    TY_ASSERT(used <= *room && size && first && (list || !*room));
    if (need <= *room) {
        return list;
    }
    size_t more = *room ? 2 * *room : first;
    more = more < need ? need : more;
    void *grown = more <= SIZE_MAX / 4 / size ? tyi_get(alloc, more * size) : NULL;
    if (grown) {
        memcpy(grown, list ? list : grown, used * size);
        tyi_put(alloc, list, *room * size);
        *room = more;
    }
    return grown;
}

#define HEADER ((sizeof(struct tyi_block) + 15u) & ~(size_t)15u)

void tyi_arena_init(tyi_arena *arena, const ty_alloc *alloc, size_t block_bytes)
{
    *arena = (tyi_arena){ .alloc = alloc, .block_bytes = block_bytes };
}

void *tyi_arena_get(tyi_arena *arena, size_t bytes)
{
    TY_ASSERT(arena->block_bytes);
    bytes = (bytes + 15u) & ~(size_t)15u;
    struct tyi_block *block = arena->head;
    if (!block || block->bytes - block->used < bytes) {
        size_t size = HEADER + (bytes > arena->block_bytes ? bytes : arena->block_bytes);
        block = tyi_get(arena->alloc, size);
        if (!block) {
            return NULL;
        }
        *block = (struct tyi_block){ .next = arena->head, .bytes = size, .used = HEADER };
        arena->head = block;
    }
    void *memory = (char *)block + block->used;
    block->used += bytes;
    return memory;
}

void tyi_arena_free(tyi_arena *arena)
{
    while (arena->head) {
        struct tyi_block *next = arena->head->next;
        tyi_put(arena->alloc, arena->head, arena->head->bytes);
        arena->head = next;
    }
}
