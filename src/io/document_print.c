/* src/io/document_print.c - the reference page: a schema as Markdown tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "document.h"

typedef struct printer {
    FILE *out;
    char path[512];
    const tyi_io_key *key; /* union whose variants are printed: keys that they all have stand once, before them */
    ty_diag *diag;
} printer;

static ty_status print_schema(printer *p, const tyi_io_schema *schema, const char *base);

static void say_default(char *out, size_t size, const tyi_io_key *key, const tyi_rules *rules, const char *base)
{
    const char *field = base + key->offset;
    const tyi_limit *limit = tyi_rules_limit(rules, key->offset);
    out[0] = '\0';
    switch (key->kind) {
    case TYI_IO_NUMBER:
    case TYI_IO_INTEGER:
        if (isnan(tyi_limit_get(limit, base))) { /* nothing said */
            tyi_io_say(out, size, "none");
        } else {
            tyi_io_say_value(out, size, limit, tyi_limit_get(limit, base) / tyi_io_key_scale(key));
        }
        break;
    case TYI_IO_BOOLEAN:
        tyi_io_say(out, size, "%s", *(const bool *)field ? "true" : "false");
        break;
    case TYI_IO_TEXT:
    case TYI_IO_UTC:
        tyi_io_say(out, size, "%s", field[0] ? field : "none");
        break;
    case TYI_IO_CHOICE:
        /* below 0: nothing said */
        tyi_io_say(out, size, "%s",
                   *(const int *)(const void *)field < 0 ? "none" : key->choices[*(const int *)(const void *)field]);
        break;
    case TYI_IO_LIST:
        tyi_io_say(out, size, key->list->in_place ? "below" : "none");
        break;
    case TYI_IO_PAIRS:
        tyi_io_say(out, size, "none");
        break;
    case TYI_IO_MAPPING:
    case TYI_IO_UNION:
        tyi_io_say(out, size, "below");
        break;
    }
}

static void print_row(FILE *out, const char *name, const char *takes, const char *value, const char *text)
{
    fprintf(out, "| `%s` | %s | %s | %s |\n", name, takes, value, text);
}

/* ", below `d_max`" where the rules say so and both keys stand in the same mapping */
static void say_orders(char *out, size_t size, const tyi_io_key *key, const tyi_io_schema *schema)
{
    const tyi_order *o = schema->rules ? schema->rules->orders : NULL;
    for (; o && o->less != o->more && key->kind == TYI_IO_NUMBER; o++) {
        for (const tyi_io_key *other = schema->keys; other->name; other++) {
            bool below = o->less == key->offset && o->more == other->offset;
            bool above = o->more == key->offset && o->less == other->offset;
            if (other->kind == TYI_IO_NUMBER && (below || above)) {
                tyi_io_say(out, size, ", %s `%s`", below ? "below" : "above", other->name);
            }
        }
    }
}

static void say_takes(char *out, size_t size, const tyi_io_key *key, const tyi_io_schema *schema)
{
    if (key->kind == TYI_IO_MAPPING) {
        snprintf(out, size, "a mapping");
    } else if (key->kind == TYI_IO_LIST && key->list->element->kind == TYI_IO_MAPPING) {
        snprintf(out, size, "a list of %zu to %zu mappings", key->list->least, key->list->most);
    } else {
        tyi_io_key_takes(key, schema->rules, out, size);
        say_orders(out, size, key, schema);
    }
}

/* What a row of the table says; mappings are only named here and follow in sections of their own. */
static void print_key(printer *p, const tyi_io_key *key, const tyi_io_schema *schema, const char *base,
                      const char *instead)
{
    char takes[600], value[100];
    say_takes(takes, sizeof takes, key, schema);
    say_default(value, sizeof value, key, schema->rules, base);
    print_row(p->out, key->name, takes, key->required ? "needed" : instead ? instead : value, key->text);
}

