/* Bodies that touch: rovers, rocks, objects, actors (src/body/world.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "body/world.h"
#include "sim/run.h"
#include "support.h"
#include "vehicle/vehicle.h"
#include "vehicle/inner.h"

/* two rovers of a kind on level ground, `gap` apart along x, face to face */
typedef struct pair {
    ty_scenario scenario;
    ty_scenario_rover rover[3];
    ty_scenario_object object[2];
    ty_scenario_actor actor[2];
    ty_run_def def;
    ty_run *run;
    char path[2][256];
} pair;

static pair *pair_make(const char *model, double gap)
{
    pair *p = calloc(1, sizeof *p);
    const char *root = getenv("TYCHO_SOURCE");
    p->scenario = ty_scenario_default();
    snprintf(p->scenario.name, sizeof p->scenario.name, "touch");
    snprintf(p->scenario.start_utc, sizeof p->scenario.start_utc, "2026-12-01T12:00:00");
    p->scenario.terrain.extent = 200.0;
    p->scenario.terrain.relief.rms_slope_deg = 0.0;
    p->scenario.terrain.crater.on = p->scenario.terrain.rock.on = false;
    p->scenario.duration = 1000.0;
    for (int i = 0; i < 2; i++) {
        p->rover[i] = (ty_scenario_rover){ .vehicle = ty_vehicle_def_default(),
                                           .soil.model = TY_SOIL_BEKKER,
                                           .soil.spacing = 0.02 };
        snprintf(p->rover[i].name, sizeof p->rover[i].name, "%s", i ? "bravo" : "alpha");
        snprintf(p->rover[i].model, sizeof p->rover[i].model, "%s/models/rovers/%s.yaml", root ? root : ".", model);
        p->rover[i].vehicle.x = i ? 0.5 * gap : -0.5 * gap;
        p->rover[i].vehicle.yaw = i ? TY_PI : 0.0;
        p->rover[i].driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
    }
    p->scenario.rover = p->rover;
    p->scenario.rovers = 2;
    p->scenario.object = p->object;
    p->scenario.actor = p->actor;
    p->def = ty_run_def_default();
    p->def.scenario = &p->scenario;
    p->def.threads = 1;
    return p;
}

static void pair_create(pair *p)
{
    ty_diag diag = { 0 };
    cr_assert(ty_run_create(&p->def, &p->run, &diag) == TY_OK, "%s", diag.text);
}

static void pair_free(pair *p)
{
    ty_run_destroy(p->run);
    free(p);
}

static tyi_body_touch touch_of(const pair *p, int rover)
{
    const tyi_body_touch *t;
    int n = tyi_body_world_touches(tyi_sim_bodies_world(p->run), &t);
    for (int i = 0; i < n; i++) {
        if (t[i].rover == rover) {
            return t[i];
        }
    }
    return (tyi_body_touch){ .rover = -1 };
}

/* most acceleration [m/s^2] of the rovers after the first seconds; furthest x of rover 0 */
typedef struct drive {
    double jolt, x[2], pitch;
} drive;

static drive pair_drive(pair *p, double seconds, double settled)
{
    drive d = { 0 };
    ty_diag diag = { 0 };
    ty_time end = ty_run_time(p->run) + ty_time_from(seconds);
    while (ty_run_time(p->run) < end) {
        cr_assert(ty_run_step(p->run, &diag) == TY_OK, "%s", diag.text);
        for (size_t i = 0; i < p->scenario.rovers && i < 2; i++) {
            ty_vehicle_state s;
            ty_vehicle_get(ty_run_rover(p->run, i), &s);
            d.x[i] = s.pose.p.x;
            if (ty_seconds(ty_run_time(p->run)) > settled) {
                d.jolt = fmax(d.jolt, ty_norm(s.a_W));
            }
        }
    }
    return d;
}

static void all_of(const pair *p, double *kinetic, ty_vec3 *linear, ty_vec3 *angular)
{
    *kinetic = 0.0;
    *linear = *angular = ty_vec3_make(0, 0, 0);
    for (size_t i = 0; i < p->scenario.rovers; i++) {
        double k;
        ty_vec3 l, a;
        ty_vehicle *v = ty_run_rover(p->run, i);
        ty_vehicle_energy(v, &k, NULL, &l, &a);
        *kinetic += k;
        *linear = ty_add(*linear, l);
        *angular = ty_add(*angular, ty_add(a, ty_cross(tyi_vehicle_centre(v), l)));
    }
}

