/* Kinds of ground: what they ask for comes back, and a site without a kind stays as it was.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "core/core.h"
#include "k_crater.h"
#include "k_ground_tone.h"
#include "k_relief.h"
#include "world/terrain/crater.h"
#include "world/terrain/inner.h"
#include "world/terrain/terrain.h"
#include "world/terrain/tone.h"
#include "tycho/terrain.h"

static ty_terrain *make(ty_terrain_def def)
{
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    ty_terrain_create(&def, &t, &diag);
    cr_assert(t, "%s", diag.text);
    return t;
}

static uint64_t tiles_hash(ty_terrain *t)
{
    static float h[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    uint64_t hash = TYI_HASH_START;
    for (int k = 0; k < 12; k++) {
        double z0;
        cr_assert(ty_terrain_tile(t, k % 4 * 3, k % 5 - 2, k / 5 - 1, h, &z0, NULL) == TY_OK);
        hash = tyi_hash(h, sizeof h, tyi_hash(&z0, sizeof z0, hash));
    }
    return hash;
}

/* A user's site that names its relief and no kind has the heights it had before there were kinds. */
TY_TEST(kind, sites_without_one_keep_their_heights)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.seed = 44;
    def.relief = (ty_relief_def){ .rms_slope_deg = 3.5, .baseline = 5.0, .hurst = 0.85, .outer = 2000.0 };
    def.crater.age = 3.2;
    ty_terrain *t = make(def);
    TY_CHECK(tiles_hash(t) == 0xe924eaac98f274fbu);
    static ty_rock rock[1024];
    size_t n = ty_terrain_rocks(t, (ty_rect){ -10.0, -10.0, 10.0, 10.0 }, 0.0, 10.0, rock, 1024);
    uint64_t hash = TYI_HASH_START;
    for (size_t i = 0; i < n; i++) {
        double v[7] = { rock[i].x,   rock[i].y,      rock[i].diameter,     rock[i].scale,
                        rock[i].yaw, rock[i].burial, (double)rock[i].shape };
        hash = tyi_hash(&rock[i].id, sizeof rock[i].id, tyi_hash(v, sizeof v, hash));
    }
    TY_CHECK(n == 928 && hash == 0x1ad71577a1b3ebb0u);
    ty_terrain_destroy(t);
}

/* the same bits in any order, and from several threads; another seed has others */
TY_TEST(kind, ground_is_the_same_for_everybody)
{
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
    static float a[300 * 300], b[300 * 300];
    ty_terrain *t = make(def), *u = make(def);
    uint64_t first = tiles_hash(t);
    TY_CHECK(ty_terrain_region(u, 0, -150, 37, 300, 300, 0.0, a, 2, NULL) == TY_OK);
    TY_CHECK(tiles_hash(u) == first);
    TY_CHECK(ty_terrain_region(t, 0, -150, 37, 300, 300, 0.0, b, 1, NULL) == TY_OK);
    TY_CHECK(!memcmp(a, b, sizeof a));
    ty_terrain_destroy(u);
    def.seed++;
    u = make(def);
    TY_CHECK(tiles_hash(u) != first);
    ty_terrain_destroy(u);
    ty_terrain_destroy(t);
}

/* Campbell's theorem against the craters themselves, drawn: 400 places of 128 m. Control: with the depths of larger
 * craters the same number of them makes much steeper ground. */
TY_TEST(kind, craters_make_the_slope_that_is_counted_on, .timeout = 60)
{
    enum { N = 128, PLACES = 400 };
    static float h[N * N];
    ty_crater_def def = ty_terrain_def_kind(TY_GROUND_MARE).crater;
    def.d_min = 4.0, def.d_max = 40.0;
    tyi_terrain_craters f, deep;
    tyi_terrain_craters_init(&f, &def, 7);
    def.wear = 0.0;
    tyi_terrain_craters_init(&deep, &def, 7);
    double sum = 0.0;
    for (int p = 0; p < PLACES; p++) {
        memset(h, 0, sizeof h);
        tyi_terrain_craters_add(&f, 0.0, 1e9, p % 20 * 500.0, p / 20 * 500.0, 1.0, N, N, N, h);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i + 5 < N; i++) {
                double d = (double)h[j * N + i + 5] - (double)h[j * N + i];
                sum += d * d / ((double)N * (N - 5) * PLACES);
            }
        }
    }
    double law = tyi_terrain_craters_structure(&f, 5.0);
    TY_NEAR_REL(sqrt(law), sqrt(sum), 0.06);
    TY_FAR_REL(sqrt(tyi_terrain_craters_structure(&deep, 5.0)), sqrt(sum), 0.5);
}

