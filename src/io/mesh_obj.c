/* src/io/mesh_obj.c - Wavefront OBJ: the text, and the mesh without its looks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"
#include "tycho/tools/model.h"
#include "inner.h"

#define MOST_BYTES   ((size_t)1 << 30)
#define MOST_LINE    65536
#define MOST_CORNERS 4096

typedef struct reader {
    const char *name;
    long line;
    locale_t plain; /* decimal points, whatever the program's locale */
    double scale;
    tyi_io_obj *obj;
    size_t position_room, uv_room, normal_room, corner_room, extra_room, which_room;
    uint16_t material; /* of the faces that follow */
    ty_diag *diag;
} reader;

static ty_status wrong(const reader *r, const char *what)
{
    return ty_fail(r->diag, TY_ERR_FORMAT, "%s:%ld: %s", r->name, r->line, what);
}

static ty_status no_memory(const reader *r)
{
    return ty_fail(r->diag, TY_ERR_MEMORY, "%s: no memory for the mesh", r->name);
}

/* `count` numbers, of which the last may be missing down to `least` */
static bool take_numbers(const reader *r, char *at, int least, int count, double scale, float *out)
{
    for (int k = 0; k < count; k++) {
        char *end;
        double x = scale * strtod_l(at, &end, r->plain);
        if (end == at && k >= least) {
            out[k] = 0.0f;
            continue;
        }
        if (end == at || !isfinite(x) || fabs(x) > 1e30) {
            return false;
        }
        out[k] = (float)x;
        at = end;
    }
    return true;
}

static ty_status take_items(reader *r, char *at, float **items, size_t *count, size_t *room, int each, int least,
                            double scale, const char *what)
{
    float *larger = tyi_list_grown(*items, *count, room, (size_t)each * sizeof(float), 1024);
    if (!larger) {
        return no_memory(r);
    }
    *items = larger;
    if (!take_numbers(r, at, least, each, scale, larger + (size_t)each * *count)) {
        return wrong(r, what);
    }
    ++*count;
    return TY_OK;
}

/* a number of something that stands before it, or -2: counted back from the newest; as 1 and up, 0: not there */
static bool take_index(char **at, size_t count, uint32_t *out)
{
    char *end;
    long long i = strtoll(*at, &end, 10), n = (long long)count;
    if (end == *at || i == 0 || i > n || i < -n) {
        return false;
    }
    *out = (uint32_t)(i > 0 ? i : n + i + 1);
    *at = end;
    return true;
}

/* One corner, 7, 7/1, 7//3, 7/1/3: position, texture and normal, from 1. false: none there. A texture or normal
 * that the file does not hold is left out, as programs do that write faces before them. */
static bool take_corner(const reader *r, char **at, uint32_t index[3])
{
    index[1] = index[2] = 0;
    if (!take_index(at, r->obj->positions, &index[0])) {
        return false;
    }
    for (int k = 1; k < 3 && **at == '/'; k++) {
        ++*at;
        char *before = *at;
        if (!take_index(at, k == 1 ? r->obj->uvs : r->obj->normals, &index[k])) {
            index[k] = 0;
            *at = before + strspn(before, "+-0123456789");
        }
    }
    return !**at || strchr(" \t\r", **at);
}

static ty_status put_triangle(reader *r, uint32_t corner[3][3])
{
    tyi_io_obj *o = r->obj;
    uint32_t *c = tyi_list_grown(o->corner, o->triangles, &r->corner_room, 3 * sizeof *c, 1024);
    o->corner = c ? c : o->corner;
    uint32_t *e = tyi_list_grown(o->extra, o->triangles, &r->extra_room, 6 * sizeof *e, 1024);
    o->extra = e ? e : o->extra;
    uint16_t *w = tyi_list_grown(o->which, o->triangles, &r->which_room, sizeof *w, 1024);
    o->which = w ? w : o->which;
    if (!c || !e || !w) {
        return no_memory(r);
    }
    if (o->triangles == TYI_IO_MODEL_TRIANGLES) {
        return wrong(r, "more than 2^24 triangles");
    }
    for (size_t k = 0; k < 3; k++) {
        c[3 * o->triangles + k] = corner[k][0] - 1;
        e[6 * o->triangles + 2 * k] = corner[k][1];
        e[6 * o->triangles + 2 * k + 1] = corner[k][2];
    }
    w[o->triangles++] = r->material;
    return TY_OK;
}

static ty_status take_face(reader *r, char *at)
{
    uint32_t corner[3][3] = { { 0 } }, next[3];
    int n = 0;
    for (;;) {
        at += strspn(at, " \t\r");
        if (!*at) {
            break;
        }
        if (!take_corner(r, &at, next)) {
            return wrong(r, "a face takes numbers of vertices that stand before it, as 1 2 3 or 1/1 2/2 3/3");
        }
        memcpy(corner[n < 2 ? n : 2], next, sizeof next);
        if (++n > MOST_CORNERS) {
            return wrong(r, "a face has more than 4096 corners");
        }
        if (n >= 3) {
            ty_status status = put_triangle(r, corner);
            if (status != TY_OK) {
                return status;
            }
            memcpy(corner[1], next, sizeof next);
        }
    }
    return n >= 3 ? TY_OK : wrong(r, "a face has fewer than 3 corners");
}

