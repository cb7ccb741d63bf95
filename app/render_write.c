/* app/render_write.c - buffers into pictures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "camera.h"
#include "render.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/exr.h"
#include "tycho/tone.h"

double render_white(const float *radiance, size_t n, double share, double factor)
{
    return ty_tone_white(radiance, NULL, n, (ty_tone_rule){ share, factor });
}

double render_job_white(const render_job *job)
{
    size_t n = (size_t)job->camera.width * (size_t)job->camera.height;
    return ty_tone_white(job->out.radiance, job->out.kind, n, ty_tone_single());
}

static ty_status write_picture(const render_job *job, size_t n, ty_diag *diag)
{
    double white = isnan(job->white) ? render_job_white(job) : job->white;
    int bits = job->linear ? 16 : 8, colors = job->bands == 3 ? 3 : 1;
    uint16_t *deep = malloc((size_t)colors * n * sizeof *deep);
    uint8_t *flat = malloc((size_t)colors * n);
    ty_status status = deep && flat ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
    for (size_t i = 0; status == TY_OK && i < (size_t)colors * n; i++) {
        size_t band = i % (size_t)colors; /* sunlight is white: each band over its share of it */
        double balance = colors == 3 ? job->share[0] / job->share[band] : 1.0;
        double v = balance * (double)job->out.radiance[band * n + i / (size_t)colors];
        deep[i] = ty_tone_word(&(ty_tone){ 0.0, white, 1.0, 0.0 }, v);
        flat[i] = ty_tone_byte(&(ty_tone){ 0.0, white, job->gamma, 0.0 }, v);
    }
    if (status == TY_OK) {
        status = ty_png_write(job->path, job->camera.width, job->camera.height, colors, bits,
                              bits == 16 ? (void *)deep : flat, diag);
    }
    if (status == TY_OK && !job->silent) {
        printf("%s (white is %.4g W/m2/sr)\n", job->path, white);
    }
    free(deep), free(flat);
    return status;
}

/* radiance [W/m^2/sr] per band, as floats */
static ty_status write_exr(const render_job *job, ty_diag *diag)
{
    ty_exr image = {
        .width = job->camera.width, .height = job->camera.height, .channels = job->bands, .data = job->out.radiance
    };
    for (int b = 0; b < job->bands; b++) {
        ty_exr_band_name(job->bands, b, image.name[b]);
    }
    ty_status status = ty_exr_write(job->path, &image, diag);
    if (status == TY_OK && !job->silent) {
        printf("%s (radiance, %d band%s)\n", job->path, job->bands, job->bands > 1 ? "s" : "");
    }
    return status;
}

static bool is_exr(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".exr");
}

/* what the physical camera's converter gives, spread over 16 bits; automatic exposure gets some frames to settle */
static ty_status write_raw(const render_job *job, size_t n, ty_diag *diag)
{
    enum { SETTLE = 8 };
    float *depth = malloc(n * sizeof *depth);
    camera_frame frame = { 0 };
    ty_status status = depth ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
    for (size_t i = 0; status == TY_OK && i < n; i++) {
        depth[i] = (float)job->out.depth[i];
    }
    if (status == TY_OK) {
        ty_buffer_type light = { job->camera.width, job->camera.height, 1, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' },
                       far = light;
        far.unit = TY_UNIT_METRE;
        camera_input in = { .radiance = ty_buffer_wrap_planar(&light, job->out.radiance),
                            .has_depth = true,
                            .depth = ty_buffer_wrap(&far, depth) };
        status = camera_shoot(&in, &job->sensor, job->auto_exposure ? SETTLE : 0, &frame, diag);
    }
    for (size_t i = 0; status == TY_OK && i < n; i++) {
        double y = fmax(0.0, frame.pixels[i] - frame.offset) / (frame.full - frame.offset);
        frame.pixels[i] = (uint16_t)lrint(65535.0 * (job->linear ? y : pow(y, 1.0 / job->gamma)));
    }
    if (status == TY_OK) {
        status = ty_png_write(job->path, job->camera.width, job->camera.height, 1, 16, frame.pixels, diag);
    }
    if (status == TY_OK && !job->silent) {
        printf("%s (%.4g s at f/%.3g, %d bits)\n", job->path, frame.exposure, job->sensor.f_number, job->sensor.bits);
    }
    free(depth), free(frame.pixels);
    return status;
}

void render_beside(const char *path, const char *what, char *out, size_t size)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    snprintf(out, size, "%.*s_%s", stem, path, what);
}

