/* Parcels of dust: ballistics, ground, ledger, sizes, threads, saved states.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust_support.h"
#include "k_dust.h"

/* a plane of a slope, two wheels of the LRV, a plate over each and one behind */
static world make(double slope_deg, ty_dust_params params, int threads)
{
    ty_terrain_def def = plane_def(64.0);
    def.slope_deg = slope_deg;
    world w = world_make(&def, params, (tyi_dust_def){ .wheels = 2, .boxes = 2, .threads = threads });
    for (int i = 0; i < 2; i++) {
        w.wheel[i] = (tyi_dust_wheel){ .group = 0,
                                       .contact = true,
                                       .p_W = { 0, i ? 0.8 : -0.8, 0.41 },
                                       .v_W = { 2.6, 0, 0 },
                                       .forward = { 1, 0, 0 },
                                       .normal = { 0, 0, 1 },
                                       .omega = 2.8 / 0.41,
                                       .r = 0.41,
                                       .b = 0.22,
                                       .sinkage = 0.02 };
    }
    for (int i = 0; i < 2; i++) {
        w.box[i].half = ty_vec3_make(0.5, 1.5, 0.02);
        w.box[i].now = (ty_pose){ { i ? -1.5 : 1.5, 0, 0.9 }, { 1, 0, 0, 0 } };
    }
    return w;
}

static void steps(world *w, int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 2; i++) {
            w->wheel[i].p_W = ty_add(w->wheel[i].p_W, ty_scale(0.02, w->wheel[i].v_W));
            w->box[i].before = w->box[i].now;
            w->box[i].now.p = ty_add(w->box[i].now.p, ty_scale(0.02, w->wheel[i].v_W));
        }
        world_step(w, NULL, NULL, 0);
    }
}

/* against steps of a scheme that is exact for parabolas, and the landing against the plane they fall on */
TY_TEST(dust, parabolas)
{
    double worst = 0.0, late = 0.0, wrong = 0.0;
    for (int slope = 0; slope < 2; slope++) {
        world w = make(slope ? 8.0 : 0.0, tyi_dust_params_default(), 1);
        if (slope) { /* on the slope: the plane rises to the north */
            for (int i = 0; i < 2; i++) {
                w.wheel[i].p_W.z += tan(8.0 * TY_DEG) * w.wheel[i].p_W.y;
            }
        }
        steps(&w, 20);
        cr_assert(w.dust->count > 500);
        for (size_t i = 0; i < w.dust->count; i++) {
            const tyi_dust_parcel *p = &w.dust->parcel[i];
            ty_vec3 x = p->x, v = p->v;
            double dt = (p->lands - p->born) / 1000.0, low, none;
            for (int k = 0; k < 1000; k++) {
                v.z -= 0.5 * G * dt;
                x = ty_add(x, ty_scale(dt, v));
                v.z -= 0.5 * G * dt;
            }
            if (p->state == TYI_DUST_FLIES) {
                worst = fmax(worst, ty_norm(ty_sub(x, tyi_dust_place(w.dust, p, p->lands))));
                low = 0.5 * 0.02 * G * (p->lands - p->born) * (p->lands - p->born); /* control: 1.64 m/s^2 */
                wrong = fmax(wrong, low);
                ty_terrain_sample(w.terrain, 0, 1, &p->x.x, &p->x.y, &low, NULL, NULL);
                ty_terrain_sample(w.terrain, 0, 1, &x.x, &x.y, &none, NULL, NULL);
                late = p->x.z > low ? fmax(late, fabs(x.z - none)) : late; /* others start in the slope */
            }
        }
        world_end(&w);
    }
    TY_NEAR(worst, 0.0, 1e-6);
    TY_NEAR(late, 0.0, 1e-5);
    TY_FAR(wrong, 0.0, 1e-6);
    TY_ROW("Dust flies along parabolas, 1e-6 m", "steps of a scheme that is exact for them", "%.1e m", worst);
}

