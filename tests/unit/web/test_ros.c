/* Commands by ROS messages: CDR by hand, either byte order, cut short and mutated; a live run with ROS topics starts and ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../../bridge/ros/door.h"
#include "../../../bridge/ros/services.h"
#include "tycho/tools/live.h"
#include "io/mcap.h"
#include "tyt.h"

/* numbers of a size at their places (CDR: multiples of it from behind the encoding), in the order of bytes */
static size_t put(uint8_t *out, size_t at, uint64_t bits, size_t size, bool big)
{
    for (; (at - 4) % size; at++) {
        out[at] = 0;
    }
    for (size_t i = 0; i < size; i++) {
        out[at + i] = (uint8_t)(bits >> 8 * (big ? size - 1 - i : i));
    }
    return at + size;
}

static size_t put_double(uint8_t *out, size_t at, double v, bool big)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    return put(out, at, bits, 8, big);
}

static size_t put_text(uint8_t *out, size_t at, const char *text, bool big)
{
    at = put(out, at, strlen(text) + 1, 4, big);
    memcpy(out + at, text, strlen(text) + 1);
    return at + strlen(text) + 1;
}

static size_t begin(uint8_t *out, bool big, const char *frame)
{
    memset(out, 0, 512);
    out[1] = big ? 0 : 1;
    size_t at = 4;
    if (frame) {
        at = put(out, put(out, at, 7, 4, big), 8, 4, big);
        at = put_text(out, at, frame, big);
    }
    return at;
}

static size_t twist(uint8_t *out, bool big, const char *frame)
{
    size_t at = begin(out, big, frame);
    for (int i = 0; i < 6; i++) {
        at = put_double(out, at, 0.25 * (i + 1), big);
    }
    return at;
}

static size_t joints(uint8_t *out, bool big)
{
    size_t at = begin(out, big, "");
    at = put(out, at, 2, 4, big);
    at = put_text(out, put_text(out, at, "front_left", big), "mast", big);
    at = put(out, at, 2, 4, big);
    at = put_double(out, put_double(out, at, 0.5, big), -1.5, big);
    at = put(out, at, 1, 4, big);
    return put(out, put_double(out, at, 3.0, big), 0, 4, big);
}

/* SpawnEntity of simulation_interfaces, as ROS 2 on CycloneDDS sends it: two numbers, then its fields */
static size_t spawn(uint8_t *out, bool big)
{
    size_t at = begin(out, big, NULL);
    at = put(out, put(out, at, 7, 8, big), 9, 8, big);
    at = put_text(out, at, "stone", big);
    at = put(out, at, 1, 1, big);
    at = put_text(out, put_text(out, put_text(out, at, "rock?size=0.3", big), "", big), "", big);
    at = put_text(out, put(out, put(out, at, 0, 4, big), 0, 4, big), "map", big);
    for (int k = 0; k < 7; k++) {
        at = put_double(out, at, k < 3 ? 1.5 + k : k == 6, big);
    }
    return at;
}

TY_TEST(ros, requests_by_hand)
{
    uint8_t b[512];
    tyb_ros_request q;
    for (int big = 0; big < 2; big++) {
        size_t n = spawn(b, big);
        cr_assert(tyb_ros_read_request(TYB_ROS_SPAWN, b, n, &q));
        cr_assert(q.client == 7 && q.number == 9 && q.rename && q.pose.p.x == 1.5 && q.pose.p.z == 3.5 &&
                  q.pose.q.w == 1.0);
        cr_assert(!strcmp(q.name, "stone") && !strcmp(q.uri, "rock?size=0.3") && !q.lines[0] &&
                  !strcmp(q.frame, "map"));
        for (size_t k = 0; k < n; k++) {
            cr_assert_not(tyb_ros_read_request(TYB_ROS_SPAWN, b, k, &q), "%zu of %zu bytes were taken", k, n);
        }
        n = put(b, put(b, put(b, begin(b, big, NULL), 1, 8, big), 2, 8, big), 500, 8, big);
        cr_assert(tyb_ros_read_request(TYB_ROS_STEP, b, n, &q) && q.steps == 500);
        cr_assert_not(tyb_ros_read_request(TYB_ROS_STEP, b, n - 16, &q), "control: without the two numbers");
    }
    tyi_io_cdr out = { 0 };
    tyb_ros_reply r = { .result = TYB_ROS_OK, .state = TYB_ROS_PAUSED };
    q = (tyb_ros_request){ .client = 0x0102030405060708u, .number = 3 };
    tyb_ros_write_reply(TYB_ROS_GET_STATE, &q, &r, &out);
    static const uint8_t want[] = { 0, 1, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 3, 0, 0,
                                    0, 0, 0, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0 };
    cr_assert(out.size == sizeof want && !memcmp(out.data, want, sizeof want));
    tyi_io_cdr_free(&out);
}

