/* app/terrain_picture.c - `tycho terrain picture`: shading, brightness and shadow of a picture of ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "terrain.h"
#include "terrain_site.h"
#include "tycho/math.h"
#include "tycho/tools/image.h"
#include "io/inner.h"
#include "study/picture.h"

typedef struct picture_job {
    const char *path;
    double crop[4]; /* [px] left, top, width, height; width 0: all */
    double gamma, pixel, sun;
    double phase[3]; /* [px] where the Sun's light goes, x and y; focal length, 0: none */
    double band[5];  /* [px] a line, x and y of both ends, half its width; 0: none */
    int window, bin;
    bool holes; /* black is no value */
} picture_job;

/* the mean of the colours, decoded; NULL: no memory. The caller frees it. */
static float *decode(const ty_image *image, const int crop[4], const picture_job *job)
{
    float *v = malloc((size_t)crop[2] * (size_t)crop[3] * sizeof *v);
    int colours = image->channels < 3 ? 1 : 3;
    for (int j = 0; v && j < crop[3]; j++) {
        for (int i = 0; i < crop[2]; i++) {
            size_t at =
                ((size_t)(crop[1] + j) * (size_t)image->width + (size_t)(crop[0] + i)) * (size_t)image->channels;
            double sum = 0.0;
            for (int c = 0; c < colours; c++) {
                double code = image->bits == 8 ? ((const uint8_t *)image->data)[at + (size_t)c] / 255.0
                                               : ((const uint16_t *)image->data)[at + (size_t)c] / 65535.0;
                sum += pow(code, job->gamma) / colours;
            }
            v[(size_t)j * (size_t)crop[2] + (size_t)i] = job->holes && sum <= 0.0 ? -1.0f : (float)sum;
        }
    }
    return v;
}

/* Means of squares of `bin` pixels, in place; a square with a hole is one. */
static void gather(float *v, int crop[4], int bin)
{
    int w = crop[2] / bin, h = crop[3] / bin;
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            double sum = 0.0;
            bool hole = false;
            for (int k = 0; k < bin * bin; k++) {
                float one =
                    v[(size_t)(j * bin + k / bin) * (size_t)crop[2] + (size_t)i * (size_t)bin + (size_t)(k % bin)];
                hole = hole || one < 0.0f;
                sum += (double)one / (bin * bin);
            }
            v[(size_t)j * (size_t)w + (size_t)i] = hole ? -1.0f : (float)sum;
        }
    }
    crop[2] = w, crop[3] = h;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

#define PHASE_STEP 5.0 /* [deg] */
#define PHASE_MOST 60

/* medians by phase angle, for a pinhole camera whose axis is in the middle of the picture */
static void print_phase(const tyi_study_picture *p, const picture_job *job, const int full[2], float *spare)
{
    const double *at = job->phase;
    double f = at[2], mx = 0.5 * full[0], my = 0.5 * full[1], ax = at[0] - mx, ay = at[1] - my;
    double first = 0.0;
    printf("\n%-12s %10s %10s %10s\n", "phase [deg]", "pixels", "median", "of first");
    for (double low = PHASE_STEP; low < PHASE_MOST; low += PHASE_STEP) {
        size_t n = 0;
        for (size_t k = 0; k < (size_t)p->width * (size_t)p->height; k++) {
            double x = job->crop[0] + ((double)(k % (size_t)p->width) + 0.5) * job->bin - mx;
            double y = job->crop[1] + ((double)(k / (size_t)p->width) + 0.5) * job->bin - my;
            double c = (x * ax + y * ay + f * f) / (sqrt(x * x + y * y + f * f) * sqrt(ax * ax + ay * ay + f * f));
            double g = acos(fmin(c, 1.0)) / TY_DEG;
            if (g >= low && g < low + PHASE_STEP && p->value[k] >= 0.0f) {
                spare[n++] = p->value[k];
            }
        }
        if (n >= 16) {
            qsort(spare, n, sizeof *spare, by_value);
            double median = (double)spare[n / 2];
            first = first > 0.0 ? first : median;
            printf("%3g to %-5g %10zu %10.4f %10.3f\n", low, low + PHASE_STEP, n, median, median / first);
        }
    }
}

