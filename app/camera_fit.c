/* app/camera_fit.c - `tycho camera --fit`: a camera's numbers from its frames.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "camera.h"
#include "io/table.h"
#include "sensor/camera/camera_levels.h"
#include "tycho/tools/draw.h"

#define MOST_LEVELS 256
#define CURVE       200 /* points of a drawn curve */

typedef struct job {
    double bits, window, iso;
    int curve;
    tyi_camera_level level[MOST_LEVELS];
    int count;
    double largest; /* [DN] number seen */
} job;

typedef struct entry {
    char file[1024];
    double exposure;
    int light;
} entry;

/* one row "file,t_s,light"; false: it is not that */
static bool parse(const tyi_io_table *t, entry *e)
{
    double light;
    size_t length = strlen(t->field[0]);
    if (t->fields != 3 || !length || length >= sizeof e->file || !app_number(t->field[1], &e->exposure) ||
        !app_number(t->field[2], &light) || e->exposure <= 0.0 || (light != 0.0 && light != 1.0)) {
        return false;
    }
    memcpy(e->file, t->field[0], length + 1);
    e->light = light > 0.5;
    return true;
}

/* the frame's centre as a view */
static ty_buffer centre(const ty_image *image, double window)
{
    ty_buffer_type type = { image->width,    image->height,
                            image->channels, image->bits == 8 ? TY_ELEMENT_U8 : TY_ELEMENT_U16,
                            TY_UNIT_DN,      'S' };
    ty_buffer all = ty_buffer_wrap(&type, image->data);
    int w = (int)fmax(window * image->width, 1.0), h = (int)fmax(window * image->height, 1.0);
    return ty_buffer_crop(&all, (image->width - w) / 2, (image->height - h) / 2, w, h);
}

static double largest(const ty_buffer *b)
{
    double most = 0.0;
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            most = fmax(most, ty_buffer_get(b, x, y, 0));
        }
    }
    return most;
}

static ty_status read_pair(const char *folder, const entry *a, const entry *b, job *j, ty_diag *diag)
{
    char path[2][4096 + 1024];
    ty_image image[2] = { { 0 }, { 0 } };
    snprintf(path[0], sizeof path[0], "%s%s", a->file[0] == '/' ? "" : folder, a->file);
    snprintf(path[1], sizeof path[1], "%s%s", b->file[0] == '/' ? "" : folder, b->file);
    ty_status status = ty_png_read(path[0], &image[0], diag);
    status = status == TY_OK ? ty_png_read(path[1], &image[1], diag) : status;
    if (status == TY_OK) {
        ty_buffer u = centre(&image[0], j->window), v = centre(&image[1], j->window);
        tyi_camera_level *level = &j->level[j->count];
        *level = (tyi_camera_level){ .exposure = a->exposure, .dark = !a->light };
        j->largest = fmax(j->largest, fmax(largest(&u), largest(&v)));
        ty_diag why = { 0 };
        /* full scale is not known before all is read: clipping is told later, by the mean */
        double full = j->bits > 0.0 ? exp2(j->bits) - 1.0 : image[0].bits == 8 ? 255.0 : 65535.0;
        status = tyi_camera_level_measure(&u, &v, full, level, &why);
        if (status != TY_OK) {
            ty_fail(diag, status, "%s and %s: %s", path[0], path[1], why.text);
        }
        j->count += status == TY_OK;
    }
    ty_image_free(&image[0]);
    ty_image_free(&image[1]);
    return status;
}

