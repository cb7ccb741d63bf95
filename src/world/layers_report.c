/* src/world/layers_report.c - by how much rasters that lie over each other disagree.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "layers.h"
#include "tycho/world.h"
#include "io/rasters.h"

#define SIDE 256 /* places along each side of the raster, at most */

/* one row of places; a global map is compared between 85 deg south and north only: at the poles its columns crowd */
static ty_status compare_row(const tyi_world_layers *all, int k, double v, double spacing, ty_world_layer_report *out,
                             ty_diag *diag)
{
    const tyi_world_layer *l = &all->layer[k];
    const tyi_io_raster_info *info = tyi_io_raster_get_info(l->raster);
    double x[SIDE], y[SIDE], lat[SIDE], lon[SIDE], own[SIDE], below[SIDE];
    for (int i = 0; i < SIDE; i++) {
        x[i] = (i + 0.5) / SIDE * info->width, y[i] = v * info->height;
    }
    ty_status status = tyi_io_raster_place(l->raster, SIDE, x, y, lat, lon, diag);
    if (status == TY_OK) {
        status = tyi_io_raster_sample(l->raster, SIDE, lat, lon, spacing, own, diag);
    }
    if (status == TY_OK) {
        status = tyi_world_layers_heights(all, k, SIDE, lat, lon, spacing, below, diag);
    }
    for (int i = 0; i < SIDE && status == TY_OK; i++) {
        double d = own[i] - below[i];
        if (isnan(d) || (info->wraps && fabs(lat[i]) > 85.0 * TY_DEG)) {
            continue;
        }
        out->samples += 1.0;
        out->mean += d, out->rms += d * d;
        out->share50 += fabs(d) > 50.0;
        if (d < out->low) {
            out->low = d, out->low_at[0] = lat[i], out->low_at[1] = lon[i];
        }
        if (d > out->high) {
            out->high = d, out->high_at[0] = lat[i], out->high_at[1] = lon[i];
        }
    }
    return status;
}

ty_status tyi_world_layers_report(const tyi_world_layers *all, int k, ty_world_layer_report *out, ty_diag *diag)
{
    const tyi_world_layer *l = &all->layer[k];
    *out = (ty_world_layer_report){ .path = l->path,
                                    .spacing = tyi_io_raster_get_info(l->raster)->spacing,
                                    .lat = l->lat,
                                    .lon = l->lon,
                                    .reach = l->reach,
                                    .low = INFINITY,
                                    .high = -INFINITY };
    ty_status status = TY_OK;
    double spacing = k > 0 ? tyi_io_raster_get_info(all->layer[k - 1].raster)->spacing : 0.0;
    for (int j = 0; j < SIDE && k > 0 && status == TY_OK; j++) {
        status = compare_row(all, k, (j + 0.5) / SIDE, spacing, out, diag);
    }
    double n = fmax(out->samples, 1.0);
    out->mean /= n;
    out->rms = sqrt(out->rms / n);
    out->share50 /= n;
    return status;
}
