/* Dust of plumes and of loose soil; dust that is taken off, and that lies on the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust_support.h"
#include "k_dust.h"
#include "k_ground_tone.h"
#include "world/terrain/terrain.h"
#include "world/terrain/tone.h"

/* a plane without wheels: one jet, particles, one plate */
static world make(double extent, ty_dust_params params)
{
    ty_terrain_def def = plane_def(extent);
    world w = world_make(&def, params, (tyi_dust_def){ .boxes = 1, .threads = 1, .jets = 1, .seeds = true });
    w.box[0].half = ty_vec3_make(0.1, 0.1, 0.1);
    w.box[0].before = w.box[0].now = (ty_pose){ { 0, 0, 50 }, { 1, 0, 0, 0 } };
    return w;
}

static void steps(world *w, int n, const tyi_dust_jet *jet, const tyi_dust_seed *seed, size_t seeds)
{
    for (int k = 0; k < n; k++) {
        world_step(w, jet, seed, seeds);
    }
}

static tyi_dust_jet plume(double rate, double speed)
{
    return (tyi_dust_jet){ .rate = rate,
                           .p_W = { 0, 0, 0.001 },
                           .forward = { 1, 0, 0 },
                           .normal = { 0, 0, 1 },
                           .radius = 2.0,
                           .aside = TY_PI,
                           .low = 1.0 * TY_DEG,
                           .high = 3.0 * TY_DEG,
                           .slow = 0.3 * speed,
                           .fast = speed,
                           .life = 1.0 };
}

/* what a plume blows away: the mass that was asked for, angles of 1 to 3 deg all round, heights and ranges of parabolas */
TY_TEST(dust_others, plume)
{
    world w = make(64.0, tyi_dust_params_default());
    tyi_dust_jet jet = plume(2.0, 25.0);
    steps(&w, 100, &jet, NULL, 0);
    TY_NEAR_REL(tyi_dust_get_ledger(w.dust).emitted, 2.0 * 2.0, 1e-9);
    TY_NEAR(world_whole(&w), 1.0, 1e-9);
    double low = 9.0, high = 0.0, sector[8] = { 0 }, far = 0.0, top = 0.0;
    for (size_t i = 0; i < w.dust->count; i++) {
        const tyi_dust_parcel *p = &w.dust->parcel[i];
        double up = asin(p->v.z / ty_norm(p->v)) / TY_DEG, v = ty_norm(p->v);
        low = fmin(low, up), high = fmax(high, up);
        sector[(int)((atan2(p->v.y, p->v.x) / TY_PI + 1.0) * 3.9999)] += p->mass;
        TY_CHECK(v <= 25.0 * (1.0 + 1e-12) && v >= 7.5 * (1.0 - 1e-12));
        ty_vec3 at = tyi_dust_place(w.dust, p, p->lands);
        far = fmax(far, hypot(at.x - p->x.x, at.y - p->x.y));
        top = fmax(top, p->x.z + p->v.z * p->v.z / (2.0 * G));
    }
    double sum = 0.0, most = 0.0;
    for (int k = 0; k < 8; k++) {
        sum += sector[k], most = fmax(most, sector[k]);
    }
    TY_CHECK(low >= 1.0 - 1e-9 && high <= 3.0 + 1e-9 && high - low > 1.9);
    TY_NEAR(most / sum, 0.125, 0.01);
    double v = 25.0, a = 3.0 * TY_DEG;
    TY_CHECK(far < 1.001 * v * v * sin(2.0 * a) / G + 0.2 && far > 0.9 * v * v * sin(2.0 * a) / G);
    TY_CHECK(top < 1.001 * v * v * sin(a) * sin(a) / (2.0 * G) + 0.001);
    jet.rate = 0.0; /* after the engine is cut off all comes down, or has left the site */
    steps(&w, 200, &jet, NULL, 0);
    tyi_dust_ledger l = tyi_dust_get_ledger(w.dust);
    TY_CHECK(l.parcels == 0 && l.out > 0.0 && l.ground > 0.0);
    TY_NEAR(world_whole(&w), 1.0, 1e-9);
    TY_ROW("A plume's sheet of dust rises by 1 to 3 deg as asked for, and reaches as far as parabolas do",
           "closed form; angles [immer2008]", "%.2f to %.2f deg, %.1f m of %.1f", low, high, far,
           v * v * sin(2.0 * a) / G);
    world_end(&w);
}

/* loose soil sheds dust above the threshold alone, by its speed, and along its way */
TY_TEST(dust_others, loose_soil)
{
    ty_dust_params params = tyi_dust_params_default();
    world w = make(64.0, params);
    const tyi_dust_seed still = { 0, { 0, 0, 0.1 }, { 0.1, 0, 0.1 }, 0.02 };
    steps(&w, 50, NULL, &still, 1);
    TY_CHECK(tyi_dust_get_ledger(w.dust).emitted == 0.0);
    const tyi_dust_seed two[2] = { still, { 0, { 1, 0, 0.1 }, { 0.3, 0, 0.4 }, 0.02 } };
    steps(&w, 50, NULL, two, 2);
    double rate = params.fine * params.density * 0.02 * params.sheared * params.layer * 0.5;
    TY_NEAR_REL(tyi_dust_get_ledger(w.dust).emitted, rate * 1.0, 1e-9);
    ty_vec3 mean = { 0, 0, 0 };
    for (size_t i = 0; i < w.dust->count; i++) {
        mean = ty_add(mean, ty_scale(1.0 / (double)w.dust->count, w.dust->parcel[i].v));
        TY_CHECK(w.dust->parcel[i].x.x > 0.9);
    }
    cr_assert(w.dust->count > 1000);
    TY_NEAR(ty_dot(ty_normalize(mean), ty_vec3_make(0.6, 0, 0.8)), 1.0, 1e-3);
    TY_NEAR(ty_norm(mean), 0.65 * 0.5, 0.02);
    TY_NEAR(world_whole(&w), 1.0, 1e-9);
    TY_ROW("Loose soil raises dust by its speed, nothing below 0.15 m/s", "the rate by hand", "1e-9");
    world_end(&w);
}

