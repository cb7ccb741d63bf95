/* src/vehicle/rover.c - every key of a rover file, its range and its default.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rover.h"
#include "body/urdf.h"
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define WHEEL(field) offsetof(tyi_vehicle_wheel_def, field)
#define MOUNT(field) offsetof(tyi_vehicle_mount_def, field)
#define ROVER(field) offsetof(tyi_vehicle_rover, field)

static const tyi_limit wheel_limits[] = {
    { "radius", "m", WHEEL(radius), TYI_DOUBLE, 1e-3, 10.0 },
    { "width", "m", WHEEL(width), TYI_DOUBLE, 1e-3, 10.0 },
    { "grouser_height", "m", WHEEL(grouser_height), TYI_DOUBLE, 0.0, 1.0 },
    { "grousers", "", WHEEL(grousers), TYI_INT, 0.0, 1000.0 },
    { "fender", "rad", WHEEL(fender), TYI_DOUBLE, 0.0, TY_PI },
    { 0 },
};
static const tyi_rules wheel_rules = { "wheel", wheel_limits, NULL };
static const tyi_io_key wheel_keys[] = {
    { "name", TYI_IO_TEXT, WHEEL(name), .text = "name of the wheel", .required = true, .size = TY_NAME_MAX },
    { "body", TYI_IO_TEXT, WHEEL(body), .text = "body of the model that is the wheel", .required = true,
      .size = TY_NAME_MAX },
    { "joint", TYI_IO_TEXT, WHEEL(joint), .text = "hinge on which it turns; its place is the wheel's centre",
      .required = true, .size = TY_NAME_MAX },
    { "steer", TYI_IO_TEXT, WHEEL(steer), .text = "hinge that steers it; left out: not steered", .size = TY_NAME_MAX },
    { "suspension", TYI_IO_TEXT, WHEEL(suspension),
      .text = "hinge of the arm that carries it, where an actuator moves that (see `suspension`); none: passive",
      .size = TY_NAME_MAX },
    { "radius", TYI_IO_NUMBER, WHEEL(radius), .text = "radius of the rim, without grousers", .required = true },
    { "width", TYI_IO_NUMBER, WHEEL(width), .text = "width of the rim", .required = true },
    { "grouser_height", TYI_IO_NUMBER, WHEEL(grouser_height), .text = "height of the grousers above the rim" },
    { "grousers", TYI_IO_INTEGER, WHEEL(grousers), .text = "number of grousers" },
    { "driven", TYI_IO_BOOLEAN, WHEEL(driven), .text = "whether it has a motor" },
    { "fender_deg", TYI_IO_NUMBER, WHEEL(fender),
      .text =
          "where its fender ends behind it, from its lowest point: 90 is at the height of the axle; 0: it has none. "
          "Counts for dust",
      .unit = "deg", .scale = TY_DEG },
    { 0 },
};
static const tyi_io_schema wheel_schema = { wheel_keys, &wheel_rules, .whole = true };
static void wheel_init(void *element)
{
    *(tyi_vehicle_wheel_def *)element = (tyi_vehicle_wheel_def){ .driven = true };
}
static const tyi_io_key wheel_element = { .kind = TYI_IO_MAPPING, .schema = &wheel_schema };
static const tyi_io_list wheels = { .element = &wheel_element,
                                    .size = sizeof(tyi_vehicle_wheel_def),
                                    .count = ROVER(wheel_count),
                                    .least = 1,
                                    .most = TY_WHEELS_MAX,
                                    .init = wheel_init };

static const tyi_limit metre_limits[] = { { "value", "m", 0, TYI_DOUBLE, -100.0, 100.0 }, { 0 } };
static const tyi_limit angle_limits[] = { { "value", "deg", 0, TYI_DOUBLE, -360.0, 360.0 }, { 0 } };
static const tyi_rules metre_rules = { "value", metre_limits, NULL }, angle_rules = { "value", angle_limits, NULL };
static const tyi_io_key coordinate = { .kind = TYI_IO_NUMBER };
static const tyi_io_list point = {
    .element = &coordinate, .rules = &metre_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
static const tyi_io_list angles = {
    .element = &coordinate, .rules = &angle_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
static const tyi_io_key mount_keys[] = {
    { "name", TYI_IO_TEXT, MOUNT(name), .text = "name of the mount, for sensors", .required = true,
      .size = TY_NAME_MAX },
    { "body", TYI_IO_TEXT, MOUNT(body), .text = "body of the model that carries it", .required = true,
      .size = TY_NAME_MAX },
    { "position", TYI_IO_LIST, MOUNT(position), .text = "place in the body's frame", .list = &point },
    { "rpy_deg", TYI_IO_LIST, MOUNT(rpy_deg),
      .text = "roll, pitch and yaw in the body's frame, in this order about fixed axes", .list = &angles },
    { 0 },
};
static const tyi_io_schema mount_schema = { mount_keys, NULL, .whole = false };
static const tyi_io_key mount_element = { .kind = TYI_IO_MAPPING, .schema = &mount_schema };
static const tyi_io_list mounts = { .element = &mount_element,
                                    .size = sizeof(tyi_vehicle_mount_def),
                                    .count = ROVER(mount_count),
                                    .least = 0,
                                    .most = TY_MOUNTS_MAX };

#define LOOK(field) offsetof(tyi_vehicle_look_def, field)
static const tyi_limit look_limits[] = { { "scale", "m", LOOK(scale), TYI_DOUBLE, 1e-9, 1e9 }, { 0 } };
static const tyi_rules look_rules = { "look", look_limits, NULL };
static const tyi_io_key look_keys[] = {
    { "body", TYI_IO_TEXT, LOOK(body), .text = "body of the model that it follows", .required = true,
      .size = TY_NAME_MAX },
    { "file", TYI_IO_TEXT, LOOK(file), .text = "OBJ, .gltf, .glb, .dae, .stl or .ply, relative to this file",
      .required = true, .size = 4096 },
    { "scale", TYI_IO_NUMBER, LOOK(scale), .text = "metres per unit of the file" },
    { "position", TYI_IO_LIST, LOOK(position), .text = "place in the body's frame", .list = &point },
    { "rpy_deg", TYI_IO_LIST, LOOK(rpy_deg),
      .text = "roll, pitch and yaw in the body's frame, in this order about fixed axes", .list = &angles },
    { "replace", TYI_IO_BOOLEAN, LOOK(replace),
      .text = "whether the shapes of the MJCF file are left out for this body" },
    { 0 },
};
static const tyi_io_schema look_schema = { look_keys, &look_rules, .whole = true };
static const tyi_io_key look_element = { .kind = TYI_IO_MAPPING, .schema = &look_schema };
static void look_init(void *element)
{
    *(tyi_vehicle_look_def *)element = (tyi_vehicle_look_def){ .scale = 1.0, .replace = true };
}
static const tyi_io_list looks = { .element = &look_element,
                                   .size = sizeof(tyi_vehicle_look_def),
                                   .count = ROVER(look_count),
                                   .least = 0,
                                   .most = 64,
                                   .init = look_init };

#define COLLISION(field) offsetof(tyi_vehicle_collision_def, field)
static const tyi_limit side_limits[] = { { "value", "m", 0, TYI_DOUBLE, 0.0, 100.0 }, { 0 } };
static const tyi_rules side_rules = { "value", side_limits, NULL };
static const tyi_io_list sides = {
    .element = &coordinate, .rules = &side_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
static const tyi_limit collision_limits[] = { { "radius", "m", COLLISION(radius), TYI_DOUBLE, 0.0, 100.0 }, { 0 } };
static const tyi_rules collision_rules = { "collision", collision_limits, NULL };
static const tyi_io_key collision_keys[] = {
    { "body", TYI_IO_TEXT, COLLISION(body), .text = "body of the model that it belongs to", .required = true,
      .size = TY_NAME_MAX },
    { "position", TYI_IO_LIST, COLLISION(position), .text = "its middle in the body's frame", .list = &point },
    { "rpy_deg", TYI_IO_LIST, COLLISION(rpy_deg),
      .text = "roll, pitch and yaw in the body's frame, in this order about fixed axes", .list = &angles },
    { "radius", TYI_IO_NUMBER, COLLISION(radius), .text = "of a sphere, or of a box's rounded corners" },
    { "box", TYI_IO_LIST, COLLISION(box), .text = "sides of a box, of which the corners touch the ground [m]",
      .list = &sides },
    { "no_ground", TYI_IO_BOOLEAN, COLLISION(no_ground), .text = "it meets all but the ground, which is the soil's" },
    { 0 },
};
static const tyi_io_schema collision_schema = { collision_keys, &collision_rules, .whole = true };
static const tyi_io_key collision_element = { .kind = TYI_IO_MAPPING, .schema = &collision_schema };
static const tyi_io_list collisions = { .element = &collision_element,
                                        .size = sizeof(tyi_vehicle_collision_def),
                                        .count = ROVER(collision_count),
                                        .least = 0,
                                        .most = TYI_VEHICLE_COLLISIONS_MAX };

#define MOTOR(field) offsetof(tyi_vehicle_motor_def, field)
static const tyi_limit motor_limits[] = {
    { "torque", "N m", MOTOR(torque), TYI_DOUBLE, 1e-4, 1e6 },
    { "rate", "rad/s", MOTOR(rate), TYI_DOUBLE, 1e-4, 1e3 },
    { "kp", "N m/rad", MOTOR(kp), TYI_DOUBLE, 0.0, 1e7 },
    { "kd", "N m s/rad", MOTOR(kd), TYI_DOUBLE, 0.0, 1e6 },
    { 0 },
};
static const tyi_rules motor_rules = { "motor", motor_limits, NULL };
static const char *const controls[] = { "angle", "speed", NULL };
static const tyi_io_key motor_keys[] = {
    { "name", TYI_IO_TEXT, MOTOR(name), .text = "name of the motor, for commands", .required = true,
      .size = TY_NAME_MAX },
    { "joint", TYI_IO_TEXT, MOTOR(joint), .text = "hinge that it turns", .required = true, .size = TY_NAME_MAX },
    { "control", TYI_IO_CHOICE, MOTOR(control), .text = "what it is told", .choices = controls },
    { "torque", TYI_IO_NUMBER, MOTOR(torque), .text = "its largest torque", .required = true },
    { "rate", TYI_IO_NUMBER, MOTOR(rate), .text = "how fast it approaches the angle it is told, or its largest speed" },
    { "kp", TYI_IO_NUMBER, MOTOR(kp), .text = "torque per error of angle, or per error of speed (N m s/rad)" },
    { "kd", TYI_IO_NUMBER, MOTOR(kd), .text = "torque per rate; of motors that are told an angle" },
    { 0 },
};
static const tyi_io_schema motor_schema = { motor_keys, &motor_rules, .whole = true };
static void motor_init(void *element)
{
    *(tyi_vehicle_motor_def *)element = (tyi_vehicle_motor_def){ .rate = 0.3, .kp = 500.0, .kd = 30.0 };
}
static const tyi_io_key motor_element = { .kind = TYI_IO_MAPPING, .schema = &motor_schema };
static const tyi_io_list motors = { .element = &motor_element,
                                    .size = sizeof(tyi_vehicle_motor_def),
                                    .count = ROVER(motor_count),
                                    .least = 0,
                                    .most = TY_MOTORS_MAX,
                                    .init = motor_init };

#define TOOL(field) offsetof(tyi_vehicle_tool_def, field)
static const tyi_limit tool_limits[] = {
    { "radius", "m", TOOL(shape.radius), TYI_DOUBLE, 0.02, 5.0 },
    { "width", "m", TOOL(shape.width), TYI_DOUBLE, 0.02, 5.0 },
    { "height", "m", TOOL(shape.height), TYI_DOUBLE, 0.02, 5.0 },
    { "depth", "m", TOOL(shape.depth), TYI_DOUBLE, 0.02, 5.0 },
    { "sheet", "m", TOOL(shape.sheet), TYI_DOUBLE, 5e-4, 0.2 },
    { "scoops", "", TOOL(shape.scoops), TYI_INT, 1.0, 4.0 },
    { "friction", "", TOOL(shape.friction), TYI_DOUBLE, 0.0, 4.0 },
    { 0 },
};
static const tyi_rules tool_rules = { "tool", tool_limits, NULL };
#define TOOL_NAME(id, name) name,
static const char *const tool_kinds[] = { TY_TOOL_LIST(TOOL_NAME) NULL };
static const tyi_io_key tool_keys[] = {
    { "name", TYI_IO_TEXT, TOOL(name), .text = "name of the tool, for telemetry", .required = true,
      .size = TY_NAME_MAX },
    { "body", TYI_IO_TEXT, TOOL(body), .text = "body of the model that carries it", .required = true,
      .size = TY_NAME_MAX },
    { "kind", TYI_IO_CHOICE, TOOL(shape.kind),
      .text =
          "a drum about y, whose sheets wind inwards and which digs when it turns as a wheel does; a plate across x; or a bucket, "
          "open above and in front",
      .choices = tool_kinds, .required = true },
    { "position", TYI_IO_LIST, TOOL(position),
      .text = "place in the body's frame: of a drum's and a blade's middle, of a bucket's lip", .list = &point },
    { "rpy_deg", TYI_IO_LIST, TOOL(rpy_deg),
      .text = "roll, pitch and yaw in the body's frame, in this order about fixed axes", .list = &angles },
    { "radius", TYI_IO_NUMBER, TOOL(shape.radius), .text = "of a drum" },
    { "width", TYI_IO_NUMBER, TOOL(shape.width), .text = "along y", .required = true },
    { "height", TYI_IO_NUMBER, TOOL(shape.height), .text = "of a blade or bucket" },
    { "depth", TYI_IO_NUMBER, TOOL(shape.depth), .text = "of a bucket, from its lip back" },
    { "sheet", TYI_IO_NUMBER, TOOL(shape.sheet), .text = "thickness of its sheets" },
    { "scoops", TYI_IO_INTEGER, TOOL(shape.scoops), .text = "sheets of a drum" },
    { "friction", TYI_IO_NUMBER, TOOL(shape.friction), .text = "with soil; 0: as within the soil" },
    { 0 },
};
static const tyi_io_schema tool_schema = { tool_keys, &tool_rules, .whole = true };
static void tool_init(void *element)
{
    *(tyi_vehicle_tool_def *)element = (tyi_vehicle_tool_def){
        .shape = { .radius = 0.2, .width = 0.3, .height = 0.2, .depth = 0.2, .sheet = 0.003, .scoops = 2 }
    };
}
static const tyi_io_key tool_element = { .kind = TYI_IO_MAPPING, .schema = &tool_schema };
static const tyi_io_list tools = { .element = &tool_element,
                                   .size = sizeof(tyi_vehicle_tool_def),
                                   .count = ROVER(tool_count),
                                   .least = 0,
                                   .most = TY_TOOLS_MAX,
                                   .init = tool_init };

/* what a URDF or xacro model needs beside the file */
static const tyi_io_key folder_element = { .kind = TYI_IO_TEXT, .size = sizeof(tyi_body_path) };
static const tyi_io_list packages = {
    .element = &folder_element, .size = sizeof(tyi_body_path), .count = ROVER(package_count), .most = 16
};
static const tyi_io_key argument_element = { .kind = TYI_IO_TEXT, .size = sizeof(tyi_body_argument) };
static const tyi_io_list arguments = {
    .element = &argument_element, .size = sizeof(tyi_body_argument), .count = ROVER(xacro_count), .most = 64
};
static const tyi_io_key hold_element = { .kind = TYI_IO_TEXT, .size = sizeof(tyi_body_name) };
static const tyi_io_list holds = {
    .element = &hold_element, .size = sizeof(tyi_body_name), .count = ROVER(hold_count), .most = 64
};

