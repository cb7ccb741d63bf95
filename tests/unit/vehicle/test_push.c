/* tests/unit/vehicle/test_push.c - small rocks give way to wheels, large ones do not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "vehicle/rocks.h"
#include "ground.h"
#include "world/terrain/patch.h"
#include "tyt.h"
#include "vehicle/inner.h"

#define WHEEL_X 0.6418 /* [m] of viper's front left wheel */
#define WHEEL_Y 0.6098

typedef struct crossing {
    double lift, side; /* [m] */
    double most;       /* [N] of the rock on the wheel */
    ty_pushed_rock rock;
    int pushed;
    ty_rock seen;
    double lost; /* [J] */
} crossing;

/* viper drives straight over a rock with its left wheels */
static crossing cross(double diameter, double push, double offset)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    crossing out = { 0 };
    tyt_ground_stony(&g);
    ty_rock rock = tyt_rock(&g, 7, 1.2, WHEEL_Y + offset, diameter);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.rock_push = push;
    ty_vehicle *v = tyt_vehicle(&def);
    TY_CHECK(tyt_run(v, 1.0));
    ty_vehicle_get(v, &s);
    double rest = s.wheel[0].p_W.z;
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.15 }, &diag);
    for (int i = 0; i < 1000 && s.pose.p.x < 1.2; i++) {
        TY_CHECK(tyt_run(v, 0.01));
        ty_vehicle_get(v, &s);
        out.most = fmax(out.most, s.wheel[0].f_rock);
        out.lift = fmax(out.lift, s.wheel[0].p_W.z - rest);
    }
    out.pushed = tyi_vehicle_pushed(v, &out.rock, 1);
    out.lost = s.work_rock;
    TY_CHECK(ty_terrain_rocks(g.terrain, (ty_rect){ 0.0, 0.0, 3.0, 3.0 }, 0.02, 1.0, &out.seen, 1) == 1 &&
             out.seen.id == rock.id);
    out.side = hypot(out.seen.x - rock.x, out.seen.y - rock.y);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    return out;
}

TY_TEST(push, crossed, .timeout = 200)
{
    crossing small = cross(0.06, 0.10, 0.0), fast = cross(0.06, 0.0, 0.0), beside = cross(0.06, 0.10, 0.08),
             large = cross(0.4, 0.10, 0.0);
    printf(
        "rock of 0.06 m: wheel rises by %.1f mm (%.1f mm where it stands fast); moved by %.1f mm, pressed in by %.1f mm, "
        "%.2f kg, %.2f J lost\n",
        1e3 * small.lift, 1e3 * fast.lift, 1e3 * small.side, 1e3 * small.rock.sunk, small.rock.mass, small.lost);
    printf("at the wheel's edge: rises by %.1f mm, moved by %.1f mm, pressed in by %.1f mm\n", 1e3 * beside.lift,
           1e3 * beside.side, 1e3 * beside.rock.sunk);
    printf("rock of 0.4 m: moved by %g mm, pushes with up to %.0f N\n", 1e3 * large.side, large.most);
    TY_CHECK(small.pushed == 1 && small.lift < 0.25 * fast.lift && fast.lift > 0.02);
    TY_CHECK(small.side + small.rock.sunk > 0.01);
    /* the terrain knows */
    TY_CHECK(fabs(small.seen.x - small.rock.x) < 1.1e-3 && fabs(small.seen.y - small.rock.y) < 1.1e-3);
    TY_CHECK(small.seen.burial > 0.2);
    TY_CHECK(fast.pushed == 0 && fast.side == 0.0 && fast.lost == 0.0);
    TY_CHECK(large.pushed == 0 && large.side == 0.0 && large.most > 50.0);
}

/* viper drives at a loose rock of 0.06 m on ground and rims of friction mu; *on: how far [m] the rock has gone, *lift:
 * the wheel */
