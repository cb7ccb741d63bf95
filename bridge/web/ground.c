/* bridge/web/ground.c - tiles of ground for those who look, made on a thread of their own from a second ground that is told of
 * the run's edits.
 *
 * A tile has 128 cells of its level and comes with one more sample all around, so that slopes at its edge are right. Its rocks
 * are those of 2 to 4 cells: who draws a tile together with all that it lies in has every rock of 2 cells and more.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "web.h"
#include "world/terrain/inner.h"

#define ROCKS   1024
#define FAR     400000.0 /* [m] from the site: beyond, the lattice bends round the Moon */
#define EDITS   256      /* rectangles on their way to the thread */
#define FINE    6        /* levels above that of edits to which they are shown */
#define IN_HAND 24       /* messages that may wait for a client before it gets more tiles */

typedef struct wishes {
    uint32_t client; /* 0: the place is free */
    int32_t tile[TYI_WEB_WISHES][3];
    int count, next;
} wishes;

typedef struct edit {
    int32_t rect[4];
    float *change;
    uint8_t *trace;
} edit;

struct tyi_web_ground {
    const ty_scenario *scenario;
    tyi_web_server *server;
    /* the ground with its edits, for fine tiles; and as it was, for coarse ones: there edits are too small to be seen, and the
     * terrain takes long to find that out */
    ty_world *world, *plain;
    bool edited;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool started, stop, reset;
    wishes wish[TYI_WEB_CLIENTS];
    edit edit[EDITS];
    int edits;
    ty_rock *came; /* the newest list of rocks that are not where they were generated; NULL: none has come since */
    size_t comes;
    uint64_t sent;
    float height[TYI_WEB_SIDE * TYI_WEB_SIDE];
    uint8_t trace[4 * TYI_WEB_CELLS * 4 * TYI_WEB_CELLS];
    ty_rock rock[ROCKS];
    ty_pose pose[ROCKS];
};

/* ---- one tile ---- */

static ty_terrain *ground_of(const tyi_web_ground *g, int level)
{
    ty_terrain *t = ty_world_terrain(g->world);
    return g->edited && level > ty_terrain_get_def(t)->edit_level + FINE ? ty_world_terrain(g->plain) : t;
}

static size_t rocks_of(tyi_web_ground *g, int level, double x0, double y0)
{
    ty_terrain *t = ty_world_terrain(g->world);
    double d = ty_terrain_spacing(t, level), side = TYI_WEB_CELLS * d;
    bool top = level == ty_terrain_levels(t) - 1;
    if (!(2.0 * d <= tyi_terrain_rock_most(t))) {
        return 0;
    }
    size_t n =
        ty_terrain_rocks(t, (ty_rect){ x0, y0, x0 + side, y0 + side }, 2.0 * d, top ? 1e9 : 4.0 * d, g->rock, ROCKS);
    n = n < ROCKS ? n : ROCKS;
    return tyi_terrain_rock_poses(t, n, g->rock, g->pose, 1, NULL) == TY_OK ? n : 0;
}

/* what marks the ground at each cell; false: nothing does */
static bool traces_of(tyi_web_ground *g, int level, int32_t x, int32_t y, uint8_t out[TYI_WEB_CELLS * TYI_WEB_CELLS])
{
    ty_terrain *t = ty_world_terrain(g->world);
    int own = ty_terrain_get_def(t)->edit_level, up = level - own;
    if (!g->edited || up > 2 || up < -2) {
        return false;
    }
    int n = up >= 0 ? TYI_WEB_CELLS << up : TYI_WEB_CELLS >> -up;
    bool any = false;
    ty_terrain_edits(t, own, x * n, y * n, n, n, NULL, g->trace);
    for (int j = 0; j < TYI_WEB_CELLS; j++) {
        for (int i = 0; i < TYI_WEB_CELLS; i++) {
            int a = up >= 0 ? i << up : i >> -up, b = up >= 0 ? j << up : j >> -up;
            out[j * TYI_WEB_CELLS + i] = g->trace[b * n + a];
            any = any || g->trace[b * n + a];
        }
    }
    return any;
}

