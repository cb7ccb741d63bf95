/* src/sensor/lidar_file.c - lidars from model files, and tables of beams.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "instrument_file.h"
#include "sensor/lidar/lidar.h"
#include "tycho/tools/lidar_scan.h"
#include "inner.h"

typedef struct numbers {
    double *value;
    size_t count;
} numbers;

typedef struct firing {
    double step;
    int together;
} firing;

typedef struct lidar_yaml {
    ty_lidar_def def; /* first, so that its rules' offsets hold */
    char title[128];
    char beams[1024];
    numbers elevation, azimuth, height, fire;
    firing firing;
    int profile;
} lidar_yaml;

static const tyi_limit angle_limit[] = { { "", "rad", 0, TYI_DOUBLE, -TY_PI, TY_PI }, { 0 } };
static const tyi_rules angle_rules = { "lidar", angle_limit, NULL };
static const tyi_io_key angle_key = { .name = "", .kind = TYI_IO_NUMBER, .unit = "deg", .scale = TY_DEG };
static const tyi_limit metre_limit[] = { { "", "m", 0, TYI_DOUBLE, -10.0, 10.0 }, { 0 } };
static const tyi_rules metre_rules = { "lidar", metre_limit, NULL };
static const tyi_limit second_limit[] = { { "", "s", 0, TYI_DOUBLE, 0.0, 10.0 }, { 0 } };
static const tyi_rules second_rules = { "lidar", second_limit, NULL };
static const tyi_io_key plain_key = { .name = "", .kind = TYI_IO_NUMBER };

#define FILE_AT(field) offsetof(lidar_yaml, field)
static const tyi_io_list elevations = { &angle_key, &angle_rules,    sizeof(double), FILE_AT(elevation.count),
                                        1,          TY_LIDAR_LASERS, false,          NULL };
static const tyi_io_list azimuths = { &angle_key, &angle_rules,    sizeof(double), FILE_AT(azimuth.count),
                                      0,          TY_LIDAR_LASERS, false,          NULL };
static const tyi_io_list heights = { &plain_key, &metre_rules,    sizeof(double), FILE_AT(height.count),
                                     0,          TY_LIDAR_LASERS, false,          NULL };
static const tyi_io_list fires = { &plain_key, &second_rules,   sizeof(double), FILE_AT(fire.count),
                                   0,          TY_LIDAR_LASERS, false,          NULL };

static const tyi_limit firing_limits[] = {
    { "step", "s", offsetof(firing, step), TYI_DOUBLE, 0.0, 1.0 },
    { "together", "", offsetof(firing, together), TYI_INT, 1.0, TY_LIDAR_LASERS },
    { 0 },
};
static const tyi_rules firing_rules = { "firing", firing_limits, NULL };
static const tyi_io_key firing_keys[] = {
    { "step", TYI_IO_NUMBER, offsetof(firing, step), .text = "time from one laser, or group, to the next" },
    { "together", TYI_IO_INTEGER, offsetof(firing, together), .text = "lasers that fire together" },
    { 0 },
};
static const tyi_io_schema firing_schema = { firing_keys, &firing_rules, .whole = false };

static const char *const patterns[] = { "spin", "grid", "table", NULL };
static const char *const modes[] = { "first", "strongest", "last", "dual", NULL };
static const char *const profiles[] = { "even", "gauss", NULL };

