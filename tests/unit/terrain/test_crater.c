/* tests/unit/terrain/test_crater.c - are craters as many, as deep and as smooth as the laws say?
 * SPDX-License-Identifier: BSD-3-Clause */
#include "world/terrain/crater.h"
#include "k_crater.h"
#include "tyt.h"

static tyi_terrain_craters make(double age, double d_min, double d_max, uint64_t seed)
{
    tyi_terrain_craters f;
    ty_crater_def def = { .on = true, .age = age, .d_min = d_min, .d_max = d_max, .density = 1.0 };
    tyi_terrain_craters_init(&f, &def, seed);
    return f;
}

/* the production curve as printed, with its a_0 and per Gyr, for comparison; [1/m2] */
static double printed_production(double d)
{
    const double a[12] = { -3.0876, -3.557528, .781027,  1.021521, -.156012, -.444058,
                           .019977, .086850,   -.005874, -.006809, 8.25e-4,  5.54e-5 };
    double sum = 0.0;
    for (int j = 0; j < 12; j++) {
        sum += a[j] * pow(log10(d / 1000.0), j);
    }
    return 1e-6 * pow(10.0, sum);
}

TY_TEST(crater, laws_have_their_published_values)
{
    /* chronology at 3.5 Gyr per km2: 5.44e-14 (exp(24.255) - 1) = 1.8594e-3, and 2.933e-3 */
    TY_NEAR_REL(ty_k_crater_production(1000.0, 3.5), 4.7924e-9, 1e-3);
    for (double d = 10.0; d < 2e4; d *= 1.7) {
        TY_NEAR_REL(ty_k_crater_production(d, 1.0), printed_production(d) * 8.38e-4 * pow(10.0, 3.0876), 1e-6);
    }
    TY_NEAR_REL(ty_k_crater_equilibrium(10.0), pow(10.0, -3.1), 1e-12);
    /* so the cut matters */
    TY_FAR_REL(ty_k_crater_production(10.0, 3.5), ty_k_crater_equilibrium(10.0), 1.0);
    /* below 10 m: the same value and slope go on */
    double a = ty_k_crater_production(10.0 * 0.9999, 3.5), b = ty_k_crater_production(10.0 * 1.0001, 3.5);
    TY_NEAR_REL(ty_k_crater_production(10.0, 3.5), sqrt(a * b), 1e-6);
    TY_NEAR_REL(ty_k_crater_production(0.1, 3.5),
                ty_k_crater_production(1.0, 3.5) * ty_k_crater_production(1.0, 3.5) / ty_k_crater_production(10.0, 3.5),
                1e-9);
}

static double count(const tyi_terrain_craters *f, double side, double d)
{
    ty_rect rect = { -0.5 * side, -0.25 * side, 0.5 * side, 0.75 * side };
    return (double)tyi_terrain_craters_in(f, rect, d, 1e9, NULL, 0);
}

/* from 1 to 100 m, on areas that hold thousands; and for a young surface around its crossing */
TY_TEST(crater, counted_density_follows_the_law)
{
    const struct {
        double age, d, side;
    } at[] = { { 3.5, 1, 300 },   { 3.5, 2, 600 },    { 3.5, 5, 1500 },   { 3.5, 10, 3000 },   { 3.5, 20, 6000 },
               { 3.5, 50, 15e3 }, { 3.5, 100, 30e3 }, { 3.5, 200, 60e3 }, { 3.5, 500, 200e3 }, { 0.1, 3, 1000 },
               { 0.1, 10, 6000 }, { 0.1, 30, 20e3 },  { 1.0, 60, 20e3 } };
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        tyi_terrain_craters f = make(at[i].age, 0.5, 5000.0, 11 + i);
        double law = fmin(ty_k_crater_production(at[i].d, at[i].age), pow(10.0, -1.1) / (at[i].d * at[i].d)) -
                     ty_k_crater_density(5000.0, at[i].age);
        double want = law * at[i].side * at[i].side, got = count(&f, at[i].side, at[i].d);
        TY_CHECK(want > 500.0);
        TY_NEAR(got, want, 4.0 * sqrt(want)); /* counting error alone; the issue allows 15 % more */
        TY_NEAR_REL(tyi_terrain_craters_density(&f, at[i].d), law, 1e-9);
        printf("craters: age %.1f Gyr, D > %g m: %.0f counted, %.0f by the law (%+.1f %%)\n", at[i].age, at[i].d, got,
               want, 100.0 * (got / want - 1.0));
    }
    /* control: with the equilibrium forgotten there would be several times as many */
    tyi_terrain_craters f = make(3.5, 0.5, 5000.0, 11);
    TY_FAR_REL(count(&f, 3000.0, 10.0), ty_k_crater_production(10.0, 3.5) * 9e6, 0.5);
    /* limits of the definition */
    TY_CHECK(count(&f, 300.0, 0.01) == count(&f, 300.0, 0.5));
    TY_CHECK(tyi_terrain_craters_density(&f, 5000.0) == 0.0);
    f.def.on = false;
    TY_CHECK(count(&f, 300.0, 0.5) == 0.0);
}

