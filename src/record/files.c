/* src/record/files.c - what sensors give, into files: images as PNG, samples and photon histograms as CSV, points as PCD.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record.h"
#include "tycho/tools/cloud_file.h"
#include "tycho/tools/image.h"
#include "render/inner.h"
#include "sensor/inner.h"
#include "draw/overlay.h"
#include "draw/truth_file.h"

ty_status tyi_record_tone(ty_record *r, ty_diag *diag)
{
    bool cameras = false;
    for (size_t i = 0; i < r->sensors; i++) {
        const ty_sensor_def *def = ty_run_sensor(r->run, i).def;
        cameras = cameras || (def->kind == TY_SENSOR_CAMERA && def->files && !def->as.camera.physical);
    }
    return cameras ? ty_run_tone(r->run, &r->tone, diag) : TY_OK;
}

/* curves of an image's channels: by the sensor, or over the range of what no sensor says more about */
static void tones_of(const tyi_record_writing *what, ty_tone tone[TY_BANDS])
{
    const ty_buffer *image = &what->message.part[0].data;
    if (tyi_sensor_tone(what->def, image->type.unit, &what->tone, tone, NULL) == TY_OK) {
        return;
    }
    double high = 1e-30;
    for (int y = 0; y < image->type.height; y++) {
        for (int x = 0; x < image->type.width; x++) {
            high = fmax(high, ty_buffer_get(image, x, y, 0));
        }
    }
    for (int b = 0; b < TY_BANDS; b++) {
        tone[b] = (ty_tone){ .white = high, .gamma = 2.2 };
    }
}

/* a tone curve takes a power: for numbers of 16 bits, of which most come many times, each is asked once */
static void tone_words(const ty_buffer *image, const ty_tone *tone, int channels, uint8_t *to)
{
    enum { UNKNOWN = 256 };
    static const int values = 65536;
    uint16_t *seen = malloc((size_t)values * (size_t)channels * sizeof *seen);
    for (int i = 0; seen && i < values * channels; i++) {
        seen[i] = UNKNOWN;
    }
    for (int y = 0; y < image->type.height; y++) {
        for (int x = 0; x < image->type.width; x++) {
            for (int c = 0; c < channels; c++) {
                uint16_t v = *(const uint16_t *)ty_buffer_at(image, x, y, c);
                uint16_t known = seen ? seen[c * values + v] : UNKNOWN;
                if (known == UNKNOWN) {
                    known = ty_tone_byte(&tone[c], v);
                }
                if (seen) {
                    seen[c * values + v] = known;
                }
                *to++ = (uint8_t)known;
            }
        }
    }
    free(seen);
}

/* one picture for the eye, or the detector's numbers as they are (16 bits) */
static ty_status write_image(const ty_buffer *image, const ty_tone *tone, const char *path, ty_diag *diag)
{
    int channels = image->type.channels == 3 ? 3 : 1, w = image->type.width, h = image->type.height;
    uint16_t *deep = malloc((size_t)w * (size_t)h * (size_t)channels * sizeof *deep), *to = deep;
    uint8_t *flat = (uint8_t *)deep, *at = flat;
    if (!deep) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a picture");
    }
    bool words = tone && image->type.element == TY_ELEMENT_U16;
    if (words) {
        tone_words(image, tone, channels, flat);
    }
    for (int y = 0; y < h && !words; y++) {
        for (int x = 0; x < w; x++) {
            for (int c = 0; c < channels; c++) {
                double v = ty_buffer_get(image, x, y, c);
                if (tone) {
                    *at++ = ty_tone_byte(&tone[c], v);
                } else {
                    *to++ = (uint16_t)lrint(fmin(fmax(v, 0.0), 65535.0));
                }
            }
        }
    }
    ty_status status = ty_png_write(path, w, h, channels, tone ? 8 : 16, tone ? (void *)flat : deep, diag);
    free(deep);
    return status;
}

ty_status tyi_record_write_gray(const ty_buffer *image, const ty_tone *tone, const char *path, ty_diag *diag)
{
    return write_image(image, tone, path, diag);
}

ty_status tyi_record_add_frame(ty_record *r, const char *file, size_t sensor, double t, ty_diag *diag)
{
    tyi_record_frame *more = tyi_list_grown(r->frame, r->frames, &r->frame_capacity, sizeof *more, 256);
    if (!more) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the list of frames");
    }
    r->frame = more;
    tyi_record_frame *f = &r->frame[r->frames++];
    memset(f, 0, sizeof *f);
    f->t = t, f->sensor = sensor;
    snprintf(f->file, sizeof f->file, "%s", file);
    return TY_OK;
}

size_t tyi_record_boxes(const ty_message *m, ty_truth_box2 **flat, ty_truth_box3 **solid)
{
    const ty_buffer *part = ty_message_find(m, "boxes");
    size_t rows = part ? (size_t)part->type.width : 0, n = 0;
    double row[TY_TRUTH_BOX_COLUMNS];
    *flat = rows ? malloc(rows * sizeof **flat) : NULL;
    *solid = rows ? malloc(rows * sizeof **solid) : NULL;
    for (size_t i = 0; i < rows && *flat && *solid; i++) {
        for (int c = 0; c < TY_TRUTH_BOX_COLUMNS; c++) {
            row[c] = ty_buffer_get(part, (int)i, 0, c);
        }
        tyi_render_truth_box_get(row, &(*flat)[n], &(*solid)[n]);
        n++;
    }
    return n;
}

