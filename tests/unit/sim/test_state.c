/* What a run says beside its sensors: clock, poses, wheels, edits of the ground; with typed columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sys/stat.h>
#include <unistd.h>
#include "support.h"
#include "tycho/record.h"
#include "io/mcap.h"
#include "bridge/ros/ros_map.h"

typedef struct told {
    int count[6];
    double pose[14], edits, rows;
    const ty_message_schema *wheels;
    double torque, sinkage;
    ty_time at;
    uint64_t sequence;
    bool ordered;
} told;

static void receive(void *user, const ty_message *m)
{
    told *h = user;
    const ty_buffer *b = &m->part[0].data;
    h->count[m->kind]++;
    h->ordered = m->sequence == h->sequence++ && m->time.due >= h->at;
    h->at = m->time.due;
    if (m->kind == TY_MESSAGE_POSE) {
        for (int c = 0; c < 14; c++) {
            h->pose[c] = ty_buffer_get(b, 0, 0, c);
        }
    } else if (m->kind == TY_MESSAGE_WHEELS) {
        h->wheels = m->schema;
        h->torque = ty_buffer_get(b, 0, 0, ty_message_schema_find(m->schema, TY_QUANTITY_JOINT_TORQUE, 0));
        h->sinkage = ty_buffer_get(b, 0, 0, ty_message_schema_find(m->schema, TY_QUANTITY_LENGTH, 0));
    } else if (m->kind == TY_MESSAGE_EDIT) {
        h->rows = b->type.height;
        h->edits = ty_buffer_get(b, 0, b->type.height - 1, 0);
    }
}

TY_TEST(state, messages_say_what_the_vehicle_says)
{
    small *s = small_make();
    small_create(s);
    told h = { .ordered = true };
    ty_diag diag = { 0 };
    cr_assert(ty_run_subscribe_state(s->run, receive, &h, &diag) == TY_OK, "%s", diag.text);
    ty_run_publish(s->run);
    TY_CHECK(h.count[TY_MESSAGE_CLOCK] == 1 && h.count[TY_MESSAGE_POSE] == 1 && h.count[TY_MESSAGE_WHEELS] == 1);
    TY_CHECK(h.count[TY_MESSAGE_EDIT] == 1); /* what the rover pressed in before the start */
    small_steps(s, 2.0);
    ty_run_publish(s->run);
    ty_vehicle_state v;
    ty_vehicle_get(ty_run_rover(s->run, 0), &v);
    TY_CHECK(h.pose[0] == v.pose.p.x && h.pose[3] == v.pose.q.w && h.pose[13] == v.odometer);
    TY_CHECK(h.torque == v.wheel[0].torque && h.sinkage == v.wheel[0].sinkage && h.ordered);
    char text[100];
    ty_message_column_text(&h.wheels->column[2], text, sizeof text);
    TY_CHECK(!strcmp(text, "front_left_torque_nm") && !strcmp(h.wheels->column[2].of, "front_left"));
    /* the ground's edits, once; control: nothing has changed since */
    uint64_t version = ty_terrain_version(ty_world_terrain(ty_run_world(s->run)));
    TY_CHECK(version > 0 && h.count[TY_MESSAGE_EDIT] == 2 && h.edits == (double)version && h.rows > 0);
    ty_run_publish(s->run);
    TY_CHECK(h.count[TY_MESSAGE_EDIT] == 2 && h.count[TY_MESSAGE_CLOCK] == 3);
    small_free(s);
}

/* Names that are set in C meet the rule where they would become files. */
TY_TEST(state, a_record_refuses_names_that_are_no_files)
{
    static const char *const wrong[] = { "../up", "a/b", "", ".hidden", "a,b", "summary.json", "a\"b" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        small *s = small_make();
        snprintf(s->rover.name, sizeof s->rover.name, "%s", wrong[i]);
        small_create(s);
        ty_diag diag = { 0 };
        ty_record *record = NULL;
        struct stat about;
        ty_record_def def = ty_record_def_default();
        def.folder = "/tmp/tycho-record-names";
        TY_CHECK(ty_record_create(s->run, &def, &record, &diag) == TY_ERR_INPUT && !record && diag.text[0]);
        TY_CHECK(stat(def.folder, &about) != 0);
        small_free(s);
    }
}

