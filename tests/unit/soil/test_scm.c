/* The grid of soil columns: closed forms, symmetry, what is conserved, what is remembered.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soils.h"
#include "soil/scm_grid.h"

typedef struct scene {
    tyi_soil_scm *scm;
    tyi_soil_scm_body body;
    tyi_soil_scm_load load;
} scene;

static tyi_soil_scm_def one_soil(const tyi_soil_scm_soil *soil, double cell)
{
    tyi_soil_scm_def def = tyi_soil_scm_def_default();
    def.cell = cell;
    def.soil = soil;
    def.soils = 1;
    def.reserve = 24;
    def.bodies = 4;
    return def;
}

static tyi_soil_scm *make(const tyi_soil_scm_def *def)
{
    tyi_soil_scm *scm;
    ty_diag diag = { 0 };
    cr_assert(tyi_soil_scm_create(def, &scm, &diag) == TY_OK, "%s", diag.text);
    return scm;
}

static scene wheel_scene(const tyi_soil_scm_soil *soil, double cell, bool berms)
{
    static const ty_wheel_shape shape = { 0.25, 0.2, 0.0, 0 };
    tyi_soil_scm_def def = one_soil(soil, cell);
    def.berms = berms;
    scene s = { .scm = make(&def), .body.pose.q = { 1.0, 0.0, 0.0, 0.0 } };
    TY_CHECK(tyi_soil_scm_add_wheel(s.scm, &shape, 0.0, &s.body.shape, NULL) == TY_OK);
    return s;
}

static void step(scene *s, double dt)
{
    ty_diag diag = { 0 };
    cr_assert(tyi_soil_scm_step(s->scm, dt, &s->body, 1, &s->load, &diag) == TY_OK, "%s", diag.text);
    s->body.pose.p = ty_add(s->body.pose.p, ty_scale(dt, s->body.v));
}

/* ---- plates */

/* Pressed into soil that has only k_c, the mean pressure is k_c / b z^n with b = 2 area / perimeter.
 * The perimeter of a raster is good to a few per cent. */
TY_TEST(scm, plate_closed_form)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    soil.soil.k_c = 1e5;
    soil.soil.k_phi = 1e3;
    soil.soil.n0 = 1.3;
    tyi_soil_scm_def def = one_soil(&soil, 0.005);
    scene s = { .scm = make(&def), .body.pose.q = { 1.0, 0.0, 0.0, 0.0 } };
    TY_CHECK(tyi_soil_scm_add_plate(s.scm, 0.3, 0.1, &s.body.shape, NULL) == TY_OK);
    double b = 2.0 * 0.03 / 0.8;
    for (double z = 0.002; z < 0.03; z += 0.002) {
        s.body.pose.p.z = -z;
        step(&s, 1e-3);
        double want = 0.03 * (1e5 / b + 1e3) * pow(z, 1.3);
        TY_NEAR_REL(s.load.force.z, want, 0.03);
        TY_NEAR_REL(s.load.area, 0.03, 1e-9);
    }
    TY_FAR_REL(s.load.force.z, 0.03 * (1e5 / 0.1 + 1e3) * pow(0.028, 1.3), 0.2); /* control: b */
    TY_NEAR(s.load.sinkage, 0.028, 1e-12);
    /* unloading: the stiffness of E over the area */
    double f = s.load.force.z;
    s.body.pose.p.z += 2e-5;
    step(&s, 1e-3);
    TY_NEAR_REL(f - s.load.force.z, 0.03 * 2e8 * 2e-5, 1e-6);
    tyi_soil_scm_destroy(s.scm);
    TY_ROW("scm: plate within 3 % on 5 mm columns", "Bekker with b = 2 A / L", "worst %.2f %%",
           100.0 * tyt_worst_rel("s.load.force.z"));
}

/* A plate held at a depth and drawn sideways: Janosi, then the other way. */
TY_TEST(scm, pure_shear)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def def = one_soil(&soil, 0.01);
    def.berms = false;
    scene s = { .scm = make(&def), .body.pose.q = { 1.0, 0.0, 0.0, 0.0 } };
    TY_CHECK(tyi_soil_scm_add_plate(s.scm, 0.2, 0.2, &s.body.shape, NULL) == TY_OK);
    s.body.pose.p.z = -0.01;
    double strength = 0.0, j = 0.0;
    for (int i = 0; i < 20; i++) { /* too short a way for the plate to reach new columns */
        s.body.v = ty_vec3_make(0.03, 0.04, 0.0);
        TY_CHECK(tyi_soil_scm_step(s.scm, 1e-2, &s.body, 1, &s.load, NULL) == TY_OK);
        j += 5e-4;
        strength = s.load.force.z * tan(soil.soil.phi) + 170.0 * 0.04;
        double share = 1.0 - exp(-j / soil.soil.kx);
        TY_NEAR_REL(s.load.force.x, -0.6 * strength * share, 1e-5);
        TY_NEAR_REL(s.load.force.y, -0.8 * strength * share, 1e-5);
    }
    double share = 1.0 - exp(-j / soil.soil.kx);
    s.body.v = ty_vec3_make(-0.03, -0.04, 0.0);
    TY_CHECK(tyi_soil_scm_step(s.scm, 1.0, &s.body, 1, &s.load, NULL) == TY_OK);
    double on = 0.05 - 2.0 * share * soil.soil.kx / soil.soil.unload; /* beyond the stiff part */
    double back = -(1.0 - (1.0 - share) * exp(-on / soil.soil.kx));
    TY_NEAR_REL(s.load.force.x, -0.6 * strength * back, 1e-5);
    TY_CHECK(s.load.force.x > 0.0); /* control: the sign has turned */
    tyi_soil_scm_destroy(s.scm);
    TY_ROW("scm: shear with history within 1e-5", "Janosi, also reversed", "worst %.0e",
           tyt_worst_rel("s.load.force.x"));
}

