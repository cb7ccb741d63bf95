/* What stands in the way of dust: boxes, balls and rocks; charge; the edge of a fan; saved states of all sources.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust_support.h"
#include "k_dust.h"
#include "world/terrain/patch.h"

/* a plane; a jet that throws to the east; a rock in its way, and objects: a turned box, a ball, and others far away */
static world make(ty_dust_params params, bool rock, int threads)
{
    ty_terrain_def def = plane_def(64.0);
    ty_rock stone = {
        .x = 1.5, .y = 0.2, .diameter = 0.7, .yaw = 0.7, .burial = 0.2, .shape = 3, .id = TY_ROCK_PLACED | 1
    };
    def.rock.placed = &stone, def.rock.places = rock;
    world w =
        world_make(&def, params, (tyi_dust_def){ .boxes = OBJECTS, .threads = threads, .jets = 1, .seeds = true });
    for (int i = 0; i < OBJECTS; i++) {
        w.box[i] = (tyi_dust_box){ .half = { 0.2, 0.3, 0.25 }, .owner = i, .object = true, .round = i == 1 };
        w.box[i].now = (ty_pose){ { i < 2 ? 1.2 + 1.3 * i : 25.0 - i, i ? -0.4 + 10.0 * (i > 1) : 0.5, i ? 0.5 : 0.4 },
                                  ty_quat_axis(ty_vec3_make(0, 0, 1), 0.4) };
        w.box[i].before = w.box[i].now;
    }
    w.jet = (tyi_dust_jet){ .rate = 1.0,
                            .p_W = { 0, 0, 0.01 },
                            .forward = { 1, 0, 0 },
                            .normal = { 0, 0, 1 },
                            .width = 0.4,
                            .aside = 0.6,
                            .low = 10.0 * TY_DEG,
                            .high = 60.0 * TY_DEG,
                            .slow = 1.0,
                            .fast = 3.0,
                            .life = 2.0 };
    w.seed = (tyi_dust_seed){ 0, { -1, 0, 0.1 }, { 0.3, 0, 0.5 }, 0.02 };
    return w;
}

static void steps(world *w, int n)
{
    for (int k = 0; k < n; k++) {
        world_step(w, &w->jet, &w->seed, 1);
    }
}

static bool inside(const tyi_dust_box *b, ty_vec3 at)
{
    ty_vec3 p = ty_pose_point(ty_pose_inverse(b->now), at), h = b->half;
    double x = p.x / h.x, y = p.y / h.y, z = p.z / h.z;
    return b->round ? x * x + y * y + z * z < 1.0 : fabs(x) < 1.0 && fabs(y) < 1.0 && fabs(z) < 1.0;
}

