/* src/io/gltf_mesh.c - glTF: nodes, meshes and their primitives, put in their places in one mesh.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gltf.h"

#define MOST_NODES 1000000
#define MOST_DEPTH 256

typedef struct placing { /* of a node: column by column, as glTF writes matrices */
    double m[16];
} placing;

static placing times(const placing *a, const placing *b)
{
    placing c;
    for (int i = 0; i < 16; i++) {
        c.m[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            c.m[i] += a->m[4 * k + i % 4] * b->m[i / 4 * 4 + k];
        }
    }
    return c;
}

/* matrix, or translation, rotation (x y z w) and scale */
static bool own_placing(const tyi_io_gltf *g, const json_t *node, const char *what, placing *out)
{
    double t[3] = { 0, 0, 0 }, q[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
    if (json_object_get(node, "matrix")) {
        return tyi_io_gltf_numbers(g, node, what, "matrix", 16, out->m);
    }
    if ((json_object_get(node, "translation") && !tyi_io_gltf_numbers(g, node, what, "translation", 3, t)) ||
        (json_object_get(node, "rotation") && !tyi_io_gltf_numbers(g, node, what, "rotation", 4, q)) ||
        (json_object_get(node, "scale") && !tyi_io_gltf_numbers(g, node, what, "scale", 3, s))) {
        return false;
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) {
        q[k] = size > 1e-12 ? q[k] / size : k == 3;
    }
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                          2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                          2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y) };
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            out->m[4 * c + k] = r[3 * c + k] * s[c];
        }
        out->m[4 * c + 3] = 0.0;
        out->m[12 + c] = t[c];
    }
    out->m[15] = 1.0;
    return true;
}

/* ---- one primitive ---- */

typedef struct primitive {
    float *position, *normal, *uv;
    size_t vertices;
    uint32_t *index; /* NULL: 0, 1, 2, ... */
    size_t indices;
    int mode; /* 4 triangles, 5 strip, 6 fan */
    size_t material;
} primitive;

static void free_primitive(primitive *p)
{
    free(p->position), free(p->normal), free(p->uv), free(p->index);
}

static uint32_t index_at(const primitive *p, size_t i)
{
    return p->index ? p->index[i] : (uint32_t)i;
}

static size_t triangles_of(const primitive *p)
{
    return p->mode == 4 ? p->indices / 3 : p->indices < 3 ? 0 : p->indices - 2;
}

static void corners_of(const primitive *p, size_t t, uint32_t c[3])
{
    if (p->mode == 4) {
        c[0] = index_at(p, 3 * t), c[1] = index_at(p, 3 * t + 1), c[2] = index_at(p, 3 * t + 2);
    } else if (p->mode == 5) { /* every second triangle of a strip is turned round */
        c[0] = index_at(p, t), c[1] = index_at(p, t + 1 + t % 2), c[2] = index_at(p, t + 2 - t % 2);
    } else {
        c[0] = index_at(p, t + 1), c[1] = index_at(p, t + 2), c[2] = index_at(p, 0);
    }
}

static ty_status attribute(const tyi_io_gltf *g, const json_t *list, const char *what, const char *key, int parts,
                           const primitive *p, float **out)
{
    size_t accessor = 0, count = 0;
    if (!json_object_get(list, key)) {
        return TY_OK;
    }
    if (!tyi_io_gltf_size(g, list, what, key, tyi_io_gltf_count(g, "accessors"), true, &accessor)) {
        return TY_ERR_FORMAT;
    }
    ty_status status = tyi_io_gltf_floats(g, accessor, parts, out, &count);
    if (status == TY_OK && count != p->vertices) {
        status =
            tyi_io_gltf_wrong(g, "%s.%s has %zu elements, but there are %zu positions", what, key, count, p->vertices);
    }
    return status;
}

