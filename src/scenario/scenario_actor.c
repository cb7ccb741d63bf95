/* src/scenario/scenario_actor.c - the keys of `actors:` in a scenario.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "scenario.h"
#include "sensor/kinds.h"
#include "tycho/math.h"

#define IN(field) offsetof(ty_scenario_actor, field)
static const tyi_limit limits[] = {
    { "scale", "", IN(scale), TYI_DOUBLE, 1e-6, 1e6 },
    { "albedo", "", IN(albedo), TYI_DOUBLE, 0.0, 1.0 },
    { "x", "m", IN(x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", IN(y), TYI_DOUBLE, -1e6, 1e6 },
    { "z", "m", IN(z), TYI_DOUBLE, -1e6, 1e7 },
    { "roll", "rad", IN(roll), TYI_DOUBLE, -TY_PI * 2.0, TY_PI * 2.0 },
    { "pitch", "rad", IN(pitch), TYI_DOUBLE, -TY_PI * 2.0, TY_PI * 2.0 },
    { "yaw", "rad", IN(yaw), TYI_DOUBLE, -TY_PI * 2.0, TY_PI * 2.0 },
    { 0 },
};
static const tyi_rules rules = { "actor", limits, NULL };

static const tyi_limit size_limits[] = { { "size", "m", 0, TYI_DOUBLE, 0.0, 1e5 }, { 0 } };
static const tyi_rules size_rules = { "size", size_limits, NULL };
static const tyi_io_key size_element = { "size", TYI_IO_NUMBER, 0, .text = "a length" };
static const tyi_io_list size_list = {
    .element = &size_element, .rules = &size_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
/* ty_body_shape_kind */
static const char *const shapes[] = { "sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh", NULL };

static void init_sensor(void *element)
{
    ((ty_sensor_def *)element)->kind = -1; /* its type is needed */
}
static const tyi_io_list sensors = {
    .element = &tyi_sensor_element, .size = sizeof(ty_sensor_def), .count = IN(sensors), .most = 64, .init = init_sensor
};

static const tyi_io_key keys[] = {
    { "name", TYI_IO_TEXT, IN(name), .text = "names it and its sensors' data", .required = true, .size = 64 },
    { "shape", TYI_IO_CHOICE, IN(shape), .text = "what it looks like", .choices = shapes },
    { "size", TYI_IO_LIST, IN(size),
      .text =
          "half sides of a box, half axes of an ellipsoid; radius of a sphere; radius and half length along z of a cylinder or capsule",
      .list = &size_list },
    { "mesh", TYI_IO_TEXT, IN(mesh), .text = "OBJ file of shape `mesh`, relative to the scenario file",
      .size = TY_PATH_MAX },
    { "scale", TYI_IO_NUMBER, IN(scale), .text = "metres per unit of that file" },
    { "albedo", TYI_IO_NUMBER, IN(albedo), .text = "how bright its paint is" },
    { "hidden", TYI_IO_BOOLEAN, IN(hidden), .text = "whether it is not seen and only carries sensors" },
    { "on_ground", TYI_IO_BOOLEAN, IN(on_ground), .text = "whether z counts from the ground below" },
    { "x", TYI_IO_NUMBER, IN(x), .text = "where it stands without a trajectory, east of the site's origin" },
    { "y", TYI_IO_NUMBER, IN(y), .text = "likewise, north" },
    { "z", TYI_IO_NUMBER, IN(z), .text = "likewise, up" },
    { "roll_deg", TYI_IO_NUMBER, IN(roll), .text = "turned about the site's x axis, then", .unit = "deg",
      .scale = TY_DEG },
    { "pitch_deg", TYI_IO_NUMBER, IN(pitch), .text = "about its y axis, then", .unit = "deg", .scale = TY_DEG },
    { "yaw_deg", TYI_IO_NUMBER, IN(yaw), .text = "about its z axis", .unit = "deg", .scale = TY_DEG },
    { "trajectory", TYI_IO_TEXT, IN(trajectory),
      .text =
          "CSV file with the columns t, x, y, z and roll_deg, pitch_deg, yaw_deg or qw, qx, qy, qz, relative to the "
          "scenario file; straight and turning evenly between rows",
      .size = TY_PATH_MAX },
    { "fmu", TYI_IO_TEXT, IN(fmu),
      .text =
          "FMU for co-simulation (FMI 2.0 or 3.0) that moves it: its outputs x, y, z [m], roll, pitch, yaw [rad], its inputs "
          "ROVER.NAME, relative to the scenario file: docs/fmi.md",
      .size = TY_PATH_MAX },
    { "connect", TYI_IO_PAIRS, IN(connect),
      .text =
          "variables of the FMU that are named otherwise than what they are joined to: `{height: z, heading: viper.yaw}`" },
    { "set", TYI_IO_PAIRS, IN(set),
      .text = "numbers of its parameters, and of inputs that stay as they are: `{speed: 0.1}`" },
    { "sensors", TYI_IO_LIST, IN(sensor), .text = "Its sensors, at its origin, looking along its x axis",
      .list = &sensors },
    { 0 },
};
static const tyi_io_schema schema = { keys, &rules, .whole = true };
static const tyi_io_key element = { "actor", TYI_IO_MAPPING, 0, .text = "an actor", .schema = &schema };

static void init_actor(void *at)
{
    *(ty_scenario_actor *)at = ty_scenario_actor_default();
}

ty_scenario_actor ty_scenario_actor_default(void)
{
    return (ty_scenario_actor){ .shape = TY_SHAPE_BOX, .size = { 0.5, 0.5, 0.5 }, .scale = 1.0, .albedo = 0.5 };
}

const tyi_io_list tyi_scenario_actors = { .element = &element,
                                          .size = sizeof(ty_scenario_actor),
                                          .count = offsetof(ty_scenario, actors),
                                          .most = 64,
                                          .init = init_actor };
