/* MCAP files: what is cut back and resumed has the same bytes as what went through; a full disk gets a sentence.
 * That other people's readers understand them is shown by tests/cli/mcap.sh, which reads what `every_type` writes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "io/mcap.h"
#include "tyt.h"

#define START 1796083200000000000ll /* 2026-12-01 */

static void write_every_type(tyi_io_mcap *log, int round, ty_diag *diag)
{
    static const char *const joints[] = { "front_left", "rear" };
    static const tyi_io_ros_field fields[] = { { "x", 0, 7 }, { "y", 4, 7 }, { "z", 8, 7 }, { "ring", 12, 4 } };
    const double position[] = { 1.5, -2.5 }, k[9] = { 500, 0, 320, 0, 500, 240, 0, 0, 1 },
                 d[] = { 0.1, -0.2, 0, 0, 0.05 };
    const double variance[3] = { 0.25, 0.5, 1.0 };
    const char *value[][2] = { { "rate", "10" }, { "sent", "3" } };
    const tyi_io_ros_status status = { 1, "viper/imu", "late", value, 2 };
    const tyi_io_ros_box box = { "rock", "77", { { 4, 5, 6 }, { 1, 0, 0, 0 } }, { 1, 2, 3 } };
    uint8_t pixels[6 * 3], points[2 * 14] = { 0 };
    int64_t t = START + round * 100000000ll;
    ty_pose pose = { { 1, 2, 3 }, { 0.5, 0.5, -0.5, 0.5 } };
    tyi_io_ros_transform tf[] = { { "site", "viper", pose },
                                  { "viper", "viper/imu", { { 0, 0, 0.5 }, { 1, 0, 0, 0 } } } };
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (uint8_t)(i * 10 + (size_t)round);
    }
    tyi_io_cdr b = { 0 };
    uint16_t id;
#define SEND(topic, type, call)                                              \
    do {                                                                     \
        call;                                                                \
        TY_CHECK(tyi_io_mcap_channel(log, topic, type, &id, diag) == TY_OK); \
        TY_CHECK(tyi_io_mcap_write(log, id, t, &b, diag) == TY_OK);          \
    } while (0)
    SEND("/clock", TY_ROS_CLOCK, tyi_io_ros_clock(&b, t));
    SEND("/tf", TY_ROS_TF, tyi_io_ros_tf(&b, t, tf, 2));
    SEND("/odom", TY_ROS_ODOMETRY,
         tyi_io_ros_odometry(&b, t, "site", "viper", pose, ty_vec3_make(0.2, 0, 0), ty_vec3_make(0, 0, 0.1), NULL));
    SEND(
        "/imu", TY_ROS_IMU,
        tyi_io_ros_imu(&b, t, "viper/imu", NULL, ty_vec3_make(0.01, 0.02, 0.03), ty_vec3_make(0, 0, 1.62), 1e-6, 1e-4));
    SEND("/joints", TY_ROS_JOINT_STATE, tyi_io_ros_joint_state(&b, t, "", 2, joints, position, position, NULL));
    SEND("/image", TY_ROS_IMAGE, tyi_io_ros_image(&b, t, "cam", 6, 3, "mono8", 6, pixels));
    SEND("/info", TY_ROS_CAMERA_INFO, tyi_io_ros_camera_info(&b, t, "cam", 6, 3, "plumb_bob", d, 5, k, 200.0));
    SEND("/cloud", TY_ROS_POINT_CLOUD, tyi_io_ros_point_cloud(&b, t, "lidar", 2, fields, 4, 14, points));
    SEND("/battery", TY_ROS_BATTERY,
         tyi_io_ros_battery_state(&b, t, "", &(tyi_io_ros_battery){ 28.0f, -3.0f, 20.0f, 40.0f, 0.5f }));
    SEND("/sun", TY_ROS_VECTOR, tyi_io_ros_vector(&b, t, "viper", ty_vec3_make(0, 0.6, 0.8)));
    SEND("/fix", TY_ROS_POINT, tyi_io_ros_vector(&b, t, "site", ty_vec3_make(5, 6, 7)));
    SEND("/stars", TY_ROS_QUATERNION, tyi_io_ros_quaternion(&b, t, "viper", pose.q));
    SEND("/range", TY_ROS_RANGE, tyi_io_ros_range(&b, t, "alt", 0.01f, 0.5f, 100.0f, 12.5f, 0.04f));
    SEND("/place", TY_ROS_POSE, tyi_io_ros_pose(&b, t, "map", ty_vec3_make(5, 6, 7), NULL, variance));
    SEND("/values", TY_ROS_VALUES, tyi_io_ros_values(&b, "a_w,b_w", position, 2));
    SEND("/text", TY_ROS_STRING, tyi_io_ros_string(&b, "a rock"));
    SEND("/boxes", TY_ROS_BOXES, tyi_io_ros_boxes(&b, t, "cam", false, &box, 1));
    SEND("/solids", TY_ROS_SOLIDS, tyi_io_ros_boxes(&b, t, "cam", true, &box, 1));
    SEND("/diagnostics", TY_ROS_DIAGNOSTICS, tyi_io_ros_diagnostics(&b, t, &status, 1));
    tyi_io_cdr_free(&b);
