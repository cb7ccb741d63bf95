/* src/sensor/kinds.h - the table of sensor kinds: a new kind is one file sensor_NAME.c and one row in sensor_kinds.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_KINDS_H
#define TYI_SENSOR_KINDS_H
#include "io/document.h"
#include "tycho/camera.h"
#include "tycho/sensor.h"

/* Every kind in the order of ty_sensor_type. X(NAME, TEXT) stands for, in sensor_NAME.c: tyi_sensor_NAME_schema, its
 * keys (those below, then its own, as offsets in ty_sensor_def); tyi_sensor_NAME_init, its defaults;
 * tyi_sensor_NAME, its functions. */
#define TYI_SENSOR_KIND_LIST(X)                                                      \
    X(camera, "An image of the scene")                                               \
    X(lidar, "Points where beams meet the scene")                                    \
    X(imu, "Turning rates and specific forces, means over its window")               \
    X(position, "Place and velocity in W with noise and drift")                      \
    X(encoders, "Angles and rates of the wheels, and odometry by them")              \
    X(motors, "Currents and powers of the wheels' motors")                           \
    X(steering, "Steering angles of the wheels")                                     \
    X(contacts, "Whether wheels press on something")                                 \
    X(sun_sensor, "Direction to the Sun where it shines; looks along the mount's x") \
    X(star_tracker, "Attitude in W where stars can be seen")                         \
    X(altimeter, "Distance along the mount's x")                                     \
    X(power, "Panels, loads and battery")                                            \
    X(spad, "Histograms of photons' times of flight, one for each pixel")            \
    X(user, "A kind that the calling program brings")

#define TYI_SENSOR_KIND_DECLARE(name, text)                \
    extern const tyi_io_schema tyi_sensor_##name##_schema; \
    void tyi_sensor_##name##_init(void *sensor);           \
    extern const ty_sensor_kind tyi_sensor_##name;
TYI_SENSOR_KIND_LIST(TYI_SENSOR_KIND_DECLARE)

extern const tyi_io_key tyi_sensor_element; /* of `sensors:` lists */

/* what every kind's rules and schema start with */
#define TYI_SENSOR_AT(field) offsetof(ty_sensor_def, field)
#define TYI_SENSOR_LIMITS                                               \
    { "period", "s", TYI_SENSOR_AT(period), TYI_DOUBLE, 1e-5, 1e7 },    \
        { "start", "s", TYI_SENSOR_AT(start), TYI_DOUBLE, 0.0, 1e7 },   \
        { "window", "s", TYI_SENSOR_AT(window), TYI_DOUBLE, 0.0, 1e5 }, \
    {                                                                   \
        "lag", "s", TYI_SENSOR_AT(lag), TYI_DOUBLE, 0.0, 1e5            \
    }
#define TYI_SENSOR_KEYS(window_text)                                                                                  \
    { "name", TYI_IO_TEXT, TYI_SENSOR_AT(name), .text = "names its data and files", .required = true, .size = 64 },   \
        { "mount", TYI_IO_TEXT, TYI_SENSOR_AT(mount),                                                                 \
          .text = "where it sits: a mount of the rover's file; none is the body's origin", .size = 64 },              \
        { "period", TYI_IO_NUMBER, TYI_SENSOR_AT(period), .text = "time between the starts of its windows" },         \
        { "start", TYI_IO_NUMBER, TYI_SENSOR_AT(start), .text = "when its first window opens" },                      \
        { "window", TYI_IO_NUMBER, TYI_SENSOR_AT(window), .text = window_text },                                      \
        { "lag", TYI_IO_NUMBER, TYI_SENSOR_AT(lag), .text = "from the end of a window to the delivery of its data" }, \
        { "files", TYI_IO_BOOLEAN, TYI_SENSOR_AT(files), .text = "whether `tycho run` writes its data" },             \
        { "filters", TYI_IO_LIST, TYI_SENSOR_AT(filter),                                                              \
          .text = "what is done to its data, in order: see docs/filters.md", .list = &tyi_sensor_filters },           \
    {                                                                                                                 \
        "actions", TYI_IO_LIST, TYI_SENSOR_AT(action),                                                                \
            .text = "what is done to the scene before it looks: see docs/filters.md", .list = &tyi_sensor_actions     \
    }
extern const tyi_io_list tyi_sensor_filters, tyi_sensor_actions;

const ty_sensor_kind *tyi_sensor_kind(int kind);                      /* ty_sensor_type; NULL: there is none */
void tyi_sensor_init(ty_sensor_def *sensor, int kind, double period); /* common defaults; the rest is zero */

/* checks that go beyond single keys, with the place in the file */
ty_status tyi_sensor_check(const tyi_io_doc *doc, ty_sensor_def *sensor, ty_diag *diag);
/* the physical chain that a camera's settings ask for; on failure *at is the setting that is wrong */
ty_status tyi_sensor_camera_detector(const ty_sensor_def *sensor, ty_camera_sensor_def *def, const ty_setting **at,
                                     ty_diag *diag);

#endif
