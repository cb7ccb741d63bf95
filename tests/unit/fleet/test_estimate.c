/* Points of designs against published ones, and what is estimated from them against what is known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fleet/fleet.h"
#include "k_chance.h"
#include "k_philox.h"
#include "tyt.h"

/* ---- points ---- */

/* The first points in three dimensions as Apache Commons Math prints them, and points 37 and 1000 of 32 dimensions by scipy 1.x
 * (scipy.stats.qmc.Sobol, scramble=False): both of new-joe-kuo-6.21201. In 1024ths. */
TY_TEST(estimate, sobol_points_are_joe_and_kuo_s)
{
    static const double first[10][3] = { { 0.0, 0.0, 0.0 },         { 0.5, 0.5, 0.5 },       { 0.75, 0.25, 0.25 },
                                         { 0.25, 0.75, 0.75 },      { 0.375, 0.375, 0.625 }, { 0.875, 0.875, 0.125 },
                                         { 0.625, 0.125, 0.875 },   { 0.125, 0.625, 0.375 }, { 0.1875, 0.3125, 0.9375 },
                                         { 0.6875, 0.8125, 0.4375 } };
    static const unsigned late[2][32] = {
        { 944, 656, 592, 944, 784, 304, 176, 816, 624, 176, 16,  80,  592, 880, 112, 496,
          816, 432, 48,  144, 976, 80,  560, 656, 304, 368, 816, 400, 528, 112, 368, 144 },
        { 225, 99,  531,  693, 287, 929, 47,  921, 513, 71,  87, 261,  165, 393, 147, 379,
          737, 353, 1015, 743, 535, 563, 973, 553, 597, 929, 41, 1003, 61,  349, 151, 149 },
    };
    for (uint32_t i = 0; i < 10; i++) {
        for (int d = 0; d < 3; d++) {
            TY_CHECK(tyi_fleet_sobol(i, d) / 4294967296.0 == first[i][d]);
        }
    }
    for (int d = 0; d < 32; d++) {
        TY_CHECK(tyi_fleet_sobol(37, d) >> 22 == late[0][d]);
        TY_CHECK(tyi_fleet_sobol(1000, d) >> 22 == late[1][d]);
    }
    /* the control: a wrong dimension is seen */
    TY_CHECK(tyi_fleet_sobol(1000, 5) >> 22 != late[1][6]);
}

static tyi_fleet_vary uniform[3] = { { .key = "x1", .as = TYI_FLEET_UNIFORM, .from = -M_PI, .to = M_PI },
                                     { .key = "x2", .as = TYI_FLEET_UNIFORM, .from = -M_PI, .to = M_PI },
                                     { .key = "x3", .as = TYI_FLEET_UNIFORM, .from = -M_PI, .to = M_PI } };

/* one point in each slice of each factor; random points leave some slices empty */
TY_TEST(estimate, latin_hypercube_has_one_point_in_each_slice)
{
    for (int design = TYI_FLEET_RANDOM; design <= TYI_FLEET_SOBOL; design++) {
        tyi_fleet_spec spec = { .design = design, .seed = 7, .total = 64, .repeats = 1, .vary = uniform, .varies = 3 };
        int empty = 0;
        for (size_t f = 0; f < 3; f++) {
            int seen[64] = { 0 };
            for (size_t i = 0; i < 64; i++) {
                double u = tyi_fleet_unit(&spec, i, f);
                TY_CHECK(u > 0.0 && u < 1.0);
                seen[(int)(64.0 * u)]++;
            }
            for (int i = 0; i < 64; i++) {
                empty += seen[i] == 0;
            }
        }
        TY_CHECK(design == TYI_FLEET_RANDOM ? empty > 30 : empty == 0);
    }
    for (size_t n = 1; n < 300; n += 37) {
        size_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += tyi_fleet_shuffle(i, n, 3, 4);
        }
        TY_CHECK(sum == n * (n - 1) / 2);
    }
}