static tyi_web_blob *make_tile(tyi_web_ground *g, const int32_t tile[3])
{
    enum { SAMPLES = TYI_WEB_SIDE * TYI_WEB_SIDE, CELLS = TYI_WEB_CELLS * TYI_WEB_CELLS };
    static const size_t head = 40, per_rock = 36;
    int level = tile[0];
    ty_terrain *t = ground_of(g, level);
    double d = level >= 0 && level < ty_terrain_levels(t) ? ty_terrain_spacing(t, level) : 0.0,
           side = TYI_WEB_CELLS * d;
    double x0 = tile[1] * side, y0 = tile[2] * side, mid[2] = { x0 + 0.5 * side, y0 + 0.5 * side }, z0 = 0.0;
    if (d == 0.0 || fabs(x0) + side > FAR || fabs(y0) + side > FAR ||
        ty_terrain_sample(t, level, 1, &mid[0], &mid[1], &z0, NULL, NULL) != TY_OK ||
        ty_terrain_region(t, level, tile[1] * TYI_WEB_CELLS - 1, tile[2] * TYI_WEB_CELLS - 1, TYI_WEB_SIDE,
                          TYI_WEB_SIDE, z0, g->height, 1, NULL) != TY_OK) {
        return NULL;
    }
    uint8_t trace[CELLS];
    bool marked = traces_of(g, level, tile[1], tile[2], trace);
    size_t rocks = rocks_of(g, level, x0, y0);
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        low = fminf(low, g->height[i]), high = fmaxf(high, g->height[i]);
    }
    float step = fmaxf((high - low) / 65535.0f, 1e-6f);
    tyi_web_blob *blob = tyi_web_blob_new(head + SAMPLES * 2 + 2 + (marked ? CELLS : 0) + rocks * per_rock, false);
    if (!blob) {
        return NULL;
    }
    tyi_web_bytes to = { blob->data };
    TYI_WEB_PUT(&to, uint8_t, TYI_WEB_TILE);
    TYI_WEB_PUT(&to, uint8_t, level);
    TYI_WEB_PUT(&to, uint16_t, marked);
    TYI_WEB_PUT(&to, int32_t, tile[1]);
    TYI_WEB_PUT(&to, int32_t, tile[2]);
    TYI_WEB_PUT(&to, uint32_t, rocks);
    TYI_WEB_PUT(&to, double, z0 + (double)low);
    TYI_WEB_PUT(&to, double, d);
    TYI_WEB_PUT(&to, float, step);
    TYI_WEB_PUT(&to, uint32_t, TYI_WEB_SIDE);
    for (int i = 0; i < SAMPLES; i++) {
        TYI_WEB_PUT(&to, uint16_t, lrintf(fminf((g->height[i] - low) / step, 65535.0f)));
    }
    TYI_WEB_PUT(&to, uint16_t, 0); /* what follows starts at a multiple of 4 */
    if (marked) {
        tyi_web_put(&to, trace, CELLS);
    }
    for (size_t i = 0; i < rocks; i++) {
        const ty_pose *p = &g->pose[i];
        const float v[8] = { (float)(p->p.x - x0), (float)(p->p.y - y0),   (float)(p->p.z - z0 - (double)low),
                             (float)p->q.w,        (float)p->q.x,          (float)p->q.y,
                             (float)p->q.z,        (float)g->rock[i].scale };
        tyi_web_put(&to, v, sizeof v);
        TYI_WEB_PUT(&to, uint16_t, g->rock[i].shape);
        TYI_WEB_PUT(&to, uint16_t, g->rock[i].id * 0x9e3779b97f4a7c15ull >> 48);
    }
    return blob;
}

/* ---- edits ---- */

/* clients are told of a rectangle [m] */
static void tell(const tyi_web_ground *g, double x0, double y0, double x1, double y1)
{
    char text[200];
    int length = snprintf(text, sizeof text, "{\"op\":\"edit\",\"rect\":[%.3f,%.3f,%.3f,%.3f]}", x0, y0, x1, y1);
    tyi_web_blob *blob = g->server ? tyi_web_blob_new((size_t)length, true) : NULL;
    if (blob) {
        memcpy(blob->data, text, (size_t)length);
        tyi_web_send(g->server, 0, blob, TYI_WEB_MUST, 0);
        tyi_web_blob_drop(blob);
    }
}

