/* src/render/truth.c - ground truth of the ray through each pixel's middle.
 *
 * The float hit is refined in double: on the ground along the ray onto the spline, on a rock or
 * mesh onto the plane of the facet, on a sphere by the quadratic. SPDX-License-Identifier:
 * BSD-3-Clause */
#include <math.h>
#include "frame.h"
#include "k_spline.h"

#define T TYI_TILE_CELLS

typedef struct truth {
    double range;   /* [m] */
    ty_vec3 normal; /* W */
    float albedo;
    uint32_t instance;
    ty_class kind;
} truth;

#define INSTANCE_GROUND 0x40000000u
#define INSTANCE_ROCK   0x80000000u

/* Newton along the ray, on the cell's polynomial; the cell is the one under the point, limited to
 * the tile's. */
static truth on_ground(const ty_scene *s, uint32_t slot, ty_vec3 o, ty_vec3 d, double t)
{
    tyi_plot *tile;
    const tyi_ring *r = tyi_slot_tile(&s->ground, slot, &tile);
    if (tile->curved) {
        ty_vec3 normal;
        t = tyi_plot_refine(&s->ground, r, tile, o, d, t, &normal);
        return (truth){ t, normal, (float)s->material[0].albedo[0], INSTANCE_GROUND, TY_CLASS_GROUND };
    }
    ty_vec3 from = ty_sub(o, tyi_plot_origin(r, tile)), n = { 0, 0, 1 };
    for (int step = 0; step < 8; step++) {
        double x = (from.x + t * d.x) / r->d, y = (from.y + t * d.y) / r->d;
        int i = (int)fmin(fmax(floor(x), 0.0), T - 1), j = (int)fmin(fmax(floor(y), 0.0), T - 1);
        ty_k_ground g = ty_k_cell(tile->h + j * TYI_TILE_STRIDE + i, TYI_TILE_STRIDE, x - i, y - j);
        double zx = g.zx / r->d, zy = g.zy / r->d, above = from.z + t * d.z - g.z,
               rate = d.z - zx * d.x - zy * d.y;
        n = ty_normalize(ty_vec3_make(-zx, -zy, 1.0));
        double change = fabs(rate) > 1e-9 ? -above / rate : 0.0;
        change = fmin(fmax(change, -r->d),
                      r->d); /* near the horizon a step may leap: stay within a cell */
        t += change;
        if (fabs(change) < 1e-12 * (1.0 + t)) {
            break;
        }
    }
    return (truth){ t, n, (float)s->material[0].albedo[0], INSTANCE_GROUND, TY_CLASS_GROUND };
}

