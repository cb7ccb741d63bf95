/* A step with sensors allocates nothing, once every sensor has spoken: the instruments of a driving rover, and
 * clouds, histograms and images of one that stands.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "allocations.h"
#include "support.h"

static ty_sensor_def *put(small *s, ty_sensor_type type, const char *name, const char *mount, double period,
                          const char *file)
{
    const char *root = getenv("TYCHO_SOURCE");
    ty_sensor_def *d = &s->sensor[s->rover.sensors++];
    *d = ty_sensor_def_default(type);
    snprintf(d->name, sizeof d->name, "%s", name), snprintf(d->mount, sizeof d->mount, "%s", mount);
    d->window = d->window > 0.0 ? period : 0.0, d->period = period;
    if (file) {
        snprintf(d->as.instrument.model, sizeof d->as.instrument.model, "%s/models/sensors/%s", root ? root : ".",
                 file);
    }
    return d;
}

/* allocations in the second of two stretches of so many seconds, and the messages in it */
static long counted(small *s, double seconds, size_t *messages)
{
    small_steps(s, seconds);
    long before = allocations;
    size_t then = s->count;
    small_steps(s, seconds);
    *messages = s->count - then;
    return allocations - before;
}

TY_TEST(alloc, instruments_of_a_driving_rover)
{
    small *s = small_make();
    size_t messages;
    put(s, TY_SENSOR_IMU, "imu", "imu", 0.01, "stim300.yaml");
    put(s, TY_SENSOR_ENCODERS, "enc", "", 0.05, NULL);
    put(s, TY_SENSOR_POSITION, "fix", "imu", 0.2, NULL)->lag = 0.15;
    put(s, TY_SENSOR_MOTORS, "mot", "", 0.1, NULL);
    put(s, TY_SENSOR_STEERING, "steer", "", 0.1, NULL);
    put(s, TY_SENSOR_CONTACTS, "feet", "", 0.1, NULL);
    put(s, TY_SENSOR_STARS, "stars", "lidar", 0.1, NULL);
    /* the ground before the Sun has ruts in it by then */
    put(s, TY_SENSOR_POWER, "power", "", 0.1, "viper_power.yaml");
    small_create(s);
    long n = counted(s, 1.0, &messages);
    cr_expect(n == 0, "%ld allocations in a second", n);
    cr_expect(messages > 100 + 20 + 4 + 40, "%zu messages", messages);
    void *saved = NULL; /* control: what does allocate is counted */
    size_t bytes = 0;
    long before = allocations;
    TY_CHECK(ty_run_save(s->run, &saved, &bytes, NULL) == TY_OK);
#ifdef TYCHO_SANITIZE
    TY_CHECK(allocations == before); /* not counted */
#else
    TY_CHECK(allocations > before);
#endif
    free(saved);
    small_free(s);
}

/* Where the ground around a sensor stays the same, its frames allocate nothing either. A sensor that moves, or two
 * apart from each other, have tiles of ground made for them on the worker, and those take memory. */
TY_TEST(alloc, frames_of_a_standing_rover)
{
    static const struct {
        ty_sensor_type type;
        const char *mount, *file;
    } kind[] = {
        { TY_SENSOR_LIDAR, "lidar", "lidar_vlp_16.yaml" }, { TY_SENSOR_SPAD, "hazcam_front", "spad_8x8.yaml" },
        { TY_SENSOR_ALTIMETER, "hazcam_front", NULL },     { TY_SENSOR_SUN, "navcam_left", NULL },
        { TY_SENSOR_CAMERA, "navcam_left", NULL },
    };
    for (int i = 0; i < 5; i++) {
        small *s = small_make();
        size_t messages;
        s->rover.driver.kind = TY_DRIVER_STAND;
        s->def.overlap = i % 2 == 0;
        if (kind[i].type == TY_SENSOR_CAMERA) {
            small_camera(s, "eye", 0.1, 0.01, 0.02);
        } else {
            put(s, kind[i].type, "one", kind[i].mount, 0.1, kind[i].file)->lag = 0.05;
        }
        small_create(s);
        long n = counted(s, 0.5, &messages);
        cr_expect(n == 0, "sensor %d: %ld allocations in half a second", i, n);
        cr_expect(messages >= 4, "sensor %d: %zu messages", i, messages);
        small_free(s);
    }
}