static double balance(const world *w)
{
    tyi_dust_ledger l = tyi_dust_get_ledger(w->dust);
    return (l.airborne + l.ground + l.rovers + l.objects + l.out) / l.emitted - 1.0;
}

TY_TEST(dust, ledger)
{
    world w = make(0.0, tyi_dust_params_default(), 1);
    double worst = 0.0, rate;
    for (int k = 0; k < 30; k++) {
        steps(&w, 20);
        worst = fmax(worst, fabs(balance(&w)));
    }
    tyi_dust_ledger l = tyi_dust_get_ledger(w.dust);
    TY_NEAR(worst, 0.0, 1e-9);
    TY_CHECK(l.airborne > 0.0 && l.rovers > 0.0 && l.ground > 0.0);
    /* it drove on: 31 m, out of the site */
    steps(&w, 300);
    l = tyi_dust_get_ledger(w.dust);
    TY_NEAR(fabs(balance(&w)), 0.0, 1e-9);
    TY_CHECK(l.out > 0.0);
    /* the rate: two wheels, 5e-3 of layers of 5 mm at 2.8 and 0.2 m/s */
    rate = 2.0 * 0.35 * 1500.0 * 0.22 * 5e-3 * 5e-3 * (2.8 + 0.2);
    TY_NEAR_REL(l.emitted + w.dust->source[0].due + w.dust->source[1].due, rate * w.t,
                1e-9);            /* due: finds no room yet */
    w.dust->ground *= 1.0 + 1e-6; /* control */
    TY_FAR(fabs(balance(&w)), 0.0, 1e-9);
    TY_ROW("Dust: mass raised = in flight + on ground, rovers + out of the site, 1e-9", "itself", "%.1e", worst);
    world_end(&w);
}

TY_TEST(dust, nothing_below_the_threshold)
{
    world w = make(0.0, tyi_dust_params_default(), 1);
    for (int i = 0; i < 2; i++) {
        w.wheel[i].v_W.x = 0.0, w.wheel[i].omega = 0.149 / 0.41;
    }
    steps(&w, 50);
    TY_NEAR(tyi_dust_get_ledger(w.dust).emitted, 0.0, 0.0);
    w.wheel[0].omega = 0.151 / 0.41; /* control */
    steps(&w, 50);
    TY_CHECK(tyi_dust_get_ledger(w.dust).emitted > 0.0);
    double before = tyi_dust_get_ledger(w.dust).emitted;
    w.wheel[0].omega = 2.8 / 0.41, w.wheel[0].contact = false; /* in the air */
    steps(&w, 50);
    TY_NEAR(tyi_dust_get_ledger(w.dust).emitted, before, 0.0);
    world_end(&w);
}

TY_TEST(dust, sizes)
{
    ty_dust_params p = tyi_dust_params_default();
    double sauter = tyi_dust_sauter(&p), mass = 0.0, area = 0.0;
    TY_NEAR(sauter, 55.8e-6, 0.1e-6); /* integrated by others */
    world w = make(0.0, p, 1);
    steps(&w, 60);
    for (size_t i = 0; i < w.dust->count; i++) {
        mass += w.dust->parcel[i].mass, area += (double)w.dust->parcel[i].area;
    }
    TY_NEAR_REL(area / mass, ty_k_dust_area(p.grain, sauter), 0.02);
    TY_FAR_REL(area / mass, ty_k_dust_area(p.grain, p.median), 0.02);
    double lost = ty_k_dust_cover(5.5e-3 * ty_k_dust_area(p.grain, sauter));
    TY_NEAR(lost, 0.07, 0.03); /* of a panel: 4 to 10 % */
    TY_ROW("Dust of the default sizes on a panel, 5.5 g/m^2: its loss, 4 to 10 %", "[hollick2013]", "%.1f %%",
           100.0 * lost);
    world_end(&w);
}

static void *saved(const world *w, size_t *bytes)
{
    *bytes = tyi_dust_save(w->dust, NULL);
    void *out = malloc(*bytes);
    TY_CHECK(tyi_dust_save(w->dust, out) == *bytes);
    return out;
}