static ty_status read_primitive(const tyi_io_gltf *g, const json_t *item, const char *what, primitive *p)
{
    json_t *list = json_object_get(item, "attributes");
    size_t position = 0, mode = 4, material = SIZE_MAX, indices = 0, accessors = tyi_io_gltf_count(g, "accessors");
    if (!tyi_io_gltf_size(g, list, what, "POSITION", accessors, true, &position) ||
        !tyi_io_gltf_size(g, item, what, "mode", 6, false, &mode) ||
        !tyi_io_gltf_size(g, item, what, "material", g->out->materials, false, &material)) {
        return TY_ERR_FORMAT;
    }
    p->mode = (int)mode;
    p->material = material == SIZE_MAX ? g->out->materials - 1 : material;
    if (p->material >= g->out->materials) {
        return tyi_io_gltf_wrong(g, "%s.material is %zu, but there are %zu", what, p->material, g->out->materials - 1);
    }
    ty_status status = tyi_io_gltf_floats(g, position, 3, &p->position, &p->vertices);
    if (status == TY_OK) {
        status = attribute(g, list, what, "NORMAL", 3, p, &p->normal);
    }
    if (status == TY_OK) {
        status = attribute(g, list, what, "TEXCOORD_0", 2, p, &p->uv);
    }
    p->indices = p->vertices;
    if (status == TY_OK && json_object_get(item, "indices")) {
        status = tyi_io_gltf_size(g, item, what, "indices", accessors, true, &indices)
                     ? tyi_io_gltf_indices(g, indices, &p->index, &p->indices)
                     : TY_ERR_FORMAT;
    }
    for (size_t i = 0; status == TY_OK && p->index && i < p->indices; i++) {
        if (p->index[i] >= p->vertices) {
            status =
                tyi_io_gltf_wrong(g, "%s.indices names vertex %u, but there are %zu", what, p->index[i], p->vertices);
        }
    }
    return status;
}

/* ---- into the model ---- */

/* glTF's y up and z forward to x forward, y left, z up */
static void put_vector(float *to, const double v[3])
{
    to[0] = (float)v[2], to[1] = (float)v[0], to[2] = (float)v[1];
}

static void place_point(const placing *m, double scale, const float *p, float *to)
{
    double v[3];
    for (int r = 0; r < 3; r++) {
        v[r] =
            scale * (m->m[r] * (double)p[0] + m->m[4 + r] * (double)p[1] + m->m[8 + r] * (double)p[2] + m->m[12 + r]);
        v[r] = isfinite(v[r]) && fabs(v[r]) < 1e30 ? v[r] : 0.0;
    }
    put_vector(to, v);
}

static double determinant(const placing *m)
{
    const double *a = m->m;
    return a[0] * (a[5] * a[10] - a[6] * a[9]) - a[4] * (a[1] * a[10] - a[2] * a[9]) +
           a[8] * (a[1] * a[6] - a[2] * a[5]);
}

/* normals turn by the cofactors, which is the transposed inverse but for its length and, in a mirror, its sign */
static void place_normal(const placing *m, const float *n, float *to)
{
    double v[3], side = determinant(m) < 0.0 ? -1.0 : 1.0;
    for (int r = 0; r < 3; r++) {
        int a = (r + 1) % 3, b = (r + 2) % 3;
        v[r] = 0.0;
        for (int c = 0; c < 3; c++) {
            int p = (c + 1) % 3, q = (c + 2) % 3;
            v[r] += side * (m->m[4 * p + a] * m->m[4 * q + b] - m->m[4 * p + b] * m->m[4 * q + a]) * (double)n[c];
        }
    }
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int r = 0; r < 3; r++) {
        v[r] = isfinite(size) && size > 0.0 ? v[r] / size : r == 1;
    }
    put_vector(to, v);
}

