/* src/world/terrain/rock_shape.c - angular rocks: a block cut by random planes.
 *
 * A body starts as a large cube. Each plane cuts off what lies outside it: faces lose a corner and
 * a new face closes the cut, so the surface is closed after every step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "k_philox.h"
#include "rock.h"

#define MAX_VERTEX 192 /* 2 * faces - 4, and those a cut makes before it drops others */
#define MAX_FACE   (TY_ROCK_PLANES + 6)
#define MAX_LOOP   MAX_FACE
#define NEAR       1e-4 /* of a body of size 1: a cut so near to a corner would leave a sliver */

typedef struct face {
    ty_vec3 n;
    double d;
    int count, loop[MAX_LOOP]; /* vertices, counter-clockwise from outside */
} face;

typedef struct body {
    int vertices, faces;
    ty_vec3 vertex[MAX_VERTEX];
    face face[MAX_FACE];
} body;

/* uniform numbers in (0, 1), one after the other */
typedef struct stream {
    uint32_t key, shape, attempt, next;
} stream;

static double draw(stream *s)
{
    ty_k_u32x4 r = ty_k_philox(s->shape, s->attempt, s->next / 4, 0, s->key, TY_RNG_ROCK_SHAPE);
    return ty_k_uniform(r.v[s->next++ % 4]);
}

static double between(stream *s, double low, double high)
{
    return low + (high - low) * draw(s);
}

static ty_vec3 direction(stream *s) /* uniform on the sphere */
{
    double z = between(s, -1.0, 1.0), a = between(s, 0.0, 2.0 * TY_PI), r = sqrt(1.0 - z * z);
    return ty_vec3_make(r * cos(a), r * sin(a), z);
}

static ty_vec3 jitter(stream *s, ty_vec3 n, double by) /* n, moved at random; unit */
{
    return ty_normalize(ty_add(n, ty_scale(by, direction(s))));
}

static ty_vec3 axis(int i) /* +x -x +y -y +z -z */
{
    double sign = i % 2 ? -1.0 : 1.0;
    return ty_vec3_make(i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0);
}

static void cube(body *b, double half)
{
    static const int loop[6][4] = { { 1, 3, 7, 5 }, { 0, 4, 6, 2 }, { 2, 6, 7, 3 },
                                    { 0, 1, 5, 4 }, { 4, 5, 7, 6 }, { 0, 2, 3, 1 } };
    b->vertices = 8;
    b->faces = 6;
    for (int v = 0; v < 8; v++) {
        double x = v & 1 ? half : -half, y = v & 2 ? half : -half, z = v & 4 ? half : -half;
        b->vertex[v] = ty_vec3_make(x, y, z);
    }
    for (int f = 0; f < 6; f++) {
        b->face[f] = (face){ .n = axis(f), .d = half, .count = 4 };
        memcpy(b->face[f].loop, loop[f], sizeof loop[f]);
    }
}

static double support(const body *b, ty_vec3 n) /* farthest extent along n */
{
    double most = -HUGE_VAL;
    for (int v = 0; v < b->vertices; v++) {
        most = fmax(most, ty_dot(n, b->vertex[v]));
    }
    return most;
}

/* the edges that a plane cuts, and the vertices made there */
typedef struct cuts {
    int count, from[MAX_LOOP], to[MAX_LOOP], vertex[MAX_LOOP];
    int next[MAX_VERTEX]; /* along the new face */
} cuts;

static int cut_edge(body *b, cuts *c, const double *side, int from, int to)
{
    for (int i = 0; i < c->count; i++) {
        if ((c->from[i] == from && c->to[i] == to) || (c->from[i] == to && c->to[i] == from)) {
            return c->vertex[i];
        }
    }
    double t = side[from] / (side[from] - side[to]);
    b->vertex[b->vertices] = ty_add(ty_scale(1.0 - t, b->vertex[from]), ty_scale(t, b->vertex[to]));
    c->from[c->count] = from;
    c->to[c->count] = to;
    c->vertex[c->count++] = b->vertices;
    return b->vertices++;
}

