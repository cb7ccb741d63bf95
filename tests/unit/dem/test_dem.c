/* A bed of grains: what must be kept, equal, finite, refused; single grains against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "soil/dem/grains.h"

static tyi_dem_def space(void)
{
    tyi_dem_def def = tyi_dem_def_default();
    def.gravity = ty_vec3_make(0, 0, 0);
    def.low = ty_vec3_make(-0.5, -0.5, -0.5);
    def.high = ty_vec3_make(0.5, 0.5, 0.5);
    def.grains = 4000;
    return def;
}

static tyi_dem *make(const tyi_dem_def *def)
{
    tyi_dem *dem;
    ty_diag diag = { 0 };
    cr_assert(tyi_dem_create(def, &dem, &diag) == TY_OK, "%s", diag.text);
    return dem;
}

static void put_one(tyi_dem *dem, tyi_dem_grain g)
{
    ty_diag diag = { 0 };
    cr_assert(tyi_dem_add(dem, &g, 1, &diag) == TY_OK, "%s", diag.text);
}

static void go(tyi_dem *dem, double seconds, tyi_crm_body *body, int bodies, tyi_crm_load *load)
{
    ty_diag diag = { 0 };
    cr_assert(tyi_dem_step(dem, seconds, body, bodies, load, &diag) == TY_OK, "%s", diag.text);
}

/* grains of many sizes, n of them along each axis, that touch a little; every sixth is missing */
static void block(tyi_dem *dem, const tyi_dem_def *def, int n, ty_vec3 at, ty_vec3 v, uint32_t *id)
{
    for (int k = 0; k < n * n * n; k++, ++*id) {
        double d = 1.02 * def->diameter, r = tyi_dem_radius(def, *id);
        if (*id % 6) {
            put_one(dem, (tyi_dem_grain){ .x = { at.x + (k % n) * d, at.y + (k / n % n) * d, at.z + (k / (n * n)) * d },
                                          .v = v,
                                          .w = { 3.0, -2.0, 1.0 },
                                          .r = r,
                                          .id = *id });
        }
    }
}

typedef struct kept {
    double linear, angular, rise, left; /* [-] */
} kept;

static kept collide(double restitution, double gamma, bool anchored)
{
    tyi_dem_def def = space();
    def.soil.restitution = restitution;
    def.soil.gamma = gamma;
    def.soil.mu = restitution < 1.0 ? 0.5 : 0.01;
    def.soil.roll = restitution < 1.0 ? 0.2 : 0.0;
    tyi_dem *dem = make(&def);
    uint32_t id = 0;
    block(dem, &def, 6, ty_vec3_make(-0.09, 0, 0), ty_vec3_make(1, 0, 0), &id);
    block(dem, &def, 6, ty_vec3_make(0.02, 0.025, 0.01), ty_vec3_make(-0.5, 0, 0), &id);
    if (anchored) {
        put_one(dem, (tyi_dem_grain){ .x = { 0.0, 0.03, 0.03 }, .r = 0.005, .fixed = true });
    }
    go(dem, 1e-5, NULL, 0, NULL);
    tyi_dem_sums a = tyi_dem_add_up(dem), b = a;
    double energy = a.kinetic + a.elastic;
    kept k = { 0 };
    for (int i = 0; i < 60; i++) {
        go(dem, 1e-3, NULL, 0, NULL);
        b = tyi_dem_add_up(dem);
        k.rise = fmax(k.rise, (b.kinetic + b.elastic) / energy - 1.0);
    }
    k.left = (b.kinetic + b.elastic) / energy;
    k.linear = ty_norm(ty_sub(b.momentum, a.momentum)) / a.mass; /* over the mass times 1 m/s */
    k.angular = ty_norm(ty_sub(b.angular, a.angular)) / ty_norm(a.angular);
    TY_CHECK(tyi_dem_get_counts(dem).searches > 3);
    tyi_dem_destroy(dem);
    return k;
}