TY_TEST(ros, messages_by_hand)
{
    static const char *const frames[] = { "", "a", "base_link", "viper/base_link" };
    uint8_t b[512];
    tyb_ros_drive d;
    tyb_ros_joints j;
    for (int big = 0; big < 2; big++) {
        for (size_t f = 0; f <= sizeof frames / sizeof *frames; f++) {
            bool stamped = f > 0;
            size_t n = twist(b, big, stamped ? frames[f - 1] : NULL);
            cr_assert(tyb_ros_read_twist(b, n, stamped, &d));
            cr_assert(d.v == 0.25 && d.across == 0.5 && d.omega == 1.5 && isnan(d.steer));
            for (size_t k = 0; k < n; k++) {
                cr_assert_not(tyb_ros_read_twist(b, k, stamped, &d), "%zu of %zu bytes were taken", k, n);
            }
            b[1] = 3;
            cr_assert_not(tyb_ros_read_twist(b, n, stamped, &d), "control: another encoding");
        }
        size_t n = joints(b, big);
        cr_assert(tyb_ros_read_joints(b, n, &j) && j.count == 2);
        cr_assert_str_eq(j.name[0], "front_left");
        cr_assert_str_eq(j.name[1], "mast");
        cr_assert(j.position[0] == 0.5 && j.position[1] == -1.5 && j.velocity[0] == 3.0 && isnan(j.velocity[1]));
        n = begin(b, big, NULL);
        n = put_text(b, n, "step 10", big);
        char text[5];
        cr_assert(tyb_ros_read_string(b, n, text, sizeof text));
        cr_assert_str_eq(text, "step");
    }
    size_t n = twist(b, false, NULL);
    put_double(b, 4, (double)NAN, false);
    cr_assert_not(tyb_ros_read_twist(b, n, false, &d), "control: not a number");
}

/* nothing outside of the message is read, whatever it says of itself: the sanitizers look on */
TY_TEST(ros, mutated_commands)
{
    uint64_t s = 20261116;
    tyb_ros_drive d;
    tyb_ros_joints j;
    int taken = 0, count = tyt_long() ? 100000 : 20000;
    for (int i = 0; i < count; i++) {
        uint8_t b[512];
        char text[64];
        bool big = i & 1;
        size_t n = i % 4 == 0   ? twist(b, big, "map")
                   : i % 4 == 1 ? joints(b, big)
                   : i % 4 == 2 ? spawn(b, big)
                                : put_text(b, begin(b, big, NULL), "speed 2", big);
        for (int k = 0; k < 1 + i % 4; k++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            b[(s >> 33) % n] = (uint8_t)(s >> 24);
        }
        s = s * 6364136223846793005u + 1442695040888963407u;
        n = s >> 62 ? n : (s >> 33) % (n + 1);
        uint8_t *exact = malloc(n + 1);
        memcpy(exact, b, n);
        taken += tyb_ros_read_twist(exact, n, true, &d);
        taken += tyb_ros_read_ackermann(exact, n, &d);
        taken += tyb_ros_read_string(exact, n, text, sizeof text);
        tyb_ros_request q;
        for (int k = 0; k < TYB_ROS_SERVICES; k++) {
            taken += k == (i % 4 == 2 ? TYB_ROS_SPAWN : i % TYB_ROS_SERVICES) &&
                     tyb_ros_read_request((tyb_ros_service)k, exact, n, &q);
        }
        if (tyb_ros_read_joints(exact, n, &j)) {
            cr_assert(j.count >= 0 && j.count <= TYB_ROS_JOINTS);
            taken++;
        }
        free(exact);
    }
    cr_assert(taken > count / 100 && taken < 3 * count, "%d were taken", taken);
}

TY_TEST(ros, a_live_run_with_topics)
{
    const char *root = getenv("TYCHO_SOURCE");
    char path[1000];
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_live *live = NULL;
    snprintf(path, sizeof path, "%s/scenarios/ex1_startstop.yaml", root ? root : ".");
    cr_assert_eq(ty_scenario_load(path, NULL, 0, &scenario, &diag), TY_OK, "%s", diag.text);
    ty_live_def def = ty_live_def_default();
    def.scenario = scenario;
    def.ros = true, def.ros_domain = 231, def.speed = 0.0, def.ros_namespace = "moon/one";
    ty_status status = ty_live_create(&def, &live, &diag);
    if (status == TY_ERR_INPUT && strstr(diag.text, "CycloneDDS")) {
        ty_scenario_destroy(scenario);
        cr_skip_test("%s", diag.text);
    }
    cr_assert_eq(status, TY_OK, "%s", diag.text);
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(ty_live_turn(live, &diag), TY_OK, "%s", diag.text);
    }
    ty_live_destroy(live);
    live = NULL;
    def.ros_namespace = "no/";
    cr_assert_eq(ty_live_create(&def, &live, &diag), TY_ERR_INPUT, "control: a name that is none");
    def.ros_namespace = NULL, def.ros_domain = 233;
    cr_assert_eq(ty_live_create(&def, &live, &diag), TY_ERR_RANGE, "control: a domain that is none");
    tyi_io_cdr message = { 0 };
    cr_assert_not(tyi_ros_description(&scenario->rover[0], &message), "its model is no URDF file");
    ty_scenario_destroy(scenario);
}
