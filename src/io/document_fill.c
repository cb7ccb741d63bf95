/* src/io/document_fill.c - the tree against the schema: checks every value and writes it into the
 * struct. The walk follows the file, so that the first error reported is the first in the file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "document.h"
#include "core/core.h"

#define MOST_KEYS 64 /* of one mapping */

/* A field that a key fills, given or not: lets later checks name the key and its place. */
typedef struct tyi_io_record {
    const void *field;
    const tyi_io_key *key;
    const tyi_rules *rules;
    const tyi_io_node *node; /* NULL: the default stands */
    const char *path;
    struct tyi_io_record *next;
} tyi_io_record;

typedef struct filler {
    tyi_io_doc *doc;
    tyi_arena *memory;
    ty_diag *diag;
    char path[512]; /* of the key at hand: "rovers.0.name" */
} filler;

static ty_status fill_value(filler *f, const tyi_io_key *key, const tyi_rules *rules, const tyi_io_node *node,
                            char *base);

/* a value as a message shows it */
static const char *describe(const tyi_io_node *node, char *out, size_t size)
{
    char text[64];
    tyi_io_doc_show(node->text, text, sizeof text);
    bool bare = !strcmp(text, "true") || !strcmp(text, "false") || !text[strspn(text, "0123456789+-.eE")];
    if (node->type != TYI_IO_SCALAR) {
        snprintf(out, size, "%s", node->type == TYI_IO_SEQUENCE ? "a list" : "a mapping");
    } else if (tyi_io_node_null(node)) {
        snprintf(out, size, "empty");
    } else if (node->quoted) {
        snprintf(out, size, "the text \"%s\"", text);
    } else {
        snprintf(out, size, bare ? "%s" : "'%s'", text);
    }
    return out;
}

/* "where: path is VALUE, but takes ..." */
static ty_status refuse(const filler *f, const tyi_io_key *key, const tyi_rules *rules, const tyi_io_node *node,
                        ty_status status)
{
    char value[100], takes[400];
    return tyi_io_doc_fail(f->doc, node, f->diag, status, "%s is %s, but takes %s", f->path,
                           describe(node, value, sizeof value), tyi_io_key_takes(key, rules, takes, sizeof takes));
}

/* ---- scalars: each parses the text into the field; TY_ERR_INPUT: not of that kind, TY_ERR_RANGE:
 * outside ---- */

static ty_status put_number(const tyi_io_key *key, const tyi_limit *limit, const tyi_io_node *node, void *field)
{
    char *end;
    if (node->quoted || node->text[strspn(node->text, "0123456789+-.eE")]) {
        return TY_ERR_INPUT; /* strtod alone would also take nan, inf and hexadecimal numbers */
    }
    double value = tyi_number(node->text, &end) * tyi_io_key_scale(key);
    if (end == node->text || *end) {
        return TY_ERR_INPUT;
    }
    *(double *)field = value;
    return tyi_limit_ok(limit, value) ? TY_OK : TY_ERR_RANGE;
}

static ty_status put_integer(const tyi_io_key *key, const tyi_limit *limit, const tyi_io_node *node, void *field)
{
    const char *text = node->text;
    bool negative = *text == '-';
    text += negative || *text == '+';
    if (node->quoted || !*text || text[strspn(text, "0123456789")]) {
        return TY_ERR_INPUT;
    }
    errno = 0;
    uint64_t size = strtoull(text, NULL, 10), scale = (uint64_t)tyi_io_key_scale(key);
    double value = (negative ? -1.0 : 1.0) * (double)size * (double)scale;
    if (errno == ERANGE || !tyi_limit_ok(limit, value)) {
        return TY_ERR_RANGE;
    }
    /* within the limit, so nothing below overflows */
    if (limit->type == TYI_INT) {
        *(int *)field = (int)value;
    } else if (limit->type == TYI_SIZE) {
        *(size_t *)field = (size_t)(size * scale);
    } else {
        TY_ASSERT(limit->type == TYI_UINT64);
        *(uint64_t *)field = size * scale;
    }
    return TY_OK;
}

static ty_status put_boolean(const tyi_io_node *node, void *field)
{
    *(bool *)field = !strcmp(node->text, "true");
    return !node->quoted && (*(bool *)field || !strcmp(node->text, "false")) ? TY_OK : TY_ERR_INPUT;
}