#define IN(field) FILE_AT(def.field)
#define DEGREES   .unit = "deg", .scale = TY_DEG
static const tyi_io_key keys[] = {
    { "title", TYI_IO_TEXT, FILE_AT(title), .text = "what pictures and messages call it", .size = 128 },
    { "pattern", TYI_IO_CHOICE, IN(pattern), .text = "how its beams lie", .choices = patterns },
    { "elevation_deg", TYI_IO_LIST, FILE_AT(elevation.value), .text = "spin: elevation of each laser, in firing order",
      .list = &elevations },
    { "azimuth_deg", TYI_IO_LIST, FILE_AT(azimuth.value),
      .text = "spin: azimuth of each laser from the head's x, counter-clockwise; none: 0", .list = &azimuths },
    { "height", TYI_IO_LIST, FILE_AT(height.value),
      .text = "spin: height of each laser's origin above the sensor's; none: 0", .list = &heights },
    { "fire", TYI_IO_LIST, FILE_AT(fire.value),
      .text = "spin: time of each laser after the cycle's start; none: by `firing`", .list = &fires },
    { "firing", TYI_IO_MAPPING, FILE_AT(firing), .text = "spin: lasers fire one after the other",
      .schema = &firing_schema },
    { "cycle", TYI_IO_NUMBER, IN(cycle), .text = "spin: from one firing of all lasers to the next" },
    { "spin", TYI_IO_NUMBER, IN(spin), .text = "spin: turns per second, clockwise negative; a scan is one turn" },
    { "start_deg", TYI_IO_NUMBER, IN(start), .text = "spin: azimuth at which a scan starts", DEGREES },
    { "columns", TYI_IO_INTEGER, IN(columns), .text = "grid: beams across" },
    { "rows", TYI_IO_INTEGER, IN(rows), .text = "grid: beams up and down" },
    { "hfov_deg", TYI_IO_NUMBER, IN(hfov), .text = "grid: field of view across", DEGREES },
    { "vfov_deg", TYI_IO_NUMBER, IN(vfov), .text = "grid: field of view up and down", DEGREES },
    { "sweep", TYI_IO_NUMBER, IN(sweep),
      .text = "grid: time in which the columns fire one after the other; 0: all at once" },
    { "beams", TYI_IO_TEXT, FILE_AT(beams),
      .text = "table: CSV file of beams (x, y, z, dx, dy, dz, time), relative to this file", .size = 1024 },
    { "band", TYI_IO_INTEGER, IN(band),
      .text = "band of a scene whose bands a program has set; runs take the ground at the wavelength" },
    { "wavelength", TYI_IO_NUMBER, IN(wavelength), .text = "of the laser: ground is as bright as it is there" },
    { "divergence_h_deg", TYI_IO_NUMBER, IN(divergence_h), .text = "half angle of a beam, across", DEGREES },
    { "divergence_v_deg", TYI_IO_NUMBER, IN(divergence_v), .text = "half angle of a beam, up and down", DEGREES },
    { "aperture", TYI_IO_NUMBER, IN(aperture), .text = "radius of a beam where it leaves" },
    { "profile", TYI_IO_CHOICE, FILE_AT(profile), .text = "how light lies across a beam", .choices = profiles },
    { "samples", TYI_IO_INTEGER, IN(samples), .text = "rays per beam; more than 1 for divergence" },
    { "bounces", TYI_IO_INTEGER, IN(bounces),
      .text = "2: what smooth surfaces mirror (`principled`, roughness up to 0.1) is met, too: ghosts behind them" },
    { "mode", TYI_IO_CHOICE, IN(mode), .text = "which echoes are returned", .choices = modes },
    { "near", TYI_IO_NUMBER, IN(near), .text = "smallest range" },
    { "far", TYI_IO_NUMBER, IN(far), .text = "largest range" },
    { "reach", TYI_IO_NUMBER, IN(reach),
      .text = "range at which a surface of `reach_albedo` facing the beam is just noticed" },
    { "reach_albedo", TYI_IO_NUMBER, IN(reach_albedo), .text = "albedo of that surface (Lambert)" },
    { "threshold_sigma", TYI_IO_NUMBER, IN(threshold_sigma), .text = "noise of an echo over the weakest one noticed" },
    { "separation", TYI_IO_NUMBER, IN(separation), .text = "echoes nearer to each other are one" },
    { "noise", TYI_IO_BOOLEAN, IN(noise), .text = "false: no noise at all" },
    { "range_sigma", TYI_IO_NUMBER, IN(range_sigma), .text = "standard deviation of ranges" },
    { "range_step", TYI_IO_NUMBER, IN(range_step), .text = "ranges are multiples of it; 0: any" },
    { "azimuth_sigma_deg", TYI_IO_NUMBER, IN(azimuth_sigma), .text = "standard deviation of azimuths", DEGREES },
    { "elevation_sigma_deg", TYI_IO_NUMBER, IN(elevation_sigma), .text = "standard deviation of elevations", DEGREES },
    { "intensity_sigma", TYI_IO_NUMBER, IN(intensity_sigma), .text = "standard deviation of intensities, relative" },
    { "intensity_white", TYI_IO_NUMBER, IN(intensity_white),
      .text = "intensity of a white surface; retroreflectors give more" },
    { "intensity_most", TYI_IO_NUMBER, IN(intensity_most),
      .text = "intensities are whole numbers up to it, as devices send them (255); 0: any number" },
    { "rate", TYI_IO_NUMBER, IN(rate), .text = "scans per second, where the head does not spin" },
    { 0 },
};
const tyi_io_schema tyi_sensor_file_lidar_schema = { keys, &tyi_lidar_rules, .whole = true };

