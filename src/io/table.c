/* src/io/table.c - see table.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "document.h"

ty_status tyi_io_table_open(tyi_io_table *t, const char *path, size_t most, ty_diag *diag)
{
    tyi_io_bytes bytes = { 0 };
    *t = (tyi_io_table){ .path = path };
    ty_status status = tyi_io_file_read(path, most, NULL, &bytes, diag);
    if (status != TY_OK) {
        return status;
    }
    t->bytes = bytes.size + 1; /* with an end, to be cut up */
    t->text = t->at = tyi_get(NULL, t->bytes);
    if (t->text) {
        memcpy(t->text, bytes.data, bytes.size);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
    }
    tyi_put(NULL, bytes.data, bytes.capacity);
    return status;
}

void tyi_io_table_close(tyi_io_table *t)
{
    tyi_put(NULL, t->text, t->bytes);
    t->text = t->at = NULL;
}

size_t tyi_io_table_lines(const tyi_io_table *t)
{
    size_t lines = 1;
    for (const char *c = t->at; *c; c++) {
        lines += *c == '\n' || *c == '\r';
    }
    return lines;
}

static bool ends(char c)
{
    return c == '\0' || c == '\n' || c == '\r';
}

static bool parts(char c, bool loose)
{
    return c == ',' || (loose && (c == ';' || c == ' ' || c == '\t'));
}

/* one field from *read on, to *write; both end behind it */
static void take_field(char **read, char **write, bool loose)
{
    char *from = *read, *to = *write, *last = to; /* last: end of what is no blank */
    bool quoted = *from == '"';
    from += quoted;
    while (!ends(*from) && (quoted ? *from != '"' || from[1] == '"' : !parts(*from, loose))) {
        from += quoted && *from == '"'; /* "" stands for " */
        bool blank = !quoted && (*from == ' ' || *from == '\t');
        *to++ = *from++;
        last = blank ? last : to;
    }
    while (!ends(*from) && !parts(*from, loose)) { /* the closing quote, and what is behind it */
        from++;
    }
    *read = from;
    *write = last;
}

int tyi_io_table_split(char *line, bool loose, char **field, int most)
{
    char *read = line, *write = line;
    for (int n = 0;; n++) {
        read += strspn(read, loose ? ",; \t" : " \t");
        if (ends(*read) && (loose || n == 0)) {
            return n;
        }
        if (n == most) {
            return most + 1;
        }
        field[n] = write;
        take_field(&read, &write, loose);
        bool more = !ends(*read);
        read += more;
        *write++ = '\0'; /* at or before what parts them */
        if (!more) {
            return n + 1;
        }
    }
}

/* spreadsheets write empty rows as commas */
static bool is_empty(const tyi_io_table *t)
{
    for (int i = 0; i < t->fields && i < TYI_IO_TABLE_FIELDS; i++) {
        if (*t->field[i]) {
            return false;
        }
    }
    return true;
}

bool tyi_io_table_next(tyi_io_table *t)
{
    t->fields = 0;
    while (*t->at && !t->fields) {
        char *line = t->at, *end = line + strcspn(line, "\r\n");
        t->at = end + (end[0] == '\r' && end[1] == '\n') + (*end != '\0');
        t->line++;
        *end = '\0';
        t->fields = *line == '#' ? 0 : tyi_io_table_split(line, t->loose, t->field, TYI_IO_TABLE_FIELDS);
        t->fields = is_empty(t) ? 0 : t->fields;
    }
    return t->fields;
}

bool tyi_io_table_number(const char *text, double *out)
{
    char *end;
    *out = tyi_number(text, &end);
    return end != text && !*end && isfinite(*out);
}