static ty_status put_text(const tyi_io_key *key, const tyi_io_node *node, char *field)
{
    size_t length = strlen(node->text);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)node->text[i] < 0x20 || node->text[i] == 0x7f) {
            return TY_ERR_INPUT;
        }
    }
    if (tyi_io_node_null(node) || length >= key->size) {
        return TY_ERR_INPUT;
    }
    memset(field, 0, key->size);
    memcpy(field, node->text, length);
    return TY_OK;
}

static ty_status put_choice(const char *const *choices, const tyi_io_node *node, int *field)
{
    for (int i = 0; choices[i]; i++) {
        if (!strcmp(choices[i], node->text)) {
            *field = i;
            return TY_OK;
        }
    }
    return TY_ERR_INPUT;
}

/* exactly n digits at *text, which moves behind them; -1 where they are not */
static int digits(const char **text, int n)
{
    int value = 0;
    for (int i = 0; i < n; i++, (*text)++) {
        if (**text < '0' || **text > '9') {
            return -1;
        }
        value = 10 * value + (**text - '0');
    }
    return value;
}

/* YYYY-MM-DD, then perhaps T or a space, hh:mm, :ss, .fraction, Z */
static ty_status put_utc(const tyi_io_key *key, const tyi_io_node *node, char *field)
{
    static const int days[13] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const char *t = node->text, *fraction = "";
    int year = digits(&t, 4), month = *t++ == '-' && year >= 0 ? digits(&t, 2) : -1;
    int day = month >= 1 && *t++ == '-' ? digits(&t, 2) : -1, hour = 0, minute = 0, second = 0, decimals = 0;
    if (day < 1 || month > 12) {
        return TY_ERR_INPUT;
    }
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (*t == 'T' || *t == ' ') {
        t++;
        hour = digits(&t, 2);
        minute = hour >= 0 && *t == ':' ? (t++, digits(&t, 2)) : -1;
        second = minute >= 0 && *t == ':' ? (t++, digits(&t, 2)) : second;
        if (minute >= 0 && second >= 0 && *t == '.') {
            fraction = t;
            decimals = (int)strspn(t + 1, "0123456789");
            t += 1 + decimals;
            second = decimals < 1 || decimals > 9 ? -1 : second;
        }
        t += minute >= 0 && second >= 0 && *t == 'Z';
    }
    if (*t || year < 1960 || year > 2099 || day > days[month] + (month == 2 && leap) || hour > 23 || minute < 0 ||
        minute > 59 || second < 0 || second > 59) {
        return TY_ERR_INPUT;
    }
    snprintf(field, key->size, "%04d-%02d-%02dT%02d:%02d:%02d%.*s", year, month, day, hour, minute, second,
             decimals ? decimals + 1 : 0, fraction);
    return TY_OK;
}

static ty_status put_scalar(const tyi_io_key *key, const tyi_rules *rules, const tyi_io_node *node, void *field)
{
    const tyi_limit *limit = tyi_rules_limit(rules, key->offset);
    if (node->type != TYI_IO_SCALAR) {
        return TY_ERR_INPUT;
    }
    switch (key->kind) {
    case TYI_IO_NUMBER:
        TY_ASSERT(limit && limit->type == TYI_DOUBLE);
        return put_number(key, limit, node, field);
    case TYI_IO_INTEGER:
        TY_ASSERT(limit && limit->type != TYI_DOUBLE);
        return put_integer(key, limit, node, field);
    case TYI_IO_BOOLEAN:
        return put_boolean(node, field);
    case TYI_IO_TEXT:
        return put_text(key, node, field);
    case TYI_IO_CHOICE:
        return put_choice(key->choices, node, field);
    case TYI_IO_UTC:
        TY_ASSERT(key->size >= 32);
        return put_utc(key, node, field);
    case TYI_IO_LIST:
    case TYI_IO_MAPPING:
    case TYI_IO_UNION:
    case TYI_IO_PAIRS:
        break;
    }
    return TY_ERR_INPUT;
}

/* ---- the walk ---- */

