/* src/vehicle/create.c - a vehicle from its files: names in the rover file meet the bodies and joints of the model.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "core/core.h"
#include "vehicle_def.h"
#include "body/urdf.h"
#include "vehicle.h"
#include "inner.h"

/* what making a vehicle needs and then drops */
typedef struct maker {
    ty_vehicle *v;
    tyi_io_doc doc;
    tyi_arena memory;
    tyi_vehicle_rover rover;
    tyi_body_urdf urdf;
} maker;

/* what a model has instead of a name that it lacks: the nearest one, or all */
typedef const char *name_of(const tyi_body_mbd *mbd, int i);
static void say_names(const tyi_body_mbd *mbd, name_of *of, int count, const char *wrong, char *out, size_t size)
{
    const char *names[256] = { NULL };
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < count && n < 256; i++) {
        names[n] = of(mbd, i);
        n += names[n][0] != '\0';
    }
    const char *near = tyi_io_nearest(wrong, names, n);
    if (near) {
        tyi_io_say(out, size, " (did you mean %s?)", near);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        tyi_io_say(out, size, "%s%s", i ? ", " : "; it has ", names[i]);
    }
}

static ty_status find_body(const maker *m, const char *name, int *out, ty_diag *diag)
{
    *out = tyi_body_mbd_find_body(m->v->mbd, name);
    if (*out < 0) {
        char shown[80], has[400];
        say_names(m->v->mbd, tyi_body_mbd_body_name, tyi_body_mbd_bodies(m->v->mbd), name, has, sizeof has);
        return tyi_io_doc_fail_field(&m->doc, name, diag, TY_ERR_INPUT, "is '%s', but the model %s has no such body%s",
                                     tyi_io_doc_show(name, shown, sizeof shown), m->rover.model, has);
    }
    return TY_OK;
}

static ty_status find_hinge(const maker *m, const char *name, int *out, ty_diag *diag)
{
    char shown[80];
    tyi_io_doc_show(name, shown, sizeof shown);
    *out = tyi_body_mbd_find_joint(m->v->mbd, name);
    if (*out < 0) {
        char has[400];
        say_names(m->v->mbd, tyi_body_mbd_joint_name, tyi_body_mbd_joints(m->v->mbd), name, has, sizeof has);
        return tyi_io_doc_fail_field(&m->doc, name, diag, TY_ERR_INPUT, "is '%s', but the model %s has no such joint%s",
                                     shown, m->rover.model, has);
    }
    if (!tyi_body_mbd_joint_hinge(m->v->mbd, *out)) {
        return tyi_io_doc_fail_field(&m->doc, name, diag, TY_ERR_INPUT, "is '%s', which is not a hinge; it takes one",
                                     shown);
    }
    return TY_OK;
}

/* the shortest turn that takes y to the axle, which points to the left */
static ty_quat axle_frame(ty_vec3 axle)
{
    ty_vec3 turn = ty_vec3_make(axle.z, 0.0, -axle.x); /* y x axle */
    double size = ty_norm(turn);
    return size > 1e-12 ? ty_quat_axis(ty_scale(1.0 / size, turn), atan2(size, axle.y)) : ty_quat_identity();
}