/* Two rovers in free flight, head-on and a little off the middle, motors off: momentum is kept, kinetic energy only lost. */
TY_TEST(touch, flight)
{
    pair *p = pair_make("viper", 2.6);
    p->scenario.step = 1e-3;
    p->scenario.gravity = 0.0;
    for (int i = 0; i < 2; i++) {
        p->rover[i].soil.model = TY_SOIL_NONE;
        p->rover[i].driver.kind = TY_DRIVER_EXTERNAL;
        p->rover[i].vehicle.y = i ? 0.3 : -0.3;
    }
    pair_create(p);
    for (size_t i = 0; i < 2; i++) {
        ty_vehicle *v = ty_run_rover(p->run, i);
        v->drive.stall_torque = 0.0; /* motors off */
        v->steering.torque = 0.0;
        ty_vehicle_set_twist(v, ty_vec3_make(i ? -0.2 : 0.2, 0, 0), ty_vec3_make(0, 0, 0));
    }
    double k0, k, most = 0.0, worst_l = 0.0, worst_a = 0.0;
    ty_vec3 l0, a0, l, a;
    all_of(p, &k0, &l0, &a0);
    double scale = 434.9 * 0.2, turn = ty_norm(a0);
    ty_diag diag = { 0 };
    for (int i = 0; i < 8000; i++) {
        cr_assert(ty_run_step(p->run, &diag) == TY_OK, "%s", diag.text);
        if (i % 10 == 0) {
            all_of(p, &k, &l, &a);
            most = fmax(most, k);
            worst_l = fmax(worst_l, ty_norm(ty_sub(l, l0)));
            worst_a = fmax(worst_a, ty_norm(ty_sub(a, a0)));
        }
    }
    tyi_body_touch t = touch_of(p, 0);
    printf(
        "peak %.1f N from %.2f to %.2f s; linear momentum to %.1e, angular to %.1e, kinetic energy %.6f J, most %.9f, last %.6f\n",
        t.peak, t.begin, t.last, worst_l / scale, worst_a / turn, k0, most / k0, k);
    cr_expect(t.rover == 0 && !strcmp(t.name, "bravo") && t.peak > 10.0, "they did not touch");
    cr_expect(worst_l < 1e-6 * scale && worst_a < 1e-6 * turn);
    cr_expect(most <= k0 * (1.0 + 1e-12));
    pair_free(p);
}

/* drives on and says what became of it */
static drive report(pair *p, const char *what, double seconds)
{
    drive d = pair_drive(p, seconds, 2.0);
    tyi_body_touch t = touch_of(p, 0);
    printf("%s: x %.3f %.3f m, jolt %.2f m/s2, touches '%s' from %.2f to %.2f s, peak %.0f N, groups %d\n", what,
           d.x[0], d.x[1], d.jolt, t.name, t.begin, t.last, t.peak,
           tyi_body_world_groups(tyi_sim_bodies_world(p->run)));
    return d;
}

static void without_contacts(pair *p)
{
    ty_diag diag = { 0 };
    for (size_t i = 0; i < p->scenario.rovers; i++) {
        cr_assert(tyi_body_mbd_set_hulls(ty_run_rover(p->run, i)->mbd, NULL, 0, &diag) == TY_OK);
    }
}

static void put_rock(pair *p, double x, double y, double diameter, double scale)
{
    ty_diag diag = { 0 };
    ty_terrain *t = ty_world_terrain(ty_run_world(p->run));
    ty_rock rock = { .x = x, .y = y, .diameter = diameter, .scale = scale, .burial = 0.1, .shape = 3, .id = 77 };
    ty_edit edit = { .i0 = 0, .j0 = 0, .nx = 1, .ny = 1, .rock = &rock };
    cr_assert(ty_terrain_edit(t, &edit, &diag) == TY_OK, "%s", diag.text);
    for (size_t i = 0; i < p->scenario.rovers; i++) {
        cr_assert(tyi_vehicle_push_restore(&ty_run_rover(p->run, i)->rocks, &diag) == TY_OK, "%s", diag.text);
    }
}

/* On soft soil, each at 0.2 m/s: neither gets past the other, and no jolt. Control: without shapes they do. */
TY_TEST(touch, head_on)
{
    pair *p = pair_make("viper", 2.4);
    pair_create(p);
    drive d = report(p, "head-on", 12.0);
    tyi_body_touch a = touch_of(p, 0), b = touch_of(p, 1);
    cr_expect(!strcmp(a.name, "bravo") && !strcmp(b.name, "alpha"), "'%s', '%s'", a.name, b.name);
    cr_expect(d.x[1] - d.x[0] > 1.2, "one got past the other");
    cr_expect(a.peak > 50.0 && a.peak == b.peak);
    cr_expect(d.jolt < 6.0);
    pair_free(p);

    p = pair_make("viper", 2.4);
    pair_create(p);
    without_contacts(p);
    d = report(p, "control", 12.0);
    cr_expect(d.x[1] - d.x[0] < 0.0, "control: what held them?");
    pair_free(p);
}