/* every combination once, the last key fastest, repeats inside; what is drawn differs from run to run */
TY_TEST(estimate, grid_has_every_combination)
{
    tyi_fleet_word words[2] = { { "a" }, { "b" } };
    tyi_fleet_vary vary[3] = {
        { .key = "w", .as = TYI_FLEET_LIST, .value = words, .values = 2 },
        { .key = "r", .as = TYI_FLEET_RANGE, .from = 1.0, .to = 2.0, .count = 3 },
        { .key = "n", .as = TYI_FLEET_NORMAL, .middle = 5.0, .spread = 1.0, .low = 4.0, .high = 6.5 }
    };
    tyi_fleet_spec spec = { .design = TYI_FLEET_GRID, .seed = 1, .total = 12, .repeats = 2, .vary = vary, .varies = 3 };
    char text[3][TYI_FLEET_TEXT], all[600] = "", before[TYI_FLEET_TEXT] = "";
    for (size_t i = 0; i < 12; i++) {
        for (size_t f = 0; f < 3; f++) {
            tyi_fleet_value(&spec, i, f, text[f]);
        }
        snprintf(all + strlen(all), sizeof all - strlen(all), "%.9s%.9s ", text[0], text[1]);
        TY_CHECK(strcmp(before, text[2]) && atof(text[2]) > 4.0 && atof(text[2]) < 6.5);
        strcpy(before, text[2]);
    }
    TY_CHECK(!strcmp(all, "a1 a1 a1.5 a1.5 a2 a2 b1 b1 b1.5 b1.5 b2 b2 "));
    size_t count;
    char **list = tyi_fleet_settings(&spec, 5, &count);
    TY_CHECK(count == 3 && !strcmp(list[0], "w=a") && !strcmp(list[1], "r=2") && !list[3]);
    free(list);
}

/* quantiles of the normal law by scipy.special.ndtri; triangles by hand */
TY_TEST(estimate, quantiles)
{
    TY_NEAR(ty_k_normal_quantile(0.975), 1.959963984540054, 1e-14);
    TY_NEAR(ty_k_normal_quantile(0.001), -3.090232306167813, 1e-14);
    TY_NEAR(ty_k_normal_quantile(0.6), 0.2533471031357997, 1e-15);
    TY_NEAR(ty_k_normal_quantile(1e-12), -7.034483825301131, 1e-13);
    for (double x = -6.0; x < 6.0; x += 0.37) { /* and turned round by the C library's erfc */
        TY_NEAR(ty_k_normal_quantile(0.5 * erfc(-x * M_SQRT1_2)), x, x > 4.0 ? 1e-6 : 1e-9);
    }
    TY_FAR(ty_k_normal_quantile(0.975), 1.96, 1e-5);
    TY_NEAR(ty_k_triangle_quantile(0.5, 0.0, 1.0, 2.0), 1.0, 1e-15);
    TY_NEAR(ty_k_triangle_quantile(0.125, 0.0, 1.0, 2.0), 0.5, 1e-15);
    TY_NEAR(ty_k_triangle_quantile(0.75, 0.0, 0.0, 4.0), 2.0, 1e-15);
}

/* ---- rates ---- */

/* [newcombe1998] table I, score method without continuity correction, to its four digits */
TY_TEST(estimate, wilson_intervals_are_newcombe_s)
{
    static const struct {
        size_t s, n;
        double low, high;
    } row[] = {
        { 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 }, { 0, 20, 0.0, 0.1611 }, { 1, 29, 0.0061, 0.1718 }
    };
    for (int i = 0; i < 4; i++) {
        tyi_fleet_interval r = tyi_fleet_rate(row[i].s, row[i].n);
        TY_NEAR(r.low, row[i].low, 5.1e-5);
        TY_NEAR(r.high, row[i].high, 5.1e-5);
    }
    /* the control: the simple interval p +- z sqrt(p q / n) is another one */
    TY_FAR(15.0 / 148.0 - 1.96 * sqrt(15.0 * 133.0 / 148.0 / 148.0 / 148.0), 0.0624, 5.1e-5);
}