/* ---- shapes */

static double noise(int i)
{
    double x = sin(12.9898 * i + 4.1) * 43758.5453;
    return x - floor(x);
}

/* The point over which a tilted cylinder is found lies on it, to rounding: at r from the axle, and
 * on its lower side. */
TY_TEST(scm, cylinder_is_exact)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def def = one_soil(&soil, 0.02);
    ty_wheel_shape shape = { 0.25, 0.2, 0.0, 0 };
    tyi_soil_scm_body body;
    tyi_soil_scm *scm = make(&def);
    TY_CHECK(tyi_soil_scm_add_wheel(scm, &shape, 0.0, &body.shape, NULL) == TY_OK);
    int found = 0;
    for (int i = 0; i < 2000; i++) {
        ty_quat yaw = ty_quat_axis(ty_vec3_make(0, 0, 1), 6.3 * noise(6 * i)),
                roll = ty_quat_axis(ty_vec3_make(1, 0, 0), 0.6 * noise(6 * i + 1) - 0.3),
                spin = ty_quat_axis(ty_vec3_make(0, 1, 0), 6.3 * noise(6 * i + 2));
        body.pose.q = ty_quat_mul(yaw, ty_quat_mul(roll, spin));
        body.pose.p = ty_vec3_make(1.0, -2.0, 0.3);
        double x = 1.0 + 0.4 * (noise(6 * i + 3) - 0.5), y = -2.0 + 0.4 * (noise(6 * i + 4) - 0.5), z;
        if (tyi_soil_scm_underside(scm, &body, x, y, &z)) {
            ty_vec3 axle = ty_rotate(body.pose.q, ty_vec3_make(0, 1, 0));
            ty_vec3 d = ty_sub(ty_vec3_make(x, y, z), body.pose.p);
            double along = ty_dot(d, axle);
            ty_vec3 out = ty_sub(d, ty_scale(along, axle));
            TY_NEAR(ty_norm(out), 0.25, 1e-12);
            TY_NEAR(along, 0.0, 0.1 + 1e-9);
            TY_CHECK(out.z < 0.0);
            found++;
        }
    }
    TY_CHECK(found > 500);
    tyi_soil_scm_destroy(scm);
    TY_ROW("scm: wheel's surface exact (1e-12 m), lugs to 0.1 mm", "closed form", "worst %.0e m",
           tyt_worst("ty_norm(out)"));
}

/* lowest point over x of a wheel with plates, turned by phi: straight from the definition */
static double lug_underside(double r, double tip, double t, int lugs, double phi, double x)
{
    double z = -sqrt(r * r - x * x);
    for (int k = 0; k < lugs; k++) {
        double a = 2.0 * TY_PI * k / lugs - phi; /* the plate's direction, from down towards +x */
        double ux = sin(a), uz = -cos(a), nx = cos(a), nz = sin(a);
        double px[4], pz[4]; /* corners of the plate from the axle out */
        for (int c = 0; c < 4; c++) {
            double along = c == 1 || c == 2 ? tip : 0.5 * r, side = c < 2 ? -0.5 * t : 0.5 * t;
            px[c] = along * ux + side * nx;
            pz[c] = along * uz + side * nz;
        }
        for (int c = 0; c < 4; c++) {
            int d = (c + 1) % 4;
            if ((px[c] < x) != (px[d] < x)) {
                z = fmin(z, pz[c] + (x - px[c]) / (px[d] - px[c]) * (pz[d] - pz[c]));
            }
        }
    }
    return z;
}

