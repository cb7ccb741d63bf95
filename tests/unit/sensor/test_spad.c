/* tests/unit/sensor/test_spad.c - photon histograms against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_spad.h"
#include "tycho/math.h"
#include "tycho/lidar.h"
#include "sensor/lidar/inner.h"
#include "tyt.h"

#define LIGHT 299792458.0

static ty_spad *spad_of(const ty_spad_def *def)
{
    ty_spad *s = NULL;
    ty_diag diag = { 0 };
    if (ty_spad_create(def, &s, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a SPAD was refused");
    }
    return s;
}

static ty_trace_hit surface(double range, double albedo)
{
    return (
        ty_trace_hit){ .range = range, .normal = { -1, 0, 0 }, .reflectance = (float)(albedo / TY_PI), .instance = 1 };
}

static int peak(const ty_buffer *h, int y, int from, int to)
{
    int best = from;
    for (int i = from; i < to; i++) {
        best = ty_buffer_get(h, i, y, 0) > ty_buffer_get(h, best, y, 0) ? i : best;
    }
    return best;
}

/* many distances: the peak lies in the bin of 2d/c, or beside it where that lies at a bin's edge */
TY_TEST(spad, peak_at_two_d_over_c)
{
    ty_spad_def def = ty_spad_def_default();
    def.pixels = 200, def.white = 1.0, def.jitter = 4e-11, def.threads = 1;
    ty_spad *s = spad_of(&def);
    static ty_trace_hit hit[200];
    for (int i = 0; i < 200; i++) {
        double d = 1.0 + 0.06789 * i;
        hit[i] = surface(d, 0.05 * d * d); /* 0.05 photons a pulse at any distance: no pile-up */
    }
    const ty_buffer *h = NULL, *r = NULL;
    ty_stamps time = { 1, 2, 3 };
    TY_CHECK(ty_spad_expose(s, hit, time, 0, &h, NULL) == TY_OK);
    TY_CHECK(h->time.due == 3 && h->type.unit == TY_UNIT_PHOTONS && h->type.width == 1024 && h->type.height == 200);
    double worst = 0.0, worst_range = 0.0;
    for (int i = 0; i < 200; i++) {
        double want = 2.0 * hit[i].range / LIGHT / def.bin;
        worst = fmax(worst, fabs(peak(h, i, 0, 1024) + 0.5 - want));
    }
    ty_pipeline *p = NULL;
    TY_CHECK(ty_pipeline_create(NULL, 1, &p, NULL) == TY_OK);
    ty_filter range = tyi_lidar_spad_range(s);
    TY_CHECK(ty_pipeline_insert(p, -1, &range, NULL) == TY_OK);
    TY_CHECK(ty_pipeline_run(p, h, NULL, 0, &r, NULL) == TY_OK);
    for (int i = 0; i < 200; i++) {
        worst_range = fmax(worst_range, fabs(ty_buffer_get(r, 0, i, 0) - hit[i].range));
    }
    printf("spad: peaks within %.2f bins, ranges within %.2g m (a bin is %.2g m)\n", worst, worst_range,
           0.5 * LIGHT * def.bin);
    TY_NEAR(worst, 0.0, 1.0);
    TY_FAR(worst + 1.0, 0.0, 1.0); /* control: one bin more */
    TY_NEAR(worst_range, 0.0, 0.5 * LIGHT * def.bin);
    ty_pipeline_destroy(p);
    ty_spad_destroy(s);
    TY_ROW("peak of a SPAD histogram at 2d/c within a bin", "200 distances", "worst %.2f bins", worst);
}

/* dust before a surface takes light on the way there and on the way back */
TY_TEST(spad, two_ways_through_a_medium)
{
    ty_spad_def def = ty_spad_def_default();
    def.background = 0.0, def.threads = 1;
    ty_spad *s = spad_of(&def);
    static ty_trace_hit hit[64];
    static double clear[4096], dim[4096];
    double sum[2] = { 0.0, 0.0 };
    for (int i = 0; i < def.samples; i++) {
        hit[i] = surface(5.0, 0.3);
    }
    ty_spad_expect(s, hit, clear, NULL);
    for (int i = 0; i < def.samples; i++) {
        hit[i].tau = 0.4f;
    }
    ty_spad_expect(s, hit, dim, NULL);
    for (int i = 0; i < def.bins; i++) {
        sum[0] += clear[i], sum[1] += dim[i];
    }
    TY_NEAR_REL(sum[1] / sum[0], exp(-0.8), 1e-6);
    TY_FAR_REL(sum[1] / sum[0], exp(-0.4), 1e-2); /* control: one way alone */
    ty_spad_destroy(s);
}