#undef SEND
}

static tyi_io_cdr read_all(const char *path)
{
    tyi_io_cdr b = { 0 };
    char part[4096];
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;) {
        tyi_io_cdr_add(&b, part, n);
    }
    if (f) {
        fclose(f);
    }
    return b;
}

TY_TEST(mcap, every_type)
{
    const char *asked = getenv("TYT_MCAP_OUT");
    char path[] = "/tmp/tycho-mcap-XXXXXX";
    int fd = asked ? -1 : mkstemp(path);
    const char *name = asked ? asked : path;
    ty_diag diag = { 0 };
    tyi_io_mcap *log = NULL;
    TY_CHECK(tyi_io_mcap_create(name, NULL, &log, &diag) == TY_OK);
    for (int round = 0; round < 10; round++) {
        write_every_type(log, round, &diag);
    }
    uint16_t id;
    TY_CHECK(tyi_io_mcap_channel(log, "/imu", TY_ROS_CLOCK, &id, NULL) == TY_ERR_INPUT);
    TY_CHECK(tyi_io_mcap_write(log, 99, START, &(tyi_io_cdr){ 0 }, NULL) == TY_ERR_INPUT);
    TY_CHECK(tyi_io_mcap_close(log, &diag) == TY_OK);
    if (!asked) {
        close(fd);
        unlink(path);
    }
    TY_ROW("MCAP: every message type is written",
           "tests/cli/mcap.sh reads it with @mcap/core and @foxglove/rosmsg2-serialization", "written whole");
}

/* 40 rounds with images large enough to fill chunks; saved after `cut`, spoiled, resumed */
static tyi_io_cdr record(const char *path, int cut)
{
    static uint8_t pixels[300 * 300];
    uint32_t seed = 1;
    ty_diag diag = { 0 };
    tyi_io_mcap *log = NULL;
    tyi_io_cdr state = { 0 }, image = { 0 };
    uint16_t id = 0;
    TY_CHECK(tyi_io_mcap_create(path, NULL, &log, &diag) == TY_OK);
    for (int round = 0; round < 40; round++) {
        if (round == cut) {
            TY_CHECK(tyi_io_mcap_save(log, &state, &diag) == TY_OK);
            for (int k = 0; k < 25; k++) { /* what is lost in the crash */
                write_every_type(log, 100 + k, &diag);
                TY_CHECK(tyi_io_mcap_write(log, id, START, &image, &diag) == TY_OK);
            }
            TY_CHECK(tyi_io_mcap_close(log, &diag) == TY_OK);
            TY_CHECK(tyi_io_mcap_resume(path, state.data, state.size - 1, NULL, &log, NULL) == TY_ERR_FORMAT);
            TY_CHECK(tyi_io_mcap_resume(path, state.data, state.size, NULL, &log, &diag) == TY_OK);
        }
        write_every_type(log, round, &diag);
        for (size_t i = 0; i < sizeof pixels; i++) { /* noise: what compression leaves as it is */
            seed = seed * 1664525u + 1013904223u;
            pixels[i] = (uint8_t)(seed >> 24);
        }
        tyi_io_ros_image(&image, START + round, "cam", 300, 300, "mono8", 300, pixels);
        TY_CHECK(tyi_io_mcap_channel(log, "/large", TY_ROS_IMAGE, &id, &diag) == TY_OK);
        TY_CHECK(tyi_io_mcap_write(log, id, START + round, &image, &diag) == TY_OK);
    }
    TY_CHECK(tyi_io_mcap_close(log, &diag) == TY_OK);
    tyi_io_cdr_free(&state);
    tyi_io_cdr_free(&image);
    return read_all(path);
}

