/* src/study/dataset_image.c - one direction of light: radiance of both cameras, and the exposures made of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dataset.h"
#include "k_exposure.h"
#include "io/out.h"
#include "tycho/tone.h"
#include "tycho/tools/draw.h"
#include "sensor/camera/inner.h"

#define LAMP_INNER (25.0 * TY_DEG) /* half angles of a rover's lamp, as in `tycho render` */
#define LAMP_OUTER (35.0 * TY_DEG)

/* ---- bands of light ---- */

int tyi_study_dataset_bands(const ty_dataset_def *def, ty_band out[TY_BANDS])
{
    static const ty_band rgb[3] = { { 600e-9, 700e-9 }, { 500e-9, 600e-9 }, { 400e-9, 500e-9 } };
    int n = (int)(def->band_ends / 2);
    for (int b = 0; b < n; b++) {
        out[b] = (ty_band){ 1e-9 * def->band_nm[2 * b], 1e-9 * def->band_nm[2 * b + 1] };
    }
    if (!n && def->color) {
        memcpy(out, rgb, sizeof rgb);
        n = 3;
    }
    return n;
}

/* the detector's efficiencies over the bands, and white balance, as cameras of runs have them */
static void set_bands(const ty_dataset_def *def, ty_camera_sensor_def *d)
{
    ty_band band[TY_BANDS];
    double low[TY_BANDS], high[TY_BANDS];
    int n = tyi_study_dataset_bands(def, band);
    for (int b = 0; b < n; b++) {
        low[b] = band[b].low, high[b] = band[b].high;
    }
    d->colors = def->color ? 3 : 1;
    if (n) {
        ty_camera_sensor_def_bands(d, low, high, n, NULL); /* in order: checked as the specification was read */
        if (def->color) {
            tyi_camera_sensor_def_white(d, low, high);
        }
    }
}

/* ---- the cameras' chains ---- */

static ty_camera_sensor_def sensor_def(const ty_dataset_def *def, int side, bool ideal)
{
    ty_camera_sensor_def d = ty_camera_sensor_def_default();
    d.width = def->width, d.height = def->height;
    d.f_number = def->f_number;
    d.focus = def->focus;
    /* agrees with the field of view */
    d.focal = fmin(0.5 * def->width * d.pixel / tan(0.5 * def->hfov), 0.5 * d.focus);
    d.seed = def->seed;
    d.camera = (uint32_t)side;
    set_bands(def, &d);
    d.on[TY_CAMERA_DEFOCUS] = true;
    d.on[TY_CAMERA_AUTO_EXPOSURE] = false;
    for (int k = 0; k < TY_CAMERA_STAGES && ideal; k++) {
        d.on[k] = k == TY_CAMERA_AGGREGATOR || k == TY_CAMERA_FULL_WELL || k == TY_CAMERA_RESPONSE ||
                  k == TY_CAMERA_QUANTISE ||
                  (def->color && (k == TY_CAMERA_MOSAIC || k == TY_CAMERA_DEMOSAIC || k == TY_CAMERA_WHITE_BALANCE));
    }
    return d;
}

ty_status tyi_study_dataset_chains(tyi_study_dataset_job *job, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int k = 0; k < 4 && status == TY_OK; k++) {
        int side = k / 2, ideal = k % 2;
        ty_camera_sensor_def d = sensor_def(job->set->def, side, ideal);
        ty_camera_sensor **sensor = &job->sensor[side][ideal];
        ty_pipeline **pipeline = &job->pipeline[side][ideal];
        status = ty_camera_sensor_create(&d, sensor, diag);
        status = status == TY_OK ? ty_pipeline_create(NULL, job->threads, pipeline, diag) : status;
        status = status == TY_OK ? ty_camera_sensor_build(*sensor, *pipeline, diag) : status;
    }
    return status;
}

/* Exposure [s] that puts the share of the lit ground named by the sensor's definition below its target; the largest
 * where nothing shines. One for both cameras: a rig is triggered as one. */
