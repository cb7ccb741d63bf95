/* src/sensor/kind_spad.c - photon histograms of a run: a grid of pixels whose rays are a lidar's, and their model
 * files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "instrument_file.h"
#include "sensor/lidar/lidar.h"
#include "kind_instrument.h"
#include "tycho/tools/lidar_scan.h"
#include "inner.h"
#include "sensor/lidar/inner.h"

TYI_SENSOR_INSTRUMENT(spad, TY_SENSOR_SPAD, 0.1, 0.0)

/* ---- model files ---- */

#define GRID(field) offsetof(ty_lidar_def, field)
#define DEGREES     .unit = "deg", .scale = TY_DEG
static const tyi_io_key grid_keys[] = {
    { "columns", TYI_IO_INTEGER, GRID(columns), .text = "pixels across" },
    { "rows", TYI_IO_INTEGER, GRID(rows), .text = "pixels up and down" },
    { "hfov_deg", TYI_IO_NUMBER, GRID(hfov), .text = "field of view across", DEGREES },
    { "vfov_deg", TYI_IO_NUMBER, GRID(vfov), .text = "field of view up and down", DEGREES },
    { "divergence_h_deg", TYI_IO_NUMBER, GRID(divergence_h), .text = "half angle that a pixel sees, across", DEGREES },
    { "divergence_v_deg", TYI_IO_NUMBER, GRID(divergence_v), .text = "half angle that a pixel sees, up and down",
      DEGREES },
    { "samples", TYI_IO_INTEGER, GRID(samples), .text = "rays per pixel, spread over that angle" },
    { "band", TYI_IO_INTEGER, GRID(band), .text = "band of the scene's materials at the wavelength" },
    { "wavelength", TYI_IO_NUMBER, GRID(wavelength), .text = "of the laser: ground is as bright as it is there" },
    { 0 },
};
static const tyi_io_schema grid_schema = { grid_keys, &tyi_lidar_rules, .whole = false };

#define FILE_AT(field) offsetof(ty_spad_file, field)
#define IN(field)      FILE_AT(spad.field)
_Static_assert(offsetof(ty_spad_file, spad) == 0, "its rules' offsets hold");
static const char *const outputs[] = { "histogram", "range", NULL };
static const tyi_io_key keys[] = {
    { "grid", TYI_IO_MAPPING, FILE_AT(lidar), .text = "its pixels", .schema = &grid_schema },
    { "output", TYI_IO_CHOICE, FILE_AT(output), .text = "counts of every bin, or the range of the peak with its counts",
      .choices = outputs },
    { "bins", TYI_IO_INTEGER, IN(bins), .text = "of a histogram" },
    { "bin", TYI_IO_NUMBER, IN(bin), .text = "width of a bin; the first starts when the pulse leaves" },
    { "pulse", TYI_IO_NUMBER, IN(pulse), .text = "length of a pulse of even power" },
    { "jitter", TYI_IO_NUMBER, IN(jitter), .text = "standard deviation of a photon's time" },
    { "white", TYI_IO_NUMBER, IN(white),
      .text = "photons of a pulse registered from a white surface 1 m away that faces the pixel" },
    { "background", TYI_IO_NUMBER, IN(background), .text = "counts by ambient light and in the dark" },
    { "dead_time", TYI_IO_NUMBER, IN(dead_time), .text = "for which a diode is blind after it fired" },
    { "pulses", TYI_IO_INTEGER, IN(pulses), .text = "that make up a histogram" },
    { "noise", TYI_IO_BOOLEAN, IN(noise), .text = "false: the expected counts, rounded" },
    { 0 },
};
const tyi_io_schema tyi_sensor_file_spad_schema = { keys, &tyi_lidar_spad_rules, .whole = false };

static ty_spad_file defaults(void)
{
    ty_spad_file f = { .spad = ty_spad_def_default(), .lidar = ty_lidar_def_default() };
    f.lidar.columns = f.lidar.rows = 8;
    f.lidar.gauss = false;                  /* a pixel sees evenly */
    f.lidar.near = 1e-3, f.lidar.far = 1e5; /* the histogram's end is what counts */
    return f;
}

ty_status ty_spad_load(const char *path, const char *const *settings, size_t count, ty_spad_file *out, ty_diag *diag)
{
    *out = defaults();
    tyi_arena memory;
    tyi_arena_init(&memory, NULL, 1024);
    tyi_io_doc doc;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    if (status == TY_OK) {
        status = tyi_io_doc_fill(&doc, &tyi_sensor_file_spad_schema, out, &memory, diag);
    }
    tyi_io_doc_free(&doc);
    tyi_arena_free(&memory);
    out->spad.samples = out->lidar.samples;
    out->spad.pixels = out->lidar.columns * out->lidar.rows;
    return status;
}

ty_status tyi_sensor_spad_reference(FILE *out, ty_diag *diag)
{
    ty_spad_file f = defaults();
    return tyi_io_doc_print(out, &tyi_sensor_file_spad_schema, &f, diag);
}