/* F(t) against its definition, the pulse added up over the normal law */
TY_TEST(spad, pulse_and_jitter)
{
    const double sigma = 1e-10, length = 3e-10;
    double worst = 0.0, before = 0.0;
    for (double t = -6e-10; t < 6e-10; t += 1e-11) {
        double sum = 0.0;
        for (int k = 0; k < 2000; k++) {
            double at = length * ((k + 0.5) / 2000.0 - 0.5);
            sum += 0.5 * erfc(-(t - at) / (sigma * sqrt(2.0))) / 2000.0;
        }
        double f = ty_k_spad_before(t, length, sigma);
        worst = fmax(worst, fabs(f - sum));
        TY_CHECK(f >= before);
        before = f;
    }
    TY_NEAR(worst, 0.0, 1e-7);                                                                 /* midpoint rule */
    TY_FAR(ty_k_spad_before(1e-10, length, sigma), ty_k_spad_before(1e-10, 0.0, sigma), 0.05); /* control */
    TY_NEAR(ty_k_spad_before(1e-10, 1e-15, sigma), 0.5 * erfc(-1.0 / sqrt(2.0)), 1e-12);
}

/* Steady light and one firing per cycle: counts fall as exp(-rate t), the Poisson law of the first photon;
 * chi-square over the histogram. With a short dead time they settle at rate/(1 + rate dead). */
TY_TEST(spad, pile_up_by_the_poisson_law)
{
    ty_spad_def def = ty_spad_def_default();
    def.bins = 200, def.bin = 1e-10, def.background = 1e8, def.dead_time = 1.0, def.pulses = 1000000, def.threads = 1;
    ty_spad *s = spad_of(&def);
    ty_trace_hit none = { .range = INFINITY };
    const ty_buffer *h = NULL;
    TY_CHECK(ty_spad_expose(s, &none, (ty_stamps){ 0 }, 7, &h, NULL) == TY_OK);
    double chi = 0.0, flat = 0.0, total = 0.0;
    for (int i = 0; i < 200; i++) {
        double t = i * def.bin, want = 1e6 * (exp(-1e8 * t) - exp(-1e8 * (t + def.bin))), n = ty_buffer_get(h, i, 0, 0);
        double even = 1e6 * (1.0 - exp(-2.0)) / 200.0;
        chi += (n - want) * (n - want) / want;
        flat += (n - even) * (n - even) / even;
        total += n;
    }
    printf("pile-up: chi-square %.1f over 200 bins, total %.0f of %.0f\n", chi, total, 1e6 * (1.0 - exp(-2.0)));
    TY_NEAR(chi, 200.0, 5.0 * sqrt(400.0));
    TY_FAR(flat, 200.0, 5.0 * sqrt(400.0)); /* control: no pile-up */
    TY_NEAR(total, 1e6 * (1.0 - exp(-2.0)), 5.0 * sqrt(1e6 * exp(-2.0)));
    ty_spad_destroy(s);

    def.bins = 2000, def.dead_time = 1e-8; /* 100 bins */
    s = spad_of(&def);
    static double mean[2000], fire[2000];
    ty_spad_expect(s, &none, mean, fire);
    double late = 0.0, step = 1.0 - exp(-1e8 * def.bin);
    for (int i = 1800; i < 2000; i++) {
        late += fire[i] / 200.0;
    }
    /* renewals of mean (dead - 1) + 1/step bins: a diode that fired is live again `dead` bins later */
    TY_NEAR_REL(late, 1.0 / (99.0 + 1.0 / step), 1e-4);
    TY_FAR_REL(late, step, 0.1); /* control: no dead time */
    ty_spad_destroy(s);
    TY_ROW("pile-up: chi-square of 200 bins within 5 standard deviations", "Poisson law",
           "%.1f of 200; without pile-up %.0f", chi, flat);
}

