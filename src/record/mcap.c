/* src/record/mcap.c - the recording of a run, run.mcap: what bridge/ros makes of its messages, into a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "io/mcap.h"
#include "record.h"
#include "sim/run.h"
#include "bridge/ros/ros_map.h"
#include "vehicle/rover.h"

struct tyi_record_mcap {
    tyi_io_mcap *file;
    ty_run *run;
    tyi_ros_map *map;
    char about[TYI_RECORD_PATH]; /* metadata.yaml */
    int64_t first;               /* [ns] since 1970, of the first message */
    ty_diag diag;                /* of the first message that could not be written */
};

static void take(void *user, const char *topic, tyi_io_ros_type type, int64_t log, const tyi_io_cdr *message)
{
    tyi_record_mcap *m = user;
    uint16_t channel;
    m->first = m->first ? m->first : log;
    if (m->diag.status == TY_OK && tyi_io_mcap_channel(m->file, topic, type, &channel, &m->diag) == TY_OK) {
        tyi_io_mcap_write(m->file, channel, log, message, &m->diag);
    }
}

/* ---- beside the messages: what the run was made of ---- */

#define MOST ((size_t)16 << 20) /* [bytes] of a file that goes into the recording */

/* the name of a file without the folders before it */
static const char *leaf_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The URDF file of a rover; "": it has none. What it says may be sent as it is. */
static void urdf_of(const ty_scenario_rover *rover, char out[TY_PATH_MAX])
{
    tyi_io_doc doc;
    tyi_arena memory;
    tyi_vehicle_rover file;
    memset(&doc, 0, sizeof doc);
    tyi_arena_init(&memory, NULL, 4096);
    out[0] = 0;
    if (tyi_vehicle_rover_load(rover->model, &doc, &memory, &file, NULL) == TY_OK) {
        size_t n = strlen(file.model);
        if (n > 5 && !strcmp(file.model + n - 5, ".urdf")) {
            snprintf(out, TY_PATH_MAX, "%s", file.model);
        }
    }
    tyi_io_doc_free(&doc);
    tyi_arena_free(&memory);
}

static void attach_file(tyi_record_mcap *m, const char *path, const char *name, const char *media)
{
    tyi_io_bytes file;
    if (m->diag.status == TY_OK && tyi_io_file_read(path, MOST, NULL, &file, NULL) == TY_OK) {
        tyi_io_mcap_attach(m->file, name, media, file.data, file.size, &m->diag);
        tyi_put(NULL, file.data, file.capacity);
    }
}

/* a file as a text; from malloc, NULL: it cannot be read */
static char *text_of(const char *path)
{
    tyi_io_bytes file;
    if (tyi_io_file_read(path, MOST, NULL, &file, NULL) != TY_OK) {
        return NULL;
    }
    char *text = malloc(file.size + 1);
    if (text) {
        memcpy(text, file.data, file.size);
        text[file.size] = 0;
    }
    tyi_put(NULL, file.data, file.capacity);
    return text;
}

bool tyi_ros_description(const ty_scenario_rover *rover, tyi_io_cdr *out)
{
    char urdf[TY_PATH_MAX];
    urdf_of(rover, urdf);
    char *text = urdf[0] ? text_of(urdf) : NULL;
    if (text) {
        tyi_io_ros_string(out, text);
    }
    free(text);
    return text != NULL;
}

/* /ROVER/robot_description, the file beside the data, and an attachment */
static void describe_rover(ty_record *r, tyi_record_mcap *m, size_t rover)
{
    char urdf[TY_PATH_MAX], prefix[80], file[TYI_RECORD_FILE], path[TYI_RECORD_PATH], topic[200];
    urdf_of(&r->scenario->rover[rover], urdf);
    char *whole = urdf[0] && m->diag.status == TY_OK ? text_of(urdf) : NULL;
    tyi_record_prefix_rover(r, rover, prefix);
    snprintf(file, sizeof file, "%srobot_description.urdf", prefix);
    tyi_io_out out;
    if (whole) {
        tyi_record_make_way(r, file);
    }
    if (whole && tyi_io_out_open(&out, tyi_record_path(r, file, path), &m->diag) == TY_OK) {
        size_t size = strlen(whole);
        fwrite(whole, 1, size, out.file);
        tyi_io_out_close(&out, TY_OK, &m->diag);
        tyi_io_cdr message = { 0 };
        tyi_io_ros_string(&message, whole);
        snprintf(topic, sizeof topic, "/%s/robot_description", r->scenario->rover[rover].name);
        for (char *c = topic; *c; c++) {
            *c = *c == '-' || *c == '.' ? '_' : *c;
        }
        take(m, topic, TY_ROS_STRING, m->first, &message);
        tyi_io_cdr_free(&message);
        snprintf(file, sizeof file, "%s.urdf", r->scenario->rover[rover].name);
        if (m->diag.status == TY_OK) {
            tyi_io_mcap_attach(m->file, file, "application/xml", whole, size, &m->diag);
        }
    }
    free(whole);
}

