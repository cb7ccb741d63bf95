/* Dust in a run: the LRV with and without fenders, saved in the middle of its cloud, seen by a camera.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "dust/parcels.h"
#include "k_dust.h"
#include "sim/run.h"
#include "sim/run_dust.h"

/* the LRV on hard ground, its fenders on or off */
static small *lrv_made(bool fenders, bool camera)
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
    return s;
}

static small *lrv(bool fenders, bool camera)
{
    small *s = lrv_made(fenders, camera);
    small_create(s);
    return s;
}

/* the same with a ball beside its way and a lander's plume; it is brushed after 3 s */
static small *yard(void)
{
    static ty_scenario_object ball;
    static ty_scenario_actor lander;
    static ty_dust_plume plume;
    static ty_dust_clean clean;
    ball = (ty_scenario_object){
        .shape = 1, .name = "ball", .radius = 0.4, .position = { 5, 1.5, 0.4 }, .on_ground = true
    };
    lander = ty_scenario_actor_default();
    snprintf(lander.name, sizeof lander.name, "lander");
    lander.x = 20.0, lander.y = 12.0, lander.z = 4.0, lander.on_ground = true;
    plume = (ty_dust_plume){
        .rate = 1.0, .speed = 20.0, .low = 1.0 * TY_DEG, .high = 9.0 * TY_DEG, .radius = 1.0, .height = 30.0, .end = 1e9
    };
    snprintf(plume.actor, sizeof plume.actor, "lander");
    clean = (ty_dust_clean){ .time = 3.0, .brush = 0.9 };
    small *s = lrv_made(false, false);
    s->scenario.object = &ball, s->scenario.objects = 1;
    s->scenario.actor = &lander, s->scenario.actors = 1;
    s->scenario.dust.plume = &plume, s->scenario.dust.plumes = 1;
    s->scenario.dust.action = &clean, s->scenario.dust.actions = 1;
    small_create(s);
    return s;
}

/* [kg] on what has this name */
static double lies_on(const small *s, const char *name)
{
    double sum = 0.0;
    for (int i = 0; i < s->run->dust->boxes; i++) {
        for (int face = 0; face < 6 && !strcmp(tyi_sim_dust_name(s->run, i), name); face++) {
            sum += tyi_dust_deposits(s->run->dust->dust, i)[face].mass;
        }
    }
    return sum;
}