static const tyi_limit limits[] = {
    { "version", "", ROVER(version), TYI_INT, 1.0, 1.0 },
    { "mass", "kg", ROVER(mass), TYI_DOUBLE, 0.0, 1e6 },
    { "drive.stall_torque", "N m", ROVER(drive.stall_torque), TYI_DOUBLE, 1e-4, 1e6 },
    { "drive.no_load_speed", "rad/s", ROVER(drive.no_load_speed), TYI_DOUBLE, 1e-3, 1e4 },
    { "drive.acceleration", "rad/s^2", ROVER(drive.acceleration), TYI_DOUBLE, 1e-3, 1e6 },
    { "drive.kp", "N m s/rad", ROVER(drive.kp), TYI_DOUBLE, 0.0, 1e6 },
    { "drive.ki", "N m/rad", ROVER(drive.ki), TYI_DOUBLE, 0.0, 1e7 },
    { "drive.kd", "N m s^2/rad", ROVER(drive.kd), TYI_DOUBLE, 0.0, 1e4 },
    { "steering.torque", "N m", ROVER(steering.torque), TYI_DOUBLE, 1e-4, 1e6 },
    { "steering.rate", "rad/s", ROVER(steering.rate), TYI_DOUBLE, 1e-4, 1e3 },
    { "steering.kp", "N m/rad", ROVER(steering.kp), TYI_DOUBLE, 0.0, 1e7 },
    { "steering.kd", "N m s/rad", ROVER(steering.kd), TYI_DOUBLE, 0.0, 1e6 },
    { "suspension.stiffness", "N/m", ROVER(suspension.stiffness), TYI_DOUBLE, 1.0, 1e9 },
    { "suspension.arm", "m", ROVER(suspension.arm), TYI_DOUBLE, 1e-3, 100.0 },
    { "suspension.stroke", "m", ROVER(suspension.stroke), TYI_DOUBLE, 0.0, 10.0 },
    { "suspension.rate", "m/s", ROVER(suspension.rate), TYI_DOUBLE, 0.0, 10.0 },
    { "suspension.gain", "m/s/N", ROVER(suspension.gain), TYI_DOUBLE, 0.0, 10.0 },
    { 0 },
};
static const tyi_rules rules = { "rover", limits, NULL };

