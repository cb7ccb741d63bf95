/* src/soil/crm/device.c - beds of particles on a device: buffers, the order of kernels, what comes back.
 * Beds of one shape share their buffers, and one kernel steps all of them. What is read back is how far and how fast particles went, and whether
 * something went wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "crm.h"
#include "device_bodies.h"

enum { X, V, T0, T1, G, ID, X2, V2, G2, X0, LIST, LENGTH, START, COUNT, CHUNK, STAT, TOUCH, PLAN, BUFFERS };
enum { LOCAL = 128, STATS = 6, ENTRIES = 64, MOST = 16 };
#define WIDE_MOST ((uint64_t)1 << 31) /* [byte] */

/* of a bed in a sub-step, as kernels/crm.cl has it */
typedef struct item {
    int32_t slot, n, turn, stamp;
    int32_t low[3];
    uint32_t span[3];
    int32_t first, unused;
} item;
enum {
    ITEMS = (ENTRIES + TYI_CRM_BEDS) * sizeof(item)
}; /* sub-steps of beds, and beds whose lists are new; then solids */

/* Beds of one shape: the particles of each are in a slot of the same buffers, so that one kernel steps them all. */
struct tyi_crm_pool {
    ty_device *device;
    ty_device_program *program;
    const ty_alloc *alloc;
    ty_device_buffer *buffer[BUFFERS];
    tyi_crm_device_box b;
    int32_t total;  /* cells */
    int32_t spread; /* density diffuses: its gradient is kept */
    int32_t room;   /* particles of a slot */
    int32_t wide;   /* numbers of a list */
    int slots, users;
    tyi_crm *bed[TYI_CRM_BEDS]; /* in each slot; NULL: it is free */
    tyi_crm_device_bodies bodies;
    char *plan; /* as it is sent */
    size_t plan_bytes;
    uint64_t bytes; /* of its own buffers; those of bodies are counted there */
};

/* a bed in it */
typedef struct tyi_crm_device {
    tyi_crm_pool *pool;
    int slot;
    int32_t turn;  /* which of two numbers the fastest is found in */
    int32_t stamp; /* of the last step */
    int spare;     /* sub-steps that may go by before it is asked how far particles went */
} tyi_crm_device;

static const char *const source = "#include \"crm.cl\"\n";

#define BUF(which)    ty_device_arg_buffer(d->buffer[which])
#define BODIES(which) ty_device_arg_buffer(d->bodies.buffer[TYI_BODIES_##which])
#define VAL(x)        ty_device_arg_value(&(x), sizeof(x))
#define RUN_BY(name, items, local, beds, ...)                                             \
    if (status == TY_OK) {                                                                \
        const ty_device_arg args[] = { __VA_ARGS__ };                                     \
        status = tyi_crm_device_run(d->program, name, (size_t)(items), local, beds, args, \
                                    (int)(sizeof args / sizeof args[0]), diag);           \
    }
#define RUN(name, items, beds, ...) RUN_BY(name, items, LOCAL, beds, __VA_ARGS__)

/* ---- life ---- */

static void leave_pool(tyi_crm_pool *d)
{
    if (--d->users > 0) {
        return;
    }
    for (int k = 0; k < BUFFERS; k++) {
        ty_device_buffer_destroy(d->buffer[k]);
    }
    tyi_crm_device_bodies_close(&d->bodies);
    ty_device_program_destroy(d->program);
    tyi_put(d->alloc, d->plan, d->plan_bytes);
    tyi_put(d->alloc, d, sizeof *d);
}

void tyi_crm_pool_leave(tyi_crm_pool *pool)
{
    if (pool) {
        leave_pool(pool);
    }
}

void tyi_crm_device_destroy(tyi_crm *crm)
{
    tyi_crm_device *d = crm->device;
    if (d) {
        d->pool->bed[d->slot] = NULL;
        leave_pool(d->pool);
        tyi_put(crm->def.alloc, d, sizeof *d);
        crm->device = NULL;
    }
}

const char *tyi_crm_device_options = "";

