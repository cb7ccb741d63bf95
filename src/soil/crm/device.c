/* src/soil/crm/device.c - a bed of particles on a device: buffers, the order of kernels, what comes back.
 * A sub-step reads back four numbers: how far and how fast particles went, and whether something went wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "crm.h"
#include "device_bodies.h"

enum { X, V, T0, T1, G, ID, X2, V2, G2, X0, LIST, LENGTH, START, COUNT, CHUNK, STAT, TOUCH, BUFFERS };
enum { LOCAL = 128, SCAN = 256, STATS = 6 };
#define WIDE_MOST ((uint64_t)1 << 31) /* [byte] */

typedef struct tyi_crm_device {
    ty_device *device;
    ty_device_program *program;
    ty_device_buffer *buffer[BUFFERS];
    tyi_crm_device_box b;
    int32_t total;  /* cells */
    int32_t spread; /* density diffuses: its gradient is kept */
    int32_t asked;  /* after the last sub-step */
    int32_t turn;   /* which of two numbers the fastest is found in */
    int spare;      /* sub-steps that may go by before it is asked how far particles went */
    tyi_crm_device_bodies bodies;
} tyi_crm_device;

static const char *const source = "#include \"crm.cl\"\n";

#define BUF(which)    ty_device_arg_buffer(d->buffer[which])
#define BODIES(which) ty_device_arg_buffer(d->bodies.buffer[TYI_BODIES_##which])
#define VAL(x)        ty_device_arg_value(&(x), sizeof(x))
#define RUN_BY(name, items, local, ...)                                             \
    if (status == TY_OK) {                                                          \
        const ty_device_arg args[] = { __VA_ARGS__ };                               \
        status = tyi_crm_device_run(d->program, name, (size_t)(items), local, args, \
                                    (int)(sizeof args / sizeof args[0]), diag);     \
    }
#define RUN(name, items, ...) RUN_BY(name, items, LOCAL, __VA_ARGS__)

void tyi_crm_device_destroy(tyi_crm *crm)
{
    tyi_crm_device *d = crm->device;
    if (!d) {
        return;
    }
    for (int k = 0; k < BUFFERS; k++) {
        ty_device_buffer_destroy(d->buffer[k]);
    }
    tyi_crm_device_bodies_close(&d->bodies);
    ty_device_program_destroy(d->program);
    tyi_put(crm->def.alloc, d, sizeof *d);
    crm->device = NULL;
}

const char *tyi_crm_device_options = "";

/* Lists of four bytes an entry are faster, but ten million particles are to fit into three gibibytes. */
static bool wide_lists(const tyi_crm *crm, const ty_device *device)
{
    uint64_t memory = ty_device_get_info(device)->memory,
             bytes = 4 * (uint64_t)crm->room * (uint64_t)crm->def.neighbours;
    return bytes <= WIDE_MOST && bytes <= memory / 4;
}