static const tyi_io_key drive_keys[] = {
    { "stall_torque", TYI_IO_NUMBER, ROVER(drive.stall_torque), .text = "torque of a drive at rest, at the wheel",
      .required = true },
    { "no_load_speed", TYI_IO_NUMBER, ROVER(drive.no_load_speed),
      .text = "speed at which a drive has no torque left, at the wheel", .required = true },
    { "acceleration", TYI_IO_NUMBER, ROVER(drive.acceleration), .text = "how fast the wanted speed may change" },
    { "kp", TYI_IO_NUMBER, ROVER(drive.kp), .text = "torque per error of speed" },
    { "ki", TYI_IO_NUMBER, ROVER(drive.ki), .text = "torque per error of angle" },
    { "kd", TYI_IO_NUMBER, ROVER(drive.kd), .text = "torque per error of acceleration" },
    { 0 },
};
static const tyi_io_key steering_keys[] = {
    { "torque", TYI_IO_NUMBER, ROVER(steering.torque), .text = "largest torque of a steering motor" },
    { "rate", TYI_IO_NUMBER, ROVER(steering.rate), .text = "how fast the wanted angle may change" },
    { "kp", TYI_IO_NUMBER, ROVER(steering.kp), .text = "torque per error of angle" },
    { "kd", TYI_IO_NUMBER, ROVER(steering.kd), .text = "torque per error of rate" },
    { 0 },
};
static const tyi_io_key suspension_keys[] = {
    { "stiffness", TYI_IO_NUMBER, ROVER(suspension.stiffness),
      .text = "of the model's spring that an actuator acts through, at the end of the arm" },
    { "arm", TYI_IO_NUMBER, ROVER(suspension.arm), .text = "length of the arm" },
    { "stroke", TYI_IO_NUMBER, ROVER(suspension.stroke), .text = "how far an actuator moves its wheel, each way" },
    { "rate", TYI_IO_NUMBER, ROVER(suspension.rate), .text = "how fast" },
    { "gain", TYI_IO_NUMBER, ROVER(suspension.gain),
      .text = "speed for each newton between the loads of the diagonals" },
    { 0 },
};
static const tyi_io_schema suspension_schema = { suspension_keys, &rules, .whole = false };
static const tyi_io_schema drive_schema = { drive_keys, &rules, .whole = false };
static const tyi_io_schema steering_schema = { steering_keys, &rules, .whole = false };