/* the values of a band beside a line: from `low` to `high` [px] from it, to either side, between its ends; how many */
static size_t beside(const tyi_study_picture *p, const picture_job *job, double low, double high, float *out)
{
    const double *b = job->band;
    double dx = b[2] - b[0], dy = b[3] - b[1], length = hypot(dx, dy);
    size_t n = 0;
    for (size_t k = 0; k < (size_t)p->width * (size_t)p->height; k++) {
        double x = job->crop[0] + ((double)(k % (size_t)p->width) + 0.5) * job->bin - b[0];
        double y = job->crop[1] + ((double)(k / (size_t)p->width) + 0.5) * job->bin - b[1];
        double along = (x * dx + y * dy) / length, away = fabs(x * dy - y * dx) / length;
        if (along >= 0.0 && along <= length && away >= low && away < high && p->value[k] >= 0.0f) {
            out[n++] = p->value[k];
        }
    }
    qsort(out, n, sizeof *out, by_value);
    return n;
}

/* a track's brightness over that of the soil on both sides */
static void print_band(const tyi_study_picture *p, const picture_job *job, float *spare)
{
    double half = job->band[4];
    size_t n = beside(p, job, 2.0 * half, 4.0 * half, spare);
    double soil = n ? (double)spare[n / 2] : 0.0;
    n = beside(p, job, 0.0, half, spare);
    if (n && soil > 0.0) {
        printf("band over its sides %.3f   quartiles %.3f %.3f   (%zu pixels)\n", (double)spare[n / 2] / soil,
               (double)spare[n / 4] / soil, (double)spare[n - 1 - n / 4] / soil, n);
    } else {
        printf("band over its sides: no pixels\n");
    }
}

static void print_spread(const tyi_study_picture_spread *s)
{
    printf("pixels              %zu\n", s->pixels);
    printf("sd / mean           %.4f\nskew                %.3f\n", s->sd, s->skew);
    printf("below 0.15 median   %.4f\n", s->dark);
    printf("1, 10, 90, 99, 99.9 %% over the median   %.3f %.3f %.3f %.3f %.3f\n", s->p01, s->p10, s->p90, s->p99,
           s->p999);
}

static void print_octaves(const tyi_study_picture_octave *o, int n, int windows)
{
    printf("\n%d windows; %% of the mean radiance\n", windows);
    printf("%-20s %8s %8s %16s\n", "wavelength [m]", "total", "shading", "share of power");
    for (int k = 0; k < n; k++) {
        printf("%8.3g to %-8.3g %8.3f %8.3f %8.2f +- %.2f\n", o[k].low, o[k].high, 100.0 * o[k].total,
               100.0 * o[k].shading, o[k].share, o[k].share_error);
    }
}

static ty_status judge(const picture_job *job, ty_diag *diag)
{
    ty_image image = { 0 };
    ty_status status = tyi_io_image_read(job->path, &image, diag);
    if (status != TY_OK) {
        return status;
    }
    int crop[4] = { (int)job->crop[0], (int)job->crop[1], (int)job->crop[2], (int)job->crop[3] };
    if (crop[2] == 0) {
        crop[2] = image.width, crop[3] = image.height;
    }
    float *value = NULL;
    if (crop[0] < 0 || crop[1] < 0 || crop[2] < 1 || crop[3] < 1 || crop[2] > image.width - crop[0] ||
        crop[3] > image.height - crop[1]) {
        status = ty_fail(diag, TY_ERR_RANGE, "--crop does not lie in the picture of %d x %d pixels", image.width,
                         image.height);
    } else {
        value = decode(&image, crop, job);
        status = value ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
    }
    if (value && job->bin > 1) {
        gather(value, crop, job->bin);
    }
    tyi_study_picture p = { crop[2], crop[3], value };
    tyi_study_picture_spread spread;
    if (status == TY_OK && (status = tyi_study_picture_spread_of(&p, &spread, diag)) == TY_OK) {
        print_spread(&spread);
    }
    if (status == TY_OK && job->pixel > 0.0) {
        tyi_study_picture_octave octave[TYI_STUDY_PICTURE_OCTAVES];
        int count, windows;
        status =
            tyi_study_picture_octaves(&p, job->pixel, job->sun * TY_DEG, job->window, octave, &count, &windows, diag);
        if (status == TY_OK) {
            print_octaves(octave, count, windows);
        }
    }
    if (status == TY_OK && (job->phase[2] > 0.0 || job->band[4] > 0.0)) {
        float *spare = malloc((size_t)crop[2] * (size_t)crop[3] * sizeof *spare);
        status = spare ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
        if (spare && job->band[4] > 0.0) {
            print_band(&p, job, spare);
        }
        if (spare && job->phase[2] > 0.0) {
            print_phase(&p, job, (int[2]){ image.width, image.height }, spare);
        }
        free(spare);
    }
    free(value);
    ty_image_free(&image);
    return status;
}