/* Lists of four bytes an entry are faster, but ten million particles are to fit into three gibibytes. */
static bool wide_lists(const tyi_crm *crm, int slots, const ty_device *device)
{
    uint64_t memory = ty_device_get_info(device)->memory,
             bytes = 4 * (uint64_t)slots * (uint64_t)crm->room * (uint64_t)crm->def.neighbours;
    return bytes <= WIDE_MOST && bytes <= memory / 4;
}

static ty_status make_buffers(tyi_crm_pool *d, const tyi_crm *crm, size_t entry, ty_diag *diag)
{
    size_t n = (size_t)d->slots * crm->room, row = n * 16, cells = (size_t)d->slots * ((size_t)d->total + 1),
           chunks = (size_t)d->slots * tyi_crm_device_chunks(d->total), some = d->spread ? row : 16;
    const size_t bytes[BUFFERS] = { [X] = row,
                                    [V] = row,
                                    [T0] = row,
                                    [T1] = row,
                                    [G] = some,
                                    [ID] = n * 4,
                                    [X2] = row,
                                    [V2] = row,
                                    [G2] = some,
                                    [X0] = row,
                                    [LIST] = n * (size_t)crm->def.neighbours * entry,
                                    [LENGTH] = n * 4,
                                    [START] = cells * 4,
                                    [COUNT] = cells * 4,
                                    [CHUNK] = chunks * 4,
                                    [STAT] = (size_t)d->slots * STATS * 4,
                                    [TOUCH] = 16,
                                    [PLAN] = ITEMS };
    ty_status status = TY_OK;
    for (int k = 0; k < BUFFERS && status == TY_OK; k++) {
        status = ty_device_buffer_create(d->device, bytes[k], NULL, &d->buffer[k], diag);
        d->bytes += bytes[k];
    }
    return status;
}

ty_status tyi_crm_pool_create(const tyi_crm *like, int slots, ty_device *device, tyi_crm_pool **out, ty_diag *diag)
{
    const ty_alloc *alloc = like->def.alloc;
    tyi_crm_pool *d = *out = tyi_get(alloc, sizeof *d);
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a device");
    }
    TY_ASSERT(slots >= 1 && slots <= TYI_CRM_BEDS);
    double reach = like->reach + like->skin;
    size_t entry = wide_lists(like, slots, device) ? 4 : 2;
    *d = (tyi_crm_pool){ .device = device,
                         .alloc = alloc,
                         .b = tyi_crm_box_send(&like->box, reach * reach, 0, like->def.neighbours),
                         .total = (int32_t)tyi_crm_box_cells(&like->box),
                         .spread = like->def.delta > 0.0,
                         .room = (int32_t)like->room,
                         .wide = (int32_t)((size_t)like->def.neighbours * entry / 4),
                         .slots = slots,
                         .users = 1,
                         .plan_bytes = ITEMS };
    char options[200];
    int rows = 2 * like->def.near + 1;
    snprintf(options, sizeof options, "%s-DRUNS=%d -DSPREAD=%d %s", entry == 4 ? "-DWIDE " : "",
             rows * rows * (like->box.periodic[0] ? 2 : 1), d->spread, tyi_crm_device_options);
    ty_status status = ty_device_build(device, source, TY_FLOAT, options, &d->program, diag);
    d->bodies = (tyi_crm_device_bodies){ .who = "crm",
                                         .device = device,
                                         .program = d->program,
                                         .alloc = alloc,
                                         .particles = like->room,
                                         .parts = like->parts,
                                         .wide = TYI_CRM_BLOCK };
    status = status == TY_OK ? make_buffers(d, like, entry, diag) : status;
    status = status == TY_OK ? tyi_crm_device_bodies_open(&d->bodies, diag) : status;
    d->plan = tyi_get(alloc, d->plan_bytes);
    if (status == TY_OK && !d->plan) {
        status = ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a device");
    }
    if (status != TY_OK) {
        leave_pool(d);
        *out = NULL;
    }
    return status;
}