static const tyi_io_key keys[] = {
    { "version", TYI_IO_INTEGER, ROVER(version), .text = "version of the file format", .required = true },
    { "name", TYI_IO_TEXT, ROVER(name), .text = "name of the rover", .required = true, .size = TY_NAME_MAX },
    { "model", TYI_IO_TEXT, ROVER(model),
      .text = "MJCF, URDF (.urdf) or xacro file with bodies, joints and masses, relative to this file",
      .required = true, .size = sizeof(((tyi_vehicle_rover *)0)->model) },
    { "body", TYI_IO_TEXT, ROVER(body),
      .text = "body on a free joint whose frame is the rover's: x forward, y left, z up", .required = true,
      .size = TY_NAME_MAX },
    { "packages", TYI_IO_LIST, ROVER(packages),
      .text =
          "of URDF: Folders of ROS packages, or folders that hold them, relative to this file; those that the model lies "
          "in and beside, and those of ROS_PACKAGE_PATH, are known",
      .list = &packages },
    { "xacro", TYI_IO_LIST, ROVER(xacro), .text = "of xacro: Arguments, each name:=value", .list = &arguments },
    { "hold", TYI_IO_LIST, ROVER(hold),
      .text =
          "of URDF: Joints that do not move (arms, masts); * and ? stand for any letters, and wheels, steering and motors "
          "are never meant by these",
      .list = &holds },
    { "mass", TYI_IO_NUMBER, ROVER(mass),
      .text = "mass of the whole rover, to be compared with the model's; 0: not compared" },
    { "wheels", TYI_IO_LIST, ROVER(wheels), .text = "Its wheels", .list = &wheels, .required = true },
    { "drive", TYI_IO_MAPPING, 0, .text = "Motors of the wheels", .schema = &drive_schema },
    { "steering", TYI_IO_MAPPING, 0, .text = "Motors of the steering", .schema = &steering_schema },
    { "suspension", TYI_IO_MAPPING, 0, .text = "Actuators at the wheels' arms, of wheels that name one",
      .schema = &suspension_schema },
    { "motors", TYI_IO_LIST, ROVER(motors), .text = "Motors of other hinges: arms, drums, masts", .list = &motors },
    { "tools", TYI_IO_LIST, ROVER(tools),
      .text =
          "Implements that move soil: met by soil of particles alone (a scenario's `soil: {model: crm}`, `dem` or `patch`)",
      .list = &tools },
    { "mounts", TYI_IO_LIST, ROVER(mounts), .text = "Places where sensors can be mounted", .list = &mounts },
    { "collision", TYI_IO_LIST, ROVER(collisions),
      .text =
          "Shapes beside the wheels that touch the ground when it tips over, other rovers, rocks, objects and actors",
      .list = &collisions },
    { "looks", TYI_IO_LIST, ROVER(looks), .text = "Models that its bodies look like", .list = &looks },
    { 0 },
};
const tyi_io_schema tyi_vehicle_rover_schema = { keys, &rules, .whole = false };

