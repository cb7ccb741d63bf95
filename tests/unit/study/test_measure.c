/* The generated ground measured back through its public face: craters counted and read off, rocks
 * seen from above, roughness. Bounds are those of the issue; the long form (make test-long) looks at
 * more ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "study/measure.h"

static ty_terrain *make(ty_terrain_def def)
{
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK, "%s", diag.text);
    return t;
}

/* N(D) = min(production, 10^-1.1 D^-2), written out here with the numbers of the issue */
static double law(double d, double age)
{
    const double a[12] = { 0.0,     -3.557528, .781027,  1.021521, -.156012, -.444058,
                           .019977, .086850,   -.005874, -.006809, 8.25e-4,  5.54e-5 };
    double n1 = 5.44e-14 * (exp(6.93 * age) - 1.0) + 8.38e-4 * age, sum = log10(n1);
    for (int j = 1; j < 12; j++) {
        sum += a[j] * pow(log10(fmax(d, 10.0) / 1000.0), j);
    }
    double equilibrium = pow(10.0, -1.1) / (d * d);
    return d < 10.0 ? equilibrium : fmin(1e-6 * pow(10.0, sum), equilibrium);
}

TY_TEST(measure, crater_density_follows_the_law)
{
    ty_terrain_def def = ty_terrain_def_default();
    ty_terrain *t = make(def);
    static const double d[7] = { 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0 };
    tyi_study_measure_count c[7];
    for (int i = 0; i < 7; i++) {
        c[i].d = d[i];
    }
    tyi_study_measure_craters(t, tyt_long() ? 600.0 : 200.0, 7, c);
    for (int i = 0; i < 7; i++) {
        double want = (law(d[i], def.crater.age) - law(def.crater.d_max, def.crater.age)) * c[i].area;
        printf("measure: craters of at least %5.1f m: %6.0f counted, %6.0f by the law (%+.1f %%, "
               "counting error %.1f %%)\n",
               d[i], c[i].count, want, 100.0 * (c[i].count / want - 1.0), 100.0 / sqrt(want));
        TY_NEAR(c[i].count, want, 0.15 * want + 2.0 * sqrt(want));
        TY_NEAR_REL(c[i].law * c[i].area, want, 1e-6);
        TY_FAR(c[i].count, 1.5 * want, 0.15 * want + 2.0 * sqrt(want)); /* control: half as many again */
    }
    ty_terrain_destroy(t);
    TY_ROW("crater density from 1 to 100 m within 15 % and two counting errors",
           "Neukum 2001 production, Trask equilibrium", "worst %.1f %%", 100.0 * tyt_worst_rel("c[i].count"));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TY_TEST(measure, crater_depths_are_inside_the_published_spread, .timeout = 120)
{
    ty_terrain *t = make(ty_terrain_def_default());
    enum { ROOM = 2000 };
    static tyi_study_measure_depth list[ROOM];
    static double ratio[ROOM];
    /* the class below 60 m at three sizes, then the next two */
    static const double range[5][3] = { { 2.0, 4.0, 150.0 },
                                        { 8.0, 15.0, 600.0 },
                                        { 30.0, 60.0, 2400.0 },
                                        { 60.0, 100.0, 4500.0 },
                                        { 100.0, 200.0, 6000.0 } };
    for (int k = 0; k < 5; k++) {
        size_t n;
        ty_diag diag = { 0 };
        double size = range[k][2] * (tyt_long() ? 2.0 : 1.0);
        cr_assert(tyi_study_measure_depths(t, size, range[k][0], range[k][1], list, ROOM, &n, &diag) == TY_OK, "%s",
                  diag.text);
        const tyi_study_measure_crater_class *class = tyi_study_crater_class_of(range[k][0]);
        int m = (int)(n < ROOM ? n : ROOM), inside = 0, twice = 0;
        for (int i = 0; i < m; i++) {
            ratio[i] = list[i].ratio;
            inside += ratio[i] >= class->min && ratio[i] <= class->max;
            twice += 2.0 * ratio[i] >= class->min && 2.0 * ratio[i] <= class->max;
        }
        qsort(ratio, (size_t)m, sizeof *ratio, by_value);
        printf("measure: %3.0f to %3.0f m: %4d craters, median d/D %.3f (published %.2f), %.0f %% "
               "inside %.2f to %.2f\n",
               range[k][0], range[k][1], m, ratio[m / 2], class->median, 100.0 * inside / m, class->min, class->max);
        char claim[160];
        snprintf(
            claim, sizeof claim,
            "depth / diameter of craters of %.0f to %.0f m: median within 16 to 84 %% points, 90 %% inside the spread",
            range[k][0], range[k][1]);
        TY_ROW(claim, "published spread [stopar2017], read off the heights",
               "median %.3f (published %.2f), %.0f %% inside", ratio[m / 2], class->median, 100.0 * inside / m);
        TY_CHECK(m > 200);
        TY_CHECK(ratio[m / 2] > class->p16 && ratio[m / 2] < class->p84);
        TY_CHECK(inside > 0.9 * m);
        TY_CHECK(twice < 0.5 * m); /* control: twice as deep */
    }
    ty_terrain_destroy(t);
}

TY_TEST(measure, rocks_cover_what_the_law_says, .timeout = 120)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.rock.crater_boost = 1.0; /* the law itself; around fresh craters there are more */
    def.rock.cover = 0.05;
    ty_terrain *t = make(def);
    static const double size[3] = { 30.0, 150.0, 700.0 };
    tyi_study_measure_cover c[3][2] = { { { .d = 0.05 }, { .d = 0.1 } },
                                        { { .d = 0.2 }, { .d = 0.3 } },
                                        { { .d = 0.5 }, { .d = 0.6 } } };
    for (int k = 0; k < 3; k++) {
        ty_diag diag = { 0 };
        cr_assert(tyi_study_measure_rocks(t, size[k] * (tyt_long() ? 3.0 : 1.0), tyt_long() ? 2000 : 700, 2, c[k],
                                          &diag) == TY_OK,
                  "%s", diag.text);
        for (int i = 0; i < 2; i++) {
            double want = 0.05 * exp(-(1.79 + 0.152 / 0.05) * c[k][i].d), got = c[k][i].cover;
            printf("measure: rocks of at least %.2f m cover %.5f, by the law %.5f (%+.1f %%, error "
                   "%.1f %%)\n",
                   c[k][i].d, got, want, 100.0 * (got / want - 1.0), 100.0 * c[k][i].error / want);
            TY_NEAR_REL(c[k][i].law, want, 1e-9);
            TY_NEAR_REL(got, want, 0.10);
            TY_FAR_REL(got, 1.3 * want, 0.10); /* control */
        }
    }
    ty_terrain_destroy(t);
    TY_ROW("rock cover from 0.05 to 0.6 m within 10 %, by rays from above", "F(D) = k exp(-q D), q = 1.79 + 0.152 / k",
           "worst %.1f %%", 100.0 * tyt_worst_rel("got"));
}