static double shove(ty_soil_model_kind soil, double mu, double *lift, double *sunk)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    ty_pushed_rock rock = { 0 };
    tyt_ground_stony(&g);
    ty_rock at = tyt_rock(&g, 7, 1.2, WHEEL_Y, 0.06);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", soil);
    def.rock_mu = def.soil.rigid.mu = mu;
    ty_vehicle *v = tyt_vehicle(&def);
    TY_CHECK(tyt_run(v, 1.0));
    ty_vehicle_get(v, &s);
    double rest = s.wheel[0].p_W.z;
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.15 }, &diag);
    *lift = 0.0;
    /* until the front wheel has gone 0.4 m past where the rock lay */
    for (int i = 0; i < 600 && s.pose.p.x < 0.95; i++) {
        TY_CHECK(tyt_run(v, 0.01));
        ty_vehicle_get(v, &s);
        *lift = fmax(*lift, s.wheel[0].p_W.z - rest);
    }
    TY_CHECK(tyi_vehicle_pushed(v, &rock, 1) == 1);
    *sunk = rock.sunk;
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    return rock.x - at.x;
}

/* A rolling wheel draws a rock under itself where the angle a of the rim at it is below the sum of both friction
 * angles (a nip, as between rollers), and shoves it ahead where it is above: a = acos(1 - h / r), 0.5 rad for what
 * stands out of this rock. */
TY_TEST(push, nip, .timeout = 200)
{
    double lift[4], sunk[4], rough_hard = shove(TY_SOIL_RIGID, 0.6, &lift[0], &sunk[0]), /* 2 x 31 deg */
        slick_hard = shove(TY_SOIL_RIGID, 0.1, &lift[1], &sunk[1]),                      /* 2 x 6 deg */
        rough_soft = shove(TY_SOIL_BEKKER, 0.6, &lift[2], &sunk[2]),
                             slick_soft = shove(TY_SOIL_BEKKER, 0.1, &lift[3], &sunk[3]);
    printf("hard, rough: rock goes %.0f mm, wheel rises %.0f mm; hard, slick: %.0f and %.0f mm\n", 1e3 * rough_hard,
           1e3 * lift[0], 1e3 * slick_hard, 1e3 * lift[1]);
    printf("soft, rough: rock goes %.0f mm, sinks %.0f mm; soft, slick: %.0f and %.0f mm\n", 1e3 * rough_soft,
           1e3 * sunk[2], 1e3 * slick_soft, 1e3 * sunk[3]);
    TY_CHECK(fabs(rough_hard) < 0.05 && lift[0] > 0.02 && sunk[0] == 0.0); /* rolled over */
    TY_CHECK(slick_hard > 0.2 && lift[1] < 0.01);                          /* shoved */
    TY_CHECK(fabs(rough_soft) < 0.05 && sunk[2] > 0.02);                   /* pressed in */
    TY_CHECK(slick_soft > 0.2 && sunk[3] < 0.02);                          /* shoved */
}

/* One wheel that does not turn moves along x at the height of the rock: level push, no friction on the rim. */
typedef struct pusher {
    tyt_ground g;
    ty_vehicle_def def;
    tyi_soil_world *world;
    tyi_vehicle_rocks ground;
    ty_soil_body in;
} pusher;