ty_status tyi_crm_to_pool(tyi_crm *crm, tyi_crm_pool *pool, ty_diag *diag)
{
    int slot = 0;
    while (slot < pool->slots && pool->bed[slot]) {
        slot++;
    }
    bool fits = crm->room == (size_t)pool->room && tyi_crm_box_cells(&crm->box) == (size_t)pool->total;
    if (crm->device || crm->n == 0 || slot == pool->slots || !fits) {
        return ty_fail(diag, TY_ERR_INPUT,
                       crm->device   ? "crm: the bed is on a device already"
                       : crm->n == 0 ? "crm: there are no particles"
                       : fits        ? "crm: there is no room for one more bed on the device"
                                     : "crm: beds that step together are of one size");
    }
    tyi_crm_device *d = tyi_get(crm->def.alloc, sizeof *d);
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a device");
    }
    *d = (tyi_crm_device){ .pool = pool, .slot = slot };
    crm->device = d;
    pool->bed[slot] = crm;
    pool->users++;
    crm->counts.device_bytes += pool->bytes / (uint64_t)pool->slots;
    crm->due = crm->due || !crm->searched; /* lists are made there */
    crm->changed = true;                   /* all is sent before the next step */
    crm->ahead = false;
    return TY_OK;
}

ty_status tyi_crm_to_device(tyi_crm *crm, ty_device *device, ty_diag *diag)
{
    if (crm->device || crm->n == 0) {
        return ty_fail(diag, TY_ERR_INPUT,
                       crm->n ? "crm: the bed is on a device already" : "crm: there are no particles");
    }
    tyi_crm_pool *pool = NULL;
    ty_status status = tyi_crm_pool_create(crm, 1, device, &pool, diag);
    if (status == TY_OK) {
        status = tyi_crm_to_pool(crm, pool, diag);
        leave_pool(pool); /* the bed keeps it */
    }
    return status;
}

const tyi_crm_pool *tyi_crm_pool_of(const tyi_crm *crm)
{
    return crm->device ? crm->device->pool : NULL;
}

static void swap(tyi_crm_pool *d, int a, int b)
{
    ty_device_buffer *t = d->buffer[a];
    d->buffer[a] = d->buffer[b];
    d->buffer[b] = t;
}

/* ---- lists ---- */

static tyi_crm_device_sort sort_of(tyi_crm_pool *d, int places)
{
    return (tyi_crm_device_sort){ .program = d->program,
                                  .places = d->buffer[places],
                                  .scratch = d->buffer[LIST],
                                  .count = d->buffer[COUNT],
                                  .chunk = d->buffer[CHUNK],
                                  .start = d->buffer[START],
                                  .box = d->b,
                                  .cells = d->total,
                                  .room = d->room,
                                  .wide = d->wide };
}

/* of the beds that are named */
static ty_status search(tyi_crm_pool *d, const tyi_crm_device_beds *some, ty_diag *diag)
{
    tyi_crm_device_sort sort = sort_of(d, X);
    int32_t n = tyi_crm_device_longest(some), touch = d->bodies.room > 0;
    size_t beds = (size_t)some->count;
    ty_status status = tyi_crm_device_cells(&sort, some, diag);
    status = status == TY_OK ? tyi_crm_device_order(&sort, some, diag) : status;
    RUN("crm_permute", n, beds, BUF(LIST), BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(G), BUF(ID), BUF(TOUCH), BUF(X0),
        VAL(d->room), VAL(d->wide), VAL(d->spread), VAL(touch), VAL(some->of));
    RUN("crm_settle", n, beds, BUF(LIST), BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(G), BUF(ID), BUF(TOUCH), BUF(X0),
        BUF(STAT), VAL(d->room), VAL(d->wide), VAL(d->spread), VAL(touch), VAL(some->of));
    RUN("crm_list", n, beds, BUF(X), BUF(START), BUF(LIST), BUF(LENGTH), BUF(STAT), VAL(d->b), VAL(d->room),
        VAL(some->of));
    return status;
}