static void apply(tyi_web_ground *g, edit *e)
{
    ty_terrain *t = ty_world_terrain(g->world);
    size_t n = (size_t)e->rect[2] * (size_t)e->rect[3];
    float *had = malloc(n * sizeof *had);
    if (had) {
        ty_terrain_edits(t, ty_terrain_get_def(t)->edit_level, e->rect[0], e->rect[1], e->rect[2], e->rect[3], had,
                         NULL);
        for (size_t i = 0; i < n; i++) {
            e->change[i] -= had[i];
        }
        ty_edit made = { .i0 = e->rect[0],
                         .j0 = e->rect[1],
                         .nx = e->rect[2],
                         .ny = e->rect[3],
                         .change = e->change,
                         .trace = e->trace };
        ty_terrain_edit(t, &made, NULL);
        g->edited = true;
        double d = ty_terrain_spacing(t, ty_terrain_get_def(t)->edit_level);
        tell(g, e->rect[0] * d, e->rect[1] * d, (e->rect[0] + e->rect[2] - 1) * d, (e->rect[1] + e->rect[3] - 1) * d);
    }
    free(had);
}

/* rocks as they lie now; who looks is told where something differs */
static void apply_rocks(tyi_web_ground *g, const ty_rock *rock, size_t count)
{
    ty_terrain *t = ty_world_terrain(g->world);
    double d = ty_terrain_spacing(t, ty_terrain_get_def(t)->edit_level);
    for (size_t i = 0; i < count; i++) {
        const ty_rock *r = &rock[i];
        ty_rock had;
        bool known = tyi_terrain_rock_find(t, r->id, &had);
        if (known && had.x == r->x && had.y == r->y && had.scale == r->scale && had.burial == r->burial) {
            continue;
        }
        ty_edit made = { .i0 = (int32_t)floor(r->x / d), .j0 = (int32_t)floor(r->y / d), .nx = 1, .ny = 1, .rock = r };
        ty_terrain_edit(t, &made, NULL);
        g->edited = true;
        double reach = 0.6 * r->diameter, x0 = known ? fmin(had.x, r->x) : r->x, x1 = known ? fmax(had.x, r->x) : r->x,
               y0 = known ? fmin(had.y, r->y) : r->y, y1 = known ? fmax(had.y, r->y) : r->y;
        tell(g, x0 - reach, y0 - reach, x1 + reach, y1 + reach);
    }
}

static void drop_edits(edit *list, int count)
{
    for (int i = 0; i < count; i++) {
        free(list[i].change), free(list[i].trace);
    }
}

/* ---- the thread ---- */

/* the next wish of somebody who has room for it; the lock is held */
static bool next_wish(tyi_web_ground *g, int *turn, uint32_t *client, int32_t tile[3])
{
    for (int k = 0; k < TYI_WEB_CLIENTS; k++) {
        wishes *w = &g->wish[(*turn + k) % TYI_WEB_CLIENTS];
        if (w->client && w->next < w->count && tyi_web_waiting(g->server, w->client) < IN_HAND) {
            *turn = (*turn + k + 1) % TYI_WEB_CLIENTS;
            *client = w->client;
            memcpy(tile, w->tile[w->next++], sizeof w->tile[0]);
            return true;
        }
    }
    return false;
}