/* the rest of a line without blanks around it */
static char *word(char *at)
{
    at += strspn(at, " \t");
    size_t n = strlen(at);
    while (n && strchr(" \t\r", at[n - 1])) {
        at[--n] = '\0';
    }
    return at;
}

static ty_status take_material(reader *r, char *at)
{
    tyi_io_obj *o = r->obj;
    char *name = word(at);
    for (size_t i = 0; i < o->materials; i++) {
        if (!strncmp(name, o->material[i], sizeof *o->material - 1)) {
            r->material = (uint16_t)(i + 1);
            return TY_OK;
        }
    }
    if (o->materials == TYI_IO_MODEL_MATERIALS) {
        return wrong(r, "more than 1024 materials");
    }
    char(*larger)[64] = realloc(o->material, (o->materials + 1) * sizeof *larger);
    if (!larger) {
        return no_memory(r);
    }
    o->material = larger;
    snprintf(larger[o->materials], sizeof *larger, "%s", name);
    r->material = (uint16_t)++o->materials;
    return TY_OK;
}

static bool starts(const char *at, const char *key)
{
    size_t n = strlen(key);
    return !strncmp(at, key, n) && (at[n] == ' ' || at[n] == '\t');
}

static ty_status take_line(reader *r, char *at)
{
    tyi_io_obj *o = r->obj;
    at += strspn(at, " \t\r");
    if (starts(at, "v")) {
        return take_items(r, at + 1, &o->position, &o->positions, &r->position_room, 3, 3, r->scale,
                          "a vertex takes three finite numbers");
    }
    if (starts(at, "vt")) {
        return take_items(r, at + 2, &o->uv, &o->uvs, &r->uv_room, 2, 1, 1.0, "vt takes one or two finite numbers");
    }
    if (starts(at, "vn")) {
        return take_items(r, at + 2, &o->normal, &o->normals, &r->normal_room, 3, 3, 1.0,
                          "a normal takes three finite numbers");
    }
    if (starts(at, "f")) {
        return take_face(r, at + 1);
    }
    if (starts(at, "usemtl")) {
        return take_material(r, at + 6);
    }
    if (starts(at, "mtllib")) {
        snprintf(o->library, sizeof o->library, "%s", word(at + 6));
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
    if (status == TY_OK && !r->obj->triangles) {
        status = ty_fail(r->diag, TY_ERR_FORMAT, "%s: holds no faces, so that it is not a Wavefront OBJ mesh", r->name);
    }
    return status;
}

ty_status tyi_io_obj_parse(const char *name, const char *text, size_t size, double scale, tyi_io_obj *out,
                           ty_diag *diag)
{
    *out = (tyi_io_obj){ 0 };
    reader r = { .name = name, .scale = scale, .obj = out, .diag = diag };
    char *line = malloc(MOST_LINE);
    r.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    ty_status status = line && r.plain ? take_lines(&r, text, size, line) : no_memory(&r);
    free(line);
    if (r.plain) {
        freelocale(r.plain);
    }
    if (status != TY_OK) {
        tyi_io_obj_free(out);
    }
    return status;
}

void tyi_io_obj_free(tyi_io_obj *o)
{
    free(o->position), free(o->uv), free(o->normal), free(o->corner), free(o->extra), free(o->which), free(o->material);
    *o = (tyi_io_obj){ 0 };
}

ty_status tyi_io_mesh_parse(const char *name, const char *text, size_t size, double scale, ty_mesh *out, ty_diag *diag)
{
    *out = (ty_mesh){ 0 };
    tyi_io_obj o;
    ty_status status = tyi_io_obj_parse(name, text, size, scale, &o, diag);
    if (status == TY_OK) {
        *out = (ty_mesh){ o.position, o.corner, o.positions, o.triangles };
        o.position = NULL, o.corner = NULL;
        tyi_io_obj_free(&o);
    }
    return status;
}

ty_status tyi_io_mesh_read(const char *path, double scale, ty_mesh *out, ty_diag *diag)
{
    *out = (ty_mesh){ 0 };
    tyi_io_bytes bytes = { 0 };
    ty_status status = tyi_io_file_read(path, MOST_BYTES, NULL, &bytes, diag);
    if (status == TY_OK) {
        status = tyi_io_mesh_parse(path, bytes.data, bytes.size, scale, out, diag);
        tyi_put(NULL, bytes.data, bytes.capacity);
    }
    return status;
}

void tyi_io_mesh_free(ty_mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->triangle);
    *mesh = (ty_mesh){ 0 };
}
