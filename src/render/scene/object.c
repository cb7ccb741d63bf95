/* src/render/scene/object.c - meshes and spheres.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scene.h"
#include "inner.h"
#include "truth.h"

void tyi_render_object_free(tyi_render_object *o)
{
    tyi_render_shape_destroy(o->shape);
    *o = (tyi_render_object){ 0 };
}

static ty_vec3 vec(const float *v)
{
    return ty_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

/* normals of the triangles, or of the vertices: the sum of their triangles' normals weighted by area */
static void make_normals(const tyi_render_flat *f, const tyi_render_mesh *o)
{
    const float *vertex = tyi_render_flat_vertex(f, o);
    const uint32_t *index = tyi_render_flat_index(f, o);
    float *normal = tyi_render_flat_normal(f, o);
    bool smooth = o->flags & TY_K_SCENE_SMOOTH;
    for (size_t i = 0; i < o->triangles; i++) {
        const uint32_t *t = index + 3 * i;
        ty_vec3 a = vec(vertex + 3 * t[0]), b = vec(vertex + 3 * t[1]), c = vec(vertex + 3 * t[2]);
        ty_vec3 n = ty_cross(ty_sub(b, a), ty_sub(c, a));
        double size = ty_norm(n);
        ty_vec3 unit = size > 0.0 ? ty_scale(1.0 / size, n) : ty_vec3_make(0, 0, 1);
        for (int k = 0; k < (smooth ? 3 : 1); k++) {
            float *to = normal + 3 * (smooth ? (size_t)t[k] : i);
            ty_vec3 add = smooth ? n : unit;
            to[0] += (float)add.x, to[1] += (float)add.y, to[2] += (float)add.z;
        }
    }
    for (size_t i = 0; i < o->vertices && smooth; i++) {
        ty_vec3 n = vec(normal + 3 * i);
        double size = ty_norm(n);
        n = size > 0.0 ? ty_scale(1.0 / size, n) : ty_vec3_make(0, 0, 1);
        normal[3 * i] = (float)n.x, normal[3 * i + 1] = (float)n.y, normal[3 * i + 2] = (float)n.z;
    }
}

static ty_status check_mesh(const ty_object_def *d, ty_diag *diag)
{
    if (!d->triangle || d->vertices < 3 || d->triangles < 1 || d->vertices > 1u << 28 || d->triangles > 1u << 28) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: a mesh of %zu vertices and %zu triangles, but 3 and 1 are the least",
                       d->vertices, d->triangles);
    }
    for (size_t i = 0; i < 3 * d->vertices; i++) {
        if (!isfinite(d->vertex[i])) {
            return ty_fail(diag, TY_ERR_INPUT, "scene: vertex %zu of a mesh is not finite", i / 3);
        }
    }
    for (size_t i = 0; i < 3 * d->triangles; i++) {
        if (d->triangle[i] >= d->vertices) {
            return ty_fail(diag, TY_ERR_INPUT, "scene: triangle %zu of a mesh names vertex %u, but there are %zu",
                           i / 3, d->triangle[i], d->vertices);
        }
    }
    for (size_t i = 0; i < 2 * d->vertices && d->uv; i++) {
        if (!isfinite(d->uv[i])) {
            return ty_fail(diag, TY_ERR_INPUT, "scene: texture coordinates of vertex %zu of a mesh are not finite",
                           i / 2);
        }
    }
    for (size_t i = 0; i < d->triangles && d->which; i++) {
        if (d->which[i] > d->mores) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "scene: triangle %zu of a mesh names material %u, but there are %zu more", i, d->which[i],
                           d->mores);
        }
    }
    return TY_OK;
}

static ty_status check_material(const ty_scene *s, const ty_material *m, ty_diag *diag)
{
    if (!tyi_render_law_known(&s->def.kinds, m->law)) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there is no reflectance law %d", (int)m->law);
    }
    if (m->albedo_map > s->textures || m->normal_map > s->textures || m->rough_map > s->textures) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: a material names texture %u, but there are %zu",
                       m->albedo_map > s->textures   ? m->albedo_map
                       : m->normal_map > s->textures ? m->normal_map
                                                     : m->rough_map,
                       s->textures);
    }
    return TY_OK;
}

