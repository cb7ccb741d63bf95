/* src/vehicle/tool_looks.c - what tools look like: the sheets that soil meets, as one mesh each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "vehicle.h"

enum { AROUND = 48 }; /* corners of a disc */
enum {
    MOST_VERTICES = TYI_SOIL_TOOL_PARTS * 8 + 2 * 2 * AROUND,
    MOST_FACES = TYI_SOIL_TOOL_PARTS * 12 + 2 * 4 * AROUND
};

typedef struct mesh {
    float *vertex;
    int *face;
    int vertices, faces;
} mesh;

static int corner(mesh *m, ty_pose pose, double x, double y, double z)
{
    ty_vec3 p = ty_pose_point(pose, ty_vec3_make(x, y, z));
    float *v = m->vertex + 3 * m->vertices;
    v[0] = (float)p.x, v[1] = (float)p.y, v[2] = (float)p.z;
    return m->vertices++;
}

static void face(mesh *m, int a, int b, int c)
{
    int *t = m->face + 3 * m->faces++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_box(mesh *m, const tyi_soil_tool_part *p)
{
    static const uint8_t faces[12][3] = {
        { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
        { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 }
    };
    int first = m->vertices;
    for (int k = 0; k < 8; k++) {
        corner(m, p->pose, k & 1 ? p->half.x : -p->half.x, k & 2 ? p->half.y : -p->half.y,
               k & 4 ? p->half.z : -p->half.z);
    }
    for (int k = 0; k < 12; k++) {
        face(m, first + faces[k][0], first + faces[k][1], first + faces[k][2]);
    }
}

static void add_disc(mesh *m, const tyi_soil_tool_part *p)
{
    int low = m->vertices, high = low + AROUND;
    for (int k = 0; k < 2 * AROUND; k++) {
        double a = 2.0 * TY_PI * (k % AROUND) / AROUND;
        corner(m, p->pose, p->half.x * cos(a), p->half.x * sin(a), k < AROUND ? -p->half.z : p->half.z);
    }
    for (int k = 0; k < AROUND; k++) {
        int next = (k + 1) % AROUND;
        face(m, low + k, low + next, high + k);
        face(m, low + next, high + next, high + k);
        if (k > 0 && k + 1 < AROUND) { /* caps */
            face(m, low, low + k + 1, low + k);
            face(m, high, high + k, high + k + 1);
        }
    }
}

/* a drum's own shapes in the model are what it is weighed and drawn by where nobody digs: cylinders of its size */
static bool stands_for(const ty_body_shape *s, const tyi_vehicle_tool *t)
{
    return t->shape.kind == TY_TOOL_DRUM && s->body == t->body && s->kind == TY_SHAPE_CYLINDER &&
           fabs(s->size.x - t->shape.radius) < 0.1 * t->shape.radius;
}

static size_t room(void)
{
    return (size_t)3 * MOST_VERTICES * sizeof(float) + (size_t)3 * MOST_FACES * sizeof(int);
}

ty_status tyi_vehicle_tool_shapes(ty_vehicle *v, ty_body_shape *shape, int *count, ty_diag *diag)
{
    int model = *count;
    for (int i = 0; i < v->tools; i++) {
        tyi_vehicle_tool *t = &v->tool[i];
        tyi_soil_tool_part part[TYI_SOIL_TOOL_PARTS];
        size_t parts = tyi_soil_tool_parts(&t->shape, part);
        t->mesh = tyi_get(v->alloc, room());
        if (!t->mesh) {
            return ty_fail(diag, TY_ERR_MEMORY, "vehicle: no memory for the looks of tool '%s'", t->name);
        }
        mesh m = { .vertex = t->mesh, .face = (int *)((float *)t->mesh + (size_t)3 * MOST_VERTICES) };
        for (size_t k = 0; k < parts; k++) {
            (part[k].disc ? add_disc : add_box)(&m, &part[k]);
        }
        for (int k = 0; k < model; k++) {
            shape[k].body = stands_for(&shape[k], t) ? -1 : shape[k].body;
        }
        shape[(*count)++] = (ty_body_shape){ .kind = TY_SHAPE_MESH,
                                             .body = t->body,
                                             .pose = t->pose,
                                             .rgba = { 0.3f, 0.3f, 0.31f, 1.0f },
                                             .vertex = m.vertex,
                                             .face = m.face,
                                             .vertices = m.vertices,
                                             .faces = m.faces };
    }
    return TY_OK;
}

void tyi_vehicle_tool_free(ty_vehicle *v)
{
    for (int i = 0; i < v->tools; i++) {
        tyi_put(v->alloc, v->tool[i].mesh, room());
    }
}