/* Worn craters: depth / diameter of all ages .03 to .06, two in a hundred as deep as .15; large ones as in the table. */
TY_TEST(kind, small_craters_are_shallow)
{
    double wear = ty_terrain_def_kind(TY_GROUND_MARE).crater.wear, mean = 0.0, fresh = 0.0, before = 1.0;
    enum { N = 2000 };
    for (int k = 0; k < N; k++) {
        double u = (k + 0.5) / N, ratio = ty_k_crater_worn_ratio(u, wear);
        mean += ratio / N;
        fresh += ratio > 0.15 ? 1.0 / N : 0.0;
        TY_CHECK(ratio < before);
        before = ratio;
    }
    TY_CHECK(mean >= 0.03 && mean <= 0.06);
    TY_NEAR(fresh, 0.02, 0.01);
    for (double z = -1.5; z < 2.0; z += 0.5) {
        TY_NEAR(ty_k_crater_look_at(100.0, z, wear).ratio, ty_k_crater_depth_ratio(100.0, z), 1e-12);
        TY_NEAR(ty_k_crater_look_at(5.0, z, wear).ratio, ty_k_crater_worn_ratio(ty_k_crater_age(z), wear), 1e-12);
        TY_NEAR(ty_k_crater_look_at(5.0, z, 0.0).ratio, ty_k_crater_depth_ratio(5.0, z), 0.0);
    }
    TY_NEAR(ty_k_crater_age(0.0), 0.5, 1e-15);
    TY_NEAR(ty_k_crater_age(1.6448536), 0.05, 1e-7);
}

/* Below the inner wavelength nothing of the fractal is left: over 5 cm it is no steeper than over 1 m. Control: without
 * an end its slope grows as the exponent says. */
TY_TEST(kind, relief_ends_at_its_inner_wavelength)
{
    enum { N = 256 };
    static float h[N * N];
    double slope[2][2] = { { 0 } };
    for (int k = 0; k < 2; k++) {
        ty_terrain_def def = ty_terrain_def_default();
        def.crater.on = def.rock.on = false;
        def.relief = (ty_relief_def){ .rms_slope_deg = 4.0, .baseline = 10.0, .hurst = 0.7, .outer = 200.0 };
        def.relief.inner = k ? 0.0 : 6.0;
        ty_terrain *t = make(def);
        for (int p = 0; p < 36; p++) {
            cr_assert(ty_terrain_region(t, 0, (p % 6 - 3) * 60000, (p / 6 - 3) * 60000, N, N, 0.0, h, 1, NULL) ==
                      TY_OK);
            for (int m = 0; m < 2; m++) {
                int lag = m ? 100 : 5;
                for (int i = 0; i + lag < N; i++) {
                    double d = ((double)h[128 * N + i + lag] - (double)h[128 * N + i]) / (0.01 * lag);
                    slope[k][m] += d * d / ((N - lag) * 36.0);
                }
            }
        }
        ty_terrain_destroy(t);
    }
    TY_NEAR(sqrt(slope[0][0] / slope[0][1]), 1.0, 0.05);
    TY_FAR(sqrt(slope[1][0] / slope[1][1]), 1.0, 0.5);
}

