/* src/vehicle/vehicle.c - a vehicle in motion: placing, stepping, state, saving.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "vehicle.h"
#include <string.h>
#include "core/core.h"
#include "inner.h"

/* ---- placing ---- */

/* wheel centres at a pose with the joints at zero */
static ty_vec3 centre_at(const ty_vehicle *v, int i, ty_pose pose)
{
    return ty_pose_point(pose, v->wheel[i].info.p_B);
}

/* Lays the rover on the plane that fits the ground under its wheels best, then lifts it until no
 * wheel is in the ground by more than `drop` below it. */
static ty_pose lay_down(const ty_vehicle *v, double px, double py, double yaw, double drop)
{
    ty_quat turn = ty_quat_axis(ty_vec3_make(0.0, 0.0, 1.0), yaw);
    double x[TY_WHEELS_MAX], y[TY_WHEELS_MAX];
    ty_terrain_ground g[TY_WHEELS_MAX];
    ty_pose pose = { { px, py, 0.0 }, turn };
    double sxx = 0.0, sxy = 0.0, syy = 0.0, sxz = 0.0, syz = 0.0, mx = 0.0, my = 0.0, mz = 0.0;
    for (int i = 0; i < v->wheels; i++) {
        ty_vec3 c = centre_at(v, i, pose);
        x[i] = c.x, y[i] = c.y;
    }
    tyi_soil_ground_heights(v->world, v->rider->carrier.number, (size_t)v->wheels, x, y, g);
    for (int i = 0; i < v->wheels; i++) {
        mx += x[i] / v->wheels, my += y[i] / v->wheels, mz += g[i].z / v->wheels;
    }
    for (int i = 0; i < v->wheels; i++) {
        double dx = x[i] - mx, dy = y[i] - my, dz = g[i].z - mz;
        sxx += dx * dx, sxy += dx * dy, syy += dy * dy, sxz += dx * dz, syz += dy * dz;
    }
    double det = sxx * syy - sxy * sxy;
    if (det > 1e-12) { /* three wheels or more, not in a line */
        double a = (sxz * syy - syz * sxy) / det, b = (syz * sxx - sxz * sxy) / det;
        ty_vec3 n = ty_normalize(ty_vec3_make(-a, -b, 1.0)), axis = ty_vec3_make(-n.y, n.x, 0.0);
        double size = ty_norm(axis);
        if (size > 1e-12) {
            pose.q = ty_quat_mul(ty_quat_axis(ty_scale(1.0 / size, axis), asin(fmin(size, 1.0))), turn);
        }
    }
    /* at this attitude, how high the lowest wheel may stand */
    double z = -INFINITY;
    for (int i = 0; i < v->wheels; i++) {
        ty_vec3 c = centre_at(v, i, pose);
        x[i] = c.x, y[i] = c.y;
    }
    tyi_soil_ground_heights(v->world, v->rider->carrier.number, (size_t)v->wheels, x, y, g);
    for (int i = 0; i < v->wheels; i++) {
        double steep = ty_terrain_ground_normal(g[i]).z;
        const ty_soil_def *soil = &v->world->layer[tyi_soil_at_place(v->world, x[i], y[i])].def;
        double r = tyi_soil_standing_radius(soil, &v->wheel[i].info.shape);
        z = fmax(z, g[i].z + r / steep - (centre_at(v, i, pose).z - pose.p.z));
    }
    pose.p.z = z;
    /* out of the rocks, as far as it takes */
    for (int k = 0; k < 100; k++) {
        double deepest = 0.0;
        for (int i = 0; i < v->wheels; i++) {
            ty_soil_body in = { .centre = centre_at(v, i, pose),
                                .axle = ty_rotate(pose.q, ty_vec3_make(0.0, 1.0, 0.0)) };
            deepest = fmax(deepest, tyi_vehicle_rocks_depth(&v->rocks, i, &in));
        }
        if (deepest < 1e-4) {
            break;
        }
        pose.p.z += deepest;
    }
    pose.p.z += drop;
    return pose;
}

/* The window that starts at a sample, with the loose rocks marked in it. */
static ty_status move_window(ty_vehicle *v, int32_t i0, int32_t j0, ty_diag *diag)
{
    bool moved;
    ty_status status = tyi_soil_ground_move(v->world, &v->rider->ground, i0, j0, &moved, diag);
    if (status == TY_OK && moved) {
        tyi_vehicle_push_mark(&v->rocks);
    }
    return status;
}

