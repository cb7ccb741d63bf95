/* Ranges and orders of a definition struct.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "core/rules.h"

typedef struct thing {
    double low, high;
    int count;
    uint64_t seed;
    size_t bytes;
} thing;

static const tyi_limit limits[] = {
    { "low", "m", offsetof(thing, low), TYI_DOUBLE, 0.0, 10.0 },
    { "high", "m", offsetof(thing, high), TYI_DOUBLE, 0.0, 10.0 },
    { "count", "", offsetof(thing, count), TYI_INT, -2.0, 7.0 },
    { "seed", "", offsetof(thing, seed), TYI_UINT64, 0.0, 0x1p64 },
    { "bytes", "", offsetof(thing, bytes), TYI_SIZE, 16.0, 32.0 },
    { 0 },
};
static const tyi_order orders[] = { { offsetof(thing, low), offsetof(thing, high) }, { 0, 0 } };
static const tyi_rules rules = { "thing", limits, orders };
static const thing good = { 0.0, 10.0, -2, UINT64_MAX, 32 };

static bool refused(thing t, const char *words)
{
    ty_diag diag = { 0 };
    return tyi_rules_check(&rules, &t, &diag) == TY_ERR_RANGE && strstr(diag.text, words) != NULL;
}

TY_TEST(rules, ends_are_accepted_and_beyond_is_not)
{
    TY_CHECK(tyi_rules_check(&rules, &good, NULL) == TY_OK);
    thing t = good;
    t.low = -1e-9;
    TY_CHECK(refused(t, "thing: low is -1e-09, but takes 0 to 10 m"));
    t.low = (double)NAN;
    TY_CHECK(refused(t, "low is"));
    t = good;
    t.high = (double)INFINITY;
    TY_CHECK(refused(t, "high is inf"));
    t = good;
    t.count = 8;
    TY_CHECK(refused(t, "count is 8, but takes -2 to 7"));
    t = good;
    t.bytes = 15;
    TY_CHECK(refused(t, "bytes is 15"));
}

TY_TEST(rules, order_is_strict)
{
    thing t = good;
    t.low = 10.0;
    TY_CHECK(refused(t, "low is 10, but must be below high, which is 10 m"));
    t.low = nextafter(10.0, 0.0);
    TY_CHECK(tyi_rules_check(&rules, &t, NULL) == TY_OK); /* control */
}
