/* tests/unit/sim/test_multipass.c - rover B in the ruts of rover A: what each wheel sinks below the ground as it meets it.
 *
 * Pressed soil loads again along a stiff line up to the pressure that it had, and goes on along the curve of first loading [wong2008]. A plate of
 * the same load would therefore sink no further. A rigid wheel does: in a rut it touches over a shorter length, d below the rut's bottom instead of
 * z_1 below the ground, under pressure that begins with k z_1^n. With n = 1, the rim a parabola, contact from its lowest point (or, by Wong and
 * Reece, from a share a of it) forward over l = sqrt(2 r d), and m the mean depth over that contact in units of the deepest, the load is
 *     W = b k c sqrt(2 r d) (rut + m d),   m = 1 - (1 + a + a^2) / 3, c the contact's length over l;
 * on fresh ground (rut 0, d = z_1) this is Bekker's own formula. So, in units of z_1 and of the first wheel's load,
 *     sqrt(d) (rut + m d) = m W,
 * whatever soil, wheel and gravity are: for wheels of one load d = 0.31, 0.21, 0.17 at a = 0 and 0.19, 0.14, 0.12 at a = 0.4, in the end rut ~
 * passes^(1/3), which lies in the 1/2 to 1/3 that [abebe1989] gives for loose soil. Slip and shear change both sides alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include <unistd.h>

enum { PASSES = 4 };
static const char *const whose[PASSES] = { "A front", "A rear", "B front", "B rear" };

typedef struct passes {
    double z[PASSES];    /* [m] below untouched ground */
    double load[PASSES]; /* [N] */
} passes;

/* what the law says of pass n below the rut of the passes before it [m] */
static double law(const passes *p, int n, double a)
{
    double m = 1.0 - (1.0 + a + a * a) / 3.0, low = 0.0, high = 1.0;
    double rut = n ? p->z[n - 1] / p->z[0] : 0.0, want = m * p->load[n] / p->load[0];
    for (int i = 0; i < 60; i++) {
        double d = 0.5 * (low + high);
        *(sqrt(d) * (rut + m * d) < want ? &low : &high) = d;
    }
    return low * p->z[0];
}

/* each pass after the first within `tolerance` of the law */
static bool follows(const passes *p, double a, double tolerance)
{
    bool good = true;
    for (int n = 1; n < PASSES; n++) {
        double d = p->z[n] - p->z[n - 1], want = law(p, n, a);
        good = good && fabs(d - want) <= tolerance * want;
    }
    return good;
}

/* A drives ahead, B behind it in its track, or beside it; means while all of B drives where all of A has been at speed */
static passes drive(int model, const char *soil, double beside)
{
    small *s = small_make();
    ty_scenario_rover two[2] = { s->rover, s->rover };
    passes p = { 0 };
    s->scenario.terrain.relief.rms_slope_deg = 0.0;
    s->scenario.soil.model = model;
    s->scenario.soil.spacing = 0.02;
    if (soil) {
        FILE *f = fopen("multipass.yaml", "w");
        cr_assert(f && fputs(soil, f) >= 0 && fclose(f) == 0);
        snprintf(s->scenario.soil.file, sizeof s->scenario.soil.file, "multipass.yaml");
    }
    for (int r = 0; r < 2; r++) {
        snprintf(two[r].name, sizeof two[r].name, "%c", 'a' + r);
        two[r].driver.v = 0.4;
    }
    two[1].vehicle.x = -2.0, two[1].vehicle.y = beside;
    s->scenario.rover = two, s->scenario.rovers = 2;
    small_create(s);
    small_steps(s, 12.0);
    for (int i = 0; i < 20; i++) {
        small_steps(s, 0.05);
        for (size_t r = 0; r < 2; r++) {
            ty_vehicle_state v;
            ty_vehicle_get(ty_run_rover(s->run, r), &v);
            for (int w = 0; w < v.wheels; w++) {
                size_t n = 2 * r + (ty_rotate(ty_quat_conj(v.pose.q), ty_sub(v.wheel[w].p_W, v.pose.p)).x < 0.0);
                p.z[n] += v.wheel[w].sinkage / 40.0;
                p.load[n] += v.wheel[w].fz / 40.0;
            }
        }
    }
    small_free(s);
    unlink("multipass.yaml");
    return p;
}