/* Crumbs: zero mean and unit variance by the moments of v^8, few and high. Control: the plain noise has no skew. */
TY_TEST(kind, crumbs_are_few_and_high)
{
    double m[2][4] = { { 0 } };
    enum { N = 1 << 20 };
    for (uint32_t k = 0; k < N; k++) {
        uint32_t bits = k * 2654435761u;
        double v[2] = { (double)ty_k_relief_crumb(bits), (double)ty_k_relief_unit(bits) };
        for (int c = 0; c < 2; c++) {
            m[c][0] += v[c] / N, m[c][1] += v[c] * v[c] / N, m[c][2] += v[c] * v[c] * v[c] / N;
            m[c][3] += v[c] < 0.0 ? 1.0 / N : 0.0;
        }
    }
    TY_NEAR(m[0][0], 0.0, 0.005);
    TY_NEAR(m[0][1], 1.0, 0.02);
    TY_CHECK(m[0][2] > 3.0 && m[0][3] > 0.75);
    TY_NEAR(m[1][2], 0.0, 0.02);
    TY_NEAR(m[1][3], 0.5, 0.01);
}

/* RMS slope [deg] over `lag` samples of 1 cm, and the share of places steeper than a Sun of 14.5 deg; no craters and rocks. */
static void steep(ty_relief_def relief, int lag, double *rms, double *share)
{
    enum { N = 200, PLACES = 36 };
    static float h[N * N];
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
    def.crater.on = def.rock.on = false;
    def.relief = relief;
    ty_terrain *t = make(def);
    *rms = *share = 0.0;
    for (int p = 0; p < PLACES; p++) {
        cr_assert(ty_terrain_region(t, 0, p % 6 * 3000, p / 6 * 3000, N, N, 0.0, h, 1, NULL) == TY_OK);
        for (int k = 0; k + lag < N * N; k++) {
            double s = ((double)h[k + lag] - (double)h[k]) / (0.01 * lag);
            if (k % N + lag < N) {
                *rms += s * s / ((double)(N - lag) * N * PLACES);
                *share += fabs(s) > tan(14.5 * TY_DEG) ? 1.0 / ((double)(N - lag) * N * PLACES) : 0.0;
            }
        }
    }
    *rms = atan(sqrt(*rms)) / TY_DEG;
    ty_terrain_destroy(t);
}

/* The slope that is asked for is got with crumbs as without, and more of it is steep enough to cast shadows. */
TY_TEST(kind, crumbs_keep_the_slope_and_cast_shadows)
{
    ty_relief_def relief = { .baseline = 10.0, .hurst = 0.95, .outer = 2000.0, .micro_deg = 6.5, .patchy = 0.45 };
    double rms[2], share[2];
    steep(relief, 1, &rms[0], &share[0]);
    relief.crumbs = true;
    steep(relief, 1, &rms[1], &share[1]);
    TY_NEAR_REL(rms[0], relief.micro_deg, 0.08);
    TY_NEAR_REL(rms[1], relief.micro_deg, 0.08);
    TY_CHECK(share[1] > 1.2 * share[0]);
}

/* Hummocks and hollows: unit variance by the moments of v^3, and the slope over 10 cm that is asked for, crumbs beside them.
 * Control: crumbs alone, of waves up to 35 cm, have less than half of it. */
TY_TEST(kind, hollows_have_the_slope_that_is_asked_for)
{
    enum { N = 1 << 20 };
    double mean = 0.0, square = 0.0, rms[2], share[2];
    for (uint32_t k = 0; k < N; k++) {
        double v = (double)ty_k_relief_hummock(k * 2654435761u);
        mean += v / N, square += v * v / N;
    }
    TY_NEAR(mean, 0.0, 0.005);
    TY_NEAR(square, 1.0, 0.01);
    ty_relief_def relief = { .baseline = 10.0, .hurst = 0.95, .outer = 2000.0, .patchy = 0.4, .crumbs = true };
    relief.micro_deg = 5.0, relief.hollows_deg = 5.2;
    steep(relief, 10, &rms[0], &share[0]);
    relief.hollows_deg = 0.0;
    steep(relief, 10, &rms[1], &share[1]);
    TY_NEAR_REL(rms[0], 5.2, 0.08);
    TY_CHECK(rms[1] < 0.5 * rms[0] && share[1] < 0.5 * share[0]);
}