static const tyi_io_key *find_key(const tyi_io_schema *schema, const char *name)
{
    const tyi_io_key *key = schema->keys;
    while (key->name && strcmp(key->name, name) != 0) {
        key++;
    }
    return key->name ? key : NULL;
}

/* whether all variants of a union have a key that takes and means the same */
static bool is_common(const tyi_io_key *in, const tyi_io_key *key, const tyi_io_schema *schema)
{
    char takes[600], other_takes[600];
    if (!in || key->kind == TYI_IO_MAPPING || key->kind == TYI_IO_UNION ||
        (key->kind == TYI_IO_LIST && key->list->element->kind == TYI_IO_MAPPING)) {
        return false;
    }
    say_takes(takes, sizeof takes, key, schema);
    int count = 0;
    for (const tyi_io_variant *v = in->variants; v->name; v++, count++) {
        const tyi_io_key *other = find_key(v->schema, key->name);
        if (!other || strcmp(other->text, key->text) != 0 || other->required != key->required) {
            return false;
        }
        say_takes(other_takes, sizeof other_takes, other, v->schema);
        if (strcmp(takes, other_takes) != 0) {
            return false;
        }
    }
    return count > 1;
}

/* after: what stands behind the path, "" or " with model: bekker" */
static void print_head(const printer *p, const char *after, const char *text)
{
    if (p->path[0]) {
        fprintf(p->out, "\n## `%s`%s\n%s.\n\n", p->path, after, text);
    }
    fprintf(p->out, "| key | takes | default | meaning |\n|---|---|---|---|\n");
}

/* whether a key that all variants have has another default in some of them; a variant's defaults are as it sets them in
 * an empty struct */
static bool differs(const tyi_io_key *in, const char *name)
{
    char first[100] = "", value[100];
    bool result = false;
    for (const tyi_io_variant *v = in->variants; v->name && !result; v++) {
        char *own = tyi_get(NULL, in->size);
        const tyi_io_key *key = find_key(v->schema, name);
        if (own && v->init) {
            v->init(own);
        }
        if (own && key) {
            say_default(value, sizeof value, key, v->schema->rules, own);
            result = v != in->variants && strcmp(first, value) != 0;
            snprintf(first, sizeof first, "%s", value);
        }
        tyi_put(NULL, own, in->size);
    }
    return result;
}

/* the defaults of the keys that all variants have, where they are not those of the first one */
static void print_own_defaults(printer *p, const tyi_io_key *in, const tyi_io_schema *schema, const char *own)
{
    const char *lead = " Defaults:";
    for (const tyi_io_key *key = schema->keys; key->name; key++) {
        if (is_common(in, key, schema) && !key->required && differs(in, key->name)) {
            char value[100];
            say_default(value, sizeof value, key, schema->rules, own);
            fprintf(p->out, "%s `%s` %s", lead, key->name, value);
            lead = ",";
        }
    }
    fprintf(p->out, "%s\n", lead[0] == ',' ? "." : "");
}

/* one variant with its own defaults: those of the struct where it is the default one */
static ty_status print_variant(printer *p, const tyi_io_key *key, int i, const char *base, bool is_default)
{
    const tyi_io_variant *v = &key->variants[i];
    char *own = tyi_get(NULL, key->size);
    if (!own) {
        return ty_fail(p->diag, TY_ERR_MEMORY, "no memory for the defaults of %s", p->path);
    }
    memcpy(own, base, key->size);
    if (!is_default && v->init) {
        v->init(own);
    }
    char after[100];
    snprintf(after, sizeof after, " with %s: %s", key->tag, v->name);
    fprintf(p->out, "\n## `%s`%s\n%s.", p->path, after, v->text);
    print_own_defaults(p, key, v->schema, own);
    fprintf(p->out, "\n");
    const tyi_io_key *before = p->key;
    p->key = key;
    ty_status status = print_schema(p, v->schema, own);
    p->key = before;
    tyi_put(NULL, own, key->size);
    return status;
}