tyi_vehicle_rover tyi_vehicle_rover_default(void)
{
    return (tyi_vehicle_rover){
        .version = 1,
        .drive = { .stall_torque = 100.0, .no_load_speed = 3.0, .acceleration = 1.0, .kp = 100.0, .ki = 200.0 },
        .steering = { .torque = 200.0, .rate = 0.3, .kp = 2000.0, .kd = 50.0 },
        .suspension = { .stiffness = 1e5, .arm = 0.3, .stroke = 0.1, .rate = 0.05, .gain = 4e-4 },
    };
}

/* a relative path is meant from the rover's folder */
static ty_status resolve(const tyi_io_doc *doc, const char *path, char file[4096], const char *what, ty_diag *diag)
{
    char shown[100], reason[100];
    tyi_io_doc_show(file, shown, sizeof shown);
    const char *slash = strrchr(path, '/');
    size_t folder = slash && file[0] != '/' ? (size_t)(slash - path) + 1 : 0, length = strlen(file);
    if (folder + length >= 4096) {
        return tyi_io_doc_fail_field(doc, file, diag, TY_ERR_INPUT, "makes a path longer than 4095 bytes");
    }
    memmove(file + folder, file, length + 1);
    memcpy(file, path, folder);
    if (access(file, R_OK)) {
        return tyi_io_doc_fail_field(doc, file, diag, TY_ERR_FILE,
                                     "is '%s', which cannot be opened (%s); it takes the path of %s", shown,
                                     strerror_r(errno, reason, sizeof reason), what);
    }
    return TY_OK;
}

