/* src/vehicle/push.c - small rocks that wheels push along and press into the soil.
 *
 * A rock is a body that slides without turning: its weight and what wheels press it down with rub on
 * the soil (Coulomb), and it sinks as a round plate does by Bekker's law, for good. Forces of wheels
 * are stiff against its mass, so a step is implicit in the rock's own motion: unconditionally
 * stable down to a rock without mass, and exact in steady sliding. Rocks do not meet each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "rocks.h"
#include "world/terrain/patch.h"

#define SINK_MOST 2e-3 /* [m] in one step: what a wheel at 2 m/s could do */

/* six times the volume of the tetrahedra under its triangles, over six */
static double volume_of(const ty_rock_shape *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->triangles; i++) {
        ty_vec3 p[3];
        for (int c = 0; c < 3; c++) {
            const float *v = s->vertex + 3 * s->triangle[3 * i + c];
            p[c] = ty_vec3_make((double)v[0], (double)v[1], (double)v[2]);
        }
        sum += ty_dot(p[0], ty_cross(p[1], p[2]));
    }
    return fabs(sum) / 6.0;
}

static ty_terrain_ground ground_at(const tyi_vehicle_rocks *g, double x, double y)
{
    ty_terrain_ground out;
    tyi_terrain_patch_sample_natural(g->rider->ground.patch, 1, &x, &y, &out);
    return out;
}

/* the shape where the rock is now */
static void place(tyi_vehicle_rocks *g, int k)
{
    const tyi_vehicle_loose *r = &g->push.rock[k];
    const ty_rock_shape *shape = ty_terrain_rock_shape(g->world->site.terrain, (uint32_t)r->shape);
    double z = ground_at(g, r->x, r->y).z + r->foot - r->sunk;
    g->placed[k] = (tyi_terrain_placed_rock){ .base = { r->x, r->y, z },
                                              .c = cos(r->yaw),
                                              .s = sin(r->yaw),
                                              .scale = r->scale,
                                              .top = z + r->scale * (double)shape->height,
                                              .radius = r->scale * (double)shape->radius,
                                              .shape = shape,
                                              .id = r->id };
}

bool tyi_vehicle_push_loosen(tyi_vehicle_rocks *g, tyi_terrain_placed_rock *rock)
{
    if (g->push.count >= TYI_VEHICLE_LOOSE) {
        return false;
    }
    int k = (int)g->push.count++;
    g->push.rock[k] = (tyi_vehicle_loose){
        .id = rock->id,
        .shape = (uint64_t)(rock->shape - ty_terrain_rock_shape(g->world->site.terrain, 0)),
        .x = rock->base.x,
        .y = rock->base.y,
        .yaw = rock->yaw,
        .diameter = rock->diameter,
        .scale = rock->scale,
        .burial = rock->burial,
        .foot = rock->base.z - ground_at(g, rock->base.x, rock->base.y).z,
        .mass = g->density * volume_of(rock->shape) * rock->scale * rock->scale * rock->scale,
        .area = 0.25 * TY_PI * rock->diameter * rock->diameter,
        .told = { rock->base.x, rock->base.y, 0.0 },
    };
    rock->loose = true;
    place(g, k);
    return true;
}

/* force [N] of the soil against sinking, and its slope [N/m]: a plate of the outline's size */
static double soil_under(const tyi_vehicle_rocks *g, const tyi_vehicle_loose *r, double *slope)
{
    const ty_soil_params *p = &g->soil->bekker;
    double k = r->area * (p->k_c / (0.5 * r->diameter) + p->k_phi), s = fmax(r->sunk, 1e-5);
    *slope = k * p->n0 * pow(s, p->n0 - 1.0);
    return k * pow(r->sunk, p->n0);
}

/* How far [m] it is pressed down in this step: where wheel and soil agree at its end. */
static double sink(const tyi_vehicle_rocks *g, const tyi_vehicle_loose *r, const tyi_vehicle_act *a, double dt,
                   double *down)
{
    double slope, under = soil_under(g, r, &slope);
    *down = -a->force.z;
    if (g->soil->model == TY_SOIL_RIGID) {
        return 0.0;
    }
    double ahead = *down - dt * a->kv.z + dt * (a->k[3] * r->v.x + a->k[4] * r->v.y) - a->c[5] * r->v.z;
    double by = (ahead - under) / (a->k[5] + a->c[5] / dt + slope);
    return fmin(fmax(by, 0.0), SINK_MOST);
}

/* v with (m + dt c + dt^2 k + rub / |v|) v = p, in the plane: rub is the impulse of friction [N s] */
static void slide(const tyi_vehicle_act *a, double m, double dt, double rub, double px, double py, ty_vec3 *v)
{
    double xx = m + dt * (a->c[0] + dt * a->k[0]), xy = dt * (a->c[1] + dt * a->k[1]),
           yy = m + dt * (a->c[2] + dt * a->k[2]), size = hypot(px, py);
    v->x = v->y = 0.0;
    if (size <= rub) {
        return;
    }
    double stiff = (xx * px * px + 2.0 * xy * px * py + yy * py * py) / (size * size);
    double speed = (size - rub) / stiff; /* right at once where p is along an axis of the matrix */
    for (int i = 0; i < 8; i++) {
        double l = rub / fmax(speed, 1e-12), det = (xx + l) * (yy + l) - xy * xy;
        v->x = ((yy + l) * px - xy * py) / det;
        v->y = ((xx + l) * py - xy * px) / det;
        speed = hypot(v->x, v->y);
    }
}

