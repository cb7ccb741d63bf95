/* bridge/ros/services.c - see services.h. The order of the fields is that of the package's srv and msg files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "services.h"
#include <math.h>
#include "input.h"
#include "io/bytes.h"

static const struct {
    const char *name, *type;
} services[TYB_ROS_SERVICES] = {
    [TYB_ROS_GET_FEATURES] = { "get_simulator_features", "simulation_interfaces/srv/GetSimulatorFeatures" },
    [TYB_ROS_GET_STATE] = { "get_simulation_state", "simulation_interfaces/srv/GetSimulationState" },
    [TYB_ROS_SET_STATE] = { "set_simulation_state", "simulation_interfaces/srv/SetSimulationState" },
    [TYB_ROS_STEP] = { "step_simulation", "simulation_interfaces/srv/StepSimulation" },
    [TYB_ROS_RESET] = { "reset_simulation", "simulation_interfaces/srv/ResetSimulation" },
    [TYB_ROS_GET_ENTITIES] = { "get_entities", "simulation_interfaces/srv/GetEntities" },
    [TYB_ROS_GET_ENTITIES_STATES] = { "get_entities_states", "simulation_interfaces/srv/GetEntitiesStates" },
    [TYB_ROS_GET_ENTITY_STATE] = { "get_entity_state", "simulation_interfaces/srv/GetEntityState" },
    [TYB_ROS_SPAWN] = { "spawn_entity", "simulation_interfaces/srv/SpawnEntity" },
    [TYB_ROS_DELETE] = { "delete_entity", "simulation_interfaces/srv/DeleteEntity" },
};

const char *tyb_ros_service_name(tyb_ros_service which)
{
    return services[which].name;
}

const char *tyb_ros_service_type(tyb_ros_service which)
{
    return services[which].type;
}

/* ---- requests ---- */

/* a count that the rest of the message can hold */
static uint64_t count_of(input *in, size_t least)
{
    uint64_t n = take(in, 4);
    in->failed = in->failed || n > in->bytes / least;
    return in->failed ? 0 : n;
}

/* EntityFilters: names by a regular expression, categories, tags, bounds */
static void filters(input *in, tyb_ros_request *out)
{
    char tag[8];
    text(in, out->name, sizeof out->name);
    for (uint64_t n = count_of(in, 1); n-- && !in->failed;) {
        out->categories |= 1u << (take(in, 1) & 31);
    }
    uint64_t tags = count_of(in, 4);
    out->tags = tags > 0;
    while (tags-- && !in->failed) {
        text(in, tag, sizeof tag);
    }
    take(in, 1); /* how tags are meant */
    take(in, 1); /* kind of bounds */
    uint64_t points = count_of(in, 24);
    out->bounds = points > 0;
    for (uint64_t k = 0; k < 3 * points && !in->failed; k++) {
        number(in);
    }
}

static ty_pose pose(input *in)
{
    ty_pose p;
    p.p.x = number(in), p.p.y = number(in), p.p.z = number(in);
    p.q.x = number(in), p.q.y = number(in), p.q.z = number(in), p.q.w = number(in);
    double size = p.q.x * p.q.x + p.q.y * p.q.y + p.q.z * p.q.z + p.q.w * p.q.w;
    bool finite = isfinite(p.p.x) && isfinite(p.p.y) && isfinite(p.p.z) && isfinite(size);
    in->failed = in->failed || !finite;
    p.q = finite && size > 1e-12 ? ty_quat_normalize(p.q) : ty_quat_identity(); /* all zeros: as ROS leaves it */
    return p;
}