static bool grow(tyi_io_gltf *g, size_t vertices, size_t triangles)
{
    ty_model *m = g->out;
    struct {
        void **items;
        size_t *room, used, need, size;
    } list[] = { { (void **)&m->vertex, &g->vertex_room, m->vertices, m->vertices + vertices, 3 * sizeof(float) },
                 { (void **)&m->normal, &g->normal_room, m->vertices, m->vertices + vertices, 3 * sizeof(float) },
                 { (void **)&m->uv, &g->uv_room, m->vertices, m->vertices + vertices, 2 * sizeof(float) },
                 { (void **)&m->triangle, &g->triangle_room, m->triangles, m->triangles + triangles,
                   3 * sizeof(uint32_t) },
                 { (void **)&m->which, &g->which_room, m->triangles, m->triangles + triangles, sizeof(uint16_t) } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        void *larger =
            tyi_list_room(NULL, *list[i].items, list[i].used, list[i].need, list[i].room, list[i].size, 1024);
        if (!larger) {
            return false;
        }
        *list[i].items = larger;
    }
    return true;
}

static void put_vertex(tyi_io_gltf *g, const placing *m, const primitive *p, size_t from, const float *normal)
{
    ty_model *o = g->out;
    size_t to = o->vertices++;
    place_point(m, g->scale, p->position + 3 * from, o->vertex + 3 * to);
    place_normal(m, normal, o->normal + 3 * to);
    o->uv[2 * to] = p->uv ? p->uv[2 * from] : 0.0f;
    o->uv[2 * to + 1] = p->uv ? p->uv[2 * from + 1] : 0.0f;
}

static void facet(const primitive *p, const uint32_t c[3], float n[3])
{
    const float *a = p->position + 3 * (size_t)c[0], *b = p->position + 3 * (size_t)c[1],
                *d = p->position + 3 * (size_t)c[2];
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = (double)b[k] - (double)a[k], f[k] = (double)d[k] - (double)a[k];
    }
    double v[3] = { e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0] };
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) {
        n[k] = size > 0.0 && isfinite(size) ? (float)(v[k] / size) : k == 1;
    }
}

/* With normals the vertices are shared; without, every triangle is flat and gets its own three. */
static ty_status put_primitive(tyi_io_gltf *g, const placing *m, const primitive *p)
{
    ty_model *o = g->out;
    size_t n = triangles_of(p), vertices = p->normal ? p->vertices : 3 * n;
    if (n > TYI_IO_MODEL_TRIANGLES - o->triangles || vertices > 3 * TYI_IO_MODEL_TRIANGLES - o->vertices) {
        return tyi_io_gltf_wrong(g, "its nodes make more than 2^24 triangles");
    }
    if (!grow(g, vertices, n)) {
        return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for %zu triangles", g->name, o->triangles + n);
    }
    uint32_t first = (uint32_t)o->vertices;
    bool mirrored = determinant(m) < 0.0;
    for (size_t i = 0; i < p->vertices && p->normal; i++) {
        put_vertex(g, m, p, i, p->normal + 3 * i);
    }
    for (size_t t = 0; t < n; t++) {
        uint32_t c[3], *to = o->triangle + 3 * o->triangles;
        float flat[3];
        corners_of(p, t, c);
        facet(p, c, flat);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t corner = mirrored && k ? 3 - k : k;
            to[k] = p->normal ? first + c[corner] : (uint32_t)o->vertices;
            if (!p->normal) {
                put_vertex(g, m, p, c[corner], flat);
            }
        }
        o->which[o->triangles++] = (uint16_t)p->material;
    }
    g->any_uv = g->any_uv || p->uv;
    return TY_OK;
}

static ty_status put_mesh(tyi_io_gltf *g, const placing *m, size_t mesh)
{
    json_t *item = tyi_io_gltf_item(g, "meshes", mesh), *list = json_object_get(item, "primitives");
    ty_status status = item ? TY_OK : TY_ERR_FORMAT;
    for (size_t i = 0; i < json_array_size(list) && status == TY_OK; i++) {
        char what[80];
        primitive p = { 0 };
        size_t mode = 4;
        json_t *one = json_array_get(list, i);
        snprintf(what, sizeof what, "meshes[%zu].primitives[%zu]", mesh, i);
        if (!tyi_io_gltf_size(g, one, what, "mode", 6, false, &mode)) {
            return TY_ERR_FORMAT;
        }
        if (mode < 4) { /* points and lines are not seen */
            continue;
        }
        status = read_primitive(g, one, what, &p);
        if (status == TY_OK) {
            status = put_primitive(g, m, &p);
        }
        free_primitive(&p);
    }
    return status;
}