static void *work(void *user)
{
    tyi_web_ground *g = user;
    int turn = 0;
    pthread_mutex_lock(&g->lock);
    while (!g->stop) {
        edit list[EDITS];
        int edits = g->edits;
        uint32_t client = 0;
        int32_t tile[3];
        bool reset = g->reset;
        memcpy(list, g->edit, sizeof *list * (size_t)edits);
        g->edits = 0;
        g->reset = false;
        ty_rock *came = g->came;
        size_t comes = g->comes;
        g->came = NULL;
        bool wish = !reset && !edits && !came && g->server && next_wish(g, &turn, &client, tile);
        if (!reset && !edits && !came && !wish) {
            struct timespec until; /* now and then: a client may have room again */
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += 20000000;
            until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
            pthread_cond_timedwait(&g->wake, &g->lock, &until);
            continue;
        }
        pthread_mutex_unlock(&g->lock);
        if (reset && g->edited) {
            ty_world *fresh = NULL;
            if (ty_scenario_create_world(g->scenario, &fresh, NULL) == TY_OK) {
                ty_world_destroy(g->world);
                g->world = fresh;
                g->edited = false;
            }
        }
        for (int i = 0; i < edits; i++) {
            apply(g, &list[i]);
        }
        drop_edits(list, edits);
        if (came) {
            apply_rocks(g, came, comes);
            free(came);
        }
        tyi_web_blob *blob = wish ? make_tile(g, tile) : NULL;
        if (blob) {
            tyi_web_send(g->server, client, blob, TYI_WEB_MUST, 0);
            tyi_web_blob_drop(blob);
        }
        pthread_mutex_lock(&g->lock);
        g->sent += blob != NULL;
    }
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

ty_status tyi_web_ground_start(const ty_scenario *scenario, tyi_web_ground **out, ty_diag *diag)
{
    tyi_web_ground *g = calloc(1, sizeof *g);
    *out = g;
    if (!g) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory for the ground");
    }
    g->scenario = scenario;
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->wake, NULL);
    ty_status status = ty_scenario_create_world(scenario, &g->world, diag);
    status = status == TY_OK ? ty_scenario_create_world(scenario, &g->plain, diag) : status;
    if (status == TY_OK) {
        g->started = pthread_create(&g->thread, NULL, work, g) == 0;
        status = g->started ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "live: no thread can be made");
    }
    return status;
}

void tyi_web_ground_stop(tyi_web_ground *g)
{
    if (!g) {
        return;
    }
    pthread_mutex_lock(&g->lock);
    g->stop = true;
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
    if (g->started) {
        pthread_join(g->thread, NULL);
    }
    g->started = false;
}

void tyi_web_ground_free(tyi_web_ground *g)
{
    if (!g) {
        return;
    }
    drop_edits(g->edit, g->edits);
    free(g->came);
    ty_world_destroy(g->world);
    ty_world_destroy(g->plain);
    pthread_cond_destroy(&g->wake);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

void tyi_web_ground_serve(tyi_web_ground *g, tyi_web_server *server)
{
    pthread_mutex_lock(&g->lock);
    g->server = server;
    pthread_mutex_unlock(&g->lock);
}

void tyi_web_ground_want(tyi_web_ground *g, uint32_t client, const int32_t (*tile)[3], int count)
{
    wishes *free_one = NULL, *own = NULL;
    pthread_mutex_lock(&g->lock);
    for (int i = 0; i < TYI_WEB_CLIENTS; i++) {
        own = g->wish[i].client == client ? &g->wish[i] : own;
        free_one = g->wish[i].client ? free_one : &g->wish[i];
    }
    own = own ? own : free_one;
    if (own) {
        own->client = count ? client : 0;
        own->count = count < TYI_WEB_WISHES ? count : TYI_WEB_WISHES;
        own->next = 0;
        if (own->count > 0) {
            memcpy(own->tile, tile, (size_t)own->count * sizeof *tile);
        }
    }
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
}

void tyi_web_ground_edit(tyi_web_ground *g, const int32_t rect[4], float *change, uint8_t *trace)
{
    edit e = { { rect[0], rect[1], rect[2], rect[3] }, change, trace };
    pthread_mutex_lock(&g->lock);
    bool room = g->edits < EDITS;
    if (room) {
        g->edit[g->edits++] = e;
    }
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
    if (!room) { /* the thread is far behind: what is missing comes with the next edit of the place */
        drop_edits(&e, 1);
    }
}

void tyi_web_ground_rocks(tyi_web_ground *g, ty_rock *rock, size_t count)
{
    pthread_mutex_lock(&g->lock);
    free(g->came);
    g->came = rock, g->comes = count;
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
}

void tyi_web_ground_reset(tyi_web_ground *g)
{
    pthread_mutex_lock(&g->lock);
    drop_edits(g->edit, g->edits);
    g->edits = 0;
    free(g->came);
    g->came = NULL;
    g->reset = true;
    pthread_cond_signal(&g->wake);
    pthread_mutex_unlock(&g->lock);
}

uint64_t tyi_web_ground_tiles(tyi_web_ground *g)
{
    pthread_mutex_lock(&g->lock);
    uint64_t sent = g->sent;
    pthread_mutex_unlock(&g->lock);
    return sent;
}
