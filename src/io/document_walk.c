/* src/io/document_walk.c - every scalar that a filled struct holds, by the path of its key.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "document.h"

typedef struct walker {
    char path[512];
    tyi_io_scalar_call *call;
    void *user;
} walker;

static void walk_schema(walker *w, const tyi_io_schema *schema, const char *base);

static void say(walker *w, const tyi_io_key *key, const tyi_rules *rules, const char *base)
{
    const char *field = base + key->offset;
    const tyi_limit *limit = tyi_rules_limit(rules, key->offset);
    tyi_io_scalar s = { .path = w->path, .key = key, .kind = key->kind, .value = (double)NAN };
    if (key->kind == TYI_IO_NUMBER || key->kind == TYI_IO_INTEGER) {
        s.value = limit ? tyi_limit_get(limit, base) / tyi_io_key_scale(key) : (double)NAN;
        s.unit = tyi_io_key_unit(key, rules);
    } else if (key->kind == TYI_IO_BOOLEAN) {
        s.value = *(const bool *)field;
    } else if (key->kind == TYI_IO_CHOICE) {
        int chosen = *(const int *)(const void *)field;
        s.text = chosen < 0 ? NULL : key->choices[chosen];
    } else {
        s.text = field;
    }
    if (s.text || isfinite(s.value)) { /* else nothing is said */
        w->call(w->user, &s);
    }
}

static void walk_key(walker *w, const tyi_io_key *key, const tyi_rules *rules, const char *base)
{
    const char *field = base + key->offset;
    if (key->kind == TYI_IO_MAPPING) {
        walk_schema(w, key->schema, field);
    } else if (key->kind == TYI_IO_UNION) {
        int chosen = *(const int *)(const void *)(field + key->tag_offset);
        if (chosen >= 0) {
            walk_schema(w, key->variants[chosen].schema, field);
        }
    } else if (key->kind == TYI_IO_LIST) {
        const tyi_io_list *list = key->list;
        const char *first = list->in_place ? field : *(const char *const *)(const void *)field;
        size_t count = list->in_place ? list->most : *(const size_t *)(const void *)(base + list->count);
        size_t length = strlen(w->path);
        for (size_t i = 0; first && i < count; i++) {
            tyi_io_say(w->path, sizeof w->path, ".%zu", i);
            walk_key(w, list->element, list->rules, first + i * list->size);
            w->path[length] = '\0';
        }
    } else if (key->kind != TYI_IO_PAIRS) {
        say(w, key, rules, base);
    }
}

static void walk_schema(walker *w, const tyi_io_schema *schema, const char *base)
{
    size_t length = strlen(w->path);
    for (const tyi_io_key *key = schema->keys; key->name; key++) {
        tyi_io_say(w->path, sizeof w->path, "%s%s", length ? "." : "", key->name);
        walk_key(w, key, schema->rules, base);
        w->path[length] = '\0';
    }
}

void tyi_io_doc_walk(const tyi_io_schema *schema, const void *filled, tyi_io_scalar_call *call, void *user)
{
    walker w = { .call = call, .user = user };
    walk_schema(&w, schema, filled);
}
