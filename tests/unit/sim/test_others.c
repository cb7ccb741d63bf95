/* Drivers that see each other: the time to a meeting in closed form, a convoy and a formation hold their places, two that come head on pass each other, and
 * the maps that three rovers make together lie on the ground (scenarios/cadre.yaml).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "tyt.h"
#include "k_meet.h"
#include "tycho/run.h"

/* points that come head on at 0.3 m/s, 10 m apart with 1 m to keep, meet after 30 s; past each other with the 1 m as closest, at the foot of the perpendicular */
TY_TEST(others, two_discs_meet_when_they_should)
{
    TY_NEAR(ty_k_meet(10.0, 0.0, 0.3, 0.0, 1.0), 30.0, 1e-12);
    TY_NEAR(ty_k_meet(8.0, 0.6, 0.4, 0.0, 1.0), (8.0 - 0.8) / 0.4, 1e-12); /* 0.6 aside: 0.8 before it */
    TY_CHECK(ty_k_meet(10.0, 1.01, 0.3, 0.0, 1.0) == -1.0);                /* control: passes by */
    TY_CHECK(ty_k_meet(10.0, 0.0, -0.3, 0.0, 1.0) == -1.0);                /* control: goes away */
    TY_CHECK(ty_k_meet(0.9, 0.0, 0.3, 0.0, 1.0) == 0.0 && ty_k_meet(0.9, 0.0, -0.3, 0.0, 1.0) == -1.0);
}

static ty_run *start(const char *path, const char *text, const char *const *settings, size_t count,
                     ty_scenario **scenario)
{
    ty_diag diag = { 0 };
    ty_run_def def = ty_run_def_default();
    ty_run *run;
    ty_status status = text ? ty_scenario_parse(path, text, strlen(text), settings, count, scenario, &diag)
                            : ty_scenario_load(path, settings, count, scenario, &diag);
    cr_assert(status == TY_OK, "%s", diag.text);
    def.scenario = *scenario;
    cr_assert(ty_run_create(&def, &run, &diag) == TY_OK, "%s", diag.text);
    return run;
}

static void go(ty_run *run, double seconds)
{
    ty_diag diag = { 0 };
    for (ty_time end = ty_run_time(run) + ty_time_from(seconds); ty_run_time(run) < end;) {
        cr_assert(ty_run_step(run, &diag) == TY_OK, "%s", diag.text);
    }
}

static ty_vehicle_state state_of(ty_run *run, size_t rover)
{
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(run, rover), &s);
    return s;
}

static const char *in_source(const char *name)
{
    static char path[TY_PATH_MAX];
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    return path;
}

#define FLAT                                                                                                       \
    "version: 1\nname: x\nterrain: {extent: 200, relief: {rms_slope_deg: 0.5}, craters: {enabled: false}, rocks: " \
    "{enabled: false}}\nduration: 200\nsoil: {model: bekker}\nrovers:\n"
#define ROVER "  - {model: ../models/rovers/cadre.yaml, "

/* a leader in a wide curve, one behind it, one beside it, which starts 1 m from its place */
TY_TEST(others, a_convoy_and_a_formation_hold_their_places)
{
    static const char text[] = FLAT ROVER
        "name: lead, driver: {type: constant, v: 0.06, omega_deg: 0.5}}\n" ROVER
        "name: behind, x: -2.5, driver: {type: follow, leader: lead, distance: 1.5, speed: 0.12}}\n" ROVER
        "name: beside, x: -1, y: 2.2, driver: {type: formation, leader: lead, ahead: -1, left: 1.2, speed: 0.12}}\n";
    ty_scenario *scenario;
    ty_run *run = start(in_source("scenarios/x.yaml"), text, NULL, 0, &scenario);
    double at0 = state_of(run, 1).pose.p.x;
    go(run, 60.0);
    ty_vehicle_state lead = state_of(run, 0), behind = state_of(run, 1), beside = state_of(run, 2);
    ty_vec3 place = ty_add(lead.pose.p, ty_rotate(lead.pose.q, ty_vec3_make(-1.0, 1.2, 0.0)));
    double gap = hypot(lead.pose.p.x - behind.pose.p.x, lead.pose.p.y - behind.pose.p.y),
           off = hypot(place.x - beside.pose.p.x, place.y - beside.pose.p.y);
    TY_NEAR(gap, 1.5, 0.1);
    TY_NEAR(off, 0.0, 0.15);
    TY_FAR(behind.pose.p.x, at0, 1.0); /* control: it drove, */
    TY_FAR(1.0, 0.0, 0.15);            /* and the other was this far from its place */
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
}

/* the nearest that two come which start 5 m apart, nose to nose */
static double nearest(const char *type)
{
    char text[2000];
    snprintf(text, sizeof text,
             FLAT ROVER "name: a, driver: {type: %s, speed: 0.15, points: [{x: 5, y: 0}]}}\n" ROVER
                        "name: b, x: 4, yaw_deg: 180, driver: {type: %s, speed: 0.15, points: [{x: -1, y: 0}]}}\n",
             type, type);
    ty_scenario *scenario;
    ty_run *run = start(in_source("scenarios/x.yaml"), text, NULL, 0, &scenario);
    double least = INFINITY;
    for (int i = 0; i < 90; i++) {
        go(run, 0.5);
        ty_vec3 a = state_of(run, 0).pose.p, b = state_of(run, 1).pose.p;
        least = fmin(least, hypot(a.x - b.x, a.y - b.y));
    }
    if (!strcmp(type, "avoid")) {
        TY_CHECK(state_of(run, 0).pose.p.x > 3.0 && state_of(run, 1).pose.p.x < 1.0); /* they passed */
    }
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return least;
}

