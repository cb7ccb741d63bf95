/* src/render/host/no_accel.c - in place of embree_accel.c where there is no Embree: shapes without anything behind them,
 * that no ray meets. Frames come from the kernels (src/render/gpu).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "accel.h"

struct tyi_render_shape {
    int cells;
};
struct tyi_render_accel {
    int none;
};

bool tyi_render_accel_works(void)
{
    return false;
}
tyi_render_accel *tyi_render_accel_create(void)
{
    return calloc(1, sizeof(tyi_render_accel));
}
void tyi_render_accel_destroy(tyi_render_accel *a)
{
    free(a);
}
static tyi_render_shape *shape(int cells)
{
    tyi_render_shape *s = calloc(1, sizeof *s);
    if (s) {
        s->cells = cells;
    }
    return s;
}
tyi_render_shape *tyi_render_shape_grid(tyi_render_accel *a, int cells)
{
    (void)a;
    return shape(cells);
}
void tyi_render_shape_set_grid(tyi_render_shape *s, double spacing, const float *z, int stride)
{
    (void)s, (void)spacing, (void)z, (void)stride;
}
void tyi_render_shape_set_points(tyi_render_shape *s, const float *point)
{
    (void)s, (void)point;
}
tyi_render_shape *tyi_render_shape_mesh(tyi_render_accel *a, const float *vertex, size_t vertices,
                                        const uint32_t *triangle, size_t triangles)
{
    (void)a, (void)vertex, (void)vertices, (void)triangle, (void)triangles;
    return shape(0);
}
tyi_render_shape *tyi_render_shape_sphere(tyi_render_accel *a, float radius)
{
    (void)a, (void)radius;
    return shape(0);
}
tyi_render_shape *tyi_render_shape_clods(tyi_render_accel *a)
{
    (void)a;
    return shape(0);
}
void tyi_render_shape_set_clods(tyi_render_shape *s, const struct ty_k_scene_clod *clod, size_t n)
{
    (void)s, (void)clod, (void)n;
}
void tyi_render_shape_destroy(tyi_render_shape *s)
{
    free(s);
}
void tyi_render_accel_split(tyi_render_accel *a, uint32_t first)
{
    (void)a, (void)first;
}
bool tyi_render_accel_place(tyi_render_accel *a, uint32_t slot, tyi_render_shape *s, const float m[12])
{
    (void)a, (void)slot, (void)s, (void)m;
    return true;
}
bool tyi_render_accel_place_moving(tyi_render_accel *a, uint32_t slot, tyi_render_shape *s, const float q[2][4],
                                   const float p[2][3])
{
    (void)a, (void)slot, (void)s, (void)q, (void)p;
    return true;
}
void tyi_render_accel_hide(tyi_render_accel *a, uint32_t slot)
{
    (void)a, (void)slot;
}
void tyi_render_accel_commit(tyi_render_accel *a)
{
    (void)a;
}
void tyi_render_rays_init(tyi_render_rays *r)
{
    memset(r, 0, sizeof *r);
}
void tyi_render_accel_hit(const tyi_render_accel *a, tyi_render_rays *r, unsigned n)
{
    (void)a;
    memset(r->slot, 0xff, n * sizeof r->slot[0]);
}
void tyi_render_accel_occlude(const tyi_render_accel *a, tyi_render_rays *r, unsigned n)
{
    (void)a, (void)r, (void)n;
}
void tyi_render_shape_occlude(const tyi_render_shape *s, tyi_render_rays *r, unsigned n)
{
    (void)s, (void)r, (void)n;
}