TY_TEST(mcap, resumed_has_the_same_bytes)
{
    char path[] = "/tmp/tycho-mcap-XXXXXX";
    close(mkstemp(path));
    tyi_io_cdr whole = record(path, -1);
    TY_CHECK(whole.size > 3000000);
    const int cuts[] = { 1, 13, 39 };
    for (int k = 0; k < 3; k++) {
        tyi_io_cdr again = record(path, cuts[k]);
        TY_CHECK(again.size == whole.size && !memcmp(again.data, whole.data, whole.size));
        tyi_io_cdr_free(&again);
    }
    /* control: one byte of another message shows */
    tyi_io_cdr other = record(path, -1);
    other.data[other.size / 2] ^= 1;
    TY_CHECK(memcmp(other.data, whole.data, whole.size) != 0);
    tyi_io_cdr_free(&other);
    tyi_io_cdr_free(&whole);
    unlink(path);
}

TY_TEST(mcap, full_disk_gets_a_sentence)
{
    ty_diag diag = { 0 };
    tyi_io_mcap *log = NULL;
    TY_CHECK(tyi_io_mcap_create("/dev/full", NULL, &log, &diag) == TY_ERR_FILE);
    TY_CHECK(log == NULL && strstr(diag.text, "/dev/full: cannot be written: No space left") != NULL);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_io_mcap_create("/nowhere/x.mcap", NULL, &log, &diag) == TY_ERR_FILE);
    TY_CHECK(strstr(diag.text, "/nowhere/x.mcap") != NULL);
}

/* Bytes that are put are read back, and nothing is read past their end. */
TY_TEST(mcap, bytes_and_blocks_are_read_back)
{
    tyi_io_cdr b = { 0 };
    const char text[] = "regolith";
    uint32_t number = 0, got = 0;
    uint8_t *room = tyi_io_cdr_room(&b, 3);
    cr_assert(room && room[0] == 0 && room[2] == 0);
    memcpy(room, "abc", 3);
    tyi_io_cdr_add_block(&b, text, sizeof text);
    tyi_io_cdr_add_block(&b, NULL, 0);
    number = 0x12345678;
    tyi_io_cdr_add(&b, &number, sizeof number);
    /* sizes little endian */
    TY_CHECK(b.size == 3 + 8 + sizeof text + 8 + sizeof number && b.data[3] == sizeof text && b.data[4] == 0);
    tyi_io_cdr_reader r = { b.data, b.data + b.size, false };
    size_t size = 99;
    const void *first = tyi_io_cdr_reader_take(&r, 3);
    TY_CHECK(first && !memcmp(first, "abc", 3));
    const char *block = tyi_io_cdr_reader_block(&r, &size);
    TY_CHECK(block && size == sizeof text && !strcmp(block, text));
    TY_CHECK(tyi_io_cdr_reader_block(&r, &size) && size == 0 && !r.failed);
    tyi_io_cdr_reader_get(&r, &got, sizeof got);
    TY_CHECK(got == number && r.at == r.end && !r.failed);
    tyi_io_cdr_reader_get(&r, &got, sizeof got); /* past the end: zero, and remembered */
    TY_CHECK(got == 0 && r.failed && !tyi_io_cdr_reader_take(&r, 0));
    tyi_io_cdr_reader cut = { b.data + 3, b.data + 3 + 8 + 4, false }; /* control: a block that is cut off */
    TY_CHECK(!tyi_io_cdr_reader_block(&cut, &size) && size == 0 && cut.failed);
    tyi_io_cdr_free(&b);
}
