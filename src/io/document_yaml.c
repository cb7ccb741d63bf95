/* src/io/document_yaml.c - YAML text into a tree of nodes that know their line and column.
 *
 * The tree is built from libyaml's events, not from its document: so depth, size and aliases are
 * bounded while reading (libyaml's document compares each anchor with every other one, and may hold
 * cycles), and the memory is ours. An alias shares the node of its anchor; an anchor is known once
 * its value is complete, so the tree has no cycles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <string.h>
#include <yaml.h>
#include "document.h"

#define MOST_ANCHORS 100

typedef struct anchor {
    const char *name;
    tyi_io_node *node;
    struct anchor *next;
} anchor;

typedef struct level {
    tyi_io_node *node, *key; /* key: read, its value is still to come */
    const char *anchor;
} level;

typedef struct builder {
    tyi_io_doc *doc;
    size_t setting;
    level stack[TYI_IO_DOC_DEPTH];
    int depth;
    anchor *anchors;
    size_t anchor_count, nodes;
    tyi_io_node *root;
    ty_diag *diag;
} builder;

const char *tyi_io_doc_show(const char *text, char *out, size_t size)
{
    size_t n = strnlen(text, size), keep = n < size ? n : size - 4;
    while (n == size && keep > 0 && ((unsigned char)text[keep] & 0xc0u) == 0x80u) {
        keep--; /* not inside a character */
    }
    for (size_t i = 0; i < keep; i++) {
        unsigned char c = (unsigned char)text[i];
        out[i] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    strcpy(out + keep, n < size ? "" : "...");
    return out;
}

ty_status tyi_io_doc_fail(const tyi_io_doc *doc, const tyi_io_node *node, ty_diag *diag, ty_status status,
                          const char *format, ...)
{
    char text[840], where[100];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!node) {
        return ty_fail(diag, status, "%s: %s", doc->name, text);
    }
    if (node->setting) {
        return ty_fail(diag, status, "--set %s: %s",
                       tyi_io_doc_show(doc->settings[node->setting - 1], where, sizeof where), text);
    }
    return ty_fail(diag, status, "%s:%d:%d: %s", doc->name, node->line, node->column, text);
}

