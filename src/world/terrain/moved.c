/* src/world/terrain/moved.c - see moved.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "moved.h"
#include <math.h>
#include <string.h>
#include "core/core.h"

/* where an id is, or belongs */
static size_t place_of(const tyi_terrain_moved *m, uint64_t id)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (m->rock[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const ty_rock *tyi_terrain_moved_find(const tyi_terrain_moved *m, uint64_t id)
{
    size_t at = m ? place_of(m, id) : 0;
    return m && at < m->count && m->rock[at].id == id ? &m->rock[at] : NULL;
}

static bool make_room(tyi_terrain_moved *m, size_t need)
{
    if (need <= m->room) {
        return true;
    }
    size_t room = need + need / 2 + 16;
    ty_rock *rock = tyi_get(m->alloc, room * sizeof *rock);
    if (!rock) {
        return false;
    }
    if (m->count) {
        memcpy(rock, m->rock, m->count * sizeof *rock);
    }
    tyi_put(m->alloc, m->rock, m->room * sizeof *rock);
    m->rock = rock, m->room = room;
    return true;
}

static ty_status check(const ty_rock *r, ty_diag *diag)
{
    bool finite = isfinite(r->x) && isfinite(r->y) && isfinite(r->yaw);
    if (r->id && finite && r->shape < TY_ROCK_SHAPES && r->diameter > 0.0 && r->scale >= 0.0 && r->burial >= 0.0 &&
        r->burial <= 4.0) {
        return TY_OK;
    }
    return ty_fail(
        diag, TY_ERR_RANGE,
        "terrain edit: rock %llu at (%g, %g) m, burial %g, is none that can lie there (place finite, burial 0 to 4)",
        (unsigned long long)r->id, r->x, r->y, r->burial);
}

ty_status tyi_terrain_moved_put(tyi_terrain_moved *m, const ty_rock *rock, ty_diag *diag)
{
    ty_status status = check(rock, diag);
    if (status != TY_OK) {
        return status;
    }
    size_t at = place_of(m, rock->id);
    if (at == m->count || m->rock[at].id != rock->id) {
        if (!make_room(m, m->count + 1)) {
            return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for a moved rock");
        }
        memmove(m->rock + at + 1, m->rock + at, (m->count - at) * sizeof *m->rock);
        m->count++;
    }
    /* field by field onto zeros: bytes between the fields are saved as well */
    ty_rock *to = memset(&m->rock[at], 0, sizeof *to);
    to->x = rock->x, to->y = rock->y, to->diameter = rock->diameter, to->scale = rock->scale;
    to->yaw = rock->yaw, to->burial = rock->burial, to->shape = rock->shape, to->id = rock->id;
    m->version++;
    m->largest = fmax(m->largest, nextafter(rock->diameter, HUGE_VAL));
    return TY_OK;
}

ty_status tyi_terrain_moved_load(tyi_terrain_moved *m, const ty_rock *rocks, size_t count, ty_diag *diag)
{
    ty_status status = TY_OK;
    m->version += m->count || count ? 1 : 0;
    m->count = 0;
    m->largest = 0.0;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = tyi_terrain_moved_put(m, &rocks[i], diag);
    }
    return status;
}

void tyi_terrain_moved_free(tyi_terrain_moved *m)
{
    tyi_put(m->alloc, m->rock, m->room * sizeof *m->rock);
    m->rock = NULL;
    m->count = m->room = 0;
}