static ty_status write_numbers(const tyi_record_writing *what, const ty_render_buffers *b, ty_diag *diag)
{
    const ty_message *m = &what->message;
    const ty_sensor_camera *camera = &what->def->as.camera;
    const ty_buffer *depth = ty_message_find(m, "depth"), *range = ty_message_find(m, "range"),
                    *flow = ty_message_find(m, "flow");
    ty_truth_box2 *flat;
    ty_truth_box3 *solid;
    size_t boxes = tyi_record_boxes(m, &flat, &solid);
#define HAS(map, data) (ty_sensor_has_map(camera, TY_MAP_##map) ? (data) : NULL)
    tyi_draw_truth_frame frame = { .width = depth->type.width,
                                   .height = depth->type.height,
                                   .depth = HAS(DEPTH, b->depth),
                                   .range = range ? HAS(RANGE, (const double *)(const void *)range->data) : NULL,
                                   .normal = HAS(NORMALS, b->normal),
                                   .sunlit = HAS(SUNLIT, b->sunlit),
                                   .flow = flow ? (const float *)(const void *)flow->data : NULL,
                                   .kind = HAS(LABELS, b->kind),
                                   .instance = camera->maps && !ty_sensor_has_map(camera, TY_MAP_BOXES)
                                                   ? HAS(INSTANCES, b->instance)
                                                   : b->instance,
                                   .flat = flat,
                                   .solid = solid,
                                   .boxes = boxes };
#undef HAS
    ty_status status = tyi_draw_truth_write(what->path, &frame, NULL, diag);
    free(flat), free(solid);
    return status;
}

/* the map that a picture in colours is of */
static ty_sensor_map drawn_map(tyi_draw_truth what)
{
    static const ty_sensor_map of[TYI_DRAW_TRUTHS] = { TY_MAP_DEPTH, TY_MAP_NORMALS, TY_MAP_LABELS, TY_MAP_INSTANCES,
                                                       TY_MAP_SUNLIT };
    return of[what];
}

/* ground truth beside the picture: in colours, and as numbers that other tools read */
static ty_status write_truth(const tyi_record_writing *what, ty_diag *diag)
{
    const ty_message *m = &what->message;
    const ty_buffer *depth = ty_message_find(m, "depth"), *kind = ty_message_find(m, "kind");
    if (!depth || !kind) {
        return TY_OK;
    }
    ty_render_buffers b = { .depth = (double *)(void *)depth->data,
                            .kind = (uint8_t *)kind->data,
                            .normal = (float *)(void *)ty_message_find(m, "normal")->data,
                            .sunlit = (float *)(void *)ty_message_find(m, "sunlit")->data,
                            .instance = (uint32_t *)(void *)ty_message_find(m, "instance")->data };
    ty_status status = TY_OK;
    for (int map = 0; map < TYI_DRAW_TRUTHS && status == TY_OK; map++) {
        if (!ty_sensor_has_map(&what->def->as.camera, drawn_map((tyi_draw_truth)map))) {
            continue;
        }
        char path[TYI_RECORD_PATH + 40];
        snprintf(path, sizeof path, "%s_%s.png", what->path, tyi_draw_truth_name((tyi_draw_truth)map));
        status = tyi_draw_write_truth(path, (tyi_draw_truth)map, &b, depth->type.width, depth->type.height, NULL, diag);
    }
    return status == TY_OK ? write_numbers(what, &b, diag) : status;
}

ty_status tyi_record_write(const tyi_record_writing *what, ty_diag *diag)
{
    const ty_buffer *data = &what->message.part[0].data;
    char path[TYI_RECORD_PATH + 40];
    if (data->type.unit == TY_UNIT_POINT) {
        snprintf(path, sizeof path, "%s.pcd", what->path);
        return ty_cloud_write(path, TY_CLOUD_PCD, data, diag);
    }
    ty_tone tone[TY_BANDS];
    tones_of(what, tone);
    snprintf(path, sizeof path, "%s.png", what->path);
    ty_status status = write_image(data, tone, path, diag);
    if (status == TY_OK) {
        status = write_truth(what, diag);
    }
    if (status == TY_OK && data->type.unit == TY_UNIT_DN) {
        snprintf(path, sizeof path, "%s_raw.png", what->path);
        status = write_image(data, NULL, path, diag);
    }
    return status;
}

/* hands a message to those who write; its files begin with `folder` below the run's */
static ty_status write_later(ty_record *r, const ty_message *m, const char *folder, ty_diag *diag)
{
    char file[TYI_RECORD_FILE];
    tyi_record_writing what = { .message = *m, .def = ty_run_sensor(r->run, m->index).def, .tone = r->tone };
    tyi_record_file(r, folder, m->index, m->time.start, "", file);
    tyi_record_path(r, file, what.path);
    return tyi_record_writers_give(r->writers, &what, diag);
}