bool tyb_ros_read_request(tyb_ros_service which, const uint8_t *cdr, size_t bytes, tyb_ros_request *out)
{
    input in = begin(cdr, bytes);
    *out = (tyb_ros_request){ .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    out->client = take(&in, 8);
    out->number = (int64_t)take(&in, 8);
    switch (which) {
    case TYB_ROS_SET_STATE:
        out->state = (uint8_t)take(&in, 1);
        break;
    case TYB_ROS_STEP:
        out->steps = take(&in, 8);
        break;
    case TYB_ROS_RESET:
        out->scope = (uint8_t)take(&in, 1);
        break;
    case TYB_ROS_GET_ENTITIES:
    case TYB_ROS_GET_ENTITIES_STATES:
        filters(&in, out);
        break;
    case TYB_ROS_GET_ENTITY_STATE:
    case TYB_ROS_DELETE:
        text(&in, out->name, sizeof out->name);
        break;
    case TYB_ROS_SPAWN:
        text(&in, out->name, sizeof out->name);
        out->rename = take(&in, 1) != 0;
        text(&in, out->uri, sizeof out->uri);
        text(&in, out->lines, sizeof out->lines);
        text(&in, out->space, sizeof out->space);
        take(&in, 4), take(&in, 4); /* stamp */
        text(&in, out->frame, sizeof out->frame);
        out->pose = pose(&in);
        break;
    case TYB_ROS_GET_FEATURES:
    case TYB_ROS_GET_STATE:
    case TYB_ROS_SERVICES:
        break;
    }
    return !in.failed;
}

/* ---- replies ---- */

static void put_u64(tyi_io_cdr *out, uint64_t v)
{
    tyi_io_cdr_align(out, 8);
    tyi_io_cdr_add(out, &v, sizeof v);
}

static void put_result(tyi_io_cdr *out, const tyb_ros_reply *r)
{
    tyi_io_cdr_u8(out, (uint8_t)r->result);
    tyi_io_cdr_text(out, r->text);
}

/* EntityState: where it is and how it moves, both as seen in map; accelerations are not told */
static void put_state(tyi_io_cdr *out, int64_t stamp, const tyb_ros_entity *e)
{
    static const tyb_ros_entity nothing = { .pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
    const ty_vec3 none = { 0, 0, 0 };
    e = e ? e : &nothing;
    tyi_io_cdr_header(out, stamp, "map");
    tyi_io_cdr_vec3(out, e->pose.p);
    tyi_io_cdr_quat(out, e->pose.q);
    tyi_io_cdr_vec3(out, e->v), tyi_io_cdr_vec3(out, e->omega);
    tyi_io_cdr_vec3(out, none), tyi_io_cdr_vec3(out, none);
}

/* SimulatorFeatures.msg: spawning, deleting, categories, spawning by a text, states of entities, reset, state of the simulation
 * with pause, one and many steps */
static void put_features(tyi_io_cdr *out)
{
    static const uint16_t feature[] = { 0, 1, 8, 9, 10, 20, 24, 25, 26, 31, 32 };
    tyi_io_cdr_u32(out, sizeof feature / sizeof *feature);
    tyi_io_cdr_add(out, feature, sizeof feature);
    tyi_io_cdr_u32(out, 1);
    tyi_io_cdr_text(out, "tycho");
    tyi_io_cdr_text(out, "Tycho " TYCHO_VERSION
                         ", docs/live.md: lines of a scenario as resource_string, or uri rock, sphere, rover/NAME");
}

void tyb_ros_write_reply(tyb_ros_service which, const tyb_ros_request *request, const tyb_ros_reply *r, tyi_io_cdr *out)
{
    tyi_io_cdr_begin(out);
    put_u64(out, request->client);
    put_u64(out, (uint64_t)request->number);
    if (which == TYB_ROS_GET_FEATURES) {
        put_features(out);
        return;
    }
    if (which == TYB_ROS_GET_STATE) {
        tyi_io_cdr_u8(out, r->state);
    }
    put_result(out, r);
    if (which == TYB_ROS_GET_ENTITY_STATE) {
        put_state(out, r->stamp, r->entities ? r->entity : NULL);
    }
    if (which == TYB_ROS_SPAWN) {
        tyi_io_cdr_text(out, r->name);
    }
    if (which == TYB_ROS_GET_ENTITIES || which == TYB_ROS_GET_ENTITIES_STATES) {
        tyi_io_cdr_u32(out, (uint32_t)r->entities);
        for (size_t i = 0; i < r->entities; i++) {
            tyi_io_cdr_text(out, r->entity[i].name);
        }
    }
    if (which == TYB_ROS_GET_ENTITIES_STATES) {
        tyi_io_cdr_u32(out, (uint32_t)r->entities);
        for (size_t i = 0; i < r->entities; i++) {
            put_state(out, r->stamp, &r->entity[i]);
        }
    }
}