static ty_status walls(tyi_crm_pool *d, const ty_k_sph *p, int32_t n, int velocity, int32_t renew, int32_t at,
                       size_t beds, ty_diag *diag)
{
    ty_status status = TY_OK;
    if (velocity) {
        RUN("crm_wall_speed", n, beds, BUF(X), BUF(V), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), VAL(*p), VAL(d->b),
            BUF(PLAN), VAL(at), VAL(d->room));
    } else {
        RUN("crm_wall_stress", n, beds, BUF(X), BUF(T0), BUF(T1), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), VAL(*p),
            VAL(d->b), BUF(V), BUF(V2), VAL(renew), BUF(PLAN), VAL(at), VAL(d->room));
    }
    return status;
}

/* Beds whose lists are due; walls of those that never had some take their first values. */
static ty_status search_due(tyi_crm_pool *d, tyi_crm *const *crm, int count, const ty_k_sph *p, ty_diag *diag)
{
    tyi_crm_device_beds some = { 0 };
    item fresh[TYI_CRM_BEDS] = { 0 };
    int made = 0;
    bool any = false;
    for (int j = 0; j < count; j++) {
        if (crm[j]->due) {
            tyi_crm_device_name(&some, crm[j]->device->slot, crm[j]->n);
            if (!crm[j]->searched) {
                fresh[made++] = (item){ .slot = crm[j]->device->slot, .n = (int32_t)crm[j]->n };
                any = any || crm[j]->walls;
            }
            crm[j]->due = false;
            crm[j]->searched = true;
            crm[j]->device->spare = 0;
            crm[j]->counts.searches++;
        }
    }
    int32_t n = tyi_crm_device_longest(&some), at = ENTRIES;
    ty_status status = some.count ? search(d, &some, diag) : TY_OK;
    if (any && status == TY_OK) {
        status = ty_device_write(d->buffer[PLAN], ENTRIES * sizeof(item), (size_t)made * sizeof(item), fresh, diag);
        status = status == TY_OK ? walls(d, p, n, 1, 0, at, (size_t)made, diag) : status;
        status = status == TY_OK ? walls(d, p, n, 0, 0, at, (size_t)made, diag) : status;
    }
    return status;
}

/* ---- steps ---- */

/* Room for what bodies remember and feel, and for the plan of a step. */
static ty_status begin(tyi_crm_pool *d, tyi_crm *const *crm, int count, tyi_crm_body *const *body, int bodies,
                       ty_diag *diag)
{
    ty_status status = TY_OK;
    tyi_crm_body all[TYI_CRM_SOLIDS] = { 0 };
    if (d->slots * bodies > TYI_CRM_SOLIDS) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: %d bodies in %d beds, but a device takes at most %d together", bodies,
                       d->slots, TYI_CRM_SOLIDS);
    }
    for (int j = 0; j < count; j++) {
        memcpy(&all[crm[j]->device->slot * bodies], body[j], (size_t)bodies * sizeof *all);
        crm[j]->device->spare = 0; /* as after a restore, so that lists are made at the same sub-steps */
        crm[j]->device->stamp = (crm[j]->device->stamp & 0x3fffffff) + 1;
    }
    uint64_t before = d->bytes + d->bodies.bytes;
    bool first = bodies && !d->bodies.room;
    size_t bytes = ITEMS + (size_t)ENTRIES * (size_t)bodies * sizeof(ty_k_solid);
    if (bytes > d->plan_bytes) {
        ty_device_buffer_destroy(d->buffer[PLAN]);
        d->buffer[PLAN] = NULL;
        tyi_put(d->alloc, d->plan, d->plan_bytes);
        d->plan_bytes = bytes;
        d->plan = tyi_get(d->alloc, bytes);
        status = d->plan ? ty_device_buffer_create(d->device, bytes, NULL, &d->buffer[PLAN], diag)
                         : ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for bodies");
    }
    status = status == TY_OK ? tyi_crm_device_bodies_begin(&d->bodies, all, d->slots * bodies, diag) : status;
    if (first && status == TY_OK) {
        ty_device_buffer_destroy(d->buffer[TOUCH]);
        d->buffer[TOUCH] = NULL;
        status =
            ty_device_buffer_create(d->device, (size_t)d->slots * (size_t)d->room * 16, NULL, &d->buffer[TOUCH], diag);
        for (int k = 0; k < d->slots && status == TY_OK; k++) {
            status = d->bed[k] ? ty_device_write(d->buffer[TOUCH], (size_t)k * (size_t)d->room * 16, d->bed[k]->n * 16,
                                                 d->bed[k]->a.touch, diag)
                               : TY_OK;
        }
        d->bytes += (uint64_t)d->slots * (uint64_t)d->room * 16;
    }
    for (int j = 0; j < count; j++) {
        crm[j]->counts.device_bytes += (d->bytes + d->bodies.bytes - before) / (uint64_t)d->slots;
    }
    return status;
}