/* parcels as they leave, flown by fine steps of time until they are inside one of the two objects: what lies on each, against that */
TY_TEST(dust_meet, objects)
{
    ty_dust_params params = tyi_dust_params_default();
    params.parcels = 4000, params.stick = 1.0;
    world w = make(params, false, 1), bare = make(params, false, 1);
    double want[2] = { 0 }, got[2] = { 0 }, all = 0.0, worst = 0.0;
    for (int i = 0; i < OBJECTS; i++) {
        bare.box[i].away = true;
    }
    for (int k = 0; k < 200; k++) {
        double from = w.t;
        w.jet.rate = bare.jet.rate = k < 50 ? 1.0 : 0.0;
        w.seed.v_W = bare.seed.v_W = ty_vec3_make(0, 0, 0);
        steps(&w, 1), steps(&bare, 1);
        worst = fmax(worst, fabs(world_whole(&w) - 1.0));
        for (size_t i = 0; i < bare.dust->count; i++) { /* the same parcels, with nothing in their way */
            const tyi_dust_parcel *p = &bare.dust->parcel[i];
            int met = p->born > from ? -1 : 2;
            all += met < 0 ? p->mass : 0.0;
            for (double t = 0.0; met < 0 && t < p->lands - p->born; t += 5e-4) {
                ty_vec3 at = tyi_dust_place(bare.dust, p, p->born + t);
                met = inside(&w.box[0], at) ? 0 : inside(&w.box[1], at) ? 1 : -1;
            }
            if (met == 0 || met == 1) {
                want[met] += p->mass;
            }
        }
    }
    TY_CHECK(tyi_dust_get_ledger(bare.dust).objects == 0.0); /* control: they are not there */
    world_end(&bare);
    for (int i = 0; i < OBJECTS; i++) {
        for (int face = 0; face < 6; face++) {
            double m = tyi_dust_deposits(w.dust, i)[face].mass;
            cr_assert(i < 2 || m == 0.0); /* far away */
            got[i < 2 ? i : 0] += m;
        }
    }
    printf("on a box %.4f of all, by fine steps %.4f; on a ball %.4f, %.4f\n", got[0] / all, want[0] / all,
           got[1] / all, want[1] / all);
    TY_CHECK(got[0] > 0.02 * all && got[1] > 0.01 * all);
    TY_NEAR_REL(got[0], want[0], 0.01);
    TY_NEAR_REL(got[1], want[1], 0.01);
    TY_NEAR(worst, 0.0, 1e-9);
    TY_NEAR_REL(tyi_dust_get_ledger(w.dust).objects, got[0] + got[1], 1e-9);
    TY_CHECK(tyi_dust_deposits(w.dust, 0)[0].mass > tyi_dust_deposits(w.dust, 0)[1].mass); /* the face to the jet */
    world_end(&w);
    TY_ROW("Dust that meets a box and a ball: mass on them, 1 %", "fine steps of each parcel", "%.2f %%, %.2f %%",
           100.0 * fabs(got[0] / want[0] - 1.0), 100.0 * fabs(got[1] / want[1] - 1.0));
}

static bool in_rock(const tyi_terrain_placed_rock *r, ty_vec3 p, double slack)
{
    ty_vec3 q = ty_scale(1.0 / r->scale, ty_sub(p, r->base));
    double x = r->c * q.x + r->s * q.y, y = r->c * q.y - r->s * q.x;
    for (int k = 0; k < r->shape->planes; k++) {
        const float *n = r->shape->plane[k];
        if ((double)n[0] * x + (double)n[1] * y + (double)n[2] * q.z - (double)n[3] > slack) {
            return false;
        }
    }
    return true;
}

/* where a rock stands parcels end on its surface; none goes through */
TY_TEST(dust_meet, rocks)
{
    ty_dust_params params = tyi_dust_params_default();
    params.parcels = 4000;
    double on[2];
    for (int rock = 0; rock < 2; rock++) {
        world w = make(params, rock, 1);
        for (int i = 0; i < OBJECTS; i++) {
            w.box[i].away = true;
        }
        steps(&w, 60);
        int stopped = 0, through = 0, off = 0;
        ty_rock stone;
        tyi_terrain_placed_rock placed;
        ty_rect all = { -5, -5, 5, 5 };
        cr_assert((int)ty_terrain_rocks(w.terrain, all, 0.0, 9.0, &stone, 1) == rock);
        cr_assert(!rock || tyi_terrain_place_rock(w.terrain, &stone, &placed, NULL) == TY_OK);
        for (size_t i = 0; rock && i < w.dust->count; i++) {
            const tyi_dust_parcel *p = &w.dust->parcel[i];
            for (double t = 0.0; t < p->lands - p->born - 2e-3; t += 1e-3) {
                through += in_rock(&placed, tyi_dust_place(w.dust, p, p->born + t), 0.0);
            }
            ty_vec3 end_at = tyi_dust_place(w.dust, p, p->lands);
            stopped += p->rock;
            off += p->rock && (!in_rock(&placed, end_at, 1e-9) || in_rock(&placed, end_at, -1e-6));
        }
        on[rock] = tyi_dust_get_ledger(w.dust).objects;
        TY_NEAR(world_whole(&w), 1.0, 1e-9);
        printf("%d parcels end on a rock, %d of them not on its surface, %d steps inside it\n", stopped, off, through);
        TY_CHECK(stopped > (rock ? 50 : -1) && !off && !through);
        world_end(&w);
    }
    TY_CHECK(on[1] > 0.0 && on[0] == 0.0); /* control: without */
    TY_ROW("Rocks stop dust on their surface: of all parcels none goes through", "their planes", "none");
}