/* numbers between two sizes too, across the crossing of production and equilibrium */
TY_TEST(crater, differential_density_follows_the_law)
{
    tyi_terrain_craters f = make(3.5, 0.5, 5000.0, 5);
    ty_rect rect = { 0.0, 0.0, 40e3, 40e3 };
    double sum = 0.0;
    int bins = 0;
    for (double d = 60.0; d < 500.0; d *= 1.15, bins++) {
        double want = (ty_k_crater_density(d, 3.5) - ty_k_crater_density(1.15 * d, 3.5)) * 1.6e9;
        double got = (double)tyi_terrain_craters_in(&f, rect, d, 1.15 * d, NULL, 0);
        sum += (got - want) * (got - want) / want;
    }
    TY_NEAR(sum, bins, 3.0 * sqrt(2.0 * bins)); /* chi-square has mean bins, variance 2 bins */
    printf("craters: chi-square %.1f for %d bins from 60 to 500 m\n", sum, bins);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *v, int n, double q)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    double at = q * (n - 1);
    int i = (int)at < n - 1 ? (int)at : n - 2;
    return v[i] + (at - i) * (v[i + 1] - v[i]);
}

/* diameters and depth ratios of the table that are in [low, high) m */
static int read_stopar(const char *path, double low, double high, double *ratio, int capacity)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int n = 0;
    while (file && fgets(line, sizeof line, file)) {
        double d, r;
        if (sscanf(line, "%*[^,],%*[^,],%*[^,],%*[^,],%lf,%*[^,],%lf", &d, &r) == 2 && d >= low && d < high &&
            n < capacity) {
            ratio[n++] = r;
        }
    }
    if (file) {
        fclose(file);
    }
    return n;
}

static const double border[7] = { 30.0, 60.0, 100.0, 200.0, 400.0, 1000.0, 3000.0 };

TY_TEST(crater, depths_spread_as_measured)
{
    TY_NEED_SHARED(path, "data/craters/S2-Stopar_et_al._Simple_Craters.csv");
    tyi_terrain_craters f = make(3.5, 0.5, 5000.0, 3);
    const double medians[6] = { .11, .12, .14, .15, .19, .22 };
    const double side[6] = { 4e3, 8e3, 15e3, 30e3, 100e3, 400e3 };
    static double theirs[1000], ours[20000];
    static ty_crater list[20000];
    for (int c = 0; c < 6; c++) {
        int n = read_stopar(path, c ? border[c] : 0.0, border[c + 1], theirs, 1000);
        ty_rect rect = { 0.0, 0.0, side[c], side[c] };
        int m = (int)tyi_terrain_craters_in(&f, rect, border[c], border[c + 1], list, 20000);
        TY_CHECK(n >= 27 && m >= 500 && m <= 20000);
        for (int i = 0; i < m; i++) {
            ours[i] = list[i].depth_ratio;
            /* freshness goes with depth among craters of a size */
            double z = 4.0 * sqrt(list[i].freshness) - 2.0;
            TY_NEAR(list[i].depth_ratio, ty_k_crater_depth_ratio(list[i].diameter, z), 1e-9);
        }
        double got = quantile(ours, m, 0.5), want = quantile(theirs, n, 0.5);
        TY_NEAR(want, medians[c], 1e-9); /* the borders chosen here give the medians */
        TY_NEAR(got, want, 0.0075);      /* the table is rounded to 0.01 */
        if (c > 0) {
            TY_FAR(got, medians[(c + 2) % 6], 0.0075); /* control: another class's median */
        }
        printf("craters: %g to %g m: d/D median %.3f (table %.3f), 16 %% %.3f (%.3f), 84 %% %.3f "
               "(%.3f), all %.3f to %.3f (%.2f to %.2f)\n",
               border[c], border[c + 1], got, want, quantile(ours, m, 0.16), quantile(theirs, n, 0.16),
               quantile(ours, m, 0.84), quantile(theirs, n, 0.84), ours[0], ours[m - 1], theirs[0], theirs[n - 1]);
        TY_NEAR(quantile(ours, m, 0.16), quantile(theirs, n, 0.16), 0.02);
        TY_NEAR(quantile(ours, m, 0.84), quantile(theirs, n, 0.84), 0.02);
        /* inside the published range, rounding included (the tables' classes hold 27 to 326 craters, ours more) */
        int inside = 0;
        for (int i = 0; i < m; i++) {
            inside += ours[i] >= theirs[0] - 0.005 && ours[i] <= theirs[n - 1] + 0.005;
        }
        TY_CHECK(inside > 0.98 * m);
    }
}

