/* One world over ranks (src/sim/share.h), here threads of one process: rovers that cross each other's ruts and meet have the bits of one process, a meeting
 * of rovers of two ranks keeps momentum; what is not for ranks gets a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "sim/run.h"
#include "sim/share.h"
#include "support.h"
#include "vehicle/inner.h"
#include "vehicle/vehicle.h"

enum { RANKS = 2 };

typedef struct table { /* around which ranks sit */
    ty_scenario scenario;
    ty_scenario_rover rover[2];
    ty_run_def def;
    pthread_barrier_t all;
    const void *said[RANKS];
    size_t bytes[RANKS];
    bool deaf; /* control: nobody hears of others' ruts */
    uint8_t *heard[RANKS];
    ty_run *shown[RANKS];
    tyi_sim_share *share[RANKS];
    int steps;
    void (*each)(struct table *t); /* after a step of rank 0 */
    double l, a, scale, turn;
    ty_vec3 l0, a0;
} table;

typedef struct seat {
    table *table;
    int rank;
} seat;

static table *table_make(const char *model, double apart)
{
    table *t = calloc(1, sizeof *t);
    const char *root = getenv("TYCHO_SOURCE");
    t->scenario = ty_scenario_default();
    snprintf(t->scenario.start_utc, sizeof t->scenario.start_utc, "2026-12-01T12:00:00");
    t->scenario.terrain.extent = 200.0;
    t->scenario.terrain.crater.on = t->scenario.terrain.rock.on = false;
    t->scenario.duration = 1000.0;
    for (int i = 0; i < 2; i++) {
        t->rover[i] = (ty_scenario_rover){ .vehicle = ty_vehicle_def_default(), .soil.model = TY_SOIL_BEKKER };
        snprintf(t->rover[i].name, sizeof t->rover[i].name, "%s", i ? "bravo" : "alpha");
        snprintf(t->rover[i].model, sizeof t->rover[i].model, "%s/models/rovers/%s.yaml", root ? root : ".", model);
        t->rover[i].vehicle.x = i ? 0.5 * apart : -0.5 * apart;
        t->rover[i].vehicle.yaw = i ? TY_PI : 0.0;
        t->rover[i].driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.3 };
    }
    t->scenario.rover = t->rover;
    t->scenario.rovers = 2;
    t->def = ty_run_def_default();
    t->def.scenario = &t->scenario;
    t->def.threads = 1;
    pthread_barrier_init(&t->all, NULL, RANKS);
    return t;
}

/* what a rank that hears nothing of others' ground leaves out: words of kind 0 */
static size_t without_edits(uint8_t *to, const uint8_t *from, size_t bytes)
{
    size_t kept = 0;
    for (size_t at = 0; at < bytes;) {
        uint32_t word[4];
        memcpy(word, from + at, sizeof word);
        if (word[0]) {
            memcpy(to + kept, from + at, sizeof word + word[3]);
            kept += sizeof word + word[3];
        }
        at += sizeof word + word[3];
    }
    return kept;
}

static ty_status exchange(void *user, const void *own, size_t bytes, const uint8_t **all, size_t *total, ty_diag *diag)
{
    const seat *s = user;
    table *t = s->table;
    t->said[s->rank] = own, t->bytes[s->rank] = bytes;
    pthread_barrier_wait(&t->all);
    *total = 0;
    t->heard[s->rank] = realloc(t->heard[s->rank], t->bytes[0] + t->bytes[1] + RANKS * sizeof(size_t));
    for (int i = 0; i < RANKS; i++) {
        uint8_t *to = t->heard[s->rank] + *total;
        size_t size = t->bytes[i];
        if (t->deaf && i != s->rank) {
            size = without_edits(to + sizeof size, t->said[i], size);
        } else {
            memcpy(to + sizeof size, t->said[i], size);
        }
        memcpy(to, &size, sizeof size);
        *total += sizeof size + size;
    }
    *all = t->heard[s->rank];
    pthread_barrier_wait(&t->all);
    (void)diag;
    return TY_OK;
}

static void *sit(void *user)
{
    seat *s = user;
    table *t = s->table;
    ty_diag diag = { 0 };
    for (int i = 0; i < t->steps; i++) {
        cr_assert(ty_run_step(t->shown[s->rank], &diag) == TY_OK, "%s", diag.text);
        if (!s->rank && t->each && tyi_sim_share_whole(t->share[0])) {
            t->each(t);
        }
    }
    return NULL;
}

