/* Rocks that wheels push, through a whole run: cameras see them move, and a checkpoint holds them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "vehicle/inner.h"

/* many rocks of 5 to 10 cm, and a camera on a wheel */
static small *stony(double push)
{
    small *s = small_make();
    s->scenario.terrain.rock =
        (ty_rock_def){ .on = true, .cover = 0.4, .d_min = 0.05, .d_max = 0.1, .crater_boost = 1.0 };
    s->rover.driver.v = 0.4;
    s->rover.vehicle.rock_push = push, s->rover.vehicle.rock_mu = 0.7;
    ty_sensor_def *c = small_camera(s, "wheel", 0.5, 0.0, 0.1);
    c->as.camera.camera.width = 64, c->as.camera.camera.height = 48;
    c->as.camera.camera.hfov = 60.0 * TY_DEG;
    c->as.camera.samples = 1;
    c->as.camera.truth = true;
    snprintf(c->mount, sizeof c->mount, "wheelcam");
    small_create(s);
    return s;
}

static bool tail_same(const small *a, size_t from, const small *b)
{
    bool equal = a->count - from == b->count && b->count > 0;
    for (size_t i = 0; equal && i < b->count; i++) {
        equal = a->heard[from + i].hash == b->heard[i].hash;
    }
    return equal;
}

/* rocks of both worlds that lie elsewhere in the second */
static int moved(const ty_terrain *a, const ty_terrain *b)
{
    static ty_rock list[2][20000];
    ty_rect rect = { -4.0, -4.0, 4.0, 4.0 };
    size_t n[2] = { ty_terrain_rocks(a, rect, 0.05, 0.2, list[0], 20000),
                    ty_terrain_rocks(b, rect, 0.05, 0.2, list[1], 20000) };
    int count = 0;
    cr_assert(n[0] < 20000 && n[1] < 20000);
    for (size_t i = 0; i < n[0]; i++) {
        for (size_t k = 0; k < n[1]; k++) {
            if (list[0][i].id == list[1][k].id) {
                count += list[0][i].x != list[1][k].x || list[0][i].y != list[1][k].y ||
                         list[0][i].burial != list[1][k].burial;
            }
        }
    }
    return count;
}

TY_TEST(pushed, seen_and_saved, .timeout = 200)
{
    ty_diag diag = { 0 };
    void *saved = NULL;
    size_t bytes = 0;
    small *whole = stony(0.1), *fresh = stony(0.1), *fast = stony(0.0);
    small_steps(whole, 2.2);
    cr_assert(ty_run_save(whole->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(fresh->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    size_t then = whole->count;
    small_steps(whole, 1.5);
    small_steps(fresh, 1.5);
    small_steps(fast, 3.7);
    ty_terrain *t[3] = { ty_world_terrain(ty_run_world(whole->run)), ty_world_terrain(ty_run_world(fresh->run)),
                         ty_world_terrain(ty_run_world(fast->run)) };
    printf("%d rocks moved, %d now around the rover\n", moved(t[2], t[0]),
           tyi_vehicle_pushed(ty_run_rover(whole->run, 0), NULL, 0));
    TY_CHECK(moved(t[2], t[0]) > 3);
    TY_CHECK(moved(t[1], t[0]) == 0);
    TY_CHECK(tail_same(whole, then, fresh));
    TY_CHECK(!tail_same(fast, fast->count - fresh->count, fresh)); /* the control: rocks that stand look different */
    free(saved);
    small_free(whole), small_free(fresh), small_free(fast);
}
