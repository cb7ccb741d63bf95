/* see support.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include <stdarg.h>

small *small_make(void)
{
    small *s = calloc(1, sizeof *s);
    cr_assert(s);
    s->scenario = ty_scenario_default();
    snprintf(s->scenario.name, sizeof s->scenario.name, "small");
    snprintf(s->scenario.start_utc, sizeof s->scenario.start_utc, "2026-12-01T12:00:00");
    s->scenario.terrain.lat = -1.466, s->scenario.terrain.lon = 3.887;
    s->scenario.terrain.extent = 200.0;
    s->scenario.terrain.relief.rms_slope_deg = 2.0;
    s->scenario.terrain.relief.baseline = 5.0;
    s->scenario.terrain.relief.outer = 100.0;
    s->scenario.terrain.crater.on = false;
    s->scenario.terrain.rock.on = false;
    s->scenario.duration = 1000.0;
    const char *root = getenv("TYCHO_SOURCE");
    s->rover = (ty_scenario_rover){
        .vehicle = ty_vehicle_def_default(), .name = "viper", .soil.model = TY_SOIL_BEKKER, .soil.spacing = 0.02
    };
    s->rover.vehicle.rock_push = 0.0;
    snprintf(s->rover.model, sizeof s->rover.model, "%s/models/rovers/viper.yaml", root ? root : ".");
    s->rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
    s->rover.sensor = s->sensor;
    s->scenario.rover = &s->rover;
    s->scenario.rovers = 1;
    s->def = ty_run_def_default();
    s->def.scenario = &s->scenario;
    s->def.detail = 256;
    s->def.threads = 1;
    return s;
}

ty_sensor_def *small_camera(small *s, const char *name, double period, double window, double lag)
{
    ty_sensor_def *c = &s->sensor[s->rover.sensors++];
    *c = ty_sensor_def_default(TY_SENSOR_CAMERA);
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->mount, sizeof c->mount, "navcam_left");
    c->period = period, c->window = window, c->lag = lag;
    c->as.camera.camera.width = 24, c->as.camera.camera.height = 16;
    c->as.camera.samples = 2;
    return c;
}

static void note(void *user, const ty_message *m)
{
    small *s = user;
    cr_assert(s->count < MOST_HEARD);
    s->heard[s->count++] = (heard){ m->index, m->sequence, ty_message_hash(m), m->time, ty_run_time(s->run) };
}

void small_create(small *s)
{
    ty_diag diag = { 0 };
    cr_assert(ty_run_create(&s->def, &s->run, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_run_subscribe(s->run, NULL, NULL, note, s, &diag) == TY_OK, "%s", diag.text);
}

void small_steps(small *s, double seconds)
{
    ty_diag diag = { 0 };
    ty_time end = ty_run_time(s->run) + ty_time_from(seconds);
    while (ty_run_time(s->run) < end) {
        cr_assert(ty_run_step(s->run, &diag) == TY_OK, "%s", diag.text);
    }
}

void small_free(small *s)
{
    ty_run_destroy(s->run);
    free(s);
}

const ty_settings *settings_of(const char *key, ...)
{
    static ty_setting item[16];
    static ty_settings all = { item, 0 };
    va_list args;
    va_start(args, key);
    all.count = 0;
    for (; key; key = va_arg(args, const char *)) {
        snprintf(item[all.count].key, sizeof item->key, "%s", key);
        snprintf(item[all.count++].value, sizeof item->value, "%s", va_arg(args, const char *));
    }
    va_end(args);
    return &all;
}