/* Lugs by table: within 0.1 mm, where a vertical face may be off by 0.1 mm sideways. */
TY_TEST(scm, lugs_to_a_tenth_of_a_millimetre)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def def = one_soil(&soil, 0.02);
    ty_wheel_shape shape = { 0.1, 0.1, 0.015, 12 };
    tyi_soil_scm_body body = { .pose.q = { 1, 0, 0, 0 } };
    tyi_soil_scm *scm = make(&def);
    TY_CHECK(tyi_soil_scm_add_wheel(scm, &shape, 0.004, &body.shape, NULL) == TY_OK);
    double worst = 0.0, smooth = 0.0;
    for (int i = 0; i < 4000; i++) {
        double phi = 6.3 * noise(3 * i), x = 0.16 * (noise(3 * i + 1) - 0.5), z;
        body.pose.q = ty_quat_axis(ty_vec3_make(0, 1, 0), phi);
        TY_CHECK(tyi_soil_scm_underside(scm, &body, x, 0.03, &z));
        double low = INFINITY, high = -INFINITY;
        for (int k = -10; k <= 10; k++) {
            double exact = lug_underside(0.1, 0.115, 0.004, 12, phi, x + 1e-5 * k);
            low = fmin(low, exact);
            high = fmax(high, exact);
        }
        worst = fmax(worst, fmax(low - z, z - high));
        smooth = fmax(smooth, fabs(z + sqrt(0.01 - x * x)));
    }
    printf("scm: underside of lugs off by %.2e m\n", worst);
    TY_NEAR(worst, 0.0, 1e-4);
    TY_CHECK(smooth > 0.01); /* control: without lugs it would be far off */
    tyi_soil_scm_destroy(scm);
    TY_ROW("scm: lugs within 0.1 mm", "closed form", "worst %.3f mm", 1e3 * worst);
}

/* The same wheel as triangles gives the same underside. */
TY_TEST(scm, mesh_is_the_wheel)
{
    enum { LUGS = 12, POINTS = LUGS * 14 };
    static float vertex[POINTS * 6];
    static int triangle[POINTS * 6];
    const double r = 0.1, tip = 0.115, half = 0.002;
    for (int i = 0; i < POINTS; i++) {
        int k = i % 14;
        double base = asin(half / r), pitch = 2.0 * TY_PI / LUGS, a, rho = sqrt(r * r);
        a = k == 0 ? -base : k == 1 ? -atan(half / tip) : k == 2 ? atan(half / tip) : base;
        rho = k == 1 || k == 2 ? hypot(tip, half) : r;
        a = k < 4 ? a : base + (pitch - 2.0 * base) * (k - 3) / 11.0;
        a += pitch * (i / 14);
        for (int side = 0; side < 2; side++) {
            vertex[6 * i + 3 * side] = (float)(rho * sin(a));
            vertex[6 * i + 3 * side + 1] = side ? 0.05f : -0.05f;
            vertex[6 * i + 3 * side + 2] = (float)(-rho * cos(a));
        }
        int next = (i + 1) % POINTS, corner[6] = { 2 * i, 2 * next, 2 * i + 1, 2 * next, 2 * next + 1, 2 * i + 1 };
        memcpy(&triangle[6 * i], corner, sizeof corner);
    }
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def def = one_soil(&soil, 0.02);
    tyi_soil_scm_body body = { .pose.q = { 1, 0, 0, 0 } };
    ty_diag diag = { 0 };
    tyi_soil_scm *scm = make(&def);
    cr_assert(tyi_soil_scm_add_mesh(scm, vertex, 2 * POINTS, triangle, 2 * POINTS, LUGS, 2, &body.shape, &diag) ==
                  TY_OK,
              "%s", diag.text);
    double worst = 0.0;
    for (int i = 0; i < 2000; i++) {
        double phi = 6.3 * noise(3 * i), x = 0.14 * (noise(3 * i + 1) - 0.5), z;
        body.pose.q = ty_quat_axis(ty_vec3_make(0, 1, 0), phi);
        TY_CHECK(tyi_soil_scm_underside(scm, &body, x, 0.03, &z));
        double low = INFINITY, high = -INFINITY;
        for (int k = -12; k <= 12; k++) {
            double exact = lug_underside(r, tip, 2.0 * half, LUGS, phi, x + 1e-5 * k);
            low = fmin(low, exact);
            high = fmax(high, exact);
        }
        worst = fmax(worst, fmax(low - z, z - high));
    }
    printf("scm: underside of the mesh off by %.2e m\n", worst);
    TY_NEAR(worst, 0.0, 2e-4); /* 0.1 mm, and 0.1 mm by which the chords lie inside the rim */
    /* wrong meshes get a sentence */
    int bad;
    triangle[5] = 99999;
    TY_CHECK(tyi_soil_scm_add_mesh(scm, vertex, 2 * POINTS, triangle, 2 * POINTS, LUGS, 1, &bad, NULL) == TY_ERR_INPUT);
    TY_CHECK(tyi_soil_scm_add_mesh(scm, vertex, 8, triangle, 0, LUGS, 1, &bad, &diag) == TY_ERR_INPUT);
    tyi_soil_scm_destroy(scm);
}

/* ---- wheels */

typedef struct mean {
    double fx, fz, torque;
} mean;

/* led at fixed height, v and omega along a heading; means over the second half */
static mean lead(scene *s, double h, double v, double omega, double heading, double seconds)
{
    mean m = { 0 };
    ty_vec3 e = { cos(heading), sin(heading), 0.0 }, axle = { -e.y, e.x, 0.0 };
    int n = (int)(seconds * 1e3);
    s->body.pose.p = ty_vec3_make(0.0013, 0.0007, 0.25 - h);
    s->body.pose.q = ty_quat_axis(ty_vec3_make(0, 0, 1), heading);
    s->body.v = ty_scale(v, e);
    s->body.w = ty_scale(omega, axle);
    for (int i = 0; i < n; i++) {
        step(s, 1e-3);
        if (i >= n / 2) {
            m.fx += ty_dot(s->load.force, e) / (n - n / 2);
            m.fz += s->load.force.z / (n - n / 2);
            m.torque -= ty_dot(s->load.torque, axle) / (n - n / 2);
        }
    }
    return m;
}