/* Where bodies will be in the sub-steps from `from` on, as many as there is room for: they move by their twist. */
static ty_status send_plan(const tyi_crm_device_step *s, int from, ty_diag *diag)
{
    tyi_crm_pool *d = s->crm[0]->device->pool;
    int most = ENTRIES / s->count, to = s->steps - from < most ? s->steps : from + most, at = 0;
    item *items = (item *)d->plan;
    ty_k_solid *solids = (ty_k_solid *)(d->plan + ITEMS);
    for (int k = from; k < to; k++) {
        for (int j = 0; j < s->count; j++, at++) {
            tyi_crm *crm = s->crm[j];
            const tyi_crm_device *own = crm->device;
            items[at] = (item){ .slot = own->slot,
                                .n = (int32_t)crm->n,
                                .turn = (own->turn + k - from) & 1,
                                .stamp = k + 1 == s->steps && crm->fence.on ? own->stamp : 0,
                                .first = k == 0 };
            memcpy(items[at].low, crm->fence.low, sizeof items[at].low);
            memcpy(items[at].span, crm->fence.span, sizeof items[at].span);
            tyi_crm_bodies_move(&crm->box, crm->def.spacing, (double)s->p->dt, s->body[j], s->bodies, crm->solids);
            for (int b = 0; b < s->bodies; b++) {
                crm->solids->solid[b].first = d->bodies.first[own->slot * s->bodies + b];
                solids[at * s->bodies + b] = crm->solids->solid[b];
            }
        }
    }
    size_t bytes = s->bodies ? ITEMS + (size_t)(at * s->bodies) * sizeof *solids : (size_t)at * sizeof *items;
    return ty_device_write(d->buffer[PLAN], 0, bytes, d->plan, diag);
}

/* how far and how fast particles went, and whether something went wrong */
static ty_status ask(const tyi_crm_device_step *s, int *who, ty_diag *diag)
{
    tyi_crm_pool *d = s->crm[0]->device->pool;
    int32_t all[TYI_CRM_BEDS][STATS];
    ty_status status = ty_device_read(d->buffer[STAT], 0, (size_t)d->slots * sizeof all[0], all, diag);
    for (int j = 0; j < s->count && status == TY_OK; j++) {
        tyi_crm *crm = s->crm[j];
        const int32_t *stat = all[crm->device->slot];
        *who = j;
        if (stat[2] || stat[3]) {
            crm->counts.steps--;
            status = tyi_crm_fetch(crm, diag);
            return status != TY_OK ? status
                   : stat[3]       ? tyi_crm_say_full(crm, (size_t)(stat[3] - 1), diag)
                                   : tyi_crm_say_bad(crm, (size_t)(stat[2] - 1), diag);
        }
        float moved, fastest;
        memcpy(&moved, &stat[0], 4);
        memcpy(&fastest, &stat[5 - crm->device->turn], 4);
        crm->fastest = (double)sqrtf(fastest);
        crm->outside = crm->fence.on && stat[1] == crm->device->stamp;
        double left = 0.5 * crm->skin - (double)sqrtf(moved), way = 1.5 * crm->fastest * (double)s->p->dt;
        crm->due = left < 0.0;
        crm->device->spare = way * MOST < left ? MOST : left > way ? (int)(left / way) - 1 : 0;
    }
    return status;
}

