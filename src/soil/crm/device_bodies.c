/* src/soil/crm/device_bodies.c - particles that are on a device, of either kind: sorted by cells, and rigid bodies among them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "device_bodies.h"
#include <string.h>
#include "lattice.h"

enum { LOCAL = 128, SCAN = 256, SUMS = 7 };

tyi_crm_profile *tyi_crm_device_profile;

ty_status tyi_crm_device_run(ty_device_program *program, const char *kernel, size_t items, size_t local, size_t beds,
                             const ty_device_arg *args, int count, ty_diag *diag)
{
    ty_device_job job = { .kernel = kernel,
                          .global = { (items + local - 1) / local * local, beds },
                          .local = { local, 1 },
                          .args = args,
                          .arg_count = count };
    tyi_crm_profile *profile = tyi_crm_device_profile;
    if (!profile) {
        return ty_device_run(program, &job, NULL, diag);
    }
    int k = 0;
    while (k < profile->count && strcmp(profile->row[k].kernel, kernel)) {
        k++;
    }
    double seconds = 0.0;
    ty_status status = ty_device_run(program, &job, &seconds, diag);
    if (k < TYI_CRM_PROFILE) {
        profile->count = k < profile->count ? profile->count : k + 1;
        profile->row[k].kernel = kernel;
        profile->row[k].seconds += seconds;
        profile->row[k].runs++;
    }
    return status;
}

/* ---- particles sorted by cells ---- */

#define VAL(x) ty_device_arg_value(&(x), sizeof(x))
#define RUN(name, items, ...)                                                                            \
    if (status == TY_OK) {                                                                               \
        const ty_device_arg args[] = { __VA_ARGS__ };                                                    \
        status = tyi_crm_device_run(s->program, name, (size_t)(items), LOCAL, (size_t)beds->count, args, \
                                    (int)(sizeof args / sizeof args[0]), diag);                          \
    }
#define BUF(which) ty_device_arg_buffer(s->which)

void tyi_crm_device_name(tyi_crm_device_beds *beds, int slot, size_t n)
{
    beds->of.slot[beds->count] = slot;
    beds->of.n[beds->count++] = (int32_t)n;
}

int32_t tyi_crm_device_longest(const tyi_crm_device_beds *beds)
{
    int32_t n = 0;
    for (int k = 0; k < beds->count; k++) {
        n = beds->of.n[k] > n ? beds->of.n[k] : n;
    }
    return n;
}

size_t tyi_crm_device_chunks(int32_t cells)
{
    return ((size_t)cells + SCAN - 1) / SCAN;
}

ty_status tyi_crm_device_cells(const tyi_crm_device_sort *s, const tyi_crm_device_beds *beds, ty_diag *diag)
{
    size_t chunks = tyi_crm_device_chunks(s->cells) * LOCAL;
    ty_status status = TY_OK;
    RUN("crm_clear_cells", s->cells, BUF(count), VAL(s->cells), VAL(beds->of));
    RUN("crm_key", tyi_crm_device_longest(beds), BUF(places), BUF(scratch), BUF(count), VAL(s->box), VAL(s->room),
        VAL(s->wide), VAL(beds->of));
    RUN("crm_scan_sum", chunks, BUF(count), BUF(chunk), VAL(s->cells), VAL(beds->of));
    RUN("crm_scan_chunks", LOCAL, BUF(chunk), VAL(s->cells), VAL(beds->of));
    RUN("crm_scan_cells", chunks, BUF(count), BUF(chunk), BUF(start), VAL(s->cells), VAL(beds->of));
    return status;
}

ty_status tyi_crm_device_order(const tyi_crm_device_sort *s, const tyi_crm_device_beds *beds, ty_diag *diag)
{
    ty_status status = TY_OK;
    RUN("crm_place", tyi_crm_device_longest(beds), BUF(scratch), BUF(start), BUF(count), VAL(s->cells), VAL(s->room),
        VAL(s->wide), VAL(beds->of));
    RUN("crm_tidy", s->cells, BUF(start), BUF(scratch), VAL(s->cells), VAL(s->room), VAL(s->wide), VAL(beds->of));
    return status;
}

/* ---- bodies ---- */
#undef BUF
#define BUF(which) ty_device_arg_buffer(b->buffer[TYI_BODIES_##which])

static ty_status renew(tyi_crm_device_bodies *b, int which, size_t bytes, ty_diag *diag)
{
    ty_device_buffer_destroy(b->buffer[which]);
    b->buffer[which] = NULL;
    return ty_device_buffer_create(b->device, bytes, NULL, &b->buffer[which], diag);
}

ty_status tyi_crm_device_bodies_open(tyi_crm_device_bodies *b, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int k = 0; k < TYI_BODIES_BUFFERS && status == TY_OK; k++) {
        status = renew(b, k, 16, diag);
    }
    return status;
}

static void drop_sums(tyi_crm_device_bodies *b)
{
    size_t n = b->parts * (size_t)b->room;
    tyi_put(b->alloc, b->load, b->load ? SUMS * n * sizeof *b->load : 0);
    b->load = NULL;
}

void tyi_crm_device_bodies_close(tyi_crm_device_bodies *b)
{
    for (int k = 0; k < TYI_BODIES_BUFFERS; k++) {
        ty_device_buffer_destroy(b->buffer[k]);
        b->buffer[k] = NULL;
    }
    drop_sums(b);
}

static size_t nodes_of(const tyi_crm_lattice *l)
{
    return (size_t)l->nodes[0] * (size_t)l->nodes[1] * (size_t)l->nodes[2];
}

