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
#include "io/inner.h"
#include "draw/overlay.h"

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
        tyi_io_exr_band_name(job->bands, b, image.name[b]);
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

static ty_status write_truth(const render_job *job, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int what = 0; what < TYI_DRAW_TRUTHS && status == TY_OK; what++) {
        char path[4200], file[40];
        double range[2];
        snprintf(file, sizeof file, "%s.png", tyi_draw_truth_name((tyi_draw_truth)what));
        render_beside(job->path, file, path, sizeof path);
        status = tyi_draw_write_truth(path, (tyi_draw_truth)what, &job->out, job->camera.width, job->camera.height,
                                      range, diag);
        if (status == TY_OK && !job->silent && what == TYI_DRAW_DEPTH) {
            printf("%s (%.3g m yellow to %.3g m violet)\n", path, range[0], range[1]);
        } else if (status == TY_OK && !job->silent) {
            printf("%s\n", path);
        }
    }
    return status;
}

ty_status render_write(const render_job *job, ty_diag *diag)
{
    size_t n = (size_t)job->camera.width * (size_t)job->camera.height;
    ty_status status = job->physical       ? write_raw(job, n, diag)
                       : is_exr(job->path) ? write_exr(job, diag)
                                           : write_picture(job, n, diag);
    return status == TY_OK && job->truth ? write_truth(job, diag) : status;
}