/* one sub-step of all beds; at: its first entry of the plan */
static ty_status sub_step(const tyi_crm_device_step *s, int32_t at, ty_diag *diag)
{
    tyi_crm_pool *d = s->crm[0]->device->pool;
    const ty_k_sph *p = s->p;
    float keep = (float)(1.0 / (1.0 + (double)p->dt * s->crm[0]->drag));
    size_t beds = (size_t)s->count, n = 0, has_walls = 0;
    for (int j = 0; j < s->count; j++) {
        n = s->crm[j]->n > n ? s->crm[j]->n : n;
        has_walls += s->crm[j]->walls > 0;
    }
    int32_t longest = (int32_t)n;
    ty_status status = search_due(d, s->crm, s->count, p, diag);
    if (s->bodies) {
        RUN("crm_force", n, beds, BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0),
            BUF(X2), BUF(V2), VAL(*p), VAL(d->b), BUF(PLAN), VAL(at), VAL(d->room));
        RUN_BY("crm_move", d->room, TYI_CRM_BLOCK, beds, BUF(X), BUF(V), BUF(X0), BUF(X2), BUF(V2), BUF(STAT), VAL(*p),
               VAL(d->b), VAL(keep), VAL(s->bodies), VAL(*s->law), BODIES(LATTICE), BUF(TOUCH), BODIES(LOAD), BUF(PLAN),
               VAL(at), VAL(d->room));
    } else {
        RUN("crm_push", n, 1, BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), BUF(X2),
            BUF(V2), BUF(STAT), VAL(*p), VAL(d->b), VAL(keep), BUF(PLAN), VAL(at));
        swap(d, X, X2);
        swap(d, V, V2);
    }
    status = status == TY_OK && has_walls ? walls(d, p, longest, 1, 0, at, beds, diag) : status;
    RUN("crm_rate", n, beds, BUF(X), BUF(V), BUF(G), BUF(T0), BUF(T1), BUF(V2), BUF(G2), BUF(LIST), BUF(LENGTH),
        BUF(START), BUF(X0), VAL(*p), VAL(d->b), BUF(STAT), BUF(PLAN), VAL(at), VAL(d->room));
    swap(d, G, G2);
    int32_t renew = d->slots > 1; /* beds that do not step now have theirs where it was */
    if (!renew) {
        swap(d, V, V2);
    }
    return status == TY_OK && has_walls ? walls(d, p, longest, 0, renew, at, beds, diag) : status;
}

/* How far and how fast particles went is asked for when the fastest of some bed may have gone half the skin, half as fast again, and at the end of
 * a step: until then sub-steps follow each other without a round trip. */
ty_status tyi_crm_device_steps(const tyi_crm_device_step *s, int *who, ty_diag *diag)
{
    tyi_crm_pool *d = s->crm[0]->device->pool;
    ty_status status = TY_OK;
    *who = 0;
    for (int j = 0; j < s->count && status == TY_OK; j++) {
        status = s->crm[j]->changed ? tyi_crm_device_send(s->crm[j], diag) : TY_OK;
    }
    if (status == TY_OK && d->slots > 1 && (!s->bodies || d->spread || !s->crm[0]->walls)) {
        status = ty_fail(diag, TY_ERR_INPUT, "crm: beds that share a device have walls, bodies and no diffusion");
    }
    status = status == TY_OK ? begin(d, s->crm, s->count, s->body, s->bodies, diag) : status;
    int most = ENTRIES / s->count;
    for (int k = 0; k < s->steps && status == TY_OK; k++) {
        status = k % most == 0 ? send_plan(s, k, diag) : TY_OK;
        status = status == TY_OK ? sub_step(s, (int32_t)(k % most * s->count), diag) : status;
        bool asks = k + 1 == s->steps;
        for (int j = 0; j < s->count; j++) {
            tyi_crm *crm = s->crm[j];
            crm->device->turn = 1 - crm->device->turn;
            crm->ahead = true;
            crm->counts.steps++;
            crm->counts.time += (double)s->p->dt;
            asks = asks || crm->device->spare-- <= 0;
        }
        status = status == TY_OK && asks ? ask(s, who, diag) : status;
    }
    if (status == TY_OK && s->bodies) {
        status = tyi_crm_device_bodies_read(&d->bodies, diag);
        for (int j = 0; j < s->count && status == TY_OK; j++) {
            tyi_crm_device_bodies_loads(&d->bodies, s->crm[j]->device->slot, s->bodies, s->crm[j]->part);
        }
    }
    return status;
}