/* Soil without strength against shear: the pull is the resistance of compaction alone, Bekker's
 * R_c = b k h^(n+1) / (n + 1), and there is no torque. */
TY_TEST(scm, compaction_resistance)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    soil.elastic = 1e10;
    soil.soil.c = soil.soil.phi = soil.soil.k_c = 0.0;
    scene s = wheel_scene(&soil, 0.01, false);
    mean m = lead(&s, 0.02, 0.16, 0.8, 0.0, 2.0);
    TY_NEAR_REL(m.fx, -0.2 * 8.2e5 * 0.02 * 0.02 / 2.0, 0.03);
    TY_NEAR(m.torque, 0.0, 1e-6 * m.fz);
    TY_CHECK(m.fx < 0.0 && m.fz > 100.0); /* control: towed, it pulls back */
    tyi_soil_scm_destroy(s.scm);
    TY_ROW("scm: compaction resistance shows in the drawbar pull within 3 %", "b k z^2 / 2", "%.2f %%",
           100.0 * tyt_worst_rel("m.fx"));
}

/* In stiffly unloading soil the front half alone carries, with Bekker's pressure and with Janosi's
 * shear by (2.10), the way of the rim over the soil since it entered. (The way of the rim over one column would be
 *     j = r ((sin t1 - sin t) / (1 - s) - ((t1 - t) + sin t1 cos t1 - sin t cos t) / 2)
 * larger by about 1 / (1 - s).) */
TY_TEST(scm, equals_the_integrals)
{
    const double r = 0.25, b = 0.2, h = 0.01734, slip = 0.2;
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    soil.elastic = 1e12;
    soil.soil.k_c = 0.0;
    double t1 = acos(1.0 - h / r), fz = 0.0, fx = 0.0, torque = 0.0, column = 0.0;
    for (int i = 0; i < 2000; i++) {
        double t = (i + 0.5) * t1 / 2000, w = r * b * t1 / 2000;
        double sigma = soil.soil.k_phi * r * (cos(t) - cos(t1));
        double j = r * ((sin(t1) - sin(t)) / (1.0 - slip) - 0.5 * (t1 - t + sin(t1) * cos(t1) - sin(t) * cos(t)));
        double rim = r * (t1 - t - (1.0 - slip) * (sin(t1) - sin(t)));
        double top = soil.soil.c + sigma * tan(soil.soil.phi);
        double tau = top * (1.0 - exp(-rim / soil.soil.kx));
        fz += w * (sigma * cos(t) + tau * sin(t));
        fx += w * (tau * cos(t) - sigma * sin(t));
        torque += w * r * tau;
        column += w * r * top * (1.0 - exp(-j / soil.soil.kx));
    }
    /* two grids, and from them the limit of first order; the single ones are reported */
    mean m[2];
    for (int i = 0; i < 2; i++) {
        scene s = wheel_scene(&soil, 0.01 / (1 << i), false);
        m[i] = lead(&s, h, 0.16, 0.8, 0.0, 1.6);
        tyi_soil_scm_destroy(s.scm);
        printf("scm: %2d mm: fz %.2f of %.2f N, fx %.2f of %.2f N, torque %.3f of %.3f N m\n", 10 >> i, m[i].fz, fz,
               m[i].fx, fx, m[i].torque, torque);
        TY_NEAR_REL(m[i].fz, fz, 0.04 / (1 << i));
        TY_NEAR_REL(m[i].torque, torque, 0.06 / (1 << i));
    }
    TY_NEAR_REL(2.0 * m[1].fz - m[0].fz, fz, 0.01);
    TY_NEAR_REL(2.0 * m[1].fx - m[0].fx, fx, 0.01);
    TY_NEAR_REL(2.0 * m[1].torque - m[0].torque, torque, 0.01);
    TY_FAR_REL(2.0 * m[1].torque - m[0].torque, column, 0.05); /* control: told apart */
    TY_ROW("scm: load, pull, torque in the limit of fine columns within 1 %", "integrals over the rim",
           "%.2f %%, %.2f %%, %.2f %%", 100.0 * tyt_worst_rel("2.0 * m[1].fz - m[0].fz"),
           100.0 * tyt_worst_rel("2.0 * m[1].fx - m[0].fx"), 100.0 * tyt_worst_rel("2.0 * m[1].torque - m[0].torque"));
}

