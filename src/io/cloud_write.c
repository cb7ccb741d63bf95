/* src/io/cloud_write.c - point clouds as PCD, PLY and CSV.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "out.h"
#include "tycho/buffer.h"
#include "tycho/tools/cloud_file.h"
#include "core/inner.h"

static ty_status check(const char *path, const ty_buffer *points, ty_diag *diag)
{
    const ty_buffer_type *t = &points->type;
    if (t->unit == TY_UNIT_POINT && t->element == TY_ELEMENT_F64 && t->channels == TY_CLOUD_POINT_CHANNELS &&
        points->channel == sizeof(double)) {
        return TY_OK;
    }
    char text[128];
    return ty_fail(diag, TY_ERR_INPUT, "%s: a cloud of points is needed, but this is %s", path,
                   tyi_buffer_type_text(t, text, sizeof text));
}

static ty_status find_format(const char *path, ty_cloud_format *format, ty_diag *diag)
{
    const char *dot = strrchr(path, '.');
    if (*format == TY_CLOUD_BY_ENDING) {
        *format = dot && !strcmp(dot, ".pcd")   ? TY_CLOUD_PCD
                  : dot && !strcmp(dot, ".ply") ? TY_CLOUD_PLY
                  : dot && !strcmp(dot, ".csv") ? TY_CLOUD_CSV
                                                : TY_CLOUD_BY_ENDING;
    }
    return *format != TY_CLOUD_BY_ENDING
               ? TY_OK
               : ty_fail(diag, TY_ERR_INPUT, "%s: a cloud's file ends in .pcd, .ply or .csv", path);
}

/* ---- heads ---- */

static void pcd_head(FILE *f, size_t n, bool ascii)
{
    fprintf(f,
            "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
            "FIELDS x y z intensity range time ring return label\n"
            "SIZE 4 4 4 4 4 4 2 1 4\nTYPE F F F F F F U U U\nCOUNT 1 1 1 1 1 1 1 1 1\n"
            "WIDTH %zu\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS %zu\nDATA %s\n",
            n, n, ascii ? "ascii" : "binary");
}

static void ply_head(FILE *f, size_t n, char frame)
{
    fprintf(f,
            "ply\nformat binary_little_endian 1.0\ncomment frame %c\nelement vertex %zu\n"
            "property float x\nproperty float y\nproperty float z\n"
            "property float intensity\nproperty float range\nproperty float time\n"
            "property ushort ring\nproperty uchar return\nproperty uint label\nend_header\n",
            frame ? frame : '?', n);
}

/* ---- points ---- */

static size_t put_f32(char *to, double v)
{
    float f = (float)v;
    memcpy(to, &f, sizeof f);
    return sizeof f;
}

/* the fields after the place; the machine is little-endian, as all that Tycho is built for */
static size_t put_rest(char *to, const ty_cloud_point *p)
{
    uint16_t ring = (uint16_t)p->ring;
    uint32_t label = (uint32_t)p->label;
    size_t n = put_f32(to, p->intensity);
    n += put_f32(to + n, p->range);
    n += put_f32(to + n, p->time);
    memcpy(to + n, &ring, 2);
    to[n + 2] = (char)(uint8_t)p->number;
    memcpy(to + n + 3, &label, 4);
    return n + 7;
}

static void write_point(FILE *f, ty_cloud_format format, const ty_cloud_point *p)
{
    char row[64];
    size_t n = 0;
    const double place[3] = { p->x, p->y, p->z };
    if (format == TY_CLOUD_CSV || format == TY_CLOUD_PCD_ASCII) {
        const char *gap = format == TY_CLOUD_CSV ? "," : " ";
        fprintf(f, "%.9g%s%.9g%s%.9g%s%.6g%s%.9g%s%.9g%s%g%s%g%s%.0f\n", p->x, gap, p->y, gap, p->z, gap, p->intensity,
                gap, p->range, gap, p->time, gap, p->ring, gap, p->number, gap, p->label);
        return;
    }
    for (int k = 0; k < 3; k++) {
        n += put_f32(row + n, place[k]); /* readers of PLY and PCD take floats */
    }
    n += put_rest(row + n, p);
    fwrite(row, 1, n, f);
}

ty_status ty_cloud_write(const char *path, ty_cloud_format format, const ty_buffer *points, ty_diag *diag)
{
    tyi_io_out out;
    ty_status status = check(path, points, diag);
    status = status == TY_OK ? find_format(path, &format, diag) : status;
    status = status == TY_OK ? tyi_io_out_open(&out, path, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    size_t n = ty_cloud_count(points);
    if (format == TY_CLOUD_PLY) {
        ply_head(out.file, n, points->type.frame);
    } else if (format == TY_CLOUD_CSV) {
        fputs("x,y,z,intensity,range,time,ring,return,label\n", out.file);
    } else {
        pcd_head(out.file, n, format == TY_CLOUD_PCD_ASCII);
    }
    for (int y = 0; y < points->type.height; y++) {
        for (int x = 0; x < points->type.width; x++) {
            const ty_cloud_point *p = ty_buffer_at(points, x, y, 0);
            if (!isnan(p->x)) {
                write_point(out.file, format, p);
            }
        }
    }
    return tyi_io_out_close(&out, TY_OK, diag);
}
