/* src/io/model_mtl.c - the material library of an OBJ file, as far as it says what a surface looks like.
 *
 * Kd colour, Ns or Pr roughness, Pm metal, map_Kd picture of the colour, norm (or map_Kn) normal map, map_Bump (or
 * bump) a picture of heights if it is grey and a normal map if it is coloured. Options of a picture: -bm and -clamp;
 * others are passed over with their numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model.h"

#define MOST_BYTES ((size_t)16 << 20)

typedef struct reader {
    char path[4200]; /* of the library */
    long line;
    const tyi_io_obj *obj;
    ty_model *out;
    ty_model_material *now; /* NULL: one that the mesh has no use for */
    bool colored;           /* Kd was given */
    ty_diag *diag;
    locale_t plain;
} reader;

static ty_status wrong(const reader *r, const char *what)
{
    return ty_fail(r->diag, TY_ERR_FORMAT, "%s:%ld: %s", r->path, r->line, what);
}

static int numbers(const reader *r, char *at, int count, double *out)
{
    int k = 0;
    for (; k < count; k++) {
        char *end;
        double x = strtod_l(at, &end, r->plain);
        if (end == at || !isfinite(x)) {
            break;
        }
        out[k] = fmin(fmax(x, 0.0), 1e6);
        at = end;
    }
    return k;
}

/* grey heights into normals: slopes in pictures' widths, as high as `scale` texels at white */
static ty_status from_heights(const reader *r, ty_model_texture *t, double scale)
{
    ty_image *i = &t->image;
    size_t w = (size_t)i->width, h = (size_t)i->height;
    uint8_t *out = malloc(3 * w * h);
    if (!out) {
        return ty_fail(r->diag, TY_ERR_MEMORY, "%s: no memory for a normal map", r->path);
    }
    const double most = i->bits == 8 ? 255.0 : 65535.0;
    for (size_t y = 0; y < h; y++) {
        for (size_t x = 0; x < w; x++) {
            size_t near[4] = { y * w + (x + 1) % w, y * w + (x + w - 1) % w, (y + 1) % h * w + x,
                               (y + h - 1) % h * w + x };
            double v[4];
            for (int k = 0; k < 4; k++) {
                size_t at = near[k] * (size_t)i->channels;
                v[k] = (i->bits == 8 ? ((uint8_t *)i->data)[at] : ((uint16_t *)i->data)[at]) / most;
            }
            double n[3] = { -0.5 * scale * (v[0] - v[1]), 0.5 * scale * (v[2] - v[3]), 1.0 }; /* y up, rows down */
            double size = sqrt(n[0] * n[0] + n[1] * n[1] + 1.0);
            for (int c = 0; c < 3; c++) {
                out[3 * (y * w + x) + (size_t)c] = (uint8_t)lrint(127.5 + 127.5 * n[c] / size);
            }
        }
    }
    free(i->data);
    *i = (ty_image){ (int)w, (int)h, 3, 8, out };
    return TY_OK;
}

static bool is_grey(const ty_image *i)
{
    if (i->channels < 3) {
        return true;
    }
    size_t n = (size_t)i->width * (size_t)i->height, step = n / 1000 + 1;
    for (size_t k = 0; k < n; k += step) {
        size_t at = k * (size_t)i->channels;
        for (size_t c = 1; c < 3; c++) {
            int a = i->bits == 8 ? ((uint8_t *)i->data)[at] : ((uint16_t *)i->data)[at];
            int b = i->bits == 8 ? ((uint8_t *)i->data)[at + c] : ((uint16_t *)i->data)[at + c];
            if (a != b) {
                return false;
            }
        }
    }
    return true;
}

/* past -option and the numbers, on or off that follow it; the file's name is the rest */
static char *past_options(const reader *r, char *at, double *bump, bool *clamp)
{
    for (;;) {
        at += strspn(at, " \t");
        if (*at != '-') {
            return at;
        }
        bool is_bump = !strncmp(at, "-bm", 3), is_clamp = !strncmp(at, "-clamp", 6);
        at += strcspn(at, " \t");
        for (;;) {
            at += strspn(at, " \t");
            size_t n = strcspn(at, " \t");
            char *end;
            double x = strtod_l(at, &end, r->plain);
            bool on = n == 2 && !strncmp(at, "on", 2), off = n == 3 && !strncmp(at, "off", 3);
            if (!n || (end != at + n && !on && !off)) {
                break;
            }
            *bump = is_bump && end == at + n && isfinite(x) ? x : *bump;
            *clamp = is_clamp ? on : *clamp;
            at += n;
        }
    }
}

