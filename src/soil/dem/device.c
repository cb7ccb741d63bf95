/* src/soil/dem/device.c - a bed of grains on a device: buffers, the order of kernels, what comes back.
 * A sub-step reads back four numbers, and not in each: how far and how fast grains went, and whether something went wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "dem.h"
#include "soil/crm/device_bodies.h"

enum {
    X,
    V,
    W,
    ID,
    HOME,
    X2,
    V2,
    W2,
    ID2,
    HOME2,
    X0,
    ENTRY,
    LENGTH,
    USED,
    SLOT,
    PLACE,
    SCRATCH,
    START,
    COUNT,
    CHUNK,
    STAT,
    BUFFERS
};
enum { LOCAL = 128, MOST = 16 };

typedef struct tyi_dem_device {
    ty_device_program *program;
    ty_device_buffer *buffer[BUFFERS];
    tyi_crm_device_box b;
    int32_t total; /* cells */
    int32_t asked; /* after the last sub-step */
    int spare;     /* sub-steps that may go by before it is asked how far grains went */
    ty_device *device;
    tyi_crm_device_bodies bodies;
} tyi_dem_device;

#define BUF(which)    ty_device_arg_buffer(d->buffer[which])
#define BODIES(which) ty_device_arg_buffer(d->bodies.buffer[TYI_BODIES_##which])
#define VAL(x)        ty_device_arg_value(&(x), sizeof(x))
#define RUN_BY(name, items, local, ...)                                                \
    if (status == TY_OK) {                                                             \
        const ty_device_arg args[] = { __VA_ARGS__ };                                  \
        status = tyi_crm_device_run(d->program, name, (size_t)(items), local, 1, args, \
                                    (int)(sizeof args / sizeof args[0]), diag);        \
    }
#define RUN(name, items, ...) RUN_BY(name, items, LOCAL, __VA_ARGS__)

void tyi_dem_device_destroy(tyi_dem *dem)
{
    tyi_dem_device *d = dem->device;
    if (d) {
        for (int k = 0; k < BUFFERS; k++) {
            ty_device_buffer_destroy(d->buffer[k]);
        }
        tyi_crm_device_bodies_close(&d->bodies);
        ty_device_program_destroy(d->program);
        tyi_put(dem->def.alloc, d, sizeof *d);
        dem->device = NULL;
    }
}

ty_status tyi_dem_to_device(tyi_dem *dem, ty_device *device, ty_diag *diag)
{
    size_t who;
    if (dem->device || dem->n == 0) {
        return ty_fail(diag, TY_ERR_INPUT, dem->n ? "dem: the bed is on a device already" : "dem: there are no grains");
    }
    if (!dem->searched && !tyi_dem_search(dem, &who)) { /* so that memories have their places */
        return tyi_dem_say_full(dem, who, diag);
    }
    tyi_dem_device *d = dem->device = tyi_get(dem->def.alloc, sizeof *d);
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "dem: no memory for a device");
    }
    d->asked = 1;
    d->b = tyi_crm_box_send(&dem->box, 0.0, dem->n, dem->def.neighbours);
    d->total = (int32_t)tyi_crm_box_cells(&dem->box);
    size_t n = dem->room, row = n * 16, cells = (size_t)d->total + 1, lists = n * (size_t)dem->def.neighbours;
    const size_t bytes[BUFFERS] = { [X] = row,
                                    [V] = row,
                                    [W] = row,
                                    [ID] = n * 4,
                                    [HOME] = n * 4,
                                    [X2] = row,
                                    [V2] = row,
                                    [W2] = row,
                                    [ID2] = n * 4,
                                    [HOME2] = n * 4,
                                    [X0] = row,
                                    [ENTRY] = lists * 4,
                                    [LENGTH] = n * 4,
                                    [USED] = n * 4,
                                    [SLOT] = n * (size_t)dem->slots * sizeof *dem->slot,
                                    [PLACE] = n * 4,
                                    [SCRATCH] = n * 8,
                                    [START] = cells * 4,
                                    [COUNT] = cells * 4,
                                    [CHUNK] = tyi_crm_device_chunks(d->total) * 4,
                                    [STAT] = 24 };
    const void *data[BUFFERS] = { [X] = dem->a.x,
                                  [V] = dem->a.v,
                                  [W] = dem->a.w,
                                  [ID] = dem->a.id,
                                  [HOME] = dem->a.home,
                                  [X0] = dem->x0,
                                  [ENTRY] = dem->list.entry,
                                  [LENGTH] = dem->list.length,
                                  [USED] = dem->used,
                                  [SLOT] = dem->slot };
    ty_status status = ty_device_build(device, "#include \"dem.cl\"\n", TY_FLOAT, NULL, &d->program, diag);
    for (int k = 0; k < BUFFERS && status == TY_OK; k++) {
        status = ty_device_buffer_create(device, bytes[k], data[k], &d->buffer[k], diag);
        dem->counts.device_bytes += bytes[k];
    }
    d->device = device;
    d->bodies = (tyi_crm_device_bodies){ .who = "dem",
                                         .device = device,
                                         .program = d->program,
                                         .alloc = dem->def.alloc,
                                         .particles = n,
                                         .parts = dem->parts,
                                         .wide = TYI_DEM_BLOCK,
                                         .feel = true };
    status = status == TY_OK ? tyi_crm_device_bodies_open(&d->bodies, diag) : status;
    dem->changed = dem->ahead = false;
    if (status != TY_OK) {
        tyi_dem_device_destroy(dem);
    }
    return status;
}