TY_TEST(crater, profile_has_the_depth_it_was_given)
{
    for (double d = 0.05; d < 6000.0; d *= 3.1) {
        for (double fresh = 0.0; fresh <= 1.0; fresh += 0.25) {
            double ratio = 0.07 + 0.15 * fresh;
            ty_k_crater k = ty_k_crater_make(d, ratio, fresh);
            double top = -INFINITY, at = 0.0, low = INFINITY;
            for (int i = 0; i <= 4000; i++) {
                double s = i / 1000.0, h = ty_k_crater_profile(k, s * s);
                at = h > top ? s : at;
                top = fmax(top, h);
                low = fmin(low, h);
                TY_CHECK(s < 3.0 || h == 0.0);
                TY_CHECK(s < 1.0 || h >= 0.0);
            }
            TY_NEAR_REL(top - ty_k_crater_profile(k, 0.0), ratio * d, 1e-9);
            TY_FAR_REL(top, ratio * d, 0.1); /* control: depth below the plain instead of the crest */
            TY_NEAR(at, 1.0, 1e-9);
            TY_NEAR_REL(low, ty_k_crater_profile(k, 0.0), 1e-9);
            /* rim: .16 of the depth when fresh [issue's lengths], lower when old, never above .2 */
            TY_CHECK(top / (ratio * d) > 0.09 && top / (ratio * d) < 0.2);
        }
    }
    /* a fresh 1 km crater with the depth of the published lengths: rim 43 m, floor -224 m, ejecta at 1.8 R */
    ty_k_crater k = ty_k_crater_make(1000.0, 0.267, 1.0);
    TY_NEAR_REL(ty_k_crater_profile(k, 1.0), 43.0, 1e-9);
    TY_NEAR_REL(ty_k_crater_profile(k, 0.0), -224.0, 1e-9);
    TY_NEAR_REL(ty_k_crater_profile(k, 1.8 * 1.8), 0.14 * pow(500.0, 0.74) * pow(1.8, -3.0), 0.25);
    TY_NEAR_REL(ty_k_crater_profile(k, 1.6 * 1.6) / ty_k_crater_profile(k, 1.9 * 1.9), pow(1.9 / 1.6, 3.0), 1e-9);
    TY_ROW("fresh crater: rim, floor and depth as published within 1e-9", "rim .043 D^1.014, floor -.224 D^1.010",
           "worst %.1e", tyt_worst_rel("top - ty_k_crater_profile(k, 0.0)"));
}

/* largest change of slope over a step, in units of depth / radius */
static double slope_jump(ty_k_crater k, double step, bool kink)
{
    double most = 0.0;
    for (double s = 2.0 * step; s < 3.2; s += step) {
        double h[3];
        for (int i = 0; i < 3; i++) {
            double at = s + (i - 1) * step;
            h[i] = ty_k_crater_profile(k, at * at) + (kink ? 0.2 * k.rim * fabs(at - 1.0) : 0.0);
        }
        most = fmax(most, fabs(h[2] - 2.0 * h[1] + h[0]) / step);
    }
    return most;
}

TY_TEST(crater, slope_is_continuous)
{
    for (double d = 0.3; d < 3000.0; d *= 7.0) {
        for (double fresh = 0.0; fresh <= 1.0; fresh += 0.2) {
            ty_k_crater k = ty_k_crater_make(d, 0.15, fresh);
            /* of a smooth curve the change of slope shrinks with the step; a kink's does not */
            TY_NEAR(slope_jump(k, 1e-4, false) / slope_jump(k, 1e-3, false), 0.1, 0.02);
            TY_FAR(slope_jump(k, 1e-4, true) / slope_jump(k, 1e-3, true), 0.1, 0.02);
        }
    }
}