static double automatic(const tyi_study_dataset_job *job)
{
    const ty_camera_sensor_def *d = ty_camera_sensor_get_def(job->sensor[0][0]);
    size_t n = (size_t)d->width * (size_t)d->height;
    const ty_render_buffers *eye = &job->eye[0].out;
    double target = (d->auto_target * (exp2(d->bits) - 1.0) - d->b) / d->a; /* [e-] of the linear curve */
    double rate = 0.0; /* [1/s] electrons of the brightest colour */
    float *sum = job->electrons;
    if (d->bands == 1 && d->colors == 1) {
        double bright = ty_tone_white(eye->radiance, eye->kind, n, (ty_tone_rule){ d->auto_share, 1.0 });
        rate = ty_k_aggregate(1.0, ty_k_image_irradiance(bright, d->f_number, d->transmission), d->pixel, 1.0,
                              d->qe[0][0], d->lambda[0]);
    }
    for (int c = 0; c < d->colors && d->bands * d->colors > 1; c++) {
        memset(sum, 0, n * sizeof *sum);
        for (int b = 0; b < d->bands; b++) {
            double per = ty_k_aggregate(1.0, ty_k_image_irradiance(1.0, d->f_number, d->transmission), d->pixel, 1.0,
                                        d->qe[c][b], d->lambda[b]);
            for (size_t i = 0; i < n; i++) {
                sum[i] += (float)(per * (double)eye->radiance[(size_t)b * n + i]);
            }
        }
        rate = fmax(rate, ty_tone_white(sum, eye->kind, n, (ty_tone_rule){ d->auto_share, 1.0 }));
    }
    return rate > 0.0 ? fmin(fmax(target / rate, d->exposure_min), d->exposure_max) : d->exposure_max;
}

/* ---- light ---- */

static ty_status set_light(tyi_study_dataset_job *job, const tyi_study_light_plan *l, double azimuth, ty_diag *diag)
{
    ty_sky_view view = job->sky;
    view.sun.azimuth = azimuth;
    view.sun.elevation = l->elevation;
    view.sun.dir_W =
        ty_vec3_make(cos(l->elevation) * sin(azimuth), cos(l->elevation) * cos(azimuth), sin(l->elevation));
    ty_stage_now now = { .utc = ty_world_start(job->world), .view = &view };
    ty_status status = ty_stage_update(job->stage, &now, diag);
    if (status == TY_OK && l->lamp > 0.0) {
        ty_light lamp = { .kind = TY_LIGHT_SPOT,
                          .place_W = job->middle,
                          .inner = LAMP_INNER,
                          .outer = LAMP_OUTER,
                          .dir_W = ty_rotate(job->eye[0].camera.pose.q, ty_vec3_make(0, 0, 1)) };
        for (int b = 0; b < TY_BANDS; b++) {
            lamp.power[b] = l->lamp; /* each band takes its share, as of sunlight */
        }
        status = ty_scene_add_light(job->scene, &lamp, diag);
    }
    return status;
}

static ty_status render(tyi_study_dataset_job *job, int side, uint64_t number, ty_diag *diag)
{
    tyi_study_eye *e = &job->eye[side];
    ty_render_def def = ty_render_def_default();
    def.samples = job->set->def->samples;
    def.depth = job->set->def->bounces;
    def.threads = job->threads;
    /* both words are keys: see TY_RNG_RENDER */
    def.seed = job->set->def->seed ^ ((2 * number + (uint64_t)side + 1) << 32);
    ty_render_buffers out = { .radiance = e->out.radiance, .sunlit = e->out.sunlit };
    ty_band band[TY_BANDS];
    int bands = tyi_study_dataset_bands(job->set->def, band);
    ty_status status = bands ? ty_scene_set_bands(job->scene, band, bands, diag) : TY_OK;
    status = status == TY_OK ? ty_render(job->scene, &e->camera, &def, &out, diag) : status;
    if (bands) {
        ty_scene_set_bands(job->scene, NULL, 0, NULL);
    }
    job->stats.rays += ty_scene_get_stats(job->scene).rays;
    return status;
}

/* share of each label's pixels that the Sun shines on */
static void measure_light(const tyi_study_eye *e, double *lit)
{
    for (size_t i = 0; i < e->labels; i++) {
        const ty_truth_box2 *b = &e->label[i].box;
        double sum = 0.0;
        for (int y = b->y0; y < b->y1; y++) {
            for (int x = b->x0; x < b->x1; x++) {
                size_t at = (size_t)y * (size_t)e->camera.width + (size_t)x;
                sum += e->mask[at] == e->label[i].number ? (double)e->out.sunlit[at] : 0.0;
            }
        }
        lit[i] = sum / b->pixels;
    }
}

/* ---- files ---- */

static ty_status write_yolo(const tyi_study_eye *e, const char *path, ty_diag *diag)
{
    tyi_io_out out;
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    double w = e->camera.width, h = e->camera.height;
    for (size_t i = 0; i < e->labels; i++) {
        const ty_truth_box2 *b = &e->label[i].box;
        fprintf(out.file, "%d %.7f %.7f %.7f %.7f\n", tyi_study_label_kind(b->kind), 0.5 * (b->x0 + b->x1) / w,
                0.5 * (b->y0 + b->y1) / h, (b->x1 - b->x0) / w, (b->y1 - b->y0) / h);
    }
    return tyi_io_out_close(&out, TY_OK, diag);
}

