/* src/scenario/scenario_rover.c - the keys of `rovers:` in a scenario: where they stand, what on, who drives, what they
 * carry.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "scenario.h"
#include "sensor/kinds.h"
#include "tycho/math.h"
#include "vehicle/driver.h"
#include "vehicle/vehicle_def.h"

/* ---- driver ---- */

#define IN(field) offsetof(ty_scenario_driver, field)

static const tyi_limit point_limits[] = {
    { "x", "m", offsetof(ty_scenario_point, x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", offsetof(ty_scenario_point, y), TYI_DOUBLE, -1e6, 1e6 },
    { "arrive", "s", offsetof(ty_scenario_point, arrive), TYI_DOUBLE, 0.0, 1e7 },
    { 0 },
};
static const tyi_rules point_rules = { "waypoint", point_limits, NULL };
static const tyi_io_key point_keys[] = {
    { "x", TYI_IO_NUMBER, offsetof(ty_scenario_point, x), .text = "east of the site's origin", .required = true },
    { "y", TYI_IO_NUMBER, offsetof(ty_scenario_point, y), .text = "north of the site's origin", .required = true },
    { "arrive", TYI_IO_NUMBER, offsetof(ty_scenario_point, arrive),
      .text = "wanted time of arrival after the start; 0 is none" },
    { 0 },
};
static const tyi_io_schema point_schema = { point_keys, &point_rules, .whole = true };
static const tyi_io_key point_element = { "point", TYI_IO_MAPPING, 0, .text = "a waypoint", .schema = &point_schema };
static const tyi_io_list points = {
    .element = &point_element, .size = sizeof(ty_scenario_point), .count = IN(points), .least = 1, .most = 10000
};

static const tyi_limit driver_limits[] = {
    { "v", "m/s", IN(v), TYI_DOUBLE, -10.0, 10.0 },
    { "omega", "rad/s", IN(omega), TYI_DOUBLE, -TY_PI, TY_PI },
    { "speed", "m/s", IN(speed), TYI_DOUBLE, 1e-3, 10.0 },
    { "give_up", "s", IN(give_up), TYI_DOUBLE, 0.0, 1e7 },
    { "distance", "m", IN(distance), TYI_DOUBLE, 0.1, 1e3 },
    { "ahead", "m", IN(ahead), TYI_DOUBLE, -1e3, 1e3 },
    { "left", "m", IN(left), TYI_DOUBLE, -1e3, 1e3 },
    { "margin", "m", IN(margin), TYI_DOUBLE, 0.0, 100.0 },
    { 0 },
};
static const tyi_rules driver_rules = { "driver", driver_limits, NULL };

static const tyi_io_key stand_keys[] = { { 0 } };
static const tyi_io_schema stand = { stand_keys, &driver_rules, .whole = false };
static const tyi_io_key constant_keys[] = {
    { "v", TYI_IO_NUMBER, IN(v), .text = "forward speed", .required = true },
    { "omega_deg", TYI_IO_NUMBER, IN(omega), .text = "turning rate, left positive", .unit = "deg/s", .scale = TY_DEG },
    { 0 },
};
static const tyi_io_schema constant = { constant_keys, &driver_rules, .whole = false };
static const tyi_io_key table_keys[] = {
    { "file", TYI_IO_TEXT, IN(table),
      .text = "CSV file with the columns t, v, omega_deg, relative to the scenario file; if there, mode, crab_deg, and "
              "motors as in `commands`",
      .required = true, .size = TY_PATH_MAX },
    { 0 },
};
static const tyi_io_schema table = { table_keys, &driver_rules, .whole = false };
#define PATH_KEYS                                                                                                        \
    { "speed", TYI_IO_NUMBER, IN(speed), .text = "driving speed" },                                                      \
        { "give_up", TYI_IO_NUMBER, IN(give_up),                                                                         \
          .text =                                                                                                        \
              "the driver stops for good when it has not come 5 cm nearer to the next waypoint for so long; 0: never" }, \
    {                                                                                                                    \
        "points", TYI_IO_LIST, IN(point), .text = "the waypoints, in order", .required = true, .list = &points           \
    }
#define MARGIN_KEY                                                                                         \
    {                                                                                                      \
        "margin", TYI_IO_NUMBER, IN(margin),                                                               \
            .text = "distance that is kept to other rovers and to actors, between the circles around both" \
    }
#define LEADER_KEYS                                                                                         \
    { "leader", TYI_IO_TEXT, IN(leader), .text = "name of the other rover", .required = true, .size = 64 }, \
        { "speed", TYI_IO_NUMBER, IN(speed), .text = "speed at most" }, MARGIN_KEY
static const tyi_io_key path_keys[] = { PATH_KEYS, { 0 } };
static const tyi_io_schema path = { path_keys, &driver_rules, .whole = false };
static const tyi_io_key avoid_keys[] = { PATH_KEYS, MARGIN_KEY, { 0 } };
static const tyi_io_schema avoid = { avoid_keys, &driver_rules, .whole = false };
static const tyi_io_key follow_keys[] = {
    LEADER_KEYS,
    { "distance", TYI_IO_NUMBER, IN(distance), .text = "between the middles of both" },
    { 0 },
};
static const tyi_io_schema follow = { follow_keys, &driver_rules, .whole = false };
static const tyi_io_key formation_keys[] = {
    LEADER_KEYS,
    { "ahead", TYI_IO_NUMBER, IN(ahead), .text = "its place before the leader's middle; negative: behind" },
    { "left", TYI_IO_NUMBER, IN(left), .text = "likewise, to the leader's left; negative: right" },
    { 0 },
};
static const tyi_io_schema formation = { formation_keys, &driver_rules, .whole = false };

static void init_path(void *holder)
{
    const tyi_vehicle_driver_path_def standard = tyi_vehicle_driver_path_def_default();
    ty_scenario_driver *driver = holder;
    driver->speed = standard.speed;
    driver->give_up = standard.give_up;
    driver->distance = 2.0;
    driver->margin = 0.3;
}

static const tyi_io_key fmu_keys[] = {
    { "file", TYI_IO_TEXT, IN(table),
      .text = "FMU for co-simulation (FMI 2.0 or 3.0), relative to the scenario file: docs/fmi.md", .required = true,
      .size = TY_PATH_MAX },
    { "connect", TYI_IO_PAIRS, IN(connect),
      .text =
          "variables of the FMU that are named otherwise than what they are joined to: `{heading: yaw, speed_cmd: v}`" },
    { "set", TYI_IO_PAIRS, IN(set),
      .text = "numbers of its parameters, and of inputs that stay as they are: `{kp: 0.8}`" },
    { 0 },
};
static const tyi_io_schema fmu = { fmu_keys, &driver_rules, .whole = false };

static const tyi_io_variant drivers[] = {
    { "stand", "stands still", &stand, NULL },
    { "constant", "one command for the whole run", &constant, NULL },
    { "table", "commands over time from a file", &table, NULL },
    { "waypoints", "follows points by pure pursuit", &path, init_path },
    { "external", "the program that runs the scenario gives commands", &stand, NULL },
    { "fmu", "a controller as an FMU, stepped with the run", &fmu, NULL },
    { "avoid", "follows points as `waypoints` does, around other rovers and actors", &avoid, init_path },
    { "follow", "drives behind another rover, and around the others", &follow, init_path },
    { "formation", "keeps a place beside another rover, and drives around the others", &formation, init_path },
    { 0 },
};
#undef IN

/* ---- single motors ---- */

#define IN(field) offsetof(ty_scenario_move, field)
static const tyi_limit move_limits[] = {
    { "t", "s", IN(t), TYI_DOUBLE, 0.0, 1e7 },
    { "value", "", IN(value), TYI_DOUBLE, -1e6, 1e6 },
    { 0 },
};
static const tyi_rules move_rules = { "command", move_limits, NULL };
static const tyi_io_key move_keys[] = {
    { "t", TYI_IO_NUMBER, IN(t), .text = "when, after the start; not before the one above", .required = true },
    { "motor", TYI_IO_TEXT, IN(motor),
      .text = "a motor of the rover's file, or WHEEL.speed, WHEEL.steer of one of its wheels", .required = true,
      .size = sizeof(((ty_scenario_move *)0)->motor) },
    { "value", TYI_IO_NUMBER, IN(value), .text = "angle or speed that holds from then on", .unit = "rad or rad/s" },
    { "value_deg", TYI_IO_NUMBER, IN(value), .text = "likewise", .unit = "deg or deg/s", .scale = TY_DEG },
    { 0 },
};
static const tyi_io_schema move_schema = { move_keys, &move_rules, .whole = true };
static const tyi_io_key move_element = { "command", TYI_IO_MAPPING, 0, .text = "a command", .schema = &move_schema };
static void init_move(void *element)
{
    ((ty_scenario_move *)element)->value = (double)NAN; /* one of both is needed */
}
#undef IN

#define IN(field) offsetof(ty_scenario_rover, field)
static const tyi_io_list moves = {
    .element = &move_element, .size = sizeof(ty_scenario_move), .count = IN(moves), .most = 100000, .init = init_move
};
static const tyi_io_key command_keys[] = {
    { "file", TYI_IO_TEXT, IN(commands),
      .text = "CSV file with t and a column for each motor, by its name [rad, rad/s] or with _deg behind it; an empty "
              "field leaves the motor as it is",
      .size = TY_PATH_MAX },
    { "at", TYI_IO_LIST, IN(move), .text = "The same, one mapping for each command", .list = &moves },
    { 0 },
};
static const tyi_io_schema commands = { command_keys, &tyi_vehicle_rules, .whole = false };

static void init_sensor(void *element)
{
    ((ty_sensor_def *)element)->kind = -1; /* its type is needed */
}
static const tyi_io_list sensors = { .element = &tyi_sensor_element,
                                     .size = sizeof(ty_sensor_def),
                                     .count = IN(sensors),
                                     .most = 256,
                                     .init = init_sensor };

/* defaults and ranges are the vehicle's, which stands first */
_Static_assert(offsetof(ty_scenario_rover, vehicle) == 0, "the vehicle's rules hold for the rover's keys");

static const tyi_io_key rock_keys[] = {
    { "push", TYI_IO_NUMBER, IN(vehicle.rock_push),
      .text = "smaller rocks are pushed along and pressed in by wheels, larger ones stand fast; 0: all stand" },
    { "friction", TYI_IO_NUMBER, IN(vehicle.rock_mu), .text = "friction of pushed rocks on soil" },
    { 0 },
};
static const tyi_io_schema rocks = { rock_keys, &tyi_vehicle_rules, .whole = false };

static const tyi_io_key rover_keys[] = {
    { "name", TYI_IO_TEXT, IN(name), .text = "names its files", .size = 64 },
    { "model", TYI_IO_TEXT, IN(model), .text = "the rover's YAML file (models/rovers), relative to the scenario file",
      .required = true, .size = TY_PATH_MAX },
    { "x", TYI_IO_NUMBER, IN(vehicle.x), .text = "where it starts, east of the site's origin" },
    { "y", TYI_IO_NUMBER, IN(vehicle.y), .text = "where it starts, north of the site's origin" },
    { "yaw_deg", TYI_IO_NUMBER, IN(vehicle.yaw), .text = "heading, from east to the left: 90 is north", .unit = "deg",
      .scale = TY_DEG },
    { "waits", TYI_IO_BOOLEAN, IN(waits),
      .text = "whether it is not there until it is put down in the run (docs/run.md); it carries no sensors then" },
    { "soil", TYI_IO_MAPPING, IN(soil),
      .text = "Older form of the scenario's `soil`, for files that do not give that: all rovers must say the same",
      .schema = &tyi_scenario_rover_soil },
    { "rocks", TYI_IO_MAPPING, 0, .text = "Rocks before its wheels", .schema = &rocks },
    { "driver", TYI_IO_UNION, IN(driver), .text = "Who drives it", .tag = "type", .variants = drivers,
      .tag_offset = offsetof(ty_scenario_driver, kind), .size = sizeof(ty_scenario_driver) },
    { "commands", TYI_IO_MAPPING, 0,
      .text = "What single motors do over time: arms, drums, masts, wheels; with any driver, also none",
      .schema = &commands },
    { "sensors", TYI_IO_LIST, IN(sensor), .text = "Its sensors", .list = &sensors },
    { 0 },
};
static const tyi_io_schema rover_schema = { rover_keys, &tyi_vehicle_rules, .whole = true };
static const tyi_io_key rover_element = { "rover", TYI_IO_MAPPING, 0, .text = "a rover", .schema = &rover_schema };

/* where one that waits is put down */
static const tyi_io_key entry_keys[] = {
    { "name", TYI_IO_TEXT, IN(name), .text = "of a rover that waits", .required = true, .size = 64 },
    { "x", TYI_IO_NUMBER, IN(vehicle.x), .text = "where it is put down, east of the site's origin" },
    { "y", TYI_IO_NUMBER, IN(vehicle.y), .text = "likewise, north" },
    { "yaw_deg", TYI_IO_NUMBER, IN(vehicle.yaw), .text = "heading, from east to the left: 90 is north", .unit = "deg",
      .scale = TY_DEG },
    { 0 },
};
static const tyi_io_schema entry_schema = { entry_keys, &tyi_vehicle_rules, .whole = false };
static const tyi_io_key entry_element = { "rover", TYI_IO_MAPPING, 0, .text = "a rover", .schema = &entry_schema };

static void init_rover(void *element)
{
    ty_scenario_rover *rover = element;
    *rover = (ty_scenario_rover){ .vehicle = ty_vehicle_def_default(),
                                  .name = "rover",
                                  .soil = tyi_scenario_soil_default(TY_SOIL_BEKKER) };
}

const tyi_io_list tyi_scenario_rovers = { .element = &rover_element,
                                          .size = sizeof(ty_scenario_rover),
                                          .count = offsetof(ty_scenario, rovers),
                                          .most = 256,
                                          .init = init_rover };

const tyi_io_list tyi_scenario_entries = { .element = &entry_element,
                                           .size = sizeof(ty_scenario_rover),
                                           .count = offsetof(ty_scenario, rovers),
                                           .most = 256,
                                           .init = init_rover };
