/* The soil laboratory in its small forms, against closed forms and measured bands.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tycho/math.h"
#include "tycho/tools/bed.h"
#include "soil/bed/bed.h"

static ty_bed_result run(ty_bed_test test, const ty_bed_def *def)
{
    ty_bed_result r;
    ty_diag diag = { 0 };
    cr_assert(ty_bed_run(test, def, &r, &diag) == TY_OK, "%s", diag.text);
    return r;
}

static ty_bed_def start(ty_bed_test test, double spacing)
{
    ty_bed_def def = ty_bed_def_default(test, TY_BED_CRM);
    def.spacing = spacing;
    def.threads = 1;
    return def;
}

/* Experiments whose row names no soil take the design's: rho 1600, E 1 MPa, nu 0.3, mu 0.6, no cohesion. */
TY_TEST(bed, soil_by_default)
{
    ty_crm_soil soil = ty_crm_soil_default();
    TY_CHECK(soil.rho == 1600.0 && soil.e == 1e6 && soil.nu == 0.3 && soil.mu_s == 0.6 && soil.mu_2 == 0.6 &&
             soil.c == 0.0);
    TY_CHECK(start(TY_BED_PLATE, 0.02).soil.e == soil.e);
    for (int k = 0; k < TY_BED_COUNT; k++) { /* diffusion of density is the drum's alone */
        ty_bed_def def = start((ty_bed_test)k, 0.02);
        TY_CHECK(def.delta == (k == TY_BED_DRUM ? 0.1 : 0.0) && def.xsph == (k == TY_BED_DRUM ? 0.5 : 0.1));
    }
}

/* A confined column let go under its weight: period 4 H / c_p, settlement rho g H^2 / (2 M), M = E (1-nu)/((1+nu)(1-2nu)). */
TY_TEST(bed, column_swings_and_settles)
{
    ty_bed_def def = start(TY_BED_COLUMN, tyt_long() ? 0.01 : 0.025);
    def.seconds = 0.16;
    ty_bed_result r = run(TY_BED_COLUMN, &def);
    double M = 1e6 * 0.7 / (1.3 * 0.4), want = 4.0 * 0.5 / sqrt(M / 1700.0), settled = 1700.0 * 9.81 * 0.25 / (2.0 * M);
    double period = ty_bed_get(&r, "period_s"), settlement = ty_bed_get(&r, "settlement_m");
    TY_NEAR_REL(period, want, 0.02);
    TY_NEAR_REL(settlement, settled, 0.01);
    TY_FAR_REL(period, 4.0 * 0.5 / sqrt(1e6 / 1700.0), 0.05); /* control: the wave of a free bar */
    TY_FAR_REL(settlement, 2.0 * settled, 0.3);               /* control: without the 1/2 */
    TY_ROW("confined column at a spacing of H/20: period within 2 %, settlement within 1 %", "closed form",
           "%.1f %%, %.1f %%", 100.0 * tyt_worst_rel("period"), 100.0 * tyt_worst_rel("settlement"));
    ty_bed_result_free(&r);
}

TY_TEST(bed, at_rest_on_a_slope)
{
    ty_bed_def def = start(TY_BED_REST, 0.02);
    def.seconds = 0.6;
    def.angle = 20.0 * TY_DEG;
    ty_bed_result r = run(TY_BED_REST, &def);
    double stress_error = ty_bed_get(&r, "stress_error"), creep = ty_bed_get(&r, "creep_m_s");
    TY_NEAR(stress_error, 0.0, 0.03);
    TY_NEAR(creep, 0.0, 1e-4);
    TY_ROW("layer on 20 deg: normal stress within 3 %, creep below 1e-4 m/s", "closed form", "%.1f %%, %.1e m/s",
           100.0 * stress_error, creep);
    ty_bed_result_free(&r);
}

/* With one friction the layer stands below atan(mu) and flows above. */
TY_TEST(bed, angle_at_which_it_stops)
{
    for (int k = -1; k <= 1; k += 2) {
        ty_bed_def def = start(TY_BED_INCLINE, 0.02);
        def.soil.mu_s = def.soil.mu_2 = 0.4;
        def.height = 0.12;
        def.angle = atan(0.4) + k * 0.5 * TY_DEG;
        def.seconds = 0.8;
        ty_bed_result r = run(TY_BED_INCLINE, &def);
        TY_CHECK(ty_bed_get(&r, "flows") == (k > 0));
        ty_bed_result_free(&r);
    }
    TY_ROW("a layer stands 0.5 deg below atan(mu) and flows 0.5 deg above", "closed form", "it does");
}

/* A column twice as high as wide, with the friction of glass beads: measured columns run out by 2.4 to 3.6 of their width, and stay
 * 0.86 to 1.26 of it high. The constants are second-hand, so this is a band. */
