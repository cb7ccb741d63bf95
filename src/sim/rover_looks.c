/* src/sim/rover_looks.c - see looks.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rover_looks.h"
#include "tycho/stage.h"
#include <string.h>
#include "core/core.h"

#define AROUND 48 /* corners of a circle */
#define RINGS  8  /* of half a sphere */
#define LUGS   64 /* most that are drawn */
#define SPOKES 10 /* of a wheel */

/* room for the largest of the shapes made here, a capsule, and for lugs */
typedef struct mesh {
    float vertex[3 * (4 * AROUND * RINGS + 8 * (LUGS + SPOKES))];
    uint32_t triangle[3 * (8 * AROUND * RINGS + 12 * (LUGS + SPOKES))];
    size_t vertices, triangles;
} mesh;

static uint32_t corner(mesh *m, double x, double y, double z)
{
    TY_ASSERT(3 * (m->vertices + 1) <= sizeof m->vertex / sizeof *m->vertex);
    float *v = m->vertex + 3 * m->vertices;
    v[0] = (float)x, v[1] = (float)y, v[2] = (float)z;
    return (uint32_t)m->vertices++;
}

static void face(mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    TY_ASSERT(3 * (m->triangles + 1) <= sizeof m->triangle / sizeof *m->triangle);
    uint32_t *t = m->triangle + 3 * m->triangles++;
    t[0] = a, t[1] = b, t[2] = c;
}