TY_TEST(dust, threads_and_saved_states)
{
    ty_dust_params p = tyi_dust_params_default();
    p.parcels = 40000;
    world one = make(0.0, p, 1), two = make(0.0, p, 2);
    steps(&one, 60), steps(&two, 60);
    size_t n, m;
    void *a = saved(&one, &n), *b = saved(&two, &m);
    TY_CHECK(n == m && !memcmp(a, b, n));
    free(b);
    /* in the middle of a cloud: on, and on again from there */
    steps(&one, 60);
    b = saved(&one, &m);
    world again = make(0.0, p, 2);
    cr_assert(tyi_dust_restore(again.dust, a, n, NULL) == TY_OK);
    again.t = two.t;
    memcpy(again.wheel, two.wheel, sizeof two.wheel), memcpy(again.box, two.box, sizeof two.box);
    steps(&again, 60);
    size_t k;
    void *c = saved(&again, &k);
    TY_CHECK(k == m && !memcmp(b, c, m));
    /* what is no such state is refused, and leaves it as it was */
    TY_CHECK(tyi_dust_restore(again.dust, a, n - 8, NULL) == TY_ERR_FORMAT);
    TY_CHECK(tyi_dust_restore(again.dust, a, 8, NULL) == TY_ERR_FORMAT);
    world other = make(0.0, p, 1); /* control: another seed, other bits */
    other.dust->def.seed = 8;
    steps(&other, 120);
    free(c);
    c = saved(&other, &k);
    TY_CHECK(k != m || memcmp(b, c, m) != 0);
    free(a), free(b), free(c);
    world_end(&one), world_end(&two), world_end(&again), world_end(&other);
}

/* a fender that ends at the axle: nothing is thrown higher than its edge lets through */
TY_TEST(dust, fender)
{
    double high[2], up[2];
    for (int i = 0; i < 2; i++) {
        world w = make(0.0, tyi_dust_params_default(), 1);
        for (int k = 0; k < 2; k++) {
            w.wheel[k].fender = i ? (tyi_dust_fender){ 90.0 * TY_DEG, 0.05, 0.04 } : (tyi_dust_fender){ 0 };
        }
        steps(&w, 100);
        high[i] = up[i] = 0.0;
        for (size_t k = 0; k < w.dust->count; k++) {
            const tyi_dust_parcel *p = &w.dust->parcel[k];
            high[i] = fmax(high[i], p->x.z + p->v.z * p->v.z / (2.0 * G));
            up[i] = fmax(up[i], atan2(p->v.z, w.wheel[0].v_W.x - p->v.x));
        }
        world_end(&w);
    }
    /* edge 90 deg, less the 27 deg that a grain goes round on its way there along the rim */
    double theta = 90.0 * TY_DEG - atan2(sqrt(0.46 * 0.46 - 0.41 * 0.41), 0.41);
    double bound = 2.8 * 2.8 * sin(theta) * sin(theta) / (2.0 * G) + 0.41;
    TY_NEAR(up[1], theta, 0.02);
    TY_CHECK(high[1] < bound && high[1] > 0.8 * bound);
    TY_CHECK(high[0] < 2.8 * 2.8 / (2.0 * G) + 0.82 && high[0] > bound); /* control: without it */
    TY_ROW(
        "Top of the fan at 2.8 m/s, fender's edge at the axle: below (v sin theta)^2 / 2g and the height it starts from",
        "closed form", "%.2f of %.2f m; %.2f without", high[1], bound, high[0]);
}

/* the farthest that a rim at 2.8 m/s can throw behind its axle, the highest and the longest, by a scan over where and how grains leave it */
static void reach_of(double r, double g, double *length, double *height, double *time)
{
    *length = *height = *time = 0.0;
    for (int i = 0; i <= 300; i++) {
        for (int k = 0; k <= 30; k++) {
            double phi = 150.0 * TY_DEG * i / 300.0, up = phi - 15.0 * TY_DEG * k / 30.0, v = 2.8;
            double z = r - r * cos(phi), vz = v * sin(up), T = (vz + sqrt(vz * vz + 2.0 * g * z)) / g;
            *length = fmax(*length, r * sin(phi) + v * cos(up) * T);
            *height = fmax(*height, z + (vz > 0.0 ? vz * vz / (2.0 * g) : 0.0));
            *time = fmax(*time, T);
        }
    }
}