/* a field that bends ways to the east and lifts by a fifth of gravity, against steps of time; one that lifts grains for good is refused */
TY_TEST(dust_meet, charge)
{
    ty_dust_params params = tyi_dust_params_default();
    params.parcels = 4000, params.charge = 1e-3, params.field[0] = 200.0, params.field[2] = 0.2e3 * G;
    world w = make(params, false, 1);
    steps(&w, 40);
    double worst = 0.0, late = 0.0, plain = 0.0;
    for (size_t i = 0; i < w.dust->count; i++) {
        const tyi_dust_parcel *p = &w.dust->parcel[i];
        ty_vec3 x = p->x, v = p->v, a = { 0.2, 0.0, -0.8 * G };
        double dt = (p->lands - p->born) / 1000.0;
        for (int k = 0; k < 1000; k++) {
            v = ty_add(v, ty_scale(0.5 * dt, a));
            x = ty_add(x, ty_scale(dt, v));
            v = ty_add(v, ty_scale(0.5 * dt, a));
        }
        if (p->state == TYI_DUST_FLIES) {
            worst = fmax(worst, ty_norm(ty_sub(x, tyi_dust_place(w.dust, p, p->lands))));
            double z;
            ty_terrain_sample(w.terrain, 0, 1, &x.x, &x.y, &z, NULL, NULL);
            late = fmax(late, fabs(x.z - z));
            plain = fmax(plain, 0.1 * G * pow(p->lands - p->born, 2.0)); /* control: without the field */
        }
    }
    TY_NEAR(worst, 0.0, 1e-6);
    TY_NEAR(late, 0.0, 1e-5);
    TY_FAR(plain, 0.0, 1e-6);
    TY_NEAR(world_whole(&w), 1.0, 1e-9);
    ty_diag diag = { 0 };
    tyi_dust_def d = w.dust->def;
    tyi_dust *out;
    d.params.field[2] = 2e3 * G;
    TY_CHECK(tyi_dust_create(&d, &out, &diag) == TY_ERR_RANGE && !out && strstr(diag.text, "never fell"));
    d.params.field[2] = -2e3 * G; /* control: drawn down */
    TY_CHECK(tyi_dust_create(&d, &out, &diag) == TY_OK);
    tyi_dust_destroy(out);
    world_end(&w);
    TY_ROW("Charged dust in a constant field flies along parabolas, 1e-6 m", "steps of a scheme that is exact for them",
           "%.1e m", worst);
}

static void *saved(const world *w, size_t *bytes)
{
    *bytes = tyi_dust_save(w->dust, NULL);
    void *out = malloc(*bytes);
    TY_CHECK(tyi_dust_save(w->dust, out) == *bytes);
    return out;
}

/* a jet, loose soil, objects and a rock in the way: two threads, and on from the middle with more room for objects */
TY_TEST(dust_meet, saved_states)
{
    ty_dust_params params = tyi_dust_params_default();
    params.parcels = 30000;
    world one = make(params, true, 1), two = make(params, true, 2), again = make(params, true, 2);
    steps(&one, 60), steps(&two, 60);
    size_t n, m, k;
    void *a = saved(&one, &n), *b = saved(&two, &m);
    TY_CHECK(n == m && !memcmp(a, b, n));
    free(b);
    steps(&one, 60);
    cr_assert(tyi_dust_restore(again.dust, a, n, NULL) == TY_OK);
    again.t = two.t;
    steps(&again, 60);
    b = saved(&one, &m);
    void *c = saved(&again, &k);
    TY_CHECK(k == m && !memcmp(b, c, m));
    free(c);
    two.jet.rate *= 1.0001; /* control */
    steps(&two, 60);
    c = saved(&two, &k);
    TY_CHECK(k != m || memcmp(b, c, m) != 0);
    free(a), free(b), free(c);
    world_end(&one), world_end(&two), world_end(&again);
}

