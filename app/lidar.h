/* app/lidar.h - what the files of `tycho lidar` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_LIDAR_H
#define TYCHO_APP_LIDAR_H
#include "tycho/tools/lidar_scan.h"

/* Histogram of the photons that a SPAD in the lidar's place would count in one beam, from the hits of the lidar's
 * last scan: a picture (.png) or a table (.csv). column, row: of the lidar's image. */
ty_status lidar_photons(const char *path, ty_lidar *lidar, const ty_lidar_rays *rays, int column, int row,
                        ty_diag *diag);

#endif
