/* src/core/rules.c - checking a definition struct against its table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "rules.h"

double tyi_limit_get(const tyi_limit *limit, const void *def)
{
    const void *field = (const char *)def + limit->offset;
    switch (limit->type) {
    case TYI_DOUBLE:
        return *(const double *)field;
    case TYI_INT:
        return *(const int *)field;
    case TYI_UINT64:
        return (double)*(const uint64_t *)field;
    case TYI_SIZE:
        return (double)*(const size_t *)field;
    }
    return 0.0;
}

bool tyi_limit_ok(const tyi_limit *limit, double value)
{
    return value >= limit->low && value <= limit->high;
}

const tyi_limit *tyi_rules_limit(const tyi_rules *rules, size_t offset)
{
    for (const tyi_limit *l = rules ? rules->limits : NULL; l && l->field; l++) {
        if (l->offset == offset) {
            return l;
        }
    }
    return NULL;
}

const tyi_order *tyi_rules_broken(const tyi_rules *rules, const void *def)
{
    for (const tyi_order *o = rules->orders; o && o->less != o->more; o++) {
        double less = *(const double *)((const char *)def + o->less);
        double more = *(const double *)((const char *)def + o->more);
        if (!(less < more)) {
            return o;
        }
    }
    return NULL;
}

ty_status tyi_rules_check(const tyi_rules *rules, const void *def, ty_diag *diag)
{
    for (const tyi_limit *l = rules->limits; l->field; l++) {
        double value = tyi_limit_get(l, def);
        if (!tyi_limit_ok(l, value)) {
            return ty_fail(diag, TY_ERR_RANGE, "%s: %s is %.10g, but takes %.10g to %.10g%s%s", rules->name, l->field,
                           value, l->low, l->high, l->unit[0] ? " " : "", l->unit);
        }
    }
    const tyi_order *o = tyi_rules_broken(rules, def);
    if (o) {
        const tyi_limit *less = tyi_rules_limit(rules, o->less), *more = tyi_rules_limit(rules, o->more);
        TY_ASSERT(less && more);
        return ty_fail(diag, TY_ERR_RANGE, "%s: %s is %.10g, but must be below %s, which is %.10g %s", rules->name,
                       less->field, tyi_limit_get(less, def), more->field, tyi_limit_get(more, def), more->unit);
    }
    return TY_OK;
}