/* Finer grids close in, and the heading in the grid matters little. */
TY_TEST(scm, refinement_and_heading)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    double f[3];
    for (int i = 0; i < 3; i++) {
        scene s = wheel_scene(&soil, 0.02 / (1 << i), false);
        f[i] = lead(&s, 0.015, 0.16, 0.8, 0.0, 1.2).fz;
        tyi_soil_scm_destroy(s.scm);
    }
    printf("scm: load on 20, 10, 5 mm: %.2f %.2f %.2f N\n", f[0], f[1], f[2]);
    TY_NEAR(fabs(f[2] - f[1]) / fabs(f[1] - f[0]), 0.0, 0.7);
    TY_NEAR_REL(f[0], f[2], 0.10);
    scene s = wheel_scene(&soil, 0.01, false);
    mean turned = lead(&s, 0.015, 0.16, 0.8, 0.6, 1.2);
    TY_NEAR_REL(turned.fz, f[1], 0.04);
    tyi_soil_scm_destroy(s.scm);
}

/* Left is as right, forward as backward, to rounding; berms and all. */
TY_TEST(scm, symmetry)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    double fx[2], torque[2];
    for (int back = 0; back < 2; back++) {
        scene s = wheel_scene(&soil, 0.02, true);
        double sign = back ? -1.0 : 1.0;
        s.body.pose.p.z = 0.235;
        for (int i = 0; i < 1500; i++) {
            s.body.v = ty_vec3_make(sign * 0.16, 0.0, 0.0);
            s.body.w = ty_vec3_make(0.0, sign * 0.8, 0.0);
            step(&s, 1e-3);
        }
        TY_NEAR(s.load.force.y, 0.0, 1e-9);
        TY_NEAR(s.load.torque.x, 0.0, 1e-9);
        TY_NEAR(s.load.torque.z, 0.0, 1e-9);
        for (int i = -5; i <= 5; i++) {
            for (int j = 1; j < 12; j++) {
                TY_NEAR(tyi_soil_scm_level(s.scm, i, j), tyi_soil_scm_level(s.scm, i, -j), 1e-12);
            }
        }
        fx[back] = s.load.force.x;
        torque[back] = s.load.torque.y;
        tyi_soil_scm_destroy(s.scm);
    }
    TY_NEAR(fx[0], -fx[1], 1e-9);
    TY_NEAR(torque[0], -torque[1], 1e-9);
    TY_CHECK(fabs(fx[0]) > 1.0); /* control: there is a pull */
}

/* What the ruts lose the berms gain; without berms it is gone. At rest no slope is steeper than repose. */
static double volume(tyi_soil_scm *scm, double cell)
{
    double sum = 0.0;
    for (int i = -60; i < 80; i++) {
        for (int j = -60; j < 60; j++) {
            sum += tyi_soil_scm_level(scm, i, j) * cell * cell;
        }
    }
    return sum;
}

TY_TEST(scm, volume_is_kept)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    double lost[2];
    for (int berms = 0; berms < 2; berms++) {
        scene s = wheel_scene(&soil, 0.02, berms);
        lead(&s, 0.02, 0.2, 0.8, 0.3, 3.0);
        s.body.pose.p.z = 5.0; /* lifted: all soil is free to settle */
        s.body.v = ty_vec3_make(0, 0, 0);
        for (int i = 0; i < 3000; i++) {
            step(&s, 1e-3);
        }
        lost[berms] = volume(s.scm, 0.02);
        double steepest = 0.0;
        for (int i = -50; i < 70; i++) {
            for (int j = -50; j < 50; j++) {
                double z = tyi_soil_scm_level(s.scm, i, j);
                steepest = fmax(steepest, fabs(tyi_soil_scm_level(s.scm, i + 1, j) - z) / 0.02);
                steepest = fmax(steepest, fabs(tyi_soil_scm_level(s.scm, i, j + 1) - z) / 0.02);
            }
        }
        if (berms) {
            TY_NEAR(steepest, 0.0, tan(soil.repose) + 0.0101);
            TY_CHECK(steepest > 0.5); /* there are berms */
        }
        tyi_soil_scm_destroy(s.scm);
    }
    TY_NEAR(lost[1], 0.0, 1e-12);
    TY_CHECK(lost[0] < -1e-3); /* control */
    TY_ROW("scm: ruts and berms keep their volume within 1e-12 m3", "sum over the columns", "%.0e m3", fabs(lost[1]));
}

/* ---- state */

