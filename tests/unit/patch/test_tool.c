/* A drum that digs in a patch of particles, is lifted with what it holds, and dumps it: what must be kept, equal, resumed, refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include "digger.h"
#include "soil/patch/ledger.h"
#include "soil/patch/patch.h"

/* [m^3] that the height field has gained in all, and its deepest and highest change [m] */
static double gained(const digger *g, double *deepest, double *highest)
{
    enum { N = 400 };
    static float change[N];
    double sum = 0.0, d = g->world->site.spacing;
    *deepest = *highest = 0.0;
    for (int j = -N / 2; j < N / 2; j++) {
        ty_terrain_edits(g->terrain, g->world->site.level, -N / 2, j, N, 1, change, NULL);
        for (int i = 0; i < N; i++) {
            sum += (double)change[i] * d * d;
            *deepest = fmin(*deepest, (double)change[i]);
            *highest = fmax(*highest, (double)change[i]);
        }
    }
    return sum;
}

static double ledger(digger *g, tyi_soil_patch_ledger *l, double *deepest, double *highest)
{
    ty_diag diag = { 0 };
    cr_assert(tyi_soil_patch_tell_all(digger_particles(g), &diag) == TY_OK, "%s", diag.text);
    *l = tyi_soil_patch_sum(digger_particles(g));
    double field = gained(g, deepest, highest) * g->soil.bekker.rho, most = fmax(l->inside, l->left);
    return fmax(fabs(l->entered - l->left - l->inside), fabs(field + l->airborne + l->carried)) / most;
}

/* Dig, lift, carry, dump: a pit and a heap are left, and no soil is lost between patch, air, drum and height field. */
TY_TEST(tool, drum_digs_carries_and_dumps)
{
    digger g;
    ty_diag diag = { 0 };
    ty_soil_def def = digger_soil();
    tyi_soil_patch_ledger dug, dumped;
    double pit, heap, end_pit, end_heap;
    cr_assert(digger_begin(&g, &def, 0.0, &diag) == TY_OK, "%s", diag.text);
    digger_lead(&g, 0.4, 0.0, -0.2, 3.0);
    digger_lead(&g, 1.2, 0.15, 0.0, 3.0);
    TY_CHECK(g.torque > 0.0 && g.work > 0.0);
    digger_lead(&g, 0.6, 0.0, 0.5, 0.0);
    double kept = ledger(&g, &dug, &pit, &heap);
    printf("drum: %.2f N m s, %.1f J, carried %.3f kg, pit %.0f mm, heap %.0f mm, ledger %.1e\n", g.torque, g.work,
           dug.carried, 1e3 * pit, 1e3 * heap, kept);
    TY_CHECK(dug.carried > 0.3); /* the drum holds soil in the air, */
    TY_CHECK(pit < -0.03);       /* a pit is left, */
    TY_CHECK(heap < 0.5 * 0.2);  /* and what it holds is no part of the ground */
    double there = g.x;
    digger_lead(&g, 1.0, 0.3, 0.0, 0.0); /* carried on */
    tyi_soil_patch_ledger on = tyi_soil_patch_sum(digger_particles(&g));
    TY_CHECK(on.carried > 0.5 * dug.carried && g.x > there + 0.25);
    digger_lead(&g, 3.0, 0.0, -0.04, -2.2); /* and dumped: slower than weight is outweighed by turning */
    double end = ledger(&g, &dumped, &end_pit, &end_heap);
    printf("drum: carried on %.3f, dumped to %.3f kg, heap %.0f mm, ledger %.1e\n", on.carried, dumped.carried,
           1e3 * end_heap, end);
    TY_CHECK(dumped.carried < 0.5 * dug.carried);
    TY_CHECK(end_heap > 0.01);
    TY_NEAR(kept, 0.0, 1e-6);
    TY_NEAR(end, 0.0, 1e-6);
    TY_ROW("a drum digs, lifts, carries and dumps: mass of patch, air, drum and height field kept to 1e-6",
           "conservation of mass", "%.1e; %.2f kg, %.0f J/kg", fmax(kept, end), dug.carried, g.work / dug.carried);
    digger_stop(&g);
}

