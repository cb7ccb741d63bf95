/* src/soil/plane.c - contact planes of wheels [uly] 3.2.1, and what follows from the motion alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_slip.h"
#include "soil.h"
#include "world.h"
#include "inner.h"

#define POINTS (3 + TY_SOIL_SLICES)

static void set_axes(ty_soil_plane *f, ty_vec3 axle, ty_vec3 normal)
{
    f->n = normal;
    ty_vec3 x = ty_cross(axle, normal);
    double size = ty_norm(x);
    f->x = size > 1e-6 ? ty_scale(1.0 / size, x) : ty_vec3_make(1.0, 0.0, 0.0); /* a wheel that lies flat: any way */
    f->up = ty_cross(f->x, axle);
}

static double slice_y(double b, int slices, int k)
{
    return b * ((k + 0.5) / slices - 0.5);
}

/* where the ground is asked for under a wheel: two points in front, one behind (3.1 to 3.3), and
 * under each slice. The points of (3.1) lie at the entry angle; a wheel that hardly sinks needs a
 * base as well, hence at least a quarter radius. */
static void place_points(const ty_wheel_shape *shape, const tyi_soil_contact_memory *c, const ty_soil_body *in,
                         int slices, double *x, double *y)
{
    ty_soil_plane f;
    double r = shape->r, b = shape->b, ahead = r * fmin(fmax(sin(c->theta1), 0.25), 0.9);
    double down = sqrt(r * r - ahead * ahead);
    set_axes(&f, in->axle, c->normal);
    for (int k = 0; k < 3; k++) {
        double way = k < 2 ? ahead : -ahead, side = k == 0 ? 0.5 * b : k == 1 ? -0.5 * b : 0.0;
        x[k] = in->centre.x + way * f.x.x + side * in->axle.x - down * f.up.x;
        y[k] = in->centre.y + way * f.x.y + side * in->axle.y - down * f.up.y;
    }
    for (int k = 0; k < slices; k++) {
        double side = slice_y(b, slices, k);
        x[3 + k] = in->centre.x + side * in->axle.x - r * f.up.x;
        y[3 + k] = in->centre.y + side * in->axle.y - r * f.up.y;
    }
}

static void find_plane(const ty_wheel_shape *shape, const tyi_soil_contact_memory *c, const ty_soil_body *in,
                       int slices, const double *x, const double *y, const ty_terrain_ground *ground, ty_soil_plane *f)
{
    ty_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = ty_vec3_make(x[k], y[k], ground[k].z);
    }
    ty_vec3 n = ty_cross(ty_sub(p[1], p[2]), ty_sub(p[0], p[2]));
    set_axes(f, in->axle, n.z > 0.0 ? ty_normalize(n) : c->normal);
    f->slices = slices;
    for (int k = 0; k < slices; k++) {
        f->y[k] = slice_y(shape->b, slices, k);
        ty_vec3 bottom = ty_add(in->centre, ty_sub(ty_scale(f->y[k], in->axle), ty_scale(shape->r, f->up)));
        double plane = p[2].z - ((x[3 + k] - p[2].x) * f->n.x + (y[3 + k] - p[2].y) * f->n.y) / f->n.z;
        /* between its ends a slice lies on what is under it: half of the ground's departure from the plane */
        f->h[k] = ty_dot(ty_sub(p[2], bottom), f->n) + 0.5 * (ground[3 + k].z - plane) * f->n.z;
    }
    f->v_x = ty_dot(in->v, f->x);
    f->v_y = ty_dot(in->v, ty_cross(f->n, f->x));
    f->h_rate = -ty_dot(in->v, f->n);
}

/* Bodies of which points are looked up together, so that the waits for memory overlap. */
#define TOGETHER 16

void tyi_soil_planes(const tyi_soil_world *world, tyi_soil_rider *r)
{
    double x[TOGETHER * POINTS], y[TOGETHER * POINTS];
    ty_terrain_ground ground[TOGETHER * POINTS];
    for (int first = 0, next; first < r->carrier.count; first = next) {
        size_t points = 0;
        for (next = first; next < r->carrier.count && next < first + TOGETHER; next++) {
            int slices = world->layer[r->contact[next].soil].def.slices;
            place_points(&r->def[next].wheel, &r->contact[next], &r->body[next], slices, x + points, y + points);
            points += (size_t)(3 + slices);
        }
        tyi_soil_ground_heights(world, r->carrier.number, points, x, y, ground);
        points = 0;
        for (int i = first; i < next; i++) {
            int slices = world->layer[r->contact[i].soil].def.slices;
            find_plane(&r->def[i].wheel, &r->contact[i], &r->body[i], slices, x + points, y + points, ground + points,
                       &r->plane[i]);
            r->plane[i].radius = r->radius[r->contact[i].soil * r->carrier.count + i];
            points += (size_t)(3 + slices);
        }
    }
}

/* Both 0 at rest, where they have no meaning. A wheel that slides back while it drives on has slipped altogether, however fast it
 * slides. */
void tyi_soil_motion_facts(const ty_soil_plane *f, double rim, ty_soil_load *out)
{
    double most = fmax(fabs(rim), fabs(f->v_x));
    if (most > 1e-4) {
        bool against = most > 0.01 && rim * f->v_x < 0.0; /* slower it is the jitter of a wheel at rest */
        double way = (against || fabs(rim) > fabs(f->v_x) ? rim : f->v_x) < 0.0 ? -1.0 : 1.0;
        out->slip = ty_k_clamp(ty_k_slip_ratio(way * rim, way * f->v_x), -1.0, 1.0);
        out->slip_angle = atan2(f->v_y, fabs(f->v_x));
    }
}

void ty_soil_wrench(const ty_soil_at *at, double mx, double mz, double tilt)
{
    const ty_soil_plane *f = at->plane;
    ty_soil_load *out = at->load;
    ty_vec3 y = ty_cross(f->n, f->x);
    out->force = ty_add(ty_add(ty_scale(out->fx, f->x), ty_scale(out->fy, y)), ty_scale(out->fz, f->n));
    out->torque =
        ty_add(ty_add(ty_scale(mx + tilt, f->x), ty_scale(mz, f->n)), ty_scale(-out->resistance, at->state->axle));
}

double tyi_soil_calm(const ty_soil_params *p, const ty_soil_body_def *body, double stiff, double dt)
{
    double most = 1.5 * body->weight, area = body->wheel.b * body->wheel.r; /* a wheel that bears more than its part */
    double strength = most * tan(tyi_soil_shear_angle(p)) + p->c * area;
    return strength > 0.0 ? body->rim_mass * p->kx / (stiff * strength * dt) : 0.0;
}
