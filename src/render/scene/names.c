/* src/render/scene/names.c - see names.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"
#include <stdio.h>
#include <string.h>

static int built_in(const tyi_render_names *n)
{
    int count = 0;
    while (n->built_in[count]) {
        count++;
    }
    return count;
}

static int find(const tyi_render_names *n, const char *name)
{
    int first = built_in(n);
    for (int i = 0; i < first + n->count; i++) {
        if (!strcmp(name, i < first ? n->built_in[i] : n->own[i - first])) {
            return i;
        }
    }
    return -1;
}

ty_status tyi_render_names_add(tyi_render_names *n, const char *name, bool complete,
                               void (*fill)(int row, const void *user), const void *user, int *out, ty_diag *diag)
{
    if (!name || !name[0] || strlen(name) >= sizeof n->own[0] || !complete) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "%s: '%.40s' cannot be registered; it takes a name of 1 to %zu characters and all of its functions",
            n->what, name ? name : "", sizeof n->own[0] - 1);
    }
    ty_status status = TY_OK;
    pthread_mutex_lock(&n->lock);
    if (find(n, name) >= 0) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: there is a '%s' already", n->what, name);
    } else if (n->count == TYI_RENDER_MOST_OWN) {
        status = ty_fail(diag, TY_ERR_RANGE, "%s: %d are registered already, which is the most", n->what,
                         TYI_RENDER_MOST_OWN);
    } else {
        snprintf(n->own[n->count], sizeof n->own[0], "%s", name);
        fill(n->count, user);
        *out = built_in(n) + n->count++;
    }
    pthread_mutex_unlock(&n->lock);
    return status;
}

bool tyi_render_names_find(tyi_render_names *n, const char *name, int *out)
{
    pthread_mutex_lock(&n->lock);
    int at = find(n, name);
    pthread_mutex_unlock(&n->lock);
    *out = at >= 0 ? at : *out;
    return at >= 0;
}

const char *tyi_render_names_of(tyi_render_names *n, int kind)
{
    int first = built_in(n);
    pthread_mutex_lock(&n->lock);
    const char *name = kind < 0 || kind >= first + n->count ? ""
                       : kind < first                       ? n->built_in[kind]
                                                            : n->own[kind - first];
    pthread_mutex_unlock(&n->lock);
    return name;
}

bool tyi_render_names_known(tyi_render_names *n, int kind)
{
    return tyi_render_names_of(n, kind)[0] != '\0';
}
