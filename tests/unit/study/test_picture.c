/* Pictures of ground with a known answer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "core/core.h"
#include "tycho/math.h"
#include "study/picture.h"

enum { N = 512, WAVES = 400 };

/* Waves of 6 to 60 pixels in every direction, in a picture of mean 1: `shading` of each goes as the cosine of the angle to
 * the Sun (azimuth sun), `own` is the same in all directions. Without noise the answer is exact but for the window. */
static void paint(float *v, double shading, double own, double sun)
{
    for (int k = 0; k < N * N; k++) {
        v[k] = 1.0f;
    }
    uint64_t s = 12345;
    for (int w = 0; w < WAVES; w++) {
        double u[4];
        for (int i = 0; i < 4; i++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            u[i] = (double)(s >> 33) / 2147483648.0;
        }
        double length = 6.0 * pow(10.0, u[0]), a = 2.0 * TY_PI * u[1], p = 2.0 * TY_PI * u[2], q = 2.0 * TY_PI * u[3];
        double fx = 2.0 * TY_PI * sin(a) / length, fy = -2.0 * TY_PI * cos(a) / length; /* rows run south */
        double tilt = shading * cos(a - sun);
        for (int k = 0; k < N * N; k++) {
            double x = fx * (k % N) + fy * (k / N);
            v[k] += (float)(tilt * sin(x + p) + own * sin(x + q));
        }
    }
}

/* cos^2 has the mean 1/2: with equal strengths a third of the power is shading */
TY_TEST(picture, shading_is_told_from_brightness, .timeout = 60)
{
    static float v[N * N];
    static const double part[3][2] = { { 3e-4, 0.0 }, { 3e-4, 3e-4 }, { 0.0, 3e-4 } };
    static const double want[3] = { 1.0, 1.0 / 3.0, 0.0 };
    tyi_study_picture p = { N, N, v };
    tyi_study_picture_octave o[TYI_STUDY_PICTURE_OCTAVES];
    int n, windows;
    double sun = 261.0 * TY_DEG;
    for (int k = 0; k < 3; k++) {
        paint(v, part[k][0], part[k][1], sun);
        cr_assert(tyi_study_picture_octaves(&p, 0.5, sun, 128, o, &n, &windows, NULL) == TY_OK);
        TY_CHECK(n == 4 && windows == 16);
        double power = 0.0, shading = 0.0;
        for (int i = 1; i < n; i++) {
            power += o[i].total * o[i].total;
            shading += o[i].share * o[i].total * o[i].total;
        }
        TY_NEAR(shading / power, want[k], 0.06);
        if (k == 1) { /* all of the power is found: waves of 6 to 45 pixels of those up to 60 */
            double all = 0.5 * WAVES * (0.5 + 1.0) * 9e-8 * log10(45.25 / 6.0);
            TY_NEAR_REL(power, all, 0.12);
        }
        /* control: with the Sun taken across, what was shading is the opposite of it */
        cr_assert(tyi_study_picture_octaves(&p, 0.5, sun + 0.5 * TY_PI, 128, o, &n, &windows, NULL) == TY_OK);
        if (k < 2) {
            TY_FAR(o[2].share, want[k], 0.3);
            TY_CHECK(o[2].share < 0.0 && o[2].shading == 0.0);
        }
    }
}

TY_TEST(picture, holes_are_left_out)
{
    static float v[N * N];
    paint(v, 3e-4, 0.0, 1.0);
    v[200 * N + 300] = -1.0f;
    tyi_study_picture p = { N, N, v };
    tyi_study_picture_octave o[TYI_STUDY_PICTURE_OCTAVES];
    int n, windows;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_study_picture_octaves(&p, 1.0, 1.0, 128, o, &n, &windows, NULL) == TY_OK && windows == 15);
    TY_CHECK(tyi_study_picture_octaves(&p, 1.0, 1.0, 512, o, &n, &windows, &diag) == TY_ERR_RANGE);
    TY_CHECK(tyi_study_picture_octaves(&p, 1.0, 1.0, 100, o, &n, &windows, &diag) == TY_ERR_RANGE);
    TY_CHECK(tyi_study_picture_octaves(&p, 1.0, 1.0, 1024, o, &n, &windows, &diag) == TY_ERR_RANGE);
}

/* values 1 .. 1000: everything is known */
TY_TEST(picture, spread_of_known_values)
{
    static float v[1001];
    for (int k = 0; k < 1000; k++) {
        v[(k * 7) % 1000] = (float)(k + 1);
    }
    v[1000] = NAN;
    tyi_study_picture p = { 1001, 1, v };
    tyi_study_picture_spread s;
    cr_assert(tyi_study_picture_spread_of(&p, &s, NULL) == TY_OK);
    TY_CHECK(s.pixels == 1000);
    TY_NEAR(s.mean, 500.5, 1e-9);
    TY_NEAR(s.sd, sqrt((1e6 - 1.0) / 12.0) / 500.5, 1e-9);
    TY_NEAR(s.skew, 0.0, 1e-9);
    TY_NEAR(s.dark, 0.075, 0.0011);
    TY_NEAR(s.p90, 900.0 / 501.0, 2e-3);
    v[0] = 1e5f; /* one bright pixel: the skew follows */
    cr_assert(tyi_study_picture_spread_of(&p, &s, NULL) == TY_OK);
    TY_FAR(s.skew, 0.0, 5.0);
}