/* Makes the window hold (x, y) with room to spare; does nothing where it does. */
static ty_status follow(ty_vehicle *v, double x, double y, ty_diag *diag)
{
    if (!(fabs(x) < 1e7 && fabs(y) < 1e7)) {
        return ty_fail(diag, TY_ERR_RANGE, "vehicle: stands at (%g, %g) m, beyond any terrain", x, y);
    }
    if (tyi_soil_ground_holds(&v->rider->ground, x, y)) {
        return TY_OK;
    }
    ty_status status = tyi_vehicle_push_tell(&v->rocks, 0.0, diag); /* so that the new window has them where they lie */
    if (status != TY_OK) {
        return status;
    }
    int32_t i0, j0;
    tyi_vehicle_push_drop(&v->rocks, x, y, v->rider->ground.reach);
    tyi_soil_ground_around(v->world, &v->rider->ground, x, y, &i0, &j0);
    return move_window(v, i0, j0, diag);
}

ty_status tyi_vehicle_place(ty_vehicle *v, double x, double y, double yaw, double drop, ty_diag *diag)
{
    if (!isfinite(x) || !isfinite(y) || !isfinite(yaw) || !isfinite(drop)) {
        return ty_fail(diag, TY_ERR_INPUT, "vehicle: its place (%g, %g), yaw %g, drop %g is not finite", x, y, yaw,
                       drop);
    }
    ty_status status = follow(v, x, y, diag);
    if (status != TY_OK) {
        return status;
    }
    v->run = (tyi_vehicle_run){ 0 };
    tyi_soil_world_reset(v->world, v->rider->carrier.number);
    tyi_vehicle_push_reset(&v->rocks);
    tyi_body_mbd_reset(v->mbd, v->body, lay_down(v, x, y, yaw, drop));
    return tyi_body_mbd_begin(v->mbd, 0, diag);
}

void ty_vehicle_set_twist(ty_vehicle *v, ty_vec3 v_W, ty_vec3 omega_B)
{
    tyi_body_mbd_set_twist(v->mbd, v->body, v_W, omega_B);
    tyi_body_mbd_begin(v->mbd, v->run.step, NULL);
}

void tyi_vehicle_restart(ty_vehicle *v)
{
    ty_vehicle_set_twist(v, (ty_vec3){ 0 }, (ty_vec3){ 0 });
    v->run.time = 0, v->run.step = 0;
    v->run.a_W = v->run.alpha_B = (ty_vec3){ 0 };
    v->run.odometer = v->run.work[0] = v->run.work[1] = v->run.work[2] = 0.0;
    v->rocks.push.in = v->rocks.push.lost = 0.0;
}

/* ---- commands ---- */

ty_status ty_vehicle_command(ty_vehicle *v, const ty_drive_command *command, ty_diag *diag)
{
    if (!isfinite(command->v) || !isfinite(command->omega) || !isfinite(command->crab)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "vehicle: the command v = %g m/s, omega = %g rad/s, crab = %g rad is not finite", command->v,
                       command->omega, command->crab);
    }
    if ((unsigned)command->mode > TY_STEER_SKID) {
        return ty_fail(diag, TY_ERR_INPUT, "vehicle: the steering mode is %d, but takes 0 to %d", (int)command->mode,
                       (int)TY_STEER_SKID);
    }
    tyi_vehicle_control_command(v, command);
    return TY_OK;
}

ty_status ty_vehicle_command_wheels(ty_vehicle *v, const double *omega, const double *steer, ty_diag *diag)
{
    for (int i = 0; i < v->wheels; i++) {
        if (!isfinite(omega[i]) || (steer && !isfinite(steer[i]))) {
            return ty_fail(diag, TY_ERR_INPUT, "vehicle: the command for wheel '%s', %g rad/s at %g rad, is not finite",
                           v->wheel[i].info.name, omega[i], steer ? steer[i] : 0.0);
        }
    }
    tyi_vehicle_control_wheels(v, omega, steer);
    return TY_OK;
}

/* ---- step ---- */

static void wheel_states(const ty_vehicle *v, ty_soil_body *in)
{
    for (int i = 0; i < v->wheels; i++) {
        const tyi_vehicle_wheel *w = &v->wheel[i];
        ty_vec3 axis, omega;
        double rate;
        tyi_body_mbd_joint_frame(v->mbd, w->joint, &in[i].centre, &axis);
        tyi_body_mbd_joint_state(v->mbd, w->joint, &in[i].angle, &rate);
        in[i].angle *= w->spin_sign;
        in[i].axle = ty_scale(w->spin_sign, axis);
        tyi_body_mbd_twist(v->mbd, w->body, in[i].centre, &in[i].v, &omega);
        in[i].w = omega;
        in[i].omega = ty_dot(omega, in[i].axle);
        in[i].q = ty_quat_mul(tyi_body_mbd_pose(v->mbd, w->body).q, w->q_body);
    }
}