/* 100 sweeps of a coin with a known chance: the interval holds it in 90 to 99 of them; one of 68 % does not */
TY_TEST(estimate, interval_covers_the_known_rate)
{
    static const double chance[] = { 0.1, 0.3, 0.5, 0.8 };
    for (int c = 0; c < 4; c++) {
        int covered = 0, narrow = 0;
        for (unsigned repeat = 0; repeat < 100; repeat++) {
            size_t n = 100, s = 0;
            for (unsigned i = 0; i < n; i++) {
                char p[40], toss[40], *summary = NULL;
                snprintf(p, sizeof p, "p=%g", chance[c]);
                snprintf(toss, sizeof toss, "toss=%u", 100000 * (unsigned)c + 1000 * repeat + i);
                const char *const set[] = { p, toss };
                TY_CHECK(tyi_fleet_model_run("coin", set, 2, &summary, NULL) == TY_OK);
                s += strstr(summary, "1}") != NULL;
                free(summary);
            }
            tyi_fleet_interval r = tyi_fleet_rate(s, n);
            covered += r.low <= chance[c] && chance[c] <= r.high;
            narrow += ty_k_wilson((double)s, (double)n, 1.0, -1) <= chance[c] &&
                      chance[c] <= ty_k_wilson((double)s, (double)n, 1.0, 1);
        }
        TY_ROW("95 % interval of a rate covers it in 90 to 99 of 100 sweeps", "a coin of known chance, 100 runs each",
               "%d of 100 at %g", covered, chance[c]);
        TY_CHECK(covered >= 90 && covered <= 99);
        TY_CHECK(narrow < 90);
    }
}

/* ---- sensitivity ---- */

typedef struct indices {
    double first[3], total[3];
} indices;

static indices ishigami_by(int runs, bool shuffled)
{
    tyi_fleet_spec spec = { .design = TYI_FLEET_SALTELLI,
                            .seed = 1,
                            .total = 5 * (size_t)runs,
                            .runs = runs,
                            .repeats = 1,
                            .vary = uniform,
                            .varies = 3 };
    size_t n = (size_t)runs;
    double *y = calloc(5 * n, sizeof *y);
    indices out;
    for (size_t i = 0; i < 5 * n; i++) {
        size_t count;
        char **set = tyi_fleet_settings(&spec, i, &count), *summary = NULL;
        TY_CHECK(tyi_fleet_model_run("ishigami", (const char *const *)set, count, &summary, NULL) == TY_OK);
        size_t row = i / 5;
        if (shuffled && i % 5 > 1) { /* the control: rows that do not belong together */
            row = tyi_fleet_shuffle(row, n, 1, 1);
        }
        y[(i % 5) * n + row] = atof(strchr(summary, ':') + 1);
        free(summary);
        free(set);
    }
    for (size_t f = 0; f < 3; f++) {
        tyi_fleet_index s = tyi_fleet_sobol_index(y, y + n, y + (2 + f) * n, n, 1);
        out.first[f] = s.first.value, out.total[f] = s.total.value;
        TY_CHECK(s.first.low <= s.first.value && s.first.value <= s.first.high);
        TY_CHECK(s.total.low <= s.total.value && s.total.value <= s.total.high);
    }
    free(y);
    return out;
}

/* closed forms: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2, V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = 8 b^2 pi^8/225 */
TY_TEST(estimate, sobol_indices_of_ishigami)
{
    const double a = 7.0, b = 0.1, p4 = pow(M_PI, 4.0), p8 = p4 * p4;
    const double v = a * a / 8.0 + b * p4 / 5.0 + b * b * p8 / 18.0 + 0.5, v1 = 0.5 * pow(1.0 + b * p4 / 5.0, 2.0),
                 v2 = a * a / 8.0, v13 = 8.0 * b * b * p8 / 225.0;
    const double first[3] = { v1 / v, v2 / v, 0.0 }, total[3] = { (v1 + v13) / v, v2 / v, v13 / v };
    indices got = ishigami_by(1024, false), more = ishigami_by(4096, false), wrong = ishigami_by(256, true);
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        TY_NEAR(more.first[i], first[i], 0.02);
        TY_NEAR(more.total[i], total[i], 0.02);
        TY_NEAR(got.first[i], first[i], 0.02);
        TY_NEAR(got.total[i], total[i], 0.02);
        worst = fmax(worst, fmax(fabs(more.first[i] - first[i]), fabs(more.total[i] - total[i])));
    }
    TY_FAR(wrong.total[0], total[0], 0.02);
    TY_ROW("Sobol's indices within 0.02", "Ishigami and Homma's function, closed form, 20480 runs", "%.4f", worst);
}