static int taken;
static void *count_get(size_t bytes, void *user)
{
    (void)user;
    taken++;
    return malloc(bytes);
}
static void count_put(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

static void four_wheels(tyi_soil_scm_body body[4], int shape, int i)
{
    for (int k = 0; k < 4; k++) {
        body[k] = (tyi_soil_scm_body){
            .shape = shape,
            .pose = { { 0.5 * (k / 2) + 2e-4 * i, k % 2 ? 0.4 : -0.4, 0.24 - 1e-6 * i },
                      ty_quat_axis(ty_vec3_make(0, 1, 0), 8e-4 * i) },
            .v = { 0.2, 0.01, -1e-3 },
            .w = { 0.0, 0.9, 0.0 },
        };
    }
}

/* Bits are the same for one and two threads, and after a save and restore in the middle; a step takes
 * no memory once the windows are there. */
TY_TEST(scm, repeatable)
{
    ty_alloc alloc = { count_get, count_put, NULL };
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    ty_wheel_shape wheel = { 0.25, 0.2, 0.02, 24 };
    tyi_soil_scm *scm[3];
    int shape;
    for (int k = 0; k < 3; k++) {
        tyi_soil_scm_def def = one_soil(&soil, 0.02);
        def.threads = k == 1 ? 2 : 1;
        def.alloc = &alloc;
        scm[k] = make(&def);
        TY_CHECK(tyi_soil_scm_add_wheel(scm[k], &wheel, 0.005, &shape, NULL) == TY_OK);
    }
    tyi_soil_scm_body body[4];
    tyi_soil_scm_load load[3][4];
    int before = 0;
    for (int i = 0; i < 600; i++) {
        four_wheels(body, shape, i);
        before = i == 10 ? taken : before;
        for (int k = 0; k < 2; k++) {
            TY_CHECK(tyi_soil_scm_step(scm[k], 1e-3, body, 4, load[k], NULL) == TY_OK);
        }
        if (i == 300) {
            size_t size = tyi_soil_scm_save_size(scm[0]);
            char *bytes = malloc(size);
            tyi_soil_scm_save(scm[0], bytes);
            TY_CHECK(tyi_soil_scm_restore(scm[2], bytes, size - 1, NULL) == TY_ERR_FORMAT);
            bytes[2] ^= 1;
            TY_CHECK(tyi_soil_scm_restore(scm[2], bytes, size, NULL) == TY_ERR_FORMAT);
            bytes[2] ^= 1;
            TY_CHECK(tyi_soil_scm_restore(scm[2], bytes, size, NULL) == TY_OK);
            free(bytes);
        }
        if (i > 300) {
            TY_CHECK(tyi_soil_scm_step(scm[2], 1e-3, body, 4, load[2], NULL) == TY_OK);
        }
    }
    TY_CHECK(taken - before <= 4); /* the windows of the third, and no more */
    TY_CHECK(!memcmp(load[0], load[1], sizeof load[0]));
    TY_CHECK(!memcmp(load[0], load[2], sizeof load[0]));
    TY_CHECK(load[0][0].force.z > 10.0);
    size_t size = tyi_soil_scm_save_size(scm[0]);
    TY_CHECK(size == tyi_soil_scm_save_size(scm[2]));
    char *a = malloc(size), *c = malloc(size);
    tyi_soil_scm_save(scm[0], a);
    tyi_soil_scm_save(scm[2], c);
    TY_CHECK(!memcmp(a, c, size));
    four_wheels(body, shape, 700); /* control: a step more is seen */
    TY_CHECK(tyi_soil_scm_step(scm[0], 1e-3, body, 4, load[0], NULL) == TY_OK);
    TY_CHECK(memcmp(load[0], load[1], sizeof load[0]));
    free(a);
    free(c);
    for (int k = 0; k < 3; k++) {
        tyi_soil_scm_destroy(scm[k]);
    }
}

/* Edits add up to what has changed. */
typedef struct sum {
    double total, deepest;
} sum;
static void add_edit(void *user, int64_t i0, int64_t j0, int nx, int ny, const float *change)
{
    sum *s = user;
    (void)i0;
    (void)j0;
    for (int i = 0; i < nx * ny; i++) {
        s->total += (double)change[i];
        s->deepest = fmin(s->deepest, (double)change[i]);
    }
}

TY_TEST(scm, edits)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    scene s = wheel_scene(&soil, 0.02, false);
    sum got = { 0 };
    lead(&s, 0.01, 0.2, 0.8, 0.0, 0.5);
    TY_CHECK(tyi_soil_scm_edits(s.scm, add_edit, &got) > 0);
    TY_CHECK(tyi_soil_scm_edits(s.scm, add_edit, &got) == 0); /* told once */
    s.body.pose.p.z -= 0.005;
    step(&s, 1e-3);
    TY_CHECK(tyi_soil_scm_edits(s.scm, add_edit, &got) > 0);
    TY_NEAR(got.total * 4e-4, volume(s.scm, 0.02), 1e-8);
    TY_NEAR(got.deepest, -0.01, 1e-3);
    tyi_soil_scm_destroy(s.scm);
}

/* ---- places */

static void slope_height(void *user, int64_t i0, int64_t j0, int nx, int ny, double *out)
{
    for (int k = 0; k < nx * ny; k++) {
        out[k] = (double)(i0 + k % nx) * 0.02 * *(double *)user;
    }
    (void)j0;
}

static void kind_by_side(void *user, int64_t i0, int64_t j0, int nx, int ny, uint8_t *out)
{
    (void)user;
    (void)i0;
    for (int k = 0; k < nx * ny; k++) {
        out[k] = j0 + k / nx >= 0;
    }
}

TY_TEST(scm, soil_in_places)
{
    tyi_soil_scm_soil soil[2] = { tyi_soil_scm_soil_default(), tyi_soil_scm_soil_default() };
    soil[1].soil.k_phi *= 3.0;
    soil[1].soil.k_c = soil[0].soil.k_c = 0.0;
    tyi_soil_scm_def def = one_soil(soil, 0.02);
    def.soils = 2;
    def.kind = kind_by_side;
    scene s = { .scm = make(&def), .body.pose.q = { 1, 0, 0, 0 } };
    TY_CHECK(tyi_soil_scm_add_plate(s.scm, 0.2, 0.2, &s.body.shape, NULL) == TY_OK);
    double f[2];
    for (int k = 0; k < 2; k++) {
        s.body.pose.p = ty_vec3_make(0.0, k ? 1.0 : -1.0, -0.01);
        step(&s, 1e-3);
        f[k] = s.load.force.z;
    }
    TY_NEAR_REL(f[1], 3.0 * f[0], 1e-9);
    tyi_soil_scm_destroy(s.scm);
}

