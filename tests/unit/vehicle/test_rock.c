/* tests/unit/vehicle/test_rock.c - a wheel climbs a rock and comes down again, without a jump.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tycho/tools/draw.h"
#include "tyt.h"

/* level ground with rocks; *found is one that stands `height` [m] out of it, with no other of its size near its lane */
static void ground_with_rock(tyt_ground *g, double height, ty_rock *found, double *top)
{
    ty_diag diag = { 0 };
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = false;
    def.rock.cover = 0.01;
    def.rock.d_min = 0.15;
    def.rock.d_max = 0.6;
    *g = (tyt_ground){ 0 };
    cr_assert(ty_terrain_create(&def, &g->terrain, &diag) == TY_OK, "%s", diag.text);
    static ty_rock rocks[4000];
    size_t n = ty_terrain_rocks(g->terrain, (ty_rect){ -40.0, -40.0, 40.0, 40.0 }, 0.15, 1.0, rocks, 4000);
    double best = INFINITY;
    for (size_t i = 0; i < n && i < 4000; i++) {
        double out = rocks[i].scale * (double)ty_terrain_rock_shape(g->terrain, rocks[i].shape)->height *
                     (1.0 - rocks[i].burial);
        bool alone = true;
        for (size_t k = 0; k < n && k < 4000; k++) {
            double dx = rocks[k].x - rocks[i].x, dy = rocks[k].y - rocks[i].y;
            /* the left wheels drive over it, the right ones 1.22 m to its right: nothing else may lie in the way */
            alone = alone && (k == i || dx < -3.0 || dx > 2.5 || dy > 0.8 || dy < -2.0);
        }
        if (alone && fabs(out - height) < best) {
            best = fabs(out - height), *found = rocks[i], *top = out;
        }
    }
    cr_assert(best < 0.01, "no rock of %g m stands alone", height);
}

#define ROWS 24000