static lidar_yaml defaults(void)
{
    return (lidar_yaml){ .def = ty_lidar_def_default(), .title = "lidar", .profile = 1, .firing = { 0.0, 1 } };
}

ty_status tyi_sensor_lidar_reference(FILE *out, ty_diag *diag)
{
    lidar_yaml y = defaults();
    return tyi_io_doc_print(out, &tyi_sensor_file_lidar_schema, &y, diag);
}

/* a list of one number per laser, or none of them */
static ty_status per_laser(const tyi_io_doc *doc, const numbers *from, int lasers, double *to, ty_diag *diag)
{
    if (from->count && from->count != (size_t)lasers) {
        return tyi_io_doc_fail_field(doc, &from->value, diag, TY_ERR_INPUT, "has %zu numbers, but elevation_deg has %d",
                                     from->count, lasers);
    }
    for (size_t k = 0; k < from->count; k++) {
        to[k] = from->value[k];
    }
    return TY_OK;
}

static ty_status take_lasers(const tyi_io_doc *doc, lidar_yaml *y, ty_diag *diag)
{
    ty_lidar_def *d = &y->def;
    if (d->pattern != TY_LIDAR_SPIN) {
        return TY_OK;
    }
    if (!y->elevation.count) {
        return tyi_io_doc_fail(doc, NULL, diag, TY_ERR_INPUT, "pattern is spin, but elevation_deg is missing");
    }
    d->lasers = (int)y->elevation.count;
    d->rate = fabs(d->spin);
    for (int k = 0; k < d->lasers; k++) {
        d->elevation[k] = y->elevation.value[k];
        d->fire[k] = k / y->firing.together * y->firing.step;
    }
    ty_status status = per_laser(doc, &y->azimuth, d->lasers, d->azimuth, diag);
    status = status == TY_OK ? per_laser(doc, &y->height, d->lasers, d->height, diag) : status;
    return status == TY_OK ? per_laser(doc, &y->fire, d->lasers, d->fire, diag) : status;
}

/* path of the table as seen from here: beside the model file unless absolute */
static ty_status take_table(const tyi_io_doc *doc, const char *path, lidar_yaml *y, ty_lidar_file *out, ty_diag *diag)
{
    if (y->def.pattern != TY_LIDAR_TABLE) {
        return TY_OK;
    }
    if (!y->beams[0]) {
        return tyi_io_doc_fail(doc, NULL, diag, TY_ERR_INPUT,
                               "pattern is table, but beams is missing: the CSV file's name");
    }
    char full[5200];
    const char *slash = strrchr(path, '/');
    int folder = y->beams[0] == '/' || !slash ? 0 : (int)(slash - path + 1);
    snprintf(full, sizeof full, "%.*s%s", folder < 4096 ? folder : 4096, path, y->beams);
    ty_status status = tyi_sensor_lidar_beams_load(full, &out->beam, &y->def.beams, diag);
    y->def.beam = out->beam;
    return status;
}

ty_status ty_lidar_load(const char *path, const char *const *settings, size_t count, ty_lidar_file *out, ty_diag *diag)
{
    *out = (ty_lidar_file){ 0 };
    lidar_yaml y = defaults();
    tyi_arena memory;
    tyi_arena_init(&memory, NULL, 4096);
    tyi_io_doc doc;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    if (status == TY_OK) {
        status = tyi_io_doc_fill(&doc, &tyi_sensor_file_lidar_schema, &y, &memory, diag);
    }
    if (status == TY_OK) {
        status = take_lasers(&doc, &y, diag);
    }
    if (status == TY_OK) {
        status = take_table(&doc, path, &y, out, diag);
    }
    if (status == TY_OK) {
        y.def.gauss = y.profile == 1;
        out->def = y.def;
        memcpy(out->title, y.title, sizeof out->title);
    }
    tyi_io_doc_free(&doc);
    tyi_arena_free(&memory);
    return status;
}

void ty_lidar_file_free(ty_lidar_file *file)
{
    free(file->beam);
    *file = (ty_lidar_file){ 0 };
}
