/* tests/unit/vehicle/test_grid.c - rovers on the grid of soil columns: they stand, drive, hold on
 * slopes, leave ruts, and agree with the single wheel on the same grid.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include "ground.h"
#include "tycho/tools/testbed.h"
#include "tyt.h"

static ty_vehicle *put(const tyt_ground *g, double spacing, bool lugs, int threads)
{
    ty_vehicle_def def = tyt_vehicle_def(g, "viper", TY_SOIL_SCM);
    def.soil.grid.berm = 1.0; /* all soil is kept */
    def.soil.grid.spacing = spacing;
    def.soil.grid.lugs = lugs;
    def.soil.grid.threads = threads;
    return tyt_vehicle(&def);
}

static double weight_on(const ty_vehicle_state *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->wheels; i++) {
        sum += s->wheel[i].fz * s->wheel[i].normal_W.z + s->wheel[i].fx * s->wheel[i].forward_W.z;
    }
    return sum;
}

/* Stands still, carried whole, and where Bekker's plate law in the contact's own width puts a wheel. */
TY_TEST(grid, stands)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_SCM);
    def.soil.grid.lugs = false;
    /* nearly as deep as it will stand: dropped onto the ground it would swing deeper and stay there */
    def.drop = -0.01;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_state s;
    tyt_run(v, 4.0);
    ty_vehicle_get(v, &s);
    double weight = ty_vehicle_mass(v) * 1.62;
    TY_NEAR(weight_on(&s), weight, 1e-3 * weight);
    TY_NEAR(s.v_W.z, 0.0, 1e-5);
    /* a cylinder of r 0.25 m, b 0.2 m under 176 N in p = k h: N = k b (2/3) sqrt(2 r) h^(3/2) for small h */
    double length = 2.0 * sqrt(0.5 * 0.0095), k = 1400.0 / (0.2 * length / (0.2 + length)) + 0.82e6;
    double h = pow(0.25 * weight / (k * 0.2 * (4.0 / 3.0) * sqrt(0.5)), 2.0 / 3.0), mean = 0.0;
    for (int i = 0; i < 4; i++) {
        mean += 0.25 * s.wheel[i].sinkage;
    }
    printf("stands: sinkage %.2f mm, by the plate law %.2f mm\n", 1e3 * mean, 1e3 * h);
    TY_NEAR(mean, h, 0.1 * h); /* grid of 20 mm under a contact of 0.13 m */
    TY_FAR(mean, 2.0 * h, 0.1 * h);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

typedef struct steady {
    double slip, sinkage;
} steady;

/* means over the last half of a drive of `seconds` at v [m/s] */
static steady drive(ty_vehicle *v, double speed, double seconds)
{
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    steady m = { 0.0, 0.0 };
    int count = 0;
    tyt_run(v, 1.0);
    ty_vehicle_command(v, &(ty_drive_command){ .v = speed }, &diag);
    tyt_run(v, 0.5 * seconds);
    for (double t = 0.5 * seconds; t < seconds; t += 0.02, count += 4) {
        tyt_run(v, 0.02);
        ty_vehicle_get(v, &s);
        for (int i = 0; i < 4; i++) {
            m.slip += s.wheel[i].slip, m.sinkage += s.wheel[i].sinkage;
        }
    }
    m.slip /= count, m.sinkage /= count;
    return m;
}

/* the single wheel on the same grid at the slip where it pulls as much as the slope asks for */
static steady rig(double weight, double angle, double cell)
{
    ty_rig_def def = ty_rig_def_default();
    ty_rig_result out;
    ty_diag diag = { 0 };
    double low = -0.1, high = 0.6;
    def.model = TY_SOIL_SCM;
    def.soil = ty_soil_def_default().bekker;
    def.load = weight * cos(angle);
    def.cell = cell;
    def.speed = 0.2;
    def.wheel = (ty_wheel_shape){ 0.25, 0.2, 0.0, 0 };
    for (int i = 0; i < 7; i++) {
        def.slip = 0.5 * (low + high);
        cr_assert(ty_rig_run(&def, &out, &diag) == TY_OK, "%s", diag.text);
        *(out.fx > weight * sin(angle) ? &high : &low) = def.slip;
    }
    return (steady){ 0.5 * (low + high), out.h };
}