static ty_status check_wrench(const ty_vehicle *v, int i, ty_diag *diag)
{
    const ty_soil_load *o = &v->run.out[i];
    double sum = o->force.x + o->force.y + o->force.z + o->torque.x + o->torque.y + o->torque.z;
    if (isfinite(sum)) {
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: the ground's %s on wheel '%s' is not finite",
                   (unsigned long long)v->run.step, isfinite(o->force.x + o->force.y + o->force.z) ? "torque" : "force",
                   v->wheel[i].info.name);
}

ty_status tyi_vehicle_begin(ty_vehicle *v, double dt, ty_diag *diag)
{
    if (!(dt >= 1e-6 && dt <= 0.01)) {
        return ty_fail(diag, TY_ERR_RANGE, "vehicle: the step is %g s, but 1e-6 to 0.01 s are accepted", dt);
    }
    v->before = tyi_body_mbd_pose(v->mbd, v->body);
    tyi_body_mbd_twist(v->mbd, v->body, v->before.p, &v->v0, &v->w0);
    tyi_vehicle_control_step(v, dt);
    wheel_states(v, v->rider->body);
    tyi_vehicle_tool_states(v, v->rider->body + v->wheels);
    return TY_OK;
}

ty_status tyi_vehicle_forces(ty_vehicle *v, double dt, ty_diag *diag)
{
    tyi_vehicle_run *run = &v->run;
    const ty_soil_body *in = v->rider->body;
    double start = tyi_now();
    memcpy(run->out, v->rider->load, (size_t)v->wheels * sizeof *run->out);
    tyi_vehicle_rocks_step(&v->rocks, in, dt, run->out, run->rock);
    v->soil_s += tyi_now() - start;
    for (int i = 0; i < v->wheels; i++) {
        ty_status status = check_wrench(v, i, diag);
        if (status != TY_OK) {
            return status;
        }
        tyi_body_mbd_force(v->mbd, v->wheel[i].body, in[i].centre, run->out[i].force, run->out[i].torque);
    }
    tyi_vehicle_chassis_step(v);
    return tyi_vehicle_tool_forces(v, dt, diag);
}

void tyi_vehicle_end(ty_vehicle *v, double dt)
{
    tyi_vehicle_run *run = &v->run;
    ty_vec3 v1, w1;
    double work[3];
    tyi_body_mbd_work(v->mbd, work);
    tyi_vehicle_control_after(v);
    ty_pose after = tyi_body_mbd_pose(v->mbd, v->body);
    tyi_body_mbd_twist(v->mbd, v->body, after.p, &v1, &w1);
    run->a_W = ty_scale(1.0 / dt, ty_sub(v1, v->v0));
    run->alpha_B = ty_rotate(ty_quat_conj(after.q), ty_scale(1.0 / dt, ty_sub(w1, v->w0)));
    run->odometer += ty_norm(ty_sub(after.p, v->before.p));
    for (int k = 0; k < 3; k++) {
        run->work[k] += work[k];
    }
    run->step++;
    run->time += ty_time_from(dt);
}

ty_status ty_vehicle_step(ty_vehicle *v, double dt, ty_diag *diag)
{
    TY_ASSERT(v->owns_world); /* in a run the soil is stepped once for all rovers: ty_run_step() */
    ty_status status = tyi_vehicle_begin(v, dt, diag);
    if (status != TY_OK) {
        return status;
    }
    double start = tyi_now();
    status = tyi_soil_world_step(v->world, dt, diag);
    v->soil_s += tyi_now() - start;
    if (status == TY_OK) {
        status = tyi_vehicle_forces(v, dt, diag);
    }
    if (status == TY_OK) {
        status = tyi_body_mbd_end(v->mbd, v->run.step, dt, diag);
    }
    if (status == TY_OK) {
        tyi_vehicle_end(v, dt);
    }
    return status;
}

#define TELL 1e-3 /* [m] that a rock moves before cameras see it */

