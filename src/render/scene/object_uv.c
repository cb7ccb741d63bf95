/* src/render/scene/object_uv.c - texture coordinates of meshes and spheres, and the axes that normal maps stand in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "scene.h"

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool unit(float *v)
{
    float size = sqrtf(dot(v, v));
    for (int c = 0; c < 3; c++) {
        v[c] /= size > 0.0f ? size : 1.0f;
    }
    return size > 0.0f;
}

typedef struct corner_changes { /* from the first corner of a triangle to the others */
    float e1[3], e2[3];         /* [m] */
    float u1, v1, u2, v2;       /* [-] */
    float det;                  /* u1 v2 - u2 v1 */
} corner_changes;

static corner_changes changes(const tyi_render_object *o, uint32_t prim)
{
    const uint32_t *t = o->index + 3 * prim;
    const float *p = o->vertex, *uv = o->uv;
    corner_changes d = { .u1 = uv[2 * t[1]] - uv[2 * t[0]],
                         .v1 = uv[2 * t[1] + 1] - uv[2 * t[0] + 1],
                         .u2 = uv[2 * t[2]] - uv[2 * t[0]],
                         .v2 = uv[2 * t[2] + 1] - uv[2 * t[0] + 1] };
    for (uint32_t c = 0; c < 3; c++) {
        d.e1[c] = p[3 * t[1] + c] - p[3 * t[0] + c];
        d.e2[c] = p[3 * t[2] + c] - p[3 * t[0] + c];
    }
    d.det = d.u1 * d.v2 - d.u2 * d.v1;
    return d;
}

float tyi_render_object_uv(const tyi_render_object *o, const tyi_render_rays *r, int k, float uv[2])
{
    uv[0] = uv[1] = 0.0f;
    if (!o->vertex) {
        float n[3] = { r->nx[k], r->ny[k], r->nz[k] };
        unit(n);
        uv[0] = 0.5f + atan2f(n[1], n[0]) / (2.0f * (float)TY_PI);
        uv[1] = acosf(fminf(fmaxf(n[2], -1.0f), 1.0f)) / (float)TY_PI;
        /* sqrt(1 / (2 pi^2)): the whole texture on a square as large as the map's */
        return (float)(1.0 / (4.44 * o->radius));
    }
    if (!o->uv) {
        return 0.0f;
    }
    const uint32_t *t = o->index + 3 * r->prim[k];
    float w[3] = { 1.0f - r->u[k] - r->v[k], r->u[k], r->v[k] };
    for (int c = 0; c < 3; c++) {
        uv[0] += w[c] * o->uv[2 * t[c]];
        uv[1] += w[c] * o->uv[2 * t[c] + 1];
    }
    corner_changes d = changes(o, r->prim[k]);
    float cross[3] = { d.e1[1] * d.e2[2] - d.e1[2] * d.e2[1], d.e1[2] * d.e2[0] - d.e1[0] * d.e2[2],
                       d.e1[0] * d.e2[1] - d.e1[1] * d.e2[0] };
    float area = sqrtf(dot(cross, cross));
    return area > 0.0f ? sqrtf(fabsf(d.det) / area) : 0.0f;
}

bool tyi_render_object_axes(const tyi_render_object *o, const tyi_render_rays *r, int k, const float n[3],
                            float along[3], float up[3])
{
    float down[3] = { 0.0f, 0.0f, -1.0f };
    if (!o->vertex) {
        along[0] = -n[1], along[1] = n[0], along[2] = 0.0f;
    } else if (!o->uv) {
        return false;
    } else {
        corner_changes d = changes(o, r->prim[k]);
        if (!(fabsf(d.det) > 0.0f)) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            along[c] = (d.e1[c] * d.v2 - d.e2[c] * d.v1) / d.det;
            down[c] = (d.e2[c] * d.u1 - d.e1[c] * d.u2) / d.det;
        }
    }
    float out = dot(along, n);
    for (int c = 0; c < 3; c++) {
        along[c] -= out * n[c];
    }
    if (!unit(along)) {
        return false;
    }
    up[0] = n[1] * along[2] - n[2] * along[1], up[1] = n[2] * along[0] - n[0] * along[2],
    up[2] = n[0] * along[1] - n[1] * along[0];
    float side = dot(up, down) > 0.0f ? -1.0f : 1.0f; /* mirrored textures */
    for (int c = 0; c < 3; c++) {
        up[c] *= side;
    }
    return true;
}
