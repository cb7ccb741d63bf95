/* Ticks, colours, histograms: what maps and plots are made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "draw/ticks.h"
#include "tycho/tools/draw.h"
#include "draw/inner.h"

static void expect_labels(const char *file, int line, const tyi_draw_ticks *t, const char *want)
{
    char got[1024] = "";
    for (int i = 0; i < t->count; i++) {
        strcat(strcat(got, i ? " " : ""), t->label[i]);
    }
    cr_expect(!strcmp(got, want), "%s:%d: got \"%s\", want \"%s\"", file, line, got, want);
}
#define LABELS(low, high, log, target, want)             \
    do {                                                 \
        tyi_draw_ticks t;                                \
        tyi_draw_ticks_make(low, high, log, target, &t); \
        expect_labels(__FILE__, __LINE__, &t, want);     \
    } while (0)

TY_TEST(draw_axis, labels_are_round_and_short)
{
    LABELS(0.0, 1.0, false, 5, "0.0 0.2 0.4 0.6 0.8 1.0");
    LABELS(-0.3, 0.3, false, 4, "\u22120.2 0.0 0.2");
    LABELS(-500.0, 500.0, false, 5, "\u2212400 \u2212200 0 200 400");
    LABELS(0.0, 0.004, false, 4, "0.000 0.001 0.002 0.003 0.004");
    LABELS(1e5, 5e5, false, 4, "100 200 300 400 500");      /* thousands */
    LABELS(-2e-6, 2e-6, false, 4, "\u22122 \u22121 0 1 2"); /* millionths */
    LABELS(1737400.0, 1737410.0, false, 5, "1737400 1737402 1737404 1737406 1737408 1737410");
    LABELS(0.1, 1000.0, true, 6, "0.1 1 10 100 1000");
    LABELS(1e-6, 1e2, true, 10,
           "10\u207b\u2076 10\u207b\u2075 10\u207b\u2074 10\u207b\u00b3 10\u207b\u00b2 "
           "10\u207b\u00b9 10\u2070 10\u00b9 10\u00b2");
    LABELS(1e-6, 1e2, true, 4, "10\u207b\u2076 10\u207b\u2074 10\u207b\u00b2 10\u2070 10\u00b2");
    LABELS(3.0, 60.0, true, 5, "5 10 20 50");
    tyi_draw_ticks t;
    tyi_draw_ticks_make(1e5, 5e5, false, 4, &t);
    char label[64];
    tyi_draw_axis_label("load [N]", &t, label, sizeof label);
    TY_CHECK(!strcmp(label, "load [N] (\u00d710\u00b3)"));
}

/* Over many ranges: inside, evenly spaced by 1, 2 or 5 times a power of ten, a sensible number,
 * labels that say where they stand to half their last digit. */
TY_TEST(draw_axis, ticks_hold_over_many_ranges)
{
    for (int k = 0; k < 2000; k++) {
        double span = pow(10.0, -9.0 + 18.0 * ((k * 37) % 2000) / 2000.0),
               low = span * (((k * 91) % 401) / 20.0 - 10.0);
        double high = low + span;
        tyi_draw_ticks t;
        tyi_draw_ticks_make(low, high, false, 6, &t);
        cr_expect(t.count >= 2 && t.count <= 7, "%d ticks from %g to %g", t.count, low, high);
        double step = t.at[1] - t.at[0], digit = step / pow(10.0, floor(log10(step) + 1e-9));
        TY_CHECK(fabs(digit - 1.0) < 1e-6 || fabs(digit - 2.0) < 1e-6 || fabs(digit - 5.0) < 1e-6);
        for (int i = 0; i < t.count; i++) {
            TY_CHECK(t.at[i] >= low - 1e-6 * span && t.at[i] <= high + 1e-6 * span);
            TY_NEAR(t.at[i], t.at[0] + i * step, 1e-9 * span);
            char plain[32];
            bool minus = strncmp(t.label[i], "\u2212", 3) == 0;
            snprintf(plain, sizeof plain, "%s%s", minus ? "-" : "", t.label[i] + (minus ? 3 : 0));
            TY_NEAR(strtod(plain, NULL) * pow(10.0, t.exponent), t.at[i], 0.01 * step);
        }
        for (int i = 0; i < t.minor_count; i++) {
            TY_CHECK(t.minor[i] >= low - 1e-6 * span && t.minor[i] <= high + 1e-6 * span);
            double off = remainder(t.minor[i], step) / step; /* none on a labelled one */
            TY_CHECK(fabs(off) > 0.1);
        }
    }
}