static void step_one(tyi_vehicle_rocks *g, int k, const tyi_vehicle_act *a, double dt)
{
    tyi_vehicle_loose *r = &g->push.rock[k];
    double down, slope, under = soil_under(g, r, &slope), by = sink(g, r, a, dt, &down);
    double weight = r->mass * g->world->site.gravity, rub = dt * g->mu * fmax(weight + down, 0.0);
    ty_terrain_ground at = ground_at(g, r->x, r->y);
    ty_vec3 was = r->v, p = ty_scale(r->mass, was);
    p.x +=
        dt * (a->force.x + a->c[0] * was.x + a->c[1] * was.y + a->k[3] * by + dt * a->kv.x - weight * (double)at.dzdx);
    p.y +=
        dt * (a->force.y + a->c[1] * was.x + a->c[2] * was.y + a->k[4] * by + dt * a->kv.y - weight * (double)at.dzdy);
    slide(a, r->mass, dt, rub, p.x, p.y, &r->v);
    r->v.z = -by / dt;
    r->force = a->force;
    r->x += dt * r->v.x, r->y += dt * r->v.y, r->sunk += by;
    g->push.in += dt * (a->force.x * r->v.x + a->force.y * r->v.y) + down * by;
    g->push.lost += rub * hypot(r->v.x, r->v.y) + (under + 0.5 * slope * by) * by;
    place(g, k);
}

void tyi_vehicle_push_step(tyi_vehicle_rocks *g, const tyi_vehicle_act *act, double dt)
{
    for (int k = 0; k < (int)g->push.count; k++) {
        const tyi_vehicle_loose *r = &g->push.rock[k];
        bool touched = ty_dot(act[k].force, act[k].force) > 0.0, moves = ty_dot(r->v, r->v) > 0.0;
        if (touched || moves) {
            step_one(g, k, &act[k], dt);
        } else {
            g->push.rock[k].force = (ty_vec3){ 0.0, 0.0, 0.0 };
        }
    }
}

ty_status tyi_vehicle_push_tell(tyi_vehicle_rocks *g, double least, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int k = 0; k < (int)g->push.count && status == TY_OK; k++) {
        tyi_vehicle_loose *r = &g->push.rock[k];
        ty_vec3 now = ty_vec3_make(r->x, r->y, r->sunk);
        if (!(ty_norm(ty_sub(now, r->told)) > least)) {
            continue;
        }
        double height = r->scale * (double)ty_terrain_rock_shape(g->world->site.terrain, (uint32_t)r->shape)->height;
        ty_rock rock = { .x = r->x,
                         .y = r->y,
                         .diameter = r->diameter,
                         .scale = r->scale,
                         .yaw = r->yaw,
                         .burial = fmin(r->burial + r->sunk / height, 4.0),
                         .shape = (uint32_t)r->shape,
                         .id = r->id };
        ty_edit edit = { .i0 = (int32_t)floor(r->x / g->world->site.spacing),
                         .j0 = (int32_t)floor(r->y / g->world->site.spacing),
                         .nx = 1,
                         .ny = 1,
                         .rock = &rock };
        status = ty_terrain_edit(g->world->site.terrain, &edit, diag);
        r->told = now;
    }
    return status;
}

void tyi_vehicle_push_mark(tyi_vehicle_rocks *g)
{
    tyi_terrain_rock_bins *b = &g->rider->ground.patch->bins;
    for (size_t i = 0; i < b->rocks; i++) {
        b->rock[i].loose = false;
        for (int k = 0; k < (int)g->push.count; k++) {
            b->rock[i].loose = b->rock[i].loose || b->rock[i].id == g->push.rock[k].id;
        }
    }
    for (int k = 0; k < (int)g->push.count; k++) {
        place(g, k);
    }
}

void tyi_vehicle_push_drop(tyi_vehicle_rocks *g, double x, double y, double reach)
{
    int kept = 0;
    for (int k = 0; k < (int)g->push.count; k++) {
        const tyi_vehicle_loose *r = &g->push.rock[k];
        if (hypot(r->x - x, r->y - y) < reach) {
            g->push.rock[kept++] = *r;
        }
    }
    g->push.count = kept;
}

/* the window may be of before, or of a terrain with other moves */
ty_status tyi_vehicle_push_restore(tyi_vehicle_rocks *g, ty_diag *diag)
{
    ty_status status =
        g->on ? ty_terrain_patch_add_rocks(g->rider->ground.patch, g->rider->ground.rock_min, diag) : TY_OK;
    if (status == TY_OK) {
        tyi_vehicle_push_mark(g);
    }
    return status;
}

ty_status tyi_vehicle_rocks_again(tyi_vehicle_rocks *g, uint64_t gone, ty_diag *diag)
{
    int kept = 0;
    ty_status status = tyi_vehicle_push_tell(g, 0.0, diag);
    for (int k = 0; k < (int)g->push.count; k++) {
        if (g->push.rock[k].id != gone) {
            g->push.rock[kept++] = g->push.rock[k];
        }
    }
    g->push.count = kept;
    return status == TY_OK ? tyi_vehicle_push_restore(g, diag) : status;
}

void tyi_vehicle_push_reset(tyi_vehicle_rocks *g)
{
    for (int i = 0; i < TY_WHEELS_MAX; i++) {
        g->stretch[i] = ty_vec3_make(0.0, 0.0, 0.0);
    }
    for (int k = 0; k < (int)g->push.count; k++) {
        g->push.rock[k].v = g->push.rock[k].force = (ty_vec3){ 0.0, 0.0, 0.0 };
    }
    g->push.in = g->push.lost = 0.0;
}