ty_status ty_vehicle_press_ruts(ty_vehicle *v, ty_diag *diag)
{
    ty_vec3 p = tyi_body_mbd_pose(v->mbd, v->body).p;
    ty_status status = follow(v, p.x, p.y, diag);
    if (status == TY_OK) {
        wheel_states(v, v->rider->body);
        tyi_vehicle_tool_states(v, v->rider->body + v->wheels);
        status = tyi_soil_world_press(v->world, v->rider->carrier.number, diag);
    }
    return status == TY_OK ? tyi_vehicle_push_tell(&v->rocks, TELL, diag) : status;
}

double tyi_vehicle_soil_time(const ty_vehicle *v)
{
    return v->soil_s;
}

/* ---- state ---- */

void ty_vehicle_get(const ty_vehicle *v, ty_vehicle_state *out)
{
    const tyi_vehicle_run *run = &v->run;
    ty_soil_body in[TY_WHEELS_MAX];
    ty_vec3 omega;
    *out = (ty_vehicle_state){ .time = run->time,
                               .step = run->step,
                               .pose = tyi_body_mbd_pose(v->mbd, v->body),
                               .a_W = run->a_W,
                               .alpha_B = run->alpha_B,
                               .odometer = run->odometer,
                               .work_motor = run->work[0],
                               .work_soil = run->work[1],
                               .work_damper = run->work[2],
                               .work_rock = v->rocks.push.lost,
                               .wheels = v->wheels };
    tyi_body_mbd_twist(v->mbd, v->body, out->pose.p, &out->v_W, &omega);
    out->omega_B = ty_rotate(ty_quat_conj(out->pose.q), omega);
    wheel_states(v, in);
    for (int i = 0; i < v->wheels; i++) {
        const ty_soil_load *o = &run->out[i];
        const tyi_vehicle_wheel *w = &v->wheel[i];
        double angle, rate, steer = 0.0, steer_rate;
        tyi_body_mbd_joint_state(v->mbd, w->joint, &angle, &rate);
        if (w->steer >= 0) {
            tyi_body_mbd_joint_state(v->mbd, w->steer, &steer, &steer_rate);
            steer *= w->steer_sign;
        }
        rate *= w->spin_sign;
        out->wheel[i] = (ty_wheel_view){
            .omega = rate,
            .angle = w->spin_sign * angle,
            .steer = steer,
            .torque = run->control.torque[i],
            .power = run->control.torque[i] * rate,
            .sinkage = o->sinkage,
            .slip = o->slip,
            .slip_angle = o->slip_angle,
            .fx = o->fx,
            .fy = o->fy,
            .fz = o->fz,
            .load = o->fz + run->rock[i].up,
            .resistance = o->resistance,
            .p_W = in[i].centre,
            .normal_W = o->n,
            .forward_W = o->x,
            .f_rock = run->rock[i].force,
            .rock = run->rock[i].id,
            .contact = o->contact,
        };
    }
}

ty_pose ty_vehicle_body_pose(const ty_vehicle *v, int body, ty_vec3 *v_W, ty_vec3 *omega_W)
{
    ty_pose pose = tyi_body_mbd_pose(v->mbd, body);
    ty_vec3 speed, omega;
    tyi_body_mbd_twist(v->mbd, body, pose.p, &speed, &omega);
    if (v_W) {
        *v_W = speed;
    }
    if (omega_W) {
        *omega_W = omega;
    }
    return pose;
}

ty_pose ty_vehicle_mount_pose(const ty_vehicle *v, int mount)
{
    return ty_pose_mul(tyi_body_mbd_pose(v->mbd, v->mount[mount].body), v->mount[mount].pose);
}

void ty_vehicle_energy(ty_vehicle *v, double *kinetic, double *potential, ty_vec3 *linear, ty_vec3 *angular)
{
    tyi_body_mbd_energy(v->mbd, kinetic, potential, linear, angular);
}

double tyi_vehicle_loop_error(const ty_vehicle *v)
{
    return tyi_body_mbd_loop_error(v->mbd);
}

const char *ty_vehicle_name(const ty_vehicle *v)
{
    return v->name;
}

double ty_vehicle_mass(const ty_vehicle *v)
{
    return tyi_body_mbd_mass(v->mbd);
}

int ty_vehicle_wheels(const ty_vehicle *v, ty_wheel_info info[TY_WHEELS_MAX])
{
    for (int i = 0; info && i < v->wheels; i++) {
        info[i] = v->wheel[i].info;
    }
    return v->wheels;
}

int ty_vehicle_mounts(const ty_vehicle *v, const ty_vehicle_mount **out)
{
    *out = v->mount;
    return v->mounts;
}