static void pusher_open(pusher *p, double mu_rim)
{
    ty_diag diag = { 0 };
    ty_wheel_shape shape = { .r = 0.2, .b = 0.3 };
    tyt_ground_stony(&p->g);
    tyt_rock(&p->g, 9, 0.5, 0.0, 0.06);
    p->def = tyt_vehicle_def(&p->g, "viper", TY_SOIL_BEKKER);
    p->def.soil.rigid.mu = mu_rim;
    tyi_soil_world_def world = {
        .terrain = p->def.terrain, .gravity = p->def.gravity, .soil = &p->def.soil, .soils = 1
    };
    ty_soil_body_def body = { .wheel = shape, .mass = 5.0, .rim_mass = 2.0, .weight = 100.0 };
    int carrier;
    int32_t i0, j0;
    bool moved;
    cr_assert(tyi_soil_world_create(&world, &p->world, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_soil_world_join(p->world, &body, 1, 1.0, true, p->def.rock_min, &carrier, &diag) == TY_OK, "%s",
              diag.text);
    tyi_soil_rider *rider = p->world->rider[carrier];
    tyi_soil_ground_around(p->world, &rider->ground, 0.0, 0.0, &i0, &j0);
    cr_assert(tyi_soil_ground_move(p->world, &rider->ground, i0, j0, &moved, &diag) == TY_OK && moved, "%s", diag.text);
    p->ground = (tyi_vehicle_rocks){ .world = p->world,
                                     .rider = rider,
                                     .soil = &p->world->layer[0].def,
                                     .on = true,
                                     .push_below = p->def.rock_push,
                                     .mu = p->def.rock_mu,
                                     .density = p->def.rock_density };
    cr_assert(tyi_vehicle_rocks_init(&p->ground, &diag) == TY_OK, "%s", diag.text);
    p->in = (ty_soil_body){ .centre = { 0.2, 0.0, 0.032 }, .axle = { 0.0, 1.0, 0.0 } };
}

static void pusher_close(pusher *p)
{
    tyi_vehicle_rocks_free(&p->ground);
    tyi_soil_world_destroy(p->world);
    tyt_ground_free(&p->g);
}

/* moves on with velocity v; returns the force on the wheel */
static ty_vec3 pusher_step(pusher *p, ty_vec3 v, double dt)
{
    ty_soil_load out = { .contact = false };
    tyi_vehicle_rock_load rock;
    p->in.v = v;
    tyi_vehicle_rocks_step(&p->ground, &p->in, dt, &out, &rock);
    p->in.centre = ty_add(p->in.centre, ty_scale(dt, v));
    return out.force;
}

TY_TEST(push, steady_sliding)
{
    static const double speeds[] = { 0.05, 0.2, 0.5 }, steps[] = { 1e-3, 1e-3, 2e-4 };
    for (int k = 0; k < 3; k++) {
        pusher p;
        pusher_open(&p, 0.0);
        double mean = 0.0, down = 0.0, dt = steps[k], before = 0.0;
        long n = lround(1.5 / speeds[k] / dt * 0.5), from = n * 2 / 3;
        ty_vec3 v = ty_vec3_make(speeds[k], 0.0, 0.0);
        for (long i = 0; i < n; i++) {
            ty_vec3 f = pusher_step(&p, v, dt);
            mean += i >= from ? -f.x / (double)(n - from) : 0.0;
            down += i >= from ? f.z / (double)(n - from) : 0.0;
            before = i + 1 == from ? p.ground.push.rock[0].v.x : before;
        }
        const tyi_vehicle_loose *r = &p.ground.push.rock[0];
        /* it swings a little on the rim: what its own speed took up */
        mean -= r->mass * (r->v.x - before) / ((double)(n - from) * dt);
        double rub = p.def.rock_mu * r->mass * p.def.gravity, kinetic = 0.5 * r->mass * ty_dot(r->v, r->v);
        printf(
            "%.2f m/s: %.4f N on the wheel, m g mu = %.4f N (with what the rim lifts %.4f N); %.3f m pushed, %.3f kg, work %.5f J = %.5f lost + %.5f moving\n",
            speeds[k], mean, rub, rub + p.def.rock_mu * down, r->x - 0.5, r->mass, p.ground.push.in, p.ground.push.lost,
            kinetic);
        cr_assert(p.ground.push.count == 1);
        TY_CHECK(r->x > 0.55 && fabs(r->y) < 0.05);
        TY_NEAR(mean, rub, 0.03 * rub);
        TY_NEAR(mean, rub + p.def.rock_mu * down, 0.002 * rub);
        TY_FAR(mean, 1.1 * rub, 0.03 * rub);
        TY_NEAR(p.ground.push.in, p.ground.push.lost + kinetic, 0.05 * p.ground.push.in);
        /* let go: stops within v^2 / (2 mu g) */
        double x = r->x, v0 = r->v.x;
        p.in.centre.x -= 1.0;
        for (int i = 0; i < 2000; i++) {
            pusher_step(&p, ty_vec3_make(0.0, 0.0, 0.0), 1e-3);
        }
        TY_NEAR(r->x - x, v0 * v0 / (2.0 * p.def.rock_mu * p.def.gravity), 0.02 * (r->x - x) + 1e-3 * v0);
        TY_CHECK(r->v.x == 0.0);
        pusher_close(&p);
    }
    TY_ROW("a small rock is pushed with mu m g within 3 %", "friction", "worst %.2f %%", 100.0 * tyt_worst_rel("mean"));
}

/* A wheel with friction comes down on a rock from above: Bekker's plate under its load. */
TY_TEST(push, pressed_in)
{
    pusher p;
    pusher_open(&p, 0.8);
    p.in.centre = ty_vec3_make(0.5, 0.0, 0.4);
    ty_vec3 f = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 20000 && f.z < 60.0; i++) { /* 2 cm/s until it carries 60 N */
        f = pusher_step(&p, ty_vec3_make(0.0, 0.0, -0.02), 1e-3);
    }
    const tyi_vehicle_loose *r = &p.ground.push.rock[0];
    const ty_soil_params *soil = &p.def.soil.bekker;
    double plate = TY_PI * 0.03 * 0.03 * (soil->k_c / 0.03 + soil->k_phi) * pow(r->sunk, soil->n0);
    printf("pressed in by %.1f mm under %.1f N; a plate of its size: %.1f N\n", 1e3 * r->sunk, f.z, plate);
    cr_assert(p.ground.push.count == 1);
    TY_NEAR(plate, f.z, 0.03 * f.z);
    double sunk = r->sunk; /* and stays down when the wheel leaves */
    for (int i = 0; i < 1000; i++) {
        pusher_step(&p, ty_vec3_make(0.0, 0.0, 0.05), 1e-3);
    }
    TY_NEAR(r->sunk, sunk, 1e-4);
    pusher_close(&p);
    TY_ROW("a rock under a wheel is pressed in as a plate of its size within 3 %", "plate law", "%.2f %%",
           100.0 * fabs(plate / f.z - 1.0));
}

