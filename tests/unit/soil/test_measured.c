/* Against measured wheels: drawbar pull, torque, side force and sinkage at the measured loads, as
 * NRMSE = RMSE / (max - min) of each quantity. Printed for every set; only what the model is good
 * for is held to a bound. Data: shared/data/wheel (read there, not copied); what each set is and
 * how it was digitised: shared/data/README.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soils.h"
#include "soil/inner.h"

/* sum of squares and range of one quantity */
typedef struct score {
    double square, low, high;
    int n;
} score;

static void add(score *s, double got, double want)
{
    s->low = s->n ? fmin(s->low, want) : want;
    s->high = s->n ? fmax(s->high, want) : want;
    s->square += (got - want) * (got - want);
    s->n++;
}

static double nrmse(const score *s)
{
    return s->n ? sqrt(s->square / s->n) / (s->high - s->low) : (double)NAN;
}

/* the numbers of a CSV line; a text or empty field reads as NaN. Fields with commas inside stand
 * behind all numbers here. */
static int read_row(char *line, double *value, int most)
{
    int n = 0;
    for (char *field = line; field && n < most; n++) {
        char *end, *comma = strchr(field, ',');
        value[n] = strtod(field, &end);
        if (end == field) {
            value[n] = (double)NAN;
        }
        field = comma ? comma + 1 : NULL;
    }
    return n;
}

/* ---- Ding 2011, KLS-1, Rashid-1: one file, rows chosen by the start of their name */

typedef struct result {
    double pull, torque, sinkage;
} result;

static result against(const char *path, const char *label, const char *rows, const ty_soil_params *soil,
                      const ty_wheel_shape *shape)
{
    FILE *file = fopen(path, "r");
    char line[2048];
    score pull = { 0 }, torque = { 0 }, sinkage = { 0 };
    while (fgets(line, sizeof line, file)) {
        char *name = strchr(line, ',');
        double v[13];
        if (!name || strncmp(name + 1, rows, strlen(rows)) || read_row(line, v, 13) < 13) {
            continue;
        }
        double h;
        ty_wheel_load a = solve(soil, shape, v[8], v[9], 0.0, &h);
        add(&pull, a.fx, v[10]);
        add(&sinkage, h, v[11]);
        if (isfinite(v[12])) {
            add(&torque, a.torque, v[12]);
        }
    }
    fclose(file);
    TY_CHECK(pull.n >= 5);
    result r = { nrmse(&pull), nrmse(&torque), nrmse(&sinkage) };
    char text[32] = "not measured";
    if (torque.n) {
        snprintf(text, sizeof text, "%5.1f %%", 100.0 * r.torque);
    }
    printf("measured: %-46s %2d points: drawbar %5.1f %%, torque %s, sinkage %5.1f %%\n", label, pull.n, 100.0 * r.pull,
           text, 100.0 * r.sinkage);
    return r;
}

/* How lugs enter was chosen among six variants by these same six points (shear entering at the rim
 * or at the tips, with or without faces, at r or r + h_g): the agreement with lugs is that of a
 * chosen model, not of a prediction. */
TY_TEST(measured, ding_smooth_and_lugged)
{
    TY_NEED_SHARED(found, "data/wheel/roverdevkit_single_wheel_experiments.csv");
    char path[4096];
    snprintf(path, sizeof path, "%s", found);
    ty_soil_params published = soil_ding(), thesis = soil_ding();
    thesis.n0 = 1.0;
    thesis.n1 = 0.5;
    ty_wheel_shape larger = { wheel_ding.r + 0.010, wheel_ding.b, 0.0, 0 };
    against(path, "Ding smooth, published soil (n 1.1)", "ding2011_smooth", &published, &wheel_ding);
    against(path, "Ding smooth, n0 1.0 n1 0.5", "ding2011_smooth", &thesis, &wheel_ding);
    result none = against(path, "Ding lugs, published, lugs ignored", "ding2011_lug", &published, &wheel_ding);
    against(path, "Ding lugs, published, radius + lug height", "ding2011_lug", &published, &larger);
    against(path, "Ding lugs, n0 1.0 n1 0.5, radius + lug height", "ding2011_lug", &thesis, &larger);
    result a = against(path, "Ding lugs, published, lug model", "ding2011_lug", &published, &wheel_ding_lugs);
    result b = against(path, "Ding lugs, n0 1.0 n1 0.5, lug model", "ding2011_lug", &thesis, &wheel_ding_lugs);
    TY_CHECK(a.pull < 0.20 && a.torque < 0.15); /* the aims */
    TY_CHECK(b.pull < 0.20 && b.torque < 0.15);
    TY_CHECK(none.pull > 0.20 && none.torque > 0.15); /* control: without its lugs the wheel misses both */
}