/* ---- bodies ---- */

ty_status tyi_dem_device_begin(tyi_dem *dem, const tyi_crm_body *body, int bodies, ty_diag *diag)
{
    tyi_dem_device *d = dem->device;
    uint64_t before = d->bodies.bytes;
    d->spare = 0; /* as after a restore, so that lists are made at the same sub-steps */
    ty_status status = tyi_crm_device_bodies_begin(&d->bodies, body, bodies, diag);
    dem->counts.device_bytes += d->bodies.bytes - before;
    return status;
}

ty_status tyi_dem_device_loads(tyi_dem *dem, ty_diag *diag)
{
    tyi_crm_device_bodies *b = &dem->device->bodies;
    ty_status status = tyi_crm_device_bodies_read(b, diag);
    if (status == TY_OK) {
        tyi_crm_device_bodies_loads(b, 0, b->bodies, dem->part);
    }
    return status;
}

static void swap(tyi_dem_device *d, int a, int b)
{
    ty_device_buffer *t = d->buffer[a];
    d->buffer[a] = d->buffer[b];
    d->buffer[b] = t;
}

static ty_status search(tyi_dem *dem, const ty_k_dem_law *law, ty_diag *diag)
{
    tyi_dem_device *d = dem->device;
    int32_t n = d->b.n, room = (int32_t)dem->room;
    int32_t slots = dem->slots;
    float skin = (float)dem->skin;
    tyi_crm_device_beds one = { 0 };
    const tyi_crm_device_sort sort = { .program = d->program,
                                       .places = d->buffer[X],
                                       .scratch = d->buffer[SCRATCH],
                                       .count = d->buffer[COUNT],
                                       .chunk = d->buffer[CHUNK],
                                       .start = d->buffer[START],
                                       .box = d->b,
                                       .cells = d->total,
                                       .room = room,
                                       .wide = 2 };
    tyi_crm_device_name(&one, 0, (size_t)n);
    ty_status status = tyi_crm_device_cells(&sort, &one, diag);
    status = status == TY_OK ? tyi_crm_device_order(&sort, &one, diag) : status;
    RUN("dem_permute", n, BUF(SCRATCH), BUF(X), BUF(V), BUF(W), BUF(ID), BUF(HOME), BUF(X2), BUF(V2), BUF(W2), BUF(ID2),
        BUF(HOME2), BUF(X0), BUF(PLACE), VAL(n), VAL(room));
    for (int k = 0; k <= HOME - X; k++) {
        swap(d, X + k, X2 + k);
    }
    RUN("dem_list", n, BUF(X), BUF(W), BUF(START), BUF(HOME), BUF(PLACE), BUF(ENTRY), BUF(LENGTH), BUF(USED), BUF(SLOT),
        VAL(slots), BUF(STAT), VAL(*law), VAL(d->b), VAL(skin));
    dem->counts.searches++;
    return status;
}