/* what is the same on both sides: the buffer, the array, bytes of a particle */
typedef struct shared_array {
    int buffer;
    void *array;
    size_t bytes;
} shared_array;
enum { SHARED = 8 };
static void shared_arrays(const tyi_crm *crm, shared_array *out)
{
    const tyi_crm_pool *d = crm->device->pool;
    const shared_array all[SHARED] = { { X, crm->a.x, 16 },
                                       { V, crm->a.v, 16 },
                                       { T0, crm->a.t0, 16 },
                                       { T1, crm->a.t1, 16 },
                                       { ID, crm->a.id, 4 },
                                       { X0, crm->x0, 16 },
                                       { TOUCH, crm->a.touch, d->bodies.room ? 16 : 0 },
                                       { G, crm->a.g, d->spread ? 16 : 0 } };
    memcpy(out, all, sizeof all);
}

/* Lists of a state that was restored are those of its last search, from where the particles were then. */
ty_status tyi_crm_device_send(tyi_crm *crm, ty_diag *diag)
{
    tyi_crm_pool *d = crm->device->pool;
    size_t first = (size_t)crm->device->slot * (size_t)d->room;
    const int32_t none[STATS] = { 0 };
    shared_array all[SHARED];
    shared_arrays(crm, all);
    ty_status status =
        ty_device_write(d->buffer[STAT], (size_t)crm->device->slot * sizeof none, sizeof none, none, diag);
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        if (all[k].bytes) {
            status = ty_device_write(d->buffer[all[k].buffer], first * all[k].bytes, crm->n * all[k].bytes,
                                     all[k].array, diag);
        }
    }
    crm->device->spare = 0;
    crm->device->turn = 0;
    crm->changed = crm->ahead = false;
    if (crm->searched && status == TY_OK) {
        tyi_crm_device_beds some = { 0 };
        tyi_crm_device_sort sort = sort_of(d, X0);
        tyi_crm_device_name(&some, crm->device->slot, crm->n);
        status = tyi_crm_device_cells(&sort, &some, diag);
        RUN("crm_list", crm->n, 1, BUF(X0), BUF(START), BUF(LIST), BUF(LENGTH), BUF(STAT), VAL(d->b), VAL(d->room),
            VAL(some.of));
    }
    return status;
}

static ty_status fetch_one(const tyi_crm *crm, const shared_array *a, ty_diag *diag)
{
    const tyi_crm_pool *d = crm->device->pool;
    return a->bytes ? ty_device_read(d->buffer[a->buffer], (size_t)crm->device->slot * (size_t)d->room * a->bytes,
                                     crm->n * a->bytes, a->array, diag)
                    : TY_OK;
}

ty_status tyi_crm_fetch(tyi_crm *crm, ty_diag *diag)
{
    ty_status status = TY_OK;
    if (!crm->device || !crm->ahead) {
        return status;
    }
    shared_array all[SHARED];
    shared_arrays(crm, all);
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        status = fetch_one(crm, &all[k], diag);
    }
    crm->ahead = false;
    for (size_t i = 0; i < crm->n && !crm->device->pool->spread && status == TY_OK; i++) {
        crm->a.g[i] = (tyi_crm_f4){ 0.0f, 0.0f, 0.0f, crm->a.t0[i][3] };
    }
    return status;
}

ty_status tyi_crm_fetch_seen(tyi_crm *crm, ty_diag *diag)
{
    ty_status status = TY_OK;
    shared_array all[SHARED];
    if (!crm->device || !crm->ahead) {
        return status;
    }
    shared_arrays(crm, all);
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        bool seen = all[k].buffer == X || all[k].buffer == T0 || all[k].buffer == T1;
        status = seen ? fetch_one(crm, &all[k], diag) : TY_OK;
    }
    return status;
}
