/* src/io/mesh_obj.c - Wavefront OBJ.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"
#include "document.h"
#include "tycho/mesh.h"

#define MOST_BYTES   ((size_t)1 << 30)
#define MOST_LINE    65536
#define MOST_CORNERS 4096

typedef struct reader {
    const char *name;
    long line;
    locale_t plain; /* decimal points, whatever the program's locale */
    double scale;
    ty_mesh *mesh;
    size_t vertex_room, triangle_room;
    ty_diag *diag;
} reader;

static ty_status wrong(const reader *r, const char *what)
{
    return ty_fail(r->diag, TY_ERR_FORMAT, "%s:%ld: %s", r->name, r->line, what);
}

/* room for one more item of `size` bytes; grows by halves */
static void *more(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return items;
    }
    size_t next = *room + *room / 2 + 1024;
    void *larger = realloc(items, next * size);
    *room = larger ? next : *room;
    return larger;
}

static ty_status no_memory(const reader *r)
{
    return ty_fail(r->diag, TY_ERR_MEMORY, "%s: no memory for the mesh", r->name);
}

static ty_status take_vertex(reader *r, char *at)
{
    ty_mesh *m = r->mesh;
    float *v = more(m->vertex, m->vertices, &r->vertex_room, 3 * sizeof *v);
    if (!v) {
        return no_memory(r);
    }
    m->vertex = v;
    for (int k = 0; k < 3; k++) {
        char *end;
        double x = r->scale * strtod_l(at, &end, r->plain);
        if (end == at || !isfinite(x) || fabs(x) > 1e30) {
            return wrong(r, "a vertex takes three finite numbers");
        }
        v[3 * m->vertices + (size_t)k] = (float)x;
        at = end;
    }
    m->vertices++;
    return TY_OK;
}

/* One corner, 7, 7/1, 7//3 or -2 (counted back from the newest vertex): the vertex's index. false:
 * none there. */
static bool take_corner(const reader *r, char **at, uint32_t *index)
{
    char *end;
    long long i = strtoll(*at, &end, 10), n = (long long)r->mesh->vertices;
    if (end == *at || (*end && !strchr("/ \t\r", *end)) || i == 0 || i > n || i < -n) {
        return false;
    }
    *index = (uint32_t)(i > 0 ? i - 1 : n + i);
    *at = end + strcspn(end, " \t\r"); /* past texture and normal */
    return true;
}

static ty_status take_face(reader *r, char *at)
{
    uint32_t corner[3] = { 0, 0, 0 }, next;
    int n = 0;
    for (;;) {
        at += strspn(at, " \t\r");
        if (!*at) {
            break;
        }
        if (!take_corner(r, &at, &next)) {
            return wrong(
                r,
                "a face takes numbers of vertices that stand before it, as 1 2 3 or 1/1 2/2 3/3");
        }
        corner[n < 2 ? n : 2] = next;
        if (++n > MOST_CORNERS) {
            return wrong(r, "a face has more than 4096 corners");
        }
        if (n >= 3) {
            ty_mesh *m = r->mesh;
            uint32_t *t = more(m->triangle, m->triangles, &r->triangle_room, 3 * sizeof *t);
            if (!t) {
                return no_memory(r);
            }
            m->triangle = t;
            memcpy(t + 3 * m->triangles++, corner, sizeof corner);
            corner[1] = next;
        }
    }
    return n >= 3 ? TY_OK : wrong(r, "a face has fewer than 3 corners");
}

static ty_status take_line(reader *r, char *at)
{
    at += strspn(at, " \t\r");
    if (at[0] == 'v' && (at[1] == ' ' || at[1] == '\t')) {
        return take_vertex(r, at + 1);
    }
    if (at[0] == 'f' && (at[1] == ' ' || at[1] == '\t')) {
        return take_face(r, at + 1);
    }
    return TY_OK;
}

static ty_status take_lines(reader *r, const char *text, size_t size, char *line)
{
    ty_status status = TY_OK;
    for (size_t from = 0; from < size && status == TY_OK;) {
        const char *end = memchr(text + from, '\n', size - from);
        size_t length = (end ? (size_t)(end - text) : size) - from;
        r->line++;
        if (length >= MOST_LINE) {
            return wrong(r, "a line is longer than 65535 bytes");
        }
        if (memchr(text + from, '\0', length)) {
            return wrong(r, "holds a zero byte, so that it is not an OBJ text");
        }
        memcpy(line, text + from, length);
        line[length] = '\0';
        status = take_line(r, line);
        from += length + 1;
    }
    if (status == TY_OK && !r->mesh->triangles) {
        status = ty_fail(r->diag, TY_ERR_FORMAT,
                         "%s: holds no faces, so that it is not a Wavefront OBJ mesh", r->name);
    }
    return status;
}

ty_status ty_mesh_parse(const char *name, const char *text, size_t size, double scale, ty_mesh *out,
                        ty_diag *diag)
{
    *out = (ty_mesh){ 0 };
    reader r = { .name = name, .scale = scale, .mesh = out, .diag = diag };
    char *line = malloc(MOST_LINE);
    r.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    ty_status status = line && r.plain ? take_lines(&r, text, size, line) : no_memory(&r);
    free(line);
    if (r.plain) {
        freelocale(r.plain);
    }
    if (status != TY_OK) {
        ty_mesh_free(out);
    }
    return status;
}

ty_status ty_mesh_read(const char *path, double scale, ty_mesh *out, ty_diag *diag)
{
    *out = (ty_mesh){ 0 };
    tyi_bytes bytes = { 0 };
    ty_status status = tyi_file_read(path, MOST_BYTES, NULL, &bytes, diag);
    if (status == TY_OK) {
        status = ty_mesh_parse(path, bytes.data, bytes.size, scale, out, diag);
        tyi_put(NULL, bytes.data, bytes.capacity);
    }
    return status;
}

void ty_mesh_free(ty_mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->triangle);
    *mesh = (ty_mesh){ 0 };
}