ty_status tyi_io_doc_memory(ty_diag *diag, const tyi_io_doc *doc)
{
    return ty_fail(diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", doc->name);
}

bool tyi_io_node_null(const tyi_io_node *node)
{
    return node->type == TYI_IO_SCALAR && !node->quoted &&
           (!node->text[0] || !strcmp(node->text, "~") || !strcasecmp(node->text, "null"));
}

tyi_io_node *tyi_io_doc_node(tyi_io_doc *doc, tyi_io_node_type type, const tyi_io_node *place)
{
    tyi_io_node *node = tyi_arena_get(&doc->arena, sizeof *node);
    if (node) {
        *node = (tyi_io_node){ .type = type,
                               .line = place->line,
                               .column = place->column,
                               .setting = place->setting,
                               .text = "",
                               .weight = 1 };
    }
    return node;
}

bool tyi_io_doc_append(tyi_io_doc *doc, tyi_io_node *node, tyi_io_node *key, tyi_io_node *value)
{
    tyi_io_item *item = tyi_arena_get(&doc->arena, sizeof *item);
    if (!item) {
        return false;
    }
    *item = (tyi_io_item){ .key = key, .value = value };
    *(node->last ? &node->last->next : &node->items) = item;
    node->last = item;
    node->count++;
    return true;
}

static char *keep_text(tyi_io_doc *doc, const char *text, size_t length)
{
    char *copy = tyi_arena_get(&doc->arena, length + 1);
    if (copy) {
        memcpy(copy, text, length); /* the arena is zeroed */
    }
    return copy;
}

/* puts a complete node where it belongs; place: where the file names it, for an alias not where it is written */
static ty_status attach(builder *b, tyi_io_node *node, const tyi_io_node *place)
{
    if (b->depth == 0) {
        b->root = node;
        return TY_OK;
    }
    level *at = &b->stack[b->depth - 1];
    at->node->weight += node->weight;
    if (at->node->weight > TYI_IO_DOC_NODES) {
        return tyi_io_doc_fail(b->doc, place, b->diag, TY_ERR_FORMAT,
                               "the file holds more than %d values, aliases written out, the most that is accepted",
                               TYI_IO_DOC_NODES);
    }
    if (at->node->type == TYI_IO_MAP && !at->key) {
        if (node->type != TYI_IO_SCALAR) {
            return tyi_io_doc_fail(b->doc, place, b->diag, TY_ERR_FORMAT, "a key must be plain text, not %s",
                                   node->type == TYI_IO_MAP ? "a mapping" : "a list");
        }
        at->key = node;
        return TY_OK;
    }
    tyi_io_node *key = at->key;
    at->key = NULL;
    return tyi_io_doc_append(b->doc, at->node, key, node) ? TY_OK : tyi_io_doc_memory(b->diag, b->doc);
}

static ty_status add_anchor(builder *b, const char *name, tyi_io_node *node)
{
    if (!name) {
        return TY_OK;
    }
    if (++b->anchor_count > MOST_ANCHORS) {
        return tyi_io_doc_fail(b->doc, node, b->diag, TY_ERR_FORMAT,
                               "the file holds more than %d anchors (&name), the most that is accepted", MOST_ANCHORS);
    }
    anchor *a = tyi_arena_get(&b->doc->arena, sizeof *a);
    char *copy = keep_text(b->doc, name, strlen(name));
    if (!a || !copy) {
        return tyi_io_doc_memory(b->diag, b->doc);
    }
    *a = (anchor){ .name = copy, .node = node, .next = b->anchors };
    b->anchors = a;
    return TY_OK;
}

static ty_status on_alias(builder *b, const tyi_io_node *place, const char *name)
{
    for (anchor *a = b->anchors; a; a = a->next) {
        if (!strcmp(a->name, name)) {
            return attach(b, a->node, place);
        }
    }
    char shown[60];
    return tyi_io_doc_fail(b->doc, place, b->diag, TY_ERR_FORMAT,
                           "the alias *%s stands for nothing: no &%s is complete before it",
                           tyi_io_doc_show(name, shown, sizeof shown), shown);
}

static ty_status on_scalar(builder *b, const tyi_io_node *place, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(text, 0, length)) {
        return tyi_io_doc_fail(b->doc, place, b->diag, TY_ERR_FORMAT,
                               "the text holds a zero byte, which is not accepted");
    }
    tyi_io_node *node = tyi_io_doc_node(b->doc, TYI_IO_SCALAR, place);
    char *copy = keep_text(b->doc, text, length);
    if (!node || !copy) {
        return tyi_io_doc_memory(b->diag, b->doc);
    }
    node->text = copy;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    ty_status status = add_anchor(b, (const char *)event->data.scalar.anchor, node);
    return status == TY_OK ? attach(b, node, place) : status;
}

static ty_status on_start(builder *b, const tyi_io_node *place, tyi_io_node_type type, const char *anchor_name)
{
    if (b->depth == TYI_IO_DOC_DEPTH) {
        return tyi_io_doc_fail(b->doc, place, b->diag, TY_ERR_FORMAT,
                               "values are nested more than %d deep, the most that is accepted", TYI_IO_DOC_DEPTH);
    }
    level *at = &b->stack[b->depth++];
    *at = (level){ .node = tyi_io_doc_node(b->doc, type, place) };
    if (anchor_name) {
        at->anchor = keep_text(b->doc, anchor_name, strlen(anchor_name));
    }
    return at->node && (at->anchor || !anchor_name) ? TY_OK : tyi_io_doc_memory(b->diag, b->doc);
}

static ty_status on_end(builder *b)
{
    level *at = &b->stack[--b->depth];
    ty_status status = add_anchor(b, at->anchor, at->node);
    return status == TY_OK ? attach(b, at->node, at->node) : status;
}