static ty_status bind_steer(maker *m, const tyi_vehicle_wheel_def *def, tyi_vehicle_wheel *w, ty_diag *diag)
{
    ty_vec3 at, axis;
    double low, high;
    char shown[80];
    ty_status status = find_hinge(m, def->steer, &w->steer, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_io_doc_show(def->steer, shown, sizeof shown);
    tyi_body_mbd_joint_frame(m->v->mbd, w->steer, &at, &axis);
    bool limited = tyi_body_mbd_joint_range(m->v->mbd, w->steer, &low, &high);
    if (w->steer == w->joint ||
        !tyi_body_mbd_hangs_on(m->v->mbd, w->body, tyi_body_mbd_joint_body(m->v->mbd, w->steer))) {
        return tyi_io_doc_fail_field(&m->doc, def->steer, diag, TY_ERR_INPUT,
                                     "is '%s', which does not carry the body '%s'", shown, def->body);
    }
    if (fabs(axis.z) < 0.7) {
        return tyi_io_doc_fail_field(&m->doc, def->steer, diag, TY_ERR_INPUT,
                                     "is '%s', whose axis does not point up or down (z)", shown);
    }
    if (limited && !(low <= 0.0 && high >= 0.0)) {
        return tyi_io_doc_fail_field(&m->doc, def->steer, diag, TY_ERR_INPUT,
                                     "is '%s', whose range of %.4g to %.4g deg leaves out 0, straight ahead", shown,
                                     low / TY_DEG, high / TY_DEG);
    }
    w->steer_sign = axis.z > 0.0 ? 1.0 : -1.0;
    w->low = !limited ? -TY_PI : w->steer_sign > 0.0 ? low : -high;
    w->high = !limited ? TY_PI : w->steer_sign > 0.0 ? high : -low;
    w->info.steer_limit = fmin(-w->low, w->high);
    return TY_OK;
}

/* The model stands with its joints at zero and B in the origin of W: axes and places read there are those in B. */
static ty_status bind_wheel(maker *m, const tyi_vehicle_wheel_def *def, tyi_vehicle_wheel *w, ty_diag *diag)
{
    ty_vec3 axis;
    char shown[80];
    ty_status status = find_body(m, def->body, &w->body, diag);
    if (status == TY_OK) {
        status = find_hinge(m, def->joint, &w->joint, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    if (tyi_body_mbd_joint_body(m->v->mbd, w->joint) != w->body) {
        return tyi_io_doc_fail_field(&m->doc, def->joint, diag, TY_ERR_INPUT,
                                     "is '%s', which does not belong to the body '%s'",
                                     tyi_io_doc_show(def->joint, shown, sizeof shown), def->body);
    }
    tyi_body_mbd_joint_frame(m->v->mbd, w->joint, &w->info.p_B, &axis);
    if (fabs(axis.y) < 0.7) {
        return tyi_io_doc_fail_field(&m->doc, def->joint, diag, TY_ERR_INPUT,
                                     "is '%s', whose axis does not point to the side (y)",
                                     tyi_io_doc_show(def->joint, shown, sizeof shown));
    }
    if (def->grouser_height > def->radius) {
        return tyi_io_doc_fail_field(&m->doc, &def->grouser_height, diag, TY_ERR_RANGE,
                                     "is %g m, but takes 0 to the wheel's radius of %g m", def->grouser_height,
                                     def->radius);
    }
    w->spin_sign = axis.y > 0.0 ? 1.0 : -1.0;
    w->q_body =
        ty_quat_mul(ty_quat_conj(tyi_body_mbd_pose(m->v->mbd, w->body).q), axle_frame(ty_scale(w->spin_sign, axis)));
    w->steer = w->arm = -1;
    if (def->suspension[0]) {
        int arm;
        status = find_hinge(m, def->suspension, &arm, diag);
        if (status != TY_OK) {
            return status;
        }
        tyi_vehicle_suspension_bind(m->v, w, arm);
    }
    w->driven = def->driven;
    memcpy(w->info.name, def->name, sizeof w->info.name);
    w->info.shape = (ty_wheel_shape){ def->radius, def->width, def->grouser_height, def->grousers };
    w->info.stall_torque = def->driven ? m->rover.drive.stall_torque : 0.0;
    w->info.no_load_speed = m->rover.drive.no_load_speed;
    w->info.fender = def->fender;
    return def->steer[0] ? bind_steer(m, def, w, diag) : TY_OK;
}

static ty_quat from_rpy(const double *deg)
{
    ty_quat roll = ty_quat_axis(ty_vec3_make(1.0, 0.0, 0.0), deg[0] * TY_DEG);
    ty_quat pitch = ty_quat_axis(ty_vec3_make(0.0, 1.0, 0.0), deg[1] * TY_DEG);
    ty_quat yaw = ty_quat_axis(ty_vec3_make(0.0, 0.0, 1.0), deg[2] * TY_DEG);
    return ty_quat_mul(yaw, ty_quat_mul(pitch, roll));
}

static ty_status bind_mounts(maker *m, ty_diag *diag)
{
    for (size_t i = 0; i < m->rover.mount_count; i++) {
        const tyi_vehicle_mount_def *def = &m->rover.mounts[i];
        ty_vehicle_mount *mount = &m->v->mount[i];
        ty_status status = find_body(m, def->body, &mount->body, diag);
        if (status != TY_OK) {
            return status;
        }
        memcpy(mount->name, def->name, sizeof mount->name);
        mount->pose = (ty_pose){ { def->position[0], def->position[1], def->position[2] }, from_rpy(def->rpy_deg) };
    }
    m->v->mounts = (int)m->rover.mount_count;
    return TY_OK;
}

/* spheres as they are, boxes by their eight corners */
static ty_status bind_collisions(maker *m, ty_diag *diag)
{
    for (size_t i = 0; i < m->rover.collision_count; i++) {
        const tyi_vehicle_collision_def *def = &m->rover.collisions[i];
        ty_pose pose = { { def->position[0], def->position[1], def->position[2] }, from_rpy(def->rpy_deg) };
        bool box = def->box[0] > 0.0 || def->box[1] > 0.0 || def->box[2] > 0.0;
        int body;
        ty_status status = find_body(m, def->body, &body, diag);
        if (status != TY_OK) {
            return status;
        }
        if (!box && !(def->radius > 0.0)) {
            return tyi_io_doc_fail_field(
                &m->doc, def->body, diag, TY_ERR_INPUT,
                "is given a collision shape without radius or box; it takes one of them, or both");
        }
        for (int k = 0; k < (box ? 8 : 1) && !def->no_ground; k++) {
            ty_vec3 corner = ty_vec3_make((k & 1 ? 0.5 : -0.5) * def->box[0], (k & 2 ? 0.5 : -0.5) * def->box[1],
                                          (k & 4 ? 0.5 : -0.5) * def->box[2]);
            m->v->bump[m->v->bumps++] = (tyi_vehicle_bump){ body, ty_pose_point(pose, corner), def->radius };
        }
        m->v->collision[m->v->collisions++] =
            (ty_collision_shape){ body, pose, def->radius, { def->box[0], def->box[1], def->box[2] } };
    }
    return TY_OK;
}

/* what touches other rovers, rocks and objects: the collision shapes and the wheels */
static ty_status bind_hulls(maker *m, ty_diag *diag)
{
    ty_vehicle *v = m->v;
    tyi_body_hull hull[TYI_VEHICLE_COLLISIONS_MAX + TY_WHEELS_MAX];
    int n = 0;
    for (int i = 0; i < v->collisions; i++) {
        const ty_collision_shape *c = &v->collision[i];
        bool box = c->box.x > 0.0 || c->box.y > 0.0 || c->box.z > 0.0;
        double r = c->radius;
        hull[n++] = (tyi_body_hull){
            .kind = box ? TY_SHAPE_BOX : TY_SHAPE_SPHERE,
            .body = c->body,
            .pose = c->pose,
            .size = box ? ty_vec3_make(0.5 * c->box.x + r, 0.5 * c->box.y + r, 0.5 * c->box.z + r)
                        : ty_vec3_make(r, 0.0, 0.0),
        };
    }
    for (int i = 0; i < v->wheels; i++) {
        const tyi_vehicle_wheel *w = &v->wheel[i];
        ty_pose body = tyi_body_mbd_pose(v->mbd, w->body);
        ty_vec3 centre = ty_rotate(ty_quat_conj(body.q), ty_sub(w->info.p_B, body.p));
        double r = w->info.shape.r;
        /* smooth, so that the place of contact does not jump: on cylinders side by side it does, from step to step */
        hull[n++] = (tyi_body_hull){ .kind = TY_SHAPE_ELLIPSOID,
                                     .body = w->body,
                                     .pose = { centre, w->q_body },
                                     .size = { r, 0.5 * w->info.shape.b, r },
                                     .wheel = true };
    }
    for (int i = 0; i < n; i++) {
        tyi_body_hull_bound(&hull[i]);
    }
    return tyi_body_mbd_set_hulls(v->mbd, hull, n, diag);
}

static ty_status bind_tools(maker *m, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < m->rover.tool_count && status == TY_OK; i++) {
        const tyi_vehicle_tool_def *def = &m->rover.tools[i];
        tyi_vehicle_tool *tool = &m->v->tool[m->v->tools++];
        status = find_body(m, def->body, &tool->body, diag);
        tool->pose = (ty_pose){ { def->position[0], def->position[1], def->position[2] }, from_rpy(def->rpy_deg) };
        tool->shape = def->shape;
        memcpy(tool->name, def->name, sizeof tool->name);
    }
    return status;
}

static ty_status bind_motors(maker *m, ty_diag *diag)
{
    for (size_t i = 0; i < m->rover.motor_count; i++) {
        const tyi_vehicle_motor_def *def = &m->rover.motors[i];
        tyi_vehicle_motor *motor = &m->v->motor[i];
        ty_status status = find_hinge(m, def->joint, &motor->joint, diag);
        if (status != TY_OK) {
            return status;
        }
        motor->kp = def->kp, motor->kd = def->kd;
        motor->info = (ty_motor_info){ .speed = def->control == 1, .torque = def->torque, .rate = def->rate };
        memcpy(motor->info.name, def->name, sizeof motor->info.name);
        if (!tyi_body_mbd_joint_range(m->v->mbd, motor->joint, &motor->info.low, &motor->info.high)) {
            motor->info.low = -(double)INFINITY, motor->info.high = (double)INFINITY;
        }
    }
    m->v->motors = (int)m->rover.motor_count;
    return TY_OK;
}

/* Ackermann's turning centre lies beside the wheels that cannot turn, or beside the middle where all can. */
static double middle_of(const ty_vehicle *v)
{
    double sum = 0.0, fixed = 0.0;
    int fixed_count = 0;
    for (int i = 0; i < v->wheels; i++) {
        sum += v->wheel[i].info.p_B.x;
        if (v->wheel[i].steer < 0) {
            fixed += v->wheel[i].info.p_B.x;
            fixed_count++;
        }
    }
    return fixed_count ? fixed / fixed_count : sum / v->wheels;
}

static ty_status bind(maker *m, ty_diag *diag)
{
    ty_vehicle *v = m->v;
    ty_status status = find_body(m, m->rover.body, &v->body, diag);
    if (status == TY_OK && !tyi_body_mbd_body_free(v->mbd, v->body)) {
        status =
            tyi_io_doc_fail_field(&m->doc, m->rover.body, diag, TY_ERR_INPUT,
                                  "is '%s', which has no free joint; it takes the body that has one", m->rover.body);
    }
    if (status == TY_OK) {
        tyi_body_mbd_reset(v->mbd, v->body, (ty_pose){ { 0.0, 0.0, 0.0 }, ty_quat_identity() });
        status = tyi_body_mbd_begin(v->mbd, 0, diag);
    }
    for (size_t i = 0; status == TY_OK && i < m->rover.wheel_count; i++) {
        status = bind_wheel(m, &m->rover.wheels[i], &v->wheel[i], diag);
    }
    v->wheels = (int)m->rover.wheel_count;
    if (status == TY_OK) {
        v->middle = middle_of(v);
        status = bind_mounts(m, diag);
    }
    if (status == TY_OK) {
        status = bind_motors(m, diag);
    }
    if (status == TY_OK) {
        status = bind_tools(m, diag);
    }
    if (status == TY_OK) {
        status = bind_collisions(m, diag);
    }
    if (status == TY_OK) {
        status = bind_hulls(m, diag);
    }
    double mass = tyi_body_mbd_mass(v->mbd);
    if (status == TY_OK && m->rover.mass > 0.0 && fabs(mass - m->rover.mass) > 0.01 * m->rover.mass) {
        status = tyi_io_doc_fail_field(&m->doc, &m->rover.mass, diag, TY_ERR_INPUT,
                                       "is %g kg, but the bodies of the model %s weigh %g kg together", m->rover.mass,
                                       m->rover.model, mass);
    }
    return status;
}

/* The rover becomes a carrier of the soil world: of the run's, or of one of its own. */
static ty_status make_ground(ty_vehicle *v, const ty_vehicle_def *def, ty_diag *diag)
{
    const ty_soil_def *soil = def->world ? &def->world->layer[0].def : &def->soil;
    ty_soil_body_def body[TY_WHEELS_MAX + TY_TOOLS_MAX];
    double reach = 0.0, weight = tyi_body_mbd_mass(v->mbd) * def->gravity / fmax(v->wheels, 1);
    for (int i = 0; i < v->wheels; i++) {
        const ty_wheel_shape *shape = &v->wheel[i].info.shape;
        double r = tyi_soil_rolling_radius(soil, shape);
        v->wheel[i].inertia = tyi_body_mbd_joint_inertia(v->mbd, v->wheel[i].joint);
        reach = fmax(reach, ty_norm(v->wheel[i].info.p_B) + shape->r + shape->b);
        body[i] = (ty_soil_body_def){ .wheel = *shape,
                                      .mass = tyi_body_mbd_body_mass(v->mbd, v->wheel[i].body),
                                      .rim_mass = tyi_body_mbd_joint_inertia(v->mbd, v->wheel[i].joint) / (r * r),
                                      .weight = weight };
    }
    tyi_vehicle_tool_bodies(v, def->gravity, body + v->wheels, &reach);
    v->world = def->world;
    v->owns_world = !def->world;
    ty_status status = TY_OK;
    if (v->owns_world) {
        tyi_soil_world_def own = {
            .terrain = def->terrain, .gravity = def->gravity, .soil = soil, .soils = 1, .alloc = def->alloc
        };
        status = tyi_soil_world_create(&own, &v->world, diag);
    }
    int carrier = 0;
    if (status == TY_OK) {
        status =
            tyi_soil_world_join(v->world, body, v->wheels + v->tools, reach, def->rocks, def->rock_min, &carrier, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    v->rider = v->world->rider[carrier];
    v->rocks = (tyi_vehicle_rocks){ .world = v->world,
                                    .rider = v->rider,
                                    .soil = &v->world->layer[0].def,
                                    .on = def->rocks,
                                    .push_below = def->rock_push,
                                    .mu = def->rock_mu,
                                    .density = def->rock_density,
                                    .alloc = def->alloc };
    return tyi_vehicle_rocks_init(&v->rocks, diag);
}

/* a body looks like a file */
static void look_like(ty_vehicle *v, ty_body_shape *s, const char *file, ty_pose pose, ty_vec3 scale)
{
    char *kept = v->look[v->looks++];
    snprintf(kept, sizeof *v->look, "%s", file);
    *s = (ty_body_shape){
        .kind = TY_SHAPE_FILE, .pose = pose, .size = scale, .rgba = { 0.6f, 0.6f, 0.6f, 1.0f }, .file = kept
    };
}

/* wheels of a URDF that look like nothing, their meshes being elsewhere, are drawn as wheels */
static int wheel_shapes(const maker *m, ty_body_shape *shape, int count)
{
    const ty_vehicle *v = m->v;
    int added = 0;
    for (int w = 0; m->urdf.text && w < v->wheels; w++) {
        bool seen = false;
        for (int i = 0; i < count; i++) {
            seen = seen || shape[i].body == v->wheel[w].body;
        }
        if (!seen) { /* cylinders lie along z, axles along y */
            ty_quat turn = ty_quat_axis(ty_vec3_make(1.0, 0.0, 0.0), -0.5 * TY_PI);
            shape[count + added++] = (ty_body_shape){
                .kind = TY_SHAPE_CYLINDER,
                .body = v->wheel[w].body,
                .pose = { { 0.0, 0.0, 0.0 }, ty_quat_mul(v->wheel[w].q_body, turn) },
                .size = { v->wheel[w].info.shape.r, 0.5 * v->wheel[w].info.shape.b, 0.0 },
                .rgba = { 0.4f, 0.4f, 0.4f, 1.0f },
            };
        }
    }
    return added;
}

/* the shapes of the model, less those of bodies that look like something else, and what they look like */
static ty_status make_shapes(maker *m, ty_diag *diag)
{
    ty_vehicle *v = m->v;
    int all = tyi_body_mbd_shapes(v->mbd, NULL), kept = 0;
    v->look_room = m->urdf.looks + m->rover.look_count + 1;
    v->shape_room = all + (int)v->look_room + v->wheels + v->tools;
    v->shape = tyi_get(v->alloc, (size_t)v->shape_room * sizeof *v->shape);
    v->look = tyi_get(v->alloc, v->look_room * sizeof *v->look);
    if (!v->shape || !v->look) {
        return ty_fail(diag, TY_ERR_MEMORY, "vehicle: no memory for %d shapes", v->shape_room);
    }
    tyi_body_mbd_shapes(v->mbd, v->shape);
    for (size_t i = 0; i < m->urdf.looks; i++) {
        const tyi_body_urdf_look *look = &m->urdf.look[i];
        ty_body_shape *s = &v->shape[all];
        look_like(v, s, look->file, look->pose, look->scale);
        memcpy(s->rgba, look->rgba, sizeof s->rgba);
        s->optional = true;
        s->body = tyi_body_mbd_find_body(v->mbd, look->link);
        all += s->body >= 0;
    }
    all += wheel_shapes(m, v->shape, all);
    ty_status status = tyi_vehicle_tool_shapes(v, v->shape, &all, diag);
    for (size_t i = 0; i < m->rover.look_count && status == TY_OK; i++) {
        const tyi_vehicle_look_def *def = &m->rover.looks[i];
        ty_body_shape *s = &v->shape[(size_t)all + i];
        look_like(
            v, s, def->file,
            (ty_pose){ ty_vec3_make(def->position[0], def->position[1], def->position[2]), from_rpy(def->rpy_deg) },
            ty_vec3_make(def->scale, def->scale, def->scale));
        status = find_body(m, def->body, &s->body, diag);
        for (int k = 0; k < all && status == TY_OK && def->replace; k++) {
            v->shape[k].body = v->shape[k].body == s->body ? -1 : v->shape[k].body;
        }
    }
    for (int k = 0; k < all + (int)m->rover.look_count && status == TY_OK; k++) {
        if (v->shape[k].body >= 0) {
            v->shape[kept++] = v->shape[k];
        }
    }
    v->shapes = kept;
    return status;
}

/* joints that have a motor are never held */
static ty_status make_urdf(maker *m, const ty_alloc *alloc, ty_diag *diag)
{
    const tyi_vehicle_rover *r = &m->rover;
    const char *driven[2 * TY_WHEELS_MAX + TY_MOTORS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < r->wheel_count; i++) {
        driven[n++] = r->wheels[i].joint, driven[n++] = r->wheels[i].steer;
    }
    for (size_t i = 0; i < r->motor_count; i++) {
        driven[n++] = r->motors[i].joint;
    }
    tyi_body_urdf_def def = { .path = r->model,
                              .root = r->body,
                              .package = r->packages,
                              .packages = r->package_count,
                              .argument = r->xacro,
                              .arguments = r->xacro_count,
                              .hold = r->hold,
                              .holds = r->hold_count,
                              .driven = driven,
                              .drivens = n,
                              .alloc = alloc };
    ty_status status = tyi_body_urdf_make(&def, &m->urdf, diag);
    memcpy(m->v->notes, m->urdf.notes, sizeof m->v->notes);
    return status;
}

const char *tyi_vehicle_notes(const ty_vehicle *v)
{
    return v->notes;
}

int tyi_vehicle_idle_joints(const ty_vehicle *v, const char **names, int most)
{
    int count = 0, joints = tyi_body_mbd_joints(v->mbd);
    for (int i = 0; i < joints; i++) {
        bool used = tyi_body_mbd_body_free(v->mbd, tyi_body_mbd_joint_body(v->mbd, i));
        for (int k = 0; k < v->wheels; k++) {
            used = used || v->wheel[k].joint == i || v->wheel[k].steer == i;
        }
        for (int k = 0; k < v->motors; k++) {
            used = used || v->motor[k].joint == i;
        }
        if (!used) {
            if (count < most) {
                names[count] = tyi_body_mbd_joint_name(v->mbd, i);
            }
            count++;
        }
    }
    return count;
}

static ty_status make(maker *m, const ty_vehicle_def *def, ty_diag *diag)
{
    ty_vehicle *v = m->v;
    ty_status status = tyi_vehicle_rover_load(def->rover, &m->doc, &m->memory, &m->rover, diag);
    if (status == TY_OK) {
        memcpy(v->name, m->rover.name, sizeof v->name);
        v->drive = m->rover.drive;
        v->steering = m->rover.steering;
        v->suspension = m->rover.suspension;
    }
    bool urdf = status == TY_OK && tyi_body_urdf_is(m->rover.model);
    status = urdf ? make_urdf(m, def->alloc, diag) : status;
    if (status == TY_OK) {
        status = tyi_body_mbd_create(m->rover.model, urdf ? &m->urdf : NULL, def->gravity, def->integrator, def->alloc,
                                     &v->mbd, diag);
    }
    if (status == TY_OK) {
        status = bind(m, diag);
    }
    if (status == TY_OK) {
        status = make_shapes(m, diag);
    }
    if (status == TY_OK) {
        status = make_ground(v, def, diag);
    }
    if (status == TY_OK) {
        status = tyi_vehicle_place(v, def->x, def->y, def->yaw, def->drop, diag);
    }
    return status;
}

ty_status ty_vehicle_create(const ty_vehicle_def *def, ty_vehicle **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = tyi_vehicle_def_check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    /* the rover's text fields are large: not on the stack */
    maker *m = tyi_get(def->alloc, sizeof *m);
    ty_vehicle *v = tyi_get(def->alloc, sizeof *v);
    if (!m || !v) {
        tyi_put(def->alloc, m, sizeof *m);
        tyi_put(def->alloc, v, sizeof *v);
        return ty_fail(diag, TY_ERR_MEMORY, "vehicle: no memory");
    }
    m->v = v;
    v->alloc = def->alloc;
    tyi_arena_init(&m->memory, def->alloc, 4096);
    status = make(m, def, diag);
    tyi_body_urdf_free(&m->urdf);
    tyi_io_doc_free(&m->doc);
    tyi_arena_free(&m->memory);
    tyi_put(def->alloc, m, sizeof *m);
    if (status != TY_OK) {
        ty_vehicle_destroy(v);
        return status;
    }
    *out = v;
    return TY_OK;
}

void ty_vehicle_destroy(ty_vehicle *v)
{
    if (v) {
        tyi_vehicle_rocks_free(&v->rocks);
        if (v->owns_world) {
            tyi_soil_world_destroy(v->world);
        }
        tyi_put(v->alloc, v->shape, (size_t)v->shape_room * sizeof *v->shape);
        tyi_put(v->alloc, v->look, v->look_room * sizeof *v->look);
        tyi_vehicle_tool_free(v);
        tyi_body_mbd_destroy(v->mbd);
        tyi_put(v->alloc, v, sizeof *v);
    }
}