static ty_status read_list(tyi_io_table *t, const char *folder, job *j, ty_diag *diag)
{
    const char *list = t->path;
    entry e[2];
    int held = 0;
    for (bool first = true; tyi_io_table_next(t); first = false) {
        int number = t->line;
        if (first && t->fields == 3 && !strcmp(t->field[0], "file") && !strcmp(t->field[1], "t_s")) {
            continue;
        }
        if (!parse(t, &e[held])) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "%s, line %d: takes file,t_s,light with an exposure above 0 s and light 1 "
                           "or 0",
                           list, number);
        }
        if (held && (e[0].exposure != e[1].exposure || e[0].light != e[1].light)) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "%s, line %d: %s is not of the same exposure and light as %s before it; "
                           "frames come in pairs",
                           list, number, e[1].file, e[0].file);
        }
        held++;
        if (held == 2) {
            held = 0;
            ty_status status = j->count < MOST_LEVELS
                                   ? read_pair(folder, &e[0], &e[1], j, diag)
                                   : ty_fail(diag, TY_ERR_INPUT, "%s: more than %d pairs of frames", list, MOST_LEVELS);
            if (status != TY_OK) {
                return status;
            }
        }
    }
    return held ? ty_fail(diag, TY_ERR_INPUT, "%s: the last frame, %s, has no partner", list, e[0].file) : TY_OK;
}

static ty_status read_series(const char *path, job *j, ty_diag *diag)
{
    struct stat about;
    char list[4096], folder[4096];
    bool is_folder = !stat(path, &about) && S_ISDIR(about.st_mode);
    snprintf(list, sizeof list, is_folder ? "%s/series.csv" : "%s", path);
    snprintf(folder, sizeof folder, "%s", list);
    char *slash = strrchr(folder, '/');
    folder[slash ? slash - folder + 1 : 0] = 0;
    tyi_io_table t;
    ty_status status = tyi_io_table_open(&t, list, (size_t)16 << 20, diag);
    if (status == TY_OK) {
        status = read_list(&t, folder, j, diag);
    }
    tyi_io_table_close(&t);
    return status;
}

/* ---- output ---- */

static void line(const char *name, tyi_camera_estimate e, const char *unit)
{
    if (!isnan(e.value)) {
        printf("  %-13s %.5g +- %.2g %s\n", name, e.value, e.sigma, unit);
    }
}

static void single(const char *name, double value, const char *unit)
{
    if (!isnan(value)) {
        printf("  %-13s %.4g %s\n", name, value, unit);
    }
}

static void print(const tyi_camera_level_fit *f, int count)
{
    static const char *const names[] = { "gamma", "sigmoid", "linear" };
    printf("%s response, %d of %d exposures used, %d saturated; chi-square %.2f per degree of "
           "freedom\n",
           names[f->curve], f->used, count, f->saturated, f->misfit);
    line("gain", f->gain, "DN/e-");
    line("read noise", f->read, "e-");
    line("dark current", f->dark, "e-/s");
    line("a", f->a, "");
    line("b", f->b, f->curve == TY_CAMERA_SIGMOID ? "" : "DN");
    if (f->curve == TY_CAMERA_GAMMA) {
        line("gamma", f->gamma, "");
    }
    line("light", f->flux, "e-/s per pixel");
    single("DSNU", f->dsnu, "e-");
    single("PRNU", 100.0 * f->prnu, "%");
    single("saturation", f->saturation, "e-");
    single("deviation", 100.0 * f->linearity, "% of full scale, the largest of a mean from the curve");
}

