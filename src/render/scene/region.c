/* src/render/scene/region.c - parts of the ground made of something else: circles and polygons.
 *
 * Their borders are in W, in double: this file has the kernels in double.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scene.h"

ty_status tyi_render_region_add(ty_scene *s, const ty_ground_region *d, ty_diag *diag)
{
    bool polygon = d->point != NULL;
    if (s->regions == TYI_RENDER_MOST_REGIONS || !(d->edge >= 0.0 && d->edge < 1e6) ||
        (!polygon && !(d->radius > 0.0 && d->radius < 1e7)) || (polygon && (d->points < 3 || d->points > 4096))) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "ground: a region takes a radius above 0 or 3 to 4096 corners, an edge from 0, and there are at most %d",
            TYI_RENDER_MOST_REGIONS);
    }
    tyi_render_region *r = &s->region[s->regions];
    *r = (tyi_render_region){ .x = d->x,
                              .y = d->y,
                              .radius = d->radius,
                              .edge = d->edge,
                              .box = { d->x - d->radius, d->x + d->radius, d->y - d->radius, d->y + d->radius } };
    tyi_render_vary_from(&d->material, &r->own);
    s->regions++;
    if (polygon) {
        r->point = tyi_get(s->def.alloc, 2 * d->points * sizeof(double));
        if (!r->point) {
            return ty_fail(diag, TY_ERR_MEMORY, "ground: no memory for a polygon of %zu corners", d->points);
        }
        r->points = d->points;
        memcpy(r->point, d->point, 2 * d->points * sizeof(double));
        r->box[0] = r->box[2] = INFINITY, r->box[1] = r->box[3] = -INFINITY;
        for (size_t i = 0; i < 2 * d->points; i++) {
            double *box = r->box + 2 * (i % 2);
            box[0] = fmin(box[0], d->point[i]), box[1] = fmax(box[1], d->point[i]);
        }
    }
    return TY_OK;
}