/* In the middle of digging a new world takes over from bytes: the same bits as without. */
TY_TEST(tool, same_bits_when_resumed_in_the_middle_of_digging)
{
    digger g[2];
    ty_diag diag = { 0 };
    unsigned char *state[2];
    size_t bytes[2];
    for (int k = 0; k < 2; k++) {
        ty_soil_def def = digger_soil();
        def.patch.threads = 1 + k;
        cr_assert(digger_begin(&g[k], &def, 0.0, &diag) == TY_OK, "%s", diag.text);
        digger_lead(&g[k], 0.3, 0.05, -0.2, 3.0);
    }
    bytes[1] = tyi_soil_world_save(g[1].world, NULL);
    state[1] = malloc(bytes[1]);
    tyi_soil_world_save(g[1].world, state[1]);
    unsigned char *rider = malloc(tyi_soil_rider_save(g[1].world, 0, NULL));
    tyi_soil_rider_save(g[1].world, 0, rider);
    tyi_soil_world_destroy(g[1].world);
    cr_assert(digger_come(&g[1], &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_soil_world_restore(g[1].world, state[1], bytes[1], &diag) == TY_OK, "%s", diag.text);
    tyi_soil_rider_restore(g[1].world, 0, rider);
    free(state[1]);
    for (int k = 0; k < 2; k++) {
        digger_lead(&g[k], 0.1, 0.1, 0.0, 3.0);
        bytes[k] = tyi_soil_world_save(g[k].world, NULL);
        state[k] = malloc(bytes[k]);
        tyi_soil_world_save(g[k].world, state[k]);
    }
    TY_CHECK(bytes[0] == bytes[1] && !memcmp(state[0], state[1], bytes[0]));
    TY_CHECK(g[0].torque == g[1].torque && g[0].torque > 0.0);
    digger_lead(&g[1], 0.01, 0.1, 0.0, 3.1); /* control: another turn */
    tyi_soil_world_save(g[1].world, state[1]);
    TY_CHECK(memcmp(state[0], state[1], bytes[0]) != 0);
    TY_ROW("digging with 1 thread, and with 2 and resumed in the middle: bits", "each other", "equal");
    for (int k = 0; k < 2; k++) {
        free(state[k]);
        digger_stop(&g[k]);
    }
    free(rider);
}

TY_TEST(tool, holds_and_refusals)
{
    ty_soil_tool bucket = { .kind = TY_TOOL_BUCKET, .width = 0.3, .height = 0.2, .depth = 0.25, .sheet = 0.003 },
                 blade = { .kind = TY_TOOL_BLADE, .width = 0.3, .height = 0.2, .sheet = 0.003 };
    TY_CHECK(tyi_soil_tool_holds(&digger_drum, ty_vec3_make(0.1, 0.05, -0.1)) &&
             !tyi_soil_tool_holds(&digger_drum, ty_vec3_make(0.2, 0, 0)));
    TY_CHECK(tyi_soil_tool_holds(&bucket, ty_vec3_make(-0.1, 0, 0.1)) &&
             !tyi_soil_tool_holds(&bucket, ty_vec3_make(0.01, 0, 0.1)));
    TY_CHECK(!tyi_soil_tool_holds(&blade, ty_vec3_make(0, 0, 0)));
    digger g;
    ty_diag diag = { 0 };
    ty_soil_def def = digger_soil();
    def.patch.spacing = 0.07;
    TY_CHECK(digger_begin(&g, &def, 0.0, &diag) == TY_ERR_RANGE && strstr(diag.text, "a quarter of a drum's radius"));
    digger_stop(&g);
    diag = (ty_diag){ 0 };
    def = digger_soil();
    def.patch.follow = TY_PATCH_BOX;
    def.patch.x = 60.0;
    TY_CHECK(digger_begin(&g, &def, 0.0, &diag) == TY_ERR_RANGE && strstr(diag.text, "outside the ground"));
    digger_stop(&g);
}
