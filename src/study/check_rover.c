/* src/study/check_rover.c - a rover put on level ground with nominal lunar soil, driven there, and summed up.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "check.h"
#include "vehicle/vehicle.h"
#include "tycho/math.h"
#include "tycho/tools/model.h"
#include "tycho/terrain.h"
#include "vehicle/inner.h"
#include "vehicle/vehicle.h"

#define STAND  4.0  /* [s] until it has settled */
#define DRIVE  4.0  /* [s] until it drives evenly */
#define LOOK   1.0  /* [s] at the end of each, over which means are taken */
#define SPEED  0.1  /* [m/s] that it is told, or what its motors can well do */
#define SAME   0.02 /* loads, of their mean, and speeds that differ by less are the same */
#define UNREST 0.05 /* loads, of their mean, that go up and down by more do not come to rest */
#define SLOW   0.7  /* speeds, of what it is told, below which something is wrong */
#define SWING  0.5  /* slips that swing by more: the motors' controllers chatter */

/* how it stood and drove with one step */
typedef struct trial {
    double dt; /* [s] */
    int wheels;
    double load[TY_WHEELS_MAX], sinkage[TY_WHEELS_MAX]; /* [N], [m] while it stands */
    double unrest;                                      /* [-] of the loads */
    double tilt;                                        /* [rad] */
    ty_pose pose;                                       /* while it stands */
    ty_vec3 centre;                                     /* [m] W, of mass, while it stands */
    double told, speed, slip;                           /* [m/s], [m/s], [-]; told 0: it has no motors */
    double swing;                                       /* [-] of the slip while it drives */
} trial;

ty_status tyi_study_check_vehicle(const char *path, ty_terrain **terrain, ty_vehicle **vehicle, ty_diag *diag)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.relief.rms_slope_deg = 0.0;
    ground.crater.on = ground.rock.on = false;
    ground.extent = 400.0;
    ty_status status = ty_terrain_create(&ground, terrain, diag);
    if (status == TY_OK) {
        ty_vehicle_def def = ty_vehicle_def_default();
        def.rover = path;
        def.terrain = *terrain;
        def.soil.ruts = def.rocks = false; /* every trial finds the ground as it was */
        status = ty_vehicle_create(&def, vehicle, diag);
    }
    return status;
}

/* ---- trials ---- */

static ty_status steps(ty_vehicle *v, double dt, double time, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (long i = 0, n = lround(time / dt); i < n && status == TY_OK; i++) {
        status = ty_vehicle_step(v, dt, diag);
        if (status == TY_OK) {
            status = ty_vehicle_press_ruts(v, diag);
        }
    }
    return status;
}

static ty_status stand(ty_vehicle *v, trial *t, ty_diag *diag)
{
    ty_vehicle_state s;
    double low[TY_WHEELS_MAX], high[TY_WHEELS_MAX], sum = 0.0;
    long n = lround(LOOK / t->dt);
    ty_status status = steps(v, t->dt, STAND - LOOK, diag);
    for (long i = 0; i < n && status == TY_OK; i++) {
        status = steps(v, t->dt, t->dt, diag);
        ty_vehicle_get(v, &s);
        for (int k = 0; k < s.wheels; k++) {
            double fz = s.wheel[k].fz;
            low[k] = i ? fmin(low[k], fz) : fz, high[k] = i ? fmax(high[k], fz) : fz;
            t->load[k] += fz / (double)n, t->sinkage[k] += s.wheel[k].sinkage / (double)n;
        }
    }
    if (status != TY_OK) {
        return status;
    }
    t->wheels = s.wheels;
    for (int k = 0; k < s.wheels; k++) {
        sum += t->load[k] / s.wheels, t->unrest = fmax(t->unrest, high[k] - low[k]);
    }
    t->unrest = sum > 0.0 ? t->unrest / sum : 1.0;
    t->tilt = acos(fmin(1.0, fabs(ty_rotate(s.pose.q, ty_vec3_make(0.0, 0.0, 1.0)).z)));
    t->pose = s.pose;
    t->centre = tyi_vehicle_centre(v);
    return TY_OK;
}