/* Texts by which elements are found: each of list a must differ from those of list b (the same list: from those before
 * it). */
typedef struct names {
    const void *list;
    size_t count, size, at; /* elements, bytes of one, where the text is in it */
    const char *what;
} names;

/* names become columns, topics and files */
static ty_status check_rule(const tyi_io_doc *doc, const char *name, ty_diag *diag)
{
    char shown[80];
    return tyi_name_ok(name) ? TY_OK
                             : tyi_io_doc_fail_field(doc, name, diag, TY_ERR_INPUT, "is '%s', but " TYI_NAME_RULE,
                                                     tyi_io_doc_show(name, shown, sizeof shown));
}

static ty_status check_taken(const tyi_io_doc *doc, const names *a, const names *b, ty_diag *diag)
{
    char shown[80];
    for (size_t i = 0; i < a->count; i++) {
        const char *name = (const char *)a->list + i * a->size + a->at;
        for (size_t k = 0; k < (a->list == b->list ? i : b->count); k++) {
            const char *other = (const char *)b->list + k * b->size + b->at;
            if (name[0] && !strcmp(name, other)) {
                return tyi_io_doc_fail_field(doc, name, diag, TY_ERR_INPUT,
                                             "is '%s', which is taken by %s.%zu; each needs its own",
                                             tyi_io_doc_show(name, shown, sizeof shown), b->what, k);
            }
        }
    }
    return TY_OK;
}