ty_status tyi_crm_to_device(tyi_crm *crm, ty_device *device, ty_diag *diag)
{
    if (crm->device || crm->n == 0) {
        return ty_fail(diag, TY_ERR_INPUT,
                       crm->n ? "crm: the bed is on a device already" : "crm: there are no particles");
    }
    tyi_crm_device *d = crm->device = tyi_get(crm->def.alloc, sizeof *d);
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a device");
    }
    d->device = device;
    d->asked = 1;
    double reach = crm->reach + crm->skin;
    d->b = tyi_crm_box_send(&crm->box, reach * reach, crm->n, crm->def.neighbours);
    d->total = (int32_t)tyi_crm_box_cells(&crm->box);
    d->spread = crm->def.delta > 0.0;
    size_t n = crm->room, row = n * 16, cells = (size_t)d->total + 1, some = d->spread ? row : 16;
    /* lists, and room for what is sorted before they are made */
    size_t entry = wide_lists(crm, device) ? 4 : 2, lists = n * (size_t)crm->def.neighbours * entry, sorting = n * 64;
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
                                    [LIST] = lists > sorting ? lists : sorting,
                                    [LENGTH] = n * 4,
                                    [START] = cells * 4,
                                    [COUNT] = cells * 4,
                                    [CHUNK] = (cells / SCAN + 1) * 4,
                                    [STAT] = STATS * 4,
                                    [TOUCH] = 16 };
    const void *data[BUFFERS] = {
        [X] = crm->a.x, [V] = crm->a.v, [T0] = crm->a.t0, [T1] = crm->a.t1, [G] = crm->a.g, [ID] = crm->a.id
    };
    char options[200];
    int rows = 2 * crm->def.near + 1;
    snprintf(options, sizeof options, "%s-DRUNS=%d %s", entry == 4 ? "-DWIDE " : "",
             rows * rows * (crm->box.periodic[0] ? 2 : 1), tyi_crm_device_options);
    ty_status status = ty_device_build(device, source, TY_FLOAT, options, &d->program, diag);
    for (int k = 0; k < BUFFERS && status == TY_OK; k++) {
        status = ty_device_buffer_create(device, bytes[k], data[k], &d->buffer[k], diag);
        crm->counts.device_bytes += bytes[k];
    }
    d->bodies = (tyi_crm_device_bodies){ .who = "crm",
                                         .device = device,
                                         .program = d->program,
                                         .alloc = crm->def.alloc,
                                         .particles = n,
                                         .parts = crm->parts,
                                         .wide = TYI_CRM_BLOCK };
    status = status == TY_OK ? tyi_crm_device_bodies_open(&d->bodies, diag) : status;
    if (status != TY_OK) {
        tyi_crm_device_destroy(crm);
        return status;
    }
    crm->due = crm->due || !crm->searched; /* lists are made there */
    crm->changed = crm->searched;          /* those of a state that has some are made before the next step */
    crm->ahead = false;
    return TY_OK;
}

static void swap(tyi_crm_device *d, int a, int b)
{
    ty_device_buffer *t = d->buffer[a];
    d->buffer[a] = d->buffer[b];
    d->buffer[b] = t;
}

/* the cells of places: keys, and the first particle of each */
static ty_status count_cells(tyi_crm_device *d, int places, ty_diag *diag)
{
    int32_t n = d->b.n, cells = d->total, chunks = (cells + SCAN - 1) / SCAN;
    ty_status status = TY_OK;
    RUN("crm_clear", cells, BUF(COUNT), VAL(cells));
    RUN("crm_key", n, BUF(places), BUF(LIST), BUF(COUNT), VAL(d->b));
    RUN("crm_scan_sum", chunks * LOCAL, BUF(COUNT), BUF(CHUNK), VAL(cells));
    RUN("crm_scan_chunks", LOCAL, BUF(CHUNK), VAL(chunks));
    RUN("crm_scan_cells", chunks * LOCAL, BUF(COUNT), BUF(CHUNK), BUF(START), VAL(cells));
    return status;
}

static ty_status search(tyi_crm *crm, ty_diag *diag)
{
    tyi_crm_device *d = crm->device;
    int32_t n = d->b.n, room = (int32_t)crm->room, cells = d->total;
    ty_status status = count_cells(d, X, diag);
    RUN("crm_place", n, BUF(LIST), BUF(START), BUF(COUNT), VAL(n), VAL(room));
    RUN("crm_tidy", cells, BUF(START), BUF(LIST), VAL(cells), VAL(room));
    int32_t touch = d->bodies.room > 0;
    RUN("crm_permute", n, BUF(LIST), BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(G), BUF(ID), BUF(TOUCH), BUF(X2), BUF(V2),
        BUF(G2), BUF(X0), VAL(n), VAL(room), VAL(d->spread), VAL(touch));
    RUN("crm_settle", n, BUF(LIST), BUF(T0), BUF(T1), BUF(ID), BUF(TOUCH), VAL(n), VAL(room), VAL(touch));
    swap(d, X, X2);
    swap(d, V, V2);
    swap(d, G, G2);
    RUN("crm_list", n, BUF(X), BUF(START), BUF(LIST), BUF(LENGTH), BUF(STAT), VAL(d->b));
    crm->counts.searches++;
    return status;
}