/* what the plane leaves of a face; its new edge is noted, the other way round, for the new face */
static void cut_face(body *b, face *f, cuts *c, const double *side)
{
    int kept[MAX_LOOP], count = 0, out = -1, in = -1;
    for (int i = 0; i < f->count; i++) {
        int v = f->loop[i], w = f->loop[(i + 1) % f->count];
        if (side[v] < 0.0) {
            kept[count++] = v;
        }
        if (side[v] < 0.0 && side[w] > 0.0) {
            kept[count++] = out = cut_edge(b, c, side, v, w);
        } else if (side[v] > 0.0 && side[w] < 0.0) {
            kept[count++] = in = cut_edge(b, c, side, v, w);
        }
    }
    f->count = count;
    memcpy(f->loop, kept, (size_t)count * sizeof kept[0]);
    if (out >= 0) {
        c->next[in] = out;
    }
}

static void drop_unused(body *b, const double *side, int old)
{
    int map[MAX_VERTEX], used = 0;
    for (int v = 0; v < b->vertices; v++) {
        map[v] = used;
        if (v >= old || side[v] < 0.0) {
            b->vertex[used++] = b->vertex[v];
        }
    }
    b->vertices = used;
    int faces = 0;
    for (int f = 0; f < b->faces; f++) {
        if (b->face[f].count == 0) {
            continue;
        }
        b->face[faces] = b->face[f];
        for (int i = 0; i < b->face[faces].count; i++) {
            b->face[faces].loop[i] = map[b->face[faces].loop[i]];
        }
        faces++;
    }
    b->faces = faces;
}

/* Cuts off n . p > d. False, and nothing is changed, where the plane misses the body, meets a
 * corner or there is no room. */
static bool cut(body *b, ty_vec3 n, double d)
{
    double side[MAX_VERTEX];
    int old = b->vertices, outside = 0;
    for (int v = 0; v < old; v++) {
        side[v] = ty_dot(n, b->vertex[v]) - d;
        if (fabs(side[v]) < NEAR) {
            return false;
        }
        outside += side[v] > 0.0;
    }
    if (outside == 0 || outside == old || b->faces == MAX_FACE || old + b->faces > MAX_VERTEX) {
        return false;
    }
    cuts c = { 0 };
    for (int f = 0; f < b->faces; f++) {
        cut_face(b, &b->face[f], &c, side);
    }
    face *cap = &b->face[b->faces++];
    *cap = (face){ .n = n, .d = d };
    for (int i = 0, v = c.vertex[0]; i < c.count; i++, v = c.next[v]) {
        cap->loop[cap->count++] = v;
    }
    drop_unused(b, side, old);
    return true;
}

/* Six sides of a block, none quite parallel, then a few large fractures, some chipped corners, and wear.
 * Axes as impact fragments have them, 2 : sqrt(2) : 1 in the mean [fujiwara1978], with blocks,
 * slabs and splinters around it. */