static ty_status write_frame(ty_record *r, const ty_message *m, ty_diag *diag)
{
    char file[TYI_RECORD_FILE];
    ty_status status = write_later(r, m, "frames", diag);
    tyi_record_file(r, "frames", m->index, m->time.start, ".png", file);
    if (status == TY_OK && tyi_record_overlaid(ty_run_sensor(r->run, m->index).def)) {
        char path[TYI_RECORD_PATH];
        status = tyi_record_writers_wait(r->writers, diag); /* the copy is drawn over the picture as it was written */
        status = status == TY_OK ? tyi_record_overlay(r, m, tyi_record_path(r, file, path), diag) : status;
    }
    r->images += status == TY_OK;
    return status == TY_OK ? tyi_record_add_frame(r, file, m->index, ty_seconds(m->time.start), diag) : status;
}

static FILE *begin_samples(const ty_message *m, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out) {
        fprintf(out, "start_s,end_s,due_s");
        for (const ty_message_column *c = m->schema->column; c->name; c++) {
            char text[160];
            fprintf(out, ",%s", ty_message_column_text(c, text, sizeof text));
        }
        fputc('\n', out);
    }
    return out;
}

/* one row for each sample: stamps, then the channels */
static ty_status write_samples(ty_record *r, const ty_message *m, ty_diag *diag)
{
    char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
    tyi_record_samples_file(r, m->index, ".csv", file);
    tyi_record_path(r, file, path);
    if (!r->samples[m->index]) {
        tyi_record_make_way(r, file);
        r->samples[m->index] = begin_samples(m, path);
    }
    FILE *out = r->samples[m->index];
    const ty_buffer *b = &m->part[0].data;
    for (int y = 0; out && y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            fprintf(out, "%.9f,%.9f,%.9f", ty_seconds(m->time.start), ty_seconds(m->time.end), ty_seconds(m->time.due));
            for (int c = 0; c < b->type.channels; c++) {
                fprintf(out, ",%.9g", ty_buffer_get(b, x, y, c));
            }
            fputc('\n', out);
        }
    }
    return !out || ferror(out) ? ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno)) : TY_OK;
}

/* points as PCD; the report shows some of them */
static ty_status write_cloud(ty_record *r, const ty_message *m, ty_diag *diag)
{
    enum { PICTURES = 4 };
    char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH], title[200];
    double period = ty_seconds(ty_run_sensor(r->run, m->index).period), t = ty_seconds(m->time.start);
    ty_status status = write_later(r, m, "clouds", diag);
    r->clouds += status == TY_OK;
    if (status != TY_OK || fmod(t, fmax(period, r->scenario->duration / PICTURES)) >= period) {
        return status;
    }
    tyi_record_file(r, "clouds", m->index, m->time.start, ".png", file);
    snprintf(title, sizeof title, "%s, t = %.4g s", m->sensor, t);
    status = ty_cloud_draw(tyi_record_path(r, file, path), &m->part[0].data, TY_CLOUD_HEIGHT, title, diag);
    return status == TY_OK ? tyi_record_add_frame(r, file, m->index, t, diag) : status;
}

/* histograms of photons: a row of counts for each pixel, headed by the middle of each bin [s]; and a picture of all of
 * them */
static ty_status write_photons(ty_record *r, const ty_message *m, ty_diag *diag)
{
    const ty_buffer *b = &m->part[0].data, *time = ty_message_find(m, "time");
    char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
    tyi_io_out to;
    tyi_record_file(r, "photons", m->index, m->time.start, ".csv", file);
    ty_status status = tyi_io_out_open(&to, tyi_record_path(r, file, path), diag);
    if (status != TY_OK) {
        return status;
    }
    fprintf(to.file, "pixel");
    for (int x = 0; x < b->type.width; x++) {
        fprintf(to.file, ",%.6g", time && x < time->type.width ? ty_buffer_get(time, x, 0, 0) : (double)x);
    }
    for (int y = 0; y < b->type.height; y++) {
        fprintf(to.file, "\n%d", y);
        for (int x = 0; x < b->type.width; x++) {
            fprintf(to.file, ",%.0f", ty_buffer_get(b, x, y, 0));
        }
    }
    fputc('\n', to.file);
    status = tyi_io_out_close(&to, TY_OK, diag);
    return status == TY_OK ? write_frame(r, m, diag) : status;
}

void tyi_record_receive(void *user, const ty_message *m)
{
    ty_record *r = user;
    r->messages++;
    if (!ty_run_sensor(r->run, m->index).def->files || r->late.status != TY_OK) {
        return;
    }
    if (m->part[0].data.type.unit == TY_UNIT_POINT) {
        write_cloud(r, m, &r->late);
    } else if (m->part[0].data.type.unit == TY_UNIT_PHOTONS) {
        write_photons(r, m, &r->late);
    } else if (m->schema->column) {
        write_samples(r, m, &r->late);
        tyi_record_samples_add(r, m);
    } else {
        write_frame(r, m, &r->late);
    }
}