static ty_status record(filler *f, const tyi_io_key *key, const tyi_rules *rules, const tyi_io_node *node,
                        const void *field)
{
    tyi_io_record *r = tyi_arena_get(&f->doc->arena, sizeof *r);
    char *path = tyi_arena_get(&f->doc->arena, strlen(f->path) + 1);
    if (!r || !path) {
        return tyi_io_doc_memory(f->diag, f->doc);
    }
    *r = (tyi_io_record){ field, key, rules, node, strcpy(path, f->path), f->doc->records };
    f->doc->records = r;
    f->doc->keys += node != NULL;
    return TY_OK;
}

/* the path grows by a part; its old length comes back, to cut it again */
static size_t enter(filler *f, const char *part)
{
    size_t length = strlen(f->path);
    tyi_io_say(f->path, sizeof f->path, "%s%s", length ? "." : "", part);
    return length;
}

static ty_status unknown(const filler *f, const tyi_io_schema *schema, const char *tag, const tyi_io_node *key)
{
    const char *names[MOST_KEYS];
    char takes[400] = "", shown[60];
    size_t n = 0;
    if (tag) {
        names[n++] = tag;
        tyi_io_say(takes, sizeof takes, "%s%s", tag, schema->keys->name ? ", " : "");
    }
    for (const tyi_io_key *k = schema->keys; k->name && n < MOST_KEYS; k++) {
        names[n++] = k->name;
    }
    tyi_io_keys_list(schema->keys, takes, sizeof takes);
    const char *near = tyi_io_nearest(key->text, names, n);
    return tyi_io_doc_fail(f->doc, key, f->diag, TY_ERR_INPUT, "there is no key %s%s%s%s%s%s; %s takes %s", f->path,
                           f->path[0] ? "." : "", tyi_io_doc_show(key->text, shown, sizeof shown),
                           near ? " (did you mean " : "", near ? near : "", near ? "?)" : "",
                           f->path[0] ? f->path : "the file", takes);
}

static ty_status missing(const filler *f, const tyi_io_node *mapping, const char *name, const char *takes)
{
    return tyi_io_doc_fail(f->doc, mapping, f->diag, TY_ERR_INPUT, "the key %s%s%s is needed; it takes %s", f->path,
                           f->path[0] ? "." : "", name, takes);
}

static const tyi_io_record *find_record(const tyi_io_doc *doc, const void *field)
{
    const tyi_io_record *r = doc->records;
    while (r && r->field != field) {
        r = r->next;
    }
    return r;
}

static bool later(const tyi_io_node *a, const tyi_io_node *b)
{
    if (!a || !b) {
        return a != NULL;
    }
    return a->setting != b->setting ? a->setting > b->setting
           : a->line != b->line     ? a->line > b->line
                                    : a->column > b->column;
}

/* Of the two fields that are in the wrong order, the one given last is the one to blame. */
static ty_status check_orders(const filler *f, const tyi_rules *rules, const char *base)
{
    const tyi_order *order = tyi_rules_broken(rules, base);
    if (!order) {
        return TY_OK;
    }
    const tyi_io_record *less = find_record(f->doc, base + order->less),
                        *more = find_record(f->doc, base + order->more);
    TY_ASSERT(less && more); /* both are keys of the schema */
    bool upper = later(more->node, less->node);
    const tyi_io_record *blame = upper ? more : less, *other = upper ? less : more;
    return tyi_io_doc_fail(
        f->doc, blame->node, f->diag, TY_ERR_RANGE, "%s is %.10g %s, but must be %s %s, which is %.10g %s%s",
        blame->path, *(const double *)blame->field / tyi_io_key_scale(blame->key), tyi_io_key_unit(blame->key, rules),
        upper ? "above" : "below", other->path, *(const double *)other->field / tyi_io_key_scale(other->key),
        tyi_io_key_unit(other->key, rules), other->node ? "" : " by default");
}