/* Heights follow the depth; what is thrown out and lifted is about what is missing. */
TY_TEST(crater, volume_is_plausible)
{
    for (double d = 1.0; d < 4000.0; d *= 3.0) {
        for (double z = -2.0; z <= 2.0; z += 1.0) {
            double ratio = ty_k_crater_depth_ratio(d, z), fresh = ty_k_crater_freshness(z);
            ty_k_crater a = ty_k_crater_make(d, ratio, fresh), b = ty_k_crater_make(d, 2.0 * ratio, fresh);
            double hole = 0.0, raised = 0.0, twice = 0.0;
            for (int i = 0; i < 3000; i++) {
                double s = (i + 0.5) / 1000.0, h = ty_k_crater_profile(a, s * s);
                hole -= fmin(h, 0.0) * s;
                raised += fmax(h, 0.0) * s;
                twice += fmax(ty_k_crater_profile(b, s * s), 0.0) * s;
            }
            TY_CHECK(raised / hole > 0.5 && raised / hole < 1.2);
            TY_NEAR_REL(twice, 2.0 * raised, 1e-9);
        }
    }
}

static void check_same(const ty_crater *a, const ty_crater *b)
{
    TY_CHECK(memcmp(a, b, sizeof *a) == 0);
}

TY_TEST(crater, the_same_whoever_asks)
{
    tyi_terrain_craters f = make(3.5, 0.5, 2000.0, 0x123456789abcdefull);
    static ty_crater all[20000], part[20000];
    ty_rect whole = { -70.0, -50.0, 90.0, 110.0 };
    size_t n = tyi_terrain_craters_in(&f, whole, 0.7, 1e9, all, 20000), found = 0;
    TY_CHECK(n > 3000 && n < 20000);
    /* an uneven grid of parts, last to first, in two ranges of size */
    const double x[] = { -70.0, -12.8, 0.0, 31.0, 90.0 }, y[] = { -50.0, 8.0, 8.001, 110.0 };
    for (int p = 23; p >= 0; p--) {
        ty_rect rect = { x[p % 4], y[p / 4 % 3], x[p % 4 + 1], y[p / 4 % 3 + 1] };
        double low = p < 12 ? 0.7 : 3.3, high = p < 12 ? 3.3 : 1e9;
        size_t m = tyi_terrain_craters_in(&f, rect, low, high, part, 20000), at = 0;
        for (size_t i = 0; i < n; i++) {
            const ty_crater *c = &all[i];
            if (c->x >= rect.x0 && c->x < rect.x1 && c->y >= rect.y0 && c->y < rect.y1 && c->diameter >= low &&
                c->diameter < high) {
                check_same(c, &part[at++]); /* the same order, too */
            }
        }
        TY_CHECK(at == m);
        found += m;
    }
    TY_CHECK(found == n);
    TY_CHECK(tyi_terrain_craters_in(&f, whole, 0.7, 1e9, part, 10) == n); /* a short list is filled as far as it goes */
    check_same(&part[9], &all[9]);
    tyi_terrain_craters other = make(3.5, 0.5, 2000.0, 0x123456789abcdeeull);
    tyi_terrain_craters_in(&other, whole, 0.7, 1e9, part, 20000);
    TY_CHECK(memcmp(all, part, sizeof *all) != 0); /* control: another seed */
}

/* A sample has the same bits in whatever grid it is computed, far from the origin as well. */
TY_TEST(crater, heights_do_not_depend_on_the_grid)
{
    tyi_terrain_craters f = make(3.5, 0.01, 500.0, 9);
    enum { N = 300 };
    static float big[N * N], small[64 * 64];
    const double spacing = 0.01 * 8.0;
    const int64_t i0 = -123457, j0 = 34567;
    memset(big, 0, sizeof big);
    tyi_terrain_craters_add(&f, 0.3, 1e9, (double)i0 * spacing, (double)j0 * spacing, spacing, N, N, N, big);
    int different = 0, shifted = 0;
    for (int part = 0; part < 40; part++) {
        int i = (part * 97) % (N - 64), j = (part * 59) % (N - 64), nx = 64 - part % 7, ny = 64 - part % 5;
        for (int pass = 0; pass < 2; pass++) {
            memset(small, 0, sizeof small);
            double x = (double)(i0 + i) * spacing + pass * 0.01, y = (double)(j0 + j) * spacing;
            tyi_terrain_craters_add(&f, 0.3, 1e9, x, y, spacing, nx, ny, 64, small);
            for (int r = 0; r < ny; r++) {
                int d = memcmp(&small[r * 64], &big[(j + r) * N + i], (size_t)nx * sizeof(float)) != 0;
                *(pass ? &shifted : &different) += d;
            }
        }
    }
    TY_CHECK(different == 0);
    TY_CHECK(shifted > 1000); /* control: samples 1 cm beside */
}