/* a box of a file: half sides [m] */
static const char *wall_file(double x, double y, double z)
{
    static char path[] = "/tmp/tycho-wall-XXXXXX.obj";
    strcpy(path, "/tmp/tycho-wall-XXXXXX.obj");
    int fd = mkstemps(path, 4);
    FILE *f = fdopen(fd, "w");
    static const int face[12][3] = { { 1, 3, 2 }, { 2, 3, 4 }, { 5, 6, 7 }, { 6, 8, 7 }, { 1, 2, 5 }, { 2, 6, 5 },
                                     { 3, 7, 4 }, { 4, 7, 8 }, { 1, 5, 3 }, { 3, 5, 7 }, { 2, 4, 6 }, { 4, 8, 6 } };
    for (int i = 0; i < 8; i++) {
        fprintf(f, "v %g %g %g\n", i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    for (int i = 0; i < 12; i++) {
        fprintf(f, "f %d %d %d\n", face[i][0], face[i][1], face[i][2]);
    }
    fclose(f);
    return path;
}

static void put_wall(pair *p, double x, double y)
{
    p->object[0] = (ty_scenario_object){ .shape = 0, .name = "wall", .scale = 1.0, .position = { x, y, 0.0 } };
    p->object[0].on_ground = true;
    snprintf(p->object[0].file, sizeof p->object[0].file, "%s", wall_file(0.2, 3.0, 1.0));
    p->scenario.objects = 1;
}

/* A wall of objects: the rover stops before it. */
TY_TEST(touch, wall)
{
    pair *p = pair_make("viper", 3.0);
    p->scenario.rovers = 1;
    put_wall(p, 0.4, 0.0);
    pair_create(p);
    unlink(p->object[0].file);
    drive d = report(p, "wall", 10.0);
    cr_expect(d.x[0] < -0.5 && d.x[0] > -1.0 && d.jolt < 6.0 && !strcmp(touch_of(p, 0).name, "wall"));
    pair_free(p);
}

/* An actor that comes at 0.2 m/s pushes a rover that stands: nothing pushes the actor. Control: one that is not seen. */
TY_TEST(touch, actor)
{
    for (int control = 0; control < 2; control++) {
        pair *p = pair_make("viper", 0.0);
        p->scenario.rovers = 1;
        p->rover[0].driver = (ty_scenario_driver){ .kind = TY_DRIVER_STAND };
        char path[] = "/tmp/tycho-way-XXXXXX.csv";
        FILE *f = fdopen(mkstemps(path, 4), "w");
        fprintf(f, "t,x,y,z\n0,3,0,0.6\n1,3,0,0.6\n11,1,0,0.6\n");
        fclose(f);
        p->actor[0] = ty_scenario_actor_default();
        snprintf(p->actor[0].name, sizeof p->actor[0].name, "truck");
        snprintf(p->actor[0].trajectory, sizeof p->actor[0].trajectory, "%s", path);
        p->actor[0].size[0] = p->actor[0].size[1] = p->actor[0].size[2] = 0.5;
        p->actor[0].on_ground = true;
        p->actor[0].hidden = control;
        p->scenario.actors = 1;
        pair_create(p);
        unlink(path);
        drive d = report(p, control ? "control" : "actor", 12.0);
        if (control) {
            cr_expect(fabs(d.x[0]) < 0.05);
        } else {
            cr_expect(fabs(d.x[0] + 0.18) < 0.03 && d.jolt < 6.0 && !strcmp(touch_of(p, 0).name, "truck"));
        }
        pair_free(p);
    }
}

static uint64_t state_hash(const pair *p, size_t rover)
{
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(p->run, rover), &s);
    uint64_t h = tyi_hash(&s.pose, sizeof s.pose, TYI_HASH_START);
    h = tyi_hash(&s.v_W, sizeof s.v_W, h);
    return tyi_hash(&s.omega_B, sizeof s.omega_B, h);
}

/* Far apart: the bits that each has alone. */
TY_TEST(touch, far)
{
    uint64_t alone[2], both[2];
    for (size_t i = 0; i < 2; i++) {
        pair *p = pair_make("viper", 50.0);
        p->rover[0] = p->rover[i];
        p->scenario.rovers = 1;
        pair_create(p);
        pair_drive(p, 3.0, 0.0);
        alone[i] = state_hash(p, 0);
        pair_free(p);
    }
    pair *p = pair_make("viper", 50.0);
    pair_create(p);
    pair_drive(p, 3.0, 0.0);
    both[0] = state_hash(p, 0), both[1] = state_hash(p, 1);
    cr_expect(alone[0] == both[0] && alone[1] == both[1]);
    pair_free(p);
    /* control: near enough to share a model, and to touch, they have others */
    p = pair_make("viper", 2.4);
    p->rover[0].vehicle.x = -25.0, p->rover[1].vehicle.x = -22.8;
    pair_create(p);
    pair_drive(p, 3.0, 0.0);
    cr_expect(state_hash(p, 0) != alone[0]);
    pair_free(p);
}

/* They meet, back off, and go on by themselves; a restored run goes on with the same bits, also while they touch. */
TY_TEST(touch, apart)
{
    pair *p = pair_make("viper", 2.2);
    ty_diag diag = { 0 };
    for (int i = 0; i < 2; i++) {
        p->rover[i].driver.kind = TY_DRIVER_EXTERNAL;
    }
    pair_create(p);
    const tyi_body_world *w = tyi_sim_bodies_world(p->run);
    ty_drive_command go = { .v = 0.2 }, back = { .v = -0.3 };
    for (size_t i = 0; i < 2; i++) {
        cr_assert(ty_run_command(p->run, i, &go, &diag) == TY_OK);
    }
    pair_drive(p, 2.5, 0.0);
    cr_expect(tyi_body_world_groups(w) == 1 && touch_of(p, 0).last > 2.4);
    void *saved;
    size_t bytes;
    cr_assert(ty_run_save(p->run, &saved, &bytes, &diag) == TY_OK, "%s", diag.text);
    for (int again = 0; again < 2; again++) {
        static uint64_t end[2][2];
        for (size_t i = 0; i < 2; i++) {
            cr_assert(ty_run_command(p->run, i, &back, &diag) == TY_OK);
        }
        pair_drive(p, 1.0, 0.0);
        end[again][0] = state_hash(p, 0);
        pair_drive(p, 7.0, 0.0); /* also out of the holes that their wheels have dug */
        end[again][1] = state_hash(p, 1);
        cr_expect(tyi_body_world_groups(w) == 0, "still together");
        cr_expect(!again || (end[0][0] == end[1][0] && end[0][1] == end[1][1]), "other bits after a restore");
        cr_assert(ty_run_restore(p->run, saved, bytes, &diag) == TY_OK, "%s", diag.text);
        cr_expect(tyi_body_world_groups(w) == 1);
    }
    free(saved);
    pair_free(p);
}

/* Who starts inside something is refused, with both names. */
TY_TEST(touch, inside)
{
    for (int k = 0; k < 3; k++) {
        ty_diag diag = { 0 };
        pair *p = pair_make("viper", k == 0 ? 0.7 : 6.0);
        if (k == 1) {
            put_wall(p, 3.2, 0.0);
        }
        ty_status status = ty_run_create(&p->def, &p->run, &diag);
        printf("%s\n", diag.text);
        cr_expect(status == (k == 2 ? TY_OK : TY_ERR_INPUT));
        cr_expect(k == 2 || (strstr(diag.text, "'bravo'") && strstr(diag.text, k ? "'wall'" : "'alpha'")));
        if (k == 1) {
            unlink(p->object[0].file);
        }
        pair_free(p);
    }
}

/* A drum on its arm meets a boulder before the rover does. */
TY_TEST(touch, arm)
{
    for (int control = 0; control < 2; control++) {
        pair *p = pair_make("rassor", 4.0);
        p->scenario.rovers = 1;
        p->scenario.terrain.rock.on = true;
        p->scenario.terrain.rock.cover = 1e-9;
        pair_create(p);
        put_rock(p, 0.0, 0.0, 0.87, 1.0);
        if (control) {
            without_contacts(p);
        }
        drive d = report(p, control ? "control" : "arm", 9.0);
        if (control) {
            cr_expect(d.x[0] > -1.2, "control: what held the drum?");
        } else {
            cr_expect(d.x[0] < -1.4 && d.jolt < 6.0 && strstr(touch_of(p, 0).name, "rock 77"));
        }
        pair_free(p);
    }
}

/* A boulder between the wheels, lower than the deck and higher than the belly. */
TY_TEST(touch, boulder)
{
    for (int control = 0; control < 2; control++) {
        pair *p = pair_make("viper", 4.0);
        p->scenario.rovers = 1;
        p->scenario.terrain.rock.on = true;
        p->scenario.terrain.rock.cover = 1e-9;
        pair_create(p);
        put_rock(p, 0.0, 0.0, 0.87, 1.0);
        if (control) {
            without_contacts(p);
        }
        drive d = report(p, control ? "control" : "boulder", 16.0);
        if (control) {
            cr_expect(d.x[0] > 0.5);
        } else {
            cr_expect(d.x[0] < -0.5 && d.jolt < 6.0 && strstr(touch_of(p, 0).name, "rock 77"));
        }
        pair_free(p);
    }
}
