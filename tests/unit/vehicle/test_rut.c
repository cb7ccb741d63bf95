/* tests/unit/vehicle/test_rut.c - what wheels leave in the ground. TYCHO_FIGURES=DIR leaves the maps in DIR.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tycho/tools/draw.h"
#include "soil/inner.h"
#include "tyt.h"

/* the edits' change [m] and trace at the sample nearest to (x, y) */
static float change_at(const tyt_ground *g, double x, double y, uint8_t *trace)
{
    double d = ty_terrain_spacing(g->terrain, 1);
    float change;
    ty_terrain_edits(g->terrain, 1, (int32_t)lround(x / d), (int32_t)lround(y / d), 1, 1, &change, trace);
    return change;
}

TY_TEST(rut, depth)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    uint8_t trace;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.soil.multipass = false; /* sim_multipass has ruts that grow with each pass */
    ty_vehicle *v = tyt_vehicle(&def);
    TY_CHECK(ty_terrain_version(g.terrain) == 0);
    tyt_run(v, 1.0);
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
    tyt_run(v, 8.0);
    ty_vehicle_get(v, &s);
    double deepest = 0.0, mean = 0.0;
    int n = 0, marked = 0;
    for (double x = 0.8; x < 1.5; x += 0.02, n++) { /* both axles have been here */
        float change = change_at(&g, x, 0.6098, &trace);
        double pit = (double)(change - tyi_soil_rut_height(trace));
        deepest = fmin(deepest, pit);
        mean += pit;
        marked += trace != 0;
        TY_CHECK(change_at(&g, x, 0.6098 + 0.16, &trace) > 0.0f && !trace);  /* beside the rut: its berm, */
        TY_CHECK(change_at(&g, x, 0.6098 + 0.27, &trace) == 0.0f && !trace); /* then untouched ground */
        TY_CHECK(change_at(&g, x, 0.0, &trace) == 0.0f);
    }
    mean /= n;
    printf("rut %.1f mm deep (deepest %.1f), wheels at %.1f and %.1f mm\n", -1e3 * mean, -1e3 * deepest,
           1e3 * s.wheel[0].sinkage, 1e3 * s.wheel[2].sinkage);
    TY_NEAR(-mean, s.wheel[2].sinkage, 1e-3); /* the rear wheel is the deeper one */
    TY_CHECK(marked == n);
    /* back over its own ruts: they do not grow, and carry the rover as before */
    double sinkage = s.wheel[2].sinkage;
    ty_vehicle_command(v, &(ty_drive_command){ .v = -0.3 }, &diag);
    tyt_run(v, 6.0);
    ty_vehicle_get(v, &s);
    double again = 0.0;
    for (double x = 0.8; x < 1.5; x += 0.02) {
        float change = change_at(&g, x, 0.6098, &trace);
        again += (double)(change - tyi_soil_rut_height(trace)) / n;
    }
    TY_NEAR(again, mean, 2e-3);
    TY_NEAR(s.wheel[0].sinkage, sinkage, 2e-3); /* what led now trails */
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    TY_ROW("ruts are as deep as the wheels within 1 mm", "sinkage of the rear wheel", "%.2f mm",
           1e3 * tyt_worst("-mean"));
}

/* Soil beside a rut stands up to 0.3 of its depth, and is a fifth of its volume, give or take the samples. The second pass heaps up no more.
 * Control: `ruts: false`. */