static void set_color(uint8_t *rgb, ty_draw_color c)
{
    rgb[0] = (uint8_t)lrint(255.0 * c.r);
    rgb[1] = (uint8_t)lrint(255.0 * c.g);
    rgb[2] = (uint8_t)lrint(255.0 * c.b);
}

enum { DEPTH, NORMAL, LABELS, INSTANCES, SUNLIT, TRUTHS };
static const char *const truth_name[TRUTHS] = { "depth.png", "normal.png", "labels.png", "instances.png",
                                                "sunlit.png" };

static ty_draw_color truth_color(const ty_render_buffers *b, int what, size_t i, double near, double far)
{
    static const ty_draw_color label[TY_CLASS_COUNT] = { { 0.0, 0.0, 0.0, 1.0 },   { 0.55, 0.5, 0.42, 1.0 },
                                                         { 0.9, 0.6, 0.0, 1.0 },   { 0.0, 0.45, 0.7, 1.0 },
                                                         { 0.0, 0.62, 0.45, 1.0 }, { 0.8, 0.47, 0.65, 1.0 } };
    ty_draw_color black = { 0.0, 0.0, 0.0, 1.0 };
    if (what == LABELS || what == SUNLIT) {
        double s = (double)b->sunlit[i];
        return what == LABELS ? label[b->kind[i]] : (ty_draw_color){ s, s, s, 1.0 };
    }
    if (b->kind[i] == TY_CLASS_SKY) {
        return black;
    }
    if (what == NORMAL) {
        const float *n = b->normal + 3 * i;
        return (ty_draw_color){ 0.5 + 0.5 * (double)n[0], 0.5 + 0.5 * (double)n[1], 0.5 + 0.5 * (double)n[2], 1.0 };
    }
    if (what == INSTANCES) {
        uint32_t h = b->instance[i] * 2654435761u;
        return b->kind[i] == TY_CLASS_GROUND || b->kind[i] == TY_CLASS_RUT
                   ? label[TY_CLASS_GROUND]
                   : (ty_draw_color){ (h >> 24) / 255.0, (h >> 16 & 255) / 255.0, (h >> 8 & 255) / 255.0, 1.0 };
    }
    return ty_draw_cmap_color(TY_CMAP_VIRIDIS, 1.0 - log(b->depth[i] / near) / log(far / near));
}

static ty_status write_truth(const render_job *job, size_t n, ty_diag *diag)
{
    double near = INFINITY, far = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(job->out.depth[i]) && job->out.depth[i] > 0.0) {
            near = fmin(near, job->out.depth[i]);
            far = fmax(far, job->out.depth[i]);
        }
    }
    uint8_t *rgb = malloc(3 * n);
    ty_status status = rgb ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the pictures of the ground truth");
    for (int what = 0; what < TRUTHS && status == TY_OK; what++) {
        char path[4200];
        render_beside(job->path, truth_name[what], path, sizeof path);
        for (size_t i = 0; i < n; i++) {
            set_color(rgb + 3 * i, truth_color(&job->out, what, i, near, fmax(far, 1.001 * near)));
        }
        status = ty_png_write(path, job->camera.width, job->camera.height, 3, 8, rgb, diag);
        if (job->silent) {
            continue;
        }
        if (status == TY_OK && what == DEPTH) {
            printf("%s (%.3g m yellow to %.3g m violet)\n", path, near, far);
        } else if (status == TY_OK) {
            printf("%s\n", path);
        }
    }
    free(rgb);
    return status;
}

ty_status render_write(const render_job *job, ty_diag *diag)
{
    size_t n = (size_t)job->camera.width * (size_t)job->camera.height;
    ty_status status = job->truth_only     ? TY_OK
                       : job->physical     ? write_raw(job, n, diag)
                       : is_exr(job->path) ? write_exr(job, diag)
                                           : write_picture(job, n, diag);
    return status == TY_OK && job->truth ? write_truth(job, n, diag) : status;
}