static ty_status plot(const char *path, const job *j, const tyi_camera_level_fit *f, double full, ty_diag *diag)
{
    double mean[2][MOST_LEVELS], variance[2][MOST_LEVELS], t[2][MOST_LEVELS];
    double cm[CURVE], cv[CURVE], ct[CURVE], longest = 0.0, shortest = (double)INFINITY;
    size_t n[2] = { 0, 0 };
    for (int i = 0; i < j->count; i++) {
        const tyi_camera_level *l = &j->level[i];
        mean[l->dark][n[l->dark]] = l->mean;
        variance[l->dark][n[l->dark]] = l->variance;
        t[l->dark][n[l->dark]++] = l->exposure;
        longest = l->dark ? longest : fmax(longest, l->exposure);
        shortest = l->dark ? shortest : fmin(shortest, l->exposure);
    }
    for (int k = 0; k < CURVE; k++) {
        ct[k] = shortest * pow(longest / shortest, k / (CURVE - 1.0));
        tyi_camera_level_fit_predict(f, full, (f->flux.value + f->dark.value) * ct[k], &cm[k], &cv[k]);
        cm[k] = cm[k] > full ? (double)NAN : cm[k];
    }
    ty_draw_series ptc[3] = {
        { .kind = TY_SERIES_LINE, .label = "fit", .n = CURVE, .x = cm, .y = cv },
        { .kind = TY_SERIES_POINTS, .label = "light", .n = n[0], .x = mean[0], .y = variance[0] },
        { .kind = TY_SERIES_POINTS,
          .label = "dark",
          .n = n[1],
          .x = mean[1],
          .y = variance[1],
          .symbol = TY_SYMBOL_SQUARE },
    };
    ty_draw_series response[3] = {
        { .kind = TY_SERIES_LINE, .label = "fit", .n = CURVE, .x = ct, .y = cm },
        { .kind = TY_SERIES_POINTS, .label = "light", .n = n[0], .x = t[0], .y = mean[0] },
        { .kind = TY_SERIES_POINTS, .label = "dark", .n = n[1], .x = t[1], .y = mean[1], .symbol = TY_SYMBOL_SQUARE },
    };
    ty_draw_panel panel[2] = {
        { .title = "Photon transfer",
          .x = { .label = "mean [DN]" },
          .y = { .label = "temporal variance [DN²]" },
          .series = ptc,
          .count = 3 },
        { .title = "Response",
          .x = { .label = "exposure [s]", .log = true },
          .y = { .label = "mean [DN]", .log = true },
          .series = response,
          .count = 3 },
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = panel;
    figure.columns = 2;
    figure.width = 1200;
    figure.height = 480;
    return ty_draw_write_figure(path, &figure, diag);
}

static ty_status options(int *argc, char **argv, job *j, const char **out, ty_diag *diag)
{
    const char *curve = app_option(argc, argv, "--curve");
    *out = app_option(argc, argv, "-o");
    if (curve) {
        ty_camera_sensor_def def = ty_camera_sensor_def_default();
        if (ty_camera_sensor_def_set(&def, "curve", curve, diag) != TY_OK) {
            return TY_ERR_INPUT;
        }
        j->curve = (int)def.curve;
    }
    ty_status status = camera_number(argc, argv, "--bits", 8.0, 16.0, &j->bits, diag);
    status = status == TY_OK ? camera_number(argc, argv, "--iso", 1e-6, 1e9, &j->iso, diag) : status;
    return status == TY_OK ? camera_number(argc, argv, "--window", 0.01, 1.0, &j->window, diag) : status;
}

/* the depth of the converter when it is not told: the least that holds every number */
static double full_scale(const job *j)
{
    double bits = j->bits;
    for (double b = 16.0; j->bits <= 0.0 && b >= 8.0; b -= 2.0) {
        bits = j->largest <= exp2(b) - 1.0 ? b : bits;
    }
    return exp2(bits) - 1.0;
}

int camera_fit(int argc, char **argv, const char *path)
{
    static const double near_full = 0.98; /* where an untold full scale begins to clip the noise */
    job *j = calloc(1, sizeof *j);
    const char *out = NULL;
    ty_diag diag = { 0 };
    tyi_camera_level_fit fit;
    if (!j) {
        return app_bad("camera", "there is no memory left.");
    }
    *j = (job){ .window = 1.0, .iso = 1.0, .curve = -1 };
    ty_status status = options(&argc, argv, j, &out, &diag);
    if (status == TY_OK && camera_no_more(argc, argv, 0) != APP_OK) {
        free(j);
        return APP_BAD;
    }
    status = status == TY_OK ? read_series(path, j, &diag) : status;
    double full = full_scale(j);
    for (int i = 0; i < j->count; i++) {
        j->level[i].clipped = fmax(j->level[i].clipped, j->level[i].mean > near_full * full);
    }
    status =
        status == TY_OK ? tyi_camera_level_fit_levels(j->level, j->count, j->curve, full, j->iso, &fit, &diag) : status;
    status = status == TY_OK && out ? plot(out, j, &fit, full, &diag) : status;
    int count = j->count;
    free(j);
    if (status != TY_OK) {
        return app_bad("camera", "%s.", diag.text);
    }
    print(&fit, count);
    return fflush(stdout) ? app_bad("camera", "standard output cannot be written.") : APP_OK;
}