static void carve(body *b, stream *s)
{
    /* b / a and c / a, from and to: blocks, fragments, slabs, splinters */
    static const double axes[4][4] = {
        { 0.75, 1.00, 0.60, 0.85 }, { 0.60, 0.85, 0.40, 0.60 }, { 0.65, 0.95, 0.28, 0.42 }, { 0.42, 0.60, 0.35, 0.50 }
    };
    const double *kind = axes[s->shape % 4];
    double half[3] = { 1.0 };
    half[1] = between(s, kind[0], kind[1]);
    half[2] = between(s, kind[2], kind[3]);
    cube(b, 8.0);
    for (int i = 0; i < 6; i++) {
        ty_vec3 n = jitter(s, axis(i), 0.4 * draw(s));
        cut(b, n, half[i / 2]);
    }
    int fractures = 3 + (int)(3.0 * draw(s)), chips = 7 + (int)(6.0 * draw(s)), wear = 20 + (int)(16.0 * draw(s));
    for (int i = 0; i < fractures; i++) {
        ty_vec3 n = direction(s);
        cut(b, n, between(s, 0.6, 0.9) * support(b, n));
    }
    for (int i = 0; i < chips; i++) {
        /* between the directions of two sides: mostly an edge or a corner */
        ty_vec3 p = b->face[(int)(b->faces * draw(s))].n, q = b->face[(int)(b->faces * draw(s))].n;
        p = ty_add(p, ty_scale(between(s, 0.5, 1.5), q));
        ty_vec3 n = jitter(s, p, 0.4);
        cut(b, n, support(b, n) - between(s, 0.02, 0.14));
    }
    for (int i = 0; i < wear && b->faces < TY_ROCK_PLANES; i++) {
        /* micrometeorites round what stands out: the edge between two sides, or whatever is farthest in some direction
         * */
        ty_vec3 p = b->face[(int)(b->faces * draw(s))].n, q = b->face[(int)(b->faces * draw(s))].n;
        bool edge = ty_dot(p, q) > -0.4 && ty_dot(p, q) < 0.9;
        ty_vec3 n = edge ? jitter(s, ty_add(p, ty_scale(between(s, 0.6, 1.6), q)), 0.15) : direction(s);
        cut(b, n, support(b, n) - between(s, 0.02, 0.12));
    }
}

/* A worn rock: planes that touch an ellipsoid of the axes 2 : 1.6 : 1.1, about, spread evenly by the golden angle, some of
 * them cut a little deeper. */
static void carve_round(body *b, stream *s)
{
    ty_vec3 half = { 1.0, between(s, 0.65, 0.95), between(s, 0.4, 0.7) };
    int n = 38 + (int)(6.0 * draw(s));
    cube(b, 8.0);
    for (int i = 0; i < n && b->faces < MAX_FACE; i++) {
        double z = 1.0 - 2.0 * (i + 0.5) / n, a = 2.399963229728653 * i, r = sqrt(1.0 - z * z);
        ty_vec3 m = jitter(s, ty_vec3_make(r * cos(a), r * sin(a), z), 0.12);
        /* the normal of the ellipsoid where the unit sphere has m */
        ty_vec3 k = ty_normalize(ty_vec3_make(m.x / half.x, m.y / half.y, m.z / half.z));
        double d = ty_norm(ty_vec3_make(k.x * half.x, k.y * half.y, k.z * half.z));
        cut(b, k, d * between(s, 0.93, 1.0));
    }
}

/* area [-] from above of the faces that look up, as far as they are above z; moments on request */
static double outline(const body *b, double z, double *mx, double *my)
{
    double area = 0.0;
    for (int f = 0; f < b->faces; f++) {
        const face *at = &b->face[f];
        if (at->n.z <= 0.0) {
            continue;
        }
        ty_vec3 p[2 * MAX_LOOP];
        int count = 0;
        for (int i = 0; i < at->count; i++) {
            ty_vec3 v = b->vertex[at->loop[i]], w = b->vertex[at->loop[(i + 1) % at->count]];
            if (v.z >= z) {
                p[count++] = v;
            }
            if ((v.z >= z) != (w.z >= z)) {
                p[count++] = ty_add(v, ty_scale((z - v.z) / (w.z - v.z), ty_sub(w, v)));
            }
        }
        for (int i = 2; i < count; i++) {
            double a = 0.5 * ((p[i - 1].x - p[0].x) * (p[i].y - p[0].y) - (p[i].x - p[0].x) * (p[i - 1].y - p[0].y));
            area += a;
            if (mx) {
                *mx += a * (p[0].x + p[i - 1].x + p[i].x) / 3.0;
                *my += a * (p[0].y + p[i - 1].y + p[i].y) / 3.0;
            }
        }
    }
    return area;
}