/* keys of one format only; arguments that xacro could take for options */
static ty_status check_format(const tyi_io_doc *doc, tyi_vehicle_rover *r, const char *path, ty_diag *diag)
{
    const char *given = r->package_count ? r->packages[0] : r->hold_count ? r->hold[0] : NULL;
    const char *argument = r->xacro_count ? r->xacro[0] : NULL;
    const char *dot = strrchr(r->model, '.');
    if (given && !tyi_body_urdf_is(r->model)) {
        return tyi_io_doc_fail_field(
            doc, given, diag, TY_ERR_INPUT,
            "is a key of URDF models, and %s is none; in MJCF leave out the joint, or give it a motor", r->model);
    }
    if (argument && !(dot && !strcasecmp(dot, ".xacro"))) {
        return tyi_io_doc_fail_field(doc, argument, diag, TY_ERR_INPUT, "is a key of .xacro models, and %s is none",
                                     r->model);
    }
    for (size_t i = 0; i < r->xacro_count; i++) {
        if (!strstr(r->xacro[i], ":=") || r->xacro[i][0] == '-') {
            char shown[80];
            return tyi_io_doc_fail_field(doc, r->xacro[i], diag, TY_ERR_INPUT, "is '%s', but takes name:=value",
                                         tyi_io_doc_show(r->xacro[i], shown, sizeof shown));
        }
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->package_count && status == TY_OK; i++) {
        status = resolve(doc, path, r->packages[i], "a folder", diag);
    }
    return status;
}