static void make(table *t)
{
    static seat at[RANKS];
    ty_diag diag = { 0 };
    cr_assert(tyi_sim_share_check(&t->scenario, RANKS, &diag) == TY_OK, "%s", diag.text);
    for (int i = 0; i < RANKS; i++) {
        at[i] = (seat){ t, i };
        tyi_sim_share_def def = { .run = &t->def, .rank = i, .ranks = RANKS, .exchange = exchange, .user = &at[i] };
        cr_assert(ty_run_create(&t->def, &t->shown[i], &diag) == TY_OK, "%s", diag.text);
        cr_assert(tyi_sim_share_create(&def, t->shown[i], &t->share[i], &diag) == TY_OK, "%s", diag.text);
    }
}

static void run(table *t, double seconds)
{
    static seat at[RANKS];
    pthread_t thread[RANKS];
    t->steps = (int)lround(seconds / t->scenario.step);
    for (int i = 0; i < RANKS; i++) {
        at[i] = (seat){ t, i };
        cr_assert(pthread_create(&thread[i], NULL, sit, &at[i]) == 0);
    }
    for (int i = 0; i < RANKS; i++) {
        pthread_join(thread[i], NULL);
    }
}

static void table_free(table *t)
{
    for (int i = 0; i < RANKS; i++) {
        tyi_sim_share_destroy(t->share[i]);
        ty_run_destroy(t->shown[i]);
        free(t->heard[i]);
    }
    pthread_barrier_destroy(&t->all);
    free(t);
}

/* both rovers as bytes, and the edits of the ground as a sum */
static uint64_t sum_of(ty_run *run)
{
    uint64_t sum = TYI_HASH_START, edits = ty_terrain_version(ty_world_terrain(ty_run_world(run)));
    for (size_t i = 0; i < 2; i++) {
        ty_vehicle_state s;
        memset(&s, 0, sizeof s);
        ty_vehicle_get(ty_run_rover(run, i), &s);
        sum = tyi_hash(&s.pose, sizeof s.pose, sum);
        sum = tyi_hash(&s.v_W, sizeof s.v_W, sum);
        for (int w = 0; w < s.wheels; w++) {
            sum = tyi_hash(&s.wheel[w].load, sizeof s.wheel[w].load, sum);
        }
    }
    static float change[600 * 600];
    ty_terrain_edits(ty_world_terrain(ty_run_world(run)),
                     ty_terrain_get_def(ty_world_terrain(ty_run_world(run)))->edit_level, -300, -300, 600, 600, change,
                     NULL);
    return tyi_hash(&edits, sizeof edits, tyi_hash(change, sizeof change, sum));
}

/* bravo comes over the ruts that alpha, of another rank, has left behind */
static void crossing(table *t)
{
    t->rover[0].vehicle.x = 0.0;
    t->rover[1].vehicle.x = 0.4, t->rover[1].vehicle.y = -5.2, t->rover[1].vehicle.yaw = 0.5 * TY_PI;
    t->rover[0].driver.v = t->rover[1].driver.v = 0.26;
}

TY_TEST(share, ruts_of_others_have_the_bits_of_one_process)
{
    const double seconds = 21.0;
    ty_diag diag = { 0 };
    uint64_t sum[3];
    for (int k = 0; k < 2; k++) { /* heard, deaf */
        table *t = table_make("cadre", 8.0);
        crossing(t);
        t->deaf = k;
        make(t);
        run(t, seconds);
        sum[k] = sum_of(t->shown[0]);
        if (!k) {
            cr_expect(sum_of(t->shown[1]) == sum[0], "two ranks show two worlds");
            printf("rovers changed their rank %zu times\n", tyi_sim_share_moved(t->share[0]));
        }
        table_free(t);
    }
    table *t = table_make("cadre", 8.0);
    crossing(t);
    ty_run *one;
    cr_assert(ty_run_create(&t->def, &one, &diag) == TY_OK, "%s", diag.text);
    for (int i = 0; i < (int)lround(seconds / t->scenario.step); i++) {
        cr_assert(ty_run_step(one, &diag) == TY_OK, "%s", diag.text);
    }
    sum[2] = sum_of(one);
    ty_run_destroy(one);
    table_free(t);
    cr_expect(sum[0] == sum[2], "other bits than in one process");
    cr_expect(sum[1] != sum[2], "control: ranks that do not hear of each other's ruts have the same bits");
}

static void add_up(const table *t, ty_vec3 *linear, ty_vec3 *angular)
{
    *linear = *angular = ty_vec3_make(0, 0, 0);
    for (size_t i = 0; i < 2; i++) {
        ty_vec3 l, a;
        ty_vehicle *v = ty_run_rover(t->shown[0], i);
        ty_vehicle_energy(v, NULL, NULL, &l, &a);
        *linear = ty_add(*linear, l);
        *angular = ty_add(*angular, ty_add(a, ty_cross(tyi_vehicle_centre(v), l)));
    }
}

static void watch(table *t)
{
    ty_vec3 l, a;
    add_up(t, &l, &a);
    t->l = fmax(t->l, ty_norm(ty_sub(l, t->l0)));
    t->a = fmax(t->a, ty_norm(ty_sub(a, t->a0)));
}

