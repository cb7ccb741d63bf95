/* include/tycho/tools/check.h - is a file what Tycho takes? It is told what kind of file it is, loaded by the code
 * that a run uses, and summed up in a few lines.
 *
 * Kinds: scenarios, rovers (YAML, and the MJCF or URDF file by itself), soils, data sets, every sensor of
 * models/sensors, tables in CSV (commands over time, trajectories, beams, measured wheels), models (OBJ, glTF),
 * pictures (PNG, JPEG), labels (COCO), elevation rasters. A YAML file is of the kind that knows most of its keys, a
 * CSV file of the one that knows most of its columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_CHECK_H
#define TYCHO_CHECK_H
#include <stdio.h>
#include "tycho/base.h"
TY_BEGIN_DECLS

/* Writes "PATH: ok (what it is)" and the lines of its summary, each indented by two, to `out`; nothing on failure.
 * settings are `count` texts "key=value" that override keys of a YAML file; a rover takes none. A rover is put on
 * level ground with nominal lunar soil and driven there for some seconds of simulated time; the files that a
 * scenario names are loaded as well. What the loaders return; TY_ERR_INPUT where no kind knows any of its keys;
 * TY_ERR_NUMERIC: a rover that no step moves. */
TY_API ty_status ty_check_file(const char *path, const char *const *settings, size_t count, FILE *out, ty_diag *diag);

TY_END_DECLS
#endif
