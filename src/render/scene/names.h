/* src/render/scene/names.h - the names of one table of kinds: built-in rows first, then a program's own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_NAMES_H
#define TYI_RENDER_NAMES_H
#include <pthread.h>
#include "tycho/base.h"

#define TYI_RENDER_MOST_OWN 64

/* The one kind of state that a process shares: a program's own rows must have the same numbers in every scene and
 * camera, and names in files. Rows are only ever added. */
typedef struct tyi_render_names {
    const char *what;            /* "lens", for messages */
    const char *const *built_in; /* ends with NULL */
    pthread_mutex_t lock;
    int count; /* of own rows */
    char own[TYI_RENDER_MOST_OWN][32];
} tyi_render_names;

/* Takes a name; fill(user, row) stores the row while nobody else looks. *out: the kind's number. */
ty_status tyi_render_names_add(tyi_render_names *names, const char *name, bool complete,
                               void (*fill)(int row, const void *user), const void *user, int *out, ty_diag *diag);
bool tyi_render_names_find(tyi_render_names *names, const char *name, int *out);
const char *tyi_render_names_of(tyi_render_names *names, int kind); /* "": none */
bool tyi_render_names_known(tyi_render_names *names, int kind);

#endif