static ty_status drive(ty_vehicle *v, trial *t, ty_diag *diag)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(v, wheel);
    double told = SPEED;
    bool driven = false;
    for (int i = 0; i < wheels; i++) {
        driven = driven || wheel[i].stall_torque > 0.0;
        told = fmin(told, 0.3 * wheel[i].no_load_speed * wheel[i].shape.r);
    }
    if (!driven) {
        return TY_OK;
    }
    ty_vehicle_state before, after;
    t->told = told;
    ty_status status = ty_vehicle_command(v, &(ty_drive_command){ .v = told }, diag);
    status = status == TY_OK ? steps(v, t->dt, DRIVE - LOOK, diag) : status;
    ty_vehicle_get(v, &before);
    after = before;
    long n = lround(LOOK / t->dt);
    for (long k = 0; k < n && status == TY_OK; k++) {
        status = steps(v, t->dt, t->dt, diag);
        ty_vehicle_get(v, &after);
        for (int i = 0; i < wheels; i++) {
            double slip = after.wheel[i].slip;
            t->slip += slip / (double)(wheels * n), t->swing = fmax(t->swing, fabs(slip - before.wheel[i].slip));
        }
    }
    t->speed = ty_norm(ty_sub(after.pose.p, before.pose.p)) / LOOK;
    return status;
}

static ty_status try_step(ty_vehicle *v, double dt, trial *t, ty_diag *diag)
{
    *t = (trial){ .dt = dt };
    ty_status status = tyi_vehicle_place(v, 0.0, 0.0, 0.0, 0.0, diag);
    status = status == TY_OK ? ty_vehicle_command(v, &(ty_drive_command){ 0 }, diag) : status;
    status = status == TY_OK ? stand(v, t, diag) : status;
    return status == TY_OK ? drive(v, t, diag) : status;
}

static bool same(const trial *a, const trial *b)
{
    double mean = 0.0, off = 0.0;
    for (int i = 0; i < a->wheels; i++) {
        mean += a->load[i] / a->wheels, off = fmax(off, fabs(a->load[i] - b->load[i]));
    }
    return off <= SAME * mean && fabs(a->speed - b->speed) <= SAME * fmax(a->told, 1e-6) && b->unrest < UNREST;
}

static bool good(const trial *t)
{
    return t->unrest < UNREST && (t->told <= 0.0 || (t->speed > SLOW * t->told && t->swing < SWING));
}

/* The first step from 1 ms down with which it comes to rest and drives, or at least moves, and in words which larger
 * ones give the same. */
static ty_status find_step(const tyi_study_check *c, ty_vehicle *v, trial *t, char *words, size_t size, ty_diag *diag)
{
    static const double down[] = { 1e-3, 5e-4, 2e-4, 1e-4 }, up[] = { 2e-3, 5e-3, 1e-2 };
    ty_diag why = { 0 };
    ty_status status = TY_ERR_NUMERIC;
    for (int i = 0; i < 4 && (status == TY_ERR_NUMERIC || (status == TY_OK && !good(t))); i++) {
        trial shorter;
        ty_status now = try_step(v, down[i], &shorter, i ? NULL : &why);
        if (now != TY_ERR_NUMERIC && (status != TY_OK || (now == TY_OK && good(&shorter)))) {
            status = now, *t = shorter;
        }
    }
    if (status != TY_OK) {
        return ty_fail(
            diag, status,
            "%s: it neither stands nor drives on level ground with steps of 1 ms or less (%s); masses, springs "
            "and gains (kp, kd) must go together",
            c->path, why.text);
    }
    tyi_io_say(words, size, "%g ms%s", 1e3 * t->dt,
               t->dt < 1e-3 ? ": set `step` in its scenarios, whose default of 1 ms is too long for it" : "");
    bool more = t->dt == 1e-3;
    for (int i = 0; i < 3 && more; i++) {
        trial longer;
        more = try_step(v, up[i], &longer, NULL) == TY_OK && same(t, &longer);
        tyi_io_say(words, size, more ? ", %g ms" : "; not with %g ms", 1e3 * up[i]);
    }
    return TY_OK;
}

/* ---- the summary ---- */

static void say_wheels(tyi_study_check *c, const ty_wheel_info *w, const trial *t)
{
    fprintf(c->lines, "  %-14s %7s %7s %8s %8s %-13s %-10s %10s %8s\n", "wheel", "x [m]", "y [m]", "radius", "width",
            "  lugs", " steers", "load [N]", "sinks");
    for (int i = 0; i < t->wheels; i++) {
        char lugs[40] = "none", steers[40] = "no";
        if (w[i].shape.grousers && w[i].shape.grouser_h > 0.0) {
            snprintf(lugs, sizeof lugs, "%d of %.3g mm", w[i].shape.grousers, 1e3 * w[i].shape.grouser_h);
        }
        if (w[i].steer_limit > 0.0) {
            snprintf(steers, sizeof steers, "+-%.3g deg", w[i].steer_limit / TY_DEG);
        }
        fprintf(c->lines, "  %-14s %+7.3f %+7.3f %6.3f m %6.3f m   %-11s  %-9s %10.1f %5.1f mm\n", w[i].name,
                w[i].p_B.x, w[i].p_B.y, w[i].shape.r, w[i].shape.b, lugs, steers, t->load[i], 1e3 * t->sinkage[i]);
    }
}