/* distances of all bodies behind each other; the same lattice is there once */
static ty_status send_lattices(tyi_crm_device_bodies *b, const tyi_crm_body *body, int bodies, ty_diag *diag)
{
    size_t total = 0;
    bool same = true;
    for (int k = 0; k < bodies; k++) {
        same = same && b->lattice[k] == (body[k].lattice ? body[k].lattice->value : NULL);
    }
    if (same) {
        return TY_OK;
    }
    for (int k = 0; k < bodies; k++) {
        const tyi_crm_lattice *l = body[k].lattice;
        int twin = 0;
        b->lattice[k] = l ? l->value : NULL;
        while (twin < k && b->lattice[twin] != b->lattice[k]) {
            twin++;
        }
        b->first[k] = twin < k ? b->first[twin] : (int32_t)total;
        total += l && twin == k ? nodes_of(l) : 0;
    }
    if (total > INT32_MAX) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: the bodies' shapes take %zu nodes together, at most %d", b->who, total,
                       INT32_MAX);
    }
    ty_status status = renew(b, TYI_BODIES_LATTICE, total ? total * sizeof(float) : 16, diag);
    for (int k = 0; k < bodies && status == TY_OK; k++) {
        const tyi_crm_lattice *l = body[k].lattice;
        if (l) {
            status = ty_device_write(b->buffer[TYI_BODIES_LATTICE], (size_t)b->first[k] * sizeof(float),
                                     nodes_of(l) * sizeof(float), l->value, diag);
        }
    }
    return status;
}

static ty_status clear(tyi_crm_device_bodies *b, int which, size_t words, ty_diag *diag)
{
    int32_t n = (int32_t)words;
    const ty_device_arg args[] = { ty_device_arg_buffer(b->buffer[which]), VAL(n) };
    return tyi_crm_device_run(b->program, "crm_clear", words, LOCAL, 1, args, 2, diag);
}

ty_status tyi_crm_device_bodies_begin(tyi_crm_device_bodies *b, const tyi_crm_body *body, int bodies, ty_diag *diag)
{
    size_t n = b->particles, parts = b->parts, count = (size_t)bodies;
    ty_status status = TY_OK;
    b->bodies = bodies;
    b->begun = 1;
    if (!bodies) {
        return status;
    }
    if (!ty_device_get_info(b->device)->fp64) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: bodies need a device with double precision, for the sums of forces",
                       b->who);
    }
    if (bodies > b->room) {
        drop_sums(b);
        b->room = bodies;
        b->fresh = true;
        status = renew(b, TYI_BODIES_SOLID, count * sizeof(ty_k_solid), diag);
        status = status == TY_OK ? renew(b, TYI_BODIES_LOAD, count * parts * SUMS * sizeof *b->load, diag) : status;
        b->bytes = count * parts * SUMS * sizeof *b->load;
        b->load = tyi_get(b->alloc, SUMS * parts * count * sizeof *b->load);
        if (status == TY_OK && !b->load) {
            status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for what bodies feel", b->who);
        }
        if (b->feel) {
            status = status == TY_OK ? renew(b, TYI_BODIES_FEEL, count * n * 32, diag) : status;
            status = status == TY_OK ? renew(b, TYI_BODIES_HIT, count * parts * 4, diag) : status;
            status = status == TY_OK ? clear(b, TYI_BODIES_HIT, count * parts, diag) : status;
            b->bytes += count * (n * 32 + parts * 4);
        }
    }
    return status == TY_OK ? send_lattices(b, body, bodies, diag) : status;
}

ty_status tyi_crm_device_bodies_send(tyi_crm_device_bodies *b, const tyi_crm_solids *solids, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int32_t k = 0; k < b->bodies && status == TY_OK; k++) {
        ty_k_solid s = solids->solid[k];
        s.first = b->first[k];
        if (b->fresh || memcmp(&s, &b->sent[k], sizeof s)) {
            const ty_device_arg args[] = { BUF(SOLID), VAL(s), VAL(k) };
            status = tyi_crm_device_run(b->program, "crm_solid", 1, LOCAL, 1, args, 3, diag);
            b->sent[k] = s;
        }
    }
    b->fresh = false;
    return status;
}

ty_status tyi_crm_device_bodies_feel(tyi_crm_device_bodies *b, int32_t n, float dt, ty_diag *diag)
{
    int32_t room = (int32_t)b->particles, parts = (int32_t)b->parts, first = b->begun;
    const ty_device_arg args[] = { BUF(FEEL),  BUF(HIT), BUF(LOAD), VAL(b->bodies), VAL(room),
                                   VAL(parts), VAL(n),   VAL(dt),   VAL(b->wide),   VAL(first) };
    b->begun = 0;
    return b->bodies ? tyi_crm_device_run(b->program, "crm_feel", b->parts * LOCAL, LOCAL, 1, args, 10, diag) : TY_OK;
}

ty_status tyi_crm_device_bodies_read(tyi_crm_device_bodies *b, ty_diag *diag)
{
    return ty_device_read(b->buffer[TYI_BODIES_LOAD], 0, SUMS * b->parts * (size_t)b->bodies * sizeof *b->load, b->load,
                          diag);
}

void tyi_crm_device_bodies_loads(const tyi_crm_device_bodies *b, int slot, int bodies, tyi_crm_part *part)
{
    size_t n = (size_t)bodies;
    const double *load = b->load + (size_t)slot * b->parts * n * SUMS;
    for (size_t p = 0; p < b->parts; p++) {
        for (size_t k = 0; k < n; k++) {
            const double *sum = &load[(p * n + k) * SUMS];
            memcpy(part[p].load[k], sum, 6 * sizeof *sum);
            part[p].touching[k] = (int)sum[6];
        }
    }
}