/* The grid holds what the kernel says: one crater alone, found in the catalogue. */
TY_TEST(crater, grid_matches_the_kernel)
{
    tyi_terrain_craters f = make(3.5, 40.0, 41.0, 21);
    ty_crater list[8];
    size_t n = tyi_terrain_craters_in(&f, (ty_rect){ 0.0, 0.0, 1200.0, 1200.0 }, 0.0, 1e9, list, 8);
    TY_CHECK(n >= 1);
    for (size_t c = 0; c < n && c < 8; c++) {
        const double spacing = 0.5;
        enum { N = 300 };
        static float h[N * N];
        double x0 = spacing * floor((list[c].x - 75.0) / spacing), y0 = spacing * floor((list[c].y - 75.0) / spacing);
        memset(h, 0, sizeof h);
        tyi_terrain_craters_add(&f, list[c].diameter * 0.99999, list[c].diameter * 1.00001, x0, y0, spacing, N, N, N,
                                h);
        /* outline: mean height by ring against the round profile; distortion is of second order in the mean */
        ty_k_crater k = ty_k_crater_make(list[c].diameter, list[c].depth_ratio, list[c].freshness);
        double sum[36] = { 0 };
        int count_of[36] = { 0 }, wrong = 0;
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                double dx = x0 + i * spacing - list[c].x, dy = y0 + j * spacing - list[c].y;
                double s = hypot(dx, dy) / (0.5 * list[c].diameter);
                if (s < 3.5) {
                    sum[(int)(10.0 * s)] += (double)h[j * N + i] - ty_k_crater_profile(k, s * s);
                    count_of[(int)(10.0 * s)]++;
                }
                wrong += s > TY_K_CRATER_REACH && h[j * N + i] != 0.0f;
            }
        }
        for (int r = 0; r < 35; r++) {
            TY_NEAR(sum[r] / count_of[r], 0.0, 0.04 * list[c].depth_ratio * list[c].diameter);
        }
        TY_CHECK(wrong == 0);
    }
}

/* rim (mean round the crest, which leaves out tilts) minus floor, read off a grid, per diameter */
static double measure(const float *h, int n, double spacing, const ty_crater *c)
{
    double rim = 0.0, floor_height = 0.0;
    for (int a = 0; a < 64; a++) {
        double best = -INFINITY;
        for (double s = 0.85; s <= 1.15; s += 0.05) {
            double x = (c->x + 0.5 * s * c->diameter * cos(a * TY_PI / 32.0)) / spacing;
            double y = (c->y + 0.5 * s * c->diameter * sin(a * TY_PI / 32.0)) / spacing;
            best = fmax(best, (double)h[(int)round(y) * n + (int)round(x)]);
        }
        rim += best / 64.0;
    }
    int r = (int)ceil(0.12 * 0.5 * c->diameter / spacing), count_of = 0;
    for (int j = -r; j <= r; j++) {
        for (int i = -r; i <= r; i++) {
            floor_height += (double)h[((int)round(c->y / spacing) + j) * n + (int)round(c->x / spacing) + i];
            count_of++;
        }
    }
    return (rim - floor_height / count_of) / c->diameter;
}

/* The depth ratio of catalogued craters as a person would measure it on the finished surface, with
 * all the smaller and larger craters on it. */
TY_TEST(crater, depths_read_off_the_surface)
{
    enum { N = 1000 };
    static float h[N * N];
    static ty_crater list[4000];
    static double ratio[4000];
    tyi_terrain_craters f = make(3.5, 1.0, 2000.0, 77);
    const double spacing = 2.0;
    memset(h, 0, sizeof h);
    tyi_terrain_craters_add(&f, 4.0 * spacing, 1e9, 0.0, 0.0, spacing, N, N, N, h);
    for (int c = 0; c < 3; c++) {
        ty_rect rect = { 150.0, 150.0, N * spacing - 150.0, N * spacing - 150.0 };
        int n = (int)tyi_terrain_craters_in(&f, rect, border[c], border[c + 1], list, 4000), inside = 0;
        double low = 0.06,
               high = (double[]){ .17, .20, .23 }[c]; /* smallest and largest of the class in [stopar2017] */
        for (int i = 0; i < n; i++) {
            ratio[i] = measure(h, N, spacing, &list[i]);
            inside += ratio[i] >= low && ratio[i] <= high;
        }
        double got = quantile(ratio, n, 0.5), want = (double[]){ .11, .12, .14 }[c];
        printf("craters: %g to %g m: %d read off the surface, median d/D %.3f (%.2f), %.0f %% "
               "within %.2f to %.2f\n",
               border[c], border[c + 1], n, got, want, 100.0 * inside / n, low, high);
        TY_NEAR(got, want, 0.02);
        TY_CHECK(inside > 0.9 * n);
    }
}