static bool number(int *argc, char **argv, const char *name, double low, double high, double *out, ty_diag *diag)
{
    const char *text = app_option(argc, argv, name);
    if (text && (!app_number(text, out) || *out < low || *out > high)) {
        ty_fail(diag, TY_ERR_INPUT, "%s takes a number from %g to %g", name, low, high);
        return false;
    }
    return true;
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    picture_job job = { .gamma = 1.0, .sun = 0.0, .window = 256, .bin = 1 };
    double window = 256.0, bin = 1.0;
    job.holes = app_flag(&argc, argv, "--holes");
    const char *crop = app_option(&argc, argv, "--crop");
    if (crop && !app_numbers(crop, 4, job.crop)) {
        ty_fail(&diag, TY_ERR_INPUT, "--crop takes LEFT,TOP,WIDTH,HEIGHT in pixels");
    }
    const char *phase = app_option(&argc, argv, "--phase");
    if (phase && (!app_numbers(phase, 3, job.phase) || !(job.phase[2] > 0.0))) {
        ty_fail(&diag, TY_ERR_INPUT, "--phase takes X,Y,F: a place and a focal length in pixels");
    }
    const char *band = app_option(&argc, argv, "--band");
    if (band && (!app_numbers(band, 5, job.band) || !(job.band[4] > 0.0) ||
                 !(hypot(job.band[2] - job.band[0], job.band[3] - job.band[1]) > 0.0))) {
        ty_fail(&diag, TY_ERR_INPUT, "--band takes X0,Y0,X1,Y1,HALF: a line and half a width in pixels");
    }
    bool good = diag.status == TY_OK && number(&argc, argv, "--gamma", 0.1, 10.0, &job.gamma, &diag) &&
                number(&argc, argv, "--pixel", 1e-4, 1e4, &job.pixel, &diag) &&
                number(&argc, argv, "--sun", -360.0, 360.0, &job.sun, &diag) &&
                number(&argc, argv, "--window", 16.0, 1024.0, &window, &diag) &&
                number(&argc, argv, "--bin", 1.0, 64.0, &bin, &diag);
    job.window = (int)window, job.bin = (int)bin;
    if (good && argc < 2) {
        ty_fail(&diag, TY_ERR_INPUT, "takes a picture");
    } else if (good) {
        job.path = argv[1];
        if (app_rest(argc, argv, 1, &diag) == TY_OK) {
            judge(&job, &diag);
        }
    }
    return diag.status != TY_OK ? app_bad("terrain picture", "%s.", diag.text) : APP_OK;
}

const app_command app_terrain_picture = {
    "picture",
    "how much of a picture of ground is shading, how its values are spread",
    "usage: tycho terrain picture PICTURE.png|.jpg [options]\n\n"
    "The same statistics for photographs and rendered pictures (`tycho render --linear`): spread of the values, share\n"
    "of pixels below 0.15 of the median, and, with --pixel, what share of the power in each octave of wavelength goes\n"
    "as cos^2 of the angle to the Sun: shading. The rest is brightness of the ground itself, and noise.\n\n"
    "  --gamma G           values are radiance to the power 1/G; 1\n"
    "  --crop X,Y,W,H      look at this part only [px]\n"
    "  --bin N             means of N x N pixels instead of pixels; 1\n"
    "  --phase X,Y,F       medians by phase angle: X,Y the pixel the Sun's light goes to (the camera's own shadow),\n"
    "                      F the focal length [px], its axis in the middle of the picture\n"
    "  --band X0,Y0,X1,Y1,HALF   median within HALF pixels of a line (a track) over that from 2 to 4 HALF beside it\n"
    "  --holes             black pixels have no value\n"
    "  --pixel M           looks straight down with this many metres a pixel, north up\n"
    "  --sun AZ            azimuth of the Sun [deg]; 0\n"
    "  --window N          pixels of a window, a power of two; 256\n\n"
    "example: tycho terrain picture nadir.png --pixel 0.5 --sun 261\n",
    run,
};
