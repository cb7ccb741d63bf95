/* app/render_truth.c - ground truth as data: an EXR file of everything that is one number per pixel, and a table of
 * boxes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "render.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/exr.h"
#include "io/out_file.h"
#include "draw/truth_file.h"

/* a channel of the file; NULL when there are too many */
static float *channel(ty_exr *e, const char *name)
{
    if (e->channels == TY_EXR_CHANNELS) {
        return NULL;
    }
    snprintf(e->name[e->channels], sizeof e->name[0], "%s", name);
    return e->data + (size_t)e->channels++ * (size_t)e->width * (size_t)e->height;
}

static void fill_plain(ty_exr *e, const ty_render_buffers *b, size_t n)
{
    static const char *const normal[3] = { "normal.X", "normal.Y", "normal.Z" };
    float *z = channel(e, "Z"), *range = channel(e, "range"), *albedo = channel(e, "albedo"),
          *lit = channel(e, "sunlit");
    float *kind = channel(e, "class"), *low = channel(e, "instance.low"), *high = channel(e, "instance.high");
    for (size_t i = 0; i < n; i++) {
        z[i] = (float)b->depth[i];
        range[i] = (float)b->range[i];
        albedo[i] = b->albedo[i];
        lit[i] = b->sunlit[i];
        kind[i] = b->kind[i];
        low[i] = (float)(b->instance[i] & 0xffffu); /* a float holds 24 bits */
        high[i] = (float)(b->instance[i] >> 16);
    }
    for (int k = 0; k < 3; k++) {
        float *to = channel(e, normal[k]);
        for (size_t i = 0; i < n; i++) {
            to[i] = b->normal[3 * i + (size_t)k];
        }
    }
}