/* a ball and a lander in the way, one more that comes later, a plume, a brush: mass is kept, and a saved run goes on with the same bits */
TY_TEST(dust, objects_in_a_run)
{
    const char *more = "objects: [{type: sphere, name: late, radius: 0.4, position: [10, 1.5, 0.4], on_ground: true}]";
    small *whole = yard(), *again = yard();
    void *saved = NULL, *a, *b;
    size_t bytes = 0, m, n;
    ty_diag diag = { 0 };
    tyi_dust_ledger l;
    small_steps(whole, 2.5);
    cr_assert(ty_run_add(whole->run, more, &diag) == TY_OK, "%s", diag.text);
    small_steps(whole, 0.313);
    cr_assert(ty_run_save(whole->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_restore(again->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
    free(saved);
    double before = lies_on(whole, whole->rover.name);
    small_steps(whole, 3.2), small_steps(again, 3.2);
    cr_assert(ty_run_save(whole->run, &a, &m, &diag) == TY_OK && ty_run_save(again->run, &b, &n, &diag) == TY_OK);
    TY_CHECK(m == n && !memcmp(a, b, n));
    free(a), free(b);
    tyi_sim_dust_ledger(whole->run, &l);
    TY_NEAR((l.airborne + l.ground + l.rovers + l.objects + l.out) / l.emitted, 1.0, 1e-9);
    printf("on the ball %.3g kg, on one that came later %.3g kg; on the rover %.3g kg before it was brushed\n",
           lies_on(whole, "ball"), lies_on(whole, "late"), before);
    TY_CHECK(lies_on(whole, "ball") > 0.0 && lies_on(whole, "late") > 0.0 && before > 0.0);
    TY_CHECK(lies_on(whole, "lander") == 0.0); /* control: it hangs over its plume */
    double had = lies_on(whole, "ball");
    cr_assert(ty_run_remove(whole->run, "ball", &diag) == TY_OK, "%s", diag.text);
    small_steps(whole, 0.5);
    TY_NEAR(lies_on(whole, "ball"), had, 0.0); /* nothing meets it any more */
    small_free(whole), small_free(again);
    TY_ROW("A run with objects, a plume and a brush, saved in the middle of its dust, goes on with the same bits",
           "the unbroken run", "equal");
}

/* [kg] on faces that look upwards, of parts at least half a metre over the axles: seats and what stands on the deck */
static double on_deck(const small *s)
{
    const tyi_sim_dust *d = s->run->dust;
    double sum = 0.0;
    for (int i = 0; i < d->boxes; i++) {
        const tyi_dust_deposit *at = tyi_dust_deposits(d->dust, i);
        for (int face = 0; face < 6; face++) {
            sum += ty_rotate(d->box[i].now.q, tyi_sim_dust_normal(face)).z > 0.5 ? at[face].mass : 0.0;
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
        TY_NEAR((l.airborne + l.ground + l.rovers + l.objects + l.out) / l.emitted, 1.0, 1e-9);
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
        for (int face = 0; face < 6; face++) {
            d->dust->deposit[6 * i + face].area = shadow * tyi_sim_dust_area(&d->box[i], face);
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

/* A frame of the left navigation camera, the Sun before or behind it, with so much shadow of dust on each face, per area: means over the sky's
 * and the ground's pixels [W/m^2/sr]; veil: what the sky should have, by hand. */
typedef struct lens_frame {
    double sky, ground, veil, spread;
} lens_frame;

static double lobe(double g, double c)
{
    return (1.0 - g * g) / (4.0 * TY_PI * pow(1.0 + g * g - 2.0 * g * c, 1.5));
}

static lens_frame through_dust(double shadow, bool into_sun, double aperture)
{
    small *s = small_make();
    small_create(s);
    ty_vec3 sun = ty_run_sky(s->run).sun.dir_W;
    small_free(s);
    s = small_make();
    ty_sensor_def *c = small_camera(s, "eye", 0.5, 0.0, 0.0);
    c->as.camera.camera.width = 96, c->as.camera.camera.height = 64;
    s->rover.driver.kind = TY_DRIVER_STAND;
    s->scenario.dust.on = true;
    s->scenario.dust.aperture = aperture;
    s->rover.vehicle.yaw = atan2(sun.y, sun.x) + (into_sun ? 65.0 * TY_DEG : TY_PI);
    small_create(s);
    tyi_sim_dust *d = s->run->dust;
    for (int i = 0; i < 6 * d->boxes; i++) {
        d->dust->deposit[i].area = shadow * tyi_sim_dust_area(&d->box[i / 6], i % 6);
    }
    small_steps(s, 0.6);
    const ty_message *m = ty_run_newest(s->run, 0);
    cr_assert(m);
    const tyi_sim_sensor *sensor = &s->run->sensor[0];
    ty_camera view = sensor->def->as.camera.camera;
    view.pose = ty_pose_mul(ty_pose_mul(s->run->now[sensor->frame], sensor->offset), ty_pose_optical());
    ty_vec3 axis = ty_rotate(view.pose.q, ty_vec3_make(0, 0, 1)), o, dir;
    const ty_dust_params *p = &s->run->scenario.dust;
    double e = ty_run_sky(s->run).irradiance, share = 0.5 * (1.0 - p->lobe_share), n[2] = { 0 }, sum[2] = { 0 },
           veil = 0.0, squares = 0.0, before = 0.0;
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 96; x++) {
            cr_assert(ty_camera_ray(&view, x + 0.5, y + 0.5, &o, &dir));
            double l = ty_buffer_get(&m->part[0].data, x, y, 0);
            int sky = y < 8 ? 1 : y > 40 ? 0 : -1; /* the horizon is between */
            if (sky >= 0) {
                n[sky]++, sum[sky] += l;
            }
            if (sky == 1) {
                double turn = ty_dot(sun, dir),
                       phase = share * lobe(p->lobe, turn) + (1.0 - share) * lobe(-p->lobe, turn);
                double ahead = lobe(1.0 - ty_k_dust_spread(6e-7, d->grains.size), turn);
                veil += e * (p->albedo * phase + ahead) * (1.0 - exp(-shadow)) / ty_dot(dir, axis);
                squares += x ? pow(l - before, 2.0) : 0.0;
                before = l;
            }
        }
    }
    lens_frame out = { sum[1] / n[1], sum[0] / n[0], veil / n[1], sqrt(squares / n[1]) };
    small_free(s);
    return out;
}

TY_TEST(dust, on_lenses)
{
    const double a = 0.2, wide = 0.02;
    lens_frame clean = through_dust(0.0, false, wide), dim = through_dust(a, false, wide);
    TY_CHECK(dim.sky <= clean.sky && clean.sky < 0.2 && clean.ground > 1.0); /* no veil with the Sun behind */
    printf("sky %.3g, through dust %.3g\n", clean.sky, dim.sky);
    printf("ground through dust %.4f of clean, exp(-a) %.4f\n", dim.ground / clean.ground, exp(-a));
    TY_NEAR(dim.ground / clean.ground, exp(-a), 0.02); /* many grains in a wide pupil */
    lens_frame bare = through_dust(0.0, true, wide), lit = through_dust(a, true, wide),
               few = through_dust(a, true, 3e-4);
    printf("veil %.3f W/m^2/sr, by hand %.3f; blobs of a small pupil %.3f, of a wide one %.3f\n", lit.sky, lit.veil,
           few.spread / few.sky, lit.spread / lit.sky);
    TY_CHECK(bare.sky < 0.05 * lit.sky); /* the Earth, or a piece of the rover */
    lit.sky -= exp(-a) * bare.sky;
    TY_NEAR_REL(lit.sky, lit.veil, 0.03);
    TY_FAR_REL(2.0 * lit.sky, lit.veil, 0.03); /* control */
    TY_CHECK(few.spread > 3.0 * lit.spread);   /* grains show one by one as blobs through a pupil of 0.3 mm */
    TY_ROW("Dust on a lens: what passes, within 2 %; its veil under the Sun, within 3 %", "closed forms",
           "%.2f %%, %.2f %%", 100.0 * fabs(dim.ground / clean.ground / exp(-a) - 1.0),
           100.0 * fabs(lit.sky / lit.veil - 1.0));
}
