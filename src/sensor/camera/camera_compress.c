/* src/sensor/camera/camera_compress.c - what JPEG would do to the numbers, without making a file.
 *
 * Full scale stands for JPEG's 255, so that the errors of a 12-bit image are 16 times as large in
 * DN. Colours are not subsampled.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "camera.h"
#include "k_dct.h"

#define N 8

/* [t81] tables K.1 and K.2 */
static const uint8_t table[2][N * N] = {
    { 16, 11,  10,  16, 24, 40, 51, 61, 12,  12,  14,  19,  26, 58, 60, 55,  14,  13,  16,  24, 40, 57,
      69, 56,  14,  17, 22, 29, 51, 87, 80,  62,  18,  22,  37, 56, 68, 109, 103, 77,  24,  35, 55, 64,
      81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98,  112, 100, 103, 99 },
    { 17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
      99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99 },
};

typedef struct basis {
    double at[N][N]; /* frequency, sample */
} basis;

/* out = m a m^T, or m^T a m going back */
static void transform(const basis *m, bool back, const double *a, double *out)
{
    double half[N][N];
    for (int y = 0; y < N; y++) {
        for (int u = 0; u < N; u++) {
            double sum = 0.0;
            for (int x = 0; x < N; x++) {
                sum += a[y * N + x] * (back ? m->at[x][u] : m->at[u][x]);
            }
            half[y][u] = sum;
        }
    }
    for (int v = 0; v < N; v++) {
        for (int u = 0; u < N; u++) {
            double sum = 0.0;
            for (int y = 0; y < N; y++) {
                sum += half[y][u] * (back ? m->at[y][v] : m->at[v][y]);
            }
            out[v * N + u] = sum;
        }
    }
}

static void degrade(const basis *m, int quality, const uint8_t *steps, double *block)
{
    double coefficient[N * N];
    transform(m, false, block, coefficient);
    for (int i = 0; i < N * N; i++) {
        coefficient[i] = ty_k_jpeg_round(coefficient[i], ty_k_jpeg_step(steps[i], quality));
    }
    transform(m, true, coefficient, block);
}

/* brightness and colour differences are whole numbers, as the pixels are */
static double whole(double value, double full)
{
    return floor(value * full / 255.0 + 0.5) * 255.0 / full;
}

/* one block: pixels to (Y, Cb, Cr) of 0 to 255 about 128, rounded, and back */
static void do_block(const ty_camera_sensor *s, const ty_filter_call *call, const basis *m, int x0, int y0)
{
    const ty_buffer *in = call->in;
    int channels = in->type.channels;
    double plane[3][N * N], full = s->curve.full;
    for (int i = 0; i < N * N; i++) {
        int x = x0 + i % N, y = y0 + i / N; /* blocks at the edge repeat the last pixel */
        x = x < in->type.width ? x : in->type.width - 1;
        y = y < in->type.height ? y : in->type.height - 1;
        double rgb[3] = { 0.0, 0.0, 0.0 };
        for (int c = 0; c < channels; c++) {
            rgb[c] = ty_buffer_get(in, x, y, c) * 255.0 / full;
        }
        double luma = channels == 3 ? ty_k_luma(rgb[0], rgb[1], rgb[2]) : rgb[0];
        plane[0][i] = whole(luma, full) - 128.0;
        plane[1][i] = whole(ty_k_chroma_blue(luma, rgb[2]), full);
        plane[2][i] = whole(ty_k_chroma_red(luma, rgb[0]), full);
    }
    for (int c = 0; c < channels; c++) {
        degrade(m, s->def.quality, table[c > 0], plane[c]);
    }
    for (int i = 0; i < N * N; i++) {
        int x = x0 + i % N, y = y0 + i / N;
        if (x < in->type.width && y < in->type.height) {
            double luma = fmin(fmax(whole(plane[0][i] + 128.0, full), 0.0), 255.0);
            double rgb[3] = { luma, 0.0, 0.0 };
            if (channels == 3) {
                rgb[0] = ty_k_chroma_to_red(luma, whole(plane[2][i], full));
                rgb[2] = ty_k_chroma_to_blue(luma, whole(plane[1][i], full));
                rgb[1] = ty_k_luma_to_green(luma, rgb[0], rgb[2]);
            }
            for (int c = 0; c < channels; c++) {
                ty_buffer_set(call->out, x, y, c, fmin(fmax(rgb[c] * full / 255.0, 0.0), full));
            }
        }
    }
}

typedef struct job {
    const ty_camera_sensor *sensor;
    const ty_filter_call *call;
    basis m;
} job;

static void do_blocks(void *user, size_t j, int worker)
{
    (void)worker;
    const job *b = user;
    for (int x = 0; x < b->call->in->type.width; x += N) {
        do_block(b->sensor, b->call, &b->m, x, (int)j * N);
    }
}

static ty_status run_compress(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    job b = { .sensor = user, .call = call };
    for (int u = 0; u < N; u++) {
        for (int x = 0; x < N; x++) {
            b.m.at[u][x] = ty_k_dct8(u, x);
        }
    }
    tyi_tasks_for(tyi_camera_threads(call), (size_t)(call->in->type.height + N - 1) / N, do_blocks, &b);
    return TY_OK;
}

static ty_status link_compress(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag)
{
    (void)user;
    (void)need;
    if (in->channels != 1 && in->channels != 3) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: 'compress' takes 1 or 3 channels, but the image has %d",
                       in->channels);
    }
    return TY_OK;
}

/* in place: a block reads its own pixels only */
const ty_filter tyi_camera_stage_compress = { .units = TY_BIT(TY_UNIT_DN),
                                              .elements = TY_BIT(TY_ELEMENT_U8) | TY_BIT(TY_ELEMENT_U16) |
                                                          TY_BIT(TY_ELEMENT_F32),
                                              .in_place = true,
                                              .link = link_compress,
                                              .run = run_compress };
