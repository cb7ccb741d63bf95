/* src/soil/window.c - the window of terrain that follows a carrier.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "world.h"
#include "world/terrain/patch.h"

#define MARGIN 1.0 /* [m] kept between the rover and the window's edge, so that a step never looks beyond it */

void tyi_soil_ground_init(tyi_soil_world *world, tyi_soil_ground *g, double reach)
{
    g->reach = reach + MARGIN;
    double side = 2.0 * (2.0 * g->reach) / world->site.spacing; /* as far again as the rover needs, on every side */
    g->side = (int32_t)fmin(fmax(side, 64.0), 4096.0);
}

bool tyi_soil_ground_holds(const tyi_soil_ground *g, double x, double y)
{
    if (!g->patch) {
        return false;
    }
    ty_rect r = ty_terrain_patch_rect(g->patch);
    return x - g->reach > r.x0 && x + g->reach < r.x1 && y - g->reach > r.y0 && y + g->reach < r.y1;
}

void tyi_soil_ground_around(const tyi_soil_world *world, const tyi_soil_ground *g, double x, double y, int32_t *i0,
                            int32_t *j0)
{
    double half = 0.5 * g->side;
    *i0 = (int32_t)(round(x) / world->site.spacing - half);
    *j0 = (int32_t)(round(y) / world->site.spacing - half);
}

ty_status tyi_soil_ground_move(const tyi_soil_world *world, tyi_soil_ground *g, int32_t i0, int32_t j0, bool *moved,
                               ty_diag *diag)
{
    *moved = false;
    if (g->patch && g->i0 == i0 && g->j0 == j0) {
        return TY_OK;
    }
    ty_terrain_patch *made;
    ty_status status =
        ty_terrain_patch_create(world->site.terrain, world->site.level, i0, j0, g->side, g->side, 1, &made, diag);
    if (status == TY_OK && g->rocks) {
        status = ty_terrain_patch_add_rocks(made, g->rock_min, diag);
        if (status != TY_OK) {
            ty_terrain_patch_destroy(made);
        }
    }
    if (status == TY_OK) {
        ty_terrain_patch_destroy(g->patch);
        g->patch = made, g->i0 = i0, g->j0 = j0;
        *moved = true;
    }
    return status;
}

void tyi_soil_ground_heights(const tyi_soil_world *world, int carrier, size_t n, const double *x, const double *y,
                             ty_terrain_ground *out)
{
    const ty_terrain_patch *patch = world->rider[carrier]->ground.patch;
    for (size_t i = 0, same; i < n; i += same) {
        bool surface = world->layer[tyi_soil_at_place(world, x[i], y[i])].model->surface;
        for (same = 1; i + same < n; same++) {
            if (world->regions &&
                world->layer[tyi_soil_at_place(world, x[i + same], y[i + same])].model->surface != surface) {
                break;
            }
        }
        (surface ? ty_terrain_patch_sample : tyi_terrain_patch_sample_natural)(patch, same, x + i, y + i, out + i);
    }
}