/* A block on a slope: below the friction angle it stands still, above it slides. */
static double creep(double degrees)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    double rise = tan(degrees * TY_DEG), mass = 40.0, g = 1.62;
    soil.soil.c = 0.0;
    tyi_soil_scm_def def = one_soil(&soil, 0.02);
    def.height = slope_height;
    def.user = &rise;
    def.berms = false;
    scene s = { .scm = make(&def) };
    TY_CHECK(tyi_soil_scm_add_plate(s.scm, 0.3, 0.2, &s.body.shape, NULL) == TY_OK);
    s.body.pose.q = ty_quat_axis(ty_vec3_make(0, 1, 0), -degrees * TY_DEG);
    double start = 0.0;
    for (int i = 0; i < 7000; i++) {
        TY_CHECK(tyi_soil_scm_step(s.scm, 1e-3, &s.body, 1, &s.load, NULL) == TY_OK);
        s.body.v = ty_add(s.body.v, ty_scale(1e-3 / mass, s.load.force));
        s.body.v.z -= 1e-3 * g;
        s.body.pose.p = ty_add(s.body.pose.p, ty_scale(1e-3, s.body.v));
        if (i == 2000) {
            start = s.body.pose.p.x;
        }
    }
    tyi_soil_scm_destroy(s.scm);
    return fabs(s.body.pose.p.x - start);
}

TY_TEST(scm, stands_on_a_slope)
{
    double still = creep(20.0);
    printf("scm: creep on 20 deg %.2e m in 5 s\n", still);
    TY_NEAR(still, 0.0, 1e-3 * 5.0 / 60.0);
    TY_CHECK(creep(40.0) > 0.1); /* control */
}

/* ---- wrong input */

TY_TEST(scm, wrong_input)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def def = one_soil(&soil, 0.02), wrong = def;
    tyi_soil_scm *scm = NULL;
    int shape;
    wrong.cookie = 0;
    TY_CHECK(tyi_soil_scm_create(&wrong, &scm, NULL) == TY_ERR_DEF && !scm);
    wrong = def;
    wrong.cell = 0.0;
    TY_CHECK(tyi_soil_scm_create(&wrong, &scm, NULL) == TY_ERR_RANGE);
    wrong = def;
    wrong.soils = 0;
    TY_CHECK(tyi_soil_scm_create(&wrong, &scm, NULL) == TY_ERR_RANGE);
    soil.repose = NAN;
    TY_CHECK(tyi_soil_scm_create(&def, &scm, NULL) == TY_ERR_RANGE);
    soil.repose = 0.6;
    scm = make(&def);
    ty_wheel_shape bad = { 0.25, 0.2, 0.02, 24 };
    TY_CHECK(tyi_soil_scm_add_wheel(scm, &bad, 0.0, &shape, NULL) == TY_ERR_RANGE);
    TY_CHECK(tyi_soil_scm_add_plate(scm, -1.0, 0.0, &shape, NULL) == TY_ERR_RANGE);
    TY_CHECK(tyi_soil_scm_add_plate(scm, 0.1, 0.0, &shape, NULL) == TY_OK);
    tyi_soil_scm_body body = { .shape = shape, .pose.q = { 1, 0, 0, 0 } };
    tyi_soil_scm_load load;
    ty_diag diag = { 0 };
    body.v.x = NAN;
    TY_CHECK(tyi_soil_scm_step(scm, 1e-3, &body, 1, &load, &diag) == TY_ERR_INPUT);
    cr_expect(strstr(diag.text, "body 0"), "%s", diag.text);
    body.v.x = 0.0;
    body.shape = 7;
    TY_CHECK(tyi_soil_scm_step(scm, 1e-3, &body, 1, &load, NULL) == TY_ERR_INPUT);
    body.shape = shape;
    TY_CHECK(tyi_soil_scm_step(scm, 0.0, &body, 1, &load, NULL) == TY_ERR_INPUT);
    TY_CHECK(tyi_soil_scm_step(scm, 1e-3, &body, 1, &load, NULL) == TY_OK);
    TY_CHECK(tyi_soil_scm_add_plate(scm, 0.1, 0.1, &shape, NULL) == TY_ERR_INPUT); /* too late */
    tyi_soil_scm_destroy(scm);
}

/* ---- given up and come back */

