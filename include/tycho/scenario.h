/* include/tycho/scenario.h - a scenario file: where, when, on what ground. Keys: docs/reference.md
 *
 * A scenario is a plain struct of definitions. It is read once, checked as a whole, and not changed
 * by what is made from it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SCENARIO_H
#define TYCHO_SCENARIO_H
#include <stdio.h>
#include "tycho/base.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

typedef struct ty_scenario {
    int version;            /* of the file's format */
    char name[64];          /* letters, digits, '_', '-' and '.'; names the output folder */
    char start_utc[40];     /* YYYY-MM-DDThh:mm:ss[.fraction] */
    ty_terrain_def terrain; /* lat and lon are the site's; base is left empty, see base_path */
    char base_path[4096]; /* raster that the terrain stands on, relative to the working folder; "":
                             none */
    size_t keys;          /* how many keys the file and the settings gave */
} ty_scenario;

TY_API ty_scenario ty_scenario_default(void);

/* Reads and checks a file. settings are `count` texts "a.b=c" that override its keys (elements of
 * lists by index: a.0.b=c) and meet the same checks. On success the caller owns *out; on failure
 * *out is NULL and diag holds one sentence: file:line:column (or the setting), key, value, what is
 * accepted. TY_ERR_FILE, TY_ERR_FORMAT (not YAML), TY_ERR_INPUT (key or kind of value),
 * TY_ERR_RANGE, TY_ERR_MEMORY. */
TY_API ty_status ty_scenario_load(const char *path, const char *const *settings, size_t count,
                                  ty_scenario **out, ty_diag *diag);
TY_API void ty_scenario_destroy(ty_scenario *scenario); /* NULL is allowed */

/* Writes the reference page of all keys as Markdown (docs/reference.md). TY_ERR_FILE,
 * TY_ERR_MEMORY. */
TY_API ty_status ty_scenario_reference(FILE *out, ty_diag *diag);

TY_END_DECLS
#endif