/* Variance of heights on the points of a lattice of 32 cm over that in the middle between four of them. */
static double lattice_seen(ty_relief_def relief)
{
    enum { N = 640, CELL = 32, PLACES = 25 };
    static float h[N * N];
    double sum[2] = { 0 }, square[2] = { 0 };
    int n = N / CELL * (N / CELL) * PLACES;
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
    def.radius = 1e8; /* no curvature to speak of */
    def.crater.on = def.rock.on = false;
    def.relief = relief;
    ty_terrain *t = make(def);
    for (int p = 0; p < PLACES; p++) {
        cr_assert(ty_terrain_region(t, 0, p % 5 * 2048, p / 5 * 2048, N, N, 0.0, h, 1, NULL) == TY_OK);
        for (int k = 0; k < 2; k++) {
            for (int j = k * CELL / 2; j < N; j += CELL) {
                for (int i = k * CELL / 2; i < N; i += CELL) {
                    double z = (double)h[j * N + i];
                    sum[k] += z / n, square[k] += z * z / n;
                }
            }
        }
    }
    ty_terrain_destroy(t);
    return (square[0] - sum[0] * sum[0]) / (square[1] - sum[1] * sum[1]);
}

/* Hummocks and hollows are as strong on a lattice's points as between them, so that no rows are seen. Control: noise on the
 * lattice's points, of the same waves, is not. */
TY_TEST(kind, hollows_know_of_no_lattice)
{
    ty_relief_def relief = { .baseline = 0.1, .hurst = 0.85, .outer = 0.7, .crumbs = true, .hollows_deg = 5.2 };
    TY_NEAR(lattice_seen(relief), 1.0, 0.06);
    relief.rms_slope_deg = 5.2, relief.hollows_deg = 0.0;
    TY_CHECK(lattice_seen(relief) > 1.3);
}

/* Small craters have a share of their own, gone over into that of larger ones by 2 m; numbers fall with size. */
TY_TEST(kind, small_craters_are_more)
{
    const ty_crater_def def = ty_terrain_def_kind(TY_GROUND_MARE).crater;
    double before = HUGE_VAL;
    TY_NEAR(ty_k_crater_share(0.3, def.density, def.small, def.wear), def.small, 1e-12);
    TY_NEAR(ty_k_crater_share(3.0, def.density, def.small, def.wear), def.density, 1e-12);
    TY_NEAR(ty_k_crater_share(0.3, def.density, 0.0, def.wear), def.density, 1e-12);
    for (double d = 0.05; d < 20.0; d *= 1.1) {
        double n = ty_k_crater_held(d, def.age, ty_k_crater_share(d, def.density, def.small, def.wear));
        TY_CHECK(n < before);
        before = n;
    }
    const ty_terrain_def plain = ty_terrain_def_default();
    TY_CHECK(plain.crater.small == 0.0 && !plain.relief.crumbs && plain.relief.micro_deg == 0.0 &&
             plain.relief.hollows_deg == 0.0);
}

/* The soil's brightness: standard deviation as asked for, brighter than 1 on new craters, 1 where nothing is asked. */
TY_TEST(kind, soil_differs_in_brightness)
{
    enum { N = 200 };
    static float a[N * N], b[N * N];
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
    def.tone = (ty_tone_def){ 0.0, 0.02, 0.1 };
    ty_terrain *t = make(def);
    int level = ty_terrain_level(t, 2.0);
    double sum = 0.0, squares = 0.0;
    for (int p = 0; p < 16; p++) {
        tyi_terrain_tone(t, level, p % 4 * 1000, p / 4 * 1000, N, N, a);
        for (int k = 0; k < N * N; k++) {
            sum += (double)a[k] / (16.0 * N * N);
            squares += (double)a[k] * (double)a[k] / (16.0 * N * N);
        }
    }
    TY_NEAR(sum, 1.0, 0.006); /* some 100 waves of 128 m are in it: three sigma */
    TY_NEAR_REL(sqrt(squares - sum * sum), 0.02, 0.15);
    /* a part asked for on its own has the same bits */
    tyi_terrain_tone(t, 0, 13, -70, N, N, a);
    tyi_terrain_tone(t, 0, 13 + 50, -70 + 60, 40, 40, b);
    for (int k = 0; k < 1600; k++) {
        TY_CHECK(a[(60 + k / 40) * N + 50 + k % 40] == b[k]);
    }
    ty_terrain_destroy(t);
    def.tone = (ty_tone_def){ 0.3, 0.0, 0.1 };
    t = make(def);
    ty_crater list[4000];
    size_t n = ty_terrain_craters(t, (ty_rect){ -300.0, -300.0, 300.0, 300.0 }, 6.0, 24.0, list, 4000);
    int fresh = 0, old = 0;
    double d = ty_terrain_spacing(t, level);
    for (size_t k = 0; k < n; k++) {
        tyi_terrain_tone(t, level, (int32_t)round(list[k].x / d), (int32_t)round(list[k].y / d), 1, 1, a);
        fresh += list[k].freshness > 0.8 && a[0] > 1.05f;
        old += list[k].freshness > 0.8 && !(a[0] > 1.05f);
    }
    TY_CHECK(fresh > 0 && old == 0);
    ty_terrain_destroy(t);
    def.tone.halo = 0.0;
    t = make(def);
    TY_CHECK(!tyi_terrain_tone_varies(t));
    ty_terrain_destroy(t);
}

