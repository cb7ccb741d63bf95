/* include/tycho/tools/cloud_file.h - point clouds as files and as pictures.
 *
 * Files hold the points that are there, in the buffer's order, and appear whole or not at all.
 * Statuses: TY_ERR_INPUT (not a cloud, or a path whose ending says no format), TY_ERR_FILE,
 * TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_CLOUD_FILE_H
#define TYCHO_CLOUD_FILE_H
#include "tycho/buffer.h"
TY_BEGIN_DECLS

typedef enum ty_cloud_format {
    TY_CLOUD_BY_ENDING, /* .pcd (binary), .ply or .csv */
    TY_CLOUD_PCD,       /* Point Cloud Data 0.7, binary; x, y, z are single precision, as its readers
                     expect: within 1 mm up to 10 km from the frame's origin */
    TY_CLOUD_PCD_ASCII,
    TY_CLOUD_PLY, /* binary, little-endian; x, y, z double */
    TY_CLOUD_CSV
} ty_cloud_format;

/* Fields: x, y, z [m], intensity [-], range [m], time [s] after the scan's start, ring, return (0 first), label. */
TY_API ty_status ty_cloud_write(const char *path, ty_cloud_format format, const ty_buffer *points, ty_diag *diag);

/* A picture of two views: from above, with rings around the frame's origin, and from behind and
 * above (a cloud in W: from the south). */
typedef enum ty_cloud_color { TY_CLOUD_HEIGHT, TY_CLOUD_INTENSITY } ty_cloud_color;
TY_API ty_status ty_cloud_draw(const char *path, const ty_buffer *points, ty_cloud_color color, const char *title,
                               ty_diag *diag);

TY_END_DECLS
#endif