/* How far and how fast grains went is asked for when the fastest may have gone half the skin, half as fast again, and at the end. */
ty_status tyi_dem_device_step(tyi_dem *dem, const ty_k_dem_law *law, bool last, ty_diag *diag)
{
    tyi_dem_device *d = dem->device;
    int32_t n = d->b.n, stat[4] = { 0 };
    ty_status status = TY_OK;
    RUN_BY("crm_reset", 1, 1, BUF(STAT), VAL(d->asked));
    d->asked = 0;
    if (dem->due && status == TY_OK) {
        status = search(dem, law, diag);
        d->spare = 0;
    }
    int32_t room = (int32_t)dem->room, slots = dem->slots;
    status = status == TY_OK ? tyi_crm_device_bodies_send(&d->bodies, dem->solids, diag) : status;
    RUN("dem_push", n, BUF(X), BUF(V), BUF(W), BUF(HOME), BUF(ENTRY), BUF(LENGTH), BUF(USED), BUF(SLOT), VAL(slots),
        BUF(X0), BUF(X2), BUF(V2), BUF(W2), BUF(STAT), VAL(*law), VAL(d->b), BODIES(SOLID), VAL(d->bodies.bodies),
        BODIES(LATTICE), BODIES(FEEL), BODIES(HIT), VAL(room));
    status = status == TY_OK ? tyi_crm_device_bodies_feel(&d->bodies, n, law->dt, diag) : status;
    dem->ahead = true;
    swap(d, X, X2);
    swap(d, V, V2);
    swap(d, W, W2);
    dem->due = false;
    dem->counts.steps++;
    dem->counts.time += (double)law->dt;
    if (status == TY_OK && !last && d->spare > 0) {
        d->spare--;
        return TY_OK;
    }
    d->asked = 1;
    status = status == TY_OK ? ty_device_read(d->buffer[STAT], 0, sizeof stat, stat, diag) : status;
    if (status == TY_OK && (stat[2] || stat[3])) {
        status = tyi_dem_fetch(dem, diag);
        return status != TY_OK ? status
               : stat[3]       ? tyi_dem_say_full(dem, (size_t)(stat[3] - 1), diag)
                               : tyi_dem_say_bad(dem, (size_t)(stat[2] - 1), diag);
    }
    float moved, fastest;
    memcpy(&moved, &stat[0], 4);
    memcpy(&fastest, &stat[1], 4);
    dem->fastest = (double)sqrtf(fastest);
    double left = 0.5 * dem->skin - ((double)sqrtf(moved) + (double)law->dt * dem->fastest),
           way = 1.5 * dem->fastest * (double)law->dt;
    dem->due = left < 0.0;
    d->spare = way * MOST < left ? MOST : left > way ? (int)(left / way) - 1 : 0;
    return status;
}

/* what is the same on both sides: the buffer, the array, its bytes */
typedef struct shared_array {
    int buffer;
    void *array;
    size_t bytes;
} shared_array;
enum { SHARED = 10 };
static void shared_arrays(const tyi_dem *dem, shared_array *out)
{
    size_t n = dem->n, lists = (n + TYI_DEM_GROUP - 1) / TYI_DEM_GROUP * TYI_DEM_GROUP * (size_t)dem->def.neighbours;
    const shared_array all[SHARED] = { { X, dem->a.x, 16 * n },
                                       { V, dem->a.v, 16 * n },
                                       { W, dem->a.w, 16 * n },
                                       { ID, dem->a.id, 4 * n },
                                       { HOME, dem->a.home, 4 * n },
                                       { X0, dem->x0, 16 * n },
                                       { LENGTH, dem->list.length, 4 * n },
                                       { ENTRY, dem->list.entry, 4 * lists },
                                       { USED, dem->used, 4 * dem->room },
                                       { SLOT, dem->slot, dem->room * (size_t)dem->slots * sizeof *dem->slot } };
    memcpy(out, all, sizeof all);
}

/* Lists are made on the host where there are none, so that memories have their places. */
ty_status tyi_dem_device_send(tyi_dem *dem, ty_diag *diag)
{
    tyi_dem_device *d = dem->device;
    ty_status status = tyi_dem_look(dem, diag);
    shared_array all[SHARED];
    shared_arrays(dem, all);
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        if (all[k].bytes) {
            status = ty_device_write(d->buffer[all[k].buffer], 0, all[k].bytes, all[k].array, diag);
        }
    }
    d->b.n = (int32_t)dem->n;
    d->asked = 1;
    d->spare = 0;
    dem->changed = dem->ahead = false;
    return status;
}

ty_status tyi_dem_fetch(tyi_dem *dem, ty_diag *diag)
{
    tyi_dem_device *d = dem->device;
    ty_status status = TY_OK;
    if (!d || !dem->ahead) {
        return status;
    }
    shared_array all[SHARED];
    shared_arrays(dem, all);
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        if (all[k].bytes) {
            status = ty_device_read(d->buffer[all[k].buffer], 0, all[k].bytes, all[k].array, diag);
        }
    }
    dem->ahead = false;
    return status;
}