static void table(const char *model, const passes *p, double a)
{
    printf("%s: sinkage below untouched ground, below the ground as met, by the law [mm]; load [N]\n", model);
    for (int n = 0; n < PASSES; n++) {
        printf("  %-8s %6.2f %6.2f %6.2f  %6.1f\n", whose[n], 1e3 * p->z[n], 1e3 * (p->z[n] - (n ? p->z[n - 1] : 0.0)),
               1e3 * (n ? law(p, n, a) : p->z[0]), p->load[n]);
    }
}

static void row(const char *claim, const passes *p, double a)
{
    TY_ROW(claim, "repeated loading [wong2008], Bekker's wheel",
           "A front %.1f mm; A rear %.1f (%.1f), B front %.1f (%.1f), B rear %.1f (%.1f)", 1e3 * p->z[0],
           1e3 * (p->z[1] - p->z[0]), 1e3 * law(p, 1, a), 1e3 * (p->z[2] - p->z[1]), 1e3 * law(p, 2, a),
           1e3 * (p->z[3] - p->z[2]), 1e3 * law(p, 3, a));
}

/* the law itself: Bekker's wheel alone, and its limits */
TY_TEST(multipass, the_law)
{
    passes p = { { 1.0 }, { 1.0, 1.0, 1.0, 1.0 } };
    TY_NEAR(law(&p, 0, 0.0), 1.0, 1e-9);
    for (int n = 1; n < PASSES; n++) {
        p.z[n] = p.z[n - 1] + law(&p, n, 0.0);
    }
    TY_NEAR(p.z[1], 1.3062, 1e-3);
    TY_CHECK(pow(4.0, 1.0 / 3.0) < p.z[3] && p.z[3] < pow(4.0, 1.0 / 2.0));
    TY_CHECK(follows(&p, 0.0, 1e-9));
    TY_CHECK(!follows(&p, 0.4, 0.2)); /* control: another contact */
    /* control: what 5265e9b did. bekker sank alike in any rut; scm to 15.8, 17.4 and 22.8 mm */
    const passes before[2] = { { { 18.5, 18.5, 18.5, 18.5 }, { 165, 187, 165, 187 } },
                               { { 15.8, 17.4, 22.8, 24.4 }, { 164, 188, 164, 188 } } };
    TY_CHECK(!follows(&before[0], 0.4, 0.5) && !follows(&before[1], 0.0, 0.5));
}

/* bekker: stress is largest at (a1 + a2 s) of the entry angle, 0.4 in lunar soil */
TY_TEST(multipass, bekker, .timeout = 200)
{
    passes rut = drive(TY_SOIL_BEKKER, NULL, 0.0), fresh = drive(TY_SOIL_BEKKER, NULL, 3.0);
    table("bekker", &rut, 0.4);
    TY_CHECK(follows(&rut, 0.4, 0.1));
    row("bekker: a wheel in ruts sinks below them by (the law's) mm, within 10 %", &rut, 0.4);
    /* controls: B on fresh ground; ruts that carry as fresh soil does */
    table("bekker, B beside the ruts", &fresh, 0.4);
    TY_CHECK(!follows(&fresh, 0.4, 0.1));
    TY_NEAR_REL(fresh.z[2], rut.z[0], 0.01);
    passes none = drive(TY_SOIL_BEKKER, "multipass: false\n", 0.0);
    TY_CHECK(!follows(&none, 0.4, 0.1));
}

/* scm: columns carry before the wheel's lowest point only; loose soil that falls back into ruts is the berms' */
TY_TEST(multipass, scm, .timeout = 300)
{
    passes rut = drive(TY_SOIL_SCM, "berms: false\n", 0.0);
    table("scm", &rut, 0.0);
    TY_CHECK(follows(&rut, 0.0, 0.2));
    row("scm without berms: a wheel in ruts sinks below them by (the law's) mm, within 20 %", &rut, 0.0);
    if (tyt_long()) {
        passes berms = drive(TY_SOIL_SCM, NULL, 0.0), fresh = drive(TY_SOIL_SCM, "berms: false\n", 3.0);
        table("scm with berms", &berms, 0.0);
        table("scm, B beside the ruts", &fresh, 0.0);
        TY_CHECK(!follows(&fresh, 0.0, 0.2)); /* control */
        for (int n = 1; n < PASSES; n++) {
            TY_CHECK(berms.z[n] > berms.z[n - 1] && berms.z[n] < rut.z[n]);
        }
    }
}
