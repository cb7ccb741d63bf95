/* app/terrain_layers.c - `tycho terrain layers`: where the rasters of a scenario disagree, and by how much.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "terrain.h"
#include "terrain_site.h"

static void print(const ty_world_layer_report *r, int k)
{
    printf("%d  %s\n   %.6g m between samples", k + 1, r->path, r->spacing);
    if (r->samples <= 0.0) {
        printf("; nothing lies below it\n");
        return;
    }
    printf(", within %.3g km of %.4f, %.4f deg\n", r->reach * TY_MOON_RADIUS / 1e3, r->lat / TY_DEG, r->lon / TY_DEG);
    printf("   over what lies below, %.0f places: mean %+.1f m, rms %.1f m, %.2g %% of them by more than 50 m\n",
           r->samples, r->mean, r->rms, 100.0 * r->share50);
    printf("   lowest %+.1f m at %.4f, %.4f deg; highest %+.1f m at %.4f, %.4f deg\n", r->low, r->low_at[0] / TY_DEG,
           r->low_at[1] / TY_DEG, r->high, r->high_at[0] / TY_DEG, r->high_at[1] / TY_DEG);
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    app_site site = { 0 };
    if (app_site_open(&site, &argc, argv, &diag) == TY_OK && app_rest(argc, argv, 0, &diag) == TY_OK) {
        if (!ty_world_layers(site.world)) {
            ty_fail(&diag, TY_ERR_INPUT, "%s has no planet.layers", site.path);
        }
        for (int k = 0; k < ty_world_layers(site.world) && diag.status == TY_OK; k++) {
            ty_world_layer_report r;
            if (ty_world_layer(site.world, k, &r, &diag) == TY_OK) {
                print(&r, k);
            }
        }
    }
    app_site_close(&site);
    return diag.status == TY_OK ? APP_OK : app_bad("terrain layers", "%s.", diag.text);
}

const app_command app_terrain_layers = {
    "layers",
    "where the rasters of a scenario disagree, and by how much",
    "usage: tycho terrain layers SCENARIO [--set KEY=VALUE]\n\n"
    "Compares every raster of planet.layers with those below it, both smoothed to the coarser spacing.\n\n"
    "example: tycho terrain layers scenarios/whole_moon.yaml\n",
    run,
};