TY_TEST(dust_others, blades)
{
    ty_dust_params p = tyi_dust_params_default();
    TY_CHECK(tyi_dust_cut(&p, 1.0, 0.05, 0.1) == 0.0);  /* too slow */
    TY_CHECK(tyi_dust_cut(&p, 1.0, -0.01, 1.0) == 0.0); /* over the ground */
    TY_NEAR_REL(tyi_dust_cut(&p, 1.2, 0.05, 0.5), p.fine * p.density * 1.2 * p.sheared * p.layer * 0.5, 1e-12);
}

/* a share of what lies on a plate goes to the ground; tilting takes off grains whose weight beats what holds them */
TY_TEST(dust_others, cleaned)
{
    ty_dust_params params = tyi_dust_params_default();
    params.clean = 0.01;
    world w = make(64.0, params);
    w.dust->deposit[5] = (tyi_dust_deposit){ 0.01, 0.09 };
    w.dust->emitted = w.dust->rovers = 0.01;
    tyi_dust_take_off(w.dust, 0, 0.9);
    TY_NEAR_REL(tyi_dust_deposits(w.dust, 0)[5].mass, 0.001, 1e-12);
    TY_NEAR_REL(tyi_dust_deposits(w.dust, 0)[5].area, 0.009, 1e-12);
    TY_NEAR(world_whole(&w), 1.0, 1e-12);
    /* by hand: 10 um grain of 3100 kg/m^3 weighs 2.63e-12 N on the Moon and is held by 0.228e-6 S^2 N */
    double d = ty_k_dust_slides(0.01, 3100.0, G, 1.0), r = 0.5 * d;
    double holds = 4.3e-20 * 1e-4 * r / (48.0 * 1.4e-10 * 1.4e-10), weighs = 3100.0 * 4.0 / 3.0 * TY_PI * r * r * r * G;
    TY_NEAR_REL(holds, weighs, 1e-9);
    double level = tyi_dust_slides(w.dust, 0.0), some = tyi_dust_slides(w.dust, 45.0 * TY_DEG),
           most = tyi_dust_slides(w.dust, 90.0 * TY_DEG);
    TY_CHECK(level == 0.0 && some > 0.0 && most > some && most < 1.0);
    w.dust->def.params.clean = 0.1; /* ten times the diameter, above the largest: nothing comes off */
    TY_CHECK(tyi_dust_slides(w.dust, 90.0 * TY_DEG) == 0.0);
    TY_ROW("Tilted upright, grains above this diameter slide off a face (S 0.01)", "weight against adhesion by hand",
           "%.0f um, %.0f %% of the mass", 1e6 * d, 100.0 * most);
    world_end(&w);
}

/* cover of the ground: shadow of all that fell, over samples, and how bright it makes them */
TY_TEST(dust_others, lies_on_the_ground)
{
    ty_dust_params params = tyi_dust_params_default();
    world w = make(64.0, params);
    tyi_dust_jet jet = plume(1.0, 5.0);
    jet.low = 30.0 * TY_DEG, jet.high = 60.0 * TY_DEG, jet.radius = 0.1;
    steps(&w, 100, &jet, NULL, 0);
    jet.rate = 0.0;
    steps(&w, 400, &jet, NULL, 0);
    double fell = 0.0, cell = w.terrain->edits.spacing;
    cr_assert(w.dust->falls > 10000);
    for (size_t i = 0; i < w.dust->falls; i++) {
        fell += (double)w.dust->fallen[i].shadow * cell * cell;
    }
    ty_diag diag = { 0 };
    cr_assert(tyi_dust_lay(w.dust, &diag) == TY_OK, "%s", diag.text);
    enum { N = 1000 };
    static uint8_t cover[2 * N];
    double lies = 0.0;
    int at = 0, best = 0;
    for (int j = -N; j < N; j++) {
        tyi_terrain_edits_view(&w.terrain->edits, -N, j, 2 * N, 1, (tyi_terrain_edit_view){ .material = cover });
        for (int i = 0; i < 2 * N; i++) {
            lies += -log(1.0 - fmin(cover[i] / 255.0, 0.999)) * cell * cell;
            if (j == 0 && cover[i] > best) {
                best = cover[i], at = i - N;
            }
        }
    }
    printf("fell %.3g m^2 of shadow, lies %.3g; samples of %.3g m\n", fell, lies, cell);
    TY_NEAR_REL(lies, fell, 0.03);
    TY_CHECK(best > 0);
    float tone[4] = { 1.0f, 1.0f, 1.0f, 1.0f };
    TY_CHECK(tyi_terrain_tone_tracks(w.terrain, w.terrain->edits.level, at, 0, 2, 2, tone));
    TY_NEAR((double)tone[0], 1.0 + 0.1 * best / 255.0, 1e-6);
    TY_CHECK(!tyi_terrain_tone_touched(w.terrain, w.terrain->edits.level, 1400, 1400, 2, 2)); /* control: far away */
    TY_ROW("Dust covers the ground by the shadow of what fell, within 3 %", "the sum of all parcels", "%.2f %%",
           100.0 * fabs(lies / fell - 1.0));
    world_end(&w);
}
