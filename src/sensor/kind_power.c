/* src/sensor/kind_power.c - the power budget of a rover. All its panels share the light that tyi_world_sunlight() finds
 * at the end of a window.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "k_dust.h"
#include "k_sky.h"
#include "world/world.h"
#include "kind_instrument.h"
#include "instrument_file.h"

TYI_SENSOR_INSTRUMENT(power, TY_SENSOR_POWER, 1.0, 1.0)

typedef struct kept { /* saved as it is */
    tyi_inertial_power power;
    tyi_inertial_motor motor;
    double motors; /* [J] drawn by motors in the window so far */
} kept;

typedef struct budget {
    kept now;
    ty_terrain *terrain; /* the world's */
} budget;

static ty_status create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column columns[] = { { "charge", "", TY_QUANTITY_CHARGE, NULL },
                                                 { "solar", "W", TY_QUANTITY_POWER, NULL },
                                                 { "load", "W", TY_QUANTITY_POWER, NULL },
                                                 { "battery", "W", TY_QUANTITY_POWER, NULL },
                                                 { "shortfall", "W", TY_QUANTITY_POWER, NULL },
                                                 { "lit", "", TY_QUANTITY_NONE, NULL },
                                                 { 0 } };
    static const ty_message_schema schema = { "power", columns };
    tyi_inertial_power_def def = tyi_inertial_power_def_default();
    tyi_inertial_motor_def motor = tyi_inertial_motor_def_default();
    ty_status status = tyi_sensor_instrument_state(sizeof(budget), state, diag);
    if (status == TY_OK && (!make->vehicle || make->def->window != make->def->period)) {
        status = ty_fail(diag, TY_ERR_INPUT, "a power budget is of a rover, and its window is its period");
    }
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_power_load, &def, diag);
    make->reads_vehicle = make->reads_sky = true;
    tyi_sensor_instrument_parts(make, &schema, 6, 0, 'B');
    if (status == TY_OK) {
        budget *b = *state;
        b->terrain = ty_world_terrain(make->world);
        status = tyi_inertial_motor_create(&motor, &b->now.motor, diag);
        status = status == TY_OK ? tyi_inertial_power_create(&def, &b->now.power, diag) : status;
    }
    return status;
}

static void step(void *state, const ty_sensor_step *step)
{
    kept *k = &((budget *)state)->now;
    for (int i = 0; i < step->state->wheels; i++) {
        tyi_inertial_motor_sample s;
        tyi_inertial_motor_read(&k->motor, step->state->wheel[i].torque, step->state->wheel[i].omega, &s);
        k->motors += s.power * ty_seconds(step->to - step->from);
    }
}

/* [-] of the light that dust leaves to a panel: that on the faces which look the same way */
static double clean(const double normal[3], const double dust[6])
{
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = fabs(normal[k]) >= fabs(normal[axis]) ? k : axis;
    }
    double shadow = dust[2 * axis + (normal[axis] > 0.0)];
    return shadow > 0.0 ? 1.0 - ty_k_dust_cover(shadow) : 1.0;
}

static ty_status collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    budget *b = state;
    ty_pose at = shot->key[shot->keys - 1].pose;
    double dt = ty_seconds(shot->time.end - shot->time.start), lit[TY_POWER_PANELS];
    ty_status status = tyi_world_sunlight(b->terrain, at, &shot->sky.sun, &lit[0], diag);
    const double sun = lit[0];
    for (int i = 1; i < TY_POWER_PANELS; i++) {
        lit[i] = lit[0];
    }
    for (int i = 0; i < b->now.power.def.panels; i++) {
        lit[i] *= clean(b->now.power.def.panel[i].normal, shot->dust);
    }
    tyi_inertial_power_input in = { .q_WB = at.q,
                                    .sun_W = shot->sky.sun.dir_W,
                                    .sun_au = shot->sky.sun.distance / TY_K_AU,
                                    .lit = lit,
                                    .motors = b->now.motors / dt,
                                    .heaters_on = sun < 0.5 };
    tyi_inertial_power_flow flow;
    tyi_inertial_power_step(&b->now.power, &in, dt, &flow);
    b->now.motors = 0.0;
    const double row[6] = { flow.charge, flow.solar, flow.load, flow.battery, flow.shortfall, sun };
    for (int i = 0; i < 6; i++) {
        ty_buffer_set(&part[0].data, 0, 0, i, row[i]);
    }
    return status;
}

static size_t save(const void *state, void *out)
{
    if (out) {
        memcpy(out, &((const budget *)state)->now, sizeof(kept));
    }
    return sizeof(kept);
}

static ty_status restore(void *state, const void *from, size_t bytes, ty_diag *diag)
{
    if (bytes != sizeof(kept)) {
        return ty_fail(diag, TY_ERR_FORMAT, "power: %zu bytes saved, but it needs %zu", bytes, sizeof(kept));
    }
    memcpy(&((budget *)state)->now, from, sizeof(kept));
    return TY_OK;
}

static void destroy(void *state)
{
    tyi_put(NULL, state, sizeof(budget));
}

const ty_sensor_kind tyi_sensor_power = { .name = "power",
                                          .keys = 2,
                                          .create = create,
                                          .step = step,
                                          .collect = collect,
                                          .save = save,
                                          .restore = restore,
                                          .destroy = destroy };
