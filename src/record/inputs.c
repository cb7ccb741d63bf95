/* src/record/inputs.c - what a run was made of, as one number: the scenario's file, the settings over it, and every file
 * that they name, with those that a rover's file names.
 *
 * Files larger than a few megabytes (rasters) count by their size and by pieces spread over them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "record.h"
#include "vehicle/rover.h"

#define PIECE 65536
#define WHOLE (64 * PIECE) /* larger ones by so many pieces */

typedef struct sum {
    uint64_t hash;
    ty_status status;
    ty_diag *diag;
} sum;

static void add_file(sum *s, const char *path)
{
    if (!path[0] || s->status != TY_OK) {
        return;
    }
    char piece[PIECE];
    struct stat about;
    FILE *f = fopen(path, "rb");
    if (!f || fstat(fileno(f), &about)) {
        s->status = ty_fail(s->diag, TY_ERR_FILE, "%s cannot be opened: %s", path, strerror(errno));
    } else {
        int64_t size = about.st_size, step = size > WHOLE ? size / (WHOLE / PIECE) : PIECE;
        s->hash = tyi_hash(&size, sizeof size, s->hash);
        for (int64_t at = 0; at < size && !fseeko(f, at, SEEK_SET); at += step) {
            size_t n = fread(piece, 1, sizeof piece, f);
            s->hash = tyi_hash(piece, n, s->hash);
        }
    }
    if (f) {
        fclose(f);
    }
}

static void add_sensors(sum *s, const ty_sensor_def *sensor, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sensor[i].kind != TY_SENSOR_CAMERA && sensor[i].kind != TY_SENSOR_USER) {
            add_file(s, sensor[i].as.instrument.model);
        }
    }
}

static void add_rover(sum *s, const ty_scenario_rover *r)
{
    add_file(s, r->model);
    add_file(s, r->soil.file);
    add_file(s, r->driver.table);
    add_file(s, r->commands);
    add_sensors(s, r->sensor, r->sensors);
    if (s->status != TY_OK) {
        return;
    }
    tyi_io_doc doc;
    tyi_arena memory;
    tyi_vehicle_rover file;
    memset(&doc, 0, sizeof doc);
    tyi_arena_init(&memory, NULL, 4096);
    s->status = tyi_vehicle_rover_load(r->model, &doc, &memory, &file, s->diag);
    add_file(s, s->status == TY_OK ? file.model : "");
    for (size_t i = 0; s->status == TY_OK && i < file.look_count; i++) {
        add_file(s, file.looks[i].file);
    }
    tyi_io_doc_free(&doc);
    tyi_arena_free(&memory);
}

ty_status tyi_record_inputs(ty_record *r, uint64_t *out, ty_diag *diag)
{
    const ty_scenario *c = r->scenario;
    sum s = { .hash = TYI_HASH_START, .diag = diag };
    s.hash = tyi_hash(r->settings, r->setting_bytes, s.hash);
    add_file(&s, r->absolute);
    add_file(&s, c->base_path);
    for (size_t i = 0; i < c->layers; i++) {
        add_file(&s, c->layer[i].raster);
    }
    for (size_t i = 0; i < c->ground.maps; i++) {
        add_file(&s, c->ground.map[i].file);
    }
    for (size_t i = 0; i < c->objects; i++) {
        add_file(&s, c->object[i].file);
        add_file(&s, c->object[i].texture);
        add_file(&s, c->object[i].normals);
    }
    add_file(&s, c->sky.star_file);
    add_file(&s, c->soil.file);
    for (size_t i = 0; i < c->soil_regions; i++) {
        add_file(&s, c->soil_region[i].soil.file);
        add_file(&s, c->soil_region[i].raster);
    }
    for (size_t i = 0; i < c->rovers; i++) {
        add_rover(&s, &c->rover[i]);
    }
    for (size_t i = 0; i < c->actors; i++) {
        add_file(&s, c->actor[i].mesh);
        add_file(&s, c->actor[i].trajectory);
        add_file(&s, c->actor[i].fmu);
        add_sensors(&s, c->actor[i].sensor, c->actor[i].sensors);
    }
    *out = s.hash;
    return s.status;
}