/* direction as hue, length as strength */
static void flow_color(const float *f, double most, uint8_t *rgb)
{
    double length = hypot((double)f[0], (double)f[1]) / most,
           turn = atan2((double)f[1], (double)f[0]) / TY_PI * 3.0 + 3.0;
    double strength = isnan(length) ? 0.0 : fmin(length, 1.0);
    for (int k = 0; k < 3; k++) {
        double away = fabs(fmod(turn + 2.0 * k, 6.0) - 3.0); /* 0 to 3 */
        double full = fmin(fmax(away - 1.0, 0.0), 1.0);
        rgb[k] = (uint8_t)lrint(255.0 * (1.0 - strength * (1.0 - full)));
    }
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static ty_status draw_flow(const render_job *job, const float *flow, size_t n, ty_diag *diag)
{
    char path[4200];
    uint8_t *rgb = malloc(3 * n);
    float *length = malloc(n * sizeof *length);
    size_t count = 0;
    for (size_t i = 0; rgb && length && i < n; i++) {
        float l = hypotf(flow[2 * i], flow[2 * i + 1]);
        if (!isnan(l)) {
            length[count++] = l;
        }
    }
    double most = 1.0;
    if (count) { /* the longest 1 % may be beyond full colour */
        qsort(length, count, sizeof *length, by_size);
        most = fmax((double)length[(size_t)(0.99 * (double)(count - 1))], 1e-6);
    }
    for (size_t i = 0; rgb && i < n; i++) {
        flow_color(flow + 2 * i, most, rgb + 3 * i);
    }
    render_beside(job->path, "flow.png", path, sizeof path);
    ty_status status = rgb && length ? ty_png_write(path, job->camera.width, job->camera.height, 3, 8, rgb, diag)
                                     : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture of the flow");
    if (status == TY_OK && !job->silent) {
        printf("%s (hue: direction; full colour: %.3g px)\n", path, most);
    }
    free(rgb), free(length);
    return status;
}

static ty_status draw_disparity(const render_job *job, const float *d, size_t n, ty_diag *diag)
{
    char path[4200];
    uint8_t *rgb = malloc(3 * n);
    float most = 1e-6f;
    for (size_t i = 0; i < n; i++) {
        most = d[i] > most ? d[i] : most;
    }
    for (size_t i = 0; rgb && i < n; i++) {
        ty_draw_color c = ty_draw_cmap_color(TY_CMAP_VIRIDIS, sqrt(fmax((double)(d[i] / most), 0.0)));
        rgb[3 * i] = (uint8_t)lrint(255.0 * c.r), rgb[3 * i + 1] = (uint8_t)lrint(255.0 * c.g),
                rgb[3 * i + 2] = (uint8_t)lrint(255.0 * c.b);
    }
    render_beside(job->path, "disparity.png", path, sizeof path);
    ty_status status = rgb ? ty_png_write(path, job->camera.width, job->camera.height, 3, 8, rgb, diag)
                           : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture of the disparity");
    if (status == TY_OK && !job->silent) {
        printf("%s (0 violet to %.4g px yellow, by the square root)\n", path, (double)most);
    }
    free(rgb);
    return status;
}

/* flow to the camera of --next-eye, disparity to the other eye of --stereo */
static ty_status fill_moves(const render_job *job, ty_exr *e, size_t n, ty_diag *diag)
{
    float *flow = malloc(2 * n * sizeof *flow);
    ty_status status = flow ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the flow");
    if (status == TY_OK && job->has_next) {
        ty_truth_flow(&job->camera, &job->next, NULL, 0, job->out.range, job->out.instance, flow);
        float *x = channel(e, "flow.X"), *y = channel(e, "flow.Y");
        for (size_t i = 0; i < n; i++) {
            x[i] = flow[2 * i], y[i] = flow[2 * i + 1];
        }
        status = draw_flow(job, flow, n, diag);
    }
    if (status == TY_OK && job->stereo != 0.0) {
        ty_camera other = ty_truth_stereo_right(&job->camera, job->right ? -job->stereo : job->stereo);
        ty_truth_flow(&job->camera, &other, NULL, 0, job->out.range, job->out.instance, flow);
        float *d = channel(e, "disparity");
        for (size_t i = 0; i < n; i++) { /* left place minus right place, for both eyes */
            d[i] = job->right ? flow[2 * i] : -flow[2 * i];
        }
        status = draw_disparity(job, d, n, diag);
    }
    free(flow);
    return status;
}

static ty_status write_maps(const render_job *job, ty_diag *diag)
{
    size_t n = (size_t)job->camera.width * (size_t)job->camera.height;
    ty_exr e = { .width = job->camera.width, .height = job->camera.height };
    char path[4200];
    e.data = calloc(16 * n, sizeof *e.data);
    ty_status status = e.data ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the ground truth");
    if (status == TY_OK) {
        fill_plain(&e, &job->out, n);
        status = fill_moves(job, &e, n, diag);
    }
    render_beside(job->path, "truth.exr", path, sizeof path);
    status = status == TY_OK ? ty_exr_write(path, &e, diag) : status;
    if (status == TY_OK && !job->silent) {
        printf("%s (%d channels)\n", path, e.channels);
    }
    free(e.data);
    return status;
}

ty_status render_boxes(const render_job *job, render_box_list *out, ty_diag *diag)
{
    enum { MOST = 4096 };
    *out = (render_box_list){ .flat = malloc(MOST * sizeof *out->flat), .solid = malloc(MOST * sizeof *out->solid) };
    if (!out->flat || !out->solid) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the boxes");
    }
    out->n =
        ty_truth_boxes_2d(job->camera.width, job->camera.height, job->out.instance, job->out.kind, out->flat, MOST);
    return ty_truth_boxes_3d(job->scene, &job->camera, out->flat, out->n, out->solid, diag);
}

void render_boxes_free(render_box_list *list)
{
    free(list->flat), free(list->solid);
}