static ty_status write_picture(tyi_study_dataset_job *job, const ty_buffer *image, const char *path, ty_diag *diag)
{
    const ty_dataset_def *def = job->set->def;
    const ty_camera_sensor_def *d = ty_camera_sensor_get_def(job->sensor[0][0]);
    /* the exposure decides, not the picture */
    ty_tone tone = { d->b, exp2(d->bits) - 1.0, def->bits == 16 ? 1.0 : def->gamma, 0.0 };
    int channels = image->type.channels == 3 ? 3 : 1;
    for (int i = 0; i < def->width * def->height * channels; i++) {
        int at = i / channels;
        double v = ty_buffer_get(image, at % def->width, at / def->width, i % channels);
        if (def->bits == 16) {
            job->deep[i] = ty_tone_word(&tone, v);
        } else {
            job->flat[i] = ty_tone_byte(&tone, v);
        }
    }
    return ty_png_write(path, def->width, def->height, channels, def->bits,
                        def->bits == 16 ? (void *)job->deep : job->flat, diag);
}

/* one exposure of one camera: picture, YOLO's labels, and last the record, which says that the image is finished */
static ty_status expose(tyi_study_dataset_job *job, const tyi_study_view_plan *v, const tyi_study_record *r,
                        ty_diag *diag)
{
    tyi_study_eye *e = &job->eye[r->side];
    int bands = ty_camera_sensor_get_def(job->sensor[r->side][r->ideal])->bands;
    ty_buffer_type light = { e->camera.width, e->camera.height, bands, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' },
                   far = light;
    far.unit = TY_UNIT_METRE, far.channels = 1;
    ty_buffer in = ty_buffer_wrap_planar(&light, e->out.radiance), depth = ty_buffer_wrap(&far, e->depth);
    const ty_buffer *image = NULL;
    char path[TY_PATH_MAX];
    double start = tyi_now();
    ty_status status = ty_camera_sensor_set_exposure(job->sensor[r->side][r->ideal], r->exposure, diag);
    status = status == TY_OK ? ty_pipeline_run(job->pipeline[r->side][r->ideal], &in, &depth, r->pair, &image, diag)
                             : status;
    double exposed = tyi_now();
    job->stats.chain_s += exposed - start;
    if (status == TY_OK) {
        tyi_study_dataset_path(job->folder, job->set, v, "images", r->name, ".png", path);
        status = write_picture(job, image, path, diag);
    }
    if (status == TY_OK) {
        tyi_study_dataset_path(job->folder, job->set, v, "labels", r->name, ".txt", path);
        status = write_yolo(e, path, diag);
    }
    status = status == TY_OK ? tyi_study_dataset_record(job, v, r, diag) : status;
    job->stats.write_s += tyi_now() - exposed;
    return status;
}

bool tyi_study_dataset_light_done(const tyi_study_dataset_job *job, const tyi_study_view_plan *v, size_t light)
{
    char name[TYI_STUDY_NAME], path[TY_PATH_MAX];
    for (size_t k = 0; k < v->exposures; k++) {
        for (int side = 0; side < 2; side++) {
            tyi_study_image_name(job->set, v, light, k, side, name);
            if (!tyi_study_dataset_path(job->folder, job->set, v, "records", name, ".json", path) ||
                access(path, F_OK) != 0) {
                return false;
            }
        }
    }
    return true;
}

ty_status tyi_study_dataset_light(tyi_study_dataset_job *job, const tyi_study_view_plan *v, size_t light, ty_diag *diag)
{
    const tyi_study_light_plan *l = &job->set->light[v->light + light];
    double azimuth = l->azimuth + (job->set->def->relative ? job->heading : 0.0), start = tyi_now();
    double *lit[2] = { NULL, NULL };
    size_t pair = v->first_pair + light * v->exposures;
    ty_status status = set_light(job, l, azimuth, diag);
    for (int side = 0; side < 2 && status == TY_OK; side++) {
        status = render(job, side, pair, diag);
        lit[side] = calloc(job->eye[side].labels + 1, sizeof *lit[side]);
        if (status == TY_OK && lit[side]) {
            measure_light(&job->eye[side], lit[side]);
        } else if (status == TY_OK) {
            status = ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for the labels");
        }
    }
    double automatically = status == TY_OK ? automatic(job) : 0.0;
    job->stats.light_s += tyi_now() - start;
    for (size_t k = 0; k < v->exposures; k++) {
        const tyi_study_exposure_plan *e = &job->set->exposure[v->exposure + k];
        for (int side = 0; side < 2 && status == TY_OK; side++) {
            char name[TYI_STUDY_NAME];
            tyi_study_record r = { tyi_study_image_name(job->set, v, light, k, side, name),
                                   side,
                                   pair + k,
                                   azimuth,
                                   l->elevation,
                                   l->lamp,
                                   e->time > 0.0 ? e->time : automatically,
                                   e->ideal,
                                   lit[side] };
            status = expose(job, v, &r, diag);
        }
    }
    free(lit[0]), free(lit[1]);
    return status;
}
