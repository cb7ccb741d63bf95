/* tests/unit/core/test_lists.c - growing lists and the index of numbers, against plain search.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "core/index.h"
#include "tyt.h"

enum { KEYS = 3000, RANGE = 700 };

/* numbers that come and go under hashes of which many are equal: the index finds what a search through all finds */
TY_TEST(lists, the_index_finds_what_a_search_finds)
{
    static uint64_t hash[KEYS];
    static bool in[KEYS];
    tyi_index x = { 0 };
    uint64_t dice = 1;
    long wrong = 0, other = 0;
    TY_CHECK(tyi_index_first(&x, 5) == TYI_NONE); /* none made yet */
    cr_assert(tyi_index_make(&x, NULL, KEYS));
    for (int step = 0; step < 40000; step++) {
        dice = dice * 6364136223846793005u + 1442695040888963407u;
        uint32_t i = (uint32_t)(dice >> 33) % KEYS;
        if (in[i]) {
            tyi_index_take(&x, hash[i], i);
        } else {
            hash[i] = (dice >> 40) % RANGE * 0x9e3779b97f4a7c15u;
            tyi_index_add(&x, hash[i], i);
        }
        in[i] = !in[i];
    }
    for (uint64_t h = 0; h < RANGE; h++) {
        uint64_t want = h * 0x9e3779b97f4a7c15u;
        long there = 0, found = 0, shifted = 0;
        for (uint32_t i = 0; i < KEYS; i++) {
            there += in[i] && hash[i] == want;
        }
        for (uint32_t i = tyi_index_first(&x, want); i != TYI_NONE; i = x.next[i]) {
            found += hash[i] == want;
        }
        for (uint32_t i = tyi_index_first(&x, want + 1); i != TYI_NONE; i = x.next[i]) {
            shifted += hash[i] == want;
        }
        wrong += there != found;
        other += there != shifted;
    }
    TY_CHECK(wrong == 0);
    TY_CHECK(other > RANGE / 2); /* control: the chain of another hash */
    tyi_index_clear(&x);
    TY_CHECK(tyi_index_first(&x, hash[0]) == TYI_NONE);
    tyi_index_free(&x, NULL);
}

static void *none(size_t bytes, void *user)
{
    return (void)bytes, (void)user, NULL;
}
static void never(void *memory, size_t bytes, void *user)
{
    (void)memory, (void)bytes, (void)user;
}

/* what was in a list stays, what is new is zero, and where there is no memory all is as it was */
TY_TEST(lists, a_list_grows_and_keeps)
{
    const ty_alloc empty = { none, never, NULL };
    size_t room = 0, count = 0;
    int *list = NULL;
    for (; count < 1000; count++) {
        int *more = tyi_list_grown(list, count, &room, sizeof *more, 3);
        cr_assert(more && room > count);
        list = more;
        TY_CHECK(count == 0 || list[count - 1] == (int)count - 1);
        list[count] = (int)count;
    }
    TY_CHECK(room == 1536 && list[0] == 0 && list[999] == 999 && list[1000] == 0 && list[1535] == 0);
    TY_CHECK(tyi_list_room(&empty, list, count, 1536, &room, sizeof *list, 3) == list); /* there is room */
    TY_CHECK(!tyi_list_room(&empty, list, count, 1537, &room, sizeof *list, 3) && room == 1536);
    TY_CHECK(!tyi_list_room(NULL, list, count, SIZE_MAX / 2, &room, sizeof *list, 3) && room == 1536);
    tyi_index x = { 0 };
    cr_assert(tyi_index_make(&x, NULL, 10));
    tyi_index_add(&x, 7, 3);
    TY_CHECK(!tyi_index_make(&x, &empty, 20) && x.room == 10 && tyi_index_first(&x, 7) == 3);
    tyi_index_free(&x, NULL);
    free(list);
}