/* ---- in a run ---- */

typedef struct spad {
    ty_lidar *lidar;
    ty_spad *spad;
    ty_spad_file file;
} spad;

static const ty_message_column columns[] = { { "range", "m", TY_QUANTITY_RANGE, NULL },
                                             { "counts", "", TY_QUANTITY_COUNT, NULL },
                                             { 0 } };
static const ty_message_schema histograms = { "spad", NULL }, ranges = { "spad", columns };

static ty_status create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    ty_status status = tyi_sensor_instrument_state(sizeof(spad), state, diag);
    spad *s = *state;
    if (status == TY_OK) {
        s->file = defaults();
        s->file.spad.pixels = s->file.lidar.columns * s->file.lidar.rows;
        TYI_SENSOR_INSTRUMENT_LOAD(status, make, ty_spad_load, &s->file, diag);
    }
    if (status == TY_OK) {
        s->file.lidar.threads = s->file.spad.threads = make->threads;
        s->file.spad.seed = make->seed, s->file.spad.id = make->number;
        status = ty_lidar_create(&s->file.lidar, &s->lidar, diag);
    }
    if (status == TY_OK) {
        status = ty_spad_create(&s->file.spad, &s->spad, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    const ty_spad_def *d = &s->file.spad;
    make->schema = s->file.output == TY_SPAD_RANGE ? &ranges : &histograms;
    make->parts = 3;
    make->part[0] = (ty_message_part){ .name = "photons",
                                       .data.type = { d->bins, d->pixels, 1, TY_ELEMENT_U32, TY_UNIT_PHOTONS, 'S' } };
    make->part[1] =
        (ty_message_part){ .name = "truth", .data.type = { 1, d->pixels, 1, TY_ELEMENT_F64, TY_UNIT_METRE, 'S' } };
    make->part[2] =
        (ty_message_part){ .name = "time", .data.type = { d->bins, 1, 1, TY_ELEMENT_F64, TY_UNIT_NONE, 0 } };
    if (s->file.output == TY_SPAD_RANGE) {
        ty_filter range = tyi_lidar_spad_range(s->spad);
        status = ty_pipeline_insert(make->pipeline, -1, &range, diag);
    }
    return status;
}

/* the nearest surface that a pixel's rays met; infinite: none */
static double nearest(const ty_trace_hit *hit, int samples)
{
    double range = (double)INFINITY;
    for (int k = 0; k < samples; k++) {
        range = hit[k].range > 0.0 ? fmin(range, hit[k].range) : range;
    }
    return range;
}

#define HALF_WIDTH 1e-9 /* [m] of the band around a laser's wavelength */

static ty_status collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    spad *s = state;
    const ty_spad_def *d = &s->file.spad;
    ty_keyframe key[TY_SENSOR_KEYFRAMES];
    for (int i = 0; i < shot->keys; i++) {
        key[i] = (ty_keyframe){ shot->key[i].time, shot->key[i].pose };
    }
    const ty_track track = { key, (size_t)shot->keys };
    ty_lidar_rays rays;
    const ty_buffer *counts = NULL;
    /* all pulses see the scene from where the sensor was in the middle of its window */
    ty_status status =
        ty_lidar_aim(s->lidar, &track, shot->time.start + (shot->time.end - shot->time.start) / 2, &rays, diag);
    if (status == TY_OK) {
        /* ground as bright as it is at the laser's wavelength */
        ty_band laser = { s->file.lidar.wavelength - HALF_WIDTH, s->file.lidar.wavelength + HALF_WIDTH };
        status = ty_scene_set_bands(shot->scene, &laser, 1, diag);
    }
    if (status == TY_OK) {
        status = ty_scene_trace(shot->scene, rays.centre, rays.ray, rays.count, 0, shot->threads, rays.hit, diag);
        ty_scene_set_bands(shot->scene, NULL, 0, NULL);
    }
    if (status == TY_OK) {
        status = ty_spad_expose(s->spad, rays.hit, shot->time, shot->frame, &counts, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    memcpy(part[0].data.data, counts->data, ty_buffer_type_bytes(&counts->type));
    for (int i = 0; i < d->pixels && part[1].data.data; i++) {
        ty_buffer_set(&part[1].data, 0, i, 0, nearest(rays.hit + (size_t)i * (size_t)d->samples, d->samples));
    }
    for (int i = 0; i < d->bins && part[2].data.data; i++) {
        ty_buffer_set(&part[2].data, i, 0, 0, (i + 0.5) * d->bin);
    }
    return TY_OK;
}

static void destroy(void *state)
{
    spad *s = state;
    ty_spad_destroy(s->spad);
    ty_lidar_destroy(s->lidar);
    tyi_put(NULL, s, sizeof *s);
}

const ty_sensor_kind tyi_sensor_spad = {
    .name = "spad", .scene = true, .keys = 3, .create = create, .collect = collect, .destroy = destroy
};