/* A wheel that stands on the ground and slips sideways over a rock takes it along: its friction on the rim is larger
 * than the soil's. */
TY_TEST(push, taken_sideways)
{
    double way[2];
    for (int k = 0; k < 2; k++) {
        pusher p;
        pusher_open(&p, k ? 0.8 : 0.0);
        p.in.centre = ty_vec3_make(0.5, -0.18, 0.2 + 0.035); /* the rim is 1 cm lower than the rock's top */
        for (int i = 0; i < 2000; i++) {
            pusher_step(&p, ty_vec3_make(0.0, 0.1, 0.0), 1e-3);
        }
        cr_assert(p.ground.push.count == 1);
        way[k] = p.ground.push.rock[0].y;
        pusher_close(&p);
    }
    printf("0.20 m sideways: the rock goes along by %.3f m, by %.3f m under a rim without friction\n", way[1], way[0]);
    TY_CHECK(way[1] > 0.02);
    TY_CHECK(fabs(way[0]) < 0.5 * way[1]);
}

/* Saved while the wheel is on the rock; goes on with the same bits on a ground where nothing was moved yet. */
TY_TEST(push, save_restore)
{
    tyt_ground g[2];
    ty_vehicle *v[2];
    ty_diag diag = { 0 };
    for (int k = 0; k < 2; k++) {
        tyt_ground_stony(&g[k]);
        tyt_rock(&g[k], 3, 0.95, WHEEL_Y, 0.06);
        tyt_rock(&g[k], 4, 1.05, -WHEEL_Y + 0.03, 0.08);
        ty_vehicle_def def = tyt_vehicle_def(&g[k], "viper", TY_SOIL_BEKKER);
        def.soil.ruts = false;
        v[k] = tyt_vehicle(&def);
    }
    ty_vehicle_command(v[0], &(ty_drive_command){ .v = 0.2 }, &diag);
    ty_vehicle_state s = { 0 };
    for (int i = 0; i < 500 && s.wheel[0].f_rock < 5.0; i++) {
        TY_CHECK(tyt_run(v[0], 0.01));
        ty_vehicle_get(v[0], &s);
    }
    size_t bytes = ty_vehicle_save_size(v[0]);
    void *saved = malloc(bytes);
    ty_vehicle_save(v[0], saved);
    TY_CHECK(tyi_vehicle_pushed(v[0], NULL, 0) > 0);
    TY_CHECK(ty_vehicle_restore(v[1], saved, bytes, &diag) == TY_OK);
    for (int k = 0; k < 2; k++) {
        TY_CHECK(tyt_run(v[k], 3.0));
    }
    TY_CHECK(tyi_vehicle_pushed(v[1], NULL, 0) == 2);
    TY_CHECK(tyt_vehicle_digest(v[0]) == tyt_vehicle_digest(v[1]));
    TY_CHECK(tyt_run(v[1], 0.001)); /* the control */
    TY_CHECK(tyt_vehicle_digest(v[0]) != tyt_vehicle_digest(v[1]));
    free(saved);
    for (int k = 0; k < 2; k++) {
        ty_vehicle_destroy(v[k]);
        tyt_ground_free(&g[k]);
    }
}