/* Rocks by the power law: numbers fall as D^-b; nothing of the Martian cut-off. */
TY_TEST(kind, rocks_follow_the_power_law)
{
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
    def.rock.crater_boost = 1.0;
    ty_terrain *t = make(def);
    ty_rect r = { -150.0, -150.0, 150.0, 150.0 };
    double n5 = (double)ty_terrain_rocks(t, r, 0.05, 10.0, NULL, 0),
           n10 = (double)ty_terrain_rocks(t, r, 0.1, 10.0, NULL, 0),
           n40 = (double)ty_terrain_rocks(t, r, 0.4, 10.0, NULL, 0);
    TY_NEAR(log2(n5 / n10), def.rock.exponent, 0.1);
    TY_NEAR(0.5 * log2(n10 / n40), def.rock.exponent, 0.3);
    static ty_rock list[8000];
    size_t n = ty_terrain_rocks(t, (ty_rect){ -60.0, -60.0, 60.0, 60.0 }, 0.1, 10.0, list, 8000);
    cr_assert(n > 500 && n <= 8000);
    double deep = 0.0;
    for (size_t k = 0; k < n; k++) {
        deep += list[k].burial >= 0.4 ? 1.0 / (double)n : 0.0;
        TY_CHECK((list[k].shape >= TY_ROCK_SHAPES / 2) == (list[k].burial >= 0.4));
    }
    TY_NEAR(deep, def.rock.old, 0.05);
    ty_terrain_destroy(t);
}

/* Soil stands higher round worn rocks, by up to 0.42 of what is seen of them, and nowhere else; the rocks stand as without it. Control: angular ones have none. */
TY_TEST(kind, worn_rocks_have_fillets)
{
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
    def.rock.d_min = 0.3, def.rock.cover = 0.03;
    ty_terrain *with = make(def);
    def.rock.fillet = 0.0;
    ty_terrain *without = make(def);
    static ty_rock list[400];
    size_t n = ty_terrain_rocks(with, (ty_rect){ -30.0, -30.0, 30.0, 30.0 }, 0.3, 10.0, list, 400);
    cr_assert(n > 20 && n <= 400);
    int level = ty_terrain_level(with, 0.02), worn = 0, bare = 0, raised = 0;
    double d = ty_terrain_spacing(with, level);
    for (size_t k = 0; k < n; k++) {
        double near = HUGE_VAL;
        for (size_t m = 0; m < n; m++) {
            double far = hypot(list[k].x - list[m].x, list[k].y - list[m].y) - list[m].diameter;
            near = m != k ? fmin(near, far) : near;
        }
        if (near < 2.0 * list[k].diameter) {
            continue;
        }
        float a, b;
        int32_t i = (int32_t)lround((list[k].x + 0.55 * list[k].diameter) / d), j = (int32_t)lround(list[k].y / d);
        cr_assert(ty_terrain_region(with, level, i, j, 1, 1, 0.0, &a, 1, NULL) == TY_OK);
        cr_assert(ty_terrain_region(without, level, i, j, 1, 1, 0.0, &b, 1, NULL) == TY_OK);
        ty_pose p, q;
        ty_rock same = list[k];
        cr_assert(tyi_terrain_rock_poses(with, 1, &same, &p, 1, NULL) == TY_OK);
        cr_assert(tyi_terrain_rock_poses(without, 1, &same, &q, 1, NULL) == TY_OK);
        TY_CHECK(p.p.z == q.p.z);
        double high =
            list[k].scale * (double)ty_terrain_rock_shape(with, list[k].shape)->height * (1.0 - list[k].burial);
        if (list[k].burial >= 0.4) {
            worn++;
            raised += a > b;
            TY_CHECK((double)(a - b) <= 0.42 * high + 1e-5);
        } else {
            bare++;
            TY_CHECK(a == b);
        }
    }
    TY_CHECK(worn > 5 && raised == worn && bare > 1);
    ty_terrain_destroy(with);
    ty_terrain_destroy(without);
}