int ty_vehicle_shapes(const ty_vehicle *v, const ty_body_shape **out)
{
    *out = v->shape;
    return v->shapes;
}

int tyi_vehicle_collisions(const ty_vehicle *v, const ty_collision_shape **out)
{
    *out = v->collision;
    return v->collisions;
}

ty_vec3 tyi_vehicle_centre(const ty_vehicle *v)
{
    return tyi_body_mbd_centre(v->mbd);
}

int ty_vehicle_bodies(const ty_vehicle *v)
{
    return tyi_body_mbd_bodies(v->mbd);
}

const char *ty_vehicle_body(const ty_vehicle *v, int body)
{
    return tyi_body_mbd_body_name(v->mbd, body);
}

int ty_vehicle_find_mount(const ty_vehicle *v, const char *name)
{
    for (int i = 0; i < v->mounts; i++) {
        if (!strcmp(v->mount[i].name, name)) {
            return i;
        }
    }
    return -1;
}

int ty_vehicle_find_body(const ty_vehicle *v, const char *name)
{
    return tyi_body_mbd_find_body(v->mbd, name);
}

int tyi_vehicle_pushed(const ty_vehicle *v, ty_pushed_rock *out, int capacity)
{
    const tyi_vehicle_push *p = &v->rocks.push;
    for (int k = 0; out && k < (int)p->count && k < capacity; k++) {
        const tyi_vehicle_loose *r = &p->rock[k];
        out[k] = (ty_pushed_rock){
            .id = r->id, .x = r->x, .y = r->y, .sunk = r->sunk, .mass = r->mass, .v_W = r->v, .force_W = r->force
        };
    }
    return (int)p->count;
}

/* ---- saving ---- */

/* Header, run, rocks, then the multibody state, the contacts, and the soils where they are the vehicle's own. Same machine and build:
 * plain bytes. */
typedef struct saved {
    uint64_t magic; /* with the sizes: of the same definition */
    uint64_t sum;   /* of all that follows */
    int32_t i0, j0;
    tyi_vehicle_run run;
    ty_vec3 stretch[TY_WHEELS_MAX];
    tyi_vehicle_push push;
} saved;

#define SKIP (2 * sizeof(uint64_t)) /* magic and sum are not summed */

static uint64_t magic_of(const ty_vehicle *v)
{
    uint64_t h = tyi_hash(v->name, strlen(v->name), TYI_HASH_START);
    size_t count = tyi_body_mbd_state_count(v->mbd);
    return tyi_hash(&v->rocks.soil->model, sizeof v->rocks.soil->model, tyi_hash(&count, sizeof count, h));
}

static size_t mbd_size(const ty_vehicle *v)
{
    return tyi_body_mbd_state_count(v->mbd) * sizeof(double);
}

static size_t fixed_size(const ty_vehicle *v)
{
    return sizeof(saved) + mbd_size(v) + tyi_soil_rider_save(v->world, v->rider->carrier.number, NULL);
}

size_t ty_vehicle_save_size(const ty_vehicle *v)
{
    return fixed_size(v) + (v->owns_world ? tyi_soil_world_save(v->world, NULL) : 0);
}

void ty_vehicle_save(const ty_vehicle *v, void *out)
{
    saved *s = out;
    char *to = (char *)out + sizeof *s;
    memset(s, 0, sizeof *s);
    s->magic = magic_of(v);
    s->i0 = v->rider->ground.i0, s->j0 = v->rider->ground.j0;
    memcpy(&s->run, &v->run, sizeof s->run);
    memcpy(s->stretch, v->rocks.stretch, sizeof s->stretch);
    s->push.count = v->rocks.push.count, s->push.in = v->rocks.push.in, s->push.lost = v->rocks.push.lost;
    memcpy(s->push.rock, v->rocks.push.rock, (size_t)s->push.count * sizeof *s->push.rock);
    tyi_body_mbd_save(v->mbd, (double *)(void *)to);
    to += mbd_size(v);
    to += tyi_soil_rider_save(v->world, v->rider->carrier.number, to);
    if (v->owns_world) {
        tyi_soil_world_save(v->world, to);
    }
    s->sum = tyi_hash((const char *)out + SKIP, ty_vehicle_save_size(v) - SKIP, TYI_HASH_START);
}