static void say_frame(tyi_study_check *c, const ty_vehicle *v, const ty_wheel_info *w, const trial *t)
{
    double x0 = w[0].p_B.x, x1 = x0, y0 = w[0].p_B.y, y1 = y0, mass = ty_vehicle_mass(v);
    for (int i = 1; i < t->wheels; i++) {
        x0 = fmin(x0, w[i].p_B.x), x1 = fmax(x1, w[i].p_B.x), y0 = fmin(y0, w[i].p_B.y), y1 = fmax(y1, w[i].p_B.y);
    }
    ty_vec3 com = ty_rotate(ty_quat_conj(t->pose.q), ty_sub(t->centre, t->pose.p));
    double high = t->centre.z, side = fmin(y1 - com.y, com.y - y0), along = fmin(x1 - com.x, com.x - x0);
    fprintf(c->lines, "  mass %.4g kg: %.4g N on the Moon; its centre at x %+.3f, y %+.3f m, %.3f m above the ground\n",
            mass, TY_GRAVITY_MOON * mass, com.x, com.y, high);
    fprintf(c->lines,
            "  wheelbase %.3f m, track %.3f m; as a stiff body it tips over beyond %.0f deg along, %.0f deg across\n",
            x1 - x0, y1 - y0, atan2(along, high) / TY_DEG, atan2(side, high) / TY_DEG);
}

static void say_motors(tyi_study_check *c, const ty_vehicle *v, const ty_wheel_info *w, const trial *t,
                       const char *words)
{
    ty_motor_info motor[TY_MOTORS_MAX];
    int motors = ty_vehicle_motors(v, motor);
    if (t->told > 0.0) {
        fprintf(
            c->lines,
            "  drives: %.4g N m at rest, %.4g rad/s without load (%.3g m/s); told %.3g m/s it does %.3g m/s at slip %.3f\n",
            w[0].stall_torque, w[0].no_load_speed, w[0].no_load_speed * w[0].shape.r, t->told, t->speed, t->slip);
    }
    for (int i = 0; i < motors; i++) {
        fprintf(c->lines, "  motor %s: %s, up to %.4g N m and %.3g rad/s", motor[i].name,
                motor[i].speed ? "speed" : "angle", motor[i].torque, motor[i].rate);
        if (isfinite(motor[i].low)) {
            fprintf(c->lines, ", %.4g to %.4g deg", motor[i].low / TY_DEG, motor[i].high / TY_DEG);
        }
        fputc('\n', c->lines);
    }
    fprintf(c->lines, "  steps: it stands and drives with %s\n", words);
}

static void say_places(tyi_study_check *c, const ty_vehicle *v)
{
    const ty_vehicle_mount *mount;
    const ty_collision_shape *shape;
    int mounts = ty_vehicle_mounts(v, &mount), shapes = tyi_vehicle_collisions(v, &shape);
    fprintf(c->lines, "  mounts:%s", mounts ? "" : " none; sensors sit at the body's origin");
    for (int i = 0; i < mounts; i++) {
        fprintf(c->lines, "%s %s on %s", i ? "," : "", mount[i].name, ty_vehicle_body(v, mount[i].body));
    }
    fprintf(c->lines, "\n  collision shapes:%s", shapes ? "" : " none; on its back it would fall through the ground");
    for (int i = 0; i < shapes; i++) {
        ty_vec3 b = shape[i].box;
        fprintf(c->lines, "%s %s ", i ? "," : "", ty_vehicle_body(v, shape[i].body));
        if (b.x > 0.0 || b.y > 0.0 || b.z > 0.0) {
            fprintf(c->lines, "box %.3g x %.3g x %.3g m", b.x, b.y, b.z);
        } else {
            fprintf(c->lines, "sphere of radius %.3g m", shape[i].radius);
        }
    }
    fputc('\n', c->lines);
}