/* as touch/flight, but each comes from a rank of its own */
TY_TEST(share, meeting_of_two_ranks_keeps_momentum)
{
    table *t = table_make("viper", 7.2);
    t->scenario.gravity = 0.0;
    for (int i = 0; i < 2; i++) {
        t->rover[i].soil.model = TY_SOIL_NONE;
        t->rover[i].driver.kind = TY_DRIVER_EXTERNAL;
        t->rover[i].vehicle.y = i ? 0.3 : -0.3;
    }
    make(t);
    for (int r = 0; r < RANKS; r++) {
        for (size_t i = 0; i < 2; i++) {
            ty_run *both[2] = { t->shown[r], tyi_sim_share_moves(t->share[r]) };
            for (int k = 0; k < 2; k++) {
                ty_vehicle *v = ty_run_rover(both[k], i);
                v->drive.stall_torque = 0.0; /* motors off */
                v->steering.torque = 0.0;
                ty_vehicle_set_twist(v, ty_vec3_make(i ? -0.2 : 0.2, 0, 0), ty_vec3_make(0, 0, 0));
            }
        }
    }
    add_up(t, &t->l0, &t->a0);
    t->each = watch;
    run(t, 17.0);
    const tyi_body_touch *touch;
    int n = tyi_body_world_touches(tyi_sim_bodies_world(t->shown[0]), &touch);
    double scale = 434.9 * 0.2, turn = ty_norm(t->a0);
    cr_assert(n > 0, "they did not touch");
    printf("peak %.0f N at %.2f s, rank changed %zu times; linear momentum to %.1e, angular to %.1e\n", touch[0].peak,
           touch[0].begin, tyi_sim_share_moved(t->share[0]), t->l / scale, t->a / turn);
    TY_ROW("rovers of two ranks meet in free flight: linear and angular momentum to 1e-6", "conservation laws",
           "%.1e, %.1e", t->l / scale, t->a / turn);
    cr_expect(tyi_sim_share_moved(t->share[0]) > 0, "they were of one rank from the start");
    cr_expect(touch[0].peak > 10.0 && t->l < 1e-6 * scale && t->a < 1e-6 * turn);
    ty_vec3 l, a;
    add_up(t, &l, &a);
    ty_vehicle *v = ty_run_rover(t->shown[0], 0);
    ty_vec3 one;
    ty_vehicle_energy(v, NULL, NULL, &one, NULL);
    cr_expect(ty_norm(ty_sub(one, ty_vec3_make(scale, 0, 0))) > 0.01 * scale,
              "control: alpha's own momentum is not changed");
    table_free(t);
}

TY_TEST(share, what_is_not_for_ranks_gets_a_sentence)
{
    table *t = table_make("ex1", 30.0);
    struct {
        const char *says;
        int ranks;
        double exchange;
        int soil, driver;
    } wrong[] = { { "3 ranks, but only 2 rovers", 3, 0.02, TY_SOIL_BEKKER, TY_DRIVER_CONSTANT },
                  { "exchange is 0.03 s", 2, 0.03, TY_SOIL_BEKKER, TY_DRIVER_CONSTANT },
                  { "exchange is 0.0005 s", 2, 0.0005, TY_SOIL_BEKKER, TY_DRIVER_CONSTANT },
                  { "looks at others every 0.02 s", 2, 0.1, TY_SOIL_BEKKER, TY_DRIVER_AVOID },
                  { "the soil of rover 'bravo' is scm", 2, 0.02, TY_SOIL_SCM, TY_DRIVER_CONSTANT },
                  { "the soil of rover 'bravo' is crm", 2, 0.02, TY_SOIL_CRM, TY_DRIVER_CONSTANT },
                  { "driven by an FMU", 2, 0.02, TY_SOIL_BEKKER, TY_DRIVER_FMU } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ty_diag diag = { 0 };
        t->scenario.exchange = wrong[i].exchange;
        t->rover[1].soil.model = wrong[i].soil;
        t->rover[1].driver.kind = wrong[i].driver;
        cr_expect(tyi_sim_share_check(&t->scenario, wrong[i].ranks, &diag) != TY_OK && strstr(diag.text, wrong[i].says),
                  "'%s' does not say '%s'", diag.text, wrong[i].says);
    }
    t->scenario.exchange = 0.1;
    t->rover[1].soil.model = TY_SOIL_RIGID;
    t->rover[1].driver.kind = TY_DRIVER_CONSTANT;
    cr_expect(tyi_sim_share_check(&t->scenario, 2, NULL) == TY_OK);
    t->scenario.dust.on = true;
    cr_expect(tyi_sim_share_check(&t->scenario, 2, NULL) != TY_OK);
    table_free(t);
}
