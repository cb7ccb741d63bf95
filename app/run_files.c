/* app/run_files.c - what sensors give, into files: images as PNG, samples and photon histograms as CSV, points as PCD.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "render.h"
#include "run.h"
#include "tycho/tools/cloud_file.h"
#include "tycho/tools/draw.h"

double run_white(const float *radiance, size_t n)
{
    return render_white(radiance, n, 0.96, 1.5);
}

const char *run_stem(const run_record *r, ty_run *run, size_t sensor, char *out, size_t size)
{
    ty_sensor_info info = ty_run_sensor(run, sensor);
    bool several = r->scenario->rovers > 1;
    snprintf(out, size, "%.60s%s%.60s", several ? info.rover : "", several ? "_" : "", info.name);
    return out;
}

void run_samples_path(const run_record *r, ty_run *run, size_t sensor, char *out, size_t size)
{
    char name[130];
    snprintf(out, size, "%s/samples/%s.csv", r->folder, run_stem(r, run, sensor, name, sizeof name));
}

/* [-] 0 to 1: where a number of the image stands between black and white */
typedef struct levels {
    double black, white;
} levels;

static levels levels_of(const run_files *f, const ty_message *m)
{
    const ty_buffer *image = &m->part[0].data;
    ty_camera_sensor_def def;
    if (image->type.unit == TY_UNIT_RADIANCE && image->type.element == TY_ELEMENT_F32) {
        return (levels){ 0.0, run_white((const float *)(void *)image->data,
                                        ty_buffer_type_bytes(&image->type) / sizeof(float)) };
    }
    if (image->type.unit == TY_UNIT_DN &&
        ty_sensor_detector(ty_run_sensor(f->run, m->index).def, &def, NULL) == TY_OK) {
        return (levels){ def.curve == TY_CAMERA_SIGMOID ? 0.0 : def.b, exp2(def.bits) - 1.0 };
    }
    double high = 1e-30;
    for (int y = 0; y < image->type.height; y++) {
        for (int x = 0; x < image->type.width; x++) {
            high = fmax(high, ty_buffer_get(image, x, y, 0));
        }
    }
    return (levels){ 0.0, high };
}

/* one picture for the eye (8 bits, gamma 2.2), or as it is (16 bits over the detector's whole range) */
static ty_status write_image(const ty_buffer *image, levels l, bool raw, const char *path, ty_diag *diag)
{
    int channels = image->type.channels == 3 ? 3 : 1, w = image->type.width, h = image->type.height;
    uint16_t *deep = malloc((size_t)w * (size_t)h * (size_t)channels * sizeof *deep), *to = deep;
    uint8_t *flat = (uint8_t *)deep, *at = flat;
    if (!deep) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a picture");
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            for (int c = 0; c < channels; c++) {
                double v = ty_buffer_get(image, x, y, c);
                if (raw) {
                    *to++ = (uint16_t)lrint(65535.0 * fmin(fmax(v / l.white, 0.0), 1.0));
                } else {
                    *at++ = (uint8_t)lrint(255.0 *
                                           pow(fmin(fmax((v - l.black) / (l.white - l.black), 0.0), 1.0), 1.0 / 2.2));
                }
            }
        }
    }
    ty_status status = ty_png_write(path, w, h, channels, raw ? 16 : 8, raw ? (void *)deep : flat, diag);
    free(deep);
    return status;
}

static ty_status write_truth(const ty_message *m, const char *path, ty_diag *diag)
{
    render_job picture = { .truth = true, .truth_only = true, .silent = true, .path = path };
    const ty_buffer *depth = ty_message_find(m, "depth"), *kind = ty_message_find(m, "kind");
    if (!depth || !kind) {
        return TY_OK;
    }
    picture.camera.width = depth->type.width, picture.camera.height = depth->type.height;
    picture.out = (ty_render_buffers){ .depth = (double *)(void *)depth->data,
                                       .kind = (uint8_t *)kind->data,
                                       .normal = (float *)(void *)ty_message_find(m, "normal")->data,
                                       .sunlit = (float *)(void *)ty_message_find(m, "sunlit")->data,
                                       .instance = (uint32_t *)(void *)ty_message_find(m, "instance")->data };
    return render_write(&picture, diag);
}

static ty_status write_frame(run_files *f, const ty_message *m, ty_diag *diag)
{
    char name[130], file[200], path[4400];
    long long ms = (long long)(m->time.start / (TY_SECOND / 1000));
    snprintf(file, sizeof file, "frames/%s_%07lld.png", run_stem(f->record, f->run, m->index, name, sizeof name), ms);
    snprintf(path, sizeof path, "%s/%s", f->record->folder, file);
    levels l = levels_of(f, m);
    ty_status status = write_image(&m->part[0].data, l, false, path, diag);
    if (status == TY_OK) {
        status = write_truth(m, path, diag);
    }
    if (status == TY_OK && m->part[0].data.type.unit == TY_UNIT_DN) {
        snprintf(path, sizeof path, "%s/frames/%s_%07lld_raw.png", f->record->folder, name, ms);
        status = write_image(&m->part[0].data, l, true, path, diag);
    }
    return status == TY_OK ? run_record_frame(f->record, file, m->index, ty_seconds(m->time.start), diag) : status;
}