static void write_row(FILE *file, const ty_truth_box2 *f, const ty_truth_box3 *s)
{
    const ty_pose pose[2] = { s->pose_W, s->pose_S };
    fprintf(file, "%u,%d,%d,%d,%d,%d,%d,%d,%.4f,%d", f->instance, (int)f->kind, f->x0, f->y0, f->x1, f->y1, f->pixels,
            s->outline, s->visible, s->cut);
    fprintf(file, ",%.6f,%.6f,%.6f", 2.0 * s->half.x, 2.0 * s->half.y, 2.0 * s->half.z);
    for (int k = 0; k < 2; k++) {
        fprintf(file, ",%.6f,%.6f,%.6f,%.9f,%.9f,%.9f,%.9f", pose[k].p.x, pose[k].p.y, pose[k].p.z, pose[k].q.w,
                pose[k].q.x, pose[k].q.y, pose[k].q.z);
    }
    fputc('\n', file);
}

static ty_status write_boxes(const render_job *job, ty_diag *diag)
{
    render_box_list list;
    ty_status status = render_boxes(job, &list, diag);
    char path[4200];
    render_beside(job->path, "boxes.csv", path, sizeof path);
    tyi_io_sink *out = NULL;
    status = status == TY_OK ? tyi_io_sink_open(path, &out, diag) : status;
    if (status == TY_OK) {
        FILE *file = tyi_io_sink_file(out);
        fprintf(file, "instance,class,x0_px,y0_px,x1_px,y1_px,pixels,outline_px,visible,cut,length_m,width_m,height_m,"
                      "w_x_m,w_y_m,w_z_m,w_qw,w_qx,w_qy,w_qz,s_x_m,s_y_m,s_z_m,s_qw,s_qx,s_qy,s_qz\n");
        for (size_t i = 0; i < list.n; i++) {
            write_row(file, &list.flat[i], &list.solid[i]);
        }
        status = tyi_io_sink_close(out, TY_OK, diag);
        if (status == TY_OK && !job->silent) {
            printf("%s (%zu things)\n", path, list.n);
        }
    }
    render_boxes_free(&list);
    return status;
}

static ty_status write_files(const render_job *job, ty_diag *diag)
{
    render_box_list list = { 0 };
    ty_status status = job->scene ? render_boxes(job, &list, diag) : TY_OK;
    const ty_render_buffers *b = &job->out;
    float *flow = status == TY_OK && job->has_next
                      ? malloc(2 * (size_t)job->camera.width * (size_t)job->camera.height * sizeof *flow)
                      : NULL;
    if (flow) {
        ty_truth_flow(&job->camera, &job->next, NULL, 0, b->range, b->instance, flow);
    }
    const char *slash = strrchr(job->path, '/');
    tyi_draw_truth_frame frame = { .width = job->camera.width,
                                   .height = job->camera.height,
                                   .depth = b->depth,
                                   .range = b->range,
                                   .normal = b->normal,
                                   .sunlit = b->sunlit,
                                   .flow = flow,
                                   .kind = b->kind,
                                   .instance = b->instance,
                                   .flat = list.flat,
                                   .solid = list.solid,
                                   .boxes = list.n,
                                   .image = slash ? slash + 1 : job->path };
    char stem[4200];
    unsigned written = 0;
    render_beside(job->path, "", stem, sizeof stem);
    stem[strlen(stem) - 1] = '\0'; /* without the bar */
    status = status == TY_OK ? tyi_draw_truth_write(stem, &frame, &written, diag) : status;
    for (int map = 0; map < TYI_DRAW_TRUTH_MAPS && status == TY_OK && !job->silent; map++) {
        if (written >> map & 1u) {
            printf("%s_%s\n", stem, tyi_draw_truth_ending((tyi_draw_truth_map)map));
        }
    }
    free(flow);
    render_boxes_free(&list);
    return status;
}

ty_status render_truth_data(const render_job *job, ty_diag *diag)
{
    ty_status status = write_maps(job, diag);
    status = status == TY_OK && job->scene ? write_boxes(job, diag) : status;
    return status == TY_OK ? write_files(job, diag) : status;
}
