/* tests/unit/terrain/test_print.c - prints of lugs: the word that keeps them, what finer levels make of it, and where it goes with the edits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "k_print.h"
#include "world/terrain/terrain.h"
#include "tyt.h"

/* What is packed comes back within half a step; what no word can hold is none. */
TY_TEST(print, word)
{
    for (int k = 0; k < 200; k++) {
        double direction = -3.1 + 0.031 * k, phase = -20.0 + 0.21 * k, pitch = 0.02 + 0.001 * k,
               depth = 0.001 + 1e-4 * k;
        ty_k_print p = ty_k_print_unpack(ty_k_print_pack(direction, phase, pitch, depth));
        TY_NEAR(p.cx, cos(direction), 0.0125);
        TY_NEAR(p.cy, sin(direction), 0.0125);
        TY_NEAR(cos(p.phase - phase), 1.0, 1e-4);
        TY_NEAR(2.0 * TY_PI / p.wave, pitch, 0.51e-3);
        TY_NEAR(p.depth, depth, 0.51e-4);
    }
    TY_CHECK(!ty_k_print_pack(0.0, 0.0, 0.5, 0.01) && !ty_k_print_pack(0.0, 0.0, 0.06, 0.0));
    TY_CHECK(ty_k_print_height(ty_k_print_unpack(0), 0.1, 0.2, 0.01) == 0.0);
}

/* Grooves repeat after a pitch along the train, do not change across it, and lie between 0 and the depth; their mean is the flat bottom's and the
 * walls' share of the pitch, 0.3 + 0.125. */
TY_TEST(print, grooves)
{
    ty_k_print p = ty_k_print_unpack(ty_k_print_pack(TY_PI / 2.0, 1.0, 0.060, 0.010));
    double mean = 0.0;
    for (int k = 0; k < 600; k++) {
        double y = 1e-4 * k, h = ty_k_print_height(p, 0.0, y, 1e-4);
        TY_CHECK(h <= 0.0 && h >= -p.depth);
        TY_NEAR(ty_k_print_height(p, 0.031, y, 1e-4), h, 1e-9);
        TY_NEAR(ty_k_print_height(p, 0.0, y + 0.060, 1e-4), h, 1e-9);
        mean -= h / 600.0;
    }
    TY_NEAR(mean / p.depth, 0.425, 0.01);
}

/* Finer levels show them and the edit level does not; ground that is saved and read again, or follows the journal, has the same bits.
 * Control: without words finer levels are the edit's smooth continuation. */
TY_TEST(print, goes_with_the_edits)
{
    enum { N = 24, M = 2 * N };
    ty_terrain_def def = ty_terrain_def_default();
    def.extent = 100.0, def.crater.on = false, def.rock.on = false;
    def.relief.rms_slope_deg = 0.0;
    ty_terrain *t, *u;
    cr_assert(ty_terrain_create(&def, &t, NULL) == TY_OK && ty_terrain_create(&def, &u, NULL) == TY_OK);
    static float change[N * N], fine[M * M], same[M * M], plain[M * M], coarse[N * N];
    static uint8_t trace[N * N];
    static uint32_t print[N * N];
    for (int k = 0; k < N * N; k++) {
        double x = 0.02 * (k % N);
        change[k] = -0.01f, trace[k] = 128;
        print[k] = ty_k_print_pack(0.0, 2.0 * TY_PI * x / 0.06, 0.06, 0.008);
    }
    ty_edit edit = { .i0 = 5, .j0 = 7, .nx = N, .ny = N, .change = change, .trace = trace };
    cr_assert(ty_terrain_edit(t, &edit, NULL) == TY_OK);
    ty_terrain_edits(t, 0, 10, 14, M, M, plain, NULL);
    edit.change = NULL, edit.print = print;
    cr_assert(ty_terrain_edit(t, &edit, NULL) == TY_OK);
    ty_terrain_edits(t, 0, 10, 14, M, M, fine, NULL);
    ty_terrain_edits(t, 1, 5, 7, N, N, coarse, NULL);
    double most = 0.0, least = 0.0;
    for (int i = 8; i < M - 8; i++) {
        double more = (double)(fine[20 * M + i] - plain[20 * M + i]);
        most = fmax(most, -more), least = fmax(least, more);
        TY_NEAR(more, ty_k_print_height(ty_k_print_unpack(print[0]), 0.01 * i, 0.0, 0.01), 6e-4);
    }
    TY_CHECK(most > 0.007 && least < 1e-9 && coarse[N * 10 + 10] == -0.01f);
    cr_assert(tyi_terrain_copy_edits(t, u, NULL) == TY_OK);
    ty_terrain_edits(u, 0, 10, 14, M, M, same, NULL);
    TY_CHECK(!memcmp(same, fine, sizeof fine));
    ty_terrain_destroy(t);
    ty_terrain_destroy(u);
}
