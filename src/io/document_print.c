/* src/io/document_print.c - the reference page: a schema as Markdown tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "document.h"

typedef struct printer {
    FILE *out;
    char path[512];
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

/* What a row of the table says; mappings are only named here and follow in sections of their own. */
static void print_key(printer *p, const tyi_io_key *key, const tyi_io_schema *schema, const char *base)
{
    const tyi_rules *rules = schema->rules;
    char takes[600], value[100];
    if (key->kind == TYI_IO_MAPPING) {
        snprintf(takes, sizeof takes, "a mapping");
    } else if (key->kind == TYI_IO_LIST && key->list->element->kind == TYI_IO_MAPPING) {
        snprintf(takes, sizeof takes, "a list of %zu to %zu mappings", key->list->least, key->list->most);
    } else {
        tyi_io_key_takes(key, rules, takes, sizeof takes);
        say_orders(takes, sizeof takes, key, schema);
    }
    say_default(value, sizeof value, key, rules, base);
    print_row(p->out, key->name, takes, key->required ? "needed" : value, key->text);
}

/* after: what stands behind the path, "" or " with model: bekker" */
static void print_head(const printer *p, const char *after, const char *text)
{
    if (p->path[0]) {
        fprintf(p->out, "\n## `%s`%s\n%s.\n\n", p->path, after, text);
    }
    fprintf(p->out, "| key | takes | default | meaning |\n|---|---|---|---|\n");
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
    print_head(p, after, v->text);
    ty_status status = print_schema(p, v->schema, own);
    tyi_put(NULL, own, key->size);
    return status;
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
    ty_status status = TY_OK;
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
    for (const tyi_io_key *key = schema->keys; key->name; key++) {
        print_key(p, key, schema, base);
    }
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
