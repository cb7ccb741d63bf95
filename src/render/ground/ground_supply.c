/* src/render/ground/ground_supply.c - see ground_supply.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground_supply.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include "world/terrain/terrain.h"

#define T     TYI_RENDER_TILE_CELLS
#define RETRY 64 /* [frames] after which a failed tile is tried again */

enum { FREE, ASKED, MAKING, READY, FAILED };

struct tyi_render_supply {
    ty_terrain *terrain;
    const ty_alloc *alloc;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    bool stop;
    tyi_render_made *made;
    size_t room;
    uint64_t frame, finished; /* counts */
    ty_diag failure;
};

static ty_status make(tyi_render_supply *s, tyi_render_made *m, ty_diag *diag)
{
    int32_t i0 = m->x * T, j0 = m->y * T;
    float middle = 0.0f;
    ty_status status =
        tyi_terrain_region(s->terrain, m->level, i0 + T / 2, j0 + T / 2, 1, 1, 0.0, false, &middle, 1, diag);
    m->z0 = (double)middle;
    if (status == TY_OK) {
        status = tyi_terrain_region(s->terrain, m->level, i0 - 1, j0 - 1, TYI_RENDER_TILE_STRIDE,
                                    TYI_RENDER_TILE_STRIDE, m->z0, false, m->natural, 1, diag);
    }
    if (status == TY_OK && m->level + 1 < ty_terrain_levels(s->terrain)) {
        status = tyi_terrain_region(s->terrain, m->level + 1, m->x * (T / 2) - 2, m->y * (T / 2) - 2, TYI_RENDER_COARSE,
                                    TYI_RENDER_COARSE, m->z0, false, m->coarse, 1, diag);
    }
    return status;
}

/* what is next: of the latest frame the coarsest, then older wishes */
static tyi_render_made *next(tyi_render_supply *s)
{
    tyi_render_made *best = NULL;
    for (size_t i = 0; i < s->room; i++) {
        tyi_render_made *m = &s->made[i];
        if (m->state == ASKED &&
            (!best || m->asked > best->asked || (m->asked == best->asked && m->level > best->level))) {
            best = m;
        }
    }
    return best;
}

static void *worker(void *user)
{
    tyi_render_supply *s = user;
    pthread_mutex_lock(&s->lock);
    while (!s->stop) {
        tyi_render_made *m = next(s);
        if (!m) {
            pthread_cond_wait(&s->work, &s->lock);
            continue;
        }
        m->state = MAKING;
        pthread_mutex_unlock(&s->lock);
        ty_diag diag = { 0 };
        ty_status status = make(s, m, &diag);
        pthread_mutex_lock(&s->lock);
        m->state = status == TY_OK ? READY : FAILED;
        if (status != TY_OK) {
            s->failure = diag;
        }
        s->finished++;
        pthread_cond_broadcast(&s->done);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

tyi_render_supply *tyi_render_supply_start(ty_terrain *terrain, size_t room, const ty_alloc *alloc)
{
    tyi_render_supply *s = tyi_get(alloc, sizeof *s);
    if (!s) {
        return NULL;
    }
    *s = (tyi_render_supply){ .terrain = terrain, .alloc = alloc, .room = room, .frame = 1 };
    s->made = tyi_get(alloc, room * sizeof *s->made);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&s->done, &clock);
    pthread_condattr_destroy(&clock);
    if (!s->made || pthread_create(&s->thread, NULL, worker, s)) {
        tyi_put(alloc, s->made, room * sizeof *s->made);
        tyi_put(alloc, s, sizeof *s);
        return NULL;
    }
    return s;
}

void tyi_render_supply_stop(tyi_render_supply *s)
{
    if (!s) {
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->work);
    pthread_cond_destroy(&s->done);
    pthread_mutex_destroy(&s->lock);
    tyi_put(s->alloc, s->made, s->room * sizeof *s->made);
    tyi_put(s->alloc, s, sizeof *s);
}

void tyi_render_supply_frame(tyi_render_supply *s)
{
    pthread_mutex_lock(&s->lock);
    s->frame++;
    pthread_mutex_unlock(&s->lock);
}

/* The tile's place in the pool, asked for where it is not there; NULL: no room. Under the lock. */
static tyi_render_made *find(tyi_render_supply *s, int level, int32_t x, int32_t y)
{
    tyi_render_made *oldest = NULL;
    for (size_t i = 0; i < s->room; i++) {
        tyi_render_made *m = &s->made[i];
        if (m->state != FREE && m->level == level && m->x == x && m->y == y) {
            bool again = m->state == FAILED && s->frame > m->asked + RETRY;
            m->state = again ? ASKED : m->state;
            m->asked = m->state == FAILED ? m->asked : s->frame;
            return m;
        }
        if (m->state != MAKING && m->asked < s->frame && (!oldest || m->asked < oldest->asked)) {
            oldest = m;
        }
    }
    if (oldest) {
        oldest->level = level, oldest->x = x, oldest->y = y;
        oldest->state = ASKED;
        oldest->asked = s->frame;
        pthread_cond_signal(&s->work);
    }
    return oldest;
}

bool tyi_render_supply_take(tyi_render_supply *s, int level, int32_t x, int32_t y, tyi_render_plot *tile)
{
    pthread_mutex_lock(&s->lock);
    const tyi_render_made *m = find(s, level, x, y);
    bool ready = m && m->state == READY;
    if (ready) {
        memcpy(tile->natural, m->natural, sizeof m->natural);
        memcpy(tile->coarse, m->coarse, sizeof m->coarse);
        tile->x = x, tile->y = y, tile->z0 = m->z0;
        tile->known = true;
        tile->filled = false;
    }
    pthread_mutex_unlock(&s->lock);
    return ready;
}

bool tyi_render_supply_ask(tyi_render_supply *s, int level, int32_t x, int32_t y)
{
    pthread_mutex_lock(&s->lock);
    const tyi_render_made *m = find(s, level, x, y);
    bool ready = m && m->state == READY;
    pthread_mutex_unlock(&s->lock);
    return ready;
}

size_t tyi_render_supply_waiting(tyi_render_supply *s)
{
    size_t n = 0;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->room; i++) {
        n += s->made[i].state == ASKED || s->made[i].state == MAKING;
    }
    pthread_mutex_unlock(&s->lock);
    return n;
}

bool tyi_render_supply_wait(tyi_render_supply *s, double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double at = (double)end.tv_nsec * 1e-9 + seconds;
    end.tv_sec += (time_t)at;
    end.tv_nsec = (long)((at - (double)(time_t)at) * 1e9);
    if (tyi_render_supply_waiting(s) == 0) {
        return false;
    }
    pthread_mutex_lock(&s->lock);
    uint64_t before = s->finished;
    int rc = 0;
    while (s->finished == before && rc == 0) {
        rc = pthread_cond_timedwait(&s->done, &s->lock, &end);
    }
    bool more = s->finished != before;
    pthread_mutex_unlock(&s->lock);
    return more;
}

ty_status tyi_render_supply_failure(tyi_render_supply *s, ty_diag *diag)
{
    pthread_mutex_lock(&s->lock);
    ty_status status = s->failure.status;
    if (status != TY_OK && diag) {
        *diag = s->failure;
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}
