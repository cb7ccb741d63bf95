/* src/core/rules.h - what a definition struct accepts, written once: the C check of the struct, the
 * check of files that fill it and the reference page all read the same table.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RULES_H
#define TYI_RULES_H
#include "tycho/base.h"

typedef enum tyi_type { TYI_DOUBLE, TYI_INT, TYI_UINT64, TYI_SIZE } tyi_type;

/* One field and its range; both ends are accepted, NaN never is. A table ends with a NULL field. */
typedef struct tyi_limit {
    const char *field; /* as C writes it: "relief.hurst" */
    const char *unit;  /* of low, high and the field: "m"; "" where there is none */
    size_t offset;
    tyi_type type;
    double low, high; /* [unit]; 0x1p64 is "as much as a uint64_t holds" */
} tyi_limit;

/* Two double fields of which the first must be below the second. A table ends with less == more. */
typedef struct tyi_order {
    size_t less, more; /* offsets */
} tyi_order;

typedef struct tyi_rules {
    const char *name; /* of the definition, starts its messages: "terrain" */
    const tyi_limit *limits;
    const tyi_order *orders; /* NULL: none */
} tyi_rules;

double tyi_limit_get(const tyi_limit *limit, const void *def); /* [unit] the field's value */
bool tyi_limit_ok(const tyi_limit *limit, double value);
const tyi_limit *tyi_rules_limit(const tyi_rules *rules, size_t offset);    /* NULL where there is none */
const tyi_order *tyi_rules_broken(const tyi_rules *rules, const void *def); /* the first; NULL: all hold */
/* TY_ERR_RANGE with field, value and range of the first field that is wrong. */
ty_status tyi_rules_check(const tyi_rules *rules, const void *def, ty_diag *diag);

#endif