/* Share of the rocks from a decimetre up that lie in fresh craters (depth above a tenth) or within a radius of their crests, and the number of rocks. */
static double near_fresh(ty_terrain_def def, uint64_t seed, double *number)
{
    static ty_rock rock[60000];
    static ty_crater crater[60000];
    ty_rect r = { -100.0, -100.0, 100.0, 100.0 }, wide = { -300.0, -300.0, 300.0, 300.0 };
    def.seed = seed;
    ty_terrain *t = make(def);
    size_t n = ty_terrain_rocks(t, r, 0.1, 10.0, rock, 60000),
           m = ty_terrain_craters(t, wide, 1.0, 400.0, crater, 60000);
    cr_assert(n > 500 && n <= 60000 && m > 100 && m <= 60000);
    size_t in = 0, fresh = 0;
    for (size_t b = 0; b < m; b++) {
        if (crater[b].depth_ratio > 0.1) {
            crater[fresh++] = crater[b];
        }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < fresh; b++) {
            if (hypot(rock[a].x - crater[b].x, rock[a].y - crater[b].y) < crater[b].diameter) {
                in++;
                break;
            }
        }
    }
    ty_terrain_destroy(t);
    *number += (double)n;
    return (double)in;
}

/* Craters take rocks from the plain: most of them lie at fresh ones, while the mean over large ground stays what the law says. Control: rocks that
 * do not know of craters lie there as often as elsewhere. */
TY_TEST(kind, rocks_gather_at_fresh_craters)
{
    enum { SEEDS = 12 };
    double at[2] = { 0 }, all[2] = { 0 };
    for (int k = 0; k < 2; k++) {
        ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_POLAR_FLOOR);
        def.crater.d_max = 30.0; /* one larger fresh one would fill the ground that is looked at */
        def.rock.crater_boost = k ? 1.0 : def.rock.crater_boost;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            at[k] += near_fresh(def, seed, &all[k]);
        }
    }
    printf("%.3f of the rocks lie at fresh craters, %.3f by chance; %.3f times as many\n", at[0] / all[0],
           at[1] / all[1], all[0] / all[1]);
    TY_CHECK(at[0] / all[0] > 0.55 && at[1] / all[1] < 0.15);
    TY_NEAR(all[0] / all[1], 1.0, 0.25);
}

/* Some rocks stick in others, so that the two are no convex body. Control: without worn rocks, as sites of before have them, next to none do. */
TY_TEST(kind, pieces_stick_in_rocks)
{
    static ty_rock list[6000];
    double share[2];
    for (int k = 0; k < 2; k++) {
        ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_MARE);
        def.rock.old = k ? 0.0 : def.rock.old, def.rock.fillet = 0.0;
        def.rock.crater_boost = 1.0;
        ty_terrain *t = make(def);
        size_t n = ty_terrain_rocks(t, (ty_rect){ -50.0, -50.0, 50.0, 50.0 }, 0.1, 10.0, list, 6000), in = 0;
        cr_assert(n > 500 && n <= 6000);
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < n; b++) {
                double far = hypot(list[a].x - list[b].x, list[a].y - list[b].y);
                if (a != b && list[b].diameter > list[a].diameter && far < 0.46 * list[b].diameter) {
                    in++;
                    break;
                }
            }
        }
        share[k] = (double)in / (double)n;
        ty_terrain_destroy(t);
    }
    printf("%.3f of the rocks stick in larger ones, %.3f by chance\n", share[0], share[1]);
    TY_CHECK(share[0] > 0.04 && share[0] < 0.16 && share[1] < 0.02);
}

