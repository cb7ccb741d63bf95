/* app/render_overlay.c - what --overlay draws over a copy of the picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "render.h"
#include "draw/overlay.h"
#include "io/table.h"

enum { BOXES, SOLIDS, LABELS, FRAMES, FRUSTUM, TRAIL, KINDS };
static const char *const kinds[KINDS] = { "boxes", "boxes3", "labels", "frames", "frustum", "trail" };

ty_status render_overlay_check(const char *text, unsigned *out, ty_diag *diag)
{
    *out = 0;
    while (text && *text) {
        size_t n = strcspn(text, ",");
        int k = 0;
        while (k < KINDS && (strlen(kinds[k]) != n || strncmp(text, kinds[k], n))) {
            k++;
        }
        if (k == KINDS) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "--overlay takes boxes, boxes3, labels, frames, frustum and trail, with commas, not '%.*s'",
                           (int)n, text);
        }
        *out |= 1u << k;
        text += n + (text[n] == ',');
    }
    return TY_OK;
}

/* rows t,x,y,z,... of a run's telemetry, after one line of names; a little above the ground */
static ty_status draw_trail(tyi_draw_sketch *sketch, const char *path, ty_diag *diag)
{
    tyi_io_table t = { .text = NULL };
    if (!path || tyi_io_table_open(&t, path, (size_t)1 << 30, NULL) != TY_OK) {
        return ty_fail(diag, TY_ERR_FILE,
                       "--overlay trail takes the telemetry.csv of a run by --trail FILE; %s cannot be read",
                       path ? path : "(none)");
    }
    size_t n = 0;
    ty_vec3 *p = malloc(tyi_io_table_lines(&t) * sizeof *p);
    while (p && tyi_io_table_next(&t)) {
        double x, y, z;
        if (t.fields > 3 && tyi_io_table_number(t.field[1], &x) && tyi_io_table_number(t.field[2], &y) &&
            tyi_io_table_number(t.field[3], &z)) {
            p[n++] = ty_vec3_make(x, y, z);
        }
    }
    tyi_io_table_close(&t);
    tyi_draw_sketch_line(sketch, p, n, (ty_draw_color){ 1.0, 0.75, 0.1, 1.0 });
    free(p);
    return n > 1 ? TY_OK : ty_fail(diag, TY_ERR_FORMAT, "%s: has no rows of t_s,x_m,y_m,z_m", path);
}

static ty_status draw_boxes(const render_job *job, tyi_draw_sketch *sketch, ty_diag *diag)
{
    render_box_list list;
    ty_status status = render_boxes(job, &list, diag);
    if (status == TY_OK) {
        tyi_draw_sketch_things(sketch, list.flat, list.solid, list.n, job->overlay & 1u << BOXES,
                               job->overlay & 1u << SOLIDS, job->overlay & 1u << LABELS);
    }
    render_boxes_free(&list);
    return status;
}

/* axes parallel to the site's (x east, y north, z up), on the ground some metres ahead */
static void draw_site_frame(const render_job *job, tyi_draw_sketch *sketch)
{
    int w = job->camera.width, x = w / 2, y = 3 * job->camera.height / 4;
    double range = job->out.range[(size_t)y * (size_t)w + (size_t)x];
    ty_vec3 o, d;
    if (isfinite(range) && ty_camera_ray(&job->camera, x + 0.5, y + 0.5, &o, &d)) {
        ty_pose pose = { ty_add(o, ty_scale(range, d)), ty_quat_identity() };
        tyi_draw_sketch_frame(sketch, pose, 0.25 * range, "W");
    }
}

ty_status render_overlay(const render_job *job, ty_diag *diag)
{
    ty_image image = { 0 };
    ty_status status = ty_png_read(job->path, &image, diag);
    tyi_draw_sketch *sketch = tyi_draw_sketch_create(&job->camera, job->out.range);
    if (status == TY_OK && job->overlay & (1u << BOXES | 1u << SOLIDS | 1u << LABELS)) {
        status = draw_boxes(job, sketch, diag);
    }
    if (status == TY_OK && job->overlay & 1u << FRAMES) {
        draw_site_frame(job, sketch);
    }
    if (status == TY_OK && job->overlay & 1u << FRUSTUM && job->has_next) {
        tyi_draw_sketch_frame(sketch, job->next.pose, 0.3, "next camera");
        tyi_draw_sketch_frustum(sketch, &job->next, 1.5, NULL);
    }
    if (status == TY_OK && job->overlay & 1u << TRAIL) {
        status = draw_trail(sketch, job->trail, diag);
    }
    char path[4200];
    render_beside(job->path, "overlay.png", path, sizeof path);
    status = status == TY_OK ? tyi_draw_sketch_write(sketch, path, &image, diag) : status;
    if (status == TY_OK && !job->silent) {
        printf("%s\n", path);
    }
    tyi_draw_sketch_destroy(sketch);
    ty_image_free(&image);
    return status;
}