TY_TEST(rock, crossed, .timeout = 200)
{
    static double t[ROWS], z[2][ROWS], f[ROWS], push[ROWS];
    size_t rows = 0;
    tyt_ground g;
    ty_rock rock = { 0 };
    double top = 0.0, highest[2] = { 0.0, 0.0 };
    for (int with = 1; with >= 0; with--) { /* without the rocks: the control, on ground without ruts */
        ground_with_rock(&g, 0.10, &rock, &top);
        ty_diag diag = { 0 };
        ty_vehicle_state s;
        ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
        def.x = rock.x - 0.6418 - 0.7;
        def.y = rock.y - 0.6098;
        def.rocks = with;
        ty_vehicle *v = tyt_vehicle(&def);
        double lift = 0.0, jump = 0.0, hop = 0.0, last = 0.0, last_z = 0.0, most = 0.0;
        tyt_run(v, 1.0);
        ty_vehicle_get(v, &s);
        double rest = s.wheel[0].p_W.z;
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.15 }, &diag);
        for (int i = 0; i < ROWS && s.pose.p.x < rock.x + 1.4; i++) {
            cr_assert(ty_vehicle_step(v, 1e-3, &diag) == TY_OK && ty_vehicle_press_ruts(v, &diag) == TY_OK, "%s",
                      diag.text);
            ty_vehicle_get(v, &s);
            double force = s.wheel[0].f_rock, height = s.wheel[0].p_W.z;
            lift = fmax(lift, height - rest);
            jump = fmax(jump, fabs(force - last));
            hop = fmax(hop, i ? fabs(height - last_z) : 0.0);
            most = fmax(most, force);
            last = force, last_z = height;
            if (with) {
                t[i] = 1e-3 * i, z[0][i] = 1e3 * (height - rest), z[1][i] = 1e3 * (s.wheel[2].p_W.z - rest),
                f[i] = s.wheel[0].fz;
                push[i] = force, rows = (size_t)i + 1;
            }
        }
        highest[with] = lift;
        printf("%s: the front wheel rises by %.0f mm over a rock of %.0f mm; largest force %.0f N, "
               "change per step %.1f N, "
               "vertical speed %.2f m/s\n",
               with ? "rocks" : "no rocks", 1e3 * lift, 1e3 * top, most, jump, 1e3 * hop);
        if (with) {
            TY_CHECK(s.pose.p.x > rock.x + 1.3); /* both wheels of that side are across */
            TY_CHECK(jump < 0.15 * most);        /* no step of 1 ms takes the force from nothing to its height */
            TY_CHECK(hop < 0.5e-3);              /* m per step: 0.5 m/s */
        }
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    TY_CHECK(highest[1] > 0.6 * top && highest[1] < 1.6 * top);
    TY_CHECK(highest[0] < 5e-3);
    if (getenv("TYCHO_FIGURES")) {
        char path[4096];
        ty_diag diag = { 0 };
        ty_draw_series height[2] = { { .label = "front left", .n = rows, .x = t, .y = z[0] },
                                     { .label = "rear left", .n = rows, .x = t, .y = z[1] } };
        ty_draw_series force[2] = { { .label = "soil", .n = rows, .x = t, .y = f },
                                    { .label = "rock", .n = rows, .x = t, .y = push } };
        ty_draw_panel panel[2] = {
            { .y = { .label = "height of the wheel [mm]" }, .series = height, .count = 2 },
            { .x = { .label = "time [s]" }, .y = { .label = "force on front left [N]" }, .series = force, .count = 2 }
        };
        ty_draw_figure figure = ty_draw_figure_default();
        figure.title = "VIPER over a rock of 0.10 m at 0.15 m/s";
        figure.panel = panel;
        figure.rows = 2;
        figure.share_x = true;
        snprintf(path, sizeof path, "%s/viper_rock.png", getenv("TYCHO_FIGURES"));
        cr_assert(ty_draw_write_figure(path, &figure, &diag) == TY_OK, "%s", diag.text);
    }
    TY_ROW("a wheel crosses a rock of 0.10 m without a jump",
           "rises by 0.6 to 1.6 of the rock's height; without the rock not", "%.0f mm over %.0f mm; without %.0f mm",
           1e3 * highest[1], 1e3 * top, 1e3 * highest[0]);
}

/* Rocks stand in the columns of scm as well: both wheels of a side are lifted over one, and come down. */
TY_TEST(rock, crossed_on_columns, .timeout = 200)
{
    tyt_ground g;
    ty_rock rock = { 0 };
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    double top = 0.0, lift[2] = { 0.0, 0.0 };
    for (int with = 1; with >= 0; with--) { /* without the rocks: the control, on ground without ruts */
        ground_with_rock(&g, 0.10, &rock, &top);
        ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_SCM);
        def.x = rock.x - 0.6418 - 0.7;
        def.y = rock.y - 0.6098;
        def.rocks = with;
        def.soil.grid.spacing = 0.04;
        ty_vehicle *v = tyt_vehicle(&def);
        tyt_run(v, 1.0);
        ty_vehicle_get(v, &s);
        double rest = s.wheel[0].p_W.z;
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.15 }, &diag);
        for (int i = 0; i < 24000 && s.pose.p.x < rock.x + 1.4; i += 10) {
            cr_assert(tyt_run(v, 0.01));
            ty_vehicle_get(v, &s);
            lift[with] = fmax(lift[with], s.wheel[0].p_W.z - rest);
        }
        TY_CHECK(s.pose.p.x > rock.x + 1.3);
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    printf("scm: the front wheel rises by %.0f mm over a rock of %.0f mm, without it by %.0f mm\n", 1e3 * lift[1],
           1e3 * top, 1e3 * lift[0]);
    TY_CHECK(lift[1] > 0.7 * top && lift[1] < 1.6 * top);
    TY_CHECK(lift[0] < 0.1 * top);
}
