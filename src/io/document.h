/* src/io/document.h - YAML files into definition structs, checked against a schema.
 *
 * A schema is a table of keys. The same table checks a file, fills a struct through offsets, serves
 * `--set a.b=c` and prints the reference page. Ranges come from the struct's tyi_rules and defaults
 * from the struct as its default function made it, so neither is written twice.
 *
 *     tyi_io_doc_read     file -> tree of nodes with line and column     document_yaml.c
 *     tyi_io_doc_set      --set a.b=c -> the same tree, changed          document_set.c
 *     tyi_io_doc_fill     tree + schema -> struct, or one sentence       document_fill.c
 *     tyi_io_doc_print    schema + default struct -> Markdown            document_print.c
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_DOCUMENT_H
#define TYI_IO_DOCUMENT_H
#include <stdio.h>
#include "core/core.h"
#include "core/rules.h"

#define TYI_IO_DOC_BYTES ((size_t)16 << 20) /* a larger file is refused */
#define TYI_IO_DOC_DEPTH 32                 /* a deeper nesting is refused */
#define TYI_IO_DOC_NODES 1000000            /* more values, aliases written out, are refused */

/* ---- schema ---- */

typedef enum tyi_io_kind {
    TYI_IO_NUMBER,  /* the field's type is its limit's */
    TYI_IO_INTEGER, /* likewise */
    TYI_IO_BOOLEAN, /* bool */
    TYI_IO_TEXT,    /* char[size] */
    TYI_IO_CHOICE,  /* int: index into choices */
    TYI_IO_UTC,     /* char[size], at least 32: YYYY-MM-DDThh:mm:ss[.fraction] */
    TYI_IO_LIST,
    TYI_IO_MAPPING,
    TYI_IO_UNION, /* a mapping in which one key, the tag, says which other keys there are */
    TYI_IO_PAIRS  /* ty_settings: a mapping of any keys to scalars, which whoever uses it checks */
} tyi_io_kind;

typedef struct tyi_io_key tyi_io_key;

/* The keys of one mapping. Several schemas may fill parts of one struct and share its rules. */
typedef struct tyi_io_schema {
    const tyi_io_key *keys; /* ends with a NULL name */
    const tyi_rules *rules;
    bool whole; /* the whole struct of its rules is filled inside this mapping: its orders are
                   checked at the end */
} tyi_io_schema;

typedef struct tyi_io_list {
    const tyi_io_key *element;   /* its name is not used, its offset is from the start of an element */
    const tyi_rules *rules;      /* of an element that is a number or an integer */
    size_t size;                 /* bytes of one element */
    size_t count;                /* offset of a size_t beside the list, how many there are; not used in place */
    size_t least, most;          /* accepted number of elements */
    bool in_place;               /* the field is an array of `most` elements (least = most), not a pointer */
    void (*init)(void *element); /* sets an element's defaults; NULL: zero */
} tyi_io_list;

typedef struct tyi_io_variant {
    const char *name, *text;     /* NULL name ends the table; one sentence */
    const tyi_io_schema *schema; /* offsets from the start of the union's struct */
    void (*init)(void *holder);  /* sets the variant's defaults when the tag chooses it; NULL:
                                   nothing to set */
} tyi_io_variant;

struct tyi_io_key {
    const char *name;
    tyi_io_kind kind;
    size_t offset;    /* in the struct that the mapping fills */
    const char *text; /* one sentence for the reference page, without the full stop */
    bool required;
    const char *unit;           /* as written in the file; NULL: the limit's */
    double scale;               /* field = scale * written; 0 stands for 1 */
    size_t size;                /* bytes of: text, UTC: the array; union: its struct */
    const char *const *choices; /* ends with NULL */
    const tyi_io_list *list;
    const tyi_io_schema *schema;    /* mapping */
    const char *tag;                /* union: the name of the key that chooses */
    const tyi_io_variant *variants; /* union */
    size_t tag_offset;              /* union: of an int in its struct; a default outside the table means: needed */
};

/* ---- tree ---- */

typedef enum tyi_io_node_type { TYI_IO_SCALAR, TYI_IO_SEQUENCE, TYI_IO_MAP } tyi_io_node_type;

typedef struct tyi_io_node {
    tyi_io_node_type type;
    bool quoted;      /* scalar written in quotes or as a block: text, whatever it looks like */
    int line, column; /* from 1 */
    size_t setting;   /* 1 + index of the setting that put it here; 0: the file */
    const char *text; /* scalar */
    struct tyi_io_item *items, *last;
    size_t count;  /* of items */
    size_t weight; /* nodes below and including this one, aliases written out */
} tyi_io_node;

typedef struct tyi_io_item {
    tyi_io_node *key; /* NULL in a sequence */
    tyi_io_node *value;
    struct tyi_io_item *next;
} tyi_io_item;

typedef struct tyi_io_doc {
    tyi_arena arena;
    char name[256]; /* the file as messages show it */
    const char *const *settings;
    tyi_io_node *root;             /* always a mapping */
    struct tyi_io_record *records; /* every scalar key of the schema that was met, see tyi_io_doc_fail_field() */
    size_t keys;                   /* how many scalars and lists the file and the settings gave */
} tyi_io_doc;

