/* src/render/host/embree_accel.c - shapes, instances and rays by Embree.
 *
 * Every shape is a scene of its own, every instance a geometry of one of two top scenes, for what
 * changes often (ground, objects) and for what seldom does (rocks): a changed tile of ground
 * rebuilds its own small tree and the tree over its like, nothing else. ROBUST keeps rays from
 * slipping between the triangles of a grid.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include <embree3/rtcore.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "accel.h"
#include "core/core.h"
#include "core/room.h"
#include "k_clod.h"
#include "k_scene.h"

struct tyi_render_shape {
    RTCScene scene;
    RTCGeometry geometry;
    int cells;
    const ty_k_scene_clod *clod;
};

typedef struct slot {
    RTCGeometry geometry;
    const tyi_render_shape *shape;
    bool shown, moving; /* moving: two time steps */
} slot;

struct tyi_render_accel {
    RTCDevice device;
    RTCScene top[2];
    bool changed[2];
    size_t shown[2];
    uint32_t split; /* the first slot of the second scene */
    slot *slot;
    size_t slots, room;
};

/* [cells] by which grids overlap: heights on both sides of a seam differ by rounding, and a grazing
 * ray must not find the gap between them */
#define OVERLAP 0.05f

bool tyi_render_accel_works(void)
{
    return true;
}

#define LEAST_BYTES (400.0 * 1048576.0) /* that a scene needs */