/* node NULL: the mapping was not given; tag: a key that the caller has dealt with */
static ty_status fill_keys(filler *f, const tyi_io_schema *schema, const char *tag, const tyi_io_node *node, char *base)
{
    /* where each key was seen; the last is the tag's */
    const tyi_io_node *first[MOST_KEYS + 1] = { NULL };
    ty_status status = TY_OK;
    for (const tyi_io_item *item = node ? node->items : NULL; item && status == TY_OK; item = item->next) {
        const tyi_io_key *key = schema->keys;
        bool is_tag = tag && !strcmp(tag, item->key->text);
        while (!is_tag && key->name && strcmp(key->name, item->key->text)) {
            key++;
        }
        if (!is_tag && !key->name) {
            return unknown(f, schema, tag, item->key);
        }
        size_t length = enter(f, item->key->text);
        const tyi_io_node **seen = &first[is_tag ? MOST_KEYS : key - schema->keys];
        if (*seen) {
            return tyi_io_doc_fail(f->doc, item->key, f->diag, TY_ERR_INPUT,
                                   "the key %s stands twice, first in line %d", f->path, (*seen)->line);
        }
        *seen = item->key;
        if (!is_tag) {
            status = fill_value(f, key, schema->rules, item->value, base);
        }
        f->path[length] = '\0';
    }
    for (const tyi_io_key *key = schema->keys; key->name && status == TY_OK; key++) {
        TY_ASSERT(key - schema->keys < MOST_KEYS);
        if (!first[key - schema->keys]) {
            if (key->required && node) {
                char takes[400];
                return missing(f, node, key->name, tyi_io_key_takes(key, schema->rules, takes, sizeof takes));
            }
            size_t length = enter(f, key->name);
            status = fill_value(f, key, schema->rules, NULL, base);
            f->path[length] = '\0';
        }
    }
    return status == TY_OK && schema->whole ? check_orders(f, schema->rules, base) : status;
}

static int variant_count(const tyi_io_key *key)
{
    int n = 0;
    while (key->variants[n].name) {
        n++;
    }
    return n;
}

/* reads the tag, sets the defaults of a variant that is not the default one, fills its keys */
static ty_status fill_union(filler *f, const tyi_io_key *key, const tyi_io_node *node, char *base)
{
    int *choice = (int *)(void *)(base + key->tag_offset), count = variant_count(key);
    const char *names[MOST_KEYS + 1] = { NULL };
    for (int i = 0; i < count && i < MOST_KEYS; i++) {
        names[i] = key->variants[i].name;
    }
    const tyi_io_key tag = { .name = key->tag, .kind = TYI_IO_CHOICE, .offset = key->tag_offset, .choices = names };
    const tyi_io_item *item = node ? node->items : NULL;
    while (item && strcmp(item->key->text, key->tag)) {
        item = item->next;
    }
    int before = *choice;
    if (item) {
        size_t length = enter(f, key->tag);
        if (put_scalar(&tag, NULL, item->value, choice) != TY_OK) {
            return refuse(f, &tag, NULL, item->value, TY_ERR_INPUT);
        }
        f->doc->keys++;
        f->path[length] = '\0';
    }
    if (*choice < 0 || *choice >= count) {
        char takes[400];
        return node ? missing(f, node, key->tag, tyi_io_key_takes(&tag, NULL, takes, sizeof takes)) : TY_OK;
    }
    const tyi_io_variant *variant = &key->variants[*choice];
    if (*choice != before && variant->init) {
        int chosen = *choice;
        variant->init(base);
        *choice = chosen;
    }
    return fill_keys(f, variant->schema, key->tag, node, base);
}

static ty_status fill_list(filler *f, const tyi_io_key *key, const tyi_rules *rules, const tyi_io_node *node,
                           char *base)
{
    const tyi_io_list *list = key->list;
    if (node->type != TYI_IO_SEQUENCE && !tyi_io_node_null(node)) {
        return refuse(f, key, rules, node, TY_ERR_INPUT);
    }
    if (node->count < list->least || node->count > list->most) {
        char takes[400];
        return tyi_io_doc_fail(f->doc, node, f->diag, TY_ERR_RANGE, "%s has %zu elements, but takes %s", f->path,
                               node->count, tyi_io_key_takes(key, rules, takes, sizeof takes));
    }
    char *elements = base + key->offset;
    if (!list->in_place) {
        elements = node->count ? tyi_arena_get(f->memory, node->count * list->size) : NULL;
        if (node->count && !elements) {
            return tyi_io_doc_memory(f->diag, f->doc);
        }
        *(void **)(void *)(base + key->offset) = elements;
        *(size_t *)(void *)(base + list->count) = node->count;
    }
    ty_status status = TY_OK;
    size_t i = 0;
    for (const tyi_io_item *item = node->items; item && status == TY_OK; item = item->next, i++) {
        char part[24], *element = elements + i * list->size;
        if (list->init) {
            list->init(element);
        }
        snprintf(part, sizeof part, "%zu", i);
        size_t length = enter(f, part);
        status = fill_value(f, list->element, list->rules, item->value, element);
        f->path[length] = '\0';
    }
    return status;
}