TY_TEST(others, two_that_come_head_on_pass_each_other)
{
    double least = nearest("avoid");
    TY_CHECK(least > 0.75);               /* two circles of 0.35 m, which hold all but lugs */
    TY_CHECK(nearest("waypoints") < 0.6); /* control: nose against nose */
}

/* ---- maps ---- */

enum { CELLS = 48, MAPS = 3 };
#define CELL 0.25 /* [m] */
#define NEAR 6.0  /* [m] of a scan that go into a map: farther beams graze the ground */

typedef struct map {
    double sum[CELLS][CELLS];
    int count[CELLS][CELLS];
} map;

static int cell_of(double x)
{
    return (int)floor(x / CELL) + CELLS / 2;
}

static void hear(void *user, const ty_message *m)
{
    map *maps = user;
    int who = !strcmp(m->rover, "one") ? 0 : !strcmp(m->rover, "two") ? 1 : !strcmp(m->rover, "three") ? 2 : -1;
    if (who < 0 || strcmp(m->sensor, "lidar") != 0) {
        return;
    }
    const ty_buffer *p = &m->part[0].data;
    for (int j = 0; j < p->type.height; j++) {
        for (int i = 0; i < p->type.width; i++) {
            double x = ty_buffer_get(p, i, j, 0), y = ty_buffer_get(p, i, j, 1);
            bool ground = ty_buffer_get(p, i, j, 8) == 1073741824.0 && ty_buffer_get(p, i, j, 4) < NEAR;
            int cx = ground ? cell_of(x) : -1, cy = ground ? cell_of(y) : -1;
            if (cx >= 0 && cx < CELLS && cy >= 0 && cy < CELLS) {
                maps[who].sum[cy][cx] += ty_buffer_get(p, i, j, 2);
                maps[who].count[cy][cx]++;
            }
        }
    }
}

/* rms [m] of a map against ground, and the share of cells within 3 cm */
static double against(const map *m, ty_terrain *ground, double *share, int *cells)
{
    double sum = 0.0;
    int n = 0, within = 0;
    for (int cy = 0; cy < CELLS; cy++) {
        for (int cx = 0; cx < CELLS; cx++) {
            double mean = 0.0;
            for (int k = 0; k < 25 && m->count[cy][cx] > 4; k++) {
                double x = CELL * (cx - CELLS / 2 + 0.1 + 0.2 * (k % 5)),
                       y = CELL * (cy - CELLS / 2 + 0.1 + 0.2 * (k / 5)), z;
                ty_terrain_sample(ground, 0, 1, &x, &y, &z, NULL, NULL);
                mean += z / 25.0;
            }
            if (m->count[cy][cx] > 4) {
                double e = m->sum[cy][cx] / m->count[cy][cx] - mean;
                sum += e * e, n++, within += fabs(e) < 0.03;
            }
        }
    }
    *share = n ? (double)within / n : 0.0;
    *cells = n;
    return n ? sqrt(sum / n) : 1e9;
}

/* three rovers and a base: each one's map lies on the ground, and they overlap. Short: the first scans alone */
TY_TEST(others, maps_of_three_rovers_lie_on_the_ground)
{
    static const char *const quick[] = { "rovers.0.sensors.1.period=1000", "actors.1.sensors=[]" };
    static const char *const other[] = { "terrain.seed=7" };
    ty_scenario *scenario, *elsewhere;
    ty_diag diag = { 0 };
    map *maps = calloc(MAPS, sizeof *maps);
    ty_run *run = start(in_source("scenarios/cadre.yaml"), NULL, quick, 2, &scenario);
    ty_world *wrong;
    cr_assert(maps && ty_run_subscribe(run, NULL, NULL, hear, maps, &diag) == TY_OK, "%s", diag.text);
    go(run, tyt_long() ? 125.0 : 11.5);
    cr_assert(ty_scenario_load(in_source("scenarios/cadre.yaml"), other, 1, &elsewhere, &diag) == TY_OK);
    cr_assert(ty_scenario_create_world(elsewhere, &wrong, &diag) == TY_OK);
    double worst = 0.0, least = 1.0, share;
    int cells, both = 0;
    for (int i = 0; i < MAPS; i++) {
        worst = fmax(worst, against(&maps[i], ty_world_terrain(ty_run_world(run)), &share, &cells));
        least = fmin(least, share);
        cr_expect(cells > (tyt_long() ? 600 : 150), "map %d has %d cells", i, cells);
        TY_FAR(against(&maps[i], ty_world_terrain(wrong), &share, &cells), 0.0, 0.03); /* control: other ground */
    }
    for (int k = 0; k < CELLS * CELLS; k++) {
        both += maps[0].count[k / CELLS][k % CELLS] > 4 && maps[1].count[k / CELLS][k % CELLS] > 4;
    }
    cr_expect(both > (tyt_long() ? 300 : 20), "%d cells of two maps", both);
    TY_NEAR(worst, 0.0, 0.03);
    TY_CHECK(least > 0.95);
    printf("maps: rms %.1f mm, at least %.1f %% of a map within 3 cm, %d cells in two\n", 1e3 * worst, 100.0 * least,
           both);
    ty_world_destroy(wrong);
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    ty_scenario_destroy(elsewhere);
    free(maps);
}