static ty_vec3 vec(const float *v)
{
    return ty_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

static truth on_rock(const ty_scene *s, const tyi_rays *r, int k, ty_vec3 o, ty_vec3 d)
{
    size_t i = r->slot[k] - tyi_slot_rocks(s);
    const ty_rock *rock = &s->rocks.rock[i];
    const ty_rock_shape *shape = ty_terrain_rock_shape(s->def.terrain, rock->shape);
    const ty_pose *pose = &s->rocks.pose[i];
    ty_vec3 n = ty_rotate(pose->q, vec(s->rocks.normal[rock->shape] + 3 * r->prim[k]));
    ty_vec3 corner = vec(shape->vertex + 3 * shape->triangle[3 * r->prim[k]]);
    double across = ty_dot(n, d), t = (double)r->far[k];
    if (fabs(across) > 1e-6) {
        t = ty_dot(n, ty_sub(ty_pose_point(*pose, ty_scale(rock->scale, corner)), o)) / across;
    }
    return (truth){ t, n, (float)s->material[1].albedo[0],
                    INSTANCE_ROCK | (uint32_t)(rock->id & 0x7fffffffu), TY_CLASS_ROCK };
}

static truth on_object(const ty_scene *s, const tyi_rays *r, int k, ty_vec3 o, ty_vec3 d)
{
    uint32_t i = r->slot[k];
    const tyi_object *obj = &s->object[i];
    double t = (double)r->far[k];
    float own[3] = { r->nx[k], r->ny[k], r->nz[k] };
    ty_vec3 n = ty_normalize(ty_rotate(obj->pose.q, vec(own)));
    if (!obj->vertex) { /* a sphere */
        ty_vec3 c = ty_sub(o, obj->pose.p);
        double b = ty_dot(c, d), q = b * b - ty_dot(c, c) + obj->radius * obj->radius;
        t = q > 0.0 ? -b - sqrt(q) : t;
        t = t > 0.0 ? t : -b + sqrt(fmax(q, 0.0));
        n = ty_normalize(ty_add(c, ty_scale(t, d)));
    } else {
        ty_vec3 p = ty_pose_point(obj->pose, vec(obj->vertex + 3 * obj->index[3 * r->prim[k]]));
        double across = ty_dot(n, d);
        t = fabs(across) > 1e-6 ? ty_dot(n, ty_sub(p, o)) / across : t;
    }
    return (truth){ t, n, (float)s->material[i + 2].albedo[0], i + 1, obj->kind };
}

static void put(const tyi_frame *f, size_t at, const truth *t, ty_vec3 d)
{
    const ty_buffers *o = f->out;
    ty_vec3 z = ty_rotate(f->camera->pose.q, ty_vec3_make(0, 0, 1));
    if (o->depth) {
        o->depth[at] = isfinite(t->range) ? t->range * ty_dot(d, z) : (double)INFINITY;
    }
    if (o->range) {
        o->range[at] = t->range;
    }
    if (o->normal) {
        o->normal[3 * at] = (float)t->normal.x;
        o->normal[3 * at + 1] = (float)t->normal.y;
        o->normal[3 * at + 2] = (float)t->normal.z;
    }
    if (o->albedo) {
        o->albedo[at] = t->albedo;
    }
    if (o->instance) {
        o->instance[at] = t->instance;
    }
    if (o->kind) {
        o->kind[at] = (uint8_t)t->kind;
    }
}

void tyi_truth_render(const tyi_frame *f, size_t tile, int worker)
{
    const ty_scene *s = f->scene;
    tyi_rays *r = tyi_block_rays(f, worker);
    ty_vec3 origin[TYI_LANES], dir[TYI_LANES];
    int x0 = (int)(tile % (size_t)f->across) * TYI_PIXELS,
        y0 = (int)(tile / (size_t)f->across) * TYI_PIXELS;
    int w = f->camera->width, h = f->camera->height;
    for (int k = 0; k < TYI_LANES; k++) {
        int x = x0 + k % TYI_PIXELS, y = y0 + k / TYI_PIXELS;
        bool on = x < w && y < h && ty_camera_ray(f->camera, x + 0.5, y + 0.5, &origin[k], &dir[k]);
        if (!on) {
            origin[k] = f->camera->pose.p, dir[k] = ty_vec3_make(0, 0, 1);
        }
        ty_vec3 o = ty_sub(origin[k], s->centre);
        r->ox[k] = (float)o.x, r->oy[k] = (float)o.y, r->oz[k] = (float)o.z;
        r->dx[k] = (float)dir[k].x, r->dy[k] = (float)dir[k].y, r->dz[k] = (float)dir[k].z;
        r->near[k] = 0.0f;
        r->far[k] = on ? INFINITY : -1.0f;
    }
    tyi_accel_hit(s->accel, r, TYI_LANES);
    for (int k = 0; k < TYI_LANES; k++) {
        int x = x0 + k % TYI_PIXELS, y = y0 + k / TYI_PIXELS;
        if (x >= w || y >= h) {
            continue;
        }
        truth t = { INFINITY, { 0, 0, 0 }, 0.0f, 0, TY_CLASS_SKY };
        if (r->slot[k] < TYI_MOST_OBJECTS) {
            t = on_object(s, r, k, origin[k], dir[k]);
        } else if (r->slot[k] < tyi_slot_rocks(s)) {
            t = on_ground(s, r->slot[k], origin[k], dir[k], (double)r->far[k]);
        } else if (r->slot[k] != TYI_NOTHING) {
            t = on_rock(s, r, k, origin[k], dir[k]);
        }
        put(f, (size_t)y * (size_t)w + (size_t)x, &t, dir[k]);
    }
}
