/* src/render/host/truth.c - ground truth of the ray through each pixel's middle.
 *
 * The float hit is refined in double: on the ground along the ray onto the spline, on a rock or
 * mesh onto the plane of the facet, on a sphere by the quadratic.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "frame.h"
#include "k_brdf.h"
#include "k_clod.h"
#include "k_spline.h"
#include "k_trace.h"
#include "tycho/trace.h"
#include "inner.h"

#define T TYI_RENDER_TILE_CELLS

#define INSTANCE_GROUND 0x40000000u
#define INSTANCE_CLODS  0x40000001u

static ty_trace_hit found(double range, ty_vec3 normal, const ty_material *m, uint32_t instance, ty_render_class kind)
{
    return (ty_trace_hit){
        .range = range, .normal = normal, .albedo = (float)m->albedo[0], .instance = instance, .kind = (uint8_t)kind
    };
}

/* the cell of a tile that a place [cells] is in, or the nearest one */
static int cell_of(double x)
{
    return x >= T - 1 ? T - 1 : x > 0.0 ? (int)x : 0;
}

/* [m] along the ray to the mesh's triangle under the point at t, which the tracer met in single precision */
static double on_triangle(const tyi_render_plot *tile, double per, ty_vec3 from, ty_vec3 d, double t)
{
    double x = (from.x + t * d.x) * per, y = (from.y + t * d.y) * per;
    ty_k_tile_cell k = ty_k_tile_cell_at(tile->h + TYI_RENDER_TILE_STRIDE + 1, cell_of(x), cell_of(y));
    double u = (x - k.x) * k.per_x, v = (y - k.y) * k.per_y;
    bool low = u + v <= 1.0;
    double zu = low ? k.b - k.a : k.e - k.c, zv = low ? k.c - k.a : k.e - k.b;
    double rate = d.z - (zu * d.x * k.per_x + zv * d.y * k.per_y) * per;
    double change = -ty_k_tile_gap(k, from.z + t * d.z, u, v) / rate;
    return fabs(change) < 1e-3 * (1.0 + t) ? t + change : t;
}

/* Newton along the ray, on the cell's polynomial; the cell is the one under the point, limited to the tile's. Where the
 * spline is not met near the triangle, as on a crest that a ray grazes, the triangle holds. */
static ty_trace_hit on_ground(const ty_scene *s, uint32_t slot, ty_vec3 o, ty_vec3 d, double t)
{
    tyi_render_plot *tile;
    const tyi_render_ring *r = tyi_render_slot_tile(&s->ground, slot, &tile);
    if (tile->curved) {
        ty_vec3 normal;
        t = tyi_render_plot_refine(&s->ground, r, tile, o, d, t, &normal);
        return found(t, normal, &s->tinted[0], INSTANCE_GROUND, TY_CLASS_GROUND);
    }
    ty_vec3 from = ty_sub(o, tyi_render_plot_origin(r, tile));
    double per = 1.0 / r->d, zx = 0.0, zy = 0.0, change = 0.0;
    t = on_triangle(tile, per, from, d, t); /* so that what follows does not hang on the tracer's rounding */
    double first[3] = { t, 0.0, 0.0 };
    for (int step = 0; step < 8; step++) {
        double x = (from.x + t * d.x) * per, y = (from.y + t * d.y) * per;
        int i = cell_of(x), j = cell_of(y);
        ty_k_ground g = ty_k_cell(tile->h + j * TYI_RENDER_TILE_STRIDE + i, TYI_RENDER_TILE_STRIDE, x - i, y - j);
        zx = g.zx * per, zy = g.zy * per;
        first[1] = step == 0 ? zx : first[1], first[2] = step == 0 ? zy : first[2];
        double above = from.z + t * d.z - g.z, rate = d.z - zx * d.x - zy * d.y;
        change = fabs(rate) > 1e-9 ? -above / rate : 0.0;
        /* near the horizon a step may leap: stay within a cell */
        change = change > r->d ? r->d : change < -r->d ? -r->d : change;
        t += change;
        if (fabs(change) < 1e-7 * (1.0 + t)) { /* the next would be of the order of its square */
            break;
        }
    }
    if (!(fabs(change) < 3e-6 * (1.0 + t)) || fabs(t - first[0]) > TY_K_SPLINE_NEAR * r->d) {
        t = first[0], zx = first[1], zy = first[2];
    }
    ty_vec3 n = ty_normalize(ty_vec3_make(-zx, -zy, 1.0));
    return found(t, n, &s->tinted[0], INSTANCE_GROUND, TY_CLASS_GROUND);
}