typedef struct tyi_io_bytes {
    char *data;
    size_t size, capacity;
} tyi_io_bytes;

/* Reads a whole file of at most `most` bytes; the caller frees it: tyi_put(alloc, data, capacity).
 * TY_ERR_FILE, TY_ERR_MEMORY. */
ty_status tyi_io_file_read(const char *path, size_t most, const ty_alloc *alloc, tyi_io_bytes *out, ty_diag *diag);

/* Both leave a doc that must be freed, also on failure. name is used in messages only. */
ty_status tyi_io_doc_read(tyi_io_doc *doc, const char *path, const ty_alloc *alloc, ty_diag *diag);
ty_status tyi_io_doc_parse(tyi_io_doc *doc, const char *name, const char *bytes, size_t size, const ty_alloc *alloc,
                           ty_diag *diag);
void tyi_io_doc_free(tyi_io_doc *doc);

/* Applies "a.b=c" settings in order; they must outlive the doc. Elements of lists by index: rovers.0.name=x. */
ty_status tyi_io_doc_set(tyi_io_doc *doc, const char *const *settings, size_t count, ty_diag *diag);

/* Checks the tree and writes what it gives into `out`, which holds the defaults. Memory of lists
 * comes from `memory`, which belongs to the caller and lives as long as out. On failure out is
 * undefined. */
ty_status tyi_io_doc_fill(tyi_io_doc *doc, const tyi_io_schema *schema, void *out, tyi_arena *memory, ty_diag *diag);

/* For checks of the caller's own, after tyi_io_doc_fill(): "where: path sentence", where being the
 * place that gave the field (the document's start when its default stands). The format starts after
 * the key's path. */
ty_status tyi_io_doc_fail_field(const tyi_io_doc *doc, const void *field, ty_diag *diag, ty_status status,
                                const char *format, ...) TY_PRINTF(5, 6);

/* Whether the file or a setting gave a field, after tyi_io_doc_fill(). */
bool tyi_io_doc_given(const tyi_io_doc *doc, const void *field);

/* The reference page: every key with type, unit, default, range and sentence. `defaults` is the
 * struct as its default function makes it. TY_ERR_MEMORY when a list's element cannot be allocated. */
ty_status tyi_io_doc_print(FILE *out, const tyi_io_schema *schema, const void *defaults, ty_diag *diag);

/* One scalar of a filled struct: what a setting "path=value" would change. */
typedef struct tyi_io_scalar {
    const char *path; /* "terrain.relief.hurst", "rovers.0.x" */
    const tyi_io_key *key;
    tyi_io_kind kind;
    double value;     /* numbers, integers, booleans, as written in a file */
    const char *unit; /* of numbers and integers */
    const char *text; /* texts, choices, UTC */
} tyi_io_scalar;
typedef void tyi_io_scalar_call(void *user, const tyi_io_scalar *scalar);
/* Calls for every scalar of the struct in the order of its schema; those that say nothing (NaN, no choice) are left out. */
void tyi_io_doc_walk(const tyi_io_schema *schema, const void *filled, tyi_io_scalar_call *call, void *user);

/* ---- shared by the document_*.c files ---- */

/* "where: sentence", where being file:line:column, or the setting, of a node (NULL: the file). */
ty_status tyi_io_doc_fail(const tyi_io_doc *doc, const tyi_io_node *node, ty_diag *diag, ty_status status,
                          const char *format, ...) TY_PRINTF(5, 6);
/* Text as it may stand in a one-line message: control characters replaced, long ones cut; returns out. */
const char *tyi_io_doc_show(const char *text, char *out, size_t size);
/* One YAML value as a tree of doc, for setting number `setting` (0: the file itself). NULL *out: there is none. */
ty_status tyi_io_doc_tree(tyi_io_doc *doc, const char *bytes, size_t size, size_t setting, tyi_io_node **out,
                          ty_diag *diag);
tyi_io_node *tyi_io_doc_node(tyi_io_doc *doc, tyi_io_node_type type,
                             const tyi_io_node *place); /* NULL: out of memory */
bool tyi_io_doc_append(tyi_io_doc *doc, tyi_io_node *node, tyi_io_node *key,
                       tyi_io_node *value); /* false: out of memory */
ty_status tyi_io_doc_memory(ty_diag *diag, const tyi_io_doc *doc);
bool tyi_io_node_null(const tyi_io_node *node); /* an empty value: nothing, ~ or null */
/* What a key takes: "a number from 0 to 45 deg". */
const char *tyi_io_key_takes(const tyi_io_key *key, const tyi_rules *rules, char *out, size_t size);
const char *tyi_io_key_unit(const tyi_io_key *key, const tyi_rules *rules); /* "" where there is none */
double tyi_io_key_scale(const tyi_io_key *key);
void tyi_io_keys_list(const tyi_io_key *keys, char *out, size_t size); /* appends "a, b, c" */
/* The name nearest to a misspelt one, NULL where none is near. */
const char *tyi_io_nearest(const char *name, const char *const *names, size_t count);
/* Append to a text in a buffer, as much as fits. */
void tyi_io_say(char *out, size_t size, const char *format, ...) TY_PRINTF(3, 4);
void tyi_io_say_value(char *out, size_t size, const tyi_limit *limit, double value);

#endif