static ty_status take_map(reader *r, char *at, bool srgb, bool heights, int *index)
{
    double bump = 1.0;
    bool clamp = false;
    at = past_options(r, at, &bump, &clamp);
    size_t n = strlen(at);
    while (n && strchr(" \t\r", at[n - 1])) {
        at[--n] = '\0';
    }
    for (char *c = at; *c; c++) { /* written on Windows */
        *c = *c == '\\' ? '/' : *c;
    }
    char path[4200];
    if (!n || !tyi_io_beside(r->path, at, path, sizeof path)) {
        return wrong(r, "a map takes the name of a picture");
    }
    ty_status status = tyi_io_model_texture(r->out, path, NULL, srgb, index, r->diag);
    if (status != TY_OK) {
        return status;
    }
    ty_model_texture *t = &r->out->texture[*index];
    t->wrap_u = t->wrap_v = clamp ? 1 : 0;
    return heights && is_grey(&t->image) ? from_heights(r, t, bump * 8.0) : TY_OK;
}

static char *key(char *at, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(at, name, n) && (at[n] == ' ' || at[n] == '\t') ? at + n : NULL;
}

static void take_name(reader *r, char *at)
{
    at += strspn(at, " \t");
    at[strcspn(at, "\r")] = '\0';
    r->now = NULL;
    r->colored = false;
    for (size_t i = 0; i < r->obj->materials; i++) {
        if (!strncmp(at, r->obj->material[i], sizeof *r->obj->material - 1)) {
            r->now = &r->out->material[i];
        }
    }
}

static ty_status take_line(reader *r, char *at)
{
    char *rest;
    double v[3];
    at += strspn(at, " \t");
    if ((rest = key(at, "newmtl"))) {
        take_name(r, rest);
        return TY_OK;
    }
    ty_model_material *m = r->now;
    if (!m) {
        return TY_OK;
    }
    if ((rest = key(at, "Kd"))) {
        int n = numbers(r, rest, 3, v);
        if (n != 1 && n != 3) {
            return wrong(r, "Kd takes three numbers from 0 to 1");
        }
        r->colored = true;
        for (int k = 0; k < 3; k++) {
            m->color[k] = fmin(v[n == 3 ? k : 0], 1.0);
        }
    } else if ((rest = key(at, "Ns")) && numbers(r, rest, 1, v) == 1) {
        /* GGX of a lobe as wide: alpha^2 = 2 / (n + 2) */
        m->roughness = fmin(fmax(pow(2.0 / (v[0] + 2.0), 0.25), 0.05), 1.0);
    } else if ((rest = key(at, "Pr")) && numbers(r, rest, 1, v) == 1) {
        m->roughness = fmin(v[0], 1.0);
    } else if ((rest = key(at, "Pm")) && numbers(r, rest, 1, v) == 1) {
        m->metallic = fmin(v[0], 1.0);
    } else if ((rest = key(at, "map_Kd"))) {
        for (int k = 0; k < 3 && !r->colored; k++) {
            m->color[k] = 1.0;
        }
        return take_map(r, rest, true, false, &m->color_map);
    } else if ((rest = key(at, "norm")) || (rest = key(at, "map_Kn"))) {
        return take_map(r, rest, false, false, &m->normal_map);
    } else if ((rest = key(at, "map_Bump")) || (rest = key(at, "map_bump")) || (rest = key(at, "bump"))) {
        return take_map(r, rest, false, true, &m->normal_map);
    }
    return TY_OK;
}

static ty_status take_lines(reader *r, char *text, size_t size)
{
    ty_status status = TY_OK;
    for (char *at = text; at < text + size && status == TY_OK;) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        end = end ? end : text + size;
        *end = '\0'; /* the copy has room for one more byte */
        r->line++;
        if (strlen(at) != (size_t)(end - at)) {
            return wrong(r, "holds a zero byte, so that it is not an MTL text");
        }
        status = take_line(r, at);
        at = end + 1;
    }
    return status;
}

ty_status tyi_io_mtl_read(const char *name, const tyi_io_obj *obj, ty_model *out, ty_diag *diag)
{
    reader r = { .obj = obj, .out = out, .diag = diag };
    if (!obj->library[0] || !tyi_io_beside(name, obj->library, r.path, sizeof r.path) || access(r.path, R_OK)) {
        snprintf(out->note, sizeof out->note, "materials are grey: %.120s",
                 obj->library[0] ? obj->library : "no mtllib");
        return TY_OK;
    }
    tyi_io_bytes bytes;
    ty_status status = tyi_io_file_read(r.path, MOST_BYTES, NULL, &bytes, diag);
    if (status != TY_OK) {
        return status;
    }
    char *text = malloc(bytes.size + 1);
    r.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (text && r.plain) {
        memcpy(text, bytes.data, bytes.size);
        status = take_lines(&r, text, bytes.size);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", r.path);
    }
    if (r.plain) {
        freelocale(r.plain);
    }
    free(text);
    tyi_put(NULL, bytes.data, bytes.capacity);
    return status;
}