/* Two clusters collide off centre without gravity: momenta are kept, energy only falls; without damping and friction it stays. */
TY_TEST(dem, momentum_and_energy_of_a_collision)
{
    kept soft = collide(0.5, 0.0, false), sticky = collide(0.5, 0.5, false), hard = collide(1.0, 0.0, false),
         held = collide(0.5, 0.0, true);
    TY_NEAR(soft.linear, 0.0, 1e-6);
    TY_NEAR(soft.angular, 0.0, 1e-3);
    TY_NEAR(soft.rise, 0.0, 1e-4);
    TY_NEAR(sticky.linear, 0.0, 1e-6);
    TY_NEAR(sticky.angular, 0.0, 1e-3);
    TY_NEAR(hard.left, 1.0, 0.05);  /* a hundredth of friction is left */
    TY_FAR(soft.left, 1.0, 0.05);   /* control: damped ones lose it */
    TY_FAR(held.linear, 0.0, 1e-3); /* control: a grain that is held takes momentum away */
    TY_FAR(held.angular, 0.0, 1e-3);
    TY_ROW("two clusters of grains collide: linear momentum 1e-6, angular 1e-3, energy never rises by 1e-4",
           "conservation laws", "%.1e, %.1e, %.1e", soft.linear, soft.angular, soft.rise);
}

/* A ball let go on a plane of slope theta: it rolls at 5/7 g sin(theta) while tan(theta) < 7/2 mu, else it slips at g (sin - mu cos);
 * with rolling friction mu_r it stands while tan(theta) < mu_r. */
