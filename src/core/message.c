/* src/core/message.c - see tycho/stream.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "core.h"
#include "message.h"

/* ---- memory of messages, which several may hold ---- */

/* before the data, as far as a cache line reaches */
typedef struct message_memory {
    atomic_size_t holders;
    size_t bytes;
} message_memory;
#define HEAD 64

static message_memory *head_of(char *data)
{
    return (message_memory *)(void *)(data - HEAD);
}

char *tyi_message_memory_get(size_t bytes)
{
    char *block = tyi_get(NULL, HEAD + bytes);
    if (!block) {
        return NULL;
    }
    message_memory *head = (message_memory *)(void *)block;
    atomic_init(&head->holders, 1);
    head->bytes = bytes;
    return block + HEAD;
}

void tyi_message_memory_put(char *data)
{
    if (data) {
        message_memory *head = head_of(data);
        if (atomic_fetch_sub_explicit(&head->holders, 1, memory_order_acq_rel) == 1) {
            tyi_put(NULL, head, HEAD + head->bytes);
        }
    }
}

bool tyi_message_memory_shared(char *data)
{
    return data && atomic_load_explicit(&head_of(data)->holders, memory_order_acquire) > 1;
}

/* what ty_buffer_destroy() calls for a message that was kept */
static void let_go(void *data, size_t bytes, void *user)
{
    (void)bytes, (void)user;
    tyi_message_memory_put(data);
}

static const ty_alloc keeper = { NULL, let_go, NULL };

static size_t padded(const ty_buffer *b)
{
    return (ty_buffer_type_bytes(&b->type) + 63) / 64 * 64;
}

ty_status ty_message_keep(const ty_message *message, ty_message *out, ty_diag *diag)
{
    size_t bytes = 0, at = 0;
    for (int i = 0; i < message->parts; i++) {
        bytes += padded(&message->part[i].data);
    }
    char *data = message->parts ? message->part[0].data.data : NULL;
    *out = *message;
    if (message->shared && data) {
        atomic_fetch_add_explicit(&head_of(data)->holders, 1, memory_order_relaxed);
    } else {
        data = tyi_message_memory_get(bytes);
        if (!data) {
            *out = (ty_message){ 0 };
            return ty_fail(diag, TY_ERR_MEMORY, "a message of %zu bytes: no memory to keep it", bytes);
        }
        for (int i = 0; i < message->parts; i++) {
            const ty_buffer *from = &message->part[i].data;
            out->part[i].data = ty_buffer_wrap(&from->type, data + at);
            out->part[i].data.time = from->time;
            ty_buffer_copy(&out->part[i].data, from);
            at += padded(from);
        }
    }
    out->shared = true;
    out->part[0].data.data = data;
    out->part[0].data.bytes = head_of(data)->bytes > 0 ? head_of(data)->bytes : 1;
    out->part[0].data.alloc = &keeper;
    return TY_OK;
}

const ty_buffer *ty_message_find(const ty_message *message, const char *name)
{
    for (int i = 0; i < message->parts; i++) {
        if (!strcmp(message->part[i].name, name)) {
            return &message->part[i].data;
        }
    }
    return NULL;
}

/* small letters, '_' for '/', no blanks: "rad/s" ends a heading in "_rad_s", "N m" in "_nm" */
const char *ty_message_column_text(const ty_message_column *column, char *out, size_t size)
{
    char unit[32];
    size_t n = 0;
    for (const char *c = column->unit; *c && n + 1 < sizeof unit; c++) {
        if (*c != ' ') {
            unit[n++] = *c == '/' ? '_' : *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        }
    }
    unit[n] = '\0';
    snprintf(out, size, "%s%s%s", column->name, n ? "_" : "", unit);
    return out;
}

int ty_message_schema_find(const ty_message_schema *schema, ty_quantity quantity, int from)
{
    for (int i = 0; schema->column && schema->column[i].name; i++) {
        if (i >= from && schema->column[i].quantity == quantity) {
            return i;
        }
    }
    return -1;
}

static uint64_t hash_text(const char *text, uint64_t hash)
{
    return tyi_hash(text, strlen(text) + 1, hash);
}

static uint64_t hash_buffer(const ty_buffer *b, uint64_t hash)
{
    const int32_t type[6] = { b->type.width,         b->type.height, b->type.channels, (int32_t)b->type.element,
                              (int32_t)b->type.unit, b->type.frame };
    size_t bytes = ty_element_bytes(b->type.element);
    hash = tyi_hash(type, sizeof type, hash);
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            for (int c = 0; c < b->type.channels; c++) {
                hash = tyi_hash(ty_buffer_at(b, x, y, c), bytes, hash);
            }
        }
    }
    return hash;
}

uint64_t ty_message_hash(const ty_message *m)
{
    const int64_t numbers[4] = { m->time.start, m->time.end, m->time.due, (int64_t)m->sequence };
    uint64_t hash = hash_text(m->run, TYI_HASH_START);
    hash = hash_text(m->rover, hash);
    hash = hash_text(m->sensor, hash);
    hash = hash_text(m->schema->name, hash);
    hash = tyi_hash(numbers, sizeof numbers, hash);
    for (int i = 0; i < m->parts; i++) {
        hash = hash_text(m->part[i].name, hash);
        hash = hash_buffer(&m->part[i].data, hash);
    }
    return hash;
}