/* The exact law of a diode with dead time, by simulation cycle by cycle. */
TY_TEST(spad, dead_time_against_cycles_one_by_one)
{
    ty_spad_def def = ty_spad_def_default();
    def.bins = 60, def.bin = 1e-9, def.background = 2e7, def.dead_time = 1.2e-8, def.white = 40.0, def.jitter = 1e-9,
    def.pulse = 2e-9, def.threads = 1;
    ty_spad *s = spad_of(&def);
    ty_trace_hit hit = surface(4.0, 0.4);
    double mean[60], fire[60], count[60] = { 0 }, chi = 0.0;
    ty_spad_expect(s, &hit, mean, fire);
    enum { CYCLES = 400000 };
    for (uint32_t c = 0; c < CYCLES; c++) {
        int blind = 0;
        for (uint32_t i = 0; i < 60; i++) {
            double u = ty_k_uniform(ty_k_philox(c, i, 0, 0, 9, TY_RNG_TEST).v[0]);
            if (blind > 0) {
                blind--;
            } else if (u < 1.0 - exp(-mean[i])) {
                count[i] += 1.0;
                blind = 11; /* dead_time is 12 bins: it can fire again in the 12th after */
            }
        }
    }
    for (int i = 0; i < 60; i++) {
        double want = CYCLES * fire[i];
        chi += (count[i] - want) * (count[i] - want) / (want * (1.0 - fire[i]));
    }
    printf("dead time: chi-square %.1f over 60 bins\n", chi);
    TY_CHECK(chi < 60.0 + 5.0 * sqrt(120.0));
    double off = 0.0;
    for (int i = 0; i < 60; i++) {
        double want = CYCLES * (1.0 - exp(-mean[i]));
        off += (count[i] - want) * (count[i] - want) / want;
    }
    TY_CHECK(off > 1000.0); /* control: without dead time */
    ty_spad_destroy(s);
    TY_ROW("dead time: chi-square of 60 bins", "400 000 cycles one by one", "%.1f of 60", chi);
}

/* Two surfaces in one pixel: two peaks, by their shares; early light hides late light until Coates' correction. */
TY_TEST(spad, two_surfaces_two_peaks)
{
    ty_spad_def def = ty_spad_def_default();
    def.samples = 4, def.white = 800.0, def.dead_time = 1.0, def.pulses = 200000, def.background = 1e6, def.threads = 1;
    ty_spad *s = spad_of(&def);
    ty_trace_hit hit[4] = { surface(6.0, 0.2), surface(6.0, 0.2), surface(6.0, 0.2), surface(9.0, 0.4) };
    const ty_buffer *h = NULL;
    TY_CHECK(ty_spad_expose(s, hit, (ty_stamps){ 0 }, 1, &h, NULL) == TY_OK);
    int a = peak(h, 0, 0, 500), b = peak(h, 0, 500, 1024);
    TY_NEAR(a + 0.5, 2.0 * 6.0 / LIGHT / def.bin, 1.0);
    TY_NEAR(b + 0.5, 2.0 * 9.0 / LIGHT / def.bin, 1.0);
    double near = 0.0, far = 0.0, coates_near = 0.0, coates_far = 0.0, live = def.pulses;
    for (int i = 0; i < 1024; i++) {
        double n = ty_buffer_get(h, i, 0, 0), m = ty_k_spad_coates(n, live);
        bool at_a = abs(i - a) < 15, at_b = abs(i - b) < 15;
        near += at_a ? n : 0.0, far += at_b ? n : 0.0;
        coates_near += at_a ? m : 0.0, coates_far += at_b ? m : 0.0;
        live -= n;
    }
    double base = 29.0 * 1e6 * def.bin, want_near = 800.0 * 0.75 * 0.2 / 36.0 + base,
           want_far = 800.0 * 0.25 * 0.4 / 81.0 + base;
    printf("two surfaces: %.3f and %.3f photons a pulse by Coates, of %.3f and %.3f; counted %.3f and %.3f\n",
           coates_near, coates_far, want_near, want_far, near / def.pulses, far / def.pulses);
    TY_NEAR_REL(coates_near, want_near, 0.02);
    TY_NEAR_REL(coates_far, want_far, 0.05);
    TY_FAR_REL(far / def.pulses, want_far, 0.3); /* control: piled up */
    /* one surface: no second peak above the background */
    hit[3] = hit[0];
    TY_CHECK(ty_spad_expose(s, hit, (ty_stamps){ 0 }, 1, &h, NULL) == TY_OK);
    TY_CHECK(ty_buffer_get(h, peak(h, 0, 500, 1024), 0, 0) < 60.0);
    ty_spad_destroy(s);
    TY_ROW("two surfaces in one pixel: two peaks within a bin, photons within 2 and 5 %", "what was put in, by Coates",
           "%.1f %%, %.1f %%", 100.0 * fabs(coates_near / want_near - 1.0), 100.0 * fabs(coates_far / want_far - 1.0));
}