/* KLS-1: a light wheel on firm soil that it hardly enters; the plate's numbers do not describe that. Reported only. */
TY_TEST(measured, kls1_and_rashid)
{
    TY_NEED_SHARED(found, "data/wheel/roverdevkit_single_wheel_experiments.csv");
    char path[4096];
    snprintf(path, sizeof path, "%s", found);
    ty_soil_params kls = soil_ding(), fjs = soil_ding();
    ty_wheel_shape smooth = { 0.085, 0.08, 0.0, 0 }, lugs = { 0.085, 0.08, 0.010, 16 },
                   rashid = { 0.100, 0.08, 0.020, 14 };
    kls.k_c = -44.0554e3;
    kls.k_phi = 3581.8106e3;
    kls.n0 = 1.2594;
    kls.c = 1716.0;
    kls.phi = 40.6 * TY_DEG;
    kls.kx = fjs.kx = 0.018;
    kls.rho = 1600.0;
    against(path, "KLS-1 smooth, bevameter soil, lambda 0", "kls1_smooth", &kls, &smooth);
    against(path, "KLS-1 lugs, bevameter soil, lambda 0", "kls1_lug", &kls, &lugs);
    fjs.k_c = 1370.0;
    fjs.k_phi = 8.2e5;
    fjs.n0 = 1.0;
    fjs.phi = 38.0 * TY_DEG;
    fjs.rho = 1740.0;
    fjs.c = 2400.0;
    against(path, "Rashid-1 in FJS-1, c 2400 Pa, lambda 0", "rashid1", &fjs, &rashid);
    fjs.c = 200.0;
    against(path, "Rashid-1 in FJS-1, c 200 Pa, lambda 0", "rashid1", &fjs, &rashid);
}

/* ---- CMU: slip, slip angle, side force; velocities of the carriage, so that slip follows from
 * them */

typedef struct sand {
    score pull, side, sinkage;
} sand;

/* which: 0 slip angles 0 and 30 deg, 1 the others, 2 all; bounded to slip -0.5 .. 0.9, 45 deg, sinkage under 0.6 r */
static sand cmu(const char *name, const char *label, const ty_soil_params *soil, const ty_wheel_shape *shape, int which)
{
    sand s = { 0 };
    FILE *file = fopen(name, "r");
    char line[512];
    double v[14], rs = tyi_soil_wheel_shear_radius(soil, shape);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || read_row(line, v, 14) < 14 || isnan(v[0]) ||
            (which < 2 && (fmod(v[0], 30.0) != 0.0) != which)) {
            continue;
        }
        double beta = v[0] * TY_DEG, v_x = v[4] * cos(beta), rim = v[5] * rs / shape->r, h;
        double slip = (rim - v_x) / fmax(fabs(rim), fabs(v_x));
        if (slip < -0.5 || slip > 0.9 || v[0] > 45.0 || v[12] > 600.0 * shape->r) {
            continue;
        }
        ty_wheel_load a = solve(soil, shape, v[10], slip, beta, &h);
        add(&s.pull, a.fx, v[6]);
        add(&s.side, -a.fy, v[8]);
        add(&s.sinkage, h, 1e-3 * v[12]);
    }
    fclose(file);
    printf("measured: %-46s %2d points: drawbar %5.1f %%, side %5.1f %%, sinkage %5.1f %%\n", label, s.pull.n,
           100.0 * nrmse(&s.pull), 100.0 * nrmse(&s.side), 100.0 * nrmse(&s.sinkage));
    return s;
}