/* [m] over which the column of a fan's side view, 2.25 to 2.5 m behind the axle, falls from half of its most to a twentieth, at its top */
static double edge_of(double peak, double *top)
{
    enum { ROWS = 200 };
    ty_dust_params params = tyi_dust_params_default();
    params.peak = peak, params.on = true;
    ty_terrain_def ground = ty_terrain_def_default();
    ground.extent = 64.0, ground.relief.rms_slope_deg = 0.0, ground.crater.on = ground.rock.on = false;
    ty_terrain *terrain;
    tyi_dust *dust;
    cr_assert(ty_terrain_create(&ground, &terrain, NULL) == TY_OK);
    tyi_dust_def d = { .params = params, .gravity = G, .terrain = terrain, .seed = 7, .wheels = 1, .threads = 1 };
    cr_assert(tyi_dust_create(&d, &dust, NULL) == TY_OK);
    tyi_dust_wheel wheel = { .contact = true,
                             .p_W = { -8, 0, 0.41 },
                             .v_W = { 2.8, 0, 0 },
                             .forward = { 1, 0, 0 },
                             .normal = { 0, 0, 1 },
                             .omega = 2.8 / 0.41,
                             .r = 0.41,
                             .b = 0.22,
                             .sinkage = 0.02,
                             .fender = { 85.0 * TY_DEG, 0.05, 0.04 } };
    double row[ROWS] = { 0 }, most = 0.0, t = 0.0;
    for (int k = 0; k < 300; k++, t += 0.02) {
        wheel.p_W.x += 0.02 * 2.8;
        cr_assert(tyi_dust_step(dust, t, t + 0.02, &wheel, NULL, NULL) == TY_OK);
        for (size_t i = 0; k > 150 && i < dust->count; i++) {
            ty_vec3 at = tyi_dust_place(dust, &dust->parcel[i], t + 0.02);
            double behind = wheel.p_W.x - at.x;
            if (dust->parcel[i].lands > t + 0.02 && behind > 2.25 && behind < 2.5 && at.z < 0.02 * ROWS) {
                row[(int)(at.z / 0.02)] += dust->parcel[i].mass;
            }
        }
    }
    int half = 0, little = 0;
    for (int k = 0; k < ROWS; k++) {
        most = fmax(most, row[k]);
    }
    for (int k = 0; k < ROWS; k++) {
        half = row[k] > 0.5 * most ? k : half, little = row[k] > 0.05 * most ? k : little;
    }
    *top = 0.02 * little;
    tyi_dust_destroy(dust);
    ty_terrain_destroy(terrain);
    return 0.02 * (little - half);
}

/* films of the LRV show a fan with a sharp upper edge: most grains leave at the speed of the rim */
TY_TEST(dust_meet, edge_of_a_fan)
{
    double top, even_top, sharp = edge_of(4.0, &top), even = edge_of(1.0, &even_top);
    printf("upper edge of a fan at 2.8 m/s: %.2f m wide at %.2f m; speeds all alike: %.2f m at %.2f m\n", sharp, top,
           even, even_top);
    TY_CHECK(sharp < 0.2 && top > 1.7 && top < 2.0);
    TY_CHECK(even > 0.4); /* control */
    TY_ROW("Upper edge of the LRV's fan, half to a twentieth of the column, below 0.2 m",
           "films: sharp; speeds all alike are not", "%.2f m; %.2f", sharp, even);
}