static ty_status check_names(const tyi_io_doc *doc, const tyi_vehicle_rover *r, ty_diag *diag)
{
    const size_t wheel = sizeof(tyi_vehicle_wheel_def), motor = sizeof(tyi_vehicle_motor_def);
    const names wheel_names = { r->wheels, r->wheel_count, wheel, WHEEL(name), "wheels" },
                spins = { r->wheels, r->wheel_count, wheel, WHEEL(joint), "wheels" },
                steers = { r->wheels, r->wheel_count, wheel, WHEEL(steer), "wheels" },
                motor_names = { r->motors, r->motor_count, motor, MOTOR(name), "motors" },
                turns = { r->motors, r->motor_count, motor, MOTOR(joint), "motors" },
                tool_names = { r->tools, r->tool_count, sizeof(tyi_vehicle_tool_def), TOOL(name), "tools" },
                mount_names = { r->mounts, r->mount_count, sizeof(tyi_vehicle_mount_def), MOUNT(name), "mounts" };
    const names *const pairs[][2] = { { &wheel_names, &wheel_names },
                                      { &spins, &spins },
                                      { &motor_names, &motor_names },
                                      { &turns, &turns },
                                      { &turns, &spins },
                                      { &turns, &steers },
                                      { &tool_names, &tool_names },
                                      { &tool_names, &wheel_names },
                                      { &mount_names, &mount_names } };
    const names *const ruled[] = { &wheel_names, &motor_names, &tool_names, &mount_names };
    ty_status status = check_rule(doc, r->name, diag);
    for (size_t i = 0; i < sizeof ruled / sizeof ruled[0]; i++) {
        for (size_t k = 0; k < ruled[i]->count && status == TY_OK; k++) {
            status = check_rule(doc, (const char *)ruled[i]->list + k * ruled[i]->size + ruled[i]->at, diag);
        }
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && status == TY_OK; i++) {
        status = check_taken(doc, pairs[i][0], pairs[i][1], diag);
    }
    return status;
}

ty_status tyi_vehicle_rover_load(const char *path, tyi_io_doc *doc, tyi_arena *memory, tyi_vehicle_rover *out,
                                 ty_diag *diag)
{
    /* decimal points, not the decimal commas of a host program's locale */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    *out = tyi_vehicle_rover_default();
    ty_status status = tyi_io_doc_read(doc, path, memory->alloc, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_fill(doc, &tyi_vehicle_rover_schema, out, memory, diag);
    }
    if (status == TY_OK) {
        status = check_names(doc, out, diag);
    }
    if (status == TY_OK) {
        status = check_format(doc, out, path, diag);
    }
    if (status == TY_OK) {
        status = resolve(doc, path, out->model, "an MJCF or URDF file", diag);
    }
    for (size_t i = 0; i < out->look_count && status == TY_OK; i++) {
        status = resolve(doc, path, out->looks[i].file, "an OBJ or glTF model", diag);
    }
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return status;
}