TY_TEST(draw_axis, frame_points)
{
    ty_draw_frame f = { .left = 100.0,
                        .right = 500.0,
                        .top = 50.0,
                        .bottom = 250.0,
                        .x0 = 1.0,
                        .x1 = 100.0,
                        .y0 = -2.0,
                        .y1 = 2.0,
                        .log_x = true };
    double x, y;
    tyi_draw_frame_point(&f, 10.0, 0.0, &x, &y);
    TY_NEAR(x, 300.0, 1e-9); /* the middle in the logarithm */
    TY_NEAR(y, 150.0, 1e-9);
    tyi_draw_frame_point(&f, 1.0, 2.0, &x, &y);
    TY_NEAR(x, 100.0, 1e-9);
    TY_NEAR(y, 50.0, 1e-9); /* up is up */
    f.log_x = false;
    tyi_draw_frame_point(&f, 10.0, 0.0, &x, &y);
    TY_FAR(x, 300.0, 100.0); /* control */
}

/* CIE lightness L* of an sRGB colour (IEC 61966-2-1, CIE 15), which the maps were not made with. */
static double lightness(ty_draw_color c)
{
    const double rgb[3] = { c.r, c.g, c.b }, weight[3] = { 0.2126, 0.7152, 0.0722 };
    double Y = 0.0;
    for (int k = 0; k < 3; k++) {
        Y += weight[k] * (rgb[k] <= 0.04045 ? rgb[k] / 12.92 : pow((rgb[k] + 0.055) / 1.055, 2.4));
    }
    return Y > 0.008856 ? 116.0 * cbrt(Y) - 16.0 : 903.3 * Y;
}

/* Lightness grows (or falls) all along, and stays near a straight line: OKLab and CIELAB, two
 * models of the same eye, differ by up to a few units. */
TY_TEST(draw_color, lightness_runs_evenly)
{
    for (int c = 0; c < TY_CMAP_COUNT; c++) {
        int parts = c == TY_CMAP_DIVERGING ? 2 : 1;
        for (int part = 0; part < parts; part++) {
            double from = part * 0.5, to = parts == 2 ? from + 0.5 : 1.0;
            double start = lightness(ty_draw_cmap_color((ty_draw_cmap)c, from)),
                   end = lightness(ty_draw_cmap_color((ty_draw_cmap)c, to));
            double last = start, direction = end > start ? 1.0 : -1.0, worst = 0.0;
            for (int k = 1; k <= 200; k++) {
                double L = lightness(ty_draw_cmap_color((ty_draw_cmap)c, from + (to - from) * k / 200.0));
                cr_expect(direction * (L - last) > 0.0, "%s turns back at %d", tyi_draw_cmap_name((ty_draw_cmap)c), k);
                worst = fmax(worst, fabs(L - (start + (end - start) * k / 200.0)));
                last = L;
            }
            cr_expect(worst < 6.0, "%s is %.1f units off a straight line", tyi_draw_cmap_name((ty_draw_cmap)c), worst);
            cr_expect(fabs(end - start) > 50.0, "%s spans only %.0f units", tyi_draw_cmap_name((ty_draw_cmap)c),
                      fabs(end - start));
        }
    }
    for (int k = 0; k <= 50; k++) { /* both ends of the diverging map are as dark as each other */
        double a = lightness(ty_draw_cmap_color(TY_CMAP_DIVERGING, 0.01 * k));
        double b = lightness(ty_draw_cmap_color(TY_CMAP_DIVERGING, 1.0 - 0.01 * k));
        TY_NEAR(a, b, 4.0);
    }
}

TY_TEST(draw_color, names_and_limits)
{
    for (int c = 0; c < TY_CMAP_COUNT; c++) {
        ty_draw_cmap found = TY_CMAP_COUNT;
        TY_CHECK(tyi_draw_cmap_find(tyi_draw_cmap_name((ty_draw_cmap)c), &found) && (int)found == c);
        ty_draw_color below = ty_draw_cmap_color((ty_draw_cmap)c, -3.0),
                      zero = ty_draw_cmap_color((ty_draw_cmap)c, 0.0);
        TY_CHECK(memcmp(&below, &zero, sizeof zero) == 0 && zero.a == 1.0);
        TY_CHECK(ty_draw_cmap_color((ty_draw_cmap)c, NAN).a == 0.0);
    }
    ty_draw_cmap found;
    TY_CHECK(!tyi_draw_cmap_find("jet", &found));
    TY_CHECK(ty_draw_palette(3).r == ty_draw_palette(11).r && ty_draw_palette(-1).a == 1.0);
}

TY_TEST(draw_color, histogram_counts_every_value_once)
{
    const double value[] = { 0.0, 0.1, 0.5, 0.999, 1.0, -0.1, 1.1, NAN };
    double edge[3], count[2];
    TY_CHECK(tyi_draw_histogram(value, 8, 0.0, 1.0, 2, edge, count) == 5);
    TY_CHECK(edge[0] == 0.0 && edge[1] == 0.5 && edge[2] == 1.0);
    TY_CHECK(count[0] == 2.0 &&
             count[1] == 3.0); /* a value on an edge belongs to the right, the last edge to the last bin */
}