/* scenario, seed, version; the scenario's file, and URDF files */
static void describe(ty_record *r, tyi_record_mcap *m)
{
    char seed[32], start[TY_UTC_TEXT], *settings = malloc(r->setting_bytes + 1);
    for (size_t i = 0; settings && i < r->setting_bytes; i++) { /* one line each */
        settings[i] = r->settings[i] ? r->settings[i] : '\n';
    }
    if (settings) {
        settings[r->setting_bytes] = 0;
    }
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->scenario->terrain.seed);
    ty_utc_format(ty_world_start(ty_run_world(r->run)), 3, start);
    const char *const pair[][2] = { { "scenario", r->scenario->name },
                                    { "seed", seed },
                                    { "start_utc", start },
                                    { "version", ty_version() },
                                    { "built_with", ty_built_with() },
                                    { "settings", settings ? settings : "" } };
    if (m->diag.status == TY_OK) {
        tyi_io_mcap_note(m->file, "tycho", pair, sizeof pair / sizeof *pair, &m->diag);
    }
    if (r->file) {
        attach_file(m, r->absolute, leaf_of(r->absolute), "application/yaml");
    }
    free(settings);
}

ty_status tyi_record_mcap_open(ty_record *r, const void *state, size_t bytes, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_record_path(r, "run.mcap", path);
    tyi_record_mcap *m = calloc(1, sizeof *m);
    if (!m) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    m->run = r->run;
    tyi_record_path(r, "metadata.yaml", m->about);
    ty_status status = tyi_ros_map_create(r->run, take, m, &m->map, diag);
    if (status == TY_OK) {
        status = state ? tyi_io_mcap_resume(path, state, bytes, NULL, &m->file, diag)
                       : tyi_io_mcap_create(path, NULL, &m->file, diag);
    }
    if (status == TY_OK) {
        status = ty_run_subscribe(r->run, NULL, NULL, tyi_ros_map_receive, m->map, diag);
    }
    if (status == TY_OK) {
        status = ty_run_subscribe_state(r->run, tyi_ros_map_receive, m->map, diag);
    }
    if (status != TY_OK) {
        tyi_record_mcap_close(m, NULL);
        return status;
    }
    if (!state) {
        tyi_ros_map_fixed(m->map);
        describe(r, m);
        for (size_t i = 0; i < r->rovers; i++) {
            describe_rover(r, m, i);
        }
    }
    r->mcap = m;
    return TY_OK;
}

ty_status tyi_record_mcap_save(tyi_record_mcap *m, tyi_io_cdr *out, ty_diag *diag)
{
    return m->diag.status == TY_OK ? tyi_io_mcap_save(m->file, out, diag)
                                   : ty_fail(diag, m->diag.status, "%s", m->diag.text);
}

const ty_diag *tyi_record_mcap_diag(const tyi_record_mcap *m)
{
    return &m->diag;
}

ty_status tyi_record_mcap_close(tyi_record_mcap *m, ty_diag *diag)
{
    if (!m) {
        return TY_OK;
    }
    ty_status status = TY_OK;
    tyi_io_out out;
    if (m->file && m->about[0] && (status = tyi_io_out_open(&out, m->about, diag)) == TY_OK) {
        tyi_io_mcap_describe(m->file, "run.mcap", out.file);
        status = tyi_io_out_close(&out, TY_OK, diag);
    }
    ty_status closed = tyi_io_mcap_close(m->file, diag);
    status = status == TY_OK ? closed : status;
    if (m->diag.status != TY_OK) {
        status = ty_fail(diag, m->diag.status, "%s", m->diag.text);
    }
    tyi_sim_unsubscribe(m->run, m->map);
    tyi_ros_map_destroy(m->map);
    free(m);
    return status;
}