/* In a new crater there are no old craters a half to a sixteenth as wide; outside of it there are. */
TY_TEST(kind, new_craters_wipe_out_old_ones)
{
    static ty_crater list[60000];
    ty_terrain_def def = ty_terrain_def_kind(TY_GROUND_HIGHLAND);
    ty_terrain *t = make(def);
    size_t n = ty_terrain_craters(t, (ty_rect){ -120.0, -120.0, 120.0, 120.0 }, 0.5, 40.0, list, 60000);
    cr_assert(n > 1000 && n <= 60000);
    int inside = 0, beside = 0;
    for (size_t a = 0; a < n; a++) {
        if (list[a].freshness < 0.97 || list[a].diameter < 2.0) { /* younger than 0.006 of its life */
            continue;
        }
        for (size_t b = 0; b < n; b++) {
            double far = hypot(list[a].x - list[b].x, list[a].y - list[b].y) / (0.5 * list[a].diameter);
            double ratio = list[a].diameter / list[b].diameter;
            bool old = ratio >= 2.0 && ratio < 8.0 && list[b].freshness < 0.05; /* older than 0.45 of its life */
            inside += old && far < 1.0;
            beside += old && far > 1.0 && far < 1.5;
        }
    }
    TY_CHECK(inside == 0 && beside >= 3);
    ty_terrain_destroy(t);
}

/* Soil that was driven over: the numbers of photographs by phase angle, where traces are, at levels around the edits' own.
 * Control: untouched ground keeps its brightness bit by bit. */
TY_TEST(kind, tracks_are_dark_across_the_sun)
{
    double at[4] = { 10.0, 83.0, 122.0, 170.0 }, f[4];
    for (int k = 0; k < 4; k++) {
        double s = sin(0.5 * at[k] * TY_DEG);
        f[k] = ty_k_tone_disturbed(s * s);
    }
    TY_CHECK(f[0] > 0.88 && f[0] < 0.95 && f[1] > 0.55 && f[1] < 0.62 && f[2] > 0.38 && f[2] < 0.5 && f[3] > 1.0);
    TY_NEAR(ty_k_tone_grains(0.0), 1.0, 0.0);
    enum { N = 65 };
    static float a[N * N], b[N * N];
    float change[16] = { 0 };
    uint8_t trace[16];
    memset(trace, 128, sizeof trace);
    ty_terrain *t = make(ty_terrain_def_kind(TY_GROUND_MARE));
    int level = ty_terrain_get_def(t)->edit_level;
    tyi_terrain_tone(t, level, -8, -8, N, N, a);
    memcpy(b, a, sizeof a);
    TY_CHECK(!tyi_terrain_tone_tracks(t, level, -8, -8, N, N, b) && !memcmp(a, b, sizeof a));
    ty_edit edit = { .i0 = 4, .j0 = 8, .nx = 4, .ny = 4, .change = change, .trace = trace };
    cr_assert(ty_terrain_edit(t, &edit, NULL) == TY_OK);
    for (int up = -1; up <= 1; up++) {
        int marked = 0, wrong = 0, first = up < 0 ? 8 : 4 >> up, low = up < 0 ? 16 : 8 >> up,
            side = up < 0 ? 8 : 4 >> up;
        tyi_terrain_tone(t, level + up, -8, -8, N, N, a);
        memcpy(b, a, sizeof a);
        TY_CHECK(tyi_terrain_tone_tracks(t, level + up, -8, -8, N, N, b));
        for (int k = 0; k < N * N; k++) {
            int i = k % N - 8, j = k / N - 8;
            bool in = i >= first && i < first + side && j >= low && j < low + side;
            marked += b[k] < 0.0f;
            wrong += b[k] != (in ? -a[k] : a[k]);
        }
        TY_CHECK(wrong == 0 && marked == side * side);
    }
    ty_terrain_destroy(t);
}
