/* src/soil/crm/store.h - the arrays of a bed of particles: made and freed by one table, and its state as bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_STORE_H
#define TYI_SOIL_STORE_H
#include "core/core.h"

/* One array: where its pointer is, and how long it is. */
typedef struct tyi_crm_store_array {
    void **at;
    size_t bytes;
} tyi_crm_store_array;

bool tyi_crm_store_make(const ty_alloc *alloc, const tyi_crm_store_array *array,
                        int count); /* false: no memory for some */
void tyi_crm_store_free(const ty_alloc *alloc, const tyi_crm_store_array *array, int count); /* those that there are */

/* A head, then the arrays behind each other. */
size_t tyi_crm_store_bytes(size_t head, const tyi_crm_store_array *array, int count);
void tyi_crm_store_save(const void *head, size_t bytes, const tyi_crm_store_array *array, int count, void *out);
void tyi_crm_store_load(const void *saved, size_t head, const tyi_crm_store_array *array, int count);

#endif