static ty_vec3 vec(const float *v)
{
    return ty_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

static ty_trace_hit on_rock(const ty_scene *s, const tyi_render_rays *r, int k, ty_vec3 o, ty_vec3 d)
{
    size_t i = r->slot[k] - tyi_render_slot_rocks(s);
    const ty_rock *rock = &s->rocks.rock[i];
    const ty_rock_shape *shape = ty_terrain_rock_shape(s->def.terrain, rock->shape);
    const ty_pose *pose = &s->rocks.pose[i];
    ty_vec3 n =
        ty_rotate(pose->q, vec(tyi_render_flat_normal(&s->flat, &s->rocks.mesh[rock->shape]) + 3 * (size_t)r->prim[k]));
    ty_vec3 corner = vec(shape->vertex + 3 * shape->triangle[3 * r->prim[k]]);
    double across = ty_dot(n, d), t = (double)r->far[k];
    if (fabs(across) > 1e-6) {
        t = ty_dot(n, ty_sub(ty_pose_point(*pose, ty_scale(rock->scale, corner)), o)) / across;
    }
    return found(t, n, &s->tinted[1], tyi_render_truth_rock_label(rock->id), TY_CLASS_ROCK);
}

/* [-] an albedo of what ray k met, under the dust that lies there */
static float under_dust(const ty_scene *s, const tyi_render_rays *r, int k, ty_vec3 n, ty_vec3 d, float albedo)
{
    double cover = tyi_render_coat_at(s, r->slot[k], n, d, (double)r->time[k]);
    return cover > 0.0 ? (float)ty_k_paint_dusted((double)albedo, s->tinted[0].albedo[0], cover) : albedo;
}

static ty_trace_hit on_object(const ty_scene *s, const tyi_render_rays *r, int k, ty_vec3 o, ty_vec3 d)
{
    uint32_t i = r->slot[k];
    const tyi_render_object *obj = &s->object[i];
    ty_pose pose = tyi_render_object_pose(obj, (double)r->time[k]);
    double t = (double)r->far[k];
    ty_vec3 n;
    if (!obj->mesh.triangles) { /* a sphere */
        ty_vec3 c = ty_sub(o, pose.p);
        double b = ty_dot(c, d), q = b * b - ty_dot(c, c) + obj->radius * obj->radius;
        t = q > 0.0 ? -b - sqrt(q) : t;
        t = t > 0.0 ? t : -b + sqrt(fmax(q, 0.0));
        n = ty_normalize(ty_add(c, ty_scale(t, d)));
    } else {
        /* the facet's normal in double: rounded to float it would tilt a large triangle */
        const uint32_t *at = tyi_render_flat_index(&s->flat, &obj->mesh) + 3 * (size_t)r->prim[k];
        const float *vertex = tyi_render_flat_vertex(&s->flat, &obj->mesh);
        ty_vec3 a = vec(vertex + 3 * (size_t)at[0]), b = vec(vertex + 3 * (size_t)at[1]),
                c = vec(vertex + 3 * (size_t)at[2]), p = ty_pose_point(pose, a);
        n = ty_normalize(ty_rotate(pose.q, ty_cross(ty_sub(b, a), ty_sub(c, a))));
        double across = ty_dot(n, d);
        t = fabs(across) > 1e-6 ? ty_dot(n, ty_sub(p, o)) / across : t;
    }
    ty_trace_hit hit = found(t, n, &s->material[i + 2], i + 1, obj->kind);
    hit.albedo = under_dust(s, r, k, n, d, hit.albedo);
    return hit;
}

static ty_trace_hit on_clod(const ty_scene *s, const tyi_render_rays *r, int k, ty_vec3 o, ty_vec3 d)
{
    const ty_k_scene_clod *c = (const ty_k_scene_clod *)s->flat.section[TY_K_SCENE_CLOD].data + r->prim[k];
    ty_vec3 from = ty_sub(o, s->centre);
    ty_k_clod clod = { ty_k_vec((double)c->p[0], (double)c->p[1], (double)c->p[2]), (double)c->r, c->seed };
    ty_k_clod_hit hit = ty_k_clod_ray(clod, ty_k_vec(from.x, from.y, from.z), ty_k_vec(d.x, d.y, d.z));
    ty_vec3 n = ty_vec3_make(hit.n.x, hit.n.y, hit.n.z);
    if (!(fabs(hit.t - (double)r->far[k]) < (double)c->r)) { /* it grazes: in single precision it met, in double not */
        hit.t = (double)r->far[k];
        n = ty_normalize(ty_vec3_make((double)r->nx[k], (double)r->ny[k], (double)r->nz[k]));
    }
    return found(hit.t, n, &s->tinted[0], INSTANCE_CLODS, TY_CLASS_GRAIN);
}

ty_trace_hit tyi_render_truth_of(const ty_scene *s, const tyi_render_rays *r, int k, ty_vec3 o, ty_vec3 d)
{
    if (r->slot[k] == TYI_RENDER_NOTHING) {
        return (ty_trace_hit){ .range = (double)INFINITY, .kind = TY_CLASS_SKY };
    }
    if (r->slot[k] < TYI_RENDER_MOST_OBJECTS) {
        return on_object(s, r, k, o, d);
    }
    if (r->slot[k] == TYI_RENDER_SLOT_CLODS) {
        return on_clod(s, r, k, o, d);
    }
    return r->slot[k] < tyi_render_slot_rocks(s) ? on_ground(s, r->slot[k], o, d, (double)r->far[k])
                                                 : on_rock(s, r, k, o, d);
}

#define SMOOTH 0.1 /* roughness up to which a surface mirrors: facets within half a degree; chosen */

double tyi_render_mirror(const ty_scene *s, const ty_trace_hit *hit, ty_vec3 dir)
{
    if (!isfinite(hit->range) || hit->instance < 1 || hit->instance > s->objects) {
        return 0.0;
    }
    const ty_material *m = &s->material[hit->instance + 1];
    ty_k_brdf b = { .albedo = m->albedo[0], .specular = m->specular, .metallic = m->metallic };
    double c = fmin(fabs(ty_dot(hit->normal, dir)), 1.0),
           bare = 1.0 - tyi_render_coat_at(s, hit->instance - 1, hit->normal, dir, 0.0);
    return m->law == TY_LAW_PRINCIPLED && m->roughness <= SMOOTH ? bare * ty_k_schlick(ty_k_principled_f0(b), c) : 0.0;
}

static void put(const tyi_render_frame *f, size_t at, const ty_trace_hit *t, ty_vec3 d)
{
    const ty_render_buffers *o = f->out;
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
        o->kind[at] = t->kind;
    }
}