static ty_status walls(tyi_crm *crm, const ty_k_sph *p, int velocity, ty_diag *diag)
{
    tyi_crm_device *d = crm->device;
    ty_status status = TY_OK;
    if (crm->walls && velocity) {
        RUN("crm_wall_speed", d->b.n, BUF(X), BUF(V), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), VAL(*p), VAL(d->b));
    } else if (crm->walls) {
        RUN("crm_wall_stress", d->b.n, BUF(X), BUF(T0), BUF(T1), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), VAL(*p),
            VAL(d->b));
    }
    return status;
}

/* ---- bodies ---- */

ty_status tyi_crm_device_begin(tyi_crm *crm, const tyi_crm_body *body, int bodies, ty_diag *diag)
{
    tyi_crm_device *d = crm->device;
    ty_status status = TY_OK;
    uint64_t before = d->bodies.bytes;
    d->spare = 0; /* as after a restore, so that lists are made at the same sub-steps */
    if (bodies && !d->bodies.room) {
        ty_device_buffer_destroy(d->buffer[TOUCH]);
        d->buffer[TOUCH] = NULL;
        status = ty_device_buffer_create(d->device, crm->room * 16, crm->a.touch, &d->buffer[TOUCH], diag);
        crm->counts.device_bytes += crm->room * 16;
    }
    status = status == TY_OK ? tyi_crm_device_bodies_begin(&d->bodies, body, bodies, diag) : status;
    crm->counts.device_bytes += d->bodies.bytes - before;
    return status;
}

ty_status tyi_crm_device_loads(tyi_crm *crm, ty_diag *diag)
{
    return tyi_crm_device_bodies_loads(&crm->device->bodies, crm->part, diag);
}

/* How far and how fast particles went is asked for when the fastest may have gone half the skin, half as fast again, and at the end of
 * a step: until then sub-steps follow each other without a round trip. */