/* the keys that every variant has, with the defaults that the first one sets */
static ty_status print_common(printer *p, const tyi_io_key *in, const char *base, int chosen)
{
    const tyi_io_schema *first = in->variants[0].schema;
    char *own = tyi_get(NULL, in->size);
    if (!own) {
        return ty_fail(p->diag, TY_ERR_MEMORY, "no memory for the defaults of %s", p->path);
    }
    memcpy(own, base, in->size);
    if (chosen != 0 && in->variants[0].init) {
        in->variants[0].init(own);
    }
    for (const tyi_io_key *key = first->keys; key->name; key++) {
        if (is_common(in, key, first)) {
            print_key(p, key, first, own, differs(in, key->name) ? "below" : NULL);
        }
    }
    tyi_put(NULL, own, in->size);
    return TY_OK;
}

static ty_status print_union(printer *p, const tyi_io_key *key, const char *base)
{
    int chosen = *(const int *)(const void *)(base + key->tag_offset), count = 0;
    while (key->variants[count].name) {
        count++;
    }
    print_head(p, "", key->text);
    char takes[400] = "one of";
    for (int i = 0; i < count; i++) {
        tyi_io_say(takes, sizeof takes, "%s %s", i ? "," : "", key->variants[i].name);
    }
    print_row(p->out, key->tag, takes, chosen >= 0 && chosen < count ? key->variants[chosen].name : "needed",
              "which of the following tables holds");
    ty_status status = print_common(p, key, base, chosen);
    for (int i = 0; i < count && status == TY_OK; i++) {
        status = print_variant(p, key, i, base, i == chosen);
    }
    return status;
}

/* the sections that a key needs beside its row */
static ty_status print_below(printer *p, const tyi_io_key *key, const char *base)
{
    if (key->kind == TYI_IO_MAPPING) {
        print_head(p, "", key->text);
        return print_schema(p, key->schema, base + key->offset);
    }
    return key->kind == TYI_IO_UNION ? print_union(p, key, base + key->offset) : TY_OK;
}

/* sections of a list's element, with its defaults; i stands for the index */
static ty_status print_element(printer *p, const tyi_io_key *key)
{
    const tyi_io_list *list = key->list;
    tyi_io_key element = *list->element;
    char *base = tyi_get(NULL, list->size);
    if (!base) {
        return ty_fail(p->diag, TY_ERR_MEMORY, "no memory for an element of %s", p->path);
    }
    if (list->init) {
        list->init(base);
    }
    element.text = key->text;
    tyi_io_say(p->path, sizeof p->path, ".i");
    ty_status status = print_below(p, &element, base);
    tyi_put(NULL, base, list->size);
    return status;
}

/* the rows of a mapping, then its sections */
static ty_status print_schema(printer *p, const tyi_io_schema *schema, const char *base)
{
    bool head = !p->key;
    const tyi_io_key *in = p->key;
    for (const tyi_io_key *key = schema->keys; key->name; key++) {
        if (is_common(in, key, schema)) {
            continue;
        }
        if (!head) {
            fprintf(p->out, "| key | takes | default | meaning |\n|---|---|---|---|\n");
            head = true;
        }
        print_key(p, key, schema, base, NULL);
    }
    p->key = NULL; /* sections below are not variants of that union */
    ty_status status = TY_OK;
    for (const tyi_io_key *key = schema->keys; key->name && status == TY_OK; key++) {
        size_t length = strlen(p->path);
        tyi_io_say(p->path, sizeof p->path, "%s%s", length ? "." : "", key->name);
        status = key->kind == TYI_IO_LIST ? print_element(p, key) : print_below(p, key, base);
        p->path[length] = '\0';
    }
    return status;
}

ty_status tyi_io_doc_print(FILE *out, const tyi_io_schema *schema, const void *defaults, ty_diag *diag)
{
    printer p = { .out = out, .diag = diag };
    print_head(&p, "", "");
    return print_schema(&p, schema, defaults);
}
