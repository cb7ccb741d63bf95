/* src/fmi/rover.c - see rover.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rover.h"
#include <string.h>
#include "core/core.h"
#include "core/inner.h"

#define S(f) offsetof(tyi_fmi_rover, s.f)
const tyi_fmi_field tyi_fmi_rover_fields[] = {
    { "x", "m", S(pose.p.x), "east of the site's origin" },
    { "y", "m", S(pose.p.y), "north of it" },
    { "z", "m", S(pose.p.z), "above it" },
    { "qw", "", S(pose.q.w), "attitude in the site's frame, w" },
    { "qx", "", S(pose.q.x), "attitude, x" },
    { "qy", "", S(pose.q.y), "attitude, y" },
    { "qz", "", S(pose.q.z), "attitude, z" },
    { "roll", "rad", offsetof(tyi_fmi_rover, roll), "turn about x, first" },
    { "pitch", "rad", offsetof(tyi_fmi_rover, pitch), "turn about y, second: positive with the nose down" },
    { "yaw", "rad", offsetof(tyi_fmi_rover, yaw), "turn about z, third: heading from east to the left" },
    { "vx", "m/s", S(v_W.x), "velocity to the east" },
    { "vy", "m/s", S(v_W.y), "velocity to the north" },
    { "vz", "m/s", S(v_W.z), "velocity upwards" },
    { "speed", "m/s", offsetof(tyi_fmi_rover, speed), "velocity along the rover's own x" },
    { "wx", "rad/s", S(omega_B.x), "rate about the rover's own x" },
    { "wy", "rad/s", S(omega_B.y), "rate about its y" },
    { "wz", "rad/s", S(omega_B.z), "rate about its z" },
    { "way", "m", S(odometer), "way so far" },
    { "power", "W", offsetof(tyi_fmi_rover, power), "mechanical power of all drive motors" },
    { "work", "J", S(work_motor), "work of drive and steering motors so far" },
    { 0 },
};
#undef S

#define W(f) offsetof(ty_wheel_view, f)
const tyi_fmi_field tyi_fmi_wheel_fields[] = {
    { "rate", "rad/s", W(omega), "of the joint" },
    { "angle", "rad", W(angle), "of the joint" },
    { "steering", "rad", W(steer), "left positive" },
    { "torque", "N.m", W(torque), "of the motor" },
    { "power", "W", W(power), "mechanical" },
    { "slip", "", W(slip), "-1 to 1" },
    { "sinkage", "m", W(sinkage), "of the rim" },
    { "load", "N", W(load), "that it carries" },
    { 0 },
};
#undef W

#define M(f) offsetof(ty_motor_view, f)
const tyi_fmi_field tyi_fmi_motor_fields[] = {
    { "angle", "rad", M(angle), "of its joint" },
    { "rate", "rad/s", M(omega), "of its joint" },
    { "torque", "N.m", M(torque), "of the motor" },
    { 0 },
};
#undef M

void tyi_fmi_rover_read(const ty_vehicle *vehicle, tyi_fmi_rover *out)
{
    double rpy[3];
    ty_vehicle_get(vehicle, &out->s);
    tyi_quat_rpy(out->s.pose.q, rpy);
    out->roll = rpy[0], out->pitch = rpy[1], out->yaw = rpy[2];
    out->speed = ty_rotate(ty_quat_conj(out->s.pose.q), out->s.v_W).x;
    out->power = 0.0;
    for (int i = 0; i < out->s.wheels; i++) {
        out->power += out->s.wheel[i].power;
    }
    for (int i = 0, motors = ty_vehicle_motors(vehicle, NULL); i < motors; i++) {
        out->motor[i] = ty_vehicle_get_motor(vehicle, i);
    }
}

/* the field of a name in a table; -1: there is none */
static int find(const tyi_fmi_field *table, const char *name)
{
    int k = 0;
    while (table[k].name && strcmp(table[k].name, name)) {
        k++;
    }
    return table[k].name ? k : -1;
}

bool tyi_fmi_rover_find(const ty_vehicle *vehicle, const char *name, size_t *offset)
{
    int k = find(tyi_fmi_rover_fields, name);
    if (k >= 0) {
        *offset = tyi_fmi_rover_fields[k].offset;
        return true;
    }
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    ty_wheel_info wheel[TY_WHEELS_MAX];
    ty_motor_info motor[TY_MOTORS_MAX];
    for (int i = 0, wheels = ty_vehicle_wheels(vehicle, wheel); dot && i < wheels; i++) {
        k = strlen(wheel[i].name) == length && !strncmp(name, wheel[i].name, length)
                ? find(tyi_fmi_wheel_fields, dot + 1)
                : -1;
        if (k >= 0) {
            *offset =
                offsetof(tyi_fmi_rover, s.wheel) + (size_t)i * sizeof(ty_wheel_view) + tyi_fmi_wheel_fields[k].offset;
            return true;
        }
    }
    for (int i = 0, motors = ty_vehicle_motors(vehicle, motor); dot && i < motors; i++) {
        k = strlen(motor[i].name) == length && !strncmp(name, motor[i].name, length)
                ? find(tyi_fmi_motor_fields, dot + 1)
                : -1;
        if (k >= 0) {
            *offset =
                offsetof(tyi_fmi_rover, motor) + (size_t)i * sizeof(ty_motor_view) + tyi_fmi_motor_fields[k].offset;
            return true;
        }
    }
    return false;
}