static ty_status on_event(builder *b, const yaml_event_t *event)
{
    const tyi_io_node place = { .line = (int)event->start_mark.line + 1,
                                .column = (int)event->start_mark.column + 1,
                                .setting = b->setting };
    const yaml_char_t *tag = event->type == YAML_SCALAR_EVENT           ? event->data.scalar.tag
                             : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.tag
                             : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.tag
                                                                        : NULL;
    if (tag) {
        char shown[60];
        return tyi_io_doc_fail(b->doc, &place, b->diag, TY_ERR_FORMAT,
                               "the tag '%s' is not accepted: values have no tags here",
                               tyi_io_doc_show((const char *)tag, shown, sizeof shown));
    }
    if (++b->nodes > 2 * TYI_IO_DOC_NODES) { /* every collection has two events */
        return tyi_io_doc_fail(b->doc, &place, b->diag, TY_ERR_FORMAT,
                               "the file holds more than %d values, the most that is accepted", TYI_IO_DOC_NODES);
    }
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return !b->root ? TY_OK
                        : tyi_io_doc_fail(b->doc, &place, b->diag, TY_ERR_FORMAT,
                                          "a second document starts here, but a file takes one");
    case YAML_SCALAR_EVENT:
        return on_scalar(b, &place, event);
    case YAML_ALIAS_EVENT:
        return on_alias(b, &place, (const char *)event->data.alias.anchor);
    case YAML_SEQUENCE_START_EVENT:
        return on_start(b, &place, TYI_IO_SEQUENCE, (const char *)event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return on_start(b, &place, TYI_IO_MAP, (const char *)event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_end(b);
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return TY_OK;
}

/* true where the indentation of a line (from 1) holds a tab */
static bool tab_indents(const char *bytes, size_t size, int line)
{
    const char *end = bytes + size;
    for (; line > 1 && bytes < end; line--) {
        const char *next = memchr(bytes, '\n', (size_t)(end - bytes));
        bytes = next ? next + 1 : end;
    }
    while (bytes < end && *bytes == ' ') {
        bytes++;
    }
    return bytes < end && *bytes == '\t';
}

/* libyaml's own complaint, with the place it names */
static ty_status syntax(builder *b, const yaml_parser_t *parser, const char *bytes, size_t size)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return tyi_io_doc_memory(b->diag, b->doc);
    }
    const tyi_io_node place = { .line = (int)parser->problem_mark.line + 1,
                                .column = (int)parser->problem_mark.column + 1,
                                .setting = b->setting };
    if (tab_indents(bytes, size, place.line)) {
        return tyi_io_doc_fail(b->doc, &place, b->diag, TY_ERR_FORMAT,
                               "the line is indented with a tab, but YAML takes spaces only");
    }
    const char *problem = parser->problem ? parser->problem : "unreadable";
    if (!parser->context) {
        return tyi_io_doc_fail(b->doc, &place, b->diag, TY_ERR_FORMAT, "this is not valid YAML: %s", problem);
    }
    return tyi_io_doc_fail(b->doc, &place, b->diag, TY_ERR_FORMAT,
                           "this is not valid YAML: %s, %s that starts at %d:%d", problem, parser->context,
                           (int)parser->context_mark.line + 1, (int)parser->context_mark.column + 1);
}

