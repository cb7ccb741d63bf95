/* tests/unit/sim/test_multipass.c - rover B in the ruts of rover A: each pass sinks less than the one before it.
 *
 * Rut depth after n passes of a rigid wheel is z_1 n^(1/a), a = 2 to 3 in loose soil [abebe1989].
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "support.h"

typedef struct passes {
    double z[4]; /* [m] below untouched ground: front and rear wheels of A, then of B */
} passes;

/* A drives ahead, B behind it at a distance, or beside its track; means while B drives where A has been */
static passes drive(int model, double spacing, double beside, bool in_rut)
{
    small *s = small_make();
    ty_scenario_rover two[2] = { s->rover, s->rover };
    s->scenario.terrain.relief.rms_slope_deg = 0.0;
    s->scenario.soil.model = model;
    s->scenario.soil.spacing = spacing;
    if (model == TY_SOIL_BEKKER) {
        FILE *f = fopen("multipass.yaml", "w");
        cr_assert(f && fputs("multipass: true\n", f) >= 0 && fclose(f) == 0);
        snprintf(s->scenario.soil.file, sizeof s->scenario.soil.file, "multipass.yaml");
    }
    snprintf(two[0].name, sizeof two[0].name, "a");
    snprintf(two[1].name, sizeof two[1].name, "b");
    two[1].vehicle.x = -3.2, two[1].vehicle.y = in_rut ? 0.0 : beside;
    s->scenario.rover = two, s->scenario.rovers = 2;
    small_create(s);
    passes p = { { 0.0 } };
    int count = 0;
    small_steps(s, 17.0); /* B's rear wheels have come past where A's front wheels stood at first */
    for (int i = 0; i < 60; i++, count++) {
        small_steps(s, 0.05);
        for (size_t r = 0; r < 2; r++) {
            ty_vehicle_state v;
            ty_vehicle_get(ty_run_rover(s->run, r), &v);
            for (int w = 0; w < v.wheels; w++) {
                ty_vec3 at = ty_rotate(ty_quat_conj(v.pose.q), ty_sub(v.wheel[w].p_W, v.pose.p));
                p.z[2 * r + (at.x < 0.0)] += 0.5 * v.wheel[w].sinkage;
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        p.z[k] /= count;
    }
    small_free(s);
    unlink("multipass.yaml");
    return p;
}

static void table(const char *model, int kind, double spacing, double low, double high)
{
    passes rut = drive(kind, spacing, 3.0, true), fresh = drive(kind, spacing, 3.0, false);
    double last = 0.0;
    printf(
        "%s: sinkage below untouched ground and below the ground as met [mm], depth over the first's, n^(1/3) to n^(1/2)\n",
        model);
    for (int n = 0; n < 4; n++) {
        double depth = rut.z[n] / rut.z[0];
        printf("  %s %-5s %6.2f %6.2f  %.3f  %.3f to %.3f\n", n < 2 ? "A" : "B", n % 2 ? "rear" : "front",
               1e3 * rut.z[n], 1e3 * (rut.z[n] - last), depth, pow(n + 1, low), pow(n + 1, high));
        /* deeper than the pass before it, by less than that one sank; as deep as the law says */
        TY_CHECK(n == 0 || (depth > pow(n + 1, low) && depth < pow(n + 1, high)));
        last = rut.z[n];
    }
    printf("  B on fresh ground, front %.2f, rear %.2f\n", 1e3 * fresh.z[2], 1e3 * fresh.z[3]);
    /* control: beside the ruts B sinks as A does */
    TY_NEAR_REL(fresh.z[2], rut.z[0], 0.03);
    TY_NEAR_REL(fresh.z[3], rut.z[1], 0.03);
    TY_ROW("a wheel in ruts sinks to z_1 n^(1/a), a 2 to 3", "[abebe1989]",
           "%s: %.2f, %.2f, %.2f of the first pass, n = 2, 3, 4", model, rut.z[1] / rut.z[0], rut.z[2] / rut.z[0],
           rut.z[3] / rut.z[0]);
}

TY_TEST(multipass, bekker, .timeout = 200)
{
    table("bekker", TY_SOIL_BEKKER, 0.02, 1.0 / 3.0, 1.0 / 2.0);
}

TY_TEST(multipass, scm, .timeout = 300)
{
    table("scm", TY_SOIL_SCM, 0.02, 1.0 / 3.0, 1.0 / 2.0);
}
