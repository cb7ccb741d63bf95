/* src/soil/crm/store.c - arrays of a bed, made, freed, saved and restored by one table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store.h"
#include <string.h>

bool tyi_crm_store_make(const ty_alloc *alloc, const tyi_crm_store_array *array, int count)
{
    bool all = true;
    for (int k = 0; k < count; k++) {
        *array[k].at = tyi_get(alloc, array[k].bytes);
        all = all && *array[k].at;
    }
    return all;
}

void tyi_crm_store_free(const ty_alloc *alloc, const tyi_crm_store_array *array, int count)
{
    for (int k = 0; k < count; k++) {
        tyi_put(alloc, *array[k].at, *array[k].at ? array[k].bytes : 0);
        *array[k].at = NULL;
    }
}

size_t tyi_crm_store_bytes(size_t head, const tyi_crm_store_array *array, int count)
{
    size_t bytes = head;
    for (int k = 0; k < count; k++) {
        bytes += array[k].bytes;
    }
    return bytes;
}

void tyi_crm_store_save(const void *head, size_t bytes, const tyi_crm_store_array *array, int count, void *out)
{
    char *to = out;
    memcpy(to, head, bytes);
    to += bytes;
    for (int k = 0; k < count; k++) {
        memcpy(to, *array[k].at, array[k].bytes);
        to += array[k].bytes;
    }
}

void tyi_crm_store_load(const void *saved, size_t head, const tyi_crm_store_array *array, int count)
{
    const char *from = (const char *)saved + head;
    for (int k = 0; k < count; k++) {
        memcpy(*array[k].at, from, array[k].bytes);
        from += array[k].bytes;
    }
}