/* ---- equilibrium that nobody put in ---- */

enum { EPOCHS = 8 };

/* number above d on the square that later craters leave, when all that fell is the production of EPOCHS epochs; all: also what they wiped out */
static double left(const tyi_terrain_craters *f, double side, double d, bool all)
{
    ty_rect rect = { 0.0, 0.0, side, side };
    double n = 0.0;
    for (int e = 0; e < EPOCHS; e++) {
        tyi_terrain_crater_walk w = tyi_terrain_craters_walk(&f[e], rect, d, 1e9, 0.0);
        tyi_terrain_crater_item item;
        while (tyi_terrain_craters_next(&w, &item)) {
            if (item.c.x < 0.0 || item.c.x >= side || item.c.y < 0.0 || item.c.y >= side) {
                continue;
            }
            tyi_terrain_crater_finish(&f[e], &item);
            bool gone = !all && tyi_terrain_crater_wiped(&f[e], &item);
            item.age = 2.0; /* older than anything of a later epoch */
            for (int k = e + 1; k < EPOCHS && !gone && !all; k++) {
                gone = tyi_terrain_crater_wiped(&f[k], &item);
            }
            n += !gone;
        }
    }
    return n;
}

/* Production in, equilibrium out: where far more craters fall than there is room for, those that later ones leave are as many above D as D^-2
 * says [trask1966], though they fell as D^-3 and nothing says how many may stay. The generator's own rule does it (a later crater, two to
 * sixteen times as wide, wipes out what lies inside its crest); how many are left follows from that in closed form. */
TY_TEST(crater, equilibrium_of_its_own)
{
    tyi_terrain_craters f[EPOCHS];
    const double low = 0.25, high = 0.5, side = 9.0;
    double age = 25.0 * ty_k_crater_equilibrium(low) / ty_k_crater_production(low, 1.0);
    for (int e = 0; e < EPOCHS; e++) {
        ty_crater_def def = { .on = true, .age = age, .d_min = low, .d_max = 64.0, .density = 1e9, .wear = 16.0 };
        tyi_terrain_craters_init(&f[e], &def, 300 + (uint64_t)e);
        for (int k = 0; k <= TYI_TERRAIN_CRATER_OCTAVES; k++) {
            f[e].life[k] = 1.0; /* ages are spread over the epoch, whatever their size */
        }
    }
    double fell = left(f, side, low, true), stay = left(f, side, low, false), large = left(f, side, high, false);
    double falling = log(fell / left(f, side, high, true)) / log(high / low);
    double standing = log(stay / large) / log(high / low), error = sqrt(1.0 / large - 1.0 / stay) / log(high / low);
    /* n ~ D^-b: those of 2 D to 16 D cover a point b pi/4/(b - 2) (2^(2-b) - 16^(2-b)) N D^2 times while N are made; what falls, over that rate, stays */
    double b = log(ty_k_crater_production(low, 1.0) / ty_k_crater_production(2.0 * low, 1.0)) / log(2.0);
    double law = 2.0 / TY_PI * (b - 2.0) / (pow(2.0, 2.0 - b) - pow(16.0, 2.0 - b));
    double got = stay * low * low / (side * side);
    printf(
        "craters: %.0f fell, %.0f are left; above D as D^-%.2f and D^-%.2f; N D^2 %.2f (closed form %.2f), %.0f %% of 1.54\n",
        fell, stay, falling, standing, got, law, 100.0 * got / 1.54);
    TY_NEAR(standing, 2.0, 0.1 + 2.0 * error); /* two counting errors more */
    TY_NEAR_REL(got, law, 0.1);
    TY_FAR(falling, 2.0, 0.5); /* control: without wiping out it is not in equilibrium */
}