tyi_render_accel *tyi_render_accel_create(void)
{
    /* Embree throws from threads of its own where it gets no memory, which nobody can catch */
    tyi_render_accel *a = tyi_memory_free() > LEAST_BYTES ? calloc(1, sizeof *a) : NULL;
    if (!a) {
        return NULL;
    }
    /* builds run on the caller's threads: updates are parallel over tiles already */
    a->device = rtcNewDevice("threads=1,set_affinity=0");
    a->split = UINT32_MAX;
    for (int k = 0; k < 2; k++) {
        a->top[k] = a->device ? rtcNewScene(a->device) : NULL;
        if (!a->top[k]) {
            tyi_render_accel_destroy(a);
            return NULL;
        }
        rtcSetSceneFlags(a->top[k], RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(a->top[k], RTC_BUILD_QUALITY_MEDIUM); /* for instances faster than LOW */
    }
    return a;
}

void tyi_render_accel_destroy(tyi_render_accel *a)
{
    if (!a) {
        return;
    }
    for (size_t i = 0; i < a->slots; i++) {
        if (a->slot[i].geometry) {
            rtcReleaseGeometry(a->slot[i].geometry);
        }
    }
    free(a->slot);
    for (int k = 0; k < 2; k++) {
        if (a->top[k]) {
            rtcReleaseScene(a->top[k]);
        }
    }
    if (a->device) {
        rtcReleaseDevice(a->device);
    }
    free(a);
}

static tyi_render_shape *shape_make(tyi_render_accel *a, enum RTCGeometryType type)
{
    tyi_render_shape *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->scene = rtcNewScene(a->device);
    s->geometry = rtcNewGeometry(a->device, type);
    if (!s->scene || !s->geometry) {
        tyi_render_shape_destroy(s);
        return NULL;
    }
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    rtcAttachGeometryByID(s->scene, s->geometry, 0);
    return s;
}

void tyi_render_shape_destroy(tyi_render_shape *s)
{
    if (s) {
        if (s->geometry) {
            rtcReleaseGeometry(s->geometry);
        }
        if (s->scene) {
            rtcReleaseScene(s->scene);
        }
        free(s);
    }
}

static void *new_buffer(tyi_render_shape *s, enum RTCBufferType type, enum RTCFormat format, size_t stride, size_t n)
{
    return rtcSetNewGeometryBuffer(s->geometry, type, 0, format, stride, n);
}

tyi_render_shape *tyi_render_shape_grid(tyi_render_accel *a, int cells)
{
    tyi_render_shape *s = shape_make(a, RTC_GEOMETRY_TYPE_GRID);
    if (!s) {
        return NULL;
    }
    s->cells = cells;
    size_t n = (size_t)cells + 1;
    struct RTCGrid *grid = new_buffer(s, RTC_BUFFER_TYPE_GRID, RTC_FORMAT_GRID, sizeof *grid, 1);
    float *v = new_buffer(s, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 3 * sizeof(float), n * n);
    if (!grid || !v) {
        tyi_render_shape_destroy(s);
        return NULL;
    }
    *grid = (struct RTCGrid){ 0, (unsigned)n, (unsigned short)n, (unsigned short)n };
    return s;
}

void tyi_render_shape_set_grid(tyi_render_shape *s, double spacing, const float *z, int stride)
{
    float *v = rtcGetGeometryBufferData(s->geometry, RTC_BUFFER_TYPE_VERTEX, 0), d = (float)spacing;
    int last = s->cells;
    for (int j = 0; j <= last; j++) {
        int dj = j == 0 ? 1 : j == last ? -1 : 0; /* towards the inside */
        for (int i = 0; i <= last; i++, v += 3) {
            int di = i == 0 ? 1 : i == last ? -1 : 0;
            const float *h = z + (ptrdiff_t)j * stride + i;
            v[0] = d * ((float)i - (float)di * OVERLAP);
            v[1] = d * ((float)j - (float)dj * OVERLAP);
            v[2] = h[0] + OVERLAP * ((h[0] - h[di]) + (h[0] - h[dj * stride]));
        }
    }
    rtcUpdateGeometryBuffer(s->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(s->geometry);
    rtcCommitScene(s->scene);
}

void tyi_render_shape_set_points(tyi_render_shape *s, const float *point)
{
    float *v = rtcGetGeometryBufferData(s->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    int last = s->cells, row = 3 * (last + 1);
    for (int j = 0; j <= last; j++) {
        int dj = j == 0 ? row : j == last ? -row : 0; /* towards the inside */
        for (int i = 0; i <= last; i++, v += 3) {
            int di = i == 0 ? 3 : i == last ? -3 : 0;
            const float *p = point + (ptrdiff_t)j * row + 3 * i;
            for (int c = 0; c < 3; c++) {
                v[c] = p[c] + OVERLAP * ((p[c] - p[c + di]) + (p[c] - p[c + dj]));
            }
        }
    }
    rtcUpdateGeometryBuffer(s->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(s->geometry);
    rtcCommitScene(s->scene);
}

tyi_render_shape *tyi_render_shape_mesh(tyi_render_accel *a, const float *vertex, size_t vertices,
                                        const uint32_t *triangle, size_t triangles)
{
    tyi_render_shape *s = shape_make(a, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!s) {
        return NULL;
    }
    float *v = new_buffer(s, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertices);
    uint32_t *t = new_buffer(s, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), triangles);
    if (!v || !t) {
        tyi_render_shape_destroy(s);
        return NULL;
    }
    memcpy(v, vertex, 3 * vertices * sizeof *v);
    memcpy(t, triangle, 3 * triangles * sizeof *t);
    rtcCommitGeometry(s->geometry);
    rtcCommitScene(s->scene);
    return s;
}

tyi_render_shape *tyi_render_shape_sphere(tyi_render_accel *a, float radius)
{
    tyi_render_shape *s = shape_make(a, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    if (!s) {
        return NULL;
    }
    float *v = new_buffer(s, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 4 * sizeof(float), 1);
    if (!v) {
        tyi_render_shape_destroy(s);
        return NULL;
    }
    v[0] = v[1] = v[2] = 0.0f;
    v[3] = radius;
    rtcCommitGeometry(s->geometry);
    rtcCommitScene(s->scene);
    return s;
}

/* ---- clods: boxes of Embree's, rays by k_clod.h ---- */

static void clod_bounds(const struct RTCBoundsFunctionArguments *a)
{
    const tyi_render_shape *s = a->geometryUserPtr;
    const ty_k_scene_clod *c = &s->clod[a->primID];
    *a->bounds_o = (struct RTCBounds){ .lower_x = c->p[0] - c->r,
                                       .lower_y = c->p[1] - c->r,
                                       .lower_z = c->p[2] - c->r,
                                       .upper_x = c->p[0] + c->r,
                                       .upper_y = c->p[1] + c->r,
                                       .upper_z = c->p[2] + c->r };
}

/* rows of a packet's rays and hits, in Embree's order: numbers of all its lanes, one row after the other */
enum { ORG = 0, NEAR = 3, DIR = 4, FAR = 8, RAY_ROWS = 12, NORMAL = 0, U = 3, V = 4, PRIM = 5, GEOM = 6, INST = 7 };

/* the ray in lane i of n meets the clod before what it has met so far */
static bool clod_met(const tyi_render_shape *s, const float *ray, unsigned n, unsigned i, unsigned which,
                     ty_k_clod_hit *hit)
{
    const ty_k_scene_clod *c = &s->clod[which];
    ty_k_clod clod = { { c->p[0], c->p[1], c->p[2] }, c->r, c->seed };
    const float *o = ray + ORG * n + i, *d = ray + DIR * n + i;
    *hit = ty_k_clod_ray(clod, ty_k_vec(o[0], o[n], o[2 * n]), ty_k_vec(d[0], d[n], d[2 * n]));
    return hit->t > ray[NEAR * n + i] && hit->t < ray[FAR * n + i];
}

static void clod_hit(const struct RTCIntersectFunctionNArguments *a)
{
    unsigned n = a->N;
    float *ray = (float *)a->rayhit, *to = ray + RAY_ROWS * n;
    for (unsigned i = 0; i < n; i++) {
        ty_k_clod_hit hit;
        if (a->valid[i] && clod_met(a->geometryUserPtr, ray, n, i, a->primID, &hit)) {
            ray[FAR * n + i] = hit.t;
            to[NORMAL * n + i] = hit.n.x, to[(NORMAL + 1) * n + i] = hit.n.y, to[(NORMAL + 2) * n + i] = hit.n.z;
            to[U * n + i] = to[V * n + i] = 0.0f;
            unsigned *number = (unsigned *)a->rayhit + RAY_ROWS * n + i;
            number[PRIM * n] = a->primID;
            number[GEOM * n] = a->geomID;
            number[INST * n] = a->context->instID[0];
        }
    }
}

static void clod_shadow(const struct RTCOccludedFunctionNArguments *a)
{
    float *ray = (float *)a->ray;
    for (unsigned i = 0; i < a->N; i++) {
        ty_k_clod_hit hit;
        if (a->valid[i] && clod_met(a->geometryUserPtr, ray, a->N, i, a->primID, &hit)) {
            ray[FAR * a->N + i] = -INFINITY;
        }
    }
}

tyi_render_shape *tyi_render_shape_clods(tyi_render_accel *a)
{
    tyi_render_shape *s = shape_make(a, RTC_GEOMETRY_TYPE_USER);
    if (s) {
        rtcSetGeometryUserData(s->geometry, s);
        rtcSetGeometryBoundsFunction(s->geometry, clod_bounds, NULL);
        rtcSetGeometryIntersectFunction(s->geometry, clod_hit);
        rtcSetGeometryOccludedFunction(s->geometry, clod_shadow);
    }
    return s;
}

void tyi_render_shape_set_clods(tyi_render_shape *s, const ty_k_scene_clod *clod, size_t n)
{
    s->clod = clod;
    rtcSetGeometryUserPrimitiveCount(s->geometry, (unsigned)n);
    rtcCommitGeometry(s->geometry);
    rtcCommitScene(s->scene);
}

void tyi_render_accel_split(tyi_render_accel *a, uint32_t first)
{
    a->split = first;
}

/* room for slots up to and with `at` */
static bool grow(tyi_render_accel *a, size_t at)
{
    slot *more = tyi_list_room(NULL, a->slot, a->slots, at + 1, &a->room, sizeof *more, 64);
    if (!more) {
        return false;
    }
    a->slot = more;
    a->slots = at >= a->slots ? at + 1 : a->slots;
    return true;
}

/* the slot's instance of the shape, shown and with its number of time steps; NULL: no memory */
static slot *instance(tyi_render_accel *a, uint32_t at, tyi_render_shape *shape, bool moving)
{
    if (!grow(a, at)) {
        return NULL;
    }
    slot *s = &a->slot[at];
    int which = at >= a->split;
    a->changed[which] = true;
    if (!s->geometry) {
        s->geometry = rtcNewGeometry(a->device, RTC_GEOMETRY_TYPE_INSTANCE);
        if (!s->geometry) {
            return NULL;
        }
        rtcAttachGeometryByID(a->top[which], s->geometry, at);
        s->shown = true;
        a->shown[which]++;
    }
    if (s->shape != shape) {
        rtcSetGeometryInstancedScene(s->geometry, shape->scene);
        s->shape = shape;
    }
    if (!s->shown) {
        rtcEnableGeometry(s->geometry);
        s->shown = true;
        a->shown[which]++;
    }
    if (s->moving != moving) {
        rtcSetGeometryTimeStepCount(s->geometry, moving ? 2 : 1);
        s->moving = moving;
    }
    return s;
}

bool tyi_render_accel_place(tyi_render_accel *a, uint32_t at, tyi_render_shape *shape, const float m[12])
{
    slot *s = instance(a, at, shape, false);
    if (s) {
        rtcSetGeometryTransform(s->geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, m);
        rtcCommitGeometry(s->geometry);
    }
    return s != NULL;
}

bool tyi_render_accel_place_moving(tyi_render_accel *a, uint32_t at, tyi_render_shape *shape, const float q[2][4],
                                   const float p[2][3])
{
    slot *s = instance(a, at, shape, true);
    for (unsigned k = 0; s && k < 2; k++) {
        struct RTCQuaternionDecomposition d;
        rtcInitQuaternionDecomposition(&d);
        rtcQuaternionDecompositionSetQuaternion(&d, q[k][0], q[k][1], q[k][2], q[k][3]);
        rtcQuaternionDecompositionSetTranslation(&d, p[k][0], p[k][1], p[k][2]);
        rtcSetGeometryTransformQuaternion(s->geometry, k, &d);
    }
    if (s) {
        rtcCommitGeometry(s->geometry);
    }
    return s != NULL;
}

void tyi_render_accel_hide(tyi_render_accel *a, uint32_t at)
{
    if (at < a->slots && a->slot[at].geometry && a->slot[at].shown) {
        rtcDisableGeometry(a->slot[at].geometry);
        a->slot[at].shown = false;
        a->changed[at >= a->split] = true;
        a->shown[at >= a->split]--;
    }
}

void tyi_render_accel_commit(tyi_render_accel *a)
{
    for (int k = 0; k < 2; k++) {
        if (a->changed[k]) {
            rtcCommitScene(a->top[k]);
            a->changed[k] = false;
        }
    }
}

void tyi_render_rays_init(tyi_render_rays *r)
{
    memset(r, 0, sizeof *r);
    for (unsigned i = 0; i < TYI_RENDER_LANES; i++) {
        r->mask[i] = 0xffffffffu;
        r->lane[i] = i;
    }
}

static struct RTCRayNp ray_pointers(tyi_render_rays *r)
{
    return (struct RTCRayNp){ r->ox, r->oy,   r->oz,  r->near, r->dx,   r->dy,
                              r->dz, r->time, r->far, r->mask, r->lane, r->flags };
}

void tyi_render_accel_hit(const tyi_render_accel *a, tyi_render_rays *r, unsigned n)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = r->coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    memset(r->slot, 0xff, n * sizeof r->slot[0]);
    memset(r->geom, 0xff, n * sizeof r->geom[0]);
    struct RTCRayHitNp all = { ray_pointers(r), { r->nx, r->ny, r->nz, r->u, r->v, r->prim, r->geom, { r->slot } } };
    for (int k = 0; k < 2; k++) {
        if (a->shown[k]) {
            rtcIntersectNp(a->top[k], &context, &all, n);
        }
    }
}

/* 8 rays at a time: a third faster than a stream of 16 on rays towards the Sun. (As COHERENT streams they would be
 * as fast, but those can hang with instances and 16 lanes.) */
static void occlude_packets(RTCScene scene, struct RTCIntersectContext *context, tyi_render_rays *r, unsigned n)
{
    enum { W = 8, BYTES = W * sizeof(float) };
    for (unsigned k = 0; k < n; k += W) {
        struct RTCRay8 p;
        _Alignas(32) int valid[W];
        int any = 0;
        for (unsigned i = 0; i < W; i++) {
            valid[i] = k + i < n && r->near[k + i] <= r->far[k + i] ? -1 : 0;
            any |= valid[i];
        }
        if (!any) {
            continue;
        }
        float *to[9] = { p.org_x, p.org_y, p.org_z, p.tnear, p.dir_x, p.dir_y, p.dir_z, p.time, p.tfar };
        const float *from[9] = { r->ox, r->oy, r->oz, r->near, r->dx, r->dy, r->dz, r->time, r->far };
        for (int i = 0; i < 9; i++) {
            memcpy(to[i], from[i] + k, BYTES);
        }
        memcpy(p.mask, r->mask + k, BYTES);
        memcpy(p.id, r->lane + k, BYTES);
        memcpy(p.flags, r->flags + k, BYTES);
        rtcOccluded8(valid, scene, context, &p);
        memcpy(r->far + k, p.tfar, BYTES);
    }
}

void tyi_render_accel_occlude(const tyi_render_accel *a, tyi_render_rays *r, unsigned n)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int k = 0; k < 2; k++) {
        if (a->shown[k]) {
            occlude_packets(a->top[k], &context, r, n);
        }
    }
}

void tyi_render_shape_occlude(const tyi_render_shape *s, tyi_render_rays *r, unsigned n)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayNp all = ray_pointers(r);
    rtcOccludedNp(s->scene, &context, &all, n);
}
