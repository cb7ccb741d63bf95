/* The terrain's definition: its defaults pass, and each of its ranges holds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "world/terrain/def.h"

static void put(const tyi_limit *limit, ty_terrain_def *def, double value)
{
    void *field = (char *)def + limit->offset;
    switch (limit->type) {
    case TYI_DOUBLE:
        *(double *)field = value;
        break;
    case TYI_INT:
        *(int *)field = (int)value;
        break;
    case TYI_UINT64:
        *(uint64_t *)field = value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
        break;
    case TYI_SIZE:
        *(size_t *)field = (size_t)value;
        break;
    }
}

/* "terrain: FIELD is ..." about that field and not about another one */
static bool blames(const ty_diag *diag, const char *field)
{
    char start[80];
    snprintf(start, sizeof start, "terrain: %s is ", field);
    return strncmp(diag->text, start, strlen(start)) == 0;
}

TY_TEST(terrain_def, default_passes_and_zero_is_refused)
{
    ty_terrain_def def = ty_terrain_def_default();
    TY_CHECK(ty_terrain_def_check(&def, NULL) == TY_OK);
    TY_NEAR(def.radius, 1737400.0, 0.0);
    def = (ty_terrain_def){ 0 };
    TY_CHECK(ty_terrain_def_check(&def, NULL) == TY_ERR_DEF);
}

TY_TEST(terrain_def, every_range_holds)
{
    int fields = 0;
    for (const tyi_limit *l = tyi_terrain_rules.limits; l->field; l++, fields++) {
        ty_terrain_def def = ty_terrain_def_default();
        double value = tyi_limit_get(l, &def), step = l->type == TYI_DOUBLE ? 1e-9 * (l->high - l->low) : 1.0;
        TY_CHECK(value >= l->low && value <= l->high);
        if (l->type == TYI_UINT64) {
            continue; /* takes every value */
        }
        const double beyond[] = { l->high + step, l->low - step, (double)NAN };
        for (int i = 0; i < (l->type == TYI_DOUBLE ? 3 : 2); i++) {
            ty_diag diag = { 0 };
            def = ty_terrain_def_default();
            put(l, &def, beyond[i]);
            TY_CHECK(ty_terrain_def_check(&def, &diag) == TY_ERR_RANGE && blames(&diag, l->field));
        }
        /* control: the ends themselves are not out of range (though they may be out of order) */
        for (int i = 0; i < 2; i++) {
            ty_diag diag = { 0 };
            def = ty_terrain_def_default();
            put(l, &def, i ? l->high : l->low);
            TY_CHECK(ty_terrain_def_check(&def, &diag) == TY_OK || strstr(diag.text, "must be below"));
        }
    }
    TY_CHECK(fields == 36);
}