/* one row for each sample: stamps, then the channels */
static ty_status write_samples(run_files *f, const ty_message *m, ty_diag *diag)
{
    run_record *r = f->record;
    char path[4400];
    snprintf(path, sizeof path, "%s/samples", r->folder);
    mkdir(path, 0777); /* there already, but for the first */
    run_samples_path(r, f->run, m->index, path, sizeof path);
    if (!r->samples) {
        r->samples = calloc(ty_run_sensors(f->run), sizeof *r->samples);
    }
    FILE *out = r->samples ? r->samples[m->index] : NULL;
    if (r->samples && !out) {
        out = r->samples[m->index] = fopen(path, "w");
        fprintf(out ? out : stderr, "%s", out ? "start_s,end_s,due_s" : "");
        for (const char *const *c = m->schema->column; out && *c; c++) {
            fprintf(out, ",%s", *c);
        }
        fputc('\n', out ? out : stderr);
    }
    if (!out) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    const ty_buffer *b = &m->part[0].data;
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            fprintf(out, "%.9f,%.9f,%.9f", ty_seconds(m->time.start), ty_seconds(m->time.end), ty_seconds(m->time.due));
            for (int c = 0; c < b->type.channels; c++) {
                fprintf(out, ",%.9g", ty_buffer_get(b, x, y, c));
            }
            fputc('\n', out);
        }
    }
    return ferror(out) ? ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno)) : TY_OK;
}

/* points as PCD; the report shows some of them */
static ty_status write_cloud(run_files *f, const ty_message *m, ty_diag *diag)
{
    enum { PICTURES = 4 };
    char name[130], file[200], path[4400], title[200];
    run_record *r = f->record;
    long long ms = (long long)(m->time.start / (TY_SECOND / 1000));
    snprintf(path, sizeof path, "%s/clouds", r->folder);
    mkdir(path, 0777); /* there already, but for the first */
    snprintf(path, sizeof path, "%s/clouds/%s_%07lld.pcd", r->folder,
             run_stem(f->record, f->run, m->index, name, sizeof name), ms);
    ty_status status = ty_cloud_write(path, TY_CLOUD_PCD, &m->part[0].data, diag);
    double every = fmax(ty_seconds(ty_run_sensor(f->run, m->index).period), r->scenario->duration / PICTURES);
    if (status != TY_OK ||
        fmod(ty_seconds(m->time.start), every) >= ty_seconds(ty_run_sensor(f->run, m->index).period)) {
        return status;
    }
    snprintf(file, sizeof file, "clouds/%s_%07lld.png", name, ms);
    snprintf(path, sizeof path, "%s/%s", r->folder, file);
    snprintf(title, sizeof title, "%.60s, t = %.4g s", m->sensor, ty_seconds(m->time.start));
    status = ty_cloud_draw(path, &m->part[0].data, TY_CLOUD_HEIGHT, title, diag);
    return status == TY_OK ? run_record_frame(r, file, m->index, ty_seconds(m->time.start), diag) : status;
}

/* histograms of photons: a row of counts for each pixel, headed by the middle of each bin [s]; and a picture of all of
 * them */
static ty_status write_photons(run_files *f, const ty_message *m, ty_diag *diag)
{
    char name[130], path[4400];
    const ty_buffer *b = &m->part[0].data, *time = ty_message_find(m, "time");
    long long ms = (long long)(m->time.start / (TY_SECOND / 1000));
    snprintf(path, sizeof path, "%s/photons", f->record->folder);
    mkdir(path, 0777); /* there already, but for the first */
    snprintf(path, sizeof path, "%s/photons/%s_%07lld.csv", f->record->folder,
             run_stem(f->record, f->run, m->index, name, sizeof name), ms);
    FILE *out = fopen(path, "w");
    if (!out) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    fprintf(out, "pixel");
    for (int x = 0; x < b->type.width; x++) {
        fprintf(out, ",%.6g", time && x < time->type.width ? ty_buffer_get(time, x, 0, 0) : (double)x);
    }
    for (int y = 0; y < b->type.height; y++) {
        fprintf(out, "\n%d", y);
        for (int x = 0; x < b->type.width; x++) {
            fprintf(out, ",%.0f", ty_buffer_get(b, x, y, 0));
        }
    }
    fputc('\n', out);
    bool bad = ferror(out) != 0;
    if (fclose(out) != 0 || bad) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    return write_frame(f, m, diag);
}

void run_files_receive(void *user, const ty_message *m)
{
    run_files *f = user;
    f->record->messages++;
    if (!ty_run_sensor(f->run, m->index).def->files || f->record->diag.status != TY_OK) {
        return;
    }
    if (m->part[0].data.type.unit == TY_UNIT_POINT) {
        write_cloud(f, m, &f->record->diag);
    } else if (m->part[0].data.type.unit == TY_UNIT_PHOTONS) {
        write_photons(f, m, &f->record->diag);
    } else if (m->schema->column) {
        write_samples(f, m, &f->record->diag);
        run_samples_add(f->record, m);
    } else {
        write_frame(f, m, &f->record->diag);
    }
}
