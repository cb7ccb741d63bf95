/* tests/unit/dust/dust_support.c - see dust_support.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust_support.h"

ty_terrain_def plane_def(double extent)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.extent = extent;
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    return def;
}

world world_make(const ty_terrain_def *ground, ty_dust_params params, tyi_dust_def what)
{
    world w = { .t = 0.0 };
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_create(ground, &w.terrain, &diag) == TY_OK, "%s", diag.text);
    params.on = true;
    what.params = params, what.gravity = G, what.terrain = w.terrain, what.seed = 7;
    cr_assert(tyi_dust_create(&what, &w.dust, &diag) == TY_OK, "%s", diag.text);
    return w;
}

void world_end(world *w)
{
    tyi_dust_destroy(w->dust);
    ty_terrain_destroy(w->terrain);
}

void world_step(world *w, const tyi_dust_jet *jet, const tyi_dust_seed *seed, size_t seeds)
{
    ty_diag diag = { 0 };
    double to = w->t + 0.02;
    tyi_dust_also(w->dust, jet, seed, seeds);
    cr_assert(tyi_dust_step(w->dust, w->t, to, w->wheel, w->box, &diag) == TY_OK, "%s", diag.text);
    w->t = to;
}

double world_whole(const world *w)
{
    tyi_dust_ledger l = tyi_dust_get_ledger(w->dust);
    return (l.airborne + l.ground + l.rovers + l.objects + l.out) / l.emitted;
}