/* puts the body on its flat side, a little tilted, and gives it the unit of ty_rock_shape */
static void stand(body *b, stream *s)
{
    double tilt = 0.25 * sqrt(-log(draw(s))), about = between(s, 0.0, 2.0 * TY_PI);
    ty_quat q = ty_quat_axis(ty_vec3_make(cos(about), sin(about), 0.0), fmin(tilt, 0.6));
    q = draw(s) < 0.5 ? q : ty_quat_mul(q, ty_quat_axis(ty_vec3_make(1.0, 0.0, 0.0), TY_PI));
    double low = HUGE_VAL, mx = 0.0, my = 0.0;
    for (int v = 0; v < b->vertices; v++) {
        b->vertex[v] = ty_rotate(q, b->vertex[v]);
        low = fmin(low, b->vertex[v].z);
    }
    for (int f = 0; f < b->faces; f++) {
        b->face[f].n = ty_rotate(q, b->face[f].n);
    }
    double area = outline(b, -HUGE_VAL, &mx, &my), unit = sqrt(0.25 * TY_PI / area);
    ty_vec3 origin = { mx / area, my / area, low };
    for (int v = 0; v < b->vertices; v++) {
        b->vertex[v] = ty_scale(unit, ty_sub(b->vertex[v], origin));
    }
    for (int f = 0; f < b->faces; f++) {
        b->face[f].d = unit * (b->face[f].d - ty_dot(b->face[f].n, origin));
    }
}

static bool usable(const body *b)
{
    for (int f = 0; f < b->faces; f++) {
        if (b->face[f].d > 4.0) {
            return false; /* a side of the first cube is left */
        }
    }
    return b->faces >= 9 && b->faces <= TY_ROCK_PLANES;
}

static void store(tyi_terrain_rock_library *library, int index, const body *b)
{
    ty_rock_shape *shape = &library->shape[index];
    double top = 0.0, radius = 0.0;
    for (int v = 0; v < b->vertices; v++) {
        float *to = library->vertex[index][v];
        to[0] = (float)b->vertex[v].x;
        to[1] = (float)b->vertex[v].y;
        to[2] = (float)b->vertex[v].z;
        top = fmax(top, b->vertex[v].z);
        radius = fmax(radius, hypot(b->vertex[v].x, b->vertex[v].y));
    }
    int triangles = 0;
    for (int f = 0; f < b->faces; f++) {
        const face *from = &b->face[f];
        float *to = shape->plane[f];
        to[0] = (float)from->n.x;
        to[1] = (float)from->n.y;
        to[2] = (float)from->n.z;
        to[3] = (float)from->d;
        for (int i = 2; i < from->count; i++) {
            uint16_t *t = library->triangle[index][triangles++];
            t[0] = (uint16_t)from->loop[0];
            t[1] = (uint16_t)from->loop[i - 1];
            t[2] = (uint16_t)from->loop[i];
        }
    }
    shape->planes = b->faces;
    shape->height = (float)top;
    shape->radius = (float)radius;
    shape->vertex = library->vertex[index][0];
    shape->triangle = library->triangle[index][0];
    shape->vertices = b->vertices;
    shape->triangles = triangles;
    double whole = outline(b, -HUGE_VAL, NULL, NULL);
    for (int i = 0; i < TYI_TERRAIN_ROCK_BURIALS; i++) {
        library->exposed[index][i] = (float)(outline(b, top * i / (TYI_TERRAIN_ROCK_BURIALS - 1), NULL, NULL) / whole);
    }
}

void tyi_terrain_rock_library_make(tyi_terrain_rock_library *library, uint32_t key, bool worn)
{
    for (int i = 0; i < TY_ROCK_SHAPES; i++) {
        body b;
        void (*make)(body *, stream *) = worn && i >= TY_ROCK_SHAPES / 2 ? carve_round : carve;
        stream s = { .key = key, .shape = (uint32_t)i };
        make(&b, &s);
        while (!usable(&b)) {
            s.attempt++;
            s.next = 0;
            make(&b, &s);
        }
        stand(&b, &s);
        store(library, i, &b);
    }
}