TY_TEST(grid, agrees_with_rig, .timeout = 200)
{
    for (int k = 0; k < 2; k++) {
        double angle = k ? 10.0 * TY_DEG : 0.0;
        tyt_ground g;
        tyt_ground_slope(&g, angle);
        ty_vehicle *v = put(&g, 0.02, false, 1);
        steady rover = drive(v, 0.2, 4.0), wheel = rig(0.25 * ty_vehicle_mass(v) * 1.62, angle, 0.02);
        printf("%g deg: rover slips %.4f, sinks %.2f mm; wheel %.4f, %.2f mm\n", angle / TY_DEG, rover.slip,
               1e3 * rover.sinkage, wheel.slip, 1e3 * wheel.sinkage);
        /* front and rear wheels carry unequal loads on a slope, and rear ones run in ruts */
        TY_NEAR(rover.slip, wheel.slip, k ? 0.03 : 0.01);
        TY_NEAR(rover.sinkage, wheel.sinkage, 2e-3);
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    TY_ROW("a rover on scm slips as a single wheel does within 0.03, sinks within 2 mm", "the rig", "%.4f, %.2f mm",
           tyt_worst("rover.slip"), 1e3 * tyt_worst("rover.sinkage"));
}

/* Back over its own ruts: columns that were given up come back from the terrain as pressed soil, and carry the rover
 * about as deep as before; on the way memory for them does not grow. */
TY_TEST(grid, returns)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    tyt_ground_flat(&g);
    ty_vehicle *v = put(&g, 0.04, false, 1);
    double out = drive(v, 0.3, 10.0).sinkage; /* 3 m and more: the start is behind */
    size_t far = ty_vehicle_save_size(v);
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.0 }, &diag);
    tyt_run(v, 1.0);
    double back = drive(v, -0.3, 8.0).sinkage;
    ty_vehicle_get(v, &s);
    printf("out %.2f mm, back in its ruts %.2f mm deep; columns take %zu kB, then %zu kB\n", 1e3 * out, 1e3 * back,
           far / 1000, ty_vehicle_save_size(v) / 1000);
    TY_CHECK(back > out - 1e-3 && back < 1.25 * out);
    TY_CHECK(ty_vehicle_save_size(v) < 1.5 * (double)far);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

static double creep(double deg, double seconds)
{
    tyt_ground g;
    tyt_ground_slope(&g, deg * TY_DEG);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_SCM);
    def.soil.bekker.phi = 20.0 * TY_DEG; /* weak, so that the rover slides before it tips over */
    def.soil.bekker.c = 0.0;
    def.soil.grid.lugs = false;
    ty_vehicle *v = tyt_vehicle(&def);
    double way = tyt_creep(v, seconds);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    return way;
}

TY_TEST(grid, holds_on_slopes)
{
    double seconds = tyt_long() ? 60.0 : 5.0, held = creep(12.0, seconds), slid = creep(27.0, 3.0);
    printf("scm: %.1e m in %g s on 12 deg, %.2f m in 3 s on 27 deg\n", held, seconds, slid);
    TY_CHECK(held < 1e-3);
    TY_CHECK(slid > 0.05);
}

/* The grid's ruts reach the terrain: as deep as the wheels sank, with soil beside them; whatever the
 * two spacings, the volume comes out the same. */
TY_TEST(grid, ruts)
{
    for (int k = 0; k < 2; k++) {
        tyt_ground g;
        tyt_ground_flat(&g);
        ty_vehicle *v = put(&g, k ? 0.03 : 0.02, false, 1);
        ty_vehicle_state s;
        steady m = drive(v, 0.2, 3.0);
        ty_vehicle_get(v, &s);
        enum { N = 200 };
        static float change[N * N];
        const ty_terrain_def *def = ty_terrain_get_def(g.terrain);
        double d = ty_terrain_spacing(g.terrain, def->edit_level), deepest = 0.0, highest = 0.0, volume = 0.0,
               moved = 0.0;
        ty_terrain_edits(g.terrain, def->edit_level, -N / 2, -N / 2, N, N, change, NULL);
        for (int i = 0; i < N * N; i++) {
            deepest = fmax(deepest, (double)-change[i]), highest = fmax(highest, (double)change[i]);
            volume += (double)change[i] * d * d, moved += fabs((double)change[i]) * d * d;
        }
        printf("rut %.2f mm deep (wheels %.2f), berms %.2f mm, volume off by %.2g of %.2g m3\n", 1e3 * deepest,
               1e3 * m.sinkage, 1e3 * highest, volume, moved);
        TY_NEAR(deepest, m.sinkage, 0.35 * m.sinkage);
        TY_CHECK(highest > 1e-3);
        TY_CHECK(fabs(volume) < 0.02 * moved);
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    TY_ROW("scm under a rover: volume of ruts and berms within 2 %", "sum over the terrain's edits",
           "both grids inside");
}

/* uneven ground, lugs, a turn: the same bits for 1 and 2 threads; one more step is not the same */
TY_TEST(grid, threads)
{
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        tyt_ground g;
        ty_diag diag = { 0 };
        ty_vehicle_state s;
        tyt_ground_made(&g, 5);
        ty_vehicle *v = put(&g, 0.02, true, k + 1);
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.25, .omega = 0.1 }, &diag);
        tyt_run(v, 3.0);
        ty_vehicle_get(v, &s);
        hash[k] = tyt_vehicle_digest(v);
        TY_CHECK(s.odometer > 0.4);
        tyt_run(v, 1e-3);
        TY_CHECK(tyt_vehicle_digest(v) != hash[k]);
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    TY_CHECK(hash[0] == hash[1]);
}
