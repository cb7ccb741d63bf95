/* src/body/urdf_xml.c - see urdf_xml.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "urdf_xml.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPACE " \t\r\n"
#define DEPTH 64

static void blank(char *from, const char *to)
{
    for (; from < to; from++) {
        *from = *from == '\n' ? '\n' : ' ';
    }
}

/* comments, <?...?>, <!DOCTYPE ...>; false: one does not end */
static bool blank_rest(char *text)
{
    static const char *const pairs[][2] = { { "<!--", "-->" }, { "<?", "?>" }, { "<!", ">" } };
    for (char *at = text; (at = strchr(at, '<'));) {
        size_t k = 0;
        while (k < 3 && strncmp(at, pairs[k][0], strlen(pairs[k][0])) != 0) {
            k++;
        }
        if (k == 3) {
            at++;
            continue;
        }
        char *end = strstr(at + strlen(pairs[k][0]), pairs[k][1]);
        if (!end) {
            return false;
        }
        end += strlen(pairs[k][1]);
        blank(at, end);
        at = end;
    }
    return true;
}

/* after the ">" of a tag, which may stand in quotes before; NULL: it does not end */
static const char *past_tag(const char *at)
{
    while (*at && *at != '>') {
        if (*at == '"' || *at == '\'') {
            at = strchr(at + 1, *at);
            if (!at) {
                return NULL;
            }
        }
        at++;
    }
    return *at ? at + 1 : NULL;
}

static size_t name_length(const char *at)
{
    return strcspn(at, SPACE "/><");
}

static ty_status fail(const char *name, const char *text, const char *at, ty_diag *diag, const char *what)
{
    int line = 1;
    for (const char *c = text; c < at; c++) {
        line += *c == '\n';
    }
    return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: is no XML file: %s", name, line, what);
}

ty_status tyi_body_xml_read(const char *name, char *text, tyi_arena *memory, tyi_body_xml *out, ty_diag *diag)
{
    *out = (tyi_body_xml){ .text = text };
    if (!blank_rest(text)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is no XML file: a comment or a declaration does not end", name);
    }
    int most = 0, open = -1, depth = 0;
    for (const char *at = text; (at = strchr(at, '<')); at++) {
        most += at[1] != '/';
    }
    out->element = tyi_arena_get(memory, ((size_t)most + 1) * sizeof *out->element);
    if (!out->element) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", name);
    }
    for (const char *at = text; (at = strchr(at, '<'));) {
        const char *end = past_tag(at);
        tyi_body_xml_element *now = open >= 0 ? &out->element[open] : NULL;
        if (!end) {
            return fail(name, text, at, diag, "a tag does not end");
        }
        if (at[1] == '/') {
            const char *opened = now ? text + now->start + 1 : "";
            size_t n = name_length(opened);
            if (!now || strncmp(at + 2, opened, n) != 0 || name_length(at + 2) != n) {
                return fail(name, text, at, diag, "an element ends that is not the one last begun");
            }
            now->inside_end = (size_t)(at - text), now->end = (size_t)(end - text), now->after = out->elements;
            open = now->parent, depth--;
        } else {
            bool whole = end[-2] == '/';
            if (!name_length(at + 1) || (!now && out->elements) || depth >= DEPTH) {
                return fail(name, text, at, diag,
                            depth >= DEPTH ? "elements nest too deeply" : "an element is out of place");
            }
            size_t past = (size_t)(end - text);
            out->element[out->elements] =
                (tyi_body_xml_element){ (size_t)(at - text), past, past, past, open, out->elements + 1 };
            open = whole ? open : out->elements, depth += !whole;
            out->elements++;
        }
        at = end;
    }
    if (open >= 0 || !out->elements) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is no XML file: %s", name,
                       open >= 0 ? "an element does not end" : "it has no element");
    }
    return TY_OK;
}

bool tyi_body_xml_is(const tyi_body_xml *x, int element, const char *name)
{
    const char *at = x->text + x->element[element].start + 1;
    return !name || (name_length(at) == strlen(name) && !strncmp(at, name, strlen(name)));
}

int tyi_body_xml_child(const tyi_body_xml *x, int element, const char *name, int from)
{
    for (int i = from < 0 ? element + 1 : from; i < x->element[element].after; i = x->element[i].after) {
        if (tyi_body_xml_is(x, i, name)) {
            return i;
        }
    }
    return -1;
}

/* a value's text without its quotes; NULL: none */
static const char *find_value(const tyi_body_xml *x, int element, const char *attribute, size_t *length)
{
    const char *at = x->text + x->element[element].start + 1, *end = x->text + x->element[element].inside;
    for (at += name_length(at); at < end;) {
        at += strspn(at, SPACE);
        size_t n = strcspn(at, SPACE "=/>");
        const char *value = at + n + strspn(at + n, SPACE);
        if (!n || *value != '=') {
            return NULL;
        }
        value++, value += strspn(value, SPACE);
        if (*value != '"' && *value != '\'') {
            return NULL;
        }
        *length = strcspn(value + 1, *value == '"' ? "\"" : "'");
        if (n == strlen(attribute) && !strncmp(at, attribute, n)) {
            return value + 1;
        }
        at = value + 1 + *length + 1;
    }
    return NULL;
}

bool tyi_body_xml_value(const tyi_body_xml *x, int element, const char *attribute, char *out, size_t size, size_t *at,
                        size_t *length)
{
    static const char *const names[][2] = {
        { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&apos;", "'" }
    };
    size_t n, used = 0;
    const char *from = find_value(x, element, attribute, &n);
    if (!from || n >= size) {
        return false;
    }
    for (size_t i = 0; i < n;) {
        size_t k = 0;
        while (k < 5 && strncmp(from + i, names[k][0], strlen(names[k][0])) != 0) {
            k++;
        }
        out[used++] = k < 5 ? names[k][1][0] : from[i];
        i += k < 5 ? strlen(names[k][0]) : 1;
    }
    out[used] = '\0';
    if (at) {
        *at = (size_t)(from - x->text), *length = n;
    }
    return true;
}

bool tyi_body_xml_numbers(const tyi_body_xml *x, int element, const char *attribute, int count, double *out)
{
    char value[400];
    if (!tyi_body_xml_value(x, element, attribute, value, sizeof value, NULL, NULL)) {
        return false;
    }
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    char *at = value;
    for (int k = 0; k < count && plain; k++) {
        char *end;
        double v = strtod_l(at, &end, plain);
        if (end == at || !isfinite(v)) {
            break;
        }
        out[k] = v, at = end;
    }
    if (plain) {
        freelocale(plain);
    }
    return true;
}

int tyi_body_xml_line(const tyi_body_xml *x, int element)
{
    int line = 1;
    for (size_t i = 0; i < x->element[element].start; i++) {
        line += x->text[i] == '\n';
    }
    return line;
}
