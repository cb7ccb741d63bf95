/* Kinds of ground: what they ask for comes back, and a site without a kind stays as it was.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "core/core.h"
#include "tycho/terrain.h"

static ty_terrain *make(ty_terrain_def def)
{
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    ty_terrain_create(&def, &t, &diag);
    cr_assert(t, "%s", diag.text);
    return t;
}

static uint64_t tiles_hash(ty_terrain *t)
{
    static float h[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    uint64_t hash = TYI_HASH_START;
    for (int k = 0; k < 12; k++) {
        double z0;
        cr_assert(ty_terrain_tile(t, k % 4 * 3, k % 5 - 2, k / 5 - 1, h, &z0, NULL) == TY_OK);
        hash = tyi_hash(h, sizeof h, tyi_hash(&z0, sizeof z0, hash));
    }
    return hash;
}

/* A user's site that names its relief and no kind has the heights it had before there were kinds. */
TY_TEST(kind, sites_without_one_keep_their_heights)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.seed = 44;
    def.relief = (ty_relief_def){ .rms_slope_deg = 3.5, .baseline = 5.0, .hurst = 0.85, .outer = 2000.0 };
    def.crater.age = 3.2;
    ty_terrain *t = make(def);
    TY_CHECK(tiles_hash(t) == 0xe924eaac98f274fbu);
    static ty_rock rock[1024];
    size_t n = ty_terrain_rocks(t, (ty_rect){ -10.0, -10.0, 10.0, 10.0 }, 0.0, 10.0, rock, 1024);
    uint64_t hash = TYI_HASH_START;
    for (size_t i = 0; i < n; i++) {
        double v[7] = { rock[i].x,   rock[i].y,      rock[i].diameter,     rock[i].scale,
                        rock[i].yaw, rock[i].burial, (double)rock[i].shape };
        hash = tyi_hash(&rock[i].id, sizeof rock[i].id, tyi_hash(v, sizeof v, hash));
    }
    printf("%zu %llx\n", n, (unsigned long long)hash);
    ty_terrain_destroy(t);
}
