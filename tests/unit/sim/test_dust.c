/* Dust in a run: the LRV with and without fenders, saved in the middle of its cloud, seen by a camera.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "dust/parcels.h"
#include "k_dust.h"
#include "sim/run.h"
#include "sim/run_dust.h"

/* the LRV on hard ground, its fenders on or off */
static small *lrv(bool fenders, bool camera)
{
    small *s = small_make();
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(s->rover.model, sizeof s->rover.model, "%s/models/rovers/lrv.yaml", root ? root : ".");
    s->rover.soil.model = TY_SOIL_RIGID;
    s->rover.driver.v = 2.8;
    s->scenario.terrain.relief.rms_slope_deg = 0.2;
    s->scenario.dust.on = true;
    s->scenario.dust.fenders = fenders;
    s->scenario.dust.parcels = 20000;
    s->scenario.dust.carried = 0.05;
    s->scenario.dust.layer = 0.01;
    if (camera) {
        ty_sensor_def *c = small_camera(s, "rear", 0.5, 0.01, 0.0);
        snprintf(c->mount, sizeof c->mount, "tv_camera");
    }
    small_create(s);
    return s;
}

/* [kg] on faces that look upwards, of parts at least half a metre over the axles: seats and what stands on the deck */
static double on_deck(const small *s)
{
    const tyi_sim_dust *d = s->run->dust;
    double sum = 0.0;
    for (int i = 0; i < d->boxes; i++) {
        const tyi_dust_deposit *at = tyi_dust_deposits(d->dust, i);
        for (int face = 0; face < 6; face++) {
            ty_vec3 n = { 0, 0, 0 };
            *(face < 2 ? &n.x : face < 4 ? &n.y : &n.z) = face % 2 ? 1.0 : -1.0;
            sum += ty_rotate(d->box[i].now.q, n).z > 0.5 ? at[face].mass : 0.0;
        }
    }
    return sum;
}

TY_TEST(dust, fenders_keep_the_deck_clean)
{
    double deck[2];
    for (int i = 0; i < 2; i++) {
        small *s = lrv(i == 1, false);
        tyi_dust_ledger l;
        small_steps(s, 10.0);
        cr_assert(tyi_sim_dust_ledger(s->run, &l));
        TY_NEAR((l.airborne + l.ground + l.rovers + l.out) / l.emitted, 1.0, 1e-9);
        TY_CHECK(l.emitted > 0.1 && l.airborne > 0.0);
        deck[i] = on_deck(s) / l.emitted;
        small_free(s);
    }
    printf("on the deck: %.3g of what is raised without fenders, %.3g with\n", deck[0], deck[1]);
    TY_CHECK(deck[1] < 0.1 * deck[0]);
    TY_ROW("Fenders of the LRV at 2.8 m/s: dust on its deck falls by more than 90 %", "the run without", "%.1f %%",
           100.0 * (1.0 - deck[1] / deck[0]));
}

TY_TEST(dust, saved_in_the_middle_of_a_cloud)
{
    small *whole = lrv(false, true), *again = lrv(false, true); /* it throws dust before its own camera */
    void *saved = NULL;
    size_t bytes = 0;
    ty_diag diag = { 0 };
    small_steps(whole, 3.013);
    cr_assert(ty_run_save(whole->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(again->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    free(saved);
    size_t then = whole->count;
    small_steps(whole, 1.2), small_steps(again, 1.2);
    void *a, *b;
    size_t m, n;
    cr_assert(ty_run_save(whole->run, &a, &m, &diag) == TY_OK && ty_run_save(again->run, &b, &n, &diag) == TY_OK);
    TY_CHECK(m == n && !memcmp(a, b, n));
    TY_CHECK(whole->count > then + 1 && whole->heard[whole->count - 1].hash == again->heard[again->count - 1].hash);
    tyi_dust_ledger l;
    tyi_sim_dust_ledger(whole->run, &l);
    TY_CHECK(l.parcels > 1000);
    /* control: the frame has the cloud in it */
    small *clear = lrv(false, true);
    clear->run->dust->dust->def.params.threshold = 100.0;
    small_steps(clear, 4.2);
    TY_CHECK(clear->count == whole->count &&
             clear->heard[clear->count - 1].hash != whole->heard[whole->count - 1].hash);
    small_free(clear);
    free(a), free(b);
    small_free(whole), small_free(again);
    TY_ROW("A run saved in the middle of a cloud of dust goes on with the same bits, frames included",
           "the unbroken run", "equal");
}

/* [W] of VIPER's panels with so much shadow of dust on each of its faces, per area */
static double solar(double shadow)
{
    small *s = small_make();
    const char *root = getenv("TYCHO_SOURCE");
    ty_sensor_def *c = &s->sensor[s->rover.sensors++];
    *c = ty_sensor_def_default(TY_SENSOR_POWER);
    snprintf(c->name, sizeof c->name, "power");
    snprintf(c->as.instrument.model, sizeof c->as.instrument.model, "%s/models/sensors/viper_power.yaml",
             root ? root : ".");
    c->period = c->window = 0.1;
    s->rover.driver.kind = TY_DRIVER_STAND;
    s->scenario.dust.on = true;
    small_create(s);
    tyi_sim_dust *d = s->run->dust;
    for (int i = 0; i < d->boxes; i++) {
        ty_vec3 h = d->box[i].half;
        const double size[3] = { 4.0 * h.y * h.z, 4.0 * h.x * h.z, 4.0 * h.x * h.y };
        for (int face = 0; face < 6; face++) {
            d->dust->deposit[6 * i + face].area = shadow * size[face / 2];
        }
    }
    small_steps(s, 0.25);
    const ty_message *m = ty_run_newest(s->run, 0);
    cr_assert(m);
    double out = ty_buffer_get(&m->part[0].data, 0, 0, 1);
    small_free(s);
    return out;
}

TY_TEST(dust, panels_lose_what_it_hides)
{
    double bare = solar(0.0), half = solar(log(2.0)), mass = 5.5e-3 * ty_k_dust_area(3100.0, 29e-6);
    TY_CHECK(bare > 10.0);
    TY_NEAR_REL(half, 0.5 * bare, 1e-9);
    double lost = 1.0 - solar(mass) / bare;
    TY_NEAR(lost, 0.088, 0.0005);
    TY_FAR(1.0 - solar(2.0 * mass) / bare, 0.088, 0.0005); /* control */
    TY_ROW("Power sensor: a rover's panels under 5.5 g/m^2 of dust of 29 um lose 8.8 %", "closed form", "%.2f %%",
           100.0 * lost);
}