typedef struct memory { /* of what was told, on a square of nodes around the origin */
    float change[256][256];
} memory;
static void keep_edit(void *user, int64_t i0, int64_t j0, int nx, int ny, const float *change)
{
    memory *m = user;
    for (int k = 0; k < nx * ny; k++) {
        m->change[j0 + k / nx + 128][i0 + k % nx + 128] += change[k];
    }
}
static void give_back(void *user, int64_t i0, int64_t j0, int nx, int ny, float *out)
{
    const memory *m = user;
    for (int k = 0; k < nx * ny; k++) {
        int64_t i = i0 + k % nx + 128, j = j0 + k / nx + 128;
        out[k] = i >= 0 && i < 256 && j >= 0 && j < 256 ? m->change[j][i] : 0.0f;
    }
}

/* A rut that was given up comes back from what the caller kept: at the same level, and stiff: a wheel set into it
 * again is carried as on the columns that were never given up, not as on loose soil. */
TY_TEST(scm, forgets)
{
    static const ty_wheel_shape shape = { 0.25, 0.2, 0.0, 0 };
    static memory kept;
    double fz[3]; /* never given up; given up; given up and not kept */
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    for (int k = 0; k < 3; k++) {
        tyi_soil_scm_def def = one_soil(&soil, 0.02);
        def.berms = false;
        def.user = &kept;
        def.change = k < 2 ? give_back : NULL;
        scene s = { .scm = make(&def), .body.pose.q = { 1.0, 0.0, 0.0, 0.0 } };
        TY_CHECK(tyi_soil_scm_add_wheel(s.scm, &shape, 0.0, &s.body.shape, NULL) == TY_OK);
        TY_CHECK(tyi_soil_scm_reserve(s.scm, 24, NULL) == TY_OK);
        memset(&kept, 0, sizeof kept);
        lead(&s, 0.01, 0.2, 0.8, 0.0, 1.0);
        double level = tyi_soil_scm_level(s.scm, 5, 0);
        TY_CHECK(tyi_soil_scm_forget(s.scm, 100.0, 0.0, 1.0) == 0 || k == 3); /* not before they are told */
        tyi_soil_scm_edits(s.scm, keep_edit, &kept);
        size_t full = tyi_soil_scm_save_size(s.scm);
        if (k) {
            TY_CHECK(tyi_soil_scm_forget(s.scm, 0.1, 0.0, 50.0) == 0); /* near: stays */
            TY_CHECK(tyi_soil_scm_forget(s.scm, 100.0, 0.0, 1.0) > 0 && tyi_soil_scm_save_size(s.scm) < full / 4);
        }
        TY_NEAR(tyi_soil_scm_level(s.scm, 5, 0), k < 2 ? level : 0.0, 1e-6);
        s.body.pose.p = ty_vec3_make(0.1, 0.0, 0.25 - 0.01);
        s.body.v = s.body.w = ty_vec3_make(0.0, 0.0, 0.0);
        step(&s, 1e-3);
        fz[k] = s.load.force.z;
        tyi_soil_scm_destroy(s.scm);
    }
    printf("scm: set into its rut again %.1f N, given up in between %.1f N, lost %.1f N\n", fz[0], fz[1], fz[2]);
    /* over 5e-5 m of elastic way: what the patch's width and the slope of the print had to it is not kept */
    TY_NEAR_REL(fz[1], fz[0], 0.4);
    TY_FAR_REL(fz[2], fz[0], 2.0);
}

/* Lugs cut, the rim carries: a wheel with thin plates is carried at a given depth of its rim as the rim alone,
 * whatever the grid, and pulls more. Thick blocks carry. */
TY_TEST(scm, blades)
{
    static const ty_wheel_shape smooth = { 0.225, 0.2, 0.0, 0 }, lugs = { 0.225, 0.2, 0.025, 24 },
                                blocks = { 0.225, 0.2, 0.005, 24 };
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    for (int grid = 0; grid < 2; grid++) {
        double fz[3], torque[3];
        for (int k = 0; k < 3; k++) {
            tyi_soil_scm_def def = one_soil(&soil, grid ? 0.01 : 0.02);
            scene s = { .scm = make(&def), .body.pose.q = { 1.0, 0.0, 0.0, 0.0 } };
            TY_CHECK(tyi_soil_scm_add_wheel(s.scm,
                                            k == 2 ? &blocks
                                            : k    ? &lugs
                                                   : &smooth,
                                            k == 2 ? 0.02 : 0.005, &s.body.shape, NULL) == TY_OK);
            mean m = lead(&s, 0.25 - 0.225 + 0.015, 0.16, 0.9, 0.0, 0.8); /* lead() counts from a radius of 0.25 m */
            fz[k] = m.fz, torque[k] = m.torque;
            tyi_soil_scm_destroy(s.scm);
        }
        printf(
            "scm: %d mm: rim 15 mm deep carries %.1f N smooth, %.1f N with lugs, %.1f N with blocks; torque %.1f, %.1f N m\n",
            grid ? 10 : 20, fz[0], fz[1], fz[2], torque[0], torque[1]);
        TY_NEAR_REL(fz[1], fz[0], 0.08); /* shear lifts a little more where it acts lower */
        TY_CHECK(torque[1] > 1.1 * torque[0]);
        /* the control: blocks of 20 x 5 mm press columns down, and take ground from between them */
        TY_FAR_REL(fz[2], fz[0], 0.08);
    }
}