TY_TEST(rut, berm)
{
    for (int without = 0; without < 2; without++) {
        tyt_ground g;
        ty_diag diag = { 0 };
        uint8_t trace;
        tyt_ground_flat(&g);
        ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
        def.soil.ruts = !without;
        ty_vehicle *v = tyt_vehicle(&def);
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
        tyt_run(v, 8.0);
        double up = 0.0, down = 0.0, high = 0.0, deep = 0.0;
        for (double x = 0.8; x < 1.5; x += 0.02) {
            for (double y = 0.3; y < 0.92; y += 0.02) {
                float change = change_at(&g, x, y, &trace);
                double h = (double)(change - tyi_soil_rut_height(trace));
                up += fmax(h, 0.0), down += fmax(-h, 0.0);
                high = fmax(high, h), deep = fmax(deep, -h);
            }
        }
        printf("berm: %.1f mm beside %.1f mm, %.2f of the rut's volume\n", 1e3 * high, 1e3 * deep,
               up / fmax(down, 1e-9));
        TY_CHECK(without ? up == 0.0
                         : up > 0.14 * down && up < 0.26 * down && high > 0.15 * deep && high < 0.31 * deep);
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
}

/* At levels finer than the ruts' samples lugs have left grooves: sharp-edged, as deep as half a lug, at the way per lug. Controls: the coarser
 * level's samples hold no such steps; a smooth wheel leaves none. */
TY_TEST(rut, grooves)
{
    double steepest[2];
    for (int smooth = 0; smooth < 2; smooth++) {
        tyt_ground g;
        ty_diag diag = { 0 };
        tyt_ground_flat(&g);
        ty_vehicle_def def = tyt_vehicle_def(&g, smooth ? "lrv" : "viper", TY_SOIL_BEKKER);
        ty_vehicle *v = tyt_vehicle(&def);
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
        tyt_run(v, 8.0);
        ty_vehicle_state s;
        ty_vehicle_get(v, &s);
        double d = ty_terrain_spacing(g.terrain, 0), low = 1.0, high = -1.0, most = 0.0;
        static float row[128];
        int32_t j = (int32_t)lround(s.wheel[2].p_W.y / d), i0 = (int32_t)lround((s.wheel[2].p_W.x + 0.1) / d);
        int n = (int)((s.wheel[0].p_W.x - s.wheel[2].p_W.x - 0.2) / d), grooves = 0;
        n = n < 128 ? n : 128;
        ty_terrain_edits(g.terrain, 0, i0, j, n, 1, row, NULL);
        for (int i = 0; i < n; i++) {
            low = fmin(low, (double)row[i]), high = fmax(high, (double)row[i]);
        }
        for (int i = 1; i < n; i++) {
            double a = (double)row[i - 1], b = (double)row[i], middle = 0.5 * (low + high);
            most = fmax(most, fabs(b - a) / d);
            grooves += a > middle && b <= middle;
        }
        steepest[smooth] = most;
        if (!smooth) {
            double way = s.wheel[0].p_W.x, pitch = 2.0 * TY_PI * 0.225 / 24.0;
            printf("%d grooves on %.2f m, %.1f mm deep\n", grooves, n * d, 1e3 * (high - low));
            TY_CHECK(way > 0.0 && abs(grooves - (int)lround(n * d / pitch)) <= 3);
            TY_CHECK(high - low > 0.007 && high - low < 0.016);
        }
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    TY_CHECK(steepest[0] > 0.35 && steepest[1] < 0.2);
    TY_ROW("lugs' walls are steeper than 0.35 on samples of 1 cm", "a wheel without lugs: below 0.2", "%.2f and %.2f",
           steepest[0], steepest[1]);
}

/* the pattern's wavelength is what a lug's pitch becomes at this slip: counted over a metre */
TY_TEST(rut, pattern)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    uint8_t trace;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_state a, b;
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
    tyt_run(v, 3.0);
    ty_vehicle_get(v, &a);
    tyt_run(v, 5.0);
    ty_vehicle_get(v, &b);
    double want =
        (b.wheel[0].p_W.x - a.wheel[0].p_W.x) / ((b.wheel[0].angle - a.wheel[0].angle) * 24.0 / (2.0 * TY_PI));
    /* strongest wavelength between 40 and 100 mm, ahead of where the rear wheel has been */
    double best = 0.0, found = 0.0, from = b.wheel[2].p_W.x + 0.1, to = b.wheel[0].p_W.x - 0.1;
    for (double wave = 0.040; wave < 0.100; wave += 0.0005) {
        double c = 0.0, s = 0.0;
        for (double x = from; x < to; x += 0.02) {
            double xs = 0.02 * round(x / 0.02), w;
            change_at(&g, xs, 0.6098, &trace);
            w = (double)tyi_soil_rut_height(trace) + 0.00625;
            c += w * cos(2.0 * TY_PI * xs / wave), s += w * sin(2.0 * TY_PI * xs / wave);
        }
        if (hypot(c, s) > best) {
            best = hypot(c, s), found = wave;
        }
    }
    printf("pattern: %.1f mm, lugs come down every %.1f mm\n", 1e3 * found, 1e3 * want);
    TY_NEAR(found, want, 0.003); /* over a metre, two waves of 65 mm can be told apart by 4 mm */
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    TY_ROW("lugs print at their own distance within 3 mm", "way per lug", "%.1f mm of %.1f mm",
           1e3 * fabs(found - want), 1e3 * want);
}

/* [ddt] Fig. 8: a rover that starts, stops and turns presses deeper than 12 mm where it slips, and less between. */
TY_TEST(rut, map, .timeout = 200)
{
    enum { NX = 500, NY = 200 };
    static float change[NX * NY], shown[NX * NY];
    static uint8_t trace[NX * NY];
    tyt_ground g;
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "ex1", TY_SOIL_REGRESSION);
    ty_vehicle *v = tyt_vehicle(&def);
    tyt_run(v, 1.0);
    ty_vehicle_command(v, &(ty_drive_command){ .v = 1.0 }, &diag);
    tyt_run(v, 4.0);
    ty_vehicle_get(v, &s);
    double stop = s.pose.p.x;
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.0 }, &diag);
    tyt_run(v, 2.0);
    ty_vehicle_get(v, &s);
    ty_terrain_edits(g.terrain, 1, -50, -100, NX, NY, change, trace);
    int deep[3] = { 0 }, all[3] = { 0 };
    for (int k = 0; k < NX * NY; k++) {
        double x = 0.02 * (k % NX - 50);
        float pit = change[k] - tyi_soil_rut_height(trace[k]);
        int part = x < 0.8 ? 0 : x > stop - 0.2 ? 2 : 1;
        all[part] += pit < -1e-3f;
        deep[part] += pit < -0.012f;
        shown[k] = -1e3f * change[k];
    }
    printf("deeper than 12 mm: %d of %d samples while it starts, %d of %d on the way, %d of %d "
           "while it stops (from %.2f m)\n",
           deep[0], all[0], deep[1], all[1], deep[2], all[2], stop);
    TY_CHECK(deep[0] > 100 && deep[2] > 100);
    TY_CHECK(deep[1] < all[1] / 5);
    if (getenv("TYCHO_FIGURES")) {
        char path[4096];
        ty_draw_map map = ty_draw_map_default();
        map.title = "EX1 on regressed ground: from rest to 1 m/s and back";
        map.x0 = -1.0, map.y0 = -2.0, map.x1 = 9.0, map.y1 = 2.0;
        map.layer[0] = ty_draw_layer_default();
        map.layer[0].nx = NX, map.layer[0].ny = NY, map.layer[0].value = shown, map.layer[0].cmap = TY_CMAP_VIRIDIS;
        map.layer[0].legend = "depth of the rut [mm]";
        map.layers = 1;
        map.lat = map.lon = (double)NAN;
        snprintf(path, sizeof path, "%s/ex1_ruts.png", getenv("TYCHO_FIGURES"));
        cr_assert(ty_draw_write_map(path, &map, &diag) == TY_OK, "%s", diag.text);
    }
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}