/* ---- the tree of nodes ---- */

typedef struct visit {
    size_t node;
    int depth;
    placing place;
} visit;

typedef struct walk {
    visit *stack;
    size_t count, room;
    bool *seen;
    size_t nodes;
} walk;

static ty_status push(tyi_io_gltf *g, walk *w, const json_t *list, const char *what, int depth, const placing *place)
{
    for (size_t i = json_array_size(list); i-- > 0;) { /* the first is visited first */
        json_t *v = json_array_get(list, i);
        double x = json_is_number(v) ? json_number_value(v) : -1.0;
        if (!(x >= 0.0 && x < (double)w->nodes && floor(x) == x)) {
            return tyi_io_gltf_wrong(g, "%s names a node that is not there", what);
        }
        visit *larger = tyi_list_grown(w->stack, w->count, &w->room, sizeof *larger, 1024);
        if (!larger) {
            return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for its nodes", g->name);
        }
        w->stack = larger;
        if (w->count > w->nodes) {
            return tyi_io_gltf_wrong(g, "its nodes are not a tree");
        }
        larger[w->count++] = (visit){ (size_t)x, depth, *place };
    }
    return TY_OK;
}

static ty_status visit_node(tyi_io_gltf *g, walk *w)
{
    visit v = w->stack[--w->count];
    char what[40];
    snprintf(what, sizeof what, "nodes[%zu]", v.node);
    json_t *node = tyi_io_gltf_item(g, "nodes", v.node);
    if (!node) {
        return TY_ERR_FORMAT;
    }
    if (w->seen[v.node] || v.depth > MOST_DEPTH) {
        return tyi_io_gltf_wrong(g, "%s is reached twice or lies deeper than %d, but nodes form trees", what,
                                 MOST_DEPTH);
    }
    w->seen[v.node] = true;
    placing own;
    size_t mesh = SIZE_MAX;
    if (!own_placing(g, node, what, &own) ||
        !tyi_io_gltf_size(g, node, what, "mesh", tyi_io_gltf_count(g, "meshes"), false, &mesh)) {
        return TY_ERR_FORMAT;
    }
    placing all = times(&v.place, &own);
    ty_status status = mesh == SIZE_MAX ? TY_OK : put_mesh(g, &all, mesh);
    return status == TY_OK ? push(g, w, json_object_get(node, "children"), what, v.depth + 1, &all) : status;
}

ty_status tyi_io_gltf_nodes(tyi_io_gltf *g)
{
    const placing still = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } };
    walk w = { .nodes = tyi_io_gltf_count(g, "nodes") };
    size_t scene = 0;
    if (w.nodes > MOST_NODES) {
        return tyi_io_gltf_wrong(g, "has %zu nodes, but %d are the most", w.nodes, MOST_NODES);
    }
    if (!tyi_io_gltf_size(g, g->root, "the file", "scene", tyi_io_gltf_count(g, "scenes"), false, &scene)) {
        return TY_ERR_FORMAT;
    }
    json_t *item = tyi_io_gltf_item(g, "scenes", scene);
    if (!item) {
        return TY_ERR_FORMAT;
    }
    w.seen = calloc(w.nodes + 1, sizeof *w.seen);
    ty_status status = w.seen ? push(g, &w, json_object_get(item, "nodes"), "its scene", 0, &still)
                              : ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for its nodes", g->name);
    while (w.count && status == TY_OK) {
        status = visit_node(g, &w);
    }
    free(w.stack), free(w.seen);
    return status;
}