static ty_soil_params soil_cmu(double k, double n0, double n1, double skid, double side, double a1, double a2, double c)
{
    ty_soil_params p = ty_soil_params_default();
    p.k_c = 0.0;
    p.k_phi = k;
    p.n0 = n0;
    p.n1 = n1;
    p.n1_skid = skid;
    p.n1_side = side;
    p.a1 = a1;
    p.a2 = a2;
    p.c = c;
    p.phi = 29.0 * TY_DEG;
    p.kx = p.ky = 0.021;
    p.rho = 1330.0;
    p.g = 9.81;
    return p;
}

/* Published soil, and a least-squares fit on slip angles 0 and 30 deg (friction angle kept at the
 * measured 29 deg, lambda at most 1.1) that is tested on 15 and 45 deg. Not quite blind: that side
 * slip must deepen the sinkage (n1_side) was seen in the data of all angles, and these two limits
 * were set after fits without them gave a friction angle of 12 to 17 deg and lambda 1.5, with test
 * errors of 5 to 12 %. The number of the small wheel's lugs is not published; 24 is taken. */
TY_TEST(measured, cmu_sand)
{
    TY_NEED_SHARED(found, "data/wheel/cmu_pavlov_smooth_wheel.csv");
    char smooth[4096], lugged[4096];
    snprintf(smooth, sizeof smooth, "%s", found);
    TY_NEED_SHARED(other, "data/wheel/cmu_pavlov_grouser_wheel.csv");
    snprintf(lugged, sizeof lugged, "%s", other);
    ty_wheel_shape plain = { 0.058, 0.05, 0.0, 0 }, lugs = { 0.058, 0.05, 0.005, 24 };

    ty_soil_params p = soil_cmu(8e6, 1.46, 0.01, 0.55, 0.0, 0.4, 0.15, 1000.0);
    cmu(smooth, "CMU smooth, published soil, lambda 1", &p, &plain, 2);
    p.n1_skid = 0.74;
    cmu(lugged, "CMU lugs, published soil, lambda 1", &p, &lugs, 2);

    ty_soil_params f = soil_cmu(4.085e8, 1.785, 0.513, 0.0, 0.262, 0.871, -0.097, 204.0);
    f.kx = 0.01405;
    f.ky = 0.01622;
    f.lambda = 1.1;
    cmu(smooth, "CMU smooth, fitted, slip angles 0 and 30", &f, &plain, 0);
    sand a = cmu(smooth, "CMU smooth, fitted, tested on 15 and 45", &f, &plain, 1);
    TY_CHECK(nrmse(&a.pull) < 0.15 && nrmse(&a.side) < 0.15 && nrmse(&a.sinkage) < 0.15); /* the aims */
    f.n1_side = 0.0;
    sand b = cmu(smooth, "  the same without side-slip sinkage", &f, &plain, 1);
    TY_CHECK(nrmse(&b.sinkage) > 0.15); /* control */

    ty_soil_params g = soil_cmu(8.259e6, 1.265, 0.652, 0.0, 0.267, 0.663, -0.314, 0.0);
    g.kx = 0.01362;
    g.ky = 0.00992;
    g.lambda = 0.241;
    cmu(lugged, "CMU lugs, fitted, slip angles 0 and 30", &g, &lugs, 0);
    sand c = cmu(lugged, "CMU lugs, fitted, tested on 15 and 45", &g, &lugs, 1);
    TY_CHECK(nrmse(&c.pull) < 0.15 && nrmse(&c.side) < 0.15 && nrmse(&c.sinkage) < 0.15);
}