ty_status tyi_crm_device_step(tyi_crm *crm, const struct ty_k_sph *p, const struct ty_k_touch_law *law, bool last,
                              bool *search_next, ty_diag *diag)
{
    enum { MOST = 16 };
    tyi_crm_device *d = crm->device;
    int32_t n = d->b.n, stat[STATS] = { 0 };
    float keep = (float)(1.0 / (1.0 + (double)p->dt * crm->drag));
    ty_status status = TY_OK;
    if (d->asked) {
        RUN("crm_reset", 1, BUF(STAT), VAL(d->asked));
        d->turn = 0;
    }
    d->asked = 0;
    if (*search_next && status == TY_OK) {
        bool first = !crm->searched;
        status = search(crm, diag);
        crm->searched = true;
        d->spare = 0;
        if (first && status == TY_OK) {
            status = walls(crm, p, 1, diag);
            status = status == TY_OK ? walls(crm, p, 0, diag) : status;
        }
    }
    if (d->bodies.bodies) {
        ty_k_solid mover;
        int32_t moved, first = d->bodies.begun;
        status = status == TY_OK ? tyi_crm_device_bodies_send(&d->bodies, crm->solids, &mover, &moved, diag) : status;
        d->bodies.begun = 0;
        RUN("crm_force", n, BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), BUF(X2),
            BUF(V2), VAL(*p), VAL(d->b));
        RUN_BY("crm_move", crm->room, TYI_CRM_BLOCK, BUF(X), BUF(V), BUF(X0), BUF(X2), BUF(V2), BUF(STAT), VAL(*p),
               VAL(d->b), VAL(keep), VAL(d->turn), BODIES(SOLID), VAL(d->bodies.bodies), VAL(mover), VAL(moved),
               VAL(*law), BODIES(LATTICE), BUF(TOUCH), BODIES(LOAD), VAL(first));
    } else {
        RUN("crm_push", n, BUF(X), BUF(V), BUF(T0), BUF(T1), BUF(LIST), BUF(LENGTH), BUF(START), BUF(X0), BUF(X2),
            BUF(V2), BUF(STAT), VAL(*p), VAL(d->b), VAL(keep), VAL(d->turn));
    }
    swap(d, X, X2);
    swap(d, V, V2);
    status = status == TY_OK ? walls(crm, p, 1, diag) : status;
    RUN("crm_rate", n, BUF(X), BUF(V), BUF(G), BUF(T0), BUF(T1), BUF(V2), BUF(G2), BUF(LIST), BUF(LENGTH), BUF(START),
        BUF(X0), VAL(*p), VAL(d->b), BUF(STAT), VAL(d->turn));
    swap(d, V, V2);
    swap(d, G, G2);
    status = status == TY_OK ? walls(crm, p, 0, diag) : status;
    *search_next = false;
    crm->ahead = true;
    crm->counts.steps++;
    crm->counts.time += (double)p->dt;
    int32_t turn = d->turn;
    d->turn = 1 - turn;
    if (status == TY_OK && !last && d->spare > 0) {
        d->spare--;
        return TY_OK;
    }
    d->asked = 1;
    if (status == TY_OK) {
        status = ty_device_read(d->buffer[STAT], 0, sizeof stat, stat, diag);
    }
    if (status == TY_OK && (stat[2] || stat[3])) {
        crm->counts.steps--;
        status = tyi_crm_fetch(crm, diag);
        if (status == TY_OK) {
            status = stat[3] ? tyi_crm_say_full(crm, (size_t)(stat[3] - 1), diag)
                             : tyi_crm_say_bad(crm, (size_t)(stat[2] - 1), diag);
        }
    }
    if (status != TY_OK) {
        return status;
    }
    float moved, fastest;
    memcpy(&moved, &stat[0], 4);
    memcpy(&fastest, &stat[4 + turn], 4);
    crm->fastest = (double)sqrtf(fastest);
    double left = 0.5 * crm->skin - (double)sqrtf(moved), way = 1.5 * crm->fastest * (double)p->dt;
    *search_next = left < 0.0;
    d->spare = way * MOST < left ? MOST : left > way ? (int)(left / way) - 1 : 0;
    return TY_OK;
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
    const tyi_crm_device *d = crm->device;
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
    tyi_crm_device *d = crm->device;
    shared_array all[SHARED];
    shared_arrays(crm, all);
    ty_status status = TY_OK;
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        if (all[k].bytes) {
            status = ty_device_write(d->buffer[all[k].buffer], 0, crm->n * all[k].bytes, all[k].array, diag);
        }
    }
    d->b.n = (int32_t)crm->n;
    d->asked = 1;
    d->spare = 0;
    crm->changed = crm->ahead = false;
    if (crm->searched && status == TY_OK) {
        status = count_cells(d, X0, diag);
        RUN("crm_list", d->b.n, BUF(X0), BUF(START), BUF(LIST), BUF(LENGTH), BUF(STAT), VAL(d->b));
    }
    return status;
}

ty_status tyi_crm_fetch_places(tyi_crm *crm, ty_diag *diag)
{
    tyi_crm_device *d = crm->device;
    return d && crm->ahead ? ty_device_read(d->buffer[X], 0, crm->n * 16, crm->a.x, diag) : TY_OK;
}

ty_status tyi_crm_fetch(tyi_crm *crm, ty_diag *diag)
{
    tyi_crm_device *d = crm->device;
    ty_status status = TY_OK;
    if (!d || !crm->ahead) {
        return status;
    }
    shared_array all[SHARED];
    shared_arrays(crm, all);
    for (int k = 0; k < SHARED && status == TY_OK; k++) {
        if (all[k].bytes) {
            status = ty_device_read(d->buffer[all[k].buffer], 0, crm->n * all[k].bytes, all[k].array, diag);
        }
    }
    crm->ahead = false;
    for (size_t i = 0; i < crm->n && !d->spread && status == TY_OK; i++) {
        crm->a.g[i] = (tyi_crm_f4){ 0.0f, 0.0f, 0.0f, crm->a.t0[i][3] };
    }
    return status;
}