void tyi_render_truth_render(const tyi_render_frame *f, size_t tile, int worker)
{
    const ty_scene *s = f->scene;
    tyi_render_rays *r = tyi_render_block_rays(f, worker);
    ty_vec3 origin[TYI_RENDER_LANES], dir[TYI_RENDER_LANES];
    int x0 = (int)(tile % (size_t)f->across) * TYI_RENDER_PIXELS,
        y0 = (int)(tile / (size_t)f->across) * TYI_RENDER_PIXELS;
    int w = f->camera->width, h = f->camera->height;
    for (int k = 0; k < TYI_RENDER_LANES; k++) {
        int x = x0 + k % TYI_RENDER_PIXELS, y = y0 + k / TYI_RENDER_PIXELS;
        bool on = x < w && y < h && ty_camera_ray(f->camera, x + 0.5, y + 0.5, &origin[k], &dir[k]);
        if (!on) {
            origin[k] = f->camera->pose.p, dir[k] = ty_vec3_make(0, 0, 1);
        }
        ty_vec3 o = ty_sub(origin[k], s->centre);
        r->ox[k] = (float)o.x, r->oy[k] = (float)o.y, r->oz[k] = (float)o.z;
        r->dx[k] = (float)dir[k].x, r->dy[k] = (float)dir[k].y, r->dz[k] = (float)dir[k].z;
        r->near[k] = 0.0f;
        r->time[k] = 0.0f;
        r->far[k] = on ? INFINITY : -1.0f;
    }
    tyi_render_accel_hit(s->accel, r, TYI_RENDER_LANES);
    for (int k = 0; k < TYI_RENDER_LANES; k++) {
        int x = x0 + k % TYI_RENDER_PIXELS, y = y0 + k / TYI_RENDER_PIXELS;
        if (x >= w || y >= h) {
            continue;
        }
        ty_trace_hit t = tyi_render_truth_of(s, r, k, origin[k], dir[k]);
        if (f->out->albedo) {
            t.albedo = tyi_render_albedo_at(f, r, k);
        }
        put(f, (size_t)y * (size_t)w + (size_t)x, &t, dir[k]);
    }
}
