/* src/render/scene/object.c - meshes and spheres.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scene.h"

void tyi_render_object_free(tyi_render_object *o, const ty_alloc *alloc)
{
    size_t n = o->smooth ? o->vertices : o->triangles;
    tyi_put(alloc, o->vertex, 3 * o->vertices * sizeof(float));
    tyi_put(alloc, o->index, 3 * o->triangles * sizeof(uint32_t));
    tyi_put(alloc, o->normal, 3 * n * sizeof(float));
    tyi_put(alloc, o->uv, 2 * o->vertices * sizeof(float));
    tyi_put(alloc, o->which, o->triangles * sizeof(uint16_t));
    tyi_render_shape_destroy(o->shape);
    *o = (tyi_render_object){ 0 };
}

static ty_vec3 vec(const float *v)
{
    return ty_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

/* normals of the triangles, or of the vertices: the sum of their triangles' normals weighted by area */
static void make_normals(tyi_render_object *o)
{
    for (size_t i = 0; i < o->triangles; i++) {
        const uint32_t *t = o->index + 3 * i;
        ty_vec3 a = vec(o->vertex + 3 * t[0]), b = vec(o->vertex + 3 * t[1]), c = vec(o->vertex + 3 * t[2]);
        ty_vec3 n = ty_cross(ty_sub(b, a), ty_sub(c, a));
        double size = ty_norm(n);
        ty_vec3 unit = size > 0.0 ? ty_scale(1.0 / size, n) : ty_vec3_make(0, 0, 1);
        for (int k = 0; k < (o->smooth ? 3 : 1); k++) {
            float *to = o->normal + 3 * (o->smooth ? (size_t)t[k] : i);
            ty_vec3 add = o->smooth ? n : unit;
            to[0] += (float)add.x, to[1] += (float)add.y, to[2] += (float)add.z;
        }
    }
    for (size_t i = 0; i < o->vertices && o->smooth; i++) {
        ty_vec3 n = vec(o->normal + 3 * i);
        double size = ty_norm(n);
        n = size > 0.0 ? ty_scale(1.0 / size, n) : ty_vec3_make(0, 0, 1);
        o->normal[3 * i] = (float)n.x, o->normal[3 * i + 1] = (float)n.y, o->normal[3 * i + 2] = (float)n.z;
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
    if (!tyi_render_law_known(m->law)) {
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

static void given_normals(tyi_render_object *o, const float *normal)
{
    for (size_t i = 0; i < o->vertices; i++) {
        ty_vec3 n = vec(normal + 3 * i);
        double size = ty_norm(n);
        n = isfinite(size) && size > 0.0 ? ty_scale(1.0 / size, n) : ty_vec3_make(0, 0, 1);
        o->normal[3 * i] = (float)n.x, o->normal[3 * i + 1] = (float)n.y, o->normal[3 * i + 2] = (float)n.z;
    }
}

/* texture coordinates and materials of triangles, where there are some */
static bool copy_extras(ty_scene *s, tyi_render_object *o, const ty_object_def *d)
{
    o->uv = d->uv ? tyi_get(s->def.alloc, 2 * o->vertices * sizeof(float)) : NULL;
    o->which = d->which ? tyi_get(s->def.alloc, o->triangles * sizeof(uint16_t)) : NULL;
    if ((d->uv && !o->uv) || (d->which && !o->which)) {
        return false;
    }
    if (d->uv) {
        memcpy(o->uv, d->uv, 2 * o->vertices * sizeof(float));
    }
    if (d->which) {
        memcpy(o->which, d->which, o->triangles * sizeof(uint16_t));
    }
    return true;
}

static ty_status make_mesh(ty_scene *s, tyi_render_object *o, const ty_object_def *d, ty_diag *diag)
{
    ty_status status = check_mesh(d, diag);
    if (status != TY_OK) {
        return status;
    }
    const ty_alloc *alloc = s->def.alloc;
    o->vertices = d->vertices, o->triangles = d->triangles, o->smooth = d->smooth || d->normal;
    o->vertex = tyi_get(alloc, 3 * o->vertices * sizeof(float));
    o->index = tyi_get(alloc, 3 * o->triangles * sizeof(uint32_t));
    o->normal = tyi_get(alloc, 3 * (o->smooth ? o->vertices : o->triangles) * sizeof(float));
    if (!o->vertex || !o->index || !o->normal || !copy_extras(s, o, d)) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a mesh of %zu triangles", d->triangles);
    }
    memcpy(o->vertex, d->vertex, 3 * o->vertices * sizeof(float));
    memcpy(o->index, d->triangle, 3 * o->triangles * sizeof(uint32_t));
    if (d->normal) {
        given_normals(o, d->normal);
    } else {
        make_normals(o);
    }
    o->shape = tyi_render_shape_mesh(s->accel, o->vertex, o->vertices, o->index, o->triangles);
    return o->shape ? TY_OK
                    : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a mesh of %zu triangles", d->triangles);
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
    if (d->vertex) {
        status = make_mesh(s, o, d, diag);
    } else if (!(d->radius > 0.0 && d->radius < 1e12)) {
        status =
            ty_fail(diag, TY_ERR_RANGE, "scene: a sphere of radius %g m, but a positive one is accepted", d->radius);
    } else {
        o->radius = d->radius;
        o->shape = tyi_render_shape_sphere(s->accel, (float)d->radius);
        status = o->shape ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a sphere");
    }
    if (status == TY_OK) {
        status = take_materials(s, o, d, diag);
    }
    if (status != TY_OK) {
        tyi_render_object_free(o, s->def.alloc);
        return status;
    }
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
