/* bridge/dds/raw.c - see raw.h. No keys: all samples of a topic are of one instance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "raw.h"
#include <dds/ddsi/q_radmin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENCODING 4 /* [bytes] in front of a message */

typedef struct raw_type {
    struct ddsi_sertype c;
    size_t most;
} raw_type;

typedef struct raw_data {
    struct ddsi_serdata c;
    size_t bytes;
    uint8_t data[]; /* filled to a multiple of 4 */
} raw_data;

static raw_data *make(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, size_t bytes)
{
    raw_data *d = malloc(sizeof *d + bytes + 3);
    if (d) {
        ddsi_serdata_init(&d->c, type, kind);
        d->c.hash = type->serdata_basehash;
        d->bytes = bytes;
        memset(d->data + bytes, 0, 3);
    }
    return d;
}

struct ddsi_serdata *tyb_raw_data(const struct ddsi_sertype *type, const void *data, size_t bytes)
{
    raw_data *d = make(type, SDK_DATA, bytes);
    if (d) {
        memcpy(d->data, data, bytes);
    }
    return d ? &d->c : NULL;
}

const uint8_t *tyb_raw_bytes(const struct ddsi_serdata *data, size_t *bytes)
{
    const raw_data *d = (const raw_data *)data;
    *bytes = d->bytes;
    return d->data;
}

/* ---- what DDS asks of a sample ---- */

static bool same_key(const struct ddsi_serdata *a, const struct ddsi_serdata *b)
{
    (void)a, (void)b;
    return true;
}

static uint32_t size_of(const struct ddsi_serdata *d)
{
    return (uint32_t)((const raw_data *)d)->bytes;
}

static bool fits(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, size_t size)
{
    return size >= ENCODING && (kind != SDK_DATA || size <= ((const raw_type *)type)->most);
}

/* fragments may overlap, and each says where it begins and ends */
static struct ddsi_serdata *from_network(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                         const struct nn_rdata *part, size_t size)
{
    raw_data *d = fits(type, kind, size) ? make(type, kind, size) : NULL;
    size_t have = 0;
    for (; d && part; part = part->nextfrag) {
        size_t from = part->min, to = part->maxp1;
        if (from > have || to > size) {
            break;
        }
        if (to > have) {
            memcpy(d->data + have, NN_RMSG_PAYLOADOFF(part->rmsg, NN_RDATA_PAYLOAD_OFF(part)) + (have - from),
                   to - have);
            have = to;
        }
    }
    if (d && have != size) {
        free(d);
        return NULL;
    }
    return d ? &d->c : NULL;
}

static struct ddsi_serdata *from_vector(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        ddsrt_msg_iovlen_t count, const ddsrt_iovec_t *part, size_t size)
{
    raw_data *d = fits(type, kind, size) ? make(type, kind, size) : NULL;
    size_t have = 0;
    for (ddsrt_msg_iovlen_t i = 0; d && i < count && have + part[i].iov_len <= size; i++) {
        memcpy(d->data + have, part[i].iov_base, part[i].iov_len);
        have += part[i].iov_len;
    }
    if (d && have != size) {
        free(d);
        return NULL;
    }
    return d ? &d->c : NULL;
}

static struct ddsi_serdata *from_key(const struct ddsi_sertype *type, const struct ddsi_keyhash *key)
{
    (void)key;
    raw_data *d = make(type, SDK_KEY, ENCODING);
    if (d) {
        memset(d->data, 0, ENCODING);
    }
    return d ? &d->c : NULL;
}

static struct ddsi_serdata *from_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        const void *sample)
{
    (void)kind, (void)sample; /* only keys are asked for: samples are written as bytes */
    return from_key(type, NULL);
}

static struct ddsi_serdata *untyped(const struct ddsi_serdata *d)
{
    return from_key(d->type, NULL);
}

static void copy(const struct ddsi_serdata *d, size_t from, size_t size, void *to)
{
    memcpy(to, ((const raw_data *)d)->data + from, size);
}

static struct ddsi_serdata *lend(const struct ddsi_serdata *d, size_t from, size_t size, ddsrt_iovec_t *to)
{
    const raw_data *raw = (const raw_data *)d;
    to->iov_base = (void *)(uintptr_t)(raw->data + from);
    to->iov_len = size;
    return ddsi_serdata_ref(d);
}

static void returned(struct ddsi_serdata *d, const ddsrt_iovec_t *lent)
{
    (void)lent;
    ddsi_serdata_unref(d);
}

static bool to_sample(const struct ddsi_serdata *d, void *sample, void **buffer, void *end)
{
    (void)d, (void)sample, (void)buffer, (void)end;
    return false; /* samples are taken as bytes */
}

static bool key_to_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *d, void *sample, void **buffer,
                          void *end)
{
    (void)type, (void)d, (void)sample, (void)buffer, (void)end;
    return true; /* there is no key that could be filled in */
}

static void free_data(struct ddsi_serdata *d)
{
    free(d);
}

static size_t print(const struct ddsi_sertype *type, const struct ddsi_serdata *d, char *to, size_t size)
{
    (void)type;
    int n = snprintf(to, size, "%zu bytes", ((const raw_data *)d)->bytes);
    return n < 0 ? 0 : (size_t)n;
}

static void key_hash(const struct ddsi_serdata *d, struct ddsi_keyhash *to, bool md5)
{
    (void)d, (void)md5;
    memset(to, 0, sizeof *to);
}

static const struct ddsi_serdata_ops data_ops = { .eqkey = same_key,
                                                  .get_size = size_of,
                                                  .from_ser = from_network,
                                                  .from_ser_iov = from_vector,
                                                  .from_keyhash = from_key,
                                                  .from_sample = from_sample,
                                                  .to_ser = copy,
                                                  .to_ser_ref = lend,
                                                  .to_ser_unref = returned,
                                                  .to_sample = to_sample,
                                                  .to_untyped = untyped,
                                                  .untyped_to_sample = key_to_sample,
                                                  .free = free_data,
                                                  .print = print,
                                                  .get_keyhash = key_hash };

/* ---- what DDS asks of the type ---- */

static void free_type(struct ddsi_sertype *type)
{
    ddsi_sertype_fini(type);
    free(type);
}

static bool same_type(const struct ddsi_sertype *a, const struct ddsi_sertype *b)
{
    return ((const raw_type *)a)->most == ((const raw_type *)b)->most; /* DDS has compared the names */
}

static uint32_t hash_type(const struct ddsi_sertype *type)
{
    (void)type;
    return 0;
}

static void zero(const struct ddsi_sertype *type, void *samples, size_t count)
{
    (void)type, (void)samples, (void)count;
}

static void resize(void **list, const struct ddsi_sertype *type, void *old, size_t before, size_t count)
{
    (void)type, (void)old, (void)before;
    for (size_t i = 0; i < count; i++) {
        list[i] = NULL;
    }
}

static void free_samples(const struct ddsi_sertype *type, void **list, size_t count, dds_free_op_t what)
{
    (void)type, (void)list, (void)count, (void)what;
}

static const struct ddsi_sertype_ops type_ops = { .version = ddsi_sertype_v0,
                                                  .free = free_type,
                                                  .zero_samples = zero,
                                                  .realloc_samples = resize,
                                                  .free_samples = free_samples,
                                                  .equal = same_type,
                                                  .hash = hash_type };

struct ddsi_sertype *tyb_raw_type(const char *name, size_t most)
{
    raw_type *t = calloc(1, sizeof *t);
    if (t) {
        ddsi_sertype_init(&t->c, name, &type_ops, &data_ops, true);
        t->most = most;
    }
    return t ? &t->c : NULL;
}