static void count_topics(void *user, const char *topic, tyi_io_ros_type type, int64_t log, const tyi_io_cdr *message)
{
    int *count = user;
    count[0] += !strcmp(topic, "/clock") && type == TY_ROS_CLOCK;
    count[1] += !strcmp(topic, "/tf_static") && message->size > 8;
    count[2] += log > 0 && strstr(topic, "/joint_states") != NULL;
}

TY_TEST(state, ros_messages_are_made_of_them)
{
    small *s = small_make();
    small_camera(s, "eye", 1.0, 0.0, 0.0);
    small_create(s);
    ty_diag diag = { 0 };
    tyi_ros_map *map = NULL;
    int count[3] = { 0 };
    cr_assert(tyi_ros_map_create(s->run, count_topics, count, &map, &diag) == TY_OK, "%s", diag.text);
    tyi_ros_map_fixed(map);
    TY_CHECK(ty_run_subscribe_state(s->run, tyi_ros_map_receive, map, &diag) == TY_OK);
    ty_run_publish(s->run);
    ty_run_publish(s->run);
    TY_CHECK(count[0] == 2 && count[1] == 1 && count[2] == 2);
    char topic[200];
    tyi_ros_lens lens;
    for (size_t i = 0; i < ty_run_sensors(s->run); i++) {
        const ty_sensor_def *def = ty_run_sensor(s->run, i).def;
        bool camera = def->kind == TY_SENSOR_CAMERA;
        TY_CHECK(tyi_ros_map_lens(map, i, &lens) == camera && ty_norm(lens.seat.p) < 10.0);
        TY_CHECK(!camera || (lens.k[2] == 0.5 * def->as.camera.camera.width - 0.5 && lens.p[3] == 0.0));
        TY_CHECK(strstr(tyi_ros_map_topic(map, i, topic, sizeof topic), def->name) != NULL);
    }
    TY_CHECK(tyi_ros_start(ty_run_world(s->run)) > 1577836800ll * TY_SECOND); /* 2020 */
    tyi_ros_map_destroy(map);
    small_free(s);
}

/* A run made in C is stopped: its files are whole, but there is no file to go on from. */
TY_TEST(state, a_stopped_record_is_whole)
{
    char folder[] = "/tmp/tycho-record-XXXXXX", path[200];
    cr_assert(mkdtemp(folder) && !rmdir(folder));
    small *s = small_make();
    small_create(s);
    ty_diag diag = { 0 };
    ty_record *record = NULL;
    struct stat about;
    ty_record_def def = ty_record_def_default();
    def.folder = folder, def.overview = false;
    cr_assert(ty_record_create(s->run, &def, &record, &diag) == TY_OK, "%s", diag.text);
    for (int i = 0; i < 50; i++) {
        TY_CHECK(ty_record_step(record, &diag) == TY_OK);
    }
    TY_CHECK(ty_record_stop(record, "a test wanted it", &diag) == TY_OK && ty_record_done(record));
    TY_CHECK(ty_record_finish(record, &diag) == TY_OK);
    ty_record_stats stats = ty_record_get_stats(record);
    TY_CHECK(stats.simulated > 0.0 && !stats.resumable && !strcmp(stats.ended, "a test wanted it"));
    TY_CHECK(ty_record_run(record) == s->run && !strcmp(ty_record_folder(record), folder));
    TY_CHECK(!strcmp(ty_record_cost_name(1), "soil") && ty_run_scenario(s->run)->rovers == 1);
    snprintf(path, sizeof path, "%s/report.html", folder);
    TY_CHECK(!stat(path, &about) && about.st_size > 1000);
    ty_record_destroy(record);
    TY_CHECK(ty_record_resume(folder, &def, &record, &diag) == TY_ERR_FILE && !record);
    snprintf(path, sizeof path, "rm -rf %s", folder);
    TY_CHECK(system(path) == 0);
    small_free(s);
}
