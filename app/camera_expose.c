/* app/camera_expose.c - `tycho camera --expose`: an image of radiance through the camera.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "camera.h"
#include "tycho/tools/draw.h"
#include "io/inner.h"

ty_status camera_input_read(const char *path, camera_input *in, ty_diag *diag)
{
    *in = (camera_input){ 0 };
    ty_status status = ty_exr_read(path, &in->exr, diag);
    if (status != TY_OK) {
        return status;
    }
    int band[8], bands = tyi_io_exr_bands(&in->exr, band);
    size_t plane = (size_t)in->exr.width * (size_t)in->exr.height;
    if (!bands) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "%s: has no channels of radiance: Y, or R, G and B, or radiance.0, radiance.1 ...", path);
    }
    in->bands = malloc((size_t)bands * plane * sizeof(float));
    if (!in->bands) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
    }
    for (int b = 0; b < bands; b++) {
        memcpy(in->bands + (size_t)b * plane, in->exr.data + (size_t)band[b] * plane, plane * sizeof(float));
    }
    ty_buffer_type type = { in->exr.width, in->exr.height, bands, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    in->radiance = ty_buffer_wrap_planar(&type, in->bands);
    float *z = ty_exr_find(&in->exr, "Z");
    in->has_depth = z != NULL;
    type.channels = 1;
    type.unit = TY_UNIT_METRE;
    in->depth = ty_buffer_wrap(&type, z);
    return TY_OK;
}

void camera_input_fit(const camera_input *in, ty_camera_sensor_def *def)
{
    def->width = in->exr.width;
    def->height = in->exr.height;
    def->bands = in->radiance.type.channels;
    if (def->bands == 3) {
        ty_camera_sensor_def_color(def);
    }
}

void camera_input_free(camera_input *in)
{
    ty_exr_free(&in->exr);
    free(in->bands);
}

static void copy_out(const ty_buffer *image, uint16_t *to)
{
    for (int y = 0; y < image->type.height; y++) {
        for (int x = 0; x < image->type.width; x++) {
            for (int c = 0; c < image->type.channels; c++) {
                *to++ = (uint16_t)ty_buffer_get(image, x, y, c);
            }
        }
    }
}

ty_status camera_shoot(const camera_input *in, const ty_camera_sensor_def *def, int settle, camera_frame *out,
                       ty_diag *diag)
{
    ty_camera_sensor *sensor = NULL;
    ty_pipeline *pipeline = NULL;
    const ty_buffer *image = NULL;
    *out = (camera_frame){ 0 };
    ty_status status = ty_camera_sensor_create(def, &sensor, diag);
    status = status == TY_OK ? ty_pipeline_create(NULL, 0, &pipeline, diag) : status;
    status = status == TY_OK ? ty_camera_sensor_build(sensor, pipeline, diag) : status;
    for (int i = 0; i <= settle && status == TY_OK; i++) {
        out->exposure = ty_camera_sensor_get_def(sensor)->exposure;
        status = ty_pipeline_run(pipeline, &in->radiance, in->has_depth ? &in->depth : NULL, (uint64_t)i, &image, diag);
    }
    if (status == TY_OK && image->type.unit != TY_UNIT_DN) {
        status = ty_fail(diag, TY_ERR_INPUT,
                         "camera: the chain ends in %s; a picture takes digital numbers (stages "
                         "aggregator, response, quantise)",
                         ty_unit_name(image->type.unit));
    }
    if (status == TY_OK) {
        out->width = image->type.width;
        out->height = image->type.height;
        out->channels = image->type.channels;
        out->full = exp2(def->bits) - 1.0;
        out->offset = def->curve == TY_CAMERA_SIGMOID ? 0.0 : def->b;
        out->pixels = malloc((size_t)out->width * (size_t)out->height * (size_t)out->channels * 2);
        if (!out->pixels) {
            status = ty_fail(diag, TY_ERR_MEMORY, "camera: there is no memory for the picture");
        } else {
            copy_out(image, out->pixels);
        }
    }
    ty_pipeline_destroy(pipeline);
    ty_camera_sensor_destroy(sensor);
    return status;
}

int camera_expose(int argc, char **argv, const char *path)
{
    camera_input in = { 0 };
    camera_frame frame = { 0 };
    ty_diag diag = { 0 };
    double settle = 0.0;
    const char *out = app_option(&argc, argv, "-o");
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    if (!out) {
        return app_bad("camera", "--expose takes -o OUT.png.");
    }
    ty_status status = camera_number(&argc, argv, "--frame", 0.0, 1e6, &settle, &diag);
    status = status == TY_OK ? camera_input_read(path, &in, &diag) : status;
    if (status == TY_OK) {
        camera_input_fit(&in, &def);
        status = camera_settings(&argc, argv, &def, &diag);
    }
    int code = status == TY_OK ? camera_no_more(argc, argv, 0) : APP_OK;
    if (status == TY_OK && code == APP_OK) {
        status = camera_shoot(&in, &def, (int)settle, &frame, &diag);
        status = status == TY_OK ? ty_png_write(out, frame.width, frame.height, frame.channels, 16, frame.pixels, &diag)
                                 : status;
    }
    free(frame.pixels);
    camera_input_free(&in);
    return status == TY_OK ? code : app_bad("camera", "%s.", diag.text);
}