/* any keys with scalars; each setting is recorded, so that later checks can name its place */
static ty_status fill_pairs(filler *f, const tyi_io_key *key, const tyi_io_node *node, ty_settings *out)
{
    if (node->type != TYI_IO_MAP) {
        return tyi_io_node_null(node) ? TY_OK : refuse(f, key, NULL, node, TY_ERR_INPUT);
    }
    /* never NULL, so that an empty mapping can be told from none */
    out->item = tyi_arena_get(f->memory, (node->count + 1) * sizeof *out->item);
    if (!out->item) {
        return tyi_io_doc_memory(f->diag, f->doc);
    }
    out->count = 0;
    ty_status status = TY_OK;
    for (const tyi_io_item *item = node->items; item && status == TY_OK; item = item->next) {
        ty_setting *s = &out->item[out->count++];
        const tyi_io_key name = { .kind = TYI_IO_TEXT, .size = sizeof s->key };
        const tyi_io_key value = { .kind = TYI_IO_TEXT, .size = sizeof s->value };
        size_t length = enter(f, item->key->text);
        if (put_text(&name, item->key, s->key) != TY_OK) {
            status = tyi_io_doc_fail(f->doc, item->key, f->diag, TY_ERR_INPUT,
                                     "%s has a name that is longer than %zu bytes", f->path, sizeof s->key - 1);
        } else if (item->value->type != TYI_IO_SCALAR || put_text(&value, item->value, s->value) != TY_OK) {
            status = refuse(f, &value, NULL, item->value, TY_ERR_INPUT);
        } else {
            status = record(f, key, NULL, item->value, s);
        }
        f->path[length] = '\0';
    }
    return status;
}

static ty_status fill_value(filler *f, const tyi_io_key *key, const tyi_rules *rules, const tyi_io_node *node,
                            char *base)
{
    char *field = base + key->offset;
    if (key->kind == TYI_IO_MAPPING || key->kind == TYI_IO_UNION) {
        if (node && node->type != TYI_IO_MAP && !tyi_io_node_null(node)) {
            return refuse(f, key, rules, node, TY_ERR_INPUT);
        }
        return key->kind == TYI_IO_UNION ? fill_union(f, key, node, field)
                                         : fill_keys(f, key->schema, NULL, node, field);
    }
    if (key->kind == TYI_IO_PAIRS && node) {
        ty_status status = fill_pairs(f, key, node, (ty_settings *)(void *)field);
        if (status != TY_OK) {
            return status;
        }
    } else if (key->kind == TYI_IO_LIST && node) {
        ty_status status = fill_list(f, key, rules, node, base);
        if (status != TY_OK || key->list->in_place) { /* in place: the elements are the records */
            return status;
        }
    } else if (node) {
        ty_status status = put_scalar(key, rules, node, field);
        if (status != TY_OK) {
            return refuse(f, key, rules, node, status);
        }
    }
    return record(f, key, rules, node, field);
}

ty_status tyi_io_doc_fill(tyi_io_doc *doc, const tyi_io_schema *schema, void *out, tyi_arena *memory, ty_diag *diag)
{
    filler f = { .doc = doc, .memory = memory, .diag = diag };
    return fill_keys(&f, schema, NULL, doc->root, out);
}

ty_status tyi_io_doc_fail_field(const tyi_io_doc *doc, const void *field, ty_diag *diag, ty_status status,
                                const char *format, ...)
{
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const tyi_io_record *r = find_record(doc, field);
    return tyi_io_doc_fail(doc, r ? r->node : NULL, diag, status, "%s%s%s", r ? r->path : "", r ? " " : "", text);
}

bool tyi_io_doc_given(const tyi_io_doc *doc, const void *field)
{
    const tyi_io_record *r = find_record(doc, field);
    return r && r->node;
}