/* the object's material and further ones */
static ty_status take_materials(ty_scene *s, tyi_render_object *o, const ty_object_def *d, ty_diag *diag)
{
    ty_status status = check_material(s, &d->material, diag);
    for (size_t i = 0; i < d->mores && status == TY_OK; i++) {
        status = check_material(s, &d->more[i], diag);
    }
    if (status == TY_OK && d->mores > (size_t)(TYI_RENDER_MOST_MORE - s->mores)) {
        status =
            ty_fail(diag, TY_ERR_RANGE, "scene: more than %d materials of objects with several", TYI_RENDER_MOST_MORE);
    }
    if (status != TY_OK) {
        return status;
    }
    o->more = TYI_RENDER_MOST_OBJECTS + 2 + s->mores;
    for (size_t i = 0; i < d->mores; i++) {
        s->material[(size_t)o->more + i] = d->more[i];
        s->varied[(size_t)o->more + i] = tyi_render_material_varied(&d->more[i]);
    }
    s->mores += (int)d->mores;
    s->material[s->objects + 2] = d->material;
    s->varied[s->objects + 2] = tyi_render_material_varied(&d->material);
    return TY_OK;
}

static void given_normals(const tyi_render_flat *f, const tyi_render_mesh *o, const float *from)
{
    float *normal = tyi_render_flat_normal(f, o);
    for (size_t i = 0; i < o->vertices; i++) {
        ty_vec3 n = vec(from + 3 * i);
        double size = ty_norm(n);
        n = isfinite(size) && size > 0.0 ? ty_scale(1.0 / size, n) : ty_vec3_make(0, 0, 1);
        normal[3 * i] = (float)n.x, normal[3 * i + 1] = (float)n.y, normal[3 * i + 2] = (float)n.z;
    }
}

/* texture coordinates and materials of triangles, where there are some */
static bool copy_extras(tyi_render_flat *f, tyi_render_mesh *m, const ty_object_def *d)
{
    if (d->uv) {
        m->uv = tyi_render_flat_add(f, TY_K_SCENE_UV, d->uv, d->vertices);
    }
    if (d->which) {
        m->which = tyi_render_flat_add(f, TY_K_SCENE_WHICH, NULL, d->triangles);
        for (size_t i = 0; i < d->triangles && m->which != TY_K_NONE; i++) {
            tyi_render_flat_which(f, m)[i] = d->which[i];
        }
    }
    return (!d->uv || m->uv != TY_K_NONE) && (!d->which || m->which != TY_K_NONE);
}

static ty_status make_mesh(ty_scene *s, tyi_render_object *o, const ty_object_def *d, ty_diag *diag)
{
    ty_status status = check_mesh(d, diag);
    if (status != TY_OK) {
        return status;
    }
    o->smooth = d->smooth || d->normal;
    if (!tyi_render_flat_mesh(&s->flat, d->vertex, d->vertices, d->triangle, d->triangles,
                              o->smooth ? d->vertices : d->triangles, &o->mesh) ||
        !copy_extras(&s->flat, &o->mesh, d)) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a mesh of %zu triangles", d->triangles);
    }
    o->mesh.flags = o->smooth ? TY_K_SCENE_SMOOTH : 0;
    if (d->normal) {
        given_normals(&s->flat, &o->mesh, d->normal);
    } else {
        make_normals(&s->flat, &o->mesh);
    }
    o->shape = tyi_render_shape_mesh(s->accel, d->vertex, d->vertices, d->triangle, d->triangles);
    return o->shape ? TY_OK
                    : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a mesh of %zu triangles", d->triangles);
}

/* how long the arrays of meshes are, and back to that */
static void keep_lengths(const tyi_render_flat *f, size_t n[TY_K_SCENE_SECTIONS])
{
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        n[i] = f->section[i].count;
    }
}
static void cut_back(tyi_render_flat *f, const size_t n[TY_K_SCENE_SECTIONS])
{
    for (int i = TY_K_SCENE_VERTEX; i <= TY_K_SCENE_WHICH; i++) {
        tyi_render_flat_cut(f, i, n[i]);
    }
}