/* counts of a binomial law: mean, variance, tails, both ways of drawing */
TY_TEST(spad, binomial_counts)
{
    static const double cases[][2] = { { 40, 0.1 }, { 1000, 0.02 }, { 5000, 0.3 }, { 300, 0.97 }, { 20000, 0.5 } };
    for (size_t k = 0; k < 5; k++) {
        double n = cases[k][0], p = cases[k][1], sum = 0.0, square = 0.0;
        enum { DRAWS = 40000 };
        for (uint32_t i = 0; i < DRAWS; i++) {
            double c = ty_k_binomial(n, p, ty_k_philox(i, (uint32_t)k, 0, 0, 3, TY_RNG_TEST));
            TY_CHECK(c >= 0.0 && c <= n);
            sum += c, square += c * c;
        }
        double mean = sum / DRAWS, var = square / DRAWS - mean * mean, want = n * p * (1.0 - p);
        TY_NEAR(mean, n * p, 5.0 * sqrt(want / DRAWS));
        TY_NEAR_REL(var, want, 5.0 * sqrt(2.0 / DRAWS) + 0.002);
        if (p > 0.05) {
            TY_FAR_REL(var, n * p, 0.03); /* control: Poisson's law, which has no factor 1 - p */
        }
    }
    TY_CHECK(ty_k_binomial(10.0, 0.0, ty_k_philox(1, 2, 3, 4, 5, 6)) == 0.0);
    TY_CHECK(ty_k_binomial(10.0, 1.0, ty_k_philox(1, 2, 3, 4, 5, 6)) == 10.0);
}

TY_TEST(spad, threads_and_refusals)
{
    ty_spad_def def = ty_spad_def_default();
    def.pixels = 40, def.white = 300.0;
    ty_trace_hit hit[40];
    for (int i = 0; i < 40; i++) {
        hit[i] = surface(2.0 + 0.2 * i, 0.3);
    }
    uint32_t *copy = malloc(40 * 1024 * 4);
    const ty_buffer *h = NULL;
    for (int k = 1; k <= 2; k++) {
        def.threads = k;
        ty_spad *s = spad_of(&def);
        TY_CHECK(ty_spad_expose(s, hit, (ty_stamps){ 0 }, 3, &h, NULL) == TY_OK);
        if (k == 1) {
            memcpy(copy, h->data, 40 * 1024 * 4);
        } else {
            TY_CHECK(!memcmp(copy, h->data, 40 * 1024 * 4));
            TY_CHECK(ty_spad_expose(s, hit, (ty_stamps){ 0 }, 4, &h, NULL) == TY_OK);
            TY_CHECK(memcmp(copy, h->data, 40 * 1024 * 4)); /* control: another frame */
        }
        ty_spad_destroy(s);
    }
    free(copy);
    ty_diag diag = { 0 };
    ty_spad *s;
    def.jitter = 0.0;
    TY_CHECK(ty_spad_create(&def, &s, &diag) == TY_ERR_RANGE && strstr(diag.text, "jitter"));
    def = (ty_spad_def){ 0 };
    TY_CHECK(ty_spad_create(&def, &s, NULL) == TY_ERR_DEF);
}