static double slope(double angle, double mu, double roll, bool forget)
{
    tyi_dem_def def = space();
    def.gravity = ty_vec3_make(9.81 * sin(angle), 0, -9.81 * cos(angle));
    def.soil.roll = roll;
    def.soil.restitution = 0.1;
    tyi_dem *dem = make(&def);
    tyi_crm_body plane = { .shape = TYI_CRM_PLANE, .friction = mu, .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    put_one(dem, (tyi_dem_grain){ .x = { -0.1, 0, 0.005 - 2e-6 }, .r = 0.005 });
    go(dem, 0.05, &plane, 1, NULL); /* the spring sways at first */
    double before = tyi_dem_get(dem, 0).v.x;
    for (int k = 0; k < 100; k++) {
        go(dem, 1e-3, &plane, 1, NULL);
        if (forget) {
            ty_vec3 v = tyi_dem_get(dem, 0).v;
            tyi_dem_stop(dem);
            TY_CHECK(isfinite(v.x));
        }
    }
    double a = forget ? (tyi_dem_get(dem, 0).x.x + 0.1) / 0.15 : (tyi_dem_get(dem, 0).v.x - before) / 0.1;
    tyi_dem_destroy(dem);
    return a;
}

TY_TEST(dem, a_ball_on_a_slope)
{
    double t = atan(0.5), rolls = slope(t, 0.5, 0.0, false), slips = slope(t, 0.1, 0.0, false);
    double stands = slope(atan(0.1), 0.5, 0.2, false), starts = slope(atan(0.3), 0.5, 0.2, false);
    TY_NEAR_REL(rolls, 5.0 / 7.0 * 9.81 * sin(t), 2e-3);
    TY_NEAR_REL(slips, 9.81 * (sin(t) - 0.1 * cos(t)), 2e-3);
    TY_NEAR(stands, 0.0, 1e-4);
    TY_NEAR_REL(starts, 5.0 / 7.0 * 9.81 * (sin(atan(0.3)) - 0.2 * cos(atan(0.3))), 5e-3);
    TY_FAR_REL(rolls, 9.81 * sin(t), 0.1);               /* control: without spin */
    TY_FAR(slope(atan(0.1), 0.5, 0.2, true), 0.0, 1e-4); /* control: a memory that is lost lets it creep */
    TY_ROW("a ball on a slope rolls at 5/7 g sin, slips at g (sin - mu cos), within 0.2 %; rolling friction holds it",
           "closed form", "%.2f %%, %.2f %%", 100.0 * tyt_worst_rel("rolls"), 100.0 * tyt_worst_rel("slips"));
}

/* A grain that rests on a plane lies as deep as Hertz says, and the plane feels its weight; two that stick hold each other up to the pull-off. */
TY_TEST(dem, weight_and_pull)
{
    tyi_dem_def def = space();
    def.gravity.z = -9.81;
    def.soil.roll = 0.0;
    tyi_dem *dem = make(&def);
    tyi_crm_body plane = { .shape = TYI_CRM_PLANE, .friction = 0.5, .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    tyi_crm_load load;
    put_one(dem, (tyi_dem_grain){ .x = { 0, 0, 0.005 }, .r = 0.005 });
    go(dem, 0.3, &plane, 1, NULL);
    go(dem, 0.01, &plane, 1, &load);
    double m = 4.0 / 3.0 * TY_PI * pow(0.005, 3) * 2600.0, e = 0.5 * 1e7 / 0.91;
    double deep = 0.005 - tyi_dem_get(dem, 0).x.z, hertz = pow(m * 9.81 / (4.0 / 3.0 * e * sqrt(0.005)), 2.0 / 3.0);
    TY_NEAR_REL(deep, hertz, 2e-3);
    TY_NEAR_REL(load.impulse.z / 0.01, -m * 9.81, 1e-3);
    tyi_dem_destroy(dem);
    for (int k = 0; k < 2; k++) { /* 1.5 pi gamma R*, R* = R/2, against 0.95 and 1.05 of it */
        def.soil.gamma = 0.2;
        double pull = 1.5 * TY_PI * 0.2 * 0.0025;
        def.gravity.z = -(k ? 1.05 : 0.95) * pull / m;
        dem = make(&def);
        put_one(dem, (tyi_dem_grain){ .x = { 0, 0, 0.1 }, .r = 0.005, .fixed = true });
        put_one(dem, (tyi_dem_grain){ .x = { 0, 0, 0.1 - 0.00999 }, .r = 0.005, .id = 1 });
        tyi_dem_set_drag(dem, 1000.0);
        go(dem, 0.05, NULL, 0, NULL);
        tyi_dem_set_drag(dem, 0.0);
        go(dem, 0.25, NULL, 0, NULL);
        double low = 1.0;
        for (size_t i = 0; i < 2; i++) {
            low = fmin(low, tyi_dem_get(dem, i).x.z);
        }
        TY_CHECK((low > 0.08) == (k == 0));
        tyi_dem_destroy(dem);
    }
    TY_ROW("a grain at rest lies as deep as Hertz says within 0.2 %", "closed form", "%.2f %%",
           100.0 * tyt_worst_rel("deep"));
}

/* loose grains over a rough floor that fall and slide, periodic across */
static tyi_dem *layer(tyi_dem_def *def, int side, int deep)
{
    double d = 1.17 * def->diameter;
    uint32_t id = 0;
    def->gravity = ty_vec3_make(5.0, 0.0, -9.81);
    def->low = ty_vec3_make(0, 0, -2 * d);
    def->high = ty_vec3_make(side * d, side * d, (deep + 6) * d);
    def->periodic[0] = def->periodic[1] = true;
    def->grains = (size_t)(side * side * (deep + 1));
    tyi_dem *dem = make(def);
    for (int k = -1; k < deep; k++) {
        for (int i = 0; i < side * side; i++, id++) {
            put_one(dem, (tyi_dem_grain){ .x = { (i % side + 0.5) * d, (i / side + 0.5) * d, (k + 0.5) * d },
                                          .v = { k < 0 ? 0.0 : 0.3, 0, k < 0 ? 0.0 : -0.5 - 0.1 * k },
                                          .r = tyi_dem_radius(def, id),
                                          .fixed = k < 0,
                                          .id = id });
        }
    }
    return dem;
}

TY_TEST(dem, bits_do_not_depend_on_threads)
{
    void *state[3];
    size_t bytes = 0;
    for (int k = 0; k < 3; k++) {
        tyi_dem_def def = tyi_dem_def_default();
        def.threads = k == 1 ? 2 : 1;
        def.soil.mu = k == 2 ? 0.51 : 0.5;
        tyi_dem *dem = layer(&def, 24, 7);
        go(dem, 0.014, NULL, 0, NULL);
        TY_CHECK(tyi_dem_get_counts(dem).searches > 1 && tyi_dem_add_up(dem).touching > 1000);
        bytes = tyi_dem_state_bytes(dem);
        state[k] = malloc(bytes);
        tyi_dem_save(dem, state[k]);
        tyi_dem_destroy(dem);
    }
    TY_CHECK(!memcmp(state[0], state[1], bytes));
    TY_CHECK(memcmp(state[0], state[2], bytes) != 0); /* control */
    TY_ROW("bits of 4000 grains after 100 steps with 1 and 2 threads", "each other", "equal");
    for (int k = 0; k < 3; k++) {
        free(state[k]);
    }
}

TY_TEST(dem, saved_and_restored_goes_on_with_the_same_bits)
{
    tyi_dem_def def = tyi_dem_def_default();
    ty_diag diag = { 0 };
    tyi_crm_body plate = { .shape = TYI_CRM_CYLINDER, .a = 0.03, .c = 0.02, .friction = 0.4, .v = { 0.2, 0, -1.0 } };
    plate.pose = (ty_pose){ { 0.06, 0.06, 0.085 }, ty_quat_identity() };
    tyi_dem *one = layer(&def, 10, 5), *two = layer(&def, 10, 5);
    go(one, 0.0231, &plate, 1, NULL);
    size_t bytes = tyi_dem_state_bytes(one);
    void *state = malloc(bytes), *end[2] = { malloc(bytes), malloc(bytes) };
    tyi_dem_save(one, state);
    tyi_crm_body again = plate;
    cr_assert(tyi_dem_restore(two, state, bytes, &diag) == TY_OK, "%s", diag.text);
    go(one, 0.011, &plate, 1, NULL);
    go(two, 0.011, &again, 1, NULL);
    tyi_dem_save(one, end[0]);
    tyi_dem_save(two, end[1]);
    TY_CHECK(!memcmp(end[0], end[1], bytes));
    TY_CHECK(memcmp(end[0], state, bytes) != 0); /* control */
    TY_CHECK(tyi_dem_restore(two, state, bytes - 1, &diag) == TY_ERR_FORMAT);
    TY_CHECK(tyi_dem_restore(two, state, 10, &diag) == TY_ERR_FORMAT);
    free(state);
    free(end[0]);
    free(end[1]);
    tyi_dem_destroy(one);
    tyi_dem_destroy(two);
}

static bool high(void *user, const tyi_dem_grain *g)
{
    return g->x.z > *(const double *)user;
}

/* A grain held between others by friction alone stays while lists are made again and again, and while others are taken away; one whose
 * memory is lost slides. */
TY_TEST(dem, contacts_are_remembered_across_sorts)
{
    double far[3];
    for (int k = 0; k < 3; k++) {
        tyi_dem_def def = space();
        def.gravity = ty_vec3_make(2.0, 0, -9.81);
        def.soil.spread = 0.0;
        def.soil.mu = 0.9;
        tyi_dem *dem = make(&def), *next = NULL;
        ty_diag diag = { 0 };
        for (int i = 0; i < 3; i++) { /* three fixed ones, the fourth lies on them */
            double a = 2.0 * TY_PI / 3.0 * i + TY_PI / 3.0;
            put_one(dem, (tyi_dem_grain){ .x = { 0.0057 * cos(a), 0.0057 * sin(a), 0 }, .r = 0.005, .fixed = true });
        }
        put_one(dem, (tyi_dem_grain){ .x = { 0, 0, sqrt(1e-4 - 0.0057 * 0.0057) }, .r = 0.005, .id = 7 });
        tyi_dem_set_drag(dem, 200.0);
        go(dem, 0.1, NULL, 0, NULL);
        tyi_dem_set_drag(dem, 0.0);
        tyi_dem_stop(dem);
        double x0 = 0.0, x1 = 0.0, top = 0.3;
        for (size_t i = 0; i < tyi_dem_count(dem); i++) {
            x0 = tyi_dem_get(dem, i).id == 7 ? tyi_dem_get(dem, i).x.x : x0;
        }
        for (int t = 0; t < 60; t++) {
            if (k == 1) { /* something comes, and is taken away: lists anew each time */
                put_one(dem, (tyi_dem_grain){ .x = { 0, -0.3, 0.4 }, .r = 0.005, .id = 9 });
                go(dem, 1e-3, NULL, 0, NULL);
                tyi_dem_remove(dem, high, &top);
            } else {
                go(dem, 1e-3, NULL, 0, NULL);
            }
            if (k == 2) { /* control: the same grains in a bed that knows of no contact */
                next = make(&def);
                for (size_t i = 0; i < tyi_dem_count(dem); i++) {
                    tyi_dem_grain g = tyi_dem_get(dem, i);
                    cr_assert(tyi_dem_add(next, &g, 1, &diag) == TY_OK);
                }
                tyi_dem_destroy(dem);
                dem = next;
            }
        }
        for (size_t i = 0; i < tyi_dem_count(dem); i++) {
            x1 = tyi_dem_get(dem, i).id == 7 ? tyi_dem_get(dem, i).x.x : x1;
        }
        far[k] = fabs(x1 - x0);
        tyi_dem_destroy(dem);
    }
    TY_NEAR(far[0], 0.0, 2e-7);
    TY_NEAR(far[1], far[0], 1e-12);
    TY_CHECK(far[2] > 10.0 * far[0] + 1e-8);
}

static bool second(void *user, const tyi_dem_grain *g)
{
    return g->id == *(uint32_t *)user;
}

/* elastic energy [J] of a grain that slid a little on a fixed one, which was then taken away and came back; between, as many others came and went as
 * have room, so that it gets the home that it had */
static double comes_back(bool goes, bool slid)
{
    tyi_dem_def def = space();
    def.grains = 2;
    def.soil.roll = 0.0;
    tyi_dem *dem = make(&def);
    uint32_t own = 2, other = 3;
    tyi_dem_grain floor = { .r = 0.005, .fixed = true, .id = own };
    put_one(dem, (tyi_dem_grain){ .x = { 0, 0, 0.00998 }, .v = { slid ? 0.5 : 0.0, 0, 0 }, .r = 0.005, .id = 1 });
    put_one(dem, floor);
    go(dem, 2e-5, NULL, 0, NULL);
    tyi_dem_stop(dem);
    if (goes) {
        tyi_dem_remove(dem, second, &own);
        for (int k = 0; k < 255; k++) {
            put_one(dem, (tyi_dem_grain){ .x = { 0.2, 0.2, 0.2 }, .r = 0.005, .id = other });
            tyi_dem_remove(dem, second, &other);
        }
        put_one(dem, floor);
    }
    go(dem, 1e-9, NULL, 0, NULL);
    double elastic = tyi_dem_add_up(dem).elastic;
    tyi_dem_destroy(dem);
    return elastic;
}

TY_TEST(dem, what_was_taken_away_is_forgotten)
{
    double wound = comes_back(false, true), fresh = comes_back(true, true), straight = comes_back(false, false);
    TY_NEAR_REL(fresh, straight, 5e-3);
    TY_CHECK(wound > 1.05 * straight); /* control: the spring is still wound up */
}

/* A grain among six others, each of which it touches, with lists of 8 neighbours and 5 contacts: refused. Control: five. */
TY_TEST(dem, more_contacts_than_are_remembered)
{
    for (int most = 5; most < 7; most++) {
        tyi_dem_def def = space();
        def.neighbours = 8;
        tyi_dem *dem = make(&def);
        ty_diag diag = { 0 };
        put_one(dem, (tyi_dem_grain){ .r = 0.005, .id = 77 });
        for (int k = 0; k < most; k++) {
            double far = k % 2 ? -0.00998 : 0.00998;
            ty_vec3 x = { k / 2 == 0 ? far : 0.0, k / 2 == 1 ? far : 0.0, k / 2 == 2 ? far : 0.0 };
            put_one(dem, (tyi_dem_grain){ .x = x, .r = 0.005, .id = (uint32_t)k });
        }
        ty_status status = tyi_dem_step(dem, 1e-6, NULL, 0, NULL, &diag);
        TY_CHECK(most == 5 ? status == TY_OK
                           : status == TY_ERR_NUMERIC && strstr(diag.text, "grain 77") &&
                                 strstr(diag.text, "touches more than 5"));
        tyi_dem_destroy(dem);
    }
}

static int gets;
static int fail_at;
static void *get(size_t bytes, void *user)
{
    (void)user;
    return ++gets == fail_at ? NULL : malloc(bytes);
}
static void put(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

TY_TEST(dem, a_step_allocates_nothing_and_a_failed_creation_leaks_nothing)
{
    ty_alloc alloc = { get, put, NULL };
    tyi_dem_def def = tyi_dem_def_default();
    def.alloc = &alloc;
    gets = fail_at = 0;
    tyi_dem *dem = layer(&def, 6, 4);
    int made = gets;
    go(dem, 0.02, NULL, 0, NULL);
    TY_CHECK(tyi_dem_get_counts(dem).searches >= 2 && gets == made);
    tyi_dem_destroy(dem);
    for (fail_at = 1; fail_at <= made; fail_at++) {
        gets = 0;
        TY_CHECK(tyi_dem_create(&def, &dem, NULL) == TY_ERR_MEMORY && !dem);
    }
}

TY_TEST(dem, wrong_definitions_get_a_sentence)
{
    const struct {
        size_t at;
        double value;
        const char *says;
    } wrong[] = {
        { offsetof(tyi_dem_def, soil.mu), 0.0, "mu" },
        { offsetof(tyi_dem_def, soil.e), 10.0, "soil.e" },
        { offsetof(tyi_dem_def, soil.nu), 0.5, "nu" },
        { offsetof(tyi_dem_def, soil.restitution), 0.0, "restitution" },
        { offsetof(tyi_dem_def, diameter), 0.0, "diameter" },
        { offsetof(tyi_dem_def, share), 2.0, "share" },
        { offsetof(tyi_dem_def, soil.rho), NAN, "rho" },
        { offsetof(tyi_dem_def, soil.spread), 0.9, "spread" },
        { offsetof(tyi_dem_def, soil.gamma), -1.0, "gamma" },
        { offsetof(tyi_dem_def, high.x), -0.5, "along x" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        tyi_dem_def def = space();
        ty_diag diag = { 0 };
        tyi_dem *dem;
        *(double *)((char *)&def + wrong[k].at) = wrong[k].value;
        TY_CHECK(tyi_dem_create(&def, &dem, &diag) == TY_ERR_RANGE && !dem);
        if (!strstr(diag.text, wrong[k].says)) {
            tyt_failed(__FILE__, __LINE__, diag.text);
        }
    }
    tyi_dem_def def = space();
    tyi_dem *dem;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_dem_create(&(tyi_dem_def){ 0 }, &dem, &diag) == TY_ERR_DEF);
    dem = make(&def);
    TY_CHECK(tyi_dem_step(dem, 0.01, NULL, 0, NULL, NULL) == TY_ERR_INPUT); /* nothing in it */
    tyi_dem_grain g = { .x = { 2, 0, 0 }, .r = 0.005 };
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_dem_add(dem, &g, 1, &diag) == TY_ERR_RANGE && strstr(diag.text, "outside"));
    g = (tyi_dem_grain){ .r = 0.02 };
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_dem_add(dem, &g, 1, &diag) == TY_ERR_RANGE && strstr(diag.text, "radius"));
    g.r = 0.005;
    TY_CHECK(tyi_dem_add(dem, &g, 1, NULL) == TY_OK && tyi_dem_count(dem) == 1);
    TY_CHECK(tyi_dem_step(dem, -1.0, NULL, 0, NULL, NULL) == TY_ERR_RANGE);
    TY_CHECK(tyi_dem_step(dem, 1e-4, &(tyi_crm_body){ .shape = TYI_CRM_SPHERE }, 1, NULL, NULL) == TY_ERR_RANGE);
    /* what is not finite, or leaves, stops with step and grain */
    g.id = 5;
    g.x.x = 1e-9;
    TY_CHECK(tyi_dem_add(dem, &g, 1, NULL) == TY_OK);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_dem_step(dem, 1e-3, NULL, 0, NULL, &diag) == TY_ERR_NUMERIC && strstr(diag.text, "step") &&
             strstr(diag.text, "grain"));
    tyi_dem_destroy(dem);
    dem = make(&def);
    g = (tyi_dem_grain){ .v = { 0, 0, 20.0 }, .r = 0.005, .id = 3 };
    TY_CHECK(tyi_dem_add(dem, &g, 1, NULL) == TY_OK);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_dem_step(dem, 1.0, NULL, 0, NULL, &diag) == TY_ERR_NUMERIC &&
             strstr(diag.text, "left the box along z"));
    tyi_dem_destroy(dem);
    tyi_dem_destroy(NULL);
}
