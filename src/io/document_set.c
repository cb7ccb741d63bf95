/* src/io/document_set.c - `--set a.b=c` as a change of the tree, so that it meets the same checks as the file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "document.h"

/* One setting on its way down the tree. */
typedef struct setter {
    tyi_io_doc *doc;
    tyi_io_node place; /* what new nodes take their origin from */
    const char *path;  /* "rovers.0.name" */
    const char *part;  /* the component at hand, in path */
    size_t length;     /* of the part */
    ty_diag *diag;
} setter;

static bool is_index(const char *part, size_t length)
{
    return length > 0 && length < 8 && strspn(part, "0123456789") >= length;
}

/* A copy that shares the values but not the list of them: an alias elsewhere must not see the change. */
static tyi_io_node *copy(tyi_io_doc *doc, const tyi_io_node *node)
{
    tyi_io_node *twin = tyi_io_doc_node(doc, node->type, node);
    for (const tyi_io_item *item = node->items; twin && item; item = item->next) {
        if (!tyi_io_doc_append(doc, twin, item->key, item->value)) {
            return NULL;
        }
    }
    return twin;
}

static tyi_io_item *find(const setter *s, const tyi_io_node *node)
{
    size_t index = node->type == TYI_IO_SEQUENCE ? strtoul(s->part, NULL, 10) : 0;
    for (tyi_io_item *item = node->items; item; item = item->next) {
        if (node->type == TYI_IO_SEQUENCE
                ? index-- == 0
                : strlen(item->key->text) == s->length && !memcmp(item->key->text, s->part, s->length)) {
            return item;
        }
    }
    return NULL;
}

/* the part's item in node, made if it is not there yet; NULL: out of memory */
static tyi_io_item *find_or_add(setter *s, tyi_io_node *node)
{
    tyi_io_item *item = find(s, node);
    if (item) {
        return item;
    }
    tyi_io_node *key = NULL, *value = tyi_io_doc_node(s->doc, TYI_IO_SCALAR, &s->place); /* empty */
    if (node->type == TYI_IO_MAP) {
        char *text = tyi_arena_get(&s->doc->arena, s->length + 1);
        key = tyi_io_doc_node(s->doc, TYI_IO_SCALAR, &s->place);
        if (!text || !key) {
            return NULL;
        }
        memcpy(text, s->part, s->length);
        key->text = text;
    }
    return value && tyi_io_doc_append(s->doc, node, key, value) ? node->last : NULL;
}

/* One step down: *at is where the part's parent hangs; it is replaced by a copy that has the part. */
static ty_status step(setter *s, tyi_io_node ***at)
{
    const tyi_io_node *old = **at;
    int before = (int)(s->part > s->path ? s->part - s->path - 1 : 0);
    bool index = is_index(s->part, s->length);
    tyi_io_node *node;
    if (tyi_io_node_null(old)) {
        node = tyi_io_doc_node(s->doc, index ? TYI_IO_SEQUENCE : TYI_IO_MAP, &s->place);
    } else if (old->type == TYI_IO_SCALAR) {
        return tyi_io_doc_fail(s->doc, &s->place, s->diag, TY_ERR_INPUT,
                               "%.*s is a single value, so it has no key '%.*s'", before, s->path, (int)s->length,
                               s->part);
    } else {
        node = copy(s->doc, old);
    }
    if (!node) {
        return tyi_io_doc_memory(s->diag, s->doc);
    }
    if (node->type == TYI_IO_SEQUENCE && (!index || strtoul(s->part, NULL, 10) > node->count)) {
        return tyi_io_doc_fail(s->doc, &s->place, s->diag, TY_ERR_INPUT,
                               "%.*s is a list, and takes an index from 0 to %zu (which appends), not '%.*s'", before,
                               s->path, node->count, (int)s->length, s->part);
    }
    **at = node;
    tyi_io_item *item = find_or_add(s, node);
    if (!item) {
        return tyi_io_doc_memory(s->diag, s->doc);
    }
    *at = &item->value;
    return TY_OK;
}

static ty_status apply(tyi_io_doc *doc, size_t i, ty_diag *diag)
{
    setter s = { .doc = doc, .place = { .setting = i + 1 }, .path = doc->settings[i], .diag = diag };
    const char *equals = strchr(s.path, '=');
    if (!equals) {
        return tyi_io_doc_fail(doc, &s.place, diag, TY_ERR_INPUT,
                               "there is no '=': --set takes key=value, such as name=test");
    }
    tyi_io_node **at = &doc->root, *value;
    int depth = 0;
    for (s.part = s.path; s.part <= equals; s.part += s.length + 1) {
        s.length = strcspn(s.part, ".=");
        if (s.length == 0 || s.length > 60 || ++depth > TYI_IO_DOC_DEPTH) {
            return tyi_io_doc_fail(doc, &s.place, diag, TY_ERR_INPUT,
                                   "the part before '=' takes names and indices joined by single "
                                   "dots, such as terrain.seed");
        }
        ty_status status = step(&s, &at);
        if (status != TY_OK) {
            return status;
        }
    }
    ty_status status = tyi_io_doc_tree(doc, equals + 1, strlen(equals + 1), i + 1, &value, diag);
    if (status == TY_OK && !value) { /* nothing stands after '=' */
        value = tyi_io_doc_node(doc, TYI_IO_SCALAR, &s.place);
        status = value ? TY_OK : tyi_io_doc_memory(diag, doc);
    }
    *at = status == TY_OK ? value : *at;
    return status;
}

ty_status tyi_io_doc_set(tyi_io_doc *doc, const char *const *settings, size_t count, ty_diag *diag)
{
    doc->settings = settings;
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = apply(doc, i, diag);
    }
    return status;
}
