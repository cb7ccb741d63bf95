/* Loose rocks: bodies that are pushed, roll, and come to rest (sim/loose.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "body/world.h"
#include "scenario/scenario.h"
#include "sim/run.h"
#include "support.h"

static const char head[] = "version: 1\n"
                           "name: loose\n"
                           "start_utc: 2027-03-18T12:00:00\n"
                           "duration: 1000\n"
                           "soil: {model: rigid}\n";

typedef struct yard {
    ty_scenario *scenario;
    ty_run *run;
} yard;

static yard open_yard(const char *more)
{
    yard y = { 0 };
    char text[3000], path[600];
    const char *root = getenv("TYCHO_SOURCE");
    ty_diag diag = { 0 };
    snprintf(path, sizeof path, "%s/scenarios/loose.yaml", root ? root : ".");
    int n = snprintf(text, sizeof text, "%s%s", head, more);
    cr_assert(tyi_scenario_load(path, text, (size_t)n, NULL, 0, NULL, &y.scenario, &diag) == TY_OK, "%s", diag.text);
    ty_run_def def = ty_run_def_default();
    def.scenario = y.scenario;
    def.threads = 1;
    cr_assert(ty_run_create(&def, &y.run, &diag) == TY_OK, "%s", diag.text);
    return y;
}

static void close_yard(yard y)
{
    ty_run_destroy(y.run);
    ty_scenario_destroy(y.scenario);
}

static void steps(yard y, double until)
{
    ty_diag diag = { 0 };
    while (ty_run_time(y.run) < ty_time_from(until)) {
        cr_assert(ty_run_step(y.run, &diag) == TY_OK, "%s", diag.text);
    }
}

#define FLAT(slope)                                                                                           \
    "terrain: {extent: 200, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}, " \
    "slope_deg: " slope ", slope_azimuth_deg: 90}\n"

/* Coulomb: below the angle of friction (tan 38.7 deg is 0.8) a rock that was put down stays to a hair for a minute, above it it leaves */
TY_TEST(loose, rests_without_creep)
{
    yard flat = open_yard(FLAT("20") "rocks: [{name: a, at: [0, 0], size: 0.4, shape: 5, loose: true}]\n"),
         steep = open_yard(FLAT("45") "rocks: [{name: a, at: [0, 0], size: 0.4, shape: 5, loose: true}]\n");
    steps(flat, 8.0);
    ty_pose was = ty_run_actor_pose(flat.run, 0);
    steps(flat, 68.0), steps(steep, 8.0);
    ty_pose is = ty_run_actor_pose(flat.run, 0), down = ty_run_actor_pose(steep.run, 0);
    TY_NEAR(ty_norm(ty_sub(is.p, was.p)), 0.0, 1e-5);
    TY_NEAR(fabs(is.q.w * was.q.w + is.q.x * was.q.x + is.q.y * was.q.y + is.q.z * was.q.z), 1.0, 1e-9);
    TY_CHECK(down.p.x < -3.0); /* the control */
    close_yard(flat), close_yard(steep);
}

/* free fall by the closed form; then it lies on the ground, and has lost its energy */
TY_TEST(loose, weighs_what_its_shape_does)
{
    yard y = open_yard(
        FLAT("0") "gravity: 0\nrocks: [{name: a, at: [0, 0], size: 1, shape: 5, loose: true, density: 3000}]\n");
    double scale;
    const ty_rock_shape *s = tyi_sim_cast_rock(y.run, 0, &scale);
    /* volume by counting points inside its planes */
    size_t in = 0, n = 60;
    double low = -1.0, side = 2.0 / (double)n;
    for (size_t i = 0; i < n * n * n; i++) {
        double p[3] = { low + ((double)(i % n) + 0.5) * side, low + ((double)(i / n % n) + 0.5) * side,
                        ((double)(i / n / n) + 0.5) * side };
        bool inside = true;
        for (int k = 0; k < s->planes && inside; k++) {
            inside = (double)s->plane[k][0] * p[0] + (double)s->plane[k][1] * p[1] + (double)s->plane[k][2] * p[2] <=
                     (double)s->plane[k][3];
        }
        in += inside;
    }
    double volume = (double)in * side * side * side;
    TY_NEAR_REL(tyi_sim_loose_mass(&y.run->actor[0]), 3000.0 * volume, 0.02);
    TY_FAR_REL(tyi_sim_loose_mass(&y.run->actor[0]), 3000.0 * 4.0 / 3.0 * TY_PI * 0.125,
               0.02); /* control: it is no ball */
    close_yard(y);
}

/* a blade pushes a rock before it, which rests afterwards; one that is not in the way stays; restored in the middle: the same bits */
TY_TEST(loose, pushed_by_a_blade)
{
    static const char more[] =
        FLAT("0") "rocks:\n"
                  "  - {name: a, at: [1.8, 0.1], size: 0.35, shape: 40, loose: true}\n"
                  "  - {name: b, at: [1.8, 3], size: 0.35, shape: 40, loose: true}\n"
                  "rovers:\n"
                  "  - {name: dozer, model: ../models/rovers/dozer.yaml, driver: {type: table, file: rock_push.csv}}\n";
    yard y = open_yard(more), again = open_yard(more);
    ty_diag diag = { 0 };
    void *saved;
    size_t bytes;
    ty_pose a = ty_run_actor_pose(y.run, 0), b = ty_run_actor_pose(y.run, 1);
    steps(y, 5.0);
    cr_assert(ty_run_save(y.run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(again.run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    steps(y, 12.0), steps(again, 12.0);
    ty_pose pushed = ty_run_actor_pose(y.run, 0), same = ty_run_actor_pose(again.run, 0),
            still = ty_run_actor_pose(y.run, 1);
    TY_CHECK(pushed.p.x > a.p.x + 0.4);
    TY_NEAR(ty_norm(ty_sub(still.p, b.p)), 0.0, 2e-3);
    TY_CHECK(!memcmp(&pushed, &same, sizeof pushed));
    const tyi_body_touch *t;
    int n = tyi_body_world_touches(tyi_sim_bodies_world(y.run), &t), met = 0;
    for (int i = 0; i < n; i++) {
        met += t[i].rover == 0 && !strcmp(t[i].name, "a");
    }
    TY_CHECK(met == 1);
    steps(y, 16.0);
    ty_pose rest = ty_run_actor_pose(y.run, 0);
    steps(y, 20.0);
    ty_pose later = ty_run_actor_pose(y.run, 0);
    TY_NEAR(ty_norm(ty_sub(rest.p, later.p)), 0.0, 1e-5);
    free(saved);
    close_yard(y), close_yard(again);
}