TY_TEST(bed, collapse_of_a_column)
{
    double runout[2], height[2];
    for (int k = 0; k < 2; k++) {
        ty_bed_def def = start(TY_BED_COLLAPSE, tyt_long() ? 0.01 : 0.02);
        def.soil.mu_s = def.soil.mu_2 = k ? 0.9 : 0.3819;
        def.seconds = k ? 0.3 : 0.6; /* the control stands sooner */
        ty_bed_result r = run(TY_BED_COLLAPSE, &def);
        runout[k] = ty_bed_get(&r, "runout");
        height[k] = ty_bed_get(&r, "height");
        TY_NEAR(r.volume_drift, 0.0, 0.02);
        ty_bed_result_free(&r);
    }
    TY_NEAR(runout[0], 3.0, 0.6);
    TY_NEAR(height[0], 1.06, 0.2);
    TY_FAR(runout[1], 3.0, 0.6); /* control: friction of 0.9 holds it */
    TY_ROW("column 2 : 1 let go, mu 0.38: runs out by 2.4 to 3.6 widths, stays 0.86 to 1.26 high",
           "[lube2005], [lajeunesse2005]", "%.2f, %.2f", runout[0], height[0]);
}

/* A round plate on soil with mu = 0.5, which is 30 deg in plane strain: q = 0.6 x 0.5 rho g B N_gamma, N_gamma 15.7. Taken as the mean from 0.05
 * to 0.08 B, where the curve has bent. */
TY_TEST(bed, plate_bears_what_theory_says)
{
    ty_bed_def def = start(TY_BED_PLATE, tyt_long() ? 0.0125 : 0.03);
    def.seconds = 0.3;
    def.height = tyt_long() ? 0.3 : 0.15;
    ty_bed_result r = run(TY_BED_PLATE, &def);
    double sum = 0.0, count = 0.0, B = 0.15;
    for (size_t k = 0; k < r.rows; k++) {
        if (r.series[3 * k + 1] > 0.05 * B && r.series[3 * k + 1] < 0.08 * B) {
            sum += r.series[3 * k + 2];
            count += 1.0;
        }
    }
    double pressure = sum / count, want = 0.6 * 0.5 * 1600.0 * 9.81 * B * 15.7;
    TY_NEAR_REL(pressure, want, 0.25);
    TY_FAR_REL(pressure, 0.6 * 0.5 * 1600.0 * 9.81 * B * 8.8,
               0.25); /* control: N_gamma of atan(0.5), were mu the tangent */
    TY_ROW("plate of 150 mm, mu 0.5 = sin(30 deg): pressure within 25 % of bearing capacity", "[meyerhof1963]",
           "%.0f %%", 100.0 * tyt_worst_rel("pressure"));
    ty_bed_result_free(&r);
}

/* A smooth wall pushed into a layer: Rankine's passive pressure of the angle whose sine is mu. */
TY_TEST(bed, blade_meets_passive_pressure)
{
    ty_bed_def def = start(TY_BED_BLADE, tyt_long() ? 0.0125 : 0.025);
    def.seconds = tyt_long() ? 0.4 : 0.3;
    ty_bed_result r = run(TY_BED_BLADE, &def);
    double force = ty_bed_get(&r, "force_n"), want = 0.5 * 3.69 * 1600.0 * 9.81 * 0.04, phi = atan(0.5736);
    TY_NEAR_REL(force, want, 0.10);
    TY_FAR_REL(force, want / 3.69 * (1.0 + sin(phi)) / (1.0 - sin(phi)), 0.10); /* control: were mu the tangent */
    TY_ROW("smooth wall of 0.2 m pushed into soil with mu = sin(35 deg): force within 10 % of passive pressure",
           "Rankine", "%.1f %%", 100.0 * tyt_worst_rel("force"));
    ty_bed_result_free(&r);
}

/* A wheel on its patch carries its load, pulls more the more it slips, and sinks more. */
TY_TEST(bed, wheel_pulls)
{
    ty_bed_def def = start(TY_BED_WHEEL, 0.05);
    def.slips = 2;
    def.slip[0] = 0.1, def.slip[1] = 0.5;
    def.soil.e = 6e5;
    ty_bed_result r = run(TY_BED_WHEEL, &def);
    const double *a = r.series, *b = r.series + r.columns;
    printf("wheel: slip 0.1 pull %.1f N torque %.1f N m sinkage %.1f mm; 0.5 %.1f %.1f %.1f\n", a[1], a[2], 1e3 * a[3],
           b[1], b[2], 1e3 * b[3]);
    TY_CHECK(r.rows == 2 && b[1] > a[1] && b[3] > a[3] && a[2] > 0.0);
    ty_bed_result_free(&r);
}