/* with craters off, and with them on where the relief can make room for them */
TY_TEST(measure, roughness_is_what_was_asked_for, .timeout = 120)
{
    static const ty_relief_def asked[3] = {
        { .rms_slope_deg = 5.2, .baseline = 4.8, .hurst = 0.9, .outer = 100.0 },
        { .rms_slope_deg = 8.0, .baseline = 2.0, .hurst = 0.7, .outer = 50.0 },
        { .rms_slope_deg = 7.5, .baseline = 400.0, .hurst = 0.94, .outer = 5000.0 }
    };
    for (int k = 0; k < 3; k++) {
        ty_terrain_def def = ty_terrain_def_default();
        def.relief = asked[k];
        def.crater.on = def.rock.on = false;
        ty_terrain *t = make(def);
        tyi_study_measure_rough r;
        ty_diag diag = { 0 };
        cr_assert(tyi_study_measure_roughness(t, tyt_long() ? 20 : 10, &r, &diag) == TY_OK, "%s", diag.text);
        printf("measure: asked %.1f deg at %g m, Hurst %.2f; got %.2f deg, %.3f\n", asked[k].rms_slope_deg,
               asked[k].baseline, asked[k].hurst, r.rms_slope_deg, r.hurst);
        TY_NEAR_REL(r.rms_slope_deg, asked[k].rms_slope_deg, 0.05);
        TY_NEAR(r.hurst, asked[k].hurst, 0.05);
        TY_FAR(r.hurst, asked[k].hurst - 0.15, 0.05); /* control */
        ty_terrain_destroy(t);
    }
    TY_ROW("RMS slope within 5 %, Hurst exponent within 0.05", "what was asked, three terrains without craters",
           "%.1f %%, %.3f", 100.0 * tyt_worst_rel("r.rms_slope_deg"), tyt_worst("r.hurst"));
}

TY_TEST(measure, what_cannot_be_measured_gets_a_sentence)
{
    ty_terrain *t = make(ty_terrain_def_default());
    ty_diag diag = { 0 };
    tyi_study_measure_continued c;
    tyi_study_measure_rough r;
    tyi_study_measure_cover cover = { .d = 0.1 };
    TY_CHECK(tyi_study_measure_continuation(t, 0.9, 1.0, &c, &diag) == TY_ERR_RANGE && strstr(diag.text, "no base"));
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_study_measure_roughness(t, 0, &r, &diag) == TY_ERR_RANGE && diag.text[0]);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_study_measure_rocks(t, 10.0, 1, 1, &cover, &diag) == TY_ERR_RANGE && diag.text[0]);
    TY_CHECK(tyi_study_crater_class_of(2.0) == tyi_study_measure_crater_class_at(0) &&
             tyi_study_crater_class_of(250.0) == tyi_study_measure_crater_class_at(3));
    TY_CHECK(tyi_study_crater_class_of(9999.0) == tyi_study_measure_crater_class_at(TYI_STUDY_CRATER_CLASSES - 1));
    ty_terrain_destroy(t);
}