ty_status ty_vehicle_restore(ty_vehicle *v, const void *data, size_t bytes, ty_diag *diag)
{
    const saved *s = data;
    const char *from = (const char *)data + sizeof *s;
    size_t fixed = fixed_size(v);
    if (bytes < fixed || s->magic != magic_of(v)) {
        return ty_fail(diag, TY_ERR_FORMAT, "vehicle: the saved state is not one of this rover and soil model");
    }
    if (s->sum != tyi_hash((const char *)data + SKIP, bytes - SKIP, TYI_HASH_START)) {
        return ty_fail(diag, TY_ERR_FORMAT, "vehicle: the saved state is damaged");
    }
    ty_status status = move_window(v, s->i0, s->j0, diag);
    if (status == TY_OK && v->owns_world) {
        status = tyi_soil_world_restore(v->world, (const char *)data + fixed, bytes - fixed, diag);
    }
    if (status == TY_OK) {
        memcpy(&v->run, &s->run, sizeof v->run);
        memcpy(v->rocks.stretch, s->stretch, sizeof s->stretch);
        tyi_soil_rider_restore(v->world, v->rider->carrier.number, from + mbd_size(v));
        memcpy(v->rider->load, v->run.out, (size_t)v->wheels * sizeof *v->rider->load);
        v->rocks.push = s->push;
        status = tyi_vehicle_push_restore(&v->rocks, diag);
    }
    if (status == TY_OK) {
        tyi_body_mbd_restore(v->mbd, (const double *)(const void *)from);
        status = tyi_body_mbd_begin(v->mbd, v->run.step, diag);
    }
    return status;
}

/* ---- the same for those who follow it step by step: without a sum, and no more of its rocks than there are ---- */

typedef struct packed {
    int32_t i0, j0;
    int64_t loose;
    double in, lost; /* of its rocks */
    tyi_vehicle_run run;
    ty_vec3 stretch[TY_WHEELS_MAX];
} packed;

size_t tyi_vehicle_pack(const ty_vehicle *v, void *out)
{
    size_t rocks = (size_t)v->rocks.push.count * sizeof *v->rocks.push.rock,
           rider = tyi_soil_rider_save(v->world, v->rider->carrier.number, NULL);
    if (out) {
        packed *p = out;
        char *to = (char *)out + sizeof *p;
        p->i0 = v->rider->ground.i0, p->j0 = v->rider->ground.j0;
        p->loose = v->rocks.push.count, p->in = v->rocks.push.in, p->lost = v->rocks.push.lost;
        memcpy(&p->run, &v->run, sizeof p->run);
        memcpy(p->stretch, v->rocks.stretch, sizeof p->stretch);
        memcpy(to, v->rocks.push.rock, rocks);
        tyi_body_mbd_save(v->mbd, (double *)(void *)(to + rocks));
        tyi_soil_rider_save(v->world, v->rider->carrier.number, to + rocks + mbd_size(v));
    }
    return sizeof(packed) + rocks + mbd_size(v) + rider;
}

ty_status tyi_vehicle_unpack(ty_vehicle *v, const void *data, size_t bytes, ty_diag *diag)
{
    const packed *p = data;
    const char *from = (const char *)data + sizeof *p;
    size_t rider = tyi_soil_rider_save(v->world, v->rider->carrier.number, NULL), rocks = 0;
    bool fits = bytes >= sizeof *p && p->loose >= 0 && p->loose <= TYI_VEHICLE_LOOSE;
    rocks = fits ? (size_t)p->loose * sizeof *v->rocks.push.rock : 0;
    if (!fits || bytes != sizeof *p + rocks + mbd_size(v) + rider) {
        return ty_fail(diag, TY_ERR_FORMAT, "vehicle: the state that was sent is not one of this rover");
    }
    bool other = p->loose || v->rocks.push.count;
    v->rocks.push.count = p->loose, v->rocks.push.in = p->in, v->rocks.push.lost = p->lost;
    memcpy(v->rocks.push.rock, from, rocks);
    ty_status status = move_window(v, p->i0, p->j0, diag); /* marks loose ones where it is a new one */
    if (status != TY_OK) {
        return status;
    }
    if (other) {
        tyi_vehicle_push_mark(&v->rocks);
    }
    memcpy(&v->run, &p->run, sizeof v->run);
    memcpy(v->rocks.stretch, p->stretch, sizeof p->stretch);
    tyi_soil_rider_restore(v->world, v->rider->carrier.number, from + rocks + mbd_size(v));
    memcpy(v->rider->load, v->run.out, (size_t)v->wheels * sizeof *v->rider->load);
    tyi_body_mbd_restore(v->mbd, (const double *)(const void *)(from + rocks));
    return tyi_body_mbd_begin(v->mbd, v->run.step, diag);
}
