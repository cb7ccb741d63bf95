/* src/vehicle/tool.c - implements on a rover: bodies that soil of particles meets, after the wheels in the soil's list.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "vehicle.h"
#include "inner.h"

/* [m] from its origin to its farthest point, seen along y */
static double round_of(const ty_soil_tool *t)
{
    return t->kind == TY_TOOL_DRUM    ? t->radius
           : t->kind == TY_TOOL_BLADE ? 0.5 * t->height
                                      : hypot(t->depth, t->height);
}

void tyi_vehicle_tool_bodies(const ty_vehicle *v, double gravity, ty_soil_body_def *body, double *reach)
{
    for (int i = 0; i < v->tools; i++) {
        const tyi_vehicle_tool *t = &v->tool[i];
        ty_vec3 at = ty_pose_point(tyi_body_mbd_pose(v->mbd, t->body), t->pose.p);
        double mass = tyi_body_mbd_body_mass(v->mbd, t->body), r = round_of(&t->shape);
        body[i] = (ty_soil_body_def){ .wheel = { .r = r, .b = t->shape.width },
                                      .tool = &t->shape,
                                      .mass = mass,
                                      .rim_mass = INFINITY,
                                      .weight = mass * gravity };
        *reach = fmax(*reach, ty_norm(at) + fmax(r, t->shape.width) + 0.6);
    }
}

void tyi_vehicle_tool_states(const ty_vehicle *v, ty_soil_body *in)
{
    for (int i = 0; i < v->tools; i++) {
        const tyi_vehicle_tool *t = &v->tool[i];
        ty_pose pose = ty_pose_mul(tyi_body_mbd_pose(v->mbd, t->body), t->pose);
        in[i] = (ty_soil_body){ .centre = pose.p, .q = pose.q, .axle = ty_rotate(pose.q, ty_vec3_make(0, 1, 0)) };
        tyi_body_mbd_twist(v->mbd, t->body, pose.p, &in[i].v, &in[i].w);
        in[i].omega = ty_dot(in[i].w, in[i].axle);
    }
}

#define RUNNING 0.05 /* [s] of the mean of which the largest torque is told: single steps are noise of particles */

static void count_torque(tyi_vehicle_tool_run *run, double torque, double dt)
{
    if (torque != 0.0) {
        run->met += dt;
        run->turned += torque * dt;
    }
    run->mean_torque += (torque - run->mean_torque) * fmin(dt / RUNNING, 1.0);
    run->most_torque = fmax(run->most_torque, run->mean_torque);
}

ty_status tyi_vehicle_tool_forces(ty_vehicle *v, double dt, ty_diag *diag)
{
    for (int i = 0; i < v->tools; i++) {
        const ty_soil_load *load = &v->rider->load[v->wheels + i];
        const ty_soil_body *in = &v->rider->body[v->wheels + i];
        tyi_vehicle_tool_run *run = &v->run.tool[i];
        if (!isfinite(ty_norm(load->force) + ty_norm(load->torque))) {
            return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: the ground's force on tool '%s' is not finite",
                           (unsigned long long)v->run.step, v->tool[i].name);
        }
        run->force = load->force;
        run->torque = load->torque;
        run->power = -ty_dot(load->force, in->v) - ty_dot(load->torque, in->w);
        run->work += run->power * dt;
        run->carried = load->carried;
        count_torque(run, -ty_dot(load->torque, in->axle), dt);
        if (run->carried > run->most) {
            run->most = run->carried;
            run->most_work = run->work;
            run->most_met = run->met;
            run->most_turned = run->turned;
        }
        tyi_body_mbd_force(v->mbd, v->tool[i].body, in->centre, load->force, load->torque);
    }
    return TY_OK;
}

int tyi_vehicle_tool_motions(const ty_vehicle *v, ty_soil_body body[TY_TOOLS_MAX],
                             const ty_soil_tool *shape[TY_TOOLS_MAX])
{
    tyi_vehicle_tool_states(v, body);
    for (int i = 0; i < v->tools; i++) {
        shape[i] = &v->tool[i].shape;
    }
    return v->tools;
}

int tyi_vehicle_carrier(const ty_vehicle *v)
{
    return v->rider->carrier.number;
}

int ty_vehicle_tools(const ty_vehicle *v, ty_tool_view out[TY_TOOLS_MAX])
{
    for (int i = 0; out && i < v->tools; i++) {
        const tyi_vehicle_tool_run *run = &v->run.tool[i];
        const tyi_vehicle_tool *t = &v->tool[i];
        ty_tool_view *o = &out[i];
        *o = (ty_tool_view){ .pose = ty_pose_mul(tyi_body_mbd_pose(v->mbd, t->body), t->pose),
                             .force_W = run->force,
                             .power = run->power,
                             .work = run->work,
                             .carried = run->carried,
                             .most = run->most,
                             .most_work = run->most_work,
                             .torque_max = run->most_torque,
                             .torque_mean = run->most > 0.0 && run->most_met > 0.0 ? run->most_turned / run->most_met
                                            : run->met > 0.0                       ? run->turned / run->met
                                                                                   : 0.0 };
        memcpy(o->name, t->name, sizeof o->name);
        o->torque = -ty_dot(run->torque, ty_rotate(o->pose.q, ty_vec3_make(0, 1, 0)));
    }
    return v->tools;
}