/* what is accepted but seldom meant */
static void say_notes(tyi_study_check *c, const ty_vehicle *v, const ty_wheel_info *w, const trial *t)
{
    double sum = 0.0, weight = TY_GRAVITY_MOON * ty_vehicle_mass(v);
    for (int i = 0; i < t->wheels; i++) {
        sum += t->load[i];
        if (t->load[i] < 0.01 * weight / t->wheels) {
            fprintf(c->lines, "  note: wheel %s carries nothing\n", w[i].name);
        }
    }
    if (fabs(sum - weight) > 0.02 * weight) {
        fprintf(
            c->lines,
            "  note: the wheels carry %.4g N of the weight of %.4g N: something else touches the ground, or it has not come to rest\n",
            sum, weight);
    }
    double stiff = 0.0;
    for (int i = 0; i < v->wheels; i++) {
        stiff = fmax(stiff, v->wheel[i].driven ? v->drive.kp * t->dt / v->wheel[i].inertia : 0.0);
    }
    if (stiff > 1.0) {
        fprintf(
            c->lines,
            "  note: kp dt / I of its drives is %.2g at %g ms: their gain is high for the inertia of its wheels; they keep to their line, but "
            "answer no faster than a step\n",
            stiff, 1e3 * t->dt);
    }
    if (t->tilt > 5.0 * TY_DEG) {
        fprintf(c->lines, "  note: it stands tilted by %.0f deg\n", t->tilt / TY_DEG);
    }
    if (t->unrest > UNREST) {
        fprintf(c->lines, "  note: it does not come to rest: loads go up and down by %.0f %%\n", 100.0 * t->unrest);
    }
    if (t->told > 0.0 && (t->speed < SLOW * t->told || t->swing > SWING)) {
        fprintf(
            c->lines,
            "  note: told %.3g m/s it does %.3g m/s, and slip swings by %.2g: are its drives too weak, or their gains (kp, ki) too high?\n",
            t->told, t->speed, t->swing);
    }
}

/* the models that its bodies look like; those of a URDF may be missing */
static ty_status check_looks(tyi_study_check *c, const ty_vehicle *v, ty_diag *diag)
{
    const ty_body_shape *shape;
    int shapes = ty_vehicle_shapes(v, &shape);
    for (int i = 0; i < shapes; i++) {
        ty_model model;
        ty_diag why = { 0 };
        if (shape[i].kind != TY_SHAPE_FILE) {
            continue;
        }
        ty_status status = ty_model_read(shape[i].file, 1.0, &model, &why);
        if (status == TY_OK) {
            fprintf(c->lines, "  looks: %s as %s, %zu triangles\n", ty_vehicle_body(v, shape[i].body), shape[i].file,
                    model.triangles);
            ty_model_free(&model);
        } else if (shape[i].optional && status != TY_ERR_MEMORY) {
            fprintf(c->lines, "  note: %s; the body %s is drawn without it\n", why.text,
                    ty_vehicle_body(v, shape[i].body));
        } else {
            return ty_fail(diag, status, "%s", why.text);
        }
    }
    return TY_OK;
}

/* joints that nothing turns: suspensions move so on purpose, arms and masts sag */
static void say_idle(tyi_study_check *c, const ty_vehicle *v)
{
    const char *name[40];
    int count = tyi_vehicle_idle_joints(v, name, 40), shown = count < 40 ? count : 40;
    for (int i = 0; i < shown; i++) {
        fprintf(c->lines, "%s%s", i ? ", " : "  joints that nothing turns, free to move: ", name[i]);
    }
    if (count) {
        fprintf(c->lines, "%s; `hold` keeps those of a URDF in place, `motors` drive them\n",
                count > shown ? ", ..." : "");
    }
}

ty_status tyi_study_check_rover(tyi_study_check *c, ty_diag *diag)
{
    ty_terrain *terrain = NULL;
    ty_vehicle *v = NULL;
    trial t = { 0 };
    char words[200] = "";
    ty_status status = tyi_study_check_vehicle(c->path, &terrain, &v, diag);
    if (status == TY_OK) {
        status = check_looks(c, v, diag);
    }
    if (status == TY_OK) {
        status = find_step(c, v, &t, words, sizeof words, diag);
    }
    if (status == TY_OK) {
        ty_wheel_info wheel[TY_WHEELS_MAX];
        ty_vehicle_wheels(v, wheel);
        snprintf(c->about, sizeof c->about, "rover %s, %d wheels, %.4g kg, %d bodies", ty_vehicle_name(v), t.wheels,
                 ty_vehicle_mass(v), ty_vehicle_bodies(v));
        say_frame(c, v, wheel, &t);
        say_wheels(c, wheel, &t);
        say_motors(c, v, wheel, &t, words);
        say_idle(c, v);
        say_places(c, v);
        say_notes(c, v, wheel, &t);
        tyi_study_check_notes(c, tyi_vehicle_notes(v));
    }
    ty_vehicle_destroy(v);
    ty_terrain_destroy(terrain);
    return status;
}
