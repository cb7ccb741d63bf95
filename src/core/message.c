/* src/core/message.c - see tycho/stream.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "core.h"
#include "tycho/stream.h"

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