/* PARTICLES 6.2 for 2.8 m/s from the ground: 4.8 m far at 45 deg, 1.8 m high at 60, 3.0 s; a rim throws from its own height */
TY_TEST(dust, fan_of_the_lrv)
{
    world w = make(0.0, tyi_dust_params_default(), 1);
    double length = 0.0, height = 0.0, time = 0.0, want[3], earth[3];
    for (int i = 0; i < 2; i++) {
        w.wheel[i].v_W.x = 2.8, w.wheel[i].sinkage = 0.0;
    }
    steps(&w, 200);
    for (size_t i = 0; i < w.dust->count; i++) {
        const tyi_dust_parcel *p = &w.dust->parcel[i];
        double axle = w.wheel[0].p_W.x + 2.8 * (p->lands - w.t);
        if (fabs(p->v.y) < 0.05 && p->state == TYI_DUST_FLIES) {
            length = fmax(length, axle - tyi_dust_place(w.dust, p, p->lands).x);
        }
        height = fmax(height, p->x.z + (p->v.z > 0.0 ? p->v.z * p->v.z / (2.0 * G) : 0.0));
        time = fmax(time, p->lands - p->born);
    }
    reach_of(0.41, G, &want[0], &want[1], &want[2]);
    reach_of(0.41, 9.81, &earth[0], &earth[1], &earth[2]);
    printf("fan at 2.8 m/s without fenders: %.2f m behind the axle (%.2f at most), %.2f m high (%.2f), %.2f s (%.2f)\n",
           length, want[0], height, want[1], time, want[2]);
    TY_CHECK(length <= want[0] + 1e-6 && length > 0.97 * want[0]);
    TY_CHECK(height <= want[1] + 1e-6 && height > 0.97 * want[1]);
    TY_CHECK(time <= want[2] + 1e-6 && time > 0.97 * want[2]);
    TY_CHECK(length > 1.5 * earth[0] && height > 1.5 * earth[1]); /* control */
    TY_ROW("Fan of the LRV's wheels at 2.8 m/s without fenders: length behind the axle, height, longest flight, 3 %",
           "closed form; from the ground it is 4.8 m, 1.8 m at 60 deg, 3.0 s",
           "%.2f m, %.2f m, %.2f s; %.2f, %.2f, %.2f", length, height, time, want[0], want[1], want[2]);
    world_end(&w);
}

TY_TEST(dust, nonsense_is_refused)
{
    const struct {
        size_t at;
        double value;
    } wrong[] = { { offsetof(ty_dust_params, median), -1e-6 }, { offsetof(ty_dust_params, carried), 50.0 },
                  { offsetof(ty_dust_params, layer), 5.0 },    { offsetof(ty_dust_params, d_min), 2e-4 },
                  { offsetof(ty_dust_params, grain), 0.0 },    { offsetof(ty_dust_params, albedo), (double)NAN },
                  { offsetof(ty_dust_params, peak), 0.5 },     { offsetof(ty_dust_params, charge), 1e3 },
                  { offsetof(ty_dust_params, clean), -0.1 },   { offsetof(ty_dust_params, aperture), -1e-3 },
                  { offsetof(ty_dust_params, field[1]), 1e9 }, { offsetof(ty_dust_params, dust_absorbs), 2.0 } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ty_dust_params p = tyi_dust_params_default();
        ty_diag diag = { 0 };
        tyi_dust *out;
        memcpy((char *)&p + wrong[i].at, &wrong[i].value, sizeof(double));
        tyi_dust_def d = { .params = p, .gravity = G, .seed = 7, .wheels = 2, .boxes = 2, .threads = 1 };
        TY_CHECK(tyi_dust_create(&d, &out, &diag) == TY_ERR_RANGE && !out && strstr(diag.text, "dust"));
    }
}