ty_status ty_scene_add(ty_scene *s, const ty_object_def *d, uint32_t *id, ty_diag *diag)
{
    *id = 0;
    if (s->objects == TYI_RENDER_MOST_OBJECTS) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there are %d objects already, which is the most",
                       TYI_RENDER_MOST_OBJECTS);
    }
    tyi_render_object *o = &s->object[s->objects];
    *o = (tyi_render_object){ .kind = d->kind, .pose = d->pose };
    ty_status status = TY_OK;
    size_t before[TY_K_SCENE_SECTIONS];
    keep_lengths(&s->flat, before);
    if (d->vertex) {
        status = make_mesh(s, o, d, diag);
    } else if (!(d->radius > 0.0 && d->radius < 1e12)) {
        status =
            ty_fail(diag, TY_ERR_RANGE, "scene: a sphere of radius %g m, but a positive one is accepted", d->radius);
    } else {
        o->radius = d->radius;
        o->mesh.uv = o->mesh.which = TY_K_NONE;
        o->mesh.radius = (float)d->radius, o->mesh.uv_density = (float)ty_k_sphere_density(d->radius);
        o->shape = tyi_render_shape_sphere(s->accel, (float)d->radius);
        status = o->shape ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a sphere");
    }
    if (status == TY_OK) {
        status = take_materials(s, o, d, diag);
    }
    if (status != TY_OK) {
        tyi_render_object_free(o);
        cut_back(&s->flat, before);
        return status;
    }
    s->changed |= TYI_RENDER_MATERIAL_CHANGED | TYI_RENDER_PLACES_CHANGED;
    s->moved = true;
    *id = (uint32_t)++s->objects;
    return TY_OK;
}

ty_status ty_scene_move(ty_scene *s, uint32_t id, ty_pose pose, ty_diag *diag)
{
    if (id < 1 || id > s->objects) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there is no object %u", id);
    }
    tyi_render_object *o = &s->object[id - 1];
    s->moving -= o->moving;
    o->pose = pose;
    o->moving = false;
    s->moved = true;
    return TY_OK;
}

ty_status ty_scene_move_between(ty_scene *s, uint32_t id, ty_pose start, ty_pose end, ty_diag *diag)
{
    ty_status status = ty_scene_move(s, id, start, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_render_object *o = &s->object[id - 1];
    double same = fabs(start.q.w * end.q.w + start.q.x * end.q.x + start.q.y * end.q.y + start.q.z * end.q.z);
    o->moving = ty_norm(ty_sub(end.p, start.p)) > 0.0 || same < 1.0 - 1e-15;
    if (start.q.w * end.q.w + start.q.x * end.q.x + start.q.y * end.q.y + start.q.z * end.q.z <
        0.0) { /* the same attitude, on the near side of the sphere */
        end.q = (ty_quat){ -end.q.w, -end.q.x, -end.q.y, -end.q.z };
    }
    o->pose_end = end;
    s->moving += o->moving;
    return TY_OK;
}

ty_pose tyi_render_object_pose(const tyi_render_object *o, double time)
{
    if (!o->moving || time <= 0.0) {
        return o->pose;
    }
    return (ty_pose){ ty_add(o->pose.p, ty_scale(time, ty_sub(o->pose_end.p, o->pose.p))),
                      ty_quat_slerp(o->pose.q, o->pose_end.q, time) };
}

void tyi_render_scene_set_dust(ty_scene *s, const tyi_render_coat *coat, size_t n)
{
    s->dusted = 0;
    for (size_t i = 0; i < s->objects; i++) {
        tyi_render_object *o = &s->object[i];
        tyi_render_coat now = i < n ? coat[i] : (tyi_render_coat){ 0 };
        if (memcmp(o->cover, now.cover, sizeof o->cover) != 0) {
            memcpy(o->cover, now.cover, sizeof o->cover);
            s->changed |= TYI_RENDER_MATERIAL_CHANGED;
        }
        o->dusted = false;
        for (int k = 0; k < 6; k++) {
            o->dusted = o->dusted || now.cover[k] > 0.0f;
        }
        s->dusted += o->dusted;
    }
}

double tyi_render_coat_at(const ty_scene *s, uint32_t slot, ty_vec3 n, ty_vec3 d, double time)
{
    if (!s->dusted || slot >= TYI_RENDER_MOST_OBJECTS || !s->object[slot].dusted) {
        return 0.0;
    }
    const tyi_render_object *o = &s->object[slot];
    ty_vec3 own =
        ty_rotate(ty_quat_conj(tyi_render_object_pose(o, time).q), ty_dot(n, d) > 0.0 ? ty_scale(-1.0, n) : n);
    return ty_k_paint_coat(o->cover, ty_k_vec(own.x, own.y, own.z));
}

_Static_assert(TYI_RENDER_POSES == TYI_RENDER_MOST_OBJECTS && TYI_RENDER_COATS == TYI_RENDER_MOST_OBJECTS,
               "all of them fit");

size_t tyi_render_poses(const ty_scene *s, ty_pose pose[TYI_RENDER_POSES])
{
    for (size_t i = 0; i < s->objects; i++) {
        pose[i] = s->object[i].pose;
    }
    return s->objects;
}