/* a box of half sides around a place, turned about y by an angle */
static void add_box(mesh *m, ty_vec3 half, ty_vec3 at, double turn)
{
    static const uint8_t faces[12][3] = {
        { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
        { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 }
    };
    uint32_t first = 0;
    double c = cos(turn), s = sin(turn);
    for (int k = 0; k < 8; k++) {
        double x = k & 1 ? half.x : -half.x, y = k & 2 ? half.y : -half.y, z = k & 4 ? half.z : -half.z;
        uint32_t id = corner(m, at.x + c * x + s * z, at.y + y, at.z - s * x + c * z);
        first = k ? first : id;
    }
    for (int k = 0; k < 12; k++) {
        face(m, first + faces[k][0], first + faces[k][1], first + faces[k][2]);
    }
}

/* a body of revolution about z from a profile of radius and height, from the bottom up, closed where the radius is 0 */
static void add_turned(mesh *m, const double (*profile)[2], int n, double flatten_y)
{
    uint32_t first = (uint32_t)m->vertices;
    for (int k = 0; k < n; k++) {
        for (int a = 0; a < AROUND; a++) {
            double w = 2.0 * TY_PI * a / AROUND;
            corner(m, profile[k][0] * cos(w), flatten_y * profile[k][0] * sin(w), profile[k][1]);
        }
    }
    for (int k = 0; k + 1 < n; k++) {
        for (int a = 0; a < AROUND; a++) {
            uint32_t i = first + (uint32_t)(k * AROUND + a), j = first + (uint32_t)(k * AROUND + (a + 1) % AROUND);
            face(m, i, j, i + AROUND);
            face(m, j, j + AROUND, i + AROUND);
        }
    }
}

static void make_mesh(mesh *m, const ty_body_shape *s)
{
    double profile[2 * RINGS + 4][2];
    int n = 0;
    double straight = s->kind == TY_SHAPE_CAPSULE ? s->size.y : 0.0;
    double up = s->kind == TY_SHAPE_ELLIPSOID ? s->size.z : s->size.x;
    m->vertices = m->triangles = 0;
    switch (s->kind) {
    case TY_SHAPE_BOX:
        add_box(m, s->size, ty_vec3_make(0, 0, 0), 0.0);
        break;
    case TY_SHAPE_CYLINDER:
        for (int k = 0; k < 4; k++) {
            profile[k][0] = k == 0 || k == 3 ? 0.0 : s->size.x;
            profile[k][1] = k < 2 ? -s->size.y : s->size.y;
        }
        add_turned(m, (const double(*)[2])profile, 4, 1.0);
        break;
    case TY_SHAPE_SPHERE:
    case TY_SHAPE_CAPSULE:
    case TY_SHAPE_ELLIPSOID:
        for (int k = 0; k <= 2 * RINGS; k++) {
            double a = TY_PI * (k - RINGS) / (2.0 * RINGS);
            if (k == RINGS && straight > 0.0) { /* the equator twice, at both ends of the straight part */
                profile[n][0] = s->size.x, profile[n++][1] = -straight;
            }
            profile[n][0] = s->size.x * cos(a);
            profile[n++][1] = up * sin(a) + (k < RINGS ? -straight : straight);
        }
        add_turned(m, (const double(*)[2])profile, n, s->kind == TY_SHAPE_ELLIPSOID ? s->size.y / s->size.x : 1.0);
        break;
    case TY_SHAPE_MESH:
    case TY_SHAPE_FILE:
        break;
    }
}

/* `count` boxes around z, their middles at a radius: half sides outwards, along z, around */
static void add_around(mesh *m, int count, double radius, ty_vec3 half)
{
    for (int k = 0; k < count; k++) {
        double a = 2.0 * TY_PI * k / count;
        mesh box = { .vertices = 0 };
        add_box(&box, half, ty_vec3_make(0, 0, 0), 0.0);
        uint32_t first = (uint32_t)m->vertices;
        for (size_t v = 0; v < box.vertices; v++) {
            double x = (double)box.vertex[3 * v] + radius, y = (double)box.vertex[3 * v + 2];
            corner(m, x * cos(a) - y * sin(a), x * sin(a) + y * cos(a), (double)box.vertex[3 * v + 1]);
        }
        for (size_t t = 0; t < box.triangles; t++) { /* swapping y and z mirrors the box: turn its faces round */
            face(m, first + box.triangle[3 * t], first + box.triangle[3 * t + 2], first + box.triangle[3 * t + 1]);
        }
    }
}

/* A wheel as it looks: an open rim with lugs, spokes and a hub around z. What the soil meets is the cylinder. */
static void make_wheel(mesh *m, const ty_wheel_info *wheel)
{
    double r = wheel->shape.r, half = 0.5 * wheel->shape.b, h = wheel->shape.grouser_h;
    double in = 0.90 * r, hub = 0.26 * r, web = 0.5 * (in + hub);
    const double rim[5][2] = { { in, -half }, { r, -half }, { r, half }, { in, half }, { in, -half } };
    const double axle[4][2] = { { 0.0, -0.6 * half }, { hub, -0.6 * half }, { hub, 0.6 * half }, { 0.0, 0.6 * half } };
    m->vertices = m->triangles = 0;
    add_turned(m, rim, 5, 1.0);
    add_turned(m, axle, 4, 1.0);
    add_around(m, SPOKES, web, ty_vec3_make(0.5 * (in - hub) + 0.02 * r, 0.16 * half, 0.045 * r));
    int lugs = wheel->shape.grousers < LUGS ? wheel->shape.grousers : LUGS;
    add_around(m, lugs, r + 0.5 * h - 0.01, ty_vec3_make(0.5 * h + 0.01, half, 0.004));
}

/* the wheel that a cylinder stands for, if it has a wheel's size */
static const ty_wheel_info *wheel_of(const ty_body_shape *shape, const ty_wheel_info *info, int wheels)
{
    if (shape->kind != TY_SHAPE_CYLINDER) {
        return NULL;
    }
    for (int w = 0; w < wheels; w++) {
        if (fabs(info[w].shape.r - shape->size.x) < 1e-6 && fabs(0.5 * info[w].shape.b - shape->size.y) < 1e-6) {
            return &info[w];
        }
    }
    return NULL;
}

static ty_material paint(const ty_body_shape *shape)
{
    double gray = (double)(shape->rgba[0] + shape->rgba[1] + shape->rgba[2]) / 3.0;
    ty_material m = ty_material_lambert(gray);
    m.law = TY_LAW_PRINCIPLED; /* painted metal and blankets: a broad highlight */
    m.specular = 0.5;
    m.roughness = 0.45;
    return m;
}

/* metres per unit that differ along the axes, or mirror: normals by the inverse, faces turned round where it mirrors */
static void stretch(ty_model *model, ty_vec3 scale)
{
    const double s[3] = { scale.x, scale.y, scale.z };
    for (size_t i = 0; i < 3 * model->vertices; i++) {
        model->vertex[i] = (float)(s[i % 3] * (double)model->vertex[i]);
    }
    for (size_t i = 0; model->normal && i < model->vertices; i++) {
        float *n = model->normal + 3 * i;
        ty_vec3 to = ty_vec3_make((double)n[0] / s[0], (double)n[1] / s[1], (double)n[2] / s[2]);
        double size = ty_norm(to);
        to = size > 0.0 ? ty_scale(1.0 / size, to) : to;
        n[0] = (float)to.x, n[1] = (float)to.y, n[2] = (float)to.z;
    }
    for (size_t i = 0; s[0] * s[1] * s[2] < 0.0 && i < model->triangles; i++) {
        uint32_t *t = model->triangle + 3 * i, swap = t[1];
        t[1] = t[2], t[2] = swap;
    }
}

/* A model that the rover's file or its URDF names; of the shape's colour where it has no materials. One of a URDF that cannot
 * be read is passed over: *id is TYI_SIM_NO_LOOK. */
static ty_status add_file(ty_scene *scene, const ty_body_shape *shape, const ty_object_def *like, uint32_t *id,
                          ty_diag *diag)
{
    ty_model model;
    ty_vec3 scale = shape->size;
    bool even = scale.x == scale.y && scale.x == scale.z && scale.x > 0.0;
    bool flat = scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0;
    ty_status status = ty_model_read(shape->file, even ? scale.x : 1.0, &model, diag);
    if (shape->optional && (flat || status == TY_ERR_FILE || status == TY_ERR_FORMAT)) {
        if (status == TY_OK) {
            ty_model_free(&model);
        }
        *id = TYI_SIM_NO_LOOK;
        return TY_OK;
    }
    if (status == TY_OK) {
        if (!even) {
            stretch(&model, scale);
        }
        status = ty_scene_add_model(scene, &model, like, false, id, diag);
        ty_model_free(&model);
    }
    return status;
}

static ty_status add(const ty_body_shape *shape, const ty_wheel_info *wheel, ty_render_class kind, ty_scene *scene,
                     uint32_t *id, ty_diag *diag)
{
    bool given = shape->kind == TY_SHAPE_MESH;
    mesh *m = tyi_get(NULL, sizeof *m);
    if (!m) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a shape");
    }
    if (wheel) {
        make_wheel(m, wheel);
    } else {
        make_mesh(m, shape);
    }
    ty_object_def def = { .vertex = given ? shape->vertex : m->vertex,
                          .triangle = given ? (const uint32_t *)shape->face : m->triangle,
                          .vertices = given ? (size_t)shape->vertices : m->vertices,
                          .triangles = given ? (size_t)shape->faces : m->triangles,
                          .smooth = false,
                          .material = paint(shape),
                          .kind = kind,
                          .pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
    ty_status status =
        shape->kind == TY_SHAPE_FILE ? add_file(scene, shape, &def, id, diag) : ty_scene_add(scene, &def, id, diag);
    tyi_put(NULL, m, sizeof *m);
    return status;
}

ty_status tyi_sim_looks_shape(const ty_body_shape *shape, ty_render_class kind, ty_scene *scene, uint32_t *id,
                              ty_diag *diag)
{
    return add(shape, NULL, kind, scene, id, diag);
}

ty_status tyi_sim_looks_add(tyi_sim_looks *looks, const ty_vehicle *vehicle, ty_scene *scene, ty_diag *diag)
{
    const ty_body_shape *shape;
    ty_wheel_info info[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(vehicle, info);
    looks->shapes = ty_vehicle_shapes(vehicle, &shape);
    looks->id = looks->id ? looks->id : tyi_get(NULL, (size_t)(looks->shapes + 1) * sizeof *looks->id);
    ty_status status = looks->id ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the shapes of a rover");
    for (int i = 0; i < looks->shapes && status == TY_OK; i++) {
        status = add(&shape[i], wheel_of(&shape[i], info, wheels), TY_CLASS_ROVER, scene, &looks->id[i], diag);
    }
    return status;
}

ty_status tyi_sim_looks_place(ty_scene *scene, uint32_t id, ty_pose start, ty_pose end, ty_diag *diag)
{
    bool moves = memcmp(&start, &end, sizeof start) != 0;
    return moves ? ty_scene_move_between(scene, id, start, end, diag) : ty_scene_move(scene, id, start, diag);
}

ty_status tyi_sim_looks_move(const tyi_sim_looks *looks, const ty_vehicle *vehicle, const ty_pose *start,
                             const ty_pose *end, ty_scene *scene, ty_diag *diag)
{
    const ty_body_shape *shape;
    ty_vehicle_shapes(vehicle, &shape);
    ty_status status = TY_OK;
    for (int i = 0; i < looks->shapes && status == TY_OK; i++) {
        if (looks->id[i] == TYI_SIM_NO_LOOK) {
            continue;
        }
        status = tyi_sim_looks_place(scene, looks->id[i], ty_pose_mul(start[shape[i].body], shape[i].pose),
                                     ty_pose_mul(end[shape[i].body], shape[i].pose), diag);
    }
    return status;
}

ty_status tyi_sim_looks_hide(const tyi_sim_looks *looks, ty_scene *scene, bool hidden, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < looks->shapes && looks->id && status == TY_OK; i++) {
        status = looks->id[i] != TYI_SIM_NO_LOOK ? ty_scene_hide(scene, looks->id[i], hidden, diag) : TY_OK;
    }
    return status;
}

void tyi_sim_looks_free(tyi_sim_looks *looks)
{
    tyi_put(NULL, looks->id, (size_t)(looks->shapes + 1) * sizeof *looks->id);
    looks->id = NULL;
}
