/* src/device/source.c - makes one text of a source and the kernel files it includes.
 *
 * OpenCL could be handed headers by clCompileProgram, but drivers differ in how well they do it;
 * text that is already whole compiles everywhere.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "core/core.h"
#include "source.h"

#define MAX_FILES 256 /* files of kernels/ that one program can include */

typedef struct expansion {
    char *out;   /* NULL in the first pass, which only counts */
    size_t size; /* bytes written or counted so far, without the final 0 */
    int taken_count;
    const tyi_device_embedded *taken[MAX_FILES];
    ty_diag *diag;
} expansion;

static void put(expansion *e, const char *text, size_t bytes)
{
    if (e->out) {
        memcpy(e->out + e->size, text, bytes);
    }
    e->size += bytes;
}

static void put_line_mark(expansion *e, const char *file, int line)
{
    char mark[160];
    int n = snprintf(mark, sizeof mark, "#line %d \"%.100s\"\n", line, file);
    put(e, mark, (size_t)n);
}

/* When the line is `#include "NAME"`, NAME and its length; else NULL. */
static const char *included_name(const char *line, size_t length, size_t *name_length)
{
    const char *end = line + length;
    line += strspn(line, " \t");
    if (*line != '#') {
        return NULL;
    }
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0) {
        return NULL;
    }
    line += 7 + strspn(line + 7, " \t");
    const char *close = *line == '"' ? strchr(line + 1, '"') : NULL;
    if (!close || close >= end) {
        return NULL;
    }
    *name_length = (size_t)(close - line - 1);
    return line + 1;
}

static const tyi_device_embedded *find(const char *name, size_t length)
{
    for (const tyi_device_embedded *file = tyi_device_embedded_files; file->name; file++) {
        if (strlen(file->name) == length && !memcmp(file->name, name, length)) {
            return file;
        }
    }
    return NULL;
}

static bool take(expansion *e, const tyi_device_embedded *file)
{
    for (int i = 0; i < e->taken_count; i++) {
        if (e->taken[i] == file) {
            return false;
        }
    }
    if (e->taken_count == MAX_FILES) {
        return false; /* more files than kernels/ could hold: the compiler will miss what is left
                         out */
    }
    e->taken[e->taken_count++] = file;
    return true;
}

/* Recursion ends because every file is taken once. */
static ty_status expand(expansion *e, const char *file, const char *text)
{
    put_line_mark(e, file, 1);
    for (int line = 1; *text; line++) {
        size_t length = strcspn(text, "\n"), name_length;
        const char *name = included_name(text, length, &name_length);
        const tyi_device_embedded *found = name ? find(name, name_length) : NULL;
        if (name && !found) {
            return ty_fail(e->diag, TY_ERR_INPUT, "device: %s line %d includes '%.*s', which is no file of kernels/",
                           file, line, (int)name_length, name);
        }
        if (!name) {
            put(e, text, length);
            put(e, "\n", 1);
        } else if (take(e, found)) {
            ty_status status = expand(e, found->name, (const char *)found->text);
            if (status != TY_OK) {
                return status;
            }
            put_line_mark(e, file, line + 1);
        } else {
            put(e, "\n", 1);
        }
        text += length + (text[length] == '\n');
    }
    return TY_OK;
}

ty_status tyi_device_source_expand(const ty_alloc *alloc, const char *source, char **out, size_t *bytes, ty_diag *diag)
{
    *out = NULL;
    expansion count = { .diag = diag };
    ty_status status = expand(&count, "source", source);
    if (status != TY_OK) {
        return status;
    }
    *bytes = count.size + 1;
    expansion write = { .out = tyi_get(alloc, *bytes), .diag = diag };
    if (!write.out) {
        return ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a program text of %zu bytes", *bytes);
    }
    expand(&write, "source", source);
    TY_ASSERT(write.size + 1 == *bytes);
    *out = write.out;
    return TY_OK;
}
