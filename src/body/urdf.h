/* src/body/urdf.h - a URDF file made ready for the multibody library.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_URDF_H
#define TYI_BODY_URDF_H
#include "io/document.h"
#include "tycho/body.h"

/* Whether a model's path ends in .urdf (any case). */
bool tyi_body_urdf_is(const char *path);

/* The file's text with its root link `root` on a floating joint below the world (unless it is a
 * child in the file already), fixed links kept as bodies of their own, and visual shapes kept. The
 * caller frees it: tyi_put(alloc, data, capacity). TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT,
 * TY_ERR_MEMORY. */
ty_status tyi_body_urdf_read(const char *path, const char *root, const ty_alloc *alloc, tyi_io_bytes *out,
                             ty_diag *diag);

/* The first link of a URDF file that is no joint's child, into `root`. The same statuses. */
ty_status tyi_body_urdf_root(const char *path, const ty_alloc *alloc, char root[TY_NAME_MAX], ty_diag *diag);

#endif