ty_status tyi_io_doc_tree(tyi_io_doc *doc, const char *bytes, size_t size, size_t setting, tyi_io_node **out,
                          ty_diag *diag)
{
    builder b = { .doc = doc, .setting = setting, .diag = diag };
    yaml_parser_t parser;
    *out = NULL;
    if (!yaml_parser_initialize(&parser)) {
        return tyi_io_doc_memory(diag, doc);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    ty_status status = TY_OK;
    for (bool more = true; more && status == TY_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = syntax(&b, &parser, bytes, size);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = on_event(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    *out = status == TY_OK ? b.root : NULL;
    return status;
}

/* Length of the UTF-8 character at p, 0 where there is none that YAML allows. */
static size_t character(const unsigned char *p, size_t left)
{
    static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = p[0] < 0x80              ? 1
               : (p[0] & 0xe0u) == 0xc0 ? 2
               : (p[0] & 0xf0u) == 0xe0 ? 3
               : (p[0] & 0xf8u) == 0xf0 ? 4
                                        : 0;
    if (n == 0 || n > left) {
        return 0;
    }
    uint32_t c = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0u) != 0x80u) {
            return 0;
        }
        c = c << 6 | (p[i] & 0x3fu);
    }
    bool allowed = c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7e) || c == 0x85 ||
                   (c >= 0xa0 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
    return allowed && c >= least[n] ? n : 0;
}

/* a %TAG directive: at the start, or after one of the line breaks that libyaml knows */
static bool tag_directive(const unsigned char *bytes, size_t at, size_t size)
{
    return size - at > 4 && !memcmp(bytes + at, "%TAG", 4) &&
           (at == 0 || bytes[at - 1] == '\n' || bytes[at - 1] == '\r' || bytes[at - 1] >= 0x80);
}

/* Only text goes to the parser, so that a picture or a truncated download gets a sentence of its own. */
static ty_status check_text(const tyi_io_doc *doc, const unsigned char *bytes, size_t size, ty_diag *diag)
{
    tyi_io_node place = { .line = 1, .column = 1 };
    size_t n;
    for (size_t i = 0; i < size; i += n) {
        n = character(bytes + i, size - i);
        if (n == 0) {
            return tyi_io_doc_fail(doc, &place, diag, TY_ERR_FORMAT,
                                   "the byte 0x%02x here is not text in UTF-8, which a YAML file must be", bytes[i]);
        }
        if (tag_directive(bytes, i, size)) {
            /* of no use here, and libyaml compares each one with every other one */
            return tyi_io_doc_fail(doc, &place, diag, TY_ERR_FORMAT,
                                   "the directive %%TAG is not accepted: values have no tags here");
        }
        bool end = bytes[i] == '\n' || (bytes[i] == '\r' && i + 1 < size && bytes[i + 1] != '\n');
        place.line += end;
        place.column = end ? 1 : place.column + 1;
    }
    return TY_OK;
}

ty_status tyi_io_doc_parse(tyi_io_doc *doc, const char *name, const char *bytes, size_t size, const ty_alloc *alloc,
                           ty_diag *diag)
{
    *doc = (tyi_io_doc){ 0 };
    tyi_arena_init(&doc->arena, alloc, 256); /* files are small */
    tyi_io_doc_show(name, doc->name, sizeof doc->name);
    ty_status status = check_text(doc, (const unsigned char *)bytes, size, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_tree(doc, bytes, size, 0, &doc->root, diag);
    }
    if (status == TY_OK && (!doc->root || tyi_io_node_null(doc->root))) {
        return tyi_io_doc_fail(doc, NULL, diag, TY_ERR_FORMAT, "is empty, but lines `key: value` are expected");
    }
    if (status == TY_OK && doc->root->type != TYI_IO_MAP) {
        return tyi_io_doc_fail(doc, doc->root, diag, TY_ERR_FORMAT,
                               "the file holds %s, but lines `key: value` are expected",
                               doc->root->type == TYI_IO_SEQUENCE ? "a list" : "one text");
    }
    return status;
}

ty_status tyi_io_doc_read(tyi_io_doc *doc, const char *path, const ty_alloc *alloc, ty_diag *diag)
{
    tyi_io_bytes bytes;
    *doc = (tyi_io_doc){ 0 };
    ty_status status = tyi_io_file_read(path, TYI_IO_DOC_BYTES, alloc, &bytes, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_parse(doc, path, bytes.data, bytes.size, alloc, diag);
        tyi_put(alloc, bytes.data, bytes.capacity);
    }
    return status;
}

void tyi_io_doc_free(tyi_io_doc *doc)
{
    tyi_arena_free(&doc->arena);
}