TY_TEST(bed, wrong_numbers_get_a_sentence)
{
    const struct {
        ty_bed_test test;
        size_t at;
        double value;
        const char *says;
    } wrong[] = {
        { TY_BED_COLLAPSE, offsetof(ty_bed_def, soil.mu_s), 0.0, "mu_s" },
        { TY_BED_COLLAPSE, offsetof(ty_bed_def, spacing), 0.0, "spacing" },
        { TY_BED_COLLAPSE, offsetof(ty_bed_def, aspect), 10.0, "wide" },
        { TY_BED_PLATE, offsetof(ty_bed_def, diameter), 0.01, "diameter" },
        { TY_BED_REST, offsetof(ty_bed_def, soil.e), 5e4, "50 times" },
        { TY_BED_COLUMN, offsetof(ty_bed_def, seconds), 0.01, "two swings" },
        { TY_BED_BALL, offsetof(ty_bed_def, gravity), -1.0, "gravity" },
        { TY_BED_COLLAPSE, offsetof(ty_bed_def, soil.lode), 2.0, "lode" },
        { TY_BED_WHEEL, offsetof(ty_bed_def, angle), 0.9, "ground" },
        { TY_BED_DRUM, offsetof(ty_bed_def, markers), 5.0, "markers" },
        { TY_BED_DRUM, offsetof(ty_bed_def, side), 0.3, "0.2 m more than the drum" },
        { TY_BED_DRUM, offsetof(ty_bed_def, cfl), 0.9, "cfl" },
        { TY_BED_DRUM, offsetof(ty_bed_def, scoops), 2.5, "a whole number" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ty_bed_def def = start(wrong[k].test, 0.025);
        ty_diag diag = { 0 };
        ty_bed_result r;
        *(double *)((char *)&def + wrong[k].at) = wrong[k].value;
        TY_CHECK(ty_bed_run(wrong[k].test, &def, &r, &diag) == TY_ERR_RANGE);
        if (!strstr(diag.text, wrong[k].says)) {
            tyt_failed(__FILE__, __LINE__, diag.text);
        }
        ty_bed_result_free(&r);
    }
    ty_bed_test test;
    TY_CHECK(ty_bed_find("collapse", &test) && test == TY_BED_COLLAPSE && !ty_bed_find("digging", &test));
    TY_CHECK(!strcmp(ty_bed_name(TY_BED_BALL), "ball") && ty_bed_what(TY_BED_BALL)[0]);
}

/* The mean of c + a cos(2 pi t / T) over whole passages of T is c, wherever they start and however pieces meet their ends; passages whose own means grow
 * by one have a standard error of 3^(-1/2), of three. */
TY_TEST(bed, means_over_whole_passages)
{
    const double T = 1.5032, dt = 1e-3, c = 25.0, a = 12.0;
    const int pieces = 7600;
    tyi_bed_passages p = { .from = 2.0, .period = T };
    double fixed = 0.0;
    for (int k = 0; k < pieces; k++) {
        double t = (k + 1) * dt, w = 2.0 * TY_PI / T, wave = a * (sin(w * t) - sin(w * k * dt)) / (w * dt),
               value[] = { c + wave, c + wave + floor((t - 0.5 * dt - 2.0) / T), -c };
        tyi_bed_passages_add(&p, t, dt, value);
        fixed += t > 2.0 && t < 4.0 + 0.5 * dt ? value[0] * dt / 2.0 : 0.0;
    }
    TY_CHECK(p.count == 3);
    TY_NEAR_REL(p.mean[0], c, 1e-6);
    TY_NEAR_REL(p.mean[1], c + 1.0, 1e-4);
    TY_NEAR_REL(p.mean[2], -c, 1e-12);
    TY_NEAR(tyi_bed_passages_error(&p, 0), 0.0, 1e-5);
    TY_NEAR_REL(tyi_bed_passages_error(&p, 1), sqrt(1.0 / 3.0), 1e-3);
    TY_FAR_REL(fixed, c, 0.05); /* control: from 2 to 4 s */
    tyi_bed_passages one = { .from = 0.5, .period = 0.25 };
    for (int k = 0; k < 8; k++) { /* pieces that hold half a passage; one that starts before `from` */
        const double value[] = { k % 2, 0.0, 1.0 };
        tyi_bed_passages_add(&one, 0.375 + 0.125 * (k + 1), 0.125, value);
        TY_CHECK(one.count > 1 || isnan(tyi_bed_passages_error(&one, 0)));
    }
    TY_CHECK(one.count == 3 && one.mean[0] == 0.5 && one.mean[2] == 1.0);
    tyi_bed_passages long_piece = { .from = 0.5, .period = 0.25 };
    tyi_bed_passages_add(&long_piece, 2.0, 2.0, (const double[]){ 3.0, 0.0, 0.0 });
    TY_CHECK(long_piece.count == 6 && long_piece.mean[0] == 3.0);
}

/* Soil only about a drum, and all along its way: forces and the drum's height are alike, the box has moved on by a third of a metre. A speed of its own, so
 * that it goes that far in a second. */
TY_TEST(bed, soil_only_about_a_drum_does_as_all_of_it)
{
    double torque[3], push[3], sunk[3];
    size_t particles[3];
    for (int k = 0; k < 3; k++) {
        ty_bed_def def = start(TY_BED_DRUM, 0.03);
        ty_diag diag = { 0 };
        ty_bed_result r;
        def.seconds = 1.0;
        def.speed = 0.4;
        def.rate = 4.0;
        def.side = k ? 0.66 : 0.0;
        def.jump = k == 2 ? 16.0 : def.jump; /* 0.48 m at a time: it never moves on */
        TY_CHECK(ty_bed_run(TY_BED_DRUM, &def, &r, &diag) == TY_OK);
        torque[k] = ty_bed_get(&r, "torque_nm");
        push[k] = ty_bed_get(&r, "push_n");
        sunk[k] = ty_bed_get(&r, "sunk_m");
        particles[k] = r.particle_count;
        ty_bed_result_free(&r);
    }
    TY_CHECK(particles[1] < 0.75 * particles[0]);
    TY_NEAR_REL(torque[1], torque[0], 0.05);
    TY_NEAR(push[1], push[0], 0.05 * fabs(push[0]) + 1.0);
    TY_NEAR_REL(sunk[1], sunk[0], 0.05);
    /* control: soil that stays behind, which the drum runs out of */
    TY_FAR_REL(torque[2], torque[0], 0.05);
    TY_FAR_REL(push[2], push[0], 0.05 + 1.0 / fabs(push[0]));
    TY_FAR_REL(sunk[2], sunk[0], 0.05);
    TY_ROW("a drum in soil that is there only about it (0.66 m of 1.03 m), against all of it: torque within 5 %",
           "each other", "%.1f %%", 100.0 * (torque[1] / torque[0] - 1.0));
}

/* A drum half full that turns: the surface on which soil flows down stands 1 to 4 deg steeper than the angle at which a layer stops, atan(mu),
 * and 2 deg are left for the spacing; the drum's torque is the moment of the soil's weight. */
TY_TEST(bed, tumbler_flows_at_its_angle)
{
    static const double mu[] = { 0.6, 0.35, 0.35 };
    double over[3];
    for (int k = 0; k < 3; k++) {
        ty_bed_def def = start(TY_BED_TUMBLER, tyt_long() ? 0.01 : 0.02);
        def.soil.mu_s = def.soil.mu_2 = mu[k];
        def.seconds = 3.0;
        def.alpha = k == 2 ? 0.3 : def.alpha;
        ty_bed_result r = run(TY_BED_TUMBLER, &def);
        over[k] = ty_bed_get(&r, "angle_deg") - atan(mu[k]) / TY_DEG;
        TY_NEAR_REL(ty_bed_get(&r, "torque_nm"), ty_bed_get(&r, "moment_nm"), 0.08);
        ty_bed_result_free(&r);
    }
    TY_CHECK(over[0] > 0.0 && over[0] < 6.0);
    TY_CHECK(over[1] > 0.0 && over[1] < 6.0);
    TY_CHECK(over[2] > 6.0); /* control: soil as sticky as syrup */
    TY_ROW("half-full drum that turns, Fr 0.005: slope 1 to 4 deg (+- 2) above atan(mu), mu 0.6 and 0.35",
           "trend of rotating drums", "%.1f, %.1f deg", over[0], over[1]);
}

/* Plates on soil without particles give back the numbers that the soil has: by formulas to the last digits, by columns to 3 %. */
TY_TEST(bed, plates_without_particles)
{
    for (int k = 0; k < 2; k++) {
        ty_bed_def def = ty_bed_def_default(TY_BED_PLATE, k ? TY_BED_SCM : TY_BED_BEKKER);
        def.diameters = 3;
        def.diameter[0] = 0.1, def.diameter[1] = 0.2, def.diameter[2] = 0.3;
        def.bekker.n0 = 0.8;
        def.spacing = 0.01;
        ty_bed_result r = run(TY_BED_PLATE, &def);
        double bound = k ? 0.03 : 1e-9, n = ty_bed_get(&r, "n"), k_phi = ty_bed_get(&r, "k_phi"),
               last = r.series[3 * (r.rows - 1) + 2],
               want = (def.bekker.k_c / 0.15 + def.bekker.k_phi) * pow(0.036, 0.8);
        TY_NEAR_REL(n, 0.8, bound);
        TY_NEAR_REL(k_phi, def.bekker.k_phi, bound);
        TY_NEAR_REL(last, want, bound);
        TY_FAR_REL(last, def.bekker.k_phi * pow(0.036, 1.0), 0.2); /* control: another exponent */
        ty_bed_result_free(&r);
    }
}
