/* app/camera_series.c - `tycho camera --series`: frames of an even light, as a laboratory would take them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "camera.h"
#include "tycho/tools/draw.h"
#include "io/out_file.h"
#include "tycho/math.h"

#define LIGHTS 18
#define DARKS  6
#define FILLED 10e-3 /* [s] fills a pixel */

typedef struct lab {
    ty_camera_sensor *sensor;
    ty_pipeline *pipeline;
    ty_buffer light;
    FILE *list;
    const char *folder;
    uint64_t frame;
} lab;

static ty_status shoot(lab *l, double exposure, bool light, int number, char letter, ty_diag *diag)
{
    const ty_buffer *out = NULL;
    char name[64], path[4096 + 64];
    ty_status status = ty_camera_sensor_set_exposure(l->sensor, exposure, diag);
    status = status == TY_OK ? ty_pipeline_run(l->pipeline, &l->light, NULL, l->frame++, &out, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    snprintf(name, sizeof name, "%s_%02d%c.png", light ? "light" : "dark", number, letter);
    snprintf(path, sizeof path, "%s/%s", l->folder, name);
    fprintf(l->list, "%s,%.9g,%d\n", name, exposure, light);
    return ty_png_write(path, out->type.width, out->type.height, out->type.channels,
                        out->type.element == TY_ELEMENT_U8 ? 8 : 16, out->data, diag);
}

static void fill(ty_buffer *b, double radiance)
{
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            ty_buffer_set(b, x, y, 0, radiance);
        }
    }
}

/* radiance that fills a pixel in FILLED seconds: a frame of unit radiance says how many electrons it is */
static ty_status find_radiance(lab *l, double *radiance, ty_diag *diag)
{
    const ty_camera_sensor_def *def = ty_camera_sensor_get_def(l->sensor);
    ty_pipeline *meter = NULL;
    const ty_buffer *out = NULL;
    ty_filter aggregator = ty_camera_sensor_filter(l->sensor, TY_CAMERA_AGGREGATOR);
    fill(&l->light, 1.0);
    ty_status status = ty_pipeline_create(NULL, 1, &meter, diag);
    status = status == TY_OK ? ty_camera_sensor_set_exposure(l->sensor, FILLED, diag) : status;
    status = status == TY_OK ? ty_pipeline_insert(meter, 0, &aggregator, diag) : status;
    status = status == TY_OK ? ty_pipeline_run(meter, &l->light, NULL, 0, &out, diag) : status;
    if (status == TY_OK) {
        *radiance = def->full_well / ty_buffer_get(out, 0, 0, 0);
    }
    ty_pipeline_destroy(meter);
    return status;
}

static ty_status shoot_all(lab *l, ty_diag *diag)
{
    double radiance = 0.0;
    fprintf(l->list, "file,t_s,light\n");
    ty_status status = find_radiance(l, &radiance, diag);
    fill(&l->light, radiance);
    for (int i = 0; i < 2 * LIGHTS && status == TY_OK; i++) {
        status = shoot(l, FILLED * exp2(-8.0 + 0.5 * (i / 2)), true, i / 2, i % 2 ? 'b' : 'a', diag);
    }
    fill(&l->light, 0.0);
    for (int i = 0; i < 2 * DARKS && status == TY_OK; i++) {
        status = shoot(l, i < 2 ? 1e-3 : 0.25 * exp2(i / 2), false, i / 2, i % 2 ? 'b' : 'a', diag);
    }
    return status;
}

static void remove_all(const char *folder)
{
    char path[4096 + 64];
    for (int i = 0; i < 2 * LIGHTS; i++) {
        for (int dark = 0; dark < 2; dark++) {
            snprintf(path, sizeof path, "%s/%s_%02d%c.png", folder, dark ? "dark" : "light", i / 2, i % 2 ? 'b' : 'a');
            unlink(path);
        }
    }
    snprintf(path, sizeof path, "%s/series.csv", folder);
    unlink(path);
    rmdir(folder);
}

static ty_status make(const ty_camera_sensor_def *def, const char *folder, ty_diag *diag)
{
    lab l = { .folder = folder };
    char path[4096 + 64];
    snprintf(path, sizeof path, "%s/series.csv", folder);
    tyi_io_sink *list = NULL;
    ty_status status = tyi_io_sink_open(path, &list, diag);
    l.list = list ? tyi_io_sink_file(list) : NULL;
    ty_buffer_type type = { def->width, def->height, 1, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    status = status == TY_OK ? ty_camera_sensor_create(def, &l.sensor, diag) : status;
    status = status == TY_OK ? ty_pipeline_create(NULL, 0, &l.pipeline, diag) : status;
    status = status == TY_OK ? ty_camera_sensor_build(l.sensor, l.pipeline, diag) : status;
    status = status == TY_OK ? ty_buffer_create(&type, NULL, &l.light, diag) : status;
    status = status == TY_OK ? shoot_all(&l, diag) : status;
    status = tyi_io_sink_close(list, status, diag);
    ty_pipeline_destroy(l.pipeline);
    ty_camera_sensor_destroy(l.sensor);
    ty_buffer_destroy(&l.light);
    return status;
}

int camera_series(int argc, char **argv, const char *path)
{
    ty_diag diag = { 0 };
    double size = 128.0;
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    /* an even light: what the lens does to a picture would only be in the way */
    def.on[TY_CAMERA_GLARE] = def.on[TY_CAMERA_VIGNETTING] = false;
    def.hot_share = def.dead_share = 0.0;
    ty_status status = camera_number(&argc, argv, "--size", 8.0, 4096.0, &size, &diag);
    status = status == TY_OK ? camera_settings(&argc, argv, &def, &diag) : status;
    if (status != TY_OK) {
        return app_bad("camera", "%s.", diag.text);
    }
    if (camera_no_more(argc, argv, 0) != APP_OK) {
        return APP_BAD;
    }
    def.width = def.height = (int)size;
    if (def.bands != 1 || def.colors != 1) {
        return app_bad("camera", "--series takes a grey camera with one band.");
    }
    char part[4096];
    struct stat about;
    if (!stat(path, &about)) {
        return app_bad("camera", "%s is there already; --series takes the name of a new folder.", path);
    }
    if (snprintf(part, sizeof part, "%s.part-%d", path, (int)getpid()) >= (int)sizeof part || mkdir(part, 0777)) {
        return app_bad("camera", "%s: cannot be made: %s.", path, strerror(errno ? errno : ENAMETOOLONG));
    }
    status = make(&def, part, &diag);
    if (status == TY_OK && rename(part, path)) {
        status = ty_fail(&diag, TY_ERR_FILE, "%s: cannot be made: %s", path, strerror(errno));
    }
    if (status != TY_OK) {
        remove_all(part);
        return app_bad("camera", "%s.", diag.text);
    }
    printf("%d light and %d dark frames of %d x %d pixels in %s\n", 2 * LIGHTS, 2 * DARKS, def.width, def.height, path);
    return APP_OK;
}
